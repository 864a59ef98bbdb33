/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A DAG of random triangles, for the tests of the encoder: `clusters` clusters of level 0 whose
 * vertices come from one pool, so that clusters share them, and one cluster above. Attributes are
 * made to collide once they are quantised.
 */
#pragma once

#include "cluster/dag_internal.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct soup {
	uint64_t seed;
	uint32_t clusters;  /* at most 30 */
	uint32_t triangles; /* of each, at most 128 */
	uint32_t pool;      /* vertices to choose from */
	uint32_t uvs, materials;
	bool colors;
	double size; /* of the space of positions */
	double uv_origin;
};

struct soup_vertex {
	float position[3], normal[3], uvs[CS_MAX_UVS][2];
	uint8_t color[4];
};

static inline void soup_pool(
	const struct soup *t, struct cs_random *random, struct soup_vertex *pool)
{
	for (uint32_t v = 0; v < t->pool; v++) {
		struct soup_vertex *p = &pool[v];
		for (unsigned i = 0; i < 3; i++) {
			p->position[i] = (float)cs_random_range(random, -t->size, t->size);
			p->normal[i] = (float)((int)cs_random_below(random, 3) - 1);
		}
		for (unsigned i = 0; i < 4; i++)
			p->color[i] = (uint8_t)(250 + cs_random_below(random, 6));
		/* some at the place of another, so that UVs alone tell them apart */
		if (v && cs_random_below(random, 3) == 0)
			*p = pool[cs_random_below(random, v)];
		for (unsigned i = 0; i < 2 * t->uvs; i++) {
			double at = cs_random_unit(random) * exp2(cs_random_range(random, -16, 1));
			p->uvs[i / 2][i % 2] = (float)(t->uv_origin + at);
			if (cs_random_below(random, 500) == 0)
				p->uvs[i / 2][i % 2] = NAN;
		}
	}
}

static inline void soup_put_vertex(
	const struct soup *t, struct cs_dag *dag, const struct soup_vertex *p)
{
	uint32_t v = dag->n_vertices++;
	memcpy(dag->positions + v * 3, p->position, sizeof(p->position));
	memcpy(dag->normals + v * 3, p->normal, sizeof(p->normal));
	if (dag->colors)
		memcpy(dag->colors + v * 4, p->color, 4);
	for (unsigned uv = 0; uv < t->uvs; uv++)
		memcpy(dag->uvs[uv] + v * 2, p->uvs[uv], sizeof(p->uvs[uv]));
}

/*
 * Returns the vertex of the cluster that stands for one of the pool, which is added when there is
 * room.
 */
static inline uint32_t soup_corner(const struct soup *t, struct cs_dag *dag,
	struct cs_cluster *cluster, const struct soup_vertex *pool, uint32_t *chosen, uint32_t want)
{
	for (uint32_t i = 0; i < cluster->n_vertices; i++)
		if (chosen[i] == want)
			return i;
	if (cluster->n_vertices == CS_CLUSTER_VERTICES)
		return want % CS_CLUSTER_VERTICES;
	chosen[cluster->n_vertices] = want;
	soup_put_vertex(t, dag, &pool[want]);
	return cluster->n_vertices++;
}

static inline void soup_cluster(const struct soup *t, struct cs_random *random, struct cs_dag *dag,
	const struct soup_vertex *pool)
{
	uint32_t chosen[CS_CLUSTER_VERTICES];
	struct cs_cluster *cluster = &dag->clusters[dag->n_clusters++];
	*cluster = (struct cs_cluster){.first_vertex = dag->n_vertices,
		.first_triangle = dag->n_triangles,
		.generating_group = CS_NONE,
		.lod_bounds = {0, 0, 0, (float)t->size}};
	while (cluster->n_triangles < t->triangles) {
		uint32_t corners[3];
		for (unsigned k = 0; k < 3; k++)
			corners[k] = soup_corner(
				t, dag, cluster, pool, chosen, cs_random_below(random, t->pool));
		if (corners[0] == corners[1] || corners[1] == corners[2] ||
			corners[2] == corners[0])
			continue;
		for (unsigned k = 0; k < 3; k++)
			dag->corners[dag->n_triangles * 3 + k] = (uint8_t)corners[k];
		dag->materials[dag->n_triangles++] = (uint8_t)cs_random_below(random, t->materials);
		cluster->n_triangles++;
	}
}

static inline void soup_link(const struct soup *t, struct cs_dag *dag)
{
	struct cs_sphere_f around = {0, 0, 0, (float)t->size * 2};
	uint32_t last = dag->n_clusters - 1;
	dag->n_groups = 2;
	dag->groups[0] = (struct cs_cluster_group){.n_children = last,
		.min_lod_error = -1,
		.max_parent_error = 0.3f,
		.lod_bounds = around};
	dag->groups[1] = (struct cs_cluster_group){.first_child = last,
		.n_children = 1,
		.level = 1,
		.min_lod_error = 0.3f,
		.max_parent_error = CS_ROOT_PARENT_ERROR};
	for (uint32_t i = 0; i <= last; i++)
		dag->children[dag->n_children++] = i;
	dag->clusters[last].group = dag->clusters[last].level = 1;
	dag->clusters[last].generating_group = 0;
	dag->clusters[last].lod_error = 0.3f;
	dag->clusters[last].lod_bounds = around;
	dag->n_meshes = 1;
	dag->n_levels = 2;
	dag->n_input_triangles = last * t->triangles;
}

static inline void soup_dag(const struct soup *t, struct cs_dag *dag)
{
	uint32_t n = t->clusters + 1;
	size_t vertices = (size_t)n * CS_CLUSTER_VERTICES;
	struct cs_random random = {t->seed};
	struct soup_vertex *pool = calloc(t->pool, sizeof(*pool));
	*dag = (struct cs_dag){.n_uvs = t->uvs, .n_materials = t->materials};
	dag->positions = calloc(vertices * 3, sizeof(float));
	dag->normals = calloc(vertices * 3, sizeof(float));
	dag->colors = t->colors ? calloc(vertices, 4) : NULL;
	for (uint32_t uv = 0; uv < t->uvs; uv++)
		dag->uvs[uv] = calloc(vertices * 2, sizeof(float));
	dag->corners = calloc((size_t)n * CS_CLUSTER_TRIANGLES, 3);
	dag->materials = calloc((size_t)n * CS_CLUSTER_TRIANGLES, 1);
	dag->clusters = calloc(n, sizeof(*dag->clusters));
	dag->groups = calloc(2, sizeof(*dag->groups));
	dag->children = calloc(n, sizeof(*dag->children));
	soup_pool(t, &random, pool);
	for (uint32_t i = 0; i < n; i++)
		soup_cluster(t, &random, dag, pool);
	soup_link(t, dag);
	free(pool);
}
