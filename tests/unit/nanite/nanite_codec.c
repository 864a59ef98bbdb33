/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the codes that Nanite pages are made of: bit strings, octahedral normals, UV code
 * spaces, strips. Each against a twin that is written from the format alone.
 */
#include "core/random.h"
#include "nanite/decode/decode.h"
#include "nanite/encode/attributes.h"
#include "nanite/encode/strip.h"
#include "nanite/format/bits.h"
#include "tests/samples/tap.h"

#include <cellscope/nanite.h>

#include <math.h>

/* ---- bits ---- */

static void test_bits(void)
{
	unsigned wrong = 0;
	for (uint32_t n = 1; n < 70000; n++) {
		unsigned bits = 0;
		while (((uint64_t)1 << bits) < n)
			bits++;
		wrong += cs_bits_for(n) != bits;
	}
	is_int(wrong, 0, "bits: enough bits for n values, and no more");
	is_int(cs_bits_for(UINT32_MAX), 32, "bits: for 2^32 - 1 values");

	enum { N = 5000 };
	static unsigned char bytes[N * 4 + 8];
	static uint32_t values[N];
	static unsigned widths[N];
	struct cs_random random = {7};
	struct cs_bit_writer writer = {.bytes = bytes};
	for (unsigned i = 0; i < N; i++) {
		widths[i] = cs_random_below(&random, 33);
		values[i] = (uint32_t)cs_random_u64(&random) & cs_bits_mask(widths[i]);
		cs_bits_put(&writer, values[i], widths[i]);
	}
	cs_bits_flush(&writer);
	uint64_t at = 0;
	wrong = 0;
	for (unsigned i = 0; i < N; at += widths[i++])
		wrong += cs_bits_at(bytes, writer.size, at, widths[i]) != values[i];
	is_int(wrong, 0, "bits: %d values of random width come back", N);
	is_int(writer.size, (at + 7) / 8, "bits: no byte more than needed");
	is_int(cs_bits_at(bytes, writer.size, at + 100, 32), 0, "bits: zeros behind the end");
	is_int(cs_bits_at(bytes, 1, 4, 8), bytes[0] >> 4, "bits: zeros from the end on");
}

static void test_trimming(void)
{
	uint32_t first = 0, n = 3;
	cs_trim_root_pages(&first, &n);
	ok(first == 1 && n == 2, "root pages: 0..2 becomes 1..2");
	first = 0, n = 1;
	cs_trim_root_pages(&first, &n);
	ok(first == 1 && n == 0, "root pages: 0 becomes nothing");
	first = 4, n = 2;
	cs_trim_root_pages(&first, &n);
	ok(first == 4 && n == 2, "root pages: others stay");
}

/* ---- normals ---- */

static double degrees(const float a[3], const float b[3])
{
	double dot = 0, aa = 0, bb = 0;
	for (unsigned i = 0; i < 3; i++) {
		dot += (double)a[i] * (double)b[i];
		aa += (double)a[i] * (double)a[i];
		bb += (double)b[i] * (double)b[i];
	}
	return acos(fmin(1, dot / sqrt(aa * bb))) * 57.29577951308232;
}

static uint32_t encode_normal(const float normal[3])
{
	const uint8_t first = 0;
	uint32_t code;
	cs_normals_encode(normal, &first, 1, &code);
	return code;
}

