# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/ue_cooked.h
lib_libcellscope_la_SOURCES += \
	%D%/check.c %D%/check.h \
	%D%/check_cells.c \
	%D%/codec.c %D%/codec.h \
	%D%/container.c %D%/container.h \
	%D%/hash.c %D%/hash.h \
	%D%/inspect.c \
	%D%/legacy.c \
	%D%/map.c %D%/map.h \
	%D%/map_actors.c \
	%D%/map_cells.c \
	%D%/map_names.c \
	%D%/recipes.c %D%/recipes.h \
	%D%/open.c \
	%D%/world.c \
	%D%/meshes.c \
	%D%/nanite.h \
	%D%/nanite_decode.c \
	%D%/nanite_link.c \
	%D%/nanite_page.c \
	%D%/nanite_resource.c \
	%D%/names.c %D%/names.h \
	%D%/package.c %D%/package.h \
	%D%/pak.c \
	%D%/place.c %D%/place.h \
	%D%/place_find.c \
	%D%/scripts.c %D%/scripts.h \
	%D%/schema.c %D%/schema.h \
	%D%/schema_actors.c \
	%D%/schema_components.c \
	%D%/schema_world.c \
	%D%/decode.c \
	%D%/read_values.h \
	%D%/tags.c \
	%D%/tails.c \
	%D%/usmap.c \
	%D%/values.c %D%/values.h \
	%D%/utoc.c \
	%D%/zen.c
