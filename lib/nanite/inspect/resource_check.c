/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the rules that apply to any decoded model, from a .cnanite file or an engine's file.
 * Findings are sorted by page; those that concern no single page come last.
 *
 * Seams: the finest clusters are drawn first, then each group is replaced by its parents, in the
 * order of increasing error. Each edge has a count: its uses by drawn clusters in one direction
 * minus those in the opposite direction. If an edge between a group and another group has the count
 * 0 before the group is replaced, and another count afterwards, there is a crack between the two
 * groups.
 */
#include "nanite/format/format_rules.h"
#include "nanite/format/keys.h"
#include "nanite/inspect/model_inside.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct model_check {
	const struct cs_model *model;
	/* one list for each page, and one for breaches that concern no single page */
	struct cs_breaches *breaches;
};

/* Relative tolerances for values rounded to half precision, and for spheres in single precision. */
static const double half_slack = 1.0 / 512, model_sphere_slack = 1e-5;

static struct cs_breaches *model_page_breaches(const struct model_check *check, uint32_t page)
{
	return &check->breaches[page == CS_NONE ? check->model->n_pages : page];
}

/* These macros record a breach of a cluster, of a page, or of neither. */
#define CLUSTER_BREACH(check, c, rule, ...)                    \
	cs_breach(model_page_breaches(check, (c)->page), rule, \
		(struct cs_place){(c)->page, (c)->index, CS_NO_OFFSET}, __VA_ARGS__)
#define PAGE_BREACH(check, page, rule, ...)               \
	cs_breach(model_page_breaches(check, page), rule, \
		(struct cs_place){page, CS_NONE, CS_NO_OFFSET}, __VA_ARGS__)
#define REST_BREACH(check, rule, ...) \
	cs_breach(model_page_breaches(check, CS_NONE), rule, CS_NOWHERE, __VA_ARGS__)

/* ---- checks of clusters ---- */

static const float *model_position_of(
	const struct cs_model *model, const struct cs_model_cluster *cluster, uint32_t vertex)
{
	return model->positions + 3 * ((size_t)cluster->first_vertex + vertex);
}

static double edge_of(const float *a, const float *b)
{
	double sum = 0;
	for (int k = 0; k < 3; k++)
		sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
	return sqrt(sum);
}

static void model_check_box(const struct model_check *check, const struct cs_model_cluster *cluster)
{
	for (int k = 0; k < 3; k++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t v = 0; v < cluster->n_vertices; v++) {
			const double at = (double)model_position_of(check->model, cluster, v)[k];
			low = fmin(low, at);
			high = fmax(high, at);
		}
		const double centre = (double)cluster->box_centre[k],
			     extent = (double)cluster->box_extent[k];
		if (!(fabs(centre - extent - low) <= cluster->grid_step / 2))
			CLUSTER_BREACH(check, cluster, CS_RULE_C8,
				"the box of the cluster begins at %.9g, but its "
				"vertices begin at %.9g",
				centre - extent, low);
		else if (!(fabs(centre + extent - high) <= cluster->grid_step / 2))
			CLUSTER_BREACH(check, cluster, CS_RULE_C8,
				"the box of the cluster ends at %.9g, but its vertices "
				"end at %.9g",
				centre + extent, high);
	}
}

static void model_check_triangles(
	const struct model_check *check, const struct cs_model_cluster *cluster)
{
	const struct cs_model *model = check->model;
	uint32_t flat = 0;
	double longest = 0;
	for (uint32_t t = 0; t < cluster->n_triangles; t++) {
		const uint8_t *v = model->corners + 3 * ((size_t)cluster->first_triangle + t);
		bool equal = false;
		for (int k = 0; k < 3; k++) {
			const double edge = edge_of(model_position_of(model, cluster, v[k]),
				model_position_of(model, cluster, v[(k + 1) % 3]));
			longest = fmax(longest, edge);
			equal = equal || edge == 0;
		}
		flat += equal;
	}
	if (flat)
		CLUSTER_BREACH(check, cluster, CS_RULE_C11,
			"triangles with two corners at the same position: %u", flat);
	/* The stored edge length was measured before positions were rounded to the grid. */
	if ((double)fabsf(cluster->edge_length) <
		longest * (1 - half_slack) - 2 * cluster->grid_step)
		CLUSTER_BREACH(check, cluster, CS_RULE_C9,
			"the edge length of the cluster is stored as %.9g, but its "
			"longest edge is %.9g",
			(double)fabsf(cluster->edge_length), longest);
}

