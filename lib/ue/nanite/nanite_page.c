/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns opening one page of the engine: its fixup chunk, headers and sections, and the packed
 * clusters (nanite-versions rules 4, 5, 5.1). A page that passes is safe to decode: every section
 * begins where the previous one ends, and the offsets of the page in GPU memory are those that are
 * computed here.
 */
#include "ue/nanite/cooked_nanite.h"

#include "core/half.h"

#include <stdlib.h>

enum { GPU_HEADER = 16, STRIP_BYTES = 48, MASK_BYTES = 32, MOST_CLUSTERS = 256 };
enum { MOST_TRIANGLES = 128, MOST_VERTICES = 256, WIDEST_UV = 24, FINEST_UV = 30 };

static struct cs_error *broken(const struct cs_ue_page *page, const char *what)
{
	return cs_error_at(CS_E_NANITE, NULL, page->file_offset, "page %u: %s", page->page, what);
}

static uint32_t bits(uint32_t word, unsigned shift, unsigned n)
{
	return word >> shift & (n == 32 ? UINT32_MAX : (1u << n) - 1);
}

static uint32_t words_of(uint64_t n_bits)
{
	return (uint32_t)(4 * ((n_bits + 31) / 32));
}

/* ---- the chunk ---- */

/* Returns the length after the head of the chunk, which the caller has checked to exist. */
static uint64_t chunk_length(const struct cs_ue_nanite_layout *layout, const unsigned char *at)
{
	if (!layout->groups)
		return 16 * (uint64_t)cs_load16(at + 4) + 8 * (uint64_t)cs_load16(at + 6);
	return 16 * (uint64_t)cs_load16(at + 2) + 12 * (uint64_t)cs_load16(at + 4) +
	       10 * (uint64_t)cs_load32(at + 12) + 4 * (uint64_t)cs_load32(at + 16) +
	       2 * (uint64_t)cs_load16(at + 8) + cs_load32(at + 20);
}

static bool is_chunk(
	const struct cs_ue_nanite_layout *layout, const unsigned char *at, uint32_t room)
{
	const uint32_t head = layout->groups ? 24 : 8;
	return room >= head && cs_load16(at) == 0x464e && chunk_length(layout, at) == room - head;
}

static uint32_t chunk_clusters(const struct cs_ue_nanite_layout *layout, const unsigned char *at)
{
	return cs_load16(at + (layout->groups ? 6 : 2));
}

/* ---- packed clusters ---- */

static void unpack_sizes(
	enum cs_ue_nanite_version v, const uint32_t *w, struct cs_ue_cluster *cluster)
{
	unsigned n = v >= CS_UE_NANITE_5_6 ? 14 : 9;
	cluster->n_vertices = bits(w[0], 0, n);
	cluster->position_offset = bits(w[0], n, 32 - n);
	cluster->n_triangles = bits(w[1], 0, 8);
	cluster->index_offset = bits(w[1], 8, 24);
	for (unsigned i = 0; i < 4; i++) {
		cluster->color_min[i] = bits(w[2], 8 * i, 8);
		cluster->color_bits[i] = bits(w[3], 4 * i, 4);
	}
	cluster->group = bits(w[3], 16, 16);
	for (unsigned i = 0; i < 3; i++)
		cluster->start[i] = (int32_t)w[4 + i];
}

static void unpack_precision(enum cs_ue_nanite_version v, uint32_t w, struct cs_ue_cluster *cluster)
{
	bool old = v == CS_UE_NANITE_5_3;
	cluster->index_bits = old ? bits(w, 0, 4) : bits(w, 0, 3) + 1;
	cluster->precision = old ? (int32_t)bits(w, 4, 5) - 8 : (int32_t)bits(w, 3, 6) - 20;
	for (unsigned i = 0; i < 3; i++)
		cluster->precision_bits[i] = bits(w, 9 + 5 * i, 5);
	cluster->normal_bits = bits(w, 24, 4);
	cluster->tangent_bits = bits(w, 28, 4);
}

