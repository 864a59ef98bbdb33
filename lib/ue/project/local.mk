# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/actor_file.c %D%/actor_file.h \
	%D%/actors.c \
	%D%/blueprint.c \
	%D%/bounds.c \
	%D%/build.c %D%/build.h \
	%D%/classes.c \
	%D%/files.c %D%/files.h \
	%D%/hlod_layers.c \
	%D%/inspect.c \
	%D%/layers.c \
	%D%/maps.c %D%/maps.h \
	%D%/open.c \
	%D%/project.c %D%/project.h \
	%D%/settings.c
