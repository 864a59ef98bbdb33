/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands that move the run in time: `step`, `next`, `continue`, `until`, `run`,
 * `goto`, `reverse-step`, `previous`, `reverse-continue`, `checkpoint` and `restart`. All except
 * the last two print, when they halt: what changed, the frame, why it halted, the displays, and the
 * output of the stop's commands.
 */
#include "cmds/stream/cmd_run.h"
#include "cmds/nanite/cmd_nanite.h"
#include "cmds/picture/cmd_changes.h"
#include "cmds/picture/cmd_draw.h"
#include "src/session/plain.h"
#include "src/session/script/collect.h"
#include "src/session/session.h"

#include <inttypes.h>

/*
 * MOST_FRAMES: largest number of frames of a run that reaches no stop. PEACE: number of frames
 * without a change after which a run ends.
 */
enum { MOST_FRAMES = 1000000, PEACE = 600 };

/* ---- printing why the run halted ---- */

/* Returns whether the rule depends on the streaming source nearest to the cell. */
static bool is_of_a_source(enum cs_reason rule)
{
	return rule == CS_REASON_IN_RANGE || rule == CS_REASON_PERFORMANCE;
}

static void run_say_rule(
	struct output *out, const struct cs_stream *stream, const struct cs_stream_event *event)
{
	struct cs_stream_why why;
	struct cs_error *error =
		cs_stream_why(stream, (struct cs_stream_cell){event->world, event->cell}, &why);
	enum cs_reason rule = (enum cs_reason)event->reason;
	if (!error && rule == CS_REASON_NONE)
		rule = why.reason;
	if (!error && rule != CS_REASON_NONE)
		say(out, "  rule %s %s", cs_word(CS_WORDS_REASON, rule)->rule,
			cs_word(CS_WORDS_REASON, rule)->name);
	if (!error && why.nearest.hit && why.nearest.source && is_of_a_source(rule))
		say(out, " by %s", why.nearest.source);
	cs_error_free(error);
}

static void say_event(
	struct output *out, const struct cs_stream *stream, const struct cs_stream_event *event)
{
	const char *from, *to;
	cs_event_words(event, &from, &to);
	const struct cs_cooked *world =
		event->world == CS_NONE ? NULL : cs_stream_world(stream, event->world).cooked;
	if (world && event->cell != CS_NONE)
		say(out, "  cell %s",
			short_cell_name(stream, cs_cooked_cell_name(world, event->cell)));
	if (event->world != CS_NONE && event->world > 0)
		say(out, "  in %s", cs_stream_world(stream, event->world).name);
	if (world && event->event == CS_EVENT_LAYER)
		say(out, "  layer %s", cs_cooked_text(world, world->layers[event->detail].label));
	if (event->event == CS_EVENT_LATE)
		say(out, "  %u ms", event->detail);
	if (event->event == CS_EVENT_BUDGET)
		say(out, "  %u waiting", event->detail);
	if (from && to)
		say(out, "  %s -> %s", from, to);
	if (event->cell != CS_NONE)
		run_say_rule(out, stream, event);
}

static void say_stop(struct output *out, const struct cs_stream *stream, const struct cs_halt *halt)
{
	const char *what = halt->kind == CS_STOP_WATCH ? "watch" : "breakpoint";
	say(out, "stopped: %s %u", what, halt->stop);
	if (halt->kind == CS_STOP_BREAK)
		say(out, ", %s", cs_word(CS_WORDS_MOMENT, halt->moment)->name);
	if (halt->hits)
		say(out, " (hit %" PRIu64 ")", halt->hits);
	if (halt->kind == CS_STOP_WATCH)
		say(out, "  %s -> %s", halt->before, halt->after);
	else if (halt->moment != CS_MOMENT_FRAME)
		say_event(out, stream, &halt->event);
	if (halt->others)
		say(out, "  and %u more", halt->others);
	say(out, "\n");
}

