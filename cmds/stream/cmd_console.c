/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the engine's console: its variables, and its commands wp.Runtime.* where the
 * simulation has an equivalent. NAME prints a variable, NAME VALUE sets it, NAME ? explains it.
 * Case is ignored.
 */
#include "cmds/stream/cmd_set.h"
#include "src/session/plain.h"

#include "core/items.h"
#include "core/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- console variables ---- */

/*
 * A console variable. `value` contains its formatted value, because a column getter only returns a
 * pointer to a text.
 */
struct variable_row {
	const char *name, *type, *scope, *unit, *help;
	char value[64];
	double initial;
	bool is_default;
};

static const struct cs_column variable_columns[] = {
	PLAIN(struct variable_row, name, "name", .flags = CS_COLUMN_SHORT | CS_COLUMN_KEY),
	SHORT(struct variable_row, value, "present value"),
	PLAIN_AS("default", struct variable_row, initial, "value at the beginning"),
	PLAIN(struct variable_row, is_default, "whether the variable has not been set"),
	PLAIN(struct variable_row, type, "type of the values"),
	PLAIN(struct variable_row, scope, "things that a change affects"),
	PLAIN(struct variable_row, unit, "unit"),
	SHORT(struct variable_row, help, "effect of the variable"),
};

static const struct cs_table variable_table =
	PLAIN_TABLE("variables", "variable", variable_columns);

static struct variable_row variable_row(const struct cs_stream *stream, size_t index)
{
	static const char *const types[] = {"bool", "integer", "real", "text"};
	static const char *const scopes[] = {"run", "once", "model", "display", "cook"};
	size_t n;
	const struct cs_variable *variable = &cs_stream_variables(&n)[index];
	struct variable_row row = {variable->name, types[variable->type], scopes[variable->scope],
		variable->unit, variable->help, "",
		variable->type == CS_VARIABLE_TEXT ? CS_NO_NUMBER
						   : cs_stream_variable(stream, index).initial,
		cs_stream_variable(stream, index).is_initial};
	cs_stream_variable_format(stream, index, row.value, sizeof(row.value));
	return row;
}

static struct cs_error *list_variables(struct call *call, const struct cs_stream *stream)
{
	bool modified = call_option(call, "modified")->given;
	size_t n, kept = 0;
	cs_stream_variables(&n);
	struct variable_row *rows = calloc(n, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		if (!modified || !cs_stream_variable(stream, i).is_initial)
			rows[kept++] = variable_row(stream, i);
	return emit_plain_taken(call, &variable_table, rows, kept);
}

/* Prints a note if the simulation does not use the variable that was set. */
static void say_idle(struct output *out, size_t variable)
{
	size_t n;
	const struct cs_variable *row = &cs_stream_variables(&n)[variable];
	if (row->instead)
		say(out, "%s: without effect here%s%s\n", row->name, *row->instead ? "; try " : "",
			row->instead);
}

struct cs_error *set_variable(struct call *call, size_t variable, const char *text)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (!error)
		error = cs_stream_variable_set(stream, variable, text);
	if (!error)
		say_idle(call->out, variable);
	return error;
}

struct cs_error *show_variable(struct call *call, size_t variable)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (error)
		return error;
	const struct variable_row row = variable_row(stream, variable);
	if (asks_for_rows(call))
		return emit_plain_record(call, &variable_table, &row);
	say(call->out, "%s = %s%s%s\n", row.name, row.value, row.unit ? " " : "",
		row.unit ? row.unit : "");
	return NULL;
}

static struct cs_error *run_variable(struct call *call)
{
	const struct argument *name = call_argument(call, 0), *value = call_argument(call, 1);
	if (!name->given)
		return list_variables(call, call->stream);
	size_t variable = cs_stream_find_variable(name->text);
	if (variable == SIZE_MAX)
		return cs_error_new(CS_E_UNKNOWN,
			"there is no variable '%s' among those of Unreal's console that are "
			"simulated; `variable` lists them",
			name->text);
	if (!value->given)
		return show_variable(call, variable);
	if (strcmp(value->text, "?") != 0)
		return set_variable(call, variable, value->text);
	const struct variable_row row = variable_row(call->stream, variable);
	return emit_plain_record(call, &variable_table, &row);
}

