/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether the tables of a cooked world agree, which checks of single records do not find
 * out. A quick check reads the world section by section. Only if it finds that the tables do not
 * agree, the actors are loaded to find out what is wrong.
 */
#include <cellscope/cooked.h>

#include "core/guid.h"
#include "core/job.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/fields.h"
#include "format/reader.h"
#include "format/verify.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct world_check {
	struct cs_cooked *cooked;
	const char *inside; /* package of the level that is checked, "" for the outermost world */
	struct cs_verify *verify;
};

static void wrong(const struct world_check *check, const char *table, size_t row, const char *field,
	const char *format, ...) CS_PRINTF(5, 6);

static void wrong(const struct world_check *check, const char *table, size_t row, const char *field,
	const char *format, ...)
{
	char place[96], message[160];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	snprintf(place, sizeof(place), "%.40s%s%s[%zu]%s%s", check->inside,
		*check->inside ? ": " : "", table, row, *field ? "." : "", field);
	cs_verify_add(
		check->verify, NULL, CS_ERROR, CS_E_REFERENCE, CS_NO_OFFSET, place, "%s", message);
}

/* Returns table row `row` as a struct `structure`. `from` is the section in memory with the row. */
#define SECTION_ROW(from, structure, row) \
	((const struct structure *)(const void *)(from)->rows + ((row) - (from)->first))

/* State of checking that the ranges in a table's rows are consecutive and cover another table. */
struct tiling {
	const struct world_check *check;
	const char *table, *field;
	uint64_t next;
};

static void tile(struct tiling *tiling, size_t row, struct cs_range range)
{
	if (range.count == 0)
		return;
	if (range.first != tiling->next)
		wrong(tiling->check, tiling->table, row, tiling->field,
			"the range begins at row %u instead of %" PRIu64, range.first,
			tiling->next);
	tiling->next = (uint64_t)range.first + range.count;
}

static void tile_end(const struct tiling *tiling, size_t rows)
{
	if (tiling->next != rows)
		wrong(tiling->check, tiling->table, 0, tiling->field,
			"together the ranges in this field cover %" PRIu64
			" rows, but must cover all %zu",
			tiling->next, rows);
}

static struct cs_error *tile_sets(struct tiling *tiling)
{
	static const char *const fields[] = {"members", NULL};
	struct cs_section_rows sets =
		cs_section_rows(tiling->check->cooked->file, CS_TABLE_SETS, fields);
	struct cs_error *error = NULL;
	while (cs_section_rows_next(&sets, &error))
		for (size_t i = sets.first; i < sets.end; i++)
			tile(tiling, i, SECTION_ROW(&sets, cs_cooked_set, i)->members);
	cs_section_rows_deinit(&sets);
	return error;
}

static struct cs_error *tile_cells(
	struct tiling *layers, struct tiling *actors, struct tiling *cell_sets)
{
	static const char *const fields[] = {"layers", "actors", "sets", NULL};
	struct cs_section_rows cells =
		cs_section_rows(layers->check->cooked->file, CS_TABLE_CELLS, fields);
	struct cs_error *error = NULL;
	while (cs_section_rows_next(&cells, &error))
		for (size_t i = cells.first; i < cells.end; i++) {
			const struct cs_cooked_cell *cell = SECTION_ROW(&cells, cs_cooked_cell, i);
			tile(layers, i, cell->layers);
			tile(actors, i, cell->actors);
			tile(cell_sets, i, cell->sets);
		}
	cs_section_rows_deinit(&cells);
	return error;
}

