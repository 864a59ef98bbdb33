/* SPDX-License-Identifier: Apache-2.0 */
/* Cooking small worlds in tests, and the invariants that hold for every cook. */
#include "tests/unit/cook/cooking.h"
#include "core/guid.h"
#include "format/cooked_inside.h"
#include "tests/samples/folder.h"

#include "format/save.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(struct cs_error *error)
{
	printf("Bail out! %s: %s\n", cs_word(CS_WORDS_CODE, error->code)->name, error->message);
	exit(99);
}

struct cooked_world cook_world(
	const struct cs_world *world, const struct cs_cook_options *options, int threads)
{
	struct cooked_world result = {0};
	struct cs_cook *cook = NULL;
	const struct cs_job job = {.threads = threads};
	struct cs_error *error = cs_cook(world, options, &job, &cook);
	if (!error)
		error = cs_cook_bytes(cook, &result.bytes, &result.size);
	if (!error)
		error = cs_cooked_open_bytes(result.bytes, result.size, "cook", &job, &result.c);
	if (!error)
		error = cs_cooked_load_details(result.c);
	cs_cook_free(cook);
	if (error)
		fail(error);
	return result;
}

struct cs_world *read_lines(const char *lines)
{
	char path[4096];
	const char *out = test_folder();
	struct cs_world *world = NULL;
	snprintf(path, sizeof(path), "%s/cook.%ld.jsonl", out, (long)getpid());
	struct cs_error *error = cs_save_whole(path, lines, strlen(lines));
	if (!error)
		error = cs_world_read_json(path, NULL, &world);
	unlink(path);
	if (error)
		fail(error);
	return world;
}

struct cooked_world cook_lines(const char *lines, const char *profile)
{
	struct cs_world *world = read_lines(lines);
	const struct cs_cook_options options = {.profile = profile};
	struct cooked_world result = cook_world(world, &options, 0);
	cs_world_free(world);
	return result;
}

void cooked_free(struct cooked_world *world)
{
	cs_cooked_close(world->c);
	free(world->bytes);
	*world = (struct cooked_world){0};
}

const struct cs_cooked_actor *actor_named(const struct cooked_world *world, const char *name)
{
	for (size_t i = 0; i < world->c->n_actors; i++)
		if (strcmp(cs_cooked_text(world->c, cs_cooked_actor(world->c, i)->name), name) == 0)
			return cs_cooked_actor(world->c, i);
	printf("Bail out! no actor %s\n", name);
	exit(99);
}

const struct cs_cooked_cell *cell_of(const struct cooked_world *world, const char *actor)
{
	uint32_t cell = actor_named(world, actor)->cell;
	if (cell == CS_NONE) {
		printf("Bail out! actor %s is in no cell\n", actor);
		exit(99);
	}
	return cs_cooked_cell(world->c, cell);
}

const char *cell_name_of(const struct cooked_world *world, const char *actor)
{
	uint32_t cell = actor_named(world, actor)->cell;
	return cell == CS_NONE ? "-"
			       : cs_cooked_text(world->c, cs_cooked_cell(world->c, cell)->name);
}

const struct cs_cooked_cell *cell_called(const struct cs_cooked *c, const char *name)
{
	for (size_t i = 0; i < c->n_cells; i++)
		if (strcmp(cs_cooked_text(c, cs_cooked_cell(c, i)->name), name) == 0)
			return cs_cooked_cell(c, i);
	return NULL;
}

bool near_box(const struct cs_box *l, const struct cs_box *r, double tolerance)
{
	if (!cs_box_valid(l) || !cs_box_valid(r))
		return cs_box_valid(l) == cs_box_valid(r);
	return fabs(l->min.x - r->min.x) <= tolerance && fabs(l->min.y - r->min.y) <= tolerance &&
	       fabs(l->min.z - r->min.z) <= tolerance && fabs(l->max.x - r->max.x) <= tolerance &&
	       fabs(l->max.y - r->max.y) <= tolerance && fabs(l->max.z - r->max.z) <= tolerance;
}

size_t findings_of(const struct cooked_world *world, enum cs_check check, int pass)
{
	size_t n = 0;
	for (size_t i = 0; i < world->c->n_findings; i++)
		n += world->c->findings[i].check == check &&
		     (pass < 0 || world->c->findings[i].pass == (uint32_t)pass);
	return n;
}

/* ---- invariants ---- */

/*
 * Appendix C, 1: every view that is neither editor-only, filtered nor dropped is in exactly one
 * cell.
 */
