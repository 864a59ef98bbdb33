# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/report.h
lib_libcellscope_la_SOURCES += \
	%D%/page.c %D%/page.h \
	%D%/picture.c \
	%D%/report.c
