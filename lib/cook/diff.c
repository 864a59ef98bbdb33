/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what differs between two cooks, and why. Rows of both are matched by 128-bit keys that do
 * not depend on the cook: partitions and layers by name, cells by GUID and then by name, actors by
 * their identity in the world and then by name, findings by what they say. Sorted keys are merged.
 */
#include <cellscope/explain.h>

#include "base/sort.h"
#include "base/vec.h"
#include "file/record.h"

#include <math.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct side {
	struct cs_cooked *c;
	struct cs_sort_key *keys;
	size_t n;
};

struct differ {
	struct side left, right;
	CS_VEC(struct cs_diff_row) rows;
	/* rows of the table being matched that only one side has, until they are looked up by name
	 */
	CS_VEC(uint32_t) lone_left, lone_right;
	uint32_t *partition_changed; /* by left partition: its settings differ */
	bool profile_changed;
	bool failed;
};

static void report(struct differ *d, enum cs_diff_kind kind, uint32_t left, uint32_t right,
	uint32_t reasons, const struct cs_field *field)
{
	if (!cs_vec_push(&d->rows, (struct cs_diff_row){kind, left, right, reasons, field}))
		d->failed = true;
}

/* ---- matching ---- */

typedef XXH128_hash_t key_of_row(const struct cs_cooked *c, uint32_t row);
typedef void on_pair(struct differ *d, uint32_t left, uint32_t right);

static bool make_keys(struct side *side, size_t n, key_of_row *key)
{
	side->keys = malloc((n ? n : 1) * sizeof(*side->keys));
	side->n = n;
	if (!side->keys)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		XXH128_hash_t k = key(side->c, i);
		side->keys[i] = (struct cs_sort_key){k.high64, k.low64, i};
	}
	return cs_sort_keys(side->keys, n);
}

static int compare_keys(const struct cs_sort_key *l, const struct cs_sort_key *r)
{
	if (l->high != r->high)
		return l->high < r->high ? -1 : 1;
	return l->low < r->low ? -1 : l->low > r->low;
}

/* Calls `pair` for every key of either side, CS_NONE where one lacks it. */
static void match(struct differ *d, size_t n_left, size_t n_right, key_of_row *key, on_pair *pair)
{
	struct side *l = &d->left, *r = &d->right;
	if (make_keys(l, n_left, key) && make_keys(r, n_right, key)) {
		size_t i = 0, j = 0;
		while (i < l->n || j < r->n) {
			int order = i == l->n   ? 1
				    : j == r->n ? -1
						: compare_keys(&l->keys[i], &r->keys[j]);
			pair(d, order <= 0 ? l->keys[i].index : CS_NONE,
				order >= 0 ? r->keys[j].index : CS_NONE);
			i += order <= 0;
			j += order >= 0;
		}
	} else {
		d->failed = true;
	}
	free(l->keys);
	free(r->keys);
	l->keys = r->keys = NULL;
}

/* Keeps a row that only one side has. */
static void set_aside(struct differ *d, uint32_t left, uint32_t right)
{
	bool good = left == CS_NONE ? cs_vec_push(&d->lone_right, right)
				    : cs_vec_push(&d->lone_left, left);
	d->failed = d->failed || !good;
}

static struct cs_sort_key *keys_of(
	const struct cs_cooked *c, const uint32_t *rows, size_t n, key_of_row *key)
{
	struct cs_sort_key *keys = malloc((n ? n : 1) * sizeof(*keys));
	for (size_t i = 0; keys && i < n; i++) {
		XXH128_hash_t k = key(c, rows[i]);
		keys[i] = (struct cs_sort_key){k.high64, k.low64, rows[i]};
	}
	if (!keys || cs_sort_keys(keys, n))
		return keys;
	free(keys);
	return NULL;
}

/*
 * What was set aside, by another key: the same thing under a new identity is a pair, the rest is
 * gone or new.
 */
