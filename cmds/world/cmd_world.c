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
	.help = "Each row is a runtime partition, or an HLOD setup of a runtime partition. The\n"
		"column `parent` is the runtime partition of an HLOD setup; in the row of a\n"
		"runtime partition this column is empty. The second example lists only the\n"
		"runtime partitions.");
TABLE_COMMAND(command_containers, "containers", NULL,
	"list the containers of actors: the main world and its level instances",
	"containers -s -actors",
	.help = "Each row is a level whose actors the cook put into the world. The column\n"
		"`package` is the package of this level, and `id` is the GUID of the level\n"
		"instance (none for the main world).");
TABLE_COMMAND(command_sets, "sets", NULL,
	"list the actor sets: clusters of actors that share a cell",
	"sets -s -actors -n 5\nsets -w \"level > first_level\"",
	.help = "References and attachments connect the actors of a set, so these actors load\n"
		"together; `cluster ACTOR` lists them. The column `level` is the grid level of\n"
		"the cell that contains the set, and `first_level` is the level that follows from\n"
		"the size of the set alone. A higher level has larger cells, so the set is loaded\n"
		"from farther away.");
TABLE_COMMAND(command_references, "references", NULL, "list the references between actors",
	"references -w \"state = 'missing'\"",
	.help = "The column `state` is:\n"
		"  runtime    the reference puts both actors into one cluster\n"
		"  editor     dropped: the reference or one of the actors is editor-only\n"
		"  family     one of the actors is attached to the other, directly or through\n"
		"             other actors\n"
		"  missing    the referenced actor does not exist\n"
		"  elsewhere  the referenced actor is in another container (help containers)\n"
		"  invalid    validation removed the reference");
TABLE_COMMAND(command_hlods, "hlods", "hlod",
	"list the HLOD actors and the cells that they replace", "hlods",
	.help = "Each HLOD actor was built from a cell (the column `cell`) and is shown while\n"
		"this cell is not visible. The column `home` is the cell that contains the HLOD\n"
		"actor.");
TABLE_COMMAND(command_findings, "findings", NULL,
	"list what validation found, and how the cook repaired each actor",
	"findings -w \"severity = 'error'\"",
	.help = "Validation is the part of a cook that checks the actors, their references, data\n"
		"layers and grids. The column `check` is the token of the check that failed, and\n"
		"`help check TOKEN` explains this check. The column `repair` says how the cook\n"
		"corrected the actor. Because a repair can make another actor invalid, validation\n"
		"runs in several passes. The command `check` lists only the findings of the first\n"
		"pass, and sets the exit status.");
TABLE_COMMAND(command_drops, "drops", "dropped",
	"list the actors that are in no cell, with the reasons", "drops\ndrops -w lost",
	.help = "The column `reason` says why the actor is in no cell. The column `lost` marks\n"
		"actors that Unreal would drop without a message. The other actors are in no cell\n"
		"by design, such as editor-only actors. A level instance is in no cell because\n"
		"the actors of its level are in cells instead.");

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
	.flags = COMMAND_WHOLE | COMMAND_LISTS,
	.summary = "list the open worlds and their standalone level instances",
	.examples = "partitions\ncells -P 0 -n 5",
	.help = "A standalone level instance is a level with a world partition of its own. The\n"
		"option -P of other commands chooses one row by its column `name` or `index`.\n"
		"Without -P, listings and SQL contain the rows of all world partitions, with the\n"
		"column `partition`. Commands about one object look for the object in the first\n"
		"world partition of this list, then in the next.",
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
	.help = "The column `initial` is the state of the layer when a run begins. The column\n"
		"`state` is the effective state in the present frame, which is the lowest of the\n"
		"layer's own state and the states of its parents (unloaded < loaded < activated).\n"
		"`why LAYER` explains the state.",
	.run = run_layers,
};
