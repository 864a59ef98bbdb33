/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: checking a DAG against its promises (nanite rules 7): here the limits (C1), the leaves
 * (C2) and the order (C3). What holds for single clusters and groups comes first; without it the
 * other checks would read out of bounds, so they are left out when it fails.
 */
#include "tests/samples/dag_check.h"

#include "core/job.h"
#include "core/sort.h"
#include "mesh/mesh_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cs_dag_fault(struct cs_dag_checker *c, const char *rule, const char *format, ...)
{
	char message[256];
	va_list args;
	if (c->verdict.faults++ >= c->most_reports || !c->report)
		return;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	c->report(c->context, rule, message);
}

/* ---- C1: limits ---- */

static void check_corners(struct cs_dag_checker *c, uint32_t i)
{
	const struct cs_dag *dag = c->dag;
	const struct cs_cluster *cluster = &dag->clusters[i];
	const float *positions = dag->positions + 3 * (size_t)cluster->first_vertex;
	for (uint32_t k = 0; k < cluster->n_triangles; k++) {
		const uint8_t *v = dag->corners + 3 * ((size_t)cluster->first_triangle + k);
		if (v[0] >= cluster->n_vertices || v[1] >= cluster->n_vertices ||
			v[2] >= cluster->n_vertices) {
			cs_dag_fault(c, "C1", "cluster %u: triangle %u has a corner beyond %u", i,
				k, cluster->n_vertices);
			continue;
		}
		for (int e = 0; e < 3; e++)
			if (memcmp(positions + 3 * v[e], positions + 3 * v[(e + 1) % 3],
				    3 * sizeof(float)) == 0)
				cs_dag_fault(
					c, "C1", "cluster %u: triangle %u is degenerate", i, k);
		if (dag->materials[cluster->first_triangle + k] >= dag->n_materials)
			cs_dag_fault(c, "C1", "cluster %u: triangle %u has no material", i, k);
	}
}

static bool in_range(uint32_t first, uint32_t n, uint32_t of)
{
	return first <= of && n <= of - first;
}

static void check_cluster(struct cs_dag_checker *c, uint32_t i)
{
	const struct cs_dag *dag = c->dag;
	const struct cs_cluster *cluster = &dag->clusters[i];
	if (cluster->n_triangles == 0 || cluster->n_triangles > CS_CLUSTER_TRIANGLES)
		cs_dag_fault(c, "C1", "cluster %u has %u triangles", i, cluster->n_triangles);
	if (cluster->n_vertices > CS_CLUSTER_VERTICES)
		cs_dag_fault(c, "C1", "cluster %u has %u vertices", i, cluster->n_vertices);
	if (!in_range(cluster->first_vertex, cluster->n_vertices, dag->n_vertices) ||
		!in_range(cluster->first_triangle, cluster->n_triangles, dag->n_triangles) ||
		cluster->group >= dag->n_groups || cluster->level >= dag->n_levels ||
		(cluster->generating_group != CS_NONE &&
			cluster->generating_group >= dag->n_groups))
		cs_dag_fault(c, "C1", "cluster %u points out of the DAG", i);
	else
		check_corners(c, i);
}

static void check_group_range(struct cs_dag_checker *c, uint32_t i)
{
	const struct cs_cluster_group *g = &c->dag->groups[i];
	if (g->n_children == 0 || !in_range(g->first_child, g->n_children, c->dag->n_children)) {
		cs_dag_fault(c, "C1", "group %u points out of the DAG", i);
		return;
	}
	for (uint32_t k = 0; k < g->n_children; k++) {
		uint32_t child = c->dag->children[g->first_child + k];
		if (child >= c->dag->n_clusters || c->dag->clusters[child].group != i)
			cs_dag_fault(c, "C1", "group %u: child %u is not its own", i, k);
	}
}

static void check_limits(struct cs_dag_checker *c)
{
	const struct cs_dag *dag = c->dag;
	if (dag->n_clusters == 0 || dag->n_groups == 0 || dag->n_children != dag->n_clusters)
		cs_dag_fault(c, "C1", "%u clusters, %u groups, %u children do not fit together",
			dag->n_clusters, dag->n_groups, dag->n_children);
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		check_cluster(c, i);
	for (uint32_t i = 0; i < dag->n_groups; i++)
		check_group_range(c, i);
}

/* ---- C2: leaves ---- */

/* All visible values of a corner, and the number of their bytes. */
struct corner {
	unsigned char bytes[3 * 4 + 3 * 4 + 4 + 8 * CS_MAX_UVS];
	size_t n;
};

/* The arrays of a mesh or a DAG. */
struct arrays {
	const float *positions, *normals;
	float scale,
		step; /* of the grid that positions are put on; 0 = they are taken as they are */
	float *const *uvs;
	const uint8_t *colors;
	uint32_t n_uvs;
};

