/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns what differs between two cooks, and why. Rows of both are matched by 128-bit keys that do
 * not depend on the cook: partitions and layers by name, cells by GUID and then by name, findings
 * by what they say. Sorted keys are merged. Actors are compared in diff_actors.c.
 */
#include "cook/record/diff_internal.h"
#include "cook/record/trail_inside.h"
#include "core/geometry.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/record.h"

#include <math.h>
#include <stdlib.h>

static XXH128_hash_t key_of_partition(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return cs_diff_hash_text(c, c->partitions[row].name);
}

static XXH128_hash_t key_of_layer(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return cs_diff_hash_text(c, c->layers[row].name);
}

static XXH128_hash_t key_of_cell(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return XXH3_128bits(&c->cells[row].guid, sizeof(struct cs_guid));
}

static XXH128_hash_t key_of_cell_name(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return cs_diff_hash_text(c, c->cells[row].name);
}

/* Returns a key of the cell's place in a grid with cells of that size, whatever the grid's name. */
static XXH128_hash_t key_of_cell_place(const struct side *side, uint32_t row)
{
	const struct cs_cooked_cell *cell = &side->c->cells[row];
	const char *grid = side->grid_names[cell->partition];
	const struct {
		uint64_t grid;
		double cell_size;
		int64_t x, y, z;
		int32_t level;
		uint32_t layers_id;
		struct cs_guid bundle;
	} key = {XXH3_64bits(grid, strlen(grid)), side->c->partitions[cell->partition].cell_size,
		cell->x, cell->y, cell->z, cell->level, cell->layers_id, cell->content_bundle};
	return XXH3_128bits(&key, sizeof(key));
}

static XXH128_hash_t key_of_finding(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	const struct cs_cooked_finding *f = &c->findings[row];
	struct {
		XXH128_hash_t actor, other;
		uint64_t layer, reason;
		uint32_t check, severity;
	} key = {.check = f->check, .severity = f->severity};
	if (f->actor != CS_NONE)
		key.actor = cs_diff_key_of_actor_name(side, f->actor);
	if (f->other != CS_NONE)
		key.other = cs_diff_key_of_actor_name(side, f->other);
	if (f->layer != CS_NONE)
		key.layer = cs_diff_hash_text(c, c->layers[f->layer].name).low64;
	key.reason = cs_diff_hash_text(c, f->reason).low64;
	return XXH3_128bits(&key, sizeof(key));
}

/* ---- settings ---- */

/*
 * Returns false for bounds, which follow from the actors, and for ranges and references into
 * tables.
 */
static bool is_setting(const struct cs_field *field)
{
	return field->type != CS_FIELD_BOX && field->type != CS_FIELD_RANGE &&
	       field->type != CS_FIELD_REFERENCE && field->type != CS_FIELD_ZERO;
}

/* Reports each field that differs; true when there is one. */
static bool compare_fields(struct differ *d, enum cs_diff_kind kind, uint16_t table, uint32_t left,
	uint32_t right, const void *left_row, const void *right_row)
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(d->left.c->file).schema, table);
	bool changed = false;
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (!is_setting(field) || cs_diff_same_field(d, field, left_row, right_row))
			continue;
		cs_diff_report(d, kind, left, right, CS_DIFF_VALUE, field);
		changed = true;
	}
	return changed;
}

static void pair_partitions(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_set_aside(d, left, right);
	else
		d->partition_changed[left] =
			compare_fields(d, CS_DIFF_PARTITION_ROW, CS_TABLE_PARTITIONS, left, right,
				&d->left.c->partitions[left], &d->right.c->partitions[right]);
}

static void pair_layers(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_report(d, CS_DIFF_LAYER_ROW, left, right, cs_diff_one_sided(left), NULL);
	else
		compare_fields(d, CS_DIFF_LAYER_ROW, CS_TABLE_LAYERS, left, right,
			&d->left.c->layers[left], &d->right.c->layers[right]);
}

