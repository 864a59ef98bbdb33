/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes triangles and vertices of the engine's clusters (nanite-versions rules 5.2 to 5.6), and
 * builds a model from them. Pages are decoded in order, because a vertex may refer to a cluster of
 * an earlier page. Every byte of index, position and attribute data must be used.
 */
#include "ue/nanite/cooked_nanite.h"

#include "nanite/decode/decode.h"
#include "nanite/format/bits.h"
#include "nanite/inspect/model_inside.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TRIANGLES = 128 };
enum { MOST_VERTICES = 256, GPU_LIMIT = 131072, ROOT_GPU_LIMIT = 32768 };

struct decoder {
	const struct cs_ue_nanite *nanite;
	struct cs_model *model;
	struct cs_ue_page *pages;
};

static struct cs_error *nanite_decode_broken(
	const struct cs_ue_page *page, uint32_t cluster, const char *what)
{
	return cs_error_at(CS_E_NANITE, NULL, page->file_offset, "page %u, cluster %u: %s",
		page->page, cluster, what);
}

/* ---- triangle strips ---- */

/*
 * Checks the stored counts of the codes and of the vertices before each group of triangles in the
 * strip. A group after the last triangle must have the counts of the whole strip.
 */
static bool prefixes_fit(const struct cs_stored_strip *strip, const uint32_t previous[2])
{
	uint32_t codes = strip->references_before, issued = strip->issued_before;
	for (unsigned group = (strip->n_triangles + CS_STRIP_GROUP - 1) / CS_STRIP_GROUP;
		group < MOST_TRIANGLES / CS_STRIP_GROUP; group++) {
		codes |= strip->n_codes << CS_PREVIOUS_BITS * (group - 1);
		issued |= strip->issued << CS_PREVIOUS_BITS * (group - 1);
	}
	return codes == previous[0] && issued == previous[1];
}

static bool read_strip(struct cs_stored_strip *strip, uint32_t room,
	const struct cs_ue_cluster *cluster, struct cs_model_cluster *row, uint8_t *corners)
{
	bool starts = cs_count_strip(strip) == CS_NONE;
	row->n_starts = strip->n_starts;
	row->n_codes = strip->n_codes;
	return starts && (strip->n_codes * CS_STRIP_CODE_BITS + 7) / 8 <= room &&
	       cs_read_strip(strip, corners) && strip->issued == row->n_vertices &&
	       prefixes_fit(strip, cluster->previous);
}

/* ---- vertices as stored, with quantised values ---- */

struct coded {
	uint32_t position[3], normal[2], color[4], uv[4][2];
};

struct vertex_bits {
	const unsigned char *bytes;
	uint32_t size, at;
};

static uint32_t get_bits(struct vertex_bits *bits, uint32_t n)
{
	const uint32_t at = bits->at;
	bits->at += n;
	return cs_bits_at(bits->bytes, bits->size, at, n);
}

/* Reads the vertices of a 5.3 cluster: two arrays of whole bytes, positions and attributes. */
static bool nanite_decode_read_rows(
	const struct cs_ue_page *page, const struct cs_ue_cluster *cluster, struct coded *ret)
{
	const struct cs_model_cluster *cluster_row = &cluster->row;
	const uint32_t n = cluster_row->n_coded, row = (cs_position_bits(cluster_row) + 7) / 8,
		       attributes = (cluster_row->attribute_bits + 7) / 8;
	if ((uint64_t)cluster->low + (uint64_t)row * n > page->size ||
		(uint64_t)cluster->mid + (uint64_t)attributes * n > page->size)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct vertex_bits bits = {page->bytes + cluster->low + row * (size_t)i, row, 0};
		for (int k = 0; k < 3; k++)
			ret[i].position[k] = get_bits(&bits, cluster_row->position_bits[k]);
		bits = (struct vertex_bits){
			page->bytes + cluster->mid + attributes * (size_t)i, attributes, 0};
		for (int k = 0; k < 2; k++)
			ret[i].normal[k] = get_bits(&bits, cluster->normal_bits);
		bits.at += cluster->tangents ? cluster->tangent_bits + 1 : 0;
		for (int k = 0; k < 4 && cluster_row->color_mode == CS_COLOR_VARIABLE; k++)
			ret[i].color[k] = get_bits(&bits, cluster_row->color_bits[k]);
		for (uint32_t t = 0; t < cluster_row->n_uvs; t++)
			for (int k = 0; k < 2; k++)
				ret[i].uv[t][k] = get_bits(&bits, cluster->uv_width[t][k]);
	}
	return true;
}

