/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the words for enum values: a name, a sentence, and the number of the rule that the value
 * follows. The library records decisions as enum values; the words are looked up when they are
 * printed. Some of these enums belong to folders that depend on lib/rules: of those folders this
 * file uses only the enum values.
 */
#include <cellscope/compare.h>
#include <cellscope/cooked_values.h>
#include <cellscope/farm.h>
#include <cellscope/paging.h>

#include "core/vec.h"
#include "format/check_numbers.h"

static const struct cs_word codes[] = {
#define CS_CODE(number, name, advice) [number] = {"E_" #name, advice},
#include "core/error_codes.def"
#undef CS_CODE
};

static const struct cs_word certainties[] = {
	[CS_CERTAINTY_FILE] = {"engine files"},
	[CS_CERTAINTY_TEXT] = {"published texts"},
	[CS_CERTAINTY_ASSUMED] = {"assumed"},
};

static const struct cs_word severities[] = {
	[CS_INFO] = {"info"},
	[CS_WARNING] = {"warning"},
	[CS_ERROR] = {"error"},
};

static const struct cs_word checks[] = {
#define CHECK(name, token, rule, page) [CS_CHECK_##name] = {token, NULL, rule},
#include "format/checks.def"
#undef CHECK
};

static const struct cs_word placements[] = {
	[CS_PLACED_BY_CENTRE] = {"by_centre"},
	[CS_PLACED_DEMOTED] = {"demoted"},
	[CS_PLACED_SMALL] = {"small"},
	[CS_PLACED_PARTITION] = {"partition_actor"},
	[CS_PLACED_BY_BOUNDS] = {"by_bounds"},
	[CS_PLACED_TOP] = {"top"},
	[CS_PLACED_OUTSIDE] = {"outside"},
	[CS_PLACED_LEVEL] = {"level"},
	[CS_PLACED_NON_SPATIAL] = {"non_spatial"},
	[CS_PLACED_NO_BOUNDS] = {"no_bounds"},
	[CS_UNPLACED_EDITOR_ONLY] = {"editor_only", "editor-only actors never stream"},
	[CS_UNPLACED_CONTAINER] = {"container",
		"a level instance: the actors of its level stream in its place"},
	[CS_UNPLACED_FILTERED] = {"filtered", "left out by the actor filter of a level instance"},
	[CS_UNPLACED_DROPPED] = {"dropped", "dropped: its runtime grid leads to no partition"},
	[CS_UNPLACED_NOT_MAIN] = {"not_main_world",
		"main-world-only, and it is inside a level instance"},
	[CS_UNPLACED_CIRCULAR] = {"circular",
		"a level instance inside of its own level: nothing streams in its place"},
};

static const struct cs_word always_reasons[] = {
	[CS_ALWAYS_OWN] = {"own setting"},
	[CS_ALWAYS_INHERITED] = {"parent or level instance"},
	[CS_ALWAYS_REFERENCE] = {"reference"},
	[CS_ALWAYS_SCRIPT] = {"level script"},
	[CS_ALWAYS_BOUNDS] = {"no bounds"},
	[CS_ALWAYS_WORLD] = {"world does not stream"},
	[CS_ALWAYS_OTHER] = {"its grid"},
};

/* Indexed by the bit number of CS_DIFF_NEW, CS_DIFF_GONE and so on. */
static const struct cs_word differences[] = {
	{"new"},
	{"gone"},
	{"moved"},
	{"bounds"},
	{"spatial"},
	{"grid"},
	{"layers"},
	{"cluster"},
	{"placement"},
	{"repair"},
	{"partition"},
	{"profile"},
	{"content"},
	{"name"},
	{"value"},
	{"guid"},
	{"mesh"},
	{"cluster_moved"},
	{"reference"},
};

static const struct cs_word compared_kinds[] = {
	[CS_COMPARE_WORLD] = {"world"},
	[CS_COMPARE_CELL] = {"cell"},
	[CS_COMPARE_ACTOR] = {"actor"},
	[CS_COMPARE_LAYER] = {"layer"},
};

