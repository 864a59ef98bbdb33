# SPDX-License-Identifier: Apache-2.0
src_libfront_la_SOURCES += \
	%D%/actors.c \
	%D%/cells.c \
	%D%/check.c \
	%D%/clusters.c \
	%D%/commands.h \
	%D%/console.c \
	%D%/cook.c \
	%D%/diff.c %D%/differences.h \
	%D%/files.c \
	%D%/help.c \
	%D%/map.c %D%/map.h \
	%D%/move.c \
	%D%/nanite.c \
	%D%/plain.c %D%/plain.h \
	%D%/query.c \
	%D%/recook.c \
	%D%/script.c \
	%D%/session.c \
	%D%/settings.c \
	%D%/sources.c \
	%D%/stream.c \
	%D%/table.c \
	%D%/ue.c \
	%D%/why.c \
	%D%/world.c