/* The three byte planes of a page (low, mid, high) and the position up to which each was read. */
struct planes {
	const struct cs_ue_page *page;
	uint32_t at[3];
	uint32_t count;
};

static uint32_t stream_bytes(uint32_t width)
{
	return (width + 7) / 8;
}

static void skip_stream(struct planes *planes, uint32_t components, uint32_t width)
{
	for (uint32_t b = 0; b < stream_bytes(width); b++)
		planes->at[b] += components * planes->count;
}

/*
 * Reads a stream of `count` vectors of 1 to 4 components. Each value is stored as the zigzag
 * difference from the value before, and the first one as the difference from `start`, or from 0 if
 * `start` is NULL. All components have the same number of bytes, enough for the widest of them and
 * for `stream` bits. The result is the lowest widths[c] bits of component c.
 */
static bool nanite_decode_read_stream(struct planes *planes, uint32_t components, uint32_t stream,
	const uint32_t *widths, const uint32_t *start, uint32_t *out)
{
	const size_t stride = sizeof(struct coded) / sizeof(uint32_t);
	uint32_t previous[4] = {0};
	for (uint32_t c = 0; c < components; c++) {
		stream = widths[c] > stream ? widths[c] : stream;
		previous[c] = start ? start[c] : 0;
	}
	uint32_t bytes = stream_bytes(stream);
	if (bytes > CS_COUNT_OF(planes->at))
		return false;
	for (uint32_t b = 0; b < bytes; b++)
		if ((uint64_t)planes->at[b] + (uint64_t)components * planes->count >
			planes->page->size)
			return false;
	for (uint32_t i = 0; i < planes->count; i++)
		for (uint32_t c = 0; c < components; c++) {
			uint32_t raw = 0;
			for (uint32_t b = 0; b < bytes; b++)
				raw |= (uint32_t)planes->page
					       ->bytes[planes->at[b] + i * components + c]
				       << 8 * b;
			previous[c] += (raw >> 1) ^ (0u - (raw & 1));
			out[i * stride + c] =
				widths[c] ? previous[c] & (uint32_t)((1ull << widths[c]) - 1) : 0;
		}
	skip_stream(planes, components, stream);
	return true;
}

/*
 * Returns whether the streams of a cluster, one in each byte plane, end where the streams of the
 * next cluster begin. The streams of the last cluster must end where the next plane begins.
 */
static bool streams_end(const struct planes *planes, const struct cs_ue_cluster *next, uint32_t end)
{
	const struct cs_ue_page *page = planes->page;
	if (next)
		return planes->at[0] == next->low && planes->at[1] == next->mid &&
		       planes->at[2] == next->high;
	return planes->at[0] == page->clusters[0].mid && planes->at[1] == page->clusters[0].high &&
	       cs_ue_align4(planes->at[2]) == cs_ue_align4(end) && planes->at[2] <= end;
}

