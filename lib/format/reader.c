/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens container files and their tables. Opening in strict mode reads every byte once and compares
 * all stored checksums; in lazy mode it compares only those of header and section table. Tables are
 * decoded when they are first used, sections in parallel, and their records are checked before they
 * are returned. The memory of rows and texts counts against one limit per file.
 */
#include "format/reader.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/search.h"
#include "format/file_inside.h"
#include "format/layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening a file ---- */

struct section_job {
	struct cs_file *file;
	size_t first;
	struct cs_error **errors;
	unsigned char *bytes; /* decoded bytes of the whole table, if sections are decoded */
	const bool *wanted;   /* for each byte of a row, whether it is decoded. NULL decodes all */
	uint64_t *starts;
	struct cs_error *(*each)(struct section_job *job, size_t index);
};

static void run_sections(void *context, size_t begin, size_t end, int thread)
{
	struct section_job *job = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		job->errors[i] = job->each(job, i);
}

/*
 * Calls job->each for each section index below n, on all threads of the file, or on one thread if
 * the sections are small. If some calls fail, returns the error of the lowest index.
 */
static struct cs_error *for_sections(struct section_job *job, size_t n)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < n; i++)
		bytes += job->file->sections[job->first + i].raw_size;
	const int threads = bytes < CS_PART_BYTES ? 1 : job->file->threads;
	job->errors = calloc(n ? n : 1, sizeof(*job->errors));
	if (!job->errors)
		return cs_error_nomem();
	cs_parallel_for(threads, n, 1, run_sections, job);
	struct cs_error *first = NULL;
	for (size_t i = 0; i < n; i++)
		first = cs_error_first(first, job->errors[i]);
	free(job->errors);
	return first;
}

static struct cs_error *check_one(struct section_job *job, size_t index)
{
	return cs_file_check_section(job->file, index);
}

static struct cs_error *finish_open(
	struct cs_file *file, const struct cs_job *job, struct cs_file **ret)
{
	struct cs_error *error = cs_file_read_layout(file, job);
	if (!error && file->mode == CS_FILE_STRICT) {
		struct section_job all = {.file = file, .each = check_one};
		error = for_sections(&all, file->n_sections);
	}
	if (!error)
		error = cs_source_unchanged(&file->source);
	if (error)
		cs_file_close(file);
	else
		*ret = file;
	return error;
}

/*
 * Completes opening a file: reads its layout, or if its source could not be opened, returns that
 * `error`. Frees the file after an error.
 */
static struct cs_error *finish_source(struct cs_file *file, struct cs_error *error,
	const struct cs_job *job, struct cs_file **ret)
{
	if (!error)
		return finish_open(file, job, ret);
	free(file);
	return error;
}

static struct cs_file *new_file(enum cs_file_mode mode, const struct cs_job *job)
{
	struct cs_file *file = calloc(1, sizeof(*file));
	if (file) {
		file->mode = mode;
		file->limits = cs_job_limits(job);
		file->threads = cs_job_threads(job);
	}
	return file;
}

struct cs_error *cs_file_open(
	const char *path, enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret)
{
	struct cs_file *file = new_file(mode, job);
	if (!file)
		return cs_error_nomem();
	return finish_source(
		file, cs_source_open(path, file->limits.file_bytes, &file->source), job, ret);
}

struct cs_error *cs_file_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret)
{
	struct cs_file *file = new_file(mode, job);
	if (!file)
		return cs_error_nomem();
	return finish_source(file, cs_source_memory(bytes, size, name, &file->source), job, ret);
}

struct cs_error *cs_file_of_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, void *context, const struct cs_job *job,
	struct cs_file **ret)
{
	struct cs_file *file = new_file(CS_FILE_STRICT, job);
	if (!file)
		return cs_error_nomem();
	struct cs_error *error = cs_source_memory("", 0, schema->name, &file->source);
	if (error) {
		free(file);
		return error;
	}
	file->schema = schema;
	file->minor = schema->minor;
	file->maker = context;
	for (size_t i = 0; i < n; i++) {
		const struct cs_table_rows *rows = &tables[i];
		file->context.rows[rows->table] = rows->n;
		file->tables[rows->table] = (struct cs_loaded_table){.rows = (void *)rows->rows,
			.n = rows->n,
			.loaded = !rows->fill,
			.lent = !rows->fill,
			.fill = rows->fill};
	}
	*ret = file;
	return NULL;
}

