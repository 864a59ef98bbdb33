/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the engine's cells and actors from its cooked files (ue-cooked rules 7, 14). From engine
 * version 5.5 on a cooked actor has the GUID of its descriptor. If one of the cooks has no such
 * GUID, actors are identified by the names of their objects, which a cook keeps. Objects that the
 * engine's cook adds to the level (settings, layers, the actor of the level script) have no
 * descriptor and are skipped.
 */
#include "compare/answer.h"

#include "core/guid.h"
#include "core/search.h"
#include "core/sort.h"
#include "format/cooked_inside.h"

#include <stdio.h>

/*
 * The actors of our cook, sorted by name. Copies of a level instance have actors of the same name.
 */
struct names {
	const struct cs_cooked *ours;
	uint32_t *rows;
	bool *taken; /* for each of our actors, whether cook_answer_find_name has returned it */
	bool made;   /* whether some of our actors have a GUID that the engine did not write */
};

static int cook_answer_by_name(const void *left, const void *right, void *context)
{
	const struct cs_cooked *cooked = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = cs_name_compare(cs_cooked_text(cooked, cs_cooked_actor(cooked, a)->name),
		cs_cooked_text(cooked, cs_cooked_actor(cooked, b)->name));
	return order ? order : (a > b) - (a < b);
}

static bool cook_answer_index_names(const struct cs_cooked *ours, struct names *ret)
{
	*ret = (struct names){ours, cs_sorted_rows(ours->n_actors, cook_answer_by_name, ours),
		calloc(ours->n_actors + 1, sizeof(bool)), false};
	for (uint32_t i = 0; ret->rows && i < ours->n_actors; i++)
		ret->made |= (cs_cooked_actor(ours, i)->flags & CS_ACTOR_MADE_GUID) != 0;
	return ret->rows && ret->taken;
}

static bool same_cell(const struct cs_cooked *ours, uint32_t cell, const struct cs_cooked *theirs,
	const struct cs_cooked_cell *other)
{
	return cell != CS_NONE &&
	       (cs_guid_compare(cs_cooked_cell(ours, cell)->guid, other->guid) == 0 ||
		       cs_name_compare(cs_cooked_cell_name(ours, cell),
			       cs_cooked_text(theirs, other->name)) == 0);
}

/*
 * Returns the row of an actor of our cook with this name, or CS_NONE if none is left. An actor that
 * is in the same cell as in the engine's cook (`cell`) is preferred. No actor is returned twice.
 */
static uint32_t cook_answer_find_name(const struct names *names, const char *name,
	const struct cs_cooked *theirs, const struct cs_cooked_cell *cell)
{
	const struct cs_cooked *cooked = names->ours;
	uint32_t found = CS_NONE;
	size_t at = cs_lower_bound(0, cooked->n_actors, i,
		cs_name_compare(
			cs_cooked_text(cooked, cs_cooked_actor(cooked, names->rows[i])->name),
			name) < 0);
	for (; at < cooked->n_actors; at++) {
		uint32_t row = names->rows[at];
		if (cs_name_compare(
			    cs_cooked_text(cooked, cs_cooked_actor(cooked, row)->name), name) != 0)
			break;
		if (names->taken[row])
			continue;
		if (found == CS_NONE ||
			same_cell(cooked, cs_cooked_actor(cooked, row)->cell, theirs, cell))
			found = row;
		if (same_cell(cooked, cs_cooked_actor(cooked, found)->cell, theirs, cell))
			break;
	}
	if (found != CS_NONE)
		names->taken[found] = true;
	return found;
}

/* Returns whether the actor is one that the cook makes: WorldDataLayers, or the level script's. */
static bool is_made_for_the_map(const struct cs_cooked *theirs, uint32_t actor)
{
	const char *class_name =
		cs_cooked_text(theirs, cs_cooked_actor(theirs, actor)->native_class);
	const char *blueprint = cs_cooked_text(theirs, cs_cooked_actor(theirs, actor)->base_class);
	const char *map = cs_cooked_text(theirs, theirs->world->name);
	const char *dot = strrchr(blueprint, '.');
	size_t n = strlen(map);
	if (strcmp(class_name, "/Script/Engine.WorldDataLayers") == 0)
		return true;
	/* the script class of a map has its name and "_C", as in "/Game/Maps/Town.Town_C" */
	const char *own = dot ? dot + 1 : blueprint;
	return strncmp(own, map, n) == 0 && strcmp(own + n, "_C") == 0;
}

