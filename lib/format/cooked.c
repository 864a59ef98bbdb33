/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens cooked worlds. Small tables are loaded when a world is opened. Actors, their tables and (if
 * there are many) cells are loaded in parts, when a row is requested. Opening also checks that
 * parents of layers, containers and sub partitions, and causes of findings, form no cycle: each
 * must refer to an earlier row.
 */
#include <cellscope/cooked.h>
#include <cellscope/cooked_values.h>

#include "core/arena.h"
#include "core/search.h"
#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "format/reader.h"

#include <stdlib.h>
#include <string.h>

/*
 * Number of titles in a block. The title of an actor in a level instance consists of the labels of
 * the instances around it and its own. No table stores titles, so they are made when requested.
 */
enum { TITLES = 1024 };

struct title_block {
	const char *titles[TITLES];
};

struct cs_cooked_titles {
	struct cs_arena arena;
	/* blocks with the titles of TITLES actors each, NULL where no title was requested */
	struct title_block **blocks;
};

enum rest_table {
	/* the tables of enum cs_cooked_ids come first, in the order of that enum */
	REST_CELL_ACTORS,
	REST_SET_MEMBERS,
	REST_ACTOR_LAYERS,
	REST_ACTOR_TAGS,
	REST_ACTORS,
	REST_SETS,
	REST_REFERENCES,
	REST_DETAILS,
	REST_CELLS,
	REST_TABLES
};

/* For each table, its number in files, and the member of struct cs_cooked that counts its rows. */
static const struct {
	uint16_t table;
	size_t count;
} rest_tables[REST_TABLES] = {
	[REST_CELL_ACTORS] = {CS_TABLE_CELL_ACTORS, offsetof(struct cs_cooked, n_cell_actors)},
	[REST_SET_MEMBERS] = {CS_TABLE_SET_MEMBERS, offsetof(struct cs_cooked, n_set_members)},
	[REST_ACTOR_LAYERS] = {CS_TABLE_ACTOR_LAYERS, offsetof(struct cs_cooked, n_actor_layers)},
	[REST_ACTOR_TAGS] = {CS_TABLE_ACTOR_TAGS, offsetof(struct cs_cooked, n_actor_tags)},
	[REST_ACTORS] = {CS_TABLE_ACTORS, offsetof(struct cs_cooked, n_actors)},
	[REST_SETS] = {CS_TABLE_SETS, offsetof(struct cs_cooked, n_sets)},
	[REST_REFERENCES] = {CS_TABLE_REFERENCES, offsetof(struct cs_cooked, n_references)},
	[REST_DETAILS] = {CS_TABLE_ACTOR_DETAILS, offsetof(struct cs_cooked, n_details)},
	[REST_CELLS] = {CS_TABLE_CELLS, offsetof(struct cs_cooked, n_cells)},
};

/* A table that is loaded in part: the array of all rows, and the range that was loaded last. */
struct some_rows {
	const void *rows;
	struct cs_rows_here here;
};

struct cs_cooked_rest {
	const void *rows[REST_TABLES]; /* rows of each table, NULL if not completely loaded */
	/* for each table that is not completely loaded, the range of rows that was loaded last */
	struct some_rows some[REST_TABLES];
	struct cs_error *error; /* first error of loading a row */
	unsigned n_searches;    /* number of calls of cs_cooked_search_cells that began a pass */
};

struct slot {
	uint16_t table;
	const void **rows;
	size_t *n;
};

static struct cs_error *load_slots(struct cs_file *file, const struct slot *slots, size_t n)
{
	size_t ignored;
	for (size_t i = 0; i < n; i++) {
		struct cs_error *error = cs_file_load(
			file, slots[i].table, slots[i].rows, slots[i].n ? slots[i].n : &ignored);
		if (error)
			return error;
	}
	return NULL;
}

#define SLOT(id, member)                                                \
	{                                                               \
		id, (const void **)&cooked->member, &cooked->n_##member \
	}

