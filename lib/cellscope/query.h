/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of rows, SQL over them, and what is drawn from them: charts and maps of cells.
 *
 * The description of a table contains its columns (key, kind, heading, doc) and functions that
 * return the values. The listings of the program, JSON, CSV and the SQLite virtual table of the
 * same name are all generated from it. A query has tables and evaluates SQL over them: read-only,
 * without side effects, within limits, interruptible by its job, and with the same answer every
 * time (no time, no randomness).
 *
 * In SQL a missing value is NULL. Booleans are 0 and 1. GUIDs are 32 hexadecimal digits. A vector
 * `v` is a JSON array, and its coordinates are the columns v_x, v_y, v_z. A list is a JSON array of
 * texts. A name that is a keyword of SQL (references, order) is written in double quotes, or with a
 * trailing underscore (references_).
 */
#ifndef CELLSCOPE_QUERY_H
#define CELLSCOPE_QUERY_H

#include <cellscope/runs.h>

#include <string.h>

CS_BEGIN_DECLS

/* ---- values of columns ---- */

enum cs_kind {
	CS_KIND_NULL,
	CS_KIND_TEXT,    /* not escaped: names are as in the file; see cs_escape */
	CS_KIND_INTEGER, /* i64 */
	CS_KIND_NUMBER,  /* finite double */
	CS_KIND_BOOL,
	CS_KIND_GUID,
	CS_KIND_HEX, /* hash, id or colour, shown in hexadecimal */
	CS_KIND_VEC3,
	CS_KIND_QUAT,
	CS_KIND_LIST, /* list of texts or GUIDs */
};

struct cs_value;

struct cs_value_hex {
	uint64_t bits;
	unsigned digits; /* least number of digits shown, with leading zeros; at most 16 */
};

/* A list of `n` items. `item` stores one in *ret; `source` and `items` are for `item` only. */
struct cs_value_list {
	const void *source, *items;
	uint32_t n;
	void (*item)(const struct cs_value *list, uint32_t index, struct cs_value *ret);
};

struct cs_value {
	enum cs_kind kind;
	union {
		const char *text; /* NUL-terminated; valid as long as the source of the value */
		int64_t integer;
		double number;
		bool yes;
		struct cs_guid guid;
		struct cs_value_hex hex;
		struct cs_vec3 vec3;
		struct cs_quat quat;
		struct cs_value_list list;
	};
};

/* These functions create a value. A NULL text and a number that is not finite become null. */
static inline struct cs_value cs_null(void)
{
	struct cs_value value = {CS_KIND_NULL, {NULL}};
	return value;
}

static inline struct cs_value cs_text(const char *text)
{
	struct cs_value value = {text ? CS_KIND_TEXT : CS_KIND_NULL, {text}};
	return value;
}

static inline struct cs_value cs_integer(int64_t integer)
{
	struct cs_value value = {CS_KIND_INTEGER, {NULL}};
	value.integer = integer;
	return value;
}

static inline struct cs_value cs_bool(bool yes)
{
	struct cs_value value = {CS_KIND_BOOL, {NULL}};
	value.yes = yes;
	return value;
}

static inline struct cs_value cs_guid_value(struct cs_guid guid)
{
	struct cs_value value = {CS_KIND_GUID, {NULL}};
	value.guid = guid;
	return value;
}

static inline struct cs_value cs_hex(uint64_t bits, unsigned digits)
{
	struct cs_value value = {CS_KIND_HEX, {NULL}};
	value.hex.bits = bits;
	value.hex.digits = digits;
	return value;
}

static inline struct cs_value cs_number(double number)
{
	struct cs_value value = {isfinite(number) ? CS_KIND_NUMBER : CS_KIND_NULL, {NULL}};
	value.number = number;
	return value;
}

static inline struct cs_value cs_vec3_value(struct cs_vec3 vec3)
{
	const bool finite = isfinite(vec3.x) && isfinite(vec3.y) && isfinite(vec3.z);
	struct cs_value value = {finite ? CS_KIND_VEC3 : CS_KIND_NULL, {NULL}};
	value.vec3 = vec3;
	return value;
}

