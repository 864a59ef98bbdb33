/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the actor sets (clusters placed in a cell) of actors that moved: the members and
 * references of a set, as sums of hashes, and its bounds. A second pass over the actors of both
 * sides marks the sets of moved actors and computes sums only for these: most compared worlds have
 * few of them, and sums for all sets would be the largest array of a comparison. The sums of a set
 * are stored at the rank of the set (number of marked sets before it, core/ranks.h).
 */
#include "cook/record/diff_internal.h"
#include "core/geometry.h"
#include "core/ranks.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <stdlib.h>

struct set_sum {
	uint64_t identities, references;
};

struct marked_sets {
	/* marked rows of the sets table; the rank of a row (core/ranks.h) is its index in `sums` */
	uint64_t *words;
	struct set_sum *sums;
};

struct clusters {
	struct marked_sets left, right;
};

/* An actor set of the left side and one of the right side with the same members. */
struct set_pair {
	uint32_t left, right;
	size_t row; /* index of the row of this pair in differ.rows */
};

/* ---- marking sets ---- */

static size_t words_of_sets(const struct cs_cooked *cooked)
{
	return cooked->n_sets / CS_RANKS_WORD + 1;
}

static bool begin_marks(const struct cs_cooked *cooked, struct marked_sets *sets)
{
	sets->words = calloc(words_of_sets(cooked), sizeof(*sets->words));
	return sets->words != NULL;
}

static void free_marks(struct marked_sets *sets)
{
	free(sets->words);
	free(sets->sums);
}

static void mark_set(struct marked_sets *sets, uint32_t set)
{
	if (set != CS_NONE)
		cs_ranks_add(sets->words, set);
}

/* Allocates the sums of the marked sets; false when memory runs out. */
static bool begin_sums(const struct cs_cooked *cooked, struct marked_sets *sets)
{
	const size_t n = cs_ranks_count(sets->words, words_of_sets(cooked));
	sets->sums = calloc(n + 1, sizeof(*sets->sums));
	return sets->sums != NULL;
}

/* Returns the hash sums of a set; NULL if it is not marked, because no actor in it moved. */
static struct set_sum *sum_of_set(const struct marked_sets *sets, uint32_t set)
{
	if (set == CS_NONE || !cs_ranks_has(sets->words, set))
		return NULL;
	return &sets->sums[cs_ranks_below(sets->words, set)];
}

/* ---- summing up sets ---- */

static uint64_t sum_references(const struct cs_cooked *cooked, const struct cs_cooked_actor *actor)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < actor->references.count; i++) {
		const struct cs_guid edge[2] = {actor->guid,
			cs_cooked_reference(cooked, actor->references.first + i)->guid};
		sum += XXH3_64bits(edge, sizeof(edge));
	}
	return sum;
}

static void sum_sets(const struct side *side, struct marked_sets *sets)
{
	const struct cs_cooked *cooked = side->cooked;
	for (uint32_t i = 0; i < cooked->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, i);
		struct set_sum *sum = sum_of_set(sets, actor->set);
		if (sum) {
			sum->identities +=
				cs_diff_hash_guid(&cs_cooked_detail(cooked, i)->instance_guid);
			sum->references += sum_references(cooked, actor);
		}
		cs_cooked_loop_step(&side->loop, i);
	}
}

static void sum_clusters(struct differ *differ, struct clusters *clusters)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, guid)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, set)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, references)},
		{CS_TABLE_ACTOR_DETAILS, offsetof(struct cs_cooked_actor_detail, instance_guid)},
		{CS_TABLE_REFERENCES, offsetof(struct cs_cooked_reference, guid)}};
	for (size_t i = 0; i < differ->pairs.n; i++) {
		mark_set(&clusters->left, differ->pairs.at[i].left_set);
		mark_set(&clusters->right, differ->pairs.at[i].right_set);
	}
	if (!begin_sums(differ->left.cooked, &clusters->left) ||
		!begin_sums(differ->right.cooked, &clusters->right)) {
		differ->failed = true;
		return;
	}
	cs_diff_begin_pass(differ, fields, CS_COUNT_OF(fields));
	sum_sets(&differ->left, &clusters->left);
	sum_sets(&differ->right, &clusters->right);
	cs_diff_end_pass(differ);
}