void cs_file_close(struct cs_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < CS_MAX_TABLES; i++) {
		if (file->tables[i].space.at)
			cs_reserved_free(&file->tables[i].space);
		else if (!file->tables[i].lent)
			free(file->tables[i].rows);
		free(file->tables[i].here);
		free(file->tables[i].narrow);
	}
	cs_reserved_free(&file->texts.space);
	free(file->texts.here);
	free(file->sections);
	cs_source_close(&file->source);
	free(file);
}

/* ---- loading whole tables ---- */

struct cs_error *cs_file_charge(struct cs_file *file, uint64_t bytes)
{
	if (bytes > file->limits.memory - file->memory)
		return cs_error_at(CS_E_LIMIT, file->source.name, CS_NO_OFFSET,
			"the decoded tables need more memory than the limit of %" PRIu64
			" bytes (raise it with --max-mem)",
			file->limits.memory);
	file->memory += bytes;
	return NULL;
}

static struct cs_error *decode_one(struct section_job *job, size_t i)
{
	return cs_file_decode_section(
		job->file, job->first + i, job->wanted, job->bytes + job->starts[i]);
}

static size_t first_section(const struct cs_file *file, uint16_t table)
{
	size_t i = 0;
	while (i < file->n_sections && file->sections[i].table != table)
		i++;
	return i;
}

struct cs_error *cs_file_decode_parts(
	struct cs_file *file, size_t first, size_t n, const bool *wanted, unsigned char *bytes)
{
	struct section_job job = {
		.file = file, .first = first, .bytes = bytes, .wanted = wanted, .each = decode_one};
	job.starts = calloc(n ? n : 1, sizeof(*job.starts));
	if (!job.starts)
		return cs_error_nomem();
	for (size_t i = 1; i < n; i++)
		job.starts[i] = job.starts[i - 1] + file->sections[first + i - 1].raw_size;
	struct cs_error *error = for_sections(&job, n);
	free(job.starts);
	return error;
}

struct cs_file_parts cs_file_parts_of(const struct cs_file *file, uint16_t table)
{
	struct cs_file_parts parts = {.first = first_section(file, table)};
	for (size_t i = parts.first; i < file->n_sections && file->sections[i].table == table;
		i++) {
		parts.bytes += file->sections[i].raw_size;
		parts.n++;
	}
	return parts;
}

struct row_check {
	const struct cs_file *file;
	const struct cs_record *record;
	const unsigned char *rows;
	size_t *failed; /* for each chunk of rows, its first invalid row, or SIZE_MAX */
	size_t grain;
};

static void check_rows(void *context, size_t begin, size_t end, int thread)
{
	const struct row_check *check = context;
	(void)thread;
	const size_t valid = cs_record_first_invalid(check->record,
		check->rows + begin * check->record->size, end - begin, &check->file->context);
	if (valid < end - begin)
		check->failed[begin / check->grain] = begin + valid;
}

uint64_t cs_file_row_offset(const struct cs_file *file, uint16_t table, size_t row)
{
	for (size_t i = first_section(file, table); i < file->n_sections; i++) {
		const struct cs_section *section = &file->sections[i];
		if (row < section->record_count)
			return section->flags & (CS_SECTION_LZ4 | CS_SECTION_PLANES)
				       ? section->offset
				       : section->offset + (uint64_t)row * section->record_size;
		row -= section->record_count;
	}
	return CS_NO_OFFSET;
}

static struct cs_error *row_error(
	const struct cs_file *file, const struct cs_record *record, const void *rows, size_t row)
{
	struct cs_record_problem problem;
	cs_record_check(
		record, (const unsigned char *)rows + row * record->size, &file->context, &problem);
	return cs_error_at(problem.code, file->source.name,
		cs_file_row_offset(file, record->table, row), "%s[%zu].%s: %s", record->name, row,
		problem.field->name, problem.message);
}

