/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `why-layer` and `layer-impact` (data layers), `hlod check` and `hlod why`. */
#include "src/language/lexer.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include "core/vec.h"

#include <stdlib.h>

/* ---- command why-layer ---- */

struct layer_row {
	struct cs_stream_why_layer why;
	const char *layer, *parent, *initial, *target, *effective, *limited_by, *holder;
	const char *option; /* " -P NAME" unless the layer is in the main world partition */
};

static const struct cs_column layer_columns[] = {
	PLAIN(struct layer_row, layer, "label of the layer"),
	PLAIN(struct layer_row, parent, "parent layer"),
	PLAIN(struct layer_row, initial, "state at the beginning of the run"),
	PLAIN(struct layer_row, target, "state that was requested for the layer"),
	PLAIN(struct layer_row, effective, "state after the limits of the ancestors"),
	PLAIN(struct layer_row, limited_by, "ancestor that limits the state"),
	PLAIN_WORD("verdict", struct layer_row, why.verdict, LAYER_VERDICT,
		"first obstacle, or visible if there is none"),
	PLAIN_RULE("number", struct layer_row, why.verdict, LAYER_VERDICT,
		"number of the rule of the verdict: help rule NUMBER"),
	PLAIN(struct layer_row, holder, "other layer that limits the layer or its cells"),
	PLAIN_AS("runtime", struct layer_row, why.view.runtime,
		"whether the layer exists at run time"),
	PLAIN_AS("on_role", struct layer_row, why.view.on_role,
		"whether the layer's load filter fits the role"),
	PLAIN_AS("cells", struct layer_row, why.view.cells, "number of cells of the layer"),
	PLAIN_AS("in_range", struct layer_row, why.in_range,
		"number of cells of the layer that a source requests"),
	PLAIN_AS("loaded", struct layer_row, why.view.loaded, "cells of the layer in memory"),
	PLAIN_AS("visible", struct layer_row, why.view.visible, "visible cells of the layer"),
	PLAIN_AS("arrived", struct layer_row, why.arrived,
		"number of cells in range that have reached their state"),
	PLAIN_AS("undecided", struct layer_row, why.undecided,
		"number of cells whose state was not decided since the last change of settings"),
	PLAIN_AS("held", struct layer_row, why.held,
		"number of cells in range whose state other layers limit"),
	PLAIN_AS("client_only", struct layer_row, why.absent,
		"number of cells of the layer that this server does not have"),
};

static const struct cs_table layer_table = PLAIN_TABLE("why_layers", "why_layer", layer_columns);

/* Suggests the listing of cells with the layer. */
static void note_cells_of(struct output *out, const char *layer, const char *option)
{
	char *text = NULL, *quoted = quote_sql(layer);
	if (quoted && asprintf(&text, "%s IN (SELECT value FROM json_each(layers))", quoted) >= 0)
		note_command(out, "  try       cells -w ", text, option);
	free(text);
	free(quoted);
}

static void say_layer(struct output *out, const struct layer_row *row)
{
	const struct cs_stream_why_layer *why = &row->why;
	const char *about = row->holder ? row->holder : row->layer;
	bool is_on = why->view.effective == CS_LAYER_ACTIVATED && !row->holder;
	char after[600];
	say(out, "%s  %s: %s (rule %s)\n", row->layer, row->effective ? row->effective : "editor",
		cs_word(CS_WORDS_LAYER_VERDICT, why->verdict)->help,
		cs_word(CS_WORDS_LAYER_VERDICT, why->verdict)->rule);
	if (row->target)
		say(out, "  target    %s, at first %s\n", row->target, row->initial);
	if (row->parent)
		say(out, "  parent    %s\n", row->parent);
	if (row->limited_by)
		say(out, "  limited   to %s by %s\n", row->effective, row->limited_by);
	if (why->verdict == CS_LAYER_EXTERNAL_OFF || why->verdict == CS_LAYER_OTHERS_OFF)
		say(out, "  held      %u of the cells in range, by %s\n", why->held,
			row->holder ? row->holder : "-");
	if (why->absent)
		say(out, "  absent    %u of its cells are client-only\n", why->absent);
	if (why->excluded)
		say(out, "  left out  %u of its cells: %s (rule %s)\n", why->excluded,
			cs_word(CS_WORDS_REASON, why->excluded_by)->help,
			cs_word(CS_WORDS_REASON, why->excluded_by)->rule);
	say(out, "  cells     %u, loaded %u, visible %u; in range %u, of these arrived %u",
		why->view.cells, why->view.loaded, why->view.visible, why->in_range, why->arrived);
	if (why->undecided)
		say(out, "; not decided since %u", why->undecided);
	say(out, "\n");
	snprintf(after, sizeof(after), " %s%s", is_on ? "unloaded" : "activated", row->option);
	note_command(out, "  try       layer-impact ", about, after);
	note_cells_of(out, row->layer, row->option);
}

