/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: finding the triangles of a level below that a triangle of a patch stands for.
 *
 * Every point of the source belongs to one group of each level and has a point on each level's
 * surface there, no farther away than the error of the triangle that it lies on. So what a triangle
 * stands for has its points of a level below in the clusters that the group which made its cluster
 * was made of, and so on down; and the two points are no farther from each other than both errors.
 */
#include "cluster/finer.h"

#include "mesh/vector.h"

#include <math.h>
#include <string.h>

enum { MOST_CLUSTERS = 256 };

struct list {
	uint32_t n, clusters[MOST_CLUSTERS];
};

/* The query with the box around its triangle. */
struct place {
	const struct cs_finer_query *query;
	double min[3], max[3];
};

static struct place place_of(const struct cs_finer_query *query)
{
	const double(*p)[3] = query->corners;
	struct place place = {.query = query};
	for (int k = 0; k < 3; k++) {
		place.min[k] = fmin(p[0][k], fmin(p[1][k], p[2][k]));
		place.max[k] = fmax(p[0][k], fmax(p[1][k], p[2][k]));
	}
	return place;
}

static bool meets(const struct place *place, const float min[3], const float max[3], double reach)
{
	for (int k = 0; k < 3; k++)
		if ((double)min[k] - reach > place->max[k] ||
			(double)max[k] + reach < place->min[k])
			return false;
	return true;
}

static bool add_cluster(
	const struct cs_dag *dag, uint32_t i, const struct place *place, struct list *list)
{
	const struct cs_cluster *c = &dag->clusters[i];
	if (!meets(place, c->box.min, c->box.max, place->query->reach + (double)c->lod_error))
		return true;
	if (list->n == MOST_CLUSTERS)
		return false;
	list->clusters[list->n++] = i;
	return true;
}

/* The cluster of a triangle of the patch, or all children near the box. */
static bool list_children(const struct cs_reducer *r, const struct place *place, struct list *list)
{
	uint32_t first = 0, triangle = place->query->triangle;
	list->n = 0;
	for (uint32_t i = 0; i < r->n_children; i++) {
		uint32_t number = r->builder->level_first + r->children[i];
		uint32_t n = cs_reducer_child(r, i)->n_triangles;
		if (triangle == CS_NONE) {
			if (!add_cluster(&r->builder->dag, number, place, list))
				return false;
		} else if (triangle - first < n) {
			list->clusters[list->n++] = number;
		}
		first += n;
	}
	return true;
}

/* Replaces clusters by what the groups that made them were made of. */
static bool descend(const struct cs_dag *dag, const struct place *place, struct list *list)
{
	uint32_t made[MOST_CLUSTERS], n_made = 0;
	for (uint32_t i = 0; i < list->n; i++) {
		uint32_t group = dag->clusters[list->clusters[i]].generating_group, k = 0;
		while (k < n_made && made[k] != group)
			k++;
		made[k] = group;
		n_made += k == n_made;
	}
	list->n = 0;
	for (uint32_t i = 0; i < n_made; i++) {
		const struct cs_cluster_group *group = &dag->groups[made[i]];
		for (uint32_t k = 0; k < group->n_children; k++)
			if (!add_cluster(dag, dag->children[group->first_child + k], place, list))
				return false;
	}
	return true;
}

static bool is_fine_enough(
	const struct cs_dag *dag, const struct cs_finer_query *query, const struct list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const struct cs_cluster *c = &dag->clusters[list->clusters[i]];
		if (c->level > 0 && (double)c->lod_error > query->wanted)
			return false;
	}
	return true;
}

/* Whether a triangle is so far from that of the query that it cannot be wanted. */
static bool is_far(const struct cs_finer_query *query, double at[3][3], double reach)
{
	double middle[3], nearest[3], radius2 = 0;
	for (int k = 0; k < 3; k++)
		middle[k] = (at[0][k] + at[1][k] + at[2][k]) / 3;
	for (int i = 0; i < 3; i++) {
		double off[3];
		cs_subtract(at[i], middle, off);
		radius2 = fmax(radius2, cs_dot(off, off));
	}
	double far = sqrt(radius2) + reach;
	return cs_triangle_nearest(middle, query->corners[0], query->corners[1], query->corners[2],
		       nearest) > far * far * (1 + 0x1p-30);
}

static bool add_triangle(
	const struct place *place, const float *const at[3], float error, struct cs_loose *ret)
{
	double corners[3][3], reach = place->query->reach + (double)error;
	float min[3], max[3];
	for (int k = 0; k < 3; k++) {
		float a = at[0][k], b = at[1][k], c = at[2][k];
		float low = a < b ? a : b, high = a < b ? b : a;
		min[k] = c < low ? c : low;
		max[k] = c > high ? c : high;
	}
	if (!meets(place, min, max, reach))
		return true;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			corners[i][k] = (double)at[i][k];
	if (is_far(place->query, corners, reach))
		return true;
	if (ret->n == CS_LOOSE_TRIANGLES)
		return false;
	ret->errors[ret->n] = error;
	memcpy(ret->corners[ret->n++], corners, sizeof(corners));
	return true;
}

static bool add_triangles(const struct cs_builder *b, uint32_t cluster, const struct place *place,
	struct cs_loose *ret)
{
	const struct cs_dag *dag = &b->dag;
	const struct cs_cluster *c = &dag->clusters[cluster];
	const float *positions = dag->positions + 3 * (size_t)c->first_vertex;
	for (uint32_t i = c->first_triangle; i < c->first_triangle + c->n_triangles; i++) {
		const uint8_t *corners = dag->corners + 3 * (size_t)i;
		const float *at[3] = {positions + 3 * (size_t)corners[0],
			positions + 3 * (size_t)corners[1], positions + 3 * (size_t)corners[2]};
		if (!add_triangle(place, at, b->errors.at[i], ret))
			return false;
	}
	return true;
}

bool cs_reducer_finer(const void *context, const struct cs_finer_query *query, struct cs_loose *ret)
{
	const struct cs_reducer *r = context;
	const struct cs_dag *dag = &r->builder->dag;
	const struct place place = place_of(query);
	struct list list;
	uint32_t level = cs_reducer_child(r, 0)->level;
	ret->n = 0;
	if (!list_children(r, &place, &list))
		return false;
	for (; level > 0; level--) {
		if (!descend(dag, &place, &list))
			return false;
		if (is_fine_enough(dag, query, &list))
			break;
	}
	for (uint32_t i = 0; i < list.n; i++)
		if (!add_triangles(r->builder, list.clusters[i], &place, ret))
			return false;
	return true;
}
