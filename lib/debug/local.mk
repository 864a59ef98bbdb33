# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/debug.h
lib_libcellscope_la_SOURCES += \
	%D%/debug.h \
	%D%/run.c \
	%D%/stops.c
