/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns and tables about a run: states of cells and layers, sources, the order in which cells
 * load. Without a run every cell is unloaded, and the tables are empty.
 */
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"
#include "query/tables/table_nanite.h"
#include "stream/stream_inside.h"
#include <cellscope/compare.h>
#include <cellscope/cooked_values.h>

#include <stddef.h>
#include <string.h>

static uint32_t partition_of(const struct cs_row *row)
{
	return ((const struct cs_cooked_source *)row->source)->index;
}

/* ---- columns of the table `cells` ---- */

static struct cs_stream_cell_view view_of(const struct cs_row *row)
{
	return cs_stream_cell(cs_stream_of(row),
		(struct cs_stream_cell){partition_of(row), (uint32_t)row->index});
}

CS_READER(cs_read_cell_state, cs_text(cs_word(CS_WORDS_CELL_STATE, view_of(row).shown)->name))
CS_READER(cs_read_cell_status, cs_integer(view_of(row).state))
CS_READER(cs_read_cell_wanted, cs_text(cs_layer_state_names[view_of(row).wanted]))

CS_READER(
	cs_read_cell_since, cs_stream_of(row) ? cs_integer((int64_t)view_of(row).since) : cs_null())
CS_READER(
	cs_read_cell_bytes, cs_stream_of(row) ? cs_integer((int64_t)view_of(row).bytes) : cs_null())

CS_READER(cs_read_cell_mesh_bytes,
	cs_world_of(row)->n_cell_mesh_bytes == 0
		? cs_null()
		: cs_integer((int64_t)cs_world_of(row)->cell_mesh_bytes[row->index]))

/* ---- columns of the table `layers` ---- */

enum layer_state { EFFECTIVE, TARGET, INITIAL };

/* Returns a layer's effective state before a run: its initial one, limited by runtime ancestors. */
static enum cs_layer_state effective_at_first(const struct cs_cooked *world, uint32_t layer)
{
	enum cs_layer_state state = (enum cs_layer_state)world->layers[layer].initial;
	for (uint32_t at = world->layers[layer].parent; at != CS_NONE;
		at = world->layers[at].parent)
		if (world->layers[at].type == CS_LAYER_RUNTIME && world->layers[at].initial < state)
			state = (enum cs_layer_state)world->layers[at].initial;
	return state;
}

/* Returns state `which` of a data layer in the run, or the state at the start of a new run. */
static struct cs_value layer_state(const struct cs_row *row, enum layer_state which)
{
	const struct cs_stream *stream = cs_stream_of(row);
	const struct cs_cooked_layer *layer = row->record;
	const enum cs_layer_state cooked = (enum cs_layer_state)layer->initial;
	struct cs_stream_layer_view view = {
		.effective = effective_at_first(cs_world_of(row), (uint32_t)row->index),
		.target = cooked,
		.initial = cooked};
	if (stream)
		cs_error_free(
			cs_stream_layer(stream, partition_of(row), (uint32_t)row->index, &view));
	const enum cs_layer_state states[] = {
		[EFFECTIVE] = view.effective, [TARGET] = view.target, [INITIAL] = view.initial};
	const bool unsaid = which == INITIAL ? layer->flags & CS_LAYER_NAMES_ALONE
					     : layer->type == CS_LAYER_EDITOR;
	return unsaid ? cs_null() : cs_text(cs_layer_state_names[states[which]]);
}

CS_READER(cs_read_layer_effective, layer_state(row, EFFECTIVE))
CS_READER(cs_read_layer_target, layer_state(row, TARGET))
CS_READER(cs_read_layer_initial, layer_state(row, INITIAL))

/* ---- columns of the table `grids` ---- */

CS_READER(cs_read_grid_range,
	cs_number(cs_stream_of(row)
			  ? cs_stream_range(
				    cs_stream_of(row), partition_of(row), (uint32_t)row->index)
				    .range
			  : ((const struct cs_cooked_partition *)row->record)->loading_range))

