/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the rules of pages, clusters, materials, strips and vertices that decoding doesn't need:
 * breaking one changes the picture or wastes bytes, but the page is safe to read.
 */
#include "nanite/decode/decode.h"
#include "nanite/format/bits.h"
#include "nanite/format/keys.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"
#include "core/half.h"
#include "nanite/format/contents.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { LEAST_FILL = CS_PAGE_GPU_BYTES / 8 * 7 };

struct cluster_check {
	struct cs_page_view *view;
	const struct cs_nanite_contents *c;
	const struct cs_cluster_plan *plan;
	const struct cs_model_cluster *row;
	uint32_t index;
};

static struct cs_place here(const struct cluster_check *k)
{
	return cs_at_cluster(k->view, k->index, CS_NO_OFFSET);
}

static struct cs_breaches *list_of(const struct cluster_check *k)
{
	return &k->view->breaches;
}

/* ---- the packed cluster ---- */

static void check_unused(const struct cluster_check *k)
{
	static const enum cs_packed unused[] = {CS_PACKED_UNUSED_POSITION, CS_PACKED_UNUSED_COLOR,
		CS_PACKED_UNUSED_COLOR_BITS, CS_PACKED_PAD};
	for (unsigned i = 0; i < sizeof(unused) / sizeof(unused[0]); i++)
		if (cs_packed_get(&k->plan->packed, unused[i])) {
			cs_breach(list_of(k), CS_RULE_C13, here(k),
				"an unused bit of word %u is set",
				cs_packed_fields[unused[i]].word);
			return;
		}
	if (k->row->flags & ~CS_CLUSTER_LEAF)
		cs_breach(list_of(k), CS_RULE_C13, here(k), "flags are %08x", k->row->flags);
	else if ((uint64_t)k->row->uv_bits >> 8 * k->row->n_uvs)
		cs_breach(list_of(k), CS_RULE_C13, here(k), "UV bits %08x for %u channels",
			k->row->uv_bits, k->row->n_uvs);
}

static void check_widths(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	unsigned want = 2 * CS_NORMAL_BITS;
	for (unsigned i = 0; i < 4; i++)
		want += row->color_bits[i];
	for (unsigned a = 0; a < 2u * row->n_uvs; a++)
		want += row->uv_bits >> 4 * a & 15;
	if (row->attribute_bits != want)
		cs_breach(list_of(k), CS_RULE_C5, here(k), "%u attribute bits, its parts have %u",
			row->attribute_bits, want);
	if (row->index_bits != cs_bits_for(row->n_vertices))
		cs_breach(list_of(k), CS_RULE_C3, here(k), "%u bits for %u vertices",
			row->index_bits, row->n_vertices);
}

static bool is_coded(const struct cluster_check *k, uint32_t v)
{
	const unsigned char *mask =
		k->view->bytes + k->view->reference_masks + CS_REFERENCE_MASK * (size_t)k->index;
	return !(mask[v / 8] >> v % 8 & 1);
}

static void check_colors(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	unsigned bits = 0, white = 0;
	for (unsigned i = 0; i < 4; i++) {
		bits += row->color_bits[i];
		white += row->color_min[i] == 255;
	}
	unsigned want = bits ? CS_COLOR_VARIABLE : white == 4 ? CS_COLOR_WHITE : CS_COLOR_CONSTANT;
	if (row->color_mode != want) {
		cs_breach(list_of(k), CS_RULE_C6, here(k), "colour mode %u instead of %u",
			row->color_mode, want);
		return;
	}
	for (uint32_t v = 0; v < row->n_vertices; v++)
		for (unsigned i = 0; i < 4; i++) {
			size_t at = ((size_t)row->first_vertex + v) * 4 + i;
			if (!is_coded(k, v) || k->c->colors[at] >= row->color_min[i])
				continue;
			cs_breach(list_of(k), CS_RULE_C6, here(k),
				"the colour of vertex %u passes 255", v);
			return;
		}
}

