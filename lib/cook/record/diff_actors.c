/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the actors of two cooks in one pass over both. Actors are sorted by container and GUID,
 * so containers are matched first, and then the actors of two matching containers are merged.
 * Actors with a GUID that only one side has are matched by identity (instance GUID and id of the
 * container) and then by name, after all were read. Then the actor clusters of the actors that are
 * in another cell are compared (diff_clusters.c).
 *
 * Invariant: memory is limited to parts of tables, 24 bytes for each cell, and the differences.
 */
#include "cook/record/diff_internal.h"
#include "core/expect.h"
#include "core/geometry.h"
#include "core/guid.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#define ACTOR(field)                                                     \
	{                                                                \
		CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, field) \
	}

/* ---- the compared values of one actor ---- */

static uint64_t hash_layers(const struct cs_cooked *cooked, struct cs_range layers)
{
	uint64_t hash = layers.count;
	for (uint32_t i = 0; i < layers.count; i++) {
		const uint32_t layer = cs_cooked_id(cooked, CS_IDS_ACTOR_LAYERS, layers.first + i);
		const uint64_t name =
			layer == CS_NONE
				? 0
				: cs_diff_hash_text(cooked, cooked->layers[layer].name).low64;
		hash = XXH3_64bits_withSeed(&name, sizeof(name), hash);
	}
	return hash;
}

static struct actor_brief brief_of(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	return (struct actor_brief){
		.bounds = actor->bounds,
		.identity = cs_diff_hash_guid(&cs_cooked_detail(cooked, row)->instance_guid),
		.grid = cs_diff_hash_text(cooked, actor->effective_grid).low64,
		.layers = hash_layers(cooked, actor->layers),
		.mesh = cs_diff_hash_text(cooked, actor->mesh).low64,
		.row = row,
		.flags = actor->flags,
		.cell = actor->cell,
		.set = actor->set,
		.placement = actor->placement,
		.mesh_row = cs_cooked_find_mesh(cooked, actor->mesh),
	};
}

CS_EXPECTING void expect_cell(const struct side *side, uint32_t row)
{
	const uint32_t cell =
		row < side->cooked->n_actors ? cs_cooked_actor(side->cooked, row)->cell : CS_NONE;
	if (cell != CS_NONE)
		__builtin_prefetch(&side->cells[cell], 1);
}

/*
 * Returns the values of an actor that are compared, and adds its identity hash to the sum of its
 * cell, which is compared later. Must be called exactly once for each row.
 */
static struct actor_brief visit_actor(struct side *side, uint32_t row)
{
	expect_cell(side, row + CS_AHEAD);
	const struct actor_brief brief = brief_of(side, row);
	if (brief.cell != CS_NONE)
		side->cells[brief.cell].contents += brief.identity;
	cs_cooked_loop_step(&side->loop, row);
	return brief;
}

XXH128_hash_t cs_diff_key_of_actor_name(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, row);
	XXH128_hash_t key[2] = {cs_diff_hash_text(cooked, actor->name),
		cs_diff_hash_text(cooked, cooked->containers[actor->container].package)};
	return XXH3_128bits(key, sizeof(key));
}

/* ---- comparing a pair of actors ---- */

static bool diff_same_place(const struct differ *differ, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		return left == right;
	return differ->left.cells[left].place == differ->right.cells[right].place;
}

/* Returns whether the meshes have the same name, and the same content if both were built. */
static bool same_mesh(
	const struct differ *differ, const struct actor_brief *l, const struct actor_brief *r)
{
	return l->mesh == r->mesh &&
	       (l->mesh_row == CS_NONE || r->mesh_row == CS_NONE ||
		       cs_guid_compare(differ->left.cooked->meshes[l->mesh_row].content,
			       differ->right.cooked->meshes[r->mesh_row].content) == 0);
}

static bool in_renamed_grid(
	const struct differ *differ, const struct actor_brief *l, const struct actor_brief *r)
{
	return l->cell != CS_NONE && r->cell != CS_NONE &&
	       cs_diff_of_renamed_grid(differ, l->cell, r->cell);
}