static void test_normals(void)
{
	enum { N = 60000 };
	struct cs_random random = {3};
	double worst = 0, sum = 0;
	for (unsigned i = 0; i < N; i++) {
		float normal[3], back[3];
		double z = cs_random_range(&random, -1, 1), r = sqrt(1 - z * z);
		double turn = cs_random_range(&random, 0, 6.283185307179586);
		normal[0] = (float)(r * cos(turn));
		normal[1] = (float)(r * sin(turn));
		normal[2] = (float)z;
		cs_nanite_normal(encode_normal(normal), back);
		double error = degrees(normal, back);
		worst = fmax(worst, error);
		sum += error;
	}
	diag("normals: largest error %.3f, mean %.3f degrees", worst, sum / N);
	ok(worst < 0.32 && sum / N < 0.165, "normals: at most 0.31, in the mean 0.16 degrees");

	const uint32_t most = cs_bits_mask(CS_NORMAL_BITS);
	unsigned long changed = 0, long_ones = 0, far = 0;
	for (uint32_t code = 0; code < 1u << 2 * CS_NORMAL_BITS; code++) {
		float normal[3], again[3];
		cs_nanite_normal(code, normal);
		uint32_t back = encode_normal(normal), x = code & most;
		uint32_t y = code >> CS_NORMAL_BITS;
		double length = sqrt((double)normal[0] * (double)normal[0] +
				     (double)normal[1] * (double)normal[1] +
				     (double)normal[2] * (double)normal[2]);
		bool border = x == 0 || x == most || y == 0 || y == most;
		cs_nanite_normal(back, again);
		changed += back != code && !border;
		changed += encode_normal(again) != back;
		far += degrees(normal, again) > 1e-2;
		long_ones += fabs(length - 1) > 1e-6;
	}
	is_int(changed, 0, "normals: every code inside comes back, every other settles at once");
	is_int(far, 0, "normals: another code on the border means the same direction");
	is_int(long_ones, 0, "normals: all decode to unit vectors");

	static const float odd[][3] = {{0, 0, 0}, {NAN, 0, 1}, {INFINITY, 0, 0}, {0, 0, 0.5f}};
	for (unsigned i = 0; i < 4; i++) {
		const float up[3] = {0, 0, 1};
		float back[3];
		cs_nanite_normal(encode_normal(odd[i]), back);
		ok(degrees(up, back) < 0.2, "normals: (%g, %g, %g) is up", (double)odd[i][0],
			(double)odd[i][1], (double)odd[i][2]);
	}
}

/* ---- UVs ---- */

static int by_value(const void *left, const void *right)
{
	float l = *(const float *)left, r = *(const float *)right;
	return l < r ? -1 : l > r;
}

/* Applies the rules of the source text by sorting. */
static struct cs_uv_axis reference_axis(const float *values, unsigned n)
{
	float sorted[CS_CLUSTER_VERTICES];
	memcpy(sorted, values, n * sizeof(*values));
	qsort(sorted, n, sizeof(*sorted), by_value);
	float gap_start = sorted[0], gap_end = sorted[0], min = sorted[0], max = sorted[n - 1];
	for (unsigned i = 0; i + 1 < n; i++)
		if (sorted[i + 1] - sorted[i] > gap_end - gap_start) {
			gap_start = sorted[i];
			gap_end = sorted[i + 1];
		}
	float delta = max - min, inverse = delta > 1e-8f ? 1.0f / delta : 0.0f;
	float rest = fmaxf(delta - (gap_end - gap_start), 0.0f);
	struct cs_uv_axis axis = {.min = min};
	if (delta > 0) {
		double want = fmax(ceil((double)(rest * 16384.0f)), 2);
		while (axis.bits < 12 && ldexp(1, (int)axis.bits) < want)
			axis.bits++;
	}
	int most = (1 << axis.bits) - 1;
	float part = rest * inverse, places = part > 1e-8f ? (float)(most - 2) / part : 0.0f;
	int n_places = (int)fminf(fmaxf(places, (float)most), 65535.0f);
	axis.gap_start = most + 1;
	if (n_places > most) {
		int end = (int)((gap_end - min) * inverse * (float)n_places + 0.5f);
		axis.gap_start = (int)((gap_start - min) * inverse * (float)n_places + 0.5f) + 1;
		axis.gap_length = end > axis.gap_start ? end - axis.gap_start : 0;
	}
	axis.scale = n_places > 0 ? delta / (float)n_places : 0.0f;
	return axis;
}

/* Makes values as meshes have them: dense, in two charts, far from zero, few, or equal. */
static unsigned make_values(struct cs_random *random, float *values)
{
	unsigned n = 1 + cs_random_below(random, CS_CLUSTER_VERTICES);
	unsigned kind = cs_random_below(random, 6);
	double origin = cs_random_range(random, -2, 2),
	       size = exp2(cs_random_range(random, -20, 3));
	if (kind == 4)
		origin = cs_random_range(random, -3000, 3000);
	for (unsigned i = 0; i < n; i++) {
		double at = cs_random_unit(random);
		if (kind == 1)
			at = at * 0.2 + (cs_random_below(random, 2) ? 0.8 : 0);
		if (kind == 2)
			at = floor(at * 8) / 8;
		if (kind == 3)
			at = cs_random_below(random, 2);
		values[i] = cs_uv_clean((float)(origin + (kind == 5 ? 0 : at * size)));
	}
	return n;
}

