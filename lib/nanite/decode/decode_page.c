/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and plans pages: checks each number of the file, so that offsets are inside the page. */
#include "nanite/decode/decode.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"
#include "format/unpack.h"

#include <stdlib.h>

enum {
	LZ4_RATIO = 255, /* LZ4 expands a byte to at most this many bytes */
	/*
	 * A page has fewer than this many times the bytes of its dense form. Both forms have 232
	 * bytes for each cluster, and for each of its up to 511 vertices a position and attributes,
	 * which the page pads to whole bytes. So 1 bit of the dense form can become 1 byte of the
	 * page, but (232 + 511 * 2) / (232 + 511 * 2 / 8) is less than 4.
	 */
	DENSE_RATIO = 4,
	/*
	 * Number of zero bytes after a page. Decoding may read this far beyond the end of the page:
	 * the attributes of a vertex, and 8 bytes.
	 */
	PAGE_SLACK = (2 * CS_NORMAL_BITS + 4 * 15 + 2 * CS_MAX_UVS * CS_UV_FIELD_BITS) / 8 + 8,
};

/* ---- stored bytes, fixup chunk, decompression ---- */

/* Returns the stored bytes of a page, or NULL when they are not inside the resource. */
static const unsigned char *find_blob(const struct cs_nanite *resource, struct cs_page_view *view)
{
	const struct cs_nanite_page_state *state = &resource->pages[view->page];
	bool root = view->page < CS_ROOT_PAGES;
	size_t size = root ? resource->n_root_bytes : resource->n_stream_bytes;
	if (state->bulk_offset > size || state->bulk_size > size - state->bulk_offset) {
		cs_breach(&view->breaches, CS_RULE_R3, cs_at_page(view, CS_NO_OFFSET),
			"the page begins at byte %u and has %u bytes, but the bulk "
			"data has only %zu",
			state->bulk_offset, state->bulk_size, size);
		return NULL;
	}
	view->blob_size = state->bulk_size;
	return (root ? resource->root_bytes : resource->stream_bytes) + state->bulk_offset;
}

static bool decode_page_open_chunk(struct cs_page_view *view, const unsigned char *blob)
{
	if (view->blob_size < CS_FIXUP_HEADER)
		return cs_breach(&view->breaches, CS_RULE_X1, cs_at_page(view, CS_NO_OFFSET),
			"the data of a page, %u bytes, is too short for a fixup chunk",
			view->blob_size);
	view->chunk = blob;
	view->n_hierarchy = cs_load16(blob + 2);
	view->n_leaves = cs_load16(blob + 4);
	view->chunk_size = CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * view->n_hierarchy +
			   CS_CLUSTER_FIXUP * view->n_leaves;
	if (view->n_hierarchy >= CS_PAGE_FIXUPS || view->n_leaves >= CS_PAGE_FIXUPS)
		cs_breach(&view->breaches, CS_RULE_X4, cs_at_page(view, CS_NO_OFFSET),
			"the page has %u hierarchy fixups and %u cluster fixups, but must have "
			"fewer than 1024 of each kind",
			view->n_hierarchy, view->n_leaves);
	if (view->chunk_size > view->blob_size)
		return cs_breach(&view->breaches, CS_RULE_X1, cs_at_page(view, CS_NO_OFFSET),
			"%u hierarchy fixups and %u cluster fixups do not fit the %u "
			"bytes of the page",
			view->n_hierarchy, view->n_leaves, view->blob_size);
	return true;
}

/* Returns whether `n` stored bytes with the given flags can become a page of `size` bytes. */
static bool is_possible(uint32_t flags, uint32_t n, uint32_t size)
{
	const bool packed = flags & CS_NANITE_LZ4, dense = flags & CS_NANITE_DENSE;
	if (size == 0)
		return false;
	if (!packed && !dense)
		return size == n;
	return size / (packed ? LZ4_RATIO : 1) / (dense ? DENSE_RATIO : 1) <= n;
}

static bool open_dense(
	struct cs_page_view *view, const unsigned char *stored, uint32_t stored_size, bool packed)
{
	size_t n = 0;
	if (!packed)
		return cs_page_read_dense(view, stored, stored_size);
	unsigned char *bytes = malloc(view->size);
	if (!bytes) {
		view->breaches.out_of_memory = true;
		return false;
	}
	bool ok = cs_unpack_some(stored, stored_size, bytes, view->size, &n);
	if (ok)
		ok = cs_page_read_dense(view, bytes, (uint32_t)n);
	else
		cs_breach(&view->breaches, CS_RULE_P1, cs_at_page(view, CS_NO_OFFSET),
			"%u bytes of LZ4 do not decompress to a page, which has at most %u bytes",
			stored_size, view->size);
	free(bytes);
	return ok;
}

