# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/furnish.c \
	%D%/generate.c %D%/generate.h \
	%D%/generate_city.c \
	%D%/generate_hard.c \
	%D%/generate_mesh.c \
	%D%/generate_open.c \
	%D%/made.c %D%/made.h \
	%D%/made_actors.c \
	%D%/out.c %D%/out.h \
	%D%/put.c \
	%D%/write_actor.c \
	%D%/write_project.c
