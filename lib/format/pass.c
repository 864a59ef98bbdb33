/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes over the rows of an open file. Parts of tables that are loaded during a pass are freed
 * again, so that a table of any size needs memory for a few parts only. A table whose rows are read
 * in random order is kept while the file uses less than half of the memory limit. Each table has
 * address space for all rows, and the pages of freed rows return to the system. If the caller names
 * the fields that it reads, only their columns are decoded. Invariant: rows with missing fields
 * exist only during such a pass. In a table of which no field is named, all fields are decoded.
 */
#include "format/file_inside.h"
#include "format/reader.h"

#include <stdlib.h>
#include <string.h>

static uint32_t rows_in_part(
	const struct cs_file *file, const struct cs_file_parts *parts, size_t part)
{
	return file->sections[parts->first + part].record_count;
}

static void forget_passing_rows(struct cs_file *file, const struct cs_record *record)
{
	const struct cs_file_parts parts = cs_file_parts_of(file, record->table);
	struct cs_loaded_table *table = &file->tables[record->table];
	for (size_t i = 0; table->here && i < parts.n; i++) {
		if (table->here[i] != CS_PART_PASSING)
			continue;
		const size_t bytes = (size_t)rows_in_part(file, &parts, i) * record->size;
		cs_reserved_drop(&table->space, i * table->part_rows * record->size, bytes);
		table->here[i] = CS_PART_AWAY;
		table->n_here--;
		table->loaded = false;
		file->memory -= bytes;
	}
}

/* Marks in `wanted` the parts of the strings table with texts to which loaded rows refer. */
static void mark_named(const struct cs_file *file, unsigned char *wanted)
{
	for (size_t k = 0; k < file->schema->n_records; k++) {
		const struct cs_record *record = file->schema->records[k];
		const struct cs_file_parts parts = cs_file_parts_of(file, record->table);
		const struct cs_loaded_table *table = &file->tables[record->table];
		const unsigned char *rows = table->rows;
		for (size_t i = 0; table->here && i < parts.n; i++) {
			const size_t n = rows_in_part(file, &parts, i);
			const bool narrow = table->here[i] == CS_PART_PASSING && table->narrow;
			if (table->here[i])
				cs_record_mark_texts(narrow ? &table->narrow->record : record, rows,
					n, file->texts.shift, wanted, file->texts.n);
			rows += n * record->size;
		}
	}
}

/*
 * Returns whether this pass has loaded more than twice the bytes of the table. Such a pass reads
 * rows in random order and loads parts repeatedly, so the rows of the table are kept.
 */
static bool is_in_no_order(const struct cs_file *file, const struct cs_record *record)
{
	const struct cs_loaded_table *table = &file->tables[record->table];
	return table->brought > 2 * (uint64_t)table->n * record->size;
}

static void forget_parts(struct cs_file *file, bool all)
{
	for (size_t k = 0; k < file->schema->n_records; k++)
		if (all || !is_in_no_order(file, file->schema->records[k]))
			forget_passing_rows(file, file->schema->records[k]);
	if (file->texts.bytes) {
		memset(file->texts.wanted, 0, file->texts.n);
		file->texts.wanted[0] = 1;
		mark_named(file, file->texts.wanted);
		cs_file_forget_unwanted(file);
	}
	file->before_pass = file->memory;
}

uint64_t cs_file_decoded_bytes(const struct cs_file *file)
{
	uint64_t all = 0;
	for (size_t i = 0; i < file->n_sections; i++)
		all += file->sections[i].raw_size;
	return all;
}

static bool is_much(const struct cs_file *file)
{
	/*
	 * Limits of the bytes that a pass adds to the tables in memory. FEW is for passes over
	 * several tables or with texts, which read ahead of use, FEW_PLAIN for other passes.
	 */
	enum { FEW = 64 << 20, FEW_PLAIN = 32 << 20 };
	const uint64_t most = file->plain_pass ? FEW_PLAIN : FEW;
	const uint64_t few = file->limits.memory / 4 < most ? file->limits.memory / 4 : most;
	return file->memory - file->before_pass > few;
}