void cs_read_grid_range_origin(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked_partition *grid = row->record;
	enum cs_range_origin origin =
		grid->flags & CS_PARTITION_ASSUMED ? CS_RANGE_ASSUMED : CS_RANGE_COOKED;
	(void)column;
	if (cs_stream_of(row))
		origin = cs_stream_range(cs_stream_of(row), partition_of(row), (uint32_t)row->index)
				 .origin;
	*ret = cs_text(cs_word(CS_WORDS_RANGE_ORIGIN, origin)->name);
}

/* ---- the table `sources` ---- */

CS_STREAM_ROWS(source, cs_stream_sources(stream), cs_stream_source_at(stream, index).source)

static struct cs_stream_source_view source_view(const struct cs_row *row)
{
	return cs_stream_source_at(cs_stream_of(row), row->index);
}

static void grid_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	*ret = cs_text(((const struct cs_stream_source *)list->list.source)->grids[index]);
}

CS_GETTER(read_source_name, cs_stream_source, cs_text(at->name))
CS_GETTER(read_source_rotation, cs_stream_source,
	cs_vec3_value((struct cs_vec3){at->rotation.pitch, at->rotation.yaw, at->rotation.roll}))
CS_GETTER(read_source_velocity, cs_stream_source, cs_vec3_value(source_view(row).velocity))
CS_GETTER(read_source_active, cs_stream_source, cs_bool(source_view(row).active))
CS_GETTER(read_source_following, cs_stream_source, cs_bool(source_view(row).following))
CS_GETTER(read_source_priority, cs_stream_source, cs_integer(at->priority))
CS_GETTER(read_source_target, cs_stream_source, cs_text(cs_layer_state_names[at->target]))
CS_GETTER(read_source_behavior, cs_stream_source,
	cs_text(at->behavior == CS_SOURCE_EXCLUDE ? "exclude" : "include"))
CS_GETTER(read_source_grids, cs_stream_source,
	(struct cs_value){
		.kind = CS_KIND_LIST, .list = {.source = at, .n = at->n_grids, .item = grid_item}})
CS_GETTER(read_source_shapes, cs_stream_source, cs_integer(at->n_shapes))

static const struct cs_column source_columns[] = {
	CS_VALUE("name", TEXT, read_source_name, "name of the source", CS_SHORT_KEY),
	CS_COLUMN("location", cs_stream_source, location, VEC3, vec3, "position of the source now",
		.flags = CS_COLUMN_SHORT, .unit = "cm"),
	CS_VALUE("rotation", VEC3, read_source_rotation,
		"pitch, yaw and roll of the source, degrees", .unit = "degrees"),
	CS_VALUE("velocity", VEC3, read_source_velocity,
		"velocity of the source that streaming uses", .flags = CS_COLUMN_SHORT,
		.unit = "cm/s"),
	CS_VALUE("target", TEXT, read_source_target, "state that the source requests",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("priority", INTEGER, read_source_priority,
		"0 is the highest priority, 128 the normal one", CS_SHORT),
	CS_VALUE("active", BOOL, read_source_active, "whether the source takes part in streaming",
		CS_SHORT),
	CS_VALUE("following", BOOL, read_source_following, "whether the source moves along a path"),
	CS_VALUE("behavior", TEXT, read_source_behavior,
		"whether the source acts on its grids or on all others"),
	CS_VALUE("grids", LIST, read_source_grids, "grids of the source; none = all grids"),
	CS_COLUMN("block_on_slow", cs_stream_source, block_on_slow, BOOL, bool,
		"whether the game waits for cells that the source needs"),
	CS_COLUMN("remote", cs_stream_source, remote, BOOL, bool,
		"whether the source belongs to a controller on another machine"),
	CS_VALUE("shapes", INTEGER, read_source_shapes,
		"number of shapes; 0 = one sphere with the loading range of the grid"),
	CS_COLUMN("extra_radius", cs_stream_source, extra_radius, NUMBER, f64,
		"length that is added to every radius", .unit = "cm"),
};

const struct cs_table cs_sources_table = {
	.name = "sources",
	.changes = true,
	.row_name = "source",
	.doc = "Streaming sources, sorted by name.",
	CS_COLUMNS(source_columns),
	.missing = CS_E_NOSOURCE,
	CS_ROWS(source),
};

/* ---- the table `order` ---- */

/* Returns a row of the table `order`: all lists of cells (enum cs_order_list) one after another. */
static const struct cs_stream_order_row *order_row_at(const struct cs_stream *stream, size_t index,
	enum cs_order_list *list_ret, size_t *rank_ret)
{
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		size_t n;
		const struct cs_stream_order_row *rows =
			cs_stream_order_open(stream, (enum cs_order_list)list, &n);
		if (index < n) {
			*list_ret = (enum cs_order_list)list;
			*rank_ret = index + 1;
			return &rows[index];
		}
		index -= n;
	}
	return NULL;
}

