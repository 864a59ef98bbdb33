/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the clusters of level 0. The triangles of the mesh become a graph (edges matched by
 * position), the graph is cut, and each part becomes a cluster with its own vertices, in order of
 * first use. The grid is chosen by the sizes of the parts. If rounding to the grid makes triangles
 * flat, they are removed and the remaining triangles are cut again.
 */
#include "cluster/build.h"

#include "cluster/bounds.h"
#include "cluster/graph.h"
#include "cluster/patch.h"
#include "cluster/split.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/slots.h"
#include "mesh/edges.h"
#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16, STRETCH = 1 << 14 };

/* Corners and centres of the mesh's triangles, before the mesh is rounded to its grid. */
struct triangles {
	const struct cs_mesh *mesh;
	const uint32_t *places; /* for each vertex, the first vertex at the same position */
	uint32_t *corners;      /* for each corner, the entry of `places` that its vertex has */
	float *centres;
};

static void set_corners(void *context, size_t begin, size_t end, int thread)
{
	const struct triangles *triangles = context;
	(void)thread;
	for (size_t i = 3 * begin; i < 3 * end; i++)
		triangles->corners[i] = triangles->places[triangles->mesh->indices[i]];
}

static void set_centres(void *context, size_t begin, size_t end, int thread)
{
	const struct triangles *triangles = context;
	const float *positions = triangles->mesh->positions;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		for (size_t k = 0; k < 3; k++) {
			float sum = 0;
			for (size_t corner = 0; corner < 3; corner++)
				sum += positions
					[3 * (size_t)triangles->mesh->indices[3 * i + corner] + k];
			triangles->centres[3 * i + k] = sum / 3;
		}
}

/* Finds the opposite edge of each edge of the mesh. Edges are matched by their end positions. */
static struct cs_error *match_edges(const struct cs_mesh *mesh, int threads, uint32_t *opposite_ret)
{
	size_t n = 3 * (size_t)mesh->n_triangles;
	uint32_t *places = malloc((size_t)mesh->n_vertices * sizeof(*places));
	uint32_t *corners = malloc(n * sizeof(*corners));
	struct triangles triangles = {mesh, places, corners, NULL};
	struct cs_error *error = places && corners ? NULL : cs_error_nomem();
	if (!error)
		error = cs_mesh_places(mesh->positions, mesh->n_vertices, threads, places);
	if (!error)
		cs_parallel_for(threads, mesh->n_triangles, STRETCH, set_corners, &triangles);
	free(places);
	if (!error)
		error = cs_match_edges(
			corners, mesh->n_triangles, mesh->n_vertices, threads, opposite_ret);
	free(corners);
	return error;
}

static struct cs_error *match(
	const struct cs_mesh *mesh, int threads, struct cs_graph_arrays *graph_ret)
{
	uint32_t *opposite = malloc(3 * (size_t)mesh->n_triangles * sizeof(*opposite));
	struct triangles triangles = {.mesh = mesh};
	struct cs_error *error = opposite ? NULL : cs_error_nomem();
	if (!error)
		error = match_edges(mesh, threads, opposite);
	if (!error)
		error = cs_graph_of_triangles(opposite, mesh->n_triangles, threads, graph_ret);
	free(opposite);
	triangles.centres = graph_ret->centres;
	if (!error)
		cs_parallel_for(threads, mesh->n_triangles, STRETCH, set_centres, &triangles);
	return error;
}

static struct cs_error *cut(
	struct cs_builder *builder, struct cs_partition *ret, size_t *n_vertices_ret)
{
	struct cs_graph_arrays arrays = {0};
	double start = cs_seconds();
	struct cs_error *error = match(builder->mesh, builder->threads, &arrays);
	if (!error)
		error = cs_graph_link_islands(&arrays, CS_CLUSTER_TRIANGLES);
	builder->report.match_seconds += cs_seconds() - start;
	start = cs_seconds();
	struct cs_graph graph = cs_graph_of(&arrays);
	if (!error)
		error = cs_split_triangles(&graph, builder->mesh->indices,
			builder->mesh->n_vertices, builder->options.partitioner, builder->threads,
			ret, n_vertices_ret);
	builder->report.cluster_seconds += cs_seconds() - start;
	uint64_t weight = 0;
	if (!error)
		error = cs_partition_cut(&graph, ret, builder->threads, &weight);
	builder->report.leaf_cut_edges = weight / CS_EDGE_WEIGHT;
	cs_graph_deinit(&arrays);
	return error;
}

/* ---- rounding the mesh to a grid ---- */

struct boxes {
	const struct cs_mesh *mesh;
	const struct cs_partition *parts;
	struct cs_box_f *at; /* bounding box of each part */
};

