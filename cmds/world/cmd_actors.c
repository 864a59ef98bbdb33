/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `actors` (lists actors) and `actor` (shows one). */
#include "src/session/session.h"

static struct cs_error *run_actors(struct call *call)
{
	switch (call->where.kind) {
	case PLACE_NONE:
		return call_list(call, "actors");
	case PLACE_CELL:
		return call_list_in_cell(call, call->where.row);
	case PLACE_POINT:
		return call_list_in_cell(
			call, cs_cooked_cell_at(call->session->world, call->where.point));
	case PLACE_ACTOR:
		return call_list_scoped(
			call, "actors", "rowid = $scope", cs_integer(call->where.row));
	default:
		return cs_error_new(CS_E_USAGE,
			"`@` names a part of a Nanite resource, but actors are in worlds: name a "
			"cell, an actor or a point X,Y");
	}
}

const struct command command_actors = {
	.name = "actors",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_PLACE,
	.summary = "list the actors",
	.examples = "actors @ L0:5,1\n"
		    "actors -w \"cell IS NULL\" -c label,placement\n"
		    "actors --json -w \"class LIKE '%Light%'\"",
	.help = "`actors @ CELL` lists the actors of one cell; without @ all actors are listed.\n"
		"The column `placement` says why an actor is in its cell, or in no cell (the\n"
		"column `cell` is then NULL).",
	.run = run_actors,
};

static struct cs_error *run_actor(struct call *call)
{
	const struct argument *actor = call_argument(call, 0);
	if (actor->given)
		return call_record(call, "actors", actor->row);
	const struct place place = call_place(call, NULL);
	if (place.kind != PLACE_ACTOR)
		return cs_error_new(CS_E_USAGE,
			"no actor is named and none is current: name an actor, or go to one with "
			"cd actor NAME");
	return call_record(call, "actors", place.row);
}

const struct command command_actor = {
	.name = "actor",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_PLACE,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR, .optional = true}},
	.options = {COLUMNS_OPTION},
	.summary = "show one actor with all columns that have a value",
	.examples = "actor Rock_1187\n"
		    "actor 6F1C0A2E4D3B2A190817263544536271 --json",
	.help = "Without ACTOR the command shows the actor that WHERE names, as in\n"
		"`actor @ actor Rock_1187`, or without @ the current actor (help cd).",
	.run = run_actor,
};