static bool read_planes(const struct cs_ue_page *page, uint32_t index, struct coded *ret)
{
	const struct cs_ue_cluster *cluster = &page->clusters[index];
	const struct cs_model_cluster *row = &cluster->row;
	struct planes planes = {page, {cluster->low, cluster->mid, cluster->high}, row->n_coded};
	uint32_t start[3], position[3], color[4];
	const uint32_t normal[2] = {cluster->normal_bits, cluster->normal_bits};
	for (int k = 0; k < 3; k++) {
		position[k] = row->position_bits[k];
		start[k] = position[k] ? 1u << (position[k] - 1) : 0;
	}
	for (int k = 0; k < 4; k++)
		color[k] = row->color_bits[k];
	bool good = nanite_decode_read_stream(&planes, 3, 0, position, start, ret->position) &&
		    nanite_decode_read_stream(&planes, 2, 0, normal, NULL, ret->normal);
	if (good && cluster->tangents)
		skip_stream(&planes, 1, cluster->tangent_bits + 1);
	/* a byte for each component, even if fewer bits are used */
	if (good && row->color_mode == 1)
		good = nanite_decode_read_stream(&planes, 4, 8, color, NULL, ret->color);
	for (uint32_t t = 0; t < row->n_uvs && good; t++)
		good = nanite_decode_read_stream(
			&planes, 2, 0, cluster->uv_width[t], NULL, ret->uv[t]);
	return good &&
	       streams_end(&planes, index + 1 < page->n_clusters ? cluster + 1 : NULL, page->size);
}

/* ---- decoding normals and UVs ---- */

static void decode_normal(const uint32_t code[2], uint32_t n_bits, float ret[3])
{
	double scale = n_bits ? 2.0 / ((1u << n_bits) - 1) : 0;
	double x = code[0] * scale - 1, y = code[1] * scale - 1, z = 1 - fabs(x) - fabs(y);
	double t = z < 0 ? -z : 0;
	x += x < 0 ? t : -t;
	y += y < 0 ? t : -t;
	double length = sqrt(x * x + y * y + z * z);
	ret[0] = (float)(length > 0 ? x / length : 0);
	ret[1] = (float)(length > 0 ? y / length : 0);
	ret[2] = (float)(length > 0 ? z / length : 1);
}

/*
 * Decodes a UV coordinate of 5.3: a minimum plus `code` steps. A code above `gap` also adds the
 * length of a range that no UV of the cluster is in.
 */
static float old_uv(const unsigned char *range, unsigned axis, uint32_t code)
{
	const int32_t least = (int32_t)cs_load32(range + 4 * axis);
	const uint32_t gap = cs_load32(range + 8 + 4 * axis);
	const int32_t precision = (int32_t)cs_load32(range + 24);
	const uint32_t length = code > gap ? cs_load32(range + 16 + 4 * axis) : 0;
	return (float)ldexp((double)code + length + least, -precision);
}

/*
 * Decodes a UV coordinate from 5.4 on. The minimum of the range plus `code` is a sign bit (0:
 * negative, with all other bits inverted) and a float of 19 bits.
 */
static float new_uv(const unsigned char *range, unsigned axis, uint32_t code)
{
	const uint32_t mask = (1u << 19) - 1, sum = (cs_load32(range + 4 * axis) >> 5) + code;
	const bool negative = sum <= mask;
	const float f = cs_float_of_bits(0x3f000000u + (((negative ? ~sum : sum) & mask) << 9));
	const float u = fminf(2 * f - 1, f);
	return negative ? -u : u;
}

static void store_uvs(struct cs_model *model, size_t row, const struct cs_ue_page *page,
	const struct cs_ue_cluster *cluster, const struct coded *from, bool streams)
{
	const uint32_t size = cs_ue_uv_range_bytes(streams);
	const unsigned char *ranges = page->bytes + page->gpu + cluster->decode_offset;
	for (uint32_t t = 0; t < cluster->row.n_uvs; t++)
		for (unsigned axis = 0; axis < 2; axis++)
			model->vertex_uvs[t][2 * row + axis] = (streams ? new_uv : old_uv)(
				ranges + size * (size_t)t, axis, from->uv[t][axis]);
}

static void store_vertex(struct cs_model *model, size_t row, const struct cs_ue_cluster *cluster,
	const struct coded *from, bool streams)
{
	const struct cs_model_cluster *of = &cluster->row;
	const bool white = !streams && of->color_mode == CS_COLOR_WHITE;
	for (int k = 0; k < 3; k++)
		model->positions[3 * row + (size_t)k] =
			(float)(((double)of->start[k] + from->position[k]) * of->grid_step);
	decode_normal(from->normal, cluster->normal_bits, model->normals + 3 * row);
	for (size_t k = 0; k < 4; k++)
		model->vertex_colors[4 * row + k] =
			(uint8_t)(white ? 255 : of->color_min[k] + from->color[k]);
}