static void match_lone(struct differ *d, key_of_row *key, on_pair *pair)
{
	size_t nl = d->lone_left.n, nr = d->lone_right.n, i = 0, j = 0;
	struct cs_sort_key *l = keys_of(d->left.c, d->lone_left.at, nl, key);
	struct cs_sort_key *r = keys_of(d->right.c, d->lone_right.at, nr, key);
	d->failed = d->failed || !l || !r;
	while (l && r && (i < nl || j < nr)) {
		int order = i == nl ? 1 : j == nr ? -1 : compare_keys(&l[i], &r[j]);
		pair(d, order <= 0 ? l[i].index : CS_NONE, order >= 0 ? r[j].index : CS_NONE);
		i += order <= 0;
		j += order >= 0;
	}
	free(l);
	free(r);
	d->lone_left.n = d->lone_right.n = 0;
}

static XXH128_hash_t hash_text(const struct cs_cooked *c, uint32_t text)
{
	const char *name = cs_cooked_text(c, text);
	return XXH3_128bits(name, strlen(name));
}

static XXH128_hash_t key_of_partition(const struct cs_cooked *c, uint32_t row)
{
	return hash_text(c, c->partitions[row].name);
}

static XXH128_hash_t key_of_layer(const struct cs_cooked *c, uint32_t row)
{
	return hash_text(c, c->layers[row].name);
}

static XXH128_hash_t key_of_cell(const struct cs_cooked *c, uint32_t row)
{
	return XXH3_128bits(&c->cells[row].guid, sizeof(struct cs_guid));
}

static XXH128_hash_t key_of_cell_name(const struct cs_cooked *c, uint32_t row)
{
	return hash_text(c, c->cells[row].name);
}

/* Names are unique in a level. */
static XXH128_hash_t key_of_actor_name(const struct cs_cooked *c, uint32_t row)
{
	const struct cs_cooked_actor *actor = &c->actors[row];
	XXH128_hash_t key[2] = {
		hash_text(c, actor->name), hash_text(c, c->containers[actor->container].package)};
	return XXH3_128bits(key, sizeof(key));
}

static XXH128_hash_t key_of_actor(const struct cs_cooked *c, uint32_t row)
{
	struct cs_guid key[2] = {
		c->details[row].instance_guid, c->containers[c->actors[row].container].id};
	return XXH3_128bits(key, sizeof(key));
}

static XXH128_hash_t key_of_finding(const struct cs_cooked *c, uint32_t row)
{
	const struct cs_cooked_finding *f = &c->findings[row];
	struct {
		XXH128_hash_t actor, other;
		uint64_t layer, reason;
		uint32_t check, severity;
	} key = {.check = f->check, .severity = f->severity};
	if (f->actor != CS_NONE)
		key.actor = key_of_actor_name(c, f->actor);
	if (f->other != CS_NONE)
		key.other = key_of_actor_name(c, f->other);
	if (f->layer != CS_NONE)
		key.layer = hash_text(c, c->layers[f->layer].name).low64;
	key.reason = hash_text(c, f->reason).low64;
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
	const struct cs_record *record = cs_schema_record(cs_file_schema(d->left.c->file), table);
	bool changed = false;
	for (size_t i = 0; i < record->n_fields; i++) {
		const struct cs_field *field = &record->fields[i];
		if (!is_setting(field) || same_field(d, field, left_row, right_row))
			continue;
		report(d, kind, left, right, CS_DIFF_VALUE, field);
		changed = true;
	}
	return changed;
}

static uint32_t one_sided(uint32_t left)
{
	return left == CS_NONE ? CS_DIFF_NEW : CS_DIFF_GONE;
}

static void pair_partitions(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		report(d, CS_DIFF_PARTITION_ROW, left, right, one_sided(left), NULL);
		return;
	}
	d->partition_changed[left] = compare_fields(d, CS_DIFF_PARTITION_ROW, CS_TABLE_PARTITIONS,
		left, right, &d->left.c->partitions[left], &d->right.c->partitions[right]);
}

static void pair_layers(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		report(d, CS_DIFF_LAYER_ROW, left, right, one_sided(left), NULL);
	else
		compare_fields(d, CS_DIFF_LAYER_ROW, CS_TABLE_LAYERS, left, right,
			&d->left.c->layers[left], &d->right.c->layers[right]);
}

/* ---- cells ---- */

static bool same_text(const struct differ *d, uint32_t left, uint32_t right)
{
	return strcmp(cs_cooked_text(d->left.c, left), cs_cooked_text(d->right.c, right)) == 0;
}

