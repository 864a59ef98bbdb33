/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes container files. Each thread repeatedly takes the next section, makes its rows and packs
 * them in its own memory. When all earlier sections have been written, the thread hashes the raw
 * bytes, which are still in its cache, into content_id and writes the packed bytes to the sink.
 * Sections of many rows are packed by column (planes.h), others by LZ4; a section that does not
 * become smaller is stored uncompressed. Columns may be stored as differences from an earlier table
 * (the twin of the table), whose rows are then made a second time. Zeros reserve the space of the
 * file's head, whose size is known from the start; the head is written over them last.
 */
#include "format/file_writer.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/turns.h"
#include "core/vec.h"
#include "core/writer.h"
#include "format/layout.h"
#include "format/planes.h"
#include "format/record.h"
#include "format/save.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <lz4.h>

/* The largest number of threads, and the number of sections between two reports of progress. */
enum { MOST_THREADS = 16, STEP = 64 };

struct source {
	const struct cs_record *record;
	struct cs_table_rows table;
	void *context;
	/* index in `sources` of the twin, from which columns may store differences, or NO_TWIN */
	size_t twin;
};

#define NO_TWIN SIZE_MAX

/* A section to write: the index of its source in `sources`, and its first row in that source. */
struct piece {
	struct cs_section section;
	size_t source, first;
};

struct cs_file_writer {
	const struct cs_schema *schema;
	const struct cs_job *job;
	uint16_t last_table;
	bool plain;
	CS_VEC(struct source) sources;
	CS_VEC(struct piece) pieces;
};

struct cs_error *cs_file_writer_new(
	const struct cs_schema *schema, const struct cs_job *job, struct cs_file_writer **ret)
{
	struct cs_file_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return cs_error_nomem();
	writer->schema = schema;
	writer->job = job;
	*ret = writer;
	return NULL;
}

void cs_file_writer_plain(struct cs_file_writer *writer)
{
	writer->plain = true;
}

/* Finds an earlier table of n rows from which columns of `record` may be stored as differences. */
static size_t find_twin(
	const struct cs_file_writer *writer, const struct cs_record *record, size_t n)
{
	for (size_t i = 0; i < record->n_fields; i++)
		for (size_t k = 0; k < writer->sources.n; k++)
			if (writer->sources.at[k].table.table == record->fields[i].twin_table &&
				writer->sources.at[k].table.n == n)
				return k;
	return NO_TWIN;
}

static struct cs_error *add_pieces(
	struct cs_file_writer *writer, const struct cs_record *record, size_t n, size_t most)
{
	for (size_t done = 0, part = 0; done < n; part++) {
		const size_t count = n - done < most ? n - done : most;
		const struct piece piece = {
			.section = {.table = record->table,
				.part = (uint16_t)part,
				.flags = record->critical ? CS_SECTION_CRITICAL : 0,
				.raw_size = (uint64_t)count * record->size,
				.record_count = (uint32_t)count,
				.record_size = record->size},
			.source = writer->sources.n - 1,
			.first = done,
		};
		if (!cs_vec_push(&writer->pieces, piece))
			return cs_error_nomem();
		done += count;
	}
	return NULL;
}

struct cs_error *cs_file_writer_add(
	struct cs_file_writer *writer, const struct cs_table_rows *table, void *context)
{
	const struct cs_record *record = cs_schema_record(writer->schema, table->table);
	if (!record || table->table <= writer->last_table)
		return cs_error_new(CS_E_INTERNAL,
			"table %u cannot be written: it is unknown or out of order", table->table);
	writer->last_table = table->table;
	const size_t most = CS_PART_BYTES / record->size;
	if (table->n > (uint64_t)most * 65536)
		return cs_error_new(CS_E_LIMIT,
			"the table %s has %zu rows, more than the limit of %zu in a file",
			record->name, table->n, most * 65536);
	const struct source source = {record, *table, context, find_twin(writer, record, table->n)};
	return cs_vec_push(&writer->sources, source) ? add_pieces(writer, record, table->n, most)
						     : cs_error_nomem();
}

struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n)
{
	const struct cs_table_rows all = {.table = table, .rows = rows, .n = n};
	return cs_file_writer_add(writer, &all, NULL);
}

/* ---- making and packing one section ---- */

/* Buffers of a thread: rows of a section, rows of its twin table, columns, and packed bytes. */
struct slot {
	unsigned char *made, *twins, *columns, *packed;
	/* bytes of the section in these buffers: as raw rows, and as the file stores them */
	const unsigned char *raw, *stored;
};

struct output {
	struct cs_file_writer *writer;
	struct cs_save *save; /* file that is written, or NULL if `memory` is written */
	struct cs_writer memory;
	struct slot slots[MOST_THREADS];
	struct cs_turns turns;
	struct cs_error *error; /* first error of the sink */
	XXH3_state_t *hash;
	uint64_t end;
};

/*
 * Returns whether a section is packed by column. A section of few rows is not, because the header
 * of the packed form would need more bytes than columns save. Rows of single bytes are not either,
 * because they have no columns.
 */
static bool goes_by_column(const struct piece *piece)
{
	enum { LEAST_ROWS = 64 };
	return piece->section.record_count >= LEAST_ROWS && piece->section.record_size > 1;
}

/*
 * Returns n rows of a source, from row `first` on, as the file stores them, in little-endian order.
 * They are in `made` or, if the source has them in memory and they need no conversion, in its
 * array. `filled` is a buffer for rows that `fill` generates and whose bytes must then be swapped.
 */
static const unsigned char *encode_rows(const struct source *source, cs_fill_rows *fill,
	size_t first, size_t n, unsigned char *filled, unsigned char *made)
{
	const struct cs_record *record = source->record;
	const bool is_turned = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && record->n_fields > 0;
	const unsigned char *rows = source->table.rows;
	rows = fill ? (is_turned ? filled : made) : rows + first * record->size;
	if (fill)
		fill(source->context, first, n, is_turned ? filled : made);
	if (!is_turned)
		return rows;
	for (size_t i = 0; i < n; i++)
		cs_record_encode_by_field(record, rows + i * record->size, made + i * record->size);
	return made;
}

/*
 * Makes the rows of the twin table (an earlier table that this section mostly repeats) that have
 * the same numbers as the rows of the section. Columns of the section may store only differences
 * from them. Returns false if the section has no twin table.
 */
static bool make_twin(const struct cs_file_writer *writer, const struct piece *piece,
	const struct slot *slot, struct cs_planes_twin *ret)
{
	const size_t index = writer->sources.at[piece->source].twin;
	if (index == NO_TWIN)
		return false;
	const struct source *twin = &writer->sources.at[index];
	const struct cs_table_rows *table = &twin->table;
	ret->table = table->table;
	ret->record_size = twin->record->size;
	ret->rows = encode_rows(twin, table->fill_twins ? table->fill_twins : table->fill,
		piece->first, piece->section.record_count, slot->columns, slot->twins);
	return true;
}

/*
 * Packs the section by column and sets its size and flags. Returns false when the result is too
 * small: a section must not decode to more than CS_LZ4_RATIO times its stored size, so that readers
 * can bound the memory that they allocate for it.
 */
static bool pack_columns(const struct cs_record *record, const struct slot *slot,
	const struct cs_planes_twin *twin, struct cs_section *section)
{
	struct cs_planes_twin found;
	section->stored_size = cs_planes_pack(
		record, slot->raw, section->record_count, twin, slot->columns, slot->packed);
	section->flags |= CS_SECTION_PLANES | CS_SECTION_TWINS;
	if (!twin || !cs_planes_find_twin(slot->packed, section, NULL, &found) || !found.table)
		section->flags &= ~CS_SECTION_TWINS;
	return section->stored_size >= section->raw_size / CS_LZ4_RATIO;
}

