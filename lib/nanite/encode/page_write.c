/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the bytes of one page, section by section (nanite/format/format.h). All sizes are known
 * before the first byte is written, so every section is written at its final offset.
 */
#include "nanite/encode/page.h"

#include "nanite/format/bits.h"
#include "nanite/format/dense.h"

#include "core/cursor.h"

struct cs_page_layout cs_page_lay_out(
	const struct cs_encoder *encoder, uint32_t index, const struct cs_references *s)
{
	const struct cs_coded_page *page = &encoder->pages[index];
	uint32_t n = page->n_clusters, codes = 0, references = 0, positions = 0, attributes = 0;
	for (uint32_t p = 0; p < page->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[page->first_part + p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const struct cs_coded_cluster *cluster = cs_part_cluster(encoder, part, i);
			uint32_t coded = s->n_coded[part->page_offset + i];
			codes += cluster->n_code_bytes;
			references += cluster->n_vertices - coded;
			positions += cs_coded_bytes(coded, cs_vertex_bits(cluster, false));
			attributes += cs_coded_bytes(coded, cs_vertex_bits(cluster, true));
		}
	}
	struct cs_page_layout at = {.planes = CS_PAGE_HEADER + CS_CLUSTER_HEADER * n};
	at.materials = at.planes + CS_PACKED_CLUSTER * n;
	at.decode_info = at.materials + cs_align(page->gpu.materials, 16);
	at.codes = at.decode_info + page->gpu.decode_info;
	at.masks = cs_align(at.codes + codes, 4);
	at.reference_masks = at.masks + CS_STRIP_MASKS * n;
	at.references = at.reference_masks + CS_REFERENCE_MASK * n;
	at.positions = at.references + 4 * references;
	at.attributes = at.positions + positions;
	at.end = at.attributes + attributes;
	return at;
}

/* Computes the offsets of the sections in the GPU page. Writing a cluster advances them. */
static struct cs_page_sizes gpu_offsets(const struct cs_page_sizes *total)
{
	struct cs_page_sizes at = {.materials = total->cluster};
	at.decode_info = at.materials + cs_align(total->materials, 16);
	at.index = at.decode_info + total->decode_info;
	at.position = at.index + total->index;
	at.attribute = at.position + total->position;
	return at;
}

static uint32_t fast_materials(const struct cs_coded_cluster *cluster)
{
	uint32_t word = 0;
	for (unsigned i = 0; i < cluster->n_ranges; i++)
		word |= (uint32_t)cluster->ranges[i].material << CS_MATERIAL_INDEX_BITS * i;
	word |= (cluster->ranges[0].count - 1u) << CS_MATERIAL_LENGTH_0;
	if (cluster->n_ranges > 1)
		word |= (uint32_t)cluster->ranges[1].count << CS_MATERIAL_LENGTH_1;
	return word;
}

/*
 * Returns the material word of a cluster. If its ranges don't fit into the word, writes them to
 * `table`, which is at `offset` in the GPU page.
 */
static uint32_t pack_materials(
	const struct cs_coded_cluster *cluster, unsigned char *table, uint32_t offset)
{
	if (cluster->n_ranges <= CS_FAST_MATERIALS)
		return fast_materials(cluster);
	for (unsigned i = 0; i < cluster->n_ranges; i++) {
		const struct cs_material_range *range = &cluster->ranges[i];
		cs_store32(table + 4 * i, range->first | (uint32_t)range->count << CS_ENTRY_LENGTH |
						  (uint32_t)range->material << CS_ENTRY_MATERIAL);
	}
	return CS_MATERIAL_SLOW | (cluster->n_ranges - 1u) << CS_MATERIAL_COUNT | offset / 4;
}

