/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes normals and UVs into the codes of a page. The decoder has an inverse of its own. */
#pragma once

#include "cluster/dag_internal.h"

/*
 * Encodes n normals, at most CS_CLUSTER_VERTICES, at the indices `places` of `normals`. A code has
 * X in the low CS_NORMAL_BITS and Y above them. A vector without a direction becomes +Z.
 */
void cs_normals_encode(const float *normals, const uint8_t *places, unsigned n, uint32_t *codes);

/* Returns a UV as it is encoded: values that are not finite become 0, and so does -0. */
float cs_uv_clean(float value);
/* Computes the code space for n (at least 1) clean values. */
void cs_uv_axis_build(const float *values, unsigned n, struct cs_uv_axis *ret);
/*
 * Returns the code nearest to a clean value. Encoding the value of a returned code gives that code
 * again.
 */
uint32_t cs_uv_encode(const struct cs_uv_axis *axis, float value);
float cs_uv_value(const struct cs_uv_axis *axis, uint32_t code);