/* ---- cells ---- */

static bool diff_same_text(const struct differ *d, uint32_t left, uint32_t right)
{
	return strcmp(cs_cooked_text(d->left.c, left), cs_cooked_text(d->right.c, right)) == 0;
}

static bool diff_same_layer(const struct differ *d, uint32_t left, uint32_t right)
{
	return diff_same_text(d, d->left.c->layers[left].name, d->right.c->layers[right].name);
}

static bool same_cell_layers(
	const struct differ *d, const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	bool same = l->layers_id == r->layers_id && l->layers.count == r->layers.count;
	for (uint32_t i = 0; same && i < l->layers.count; i++)
		same = diff_same_layer(d, d->left.c->cell_layers[l->layers.first + i],
			d->right.c->cell_layers[r->layers.first + i]);
	return same;
}

/* A value that a log does not contain is no difference. */
static bool told_bounds(const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	return !((l->flags ^ r->flags) & CS_CELL_NO_BOXES);
}

static void compare_cells(struct differ *d, uint32_t left, uint32_t right, uint32_t reasons)
{
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	if (!diff_same_text(d, l->name, r->name) && !cs_diff_of_renamed_grid(d, l, r))
		reasons |= CS_DIFF_NAME;
	if (told_bounds(l, r) && !cs_box_equals(&l->content, &r->content))
		reasons |= CS_DIFF_BOUNDS;
	if (d->logged ? !same_cell_layers(d, l, r) : l->layers_id != r->layers_id)
		reasons |= CS_DIFF_LAYERS;
	if (l->actors.count != r->actors.count ||
		d->left.sums.cells[left] != d->right.sums.cells[right])
		reasons |= CS_DIFF_CONTENT;
	if (reasons)
		cs_diff_report(d, CS_DIFF_CELL, left, right, reasons, NULL);
	if (d->logged && told_bounds(l, r))
		cs_diff_compare_logged(d, CS_DIFF_CELL, CS_TABLE_CELLS, left, right, l, r);
}

static void diff_pair_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		cs_diff_set_aside(d, left, right);
		return;
	}
	compare_cells(d, left, right, 0);
}

/*
 * Pairs an object that has another identity; an identity that this program made up is not compared.
 */
static void pair_again(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		cs_diff_set_aside(d, left, right);
		return;
	}
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	bool made = (l->flags | r->flags) & CS_CELL_MADE_GUID || cs_diff_of_renamed_grid(d, l, r);
	compare_cells(d, left, right, made ? 0 : CS_DIFF_GUID);
}

static void pair_lone_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_report(d, CS_DIFF_CELL, left, right, cs_diff_one_sided(left), NULL);
	else
		pair_again(d, left, right);
}

/* ---- renamed grids ---- */

static bool has_cell_at(const struct side *side, uint32_t partition, XXH128_hash_t key)
{
	const struct cs_range cells = side->c->partitions[partition].cells;
	for (uint32_t i = cells.first; i < cells.first + cells.count; i++) {
		XXH128_hash_t at = key_of_cell_place(side, i);
		if (at.low64 == key.low64 && at.high64 == key.high64)
			return true;
	}
	return false;
}

/*
 * Grids of one class and cell size are the same grid under two names when most cells of a sample
 * are at the same places.
 */
static bool is_renamed(struct differ *d, uint32_t left, uint32_t right)
{
	enum { SAMPLE = 64 };
	const struct cs_cooked_partition *l = &d->left.c->partitions[left];
	const struct cs_cooked_partition *r = &d->right.c->partitions[right];
	if (l->cell_size != r->cell_size || l->partition_class != r->partition_class ||
		l->cells.count == 0 || r->cells.count == 0)
		return false;
	const char *held = d->right.grid_names[right];
	uint32_t n = l->cells.count < SAMPLE ? l->cells.count : SAMPLE, same = 0;
	d->right.grid_names[right] = d->left.grid_names[left];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t cell = l->cells.first + (uint32_t)((uint64_t)i * l->cells.count / n);
		same += has_cell_at(&d->right, right, key_of_cell_place(&d->left, cell));
	}
	if (2 * same > n)
		return true;
	d->right.grid_names[right] = held;
	return false;
}

