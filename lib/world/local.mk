# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/world.h
lib_libcellscope_la_SOURCES += \
	%D%/containers.c \
	%D%/fields.c %D%/fields.h \
	%D%/generate.c %D%/generate.h \
	%D%/generate_city.c \
	%D%/generate_hard.c \
	%D%/generate_open.c \
	%D%/json_read.c \
	%D%/json_write.c \
	%D%/override.c \
	%D%/undo.c \
	%D%/world.c %D%/world.h
