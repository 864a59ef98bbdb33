/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what differs between two cooks, and why. Rows of both are matched by 128-bit keys that do
 * not depend on the cook: partitions and layers by name, cells by GUID and then by name, actors by
 * their identity in the world and then by name, findings by what they say. Sorted keys are merged.
 */
#include <cellscope/cook.h>

#include "cook/record/trail_inside.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "core/sort.h"
#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/record.h"

#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct side {
	struct cs_cooked *c;
	/* by partition: its name, that of the left side where it was renamed */
	const char **grid_names;
};

struct differ {
	struct side left, right;
	CS_VEC(struct cs_diff_row) rows;
	/* rows of the table being matched that only one side has, until they are looked up by name
	 */
	CS_VEC(uint32_t) lone_left, lone_right;
	uint32_t *partition_changed; /* by left partition: its settings differ */
	bool profile_changed;
	bool logged; /* both are logs as they were written: all that they say is compared */
	bool failed;
};

static void diff_report(struct differ *d, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field)
{
	if (!cs_vec_push(
		    &d->rows, (struct cs_diff_row){kind, left, right, reasons, field, -1, true}))
		d->failed = true;
}

/* ---- matching ---- */

typedef XXH128_hash_t key_of_row(const struct side *side, uint32_t row);
typedef void on_pair(struct differ *d, uint32_t left, uint32_t right);

/* Of the rows that are listed, or of the first n. */
static struct cs_sort_key *diff_keys_of(
	const struct side *side, const uint32_t *rows, size_t n, key_of_row *key)
{
	struct cs_sort_key *keys = malloc((n ? n : 1) * sizeof(*keys));
	for (size_t i = 0; keys && i < n; i++) {
		const uint32_t row = rows ? rows[i] : (uint32_t)i;
		XXH128_hash_t k = key(side, row);
		keys[i] = (struct cs_sort_key){k.high64, k.low64, row};
	}
	if (!keys || cs_sort_keys(keys, n))
		return keys;
	free(keys);
	return NULL;
}

/* Calls `pair` for every key of either side, CS_NONE where one lacks it; frees both. */
static void pair_keys(struct differ *d, struct cs_sort_key *l, size_t n_left, struct cs_sort_key *r,
	size_t n_right, on_pair *pair)
{
	d->failed = d->failed || !l || !r;
	for (size_t i = 0, j = 0; l && r && (i < n_left || j < n_right);) {
		int order = i == n_left ? 1 : j == n_right ? -1 : cs_sort_key_compare(&l[i], &r[j]);
		pair(d, order <= 0 ? l[i].index : CS_NONE, order >= 0 ? r[j].index : CS_NONE);
		i += order <= 0;
		j += order >= 0;
	}
	free(l);
	free(r);
}

static void diff_match(
	struct differ *d, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair)
{
	pair_keys(d, diff_keys_of(&d->left, NULL, n_left, key), n_left,
		diff_keys_of(&d->right, NULL, n_right, key), n_right, pair);
}

/* Keeps a row that only one side has. */
static void diff_set_aside(struct differ *d, uint32_t left, uint32_t right)
{
	bool good = left == CS_NONE ? cs_vec_push(&d->lone_right, right)
				    : cs_vec_push(&d->lone_left, left);
	d->failed = d->failed || !good;
}

/*
 * What was set aside, by another key: the same thing under a new identity is a pair, the rest is
 * gone or new.
 */
static void match_lone(struct differ *d, key_of_row *key, on_pair *pair)
{
	const size_t n_left = d->lone_left.n, n_right = d->lone_right.n;
	struct cs_sort_key *left = diff_keys_of(&d->left, d->lone_left.at, n_left, key);
	struct cs_sort_key *right = diff_keys_of(&d->right, d->lone_right.at, n_right, key);
	d->lone_left.n = d->lone_right.n = 0; /* `pair` sets rows aside again */
	pair_keys(d, left, n_left, right, n_right, pair);
}

static XXH128_hash_t diff_hash_text(const struct cs_cooked *c, uint32_t text)
{
	const char *name = cs_cooked_text(c, text);
	return XXH3_128bits(name, strlen(name));
}

static XXH128_hash_t key_of_partition(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return diff_hash_text(c, c->partitions[row].name);
}

static XXH128_hash_t key_of_layer(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return diff_hash_text(c, c->layers[row].name);
}

static XXH128_hash_t key_of_cell(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return XXH3_128bits(&c->cells[row].guid, sizeof(struct cs_guid));
}

static XXH128_hash_t key_of_cell_name(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	return diff_hash_text(c, c->cells[row].name);
}

