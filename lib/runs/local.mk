# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/follow.h \
	%D%/follow_spool.c \
	%D%/real.h \
	%D%/real_compare.c \
	%D%/real_fit.c \
	%D%/real_follow.c \
	%D%/real_jsonl.c \
	%D%/real_live.c \
	%D%/real_log.c \
	%D%/real_profile.c \
	%D%/real_reader.c \
	%D%/real_rows.c \
	%D%/real_run.c \
	%D%/real_tables.c \
	%D%/real_trace.c \
	%D%/real_tsv.c \
	%D%/real_walk.c %D%/real_walk.h \
	%D%/trace.h \
	%D%/trace_events.c \
	%D%/trace_fields.c %D%/trace_fields.h \
	%D%/trace_tell.c