static void pack_geometry(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	struct cs_packed_cluster *ret)
{
	const struct cs_cluster *source = cs_encode_source(encoder, cluster);
	const float lod[4] = {source->lod_bounds.x, source->lod_bounds.y, source->lod_bounds.z,
		source->lod_bounds.radius};
	float centre[3], extent[3];
	cs_encode_box(encoder, cluster->low, cluster->high, centre, extent);
	for (unsigned axis = 0; axis < 3; axis++) {
		cs_packed_set(ret, CS_PACKED_START_X + axis, (uint32_t)cluster->low[axis]);
		cs_packed_set_float(ret, CS_PACKED_GRID_STEP_X + axis, encoder->step);
		cs_packed_set(ret, CS_PACKED_POSITION_BITS_X + axis, cluster->position_bits[axis]);
		cs_packed_set_float(ret, CS_PACKED_BOX_CENTRE_X + axis, centre[axis]);
		cs_packed_set_float(ret, CS_PACKED_BOX_EXTENT_X + axis, extent[axis]);
	}
	for (unsigned i = 0; i < 4; i++)
		cs_packed_set_float(ret, CS_PACKED_LOD_X + i, lod[i]);
	cs_packed_set(ret, CS_PACKED_LOD_ERROR, cs_encode_error_half(encoder, source->lod_error));
	cs_packed_set(ret, CS_PACKED_EDGE_LENGTH, cluster->edge_length);
}

static void pack_attributes(const struct cs_encoder *encoder,
	const struct cs_coded_cluster *cluster, struct cs_packed_cluster *ret)
{
	uint32_t uv_bits = 0, color_min = 0, color_bits = 0;
	for (unsigned a = 0; a < encoder->dag->n_uvs * 2; a++)
		uv_bits |= cluster->uvs[a / 2].axes[a % 2].bits << 4 * a;
	for (unsigned i = 0; i < 4; i++) {
		color_min |= (uint32_t)cluster->color_min[i] << 8 * i;
		color_bits |= (uint32_t)cluster->color_bits[i] << 4 * i;
	}
	cs_packed_set(ret, CS_PACKED_ATTRIBUTE_BITS, cluster->attribute_bits);
	cs_packed_set(ret, CS_PACKED_UVS, encoder->dag->n_uvs);
	cs_packed_set(ret, CS_PACKED_UV_BITS, uv_bits);
	cs_packed_set(ret, CS_PACKED_COLOR_MODE, cluster->color_mode);
	cs_packed_set(ret, CS_PACKED_COLOR_MIN, color_min);
	cs_packed_set(ret, CS_PACKED_COLOR_BITS, color_bits);
}

static void pack_cluster(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	uint32_t page, const struct cs_page_sizes *gpu, struct cs_packed_cluster *ret)
{
	bool leaf = !cs_made_within(encoder, cluster, page);
	cs_packed_set(ret, CS_PACKED_VERTICES, cluster->n_vertices);
	cs_packed_set(ret, CS_PACKED_TRIANGLES, cluster->n_triangles);
	cs_packed_set(ret, CS_PACKED_INDEX_BITS, cs_bits_for(cluster->n_vertices));
	cs_packed_set(ret, CS_PACKED_POSITION_OFFSET, gpu->position);
	cs_packed_set(ret, CS_PACKED_INDEX_OFFSET, gpu->index);
	cs_packed_set(ret, CS_PACKED_ATTRIBUTE_OFFSET, gpu->attribute);
	cs_packed_set(ret, CS_PACKED_DECODE_INFO_OFFSET, gpu->decode_info);
	cs_packed_set(ret, CS_PACKED_FLAGS, leaf ? CS_CLUSTER_LEAF : 0);
	cs_packed_set(ret, CS_PACKED_GROUP, cs_encode_source(encoder, cluster)->group);
	pack_geometry(encoder, cluster, ret);
	pack_attributes(encoder, cluster, ret);
}

/* Writes all words of cluster i of n clusters into the planes. Word w is in plane w / 4. */
static void write_planes(
	unsigned char *planes, uint32_t n, uint32_t i, const struct cs_packed_cluster *cluster)
{
	for (unsigned word = 0; word < CS_PACKED_CLUSTER / 4; word++)
		cs_store32(planes + ((size_t)(word / 4) * n + i) * CS_PACKED_PLANE + word % 4 * 4,
			cluster->words[word]);
}

