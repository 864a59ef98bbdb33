/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the rules of pages, clusters, materials, strips and vertices that decoding does not depend
 * on: breaking one changes the picture or wastes bytes, but the page can be read safely.
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
	const struct cs_nanite_contents *contents;
	const struct cs_cluster_plan *plan;
	const struct cs_model_cluster *row;
	uint32_t index;
};

static struct cs_place here(const struct cluster_check *check)
{
	return cs_at_cluster(check->view, check->index, CS_NO_OFFSET);
}

static struct cs_breaches *list_of(const struct cluster_check *check)
{
	return &check->view->breaches;
}

/* ---- fields of the packed cluster ---- */

static void check_unused(const struct cluster_check *check)
{
	static const enum cs_packed unused[] = {CS_PACKED_UNUSED_POSITION, CS_PACKED_UNUSED_COLOR,
		CS_PACKED_UNUSED_COLOR_BITS, CS_PACKED_PAD};
	for (unsigned i = 0; i < sizeof(unused) / sizeof(unused[0]); i++)
		if (cs_packed_get(&check->plan->packed, unused[i])) {
			cs_breach(list_of(check), CS_RULE_C13, here(check),
				"word %u of the cluster header has an unused bit that is not 0",
				cs_packed_fields[unused[i]].word);
			return;
		}
	if (check->row->flags & ~CS_CLUSTER_LEAF)
		cs_breach(list_of(check), CS_RULE_C13, here(check),
			"unknown bits are set in the flags %08x of the cluster", check->row->flags);
	else if ((uint64_t)check->row->uv_bits >> 8 * check->row->n_uvs)
		cs_breach(list_of(check), CS_RULE_C13, here(check),
			"the UV bits %08x are set for more channels than the %u of the page",
			check->row->uv_bits, check->row->n_uvs);
}

static void check_widths(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	unsigned want = 2 * CS_NORMAL_BITS;
	for (unsigned i = 0; i < 4; i++)
		want += row->color_bits[i];
	for (unsigned a = 0; a < 2u * row->n_uvs; a++)
		want += row->uv_bits >> 4 * a & 15;
	if (row->attribute_bits != want)
		cs_breach(list_of(check), CS_RULE_C5, here(check),
			"a vertex has %u attribute bits, but its normal, colour and "
			"UVs need %u bits",
			row->attribute_bits, want);
	if (row->index_bits != cs_bits_for(row->n_vertices))
		cs_breach(list_of(check), CS_RULE_C3, here(check),
			"vertex indices have %u bits, but %u vertices need %u bits",
			row->index_bits, row->n_vertices, cs_bits_for(row->n_vertices));
}

static bool is_coded(const struct cluster_check *check, uint32_t v)
{
	const unsigned char *mask = check->view->bytes + check->view->reference_masks +
				    CS_REFERENCE_MASK * (size_t)check->index;
	return !(mask[v / 8] >> v % 8 & 1);
}

static void check_colors(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	unsigned bits = 0, white = 0;
	for (unsigned i = 0; i < 4; i++) {
		bits += row->color_bits[i];
		white += row->color_min[i] == 255;
	}
	unsigned want = bits ? CS_COLOR_VARIABLE : white == 4 ? CS_COLOR_WHITE : CS_COLOR_CONSTANT;
	if (row->color_mode != want) {
		cs_breach(list_of(check), CS_RULE_C6, here(check),
			"the colour mode of the cluster is %u instead of %u", row->color_mode,
			want);
		return;
	}
	for (uint32_t v = 0; v < row->n_vertices; v++)
		for (unsigned i = 0; i < 4; i++) {
			size_t at = ((size_t)row->first_vertex + v) * 4 + i;
			if (!is_coded(check, v) || check->contents->colors[at] >= row->color_min[i])
				continue;
			cs_breach(list_of(check), CS_RULE_C6, here(check),
				"a component of the colour of vertex %u exceeds 255", v);
			return;
		}
}

static void check_floats(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	float sum = row->lod_radius;
	bool negative = row->lod_radius < 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		sum += fabsf(row->lod_centre[axis]) + fabsf(row->box_centre[axis]) +
		       row->box_extent[axis];
		negative = negative || row->box_extent[axis] < 0;
	}
	if (!isfinite(sum) || negative)
		cs_breach(list_of(check), CS_RULE_C7, here(check),
			"the sphere or box of the cluster is not finite, or has a negative size");
}

