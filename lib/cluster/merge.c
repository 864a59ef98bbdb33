/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the clusters of a group into one patch. Vertices at the same position become one place,
 * and vertices at a place that agree in all attributes become one wedge. Only vertices that may
 * share their position with another vertex of the level are looked up. Places that are shared with
 * vertices of other groups are locked.
 */
#include "cluster/reduce.h"

#include "core/slots.h"
#include "mesh/edges.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <string.h>

/* ---- merging clusters into a patch ---- */

static bool allocate(struct cs_reducer *reducer)
{
	const struct cs_dag *dag = &reducer->builder->dag;
	struct cs_patch *patch = &reducer->patch;
	size_t vertices = 0, triangles = 0, outer = 0;
	for (uint32_t i = 0; i < reducer->n_children; i++) {
		const struct cs_level *level = reducer->grouping->level;
		vertices += cs_reducer_child(reducer, i)->n_vertices;
		triangles += cs_reducer_child(reducer, i)->n_triangles;
		outer += level->starts[reducer->children[i] + 1] -
			 level->starts[reducer->children[i]];
	}
	size_t slots = cs_slots_for(vertices);
	reducer->mask = slots - 1;
	patch->n_attributes = cs_attributes_count(dag->colors != NULL, dag->n_uvs);
	patch->n_triangles = (uint32_t)triangles;
	patch->corners = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 3 * triangles);
	patch->materials = CS_SCRATCH_ARRAY(reducer->scratch, uint8_t, triangles);
	patch->places = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, vertices);
	patch->attributes =
		CS_SCRATCH_ARRAY(reducer->scratch, float, vertices * patch->n_attributes);
	patch->positions = CS_SCRATCH_ARRAY(reducer->scratch, float, 3 * vertices);
	patch->exact = CS_SCRATCH_ARRAY(reducer->scratch, float, 3 * vertices);
	patch->locked = CS_SCRATCH_ARRAY(reducer->scratch, uint8_t, vertices);
	patch->outer = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 2 * outer);
	reducer->slots = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, slots);
	reducer->chain = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, vertices);
	reducer->wedge_of = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, vertices);
	reducer->errors = CS_SCRATCH_ARRAY(reducer->scratch, float, triangles);
	reducer->places = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 3 * triangles);
	reducer->heads = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, vertices);
	reducer->next = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 3 * triangles);
	reducer->opposite = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 3 * triangles);
	patch->opposite = CS_SCRATCH_ARRAY(reducer->scratch, uint32_t, 3 * triangles);
	if (reducer->scratch->failed)
		return false;
	memset(reducer->slots, 0, slots * sizeof(uint32_t));
	return true;
}

static uint32_t new_place(struct cs_reducer *reducer, size_t vertex)
{
	uint32_t place = reducer->patch.n_places++;
	memcpy(reducer->patch.positions + 3 * (size_t)place,
		reducer->builder->dag.positions + 3 * vertex, 3 * sizeof(float));
	memcpy(reducer->patch.exact + 3 * (size_t)place, reducer->builder->exact + 3 * vertex,
		3 * sizeof(float));
	reducer->patch.locked[place] = false;
	return place;
}

/*
 * Returns the place (index of the position) of a vertex that may share its position with others.
 * *slot_ret is the slot of the hash table with the first wedge at the position.
 */
static uint32_t find_place(struct cs_reducer *reducer, size_t vertex, uint32_t **slot_ret)
{
	const size_t bytes = 3 * sizeof(float);
	const float *position = reducer->builder->dag.positions + 3 * vertex;
	const uint32_t *places = reducer->patch.places;
	*slot_ret = cs_probe(reducer->slots, reducer->mask, XXH3_64bits(position, bytes), wedge,
		memcmp(reducer->patch.positions + 3 * (size_t)places[wedge], position, bytes) == 0);
	return **slot_ret ? places[cs_slot_row(*slot_ret)] : new_place(reducer, vertex);
}

/*
 * Adds a wedge at a place. The caller has already stored the attributes of the new wedge after
 * those of the previous wedge.
 */
static uint32_t new_wedge(struct cs_reducer *reducer, uint32_t place)
{
	reducer->patch.places[reducer->patch.n_wedges] = place;
	return reducer->patch.n_wedges++;
}

static uint32_t find_wedge(struct cs_reducer *reducer, size_t vertex, bool has_twins)
{
	const struct cs_dag *dag = &reducer->builder->dag;
	struct cs_patch *patch = &reducer->patch;
	const struct cs_vertex from = CS_VERTEX_OF(dag, vertex);
	float *attributes = patch->attributes + (size_t)patch->n_wedges * patch->n_attributes;
	size_t bytes = patch->n_attributes * sizeof(float);
	cs_attributes_read(&from, attributes);
	if (!has_twins)
		return new_wedge(reducer, new_place(reducer, vertex));
	uint32_t *slot, place = find_place(reducer, vertex, &slot);
	for (uint32_t w = cs_slot_row(slot); w != CS_NONE; w = reducer->chain[w])
		if (memcmp(patch->attributes + (size_t)w * patch->n_attributes, attributes,
			    bytes) == 0)
			return w;
	uint32_t wedge = new_wedge(reducer, place);
	reducer->chain[wedge] = cs_slot_row(slot);
	*slot = wedge + 1;
	return wedge;
}

