/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted lists of distinct u32, each stored once: its index identifies it. List 0 is empty. */
#pragma once

#include "core/slots.h"
#include "core/vec.h"

#include <cellscope/cooked.h>

struct cs_lists {
	CS_VEC(uint32_t) values;
	CS_VEC(struct cs_range) lists;
	struct cs_slots slots; /* finds the index of a list by its values */
};

/*
 * Stores the values as a list, sorted and each once, unless an equal list is stored. Sorts `values`
 * in place. Returns the index of the list, or CS_NONE when memory runs out.
 */
uint32_t cs_lists_add(struct cs_lists *lists, uint32_t *values, size_t n);
/* Returns the index of the union of two lists; CS_NONE when memory runs out. */
uint32_t cs_lists_union(struct cs_lists *lists, uint32_t left, uint32_t right);
void cs_lists_deinit(struct cs_lists *lists);

static inline struct cs_range cs_lists_range(const struct cs_lists *lists, uint32_t list)
{
	return list ? lists->lists.at[list] : (struct cs_range){0, 0};
}