static void test_uvs(void)
{
	enum { ROUNDS = 20000 };
	struct cs_random random = {11};
	float values[CS_CLUSTER_VERTICES];
	unsigned different = 0, outside = 0, unstable = 0;
	double worst = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned n = make_values(&random, values);
		struct cs_uv_axis axis, want = reference_axis(values, n);
		cs_uv_axis_build(values, n, &axis);
		different += axis.min != want.min || axis.scale != want.scale ||
			     axis.bits != want.bits || axis.gap_start != want.gap_start ||
			     axis.gap_length != want.gap_length;
		for (unsigned i = 0; i < n; i++) {
			uint32_t code = cs_uv_encode(&axis, values[i]);
			float back = cs_uv_value(&axis, code);
			outside += code >> axis.bits != 0;
			unstable += cs_uv_encode(&axis, back) != code;
			/* steps, and what the float itself cannot tell apart */
			double slack =
				0.51 * (double)axis.scale + fabs((double)values[i]) * 0x1p-23;
			double error = fabs((double)back - (double)values[i]);
			worst = fmax(worst, axis.scale > 0 ? error / slack : error > 1e-8);
		}
	}
	is_int(different, 0, "UVs: %d code spaces are those of the rules", ROUNDS);
	is_int(outside, 0, "UVs: no code has bits beyond its space");
	is_int(unstable, 0, "UVs: a decoded value has its code again");
	ok(worst <= 1, "UVs: errors of at most half a step (%.3f of that)", worst);
}

static void test_uv_codes(void)
{
	struct cs_random random = {12};
	unsigned changed = 0, backwards = 0;
	for (unsigned round = 0; round < 300; round++) {
		float values[CS_CLUSTER_VERTICES];
		unsigned n = make_values(&random, values);
		struct cs_uv_axis axis;
		cs_uv_axis_build(values, n, &axis);
		/* where steps are larger than the precision of the values all codes differ */
		bool exact = axis.scale > (fabsf(axis.min) + 8) * 0x1p-22f;
		for (uint32_t code = 0; code < 1u << axis.bits && axis.scale > 0; code++) {
			float value = cs_uv_value(&axis, code);
			changed += exact && cs_uv_encode(&axis, value) != code;
			backwards += code && cs_uv_value(&axis, code - 1) > value;
		}
	}
	is_int(changed, 0, "UVs: every code of a space comes back");
	is_int(backwards, 0, "UVs: values ascend with codes");
	ok(cs_uv_clean(NAN) == 0 && cs_uv_clean(-INFINITY) == 0 && !signbit(cs_uv_clean(-0.0f)),
		"UVs: what is no number is 0, and there is one zero");
}

/* ---- strips ---- */

/* A decoder that goes to any triangle directly, from the masks and the prefix counts. */

static uint32_t mask_of(const struct cs_strip *s, unsigned t, enum cs_strip_mask kind)
{
	return s->masks[t / 32][kind];
}

static unsigned bit_of(const struct cs_strip *s, unsigned t, enum cs_strip_mask kind)
{
	return mask_of(s, t, kind) >> t % 32 & 1;
}

/* Returns a mask of the triangles of the group that come before t. */
static uint32_t before(unsigned t)
{
	return (1u << t % 32) - 1;
}

static unsigned prefix(uint32_t field, unsigned t)
{
	return t < 32 ? 0 : field >> 10 * (t / 32 - 1) & 1023;
}

static unsigned references_before(const struct cs_strip *s, unsigned t)
{
	uint32_t start = mask_of(s, t, CS_STRIP_START), left = mask_of(s, t, CS_STRIP_LEFT);
	uint32_t low = mask_of(s, t, CS_STRIP_REFERENCE), b = before(t);
	return prefix(s->previous_references, t) + (unsigned)__builtin_popcount(low & b) +
	       2 * (unsigned)__builtin_popcount(start & left & b);
}

