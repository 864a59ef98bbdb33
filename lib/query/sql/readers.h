/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Getters of columns over cooked records, and macros that define tables. A getter reads the field
 * at column->offset of the record; the name of the getter states the type of the field.
 */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/vec.h"

/* For each row of the table page_events, the index of its event in the log. */
struct cs_event_rows {
	CS_VEC(size_t) list;
};

struct cs_cooked_source;

/*
 * The world partition that contained the last row read. A catalogue may have thousands of worlds,
 * and tables are read row by row, so the search for the next row starts at this partition.
 */
struct cs_parts_cursor {
	/* function that counts the rows of a table in one partition; NULL = nothing was read yet */
	size_t (*count)(const struct cs_cooked_source *part);
	/* index of the partition in main->parts, and of its first row in the table */
	size_t part, first;
};

/* A world partition of a query: the source of the tables about a cooked world. */
struct cs_cooked_source {
	struct cs_cooked *world;
	/* source of the main world; the main source points to itself */
	const struct cs_cooked_source *main;
	char *name;     /* name of the partition; NULL = the name of its map */
	uint32_t index; /* index of the partition in the run */
	/* one of several worlds opened as a catalogue, but not the main one: it is in no run */
	bool catalogued;
	bool passing; /* a pass of the query is reading the world */
	/*
	 * only in the main source: all partitions, the main one first; and the index of the only
	 * partition whose rows are shown, CS_NONE = all
	 */
	CS_VEC(struct cs_cooked_source *) parts;
	uint32_t focus;
	/* cursor at the last row read; only in `main` */
	struct cs_parts_cursor *cursor;
	const struct cs_inspector *inspector; /* open Nanite resources, or NULL */
	struct cs_stream *stream;             /* run over the world, or NULL */
	const struct cs_stream_event *event;  /* event whose breakpoints are tested, or NULL */
	/*
	 * for the table page_events: indices of its rows in the event log; only in `main`
	 */
	struct cs_event_rows *page_events;
	/* for each reference: the actor that contains it; built on first use */
	uint32_t *reference_owners;
	struct cs_unplaced *unplaced; /* actors that are in no cell; built on first use */
	size_t n_unplaced;
	/* containers of the world, then the external data layers, which also count as containers */
	struct cs_cooked_container *containers;
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
/* Reads one bit of a field of flags; column->argument selects the bit. */
cs_column_get cs_read_flag;
/* Return null in a world that the engine cooked, because its files lack these fields. */
cs_column_get cs_read_source_flag, cs_read_source_enum, cs_read_source_layers;
/* Read an enum or a set of bits; column->names are the names of the values or bits. */
cs_column_get cs_read_enum, cs_read_flag_list;
/* Reads a number in hexadecimal; column->argument is the number of digits. */
cs_column_get cs_read_hex;
/* Reads a range, and returns its number of rows. */
cs_column_get cs_read_count;
/* Reads a range of cell_layers, and returns the labels of the layers. */
cs_column_get cs_read_cell_layers;
/* Read the index of a row in another table, and return the name of that row as users type it. */
cs_column_get cs_read_actor, cs_read_actor_guid, cs_read_cell, cs_read_grid, cs_read_layer,
	cs_read_hlod_layer, cs_read_container;
/* Reads a field that contains a row number of another table; CS_NONE becomes null. */
cs_column_get cs_read_row_number;
/* Returns the row number that the field of the column contains. */
uint32_t cs_read_row(const struct cs_row *row, const struct cs_column *column);
/* Returns the name of the row's world partition. */
cs_column_get cs_read_partition;
#define CS_PARTITION_COLUMN                                                          \
	CS_VALUE("partition", TEXT, cs_read_partition, "world partition of the row", \
		.flags = CS_COLUMN_WORD)
/* Values of column->argument for cs_read_row_number: to which table the row numbers refer. */
enum cs_parts_table { CS_PARTS_SETS, CS_PARTS_FINDINGS };

/* Getters of columns about the run, in table_streaming.c. */
cs_column_get cs_read_cell_state, cs_read_cell_status, cs_read_cell_wanted, cs_read_cell_since,
	cs_read_cell_bytes, cs_read_cell_mesh_bytes, cs_read_layer_effective, cs_read_layer_target,
	cs_read_layer_initial, cs_read_grid_range, cs_read_grid_range_origin;
struct cs_error *cs_streaming_functions(
	struct cs_query *query, struct cs_cooked_source *source) CS_MUST_USE;

#define CS_COLUMN(name, structure, member, type, reader, text, ...)                                \
	CS_VALUE(name, type, cs_read_##reader, text, .offset = offsetof(struct structure, member), \
		__VA_ARGS__)
/* Returns a text; null for NULL and an empty text. */
static inline struct cs_value cs_text_or_null(const char *text)
{
	return cs_text(text && *text ? text : NULL);
}

/* Defines a getter by one expression over `row` and `column`, the parameters of cs_column_get. */
#define CS_READER(function, ...)                                                                \
	void function(                                                                          \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		(void)row;                                                                      \
		(void)column;                                                                   \
		*ret = __VA_ARGS__;                                                             \
	}
/* Defines a getter whose expression may also use `at`, the member at the offset of the column. */
#define CS_MEMBER_READER(function, type, ...)                                                   \
	void function(                                                                          \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const type *at = cs_read_member(row, column);                                   \
		*ret = __VA_ARGS__;                                                             \
	}
/* Like CS_READER and CS_MEMBER_READER, but define static getters. */
#define CS_OWN_READER(function, ...) static CS_READER(function, __VA_ARGS__)
#define CS_OWN_MEMBER_READER(function, type, ...) \
	static CS_MEMBER_READER(function, type, __VA_ARGS__)
/* Defines a static getter whose expression may also use `at`, the record of the row. */
#define CS_GETTER(function, structure, ...)                                                     \
	static void function(                                                                   \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const struct structure *at = row->record;                                       \
		(void)at;                                                                       \
		(void)column;                                                                   \
		*ret = __VA_ARGS__;                                                             \
	}
/* A column whose value is computed by a getter. */
#define CS_VALUE(key_, type, getter, text, ...)                                              \
	{                                                                                    \
		.key = key_, .kind = CS_KIND_##type, .get = getter, .doc = text, __VA_ARGS__ \
	}
typedef void cs_list_item(const struct cs_value *list, uint32_t index, struct cs_value *ret);
/* Returns a list of n rows; the list is empty if `rows` is NULL because they are not loaded. */
struct cs_value cs_list_of_rows(
	const struct cs_cooked *world, const uint32_t *rows, uint32_t n, cs_list_item *item);

/* Flags of columns: SHORT = listed without -c; INDEX = has an index; KEY = its values name rows. */
#define CS_SHORT       .flags = CS_COLUMN_SHORT
#define CS_SHORT_INDEX .flags = CS_COLUMN_SHORT | CS_COLUMN_INDEX
#define CS_SHORT_KEY   .flags = CS_COLUMN_SHORT | CS_COLUMN_KEY
/* Defines a getter like cs_read_ ## reader, but null if flag `unsaid` marks a value as missing. */
#define CS_READER_UNLESS(name, reader, structure, unsaid)                                       \
	static void cs_read_##name(                                                             \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		cs_read_##reader(row, column, ret);                                             \
		if (((const struct structure *)row->record)->flags & (unsaid))                  \
			*ret = cs_null();                                                       \
	}
