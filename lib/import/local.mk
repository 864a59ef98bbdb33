# SPDX-License-Identifier: Apache-2.0
# The program that reads meshes by foreign code; libcellscope starts it.
pkglibexec_PROGRAMS = cellscope-import
cellscope_import_SOURCES = \
	%D%/dequantize.c %D%/dequantize.h \
	%D%/gate.c %D%/gate.h \
	%D%/gltf.c %D%/gltf.h \
	%D%/import_main.c \
	%D%/memory_limit.c %D%/memory_limit.h \
	%D%/import_parts.h \
	%D%/promise.c \
	%D%/scene.c \
	%D%/serve_blocks.c
cellscope_import_CPPFLAGS = $(AM_CPPFLAGS) $(ASSIMP_CFLAGS)
cellscope_import_CFLAGS = $(CS_CFLAGS)
cellscope_import_LDFLAGS = $(CS_LDFLAGS) -static
cellscope_import_LDADD = lib/libcellscope.la $(ASSIMP_LIBS)
