/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts rows by the texts of a column. A hash table numbers the different texts in the order in
 * which they occur. The texts are sorted, and the rows are then sorted by counting (Knuth, "The Art
 * of Computer Programming" 3, 5.2D), so the time for each row does not depend on the size of the
 * table. SQLite would sort all rows by comparisons, in lists that are scattered in memory.
 */
#include "query/sql/value_order.h"

#include "core/job.h"
#include "core/slots.h"
#include "core/sort.h"
#include "core/vec.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

struct text_at {
	size_t at; /* offset in `bytes` */
	uint64_t hash;
};

/* The different texts of a column, numbered in the order of their first occurrence. */
struct numbering {
	CS_VEC(struct text_at) texts;
	CS_VEC(char) bytes;
	struct cs_slots slots;
	uint32_t *ids; /* for each row, 1 + the number of its text, or 0 without a text */
	size_t n;
};

static uint64_t text_hash(const void *context, uint32_t row)
{
	return ((const struct numbering *)context)->texts.at[row].hash;
}

/* Stores 1 + the number of the text in *ret, and numbers it if it is new; false = no memory. */
static bool number_text(struct numbering *numbering, const char *text, uint32_t *ret)
{
	const size_t size = strlen(text) + 1;
	const uint64_t hash = XXH3_64bits(text, size);
	if (!cs_slots_grow(&numbering->slots, text_hash, numbering))
		return false;
	uint32_t *slot = cs_slots_find(&numbering->slots, hash, row,
		numbering->texts.at[row].hash == hash &&
			strcmp(numbering->bytes.at + numbering->texts.at[row].at, text) == 0);
	if (cs_slot_row(slot) == CS_NONE) {
		const struct text_at at = {numbering->bytes.n, hash};
		if (!cs_vec_append(&numbering->bytes, text, size) ||
			!cs_vec_push(&numbering->texts, at))
			return false;
		cs_slots_put(&numbering->slots, slot, (uint32_t)numbering->texts.n - 1);
	}
	*ret = cs_slot_row(slot) + 1;
	return true;
}

static struct cs_error *check_work(const struct numbering *numbering, const struct cs_query *query)
{
	if (numbering->bytes.n + numbering->texts.n * sizeof(struct text_at) >
		cs_job_limits(query->job).memory)
		return cs_query_too_large(query);
	return cs_job_check(query->job);
}

enum { CHECK_EVERY = 1 << 16 }; /* number of rows between two checks of limits */

static struct cs_error *number_values(struct numbering *numbering, const struct cs_table *table,
	const void *source, const struct cs_column *column, struct cs_query *query)
{
	for (size_t i = 0; i < numbering->n; i++) {
		const struct cs_value value = cs_table_get(table, source, i, column);
		if (value.kind == CS_KIND_TEXT &&
			!number_text(numbering, value.text, &numbering->ids[i]))
			return cs_error_nomem();
		struct cs_error *error = i % CHECK_EVERY == 0 ? check_work(numbering, query) : NULL;
		if (error)
			return error;
		cs_reads_step(query);
	}
	return NULL;
}

/* ---- columns that contain names of cells ---- */

/* Sets ids[i] to 1 + the cell of row i (0 = none), and cells[1 + cell] to 1 for each such cell. */
static struct cs_error *number_rows_of_cells(struct numbering *numbering,
	const struct cs_table *table, const void *source, const struct cs_column *column,
	struct cs_query *query, uint32_t *cells)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < numbering->n; i++) {
		const struct cs_row row = cs_table_row(table, source, i);
		const uint32_t cell = cs_read_word(&row, column);
		if (cell != CS_NONE)
			cells[numbering->ids[i] = cell + 1] = 1;
		error = i % CHECK_EVERY == 0 ? cs_job_check(query->job) : NULL;
		cs_reads_step(query);
	}
	return error;
}

/* Replaces the mark 1 of each cell by 1 + the number of its name, or by 0 if the name is empty. */
static struct cs_error *number_names(struct numbering *numbering, const struct cs_cooked *world,
	struct cs_query *query, uint32_t *cells)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < world->n_cells; i++) {
		const char *name = cells[i + 1] ? cs_cooked_cell_name(world, i) : "";
		cells[i + 1] = 0;
		if (*name && !number_text(numbering, name, &cells[i + 1]))
			error = cs_error_nomem();
		else if (i % CHECK_EVERY == 0)
			error = check_work(numbering, query);
		cs_reads_step(query);
	}
	return error;
}

/*
 * Numbers the names in a column of cells. First lists which cells occur, then reads each of their
 * names once, in the order of the cells. Reading the names row by row would load all cells, because
 * rows name them in any order.
 */
