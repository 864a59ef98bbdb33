/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes one cluster of the DAG: vertices on the grid, ranges of materials, quantised attributes,
 * the strip.
 *
 * Vertices that decode to the same values are merged into one, even if they differ in the DAG.
 * Where merging would make two corners of a triangle equal, one of the corners gets a separate copy
 * of the vertex. So the strip depends only on decoded values, and a decoded cluster encodes to the
 * same bytes again. A cluster whose strip issues too many vertices is cut into two halves, each of
 * which is encoded separately.
 */
#include "nanite/encode/attributes.h"
#include "nanite/encode/encode.h"
#include "nanite/format/keys.h"

#include "core/half.h"
#include "core/job.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIXED_WORDS = 5, /* words of a vertex key for position, normal and colour */
	KEY_WORDS = FIXED_WORDS + 2 * CS_MAX_UVS,
	KEY_SLOTS = 4 * CS_CLUSTER_VERTICES,
	GRAIN = 64, /* number of clusters that a thread processes at a time */
};

struct coding {
	const struct cs_encoder *encoder;
	const struct cs_cluster *cluster;
	uint32_t source;
	unsigned n_triangles, n_vertices, n_ranges;
	/* indices of the cluster's triangles, in the order of encoding */
	uint8_t triangles[CS_CLUSTER_TRIANGLES];
	/* for each triangle, in the order of encoding, the indices of its corners in `vertices` */
	uint8_t corners[CS_CLUSTER_TRIANGLES][3];
	/* indices of the vertices that triangles use; one more entry is written but unused */
	uint8_t vertices[CS_CLUSTER_VERTICES + 1];
	/* for each used vertex, the first used vertex that decodes to the same values */
	uint8_t same_as[CS_CLUSTER_VERTICES];
	/* whether no two used vertices decode to the same values */
	bool all_differ;
	/* for each vertex of `input`, its index in `vertices` */
	uint8_t vertex_of[CS_STRIP_CORNERS];
	int32_t grid[CS_CLUSTER_VERTICES][3]; /* grid position of each vertex of the cluster */
	int32_t positions[CS_CLUSTER_VERTICES][3];
	uint32_t normals[CS_CLUSTER_VERTICES];
	int32_t low[3], high[3];
	struct cs_uv_range uvs[CS_MAX_UVS];
	/* quantised UVs (cs_uv_encode) of the used vertices, indexed [vertex][channel][axis] */
	uint16_t uv_codes[CS_CLUSTER_VERTICES * 2 * CS_MAX_UVS];
	/* whether all UV ranges are taken from a decoded DAG, instead of being computed */
	bool uvs_kept;
	struct cs_material_range ranges[CS_CLUSTER_TRIANGLES];
	struct cs_strip_input input;
	struct cs_strip strip;
};

static const uint8_t *corners_of(const struct coding *coding, unsigned triangle)
{
	return coding->encoder->dag->corners +
	       ((size_t)coding->cluster->first_triangle + triangle) * 3;
}

static uint8_t encode_cluster_material_of(const struct coding *coding, unsigned triangle)
{
	return coding->encoder->dag->materials[coding->cluster->first_triangle + triangle];
}

/* Returns the index in the DAG of the vertex with the index vertices[used] in the cluster. */
static uint32_t dag_vertex(const struct coding *coding, unsigned used)
{
	return coding->cluster->first_vertex + coding->vertices[used];
}

/* ---- vertices and their codes ---- */

/* Lists vertices in order of first use, without a branch that processors would mispredict. */
static void collect_vertices(struct coding *coding)
{
	uint16_t place[CS_CLUSTER_VERTICES];
	unsigned n = 0;
	memset(place, 0xff, sizeof(place));
	for (unsigned i = 0; i < coding->n_triangles; i++) {
		const uint8_t *from = corners_of(coding, coding->triangles[i]);
		for (unsigned k = 0; k < 3; k++) {
			const uint8_t v = from[k];
			const unsigned used = place[v] < n ? place[v] : n;
			place[v] = (uint16_t)used;
			coding->corners[i][k] = (uint8_t)used;
			coding->vertices[n] = v;
			n += used == n;
		}
	}
	coding->n_vertices = n;
}