static const char *label_of(const struct cs_cooked *world, uint32_t layer)
{
	return layer == CS_NONE ? NULL : cs_cooked_text(world, world->layers[layer].label);
}

static struct cs_error *run_why_layer(struct call *call)
{
	const struct cs_cooked *world = call->session->world;
	const uint32_t layer = call_argument(call, 0)->row;
	struct layer_row row = {0};
	struct cs_error *error =
		cs_stream_why_layer(call->stream, call->session->files.partition, layer, &row.why);
	if (error)
		return error;
	row.layer = label_of(world, layer);
	row.parent = label_of(world, world->layers[layer].parent);
	row.limited_by = label_of(world, row.why.view.limited_by);
	row.holder = label_of(world, row.why.holder);
	row.initial = cs_layer_state_names[row.why.view.initial];
	if (row.why.view.runtime) {
		row.target = cs_layer_state_names[row.why.view.target];
		row.effective = cs_layer_state_names[row.why.view.effective];
	}
	if (wants_rows(call))
		return emit_plain_record(call, &layer_table, &row);
	char option[512] = "";
	const uint32_t partition = call->session->files.partition;
	char *word = quote_word(cs_stream_world(call->stream, partition).name);
	if (word && partition > 0)
		snprintf(option, sizeof(option), " -P %s", word);
	free(word);
	row.option = option;
	say_layer(call->out, &row);
	return NULL;
}

OLD_NAME(command_why_layer, "why-layer", "why", run_why_layer, COMMAND_RUN | COMMAND_WORLD,
	"why DL_Night", {"LAYER", ARGUMENT_LAYER});

struct impact_row {
	const char *cell, *before, *after;
	bool in_range;
};

static const struct cs_column impact_columns[] = {
	SHORT(struct impact_row, cell, "the cell"),
	SHORT(struct impact_row, before, "state that the data layers of the cell allow now"),
	SHORT(struct impact_row, after, "state that these layers would allow after the change"),
	SHORT(struct impact_row, in_range,
		"whether a source requests the cell so that its state would change at once"),
};

static const struct cs_table impact_table = PLAIN_TABLE("impacts", "impact", impact_columns);

static struct cs_error *run_layer_impact(struct call *call)
{
	const struct cs_cooked *world = call->session->world;
	struct cs_stream_impact *impacts;
	size_t n;
	struct cs_error *error = cs_stream_layer_impact(call->stream,
		call->session->files.partition, call_argument(call, 0)->row,
		(enum cs_layer_state)call_argument(call, 1)->choice,
		call_option(call, "recursive")->given, &impacts, &n);
	if (error)
		return error;
	struct impact_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct impact_row){cs_cooked_cell_name(world, impacts[i].cell),
			cs_layer_state_names[impacts[i].before],
			cs_layer_state_names[impacts[i].after], impacts[i].in_range};
	error = emit_plain_taken(call, &impact_table, rows, n);
	free(impacts);
	return error;
}

const struct command command_layer_impact = {
	.name = "layer-impact",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"LAYER", ARGUMENT_LAYER},
		{"STATE", ARGUMENT_CHOICE, .choices = cs_layer_state_names}},
	.options = {{'r', "recursive", NULL, ARGUMENT_NONE,
		"change the children of the layer, too"}},
	.summary = "list the cells that would change if a data layer were set to a state",
	.examples = "layer-impact DL_Night activated\nlayer-impact DL_Night unloaded -w in_range",
	.help = "STATE is unloaded, loaded or activated. The command does not set the layer. The\n"
		"columns `before` and `after` are the highest states that the data layers of the\n"
		"cell allow, now and after the change. The column `in_range` marks cells that\n"
		"would change at once: a source reaches them and requests more than the lower of\n"
		"the two states, and no server keeps their state (help rule 2.7). Larger cells\n"
		"that are only loaded because they enclose a listed cell (snapping, help rule\n"
		"1.7.5) are not listed.",
	.run = run_layer_impact,
};

/* ---- command hlod check ---- */

/*
 * Reads the names of the HLOD actors of all partitions, or of the selected one, in one query,
 * because reading them one by one would load parts of the actor table again and again.
 */
static struct cs_error *read_hlod_names(const struct session *session, struct cs_result **ret)
{
	return cs_query_select(session->query, "SELECT ifnull(actor, '(planned)') FROM hlods",
		(struct cs_parameters){NULL, 0}, ret);
}