/* Sets the numbers of rows of the tables that are loaded later. */
static void count_rest(struct cs_cooked *cooked)
{
	for (size_t i = 0; i < REST_TABLES; i++)
		*(size_t *)((char *)cooked + rest_tables[i].count) =
			(size_t)cs_file_rows(cooked->file, rest_tables[i].table);
}

static struct cs_error *load_rest(
	const struct cs_cooked *cooked, const enum rest_table *tables, size_t n)
{
	struct cs_error *error = NULL;
	size_t ignored;
	for (size_t i = 0; !error && i < n; i++)
		if (!cooked->rest->rows[tables[i]])
			error = cs_file_load(cooked->file, rest_tables[tables[i]].table,
				&cooked->rest->rows[tables[i]], &ignored);
	return error;
}

/* Loads n rows of a table from `row` on. Returns the array of all its rows, or NULL on an error. */
static const void *bring_rest(struct cs_cooked_rest *rest, struct cs_file *file,
	enum rest_table table, size_t row, size_t n)
{
	struct some_rows *some = &rest->some[table];
	if (rest->error)
		return NULL;
	rest->error =
		cs_file_load_some(file, rest_tables[table].table, row, n, &some->rows, &some->here);
	if (rest->error)
		return NULL;
	if (some->here.end == SIZE_MAX)
		rest->rows[table] = some->rows;
	return some->rows;
}

/*
 * Returns the array of all rows of a table, of which n rows from `row` on are loaded. Returns NULL
 * if these rows do not exist or cannot be read.
 */
static const void *rest_rows(
	const struct cs_cooked *cooked, enum rest_table table, size_t row, size_t n)
{
	const size_t all = *(const size_t *)((const char *)cooked + rest_tables[table].count);
	const struct some_rows *some = &cooked->rest->some[table];
	if (row >= all || n > all - row)
		return NULL;
	if (cooked->rest->rows[table])
		return cooked->rest->rows[table];
	if (row >= some->here.first && row + n <= some->here.end)
		return some->rows;
	return bring_rest(cooked->rest, cooked->file, table, row, n);
}

const struct cs_cooked_actor *cs_cooked_actor(const struct cs_cooked *cooked, size_t row)
{
	static const struct cs_cooked_actor nobody = {
		.bounds = CS_BOX_INVALID,
		.parent = CS_NONE,
		.set = CS_NONE,
		.cell = CS_NONE,
		.hlod_layer = CS_NONE,
		.placement = CS_UNPLACED_EDITOR_ONLY,
	};
	const struct cs_cooked_actor *rows = rest_rows(cooked, REST_ACTORS, row, 1);
	return rows ? &rows[row] : &nobody;
}

const struct cs_cooked_cell *cs_cooked_cell(const struct cs_cooked *cooked, size_t row)
{
	static const struct cs_cooked_cell empty = {
		.box = CS_BOX_INVALID, .content = CS_BOX_INVALID, .external_layer = CS_NONE};
	const struct cs_cooked_cell *rows = rest_rows(cooked, REST_CELLS, row, 1);
	return rows ? &rows[row] : &empty;
}

const struct cs_cooked_set *cs_cooked_set(const struct cs_cooked *cooked, size_t row)
{
	static const struct cs_cooked_set empty = {
		.bounds = CS_BOX_INVALID,
		.partition = CS_NONE,
		.cell = CS_NONE,
		.placement = CS_UNPLACED_DROPPED,
		.largest = CS_NONE,
	};
	const struct cs_cooked_set *rows = rest_rows(cooked, REST_SETS, row, 1);
	return rows ? &rows[row] : &empty;
}

const struct cs_cooked_reference *cs_cooked_reference(const struct cs_cooked *cooked, size_t row)
{
	static const struct cs_cooked_reference broken = {.actor = CS_NONE};
	const struct cs_cooked_reference *rows = rest_rows(cooked, REST_REFERENCES, row, 1);
	return rows ? &rows[row] : &broken;
}

static struct cs_error *details_missing(const struct cs_cooked *cooked)
{
	return cs_error_at(CS_E_LAYOUT, cs_file_name(cooked->file), CS_NO_OFFSET,
		"the table actor_details has %zu rows, but must have one for each of the %zu "
		"actors",
		cooked->n_details, cooked->n_actors);
}