static void quantize(struct coding *coding)
{
	for (unsigned axis = 0; axis < 3; axis++) {
		coding->low[axis] = INT32_MAX;
		coding->high[axis] = INT32_MIN;
	}
	const float *normals =
		coding->encoder->dag->normals + (size_t)coding->cluster->first_vertex * 3;
	cs_normals_encode(normals, coding->vertices, coding->n_vertices, coding->normals);
	for (unsigned i = 0; i < coding->n_vertices; i++) {
		memcpy(coding->positions[i], coding->grid[coding->vertices[i]],
			sizeof(coding->positions[i]));
		for (unsigned axis = 0; axis < 3; axis++) {
			int32_t at = coding->positions[i][axis];
			coding->low[axis] = at < coding->low[axis] ? at : coding->low[axis];
			coding->high[axis] = at > coding->high[axis] ? at : coding->high[axis];
		}
	}
}

/* Returns whether the encoder can use an axis of UV codes of a decoded DAG. */
static bool is_usable(const struct cs_uv_axis *axis)
{
	const int32_t most = 1 << CS_UV_FIELD_BITS << 1;
	return axis->bits <= CS_UV_FIELD_BITS && axis->gap_start >= 0 && axis->gap_start <= most &&
	       axis->gap_length >= 0 && axis->gap_length <= most && axis->scale >= 0 &&
	       isfinite(axis->scale) && isfinite(axis->min);
}

static void build_uv_ranges(struct coding *coding)
{
	const struct cs_dag *dag = coding->encoder->dag;
	const struct cs_uv_range *given =
		dag->uv_ranges ? dag->uv_ranges + (size_t)coding->source * dag->n_uvs : NULL;
	float values[CS_CLUSTER_VERTICES];
	coding->uvs_kept = given != NULL;
	for (unsigned a = 0; a < dag->n_uvs * 2; a++) {
		const float *uvs = dag->uvs[a / 2];
		struct cs_uv_axis *axis = &coding->uvs[a / 2].axes[a % 2];
		for (unsigned i = 0; i < coding->n_vertices; i++)
			values[i] = cs_uv_clean(uvs[(size_t)dag_vertex(coding, i) * 2 + a % 2]);
		if (given)
			*axis = given[a / 2].axes[a % 2];
		if (given && is_usable(axis))
			continue;
		cs_uv_axis_build(values, coding->n_vertices, axis);
		coding->uvs_kept = false;
	}
}

static void code_uvs(struct coding *coding)
{
	const struct cs_dag *dag = coding->encoder->dag;
	const unsigned n = dag->n_uvs * 2;
	for (unsigned a = 0; a < n; a++)
		for (unsigned i = 0; i < coding->n_vertices; i++) {
			float value = dag->uvs[a / 2][(size_t)dag_vertex(coding, i) * 2 + a % 2];
			coding->uv_codes[i * n + a] = (uint16_t)cs_uv_encode(
				&coding->uvs[a / 2].axes[a % 2], cs_uv_clean(value));
		}
}

static void make_key(const struct coding *coding, unsigned used, uint32_t key[KEY_WORDS])
{
	const struct cs_dag *dag = coding->encoder->dag;
	uint32_t vertex = dag_vertex(coding, used);
	memcpy(key, coding->positions[used], 3 * sizeof(*key));
	key[3] = coding->normals[used];
	key[4] = 0;
	if (dag->colors)
		memcpy(&key[4], dag->colors + (size_t)vertex * 4, 4);
	for (unsigned a = 0; a < dag->n_uvs * 2; a++) {
		float value = cs_uv_clean(dag->uvs[a / 2][(size_t)vertex * 2 + a % 2]);
		/* kept UV ranges may have no exact code for some UVs, so floats are compared */
		if (coding->uvs_kept)
			memcpy(&key[FIXED_WORDS + a], &value, sizeof(value));
		else
			key[FIXED_WORDS + a] = coding->uv_codes[used * dag->n_uvs * 2 + a];
	}
}

static void merge_vertices(struct coding *coding)
{
	uint32_t keys[CS_CLUSTER_VERTICES * KEY_WORDS], slots[KEY_SLOTS], key[KEY_WORDS];
	uint8_t first[CS_CLUSTER_VERTICES];
	struct cs_keys set = {.keys = keys,
		.slots = slots,
		.mask = KEY_SLOTS - 1,
		.words = FIXED_WORDS + 2 * coding->encoder->dag->n_uvs};
	cs_keys_clear(&set);
	for (unsigned i = 0; i < coding->n_vertices; i++) {
		uint32_t before = set.n;
		make_key(coding, i, key);
		uint32_t number = cs_keys_add(&set, key);
		if (set.n > before)
			first[number] = (uint8_t)i;
		coding->same_as[i] = first[number];
	}
	coding->all_differ = set.n == coding->n_vertices;
}

