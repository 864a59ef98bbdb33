/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of any type:
 *
 *	CS_VEC(struct cs_guid) references = {0};
 *	if (!cs_vec_push(&references, guid))
 *		return cs_error_nomem();
 *	for (size_t i = 0; i < references.n; i++)
 *		use(references.at[i]);
 *	cs_vec_free(&references);
 */
#pragma once

#include "core/large.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CS_VEC(type)            \
	struct {                \
		type *at;       \
		size_t n, room; \
	}

/* Makes room for `more` elements. If the array must grow, it grows by at least half. */
static inline bool cs_vec_reserve_bytes(void **at, size_t n, size_t *room, size_t more, size_t size)
{
	if (more <= *room - n)
		return true;
	size_t want = *room + *room / 2 + 8, bytes;
	if (more > SIZE_MAX - n)
		return false;
	if (want < n + more)
		want = n + more;
	if (__builtin_mul_overflow(want, size, &bytes))
		return false;
	void *grown = cs_large_realloc(*at, bytes);
	if (!grown)
		return false;
	*at = grown;
	*room = want;
	return true;
}

#define cs_vec_reserve(v, more) \
	cs_vec_reserve_bytes((void **)&(v)->at, (v)->n, &(v)->room, more, sizeof(*(v)->at))
#define cs_vec_push(v, ...) \
	(cs_vec_reserve(v, 1) ? ((v)->at[(v)->n++] = (__VA_ARGS__), true) : false)
/* Appends an element to the member `list` of `owner`. When memory runs out, sets owner->failed. */
#define cs_vec_push_in(owner, list, ...) \
	((owner)->failed |= !cs_vec_push(&(owner)->list, __VA_ARGS__))
#define cs_vec_append(v, from, count)                                                          \
	((count) == 0 ? true                                                                   \
		: cs_vec_reserve(v, count)                                                     \
			? (memcpy((v)->at + (v)->n, from, (size_t)(count) * sizeof(*(v)->at)), \
				  (v)->n += (size_t)(count), true)                             \
			: false)
#define cs_vec_free(v) (free((v)->at), (v)->at = NULL, (v)->n = 0, (v)->room = 0)
/* Stores the elements in *at_ret, or frees them if `error` is not NULL. Returns `error`. */
#define cs_vec_give(v, error, at_ret, n_ret) \
	((error) ? (void)cs_vec_free(v) : (void)(*(at_ret) = (v)->at, *(n_ret) = (v)->n), error)

/* Resizes an array to n elements. Returns false, and changes nothing, when memory runs out. */
static inline bool cs_grow_bytes(void **at, size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes))
		return false;
	void *grown = cs_large_realloc(*at, bytes ? bytes : 1);
	if (grown)
		*at = grown;
	return grown != NULL;
}

#define cs_grow(at, n) cs_grow_bytes((void **)&(at), n, sizeof(*(at)))

/* Number of elements of an array (not a pointer). */
#define CS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