static struct cs_error *check_tilings(const struct world_check *check)
{
	const struct cs_cooked *cooked = check->cooked;
	struct tiling partition_cells = {check, "partitions", "cells", 0};
	struct tiling container_actors = {check, "containers", "actors", 0};
	struct tiling cell_layers = {check, "cells", "layers", 0};
	struct tiling cell_actors = {check, "cells", "actors", 0};
	struct tiling cell_sets = {check, "cells", "sets", 0};
	struct tiling set_members = {check, "sets", "members", 0};
	for (size_t i = 0; i < cooked->n_partitions; i++)
		tile(&partition_cells, i, cooked->partitions[i].cells);
	for (size_t i = 0; i < cooked->n_containers; i++)
		tile(&container_actors, i, cooked->containers[i].actors);
	struct cs_error *error = tile_cells(&cell_layers, &cell_actors, &cell_sets);
	if (!error)
		error = tile_sets(&set_members);
	tile_end(&partition_cells, cooked->n_cells);
	tile_end(&container_actors, cooked->n_actors);
	tile_end(&cell_layers, cooked->n_cell_layers);
	tile_end(&cell_actors, cooked->n_cell_actors);
	tile_end(&set_members, cooked->n_set_members);
	return error;
}

/*
 * Checks that each set names the cell whose range has it, and that sets behind the last range name
 * none. The ranges are known to be consecutive.
 */
static struct cs_error *check_set_cells(const struct world_check *check)
{
	static const char *const of_cells[] = {"sets", NULL}, *const of_sets[] = {"cell", NULL};
	const struct cs_file *file = check->cooked->file;
	struct cs_section_rows cells = cs_section_rows(file, CS_TABLE_CELLS, of_cells);
	struct cs_section_rows sets = cs_section_rows(file, CS_TABLE_SETS, of_sets);
	struct cs_error *error = NULL;
	uint64_t end = 0; /* end of the range of cell `cell`, which is the first with row `i` */
	size_t cell = 0;
	bool more = cs_section_rows_next(&cells, &error);
	while (!error && cs_section_rows_next(&sets, &error))
		for (size_t i = sets.first; !error && i < sets.end; i++) {
			for (; more && end <= i; cell++) {
				if (cell >= cells.end)
					more = cs_section_rows_next(&cells, &error);
				if (more)
					end += SECTION_ROW(&cells, cs_cooked_cell, cell)
						       ->sets.count;
			}
			const uint32_t owner = end > i ? (uint32_t)(cell - 1) : CS_NONE;
			if (!error && SECTION_ROW(&sets, cs_cooked_set, i)->cell != owner)
				wrong(check, "sets", i, "cell",
					"the sets of that cell do not include this set");
		}
	cs_section_rows_deinit(&cells);
	cs_section_rows_deinit(&sets);
	return error;
}

/*
 * ---- quick check of the links between tables ----
 *
 * Each list of actors in a cell or set must agree with the cell and set stored in the actors. To
 * check that in one pass over each table, without loading them, hashes of all links stored in cells
 * and sets are added, and those stored in actors are subtracted. If a sum is not 0, everything is
 * loaded and the detailed checks find the wrong rows.
 */
struct quick_look {
	/* hashes of links in cells minus those in actors, and the same for sets. 0 if they agree */
	uint64_t cells, sets;
	bool ordered; /* whether actors are sorted by container and GUID, and lists by actor */
};

static uint64_t pair_hash(uint32_t actor, uint32_t set, uint32_t cell)
{
	const uint32_t words[] = {actor, set, cell};
	return XXH3_64bits(words, sizeof(words));
}

/*
 * A table (of cells or sets) whose rows have ranges of rows in the table `actors`. `add` adds the
 * hash of the link between a row and one of its actors to a sum of struct quick_look.
 */
struct lists {
	uint16_t table, actors;
	const char *fields[3];
	size_t range;
	void (*add)(struct quick_look *look, const void *row, size_t index, uint32_t actor);
};

static void look_at_cell(struct quick_look *look, const void *row, size_t index, uint32_t actor)
{
	(void)row;
	look->cells += pair_hash(actor, CS_NONE, (uint32_t)index);
}

static void look_at_set(struct quick_look *look, const void *row, size_t index, uint32_t actor)
{
	look->sets += pair_hash(actor, (uint32_t)index, ((const struct cs_cooked_set *)row)->cell);
}