static void write_uv_ranges(
	unsigned char *at, const struct cs_coded_cluster *cluster, unsigned n_uvs)
{
	for (unsigned uv = 0; uv < n_uvs; uv++, at += CS_UV_RANGE)
		for (unsigned a = 0; a < 2; a++) {
			const struct cs_uv_axis *axis = &cluster->uvs[uv].axes[a];
			cs_store32(at + 4 * a, cs_bits_of_float(axis->min));
			cs_store32(at + 8 + 4 * a, cs_bits_of_float(axis->scale));
			cs_store32(at + 16 + 4 * a, (uint32_t)axis->gap_start);
			cs_store32(at + 24 + 4 * a, (uint32_t)axis->gap_length);
		}
}

static void write_position(const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster,
	unsigned v, struct cs_bit_writer *bits)
{
	int32_t position[3];
	cs_encode_position(encoder, cluster->vertices[v], position);
	for (unsigned axis = 0; axis < 3; axis++)
		cs_bits_put(bits, (uint32_t)position[axis] - (uint32_t)cluster->low[axis],
			cluster->position_bits[axis]);
	cs_bits_flush(bits);
}

static void write_attributes(const struct cs_encoder *encoder,
	const struct cs_coded_cluster *cluster, unsigned v, struct cs_bit_writer *bits)
{
	const struct cs_dag *dag = encoder->dag;
	uint32_t vertex = cluster->vertices[v];
	cs_bits_put(bits, cluster->normals[v], 2 * CS_NORMAL_BITS);
	for (unsigned i = 0; i < 4 && cluster->color_mode == CS_COLOR_VARIABLE; i++)
		cs_bits_put(bits, dag->colors[(size_t)vertex * 4 + i] - cluster->color_min[i],
			cluster->color_bits[i]);
	const uint16_t *codes = cluster->uv_codes + (size_t)v * dag->n_uvs * 2;
	for (unsigned a = 0; a < dag->n_uvs * 2; a++)
		cs_bits_put(bits, codes[a], cluster->uvs[a / 2].axes[a % 2].bits);
	cs_bits_flush(bits);
}

/* Writes reference r of the n references of cluster i, one byte into each of four planes. */
static void write_reference(
	unsigned char *planes, uint32_t n, uint32_t r, uint32_t i, uint32_t target)
{
	const uint32_t back = i - (target >> CS_REFERENCE_CLUSTER);
	const uint32_t word = back << CS_REFERENCE_CLUSTER | (target & 255);
	for (uint32_t k = 0; k < 4; k++)
		planes[(size_t)k * n + r] = (unsigned char)(word >> 8 * k);
}

/* Writes references, positions and attributes of cluster i, and advances `at` past them. */
static void write_vertices(const struct cs_encoder *encoder, unsigned char *page,
	const struct cs_coded_cluster *cluster, uint32_t i, const uint32_t *target,
	struct cs_page_layout *at)
{
	struct cs_bit_writer positions = {.bytes = page + at->positions};
	struct cs_bit_writer attributes = {.bytes = page + at->attributes};
	unsigned char *mask = page + at->reference_masks + (size_t)CS_REFERENCE_MASK * i;
	uint32_t n = 0, r = 0; /* number of references, and the index of the next one */
	for (unsigned v = 0; v < cluster->n_vertices; v++)
		n += target[v] != CS_NONE;
	for (unsigned v = 0; v < cluster->n_vertices; v++) {
		if (target[v] == CS_NONE) {
			write_position(encoder, cluster, v, &positions);
			write_attributes(encoder, cluster, v, &attributes);
			continue;
		}
		mask[v / 8] |= (unsigned char)(1u << v % 8);
		write_reference(page + at->references, n, r++, i, target[v]);
	}
	at->references += 4 * n;
	at->positions += cs_align((uint32_t)positions.size, 4);
	at->attributes += cs_align((uint32_t)attributes.size, 4);
}

