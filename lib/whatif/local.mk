# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/whatif.h
lib_libcellscope_la_SOURCES += \
	%D%/comparison.c \
	%D%/count.c \
	%D%/runs.c \
	%D%/suggest.c %D%/suggest.h \
	%D%/suggest_actors.c \
	%D%/suggest_clusters.c \
	%D%/suggest_settings.c \
	%D%/sweep.c \
	%D%/whatif.c %D%/whatif_internal.h