/* ---- triangles, material ranges and the strip ---- */

static bool has_three_corners(const struct coding *coding, const uint8_t v[3])
{
	(void)coding;
	return v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
}

static bool encode_cluster_same_place(const int32_t a[3], const int32_t b[3])
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/*
 * Returns whether the three corners have different grid positions. A triangle with two equal
 * positions can be dropped without leaving a gap, because its two other edges coincide.
 */
static bool has_three_places(const struct coding *coding, const uint8_t v[3])
{
	return !encode_cluster_same_place(coding->grid[v[0]], coding->grid[v[1]]) &&
	       !encode_cluster_same_place(coding->grid[v[1]], coding->grid[v[2]]) &&
	       !encode_cluster_same_place(coding->grid[v[2]], coding->grid[v[0]]);
}

static void keep_triangles(
	struct coding *coding, bool (*is_fine)(const struct coding *coding, const uint8_t v[3]))
{
	coding->n_triangles = 0;
	for (unsigned t = 0; t < coding->cluster->n_triangles; t++)
		if (is_fine(coding, corners_of(coding, t)))
			coding->triangles[coding->n_triangles++] = (uint8_t)t;
}

/*
 * Drops degenerate triangles. If all triangles are degenerate, keeps those with three different
 * vertices, because a cluster must not become empty. Returns how many were dropped.
 */
static unsigned drop_degenerate(struct coding *coding)
{
	keep_triangles(coding, has_three_places);
	if (coding->n_triangles == 0)
		keep_triangles(coding, has_three_corners);
	return coding->cluster->n_triangles - coding->n_triangles;
}

/*
 * Returns whether range a comes before b: longer ranges first, then by material. So the second
 * length is too small for the material word to be mistaken for the slow form (format.h).
 */
static bool range_before(const struct cs_material_range *a, const struct cs_material_range *b)
{
	return a->count != b->count ? a->count > b->count : a->material < b->material;
}

static void sort_ranges(struct cs_material_range *ranges, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct cs_material_range range = ranges[i];
		unsigned at = i;
		for (; at > 0 && range_before(&range, &ranges[at - 1]); at--)
			ranges[at] = ranges[at - 1];
		ranges[at] = range;
	}
}

static void build_ranges(struct coding *coding)
{
	uint8_t counts[CS_MAX_MATERIALS] = {0}, next[CS_MAX_MATERIALS];
	uint8_t triangles[CS_CLUSTER_TRIANGLES], corners[CS_CLUSTER_TRIANGLES][3];
	for (unsigned i = 0; i < coding->n_triangles; i++)
		counts[encode_cluster_material_of(coding, coding->triangles[i])]++;
	coding->n_ranges = 0;
	for (unsigned m = 0; m < CS_MAX_MATERIALS; m++)
		if (counts[m])
			coding->ranges[coding->n_ranges++] = (struct cs_material_range){
				.count = counts[m], .material = (uint8_t)m};
	sort_ranges(coding->ranges, coding->n_ranges);
	unsigned first = 0;
	for (unsigned r = 0; r < coding->n_ranges; r++) {
		coding->ranges[r].first = next[coding->ranges[r].material] = (uint8_t)first;
		first += coding->ranges[r].count;
		coding->input.range_ends[r] = (uint8_t)first;
	}
	coding->input.n_ranges = coding->n_ranges;
	if (coding->n_ranges == 1)
		return; /* a single range needs no sorting */
	for (unsigned i = 0; i < coding->n_triangles; i++) {
		unsigned to = next[encode_cluster_material_of(coding, coding->triangles[i])]++;
		triangles[to] = coding->triangles[i];
		memcpy(corners[to], coding->corners[i], sizeof(corners[to]));
	}
	memcpy(coding->triangles, triangles, coding->n_triangles);
	memcpy(coding->corners, corners, coding->n_triangles * sizeof(corners[0]));
}

static uint16_t own_vertex(struct coding *coding, uint16_t like)
{
	coding->vertex_of[coding->input.n_vertices] = coding->vertex_of[like];
	return (uint16_t)coding->input.n_vertices++;
}

/*
 * Replaces equal corners of a triangle, which merging produced, by separate copies of the vertex.
 * The rotation of the triangle decides which corner keeps the original vertex.
 */
