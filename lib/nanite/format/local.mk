# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/bits.h \
	%D%/contents.h %D%/format.h \
	%D%/dense.h \
	%D%/keys.h \
	%D%/packed_cluster.def \
	%D%/resource.c %D%/resource.h \
	%D%/format_rules.c %D%/format_rules.h \
	%D%/rules.def
