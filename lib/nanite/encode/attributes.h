/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of normals and UVs into the codes of a page. The decoder has its own inverse. */
#pragma once

#include "cluster/dag_internal.h"

/* X in the low CS_NORMAL_BITS, Y above; +Z for what has no direction. Of n normals, at most
 * CS_CLUSTER_VERTICES, those whose places in `normals` are given. */
void cs_normals_encode(const float *normals, const uint8_t *places, unsigned n, uint32_t *codes);

/* A UV as it is encoded: what is not a number of any use is 0, and there is one zero. */
float cs_uv_clean(float value);
/* The code space for n (at least 1) clean values. */
void cs_uv_axis_build(const float *values, unsigned n, struct cs_uv_axis *ret);
/* The code nearest to a clean value; the code of cs_uv_value(axis, code) is that code again. */
uint32_t cs_uv_encode(const struct cs_uv_axis *axis, float value);
float cs_uv_value(const struct cs_uv_axis *axis, uint32_t code);
