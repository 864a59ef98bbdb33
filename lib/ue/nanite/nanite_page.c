/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens one page of the engine: its fixup chunk, headers, sections and packed clusters
 * (nanite-versions rules 4, 5, 5.1). An opened page is safe to decode: its sections follow each
 * other without gaps, and its offsets in GPU memory equal those that this file computes.
 */
#include "ue/nanite/cooked_nanite.h"

#include "nanite/decode/decode.h"

#include <math.h>
#include <stdlib.h>

enum { GPU_HEADER = 16, MOST_CLUSTERS = 256 };
enum { MOST_TRIANGLES = 128, MOST_VERTICES = 256, WIDEST_UV = 24, FINEST_UV = 30 };

static struct cs_error *broken(const struct cs_ue_page *page, const char *what)
{
	return cs_error_at(CS_E_NANITE, NULL, page->file_offset, "page %u: %s", page->page, what);
}

/* ---- the fixup chunk ---- */

/* Returns the size of a fixup chunk in bytes from its counts. Counts that a version lacks are 0. */
static uint64_t chunk_length(const struct cs_ue_nanite *nanite, const unsigned char *at)
{
	static const struct {
		enum cs_ue_field count;
		uint8_t bytes; /* size of an item in bytes */
	} parts[] = {{CS_UE_CHUNK_HIERARCHY_FIXUPS, 16}, {CS_UE_CHUNK_CLUSTER_FIXUPS, 8},
		{CS_UE_CHUNK_GROUPS, 16}, {CS_UE_CHUNK_PARTS, 12}, {CS_UE_CHUNK_PARENTS, 10},
		{CS_UE_CHUNK_LOCATIONS, 4}, {CS_UE_CHUNK_RECONSIDERED, 2},
		{CS_UE_CHUNK_INDICES, 1}};
	uint64_t length = 0;
	for (size_t i = 0; i < CS_COUNT_OF(parts); i++)
		length += (uint64_t)parts[i].bytes * cs_ue_get(nanite, at, parts[i].count);
	return length;
}

static bool is_chunk(const struct cs_ue_nanite *nanite, const unsigned char *at, uint32_t room)
{
	const uint32_t head = cs_ue_nanite_layouts[nanite->version].groups ? 24 : 8;
	return room >= head && cs_load16(at) == 0x464e && chunk_length(nanite, at) == room - head;
}

/* ---- packed clusters ---- */

static void unpack_cluster(
	const struct cs_packed_field *fields, const uint32_t *w, struct cs_ue_cluster *cluster)
{
	cs_packed_row(fields, w, 1, &cluster->row);
	cluster->row.grid_step = ldexp(1, -(int32_t)cs_packed_at(fields, w, CS_UE_PRECISION));
	cluster->normal_bits = cs_packed_at(fields, w, CS_UE_NORMAL_BITS);
	cluster->tangent_bits = cs_packed_at(fields, w, CS_UE_TANGENT_BITS);
	cluster->tangents = cs_packed_at(fields, w, CS_UE_TANGENTS);
	cluster->materials = cs_packed_at(fields, w, CS_PACKED_MATERIALS);
	cluster->index_offset = cs_packed_at(fields, w, CS_PACKED_INDEX_OFFSET);
	cluster->position_offset = cs_packed_at(fields, w, CS_PACKED_POSITION_OFFSET);
	cluster->attribute_offset = cs_packed_at(fields, w, CS_PACKED_ATTRIBUTE_OFFSET);
	cluster->decode_offset = cs_packed_at(fields, w, CS_PACKED_DECODE_INFO_OFFSET);
}

static void load_header(
	const struct cs_ue_nanite *nanite, const unsigned char *at, struct cs_ue_cluster *cluster)
{
	cluster->index_data = cs_ue_get(nanite, at, CS_UE_INDEX_DATA);
	cluster->map = cs_ue_get(nanite, at, CS_UE_MAP);
	cluster->references = cs_ue_get(nanite, at, CS_UE_REFERENCES);
	cluster->low = cs_ue_get(nanite, at, CS_UE_LOW);
	cluster->mid = cs_ue_get(nanite, at, CS_UE_MID);
	cluster->high = cs_ue_get(nanite, at, CS_UE_HIGH);
	cluster->n_references = cs_ue_get(nanite, at, CS_UE_N_REFERENCES);
	cluster->previous[0] = cs_ue_get(nanite, at, CS_UE_PREVIOUS_CODES);
	cluster->previous[1] = cs_ue_get(nanite, at, CS_UE_PREVIOUS_ISSUED);
}

