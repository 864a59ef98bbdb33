/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantises normals and UVs.
 *
 * Normals are octahedral: the encoder chooses the best of the four codes around the exact position
 * in the octahedral square. On the border of the square two codes represent the same direction. The
 * larger one is used, so that a decoded normal encodes to the same code.
 *
 * UVs are quantised for each cluster and axis, between the smallest and the largest value. The UVs
 * of different charts are far apart, so the codes skip the largest gap between two values. A code
 * has at most 12 bits, and the step between codes is at most 2^-14 unless that would need more than
 * 12 bits.
 */
#include "nanite/encode/attributes.h"
#include "nanite/format/format.h"

#include <float.h>
#include <math.h>

enum { NORMAL_MAX = (1 << CS_NORMAL_BITS) - 1 };

/* ---- octahedral codes of normals ---- */

/* Returns how close a code's direction is to a normal: it grows with the cosine of their angle. */
static inline float closeness(int qx, int qy, float nx, float ny, float nz)
{
	const float step = 2.0f / NORMAL_MAX;
	float x = (float)qx * step - 1.0f;
	float y = (float)qy * step - 1.0f;
	float z = 1.0f - fabsf(x) - fabsf(y), back = z < 0 ? z : 0.0f, fold = -back;
	x += x < 0 ? fold : back;
	y += y < 0 ? fold : back;
	float dot = x * nx + y * ny + z * nz;
	return dot * fabsf(dot) / (x * x + y * y + z * z);
}

static inline int lower_code(float place)
{
	int code = (int)((place + 1.0f) * (NORMAL_MAX / 2.0f));
	return code < 0 ? 0 : code >= NORMAL_MAX ? NORMAL_MAX - 1 : code;
}

/*
 * Returns the code of the octahedral coordinates (qx, qy). On the border of the square several
 * codes mean one direction, and the largest of them is returned.
 */
static inline uint32_t join(int qx, int qy)
{
	const int other_x = NORMAL_MAX - qx, other_y = NORMAL_MAX - qy;
	const bool on_x = (qx == 0) | (qx == NORMAL_MAX);
	qy = (on_x & (qy < other_y)) ? other_y : qy;
	const bool on_y = (qy == 0) | (qy == NORMAL_MAX);
	qx = (on_y & (qx < other_x)) ? other_x : qx;
	return (uint32_t)qx | (uint32_t)qy << CS_NORMAL_BITS;
}

/*
 * Returns the best of the four codes around the point (px, py) of the octahedral square, and the
 * first of equally good codes. The offsets of the best code (0 or 1) are kept in floats, as the
 * compared values are, so that compilers select them without a branch.
 */
static inline uint32_t nearest_of_four(float px, float py, float x, float y, float z)
{
	const int qx = lower_code(px), qy = lower_code(py);
	const float first = closeness(qx, qy, x, y, z);
	const float second = closeness(qx + 1, qy, x, y, z);
	const float third = closeness(qx, qy + 1, x, y, z);
	const float fourth = closeness(qx + 1, qy + 1, x, y, z);
	const float low = second > first ? second : first, high = fourth > third ? fourth : third;
	const float x_low = second > first ? 1.0f : 0.0f, x_high = fourth > third ? 1.0f : 0.0f;
	const float to_x = high > low ? x_high : x_low, to_y = high > low ? 1.0f : 0.0f;
	return join(qx + (int)to_x, qy + (int)to_y);
}

/* The loops have no branches, so that a compiler can encode several normals at a time. */
void cs_normals_encode(const float *normals, const uint8_t *places, unsigned n, uint32_t *codes)
{
	float x[CS_CLUSTER_VERTICES], y[CS_CLUSTER_VERTICES], z[CS_CLUSTER_VERTICES];
	float px[CS_CLUSTER_VERTICES], py[CS_CLUSTER_VERTICES];
	for (unsigned i = 0; i < n; i++) {
		static const float straight_up[3] = {0, 0, 1};
		const float *given = normals + 3 * (size_t)places[i];
		const float sum = fabsf(given[0]) + fabsf(given[1]) + fabsf(given[2]);
		const float *normal = sum > 0 && sum <= FLT_MAX ? given : straight_up;
		x[i] = normal[0];
		y[i] = normal[1];
		z[i] = normal[2];
	}
	for (unsigned i = 0; i < n; i++) {
		const float sum = fabsf(x[i]) + fabsf(y[i]) + fabsf(z[i]);
		const float left = x[i] / sum, up = y[i] / sum;
		const float folded_x = copysignf(1.0f - fabsf(up), left);
		const float folded_y = copysignf(1.0f - fabsf(left), up);
		px[i] = z[i] < 0 ? folded_x : left;
		py[i] = z[i] < 0 ? folded_y : up;
	}
	for (unsigned i = 0; i < n; i++)
		codes[i] = nearest_of_four(px[i], py[i], x[i], y[i], z[i]);
}

/* ---- codes of UVs ---- */

static const float unit_codes = 16384; /* desired number of codes for a length of 1 in UV space */
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
 * Finds the largest gap between neighbouring values, and of equally large ones the first. The
 * values are not sorted, but put into twice as many buckets as there are values. So the largest gap
 * is wider than a bucket and cannot be inside one.
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

/*
 * Returns the number of bits of a code for values that span `length`, not counting the gap. It is
 * at least 1, because two values on either side of the gap need different codes.
 */
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
		/* Rounding moved the value into the gap, so the nearer end of the gap is used. */
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
	/*
	 * If the step is smaller than the precision of the value, several codes decode to the same
	 * value. The code of the decoded value is used, so that encoding is stable.
	 */
	uint32_t code = nearest_code(axis, value);
	uint32_t again = nearest_code(axis, cs_uv_value(axis, code));
	return cs_uv_value(axis, again) == cs_uv_value(axis, code) ? again : code;
}
