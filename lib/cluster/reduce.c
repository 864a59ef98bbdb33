/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduces one group to its parent clusters: the clusters of the group are merged into a patch
 * (cluster/merge.c), the patch is simplified to half its triangles, and the result is cut into the
 * parent clusters.
 */
#include "cluster/reduce.h"

#include "cluster/bounds.h"
#include "cluster/finer.h"
#include "cluster/split.h"
#include "core/job.h"
#include "mesh/deviation.h"

#include <math.h>
#include <string.h>

/* Desired mean triangle count of parent clusters, below the limit for single clusters. */
enum { PARENT_TRIANGLES = CS_CLUSTER_TRIANGLES - 2 };

/*
 * The error bound of a triangle is not made tighter if it is at most GROWTH times the largest error
 * of the group's children: most groups have about twice that error anyway.
 */
#define GROWTH 1.1f

/*
 * To bound the error of a group, finer triangles are cut into pieces, which are compared with the
 * simplified triangles. EFFORT is the largest number of pieces for each group. LEVEL_EFFORT is an
 * additional number, which is divided among all groups of a level.
 */
enum { EFFORT = 4096, LEVEL_EFFORT = 2048 };

/* ---- cutting the simplified patch into parents ---- */

static void set_centres(const struct cs_simplified *simplified, float *centres)
{
	for (size_t i = 0; i < simplified->n_triangles; i++)
		for (size_t k = 0; k < 3; k++) {
			float sum = 0;
			for (size_t c = 0; c < 3; c++)
				sum += simplified->positions
					       [3 * (size_t)simplified->places
								       [simplified->corners[3 * i +
											    c]] +
						       k];
			centres[3 * i + k] = sum / 3;
		}
}

static struct cs_error *split(struct cs_reducer *reducer, const struct cs_simplified *simplified,
	struct cs_partition *ret, size_t *n_vertices_ret)
{
	struct cs_graph_arrays arrays;
	struct cs_error *error =
		cs_graph_of_triangles(reducer->opposite, simplified->n_triangles, 1, &arrays);
	if (error)
		return error;
	set_centres(simplified, arrays.centres);
	error = cs_graph_link_islands(&arrays, CS_CLUSTER_TRIANGLES);
	struct cs_graph graph = cs_graph_of(&arrays);
	if (!error)
		error = cs_split_triangles(&graph, simplified->corners, reducer->patch.n_wedges,
			reducer->builder->options.partitioner, 1, ret, n_vertices_ret);
	cs_graph_deinit(&arrays);
	return error;
}

static void write_vertex(const struct cs_reducer *reducer, const struct cs_simplified *simplified,
	uint32_t wedge, struct cs_batch *batch)
{
	struct cs_vertex to = {batch->positions, batch->normals, batch->uvs, batch->colors,
		reducer->builder->dag.n_uvs, batch->n_vertices++};
	memcpy(batch->positions + 3 * to.at,
		simplified->positions + 3 * (size_t)simplified->places[wedge], 3 * sizeof(float));
	memcpy(batch->exact + 3 * to.at, simplified->exact + 3 * (size_t)simplified->places[wedge],
		3 * sizeof(float));
	cs_attributes_write(
		simplified->attributes + (size_t)wedge * reducer->patch.n_attributes, &to);
}

static void write_cluster(const struct cs_reducer *reducer, const struct cs_simplified *simplified,
	const uint32_t *triangles, uint32_t n, uint32_t *number, struct cs_batch *batch)
{
	struct cs_cluster cluster = {
		.first_vertex = batch->n_vertices,
		.first_triangle = batch->n_triangles,
		.n_triangles = n,
		.group = CS_NONE,
	};
	uint8_t *corners = batch->corners + 3 * (size_t)batch->n_triangles;
	for (uint32_t i = 0; i < 3 * n; i++) {
		uint32_t wedge = simplified->corners[3 * (size_t)triangles[i / 3] + i % 3];
		if (number[wedge] <= cluster.first_vertex) {
			write_vertex(reducer, simplified, wedge, batch);
			number[wedge] = batch->n_vertices;
		}
		corners[i] = (uint8_t)(number[wedge] - 1 - cluster.first_vertex);
	}
	for (uint32_t i = 0; i < n; i++) {
		batch->errors[batch->n_triangles] = reducer->errors[triangles[i]];
		batch->materials[batch->n_triangles++] =
			reducer->patch.materials[simplified->triangles[triangles[i]]];
	}
	cluster.n_vertices = batch->n_vertices - cluster.first_vertex;
	cs_cluster_bound(&cluster, batch->positions + 3 * (size_t)cluster.first_vertex);
	batch->clusters[batch->n_clusters++] = cluster;
}

