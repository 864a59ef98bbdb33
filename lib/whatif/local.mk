# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/comparison.c \
	%D%/count.c \
	%D%/runs.c \
	%D%/sweep.c \
	%D%/whatif.c %D%/whatif_internal.h