/* A callback that receives a text in several parts, in order. */
typedef void cs_put(void *context, const char *bytes, size_t n);

/*
 * The forms in which values are printed. CS_FORM_TEXT and CS_FORM_ASCII are for people: safe for a
 * terminal (cs_escape), "-" for null, "yes" and "no", vectors as 1,2,3, lists joined by ", ",
 * numbers with nine significant digits. CS_FORM_JSON is for machines: plain ASCII, and parsing a
 * number returns the same double.
 */
enum cs_form {
	CS_FORM_TEXT,
	CS_FORM_ASCII, /* like CS_FORM_TEXT, with bytes above 0x7e escaped */
	CS_FORM_JSON,
	CS_FORM_XML, /* only for cs_text_put */
};

/* Formats a value in one of these forms, except CS_FORM_XML. */
CS_API void cs_value_put(
	const struct cs_value *value, enum cs_form form, cs_put *put, void *context);
/*
 * Formats a text. CS_FORM_XML gives the content of an element, or of an attribute in double quotes,
 * in XML and HTML; it keeps control characters, which the caller must escape before (cs_escape).
 * Every other form gives a JSON string with its quotes, in which each byte that is not UTF-8 is
 * U+FFFD.
 */
CS_API void cs_text_put(
	const char *text, size_t length, enum cs_form form, cs_put *put, void *context);

/* ---- tables of rows ---- */

struct cs_column;

/* A row of a table, as the getter of a column receives it. */
struct cs_row {
	const void *source; /* as passed to cs_query_add, or what cs_table.locate returned */
	const void *record; /* what cs_table.row returned for this row */
	size_t index;       /* number of the row in `source`, from 0 */
};

typedef void cs_column_get(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret);

struct cs_column {
	const char *key;   /* name of the column in JSON and SQL; never changes */
	const char *label; /* heading, or NULL for the key */
	const char *doc;
	const char *unit;  /* "cm", "ms", "frame" (a frame number); NULL: none, or `key` says it */
	enum cs_kind kind; /* kind of all values that are not null */
	unsigned flags;    /* CS_COLUMN_ bits */
	unsigned part;     /* part of the source that has the values; given to cs_table.load */
	cs_column_get *get;
	/*
	 * Parameters of `get`, which decides what they mean, such as the offset of a member in the
	 * record. `names` are the values of a text column, whose case SQL then ignores.
	 */
	size_t offset;
	uint32_t argument;
	const char *const *names;
};

#define CS_COLUMN_SHORT   1u  /* listed in the short form, which has one line for each row */
#define CS_COLUMN_KEY     2u  /* cs_query_find looks here; SQL finds equal values by an index */
#define CS_COLUMN_INDEX   4u  /* SQL finds equal values by an index, but only in joins */
#define CS_COLUMN_WORD    8u  /* names of enum values or of partitions: SQL ignores their case */
#define CS_COLUMN_PRESENT 16u /* listed in the short form if a row of the listing has a value */

struct cs_query;

struct cs_table {
	const char *name;     /* name of the SQL table: "cells" */
	const char *row_name; /* name of one row: "cell" */
	const char *doc;
	const struct cs_column *columns;
	size_t n_columns;
	enum cs_code missing; /* error code for a name that no row has */
	bool changes;         /* whether rows change between queries, so that no index is kept */
	/* Loads part 0 or 1 of the source (cs_column.part). NULL: nothing must be loaded. */
	struct cs_error *(*load)(const void *source, unsigned part);
	size_t (*count)(const void *source);
	const void *(*row)(const void *source, size_t index);
	/*
	 * *index is the number of a row over all partitions. Returns the source of the partition
	 * that contains the row, and sets *index to the number of the row in that source. NULL: the
	 * table has only one source.
	 */
	const void *(*locate)(const void *source, size_t *index);
	/*
	 * Finds a row by a name that no key column has (cells: "L0:5,1"). Sets *ret to CS_NONE if
	 * the text is not such a name. May be NULL.
	 */
	struct cs_error *(*find)(struct cs_query *query, const struct cs_table *table,
		const void *source, const char *text, uint32_t *ret);
	/* for the library's own tables: the fields that each getter reads; else NULL */
	const struct cs_getter *getters;
	/*
	 * Called before a loop over many rows, after each row and after the loop, to limit memory
	 * (see cs_cooked_pass and struct cs_reading). NULL: not needed for this table.
	 */
	void (*pass)(struct cs_reading *reading, enum cs_pass what);
};