static void check_page_check_grid(const struct cluster_check *check)
{
	enum { MOST = 127 }; /* largest exponent of a float; 2^128 is too large */
	int precision = check->contents->resource->info->position_precision;
	float right = precision < -MOST || precision > MOST ? 0 : ldexpf(1, -precision);
	const struct cs_packed_cluster *packed = &check->plan->packed;
	for (unsigned axis = 0; axis < 3; axis++) {
		float low = cs_packed_float(packed, CS_PACKED_GRID_MIN_X + axis);
		float step = cs_packed_float(packed, CS_PACKED_GRID_STEP_X + axis);
		if (low != 0 || step != right || !(step > 0)) {
			cs_breach(list_of(check), CS_RULE_R7, here(check),
				"the position grid has a step of %g and begins at %g, which does not "
				"fit precision %d",
				(double)step, (double)low, precision);
			return;
		}
	}
}

/* ---- fields compared with the decoded geometry ---- */

static const int32_t *check_page_grid_of(const struct cluster_check *check, uint32_t vertex)
{
	return check->contents->grid + ((size_t)check->row->first_vertex + vertex) * 3;
}

static void check_box(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	double step = (double)row->grid_step;
	for (unsigned axis = 0; axis < 3; axis++) {
		int32_t low = INT32_MAX, high = INT32_MIN;
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			int32_t at = check_page_grid_of(check, v)[axis];
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		double centre = (double)row->box_centre[axis];
		double extent = (double)row->box_extent[axis];
		/* allowed difference: half a grid step plus the rounding error of the centre */
		double slack = 0.5 * step + fabs(centre) * 0x1p-22;
		if (fabs(centre - extent - low * step) <= slack &&
			fabs(centre + extent - high * step) <= slack)
			continue;
		cs_breach(list_of(check), CS_RULE_C8, here(check),
			"on axis %u the box is %.9g to %.9g, but the vertices are %.9g to %.9g",
			axis, centre - extent, centre + extent, low * step, high * step);
		return;
	}
}

/* Returns the squared length of an edge in grid steps, exact if each axis has at most 21 bits. */
static double edge_length2(const int32_t a[3], const int32_t b[3])
{
	double sum = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		double d = (double)a[axis] - (double)b[axis];
		sum += d * d;
	}
	return sum;
}

static void check_page_check_errors(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	double longest = 0;
	for (uint32_t t = 0; t < row->n_triangles; t++) {
		const uint8_t *corners =
			check->contents->corners + ((size_t)row->first_triangle + t) * 3;
		for (unsigned e = 0; e < 3; e++) {
			double length = edge_length2(check_page_grid_of(check, corners[e]),
				check_page_grid_of(check, corners[(e + 1) % 3]));
			longest = length > longest ? length : longest;
		}
	}
	const float unit = cs_nanite_half_unit(check->contents->resource);
	float length = (float)(sqrt(longest) * (double)row->grid_step) / unit;
	uint16_t want = cs_half_nearest(length);
	uint16_t edge = (uint16_t)cs_packed_get(&check->plan->packed, CS_PACKED_EDGE_LENGTH);
	if (!(row->lod_error >= 0) || signbit(row->lod_error))
		cs_breach(list_of(check), CS_RULE_C9, here(check),
			"the error of the cluster is %g, not a finite number from 0 on",
			(double)row->lod_error);
	else if ((edge & 0x7fff) != want)
		cs_breach(list_of(check), CS_RULE_C9, here(check),
			"the edge length of the cluster is stored as %g, but its "
			"longest edge is %g",
			(double)row->edge_length, (double)(unit * cs_half_value(want)));
}

