/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the links between the clusters of a resource (nanite-versions rules 3, 4, 6): slots of the
 * hierarchy, parts and fixups from the chunks of pages, groups by the number in their clusters, and
 * the group that a cluster was simplified from: the one with its error and sphere.
 */
#include "ue/nanite/cooked_nanite.h"

#include "core/cursor.h"
#include "core/half.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/vec.h"
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include <math.h>
#include <stdlib.h>

enum { SLOTS = CS_UE_NODE_SLOTS };

/* A part, as a fixup names it. */
struct part {
	uint32_t page, cluster, slot;
};

struct linker {
	const struct cs_ue_nanite *n;
	struct cs_model *m;
	CS_VEC(struct part) parts;
	CS_VEC(struct cs_model_fixup) fixups;
	uint32_t *slot_rows; /* for each node and child, CS_NONE when it is not used */
	bool failed;
};

static struct cs_error *nanite_link_broken(const char *what)
{
	return cs_error_new(CS_E_NANITE, "hierarchy: %s", what);
}

/* ---- slots ---- */

static const unsigned char *slot_at(const struct cs_ue_nanite *n, uint32_t node, uint32_t slot)
{
	uint32_t bytes = cs_ue_nanite_layouts[n->version].node_bytes;
	return n->nodes + (size_t)node * bytes + (size_t)slot * (bytes / SLOTS);
}

/* Returns the clusters of the part of a leaf, in versions where parts have groups. */
static uint32_t clusters_of(const unsigned char *at)
{
	return cs_load32(at + 52) >> 16 & 511;
}

/*
 * Reads the word of a leaf: the first page and the number of pages, and how many clusters the part
 * has.
 */
static void read_range(
	const struct cs_ue_nanite *n, const unsigned char *at, struct cs_model_slot *s)
{
	uint32_t word = cs_load32(at + 48);
	if (cs_ue_nanite_layouts[n->version].groups) {
		s->n_pages = word & 31;
		s->first_page = word >> 5 & 0x1ffffff;
		s->n_clusters = clusters_of(at);
		return;
	}
	bool wide = n->version >= CS_UE_NANITE_5_5;
	s->n_clusters = word & 511;
	s->n_pages = word >> 9 & (wide ? 31 : 7);
	s->first_page = word >> (wide ? 14 : 12);
}

static bool slot_is_used(const struct cs_ue_nanite *n, const unsigned char *at)
{
	return cs_load32(at + 48) != 0 ||
	       (cs_ue_nanite_layouts[n->version].groups && clusters_of(at) != 0);
}

static void nanite_link_read_slot(
	const struct cs_ue_nanite *n, const unsigned char *at, struct cs_model_slot *s)
{
	uint32_t errors = cs_load32(at + 28), child = cs_load32(at + 44);
	bool swapped = cs_ue_nanite_layouts[n->version].groups;
	for (int k = 0; k < 3; k++) {
		s->centre[k] = cs_float_of_bits(cs_load32(at + 4 * (size_t)k));
		s->box_centre[k] = cs_float_of_bits(cs_load32(at + 16 + 4 * (size_t)k));
		s->box_extent[k] = cs_float_of_bits(cs_load32(at + 32 + 4 * (size_t)k));
	}
	s->radius = cs_float_of_bits(cs_load32(at + 12));
	float low = cs_half_value((uint16_t)errors), high = cs_half_value((uint16_t)(errors >> 16));
	s->min_error = swapped ? high : low;
	s->max_parent_error = swapped ? low : high;
	if (swapped) /* The sign only says that the slot is still a leaf. */
		s->min_error = fabsf(s->min_error);
	s->part = CS_NONE;
	s->child = child;
	if (child == UINT32_MAX)
		read_range(n, at, s);
}

