# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/change.c %D%/change.h \
	%D%/change_value.c \
	%D%/actor_rows.c \
	%D%/containers.c \
	%D%/world_fields.c %D%/world_fields.h \
	%D%/json_plain.c %D%/json_read.c %D%/json_reader.h \
	%D%/json_values.c \
	%D%/json_write.c \
	%D%/world.c %D%/world_internal.h
