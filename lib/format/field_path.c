/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves field paths such as `cells[5].name`. A path begins with a table. After it, [N] selects a
 * row and .FIELD selects a field. After each step the position is a `spot`. A reference or a range
 * leads to rows of another table.
 */
#include <cellscope/core.h>

#include "format/file_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	struct cs_file *file;
	const char *path, *at;
	struct cs_spot spot;
};

static struct cs_error *nothing(const struct walk *walk, const char *what)
{
	return cs_error_at(CS_E_FIELD, NULL, (uint64_t)(walk->at - walk->path), "%s in '%s'", what,
		walk->path);
}

/* Parses "[N]" if the path continues with a bracket. *given_ret receives whether it does. */
static struct cs_error *field_path_read_index(struct walk *walk, bool *given_ret, uint64_t *ret)
{
	char *end;
	*given_ret = *walk->at == '[';
	if (!*given_ret)
		return NULL;
	walk->at++;
	if (*walk->at < '0' || *walk->at > '9')
		return nothing(walk, "a row number must follow '['");
	*ret = strtoull(walk->at, &end, 10);
	if (*end != ']')
		return nothing(walk, "a closing ']' is missing");
	walk->at = end + 1;
	return NULL;
}

static struct cs_error *go_to_row(struct walk *walk, const struct cs_record *record, uint64_t index)
{
	const void *rows;
	size_t n;
	struct cs_error *error = cs_file_load(walk->file, record->table, &rows, &n);
	if (error)
		return error;
	if (index >= n)
		return cs_error_new(CS_E_FIELD, "no row %s[%" PRIu64 "]: the table has %zu rows",
			record->name, index, n);
	walk->spot = (struct cs_spot){.record = record,
		.index = (size_t)index,
		.row = (const char *)rows + (size_t)index * record->size};
	return NULL;
}

static const struct cs_record *field_path_target_of(const struct walk *walk)
{
	return cs_schema_record(cs_file_info(walk->file).schema, walk->spot.field->target);
}

static const uint32_t *field_path_words_of(const struct walk *walk)
{
	return (const uint32_t *)((const char *)walk->spot.row + walk->spot.field->offset);
}

/* If each row of the current table is only a reference, moves to the row to which it refers. */
static struct cs_error *pass_through(struct walk *walk)
{
	const struct cs_record *record = walk->spot.record;
	if (record->n_fields != 1 || record->fields[0].type != CS_FIELD_REFERENCE)
		return NULL;
	walk->spot.field = &record->fields[0];
	return go_to_row(walk, field_path_target_of(walk), field_path_words_of(walk)[0]);
}

static struct cs_error *follow_reference(struct walk *walk)
{
	uint32_t row = field_path_words_of(walk)[0];
	if (row == CS_NONE)
		return cs_error_new(CS_E_MISSING,
			"%s[%zu].%s refers to no row, so the path cannot go on from it",
			walk->spot.record->name, walk->spot.index, walk->spot.field->name);
	return go_to_row(walk, field_path_target_of(walk), row);
}

static struct cs_error *follow_range(struct walk *walk, uint64_t index)
{
	const uint32_t *range = field_path_words_of(walk);
	if (index >= range[1])
		return cs_error_new(CS_E_FIELD,
			"%s[%zu].%s has no row %llu (number of its rows: %u, counted from 0)",
			walk->spot.record->name, walk->spot.index, walk->spot.field->name,
			(unsigned long long)index, range[1]);
	struct cs_error *error = go_to_row(walk, field_path_target_of(walk), range[0] + index);
	return error ? error : pass_through(walk);
}

/* Returns the field with the longest name with which `text` begins. Names may contain dots. */
static const struct cs_field *longest_field(const struct cs_record *record, const char *text)
{
	const struct cs_field *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < record->n_fields; i++) {
		size_t n = strlen(record->fields[i].name);
		if (n > longest && strncmp(record->fields[i].name, text, n) == 0 &&
			strchr(".[", text[n])) {
			best = &record->fields[i];
			longest = n;
		}
	}
	return best;
}

static struct cs_error *step_field(struct walk *walk)
{
	bool given;
	uint64_t index;
	if (walk->spot.field) {
		if (walk->spot.field->type != CS_FIELD_REFERENCE)
			return nothing(walk, "the field before the dot does not refer to a row");
		struct cs_error *error = follow_reference(walk);
		if (error)
			return error;
	}
	walk->spot.field = longest_field(walk->spot.record, walk->at + 1);
	if (!walk->spot.field)
		return nothing(walk, "unknown field (cellscope-format(5) lists all)");
	walk->at += 1 + strlen(walk->spot.field->name);
	struct cs_error *error = field_path_read_index(walk, &given, &index);
	if (error || !given)
		return error;
	if (walk->spot.field->type == CS_FIELD_RANGE)
		return follow_range(walk, index);
	if (index >= (walk->spot.field->count ? walk->spot.field->count : 1u))
		return nothing(walk, "the index is beyond the last element of the field");
	walk->spot.element = (size_t)index;
	return NULL;
}

static struct cs_error *field_path_start(struct walk *walk)
{
	const struct cs_schema *schema = cs_file_info(walk->file).schema;
	size_t n = strcspn(walk->path, ".[");
	uint64_t row = 0;
	bool given;
	for (size_t i = 0; i < schema->n_records; i++) {
		const struct cs_record *record = schema->records[i];
		if (strlen(record->name) != n || memcmp(record->name, walk->path, n) != 0 ||
			record->n_fields == 0)
			continue;
		walk->at += n;
		struct cs_error *error = field_path_read_index(walk, &given, &row);
		if (!error && !given && cs_file_rows(walk->file, record->table) != 1)
			error = cs_error_new(CS_E_FIELD,
				"%s has %" PRIu64 " rows; name one of them: %s[ROW]", record->name,
				cs_file_rows(walk->file, record->table), record->name);
		return error ? error : go_to_row(walk, record, row);
	}
	return nothing(walk, "unknown table (cellscope-format(5) lists all)");
}

struct cs_error *cs_file_follow(struct cs_file *file, const char *path, struct cs_spot *ret)
{
	struct walk walk = {file, path, path, {0}};
	struct cs_error *error = field_path_start(&walk);
	while (!error && *walk.at) {
		if (*walk.at != '.')
			return nothing(&walk, "'.' or '[' must follow here");
		error = step_field(&walk);
	}
	if (!error)
		*ret = walk.spot;
	return error;
}