static inline const struct cs_column *cs_table_column(const struct cs_table *table, const char *key)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (strcmp(table->columns[i].key, key) == 0)
			return &table->columns[i];
	return NULL;
}

/*
 * Returns the value of a column in a row of `source`. The part of the source that column->part
 * names must be loaded (cs_table.load). For a table with cs_table.locate, `source` is the one
 * passed to cs_query_add, and `row` is a row number over all partitions.
 */
CS_API struct cs_value cs_table_get(const struct cs_table *table, const void *source, size_t row,
	const struct cs_column *column);

/* ---- queries over tables ---- */

/*
 * A variable of the user, written $name in expressions: a text, number, integer, boolean or null.
 */
struct cs_parameter {
	const char *name; /* name without the $ */
	struct cs_value value;
};

CS_API struct cs_error *cs_query_new(struct cs_query **ret) CS_MUST_USE;
CS_API void cs_query_free(struct cs_query *query);
/*
 * Sets the job of later calls, which check it for interruption; NULL sets the default job. The job
 * must outlive these calls. Its limit of memory becomes the limit of SQLite in the whole process.
 */
CS_API void cs_query_set_job(struct cs_query *query, const struct cs_job *job);
/* Adds a table and its source. Both must outlive the query. */
CS_API struct cs_error *cs_query_add(
	struct cs_query *query, const struct cs_table *table, const void *source) CS_MUST_USE;
struct cs_inspector;

/* Table `resources` of struct cs_model. Only its last column needs the source of the table. */
CS_API const struct cs_table *cs_resources_table(void);
/*
 * Adds the tables of Nanite resources. They list the resources that are open in `inspector` when a
 * statement runs. `inspector` must outlive the query.
 */
CS_API struct cs_error *cs_query_add_nanite(
	struct cs_query *query, struct cs_inspector *inspector) CS_MUST_USE;
/* Must be called after a resource was opened or closed, as the query caches rows found by name. */
CS_API void cs_query_nanite_changed(struct cs_query *query);
/*
 * Adds all tables of a cooked world, which is partition 0 and must outlive the query. Further
 * worlds are added with cs_query_add_partition.
 */
CS_API struct cs_error *cs_query_add_cooked(
	struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

/* Numbers of tables and partitions of a query. */
struct cs_query_counts {
	size_t tables, partitions;
	uint32_t focused; /* partition that all tables are restricted to; CS_NONE for none */
};

CS_API struct cs_query_counts cs_query_counts(const struct cs_query *query);

/* ---- world partitions ---- */

/*
 * Returns the number of world partitions. A table of a world (cells, actors, layers ...) lists the
 * rows of all partitions, the main partition first. Its column `partition` contains their names.
 * The standalone level instances of the cooked file are partitions from the beginning, in the order
 * in which a run numbers them.
 */
static inline size_t cs_query_partitions(const struct cs_query *query)
{
	return cs_query_counts(query).partitions;
}

/*
 * Returns the cooked world of a partition and, unless name_ret is NULL, the name of the partition,
 * never NULL: the name of the world if the partition was added without one.
 */
CS_API struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret);
/*
 * Adds a partition as the last one. `cooked` must live until the partition is dropped or the query
 * is freed; `name` is copied, with a suffix such as "#2" if it is taken. If `name` is NULL,
 * `cooked` is added as a separate world with its standalone level instances, so that one query
 * covers several worlds. Returns E_NOTOPEN before cs_query_add_cooked.
 */
CS_API struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name) CS_MUST_USE;
/* Removes all partitions but the first `keep`. */
CS_API void cs_query_drop_partitions(struct cs_query *query, size_t keep);
/* Restricts the tables of worlds to the rows of one partition. CS_NONE lists all partitions. */
CS_API void cs_query_focus(struct cs_query *query, uint32_t partition);
static inline uint32_t cs_query_focused(const struct cs_query *query)
{
	return cs_query_counts(query).focused;
}