/* Returns true for "Grid:Setup" of a renamed grid, which is reported with the grid. */
static bool is_renamed_setup(struct differ *d, uint32_t left, uint32_t right)
{
	const struct cs_cooked_partition *l = &d->left.c->partitions[left];
	const struct cs_cooked_partition *r = &d->right.c->partitions[right];
	const char *of_left = strchr(d->left.grid_names[left], ':');
	const char *of_right = strchr(d->right.grid_names[right], ':');
	if (l->parent == CS_NONE || r->parent == CS_NONE || !of_left || !of_right ||
		strcmp(of_left, of_right) != 0 ||
		strcmp(d->left.grid_names[l->parent], d->right.grid_names[r->parent]) != 0)
		return false;
	d->right.grid_names[right] = d->left.grid_names[left];
	return true;
}

/* Removes pairs that are one object under two names from both lists. */
static void match_lone_grids_by(
	struct differ *d, bool (*same)(struct differ *, uint32_t, uint32_t), bool told)
{
	size_t kept = 0;
	for (size_t i = 0; i < d->lone_left.n; i++) {
		uint32_t left = d->lone_left.at[i];
		size_t j = 0;
		while (j < d->lone_right.n && !same(d, left, d->lone_right.at[j]))
			j++;
		if (j == d->lone_right.n) {
			d->lone_left.at[kept++] = left;
			continue;
		}
		if (told)
			cs_diff_report(d, CS_DIFF_PARTITION_ROW, left, d->lone_right.at[j],
				CS_DIFF_NAME, NULL);
		d->lone_right.at[j] = d->lone_right.at[--d->lone_right.n];
	}
	d->lone_left.n = kept;
}

/* Pairs grids that only one side has: each pair is one finding, with everything inside of it. */
static void match_lone_grids(struct differ *d)
{
	match_lone_grids_by(d, is_renamed, true);
	match_lone_grids_by(d, is_renamed_setup, false);
	for (size_t i = 0; i < d->lone_left.n; i++)
		cs_diff_report(
			d, CS_DIFF_PARTITION_ROW, d->lone_left.at[i], CS_NONE, CS_DIFF_GONE, NULL);
	for (size_t j = 0; j < d->lone_right.n; j++)
		cs_diff_report(
			d, CS_DIFF_PARTITION_ROW, CS_NONE, d->lone_right.at[j], CS_DIFF_NEW, NULL);
	d->lone_left.n = d->lone_right.n = 0;
}

static bool name_grids(struct side *side)
{
	const struct cs_cooked *c = side->c;
	side->grid_names = malloc((c->n_partitions + 1) * sizeof(*side->grid_names));
	for (size_t i = 0; side->grid_names && i < c->n_partitions; i++)
		side->grid_names[i] = cs_cooked_text(c, c->partitions[i].name);
	return side->grid_names != NULL;
}

static void pair_findings(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_report(d, CS_DIFF_FINDING, left, right, cs_diff_one_sided(left), NULL);
}

/* ---- containers of logs ---- */

static struct cs_guid id_of_parent(const struct cs_cooked *c, uint32_t container)
{
	uint32_t parent = c->containers[container].parent;
	return parent == CS_NONE ? (struct cs_guid){0} : c->containers[parent].id;
}

static void pair_containers(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		cs_diff_report(d, CS_DIFF_CONTAINER, left, right, cs_diff_one_sided(left), NULL);
		return;
	}
	cs_diff_compare_logged(d, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
		&d->left.c->containers[left], &d->right.c->containers[right]);
	cs_diff_compare_parents(d, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
		(struct cs_guid[]){id_of_parent(d->left.c, left), id_of_parent(d->right.c, right)});
}

