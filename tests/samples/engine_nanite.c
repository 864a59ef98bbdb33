/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the pages of the mesh of engine_nanite.h (nanite-versions rules 4 to 5.5): sections one
 * behind the other, and before them fixups, by part or from 5.7 on by group.
 */
#include "tests/samples/engine_nanite.h"
#include "tests/make/writes.h"

#include "core/half.h"

#include <string.h>

enum { NORMAL_BITS = 8, TANGENT_BITS = 7, PRECISION = 4 };

static const uint8_t color_min[4] = {10, 20, 30, 255}, color_bits[4] = {3, 4, 0, 2};
static const uint32_t of_page[ENGINE_PAGES][3] =
	{/* first cluster, how many, groups that end here */
		{0, 4, 1 << 3 | 1 << 2}, {4, 1, 1 << 0}, {5, 2, 1 << 1}};

static bool has_streams(const struct engine_mesh *mesh)
{
	return mesh->version >= CS_UE_NANITE_5_4;
}

static bool has_groups(const struct engine_mesh *mesh)
{
	return mesh->version >= CS_UE_NANITE_5_7;
}

static void append(struct cs_writer *to, struct cs_writer *from)
{
	cs_writer_bytes(to, from->bytes, from->size);
	to->failed |= from->failed;
	cs_writer_deinit(from);
}

/* ---- pages of groups ---- */

void engine_group_pages(uint32_t group, uint32_t *first_ret, uint32_t *n_ret)
{
	*first_ret = UINT32_MAX;
	*n_ret = 0;
	for (int i = 0; i < ENGINE_PARTS; i++)
		if (engine_parts[i].group == group) {
			*first_ret = *first_ret < engine_parts[i].page ? *first_ret
								       : engine_parts[i].page;
			++*n_ret;
		}
}

/*
 * Returns number and start of the pages of a group in one word, as wide as the version has it,
 * without root pages.
 */
uint32_t engine_group_range(const struct engine_mesh *mesh, uint32_t group)
{
	uint32_t first, n;
	engine_group_pages(group, &first, &n);
	if (first == 0)
		first = --n > 0;
	return n | first << (mesh->version >= CS_UE_NANITE_5_5 ? 5 : 3);
}

/* Returns the same for 5.7 and later, where root pages count. */
uint32_t engine_group_key(uint32_t group)
{
	uint32_t first, n;
	engine_group_pages(group, &first, &n);
	return n | first << 5 | (uint32_t)(first + n > 1) << 30;
}

/* ---- fixups ---- */

static void put_part_fixups(
	const struct engine_mesh *mesh, uint32_t page, struct cs_writer *to, uint32_t *n_ret)
{
	for (int i = 0; i < ENGINE_PARTS; i++)
		for (int k = 0; k < ENGINE_PARTS && engine_parts[i].page == page; k++) {
			const struct engine_part *part = &engine_parts[k];
			if (part->group != engine_parts[i].group)
				continue;
			cs_writer_u32(to, part->page);
			cs_writer_u32(to, part->slot | part->node << 6);
			cs_writer_u32(to, mesh->clusters[part->first].index);
			cs_writer_u32(to, engine_group_range(mesh, part->group));
			++*n_ret;
		}
}

static bool group_is_on(uint32_t group, uint32_t page)
{
	for (int i = 0; i < ENGINE_PARTS; i++)
		if (engine_parts[i].group == group && engine_parts[i].page == page)
			return true;
	return false;
}

/*
 * Returns whether the group that made the cluster is also in other pages, so that each page of the
 * group must name it.
 */
static bool must_be_told(const struct engine_cluster *c)
{
	uint32_t first, n;
	if (c->maker == CS_NONE)
		return false;
	engine_group_pages(c->maker, &first, &n);
	return n > 1 || first != c->page;
}

static void put_old_chunk(const struct engine_mesh *mesh, uint32_t page, struct cs_writer *to)
{
	struct cs_writer parts = {0}, clusters = {0};
	uint32_t n_parts = 0, n_clusters = 0;
	put_part_fixups(mesh, page, &parts, &n_parts);
	for (int i = 0; i < ENGINE_CLUSTERS; i++) {
		const struct engine_cluster *c = &mesh->clusters[i];
		if (!must_be_told(c) || !group_is_on(c->maker, page))
			continue;
		cs_writer_u32(&clusters, c->index | c->page << 8);
		cs_writer_u32(&clusters, engine_group_range(mesh, c->maker));
		n_clusters++;
	}
	cs_writer_u16(to, 0x464e);
	cs_writer_u16(to, (uint16_t)of_page[page][1]);
	cs_writer_u16(to, (uint16_t)n_parts);
	cs_writer_u16(to, (uint16_t)n_clusters);
	append(to, &parts);
	append(to, &clusters);
}