const struct cs_cooked_actor_detail *cs_cooked_detail(const struct cs_cooked *cooked, size_t row)
{
	static const struct cs_cooked_actor_detail unsaid = {
		.transform = CS_TRANSFORM_IDENTITY,
		.editor_bounds = CS_BOX_INVALID,
		.external_layer = CS_NONE,
	};
	const struct cs_cooked_actor_detail *rows = rest_rows(cooked, REST_DETAILS, row, 1);
	if (cooked->n_details != cooked->n_actors && !cooked->rest->error)
		cooked->rest->error = details_missing(cooked);
	return rows ? &rows[row] : &unsaid;
}

const uint32_t *cs_cooked_id_rows(
	const struct cs_cooked *cooked, enum cs_cooked_ids table, struct cs_range range)
{
	const uint32_t *rows =
		range.count ? rest_rows(cooked, (enum rest_table)table, range.first, range.count)
			    : NULL;
	return rows ? rows + range.first : NULL;
}

uint32_t cs_cooked_id(const struct cs_cooked *cooked, enum cs_cooked_ids table, size_t row)
{
	const uint32_t *at = row < CS_NONE ? cs_cooked_id_rows(cooked, table,
						     (struct cs_range){(uint32_t)row, 1})
					   : NULL;
	return at ? *at : CS_NONE;
}

struct cs_error *cs_cooked_failed(struct cs_cooked *cooked)
{
	struct cs_error *error = cooked->rest->error;
	cooked->rest->error = NULL;
	return error;
}

void cs_cooked_pass(struct cs_cooked *cooked, enum cs_pass what)
{
	if (!cs_file_pass(cooked->file, what))
		return;
	/* forget all row ranges, because the pass has freed some of them */
	memset(cooked->rest->rows, 0, sizeof(cooked->rest->rows));
	memset(cooked->rest->some, 0, sizeof(cooked->rest->some));
}

bool cs_cooked_pass_fields(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields)
{
	return cs_file_pass_fields(cooked->file, fields, n_fields);
}

struct cs_cooked_loop cs_cooked_loop(
	struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields)
{
	return (struct cs_cooked_loop){cooked, cs_cooked_pass_fields(cooked, fields, n_fields)};
}

struct cs_cooked_loop cs_cooked_search_cells(
	const struct cs_cooked *cooked, const struct cs_record_byte *fields, size_t n_fields)
{
	enum { FEW = 8 };
	if (cooked->rest->n_searches >= FEW)
		return (struct cs_cooked_loop){(struct cs_cooked *)cooked, false};
	cooked->rest->n_searches++;
	return cs_cooked_loop((struct cs_cooked *)cooked, fields, n_fields);
}

struct cs_error *cs_cooked_loop_end(const struct cs_cooked_loop *loop)
{
	if (loop->passes)
		cs_cooked_pass(loop->cooked, CS_PASS_END);
	return cs_cooked_failed(loop->cooked);
}

struct cs_error *cs_cooked_load_cells(
	const struct cs_cooked *cooked, const struct cs_cooked_cell **ret)
{
	static const enum rest_table tables[] = {REST_CELLS};
	struct cs_error *error = load_rest(cooked, tables, 1);
	if (!error)
		*ret = cooked->rest->rows[REST_CELLS];
	return error;
}

/* Loads the cells if they are few. Otherwise reads and frees each, so that all are checked. */
static struct cs_error *cooked_read_cells(struct cs_cooked *cooked)
{
	enum { FEW_BYTES = 4 << 20 };
	const struct cs_cooked_cell *all;
	if (cooked->n_cells * sizeof(*all) <= FEW_BYTES)
		return cs_cooked_load_cells(cooked, &all);
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, NULL, 0);
	for (size_t i = 0; i < cooked->n_cells && !cooked->rest->error; i++) {
		cs_cooked_cell(cooked, i);
		cs_cooked_loop_step(&loop, i);
	}
	return cs_cooked_loop_end(&loop);
}

