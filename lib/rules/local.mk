# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/rulebook.c %D%/words.c \
	%D%/rulebook.def
