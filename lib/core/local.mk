# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/memory/alike.c %D%/alike.h \
	%D%/memory/arena.c %D%/arena.h \
	%D%/base.c %D%/box.h %D%/expect.h \
	%D%/process/cage.c %D%/cage.h \
	%D%/bytes/codec.c %D%/codec.h \
	%D%/bytes/cursor.c %D%/cursor.h \
	%D%/error.c %D%/error_codes.def %D%/error_inside.h \
	%D%/geometry.c %D%/geometry.h \
	%D%/fully.h \
	%D%/bytes/guid.c %D%/guid.h \
	%D%/bytes/half.c %D%/half.h \
	%D%/bytes/identity.c %D%/identity.h \
	%D%/items.h \
	%D%/invariant.c %D%/invariant.h \
	%D%/text/json.c %D%/json.h \
	%D%/process/job.c %D%/job.h \
	%D%/text/options.c %D%/options.h \
	%D%/process/parallel.c %D%/parallel.h %D%/turns.h \
	%D%/random.h \
	%D%/large.c %D%/large.h \
	%D%/memory/reserve.c %D%/reserve.h \
	%D%/memory/scratch.c %D%/scratch.h \
	%D%/ranks.h %D%/search.h \
	%D%/memory/slots.c %D%/slots.h \
	%D%/process/import_program.c %D%/import_program.h \
	%D%/box.h %D%/expect.h %D%/inline_sort.h %D%/memory/sort.c %D%/sort.h \
	%D%/text/strings.c %D%/strings.h \
	%D%/text/text.c %D%/text.h \
	%D%/utf8.h \
	%D%/vec.h \
	%D%/bytes/writer.c %D%/writer.h
