/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `source add`, `set`, `shape`, `move`, `rm`, and the list of streaming sources. */
#include "src/session/session.h"

#include <string.h>

/* ---- options that describe a source ---- */

static const char *const targets[] = {"loaded", "activated", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const kinds[] = {"player", "component", "plain", NULL};

#define SWITCH(name, text)                                         \
	{                                                          \
		0, name, "on|off", ARGUMENT_CHOICE, text, switches \
	}

#define SHAPE_OPTIONS                                                                          \
	{0, "radius", "CM", ARGUMENT_NUMBER,                                                   \
		"radius in cm, instead of the loading range of each grid"},                    \
		{0, "scale", "FACTOR", ARGUMENT_NUMBER,                                        \
			"radius as a multiple of the grid's loading range (default 1)", NULL}, \
	{                                                                                      \
		0, "angle", "DEGREES", ARGUMENT_NUMBER,                                        \
			"reach only a sector of this angle (default 360, a sphere)", NULL      \
	}

#define SOURCE_OPTIONS                                                                                         \
	{0, "rotation", "P,Y,R", ARGUMENT_POINT,                                                               \
		"pitch, yaw and roll of the source in degrees (default 0,0,0)"},                               \
		{0, "velocity", "X,Y,Z", ARGUMENT_POINT,                                                       \
			"velocity in cm/s (default: computed from the moves of the source)",                   \
			NULL},                                                                                 \
		{0, "priority", "N|NAME", ARGUMENT_PRIORITY,                                                   \
			"0 (first) to 255, or highest, high, normal (128, default), low, lowest",              \
			NULL},                                                                                 \
		{0, "target", "STATE", ARGUMENT_CHOICE,                                                        \
			"state of the cells in range: loaded, activated (default)", targets},                  \
		{0, "grids", "NAMES", ARGUMENT_WORD,                                                           \
			"names of the grids that the source acts on, separated by commas (default: all)",      \
			NULL},                                                                                 \
		SWITCH("exclude", "act on all grids except the grids of --grids (default off)"),               \
		SWITCH("block",                                                                                \
			"let the game wait for cells near the source (help stalls; default: on for players)"), \
		SWITCH("enabled", "let the source take part in streaming (default on)"),                       \
		SWITCH("use-velocity",                                                                         \
			"load cells in the direction of the velocity first (default off)"),                    \
		SWITCH("remote",                                                                               \
			"the source is of a remote player, and acts only on servers (default off)"),           \
		SWITCH("replay", "the source is of a replay; this has no effect (default off)"),               \
		SWITCH("2d", "ignore Z in distances from the source (default off)"),                           \
		{0, "extra-radius", "CM", ARGUMENT_NUMBER,                                                     \
			"add this length in cm to every radius (default 0)"},                                  \
		{0, "extra-angle", "DEGREES", ARGUMENT_NUMBER,                                                 \
			"add this angle in degrees to every sector (default 0)"},                              \
		{0, "color", "RRGGBB", ARGUMENT_COLOUR,                                                        \
			"colour of the mark on the map (default: follows from the name)"},                     \
		SHAPE_OPTIONS

/* Returns a source's first shape, for --radius, --scale and --angle. Adds one if there is none. */
static struct cs_stream_shape *own_shape(struct cs_stream_source *source)
{
	if (source->n_shapes == 0) {
		source->shapes[0] = cs_stream_shape_default();
		source->n_shapes = 1;
	}
	return &source->shapes[0];
}

static void set_shape(const struct call *call, struct cs_stream_shape *shape)
{
	const struct argument *radius = call_option(call, "radius");
	const struct argument *scale = call_option(call, "scale");
	const struct argument *angle = call_option(call, "angle");
	if (radius->given) {
		shape->use_grid_range = false;
		shape->radius = radius->number;
	}
	if (scale->given) {
		shape->use_grid_range = true;
		shape->range_scale = scale->number;
	}
	if (angle->given) {
		shape->sector = angle->number < 360;
		shape->angle = angle->number;
	}
}

static bool speaks_of_shape(const struct call *call)
{
	return call_option(call, "radius")->given || call_option(call, "scale")->given ||
	       call_option(call, "angle")->given;
}

static struct cs_rotator rotator_of(struct cs_vec3 point)
{
	return (struct cs_rotator){point.x, point.y, point.z};
}

static void set_switch(const struct call *call, const char *name, bool *ret)
{
	const struct argument *option = call_option(call, name);
	if (option->given)
		*ret = option->choice == 1;
}

static void set_number(const struct call *call, const char *name, double *ret)
{
	const struct argument *option = call_option(call, name);
	if (option->given)
		*ret = option->number;
}

static void set_switches(const struct call *call, struct cs_stream_source *source)
{
	bool exclude = source->behavior == CS_SOURCE_EXCLUDE;
	set_switch(call, "exclude", &exclude);
	source->behavior = exclude ? CS_SOURCE_EXCLUDE : CS_SOURCE_INCLUDE;
	set_switch(call, "block", &source->block_on_slow);
	set_switch(call, "enabled", &source->enabled);
	set_switch(call, "use-velocity", &source->use_velocity);
	set_switch(call, "remote", &source->remote);
	set_switch(call, "replay", &source->replay);
	set_switch(call, "2d", &source->force_2d);
}

static struct cs_error *sources_set_options(
	const struct call *call, struct cs_stream_source *source)
{
	const struct argument *option;
	if ((option = call_option(call, "rotation"))->given)
		source->rotation = rotator_of(option->point);
	if ((option = call_option(call, "velocity"))->given) {
		source->velocity = option->point;
		source->velocity_given = true;
	}
	if ((option = call_option(call, "target"))->given)
		source->target = option->choice ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	set_switches(call, source);
	set_number(call, "extra-radius", &source->extra_radius);
	set_number(call, "extra-angle", &source->extra_angle);
	if (speaks_of_shape(call))
		set_shape(call, own_shape(source));
	if ((option = call_option(call, "color"))->given)
		source->color = option->colour;
	if ((option = call_option(call, "priority"))->given)
		source->priority = (uint8_t)option->count;
	option = call_option(call, "grids");
	return option->given ? cs_stream_source_act_on(source, option->text) : NULL;
}

/* ---- commands source add and source set ---- */

static struct cs_error *run_add(struct call *call)
{
	const char *name = call_argument(call, 0)->text;
	const struct argument *kind = call_option(call, "kind");
	struct cs_stream_source source = kind->given && kind->choice
						 ? cs_stream_source_default(name)
						 : cs_stream_source_player(name);
	if (strlen(name) >= CS_SOURCE_NAME)
		return cs_error_new(CS_E_SETTING,
			"the name of a streaming source must have at most %d bytes, not %zu",
			CS_SOURCE_NAME - 1, strlen(name));
	if (cs_stream_find_source(call->stream, source.name) != SIZE_MAX)
		return cs_error_new(CS_E_EXISTS,
			"a streaming source '%s' exists already: `source set` and `source move` "
			"change it",
			source.name);
	source.location = call_argument(call, 1)->point;
	struct cs_error *error = sources_set_options(call, &source);
	return error ? error : cs_stream_source_set(call->stream, &source);
}

const struct command command_source_add = {
	.name = "source add",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_WORD}, {"POINT", ARGUMENT_POINT}},
	.options = {SOURCE_OPTIONS,
		{0, "kind", "KIND", ARGUMENT_CHOICE,
			"player (default), component (a streaming source component) or plain (any "
			"other source); the kind decides only the default of --block",
			kinds}},
	.summary = "add a streaming source, around which cells load",
	.examples = "source add Player0 33280,15360,180\n"
		    "source add Train 0,0 --velocity 3000,0,0 --target loaded --grids MainGrid",
	.help = "NAME is a new name for the source. The source loads the cells within the loading\n"
		"range of each grid, or within --radius or --scale. `source shape` gives a source\n"
		"more than one shape; --radius, --scale and --angle define the first shape.",
	.run = run_add,
};