/* The rows of a fixup chunk from 5.7 on. */
struct chunk {
	struct cs_writer groups, parts, parents, locations, clusters;
	uint32_t n_groups, n_parts, n_parents, n_clusters;
};

static void put_group(const struct engine_mesh *mesh, uint32_t group, struct chunk *to)
{
	uint32_t first_part = to->n_parts, first_parent = to->n_parents;
	for (int i = 0; i < ENGINE_PARTS; i++) {
		const struct engine_part *part = &engine_parts[i];
		if (part->group != group)
			continue;
		cs_writer_u16(&to->parts, (uint16_t)part->page);
		cs_writer_u8(&to->parts, (uint8_t)mesh->clusters[part->first].index);
		cs_writer_u8(&to->parts, group == 2 ? 2 : 0); /* groups that come first */
		cs_writer_u32(&to->parts, to->n_parts++);
		cs_writer_u32(&to->parts, 1);
		cs_writer_u32(&to->locations, part->slot | part->node << 2);
	}
	for (int i = 0; i < ENGINE_CLUSTERS; i++) {
		const struct engine_cluster *c = &mesh->clusters[i];
		if (c->maker != group || !must_be_told(c))
			continue;
		cs_writer_u16(&to->parents, (uint16_t)c->page);
		cs_writer_u16(&to->parents, 0);
		cs_writer_u16(&to->parents, 0);
		cs_writer_u16(&to->parents, 1);
		cs_writer_u16(&to->parents, (uint16_t)to->n_clusters++);
		cs_writer_u8(&to->clusters, (uint8_t)c->index);
		to->n_parents++;
	}
	cs_writer_u32(&to->groups, engine_group_key(group));
	cs_writer_u32(&to->groups, 0);
	cs_writer_u16(&to->groups, (uint16_t)first_part);
	cs_writer_u16(&to->groups, (uint16_t)(to->n_parts - first_part));
	cs_writer_u16(&to->groups, (uint16_t)first_parent);
	cs_writer_u16(&to->groups, (uint16_t)(to->n_parents - first_parent));
	to->n_groups++;
}

static void put_new_chunk(const struct engine_mesh *mesh, uint32_t page, struct cs_writer *to)
{
	struct chunk c = {.n_groups = 0};
	for (uint32_t group = ENGINE_GROUPS; group-- > 0;)
		if (of_page[page][2] & 1u << group)
			put_group(mesh, group, &c);
	cs_writer_u16(to, 0x464e);
	cs_writer_u16(to, (uint16_t)c.n_groups);
	cs_writer_u16(to, (uint16_t)c.n_parts);
	cs_writer_u16(to, (uint16_t)of_page[page][1]);
	cs_writer_u16(to, 0);
	cs_writer_u16(to, 0);
	cs_writer_u32(to, c.n_parents);
	cs_writer_u32(to, c.n_parts); /* a place for each */
	cs_writer_u32(to, c.n_clusters);
	append(to, &c.groups);
	append(to, &c.parts);
	append(to, &c.parents);
	append(to, &c.locations);
	append(to, &c.clusters);
}

/* ---- vertices ---- */

static uint32_t attribute_bits(const struct engine_cluster *c)
{
	uint32_t sum = 2 * NORMAL_BITS + c->uv_bits[0] + c->uv_bits[1] +
		       (c->tangents ? TANGENT_BITS + 1 : 0);
	for (int k = 0; k < 4 && c->coloured; k++)
		sum += color_bits[k];
	return sum;
}

/* A run of values of vertices: position, normal, tangent, colour or UV. */
struct stream {
	uint32_t n, widths[4], start[4];
	uint32_t (*value)(
		const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k);
};

static uint32_t position_of(
	const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k)
{
	int32_t at[3];
	engine_mesh_place(v->x, v->y, at);
	return (uint32_t)(at[k] - c->start[k]);
}

static uint32_t normal_of(const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k)
{
	uint32_t code[2];
	(void)c;
	engine_mesh_normal(v->x, v->y, code);
	return code[k];
}

static uint32_t tangent_of(
	const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k)
{
	(void)c;
	return (uint32_t)v->x + 128 * (uint32_t)(v->y & 1) + k;
}

