# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/paging.h
lib_libcellscope_la_SOURCES += \
	%D%/camera.c \
	%D%/pager.c \
	%D%/paging.h \
	%D%/pool.c \
	%D%/rule.c \
	%D%/state.c \
	%D%/view.c \
	%D%/why.c