/* Checks n rows from `first` on by their fields. Returns an error about the first invalid row. */
static struct cs_error *check_table(const struct cs_file *file, const struct cs_record *record,
	const unsigned char *rows, size_t first, size_t n)
{
	if (record->n_fields == 0)
		return NULL; /* tables of single bytes have no fields to check */
	const size_t grain = 4096, chunks = n / grain + 1;
	struct row_check check = {
		file, record, rows + first * record->size, malloc(chunks * sizeof(size_t)), grain};
	if (!check.failed)
		return cs_error_nomem();
	memset(check.failed, 0xff, chunks * sizeof(size_t));
	cs_parallel_for(file->threads, n, grain, check_rows, &check);
	size_t row = SIZE_MAX;
	for (size_t i = 0; i < chunks && row == SIZE_MAX; i++)
		row = check.failed[i];
	free(check.failed);
	return row == SIZE_MAX ? NULL : row_error(file, record, rows, first + row);
}

/* ---- tables whose rows are made by a function ---- */

struct making {
	struct cs_file *file;
	cs_fill_rows *fill;
	unsigned char *rows;
	size_t size;
};

static void make_range(void *context, size_t begin, size_t end, int thread)
{
	const struct making *making = context;
	(void)thread;
	making->fill(making->file->maker, begin, end - begin, making->rows + begin * making->size);
}

static struct cs_error *make_rows(
	struct cs_file *file, const struct cs_record *record, struct cs_loaded_table *table)
{
	enum { GRAIN = 1 << 20 }; /* smallest size in bytes of a chunk of work for one thread */
	struct cs_error *error = cs_file_charge(file, (uint64_t)table->n * record->size);
	if (error)
		return error;
	struct making making = {
		file, table->fill, malloc(table->n * record->size + 1), record->size};
	if (!making.rows)
		return cs_error_nomem();
	cs_parallel_for(file->threads, table->n, GRAIN / record->size, make_range, &making);
	table->rows = making.rows;
	table->loaded = true;
	return NULL;
}

/* ---- loading texts ---- */

static struct cs_error *make_texts(struct cs_file *file)
{
	struct cs_loaded_table *table = &file->tables[CS_TABLE_STRINGS];
	struct cs_error *error =
		make_rows(file, cs_schema_record(file->schema, CS_TABLE_STRINGS), table);
	if (error)
		return error;
	file->context.texts = table->rows;
	file->context.texts_size = table->n;
	return NULL;
}

static struct cs_error *load_texts(
	struct cs_file *file, const struct cs_record *record, const void *rows, size_t n)
{
	if (!file->maker)
		return cs_file_need_texts(file, record, rows, n);
	return file->context.texts ? NULL : make_texts(file);
}

/* ---- loading rows in parts ---- */

/* Returns the number of rows of each part but the last, or 0 if parts differ or there are none. */
static size_t rows_of_part(const struct cs_file *file, const struct cs_file_parts *parts)
{
	if (parts->n == 0)
		return 0;
	const struct cs_section *section = &file->sections[parts->first];
	for (size_t i = 1; i < parts->n; i++)
		if (i + 1 < parts->n ? section[i].record_count != section->record_count
				     : section[i].record_count > section->record_count)
			return 0;
	return section->record_count;
}

/* Reserves address space for all rows of a table. Only the parts that are loaded use memory. */
static struct cs_error *begin_rows(struct cs_file *file, const struct cs_record *record,
	const struct cs_file_parts *parts, struct cs_loaded_table *ret)
{
	const size_t n = (size_t)file->context.rows[record->table];
	struct cs_loaded_table table = {
		.n = n, .part_rows = rows_of_part(file, parts), .narrow = ret->narrow};
	table.space = cs_reserve(n + 1, record->size);
	table.rows = table.space.at;
	table.here = calloc(parts->n + 1, 1);
	if (!table.rows || !table.here) {
		cs_reserved_free(&table.space);
		free(table.here);
		return cs_error_nomem();
	}
	*ret = table;
	return NULL;
}

/* Returns whether stored rows equal rows in memory: the same size, and a little-endian machine. */
static bool are_as_stored(const struct cs_record *record, const struct cs_section *section)
{
	const bool is_turned = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && record->n_fields > 0;
	return section->record_size == record->size && !is_turned;
}