static void keep_apart(struct coding *coding, uint16_t corners[3])
{
	if (corners[0] == corners[1] && corners[1] == corners[2]) {
		corners[1] = own_vertex(coding, corners[0]);
		corners[2] = own_vertex(coding, corners[0]);
		return;
	}
	for (unsigned k = 0; k < 3; k++)
		if (corners[k] == corners[(k + 1) % 3])
			corners[(k + 1) % 3] = own_vertex(coding, corners[k]);
}

/* Sets the input of the strip when no vertices are merged: its vertices are the used vertices. */
static void take_corners(struct coding *coding)
{
	coding->input.n_vertices = coding->n_vertices;
	for (unsigned v = 0; v < coding->n_vertices; v++)
		coding->vertex_of[v] = (uint8_t)v;
	for (unsigned i = 0; i < coding->n_triangles; i++)
		for (unsigned k = 0; k < 3; k++)
			coding->input.corners[i][k] = coding->corners[i][k];
}

static void merge_corners(struct coding *coding)
{
	uint16_t input_of[CS_CLUSTER_VERTICES];
	memset(input_of, 0xff, sizeof(input_of));
	coding->input.n_vertices = 0;
	for (unsigned i = 0; i < coding->n_triangles; i++) {
		uint16_t *to = coding->input.corners[i];
		for (unsigned k = 0; k < 3; k++) {
			uint8_t used = coding->same_as[coding->corners[i][k]];
			if (input_of[used] == UINT16_MAX) {
				coding->vertex_of[coding->input.n_vertices] = used;
				input_of[used] = (uint16_t)coding->input.n_vertices++;
			}
			to[k] = input_of[used];
		}
		keep_apart(coding, to);
	}
}

/* ---- making the coded cluster ---- */

static inline int64_t squared(const int32_t a[3], const int32_t b[3])
{
	const int64_t x = a[0] - (int64_t)b[0], y = a[1] - (int64_t)b[1];
	const int64_t z = a[2] - (int64_t)b[2];
	return x * x + y * y + z * z;
}

static uint16_t longest_edge(const struct coding *coding)
{
	int64_t longest = 0;
	for (unsigned i = 0; i < coding->n_triangles; i++) {
		const uint8_t *v = coding->corners[i];
		const int32_t *p = coding->positions[v[0]], *q = coding->positions[v[1]];
		const int32_t *r = coding->positions[v[2]];
		const int64_t a = squared(p, q), b = squared(q, r), d = squared(r, p);
		const int64_t ab = a > b ? a : b, most = ab > d ? ab : d;
		longest = most > longest ? most : longest;
	}
	float length = (float)(sqrt((double)longest) * (double)coding->encoder->step) /
		       coding->encoder->half_unit;
	/* an edge too long for a half float becomes infinite; a finite value would be too short */
	uint16_t half = cs_half_nearest(length);
	return coding->cluster->generating_group == CS_NONE ? half | 0x8000u : half;
}

static void code_colors(const struct coding *coding, struct cs_coded_cluster *ret)
{
	const uint8_t *colors = coding->encoder->dag->colors;
	unsigned bits = 0, white = 0;
	for (unsigned channel = 0; channel < 4; channel++) {
		uint8_t low = 255, high = 0;
		for (unsigned i = 0; i < coding->n_vertices; i++) {
			uint8_t value = 255;
			if (colors)
				value = colors[(size_t)dag_vertex(coding, i) * 4 + channel];
			low = value < low ? value : low;
			high = value > high ? value : high;
		}
		ret->color_min[channel] = low;
		ret->color_bits[channel] = (uint8_t)cs_bits_for(high - low + 1u);
		bits += ret->color_bits[channel];
		white += low == 255;
	}
	ret->color_mode = bits         ? CS_COLOR_VARIABLE
			  : white == 4 ? CS_COLOR_WHITE
				       : CS_COLOR_CONSTANT;
	ret->attribute_bits = (uint16_t)(ret->attribute_bits + bits);
}

