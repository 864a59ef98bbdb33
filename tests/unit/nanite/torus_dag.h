/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A DAG made by hand, for the tests of the encoder: a torus of `rows` rings. Each level keeps every
 * other ring of the one before, so that a group of neighbouring rings is simplified without its two
 * border rings being touched: seams hold exactly. A cluster is four rows of quads, 128 triangles; a
 * group is eight clusters (or what is left), and makes half as many parents.
 */
#pragma once

#include "cluster/dag_internal.h"
#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TORUS_AROUND = 16,
	TORUS_CLUSTER_ROWS = 4,
	TORUS_RING = TORUS_AROUND + 1, /* vertices: the first again, for its other UV */
	TORUS_CLUSTER_VERTICES = TORUS_RING * (TORUS_CLUSTER_ROWS + 1),
	TORUS_GROUP = 8,
};

struct torus {
	uint32_t rows; /* 4 times a power of two */
	uint32_t uvs, materials;
	bool colors;
	double radius; /* 0 = 1000 */
	double centre[3];
};

/* Returns a number in 0..1 for a place on the torus, always the same one. */
static inline double torus_noise(uint32_t row, uint32_t column, uint32_t what)
{
	struct cs_random random = {((uint64_t)row << 32 | column << 8 | what) * 77777 + 1};
	cs_random_u64(&random);
	return cs_random_unit(&random);
}

static inline void torus_vertex(
	const struct torus *t, struct cs_dag *dag, uint32_t v, uint32_t row, uint32_t column)
{
	uint32_t r = row % t->rows, c = column % TORUS_AROUND;
	double radius = t->radius > 0 ? t->radius : 1000;
	double along = 6.283185307179586 * r / t->rows,
	       around = 6.283185307179586 * c / TORUS_AROUND;
	double tube = radius * (0.2 + 0.02 * torus_noise(r, c, 1));
	double out = radius + tube * cos(around);
	float *p = dag->positions + v * 3, *n = dag->normals + v * 3;
	p[0] = (float)(t->centre[0] + out * cos(along));
	p[1] = (float)(t->centre[1] + out * sin(along));
	p[2] = (float)(t->centre[2] + tube * sin(around));
	n[0] = (float)(cos(around) * cos(along));
	n[1] = (float)(cos(around) * sin(along));
	n[2] = (float)sin(around);
	for (uint32_t uv = 0; uv < t->uvs; uv++) {
		dag->uvs[uv][v * 2] = (float)((uv + 1) * (double)row / t->rows);
		dag->uvs[uv][v * 2 + 1] = (float)(column / (double)TORUS_AROUND + uv * 100);
	}
	for (uint32_t i = 0; t->colors && i < 4; i++)
		dag->colors[v * 4 + i] = (uint8_t)(200 + 55 * torus_noise(r, c, 2 + i));
}

static inline double torus_distance(const float a[3], const float b[3])
{
	double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
	double z = (double)a[2] - (double)b[2];
	return sqrt(x * x + y * y + z * z);
}

static inline void torus_bound(struct cs_dag *dag, struct cs_cluster *cluster)
{
	const float *p = dag->positions + cluster->first_vertex * 3;
	struct cs_box_f box = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
	for (uint32_t v = 0; v < cluster->n_vertices; v++)
		for (unsigned i = 0; i < 3; i++) {
			box.min[i] = fminf(box.min[i], p[v * 3 + i]);
			box.max[i] = fmaxf(box.max[i], p[v * 3 + i]);
		}
	float centre[3], radius = 0;
	for (unsigned i = 0; i < 3; i++)
		centre[i] = (box.min[i] + box.max[i]) / 2;
	for (uint32_t v = 0; v < cluster->n_vertices; v++)
		radius = fmaxf(radius, (float)torus_distance(centre, p + v * 3) * 1.0001f);
	cluster->box = box;
	cluster->bounds = (struct cs_sphere_f){centre[0], centre[1], centre[2], radius};
}

/* Makes a cluster of four rows of the level from `row` on. */
static inline void torus_cluster(
	const struct torus *t, struct cs_dag *dag, uint32_t level, uint32_t row)
{
	struct cs_cluster *cluster = &dag->clusters[dag->n_clusters++];
	*cluster = (struct cs_cluster){
		.first_vertex = dag->n_vertices,
		.n_vertices = TORUS_CLUSTER_VERTICES,
		.first_triangle = dag->n_triangles,
		.n_triangles = TORUS_AROUND * TORUS_CLUSTER_ROWS * 2,
		.generating_group = CS_NONE,
		.level = level,
	};
	for (uint32_t i = 0; i < TORUS_CLUSTER_VERTICES; i++)
		torus_vertex(
			t, dag, dag->n_vertices++, row + (i / TORUS_RING << level), i % TORUS_RING);
	for (uint32_t q = 0; q < TORUS_AROUND * TORUS_CLUSTER_ROWS; q++) {
		uint32_t a = q / TORUS_AROUND * TORUS_RING + q % TORUS_AROUND;
		const uint32_t quad[6] = {
			a, a + TORUS_RING, a + 1, a + 1, a + TORUS_RING, a + TORUS_RING + 1};
		for (unsigned k = 0; k < 6; k++)
			dag->corners[dag->n_triangles * 3 + k] = (uint8_t)quad[k];
		for (unsigned k = 0; k < 2; k++)
			dag->materials[dag->n_triangles++] =
				t->materials > 1 ? (uint8_t)(q * 7 % t->materials) : 0;
	}
	torus_bound(dag, cluster);
	cluster->lod_bounds = cluster->bounds;
}

