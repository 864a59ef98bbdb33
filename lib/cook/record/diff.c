/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the differences between two cooks, and their reasons. Rows of both cooks are matched by
 * 128-bit keys that do not depend on the cook (partitions and layers by name, findings by their
 * content); sorted keys are merged. diff_actors.c compares actors, diff_cells.c cells. Each phase
 * is a pass over both worlds that decodes only the fields it needs.
 */
#include "cook/record/diff_internal.h"
#include "core/sort.h"
#include "format/file_inside.h"

#include <stdlib.h>

static XXH128_hash_t key_of_partition(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	return cs_diff_hash_text(cooked, cooked->partitions[row].name);
}

static XXH128_hash_t key_of_layer(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	return cs_diff_hash_text(cooked, cooked->layers[row].name);
}

static XXH128_hash_t key_of_hlod_layer(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	return cs_diff_hash_text(cooked, cooked->hlod_layers[row].path);
}

static XXH128_hash_t key_of_finding(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	const struct cs_cooked_finding *finding = &cooked->findings[row];
	struct {
		XXH128_hash_t actor, other;
		uint64_t layer, reason;
		uint32_t check, severity;
	} key = {.check = finding->check, .severity = finding->severity};
	if (finding->actor != CS_NONE)
		key.actor = cs_diff_key_of_actor_name(side, finding->actor);
	if (finding->other != CS_NONE)
		key.other = cs_diff_key_of_actor_name(side, finding->other);
	if (finding->layer != CS_NONE)
		key.layer = cs_diff_hash_text(cooked, cooked->layers[finding->layer].name).low64;
	key.reason = cs_diff_hash_text(cooked, finding->reason).low64;
	return XXH3_128bits(&key, sizeof(key));
}

/* ---- settings of the world and of partitions ---- */

/* Whether a field is compared as a setting: not bounds, ranges or references into tables. */
static bool is_setting(const struct cs_field *field)
{
	return field->type != CS_FIELD_BOX && field->type != CS_FIELD_RANGE &&
	       field->type != CS_FIELD_REFERENCE && field->type != CS_FIELD_ZERO;
}

/* Reports each field in which the two rows differ. Returns whether there is such a field. */
static bool compare_fields(struct differ *differ, enum cs_diff_kind kind, uint16_t table,
	uint32_t left, uint32_t right, const void *left_row, const void *right_row)
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(differ->left.cooked->file).schema, table);
	bool changed = false;
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (!is_setting(field) || cs_diff_same_field(differ, field, left_row, right_row))
			continue;
		cs_diff_report(differ, kind, left, right, CS_DIFF_VALUE, field);
		changed = true;
	}
	return changed;
}

static void pair_partitions(struct differ *differ, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_set_aside(differ, left, right);
	else
		differ->partition_changed[left] = compare_fields(differ, CS_DIFF_PARTITION_ROW,
			CS_TABLE_PARTITIONS, left, right, &differ->left.cooked->partitions[left],
			&differ->right.cooked->partitions[right]);
}

static void pair_layers(struct differ *differ, uint32_t left, uint32_t right)
{
	if (!cs_diff_one_sided(differ, CS_DIFF_LAYER_ROW, left, right))
		compare_fields(differ, CS_DIFF_LAYER_ROW, CS_TABLE_LAYERS, left, right,
			&differ->left.cooked->layers[left], &differ->right.cooked->layers[right]);
}

static void pair_hlod_layers(struct differ *differ, uint32_t left, uint32_t right)
{
	if (!cs_diff_one_sided(differ, CS_DIFF_HLOD_ROW, left, right))
		compare_fields(differ, CS_DIFF_HLOD_ROW, CS_TABLE_HLOD_LAYERS, left, right,
			&differ->left.cooked->hlod_layers[left],
			&differ->right.cooked->hlod_layers[right]);
}

/* ---- renamed grids ---- */

/*
 * If two HLOD setups ("Grid:Setup") belong to a renamed grid, gives the right one the name of the
 * left one and returns true: the renaming is reported with the grid.
 */