/* Decodes n sections, from `first` on, into records as this version of the program has them. */
static struct cs_error *decode_rows(struct cs_file *file, const struct cs_record *record,
	size_t first, size_t n, size_t n_rows, unsigned char *rows)
{
	const struct cs_section *section = &file->sections[first];
	const struct cs_narrow_record *narrow = file->tables[record->table].narrow;
	const uint64_t stored = (uint64_t)n_rows * section->record_size;
	if (are_as_stored(record, section))
		return cs_file_decode_parts(file, first, n, narrow ? narrow->wanted : NULL, rows);
	struct cs_error *error = cs_file_charge(file, stored);
	if (error)
		return error;
	unsigned char *bytes = malloc(stored ? (size_t)stored : 1);
	error = bytes ? cs_file_decode_parts(file, first, n, NULL, bytes) : cs_error_nomem();
	if (!error)
		cs_record_decode(record, bytes, section->record_size, n_rows, rows);
	free(bytes);
	file->memory -= stored;
	return error;
}

/* Reads and checks the parts of a table from `part` to `end` - 1, none of which is loaded. */
static struct cs_error *bring_rows(struct cs_file *file, const struct cs_record *record,
	const struct cs_file_parts *parts, size_t part, size_t end)
{
	struct cs_loaded_table *table = &file->tables[record->table];
	const struct cs_record *read = table->narrow ? &table->narrow->record : record;
	const size_t first = part * table->part_rows;
	size_t n = 0;
	for (size_t i = part; i < end; i++)
		n += file->sections[parts->first + i].record_count;
	struct cs_error *error = cs_file_charge(file, (uint64_t)n * record->size);
	if (error)
		return error;
	unsigned char *rows = table->rows, *at = rows + first * record->size;
	if (!cs_reserved_use(&table->space, first * record->size, n * record->size))
		error = cs_error_nomem();
	if (!error)
		error = decode_rows(file, record, parts->first + part, end - part, n, at);
	if (!error)
		error = load_texts(file, read, at, n);
	if (!error)
		error = check_table(file, read, rows, first, n);
	if (error) {
		file->memory -= (uint64_t)n * record->size;
		return error;
	}
	memset(table->here + part, file->passing ? CS_PART_PASSING : CS_PART_HERE, end - part);
	table->n_here += end - part;
	table->brought += (uint64_t)n * record->size;
	table->loaded = table->n_here == parts->n;
	return NULL;
}

/* Loads those of the parts from `part` to `end` - 1 that are not loaded yet. */
static struct cs_error *bring_missing(struct cs_file *file, const struct cs_record *record,
	const struct cs_file_parts *parts, size_t part, size_t end)
{
	const struct cs_loaded_table *table = &file->tables[record->table];
	struct cs_error *error = NULL;
	while (!error && part < end) {
		size_t next = part;
		while (next < end && !table->here[next])
			next++;
		if (next > part)
			error = bring_rows(file, record, parts, part, next);
		part = next > part ? next : part + 1;
	}
	return error;
}

static struct cs_error *load_rows(struct cs_file *file, const struct cs_record *record)
{
	const struct cs_file_parts parts = cs_file_parts_of(file, record->table);
	struct cs_loaded_table *table = &file->tables[record->table];
	if (table->narrow)
		cs_file_widen(file, record);
	struct cs_error *error = table->rows ? NULL : begin_rows(file, record, &parts, table);
	if (!error)
		error = bring_missing(file, record, &parts, 0, parts.n);
	table->loaded = !error;
	if (!error)
		memset(table->here, CS_PART_HERE, parts.n);
	return error;
}

struct cs_error *cs_file_load(
	struct cs_file *file, uint16_t table, const void **rows_ret, size_t *n_ret)
{
	const struct cs_record *record = cs_schema_record(file->schema, table);
	if (!record)
		return cs_error_new(CS_E_INTERNAL, "%s has no table with the number %u",
			file->schema->name, table);
	bool is_texts = table == CS_TABLE_STRINGS;
	struct cs_error *error = load_texts(file, is_texts ? NULL : record, NULL, 0);
	struct cs_loaded_table *loaded = &file->tables[table];
	if (!error && (!loaded->loaded || loaded->narrow) && !is_texts)
		error = loaded->fill ? make_rows(file, record, loaded) : load_rows(file, record);
	if (error)
		return error;
	*rows_ret = !is_texts || file->maker ? loaded->rows : file->texts.bytes;
	*n_ret = is_texts ? (size_t)file->context.rows[CS_TABLE_STRINGS] : loaded->n;
	return NULL;
}

