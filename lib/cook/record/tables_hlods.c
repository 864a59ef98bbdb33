/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the cells of this cook that the HLOD actors of the source represent (world partition rule
 * 1.7.5). From engine version 5.2 on, an HLOD actor stores the GUID of its cell; in 5.1 the cell's
 * name without the world; in 5.0 only a label, "Layer/World_Grid_L0_X1_Y2_DL0". If a GUID matches
 * no cell and UE saved the world, the name is tried too, because not all inputs of a GUID are
 * known. Names are compared without case, without the name of the world, and without an id of
 * layers that is 0.
 */
#include "cook/record/tables.h"

#include "cook/phases/text_map.h"
#include "core/guid.h"
#include "core/sort.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>
#include <string.h>

struct cell_index {
	struct cs_sort_key *by_guid;
	struct cs_strings names;  /* normalized names of cells, such as grid_l0_x1_y2 */
	struct cs_text_map cells; /* for each text of `names` (by its offset): row of the cell */
	size_t n;
	bool saved_by_ue;
};

#define CELL_KEY 512

/*
 * Makes a key that is equal for all spellings of a cell's name: in lower case, without leading
 * zeros in the hexadecimal id of the data layers after "_dl", and without "_dl" if that id is 0.
 */
static void tables_hlods_make_key(const char *name, char key[CELL_KEY])
{
	size_t n = 0;
	for (; name[n] && n < CELL_KEY - 1; n++)
		key[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] - 'A' + 'a') : name[n];
	key[n] = '\0';
	char *id = strstr(key, "_dl");
	if (!id)
		return;
	char *digits = id + 3;
	size_t zeros = strspn(digits, "0");
	if (digits[zeros] == '\0')
		*id = '\0';
	else
		memmove(digits, digits + zeros, strlen(digits + zeros) + 1);
}

static bool index_cells(struct cs_cook *cook, struct cell_index *index)
{
	const struct cs_tables *tables = cook->result.tables;
	size_t prefix = strlen(cs_world_name(cook->world)) + 1;
	index->n = tables->cells.n;
	index->by_guid = malloc((tables->cells.n ? tables->cells.n : 1) * sizeof(*index->by_guid));
	if (!index->by_guid)
		return false;
	for (uint32_t i = 0; i < tables->cells.n; i++)
		index->by_guid[i] = cs_sort_key_of_guid(tables->cells.at[i].guid, i);
	for (uint32_t i = 0; i < tables->cells.n; i++) {
		const char *name = cs_file_texts_at(&tables->texts, tables->cells.at[i].name);
		char key[CELL_KEY];
		tables_hlods_make_key(strlen(name) > prefix ? name + prefix : name, key);
		uint32_t text = cs_strings_add_z(&index->names, key);
		uint32_t *cell = text == CS_NONE ? NULL : cs_text_map_at(&index->cells, text);
		if (!cell)
			return false;
		*cell = i;
	}
	return cs_sort_keys(index->by_guid, index->n);
}

/*
 * Finds the cell "OpenWorld_MainGrid_L0_X0_Y1_Z0": by the whole name, then by the part after each
 * "_".
 */
static uint32_t find_by_name(struct cell_index *index, const char *name)
{
	char key[CELL_KEY];
	tables_hlods_make_key(name, key);
	for (const char *at = key; at && *at; at = strchr(at, '_') ? strchr(at, '_') + 1 : NULL) {
		uint32_t text = cs_strings_find(&index->names, at, strlen(at));
		if (text != CS_NONE && text != 0)
			return *cs_text_map_at(&index->cells, text);
	}
	return CS_NONE;
}

/* Returns the represented cell's name, as stored or from the label ("HLOD0/World_Grid_L0_..."). */
static const char *name_of_source(const struct cs_world *world, const struct cs_actor_row *actor)
{
	const char *name = cs_world_text(
		world, world->hlods.at[cs_actor_more(world, actor)->hlod].source_cell_name);
	const char *label = cs_world_text(world, actor->label), *slash = strchr(label, '/');
	if (*name)
		return name;
	return slash ? slash + 1 : label;
}

