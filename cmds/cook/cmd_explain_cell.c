/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `why cell`, `why-not cell` and `queue` (why a cell is or is not loaded in
 * the current frame), `probe` and `completed` (what a source at another position would load).
 */
#include "cmds/picture/cmd_changes.h"
#include "src/language/lexer.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- command why cell ---- */

/* The whole answer of the command `why cell`; machine formats print it as one record. */
struct answer {
	struct cs_stream_why why;
	struct cs_stream_cell_view view;
	struct cs_stream_cell at;
	const char *cell, *wanted, *obstacle, *obstacle_number, *by_sources, *by_layers, *layer,
		*source, *performance, *performance_number, *behind;
	int64_t decided;
	double distance, radius, spatial, blocking_ratio;
};

/*
 * Column getter for sort key 2, the grid level; null for cells outside of grids, which sort first.
 */
PLAIN_GETTER(get_level, int32_t, *at == INT32_MAX ? cs_null() : cs_integer(*at))

#define LEVEL(structure, member, ...)                                                       \
	{                                                                                   \
		.key = "level", .kind = CS_KIND_INTEGER, .get = get_level,                  \
		.offset = offsetof(struct structure, member),                               \
		.doc = "sort key 2: hierarchical level; none comes before all", __VA_ARGS__ \
	}

static const struct cs_column answer_columns[] = {
	PLAIN(struct answer, cell, "the cell"),
	PLAIN_WORD("state", struct answer, view.shown, CELL_STATE, "state of the cell"),
	PLAIN_WORD("level_state", struct answer, view.level, LEVEL_STATE,
		"state of the streaming level of the cell"),
	PLAIN_AS("since", struct answer, view.since, "frame in which the state changed last",
		.unit = "frame"),
	PLAIN(struct answer, wanted, "state that the rules give the cell"),
	PLAIN_WORD("rule", struct answer, why.reason, REASON, "rule that decides `wanted`"),
	PLAIN_RULE("number", struct answer, why.reason, REASON,
		"number of the rule: help rule NUMBER"),
	PLAIN_WORD("progress", struct answer, why.progress, REASON,
		"reason why the cell is not yet in the state `wanted`, or \"arrived\""),
	PLAIN_RULE("progress_number", struct answer, why.progress, REASON,
		"number of the rule of `progress`"),
	PLAIN(struct answer, obstacle, "reason why the cell is not activated; none if it is"),
	PLAIN(struct answer, obstacle_number, "number of the rule of `obstacle`"),
	PLAIN(struct answer, decided, "frame in which all this was decided; -1: in none yet",
		.unit = "frame"),
	PLAIN_AS("changed", struct answer, why.changed,
		"settings made after that frame, a sum: 1 sources, 2 layers, 4 "
		"variables, 8 clients; 16: no turn yet"),
	PLAIN(struct answer, by_sources, "state that the sources request"),
	PLAIN(struct answer, by_layers, "state that the cell's data layers allow"),
	PLAIN(struct answer, layer, "data layer that limits the state"),
	PLAIN(struct answer, source, "source that reaches the cell, or else the nearest source"),
	PLAIN(struct answer, distance, "distance of the cell from the source in column source",
		.unit = "cm"),
	PLAIN(struct answer, radius, "radius of the source in column source", .unit = "cm"),
	PLAIN_AS("radius_assumed", struct answer, why.nearest.assumed,
		"whether `radius` follows from a loading range that was assumed, as "
		"the world has none"),
	PLAIN_AS("aside", struct answer, why.nearest.aside,
		"whether only the angle of the source or Z culling keeps it from the cell"),
	PLAIN(struct answer, behind,
		"cell that this cell waits for: the one being shown or hidden, or the one "
		"with the level instance"),
	PLAIN_AS("hits", struct answer, why.n_hits,
		"number of shapes of sources that reach the cell"),
	PLAIN_AS("source_priority", struct answer, why.keys.source_priority,
		"sort key 1: priority of the source"),
	LEVEL(answer, why.keys.hierarchical_level),
	PLAIN_AS("priority", struct answer, why.keys.cell_priority,
		"sort key 3: priority of the cell"),
	PLAIN(struct answer, spatial, "sort key 4: spatial value, from distance and angle"),
	PLAIN_AS("rank", struct answer, why.rank,
		"position in the list in which the cell waits, 0 = none"),
	PLAIN_AS("of", struct answer, why.of, "number of cells in the list of column position"),
	PLAIN(struct answer, blocking_ratio, "distance / radius of the nearest blocking source"),
	PLAIN(struct answer, performance,
		"streaming performance by the ratio, when the ratio counts"),
	PLAIN(struct answer, performance_number, "number of the rule that judges the performance"),
};