static const struct cs_word changes[] = {
	[CS_COMPARE_RENAMED] = {"renamed"},
	[CS_COMPARE_ONLY_OURS] = {"only ours"},
	[CS_COMPARE_ONLY_THEIRS] = {"only theirs"},
	[CS_COMPARE_MOVED] = {"moved"},
	[CS_COMPARE_PACKAGE] = {"package"},
	[CS_COMPARE_BOX] = {"box"},
	[CS_COMPARE_CONTENT] = {"content"},
	[CS_COMPARE_LAYERS] = {"layers"},
	[CS_COMPARE_GUID] = {"guid"},
	[CS_COMPARE_CLASS] = {"class"},
	[CS_COMPARE_TWICE] = {"twice"},
};

static const struct cs_word compare_verdicts[] = {
	[CS_COMPARE_SAME] = {"same"},
	[CS_COMPARE_BY_RULE] = {"differs by rule"},
	[CS_COMPARE_STALE] = {"stale"},
	[CS_COMPARE_UNEXPLAINED] = {"unexplained"},
};

static const struct cs_word level_states[] = {
	[CS_LEVEL_REMOVED] = {"removed"},
	[CS_LEVEL_UNLOADED] = {"unloaded"},
	[CS_LEVEL_FAILED] = {"failed"},
	[CS_LEVEL_LOADING] = {"loading"},
	[CS_LEVEL_NOT_VISIBLE] = {"not_visible"},
	[CS_LEVEL_MAKING_VISIBLE] = {"making_visible"},
	[CS_LEVEL_VISIBLE] = {"visible"},
	[CS_LEVEL_MAKING_INVISIBLE] = {"making_invisible"},
};

static const struct cs_word cell_states[] = {
	[CS_MAP_LAYER_OFF] = {"layer_off"},
	[CS_MAP_UNLOADED] = {"unloaded"},
	[CS_MAP_STILL_AROUND] = {"still_around"},
	[CS_MAP_WAITING] = {"waiting"},
	[CS_MAP_PRELOADING] = {"preloading"},
	[CS_MAP_LOADING] = {"loading"},
	[CS_MAP_LOADED] = {"loaded"},
	[CS_MAP_SHOWING] = {"showing"},
	[CS_MAP_ACTIVATED] = {"activated"},
	[CS_MAP_LEAVING] = {"leaving"},
	[CS_MAP_FAILED] = {"failed"},
};

static const struct cs_word performances[] = {
	[CS_PERFORMANCE_GOOD] = {"good", NULL, "2.5"},
	[CS_PERFORMANCE_SLOW] = {"slow", NULL, "2.5"},
	[CS_PERFORMANCE_CRITICAL] = {"critical", NULL, "2.5"},
	[CS_PERFORMANCE_IMMEDIATE] = {"immediate", NULL, "2.5.7"},
};

