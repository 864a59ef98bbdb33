# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/changes.c \
	%D%/debug_inside.h %D%/debug_internal.h \
	%D%/run_to_stop.c \
	%D%/stops.c