static void unpack_attributes(
	enum cs_ue_nanite_version v, const uint32_t *w, struct cs_ue_cluster *cluster)
{
	unsigned at = v >= CS_UE_NANITE_5_5 ? 24 : 23;
	cluster->flags = v >= CS_UE_NANITE_5_6 ? bits(w[19], 0, 4) : w[19];
	cluster->attribute_offset = bits(w[20], 0, 22);
	cluster->attribute_bits = bits(w[20], 22, 10);
	cluster->decode_offset = bits(w[21], 0, 22);
	cluster->tangents = bits(w[21], 22, 1);
	cluster->n_uvs = bits(w[21], at, 3);
	cluster->color_mode = bits(w[21], at + 3, v == CS_UE_NANITE_5_3 ? 2 : 1);
	cluster->uv_bits = w[22];
}

static void unpack_cluster(enum cs_ue_nanite_version v, struct cs_ue_cluster *cluster)
{
	const uint32_t *w = cluster->words;
	unpack_sizes(v, w, cluster);
	unpack_precision(v, w[7], cluster);
	cluster->error = cs_half_value((uint16_t)w[15]);
	cluster->edge = cs_half_value((uint16_t)(w[15] >> 16));
	unpack_attributes(v, w, cluster);
}

/* Reads from planes: float4 k of cluster i is at 16 * (k * n + i). */
static void load_words(const struct cs_ue_page *page, uint32_t f4, uint32_t i, uint32_t *ret)
{
	const unsigned char *at = page->bytes + page->gpu + GPU_HEADER;
	for (uint32_t k = 0; k < f4; k++)
		for (uint32_t w = 0; w < 4; w++)
			ret[4 * k + w] = cs_load32(
				at + 16 * ((size_t)k * page->n_clusters + i) + 4 * (size_t)w);
}

static void load_header(const struct cs_ue_page *page, enum cs_ue_nanite_version v, uint32_t i,
	struct cs_ue_cluster *cluster)
{
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[v];
	const unsigned char *at =
		page->bytes + page->headers + 4 * (size_t)layout->cluster_words * i;
	uint32_t w[10] = {0};
	for (uint32_t k = 0; k < layout->cluster_words; k++)
		w[k] = cs_load32(at + 4 * (size_t)k);
	const uint32_t *from = layout->groups ? w + 1 : w;
	cluster->decode_header = layout->groups ? w[0] : 0;
	cluster->index_data = from[0];
	cluster->map = from[1];
	cluster->references = from[2];
	cluster->low = from[3];
	cluster->mid = from[4];
	cluster->high = layout->streams ? from[5] : 0;
	from += layout->streams ? 6 : 5;
	cluster->n_references = from[0];
	cluster->previous[0] = from[1];
	cluster->previous[1] = from[2];
}

static bool cluster_is_sane(const struct cs_ue_cluster *cluster)
{
	return cluster->n_vertices > 0 && cluster->n_vertices <= MOST_VERTICES &&
	       cluster->n_triangles > 0 && cluster->n_triangles <= MOST_TRIANGLES &&
	       cluster->n_references <= cluster->n_vertices && cluster->n_uvs <= 4 &&
	       cluster->precision_bits[0] <= 21 && cluster->precision_bits[1] <= 21 &&
	       cluster->precision_bits[2] <= 21;
}

/*
 * Reads the bits of each UV channel: in 5.3 from a word, later from the channel's range. A page has
 * planes for WIDEST_UV bits, and steps of a UV are from 2^-FINEST_UV to 2^FINEST_UV.
 */
