/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts the cells that a log lists, and their actors. A listed actor is matched with its
 * descriptor by instance GUID, or else by name. For the persistent level the log lists only names
 * of actors.
 */
#include "ue/log/log_written.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/search.h"
#include "core/text.h"
#include "ue/package/cell_name.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>

static uint32_t add_loaded_cell(struct cs_written *written)
{
	char name[400];
	snprintf(name, sizeof(name), "%.300s_PersistentLevel_Persistent", written->data->log.world);
	cs_vec_push_in(written, cells,
		(struct cs_cooked_cell){.guid = cs_written_guid("cell", "PersistentLevel", 0),
			.box = CS_BOX_INVALID,
			.content = CS_BOX_INVALID,
			.name = cs_written_text(written, name),
			.short_name = cs_written_text(written, "Persistent"),
			.package = cs_written_text(written, ""),
			.partition = cs_written_partition(
				written, "PersistentLevel", CS_PARTITION_PERSISTENT),
			.flags = CS_CELL_ALWAYS_LOADED | CS_CELL_MADE_GUID | CS_CELL_NAMES_ALONE,
			.external_layer = CS_NONE});
	return (uint32_t)written->cells.n - 1;
}

/* Computes the box of a cell from the coordinates in its name and its partition's cell size. */
static struct cs_box box_by_name(
	const struct cs_cooked_partition *partition, const struct cs_ue_cell_name *place)
{
	if (place->level < 0 || place->level > 40 || !(partition->cell_size > 0))
		return CS_BOX_INVALID;
	const double edge = ldexp(partition->cell_size, place->level);
	const double x = partition->origin.x + place->x * edge,
		     y = partition->origin.y + place->y * edge;
	const double z =
		partition->flags & CS_PARTITION_2D ? 0 : partition->origin.z + place->z * edge;
	return (struct cs_box){
		{x, y, z}, {x + edge, y + edge, partition->flags & CS_PARTITION_2D ? 0 : z + edge}};
}

static void add_cell_layers(struct cs_written *written, size_t cell, struct cs_cooked_cell *to)
{
	const struct cs_ue_log_data *data = written->data;
	to->layers.first = (uint32_t)written->cell_layers.n;
	size_t at = cs_lower_bound(0, data->cell_layers.n, i, data->cell_layers.at[i].cell < cell);
	for (; at < data->cell_layers.n && data->cell_layers.at[at].cell == cell; at++) {
		const char *name = data->cell_layers.at[at].name;
		uint32_t layer = cs_written_layer(written, name, strlen(name));
		if (layer == CS_NONE)
			continue;
		cs_vec_push_in(written, cell_layers, layer);
		to->layers.count++;
	}
}

static void add_cell(struct cs_written *written, size_t index)
{
	const struct cs_ue_log_cell *from = &written->data->cells.at[index];
	struct cs_ue_cell_name place = {0};
	bool known = cs_ue_parse_cell_name(from->name, written->data->log.world, &place);
	char partition[300] = "unknown";
	if (known)
		snprintf(partition, sizeof(partition), "%.*s",
			(int)(place.partition_length < 290 ? place.partition_length : 290),
			place.partition);
	uint32_t row = cs_written_partition(written, partition,
		written->data->spatial_hash ? CS_PARTITION_SPATIAL_GRID : CS_PARTITION_LHGRID);
	if (written->failed)
		return;
	const struct cs_cooked_partition *cooked_partition = &written->partitions.at[row];
	bool flat = from->has_boxes ? from->is_2d : cooked_partition->flags & CS_PARTITION_2D;
	struct cs_cooked_cell to = {.guid = cs_written_guid("cell", from->name, 0),
		.box = from->has_boxes ? from->bounds
		       : known         ? box_by_name(cooked_partition, &place)
				       : CS_BOX_INVALID,
		.content = from->has_boxes ? from->content : CS_BOX_INVALID,
		.x = place.x,
		.y = place.y,
		.z = place.z,
		.name = cs_written_text(written, from->name),
		.short_name = cs_written_text(
			written, known ? place.partition + place.partition_length + 1 : from->name),
		.package = cs_written_text(written, from->package),
		.partition = row,
		.level = place.level,
		.hierarchical_level = place.level,
		.flags = CS_CELL_SPATIAL | CS_CELL_MADE_GUID | CS_CELL_NAMES_ALONE |
			 (flat ? CS_CELL_2D : 0) | (known ? 0 : CS_CELL_NO_PLACE) |
			 (from->has_boxes ? 0 : CS_CELL_NO_BOXES),
		.layers_id = cs_ue_layers_of_name(from->name),
		.external_layer = CS_NONE};
	add_cell_layers(written, index, &to);
	cs_vec_push_in(written, cells, to);
}

/* ---- actors that cells list ---- */

/*
 * Finds an actor with this name that is in no cell yet, in the main container if possible. Tries at
 * most TRIES actors, and returns CS_NONE if none of them fits.
 */