static uint32_t color_of(const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k)
{
	(void)c;
	return (uint32_t)(v->x + v->y) & ((1u << color_bits[k]) - 1);
}

static uint32_t uv_of(const struct engine_cluster *c, const struct engine_vertex *v, uint32_t k)
{
	(void)c;
	return (uint32_t)(k ? v->y : v->x);
}

static uint32_t list_streams(const struct engine_cluster *c, struct stream ret[5])
{
	uint32_t n = 0;
	ret[n] = (struct stream){.n = 3, .value = position_of};
	for (int k = 0; k < 3; k++) {
		ret[n].widths[k] = c->position_bits[k];
		ret[n].start[k] = c->position_bits[k] ? 1u << (c->position_bits[k] - 1) : 0;
	}
	ret[++n] = (struct stream){2, {NORMAL_BITS, NORMAL_BITS}, {0}, normal_of};
	if (c->tangents)
		ret[++n] = (struct stream){1, {TANGENT_BITS + 1}, {0}, tangent_of};
	if (c->coloured)
		ret[++n] = (struct stream){4,
			{color_bits[0], color_bits[1], color_bits[2], color_bits[3]}, {0},
			color_of};
	ret[++n] = (struct stream){2, {c->uv_bits[0], c->uv_bits[1]}, {0}, uv_of};
	return n + 1;
}

/* From 5.4 on writes differences, whose sign is the lowest bit, in a plane for each byte. */
static void put_stream(
	const struct engine_cluster *c, const struct stream *stream, struct cs_writer planes[3])
{
	uint32_t width = 0, previous[4];
	for (uint32_t k = 0; k < stream->n; k++) {
		width = stream->widths[k] > width ? stream->widths[k] : width;
		previous[k] = stream->start[k];
	}
	for (uint32_t i = 0; i < c->n_vertices; i++) {
		const struct engine_vertex *v = &c->vertices[i];
		for (uint32_t k = 0; k < stream->n && !v->reference; k++) {
			uint32_t bits = stream->widths[k], half = bits ? 1u << (bits - 1) : 0;
			uint32_t value = bits ? stream->value(c, v, k) : 0;
			uint32_t raw = bits ? (value - previous[k] + half) & ((1u << bits) - 1) : 0;
			int32_t step = (int32_t)raw - (int32_t)half;
			uint32_t coded = step < 0 ? 2 * (uint32_t)-step - 1 : 2 * (uint32_t)step;
			previous[k] = value;
			for (uint32_t b = 0; b < 3 && b < (width + 7) / 8; b++)
				cs_writer_u8(&planes[b], (uint8_t)(coded >> 8 * b));
		}
	}
}

static void put_bits(struct cs_writer *to, uint32_t *at, uint32_t value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++, ++*at) {
		if (*at % 8 == 0)
			cs_writer_u8(to, 0);
		if (to->bytes)
			to->bytes[to->size - 1] |= (unsigned char)((value >> i & 1) << *at % 8);
	}
}

/* For 5.3 writes whole bytes for each vertex; positions and attributes are apart. */
static void put_rows(const struct engine_cluster *c, struct cs_writer planes[3])
{
	struct stream streams[5];
	uint32_t n = list_streams(c, streams);
	for (uint32_t i = 0; i < c->n_vertices; i++) {
		const struct engine_vertex *v = &c->vertices[i];
		uint32_t at[2] = {0, 0};
		for (uint32_t s = 0; s < n && !v->reference; s++)
			for (uint32_t k = 0; k < streams[s].n; k++)
				put_bits(&planes[s > 0], &at[s > 0], streams[s].value(c, v, k),
					streams[s].widths[k]);
	}
}

/* ---- sections of a page ---- */

struct page {
	const struct engine_mesh *mesh;
	const struct engine_cluster *clusters;
	uint32_t page, n, raw, n_references, decode, materials, batches;
	uint32_t index_at[4], map_at[4], reference_at[4], data_at[4][3];
	struct cs_writer tables, index, strips, maps, masks, references, sources, data[3];
};

