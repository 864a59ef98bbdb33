# SPDX-License-Identifier: Apache-2.0
include lib/ue/package/local.mk
include lib/ue/project/local.mk
include lib/ue/log/local.mk
lib_libcellscope_la_SOURCES += \
	%D%/map/check_cooked.c %D%/map/check_cooked.h \
	%D%/map/check_cells.c \
	%D%/map/check_place.c \
	%D%/container/check_chunks.c \
	%D%/container/compression.c %D%/container/compression.h \
	%D%/container/container.c %D%/container/container.h \
	%D%/container/hash.c %D%/container/hash.h \
	%D%/object/cooked_inspect.c \
	%D%/object/legacy.c \
	%D%/map/umap.c %D%/map/umap.h \
	%D%/map/umap_cells.c \
	%D%/map/umap_names.c \
	%D%/map/recipes.c %D%/map/recipes.h \
	%D%/map/cooked_open.c \
	%D%/map/cooked_world.c \
	%D%/nanite/meshes.c \
	%D%/nanite/cooked_nanite.h \
	%D%/nanite/nanite_decode.c \
	%D%/nanite/nanite_layout.c \
	%D%/nanite/nanite_link.c \
	%D%/nanite/nanite_page.c \
	%D%/nanite/nanite_resource.c \
	%D%/container/name_batch.c %D%/container/name_batch.h \
	%D%/object/cooked_package.c %D%/object/cooked_package.h \
	%D%/container/oodle.c \
	%D%/container/pak.c \
	%D%/container/file_list.c %D%/container/file_list.h \
	%D%/container/file_list_find.c \
	%D%/container/scripts.c %D%/container/scripts.h \
	%D%/schema/class_schema.c %D%/schema/class_schema.h \
	%D%/schema/schema_actors.c \
	%D%/schema/schema_components.c \
	%D%/schema/schema_world.c \
	%D%/object/decode_object.c \
	%D%/object/read_values.h \
	%D%/object/tags.c \
	%D%/object/tails.c \
	%D%/object/usmap.c \
	%D%/object/values.c %D%/object/values.h \
	%D%/container/utoc.c \
	%D%/object/zen.c