static bool open_bytes(struct cs_page_view *view, const unsigned char *stored, uint32_t stored_size,
	uint32_t size, uint32_t flags)
{
	struct cs_place place = cs_at_page(view, CS_NO_OFFSET);
	if (size > CS_PAGE_DISK_BYTES)
		cs_breach(&view->breaches, CS_RULE_P9, place,
			"the decompressed page has %u bytes, more than the limit of 262144", size);
	if (!is_possible(flags, stored_size, size))
		return cs_breach(&view->breaches, CS_RULE_P1, place,
			"%u stored bytes cannot decompress to %u bytes", stored_size, size);
	view->bytes = malloc((size_t)size + PAGE_SLACK);
	view->size = size;
	if (!view->bytes) {
		view->breaches.out_of_memory = true;
		return false;
	}
	memset(view->bytes + size, 0, PAGE_SLACK);
	if (flags & CS_NANITE_DENSE)
		return open_dense(view, stored, stored_size, flags & CS_NANITE_LZ4);
	if (!(flags & CS_NANITE_LZ4))
		memcpy(view->bytes, stored, size);
	else if (!cs_unpack(stored, stored_size, view->bytes, size))
		return cs_breach(&view->breaches, CS_RULE_P1, place,
			"%u bytes of LZ4 do not decompress to %u bytes", stored_size, size);
	return true;
}

bool cs_page_open(const struct cs_nanite *resource, uint32_t page, struct cs_page_view *view)
{
	*view = (struct cs_page_view){.page = page,
		.reference_planes = resource->info->flags & CS_NANITE_PLANES,
		.half_unit = cs_nanite_half_unit(resource)};
	const unsigned char *blob = find_blob(resource, view);
	return blob && decode_page_open_chunk(view, blob) &&
	       open_bytes(view, blob + view->chunk_size, view->blob_size - view->chunk_size,
		       resource->pages[page].page_size, resource->info->flags);
}

void cs_page_close(struct cs_page_view *view)
{
	free(view->bytes);
	free(view->plans);
	view->bytes = NULL;
	view->plans = NULL;
}

/* ---- page header ---- */

static uint32_t page_word(const struct cs_page_view *view, enum cs_page_word word)
{
	return cs_load32(view->bytes + 4 * word);
}

static bool plan_counts(struct cs_page_view *view)
{
	struct cs_breaches *breaches = &view->breaches;
	if (view->size < CS_PAGE_HEADER)
		return cs_breach(breaches, CS_RULE_P2, cs_at_page(view, 0),
			"a page of %u bytes has no header", view->size);
	view->gpu_size = page_word(view, CS_PAGE_GPU_SIZE);
	view->n_clusters = page_word(view, CS_PAGE_N_CLUSTERS);
	view->n_uvs = page_word(view, CS_PAGE_UVS);
	uint32_t n = view->n_clusters;
	uint32_t each = CS_CLUSTER_HEADER + CS_PACKED_CLUSTER + CS_STRIP_MASKS + CS_REFERENCE_MASK;
	if (n < 1 || n > CS_PAGE_CLUSTERS || n > (view->size - CS_PAGE_HEADER) / each)
		return cs_breach(breaches, CS_RULE_P2, cs_at_page(view, 4 * CS_PAGE_N_CLUSTERS),
			"the page has %u clusters, but must have 1 to 1024 and no more than fit "
			"its %u bytes",
			n, view->size);
	if (cs_load16(view->chunk) != n)
		return cs_breach(breaches, CS_RULE_X3, cs_at_page(view, CS_NO_OFFSET),
			"the fixup chunk declares %u clusters, but the page has %u",
			cs_load16(view->chunk), n);
	if (view->n_uvs > CS_MAX_UVS)
		return cs_breach(breaches, CS_RULE_P6, cs_at_page(view, 4 * CS_PAGE_UVS),
			"the page has %u UV channels, more than the limit of 4", view->n_uvs);
	return true;
}

/*
 * Computes the offsets of the sections that are copied to the GPU: all up to the UV ranges, which
 * are included. The size of the material table is the total size of clusters, UV ranges and
 * materials, which the page header states, less the sizes of the other two.
 */
