# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/tables/table_actors.c \
	%D%/tables/cell_history.c \
	%D%/picture/chart.c \
	%D%/tables/table_cells.c \
	%D%/tables/table_cooked.c \
	%D%/sql/row_export.c \
	%D%/sql/row_pass.c \
	%D%/sql/expression.c \
	%D%/sql/find.c \
	%D%/picture/fit.c \
	%D%/sql/functions.c \
	%D%/picture/hitch.c \
	%D%/sql/index.c %D%/sql/index.h \
	%D%/picture/map.c \
	%D%/picture/map_console.c \
	%D%/picture/map_index.c \
	%D%/picture/map_inside.c \
	%D%/picture/map_index.h \
	%D%/picture/map_summed.c \
	%D%/picture/overlay.c %D%/picture/overlay.h \
	%D%/tables/table_nanite.c %D%/tables/table_nanite.h \
	%D%/tables/table_nanite_clusters.c \
	%D%/tables/table_nanite_pages.c \
	%D%/tables/table_nanite_paging.c \
	%D%/sql/table_partitions.c \
	%D%/sql/query.c %D%/sql/query_inside.h %D%/sql/query_internal.h \
	%D%/sql/readers.c %D%/sql/readers.h \
	%D%/sql/reads.c \
	%D%/sql/select.c \
	%D%/tables/table_streaming.c \
	%D%/sql/text_functions.c \
	%D%/tables/table_timeline.c \
	%D%/sql/value.c \
	%D%/sql/value_order.c %D%/sql/value_order.h \
	%D%/sql/vtab.c \
	%D%/tables/table_world_meshes.c
