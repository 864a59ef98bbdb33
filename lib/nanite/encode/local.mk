# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/assign.c \
	%D%/attributes.c %D%/attributes.h \
	%D%/coarse.c %D%/coarse.h \
	%D%/code_spaces.c \
	%D%/encode.c %D%/encode.h \
	%D%/encode_cluster.c \
	%D%/fixups.c \
	%D%/hierarchy.c \
	%D%/imposter.c \
	%D%/page.h \
	%D%/page_write.c \
	%D%/pages.c \
	%D%/references.c \
	%D%/strip.c %D%/strip.h \
	%D%/widen.c