static const struct cs_word reasons[] = {
	[CS_REASON_NONE] = {"none", "nothing is known"},
	[CS_REASON_ALWAYS_LOADED] = {"always_loaded", "it is part of the persistent level",
		"1.6.6"},
	[CS_REASON_NON_SPATIAL] = {"non_spatial", "it is not spatially loaded: its layers decide",
		"2.3.2"},
	[CS_REASON_IN_RANGE] = {"in_range", "a source reaches it", "2.2.4"},
	[CS_REASON_SNAPPED] = {"snapped", "a wanted cell of a lower level lies in it", "1.7.5"},
	[CS_REASON_SERVER] = {"server", "a server that does not stream loads everything", "2.7"},
	[CS_REASON_NO_STREAM_OUT] = {"no_stream_out", "the server does not stream out", "2.7"},
	[CS_REASON_DISALLOWED] = {"disallowed", "one of its layers must not be streamed out",
		"2.7"},
	[CS_REASON_CLIENT_SEES] = {"client_sees", "the server waits: a client still sees it",
		"2.7"},
	[CS_REASON_NOT_REGISTERED] = {"not_registered", "its world partition is not registered",
		"2.1"},
	[CS_REASON_NO_SOURCE] = {"no_source", "there is no streaming source", "2.3.2"},
	[CS_REASON_GRID_FILTER] = {"grid_filter",
		"the sources in range do not act on its partition", "2.2.1"},
	[CS_REASON_OUT_OF_RANGE] = {"out_of_range", "no source reaches it", "2.2.4"},
	[CS_REASON_LAYERS] = {"layers", "its data layers are unloaded", "2.8"},
	[CS_REASON_HLOD_OFF] = {"hlod_off", "HLODs are switched off", "2.9"},
	[CS_REASON_CLIENT_ONLY] = {"client_only", "it does not exist on this server", "2.7"},
	[CS_REASON_LEVEL_FILTER] = {"level_filter", "its grid level is filtered out", "2.3.2"},
	[CS_REASON_NOT_RUN] = {"not_run", "no frame has run since it could be wanted", "2.3"},
	[CS_REASON_LAYERS_LOADED] = {"layers_loaded", "its data layers allow only the state loaded",
		"2.8"},
	[CS_REASON_TARGET_LOADED] = {"target_loaded",
		"the sources that reach it request only the state loaded", "2.2.1"},
	[CS_REASON_NO_BOUNDS] = {"no_bounds", "it has no bounds that a source could reach",
		"1.6.7"},
	[CS_REASON_BUDGET] = {"budget", "it waits for its turn to load", "2.3.4"},
	[CS_REASON_PERFORMANCE] = {"performance", "it is left out of a blocking wait", "2.5"},
	[CS_REASON_LOADING] = {"loading", "its level is loading", "2.6"},
	[CS_REASON_FAILED] = {"failed", "its level failed to load", "2.6"},
	[CS_REASON_WARMUP] = {"warmup", "an HLOD actor is warming up", "2.9"},
	[CS_REASON_TURN] = {"turn", "another level is being shown or hidden", "2.6"},
	[CS_REASON_MAKING_VISIBLE] = {"making_visible", "its level is being made visible", "2.6"},
	[CS_REASON_SERVER_ACK] = {"server_ack", "the server has not answered yet", "2.7"},
	[CS_REASON_MAKING_INVISIBLE] = {"making_invisible", "its level is being made invisible",
		"2.6"},
	[CS_REASON_CANCELLED] = {"cancelled", "a load that was begun is finished first", "2.6"},
	[CS_REASON_STILL_AROUND] = {"still_around", "its memory is not freed yet", "2.6"},
	[CS_REASON_ARRIVED] = {"arrived", "it is in the state that it should have", "2.10"},
};

static const struct cs_word order_keys[] = {
	[CS_KEY_NONE] = {"-"},
	[CS_KEY_SOURCE] = {"source", NULL, "2.4"},
	[CS_KEY_LEVEL] = {"level", NULL, "2.4"},
	[CS_KEY_PRIORITY] = {"priority", NULL, "2.4"},
	[CS_KEY_SPATIAL] = {"spatial", NULL, "2.4"},
	[CS_KEY_DISTANCE] = {"distance", NULL, "2.4"},
	[CS_KEY_NAME] = {"name", NULL, "2.4"},
	[CS_KEY_LIST] = {"list", NULL, "2.3.1"},
};

static const struct cs_word layer_answers[] = {
	[CS_LAYER_SET] = {"set", NULL, "2.8"},
	[CS_LAYER_UNCHANGED] = {"unchanged", NULL, "2.8"},
	[CS_LAYER_NOT_RUNTIME] = {"not_runtime", NULL, "1.2.4"},
	[CS_LAYER_NO_AUTHORITY] = {"no_authority", NULL, "2.8"},
	[CS_LAYER_WRONG_ROLE] = {"wrong_role", NULL, "2.8"},
};

