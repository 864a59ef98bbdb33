# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/fit.h lib/cellscope/hitch.h lib/cellscope/map.h lib/cellscope/query.h
lib_libcellscope_la_SOURCES += \
	%D%/actors.c \
	%D%/cells.c \
	%D%/cooked.c \
	%D%/export.c \
	%D%/expression.c \
	%D%/find.c \
	%D%/fit.c \
	%D%/functions.c \
	%D%/hitch.c \
	%D%/index.c %D%/index.h \
	%D%/map.c \
	%D%/map_index.c \
	%D%/map_index.h \
	%D%/overlay.c %D%/overlay.h \
	%D%/nanite.c %D%/nanite.h \
	%D%/nanite_clusters.c \
	%D%/nanite_pages.c \
	%D%/nanite_paging.c \
	%D%/partitions.c \
	%D%/query.c %D%/query.h \
	%D%/readers.c %D%/readers.h \
	%D%/select.c \
	%D%/streaming.c \
	%D%/text_functions.c \
	%D%/timeline.c \
	%D%/value.c \
	%D%/vtab.c \
	%D%/world_meshes.c
