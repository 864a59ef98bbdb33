/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Enlarges the bounds of a DAG because of the grid. Rounding to the grid moves positions by up to
 * `shift`, so a cluster may be that much farther from the source, and may extend that far out of
 * its sphere. Errors and spheres are enlarged by `shift`. Spheres of higher levels are enlarged a
 * little more, so that they still contain the lower ones in spite of rounding. A DAG whose
 * positions are already on the grid is not changed.
 *
 * Then chooses the unit in which errors and edges are stored in half precision: one unit of the
 * mesh, or a number of grid steps if values in units of the mesh would be too large or too small
 * for half precision.
 */
#include "nanite/encode/encode.h"

#include "cluster/bounds.h"
#include "core/half.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns how far rounding to the grid moves a vertex at most, in units of the mesh. */
static double find_shift(const struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	double farthest2 = 0;
	for (uint32_t i = 0; i < dag->n_vertices; i++) {
		const float *from = dag->positions + (size_t)i * 3;
		int32_t to[3];
		double moved2 = 0;
		cs_encode_position(encoder, i, to);
		for (unsigned axis = 0; axis < 3; axis++) {
			double by = (double)((float)to[axis] * encoder->step) - (double)from[axis];
			moved2 += by * by;
		}
		farthest2 = fmax(farthest2, moved2);
	}
	return sqrt(farthest2);
}

static float largest_radius(const struct cs_dag *dag)
{
	float radius = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		radius = fmaxf(radius, dag->clusters[i].lod_bounds.radius);
	for (uint32_t i = 0; i < dag->n_groups; i++)
		radius = fmaxf(radius, dag->groups[i].lod_bounds.radius);
	return radius;
}

struct widening {
	double shift; /* amount by which errors and spheres grow, in units of the mesh */
	/* the spheres of each level are enlarged by this much more than those of the level below */
	double level_step;
};

static void widen_cluster(const struct widening *widening, struct cs_cluster *cluster)
{
	cluster->lod_bounds.radius =
		cs_float_above((double)cluster->lod_bounds.radius +
			       (widening->shift + widening->level_step * cluster->level));
	if (cluster->lod_error < CS_ROOT_PARENT_ERROR)
		cluster->lod_error = cs_float_above((double)cluster->lod_error + widening->shift);
}

/*
 * Enlarges the sphere and the error of a group. Both belong to the parents of the group, so the
 * margin is that of the parents' level, which is one above the level of the group.
 */
static void widen_group(const struct widening *widening, struct cs_cluster_group *group)
{
	if (group->max_parent_error >= CS_ROOT_PARENT_ERROR)
		return;
	group->lod_bounds.radius =
		cs_float_above((double)group->lod_bounds.radius +
			       (widening->shift + widening->level_step * (group->level + 1)));
	group->max_parent_error = cs_float_above((double)group->max_parent_error + widening->shift);
}

static struct cs_error *widen(struct cs_encoder *encoder, struct widening widening)
{
	const struct cs_dag *dag = encoder->dag;
	/* radii grow per level by a few units in the last place of the largest radius */
	widening.level_step = (double)(largest_radius(dag) * 0x1p-21f);
	size_t clusters = dag->n_clusters * sizeof(*dag->clusters);
	size_t groups = dag->n_groups * sizeof(*dag->groups);
	encoder->widened = *dag;
	encoder->widened.clusters = malloc(clusters);
	encoder->widened.groups = malloc(groups);
	if (!encoder->widened.clusters || !encoder->widened.groups)
		return cs_error_nomem();
	memcpy(encoder->widened.clusters, dag->clusters, clusters);
	memcpy(encoder->widened.groups, dag->groups, groups);
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		widen_cluster(&widening, &encoder->widened.clusters[i]);
	for (uint32_t i = 0; i < dag->n_groups; i++)
		widen_group(&widening, &encoder->widened.groups[i]);
	encoder->dag = &encoder->widened;
	return NULL;
}

/* Returns the largest error of groups and clusters, except the special value of root groups. */
static float largest_error(const struct cs_dag *dag)
{
	float most = 0;
	for (uint32_t i = 0; i < dag->n_groups; i++)
		if (dag->groups[i].max_parent_error < CS_ROOT_PARENT_ERROR)
			most = fmaxf(most, dag->groups[i].max_parent_error);
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		if (dag->clusters[i].lod_error < CS_ROOT_PARENT_ERROR)
			most = fmaxf(most, dag->clusters[i].lod_error);
	return most;
}

struct cs_error *cs_encode_widen(struct cs_encoder *encoder)
{
	struct widening widening = {.shift = find_shift(encoder)};
	struct cs_error *error = widening.shift > 0 ? widen(encoder, widening) : NULL;
	if (error)
		return error;
	encoder->grid_halves = encoder->precision > CS_HALF_PRECISION ||
			       largest_error(encoder->dag) > CS_HALF_MOST;
	encoder->half_unit = encoder->grid_halves ? cs_grid_half_unit(encoder->precision) : 1;
	return NULL;
}