static struct cs_answer_actor answer_of(const struct names *names, const struct cs_cooked *theirs,
	uint32_t row, const struct cs_cooked_cell *cell)
{
	const struct cs_cooked_actor *actor = cs_cooked_actor(theirs, row);
	struct cs_answer_actor one = {actor->guid, cs_cooked_text(theirs, actor->label)};
	if (actor->flags & CS_ACTOR_MADE_GUID || names->made) {
		uint32_t ours = cook_answer_find_name(
			names, cs_cooked_text(theirs, actor->name), theirs, cell);
		if (ours != CS_NONE)
			one.guid = cs_cooked_detail(names->ours, ours)->instance_guid;
	}
	return one;
}

static bool cook_answer_take_cell(struct cs_answer *to, const struct names *names,
	const struct cs_cooked *theirs, const struct cs_cooked_cell *cell)
{
	struct cs_answer_cell mine = {
		.name = cs_cooked_text(theirs, cell->name),
		.package = cs_cooked_text(theirs, cell->package),
		.guid = cell->flags & CS_CELL_MADE_GUID ? (struct cs_guid){0} : cell->guid,
		.box = cell->box,
		.content = cell->content,
		.has_boxes = cs_box_valid(&cell->box) && cs_box_valid(&cell->content),
		.is_2d = cell->flags & CS_CELL_2D,
		.first = to->actors.n,
		.count = cell->actors.count,
		.ours = CS_NONE,
	};
	for (uint32_t i = 0; i < cell->actors.count; i++) {
		uint32_t row = cs_cooked_id(theirs, CS_IDS_CELL_ACTORS, cell->actors.first + i);
		if (!cs_vec_push(&to->actors, answer_of(names, theirs, row, cell)))
			return false;
	}
	return cs_vec_push(&to->cells, mine);
}

/* Adds the object path of an actor of the persistent level to the list of always loaded actors. */
static bool take_loaded(struct cs_answer *to, const struct cs_cooked *theirs, uint32_t row)
{
	char text[1200];
	snprintf(text, sizeof(text), "%.400s.%.300s:PersistentLevel.%.400s",
		cs_cooked_text(theirs, theirs->world->package),
		cs_cooked_text(theirs, theirs->world->name),
		cs_cooked_text(theirs, cs_cooked_actor(theirs, row)->name));
	const char *path = cs_arena_text(&to->arena, text, strlen(text));
	return path && cs_vec_push(&to->always_loaded, path);
}

static bool is_in_the_source(
	const struct names *names, const struct cs_cooked *theirs, uint32_t row)
{
	static const struct cs_cooked_cell no_cell;
	const char *name = cs_cooked_text(theirs, cs_cooked_actor(theirs, row)->name);
	return cook_answer_find_name(names, name, theirs, &no_cell) != CS_NONE;
}

static bool cook_answer_is_streamed(const struct cs_cooked *theirs, uint32_t cell)
{
	return cell != CS_NONE && !(cs_cooked_cell(theirs, cell)->flags & CS_CELL_ALWAYS_LOADED);
}

struct cs_error *cs_answer_of_cooked(
	const struct cs_cooked *theirs, const struct cs_cooked *ours, struct cs_answer *ret)
{
	struct names names;
	/* whether our cook was made from a source; false when it, too, is a cook of the engine */
	bool source = !(ours->world->flags & CS_WORLD_COOKED);
	bool works = cook_answer_index_names(ours, &names);
	ret->world = cs_cooked_text(theirs, theirs->world->name);
	ret->whole = ret->cooked = true;
	ret->hash_class = theirs->world->hash_class;
	for (uint32_t i = 0; works && i < theirs->n_cells; i++)
		if (cook_answer_is_streamed(theirs, i))
			works = cook_answer_take_cell(
				ret, &names, theirs, cs_cooked_cell(theirs, i));
	for (uint32_t i = 0; works && i < theirs->n_actors; i++)
		if (!cook_answer_is_streamed(theirs, cs_cooked_actor(theirs, i)->cell) &&
			!(source && is_made_for_the_map(theirs, i) &&
				!is_in_the_source(&names, theirs, i)))
			works = take_loaded(ret, theirs, i);
	free(names.rows);
	free(names.taken);
	return works ? NULL : cs_error_nomem();
}