static const struct lists list_tables[] = {
	{CS_TABLE_CELLS, CS_TABLE_CELL_ACTORS, {"actors"}, offsetof(struct cs_cooked_cell, actors),
		look_at_cell},
	{CS_TABLE_SETS, CS_TABLE_SET_MEMBERS, {"members", "cell"},
		offsetof(struct cs_cooked_set, members), look_at_set},
};

static struct cs_error *look_at_lists(
	const struct cs_cooked *cooked, const struct lists *lists, struct quick_look *look)
{
	struct cs_section_rows ids = cs_section_rows(cooked->file, lists->actors, NULL);
	struct cs_section_rows rows = cs_section_rows(cooked->file, lists->table, lists->fields);
	struct cs_error *error = NULL;
	bool more = cs_section_rows_next(&ids, &error);
	size_t next = 0;
	while (!error && cs_section_rows_next(&rows, &error))
		for (size_t i = rows.first; more && !error && i < rows.end; i++) {
			const unsigned char *row = rows.rows + (i - rows.first) * rows.record->size;
			struct cs_range range;
			memcpy(&range, row + lists->range, sizeof(range));
			uint32_t before = CS_NONE;
			for (uint32_t k = 0; more && k < range.count; k++, next++) {
				if (next >= ids.end)
					more = cs_section_rows_next(&ids, &error);
				if (!more)
					break;
				const uint32_t actor = SECTION_ROW(&ids, cs_index_row, next)->value;
				look->ordered = look->ordered && (k == 0 || actor > before);
				before = actor;
				lists->add(look, row, i, actor);
			}
		}
	cs_section_rows_deinit(&ids);
	cs_section_rows_deinit(&rows);
	return error;
}

static void look_at_actor(const struct cs_cooked *cooked, size_t row,
	const struct cs_cooked_actor *actor, struct cs_guid before, struct quick_look *look)
{
	const struct cs_range owned = cooked->containers[actor->container].actors;
	if (row < owned.first || row - owned.first >= owned.count ||
		(row > owned.first && cs_guid_compare(before, actor->guid) >= 0))
		look->ordered = false;
	if (actor->cell != CS_NONE)
		look->cells -= pair_hash((uint32_t)row, CS_NONE, actor->cell);
	if (actor->set != CS_NONE)
		look->sets -= pair_hash((uint32_t)row, actor->set, actor->cell);
}

static struct cs_error *look_at_actors(const struct cs_cooked *cooked, struct quick_look *look)
{
	static const char *const fields[] = {"guid", "container", "set", "cell", NULL};
	struct cs_section_rows actors = cs_section_rows(cooked->file, CS_TABLE_ACTORS, fields);
	struct cs_error *error = NULL;
	struct cs_guid before = {0, 0, 0, 0};
	while (cs_section_rows_next(&actors, &error))
		for (size_t i = actors.first; i < actors.end; i++) {
			const struct cs_cooked_actor *actor =
				SECTION_ROW(&actors, cs_cooked_actor, i);
			look_at_actor(cooked, i, actor, before, look);
			before = actor->guid;
		}
	cs_section_rows_deinit(&actors);
	return error;
}

static struct cs_error *take_quick_look(const struct cs_cooked *cooked, bool *agrees_ret)
{
	struct quick_look look = {.ordered = true};
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COUNT_OF(list_tables); i++)
		error = look_at_lists(cooked, &list_tables[i], &look);
	if (!error)
		error = look_at_actors(cooked, &look);
	*agrees_ret = look.cells == 0 && look.sets == 0 && look.ordered;
	return error;
}

/* ---- detailed checks of rows ---- */

/* Checks that a list of actors, of a row of a table, is sorted, so that it has none twice. */
static void check_order(const struct world_check *check, enum cs_cooked_ids ids,
	struct cs_range range, const char *table, size_t row, const char *field)
{
	for (uint32_t k = 1; k < range.count; k++)
		if (cs_cooked_id(check->cooked, ids, range.first + k - 1) >=
			cs_cooked_id(check->cooked, ids, range.first + k))
			wrong(check, table, row, field,
				"entry %u of the list is not larger than that before", k);
}