static struct cs_error *number_cells(struct numbering *numbering, const struct cs_table *table,
	const void *source, const struct cs_column *column, struct cs_query *query)
{
	const struct cs_cooked *world = ((const struct cs_cooked_source *)source)->world;
	uint32_t *cells = calloc(world->n_cells + 1, sizeof(*cells));
	if (!cells)
		return cs_error_nomem();
	struct cs_error *error =
		number_rows_of_cells(numbering, table, source, column, query, cells);
	if (!error)
		error = number_names(numbering, world, query, cells);
	for (size_t i = 0; !error && i < numbering->n; i++)
		numbering->ids[i] = cells[numbering->ids[i]];
	free(cells);
	return error;
}

static struct cs_error *number_rows(struct numbering *numbering, const struct cs_table *table,
	const void *source, const struct cs_column *column, struct cs_query *query)
{
	numbering->n = table->count(source);
	numbering->ids = numbering->n < CS_NONE
				 ? cs_large_calloc(numbering->n + 1, sizeof(*numbering->ids))
				 : NULL;
	if (!numbering->ids)
		return cs_error_nomem();
	/* with one world partition, cell names are distinct, so row numbers can stand for them */
	return column->get == cs_read_cell &&
			       ((const struct cs_cooked_source *)source)->parts.n == 1
		       ? number_cells(numbering, table, source, column, query)
		       : number_values(numbering, table, source, column, query);
}

/* ---- groups of rows with one text ---- */

struct group {
	const char *text;
	uint32_t id;
};

/* Sorts the texts; groups[1 + number of a text] gets its rank, from 1. false = no memory. */
static bool sort_texts(
	const struct numbering *numbering, struct cs_value_order *order, uint32_t *groups)
{
	const size_t n = numbering->texts.n;
	struct group *sorted = malloc((n + 1) * sizeof(*sorted));
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] =
			(struct group){order->bytes + numbering->texts.at[i].at, (uint32_t)i + 1};
	const bool whole = sorted && cs_sort(sorted, n, sizeof(*sorted), cs_compare_texts, NULL);
	groups[0] = 0;
	for (size_t i = 0; whole && i < n; i++) {
		order->texts[i + 1] = sorted[i].text;
		groups[sorted[i].id] = (uint32_t)i + 1;
	}
	free(sorted);
	return whole;
}

/* Sorts the rows by their groups, and replaces each item of `ids` by the group of its row. */
static void place_rows(struct cs_value_order *order, uint32_t *ids, const uint32_t *groups)
{
	uint32_t *ends = order->starts + 1;
	for (size_t i = 0; i < order->n; i++)
		ends[ids[i] = groups[ids[i]]]++;
	for (size_t i = 1; i <= order->n_groups; i++)
		order->starts[i] += order->starts[i - 1];
	for (size_t i = order->n; i-- > 0;)
		order->rows[--ends[ids[i]]] = (uint32_t)i;
	/* the loop has moved each end to the beginning of its group */
	memmove(order->starts, ends, order->n_groups * sizeof(*ends));
	order->starts[order->n_groups] = (uint32_t)order->n;
}

/* Sorts the rows by their numbered texts, and takes over the texts' memory. NULL = no memory. */
static struct cs_value_order *order_of(struct numbering *numbering)
{
	struct cs_value_order *order = calloc(1, sizeof(*order));
	uint32_t *groups = malloc((numbering->texts.n + 1) * sizeof(*groups));
	bool whole = order && groups;
	if (whole) {
		order->n = numbering->n;
		order->n_groups = numbering->texts.n + 1;
		order->texts = calloc(order->n_groups, sizeof(*order->texts));
		order->starts = calloc(order->n_groups + 2, sizeof(*order->starts));
		order->rows = cs_large_malloc((order->n + 1) * sizeof(*order->rows));
		order->bytes = numbering->bytes.at;
		numbering->bytes.at = NULL;
		whole = order->texts && order->starts && order->rows &&
			sort_texts(numbering, order, groups);
	}
	if (whole)
		place_rows(order, numbering->ids, groups);
	free(groups);
	if (whole)
		return order;
	cs_value_order_free(order);
	return NULL;
}

struct cs_error *cs_value_order_new(const struct cs_table *table, const void *source,
	const struct cs_column *column, struct cs_query *query, struct cs_value_order **ret)
{
	struct numbering numbering = {0};
	struct cs_value_order *order = NULL;
	struct cs_error *error = number_rows(&numbering, table, source, column, query);
	cs_slots_deinit(&numbering.slots);
	if (!error && !(order = order_of(&numbering)))
		error = cs_error_nomem();
	cs_vec_free(&numbering.texts);
	cs_vec_free(&numbering.bytes);
	free(numbering.ids);
	if (!error)
		*ret = order;
	return error;
}

void cs_value_order_free(struct cs_value_order *order)
{
	if (!order)
		return;
	free(order->texts);
	free(order->starts);
	free(order->rows);
	free(order->bytes);
	free(order);
}