static struct cs_error *read_nodes(struct linker *l)
{
	const struct cs_ue_nanite *n = l->n;
	struct cs_model *m = l->m;
	size_t most = (size_t)n->n_nodes * SLOTS;
	if (!cs_model_allocate(&m->nodes, n->n_nodes, sizeof(*m->nodes)) ||
		!cs_model_allocate(&m->slots, most, sizeof(*m->slots)) ||
		!cs_model_allocate(&l->slot_rows, most, sizeof(*l->slot_rows)) ||
		!cs_model_allocate(&m->roots, n->n_roots, sizeof(*m->roots)))
		return cs_error_nomem();
	m->n_nodes = n->n_nodes;
	m->n_roots = n->n_roots;
	for (uint32_t i = 0; i < n->n_roots; i++) {
		m->roots[i] = n->root_offsets[i];
		if (m->roots[i] >= n->n_nodes)
			return nanite_link_broken("a root that is no node");
	}
	for (uint32_t node = 0; node < n->n_nodes; node++) {
		struct cs_model_node *row = &m->nodes[node];
		row->first_slot = (uint32_t)m->n_slots;
		row->parent = row->depth = CS_NONE;
		for (uint32_t k = 0; k < SLOTS; k++) {
			const unsigned char *at = slot_at(n, node, k);
			l->slot_rows[SLOTS * node + k] = CS_NONE;
			if (!slot_is_used(n, at))
				continue;
			struct cs_model_slot *s = &m->slots[m->n_slots];
			*s = (struct cs_model_slot){.node = node, .slot = k};
			nanite_link_read_slot(n, at, s);
			if (s->child != CS_NONE && (s->child >= n->n_nodes || s->child <= node))
				return nanite_link_broken("a node below itself, or none");
			l->slot_rows[SLOTS * node + k] = (uint32_t)m->n_slots++;
			row->n_slots++;
		}
	}
	for (uint32_t i = 0; i < m->n_slots; i++)
		if (m->slots[i].child != CS_NONE)
			m->nodes[m->slots[i].child].parent = i;
	return NULL;
}

/* ---- fixups ---- */

static void add_part(struct linker *l, uint32_t page, uint32_t cluster, uint32_t slot)
{
	l->failed |= !cs_vec_push(&l->parts, (struct part){page, cluster, slot});
}

static bool cluster_row(const struct linker *l, uint32_t page, uint32_t index, uint32_t *ret)
{
	if (page >= l->m->n_pages || index >= l->m->pages[page].n_clusters)
		return false;
	*ret = l->m->pages[page].first_cluster + index;
	return true;
}

static bool slot_row(const struct linker *l, uint32_t node, uint32_t child, uint32_t *ret)
{
	if (node >= l->n->n_nodes || child >= SLOTS)
		return false;
	*ret = l->slot_rows[SLOTS * node + child];
	return *ret != CS_NONE;
}

/* Reads 5.3 to 5.6: a fixup for each part of each group of the page, then those of clusters. */
static struct cs_error *read_old_chunk(struct linker *l, uint32_t page, const unsigned char *at)
{
	uint32_t hierarchy = cs_load16(at + 4), clusters = cs_load16(at + 6);
	unsigned shift = l->n->version >= CS_UE_NANITE_5_5 ? 5 : 3;
	l->m->pages[page].n_hierarchy_fixups = hierarchy;
	at += 8;
	for (uint32_t i = 0; i < hierarchy; i++, at += 16) {
		uint32_t where = cs_load32(at + 4), range = cs_load32(at + 12);
		struct cs_model_fixup f = {.kind = CS_MODEL_FIXUP_HIERARCHY,
			.page = page,
			.target_page = cs_load32(at),
			.first_page = range >> shift,
			.n_pages = range & ((1u << shift) - 1)};
		if (!cluster_row(l, f.target_page, cs_load32(at + 8), &f.cluster) ||
			!slot_row(l, where >> 6, where & 63, &f.slot))
			return nanite_link_broken("a fixup of a part or slot that is not there");
		l->failed |= !cs_vec_push(&l->fixups, f);
		if (f.target_page == page)
			add_part(l, page, f.cluster, f.slot);
	}
	for (uint32_t i = 0; i < clusters; i++, at += 8) {
		uint32_t where = cs_load32(at), range = cs_load32(at + 4);
		struct cs_model_fixup f = {.kind = CS_MODEL_FIXUP_CLUSTER,
			.page = page,
			.target_page = where >> 8,
			.slot = CS_NONE,
			.first_page = range >> shift,
			.n_pages = range & ((1u << shift) - 1)};
		if (!cluster_row(l, f.target_page, where & 255, &f.cluster))
			return nanite_link_broken("a fixup of a cluster that is not there");
		l->failed |= !cs_vec_push(&l->fixups, f);
	}
	return NULL;
}

