/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds one DAG of several meshes. All meshes are rounded to one grid, a DAG is built for each,
 * and the DAGs are joined, one mesh after the other. UVs or colours that only some of the meshes
 * have are filled in for the others: UVs with 0, and colours with white.
 */
#include "cluster/build.h"

#include "cluster/patch.h"
#include "core/options.h"
#include "core/parallel.h"
#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the grid of all meshes ---- */

typedef CS_VEC(struct cs_box_f) join_boxes;

static struct cs_error *join_add_leaves(const struct cs_mesh *mesh,
	const struct cs_dag_options *options, const struct cs_job *job, join_boxes *leaves)
{
	struct cs_builder builder = {.source = mesh, .mesh = mesh, .options = *options, .job = job};
	struct cs_box_f *boxes;
	uint32_t n;
	builder.threads = cs_parallel_threads(cs_job_threads(job));
	struct cs_error *error = cs_leaf_boxes(&builder, &boxes, &n);
	if (error)
		return error;
	if (!cs_vec_append(leaves, boxes, n))
		error = cs_error_nomem();
	else if (leaves->n > UINT32_MAX)
		error = cs_error_new(CS_E_LIMIT,
			"the meshes need %zu leaf clusters, more than the limit of %u: reduce "
			"their triangles",
			leaves->n, UINT32_MAX);
	free(boxes);
	return error;
}

/* Returns E_MESH when a mesh has no triangle left after rounding to the grid of all meshes. */
static struct cs_error *join_check_grid(
	const struct cs_mesh *const *meshes, size_t n, int32_t precision)
{
	size_t i = 0;
	bool finer = true;
	for (size_t k = 0; k < n; k++)
		finer = finer && cs_grid_can_be_finer(meshes[k], precision);
	while (i < n && cs_grid_keeps_some(meshes[i], precision))
		i++;
	if (i == n)
		return NULL;
	return cs_error_new(CS_E_MESH,
		"with the positions of all meshes rounded to multiples of %g units, mesh %zu "
		"(counted from 0) has no triangle with three different corners: build it alone%s",
		ldexp(1, -precision), i, finer ? ", or all with a higher --precision" : "");
}

/*
 * Chooses the precision of the grid for all meshes. Starts with the requested precision or, if none
 * is requested, with a guess from the size of the leaf clusters, and lowers it until cs_mesh_round
 * supports it for all meshes. Returns an error if the result is coarser than requested, or if a
 * mesh keeps no triangle on this grid.
 */
static struct cs_error *join_choose_grid(const struct cs_mesh *const *meshes, size_t n,
	const struct cs_dag_options *options, const struct cs_job *job, int32_t *precision)
{
	join_boxes leaves = {0};
	struct cs_error *error = NULL;
	const int32_t wanted = *precision;
	const bool guesses = wanted == CS_PRECISION_AUTO;
	for (size_t i = 0; guesses && !error && i < n; i++)
		error = join_add_leaves(meshes[i], options, job, &leaves);
	if (guesses && !error)
		*precision = cs_grid_guess(leaves.at, (uint32_t)leaves.n);
	for (size_t i = 0; !error && i < n; i++)
		*precision = cs_grid_of_mesh(meshes[i], *precision);
	cs_vec_free(&leaves);
	if (!error)
		error = cs_grid_check_finest(wanted, *precision);
	return error ? error : join_check_grid(meshes, n, *precision);
}

/* ---- joining the DAGs ---- */

/* State of appending the DAG of one mesh to the joined DAG. */
struct joining {
	struct cs_dag *to;
	const struct cs_dag *from;
	/* for each material of the mesh of `from`, its index in the joined DAG */
	const uint8_t *materials;
};