static void check_floats(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	float sum = row->lod_radius;
	bool negative = row->lod_radius < 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		sum += fabsf(row->lod_centre[axis]) + fabsf(row->box_centre[axis]) +
		       row->box_extent[axis];
		negative = negative || row->box_extent[axis] < 0;
	}
	if (!isfinite(sum) || negative)
		cs_breach(list_of(k), CS_RULE_C7, here(k),
			"a sphere or box is not finite, or negative");
}

static void check_page_check_grid(const struct cluster_check *k)
{
	enum { MOST = 127 }; /* a step beyond it is no float, and ldexpf accepts nothing larger */
	int precision = k->c->resource->info->position_precision;
	float right = precision < -MOST || precision > MOST ? 0 : ldexpf(1, -precision);
	const struct cs_packed_cluster *packed = &k->plan->packed;
	for (unsigned axis = 0; axis < 3; axis++) {
		float low = cs_packed_float(packed, CS_PACKED_GRID_MIN_X + axis);
		float step = cs_packed_float(packed, CS_PACKED_GRID_STEP_X + axis);
		if (low != 0 || step != right || !(step > 0)) {
			cs_breach(list_of(k), CS_RULE_R7, here(k),
				"a grid of %g from %g for precision %d", (double)step, (double)low,
				precision);
			return;
		}
	}
}

/* ---- against the geometry ---- */

static const int32_t *check_page_grid_of(const struct cluster_check *k, uint32_t vertex)
{
	return k->c->grid + ((size_t)k->row->first_vertex + vertex) * 3;
}

static void check_box(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	double step = (double)row->grid_step;
	for (unsigned axis = 0; axis < 3; axis++) {
		int32_t low = INT32_MAX, high = INT32_MIN;
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			int32_t at = check_page_grid_of(k, v)[axis];
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		double centre = (double)row->box_centre[axis];
		double extent = (double)row->box_extent[axis];
		/*
		 * The tolerance is half a step, and the rounding of a float for a large coordinate.
		 */
		double slack = 0.5 * step + fabs(centre) * 0x1p-22;
		if (fabs(centre - extent - low * step) <= slack &&
			fabs(centre + extent - high * step) <= slack)
			continue;
		cs_breach(list_of(k), CS_RULE_C8, here(k),
			"on axis %u the box is %.9g to %.9g, the vertices %.9g to %.9g", axis,
			centre - extent, centre + extent, low * step, high * step);
		return;
	}
}

/* Returns the squared length of an edge, exactly for 21 bits on each axis. */
static double edge_length2(const int32_t a[3], const int32_t b[3])
{
	double sum = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		double d = (double)a[axis] - (double)b[axis];
		sum += d * d;
	}
	return sum;
}

static void check_page_check_errors(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	double longest = 0;
	for (uint32_t t = 0; t < row->n_triangles; t++) {
		const uint8_t *corners = k->c->corners + ((size_t)row->first_triangle + t) * 3;
		for (unsigned e = 0; e < 3; e++) {
			double length = edge_length2(check_page_grid_of(k, corners[e]),
				check_page_grid_of(k, corners[(e + 1) % 3]));
			longest = length > longest ? length : longest;
		}
	}
	const float unit = cs_nanite_half_unit(k->c->resource);
	float length = (float)(sqrt(longest) * (double)row->grid_step) / unit;
	uint16_t want = cs_half_nearest(length);
	uint16_t edge = (uint16_t)cs_packed_get(&k->plan->packed, CS_PACKED_EDGE_LENGTH);
	if (!(row->lod_error >= 0) || signbit(row->lod_error))
		cs_breach(
			list_of(k), CS_RULE_C9, here(k), "its error is %g", (double)row->lod_error);
	else if ((edge & 0x7fff) != want)
		cs_breach(list_of(k), CS_RULE_C9, here(k), "edge length %g, its longest edge is %g",
			(double)row->edge_length, (double)(unit * cs_half_value(want)));
}

