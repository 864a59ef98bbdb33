/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads large worlds for a query: determines which fields of rows a statement reads, and runs the
 * pass that decodes only these and frees each part of a table after its use. While SQLite compiles
 * a statement, it reports the columns and functions that the statement uses. The getter of a column
 * determines the fields. A getter that is not listed in `getters`, and a function of cellscope, may
 * read any field. A table that loads its rows itself does so before the pass. Worlds that are small
 * when decoded are loaded once and stay in memory. Invariant: a listed getter reads no field of a
 * file's rows other than those listed for it.
 */
#include "format/cooked_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"

#include <string.h>

/*
 * Getters known to read only the field of their column and, where `also` is given, those fields of
 * the row that the field refers to.
 */
static const struct cs_getter getters[] = {
	{cs_read_text, .is_field = true},
	{cs_read_guid, .is_field = true},
	{cs_read_i32},
	{cs_read_u32},
	{cs_read_i64},
	{cs_read_f64},
	{cs_read_bool},
	{cs_read_vec3},
	{cs_read_quat},
	{cs_read_box_min},
	{cs_read_box_max},
	{cs_read_flag},
	{cs_read_flag_list},
	{cs_read_enum},
	{cs_read_hex},
	{cs_read_count},
	{cs_read_source_flag},
	{cs_read_source_enum},
	{cs_read_source_layers},
	{cs_read_cell_layers},
	{cs_read_cell, .also = "cells.name", .refers = cs_read_row, .kind = CS_NAMED_CELL},
	{cs_read_grid},
	{cs_read_layer},
	{cs_read_hlod_layer},
	{cs_read_container},
	{cs_read_row_number},
	{cs_read_actor, .also = CS_TITLE_FIELDS, .refers = cs_read_row, .kind = CS_NAMED_TITLE},
	{cs_read_actor_guid, .also = "actors.guid", .refers = cs_read_row, .kind = CS_NAMED_GUID},
	{cs_read_partition, .record = ""},
	{NULL},
};

static const struct cs_getter *listed_getter(const struct cs_getter *list, cs_column_get *get)
{
	while (list && list->get && list->get != get)
		list++;
	return list && list->get ? list : NULL;
}

static const struct cs_record *reads_record_of(const char *name, size_t n)
{
	const struct cs_schema *schema = cs_schema_of_kind(1);
	for (size_t i = 0; i < schema->n_records; i++)
		if (strlen(schema->records[i]->name) == n &&
			memcmp(schema->records[i]->name, name, n) == 0)
			return schema->records[i];
	return NULL;
}

static void reads_byte(struct cs_reads *reads, uint16_t table, size_t offset)
{
	const struct cs_record_byte byte = {table, (uint16_t)offset};
	reads->whole = !cs_vec_push(&reads->fields, byte) || reads->whole;
}

/* Adds the fields in a text of RECORD.FIELD items separated by blanks. */
static void reads_fields(struct cs_reads *reads, const char *fields)
{
	while (fields && *fields) {
		const size_t n = strcspn(fields, " "), dot = strcspn(fields, ".");
		const struct cs_record *record = reads_record_of(fields, dot);
		for (size_t i = 0; i < record->n_fields; i++) {
			const char *name = record->fields[i].name;
			if (strlen(name) == n - dot - 1 &&
				memcmp(name, fields + dot + 1, n - dot - 1) == 0)
				reads_byte(reads, record->table, record->fields[i].offset);
		}
		fields += n + (fields[n] == ' ');
	}
}

const struct cs_getter *cs_reads_getter(
	const struct cs_table *table, const struct cs_column *column)
{
	const struct cs_getter *getter = listed_getter(table->getters, column->get);
	return getter ? getter : listed_getter(getters, column->get);
}

/* Returns the record that contains the field of a column, or NULL. */
static const struct cs_record *reads_record(
	const struct cs_table *table, const struct cs_getter *getter)
{
	const char *name = getter->record ? getter->record : table->name;
	return reads_record_of(name, strlen(name));
}

const struct cs_field *cs_reads_field(
	const struct cs_table *table, const struct cs_column *column, uint16_t *table_ret)
{
	const struct cs_getter *getter = cs_reads_getter(table, column);
	const struct cs_record *record =
		getter && getter->is_field ? reads_record(table, getter) : NULL;
	for (size_t i = 0; record && i < record->n_fields; i++)
		if (record->fields[i].offset == column->offset) {
			*table_ret = record->table;
			return &record->fields[i];
		}
	return NULL;
}

