/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns merging the clusters of a group into one patch. Vertices at the same position become one
 * place, and those that agree in all attributes become one wedge. Only vertices whose position may
 * be shared in the level are looked up. Places that other groups have too are locked.
 */
#include "cluster/reduce.h"

#include "core/slots.h"
#include "mesh/edges.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <string.h>

/* ---- merging clusters into a patch ---- */

static bool allocate(struct cs_reducer *r)
{
	const struct cs_dag *dag = &r->builder->dag;
	struct cs_patch *p = &r->patch;
	size_t vertices = 0, triangles = 0, outer = 0;
	for (uint32_t i = 0; i < r->n_children; i++) {
		const struct cs_level *level = r->grouping->level;
		vertices += cs_reducer_child(r, i)->n_vertices;
		triangles += cs_reducer_child(r, i)->n_triangles;
		outer += level->starts[r->children[i] + 1] - level->starts[r->children[i]];
	}
	size_t slots = cs_slots_for(vertices);
	r->mask = slots - 1;
	p->n_attributes = cs_attributes_count(dag->colors != NULL, dag->n_uvs);
	p->n_triangles = (uint32_t)triangles;
	p->corners = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 3 * triangles);
	p->materials = CS_SCRATCH_ARRAY(r->scratch, uint8_t, triangles);
	p->places = CS_SCRATCH_ARRAY(r->scratch, uint32_t, vertices);
	p->attributes = CS_SCRATCH_ARRAY(r->scratch, float, vertices * p->n_attributes);
	p->positions = CS_SCRATCH_ARRAY(r->scratch, float, 3 * vertices);
	p->exact = CS_SCRATCH_ARRAY(r->scratch, float, 3 * vertices);
	p->locked = CS_SCRATCH_ARRAY(r->scratch, uint8_t, vertices);
	p->outer = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 2 * outer);
	r->slots = CS_SCRATCH_ARRAY(r->scratch, uint32_t, slots);
	r->chain = CS_SCRATCH_ARRAY(r->scratch, uint32_t, vertices);
	r->wedge_of = CS_SCRATCH_ARRAY(r->scratch, uint32_t, vertices);
	r->errors = CS_SCRATCH_ARRAY(r->scratch, float, triangles);
	r->places = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 3 * triangles);
	r->heads = CS_SCRATCH_ARRAY(r->scratch, uint32_t, vertices);
	r->next = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 3 * triangles);
	r->opposite = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 3 * triangles);
	p->opposite = CS_SCRATCH_ARRAY(r->scratch, uint32_t, 3 * triangles);
	if (!p->corners || !p->materials || !p->places || !p->attributes || !p->positions ||
		!p->exact || !p->locked || !p->outer || !r->slots || !r->chain || !r->wedge_of ||
		!r->errors || !r->places || !r->heads || !r->next || !r->opposite || !p->opposite)
		return false;
	memset(r->slots, 0, slots * sizeof(uint32_t));
	return true;
}

static uint32_t new_place(struct cs_reducer *r, size_t vertex)
{
	uint32_t place = r->patch.n_places++;
	memcpy(r->patch.positions + 3 * (size_t)place, r->builder->dag.positions + 3 * vertex,
		3 * sizeof(float));
	memcpy(r->patch.exact + 3 * (size_t)place, r->builder->exact + 3 * vertex,
		3 * sizeof(float));
	r->patch.locked[place] = false;
	return place;
}

/*
 * Returns the place of a vertex that may share its position. *slot_ret is its slot, which contains
 * the first wedge of the place.
 */
static uint32_t find_place(struct cs_reducer *r, size_t vertex, uint32_t **slot_ret)
{
	const size_t bytes = 3 * sizeof(float);
	const float *position = r->builder->dag.positions + 3 * vertex;
	const uint32_t *places = r->patch.places;
	*slot_ret = cs_probe(r->slots, r->mask, XXH3_64bits(position, bytes), wedge,
		memcmp(r->patch.positions + 3 * (size_t)places[wedge], position, bytes) == 0);
	return **slot_ret ? places[cs_slot_row(*slot_ret)] : new_place(r, vertex);
}

/* Adds a wedge whose attributes are already stored after those of the last one. */
static uint32_t new_wedge(struct cs_reducer *r, uint32_t place)
{
	r->patch.places[r->patch.n_wedges] = place;
	return r->patch.n_wedges++;
}