/*
 * Returns the end of the range of parts to load when `part` is requested. While parts are requested
 * in sequence, the range doubles, so that several threads decode. It stays small enough for the
 * rows to be still in the cache when they are checked and read.
 */
static size_t parts_ahead(struct cs_loaded_table *table, size_t part, size_t n_parts)
{
	enum { MOST = 8 };
	const size_t twice = 2 * table->run < MOST ? 2 * table->run : MOST;
	const size_t want = part == table->next && table->run ? twice : 1;
	table->run = want < n_parts - part ? want : n_parts - part;
	table->next = part + table->run;
	return table->next;
}

/* Returns whether the part of a row is loaded, and its range. This makes random access fast. */
static bool is_part_here(
	const struct cs_loaded_table *table, size_t row, struct cs_rows_here *here_ret)
{
	const size_t part = table->part_rows ? row / table->part_rows : 0;
	if (!table->part_rows || !table->here || !table->here[part])
		return false;
	*here_ret = (struct cs_rows_here){part * table->part_rows, (part + 1) * table->part_rows};
	return true;
}

struct cs_error *cs_file_load_some(struct cs_file *file, uint16_t id, size_t first, size_t n,
	const void **rows_ret, struct cs_rows_here *here_ret)
{
	struct cs_loaded_table *table = &file->tables[id];
	if (n == 1 && (!table->loaded || table->narrow) && is_part_here(table, first, here_ret)) {
		*rows_ret = table->rows;
		return NULL;
	}
	const struct cs_record *record = cs_schema_record(file->schema, id);
	const struct cs_file_parts parts = cs_file_parts_of(file, id);
	struct cs_error *error = NULL;
	size_t all, part_rows = rows_of_part(file, &parts);
	if ((table->loaded && !table->narrow) || table->fill || part_rows == 0 || parts.n < 2) {
		error = cs_file_load(file, id, rows_ret, &all);
		if (!error)
			*here_ret = (struct cs_rows_here){0, SIZE_MAX};
		return error;
	}
	if (!table->rows)
		error = begin_rows(file, record, &parts, table);
	const size_t part = first / part_rows, last = (first + n - 1) / part_rows;
	size_t end = part;
	for (; !error && end <= last; end++) {
		const size_t ahead = table->here[end] ? end + 1 : parts_ahead(table, end, parts.n);
		error = bring_missing(file, record, &parts, end, ahead);
	}
	if (error)
		return error;
	/* include loaded parts that follow, so that their rows need no further call */
	for (size_t more = 0; end < parts.n && table->here[end] && more < parts.n / 8; more++)
		end++;
	*rows_ret = table->rows;
	*here_ret = (struct cs_rows_here){part * part_rows, end * part_rows};
	return NULL;
}

struct cs_section_rows cs_section_rows(
	const struct cs_file *file, uint16_t table, const char *const *fields)
{
	struct cs_section_rows rows = {.file = file,
		.record = cs_schema_record(file->schema, table),
		.parts = cs_file_parts_of(file, table)};
	if (!fields)
		memset(rows.wanted, true, sizeof(rows.wanted));
	for (; fields && *fields; fields++) {
		const struct cs_field *field = cs_record_field(rows.record, *fields);
		memset(rows.wanted + field->offset, true, cs_field_element_size(field));
	}
	return rows;
}

bool cs_section_rows_next(struct cs_section_rows *rows, struct cs_error **error_ret)
{
	const size_t part = rows->part++;
	unsigned char *bytes = NULL;
	free(rows->rows);
	rows->rows = NULL;
	if (part >= rows->parts.n)
		return false;
	const struct cs_section *section = &rows->file->sections[rows->parts.first + part];
	*error_ret = cs_file_read_some(rows->file, rows->parts.first + part,
		section->record_size == rows->record->size ? rows->wanted : NULL, &bytes);
	if (*error_ret)
		return false;
	rows->rows = bytes;
	rows->first = rows->end;
	rows->end += section->record_count;
	if (are_as_stored(rows->record, section))
		return true;
	const size_t shaped = (size_t)section->record_count * rows->record->size;
	rows->rows = malloc(shaped ? shaped : 1);
	if (rows->rows)
		cs_record_decode(rows->record, bytes, section->record_size, section->record_count,
			rows->rows);
	else
		*error_ret = cs_error_nomem();
	free(bytes);
	return rows->rows != NULL;
}

