# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/differences.c \
	%D%/html_page.c %D%/html_page.h \
	%D%/html_pages.c \
	%D%/picture.c \
	%D%/report.c %D%/report_run.c \
	%D%/tour.c