static void check_triangles(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	uint32_t keys[CS_CLUSTER_TRIANGLES], slots[4 * CS_CLUSTER_TRIANGLES], flat = 0;
	struct cs_keys seen = {
		.keys = keys, .slots = slots, .mask = 4 * CS_CLUSTER_TRIANGLES - 1, .words = 1};
	cs_keys_clear(&seen);
	for (uint32_t t = 0; t < row->n_triangles; t++) {
		const uint8_t *v = check->contents->corners + ((size_t)row->first_triangle + t) * 3;
		uint32_t key = v[0] | (uint32_t)v[1] << 8 | (uint32_t)v[2] << 16;
		unsigned most = v[1] > v[2] ? v[1] : v[2]; /* v[0] is the smallest corner */
		if (v[0] == v[1] || v[1] == v[2] || most - v[0] >= CS_STRIP_WINDOW)
			cs_breach(list_of(check), CS_RULE_S6, here(check),
				"triangle %u has vertices %u, %u, %u: two are equal, or their "
				"numbers are more than 31 apart",
				t, v[0], v[1], v[2]);
		for (unsigned e = 0; e < 3; e++)
			if (edge_length2(check_page_grid_of(check, v[e]),
				    check_page_grid_of(check, v[(e + 1) % 3])) == 0) {
				flat++;
				break;
			}
		cs_keys_add(&seen, &key);
	}
	if (flat || seen.n < row->n_triangles)
		cs_breach(list_of(check), CS_RULE_C11, here(check),
			"triangles without area: %u; triangles that occur twice: %u", flat,
			row->n_triangles - seen.n);
}

static void check_positions(const struct cluster_check *check)
{
	const struct cs_model_cluster *row = check->row;
	for (unsigned axis = 0; axis < 3; axis++) {
		int64_t places = (int64_t)1 << row->position_bits[axis];
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			int64_t raw =
				(int64_t)check_page_grid_of(check, v)[axis] - row->start[axis];
			if (raw >= 0 && raw < places)
				continue;
			cs_breach(list_of(check), CS_RULE_V4, here(check),
				"vertex %u is %" PRId64
				" steps from the start of axis %u, which has only %" PRId64
				" steps",
				v, raw, axis, places);
			return;
		}
	}
}

static void check_uv_ranges(const struct cluster_check *check)
{
	const struct cs_nanite_uv_range *ranges =
		check->contents->uv_ranges +
		(size_t)(check->row - check->contents->clusters) * check->contents->n_uvs;
	for (unsigned a = 0; a < 2u * check->view->n_uvs; a++) {
		const struct cs_nanite_uv_range *range = &ranges[a / 2];
		if (isfinite(range->min[a % 2]) && isfinite(range->scale[a % 2]) &&
			range->scale[a % 2] >= 0 && range->gap_start[a % 2] >= 0 &&
			range->gap_length[a % 2] >= 0)
			continue;
		cs_breach(list_of(check), CS_RULE_V5, here(check),
			"UV channel %u, axis %u: start %g, scale %g or gap %d + %d is "
			"not finite or is negative",
			a / 2, a % 2, (double)range->min[a % 2], (double)range->scale[a % 2],
			range->gap_start[a % 2], range->gap_length[a % 2]);
		return;
	}
}

/*
 * Checks that normals use the right code: on the border of the octahedral square two codes
 * represent the same direction, and only the code with the larger coordinate along the border is
 * allowed.
 */
static void check_normals(const struct cluster_check *check)
{
	const uint32_t most = cs_bits_mask(CS_NORMAL_BITS);
	for (uint32_t v = 0; v < check->row->n_vertices; v++) {
		uint32_t code = check->contents->normals[(size_t)check->row->first_vertex + v];
		uint32_t x = code & most, y = code >> CS_NORMAL_BITS;
		bool border_x = x == 0 || x == most, border_y = y == 0 || y == most;
		if (!(border_x && y < most - y) && !(border_y && x < most - x))
			continue;
		cs_breach(list_of(check), CS_RULE_V6, here(check),
			"vertex %u: the octahedral code %u, %u of the normal is on the border, "
			"where its other code must be used",
			v, x, y);
		return;
	}
}

/* ---- materials and UV codes ---- */

/* Checks the unused bits of the entries of the material table, which begin at byte `at`. */
static void check_entry_bits(const struct cluster_check *check, uint32_t at)
{
	for (uint32_t i = 0; i < check->row->n_materials; i++)
		if (cs_load32(check->view->bytes + at + 4 * i) >>
			(CS_ENTRY_MATERIAL + CS_MATERIAL_INDEX_BITS)) {
			cs_breach(list_of(check), CS_RULE_C13, here(check),
				"an unused bit of material range %u is set", i);
			return;
		}
}

