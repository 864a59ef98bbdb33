# SPDX-License-Identifier: Apache-2.0
# All files except main.c form a library, which the unit tests link, too.
noinst_LTLIBRARIES = %D%/libfront.la
src_libfront_la_SOURCES = \
	%D%/output/child.c \
	%D%/output/emit.c %D%/output/emit.h \
	%D%/output/lines.c %D%/output/lines.h \
	%D%/output/machine.c \
	%D%/output/output.c %D%/output/output.h \
	%D%/output/pattern.c %D%/output/pattern.h \
	%D%/output/plain_rows.c %D%/output/plain_rows.h \
	%D%/output/sink.c %D%/output/sink.h \
	%D%/output/tally.c %D%/output/tally.h \
	%D%/language/argument_values.c %D%/language/argument_values.h \
	%D%/language/arguments.h \
	%D%/language/command.c %D%/language/command.h \
	%D%/language/definitions.c %D%/language/definitions.h \
	%D%/language/lexer.c %D%/language/lexer.h \
	%D%/language/parse.c %D%/language/parse.h \
	%D%/language/topics.c %D%/language/topics.h \
	%D%/session/input/try_line.c %D%/session/input/try_line.h \
	%D%/session/input/ambiguous.c %D%/session/input/ambiguous.h \
	%D%/session/input/arguments.c \
	%D%/session/script/bless.c %D%/session/script/bless.h \
	%D%/session/script/expected_block.c %D%/session/script/expected_block.h \
	%D%/session/script/checks.c %D%/session/script/checks.h \
	%D%/session/script/collect.c %D%/session/script/collect.h \
	%D%/session/dispatch.c \
	%D%/session/input/expand.c %D%/session/input/expand.h \
	%D%/session/help.c %D%/session/help.h \
	%D%/session/script/junit.c %D%/session/script/junit.h \
	%D%/session/outputs.c %D%/session/outputs.h \
	%D%/session/piped.c %D%/session/piped.h \
	%D%/session/plain.c %D%/session/plain.h \
	%D%/session/session_pages.c \
	%D%/session/session_pager.c %D%/session/session_pager.h \
	%D%/session/progress.c %D%/session/progress.h \
	%D%/session/line_record.c %D%/session/line_record.h \
	%D%/session/listed.c %D%/session/listed.h \
	%D%/session/line_run.c \
	%D%/session/script/script.c %D%/session/script/script.h \
	%D%/session/session.c %D%/session/session.h \
	%D%/session/session_bounds.h %D%/session/channels.h %D%/session/console_view.h \
	%D%/session/display.h %D%/session/script/expected.h %D%/session/open_files.h %D%/session/script/line_block.h \
	%D%/session/places.h %D%/session/run_state.h %D%/session/input/words.h \
	%D%/session/settings.c %D%/session/settings.h \
	%D%/session/signals.c %D%/session/signals.h \
	%D%/session/input/subject.c %D%/session/input/subject.h \
	%D%/session/environment.c %D%/session/environment.h \
	%D%/tui/terminal/screen_export.c \
	%D%/tui/terminal/screen_export.h \
	%D%/tui/terminal/glyphs.c \
	%D%/tui/terminal/glyphs.h \
	%D%/tui/terminal/ground.c \
	%D%/tui/terminal/ground.h \
	%D%/tui/terminal/grid.c \
	%D%/tui/terminal/grid.h \
	%D%/tui/key.c \
	%D%/tui/pane_layout.c \
	%D%/tui/list/list.c \
	%D%/tui/list/list.h \
	%D%/tui/list/list_draw.c \
	%D%/tui/list/list_group.c \
	%D%/tui/list/list_settings.c \
	%D%/tui/list/list_tree.c \
	%D%/tui/terminal/looks.c \
	%D%/tui/terminal/looks.h \
	%D%/tui/views/map_draw.c \
	%D%/tui/views/map_keys.c \
	%D%/tui/views/map_marks.c \
	%D%/tui/views/map_near.c \
	%D%/tui/views/map_rows.c \
	%D%/tui/views/map_search.c \
	%D%/tui/views/map_view.h \
	%D%/tui/terminal/measure.c \
	%D%/tui/views/nanite_picture.c \
	%D%/tui/views/nanite_view.h \
	%D%/tui/list/object.c \
	%D%/tui/terminal/paint.c \
	%D%/tui/terminal/paint.h \
	%D%/tui/terminal/palette.c \
	%D%/tui/terminal/palette.h \
	%D%/tui/prompt.c \
	%D%/tui/list/rowset.c \
	%D%/tui/list/rowset.h \
	%D%/tui/screen.c \
	%D%/tui/screen.h \
	%D%/tui/side_pane.c \
	%D%/tui/terminal/terminal.c \
	%D%/tui/terminal/terminal.h \
	%D%/tui/terminal/terminfo.c \
	%D%/tui/terminal/terminfo.h \
	%D%/tui/views/timeline_draw.c \
	%D%/tui/views/timeline_rows.c \
	%D%/tui/views/timeline_view.h \
	%D%/tui/title.c \
	%D%/tui/terminal/work.c \
	%D%/tui/terminal/work.h \
	%D%/tui/view.c \
	%D%/tui/view.h \
	%D%/tui/views/view_diff.c \
	%D%/tui/views/view_runs.c \
	%D%/tui/views/view_finding.c \
	%D%/tui/views/view_keys.c \
	%D%/tui/views/view_lists.c \
	%D%/tui/views/view_map.c \
	%D%/tui/views/view_nanite.c \
	%D%/tui/views/view_object.c \
	%D%/tui/views/view_pick.c \
	%D%/tui/views/view_queue.c \
	%D%/tui/views/view_resources.c \
	%D%/tui/views/view_tables.c \
	%D%/tui/views/view_timeline.c \
	%D%/tui/views/view_trail.c \
	%D%/tui/views/view_tutorial.c \
	%D%/tui/views/views.c \
	%D%/tui/views/views.h \
	%D%/front/completions.c \
	%D%/session/input/complete.c %D%/session/input/complete.h \
	%D%/front/history.c \
	%D%/front/jsonl.c %D%/front/jsonl.h \
	%D%/front/manual.c \
	%D%/front/mcp.c \
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

# make static builds one file without the mesh importer. It runs on any x86-64 Linux, for example
# after copying it over SSH.
EXTRA_PROGRAMS += cellscope-static
cellscope_static_SOURCES = %D%/front/main.c %D%/front/no_metis.c
cellscope_static_LINK = $(CC) $(CFLAGS) $(OPENMP_CFLAGS) $(CS_LDFLAGS) $(LDFLAGS) -static -s -o $@
cellscope_static_LDADD = %D%/.libs/libfront.a lib/.libs/libcellscope.a $(STATIC_LIBS) -lm
cellscope_static_DEPENDENCIES = %D%/libfront.la lib/libcellscope.la
CLEANFILES += cellscope-static
.PHONY: static
static: cellscope-static$(EXEEXT)

# Completion scripts for shells, generated from the table of commands.
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