/* Returns a sphere around the LOD spheres of the children, which grows with the level. */
static inline struct cs_sphere_f torus_sphere(
	const struct cs_dag *dag, const uint32_t *children, uint32_t n)
{
	float centre[3] = {0, 0, 0}, radius = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_sphere_f *s = &dag->clusters[children[i]].lod_bounds;
		centre[0] += s->x / (float)n;
		centre[1] += s->y / (float)n;
		centre[2] += s->z / (float)n;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_sphere_f *s = &dag->clusters[children[i]].lod_bounds;
		const float at[3] = {s->x, s->y, s->z};
		radius = fmaxf(radius, ((float)torus_distance(centre, at) + s->radius) * 1.0001f);
	}
	return (struct cs_sphere_f){centre[0], centre[1], centre[2], radius};
}

/*
 * Makes the group of the clusters of a level from `first` on, whose parents begin at `parents`;
 * without parents it is the root.
 */
static inline void torus_group(
	struct cs_dag *dag, uint32_t first, uint32_t n, uint32_t parents, uint32_t n_parents)
{
	uint32_t number = dag->n_groups++, level = dag->clusters[first].level;
	struct cs_cluster_group *group = &dag->groups[number];
	*group = (struct cs_cluster_group){.first_child = dag->n_children,
		.n_children = n,
		.level = level,
		.min_lod_error = level ? dag->clusters[first].lod_error : -1};
	for (uint32_t i = 0; i < n; i++) {
		dag->children[dag->n_children++] = first + i;
		dag->clusters[first + i].group = number;
	}
	group->lod_bounds = group->bounds =
		torus_sphere(dag, dag->children + group->first_child, n);
	group->max_parent_error = n_parents ? 0.1f * (float)(1u << level) : CS_ROOT_PARENT_ERROR;
	if (n_parents == 0)
		group->lod_bounds.radius = 0;
	for (uint32_t i = 0; i < n_parents; i++) {
		struct cs_cluster *parent = &dag->clusters[parents + i];
		parent->generating_group = number;
		parent->lod_error = group->max_parent_error;
		parent->lod_bounds = group->lod_bounds;
	}
}

static inline void torus_groups_of_level(struct cs_dag *dag, uint32_t first, uint32_t n)
{
	uint32_t parents = first + n;
	if (n == 1) {
		torus_group(dag, first, 1, 0, 0);
		return;
	}
	for (uint32_t i = 0; i < n; i += TORUS_GROUP) {
		uint32_t size = n - i < TORUS_GROUP ? n - i : TORUS_GROUP;
		torus_group(dag, first + i, size, parents + i / 2, size / 2);
	}
}

static inline void torus_allocate(const struct torus *t, struct cs_dag *dag, uint32_t n_clusters)
{
	size_t vertices = (size_t)n_clusters * TORUS_CLUSTER_VERTICES;
	dag->positions = calloc(vertices * 3, sizeof(float));
	dag->normals = calloc(vertices * 3, sizeof(float));
	if (t->colors)
		dag->colors = calloc(vertices, 4);
	for (uint32_t uv = 0; uv < t->uvs; uv++)
		dag->uvs[uv] = calloc(vertices * 2, sizeof(float));
	dag->corners = calloc((size_t)n_clusters * CS_CLUSTER_TRIANGLES, 3);
	dag->materials = calloc((size_t)n_clusters * CS_CLUSTER_TRIANGLES, 1);
	dag->clusters = calloc(n_clusters, sizeof(*dag->clusters));
	dag->groups = calloc(n_clusters, sizeof(*dag->groups));
	dag->children = calloc(n_clusters, sizeof(*dag->children));
}

static inline void torus_dag(const struct torus *t, struct cs_dag *dag)
{
	uint32_t level0 = t->rows / TORUS_CLUSTER_ROWS, first = 0;
	*dag = (struct cs_dag){.n_uvs = t->uvs,
		.n_materials = t->materials,
		.n_input_triangles = t->rows * TORUS_AROUND * 2,
		.n_input_vertices = t->rows * TORUS_AROUND};
	torus_allocate(t, dag, 2 * level0);
	for (uint32_t n = level0, level = 0; n > 0; n /= 2, level++)
		for (uint32_t i = 0; i < n; i++)
			torus_cluster(t, dag, level, i * TORUS_CLUSTER_ROWS << level);
	for (uint32_t n = level0; n > 0; first += n, n /= 2)
		torus_groups_of_level(dag, first, n);
	dag->n_meshes = 1;
	dag->n_levels = dag->clusters[dag->n_clusters - 1].level + 1;
}