static const struct cs_word layer_verdicts[] = {
	[CS_LAYER_IS_EDITOR] = {"editor", "it is an editor layer: it does not exist at run time",
		"1.2.4"},
	[CS_LAYER_OTHER_ROLE] = {"role", "its load filter excludes this network role", "2.8"},
	[CS_LAYER_ANCESTOR] = {"ancestor", "an ancestor limits its state", "2.8"},
	[CS_LAYER_NOT_SENT] = {"not_sent", "the server has not activated it", "2.8"},
	[CS_LAYER_NOT_ACTIVATED] = {"not_activated", "it was not activated", "2.8"},
	[CS_LAYER_NO_CELLS] = {"no_cells", "no cell has it", "1.6.6"},
	[CS_LAYER_ABSENT] = {"client_only", "its cells exist on clients only, and this is a server",
		"2.7"},
	[CS_LAYER_OUT_OF_RANGE] = {"out_of_range", "no source reaches a cell that has it", "2.2.4"},
	[CS_LAYER_EXTERNAL_OFF] = {"external",
		"the external data layer of its cells is not "
		"activated",
		"2.8"},
	[CS_LAYER_OTHERS_OFF] = {"others", "another layer of its cells is not activated", "2.8"},
	[CS_LAYER_EXCLUDED] = {"excluded", "its cells are switched off", "2.3.2"},
	[CS_LAYER_CELLS_FAILED] = {"failed", "cells of it could not be loaded", "2.6"},
	[CS_LAYER_ON_THE_WAY] = {"on_the_way", "some of its cells are still loading or being shown",
		"2.6"},
	[CS_LAYER_NOT_RUN] = {"not_run", "no frame has run since the last change", "2.3"},
	[CS_LAYER_ONLY_LOADED] = {"only_loaded",
		"its cells in range are loaded, and the sources request no more", "2.2.1"},
	[CS_LAYER_IS_VISIBLE] = {"visible", "all of its cells in range are visible", "2.8"},
};

static const struct cs_word hlod_states[] = {
	[CS_HLOD_HIDDEN] = {"hidden", NULL, "2.9"},
	[CS_HLOD_SHOWN] = {"shown", NULL, "2.9"},
	[CS_HLOD_AWAY] = {"away", NULL, "2.9"},
	[CS_HLOD_HOLE] = {"hole", NULL, "2.9"},
	[CS_HLOD_OUTDATED] = {"outdated", NULL, "2.9"},
};

static const struct cs_word hlod_faults[] = {
	[CS_HLOD_FAULT_OUTDATED] = {"outdated", "the source cell is no cell of this cook", "2.9"},
	[CS_HLOD_FAULT_HOLE] = {"hole",
		"the source cell is hidden, and the HLOD actor is not loaded", "2.9"},
	[CS_HLOD_FAULT_RANGE] = {"range",
		"the grid of the HLOD actor loads no farther than the grid of its source cell",
		"2.9"},
	[CS_HLOD_FAULT_NO_HOME] = {"no home", "no cell contains the HLOD actor", "1.6.8"},
};

static const struct cs_word range_origins[] = {
	[CS_RANGE_COOKED] = {"cooked"},
	[CS_RANGE_ASSUMED] = {"assumed"},
	[CS_RANGE_OVERRIDE] = {"override"},
};

