/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reconstructs what pages do not store, for .cnanite and engine files: parts, groups, the
 * generating group of a cluster, and levels.
 *
 * A part starts at each cluster that a hierarchy fixup refers to. The fixup must be in the same
 * page; in formats that store each fixup once it may be in any page. Parts whose clusters have the
 * same group number form a group. The generating group of a cluster is the group whose parents have
 * the cluster's LOD sphere and error, bit for bit. If several groups match, those with exactly the
 * pages that have fixups for the cluster are preferred, and among these the group that has
 * generated the fewest clusters so far: surfaces that coincide then get different groups. The level
 * of a cluster is one more than that of its generating group.
 */
#include "nanite/decode/decode.h"
#include "nanite/format/keys.h"

#include "core/cursor.h"
#include "core/search.h"
#include "core/sort.h"
#include "nanite/format/contents.h"

#include <stdlib.h>

/* ---- finding parts ---- */

/* Lists the parts of each page. Cluster c starts a part if begins[c] is not CS_NONE. */
static void link_list_parts(struct cs_links *links, const uint32_t *begins)
{
	for (uint32_t page = 0; page < links->n_pages; page++) {
		struct cs_model_page *row = &links->pages[page];
		row->first_part = (uint32_t)links->n_parts;
		for (uint32_t c = row->first_cluster; c < row->first_cluster + row->n_clusters;
			c++) {
			if (begins[c] != CS_NONE)
				links->parts[links->n_parts++] =
					(struct cs_model_part){.group = CS_NONE,
						.page = page,
						.first_cluster = c,
						.slot = links->fixups[begins[c]].slot};
			if (links->n_parts == row->first_part)
				continue;
			links->clusters[c].part = (uint32_t)links->n_parts - 1;
			links->parts[links->n_parts - 1].n_clusters++;
		}
		row->n_parts = (uint32_t)links->n_parts - row->first_part;
	}
}

static bool link_parts(struct cs_links *links)
{
	/* for each cluster, the first hierarchy fixup that starts a part at it, or CS_NONE */
	uint32_t *begins = malloc((links->n_clusters + 1) * sizeof(*begins));
	if (!begins)
		return false;
	memset(begins, 0xff, links->n_clusters * sizeof(*begins));
	for (uint32_t i = 0; i < links->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &links->fixups[i];
		if (fixup->kind == CS_MODEL_FIXUP_HIERARCHY && begins[fixup->cluster] == CS_NONE &&
			(links->far_parts || fixup->target_page == fixup->page))
			begins[fixup->cluster] = i;
	}
	link_list_parts(links, begins);
	free(begins);
	return true;
}

/* ---- forming groups ---- */

static void link_add_part(struct cs_links *links, uint32_t index, uint32_t number)
{
	struct cs_model_part *part = &links->parts[index];
	struct cs_model_group *group = links->n_groups ? &links->groups[links->n_groups - 1] : NULL;
	if (!group || group->number != number) {
		group = &links->groups[links->n_groups++];
		*group = (struct cs_model_group){.number = number,
			.first_part = group == links->groups
					      ? 0
					      : group[-1].first_part + group[-1].n_parts};
		links->read_slot(links->context, part->slot, group);
	}
	part->group = (uint32_t)links->n_groups - 1;
	links->group_parts[group->first_part + group->n_parts++] = index;
	group->n_clusters += part->n_clusters;
	for (uint32_t i = 0; i < part->n_clusters; i++)
		links->clusters[part->first_cluster + i].group = part->group;
}

/*
 * Combines the parts whose clusters have the same group number into groups. Groups are sorted by
 * this number, or by their first part if links->by_part is set.
 */
static bool link_groups(struct cs_links *links)
{
	struct cs_sort_key *keys = malloc((links->n_parts + 1) * sizeof(*keys));
	links->group_parts = malloc((links->n_parts + 1) * sizeof(*links->group_parts));
	bool ok = keys && links->group_parts;
	for (uint32_t p = 0; ok && p < links->n_parts; p++)
		keys[p] = (struct cs_sort_key){
			.low = links->clusters[links->parts[p].first_cluster].group_number,
			.index = p};
	ok = ok && cs_sort_keys(keys, links->n_parts);
	for (size_t i = 0; ok && links->by_part && i < links->n_parts; i++)
		keys[i].high =
			i && keys[i].low == keys[i - 1].low ? keys[i - 1].high : keys[i].index;
	ok = ok && (!links->by_part || cs_sort_keys(keys, links->n_parts));
	for (size_t i = 0; ok && i < links->n_parts; i++)
		link_add_part(links, keys[i].index, (uint32_t)keys[i].low);
	free(keys);
	return ok;
}

/* ---- finding generating groups ---- */

/* The pages with fixups for a cluster, which are the pages of its generating group. */
struct mended {
	uint32_t first_page, n_pages;
};

