/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Getters of columns over cooked records, and shorthand for their tables. A getter finds its field
 * at column->offset of the record; what a value means is in its name.
 */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/vec.h"

/* Rows of the events that are kept. */
struct cs_event_rows {
	CS_VEC(size_t) list;
};

struct cs_cooked_source;

/*
 * The part of the row that was asked for last, for tables are read row by row and a catalogue may
 * have thousands of worlds: a row behind it is looked for from there on.
 */
struct cs_parts_cursor {
	size_t (*count)(const struct cs_cooked_source *part); /* of which table; NULL = none yet */
	size_t part, first;                                   /* the part, and its first row */
};

/* What the tables of a cooked world read. */
struct cs_cooked_source {
	struct cs_cooked *world;
	const struct cs_cooked_source *main; /* of a query; itself for the main world */
	char *name;                          /* of the partition, NULL = its map's */
	uint32_t index;                      /* of the partition in the run */
	bool catalogued; /* a world beside the main one, which no run of that one knows */
	/* Of the main one: all partitions, itself the first; the one that tables show, or CS_NONE.
	 */
	CS_VEC(struct cs_cooked_source *) parts;
	uint32_t focus;
	struct cs_parts_cursor *cursor;       /* of the main one: where the last row was found */
	const struct cs_inspector *inspector; /* resources beside it, or NULL */
	struct cs_stream *stream;             /* the run over it, or NULL */
	const struct cs_stream_event *event;  /* that conditions look at, or NULL */
	struct cs_event_rows *page_events;    /* of the main one: those of pages */
	uint32_t *reference_owners;   /* actor of each reference, made when first asked for */
	struct cs_unplaced *unplaced; /* actors in no cell, in the same way */
	size_t n_unplaced;
	struct cs_cooked_container
		*containers; /* those of external data layers behind the others */
	size_t n_containers;
};

static inline const struct cs_cooked *cs_world_of(const struct cs_row *row)
{
	return ((const struct cs_cooked_source *)row->source)->world;
}

static inline const struct cs_stream *cs_stream_of(const struct cs_row *row)
{
	return ((const struct cs_cooked_source *)row->source)->stream;
}

static inline const void *cs_read_member(const struct cs_row *row, const struct cs_column *column)
{
	return (const char *)row->record + column->offset;
}

static inline uint32_t cs_read_word(const struct cs_row *row, const struct cs_column *column)
{
	return *(const uint32_t *)((const char *)row->record + column->offset);
}

cs_column_get cs_read_text, cs_read_guid, cs_read_i32, cs_read_u32, cs_read_i64, cs_read_f64;
cs_column_get cs_read_bool;
cs_column_get cs_read_vec3, cs_read_quat, cs_read_box_min, cs_read_box_max;
/* argument: the bit */
cs_column_get cs_read_flag;
/* What a cooked file of the engine does not say: null there. */
cs_column_get cs_read_source_flag, cs_read_source_enum, cs_read_source_layers;
/* names: of the values; of the bits */
cs_column_get cs_read_enum, cs_read_flag_list;
/* argument: number of digits */
cs_column_get cs_read_hex;
/* of a range: how many rows */
cs_column_get cs_read_count;
/* of a range of cell_layers: the labels */
cs_column_get cs_read_cell_layers;
/* a row of another table, by the name that users type */
cs_column_get cs_read_actor, cs_read_actor_guid, cs_read_cell, cs_read_grid, cs_read_layer,
	cs_read_hlod_layer, cs_read_container;
/* an index, null for none */
cs_column_get cs_read_row_number;
/* name of the partition */
cs_column_get cs_read_partition;
#define CS_PARTITION_COLUMN                                                              \
	{                                                                                \
		.key = "partition", .kind = CS_KIND_TEXT, .get = cs_read_partition,      \
		.doc = "the world partition that it belongs to", .flags = CS_COLUMN_WORD \
	}
/* argument of cs_read_row_number: the table */
enum cs_parts_table { CS_PARTS_SETS, CS_PARTS_FINDINGS };

/* of the run: streaming.c */
cs_column_get cs_read_cell_state, cs_read_cell_status, cs_read_cell_wanted, cs_read_cell_since,
	cs_read_cell_bytes, cs_read_cell_mesh_bytes, cs_read_layer_effective, cs_read_layer_target,
	cs_read_layer_initial, cs_read_grid_range, cs_read_grid_range_origin;
struct cs_error *cs_streaming_functions(
	struct cs_query *query, struct cs_cooked_source *source) CS_MUST_USE;

#define CS_COLUMN(name, structure, member, type, reader, text, ...)                    \
	{                                                                              \
		.key = name, .kind = CS_KIND_##type, .get = cs_read_##reader,          \
		.offset = offsetof(struct structure, member), .doc = text, __VA_ARGS__ \
	}
