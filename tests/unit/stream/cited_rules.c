/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every verdict of a run cites a rule of the book, and that rule is about it: beside each verdict
 * stands what its rule must say, written from the verdict and not from the book.
 */

#include "core/vec.h"
#include "tests/samples/tap.h"

#include <cellscope/core.h>
#include <cellscope/stream.h>

#include <string.h>

static const char *const reasons[CS_REASON_COUNT] = {
	[CS_REASON_ALWAYS_LOADED] = "always loaded",
	[CS_REASON_NON_SPATIAL] = "Non-spatial cells",
	[CS_REASON_IN_RANGE] = "its sphere touches the bounds",
	[CS_REASON_SNAPPED] = "the parents of a wanted cell are wanted",
	[CS_REASON_SERVER] = "A server has all cells",
	[CS_REASON_NO_STREAM_OUT] = "Without streaming out",
	[CS_REASON_DISALLOWED] = "layers that must not be streamed out",
	[CS_REASON_CLIENT_SEES] = "while a client sees",
	[CS_REASON_NOT_REGISTERED] = "is registered",
	[CS_REASON_NO_SOURCE] = "without sources nothing",
	[CS_REASON_GRID_FILTER] = "grids to include or exclude",
	[CS_REASON_OUT_OF_RANGE] = "its sphere touches the bounds",
	[CS_REASON_LAYERS] = "layers counts",
	[CS_REASON_HLOD_OFF] = "While HLOD is off",
	[CS_REASON_CLIENT_ONLY] = "only clients show do not exist",
	[CS_REASON_LEVEL_FILTER] = "a level that is filtered out",
	[CS_REASON_NO_BOUNDS] = "found by the bounds of their contents",
	[CS_REASON_NOT_RUN] = "updates the wishes of all partitions",
	[CS_REASON_LAYERS_LOADED] = "best state of its layers counts",
	[CS_REASON_TARGET_LOADED] = "a target state",
	[CS_REASON_BUDGET] = "At most four levels load",
	[CS_REASON_PERFORMANCE] = "cells that do not block are skipped",
	[CS_REASON_LOADING] = "loading",
	[CS_REASON_FAILED] = "failed",
	[CS_REASON_WARMUP] = "Warm-up delays",
	[CS_REASON_TURN] = "one level at a time",
	[CS_REASON_MAKING_VISIBLE] = "being made visible",
	[CS_REASON_SERVER_ACK] = "until the server has answered",
	[CS_REASON_MAKING_INVISIBLE] = "being hidden",
	[CS_REASON_CANCELLED] = "no longer wanted is finished",
	[CS_REASON_STILL_AROUND] = "stays in memory",
	[CS_REASON_ARRIVED] = "at least the requested state",
};

static const char *const keys[CS_ORDER_KEYS] = {
	[CS_KEY_SOURCE] = "source priority (ascending)",
	[CS_KEY_LEVEL] = "hierarchical level (descending)",
	[CS_KEY_PRIORITY] = "cell priority (ascending)",
	[CS_KEY_SPATIAL] = "spatial value (ascending",
	[CS_KEY_DISTANCE] = "ties by distance",
	[CS_KEY_NAME] = "then by name",
	[CS_KEY_LIST] = "activations first",
};

static const char *const performances[CS_PERFORMANCES] = {
	[CS_PERFORMANCE_GOOD] = "ratio",
	[CS_PERFORMANCE_SLOW] = "slow below 0.5",
	[CS_PERFORMANCE_CRITICAL] = "critical when its ratio is below 0.25",
	[CS_PERFORMANCE_IMMEDIATE] = "immediate at ratio 0",
};

static const char *const layer_answers[CS_LAYER_ANSWERS] = {
	[CS_LAYER_SET] = "may set the layer",
	[CS_LAYER_UNCHANGED] = "may set the layer",
	[CS_LAYER_NOT_RUNTIME] = "Editor layers do not exist at run time",
	[CS_LAYER_NO_AUTHORITY] = "is set by the server",
	[CS_LAYER_WRONG_ROLE] = "Only the role that the load filter of a layer names",
};