static void find_boxes(void *context, size_t begin, size_t end, int thread)
{
	const struct boxes *boxes = context;
	const struct cs_partition *parts = boxes->parts;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		const float far = INFINITY;
		struct cs_box_f box = {{far, far, far}, {-far, -far, -far}};
		for (uint32_t k = 3 * parts->starts[i]; k < 3 * parts->starts[i + 1]; k++) {
			size_t corner = 3 * (size_t)parts->order[k / 3] + k % 3;
			const float *p =
				boxes->mesh->positions + 3 * (size_t)boxes->mesh->indices[corner];
			for (unsigned axis = 0; axis < 3; axis++) {
				box.min[axis] = p[axis] < box.min[axis] ? p[axis] : box.min[axis];
				box.max[axis] = p[axis] > box.max[axis] ? p[axis] : box.max[axis];
			}
		}
		boxes->at[i] = box;
	}
}

/* Returns the bounding boxes of the parts, which the caller frees, or NULL when memory runs out. */
static struct cs_box_f *leaf_boxes_of(
	const struct cs_builder *builder, const struct cs_partition *parts)
{
	struct boxes boxes = {builder->source, parts, malloc(parts->n_parts * sizeof(*boxes.at))};
	if (boxes.at)
		cs_parallel_for(builder->threads, parts->n_parts, GRAIN, find_boxes, &boxes);
	return boxes.at;
}

struct cs_error *cs_leaf_boxes(struct cs_builder *builder, struct cs_box_f **ret, uint32_t *n_ret)
{
	struct cs_partition parts = {0};
	size_t n_vertices;
	struct cs_error *error = cut(builder, &parts, &n_vertices);
	if (error)
		return error;
	*n_ret = parts.n_parts;
	*ret = leaf_boxes_of(builder, &parts);
	cs_partition_deinit(&parts);
	return *ret ? NULL : cs_error_nomem();
}

/* Rounds the positions of the builder's mesh to a grid. */
static struct cs_error *put_on_grid(struct cs_builder *builder, const struct cs_partition *parts)
{
	struct cs_box_f *boxes = leaf_boxes_of(builder, parts);
	if (!boxes)
		return cs_error_nomem();
	struct cs_error *error = cs_mesh_round(
		builder->source, boxes, parts->n_parts, builder->precision, &builder->rounded);
	free(boxes);
	if (error)
		return error;
	builder->mesh = builder->rounded.mesh;
	builder->report.flattened = builder->rounded.n_dropped;
	builder->report.flattened_error = (double)builder->rounded.most_charged;
	return NULL;
}

/* ---- making a cluster of each part ---- */

struct maker {
	struct cs_builder *builder;
	const struct cs_partition *parts;
};

/* Numbers the vertices of a part in the order of first use. Returns how many there are. */
static uint32_t number_vertices(const struct cs_mesh *mesh, const uint32_t *triangles, uint32_t n,
	uint8_t *corners, uint32_t *vertices)
{
	enum { SLOTS = 1024 };
	/* hash table of the vertices: index in the cluster + 1, or 0 for a free slot */
	uint16_t slots[SLOTS];
	uint32_t count = 0;
	memset(slots, 0, sizeof(slots));
	for (uint32_t i = 0; i < 3 * n; i++) {
		uint32_t vertex = mesh->indices[3 * (size_t)triangles[i / 3] + i % 3];
		uint32_t hash = vertex * 0x9e3779b1u >> 22;
		uint16_t *slot =
			cs_probe(slots, SLOTS - 1, hash, number, vertices[number] == vertex);
		if (!*slot) {
			vertices[count++] = vertex;
			*slot = (uint16_t)count;
		}
		corners[i] = (uint8_t)(*slot - 1);
	}
	return count;
}

static void count_part(void *context, size_t begin, size_t end, int thread)
{
	const struct maker *maker = context;
	struct cs_dag *dag = &maker->builder->dag;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		uint32_t vertices[CS_CLUSTER_VERTICES], first = maker->parts->starts[i];
		uint32_t n = maker->parts->starts[i + 1] - first;
		dag->clusters[i] = (struct cs_cluster){
			.first_triangle = first,
			.n_triangles = n,
			.group = CS_NONE,
			.generating_group = CS_NONE,
		};
		dag->clusters[i].n_vertices = number_vertices(maker->builder->mesh,
			maker->parts->order + first, n, dag->corners + 3 * (size_t)first, vertices);
	}
}

/*
 * Stores the error of each triangle of the cluster, in units of the mesh. It is the largest
 * distance by which rounding moved a corner or, if that is larger, the distance of a flat triangle
 * that is charged to the triangle. Returns the largest error.
 */
