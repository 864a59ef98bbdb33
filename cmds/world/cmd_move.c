/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `cd`, `pwd`, `back`, `forward`, `mark`, `jump` and `ls`. They move
 * between places (a cell, an actor, a point, a part of a Nanite resource) as a shell moves between
 * directories.
 */
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* Formats a place as the user would type it. */
static struct cs_error *move_describe(
	const struct session *session, struct place place, char *text, size_t size)
{
	struct cs_cooked *world =
		session->world ? cs_query_partition(session->query, place.partition, NULL) : NULL;
	char axes[3][CS_DOUBLE_TEXT];
	struct cs_error *error = NULL;
	*text = '\0';
	switch (place.kind) {
	case PLACE_NONE:
	case PLACE_LAYER: /* `cd` does not accept a layer */
		break;
	case PLACE_CELL:
		snprintf(text, size, "%s", cs_cooked_cell_name(world, place.row));
		break;
	case PLACE_POINT:
		cs_double_format(place.point.x, axes[0]);
		cs_double_format(place.point.y, axes[1]);
		cs_double_format(place.point.z, axes[2]);
		snprintf(text, size, "%s,%s,%s", axes[0], axes[1], axes[2]);
		break;
	case PLACE_PAGE:
	case PLACE_CLUSTER:
	case PLACE_GROUP:
	case PLACE_NODE:
		snprintf(text, size, "%s %s", place_parts[place.kind].word,
			cs_inspector_name(
				session->inspector, place_parts[place.kind].rows, place.row));
		break;
	case PLACE_ACTOR:
		snprintf(text, size, "actor %s",
			cs_cooked_text(world, cs_cooked_actor(world, place.row)->name));
		error = cs_cooked_failed(world);
		break;
	}
	return error;
}

enum { LONGEST_PLACE = 1100 };

static struct cs_error *move_say_place(struct call *call)
{
	char text[LONGEST_PLACE];
	struct cs_error *error =
		move_describe(call->session, call->session->places.here, text, sizeof(text));
	if (error)
		return error;
	if (*text)
		say(call->out, "%s\n", text);
	else
		note(call->out, "no place is current; cd WHERE sets one\n");
	return NULL;
}

static struct cs_error *run_cd(struct call *call)
{
	struct cs_error *error = session_go(call->session, call_argument(call, 0)->place);
	return error ? error : move_say_place(call);
}

const struct command command_cd = {
	.name = "cd",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"WHERE", ARGUMENT_WHERE}},
	.summary =
		"set the current place: a cell, a point, an actor or a part of a Nanite resource",
	.examples = "cd L0:5,1\ncd 33280,15360\ncd actor Rock_1187\n"
		    "cd page rock:7\ncd cluster 7:3\ncd group 12\ncd node 0:4",
	.help = "A command that is used without WHERE takes the current place: after `cd L0:5,1`\n"
		"the command `why` explains the cell L0:5,1. In WHERE a dot means the current\n"
		"place, as in `why .` (help where). `back` returns to the previous place.",
	.run = run_cd,
};

const struct command command_pwd = {
	.name = "pwd",
	.group = GROUP_MOVE,
	.flags = COMMAND_WHOLE | COMMAND_NANITE,
	.summary = "print the current place",
	.examples = "cd L0:5,1\npwd",
	.help = "`cd` sets the current place, and commands use it when no other place is given.\n"
		"The place is printed in a form that `cd` accepts (help where).",
	.run = move_say_place,
};

enum { FORWARD = 1 }; /* variant of `back` */

static struct cs_error *run_back(struct call *call)
{
	const bool forward = call->command->variant == FORWARD;
	struct session *session = call->session;
	bool returns = !forward && session->places.trail.n > 0 && !session_is_on_trail(session);
	if (forward       ? session->places.trail_at + 1 >= session->places.trail.n
		: returns ? false
			  : session->places.trail_at == 0)
		return cs_error_new(CS_E_MISSING,
			"there is no %s place to go to: `cd WHERE` goes to a place",
			forward ? "later" : "earlier");
	if (!returns)
		session->places.trail_at += forward ? 1 : (size_t)-1;
	session->places.here = session->places.trail.at[session->places.trail_at];
	return move_say_place(call);
}

const struct command command_back = {
	.name = "back",
	.group = GROUP_MOVE,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.summary = "return to the place that was current before (help cd)",
	.examples = "cd L0:5,1\n"
		    "cd L0:0,0\n"
		    "back",
	.help = "The current place is the cell, point or object that `cd` chose last. `forward`\n"
		"returns to the place that `back` left.",
	.run = run_back,
};

const struct command command_forward = {
	.name = "forward",
	.group = GROUP_MOVE,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.summary = "return to the place that the last `back` left (help cd)",
	.examples = "cd L0:5,1\n"
		    "cd L0:0,0\n"
		    "back\n"
		    "forward",
	.run = run_back,
	.variant = FORWARD,
};

/* ---- commands mark and jump: named places ---- */

struct mark_row {
	const char *name;
	char place[LONGEST_PLACE];
};

static const struct cs_column mark_columns[] = {
	SHORT_AS("mark", struct mark_row, name, "name of the mark"),
	SHORT(struct mark_row, place, "place that the mark names"),
};

