/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the clusters of a planned page: material ranges, vertices, attributes.
 *
 * The coded vertices of a cluster are decoded first, then those that are references. A reference
 * copies position, normal, colour and UVs of a decoded vertex, which is in an earlier cluster or is
 * a coded vertex of the same cluster.
 */
#include "nanite/decode/decode.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>

/* ---- material ranges ---- */

static uint32_t decode_fast(const struct cs_page_view *view, uint32_t cluster, uint32_t word,
	struct cs_breaches *breaches, struct cs_model_material *ret)
{
	uint32_t triangles = view->plans[cluster].row.n_triangles;
	uint32_t lengths[CS_FAST_MATERIALS], first = 0, n = 0;
	uint32_t bits = cs_bits_mask(CS_MATERIAL_LENGTH_BITS);
	lengths[0] = (word >> CS_MATERIAL_LENGTH_0 & bits) + 1;
	lengths[1] = word >> CS_MATERIAL_LENGTH_1 & bits;
	lengths[2] = 0;
	if (lengths[0] + lengths[1] > triangles) {
		cs_breach(breaches, CS_RULE_M1, cs_at_cluster(view, cluster, CS_NO_OFFSET),
			"material ranges of %u + %u triangles exceed the %u triangles of the "
			"cluster",
			lengths[0], lengths[1], triangles);
		lengths[0] = lengths[0] < triangles ? lengths[0] : triangles;
		lengths[1] = triangles - lengths[0];
	} else {
		lengths[2] = triangles - lengths[0] - lengths[1];
		if (lengths[1] == 0 && lengths[2] > 0)
			cs_breach(breaches, CS_RULE_M1, cs_at_cluster(view, cluster, CS_NO_OFFSET),
				"the second material range is empty, but the third is not");
	}
	for (unsigned i = 0; i < CS_FAST_MATERIALS; i++) {
		if (lengths[i] == 0)
			continue;
		uint32_t material =
			word >> CS_MATERIAL_INDEX_BITS * i & cs_bits_mask(CS_MATERIAL_INDEX_BITS);
		ret[n++] = (struct cs_model_material){
			.first = first, .count = lengths[i], .material = material};
		first += lengths[i];
	}
	return n;
}

static uint32_t decode_slow(const struct cs_page_view *view, uint32_t cluster, uint32_t word,
	struct cs_breaches *breaches, struct cs_model_material *ret)
{
	uint32_t triangles = view->plans[cluster].row.n_triangles;
	uint32_t n = (word >> CS_MATERIAL_COUNT & cs_bits_mask(CS_MATERIAL_COUNT_BITS)) + 1;
	uint32_t offset = word & cs_bits_mask(CS_MATERIAL_OFFSET_BITS), next = 0;
	/* offset of the material table in the GPU page, in words */
	uint32_t table = CS_PACKED_CLUSTER / 4 * view->n_clusters;
	if (offset < table || offset - table > view->n_material_words ||
		n > view->n_material_words - (offset - table)) {
		cs_breach(breaches, CS_RULE_M2, cs_at_cluster(view, cluster, CS_NO_OFFSET),
			"the cluster has material words from %u on (%u), but the table begins at "
			"word %u and has %u words",
			offset, n, table, view->n_material_words);
		return 0;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = view->materials + 4 * (offset - table + i);
		uint32_t entry = cs_load32(view->bytes + at);
		uint32_t first = entry & 0xff, count = entry >> CS_ENTRY_LENGTH & 0xff;
		uint32_t material =
			entry >> CS_ENTRY_MATERIAL & cs_bits_mask(CS_MATERIAL_INDEX_BITS);
		if (first != next || count == 0 || count > triangles - next)
			cs_breach(breaches, CS_RULE_M1, cs_at_cluster(view, cluster, at),
				"material range %u begins at triangle %u and has %u of "
				"%u triangles, but the range before it ends at "
				"triangle %u",
				i, first, count, triangles, next);
		count = count < triangles - next ? count : triangles - next;
		ret[i] = (struct cs_model_material){
			.first = next, .count = count, .material = material};
		next += count;
	}
	if (next != triangles)
		cs_breach(breaches, CS_RULE_M1, cs_at_cluster(view, cluster, CS_NO_OFFSET),
			"material ranges cover only %u of %u triangles", next, triangles);
	return n;
}

