/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the container: round trip, every truncation, every flipped bit, damage behind valid
 * sums, the fast decoder against the field tables, atomic saving.
 */
#include <cellscope/cooked.h>
#include <cellscope/nanite.h>

#include "core/cursor.h"
#include "core/random.h"
#include "format/byte_source.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/owner.h"
#include "format/reader.h"
#include "format/record.h"
#include "format/save.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];

/* ---- a small world, made by hand ---- */

static const char texts[] = "\0World\0/Game/World\0MainGrid\0L0_X0_Y0\0World_MainGrid_L0_X0_Y0";
enum { WORLD = 1, GAME_WORLD = 7, MAIN_GRID = 19, SHORT = 28, NAME = 37 };

struct sample {
	struct cs_cooked_world world;
	struct cs_cooked_partition partition;
	struct cs_cooked_container container;
	struct cs_cooked_cell cell;
	uint32_t cell_actor, set_member;
	struct cs_cooked_set set;
	struct cs_cooked_actor actor;
	struct cs_cooked_actor_detail detail;
};

static struct sample make_sample(void)
{
	struct cs_box box = {{0, 0, 0}, {100, 100, 100}};
	struct sample s = {
		.world = {.bounds = box,
			.name = WORLD,
			.package = GAME_WORLD,
			.default_hlod_layer = CS_NONE,
			.flags = CS_WORLD_STREAMING},
		.partition = {.bounds = box,
			.cell_size = 12800,
			.loading_range = 25600,
			.name = MAIN_GRID,
			.parent = CS_NONE,
			.hlod_index = -1,
			.cells = {0, 1}},
		.container = {.transform = CS_TRANSFORM_IDENTITY,
			.parent = CS_NONE,
			.package = GAME_WORLD,
			.actor = CS_NONE,
			.external_layer = CS_NONE,
			.actors = {0, 1}},
		.cell = {.guid = {1, 2, 3, 4},
			.box = box,
			.content = box,
			.name = NAME,
			.short_name = SHORT,
			.external_layer = CS_NONE,
			.actors = {0, 1},
			.sets = {0, 1},
			.flags = CS_CELL_SPATIAL},
		.set = {.bounds = box, .members = {0, 1}},
		.actor = {.guid = {5, 6, 7, 8},
			.bounds = box,
			.name = WORLD,
			.parent = CS_NONE,
			.hlod_layer = CS_NONE,
			.flags = CS_ACTOR_SPATIAL},
		.detail = {.transform = CS_TRANSFORM_IDENTITY,
			.editor_bounds = CS_BOX_INVALID,
			.external_layer = CS_NONE},
	};
	return s;
}

static struct cs_file_writer *sample_writer(const struct sample *s)
{
	struct cs_file_writer *w;
	const struct {
		uint16_t table;
		const void *rows;
		size_t n;
	} tables[] = {
		{CS_TABLE_STRINGS, texts, sizeof(texts)},
		{CS_TABLE_WORLD, &s->world, 1},
		{CS_TABLE_PARTITIONS, &s->partition, 1},
		{CS_TABLE_CONTAINERS, &s->container, 1},
		{CS_TABLE_CELLS, &s->cell, 1},
		{CS_TABLE_CELL_ACTORS, &s->cell_actor, 1},
		{CS_TABLE_SETS, &s->set, 1},
		{CS_TABLE_SET_MEMBERS, &s->set_member, 1},
		{CS_TABLE_ACTORS, &s->actor, 1},
		{CS_TABLE_ACTOR_DETAILS, &s->detail, 1},
	};
	struct cs_error *error = cs_file_writer_new(cs_schema_of_kind(1), NULL, &w);
	for (size_t i = 0; !error && i < sizeof(tables) / sizeof(tables[0]); i++)
		error = cs_file_writer_table(w, tables[i].table, tables[i].rows, tables[i].n);
	if (error)
		abort();
	return w;
}