/* Where it is in a grid of cells of that size, whatever that is called. */
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

/* Names are unique in a level. */
static XXH128_hash_t key_of_actor_name(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	const struct cs_cooked_actor *actor = cs_cooked_actor(c, row);
	XXH128_hash_t key[2] = {diff_hash_text(c, actor->name),
		diff_hash_text(c, c->containers[actor->container].package)};
	return XXH3_128bits(key, sizeof(key));
}

static XXH128_hash_t key_of_actor(const struct side *side, uint32_t row)
{
	const struct cs_cooked *c = side->c;
	struct cs_guid key[2] = {cs_cooked_detail(c, row)->instance_guid,
		c->containers[cs_cooked_actor(c, row)->container].id};
	return XXH3_128bits(key, sizeof(key));
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
		key.actor = key_of_actor_name(side, f->actor);
	if (f->other != CS_NONE)
		key.other = key_of_actor_name(side, f->other);
	if (f->layer != CS_NONE)
		key.layer = diff_hash_text(c, c->layers[f->layer].name).low64;
	key.reason = diff_hash_text(c, f->reason).low64;
	return XXH3_128bits(&key, sizeof(key));
}

/* ---- settings ---- */

/* Fields are compared as text: references by what they name would say, texts by their bytes. */
static bool same_field(
	const struct differ *d, const struct cs_field *field, const void *left, const void *right)
{
	char l[600], r[600];
	cs_field_format(d->left.c->file, field, left, 0, l, sizeof(l));
	cs_field_format(d->right.c->file, field, right, 0, r, sizeof(r));
	return strcmp(l, r) == 0;
}

/* Bounds follow from the actors, ranges and references from the tables. */
static bool is_setting(const struct cs_field *field)
{
	return field->type != CS_FIELD_BOX && field->type != CS_FIELD_RANGE &&
	       field->type != CS_FIELD_REFERENCE && field->type != CS_FIELD_ZERO;
}

/* True when any field differs; each is reported. */
static bool compare_fields(struct differ *d, enum cs_diff_kind kind, uint16_t table, uint32_t left,
	uint32_t right, const void *left_row, const void *right_row)
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(d->left.c->file).schema, table);
	bool changed = false;
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (!is_setting(field) || same_field(d, field, left_row, right_row))
			continue;
		diff_report(d, kind, left, right, CS_DIFF_VALUE, field);
		changed = true;
	}
	return changed;
}

/*
 * What a log says of a row beyond what was compared already; names and places have reasons of their
 * own. Of the others what is not said on a side is the same as on the other.
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

static void compare_logged(struct differ *d, enum cs_diff_kind kind, uint16_t table, uint32_t left,
	uint32_t right, const void *left_row, const void *right_row)
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(d->left.c->file).schema, table);
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (is_logged(field, table) && !same_field(d, field, left_row, right_row))
			diff_report(d, kind, left, right, CS_DIFF_VALUE, field);
	}
}

static uint32_t one_sided(uint32_t left)
{
	return left == CS_NONE ? CS_DIFF_NEW : CS_DIFF_GONE;
}

static void pair_partitions(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		diff_set_aside(d, left, right);
	else
		d->partition_changed[left] =
			compare_fields(d, CS_DIFF_PARTITION_ROW, CS_TABLE_PARTITIONS, left, right,
				&d->left.c->partitions[left], &d->right.c->partitions[right]);
}

static void pair_layers(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		diff_report(d, CS_DIFF_LAYER_ROW, left, right, one_sided(left), NULL);
	else
		compare_fields(d, CS_DIFF_LAYER_ROW, CS_TABLE_LAYERS, left, right,
			&d->left.c->layers[left], &d->right.c->layers[right]);
}

/* ---- cells ---- */

static bool diff_same_text(const struct differ *d, uint32_t left, uint32_t right)
{
	return strcmp(cs_cooked_text(d->left.c, left), cs_cooked_text(d->right.c, right)) == 0;
}

/* The actors of a cell as one number: the sum of their identities' hashes. */
static uint64_t content_of(const struct cs_cooked *c, const struct cs_cooked_cell *cell)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row = cs_cooked_id(c, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		sum += XXH3_64bits(
			&cs_cooked_detail(c, row)->instance_guid, sizeof(struct cs_guid));
	}
	return sum;
}

