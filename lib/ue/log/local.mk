# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/log.c %D%/log.h \
	%D%/log_check.c \
	%D%/log_fit.c \
	%D%/log_instances.c \
	%D%/log_line.c %D%/log_line.h \
	%D%/log_lines.c \
	%D%/log_listed.c \
	%D%/log_ordered.c \
	%D%/log_partitions.c \
	%D%/log_rows.c \
	%D%/log_world.c \
	%D%/log_written.c %D%/log_written.h
