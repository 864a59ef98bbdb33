/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of validation (world-partition rules 1.4), from the table checks.def. */
#ifndef CELLSCOPE_VALIDATION_H
#define CELLSCOPE_VALIDATION_H

#include <cellscope/api.h>

CS_BEGIN_DECLS

enum cs_check {
#define CHECK(name, token, rule, page) CS_CHECK_##name,
#include <cellscope/checks.def>
#undef CHECK
	CS_CHECK_COUNT
};

/* "WorldPartition_InvalidRuntimeGrid", "actor_mesh"; "?" for none. */
CS_API const char *cs_check_token(enum cs_check check);
/* The number of the rule (cellscope/rulebook.h) that a check belongs to; NULL for none. */
CS_API const char *cs_check_rule(enum cs_check check);

CS_END_DECLS

#endif
