/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that lie, behind right sums: each reference of the first and the last row of each table is
 * led out of its table, and verify names that row and field; each range that must follow the one
 * before it is cut, and verify says so.
 */
#include "format/file_inside.h"
#include "tests/make/make.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include "core/cursor.h"
#include "core/writer.h"
#include "format/fields.h"
#include "format/layout.h"
#include "format/reader.h"
#include "format/save.h"

#include <cellscope/cook.h>
#include <cellscope/cooked.h>

static unsigned char *bytes;
static size_t size;
static char path[4096];

/* ---- what verify says ---- */

struct told {
	const char *want;
	size_t here;
};

static void hear(void *context, const struct cs_finding *finding)
{
	struct told *told = context;
	told->here += strncmp(finding->place, told->want, strlen(told->want)) == 0;
}

static struct told verify(const char *want)
{
	struct told told = {.want = want};
	size_t n;
	container_reseal(bytes, size);
	struct cs_error *error = cs_save_whole(path, bytes, size);
	if (!error)
		error = cs_cooked_verify(path, NULL, hear, &told, &n);
	cs_error_free(error);
	return told;
}

/* ---- rows ---- */

struct sum {
	size_t asked, named;
};

static void lead_astray(const struct cs_record *record, const struct cs_field *field, size_t row,
	unsigned char *rows, struct sum *sum)
{
	char want[96];
	unsigned char *at = rows + row * record->size + field->offset;
	const uint32_t kept = cs_load32(at);
	snprintf(want, sizeof(want), "%s[%zu].%s", record->name, row, field->name);
	cs_store32(at, 0x7ffffff0);
	sum->asked++;
	sum->named += verify(want).here > 0;
	cs_store32(at, kept);
}

static void check_references(const struct cs_record *record)
{
	size_t n;
	const size_t table = container_table(bytes, size, record->table, &n);
	struct sum sum = {0};
	for (size_t f = 0; table && f < record->n_fields; f++) {
		const struct cs_field *field = &record->fields[f];
		if (field->type != CS_FIELD_REFERENCE)
			continue;
		lead_astray(record, field, 0, bytes + table, &sum);
		if (n > 1)
			lead_astray(record, field, n - 1, bytes + table, &sum);
	}
	if (sum.asked)
		is_int(sum.named, sum.asked, "%s: %zu references that lead nowhere are named",
			record->name, sum.asked);
}

/* ---- ranges that cover a table ---- */

/*
 * Writes the correct content id, because references between rows are checked only when the file
 * itself is sound.
 */
static void tell_true_id(void)
{
	struct cs_file *file;
	container_reseal(bytes, size);
	struct cs_error *error =
		cs_file_open_bytes(bytes, size, "made", CS_FILE_SALVAGE, NULL, &file);
	if (!error) {
		error = cs_file_compute_content_id(file, bytes + CS_AT_CONTENT_ID);
		cs_file_close(file);
	}
	cs_error_free(error);
}

static void check_tiling(uint16_t table, const char *name, const char *field)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, table);
	const struct cs_field *range = cs_record_field(record, field);
	size_t n, cut = 0, said = 0;
	const size_t rows = container_table(bytes, size, table, &n);
	for (size_t left = rows ? n : 0, row; left > 0; left -= left > n / 7 ? n / 7 + 1 : left) {
		row = left - 1;
		unsigned char *at = bytes + rows + row * record->size + range->offset;
		const uint32_t count = cs_load32(at + 4);
		if (count == 0)
			continue;
		cs_store32(at + 4, count - 1);
		tell_true_id();
		cut++;
		said += verify("").here > 0; /* of this row, the next, or whom it owns */
		cs_store32(at + 4, count);
	}
	ok(cut > 0 && said == cut, "%s.%s: each of %zu ranges that is cut is told", name, field,
		cut);
}

/* ---- what cells, sets and actors say of each other ---- */