static void write_strip(unsigned char *page, const struct cs_coded_cluster *cluster, uint32_t i,
	struct cs_page_layout *at)
{
	unsigned char *masks = page + at->masks + (size_t)CS_STRIP_MASKS * i;
	memcpy(page + at->codes, cluster->codes, cluster->n_code_bytes);
	at->codes += cluster->n_code_bytes;
	for (unsigned w = 0; w < CS_STRIP_WORDS * CS_STRIP_MASK_KINDS; w++)
		cs_store32(masks + 4 * w,
			cluster->masks[w / CS_STRIP_MASK_KINDS][w % CS_STRIP_MASK_KINDS]);
}

static void write_cluster_header(unsigned char *page, uint32_t i, const struct cs_page_layout *at,
	const struct cs_coded_cluster *cluster)
{
	unsigned char *header = page + CS_PAGE_HEADER + (size_t)CS_CLUSTER_HEADER * i;
	cs_store32(header + 4 * CS_CLUSTER_INDEX_DATA, at->codes);
	cs_store32(header + 4 * CS_CLUSTER_REFERENCES, at->references);
	cs_store32(header + 4 * CS_CLUSTER_POSITIONS, at->positions);
	cs_store32(header + 4 * CS_CLUSTER_ATTRIBUTES, at->attributes);
	cs_store32(header + 4 * CS_CLUSTER_PREVIOUS_REFERENCES, cluster->previous_references);
	cs_store32(header + 4 * CS_CLUSTER_PREVIOUS_NEW, cluster->previous_new);
}

static void write_page_header(const struct cs_encoder *encoder, const struct cs_coded_page *from,
	const struct cs_page_layout *at, unsigned char *page)
{
	uint32_t raw = CS_PACKED_CLUSTER * from->n_clusters + from->gpu.decode_info +
		       cs_align(from->gpu.materials, 16);
	cs_store32(page + 4 * CS_PAGE_GPU_SIZE, cs_page_sizes_total(&from->gpu));
	cs_store32(page + 4 * CS_PAGE_N_CLUSTERS, from->n_clusters);
	cs_store32(page + 4 * CS_PAGE_RAW_FLOAT4S, raw / 16);
	cs_store32(page + 4 * CS_PAGE_UVS, encoder->dag->n_uvs);
	cs_store32(page + 4 * CS_PAGE_DECODE_INFO, at->decode_info);
	cs_store32(page + 4 * CS_PAGE_STRIP_MASKS, at->masks);
	cs_store32(page + 4 * CS_PAGE_REFERENCE_MASKS, at->reference_masks);
}

static void write_page_cluster(const struct cs_encoder *encoder, unsigned char *page,
	uint32_t index, const struct cs_coded_cluster *cluster, uint32_t i, const uint32_t *target,
	struct cs_page_layout *at, struct cs_page_sizes *gpu)
{
	struct cs_packed_cluster packed = {{0}};
	pack_cluster(encoder, cluster, index, gpu, &packed);
	cs_packed_set(&packed, CS_PACKED_MATERIALS,
		pack_materials(cluster, page + at->materials, gpu->materials));
	write_planes(page + at->planes, encoder->pages[index].n_clusters, i, &packed);
	write_uv_ranges(page + at->decode_info, cluster, encoder->dag->n_uvs);
	write_cluster_header(page, i, at, cluster);
	write_strip(page, cluster, i, at);
	write_vertices(encoder, page, cluster, i, target, at);
	at->materials += cluster->gpu.materials;
	at->decode_info += cluster->gpu.decode_info;
	gpu->materials += cluster->gpu.materials;
	gpu->decode_info += cluster->gpu.decode_info;
	gpu->index += cluster->gpu.index;
	gpu->position += cluster->gpu.position;
	gpu->attribute += cluster->gpu.attribute;
}

