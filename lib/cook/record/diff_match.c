/* SPDX-License-Identifier: Apache-2.0 */
/* Matches rows of two cooks by merging sorted 128-bit keys, and compares fields of matched rows. */
#include "cook/record/diff_internal.h"
#include "core/guid.h"
#include "core/sort.h"

#include <math.h>
#include <stdlib.h>

void cs_diff_report(struct differ *differ, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field)
{
	if (!cs_vec_push(&differ->rows, (struct cs_diff_row){kind, left, right, reasons,
						kind == CS_DIFF_CELL ? left : CS_NONE,
						kind == CS_DIFF_CELL ? right : CS_NONE, field, -1}))
		differ->failed = true;
}

/* ---- how far the bounds of an object moved ---- */

static double farther(struct cs_vec3 left, struct cs_vec3 right)
{
	return fmax(fabs(left.x - right.x), fmax(fabs(left.y - right.y), fabs(left.z - right.z)));
}

double cs_diff_amount(const struct cs_box *left, const struct cs_box *right)
{
	return cs_box_valid(left) && cs_box_valid(right)
		       ? fmax(farther(left->min, right->min), farther(left->max, right->max))
		       : -1;
}

/* ---- passes over the rows of both sides ---- */

void cs_diff_begin_pass(struct differ *differ, const struct cs_record_byte *fields, size_t n_fields)
{
	differ->left.loop = cs_cooked_loop(differ->left.cooked, fields, n_fields);
	differ->right.loop = cs_cooked_loop(differ->right.cooked, fields, n_fields);
}

void cs_diff_end_pass(struct differ *differ)
{
	differ->error = cs_error_first(differ->error, cs_cooked_loop_end(&differ->left.loop));
	differ->error = cs_error_first(differ->error, cs_cooked_loop_end(&differ->right.loop));
}

/* ---- matching rows by keys ---- */

static int by_listed_row(const void *left, const void *right, void *context)
{
	const uint32_t *rows = context;
	return cs_compare_i64(rows[*(const uint32_t *)left], rows[*(const uint32_t *)right]);
}

/* Stores keys of the listed rows in the list's order, but reads the rows in ascending order. */
static bool make_listed_keys(const struct side *side, const uint32_t *rows, size_t n,
	key_of_row *key, struct cs_sort_key *keys)
{
	uint32_t *order = cs_sorted_rows(n, by_listed_row, rows);
	for (size_t i = 0; order && i < n; i++) {
		const XXH128_hash_t k = key(side, rows[order[i]]);
		keys[order[i]] = (struct cs_sort_key){k.high64, k.low64, rows[order[i]]};
		cs_diff_step_apart(side);
	}
	free(order);
	return order != NULL;
}

/* Returns the sorted keys of the listed rows, or of the first n rows if `rows` is NULL. */
static struct cs_sort_key *diff_keys_of(
	const struct side *side, const uint32_t *rows, size_t n, key_of_row *key)
{
	struct cs_sort_key *keys = malloc((n ? n : 1) * sizeof(*keys));
	bool good = keys != NULL;
	if (keys && rows)
		good = make_listed_keys(side, rows, n, key, keys);
	else if (keys) {
		for (size_t i = 0; i < n; i++) {
			const XXH128_hash_t k = key(side, (uint32_t)i);
			keys[i] = (struct cs_sort_key){k.high64, k.low64, (uint32_t)i};
			cs_cooked_loop_step(&side->loop, i);
		}
	}
	if (good && cs_sort_keys(keys, n))
		return keys;
	free(keys);
	return NULL;
}

/* Calls `pair` for each key in at least one of the two sorted lists, and frees both lists. */
static void pair_keys(struct differ *differ, struct cs_sort_key *l, size_t n_left,
	struct cs_sort_key *r, size_t n_right, on_pair *pair)
{
	differ->failed = differ->failed || !l || !r;
	for (size_t i = 0, j = 0; l && r && (i < n_left || j < n_right);) {
		int order = i == n_left ? 1 : j == n_right ? -1 : cs_sort_key_compare(&l[i], &r[j]);
		pair(differ, order <= 0 ? l[i].index : CS_NONE, order >= 0 ? r[j].index : CS_NONE);
		i += order <= 0;
		j += order >= 0;
	}
	free(l);
	free(r);
}

void cs_diff_match(
	struct differ *differ, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair)
{
	pair_keys(differ, diff_keys_of(&differ->left, NULL, n_left, key), n_left,
		diff_keys_of(&differ->right, NULL, n_right, key), n_right, pair);
}

void cs_diff_set_aside(struct differ *differ, uint32_t left, uint32_t right)
{
	bool good = left == CS_NONE ? cs_vec_push(&differ->lone_right, right)
				    : cs_vec_push(&differ->lone_left, left);
	differ->failed = differ->failed || !good;
}

void cs_diff_match_lone(struct differ *differ, key_of_row *key, on_pair *pair)
{
	const size_t n_left = differ->lone_left.n, n_right = differ->lone_right.n;
	struct cs_sort_key *left = diff_keys_of(&differ->left, differ->lone_left.at, n_left, key);
	struct cs_sort_key *right =
		diff_keys_of(&differ->right, differ->lone_right.at, n_right, key);
	/* the lists are emptied before pair_keys(), because `pair` may append to them */
	differ->lone_left.n = differ->lone_right.n = 0;
	pair_keys(differ, left, n_left, right, n_right, pair);
}