/* ---- reasons in clusters ---- */

static uint32_t member_reasons(const struct set_sum *l, const struct set_sum *r, uint32_t reasons)
{
	if (l->identities == r->identities)
		return 0;
	return reasons & CS_DIFF_MOVED && l->references != r->references
		       ? CS_DIFF_CLUSTER | CS_DIFF_REFERENCE
		       : CS_DIFF_CLUSTER;
}

/* Returns whether the actor moved although its bounds did not, so that its set may be the cause. */
static bool has_cluster_bounds(
	const struct actor_pair *pair, const struct set_sum *left, uint32_t reasons)
{
	return reasons & CS_DIFF_MOVED && !(reasons & CS_DIFF_BOUNDS) &&
	       pair->left_set != CS_NONE && pair->right_set != CS_NONE &&
	       left->identities != pair->identity;
}

/* Compares the bounds of the two actor sets of each pair, in the order of the left sets. */
static void compare_cluster_bounds(struct differ *differ, struct set_pair *pairs, size_t n)
{
	static const struct cs_record_byte bounds[] = {
		{CS_TABLE_SETS, offsetof(struct cs_cooked_set, bounds)}};
	differ->failed |= !cs_sort(pairs, n, sizeof(*pairs), cs_compare_u32, NULL);
	cs_diff_begin_pass(differ, bounds, CS_COUNT_OF(bounds));
	for (size_t i = 0; !differ->failed && i < n; i++) {
		if (!cs_box_equals(&cs_cooked_set(differ->left.cooked, pairs[i].left)->bounds,
			    &cs_cooked_set(differ->right.cooked, pairs[i].right)->bounds))
			differ->rows.at[pairs[i].row].reasons |= CS_DIFF_CLUSTER_MOVED;
		cs_diff_step_apart(&differ->left);
		cs_diff_step_apart(&differ->right);
	}
	cs_diff_end_pass(differ);
}

static void compare_clusters(struct differ *differ, const struct clusters *clusters)
{
	static const struct set_sum none = {0, 0};
	CS_VEC(struct set_pair) same = {0};
	for (size_t i = 0; i < differ->pairs.n; i++) {
		const struct actor_pair *pair = &differ->pairs.at[i];
		uint32_t *reasons = &differ->rows.at[pair->row].reasons;
		const struct set_sum *l = sum_of_set(&clusters->left, pair->left_set),
				     *r = sum_of_set(&clusters->right, pair->right_set);
		const uint32_t of_members = member_reasons(l ? l : &none, r ? r : &none, *reasons);
		*reasons |= of_members;
		if (!of_members && l && has_cluster_bounds(pair, l, *reasons))
			differ->failed |= !cs_vec_push(&same,
				(struct set_pair){pair->left_set, pair->right_set, pair->row});
	}
	compare_cluster_bounds(differ, same.at, same.n);
	cs_vec_free(&same);
}

void cs_diff_settle_pairs(struct differ *differ)
{
	struct clusters clusters = {0};
	if (differ->pairs.n == 0)
		return;
	if (!begin_marks(differ->left.cooked, &clusters.left) ||
		!begin_marks(differ->right.cooked, &clusters.right))
		differ->failed = true;
	else
		sum_clusters(differ, &clusters);
	if (!differ->failed && !differ->error) {
		compare_clusters(differ, &clusters);
		size_t kept = 0;
		for (size_t i = 0; i < differ->rows.n; i++)
			if (differ->rows.at[i].reasons)
				differ->rows.at[kept++] = differ->rows.at[i];
		differ->rows.n = kept;
	}
	free_marks(&clusters.left);
	free_marks(&clusters.right);
}
