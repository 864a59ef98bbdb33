# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/cluster_colour.h \
	%D%/draw.c \
	%D%/picture_export.c \
	%D%/png.c
