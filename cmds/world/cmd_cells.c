/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `cells` (lists streaming cells) and `cell` (shows one). */
#include "src/session/plain.h"
#include "src/session/session.h"

static struct cs_error *run_cells(struct call *call)
{
	const struct place at = call->where;
	switch (at.kind) {
	case PLACE_NONE:
		return call_list(call, "cells");
	case PLACE_CELL:
	case PLACE_POINT:
		return call_list_scoped(call, "cells", "rowid = $scope",
			cs_integer(at.kind == PLACE_CELL
					   ? at.row
					   : cs_cooked_cell_at(call->session->world, at.point)));
	case PLACE_ACTOR:
		return call_list_scoped(call, "cells",
			"name = (SELECT cell FROM actors WHERE rowid = $scope)",
			cs_integer(at.row));
	default:
		return cs_error_new(CS_E_USAGE,
			"`@` names a part of a Nanite resource, but cells are in worlds: name a "
			"cell, an actor or a point X,Y");
	}
}

const struct command command_cells = {
	.name = "cells",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_PLACE,
	.summary = "list the streaming cells",
	.examples = "cells\n"
		    "cells -w \"level > 0 AND actors < 3\" -s -actors -n 10\n"
		    "cells --json -c name,cell_min,cell_max\n"
		    "cells @ 33280,15360",
	.help = "The column `state` is the state of the cell in the present frame; `-c ?`\n"
		"explains all columns. `cells @ X,Y` lists the smallest cell at a point in cm,\n"
		"`cells @ actor NAME` lists the cell of an actor, and `ls X,Y` lists all cells at\n"
		"a point.",
	.run = run_cells,
};

/* ---- command cell ---- */

static struct cs_error *cell_of_place(struct call *call, uint32_t *ret)
{
	const struct session *session = call->session;
	const struct place place = call_place(call, NULL);
	uint32_t row = CS_NONE;
	if (place.kind == PLACE_CELL) {
		row = place.row;
	} else if (place.kind == PLACE_POINT) {
		row = cs_cooked_cell_at(session->world, place.point);
	} else if (place.kind == PLACE_ACTOR) {
		row = cs_cooked_actor(session->world, place.row)->cell;
		struct cs_error *error = cs_cooked_failed(session->world);
		if (error)
			return error;
	} else {
		return cs_error_new(CS_E_USAGE,
			"no cell is named and none is current: name a cell, or go to one with cd "
			"CELL");
	}
	if (row == CS_NONE)
		return cs_error_new(CS_E_NOCELL,
			place.kind == PLACE_POINT
				? "no cell contains the point that was named; `map` shows where "
				  "cells are"
				: "the actor that was named is in no cell; `explain` with its name "
				  "says why");
	*ret = row;
	return NULL;
}

static struct cs_error *run_cell(struct call *call)
{
	uint32_t row = call_argument(call, 0)->row;
	struct cs_error *error = NULL;
	if (!call_argument(call, 0)->given)
		error = cell_of_place(call, &row);
	if (!error)
		error = call_record(call, "cells", row);
	if (!error && call->session->mode.interactive)
		note_command(call->out, "next: actors @ ",
			cs_cooked_cell_name(call->session->world, row), "");
	return error;
}

const struct command command_cell = {
	.name = "cell",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_PLACE,
	.arguments = {{"CELL", ARGUMENT_CELL, .optional = true}},
	.options = {COLUMNS_OPTION},
	.summary = "show one cell with all its columns",
	.examples = "cell L0:5,1\n"
		    "cell MainGrid_5_1_0_0 --json\n"
		    "cell 33280,15360",
	.help = "Without CELL the command shows the cell at the current place (help cd).",
	.run = run_cell,
};