static struct cs_error *join_allocate(struct cs_dag *to, struct cs_dag *const *dags, size_t n)
{
	uint64_t vertices = 0, triangles = 0, clusters = 0, groups = 0;
	bool colors = false;
	for (size_t i = 0; i < n; i++) {
		vertices += dags[i]->n_vertices;
		triangles += dags[i]->n_triangles;
		clusters += dags[i]->n_clusters;
		groups += dags[i]->n_groups;
		colors = colors || dags[i]->colors;
		to->n_uvs = dags[i]->n_uvs > to->n_uvs ? dags[i]->n_uvs : to->n_uvs;
	}
	if (vertices > INT32_MAX || triangles > INT32_MAX)
		return cs_error_new(CS_E_LIMIT,
			"the DAG of all meshes has more than 2^31 vertices or triangles: build "
			"fewer meshes together");
	to->positions = malloc((vertices + 1) * 3 * sizeof(*to->positions));
	to->normals = malloc((vertices + 1) * 3 * sizeof(*to->normals));
	to->colors = colors ? malloc((vertices + 1) * 4) : NULL;
	to->corners = malloc((triangles + 1) * 3);
	to->materials = malloc(triangles + 1);
	to->clusters = malloc((clusters + 1) * sizeof(*to->clusters));
	to->groups = malloc((groups + 1) * sizeof(*to->groups));
	to->children = malloc((clusters + 1) * sizeof(*to->children));
	bool ok = to->positions && to->normals && (to->colors || !colors) && to->corners &&
		  to->materials && to->clusters && to->groups && to->children;
	for (uint32_t i = 0; i < to->n_uvs; i++) {
		to->uvs[i] = calloc(vertices + 1, 2 * sizeof(*to->uvs[i]));
		ok = ok && to->uvs[i];
	}
	return ok ? NULL : cs_error_nomem();
}

static void join_vertices(const struct joining *joining)
{
	const struct cs_dag *from = joining->from;
	struct cs_dag *to = joining->to;
	const size_t at = to->n_vertices, n = from->n_vertices;
	cs_vertices_copy(CS_VERTEX_OF(from, 0), n, CS_VERTEX_OF(to, at));
	if (to->colors && !from->colors)
		memset(to->colors + 4 * at, 255, 4 * n);
}

static void join_dag_clusters(const struct joining *joining)
{
	const struct cs_dag *from = joining->from;
	struct cs_dag *to = joining->to;
	for (uint32_t i = 0; i < from->n_clusters; i++) {
		struct cs_cluster *cluster = &to->clusters[to->n_clusters + i];
		*cluster = from->clusters[i];
		cluster->first_vertex += to->n_vertices;
		cluster->first_triangle += to->n_triangles;
		cluster->group += to->n_groups;
		if (cluster->generating_group != CS_NONE)
			cluster->generating_group += to->n_groups;
	}
	for (uint32_t i = 0; i < from->n_groups; i++) {
		struct cs_cluster_group *group = &to->groups[to->n_groups + i];
		*group = from->groups[i];
		group->first_child += to->n_children;
		group->mesh = to->n_meshes;
	}
	for (uint32_t i = 0; i < from->n_children; i++)
		to->children[to->n_children + i] = from->children[i] + to->n_clusters;
}

static void join_dag(const struct joining *joining)
{
	const struct cs_dag *from = joining->from;
	struct cs_dag *to = joining->to;
	join_vertices(joining);
	memcpy(to->corners + 3 * (size_t)to->n_triangles, from->corners,
		3 * (size_t)from->n_triangles);
	for (size_t i = 0; i < from->n_triangles; i++)
		to->materials[to->n_triangles + i] = joining->materials[from->materials[i]];
	join_dag_clusters(joining);
	for (unsigned axis = 0; axis < 3; axis++) {
		if (to->n_meshes == 0 || from->box.min[axis] < to->box.min[axis])
			to->box.min[axis] = from->box.min[axis];
		if (to->n_meshes == 0 || from->box.max[axis] > to->box.max[axis])
			to->box.max[axis] = from->box.max[axis];
	}
	to->n_vertices += from->n_vertices;
	to->n_triangles += from->n_triangles;
	to->n_clusters += from->n_clusters;
	to->n_groups += from->n_groups;
	to->n_children += from->n_children;
	to->n_levels = from->n_levels > to->n_levels ? from->n_levels : to->n_levels;
	to->n_input_triangles += from->n_input_triangles;
	to->n_input_vertices += from->n_input_vertices;
	to->n_meshes++;
}