static const struct cs_table answer_table = PLAIN_TABLE("whys", "why_cell", answer_columns);

/*
 * Returns whether the cell has sort keys: a source reaches it, or it is snapped (a cell of a lower
 * grid level that sources reach lies in it) and has the sort keys of these sources, or it is in a
 * list that was sorted by them, as on a server that loads everything.
 */
static bool has_sort_keys(const struct cs_stream_why *why)
{
	return why->nearest.hit || why->reason == CS_REASON_SNAPPED || why->rank;
}

static struct cs_error *make_answer(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct answer *ret)
{
	struct answer answer = {.at = cell};
	struct cs_error *error = cs_stream_why(stream, cell, &answer.why);
	if (error)
		return error; /* E_NOCELL: the run has no such cell or no such partition */
	const struct cs_cooked *world = cs_stream_world(stream, cell.world).cooked;
	const struct cs_stream_reach *nearest = &answer.why.nearest;
	answer.view = cs_stream_cell(stream, cell);
	answer.cell = stream_cell_name(stream, cell);
	answer.wanted = cs_layer_state_names[answer.why.wanted];
	answer.by_sources = cs_layer_state_names[answer.why.by_sources];
	answer.by_layers = cs_layer_state_names[answer.why.by_layers];
	if (answer.why.layer != CS_NONE)
		answer.layer = cs_cooked_text(world, world->layers[answer.why.layer].label);
	answer.decided = answer.why.decided ? (int64_t)answer.why.decided_in : -1;
	if (answer.why.obstacle != CS_REASON_NONE) {
		answer.obstacle = cs_word(CS_WORDS_REASON, answer.why.obstacle)->name;
		answer.obstacle_number = cs_word(CS_WORDS_REASON, answer.why.obstacle)->rule;
	}
	if (answer.why.blocker.cell != CS_NONE)
		answer.behind = stream_cell_name(stream, answer.why.blocker);
	answer.source = nearest->source;
	answer.distance = nearest->source ? nearest->distance : CS_NO_NUMBER;
	answer.radius = nearest->source ? nearest->radius : CS_NO_NUMBER;
	answer.spatial = has_sort_keys(&answer.why) ? answer.why.keys.spatial : CS_NO_NUMBER;
	answer.blocking_ratio = answer.why.blocking ? answer.why.blocking_ratio : CS_NO_NUMBER;
	answer.performance = answer.why.judged
				     ? cs_word(CS_WORDS_PERFORMANCE, answer.why.performance)->name
				     : NULL;
	answer.performance_number =
		answer.why.judged ? cs_word(CS_WORDS_PERFORMANCE, answer.why.performance)->rule
				  : NULL;
	*ret = answer;
	return NULL;
}

static void say_reaches(struct output *out, const struct cs_stream *stream,
	struct cs_stream_cell cell, bool is_decided)
{
	enum { SHOWN = 12 };
	struct cs_stream_reach reaches[SHOWN];
	size_t n = cs_stream_reaches(stream, cell, reaches, SHOWN);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_reach *reach = &reaches[i];
		say(out, "  source    %s", reach->source ? reach->source : "-");
		if (reach->shape)
			say(out, " shape %u", reach->shape);
		say(out, "  distance %.0f %s radius %.0f%s", reach->distance,
			reach->hit || reach->aside ? "within" : "of", reach->radius,
			reach->assumed ? " (assumed)" : "");
		say(out, "  %s\n",
			!reach->accepted ? "leaves out its grid"
			: reach->hit     ? "reaches it"
			: reach->aside   ? "leaves it out by its angle or by Z culling"
					 : "does not reach it");
	}
	if (n > SHOWN)
		say(out, "  and %zu more\n", n - SHOWN);
	if (n == 0)
		say(out, "  source    %s\n",
			is_decided ? "none" : "not measured before a frame has decided");
}

