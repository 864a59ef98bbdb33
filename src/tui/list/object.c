/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the object that a value on the screen refers to. If the key of the column is in `names`,
 * the value names an object of the kind given there. Else the object is the row itself, if its
 * table is of the world, and its name is in the first key column.
 */
#include "src/tui/view.h"

#include "src/language/lexer.h"
#include "src/session/input/subject.h"

#include <stdio.h>
#include <string.h>

/* Columns whose values name objects. If a row has several, the first in this table is used. */
static const struct {
	const char *key, *kind, *table;
} names[] = {
	{"cell", "cell", "cells"},
	{"actor", "actor", "actors"},
	{"actor_guid", "actor", "actors"},
	{"layer", "layer", "layers"},
	{"grid", "grid", "grids"},
	{"source", "source", "sources"},
	{"frame", "frame", NULL},
	{"other", "actor", "actors"},
	{"largest", "actor", "actors"},
	{"home", "cell", "cells"},
	{"behind", "cell", "cells"},
	{"since", "frame", NULL},
	{"effective_grid", "grid", "grids"},
	{"check", "check", NULL},
	{"hlod", "hlod", "hlods"},
	{"container", "container", "containers"},
	{"finding", "finding", "findings"},
	{"page", "page", "pages"},
	{"cluster", "cluster", "clusters"},
	{"group", "group", "groups"},
	{"resource", "resource", "resources"},
	{"stop", "stop", NULL},
	{"id", "stop", NULL},
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static bool into_name(const struct cs_value *value, struct object *ret)
{
	if (value->kind == CS_KIND_TEXT && *value->text) {
		return (size_t)snprintf(ret->name, sizeof(ret->name), "%s", value->text) <
		       sizeof(ret->name);
	} else if (value->kind == CS_KIND_INTEGER) {
		snprintf(ret->name, sizeof(ret->name), "%lld", (long long)value->integer);
		return true;
	} else if (value->kind == CS_KIND_GUID) {
		char room[CS_GUID_TEXT];
		cs_guid_format(value->guid, room);
		snprintf(ret->name, sizeof(ret->name), "%s", room);
		return true;
	}
	return false;
}

bool object_of_value(const char *key, const struct cs_value *value, struct object *ret)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (strcmp(names[i].key, key) != 0 || !into_name(value, ret))
			continue;
		ret->kind = names[i].kind;
		ret->row = CS_NONE;
		return true;
	}
	return false;
}

/* Prefixes the object's name with the value of another column and a colon: "page:cluster". */
static void say_before(const struct cs_table *table, const void *source, uint32_t row,
	const char *key, struct object *object)
{
	struct object before = {.row = CS_NONE}, whole = *object;
	struct cs_value value = row_value(table, source, row, key);
	if (into_name(&value, &before) && (size_t)snprintf(whole.name, sizeof(whole.name), "%s:%s",
						  before.name, object->name) < sizeof(whole.name))
		*object = whole;
}

/*
 * Completes the name of a cluster, page or group. Clusters are numbered per page, pages and groups
 * per resource; if several resources are open, the name of the row's resource is put before the
 * number.
 */
static void say_whose(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *object)
{
	bool is_cluster = strcmp(object->kind, "cluster") == 0;
	if (is_cluster)
		say_before(table, source, row,
			cs_table_column(table, "target_page") ? "target_page" : "page", object);
	if ((is_cluster || strcmp(object->kind, "page") == 0 ||
		    strcmp(object->kind, "group") == 0) &&
		session->inspector && cs_inspector_models(session->inspector).n > 1)
		say_before(table, source, row, "resource", object);
}

static const char *table_of_kind(const char *kind)
{
	for (size_t i = 0; i < NAMES; i++)
		if (strcmp(names[i].kind, kind) == 0)
			return names[i].table;
	return NULL;
}

const struct cs_table *object_table(
	struct session *session, const struct object *object, const void **source_ret)
{
	const char *name = object->kind ? table_of_kind(object->kind) : NULL;
	return name ? session_table(session, name, source_ret) : NULL;
}

void object_find_in(struct session *session, const char *partition, struct object *object)
{
	const void *source;
	const struct cs_table *table = object_table(session, object, &source);
	for (size_t i = 0; table && i < table->n_columns && object->row == CS_NONE; i++) {
		char scope[64];
		const struct cs_listing listing = {.limit = 1,
			.partition = partition,
			.scope = scope,
			.scope_value = cs_text(object->name)};
		uint32_t *rows = NULL;
		size_t n = 0;
		if (!(table->columns[i].flags & CS_COLUMN_KEY))
			continue;
		snprintf(scope, sizeof(scope), "%s = $scope", table->columns[i].key);
		cs_error_free(cs_query_rows(session->query, table, &listing, &rows, &n));
		object->row = n > 0 ? rows[0] : CS_NONE;
		free(rows);
	}
}