/* Cells at one place of a grid that has two names: told with the grid. */
static bool of_renamed_grid(
	const struct differ *d, const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	const char *ours = d->right.grid_names[r->partition];
	return strcmp(d->left.grid_names[l->partition], ours) == 0 &&
	       strcmp(ours,
		       cs_cooked_text(d->right.c, d->right.c->partitions[r->partition].name)) != 0;
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

/* What a log did not say is no difference. */
static bool told_bounds(const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	return !((l->flags ^ r->flags) & CS_CELL_NO_BOXES);
}

static void compare_cells(struct differ *d, uint32_t left, uint32_t right, uint32_t reasons)
{
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	if (!diff_same_text(d, l->name, r->name) && !of_renamed_grid(d, l, r))
		reasons |= CS_DIFF_NAME;
	if (told_bounds(l, r) && !cs_box_equals(&l->content, &r->content))
		reasons |= CS_DIFF_BOUNDS;
	if (d->logged ? !same_cell_layers(d, l, r) : l->layers_id != r->layers_id)
		reasons |= CS_DIFF_LAYERS;
	if (l->actors.count != r->actors.count ||
		content_of(d->left.c, l) != content_of(d->right.c, r))
		reasons |= CS_DIFF_CONTENT;
	if (reasons)
		diff_report(d, CS_DIFF_CELL, left, right, reasons, NULL);
	if (d->logged && told_bounds(l, r))
		compare_logged(d, CS_DIFF_CELL, CS_TABLE_CELLS, left, right, l, r);
}

static void diff_pair_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		diff_set_aside(d, left, right);
		return;
	}
	compare_cells(d, left, right, 0);
}

/* Under another identity; one that was made says nothing. */
static void pair_again(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		diff_set_aside(d, left, right);
		return;
	}
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	bool made = (l->flags | r->flags) & CS_CELL_MADE_GUID || of_renamed_grid(d, l, r);
	compare_cells(d, left, right, made ? 0 : CS_DIFF_GUID);
}

static void pair_lone_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		diff_report(d, CS_DIFF_CELL, left, right, one_sided(left), NULL);
	else
		pair_again(d, left, right);
}

/* ---- actors ---- */

static bool diff_same_place(const struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		return left == right;
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	return l->level == r->level && l->x == r->x && l->y == r->y && l->z == r->z &&
	       l->layers_id == r->layers_id &&
	       strcmp(d->left.grid_names[l->partition], d->right.grid_names[r->partition]) == 0;
}

static bool same_layers(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	bool same = l->layers.count == r->layers.count;
	for (uint32_t i = 0; same && i < l->layers.count; i++)
		same = diff_same_layer(d,
			cs_cooked_id(d->left.c, CS_IDS_ACTOR_LAYERS, l->layers.first + i),
			cs_cooked_id(d->right.c, CS_IDS_ACTOR_LAYERS, r->layers.first + i));
	return same;
}

static uint64_t members_of(const struct cs_cooked *c, const struct cs_cooked_actor *actor)
{
	uint64_t sum = 0;
	if (actor->set == CS_NONE)
		return 0;
	struct cs_range members = cs_cooked_set(c, actor->set)->members;
	for (uint32_t i = 0; i < members.count; i++) {
		uint32_t row = cs_cooked_id(c, CS_IDS_SET_MEMBERS, members.first + i);
		sum += XXH3_64bits(
			&cs_cooked_detail(c, row)->instance_guid, sizeof(struct cs_guid));
	}
	return sum;
}

/* By its name, and by what was built of it where both sides have that. */
static bool same_mesh(const struct differ *d, uint32_t left, uint32_t right)
{
	if (!diff_same_text(d, left, right))
		return false;
	uint32_t l = cs_cooked_find_mesh(d->left.c, left),
		 r = cs_cooked_find_mesh(d->right.c, right);
	if (l == CS_NONE || r == CS_NONE)
		return true;
	return cs_guid_compare(d->left.c->meshes[l].content, d->right.c->meshes[r].content) == 0;
}

static bool in_renamed_grid(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	return l->cell != CS_NONE && r->cell != CS_NONE &&
	       of_renamed_grid(d, &d->left.c->cells[l->cell], &d->right.c->cells[r->cell]);
}

/* The bounds of its cluster, without those of its own. */
static bool same_cluster_bounds(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	return l->set == CS_NONE || r->set == CS_NONE ||
	       cs_box_equals(&cs_cooked_set(d->left.c, l->set)->bounds,
		       &cs_cooked_set(d->right.c, r->set)->bounds);
}

/* What the members of its cluster reference, as one number. */
static uint64_t references_of(const struct cs_cooked *c, const struct cs_cooked_actor *actor)
{
	const struct cs_range none = {0, 0};
	const struct cs_range members =
		actor->set == CS_NONE ? none : cs_cooked_set(c, actor->set)->members;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < members.count; i++) {
		const struct cs_cooked_actor *member =
			cs_cooked_actor(c, cs_cooked_id(c, CS_IDS_SET_MEMBERS, members.first + i));
		for (uint32_t k = 0; k < member->references.count; k++) {
			const struct cs_guid edge[2] = {member->guid,
				cs_cooked_reference(c, member->references.first + k)->guid};
			sum += XXH3_64bits(edge, sizeof(edge));
		}
	}
	return sum;
}

