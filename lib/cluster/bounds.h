/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spheres and boxes of clusters. A sphere contains what it is said to contain in exact arithmetic:
 * its radius is rounded up.
 */
#pragma once

#include "cluster/dag_internal.h"

/* Around spheres, given by their addresses. */
struct cs_sphere_f cs_sphere_of_spheres(const struct cs_sphere_f *const *spheres, uint32_t n);

/* Sets box and sphere of a cluster from its own vertices. */
void cs_cluster_bound(struct cs_cluster *cluster, const float *positions);