static struct cs_error *write_parents(struct cs_reducer *reducer,
	const struct cs_simplified *simplified, const struct cs_partition *parts, size_t n_vertices,
	struct cs_batch *ret)
{
	uint32_t *number = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, reducer->patch.n_wedges);
	if (!number)
		return cs_error_nomem();
	struct cs_batch batch;
	struct cs_error *error = cs_batch_init(
		reducer->builder, n_vertices, simplified->n_triangles, parts->n_parts, &batch);
	if (error)
		return error;
	/*
	 * Vertices of all clusters are numbered in sequence, from 1. A wedge has a vertex in the
	 * current cluster if its number is above those of all vertices of earlier clusters.
	 */
	memset(number, 0, reducer->patch.n_wedges * sizeof(*number));
	for (uint32_t i = 0; i < parts->n_parts; i++)
		write_cluster(reducer, simplified, parts->order + parts->starts[i],
			parts->starts[i + 1] - parts->starts[i], number, &batch);
	*ret = batch;
	return NULL;
}

/* ---- error and spheres of the group ---- */

static void describe_group(struct cs_reducer *reducer, float error, struct cs_batch *batch,
	struct cs_cluster_group *group)
{
	const struct cs_sphere_f *lod[CS_CLUSTER_TRIANGLES], *bounds[CS_CLUSTER_TRIANGLES];
	*group = (struct cs_cluster_group){
		.n_children = reducer->n_children,
		.level = cs_reducer_child(reducer, 0)->level,
		.min_lod_error = INFINITY,
		.max_parent_error = error,
	};
	for (uint32_t i = 0; i < reducer->n_children; i++) {
		const struct cs_cluster *cluster = cs_reducer_child(reducer, i);
		lod[i] = &cluster->lod_bounds;
		bounds[i] = &cluster->bounds;
		float least = cluster->level == 0 ? -1 : cluster->lod_error;
		group->min_lod_error = fminf(group->min_lod_error, least);
		group->max_parent_error = fmaxf(group->max_parent_error, cluster->lod_error);
	}
	group->lod_bounds = cs_sphere_of_spheres(lod, reducer->n_children);
	group->bounds = cs_sphere_of_spheres(bounds, reducer->n_children);
	for (uint32_t i = 0; i < batch->n_clusters; i++) {
		batch->clusters[i].level = group->level + 1;
		batch->clusters[i].lod_error = group->max_parent_error;
		batch->clusters[i].lod_bounds = group->lod_bounds;
	}
}

/* ---- reducing the group ---- */

/* A simplified patch, and how it is cut into parents. */
struct attempt {
	struct cs_simplified simplified;
	struct cs_partition parts;
	size_t n_vertices; /* sum of the vertex counts of all parts */
	double simplify_seconds, split_seconds;
};

static struct cs_error *attempt(struct cs_reducer *reducer, uint32_t target, struct attempt *ret)
{
	double start = cs_seconds();
	if (!cs_simplify(&reducer->patch, target, reducer->scratch, &ret->simplified))
		return cs_error_nomem();
	const struct cs_simplified *simplified = &ret->simplified;
	double middle = cs_seconds();
	for (size_t i = 0; i < 3 * (size_t)simplified->n_triangles; i++)
		reducer->places[i] = simplified->places[simplified->corners[i]];
	struct cs_error *error =
		cs_reducer_pair(reducer, simplified->n_triangles, reducer->opposite);
	if (!error)
		error = split(reducer, simplified, &ret->parts, &ret->n_vertices);
	ret->simplify_seconds += middle - start;
	ret->split_seconds += cs_seconds() - middle;
	return error;
}

/*
 * Simplifies the patch to half its triangles and cuts it into at most half as many clusters. If the
 * limit of vertices makes more clusters necessary, tries again with fewer triangles.
 */
static struct cs_error *reduce_to_parents(struct cs_reducer *reducer, struct attempt *ret)
{
	uint32_t n = (reducer->patch.n_triangles + 2 * CS_CLUSTER_TRIANGLES - 1) /
		     (2 * CS_CLUSTER_TRIANGLES);
	uint32_t most = (reducer->n_children + 1) / 2 > n ? (reducer->n_children + 1) / 2 : n;
	uint32_t target = n * PARENT_TRIANGLES;
	struct cs_scratch_mark mark = cs_scratch_mark(reducer->scratch);
	for (;;) {
		struct cs_error *error = attempt(reducer, target, ret);
		if (error || ret->parts.n_parts <= most || target < PARENT_TRIANGLES / 8 ||
			ret->simplified.n_triangles > target)
			return error;
		uint32_t fewer = (uint32_t)((uint64_t)target * most / ret->parts.n_parts);
		target = fewer - fewer / 32;
		cs_partition_deinit(&ret->parts);
		cs_scratch_release(reducer->scratch, mark);
	}
}