static void check_triangles(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	uint32_t keys[CS_CLUSTER_TRIANGLES], slots[4 * CS_CLUSTER_TRIANGLES], flat = 0;
	struct cs_keys seen = {
		.keys = keys, .slots = slots, .mask = 4 * CS_CLUSTER_TRIANGLES - 1, .words = 1};
	cs_keys_clear(&seen);
	for (uint32_t t = 0; t < row->n_triangles; t++) {
		const uint8_t *v = k->c->corners + ((size_t)row->first_triangle + t) * 3;
		uint32_t key = v[0] | (uint32_t)v[1] << 8 | (uint32_t)v[2] << 16;
		unsigned most = v[1] > v[2] ? v[1] : v[2]; /* The first corner is the smallest. */
		if (v[0] == v[1] || v[1] == v[2] || most - v[0] >= CS_STRIP_WINDOW)
			cs_breach(list_of(k), CS_RULE_S6, here(k),
				"triangle %u has the vertices %u, %u, %u", t, v[0], v[1], v[2]);
		for (unsigned e = 0; e < 3; e++)
			if (edge_length2(check_page_grid_of(k, v[e]),
				    check_page_grid_of(k, v[(e + 1) % 3])) == 0) {
				flat++;
				break;
			}
		cs_keys_add(&seen, &key);
	}
	if (flat || seen.n < row->n_triangles)
		cs_breach(list_of(k), CS_RULE_C11, here(k),
			"%u triangles without an area, %u that occur twice", flat,
			row->n_triangles - seen.n);
}

static void check_positions(const struct cluster_check *k)
{
	const struct cs_model_cluster *row = k->row;
	for (unsigned axis = 0; axis < 3; axis++) {
		int64_t places = (int64_t)1 << row->position_bits[axis];
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			int64_t raw = (int64_t)check_page_grid_of(k, v)[axis] - row->start[axis];
			if (raw >= 0 && raw < places)
				continue;
			cs_breach(list_of(k), CS_RULE_V4, here(k),
				"vertex %u lies %" PRId64
				" steps from the start of axis %u, which has %" PRId64,
				v, raw, axis, places);
			return;
		}
	}
}

static void check_uv_ranges(const struct cluster_check *k)
{
	const struct cs_nanite_uv_range *ranges =
		k->c->uv_ranges + (size_t)(k->row - k->c->clusters) * k->c->n_uvs;
	for (unsigned a = 0; a < 2u * k->view->n_uvs; a++) {
		const struct cs_nanite_uv_range *range = &ranges[a / 2];
		if (isfinite(range->min[a % 2]) && isfinite(range->scale[a % 2]) &&
			range->scale[a % 2] >= 0 && range->gap_start[a % 2] >= 0 &&
			range->gap_length[a % 2] >= 0)
			continue;
		cs_breach(list_of(k), CS_RULE_V5, here(k),
			"UV %u axis %u: from %g by %g, gap %d + %d", a / 2, a % 2,
			(double)range->min[a % 2], (double)range->scale[a % 2],
			range->gap_start[a % 2], range->gap_length[a % 2]);
		return;
	}
}

/* On the border of the octahedral square two codes stand for one direction. */
static void check_normals(const struct cluster_check *k)
{
	const uint32_t most = cs_bits_mask(CS_NORMAL_BITS);
	for (uint32_t v = 0; v < k->row->n_vertices; v++) {
		uint32_t code = k->c->normals[(size_t)k->row->first_vertex + v];
		uint32_t x = code & most, y = code >> CS_NORMAL_BITS;
		bool border_x = x == 0 || x == most, border_y = y == 0 || y == most;
		if (!(border_x && y < most - y) && !(border_y && x < most - x))
			continue;
		cs_breach(list_of(k), CS_RULE_V6, here(k), "vertex %u has the normal code %u, %u",
			v, x, y);
		return;
	}
}

/* ---- materials and codes ---- */

