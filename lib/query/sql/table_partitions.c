/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world partitions of a query: the main one and its standalone level instances, then the other
 * worlds of a catalogue with their instances. Each is a cooked world of its own. A table over
 * records of a world lists the rows of all partitions, the main one first, so that a row of the
 * main world has the same row number with or without other partitions; or only the rows of the
 * partition in focus. This file also defines the table `partitions`.
 */
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"
#include "stream/stream_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of all partitions ---- */

size_t cs_parts_count(const void *source, size_t (*count)(const struct cs_cooked_source *part))
{
	const struct cs_cooked_source *main = source;
	size_t n = 0;
	for (size_t i = 0; i < main->parts.n; i++)
		if (main->focus == CS_NONE || main->focus == i)
			n += count(main->parts.at[i]);
	return n;
}

const void *cs_parts_locate(
	const void *source, size_t *index, size_t (*count)(const struct cs_cooked_source *part))
{
	const struct cs_cooked_source *main = source;
	struct cs_parts_cursor *cursor = main->cursor;
	if (main->focus != CS_NONE)
		return main->parts.at[main->focus];
	if (cursor->count != count || *index < cursor->first)
		*cursor = (struct cs_parts_cursor){.count = count};
	while (cursor->part + 1 < main->parts.n) {
		size_t n = count(main->parts.at[cursor->part]);
		if (*index - cursor->first < n)
			break;
		cursor->first += n;
		cursor->part++;
	}
	*index -= cursor->first;
	return main->parts.at[cursor->part];
}

struct cs_error *cs_parts_load(
	const void *source, struct cs_error *(*load)(struct cs_cooked_source *part))
{
	const struct cs_cooked_source *main = source;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < main->parts.n; i++)
		error = load(main->parts.at[i]);
	return error;
}

struct cs_row cs_table_row(const struct cs_table *table, const void *source, size_t index)
{
	const void *part = source;
	size_t at = index;
	if (table->locate)
		part = table->locate(source, &at);
	return (struct cs_row){part, table->row(source, index), at};
}

/*
 * Converts the row number `index` within the partition of `row` to the row number in `table`, which
 * lists the rows of all partitions.
 */
size_t cs_parts_row(const struct cs_row *row, size_t index, enum cs_parts_table table)
{
	const struct cs_cooked_source *part = row->source, *main = part->main;
	for (uint32_t i = 0; main->focus == CS_NONE && i < part->index; i++) {
		const struct cs_cooked *world = main->parts.at[i]->world;
		index += table == CS_PARTS_SETS ? world->n_sets : world->n_findings;
	}
	return index;
}

/* ---- adding and removing partitions ---- */

static void forget_rows(struct cs_query *query)
{
	*query->worlds.at[0]->cursor = (struct cs_parts_cursor){0};
	for (size_t i = 0; i < query->bindings.n; i++) {
		struct cs_binding *binding = query->bindings.at[i];
		if (!binding->table->locate)
			continue;
		for (size_t k = 0; k < binding->table->n_columns; k++)
			cs_index_deinit(&binding->indexes[k]);
		memset(binding->loaded, 0, sizeof(binding->loaded));
	}
}

void cs_source_free(struct cs_cooked_source *source)
{
	for (size_t i = 1; i < source->parts.n; i++)
		cs_source_free(source->parts.at[i]);
	cs_vec_free(&source->parts);
	if (source->page_events)
		cs_vec_free(&source->page_events->list);
	free(source->page_events);
	free(source->reference_owners);
	free(source->unplaced);
	free(source->containers);
	free(source->cursor);
	free(source->name);
	free(source);
}

static struct cs_cooked_source *main_of(const struct cs_query *query)
{
	return query->worlds.n ? query->worlds.at[0] : NULL;
}

/* Returns a name that no other partition has, such as "Town#2"; the caller frees it. */
static char *unique_name(const struct cs_query *query, const char *name)
{
	size_t room = strlen(name) + 12;
	char *text = malloc(room);
	if (!text)
		return NULL;
	snprintf(text, room, "%s", name);
	for (unsigned i = 2; cs_query_find_partition(query, text) != CS_NONE; i++)
		snprintf(text, room, "%s#%u", name, i);
	return text;
}

