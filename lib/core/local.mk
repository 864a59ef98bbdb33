# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/alike.c %D%/alike.h \
	%D%/arena.c %D%/arena.h \
	%D%/base.c %D%/box.h %D%/expect.h \
	%D%/cage.c %D%/cage.h \
	%D%/codec.c %D%/codec.h \
	%D%/cursor.c %D%/cursor.h \
	%D%/error.c %D%/error_codes.def %D%/error_inside.h \
	%D%/geometry.c %D%/geometry.h \
	%D%/guid.c %D%/guid.h \
	%D%/half.c %D%/half.h \
	%D%/identity.c %D%/identity.h \
	%D%/items.h \
	%D%/invariant.c %D%/invariant.h \
	%D%/json.c %D%/json.h \
	%D%/job.c %D%/job.h \
	%D%/options.c %D%/options.h \
	%D%/parallel.c %D%/parallel.h \
	%D%/random.h \
	%D%/scratch.c %D%/scratch.h \
	%D%/search.h \
	%D%/slots.c %D%/slots.h \
	%D%/import_program.c %D%/import_program.h \
	%D%/box.h %D%/expect.h %D%/inline_sort.h %D%/sort.c %D%/sort.h \
	%D%/strings.c %D%/strings.h \
	%D%/text.c %D%/text.h \
	%D%/utf8.h \
	%D%/vec.h \
	%D%/writer.c %D%/writer.h