struct matching {
	struct cs_links *links;
	struct cs_breaches *breaches;
	struct cs_keys spheres; /* keys of 5 words: sphere and error of the parents of groups */
	/* for each key, its first group, and for each group the next group with an equal key */
	uint32_t *first, *next;
	struct mended *mended; /* for each cluster, the pages with fixups for it */
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
	const size_t n = matching->links->n_groups + 1;
	matching->first = malloc(n * sizeof(*matching->first));
	matching->next = malloc(n * sizeof(*matching->next));
	matching->mended = calloc(matching->links->n_clusters + 1, sizeof(*matching->mended));
	return cs_keys_init(&matching->spheres, n, SPHERE_WORDS) && matching->first &&
	       matching->next && matching->mended;
}

static void list_spheres(struct matching *matching)
{
	for (uint32_t g = (uint32_t)matching->links->n_groups; g-- > 0;) {
		const struct cs_model_group *group = &matching->links->groups[g];
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
	struct cs_links *links = matching->links;
	for (size_t i = 0; i < links->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &links->fixups[i];
		struct mended *mended = &matching->mended[fixup->cluster];
		if (fixup->kind != CS_MODEL_FIXUP_CLUSTER)
			continue;
		/* fixups are sorted by the page that contains them */
		if (mended->n_pages == 0)
			mended->first_page = fixup->page;
		mended->n_pages = fixup->page - mended->first_page + 1;
	}
	for (size_t i = 0; i < links->n_clusters; i++)
		if (matching->mended[i].n_pages == 0)
			matching->mended[i] = (struct mended){links->clusters[i].page, 1};
}

static uint32_t link_find_maker(const struct matching *matching, uint32_t cluster)
{
	const struct cs_links *links = matching->links;
	const struct cs_model_cluster *row = &links->clusters[cluster];
	const struct mended *mended = &matching->mended[cluster];
	uint32_t key[SPHERE_WORDS], best = CS_NONE;
	bool best_mends = false;
	sphere_key(row->lod_centre, row->lod_radius, row->lod_error, key);
	uint32_t number = cs_keys_find(&matching->spheres, key);
	for (uint32_t g = number == CS_NONE ? CS_NONE : matching->first[number]; g != CS_NONE;
		g = matching->next[g]) {
		const struct cs_model_group *group = &links->groups[g];
		bool mends = group->first_page == mended->first_page &&
			     group->n_pages == mended->n_pages;
		if (g == row->group || group->mesh != links->groups[row->group].mesh)
			continue;
		if (best == CS_NONE || mends > best_mends ||
			(mends == best_mends && group->n_parents < links->groups[best].n_parents)) {
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
	struct cs_links *links = matching->links;
	for (uint32_t i = 0; i < links->n_clusters; i++) {
		struct cs_model_cluster *cluster = &links->clusters[i];
		if (is_level0(cluster) || cluster->group == CS_NONE)
			continue;
		cluster->maker = link_find_maker(matching, i);
		if (cluster->maker != CS_NONE)
			links->groups[cluster->maker].n_parents++;
		else
			cs_breach(matching->breaches, CS_RULE_D1,
				(struct cs_place){cluster->page, cluster->index, CS_NO_OFFSET},
				"the sphere and error that the cluster stores for its finer group "
				"are those of no group");
	}
}

/* Lists the clusters that each group was simplified into. Returns false when memory runs out. */
static bool list_parents(struct cs_links *links)
{
	uint32_t n = 0;
	for (size_t g = 0; g < links->n_groups; g++) {
		links->groups[g].first_parent = n;
		n += links->groups[g].n_parents;
		links->groups[g].n_parents = 0;
	}
	links->parents = malloc((n + 1) * sizeof(*links->parents));
	for (uint32_t i = 0; links->parents && i < links->n_clusters; i++) {
		if (links->clusters[i].maker == CS_NONE)
			continue;
		struct cs_model_group *group = &links->groups[links->clusters[i].maker];
		links->parents[group->first_parent + group->n_parents++] = i;
	}
	return links->parents;
}

static bool link_makers(struct cs_links *links, struct cs_breaches *breaches)
{
	struct matching matching = {.links = links, .breaches = breaches};
	bool ok = begin_matching(&matching);
	if (ok) {
		list_spheres(&matching);
		list_mended(&matching);
		match_clusters(&matching);
		ok = list_parents(links);
	}
	cs_keys_deinit(&matching.spheres);
	free(matching.first);
	free(matching.next);
	free(matching.mended);
	return ok;
}

bool cs_link_groups(struct cs_links *links, struct cs_breaches *breaches)
{
	return link_parts(links) && link_groups(links) && link_makers(links, breaches);
}

/* ---- computing levels ---- */

/*
 * Sets the level of the parents of group g. Appends to `ready` each group of which all clusters now
 * have a level. waiting[i] is the number of clusters of group i that have no level yet.
 */
static void level_parents(const struct cs_links *links, uint32_t g, uint32_t *waiting,
	uint32_t *ready, size_t *n_ready)
{
	const struct cs_model_group *group = &links->groups[g];
	for (uint32_t i = 0; i < group->n_parents; i++) {
		struct cs_model_cluster *parent =
			&links->clusters[links->parents[group->first_parent + i]];
		parent->level = group->level + 1;
		if (parent->group == CS_NONE)
			continue;
		struct cs_model_group *above = &links->groups[parent->group];
		if (above->level < parent->level)
			above->level = parent->level;
		if (--waiting[parent->group] == 0)
			ready[(*n_ready)++] = parent->group;
	}
}

bool cs_link_levels(struct cs_links *links)
{
	uint32_t *waiting = calloc(links->n_groups + 1, sizeof(*waiting));
	uint32_t *ready = malloc((links->n_groups + 1) * sizeof(*ready));
	size_t n_ready = 0;
	bool ok = waiting && ready;
	for (size_t i = 0; ok && i < links->n_clusters; i++)
		if (links->clusters[i].maker != CS_NONE && links->clusters[i].group != CS_NONE)
			waiting[links->clusters[i].group]++;
	for (uint32_t g = 0; ok && g < links->n_groups; g++)
		if (waiting[g] == 0)
			ready[n_ready++] = g;
	for (size_t i = 0; ok && i < n_ready; i++)
		level_parents(links, ready[i], waiting, ready, &n_ready);
	free(waiting);
	free(ready);
	for (size_t g = 0; g < links->n_groups; g++)
		if (links->groups[g].level >= links->n_levels)
			links->n_levels = links->groups[g].level + 1;
	links->n_circling = links->n_groups - n_ready;
	return ok;
}

/* ---- linking a .cnanite resource ---- */

/* Reads a group's mesh, sphere, errors and page range from slot `place` of the hierarchy. */
static void link_read_slot(const void *context, uint32_t place, struct cs_model_group *ret)
{
	const struct cs_nanite *resource = context;
	const uint32_t index = place / CS_NODE_SLOTS, slot = place % CS_NODE_SLOTS;
	const struct cs_nanite_node *node = &resource->nodes[index];
	uint32_t pages = node->pages[slot];
	ret->mesh =
		(uint32_t)cs_lower_bound(1, resource->n_roots, i, resource->roots[i] <= index) - 1;
	memcpy(ret->centre, node->lod[slot].centre, sizeof(ret->centre));
	ret->radius = node->lod[slot].radius;
	ret->min_error = cs_nanite_slot_error(resource, node->box[slot].min_error);
	ret->max_parent_error = cs_nanite_slot_error(resource, node->box[slot].max_parent_error);
	ret->first_page = pages >> CS_SLOT_FIRST_PAGE;
	ret->n_pages = pages >> CS_SLOT_PAGES & cs_bits_mask(CS_FIXUP_PAGES_BITS);
}

struct cs_error *cs_link_contents(struct cs_nanite_contents *contents, struct cs_breaches *breaches)
{
	struct cs_links links = {.pages = contents->pages,
		.clusters = contents->clusters,
		.fixups = contents->fixups,
		.n_pages = contents->n_pages,
		.n_clusters = contents->n_clusters,
		.n_fixups = contents->n_fixups,
		.read_slot = link_read_slot,
		.context = contents->resource,
		.parts = contents->parts,
		.groups = contents->groups};
	bool ok = cs_link_groups(&links, breaches) && cs_link_levels(&links);
	contents->n_parts = links.n_parts;
	contents->n_groups = links.n_groups;
	contents->n_levels = links.n_levels;
	contents->group_parts = links.group_parts;
	contents->parents = links.parents;
	if (ok && links.n_circling)
		cs_breach(breaches, CS_RULE_D4, CS_NOWHERE,
			"%zu of %zu groups are their own ancestors: their parents form cycles",
			links.n_circling, links.n_groups);
	return ok ? NULL : cs_error_nomem();
}

uint32_t *cs_coarse_first(const struct cs_model_group *groups, size_t n)
{
	struct cs_sort_key *keys = malloc((n + 1) * sizeof(*keys));
	uint32_t *order = malloc((n + 1) * sizeof(*order));
	for (uint32_t g = 0; keys && g < n; g++)
		keys[g] = (struct cs_sort_key){.low = UINT32_MAX - groups[g].level, .index = g};
	bool ok = keys && order && cs_sort_keys(keys, n);
	for (size_t i = 0; ok && i < n; i++)
		order[i] = keys[i].index;
	free(keys);
	if (ok)
		return order;
	free(order);
	return NULL;
}