static unsigned new_before(const struct cs_strip *s, unsigned t)
{
	uint32_t start = mask_of(s, t, CS_STRIP_START), b = before(t);
	unsigned issued = 3 * (unsigned)__builtin_popcount(start & b) +
			  (unsigned)__builtin_popcount(~start & b);
	unsigned references = references_before(s, t) - prefix(s->previous_references, t);
	return prefix(s->previous_new, t) + issued - references;
}

static unsigned code_at(const struct cs_strip *s, unsigned i)
{
	unsigned bit = i * 5, byte = bit / 8;
	unsigned word = s->codes[byte];
	if (byte + 1 < s->n_code_bytes)
		word |= (unsigned)s->codes[byte + 1] << 8;
	return word >> bit % 8 & 31;
}

/* Returns corner k of a triangle that starts a strip, or the third vertex of a step. */
static unsigned vertex_at(const struct cs_strip *s, unsigned t, unsigned k)
{
	unsigned references = references_before(s, t), issued = new_before(s, t);
	unsigned n = bit_of(s, t, CS_STRIP_REFERENCE);
	if (bit_of(s, t, CS_STRIP_START))
		n += 2 * bit_of(s, t, CS_STRIP_LEFT);
	else
		k = 0;
	return k < n ? issued - 1 - code_at(s, references + k) : issued + k - n;
}

static unsigned head_before(const struct cs_strip *s, unsigned t)
{
	return vertex_at(s, t - 1, 2);
}

static void corners_at(const struct cs_strip *s, unsigned t, unsigned ret[3])
{
	uint32_t starts = mask_of(s, t, CS_STRIP_START) & (before(t) | 1u << t % 32);
	unsigned start = t - t % 32 + 31 - (unsigned)__builtin_clz(starts);
	if (start == t) {
		for (unsigned k = 0; k < 3; k++)
			ret[k] = vertex_at(s, t, k);
		return;
	}
	/* the pivot is where the head was when the other side was last left */
	bool left = bit_of(s, t, CS_STRIP_LEFT);
	uint32_t since = before(t) & ~before(start) & ~(1u << start % 32);
	uint32_t turns =
		left ? ~mask_of(s, t, CS_STRIP_LEFT) & since : mask_of(s, t, CS_STRIP_LEFT) & since;
	unsigned pivot = vertex_at(s, start, left ? 1 : 0);
	if (turns)
		pivot = head_before(s, t - t % 32 + 31 - (unsigned)__builtin_clz(turns));
	ret[0] = pivot;
	ret[1] = left ? vertex_at(s, t, 2) : head_before(s, t);
	ret[2] = left ? head_before(s, t) : vertex_at(s, t, 2);
}

/* Makes a piece of a grid with random diagonals and holes, or triangles between any vertices. */
static void make_mesh(struct cs_random *random, struct cs_strip_input *input)
{
	unsigned width = 2 + cs_random_below(random, 12), n = 0;
	unsigned most = 1 + cs_random_below(random, CS_CLUSTER_TRIANGLES);
	bool soup = cs_random_below(random, 5) == 0;
	input->n_vertices = soup ? 3 + cs_random_below(random, 250) : 0;
	for (unsigned cell = 0; n < most; cell++) {
		unsigned a = cell / width * (width + 1) + cell % width, b = a + width + 1;
		const uint16_t quads[2][6] = {
			{(uint16_t)a, (uint16_t)b, (uint16_t)(a + 1), (uint16_t)(a + 1),
				(uint16_t)b, (uint16_t)(b + 1)},
			{(uint16_t)a, (uint16_t)b, (uint16_t)(b + 1), (uint16_t)a,
				(uint16_t)(b + 1), (uint16_t)(a + 1)}};
		const uint16_t *quad = quads[cs_random_below(random, 2)];
		for (unsigned half = 0; half < 2 && n < most; half++) {
			if (cs_random_below(random, 20) == 0 && cell < 60)
				continue;
			for (unsigned k = 0; k < 3; k++)
				input->corners[n][k] =
					soup ? (uint16_t)cs_random_below(random, input->n_vertices)
					     : quad[half * 3 + k];
			uint16_t *c = input->corners[n];
			if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
				continue;
			n++;
		}
	}
	input->n_triangles = n;
	for (unsigned i = 0; !soup && i < n * 3; i++)
		if (input->corners[i / 3][i % 3] >= input->n_vertices)
			input->n_vertices = input->corners[i / 3][i % 3] + 1u;
	input->n_ranges = 0;
	for (unsigned end = 0; end < n;) {
		end += 1 + cs_random_below(random, 2 * n);
		end = end < n ? end : n;
		input->range_ends[input->n_ranges++] = (uint8_t)end;
	}
}

