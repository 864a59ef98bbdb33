# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/cook.h lib/cellscope/explain.h
lib_libcellscope_la_SOURCES += \
	%D%/cell_sets.c \
	%D%/cells.c \
	%D%/clusters.c \
	%D%/cook.c %D%/cook_internal.h \
	%D%/bridges.c \
	%D%/diff.c \
	%D%/diff_rows.c \
	%D%/reference_edges.c \
	%D%/file_texts.c %D%/file_texts.h \
	%D%/explain.c \
	%D%/unplaced.c \
	%D%/explain_rule.c \
	%D%/grids.h \
	%D%/hlod_actors.c \
	%D%/hlod_ranges.c \
	%D%/instances.c \
	%D%/layers.c \
	%D%/lhgrid.c \
	%D%/lists.c %D%/lists.h \
	%D%/mesh_table.c \
	%D%/names.c %D%/names.h \
	%D%/partitions.c \
	%D%/phases.h \
	%D%/place.c \
	%D%/profile.c \
	%D%/repeat.c \
	%D%/cook_report.c \
	%D%/sets.c \
	%D%/spatial_grid.c \
	%D%/subs.c %D%/subs.h \
	%D%/tables.c %D%/tables.h \
	%D%/tables_actors.c \
	%D%/tables_hlods.c \
	%D%/text_map.c %D%/text_map.h \
	%D%/validate.c \
	%D%/actor_views.c