uint32_t cs_decode_materials(const struct cs_page_view *view, uint32_t cluster,
	struct cs_breaches *breaches, struct cs_model_material *ret)
{
	uint32_t word = cs_packed_get(&view->plans[cluster].packed, CS_PACKED_MATERIALS);
	return word < CS_MATERIAL_SLOW ? decode_fast(view, cluster, word, breaches, ret)
				       : decode_slow(view, cluster, word, breaches, ret);
}

/* ---- vertices and their attributes ---- */

/*
 * The n vertices of a cluster that are coded in the page, as indices in the cluster. `first` is the
 * index of the cluster's first vertex in the contents.
 */
struct coded {
	uint32_t first, n;
	uint8_t vertices[CS_CLUSTER_VERTICES];
};

struct vertex_reader {
	struct cs_page_view *view;
	const struct cs_page_base *base;
	struct cs_nanite_contents *contents;
	struct coded *coded; /* for each cluster of the page, its coded vertices */
	uint32_t cluster;    /* index of the cluster in the page */
	const struct cs_cluster_plan *plan;
	struct cs_model_cluster *row;
};

static struct cs_nanite_uv_range *uv_range(const struct vertex_reader *reader, unsigned uv)
{
	uint32_t row = reader->base->cluster + reader->cluster;
	return reader->contents->uv_ranges + (size_t)row * reader->contents->n_uvs + uv;
}

/*
 * Returns a bit for each of the 64 vertices from vertex 64 * word on. It is set for coded vertices
 * or, if `coded` is false, for references.
 */
static uint64_t vertices_of(const struct vertex_reader *reader, uint32_t word, bool coded)
{
	const unsigned char *mask = reader->view->bytes + reader->view->reference_masks +
				    CS_REFERENCE_MASK * (size_t)reader->cluster;
	uint32_t n = reader->row->n_vertices, from = 64 * word;
	uint64_t references = cs_load64(mask + 8 * word);
	if (n <= from)
		return 0;
	uint64_t all = n - from < 64 ? ((uint64_t)1 << (n - from)) - 1 : UINT64_MAX;
	return (coded ? ~references : references) & all;
}

/*
 * Lists the coded vertices. To avoid a branch, the index of every vertex is written, and the next
 * vertex overwrites that of a reference.
 */
static void list_coded(const struct vertex_reader *reader)
{
	struct coded *coded = &reader->coded[reader->cluster];
	uint32_t n = 0;
	for (uint32_t from = 0; from < reader->row->n_vertices; from += 64) {
		uint64_t is_coded = vertices_of(reader, from / 64, true);
		uint32_t end =
			reader->row->n_vertices - from < 64 ? reader->row->n_vertices - from : 64;
		for (uint32_t v = 0; v < end; v++, is_coded >>= 1) {
			coded->vertices[n] = (uint8_t)(from + v);
			n += is_coded & 1;
		}
	}
	coded->first = reader->row->first_vertex;
	coded->n = n;
}

/* Decodes the coded positions, which have at most 63 bits and start at whole bytes. */
static void decode_positions(const struct vertex_reader *reader)
{
	const uint8_t *widths = reader->row->position_bits,
		      *vertices = reader->coded[reader->cluster].vertices;
	const unsigned y = widths[0], z = y + widths[1], stride = (z + widths[2] + 7) / 8;
	const uint32_t start[3] = {(uint32_t)reader->row->start[0], (uint32_t)reader->row->start[1],
		(uint32_t)reader->row->start[2]};
	const uint32_t masks[3] = {
		cs_bits_mask(widths[0]), cs_bits_mask(widths[1]), cs_bits_mask(widths[2])};
	int32_t *grid = reader->contents->grid + 3 * (size_t)reader->row->first_vertex;
	const unsigned char *at = reader->view->bytes + reader->plan->positions;
	for (uint32_t i = 0, n = reader->row->n_coded; i < n; i++, at += stride) {
		uint64_t bits = cs_load64(at);
		int32_t *to = grid + 3 * (size_t)vertices[i];
		to[0] = (int32_t)(start[0] + ((uint32_t)bits & masks[0]));
		to[1] = (int32_t)(start[1] + ((uint32_t)(bits >> y) & masks[1]));
		to[2] = (int32_t)(start[2] + ((uint32_t)(bits >> z) & masks[2]));
	}
}