static void shuffle(struct cs_random *random, struct cs_strip_input *input)
{
	unsigned first = 0;
	for (unsigned r = 0; r < input->n_ranges; first = input->range_ends[r++])
		for (unsigned i = input->range_ends[r]; i > first + 1; i--) {
			unsigned j = first + cs_random_below(random, i - first);
			uint16_t swap[3];
			memcpy(swap, input->corners[j], sizeof(swap));
			memcpy(input->corners[j], input->corners[i - 1], sizeof(swap));
			memcpy(input->corners[i - 1], swap, sizeof(swap));
		}
}

struct strip_faults {
	unsigned access, geometry, spread, starts, ranges, again, many;
};

/* Returns whether a triangle is that of the input, which may begin at another corner. */
static bool same_triangle(const uint16_t a[3], const unsigned b[3])
{
	for (unsigned turn = 0; turn < 3; turn++)
		if (a[0] == b[turn] && a[1] == b[(turn + 1) % 3] && a[2] == b[(turn + 2) % 3])
			return true;
	return false;
}

static void check_strip(
	const struct cs_strip_input *input, const struct cs_strip *s, struct strip_faults *faults)
{
	bool seen[CS_CLUSTER_TRIANGLES] = {false};
	unsigned range = 0;
	for (unsigned t = 0; t < input->n_triangles; t++) {
		unsigned corners[3], vertices[3], low = 999, high = 0;
		corners_at(s, t, corners);
		for (unsigned k = 0; k < 3; k++) {
			faults->access += corners[k] != s->corners[t][k];
			vertices[k] = s->vertices[corners[k]];
			low = corners[k] < low ? corners[k] : low;
			high = corners[k] > high ? corners[k] : high;
		}
		faults->geometry +=
			seen[s->order[t]] || !same_triangle(input->corners[s->order[t]], vertices);
		seen[s->order[t]] = true;
		faults->spread += high - low > 31;
		faults->starts += t % 32 == 0 && !bit_of(s, t, CS_STRIP_START);
		while (t >= input->range_ends[range])
			range++;
		unsigned first = range ? input->range_ends[range - 1] : 0;
		faults->ranges += s->order[t] < first || s->order[t] >= input->range_ends[range];
	}
}

/*
 * Encodes the decoded strip again, with duplicate vertices merged and each triangle beginning at
 * its smallest corner.
 */
static void check_again(
	const struct cs_strip_input *input, const struct cs_strip *s, struct strip_faults *faults)
{
	static struct cs_strip_input decoded;
	static struct cs_strip again;
	decoded = *input;
	for (unsigned t = 0; t < input->n_triangles; t++) {
		const uint16_t *c = s->corners[t];
		unsigned first = c[1] < c[0] ? 1 : 0;
		first = c[2] < c[first] ? 2 : first;
		for (unsigned k = 0; k < 3; k++)
			decoded.corners[t][k] = s->vertices[c[(first + k) % 3]];
	}
	cs_strip_build(&decoded, &again);
	faults->again += s->n_code_bytes != again.n_code_bytes ||
			 s->n_vertices != again.n_vertices ||
			 memcmp(s->masks, again.masks, sizeof(s->masks)) != 0 ||
			 memcmp(s->codes, again.codes, s->n_code_bytes) != 0 ||
			 memcmp(s->corners, again.corners, input->n_triangles * 6) != 0;
	for (unsigned t = 0; t < input->n_triangles; t++)
		faults->again += again.order[t] != t;
}

/*
 * Neighbours are found with a table of all pairs of vertices or, when there are too many vertices,
 * with lists; the strips are the same.
 */
