/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: open containers and their tables. A strict opening reads every byte once and compares all
 * stored sums; tables are decoded when they are first asked for, in parallel by section, and their
 * records are checked before anyone sees them. Memory is charged to one budget for the file.
 */
#include "format/reader.h"

#include "core/cursor.h"
#include "core/error_inside.h"
#include "core/job.h"
#include "core/parallel.h"
#include "format/columns.h"
#include "format/file_inside.h"
#include "format/layout.h"
#include "format/unpack.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct cs_error *section_error(
	const struct cs_file *file, size_t index, enum cs_code code, const char *problem)
{
	const struct cs_section *s = &file->sections[index];
	const struct cs_record *record = cs_schema_record(file->schema, s->table);
	return cs_error_at(code, file->source.name, s->offset, "section %zu (%s, part %u): %s",
		index, record ? record->name : "unknown table", s->part, problem);
}

/* Decompresses the columns into a buffer, then copies each word to its row. */
static struct cs_error *unpack_columns(
	const struct cs_file *file, size_t index, const unsigned char *packed, void *ret)
{
	const struct cs_section *s = &file->sections[index];
	const size_t raw = (size_t)s->raw_size, stored = (size_t)s->stored_size;
	const size_t head = cs_columns_head_check(packed, stored, s->record_size);
	if (!head)
		return section_error(file, index, CS_E_LAYOUT,
			"the head of its columns does not describe its rows");
	unsigned char *columns = malloc(raw ? raw : 1);
	if (!columns)
		return cs_error_nomem();
	const bool whole = cs_unpack(packed + head, stored - head, columns, raw);
	if (whole)
		cs_columns_decode(packed, columns, s->record_count, ret);
	free(columns);
	return whole ? NULL
		     : section_error(file, index, CS_E_COMPRESSION,
			       "the LZ4 data does not decode to its size");
}

static struct cs_error *unpack_rows(
	const struct cs_file *file, size_t index, const unsigned char *packed, void *ret)
{
	const struct cs_section *s = &file->sections[index];
	if (s->flags & CS_SECTION_COLUMNS)
		return unpack_columns(file, index, packed, ret);
	if (cs_unpack(packed, (size_t)s->stored_size, ret, (size_t)s->raw_size))
		return NULL;
	return section_error(
		file, index, CS_E_COMPRESSION, "the LZ4 data does not decode to its size");
}

static struct cs_error *reader_read_packed(const struct cs_file *file, size_t index, void *ret)
{
	const struct cs_section *s = &file->sections[index];
	if (s->stored_size > INT_MAX || s->raw_size > INT_MAX)
		return section_error(file, index, CS_E_LIMIT, "too large to decompress");
	unsigned char *packed = malloc(s->stored_size ? (size_t)s->stored_size : 1);
	if (!packed)
		return cs_error_nomem();
	struct cs_error *error =
		cs_source_read(&file->source, s->offset, packed, (size_t)s->stored_size);
	if (!error)
		error = unpack_rows(file, index, packed, ret);
	free(packed);
	return error;
}

/* Decodes one section into `ret`, raw_size bytes; checks the raw sum unless salvaging. */
static struct cs_error *file_decode_section(const struct cs_file *file, size_t index, void *ret)
{
	const struct cs_section *s = &file->sections[index];
	const size_t raw = (size_t)s->raw_size;
	struct cs_error *error = s->flags & CS_SECTION_LZ4
					 ? reader_read_packed(file, index, ret)
					 : cs_source_read(&file->source, s->offset, ret, raw);
	if (error)
		return error;
	if (file->mode != CS_FILE_SALVAGE &&
		cs_section_sum(cs_section_id(s), ret, raw) != s->raw_sum)
		return section_error(file, index, CS_E_CHECKSUM,
			"the checksum of the decoded bytes does not match");
	return NULL;
}

