# SPDX-License-Identifier: Apache-2.0
dist_man_MANS += %D%/cellscope-farm.7

# Pages with tables that the program itself prints.
generated_pages = \
	%D%/libcellscope.3 \
	%D%/cellscope.1 \
	%D%/cellscope-format.5 \
	%D%/cellscope-commands.7 \
	%D%/cellscope-options.7 \
	%D%/cellscope-rules.7
nodist_man_MANS = $(generated_pages)
CLEANFILES += $(generated_pages)
EXTRA_DIST += $(generated_pages:=.in) %D%/generate

SUFFIXES = .in
$(generated_pages): cellscope$(EXEEXT) %D%/generate
	@$(MKDIR_P) %D%
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/generate ./cellscope$(EXEEXT) $(srcdir)/$@.in >$@.tmp
	@mv $@.tmp $@
%D%/cellscope.1: %D%/cellscope.1.in
%D%/cellscope-format.5: %D%/cellscope-format.5.in lib/nanite/format/packed_cluster.def
%D%/cellscope-commands.7: %D%/cellscope-commands.7.in
%D%/cellscope-options.7: %D%/cellscope-options.7.in
%D%/cellscope-rules.7: %D%/cellscope-rules.7.in
%D%/libcellscope.3: %D%/libcellscope.3.in examples/cook_and_step.c examples/ask_sql.c \
	examples/list_pages.c examples/write_mesh.c examples/tell.h
