# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/check_page.c \
	%D%/decode.c %D%/decode.h \
	%D%/decode_cluster.c \
	%D%/decode_dense.c \
	%D%/decode_page.c \
	%D%/decode_strip.c \
	%D%/link.c \
	%D%/rebuild.c