/* Reports an HLOD actor that has no source cell. It would always be shown, over other content. */
static struct cs_error *report_stale(
	struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	const struct cs_hlod_actor *hlod =
		&cook->world->hlods.at[cs_actor_more(cook->world, cs_view_actor(cook, view))->hlod];
	char guid[CS_GUID_TEXT], reason[400];
	const char *name = name_of_source(cook->world, cs_view_actor(cook, view));
	cs_guid_format(hlod->source_cell, guid);
	int n = snprintf(reason, sizeof(reason), "no cell of this cook is its source cell, %.300s",
		*name ? name : guid);
	struct cs_finding_draft draft = cs_finding_draft(CS_CHECK_HLOD_SOURCE_CELL, CS_WARNING,
		CS_REPAIR_NONE, cs_arena_text(&cook->arena, reason, (size_t)n));
	if (!draft.reason)
		return cs_error_nomem();
	draft.collection = instance->collection;
	draft.instance = (uint32_t)(instance - cook->placed.instances.at);
	draft.view = view;
	draft.hlod_layer = cs_cook_hlod_layer(cook, hlod->layer);
	return cs_cook_find(cook, draft, NULL);
}

static uint32_t write_hlod(struct cs_cook *cook, struct cell_index *index, uint32_t row,
	const struct cs_actor_row *actor)
{
	struct cs_tables *tables = cook->result.tables;
	const struct cs_hlod_actor *hlod =
		&cook->world->hlods.at[cs_actor_more(cook->world, actor)->hlod];
	const bool has_guid = !cs_guid_is_zero(hlod->source_cell);
	uint32_t cell =
		has_guid ? cs_sort_keys_find_guid(index->by_guid, index->n, hlod->source_cell)
			 : CS_NONE;
	uint32_t set = cook->grouped.set_of_row[row];
	if (cell == CS_NONE && (!has_guid || index->saved_by_ue))
		cell = find_by_name(index, name_of_source(cook->world, actor));
	struct cs_cooked_hlod out = {
		.source_cell = hlod->source_cell,
		.actor = row,
		.cell = cell,
		.layer = cs_cook_hlod_layer(cook, hlod->layer),
		.home = set == CS_NONE ? CS_NONE : cook->grouped.sets.at[set].cell,
		.min_visible_distance = hlod->min_visible_distance,
		.mesh_bytes = hlod->mesh_bytes,
		.mesh = cs_tables_text(cook, hlod->mesh),
		.flags = hlod->no_warmup ? CS_HLOD_NO_WARMUP : 0,
	};
	tables->names_meshes = tables->names_meshes || hlod->mesh;
	cs_vec_push_in(tables, hlods, out);
	return cell;
}

static struct cs_error *write_hlods(struct cs_cook *cook, struct cell_index *index,
	const struct cs_instance *instance, bool first)
{
	const struct cs_collection *collection = &cook->actors.collections.at[instance->collection];
	struct cs_error *error = NULL;
	for (uint32_t k = 0; !error && k < collection->n_views && !cook->result.tables->failed;
		k++) {
		const struct cs_actor_row *actor = cs_view_actor(cook, collection->first_view + k);
		if (cs_actor_more(cook->world, actor)->hlod == CS_NONE)
			continue;
		uint32_t cell = write_hlod(cook, index, instance->first_row + k, actor);
		if (cell == CS_NONE && first)
			error = report_stale(cook, instance, collection->first_view + k);
	}
	return error;
}

/* Writes the HLOD actors of all instances; only a level's first instance reports findings. */
static struct cs_error *write_instances(struct cs_cook *cook, struct cell_index *index)
{
	bool *seen = calloc(cook->actors.collections.n + 1, sizeof(*seen));
	struct cs_error *error = seen ? NULL : cs_error_nomem();
	for (size_t i = 0; i < cook->placed.instances.n && !error; i++) {
		const struct cs_instance *instance = &cook->placed.instances.at[i];
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
	index.saved_by_ue = strcmp(source, "uproject") == 0 || strcmp(source, "log") == 0;
	if (cook->world->hlods.n == 0 || cook->result.tables->failed)
		return NULL;
	struct cs_error *error =
		index_cells(cook, &index) ? write_instances(cook, &index) : cs_error_nomem();
	free(index.by_guid);
	cs_strings_deinit(&index.names);
	cs_text_map_deinit(&index.cells);
	return error;
}