static void model_check_materials(
	const struct model_check *check, const struct cs_model_cluster *cluster)
{
	uint32_t next = 0;
	bool ok = true;
	for (uint32_t i = 0; i < cluster->n_materials; i++) {
		const struct cs_model_material *range =
			&check->model->materials[cluster->first_material + i];
		ok = ok && range->first == next && range->count > 0;
		next = range->first + range->count;
	}
	if (!ok || next != cluster->n_triangles)
		CLUSTER_BREACH(check, cluster, CS_RULE_M1,
			"the material ranges do not cover the triangles without gaps and empty "
			"ranges: they end at triangle %u of %u",
			next, cluster->n_triangles);
}

static void model_check_cluster(
	const struct model_check *check, const struct cs_model_cluster *cluster)
{
	uint32_t index_bits = 1;
	while (1u << index_bits < cluster->n_vertices)
		index_bits++;
	if (cluster->index_bits != index_bits)
		CLUSTER_BREACH(check, cluster, CS_RULE_C3,
			"vertex indices have %u bits instead of %u", cluster->index_bits,
			index_bits);
	if (!isfinite(cluster->lod_error) || cluster->lod_error < 0 ||
		!isfinite(cluster->lod_radius))
		CLUSTER_BREACH(check, cluster, CS_RULE_C7,
			"the error or sphere of the cluster is not a finite number");
	else if ((cluster->lod_error == 0) != (cluster->edge_length < 0) &&
		 cluster->maker == CS_NONE)
		CLUSTER_BREACH(check, cluster, CS_RULE_C9,
			"the cluster has error %.9g and edge length %.9g, but only clusters of "
			"level 0 have error 0 and a negative length",
			(double)cluster->lod_error, (double)cluster->edge_length);
	model_check_box(check, cluster);
	model_check_triangles(check, cluster);
	model_check_materials(check, cluster);
}

/* ---- checks of pages ---- */

/* Checks dependencies against fixups. marks[i] is 1 + the last page found to depend on page i. */
static void check_dependencies(const struct model_check *check, uint32_t p, uint32_t *marks)
{
	const struct cs_model *model = check->model;
	const struct cs_model_page *page = &model->pages[p];
	uint32_t wanted = 0, known = 0;
	for (uint32_t i = 0; i < page->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &model->fixups[page->first_fixup + i];
		if ((uint64_t)fixup->first_page + fixup->n_pages > model->n_pages)
			PAGE_BREACH(check, p, CS_RULE_X6,
				"a fixup waits for pages that do not exist (first: %u, number: %u, "
				"pages of the resource: %zu)",
				fixup->first_page, fixup->n_pages, model->n_pages);
		if (fixup->kind != CS_MODEL_FIXUP_CLUSTER || fixup->target_page == p ||
			marks[fixup->target_page] == p + 1)
			continue;
		marks[fixup->target_page] = p + 1;
		wanted++;
	}
	for (uint32_t i = model->dependency_first[p]; i < model->dependency_first[p + 1]; i++) {
		const uint32_t on = model->dependencies[i];
		if (on >= p)
			PAGE_BREACH(check, p, CS_RULE_X11,
				"the page depends on page %u, which is not an earlier page", on);
		if (marks[on] == p + 1)
			known++;
		else
			PAGE_BREACH(check, p, CS_RULE_X10,
				"the page depends on page %u, but has no fixup for it", on);
	}
	if (known < wanted)
		PAGE_BREACH(check, p, CS_RULE_X10,
			"the page depends on only %u of the %u pages that it has fixups for", known,
			wanted);
}