/* Initializers of struct cs_table: its columns; its functions NAME_count, NAME_row, NAME_locate. */
#define CS_COLUMNS(array)      .columns = array, .n_columns = CS_COUNT_OF(array)
#define CS_ROWS(function)      .count = function##_count, .row = function##_row
#define CS_PART_ROWS(function) CS_ROWS(function), .locate = function##_locate, .pass = cs_parts_pass
/* Defines NAME_count and NAME_locate for a table with part->`counted` rows in each partition. */
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
/*
 * Defines what CS_PART_COUNT defines, and NAME_row, which returns `at`: an expression over `part`
 * (a world partition) and `index` (the number of a row in it).
 */
#define CS_PART_TABLE(function, counted, at)                                             \
	CS_PART_COUNT(function, counted)                                                 \
	static const void *function##_row(const void *source, size_t index)              \
	{                                                                                \
		const struct cs_cooked_source *part = function##_locate(source, &index); \
		return at;                                                               \
	}
/* Defines the row functions of a table that lists the array `member` of each world partition. */
#define CS_WORLD_ARRAY(function, member) \
	CS_PART_TABLE(function, world->n_##member, &part->world->member[index])
/* The same for rows of each world partition that `accessor` loads on demand. */
#define CS_WORLD_LOADED(function, member, accessor) \
	CS_PART_TABLE(function, world->n_##member, accessor(part->world, index))
/*
 * Defines NAME_count and NAME_row of a table about the run: its number of rows and a row, as
 * expressions over `stream` and `index`. Without a run there are no rows.
 */
#define CS_STREAM_ROWS(function, n, at)                                     \
	static size_t function##_count(const void *source)                  \
	{                                                                   \
		const struct cs_stream *stream =                            \
			((const struct cs_cooked_source *)source)->stream;  \
		return stream ? (size_t)(n) : 0;                            \
	}                                                                   \
	static const void *function##_row(const void *source, size_t index) \
	{                                                                   \
		const struct cs_stream *stream =                            \
			((const struct cs_cooked_source *)source)->stream;  \
		return at;                                                  \
	}

/* The function cs_table.pass of tables that use CS_PART_ROWS. */
void cs_parts_pass(struct cs_reading *reading, enum cs_pass what);
size_t cs_parts_count(const void *source, size_t (*count)(const struct cs_cooked_source *part));
const void *cs_parts_locate(
	const void *source, size_t *index, size_t (*count)(const struct cs_cooked_source *part));
/* Calls `load` for every world partition until one returns an error, and returns that error. */
struct cs_error *cs_parts_load(
	const void *source, struct cs_error *(*load)(struct cs_cooked_source *part)) CS_MUST_USE;
size_t cs_parts_row(const struct cs_row *row, size_t index, enum cs_parts_table table);
void cs_source_free(struct cs_cooked_source *source);
/* Adds a world's standalone level instances to the query as partitions, ordered as in a run. */
struct cs_error *cs_query_add_levels(struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

extern const struct cs_table cs_cells_table, cs_actors_table, cs_layers_table, cs_grids_table,
	cs_containers_table, cs_sets_table, cs_findings_table, cs_drops_table, cs_hlods_table,
	cs_meshes_table, cs_references_table, cs_sources_table, cs_order_table, cs_event_table,
	cs_events_table, cs_page_events_table, cs_frames_table, cs_stalls_table,
	cs_partitions_table;
