/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the twin share: variables by name, small helpers, and each other. */
#pragma once

#include "tests/unit/stream/twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum variable {
	V_SHOW_TIME_LIMIT,
	V_BANDWIDTH,
	V_BYTES_PER_ACTOR,
	V_BYTES_PER_CELL,
	V_CLIENT_LAG,
	V_FRAME_TIME,
	V_HIDE_PER_ACTOR,
	V_HIGH_PRIORITY_LOADING,
	V_LATENCY,
	V_LOAD_PER_ACTOR,
	V_MATCH_BEGUN,
	V_PURGE_INTERVAL,
	V_REPLAY_RECORDING,
	V_SERVER_ACK,
	V_SHOW_PER_ACTOR,
	V_WORLD_UPDATE_COST,
	V_BLOCK_ON_SLOW_STREAMING,
	V_BLOCK_RATIO,
	V_BLOCK_FACTOR,
	V_ENABLE_SERVER_STREAMING,
	V_ENABLE_SERVER_STREAMING_OUT,
	V_FILTER_LEVEL,
	V_Z_CULLING,
	V_WARMUP_ENABLED,
	V_WARMUP_NANITE,
	V_WARMUP_NUM_FRAMES,
	V_WARMUP_VT,
	V_PURGE_LEVELS,
	V_MAX_LOADING_STREAMING_CELLS,
	V_ANGLE_WEIGHT,
	V_SERVER_ANGLE,
	V_SERVER_RADIUS,
	V_SLOW_STREAMING_RATIO,
	V_SLOW_STREAMING_WARNING_FACTOR,
	V_ENABLE_OPTIMIZATION,
	V_FORCE_UPDATE_FRAME_COUNT,
	V_LOCATION_QUANTIZATION,
	V_ROTATION_QUANTIZATION,
	V_UPDATE_STREAMING_SOURCES,
	V_TIME_LIMIT,
	V_HIDE_REQUESTS,
	V_SHOW_REQUESTS,
	V_COUNT,
};

double twin_number(const struct twin *t, enum variable variable);
uint64_t twin_nanoseconds(const struct twin *t, enum variable variable);
bool twin_is_server(const struct twin *t);
struct twin_cell *twin_cell_of(struct twin *t, uint32_t world, uint32_t cell);
const struct cs_cooked_cell *twin_cooked_of(const struct twin *t, uint32_t world, uint32_t cell);
struct cs_box twin_content_of(const struct cs_cooked_cell *c);
bool twin_streams_any(const struct twin *t);
enum cs_layer_state twin_allowed_by_layers(
	const struct twin *t, const struct twin_world *w, uint32_t cell);
bool twin_has_disallowed_layer(const struct twin *t, const struct twin_world *w, uint32_t cell);
bool twin_skipped(const struct twin *t, const struct twin_world *w, uint32_t cell);
void twin_push(struct twin_row **rows, int *n, uint32_t world, uint32_t cell);
void twin_collect(struct twin *t);
void twin_frame_sets(struct twin *t, struct twin_world *w);
void twin_update_clients(struct twin *t);
void twin_update_levels(struct twin *t, bool flush);
bool twin_is_on_its_way(const struct twin_cell *c);
bool twin_all_quiet(struct twin *t);
