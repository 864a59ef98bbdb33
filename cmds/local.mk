# SPDX-License-Identifier: Apache-2.0
src_libfront_la_SOURCES += \
	%D%/world/cmd_actors.c \
	%D%/session/cmd_blocks.c \
	%D%/nanite/cmd_cameras.c \
	%D%/world/cmd_cells.c \
	%D%/picture/cmd_changes.c %D%/picture/cmd_changes.h \
	%D%/cook/cmd_check.c \
	%D%/cook/cmd_checkbook.c %D%/cook/cmd_checkbook.h \
	%D%/cook/cmd_clusters.c \
	%D%/compare/cmd_compare.c \
	%D%/stream/cmd_console.c \
	%D%/cook/cmd_cooks.c %D%/cook/cmd_cooks.h \
	%D%/cook/cmd_cook.c \
	%D%/picture/cmd_cost.c \
	%D%/nanite/cmd_depend.c \
	%D%/compare/cmd_diff.c %D%/world/cmd_differences.h \
	%D%/compare/cmd_diff_engine.c \
	%D%/compare/cmd_diff_review.c \
	%D%/compare/cmd_diff_run.c \
	%D%/picture/cmd_draw.c %D%/picture/cmd_draw.h \
	%D%/cook/cmd_explain_cell.c \
	%D%/stream/cmd_explain_layer.c \
	%D%/nanite/cmd_explain_page.c \
	%D%/session/cmd_farm.c \
	%D%/world/cmd_files.c \
	%D%/session/cmd_help.c \
	%D%/session/cmd_init_ci.c \
	%D%/stream/cmd_hitches.c \
	%D%/world/cmd_instances.c \
	%D%/world/cmd_mesh.c \
	%D%/picture/cmd_map.c \
	%D%/world/cmd_move.c \
	%D%/nanite/cmd_paging.c \
	%D%/stream/cmd_paths.c \
	%D%/nanite/cmd_nanite.c %D%/nanite/cmd_nanite.h \
	%D%/nanite/cmd_nanite_build.c \
	%D%/nanite/cmd_nanite_cut.c \
	%D%/nanite/cmd_pages.c \
	%D%/world/cmd_place.c \
	%D%/picture/cmd_plot.c \
	%D%/world/cmd_query.c \
	%D%/compare/cmd_recook.c \
	%D%/stream/cmd_real.c \
	%D%/picture/cmd_report.c \
	%D%/cook/cmd_rules.c %D%/cook/cmd_rules.h \
	%D%/stream/cmd_run.c %D%/stream/cmd_run.h \
	%D%/picture/cmd_screen.c \
	%D%/session/cmd_script.c \
	%D%/stream/cmd_servers.c \
	%D%/stream/cmd_set.h \
	%D%/session/cmd_session.c \
	%D%/stream/cmd_settings.c \
	%D%/nanite/cmd_shape.c \
	%D%/stream/cmd_sources.c \
	%D%/stream/cmd_stops.c \
	%D%/stream/cmd_stream.c \
	%D%/compare/cmd_sweep.c \
	%D%/session/cmd_table.c \
	%D%/cook/cmd_trail.c %D%/cook/cmd_trail.h \
	%D%/cook/cmd_trails.c \
	%D%/session/cmd_tutorial.c \
	%D%/world/cmd_ue.c \
	%D%/cook/cmd_verify.c \
	%D%/world/cmd_what.c \
	%D%/compare/cmd_whatif.c \
	%D%/cook/cmd_why.c \
	%D%/world/cmd_world.c \
	%D%/session/cmd_worse.c

# Three generated files are compiled into the program: the world of the lessons, the table of
# commands and the pages of the checks. Each object waits for them, because BUILT_SOURCES would
# serve only `make all` and `make check`, not `make demo`. Which objects include them is known after
# the first build.
$(src_libfront_la_OBJECTS): | %D%/valley.inc %D%/checkbook.inc %D%/commands.inc
CLEANFILES += %D%/valley.inc %D%/checkbook.inc %D%/commands.inc %D%/commands.part
# The table of commands is copied only if it has changed, so that nothing else is compiled again.
EXTRA_DIST += %D%/commands.awk %D%/order.list
%D%/commands.inc: %D%/commands.part
	@cmp -s $? $@ || cp $? $@
%D%/commands.part: %D%/commands.awk %D%/order.list %D%/local.mk $(src_libfront_la_SOURCES)
	$(AM_V_GEN)mkdir -p %D% && awk -f $(srcdir)/%D%/commands.awk $(srcdir)/%D%/order.list \
		$(srcdir)/%D%/*/cmd_*.c >$@
%D%/valley.inc: $(srcdir)/fixtures/valley.json
	$(AM_V_GEN)mkdir -p %D% && od -An -v -tx1 $(srcdir)/fixtures/valley.json | \
		sed 's/\([0-9a-f][0-9a-f]\)/0x\1,/g' >$@.part && mv $@.part $@
# The pages of the checks, which explain findings.
EXTRA_DIST += %D%/checkbook.awk
%D%/checkbook.inc: $(check_pages) %D%/checkbook.awk fixtures/checks/README.md
	$(AM_V_GEN)mkdir -p %D% && awk -f $(srcdir)/%D%/checkbook.awk \
		$(srcdir)/fixtures/checks/README.md $(srcdir)/fixtures/checks/*.cmd >$@.part && \
		mv $@.part $@
