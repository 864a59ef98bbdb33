/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes a DAG: checks that the format can store it, chooses a grid for its positions if it has
 * none, and calls the phases in order.
 */
#include "nanite/encode/encode.h"

#include "cluster/rounding.h"

#include "core/half.h"
#include "core/job.h"
#include "core/options.h"
#include "core/parallel.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- checking the DAG ---- */

static struct cs_error *bad(const char *what, uint32_t index, const char *problem)
{
	return cs_error_new(
		CS_E_NANITE, "%s %u of the DAG (counted from 0) %s", what, index, problem);
}

static bool within(uint32_t first, uint32_t count, uint32_t total)
{
	return first <= total && count <= total - first;
}

static struct cs_error *check_range(const char *what, uint32_t index, const char *parts,
	uint32_t first, uint32_t count, uint32_t most, uint32_t total)
{
	if (count < 1 || count > most)
		return cs_error_new(CS_E_NANITE,
			"%s %u of the DAG (counted from 0) has %u %s, but must have 1 to %u", what,
			index, count, parts, most);
	if (within(first, count, total))
		return NULL;
	return cs_error_new(CS_E_NANITE,
		"%s %u of the DAG (counted from 0) has %u %s from number %u on, but the DAG has "
		"only %u of them",
		what, index, count, parts, first, total);
}

static bool is_sphere(const struct cs_sphere_f *s)
{
	return isfinite(s->x) && isfinite(s->y) && isfinite(s->z) && s->radius >= 0 &&
	       isfinite(s->radius);
}

static unsigned largest(const uint8_t *values, size_t n)
{
	uint8_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = values[i] > most ? values[i] : most;
	return most;
}

static struct cs_error *check_cluster(const struct cs_dag *dag, uint32_t index)
{
	const struct cs_cluster *cluster = &dag->clusters[index];
	struct cs_error *error = check_range("cluster", index, "triangles", cluster->first_triangle,
		cluster->n_triangles, CS_CLUSTER_TRIANGLES, dag->n_triangles);
	if (!error)
		error = check_range("cluster", index, "vertices", cluster->first_vertex,
			cluster->n_vertices, CS_CLUSTER_VERTICES, dag->n_vertices);
	if (error)
		return error;
	if (largest(dag->corners + (size_t)cluster->first_triangle * 3, cluster->n_triangles * 3) >=
		cluster->n_vertices)
		return bad("cluster", index, "has a corner that is not one of its vertices");
	if (largest(dag->materials + cluster->first_triangle, cluster->n_triangles) >=
		CS_MAX_MATERIALS)
		return bad("cluster", index, "has a material with a number above 63");
	if (cluster->group >= dag->n_groups || (cluster->generating_group != CS_NONE &&
						       cluster->generating_group >= dag->n_groups))
		return bad("cluster", index, "names a group that does not exist");
	if (cluster->generating_group == CS_NONE
			? cluster->level != 0
			: dag->groups[cluster->generating_group].level >= cluster->level)
		return bad("cluster", index,
			"is not one level above the group that it was simplified from");
	if (!(cluster->lod_error >= 0))
		return bad("cluster", index, "has a `lod_error` that is not a number from 0 on");
	if (!is_sphere(&cluster->lod_bounds))
		return bad("cluster", index, "has `lod_bounds` that are not a finite sphere");
	return NULL;
}

static struct cs_error *check_group(const struct cs_dag *dag, uint32_t index)
{
	const struct cs_cluster_group *group = &dag->groups[index];
	if (group->mesh >= dag->n_meshes)
		return bad("group", index, "belongs to a mesh that does not exist");
	struct cs_error *error = check_range("group", index, "children", group->first_child,
		group->n_children, CS_GROUP_CLUSTERS, dag->n_children);
	if (error)
		return error;
	for (uint32_t i = 0; i < group->n_children; i++) {
		uint32_t child = dag->children[group->first_child + i];
		if (child >= dag->n_clusters || dag->clusters[child].group != index)
			return bad("group", index, "has a child cluster that names another group");
	}
	if (!(group->max_parent_error >= 0) || isnan(group->min_lod_error))
		return bad("group", index, "has an error that is negative or not a number");
	if (!is_sphere(&group->lod_bounds))
		return bad("group", index, "has `lod_bounds` that are not a finite sphere");
	return NULL;
}

