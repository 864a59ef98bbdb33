# SPDX-License-Identifier: Apache-2.0
cellscopeinclude_HEADERS += lib/cellscope/stream.h lib/cellscope/stream_cells.h \
	lib/cellscope/stream_events.h lib/cellscope/stream_hlod.h lib/cellscope/stream_layers.h \
	lib/cellscope/stream_paths.h lib/cellscope/stream_sources.h \
	lib/cellscope/stream_variables.h lib/cellscope/stream_why.h
lib_libcellscope_la_SOURCES += \
	%D%/along.c \
	%D%/block.c \
	%D%/cell.c \
	%D%/cited.c \
	%D%/companion.c \
	%D%/control.c \
	%D%/csv_profile.c \
	%D%/decision.c %D%/decision.h \
	%D%/event.c %D%/event.h \
	%D%/fault.c \
	%D%/frame.c \
	%D%/hits.c %D%/hits.h \
	%D%/hlod.c %D%/hlod.h \
	%D%/hlod_view.c \
	%D%/input.c \
	%D%/kept.c \
	%D%/layer.c %D%/layer.h \
	%D%/layer_view.c \
	%D%/level.c %D%/level.h \
	%D%/model.c %D%/model.h \
	%D%/moment.c \
	%D%/near.c %D%/near.h \
	%D%/order.c %D%/order.h \
	%D%/loaded_partition.c \
	%D%/path.c \
	%D%/performance.c %D%/performance.h \
	%D%/policy.c \
	%D%/queue.c %D%/queue.h \
	%D%/stream_query.c \
	%D%/range.c %D%/range.h \
	%D%/reaches.c \
	%D%/reach.c %D%/reach.h \
	%D%/recorder.c \
	%D%/register.c \
	%D%/role.c \
	%D%/rtree.c %D%/rtree.h \
	%D%/rules.c %D%/rules.h \
	%D%/server.c %D%/server.h \
	%D%/setting.c \
	%D%/source.c %D%/source.h \
	%D%/state.c \
	%D%/stream.c %D%/stream_internal.h \
	%D%/timeline.c %D%/timeline.h \
	%D%/travel.c \
	%D%/variable.c %D%/variable.h \
	%D%/stream_view.c \
	%D%/why.c \
	%D%/why_layer.c