/* Returns the reasons (bits CS_DIFF_) that are changes of the actor itself. */
static uint32_t own_reasons(
	const struct differ *differ, const struct actor_brief *l, const struct actor_brief *r)
{
	const uint32_t repaired =
		CS_ACTOR_FORCED_NONSPATIAL | CS_ACTOR_FORCED_NO_GRID | CS_ACTOR_FORCED_NO_LAYERS;
	uint32_t reasons = 0;
	if (!cs_box_equals(&l->bounds, &r->bounds))
		reasons |= CS_DIFF_BOUNDS;
	if ((l->flags ^ r->flags) & CS_ACTOR_SPATIAL)
		reasons |= CS_DIFF_SPATIAL;
	if (l->grid != r->grid && !in_renamed_grid(differ, l, r))
		reasons |= CS_DIFF_GRID;
	if (l->layers != r->layers)
		reasons |= CS_DIFF_LAYERS;
	if ((l->flags ^ r->flags) & repaired)
		reasons |= CS_DIFF_REPAIR;
	if (!same_mesh(differ, l, r))
		reasons |= CS_DIFF_MESH;
	return reasons;
}

/*
 * Returns the reasons for a move that are not changes of the actor itself: its placement, the
 * settings of its partition, or the profile. diff_clusters.c finds changes of its cluster.
 */
static uint32_t outer_reasons(
	const struct differ *differ, const struct actor_brief *l, const struct actor_brief *r)
{
	uint32_t reasons = CS_DIFF_MOVED;
	if (l->placement != r->placement)
		reasons |= CS_DIFF_PLACEMENT;
	if (l->cell != CS_NONE && differ->partition_changed[differ->left.cells[l->cell].partition])
		reasons |= CS_DIFF_PARTITION;
	return reasons | (differ->profile_changed ? CS_DIFF_PROFILE : 0);
}

static struct cs_guid diff_parent_of(const struct cs_cooked *cooked, uint32_t row)
{
	uint32_t parent = cs_cooked_actor(cooked, row)->parent;
	return parent == CS_NONE ? (struct cs_guid){0} : cs_cooked_actor(cooked, parent)->guid;
}

static void compare_logged_actors(struct differ *differ, uint32_t left, uint32_t right)
{
	const struct cs_cooked *l = differ->left.cooked, *r = differ->right.cooked;
	cs_diff_compare_logged(differ, CS_DIFF_ACTOR, CS_TABLE_ACTORS, left, right,
		cs_cooked_actor(l, left), cs_cooked_actor(r, right));
	cs_diff_compare_logged(differ, CS_DIFF_ACTOR, CS_TABLE_ACTOR_DETAILS, left, right,
		cs_cooked_detail(l, left), cs_cooked_detail(r, right));
	cs_diff_compare_parents(differ, CS_DIFF_ACTOR, CS_TABLE_ACTORS, left, right,
		(struct cs_guid[]){diff_parent_of(l, left), diff_parent_of(r, right)});
}

/*
 * Completes the rows from `first` on, which are about one actor: `l` in the left cook, `r` in the
 * right one, NULL for a cook that lacks it.
 */
static void complete_actor_rows(struct differ *differ, size_t first, const struct actor_brief *l,
	const struct actor_brief *r)
{
	for (size_t i = first; i < differ->rows.n; i++) {
		struct cs_diff_row *row = &differ->rows.at[i];
		row->left_cell = l ? l->cell : CS_NONE;
		row->right_cell = r ? r->cell : CS_NONE;
		row->amount = l && r ? cs_diff_amount(&l->bounds, &r->bounds) : -1;
	}
}

static void diff_compare_actors(struct differ *differ, const struct actor_brief *l,
	const struct actor_brief *r, uint32_t reasons)
{
	const size_t first = differ->rows.n;
	const bool moved = !diff_same_place(differ, l->cell, r->cell);
	reasons |= own_reasons(differ, l, r) | (moved ? outer_reasons(differ, l, r) : 0);
	if (reasons || differ->logged)
		cs_diff_report(differ, CS_DIFF_ACTOR, l->row, r->row, reasons, NULL);
	if (moved || differ->logged)
		cs_vec_push_in(
			differ, pairs, (struct actor_pair){first, l->identity, l->set, r->set});
	if (differ->logged)
		compare_logged_actors(differ, l->row, r->row);
	complete_actor_rows(differ, first, l, r);
}

