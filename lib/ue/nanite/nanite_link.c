/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the links between the clusters of a resource (nanite-versions rules 3, 4, 6): slots of the
 * hierarchy, parts and fixups from the chunks of pages, groups by the number in their clusters, and
 * the group that a cluster was simplified from: the one with its error and sphere.
 */
#include "ue/nanite/cooked_nanite.h"

#include "core/cursor.h"
#include "core/half.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/vec.h"
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = CS_UE_NODE_SLOTS };

/* A part, as a fixup names it. */
struct part {
	uint32_t page, cluster, slot;
};

struct linker {
	const struct cs_ue_nanite *nanite;
	struct cs_model *model;
	CS_VEC(struct part) parts;
	CS_VEC(struct cs_model_fixup) fixups;
	bool failed;
};

static struct cs_error *nanite_link_broken(const char *what)
{
	return cs_error_new(CS_E_NANITE, "hierarchy: %s", what);
}

/* ---- slots ---- */

static const unsigned char *slot_at(const struct cs_ue_nanite *nanite, uint32_t node, uint32_t slot)
{
	uint32_t bytes = cs_ue_nanite_layouts[nanite->version].node_bytes;
	return nanite->nodes + (size_t)node * bytes + (size_t)slot * (bytes / SLOTS);
}

/* A slot is used when its pages are not 0, or its part has clusters. */
static bool slot_is_used(const struct cs_ue_nanite *nanite, const unsigned char *at)
{
	return cs_load32(at + 48) != 0 || cs_ue_get(nanite, at, CS_UE_SLOT_CLUSTERS) != 0;
}

static void nanite_link_read_slot(
	const struct cs_ue_nanite *nanite, const unsigned char *at, struct cs_model_slot *slot)
{
	for (int k = 0; k < 3; k++) {
		slot->centre[k] = cs_float_of_bits(cs_load32(at + 4 * (size_t)k));
		slot->box_centre[k] = cs_float_of_bits(cs_load32(at + 16 + 4 * (size_t)k));
		slot->box_extent[k] = cs_float_of_bits(cs_load32(at + 32 + 4 * (size_t)k));
	}
	slot->radius = cs_float_of_bits(cs_load32(at + 12));
	slot->min_error = cs_half_value((uint16_t)cs_ue_get(nanite, at, CS_UE_SLOT_MIN_ERROR));
	slot->max_parent_error =
		cs_half_value((uint16_t)cs_ue_get(nanite, at, CS_UE_SLOT_PARENT_ERROR));
	/* With fixups by group the sign only says that the slot is still a leaf. */
	if (cs_ue_nanite_layouts[nanite->version].groups)
		slot->min_error = fabsf(slot->min_error);
	slot->part = CS_NONE;
	slot->child = cs_load32(at + 44);
	if (slot->child != CS_NONE)
		return;
	slot->n_clusters = cs_ue_get(nanite, at, CS_UE_SLOT_CLUSTERS);
	slot->n_pages = cs_ue_get(nanite, at, CS_UE_SLOT_PAGES);
	slot->first_page = cs_ue_get(nanite, at, CS_UE_SLOT_FIRST_PAGE);
}

