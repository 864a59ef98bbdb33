# SPDX-License-Identifier: Apache-2.0
src_libfront_la_SOURCES += \
	%D%/cmd_actors.c \
	%D%/cmd_blocks.c \
	%D%/cmd_cameras.c \
	%D%/cmd_cells.c \
	%D%/cmd_changes.c %D%/cmd_changes.h \
	%D%/cmd_check.c \
	%D%/cmd_checkbook.c %D%/cmd_checkbook.h \
	%D%/cmd_clusters.c \
	%D%/cmd_compare.c \
	%D%/cmd_console.c \
	%D%/cmd_cooks.c %D%/cmd_cooks.h \
	%D%/cmd_cook.c \
	%D%/cmd_depend.c \
	%D%/cmd_diff.c %D%/cmd_differences.h \
	%D%/cmd_diff_engine.c \
	%D%/cmd_diff_review.c \
	%D%/cmd_diff_run.c \
	%D%/cmd_draw.c %D%/cmd_draw.h \
	%D%/cmd_explain_cell.c \
	%D%/cmd_explain_layer.c \
	%D%/cmd_explain_page.c \
	%D%/cmd_farm.c \
	%D%/cmd_files.c \
	%D%/cmd_help.c \
	%D%/cmd_fit.c \
	%D%/cmd_init_ci.c \
	%D%/cmd_hitches.c \
	%D%/cmd_instances.c \
	%D%/cmd_legend.c \
	%D%/cmd_mesh.c \
	%D%/cmd_map.c %D%/cmd_map.h \
	%D%/cmd_move.c \
	%D%/cmd_paging.c \
	%D%/cmd_paths.c \
	%D%/cmd_nanite.c %D%/cmd_nanite.h \
	%D%/cmd_nanite_cut.c \
	%D%/cmd_pages.c \
	%D%/cmd_place.c \
	%D%/cmd_plain.c %D%/cmd_plain.h \
	%D%/cmd_plot.c \
	%D%/cmd_query.c \
	%D%/cmd_recook.c \
	%D%/cmd_report.c \
	%D%/cmd_rules.c %D%/cmd_rules.h \
	%D%/cmd_run.c \
	%D%/cmd_screen.c \
	%D%/cmd_script.c \
	%D%/cmd_servers.c \
	%D%/cmd_set.h \
	%D%/cmd_session.c \
	%D%/cmd_settings.c \
	%D%/cmd_shape.c \
	%D%/cmd_sources.c \
	%D%/cmd_stops.c \
	%D%/cmd_stream.c \
	%D%/cmd_sweep.c \
	%D%/cmd_table.c \
	%D%/cmd_trail.c %D%/cmd_trail.h \
	%D%/cmd_trails.c \
	%D%/cmd_tutorial.c \
	%D%/cmd_ue.c \
	%D%/cmd_valley.c \
	%D%/cmd_valley.h \
	%D%/cmd_verify.c \
	%D%/cmd_what.c \
	%D%/cmd_whatif.c \
	%D%/cmd_why.c \
	%D%/cmd_world.c \
	%D%/cmd_worse.c

# The world of the lessons is part of the program.
# Before any object, for BUILT_SOURCES would serve all and check alone, and not demo; what was
# compiled with it is known from then on.
$(src_libfront_la_OBJECTS): | %D%/valley.inc %D%/checkbook.inc %D%/commands.inc
CLEANFILES += %D%/valley.inc %D%/checkbook.inc %D%/commands.inc %D%/commands.part
# So is the table of commands, which changes when one comes or goes.
EXTRA_DIST += %D%/commands.awk %D%/order.list
%D%/commands.inc: %D%/commands.part
	@cmp -s $? $@ || cp $? $@
%D%/commands.part: %D%/commands.awk %D%/order.list %D%/local.mk $(src_libfront_la_SOURCES)
	$(AM_V_GEN)mkdir -p %D% && awk -f $(srcdir)/%D%/commands.awk $(srcdir)/%D%/order.list \
		$(srcdir)/%D%/cmd_*.c >$@
%D%/valley.inc: $(srcdir)/fixtures/valley.json
	$(AM_V_GEN)mkdir -p %D% && od -An -v -tx1 $(srcdir)/fixtures/valley.json | \
		sed 's/\([0-9a-f][0-9a-f]\)/0x\1,/g' >$@.part && mv $@.part $@
# So are the pages of the checks.
EXTRA_DIST += %D%/checkbook.awk
%D%/checkbook.inc: $(check_pages) %D%/checkbook.awk fixtures/checks/README.md
	$(AM_V_GEN)mkdir -p %D% && awk -f $(srcdir)/%D%/checkbook.awk \
		$(srcdir)/fixtures/checks/README.md $(srcdir)/fixtures/checks/*.cmd >$@.part && \
		mv $@.part $@