static void say_order(struct output *out, const struct answer *answer)
{
	const struct cs_stream_keys *keys = &answer->why.keys;
	if (has_sort_keys(&answer->why) && answer->why.wanted != CS_LAYER_UNLOADED) {
		say(out, "  order     source %u  ", keys->source_priority);
		if (keys->hierarchical_level == INT32_MAX)
			say(out, "no level");
		else
			say(out, "level %d", keys->hierarchical_level);
		say(out, "  prio %d  spatial %.4f\n", keys->cell_priority, keys->spatial);
	}
	if (answer->why.rank && answer->why.progress != CS_REASON_ARRIVED)
		say(out, "  waits     %u of %u in its list (rule %s)\n", answer->why.rank,
			answer->why.of, cs_word(CS_WORDS_ORDER_KEY, CS_KEY_SOURCE)->rule);
	if (answer->why.judged)
		say(out, "  blocking  distance / radius %.4f: %s (rule %s)\n",
			answer->why.blocking_ratio, answer->performance,
			answer->performance_number);
	else if (answer->why.blocking)
		say(out, "  blocking  distance / radius %.4f: not considered, the cell %s\n",
			answer->why.blocking_ratio,
			answer->why.blocks ? "is not late" : "does not block");
}

static void say_details(
	struct output *out, const struct cs_stream *stream, const struct answer *answer)
{
	if (answer->behind)
		say(out, "  %s   %s, which is %s\n",
			answer->why.reason == CS_REASON_NOT_REGISTERED ? "in cell" : "behind ",
			answer->behind,
			cs_word(CS_WORDS_CELL_STATE,
				cs_stream_cell(stream, answer->why.blocker).shown)
				->name);
	if (answer->why.progress == CS_REASON_WARMUP)
		say(out, "  warmup    %u frame%s left\n", answer->why.warm_frames,
			answer->why.warm_frames == 1 ? "" : "s");
	if (answer->why.progress == CS_REASON_FAILED)
		say(out, "  failed    not loaded again before a frame in which nothing wants it\n");
	if (answer->why.reason == CS_REASON_CLIENT_SEES)
		say(out, "  client    %s\n",
			answer->why.client == CS_NONE
				? "has left"
				: cs_stream_client_at(stream, answer->why.client).name);
	if (answer->view.bytes_left)
		say(out, "  loading   %" PRIu64 " of %" PRIu64 " bytes left\n",
			answer->view.bytes_left, answer->view.bytes);
}

/*
 * Prints the suggested commands in `text`, one per line. `about` replaces the word %s of a command,
 * or the text '%s' of SQL; `partition` is its world partition, NULL = the main one.
 */
static void say_try(struct output *out, const char *text, const char *about, const char *partition)
{
	char before[256], after[1024];
	char *word = partition ? quote_word(partition) : NULL;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		const char *name = memmem(text, n, "%s", 2);
		const size_t length = name ? (size_t)(name - text) : n;
		snprintf(before, sizeof(before), "  try       %.*s", (int)length, text);
		snprintf(after, sizeof(after), "%.*s%s%s", name ? (int)(n - length - 2) : 0,
			name ? name + 2 : "", word ? " -P " : "", word ? word : "");
		if (!name)
			note(out, "%s\n", before);
		else if (name[2] == '\'') /* an SQL statement, which has no option -P */
			note(out, "%s%s%s\n", before, about, name + 2);
		else
			note_command(out, before, about, after);
	}
	free(word);
}

