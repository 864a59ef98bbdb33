/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stable merge sort of indices with a comparison that the compiler can inline, for lists that are
 * sorted so often that calling a comparison or moving whole rows would take most of the time.
 * Sorting a sorted list takes one comparison for each pair of neighbours.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns whether `left` comes after `right`. */
typedef bool cs_is_behind(const void *context, uint32_t left, uint32_t right);

enum { CS_INLINE_RUN = 8 };

static inline __attribute__((always_inline)) void cs_inline_run(
	uint32_t *order, size_t n, cs_is_behind *is_behind, const void *context)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t index = order[i];
		size_t k = i;
		for (; k > 0 && is_behind(context, order[k - 1], index); k--)
			order[k] = order[k - 1];
		order[k] = index;
	}
}

static inline __attribute__((always_inline)) void cs_inline_merge(const uint32_t *from,
	size_t n_left, size_t n, uint32_t *to, cs_is_behind *is_behind, const void *context)
{
	size_t left = 0, right = n_left, out = 0;
	if (n_left < n && !is_behind(context, from[n_left - 1], from[n_left]))
		right = n; /* the two sorted halves are already in order */
	while (left < n_left && right < n)
		to[out++] =
			is_behind(context, from[left], from[right]) ? from[right++] : from[left++];
	memcpy(to + out, from + left, (n_left - left) * sizeof(*to));
	out += n_left - left;
	memcpy(to + out, from + out, (n - out) * sizeof(*to));
}

/* Sorts the n indices in `order`. `buffer` has room for n indices. */
static inline __attribute__((always_inline)) void cs_inline_sort(
	uint32_t *order, uint32_t *buffer, size_t n, cs_is_behind *is_behind, const void *context)
{
	uint32_t *from = order, *to = buffer;
	for (size_t i = 0; i < n; i += CS_INLINE_RUN)
		cs_inline_run(order + i, n - i < CS_INLINE_RUN ? n - i : CS_INLINE_RUN, is_behind,
			context);
	for (size_t width = CS_INLINE_RUN; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width) {
			size_t both = n - i < 2 * width ? n - i : 2 * width;
			cs_inline_merge(from + i, both < width ? both : width, both, to + i,
				is_behind, context);
		}
		uint32_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != order)
		memcpy(order, from, n * sizeof(*order));
}