/* ---- vertices that refer to other clusters ---- */

static bool is_reference(const struct cs_ue_page *page, uint32_t cluster, uint32_t vertex)
{
	const unsigned char *mask = page->bytes + page->masks + CS_REFERENCE_MASK * (size_t)cluster;
	return mask[vertex / 8] >> vertex % 8 & 1;
}

/* Returns the number of the n-th vertex that is not stored as a reference, or CS_NONE. */
static uint32_t coded_vertex(const struct cs_ue_page *page, uint32_t cluster, uint32_t n)
{
	for (uint32_t v = 0; v < page->clusters[cluster].row.n_vertices; v++)
		if (!is_reference(page, cluster, v) && n-- == 0)
			return v;
	return CS_NONE;
}

/*
 * Returns the page that a reference names: `page` itself if `ordinal` is 0, else the dependency of
 * `page` with the number `ordinal`, counted from 1.
 */
static uint32_t source_page(
	const struct decoder *decoder, const struct cs_ue_page *page, uint32_t ordinal)
{
	const struct cs_nanite_page_state *state = &decoder->nanite->states[page->page];
	if (ordinal == 0)
		return page->page;
	if (ordinal > state->n_dependencies)
		return CS_NONE;
	return decoder->nanite->dependencies[state->first_dependency + ordinal - 1];
}

/*
 * Returns the row in the model of the vertex to which reference k of a cluster refers. That vertex
 * was decoded before. Returns SIZE_MAX for a bad reference. From 5.4 on the file stores each vertex
 * number as a difference from that of the reference before: *delta must contain the number of
 * reference k - 1, or 0 for the first one, and receives the number of reference k.
 */
static size_t nanite_decode_source_row(const struct decoder *decoder, const struct cs_ue_page *page,
	uint32_t cluster, uint32_t k, uint8_t *delta)
{
	const struct cs_ue_cluster *ue_cluster = &page->clusters[cluster];
	bool old = decoder->nanite->version == CS_UE_NANITE_5_3;
	uint64_t first = (uint64_t)ue_cluster->references + k;
	if (first + page->total_references >= page->size)
		return SIZE_MAX;
	uint32_t map = page->bytes[first];
	uint8_t s = page->bytes[first + page->total_references];
	uint64_t entry = (uint64_t)ue_cluster->map + 4 * (uint64_t)map;
	if (entry + 4 > page->masks)
		return SIZE_MAX;
	*delta = old ? s : (uint8_t)(*delta + ((s >> 1) ^ (0u - (s & 1u))));
	uint32_t word = cs_load32(page->bytes + entry);
	uint32_t source = word & 255, from = source_page(decoder, page, word >> 8 & 255),
		 vertex = *delta;
	if (from == CS_NONE || from > page->page || source >= decoder->pages[from].n_clusters)
		return SIZE_MAX;
	if (from == page->page && source > cluster)
		return SIZE_MAX;
	if (old && from == page->page)
		vertex = coded_vertex(page, source, vertex);
	const struct cs_model_cluster *row =
		&decoder->model->clusters[decoder->model->pages[from].first_cluster + source];
	return vertex < row->n_vertices ? row->first_vertex + (size_t)vertex : SIZE_MAX;
}

