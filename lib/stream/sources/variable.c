/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of variables: their names in the console, ranges, defaults and help. Setting, printing,
 * completion and the manual use it. The effect of a variable is in the module that reads it. A
 * variable without effect here has `instead`, a text that names what to use or is "". It exists so
 * that every variable of the engine can be set and printed.
 */
#include "stream/variable.h"

#include "stream/rules.h"

#include <math.h>
#include <string.h>

#define WP "wp.Runtime."
#define ROW(id, spelled, kind, where, value, least, most, ...) \
	[CS_VAR_##id] = {.name = spelled,                      \
		.type = CS_VARIABLE_##kind,                    \
		.scope = CS_SCOPE_##where,                     \
		.initial = value,                              \
		.low = least,                                  \
		.high = most,                                  \
		__VA_ARGS__}

#define BIG 1e12

/* clang-format off */
const struct cs_variable cs_run_variable_table[CS_VAR_COUNT] = {
	ROW(BLOCK_ON_SLOW, WP "BlockOnSlowStreaming", BOOL, RUN, 1, 0, 1,
		.help = "allow a wait of the game when performance is Critical"),
	ROW(BLOCK_RATIO, WP "BlockOnSlowStreamingRatio", REAL, RUN, 0.25, 0, 1,
		.help = "distance / radius below which a cell that is not visible is Critical"),
	ROW(BLOCK_WARNING_FACTOR, WP "BlockOnSlowStreamingWarningFactor", REAL, RUN, 2, 0, 1000,
		.help = "factor: below this times the ratio, a cell that is not visible is Slow"),
	ROW(SLOW_RATIO, WP "SlowStreamingRatio", REAL, RUN, 0.25, 0, 1,
		.help = "5.7: BlockOnSlowStreamingRatio for cells that do not block"),
	ROW(SLOW_WARNING_FACTOR, WP "SlowStreamingWarningFactor", REAL, RUN, 2, 0, 1000,
		.help = "5.7: BlockOnSlowStreamingWarningFactor for cells that do not block"),
	ROW(DISPLAY_NON_BLOCKING, WP "DisplayStreamingPerformanceForNonBlockingStreaming", BOOL,
		DISPLAY, 0, 0, 1, .help = "5.7: show the performance of cells that do not block", .instead = ""),
	ROW(MAX_LOADING, WP "MaxLoadingStreamingCells", INTEGER, RUN, 4, 0, BIG,
		.aliases = WP "MaxLoadingLevelStreamingCells",
		.help = "number of levels that load at the same time, 0 = no limit"),
	ROW(TIME_LIMIT, WP "UpdateStreamingStateTimeLimit", REAL, RUN, 0, 0, 1e6, .unit = "ms",
		.help = "time for updating world partitions in a frame, 0 = no limit"),
	ROW(UPDATE_SOURCES, WP "UpdateStreamingSources", BOOL, RUN, 1, 0, 1,
		.help = "0 freezes the streaming sources"),
	ROW(OPTIMIZE, WP "UpdateStreaming.EnableOptimization", BOOL, RUN, 1, 0, 1,
		.help = "skip updates in which nothing changed (off before 5.3)"),
	ROW(FORCE_UPDATE, WP "UpdateStreaming.ForceUpdateFrameCount", INTEGER, RUN, 0, 0, BIG,
		.unit = "frames", .help = "force a full update every N frames, 0 = never"),
	ROW(LOCATION_STEP, WP "UpdateStreaming.LocationQuantization", REAL, RUN, 400, 0, BIG,
		.unit = "cm", .help = "a source that moves less than this does not count as moved, 0 = any "
			"move counts"),
	ROW(ROTATION_STEP, WP "UpdateStreaming.RotationQuantization", REAL, RUN, 10, 0, 360,
		.unit = "degrees", .help = "a source that turns less than this does not count as turned, 0 = any "
			"turn counts"),
	ROW(ASYNC_UPDATE, WP "UpdateStreaming.EnableAsyncUpdate", BOOL, DISPLAY, 0, 0, 1,
		.help = "5.7: update beside the game thread; the simulation is not affected", .instead = ""),
	ROW(PURGE_LEVELS, WP "LevelStreamingContinuouslyIncrementalGCWhileLevelsPendingPurgeForWP",
		INTEGER, MODEL, 64, 0, BIG,
		.help = "number of unloaded levels in memory that starts garbage collection, 0 "
			"= never"),
	ROW(SIMULATION_SOURCE, WP "EnableSimulationStreamingSource", BOOL, DISPLAY, 1, 0, 1,
		.help = "the camera of the editor's simulation is a source", .instead = "source add NAME X,Y,Z"),

	ROW(SERVER_STREAMING, WP "EnableServerStreaming", INTEGER, ONCE, 0, 0, 2,
		.help = "servers stream: 0 off, 1 on, 2 in PIE only"),
	ROW(SERVER_STREAMING_OUT, WP "EnableServerStreamingOut", BOOL, ONCE, 0, 0, 1,
		.help = "servers that stream also unload levels"),
	ROW(DISALLOW_LAYERS, WP "ServerDisallowStreamingOutDataLayers", TEXT, RUN, 0, 0, 0,
		.help = "layers whose cells a server does not unload, separated by commas"),
	ROW(SHOW_TRANSACTIONS, WP "UseMakingVisibleTransactionRequests", BOOL, RUN, 0, 0, 1,
		.help = "clients ask the server before they show a level"),
	ROW(HIDE_TRANSACTIONS, WP "UseMakingInvisibleTransactionRequests", BOOL, RUN, 0, 0, 1,
		.help = "clients ask the server before they hide a level"),
	ROW(SERVER_RADIUS, WP "ServerStreamingSourceMinimumExtraRadius", REAL, RUN, 400, 0, BIG,
		.unit = "cm", .help = "least extra radius of sources on a server that streams"),
	ROW(SERVER_ANGLE, WP "ServerStreamingSourceMinimumExtraAngle", REAL, RUN, 1, 0, 360,
		.unit = "degrees", .help = "least extra angle of sources on a server that streams"),
	ROW(DEBUG_SERVER, WP "DebugDedicatedServerStreaming", BOOL, DISPLAY, 0, 0, 1,
		.help = "show the dedicated server's streaming in PIE", .instead = "role dedicated"),

	ROW(HASH_ALIGNED, WP "RuntimeSpatialHashUseAlignedGridLevels", BOOL, COOK, 1, 0, 1,
		.help = "edges of the levels of a spatial hash grid coincide", .instead = "whatif use_aligned_grid_levels=off"),
	ROW(HASH_SNAP, WP "RuntimeSpatialHashSnapNonAlignedGridLevelsToLowerLevels", BOOL, COOK,
		1, 0, 1, .help = "a wanted cell makes the larger cells that enclose it on higher levels "
			"wanted", .instead = "whatif snap_non_aligned_grid_levels=off"),
	ROW(HASH_SMALL, WP "RuntimeSpatialHashPlaceSmallActorsUsingLocation", BOOL, COOK, 0, 0, 1,
		.help = "actors smaller than a cell are placed by location", .instead = "whatif place_small_actors_using_location=on"),
	ROW(HASH_PARTITION_ACTORS, WP "RuntimeSpatialHashPlacePartitionActorsUsingLocation", BOOL,
		COOK, 1, 0, 1, .help = "partition actors are placed by location", .instead = "whatif place_partition_actors_using_location=off"),
	ROW(Z_CULLING, WP "ForceRuntimeSpatialHashZCulling", INTEGER, RUN, -1, -1, 1,
		.help = "whether a spatial hash uses Z: -1 as the grid says, 0 no, 1 yes"),
	ROW(ANGLE_WEIGHT, WP "RuntimeSpatialHashCellToSourceAngleContributionToCellImportance",
		REAL, RUN, 0.4, 0, 1, .help = "5.0 to 5.2: weight of the angle in the order of cells"),
	ROW(SHOW_GRID_LEVEL, WP "ShowRuntimeSpatialHashGridLevel", INTEGER, DISPLAY, 0, 0, 64,
		.help = "first grid level that the map shows"),
	ROW(SHOW_GRID_LEVELS, WP "ShowRuntimeSpatialHashGridLevelCount", INTEGER, DISPLAY, 1, 0, 64,
		.help = "number of grid levels that the map shows", .instead = "map -l N"),
	ROW(SHOW_GRID_INDEX, WP "ShowRuntimeSpatialHashGridIndex", INTEGER, DISPLAY, -1, -1, BIG,
		.help = "number of the grid that the map shows, -1 = all"),
	ROW(FILTER_LEVEL, WP "FilterRuntimeSpatialHashGridLevel", INTEGER, RUN, -1, -1, 64,
		.help = "only this level of spatial hash grids streams, -1 = all levels"),
	ROW(SHOW_PRIORITY, WP "ShowRuntimeSpatialHashCellStreamingPriority", INTEGER, DISPLAY,
		0, 0, 2, .help = "the map shows the loading order: 1 heat map, 2 grey scale"),
	ROW(SET_LEVEL, WP "HashSet.ShowDebugDisplayLevel", INTEGER, DISPLAY, 0, 0, 64,
		.help = "first level of hash set partitions that the map shows"),
	ROW(SET_LEVELS, WP "HashSet.ShowDebugDisplayLevelCount", INTEGER, DISPLAY, 1, 0, 64,
		.help = "number of levels of hash set partitions that the map shows", .instead = "map -l N"),
	ROW(SET_MODE, WP "HashSet.ShowDebugDisplayMode", INTEGER, DISPLAY, 0, 0, 2,
		.help = "the map shows: 0 states, 1 data layers, 2 content bundles"),
	ROW(DRAW_BUNDLES, WP "DrawContentBundles", BOOL, DISPLAY, 1, 0, 1,
		.help = "the map marks cells of content bundles", .instead = "cells -c name,content_bundle"),
	ROW(SPEED_UNIT, WP "DebugDisplaySpeedUnit", INTEGER, DISPLAY, 3, 0, 3,
		.help = "unit of speeds: 0 cm/s, 1 m/s, 2 km/h, 3 mph"),
	ROW(MAP_SCALE, WP "DrawRuntimeHash2DScaleFactor", REAL, DISPLAY, 1, 0.1, 1,
		.help = "5.7: scale of the 2D map"),
	ROW(WARMUP, WP "HLOD.WarmupEnabled", BOOL, RUN, 1, 0, 1,
		.help = "HLOD actors are warmed up before they show"),
	ROW(WARMUP_VT, WP "HLOD.WarmupVT", BOOL, RUN, 1, 0, 1, .help = "warm up virtual textures"),
	ROW(WARMUP_NANITE, WP "HLOD.WarmupNanite", BOOL, RUN, 1, 0, 1,
		.help = "warm up Nanite resources"),
	ROW(WARMUP_FRAMES, WP "HLOD.WarmupNumFrames", INTEGER, RUN, 5, 0, 1e6, .unit = "frames",
		.help = "number of frames for which an HLOD actor is warmed up"),
	ROW(WARMUP_DRAW, WP "HLOD.WarmupDebugDraw", BOOL, DISPLAY, 0, 0, 1,
		.help = "mark HLOD actors that are warming up", .instead = "hlod why -w \"warm_frames > 0\""),
	ROW(WARMUP_VT_SCALE, WP "HLOD.WarmupVTScaleFactor", REAL, DISPLAY, 2, 0, 1000,
		.help = "scale of virtual texture requests", .instead = ""),
	ROW(WARMUP_VT_CLAMP, WP "HLOD.WarmupVTSizeClamp", INTEGER, DISPLAY, 2048, 0, 65536,
		.help = "largest virtual texture request", .instead = ""),
	ROW(SHOW_TIME_LIMIT, "s.LevelStreamingActorsUpdateTimeLimit", REAL, RUN, 5, 0, 1e6,
		.unit = "ms", .help = "limit for showing actors in a frame, 0 = no limit"),

	ROW(DRAW_WORLD, WP "DrawWorldPartitionIndex", INTEGER, DISPLAY, -1, -1, BIG,
		.help = "world partition that the map shows, -1 = the main one"),
	ROW(EDITOR_BUG_IT_GO, "wp.Editor.LoadingRangeBugItGo", REAL, COOK, 12800, 0, BIG,
		.unit = "cm", .help = "range in which the editor loads actors around a place that it goes to", .instead = ""),
	ROW(EDITOR_EXTENT, "wp.Editor.WorldExtentToEnableStreaming", REAL, COOK, 400000, 0, BIG,
		.unit = "cm", .help = "larger maps get streaming when they are converted", .instead = ""),
	ROW(EDITOR_VALIDATION, "wp.Editor.EnableSpatialHashValidation", BOOL, COOK, 0, 0, 1,
		.help = "the editor checks its spatial hash", .instead = ""),
	ROW(EDITOR_HASH_SET, "wp.Editor.WorldPartitionRuntimeHashSet.Enable", BOOL, COOK, 0, 0, 1,
		.help = "early versions: new maps use the hash set", .instead = ""),

	ROW(FRAME_TIME, "sim.FrameTime", REAL, MODEL, 1000.0 / 60, 1e-6, 1e6, .unit = "ms",
		.help = "length of a frame"),
	ROW(MATCH_BEGUN, "sim.MatchBegun", BOOL, MODEL, 1, 0, 1,
		.help = "whether the match has begun; only then performance is judged"),
	ROW(HIGH_PRIORITY, "sim.HighPriorityLoading", BOOL, MODEL, 0, 0, 1,
		.help = "high priority loading, in which the time limit of updates does not hold"),
	ROW(REPLAY, "sim.ReplayRecording", BOOL, MODEL, 0, 0, 1,
		.help = "whether a replay is recorded; then servers collect sources too"),
	ROW(LATENCY, "sim.Latency", REAL, MODEL, 50, 0, 1e9, .unit = "ms",
		.help = "time before the first byte of a level arrives"),
	ROW(BANDWIDTH, "sim.Bandwidth", REAL, MODEL, 200, 0, 1e6, .unit = "MB/s",
		.help = "bandwidth of all loads together, given out by priority; 0 = unlimited"),
	ROW(CELL_BYTES, "sim.BytesPerCell", INTEGER, MODEL, 65536, 0, BIG, .unit = "bytes",
		.help = "size of a level package without actors"),
	ROW(ACTOR_BYTES, "sim.BytesPerActor", INTEGER, MODEL, 16384, 0, 1e9, .unit = "bytes",
		.help = "bytes that each actor adds to the level package"),
	ROW(LOAD_PER_ACTOR, "sim.LoadPerActor", REAL, MODEL, 0.02, 0, 1e6, .unit = "ms",
		.help = "time to create one actor while its level loads"),
	ROW(SHOW_PER_ACTOR, "sim.ShowPerActor", REAL, MODEL, 0.05, 0, 1e6, .unit = "ms",
		.help = "time to show one actor"),
	ROW(HIDE_PER_ACTOR, "sim.HidePerActor", REAL, MODEL, 0.02, 0, 1e6, .unit = "ms",
		.help = "time to hide one actor"),
	ROW(UPDATE_COST, "sim.WorldUpdateCost", REAL, MODEL, 0.1, 0, 1e6, .unit = "ms",
		.help = "time that updating one world partition takes from the time limit"),
	ROW(SERVER_ACK, "sim.ServerAck", REAL, MODEL, 100, 0, 1e9, .unit = "ms",
		.help = "time until the server answers a visibility request"),
	ROW(CLIENT_LAG, "sim.ClientLag", REAL, MODEL, 250, 0, 1e9, .unit = "ms",
		.help = "time for which a simulated client keeps a cell that it no longer needs"),
	ROW(PURGE_INTERVAL, "sim.PurgeInterval", REAL, MODEL, 61.1, 0, 1e9, .unit = "s",
		.help = "time between garbage collections, 0 = every frame"),
	ROW(THRASH_TIME, "sim.ThrashTime", REAL, MODEL, 10, 0, 1e9, .unit = "s",
		.help = "thrash: a level that is unloaded within this time after it was loaded"),
	ROW(HLOD_NANITE, "sim.HLODNanite", BOOL, MODEL, 1, 0, 1, .help = "HLOD actors use Nanite"),
	ROW(HLOD_VT, "sim.HLODVirtualTextures", BOOL, MODEL, 1, 0, 1,
		.help = "HLOD actors use virtual textures"),
	ROW(FRAME_COST, "sim.FrameCost", BOOL, MODEL, 0, 0, 1,
		.help = "frames last as long as the work of streaming, and an actor is never cut"),
	ROW(GAME_THREAD, "sim.GameThread", REAL, MODEL, 0, 0, 1e6, .unit = "ms",
		.help = "with sim.FrameCost: time of each frame that the game itself takes"),
	ROW(ASYNC_LIMIT, "s.AsyncLoadingTimeLimit", REAL, RUN, 5, 0, 1e6, .unit = "ms",
		.help = "with sim.FrameCost: limit for creating actors in a frame, 0 = no limit"),
	ROW(PRIORITY_EXTRA, "s.PriorityAsyncLoadingExtraTime", REAL, RUN, 15, 0, 1e6, .unit = "ms",
		.help = "with sim.FrameCost: time that sim.HighPriorityLoading adds to that limit"),
	ROW(UNREGISTER_LIMIT, "s.UnregisterComponentsTimeLimit", REAL, RUN, 1, 0, 1e6, .unit = "ms",
		.help = "with sim.FrameCost: limit for hiding actors in a frame, 0 = no limit"),
	ROW(PURGE_PER_LEVEL, "sim.PurgePerLevel", REAL, MODEL, 0, 0, 1e6, .unit = "ms",
		.help = "with sim.FrameCost: time to free one unloaded level"),
};
/* clang-format on */

