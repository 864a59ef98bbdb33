/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `state` and `order` (cells of the current frame), `layer set`, `cycle`, `initial`. */
#include "cmds/stream/cmd_set.h"
#include "src/session/plain.h"

/* ---- command state ---- */

struct state_row {
	struct cs_stream_status status;
	uint64_t hash;
	double seconds;
};

PLAIN_GETTER(get_budget, struct state_row,
	at->status.budget == UINT32_MAX ? cs_null() : cs_integer(at->status.budget))
PLAIN_GETTER(get_performance, struct state_row,
	cs_text(cs_word(CS_WORDS_PERFORMANCE, at->status.performance)->name))
PLAIN_GETTER(get_performance_number, struct state_row,
	cs_text(cs_word(CS_WORDS_PERFORMANCE, at->status.performance)->rule))
PLAIN_GETTER(get_hash, struct state_row, cs_hex(at->hash, 16))

static const struct cs_column state_columns[] = {
	PLAIN_AS("frame", struct state_row, status.frame, "frame"),
	PLAIN_AS("time", struct state_row, seconds, "seconds of virtual time"),
	PLAIN_AS("profile", struct state_row, status.profile, "engine whose rules apply"),
	PLAIN_VALUE("performance", TEXT, get_performance,
		"streaming performance: good, slow, critical or immediate"),
	PLAIN_VALUE("performance_number", TEXT, get_performance_number,
		"number of the rule for the performance: help rule NUMBER"),
	PLAIN_AS("loading", struct state_row, status.loading, "levels that load now"),
	PLAIN_VALUE("budget", INTEGER, get_budget,
		"number of levels that may start to load now; none = any number"),
	PLAIN_AS("waiting_activate", struct state_row, status.waiting_activate,
		"number of cells that wait to be shown"),
	PLAIN_AS("waiting_load", struct state_row, status.waiting_load,
		"number of cells that wait to be loaded"),
	PLAIN_AS("making_visible", struct state_row, status.making_visible, "levels being shown"),
	PLAIN_AS("making_invisible", struct state_row, status.making_invisible,
		"levels being hidden"),
	PLAIN_AS("purging", struct state_row, status.purging, "unloaded levels still in memory"),
	PLAIN_AS("cells_visible", struct state_row, status.cells_visible,
		"number of cells that are activated"),
	PLAIN_AS(
		"cells_loaded", struct state_row, status.cells_loaded, "number of cells in memory"),
	PLAIN_AS("actors", struct state_row, status.actors, "number of actors in memory"),
	PLAIN_AS("bytes", struct state_row, status.bytes,
		"bytes of the cells in memory, by the load model"),
	PLAIN_VALUE("hash", TEXT, get_hash, "hash of the whole state"),
};

static const struct cs_table state_table = PLAIN_TABLE("state", "state", state_columns);

static struct cs_error *run_state(struct call *call)
{
	struct state_row row = {0};
	struct cs_error *error = cs_stream_hash(call->stream, &row.hash);
	if (error)
		return error;
	row.status = cs_stream_status(call->stream);
	row.seconds = (double)row.status.time_ns / 1e9;
	return emit_plain_record(call, &state_table, &row);
}

const struct command command_state = {
	.name = "state",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD,
	.options = {COLUMNS_OPTION},
	.summary = "print the state of the run: frame, loading, budget, memory, hash",
	.examples = "state",
	.help = "The command prints the present values; `frames` lists values of earlier frames.\n"
		"`state -c ?` explains each value.",
	.run = run_state,
};

const struct command command_order = {
	.name = "order",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list waiting and loading cells in order, with the sort key that decided",
	.examples = "step\n"
		    "order\n"
		    "order -w \"list = 'activate'\" -n 10\n"
		    "order -c list,rank,cell,started",
	.help = "The cells are in four lists; the column `list` names the list, and `rank` counts\n"
		"from 1 in each list. The cells of the lists `activate` and `load` waited in the\n"
		"last frame. The cells of `pending_activate` and `pending_load` are already being\n"
		"activated or loaded. A cell that began to load in the last frame is in two\n"
		"lists. The column `started` marks cells that no longer wait.\n\n"
		"The order follows from keys, compared one after the other: priority of the\n"
		"source (small first), level (high first), priority of the cell (small first),\n"
		"spatial value (from distance and angle, small first), distance, name. The column\n"
		"`decided_by` is the key that put a cell behind the cell in the row above.",
	.lists = "order",
};

/* ---- command layer set ---- */