static bool model_check_pages(const struct model_check *check)
{
	const struct cs_model *model = check->model;
	uint32_t *marks = calloc(model->n_pages + 1, sizeof(*marks));
	for (uint32_t p = 0; marks && p < model->n_pages; p++) {
		if (model->pages[p].gpu_bytes > model->pages[p].gpu_limit)
			PAGE_BREACH(check, p, CS_RULE_P5,
				"the loaded page has %u bytes, more than the limit of %u",
				model->pages[p].gpu_bytes, model->pages[p].gpu_limit);
		check_dependencies(check, p, marks);
	}
	free(marks);
	return marks != NULL;
}

/* ---- checks of the hierarchy ---- */

static bool sphere_holds(const float *outer, double radius, const float *inner, double other)
{
	double size = radius;
	for (int k = 0; k < 3; k++)
		size += fabs((double)outer[k]);
	return edge_of(outer, inner) + other <= radius + model_sphere_slack * size;
}

static const char *slot_sticks_out(
	const struct cs_model_slot *outer, const struct cs_model_slot *inner)
{
	for (int k = 0; k < 3; k++) {
		const double size =
			(double)fabsf(outer->box_centre[k]) + (double)outer->box_extent[k];
		const double gap =
			fabs((double)outer->box_centre[k] - (double)inner->box_centre[k]) +
			(double)inner->box_extent[k] - (double)outer->box_extent[k];
		if (!(gap <= model_sphere_slack * size))
			return "box";
	}
	if (inner->min_error < outer->min_error ||
		inner->max_parent_error > outer->max_parent_error)
		return "range of errors";
	if (isfinite(inner->max_parent_error) && !sphere_holds(outer->centre, (double)outer->radius,
							 inner->centre, (double)inner->radius))
		return "sphere";
	return NULL;
}

static void model_check_slots(const struct model_check *check)
{
	const struct cs_model *model = check->model;
	for (uint32_t i = 0; i < model->n_slots; i++) {
		const struct cs_model_slot *slot = &model->slots[i];
		if (slot->child == CS_NONE && slot->part == CS_NONE)
			REST_BREACH(check, CS_RULE_H3,
				"slot %u of node %u is marked as a leaf, but belongs to no "
				"part",
				slot->slot, slot->node);
		if (slot->child == CS_NONE)
			continue;
		const struct cs_model_node *node = &model->nodes[slot->child];
		for (uint32_t k = 0; k < node->n_slots; k++) {
			const char *says =
				slot_sticks_out(slot, &model->slots[node->first_slot + k]);
			if (says)
				REST_BREACH(check, CS_RULE_H4,
					"the %s of a slot of a child node lies outside "
					"slot %u of node %u",
					says, slot->slot, slot->node);
		}
	}
	for (uint32_t i = 0; i < model->n_nodes; i++)
		if (model->nodes[i].depth == CS_NONE)
			REST_BREACH(check, CS_RULE_H1, "no root leads to node %u", i);
}

/* ---- checks of groups ---- */

static void check_member(const struct model_check *check, const struct cs_model_group *group,
	const struct cs_model_cluster *cluster)
{
	if (cluster->lod_error > group->max_parent_error)
		CLUSTER_BREACH(check, cluster, CS_RULE_D3,
			"the error of the cluster is %.9g, which is more than the %.9g "
			"of its parents",
			(double)cluster->lod_error, (double)group->max_parent_error);
	else if (isfinite(group->max_parent_error) &&
		 !sphere_holds(group->centre, (double)group->radius, cluster->lod_centre,
			 (double)cluster->lod_radius))
		CLUSTER_BREACH(check, cluster, CS_RULE_D3,
			"the sphere of the cluster is not inside the sphere of its parents");
}

static void check_group(const struct model_check *check, const struct cs_model_group *group)
{
	const struct cs_model *model = check->model;
	for (uint32_t k = 0; k < group->n_parts; k++) {
		const struct cs_model_part *part = CS_GROUP_PART(model, group, k);
		const struct cs_model_slot *slot =
			part->slot == CS_NONE ? NULL : &model->slots[part->slot];
		if (!slot)
			PAGE_BREACH(check, part->page, CS_RULE_H3, "a part of group %u has no slot",
				group->number);
		else if (slot->max_parent_error != group->max_parent_error ||
			 slot->min_error != group->min_error || slot->radius != group->radius)
			PAGE_BREACH(check, part->page, CS_RULE_H5,
				"the slots of group %u have different spheres or errors",
				group->number);
		for (uint32_t i = 0; i < part->n_clusters; i++)
			check_member(check, group, &model->clusters[part->first_cluster + i]);
	}
	if (isfinite(group->max_parent_error) && group->n_parents == 0)
		REST_BREACH(check, CS_RULE_D2, "no cluster has the sphere and error of group %u",
			group->number);
}