static void write_sample(const struct sample *s, unsigned char **bytes, size_t *size)
{
	struct cs_file_writer *w = sample_writer(s);
	works(cs_file_writer_bytes(w, bytes, size), "bytes");
	works(cs_file_writer_save(w, path), "save");
	cs_file_writer_free(w);
}

static size_t n_lies; /* answers that are wrong without an error, or right with one */

static struct cs_error *open_all(const unsigned char *bytes, size_t size)
{
	struct cs_cooked *c;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "sample", NULL, &c);
	if (!error) {
		error = cs_cooked_load_details(c);
		cs_cooked_close(c);
	}
	return error;
}

/* Reads the tables through getters of rows, which load the tables; nothing is loaded before. */
static struct cs_error *ask_all(const unsigned char *bytes, size_t size, const struct sample *s)
{
	struct cs_cooked *c;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "sample", NULL, &c);
	if (error)
		return error;
	bool same = memcmp(cs_cooked_actor(c, 0), &s->actor, sizeof(s->actor)) == 0;
	same &= memcmp(cs_cooked_set(c, 0), &s->set, sizeof(s->set)) == 0;
	same &= memcmp(cs_cooked_detail(c, 0), &s->detail, sizeof(s->detail)) == 0;
	same &= cs_cooked_id(c, CS_IDS_CELL_ACTORS, 0) == s->cell_actor;
	same &= cs_cooked_id(c, CS_IDS_SET_MEMBERS, 0) == s->set_member;
	error = cs_cooked_failed(c);
	if (same == (error != NULL))
		n_lies++;
	struct cs_error *again = cs_cooked_failed(c);
	n_lies += again != NULL;
	cs_error_free(again);
	cs_cooked_close(c);
	return error;
}

static void test_rows_asked_for(const unsigned char *bytes, size_t size, const struct sample *s)
{
	struct cs_cooked *c = NULL;
	works(ask_all(bytes, size, s), "rows that nobody loaded are there");
	is_int(n_lies, 0, "and are those of the file");
	works(cs_cooked_open_bytes(bytes, size, "sample", NULL, &c), "open");
	ok(!c->has_actors, "no actor is loaded before one is asked for");
	ok(cs_cooked_actor(c, 1)->cell == CS_NONE && cs_cooked_actor(c, CS_NONE)->set == CS_NONE,
		"a row that is not there leads nowhere");
	ok(cs_cooked_id(c, CS_IDS_SET_MEMBERS, 1) == CS_NONE &&
			!cs_cooked_id_rows(c, CS_IDS_SET_MEMBERS, (struct cs_range){0, 2}) &&
			!cs_cooked_id_rows(c, CS_IDS_SET_MEMBERS, (struct cs_range){CS_NONE, 2}),
		"nor does a range");
	works(cs_cooked_failed(c), "that is no failure");
	cs_cooked_close(c);
}

static void count_finding(void *context, const struct cs_finding *finding)
{
	(void)finding;
	++*(size_t *)context;
}

static void test_round_trip(const struct sample *s, const unsigned char *bytes, size_t size)
{
	struct cs_cooked *c = NULL;
	unsigned char *file;
	size_t file_size, n = 0, told = 0;
	works(cs_read_whole(path, UINT64_MAX, &file, &file_size), "read back");
	ok(file_size == size && memcmp(file, bytes, size) == 0, "file and memory are the same");
	free(file);
	works(cs_cooked_open(path, NULL, &c), "open");
	works(cs_cooked_load_details(c), "load");
	ok(c->n_actors == 1 && memcmp(cs_cooked_actor(c, 0), &s->actor, sizeof(s->actor)) == 0,
		"the actor comes back");
	is_text(cs_cooked_text(c, cs_cooked_cell(c, 0)->name), "World_MainGrid_L0_X0_Y0",
		"the cell's name");
	is_text(cs_cooked_text(c, 999999), "", "a text outside the table is empty");
	cs_cooked_close(c);
	works(cs_cooked_verify(path, NULL, count_finding, &told, &n), "verify");
	ok(n == 0 && told == 0, "verify finds nothing");
}

