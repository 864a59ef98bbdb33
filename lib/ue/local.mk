# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/ue.h
lib_libcellscope_la_SOURCES += \
	%D%/actor_file.c %D%/actor_file.h \
	%D%/actors.c \
	%D%/blueprint.c \
	%D%/bounds.c \
	%D%/build.c %D%/build.h \
	%D%/classes.c \
	%D%/descriptor.c %D%/descriptor.h \
	%D%/field_types.c %D%/field_types.h \
	%D%/files.c %D%/files.h \
	%D%/hlod_layers.c \
	%D%/inspect.c \
	%D%/layers.c \
	%D%/log.c %D%/log.h \
	%D%/log_instances.c \
	%D%/log_line.c %D%/log_line.h \
	%D%/log_lines.c %D%/log_lines.h \
	%D%/log_partitions.c \
	%D%/log_world.c \
	%D%/made.c %D%/made.h \
	%D%/made_actors.c \
	%D%/maps.c %D%/maps.h \
	%D%/open.c \
	%D%/out.c %D%/out.h \
	%D%/package.c %D%/package.h \
	%D%/project.c %D%/project.h \
	%D%/properties.c %D%/properties.h \
	%D%/put.c \
	%D%/registry.c %D%/registry.h \
	%D%/settings.c \
	%D%/summary.c %D%/summary.h \
	%D%/tail.c \
	%D%/version.c %D%/version.h \
	%D%/wire.c %D%/wire.h \
	%D%/write_actor.c \
	%D%/write_project.c
