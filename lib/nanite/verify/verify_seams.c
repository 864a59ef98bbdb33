/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the seams between groups, the exact test that no cut can crack.
 *
 * Edges are directed pairs of grid positions, level by level. An edge of a group that no edge of
 * the same group runs against is on its border. Where another group of the level has the opposite
 * edge it is a seam: it must be on the border of what the group was simplified into, as often. The
 * rest is the border of the mesh, which may be simplified; a group without any of it, or of a mesh
 * that is closed on level 0, must have the same border before and after.
 */
#include "nanite/verify/verify_resource.h"

#include "nanite/format/keys.h"

#include "base/sort.h"

#include <inttypes.h>
#include <stdlib.h>

struct edge {
	uint32_t low, high; /* positions, low < high */
	uint32_t group;
	int32_t before, after; /* times from low to high, less the times back: clusters, parents */
};

struct seams {
	const struct cs_resource_check *check;
	uint32_t *position_of; /* by vertex */
	struct edge *edges;
	size_t n_edges;
	bool is_open; /* the mesh has a border on level 0 */
};

/* ---- positions ---- */

static bool number_positions(struct seams *s)
{
	const struct cs_nanite_contents *c = s->check->c;
	size_t slots = 64;
	while (slots < 2 * c->n_vertices)
		slots *= 2;
	struct cs_keys set = {.words = 3,
		.mask = (uint32_t)slots - 1,
		.slots = malloc(slots * sizeof(uint32_t)),
		.keys = malloc((c->n_vertices + 1) * 3 * sizeof(uint32_t))};
	s->position_of = malloc((c->n_vertices + 1) * sizeof(*s->position_of));
	bool ok = set.slots && set.keys && s->position_of;
	if (ok)
		cs_keys_clear(&set);
	for (size_t v = 0; ok && v < c->n_vertices; v++) {
		uint32_t key[3];
		memcpy(key, c->grid + v * 3, sizeof(key));
		s->position_of[v] = cs_keys_add(&set, key);
	}
	free(set.slots);
	free(set.keys);
	return ok;
}

/* ---- edges of a level ---- */

static void add_cluster(
	struct seams *s, const struct cs_nanite_cluster *cluster, uint32_t group, bool after)
{
	const uint8_t *corners = s->check->c->corners + (size_t)cluster->first_triangle * 3;
	for (uint32_t i = 0; i < cluster->n_triangles * 3; i++) {
		uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
		uint32_t a = s->position_of[cluster->first_vertex + corners[i]];
		uint32_t b = s->position_of[cluster->first_vertex + corners[next]];
		int32_t way = a < b ? 1 : -1;
		if (a != b)
			s->edges[s->n_edges++] = (struct edge){a < b ? a : b, a < b ? b : a, group,
				after ? 0 : way, after ? way : 0};
	}
}

static size_t count_level(const struct cs_nanite_contents *c, uint32_t level)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_nanite_cluster *cluster = &c->clusters[i];
		if (cluster->level == level || cluster->level == level + 1)
			n += (size_t)cluster->n_triangles * 3;
	}
	return n;
}

static void collect_level(struct seams *s, uint32_t level)
{
	const struct cs_nanite_contents *c = s->check->c;
	s->n_edges = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_nanite_cluster *cluster = &c->clusters[i];
		/* a cluster in no part is in no group: H3 tells of it */
		if (cluster->level == level && cluster->group < c->n_groups)
			add_cluster(s, cluster, cluster->group, false);
		else if (cluster->level == level + 1 && cluster->generating_group < c->n_groups)
			add_cluster(s, cluster, cluster->generating_group, true);
	}
}

static int by_edge_and_group(const void *left, const void *right, void *context)
{
	const struct edge *l = left, *r = right;
	(void)context;
	if (l->low != r->low)
		return l->low < r->low ? -1 : 1;
	if (l->high != r->high)
		return l->high < r->high ? -1 : 1;
	return l->group < r->group ? -1 : l->group > r->group;
}

/* One entry for each edge and group. */
static bool merge_edges(struct seams *s)
{
	size_t n = 0;
	if (!cs_sort(s->edges, s->n_edges, sizeof(*s->edges), by_edge_and_group, NULL))
		return false;
	for (size_t i = 0; i < s->n_edges; i++) {
		struct edge *last = n ? &s->edges[n - 1] : NULL;
		if (last && by_edge_and_group(last, &s->edges[i], NULL) == 0) {
			last->before += s->edges[i].before;
			last->after += s->edges[i].after;
		} else {
			s->edges[n++] = s->edges[i];
		}
	}
	s->n_edges = n;
	return true;
}

/* ---- comparing ---- */

/* What a group's borders have against each other. */
struct group_border {
	uint32_t lost;    /* seam edges that are not there after */
	uint32_t changed; /* other edges that differ */
	bool open;        /* it has a border of the mesh */
};

/* Edges i..end are the same edge in several groups. */
static void compare_edge(const struct seams *s, size_t i, size_t end, struct group_border *borders)
{
	int32_t level = 0;
	for (size_t k = i; k < end; k++)
		level += s->edges[k].before;
	for (size_t k = i; k < end; k++) {
		const struct edge *edge = &s->edges[k];
		struct group_border *border = &borders[edge->group];
		bool seam = edge->before != 0 && level == 0;
		border->open = border->open || (edge->before != 0 && level != 0);
		if (edge->before == edge->after)
			continue;
		border->lost += seam;
		border->changed += !seam;
	}
}

static bool compare_level(struct seams *s, uint32_t level)
{
	const struct cs_nanite_contents *c = s->check->c;
	struct group_border *borders = calloc(c->n_groups + 1, sizeof(*borders));
	if (!borders)
		return false;
	for (size_t i = 0, end; i < s->n_edges; i = end) {
		for (end = i + 1; end < s->n_edges && s->edges[end].low == s->edges[i].low &&
				  s->edges[end].high == s->edges[i].high;
			end++)
			;
		compare_edge(s, i, end, borders);
	}
	for (size_t g = 0; level == 0 && g < c->n_groups; g++)
		s->is_open = s->is_open || borders[g].open;
	for (size_t g = 0; g < c->n_groups; g++)
		if (c->groups[g].n_parents > 0 &&
			(borders[g].lost ||
				(borders[g].changed && !(s->is_open && borders[g].open))))
			cs_breach(s->check->rest, CS_RULE_D5, CS_NOWHERE,
				"group %" PRIu32 " of level %" PRIu32 " loses %" PRIu32
				" seam edges, %" PRIu32 " other edges of its border differ",
				c->groups[g].number, level, borders[g].lost, borders[g].changed);
	free(borders);
	return true;
}

bool cs_check_seams(const struct cs_resource_check *check)
{
	struct seams s = {.check = check};
	bool ok = number_positions(&s);
	for (uint32_t level = 0; ok && level < check->c->n_levels; level++) {
		size_t n = count_level(check->c, level);
		s.edges = malloc((n + 1) * sizeof(*s.edges));
		ok = s.edges;
		if (ok) {
			collect_level(&s, level);
			ok = merge_edges(&s) && compare_level(&s, level);
		}
		free(s.edges);
	}
	free(s.position_of);
	return ok;
}
