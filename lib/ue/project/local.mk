# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/actor_file.c %D%/actor_file.h \
	%D%/project_actors.c \
	%D%/blueprint.c \
	%D%/actor_bounds.c \
	%D%/project_build.c %D%/project_build.h \
	%D%/classes.c \
	%D%/files.c %D%/files.h \
	%D%/hlod_layers.c \
	%D%/project_inspect.c \
	%D%/project_layers.c \
	%D%/maps.c \
	%D%/project_open.c \
	%D%/project.c %D%/project.h \
	%D%/project_settings.c %D%/settle_case.c %D%/settle_case.h \
	%D%/written.c
