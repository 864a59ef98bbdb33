/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appends to the arrays of a DAG. All arrays of one kind (of vertices, of triangles ...) have the
 * same allocated length, which grows by half. Indices in a batch start at 0 and are increased when
 * the batch is appended to the DAG.
 */
#include "cluster/build.h"

#include "cluster/patch.h"
#include "core/large.h"
#include "core/parallel.h"
#include "mesh/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

/* A growing array of the DAG: address of the pointer to it, and size of an item in bytes. */
struct column {
	void *array_of;
	size_t size;
};

static struct cs_error *grow(
	const struct column *columns, size_t n_columns, size_t n, size_t more, size_t *room)
{
	size_t want = *room + *room / 2 + 64;
	if (more <= *room - n)
		return NULL;
	if (want > CS_NONE)
		want = CS_NONE;
	want = want - n < more ? n + more : want;
	if (want > CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the cluster DAG has more than 2^32 vertices, triangles, clusters, "
			"groups or children: build fewer meshes together, or simpler ones");
	for (size_t i = 0; i < n_columns; i++) {
		void *grown =
			cs_large_realloc(*(void **)columns[i].array_of, want * columns[i].size);
		if (!grown)
			return cs_error_nomem();
		*(void **)columns[i].array_of = grown;
	}
	*room = want;
	return NULL;
}

struct cs_error *cs_builder_reserve(
	struct cs_builder *builder, size_t vertices, size_t triangles, size_t clusters)
{
	struct cs_dag *dag = &builder->dag;
	struct column by_vertex[4 + CS_MAX_UVS] = {{&dag->positions, 3 * sizeof(float)},
		{&builder->exact, 3 * sizeof(float)}, {&dag->normals, 3 * sizeof(float)}};
	size_t n = 3;
	for (uint32_t i = 0; i < dag->n_uvs; i++)
		by_vertex[n++] = (struct column){&dag->uvs[i], 2 * sizeof(float)};
	if (builder->mesh->colors)
		by_vertex[n++] = (struct column){&dag->colors, 4};
	const struct column by_triangle[] = {{&dag->corners, 3}, {&dag->materials, 1}};
	const struct column by_cluster[] = {{&dag->clusters, sizeof(struct cs_cluster)}};
	struct cs_error *error =
		grow(by_vertex, n, dag->n_vertices, vertices, &builder->room_vertices);
	if (!error)
		error = grow(by_triangle, 2, dag->n_triangles, triangles, &builder->room_triangles);
	if (!error)
		error = grow(by_cluster, 1, dag->n_clusters, clusters, &builder->room_clusters);
	return error;
}

struct cs_error *cs_batch_init(const struct cs_builder *builder, size_t vertices, size_t triangles,
	size_t clusters, struct cs_batch *ret)
{
	struct cs_batch batch = {
		.positions = malloc((vertices + 1) * 3 * sizeof(float)),
		.exact = malloc((vertices + 1) * 3 * sizeof(float)),
		.normals = malloc((vertices + 1) * 3 * sizeof(float)),
		.colors = builder->mesh->colors ? malloc((vertices + 1) * 4) : NULL,
		.corners = malloc((triangles + 1) * 3),
		.materials = malloc(triangles + 1),
		.errors = malloc((triangles + 1) * sizeof(float)),
		.clusters = malloc((clusters + 1) * sizeof(struct cs_cluster)),
	};
	bool good = batch.positions && batch.exact && batch.normals && batch.corners &&
		    batch.materials && batch.errors && batch.clusters &&
		    (batch.colors || !builder->mesh->colors);
	for (uint32_t i = 0; i < builder->dag.n_uvs; i++) {
		batch.uvs[i] = malloc((vertices + 1) * 2 * sizeof(float));
		good = good && batch.uvs[i];
	}
	if (!good) {
		cs_batch_deinit(&batch);
		return cs_error_nomem();
	}
	*ret = batch;
	return NULL;
}

