# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/dag.h lib/cellscope/nanite.h
lib_libcellscope_la_SOURCES += \
	%D%/assign.c \
	%D%/attributes.c %D%/attributes.h \
	%D%/bits.h \
	%D%/bounds.c %D%/bounds.h \
	%D%/build.c %D%/build.h \
	%D%/check.c %D%/check.h \
	%D%/check_errors.c \
	%D%/check_seams.c \
	%D%/coarse.c %D%/coarse.h \
	%D%/cut.c \
	%D%/dag.c %D%/dag.h \
	%D%/decode.c %D%/decode.h \
	%D%/decode_cluster.c \
	%D%/decode_page.c \
	%D%/dump.c \
	%D%/encode.c %D%/encode.h \
	%D%/encode_cluster.c \
	%D%/fixups.c \
	%D%/format.h \
	%D%/graph.c %D%/graph.h \
	%D%/hierarchy.c \
	%D%/imposter.c \
	%D%/keys.h \
	%D%/leaves.c \
	%D%/level.c \
	%D%/link.c \
	%D%/make.c \
	%D%/merge.c \
	%D%/packed_cluster.def \
	%D%/page.h \
	%D%/page_write.c \
	%D%/pages.c \
	%D%/partition.c %D%/partition.h \
	%D%/partition_metis.c \
	%D%/partition_native.c \
	%D%/patch.c %D%/patch.h \
	%D%/rebuild.c %D%/rebuild.h \
	%D%/reduce.c %D%/reduce.h \
	%D%/references.c \
	%D%/refine.c %D%/refine.h \
	%D%/residency.c %D%/residency.h \
	%D%/resource.c %D%/resource.h \
	%D%/rules.c %D%/rules.def %D%/rules.h \
	%D%/split.c %D%/split.h \
	%D%/store.c \
	%D%/strip.c %D%/strip.h \
	%D%/summary.c \
	%D%/tables.c \
	%D%/tree.c \
	%D%/verify.c %D%/verify.h \
	%D%/verify_dag.c \
	%D%/verify_hierarchy.c \
	%D%/verify_links.c \
	%D%/verify_page.c \
	%D%/verify_seams.c \
	%D%/verify_streaming.c \
	%D%/widen.c