/* Checks that all positions are finite, in blocks with one branch for each block. */
static struct cs_error *check_places(const struct cs_dag *dag)
{
	enum { BLOCK = 4096 };
	const size_t n = (size_t)dag->n_vertices * 3;
	for (size_t from = 0; from < n; from += BLOCK) {
		const size_t end = n - from < BLOCK ? n : from + BLOCK;
		int wrong = 0;
		for (size_t i = from; i < end; i++)
			wrong |= !(fabsf(dag->positions[i]) <= FLT_MAX);
		for (size_t i = from; wrong && i < end; i++)
			if (!isfinite(dag->positions[i]))
				return bad("vertex", (uint32_t)(i / 3),
					"has a position that is not finite");
	}
	return NULL;
}

static struct cs_error *encode_check(const struct cs_dag *dag)
{
	uint64_t children = 0;
	struct cs_error *error = NULL;
	if (dag->n_clusters == 0 || dag->n_groups == 0 || dag->n_meshes == 0)
		return cs_error_new(CS_E_NANITE,
			"the DAG must have at least one cluster, group and mesh, but has %u, %u "
			"and %u",
			dag->n_clusters, dag->n_groups, dag->n_meshes);
	if (dag->n_uvs > CS_MAX_UVS)
		return cs_error_new(CS_E_NANITE,
			"the DAG has %u UV channels, more than the limit of %d of a resource",
			dag->n_uvs, CS_MAX_UVS);
	error = check_places(dag);
	for (uint32_t i = 0; !error && i < dag->n_groups; i++) {
		children += dag->groups[i].n_children;
		error = check_group(dag, i);
	}
	if (!error && children != dag->n_clusters)
		error = cs_error_new(CS_E_NANITE,
			"the groups of the DAG have %llu clusters in all, but the DAG has %u: a "
			"cluster is in no group or in several",
			(unsigned long long)children, dag->n_clusters);
	for (uint32_t i = 0; !error && i < dag->n_clusters; i++)
		error = check_cluster(dag, i);
	return error;
}

/* ---- the grid of positions ---- */

struct box_work {
	const struct cs_dag *dag;
	struct cs_box_f *boxes; /* for each cluster, the bounding box of its vertices */
};

static void find_boxes(void *context, size_t begin, size_t end, int thread)
{
	const struct box_work *work = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		const struct cs_cluster *cluster = &work->dag->clusters[i];
		const float *p = work->dag->positions + (size_t)cluster->first_vertex * 3;
		struct cs_box_f box = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
		for (uint32_t v = 1; v < cluster->n_vertices; v++)
			for (unsigned axis = 0; axis < 3; axis++) {
				float at = p[v * 3 + axis];
				box.min[axis] = at < box.min[axis] ? at : box.min[axis];
				box.max[axis] = at > box.max[axis] ? at : box.max[axis];
			}
		work->boxes[i] = box;
	}
}

/*
 * Sets the precision of the grid to `wanted`, or for CS_PRECISION_AUTO to a guess (cs_grid_guess),
 * and lowers it until every cluster fits the grid. Returns E_SETTING if that lowers `wanted`.
 */
static struct cs_error *choose_grid(struct cs_encoder *encoder, int32_t wanted)
{
	const struct cs_dag *dag = encoder->dag;
	struct box_work work = {.dag = dag, .boxes = malloc(dag->n_clusters * sizeof(*work.boxes))};
	struct cs_box_f *leaves = malloc(dag->n_clusters * sizeof(*leaves));
	uint32_t n_leaves = 0;
	if (!work.boxes || !leaves) {
		free(work.boxes);
		free(leaves);
		return cs_error_nomem();
	}
	cs_parallel_for(cs_job_threads(encoder->job), dag->n_clusters, 256, find_boxes, &work);
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		if (dag->clusters[i].level == 0)
			leaves[n_leaves++] = work.boxes[i];
	encoder->precision =
		wanted == CS_PRECISION_AUTO ? cs_grid_guess(leaves, n_leaves) : (int)wanted;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		while (!cs_grid_fits(&work.boxes[i], encoder->precision))
			encoder->precision--;
	free(work.boxes);
	free(leaves);
	return cs_grid_check_finest(wanted, encoder->precision);
}

