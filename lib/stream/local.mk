# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/stream.h lib/cellscope/stream_events.h
lib_libcellscope_la_SOURCES += \
	%D%/along.c \
	%D%/companion.c \
	%D%/csv_profile.c \
	%D%/event.c \
	%D%/fault.c \
	%D%/hlod.c \
	%D%/input.c \
	%D%/layer.c \
	%D%/level.c \
	%D%/model.c %D%/model.h \
	%D%/moment.c \
	%D%/order.c \
	%D%/near.c %D%/near.h \
	%D%/partition.c \
	%D%/path.c \
	%D%/performance.c \
	%D%/policy.c \
	%D%/query.c \
	%D%/range.c \
	%D%/reach.c %D%/reach.h \
	%D%/rtree.c %D%/rtree.h \
	%D%/rules.c %D%/rules.h \
	%D%/server.c \
	%D%/setting.c \
	%D%/source.c \
	%D%/state.c \
	%D%/stream.c %D%/stream.h \
	%D%/timeline.c \
	%D%/variable.c %D%/variable.h \
	%D%/view.c \
	%D%/why.c \
	%D%/why_layer.c
