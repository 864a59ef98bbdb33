/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary search, and union-find. In sorted rows, finds the first row that is not less than a key:
 *
 *	size_t at = cs_lower_bound(0, n, i, names[i].id < id);
 *	bool found = at < n && names[at].id == id;
 *
 * Finds the last row that begins at or before a position, if the first row begins at 0:
 *
 *	size_t row = cs_lower_bound(1, n, i, first[i] <= place) - 1;
 *
 * In union-find, roots[i] is i itself, or an item of the same set that is nearer to its root, which
 * is the smallest item of the set.
 */
#pragma once

#include <stdint.h>

/*
 * Returns the first `i` in [first, end) for which the expression `below` is false, or `end`.
 * `below` must be true up to some `i` and false from there on. The result has the type of `end`.
 */
#define cs_lower_bound(first, end, i, below)                                          \
	({                                                                            \
		__typeof__((end) + 0) low_##i = (first), high_##i = (end);            \
		while (low_##i < high_##i) {                                          \
			__typeof__((end) + 0) i = low_##i + (high_##i - low_##i) / 2; \
			if (below)                                                    \
				low_##i = i + 1;                                      \
			else                                                          \
				high_##i = i;                                         \
		}                                                                     \
		low_##i;                                                              \
	})

/* Returns the root of the item's set. Shortens the path to it for later calls. */
static inline uint32_t cs_find_root(uint32_t *roots, uint32_t item)
{
	while (roots[item] != item) {
		roots[item] = roots[roots[item]];
		item = roots[item];
	}
	return item;
}

/* Joins the sets of two items. */
static inline void cs_join_roots(uint32_t *roots, uint32_t left, uint32_t right)
{
	left = cs_find_root(roots, left);
	right = cs_find_root(roots, right);
	roots[left < right ? right : left] = left < right ? left : right;
}
