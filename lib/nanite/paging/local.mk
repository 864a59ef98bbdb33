# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/camera.c \
	%D%/camera_file.c \
	%D%/input_text.c \
	%D%/pager.c \
	%D%/pager_inside.h %D%/paging_internal.h \
	%D%/pool.c \
	%D%/rule.c \
	%D%/pager_state.c \
	%D%/paging_view.c \
	%D%/why_page.c
