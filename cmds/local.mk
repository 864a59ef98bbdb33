# SPDX-License-Identifier: Apache-2.0
src_libfront_la_SOURCES += \
	%D%/actors.c \
	%D%/cells.c \
	%D%/commands.h \
	%D%/cook.c \
	%D%/files.c \
	%D%/help.c \
	%D%/move.c \
	%D%/query.c \
	%D%/script.c \
	%D%/session.c \
	%D%/settings.c \
	%D%/table.c \
	%D%/world.c