/*
 * *row is the number of a row over all partitions. Sets *partition to the partition that contains
 * the row, and *row to the number of the row in it. For a table without partitions, *row stays the
 * same and *partition is 0.
 */
CS_API void cs_query_place_row(const struct cs_query *query, const struct cs_table *table,
	uint32_t *row, uint32_t *partition);

static inline size_t cs_query_tables(const struct cs_query *query)
{
	return cs_query_counts(query).tables;
}

CS_API const struct cs_table *cs_query_table(
	const struct cs_query *query, size_t index, const void **source_ret);
/* Finds a table by its name. Returns NULL when the query has no such table. */
static inline const struct cs_table *cs_query_table_named(
	const struct cs_query *query, const char *name, const void **source_ret)
{
	*source_ret = NULL;
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const struct cs_table *table = cs_query_table(query, i, source_ret);
		if (strcmp(table->name, name) == 0)
			return table;
	}
	return NULL;
}
/*
 * Calls `put` for each row in which the value of a column is a text, in the order of rows. The text
 * is valid only during that call.
 */
CS_API struct cs_error *cs_query_texts(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, cs_put *put, void *context) CS_MUST_USE;

/*
 * Finds the rows that `text` names: by `find` of the table, or else the rows with this text in the
 * first key column that contains it, or else the same ignoring case. With several partitions, keys
 * are searched in the main one, and in all of them only if it has no such row. Stores at most
 * `room` rows; *n_ret is the number of all rows found, 0 (and no error) if there is none.
 */
CS_API struct cs_error *cs_query_find(struct cs_query *query, const struct cs_table *table,
	const char *text, uint32_t *rows, size_t room, size_t *n_ret) CS_MUST_USE;

/* Options of a listing. NULL and 0 mean that an option is not used. */
struct cs_listing {
	const char *where; /* condition in SQL over the columns */
	const char *sort;  /* "KEY,-KEY": columns to sort by; a minus means descending */
	uint64_t limit;    /* largest number of rows; 0 for all */
	struct cs_parameters variables;
	const char *partition;       /* select only rows whose column `partition` has this value */
	const char *scope;           /* a second condition, set by the program */
	struct cs_value scope_value; /* value of the variable $scope in `scope` */
};

/*
 * Returns the numbers of the rows that a listing selects, in its order; the caller frees them.
 * E_SQL contains the byte offset of a mistake in listing->where.
 */
