# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/nanite.h
lib_libcellscope_la_SOURCES += \
	%D%/assign.c \
	%D%/attributes.c %D%/attributes.h \
	%D%/bits.h \
	%D%/dag.c %D%/dag.h \
	%D%/decode.c %D%/decode.h \
	%D%/decode_cluster.c \
	%D%/decode_page.c \
	%D%/encode.c %D%/encode.h \
	%D%/encode_cluster.c \
	%D%/fixups.c \
	%D%/format.h \
	%D%/hierarchy.c \
	%D%/imposter.c \
	%D%/keys.h \
	%D%/link.c \
	%D%/packed_cluster.def \
	%D%/page.h \
	%D%/page_write.c \
	%D%/pages.c \
	%D%/rebuild.c %D%/rebuild.h \
	%D%/references.c \
	%D%/residency.c %D%/residency.h \
	%D%/resource.c %D%/resource.h \
	%D%/rules.c %D%/rules.def %D%/rules.h \
	%D%/strip.c %D%/strip.h \
	%D%/tables.c \
	%D%/tree.c \
	%D%/verify.c %D%/verify.h \
	%D%/verify_dag.c \
	%D%/verify_hierarchy.c \
	%D%/verify_links.c \
	%D%/verify_page.c \
	%D%/verify_seams.c \
	%D%/verify_streaming.c