static const char *grid_name(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	const struct cs_cooked *world = cs_stream_world(stream, cell.world).cooked;
	return cs_cooked_text(
		world, world->partitions[cs_cooked_cell(world, cell.cell)->partition].name);
}

/* Prints commands that would lift the rule that prevents the cell from loading. */
static void say_advice(
	struct output *out, const struct cs_stream *stream, const struct answer *answer)
{
	static const struct {
		enum cs_reason reason;
		/*
		 * lines of commands; %s is the data layer that blocks the cell, else its world
		 * partition if that is not registered, else the cell
		 */
		const char *text;
	} advice[] = {
		{CS_REASON_NO_SOURCE, "source add Player0 X,Y,Z"},
		{CS_REASON_GRID_FILTER, "source set NAME --grids \"\""},
		{CS_REASON_OUT_OF_RANGE, "probe X,Y,Z\nsource move NAME X,Y,Z"},
		{CS_REASON_LAYERS, "why %s"},
		{CS_REASON_LAYERS_LOADED, "why %s"},
		{CS_REASON_TARGET_LOADED, "source set NAME --target activated"},
		{CS_REASON_NOT_RUN, "step"},
		{CS_REASON_HLOD_OFF, "wp.Runtime.HLOD 1"},
		{CS_REASON_LEVEL_FILTER, "wp.Runtime.FilterRuntimeSpatialHashGridLevel -1"},
		{CS_REASON_NOT_REGISTERED, "partition register %s on"},
		{CS_REASON_BUDGET, "queue\norder\nwp.Runtime.MaxLoadingStreamingCells 8"},
		{CS_REASON_LOADING, "queue\nuntil cell('%s','state') = 'activated'"},
		{CS_REASON_FAILED, "fault cell %s none"},
		{CS_REASON_CLIENT_SEES, "server-hold"},
	};
	const char *partition = cs_stream_world(stream, answer->at.world).name;
	const bool is_out = answer->why.reason == CS_REASON_NOT_REGISTERED;
	const char *about = is_out          ? partition
			    : answer->layer ? answer->layer
					    : short_cell_name(stream, answer->cell);
	if (is_out && answer->behind) {
		const uint32_t world = answer->why.blocker.world;
		say_try(out, "why-not %s", short_cell_name(stream, answer->behind),
			world ? cs_stream_world(stream, world).name : NULL);
		return;
	}
	if (is_out || answer->at.world == 0)
		partition = NULL;
	if (answer->why.nearest.assumed)
		say_try(out,
			"wp.Runtime.OverrideRuntimeLoadingRange -grid=%s -range=CM  (it is "
			"assumed)",
			grid_name(stream, answer->at), NULL);
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++)
		if (advice[i].reason == answer->why.reason ||
			advice[i].reason == answer->why.progress ||
			advice[i].reason == answer->why.obstacle) {
			say_try(out, advice[i].text, about, partition);
			return;
		}
}

static void say_changed(struct output *out, const struct answer *answer)
{
	static const char *const what[] = {
		"sources or loading ranges", "data layers", "variables", "clients"};
	const char *between = "";
	if (answer->why.decided && (answer->why.changed & CS_CHANGED_FRAMES))
		say(out,
			"  decided   in frame %" PRIu64
			": the time limit did not reach its partition since\n",
			answer->why.decided_in);
	if (!(answer->why.changed & ~(uint32_t)CS_CHANGED_FRAMES))
		return;
	say(out, "  changed   ");
	for (unsigned i = 0; i < sizeof(what) / sizeof(what[0]); i++)
		if (answer->why.changed >> i & 1) {
			say(out, "%s%s", between, what[i]);
			between = ", ";
		}
	say(out, ": no frame has run since\n");
}

