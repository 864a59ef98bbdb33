/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that each list one table of a cooked world. */
#include "src/session/session.h"

/* Defines a command that lists a table; `...` are its examples and further members. */
#define TABLE_COMMAND(variable, table, other, text, ...) \
	const struct command variable = {                \
		.name = table,                           \
		.alias = other,                          \
		.group = GROUP_INSPECT,                  \
		.flags = COMMAND_WORLD | COMMAND_LISTS,  \
		.summary = text,                         \
		.examples = __VA_ARGS__,                 \
		.lists = table,                          \
	}

TABLE_COMMAND(command_grids, "grids", NULL, "list the runtime partitions (grids) of the world",
	"grids\ngrids --json -w \"parent IS NULL\"",
	.help = "A row is a runtime partition or the HLOD setup of one. The column `parent` is\n"
		"the runtime partition to which an HLOD setup belongs; other rows have none.");
TABLE_COMMAND(command_containers, "containers", NULL,
	"list the containers of actors: the main world and its level instances",
	"containers -s -actors",
	.help = "The column `package` is the level that the container is an instance of, and `id`\n"
		"the GUID of the instance (none for the main world).");
TABLE_COMMAND(command_sets, "sets", NULL,
	"list the actor sets: clusters of actors that share a cell",
	"sets -s -actors -n 5\nsets -w \"level > first_level\"",
	.help = "References and attachments connect the actors of a set; `cluster ACTOR` lists\n"
		"them. The column `level` is the grid level of the set, and `first_level` the\n"
		"level that follows from its size. On a higher level cells are larger, and the\n"
		"set is loaded longer.");
TABLE_COMMAND(command_references, "references", NULL, "list the references between actors",
	"references -w \"state = 'missing'\"",
	.help = "The column `state` is `runtime` (the reference puts both actors into one\n"
		"cluster), `editor` (dropped, because the reference or one of the actors is\n"
		"editor-only), `family` (one of the actors is attached to the other, directly or\n"
		"not), `missing` (the referenced actor does not exist), `elsewhere` (it is in\n"
		"another container) or `invalid` (validation removed the reference).");
TABLE_COMMAND(command_hlods, "hlods", "hlod",
	"list the HLOD actors and the cells that they replace", "hlods",
	.help = "The column `cell` is the cell that the HLOD actor replaces, and `home` the cell\n"
		"that contains the HLOD actor.");
TABLE_COMMAND(command_findings, "findings", NULL, "list the findings of validation, with repairs",
	"findings -w \"severity = 'error'\"",
	.help = "Validation is the part of a cook that checks the actors, their references, data\n"
		"layers and grids. The column `repair` says how the cook corrected the actor.\n"
		"`help check TOKEN` explains a value of the column `check`. The command `check`\n"
		"lists only findings of the first pass, and sets the exit status.");
TABLE_COMMAND(command_drops, "drops", "dropped",
	"list the actors that are in no cell, with the reasons",
	"drops\ndrops -w lost\ndropped --json",
	.help = "The column `reason` says why. The column `lost` marks actors that Unreal would\n"
		"drop without a message; the others are in no cell because of their settings.");

/*
 * Lists the open worlds and level instances. Their positions exist only in a run, so the command
 * starts one, except when several worlds are open as a catalogue, because no run contains these.
 */
static struct cs_error *run_partitions(struct call *call)
{
	struct cs_stream *stream;
	struct cs_error *error =
		call->session->files.beside.n ? NULL : session_stream(call->session, &stream);
	return error ? error : call_list(call, "partitions");
}

const struct command command_partitions = {
	.name = "partitions",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list the open worlds and their standalone level instances",
	.examples = "partitions\ncells -P 0 -n 5",
	.help = "A standalone level instance is one whose level has a world partition of its own.\n"
		"The option -P of other commands selects one row by its column `name` or `index`.\n"
		"Without -P, listings and SQL have the rows of all, with the column `partition`.\n"
		"Other commands use the main world, and search the others for a name that the\n"
		"main world does not have.",
	.lists = "partitions",
	.run = run_partitions,
};

static struct cs_error *run_layers(struct call *call)
{
	if (call_argument(call, 0)->given)
		return call_record(call, "layers", call_argument(call, 0)->row);
	return call_list(call, "layers");
}

const struct command command_layers = {
	.name = "layers",
	.alias = "layer",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"LAYER", ARGUMENT_LAYER, .optional = true}},
	.summary = "list the data layers with their states, or show one",
	.examples = "layers\nlayers DL_Night",
	.help = "The column `initial` is the state in which a run begins, and `state` the present\n"
		"effective state: the least of the layer's own state and those of its parents.\n"
		"`why LAYER` explains the state.",
	.run = run_layers,
};