struct cs_error *cs_file_check_section(const struct cs_file *file, size_t index)
{
	const struct cs_section *s = &file->sections[index];
	uint64_t end = index ? s[-1].offset + s[-1].stored_size : s->offset;
	size_t gap = (size_t)(s->offset - end), size = (size_t)s->stored_size;
	unsigned char *bytes = malloc(gap + size + 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = cs_source_read(&file->source, end, bytes, gap + size);
	for (size_t i = 0; !error && i < gap; i++)
		if (bytes[i])
			error = cs_error_at(CS_E_LAYOUT, file->source.name, end + i,
				"a byte between two sections is not zero");
	if (!error && cs_section_sum(cs_section_id(s), bytes + gap, size) != s->stored_sum)
		error = section_error(
			file, index, CS_E_CHECKSUM, "the checksum does not match the bytes");
	free(bytes);
	return error;
}

/* ---- opening ---- */

struct section_job {
	struct cs_file *file;
	size_t first;
	struct cs_error **errors;
	unsigned char *bytes; /* of the whole table, when decoding */
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

/* All sections on all threads; of several errors the one of the first section is returned. */
static struct cs_error *for_sections(struct section_job *job, size_t n)
{
	job->errors = calloc(n ? n : 1, sizeof(*job->errors));
	if (!job->errors)
		return cs_error_nomem();
	cs_parallel_for(job->file->threads, n, 1, run_sections, job);
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
	struct cs_error *error = cs_source_open(path, file->limits.file_bytes, &file->source);
	if (error) {
		free(file);
		return error;
	}
	return finish_open(file, job, ret);
}

struct cs_error *cs_file_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret)
{
	struct cs_file *file = new_file(mode, job);
	if (!file)
		return cs_error_nomem();
	struct cs_error *error = cs_source_memory(bytes, size, name, &file->source);
	if (error) {
		free(file);
		return error;
	}
	return finish_open(file, job, ret);
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
		const struct cs_table_rows *t = &tables[i];
		file->context.rows[t->table] = t->n;
		file->tables[t->table] = (struct cs_loaded_table){
			(void *)t->rows, t->n, !t->fill, !t->fill, t->fill};
	}
	*ret = file;
	return NULL;
}

void cs_file_close(struct cs_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < CS_MAX_TABLES; i++)
		if (!file->tables[i].lent)
			free(file->tables[i].rows);
	free(file->texts.bytes);
	free(file->sections);
	cs_source_close(&file->source);
	free(file);
}

/* ---- tables ---- */

static struct cs_error *charge(struct cs_file *file, uint64_t bytes)
{
	if (bytes > file->limits.memory - file->memory)
		return cs_error_at(CS_E_LIMIT, file->source.name, CS_NO_OFFSET,
			"the decoded tables need more than the limit memory, %" PRIu64 " bytes",
			file->limits.memory);
	file->memory += bytes;
	return NULL;
}

static struct cs_error *decode_one(struct section_job *job, size_t i)
{
	return file_decode_section(job->file, job->first + i, job->bytes + job->starts[i]);
}

static size_t first_section(const struct cs_file *file, uint16_t table)
{
	size_t i = 0;
	while (i < file->n_sections && file->sections[i].table != table)
		i++;
	return i;
}

/* n parts from the first on, one after the other. */
static struct cs_error *decode_parts(
	struct cs_file *file, size_t first, size_t n, unsigned char *bytes)
{
	struct section_job job = {.file = file, .first = first, .bytes = bytes, .each = decode_one};
	job.starts = calloc(n ? n : 1, sizeof(*job.starts));
	if (!job.starts)
		return cs_error_nomem();
	for (size_t i = 1; i < n; i++)
		job.starts[i] = job.starts[i - 1] + file->sections[first + i - 1].raw_size;
	struct cs_error *error = for_sections(&job, n);
	free(job.starts);
	return error;
}

struct parts {
	size_t first, n;
	uint64_t bytes; /* decoded */
};

static struct parts parts_of(const struct cs_file *file, uint16_t table)
{
	struct parts parts = {.first = first_section(file, table)};
	for (size_t i = parts.first; i < file->n_sections && file->sections[i].table == table;
		i++) {
		parts.bytes += file->sections[i].raw_size;
		parts.n++;
	}
	return parts;
}

/* The raw bytes of all parts of a table, one after the other. */
static struct cs_error *decode_table(
	struct cs_file *file, uint16_t table, unsigned char **bytes_ret, uint32_t *record_size_ret)
{
	struct parts parts = parts_of(file, table);
	struct cs_error *error = charge(file, parts.bytes);
	if (error)
		return error;
	unsigned char *bytes = malloc(parts.bytes ? (size_t)parts.bytes : 1);
	error = bytes ? decode_parts(file, parts.first, parts.n, bytes) : cs_error_nomem();
	if (error) {
		free(bytes);
		return error;
	}
	*bytes_ret = bytes;
	*record_size_ret = parts.n ? file->sections[parts.first].record_size : 0;
	return NULL;
}

/* Turns stored records into records of this version; frees `bytes` unless it is the answer. */
static struct cs_error *shape_rows(struct cs_file *file, const struct cs_record *record,
	unsigned char *bytes, uint32_t stored_size, size_t n, void **ret)
{
	const bool is_turned = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && record->n_fields > 0;
	if (n == 0 || (!is_turned && stored_size == record->size)) {
		*ret = bytes;
		return NULL;
	}
	struct cs_error *error = charge(file, (uint64_t)n * record->size);
	void *rows = error ? NULL : malloc(n ? n * record->size : 1);
	if (!error && !rows)
		error = cs_error_nomem();
	if (rows) {
		cs_record_decode(record, bytes, stored_size, n, rows);
		*ret = rows;
	}
	free(bytes);
	return error;
}

