# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/answer.c %D%/answer.h \
	%D%/cook_answer.c \
	%D%/compare.c %D%/compare_internal.h \
	%D%/hlods.c \
	%D%/match.c \
	%D%/persistent.c \
	%D%/reasons.c \
	%D%/worse.c