static void say_halt(struct output *out, const struct cs_stream *stream, const struct cs_halt *halt,
	const struct cs_run_request *request)
{
	switch (halt->reason) {
	case CS_HALT_STOP:
		say_stop(out, stream, halt);
		break;
	case CS_HALT_UNTIL:
	case CS_HALT_CHANGE:
		say(out, "stopped: %s after %" PRIu64 " frame%s\n",
			halt->reason == CS_HALT_UNTIL ? "it is true" : "a change", halt->frames,
			halt->frames == 1 ? "" : "s");
		break;
	case CS_HALT_IDLE:
		say(out, "stopped: nothing has changed for %" PRIu64 " frame%s\n", request->idle,
			request->idle == 1 ? "" : "s");
		break;
	case CS_HALT_BEGIN:
		say(out, "stopped: the history begins here\n");
		break;
	case CS_HALT_DONE:
		if (request->frames == MOST_FRAMES)
			say(out, "stopped: %d frames have run\n", MOST_FRAMES);
		break;
	case CS_HALT_INTERRUPTED:
		break;
	}
}

/* ---- output after a halt: displays and commands of the stop ---- */

static void show_display(struct call *call, struct cs_debug *debug, const struct cs_stop *stop)
{
	struct cs_value value;
	struct cs_error *error = cs_debug_value(debug, stop->id, &value);
	say(call->out, "%u: %s", stop->id, stop->expression);
	if (error) {
		say(call->out, ": %s\n", error->message);
		cs_error_free(error);
		return;
	}
	say(call->out, " = ");
	say_value(call->out, &value);
	say(call->out, "\n");
}

/* Prints the displays (expressions shown at each halt). If a display has no value, prints why. */
static void show_displays(struct call *call, struct cs_debug *debug)
{
	if (wants_rows(call))
		return;
	const struct cs_stop *stop;
	for (size_t i = 0; (stop = cs_debug_stop_at(debug, i)) != NULL; i++) {
		if (stop->kind == CS_STOP_DISPLAY && stop->enabled)
			show_display(call, debug, stop);
	}
}

/* Runs the commands of a breakpoint. Sets *resume_ret to whether `continue` was among them. */
static struct cs_error *run_stop_commands(struct call *call, const char *lines, bool *resume_ret)
{
	struct session *session = call->session;
	*resume_ret = session->run.resume = false;
	session->run.at_stop = true;
	struct cs_error *error = run_lines(session, lines, 0, call->out->sink);
	session->run.at_stop = false;
	*resume_ret = session->run.resume;
	return error;
}

/* Makes the cell or page that stopped the run the current place, which commands call `.`. */
static struct cs_error *go_to_cell(struct session *session, const struct cs_halt *halt)
{
	const struct cs_stream_event *event = &halt->event;
	if (halt->reason != CS_HALT_STOP || halt->kind != CS_STOP_BREAK ||
		halt->moment == CS_MOMENT_FRAME)
		return NULL;
	if (event->event == CS_EVENT_COMPANION && event->detail != CS_NONE)
		return session_go(
			session, (struct place){.kind = PLACE_PAGE, .row = event->detail});
	if (event->world == CS_NONE || event->cell == CS_NONE ||
		event->world >= cs_query_partitions(session->query))
		return NULL;
	return session_go(session,
		(struct place){.kind = PLACE_CELL, .row = event->cell, .partition = event->world});
}

struct cs_error *tell_stop(struct call *call, struct cs_stream *stream, const struct cs_halt *halt)
{
	bool resume;
	if (!wants_rows(call))
		say_stop(call->out, stream, halt);
	struct cs_error *error = go_to_cell(call->session, halt);
	return error || !halt->commands ? error : run_stop_commands(call, halt->commands, &resume);
}

/* State of the run before the command, with which the state after the command is compared. */
struct departure {
	struct cs_states *states;
	uint64_t frame;
};

/* Prints what a run changed, and why it halted. Without `halt` the run went to a given frame. */
static struct cs_error *tell_halt(struct call *call, struct cs_stream *stream,
	struct cs_debug *debug, const struct departure *from, const struct cs_halt *halt,
	const struct cs_run_request *request)
{
	struct cs_error *error = report_changes(call, stream, from->states, NULL);
	if (!error && !wants_rows(call))
		say_pages(call->out, call->session, from->frame);
	if (!error && halt && !wants_rows(call))
		say_halt(call->out, stream, halt, request);
	if (!error && halt)
		error = go_to_cell(call->session, halt);
	if (!error)
		show_displays(call, debug);
	if (!error && !wants_rows(call))
		error = draw_overlays(call);
	if (!error && halt && halt->reason == CS_HALT_INTERRUPTED)
		error = cs_error_new(CS_E_INTERRUPTED,
			"the run was interrupted at frame %" PRIu64 ", after %" PRIu64 " %s",
			cs_stream_status(stream).frame, halt->frames,
			halt->frames == 1 ? "frame" : "frames");
	return error;
}