/* A field of the coded vertices' attributes. Zeros follow the page, so whole words can be read. */
struct field {
	/* address of the word that contains the field in the first vertex */
	const unsigned char *at;
	unsigned shift;
	uint32_t mask, stride, n;
	const uint8_t *vertices;
};

static struct field attribute_field(
	const struct vertex_reader *reader, unsigned from, unsigned width)
{
	return (struct field){
		.at = reader->view->bytes + reader->plan->attributes + from / 8,
		.shift = from % 8,
		.mask = cs_bits_mask(width),
		.stride = (reader->row->attribute_bits + 7u) / 8,
		.n = reader->row->n_coded,
		.vertices = reader->coded[reader->cluster].vertices,
	};
}

static void decode_normals(const struct vertex_reader *reader)
{
	const struct field field = attribute_field(reader, 0, 2 * CS_NORMAL_BITS);
	uint32_t *normals = reader->contents->normals + reader->row->first_vertex;
	const unsigned char *at = field.at;
	for (uint32_t i = 0; i < field.n; i++, at += field.stride)
		normals[field.vertices[i]] = cs_load32(at) & field.mask;
}

/* Decodes colours: adds the stored difference of each channel to the cluster's smallest value. */
static void decode_colors(const struct vertex_reader *reader, unsigned from)
{
	const struct cs_model_cluster *row = reader->row;
	uint8_t *colors = reader->contents->colors + 4 * (size_t)row->first_vertex;
	const uint32_t color = cs_load32(row->color_min);
	for (uint32_t v = 0; v < row->n_vertices; v++)
		cs_store32(colors + 4 * (size_t)v, color);
	for (unsigned channel = 0; channel < 4; from += row->color_bits[channel++]) {
		const struct field field = attribute_field(reader, from, row->color_bits[channel]);
		const unsigned char *at = field.at;
		for (uint32_t i = 0; field.mask && i < field.n; i++, at += field.stride)
			colors[4 * field.vertices[i] + channel] =
				(uint8_t)(row->color_min[channel] +
					  (cs_load32(at) >> field.shift & field.mask));
	}
}

/*
 * Decodes one axis of UVs. A code counts steps of `scale`. Codes from gap_start on are increased by
 * gap_length before this. Codes and gap_length are integers that a float represents exactly.
 */
static void decode_uv(const struct field *field, const struct cs_nanite_uv_range *range,
	unsigned axis, float *values)
{
	const float gap_length = (float)range->gap_length[axis], scale = range->scale[axis];
	const float least = range->min[axis];
	const int32_t gap_start = range->gap_start[axis];
	const unsigned char *at = field->at;
	for (uint32_t i = 0; i < field->n; i++, at += field->stride) {
		int32_t code = (int32_t)(cs_load32(at) >> field->shift & field->mask);
		float place = (float)code + (code >= gap_start ? gap_length : 0.0f);
		values[2 * (size_t)field->vertices[i]] = least + place * scale;
	}
}

static void decode_attributes(const struct vertex_reader *reader)
{
	const struct cs_model_cluster *row = reader->row;
	unsigned from = 2 * CS_NORMAL_BITS;
	decode_normals(reader);
	decode_colors(reader, from);
	for (unsigned i = 0; i < 4; i++)
		from += row->color_bits[i];
	for (unsigned a = 0; a < 2 * reader->view->n_uvs; a++) {
		unsigned width = row->uv_bits >> 4 * a & 15;
		const struct field field = attribute_field(reader, from, width);
		decode_uv(&field, uv_range(reader, a / 2), a % 2,
			reader->contents->uvs[a / 2] + 2 * (size_t)row->first_vertex + a % 2);
		from += width;
	}
	for (unsigned uv = reader->view->n_uvs; uv < reader->contents->n_uvs; uv++)
		memset(reader->contents->uvs[uv] + 2 * (size_t)row->first_vertex, 0,
			row->n_vertices * 2 * sizeof(float));
}