static struct cs_error *load_basics(struct cs_cooked *cooked)
{
	const struct slot slots[] = {
		{CS_TABLE_WORLD, (const void **)&cooked->world, NULL},
		SLOT(CS_TABLE_PARTITIONS, partitions),
		SLOT(CS_TABLE_LAYERS, layers),
		SLOT(CS_TABLE_HLOD_LAYERS, hlod_layers),
		SLOT(CS_TABLE_CONTAINERS, containers),
		SLOT(CS_TABLE_CELL_LAYERS, cell_layers),
		SLOT(CS_TABLE_HLODS, hlods),
		SLOT(CS_TABLE_FINDINGS, findings),
		SLOT(CS_TABLE_DROPS, drops),
		SLOT(CS_TABLE_SUB_PARTITIONS, subs),
		SLOT(CS_TABLE_SUB_LEVELS, sub_levels),
		SLOT(CS_TABLE_CELL_BYTES, cell_bytes),
		SLOT(CS_TABLE_MESHES, meshes),
		SLOT(CS_TABLE_CELL_MESH_BYTES, cell_mesh_bytes),
	};
	return load_slots(cooked->file, slots, sizeof(slots) / sizeof(slots[0]));
}

static struct cs_error *not_earlier(const struct cs_cooked *cooked, const char *table, size_t row,
	const char *field, uint32_t value)
{
	return cs_error_at(CS_E_REFERENCE, cs_file_name(cooked->file), CS_NO_OFFSET,
		"%s[%zu].%s is %u, but must be the number of an earlier row of the table", table,
		row, field, value);
}

static struct cs_error *check_parents(const struct cs_cooked *cooked)
{
	for (size_t i = 0; i < cooked->n_layers; i++)
		if (cooked->layers[i].parent != CS_NONE && cooked->layers[i].parent >= i)
			return not_earlier(cooked, "layers", i, "parent", cooked->layers[i].parent);
	for (size_t i = 0; i < cooked->n_containers; i++)
		if (cooked->containers[i].parent != CS_NONE && cooked->containers[i].parent >= i)
			return not_earlier(
				cooked, "containers", i, "parent", cooked->containers[i].parent);
	for (size_t i = 0; i < cooked->n_subs; i++)
		if (cooked->subs[i].parent != CS_NONE && cooked->subs[i].parent >= i)
			return not_earlier(
				cooked, "sub_partitions", i, "parent", cooked->subs[i].parent);
	for (size_t i = 0; i < cooked->n_findings; i++)
		if (cooked->findings[i].cause != CS_NONE && cooked->findings[i].cause >= i)
			return not_earlier(
				cooked, "findings", i, "cause", cooked->findings[i].cause);
	return NULL;
}

/* Checks the number of rows of a table of cell sizes. It must be the number of cells, or 0. */
static struct cs_error *cooked_check_sizes(
	const struct cs_cooked *cooked, const char *table, size_t n)
{
	if (n == 0 || n == cooked->n_cells)
		return NULL;
	return cs_error_at(CS_E_LAYOUT, cs_file_name(cooked->file), CS_NO_OFFSET,
		"the table %s has %zu rows, but must have one for each of the %zu cells", table, n,
		cooked->n_cells);
}

/* Checks that meshes are sorted by path, and that none has more resident_bytes than bytes. */
static struct cs_error *cooked_check_meshes(const struct cs_cooked *cooked)
{
	for (size_t i = 0; i < cooked->n_meshes; i++) {
		const struct cs_cooked_mesh *mesh = &cooked->meshes[i];
		if (i > 0 && mesh->path <= mesh[-1].path)
			return cs_error_at(CS_E_LAYOUT, cs_file_name(cooked->file), CS_NO_OFFSET,
				"meshes[%zu].path does not come after meshes[%zu].path: the table "
				"must be sorted by path, each path once",
				i, i - 1);
		if (mesh->resident_bytes > mesh->bytes)
			return cs_error_at(CS_E_LAYOUT, cs_file_name(cooked->file), CS_NO_OFFSET,
				"meshes[%zu].resident_bytes is %llu, more than meshes[%zu].bytes, "
				"which is %llu",
				i, (unsigned long long)mesh->resident_bytes, i,
				(unsigned long long)mesh->bytes);
	}
	return NULL;
}

