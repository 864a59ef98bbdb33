/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes normals and UVs into the codes of a page. The decoder has its own inverse functions. */
#pragma once

#include "cluster/dag_internal.h"

/*
 * Encodes n normals, at most CS_CLUSTER_VERTICES: codes[i] is the code of the normal with index
 * places[i]. A code has X in the low CS_NORMAL_BITS bits and Y above. A vector of length 0 becomes
 * +Z.
 */
void cs_normals_encode(const float *normals, const uint8_t *places, unsigned n, uint32_t *codes);

/* Returns the UV coordinate to encode for a value: NAN, -0 and values beyond +-1e30 become 0. */
float cs_uv_clean(float value);
/* Computes minimum, scale, gap and bits of the codes for n (at least 1) results of cs_uv_clean. */
void cs_uv_axis_build(const float *values, unsigned n, struct cs_uv_axis *ret);
/* Returns the code nearest to a result of cs_uv_clean. Encoding a code's value returns the code. */
uint32_t cs_uv_encode(const struct cs_uv_axis *axis, float value);
float cs_uv_value(const struct cs_uv_axis *axis, uint32_t code);