static const char *hlod_name(const struct session *session, const struct cs_result *names,
	uint32_t partition, uint32_t hlod)
{
	size_t row = hlod;
	for (uint32_t i = 0; cs_query_focused(session->query) == CS_NONE && i < partition; i++)
		row += cs_query_partition(session->query, i, NULL)->n_hlods;
	return cs_result_value(names, row, 0).text;
}

struct fault_row {
	const char *hlod, *fault, *number, *source, *home, *help, *partition;
	double range, source_range;
};

static const struct cs_column fault_columns[] = {
	SHORT(struct fault_row, hlod, "the HLOD actor"),
	SHORT(struct fault_row, fault, "kind of the fault"),
	PLAIN(struct fault_row, number, "number of the rule that is broken: help rule NUMBER"),
	SHORT(struct fault_row, source, "cell that the HLOD actor replaces"),
	SHORT(struct fault_row, home, "cell that contains the HLOD actor"),
	PLAIN(struct fault_row, range, "loading range of the HLOD actor's grid", .unit = "cm"),
	PLAIN(struct fault_row, source_range, "loading range of the source cell's grid",
		.unit = "cm"),
	PLAIN(struct fault_row, help, "description of the fault"),
	PLAIN(struct fault_row, partition, "world partition of the HLOD actor",
		.flags = CS_COLUMN_WORD),
};

static const struct cs_table fault_table =
	PLAIN_TABLE("hlod_findings", "hlod_finding", fault_columns);

static struct fault_row fault_row(const struct call *call, const struct cs_result *names,
	const struct cs_stream_hlod_finding *finding)
{
	const struct cs_stream *stream = call->stream;
	const struct cs_cooked *world = cs_stream_world(stream, finding->world).cooked;
	const struct cs_word *fault = cs_word(CS_WORDS_HLOD_FAULT, finding->fault);
	const struct cs_cooked_hlod *hlod = &world->hlods[finding->hlod];
	bool ranges = finding->fault == CS_HLOD_FAULT_RANGE;
	return (struct fault_row){hlod_name(call->session, names, finding->world, finding->hlod),
		fault->name, fault->rule, cs_cooked_cell_name(world, hlod->cell),
		cs_cooked_cell_name(world, hlod->home), fault->help,
		cs_stream_world(stream, finding->world).name,
		ranges ? finding->range : CS_NO_NUMBER,
		ranges ? finding->source_range : CS_NO_NUMBER};
}

static struct cs_error *run_hlod_check(struct call *call)
{
	struct cs_stream_hlod_finding *findings;
	struct cs_result *names = NULL;
	size_t n;
	struct cs_error *error = cs_stream_hlod_check(call->stream, &findings, &n);
	if (error)
		return error;
	if (n > 0)
		error = read_hlod_names(call->session, &names);
	struct fault_row *rows = error ? NULL : calloc(n + 1, sizeof(*rows));
	uint32_t focus = cs_query_focused(call->session->query);
	size_t kept = 0;
	for (size_t i = 0; rows && i < n; i++)
		if (focus == CS_NONE || focus == findings[i].world)
			rows[kept++] = fault_row(call, names, &findings[i]);
	if (!error)
		error = emit_plain_taken(call, &fault_table, rows, kept);
	cs_result_free(names);
	free(findings);
	return error;
}

const struct command command_hlod_check = {
	.name = "hlod check",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list what is wrong with HLOD actors in the present frame",
	.examples = "hlod check\nhlod check -w \"fault = 'hole'\"",
	.help = "An HLOD actor is built from a cell, its source cell, and is shown in place of\n"
		"that cell while the cell is not visible. The column `fault` is:\n"
		"  hole      a streaming source reaches the HLOD actor, but neither the actor nor\n"
		"            its source cell is visible, and data layers do not hide the cell\n"
		"            (`hlod why` also lists holes that no source reaches)\n"
		"  outdated  the source cell is not in this cook\n"
		"  range     the grid of the HLOD actor loads no farther than the grid of the\n"
		"            source cell\n"
		"  no home   no cell contains the HLOD actor",
	.run = run_hlod_check,
};

/* ---- command hlod why ---- */

struct hlod_row {
	struct cs_stream_hlod_view view;
	const char *hlod, *source, *source_state, *home, *home_state, *partition;
};