const struct cs_variable *cs_stream_variables(size_t *n_ret)
{
	*n_ret = CS_VAR_COUNT;
	return cs_run_variable_table;
}

/* Returns whether a list of words, separated by blanks, contains the word. */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);
	char item[128];
	while (list && *list && length) {
		size_t n = strcspn(list, " ");
		if (n == length && n < sizeof(item)) {
			memcpy(item, list, n);
			item[n] = '\0';
			if (cs_name_compare(item, word) == 0)
				return true;
		}
		list += n + (list[n] == ' ');
	}
	return false;
}

size_t cs_stream_find_variable(const char *name)
{
	for (size_t i = 0; i < CS_VAR_COUNT; i++)
		if (cs_name_compare(cs_run_variable_table[i].name, name) == 0 ||
			lists(cs_run_variable_table[i].aliases, name))
			return i;
	return SIZE_MAX;
}

double cs_run_variable_default(enum cs_run_variable variable, const struct cs_run_rules *rules)
{
	if (variable == CS_VAR_OPTIMIZE)
		return rules->skips_updates;
	return cs_run_variable_table[variable].initial;
}

void cs_run_variables_init(struct cs_run_variables *variables, const struct cs_run_rules *rules)
{
	for (int i = 0; i < CS_VAR_COUNT; i++)
		variables->numbers[i] = cs_run_variable_default(i, rules);
	variables->disallow[0] = '\0';
}