static void say_answer(
	struct output *out, const struct cs_stream *stream, const struct answer *answer)
{
	const struct cs_word *reason = cs_word(CS_WORDS_REASON, answer->why.reason);
	const struct cs_word *progress = cs_word(CS_WORDS_REASON, answer->why.progress);
	say(out, "%s  %s", short_cell_name(stream, answer->cell),
		cs_word(CS_WORDS_CELL_STATE, answer->view.shown)->name);
	if (answer->view.level != CS_LEVEL_REMOVED)
		say(out, " (level %s)", cs_word(CS_WORDS_LEVEL_STATE, answer->view.level)->name);
	if (answer->view.since)
		say(out, " since frame %" PRIu64, answer->view.since);
	say(out, "\n  wanted    %s, by rule %s %s: %s\n", answer->wanted, reason->rule,
		reason->name, reason->help);
	if (answer->why.progress != CS_REASON_ARRIVED && answer->why.progress != CS_REASON_NONE)
		say(out, "  now       %s: %s (rule %s)\n", progress->name, progress->help,
			progress->rule);
	say_changed(out, answer);
	say(out, "  layers    %s %s", answer->why.changed & CS_CHANGED_LAYERS ? "allowed" : "allow",
		answer->by_layers);
	if (answer->layer)
		say(out, ", because of %s", answer->layer);
	say(out, "\n");
	say_reaches(out, stream, answer->at, answer->why.decided);
	say_order(out, answer);
	say_details(out, stream, answer);
	say_advice(out, stream, answer);
}

/*
 * Prints what the command `run compare` found about the cell: up to 4 visits (periods in which the
 * cell is loaded) that began late or never in the real run.
 */
static struct cs_error *say_real(struct call *call, struct cs_stream_cell cell)
{
	const struct cs_cooked *world = cs_stream_world(call->stream, cell.world).cooked;
	const struct cs_parameter name = {
		.name = "cell", .value = cs_text(cs_cooked_cell_name(world, cell.cell))};
	struct cs_result *result;
	struct cs_error *error = cs_query_select(call->session->query,
		"SELECT format('visit %d %s%s%s', visit, iif(never, '', format('%+.0f ms, ', late)),"
		" cause, ifnull(format(' (%s:%d)', file, line), '')) FROM run_pairs WHERE cell ="
		" $cell AND (never OR late > 0) LIMIT 4",
		(struct cs_parameters){&name, 1}, &result);
	for (size_t i = 0; !error && i < cs_result_rows(result); i++)
		say(call->out, "  really    %s\n", cs_result_value(result, i, 0).text);
	if (!error)
		cs_result_free(result);
	return error;
}

/* Prints the rule that prevents loading, or for a loaded cell, the rule that loads or keeps it. */
static void say_obstacle(struct output *out, const struct answer *answer)
{
	bool is_there = answer->why.obstacle == CS_REASON_NONE;
	bool is_wanted = answer->why.wanted == CS_LAYER_ACTIVATED;
	enum cs_reason reason = !is_there   ? answer->why.obstacle
				: is_wanted ? answer->why.reason
					    : answer->why.progress;
	say(out, "%s: %s (rule %s)\n", is_there ? "it is there" : "it is not there because",
		cs_word(CS_WORDS_REASON, reason)->help, cs_word(CS_WORDS_REASON, reason)->rule);
}

static struct cs_error *answer_for_cell(struct call *call, bool why_not)
{
	struct answer answer;
	const struct cs_stream_cell cell = {
		call->session->files.partition, call_argument(call, 0)->row};
	struct cs_error *error = make_answer(call->stream, cell, &answer);
	if (error)
		return error;
	if (wants_rows(call))
		return emit_plain_record(call, &answer_table, &answer);
	if (why_not)
		say_obstacle(call->out, &answer);
	say_answer(call->out, call->stream, &answer);
	return cell.world == 0 ? say_real(call, cell) : NULL;
}

static struct cs_error *run_why_cell(struct call *call)
{
	return answer_for_cell(call, false);
}

OLD_NAME(command_why_cell, "why cell", "why", run_why_cell, COMMAND_RUN | COMMAND_WORLD,
	"why L0:5,1", {"CELL", ARGUMENT_CELL});

/* Answers like the command `why cell`, but the first line names the rule that prevents loading. */
static struct cs_error *run_why_not(struct call *call)
{
	return answer_for_cell(call, true);
}

