/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which cells load (rule 2.4): sorting a list of cells, or finding its first rows. */
#pragma once

#include <cellscope/stream.h>

struct cs_stream;

/* Up to this many first rows of a list are selected. For more, the whole list is sorted. */
enum { CS_ORDER_FIRST = 64 };

/* Sorts rows, and records which key put each row behind the previous one; false = no memory. */
bool cs_run_order_rows(struct cs_stream *stream, struct cs_stream_order_row *rows, size_t n);
bool cs_run_order_sort(struct cs_stream *stream, enum cs_order_list list);
enum cs_order_key cs_run_order_decide(const struct cs_stream *stream,
	const struct cs_stream_order_row *left, const struct cs_stream_order_row *right,
	int *order_ret);
/*
 * Of n > 0 unsorted rows, returns the first row of the tie (run of nearly equal spatial keys) to
 * which row n_first - 1 of the load order belongs. 0 < n_first <= CS_ORDER_FIRST.
 */
struct cs_stream_order_row cs_run_order_last(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first);
/* Returns the row that would be at index n_first - 1 after sorting by the first three keys. */
struct cs_stream_order_row cs_run_order_last_rank(
	const struct cs_stream_order_row *rows, size_t n, size_t n_first);
/* Returns whether a row sorts after `last` by the first three keys. */
bool cs_run_order_ranks_behind(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row);
bool cs_run_order_within(
	const struct cs_stream_order_row *last, const struct cs_stream_order_row *row);
/*
 * Returns whether these n rows, sorted alone, have the order that they have in the sorted whole
 * list, as the rows before `first` do. False if two neighbours have nearly equal spatial keys:
 * which rows tie depends on all rows of the list.
 */
bool cs_run_order_certain(const struct cs_stream_order_row *rows, size_t first, size_t n);
bool cs_run_prioritise(struct cs_stream *stream);
/* Returns whether the cell has reached the state that the list requests: visible, or loaded. */
bool cs_run_order_arrived(
	const struct cs_stream *stream, enum cs_order_list list, struct cs_stream_cell cell);
/* Reserves memory for sorting n rows, so that sorting cannot fail; NULL = out of memory. */
void *cs_run_order_room(struct cs_stream *stream, size_t n);
/* Reserves memory for sorting n elements of `size` bytes; NULL when memory runs out. */
void *cs_run_scratch(struct cs_stream *stream, size_t n, size_t size);