static const struct {
	const char *word;
	double value;
} words[] = {{"true", 1}, {"on", 1}, {"yes", 1}, {"false", 0}, {"off", 0}, {"no", 0}};

static bool variable_parse_word(const char *text, double *ret)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (cs_name_compare(words[i].word, text) == 0) {
			*ret = words[i].value;
			return true;
		}
	}
	return false;
}

struct cs_error *cs_run_variable_parse(enum cs_run_variable variable, const char *text, double *ret)
{
	const struct cs_variable *row = &cs_run_variable_table[variable];
	double value;
	char low[CS_DOUBLE_TEXT], high[CS_DOUBLE_TEXT];
	bool good = cs_double_parse(text, strlen(text), &value) ||
		    (row->type == CS_VARIABLE_BOOL && variable_parse_word(text, &value));
	good = good && value >= row->low && value <= row->high &&
	       (row->type == CS_VARIABLE_REAL || value == floor(value));
	if (good) {
		*ret = value;
		return NULL;
	}
	cs_double_format(row->low, low);
	cs_double_format(row->high, high);
	return cs_error_new(CS_E_SETTING, "%s must be %s from %s to %s, not '%.100s'", row->name,
		row->type == CS_VARIABLE_REAL ? "a number" : "an integer", low, high, text);
}