/* What changed in the actor itself. */
static uint32_t own_reasons(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	const uint32_t repaired =
		CS_ACTOR_FORCED_NONSPATIAL | CS_ACTOR_FORCED_NO_GRID | CS_ACTOR_FORCED_NO_LAYERS;
	uint32_t reasons = 0;
	if (!cs_box_equals(&l->bounds, &r->bounds))
		reasons |= CS_DIFF_BOUNDS;
	if ((l->flags ^ r->flags) & CS_ACTOR_SPATIAL)
		reasons |= CS_DIFF_SPATIAL;
	if (!diff_same_text(d, l->effective_grid, r->effective_grid) && !in_renamed_grid(d, l, r))
		reasons |= CS_DIFF_GRID;
	if (!same_layers(d, l, r))
		reasons |= CS_DIFF_LAYERS;
	if ((l->flags ^ r->flags) & repaired)
		reasons |= CS_DIFF_REPAIR;
	if (!same_mesh(d, l->mesh, r->mesh))
		reasons |= CS_DIFF_MESH;
	return reasons;
}

/* What around it changed; asked only when it moved. */
static uint32_t outer_reasons(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	uint32_t reasons = 0;
	if (members_of(d->left.c, l) != members_of(d->right.c, r)) {
		reasons |= CS_DIFF_CLUSTER;
		if (references_of(d->left.c, l) != references_of(d->right.c, r))
			reasons |= CS_DIFF_REFERENCE;
	} else if (!same_cluster_bounds(d, l, r) && cs_box_equals(&l->bounds, &r->bounds)) {
		reasons |= CS_DIFF_CLUSTER_MOVED;
	}
	if (l->placement != r->placement)
		reasons |= CS_DIFF_PLACEMENT;
	if (l->cell != CS_NONE && d->partition_changed[d->left.c->cells[l->cell].partition])
		reasons |= CS_DIFF_PARTITION;
	return reasons | (d->profile_changed ? CS_DIFF_PROFILE : 0);
}

static struct cs_guid diff_parent_of(const struct cs_cooked *c, uint32_t row)
{
	uint32_t parent = cs_cooked_actor(c, row)->parent;
	return parent == CS_NONE ? (struct cs_guid){0} : cs_cooked_actor(c, parent)->guid;
}

/* By their GUIDs: their rows can be others. */
static void compare_parents(struct differ *d, enum cs_diff_kind kind, uint16_t table, uint32_t left,
	uint32_t right, const struct cs_guid parents[2])
{
	const struct cs_record *record =
		cs_schema_record(cs_file_info(d->left.c->file).schema, table);
	for (size_t i = 0; i < record->n_fields; i++)
		if (strcmp(record->fields[i].name, "parent") == 0 &&
			cs_guid_compare(parents[0], parents[1]) != 0)
			diff_report(d, kind, left, right, CS_DIFF_VALUE, &record->fields[i]);
}

static void diff_compare_actors(struct differ *d, uint32_t left, uint32_t right, uint32_t reasons)
{
	const struct cs_cooked_actor *l = cs_cooked_actor(d->left.c, left),
				     *r = cs_cooked_actor(d->right.c, right);
	reasons |= own_reasons(d, l, r);
	if (!diff_same_place(d, l->cell, r->cell))
		reasons |= CS_DIFF_MOVED | outer_reasons(d, l, r);
	else if (d->logged && members_of(d->left.c, l) != members_of(d->right.c, r))
		reasons |= CS_DIFF_CLUSTER;
	if (reasons)
		diff_report(d, CS_DIFF_ACTOR, left, right, reasons, NULL);
	if (!d->logged)
		return;
	compare_logged(d, CS_DIFF_ACTOR, CS_TABLE_ACTORS, left, right, l, r);
	compare_logged(d, CS_DIFF_ACTOR, CS_TABLE_ACTOR_DETAILS, left, right,
		cs_cooked_detail(d->left.c, left), cs_cooked_detail(d->right.c, right));
	compare_parents(d, CS_DIFF_ACTOR, CS_TABLE_ACTORS, left, right,
		(struct cs_guid[]){
			diff_parent_of(d->left.c, left), diff_parent_of(d->right.c, right)});
}

static void pair_actors(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		diff_set_aside(d, left, right);
	else
		diff_compare_actors(d, left, right, 0);
}