struct cs_error *cs_query_add_levels(struct cs_query *query, struct cs_cooked *cooked)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < cooked->n_subs; i++) {
		const struct cs_cooked_sub *sub = &cooked->subs[i];
		struct cs_cooked *level;
		if (sub->level == CS_NONE)
			continue;
		error = cs_cooked_level(cooked, sub->level, query->job, &level);
		if (!error)
			error = cs_query_add_partition(
				query, level, cs_cooked_text(cooked, sub->name));
	}
	return error;
}

struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name)
{
	struct cs_cooked_source *main = main_of(query);
	struct cs_cooked_source *part = main ? calloc(1, sizeof(*part)) : NULL;
	if (!main)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	if (!part)
		return cs_error_nomem();
	*part = (struct cs_cooked_source){.world = cooked,
		.main = main,
		.name = unique_name(
			query, name ? name : cs_cooked_text(cooked, cooked->world->name)),
		.index = (uint32_t)main->parts.n,
		.focus = CS_NONE,
		.catalogued = !name,
		.stream = main->stream};
	if (!part->name || !cs_vec_push(&main->parts, part)) {
		cs_source_free(part);
		return cs_error_nomem();
	}
	forget_rows(query);
	return name ? NULL : cs_query_add_levels(query, cooked);
}

void cs_query_drop_partitions(struct cs_query *query, size_t keep)
{
	struct cs_cooked_source *main = main_of(query);
	if (!main || main->parts.n <= keep)
		return;
	while (main->parts.n > keep)
		cs_source_free(main->parts.at[--main->parts.n]);
	forget_rows(query);
}

/* ---- answers about partitions ---- */

static const char *partition_name(const struct cs_cooked_source *part)
{
	return part->name ? part->name : cs_cooked_text(part->world, part->world->world->name);
}

struct cs_query_counts cs_query_counts(const struct cs_query *query)
{
	const struct cs_cooked_source *main = main_of(query);
	return (struct cs_query_counts){
		query->bindings.n, main ? main->parts.n : 0, main ? main->focus : CS_NONE};
}

struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret)
{
	const struct cs_cooked_source *part = main_of(query)->parts.at[partition];
	if (name_ret)
		*name_ret = partition_name(part);
	return part->world;
}

uint32_t cs_query_find_partition(const struct cs_query *query, const char *name)
{
	for (uint32_t i = 0; i < cs_query_partitions(query); i++)
		if (cs_name_compare(partition_name(main_of(query)->parts.at[i]), name) == 0)
			return i;
	return CS_NONE;
}

void cs_query_focus(struct cs_query *query, uint32_t partition)
{
	struct cs_cooked_source *main = main_of(query);
	if (!main || main->focus == partition)
		return;
	main->focus = partition;
	forget_rows(query);
}

void cs_query_place_row(const struct cs_query *query, const struct cs_table *table, uint32_t *row,
	uint32_t *partition)
{
	size_t at = *row;
	*partition = 0;
	if (!table->locate)
		return;
	*partition = ((const struct cs_cooked_source *)table->locate(main_of(query), &at))->index;
	*row = (uint32_t)at;
}

CS_READER(cs_read_partition, cs_text(partition_name(row->source)))

/* ---- the table `partitions` ---- */

static size_t partition_count(const void *source)
{
	return ((const struct cs_cooked_source *)source)->parts.n;
}

static const void *partition_row(const void *source, size_t index)
{
	return ((const struct cs_cooked_source *)source)->parts.at[index];
}

static struct cs_stream_partition table_partitions_view_of(const struct cs_row *row)
{
	const struct cs_cooked_source *part = row->record;
	struct cs_stream_partition view = {
		.registered = part->index == 0, .waits = true, .owner = CS_STREAM_NO_CELL};
	if (part->stream && part->index < cs_stream_worlds(part->stream))
		view = cs_stream_partition(part->stream, part->index);
	return view;
}