/* Asks why each actor is where it is. Lists that disagree may lead to an error, not to a crash. */
static void explain_all(void)
{
	struct cs_cooked *cooked = NULL;
	struct cs_trail trail;
	size_t n;
	container_table(bytes, size, CS_TABLE_ACTORS, &n);
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "made", NULL, &cooked);
	for (size_t i = 0; !error && i < n; i++) {
		error = cs_explain_actor(cooked, (uint32_t)i, &trail);
		if (!error)
			free(trail.steps);
	}
	cs_error_free(error);
	cs_cooked_close(cooked);
}

/* Each set of three and more lists its last but one member twice, and so not the last one. */
static void check_missing(void)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, CS_TABLE_SETS);
	const size_t at = cs_record_field(record, "members")->offset;
	size_t n, n_members, wrong = 0;
	const size_t rows = container_table(bytes, size, CS_TABLE_SETS, &n);
	const size_t list = container_table(bytes, size, CS_TABLE_SET_MEMBERS, &n_members);
	unsigned char *kept = malloc(4 * n_members);
	memcpy(kept, bytes + list, 4 * n_members);
	for (size_t row = 0; row < n; row++) {
		const unsigned char *range = bytes + rows + row * record->size + at;
		const uint32_t count = cs_load32(range + 4);
		unsigned char *last = bytes + list + 4 * (size_t)(cs_load32(range) + count - 1);
		if (count < 3)
			continue;
		cs_store32(last, cs_load32(last - 4));
		wrong++;
	}
	container_reseal(bytes, size);
	explain_all();
	ok(wrong > 0, "actors of %zu sets that lack one are explained", wrong);
	memcpy(bytes + list, kept, 4 * n_members);
	free(kept);
}

/* Sets the word of a row to `word`, which is valid by itself; verify reports `want`. */
static void check_disagreement(
	uint16_t table, const char *field, size_t row, uint32_t word, const char *want)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, table);
	size_t n;
	const size_t rows = container_table(bytes, size, table, &n);
	if (!rows || row >= n) {
		ok(false, "%s has row %zu", record->name, row);
		return;
	}
	unsigned char *at =
		bytes + rows + row * record->size + cs_record_field(record, field)->offset;
	const uint32_t kept = cs_load32(at);
	cs_store32(at, word);
	tell_true_id();
	ok(kept != word && verify(want).here > 0, "%s[%zu].%s: that it says another is told",
		record->name, row, field);
	cs_store32(at, kept);
}

static uint32_t word_of(uint16_t table, const char *field, size_t row)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, table);
	size_t n;
	const size_t rows = container_table(bytes, size, table, &n);
	return cs_load32(
		bytes + rows + row * record->size + cs_record_field(record, field)->offset);
}

/* Returns the first row whose word differs from that of row `from` and is a reference. */
static size_t another_row(uint16_t table, const char *field, size_t from)
{
	size_t n, row = 0;
	container_table(bytes, size, table, &n);
	const uint32_t word = word_of(table, field, from);
	while (row < n &&
		(word_of(table, field, row) == word || word_of(table, field, row) == CS_NONE))
		row++;
	return row;
}

/* Lists the first actor of a row with several actors twice; verify reports a row of the table. */
static void check_twice(uint16_t table, const char *field, uint16_t list, const char *want)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, table);
	size_t n, row = 0;
	const size_t rows = container_table(bytes, size, table, &n);
	const unsigned char *range = bytes + rows + cs_record_field(record, field)->offset;
	while (row < n && cs_load32(range + row * record->size + 4) < 2)
		row++;
	const uint32_t first = row < n ? cs_load32(range + row * record->size) : 0;
	ok(row < n, "%s: one has several actors", record->name);
	check_disagreement(list, "value", first + 1, word_of(list, "value", first), want);
	check_disagreement(list, "value", first, word_of(list, "value", first + 1), want);
}

/* A row that names none names the first row of another table, which does not list it. */
static void check_joined(uint16_t table, const char *field, const char *want)
{
	size_t n, row = 0;
	container_table(bytes, size, table, &n);
	while (row < n && word_of(table, field, row) != CS_NONE)
		row++;
	check_disagreement(table, field, row, 0, want);
}