static struct cs_error *store_vertices(struct decoder *decoder, const struct cs_ue_page *page,
	uint32_t cluster, const struct coded *coded)
{
	const struct cs_ue_cluster *ue_cluster = &page->clusters[cluster];
	struct cs_model *model = decoder->model;
	size_t first =
		model->clusters[model->pages[page->page].first_cluster + cluster].first_vertex;
	const bool streams = cs_ue_nanite_layouts[decoder->nanite->version].streams;
	uint32_t next = 0, k = 0;
	uint8_t delta = 0;
	for (uint32_t v = 0; v < ue_cluster->row.n_vertices; v++) {
		if (is_reference(page, cluster, v)) {
			k++;
		} else if (next < ue_cluster->row.n_coded) {
			store_vertex(model, first + v, ue_cluster, &coded[next], streams);
			store_uvs(model, first + v, page, ue_cluster, &coded[next++], streams);
		}
	}
	if (k != ue_cluster->n_references || next != ue_cluster->row.n_coded)
		return nanite_decode_broken(page, cluster,
			"the reference mask does not have as many bits set as the cluster has "
			"references");
	k = 0;
	for (uint32_t v = 0; v < ue_cluster->row.n_vertices; v++) {
		if (!is_reference(page, cluster, v))
			continue;
		size_t row = nanite_decode_source_row(decoder, page, cluster, k++, &delta);
		if (row == SIZE_MAX)
			return nanite_decode_broken(
				page, cluster, "a vertex refers to a vertex that does not exist");
		memcpy(model->positions + 3 * (first + v), model->positions + 3 * row,
			3 * sizeof(float));
		memcpy(model->normals + 3 * (first + v), model->normals + 3 * row,
			3 * sizeof(float));
		memcpy(model->vertex_colors + 4 * (first + v), model->vertex_colors + 4 * row, 4);
		for (uint32_t t = 0; t < ue_cluster->row.n_uvs; t++)
			memcpy(model->vertex_uvs[t] + 2 * (first + v),
				model->vertex_uvs[t] + 2 * row, 2 * sizeof(float));
	}
	return NULL;
}

/* ---- decoding clusters and pages ---- */

static struct cs_error *decode_cluster(
	struct decoder *decoder, struct cs_ue_page *page, uint32_t cluster)
{
	struct cs_ue_cluster *ue_cluster = &page->clusters[cluster];
	struct cs_model_cluster *row =
		&decoder->model
			 ->clusters[decoder->model->pages[page->page].first_cluster + cluster];
	struct coded coded[MOST_VERTICES] = {0};
	uint32_t end = cluster + 1 < page->n_clusters ? ue_cluster[1].index_data : page->strips;
	if (ue_cluster->index_data < page->index || ue_cluster->index_data > end ||
		end > page->strips)
		return nanite_decode_broken(page, cluster,
			"the strip codes of the cluster are outside of the section of the page");
	struct cs_stored_strip strip = {
		.masks = page->bytes + page->strips + CS_STRIP_MASKS * (size_t)cluster,
		.codes = page->bytes + ue_cluster->index_data,
		.n_triangles = row->n_triangles};
	if (!read_strip(&strip, end - ue_cluster->index_data, ue_cluster, row,
		    decoder->model->corners + 3 * (size_t)row->first_triangle))
		return nanite_decode_broken(
			page, cluster, "the triangle strip of the cluster cannot be decoded");
	uint32_t bytes = (strip.n_codes * CS_STRIP_CODE_BITS + 7) / 8;
	if (cs_ue_align4(ue_cluster->index_data + bytes) != end)
		return nanite_decode_broken(page, cluster,
			"the strip codes of the cluster do not end where the next section begins");
	bool streams = cs_ue_nanite_layouts[decoder->nanite->version].streams;
	if (!(streams ? read_planes(page, cluster, coded)
		      : nanite_decode_read_rows(page, ue_cluster, coded)))
		return nanite_decode_broken(page, cluster,
			"the vertices of the cluster do not end where the next section begins");
	return store_vertices(decoder, page, cluster, coded);
}

static void copy_page(
	const struct decoder *decoder, const struct cs_ue_page *page, struct cs_model_page *to)
{
	const struct cs_nanite_page_state *state = &decoder->nanite->states[page->page];
	to->offset = page->file_offset;
	to->disk_bytes = state->bulk_size;
	to->chunk_bytes = page->chunk_bytes;
	to->stored_bytes = to->page_bytes = page->size;
	to->gpu_bytes = page->gpu_bytes;
	to->root = page->page < decoder->nanite->n_root_pages;
	to->gpu_limit = to->root ? ROOT_GPU_LIMIT : GPU_LIMIT;
	to->n_clusters = page->n_clusters;
	to->references = page->total_references;
}

