/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the HLOD actors of the source and the cells of this cook that they stand for. An HLOD
 * names its cell by GUID. UE's recipe for that GUID is not known, so for a world that UE saved the
 * cell is also looked for by name, without the prefix of the world.
 */
#include "cook/tables.h"

#include "base/sort.h"

#include <stdio.h>
#include <string.h>

struct cell_index {
	struct cs_sort_key *by_guid;
	struct cs_strings names;  /* Grid_L0_X1_Y2 */
	struct cs_text_map cells; /* by name */
	size_t n;
};

static bool index_cells(struct cs_cook *cook, struct cell_index *index, bool by_name)
{
	const struct cs_tables *t = cook->tables;
	size_t prefix = strlen(cs_world_name(cook->world)) + 1;
	index->n = t->cells.n;
	index->by_guid = malloc((t->cells.n ? t->cells.n : 1) * sizeof(*index->by_guid));
	if (!index->by_guid)
		return false;
	for (uint32_t i = 0; i < t->cells.n; i++) {
		struct cs_guid g = t->cells.at[i].guid;
		index->by_guid[i] = (struct cs_sort_key){
			(uint64_t)g.a << 32 | g.b, (uint64_t)g.c << 32 | g.d, i};
	}
	for (uint32_t i = 0; by_name && i < t->cells.n; i++) {
		const char *name = (const char *)t->texts.bytes + t->cells.at[i].name;
		uint32_t text = cs_strings_add_z(
			&index->names, strlen(name) > prefix ? name + prefix : name);
		uint32_t *cell = text == CS_NONE ? NULL : cs_text_map_at(&index->cells, text);
		if (!cell)
			return false;
		*cell = i;
	}
	return cs_sort_keys(index->by_guid, index->n);
}

static uint32_t find_by_guid(const struct cell_index *index, struct cs_guid g)
{
	uint64_t high = (uint64_t)g.a << 32 | g.b, low = (uint64_t)g.c << 32 | g.d;
	size_t first = 0, last = index->n;
	while (first < last) {
		size_t middle = first + (last - first) / 2;
		const struct cs_sort_key *k = &index->by_guid[middle];
		if (k->high < high || (k->high == high && k->low < low))
			first = middle + 1;
		else
			last = middle;
	}
	bool found = first < index->n && index->by_guid[first].high == high &&
		     index->by_guid[first].low == low;
	return found ? index->by_guid[first].index : CS_NONE;
}

/* "OpenWorld_MainGrid_L0_X0_Y1_Z0": whatever follows one of the first underscores. */
static uint32_t find_by_name(struct cell_index *index, const char *name)
{
	for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_')) {
		uint32_t text = cs_strings_find(&index->names, at + 1, strlen(at + 1));
		if (text != CS_NONE && text != 0)
			return *cs_text_map_at(&index->cells, text);
	}
	return CS_NONE;
}

/* What it was built from is gone: it is shown for ever, over what is there now. */
static struct cs_error *report_stale(
	struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	const struct cs_hlod_actor *hlod = &cook->world->hlods.at[cs_view_actor(cook, view)->hlod];
	char guid[CS_GUID_TEXT], reason[400];
	const char *name = cs_world_text(cook->world, hlod->source_cell_name);
	cs_guid_format(hlod->source_cell, guid);
	int n = snprintf(reason, sizeof(reason), "no cell of this cook is its source cell, %.300s",
		*name ? name : guid);
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_HLOD_SOURCE_CELL, CS_WARNING,
		CS_REPAIR_NONE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	draft.collection = instance->collection;
	draft.view = view;
	draft.hlod_layer = cs_cook_hlod_layer(cook, hlod->layer);
	return cs_cook_find(cook, draft, NULL);
}

static uint32_t write_hlod(
	struct cs_cook *cook, struct cell_index *index, uint32_t row, const struct cs_actor *actor)
{
	struct cs_tables *t = cook->tables;
	const struct cs_hlod_actor *hlod = &cook->world->hlods.at[actor->hlod];
	uint32_t cell = find_by_guid(index, hlod->source_cell), set = cook->set_of_row[row];
	if (cell == CS_NONE && index->names.n)
		cell = find_by_name(index, cs_world_text(cook->world, hlod->source_cell_name));
	struct cs_cooked_hlod out = {
		.source_cell = hlod->source_cell,
		.actor = row,
		.cell = cell,
		.layer = cs_cook_hlod_layer(cook, hlod->layer),
		.home = set == CS_NONE ? CS_NONE : cook->sets.at[set].cell,
		.min_visible_distance = hlod->min_visible_distance,
		.mesh_bytes = hlod->mesh_bytes,
		.mesh = cs_tables_text(cook, hlod->mesh),
	};
	if (!cs_vec_push(&t->hlods, out))
		t->failed = true;
	return cell;
}

static struct cs_error *write_hlods(struct cs_cook *cook, struct cell_index *index,
	const struct cs_instance *instance, bool first)
{
	const struct cs_collection *c = &cook->collections.at[instance->collection];
	struct cs_error *error = NULL;
	for (uint32_t k = 0; !error && k < c->n_views && !cook->tables->failed; k++) {
		const struct cs_actor *actor = cs_view_actor(cook, c->first_view + k);
		if (actor->hlod == CS_NONE)
			continue;
		uint32_t cell = write_hlod(cook, index, instance->first_row + k, actor);
		if (cell == CS_NONE && first)
			error = report_stale(cook, instance, c->first_view + k);
	}
	return error;
}

/* Findings are about a level, not about each of its instances. */
static struct cs_error *write_instances(struct cs_cook *cook, struct cell_index *index)
{
	bool *seen = calloc(cook->collections.n + 1, sizeof(*seen));
	struct cs_error *error = seen ? NULL : cs_error_nomem();
	for (size_t i = 0; i < cook->instances.n && !error; i++) {
		const struct cs_instance *instance = &cook->instances.at[i];
		error = write_hlods(cook, index, instance, !seen[instance->collection]);
		seen[instance->collection] = true;
	}
	free(seen);
	return error;
}

struct cs_error *cs_tables_hlods(struct cs_cook *cook)
{
	struct cell_index index = {0};
	const char *source = cs_world_text(cook->world, cook->world->settings.source);
	bool by_name = strcmp(source, "uproject") == 0 || strcmp(source, "log") == 0;
	if (cook->world->hlods.n == 0 || cook->tables->failed)
		return NULL;
	struct cs_error *error = index_cells(cook, &index, by_name) ? write_instances(cook, &index)
								    : cs_error_nomem();
	free(index.by_guid);
	cs_strings_deinit(&index.names);
	cs_text_map_deinit(&index.cells);
	return error;
}