OLD_NAME(command_why_not_cell, "why-not cell", "why-not", run_why_not, COMMAND_RUN | COMMAND_WORLD,
	"why-not L0:5,1", {"CELL", ARGUMENT_CELL});

/* ---- command queue ---- */

struct queue_row {
	const char *cell;
	struct cs_stream_forecast forecast;
	struct cs_stream_cell_view view;
	uint32_t rank;
	const char *short_name, *partition;
	struct cs_stream_keys keys;
	double spatial;
};

static const struct cs_column queue_columns[] = {
	SHORT(struct queue_row, rank, "place in the loading order, from 1"),
	SHORT(struct queue_row, cell, "the cell"),
	SHORT_WORD("state", struct queue_row, view.shown, CELL_STATE, "present state of the cell"),
	SHORT_AS("starts_in", struct queue_row, forecast.load_frames,
		"frames until the load of the cell begins; none = beyond --horizon"),
	SHORT_AS("done_in", struct queue_row, forecast.done_frames,
		"frames until the cell has the state that is wanted: loaded, or visible"),
	SHORT_AS("bytes", struct queue_row, view.bytes, "bytes of the cell by the load model"),
	PLAIN(struct queue_row, short_name, "name of the cell without the name of the only world",
		.label = "cell"),
	PLAIN_AS("bytes_left", struct queue_row, view.bytes_left,
		"bytes of the cell that are not read yet"),
	PLAIN_WORD("level_state", struct queue_row, view.level, LEVEL_STATE,
		"state of the streaming level of the cell"),
	PLAIN_AS("source", struct queue_row, keys.source_priority,
		"sort key 1: priority of the source", .label = "src"),
	LEVEL(queue_row, keys.hierarchical_level, .label = "lvl"),
	PLAIN_AS("priority", struct queue_row, keys.cell_priority,
		"sort key 3: priority of the cell", .label = "prio"),
	PLAIN(struct queue_row, spatial, "sort key 4: spatial value, from distance and angle"),
	PLAIN_WORD("decided_by", struct queue_row, forecast.decided_by, ORDER_KEY,
		"sort key that put the cell after the cell before it, in the last sort",
		.label = "decided"),
	PLAIN_RULE("number", struct queue_row, forecast.decided_by, ORDER_KEY,
		"number of the rule that makes that key decide: help rule NUMBER"),
	PLAIN(struct queue_row, partition, "world partition of the cell", .flags = CS_COLUMN_WORD),
};

static const struct cs_table queue_table = PLAIN_TABLE("queue", "queued", queue_columns);

static struct queue_row make_queued(
	const struct cs_stream *stream, const struct cs_stream_forecast *forecast, uint32_t rank)
{
	struct cs_stream_why why;
	struct queue_row row = {.cell = stream_cell_name(stream, forecast->cell),
		.forecast = *forecast,
		.view = cs_stream_cell(stream, forecast->cell),
		.rank = rank,
		.short_name = short_cell_name(stream, stream_cell_name(stream, forecast->cell)),
		.partition = cs_stream_world(stream, forecast->cell.world).name,
		.spatial = CS_NO_NUMBER};
	struct cs_error *error = cs_stream_why(stream, forecast->cell, &why);
	if (!error) {
		row.keys = why.keys;
		row.spatial = has_sort_keys(&why) ? why.keys.spatial : CS_NO_NUMBER;
	}
	cs_error_free(error);
	return row;
}

static struct cs_error *run_queue(struct call *call)
{
	enum { HORIZON = 600, FARTHEST = 1000000 };
	const struct argument *horizon = call_option(call, "horizon");
	struct cs_stream_forecast *forecast;
	size_t n;
	struct cs_error *error = NULL;
	if (horizon->given && horizon->count > FARTHEST)
		error = cs_error_new(CS_E_LIMIT,
			"--horizon must be at most %d frames, not %" PRIu64, FARTHEST,
			horizon->count);
	if (!error)
		error = cs_stream_queue(call->stream,
			horizon->given ? (uint32_t)horizon->count : HORIZON, &forecast, &n);
	if (error)
		return error;
	struct queue_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = make_queued(call->stream, &forecast[i], (uint32_t)i + 1);
	error = emit_plain_taken(call, &queue_table, rows, n);
	free(forecast);
	return error;
}

