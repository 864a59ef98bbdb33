# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/told_findings.c \
	%D%/verify_dag.c \
	%D%/verify_hierarchy.c \
	%D%/verify_links.c \
	%D%/verify_resource.c %D%/verify_resource.h \
	%D%/verify_seams.c \
	%D%/verify_streaming.c
