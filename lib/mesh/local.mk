# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/mesh.h
lib_libcellscope_la_SOURCES += \
	%D%/clean.c \
	%D%/export.c \
	%D%/generate.c \
	%D%/import.c \
	%D%/mesh.c %D%/mesh.h \
	%D%/normals.c \
	%D%/ply_strips.c