/*
 * Adds the material ranges of a cluster. The word `materials` has two forms. The fast form contains
 * up to three ranges. The slow form refers to consecutive entries of the page's material table.
 */
static void add_materials(
	struct cs_model *model, uint32_t row, const struct cs_ue_page *page, uint32_t i)
{
	uint32_t word = page->clusters[i].materials, n = page->clusters[i].row.n_triangles;
	struct cs_model_cluster *cluster = &model->clusters[row];
	cluster->first_material = (uint32_t)model->n_materials;
	if (word >= 0xfe000000) { /* slow form, for many ranges: entries of the material table */
		uint64_t at = page->gpu + 4 * (uint64_t)(word & 0x7ffff);
		uint32_t count = (word >> 19 & 63) + 1;
		for (uint32_t k = 0; k < count && at + 4 <= page->index; k++, at += 4) {
			uint32_t e = cs_load32(page->bytes + at);
			model->materials[model->n_materials++] = (struct cs_model_material){
				row, e & 255, e >> 8 & 255, e >> 16 & 63};
			cluster->n_materials++;
		}
		return;
	}
	/* fast form: from bit 0, three material indices of 6 bits, then lengths of two ranges */
	uint32_t lengths[3] = {(word >> 18 & 127) + 1, word >> 25, 0}, from = 0;
	if (lengths[0] + lengths[1] < n)
		lengths[2] = n - lengths[0] - lengths[1];
	for (uint32_t k = 0; k < 3 && from < n; k++) {
		if (lengths[k] == 0)
			continue;
		model->materials[model->n_materials++] =
			(struct cs_model_material){row, from, lengths[k], word >> 6 * k & 63};
		cluster->n_materials++;
		from += lengths[k];
	}
}

static bool allocate_model(struct decoder *decoder)
{
	struct cs_model *model = decoder->model;
	size_t vertices = 0, triangles = 0, clusters = 0;
	uint32_t uvs = 0;
	for (uint32_t p = 0; p < decoder->nanite->n_states; p++)
		for (uint32_t i = 0; i < decoder->pages[p].n_clusters; i++, clusters++) {
			const struct cs_model_cluster *row = &decoder->pages[p].clusters[i].row;
			uvs = row->n_uvs > uvs ? row->n_uvs : uvs;
			vertices += row->n_vertices;
			triangles += row->n_triangles;
		}
	model->n_pages = decoder->nanite->n_states;
	model->n_clusters = clusters;
	model->n_vertices = vertices;
	model->n_triangles = triangles;
	for (uint32_t t = 0; t < uvs; t++)
		if (!cs_model_allocate(&model->vertex_uvs[t], vertices, 2 * sizeof(float)))
			return false;
	return cs_model_allocate(&model->pages, model->n_pages, sizeof(*model->pages)) &&
	       cs_model_allocate(&model->clusters, clusters, sizeof(*model->clusters)) &&
	       cs_model_allocate(&model->sections, 1, sizeof(*model->sections)) &&
	       cs_model_allocate(&model->references, 1, sizeof(*model->references)) &&
	       cs_model_allocate(&model->materials, 64 * clusters, sizeof(*model->materials)) &&
	       cs_model_allocate(&model->positions, vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&model->normals, vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&model->vertex_colors, vertices, 4) &&
	       cs_model_allocate(&model->corners, triangles, 3);
}