void cs_batch_deinit(struct cs_batch *batch)
{
	free(batch->positions);
	free(batch->exact);
	free(batch->normals);
	free(batch->colors);
	for (int i = 0; i < CS_MAX_UVS; i++)
		free(batch->uvs[i]);
	free(batch->corners);
	free(batch->materials);
	free(batch->errors);
	free(batch->clusters);
	*batch = (struct cs_batch){0};
}

/* ---- appending a batch ---- */

static void copy_vertices(const struct cs_builder *builder, const struct cs_batch *batch)
{
	const struct cs_dag *dag = &builder->dag;
	size_t to = batch->first_vertex, n = batch->n_vertices;
	const struct cs_vertex from = {
		batch->positions, batch->normals, batch->uvs, batch->colors, dag->n_uvs, 0};
	cs_vertices_copy(from, n, CS_VERTEX_OF(dag, to));
	memcpy(builder->exact + 3 * to, batch->exact, n * 3 * sizeof(float));
}

struct copier {
	struct cs_builder *builder;
	const struct cs_batch *batches;
};

static void copy_batches(void *context, size_t begin, size_t end, int thread)
{
	const struct copier *copier = context;
	struct cs_dag *dag = &copier->builder->dag;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		const struct cs_batch *batch = &copier->batches[i];
		size_t to = batch->first_triangle, n = batch->n_triangles;
		for (uint32_t k = 0; k < batch->n_clusters; k++) {
			struct cs_cluster *cluster = &dag->clusters[batch->first_cluster + k];
			*cluster = batch->clusters[k];
			cluster->first_vertex += batch->first_vertex;
			cluster->first_triangle += batch->first_triangle;
		}
		memcpy(dag->corners + 3 * to, batch->corners, 3 * n);
		memcpy(dag->materials + to, batch->materials, n);
		memcpy(copier->builder->errors.at + to, batch->errors, n * sizeof(float));
		copy_vertices(copier->builder, batch);
	}
}

struct cs_error *cs_builder_append(struct cs_builder *builder, struct cs_batch *batches, uint32_t n)
{
	struct cs_dag *dag = &builder->dag;
	size_t vertices = 0, triangles = 0, clusters = 0;
	for (uint32_t i = 0; i < n; i++) {
		vertices += batches[i].n_vertices;
		triangles += batches[i].n_triangles;
		clusters += batches[i].n_clusters;
	}
	struct cs_error *error = cs_builder_reserve(builder, vertices, triangles, clusters);
	if (!error && !cs_vec_reserve(&builder->errors, triangles))
		error = cs_error_nomem();
	if (error)
		return error;
	for (uint32_t i = 0; i < n; i++) {
		batches[i].first_vertex = dag->n_vertices;
		batches[i].first_triangle = dag->n_triangles;
		batches[i].first_cluster = dag->n_clusters;
		dag->n_vertices += batches[i].n_vertices;
		dag->n_triangles += batches[i].n_triangles;
		dag->n_clusters += batches[i].n_clusters;
	}
	builder->errors.n = dag->n_triangles;
	struct copier copier = {builder, batches};
	cs_parallel_for(builder->threads, n, 1, copy_batches, &copier);
	return NULL;
}

struct cs_error *cs_builder_add_group(
	struct cs_builder *builder, const struct cs_cluster_group *group, const uint32_t *children)
{
	struct cs_dag *dag = &builder->dag;
	const struct column groups[] = {{&dag->groups, sizeof(struct cs_cluster_group)}};
	const struct column list[] = {{&dag->children, sizeof(uint32_t)}};
	struct cs_error *error = grow(groups, 1, dag->n_groups, 1, &builder->room_groups);
	if (!error)
		error = grow(list, 1, dag->n_children, group->n_children, &builder->room_children);
	if (error)
		return error;
	for (uint32_t i = 0; i < group->n_children; i++) {
		dag->clusters[children[i]].group = dag->n_groups;
		dag->children[dag->n_children + i] = children[i];
	}
	dag->groups[dag->n_groups] = *group;
	dag->groups[dag->n_groups++].first_child = dag->n_children;
	dag->n_children += group->n_children;
	return NULL;
}