CS_API struct cs_error *cs_query_rows(struct cs_query *query, const struct cs_table *table,
	const struct cs_listing *listing, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;

/* The result of an SQL statement: a table of values. */
struct cs_result;
/* Runs an SQL statement; cs_result_free frees *ret. E_SQL contains the byte offset in `sql`. */
CS_API struct cs_error *cs_query_select(struct cs_query *query, const char *sql,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
/* Evaluates "SELECT each[0] (expression) each[1]", or without `each` one row, column `value`. */
CS_API struct cs_error *cs_query_evaluate(struct cs_query *query, const char *expression,
	const char *const each[2], struct cs_parameters variables,
	struct cs_result **ret) CS_MUST_USE;
struct cs_result_view {
	/* columns, valid until the result is freed (for cs_table_get the result is the source) */
	const struct cs_table *table;
	size_t rows;
};

CS_API struct cs_result_view cs_result_view(const struct cs_result *result);

static inline const struct cs_table *cs_result_table(const struct cs_result *result)
{
	return cs_result_view(result).table;
}

static inline size_t cs_result_rows(const struct cs_result *result)
{
	return cs_result_view(result).rows;
}

/* Returns a value; row and column must exist. A text is valid until the result is freed. */
CS_API struct cs_value cs_result_value(const struct cs_result *result, size_t row, size_t column);
CS_API void cs_result_free(struct cs_result *result);
/* Converts an integer, number or boolean (0 or 1). Returns false and keeps *ret for other kinds. */
static inline bool cs_value_number(const struct cs_value *value, double *ret)
{
	switch (value->kind) {
	case CS_KIND_INTEGER:
		*ret = (double)value->integer;
		return true;
	case CS_KIND_NUMBER:
		*ret = value->number;
		return true;
	case CS_KIND_BOOL:
		*ret = value->yes;
		return true;
	default:
		return false;
	}
}

/* Returns whether a value is true in SQL: a number that is not 0. */
static inline bool cs_value_is_true(const struct cs_value *value)
{
	double number;
	return cs_value_number(value, &number) && number != 0;
}

/* ---- the run that tables show ---- */

struct cs_pager;
/*
 * Sets the run that the tables show (states of cells and layers, streaming sources, the table
 * `order` of cells to load, and the SQL functions state_hash() and frame()), and its paging of
 * Nanite resources. NULL means none. Stream and pager must live until the query is freed or this
 * function is called again.
 */
CS_API void cs_query_show(
	struct cs_query *query, struct cs_stream *stream, const struct cs_pager *pager);

/* ---- cells at positions ---- */

/*
 * Returns the row of the cell with the shortest side whose box contains the point, or CS_NONE.
 * Cells of HLOD setups (cs_cooked_partition.parent) are not searched.
 */
CS_API uint32_t cs_cooked_cell_at(const struct cs_cooked *cooked, struct cs_vec3 point);

/* ==== charts ==== */

/* Prepares numbers for drawing: histograms, bars, and curves with more values than columns. */

/* ---- the numbers in a column ---- */

/* The numbers among the values of a column. `least` and `most` are valid only if n > 0. */
struct cs_numbers {
	double *at;
	size_t n;
	double least, most;
};

/* Reads a numeric column (booleans as 0 and 1) in the order of `rows`. The caller frees ret->at. */
CS_API struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret) CS_MUST_USE;

/* ---- bins of a histogram ---- */

#define CS_MOST_BINS 1000u

/* Counts the numbers from `from` to below `to`. The last bin also counts the largest number. */
struct cs_bin {
	double from, to;
	size_t count;
	double share; /* fraction of all numbers, 0..1 */
};

/*
 * Sorts numbers into at most `most` bins of equal width. The first bin begins at the smallest
 * number. If all numbers are whole, the width is the smallest whole number with which `most` bins
 * suffice. Without numbers there are no bins. The caller frees the bins. Returns E_USAGE when
 * `most` is 0 or above CS_MOST_BINS.
 */
CS_API struct cs_error *cs_bins(const struct cs_numbers *numbers, size_t most, struct cs_bin **ret,
	size_t *n_ret) CS_MUST_USE;
/* Returns the largest `count` of the n bins, or 0 if n is 0. */
static inline size_t cs_bins_fullest(const struct cs_bin *bins, size_t n)
{
	size_t fullest = 0;
	for (size_t i = 0; i < n; i++)
		fullest = bins[i].count > fullest ? bins[i].count : fullest;
	return fullest;
}

/*
 * Writes a bar of '#' and a NUL to `ret`, which has room for `width` + 1 bytes, and returns its
 * length. A value of `most` or more has `width` marks; a smaller one above 0 has proportionally
 * fewer, but at least one; 0, negative values and NAN have none.
 */
static inline size_t cs_bar(double value, double most, size_t width, char *ret)
{
	/* for counts, the product is exact, but the quotient value / most would be rounded */
	const double times = value * (double)width;
	const double part = isfinite(times) ? times / most : value / most * (double)width;
	const size_t n = !(value > 0 && most > 0)  ? 0
			 : !(part < (double)width) ? width
						   : (size_t)ceil(part);
	memset(ret, '#', n);
	ret[n] = '\0';
	return n;
}

/* ---- plots of a curve ---- */

/*
 * Returns the highest of the `n` values that are drawn in column `column` of `columns`, so that
 * peaks stay visible. If there are more columns than values, returns the nearest value. Values that
 * are not finite are ignored; the result is NAN when no value is finite.
 */
static inline double cs_highest(const double *values, size_t n, size_t column, size_t columns)
{
	const size_t first = column * n / columns, end = (column + 1) * n / columns;
	double highest = NAN;
	for (size_t i = first; i < end || (i == first && i < n); i++)
		if (isfinite(values[i]))
			highest = fmax(highest, values[i]);
	return highest;
}

/* A curve to draw. Its bottom, `least`, is 0, or the smallest value if that is below 0. */
struct cs_plot {
	double *at;         /* highest value in each column, or NAN; the caller frees it */
	size_t columns;     /* number of columns; 0 when no value is finite */
	double least, most; /* values at bottom and top of the plot; `most` may be below 0 */
};

/* Computes the curve in at most `columns` columns, or in `n` columns if `n` is smaller. */
CS_API struct cs_error *cs_plot_init(
	const double *values, size_t n, size_t columns, struct cs_plot *ret) CS_MUST_USE;
/* Returns the value at `part` / `parts` of the height of the plot, counted from the bottom. */
static inline double cs_plot_level(const struct cs_plot *plot, unsigned part, unsigned parts)
{
	const double share = (double)part / parts;
	const double top = plot->most > plot->least ? plot->most : plot->least + 1;
	return plot->least * (1 - share) + top * share;
}

/* Returns how many of `height` rows a column fills: at least 1 for a value above plot->least. */
static inline unsigned cs_plot_height(const struct cs_plot *plot, size_t column, unsigned height)
{
	/*
	 * Halve the values before subtracting, because the difference of large values may overflow.
	 */
	const double above = plot->at[column] / 2 - plot->least / 2;
	const double range = plot->most > plot->least ? plot->most / 2 - plot->least / 2 : .5;
	return above > 0 ? (unsigned)ceil(above / range * height) : 0;
}

/* ==== maps of cells ==== */

/*
 * Draws a map: one level of a grid from above, divided into places. A place has zoom x zoom cells.
 *
 *	struct cs_map map;
 *	cs_map_draw(&(struct cs_map_request){.world = cooked, .grid = 0}, &map);
 *	for (size_t i = 0; i < map.columns * map.rows; i++)
 *		if (map.places[i].cells)
 *			show(map.keys[map.places[i].key].letter);
 *	cs_map_deinit(&map);
 *
 * A map shows one overlay. The keys of an overlay are the values that a place can have, each with a
 * letter of its own. If the cells of a place have several keys, the place shows the last of them.
 * The program chooses glyphs and colours for keys.
 */

enum cs_map_overlay {
	CS_MAP_STATE,    /* streaming state; keys are enum cs_map_state */
	CS_MAP_ACTORS,   /* number of actors in the fullest cell of a place, in powers of two */
	CS_MAP_BYTES,    /* bytes of all cells of a place by the load model, in powers of four */
	CS_MAP_LAYERS,   /* data layer of the cells; each layer in the picture has a letter */
	CS_MAP_HLOD,     /* state of the HLOD actors that replace the cell or are in it */
	CS_MAP_PRIORITY, /* position in the load order of the last frame, 1 is the next */
	CS_MAP_WHY_NOT,  /* rule that prevents the cell from being loaded */
	CS_MAP_OVERLAYS,
	/* keys that the caller assigns to cells (cs_map_request.given); users cannot choose it */
	CS_MAP_GIVEN = CS_MAP_OVERLAYS
};

enum { CS_MAP_KEYS = 64, CS_MAP_MOST = 1000 };

struct cs_map_key {
	char letter;
	const char *words; /* may be a name from a file: escape it for a terminal */
	size_t cells;      /* number of cells in the picture that have this key */
};

/* All keys of an overlay with their letters and meanings. */
struct cs_map_legend {
	struct cs_map_key keys[CS_MAP_KEYS]; /* `words` is NULL if it depends on the picture */
	size_t n_keys;
	bool needs_run; /* whether the overlay is empty without a run */
};

CS_API void cs_map_legend(enum cs_map_overlay overlay, struct cs_map_legend *ret);

#define CS_MAP_MARK_SOURCE  1u /* a streaming source is in the place, which may have no cell */
#define CS_MAP_MARK_CHANGED 2u /* a cell of the place changed its state in the last frame */
#define CS_MAP_MARK_SEVERAL 4u /* cells have equal coordinates but different data layers */

struct cs_map_place {
	uint32_t cells;   /* number of cells drawn at the place; 0: the place is empty */
	uint32_t first;   /* lowest row number of a cell at the place, or CS_NONE */
	uint32_t actors;  /* number of actors in the fullest cell of the place */
	uint32_t changes; /* number of cells that changed in the last frame */
	uint64_t bytes;   /* bytes of the place's cells that the load model assumes; 0: no run */
	uint8_t state;    /* enum cs_map_state: highest state of a cell at the place */
	uint8_t key;      /* index in the keys of the overlay */
	uint8_t marks;    /* CS_MAP_MARK_ bits */
};

/*
 * An index of the cells of a level by coordinates. With one the time to draw a window grows with
 * the visible cells, without one with all cells of the level. The first picture of the states of a
 * run with a zoom of 3 or more stores sums in the index for later pictures, so only one thread at a
 * time may use an index. The world must outlive it. Returns E_NOGRID or E_NOMEM on failure.
 */
struct cs_map_index;
CS_API struct cs_error *cs_map_index_new(const struct cs_cooked *world, uint32_t grid,
	int32_t level, struct cs_map_index **ret) CS_MUST_USE;
CS_API void cs_map_index_free(struct cs_map_index *index);

struct cs_map_request {
	const struct cs_cooked *world;
	const struct cs_stream *stream; /* the run, or NULL */
	uint32_t index;                 /* index of the world in the run */
	uint32_t grid;                  /* row of partitions (cs_map_default_grid) */
	int32_t level;                  /* grid level (cs_map_default_level) */
	enum cs_map_overlay overlay;
	uint64_t zoom;          /* a place has zoom x zoom cells; 0: the least zoom that fits */
	uint64_t columns, rows; /* largest number of columns and rows of places; 0: CS_MAP_MOST */
	/*
	 * true: the map begins at the cell x0, y0 (coordinates of `level`) and has all columns and
	 * rows. false: it has what the drawn cells need, and x0 and y0 are ignored
	 */
	bool window;
	int64_t x0, y0;
	bool sources; /* whether streaming sources are marked */
	/*
	 * Draws the cells of `level` and of all higher levels, in the coordinates of `level`. A
	 * cell covers the places that its box (cs_cooked_cell.box) covers.
	 */
	bool all_levels;
	/* index of the cells of `level`, or NULL; an index of another level is ignored */
	const struct cs_map_index *sorted;
	/*
	 * CS_MAP_GIVEN: for each row of cells the number n of the cell's key given_keys[n - 1], at
	 * most CS_MAP_KEYS - 1, or 0 for none
	 */
	const unsigned char *given;
	const struct cs_map_key *given_keys;
	size_t n_given_keys;
	/* Returns whether to draw a cell. NULL draws all cells that have a box. */
	bool (*shows)(const void *context, uint32_t cell);
	const void *context;
};

struct cs_map {
	int64_t x0, y0; /* coordinates of the first cell that places[0] shows */
	uint64_t zoom;
	size_t columns, rows;
	struct cs_map_place *places; /* columns x rows places, row by row */
	struct cs_map_key keys[CS_MAP_KEYS];
	size_t n_keys;
	size_t cells;
	struct cs_stream_range range; /* loading range of the grid in the run */
	unsigned marks;               /* CS_MAP_MARK_ bits that at least one place has */
	double cell_side; /* side of a cell by the partition's cell size in the cooked world, cm */
	/* world position of the corner of least X and Y of the cell with coordinates 0,0, cm */
	double origin_x, origin_y;
	/* side in cm of the first cell with a box, which also gives the origin (0: no such cell) */
	double side;
	/*
	 * For cs_map_redraw: the drawn state of each cell of the grid, or NULL, and the number of
	 * events, the frame and the number of rewinds of the run at the last drawing.
	 */
	unsigned char *states;
	uint64_t events, frame, rewinds;
	struct cs_stream_load_sizes sizes;
};

/* Draws a map. Returns E_NOGRID, E_NOMEM, or E_NOCELL if no cell is drawn and `window` is false. */
CS_API struct cs_error *cs_map_draw(
	const struct cs_map_request *request, struct cs_map *ret) CS_MUST_USE;
/*
 * Draws a map again after further frames. `request` must be the same, except for x0 and y0. If the
 * map shows states in a window with `sorted`, the time is in proportion to the events since the
 * last drawing. Any other map, and one whose window moved, is drawn completely.
 */
CS_API struct cs_error *cs_map_redraw(
	const struct cs_map_request *request, struct cs_map *map) CS_MUST_USE;
CS_API void cs_map_deinit(struct cs_map *map);
/* Stores at most `room` rows of the cells at a place, ascending. Returns the number of all. */
CS_API size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map,
	size_t place, uint32_t *cells, size_t room);
