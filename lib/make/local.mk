# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/furnish.c \
	%D%/generate.c %D%/generate.h \
	%D%/generate_city.c \
	%D%/generate_mesh.c \
	%D%/generate_open.c