/*
 * Adds the report of one mesh to the report of all meshes: counts are summed, numbers of levels and
 * distances become the larger one, and the fill of the leaf clusters becomes the mean over all of
 * them.
 */
static void join_report(struct cs_dag_report *to, const struct cs_dag_report *from)
{
	const double full =
		to->leaf_fill * to->leaf_clusters + from->leaf_fill * from->leaf_clusters;
	to->input_triangles += from->input_triangles;
	to->input_vertices += from->input_vertices;
	to->triangles += from->triangles;
	to->vertices += from->vertices;
	to->clusters += from->clusters;
	to->groups += from->groups;
	to->levels = from->levels > to->levels ? from->levels : to->levels;
	to->leaf_clusters += from->leaf_clusters;
	to->leaf_fill = full / to->leaf_clusters;
	to->leaf_cut_edges += from->leaf_cut_edges;
	to->root_triangles += from->root_triangles;
	to->enlarged += from->enlarged;
	to->flattened += from->flattened;
	to->flattened_error = fmax(to->flattened_error, from->flattened_error);
	to->seconds += from->seconds;
	to->match_seconds += from->match_seconds;
	to->cluster_seconds += from->cluster_seconds;
	to->group_seconds += from->group_seconds;
	cs_dag_report_add(to, from);
}

/* ---- building the joined DAG ---- */

static struct cs_error *join_build(const struct cs_joined *of, int32_t precision,
	struct cs_dag **dags, struct cs_dag_report *report_ret, struct cs_dag **ret)
{
	struct cs_dag_report report = {0}, one;
	struct cs_dag *all = calloc(1, sizeof(*all));
	struct cs_error *error = all ? NULL : cs_error_nomem();
	for (size_t i = 0; !error && i < of->n_meshes; i++) {
		error = cs_dag_build_on_grid(
			of->meshes[i], of->options, precision, of->job, &one, &dags[i]);
		if (!error)
			join_report(&report, &one);
	}
	if (!error)
		error = join_allocate(all, dags, of->n_meshes);
	for (size_t i = 0; !error && i < of->n_meshes; i++)
		join_dag(&(struct joining){all, dags[i], of->materials + i * CS_MAX_MATERIALS});
	if (error) {
		cs_dag_free(all);
		return error;
	}
	all->n_materials = of->n_materials;
	all->on_grid = true;
	all->precision = precision;
	*report_ret = report;
	*ret = all;
	return NULL;
}

struct cs_error *cs_dag_build_joined(
	const struct cs_joined *of, struct cs_dag_report *report_ret, struct cs_dag **ret)
{
	const struct cs_dag_options defaults = cs_dag_options_default();
	struct cs_dag_options options;
	int32_t precision = of->precision;
	if (of->n_meshes == 1)
		return cs_dag_build_on_grid(
			of->meshes[0], of->options, precision, of->job, report_ret, ret);
	struct cs_error *error = cs_options_read(
		of->options ? of->options : &defaults, sizeof(defaults), &options, sizeof(options));
	if (!error)
		error = cs_grid_check(precision);
	if (!error)
		error = join_choose_grid(of->meshes, of->n_meshes, &options, of->job, &precision);
	if (error)
		return error;
	struct cs_dag **dags = calloc(of->n_meshes + 1, sizeof(*dags));
	error = dags ? join_build(of, precision, dags, report_ret, ret) : cs_error_nomem();
	for (size_t i = 0; dags && i < of->n_meshes; i++)
		cs_dag_free(dags[i]);
	free(dags);
	return error;
}