/* The actors of a cell as one number: the sum of their identities' hashes. */
static uint64_t content_of(const struct cs_cooked *c, const struct cs_cooked_cell *cell)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row = c->cell_actors[cell->actors.first + i];
		sum += XXH3_64bits(&c->details[row].instance_guid, sizeof(struct cs_guid));
	}
	return sum;
}

static void compare_cells(struct differ *d, uint32_t left, uint32_t right, uint32_t reasons)
{
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	reasons |= same_text(d, l->name, r->name) ? 0 : CS_DIFF_NAME;
	if (memcmp(&l->content, &r->content, sizeof(l->content)) != 0)
		reasons |= CS_DIFF_BOUNDS;
	if (l->layers_id != r->layers_id)
		reasons |= CS_DIFF_LAYERS;
	if (l->actors.count != r->actors.count ||
		content_of(d->left.c, l) != content_of(d->right.c, r))
		reasons |= CS_DIFF_CONTENT;
	if (reasons)
		report(d, CS_DIFF_CELL, left, right, reasons, NULL);
}

static void pair_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE) {
		set_aside(d, left, right);
		return;
	}
	compare_cells(d, left, right, 0);
}

static void pair_lone_cells(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		report(d, CS_DIFF_CELL, left, right, one_sided(left), NULL);
	else
		compare_cells(d, left, right, CS_DIFF_GUID);
}

/* ---- actors ---- */

static bool same_place(const struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		return left == right;
	const struct cs_cooked_cell *l = &d->left.c->cells[left], *r = &d->right.c->cells[right];
	return l->level == r->level && l->x == r->x && l->y == r->y && l->z == r->z &&
	       l->layers_id == r->layers_id &&
	       same_text(d, d->left.c->partitions[l->partition].name,
		       d->right.c->partitions[r->partition].name);
}

static bool same_layers(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	if (l->layers.count != r->layers.count)
		return false;
	for (uint32_t i = 0; i < l->layers.count; i++) {
		uint32_t left = d->left.c->actor_layers[l->layers.first + i];
		uint32_t right = d->right.c->actor_layers[r->layers.first + i];
		if (!same_text(d, d->left.c->layers[left].name, d->right.c->layers[right].name))
			return false;
	}
	return true;
}

static uint64_t members_of(const struct cs_cooked *c, const struct cs_cooked_actor *actor)
{
	uint64_t sum = 0;
	if (actor->set == CS_NONE)
		return 0;
	struct cs_range members = c->sets[actor->set].members;
	for (uint32_t i = 0; i < members.count; i++) {
		uint32_t row = c->set_members[members.first + i];
		sum += XXH3_64bits(&c->details[row].instance_guid, sizeof(struct cs_guid));
	}
	return sum;
}

/* By its name, and by what was built of it where both sides have that. */
static bool same_mesh(const struct differ *d, uint32_t left, uint32_t right)
{
	if (!same_text(d, left, right))
		return false;
	uint32_t l = cs_cooked_find_mesh(d->left.c, left),
		 r = cs_cooked_find_mesh(d->right.c, right);
	if (l == CS_NONE || r == CS_NONE)
		return true;
	return cs_guid_compare(d->left.c->meshes[l].content, d->right.c->meshes[r].content) == 0;
}

/* What changed in the actor itself. */
static uint32_t own_reasons(
	const struct differ *d, const struct cs_cooked_actor *l, const struct cs_cooked_actor *r)
{
	const uint32_t repaired =
		CS_ACTOR_FORCED_NONSPATIAL | CS_ACTOR_FORCED_NO_GRID | CS_ACTOR_FORCED_NO_LAYERS;
	uint32_t reasons = 0;
	if (memcmp(&l->bounds, &r->bounds, sizeof(l->bounds)) != 0)
		reasons |= CS_DIFF_BOUNDS;
	if ((l->flags ^ r->flags) & CS_ACTOR_SPATIAL)
		reasons |= CS_DIFF_SPATIAL;
	if (!same_text(d, l->effective_grid, r->effective_grid))
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
	if (members_of(d->left.c, l) != members_of(d->right.c, r))
		reasons |= CS_DIFF_CLUSTER;
	if (l->placement != r->placement)
		reasons |= CS_DIFF_PLACEMENT;
	if (l->cell != CS_NONE && d->partition_changed[d->left.c->cells[l->cell].partition])
		reasons |= CS_DIFF_PARTITION;
	return reasons | (d->profile_changed ? CS_DIFF_PROFILE : 0);
}

