/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The current place: cd, pwd, back, forward. */
#include "cmds/commands.h"

static const char *name_of(const struct call *call, enum cs_model_row kind)
{
	return cs_inspector_name(call->session->inspector, kind, call->session->here.row);
}

static struct cs_error *say_place(struct call *call)
{
	const struct session *session = call->session;
	const struct cs_cooked *world = session->world;
	struct place here = session->here;
	char axes[3][CS_DOUBLE_TEXT];
	struct cs_error *error = NULL;
	switch (here.kind) {
	case PLACE_NONE:
		note(call->out, "nowhere in particular\n");
		break;
	case PLACE_CELL:
		say(call->out, "%s\n", cs_cooked_text(world, world->cells[here.row].name));
		break;
	case PLACE_POINT:
		cs_double_format(here.point.x, axes[0]);
		cs_double_format(here.point.y, axes[1]);
		cs_double_format(here.point.z, axes[2]);
		say(call->out, "%s,%s,%s\n", axes[0], axes[1], axes[2]);
		break;
	case PLACE_PAGE:
		say(call->out, "page %s\n", name_of(call, CS_ROWS_PAGES));
		break;
	case PLACE_CLUSTER:
		say(call->out, "cluster %s\n", name_of(call, CS_ROWS_CLUSTERS));
		break;
	case PLACE_GROUP:
		say(call->out, "group %s\n", name_of(call, CS_ROWS_GROUPS));
		break;
	case PLACE_NODE:
		say(call->out, "node %s\n", name_of(call, CS_ROWS_SLOTS));
		break;
	case PLACE_ACTOR:
		error = cs_cooked_load_actors(session->world);
		if (!error)
			say(call->out, "actor %s\n",
				cs_cooked_text(world, world->actors[here.row].name));
		break;
	}
	return error;
}

static struct cs_error *run_cd(struct call *call)
{
	struct cs_error *error = session_go(call->session, call_argument(call, 0)->place);
	return error ? error : say_place(call);
}

const struct command command_cd = {
	.name = "cd",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"WHERE", ARGUMENT_WHERE}},
	.summary = "go to a cell, a point, an actor, or a part of a Nanite resource",
	.examples = "cd L0:5,1\ncd 33280,15360\ncd actor Rock_1187\n"
		    "cd page rock:7\ncd cluster 7:3\ncd group 12\ncd node 0:4",
	.help = "Commands that take a WHERE mean this place by a dot.",
	.run = run_cd,
};

const struct command command_pwd = {
	.name = "pwd",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE,
	.summary = "tell the current place",
	.examples = "pwd",
	.run = say_place,
};

static struct cs_error *go_along(struct call *call, bool forward)
{
	struct session *session = call->session;
	if (forward ? session->trail_at + 1 >= session->trail.n : session->trail_at == 0)
		return cs_error_new(
			CS_E_USAGE, "there is no place further %s", forward ? "on" : "back");
	session->trail_at += forward ? 1 : (size_t)-1;
	session->here = session->trail.at[session->trail_at];
	return say_place(call);
}

static struct cs_error *run_back(struct call *call)
{
	return go_along(call, false);
}

static struct cs_error *run_forward(struct call *call)
{
	return go_along(call, true);
}

const struct command command_back = {
	.name = "back",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.summary = "go back to the place before",
	.examples = "back",
	.run = run_back,
};

const struct command command_forward = {
	.name = "forward",
	.group = GROUP_MOVE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.summary = "go forward again",
	.examples = "forward",
	.run = run_forward,
};