static void put_tables(struct page *p)
{
	uint32_t gpu = 16 + 16 * cs_ue_nanite_layouts[p->mesh->version].f4 * p->n, ranges[4],
		 from = 0;
	struct cs_writer *to = &p->tables;
	p->materials = gpu / 4;
	uint32_t n = engine_mesh_ranges(&p->clusters[0], ranges);
	for (uint32_t i = 0; i < n && n > 3; from += ranges[i++])
		cs_writer_u32(to, from | ranges[i] << 8 | i << 16);
	p->batches = (gpu + (uint32_t)to->size) / 4;
	if (n > 3) { /* one batch a range; three of the last */
		cs_writer_u32(to, 0x3111 | 9 << 16 | 10 << 21 | 11 << 26 | 1u << 31);
		cs_writer_u32(to, 0x1ff);
	}
	cs_writer_align(to, 16);
	p->decode = gpu + (uint32_t)to->size;
	if (has_streams(p->mesh)) {
		cs_writer_u32(to, p->clusters[0].uv_bits[0] | 1000 << 5);
		cs_writer_u32(to, p->clusters[0].uv_bits[1] | 2000 << 5);
	} else {
		const uint32_t range[8] = {0, 0, 63, 3, 0, 0, p->clusters[0].uv_precision, 0};
		for (int i = 0; i < 8; i++)
			cs_writer_u32(to, range[i]);
	}
	cs_writer_align(to, 16);
	p->raw = (gpu + (uint32_t)to->size) / 16;
}

/* Writes which page and cluster each reference names, and the vertex there. */
static void put_references(struct page *p, uint32_t i)
{
	const struct engine_cluster *c = &p->clusters[i];
	uint32_t entries[8], n = 0, previous = 0;
	unsigned char mask[32] = {0};
	for (uint32_t v = 0; v < c->n_vertices; v++) {
		const struct engine_vertex *at = &c->vertices[v];
		if (!at->reference)
			continue;
		const struct engine_cluster *source = &p->mesh->clusters[at->cluster];
		bool own = source->page == c->page;
		uint32_t entry = source->index | (own ? 0u : 1u << 8), m = 0, s = at->vertex;
		while (m < n && entries[m] != entry)
			m++;
		if (m == n)
			entries[n++] = entry;
		for (uint32_t k = 0; k < at->vertex && own && !has_streams(p->mesh); k++)
			s -= source->vertices[k].reference;
		int8_t step = (int8_t)(s - previous);
		previous = s;
		mask[v / 8] |= (unsigned char)(1 << v % 8);
		cs_writer_u8(&p->references, (uint8_t)m);
		cs_writer_u8(&p->sources, has_streams(p->mesh)
						  ? (uint8_t)(step < 0 ? -2 * step - 1 : 2 * step)
						  : (uint8_t)s);
	}
	for (uint32_t m = 0; m < n; m++)
		cs_writer_u32(&p->maps, entries[m]);
	cs_writer_bytes(&p->masks, mask, sizeof(mask));
	p->n_references += c->n_references;
}

static void put_cluster(struct page *p, uint32_t i)
{
	const struct engine_cluster *c = &p->clusters[i];
	struct stream streams[5];
	p->index_at[i] = (uint32_t)p->index.size;
	cs_writer_bytes(&p->index, c->codes.bytes, c->codes.size);
	cs_writer_align(&p->index, 4);
	for (int group = 0; group < 4; group++)
		for (int kind = 0; kind < 3; kind++)
			cs_writer_u32(&p->strips, c->masks[group][kind]);
	p->map_at[i] = (uint32_t)p->maps.size;
	p->reference_at[i] = (uint32_t)p->references.size;
	put_references(p, i);
	for (int k = 0; k < 3; k++)
		p->data_at[i][k] = (uint32_t)p->data[k].size;
	if (!has_streams(p->mesh)) {
		put_rows(c, p->data);
		return;
	}
	uint32_t n = list_streams(c, streams);
	for (uint32_t s = 0; s < n; s++)
		put_stream(c, &streams[s], p->data);
}

/* ---- packed clusters ---- */

static uint32_t index_bits(const struct engine_cluster *c)
{
	uint32_t bits = 1;
	while (1u << bits < c->n_vertices)
		bits++;
	return bits;
}

static uint32_t bytes_of(uint32_t n, uint32_t bits)
{
	return 4 * ((n * bits + 31) / 32);
}

/*
 * Returns the offsets of the parts of cluster i in GPU memory: all indices, all positions, all
 * attributes.
 */
