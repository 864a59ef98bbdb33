/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the triangles of a lower level that a triangle of a patch represents.
 *
 * Every point of the source belongs to one group of each level. It corresponds to a point of a
 * triangle of that level in the same group, and the distance to that point is at most the error of
 * the triangle. So the points of the next lower level that correspond to a triangle are in the
 * children of the generating group of the triangle's cluster, and the same is true for each level
 * down. Corresponding points of two levels are no farther apart than the sum of both errors.
 *
 * Queries of one group are near each other. So the bounding spheres of a cluster's triangles are
 * computed once, and triangles that need no further comparison are marked and not returned again.
 */
#include "cluster/finer.h"

#include "cluster/reduce.h"
#include "core/slots.h"
#include "mesh/facet.h"
#include "mesh/sheet.h"

#include <math.h>
#include <string.h>

enum { MOST_CLUSTERS = 256 };

struct list {
	uint32_t n, clusters[MOST_CLUSTERS];
};

/* A query for finer triangles, and the bounding box of the space in which it searches. */
struct place {
	const struct cs_finer_query *query;
	struct cs_facet facet; /* the query's triangle, prepared for measuring distances */
	double min[3], max[3];
};

static struct place place_of(const struct cs_finer_query *query)
{
	const double(*p)[3] = query->corners;
	struct place place = {.query = query, .facet = cs_facet_of(p[0], p[1], p[2])};
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

static bool finer_add_cluster(
	const struct cs_dag *dag, uint32_t i, const struct place *place, struct list *list)
{
	const struct cs_cluster *cluster = &dag->clusters[i];
	if (!meets(place, cluster->box.min, cluster->box.max,
		    place->query->reach + (double)cluster->lod_error))
		return true;
	if (list->n == MOST_CLUSTERS)
		return false;
	list->clusters[list->n++] = i;
	return true;
}

/*
 * Lists the clusters in which a search starts: the cluster of the query's triangle or, without one,
 * the children of the group near the box of `place`. Returns false when the list is full.
 */
static bool finer_list_children(
	const struct cs_reducer *reducer, const struct place *place, struct list *list)
{
	uint32_t first = 0, triangle = place->query->triangle;
	list->n = 0;
	for (uint32_t i = 0; i < reducer->n_children; i++) {
		uint32_t number = reducer->builder->level_first + reducer->children[i];
		uint32_t n = cs_reducer_child(reducer, i)->n_triangles;
		if (triangle == CS_NONE) {
			if (!finer_add_cluster(&reducer->builder->dag, number, place, list))
				return false;
		} else if (triangle - first < n) {
			list->clusters[list->n++] = number;
		}
		first += n;
	}
	return true;
}

/* Replaces listed clusters by their children near `place`. Returns false when the list is full. */
static bool finer_descend(const struct cs_dag *dag, const struct place *place, struct list *list)
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
			if (!finer_add_cluster(
				    dag, dag->children[group->first_child + k], place, list))
				return false;
	}
	return true;
}

static bool is_fine_enough(
	const struct cs_dag *dag, const struct cs_finer_query *query, const struct list *list)
{
	for (uint32_t i = 0; i < list->n; i++) {
		const struct cs_cluster *cluster = &dag->clusters[list->clusters[i]];
		if (cluster->level > 0 && (double)cluster->lod_error > query->wanted)
			return false;
	}
	return true;
}

static bool finer_add_triangle(
	const float *const at[3], float error, bool *done, struct cs_loose *ret)
{
	if (ret->n == CS_LOOSE_TRIANGLES)
		return false;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			ret->corners[ret->n][i][k] = (double)at[i][k];
	ret->errors[ret->n] = error;
	ret->done[ret->n++] = done;
	return true;
}

/* ---- searching triangles by their spheres ---- */

static void finer_fill_row(
	const struct cs_reducer *reducer, uint32_t cluster, struct cs_finer_row *row)
{
	const struct cs_dag *dag = &reducer->builder->dag;
	const struct cs_cluster *c = &dag->clusters[cluster];
	const float *positions = dag->positions + 3 * (size_t)c->first_vertex;
	const float *origin = reducer->patch.positions;
	row->cluster = cluster;
	memset(row->done, 0, sizeof(row->done));
	for (uint32_t i = 0; i < c->n_triangles; i++) {
		const uint8_t *corners = dag->corners + 3 * ((size_t)c->first_triangle + i);
		float at[3][3], middle[3], radius2 = 0;
		for (size_t k = 0; k < 3; k++) {
			for (size_t corner = 0; corner < 3; corner++)
				at[corner][k] =
					positions[3 * (size_t)corners[corner] + k] - origin[k];
			row->middle[k][i] = middle[k] = (at[0][k] + at[1][k] + at[2][k]) / 3;
		}
		for (int corner = 0; corner < 3; corner++) {
			float x = at[corner][0] - middle[0], y = at[corner][1] - middle[1],
			      z = at[corner][2] - middle[2];
			radius2 = cs_larger(radius2, x * x + y * y + z * z);
		}
		row->reach[i] =
			sqrtf(radius2) + reducer->builder->errors.at[(size_t)c->first_triangle + i];
	}
}

/*
 * Returns the spheres around the triangles of a cluster from the cache. If the cache does not have
 * them, computes them first. When the cache is full, they replace the last entry.
 */