static struct cs_error *cooked_finish(struct cs_file *file, bool cells, struct cs_cooked **ret)
{
	struct cs_cooked *cooked = calloc(1, sizeof(*cooked));
	struct cs_error *error = NULL;
	if (!cooked) {
		cs_file_close(file);
		return cs_error_nomem();
	}
	cooked->file = file;
	cooked->titles = calloc(1, sizeof(*cooked->titles));
	cooked->rest = calloc(1, sizeof(*cooked->rest));
	if (!cooked->titles || !cooked->rest)
		error = cs_error_nomem();
	else if (cs_file_info(file).schema->kind != 1)
		error = cs_error_at(CS_E_MAGIC, cs_file_name(file), 32,
			"the file is a %s file, not a cooked world",
			cs_file_info(file).schema->name);
	if (!error)
		count_rest(cooked);
	if (!error && cells)
		error = cooked_read_cells(cooked);
	if (!error)
		error = load_basics(cooked);
	if (!error)
		error = cooked_check_sizes(cooked, "cell_bytes", cooked->n_cell_bytes);
	if (!error)
		error = cooked_check_sizes(cooked, "cell_mesh_bytes", cooked->n_cell_mesh_bytes);
	if (!error)
		error = cooked_check_meshes(cooked);
	if (!error)
		error = check_parents(cooked);
	if (error)
		cs_cooked_close(cooked);
	else
		*ret = cooked;
	return error;
}

struct cs_error *cs_cooked_of_file(struct cs_file *file, struct cs_cooked **ret)
{
	return cooked_finish(file, true, ret);
}

struct cs_error *cs_cooked_of_checked(struct cs_file *file, struct cs_cooked **ret)
{
	return cooked_finish(file, false, ret);
}

uint32_t cs_cooked_find_mesh(const struct cs_cooked *cooked, uint32_t path)
{
	size_t at = cs_lower_bound(0, cooked->n_meshes, i, cooked->meshes[i].path < path);
	bool found = path && at < cooked->n_meshes && cooked->meshes[at].path == path;
	return found ? (uint32_t)at : CS_NONE;
}

struct cs_error *cs_cooked_open(const char *path, const struct cs_job *job, struct cs_cooked **ret)
{
	struct cs_file *file;
	struct cs_error *error = cs_file_open(path, CS_FILE_LAZY, job, &file);
	return error ? error : cooked_finish(file, true, ret);
}

struct cs_error *cs_cooked_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_cooked **ret)
{
	struct cs_file *file;
	struct cs_error *error = cs_file_open_bytes(bytes, size, name, CS_FILE_LAZY, job, &file);
	return error ? error : cooked_finish(file, true, ret);
}

struct cs_error *cs_cooked_open_level(
	struct cs_cooked *cooked, uint32_t level, const struct cs_job *job, struct cs_cooked **ret)
{
	const void *bytes = NULL;
	size_t n = 0;
	struct cs_error *error = cs_file_load(cooked->file, CS_TABLE_SUB_BYTES, &bytes, &n);
	if (error)
		return error;
	const struct cs_cooked_sub_level *row = &cooked->sub_levels[level];
	error = cs_cooked_open_bytes((const unsigned char *)bytes + row->bytes.first,
		row->bytes.count, cs_cooked_text(cooked, row->package), job, ret);
	if (!error)
		(*ret)->file->outer = cooked->file;
	return error;
}

struct cs_error *cs_cooked_level(
	struct cs_cooked *cooked, uint32_t level, const struct cs_job *job, struct cs_cooked **ret)
{
	if (!cooked->levels)
		cooked->levels = calloc(cooked->n_sub_levels + 1, sizeof(struct cs_cooked *));
	if (!cooked->levels)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	if (!cooked->levels[level])
		error = cs_cooked_open_level(cooked, level, job, &cooked->levels[level]);
	if (!error)
		*ret = cooked->levels[level];
	return error;
}