void cs_reads_own_field(
	struct cs_reads *reads, const struct cs_table *table, const struct cs_column *column)
{
	const struct cs_getter *getter = cs_reads_getter(table, column);
	const struct cs_record *record = getter ? reads_record(table, getter) : NULL;
	if (record)
		reads_byte(reads, record->table, column->offset);
	reads->whole = reads->whole || !getter;
}

void cs_reads_column(
	struct cs_reads *reads, const struct cs_table *table, const struct cs_column *column)
{
	const struct cs_getter *getter = cs_reads_getter(table, column);
	cs_reads_own_field(reads, table, column);
	reads_fields(reads, getter ? getter->also : NULL);
}

/* ---- the fields that a statement reads ---- */

static bool binding_is_called(const struct cs_binding *binding, const char *table)
{
	const size_t n = strlen(binding->table->name);
	return sqlite3_strnicmp(binding->table->name, table, (int)n) == 0 &&
	       (table[n] == '\0' || strcmp(table + n, "_") == 0);
}

void cs_reads_sql_column(struct cs_query *query, const char *table, const char *column)
{
	char name[CS_SQL_NAME];
	for (size_t i = 0; i < query->bindings.n; i++) {
		struct cs_binding *binding = query->bindings.at[i];
		if (!binding_is_called(binding, table))
			continue;
		if (binding->named == 0)
			binding->named = 1;
		for (size_t k = 0; k < binding->sql_columns.n; k++) {
			const struct cs_column *at =
				&binding->table->columns[binding->sql_columns.at[k].column];
			cs_sql_column_name(binding, k, name);
			if (sqlite3_stricmp(name, column) != 0)
				continue;
			cs_reads_column(&query->reads, binding->table, at);
			if (at->part >= binding->named)
				binding->named = at->part + 1;
		}
	}
}

void cs_reads_sql_function(struct cs_query *query, const char *name)
{
	for (size_t i = 0; i < query->functions.n; i++)
		if (sqlite3_stricmp(query->functions.at[i]->name, name) == 0)
			query->reads.whole = true;
}

void cs_reads_nothing(struct cs_query *query)
{
	query->reads.fields.n = 0;
	query->reads.whole = false;
	for (size_t i = 0; i < query->bindings.n; i++)
		query->bindings.at[i]->named = 0;
}

struct cs_error *cs_reads_load(struct cs_query *query)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < query->bindings.n; i++)
		if (query->bindings.at[i]->named > 0)
			error = cs_binding_load(
				query->bindings.at[i], query->bindings.at[i]->named - 1);
	return error;
}

/* ---- passes over large worlds ---- */

static uint64_t decoded_bytes(const struct cs_query *query)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < query->worlds.n; i++)
		for (size_t k = 0; k < query->worlds.at[i]->parts.n; k++)
			bytes += cs_file_decoded_bytes(
				query->worlds.at[i]->parts.at[k]->world->file);
	return bytes;
}

bool cs_reads_begin(struct cs_query *query)
{
	struct cs_reads *reads = &query->reads;
	if (reads->passing || decoded_bytes(query) <= query->kept_bytes)
		return false;
	for (size_t i = 0; i < query->worlds.n; i++)
		for (size_t k = 0; k < query->worlds.at[i]->parts.n; k++) {
			struct cs_cooked_source *part = query->worlds.at[i]->parts.at[k];
			part->passing = cs_cooked_pass_fields(part->world,
				reads->whole ? NULL : reads->fields.at, reads->fields.n);
		}
	reads->passing = true;
	reads->rows = 0;
	return true;
}

static void pass_all(struct cs_query *query, enum cs_pass what)
{
	query->reads.steps++;
	for (size_t i = 0; i < query->worlds.n; i++)
		for (size_t k = 0; k < query->worlds.at[i]->parts.n; k++)
			if (query->worlds.at[i]->parts.at[k]->passing)
				cs_cooked_pass(query->worlds.at[i]->parts.at[k]->world, what);
}

void cs_reads_step(struct cs_query *query)
{
	enum { ROWS = 1024 };
	if (query->reads.passing && ++query->reads.rows % ROWS == 0)
		pass_all(query, CS_PASS_STEP);
}

void cs_reads_end(struct cs_query *query, bool passes)
{
	if (!passes)
		return;
	pass_all(query, CS_PASS_END);
	query->reads.passing = false;
}

bool cs_reads_begin_column(
	struct cs_query *query, const struct cs_table *table, const struct cs_column *column)
{
	if (query->reads.passing)
		return false;
	cs_reads_nothing(query);
	cs_reads_column(&query->reads, table, column);
	return cs_reads_begin(query);
}