static const struct cs_column hlod_columns[] = {
	SHORT(struct hlod_row, hlod, "the HLOD actor"),
	SHORT_WORD("state", struct hlod_row, view.state, HLOD_STATE,
		"hidden, shown, away, hole or outdated"),
	PLAIN_RULE("number", struct hlod_row, view.state, HLOD_STATE,
		"number of the rule for the state: help rule NUMBER"),
	SHORT(struct hlod_row, source, "cell that the HLOD actor was built from"),
	SHORT(struct hlod_row, source_state, "state of the source cell"),
	PLAIN(struct hlod_row, home, "cell that contains the HLOD actor"),
	SHORT(struct hlod_row, home_state, "state of the cell in column home"),
	SHORT_AS("in_range", struct hlod_row, view.in_range,
		"whether a source reaches the cell that contains the HLOD actor"),
	PLAIN_AS("needs_warmup", struct hlod_row, view.needs_warmup,
		"whether the HLOD actor is warmed up before it is shown"),
	PLAIN_AS("warm_frames", struct hlod_row, view.warm_frames, "frames until the warm-up ends"),
	PLAIN(struct hlod_row, partition, "world partition of the HLOD actor",
		.flags = CS_COLUMN_WORD),
};

static const struct cs_table hlod_table = PLAIN_TABLE("hlod_states", "hlod_state", hlod_columns);

static const char *explain_layer_state_of(
	const struct cs_stream *stream, uint32_t partition, uint32_t cell)
{
	if (cell == CS_NONE)
		return NULL;
	const struct cs_stream_cell_view view =
		cs_stream_cell(stream, (struct cs_stream_cell){partition, cell});
	return cs_word(CS_WORDS_CELL_STATE, view.shown)->name;
}

typedef CS_VEC(struct hlod_row) hlod_rows;

static struct cs_error *explain_layer_add_hlod(const struct call *call,
	const struct cs_result *names, uint32_t partition, uint32_t i, hlod_rows *rows)
{
	const struct cs_stream *stream = call->stream;
	const struct cs_cooked *world = cs_stream_world(stream, partition).cooked;
	const struct cs_cooked_hlod *hlod = &world->hlods[i];
	struct hlod_row row = {.hlod = hlod_name(call->session, names, partition, i),
		.source = cs_cooked_cell_name(world, hlod->cell),
		.source_state = explain_layer_state_of(stream, partition, hlod->cell),
		.home = cs_cooked_cell_name(world, hlod->home),
		.home_state = explain_layer_state_of(stream, partition, hlod->home),
		.partition = cs_stream_world(stream, partition).name};
	struct cs_error *error = cs_stream_hlod(stream, partition, i, &row.view);
	if (!error && !cs_vec_push(rows, row))
		error = cs_error_nomem();
	return error;
}

static struct cs_error *add_hlods(const struct call *call, const struct cs_result *names,
	uint32_t partition, const struct argument *cell, hlod_rows *rows)
{
	const struct cs_cooked *world = cs_query_partition(call->session->query, partition, NULL);
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < world->n_hlods; i++)
		if (!cell->given || world->hlods[i].cell == cell->row ||
			world->hlods[i].home == cell->row)
			error = explain_layer_add_hlod(call, names, partition, i, rows);
	return error;
}

/* Lists all HLOD actors, or the HLOD actors that replace a given cell or are in that cell. */
static struct cs_error *run_hlod_why(struct call *call)
{
	const struct session *session = call->session;
	const struct argument *cell = call_argument(call, 0);
	bool all = !cell->given && cs_query_focused(session->query) == CS_NONE;
	hlod_rows rows = {0};
	struct cs_result *names = NULL;
	struct cs_error *error = read_hlod_names(session, &names);
	for (uint32_t i = 0; !error && i < cs_query_partitions(session->query); i++)
		if (all || i == session->files.partition)
			error = add_hlods(call, names, i, cell, &rows);
	error = emit_plain_vec(call, &hlod_table, rows, error);
	cs_result_free(names);
	return error;
}

const struct command command_hlod_why = {
	.name = "hlod why",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"CELL", ARGUMENT_CELL, .optional = true}},
	.summary = "list HLOD actors with the reason why each is visible or not",
	.examples = "hlod why L0:5,1\nhlod why -w \"state = 'hole'\"",
	.help = "An HLOD actor is built from a cell, its source cell. CELL selects the HLOD\n"
		"actors that were built from CELL or are in CELL (default: all). The column\n"
		"`state` is:\n"
		"  shown     the HLOD actor is visible\n"
		"  hidden    the source cell is visible, or HLOD is off\n"
		"  away      the HLOD actor is not loaded and not needed\n"
		"  hole      neither the HLOD actor nor its source cell is visible\n"
		"  outdated  the source cell is not in this cook",
	.run = run_hlod_why,
};