static bool is_renamed_setup(struct differ *differ, uint32_t left, uint32_t right)
{
	const struct cs_cooked_partition *l = &differ->left.cooked->partitions[left];
	const struct cs_cooked_partition *r = &differ->right.cooked->partitions[right];
	const char *of_left = strchr(differ->left.grid_names[left], ':');
	const char *of_right = strchr(differ->right.grid_names[right], ':');
	if (l->parent == CS_NONE || r->parent == CS_NONE || !of_left || !of_right ||
		strcmp(of_left, of_right) != 0 ||
		strcmp(differ->left.grid_names[l->parent], differ->right.grid_names[r->parent]) !=
			0)
		return false;
	differ->right.grid_names[right] = differ->left.grid_names[left];
	return true;
}

/* Removes from the lone grids each pair that `same` finds to be one grid, reported if `told`. */
static void match_lone_grids_by(
	struct differ *differ, bool (*same)(struct differ *, uint32_t, uint32_t), bool told)
{
	size_t kept = 0;
	for (size_t i = 0; i < differ->lone_left.n; i++) {
		uint32_t left = differ->lone_left.at[i];
		size_t j = 0;
		while (j < differ->lone_right.n && !same(differ, left, differ->lone_right.at[j]))
			j++;
		if (j == differ->lone_right.n) {
			differ->lone_left.at[kept++] = left;
			continue;
		}
		if (told)
			cs_diff_report(differ, CS_DIFF_PARTITION_ROW, left,
				differ->lone_right.at[j], CS_DIFF_NAME, NULL);
		differ->lone_right.at[j] = differ->lone_right.at[--differ->lone_right.n];
	}
	differ->lone_left.n = kept;
}

/*
 * Pairs grids whose names only one side has. A renamed grid is one difference, which includes all
 * of its cells and setups. Other grids are reported as removed or added.
 */
static void match_lone_grids(struct differ *differ)
{
	match_lone_grids_by(differ, cs_diff_is_renamed, true);
	match_lone_grids_by(differ, is_renamed_setup, false);
	for (size_t i = 0; i < differ->lone_left.n; i++)
		cs_diff_one_sided(differ, CS_DIFF_PARTITION_ROW, differ->lone_left.at[i], CS_NONE);
	for (size_t j = 0; j < differ->lone_right.n; j++)
		cs_diff_one_sided(differ, CS_DIFF_PARTITION_ROW, CS_NONE, differ->lone_right.at[j]);
	differ->lone_left.n = differ->lone_right.n = 0;
}

/* Allocates side->cells and fills side->grid_names; false when memory runs out. */
static bool diff_begin_side(struct side *side)
{
	const struct cs_cooked *cooked = side->cooked;
	side->cells = cs_large_calloc(cooked->n_cells + 1, sizeof(*side->cells));
	side->grid_names = malloc((cooked->n_partitions + 1) * sizeof(*side->grid_names));
	for (size_t i = 0; side->grid_names && i < cooked->n_partitions; i++)
		side->grid_names[i] = cs_cooked_text(cooked, cooked->partitions[i].name);
	return side->cells && side->grid_names;
}

static void pair_findings(struct differ *differ, uint32_t left, uint32_t right)
{
	cs_diff_one_sided(differ, CS_DIFF_FINDING, left, right);
}

/* ---- containers of logs ---- */

static struct cs_guid id_of_parent(const struct cs_cooked *cooked, uint32_t container)
{
	uint32_t parent = cooked->containers[container].parent;
	return parent == CS_NONE ? (struct cs_guid){0} : cooked->containers[parent].id;
}

static void pair_containers(struct differ *differ, uint32_t left, uint32_t right)
{
	if (cs_diff_one_sided(differ, CS_DIFF_CONTAINER, left, right))
		return;
	cs_diff_compare_logged(differ, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
		&differ->left.cooked->containers[left], &differ->right.cooked->containers[right]);
	cs_diff_compare_parents(differ, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
		(struct cs_guid[]){id_of_parent(differ->left.cooked, left),
			id_of_parent(differ->right.cooked, right)});
}

/* ---- comparing two cooks ---- */

static int by_kind_and_row(const void *left, const void *right, void *context)
{
	const struct cs_diff_row *l = left, *r = right;
	(void)context;
	if (l->kind != r->kind)
		return l->kind < r->kind ? -1 : 1;
	if (l->left != r->left)
		return l->left < r->left ? -1 : 1;
	return l->right < r->right ? -1 : l->right > r->right;
}