static struct cs_finer_row *finer_row_of(const struct cs_reducer *reducer, uint32_t cluster)
{
	struct cs_finer *finer = reducer->finer;
	uint32_t *slot = cs_probe(finer->slots, CS_FINER_SLOTS - 1, cluster * 0x9e3779b1u >> 16,
		row, finer->rows[row].cluster == cluster);
	if (*slot)
		return &finer->rows[*slot - 1];
	bool room = finer->n + 1 < CS_FINER_ROWS;
	struct cs_finer_row *row = &finer->rows[room ? finer->n++ : CS_FINER_ROWS - 1];
	finer_fill_row(reducer, cluster, row);
	*slot = room ? finer->n : 0;
	return row;
}

/*
 * A sphere around the triangle of a query, relative to the first position of the patch. `radius`
 * includes the search distance (query.reach) and `play`.
 */
struct sphere {
	float middle[3], radius;
	double play; /* upper bound of the sum of rounding errors */
};

static struct sphere sphere_of(const struct cs_reducer *reducer, const struct cs_finer_query *query)
{
	struct sphere sphere;
	double middle[3], radius2 = 0, far = 0;
	for (int k = 0; k < 3; k++) {
		middle[k] =
			(query->corners[0][k] + query->corners[1][k] + query->corners[2][k]) / 3;
		sphere.middle[k] = (float)(middle[k] - (double)reducer->patch.positions[k]);
		far = fmax(far, fabs(middle[k] - (double)reducer->patch.positions[k]));
	}
	for (int i = 0; i < 3; i++) {
		double off[3];
		cs_subtract(query->corners[i], middle, off);
		double far2 = cs_dot(off, off);
		radius2 = far2 > radius2 ? far2 : radius2;
	}
	sphere.play = 0x1p-18 * (far + sqrt(radius2) + query->reach);
	sphere.radius = (float)(sqrt(radius2) + query->reach + sphere.play);
	return sphere;
}

/*
 * Returns whether triangle i of the row's cluster is certainly too far from the query's triangle.
 */
static bool is_far(const struct cs_reducer *reducer, const struct place *place,
	const struct sphere *sphere, const struct cs_finer_row *row, uint32_t i)
{
	double middle[3];
	for (int k = 0; k < 3; k++)
		middle[k] = (double)row->middle[k][i] + (double)reducer->patch.positions[k];
	double far = (double)row->reach[i] * (1 + 0x1p-18) + place->query->reach + sphere->play;
	return cs_facet_distance2(&place->facet, middle) > far * far;
}

static bool finer_add_triangles(const struct cs_reducer *reducer, uint32_t cluster,
	const struct place *place, const struct sphere *sphere, struct cs_loose *ret)
{
	const struct cs_dag *dag = &reducer->builder->dag;
	const struct cs_cluster *c = &dag->clusters[cluster];
	const float *positions = dag->positions + 3 * (size_t)c->first_vertex;
	struct cs_finer_row *row = finer_row_of(reducer, cluster);
	int32_t meets[CS_CLUSTER_TRIANGLES];
	uint32_t met[CS_CLUSTER_TRIANGLES + 1], n = 0;
	for (uint32_t i = 0; i < c->n_triangles; i++) {
		float x = row->middle[0][i] - sphere->middle[0];
		float y = row->middle[1][i] - sphere->middle[1];
		float z = row->middle[2][i] - sphere->middle[2];
		float reach = (row->reach[i] + sphere->radius) * (1 + 0x1p-18f);
		meets[i] = x * x + y * y + z * z <= reach * reach;
	}
	for (uint32_t i = 0; i < c->n_triangles; i++) {
		/* no branch, because the processor cannot predict which triangles are near */
		met[n] = i;
		n += meets[i] & !(row->done[i] & (place->query->triangle != CS_NONE));
	}
	for (uint32_t k = 0; k < n; k++) {
		const uint32_t i = met[k];
		if (is_far(reducer, place, sphere, row, i))
			continue;
		const uint8_t *corners = dag->corners + 3 * ((size_t)c->first_triangle + i);
		const float *at[3] = {positions + 3 * (size_t)corners[0],
			positions + 3 * (size_t)corners[1], positions + 3 * (size_t)corners[2]};
		if (!finer_add_triangle(at,
			    reducer->builder->errors.at[(size_t)c->first_triangle + i],
			    &row->done[i], ret))
			return false;
	}
	return true;
}

struct cs_finer *cs_finer_new(struct cs_scratch *scratch)
{
	struct cs_finer *finer = CS_SCRATCH_ARRAY(scratch, struct cs_finer, 1);
	if (!finer)
		return NULL;
	finer->n = 0;
	memset(finer->slots, 0, sizeof(finer->slots));
	return finer;
}

bool cs_reducer_finer(const void *context, const struct cs_finer_query *query, struct cs_loose *ret)
{
	const struct cs_reducer *reducer = context;
	const struct cs_dag *dag = &reducer->builder->dag;
	const struct place place = place_of(query);
	const struct sphere sphere = sphere_of(reducer, query);
	struct list list;
	uint32_t level = cs_reducer_child(reducer, 0)->level;
	ret->n = 0;
	if (!finer_list_children(reducer, &place, &list))
		return false;
	for (; level > 0; level--) {
		if (!finer_descend(dag, &place, &list))
			return false;
		if (is_fine_enough(dag, query, &list))
			break;
	}
	for (uint32_t i = 0; i < list.n; i++)
		if (!finer_add_triangles(reducer, list.clusters[i], &place, &sphere, ret))
			return false;
	return true;
}
