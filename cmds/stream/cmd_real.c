/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded runs of a game: run open, run follow, run close, run compare, run fit. */
#include "cmds/stream/cmd_run.h"
#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/session/signals.h"

#include <inttypes.h>
#include <string.h>

static struct cs_error *run_real_open(struct call *call)
{
	struct cs_error *error = NULL;
	if (call->session->run.follow)
		return cs_error_new(CS_E_USAGE,
			"a run is followed, and rows of a file lie together: `run close` first");
	for (size_t i = 0; !error && i < call->n_arguments; i++)
		error = cs_real_read(
			call->session->real, call_argument(call, i)->text, &call->session->job);
	return error ? error : call_list(call, "run_files");
}

const struct command command_run_open = {
	.name = "run open",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE, .many = true}},
	.summary = "read what a real run of the game wrote, as tables",
	.examples = "run open game.log profile.csv.gz\nrun open before.memreport",
	.help = "A file is known by its content: a CSV profile (packed or not), a log, a\n"
		"memreport, a .tsv of level streaming, a .utrace, or lines of JSON that the game\n"
		"writes itself ({\"schema\": \"cellscope.run/1\"}, examples/run_log.h). Its rows join\n"
		"those of the files before in run_frames, run_cells, run_levels, run_sources,\n"
		"run_events and run_objects (memory by class), each with its file and line: `sql\n"
		"SELECT * FROM run_cells`. What a file does not contain is null there and named\n"
		"under `missing`; of one that was cut the whole lines are read. Cells have the\n"
		"names of a cook: without the folder, UEDPIE_N_ and _LevelInstance_N. Seconds\n"
		"count from the zero of each file (`info table run_files`).\n"
		"\n"
		"Known from files of the engine: CSV profiles of 5.5, memreports of 4.27 to 5.6,\n"
		"the forms of log lines. Known from documentation alone: the .tsv, whose columns\n"
		"are found by their names, and the .utrace. Command lines and names of users are\n"
		"not read.",
	.run = run_real_open,
};

/* ---- while it is written ---- */

static void real_stop_following(struct session *session)
{
	cs_follow_close(session->run.follow);
	session->run.follow = NULL;
	session->run.follows = false;
}

static struct cs_error *real_follow_what(struct call *call)
{
	struct session *session = call->session;
	const char *what = call_argument(call, 0)->text;
	const struct script_place *place = session->channels.place;
	const struct argument *keep = call_option(call, "keep");
	struct cs_follow *follow;
	if (strcmp(what, "-") == 0 && (!place || strcmp(place->file, "stdin") == 0))
		return cs_error_new(
			CS_E_USAGE, "lines come from standard input: it cannot be followed");
	if (session->mode.safe && strchr(what, ':'))
		return cs_error_new(CS_E_UNSAFE, "a port is refused: the session runs with --safe");
	struct cs_error *error =
		cs_follow_open(session->real, what, keep->given ? keep->count : 0, &follow);
	if (error)
		return error;
	real_stop_following(session);
	session->run.follow = follow;
	return NULL;
}

static struct cs_error *real_follow_on(struct call *call, struct cs_follow_news *news)
{
	struct session *session = call->session;
	const struct argument *seconds = call_option(call, "for");
	struct cs_follow_request request = {
		.seconds = seconds->given ? seconds->number : -1, .is_spell = session->run.is_tick};
	struct cs_error *error = NULL;
	if (session->world)
		error = session_stream(session, &request.stream);
	if (!error && session->world)
		error = session_debug(session, &request.debug);
	if (!error)
		error = cs_follow_run(session->run.follow, &request, &session->job, news);
	if (error)
		real_stop_following(session);
	return error;
}

/* Prints how much was read, except for a tick of the screen, which shows it anyway. */
static struct cs_error *real_follow_tell(struct call *call, const struct cs_follow_news *news)
{
	struct session *session = call->session;
	struct cs_error *error = NULL;
	if (news->end == CS_FOLLOW_INTERRUPTED && session->bounds.timed_out)
		/* name_cause adds the reason */
		return cs_error_new(CS_E_INTERRUPTED, "interrupted");
	if (news->end == CS_FOLLOW_OVER)
		real_stop_following(session);
	if (news->end == CS_FOLLOW_INTERRUPTED)
		signals_clear_interruption();
	if (news->end == CS_FOLLOW_STOP) {
		session->run.follows = false;
		error = tell_stop(call, session->run.stream, &news->halt);
	}
	return error || session->run.is_tick ? error : call_list(call, "run_files");
}