static const struct cs_word moments[] = {
	[CS_MOMENT_FRAME] = {"frame", "a frame has ended"},
	[CS_MOMENT_CELL_WAIT] = {"cell.wait", "a cell begins to wait for its turn to load"},
	[CS_MOMENT_CELL_WANT] = {"cell.want",
		"a cell becomes wanted: it is to be loaded or activated"},
	[CS_MOMENT_CELL_DROP] = {"cell.drop",
		"a cell is no longer wanted, or only in a lower state"},
	[CS_MOMENT_CELL_LOAD] = {"cell.load", "a cell begins to load"},
	[CS_MOMENT_CELL_LOADED] = {"cell.loaded", "a cell is in memory"},
	[CS_MOMENT_CELL_SHOWING] = {"cell.showing", "a cell begins to be made visible"},
	[CS_MOMENT_CELL_SHOW] = {"cell.show", "a cell is visible"},
	[CS_MOMENT_CELL_HIDE] = {"cell.hide", "a visible cell begins to be made invisible"},
	[CS_MOMENT_CELL_HIDDEN] = {"cell.hidden", "a cell is invisible, still in memory"},
	[CS_MOMENT_CELL_UNLOAD] = {"cell.unload", "a cell is unloaded"},
	[CS_MOMENT_CELL_REMOVE] = {"cell.remove", "the level of an unloaded cell is removed"},
	[CS_MOMENT_CELL_FAIL] = {"cell.fail", "the package of a cell cannot be loaded"},
	[CS_MOMENT_CELL_LATE] = {"cell.late",
		"a cell of the followed real run is visible: break cell.late > 500 (ms)"},
	[CS_MOMENT_LAYER] = {"layer.change", "the effective state of a data layer changes"},
	[CS_MOMENT_HLOD] = {"hlod.change", "an HLOD actor shows, hides, is loaded or is unloaded"},
	[CS_MOMENT_HLOD_HOLE] = {"hlod.hole",
		"neither an HLOD actor nor the cell that it replaces shows"},
	[CS_MOMENT_BUDGET] = {"budget.exceed",
		"a frame ends while cells wait for their turn to load"},
	[CS_MOMENT_PERFORMANCE] = {"performance.change",
		"streaming performance becomes good, slow or critical"},
	[CS_MOMENT_BLOCK] = {"block.begin", "the frame ends in a wait for streaming"},
	[CS_MOMENT_HOLD] = {"server.hold", "the server keeps a cell because a client sees it"},
	[CS_MOMENT_RELEASE] = {"server.release", "no client keeps a cell of the server any more"},
	[CS_MOMENT_EPOCH] = {"server.epoch",
		"the server publishes a new state of its cells (epoch)"},
	[CS_MOMENT_WORLD] = {"world.change", "a world partition is registered or unregistered"},
	[CS_MOMENT_PURGE] = {"purge", "garbage collection frees unloaded levels"},
	[CS_MOMENT_PAGE_REQUEST] = {"page.request",
		"a page gets a slot of the page pool, and reading it begins"},
	[CS_MOMENT_PAGE_INSTALL] = {"page.install",
		"a page is installed in the pool, and its fixups are applied"},
	[CS_MOMENT_PAGE_EVICT] = {"page.evict", "a page is evicted from the pool"},
	[CS_MOMENT_POOL_FULL] = {"pool.full",
		"a page is wanted, but no page in the pool may be evicted for it"},
	[CS_MOMENT_QUALITY_DROP] = {"quality.drop",
		"requests exceed the pool: errors above the threshold are allowed"},
};

static const struct cs_word hitch_causes[] = {
	[CS_HITCH_FAILED] = {"could not be loaded"},
	[CS_HITCH_STALL] = {"the game waited for it"},
	[CS_HITCH_BUDGET] = {"waited for its turn"},
	[CS_HITCH_ACTORS] = {"actors to show"},
	[CS_HITCH_LOADING] = {"bytes to load"},
	[CS_HITCH_WAITS] = {"not loaded yet"},
	[CS_HITCH_NONE] = {"cheap"},
};

static const struct cs_word map_overlays[] = {
	[CS_MAP_STATE] = {"state", "streaming state of the cell"},
	[CS_MAP_ACTORS] = {"actors", "number of actors in the fullest cell of the character"},
	[CS_MAP_BYTES] = {"bytes", "bytes of all cells of the character by the load model"},
	[CS_MAP_LAYERS] = {"layer", "data layers, a letter each"},
	[CS_MAP_HLOD] = {"hlod", "HLOD actor that replaces the cell"},
	[CS_MAP_PRIORITY] = {"priority", "rank in the loading order of the last frame"},
	[CS_MAP_WHY_NOT] = {"why-not", "rule that keeps a cell from being loaded"},
	[CS_MAP_GIVEN] = {"rows", "mark that a row of a command gives to the cell"},
};

static const struct cs_word page_states[] = {
	[CS_PAGE_ABSENT] = {"not loaded"},
	[CS_PAGE_LOADING] = {"loading"},
	[CS_PAGE_RESIDENT] = {"resident"},
	[CS_PAGE_ROOT] = {"root"},
};