/* Returns a copy of the source that the first argument names. The caller changes and stores it. */
static struct cs_stream_source sources_source_of(
	const struct call *call, const struct cs_stream *stream)
{
	return *cs_stream_source_at(stream, call_argument(call, 0)->row).source;
}

static struct cs_error *run_set(struct call *call)
{
	struct cs_stream_source source = sources_source_of(call, call->stream);
	struct cs_error *error = sources_set_options(call, &source);
	return error ? error : cs_stream_source_set(call->stream, &source);
}

const struct command command_source_set = {
	.name = "source set",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}},
	.options = {SOURCE_OPTIONS},
	.summary = "change options of a streaming source",
	.examples = "source set Player0 --priority 64\nsource set Player0 --enabled off",
	.help = "Options that are not given stay as they are; the defaults above hold only for a\n"
		"new source (help source add). `source move` changes the position.",
	.run = run_set,
};

static struct cs_error *run_shape(struct call *call)
{
	const struct argument *at = call_option(call, "at"), *turn = call_option(call, "rotation");
	struct cs_stream_source source = sources_source_of(call, call->stream);
	if (call_option(call, "clear")->given) {
		source.n_shapes = 0;
	} else {
		if (source.n_shapes == CS_SOURCE_SHAPES)
			return cs_error_new(CS_E_LIMIT,
				"the source '%s' already has %d shapes, the limit: `source shape "
				"%s --clear` removes them",
				source.name, CS_SOURCE_SHAPES, source.name);
		struct cs_stream_shape *shape = &source.shapes[source.n_shapes++];
		*shape = cs_stream_shape_default();
		set_shape(call, shape);
		if (at->given)
			shape->location = at->point;
		if (turn->given)
			shape->rotation = rotator_of(turn->point);
	}
	return cs_stream_source_set(call->stream, &source);
}