static struct corner corner_of(const struct arrays *a, size_t vertex)
{
	struct corner c = {.n = 0};
	float at[3];
	for (size_t k = 0; k < 3; k++) {
		at[k] = a->positions[3 * vertex + k];
		if (a->step > 0)
			at[k] = rintf(at[k] * a->scale) * a->step + 0.0f;
	}
	memcpy(c.bytes, at, 12);
	memcpy(c.bytes + 12, a->normals + 3 * vertex, 12);
	c.n = 24;
	if (a->colors) {
		memcpy(c.bytes + c.n, a->colors + 4 * vertex, 4);
		c.n += 4;
	}
	for (uint32_t i = 0; i < a->n_uvs; i++, c.n += 8)
		memcpy(c.bytes + c.n, a->uvs[i] + 2 * vertex, 8);
	return c;
}

/* Returns a key of the triangle that does not depend on the corner with which it begins. */
static struct cs_sort_key key_of(const struct arrays *a, const size_t vertices[3], uint8_t material)
{
	uint64_t corners[3];
	for (int k = 0; k < 3; k++) {
		struct corner corner = corner_of(a, vertices[k]);
		corners[k] = XXH3_64bits(corner.bytes, corner.n);
	}
	int first = corners[0] <= corners[1] && corners[0] <= corners[2] ? 0
		    : corners[1] <= corners[2]                           ? 1
									 : 2;
	const uint64_t turned[3] = {
		corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]};
	XXH128_hash_t hash = XXH3_128bits_withSeed(turned, sizeof(turned), material);
	return (struct cs_sort_key){.high = hash.high64, .low = hash.low64};
}

static size_t list_leaves(const struct cs_dag *dag, struct cs_sort_key *keys, size_t most)
{
	struct arrays a = {dag->positions, dag->normals, 0, 0, dag->uvs, dag->colors, dag->n_uvs};
	size_t n = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		const struct cs_cluster *cluster = &dag->clusters[i];
		if (cluster->level > 0)
			continue;
		for (uint32_t k = 0; k < cluster->n_triangles; k++, n++) {
			size_t at = (size_t)cluster->first_triangle + k;
			const uint8_t *v = dag->corners + 3 * at;
			const size_t vertices[3] = {(size_t)cluster->first_vertex + v[0],
				(size_t)cluster->first_vertex + v[1],
				(size_t)cluster->first_vertex + v[2]};
			if (n < most)
				keys[n] = key_of(&a, vertices, dag->materials[at]);
		}
	}
	return n;
}

static bool has_three_places(const struct arrays *a, const size_t vertices[3])
{
	struct corner corners[3];
	for (int k = 0; k < 3; k++)
		corners[k] = corner_of(a, vertices[k]);
	return memcmp(corners[0].bytes, corners[1].bytes, 12) != 0 &&
	       memcmp(corners[1].bytes, corners[2].bytes, 12) != 0 &&
	       memcmp(corners[2].bytes, corners[0].bytes, 12) != 0;
}

/*
 * Lists the triangles of the source that are triangles on the grid of the DAG; returns their
 * number.
 */
static size_t list_source(
	const struct cs_dag *dag, const struct cs_mesh *mesh, struct cs_sort_key *keys)
{
	struct arrays a = {
		mesh->positions, mesh->normals, 0, 0, mesh->uvs, mesh->colors, mesh->n_uvs};
	size_t n = 0;
	if (dag->on_grid) {
		a.scale = ldexpf(1, dag->precision);
		a.step = ldexpf(1, -dag->precision);
	}
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const size_t vertices[3] = {
			mesh->indices[3 * i], mesh->indices[3 * i + 1], mesh->indices[3 * i + 2]};
		if (has_three_places(&a, vertices))
			keys[n++] = key_of(&a, vertices, mesh->materials[i]);
	}
	return n;
}

static struct cs_error *check_leaves(struct cs_dag_checker *c)
{
	const struct cs_mesh *mesh = c->check->source;
	size_t room = mesh->n_triangles, different = 0;
	struct cs_sort_key *source = malloc((room + 1) * sizeof(*source));
	struct cs_sort_key *leaves = malloc((room + 1) * sizeof(*leaves));
	bool good = source && leaves;
	if (good) {
		size_t n_leaves = list_leaves(c->dag, leaves, room);
		size_t n = list_source(c->dag, mesh, source);
		if (n_leaves != n)
			cs_dag_fault(
				c, "C2", "%zu triangles of leaves, %zu of the source", n_leaves, n);
		else
			good = cs_sort_keys(source, n) && cs_sort_keys(leaves, n);
		for (size_t i = 0; good && n_leaves == n && i < n; i++)
			different +=
				source[i].high != leaves[i].high || source[i].low != leaves[i].low;
	}
	if (different)
		cs_dag_fault(c, "C2", "%zu triangles of leaves are not of the source", different);
	free(source);
	free(leaves);
	return good ? NULL : cs_error_nomem();
}

/* ---- C3: order ---- */

