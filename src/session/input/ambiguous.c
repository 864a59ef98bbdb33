/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the error for a name that several rows have, with values that distinguish these rows. */
#include "src/session/input/ambiguous.h"

#include "core/vec.h"

#include <string.h>

/* Returns whether the texts in the column are different in all of the rows. */
static bool tells_apart(const struct cs_table *table, const void *source,
	const struct cs_column *column, const uint32_t *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct cs_value value = cs_table_get(table, source, rows[i], column);
		for (size_t k = 0; k < i; k++) {
			const struct cs_value other = cs_table_get(table, source, rows[k], column);
			if (cs_name_compare(value.text, other.text) == 0)
				return false;
		}
	}
	return true;
}

/*
 * Returns the column to distinguish rows by: titles of actors, or partitions, if no two are equal.
 * Otherwise instance GUIDs or GUIDs; the GUIDs of cells in two instances of a level are equal.
 */
static const struct cs_column *ambiguous_telling_column(
	const struct cs_table *table, const void *source, const uint32_t *rows, size_t n)
{
	static const char *const keys[] = {"title", "partition"};
	const struct cs_column *column;
	for (size_t i = 0; i < CS_COUNT_OF(keys) && n <= CANDIDATES; i++) {
		column = cs_table_column(table, keys[i]);
		if (column && tells_apart(table, source, column, rows, n))
			return column;
	}
	column = cs_table_column(table, "instance_guid");
	return column ? column : cs_table_column(table, "guid");
}

static void put_piece(void *context, const char *bytes, size_t n)
{
	char *list = context;
	size_t at = strlen(list);
	enum { ROOM = 256 };
	if (at + n + 1 > ROOM)
		return;
	memcpy(list + at, bytes, n);
	list[at + n] = '\0';
}

struct cs_error *ambiguous_rows(struct session *session, const struct cs_table *table,
	const void *source, const uint32_t *rows, size_t n, const char *text)
{
	char list[256] = "";
	bool several = table->locate && cs_query_partitions(session->query) > 1;
	const struct cs_column *column = ambiguous_telling_column(table, source, rows, n);
	bool by_partition = column && strcmp(column->key, "partition") == 0;
	for (size_t i = 0; column && i < n && i < CANDIDATES; i++) {
		struct cs_value value = cs_table_get(table, source, rows[i], column);
		put_piece(list, i ? ", " : ": ", 2);
		cs_value_put(&value, CS_FORM_ASCII, put_piece, list);
	}
	return cs_error_new(CS_E_AMBIGUOUS,
		"%zu %s are called '%s'; name one of them by its %s%s%s%s", n, table->name, text,
		column ? column->key : "guid", list, column && n > CANDIDATES ? " ..." : "",
		by_partition ? " (option -P)"
		: several    ? ", or its world partition by -P"
			     : "");
}
