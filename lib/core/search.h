/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one binary search. Where rows are in order, what is looked for is a border: the first place
 * that is not below it.
 *
 *	size_t at = cs_lower_bound(0, n, i, names[i].id < id);
 *	bool found = at < n && names[at].id == id;
 *
 * The last row that begins at or before a place, of rows that begin at the first:
 *
 *	size_t row = cs_lower_bound(1, n, i, first[i] <= place) - 1;
 */
#pragma once

/*
 * The first `i` of [first, end) for which the expression `below` is false, or `end`: it is true of
 * those before and false of those behind. Of the type of `end`.
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