static const char *const layer_verdicts[CS_LAYER_VERDICTS] = {
	[CS_LAYER_IS_EDITOR] = "Editor layers do not exist at run time",
	[CS_LAYER_OTHER_ROLE] = "load filter",
	[CS_LAYER_ANCESTOR] = "Runtime ancestors",
	[CS_LAYER_NOT_SENT] = "sends it to its clients",
	[CS_LAYER_NOT_ACTIVATED] = "least of its own",
	[CS_LAYER_NO_CELLS] = "Empty cells are never created",
	[CS_LAYER_ABSENT] = "only clients show do not exist",
	[CS_LAYER_OUT_OF_RANGE] = "its sphere touches the bounds",
	[CS_LAYER_EXTERNAL_OFF] = "An external layer must be active",
	[CS_LAYER_OTHERS_OFF] = "with And the worst",
	[CS_LAYER_EXCLUDED] = "want nothing",
	[CS_LAYER_CELLS_FAILED] = "failed",
	[CS_LAYER_ON_THE_WAY] = "being made visible",
	[CS_LAYER_NOT_RUN] = "updates the wishes of all partitions",
	[CS_LAYER_ONLY_LOADED] = "a target state",
	[CS_LAYER_IS_VISIBLE] = "best state of its layers counts",
};

static const char *const hlod_states[CS_HLOD_STATES] = {
	[CS_HLOD_HIDDEN] = "while the cell that it stands for is hidden",
	[CS_HLOD_SHOWN] = "An HLOD actor shows",
	[CS_HLOD_AWAY] = "while the cell that it stands for is hidden",
	[CS_HLOD_HOLE] = "there is a hole",
	[CS_HLOD_OUTDATED] = "is outdated",
};

static const char *const hlod_faults[CS_HLOD_FAULTS] = {
	[CS_HLOD_FAULT_OUTDATED] = "is outdated",
	[CS_HLOD_FAULT_HOLE] = "there is a hole",
	[CS_HLOD_FAULT_RANGE] = "loads no farther than the grid",
	[CS_HLOD_FAULT_NO_HOME] = "HLOD actors are placed like actors",
};

/*
 * Checks that a verdict cites a rule with that text. Only the verdict that nothing decided has no
 * rule.
 */
static void cites(const char *kind, int verdict, const char *number, const char *says)
{
	const struct cs_rulebook_entry *rule = number ? cs_rulebook_find(number) : NULL;
	ok(says ? rule && strstr(rule->text, says) : !number, "%s %d: %s says \"%s\"", kind,
		verdict, number ? number : "no rule", says ? says : "nothing");
}

#define EACH_CITES(kind, table, list)                     \
	for (int i = 0; i < (int)CS_COUNT_OF(table); i++) \
	cites(kind, i, cs_word(list, (uint32_t)i)->rule, table[i])

static size_t silent(const char *const *table, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += !table[i];
	return count;
}

int main(void)
{
	EACH_CITES("reason", reasons, CS_WORDS_REASON);
	EACH_CITES("sort key", keys, CS_WORDS_ORDER_KEY);
	EACH_CITES("performance", performances, CS_WORDS_PERFORMANCE);
	EACH_CITES("answer to a layer", layer_answers, CS_WORDS_LAYER_ANSWER);
	EACH_CITES("verdict on a layer", layer_verdicts, CS_WORDS_LAYER_VERDICT);
	EACH_CITES("HLOD state", hlod_states, CS_WORDS_HLOD_STATE);
	EACH_CITES("HLOD fault", hlod_faults, CS_WORDS_HLOD_FAULT);
	is_int(silent(reasons, CS_COUNT_OF(reasons)) + silent(keys, CS_COUNT_OF(keys)), 2,
		"of reasons and keys NONE alone has no rule");
	is_int(silent(performances, CS_COUNT_OF(performances)) +
			silent(layer_answers, CS_COUNT_OF(layer_answers)) +
			silent(layer_verdicts, CS_COUNT_OF(layer_verdicts)) +
			silent(hlod_states, CS_COUNT_OF(hlod_states)) +
			silent(hlod_faults, CS_COUNT_OF(hlod_faults)),
		0, "all other verdicts have one");
	ok(!cs_word(CS_WORDS_REASON, CS_REASON_COUNT)->rule &&
			!cs_word(CS_WORDS_ORDER_KEY, CS_ORDER_KEYS)->rule &&
			!cs_word(CS_WORDS_PERFORMANCE, CS_PERFORMANCES)->rule &&
			!cs_word(CS_WORDS_LAYER_ANSWER, CS_LAYER_ANSWERS)->rule &&
			!cs_word(CS_WORDS_LAYER_VERDICT, CS_LAYER_VERDICTS)->rule &&
			!cs_word(CS_WORDS_HLOD_STATE, CS_HLOD_STATES)->rule &&
			!cs_word(CS_WORDS_HLOD_FAULT, CS_HLOD_FAULTS)->rule,
		"what is no verdict has no rule");
	return done();
}
