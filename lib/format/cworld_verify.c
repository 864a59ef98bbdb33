/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what a cooked world promises beyond its records. Each check is one function over the plain
 * arrays; checks do not depend on each other.
 */
#include <cellscope/cooked.h>

#include "core/guid.h"
#include "core/job.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world_check {
	struct cs_cooked *c;
	const char *inside; /* package of the level whose world it is, "" for the file's own */
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
	cs_verify_add(check->verify, CS_ERROR, CS_E_REFERENCE, CS_NO_OFFSET, place, "%s", message);
}

/* Ranges must follow one another from row 0 to the end of their table. */
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
			"begins at %u instead of %" PRIu64, range.first, tiling->next);
	tiling->next = (uint64_t)range.first + range.count;
}

static void tile_end(const struct tiling *tiling, size_t rows)
{
	if (tiling->next != rows)
		wrong(tiling->check, tiling->table, 0, tiling->field,
			"cover %" PRIu64 " of %zu rows", tiling->next, rows);
}

static void check_tilings(const struct world_check *check)
{
	const struct cs_cooked *c = check->c;
	struct tiling partition_cells = {check, "partitions", "cells", 0};
	struct tiling container_actors = {check, "containers", "actors", 0};
	struct tiling cell_layers = {check, "cells", "layers", 0};
	struct tiling cell_actors = {check, "cells", "actors", 0};
	struct tiling cell_sets = {check, "cells", "sets", 0};
	struct tiling set_members = {check, "sets", "members", 0};
	for (size_t i = 0; i < c->n_partitions; i++)
		tile(&partition_cells, i, c->partitions[i].cells);
	for (size_t i = 0; i < c->n_containers; i++)
		tile(&container_actors, i, c->containers[i].actors);
	for (size_t i = 0; i < c->n_cells; i++) {
		tile(&cell_layers, i, c->cells[i].layers);
		tile(&cell_actors, i, c->cells[i].actors);
		tile(&cell_sets, i, c->cells[i].sets);
	}
	for (size_t i = 0; i < c->n_sets; i++)
		tile(&set_members, i, cs_cooked_set(c, i)->members);
	tile_end(&partition_cells, c->n_cells);
	tile_end(&container_actors, c->n_actors);
	tile_end(&cell_layers, c->n_cell_layers);
	tile_end(&cell_actors, c->n_cell_actors);
	tile_end(&set_members, c->n_set_members);
}

static void check_cells(const struct world_check *check)
{
	const struct cs_cooked *c = check->c;
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cs_cooked_cell *cell = &c->cells[i];
		const struct cs_range owned = c->partitions[cell->partition].cells;
		if (i < owned.first || i - owned.first >= owned.count)
			wrong(check, "cells", i, "partition", "does not own the cell");
		if (cell->actors.count == 0)
			wrong(check, "cells", i, "actors", "an empty cell");
		for (uint32_t k = 0; k < cell->actors.count; k++) {
			uint32_t actor =
				cs_cooked_id(c, CS_IDS_CELL_ACTORS, cell->actors.first + k);
			if (cs_cooked_actor(c, actor)->cell != i)
				wrong(check, "cells", i, "actors",
					"names actor %u, which is elsewhere", actor);
		}
	}
}

static void check_sets(const struct world_check *check)
{
	const struct cs_cooked *c = check->c;
	for (size_t i = 0; i < c->n_sets; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(c, i);
		for (uint32_t k = 0; k < set->members.count; k++) {
			const struct cs_cooked_actor *actor = cs_cooked_actor(
				c, cs_cooked_id(c, CS_IDS_SET_MEMBERS, set->members.first + k));
			if (actor->set != i || actor->cell != set->cell)
				wrong(check, "sets", i, "members",
					"member %u is of another set or cell", k);
		}
	}
}

static void cworld_verify_check_actors(const struct world_check *check)
{
	const struct cs_cooked *c = check->c;
	uint64_t in_cells = 0;
	for (size_t i = 0; i < c->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(c, i);
		const struct cs_range owned = c->containers[actor->container].actors;
		in_cells += actor->cell != CS_NONE;
		if (i < owned.first || i - owned.first >= owned.count)
			wrong(check, "actors", i, "container", "does not own the actor");
		else if (i > owned.first &&
			 cs_guid_compare(cs_cooked_actor(c, i - 1)->guid, actor->guid) >= 0)
			wrong(check, "actors", i, "guid", "not in ascending order");
	}
	if (in_cells != c->n_cell_actors)
		wrong(check, "cell_actors", 0, "", "%zu rows for %" PRIu64 " placed actors",
			c->n_cell_actors, in_cells);
}

struct identity {
	struct cs_guid guid;
	uint32_t name, row;
};

static int cworld_verify_by_guid(const void *left, const void *right, void *context)
{
	(void)context;
	return cs_guid_compare(
		((const struct identity *)left)->guid, ((const struct identity *)right)->guid);
}

static int cworld_verify_by_name(const void *left, const void *right, void *context)
{
	uint32_t l = ((const struct identity *)left)->name;
	uint32_t r = ((const struct identity *)right)->name;
	(void)context;
	return l < r ? -1 : l > r;
}