/* Returns whether a sorted list has an actor. */
static bool has_actor(const struct cs_cooked *cooked, enum cs_cooked_ids ids, struct cs_range range,
	uint32_t actor)
{
	const uint32_t at = cs_lower_bound(
		0, range.count, k, cs_cooked_id(cooked, ids, range.first + k) < actor);
	return at < range.count && cs_cooked_id(cooked, ids, range.first + at) == actor;
}

static void check_cell(
	const struct world_check *check, size_t row, const struct cs_cooked_cell *cell, bool actors)
{
	const struct cs_cooked *cooked = check->cooked;
	const struct cs_range owned = cooked->partitions[cell->partition].cells;
	if (row < owned.first || row - owned.first >= owned.count)
		wrong(check, "cells", row, "partition",
			"the cells of that partition do not include this cell");
	if (cell->actors.count == 0)
		wrong(check, "cells", row, "actors",
			"the cell has no actors, but must have at least one");
	if (actors)
		check_order(check, CS_IDS_CELL_ACTORS, cell->actors, "cells", row, "actors");
	for (uint32_t k = 0; actors && k < cell->actors.count; k++) {
		const uint32_t actor =
			cs_cooked_id(cooked, CS_IDS_CELL_ACTORS, cell->actors.first + k);
		if (cs_cooked_actor(cooked, actor)->cell != row)
			wrong(check, "cells", row, "actors",
				"the cell lists actor %u, but the row of that actor names another "
				"cell",
				actor);
	}
}

static struct cs_error *check_cells(const struct world_check *check, bool actors)
{
	static const char *const fields[] = {"partition", "actors", NULL};
	struct cs_section_rows cells = cs_section_rows(check->cooked->file, CS_TABLE_CELLS, fields);
	struct cs_error *error = NULL;
	while (cs_section_rows_next(&cells, &error))
		for (size_t i = cells.first; i < cells.end; i++)
			check_cell(check, i, SECTION_ROW(&cells, cs_cooked_cell, i), actors);
	cs_section_rows_deinit(&cells);
	return error;
}

static void check_sets(const struct world_check *check)
{
	const struct cs_cooked *cooked = check->cooked;
	for (size_t i = 0; i < cooked->n_sets; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(cooked, i);
		check_order(check, CS_IDS_SET_MEMBERS, set->members, "sets", i, "members");
		for (uint32_t k = 0; k < set->members.count; k++) {
			const struct cs_cooked_actor *actor = cs_cooked_actor(cooked,
				cs_cooked_id(cooked, CS_IDS_SET_MEMBERS, set->members.first + k));
			if (actor->set != i || actor->cell != set->cell)
				wrong(check, "sets", i, "members",
					"member %u belongs to another set or cell", k);
		}
	}
}

static void cworld_verify_check_actors(const struct world_check *check)
{
	const struct cs_cooked *cooked = check->cooked;
	for (size_t i = 0; i < cooked->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, i);
		const struct cs_range owned = cooked->containers[actor->container].actors;
		const uint32_t row = (uint32_t)i;
		if (actor->cell != CS_NONE &&
			!has_actor(cooked, CS_IDS_CELL_ACTORS,
				cs_cooked_cell(cooked, actor->cell)->actors, row))
			wrong(check, "actors", i, "cell",
				"the actors of that cell do not include this actor");
		if (actor->set != CS_NONE &&
			!has_actor(cooked, CS_IDS_SET_MEMBERS,
				cs_cooked_set(cooked, actor->set)->members, row))
			wrong(check, "actors", i, "set",
				"the members of that set do not include this actor");
		if (i < owned.first || i - owned.first >= owned.count)
			wrong(check, "actors", i, "container",
				"the actors of that container do not include this actor");
		else if (i > owned.first &&
			 cs_guid_compare(cs_cooked_actor(cooked, i - 1)->guid, actor->guid) >= 0)
			wrong(check, "actors", i, "guid",
				"the GUID is not larger than that of the actor before");
	}
}

struct identity {
	struct cs_guid guid;
	uint32_t name, row;
};

