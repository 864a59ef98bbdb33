/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the cells of a log and their actors: an actor in the list of a cell is found among the
 * descriptors by instance GUID, then by name. The persistent level only names its actors.
 */
#include "ue/log/log_written.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/search.h"
#include "core/text.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>

static uint32_t add_loaded_cell(struct cs_written *w)
{
	char name[400];
	snprintf(name, sizeof(name), "%.300s_PersistentLevel_Persistent", w->data->log.world);
	PUSH(w, cells,
		(struct cs_cooked_cell){.guid = cs_written_guid("cell", "PersistentLevel", 0),
			.box = CS_BOX_INVALID,
			.content = CS_BOX_INVALID,
			.name = cs_written_text(w, name),
			.short_name = cs_written_text(w, "Persistent"),
			.package = cs_written_text(w, ""),
			.partition =
				cs_written_partition(w, "PersistentLevel", CS_PARTITION_PERSISTENT),
			.flags = CS_CELL_ALWAYS_LOADED | CS_CELL_MADE_GUID | CS_CELL_NAMES_ALONE,
			.external_layer = CS_NONE});
	return (uint32_t)w->cells.n - 1;
}

/* Returns the box that the name gives, in a grid of the fitted size. */
static struct cs_box box_by_name(
	const struct cs_cooked_partition *p, const struct cs_ue_cell_name *place)
{
	if (place->level < 0 || place->level > 40 || !(p->cell_size > 0))
		return CS_BOX_INVALID;
	const double edge = ldexp(p->cell_size, place->level);
	const double x = p->origin.x + place->x * edge, y = p->origin.y + place->y * edge;
	const double z = p->flags & CS_PARTITION_2D ? 0 : p->origin.z + place->z * edge;
	return (struct cs_box){
		{x, y, z}, {x + edge, y + edge, p->flags & CS_PARTITION_2D ? 0 : z + edge}};
}

static void add_cell_layers(struct cs_written *w, size_t cell, struct cs_cooked_cell *to)
{
	const struct cs_ue_log_data *data = w->data;
	to->layers.first = (uint32_t)w->cell_layers.n;
	size_t at = cs_lower_bound(0, data->cell_layers.n, i, data->cell_layers.at[i].cell < cell);
	for (; at < data->cell_layers.n && data->cell_layers.at[at].cell == cell; at++) {
		const char *name = data->cell_layers.at[at].name;
		uint32_t layer = cs_written_layer(w, name, strlen(name));
		if (layer == CS_NONE)
			continue;
		PUSH(w, cell_layers, layer);
		to->layers.count++;
	}
}

static void add_cell(struct cs_written *w, size_t index)
{
	const struct cs_ue_log_cell *from = &w->data->cells.at[index];
	struct cs_ue_cell_name place = {0};
	bool known = cs_ue_parse_cell_name(from->name, w->data->log.world, &place);
	char partition[300] = "unknown";
	if (known)
		snprintf(partition, sizeof(partition), "%.*s",
			(int)(place.partition_length < 290 ? place.partition_length : 290),
			place.partition);
	uint32_t row = cs_written_partition(w, partition,
		w->data->spatial_hash ? CS_PARTITION_SPATIAL_GRID : CS_PARTITION_LHGRID);
	if (w->failed)
		return;
	const struct cs_cooked_partition *p = &w->partitions.at[row];
	bool flat = from->has_boxes ? from->is_2d : p->flags & CS_PARTITION_2D;
	struct cs_cooked_cell to = {.guid = cs_written_guid("cell", from->name, 0),
		.box = from->has_boxes ? from->bounds
		       : known         ? box_by_name(p, &place)
				       : CS_BOX_INVALID,
		.content = from->has_boxes ? from->content : CS_BOX_INVALID,
		.x = (int64_t)place.x,
		.y = (int64_t)place.y,
		.z = (int64_t)place.z,
		.name = cs_written_text(w, from->name),
		.short_name = cs_written_text(
			w, known ? place.partition + place.partition_length + 1 : from->name),
		.package = cs_written_text(w, from->package),
		.partition = row,
		.level = place.level,
		.hierarchical_level = place.level,
		.flags = CS_CELL_SPATIAL | CS_CELL_MADE_GUID | CS_CELL_NAMES_ALONE |
			 (flat ? CS_CELL_2D : 0) | (known ? 0 : CS_CELL_NO_PLACE) |
			 (from->has_boxes ? 0 : CS_CELL_NO_BOXES),
		.layers_id = cs_ue_layers_of_name(from->name),
		.external_layer = CS_NONE};
	add_cell_layers(w, index, &to);
	PUSH(w, cells, to);
}

/* ---- what the cells list ---- */

static uint32_t record_named(const struct cs_written *w, uint32_t container, const char *name)
{
	uint32_t offset = cs_strings_find(&w->texts, name, strlen(name));
	const struct cs_sort_key *found =
		offset == CS_NONE ? NULL
				  : cs_sort_keys_find(w->by_name, w->n_indexed, offset, container);
	return found ? found->index : CS_NONE;
}