/* Checks that a word with up to three ranges has no material of a range that it does not have. */
static void check_fast_word(const struct cluster_check *check, uint32_t word)
{
	for (uint32_t i = check->row->n_materials; i < CS_FAST_MATERIALS; i++)
		if (word >> CS_MATERIAL_INDEX_BITS * i & cs_bits_mask(CS_MATERIAL_INDEX_BITS)) {
			cs_breach(list_of(check), CS_RULE_C13, here(check),
				"material word %08x has the material of a range that it has not",
				word);
			return;
		}
}

static void check_page_check_materials(const struct cluster_check *check, uint8_t *table_uses)
{
	const struct cs_model_cluster *row = check->row;
	const struct cs_model_material *ranges =
		check->contents->material_ranges + row->first_material;
	uint32_t materials = check->contents->resource->info->materials;
	uint32_t word = cs_packed_get(&check->plan->packed, CS_PACKED_MATERIALS);
	bool slow = word >= CS_MATERIAL_SLOW, twice = false;
	for (uint32_t i = 0; i < row->n_materials; i++) {
		if (ranges[i].material >= materials) {
			cs_breach(list_of(check), CS_RULE_M3, here(check),
				"the cluster has material %u, but the resource has "
				"only %u materials, counted from 0",
				ranges[i].material, materials);
			return;
		}
		twice = twice || (i && ranges[i].material == ranges[i - 1].material);
	}
	if (twice || (slow && row->n_materials <= CS_FAST_MATERIALS))
		cs_breach(list_of(check), CS_RULE_M4, here(check),
			"the cluster wastes bytes: it has %u material ranges in %s%s",
			row->n_materials, slow ? "the table" : "the cluster",
			twice ? ", two neighbours with the same material" : "");
	uint32_t offset = (word & cs_bits_mask(CS_MATERIAL_OFFSET_BITS)) -
			  CS_PACKED_CLUSTER / 4 * check->view->n_clusters;
	if (slow)
		check_entry_bits(check, check->view->materials + 4 * offset);
	else
		check_fast_word(check, word);
	for (uint32_t i = 0; slow && i < row->n_materials; i++)
		if (table_uses[offset + i] < 2 && table_uses[offset + i]++ == 1)
			cs_breach(list_of(check), CS_RULE_M4, here(check),
				"the cluster shares entries of the material table with "
				"another cluster");
}

static void check_codes_end(const struct cluster_check *check)
{
	uint64_t bits = (uint64_t)check->row->n_codes * CS_STRIP_CODE_BITS;
	unsigned rest = (unsigned)(8 * check->plan->code_bytes - bits);
	if (cs_bits_at(
		    check->view->bytes + check->plan->codes, check->plan->code_bytes, bits, rest))
		cs_breach(list_of(check), CS_RULE_S7, here(check),
			"bits after the last strip code are set");
}

/* ---- padding between the data ---- */

static bool is_zero(const struct cs_page_view *view, uint32_t begin, uint32_t end)
{
	uint32_t at = begin;
	while (at < end && view->bytes[at] == 0)
		at++;
	return at == end;
}

/*
 * Returns whether the padding of n vertices of `used` bits each, from offset `at` on, is zero: bits
 * after each vertex up to a whole byte, and bytes after the last vertex up to a multiple of 4.
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

static void check_padding(const struct cluster_check *check)
{
	const uint8_t *bits = check->row->position_bits;
	if (!vertex_padding_is_zero(check->view, check->plan->positions, check->row->n_coded,
		    (uint32_t)bits[0] + bits[1] + bits[2]) ||
		!vertex_padding_is_zero(check->view, check->plan->attributes, check->row->n_coded,
			check->row->attribute_bits))
		cs_breach(list_of(check), CS_RULE_P8, here(check),
			"the padding after the vertices of the cluster is not zero");
}

/* ---- checks of the whole page ---- */