/* ---- running frames ---- */

static struct cs_error *run_once(
	struct call *call, const struct cs_run_request *request, struct cs_halt *halt)
{
	struct cs_stream *stream;
	struct cs_debug *debug;
	struct departure from;
	struct cs_error *error = session_debug(call->session, &debug);
	if (!error)
		error = session_stream(call->session, &stream);
	if (!error)
		error = cs_states_take(stream, &from.states);
	if (error)
		return error;
	from.frame = cs_stream_status(stream).frame;
	error = cs_debug_run(debug, request, &call->session->job, halt);
	if (!error)
		error = tell_halt(call, stream, debug, &from, halt, request);
	free(from.states);
	return error;
}

/*
 * After a command that ran frames failed, writes the line "VERB NUMBER" to the recorded script, so
 * that a replay runs the frames that ran before the error. Returns `error`, or the error of writing
 * the line.
 */
static struct cs_error *record_part(
	struct call *call, const char *verb, uint64_t number, struct cs_error *error)
{
	char line[48];
	/* the script contains the whole block, which stops at the same error when it is replayed */
	if (call->session->block.running > 0 && error->code != CS_E_INTERRUPTED)
		return error;
	snprintf(line, sizeof(line), "%s %" PRIu64, verb, number);
	return cs_error_first(session_record(call->session, line), error);
}

/*
 * Runs to the next stop; continues if the commands of the stop contain `continue`. *stop_ret:
 * whether the returned error is that of a command of a stop.
 */
static struct cs_error *run_on(struct call *call, struct cs_run_request request, bool *stop_ret)
{
	struct cs_error *error = NULL;
	bool resume = true;
	while (!error && resume) {
		struct cs_halt halt;
		resume = false;
		error = run_once(call, &request, &halt);
		if (!error && halt.commands) {
			error = run_stop_commands(call, halt.commands, &resume);
			*stop_ret = error != NULL;
			request.frames -= halt.frames;
			resume = resume && request.frames > 0;
		}
	}
	return error;
}

/*
 * Runs frames. After an error it records a line that replays the frames that ran. After an
 * interruption the line is `verb` N: N frames meet the same stops again. If a command of a stop
 * failed, it is the line as typed, because earlier commands of stops may have changed the run.
 * Otherwise a condition failed and would fail again, so the line is `goto` FRAME.
 */
static struct cs_error *drive(struct call *call, const char *verb, struct cs_run_request request)
{
	struct cs_stream *stream;
	struct cs_error *error = session_stream(call->session, &stream);
	if (!error && call->session->run.at_stop)
		error = cs_error_new(CS_E_USAGE,
			"commands of a breakpoint or watch cannot move the run: only `continue` is "
			"allowed there, as the last line");
	if (error)
		return error;
	uint64_t start = cs_stream_status(stream).frame;
	bool is_of_stop = false;
	error = run_on(call, request, &is_of_stop);
	uint64_t now = cs_stream_status(stream).frame;
	if (!error || now <= start)
		return error;
	if (is_of_stop && error->code != CS_E_INTERRUPTED)
		return record_failed_call(call, error);
	return error->code == CS_E_INTERRUPTED ? record_part(call, verb, now - start, error)
					       : record_part(call, "goto", now, error);
}

static struct cs_error *run_steps(struct call *call)
{
	return drive(call, "step",
		(struct cs_run_request){.frames = argument_count(call_argument(call, 0), 1)});
}

#define MOVES (COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES | COMMAND_LISTS)

const struct command command_step = {
	.name = "step",
	.alias = "s",
	.group = GROUP_SIMULATE,
	.flags = MOVES | COMMAND_REPEATS,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "run frames and print what changed",
	.examples = "step\nstep 60",
	.help = "FRAMES is the number of frames (default 1). The command prints the frame with\n"
		"the streaming sources, a line for each cell that changed (at most 14; --json\n"
		"prints all), and the numbers of cells by state. The number after `hash` is the\n"
		"first half of the value of the SQL function state_hash(). Equal states of a run\n"
		"have equal hashes, whichever commands led to them. A breakpoint or a watch ends\n"
		"the command early.",
	.run = run_steps,
	.rows = &change_table,
};