/* Checks that level 0 (clusters without generating group) has the source's number of triangles. */
static void check_source(const struct model_check *check)
{
	const struct cs_model *model = check->model;
	uint64_t triangles = 0;
	for (size_t i = 0; i < model->n_clusters; i++)
		triangles +=
			model->clusters[i].maker == CS_NONE ? model->clusters[i].n_triangles : 0;
	if (model->input_triangles != CS_NONE && triangles != model->input_triangles)
		REST_BREACH(check, CS_RULE_D8,
			"level 0 has %" PRIu64 " triangle%s, but the source mesh has %u", triangles,
			triangles == 1 ? "" : "s", model->input_triangles);
}

/* ---- seams between groups ---- */

/*
 * Counts of edges. The two positions of an edge are stored with the lower number first. The count
 * of an edge is how often it is used in this direction minus how often in the opposite direction.
 */
struct seam_counts {
	struct cs_keys edges;
	uint32_t *places; /* for each vertex of the model, the index of its position */
	/* uses of each edge of drawn clusters from lower to higher position minus opposite uses */
	int32_t *counts;
	bool *seams; /* for each edge, whether two groups have the edge in opposite directions */
};

static bool seams_number_places(const struct cs_model *model, uint32_t *ret)
{
	struct cs_keys set;
	const bool ok = cs_keys_init(&set, model->n_vertices, 3);
	for (size_t v = 0; ok && v < model->n_vertices; v++) {
		uint32_t key[3];
		for (size_t k = 0; k < 3; k++)
			key[k] = cs_bits_of_float(model->positions[3 * v + k] + 0.0f);
		ret[v] = cs_keys_add(&set, key);
	}
	cs_keys_deinit(&set);
	return ok;
}

static bool seams_init(const struct cs_model *model, struct seam_counts *ret)
{
	const size_t most = 3 * model->n_triangles;
	*ret = (struct seam_counts){.places = malloc((model->n_vertices + 1) * sizeof(uint32_t)),
		.counts = calloc(most + 1, sizeof(int32_t)),
		.seams = calloc(most + 1, sizeof(bool))};
	return cs_keys_init(&ret->edges, most, 2) && ret->places && ret->counts && ret->seams &&
	       seams_number_places(model, ret->places);
}

static void seams_deinit(struct seam_counts *counts)
{
	cs_keys_deinit(&counts->edges);
	free(counts->places);
	free(counts->counts);
	free(counts->seams);
}

/* What is done with each edge, in the order in which a group is replaced by its parents. */
enum seam_step { SEAM_BEFORE, SEAM_REMOVE, SEAM_KEEP, SEAM_ADD, SEAM_AFTER, SEAM_STEPS };

/*
 * Takes one step of a replacement for an edge. Returns whether the edge is a crack that was not
 * returned before: a seam whose count is no longer 0 in the step SEAM_AFTER.
 */
static bool seam_take(struct seam_counts *counts, uint32_t edge, int way, enum seam_step step)
{
	const bool is_open = counts->seams[edge] && counts->counts[edge] != 0;
	if (step == SEAM_ADD || step == SEAM_REMOVE)
		counts->counts[edge] += step == SEAM_ADD ? way : -way;
	else if (step == SEAM_BEFORE)
		counts->seams[edge] = counts->counts[edge] == 0;
	else
		/* an edge that another group also has keeps a count when this group is removed */
		counts->seams[edge] = step == SEAM_KEEP && is_open;
	return step == SEAM_AFTER && is_open;
}

/*
 * Takes one step of a replacement for each edge of a cluster, except edges whose ends are at one
 * position. Returns the number of cracks.
 */