/* ---- passes that read only some fields ---- */

static bool field_is_wanted(const struct cs_record *record, const struct cs_field *field,
	const struct cs_record_byte *bytes, size_t n_bytes)
{
	const size_t last = field->count ? field->count - 1u : 0;
	const size_t end = cs_field_offset(field, last) + cs_field_element_size(field);
	for (size_t i = 0; i < n_bytes; i++)
		if (bytes[i].table == record->table && bytes[i].offset >= field->offset &&
			bytes[i].offset < end)
			return true;
	return false;
}

/*
 * Returns a copy of the record with only the fields that contain the given bytes. If there is no
 * such field or memory runs out, returns NULL, and all fields are then read.
 */
static struct cs_narrow_record *narrow_to(
	const struct cs_record *record, const struct cs_record_byte *bytes, size_t n_bytes)
{
	struct cs_narrow_record *narrow =
		calloc(1, sizeof(*narrow) + record->n_fields * sizeof(narrow->fields[0]));
	if (!narrow)
		return NULL;
	size_t n = 0;
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (!field_is_wanted(record, field, bytes, n_bytes))
			continue;
		narrow->fields[n++] = *field;
		for (size_t k = 0; k < (field->count ? field->count : 1u); k++)
			memset(narrow->wanted + cs_field_offset(field, k), true,
				cs_field_element_size(field));
	}
	if (n == 0) {
		free(narrow);
		return NULL;
	}
	narrow->record = *record;
	narrow->record.fields = narrow->fields;
	narrow->record.n_fields = n;
	return narrow;
}

/* Returns whether all fields are in one table and none is a text. */
static bool are_plain(
	const struct cs_file *file, const struct cs_record_byte *fields, size_t n_fields)
{
	bool plain = fields && n_fields > 0;
	for (size_t i = 0; plain && i < n_fields; i++) {
		const struct cs_record *record = cs_schema_record(file->schema, fields[i].table);
		plain = fields[i].table == fields[0].table;
		for (size_t k = 0; plain && k < record->n_fields; k++)
			plain = record->fields[k].type != CS_FIELD_TEXT ||
				!field_is_wanted(record, &record->fields[k], &fields[i], 1);
	}
	return plain;
}

bool cs_file_pass_fields(struct cs_file *file, const struct cs_record_byte *fields, size_t n_fields)
{
	if (file->passing || file->maker)
		return false;
	cs_file_pass(file, CS_PASS_BEGIN);
	file->plain_pass = are_plain(file, fields, n_fields);
	for (size_t i = 0; fields && i < file->schema->n_records; i++) {
		const struct cs_record *record = file->schema->records[i];
		struct cs_loaded_table *table = &file->tables[record->table];
		if (record->n_fields > 1 && !table->loaded)
			table->narrow = narrow_to(record, fields, n_fields);
	}
	return true;
}

void cs_file_widen(struct cs_file *file, const struct cs_record *record)
{
	struct cs_loaded_table *table = &file->tables[record->table];
	forget_passing_rows(file, record);
	free(table->narrow);
	table->narrow = NULL;
}

/* ---- beginning and ending a pass ---- */

bool cs_file_pass(struct cs_file *file, enum cs_pass what)
{
	const bool go = file->passing && (what == CS_PASS_END || is_much(file));
	if (go)
		forget_parts(file, what == CS_PASS_END || file->memory > file->limits.memory / 2);
	if (what == CS_PASS_END)
		for (size_t i = 0; i < file->schema->n_records; i++) {
			struct cs_loaded_table *table =
				&file->tables[file->schema->records[i]->table];
			free(table->narrow);
			table->narrow = NULL;
		}
	if (what == CS_PASS_BEGIN) {
		file->before_pass = file->memory;
		for (size_t i = 0; i < CS_MAX_TABLES; i++)
			file->tables[i].brought = 0;
	}
	if (what != CS_PASS_STEP) {
		file->plain_pass = false;
		file->passing = what == CS_PASS_BEGIN && !file->maker;
	}
	return go;
}
