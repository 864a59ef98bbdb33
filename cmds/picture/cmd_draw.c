/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Console commands of the engine that draw over the game, as text: wp.Runtime.ToggleDraw... selects
 * what is printed after each halt of the run and on the map, wp.Runtime.DebugFilter... selects the
 * cells of the map. Also wp.Editor... commands, which run the equivalent command of ours.
 */
#include "cmds/picture/cmd_draw.h"

#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- wp.Runtime.ToggleDraw... ---- */

/* Command lines that are run after each halt while a switch of the view is on. */
static const struct {
	size_t offset;
	const char *line;
} overlays[] = {
	{offsetof(struct view, map), "map"},
	{offsetof(struct view, performance), "state ~ performance"},
	{offsetof(struct view, details), "cells -w \"state <> 'unloaded'\" -s state,name"},
	{offsetof(struct view, layers), "layers"},
};

static struct cs_error *draw_run_toggle(struct call *call)
{
	bool *on = (bool *)((char *)&call->session->view + call->command->variant);
	*on = !*on;
	say(call->out, "%s is %s\n", call->command->name, *on ? "on" : "off");
	return NULL;
}

struct cs_error *draw_overlays(struct call *call)
{
	const char *view = (const char *)&call->session->view;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < sizeof(overlays) / sizeof(overlays[0]); i++)
		if (*(const bool *)(view + overlays[i].offset))
			error = run_nested(call->session, overlays[i].line, call->out->sink);
	return error;
}

/* `default_` and `help_` are parts of the help: whether the switch is on at first, and more. */
#define TOGGLE(variable, name_, member, text, default_, help_)                                   \
	const struct command variable = {                                                        \
		.name = "wp.Runtime.ToggleDraw" name_,                                           \
		.group = GROUP_ENGINE,                                                           \
		.flags = COMMAND_CHANGES,                                                        \
		.summary = text,                                                                 \
		.examples = "wp.Runtime.ToggleDraw" name_,                                       \
		.help = help_                                                                    \
		"Each call changes from off to on or back; a session begins with " default_ ".", \
		.run = draw_run_toggle,                                                          \
		.variant = offsetof(struct view, member),                                        \
	}

#define AT_HALTS "The run halts at the end of each command that runs frames, such as `step`.\n"

TOGGLE(command_toggle_map, "RuntimeHash2D", map,
	"turn on or off printing the map at each halt of the run", "off", AT_HALTS);
TOGGLE(command_toggle_map_3d, "RuntimeHash3D", map,
	"turn on or off printing the map at each halt, like ToggleDrawRuntimeHash2D", "off",
	AT_HALTS);
TOGGLE(command_toggle_sources, "StreamingSources", sources,
	"turn on or off showing the streaming sources in the output of `map`", "on", "");
TOGGLE(command_toggle_performance, "StreamingPerfs", performance,
	"turn on or off printing the streaming performance at each halt of the run", "off",
	AT_HALTS);
TOGGLE(command_toggle_legend, "Legends", legend,
	"turn on or off printing a legend below the output of `map`", "on", "");
TOGGLE(command_toggle_details, "RuntimeCellsDetails", details,
	"turn on or off printing, at each halt, the cells that are not unloaded", "off", AT_HALTS);
TOGGLE(command_toggle_layers, "DataLayers", layers,
	"turn on or off printing the data layers at each halt of the run", "off", AT_HALTS);

/* ---- wp.Runtime.DebugFilter... ---- */

struct cs_map_filter view_filter(const struct view *view)
{
	return (struct cs_map_filter){.layers = view->layer_filter,
		.grids = view->grid_filter,
		.statuses = view->status_filter,
		.names = view->name_filter};
}

/* Joins the arguments with commas. The caller frees *ret, which is NULL when there are none. */
static struct cs_error *join_arguments(const struct call *call, char **ret)
{
	CS_VEC(char) text = {0};
	*ret = NULL;
	for (size_t i = 0; i < call->n_arguments; i++) {
		const char *word = call_argument(call, i)->text;
		if ((i && !cs_vec_push(&text, ',')) || !cs_vec_append(&text, word, strlen(word))) {
			cs_vec_free(&text);
			return cs_error_nomem();
		}
	}
	if (call->n_arguments == 0)
		return NULL;
	if (!cs_vec_push(&text, '\0')) {
		cs_vec_free(&text);
		return cs_error_nomem();
	}
	*ret = text.at;
	return NULL;
}

