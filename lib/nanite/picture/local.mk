# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/picture.h
lib_libcellscope_la_SOURCES += \
	%D%/draw.c \
	%D%/picture_export.c \
	%D%/png.c