static void merge_cluster(struct cs_reducer *reducer, uint32_t i, uint32_t first, uint32_t triangle)
{
	const struct cs_dag *dag = &reducer->builder->dag;
	const struct cs_cluster *cluster = cs_reducer_child(reducer, i);
	const struct cs_vertex_set *twins = &reducer->grouping->level->twins[reducer->children[i]];
	const struct cs_vertex_set *locked = &reducer->grouping->locked[reducer->children[i]];
	struct cs_patch *patch = &reducer->patch;
	for (uint32_t v = 0; v < cluster->n_vertices; v++) {
		uint32_t wedge = find_wedge(
			reducer, (size_t)cluster->first_vertex + v, cs_vertex_set_has(twins, v));
		reducer->wedge_of[first + v] = wedge;
		if (cs_vertex_set_has(locked, v))
			patch->locked[patch->places[wedge]] = true;
	}
	const uint8_t *corners = dag->corners + 3 * (size_t)cluster->first_triangle;
	for (size_t k = 0; k < 3 * (size_t)cluster->n_triangles; k++)
		patch->corners[3 * (size_t)triangle + k] = reducer->wedge_of[first + corners[k]];
	memcpy(patch->materials + triangle, dag->materials + cluster->first_triangle,
		cluster->n_triangles);
	memcpy(reducer->errors + triangle, reducer->builder->errors.at + cluster->first_triangle,
		cluster->n_triangles * sizeof(float));
}

static void add_outer(struct cs_reducer *reducer, uint32_t i, uint32_t first)
{
	const struct cs_level *level = reducer->grouping->level;
	const uint32_t *group_of = reducer->grouping->group_of;
	struct cs_patch *patch = &reducer->patch;
	uint32_t mine = reducer->children[i];
	for (uint32_t e = level->starts[mine]; e < level->starts[mine + 1]; e++) {
		const struct cs_level_edge *edge = &level->edges[e];
		if (edge->mate == CS_NONE ||
			group_of[level->cluster_of[edge->mate]] == group_of[mine])
			continue;
		patch->outer[2 * patch->n_outer] =
			patch->places[reducer->wedge_of[first + edge->from]];
		patch->outer[2 * patch->n_outer++ + 1] =
			patch->places[reducer->wedge_of[first + edge->to]];
	}
}

/* ---- making a patch of clusters ---- */

struct cs_error *cs_reducer_pair(
	struct cs_reducer *reducer, uint32_t n_triangles, uint32_t *opposite_ret)
{
	uint32_t n_places = reducer->patch.n_places, *opposite = reducer->next;
	if (cs_pair_edges(reducer->places, n_triangles, n_places, reducer->heads, reducer->next,
		    opposite_ret))
		return NULL;
	struct cs_error *error =
		cs_match_edges(reducer->places, n_triangles, n_places, 1, opposite);
	for (uint32_t e = 0; !error && e < 3 * n_triangles; e++)
		opposite_ret[e] = cs_edge_partner(opposite, e);
	return error;
}

struct cs_error *cs_reducer_merge(struct cs_reducer *reducer)
{
	struct cs_patch *patch = &reducer->patch;
	uint32_t first = 0, triangle = 0;
	if (!allocate(reducer))
		return cs_error_nomem();
	for (uint32_t i = 0; i < reducer->n_children; i++) {
		merge_cluster(reducer, i, first, triangle);
		first += cs_reducer_child(reducer, i)->n_vertices;
		triangle += cs_reducer_child(reducer, i)->n_triangles;
	}
	first = 0;
	for (uint32_t i = 0; i < reducer->n_children; i++) {
		add_outer(reducer, i, first);
		first += cs_reducer_child(reducer, i)->n_vertices;
	}
	for (size_t i = 0; i < 3 * (size_t)patch->n_triangles; i++)
		reducer->places[i] = patch->places[patch->corners[i]];
	const struct cs_dag *dag = &reducer->builder->dag;
	patch->step = ldexp(1, -reducer->builder->rounded.precision);
	memcpy(patch->room_min, reducer->builder->rounded.room.min, sizeof(patch->room_min));
	memcpy(patch->room_max, reducer->builder->rounded.room.max, sizeof(patch->room_max));
	patch->wants_error = reducer->builder->options.error == CS_DAG_ERROR_QUADRIC;
	cs_patch_set_weights(patch, &reducer->builder->options, dag->colors != NULL, dag->n_uvs);
	return cs_reducer_pair(reducer, patch->n_triangles, patch->opposite);
}