/* Loads the actors and other tables. Sets has_actors even if a later table cannot be loaded. */
static struct cs_error *load_with_actors(
	struct cs_cooked *cooked, const enum rest_table *tables, size_t n)
{
	struct cs_error *error = load_rest(cooked, tables, n);
	cooked->has_actors = cooked->rest->rows[REST_ACTORS] != NULL;
	return error;
}

struct cs_error *cs_cooked_load_placed(struct cs_cooked *cooked)
{
	static const enum rest_table tables[] = {REST_CELL_ACTORS, REST_ACTORS};
	return load_with_actors(cooked, tables, CS_COUNT_OF(tables));
}

struct cs_error *cs_cooked_load_actors(struct cs_cooked *cooked)
{
	static const enum rest_table tables[] = {REST_CELL_ACTORS, REST_SETS, REST_SET_MEMBERS,
		REST_ACTORS, REST_ACTOR_LAYERS, REST_REFERENCES};
	return load_with_actors(cooked, tables, CS_COUNT_OF(tables));
}

struct cs_error *cs_cooked_load_details(struct cs_cooked *cooked)
{
	static const enum rest_table tables[] = {REST_DETAILS, REST_ACTOR_TAGS};
	struct cs_error *error = cs_cooked_load_actors(cooked);
	if (!error)
		error = load_rest(cooked, tables, CS_COUNT_OF(tables));
	if (!error && cooked->n_details != cooked->n_actors)
		error = details_missing(cooked);
	return error;
}

void cs_cooked_close(struct cs_cooked *cooked)
{
	if (!cooked)
		return;
	for (size_t i = 0; cooked->levels && i < cooked->n_sub_levels; i++)
		cs_cooked_close(cooked->levels[i]);
	free(cooked->levels);
	if (cooked->titles) {
		cs_arena_deinit(&cooked->titles->arena);
		free(cooked->titles);
	}
	if (cooked->rest)
		cs_error_free(cooked->rest->error);
	free(cooked->rest);
	cs_file_close(cooked->file);
	free(cooked);
}

const char *cs_cooked_text(const struct cs_cooked *cooked, uint32_t text)
{
	return cs_file_text(cooked->file, text);
}

/* Returns the address at which the title of an actor is stored, or NULL when memory runs out. */
static const char **title_slot(const struct cs_cooked *cooked, uint32_t actor)
{
	struct cs_cooked_titles *titles = cooked->titles;
	if (!titles->blocks)
		titles->blocks = CS_ARENA_ARRAY(
			&titles->arena, struct title_block *, cooked->n_actors / TITLES + 1);
	if (!titles->blocks)
		return NULL;
	struct title_block **block = &titles->blocks[actor / TITLES];
	if (!*block)
		*block = CS_ARENA_NEW(&titles->arena, struct title_block);
	return *block ? &(*block)->titles[actor % TITLES] : NULL;
}

/* Makes "House_2/Bed" from the title of the level instance `around` and the actor's own name. */
static const char *make_title(const struct cs_cooked *cooked, uint32_t around, const char *own)
{
	const char *outer = cs_cooked_actor_title(cooked, around);
	const size_t before = strlen(outer), n = strlen(own);
	char *text = CS_ARENA_ARRAY(&cooked->titles->arena, char, before + n + 2);
	if (text) {
		memcpy(text, outer, before);
		text[before] = '/';
		memcpy(text + before + 1, own, n + 1);
	}
	return text;
}

const char *cs_cooked_actor_title(const struct cs_cooked *cooked, uint32_t actor)
{
	const char *title = cs_cooked_name_read(cooked, CS_NAMED_TITLE, actor);
	if (title)
		return title;
	const struct cs_cooked_actor *row = cs_cooked_actor(cooked, actor);
	const char *label = cs_cooked_text(cooked, row->label);
	const char *own = *label ? label : cs_cooked_text(cooked, row->name);
	const uint32_t around = cooked->containers[row->container].actor;
	/* the recursion visits only earlier rows, so it ends even if a damaged file has a cycle */
	const char **slot = around == CS_NONE || around >= actor ? NULL : title_slot(cooked, actor);
	if (slot && !*slot)
		*slot = make_title(cooked, around, own);
	return slot && *slot ? *slot : own;
}