struct cs_error *set_layer(
	struct call *call, struct cs_stream *stream, uint32_t layer, struct layer_wish wish)
{
	static const char *const answers[CS_LAYER_ANSWERS] = {[CS_LAYER_SET] = "set",
		[CS_LAYER_UNCHANGED] = "unchanged",
		[CS_LAYER_NOT_RUNTIME] = "an editor layer: ignored",
		[CS_LAYER_NO_AUTHORITY] = ("clients do not decide: ignored; --replicated sets what "
					   "the server sends"),
		[CS_LAYER_WRONG_ROLE] = "not on this side: ignored"};
	const struct cs_cooked *world = call->session->world;
	enum cs_layer_answer answer;
	struct cs_error *error = cs_stream_layer_set(stream, call->session->files.partition, layer,
		wish.state, wish.recursive, wish.replicated, &answer);
	if (error)
		return error;
	bool ignored = answer != CS_LAYER_SET && answer != CS_LAYER_UNCHANGED;
	say(call->out, "%s: %s (%s%s%s%s)\n", cs_cooked_text(world, world->layers[layer].label),
		cs_layer_state_names[wish.state], answers[answer],
		wish.replicated && answer == CS_LAYER_SET ? ", by the server" : "",
		ignored ? ", rule " : "",
		ignored ? cs_word(CS_WORDS_LAYER_ANSWER, answer)->rule : "");
	return NULL;
}

static struct cs_error *run_layer_set(struct call *call)
{
	return set_layer(call, call->stream, call_argument(call, 0)->row,
		(struct layer_wish){(enum cs_layer_state)call_argument(call, 1)->choice,
			call_option(call, "recursive")->given,
			call_option(call, "replicated")->given});
}

const struct command command_layer_set = {
	.name = "layer set",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"LAYER", ARGUMENT_LAYER},
		{"STATE", ARGUMENT_CHOICE, .choices = cs_layer_state_names}},
	.options = {{'r', "recursive", NULL, ARGUMENT_NONE, "set the children of the layer, too"},
		{0, "replicated", NULL, ARGUMENT_NONE,
			"on a client: set the layer as if the server had sent the state"}},
	.summary = "set the runtime state of a data layer in this run",
	.examples = "layer set DL_Night activated\nlayer set DL_Night activated --replicated",
	.help = "STATE is unloaded, loaded or activated. A client (help role) ignores the command\n"
		"without --replicated, because only a server decides about data layers.",
	.run = run_layer_set,
};

/* Sets a data layer to the state after its present one: unloaded, loaded, activated. */
static struct cs_error *run_layer_cycle(struct call *call)
{
	const uint32_t row = call_argument(call, 0)->row;
	struct cs_stream_layer_view view;
	struct cs_error *error =
		cs_stream_layer(call->stream, call->session->files.partition, row, &view);
	if (error)
		return error;
	return set_layer(call, call->stream, row,
		(struct layer_wish){cs_layer_state_next(view.target), false, false});
}

const struct command command_layer_cycle = {
	.name = "layer cycle",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"LAYER", ARGUMENT_LAYER}},
	.summary = "set a data layer to the next of its runtime states",
	.examples = "layer cycle DL_Night\nlayer cycle 1",
	.help = "The state after `unloaded` is `loaded`, then comes `activated`, then `unloaded`\n"
		"again.",
	.run = run_layer_cycle,
};

static struct cs_error *run_layer_initial(struct call *call)
{
	struct session *session = call->session;
	const struct argument *layer = call_argument(call, 0);
	const struct cs_cooked *world = session->world;
	if (layer->partition != 0)
		return cs_error_new(CS_E_USAGE,
			"`layer initial` sets only data layers of world partition 0, not of "
			"partition %u",
			layer->partition);
	bool is_first = !session->run.stream;
	struct cs_stream *stream;
	struct cs_error *error =
		session_set_initial(session, cs_cooked_text(world, world->layers[layer->row].name),
			(enum cs_layer_state)call_argument(call, 1)->choice);
	/* starts the run, so that all commands about data layers use its initial states */
	if (!error && is_first)
		error = session_stream(session, &stream);
	if (!error)
		say(call->out, "%s: %s from the beginning of the %s\n",
			cs_cooked_text(world, world->layers[layer->row].label),
			cs_layer_state_names[call_argument(call, 1)->choice],
			is_first ? "run" : "next run; role begins one");
	return error;
}

const struct command command_layer_initial = {
	.name = "layer initial",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WORLD | COMMAND_CHANGES,
	.arguments = {{"LAYER", ARGUMENT_LAYER},
		{"STATE", ARGUMENT_CHOICE, .choices = cs_layer_state_names}},
	.summary = "give a data layer another initial state, from the next run on",
	.examples = "layer initial DL_Night activated\nrole standalone",
	.help = "STATE is unloaded, loaded or activated. In each run that begins later, until\n"
		"another world is opened, STATE replaces the cooked initial state. The data\n"
		"layer must be one of the main world, partition 0 of `partitions`. `role\n"
		"standalone` begins a new run.",
	.run = run_layer_initial,
};