/* A getter that is one expression over `row` and `column`, the parameters of cs_column_get. */
#define CS_READER(function, expression)                                                         \
	void function(                                                                          \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		(void)row;                                                                      \
		(void)column;                                                                   \
		*ret = expression;                                                              \
	}
/* The same, private to a file. */
#define CS_OWN_READER(function, expression) static CS_READER(function, expression)
/* The same, over the record of the row too: `at`. */
#define CS_GETTER(function, structure, expression)                                              \
	static void function(                                                                   \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const struct structure *at = row->record;                                       \
		(void)at;                                                                       \
		(void)column;                                                                   \
		*ret = expression;                                                              \
	}
/* A column of a value that a getter of its own computes. */
#define CS_VALUE(key_, type, getter, text, ...)                                              \
	{                                                                                    \
		.key = key_, .kind = CS_KIND_##type, .get = getter, .doc = text, __VA_ARGS__ \
	}
/* Of columns that a listing has without -c, by which rows are found fast, or which name them. */
#define CS_SHORT       .flags = CS_COLUMN_SHORT
#define CS_SHORT_INDEX .flags = CS_COLUMN_SHORT | CS_COLUMN_INDEX
#define CS_SHORT_KEY   .flags = CS_COLUMN_SHORT | CS_COLUMN_KEY
/* `reader`, or null where a flag of the record says that it was left unsaid. */
#define CS_READER_UNLESS(name, reader, structure, unsaid)                                       \
	static void cs_read_##name(                                                             \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		cs_read_##reader(row, column, ret);                                             \
		if (((const struct structure *)row->record)->flags & (unsaid))                  \
			*ret = cs_null();                                                       \
	}
/* Members of a struct cs_table: an array of columns; functions of one name for its rows. */
#define CS_COLUMNS(array)      .columns = array, .n_columns = CS_COUNT_OF(array)
#define CS_ROWS(function)      .count = function##_count, .row = function##_row
#define CS_PART_ROWS(function) CS_ROWS(function), .locate = function##_locate
/* A table over the array `member` of the world and its count, in all partitions. */
#define CS_WORLD_ARRAY(function, member)                                                 \
	CS_WORLD_ROWS(function, member)                                                  \
	static const void *function##_row(const void *source, size_t index)              \
	{                                                                                \
		const struct cs_cooked_source *part = function##_locate(source, &index); \
		return &part->world->member[index];                                      \
	}
/* The same over rows that `accessor` has. */
#define CS_WORLD_LOADED(function, member, accessor)                                      \
	CS_WORLD_ROWS(function, member)                                                  \
	static const void *function##_row(const void *source, size_t index)              \
	{                                                                                \
		const struct cs_cooked_source *part = function##_locate(source, &index); \
		return accessor(part->world, index);                                     \
	}
#define CS_WORLD_ROWS(function, member) CS_PART_COUNT(function, world->n_##member)
/* Rows of all partitions, of which each has `counted`. */
#define CS_PART_COUNT(function, counted)                                        \
	static size_t function##_in(const struct cs_cooked_source *part)        \
	{                                                                       \
		return part->counted;                                           \
	}                                                                       \
	static size_t function##_count(const void *source)                      \
	{                                                                       \
		return cs_parts_count(source, function##_in);                   \
	}                                                                       \
	static const void *function##_locate(const void *source, size_t *index) \
	{                                                                       \
		return cs_parts_locate(source, index, function##_in);           \
	}

size_t cs_parts_count(const void *source, size_t (*count)(const struct cs_cooked_source *part));
const void *cs_parts_locate(
	const void *source, size_t *index, size_t (*count)(const struct cs_cooked_source *part));
/* Loads every partition, or the first that fails. */
struct cs_error *cs_parts_load(
	const void *source, struct cs_error *(*load)(struct cs_cooked_source *part)) CS_MUST_USE;
size_t cs_parts_row(const struct cs_row *row, size_t index, enum cs_parts_table table);
void cs_source_free(struct cs_cooked_source *source);
/* The standalone level instances of a world, in the order in which a run numbers them. */
struct cs_error *cs_query_add_levels(struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

extern const struct cs_table cs_cells_table, cs_actors_table, cs_layers_table, cs_grids_table,
	cs_containers_table, cs_sets_table, cs_findings_table, cs_drops_table, cs_hlods_table,
	cs_meshes_table, cs_references_table, cs_sources_table, cs_order_table, cs_event_table,
	cs_events_table, cs_page_events_table, cs_frames_table, cs_stalls_table,
	cs_partitions_table;