const struct command command_variable = {
	.name = "variable",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_VARIABLE, .optional = true},
		{"VALUE|?", ARGUMENT_WORD, .optional = true}},
	.options = {{'m', "modified", NULL, ARGUMENT_NONE, "list only variables that were set"}},
	.summary = "list, print or set console variables of Unreal and of the simulation",
	.examples = "variable\n"
		    "wp.Runtime.MaxLoadingStreamingCells 8\n"
		    "wp.Runtime.MaxLoadingStreamingCells ?\n"
		    "variable -m",
	.help = "NAME is the name of a console variable. NAME alone prints the value of the\n"
		"variable, NAME ? prints its type, unit and meaning, too, and NAME VALUE sets the\n"
		"variable. Without NAME all variables are listed. The word `variable` may be left\n"
		"out before a name, as in the examples. Setting a variable that the simulation\n"
		"does not use prints a note.",
	.run = run_variable,
	.rows = &variable_table,
};

/* ---- commands that list sources, cells and layers ---- */

#define LISTING(variable_, name_, function, text, help_)              \
	const struct command variable_ = {                            \
		.name = name_,                                        \
		.group = GROUP_ENGINE,                                \
		.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS, \
		.summary = text,                                      \
		.examples = name_,                                    \
		.help = help_,                                        \
		.run = function,                                      \
	}

static void say_shape(struct output *out, const struct cs_stream_shape *shape)
{
	say(out, "  shape     %s", shape->sector ? "sector" : "sphere");
	if (shape->sector)
		say(out, " of %g degrees", shape->angle);
	if (shape->use_grid_range)
		say(out, ", grid range x %g", shape->range_scale);
	else
		say(out, ", radius %.9g", shape->radius);
	say(out, ", at %.9g,%.9g,%.9g, turned %g,%g,%g\n", shape->location.x, shape->location.y,
		shape->location.z, shape->rotation.pitch, shape->rotation.yaw,
		shape->rotation.roll);
}

/* Prints a streaming source in the format of the engine: priority, location, target state ... */
static void say_source(struct output *out, struct cs_stream_source_view view)
{
	const struct cs_stream_source *source = view.source;
	say(out, "%s  priority %u | %s | %s | %s%s\n", source->name, source->priority,
		source->remote ? "Remote" : "Local", cs_layer_state_ue_names[source->target],
		source->block_on_slow ? "Blocking" : "NonBlocking",
		source->enabled ? "" : " | disabled");
	say(out, "  position  %.9g,%.9g,%.9g, turned %g,%g,%g\n", source->location.x,
		source->location.y, source->location.z, source->rotation.pitch,
		source->rotation.yaw, source->rotation.roll);
	say(out, "  velocity  %.1f %s%s\n", view.speed, view.speed_unit,
		source->use_velocity ? ", counts in the order of cells" : "");
	say(out, "  test      %s\n", source->force_2d ? "Force2D" : "as its grids");
	say(out, "  extra     radius %.9g, angle %g\n", source->extra_radius + view.server_radius,
		source->extra_angle + view.server_angle);
	for (uint32_t i = 0; i < source->n_shapes; i++)
		say_shape(out, &source->shapes[i]);
	if (source->n_shapes == 0)
		say(out, "  shape     sphere of the grid's range\n");
	say(out, "  grids     %s",
		source->n_grids == 0 && source->behavior == CS_SOURCE_INCLUDE ? "all"
		: source->behavior == CS_SOURCE_EXCLUDE                       ? "all but"
									      : "only");
	for (uint32_t i = 0; i < source->n_grids; i++)
		say(out, "%s%s", i ? ", " : " ", source->grids[i]);
	say(out, "\n");
}

static struct cs_error *run_dump_sources(struct call *call)
{
	struct cs_stream *stream = call->stream;
	if (asks_for_rows(call))
		return call_list(call, "sources");
	for (size_t i = 0; i < cs_stream_sources(stream); i++)
		say_source(call->out, cs_stream_source_at(stream, i));
	return NULL;
}

static struct cs_error *console_say_layer(struct call *call, const struct cs_stream *stream,
	uint32_t partition, struct cs_layer_branch at, unsigned above)
{
	const struct cs_cooked *world = cs_stream_world(stream, partition).cooked;
	struct cs_stream_layer_view view;
	struct cs_error *error = cs_stream_layer(stream, partition, at.layer, &view);
	if (error)
		return error;
	say(call->out, "%*s[+] %s", (int)(2 * (at.depth + above)), "",
		cs_cooked_text(world, world->layers[at.layer].label));
	if (view.runtime)
		say(call->out, " (%s | %s)\n", cs_layer_state_ue_names[view.effective],
			cs_layer_state_ue_names[view.target]);
	else
		say(call->out, " (editor)\n");
	return NULL;
}