void cs_section_rows_deinit(struct cs_section_rows *rows)
{
	free(rows->rows);
	rows->rows = NULL;
}

/* Returns whether a field's value is the key's GUID or, without a GUID, one of its text offsets. */
static bool reader_has_key(const unsigned char *field, const struct cs_row_key *key)
{
	uint32_t text;
	if (key->guid)
		return memcmp(field, key->guid, sizeof(*key->guid)) == 0;
	memcpy(&text, field, sizeof(text));
	const size_t at = cs_lower_bound(0, key->texts->n, i, key->texts->at[i] < text);
	return at < key->texts->n && key->texts->at[at] == text;
}

struct cs_error *cs_file_find_rows(const struct cs_file *file, uint16_t table,
	const struct cs_field *field, const struct cs_row_key *key, const struct cs_job *job,
	void (*found)(void *context, uint32_t row), void *context)
{
	const char *const fields[] = {field->name, NULL};
	struct cs_section_rows rows = cs_section_rows(file, table, fields);
	struct cs_error *error = NULL;
	while (!error && cs_section_rows_next(&rows, &error)) {
		const unsigned char *at = rows.rows + field->offset;
		for (size_t i = rows.first; i < rows.end; i++, at += rows.record->size)
			if (reader_has_key(at, key))
				found(context, (uint32_t)i);
		error = cs_job_check(job);
	}
	cs_section_rows_deinit(&rows);
	return error;
}

struct cs_error *cs_file_compute_content_id(const struct cs_file *file, unsigned char ret[16])
{
	XXH3_state_t *state = XXH3_createState();
	unsigned char *bytes = NULL;
	uint64_t room = 0;
	struct cs_error *error = state ? NULL : cs_error_nomem();
	if (state)
		XXH3_128bits_reset(state);
	for (size_t i = 0; !error && i < file->n_sections; i++) {
		const struct cs_section *section = &file->sections[i];
		unsigned char head[CS_SECTION_HEAD];
		if (!bytes || section->raw_size > room) {
			free(bytes);
			room = section->raw_size > CS_PART_BYTES ? section->raw_size
								 : CS_PART_BYTES;
			bytes = malloc((size_t)room);
			error = bytes ? NULL : cs_error_nomem();
		}
		if (!error)
			error = cs_file_decode_section(file, i, NULL, bytes);
		if (error)
			break;
		cs_section_head(section, head);
		XXH3_128bits_update(state, head, sizeof(head));
		XXH3_128bits_update(state, bytes, (size_t)section->raw_size);
	}
	if (!error) {
		XXH128_hash_t hash = XXH3_128bits_digest(state);
		cs_store64(ret, hash.low64);
		cs_store64(ret + 8, hash.high64);
	}
	free(bytes);
	XXH3_freeState(state);
	return error;
}

/* ---- properties of an open file ---- */

const char *cs_file_name(const struct cs_file *file)
{
	return file->source.name;
}

const char *cs_file_path(const struct cs_file *file)
{
	while (file->outer)
		file = file->outer;
	return cs_file_name(file);
}

struct cs_file_info cs_file_info(const struct cs_file *file)
{
	static const char digits[] = "0123456789abcdef";
	struct cs_file_info info = {
		.schema = file->schema, .size = file->source.size, .name = cs_file_path(file)};
	for (int i = 0; i < 16; i++) {
		info.content_id[2 * i] = digits[file->content_id[15 - i] >> 4];
		info.content_id[2 * i + 1] = digits[file->content_id[15 - i] & 15];
	}
	return info;
}

uint64_t cs_file_rows(const struct cs_file *file, uint16_t table)
{
	return table < CS_MAX_TABLES ? file->context.rows[table] : 0;
}

const char *cs_file_text(const struct cs_file *file, uint32_t offset)
{
	const struct cs_text_table *texts = &file->texts;
	const bool there = offset < file->context.texts_size &&
			   (!texts->here || texts->here[(uint64_t)offset >> texts->shift]);
	return there ? file->context.texts + offset : "";
}