static bool cluster_is_sane(const struct cs_ue_cluster *cluster)
{
	const struct cs_model_cluster *row = &cluster->row;
	return row->n_vertices > 0 && row->n_vertices <= MOST_VERTICES && row->n_triangles > 0 &&
	       row->n_triangles <= MOST_TRIANGLES && cluster->n_references <= row->n_vertices &&
	       row->n_uvs <= 4 && row->position_bits[0] <= CS_POSITION_BITS &&
	       row->position_bits[1] <= CS_POSITION_BITS &&
	       row->position_bits[2] <= CS_POSITION_BITS;
}

/*
 * Reads the number of bits of U and V of each UV channel: from a word of the cluster or, with byte
 * planes (`streams`), from its UV range. Returns false for a range outside the page, more bits than
 * WIDEST_UV (the planes of a page), or a step of a UV outside 2^-FINEST_UV to 2^FINEST_UV.
 */
static bool load_uv_widths(
	const struct cs_ue_page *page, bool streams, struct cs_ue_cluster *cluster)
{
	const uint32_t size = cs_ue_uv_range_bytes(streams);
	const uint32_t widths = cluster->row.uv_bits;
	cluster->row.uv_bits = 0;
	for (uint32_t t = 0; t < cluster->row.n_uvs; t++) {
		uint64_t at = (uint64_t)page->gpu + cluster->decode_offset + size * (uint64_t)t;
		if (at + size > page->index)
			return false;
		const int32_t precision = streams ? 0 : (int32_t)cs_load32(page->bytes + at + 24);
		if (precision < -FINEST_UV || precision > FINEST_UV)
			return false;
		for (unsigned axis = 0; axis < 2; axis++) {
			const unsigned shift = 8 * t + 4 * axis;
			const uint32_t width = streams ? cs_load32(page->bytes + at + 4 * axis) & 31
						       : widths >> shift & 15;
			if (width > WIDEST_UV)
				return false;
			cluster->uv_width[t][axis] = width;
			cluster->row.uv_bits |= (width & 15) << shift;
		}
	}
	return true;
}

static bool attribute_bits_add_up(const struct cs_ue_cluster *cluster, bool streams)
{
	uint32_t sum =
		2 * cluster->normal_bits + (cluster->tangents ? cluster->tangent_bits + 1 : 0);
	bool variable = cluster->row.color_mode == (streams ? 1 : CS_COLOR_VARIABLE);
	for (unsigned i = 0; i < 4 && variable; i++)
		sum += cluster->row.color_bits[i];
	for (uint32_t t = 0; t < cluster->row.n_uvs; t++)
		sum += cluster->uv_width[t][0] + cluster->uv_width[t][1];
	return sum == cluster->row.attribute_bits;
}

static struct cs_error *load_clusters(const struct cs_ue_nanite *nanite, struct cs_ue_page *page)
{
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[nanite->version];
	uint32_t references = 0;
	page->clusters = calloc((size_t)page->n_clusters + 1, sizeof(*page->clusters));
	if (!page->clusters)
		return cs_error_nomem();
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		struct cs_ue_cluster *cluster = &page->clusters[i];
		uint32_t words[4 * CS_UE_MOST_F4];
		cs_packed_words(page->bytes + page->gpu + GPU_HEADER, layout->f4, page->n_clusters,
			i, words);
		unpack_cluster(nanite->fields, words, cluster);
		load_header(nanite,
			page->bytes + page->headers + 4 * (size_t)layout->cluster_words * i,
			cluster);
		if (!cluster_is_sane(cluster) || !load_uv_widths(page, layout->streams, cluster) ||
			!attribute_bits_add_up(cluster, layout->streams))
			return broken(page,
				"the counts or sizes in the header of a cluster exceed what a "
				"cluster can have");
		cluster->row.n_coded = cluster->row.n_vertices - cluster->n_references;
		cluster->row.page = page->page;
		cluster->row.index = i;
		cluster->row.part = cluster->row.group = cluster->row.maker = CS_NONE;
		references += cluster->n_references;
	}
	return references == page->total_references
		       ? NULL
		       : broken(page,
				 "the clusters do not have the number of vertex references that "
				 "the page header declares");
}

/* ---- sections of a page ---- */

