# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/cache.c %D%/cache.h \
	%D%/companions.c \
	%D%/digests.c %D%/digests.h \
	%D%/execute.c %D%/execute.h \
	%D%/fingerprint.c \
	%D%/inputs.c \
	%D%/key.h \
	%D%/launch.c \
	%D%/journal.c %D%/journal.h \
	%D%/plan.c %D%/plan.h \
	%D%/plan_file.c \
	%D%/plan_run.c \
	%D%/remote.c \
	%D%/simulate.c \
	%D%/plan_summary.c \
	%D%/survey.c \
	%D%/folder_walk.c %D%/folder_walk.h