/* Prints the data layers in one state: "Active: Fair, Glow". */
static void say_layers_in(struct output *out, const struct cs_stream *stream, uint32_t partition,
	const char *title, enum cs_layer_state state)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, partition).cooked;
	const char *before = " ";
	say(out, "%s:", title);
	for (uint32_t i = 0; i < cooked->n_layers; i++) {
		struct cs_stream_layer_view view;
		struct cs_error *error = cs_stream_layer(stream, partition, i, &view);
		cs_error_free(error);
		if (error || !view.runtime || view.effective != state)
			continue;
		say(out, "%s%s", before, cs_cooked_text(cooked, cooked->layers[i].label));
		before = ", ";
	}
	say(out, "%s\n", *before == ' ' ? " -" : "");
}

/* Prints a partition's tree of data layers, below its name if there are several partitions. */
static struct cs_error *say_layer_tree(
	struct call *call, const struct cs_stream *stream, uint32_t partition)
{
	const bool named = cs_stream_worlds(stream) > 1;
	struct cs_layer_branch *rows;
	size_t n;
	if (named)
		say(call->out, "%s\n", cs_stream_world(stream, partition).name);
	say_layers_in(call->out, stream, partition, "Loaded", CS_LAYER_LOADED);
	say_layers_in(call->out, stream, partition, "Active", CS_LAYER_ACTIVATED);
	struct cs_error *error =
		cs_cooked_layer_tree(cs_stream_world(stream, partition).cooked, &rows, &n);
	if (error)
		return error;
	for (size_t i = 0; !error && i < n; i++)
		error = console_say_layer(call, stream, partition, rows[i], named);
	free(rows);
	return error;
}

/* Prints the data layers as a tree, as the engine does: (effective state | target state). */
static struct cs_error *run_dump_layers(struct call *call)
{
	const struct session *session = call->session;
	bool all = cs_query_focused(session->query) == CS_NONE;
	struct cs_error *error = NULL;
	if (asks_for_rows(call))
		return call_list(call, "layers");
	for (uint32_t i = 0; !error && i < cs_stream_worlds(call->stream); i++) {
		if (all || i == session->files.partition)
			error = say_layer_tree(call, call->stream, i);
	}
	return error;
}

static struct cs_error *run_dump_worlds(struct call *call)
{
	return call_list(call, "partitions");
}

#define LAYERS_HELP                                                                         \
	"A child is indented below its parent. Each runtime layer is followed by its two\n" \
	"states, as (EFFECTIVE | REQUESTED). With an option for rows, such as -n or\n"      \
	"--json, the command prints the rows of `layers` instead."

LISTING(command_dump_sources, "wp.Runtime.DumpStreamingSources", run_dump_sources,
	"list the streaming sources",
	"Each source has a block of lines: its settings, position in cm, velocity and\n"
	"shapes. With an option for rows, such as -n or --json, the command prints the\n"
	"rows of `sources` instead.");
LISTING(command_dump_layers, "wp.Runtime.DumpDataLayers", run_dump_layers,
	"list the data layers, each with its effective state and its requested state", LAYERS_HELP);
LISTING(command_dump_layers_old, "wp.DumpDataLayers", run_dump_layers,
	"list the data layers, each with its effective state and its requested state",
	"The command does the same as wp.Runtime.DumpDataLayers.\n" LAYERS_HELP);
LISTING(command_dump_worlds, "wp.Runtime.DumpWorldPartitions", run_dump_worlds,
	"list the world partitions, their positions and whether they are registered",
	"`partitions` lists the same rows (help partitions). The position is in cm.");

/* ---- HLOD and loading ranges ---- */

static struct cs_error *run_hlod(struct call *call)
{
	const struct argument *value = call_argument(call, 0);
	struct cs_error *error = NULL;
	if (value->given)
		error = cs_stream_hlod_enable(call->stream, value->choice == 1);
	if (!error)
		say(call->out, "HLOD is %s\n",
			cs_stream_status(call->stream).hlod_enabled ? "on" : "off");
	return error;
}

