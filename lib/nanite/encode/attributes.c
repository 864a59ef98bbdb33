/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the code spaces of normals and UVs.
 *
 * Normals: octahedral, the best of the four codes around the exact place. On the border of the
 * square two codes mean one direction; the larger is used, so that a decoded normal encodes to the
 * code it came from.
 *
 * UVs: by cluster and axis, from the least to the largest value. Charts lie apart, so the largest
 * gap between two values is left out of the code space. At most 12 bits, at least a step of 2^-14
 * where they suffice.
 */
#include "nanite/encode/attributes.h"

#include <math.h>

enum { NORMAL_MAX = (1 << CS_NORMAL_BITS) - 1 };

/* ---- normals ---- */

/* How close the directions of the four codes from (qx, qy) on are to a normal: grows with the
 * cosine. All four by the same steps, so that they go side by side. */
static void find_closeness(int qx, int qy, const float normal[3], float ret[4])
{
	const float step = 2.0f / NORMAL_MAX;
	for (int i = 0; i < 4; i++) {
		float x = (float)(qx + (i & 1)) * step - 1.0f;
		float y = (float)(qy + (i >> 1)) * step - 1.0f;
		float z = 1.0f - fabsf(x) - fabsf(y), fold = z < 0 ? -z : 0.0f;
		x += x < 0 ? fold : -fold;
		y += y < 0 ? fold : -fold;
		float dot = x * normal[0] + y * normal[1] + z * normal[2];
		ret[i] = dot * fabsf(dot) / (x * x + y * y + z * z);
	}
}

static int lower_code(float place)
{
	int code = (int)((place + 1.0f) * (NORMAL_MAX / 2.0f));
	return code < 0 ? 0 : code >= NORMAL_MAX ? NORMAL_MAX - 1 : code;
}

static uint32_t join(int qx, int qy)
{
	if ((qx == 0 || qx == NORMAL_MAX) && qy < NORMAL_MAX - qy)
		qy = NORMAL_MAX - qy;
	if ((qy == 0 || qy == NORMAL_MAX) && qx < NORMAL_MAX - qx)
		qx = NORMAL_MAX - qx;
	return (uint32_t)qx | (uint32_t)qy << CS_NORMAL_BITS;
}

uint32_t cs_normal_encode(const float given[3])
{
	static const float up[3] = {0, 0, 1};
	float sum = fabsf(given[0]) + fabsf(given[1]) + fabsf(given[2]);
	const float *normal = sum > 0 && isfinite(sum) ? given : up;
	if (normal == up)
		sum = 1;
	float x = normal[0] / sum, y = normal[1] / sum;
	if (normal[2] < 0) {
		float folded = copysignf(1.0f - fabsf(y), x);
		y = copysignf(1.0f - fabsf(x), y);
		x = folded;
	}
	int qx = lower_code(x), qy = lower_code(y), best = 0;
	float closeness[4];
	find_closeness(qx, qy, normal, closeness);
	for (int i = 1; i < 4; i++)
		best = closeness[i] > closeness[best] ? i : best;
	return join(qx + (best & 1), qy + (best >> 1));
}

/* ---- UVs ---- */

static const float unit_codes = 16384; /* wanted for a length of 1 */
static const float tiny = 1e-8f;
static const float largest_uv = 1e30f;
enum { MAX_PLACES = 65535 };

float cs_uv_clean(float value)
{
	return fabsf(value) <= largest_uv ? value + 0.0f : 0.0f;
}

struct gap {
	float low, high;
};

enum { MAX_VALUES = CS_CLUSTER_TRIANGLES * 3, BUCKETS = MAX_VALUES * 2 };

/*
 * The first largest gap between neighbouring values, without sorting: with twice as many buckets as
 * values it cannot lie within one.
 */