static float take_errors(const struct maker *maker, const struct cs_cluster *cluster)
{
	const struct cs_rounded *rounded = &maker->builder->rounded;
	float largest = 0;
	for (size_t at = cluster->first_triangle;
		at < cluster->first_triangle + cluster->n_triangles; at++) {
		const uint32_t triangle = maker->parts->order[at];
		const uint32_t *v = rounded->mesh->indices + 3 * (size_t)triangle;
		float error = fmaxf(
			rounded->errors[v[0]], fmaxf(rounded->errors[v[1]], rounded->errors[v[2]]));
		if (rounded->charged)
			error = fmaxf(error, rounded->charged[triangle]);
		maker->builder->errors.at[at] = error;
		largest = fmaxf(largest, error);
	}
	return largest;
}

static void write_leaf_vertex(const struct maker *maker, size_t from, size_t to)
{
	const struct cs_builder *builder = maker->builder;
	cs_vertices_copy(CS_VERTEX_OF(builder->mesh, from), 1, CS_VERTEX_OF(&builder->dag, to));
	memcpy(builder->exact + 3 * to, builder->source->positions + 3 * from, 3 * sizeof(float));
}

static void fill_part(void *context, size_t begin, size_t end, int thread)
{
	const struct maker *maker = context;
	const struct cs_mesh *mesh = maker->builder->mesh;
	struct cs_dag *dag = &maker->builder->dag;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_cluster *cluster = &dag->clusters[i];
		const uint32_t *triangles = maker->parts->order + cluster->first_triangle;
		uint32_t n_written = 0;
		for (uint32_t k = 0; k < 3 * cluster->n_triangles; k++) {
			size_t at = 3 * (size_t)cluster->first_triangle + k;
			dag->materials[at / 3] = mesh->materials[triangles[k / 3]];
			/* a corner with the index n_written is the first use of its vertex */
			if (dag->corners[at] == n_written)
				write_leaf_vertex(maker,
					mesh->indices[3 * (size_t)triangles[k / 3] + k % 3],
					(size_t)cluster->first_vertex + n_written++);
		}
		cluster->lod_error = take_errors(maker, cluster);
		cs_cluster_bound(cluster, dag->positions + 3 * (size_t)cluster->first_vertex);
		cluster->lod_bounds = cluster->bounds;
	}
}

/*
 * Returns how many items to reserve for all levels if level 0 has n: every level has half the items
 * of the level below it. A little more is reserved, so that arrays seldom have to grow.
 */
static size_t with_levels(size_t n)
{
	return 2 * n + n / 8;
}

static struct cs_error *make_clusters(
	struct cs_builder *builder, const struct cs_partition *parts, size_t n_vertices)
{
	struct maker maker = {builder, parts};
	struct cs_dag *dag = &builder->dag;
	struct cs_error *error = cs_builder_reserve(builder, with_levels(n_vertices),
		with_levels(builder->mesh->n_triangles), with_levels(parts->n_parts));
	if (error)
		return error;
	cs_parallel_for(builder->threads, parts->n_parts, GRAIN, count_part, &maker);
	uint32_t n = 0;
	for (uint32_t i = 0; i < parts->n_parts; i++) {
		dag->clusters[i].first_vertex = n;
		n += dag->clusters[i].n_vertices;
	}
	dag->n_vertices = n;
	dag->n_triangles = builder->mesh->n_triangles;
	dag->n_clusters = parts->n_parts;
	cs_parallel_for(builder->threads, parts->n_parts, GRAIN, fill_part, &maker);
	return NULL;
}

struct cs_error *cs_build_leaves(struct cs_builder *builder)
{
	struct cs_partition parts = {0};
	size_t n_vertices;
	struct cs_error *error = cut(builder, &parts, &n_vertices);
	if (!error)
		error = put_on_grid(builder, &parts);
	if (!error && builder->rounded.n_dropped) {
		cs_partition_deinit(&parts);
		error = cut(builder, &parts, &n_vertices);
	}
	if (!error && !cs_vec_reserve(&builder->errors, with_levels(builder->mesh->n_triangles)))
		error = cs_error_nomem();
	if (!error)
		error = make_clusters(builder, &parts, n_vertices);
	if (!error) {
		builder->errors.n = builder->mesh->n_triangles;
		builder->report.leaf_clusters = parts.n_parts;
		builder->report.leaf_fill =
			(double)builder->mesh->n_triangles / parts.n_parts / CS_CLUSTER_TRIANGLES;
	}
	cs_partition_deinit(&parts);
	return error;
}