/* A replay does not wait: it reads what is there, at most as far as the recorded line did. */
static struct cs_error *real_follow_record(struct call *call)
{
	const struct argument *what = call_argument(call, 0), *keep = call_option(call, "keep");
	char *word = quote_word(what->given ? what->text : ""), rows[48] = "";
	if (keep->given)
		snprintf(rows, sizeof(rows), " --keep %" PRIu64, keep->count);
	const int n = word ? asprintf(&call->session->run.in_record, "run follow %s%s--for 0%s",
				     what->given ? word : "", what->given ? " " : "", rows)
			   : -1;
	if (n < 0)
		call->session->run.in_record = NULL;
	free(word);
	return n < 0 ? cs_error_nomem() : NULL;
}

static struct cs_error *run_real_follow(struct call *call)
{
	struct session *session = call->session;
	struct cs_follow_news news;
	struct cs_error *error = NULL;
	if (call_option(call, "for")->given && !(call_option(call, "for")->number >= 0))
		error = cs_error_new(CS_E_USAGE, "--for is a number of seconds from 0 on");
	else if (call_argument(call, 0)->given)
		error = real_follow_what(call);
	else if (!session->run.follow)
		error = cs_error_new(CS_E_USAGE, "nothing is followed: name a file or a port");
	if (!error && !call_option(call, "for")->given && !session->run.is_tick)
		error = real_follow_record(call);
	if (error)
		return error;
	if (session->display.has_terminal && !call_option(call, "for")->given) {
		session->run.follows = true; /* the screen then reads a part at each tick */
		return NULL;
	}
	error = real_follow_on(call, &news);
	return error ? error : real_follow_tell(call, &news);
}

const struct command command_run_follow = {
	.name = "run follow",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"FILE|-|:PORT", ARGUMENT_FILE, .optional = true}},
	.options = {{
			    0,
			    "for",
			    "SECONDS",
			    ARGUMENT_NUMBER,
			    "end after that long; 0 reads what is there",
		    },
		{0, "keep", "ROWS", ARGUMENT_WHOLE,
			"how many rows about stay of each table; 1000000", NULL}},
	.summary = "read what a real run writes while it is written",
	.examples = "run follow game.log\nrun follow :1981 --for 60\n"
		    "break cell.late > 500\nrun follow game.log --for 600",
	.help = "The tables are those of `run open`, with the rows that are there so far; `-` is\n"
		"standard input, ADDRESS:PORT is where the engine sends a trace\n"
		"(-tracehost, port 1981), at localhost unless an address in numbers is in front.\n"
		"A file that is renamed, cut or written anew is followed into the next one, a\n"
		"connection that ends into the next: each has its row in run_files. On the screen\n"
		"it goes on beside the keys; Space pauses it. Without FILE it goes on after a\n"
		"stop.\n"
		"\n"
		"With a world open, frames that have places are frames of this run: Player0 walks\n"
		"with the game, for as long as its frames take, so map and timeline go along. A\n"
		"cell that becomes visible is the event cell.late, with `late`, the ms since it\n"
		"was asked for. A stop halts what is seen; the game goes on, and what it writes\n"
		"is read later. An error of what is written ends it, and the rows before stay; of\n"
		"a connection it ends that one alone, and `note` of its row says why.\n"
		"Without --for it ends with the end of `-`, at a stop, or by ^C; a record has\n"
		"`--for 0` in its place, which reads what is there. A last line without its end\n"
		"waits for it; until then its bytes are `unread`, as those of a cut line are.",
	.run = run_real_follow,
};

/* ---- beside a simulation ---- */

/* Returns the offset of --offset; NULL: use the clocks of the files. */
static const double *real_offset(const struct call *call)
{
	const struct argument *offset = call_option(call, "offset");
	return offset->given ? &offset->number : NULL;
}

#define OFFSET                                                                                     \
	{                                                                                          \
		0, "offset", "SECONDS", ARGUMENT_NUMBER,                                           \
			"added to the seconds of files without frames, else what clocks say", NULL \
	}