static struct cs_error *read_nodes(struct linker *linker)
{
	const struct cs_ue_nanite *nanite = linker->nanite;
	struct cs_model *model = linker->model;
	size_t most = (size_t)nanite->n_nodes * SLOTS;
	if (!cs_model_allocate(&model->nodes, nanite->n_nodes, sizeof(*model->nodes)) ||
		!cs_model_allocate(&model->slots, most, sizeof(*model->slots)) ||
		!cs_model_allocate(&model->roots, nanite->n_roots, sizeof(*model->roots)))
		return cs_error_nomem();
	model->n_nodes = nanite->n_nodes;
	model->n_roots = nanite->n_roots;
	for (uint32_t i = 0; i < nanite->n_roots; i++) {
		model->roots[i] = nanite->root_offsets[i];
		if (model->roots[i] >= nanite->n_nodes)
			return nanite_link_broken("a root that is no node");
	}
	for (uint32_t node = 0; node < nanite->n_nodes; node++) {
		struct cs_model_node *row = &model->nodes[node];
		row->first_slot = (uint32_t)model->n_slots;
		row->parent = row->depth = CS_NONE;
		for (uint32_t k = 0; k < SLOTS; k++) {
			const unsigned char *at = slot_at(nanite, node, k);
			if (!slot_is_used(nanite, at))
				continue;
			struct cs_model_slot *slot = &model->slots[model->n_slots];
			*slot = (struct cs_model_slot){.node = node, .slot = k};
			nanite_link_read_slot(nanite, at, slot);
			if (slot->child != CS_NONE &&
				(slot->child >= nanite->n_nodes || slot->child <= node))
				return nanite_link_broken("a node below itself, or none");
			model->n_slots++;
			row->n_slots++;
		}
	}
	for (uint32_t i = 0; i < model->n_slots; i++)
		if (model->slots[i].child != CS_NONE)
			model->nodes[model->slots[i].child].parent = i;
	return NULL;
}

/* ---- fixups ---- */

/*
 * Adds a fixup of a page, whose target is a cluster by its number in its page. It waits for the
 * pages of a range, and a fixup of a part has a place in the hierarchy, else NULL.
 */
static struct cs_error *add_fixup(struct linker *linker, enum cs_model_fixup_kind kind,
	uint32_t page, uint32_t target_page, uint32_t cluster, const unsigned char *range,
	const unsigned char *place)
{
	const struct cs_ue_nanite *nanite = linker->nanite;
	const struct cs_model *model = linker->model;
	struct cs_model_fixup fixup = {.kind = kind,
		.page = page,
		.target_page = target_page,
		.slot = CS_NONE,
		.first_page = cs_ue_get(nanite, range, CS_UE_RANGE_FIRST_PAGE),
		.n_pages = cs_ue_get(nanite, range, CS_UE_RANGE_PAGES)};
	if (place)
		fixup.slot = cs_model_slot_at(model, cs_ue_get(nanite, place, CS_UE_PLACE_NODE),
			cs_ue_get(nanite, place, CS_UE_PLACE_SLOT));
	if (target_page >= model->n_pages || cluster >= model->pages[target_page].n_clusters ||
		(place && fixup.slot == CS_NONE))
		return nanite_link_broken(place ? "a fixup of a part or slot that is not there"
						: "a fixup of a cluster that is not there");
	fixup.cluster = model->pages[target_page].first_cluster + cluster;
	cs_vec_push_in(linker, fixups, fixup);
	/* Before fixups by group each page names its own parts. */
	if (place && (target_page == page || cs_ue_nanite_layouts[nanite->version].groups))
		cs_vec_push_in(
			linker, parts, (struct part){target_page, fixup.cluster, fixup.slot});
	linker->model->pages[page].n_hierarchy_fixups += place != NULL;
	return NULL;
}

/* Reads 5.3 to 5.6: a fixup for each part of each group of the page, then those of clusters. */
static struct cs_error *read_old_chunk(
	struct linker *linker, uint32_t page, const unsigned char *at)
{
	uint32_t hierarchy = cs_ue_get(linker->nanite, at, CS_UE_CHUNK_HIERARCHY_FIXUPS),
		 clusters = cs_ue_get(linker->nanite, at, CS_UE_CHUNK_CLUSTER_FIXUPS);
	struct cs_error *error = NULL;
	at += 8;
	for (uint32_t i = 0; i < hierarchy && !error; i++, at += 16)
		error = add_fixup(linker, CS_MODEL_FIXUP_HIERARCHY, page, cs_load32(at),
			cs_load32(at + 8), at + 12, at + 4);
	for (uint32_t i = 0; i < clusters && !error; i++, at += 8)
		error = add_fixup(linker, CS_MODEL_FIXUP_CLUSTER, page, cs_load32(at) >> 8,
			cs_load32(at) & 255, at + 4, NULL);
	return error;
}