static size_t order_count(const void *source)
{
	const struct cs_stream *stream = ((const struct cs_cooked_source *)source)->stream;
	size_t total = 0, n;
	for (int list = 0; stream && list < CS_ORDER_LISTS; list++) {
		cs_stream_order_open(stream, (enum cs_order_list)list, &n);
		total += n;
	}
	return total;
}

static const void *order_row(const void *source, size_t index)
{
	enum cs_order_list list;
	size_t rank;
	return order_row_at(((const struct cs_cooked_source *)source)->stream, index, &list, &rank);
}

static void read_order_list(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	static const char *const names[CS_ORDER_LISTS] = {
		"activate", "load", "pending_activate", "pending_load"};
	enum cs_order_list list = CS_ORDER_ACTIVATE;
	size_t rank = 0;
	order_row_at(cs_stream_of(row), row->index, &list, &rank);
	*ret = column->argument ? cs_integer((int64_t)rank) : cs_text(names[list]);
}

CS_GETTER(read_order_cell, cs_stream_order_row,
	cs_text(cs_cooked_cell_name(
		cs_stream_world(cs_stream_of(row), at->cell.world).cooked, at->cell.cell)))
CS_GETTER(read_order_partition, cs_stream_order_row,
	cs_text(cs_stream_world(cs_stream_of(row), at->cell.world).name))
CS_GETTER(read_order_source, cs_stream_order_row, cs_integer(at->keys.source_priority))
CS_GETTER(read_order_level, cs_stream_order_row,
	at->keys.hierarchical_level == INT32_MAX ? cs_null()
						 : cs_integer(at->keys.hierarchical_level))
CS_GETTER(read_order_priority, cs_stream_order_row, cs_integer(at->keys.cell_priority))
CS_GETTER(read_order_decided, cs_stream_order_row,
	cs_text(cs_word(CS_WORDS_ORDER_KEY, at->decided_by)->name))
CS_GETTER(read_order_number, cs_stream_order_row,
	cs_text(cs_word(CS_WORDS_ORDER_KEY, at->decided_by)->rule))

static const struct cs_column order_columns[] = {
	CS_VALUE("list", TEXT, read_order_list, "activate, load, pending_activate or pending_load",
		CS_SHORT),
	CS_VALUE("rank", INTEGER, read_order_list, "position of the cell in the list, from 1",
		.argument = 1, CS_SHORT),
	CS_VALUE("cell", TEXT, read_order_cell, "the cell", CS_SHORT_INDEX),
	CS_VALUE("source", INTEGER, read_order_source,
		"sort key 1: priority of the source, lowest first", CS_SHORT),
	CS_VALUE("level", INTEGER, read_order_level,
		"sort key 2: hierarchical level, highest first; none comes before all", CS_SHORT),
	CS_VALUE("priority", INTEGER, read_order_priority,
		"sort key 3: priority of the cell, lowest first", .label = "prio", CS_SHORT),
	CS_COLUMN("spatial", cs_stream_order_row, keys.spatial, NUMBER, f64,
		"sort key 4: spatial value, from distance and angle, lowest first", CS_SHORT),
	CS_COLUMN("distance2", cs_stream_order_row, keys.distance2, NUMBER, f64,
		"sort key 5 (tie): squared distance", .unit = "cm^2"),
	CS_VALUE("decided_by", TEXT, read_order_decided,
		"sort key that put the cell after the cell in the row above", CS_SHORT),
	CS_VALUE("number", TEXT, read_order_number,
		"number of the rule that defines the sort key: help rule NUMBER"),
	CS_COLUMN("started", cs_stream_order_row, started, BOOL, bool,
		"whether the budget of the frame lets the cell load"),
	CS_VALUE("partition", TEXT, read_order_partition, "world partition of the cell",
		.flags = CS_COLUMN_WORD),
};

