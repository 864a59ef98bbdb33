/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of the variables, for reading their values: cs_run_number(stream, CS_VAR_...). */
#pragma once

#include <cellscope/stream.h>

/* The console variables, in the order of the table in variable.c; a test checks the order. */
enum cs_run_variable {
	/* variables of streaming (rule 3.1) */
	CS_VAR_BLOCK_ON_SLOW,
	CS_VAR_BLOCK_RATIO,
	CS_VAR_BLOCK_WARNING_FACTOR,
	CS_VAR_SLOW_RATIO,
	CS_VAR_SLOW_WARNING_FACTOR,
	CS_VAR_DISPLAY_NON_BLOCKING,
	CS_VAR_MAX_LOADING,
	CS_VAR_TIME_LIMIT,
	CS_VAR_UPDATE_SOURCES,
	CS_VAR_OPTIMIZE,
	CS_VAR_FORCE_UPDATE,
	CS_VAR_LOCATION_STEP,
	CS_VAR_ROTATION_STEP,
	CS_VAR_ASYNC_UPDATE,
	CS_VAR_PURGE_LEVELS,
	CS_VAR_SIMULATION_SOURCE,
	/* console variables of server streaming (rule 3.2) */
	CS_VAR_SERVER_STREAMING,
	CS_VAR_SERVER_STREAMING_OUT,
	CS_VAR_DISALLOW_LAYERS,
	CS_VAR_SHOW_TRANSACTIONS,
	CS_VAR_HIDE_TRANSACTIONS,
	CS_VAR_SERVER_RADIUS,
	CS_VAR_SERVER_ANGLE,
	CS_VAR_DEBUG_SERVER,
	/* console variables of the spatial hash and of debugging (rule 3.3) */
	CS_VAR_HASH_ALIGNED,
	CS_VAR_HASH_SNAP,
	CS_VAR_HASH_SMALL,
	CS_VAR_HASH_PARTITION_ACTORS,
	CS_VAR_Z_CULLING,
	CS_VAR_ANGLE_WEIGHT,
	CS_VAR_SHOW_GRID_LEVEL,
	CS_VAR_SHOW_GRID_LEVELS,
	CS_VAR_SHOW_GRID_INDEX,
	CS_VAR_FILTER_LEVEL,
	CS_VAR_SHOW_PRIORITY,
	CS_VAR_SET_LEVEL,
	CS_VAR_SET_LEVELS,
	CS_VAR_SET_MODE,
	CS_VAR_DRAW_BUNDLES,
	CS_VAR_SPEED_UNIT,
	CS_VAR_MAP_SCALE,
	CS_VAR_WARMUP,
	CS_VAR_WARMUP_VT,
	CS_VAR_WARMUP_NANITE,
	CS_VAR_WARMUP_FRAMES,
	CS_VAR_WARMUP_DRAW,
	CS_VAR_WARMUP_VT_SCALE,
	CS_VAR_WARMUP_VT_CLAMP,
	CS_VAR_SHOW_TIME_LIMIT,
	CS_VAR_DRAW_WORLD,
	CS_VAR_EDITOR_BUG_IT_GO,
	CS_VAR_EDITOR_EXTENT,
	CS_VAR_EDITOR_VALIDATION,
	CS_VAR_EDITOR_HASH_SET,
	/* variables of cellscope's simulation, which the engine does not have */
	CS_VAR_FRAME_TIME,
	CS_VAR_MATCH_BEGUN,
	CS_VAR_HIGH_PRIORITY,
	CS_VAR_REPLAY,
	CS_VAR_LATENCY,
	CS_VAR_BANDWIDTH,
	CS_VAR_CELL_BYTES,
	CS_VAR_ACTOR_BYTES,
	CS_VAR_LOAD_PER_ACTOR,
	CS_VAR_SHOW_PER_ACTOR,
	CS_VAR_HIDE_PER_ACTOR,
	CS_VAR_UPDATE_COST,
	CS_VAR_SERVER_ACK,
	CS_VAR_CLIENT_LAG,
	CS_VAR_PURGE_INTERVAL,
	CS_VAR_THRASH_TIME,
	CS_VAR_HLOD_NANITE,
	CS_VAR_HLOD_VT,
	/* variables of the cost of frames (rule 2.6.1) */
	CS_VAR_FRAME_COST,
	CS_VAR_GAME_THREAD,
	CS_VAR_ASYNC_LIMIT,
	CS_VAR_PRIORITY_EXTRA,
	CS_VAR_UNREGISTER_LIMIT,
	CS_VAR_PURGE_PER_LEVEL,
	CS_VAR_COUNT
};

enum { CS_RUN_TEXT = 1024 }; /* size of the only text variable in bytes, with its NUL */

struct cs_run_variables {
	double numbers[CS_VAR_COUNT];
	char disallow[CS_RUN_TEXT]; /* value of CS_VAR_DISALLOW_LAYERS */
};

struct cs_run_rules;

extern const struct cs_variable cs_run_variable_table[CS_VAR_COUNT];
double cs_run_variable_default(enum cs_run_variable variable, const struct cs_run_rules *rules);
void cs_run_variables_init(struct cs_run_variables *variables, const struct cs_run_rules *rules);
/* Parses a value in the variable's range: a number, "true", "on" etc.; E_SETTING for others. */
struct cs_error *cs_run_variable_parse(
	enum cs_run_variable variable, const char *text, double *ret) CS_MUST_USE;