static uint32_t seam_step(const struct cs_model *model, struct seam_counts *counts,
	uint32_t cluster, enum seam_step step)
{
	const struct cs_model_cluster *row = &model->clusters[cluster];
	const uint32_t *places = counts->places + row->first_vertex;
	uint32_t n = 0;
	for (uint32_t t = 0; t < row->n_triangles; t++)
		for (int k = 0; k < 3; k++) {
			const uint8_t *v = model->corners + 3 * ((size_t)row->first_triangle + t);
			const uint32_t a = places[v[k]], b = places[v[(k + 1) % 3]];
			const uint32_t key[2] = {a < b ? a : b, a < b ? b : a};
			if (a != b)
				n += seam_take(counts, cs_keys_add(&counts->edges, key),
					a < b ? 1 : -1, step);
		}
	return n;
}

static uint32_t replace_group(const struct cs_model *model, struct seam_counts *counts,
	const struct cs_model_group *group)
{
	uint32_t cracks = 0;
	for (enum seam_step step = 0; step < SEAM_STEPS; step++) {
		for (uint32_t i = 0; step == SEAM_ADD && i < group->n_parents; i++)
			seam_step(model, counts, model->parents[group->first_parent + i], step);
		for (uint32_t k = 0; step != SEAM_ADD && k < group->n_parts; k++) {
			const struct cs_model_part *part = CS_GROUP_PART(model, group, k);
			for (uint32_t i = 0; i < part->n_clusters; i++)
				cracks += seam_step(model, counts, part->first_cluster + i, step);
		}
	}
	return cracks;
}

static bool model_check_seams(const struct model_check *check)
{
	const struct cs_model *model = check->model;
	struct seam_counts counts;
	struct cs_sort_key *order = calloc(model->n_groups + 1, sizeof(*order));
	bool ok = seams_init(model, &counts) && order;
	for (uint32_t g = 0; ok && g < model->n_groups; g++)
		order[g] = (struct cs_sort_key){
			.high = cs_bits_of_float(fmaxf(model->groups[g].max_parent_error, 0)),
			.low = model->groups[g].level,
			.index = g};
	ok = ok && cs_sort_keys(order, model->n_groups);
	for (uint32_t i = 0; ok && i < model->n_clusters; i++)
		if (model->clusters[i].maker == CS_NONE)
			seam_step(model, &counts, i, SEAM_ADD);
	for (size_t i = 0; ok && i < model->n_groups; i++) {
		const struct cs_model_group *group = &model->groups[order[i].index];
		const uint32_t cracks = group->n_parents ? replace_group(model, &counts, group) : 0;
		if (cracks)
			REST_BREACH(check, CS_RULE_D5,
				"in the coarser clusters simplified from group %u seam edges are "
				"open: %u",
				group->number, cracks);
	}
	seams_deinit(&counts);
	free(order);
	return ok;
}

/* ---- running all checks ---- */

static bool model_check_all(const struct model_check *check)
{
	const struct cs_model *model = check->model;
	for (size_t i = 0; i < model->n_clusters; i++)
		model_check_cluster(check, &model->clusters[i]);
	for (size_t i = 0; i < model->n_groups; i++)
		check_group(check, &model->groups[i]);
	model_check_slots(check);
	check_source(check);
	return model_check_pages(check) && model_check_seams(check);
}

struct cs_error *cs_model_check(const struct cs_model *model, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret)
{
	struct cs_verify sink = {report, context, 0, cs_job_limits(job).findings};
	struct cs_breaches *breaches = calloc(model->n_pages + 1, sizeof(*breaches));
	const struct model_check check = {model, breaches};
	struct cs_error *error = cs_job_check(job);
	if (!error && (!breaches || !model_check_all(&check)))
		error = cs_error_nomem();
	for (size_t i = 0; breaches && i <= model->n_pages; i++) {
		if (!error && breaches[i].out_of_memory)
			error = cs_error_nomem();
		if (!error)
			cs_breaches_report(&breaches[i],
				i < model->n_pages ? model->pages[i].offset : CS_NO_OFFSET, &sink);
		cs_breaches_deinit(&breaches[i]);
	}
	free(breaches);
	if (!error)
		*n_ret = sink.n;
	return error;
}