const struct command command_queue = {
	.name = "queue",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.options = {{0, "horizon", "FRAMES", ARGUMENT_WHOLE,
		"simulate at most FRAMES frames (default 600)"}},
	.summary = "list the cells that are wanted but not loaded, and when each will be loaded",
	.examples = "step\n"
		    "queue",
	.help = "The command simulates the next frames with streaming sources that stay where\n"
		"they are, then returns to the present frame. The columns `starts_in` and\n"
		"`done_in` are the numbers of frames until the load of a cell begins, and until\n"
		"the cell has the state that is wanted (loaded, or activated and visible). The\n"
		"list is empty while no cell waits.",
	.run = run_queue,
};

/* ---- command probe ---- */

struct probe_row {
	struct cs_stream_probe_row is;
	const char *cell, *partition;
	uint32_t rank;
};

PLAIN_GETTER(get_wanted, struct probe_row, cs_text(cs_layer_state_names[at->is.wanted]))

static const struct cs_column probe_columns[] = {
	SHORT(struct probe_row, rank, "place in the loading order, from 1"),
	SHORT(struct probe_row, cell, "the cell"),
	SHORT_VALUE("wanted", TEXT, get_wanted, "state that the cell would get"),
	SHORT_WORD("rule", struct probe_row, is.reason, REASON, "rule that decides the state"),
	PLAIN_RULE("number", struct probe_row, is.reason, REASON,
		"number of the rule: help rule NUMBER"),
	PLAIN_AS("source", struct probe_row, is.keys.source_priority,
		"sort key 1: priority of the source"),
	LEVEL(probe_row, is.keys.hierarchical_level, .flags = CS_COLUMN_SHORT),
	PLAIN_AS("priority", struct probe_row, is.keys.cell_priority,
		"sort key 3: priority of the cell"),
	SHORT_AS("spatial", struct probe_row, is.keys.spatial,
		"sort key 4: spatial value, from distance and angle"),
	SHORT_AS("actors", struct probe_row, is.actors, "number of actors in the cell"),
	SHORT_AS("bytes", struct probe_row, is.bytes, "bytes of the cell by the load model"),
	PLAIN(struct probe_row, partition, "world partition of the cell", .flags = CS_COLUMN_WORD),
};

static const struct cs_table probe_table = PLAIN_TABLE("probes", "probe", probe_columns);

static struct cs_error *emit_probe(
	struct call *call, const struct cs_stream *stream, const struct cs_stream_probe *probe)
{
	const struct cs_stream_probe_row *from = probe->rows;
	const size_t n = probe->n;
	struct probe_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct probe_row){from[i], stream_cell_name(stream, from[i].cell),
			cs_stream_world(stream, from[i].cell.world).name, (uint32_t)i + 1};
	struct cs_error *error = emit_plain_taken(call, &probe_table, rows, n);
	if (!error && !wants_rows(call))
		note(call->out, "%zu cell%s, %" PRIu64 " actor%s, %.1f MiB\n", n, n == 1 ? "" : "s",
			probe->actors, probe->actors == 1 ? "" : "s",
			(double)probe->bytes / (1 << 20));
	return error;
}

/* Returns a streaming source at the given position, a copy of the source --like if given. */
static struct cs_stream_source lone_source(const struct call *call, const struct cs_stream *stream)
{
	const struct argument *like = call_option(call, "like");
	struct cs_stream_source source = cs_stream_source_player("probe");
	if (like->given)
		source = *cs_stream_source_at(stream, like->row).source;
	source.location = call_argument(call, 0)->point;
	return source;
}

