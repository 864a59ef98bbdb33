/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns rebuilding the facts that pages do not state: parts, groups, the generating group of a
 * cluster, and levels.
 *
 * A part begins at each cluster that a hierarchy fixup of its page names. Parts whose clusters name
 * one group form that group. The generating group of a cluster is the one whose parents have the
 * cluster's LOD sphere and error, bit for bit. Of several such groups it is one whose pages are
 * those that fix up the cluster, and then the one with the fewest parents so far, so that
 * coinciding surfaces get one each. A level is one more than that of the generating group.
 */
#include "nanite/decode/decode.h"
#include "nanite/format/keys.h"

#include "core/cursor.h"
#include "core/search.h"
#include "core/sort.h"
#include "nanite/format/contents.h"

#include <stdlib.h>

/* ---- parts ---- */

static int link_by_cluster(const void *left, const void *right, void *context)
{
	const struct cs_model_part *l = left, *r = right;
	(void)context;
	return l->first_cluster < r->first_cluster ? -1 : l->first_cluster > r->first_cluster;
}

/* Sorts the distinct starts of parts in the page. Each part ends where the next begins. */
static bool link_page_parts(struct cs_nanite_contents *contents, uint32_t page)
{
	struct cs_model_page *row = &contents->pages[page];
	struct cs_model_part found[CS_PAGE_CLUSTERS];
	bool seen[CS_PAGE_CLUSTERS] = {false};
	uint32_t n = 0;
	for (uint32_t i = 0; i < row->n_hierarchy_fixups; i++) {
		const struct cs_model_fixup *fixup = &contents->fixups[row->first_fixup + i];
		if (fixup->target_page != page || seen[fixup->cluster - row->first_cluster])
			continue;
		seen[fixup->cluster - row->first_cluster] = true;
		found[n++] = (struct cs_model_part){.group = CS_NONE,
			.page = page,
			.first_cluster = fixup->cluster,
			.slot = fixup->slot};
	}
	if (!cs_sort(found, n, sizeof(*found), link_by_cluster, NULL))
		return false;
	row->first_part = (uint32_t)contents->n_parts;
	row->n_parts = n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t end = i + 1 < n ? found[i + 1].first_cluster
					 : row->first_cluster + row->n_clusters;
		found[i].n_clusters = end - found[i].first_cluster;
		for (uint32_t k = found[i].first_cluster; k < end; k++)
			contents->clusters[k].part = (uint32_t)contents->n_parts;
		contents->parts[contents->n_parts++] = found[i];
	}
	return true;
}

static bool link_parts(struct cs_nanite_contents *contents)
{
	for (uint32_t page = 0; page < contents->n_pages; page++)
		if (!link_page_parts(contents, page))
			return false;
	return true;
}

/* ---- groups ---- */

/* Returns the mesh of a node, which is that of the last root before it. */
static uint32_t link_mesh_of(const struct cs_nanite *resource, uint32_t node)
{
	return (uint32_t)cs_lower_bound(1, resource->n_roots, i, resource->roots[i] <= node) - 1;
}

/* Reads the hierarchy slot of a group. Pages are those that the slot names. */
static void link_read_slot(const struct cs_nanite_contents *contents,
	const struct cs_model_part *part, struct cs_model_group *ret)
{
	const uint32_t index = part->slot / CS_NODE_SLOTS, slot = part->slot % CS_NODE_SLOTS;
	const struct cs_nanite_node *node = &contents->resource->nodes[index];
	uint32_t pages = node->pages[slot];
	ret->mesh = link_mesh_of(contents->resource, index);
	memcpy(ret->centre, node->lod[slot].centre, sizeof(ret->centre));
	ret->radius = node->lod[slot].radius;
	ret->min_error = cs_nanite_slot_error(contents->resource, node->box[slot].min_error);
	ret->max_parent_error =
		cs_nanite_slot_error(contents->resource, node->box[slot].max_parent_error);
	ret->first_page = pages >> CS_SLOT_FIRST_PAGE;
	ret->n_pages = pages >> CS_SLOT_PAGES & cs_bits_mask(CS_FIXUP_PAGES_BITS);
}

static void link_add_part(struct cs_nanite_contents *contents, uint32_t part, uint32_t number)
{
	struct cs_model_part *nanite_part = &contents->parts[part];
	struct cs_model_group *group =
		contents->n_groups ? &contents->groups[contents->n_groups - 1] : NULL;
	if (!group || group->number != number) {
		group = &contents->groups[contents->n_groups++];
		*group = (struct cs_model_group){.number = number,
			.first_part = group == contents->groups
					      ? 0
					      : group[-1].first_part + group[-1].n_parts};
		link_read_slot(contents, nanite_part, group);
	}
	nanite_part->group = (uint32_t)contents->n_groups - 1;
	contents->group_parts[group->first_part + group->n_parts++] = part;
	group->n_clusters += nanite_part->n_clusters;
	for (uint32_t i = 0; i < nanite_part->n_clusters; i++)
		contents->clusters[nanite_part->first_cluster + i].group = nanite_part->group;
}