static bool plan_copied(struct cs_page_view *view)
{
	uint32_t n = view->n_clusters, raw = page_word(view, CS_PAGE_RAW_FLOAT4S);
	uint32_t known = n * (CS_PACKED_CLUSTER + CS_UV_RANGE * view->n_uvs) / 16;
	view->planes = CS_PAGE_HEADER + CS_CLUSTER_HEADER * n;
	view->materials = view->planes + CS_PACKED_CLUSTER * n;
	if (raw < known || raw > (view->size - view->planes) / 16)
		return cs_breach(&view->breaches, CS_RULE_P3,
			cs_at_page(view, 4 * CS_PAGE_RAW_FLOAT4S),
			"the page header declares %u units of 16 bytes for clusters, UV ranges "
			"and materials, but clusters and UV ranges alone take %u",
			raw, known);
	view->n_material_words = 4 * (raw - known);
	view->decode_info = view->materials + 4 * view->n_material_words;
	view->codes = view->decode_info + CS_UV_RANGE * view->n_uvs * n;
	if (page_word(view, CS_PAGE_DECODE_INFO) != view->decode_info)
		return cs_breach(&view->breaches, CS_RULE_P4,
			cs_at_page(view, 4 * CS_PAGE_DECODE_INFO),
			"UV ranges begin at byte %u instead of %u",
			page_word(view, CS_PAGE_DECODE_INFO), view->decode_info);
	return true;
}

static bool plan_masks(struct cs_page_view *view)
{
	uint32_t n = view->n_clusters, masks = page_word(view, CS_PAGE_STRIP_MASKS);
	uint32_t both = n * (CS_STRIP_MASKS + CS_REFERENCE_MASK);
	if (masks < view->codes || masks % 4 || both > view->size || masks > view->size - both)
		return cs_breach(&view->breaches, CS_RULE_P4,
			cs_at_page(view, 4 * CS_PAGE_STRIP_MASKS),
			"strip masks at byte %u overlap the sections before them, are "
			"not aligned, or exceed the %u bytes of the page",
			masks, view->size);
	view->masks = masks;
	view->reference_masks = masks + n * CS_STRIP_MASKS;
	view->references = view->reference_masks + n * CS_REFERENCE_MASK;
	if (page_word(view, CS_PAGE_REFERENCE_MASKS) != view->reference_masks)
		return cs_breach(&view->breaches, CS_RULE_P4,
			cs_at_page(view, 4 * CS_PAGE_REFERENCE_MASKS),
			"reference masks begin at byte %u instead of %u",
			page_word(view, CS_PAGE_REFERENCE_MASKS), view->reference_masks);
	return true;
}

bool cs_page_plan_sections(struct cs_page_view *view)
{
	return plan_counts(view) && plan_copied(view) && plan_masks(view);
}

/* ---- headers and masks of clusters ---- */

void cs_page_packed(
	const struct cs_page_view *view, uint32_t cluster, struct cs_packed_cluster *ret)
{
	cs_packed_words(view->bytes + view->planes, CS_PACKED_CLUSTER / CS_PACKED_PLANE,
		view->n_clusters, cluster, ret->words);
}

uint32_t cs_page_cluster_word(
	const struct cs_page_view *view, uint32_t cluster, enum cs_cluster_word word)
{
	return cs_load32(
		view->bytes + CS_PAGE_HEADER + CS_CLUSTER_HEADER * (size_t)cluster + 4 * word);
}

static bool plan_sizes(struct cs_page_view *view, uint32_t i)
{
	struct cs_cluster_plan *plan = &view->plans[i];
	struct cs_place place = cs_at_cluster(view, i, CS_NO_OFFSET);
	struct cs_model_cluster *row = &plan->row;
	cs_page_packed(view, i, &plan->packed);
	cs_packed_row(cs_packed_fields, plan->packed.words, view->half_unit, row);
	row->grid_step = (double)cs_packed_float(&plan->packed, CS_PACKED_GRID_STEP_X);
	if (row->n_triangles < 1 || row->n_triangles > CS_CLUSTER_TRIANGLES ||
		row->n_vertices < 3 || row->n_vertices > CS_CLUSTER_VERTICES)
		return cs_breach(&view->breaches, CS_RULE_C1, place,
			"the cluster has %u triangles and %u vertices, but must have 1 to 128 "
			"triangles and 3 to 256 vertices",
			row->n_triangles, row->n_vertices);
	for (unsigned axis = 0; axis < 3; axis++)
		if (row->position_bits[axis] > CS_POSITION_BITS)
			return cs_breach(&view->breaches, CS_RULE_C4, place,
				"positions have %u bits on axis %u, more than the limit of 21",
				row->position_bits[axis], axis);
	if (cs_packed_get(&plan->packed, CS_PACKED_POSITION_SHIFT) != 0)
		return cs_breach(&view->breaches, CS_RULE_C4, place,
			"positions are shifted, which the format does not allow");
	if (row->n_uvs != view->n_uvs)
		return cs_breach(&view->breaches, CS_RULE_P6, place,
			"the cluster has %u UV channels, but the page has %u", row->n_uvs,
			view->n_uvs);
	view->n_triangles += row->n_triangles;
	view->n_vertices += row->n_vertices;
	return true;
}