/*
 * Packs the section and sets its size and flags. Packs by column with differences from the twin
 * table (struct cs_planes_twin). If the result is smaller than readers accept (see pack_columns),
 * packs by column without the twin table; if that is too small as well, packs with LZ4.
 */
static void pack_rows(const struct cs_file_writer *writer, const struct piece *piece,
	const struct slot *slot, struct cs_section *section)
{
	const struct cs_record *record = writer->sources.at[piece->source].record;
	const int raw = (int)section->raw_size;
	struct cs_planes_twin twin;
	if (goes_by_column(piece)) {
		if (make_twin(writer, piece, slot, &twin) &&
			pack_columns(record, slot, &twin, section))
			return;
		if (pack_columns(record, slot, NULL, section))
			return;
	}
	section->flags &= ~(CS_SECTION_PLANES | CS_SECTION_TWINS);
	section->flags |= CS_SECTION_LZ4;
	section->stored_size = (uint64_t)LZ4_compress_default(
		(const char *)slot->raw, (char *)slot->packed, raw, LZ4_compressBound(raw));
}

static void store_section(
	const struct cs_file_writer *writer, struct piece *piece, struct slot *slot)
{
	struct cs_section packed = piece->section, *section = &piece->section;
	if (!writer->plain)
		pack_rows(writer, piece, slot, &packed);
	const bool smaller = packed.stored_size > 0 && packed.stored_size < section->raw_size;
	if (smaller)
		*section = packed;
	else
		section->stored_size = section->raw_size;
	slot->stored = smaller ? slot->packed : slot->raw;
}

static void make_section(
	const struct cs_file_writer *writer, struct piece *piece, struct slot *slot)
{
	struct cs_section *section = &piece->section;
	const struct source *source = &writer->sources.at[piece->source];
	const uint32_t id = cs_section_id(section);
	slot->raw = encode_rows(source, source->table.fill, piece->first, section->record_count,
		slot->columns, slot->made);
	store_section(writer, piece, slot);
	section->stored_sum = cs_section_sum(id, slot->stored, (size_t)section->stored_size);
	if (!(section->flags & CS_SECTION_PLANES))
		section->raw_sum = cs_section_sum(id, slot->raw, (size_t)section->raw_size);
}

static struct cs_error *output_bytes(struct output *out, const void *bytes, size_t n)
{
	if (out->save)
		return cs_save_write(out->save, bytes, n);
	cs_writer_bytes(&out->memory, bytes, n);
	return out->memory.failed ? cs_error_nomem() : NULL;
}

