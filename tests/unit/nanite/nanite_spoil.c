/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: resources to spoil, and finding the place in one where a rule can be broken. */
#include "tests/unit/nanite/nanite_spoil.h"
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "tests/unit/nanite/soup_dag.h"
#include "tests/unit/nanite/torus_dag.h"

#include <math.h>
#include <stdlib.h>

/* ---- the bench ---- */

static void make_dag(enum base base, struct cs_dag *dag)
{
	const struct torus torus = {.rows = 512, .uvs = 1, .materials = 5, .colors = true};
	const struct torus plain = {.rows = 64};
	struct soup soup = {.seed = 5,
		.clusters = 6,
		.triangles = 100,
		.pool = 120,
		.materials = 1,
		.size = 1000};
	if (base == FLAT) {
		soup.seed = 6;
		soup.clusters = 1;
	}
	if (base == TORUS || base == PLAIN)
		torus_dag(base == TORUS ? &torus : &plain, dag);
	else
		soup_dag(&soup, dag);
}

bool make_bench(enum base base, struct bench *ret)
{
	const struct cs_nanite_options options = {
		.position_precision = CS_PRECISION_AUTO, .raw_pages = true, COPY_COARSE_MESH};
	struct cs_dag dag;
	struct cs_nanite *whole = NULL;
	struct cs_nanite_contents *contents = NULL;
	make_dag(base, &dag);
	struct cs_error *error = cs_nanite_encode(&dag, &options, NULL, &whole);
	if (!error)
		error = cs_nanite_decode(whole, NULL, &contents);
	cs_dag_deinit(&dag);
	if (error) {
		cs_error_free(error);
		cs_nanite_free(whole);
		return false;
	}
	*ret = (struct bench){.r = copy_resource(whole),
		.c = contents,
		.views = calloc(contents->n_pages, sizeof(*ret->views)),
		.whole = whole};
	for (uint32_t page = 0; page < contents->n_pages; page++)
		if (cs_page_open(whole, page, &ret->views[page]))
			cs_page_plan(&ret->views[page]);
	return true;
}

void unmake_bench(struct bench *b)
{
	for (uint32_t page = 0; page < b->c->n_pages; page++)
		cs_page_close(&b->views[page]);
	free(b->views);
	cs_nanite_free(b->r);
	cs_nanite_contents_free((struct cs_nanite_contents *)(uintptr_t)b->c);
	cs_nanite_free(b->whole);
}

/* ---- places ---- */

struct cs_nanite_info *info_of(const struct bench *b)
{
	return EDIT(struct cs_nanite_info, b->r->info);
}

struct cs_nanite_page_state *state_of(const struct bench *b, uint32_t page)
{
	return EDIT(struct cs_nanite_page_state, &b->r->pages[page]);
}

struct cs_nanite_node *node_of(const struct bench *b, uint32_t node)
{
	return EDIT(struct cs_nanite_node, &b->r->nodes[node]);
}

uint32_t *dependency_of(const struct bench *b, uint32_t i)
{
	return EDIT(uint32_t, &b->r->dependencies[i]);
}

unsigned char *page_of(const struct bench *b, uint32_t page)
{
	return copy_blob(b->r, page) + b->views[page].chunk_size;
}

void add_to(unsigned char *word, uint32_t more)
{
	cs_store32(word, cs_load32(word) + more);
}

unsigned char *packed_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field)
{
	unsigned word = cs_packed_fields[field].word;
	size_t plane = word / 4 * (size_t)b->views[page].n_clusters + cluster;
	return page_of(b, page) + b->views[page].planes + plane * 16 + word % 4 * 4;
}

void set_packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field,
	uint32_t value)
{
	unsigned char *word = packed_word(b, page, cluster, field);
	uint32_t mask = cs_bits_mask(cs_packed_fields[field].width);
	unsigned shift = cs_packed_fields[field].shift;
	cs_store32(word, (cs_load32(word) & ~(mask << shift)) | (value & mask) << shift);
}

uint32_t packed(const struct bench *b, uint32_t page, uint32_t cluster, enum cs_packed field)
{
	return cs_packed_get(&b->views[page].plans[cluster].packed, field);
}