static bool load_uv_widths(
	const struct cs_ue_page *page, enum cs_ue_nanite_version v, struct cs_ue_cluster *cluster)
{
	const unsigned size = v == CS_UE_NANITE_5_3 ? 32 : 8;
	for (uint32_t t = 0; t < cluster->n_uvs; t++) {
		uint64_t at = (uint64_t)page->gpu + cluster->decode_offset + size * (uint64_t)t;
		if (at + size > page->index)
			return false;
		if (v == CS_UE_NANITE_5_3) {
			const int32_t precision = (int32_t)cs_load32(page->bytes + at + 24);
			if (precision < -FINEST_UV || precision > FINEST_UV)
				return false;
			cluster->uv_width[t][0] = bits(cluster->uv_bits, 8 * t, 4);
			cluster->uv_width[t][1] = bits(cluster->uv_bits, 8 * t + 4, 4);
			continue;
		}
		cluster->uv_width[t][0] = bits(cs_load32(page->bytes + at), 0, 5);
		cluster->uv_width[t][1] = bits(cs_load32(page->bytes + at + 4), 0, 5);
		if (cluster->uv_width[t][0] > WIDEST_UV || cluster->uv_width[t][1] > WIDEST_UV)
			return false;
	}
	return true;
}

static bool attribute_bits_add_up(const struct cs_ue_cluster *cluster, enum cs_ue_nanite_version v)
{
	uint32_t sum =
		2 * cluster->normal_bits + (cluster->tangents ? cluster->tangent_bits + 1 : 0);
	bool variable = v == CS_UE_NANITE_5_3 ? cluster->color_mode == 2 : cluster->color_mode == 1;
	for (unsigned i = 0; i < 4 && variable; i++)
		sum += cluster->color_bits[i];
	for (uint32_t t = 0; t < cluster->n_uvs; t++)
		sum += cluster->uv_width[t][0] + cluster->uv_width[t][1];
	return sum == cluster->attribute_bits;
}

static struct cs_error *load_clusters(struct cs_ue_page *page, enum cs_ue_nanite_version v)
{
	uint32_t references = 0;
	page->clusters = calloc((size_t)page->n_clusters + 1, sizeof(*page->clusters));
	if (!page->clusters)
		return cs_error_nomem();
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		struct cs_ue_cluster *cluster = &page->clusters[i];
		load_words(page, cs_ue_nanite_layouts[v].f4, i, cluster->words);
		unpack_cluster(v, cluster);
		load_header(page, v, i, cluster);
		if (!cluster_is_sane(cluster) || !load_uv_widths(page, v, cluster) ||
			!attribute_bits_add_up(cluster, v))
			return broken(page, "a cluster of impossible sizes");
		cluster->n_coded = cluster->n_vertices - cluster->n_references;
		references += cluster->n_references;
	}
	return references == page->total_references
		       ? NULL
		       : broken(page, "its clusters have other references than it says");
}

/* ---- sections ---- */

static struct cs_error *nanite_page_read_header(
	const struct cs_ue_nanite *nanite, struct cs_ue_page *page)
{
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[nanite->version];
	static const uint8_t at[3][5] = {/* clusters, raw, references, strips, masks */
		{1, 2, 4, 6, 7}, {0, 1, 2, 4, 5}, {0, 1, 2, 3, 4}};
	const uint8_t *k = at[nanite->version == CS_UE_NANITE_5_3 ? 0 : layout->groups ? 2 : 1];
	const unsigned char *b = page->bytes;
	if (page->size < 4 * layout->page_words)
		return broken(page, "shorter than its header");
	page->n_clusters = cs_load32(b + 4 * k[0]);
	page->raw = cs_load32(b + 4 * k[1]);
	page->total_references = cs_load32(b + 4 * k[2]);
	page->strips = cs_load32(b + 4 * k[3]);
	page->masks = cs_load32(b + 4 * k[4]);
	page->headers = 4 * layout->page_words;
	if (page->n_clusters == 0 || page->n_clusters > MOST_CLUSTERS ||
		page->n_clusters != chunk_clusters(layout, page->chunk))
		return broken(page, "chunk and header have different numbers of clusters");
	page->gpu = page->headers + 4 * layout->cluster_words * page->n_clusters;
	page->tables = page->gpu + GPU_HEADER + 16 * layout->f4 * page->n_clusters;
	uint64_t index = page->gpu + 16 * (uint64_t)page->raw;
	if (index > page->size || page->tables > index)
		return broken(page, "its tables end after the end of the page");
	page->index = (uint32_t)index;
	if ((cs_load32(b + page->gpu) & 0xffff) != page->n_clusters)
		return broken(page, "its GPU header has another number of clusters");
	return NULL;
}

