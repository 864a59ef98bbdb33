/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns passes over the rows of an open file: parts of tables that are loaded during a pass are
 * freed again, so that a table of any size uses the memory of a few parts. Tables have address
 * space for all of their rows, and the pages are returned to the system.
 */
#include "format/file_inside.h"
#include "format/reader.h"

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
	unsigned char *rows = table->rows;
	for (size_t i = 0; table->here && i < parts.n; i++) {
		if (table->here[i] != CS_PART_PASSING)
			continue;
		const size_t bytes = (size_t)rows_in_part(file, &parts, i) * record->size;
		cs_file_give_back(rows + i * table->part_rows * record->size, bytes);
		table->here[i] = CS_PART_AWAY;
		table->n_here--;
		table->loaded = false;
		file->memory -= bytes;
	}
}

/* Marks the parts of the texts that loaded rows name. */
static void mark_named(const struct cs_file *file, unsigned char *wanted)
{
	for (size_t k = 0; k < file->schema->n_records; k++) {
		const struct cs_record *record = file->schema->records[k];
		const struct cs_file_parts parts = cs_file_parts_of(file, record->table);
		const struct cs_loaded_table *table = &file->tables[record->table];
		const unsigned char *rows = table->rows;
		for (size_t i = 0; table->here && i < parts.n; i++) {
			const size_t n = rows_in_part(file, &parts, i);
			if (table->here[i])
				cs_record_mark_texts(
					record, rows, n, file->texts.shift, wanted, file->texts.n);
			rows += n * record->size;
		}
	}
}

/* Frees texts that no loaded row names. */
static void forget_unnamed(struct cs_file *file)
{
	if (!file->texts.bytes)
		return;
	memset(file->texts.wanted, 0, file->texts.n);
	file->texts.wanted[0] = 1;
	mark_named(file, file->texts.wanted);
	cs_file_forget_unwanted(file);
}

static void forget_parts(struct cs_file *file)
{
	for (size_t k = 0; k < file->schema->n_records; k++)
		forget_passing_rows(file, file->schema->records[k]);
	forget_unnamed(file);
	file->before_pass = file->memory;
}

/*
 * Returns whether rows are read in no order: then all parts were loaded twice, and keeping many of
 * them is better.
 */
static bool is_in_no_order(const struct cs_file *file)
{
	uint64_t all = 0;
	for (size_t i = 0; i < file->n_sections; i++)
		all += file->sections[i].raw_size;
	return file->brought > 2 * all;
}

static bool is_much(const struct cs_file *file)
{
	enum { FEW = 64 << 20 };
	const uint64_t came = file->memory - file->before_pass;
	return came > FEW && (came > file->limits.memory / 2 || !is_in_no_order(file));
}

bool cs_file_pass(struct cs_file *file, enum cs_pass what)
{
	const bool go = file->passing && (what == CS_PASS_END || is_much(file));
	if (go)
		forget_parts(file);
	if (what == CS_PASS_BEGIN) {
		file->before_pass = file->memory;
		file->brought = 0;
	}
	if (what != CS_PASS_STEP)
		file->passing = what == CS_PASS_BEGIN && !file->maker;
	return go;
}