unsigned char *cluster_word(
	const struct bench *b, uint32_t page, uint32_t cluster, enum cs_cluster_word word)
{
	return page_of(b, page) + CS_PAGE_HEADER + CS_CLUSTER_HEADER * cluster + 4 * word;
}

/* ---- finding a place to break something ---- */

const struct cs_model_page *row_of(const struct bench *b, uint32_t page)
{
	return &b->c->pages[page];
}

uint32_t page_with_fixups(const struct bench *b, uint32_t n)
{
	for (uint32_t page = 1; page < b->c->n_pages; page++)
		if (row_of(b, page)->n_fixups - row_of(b, page)->n_hierarchy_fixups >= n)
			return page;
	abort();
}

uint32_t page_with_dependencies(const struct bench *b, uint32_t n)
{
	for (uint32_t page = 1; page < b->c->n_pages; page++)
		if (b->r->pages[page].n_dependencies >= n)
			return page;
	abort();
}

unsigned char *hierarchy_fixup(const struct bench *b, uint32_t page, uint32_t i)
{
	return copy_blob(b->r, page) + CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * i;
}

unsigned char *cluster_fixup(const struct bench *b, uint32_t page, uint32_t i)
{
	return copy_blob(b->r, page) + CS_FIXUP_HEADER +
	       CS_HIERARCHY_FIXUP * b->views[page].n_hierarchy + CS_CLUSTER_FIXUP * i;
}

const struct cs_model_cluster *find_cluster(const struct bench *b,
	bool (*holds)(const struct bench *b, const struct cs_model_cluster *c))
{
	for (size_t i = 0; i < b->c->n_clusters; i++)
		if (holds(b, &b->c->clusters[i]))
			return &b->c->clusters[i];
	abort();
}

bool is_no_leaf(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return !(c->flags & CS_CLUSTER_LEAF);
}

bool is_slow(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->n_materials > CS_FAST_MATERIALS;
}

bool has_references(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->n_coded < c->n_vertices;
}

bool has_outer_references(const struct bench *b, const struct cs_model_cluster *c)
{
	const struct cs_page_view *view = &b->views[c->page];
	const unsigned char *mask =
		view->bytes + view->reference_masks + CS_REFERENCE_MASK * (size_t)c->index;
	uint32_t r = 0;
	for (uint32_t v = 0; v < c->n_vertices; v++) {
		if (!(mask[v / 8] >> v % 8 & 1))
			continue;
		uint32_t to = cs_page_reference(view, c->index, r++);
		if (to >> CS_REFERENCE_CLUSTER != c->index &&
			b->c->grid[((size_t)c->first_vertex + v) * 3] == c->start[0])
			return true;
	}
	return false;
}

bool has_loose_codes(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->n_codes * 5 % 8 != 0;
}

bool has_loose_positions(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->n_coded > 0 &&
	       (c->position_bits[0] + c->position_bits[1] + c->position_bits[2]) % 8 != 0;
}

bool ends_page_loosely(const struct bench *b, const struct cs_model_cluster *c)
{
	return c->index + 1 == row_of(b, c->page)->n_clusters && c->attribute_bits % 8 != 0;
}

bool waits_in_root(const struct bench *b, const struct cs_model_cluster *c)
{
	(void)b;
	return c->page == 0 && c->maker != CS_NONE && c->flags & CS_CLUSTER_LEAF;
}

const struct cs_model_group *find_group(const struct bench *b, uint32_t parts, uint32_t level)
{
	for (size_t i = 0; i < b->c->n_groups; i++)
		if (b->c->groups[i].n_parts >= parts && b->c->groups[i].level >= level &&
			isfinite(b->c->groups[i].max_parent_error))
			return &b->c->groups[i];
	abort();
}

const struct cs_model_part *part_of(
	const struct bench *b, const struct cs_model_group *group, uint32_t i)
{
	return &b->c->parts[b->c->group_parts[group->first_part + i]];
}

unsigned inner_slot(const struct bench *b, uint32_t *node_ret)
{
	for (uint32_t node = 0; node < b->r->n_nodes; node++)
		for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++)
			if (b->r->nodes[node].pages[slot] == CS_INNER_SLOT) {
				*node_ret = node;
				return slot;
			}
	abort();
}
