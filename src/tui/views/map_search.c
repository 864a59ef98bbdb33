/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches names on the map. SQL finds names that contain the text, first of cells, then of actors,
 * whose cell is then shown. The search continues after the last hit and wraps around.
 */
#include "src/tui/screen.h"
#include "src/tui/views/map_view.h"

#include <string.h>

enum { NO_HIT = -1 };

/* Gets the next row after `from` (`backward`: previous) whose name has the text, or NO_HIT. */
static struct cs_error *map_search_ask(
	struct tui_view *view, bool of_actors, bool backward, int64_t from, int64_t *ret)
{
	const struct cs_parameter parameters[] = {
		{"text", cs_text(view->list.search)}, {"from", cs_integer(from)}};
	char sql[200];
	struct cs_result *result;
	snprintf(sql, sizeof(sql),
		"SELECT %s(rowid) FROM %s WHERE rowid %s $from AND instr(lower(%s), lower($text))",
		backward ? "max" : "min", of_actors ? "actors" : "cells", backward ? "<" : ">",
		of_actors ? "label" : "name");
	struct cs_error *error = cs_query_select(
		view->session->query, sql, (struct cs_parameters){parameters, 2}, &result);
	if (error)
		return error;
	struct cs_value row = cs_result_value(result, 0, 0);
	*ret = row.kind == CS_KIND_INTEGER ? row.integer : NO_HIT;
	cs_result_free(result);
	return NULL;
}

/* Finds the next cell or actor by name: in the last hit's table first, then in the other table. */
static struct cs_error *map_search_find(struct tui_view *view, bool backward)
{
	struct map_view *state = view->state;
	int64_t from = state->hit.row, row = NO_HIT;
	bool of_actors = state->hit.of_actor;
	for (int turn = 0; turn < 3 && row == NO_HIT; turn++) {
		struct cs_error *error = map_search_ask(view, of_actors, backward, from, &row);
		if (error)
			return error;
		if (row != NO_HIT)
			break;
		of_actors = !of_actors;
		from = backward ? INT64_MAX : NO_HIT;
	}
	if (row == NO_HIT)
		return cs_error_new(
			CS_E_MISSING, "no cell or actor has '%s' in its name", view->list.search);
	state->hit.of_actor = of_actors;
	state->hit.row = row;
	return NULL;
}

/* Replaces the actor in *ret by its cell, and shows the actor's label as a message. */
static struct cs_error *cell_of_actor(struct tui_view *view, uint32_t *ret)
{
	const struct cs_cooked *world = view->session->world;
	struct cs_error *error = cs_cooked_load_actors(view->session->world);
	if (error)
		return error;
	const struct cs_cooked_actor *actor = cs_cooked_actor(world, *ret);
	screen_message(view->screen, "actor %s", cs_cooked_text(world, actor->label));
	*ret = actor->cell;
	return NULL;
}

static struct cs_error *go_to_hit(struct tui_view *view)
{
	const struct map_view *state = view->state;
	const struct cs_cooked *world = view->session->world;
	struct object object = {"cell", (uint32_t)state->hit.row, ""};
	struct cs_error *error = state->hit.of_actor ? cell_of_actor(view, &object.row) : NULL;
	if (error)
		return error;
	if (object.row >= world->n_cells)
		return cs_error_new(CS_E_MISSING, "the actor %s is in no cell, so no map shows it",
			cs_cooked_text(
				world, cs_cooked_actor(world, (uint32_t)state->hit.row)->label));
	if (!view->type->go(view, &object))
		return cs_error_new(CS_E_MISSING,
			"the cell %s is always loaded, so no map shows it",
			cs_cooked_cell_name(world, object.row));
	return NULL;
}

struct cs_error *map_search(struct tui_view *view, const char *value)
{
	struct map_view *state = view->state;
	bool backward = strcmp(value, "-") == 0, is_off = strcmp(value, "off") == 0;
	if (is_off || (*value && !backward)) {
		char *copy = is_off ? NULL : strdup(value);
		if (!is_off && !copy)
			return cs_error_nomem();
		free(view->list.search);
		view->list.search = copy;
		state->hit.of_actor = false;
		state->hit.row = NO_HIT;
	}
	if (is_off)
		return NULL;
	if (!view->list.search)
		return cs_error_new(
			CS_E_MISSING, "no text was searched for: press / and enter a text");
	struct cs_error *error = map_search_find(view, backward);
	return error ? error : go_to_hit(view);
}