static int cworld_verify_by_name(const void *left, const void *right, void *context)
{
	uint32_t l = ((const struct identity *)left)->name;
	uint32_t r = ((const struct identity *)right)->name;
	(void)context;
	return l < r ? -1 : l > r;
}

/*
 * A field whose value must be different in every cell. `number` is the offset, in the record of a
 * cell, of 4 bytes of the field. The check runs in several passes. A pass examines the cells for
 * which these bytes, modulo the number of passes, are the number of the pass.
 */
static const struct unique {
	const char *fields[2];
	int (*order)(const void *left, const void *right, void *context);
	size_t number;
} uniques[] = {
	{{"guid"}, cs_compare_guids, offsetof(struct cs_cooked_cell, guid)},
	{{"name"}, cworld_verify_by_name, offsetof(struct cs_cooked_cell, name)},
};

struct identities {
	CS_VEC(struct identity) cells;
};

/* Collects the cells for which the 4 bytes at unique->number, modulo `passes`, are `pass`. */
static struct cs_error *collect_identities(const struct cs_cooked *cooked,
	const struct unique *unique, uint32_t pass, uint32_t passes, struct identities *ret)
{
	struct cs_section_rows cells =
		cs_section_rows(cooked->file, CS_TABLE_CELLS, unique->fields);
	struct cs_error *error = NULL;
	ret->cells.n = 0;
	while (!error && cs_section_rows_next(&cells, &error))
		for (size_t i = cells.first; !error && i < cells.end; i++) {
			const struct cs_cooked_cell *cell = SECTION_ROW(&cells, cs_cooked_cell, i);
			uint32_t number;
			memcpy(&number, (const char *)cell + unique->number, sizeof(number));
			const struct identity identity = {cell->guid, cell->name, (uint32_t)i};
			if (number % passes == pass && !cs_vec_push(&ret->cells, identity))
				error = cs_error_nomem();
		}
	cs_section_rows_deinit(&cells);
	return error;
}

/*
 * Checks that no two cells have the same value of the field `unique`. Each pass examines about
 * AT_ONCE cells, which limits the memory.
 */
static struct cs_error *check_unique(
	const struct world_check *check, const struct unique *unique, struct identities *found)
{
	enum { AT_ONCE = 1 << 20 };
	const uint32_t passes = (uint32_t)(check->cooked->n_cells / AT_ONCE) + 1;
	for (uint32_t pass = 0; pass < passes; pass++) {
		struct cs_error *error =
			collect_identities(check->cooked, unique, pass, passes, found);
		if (error)
			return error;
		struct identity *at = found->cells.at;
		if (!cs_sort(at, found->cells.n, sizeof(*at), unique->order, NULL))
			return cs_error_nomem();
		for (size_t i = 1; i < found->cells.n; i++)
			if (unique->order(&at[i - 1], &at[i], NULL) == 0)
				wrong(check, "cells", at[i].row, unique->fields[0],
					"cell %u has the same value in this field, but each cell "
					"must have its own",
					at[i - 1].row);
	}
	return NULL;
}

static struct cs_error *check_world(const struct world_check *check)
{
	const size_t before = check->verify->n;
	bool agrees;
	struct cs_error *error = check_tilings(check);
	if (error || check->verify->n != before)
		return error;
	error = check_set_cells(check);
	if (!error)
		error = take_quick_look(check->cooked, &agrees);
	if (!error && !agrees)
		error = cs_cooked_load_actors(check->cooked);
	if (error)
		return error;
	error = check_cells(check, !agrees);
	if (error)
		return error;
	if (!agrees) {
		check_sets(check);
		cworld_verify_check_actors(check);
	}
	struct identities found = {.cells = {0}};
	for (size_t i = 0; !error && i < CS_COUNT_OF(uniques); i++)
		error = check_unique(check, &uniques[i], &found);
	cs_vec_free(&found.cells);
	return error;
}

/* ---- sub partitions (level instances with their own world partition) ---- */