static struct cs_error *nanite_page_read_header(
	const struct cs_ue_nanite *nanite, struct cs_ue_page *page)
{
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[nanite->version];
	const unsigned char *b = page->bytes;
	if (page->size < 4 * layout->page_words)
		return broken(page, "the page is shorter than its header");
	page->n_clusters = cs_ue_get(nanite, b, CS_UE_PAGE_CLUSTERS);
	page->raw = cs_ue_get(nanite, b, CS_UE_PAGE_RAW);
	page->total_references = cs_ue_get(nanite, b, CS_UE_PAGE_REFERENCES);
	page->strips = cs_ue_get(nanite, b, CS_UE_PAGE_STRIPS);
	page->masks = cs_ue_get(nanite, b, CS_UE_PAGE_MASKS);
	page->headers = 4 * layout->page_words;
	if (page->n_clusters == 0 || page->n_clusters > MOST_CLUSTERS ||
		page->n_clusters != cs_ue_get(nanite, page->chunk, CS_UE_CHUNK_CLUSTERS))
		return broken(page,
			page->n_clusters == 0 || page->n_clusters > MOST_CLUSTERS
				? "the page header has a number of clusters that is 0 or larger "
				  "than a page can contain"
				: "the number of clusters differs between fixup chunk and page "
				  "header");
	page->gpu = page->headers + 4 * layout->cluster_words * page->n_clusters;
	page->tables = page->gpu + GPU_HEADER + 16 * layout->f4 * page->n_clusters;
	uint64_t index = page->gpu + 16 * (uint64_t)page->raw;
	if (index > page->size || page->tables > index)
		return broken(page,
			"the tables of clusters and materials extend past the end of the page");
	page->index = (uint32_t)index;
	if ((cs_load32(b + page->gpu) & 0xffff) != page->n_clusters)
		return broken(page,
			"the header of the page for the GPU has another number of clusters than "
			"the page header");
	return NULL;
}

static struct cs_error *check_sections(struct cs_ue_page *page)
{
	uint64_t maps = (uint64_t)page->strips + CS_STRIP_MASKS * (uint64_t)page->n_clusters;
	page->references = page->masks + CS_REFERENCE_MASK * page->n_clusters;
	uint64_t end = page->references + 2 * (uint64_t)page->total_references;
	page->data = cs_ue_align4((uint32_t)end);
	if (page->strips < page->index || maps > page->masks || page->strips % 4 ||
		(page->masks - maps) % 4 || page->masks > page->size || end > page->size ||
		page->data > page->size + 3)
		return broken(page, "the sections of the page overlap or leave gaps");
	return NULL;
}

/* Checks the offsets in GPU memory: indices of all clusters, then positions, then attributes. */
static struct cs_error *check_gpu(struct cs_ue_page *page)
{
	struct cs_gpu_bytes total = {0}, at = {.index = 16 * page->raw};
	for (uint32_t i = 0; i < page->n_clusters; i++)
		cs_gpu_advance(&total, &page->clusters[i].row, page->clusters[i].row.index_bits);
	at.position = at.index + total.index;
	at.attribute = at.position + total.position;
	for (uint32_t i = 0; i < page->n_clusters; i++) {
		const struct cs_ue_cluster *cluster = &page->clusters[i];
		if (cluster->index_offset != at.index || cluster->position_offset != at.position ||
			cluster->attribute_offset != at.attribute)
			return broken(page, "a GPU offset of a cluster does not match the sizes of "
					    "the clusters before it");
		cs_gpu_advance(&at, &cluster->row, cluster->row.index_bits);
	}
	page->gpu_bytes = at.attribute;
	return NULL;
}

struct cs_error *cs_ue_page_open(
	const struct cs_ue_nanite *nanite, uint32_t index, struct cs_ue_page *ret)
{
	const struct cs_nanite_page_state *state = &nanite->states[index];
	bool root = index < nanite->n_root_pages;
	struct cs_ue_page page = {.page = index,
		.chunk = (root ? nanite->roots_bytes : nanite->bulk) + state->bulk_offset,
		.file_offset = (root ? nanite->root_at : 0) + state->bulk_offset,
		.chunk_bytes = state->bulk_size - state->page_size,
		.size = state->page_size};
	page.bytes = page.chunk + page.chunk_bytes;
	if (!is_chunk(nanite, page.chunk, page.chunk_bytes))
		return broken(&page, "the fixup chunk does not end where the page begins");
	struct cs_error *error = nanite_page_read_header(nanite, &page);
	if (!error)
		error = check_sections(&page);
	if (!error)
		error = load_clusters(nanite, &page);
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