/* Returns whether bit `n` and all higher bits of n_words words, `stride` bytes apart, are zero. */
static bool ends_at(const unsigned char *words, unsigned n_words, size_t stride, unsigned n)
{
	for (unsigned w = 0; w < n_words; w++) {
		uint32_t bits = cs_load32(words + w * stride);
		unsigned inside = n > 32 * w ? n - 32 * w : 0;
		if (bits & ~cs_bits_mask(inside))
			return false;
	}
	return true;
}

static bool plan_references(struct cs_page_view *view, uint32_t i)
{
	struct cs_cluster_plan *plan = &view->plans[i];
	uint32_t at = view->reference_masks + CS_REFERENCE_MASK * i;
	const unsigned char *mask = view->bytes + at;
	if (!ends_at(mask, CS_REFERENCE_MASK / 4, 4, plan->row.n_vertices))
		return cs_breach(&view->breaches, CS_RULE_V1, cs_at_cluster(view, i, at),
			"the reference mask has bits after the last vertex");
	for (unsigned w = 0; w < CS_REFERENCE_MASK / 4; w++)
		plan->n_references += (uint32_t)__builtin_popcount(cs_load32(mask + 4 * w));
	plan->row.n_coded = plan->row.n_vertices - plan->n_references;
	return true;
}

static bool plan_strip(struct cs_page_view *view, uint32_t i)
{
	struct cs_cluster_plan *plan = &view->plans[i];
	unsigned n = plan->row.n_triangles;
	uint32_t at = view->masks + CS_STRIP_MASKS * i;
	const size_t stride = 4 * CS_STRIP_MASK_KINDS;
	for (unsigned kind = 0; kind < CS_STRIP_MASK_KINDS; kind++)
		if (!ends_at(view->bytes + at + 4 * kind, CS_STRIP_MASKS / stride, stride, n))
			return cs_breach(&view->breaches, CS_RULE_S1, cs_at_cluster(view, i, at),
				"a strip mask has bits after the last triangle");
	struct cs_stored_strip strip = {.masks = view->bytes + at, .n_triangles = n};
	uint32_t wrong = cs_count_strip(&strip);
	if (wrong != CS_NONE)
		return cs_breach(&view->breaches, CS_RULE_S2, cs_at_cluster(view, i, at),
			"triangle %u does not begin a strip, as every 32nd triangle must", wrong);
	plan->row.n_starts = strip.n_starts;
	plan->row.n_codes = strip.n_codes;
	plan->code_bytes = (strip.n_codes * CS_STRIP_CODE_BITS + 7) / 8;
	return true;
}

/* ---- offsets of the data of each cluster ---- */

/*
 * Checks one kind of data of cluster i: its offset in header word `word` must be *next, the end of
 * the previous cluster's data, and its `size` bytes must not go beyond `end`. Adds `size` to *next.
 */
static bool decode_page_follow(struct cs_page_view *view, uint32_t i, enum cs_cluster_word word,
	enum cs_resource_rule rule, uint32_t size, uint32_t end, uint32_t *next)
{
	uint32_t said = cs_page_cluster_word(view, i, word);
	uint32_t at = CS_PAGE_HEADER + CS_CLUSTER_HEADER * i + 4 * word;
	if (said != *next)
		return cs_breach(&view->breaches, rule, cs_at_cluster(view, i, at),
			"the data of the cluster begins at byte %u instead of %u", said, *next);
	if (size > end || *next > end - size)
		return cs_breach(&view->breaches, rule, cs_at_cluster(view, i, at),
			"the cluster's %u bytes at byte %u exceed the end of the section, byte %u",
			size, *next, end);
	*next += size;
	return true;
}