static void compare_actors(struct differ *d, uint32_t left, uint32_t right, uint32_t reasons)
{
	const struct cs_cooked_actor *l = &d->left.c->actors[left], *r = &d->right.c->actors[right];
	reasons |= own_reasons(d, l, r);
	if (!same_place(d, l->cell, r->cell))
		reasons |= CS_DIFF_MOVED | outer_reasons(d, l, r);
	if (reasons)
		report(d, CS_DIFF_ACTOR, left, right, reasons, NULL);
}

static void pair_actors(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		set_aside(d, left, right);
	else
		compare_actors(d, left, right, 0);
}

static void pair_lone_actors(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		report(d, CS_DIFF_ACTOR, left, right, one_sided(left), NULL);
	else
		compare_actors(d, left, right, CS_DIFF_GUID);
}

static void pair_findings(struct differ *d, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		report(d, CS_DIFF_FINDING, left, right, one_sided(left), NULL);
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

static void compare_all(struct differ *d)
{
	const struct cs_cooked *l = d->left.c, *r = d->right.c;
	d->profile_changed = !same_text(d, l->world->profile, r->world->profile);
	compare_fields(d, CS_DIFF_WORLD, CS_TABLE_WORLD, 0, 0, l->world, r->world);
	match(d, l->n_partitions, r->n_partitions, key_of_partition, pair_partitions);
	match(d, l->n_layers, r->n_layers, key_of_layer, pair_layers);
	match(d, l->n_cells, r->n_cells, key_of_cell, pair_cells);
	match_lone(d, key_of_cell_name, pair_lone_cells);
	match(d, l->n_actors, r->n_actors, key_of_actor, pair_actors);
	match_lone(d, key_of_actor_name, pair_lone_actors);
	match(d, l->n_findings, r->n_findings, key_of_finding, pair_findings);
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
	d.partition_changed = calloc(left->n_partitions + 1, sizeof(*d.partition_changed));
	if (d.partition_changed)
		compare_all(&d);
	d.failed = d.failed || !d.partition_changed ||
		   !cs_sort(d.rows.at, d.rows.n, sizeof(*d.rows.at), by_kind_and_row, NULL);
	free(d.partition_changed);
	cs_vec_free(&d.lone_left);
	cs_vec_free(&d.lone_right);
	if (d.failed) {
		cs_vec_free(&d.rows);
		return cs_error_nomem();
	}
	*ret = (struct cs_diff){d.rows.at, d.rows.n};
	return NULL;
}

void cs_diff_deinit(struct cs_diff *diff)
{
	free(diff->rows);
	*diff = (struct cs_diff){0};
}

/* ---- how much ---- */

static double farther(struct cs_vec3 left, struct cs_vec3 right)
{
	return fmax(fabs(left.x - right.x), fmax(fabs(left.y - right.y), fabs(left.z - right.z)));
}

static const struct cs_box *box_of(
	const struct cs_cooked *c, const struct cs_diff_row *row, uint32_t at)
{
	if (at == CS_NONE || (row->kind != CS_DIFF_CELL && row->kind != CS_DIFF_ACTOR))
		return NULL;
	const struct cs_box *box =
		row->kind == CS_DIFF_CELL ? &c->cells[at].content : &c->actors[at].bounds;
	return cs_box_valid(box) ? box : NULL;
}

double cs_diff_amount(
	const struct cs_cooked *left, const struct cs_cooked *right, const struct cs_diff_row *row)
{
	const struct cs_box *l = box_of(left, row, row->left), *r = box_of(right, row, row->right);
	return l && r ? fmax(farther(l->min, r->min), farther(l->max, r->max)) : -1;
}

const char *cs_diff_reason_name(uint32_t bit)
{
	static const char *const names[] = {"new", "gone", "moved", "bounds", "spatial", "grid",
		"layers", "cluster", "placement", "repair", "partition", "profile", "content",
		"name", "value", "guid", "mesh"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (bit == 1u << i)
			return names[i];
	return NULL;
}