/*
 * Checks that the actor of a row is a level instance in the cell of `parent` that the row names,
 * and that the row has either a level or the reason why it has none.
 */
static void check_sub(const struct world_check *check, size_t row, const struct cs_cooked *parent)
{
	const struct cs_cooked_sub *sub = &check->cooked->subs[row];
	if (sub->actor >= parent->n_actors) {
		wrong(check, "sub_partitions", row, "actor",
			"the parent world has no actor with this number");
		return;
	}
	const struct cs_cooked_actor *actor = cs_cooked_actor(parent, sub->actor);
	if (!(actor->flags & CS_ACTOR_LEVEL_INSTANCE))
		wrong(check, "sub_partitions", row, "actor", "the actor is not a level instance");
	if (actor->cell != sub->cell)
		wrong(check, "sub_partitions", row, "cell",
			"the level instance is in another cell");
	if ((sub->level == CS_NONE) != (*cs_cooked_text(check->cooked, sub->reason) != '\0'))
		wrong(check, "sub_partitions", row, "reason",
			sub->level == CS_NONE
				? "the row has neither a level nor a reason why there is none"
				: "the row has both a level and a reason why there is none");
}

/* Checks the rows of sub_partitions below instances of `level`, the outermost ones for CS_NONE. */
static void check_subs_in(
	const struct world_check *check, uint32_t level, const struct cs_cooked *parent)
{
	const struct cs_cooked *cooked = check->cooked;
	for (size_t i = 0; i < cooked->n_subs; i++) {
		uint32_t outer = cooked->subs[i].parent;
		if ((outer == CS_NONE ? CS_NONE : cooked->subs[outer].level) != level)
			continue;
		if (outer != CS_NONE && level == CS_NONE)
			wrong(check, "sub_partitions", i, "parent",
				"the parent is not a world partition");
		else
			check_sub(check, i, parent);
	}
}

static struct cs_error *cworld_verify_check_level(
	const struct world_check *check, uint32_t level, const struct cs_job *job)
{
	const size_t before = check->verify->n;
	struct cs_cooked *inner = NULL;
	struct cs_error *error = cs_verify_error(
		check->verify, cs_cooked_open_level(check->cooked, level, job, &inner));
	if (inner)
		error = cs_verify_error(check->verify, cs_cooked_load_details(inner));
	if (!error && inner && check->verify->n == before) {
		const struct world_check inside = {inner,
			cs_cooked_text(check->cooked, check->cooked->sub_levels[level].package),
			check->verify};
		if (inner->n_subs)
			wrong(&inside, "sub_partitions", 0, "",
				"a world within another world must have no rows in this table");
		error = check_world(&inside);
		check_subs_in(check, level, inner);
	}
	cs_cooked_close(inner);
	return error;
}

/* Returns an error if the number of rows of the table of details is not the number of actors. */
static struct cs_error *details_error(struct cs_cooked *cooked)
{
	return cooked->n_details == cooked->n_actors ? NULL : cs_cooked_load_details(cooked);
}

struct cs_error *cs_cooked_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret)
{
	struct cs_verify verify = {report, context, 0, cs_job_limits(job).findings};
	struct cs_file *file = NULL;
	struct cs_error *error = cs_verify_file(path, job, &verify, &file);
	struct cs_cooked *cooked = NULL;
	if (!error && verify.n == 0)
		error = cs_verify_error(&verify, cs_cooked_of_checked(file, &cooked));
	else
		cs_file_close(file);
	if (!error && cooked)
		error = cs_verify_error(&verify, details_error(cooked));
	if (!error && cooked && verify.n == 0) {
		const struct world_check check = {cooked, "", &verify};
		error = check_world(&check);
		if (!error && verify.n == 0) {
			check_subs_in(&check, CS_NONE, check.cooked);
			for (uint32_t level = 0; !error && level < check.cooked->n_sub_levels;
				level++)
				error = cworld_verify_check_level(&check, level, job);
		}
	}
	cs_cooked_close(cooked);
	if (!error)
		*n_ret = verify.n;
	return error;
}