/* ---- the whole ---- */

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

static void compare_settings(struct differ *d)
{
	const struct cs_cooked *l = d->left.c, *r = d->right.c;
	d->profile_changed = !diff_same_text(d, l->world->profile, r->world->profile);
	compare_fields(d, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	if (d->logged)
		cs_diff_compare_logged(d, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	cs_diff_match(d, l->n_partitions, r->n_partitions, key_of_partition, pair_partitions);
	match_lone_grids(d);
	cs_diff_match(d, l->n_layers, r->n_layers, key_of_layer, pair_layers);
}

/* Compares cells after the actors, whose identities are summed up by cell then. */
static struct cs_error *diff_compare_all(struct differ *d)
{
	const struct cs_cooked *l = d->left.c, *r = d->right.c;
	compare_settings(d);
	struct cs_error *error = cs_diff_actors(d);
	if (error)
		return error;
	cs_diff_match(d, l->n_cells, r->n_cells, key_of_cell, diff_pair_cells);
	cs_diff_match_lone(d, key_of_cell_name, pair_again);
	cs_diff_match_lone(d, key_of_cell_place, pair_lone_cells);
	cs_diff_match(d, l->n_findings, r->n_findings, key_of_finding, pair_findings);
	if (d->logged)
		cs_diff_match(d, l->n_containers, r->n_containers, cs_diff_key_of_container,
			pair_containers);
	error = cs_cooked_failed(d->left.c);
	return error ? error : cs_cooked_failed(d->right.c);
}

static struct cs_error *diff_begin(struct differ *d)
{
	const struct cs_cooked *l = d->left.c, *r = d->right.c;
	d->logged = l->world->flags & r->world->flags & CS_WORLD_LOGGED;
	d->partition_changed = calloc(l->n_partitions + 1, sizeof(uint32_t));
	d->right_container = calloc(l->n_containers + 1, sizeof(uint32_t));
	d->left_container = calloc(r->n_containers + 1, sizeof(uint32_t));
	const bool has_room = d->partition_changed && d->right_container && d->left_container &&
			      name_grids(&d->left) && name_grids(&d->right) &&
			      cs_diff_begin_sums(&d->left) && cs_diff_begin_sums(&d->right);
	return has_room ? NULL : cs_error_nomem();
}

static void diff_end(struct differ *d)
{
	free(d->partition_changed);
	free(d->right_container);
	free(d->left_container);
	cs_diff_end_side(&d->left);
	cs_diff_end_side(&d->right);
	cs_vec_free(&d->pairs);
	cs_vec_free(&d->lone_left);
	cs_vec_free(&d->lone_right);
}

/* Sorts the rows in the order of the tables, and sets the amounts by which cells differ. */
static struct cs_error *diff_arrange(struct differ *d)
{
	if (d->failed ||
		!cs_sort(d->rows.at, d->rows.n, sizeof(*d->rows.at), by_kind_and_row, NULL))
		return cs_error_nomem();
	for (size_t i = 0; i < d->rows.n; i++)
		cs_diff_judge(d->left.c, d->right.c, &d->rows.at[i]);
	return NULL;
}

struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret)
{
	struct differ d = {.left = {.c = left}, .right = {.c = right}};
	cs_cooked_pass(left, CS_PASS_BEGIN);
	cs_cooked_pass(right, CS_PASS_BEGIN);
	struct cs_error *error = diff_begin(&d);
	if (!error)
		error = diff_compare_all(&d);
	if (!error)
		error = diff_arrange(&d);
	diff_end(&d);
	cs_cooked_pass(left, CS_PASS_END);
	cs_cooked_pass(right, CS_PASS_END);
	if (error)
		cs_vec_free(&d.rows);
	else
		*ret = (struct cs_diff){d.rows.at, d.rows.n};
	return error;
}