static void check_many(
	const struct cs_strip_input *input, const struct cs_strip *s, struct strip_faults *faults)
{
	static struct cs_strip_input many;
	static struct cs_strip same;
	const unsigned unused = CS_STRIP_CORNERS - input->n_vertices;
	many = *input;
	many.n_vertices = CS_STRIP_CORNERS;
	for (unsigned t = 0; t < input->n_triangles; t++)
		for (unsigned k = 0; k < 3; k++)
			many.corners[t][k] = (uint16_t)(input->corners[t][k] + unused);
	cs_strip_build(&many, &same);
	for (unsigned i = 0; i < same.n_vertices; i++)
		same.vertices[i] = (uint16_t)(same.vertices[i] - unused);
	faults->many +=
		s->n_vertices != same.n_vertices ||
		memcmp(s->vertices, same.vertices, s->n_vertices * sizeof(s->vertices[0])) != 0 ||
		memcmp(s->order, same.order, input->n_triangles) != 0 ||
		memcmp(s->masks, same.masks, sizeof(s->masks)) != 0 ||
		memcmp(s->codes, same.codes, sizeof(s->codes)) != 0;
}

static void test_strips(void)
{
	enum { ROUNDS = 4000 };
	static struct cs_strip_input input;
	static struct cs_strip strip;
	struct cs_random random = {5};
	struct strip_faults faults = {0};
	unsigned triangles = 0, starts = 0, references = 0, vertices = 0, duplicates = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		make_mesh(&random, &input);
		if (round % 2)
			shuffle(&random, &input);
		cs_strip_build(&input, &strip);
		check_strip(&input, &strip, &faults);
		check_again(&input, &strip, &faults);
		check_many(&input, &strip, &faults);
		triangles += input.n_triangles;
		starts += strip.n_starts;
		references += strip.n_references;
		vertices += strip.n_vertices;
		duplicates += strip.n_duplicates;
	}
	diag("strips: %.3f starts and %.3f codes a triangle, %.2f %% of the vertices issued again",
		(double)starts / triangles, (double)references / triangles,
		100.0 * duplicates / vertices);
	is_int(faults.access, 0, "strips: random access finds the corners of %u triangles",
		triangles);
	is_int(faults.geometry, 0, "strips: every triangle once, with its winding");
	is_int(faults.spread, 0, "strips: no triangle spans more than 32 vertices");
	is_int(faults.starts, 0, "strips: every 32nd triangle is a start");
	is_int(faults.ranges, 0, "strips: ranges of materials stay apart");
	is_int(faults.many, 0, "strips: unused vertices in front change nothing");
	is_int(faults.again, 0, "strips: what is decoded gives the same strip again");
}

/* The strip of a whole cluster of a regular grid, the common case, must be small. */
static void test_grid_strip(void)
{
	static struct cs_strip_input input;
	static struct cs_strip strip;
	input.n_triangles = CS_CLUSTER_TRIANGLES;
	input.n_vertices = 81;
	input.n_ranges = 1;
	input.range_ends[0] = CS_CLUSTER_TRIANGLES;
	for (unsigned i = 0; i < CS_CLUSTER_TRIANGLES; i++) {
		unsigned a = i / 16 * 9 + i / 2 % 8;
		const unsigned corners[2][3] = {{a, a + 9, a + 1}, {a + 1, a + 9, a + 10}};
		for (unsigned k = 0; k < 3; k++)
			input.corners[i][k] = (uint16_t)corners[i % 2][k];
	}
	cs_strip_build(&input, &strip);
	unsigned bits = 8 * (strip.n_code_bytes + CS_STRIP_MASKS);
	diag("a grid of 8 x 8: %u starts, %.2f bits a triangle, %u duplicates", strip.n_starts,
		bits / 128.0, strip.n_duplicates);
	ok(bits <= 128 * 6 && strip.n_duplicates == 0,
		"strips: a grid costs at most 6 bits a triangle and no vertex twice");
}

int main(void)
{
	test_bits();
	test_trimming();
	test_normals();
	test_uvs();
	test_uv_codes();
	test_strips();
	test_grid_strip();
	return done();
}