/* ---- merging the actors of two containers ---- */

static void set_actor_aside(struct side *side, uint32_t row, bool *failed)
{
	const struct cs_cooked *cooked = side->cooked;
	const struct cs_guid identity[2] = {cs_cooked_detail(cooked, row)->instance_guid,
		cooked->containers[cs_cooked_actor(cooked, row)->container].id};
	const XXH128_hash_t key = XXH3_128bits(identity, sizeof(identity));
	*failed |= !cs_vec_push(&side->lone, (struct lone_actor){visit_actor(side, row), key});
}

/* Compares actors of the two cooks by GUID, by which the actors of a container are sorted. */
static int compare_rows(const struct differ *differ, uint32_t left, uint32_t right)
{
	return cs_guid_compare(cs_cooked_actor(differ->left.cooked, left)->guid,
		cs_cooked_actor(differ->right.cooked, right)->guid);
}

/* Returns whether two actors with one GUID are the same: instance GUIDs must be equal too. */
static bool is_one_actor(const struct differ *differ, uint32_t left, uint32_t right)
{
	return cs_guid_compare(cs_cooked_detail(differ->left.cooked, left)->instance_guid,
		       cs_cooked_detail(differ->right.cooked, right)->instance_guid) == 0;
}

static void merge_actors(struct differ *differ, struct cs_range left, struct cs_range right)
{
	uint32_t i = left.first, j = right.first;
	const uint32_t left_end = i + left.count, right_end = j + right.count;
	while (!differ->failed && (i < left_end || j < right_end)) {
		const int order = i == left_end    ? 1
				  : j == right_end ? -1
						   : compare_rows(differ, i, j);
		if (order == 0 && is_one_actor(differ, i, j)) {
			const struct actor_brief l = visit_actor(&differ->left, i++);
			const struct actor_brief r = visit_actor(&differ->right, j++);
			diff_compare_actors(differ, &l, &r, 0);
		} else if (order <= 0) {
			set_actor_aside(&differ->left, i++, &differ->failed);
		} else {
			set_actor_aside(&differ->right, j++, &differ->failed);
		}
	}
}

/* ---- merging containers ---- */

static bool actors_tile(const struct cs_cooked *cooked)
{
	uint64_t next = 0;
	bool tile = true;
	for (size_t i = 0; tile && i < cooked->n_containers; i++) {
		const struct cs_range actors = cooked->containers[i].actors;
		tile = actors.count == 0 || actors.first == next;
		next += actors.count;
	}
	return tile && next == cooked->n_actors;
}

static void match_containers(struct differ *differ, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		return;
	differ->right_container[left] = right;
	differ->left_container[right] = left;
}

/*
 * Merges the actors of each container of the left side with those of the matching container of the
 * right side, then the actors of containers that only the right side has.
 */
static void merge_containers(struct differ *differ)
{
	const struct cs_cooked *l = differ->left.cooked, *r = differ->right.cooked;
	const struct cs_range none = {0, 0};
	memset(differ->right_container, 0xff, l->n_containers * sizeof(uint32_t));
	memset(differ->left_container, 0xff, r->n_containers * sizeof(uint32_t));
	cs_diff_match(differ, l->n_containers, r->n_containers, cs_diff_key_of_container,
		match_containers);
	for (size_t i = 0; i < l->n_containers; i++) {
		const uint32_t right = differ->right_container[i];
		merge_actors(differ, l->containers[i].actors,
			right == CS_NONE ? none : r->containers[right].actors);
	}
	for (size_t i = 0; i < r->n_containers; i++)
		if (differ->left_container[i] == CS_NONE)
			merge_actors(differ, none, r->containers[i].actors);
}