/* Returns the first place where a cell is drawn, or SIZE_MAX if it is not drawn in the map. */
CS_API size_t cs_map_place_of(
	const struct cs_map_request *request, const struct cs_map *map, uint32_t cell);
/*
 * Counts actors at a finer resolution than one cell, in a map whose zoom is 1. Each place is
 * divided into `across` x `down` parts. A part counts the actors of drawn cells whose bounds have
 * their centre in the part, even if the cell is drawn at another place. `counts` contains the
 * counts row by row over the whole map, `columns` * `across` numbers in each row. The time is in
 * proportion to the cells and actors of the map, or to all cells of the grid if request->sorted is
 * NULL. Returns E_USAGE for another zoom, or E_NOMEM.
 */
CS_API struct cs_error *cs_map_inside(const struct cs_map_request *request,
	const struct cs_map *map, unsigned across, unsigned down, uint32_t *counts) CS_MUST_USE;
/* Returns the index of the first partition that streams and has cells; 0 when there is none. */
static inline uint32_t cs_map_default_grid(const struct cs_cooked *world)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 &&
			world->partitions[i].flags & CS_PARTITION_SPATIAL)
			return i;
	return 0;
}

/* Returns the number of places in a row up to the last one that is not empty. */
static inline size_t cs_map_used(const struct cs_map *map, size_t row)
{
	size_t n = map->columns;
	const struct cs_map_place *places = map->places + row * map->columns;
	while (n > 0 && places[n - 1].cells == 0 && places[n - 1].marks == 0)
		n--;
	return n;
}