static struct cs_value table_partitions_text_of(const struct cs_row *row, uint32_t text)
{
	const struct cs_cooked_source *part = row->record;
	return cs_text(cs_cooked_text(part->world, text));
}

/* Returns the name of the cell that, while shown, registers the partition of its level instance. */
static struct cs_value owner_of(const struct cs_row *row)
{
	const struct cs_cooked_source *part = row->record;
	struct cs_stream_cell owner = table_partitions_view_of(row).owner;
	if (owner.cell == CS_NONE)
		return cs_null();
	const struct cs_cooked *world = part->main->parts.at[owner.world]->world;
	return cs_text(cs_cooked_cell_name(world, owner.cell));
}

static const char *partition_state(const struct cs_row *row)
{
	const struct cs_stream_partition view = table_partitions_view_of(row);
	if (view.registered)
		return "registered";
	return view.waits ? "waiting" : "unregistered";
}

static struct cs_value location_of(const struct cs_row *row)
{
	const struct cs_cooked_source *part = row->record;
	return part->stream ? cs_vec3_value(table_partitions_view_of(row).transform.translation)
			    : cs_null();
}

static struct cs_value table_partitions_rotation_of(const struct cs_row *row)
{
	const struct cs_cooked_source *part = row->record;
	return part->stream ? cs_quat_value(table_partitions_view_of(row).transform.rotation)
			    : cs_null();
}

CS_GETTER(read_name, cs_cooked_source, cs_text(partition_name(at)))
CS_GETTER(read_index, cs_cooked_source, cs_integer(at->index))
CS_GETTER(read_package, cs_cooked_source, table_partitions_text_of(row, at->world->world->package))
CS_GETTER(read_file, cs_cooked_source, cs_text(cs_file_path(at->world->file)))
CS_GETTER(read_state, cs_cooked_source, at->catalogued ? cs_null() : cs_text(partition_state(row)))
CS_GETTER(read_cells, cs_cooked_source, cs_integer((int64_t)at->world->n_cells))
CS_GETTER(read_loaded, cs_cooked_source, cs_integer(table_partitions_view_of(row).cells_loaded))
CS_GETTER(read_visible, cs_cooked_source, cs_integer(table_partitions_view_of(row).cells_visible))
CS_GETTER(read_location, cs_cooked_source, location_of(row))
CS_GETTER(read_rotation, cs_cooked_source, table_partitions_rotation_of(row))
CS_GETTER(read_owner, cs_cooked_source, owner_of(row))
CS_GETTER(read_serves, cs_cooked_source, cs_bool(table_partitions_view_of(row).server_streaming))

static const struct cs_column partition_columns[] = {
	CS_VALUE("name", TEXT, read_name, "name for -P: name of the map or of the level instance",
		CS_SHORT_KEY),
	CS_VALUE("index", INTEGER, read_index, "number of the partition, 0 = the main world",
		CS_SHORT_KEY),
	CS_VALUE("state", TEXT, read_state,
		"registered, waiting for the cell that contains it, or unregistered, for example by "
		"a command; null for a separate world",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("package", TEXT, read_package, "package of the map or level", CS_SHORT),
	CS_VALUE("file", TEXT, read_file, "file that the world was read from"),
	CS_VALUE("location", VEC3, read_location, "position in the main world", .unit = "cm",
		CS_SHORT),
	CS_VALUE("rotation", QUAT, read_rotation, "rotation in the main world"),
	CS_VALUE("owner", TEXT, read_owner, "cell that contains the level instance"),
	CS_VALUE("cells", INTEGER, read_cells, "number of cells of the partition", CS_SHORT),
	CS_VALUE("loaded", INTEGER, read_loaded, "cells in memory"),
	CS_VALUE("visible", INTEGER, read_visible, "visible cells", CS_SHORT),
	CS_VALUE("server_streaming", BOOL, read_serves, "whether the partition streams on servers"),
};

const struct cs_table cs_partitions_table = {
	.name = "partitions",
	.changes = true,
	.row_name = "partition",
	.doc = "World partitions: the main one, its standalone level instances, other open worlds.",
	CS_COLUMNS(partition_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(partition),
};