static void encode_cluster_measure(const struct coding *coding, struct cs_coded_cluster *ret)
{
	uint32_t position_bits = 0, n = ret->n_vertices;
	ret->attribute_bits = 2 * CS_NORMAL_BITS;
	for (unsigned axis = 0; axis < 3; axis++) {
		uint32_t places = (uint32_t)coding->high[axis] - (uint32_t)coding->low[axis] + 1;
		ret->position_bits[axis] = (uint8_t)cs_bits_for(places);
		position_bits += ret->position_bits[axis];
	}
	code_colors(coding, ret);
	for (unsigned a = 0; a < coding->encoder->dag->n_uvs * 2; a++)
		ret->attribute_bits =
			(uint16_t)(ret->attribute_bits + coding->uvs[a / 2].axes[a % 2].bits);
	uint32_t triangle_bits = cs_bits_for(n) + 2 * CS_STRIP_CODE_BITS;
	ret->gpu = (struct cs_page_sizes){
		.cluster = CS_PACKED_CLUSTER,
		.materials = ret->n_ranges > CS_FAST_MATERIALS ? 4u * ret->n_ranges : 0,
		.decode_info = CS_UV_RANGE * coding->encoder->dag->n_uvs,
		.index = cs_align(ret->n_triangles * triangle_bits, 32) / 8,
		.position = cs_align(n * position_bits, 32) / 8,
		.attribute = cs_align(n * ret->attribute_bits, 32) / 8,
	};
}

static const void *encode_cluster_copy(
	struct cs_arena *arena, const void *from, size_t n, size_t size, bool *ok)
{
	void *to = cs_arena_alloc(arena, n ? n : 1, size);
	if (to)
		memcpy(to, from, n * size);
	*ok = *ok && to;
	return to;
}

static bool encode_cluster_copy_vertices(
	const struct coding *coding, struct cs_arena *arena, struct cs_coded_cluster *ret)
{
	uint32_t *vertices = CS_ARENA_ARRAY(arena, uint32_t, coding->strip.n_vertices);
	uint32_t *normals = CS_ARENA_ARRAY(arena, uint32_t, coding->strip.n_vertices);
	const unsigned n = coding->encoder->dag->n_uvs * 2;
	uint16_t *codes = CS_ARENA_ARRAY(arena, uint16_t, (size_t)coding->strip.n_vertices * n + 1);
	if (!vertices || !normals || !codes)
		return false;
	for (unsigned i = 0; i < coding->strip.n_vertices; i++) {
		unsigned used = coding->vertex_of[coding->strip.vertices[i]];
		vertices[i] = dag_vertex(coding, used);
		normals[i] = coding->normals[used];
		if (n)
			memcpy(codes + (size_t)i * n, coding->uv_codes + used * n,
				n * sizeof(*codes));
	}
	ret->uv_codes = codes;
	ret->vertices = vertices;
	ret->normals = normals;
	return true;
}

/* Copies the encoded cluster to the arena. Returns NULL when memory runs out. */
static struct cs_coded_cluster *encode_cluster_keep(
	const struct coding *coding, struct cs_arena *arena)
{
	const struct cs_dag *dag = coding->encoder->dag;
	const struct cs_strip *strip = &coding->strip;
	struct cs_coded_cluster *ret = CS_ARENA_NEW(arena, struct cs_coded_cluster);
	bool ok = ret && encode_cluster_copy_vertices(coding, arena, ret);
	if (!ok)
		return NULL;
	ret->source = coding->source;
	ret->n_vertices = (uint16_t)strip->n_vertices;
	ret->n_triangles = (uint16_t)coding->n_triangles;
	ret->n_ranges = (uint16_t)coding->n_ranges;
	ret->n_code_bytes = (uint16_t)strip->n_code_bytes;
	ret->n_starts = (uint16_t)strip->n_starts;
	ret->n_references = (uint16_t)strip->n_references;
	ret->previous_references = strip->previous_references;
	ret->previous_new = strip->previous_new;
	ret->uvs_kept = coding->uvs_kept;
	ret->edge_length = longest_edge(coding);
	memcpy(ret->low, coding->low, sizeof(ret->low));
	memcpy(ret->high, coding->high, sizeof(ret->high));
	memcpy(ret->masks, strip->masks, sizeof(ret->masks));
	ret->codes = encode_cluster_copy(arena, strip->codes, strip->n_code_bytes, 1, &ok);
	ret->uvs = encode_cluster_copy(arena, coding->uvs, dag->n_uvs, sizeof(coding->uvs[0]), &ok);
	ret->ranges = encode_cluster_copy(
		arena, coding->ranges, coding->n_ranges, sizeof(coding->ranges[0]), &ok);
	if (coding->cluster->group == dag->n_groups - 1)
		ret->corners = encode_cluster_copy(
			arena, strip->corners, coding->n_triangles, sizeof(strip->corners[0]), &ok);
	encode_cluster_measure(coding, ret);
	return ok ? ret : NULL;
}