static struct cs_error *run_probe(struct call *call)
{
	struct cs_stream *stream = call->stream;
	struct cs_stream_probe probe;
	const struct cs_stream_source source = lone_source(call, stream);
	struct cs_error *error = cs_stream_probe(stream, &source, &probe);
	if (error)
		return error;
	error = emit_probe(call, stream, &probe);
	free(probe.rows);
	return error;
}

const struct command command_probe = {
	.name = "probe",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"POINT", ARGUMENT_POINT}},
	.options = {{0, "like", "SOURCE", ARGUMENT_SOURCE,
		"give the source at POINT the options and shapes of SOURCE"}},
	.summary = "list the cells that a streaming source at a point would load, in loading order",
	.examples = "probe 33280,15360,180\nprobe 0,0 --like Player0 -n 10",
	.help = "The command runs no frame and ignores the sources of the run. Without --like the\n"
		"source at POINT has the default options of `source add`. The column `rank` is\n"
		"the position of the cell in the loading order, `wanted` is the state that the\n"
		"cell would get, and `rule` is the rule that decides this state. `-c number`\n"
		"prints the number of the rule, for `help rule NUMBER`. The column `spatial` is a\n"
		"sort key that grows with the distance and the angle from the source: when levels\n"
		"and priorities are equal, the cell with the least `spatial` loads first.\n"
		"\n"
		"World partitions that are not registered (help partitions) are left out. A\n"
		"server that does not stream (help rule 2.7) loads its cells wherever sources\n"
		"are; there the command still lists those that the source would reach.",
	.run = run_probe,
};

struct completed_row {
	const char *cell, *cell_state;
	bool completed;
};

static const struct cs_column completed_columns[] = {
	PLAIN(struct completed_row, completed, "whether all cells have the state"),
	PLAIN(struct completed_row, cell, "first cell that does not have the state"),
	PLAIN_AS("state", struct completed_row, cell_state, "state of that first cell"),
};

static const struct cs_table completed_table =
	PLAIN_TABLE("completions", "completed", completed_columns);

static struct cs_error *run_completed(struct call *call)
{
	const struct argument *state = call_option(call, "state");
	struct completed_row row = {0};
	struct cs_stream_cell cell;
	struct cs_stream *stream = call->stream;
	const struct cs_stream_source source = lone_source(call, stream);
	struct cs_error *error = cs_stream_completed(stream, &source,
		state->given ? (enum cs_layer_state)state->choice : CS_LAYER_ACTIVATED,
		call_option(call, "exact")->given, &row.completed, &cell);
	if (error)
		return error;
	if (!row.completed) {
		const struct cs_stream_cell_view view = cs_stream_cell(stream, cell);
		row.cell = stream_cell_name(stream, cell);
		row.cell_state = cs_word(CS_WORDS_CELL_STATE, view.shown)->name;
	}
	if (wants_rows(call))
		return emit_plain_record(call, &completed_table, &row);
	if (row.completed)
		say(call->out, "completed: everything in range is there\n");
	else
		say(call->out, "not completed: %s is %s\n", short_cell_name(stream, row.cell),
			row.cell_state);
	return NULL;
}

const struct command command_completed = {
	.name = "completed",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD,
	.arguments = {{"POINT", ARGUMENT_POINT}},
	.options = {{0, "state", "STATE", ARGUMENT_CHOICE,
			    "state to check: unloaded, loaded, activated (default)",
			    cs_layer_state_names},
		{0, "exact", NULL, ARGUMENT_NONE,
			"do not accept a higher state (unloaded < loaded < activated)"},
		{0, "like", "SOURCE", ARGUMENT_SOURCE,
			"give the source at POINT the options and shapes of SOURCE"}},
	.summary = "show whether all cells that a source at a point would reach are activated",
	.examples = "completed 33280,15360,180\ncompleted 0,0 --state loaded --like Player0",
	.help = "The command prints `completed` or, with the name of a cell that does not have\n"
		"STATE, `not completed`. Unreal's IsStreamingCompleted gives the same answer;\n"
		"games call this function, for example, before a teleport to POINT.",
	.run = run_completed,
};