static void pair_lone_actors(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		diff_report(d, CS_DIFF_ACTOR, left, right, one_sided(left), NULL);
	else
		diff_compare_actors(d, left, right, CS_DIFF_GUID);
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

/* Grids of one class and size are the same under two names where most of their cells, of a sample,
 * are at the same places. */
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

/* "Grid:Setup" of a grid that was renamed: told with it. */
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

/* Takes those out of both lists that are one under two names. */
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
			diff_report(d, CS_DIFF_PARTITION_ROW, left, d->lone_right.at[j],
				CS_DIFF_NAME, NULL);
		d->lone_right.at[j] = d->lone_right.at[--d->lone_right.n];
	}
	d->lone_left.n = kept;
}

/* Grids that one side has: pairs of them are one finding each, with all that is in them. */
static void match_lone_grids(struct differ *d)
{
	match_lone_grids_by(d, is_renamed, true);
	match_lone_grids_by(d, is_renamed_setup, false);
	for (size_t i = 0; i < d->lone_left.n; i++)
		diff_report(
			d, CS_DIFF_PARTITION_ROW, d->lone_left.at[i], CS_NONE, CS_DIFF_GONE, NULL);
	for (size_t j = 0; j < d->lone_right.n; j++)
		diff_report(
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
		diff_report(d, CS_DIFF_FINDING, left, right, one_sided(left), NULL);
}

/* ---- containers of logs ---- */

static XXH128_hash_t key_of_container(const struct side *side, uint32_t row)
{
	return XXH3_128bits(&side->c->containers[row].id, sizeof(struct cs_guid));
}

static struct cs_guid id_of_parent(const struct cs_cooked *c, uint32_t container)
{
	uint32_t parent = c->containers[container].parent;
	return parent == CS_NONE ? (struct cs_guid){0} : c->containers[parent].id;
}

static void pair_containers(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		diff_report(d, CS_DIFF_CONTAINER, left, right, one_sided(left), NULL);
		return;
	}
	compare_logged(d, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
		&d->left.c->containers[left], &d->right.c->containers[right]);
	compare_parents(d, CS_DIFF_CONTAINER, CS_TABLE_CONTAINERS, left, right,
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

static void diff_compare_all(struct differ *d)
{
	const struct cs_cooked *l = d->left.c, *r = d->right.c;
	d->profile_changed = !diff_same_text(d, l->world->profile, r->world->profile);
	compare_fields(d, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	if (d->logged)
		compare_logged(d, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	diff_match(d, l->n_partitions, r->n_partitions, key_of_partition, pair_partitions);
	match_lone_grids(d);
	diff_match(d, l->n_layers, r->n_layers, key_of_layer, pair_layers);
	diff_match(d, l->n_cells, r->n_cells, key_of_cell, diff_pair_cells);
	match_lone(d, key_of_cell_name, pair_again);
	match_lone(d, key_of_cell_place, pair_lone_cells);
	diff_match(d, l->n_actors, r->n_actors, key_of_actor, pair_actors);
	match_lone(d, key_of_actor_name, pair_lone_actors);
	diff_match(d, l->n_findings, r->n_findings, key_of_finding, pair_findings);
	if (d->logged)
		diff_match(d, l->n_containers, r->n_containers, key_of_container, pair_containers);
}

struct cs_error *cs_cooked_diff(
	struct cs_cooked *left, struct cs_cooked *right, struct cs_diff *ret)
{
	struct differ d = {.left = {.c = left}, .right = {.c = right}};
	struct cs_error *error = cs_cooked_load_details(left);
	if (!error)
		error = cs_cooked_load_details(right);
	if (error)
		return error;
	d.logged = left->world->flags & right->world->flags & CS_WORLD_LOGGED;
	d.partition_changed = calloc(left->n_partitions + 1, sizeof(*d.partition_changed));
	d.failed = !d.partition_changed || !name_grids(&d.left) || !name_grids(&d.right);
	if (!d.failed)
		diff_compare_all(&d);
	d.failed = d.failed ||
		   !cs_sort(d.rows.at, d.rows.n, sizeof(*d.rows.at), by_kind_and_row, NULL);
	free(d.partition_changed);
	free(d.left.grid_names);
	free(d.right.grid_names);
	cs_vec_free(&d.lone_left);
	cs_vec_free(&d.lone_right);
	if (d.failed) {
		cs_vec_free(&d.rows);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < d.rows.n; i++)
		cs_diff_judge(left, right, &d.rows.at[i]);
	*ret = (struct cs_diff){d.rows.at, d.rows.n};
	return NULL;
}
