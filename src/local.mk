# SPDX-License-Identifier: Apache-2.0
# All but main is a library of its own, which the unit tests link too.
noinst_LTLIBRARIES = %D%/libfront.la
src_libfront_la_SOURCES = \
	%D%/arguments.c %D%/arguments.h \
	%D%/bash.c \
	%D%/bless.c %D%/bless.h \
	%D%/block.c %D%/block.h \
	%D%/checks.c %D%/checks.h \
	%D%/child.c \
	%D%/command.c %D%/command.h \
	%D%/complete.c %D%/complete.h \
	%D%/definitions.c %D%/definitions.h \
	%D%/dispatch.c \
	%D%/emit.c %D%/emit.h \
	%D%/help.c %D%/help.h \
	%D%/history.c %D%/history.h \
	%D%/jsonl.c %D%/jsonl.h \
	%D%/lexer.c %D%/lexer.h \
	%D%/lines.c %D%/lines.h \
	%D%/machine.c \
	%D%/manual.c %D%/manual.h \
	%D%/open.c %D%/open.h \
	%D%/options.c %D%/options.h \
	%D%/output.c %D%/output.h \
	%D%/outputs.c %D%/outputs.h \
	%D%/pager.c %D%/pager.h \
	%D%/parse.c %D%/parse.h \
	%D%/paths.c %D%/paths.h \
	%D%/progress.c %D%/progress.h \
	%D%/record.c %D%/record.h \
	%D%/repl.c %D%/repl.h \
	%D%/run.c \
	%D%/script.c %D%/script.h \
	%D%/session.c %D%/session.h \
	%D%/settings.c %D%/settings.h \
	%D%/signals.c %D%/signals.h \
	%D%/sink.c %D%/sink.h \
	%D%/tally.c %D%/tally.h \
	%D%/terminal.c %D%/terminal.h \
	%D%/topics.c %D%/topics.h
src_libfront_la_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_CONFIG_H -I$(top_builddir) \
	$(LIBS_REQUIRED_CFLAGS) $(READLINE_CFLAGS)
src_libfront_la_LIBADD = lib/libcellscope.la $(LIBS_REQUIRED_LIBS) $(READLINE_LIBS)

bin_PROGRAMS += cellscope
cellscope_SOURCES = %D%/main.c
cellscope_LDADD = %D%/libfront.la

# What bash completes, from the table of commands.
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = %D%/completion/cellscope
CLEANFILES += $(nodist_bashcompletion_DATA)
%D%/completion/cellscope: cellscope$(EXEEXT)
	@$(MKDIR_P) %D%/completion
	$(AM_V_GEN)./cellscope$(EXEEXT) --dump-completion=bash >$@
