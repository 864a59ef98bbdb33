# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/bounds.c %D%/bounds.h \
	%D%/build.c %D%/build.h \
	%D%/cut.c \
	%D%/dag_internal.h \
	%D%/dump.c \
	%D%/finer.c %D%/finer.h \
	%D%/flat.c \
	%D%/graph.c %D%/graph.h \
	%D%/rounding.c %D%/rounding.h \
	%D%/join.c \
	%D%/leaves.c \
	%D%/dag_level.c \
	%D%/merge.c \
	%D%/partition.c %D%/partition.h \
	%D%/partition_metis.c \
	%D%/partition_native.c \
	%D%/patch.c %D%/patch.h \
	%D%/reduce.c %D%/reduce.h \
	%D%/refine.c %D%/refine.h \
	%D%/split.c %D%/split.h \
	%D%/store.c