/*
 * Finds the row of an object that row `row` of `table` names. If there are several world
 * partitions, looks in the partition of row `row`, because others may have an object of the same
 * name.
 */
static void find_beside(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *object)
{
	if (cs_query_partitions(session->query) < 2)
		return;
	struct cs_value value = row_value(table, source, row, "partition");
	if (value.kind == CS_KIND_TEXT)
		object_find_in(session, value.text, object);
}

bool object_of_field(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, const struct cs_column *column, struct object *ret)
{
	struct cs_value value = cs_table_get(table, source, row, column);
	if (!object_of_value(column->key, &value, ret))
		return false;
	if (value.kind == CS_KIND_INTEGER)
		say_whose(session, table, source, row, ret);
	else
		find_beside(session, table, source, row, ret);
	return true;
}

/* Stores a row's name: the first key value that can be a name, or the row number. */
static void object_name_row(
	const struct cs_table *table, const void *source, uint32_t row, struct object *ret)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		struct cs_value value;
		if (!(table->columns[i].flags & CS_COLUMN_KEY))
			continue;
		value = cs_table_get(table, source, row, &table->columns[i]);
		if (into_name(&value, ret))
			return;
	}
	snprintf(ret->name, sizeof(ret->name), "%u", (unsigned)row);
}

/* Names the object of a printed row by a value in a key column of `own` that only one row has. */
static bool object_of_copy(struct session *session, const struct cs_table *own,
	const struct cs_table *table, const void *source, uint32_t row, struct object *ret)
{
	for (size_t i = 0; i < own->n_columns; i++) {
		const struct cs_column *column = cs_table_column(table, own->columns[i].key);
		struct object object = {.kind = table->row_name, .row = CS_NONE};
		size_t n = 1;
		if (!(own->columns[i].flags & CS_COLUMN_KEY) || !column)
			continue;
		struct cs_value value = cs_table_get(table, source, row, column);
		if (!into_name(&value, &object))
			continue;
		find_beside(session, table, source, row, &object);
		if (object.row == CS_NONE)
			cs_error_free(cs_query_find(
				session->query, own, object.name, &object.row, 1, &n));
		if (object.row == CS_NONE || n != 1)
			continue;
		*ret = object;
		return true;
	}
	return false;
}

bool object_of_row(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *ret)
{
	const void *own_source = NULL;
	const char *kind = table_of_kind(table->row_name);
	const struct cs_table *own = kind ? session_table(session, kind, &own_source) : NULL;
	if (own == table) {
		ret->kind = table->row_name;
		ret->row = row;
		object_name_row(table, source, row, ret);
		return true;
	}
	if (own && object_of_copy(session, own, table, source, row, ret))
		return true;
	for (size_t i = 0; i < NAMES; i++) {
		const struct cs_column *column = cs_table_column(table, names[i].key);
		if (column && object_of_field(session, table, source, row, column, ret))
			return true;
	}
	return false;
}

bool object_is_copy(struct session *session, const struct object *object,
	const struct cs_table *table, const void *source, uint32_t row)
{
	const void *own_source;
	const struct cs_table *own = object_table(session, object, &own_source);
	for (size_t i = 0; own && i < own->n_columns; i++) {
		struct object left, right, its = {.row = CS_NONE};
		const struct cs_column *column =
			own->columns[i].flags & CS_COLUMN_KEY
				? cs_table_column(table, own->columns[i].key)
				: NULL;
		if (!column)
			continue;
		struct cs_value value =
			cs_table_get(own, own_source, object->row, &own->columns[i]);
		const bool has_name = into_name(&value, &left);
		value = cs_table_get(table, source, row, column);
		/* names are compared first, because finding the object of a row is a query */
		return has_name && into_name(&value, &right) &&
		       strcmp(left.name, right.name) == 0 &&
		       object_of_copy(session, own, table, source, row, &its) &&
		       its.row == object->row;
	}
	return false;
}

uint32_t object_row(struct session *session, struct object *object)
{
	const void *source;
	const struct cs_table *table = object_table(session, object, &source);
	uint32_t row;
	size_t n = 0;
	if (object->row != CS_NONE || !table)
		return object->row;
	cs_error_free(cs_query_find(session->query, table, object->name, &row, 1, &n));
	if (n > 0)
		object->row = row;
	return object->row;
}