static const struct cs_table mark_table = PLAIN_TABLE("marks", "mark", mark_columns);

static struct cs_error *list_marks(struct call *call)
{
	const struct session *session = call->session;
	struct mark_row *rows = calloc(session->places.marks.n + 1, sizeof(*rows));
	struct cs_error *error = rows ? NULL : cs_error_nomem();
	for (size_t i = 0; !error && i < session->places.marks.n; i++) {
		rows[i].name = session->places.marks.at[i].name;
		error = move_describe(session, session->places.marks.at[i].place, rows[i].place,
			sizeof(rows[i].place));
	}
	if (!error)
		error = emit_plain(call, &mark_table, rows, session->places.marks.n);
	free(rows);
	return error;
}

static struct cs_error *run_mark(struct call *call)
{
	const struct argument *name = call_argument(call, 0);
	const struct place place = call_place(call, call_argument(call, 1));
	if (!name->given)
		return list_marks(call);
	if (place.kind == PLACE_NONE)
		return cs_error_new(
			CS_E_USAGE, "no place is current: write mark %s WHERE", name->text);
	return session_mark(call->session, name->text, place);
}

const struct command command_mark = {
	.name = "mark",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES | COMMAND_LISTS | COMMAND_PLACE,
	.arguments = {{"NAME", ARGUMENT_WORD, .optional = true},
		{"WHERE", ARGUMENT_WHERE, .optional = true}},
	.summary = "give a place a name for `jump`, or list the names and their places",
	.examples = "mark a\nmark gate L0:5,1\nmark",
	.help = "NAME becomes a name for WHERE or, without WHERE, for the current place (help\n"
		"cd). Without NAME the command lists all names. A name is kept until another\n"
		"world is opened, the world is closed, or the Nanite resource of the place is\n"
		"closed.",
	.run = run_mark,
	.rows = &mark_table,
};

static struct cs_error *run_jump(struct call *call)
{
	struct session *session = call->session;
	const char *name = call_argument(call, 0)->text;
	struct closest closest = closest_to(name);
	for (size_t i = 0; i < session->places.marks.n; i++) {
		const struct place_mark *mark = &session->places.marks.at[i];
		if (strcmp(mark->name, name) == 0) {
			struct cs_error *error = session_go(session, mark->place);
			return error ? error : move_say_place(call);
		}
		closest_consider(&closest, mark->name, strlen(mark->name));
	}
	return cs_error_new(CS_E_MISSING, "no mark '%s'%s%s%s; `mark` lists the marks", name,
		DID_YOU_MEAN(closest.best));
}

const struct command command_jump = {
	.name = "jump",
	.group = GROUP_MOVE,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}},
	.summary = "return to a place that `mark` has named",
	.examples = "mark gate L0:5,1\n"
		    "jump gate",
	.help = "NAME is a name that `mark` gave to a place; `mark` without NAME lists the names.\n"
		"`back` returns to the place that was current before (help cd).",
	.run = run_jump,
};

/* ---- command ls ---- */

/* For each kind of place, the table that `ls` lists and the condition that selects its rows. */
static const struct {
	const char *table, *scope;
} contents[] = {
	[PLACE_NONE] = {"grids", NULL},
	[PLACE_POINT] = {"cells", NULL},
	[PLACE_ACTOR] = {"references",
		"actor_guid = (SELECT guid FROM actors WHERE rowid = $scope)"},
};

static struct cs_error *list_cells_at(struct call *call, struct cs_vec3 point)
{
	char scope[256], x[CS_DOUBLE_TEXT], y[CS_DOUBLE_TEXT];
	cs_double_format(point.x, x);
	cs_double_format(point.y, y);
	snprintf(scope, sizeof(scope),
		"cell_min_x <= %s AND cell_max_x > %s AND cell_min_y <= %s AND cell_max_y > %s", x,
		x, y, y);
	return call_list_scoped(call, "cells", scope, cs_null());
}

static struct cs_error *run_ls(struct call *call)
{
	const struct place place = call_place(call, call_argument(call, 0));
	if (place.kind == PLACE_POINT)
		return list_cells_at(call, place.point);
	if (place.kind == PLACE_CELL)
		return call_list_in_cell(call, place.row);
	if (place.kind >= sizeof(contents) / sizeof(contents[0]) || !contents[place.kind].table)
		return cs_error_new(CS_E_USAGE,
			"`ls` cannot list this place: it lists the contents of cells, points and "
			"actors; `explain` describes a part of a Nanite resource");
	return call_list_scoped(call, contents[place.kind].table, contents[place.kind].scope,
		cs_integer(place.row));
}

const struct command command_ls = {
	.name = "ls",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_LISTS | COMMAND_PLACE,
	.arguments = {{"WHERE", ARGUMENT_WHERE, .optional = true}},
	.summary = "list the contents of a cell, a point or an actor",
	.examples = "ls\nls L0:5,1\nls 33280,15360 -s level",
	.help = "The command lists the actors of a cell, the cells that contain a point, or the\n"
		"references of an actor. Without WHERE the command uses the current place (help\n"
		"cd) or, when no place is current, lists the grids.",
	.run = run_ls,
};