void cs_page_write(const struct cs_encoder *encoder, uint32_t index,
	const struct cs_page_layout *from, const struct cs_references *references,
	unsigned char *page)
{
	const struct cs_coded_page *coded = &encoder->pages[index];
	struct cs_page_sizes gpu = gpu_offsets(&coded->gpu);
	struct cs_page_layout at = *from;
	const uint32_t *target = references->target;
	write_page_header(encoder, coded, from, page);
	for (uint32_t p = 0; p < coded->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[coded->first_part + p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const struct cs_coded_cluster *cluster = cs_part_cluster(encoder, part, i);
			write_page_cluster(encoder, page, index, cluster, part->page_offset + i,
				target, &at, &gpu);
			target += cluster->n_vertices;
		}
	}
}

/* ---- the dense form of a page (nanite/format/dense.h) ---- */

/* Writes word w of the structs of `n` clusters as four planes of bytes. */
static void write_word(const struct cs_dense_section *section, uint32_t n, uint32_t w,
	const unsigned char *page, unsigned char *to)
{
	const unsigned char *word = page + section->begin + (size_t)4 * w;
	unsigned char *plane = to + section->begin + (size_t)4 * n * w;
	const uint32_t kept = section->differences >> w & 1 ? UINT32_MAX : 0;
	uint32_t before = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t value = cs_load32(word + (size_t)4 * section->n_words * i);
		const uint32_t stored = value - (before & kept);
		for (unsigned k = 0; k < 4; k++)
			plane[(size_t)k * n + i] = (unsigned char)(stored >> 8 * k);
		before = value;
	}
}

/* Appends `width` bits of each of `n` vertices, which are padded to bytes in the page. */
static void put_dense_vertices(
	struct cs_bit_writer *bits, const unsigned char *from, uint32_t n, uint32_t width)
{
	const uint32_t stride = (width + 7) / 8;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t done = 0; done < width; done += 32) {
			const uint32_t left = width - done;
			cs_bits_put(bits,
				cs_load32(from + (size_t)stride * v + done / 8) &
					cs_bits_mask(left),
				left < 32 ? left : 32);
		}
}

/* Writes the positions or the attributes of all clusters. Returns the number of bytes written. */
static uint32_t put_dense_clusters(const struct cs_encoder *encoder, uint32_t index,
	const struct cs_references *references, bool attributes, const unsigned char *from,
	unsigned char *to)
{
	const struct cs_coded_page *page = &encoder->pages[index];
	struct cs_bit_writer bits = {.bytes = to};
	for (uint32_t p = 0; p < page->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[page->first_part + p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const uint32_t n = references->n_coded[part->page_offset + i];
			const uint32_t width =
				cs_vertex_bits(cs_part_cluster(encoder, part, i), attributes);
			put_dense_vertices(&bits, from, n, width);
			from += cs_coded_bytes(n, width);
		}
	}
	cs_bits_flush(&bits);
	return (uint32_t)bits.size;
}

uint32_t cs_page_write_dense(const struct cs_encoder *encoder, uint32_t index,
	const struct cs_page_layout *layout, const struct cs_references *references,
	const unsigned char *page, unsigned char *to)
{
	const uint32_t n = encoder->pages[index].n_clusters;
	struct cs_dense_section sections[CS_DENSE_SECTIONS];
	cs_dense_sections(n, encoder->dag->n_uvs, layout->decode_info, layout->masks, sections);
	memcpy(to, page, layout->positions);
	for (unsigned s = 0; s < CS_DENSE_SECTIONS; s++)
		for (uint32_t w = 0; w < sections[s].n_words; w++)
			write_word(&sections[s], n, w, page, to);
	uint32_t end = layout->positions;
	end += put_dense_clusters(
		encoder, index, references, false, page + layout->positions, to + end);
	end += put_dense_clusters(
		encoder, index, references, true, page + layout->attributes, to + end);
	return end;
}
