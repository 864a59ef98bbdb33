/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: writing containers. Each section is built by index on any thread; a section that LZ4 does
 * not make smaller is stored as it is. content_id is taken over the raw bytes in order.
 */
#include "file/writer.h"

#include "base/cursor.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "file/layout.h"
#include "file/record.h"
#include "file/save.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <lz4.h>

struct piece {
	struct cs_section section;
	const struct cs_record *record;
	const unsigned char *rows;
	unsigned char *packed; /* owned; NULL when the rows are stored as they are */
};

struct cs_file_writer {
	const struct cs_schema *schema;
	int threads;
	uint16_t last_table;
	bool built, out_of_memory;
	CS_VEC(struct piece) pieces;
	unsigned char content_id[16];
	uint64_t file_size;
};

struct cs_error *cs_file_writer_new(
	const struct cs_schema *schema, const struct cs_job *job, struct cs_file_writer **ret)
{
	struct cs_file_writer *writer = calloc(1, sizeof(*writer));
	if (!writer)
		return cs_error_nomem();
	writer->schema = schema;
	writer->threads = cs_job_threads(job);
	*ret = writer;
	return NULL;
}

struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n)
{
	const struct cs_record *record = cs_schema_record(writer->schema, table);
	if (!record || table <= writer->last_table)
		return cs_error_new(CS_E_INTERNAL, "table %u is unknown or out of order", table);
	writer->last_table = table;
	const size_t most = CS_PART_BYTES / record->size;
	if (n > most * 65536)
		return cs_error_new(CS_E_LIMIT, "%s: %zu rows do not fit a file", record->name, n);
	for (size_t done = 0, part = 0; done < n; part++) {
		size_t count = n - done < most ? n - done : most;
		struct piece piece = {.record = record,
			.rows = (const unsigned char *)rows + done * record->size};
		piece.section = (struct cs_section){
			.table = table,
			.part = (uint16_t)part,
			.flags = record->critical ? CS_SECTION_CRITICAL : 0,
			.raw_size = (uint64_t)count * record->size,
			.record_count = (uint32_t)count,
			.record_size = record->size,
		};
		if (!cs_vec_push(&writer->pieces, piece))
			return cs_error_nomem();
		done += count;
	}
	return NULL;
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "sections are stored as they lie in memory: add an encoding step for this machine"
#endif

/* Compresses into `scratch`, of the bound for a part, and keeps a copy when that is smaller. */
static bool pack(struct piece *piece, char *scratch)
{
	struct cs_section *s = &piece->section;
	uint32_t id = cs_section_id(s);
	int raw = (int)s->raw_size;
	s->raw_sum = cs_section_sum(id, piece->rows, (size_t)raw);
	s->stored_size = s->raw_size;
	int size = LZ4_compress_default(
		(const char *)piece->rows, scratch, raw, LZ4_compressBound(CS_PART_BYTES));
	if (size > 0 && size < raw) {
		piece->packed = malloc((size_t)size);
		if (!piece->packed)
			return false;
		memcpy(piece->packed, scratch, (size_t)size);
		s->flags |= CS_SECTION_LZ4;
		s->stored_size = (uint64_t)size;
	}
	s->stored_sum = cs_section_sum(
		id, piece->packed ? piece->packed : piece->rows, (size_t)s->stored_size);
	return true;
}

static void pack_range(void *context, size_t begin, size_t end, int thread)
{
	struct cs_file_writer *writer = context;
	char *scratch = malloc((size_t)LZ4_compressBound(CS_PART_BYTES));
	bool good = scratch != NULL;
	(void)thread;
	for (size_t i = begin; good && i < end; i++)
		good = pack(&writer->pieces.at[i], scratch);
	free(scratch);
	if (!good)
		__atomic_store_n(&writer->out_of_memory, true, __ATOMIC_RELAXED);
}

static bool hash_content(struct cs_file_writer *writer)
{
	XXH3_state_t *state = XXH3_createState();
	if (!state)
		return false;
	XXH3_128bits_reset(state);
	for (size_t i = 0; i < writer->pieces.n; i++) {
		const struct piece *piece = &writer->pieces.at[i];
		unsigned char head[12];
		cs_store32(head, cs_section_id(&piece->section));
		cs_store64(head + 4, piece->section.raw_size);
		XXH3_128bits_update(state, head, sizeof(head));
		XXH3_128bits_update(state, piece->rows, (size_t)piece->section.raw_size);
	}
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	cs_store64(writer->content_id, hash.low64);
	cs_store64(writer->content_id + 8, hash.high64);
	return true;
}

static uint64_t aligned(uint64_t offset)
{
	return (offset + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
}

static struct cs_error *build(struct cs_file_writer *writer)
{
	if (writer->built)
		return NULL;
	cs_parallel_for(writer->threads, writer->pieces.n, 8, pack_range, writer);
	if (writer->out_of_memory || !hash_content(writer))
		return cs_error_nomem();
	uint64_t end = CS_HEADER_SIZE + (uint64_t)writer->pieces.n * CS_ENTRY_SIZE;
	for (size_t i = 0; i < writer->pieces.n; i++) {
		struct cs_section *s = &writer->pieces.at[i].section;
		s->offset = aligned(end);
		end = s->offset + s->stored_size;
	}
	writer->file_size = end;
	writer->built = true;
	return NULL;
}

static void encode_entry(unsigned char *entry, const struct cs_section *s)
{
	cs_store32(entry + CS_ENTRY_ID, cs_section_id(s));
	cs_store32(entry + CS_ENTRY_FLAGS, s->flags);
	cs_store64(entry + CS_ENTRY_OFFSET, s->offset);
	cs_store64(entry + CS_ENTRY_STORED_SIZE, s->stored_size);
	cs_store64(entry + CS_ENTRY_RAW_SIZE, s->raw_size);
	cs_store64(entry + CS_ENTRY_STORED_SUM, s->stored_sum);
	cs_store64(entry + CS_ENTRY_RAW_SUM, s->raw_sum);
	cs_store32(entry + CS_ENTRY_RECORD_COUNT, s->record_count);
	cs_store32(entry + CS_ENTRY_RECORD_SIZE, s->record_size);
}

/* Header and section table; freed by the caller. */
static unsigned char *encode_head(const struct cs_file_writer *writer, size_t *size_ret)
{
	size_t table_size = writer->pieces.n * CS_ENTRY_SIZE;
	unsigned char *head = calloc(1, CS_HEADER_SIZE + table_size);
	if (!head)
		return NULL;
	unsigned char *table = head + CS_HEADER_SIZE;
	for (size_t i = 0; i < writer->pieces.n; i++)
		encode_entry(table + i * CS_ENTRY_SIZE, &writer->pieces.at[i].section);
	memcpy(head, CS_SIGNATURE, 8);
	cs_store16(head + CS_AT_MAJOR, writer->schema->major);
	cs_store16(head + CS_AT_MINOR, writer->schema->minor);
	cs_store32(head + CS_AT_HEADER_SIZE, CS_HEADER_SIZE);
	cs_store32(head + CS_AT_ENTRY_SIZE, CS_ENTRY_SIZE);
	cs_store32(head + CS_AT_SECTION_COUNT, (uint32_t)writer->pieces.n);
	cs_store64(head + CS_AT_FILE_SIZE, writer->file_size);
	cs_store32(head + CS_AT_KIND, writer->schema->kind);
	memcpy(head + CS_AT_CONTENT_ID, writer->content_id, sizeof(writer->content_id));
	cs_store64(head + CS_AT_TABLE_SUM, XXH3_64bits(table, table_size));
	cs_store64(head + CS_AT_HEADER_SUM, XXH3_64bits(head, CS_AT_HEADER_SUM));
	*size_ret = CS_HEADER_SIZE + table_size;
	return head;
}

/* Hands every run of bytes of the file to `put`, in order. */
static struct cs_error *emit(struct cs_file_writer *writer,
	struct cs_error *(*put)(void *to, const void *bytes, size_t n), void *to)
{
	static const unsigned char zeros[CS_SECTION_ALIGN];
	size_t size = 0;
	struct cs_error *error = build(writer);
	unsigned char *head = error ? NULL : encode_head(writer, &size);
	if (!error && !head)
		error = cs_error_nomem();
	if (!error)
		error = put(to, head, size);
	uint64_t end = head ? size : 0;
	free(head);
	for (size_t i = 0; !error && i < writer->pieces.n; i++) {
		const struct piece *piece = &writer->pieces.at[i];
		const struct cs_section *s = &piece->section;
		error = put(to, zeros, (size_t)(s->offset - end));
		if (!error)
			error = put(to, piece->packed ? piece->packed : piece->rows,
				(size_t)s->stored_size);
		end = s->offset + s->stored_size;
	}
	return error;
}

static struct cs_error *put_file(void *to, const void *bytes, size_t n)
{
	return cs_save_write(to, bytes, n);
}

struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path)
{
	struct cs_save save;
	struct cs_error *error = cs_save_begin(path, &save);
	if (error)
		return error;
	error = emit(writer, put_file, &save);
	if (!error)
		return cs_save_commit(&save);
	cs_save_abandon(&save);
	return error;
}

static struct cs_error *put_memory(void *to, const void *bytes, size_t n)
{
	unsigned char **at = to;
	if (n)
		memcpy(*at, bytes, n);
	*at += n;
	return NULL;
}

struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_error *error = build(writer);
	if (error)
		return error;
	unsigned char *bytes = malloc((size_t)writer->file_size), *at = bytes;
	if (!bytes)
		return cs_error_nomem();
	error = emit(writer, put_memory, &at);
	if (error) {
		free(bytes);
		return error;
	}
	*bytes_ret = bytes;
	*size_ret = (size_t)writer->file_size;
	return NULL;
}

void cs_file_writer_free(struct cs_file_writer *writer)
{
	if (!writer)
		return;
	for (size_t i = 0; i < writer->pieces.n; i++)
		free(writer->pieces.at[i].packed);
	cs_vec_free(&writer->pieces);
	free(writer);
}