static struct cs_error *run_filter(struct call *call)
{
	char **at = (char **)((char *)&call->session->view + call->command->variant), *words;
	struct cs_error *error = join_arguments(call, &words);
	if (error)
		return error;
	free(*at);
	*at = words;
	return NULL;
}

/* Defines a console command that sets a filter of the map; `help_` is the beginning of its help. */
#define FILTER(variable, name_, member, what, text, example, help_)                   \
	const struct command variable = {                                             \
		.name = "wp.Runtime." name_,                                          \
		.group = GROUP_ENGINE,                                                \
		.flags = COMMAND_CHANGES,                                             \
		.arguments = {{what, ARGUMENT_WORD, .optional = true, .many = true}}, \
		.summary = text,                                                      \
		.examples = "wp.Runtime." name_ " " example "\nwp.Runtime." name_,    \
		.help = help_ "Without an argument this filter is removed.",          \
		.run = run_filter,                                                    \
		.variant = offsetof(struct view, member),                             \
	}

FILTER(command_filter_layer, "DebugFilterByDataLayer", layer_filter, "LAYER|None",
	"let `map` show only cells that have one of the named data layers", "DL_Night None",
	"LAYER is the name of a data layer (`layers` lists them); `None` stands for the\n"
	"cells without data layers. ");
FILTER(command_filter_layer_old, "DebugFilerByDatalayer", layer_filter, "LAYER|None",
	"let `map` show only cells that have one of the named data layers", "DL_Night",
	"This is Unreal's other spelling of wp.Runtime.DebugFilterByDataLayer. LAYER is\n"
	"the name of a data layer (`layers` lists them); `None` stands for the cells\n"
	"without data layers. ");
FILTER(command_filter_grid, "DebugFilterByRuntimeHashGridName", grid_filter, "GRID",
	"let the map show only cells of these grids", "MainGrid",
	"GRID is the name of a grid (`grids` lists them).\n");
FILTER(command_filter_status, "DebugFilterByStreamingStatus", status_filter, "STATUS",
	"let `map` show only cells with one of the given streaming statuses", "2 3",
	"STATUS is 0 unloaded, 1 unloaded but in memory, 2 loading, 3 loaded,\n"
	"4 making visible, 5 visible, 6 preloading, 7 failed or 8 making invisible.\n");
FILTER(command_filter_name, "DebugFilterByCellName", name_filter, "TEXT",
	"let the map show only cells whose name contains all of these texts", "MainGrid _5_", "");

/* ---- wp.Editor... ---- */

enum { ACTOR, ACTORS, CLASSES, LOG };

static const char *const lines[] = {
	[ACTOR] = "actor ",
	[ACTORS] = "actors --csv > ",
	[CLASSES] =
		"sql SELECT class, count(*) AS actors FROM actors GROUP BY class ORDER BY class",
	[LOG] = "cook log ",
};

/* Makes the name of a log file in the current directory, as the engine does, but without a time. */
static void name_log(const struct session *session, char *name, size_t size)
{
	size_t n = (size_t)snprintf(name, size, "StreamingGeneration-%s.log",
		cs_cooked_text(session->world, session->world->world->name));
	for (size_t i = 0; i < n && i < size; i++)
		if (name[i] == '/' || name[i] == '\'' || (unsigned char)name[i] < ' ')
			name[i] = name[i] ? '_' : name[i];
}