bool object_place(
	struct session *session, struct object *object, uint32_t *row, uint32_t *partition)
{
	const void *source;
	const struct cs_table *table = object_table(session, object, &source);
	*row = object_row(session, object);
	if (!table || *row == CS_NONE)
		return false;
	cs_query_place_row(session->query, table, row, partition);
	return true;
}

/* Returns the static text that names the kind `word`; NULL if there is no such kind. */
static const char *kind_named(const char *word)
{
	for (size_t i = 0; word && i < NAMES; i++)
		if (strcmp(names[i].kind, word) == 0)
			return names[i].kind;
	return NULL;
}

bool object_of_words(struct session *session, const char *text, struct object *ret)
{
	enum { WORDS = 4 }; /* number of words in "KIND NAME -P PARTITION" */
	struct scanner scanner = {text, 0, NULL};
	struct word words[WORDS] = {{0}};
	enum sign sign;
	for (size_t i = 0; i < WORDS; i++)
		cs_error_free(scan(&scanner, &sign, &words[i]));
	const char *kind = words[1].text ? kind_named(words[0].text) : NULL;
	if (kind) {
		*ret = (struct object){.kind = kind, .row = CS_NONE};
		snprintf(ret->name, sizeof(ret->name), "%s", words[1].text);
		if (words[3].text && strcmp(words[2].text, "-P") == 0)
			object_find_in(session, words[3].text, ret);
		object_row(session, ret);
	}
	for (size_t i = 0; i < WORDS; i++)
		word_free(&words[i]);
	return kind != NULL;
}

bool object_of_stop(struct session *session, const struct cs_stop *stop, struct object *ret)
{
	struct subject subject;
	if (!stop->enabled || !subject_of_stop(stop, &subject))
		return false;
	*ret = (struct object){.kind = subject.kind, .row = CS_NONE};
	memcpy(ret->name, subject.name, sizeof(ret->name));
	if (*subject.partition)
		object_find_in(session, subject.partition, ret);
	object_row(session, ret);
	return true;
}

bool object_has_stop(struct session *session, struct object *object)
{
	for (size_t i = 0; session->run.debug && cs_debug_stop_at(session->run.debug, i); i++) {
		struct object its;
		if (!object_of_stop(session, cs_debug_stop_at(session->run.debug, i), &its) ||
			strcmp(its.kind, object->kind) != 0)
			continue;
		if (its.row == CS_NONE ? strcmp(its.name, object->name) == 0
				       : its.row == object_row(session, object))
			return true;
	}
	return false;
}

/* Returns whether the name, typed in a command line, selects this row of the table and no other. */
static bool names_row(
	struct session *session, const struct cs_table *table, const char *name, uint32_t row)
{
	uint32_t found = CS_NONE;
	size_t n = 0;
	cs_error_free(cs_query_find(session->query, table, name, &found, 1, &n));
	return n == 1 && found == row;
}

bool object_partition(struct session *session, struct object *object, struct cs_value *ret)
{
	const void *source;
	const struct cs_table *table = object_table(session, object, &source);
	const struct cs_column *column = table ? cs_table_column(table, "partition") : NULL;
	if (!column || cs_query_partitions(session->query) < 2 ||
		object_row(session, object) == CS_NONE)
		return false;
	*ret = cs_table_get(table, source, object->row, column);
	return ret->kind == CS_KIND_TEXT;
}

/* Returns the quoted name of the object and the option that names its world partition. */
static char *word_in_partition(struct session *session, struct object object)
{
	struct cs_value partition;
	char *word = quote_word(object.name), *where, *both = NULL;
	if (!word || !object_partition(session, &object, &partition))
		return word;
	where = quote_word(partition.text);
	if (!where || asprintf(&both, "%s -P %s", word, where) < 0)
		both = NULL;
	free(word);
	free(where);
	return both;
}

/*
 * Returns a quoted name for the object. If the name does not mean exactly this row (labels of
 * actors may repeat), returns the value of another key column that only this row has, or else the
 * name with an option that names the object's world partition.
 */
char *object_word(struct session *session, const struct object *object)
{
	const void *source;
	const struct cs_table *table = object_table(session, object, &source);
	if (!table || object->row == CS_NONE ||
		names_row(session, table, object->name, object->row))
		return quote_word(object->name);
	for (size_t i = 0; i < table->n_columns; i++) {
		struct object other = {.kind = object->kind};
		const struct cs_column *column = &table->columns[i];
		if (!(column->flags & CS_COLUMN_KEY))
			continue;
		struct cs_value value = cs_table_get(table, source, object->row, column);
		if (into_name(&value, &other) && names_row(session, table, other.name, object->row))
			return quote_word(other.name);
	}
	return word_in_partition(session, *object);
}