/*
 * The chunk from 5.7 on: groups with their parts and the clusters that they were simplified into.
 */
struct chunk {
	const unsigned char *groups, *parts, *parents, *locations, *clusters;
	uint32_t n_groups, n_parts, n_parents, n_locations, n_clusters;
};

static struct chunk open_chunk(const unsigned char *at)
{
	struct chunk c = {.n_groups = cs_load16(at + 2),
		.n_parts = cs_load16(at + 4),
		.n_parents = cs_load32(at + 12),
		.n_locations = cs_load32(at + 16),
		.n_clusters = cs_load32(at + 20)};
	c.groups = at + 24;
	c.parts = c.groups + 16 * (size_t)c.n_groups;
	c.parents = c.parts + 12 * (size_t)c.n_parts;
	c.locations = c.parents + 10 * (size_t)c.n_parents;
	c.clusters = c.locations + 4 * (size_t)c.n_locations + 2 * (size_t)cs_load16(at + 8);
	return c;
}

static struct cs_error *read_group_parts(
	struct linker *l, uint32_t page, const struct chunk *c, const unsigned char *group)
{
	uint32_t key = cs_load32(group), first = cs_load16(group + 8), n = cs_load16(group + 10);
	if (first + n > c->n_parts)
		return nanite_link_broken("a group whose parts are not there");
	for (uint32_t i = first; i < first + n; i++) {
		const unsigned char *part = c->parts + 12 * (size_t)i;
		uint32_t location = cs_load32(part + 4), locations = cs_load32(part + 8);
		struct cs_model_fixup f = {.kind = CS_MODEL_FIXUP_HIERARCHY,
			.page = page,
			.target_page = cs_load16(part),
			.first_page = key >> 5 & 0x1ffffff,
			.n_pages = key & 31};
		if ((uint64_t)location + locations > c->n_locations || locations == 0)
			return nanite_link_broken("a part without a place in the hierarchy");
		uint32_t where = cs_load32(c->locations + 4 * (size_t)location);
		if (!cluster_row(l, f.target_page, part[2], &f.cluster) ||
			!slot_row(l, where >> 2, where & 3, &f.slot))
			return nanite_link_broken("a fixup of a part or slot that is not there");
		l->failed |= !cs_vec_push(&l->fixups, f);
		add_part(l, f.target_page, f.cluster, f.slot);
		l->m->pages[page].n_hierarchy_fixups++;
	}
	return NULL;
}

static struct cs_error *read_group_parents(
	struct linker *l, uint32_t page, const struct chunk *c, const unsigned char *group)
{
	uint32_t key = cs_load32(group), first = cs_load16(group + 12), n = cs_load16(group + 14);
	if (first + n > c->n_parents)
		return nanite_link_broken("a group whose parents are not there");
	for (uint32_t i = first; i < first + n; i++) {
		const unsigned char *parent = c->parents + 10 * (size_t)i;
		uint32_t clusters = cs_load16(parent + 6), at = cs_load16(parent + 8);
		if (at + clusters > c->n_clusters)
			return nanite_link_broken("parents whose clusters are not there");
		for (uint32_t k = at; k < at + clusters; k++) {
			struct cs_model_fixup f = {.kind = CS_MODEL_FIXUP_CLUSTER,
				.page = page,
				.target_page = cs_load16(parent),
				.slot = CS_NONE,
				.first_page = key >> 5 & 0x1ffffff,
				.n_pages = key & 31};
			if (!cluster_row(l, f.target_page, c->clusters[k], &f.cluster))
				return nanite_link_broken("a fixup of a cluster that is not there");
			l->failed |= !cs_vec_push(&l->fixups, f);
		}
	}
	return NULL;
}

static struct cs_error *read_new_chunk(struct linker *l, uint32_t page, const unsigned char *at)
{
	struct chunk c = open_chunk(at);
	struct cs_error *error = NULL;
	for (uint32_t i = 0; i < c.n_groups && !error; i++)
		error = read_group_parts(l, page, &c, c.groups + 16 * (size_t)i);
	for (uint32_t i = 0; i < c.n_groups && !error; i++)
		error = read_group_parents(l, page, &c, c.groups + 16 * (size_t)i);
	return error;
}

