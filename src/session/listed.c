/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the rows of the last listing in session->listed, and resolves their numbers (#N). */
#include "src/session/listed.h"

#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

void listed_forget(struct session *session)
{
	session->listed.table = NULL;
	session->listed.rows.n = 0;
	while (session->listed.names.n > 0)
		free(session->listed.names.at[--session->listed.names.n]);
}

bool listed_names(const struct session *session, const char *table)
{
	const char *listed = session->listed.table;
	return listed && (!table || strcmp(listed, table) == 0);
}

/* ---- storing a listing ---- */

/*
 * Returns the table of the objects that the rows of a listing name: the listed table itself, or
 * else the table of a column such as `cell`, returned in *column_ret; NULL if rows name no objects.
 */
static const char *named_table(const struct cs_table *table, const struct cs_column **column_ret)
{
	static const char *const own[] = {"cells", "actors", "layers", "sources", "grids"};
	static const struct {
		const char *column, *table;
	} columns[] = {{"cell", "cells"}, {"actor_guid", "actors"}, {"actor", "actors"},
		{"layer", "layers"}, {"source", "sources"}, {"grid", "grids"}};
	*column_ret = NULL;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(table->name, own[i]) == 0)
			return own[i];
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		*column_ret = cs_table_column(table, columns[i].column);
		if (*column_ret && ((*column_ret)->kind == CS_KIND_TEXT ||
					   (*column_ret)->kind == CS_KIND_GUID))
			return columns[i].table;
	}
	return NULL;
}

/* Stores the name in `value`, or NULL if the value is no name; returns false if memory runs out. */
static bool listed_keep_name(struct listed *listed, const struct cs_value *value)
{
	char guid[CS_GUID_TEXT];
	const char *name = value->kind == CS_KIND_TEXT ? value->text : guid;
	if (value->kind != CS_KIND_TEXT && value->kind != CS_KIND_GUID)
		return cs_vec_push(&listed->names, NULL);
	if (value->kind == CS_KIND_GUID)
		cs_guid_format(value->guid, guid);
	char *copy = strdup(name);
	if (copy && cs_vec_push(&listed->names, copy))
		return true;
	free(copy);
	return false;
}

void listed_keep(struct session *session, const struct rows *rows)
{
	const struct cs_column *column;
	struct listed *listed = &session->listed;
	const char *table = named_table(rows->table, &column);
	listed_forget(session);
	listed->partition = cs_query_focused(session->query);
	for (size_t i = 0; table && i < rows->n && i < LISTED_MOST; i++) {
		const uint32_t row = rows->at ? rows->at[i] : (uint32_t)i;
		if (!column) {
			if (!cs_vec_push(&listed->rows, row))
				return;
			continue;
		}
		const struct cs_value value = cs_table_get(rows->table, rows->source, row, column);
		if (!listed_keep_name(listed, &value))
			return;
	}
	listed->n_shown = rows->n;
	listed->table = table;
}

/* ---- looking up rows ---- */

/* Returns the row of the table with this name, or CS_NONE if no row or several have it. */
static uint32_t named_row(struct session *session, const struct cs_table *table, const char *name)
{
	uint32_t row = CS_NONE;
	size_t n = 0;
	struct cs_error *error =
		name ? cs_query_find(session->query, table, name, &row, 1, &n) : NULL;
	cs_error_free(error);
	return error || n != 1 ? CS_NONE : row;
}

struct cs_error *listed_row(
	struct session *session, const char *table_name, const char *text, struct argument *ret)
{
	const void *source;
	const struct cs_table *table = session_table(session, table_name, &source);
	const struct listed *listed = &session->listed;
	const uint32_t now = cs_query_focused(session->query);
	const size_t n = listed->rows.n + listed->names.n;
	unsigned long long number = strtoull(text + (*text == '#'), NULL, 10);
	if (!table || !listed_names(session, table_name))
		return cs_error_new(CS_E_USAGE,
			"%s cannot be the number of a row, because the last listing was not of %s",
			text, table_name);
	if (number > n && number <= listed->n_shown)
		return cs_error_new(CS_E_USAGE,
			"row numbers can be used for only the first %d of the %zu listed rows",
			LISTED_MOST, listed->n_shown);
	if (number < 1 || number > n)
		return cs_error_new(CS_E_USAGE,
			"the last listing has %zu row%s, so it has no row %s", n, n == 1 ? "" : "s",
			text);
	cs_query_focus(session->query, listed->partition);
	ret->row = listed->names.n ? named_row(session, table, listed->names.at[number - 1])
				   : listed->rows.at[number - 1];
	cs_query_focus(session->query, now);
	if (ret->row == CS_NONE)
		return cs_error_new(CS_E_USAGE,
			"the name in row %s of the last listing is that of none, or of several, of "
			"the %s",
			text, table_name);
	ret->partition = 0;
	ret->placed = table->locate != NULL;
	cs_query_focus(session->query, listed->partition);
	const bool is_there = ret->row < table->count(source);
	if (is_there && table->locate)
		cs_query_place_row(session->query, table, &ret->row, &ret->partition);
	cs_query_focus(session->query, now);
	return is_there
		       ? NULL
		       : cs_error_new(CS_E_USAGE,
				 "the object in row %s of the last listing does not exist any more",
				 text);
}

void listed_free(struct session *session)
{
	listed_forget(session);
	cs_vec_free(&session->listed.rows);
	cs_vec_free(&session->listed.names);
}
