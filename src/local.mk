# SPDX-License-Identifier: Apache-2.0
# All but main is a library of its own, which the unit tests link too.
noinst_LTLIBRARIES = %D%/libfront.la
src_libfront_la_SOURCES = \
	%D%/output/child.c \
	%D%/output/emit.c %D%/output/emit.h \
	%D%/output/lines.c %D%/output/lines.h \
	%D%/output/machine.c \
	%D%/output/output.c %D%/output/output.h \
	%D%/output/pattern.c %D%/output/pattern.h \
	%D%/output/sink.c %D%/output/sink.h \
	%D%/output/tally.c %D%/output/tally.h \
	%D%/language/argument_values.c %D%/language/argument_values.h \
	%D%/language/arguments.h \
	%D%/language/command.c %D%/language/command.h \
	%D%/language/definitions.c %D%/language/definitions.h \
	%D%/language/lexer.c %D%/language/lexer.h \
	%D%/language/parse.c %D%/language/parse.h \
	%D%/language/topics.c %D%/language/topics.h \
	%D%/session/try_line.c %D%/session/try_line.h \
	%D%/session/ambiguous.c %D%/session/ambiguous.h \
	%D%/session/arguments.c \
	%D%/session/bless.c %D%/session/bless.h \
	%D%/session/expected_block.c %D%/session/expected_block.h \
	%D%/session/checks.c %D%/session/checks.h \
	%D%/session/collect.c %D%/session/collect.h \
	%D%/session/dispatch.c \
	%D%/session/expand.c %D%/session/expand.h \
	%D%/session/help.c %D%/session/help.h \
	%D%/session/junit.c %D%/session/junit.h \
	%D%/session/outputs.c %D%/session/outputs.h \
	%D%/session/plain.c %D%/session/plain.h \
	%D%/session/session_pages.c \
	%D%/session/session_pager.c %D%/session/session_pager.h \
	%D%/session/progress.c %D%/session/progress.h \
	%D%/session/line_record.c %D%/session/line_record.h \
	%D%/session/listed.c %D%/session/listed.h \
	%D%/session/line_run.c \
	%D%/session/script.c %D%/session/script.h \
	%D%/session/session.c %D%/session/session.h \
	%D%/session/session_bounds.h %D%/session/channels.h %D%/session/console_view.h \
	%D%/session/display.h %D%/session/expected.h %D%/session/open_files.h %D%/session/line_block.h \
	%D%/session/places.h %D%/session/run_state.h %D%/session/words.h \
	%D%/session/settings.c %D%/session/settings.h \
	%D%/session/signals.c %D%/session/signals.h \
	%D%/session/subject.c %D%/session/subject.h \
	%D%/session/environment.c %D%/session/environment.h \
	%D%/tui/screen_export.c \
	%D%/tui/screen_export.h \
	%D%/tui/frame.h \
	%D%/tui/glyphs.c \
	%D%/tui/glyphs.h \
	%D%/tui/ground.c \
	%D%/tui/ground.h \
	%D%/tui/grid.c \
	%D%/tui/grid.h \
	%D%/tui/key.c \
	%D%/tui/pane_layout.c \
	%D%/tui/list.c \
	%D%/tui/list.h \
	%D%/tui/list_draw.c \
	%D%/tui/list_group.c \
	%D%/tui/list_tree.c \
	%D%/tui/looks.c \
	%D%/tui/looks.h \
	%D%/tui/map_draw.c \
	%D%/tui/map_keys.c \
	%D%/tui/map_marks.c \
	%D%/tui/map_near.c \
	%D%/tui/map_rows.c \
	%D%/tui/map_search.c \
	%D%/tui/map_view.h \
	%D%/tui/measure.c \
	%D%/tui/nanite_picture.c \
	%D%/tui/nanite_view.h \
	%D%/tui/object.c \
	%D%/tui/paint.c \
	%D%/tui/paint.h \
	%D%/tui/palette.c \
	%D%/tui/palette.h \
	%D%/tui/prompt.c \
	%D%/tui/rowset.c \
	%D%/tui/rowset.h \
	%D%/tui/screen.c \
	%D%/tui/screen.h \
	%D%/tui/side_pane.c \
	%D%/tui/terminal.c \
	%D%/tui/terminal.h \
	%D%/tui/terminfo.c \
	%D%/tui/terminfo.h \
	%D%/tui/timeline_draw.c \
	%D%/tui/timeline_rows.c \
	%D%/tui/timeline_view.h \
	%D%/tui/title.c \
	%D%/tui/work.c \
	%D%/tui/work.h \
	%D%/tui/view.c \
	%D%/tui/view.h \
	%D%/tui/view_diff.c \
	%D%/tui/view_runs.c \
	%D%/tui/view_finding.c \
	%D%/tui/view_keys.c \
	%D%/tui/view_lists.c \
	%D%/tui/view_map.c \
	%D%/tui/view_nanite.c \
	%D%/tui/view_object.c \
	%D%/tui/view_pick.c \
	%D%/tui/view_queue.c \
	%D%/tui/view_resources.c \
	%D%/tui/view_tables.c \
	%D%/tui/view_timeline.c \
	%D%/tui/view_trail.c \
	%D%/tui/view_tutorial.c \
	%D%/tui/views.c \
	%D%/tui/views.h \
	%D%/front/completions.c \
	%D%/session/complete.c %D%/session/complete.h \
	%D%/front/history.c %D%/front/history.h \
	%D%/front/jsonl.c %D%/front/jsonl.h \
	%D%/front/manual.c %D%/front/manual.h \
	%D%/front/mcp.c %D%/front/mcp.h \
	%D%/front/memory.c %D%/front/memory.h \
	%D%/front/open.c %D%/front/open.h \
	%D%/front/command_line.c %D%/front/command_line.h \
	%D%/front/paths.c %D%/front/paths.h \
	%D%/front/repl.c %D%/front/repl.h
