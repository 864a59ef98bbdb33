# SPDX-License-Identifier: Apache-2.0
src_libfront_la_SOURCES += \
	%D%/actors.c \
	%D%/blocks.c \
	%D%/cameras.c \
	%D%/cells.c \
	%D%/changes.c %D%/changes.h \
	%D%/check.c \
	%D%/clusters.c \
	%D%/commands.h \
	%D%/compare.c \
	%D%/console.c \
	%D%/cook.c \
	%D%/depend.c \
	%D%/diff.c %D%/differences.h \
	%D%/diff_engine.c \
	%D%/diff_review.c \
	%D%/diff_run.c \
	%D%/draw.c %D%/draw.h \
	%D%/explain_cell.c \
	%D%/explain_layer.c \
	%D%/explain_page.c \
	%D%/farm.c \
	%D%/files.c \
	%D%/help.c \
	%D%/fit.c \
	%D%/hitches.c \
	%D%/instances.c \
	%D%/legend.c \
	%D%/mesh.c \
	%D%/map.c %D%/map.h \
	%D%/move.c \
	%D%/paging.c \
	%D%/paths.c \
	%D%/nanite.c %D%/nanite.h \
	%D%/nanite_cut.c \
	%D%/pages.c \
	%D%/place.c \
	%D%/plain.c %D%/plain.h \
	%D%/plot.c \
	%D%/query.c \
	%D%/recook.c \
	%D%/report.c \
	%D%/rules.c %D%/rules.h \
	%D%/run.c \
	%D%/screen.c \
	%D%/script.c \
	%D%/servers.c \
	%D%/session.c \
	%D%/settings.c \
	%D%/shape.c \
	%D%/sources.c \
	%D%/stops.c \
	%D%/stream.c \
	%D%/sweep.c \
	%D%/table.c \
	%D%/trail.h \
	%D%/trails.c \
	%D%/tutorial.c \
	%D%/ue.c \
	%D%/valley.c \
	%D%/valley.h \
	%D%/verify.c %D%/verify.h \
	%D%/verify_engine.c \
	%D%/what.c \
	%D%/whatif.c \
	%D%/why.c \
	%D%/world.c

# The world of the lessons is part of the program.
# Before any object, for BUILT_SOURCES would serve all and check alone, and not demo; what was
# compiled with it is known from then on.
$(src_libfront_la_OBJECTS): | %D%/valley.inc
CLEANFILES += %D%/valley.inc
%D%/valley.inc: $(srcdir)/fixtures/valley.json
	$(AM_V_GEN)mkdir -p %D% && od -An -v -tx1 $(srcdir)/fixtures/valley.json | \
		sed 's/\([0-9a-f][0-9a-f]\)/0x\1,/g' >$@.part && mv $@.part $@
