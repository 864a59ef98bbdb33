# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/blake3.c %D%/blake3.h \
	%D%/cell_name.c %D%/cell_name.h \
	%D%/descriptor.c %D%/descriptor.h \
	%D%/field_types.c %D%/field_types.h \
	%D%/intact.c \
	%D%/package.c %D%/package.h \
	%D%/properties.c %D%/properties.h \
	%D%/registry.c %D%/registry.h \
	%D%/summary.c %D%/summary.h \
	%D%/tail.c \
	%D%/version.c %D%/version.h \
	%D%/wire.c %D%/wire.h