/*
 * The chunk from 5.7 on: groups with their parts and the clusters that they were simplified into.
 */
struct chunk {
	const unsigned char *groups, *parts, *parents, *locations, *clusters;
	uint32_t n_groups, n_parts, n_parents, n_locations, n_clusters;
};

static struct chunk open_chunk(const struct cs_ue_nanite *nanite, const unsigned char *at)
{
	struct chunk chunk = {.n_groups = cs_ue_get(nanite, at, CS_UE_CHUNK_GROUPS),
		.n_parts = cs_ue_get(nanite, at, CS_UE_CHUNK_PARTS),
		.n_parents = cs_ue_get(nanite, at, CS_UE_CHUNK_PARENTS),
		.n_locations = cs_ue_get(nanite, at, CS_UE_CHUNK_LOCATIONS),
		.n_clusters = cs_ue_get(nanite, at, CS_UE_CHUNK_INDICES)};
	chunk.groups = at + 24;
	chunk.parts = chunk.groups + 16 * (size_t)chunk.n_groups;
	chunk.parents = chunk.parts + 12 * (size_t)chunk.n_parts;
	chunk.locations = chunk.parents + 10 * (size_t)chunk.n_parents;
	chunk.clusters = chunk.locations + 4 * (size_t)chunk.n_locations +
			 2 * (size_t)cs_ue_get(nanite, at, CS_UE_CHUNK_RECONSIDERED);
	return chunk;
}

static struct cs_error *read_group_parts(
	struct linker *linker, uint32_t page, const struct chunk *chunk, const unsigned char *group)
{
	uint32_t first = cs_load16(group + 8), n = cs_load16(group + 10);
	struct cs_error *error = NULL;
	if (first + n > chunk->n_parts)
		return nanite_link_broken("a group whose parts are not there");
	for (uint32_t i = first; i < first + n && !error; i++) {
		const unsigned char *part = chunk->parts + 12 * (size_t)i;
		uint32_t location = cs_load32(part + 4), locations = cs_load32(part + 8);
		if ((uint64_t)location + locations > chunk->n_locations || locations == 0)
			return nanite_link_broken("a part without a place in the hierarchy");
		error = add_fixup(linker, CS_MODEL_FIXUP_HIERARCHY, page, cs_load16(part), part[2],
			group, chunk->locations + 4 * (size_t)location);
	}
	return error;
}

static struct cs_error *read_group_parents(
	struct linker *linker, uint32_t page, const struct chunk *chunk, const unsigned char *group)
{
	uint32_t first = cs_load16(group + 12), n = cs_load16(group + 14);
	struct cs_error *error = NULL;
	if (first + n > chunk->n_parents)
		return nanite_link_broken("a group whose parents are not there");
	for (uint32_t i = first; i < first + n; i++) {
		const unsigned char *parent = chunk->parents + 10 * (size_t)i;
		uint32_t clusters = cs_load16(parent + 6), at = cs_load16(parent + 8);
		if (at + clusters > chunk->n_clusters)
			return nanite_link_broken("parents whose clusters are not there");
		for (uint32_t k = at; k < at + clusters && !error; k++)
			error = add_fixup(linker, CS_MODEL_FIXUP_CLUSTER, page, cs_load16(parent),
				chunk->clusters[k], group, NULL);
		if (error)
			break;
	}
	return error;
}

static struct cs_error *read_new_chunk(
	struct linker *linker, uint32_t page, const unsigned char *at)
{
	struct chunk chunk = open_chunk(linker->nanite, at);
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < chunk.n_groups && !error; i++)
		error = read_group_parts(linker, page, &chunk, chunk.groups + 16 * (size_t)i);
	for (uint32_t i = 0; i < chunk.n_groups && !error; i++)
		error = read_group_parents(linker, page, &chunk, chunk.groups + 16 * (size_t)i);
	return error;
}