/* Returns an actor with that name that no cell lists, from any container, the main one first. */
static uint32_t free_record_named(const struct cs_written *w, const char *name)
{
	uint32_t offset = cs_strings_find(&w->texts, name, strlen(name));
	size_t at = cs_lower_bound(0, w->n_indexed, i, w->by_name[i].high < offset);
	enum { TRIES = 256 }; /* the most instances of one level that are tried */
	for (size_t i = at; i < w->n_indexed && w->by_name[i].high == offset && i < at + TRIES; i++)
		if (w->records.at[w->by_name[i].index].row.cell == CS_NONE)
			return w->by_name[i].index;
	return CS_NONE;
}

/* Returns the described actor that a cell lists, or CS_NONE when no description fits. */
static uint32_t log_listed_record_of(struct cs_written *w, const struct cs_ue_log_actor *actor)
{
	const uint32_t container = cs_written_container(w, actor);
	const struct cs_sort_key *found =
		cs_sort_keys_find_guid(w->by_guid, w->n_indexed, actor->instance);
	if (found && w->records.at[found->index].row.container == container)
		return found->index;
	return record_named(w, container, cs_object_name(actor->path));
}

static uint32_t add_listed(struct cs_written *w, const struct cs_ue_log_actor *actor)
{
	bool identified = !cs_guid_is_zero(actor->instance);
	struct cs_guid guid =
		identified ? actor->instance : cs_written_guid("actor", actor->path, 0);
	struct cs_written_actor record = cs_written_new(guid, cs_written_container(w, actor));
	record.row.name = record.row.label = cs_written_text(w, cs_object_name(actor->path));
	record.row.flags |= identified ? 0 : CS_ACTOR_MADE_GUID;
	record.detail.instance_guid = guid;
	PUSH(w, records, record);
	return (uint32_t)w->records.n - 1;
}

static void put_in_cell(
	struct cs_written *w, uint32_t row, uint32_t cell, const struct cs_ue_log_actor *actor)
{
	struct cs_written_actor *record = &w->records.at[row];
	bool spatial = w->cells.at[cell].flags & CS_CELL_SPATIAL;
	record->row.cell = cell;
	record->row.placement = !spatial                ? CS_PLACED_NON_SPATIAL
				: w->data->spatial_hash ? CS_PLACED_BY_BOUNDS
							: CS_PLACED_BY_CENTRE;
	record->row.flags |=
		(spatial ? CS_ACTOR_SPATIAL : 0) | (actor->editor_only ? CS_ACTOR_EDITOR_ONLY : 0);
	if (spatial)
		record->row.effective_grid = w->partitions.at[w->cells.at[cell].partition].name;
	record->detail.path = cs_written_text(w, actor->path);
	record->detail.package = cs_written_text(w, actor->package);
	record->detail.transform = actor->transform;
	if (!cs_guid_is_zero(actor->instance))
		record->detail.instance_guid = actor->instance;
}

static void list_cell(struct cs_written *w, size_t index, uint32_t cell)
{
	const struct cs_ue_log_cell *from = &w->data->cells.at[index];
	size_t again = 0;
	for (size_t i = 0; i < from->count && !w->failed; i++) {
		const struct cs_ue_log_actor *actor = &w->data->actors.at[from->first + i];
		uint32_t row = log_listed_record_of(w, actor);
		if (row == CS_NONE)
			row = add_listed(w, actor);
		if (w->failed)
			return;
		if (w->records.at[row].row.cell != CS_NONE)
			again++;
		else
			put_in_cell(w, row, cell, actor);
	}
	if (again)
		cs_job_log(w->job, CS_LOG_WARNING,
			"%s: %s lists %zu actor%s that another cell lists too; left out there",
			w->name, from->name, again, again == 1 ? "" : "s");
}

static void list_loaded(struct cs_written *w)
{
	if (w->data->always_loaded.n == 0)
		return;
	const uint32_t cell = add_loaded_cell(w);
	for (size_t i = 0; i < w->data->always_loaded.n && !w->failed; i++) {
		const struct cs_ue_log_actor *actor = &w->data->always_loaded.at[i];
		uint32_t row = free_record_named(w, cs_object_name(actor->path));
		if (row == CS_NONE)
			row = add_listed(w, actor);
		if (!w->failed && w->records.at[row].row.cell == CS_NONE)
			put_in_cell(w, row, cell, actor);
	}
}

void cs_written_cells(struct cs_written *w)
{
	for (size_t i = 0; i < w->data->cells.n && !w->failed; i++) {
		add_cell(w, i);
		if (!w->failed)
			list_cell(w, i, (uint32_t)w->cells.n - 1);
	}
	if (!w->failed)
		list_loaded(w);
}