/* Runs cellscope's equivalent of a wp.Editor... console command, with the argument in quotes. */
static struct cs_error *run_editor(struct call *call)
{
	const struct argument *given = call_argument(call, 0);
	const char *before = lines[call->command->variant];
	char name[200] = "", *line;
	if (given->given)
		snprintf(name, sizeof(name), "%s", given->text);
	else if (call->command->variant == LOG)
		name_log(call->session, name, sizeof(name));
	if (given->given && strcmp(name, given->text) != 0)
		return cs_error_new(CS_E_USAGE,
			"the argument of %s has %zu bytes, more than the limit of %zu",
			call->command->name, strlen(given->text), sizeof(name) - 1);
	if (strchr(name, '\''))
		return cs_error_new(CS_E_USAGE,
			"the argument of %s must not contain a single quote: %s",
			call->command->name, name);
	const char *format = strchr(before, '>') ? "" : format_options[call->out->style.format];
	if (asprintf(&line, "%s%s%s%s%s", before, *name ? "'" : "", name, *name ? "'" : "",
		    format) < 0)
		return cs_error_nomem();
	struct cs_error *error = run_nested(call->session, line, call->out->sink);
	call->out->emitted = true; /* the command called here has printed the rows */
	free(line);
	return error;
}

#define EDITOR(variable, name_, variant_, example, flags_, text, help_, ...) \
	const struct command variable = {                                    \
		.name = "wp.Editor." name_,                                  \
		.group = GROUP_ENGINE,                                       \
		.flags = COMMAND_WORLD | (flags_),                           \
		.arguments = {__VA_ARGS__},                                  \
		.summary = text,                                             \
		.examples = "wp.Editor." name_ example,                      \
		.help = help_,                                               \
		.run = run_editor,                                           \
		.variant = variant_,                                         \
	}

EDITOR(command_editor_actor, "DumpActorDesc", ACTOR, " Rock_1187", 0,
	"show the descriptor of one actor",
	"ACTOR is the label, name or GUID of an actor. `actor ACTOR` does the same.",
	{"ACTOR", ARGUMENT_WORD});
EDITOR(command_editor_actors, "DumpActorDescs", ACTORS, " actors.csv", COMMAND_UNSAFE,
	"write all actor descriptors into a CSV file",
	"`actors --csv > FILE` does the same; `actors -c ?` explains the columns.",
	{"FILE", ARGUMENT_OUTPUT});
EDITOR(command_editor_classes, "DumpClassDescs", CLASSES, "", 0, "list the classes of the actors",
	"The column `actors` is the number of actors of the class.", {0});
EDITOR(command_editor_log, "DumpStreamingGenerationLog", LOG, "", COMMAND_UNSAFE,
	"write the cook of the open world as a StreamingGeneration log",
	"FILE is the log to write (default: StreamingGeneration-MAP.log, where MAP is the\n"
	"name of the map). `cook log FILE` does the same (help cook log).",
	{"FILE", ARGUMENT_OUTPUT, .optional = true});

const struct command command_editor_hlods = {
	.name = "wp.Editor.HLOD.DumpStats",
	.group = GROUP_ENGINE,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the HLOD actors",
	.examples = "wp.Editor.HLOD.DumpStats --csv > hlods.csv",
	.help = "`hlods` lists the same rows and explains the columns (help hlods).",
	.lists = "hlods",
};

/* ---- engine commands without effect ---- */

static struct cs_error *run_nothing(struct call *call)
{
	say(call->out, "%s: nothing to switch here; `events` and `frames` list what happens\n",
		call->command->name);
	return NULL;
}

#define NOTHING(variable, name_)                                                             \
	const struct command variable = {                                                    \
		.name = name_,                                                               \
		.group = GROUP_ENGINE,                                                       \
		.arguments = {{"VALUE", ARGUMENT_WORD, .optional = true}},                   \
		.summary = "accept a command of the engine that has no effect in cellscope", \
		.examples = name_,                                                           \
		.help = "VALUE is ignored.",                                                 \
		.run = run_nothing,                                                          \
	}

NOTHING(command_no_layer_times, "wp.Runtime.ToggleDrawDataLayersLoadTime");
NOTHING(command_no_verbosity, "wp.Runtime.SetLogWorldPartitionVerbosity");
NOTHING(command_no_editor_verbosity, "wp.Editor.SetLogWorldPartitionVerbosity");
NOTHING(command_no_profiling, "wp.Editor.ToggleShowEditorProfiling");