const struct cs_table cs_order_table = {
	.name = "order",
	.changes = true,
	.row_name = "order_row",
	.doc = "Cells in the order in which streaming loads or shows them.",
	CS_COLUMNS(order_columns),
	.missing = CS_E_NOCELL,
	CS_ROWS(order),
};

/* ---- functions of SQL about the run ---- */

static struct cs_error *call_state_hash(
	void *context, const struct cs_value *arguments, struct cs_value *ret)
{
	struct cs_cooked_source *source = context;
	uint64_t hash = 0;
	(void)arguments;
	struct cs_error *error = source->stream ? cs_stream_hash(source->stream, &hash) : NULL;
	*ret = source->stream ? cs_hex(hash, 16) : cs_null();
	return error;
}

static struct cs_error *call_frame(
	void *context, const struct cs_value *arguments, struct cs_value *ret)
{
	struct cs_cooked_source *source = context;
	(void)arguments;
	*ret = cs_integer(source->stream ? (int64_t)cs_stream_status(source->stream).frame : 0);
	return NULL;
}

/* Sums over all frames of the run, including frames that the table `frames` no longer has. */
static const struct {
	const char *name;
	size_t offset;
	bool is_time; /* the member is in nanoseconds, the value in SQL in milliseconds */
} report_sums[] = {
#define COUNT(member, ...)     {#member, offsetof(struct cs_stream_report, member), false},
#define TIME(key, member, ...) {#key, offsetof(struct cs_stream_report, member), true},
	CS_STREAM_REPORT_SUMS(COUNT, TIME)
#undef COUNT
#undef TIME
};

static struct cs_error *call_path_report(
	void *context, const struct cs_value *arguments, struct cs_value *ret)
{
	const struct cs_cooked_source *source = context;
	const char *name = arguments[0].kind == CS_KIND_TEXT ? arguments[0].text : "";
	size_t i = 0;
	while (i < CS_COUNT_OF(report_sums) && strcmp(report_sums[i].name, name) != 0)
		i++;
	if (i == CS_COUNT_OF(report_sums))
		return cs_error_new(CS_E_SQL,
			"path_report() has no column '%.60s': `path report -c ?` lists the columns",
			name);
	*ret = cs_null();
	if (source->stream) {
		const struct cs_stream_report report = cs_stream_report(source->stream);
		uint64_t sum;
		memcpy(&sum, (const char *)&report + report_sums[i].offset, sizeof(sum));
		*ret = report_sums[i].is_time ? cs_number((double)sum / 1e6)
					      : cs_integer((int64_t)sum);
	}
	return NULL;
}

struct cs_error *cs_streaming_functions(struct cs_query *query, struct cs_cooked_source *source)
{
	struct cs_error *error = cs_query_function(query, "state_hash", 0, call_state_hash, source);
	if (!error)
		error = cs_query_function(query, "frame", 0, call_frame, source);
	return error ? error : cs_query_function(query, "path_report", 1, call_path_report, source);
}

void cs_query_show(struct cs_query *query, struct cs_stream *stream, const struct cs_pager *pager)
{
	if (query->nanite)
		query->nanite->pager = pager;
	for (size_t i = 0; i < query->worlds.n; i++)
		for (size_t k = 0; k < query->worlds.at[i]->parts.n; k++)
			query->worlds.at[i]->parts.at[k]->stream = stream;
}

void cs_query_show_event(struct cs_query *query, const struct cs_stream_event *event)
{
	for (size_t i = 0; i < query->worlds.n; i++)
		query->worlds.at[i]->event = event;
}