src_libfront_la_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_CONFIG_H -I$(top_builddir) \
	$(LIBS_REQUIRED_CFLAGS) $(READLINE_CFLAGS) $(CURSES_CFLAGS)
src_libfront_la_LIBADD = lib/libcellscope.la $(LIBS_REQUIRED_LIBS) $(READLINE_LIBS) $(CURSES_LIBS)

bin_PROGRAMS += cellscope
cellscope_SOURCES = %D%/front/main.c
cellscope_LDADD = %D%/libfront.la

# make static: one file, without the importer, for any x86-64 Linux: copied over SSH it runs.
EXTRA_PROGRAMS += cellscope-static
cellscope_static_SOURCES = %D%/front/main.c %D%/front/no_metis.c
cellscope_static_LINK = $(CC) $(CFLAGS) $(OPENMP_CFLAGS) $(CS_LDFLAGS) $(LDFLAGS) -static -s -o $@
cellscope_static_LDADD = %D%/.libs/libfront.a lib/.libs/libcellscope.a $(STATIC_LIBS) -lm
cellscope_static_DEPENDENCIES = %D%/libfront.la lib/libcellscope.la
CLEANFILES += cellscope-static
.PHONY: static
static: cellscope-static$(EXEEXT)

# What shells complete, from the table of commands.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_bashcompletion_DATA = %D%/completion/cellscope
nodist_zshcompletion_DATA = %D%/completion/_cellscope
nodist_fishcompletion_DATA = %D%/completion/cellscope.fish
completions = $(nodist_bashcompletion_DATA) $(nodist_zshcompletion_DATA) $(nodist_fishcompletion_DATA)
CLEANFILES += $(completions)
$(completions): cellscope$(EXEEXT)
	@$(MKDIR_P) %D%/completion
	$(AM_V_GEN)case $@ in *.fish) shell=fish ;; */_*) shell=zsh ;; *) shell=bash ;; esac; \
		./cellscope$(EXEEXT) --dump-completion=$$shell >$@
