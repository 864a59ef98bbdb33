# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/assets.c %D%/assets_internal.h \
	%D%/baking.c \
	%D%/lookup.c \
	%D%/proxies.c
