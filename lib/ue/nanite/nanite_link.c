/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links the clusters of a resource that Unreal Engine cooked (nanite-versions rules 3, 4, 6). Reads
 * the slots (child entries) of the hierarchy nodes, and the fixups, which name the clusters and
 * nodes to patch when a page is loaded. Checks that the slots define parts and groups of clusters
 * without gaps, as they do in our own format (nanite/decode/link.c).
 */
#include "ue/nanite/cooked_nanite.h"

#include "core/cursor.h"
#include "core/half.h"
#include "core/vec.h"
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include <math.h>

enum { SLOTS = CS_UE_NODE_SLOTS };

struct linker {
	const struct cs_ue_nanite *nanite;
	struct cs_model *model;
	CS_VEC(struct cs_model_fixup) fixups;
	bool failed;
};

static struct cs_error *nanite_link_broken(const char *what)
{
	return cs_error_new(CS_E_NANITE, "cluster hierarchy: %s", what);
}

/* ---- slots of the hierarchy ---- */

static const unsigned char *slot_at(const struct cs_ue_nanite *nanite, uint32_t node, uint32_t slot)
{
	uint32_t bytes = cs_ue_nanite_layouts[nanite->version].node_bytes;
	return nanite->nodes + (size_t)node * bytes + (size_t)slot * (bytes / SLOTS);
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
	/* if fixups are stored by group, a minus sign means only that the slot is still a leaf */
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
			return nanite_link_broken(
				"a root of the hierarchy names a node that does not exist");
	}
	for (uint32_t node = 0; node < nanite->n_nodes; node++) {
		struct cs_model_node *row = &model->nodes[node];
		row->first_slot = (uint32_t)model->n_slots;
		row->parent = row->depth = CS_NONE;
		for (uint32_t k = 0; k < SLOTS; k++) {
			const unsigned char *at = slot_at(nanite, node, k);
			if (cs_load32(at + 48) == 0 &&
				cs_ue_get(nanite, at, CS_UE_SLOT_CLUSTERS) == 0)
				continue;
			struct cs_model_slot *slot = &model->slots[model->n_slots];
			*slot = (struct cs_model_slot){.node = node, .slot = k};
			nanite_link_read_slot(nanite, at, slot);
			if (slot->child != CS_NONE &&
				(slot->child >= nanite->n_nodes || slot->child <= node))
				return nanite_link_broken(
					"a slot names a child node that does not exist or precedes "
					"its parent");
			model->n_slots++;
			row->n_slots++;
		}
	}
	for (uint32_t i = 0; i < model->n_slots; i++)
		if (model->slots[i].child != CS_NONE)
			model->nodes[model->slots[i].child].parent = i;
	return NULL;
}

/* ---- fixups of pages ---- */

/*
 * Adds a fixup of `page`. Its target is the cluster with the number `cluster` in the page
 * target_page. `range` points to the stored word with the range of pages to wait for. `place`
 * points to the stored word with the slot of a part, and is NULL for fixups of clusters.
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
		return nanite_link_broken(
			place ? "a fixup names a part or a slot that does not exist"
			      : "a fixup names a cluster that does not exist");
	fixup.cluster = model->pages[target_page].first_cluster + cluster;
	cs_vec_push_in(linker, fixups, fixup);
	linker->model->pages[page].n_hierarchy_fixups += place != NULL;
	return NULL;
}

/* Reads a fixup chunk of 5.3 to 5.6: fixups of parts of the page's groups, then of clusters. */
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
 * Fixup tables of a page from 5.7 on. Each group has a range of `parts`, and a range of `parents`,
 * which name the clusters into which the group was simplified.
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
		return nanite_link_broken("a group names parts that do not exist");
	for (uint32_t i = first; i < first + n && !error; i++) {
		const unsigned char *part = chunk->parts + 12 * (size_t)i;
		uint32_t location = cs_load32(part + 4), locations = cs_load32(part + 8);
		if ((uint64_t)location + locations > chunk->n_locations || locations == 0)
			return nanite_link_broken("a part has no slot in the hierarchy");
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
		return nanite_link_broken("a group names parents that do not exist");
	for (uint32_t i = first; i < first + n; i++) {
		const unsigned char *parent = chunk->parents + 10 * (size_t)i;
		uint32_t clusters = cs_load16(parent + 6), at = cs_load16(parent + 8);
		if (at + clusters > chunk->n_clusters)
			return nanite_link_broken(
				"the parents of a group name clusters that do not exist");
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

/* ---- parts and groups of clusters ---- */

static void read_group_slot(const void *context, uint32_t index, struct cs_model_group *ret)
{
	const struct cs_model_slot *slot = &((const struct cs_model *)context)->slots[index];
	memcpy(ret->centre, slot->centre, sizeof(ret->centre));
	ret->radius = slot->radius;
	ret->min_error = slot->min_error;
	ret->max_parent_error = slot->max_parent_error;
	ret->first_page = slot->first_page;
	ret->n_pages = slot->n_pages;
}

/*
 * Checks that each slot has as many clusters as its part, that every cluster has a part, and that
 * every cluster above level 0 has the group that it was made from.
 */
static struct cs_error *check_links(struct cs_model *model)
{
	for (uint32_t i = 0; i < model->n_parts; i++) {
		struct cs_model_slot *slot = &model->slots[model->parts[i].slot];
		slot->part = i;
		if (slot->n_clusters != model->parts[i].n_clusters)
			return nanite_link_broken(
				"the slot of a part and the part itself have different numbers of "
				"clusters");
	}
	for (size_t i = 0; i < model->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &model->clusters[i];
		if (cluster->part == CS_NONE)
			return nanite_link_broken("a cluster belongs to no part of a group");
		if (cluster->maker == CS_NONE && !signbit(cluster->edge_length))
			return nanite_link_broken(
				"the sphere and error that a cluster stores for its finer group "
				"are those of no group");
	}
	return NULL;
}

static struct cs_error *nanite_link_groups(
	const struct cs_ue_nanite *nanite, struct cs_model *model)
{
	if (!cs_model_allocate(&model->parts, model->n_clusters, sizeof(*model->parts)) ||
		!cs_model_allocate(&model->groups, model->n_clusters, sizeof(*model->groups)))
		return cs_error_nomem();
	struct cs_links links = {.pages = model->pages,
		.clusters = model->clusters,
		.fixups = model->fixups,
		.n_pages = model->n_pages,
		.n_clusters = model->n_clusters,
		.n_fixups = model->n_fixups,
		.far_parts = cs_ue_nanite_layouts[nanite->version].groups,
		.by_part = true,
		.read_slot = read_group_slot,
		.context = model,
		.parts = model->parts,
		.groups = model->groups};
	bool ok = cs_link_groups(&links, NULL);
	model->n_parts = links.n_parts;
	model->n_groups = links.n_groups;
	model->group_parts = links.group_parts;
	model->parents = links.parents;
	return ok ? check_links(model) : cs_error_nomem();
}

struct cs_error *cs_ue_nanite_link(const struct cs_ue_nanite *nanite, struct cs_model *model)
{
	struct linker linker = {.nanite = nanite, .model = model};
	struct cs_error *error = read_nodes(&linker);
	if (!error)
		error = read_chunks(&linker);
	model->fixups = linker.fixups.at;
	model->n_fixups = linker.fixups.n;
	if (!error)
		error = nanite_link_groups(nanite, model);
	if (!error && !cs_model_depend(
			      model, nanite->states, nanite->dependencies, nanite->n_dependencies))
		error = cs_error_nomem();
	return error;
}
