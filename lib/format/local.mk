# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/cnanite.c \
	%D%/columns.c %D%/columns.h \
	%D%/check_numbers.h %D%/checks.def \
	%D%/cooked.c %D%/cooked_inside.h \
	%D%/cooked_sums.c \
	%D%/cworld.c \
	%D%/cworld_verify.c \
	%D%/fields.h \
	%D%/gzip.c %D%/gzip.h \
	%D%/layout.c %D%/layout.h \
	%D%/field_path.c \
	%D%/findings.c \
	%D%/planes.c %D%/planes.h \
	%D%/reader.c %D%/reader.h \
	%D%/record.c %D%/record.h \
	%D%/owner.c %D%/owner.h \
	%D%/pass.c \
	%D%/save.c %D%/save.h \
	%D%/schema.c \
	%D%/sections.c \
	%D%/text_pieces.c \
	%D%/twin_rows.c \
	%D%/byte_source.c %D%/byte_source.h \
	%D%/unpack.c %D%/unpack.h \
	%D%/verify.c %D%/verify.h \
	%D%/file_inside.h \
	%D%/file_writer.c %D%/file_writer.h