static void check_page_check_materials(const struct cluster_check *k, uint8_t *table_uses)
{
	const struct cs_model_cluster *row = k->row;
	const struct cs_model_material *ranges = k->c->material_ranges + row->first_material;
	uint32_t materials = k->c->resource->info->materials;
	uint32_t word = cs_packed_get(&k->plan->packed, CS_PACKED_MATERIALS);
	bool slow = word >= CS_MATERIAL_SLOW, twice = false;
	for (uint32_t i = 0; i < row->n_materials; i++) {
		if (ranges[i].material >= materials) {
			cs_breach(list_of(k), CS_RULE_M3, here(k), "material %u of %u",
				ranges[i].material, materials);
			return;
		}
		twice = twice || (i && ranges[i].material == ranges[i - 1].material);
	}
	if (twice || (slow && row->n_materials <= CS_FAST_MATERIALS))
		cs_breach(list_of(k), CS_RULE_M4, here(k), "%u ranges in %s%s", row->n_materials,
			slow ? "the table" : "the cluster",
			twice ? ", two neighbours of one material" : "");
	uint32_t offset = (word & cs_bits_mask(CS_MATERIAL_OFFSET_BITS)) -
			  CS_PACKED_CLUSTER / 4 * k->view->n_clusters;
	for (uint32_t i = 0; slow && i < row->n_materials; i++)
		if (table_uses[offset + i] < 2 && table_uses[offset + i]++ == 1)
			cs_breach(list_of(k), CS_RULE_M4, here(k),
				"it shares its entries with another cluster");
}

static void check_codes_end(const struct cluster_check *k)
{
	uint64_t bits = (uint64_t)k->plan->n_codes * CS_STRIP_CODE_BITS;
	unsigned rest = (unsigned)(8 * k->plan->code_bytes - bits);
	if (cs_bits_at(k->view->bytes + k->plan->codes, k->plan->code_bytes, bits, rest))
		cs_breach(list_of(k), CS_RULE_S7, here(k), "bits after the last code are set");
}

/* ---- padding ---- */

static bool is_zero(const struct cs_page_view *view, uint32_t begin, uint32_t end)
{
	uint32_t at = begin;
	while (at < end && view->bytes[at] == 0)
		at++;
	return at == end;
}

/*
 * Returns whether the bits from `used` on in each of n vertices, and the bytes from the last vertex
 * to the next word, are zero.
 */
static bool vertex_padding_is_zero(
	const struct cs_page_view *view, uint32_t at, uint32_t n, uint32_t used)
{
	uint32_t stride = (used + 7) / 8, rest = 8 * stride - used;
	for (uint32_t i = 0; rest && i < n; i++)
		if (view->bytes[at + (i + 1) * stride - 1] >> (8 - rest))
			return false;
	return is_zero(view, at + n * stride, at + cs_align(n * stride, 4));
}

static void check_padding(const struct cluster_check *k)
{
	const uint8_t *bits = k->row->position_bits;
	if (!vertex_padding_is_zero(k->view, k->plan->positions, k->row->n_coded,
		    (uint32_t)bits[0] + bits[1] + bits[2]) ||
		!vertex_padding_is_zero(
			k->view, k->plan->attributes, k->row->n_coded, k->row->attribute_bits))
		cs_breach(list_of(k), CS_RULE_P8, here(k), "padding of its vertices is not zero");
}

/* ---- the page ---- */

static void check_chunk(struct cs_page_view *view)
{
	if (cs_load16(view->chunk + 6))
		cs_breach(&view->breaches, CS_RULE_X2, cs_at_page(view, CS_NO_OFFSET), "it is %u",
			cs_load16(view->chunk + 6));
}

static void check_page(struct cs_page_view *view, const struct cs_nanite_contents *c)
{
	const struct cs_cluster_plan *last = &view->plans[view->n_clusters - 1];
	struct cs_place place = cs_at_page(view, CS_NO_OFFSET);
	if (view->gpu_size < LEAST_FILL && view->page + 1 < c->n_pages)
		cs_breach(&view->breaches, CS_RULE_P7, place, "%u of %d bytes on the GPU",
			view->gpu_size, CS_PAGE_GPU_BYTES);
	if (!is_zero(view, last->codes + last->code_bytes, view->masks))
		cs_breach(&view->breaches, CS_RULE_P8, place,
			"padding after the strip codes is not zero");
}