/* ---- matching actors whose GUID only one side has ---- */

static XXH128_hash_t key_of_lone(const struct side *side, uint32_t lone)
{
	return side->lone.at[lone].key;
}

static void pair_by_identity(struct differ *differ, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_set_aside(differ, left, right);
	else
		diff_compare_actors(differ, &differ->left.lone.at[left].brief,
			&differ->right.lone.at[right].brief, 0);
}

static void pair_by_name(struct differ *differ, uint32_t left, uint32_t right)
{
	const struct actor_brief *l = left == CS_NONE ? NULL : &differ->left.lone.at[left].brief;
	const struct actor_brief *r = right == CS_NONE ? NULL : &differ->right.lone.at[right].brief;
	const size_t first = differ->rows.n;
	if (cs_diff_one_sided(differ, CS_DIFF_ACTOR, l ? l->row : CS_NONE, r ? r->row : CS_NONE))
		complete_actor_rows(differ, first, l, r);
	else
		diff_compare_actors(differ, l, r, CS_DIFF_GUID);
}

/* ---- comparing all actors ---- */

static void visit_all(struct side *side, bool *failed)
{
	for (size_t i = 0; i < side->cooked->n_actors; i++)
		set_actor_aside(side, (uint32_t)i, failed);
}

/* Matches the actors of a damaged file in which the containers' ranges of actors are wrong. */
static struct cs_error *match_without_containers(struct differ *differ)
{
	struct cs_error *error = cs_cooked_load_details(differ->left.cooked);
	if (!error)
		error = cs_cooked_load_details(differ->right.cooked);
	if (error)
		return error;
	visit_all(&differ->left, &differ->failed);
	visit_all(&differ->right, &differ->failed);
	return NULL;
}

static void read_actors(struct differ *differ)
{
	static const struct cs_record_byte fields[] = {ACTOR(guid), ACTOR(bounds),
		ACTOR(effective_grid), ACTOR(container), ACTOR(flags), ACTOR(set), ACTOR(cell),
		ACTOR(placement), ACTOR(layers), ACTOR(mesh),
		{CS_TABLE_ACTOR_DETAILS, offsetof(struct cs_cooked_actor_detail, instance_guid)}};
	const bool merges = actors_tile(differ->left.cooked) && actors_tile(differ->right.cooked);
	cs_diff_begin_pass(differ, differ->logged ? NULL : fields, CS_COUNT_OF(fields));
	if (merges)
		merge_containers(differ);
	else
		differ->error = match_without_containers(differ);
	cs_diff_end_pass(differ);
}

static void name_lone(struct side *side)
{
	for (size_t i = 0; i < side->lone.n; i++) {
		struct lone_actor *lone = &side->lone.at[i];
		lone->key = cs_diff_key_of_actor_name(side, lone->brief.row);
		cs_diff_step_apart(side);
	}
}

static void match_lone_actors(struct differ *differ)
{
	cs_diff_begin_pass(differ, NULL, 0);
	cs_diff_match(
		differ, differ->left.lone.n, differ->right.lone.n, key_of_lone, pair_by_identity);
	cs_diff_end_pass(differ);
	if (!differ->error) {
		/* read the names of the lone actors, whose GUID only one cook has */
		static const struct cs_record_byte fields[] = {ACTOR(name), ACTOR(container)};
		cs_diff_begin_pass(differ, fields, CS_COUNT_OF(fields));
		name_lone(&differ->left);
		name_lone(&differ->right);
		cs_diff_end_pass(differ);
	}
	if (differ->error || differ->failed)
		return;
	cs_diff_begin_pass(differ, NULL, 0);
	cs_diff_match_lone(differ, key_of_lone, pair_by_name);
	cs_diff_end_pass(differ);
}

void cs_diff_actors(struct differ *differ)
{
	read_actors(differ);
	if (!differ->error && !differ->failed)
		match_lone_actors(differ);
	cs_vec_free(&differ->left.lone);
	cs_vec_free(&differ->right.lone);
	if (!differ->error && !differ->failed)
		cs_diff_settle_pairs(differ);
}