static uint32_t find_wedge(struct cs_reducer *r, size_t vertex, bool has_twins)
{
	const struct cs_dag *dag = &r->builder->dag;
	struct cs_patch *p = &r->patch;
	struct cs_vertex from = {
		dag->positions, dag->normals, dag->uvs, dag->colors, dag->n_uvs, vertex};
	float *attributes = p->attributes + (size_t)p->n_wedges * p->n_attributes;
	size_t bytes = p->n_attributes * sizeof(float);
	cs_attributes_read(&from, attributes);
	if (!has_twins)
		return new_wedge(r, new_place(r, vertex));
	uint32_t *slot, place = find_place(r, vertex, &slot);
	for (uint32_t w = cs_slot_row(slot); w != CS_NONE; w = r->chain[w])
		if (memcmp(p->attributes + (size_t)w * p->n_attributes, attributes, bytes) == 0)
			return w;
	uint32_t wedge = new_wedge(r, place);
	r->chain[wedge] = cs_slot_row(slot);
	*slot = wedge + 1;
	return wedge;
}

static void merge_cluster(struct cs_reducer *r, uint32_t i, uint32_t first, uint32_t triangle)
{
	const struct cs_dag *dag = &r->builder->dag;
	const struct cs_cluster *cluster = cs_reducer_child(r, i);
	const struct cs_vertex_set *twins = &r->grouping->level->twins[r->children[i]];
	const struct cs_vertex_set *locked = &r->grouping->locked[r->children[i]];
	struct cs_patch *p = &r->patch;
	for (uint32_t v = 0; v < cluster->n_vertices; v++) {
		uint32_t wedge = find_wedge(
			r, (size_t)cluster->first_vertex + v, cs_vertex_set_has(twins, v));
		r->wedge_of[first + v] = wedge;
		if (cs_vertex_set_has(locked, v))
			p->locked[p->places[wedge]] = true;
	}
	const uint8_t *corners = dag->corners + 3 * (size_t)cluster->first_triangle;
	for (size_t k = 0; k < 3 * (size_t)cluster->n_triangles; k++)
		p->corners[3 * (size_t)triangle + k] = r->wedge_of[first + corners[k]];
	memcpy(p->materials + triangle, dag->materials + cluster->first_triangle,
		cluster->n_triangles);
	memcpy(r->errors + triangle, r->builder->errors.at + cluster->first_triangle,
		cluster->n_triangles * sizeof(float));
}

static void add_outer(struct cs_reducer *r, uint32_t i, uint32_t first)
{
	const struct cs_level *level = r->grouping->level;
	const uint32_t *group_of = r->grouping->group_of;
	struct cs_patch *p = &r->patch;
	uint32_t mine = r->children[i];
	for (uint32_t e = level->starts[mine]; e < level->starts[mine + 1]; e++) {
		const struct cs_level_edge *edge = &level->edges[e];
		if (edge->mate == CS_NONE ||
			group_of[level->cluster_of[edge->mate]] == group_of[mine])
			continue;
		p->outer[2 * p->n_outer] = p->places[r->wedge_of[first + edge->from]];
		p->outer[2 * p->n_outer++ + 1] = p->places[r->wedge_of[first + edge->to]];
	}
}

/* ---- the patch ---- */

struct cs_error *cs_reducer_pair(struct cs_reducer *r, uint32_t n_triangles, uint32_t *opposite_ret)
{
	uint32_t n_places = r->patch.n_places, *opposite = r->next;
	if (cs_pair_edges(r->places, n_triangles, n_places, r->heads, r->next, opposite_ret))
		return NULL;
	struct cs_error *error = cs_match_edges(r->places, n_triangles, n_places, 1, opposite);
	for (uint32_t e = 0; !error && e < 3 * n_triangles; e++)
		opposite_ret[e] = cs_edge_partner(opposite, e);
	return error;
}

struct cs_error *cs_reducer_merge(struct cs_reducer *r)
{
	struct cs_patch *p = &r->patch;
	uint32_t first = 0, triangle = 0;
	if (!allocate(r))
		return cs_error_nomem();
	for (uint32_t i = 0; i < r->n_children; i++) {
		merge_cluster(r, i, first, triangle);
		first += cs_reducer_child(r, i)->n_vertices;
		triangle += cs_reducer_child(r, i)->n_triangles;
	}
	first = 0;
	for (uint32_t i = 0; i < r->n_children; i++) {
		add_outer(r, i, first);
		first += cs_reducer_child(r, i)->n_vertices;
	}
	for (size_t i = 0; i < 3 * (size_t)p->n_triangles; i++)
		r->places[i] = p->places[p->corners[i]];
	const struct cs_dag *dag = &r->builder->dag;
	p->step = ldexp(1, -r->builder->rounded.precision);
	memcpy(p->room_min, r->builder->rounded.room.min, sizeof(p->room_min));
	memcpy(p->room_max, r->builder->rounded.room.max, sizeof(p->room_max));
	p->wants_error = r->builder->options.error == CS_DAG_ERROR_QUADRIC;
	cs_patch_set_weights(p, &r->builder->options, dag->colors != NULL, dag->n_uvs);
	return cs_reducer_pair(r, p->n_triangles, p->opposite);
}