/* Uses the grid of the DAG, which each built DAG has; otherwise chooses a grid. */
static struct cs_error *encode_grid(struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	const int32_t wanted = encoder->options->position_precision;
	struct cs_error *error = cs_grid_check(wanted);
	if (!error && !dag->on_grid)
		error = choose_grid(encoder, wanted);
	else if (!error && wanted != CS_PRECISION_AUTO && wanted != dag->precision)
		error = cs_error_new(CS_E_SETTING,
			"the DAG was built with position precision %d, but the resource shall "
			"have %d: build the DAG with that precision",
			dag->precision, wanted);
	else
		encoder->precision = dag->precision;
	if (error)
		return error;
	encoder->scale = ldexpf(1, encoder->precision);
	encoder->step = ldexpf(1, -encoder->precision);
	return NULL;
}

/* ---- rounding errors to half precision ---- */

/* Errors are clamped to CS_HALF_MOST times half_unit, which exceeds any distance in the grid. */
uint16_t cs_encode_error_half(const struct cs_encoder *encoder, float error)
{
	return error >= CS_ROOT_PARENT_ERROR
		       ? CS_HALF_INFINITY
		       : cs_half_above(fminf(error / encoder->half_unit, CS_HALF_MOST));
}

/* ---- running the phases ---- */

static struct cs_error *begin(struct cs_encoder *encoder)
{
	encoder->n_arenas = cs_parallel_threads(cs_job_threads(encoder->job));
	encoder->arenas = calloc((size_t)encoder->n_arenas, sizeof(*encoder->arenas));
	encoder->resource = cs_nanite_new();
	return encoder->arenas && encoder->resource ? NULL : cs_error_nomem();
}

static void finish(struct cs_encoder *encoder)
{
	for (int i = 0; encoder->arenas && i < encoder->n_arenas; i++)
		cs_arena_deinit(&encoder->arenas[i]);
	free(encoder->arenas);
	free(encoder->clusters);
	free(encoder->groups);
	free(encoder->children);
	free(encoder->parts);
	free(encoder->pages);
	free(encoder->widened.clusters);
	free(encoder->widened.groups);
	cs_nanite_free(encoder->resource);
}

struct cs_error *cs_nanite_encode(const struct cs_dag *dag, const struct cs_nanite_options *options,
	const struct cs_job *job, struct cs_nanite **ret)
{
	static struct cs_error *(*const phases[])(struct cs_encoder * encoder) = {
		begin,
		encode_grid,
		cs_encode_widen,
		cs_encode_clusters,
		cs_encode_assign,
		cs_encode_hierarchy,
		cs_encode_pages,
		cs_encode_atlas,
		cs_encode_tables,
	};
	const size_t first_size = offsetof(struct cs_nanite_options, thorough);
	const struct cs_nanite_options defaults = cs_nanite_options_default();
	struct cs_nanite_options own;
	struct cs_encoder encoder = {.dag = dag, .options = &own, .job = job};
	struct cs_error *error =
		cs_options_read(options ? options : &defaults, first_size, &own, sizeof(own));
	if (!error)
		error = encode_check(dag);
	for (size_t i = 0; !error && i < sizeof(phases) / sizeof(phases[0]); i++) {
		cs_job_progress(job, "encode", i, sizeof(phases) / sizeof(phases[0]));
		error = phases[i](&encoder);
		if (!error)
			error = cs_job_check(job);
	}
	if (!error) {
		*ret = encoder.resource;
		encoder.resource = NULL;
	}
	finish(&encoder);
	return error;
}