/* Numbers clusters, vertices and triangles of all pages consecutively, as rows of the model. */
static void lay_out(struct decoder *decoder)
{
	struct cs_model *model = decoder->model;
	uint32_t cluster = 0, vertex = 0, triangle = 0;
	for (uint32_t p = 0; p < model->n_pages; p++) {
		struct cs_model_page *page = &model->pages[p];
		copy_page(decoder, &decoder->pages[p], page);
		page->first_cluster = cluster;
		for (uint32_t i = 0; i < page->n_clusters; i++, cluster++) {
			struct cs_model_cluster *model_cluster = &model->clusters[cluster];
			*model_cluster = decoder->pages[p].clusters[i].row;
			model_cluster->first_vertex = vertex;
			model_cluster->first_triangle = triangle;
			vertex += model_cluster->n_vertices;
			triangle += model_cluster->n_triangles;
			page->vertices += model_cluster->n_vertices;
			page->triangles += model_cluster->n_triangles;
			model->n_uvs = model_cluster->n_uvs > model->n_uvs ? model_cluster->n_uvs
									   : model->n_uvs;
			add_materials(model, cluster, &decoder->pages[p], i);
		}
	}
}

static struct cs_error *decode_pages(struct decoder *decoder)
{
	struct cs_error *error = NULL;
	for (uint32_t p = 0; p < decoder->nanite->n_states && !error; p++)
		error = cs_ue_page_open(decoder->nanite, p, &decoder->pages[p]);
	if (!error && !allocate_model(decoder))
		error = cs_error_nomem();
	if (error)
		return error;
	lay_out(decoder);
	for (uint32_t p = 0; p < decoder->model->n_pages && !error; p++)
		for (uint32_t i = 0; i < decoder->pages[p].n_clusters && !error; i++)
			error = decode_cluster(decoder, &decoder->pages[p], i);
	return error;
}

static void nanite_decode_measure(struct cs_model *model)
{
	for (size_t i = 0; i < 3; i++) {
		model->min[i] = INFINITY;
		model->max[i] = -INFINITY;
	}
	for (size_t i = 0; i < 3 * model->n_vertices; i++) {
		model->min[i % 3] = fminf(model->min[i % 3], model->positions[i]);
		model->max[i % 3] = fmaxf(model->max[i % 3], model->positions[i]);
	}
	for (size_t i = 0; i < 4 * model->n_vertices && !model->colors; i++)
		model->colors = model->vertex_colors[i] != 255;
}

static struct cs_error *nanite_decode_describe(const struct cs_ue_nanite *nanite, const char *name,
	const char *path, struct cs_model *model)
{
	model->name = strdup(name);
	model->path = strdup(path);
	model->source = strdup("");
	model->writer = cs_ue_nanite_layouts[nanite->version].writer;
	model->file_bytes = nanite->root_size + nanite->bulk_size;
	model->engine_space = true;
	model->position_precision = nanite->position_precision;
	model->input_triangles = nanite->input_triangles;
	model->input_vertices = nanite->input_vertices;
	model->n_root_pages = nanite->n_root_pages;
	model->node_slots = CS_UE_NODE_SLOTS;
	model->cluster_bytes = 16 * cs_ue_nanite_layouts[nanite->version].f4;
	model->uv_range_bytes = cs_ue_uv_range_bytes(cs_ue_nanite_layouts[nanite->version].streams);
	return model->name && model->path && model->source ? NULL : cs_error_nomem();
}

struct cs_error *cs_ue_nanite_model(const struct cs_ue_nanite *nanite, const char *name,
	const char *path, struct cs_model **ret)
{
	struct decoder decoder = {.nanite = nanite,
		.model = calloc(1, sizeof(*decoder.model)),
		.pages = calloc((size_t)nanite->n_states + 1, sizeof(*decoder.pages))};
	struct cs_error *error = decoder.model && decoder.pages
					 ? nanite_decode_describe(nanite, name, path, decoder.model)
					 : cs_error_nomem();
	if (!error)
		error = decode_pages(&decoder);
	if (!error) {
		nanite_decode_measure(decoder.model);
		error = cs_ue_nanite_link(nanite, decoder.model);
	}
	if (!error)
		error = cs_model_finish(decoder.model);
	for (uint32_t i = 0; decoder.pages && i < nanite->n_states; i++)
		cs_ue_page_close(&decoder.pages[i]);
	free(decoder.pages);
	if (error && decoder.model)
		cs_model_free(decoder.model);
	else if (!error)
		*ret = decoder.model;
	return error;
}