static const struct cs_word step_states[] = {
	[CS_FARM_WAITING] = {"waiting"},
	[CS_FARM_RUNNING] = {"running"},
	[CS_FARM_HIT] = {"hit"},
	[CS_FARM_DONE] = {"done"},
	[CS_FARM_FAILED] = {"failed"},
	[CS_FARM_SKIPPED] = {"skipped"},
};

static const struct cs_word written_kinds[] = {
	[CS_UE_WRITTEN_LOG] = {"log"},
	[CS_UE_WRITTEN_COOK] = {"cook"},
	[CS_UE_WRITTEN_PROFILE] = {"profile"},
};

/* A list and its length; an error of the compiler unless it has words for the last value. */
#define LIST(table, values)                                                         \
	{                                                                           \
		table, sizeof(char[CS_COUNT_OF(table) == (values) ? (values) : -1]) \
	}

static const struct {
	const struct cs_word *at;
	size_t n;
} lists[CS_WORD_LISTS] = {
	[CS_WORDS_CODE] = LIST(codes, CS_COUNT_OF(codes)),
	[CS_WORDS_CERTAINTY] = LIST(certainties, CS_CERTAINTIES),
	[CS_WORDS_SEVERITY] = LIST(severities, CS_ERROR + 1),
	[CS_WORDS_CHECK] = LIST(checks, CS_CHECK_COUNT),
	[CS_WORDS_PLACEMENT] = LIST(placements, CS_UNPLACED_CIRCULAR + 1),
	[CS_WORDS_ALWAYS] = LIST(always_reasons, CS_ALWAYS_REASONS),
	[CS_WORDS_DIFFERENCE] = LIST(differences, CS_COUNT_OF(differences)),
	[CS_WORDS_COMPARED] = LIST(compared_kinds, CS_COMPARE_KINDS),
	[CS_WORDS_CHANGE] = LIST(changes, CS_COMPARE_CHANGES),
	[CS_WORDS_VERDICT] = LIST(compare_verdicts, CS_COMPARE_UNEXPLAINED + 1),
	[CS_WORDS_LEVEL_STATE] = LIST(level_states, CS_LEVEL_STATES),
	[CS_WORDS_CELL_STATE] = LIST(cell_states, CS_MAP_STATES),
	[CS_WORDS_PERFORMANCE] = LIST(performances, CS_PERFORMANCES),
	[CS_WORDS_REASON] = LIST(reasons, CS_REASON_COUNT),
	[CS_WORDS_ORDER_KEY] = LIST(order_keys, CS_ORDER_KEYS),
	[CS_WORDS_LAYER_ANSWER] = LIST(layer_answers, CS_LAYER_ANSWERS),
	[CS_WORDS_LAYER_VERDICT] = LIST(layer_verdicts, CS_LAYER_VERDICTS),
	[CS_WORDS_HLOD_STATE] = LIST(hlod_states, CS_HLOD_STATES),
	[CS_WORDS_HLOD_FAULT] = LIST(hlod_faults, CS_HLOD_FAULTS),
	[CS_WORDS_RANGE_ORIGIN] = LIST(range_origins, CS_RANGE_OVERRIDE + 1),
	[CS_WORDS_MOMENT] = LIST(moments, CS_MOMENTS),
	[CS_WORDS_HITCH_CAUSE] = LIST(hitch_causes, CS_HITCH_CAUSES),
	[CS_WORDS_MAP_OVERLAY] = LIST(map_overlays, CS_MAP_GIVEN + 1),
	[CS_WORDS_PAGE_STATE] = LIST(page_states, CS_PAGE_ROOT + 1),
	[CS_WORDS_STEP_STATE] = LIST(step_states, CS_FARM_STATES),
	[CS_WORDS_WRITTEN] = LIST(written_kinds, CS_UE_WRITTEN_PROFILE + 1),
};

const struct cs_word *cs_words(enum cs_words list, size_t *n_ret)
{
	*n_ret = lists[list].n;
	return lists[list].at;
}