static struct cs_error *check_identities(const struct world_check *check)
{
	const struct cs_cooked *c = check->c;
	struct identity *cells = calloc(c->n_cells ? c->n_cells : 1, sizeof(*cells));
	if (!cells)
		return cs_error_nomem();
	for (size_t i = 0; i < c->n_cells; i++)
		cells[i] = (struct identity){c->cells[i].guid, c->cells[i].name, (uint32_t)i};
	bool sorted = cs_sort(cells, c->n_cells, sizeof(*cells), cworld_verify_by_guid, NULL);
	for (size_t i = 1; sorted && i < c->n_cells; i++)
		if (cs_guid_compare(cells[i - 1].guid, cells[i].guid) == 0)
			wrong(check, "cells", cells[i].row, "guid", "also of cell %u",
				cells[i - 1].row);
	sorted = sorted && cs_sort(cells, c->n_cells, sizeof(*cells), cworld_verify_by_name, NULL);
	for (size_t i = 1; sorted && i < c->n_cells; i++)
		if (cells[i - 1].name == cells[i].name)
			wrong(check, "cells", cells[i].row, "name", "also of cell %u",
				cells[i - 1].row);
	free(cells);
	return sorted ? NULL : cs_error_nomem();
}

static struct cs_error *check_world(const struct world_check *check)
{
	size_t before = check->verify->n;
	check_tilings(check);
	if (check->verify->n != before)
		return NULL;
	check_cells(check);
	check_sets(check);
	cworld_verify_check_actors(check);
	return check_identities(check);
}

/* ---- sub partitions ---- */

/* A level instance that its parent has, in the cell that the parent says. */
static void check_sub(const struct world_check *check, size_t row, const struct cs_cooked *parent)
{
	const struct cs_cooked_sub *sub = &check->c->subs[row];
	if (sub->actor >= parent->n_actors) {
		wrong(check, "sub_partitions", row, "actor", "beyond the actors of its parent");
		return;
	}
	const struct cs_cooked_actor *actor = cs_cooked_actor(parent, sub->actor);
	if (!(actor->flags & CS_ACTOR_LEVEL_INSTANCE))
		wrong(check, "sub_partitions", row, "actor", "not a level instance");
	if (actor->cell != sub->cell)
		wrong(check, "sub_partitions", row, "cell", "not the cell of its level instance");
	if ((sub->level == CS_NONE) != (*cs_cooked_text(check->c, sub->reason) != '\0'))
		wrong(check, "sub_partitions", row, "reason",
			sub->level == CS_NONE ? "no level and no reason" : "a reason and a level");
}

/* The rows whose parent is an instance of that level, CS_NONE for the world. */
static void check_subs_in(
	const struct world_check *check, uint32_t level, const struct cs_cooked *parent)
{
	const struct cs_cooked *c = check->c;
	for (size_t i = 0; i < c->n_subs; i++) {
		uint32_t outer = c->subs[i].parent;
		if ((outer == CS_NONE ? CS_NONE : c->subs[outer].level) != level)
			continue;
		if (outer != CS_NONE && level == CS_NONE)
			wrong(check, "sub_partitions", i, "parent", "is no partition");
		else
			check_sub(check, i, parent);
	}
}

static struct cs_error *cworld_verify_check_level(
	const struct world_check *check, uint32_t level, const struct cs_job *job)
{
	const size_t before = check->verify->n;
	struct cs_cooked *inner = NULL;
	struct cs_error *error =
		cs_verify_error(check->verify, cs_cooked_open_level(check->c, level, job, &inner));
	if (inner)
		error = cs_verify_error(check->verify, cs_cooked_load_details(inner));
	if (!error && inner && check->verify->n == before) {
		const struct world_check inside = {inner,
			cs_cooked_text(check->c, check->c->sub_levels[level].package),
			check->verify};
		if (inner->n_subs)
			wrong(&inside, "sub_partitions", 0, "", "a level with rows of its own");
		error = check_world(&inside);
		check_subs_in(check, level, inner);
	}
	cs_cooked_close(inner);
	return error;
}

static struct cs_error *check_subs(const struct world_check *check, const struct cs_job *job)
{
	struct cs_error *error = NULL;
	check_subs_in(check, CS_NONE, check->c);
	for (uint32_t level = 0; !error && level < check->c->n_sub_levels; level++)
		error = cworld_verify_check_level(check, level, job);
	return error;
}

struct cs_error *cs_cooked_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret)
{
	struct cs_verify verify = {report, context, 0, cs_job_limits(job).findings};
	struct cs_file *file = NULL;
	struct cs_error *error = cs_verify_file(path, job, &verify, &file);
	cs_file_close(file);
	struct cs_cooked *c = NULL;
	if (!error && verify.n == 0)
		error = cs_verify_error(&verify, cs_cooked_open(path, job, &c));
	if (!error && c)
		error = cs_verify_error(&verify, cs_cooked_load_details(c));
	if (!error && c && verify.n == 0) {
		const struct world_check check = {c, "", &verify};
		error = check_world(&check);
		if (!error && verify.n == 0)
			error = check_subs(&check, job);
	}
	cs_cooked_close(c);
	if (!error)
		*n_ret = verify.n;
	return error;
}
