/* SPDX-License-Identifier: Apache-2.0 */
/* Spheres and boxes of clusters. Radii are rounded up, so that a sphere contains all its points. */
#pragma once

#include "cluster/dag_internal.h"

#include <math.h>

/* Returns the smallest float that is not below `value`. */
static inline float cs_float_above(double value)
{
	const float rounded = (float)value;
	return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

/* Returns a sphere that contains all n spheres. `spheres` is an array of n pointers. */
struct cs_sphere_f cs_sphere_of_spheres(const struct cs_sphere_f *const *spheres, uint32_t n);

/* Sets the box and the sphere of a cluster. `positions` has 3 floats for each of its vertices. */
void cs_cluster_bound(struct cs_cluster *cluster, const float *positions);