static struct cs_error *run_real_compare(struct call *call)
{
	struct cs_real_sums sums;
	struct cs_error *error = cs_real_compare(
		call->session->real, call->stream, real_offset(call), &call->session->job, &sums);
	if (error)
		return error;
	if (sums.unknown_cells && !wants_rows(call))
		say(call->out, "%" PRIu64 " changes of levels that are no cells of this world\n",
			sums.unknown_cells);
	return call_list(call, "run_pairs");
}

const struct command command_run_compare = {
	.name = "run compare",
	.group = GROUP_DIFF,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.options = {OFFSET},
	.summary = "compare each cell of a real run with its simulation, the worst first",
	.examples = "run open game.log profile.csv\nrun compare -n 10\n"
		    "assert (SELECT count(*) FROM run_pairs WHERE late > 500 OR never) = 0",
	.help = "The frames of the files, with their places and lengths, go through a simulation\n"
		"of its own with the variables of this run. The n-th visit of a cell is held\n"
		"against its n-th simulated one: `late` is how much later it was visible, in ms,\n"
		"and splits into the time until it was asked for, loading, waiting to be shown\n"
		"and being shown, each as far as it took longer than simulated. The largest is\n"
		"the cause. What was simulated and never came is first. The rows stay in\n"
		"run_pairs: an `assert` over them is a budget of a CI, and so are never_cells and\n"
		"late_ms of `worse --real`. On the screen `view map late` marks the cells with\n"
		"their causes, `view map real` what the real ones are at last, and the timeline\n"
		"has a strip of visible cells for each of the two runs (run_strips).\n"
		"\n"
		"It needs frames with places (a CSV profile, cellscope.run) and states of cells\n"
		"(a log with LogLevelStreaming at Verbose, cellscope.run, a trace). We assume\n"
		"that the view is the one source, that the log changes lines within the frame,\n"
		"and, where clocks alone join the files, that a profile begins at the full second\n"
		"that it names: --offset says better. Cells of level instances are not compared.",
	.run = run_real_compare,
};

/* Names the parameters that the run determines no better than to a tenth. */
static struct cs_error *real_fit_tell(struct call *call)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(call->session->query,
		"SELECT format('%s: anything from %.4g to %.4g meets the run as well', variable, low,"
		" high) FROM run_fits WHERE fits AND high - low > .1 * after",
		(struct cs_parameters){0}, &result);
	for (size_t i = 0; !error && i < cs_result_rows(result); i++)
		say(call->out, "%s\n", cs_result_value(result, i, 0).text);
	if (!error)
		cs_result_free(result);
	return error;
}

static struct cs_error *run_real_fit(struct call *call)
{
	struct cs_error *error = cs_real_fit(
		call->session->real, call->stream, real_offset(call), &call->session->job);
	if (!error && !call_option(call, "dry-run")->given)
		error = cs_real_fit_apply(call->session->real, call->stream);
	if (!error)
		error = call_list(call, "run_fits");
	return error || wants_rows(call) ? error : real_fit_tell(call);
}

const struct command command_run_fit = {
	.name = "run fit",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.options = {{0, "dry-run", NULL, ARGUMENT_NONE, "set nothing"}, OFFSET},
	.summary = "set the load model to how long cells of a real run loaded and showed",
	.examples = "run open game.log profile.csv\nrun fit --dry-run\nrun fit",
	.help = "Finds sim.Latency, sim.Bandwidth, sim.ShowPerActor and sim.HidePerActor with\n"
		"which a simulation of the same walk meets the durations of loading, showing and\n"
		"hiding best. Visits of every other cell are held out; `goodness` is how well\n"
		"these are met. A number whose durations are not met (`fits` is no) is not set:\n"
		"the model does not hold for this run. What happens within a frame is seen at its\n"
		"end: every number from `low` to `high` meets the run as well, and the middle is\n"
		"set. Frames of one length tell a cost to a frame and no finer. Uneven ones tell\n"
		"more (90 ms of latency, planted into frames of 12 to 24 ms, were found as 89.8),\n"
		"but for what is shorter than all of them. `sim fit` does the same by what a CSV\n"
		"profile sums up for frames.",
	.run = run_real_fit,
};

static struct cs_error *run_real_close(struct call *call)
{
	real_stop_following(call->session);
	cs_real_clear(call->session->real);
	return NULL;
}

const struct command command_run_close = {
	.name = "run close",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_CHANGES,
	.summary = "forget the files of real runs",
	.examples = "run close",
	.run = run_real_close,
};