static const char *const zero_or_one[] = {"0", "1", NULL};

const struct command command_wp_hlod = {
	.name = "wp.Runtime.HLOD",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"0|1", ARGUMENT_CHOICE, .optional = true, .choices = zero_or_one}},
	.summary = "switch HLOD on or off, or print whether it is on",
	.examples = "wp.Runtime.HLOD 0",
	.help = "1 switches HLOD on, as it is when a run begins; 0 hides all HLOD actors. Without\n"
		"an argument the command prints whether HLOD is on.",
	.run = run_hlod,
};

static struct cs_error *override_range(struct call *call, uint32_t grid)
{
	const struct argument *range = call_option(call, "range");
	const struct cs_cooked *world = call->session->world;
	struct cs_error *error = cs_stream_override_range(call->stream,
		call->session->files.partition, grid, range->given ? range->number : -1);
	if (error)
		return error;
	const struct cs_value now = cs_number(
		cs_stream_range(call->stream, call->session->files.partition, grid).range);
	say(call->out, "%s: loading range ", cs_cooked_text(world, world->partitions[grid].name));
	say_value(call->out, &now);
	say(call->out, " cm\n");
	return NULL;
}

static struct cs_error *run_override_index(struct call *call)
{
	uint64_t grid = call_option(call, "grid")->count;
	if (grid >= call->session->world->n_partitions)
		return cs_error_new(CS_E_NOGRID,
			"no grid %llu; `grids` lists the grids, counted from 0",
			(unsigned long long)grid);
	return override_range(call, (uint32_t)grid);
}

static struct cs_error *run_override_name(struct call *call)
{
	const struct argument *grid = call_option(call, "grid");
	if (!grid->given)
		return cs_error_new(CS_E_USAGE,
			"%s needs a grid, to set its loading range: write -grid=NAME",
			call->command->name);
	return override_range(call, grid->row);
}

#define RANGE_OPTION                                                                        \
	{                                                                                   \
		0, "range", "CM", ARGUMENT_NUMBER,                                          \
			"new loading range in cm (default: the cooked loading range)", NULL \
	}

/* A setting that differs from the cooked world or from the engine's default. */
struct override_row {
	const char *kind, *name, *partition;
	char value[64], was[64];
	/* loading ranges of a grid in cm: in use, and as stored in the cooked world */
	double loading_range, cooked_range;
};