/*
 * Returns upper bounds of the errors of all triangles of the simplified patch, in scratch memory,
 * or NULL when memory runs out. *largest_ret is the largest bound.
 */
static float *bound_errors(
	struct cs_reducer *reducer, const struct cs_simplified *simplified, float *largest_ret)
{
	float *errors = CS_SCRATCH_ARRAY(reducer->scratch, float, simplified->n_triangles);
	struct cs_deviation deviation = {.patch = &reducer->patch,
		.patch_errors = reducer->errors,
		.simplified = simplified,
		.corners = reducer->places,
		.opposite = reducer->opposite,
		.find_finer = cs_reducer_child(reducer, 0)->level ? cs_reducer_finer : NULL,
		.context = reducer,
		.effort = EFFORT + LEVEL_EFFORT / reducer->grouping->groups->n_parts};
	for (uint32_t i = 0; i < reducer->n_children; i++)
		deviation.floor =
			fmaxf(deviation.floor, GROWTH * cs_reducer_child(reducer, i)->lod_error);
	reducer->finer = cs_finer_new(reducer->scratch);
	if (!errors || !reducer->finer || !cs_deviation_bound(&deviation, reducer->scratch, errors))
		return NULL;
	*largest_ret = 0;
	for (uint32_t i = 0; i < simplified->n_triangles; i++)
		*largest_ret = fmaxf(*largest_ret, errors[i]);
	return errors;
}

/*
 * Returns an array with the same error for each triangle: the quadric error plus the largest
 * distance by which rounding moves a position.
 */
static float *quadric_errors(
	struct cs_reducer *reducer, const struct cs_simplified *simplified, float *largest_ret)
{
	float *errors = CS_SCRATCH_ARRAY(reducer->scratch, float, simplified->n_triangles);
	/* Rounding moves a position by at most half the diagonal of a grid cell. */
	const float error = simplified->quadric_error + (float)(reducer->patch.step * sqrt(3) / 2);
	for (uint32_t i = 0; errors && i < simplified->n_triangles; i++)
		errors[i] = error;
	*largest_ret = error;
	return errors;
}

static float *find_errors(
	struct cs_reducer *reducer, const struct cs_simplified *simplified, float *largest_ret)
{
	return reducer->builder->options.error == CS_DAG_ERROR_QUADRIC
		       ? quadric_errors(reducer, simplified, largest_ret)
		       : bound_errors(reducer, simplified, largest_ret);
}

static struct cs_error *reduce(struct cs_reducer *reducer, struct cs_dag_report *report,
	struct cs_batch *batch, struct cs_cluster_group *group)
{
	struct attempt made = {0};
	const struct cs_simplified *simplified = &made.simplified;
	float largest = 0;
	double start = cs_seconds();
	struct cs_error *error = cs_reducer_merge(reducer);
	report->merge_seconds += cs_seconds() - start;
	if (!error)
		error = reduce_to_parents(reducer, &made);
	start = cs_seconds();
	if (!error && !(reducer->errors = find_errors(reducer, simplified, &largest)))
		error = cs_error_nomem();
	report->deviation_seconds += cs_seconds() - start;
	if (!error)
		error = write_parents(reducer, simplified, &made.parts, made.n_vertices, batch);
	cs_partition_deinit(&made.parts);
	if (error)
		return error;
	describe_group(reducer, largest, batch, group);
	report->simplify_seconds += made.simplify_seconds;
	report->split_seconds += made.split_seconds;
	report->forced += simplified->n_forced;
	report->duplicates += simplified->n_duplicates;
	report->dropped += simplified->n_dropped;
	report->stuck_groups += simplified->n_triangles > reducer->patch.n_triangles * 0.8;
	return NULL;
}

struct cs_error *cs_reduce_group(struct cs_builder *builder, const struct cs_grouping *grouping,
	uint32_t i, int thread, struct cs_dag_report *report, struct cs_batch *batch_ret,
	struct cs_cluster_group *group_ret)
{
	const struct cs_partition *groups = grouping->groups;
	struct cs_reducer reducer = {
		.builder = builder,
		.grouping = grouping,
		.children = groups->order + groups->starts[i],
		.n_children = groups->starts[i + 1] - groups->starts[i],
		.scratch = &builder->scratch[thread],
	};
	struct cs_scratch_mark mark = cs_scratch_mark(reducer.scratch);
	struct cs_error *error = reduce(&reducer, report, batch_ret, group_ret);
	cs_scratch_release(reducer.scratch, mark);
	return error;
}
