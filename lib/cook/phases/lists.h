/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted lists of u32 without repetitions, each stored once and named by a number: two lists are
 * equal exactly when their numbers are. List 0 is the empty one.
 */
#pragma once

#include "core/slots.h"
#include "core/vec.h"

#include <cellscope/cooked.h>

struct cs_lists {
	CS_VEC(uint32_t) values;
	CS_VEC(struct cs_range) lists;
	struct cs_slots slots; /* numbers of lists */
};

/*
 * Sorts `values` in place, drops repetitions, and returns the list's number; CS_NONE without
 * memory.
 */
uint32_t cs_lists_add(struct cs_lists *lists, uint32_t *values, size_t n);
/* Returns the list of all elements of both; CS_NONE without memory. */
uint32_t cs_lists_union(struct cs_lists *lists, uint32_t left, uint32_t right);
void cs_lists_deinit(struct cs_lists *lists);

static inline struct cs_range cs_lists_range(const struct cs_lists *lists, uint32_t list)
{
	return list ? lists->lists.at[list] : (struct cs_range){0, 0};
}
