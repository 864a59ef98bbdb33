# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/placement/cell_sets.c \
	%D%/placement/cells.c \
	%D%/phases/clusters.c \
	%D%/cook.c %D%/phases/cook_internal.h \
	%D%/placement/bridges.c \
	%D%/record/trail_inside.h \
	%D%/record/diff.c %D%/record/diff_internal.h \
	%D%/record/diff_actors.c \
	%D%/record/diff_cells.c \
	%D%/record/diff_clusters.c \
	%D%/record/diff_match.c \
	%D%/phases/reference_edges.c \
	%D%/record/file_texts.c %D%/record/file_texts.h \
	%D%/record/explain.c \
	%D%/record/unplaced.c \
	%D%/record/explain_rule.c \
	%D%/placement/grids.h \
	%D%/hlod_actors.c \
	%D%/placement/hlod_ranges.c \
	%D%/phases/grid_rules.h \
	%D%/phases/instances.c \
	%D%/phases/layers.c \
	%D%/placement/lhgrid.c \
	%D%/phases/lists.c %D%/phases/lists.h \
	%D%/record/mesh_table.c \
	%D%/phases/names.c %D%/phases/names.h \
	%D%/phases/partitions.c \
	%D%/phases/phases.h \
	%D%/placement/place.c \
	%D%/phases/profile.c \
	%D%/record/cook_report.c \
	%D%/placement/sets.c %D%/placement/set_extents.c \
	%D%/placement/spatial_grid.c \
	%D%/subs.c %D%/subs.h \
	%D%/record/tables.c %D%/record/tables.h \
	%D%/record/tables_actors.c \
	%D%/record/tables_hlods.c \
	%D%/phases/text_map.c %D%/phases/text_map.h \
	%D%/phases/validate.c \
	%D%/phases/actor_views.c
