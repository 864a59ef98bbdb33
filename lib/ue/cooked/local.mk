# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/ue_cooked.h
lib_libcellscope_la_SOURCES += \
	%D%/check_cooked.c %D%/check_cooked.h \
	%D%/check_cells.c \
	%D%/check_place.c \
	%D%/compression.c %D%/compression.h \
	%D%/container.c %D%/container.h \
	%D%/hash.c %D%/hash.h \
	%D%/cooked_inspect.c \
	%D%/legacy.c \
	%D%/umap.c %D%/umap.h \
	%D%/umap_actors.c \
	%D%/umap_cells.c \
	%D%/umap_names.c \
	%D%/recipes.c %D%/recipes.h \
	%D%/cooked_open.c \
	%D%/cooked_world.c \
	%D%/meshes.c \
	%D%/cooked_nanite.h \
	%D%/nanite_decode.c \
	%D%/nanite_link.c \
	%D%/nanite_page.c \
	%D%/nanite_resource.c \
	%D%/name_batch.c %D%/name_batch.h \
	%D%/cooked_package.c %D%/cooked_package.h \
	%D%/pak.c \
	%D%/file_list.c %D%/file_list.h \
	%D%/file_list_find.c \
	%D%/scripts.c %D%/scripts.h \
	%D%/class_schema.c %D%/class_schema.h \
	%D%/schema_actors.c \
	%D%/schema_components.c \
	%D%/schema_world.c \
	%D%/decode_object.c \
	%D%/read_values.h \
	%D%/tags.c \
	%D%/tails.c \
	%D%/usmap.c \
	%D%/values.c %D%/values.h \
	%D%/utoc.c \
	%D%/zen.c
