/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of cells (2.4): of lists as a whole, and of the first of them.
 */
#pragma once

#include <cellscope/stream.h>

struct cs_stream;

/* So many first ones of a list are looked for; for more it is sorted. */
enum { CS_ORDER_FIRST = 64 };

/* Sorts rows that have keys, and says of each what decided; false without memory. */
bool cs_run_order_rows(struct cs_stream *s, struct cs_stream_order_row *rows, size_t n);
bool cs_run_order_sort(struct cs_stream *s, enum cs_order_list list);
enum cs_order_key cs_run_order_decide(const struct cs_stream *s,
	const struct cs_stream_order_row *left, const struct cs_stream_order_row *right,
	int *order_ret);
/*
 * Of n > 0 rows in any order: the one that opens the last tie that the first n_first of their order
 * reach into; 0 < n_first <= CS_ORDER_FIRST. What is within it, not behind it nor its tie, is the
 * beginning of the order, whole ties of it.
 */
struct cs_stream_order_row cs_run_order_last(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first);
/* The last of the first ones by the first three keys alone, and whether a row stands behind it. */
struct cs_stream_order_row cs_run_order_last_rank(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first);
bool cs_run_order_ranks_behind(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row);
bool cs_run_order_within(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row);
/*
 * Whether some rows of a list, sorted by themselves, stand as they do in the whole list, from
 * `first` on. Where two of them are nearly equal, rows between them decide where a tie ends.
 */
bool cs_run_order_certain(const struct cs_stream_order_row *rows, size_t first, size_t n);
bool cs_run_prioritise(struct cs_stream *s);
/* Whether the cell is where the list would take it. */
bool cs_run_order_arrived(
	const struct cs_stream *s, enum cs_order_list list, struct cs_stream_cell cell);
/* The room that sorting n rows takes; where it is there asking again cannot fail. */
void *cs_run_order_room(struct cs_stream *s, size_t n);
/* Room for sorting n elements of `size`; NULL without memory. */
void *cs_run_scratch(struct cs_stream *s, size_t n, size_t size);
