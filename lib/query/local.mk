# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/chart.h lib/cellscope/fit.h lib/cellscope/hitch.h lib/cellscope/map.h lib/cellscope/query.h
lib_libcellscope_la_SOURCES += \
	%D%/table_actors.c \
	%D%/cell_history.c \
	%D%/chart.c \
	%D%/table_cells.c \
	%D%/table_cooked.c \
	%D%/row_export.c \
	%D%/expression.c \
	%D%/find.c \
	%D%/fit.c \
	%D%/functions.c \
	%D%/hitch.c \
	%D%/index.c %D%/index.h \
	%D%/map.c \
	%D%/map_console.c \
	%D%/map_index.c \
	%D%/map_inside.c \
	%D%/map_index.h \
	%D%/map_summed.c %D%/map_summed.h \
	%D%/overlay.c %D%/overlay.h \
	%D%/table_nanite.c %D%/table_nanite.h \
	%D%/table_nanite_clusters.c \
	%D%/table_nanite_pages.c \
	%D%/table_nanite_paging.c \
	%D%/table_partitions.c \
	%D%/query.c %D%/query_internal.h \
	%D%/readers.c %D%/readers.h \
	%D%/select.c \
	%D%/table_streaming.c \
	%D%/text_functions.c \
	%D%/table_timeline.c \
	%D%/value.c \
	%D%/vtab.c \
	%D%/table_world_meshes.c