static void gpu_offsets(const struct page *p, uint32_t i, uint32_t ret[3])
{
	uint32_t sums[3] = {0}, before[3] = {0};
	for (uint32_t k = 0; k < p->n; k++) {
		const struct engine_cluster *c = &p->clusters[k];
		const uint32_t *bits = c->position_bits;
		if (k == i)
			memcpy(before, sums, sizeof(before));
		sums[0] += bytes_of(c->n_triangles, index_bits(c) + 10);
		sums[1] += bytes_of(c->n_vertices, bits[0] + bits[1] + bits[2]);
		sums[2] += bytes_of(c->n_vertices, attribute_bits(c));
	}
	ret[0] = 16 * p->raw + before[0];
	ret[1] = 16 * p->raw + sums[0] + before[1];
	ret[2] = 16 * p->raw + sums[0] + sums[1] + before[2];
}

static uint32_t half_pair(float low, float high)
{
	return cs_half_nearest(low) | (uint32_t)cs_half_nearest(high) << 16;
}

static uint32_t float_word(float value)
{
	uint32_t word;
	memcpy(&word, &value, sizeof(word));
	return word;
}

/* Returns a word with three material ranges, or a place in the material table. */
static uint32_t material_word(const struct page *p, const struct engine_cluster *c)
{
	uint32_t ranges[4], n = engine_mesh_ranges(c, ranges);
	if (n > 3)
		return 0xfe000000 | p->materials | (n - 1) << 19;
	return 0 | 1 << 6 | 2 << 12 | (ranges[0] - 1) << 18 | ranges[1] << 25;
}

/* Writes how many batches each range has, then the length of each batch: at most 32 triangles. */
static void batch_words(const struct page *p, const struct engine_cluster *c, uint32_t ret[4])
{
	uint32_t ranges[4], n = engine_mesh_ranges(c, ranges), at = 12;
	if (n > 3) {
		ret[0] = p->batches;
		ret[1] = n;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t left = ranges[i]; left > 0; at += 5) {
			uint32_t length = left < 32 ? left : 32;
			ret[0] += 1u << 4 * i;
			ret[at / 32] |= (length - 1) << at % 32;
			if (at % 32 > 27)
				ret[at / 32 + 1] |= (length - 1) >> (32 - at % 32);
			left -= length;
		}
}

static uint32_t precision_word(const struct engine_mesh *mesh, const struct engine_cluster *c)
{
	uint32_t word = has_streams(mesh) ? (index_bits(c) - 1) | (PRECISION + 20) << 3
					  : index_bits(c) | (PRECISION + 8) << 4;
	for (unsigned k = 0; k < 3; k++)
		word |= c->position_bits[k] << (9 + 5 * k);
	return word | NORMAL_BITS << 24 | TANGENT_BITS << 28;
}

static void attribute_words(
	const struct page *p, const struct engine_cluster *c, uint32_t at, uint32_t ret[3])
{
	unsigned uvs = p->mesh->version >= CS_UE_NANITE_5_5 ? 24 : 23;
	uint32_t mode = has_streams(p->mesh) ? c->coloured : 1u + c->coloured;
	ret[0] = at | attribute_bits(c) << 22;
	ret[1] = p->decode | (uint32_t)c->tangents << 22 | 1u << uvs | mode << (uvs + 3);
	ret[2] = has_streams(p->mesh) ? 0 : 6 | 2 << 4;
}

static void pack_cluster(const struct page *p, uint32_t i, uint32_t w[32])
{
	const struct engine_cluster *c = &p->clusters[i];
	uint32_t offsets[3], f4 = cs_ue_nanite_layouts[p->mesh->version].f4;
	gpu_offsets(p, i, offsets);
	w[0] = c->n_vertices | offsets[1] << (p->mesh->version >= CS_UE_NANITE_5_6 ? 14 : 9);
	w[1] = c->n_triangles | offsets[0] << 8;
	w[3] = c->group << 16;
	for (unsigned k = 0; k < 4; k++) {
		w[2] |= (uint32_t)color_min[k] << 8 * k;
		w[3] |= c->coloured ? (uint32_t)color_bits[k] << 4 * k : 0;
		w[8 + k] = float_word(c->sphere[k]);
	}
	for (unsigned k = 0; k < 3; k++) {
		w[4 + k] = (uint32_t)c->start[k];
		w[12 + k] = float_word(c->box[k]);
		w[16 + k] = float_word(c->box[3 + k]);
	}
	w[7] = precision_word(p->mesh, c);
	w[15] = half_pair(c->error, c->edge);
	w[19] = c->flags;
	attribute_words(p, c, offsets[2], w + 20);
	w[23] = material_word(p, c);
	batch_words(p, c, w + 4 * (f4 - 1));
}