static void check_disagreements(void)
{
	check_twice(CS_TABLE_CELLS, "actors", CS_TABLE_CELL_ACTORS, "cells[");
	check_twice(CS_TABLE_SETS, "members", CS_TABLE_SET_MEMBERS, "sets[");
	check_joined(CS_TABLE_ACTORS, "set", "actors[");
	check_joined(CS_TABLE_ACTORS, "cell", "actors[");
	static const struct {
		uint16_t table;
		const char *field, *want;
	} words[] = {
		{CS_TABLE_CELL_ACTORS, "value", "cells["},
		{CS_TABLE_SET_MEMBERS, "value", "sets["},
		{CS_TABLE_ACTORS, "cell", "cells["},
		{CS_TABLE_ACTORS, "set", "sets["},
		{CS_TABLE_SETS, "cell", "sets["},
	};
	for (size_t i = 0; i < CS_COUNT_OF(words); i++) {
		size_t n, row = 0;
		container_table(bytes, size, words[i].table, &n);
		while (row < n && word_of(words[i].table, words[i].field, row) == CS_NONE)
			row++;
		const size_t other = another_row(words[i].table, words[i].field, row);
		check_disagreement(words[i].table, words[i].field, row,
			word_of(words[i].table, words[i].field, other), words[i].want);
	}
	check_disagreement(CS_TABLE_ACTORS, "guid", 0, 0xffffffff, "actors[1].guid");
}

/* ---- rows that come behind what they belong to ---- */

static void check_earlier(uint16_t table, const char *field)
{
	const struct cs_record *record = cs_schema_record(&cs_cworld_schema, table);
	size_t n, refused = 0, asked = 0;
	const size_t rows = container_table(bytes, size, table, &n);
	for (size_t row = 0; rows && row < n; row += n / 5 + 1, asked++) {
		struct cs_cooked *cooked = NULL;
		unsigned char *at =
			bytes + rows + row * record->size + cs_record_field(record, field)->offset;
		const uint32_t kept = cs_load32(at);
		cs_store32(at, (uint32_t)row);
		container_reseal(bytes, size);
		struct cs_error *error = cs_cooked_open_bytes(bytes, size, "made", NULL, &cooked);
		refused += error && error->code == CS_E_REFERENCE;
		cs_error_free(error);
		cs_cooked_close(cooked);
		cs_store32(at, kept);
	}
	ok(asked > 0 && refused == asked, "%s.%s: each of %zu rows that is its own is refused",
		record->name, field, asked);
}

static bool make_world(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 60, 1};
	struct cs_world *world = NULL;
	struct cs_cook *cook = NULL;
	unsigned char *packed = NULL;
	size_t n;
	works(make_test_world(&recipe, NULL, &world), "a world");
	works(cs_cook(world, NULL, NULL, &cook), "cooked");
	works(cs_cook_bytes(cook, &packed, &n), "its bytes");
	works(container_unpack(packed, n, &bytes, &size), "nothing compressed");
	free(packed);
	cs_cook_free(cook);
	cs_world_free(world);
	return bytes;
}

int main(void)
{
	snprintf(path, sizeof(path), "%s/verify_rows.cworld", test_folder());
	if (!make_world())
		return done();
	for (size_t i = 0; i < cs_cworld_schema.n_records; i++)
		check_references(cs_cworld_schema.records[i]);
	check_tiling(CS_TABLE_PARTITIONS, "partitions", "cells");
	check_tiling(CS_TABLE_CELLS, "cells", "layers");
	check_tiling(CS_TABLE_CELLS, "cells", "actors");
	check_tiling(CS_TABLE_CELLS, "cells", "sets");
	check_tiling(CS_TABLE_CONTAINERS, "containers", "actors");
	check_tiling(CS_TABLE_SETS, "sets", "members");
	check_disagreements();
	check_missing();
	check_earlier(CS_TABLE_LAYERS, "parent");
	check_earlier(CS_TABLE_CONTAINERS, "parent");
	check_earlier(CS_TABLE_FINDINGS, "cause");
	free(bytes);
	return done();
}