/* Forms groups by the number that their clusters name, with parts in the order of their pages. */
static bool link_groups(struct cs_nanite_contents *contents)
{
	struct cs_sort_key *keys = malloc((contents->n_parts + 1) * sizeof(*keys));
	contents->group_parts = malloc((contents->n_parts + 1) * sizeof(*contents->group_parts));
	bool ok = keys && contents->group_parts;
	for (uint32_t p = 0; ok && p < contents->n_parts; p++)
		keys[p] = (struct cs_sort_key){
			.low = contents->clusters[contents->parts[p].first_cluster].group_number,
			.index = p};
	ok = ok && cs_sort_keys(keys, contents->n_parts);
	for (size_t i = 0; ok && i < contents->n_parts; i++)
		link_add_part(contents, keys[i].index, (uint32_t)keys[i].low);
	free(keys);
	return ok;
}

/* ---- generating groups ---- */

/* The pages that fix up a cluster. They are those of its generating group. */
struct mended {
	uint32_t first_page, n_pages;
};

struct matching {
	struct cs_nanite_contents *contents;
	struct cs_breaches *breaches;
	struct cs_keys spheres; /* sphere and error of the parents of groups */
	/* for each key the first group, and for each group the next one with the same key */
	uint32_t *first, *next;
	struct mended *mended; /* for each cluster, the pages that fix it up */
};

enum { SPHERE_WORDS = 5 };

static void sphere_key(const float centre[3], float radius, float error, uint32_t key[SPHERE_WORDS])
{
	for (unsigned i = 0; i < 3; i++)
		key[i] = cs_bits_of_float(centre[i]);
	key[3] = cs_bits_of_float(radius);
	key[4] = cs_bits_of_float(error);
}

static bool begin_matching(struct matching *matching)
{
	size_t n = matching->contents->n_groups + 1, slots = 64;
	while (slots < 2 * n)
		slots *= 2;
	matching->spheres = (struct cs_keys){.words = SPHERE_WORDS,
		.mask = (uint32_t)slots - 1,
		.keys = malloc(n * SPHERE_WORDS * sizeof(uint32_t)),
		.slots = malloc(slots * sizeof(uint32_t))};
	matching->first = malloc(n * sizeof(*matching->first));
	matching->next = malloc(n * sizeof(*matching->next));
	matching->mended = calloc(matching->contents->n_clusters + 1, sizeof(*matching->mended));
	return matching->spheres.keys && matching->spheres.slots && matching->first &&
	       matching->next && matching->mended;
}

static void end_matching(struct matching *matching)
{
	free(matching->spheres.keys);
	free(matching->spheres.slots);
	free(matching->first);
	free(matching->next);
	free(matching->mended);
}

static void list_spheres(struct matching *matching)
{
	cs_keys_clear(&matching->spheres);
	for (uint32_t g = (uint32_t)matching->contents->n_groups; g-- > 0;) {
		const struct cs_model_group *group = &matching->contents->groups[g];
		uint32_t key[SPHERE_WORDS], before = matching->spheres.n;
		sphere_key(group->centre, group->radius, group->max_parent_error, key);
		uint32_t number = cs_keys_add(&matching->spheres, key);
		matching->next[g] =
			matching->spheres.n > before ? CS_NONE : matching->first[number];
		matching->first[number] = g;
	}
}

static void list_mended(struct matching *matching)
{
	struct cs_nanite_contents *contents = matching->contents;
	for (size_t i = 0; i < contents->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &contents->fixups[i];
		struct mended *mended = &matching->mended[fixup->cluster];
		if (fixup->kind != CS_MODEL_FIXUP_CLUSTER)
			continue;
		/* Fixups come in the order of the pages that contain them. */
		if (mended->n_pages == 0)
			mended->first_page = fixup->page;
		mended->n_pages = fixup->page - mended->first_page + 1;
	}
	for (size_t i = 0; i < contents->n_clusters; i++)
		if (matching->mended[i].n_pages == 0)
			matching->mended[i] = (struct mended){contents->clusters[i].page, 1};
}

static uint32_t link_find_maker(const struct matching *matching, uint32_t cluster)
{
	const struct cs_nanite_contents *contents = matching->contents;
	const struct cs_model_cluster *row = &contents->clusters[cluster];
	const struct mended *mended = &matching->mended[cluster];
	uint32_t key[SPHERE_WORDS], best = CS_NONE;
	bool best_mends = false;
	sphere_key(row->lod_centre, row->lod_radius, row->lod_error, key);
	uint32_t number = cs_keys_find(&matching->spheres, key);
	for (uint32_t g = number == CS_NONE ? CS_NONE : matching->first[number]; g != CS_NONE;
		g = matching->next[g]) {
		const struct cs_model_group *group = &contents->groups[g];
		bool mends = group->first_page == mended->first_page &&
			     group->n_pages == mended->n_pages;
		if (g == row->group || group->mesh != contents->groups[row->group].mesh)
			continue;
		if (best == CS_NONE || mends > best_mends ||
			(mends == best_mends &&
				group->n_parents < contents->groups[best].n_parents)) {
			best = g;
			best_mends = mends;
		}
	}
	return best;
}