static double reach(const struct cs_sphere_f *sphere, const float *p)
{
	double x = (double)p[0] - (double)sphere->x, y = (double)p[1] - (double)sphere->y;
	double z = (double)p[2] - (double)sphere->z;
	return sqrt(x * x + y * y + z * z);
}

static bool contains(const struct cs_sphere_f *outer, const struct cs_sphere_f *inner)
{
	const float centre[3] = {inner->x, inner->y, inner->z};
	return reach(outer, centre) + (double)inner->radius <= (double)outer->radius;
}

static void check_bounds(struct cs_dag_checker *c, uint32_t i)
{
	const struct cs_cluster *cluster = &c->dag->clusters[i];
	for (uint32_t v = 0; v < cluster->n_vertices; v++) {
		const float *p = c->dag->positions + 3 * ((size_t)cluster->first_vertex + v);
		bool in = reach(&cluster->bounds, p) <= (double)cluster->bounds.radius;
		for (int k = 0; k < 3; k++)
			in = in && p[k] >= cluster->box.min[k] && p[k] <= cluster->box.max[k];
		if (!in) {
			cs_dag_fault(c, "C3", "cluster %u: vertex %u is out of its bounds", i, v);
			return;
		}
	}
}

static void check_maker(struct cs_dag_checker *c, uint32_t i)
{
	const struct cs_cluster *cluster = &c->dag->clusters[i];
	if (cluster->generating_group == CS_NONE) {
		/* a leaf has the error of the grid it was put on */
		if (cluster->level != 0 || !(cluster->lod_error >= 0))
			cs_dag_fault(c, "C3", "cluster %u has no group that made it", i);
		return;
	}
	const struct cs_cluster_group *maker = &c->dag->groups[cluster->generating_group];
	if (cluster->level != maker->level + 1)
		cs_dag_fault(c, "C3", "cluster %u is not one level above group %u", i,
			cluster->generating_group);
	if (cluster->lod_error != maker->max_parent_error ||
		memcmp(&cluster->lod_bounds, &maker->lod_bounds, sizeof(maker->lod_bounds)) != 0)
		cs_dag_fault(c, "C3", "cluster %u differs in error or sphere from group %u", i,
			cluster->generating_group);
}

static void check_group(struct cs_dag_checker *c, uint32_t i, uint32_t n_parents)
{
	const struct cs_dag *dag = c->dag;
	const struct cs_cluster_group *g = &dag->groups[i];
	bool root = i + 1 == dag->n_groups;
	if (root != (g->max_parent_error >= CS_ROOT_PARENT_ERROR))
		cs_dag_fault(c, "C3", "group %u: its error is %g", i, (double)g->max_parent_error);
	if (root ? g->n_children != 1 || n_parents > 0 : n_parents == 0)
		cs_dag_fault(c, "C3", "group %u has %u children and %u parents", i, g->n_children,
			n_parents);
	for (uint32_t k = 0; k < g->n_children; k++) {
		const struct cs_cluster *child = &dag->clusters[dag->children[g->first_child + k]];
		if (child->level != g->level)
			cs_dag_fault(c, "C3", "group %u has children of other levels", i);
		if (!(child->lod_error <= g->max_parent_error))
			cs_dag_fault(c, "C3", "group %u has a child with a larger error", i);
		if (!root && !contains(&g->lod_bounds, &child->lod_bounds))
			cs_dag_fault(c, "C3", "group %u does not contain a child's sphere", i);
		if (!root && !contains(&g->bounds, &child->bounds))
			cs_dag_fault(c, "C3", "group %u does not contain a child", i);
	}
}

static struct cs_error *check_order(struct cs_dag_checker *c)
{
	const struct cs_dag *dag = c->dag;
	uint32_t *n_parents = calloc((size_t)dag->n_groups + 1, sizeof(*n_parents));
	if (!n_parents)
		return cs_error_nomem();
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		if (dag->clusters[i].generating_group != CS_NONE)
			n_parents[dag->clusters[i].generating_group]++;
		check_maker(c, i);
		check_bounds(c, i);
	}
	for (uint32_t i = 0; i < dag->n_groups; i++)
		check_group(c, i, n_parents[i]);
	free(n_parents);
	return NULL;
}

/* ---- all ---- */

struct cs_error *cs_dag_verify(const struct cs_dag *dag, const struct cs_dag_check *check,
	const struct cs_job *job,
	void (*report)(void *context, const char *rule, const char *message), void *context,
	struct cs_dag_verdict *ret)
{
	struct cs_dag_checker c = {.dag = dag,
		.check = check,
		.job = job,
		.report = report,
		.context = context,
		.most_reports = cs_job_limits(job).findings};
	struct cs_error *error = NULL;
	check_limits(&c);
	if (c.verdict.faults == 0) {
		error = check->source ? check_leaves(&c) : NULL;
		if (!error)
			error = check_order(&c);
		if (!error)
			error = cs_dag_check_seams(&c);
		if (!error && check->source && check->samples)
			error = cs_dag_check_errors(&c);
	}
	if (!error)
		*ret = c.verdict;
	return error;
}
