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
	%D%/verify.c %D%/verify.h \
	%D%/verify_engine.c \
	%D%/what.c \
	%D%/whatif.c \
	%D%/why.c \
	%D%/world.c