static void put_gpu(const struct page *p, struct cs_writer *to)
{
	uint32_t words[4][32] = {{0}}, f4 = cs_ue_nanite_layouts[p->mesh->version].f4;
	for (uint32_t i = 0; i < p->n; i++)
		pack_cluster(p, i, words[i]);
	cs_writer_u32(to, p->n);
	for (int i = 0; i < 3; i++)
		cs_writer_u32(to, 0);
	for (uint32_t k = 0; k < 4 * f4; k += 4)
		for (uint32_t i = 0; i < p->n; i++)
			for (uint32_t w = k; w < k + 4; w++)
				cs_writer_u32(to, words[i][w]);
}

/* ---- pages ---- */

/* Offsets of the sections from the page header on. */
struct places {
	uint32_t gpu, index, strips, maps, masks, references, data[3], gpu_bytes;
};

static uint32_t align4(uint32_t at)
{
	return (at + 3) & ~3u;
}

static struct places find_places(const struct page *p)
{
	const struct cs_ue_nanite_layout *layout = &cs_ue_nanite_layouts[p->mesh->version];
	struct places at = {.gpu = 4 * layout->page_words + 4 * layout->cluster_words * p->n};
	uint32_t ends[3];
	at.index = at.gpu + 16 * p->raw;
	at.strips = at.index + (uint32_t)p->index.size;
	at.maps = at.strips + (uint32_t)p->strips.size;
	at.masks = at.maps + (uint32_t)p->maps.size;
	at.references = at.masks + (uint32_t)p->masks.size;
	at.data[0] = align4(at.references + 2 * p->n_references);
	at.data[1] = at.data[0] + (uint32_t)p->data[0].size;
	if (!has_streams(p->mesh))
		at.data[1] = align4(at.data[1]);
	at.data[2] = at.data[1] + (uint32_t)p->data[1].size;
	gpu_offsets(p, p->n - 1, ends);
	at.gpu_bytes = ends[2] + bytes_of(p->clusters[p->n - 1].n_vertices,
					 attribute_bits(&p->clusters[p->n - 1]));
	return at;
}

static void put_headers(const struct page *p, const struct places *at, struct cs_writer *to)
{
	bool streams = has_streams(p->mesh), groups = has_groups(p->mesh);
	if (!streams)
		cs_writer_u32(to, at->gpu_bytes);
	cs_writer_u32(to, p->n);
	cs_writer_u32(to, p->raw);
	if (!streams)
		cs_writer_u32(to, 1); /* UV channels */
	cs_writer_u32(to, p->n_references);
	if (!groups)
		cs_writer_u32(to, at->gpu + p->decode);
	cs_writer_u32(to, at->strips);
	cs_writer_u32(to, at->masks);
	for (uint32_t i = 0; i < p->n; i++) {
		const struct engine_cluster *c = &p->clusters[i];
		if (groups)
			cs_writer_u32(to, at->gpu + p->decode);
		cs_writer_u32(to, at->index + p->index_at[i]);
		cs_writer_u32(to, at->maps + p->map_at[i]);
		cs_writer_u32(to, at->references + p->reference_at[i]);
		for (int k = 0; k < (streams ? 3 : 2); k++)
			cs_writer_u32(to, at->data[k] + p->data_at[i][k]);
		cs_writer_u32(to, c->n_references);
		cs_writer_u32(to, c->previous[0]);
		cs_writer_u32(to, c->previous[1]);
	}
}

void engine_nanite_page(const struct engine_mesh *mesh, uint32_t page, struct cs_writer *to)
{
	struct page p = {.mesh = mesh,
		.page = page,
		.clusters = &mesh->clusters[of_page[page][0]],
		.n = of_page[page][1]};
	struct cs_writer own = {0};
	put_tables(&p);
	for (uint32_t i = 0; i < p.n; i++)
		put_cluster(&p, i);
	const struct places at = find_places(&p);
	put_headers(&p, &at, &own);
	put_gpu(&p, &own);
	append(&own, &p.tables);
	append(&own, &p.index);
	append(&own, &p.strips);
	append(&own, &p.maps);
	append(&own, &p.masks);
	append(&own, &p.references);
	append(&own, &p.sources);
	cs_writer_align(&own, 4);
	append(&own, &p.data[0]);
	if (!has_streams(mesh))
		cs_writer_align(&own, 4);
	append(&own, &p.data[1]);
	append(&own, &p.data[2]);
	cs_writer_align(&own, 4);
	(has_groups(mesh) ? put_new_chunk : put_old_chunk)(mesh, page, to);
	append(to, &own);
}