static struct cs_error *read_chunks(struct linker *l)
{
	bool groups = cs_ue_nanite_layouts[l->n->version].groups;
	struct cs_error *error = NULL;
	for (uint32_t page = 0; page < l->m->n_pages && !error; page++) {
		bool root = page < l->n->n_root_pages;
		const unsigned char *at =
			(root ? l->n->roots_bytes : l->n->bulk) + l->n->states[page].bulk_offset;
		l->m->pages[page].first_fixup = (uint32_t)l->fixups.n;
		error = groups ? read_new_chunk(l, page, at) : read_old_chunk(l, page, at);
		l->m->pages[page].n_fixups = (uint32_t)l->fixups.n - l->m->pages[page].first_fixup;
	}
	return error ? error : l->failed ? cs_error_nomem() : NULL;
}

/* ---- parts and groups ---- */

static int nanite_link_by_cluster(const void *left, const void *right, void *context)
{
	const struct part *a = left, *b = right;
	(void)context;
	return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* Makes each part once, in the order of its clusters. The parts must tile all clusters. */
static struct cs_error *make_parts(struct linker *l)
{
	struct cs_model *m = l->m;
	uint32_t next = 0;
	if (!cs_sort(l->parts.at, l->parts.n, sizeof(*l->parts.at), nanite_link_by_cluster, NULL) ||
		!cs_model_allocate(&m->parts, l->parts.n, sizeof(*m->parts)))
		return cs_error_nomem();
	for (size_t i = 0; i < l->parts.n; i++) {
		const struct part *p = &l->parts.at[i];
		if (i > 0 && p->cluster == l->parts.at[i - 1].cluster)
			continue;
		const struct cs_model_page *page = &m->pages[p->page];
		uint32_t n = m->slots[p->slot].n_clusters;
		if (p->cluster != next || n == 0 ||
			n > page->first_cluster + page->n_clusters - next)
			return nanite_link_broken("parts that do not tile the clusters");
		for (uint32_t c = next; c < next + n; c++)
			m->clusters[c].part = (uint32_t)m->n_parts;
		next += n;
		if (m->pages[p->page].n_parts++ == 0)
			m->pages[p->page].first_part = (uint32_t)m->n_parts;
		m->slots[p->slot].part = (uint32_t)m->n_parts;
		m->parts[m->n_parts++] = (struct cs_model_part){.page = p->page,
			.first_cluster = p->cluster,
			.n_clusters = n,
			.slot = p->slot};
	}
	return next == m->n_clusters ? NULL : nanite_link_broken("clusters that no part has");
}

static struct cs_error *make_groups(struct linker *l)
{
	struct cs_model *m = l->m;
	uint32_t *rows;
	if (!cs_model_allocate(&m->groups, m->n_parts, sizeof(*m->groups)) ||
		!cs_model_allocate(&m->group_parts, m->n_parts, sizeof(*m->group_parts)) ||
		!cs_model_allocate(&rows, 65536, sizeof(*rows)))
		return cs_error_nomem();
	for (uint32_t i = 0; i < m->n_parts; i++) {
		struct cs_model_part *part = &m->parts[i];
		const struct cs_model_slot *slot = &m->slots[part->slot];
		uint32_t number = m->clusters[part->first_cluster].group_number & 0xffff;
		if (rows[number] == 0) {
			rows[number] = (uint32_t)++m->n_groups;
			struct cs_model_group *g = &m->groups[m->n_groups - 1];
			*g = (struct cs_model_group){.number = number,
				.first_page = slot->first_page,
				.n_pages = slot->n_pages,
				.radius = slot->radius,
				.min_error = slot->min_error,
				.max_parent_error = slot->max_parent_error};
			memcpy(g->centre, slot->centre, sizeof(g->centre));
		}
		part->group = rows[number] - 1;
		m->groups[part->group].n_parts++;
		m->groups[part->group].n_clusters += part->n_clusters;
		for (uint32_t c = 0; c < part->n_clusters; c++)
			m->clusters[part->first_cluster + c].group = part->group;
	}
	free(rows);
	uint32_t first = 0;
	for (uint32_t g = 0; g < m->n_groups; g++) {
		m->groups[g].first_part = first;
		first += m->groups[g].n_parts;
		m->groups[g].n_parts = 0;
	}
	for (uint32_t i = 0; i < m->n_parts; i++) {
		struct cs_model_group *g = &m->groups[m->parts[i].group];
		m->group_parts[g->first_part + g->n_parts++] = i;
	}
	m->n_group_parts = m->n_parts;
	return NULL;
}

/* ---- who made whom ---- */

struct key {
	float error, centre[3], radius;
	uint32_t group;
};

static int by_error(const void *left, const void *right, void *context)
{
	const struct key *a = left, *b = right;
	(void)context;
	return (a->error > b->error) - (a->error < b->error);
}

static uint32_t find_maker(const struct key *keys, size_t n, const struct cs_model_cluster *c)
{
	size_t at = cs_lower_bound(0, n, i, keys[i].error < c->lod_error);
	for (; at < n && keys[at].error == c->lod_error; at++)
		if (memcmp(keys[at].centre, c->lod_centre, sizeof(c->lod_centre)) == 0 &&
			keys[at].radius == c->lod_radius)
			return keys[at].group;
	return CS_NONE;
}

static struct cs_error *make_parents(struct linker *l)
{
	struct cs_model *m = l->m;
	struct key *keys;
	if (!cs_model_allocate(&keys, m->n_groups, sizeof(*keys)))
		return cs_error_nomem();
	for (uint32_t g = 0; g < m->n_groups; g++) {
		keys[g] = (struct key){.error = m->groups[g].max_parent_error,
			.radius = m->groups[g].radius,
			.group = g};
		memcpy(keys[g].centre, m->groups[g].centre, sizeof(keys[g].centre));
	}
	bool sorted = cs_sort(keys, m->n_groups, sizeof(*keys), by_error, NULL);
	uint32_t orphans = 0;
	for (uint32_t i = 0; i < m->n_clusters && sorted; i++) {
		struct cs_model_cluster *c = &m->clusters[i];
		if (c->edge_length < 0) /* level 0 */
			continue;
		c->maker = find_maker(keys, m->n_groups, c);
		if (c->maker == CS_NONE || c->maker == c->group)
			orphans++;
		else
			m->groups[c->maker].n_parents++;
	}
	free(keys);
	if (!sorted)
		return cs_error_nomem();
	if (orphans > 0)
		return nanite_link_broken("clusters whose error and sphere no group has");
	const struct cs_levels levels = {.clusters = m->clusters,
		.groups = m->groups,
		.n_clusters = m->n_clusters,
		.n_groups = m->n_groups};
	m->parents = cs_link_parents(&levels, &m->n_parents);
	return m->parents ? NULL : cs_error_nomem();
}

static struct cs_error *copy_dependencies(struct linker *l)
{
	struct cs_model *m = l->m;
	if (!cs_model_allocate(&m->dependencies, l->n->n_dependencies, sizeof(uint32_t)) ||
		!cs_model_allocate(&m->dependency_first, m->n_pages + 1, sizeof(uint32_t)))
		return cs_error_nomem();
	uint32_t at = 0;
	for (uint32_t p = 0; p < m->n_pages; p++) {
		const struct cs_ue_page_state *s = &l->n->states[p];
		m->dependency_first[p] = at;
		for (uint32_t i = 0; i < s->n_dependencies && at < l->n->n_dependencies; i++)
			m->dependencies[at++] = l->n->dependencies[s->first_dependency + i];
	}
	m->dependency_first[m->n_pages] = at;
	return NULL;
}

struct cs_error *cs_ue_nanite_link(const struct cs_ue_nanite *nanite, struct cs_model *model)
{
	struct linker l = {.n = nanite, .m = model};
	struct cs_error *error = read_nodes(&l);
	if (!error)
		error = read_chunks(&l);
	if (!error)
		error = make_parts(&l);
	if (!error)
		error = make_groups(&l);
	if (!error)
		error = make_parents(&l);
	if (!error)
		error = copy_dependencies(&l);
	if (!error) {
		model->fixups = l.fixups.at;
		model->n_fixups = l.fixups.n;
		l.fixups.at = NULL;
	}
	cs_vec_free(&l.fixups);
	cs_vec_free(&l.parts);
	free(l.slot_rows);
	return error;
}
