/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes spheres and boxes of clusters. A sphere contains its items in exact arithmetic, because
 * its radius is rounded up.
 */
#pragma once

#include "cluster/dag_internal.h"

/* Returns a sphere that contains all the spheres at the given addresses. */
struct cs_sphere_f cs_sphere_of_spheres(const struct cs_sphere_f *const *spheres, uint32_t n);

/* Sets the box and the sphere of a cluster from its own vertices. */
void cs_cluster_bound(struct cs_cluster *cluster, const float *positions);