static struct gap largest_gap(const float *values, unsigned n, float least, float delta)
{
	struct gap buckets[BUCKETS], largest = {least, least};
	unsigned n_buckets = n * 2;
	float scale = (float)(n_buckets - 1) / delta;
	for (unsigned i = 0; i < n_buckets; i++)
		buckets[i] = (struct gap){INFINITY, -INFINITY};
	for (unsigned i = 0; i < n; i++) {
		unsigned at = (unsigned)((values[i] - least) * scale);
		struct gap *bucket = &buckets[at < n_buckets ? at : n_buckets - 1];
		bucket->low = values[i] < bucket->low ? values[i] : bucket->low;
		bucket->high = values[i] > bucket->high ? values[i] : bucket->high;
	}
	float before = least;
	for (unsigned i = 0; i < n_buckets; i++) {
		if (buckets[i].low > buckets[i].high)
			continue;
		if (buckets[i].low - before > largest.high - largest.low)
			largest = (struct gap){before, buckets[i].low};
		before = buckets[i].high;
	}
	return largest;
}

/* Two values are told apart even when nothing but the gap lies between them. */
static uint32_t bits_for_length(float length)
{
	float codes = ceilf(length * unit_codes);
	if (codes >= (float)(1 << CS_UV_BITS))
		return CS_UV_BITS;
	return cs_bits_for(codes < 2 ? 2 : (uint32_t)codes);
}

void cs_uv_axis_build(const float *values, unsigned n, struct cs_uv_axis *ret)
{
	float least = values[0], most = values[0];
	for (unsigned i = 1; i < n; i++) {
		least = values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	float delta = most - least;
	*ret = (struct cs_uv_axis){.min = least, .gap_start = 1};
	if (!(delta > 0))
		return;
	struct gap gap = {least, least};
	float inverse = 0;
	if (delta > tiny) {
		gap = largest_gap(values, n, least, delta);
		inverse = 1.0f / delta;
	}
	float length = fmaxf(delta - (gap.high - gap.low), 0.0f), part = length * inverse;
	ret->bits = bits_for_length(length);
	float most_code = (float)((1 << ret->bits) - 1);
	float places = part > tiny ? (most_code - 2) / part : 0.0f;
	places = truncf(fminf(fmaxf(places, most_code), (float)MAX_PLACES));
	ret->scale = delta / places;
	ret->gap_start = (int32_t)most_code + 1;
	if (places > most_code) {
		int32_t end = (int32_t)((gap.high - least) * inverse * places + 0.5f);
		ret->gap_start = (int32_t)((gap.low - least) * inverse * places + 0.5f) + 1;
		ret->gap_length = end > ret->gap_start ? end - ret->gap_start : 0;
	}
}

float cs_uv_value(const struct cs_uv_axis *axis, uint32_t code)
{
	int32_t place = (int32_t)code;
	if (place >= axis->gap_start)
		place += axis->gap_length;
	return axis->min + (float)place * axis->scale;
}

static uint32_t nearest_code(const struct cs_uv_axis *axis, float value)
{
	const int32_t most = (1 << axis->bits) - 1;
	float place = axis->scale > 0 ? (value - axis->min) / axis->scale + 0.5f : 0.0f;
	const float end = (float)(most + axis->gap_length);
	place = place > 0 ? place : 0;
	int32_t code = (int32_t)(place < end ? place : end);
	if (code >= axis->gap_start && code < axis->gap_start + axis->gap_length) {
		/* in the gap by rounding: to its nearer side */
		uint32_t above = (uint32_t)axis->gap_start;
		bool low = above > 0 &&
			   value - cs_uv_value(axis, above - 1) < cs_uv_value(axis, above) - value;
		code = (int32_t)(low ? above - 1 : above);
	} else if (code >= axis->gap_start) {
		code -= axis->gap_length;
	}
	return (uint32_t)(code < most ? code : most);
}

uint32_t cs_uv_encode(const struct cs_uv_axis *axis, float value)
{
	/* Where a step is smaller than the precision of the value, several codes have one value. */
	uint32_t code = nearest_code(axis, value);
	uint32_t again = nearest_code(axis, cs_uv_value(axis, code));
	return cs_uv_value(axis, again) == cs_uv_value(axis, code) ? again : code;
}