static void copy_vertex(struct cs_nanite_contents *contents, size_t from, size_t to)
{
	memcpy(contents->grid + to * 3, contents->grid + from * 3, 3 * sizeof(*contents->grid));
	memcpy(contents->colors + to * 4, contents->colors + from * 4, 4);
	contents->normals[to] = contents->normals[from];
	for (unsigned uv = 0; uv < contents->n_uvs; uv++)
		memcpy(contents->uvs[uv] + to * 2, contents->uvs[uv] + from * 2, 2 * sizeof(float));
}

/* A reference back beyond cluster 0 wraps to a large number, which the caller rejects. */
uint32_t cs_page_reference(const struct cs_page_view *view, uint32_t cluster, uint32_t r)
{
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	const unsigned char *at = view->bytes + plan->references;
	const uint32_t n = plan->n_references;
	if (!view->reference_planes)
		return cs_load32(at + (size_t)4 * r);
	const uint32_t back = at[n + r] | (uint32_t)at[2 * (size_t)n + r] << 8 |
			      (uint32_t)at[3 * (size_t)n + r] << 16;
	return (cluster - back) << CS_REFERENCE_CLUSTER | at[r];
}

static bool decode_reference(const struct vertex_reader *reader, uint32_t reference, uint32_t v)
{
	uint32_t at = reader->plan->references + 4 * reference;
	uint32_t word = cs_page_reference(reader->view, reader->cluster, reference);
	uint32_t cluster = word >> CS_REFERENCE_CLUSTER;
	uint32_t coded = word & cs_bits_mask(CS_REFERENCE_CLUSTER);
	const struct coded *source =
		&reader->coded[cluster <= reader->cluster ? cluster : reader->cluster];
	if (cluster > reader->cluster || coded >= source->n ||
		(cluster == reader->cluster && source->vertices[coded] > v))
		return cs_breach(&reader->view->breaches, CS_RULE_V2,
			cs_at_cluster(reader->view, reader->cluster, at),
			"a vertex refers to coded vertex %u of cluster %u, which does not come "
			"before it in the page",
			coded, cluster);
	copy_vertex(reader->contents, (size_t)source->first + source->vertices[coded],
		(size_t)reader->row->first_vertex + v);
	return true;
}

static bool decode_vertices(const struct vertex_reader *reader)
{
	uint32_t references = 0;
	list_coded(reader);
	decode_positions(reader);
	decode_attributes(reader);
	for (uint32_t word = 0; word < CS_CLUSTER_VERTICES / 64; word++)
		for (uint64_t left = vertices_of(reader, word, false); left; left &= left - 1)
			if (!decode_reference(reader, references++,
				    64 * word + (uint32_t)__builtin_ctzll(left)))
				return false;
	return true;
}

/* ---- struct cs_model_cluster, without geometry ---- */

static void decode_cluster_fill_row(const struct cs_page_view *view, uint32_t cluster,
	const struct cs_page_base *base, struct cs_model_cluster *row)
{
	*row = view->plans[cluster].row;
	row->page = view->page;
	row->index = cluster;
	row->part = row->group = row->maker = CS_NONE;
	row->first_triangle = base->triangle;
	row->first_vertex = base->vertex;
	row->first_material = base->range;
}