static bool is_level0(const struct cs_model_cluster *cluster)
{
	return cs_bits_of_float(cluster->edge_length) >> 31;
}

static void match_clusters(struct matching *matching)
{
	struct cs_nanite_contents *contents = matching->contents;
	for (uint32_t i = 0; i < contents->n_clusters; i++) {
		struct cs_model_cluster *cluster = &contents->clusters[i];
		if (is_level0(cluster) || cluster->group == CS_NONE)
			continue;
		cluster->maker = link_find_maker(matching, i);
		if (cluster->maker != CS_NONE)
			contents->groups[cluster->maker].n_parents++;
		else
			cs_breach(matching->breaches, CS_RULE_D1,
				(struct cs_place){cluster->page, cluster->index, CS_NO_OFFSET},
				"no group has its sphere and its error");
	}
}

uint32_t *cs_link_parents(const struct cs_levels *levels, size_t *n_ret)
{
	uint32_t n = 0;
	for (size_t g = 0; g < levels->n_groups; g++) {
		levels->groups[g].first_parent = n;
		n += levels->groups[g].n_parents;
		levels->groups[g].n_parents = 0;
	}
	uint32_t *parents = malloc((n + 1) * sizeof(*parents));
	for (uint32_t i = 0; parents && i < levels->n_clusters; i++) {
		if (levels->clusters[i].maker == CS_NONE)
			continue;
		struct cs_model_group *group = &levels->groups[levels->clusters[i].maker];
		parents[group->first_parent + group->n_parents++] = i;
	}
	*n_ret = n;
	return parents;
}

static bool link_makers(struct cs_nanite_contents *contents, struct cs_breaches *breaches)
{
	struct matching matching = {.contents = contents, .breaches = breaches};
	bool ok = begin_matching(&matching);
	if (ok) {
		list_spheres(&matching);
		list_mended(&matching);
		match_clusters(&matching);
		const struct cs_levels levels = {.clusters = contents->clusters,
			.groups = contents->groups,
			.n_clusters = contents->n_clusters,
			.n_groups = contents->n_groups};
		contents->parents = cs_link_parents(&levels, &contents->n_parents);
		ok = contents->parents;
	}
	end_matching(&matching);
	return ok;
}

/* ---- levels ---- */

/* Sets the level of a group's parents once all its clusters have their level. */
static void level_parents(const struct cs_levels *levels, uint32_t g, uint32_t *waiting,
	uint32_t *ready, size_t *n_ready)
{
	const struct cs_model_group *group = &levels->groups[g];
	for (uint32_t i = 0; i < group->n_parents; i++) {
		struct cs_model_cluster *parent =
			&levels->clusters[levels->parents[group->first_parent + i]];
		parent->level = group->level + 1;
		if (parent->group == CS_NONE)
			continue;
		struct cs_model_group *above = &levels->groups[parent->group];
		if (above->level < parent->level)
			above->level = parent->level;
		if (--waiting[parent->group] == 0)
			ready[(*n_ready)++] = parent->group;
	}
}

/* Levels are set from 0 upwards. A group that waits for a cycle is never reached. */
bool cs_link_levels(struct cs_levels *levels)
{
	uint32_t *waiting = calloc(levels->n_groups + 1, sizeof(*waiting));
	uint32_t *ready = malloc((levels->n_groups + 1) * sizeof(*ready));
	size_t n_ready = 0;
	bool ok = waiting && ready;
	for (size_t i = 0; ok && i < levels->n_clusters; i++)
		if (levels->clusters[i].maker != CS_NONE && levels->clusters[i].group != CS_NONE)
			waiting[levels->clusters[i].group]++;
	for (uint32_t g = 0; ok && g < levels->n_groups; g++)
		if (waiting[g] == 0)
			ready[n_ready++] = g;
	for (size_t i = 0; ok && i < n_ready; i++)
		level_parents(levels, ready[i], waiting, ready, &n_ready);
	free(waiting);
	free(ready);
	for (size_t g = 0; g < levels->n_groups; g++)
		if (levels->groups[g].level >= levels->n_levels)
			levels->n_levels = levels->groups[g].level + 1;
	levels->n_circling = levels->n_groups - n_ready;
	return ok;
}

static bool link_levels(struct cs_nanite_contents *contents, struct cs_breaches *breaches)
{
	struct cs_levels levels = {contents->clusters, contents->groups, contents->parents,
		contents->n_clusters, contents->n_groups};
	bool ok = cs_link_levels(&levels);
	contents->n_levels = levels.n_levels;
	if (ok && levels.n_circling)
		cs_breach(breaches, CS_RULE_D4, CS_NOWHERE, "%zu of %zu groups lead in a circle",
			levels.n_circling, contents->n_groups);
	return ok;
}

struct cs_error *cs_link_contents(struct cs_nanite_contents *contents, struct cs_breaches *breaches)
{
	bool ok = link_parts(contents) && link_groups(contents) &&
		  link_makers(contents, breaches) && link_levels(contents, breaches);
	return ok ? NULL : cs_error_nomem();
}