/* ---- encoding one cluster ---- */

static void code_triangles(struct coding *coding)
{
	collect_vertices(coding);
	quantize(coding);
	build_uv_ranges(coding);
	code_uvs(coding);
	merge_vertices(coding);
	build_ranges(coding);
	coding->input.n_triangles = coding->n_triangles;
	if (coding->all_differ && coding->n_ranges == 1)
		take_corners(coding);
	else
		merge_corners(coding);
	cs_strip_build(&coding->input, &coding->strip);
}

/* Encodes the n triangles listed in `order`, in that order, as a separate cluster. */
static struct cs_coded_cluster *code_half(
	struct coding *coding, struct cs_arena *arena, const uint8_t *order, unsigned n)
{
	memcpy(coding->triangles, order, n);
	coding->n_triangles = n;
	code_triangles(coding);
	return encode_cluster_keep(coding, arena);
}

static struct cs_coded_cluster *code_halves(struct coding *coding, struct cs_arena *arena)
{
	uint8_t order[CS_CLUSTER_TRIANGLES];
	unsigned n = coding->n_triangles;
	for (unsigned i = 0; i < n; i++)
		order[i] = coding->triangles[coding->strip.order[i]];
	struct cs_coded_cluster *first = code_half(coding, arena, order, n / 2);
	struct cs_coded_cluster *second = code_half(coding, arena, order + n / 2, n - n / 2);
	if (!first || !second)
		return NULL;
	first->second = second;
	return first;
}

/*
 * Encodes a cluster of the DAG. Returns a cluster with 0 triangles if none of its triangles can be
 * encoded. Returns NULL when memory runs out.
 */
static struct cs_coded_cluster *code_cluster(
	const struct cs_encoder *encoder, uint32_t source, struct cs_arena *arena)
{
	struct coding coding; /* large, so it is not cleared: each phase sets its own members */
	coding.encoder = encoder;
	coding.cluster = &encoder->dag->clusters[source];
	coding.source = source;
	for (uint32_t v = 0; v < coding.cluster->n_vertices; v++)
		cs_encode_position(encoder, coding.cluster->first_vertex + v, coding.grid[v]);
	unsigned dropped = drop_degenerate(&coding);
	if (coding.n_triangles == 0)
		return CS_ARENA_NEW(arena, struct cs_coded_cluster);
	code_triangles(&coding);
	struct cs_coded_cluster *ret = coding.strip.n_vertices > CS_CLUSTER_VERTICES
					       ? code_halves(&coding, arena)
					       : encode_cluster_keep(&coding, arena);
	if (ret)
		ret->n_degenerate = (uint16_t)dropped;
	return ret;
}

static void code_range(void *context, size_t begin, size_t end, int thread)
{
	struct cs_encoder *encoder = context;
	for (size_t i = begin; i < end; i++)
		encoder->clusters[i] = code_cluster(encoder, (uint32_t)i, &encoder->arenas[thread]);
}

/* ---- encoding all clusters ---- */

static struct cs_error *check_coded(const struct cs_encoder *encoder, uint32_t i)
{
	const struct cs_coded_cluster *cluster = encoder->clusters[i];
	if (!cluster)
		return cs_error_nomem();
	if (cluster->n_triangles == 0)
		return cs_error_new(CS_E_NANITE,
			"cluster %u of the DAG (counted from 0) has no triangle with three "
			"different corners",
			i);
	return NULL;
}

struct cs_error *cs_encode_clusters(struct cs_encoder *encoder)
{
	const struct cs_dag *dag = encoder->dag;
	/* Room for the second halves of all clusters, even if every cluster is cut. */
	encoder->clusters = calloc((size_t)dag->n_clusters * 2, sizeof(*encoder->clusters));
	if (!encoder->clusters)
		return cs_error_nomem();
	encoder->n_clusters = dag->n_clusters;
	cs_parallel_for(cs_job_threads(encoder->job), dag->n_clusters, GRAIN, code_range, encoder);
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		struct cs_error *error = check_coded(encoder, i);
		if (error)
			return error;
	}
	/* the second halves of split clusters come last, in the order of their first halves */
	uint32_t n = encoder->n_clusters;
	for (uint32_t i = 0; i < encoder->dag->n_clusters; i++)
		if (encoder->clusters[i]->second)
			encoder->clusters[n++] = encoder->clusters[i]->second;
	encoder->n_clusters = n;
	return cs_job_check(encoder->job);
}