static void compare_settings(struct differ *differ)
{
	const struct cs_cooked *l = differ->left.cooked, *r = differ->right.cooked;
	differ->profile_changed = !cs_diff_same_text(differ, l->world->profile, r->world->profile);
	compare_fields(differ, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	if (differ->logged)
		cs_diff_compare_logged(
			differ, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	cs_diff_match(differ, l->n_partitions, r->n_partitions, key_of_partition, pair_partitions);
	match_lone_grids(differ);
	cs_diff_match(differ, l->n_layers, r->n_layers, key_of_layer, pair_layers);
	cs_diff_match(
		differ, l->n_hlod_layers, r->n_hlod_layers, key_of_hlod_layer, pair_hlod_layers);
}

static void compare_findings(struct differ *differ)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, name)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, container)}};
	cs_diff_begin_pass(differ, fields, CS_COUNT_OF(fields));
	cs_diff_match(differ, differ->left.cooked->n_findings, differ->right.cooked->n_findings,
		key_of_finding, pair_findings);
	cs_diff_end_pass(differ);
}

/* Compares the settings, then the actors, then the cells, which need the sums over their actors. */
static void diff_compare_all(struct differ *differ)
{
	const struct cs_cooked *l = differ->left.cooked, *r = differ->right.cooked;
	compare_settings(differ);
	cs_diff_read_places(differ);
	if (!differ->error)
		cs_diff_actors(differ);
	if (differ->error)
		return;
	cs_diff_cells(differ);
	compare_findings(differ);
	if (differ->logged)
		cs_diff_match(differ, l->n_containers, r->n_containers, cs_diff_key_of_container,
			pair_containers);
}

static struct cs_error *diff_begin(struct differ *differ)
{
	const struct cs_cooked *l = differ->left.cooked, *r = differ->right.cooked;
	differ->logged = l->world->flags & r->world->flags & CS_WORLD_LOGGED;
	differ->partition_changed = calloc(l->n_partitions + 1, sizeof(uint32_t));
	differ->right_container = calloc(l->n_containers + 1, sizeof(uint32_t));
	differ->left_container = calloc(r->n_containers + 1, sizeof(uint32_t));
	const bool has_room = differ->partition_changed && differ->right_container &&
			      differ->left_container && diff_begin_side(&differ->left) &&
			      diff_begin_side(&differ->right);
	return has_room ? NULL : cs_error_nomem();
}

static void diff_end_side(struct side *side)
{
	free(side->grid_names);
	free(side->cells);
	cs_vec_free(&side->lone);
}

static void diff_end(struct differ *differ)
{
	free(differ->partition_changed);
	free(differ->right_container);
	free(differ->left_container);
	diff_end_side(&differ->left);
	diff_end_side(&differ->right);
	cs_vec_free(&differ->pairs);
	cs_vec_free(&differ->cell_pairs);
	cs_vec_free(&differ->lone_left);
	cs_vec_free(&differ->lone_right);
}

/* Sorts differences by kind and table row, and sets how far the content of each cell moved. */
static void diff_arrange(struct differ *differ)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, content)}};
	if (differ->failed || !cs_sort(differ->rows.at, differ->rows.n, sizeof(*differ->rows.at),
				      by_kind_and_row, NULL)) {
		differ->failed = true;
		return;
	}
	cs_diff_begin_pass(differ, fields, CS_COUNT_OF(fields));
	for (size_t i = 0; i < differ->rows.n; i++) {
		struct cs_diff_row *row = &differ->rows.at[i];
		if (row->kind == CS_DIFF_CELL && row->left != CS_NONE && row->right != CS_NONE)
			row->amount = cs_diff_amount(
				&cs_cooked_cell(differ->left.cooked, row->left)->content,
				&cs_cooked_cell(differ->right.cooked, row->right)->content);
		cs_diff_step_apart(&differ->left);
		cs_diff_step_apart(&differ->right);
	}
	cs_diff_end_pass(differ);
}

struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret)
{
	struct differ differ = {.left = {.cooked = left}, .right = {.cooked = right}};
	struct cs_error *error = diff_begin(&differ);
	if (!error) {
		diff_compare_all(&differ);
		if (!differ.error)
			diff_arrange(&differ);
		error = !differ.error && differ.failed ? cs_error_nomem() : differ.error;
	}
	diff_end(&differ);
	if (error)
		cs_vec_free(&differ.rows);
	else
		*ret = (struct cs_diff){differ.rows.at, differ.rows.n};
	return error;
}