/* ---- a map by the engine's console variables ---- */

/* Filter of wp.Runtime.DebugFilter...: comma-separated words, ignoring case; NULL: no filter. */
struct cs_map_filter {
	const char *layers; /* labels of layers; the cell must have one of them; None: no layer */
	const char *grids;  /* names; the cell must be in one of the grids */
	/* numbers of enum cs_stream_state: a cell must have one (without a run all cells have 0) */
	const char *statuses;
	const char *names; /* words; the name of the cell must contain all of them */
};

CS_API bool cs_map_filter_shows(
	const struct cs_map_filter *filter, const struct cs_map_request *request, uint32_t cell);
/*
 * If request->grid is CS_NONE, sets it to the first grid with cells that filter->grids names, else
 * to that of wp.Runtime.ShowRuntimeSpatialHashGridIndex, else to cs_map_default_grid(). If
 * request->level is INT32_MIN, sets it to that of wp.Runtime.ShowRuntimeSpatialHashGridLevel or
 * wp.Runtime.HashSet.ShowDebugDisplayLevel, if above 0, else to cs_map_default_level(). `filter`
 * may be NULL if the grid is set.
 */
CS_API void cs_map_console_choose(
	struct cs_map_request *request, const struct cs_map_filter *filter);
/* Returns the lowest level at which the partition has a cell with a box, or 0. */
static inline int32_t cs_map_default_level(const struct cs_cooked *world, uint32_t grid)
{
	struct cs_map_request request;
	memset(&request, 0, sizeof(request));
	request.world = world;
	request.grid = grid;
	request.level = INT32_MIN;
	cs_map_console_choose(&request, NULL);
	return request.level;
}

/* Other settings of a map, from variables of the run, or their initial values without a run. */
struct cs_map_console {
	enum cs_map_overlay overlay;
	/* wp.Runtime.DrawWorldPartitionIndex: a world of the run, or CS_NONE */
	uint32_t partition;
	/* wp.Runtime.DrawRuntimeHash2DScaleFactor: multiplies the size of places (characters) */
	double scale;
};

CS_API struct cs_map_console cs_map_console(const struct cs_stream *stream);

CS_END_DECLS

#endif