const struct command command_source_shape = {
	.name = "source shape",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}},
	.options = {SHAPE_OPTIONS,
		{0, "at", "X,Y,Z", ARGUMENT_POINT,
			"offset of the centre from the source in cm, in the axes of the source "
			"(default 0,0,0)"},
		{0, "rotation", "P,Y,R", ARGUMENT_POINT,
			"pitch, yaw and roll of the axis of the sector in degrees, relative to the "
			"source (default "
			"0,0,0)"},
		{0, "clear", NULL, ARGUMENT_NONE, "remove all shapes of the source"}},
	.summary = "add a shape to a streaming source: a sphere, or a sector of a sphere",
	.examples = "source shape Player0 --scale 0.5\n"
		    "source shape Player0 --radius 60000 --angle 60 --at 1000,0,0\n"
		    "source shape Player0 --clear",
	.help = "A source without shapes reaches a sphere with the loading range of each grid.\n"
		"Shapes replace this sphere. A cell is then in range when at least one shape of a\n"
		"source touches the cell. Without options the new shape is a sphere with the\n"
		"loading range of each grid. The options --radius, --scale and --angle of `source\n"
		"add` and `source set` define the first shape.",
	.run = run_shape,
};

/* ---- commands source move and source rm ---- */

static struct cs_error *run_move(struct call *call)
{
	const struct argument *rotation = call_option(call, "rotation");
	struct cs_stream_source source = sources_source_of(call, call->stream);
	if (rotation->given)
		source.rotation = rotator_of(rotation->point);
	return cs_stream_source_move(
		call->stream, source.name, call_argument(call, 1)->point, source.rotation);
}

const struct command command_source_move = {
	.name = "source move",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}, {"POINT", ARGUMENT_POINT}},
	.options = {{0, "rotation", "P,Y,R", ARGUMENT_POINT,
		"turn the source to this pitch, yaw and roll in degrees"}},
	.summary = "move a streaming source to a point",
	.examples = "source move Player0 40000,15360,180",
	.help = "Without --rotation the source keeps its rotation. The velocity of the source is\n"
		"computed from the move, unless `source add` or `source set` gave a velocity.",
	.run = run_move,
};

static struct cs_error *run_remove(struct call *call)
{
	const struct cs_stream_source source = sources_source_of(call, call->stream);
	return cs_stream_source_remove(call->stream, source.name);
}

const struct command command_source_rm = {
	.name = "source rm",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_CHANGES,
	.arguments = {{"SOURCE", ARGUMENT_SOURCE}},
	.summary = "remove a streaming source",
	.examples = "source rm Player0",
	.help = "Cells that only this source reached are unloaded in the next frames.",
	.run = run_remove,
};

const struct command command_sources = {
	.name = "sources",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WHOLE | COMMAND_LISTS,
	.summary = "list the streaming sources",
	.examples = "sources",
	.help = "The column `target` is the state that the source requests for the cells in its\n"
		"range, `priority` is 0 (first) to 255, and `active` says whether the source took\n"
		"part in streaming in the last frame.",
	.lists = "sources",
};