static struct cs_error *read_chunks(struct linker *linker)
{
	bool groups = cs_ue_nanite_layouts[linker->nanite->version].groups;
	struct cs_error *error = NULL;
	for (uint32_t page = 0; page < linker->model->n_pages && !error; page++) {
		bool root = page < linker->nanite->n_root_pages;
		const unsigned char *at =
			(root ? linker->nanite->roots_bytes : linker->nanite->bulk) +
			linker->nanite->states[page].bulk_offset;
		linker->model->pages[page].first_fixup = (uint32_t)linker->fixups.n;
		error = groups ? read_new_chunk(linker, page, at)
			       : read_old_chunk(linker, page, at);
		linker->model->pages[page].n_fixups =
			(uint32_t)linker->fixups.n - linker->model->pages[page].first_fixup;
	}
	return error ? error : linker->failed ? cs_error_nomem() : NULL;
}

/* ---- parts and groups ---- */

static int nanite_link_by_cluster(const void *left, const void *right, void *context)
{
	const struct part *a = left, *b = right;
	(void)context;
	return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* Makes each part once, in the order of its clusters. The parts must tile all clusters. */
static struct cs_error *make_parts(struct linker *linker)
{
	struct cs_model *model = linker->model;
	uint32_t next = 0;
	if (!cs_sort(linker->parts.at, linker->parts.n, sizeof(*linker->parts.at),
		    nanite_link_by_cluster, NULL) ||
		!cs_model_allocate(&model->parts, linker->parts.n, sizeof(*model->parts)))
		return cs_error_nomem();
	for (size_t i = 0; i < linker->parts.n; i++) {
		const struct part *part = &linker->parts.at[i];
		if (i > 0 && part->cluster == linker->parts.at[i - 1].cluster)
			continue;
		const struct cs_model_page *page = &model->pages[part->page];
		uint32_t n = model->slots[part->slot].n_clusters;
		if (part->cluster != next || n == 0 ||
			n > page->first_cluster + page->n_clusters - next)
			return nanite_link_broken("parts that do not tile the clusters");
		for (uint32_t c = next; c < next + n; c++)
			model->clusters[c].part = (uint32_t)model->n_parts;
		next += n;
		if (model->pages[part->page].n_parts++ == 0)
			model->pages[part->page].first_part = (uint32_t)model->n_parts;
		model->slots[part->slot].part = (uint32_t)model->n_parts;
		model->parts[model->n_parts++] = (struct cs_model_part){.page = part->page,
			.first_cluster = part->cluster,
			.n_clusters = n,
			.slot = part->slot};
	}
	return next == model->n_clusters ? NULL : nanite_link_broken("clusters that no part has");
}

static struct cs_error *make_groups(struct linker *linker)
{
	struct cs_model *model = linker->model;
	uint32_t *rows;
	if (!cs_model_allocate(&model->groups, model->n_parts, sizeof(*model->groups)) ||
		!cs_model_allocate(
			&model->group_parts, model->n_parts, sizeof(*model->group_parts)) ||
		!cs_model_allocate(&rows, 65536, sizeof(*rows)))
		return cs_error_nomem();
	for (uint32_t i = 0; i < model->n_parts; i++) {
		struct cs_model_part *part = &model->parts[i];
		const struct cs_model_slot *slot = &model->slots[part->slot];
		uint32_t number = model->clusters[part->first_cluster].group_number & 0xffff;
		if (rows[number] == 0) {
			rows[number] = (uint32_t)++model->n_groups;
			struct cs_model_group *group = &model->groups[model->n_groups - 1];
			*group = (struct cs_model_group){.number = number,
				.first_page = slot->first_page,
				.n_pages = slot->n_pages,
				.radius = slot->radius,
				.min_error = slot->min_error,
				.max_parent_error = slot->max_parent_error};
			memcpy(group->centre, slot->centre, sizeof(group->centre));
		}
		part->group = rows[number] - 1;
		model->groups[part->group].n_parts++;
		model->groups[part->group].n_clusters += part->n_clusters;
		for (uint32_t c = 0; c < part->n_clusters; c++)
			model->clusters[part->first_cluster + c].group = part->group;
	}
	free(rows);
	uint32_t first = 0;
	for (uint32_t g = 0; g < model->n_groups; g++) {
		model->groups[g].first_part = first;
		first += model->groups[g].n_parts;
		model->groups[g].n_parts = 0;
	}
	for (uint32_t i = 0; i < model->n_parts; i++) {
		struct cs_model_group *group = &model->groups[model->parts[i].group];
		model->group_parts[group->first_part + group->n_parts++] = i;
	}
	model->n_group_parts = model->n_parts;
	return NULL;
}

/* ---- who made whom ---- */

struct key {
	float error, centre[3], radius;
	uint32_t group;
};

static int by_error(const void *left, const void *right, void *context)
{
	const struct key *a = left, *b = right;
	(void)context;
	return (a->error > b->error) - (a->error < b->error);
}

static uint32_t find_maker(const struct key *keys, size_t n, const struct cs_model_cluster *cluster)
{
	size_t at = cs_lower_bound(0, n, i, keys[i].error < cluster->lod_error);
	for (; at < n && keys[at].error == cluster->lod_error; at++)
		if (memcmp(keys[at].centre, cluster->lod_centre, sizeof(cluster->lod_centre)) ==
				0 &&
			keys[at].radius == cluster->lod_radius)
			return keys[at].group;
	return CS_NONE;
}

static struct cs_error *make_parents(struct linker *linker)
{
	struct cs_model *model = linker->model;
	struct key *keys;
	if (!cs_model_allocate(&keys, model->n_groups, sizeof(*keys)))
		return cs_error_nomem();
	for (uint32_t g = 0; g < model->n_groups; g++) {
		keys[g] = (struct key){.error = model->groups[g].max_parent_error,
			.radius = model->groups[g].radius,
			.group = g};
		memcpy(keys[g].centre, model->groups[g].centre, sizeof(keys[g].centre));
	}
	bool sorted = cs_sort(keys, model->n_groups, sizeof(*keys), by_error, NULL);
	uint32_t orphans = 0;
	for (uint32_t i = 0; i < model->n_clusters && sorted; i++) {
		struct cs_model_cluster *cluster = &model->clusters[i];
		if (cluster->edge_length < 0) /* level 0 */
			continue;
		cluster->maker = find_maker(keys, model->n_groups, cluster);
		if (cluster->maker == CS_NONE || cluster->maker == cluster->group)
			orphans++;
		else
			model->groups[cluster->maker].n_parents++;
	}
	free(keys);
	if (!sorted)
		return cs_error_nomem();
	if (orphans > 0)
		return nanite_link_broken("clusters whose error and sphere no group has");
	const struct cs_levels levels = {.clusters = model->clusters,
		.groups = model->groups,
		.n_clusters = model->n_clusters,
		.n_groups = model->n_groups};
	model->parents = cs_link_parents(&levels, &model->n_parents);
	return model->parents ? NULL : cs_error_nomem();
}

struct cs_error *cs_ue_nanite_link(const struct cs_ue_nanite *nanite, struct cs_model *model)
{
	struct linker linker = {.nanite = nanite, .model = model};
	struct cs_error *error = read_nodes(&linker);
	if (!error)
		error = read_chunks(&linker);
	if (!error)
		error = make_parts(&linker);
	if (!error)
		error = make_groups(&linker);
	if (!error)
		error = make_parents(&linker);
	if (!error && !cs_model_depend(
			      model, nanite->states, nanite->dependencies, nanite->n_dependencies))
		error = cs_error_nomem();
	if (!error) {
		model->fixups = linker.fixups.at;
		model->n_fixups = linker.fixups.n;
		linker.fixups.at = NULL;
	}
	cs_vec_free(&linker.fixups);
	cs_vec_free(&linker.parts);
	return error;
}