static struct cs_error *put_section(
	struct output *out, struct cs_section *section, const struct slot *slot)
{
	static const unsigned char zeros[CS_SECTION_ALIGN];
	section->offset = (out->end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
	struct cs_error *error = output_bytes(out, zeros, (size_t)(section->offset - out->end));
	if (!error)
		error = output_bytes(out, slot->stored, (size_t)section->stored_size);
	out->end = section->offset + section->stored_size;
	return error;
}

/* ---- writing sections in their order ---- */

/* Makes and writes end - begin sections: each time the first one that no thread has taken yet. */
static void write_sections(void *context, size_t begin, size_t end, int thread)
{
	struct output *out = context;
	struct slot *slot = &out->slots[thread];
	for (; begin < end; begin++) {
		const size_t section = cs_turns_take(&out->turns);
		struct piece *piece = &out->writer->pieces.at[section];
		make_section(out->writer, piece, slot);
		cs_turns_await(&out->turns, section);
		unsigned char head[CS_SECTION_HEAD];
		cs_section_head(&piece->section, head);
		XXH3_128bits_update(out->hash, head, sizeof(head));
		XXH3_128bits_update(out->hash, slot->raw, (size_t)piece->section.raw_size);
		if (!out->error)
			out->error = put_section(out, &piece->section, slot);
		cs_turns_pass(&out->turns);
	}
}

static int writer_threads(const struct cs_file_writer *writer)
{
	const int threads = cs_parallel_threads(cs_job_threads(writer->job));
	return threads < MOST_THREADS ? threads : MOST_THREADS;
}

static struct cs_error *write_all_sections(struct output *out)
{
	struct cs_file_writer *writer = out->writer;
	const size_t all = writer->pieces.n;
	struct cs_error *error = NULL;
	for (size_t first = 0; !error && first < all; first += STEP) {
		const size_t n = all - first < STEP ? all - first : STEP;
		cs_job_progress(writer->job, "write", first, all);
		cs_parallel_for(writer_threads(writer), n, 1, write_sections, out);
		error = out->error ? out->error : cs_job_check(writer->job);
	}
	return error;
}

/* ---- header and section table ---- */

static void encode_entry(unsigned char *entry, const struct cs_section *section)
{
	cs_store32(entry + CS_ENTRY_ID, cs_section_id(section));
	cs_store32(entry + CS_ENTRY_FLAGS, section->flags);
	cs_store64(entry + CS_ENTRY_OFFSET, section->offset);
	cs_store64(entry + CS_ENTRY_STORED_SIZE, section->stored_size);
	cs_store64(entry + CS_ENTRY_RAW_SIZE, section->raw_size);
	cs_store64(entry + CS_ENTRY_STORED_SUM, section->stored_sum);
	cs_store64(entry + CS_ENTRY_RAW_SUM, section->raw_sum);
	cs_store32(entry + CS_ENTRY_RECORD_COUNT, section->record_count);
	cs_store32(entry + CS_ENTRY_RECORD_SIZE, section->record_size);
}

static void encode_head(const struct output *out, unsigned char *head)
{
	const struct cs_file_writer *writer = out->writer;
	unsigned char *table = head + CS_HEADER_SIZE;
	XXH128_hash_t id = XXH3_128bits_digest(out->hash);
	uint32_t required = 0;
	for (size_t i = 0; i < writer->pieces.n; i++) {
		encode_entry(table + i * CS_ENTRY_SIZE, &writer->pieces.at[i].section);
		required |= cs_features_of(writer->pieces.at[i].section.flags);
	}
	memcpy(head, CS_SIGNATURE, 8);
	cs_store16(head + CS_AT_MAJOR, writer->schema->major);
	cs_store16(head + CS_AT_MINOR, writer->schema->minor);
	cs_store32(head + CS_AT_HEADER_SIZE, CS_HEADER_SIZE);
	cs_store32(head + CS_AT_ENTRY_SIZE, CS_ENTRY_SIZE);
	cs_store32(head + CS_AT_SECTION_COUNT, (uint32_t)writer->pieces.n);
	cs_store64(head + CS_AT_FILE_SIZE, out->end);
	cs_store32(head + CS_AT_KIND, writer->schema->kind);
	cs_store32(head + CS_AT_REQUIRED, required);
	cs_store64(head + CS_AT_CONTENT_ID, id.low64);
	cs_store64(head + CS_AT_CONTENT_ID + 8, id.high64);
	cs_store64(head + CS_AT_TABLE_SUM, XXH3_64bits(table, writer->pieces.n * CS_ENTRY_SIZE));
	cs_store64(head + CS_AT_HEADER_SUM, XXH3_64bits(head, CS_AT_HEADER_SUM));
}

static struct cs_error *put_all(struct output *out)
{
	size_t size = CS_HEADER_SIZE + out->writer->pieces.n * CS_ENTRY_SIZE;
	unsigned char *head = calloc(1, size);
	if (!head)
		return cs_error_nomem();
	struct cs_error *error = output_bytes(out, head, size);
	out->end = size;
	if (!error)
		error = write_all_sections(out);
	if (!error)
		encode_head(out, head);
	if (!error && out->save)
		error = cs_save_overwrite(out->save, 0, head, size);
	else if (!error)
		memcpy(out->memory.bytes, head, size);
	free(head);
	return error;
}

/*
 * Returns in *raw_ret the size of the largest section, and in *twins_ret the size of the most rows
 * that a section uses of its twin table (an earlier table that it mostly repeats). So buffers are
 * no larger than necessary: trying out changes writes thousands of small files.
 */
static void measure_sections(
	const struct cs_file_writer *writer, size_t *raw_ret, size_t *twins_ret)
{
	size_t raw = 0, twins = 0;
	for (size_t i = 0; i < writer->pieces.n; i++) {
		const struct piece *piece = &writer->pieces.at[i];
		const size_t index = writer->sources.at[piece->source].twin,
			     n = piece->section.record_count,
			     size = index == NO_TWIN ? 0
						     : n * writer->sources.at[index].record->size;
		raw = piece->section.raw_size > raw ? (size_t)piece->section.raw_size : raw;
		twins = size > twins ? size : twins;
	}
	*raw_ret = raw;
	*twins_ret = twins;
}

/* Allocates the buffers of n threads, which the caller frees, also when this returns false. */
static bool make_slots(struct output *out, size_t n)
{
	size_t raw, twins;
	bool good = true;
	measure_sections(out->writer, &raw, &twins);
	const size_t room = raw > twins ? raw : twins;
	for (size_t i = 0; good && i < n; i++) {
		struct slot *slot = &out->slots[i];
		slot->twins = malloc(twins + 1);
		slot->made = malloc(room);
		slot->columns = malloc(room);
		slot->packed = malloc(CS_PLANES_HEADS + (size_t)LZ4_compressBound((int)room));
		good = slot->twins && slot->made && slot->columns && slot->packed;
	}
	return good;
}

static struct cs_error *file_writer_run(struct output *out)
{
	const size_t pieces = out->writer->pieces.n, threads = (size_t)writer_threads(out->writer);
	out->turns = CS_TURNS_NONE;
	out->hash = XXH3_createState();
	const bool good = out->hash && make_slots(out, pieces < threads ? pieces : threads);
	if (good)
		XXH3_128bits_reset(out->hash);
	struct cs_error *error = good ? put_all(out) : cs_error_nomem();
	for (size_t i = 0; i < MOST_THREADS; i++) {
		free(out->slots[i].twins);
		free(out->slots[i].made);
		free(out->slots[i].columns);
		free(out->slots[i].packed);
	}
	XXH3_freeState(out->hash);
	return error;
}

/* ---- writing to a file or to memory ---- */

struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path)
{
	struct cs_save save;
	struct cs_error *error = cs_save_begin(path, &save);
	if (error)
		return error;
	struct output out = {.writer = writer, .save = &save};
	error = file_writer_run(&out);
	return cs_save_end(&save, error);
}

struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret)
{
	struct output out = {.writer = writer};
	struct cs_error *error = file_writer_run(&out);
	if (error) {
		cs_writer_deinit(&out.memory);
		return error;
	}
	*bytes_ret = out.memory.bytes;
	*size_ret = out.memory.size;
	return NULL;
}

void cs_file_writer_free(struct cs_file_writer *writer)
{
	if (!writer)
		return;
	cs_vec_free(&writer->sources);
	cs_vec_free(&writer->pieces);
	free(writer);
}

struct cs_error *cs_file_write_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_file_writer *writer = NULL;
	struct cs_error *error = cs_file_writer_new(schema, job, &writer);
	if (error)
		return error;
	for (size_t i = 0; i < n && !error; i++)
		error = cs_file_writer_add(writer, &tables[i], NULL);
	if (!error)
		error = cs_file_writer_bytes(writer, bytes_ret, size_ret);
	cs_file_writer_free(writer);
	return error;
}
