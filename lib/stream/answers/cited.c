/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: which rule of the book (cellscope/core.h) each verdict of a run follows. A verdict is
 * what the run records; its rule is looked up when it is shown, so a frame pays nothing for it.
 */
#include <cellscope/stream.h>

#include "core/vec.h"

static const char *const of_reasons[] = {
	[CS_REASON_ALWAYS_LOADED] = "1.6.6",
	[CS_REASON_NON_SPATIAL] = "2.3.2",
	[CS_REASON_IN_RANGE] = "2.2.4",
	[CS_REASON_SNAPPED] = "1.7.5",
	[CS_REASON_SERVER] = "2.7",
	[CS_REASON_NO_STREAM_OUT] = "2.7",
	[CS_REASON_DISALLOWED] = "2.7",
	[CS_REASON_CLIENT_SEES] = "2.7",
	[CS_REASON_NOT_REGISTERED] = "2.1",
	[CS_REASON_NO_SOURCE] = "2.3.2",
	[CS_REASON_GRID_FILTER] = "2.2.1",
	[CS_REASON_OUT_OF_RANGE] = "2.2.4",
	[CS_REASON_LAYERS] = "2.8",
	[CS_REASON_HLOD_OFF] = "2.9",
	[CS_REASON_CLIENT_ONLY] = "2.7",
	[CS_REASON_LEVEL_FILTER] = "2.3.2",
	[CS_REASON_NO_BOUNDS] = "1.6.7",
	[CS_REASON_NOT_RUN] = "2.3",
	[CS_REASON_LAYERS_LOADED] = "2.8",
	[CS_REASON_TARGET_LOADED] = "2.2.1",
	[CS_REASON_BUDGET] = "2.3.4",
	[CS_REASON_PERFORMANCE] = "2.5",
	[CS_REASON_LOADING] = "2.6",
	[CS_REASON_FAILED] = "2.6",
	[CS_REASON_WARMUP] = "2.9",
	[CS_REASON_TURN] = "2.6",
	[CS_REASON_MAKING_VISIBLE] = "2.6",
	[CS_REASON_SERVER_ACK] = "2.7",
	[CS_REASON_MAKING_INVISIBLE] = "2.6",
	[CS_REASON_CANCELLED] = "2.6",
	[CS_REASON_STILL_AROUND] = "2.6",
	[CS_REASON_ARRIVED] = "2.10",
};

static const char *const of_keys[] = {
	[CS_KEY_SOURCE] = "2.4",
	[CS_KEY_LEVEL] = "2.4",
	[CS_KEY_PRIORITY] = "2.4",
	[CS_KEY_SPATIAL] = "2.4",
	[CS_KEY_DISTANCE] = "2.4",
	[CS_KEY_NAME] = "2.4",
};

static const char *const of_performances[] = {
	[CS_PERFORMANCE_GOOD] = "2.5",
	[CS_PERFORMANCE_SLOW] = "2.5",
	[CS_PERFORMANCE_CRITICAL] = "2.5",
	[CS_PERFORMANCE_IMMEDIATE] = "2.5.7",
};

static const char *const of_layer_answers[] = {
	[CS_LAYER_SET] = "2.8",
	[CS_LAYER_UNCHANGED] = "2.8",
	[CS_LAYER_NOT_RUNTIME] = "1.2.4",
	[CS_LAYER_NO_AUTHORITY] = "2.8",
	[CS_LAYER_WRONG_ROLE] = "2.8",
};

static const char *const of_layer_verdicts[] = {
	[CS_LAYER_IS_EDITOR] = "1.2.4",
	[CS_LAYER_OTHER_ROLE] = "2.8",
	[CS_LAYER_ANCESTOR] = "2.8",
	[CS_LAYER_NOT_SENT] = "2.8",
	[CS_LAYER_NOT_ACTIVATED] = "2.8",
	[CS_LAYER_NO_CELLS] = "1.6.6",
	[CS_LAYER_ABSENT] = "2.7",
	[CS_LAYER_OUT_OF_RANGE] = "2.2.4",
	[CS_LAYER_EXTERNAL_OFF] = "2.8",
	[CS_LAYER_OTHERS_OFF] = "2.8",
	[CS_LAYER_EXCLUDED] = "2.3.2",
	[CS_LAYER_CELLS_FAILED] = "2.6",
	[CS_LAYER_ON_THE_WAY] = "2.6",
	[CS_LAYER_NOT_RUN] = "2.3",
	[CS_LAYER_ONLY_LOADED] = "2.2.1",
	[CS_LAYER_IS_VISIBLE] = "2.8",
};

static const char *const of_hlod_states[] = {
	[CS_HLOD_HIDDEN] = "2.9",
	[CS_HLOD_SHOWN] = "2.9",
	[CS_HLOD_AWAY] = "2.9",
	[CS_HLOD_HOLE] = "2.9",
	[CS_HLOD_OUTDATED] = "2.9",
};

static const char *const of_hlod_faults[] = {
	[CS_HLOD_FAULT_OUTDATED] = "2.9",
	[CS_HLOD_FAULT_HOLE] = "2.9",
	[CS_HLOD_FAULT_RANGE] = "2.9",
	[CS_HLOD_FAULT_NO_HOME] = "1.6.8",
};

#define RULES_OF(table, verdicts) \
	_Static_assert(CS_COUNT_OF(table) == (verdicts), #table " has a rule for the last verdict")

RULES_OF(of_reasons, CS_REASON_COUNT);
RULES_OF(of_keys, CS_ORDER_KEYS);
RULES_OF(of_performances, CS_PERFORMANCES);
RULES_OF(of_layer_answers, CS_LAYER_ANSWERS);
RULES_OF(of_layer_verdicts, CS_LAYER_VERDICTS);
RULES_OF(of_hlod_states, CS_HLOD_STATES);
RULES_OF(of_hlod_faults, CS_HLOD_FAULTS);

const char *cs_reason_rule(enum cs_reason reason)
{
	return (unsigned)reason < CS_REASON_COUNT ? of_reasons[reason] : NULL;
}

const char *cs_order_key_rule(enum cs_order_key key)
{
	return (unsigned)key < CS_ORDER_KEYS ? of_keys[key] : NULL;
}

const char *cs_performance_rule(enum cs_performance performance)
{
	return (unsigned)performance < CS_PERFORMANCES ? of_performances[performance] : NULL;
}

const char *cs_layer_answer_rule(enum cs_layer_answer answer)
{
	return (unsigned)answer < CS_LAYER_ANSWERS ? of_layer_answers[answer] : NULL;
}

const char *cs_layer_verdict_rule(enum cs_layer_verdict verdict)
{
	return (unsigned)verdict < CS_LAYER_VERDICTS ? of_layer_verdicts[verdict] : NULL;
}

const char *cs_hlod_state_rule(enum cs_hlod_state state)
{
	return (unsigned)state < CS_HLOD_STATES ? of_hlod_states[state] : NULL;
}

const char *cs_hlod_fault_rule(enum cs_hlod_fault fault)
{
	return (unsigned)fault < CS_HLOD_FAULTS ? of_hlod_faults[fault] : NULL;
}