static const char *const kinds_of_news[] = {"change", "event", NULL};

static bool asks_for_events(const struct call *call)
{
	const struct argument *kind = call_argument(call, 0);
	return kind->given && kind->choice == 1;
}

static struct cs_error *run_next(struct call *call)
{
	bool events = asks_for_events(call);
	const struct argument *idle = call_option(call, "idle");
	return drive(call, "step",
		(struct cs_run_request){.frames = MOST_FRAMES,
			.to_change = !events,
			.to_turn = events,
			.idle = idle->given && idle->count ? idle->count : PEACE});
}

const struct command command_next = {
	.name = "next",
	.alias = "n",
	.group = GROUP_SIMULATE,
	.flags = MOVES | COMMAND_REPEATS,
	.arguments = {{"change|event", ARGUMENT_CHOICE, .optional = true,
		.choices = kinds_of_news}},
	.options = {{0, "idle", "FRAMES", ARGUMENT_WHOLE,
		"give up after FRAMES frames in which nothing changes and no source "
		"moves (default 600)"}},
	.summary = "run until a cell, layer or HLOD actor changes, and print the changes",
	.examples = "next\nnext event\nnext --idle 60",
	.help = "`next`, like `next change`, ends after the first frame in which something\n"
		"changes. `next event` runs on until a rarer event happens: cell.fail,\n"
		"layer.change, hlod.hole, performance.change, block.begin, world.change,\n"
		"pool.full or quality.drop (`info events` explains them). Both forms also give up\n"
		"after a million frames.",
	.run = run_next,
	.rows = &change_table,
};

/* ---- command continue: running to a stop ---- */

/*
 * Runs until a breakpoint or watch stops the run, but at most the number of frames in the
 * argument. Without an argument the run also ends when nothing has changed for PEACE frames.
 */
static struct cs_error *drive_to_stop(struct call *call, const char *verb)
{
	return drive(call, verb,
		(struct cs_run_request){
			.frames = argument_count(call_argument(call, 0), MOST_FRAMES),
			.idle = call_argument(call, 0)->given ? 0 : PEACE});
}

static struct cs_error *run_continue(struct call *call)
{
	if (!call->session->run.at_stop)
		return drive_to_stop(call, "step");
	call->session->run.resume = true;
	return NULL;
}

const struct command command_continue = {
	.name = "continue",
	.alias = "c",
	.group = GROUP_SIMULATE,
	.flags = MOVES | COMMAND_REPEATS,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "run until a breakpoint or a watch halts the run",
	.examples = "break cell.fail\ncontinue\ncontinue 3600",
	.help = "FRAMES is the greatest number of frames to run. Without FRAMES the command ends\n"
		"when nothing has changed and no source has moved for 600 frames, or after a\n"
		"million frames. The command prints what `step` prints (help step). When an event\n"
		"of a cell halts the run, that cell becomes the current place, so `why .`\n"
		"explains its state. As the last line of `commands`, `continue` resumes the\n"
		"halted command.",
	.run = run_continue,
	.rows = &change_table,
};

static struct cs_error *run_until(struct call *call)
{
	return drive(call, "step",
		(struct cs_run_request){.frames = MOST_FRAMES,
			.until = call_argument(call, 0)->text,
			.variables = session_variables(call->session)});
}

const struct command command_until = {
	.name = "until",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_CHANGES,
	.arguments = {{"EXPRESSION", ARGUMENT_EXPRESSION}},
	.summary = "run frames until an expression is true",
	.examples = "until cell('L0:0,0','state') = 'activated'\n"
		    "until NOT EXISTS (SELECT 1 FROM cells WHERE state = 'loading')",
	.help = "EXPRESSION is SQL (help expressions), evaluated after each frame. The command\n"
		"also ends at a breakpoint or a watch and, without an error, after a million\n"
		"frames; a line `assert EXPRESSION` below `until` fails in these cases.",
	.run = run_until,
};

static struct cs_error *run_run(struct call *call)
{
	struct cs_error *error = NULL;
	if (!call->session->run.at_stop)
		error = cs_stream_goto(call->stream, 0);
	return error ? error : drive_to_stop(call, "run");
}