static void test_damage(unsigned char *bytes, size_t size, const struct sample *s)
{
	size_t accepted = 0;
	for (size_t n = 0; n < size; n++) {
		struct cs_error *error = open_all(bytes, n);
		accepted += !error;
		cs_error_free(error);
	}
	is_int(accepted, 0, "none of %zu truncations is accepted", size);
	for (size_t bit = 0; bit < size * 8; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		struct cs_error *error = open_all(bytes, size);
		accepted += !error;
		cs_error_free(error);
		cs_error_free(ask_all(bytes, size, s));
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	is_int(accepted, 0, "none of %zu flipped bits is accepted", size * 8);
	is_int(n_lies, 0, "a row is as it was, or the world says what could not be loaded");
	unsigned char *longer = calloc(1, size + 1);
	memcpy(longer, bytes, size);
	fails(open_all(longer, size + 1), CS_E_TRAILING, "a byte behind the end");
	free(longer);
}

/* Reads files with the same flipped bits without checking sums: nothing crashes. */
static void test_salvage(unsigned char *bytes, size_t size)
{
	size_t opened = 0;
	for (size_t bit = 0; bit < size * 8; bit++) {
		struct cs_file *file;
		const void *rows;
		size_t n;
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		struct cs_error *error =
			cs_file_open_bytes(bytes, size, "s", CS_FILE_SALVAGE, NULL, &file);
		if (!error) {
			opened++;
			for (uint16_t t = 1; t < CS_TABLE_CWORLD_END; t++)
				cs_error_free(cs_file_load(file, t, &rows, &n));
			cs_file_close(file);
		}
		cs_error_free(error);
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
	ok(opened > 0, "salvage opens %zu of %zu flips, and survives all", opened, size * 8);
}

static void hostile(const unsigned char *bytes, size_t size, size_t at, uint32_t value,
	enum cs_code code, const char *what)
{
	unsigned char *copy = malloc(size);
	memcpy(copy, bytes, size);
	cs_store32(copy + at, value);
	container_reseal(copy, size);
	fails(open_all(copy, size), code, "%s: %s", what, cs_word(CS_WORDS_CODE, code)->name);
	free(copy);
}

/* The checksums of damaged bytes are corrected: every field of the layout is still checked. */
static void test_hostile_layout(const unsigned char *bytes, size_t size)
{
	const size_t entry = CS_HEADER_SIZE;
	hostile(bytes, size, CS_AT_MAJOR, 99, CS_E_VERSION, "major version 99");
	hostile(bytes, size, CS_AT_KIND, 77, CS_E_VERSION, "unknown kind");
	hostile(bytes, size, CS_AT_REQUIRED, 8, CS_E_FEATURE, "required feature");
	hostile(bytes, size, CS_AT_REQUIRED, 3, CS_E_LAYOUT, "feature that no section needs");
	hostile(bytes, size, CS_AT_ZERO, 1, CS_E_LAYOUT, "reserved word");
	hostile(bytes, size, CS_AT_HEADER_SIZE, 8, CS_E_LAYOUT, "header size 8");
	hostile(bytes, size, CS_AT_ENTRY_SIZE, 0, CS_E_LAYOUT, "entry size 0");
	hostile(bytes, size, entry + CS_ENTRY_FLAGS, 0x80, CS_E_FEATURE, "section flag");
	hostile(bytes, size, entry + CS_ENTRY_OFFSET, 0x7fffffff, CS_E_LAYOUT, "section offset");
	hostile(bytes, size, entry + CS_ENTRY_OFFSET + 4, 0xffffffff, CS_E_LAYOUT, "2^64 offset");
	hostile(bytes, size, entry + CS_ENTRY_STORED_SIZE, 0x7fffffff, CS_E_LAYOUT, "stored size");
	hostile(bytes, size, entry + CS_ENTRY_RAW_SIZE, 0x7fffffff, CS_E_LIMIT, "raw size");
	hostile(bytes, size, entry + CS_ENTRY_RECORD_COUNT, 0x7fffffff, CS_E_LAYOUT, "count");
	hostile(bytes, size, entry + CS_ENTRY_RECORD_SIZE, 0, CS_E_LAYOUT, "record size 0");
	hostile(bytes, size, entry + CS_ENTRY_RESERVED, 1, CS_E_LAYOUT, "reserved in the table");
	hostile(bytes, size, entry + CS_ENTRY_ID, 250u << 16, CS_E_FEATURE, "critical table 250");
}

/*
 * The file ends with the section before the last, whose end is not aligned. So the last section
 * begins behind the end of the file, and the remaining size, as a difference of unsigned numbers,
 * would wrap around.
 */
static void test_section_behind_end(const unsigned char *bytes, size_t size)
{
	unsigned char *copy = malloc(size);
	memcpy(copy, bytes, size);
	for (uint32_t i = cs_load32(copy + CS_AT_SECTION_COUNT); i-- > 1;) {
		unsigned char *last = copy + CS_HEADER_SIZE + (size_t)i * CS_ENTRY_SIZE;
		const unsigned char *before = last - CS_ENTRY_SIZE;
		uint64_t end = cs_load64(before + CS_ENTRY_OFFSET) +
			       cs_load64(before + CS_ENTRY_STORED_SIZE);
		if (end % CS_SECTION_ALIGN == 0)
			continue;
		uint64_t start = (end + CS_SECTION_ALIGN - 1) / CS_SECTION_ALIGN * CS_SECTION_ALIGN;
		cs_store32(
			last + CS_ENTRY_FLAGS, cs_load32(last + CS_ENTRY_FLAGS) | CS_SECTION_LZ4);
		cs_store64(last + CS_ENTRY_OFFSET, start);
		cs_store64(last + CS_ENTRY_STORED_SIZE, end - start);
		cs_store32(copy + CS_AT_SECTION_COUNT, i + 1);
		cs_store64(copy + CS_AT_FILE_SIZE, end);
		container_reseal(copy, end);
		fails(open_all(copy, end), CS_E_LAYOUT, "section %u begins behind the end", i);
		break;
	}
	free(copy);
}

/* Sets every field of every record to values that its type forbids. */
static void check_refused(const struct sample *s, const char *what)
{
	unsigned char *bytes;
	size_t size;
	struct cs_file_writer *w = sample_writer(s);
	cs_error_free(cs_file_writer_bytes(w, &bytes, &size));
	cs_file_writer_free(w);
	struct cs_error *error = open_all(bytes, size);
	ok(error && strstr(error->message, what), "refused: %s (%s)", what,
		error ? error->message : "accepted");
	cs_error_free(error);
	free(bytes);
}

static void test_hostile_records(void)
{
	struct sample s = make_sample();
	s.world.name = 2;
	check_refused(&s, "world[0].name");
	s = make_sample();
	s.world.name = 0x7fffffff;
	check_refused(&s, "world[0].name");
	s = make_sample();
	s.world.hash_class = 2;
	check_refused(&s, "world[0].hash_class");
	s = make_sample();
	s.world.flags = 0x80;
	check_refused(&s, "world[0].flags");
	s = make_sample();
	s.partition.cells = (struct cs_range){0xffffffff, 2};
	check_refused(&s, "partitions[0].cells");
	s = make_sample();
	s.partition.cell_size = 0.0 / 0.0 * 1;
	check_refused(&s, "partitions[0].cell_size");
	s = make_sample();
	s.partition.reserved = 1;
	check_refused(&s, "partitions[0].reserved");
	s = make_sample();
	s.cell.partition = CS_NONE;
	check_refused(&s, "cells[0].partition");
	s = make_sample();
	s.cell.box.min.x = 1e308 * 10;
	check_refused(&s, "cells[0].box");
	s = make_sample();
	s.cell.box.min.x = 101;
	check_refused(&s, "cells[0].box");
	s = make_sample();
	s.container.parent = 0;
	check_refused(&s, "containers[0].parent");
}

/* ---- field tables ---- */

/* Returns whether every byte of the record belongs to exactly one element of one field. */
static bool tiles(const struct cs_record *record)
{
	unsigned char uses[8 * 1024] = {0};
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		size_t size = cs_field_element_size(field);
		for (size_t k = 0; k < (field->count ? field->count : 1u); k++)
			for (size_t b = 0; b < size; b++)
				uses[cs_field_offset(field, k) + b]++;
	}
	for (size_t b = 0; record->n_fields && b < record->size; b++)
		if (uses[b] != 1)
			return false;
	return record->n_fields == 0 || uses[record->size] == 0;
}

static void test_field_tables(void)
{
	size_t n_schemas;
	const struct cs_schema *const *schemas = cs_schemas(&n_schemas);
	struct cs_random random = {42};
	for (size_t k = 0; k < n_schemas; k++) {
		for (size_t i = 0; i < schemas[k]->n_records; i++) {
			const struct cs_record *record = schemas[k]->records[i];
			unsigned char stored[8 * 1024], fast[8 * 1024], slow[8 * 1024];
			ok(tiles(record), "%s: the fields tile the record", record->name);
			if (record->n_fields == 0)
				continue;
			for (size_t b = 0; b < sizeof(stored); b++)
				stored[b] = (unsigned char)cs_random_u64(&random);
			bool equal = true;
			for (int d = -8; d <= 8; d += 8) {
				size_t size = (size_t)(record->size + d);
				if (record->size + d < 4)
					continue;
				size_t n = sizeof(stored) / 2 / (size + 8);
				cs_record_decode(record, stored, size, n, fast);
				cs_record_decode_by_field(record, stored, size, n, slow);
				equal = equal && memcmp(fast, slow, n * record->size) == 0;
			}
			ok(equal, "%s: the fast decoder equals the table", record->name);
			cs_record_decode_by_field(record, stored, record->size, 1, slow);
			cs_record_encode_by_field(record, slow, fast);
			ok(memcmp(fast, stored, record->size) == 0, "%s: encodes back",
				record->name);
		}
	}
}

/* Of rows of zeros some get other bytes: the first invalid row is found. */
static void test_first_invalid(void)
{
	enum { ROWS = 200, TRIALS = 200 };
	size_t n_schemas, found = 0, wrong = 0;
	const struct cs_schema *const *schemas = cs_schemas(&n_schemas);
	static unsigned char rows[ROWS * 512];
	struct cs_record_context context = {.texts = "", .texts_size = 1};
	struct cs_random random = {9};
	for (size_t i = 0; i < CS_MAX_TABLES; i++)
		context.rows[i] = 7;
	for (size_t trial = 0; trial < TRIALS * n_schemas; trial++) {
		const struct cs_schema *schema = schemas[trial % n_schemas];
		const struct cs_record *record =
			schema->records[cs_random_below(&random, schema->n_records)];
		struct cs_record_problem problem;
		memset(rows, 0, sizeof(rows));
		for (size_t k = 0; k < 3; k++) {
			const size_t at = cs_random_below(&random, ROWS) * record->size;
			rows[at + cs_random_below(&random, record->size)] =
				(unsigned char)cs_random_u64(&random);
		}
		size_t first = 0;
		while (first < ROWS &&
			cs_record_check(record, rows + first * record->size, &context, &problem))
			first++;
		found += first < ROWS;
		wrong += cs_record_first_invalid(record, rows, ROWS, &context) != first;
	}
	ok(found > TRIALS / 4, "%zu tables have a row that is invalid", found);
	is_int(wrong, 0, "it is the one that is found among many");
}

/* Payload fields are printed as the values that they stand for, element by element. */
static void test_payload_fields(void)
{
	struct cs_nanite_node node = {.lod[7] = {{1, 2, 3}, 4},
		.box[2] = {{0.5f, 0, 0}, 0xbc00, 0x7c00},
		.pages[1] = 0x1204};
	const struct cs_record *record =
		cs_schema_record(cs_schema_of_kind(CS_KIND_CNANITE), CS_TABLE_NANITE_NODES);
	const struct {
		const char *field;
		size_t index;
		const char *want;
	} cases[] = {
		{"lod_sphere", 7, "(1, 2, 3, 4)"},
		{"box_centre", 2, "(0.5, 0, 0)"},
		{"min_error", 2, "-1"},
		{"max_parent_error", 2, "inf"},
		{"pages", 1, "0x00001204"},
		{"pages", 0, "0x00000000"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[100];
		cs_field_format(NULL, cs_record_field(record, cases[i].field), &node,
			cases[i].index, text, sizeof(text));
		is_text(text, cases[i].want, "node: %s[%zu]", cases[i].field, cases[i].index);
	}
}

/* ---- saving ---- */

/* A section of exactly the limit can be opened; with a limit one byte smaller it cannot. */
static void test_section_limit(const unsigned char *bytes, size_t size)
{
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits};
	struct cs_cooked *c = NULL;
	uint64_t largest = 0;
	works(cs_cooked_open_bytes(bytes, size, "sample", NULL, &c), "limits: opens");
	for (size_t i = 0; c && i < c->file->n_sections; i++) {
		uint64_t raw = c->file->sections[i].raw_size;
		largest = raw > largest ? raw : largest;
	}
	cs_cooked_close(c);
	c = NULL;
	limits.section_bytes = largest;
	works(cs_cooked_open_bytes(bytes, size, "sample", &job, &c),
		"limits: the largest section may have section_bytes");
	cs_cooked_close(c);
	c = NULL;
	limits.section_bytes = largest - 1;
	fails(cs_cooked_open_bytes(bytes, size, "sample", &job, &c), CS_E_LIMIT,
		"limits: and not one byte more");
}

static size_t files_beside(const char *folder)
{
	size_t n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		n += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

/* A symbolic link stays a link, and the file to which it leads is replaced. */
static void test_save_link(const char *folder, const char *target)
{
	char link[4300];
	struct stat st;
	unsigned char *bytes;
	size_t size;
	snprintf(link, sizeof(link), "%s/link", folder);
	ok(symlink("f", link) == 0, "save: a link");
	works(cs_save_whole(link, "through", 7), "save: through it");
	ok(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "save: it is still a link");
	works(cs_read_whole(target, 100, &bytes, &size), "save: read what it leads to");
	is_text((char *)bytes, "through", "save: that was replaced");
	free(bytes);
	unlink(link);
}

static void test_save(const char *out)
{
	char folder[4096], target[4200], stale[4300];
	snprintf(folder, sizeof(folder), "%s/save.%ld", out, (long)getpid());
	mkdir(folder, 0777);
	snprintf(target, sizeof(target), "%s/f", folder);
	works(cs_save_whole(target, "old", 3), "save: a new file");
	chmod(target, 0640);
	struct cs_save save;
	works(cs_save_begin(target, &save), "save: begin");
	works(cs_save_write(&save, "half", 4), "save: write");
	cs_save_abandon(&save);
	unsigned char *bytes;
	size_t size;
	works(cs_read_whole(target, 100, &bytes, &size), "save: read");
	is_text((char *)bytes, "old", "save: an abandoned save leaves the old file");
	free(bytes);
	char owner[CS_OWNER_NAME];
	struct stat st;
	cs_owner_name(owner);
	snprintf(stale, sizeof(stale), "%s.tmp.%s", target, owner);
	FILE *leftover = fopen(stale, "w");
	int held = open(stale, O_RDWR);
	ok(leftover && held >= 0 && flock(held, LOCK_EX) == 0, "save: another writes");
	works(cs_save_whole(target, "new", 3), "save: replace");
	ok(stat(stale, &st) == 0, "save: what another writes stays");
	fclose(leftover);
	close(held);
	/* of another machine, or of a process whose id says nothing here */
	char theirs[4300];
	snprintf(theirs, sizeof(theirs), "%s.tmp.00000001.%s", target, owner + 9);
	fclose(fopen(theirs, "w"));
	works(cs_save_whole(target, "new", 3), "save: replace");
	ok(stat(theirs, &st) == 0, "save: what another machine writes stays");
	unlink(theirs);
	is_int(stat(target, &st) == 0 ? st.st_mode & 0777 : 0, 0640, "save: the mode is kept");
	is_int(files_beside(folder), 1, "save: no temporary file stays, old ones are swept");
	works(cs_save_relaxed(target, "relaxed", 7), "save: without waiting for the disk");
	works(cs_read_whole(target, 100, &bytes, &size), "save: read again");
	is_text((char *)bytes, "relaxed", "save: is there all the same");
	free(bytes);
	is_int(files_beside(folder), 1, "save: and leaves no temporary file either");
	test_save_link(folder, target);
	fails(cs_save_whole(folder, "x", 1), CS_E_NOTFILE, "save: onto a folder");
	snprintf(stale, sizeof(stale), "%s/none/f", folder);
	fails(cs_save_whole(stale, "x", 1), CS_E_NOFILE, "save: into no folder");
	fails(cs_read_whole(folder, 100, &bytes, &size), CS_E_NOTFILE, "read: a folder");
	fails(cs_read_whole("/dev/null", 100, &bytes, &size), CS_E_NOTFILE, "read: a device");
	fails(cs_read_whole(target, 2, &bytes, &size), CS_E_LIMIT, "read: above the limit");
	unlink(target);
	rmdir(folder);
}

/* ---- findings that are kept ---- */

static void test_findings(void)
{
	struct cs_findings findings = {0};
	struct cs_finding finding = {.severity = CS_INFO, .rule = "a", .offset = CS_NO_OFFSET};
	ok(!cs_findings_refuse(&findings), "findings: none refuse nothing");
	for (unsigned i = 0; i < 20; i++) {
		snprintf(finding.message, sizeof(finding.message), "number %u", i);
		finding.severity = i % 2 ? CS_WARNING : CS_INFO;
		cs_findings_keep(&findings, &finding);
	}
	ok(findings.n == 20 && !findings.failed, "findings: twenty are kept");
	is_text(findings.at[13].message, "number 13", "findings: in their order");
	ok(!cs_findings_refuse(&findings), "findings: warnings refuse nothing");
	works(cs_findings_keep_error(&findings, NULL), "findings: no error");
	is_int(findings.n, 20, "findings: is none");
	works(cs_findings_keep_error(
		      &findings, cs_error_at(CS_E_TRUNCATED, "file", 77, "a sum is wrong")),
		"findings: an error becomes one");
	ok(findings.n == 21 && findings.at[20].severity == CS_ERROR &&
			findings.at[20].code == CS_E_TRUNCATED && findings.at[20].offset == 77,
		"findings: with its code and place");
	is_text(findings.at[20].rule, "source", "findings: of the rule of sources");
	ok(cs_findings_refuse(&findings), "findings: which refuses");
	fails(cs_findings_keep_error(&findings, cs_error_new(CS_E_INTERRUPTED, "stop")),
		CS_E_INTERRUPTED, "findings: an interruption stays an error");
	is_int(findings.n, 21, "findings: and is none");
	free(findings.at);
}

int main(void)
{
	test_findings();
	const char *out = test_folder();
	snprintf(path, sizeof(path), "%s/sample.%ld.cworld", out, (long)getpid());
	struct sample s = make_sample();
	unsigned char *bytes;
	size_t size;
	write_sample(&s, &bytes, &size);
	test_round_trip(&s, bytes, size);
	test_rows_asked_for(bytes, size, &s);
	test_damage(bytes, size, &s);
	test_salvage(bytes, size);
	test_hostile_layout(bytes, size);
	test_section_behind_end(bytes, size);
	test_section_limit(bytes, size);
	test_hostile_records();
	test_field_tables();
	test_first_invalid();
	test_payload_fields();
	test_save(out);
	free(bytes);
	unlink(path);
	return done();
}
