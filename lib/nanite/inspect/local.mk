# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/closure.c \
	%D%/resource_compare.c \
	%D%/resource_check.c \
	%D%/resource_cut.c \
	%D%/resource_mesh.c \
	%D%/model_inside.h \
	%D%/inspector.c \
	%D%/links.c \
	%D%/resource_model.c \
	%D%/resource_summary.c