const struct command command_run = {
	.name = "run",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | MOVES,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "run again from frame 0, with the same commands at the same frames",
	.examples = "run\nrun 600",
	.help = "The commands that changed the run, such as `source add`, are repeated at their\n"
		"frames. FRAMES is the greatest number of frames to run; without FRAMES the\n"
		"command ends as `continue` does (help continue). The command prints what `step`\n"
		"prints (help step).",
	.run = run_run,
	.rows = &change_table,
};

/* ---- commands goto and reverse-step: moving to a frame ---- */

static struct cs_error *refuse_at_stop(const struct session *session)
{
	return session->run.at_stop
		       ? cs_error_new(CS_E_USAGE,
				 "commands of a breakpoint or watch may not move the run: to run on "
				 "after the stop, write `continue` as their last line")
		       : NULL;
}

/* Moves the run to a frame, back or forward, without halting at stops, and prints what changed. */
static struct cs_error *move_to_frame(struct call *call, struct cs_stream *stream, uint64_t frame)
{
	struct departure from = {.frame = cs_stream_status(stream).frame};
	struct cs_debug *debug;
	struct cs_error *error = session_debug(call->session, &debug);
	if (!error)
		error = refuse_at_stop(call->session);
	if (!error)
		error = cs_states_take(stream, &from.states);
	if (error)
		return error;
	error = cs_stream_run(stream, frame, &call->session->job);
	if (!error)
		error = tell_halt(call, stream, debug, &from, NULL, NULL);
	free(from.states);
	uint64_t now = cs_stream_status(stream).frame;
	return error && now != from.frame ? record_part(call, "goto", now, error) : error;
}

static struct cs_error *run_goto(struct call *call)
{
	return move_to_frame(call, call->stream, call_argument(call, 0)->count);
}

const struct command command_goto = {
	.name = "goto",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | MOVES,
	.arguments = {{"FRAME", ARGUMENT_WHOLE}},
	.summary = "go to a frame of the run, back or forward",
	.examples = "goto 42\ngoto 0",
	.help = "FRAME is the number of a frame, from 0. The command prints what changed, as\n"
		"`step` does. Breakpoints and watches do not halt the command.\n"
		"\n"
		"Going back restores an earlier state and repeats the recorded inputs: the\n"
		"commands that changed the run. So the run has the state and the hash that it had\n"
		"at FRAME before. A command that then changes the run discards the recorded\n"
		"inputs of later frames.",
	.run = run_goto,
	.rows = &change_table,
};

static struct cs_error *run_reverse_step(struct call *call)
{
	uint64_t now = cs_stream_status(call->stream).frame,
		 n = argument_count(call_argument(call, 0), 1);
	if (n > now)
		return cs_error_new(CS_E_NOFRAME,
			"cannot go back %" PRIu64 " frame%s: the run is at frame %" PRIu64, n,
			n == 1 ? "" : "s", now);
	return move_to_frame(call, call->stream, now - n);
}

const struct command command_reverse_step = {
	.name = "reverse-step",
	.alias = "rs",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | MOVES | COMMAND_REPEATS,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "go back some frames in the run",
	.examples = "reverse-step\nrs 10",
	.help = "FRAMES is the number of frames (default 1). The command prints what `step`\n"
		"prints; the rows show how the cells changed on the way back.",
	.run = run_reverse_step,
	.rows = &change_table,
};

static struct cs_error *run_previous(struct call *call)
{
	bool events = asks_for_events(call);
	uint64_t frame = cs_debug_frame_before(call->stream, events);
	if (frame == 0)
		return cs_error_new(CS_E_MISSING,
			"the log of events has no %s before the current frame; `events` lists the "
			"stored events",
			events ? "event" : "change");
	return move_to_frame(call, call->stream, frame);
}

const struct command command_previous = {
	.name = "previous",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | MOVES | COMMAND_REPEATS,
	.arguments = {{"change|event", ARGUMENT_CHOICE, .optional = true,
		.choices = kinds_of_news}},
	.summary = "go back to the last earlier frame in which something changed",
	.examples = "previous",
	.help = "With `change` (default) the command goes back to the last frame at which `next`\n"
		"would have stopped. With `event` it goes back to the last frame at which `next\n"
		"event` would have stopped. The command fails when no such frame is in the list\n"
		"of `events`. The command prints what `step` prints; the rows show how the cells\n"
		"changed on the way back.",
	.run = run_previous,
	.rows = &change_table,
};