static const struct cs_column override_columns[] = {
	PLAIN(struct override_row, kind, "variable, range, initial, layer",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	PLAIN(struct override_row, name, "name of the variable, grid or data layer",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_KEY),
	SHORT(struct override_row, value, "present value"),
	SHORT(struct override_row, was, "value without this override"),
	PLAIN(struct override_row, loading_range, "present loading range of a grid", .unit = "cm"),
	PLAIN(struct override_row, cooked_range, "loading range of a grid as cooked", .unit = "cm"),
	PLAIN(struct override_row, partition, "world partition of the grid or layer",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
};

static const struct cs_table override_table =
	PLAIN_TABLE("overrides", "override", override_columns);

typedef CS_VEC(struct override_row) override_rows;

static bool add_override(override_rows *rows, struct override_row row, const char *was)
{
	snprintf(row.was, sizeof(row.was), "%s", was);
	return cs_vec_push(rows, row);
}

static bool add_variables(override_rows *rows, const struct cs_stream *stream)
{
	size_t n;
	const struct cs_variable *variables = cs_stream_variables(&n);
	bool good = true;
	for (size_t i = 0; good && i < n; i++) {
		struct override_row row = {
			"variable", variables[i].name, NULL, "", "", CS_NO_NUMBER, CS_NO_NUMBER};
		if (cs_stream_variable(stream, i).is_initial)
			continue;
		cs_stream_variable_format(stream, i, row.value, sizeof(row.value));
		if (variables[i].type != CS_VARIABLE_TEXT)
			snprintf(row.was, sizeof(row.was), "%g",
				cs_stream_variable(stream, i).initial);
		good = cs_vec_push(rows, row);
	}
	return good;
}

static bool add_ranges(override_rows *rows, const struct cs_stream *stream, uint32_t world)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
	bool good = true;
	for (uint32_t i = 0; good && i < cooked->n_partitions; i++) {
		struct override_row row = {"range",
			cs_cooked_text(cooked, cooked->partitions[i].name),
			cs_stream_world(stream, world).name, "", "",
			cs_stream_range(stream, world, i).range,
			cooked->partitions[i].loading_range};
		if (cs_stream_range(stream, world, i).origin != CS_RANGE_OVERRIDE)
			continue;
		snprintf(row.value, sizeof(row.value), "%g", row.loading_range);
		snprintf(row.was, sizeof(row.was), "%g", row.cooked_range);
		good = cs_vec_push(rows, row);
	}
	return good;
}

static bool add_layer_overrides(override_rows *rows, const struct cs_stream *stream, uint32_t world)
{
	const struct cs_cooked *cooked = cs_stream_world(stream, world).cooked;
	bool good = true;
	for (uint32_t i = 0; good && i < cooked->n_layers; i++) {
		struct override_row row = {"initial",
			cs_cooked_text(cooked, cooked->layers[i].label),
			cs_stream_world(stream, world).name, "", "", CS_NO_NUMBER, CS_NO_NUMBER};
		struct cs_stream_layer_view view;
		struct cs_error *error = cs_stream_layer(stream, world, i, &view);
		cs_error_free(error);
		if (error || !view.runtime || !view.on_role)
			continue;
		const char *const initial = cs_layer_state_names[view.initial];
		snprintf(row.value, sizeof(row.value), "%s", initial);
		if (view.initial != (enum cs_layer_state)cooked->layers[i].initial)
			good = add_override(
				rows, row, cs_layer_state_names[cooked->layers[i].initial]);
		row.kind = "layer";
		snprintf(row.value, sizeof(row.value), "%s", cs_layer_state_names[view.target]);
		if (good && view.target != view.initial)
			good = add_override(rows, row, initial);
	}
	return good;
}

static struct cs_error *run_overrides(struct call *call)
{
	const struct session *session = call->session;
	const bool all = cs_query_focused(session->query) == CS_NONE;
	struct cs_stream *stream = call->stream;
	override_rows rows = {0};
	bool good = add_variables(&rows, stream);
	for (uint32_t i = 0; good && i < cs_stream_worlds(stream); i++)
		if (all || i == session->files.partition)
			good = add_ranges(&rows, stream, i) &&
			       add_layer_overrides(&rows, stream, i);
	return emit_plain_vec(call, &override_table, rows, good ? NULL : cs_error_nomem());
}

const struct command command_overrides = {
	.name = "overrides",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the overrides of this run: variables, loading ranges, data layers",
	.examples =
		"wp.Runtime.MaxLoadingStreamingCells 8\noverrides\noverrides -w \"kind = 'range'\" -c name,loading_range,cooked_range",
	.help = "An override replaces the default of a variable or a value of the cook. The\n"
		"column `value` is the present value, and `was` is the value without the\n"
		"override. The column `kind` is `variable`, `range` (the loading range of a\n"
		"grid), `initial` (the state of a data layer when a run begins, set by `layer\n"
		"initial`) or `layer` (the state of a data layer, set during the run).",
	.run = run_overrides,
};

const struct command command_override_index = {
	.name = "wp.Runtime.OverrideRuntimeSpatialHashLoadingRange",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.options = {{0, "grid", "INDEX", ARGUMENT_WHOLE,
			    "row of the grid in `grids`, counted from 0 (default 0)"},
		RANGE_OPTION},
	.summary = "change the loading range of a grid, chosen by its index",
	.examples = "wp.Runtime.OverrideRuntimeSpatialHashLoadingRange -grid=0 -range=25600",
	.help = "-grid=0 -range=25600 is how Unreal writes the options; --grid 0 --range 25600\n"
		"means the same.",
	.run = run_override_index,
};

const struct command command_override_name = {
	.name = "wp.Runtime.OverrideRuntimeLoadingRange",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.options = {{0, "grid", "NAME", ARGUMENT_GRID,
			    "runtime partition, a row of `grids` (required)", .required = true},
		RANGE_OPTION},
	.summary = "change the loading range of a runtime partition, chosen by its name",
	.examples = "wp.Runtime.OverrideRuntimeLoadingRange -grid=MainGrid -range=25600",
	.help = "-grid=NAME -range=CM is how Unreal writes the options; --grid NAME --range CM\n"
		"means the same.",
	.run = run_override_name,
};

/* ---- states of data layers ---- */

/* Makes the error for an unknown data layer, with a similar name as suggestion. */
static struct cs_error *no_layer(const struct cs_cooked *world, const char *name)
{
	struct closest closest = closest_to(name);
	for (size_t i = 0; i < world->n_layers; i++) {
		const char *label = cs_cooked_text(world, world->layers[i].label);
		closest_consider(&closest, label, strlen(label));
	}
	return cs_error_new(CS_E_NOLAYER, "no data layer '%s'%s%s%s; `layers` lists them", name,
		DID_YOU_MEAN(closest.best));
}

/*
 * Calls `each` for the data layers named by the arguments from index `first` on; an argument "A,B"
 * names two. An unknown name does not prevent calls for the others; its error is returned.
 */
static struct cs_error *for_each_layer(struct call *call, size_t first,
	struct cs_error *(*each)(struct call *call, struct cs_stream *stream, uint32_t layer))
{
	struct cs_error *error = NULL, *unknown = NULL;
	bool any = false;
	for (size_t i = first; !error && i < call->n_arguments; i++) {
		const char *names = call_argument(call, i)->text;
		struct cs_item item;
		while (!error && cs_next_item(&names, &item)) {
			char *name = strndup(item.at, item.n);
			uint32_t layer = name ? cs_stream_find_layer(call->stream,
							call->session->files.partition, name)
					      : CS_NONE;
			if (!name)
				error = cs_error_nomem();
			else if (layer == CS_NONE)
				unknown = unknown ? unknown : no_layer(call->session->world, name);
			else
				error = each(call, call->stream, layer);
			any = any || layer != CS_NONE;
			free(name);
		}
	}
	if (!error)
		return unknown && any ? record_failed_call(call, unknown) : unknown;
	cs_error_free(unknown);
	return error;
}

/* Returns whether the run is a client, which sends the command to its server. */
static bool is_forwarded(const struct call *call)
{
	return call->session->run.role == CS_ROLE_CLIENT;
}

static struct cs_error *set_one(struct call *call, struct cs_stream *stream, uint32_t layer)
{
	return set_layer(call, stream, layer,
		(struct layer_wish){(enum cs_layer_state)call_argument(call, 0)->choice,
			.replicated = is_forwarded(call)});
}

static struct cs_error *run_set_state(struct call *call)
{
	return for_each_layer(call, 1, set_one);
}

const struct command command_set_layer_state = {
	.name = "wp.Runtime.SetDataLayerRuntimeState",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"STATE", ARGUMENT_CHOICE, .choices = cs_layer_state_ue_names},
		{"LAYER", ARGUMENT_WORD, .many = true}},
	.summary = "set the runtime state of data layers",
	.examples = "wp.Runtime.SetDataLayerRuntimeState Activated DL_Night DL_Quest",
	.help = "STATE is Unloaded, Loaded or Activated, and LAYER is the name of a data layer\n"
		"(`layers` lists them). The states that child layers were set to do not change,\n"
		"but their effective states can. When one of the layers does not exist, the other\n"
		"layers are set, and the command fails. On a client (help role) the layers are\n"
		"set as if the server had set them.",
	.run = run_set_state,
};

static struct cs_error *toggle_one(struct call *call, struct cs_stream *stream, uint32_t layer)
{
	struct cs_stream_layer_view view;
	struct cs_error *error =
		cs_stream_layer(stream, call->session->files.partition, layer, &view);
	if (error)
		return error;
	return set_layer(call, stream, layer,
		(struct layer_wish){
			cs_layer_state_toggled(view.target), .replicated = is_forwarded(call)});
}

static struct cs_error *console_run_toggle(struct call *call)
{
	return for_each_layer(call, 0, toggle_one);
}

const struct command command_toggle_layer = {
	.name = "wp.Runtime.ToggleDataLayerActivation",
	.group = GROUP_ENGINE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"LAYER", ARGUMENT_WORD, .many = true}},
	.summary = "switch data layers between activated and unloaded",
	.examples = "wp.Runtime.ToggleDataLayerActivation DL_Night",
	.help = "LAYER is the name of a data layer (`layers` lists them). A layer whose requested\n"
		"state is activated is unloaded, and any other layer is activated. On a client\n"
		"(help role) the layers are set as if the server had set them.",
	.run = console_run_toggle,
};