XXH128_hash_t cs_diff_hash_text(const struct cs_cooked *cooked, uint32_t text)
{
	const char *name = cs_cooked_text(cooked, text);
	return XXH3_128bits(name, strlen(name));
}

/* ---- keys of rows, and comparing fields ---- */

XXH128_hash_t cs_diff_key_of_container(const struct side *side, uint32_t row)
{
	return XXH3_128bits(&side->cooked->containers[row].id, sizeof(struct cs_guid));
}

bool cs_diff_one_sided(struct differ *differ, enum cs_diff_kind kind, uint32_t left, uint32_t right)
{
	if (left != CS_NONE && right != CS_NONE)
		return false;
	cs_diff_report(
		differ, kind, left, right, left == CS_NONE ? CS_DIFF_NEW : CS_DIFF_GONE, NULL);
	return true;
}

bool cs_diff_of_renamed_grid(const struct differ *differ, uint32_t left, uint32_t right)
{
	const struct cs_cooked *cooked = differ->right.cooked;
	const uint32_t partition = differ->right.cells[right].partition;
	const char *ours = differ->right.grid_names[partition];
	return strcmp(differ->left.grid_names[differ->left.cells[left].partition], ours) == 0 &&
	       strcmp(ours, cs_cooked_text(cooked, cooked->partitions[partition].name)) != 0;
}

bool cs_diff_same_text(const struct differ *differ, uint32_t left, uint32_t right)
{
	return strcmp(cs_cooked_text(differ->left.cooked, left),
		       cs_cooked_text(differ->right.cooked, right)) == 0;
}

/* Returns whether a field has equal values, formatted: a text by its bytes, not by its offset. */
bool cs_diff_same_field(const struct differ *differ, const struct cs_field *field, const void *left,
	const void *right)
{
	char l[600], r[600];
	cs_field_format(differ->left.cooked->file, field, left, 0, l, sizeof(l));
	cs_field_format(differ->right.cooked->file, field, right, 0, r, sizeof(r));
	return strcmp(l, r) == 0;
}

/*
 * Returns whether a field is compared only if both cooks were made from logs. Fields that are
 * compared for all cooks are not listed here: see diff_cells.c and diff_actors.c.
 */
static bool is_logged(const struct cs_field *field, uint16_t table)
{
	static const struct {
		uint16_t table;
		const char *name;
	} fields[] = {
		{CS_TABLE_WORLD, "bounds"},
		{CS_TABLE_CONTAINERS, "transform.rotation"},
		{CS_TABLE_CONTAINERS, "transform.translation"},
		{CS_TABLE_CONTAINERS, "transform.scale"},
		{CS_TABLE_CONTAINERS, "package"},
		{CS_TABLE_CELLS, "box"},
		{CS_TABLE_CELLS, "package"},
		{CS_TABLE_CELLS, "flags"},
		{CS_TABLE_ACTORS, "guid"},
		{CS_TABLE_ACTORS, "name"},
		{CS_TABLE_ACTORS, "label"},
		{CS_TABLE_ACTORS, "base_class"},
		{CS_TABLE_ACTORS, "native_class"},
		{CS_TABLE_ACTORS, "grid"},
		{CS_TABLE_ACTORS, "flags"},
		{CS_TABLE_ACTOR_DETAILS, "transform.rotation"},
		{CS_TABLE_ACTOR_DETAILS, "transform.translation"},
		{CS_TABLE_ACTOR_DETAILS, "transform.scale"},
		{CS_TABLE_ACTOR_DETAILS, "editor_bounds"},
		{CS_TABLE_ACTOR_DETAILS, "content_bundle"},
		{CS_TABLE_ACTOR_DETAILS, "folder_guid"},
		{CS_TABLE_ACTOR_DETAILS, "package"},
		{CS_TABLE_ACTOR_DETAILS, "path"},
		{CS_TABLE_ACTOR_DETAILS, "folder"},
	};
	for (size_t i = 0; i < CS_COUNT_OF(fields); i++)
		if (fields[i].table == table && strcmp(fields[i].name, field->name) == 0)
			return true;
	return false;
}

void cs_diff_compare_logged(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const void *left_row, const void *right_row)
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(differ->left.cooked->file).schema, table);
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (is_logged(field, table) &&
			!cs_diff_same_field(differ, field, left_row, right_row))
			cs_diff_report(differ, kind, left, right, CS_DIFF_VALUE, field);
	}
}

/* Compares the parents of two rows by GUID, because row numbers differ between cooks. */
void cs_diff_compare_parents(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const struct cs_guid parents[2])
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(differ->left.cooked->file).schema, table);
	for (size_t i = 0; i < record->n_fields; i++)
		if (strcmp(record->fields[i].name, "parent") == 0 &&
			cs_guid_compare(parents[0], parents[1]) != 0)
			cs_diff_report(
				differ, kind, left, right, CS_DIFF_VALUE, &record->fields[i]);
}