/* Words of the material table that no cluster uses are padding, and there are at most three. */
static void check_page_check_table(struct cs_page_view *view, const uint8_t *uses)
{
	uint32_t unused = 0;
	bool dirty = false;
	for (uint32_t i = 0; i < view->n_material_words; i++) {
		unused += uses[i] == 0;
		dirty = dirty ||
			(uses[i] == 0 && cs_load32(view->bytes + view->materials + 4 * i) != 0);
	}
	if (unused > 3)
		cs_breach(&view->breaches, CS_RULE_M4, cs_at_page(view, view->materials),
			"%u entries of the table are of no cluster", unused);
	if (dirty)
		cs_breach(&view->breaches, CS_RULE_P8, cs_at_page(view, view->materials),
			"padding after the material table is not zero");
}

static void check_page_check_cluster(const struct cluster_check *k, uint8_t *table_uses)
{
	static void (*const checks[])(const struct cluster_check *k) = {check_unused, check_widths,
		check_colors, check_floats, check_page_check_grid, check_box,
		check_page_check_errors, check_triangles, check_positions, check_uv_ranges,
		check_normals, check_codes_end, check_padding};
	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		checks[i](k);
	check_page_check_materials(k, table_uses);
}

/* ---- vertices that are coded twice ---- */

enum { VERTEX_WORDS = 5 + 2 * CS_MAX_UVS };

static void vertex_key(const struct cs_nanite_contents *c, size_t v, uint32_t key[VERTEX_WORDS])
{
	memcpy(key, c->grid + v * 3, 3 * sizeof(*key));
	key[3] = c->normals[v];
	memcpy(&key[4], c->colors + v * 4, 4);
	for (unsigned uv = 0; uv < c->n_uvs; uv++)
		memcpy(&key[5 + 2 * uv], c->uvs[uv] + v * 2, 2 * sizeof(*key));
}

static uint32_t count_twice(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *c, struct cs_keys *seen)
{
	uint32_t twice = 0, key[VERTEX_WORDS];
	cs_keys_clear(seen);
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cs_model_cluster *row = &c->clusters[base->cluster + i];
		const struct cluster_check k = {view, c, &view->plans[i], row, i};
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			uint32_t before = seen->n;
			if (!is_coded(&k, v))
				continue;
			vertex_key(c, (size_t)row->first_vertex + v, key);
			cs_keys_add(seen, key);
			twice += seen->n == before;
		}
	}
	return twice;
}

static void check_page_check_twice(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *c)
{
	uint32_t slots = 64;
	while (slots < 2 * view->n_vertices)
		slots *= 2;
	struct cs_keys seen = {.mask = slots - 1,
		.words = 5 + 2 * c->n_uvs,
		.slots = malloc(slots * sizeof(uint32_t)),
		.keys = malloc((size_t)view->n_vertices * VERTEX_WORDS * sizeof(uint32_t))};
	if (!seen.slots || !seen.keys) {
		view->breaches.out_of_memory = true;
	} else {
		uint32_t twice = count_twice(view, base, c, &seen);
		if (twice)
			cs_breach(&view->breaches, CS_RULE_V7, cs_at_page(view, CS_NO_OFFSET),
				"%u vertices were coded before", twice);
	}
	free(seen.slots);
	free(seen.keys);
}

void cs_check_page(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents)
{
	uint8_t *table_uses = calloc(view->n_material_words + 1, 1);
	if (!table_uses) {
		view->breaches.out_of_memory = true;
		return;
	}
	check_chunk(view);
	check_page(view, contents);
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cluster_check k = {
			view, contents, &view->plans[i], &contents->clusters[base->cluster + i], i};
		if (!k.row->damaged)
			check_page_check_cluster(&k, table_uses);
	}
	check_page_check_table(view, table_uses);
	check_page_check_twice(view, base, contents);
	free(table_uses);
}