struct row_check {
	const struct cs_file *file;
	const struct cs_record *record;
	const unsigned char *rows;
	size_t *failed; /* by chunk: the first bad row, or SIZE_MAX */
	size_t grain;
};

static void check_rows(void *context, size_t begin, size_t end, int thread)
{
	const struct row_check *check = context;
	struct cs_record_problem problem;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		if (cs_record_check(check->record, check->rows + i * check->record->size,
			    &check->file->context, &problem))
			continue;
		check->failed[begin / check->grain] = i;
		return;
	}
}

uint64_t cs_file_row_offset(const struct cs_file *file, uint16_t table, size_t row)
{
	for (size_t i = first_section(file, table); i < file->n_sections; i++) {
		const struct cs_section *s = &file->sections[i];
		if (row < s->record_count)
			return s->flags & CS_SECTION_LZ4
				       ? s->offset
				       : s->offset + (uint64_t)row * s->record_size;
		row -= s->record_count;
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

static struct cs_error *check_table(
	const struct cs_file *file, const struct cs_record *record, const void *rows, size_t n)
{
	if (record->n_fields == 0)
		return NULL; /* bytes promise nothing */
	const size_t grain = 4096, chunks = n / grain + 1;
	struct row_check check = {file, record, rows, malloc(chunks * sizeof(size_t)), grain};
	if (!check.failed)
		return cs_error_nomem();
	memset(check.failed, 0xff, chunks * sizeof(size_t));
	cs_parallel_for(file->threads, n, grain, check_rows, &check);
	size_t row = SIZE_MAX;
	for (size_t i = 0; i < chunks && row == SIZE_MAX; i++)
		row = check.failed[i];
	free(check.failed);
	return row == SIZE_MAX ? NULL : row_error(file, record, rows, row);
}

/* ---- rows that are made ---- */

struct making {
	struct cs_file *file;
	cs_fill_rows *fill;
	unsigned char *rows;
	size_t size;
};

static void make_range(void *context, size_t begin, size_t end, int thread)
{
	const struct making *m = context;
	(void)thread;
	m->fill(m->file->maker, begin, end - begin, m->rows + begin * m->size);
}

static struct cs_error *make_rows(
	struct cs_file *file, const struct cs_record *record, struct cs_loaded_table *table)
{
	enum { GRAIN = 1 << 20 }; /* bytes */
	struct cs_error *error = charge(file, (uint64_t)table->n * record->size);
	if (error)
		return error;
	struct making m = {file, table->fill, malloc(table->n * record->size + 1), record->size};
	if (!m.rows)
		return cs_error_nomem();
	cs_parallel_for(file->threads, table->n, GRAIN / record->size, make_range, &m);
	table->rows = m.rows;
	table->loaded = true;
	return NULL;
}

/* ---- texts ---- */

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

/* Of what has come, the texts that are whole. */
static struct cs_error *check_texts(struct cs_file *file)
{
	struct cs_text_table *texts = &file->texts;
	const char *blob = texts->bytes;
	size_t size = (size_t)file->context.rows[CS_TABLE_STRINGS];
	size_t from = file->context.texts_size, to = texts->n < size ? texts->n : size;
	size_t end = to;
	while (end < size && end > from && blob[end - 1])
		end--;
	if (end == from && end < size && to - from <= file->limits.name_bytes)
		return NULL; /* one text, longer than all parts that are here */
	end = end == from ? to : end;
	struct cs_error *error =
		cs_texts_check(blob, from, end, size, file->limits.name_bytes, file->source.name);
	if (!error) {
		file->context.texts = blob;
		file->context.texts_size = end;
	}
	return error;
}

static struct cs_error *begin_texts(struct cs_file *file, const struct parts *parts)
{
	struct cs_error *error = charge(file, parts->bytes);
	if (error)
		return error;
	file->texts.bytes = malloc(parts->bytes ? (size_t)parts->bytes : 1);
	return file->texts.bytes ? NULL : cs_error_nomem();
}

/*
 * The texts up to `last` at least. A world of millions of actors is mostly their names, which stand
 * behind those of everything else: memory that nobody asks for is never touched.
 */
static struct cs_error *load_texts(struct cs_file *file, uint64_t last)
{
	struct cs_text_table *texts = &file->texts;
	if (file->maker)
		return file->context.texts ? NULL : make_texts(file);
	struct parts parts = parts_of(file, CS_TABLE_STRINGS);
	struct cs_error *error = texts->bytes ? NULL : begin_texts(file, &parts);
	while (!error && texts->n_parts < parts.n && file->context.texts_size <= last) {
		const struct cs_section *next = &file->sections[parts.first + texts->n_parts];
		size_t n = 0;
		uint64_t bytes = 0;
		do
			bytes += next[n++].raw_size;
		while (texts->n_parts + n < parts.n && texts->n + bytes <= last);
		error = decode_parts(file, parts.first + texts->n_parts, n,
			(unsigned char *)texts->bytes + texts->n);
		if (error)
			break;
		const struct cs_text_table before = *texts;
		texts->n_parts += n;
		texts->n += (size_t)bytes;
		error = check_texts(file);
		if (error)
			*texts = before; /* who asks again is told again */
	}
	return error;
}

static struct cs_error *load_rows(
	struct cs_file *file, const struct cs_record *record, struct cs_loaded_table *ret)
{
	unsigned char *bytes;
	uint32_t stored_size;
	void *rows = NULL;
	size_t n = (size_t)file->context.rows[record->table];
	struct cs_error *error = decode_table(file, record->table, &bytes, &stored_size);
	if (!error)
		error = shape_rows(file, record, bytes, stored_size, n, &rows);
	if (!error)
		error = load_texts(file, cs_record_last_text(record, rows, n));
	if (!error)
		error = check_table(file, record, rows, n);
	if (error)
		free(rows);
	else
		*ret = (struct cs_loaded_table){.rows = rows, .n = n, .loaded = true};
	return error;
}

struct cs_error *cs_file_load(
	struct cs_file *file, uint16_t table, const void **rows_ret, size_t *n_ret)
{
	const struct cs_record *record = cs_schema_record(file->schema, table);
	if (!record)
		return cs_error_new(CS_E_INTERNAL, "%s has no table %u", file->schema->name, table);
	bool is_texts = table == CS_TABLE_STRINGS;
	struct cs_error *error = load_texts(file, is_texts ? UINT64_MAX : 0);
	struct cs_loaded_table *loaded = &file->tables[table];
	if (!error && !loaded->loaded && !is_texts)
		error = loaded->fill ? make_rows(file, record, loaded)
				     : load_rows(file, record, loaded);
	if (error)
		return error;
	*rows_ret = !is_texts || file->maker ? loaded->rows : file->texts.bytes;
	*n_ret = is_texts ? (size_t)file->context.rows[CS_TABLE_STRINGS] : loaded->n;
	return NULL;
}

struct cs_error *cs_file_read_section(
	struct cs_file *file, size_t index, unsigned char **bytes_ret, size_t *size_ret)
{
	size_t size = (size_t)file->sections[index].raw_size;
	unsigned char *bytes = malloc(size ? size : 1);
	if (!bytes)
		return cs_error_nomem();
	struct cs_error *error = file_decode_section(file, index, bytes);
	if (error) {
		free(bytes);
		return error;
	}
	*bytes_ret = bytes;
	*size_ret = size;
	return NULL;
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
		const struct cs_section *s = &file->sections[i];
		unsigned char head[12];
		if (!bytes || s->raw_size > room) {
			free(bytes);
			room = s->raw_size > CS_PART_BYTES ? s->raw_size : CS_PART_BYTES;
			bytes = malloc((size_t)room);
			error = bytes ? NULL : cs_error_nomem();
		}
		if (!error)
			error = file_decode_section(file, i, bytes);
		if (error)
			break;
		cs_store32(head, cs_section_id(s));
		cs_store64(head + 4, s->raw_size);
		XXH3_128bits_update(state, head, sizeof(head));
		XXH3_128bits_update(state, bytes, (size_t)s->raw_size);
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

/* ---- what is known of an open file ---- */

const char *cs_file_name(const struct cs_file *file)
{
	return file->source.name;
}

const struct cs_schema *cs_file_schema(const struct cs_file *file)
{
	return file->schema;
}

uint64_t cs_file_size(const struct cs_file *file)
{
	return file->source.size;
}

void cs_file_content_id(const struct cs_file *file, char text[33])
{
	static const char digits[] = "0123456789abcdef";
	for (int i = 0; i < 16; i++) {
		text[2 * i] = digits[file->content_id[15 - i] >> 4];
		text[2 * i + 1] = digits[file->content_id[15 - i] & 15];
	}
	text[32] = '\0';
}

size_t cs_file_sections(const struct cs_file *file)
{
	return file->n_sections;
}

const struct cs_section *cs_file_section(const struct cs_file *file, size_t index)
{
	return &file->sections[index];
}

uint64_t cs_file_rows(const struct cs_file *file, uint16_t table)
{
	return table < CS_MAX_TABLES ? file->context.rows[table] : 0;
}

const char *cs_file_text(const struct cs_file *file, uint32_t offset)
{
	return offset < file->context.texts_size ? file->context.texts + offset : "";
}