static void check_page(struct cs_page_view *view, const struct cs_nanite_contents *contents)
{
	const struct cs_cluster_plan *last = &view->plans[view->n_clusters - 1];
	struct cs_place place = cs_at_page(view, CS_NO_OFFSET);
	if (view->gpu_size < LEAST_FILL && view->page + 1 < contents->n_pages)
		cs_breach(&view->breaches, CS_RULE_P7, place,
			"the clusters of the page fill only %u of the %d bytes of a page on the "
			"GPU",
			view->gpu_size, CS_PAGE_GPU_BYTES);
	if (!is_zero(view, last->codes + last->code_bytes, view->masks))
		cs_breach(&view->breaches, CS_RULE_P8, place,
			"padding after the strip codes is not zero");
}

/*
 * Checks that at most three words of the material table are unused, and that the unused words are
 * zero. uses[i] is the number of clusters that use word i, but at most 2.
 */
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
			"%u entries of the material table belong to no cluster", unused);
	if (dirty)
		cs_breach(&view->breaches, CS_RULE_P8, cs_at_page(view, view->materials),
			"padding after the material table is not zero");
}

static void check_page_check_cluster(const struct cluster_check *check, uint8_t *table_uses)
{
	static void (*const checks[])(const struct cluster_check *check) = {check_unused,
		check_widths, check_colors, check_floats, check_page_check_grid, check_box,
		check_page_check_errors, check_triangles, check_positions, check_uv_ranges,
		check_normals, check_codes_end, check_padding};
	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		checks[i](check);
	check_page_check_materials(check, table_uses);
}

/* ---- vertices that are coded twice ---- */

enum { VERTEX_WORDS = 5 + 2 * CS_MAX_UVS };

static void vertex_key(
	const struct cs_nanite_contents *contents, size_t v, uint32_t key[VERTEX_WORDS])
{
	memcpy(key, contents->grid + v * 3, 3 * sizeof(*key));
	key[3] = contents->normals[v];
	memcpy(&key[4], contents->colors + v * 4, 4);
	for (unsigned uv = 0; uv < contents->n_uvs; uv++)
		memcpy(&key[5 + 2 * uv], contents->uvs[uv] + v * 2, 2 * sizeof(*key));
}

static uint32_t count_twice(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents, struct cs_keys *seen)
{
	uint32_t twice = 0, key[VERTEX_WORDS];
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cs_model_cluster *row = &contents->clusters[base->cluster + i];
		const struct cluster_check check = {view, contents, &view->plans[i], row, i};
		for (uint32_t v = 0; v < row->n_vertices; v++) {
			uint32_t before = seen->n;
			if (!is_coded(&check, v))
				continue;
			vertex_key(contents, (size_t)row->first_vertex + v, key);
			cs_keys_add(seen, key);
			twice += seen->n == before;
		}
	}
	return twice;
}

static void check_page_check_twice(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents)
{
	struct cs_keys seen;
	if (!cs_keys_init(&seen, view->n_vertices, 5 + 2 * contents->n_uvs)) {
		view->breaches.out_of_memory = true;
	} else {
		uint32_t twice = count_twice(view, base, contents, &seen);
		if (twice)
			cs_breach(&view->breaches, CS_RULE_V7, cs_at_page(view, CS_NO_OFFSET),
				"vertices of the page that are encoded twice instead of as "
				"references: %u",
				twice);
	}
	cs_keys_deinit(&seen);
}

void cs_check_page(struct cs_page_view *view, const struct cs_page_base *base,
	const struct cs_nanite_contents *contents)
{
	uint8_t *table_uses = calloc(view->n_material_words + 1, 1);
	if (!table_uses) {
		view->breaches.out_of_memory = true;
		return;
	}
	if (cs_load16(view->chunk + 6))
		cs_breach(&view->breaches, CS_RULE_X2, cs_at_page(view, CS_NO_OFFSET),
			"the last word of the fixup chunk header must be 0, not %u",
			cs_load16(view->chunk + 6));
	check_page(view, contents);
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cluster_check check = {
			view, contents, &view->plans[i], &contents->clusters[base->cluster + i], i};
		if (!check.row->damaged)
			check_page_check_cluster(&check, table_uses);
	}
	check_page_check_table(view, table_uses);
	check_page_check_twice(view, base, contents);
	free(table_uses);
}