static struct cs_error *check_sections(struct cs_ue_page *page)
{
	uint64_t maps = (uint64_t)page->strips + STRIP_BYTES * (uint64_t)page->n_clusters;
	page->maps = (uint32_t)maps;
	page->references = page->masks + MASK_BYTES * page->n_clusters;
	uint64_t end = page->references + 2 * (uint64_t)page->total_references;
	page->data = cs_ue_align4((uint32_t)end);
	if (page->strips < page->index || maps > page->masks || page->strips % 4 ||
		(page->masks - maps) % 4 || page->masks > page->size || end > page->size ||
		page->data > page->size + 3)
		return broken(page, "its sections do not follow each other");
	return NULL;
}

/*
 * Computes the place of all data in GPU memory: indices, positions, attributes, cluster by cluster.
 */
static struct cs_error *check_gpu(struct cs_ue_page *page)
{
	uint32_t at[3] = {16 * page->raw, 0, 0};
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		const struct cs_ue_cluster *cluster = &page->clusters[i];
		at[1] += words_of((uint64_t)cluster->n_triangles * (cluster->index_bits + 10));
	}
	at[1] += at[0];
	at[2] = at[1];
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		const struct cs_ue_cluster *cluster = &page->clusters[i];
		at[2] += words_of((uint64_t)cluster->n_vertices *
				  (cluster->precision_bits[0] + cluster->precision_bits[1] +
					  cluster->precision_bits[2]));
	}
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		const struct cs_ue_cluster *cluster = &page->clusters[i];
		if (cluster->index_offset != at[0] || cluster->position_offset != at[1] ||
			cluster->attribute_offset != at[2])
			return broken(page, "offsets in GPU memory that do not follow from sizes");
		at[0] += words_of((uint64_t)cluster->n_triangles * (cluster->index_bits + 10));
		at[1] += words_of((uint64_t)cluster->n_vertices *
				  (cluster->precision_bits[0] + cluster->precision_bits[1] +
					  cluster->precision_bits[2]));
		at[2] += words_of((uint64_t)cluster->n_vertices * cluster->attribute_bits);
	}
	page->gpu_bytes = at[2];
	return NULL;
}

struct cs_error *cs_ue_page_open(
	const struct cs_ue_nanite *nanite, uint32_t index, struct cs_ue_page *ret)
{
	const struct cs_ue_page_state *state = &nanite->states[index];
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[nanite->version];
	bool root = index < nanite->n_root_pages;
	struct cs_ue_page page = {.page = index,
		.chunk = (root ? nanite->roots_bytes : nanite->bulk) + state->bulk_offset,
		.file_offset = (root ? nanite->root_at : 0) + state->bulk_offset,
		.chunk_bytes = state->bulk_size - state->page_size,
		.size = state->page_size};
	page.bytes = page.chunk + page.chunk_bytes;
	if (!is_chunk(layout, page.chunk, page.chunk_bytes))
		return broken(&page, "its fixups do not fill the bytes before it");
	struct cs_error *error = nanite_page_read_header(nanite, &page);
	if (!error)
		error = check_sections(&page);
	if (!error)
		error = load_clusters(&page, nanite->version);
	if (!error)
		error = check_gpu(&page);
	if (error)
		cs_ue_page_close(&page);
	else
		*ret = page;
	return error;
}

void cs_ue_page_close(struct cs_ue_page *page)
{
	free(page->clusters);
	page->clusters = NULL;
}
