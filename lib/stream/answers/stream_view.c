/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the names of states. */
#include <cellscope/stream.h>

static const char *const level_names[CS_LEVEL_STATES] = {"removed", "unloaded", "failed", "loading",
	"not_visible", "making_visible", "visible", "making_invisible"};

static const char *const performance_names[] = {"good", "slow", "critical", "immediate"};

static const char *const key_names[] = {
	"-", "source", "level", "priority", "spatial", "distance", "name"};

const char *cs_level_state_name(enum cs_level_state state)
{
	return (unsigned)state < CS_LEVEL_STATES ? level_names[state] : "?";
}

bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

const char *cs_performance_name(enum cs_performance performance)
{
	return (unsigned)performance <= CS_PERFORMANCE_IMMEDIATE ? performance_names[performance]
								 : "?";
}

const char *cs_order_key_name(enum cs_order_key key)
{
	return (unsigned)key <= CS_KEY_NAME ? key_names[key] : "?";
}