static struct cs_error *run_reverse_continue(struct call *call)
{
	return drive(call, "step",
		(struct cs_run_request){
			.frames = argument_count(call_argument(call, 0), UINT64_MAX),
			.back = true});
}

const struct command command_reverse_continue = {
	.name = "reverse-continue",
	.alias = "rc",
	.group = GROUP_SIMULATE,
	.flags = MOVES | COMMAND_REPEATS,
	.arguments = {{"FRAMES", ARGUMENT_WHOLE, .optional = true}},
	.summary = "go back to the last frame at which a breakpoint or a watch would have halted",
	.examples = "break cell.fail\nreverse-continue",
	.help = "FRAMES is the greatest number of frames to go back. If nothing would have halted\n"
		"the run, the command goes back by FRAMES frames or, without FRAMES, to frame 0.\n"
		"It prints what `step` prints; the rows show how the cells changed on the way\n"
		"back. Hit counts do not change, and `ignore` has no effect.",
	.run = run_reverse_continue,
	.rows = &change_table,
};

/* ---- commands checkpoint and restart ---- */

static struct cs_error *run_checkpoint(struct call *call)
{
	uint32_t id;
	struct cs_error *error = cs_stream_checkpoint(call->stream, &id);
	if (!error)
		say(call->out, "checkpoint %u at frame %" PRIu64 "\n", id,
			cs_stream_status(call->stream).frame);
	return error;
}

const struct command command_checkpoint = {
	.name = "checkpoint",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_CHANGES,
	.summary = "store the present state of the run, to which `restart` can return",
	.examples = "checkpoint\ninfo checkpoints\nrestart 1",
	.help = "The command prints the number of the checkpoint, which `restart` takes, and the\n"
		"present frame. A run has at most 1000 checkpoints.",
	.run = run_checkpoint,
};

struct checkpoint_row {
	uint32_t id;
	int64_t frame;
};

static const struct cs_column checkpoint_columns[] = {
	SHORT(struct checkpoint_row, id, "number of the checkpoint"),
	SHORT(struct checkpoint_row, frame, "frame in which the checkpoint was made"),
};

static const struct cs_table checkpoint_table =
	PLAIN_TABLE("checkpoints", "checkpoint", checkpoint_columns);

static struct cs_error *run_info_checkpoints(struct call *call)
{
	CS_VEC(struct checkpoint_row) rows = {0};
	uint32_t id;
	uint64_t frame;
	bool good = true;
	for (size_t i = 0; good && cs_stream_checkpoint_at(call->stream, i, &id, &frame); i++)
		good = cs_vec_push(&rows, (struct checkpoint_row){id, (int64_t)frame});
	return emit_plain_vec(call, &checkpoint_table, rows, good ? NULL : cs_error_nomem());
}

const struct command command_info_checkpoints = {
	.name = "info checkpoints",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the stored checkpoints",
	.examples = "checkpoint\ninfo checkpoints",
	.help = "`checkpoint` stores a checkpoint. The column `id` is the number of the\n"
		"checkpoint, which `restart` takes.",
	.run = run_info_checkpoints,
};

static struct cs_error *run_restart(struct call *call)
{
	struct cs_stream *stream = call->stream;
	struct cs_states *before;
	struct cs_error *error = refuse_at_stop(call->session);
	if (!error)
		error = cs_states_take(stream, &before);
	if (error)
		return error;
	error = cs_stream_restart(stream, argument_u32(call_argument(call, 0)));
	if (!error)
		error = report_changes(call, stream, before, NULL);
	free(before);
	return error;
}

const struct command command_restart = {
	.name = "restart",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | MOVES,
	.arguments = {{"CHECKPOINT", ARGUMENT_WHOLE}},
	.summary = "go back to a checkpoint",
	.examples = "checkpoint\nstep 100\nrestart 1",
	.help = "CHECKPOINT is the number of a checkpoint (`info checkpoints` lists them). The\n"
		"commands that changed the run after the checkpoint are undone. Later checkpoints\n"
		"stay, so `restart` can go forward to one of them, but then `reverse-step` cannot\n"
		"go back to frames before that checkpoint. The command prints what `step` prints.",
	.run = run_restart,
	.rows = &change_table,
};