static bool plan_offsets(struct cs_page_view *view)
{
	uint32_t codes = view->codes, references = view->references, positions, attributes;
	uint64_t n_references = 0, position_total = 0;
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cs_model_cluster *row = &view->plans[i].row;
		n_references += view->plans[i].n_references;
		position_total += cs_coded_bytes(row->n_coded, cs_position_bits(row));
	}
	/* The sums cannot overflow: at most 1024 clusters of 256 vertices, each below 128 bytes. */
	positions = view->positions = references + 4 * (uint32_t)n_references;
	attributes = view->attributes = positions + (uint32_t)position_total;
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		struct cs_cluster_plan *plan = &view->plans[i];
		const struct cs_model_cluster *row = &plan->row;
		uint32_t position_size = cs_coded_bytes(row->n_coded, cs_position_bits(row));
		uint32_t attribute_size = cs_coded_bytes(row->n_coded, row->attribute_bits);
		plan->codes = codes;
		plan->references = references;
		plan->positions = positions;
		plan->attributes = attributes;
		if (!decode_page_follow(view, i, CS_CLUSTER_INDEX_DATA, CS_RULE_S5,
			    plan->code_bytes, view->masks, &codes) ||
			!decode_page_follow(view, i, CS_CLUSTER_REFERENCES, CS_RULE_V1,
				4 * plan->n_references, view->size, &references) ||
			!decode_page_follow(view, i, CS_CLUSTER_POSITIONS, CS_RULE_V3,
				position_size, view->size, &positions) ||
			!decode_page_follow(view, i, CS_CLUSTER_ATTRIBUTES, CS_RULE_V3,
				attribute_size, view->size, &attributes))
			return false;
	}
	if (cs_align(codes, 4) != view->masks || attributes != view->size)
		return cs_breach(&view->breaches, CS_RULE_P4, cs_at_page(view, CS_NO_OFFSET),
			"strip codes end at byte %u instead of %u, attributes at %u instead of %u",
			codes, view->masks, attributes, view->size);
	return true;
}

/* ---- checks of the GPU form ---- */

/* Advances the offsets in the GPU page by the sizes of a cluster's data. */
static void decode_page_advance(struct cs_gpu_bytes *at, const struct cs_model_cluster *row)
{
	cs_gpu_advance(at, row, cs_bits_for(row->n_vertices));
}

static bool plan_gpu(struct cs_page_view *view)
{
	struct cs_gpu_bytes total = {0}, at;
	const uint32_t ranges = CS_UV_RANGE * view->n_uvs;
	uint32_t info = CS_PACKED_CLUSTER * view->n_clusters + 4 * view->n_material_words;
	for (uint32_t i = 0; i < view->n_clusters; i++)
		decode_page_advance(&total, &view->plans[i].row);
	at.index = info + ranges * view->n_clusters;
	at.position = at.index + total.index;
	at.attribute = at.position + total.position;
	uint32_t size = at.attribute + total.attribute;
	if (view->gpu_size != size || size > CS_PAGE_GPU_BYTES)
		cs_breach(&view->breaches, CS_RULE_P5, cs_at_page(view, 4 * CS_PAGE_GPU_SIZE),
			"the page declares %u bytes of GPU memory, but its clusters need %u bytes",
			view->gpu_size, size);
	for (uint32_t i = 0; i < view->n_clusters; i++, info += ranges) {
		const struct cs_packed_cluster *packed = &view->plans[i].packed;
		if (cs_packed_get(packed, CS_PACKED_POSITION_OFFSET) != at.position ||
			cs_packed_get(packed, CS_PACKED_INDEX_OFFSET) != at.index ||
			cs_packed_get(packed, CS_PACKED_ATTRIBUTE_OFFSET) != at.attribute ||
			cs_packed_get(packed, CS_PACKED_DECODE_INFO_OFFSET) != info)
			return cs_breach(&view->breaches, CS_RULE_C2,
				cs_at_cluster(view, i, CS_NO_OFFSET),
				"an offset in GPU memory does not match the sizes of "
				"the clusters before it");
		decode_page_advance(&at, &view->plans[i].row);
	}
	return true;
}

/* ---- planning a page ---- */

static bool plan_clusters(struct cs_page_view *view)
{
	struct cs_model_material ranges[CS_CLUSTER_TRIANGLES];
	view->plans = calloc(view->n_clusters, sizeof(*view->plans));
	if (!view->plans) {
		view->breaches.out_of_memory = true;
		return false;
	}
	bool ok = true;
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		bool safe = plan_sizes(view, i) && plan_references(view, i) && plan_strip(view, i);
		if (safe) {
			view->plans[i].row.n_materials =
				cs_decode_materials(view, i, &view->breaches, ranges);
			view->n_ranges += view->plans[i].row.n_materials;
		}
		ok = ok && safe;
	}
	return ok && !view->breaches.fatal;
}

bool cs_page_plan(struct cs_page_view *view)
{
	view->planned = cs_page_plan_sections(view) && plan_clusters(view) && plan_offsets(view) &&
			plan_gpu(view);
	return view->planned;
}