static void fill_uv_ranges(const struct vertex_reader *reader)
{
	const unsigned char *at = reader->view->bytes + reader->view->decode_info +
				  (size_t)reader->cluster * reader->view->n_uvs * CS_UV_RANGE;
	for (unsigned uv = 0; uv < reader->view->n_uvs; uv++, at += CS_UV_RANGE) {
		struct cs_nanite_uv_range *range = uv_range(reader, uv);
		for (unsigned a = 0; a < 2; a++) {
			range->min[a] = cs_float_of_bits(cs_load32(at + 4 * a));
			range->scale[a] = cs_float_of_bits(cs_load32(at + 8 + 4 * a));
			range->gap_start[a] = (int32_t)cs_load32(at + 16 + 4 * a);
			range->gap_length[a] = (int32_t)cs_load32(at + 24 + 4 * a);
		}
	}
}

static void fill_materials(const struct vertex_reader *reader)
{
	struct cs_nanite_contents *contents = reader->contents;
	struct cs_model_material *ranges = contents->material_ranges + reader->row->first_material;
	/* no breaches are recorded, because cs_page_plan has already recorded them */
	uint32_t n = cs_decode_materials(reader->view, reader->cluster, NULL, ranges);
	for (uint32_t i = 0; i < n; i++) {
		ranges[i].cluster = reader->base->cluster + reader->cluster;
		memset(contents->materials + reader->row->first_triangle + ranges[i].first,
			(int)ranges[i].material, ranges[i].count);
	}
}

/* ---- decoding a page ---- */

static bool decode_one_cluster(const struct vertex_reader *reader)
{
	struct cs_model_cluster *row = reader->row;
	uint8_t *corners = reader->contents->corners + (size_t)row->first_triangle * 3;
	fill_materials(reader);
	fill_uv_ranges(reader);
	return cs_decode_strip(reader->view, reader->cluster, corners) && decode_vertices(reader);
}

/* Clears a cluster that was not decoded, because its memory was allocated without being cleared. */
static void clear_cluster(const struct vertex_reader *reader)
{
	struct cs_nanite_contents *contents = reader->contents;
	struct cs_model_cluster *row = reader->row;
	const size_t first = row->first_vertex, n = row->n_vertices;
	memset(contents->grid + 3 * first, 0, 3 * n * sizeof(*contents->grid));
	memset(contents->normals + first, 0, n * sizeof(*contents->normals));
	memset(contents->colors + 4 * first, 0, 4 * n);
	for (unsigned uv = 0; uv < contents->n_uvs; uv++)
		memset(contents->uvs[uv] + 2 * first, 0, 2 * n * sizeof(float));
	memset(contents->corners + 3 * (size_t)row->first_triangle, 0,
		3 * (size_t)row->n_triangles);
	reader->coded[reader->cluster].n = 0; /* no later vertex may refer to this cluster */
	row->damaged = true;
	row->n_triangles = row->n_vertices = row->n_coded = 0;
}

void cs_page_decode(struct cs_page_view *view, const struct cs_page_base *base,
	struct cs_nanite_contents *contents)
{
	struct cs_page_base next = *base;
	struct coded *coded = malloc(view->n_clusters * sizeof(*coded));
	view->breaches.out_of_memory |= !coded;
	for (uint32_t i = 0; coded && i < view->n_clusters; i++) {
		struct vertex_reader reader = {view, base, contents, coded, i, &view->plans[i],
			&contents->clusters[base->cluster + i]};
		decode_cluster_fill_row(view, i, &next, reader.row);
		next.triangle += reader.row->n_triangles;
		next.vertex += reader.row->n_vertices;
		next.range += reader.row->n_materials;
		if (!decode_one_cluster(&reader))
			clear_cluster(&reader);
	}
	free(coded);
}

void cs_nanite_normal(uint32_t code, float ret[3])
{
	const uint32_t mask = cs_bits_mask(CS_NORMAL_BITS);
	float x = (float)(code & mask) * (2.0f / (float)mask) - 1.0f;
	float y = (float)(code >> CS_NORMAL_BITS & mask) * (2.0f / (float)mask) - 1.0f;
	float z = 1.0f - fabsf(x) - fabsf(y), t = z < 0 ? -z : 0.0f;
	x += x < 0 ? t : -t;
	y += y < 0 ? t : -t;
	float length = sqrtf(x * x + y * y + z * z);
	ret[0] = x / length;
	ret[1] = y / length;
	ret[2] = z / length;
}