static const char *check_placed(const struct cs_cooked *c)
{
	size_t placed = 0;
	for (size_t i = 0; i < c->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(c, i);
		bool unplaced = actor->placement >= CS_UNPLACED_EDITOR_ONLY;
		if (unplaced != (actor->cell == CS_NONE))
			return "an actor has a cell exactly when it was placed";
		placed += actor->cell != CS_NONE;
	}
	return placed == c->n_cell_actors ? NULL : "every placed actor is in one cell";
}

/* Appendix C, 2: members of a set are in the same cell and have the same values. */
static const char *check_members(const struct cs_cooked *c)
{
	for (size_t i = 0; i < c->n_sets; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(c, i);
		const struct cs_cooked_actor *first =
			cs_cooked_actor(c, cs_cooked_id(c, CS_IDS_SET_MEMBERS, set->members.first));
		for (uint32_t k = 0; k < set->members.count; k++) {
			const struct cs_cooked_actor *a = cs_cooked_actor(
				c, cs_cooked_id(c, CS_IDS_SET_MEMBERS, set->members.first + k));
			if (a->cell != set->cell || a->effective_grid != first->effective_grid ||
				(a->flags & CS_ACTOR_SPATIAL) != (first->flags & CS_ACTOR_SPATIAL))
				return "members of a set agree";
		}
	}
	return NULL;
}

/* A runtime reference never leaves a set. */
static const char *check_references(const struct cs_cooked *c)
{
	for (size_t i = 0; i < c->n_actors; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(c, i);
		for (uint32_t k = 0; k < actor->references.count; k++) {
			const struct cs_cooked_reference *r =
				cs_cooked_reference(c, actor->references.first + k);
			if (r->state == CS_REFERENCE_RUNTIME && r->actor != CS_NONE &&
				actor->set != CS_NONE &&
				cs_cooked_actor(c, r->actor)->set != actor->set)
				return "a runtime reference stays in its set";
		}
	}
	return NULL;
}

/*
 * Appendix C, 4: no two cells have the same GUID or name. Cells with the same short name have other
 * layers or another bundle.
 */
static const char *check_names(const struct cs_cooked *c)
{
	for (size_t i = 1; i < c->n_cells; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct cs_cooked_cell *a = cs_cooked_cell(c, k),
						    *b = cs_cooked_cell(c, i);
			if (cs_guid_compare(a->guid, b->guid) == 0 || a->name == b->name)
				return "cells have names and GUIDs of their own";
			if (a->partition == b->partition && a->short_name == b->short_name &&
				a->layers_id == b->layers_id &&
				cs_guid_compare(a->content_bundle, b->content_bundle) == 0)
				return "cells of one name differ in layers or bundle";
		}
	}
	return NULL;
}

/*
 * Appendix C, 5: a cell of a spatial grid contains the sets that are placed in it by bounds, and
 * the top level has one cell.
 */
static const char *check_grids(const struct cs_cooked *c)
{
	for (size_t i = 0; i < c->n_sets; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(c, i);
		if (set->placement != CS_PLACED_BY_BOUNDS)
			continue;
		const struct cs_box *cell = &cs_cooked_cell(c, set->cell)->box, *box = &set->bounds;
		if (box->min.x < cell->min.x || box->max.x > cell->max.x ||
			box->min.y < cell->min.y || box->max.y > cell->max.y)
			return "a cell found by bounds contains them";
	}
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(c, i);
		const struct cs_cooked_partition *p = &c->partitions[cell->partition];
		if (p->partition_class == CS_PARTITION_SPATIAL_GRID &&
			cell->level + 1 == (int32_t)p->levels && (cell->x || cell->y))
			return "the top level has one cell";
	}
	return NULL;
}

/*
 * Appendix C, 7: there are as many streaming levels as cells that are not always loaded. Always
 * loaded cells have no layers.
 */
static const char *check_always_loaded(const struct cs_cooked *c)
{
	for (size_t i = 0; i < c->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(c, i);
		bool bare = cell->layers.count == 0 && cs_guid_is_zero(cell->content_bundle) &&
			    !(cell->flags & CS_CELL_SPATIAL);
		if (bare != ((cell->flags & CS_CELL_ALWAYS_LOADED) != 0))
			return "always loaded: non-spatial, no layers, no bundle";
		if (cell->actors.count == 0)
			return "no cell is empty";
	}
	return NULL;
}

const char *broken_invariant(const struct cs_cooked *c)
{
	const char *(*const checks[])(const struct cs_cooked *c) = {check_placed, check_members,
		check_references, check_names, check_grids, check_always_loaded};
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		const char *broken = checks[i](c);
		if (broken)
			return broken;
	}
	return NULL;
}
