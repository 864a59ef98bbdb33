# SPDX-License-Identifier: Apache-2.0
lib_libcellscope_la_SOURCES += \
	%D%/answers/along.c \
	%D%/levels/bandwidth.c \
	%D%/levels/cell.c \
 \
	%D%/sources/companion.c \
	%D%/frame/control.c \
	%D%/sources/csv_profile.c \
	%D%/answers/decision.c %D%/decision.h \
	%D%/sources/event.c %D%/event.h \
	%D%/levels/fault.c \
	%D%/frame/frame.c \
	%D%/levels/hits.c \
	%D%/levels/hlod.c %D%/hlod.h \
	%D%/answers/hlod_view.c \
	%D%/frame/input.c \
	%D%/levels/kept.c \
	%D%/sources/layer.c %D%/layer.h \
	%D%/levels/cost.c \
	%D%/levels/level.c %D%/level.h \
	%D%/sources/model.c %D%/model.h \
	%D%/answers/moment.c \
	%D%/sources/near.c \
	%D%/levels/order.c %D%/order.h \
	%D%/levels/loaded_partition.c \
	%D%/sources/path.c \
	%D%/levels/performance.c %D%/performance.h \
	%D%/levels/policy.c \
	%D%/levels/queue.c %D%/queue.h \
	%D%/answers/stream_query.c \
	%D%/sources/range.c %D%/range.h \
	%D%/answers/reaches.c \
	%D%/sources/reach.c %D%/reach.h \
	%D%/levels/register.c \
	%D%/sources/role.c \
	%D%/sources/rtree.c %D%/rtree.h \
	%D%/sources/rules.c %D%/rules.h \
	%D%/levels/server.c %D%/server.h \
	%D%/levels/setting.c \
	%D%/sources/source.c %D%/source.h \
	%D%/levels/state.c \
	%D%/frame/stream.c %D%/stream_inside.h %D%/stream_internal.h \
	%D%/frame/timeline.c %D%/timeline.h \
	%D%/answers/travel.c \
	%D%/sources/variable.c %D%/variable.h %D%/variables.def \
	%D%/answers/why.c \
	%D%/answers/why_layer.c