static uint32_t free_record_named(const struct cs_written *written, const char *name)
{
	uint32_t offset = cs_strings_find(&written->texts, name, strlen(name));
	size_t at = cs_lower_bound(0, written->n_indexed, i, written->by_name[i].high < offset);
	enum { TRIES = 256 }; /* largest number of actors of that name that are tried */
	for (size_t i = at;
		i < written->n_indexed && written->by_name[i].high == offset && i < at + TRIES; i++)
		if (written->records.at[written->by_name[i].index].row.cell == CS_NONE)
			return written->by_name[i].index;
	return CS_NONE;
}

/* Returns the index in written->records of an actor that a cell lists, or CS_NONE. */
static uint32_t log_listed_record_of(
	struct cs_written *written, const struct cs_ue_log_actor *actor)
{
	const uint32_t container = cs_written_container(written, actor);
	const uint32_t found =
		cs_sort_keys_find_guid(written->by_guid, written->n_indexed, actor->instance);
	if (found != CS_NONE && written->records.at[found].row.container == container)
		return found;
	const char *name = cs_object_name(actor->path);
	const uint32_t offset = cs_strings_find(&written->texts, name, strlen(name));
	const struct cs_sort_key *named = offset == CS_NONE
						  ? NULL
						  : cs_sort_keys_find(written->by_name,
							    written->n_indexed, offset, container);
	return named ? named->index : CS_NONE;
}

static uint32_t add_listed(struct cs_written *written, const struct cs_ue_log_actor *actor)
{
	bool identified = !cs_guid_is_zero(actor->instance);
	struct cs_guid guid =
		identified ? actor->instance : cs_written_guid("actor", actor->path, 0);
	struct cs_written_actor record = cs_written_new(guid, cs_written_container(written, actor));
	record.row.name = record.row.label = cs_written_text(written, cs_object_name(actor->path));
	record.row.flags |= identified ? 0 : CS_ACTOR_MADE_GUID;
	record.detail.instance_guid = guid;
	cs_vec_push_in(written, records, record);
	return (uint32_t)written->records.n - 1;
}

static void put_in_cell(struct cs_written *written, uint32_t row, uint32_t cell,
	const struct cs_ue_log_actor *actor)
{
	struct cs_written_actor *record = &written->records.at[row];
	bool spatial = written->cells.at[cell].flags & CS_CELL_SPATIAL;
	record->row.cell = cell;
	record->row.placement = !spatial                      ? CS_PLACED_NON_SPATIAL
				: written->data->spatial_hash ? CS_PLACED_BY_BOUNDS
							      : CS_PLACED_BY_CENTRE;
	record->row.flags |=
		(spatial ? CS_ACTOR_SPATIAL : 0) | (actor->editor_only ? CS_ACTOR_EDITOR_ONLY : 0);
	if (spatial)
		record->row.effective_grid =
			written->partitions.at[written->cells.at[cell].partition].name;
	record->detail.path = cs_written_text(written, actor->path);
	record->detail.package = cs_written_text(written, actor->package);
	record->detail.transform = actor->transform;
	if (!cs_guid_is_zero(actor->instance))
		record->detail.instance_guid = actor->instance;
}

static void list_cell(struct cs_written *written, size_t index, uint32_t cell)
{
	const struct cs_ue_log_cell *from = &written->data->cells.at[index];
	size_t again = 0;
	for (size_t i = 0; i < from->count && !written->failed; i++) {
		const struct cs_ue_log_actor *actor = &written->data->actors.at[from->first + i];
		uint32_t row = log_listed_record_of(written, actor);
		if (row == CS_NONE)
			row = add_listed(written, actor);
		if (written->failed)
			return;
		if (written->records.at[row].row.cell != CS_NONE)
			again++;
		else
			put_in_cell(written, row, cell, actor);
	}
	if (again)
		cs_job_log(written->job, CS_LOG_WARNING,
			"%s: %s lists %zu actor%s that another cell lists too; they are shown in "
			"the other cell alone",
			written->name, from->name, again, again == 1 ? "" : "s");
}

static void list_loaded(struct cs_written *written)
{
	if (written->data->always_loaded.n == 0)
		return;
	const uint32_t cell = add_loaded_cell(written);
	for (size_t i = 0; i < written->data->always_loaded.n && !written->failed; i++) {
		const struct cs_ue_log_actor *actor = &written->data->always_loaded.at[i];
		uint32_t row = free_record_named(written, cs_object_name(actor->path));
		if (row == CS_NONE)
			row = add_listed(written, actor);
		if (!written->failed && written->records.at[row].row.cell == CS_NONE)
			put_in_cell(written, row, cell, actor);
	}
}

void cs_written_cells(struct cs_written *written)
{
	for (size_t i = 0; i < written->data->cells.n && !written->failed; i++) {
		add_cell(written, i);
		if (!written->failed)
			list_cell(written, i, (uint32_t)written->cells.n - 1);
	}
	if (!written->failed)
		list_loaded(written);
}
