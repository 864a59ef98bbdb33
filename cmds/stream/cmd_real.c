/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `run open`, `run follow`, `run close`, `run compare` and `run fit`, which
 * read what a real run of a game wrote, and compare it with the simulation.
 */
#include "cmds/stream/cmd_run.h"
#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/session/signals.h"

#include <inttypes.h>
#include <string.h>

/* Selects, for each file that was read, what is missing in it or was left out; or null. */
static struct cs_error *select_notes(const struct call *call, struct cs_result **ret)
{
	return cs_query_select(call->session->query, "SELECT file || ': ' || note FROM run_files",
		(struct cs_parameters){0}, ret);
}

static struct cs_error *count_files(const struct call *call, size_t *ret)
{
	struct cs_result *notes;
	struct cs_error *error = select_notes(call, &notes);
	if (error)
		return error;
	*ret = cs_result_rows(notes);
	cs_result_free(notes);
	return NULL;
}

/* Prints the notes of the files after the first `before`: the list has no room for them. */
static struct cs_error *real_tell_notes(struct call *call, size_t before)
{
	struct cs_result *notes;
	struct cs_error *error = select_notes(call, &notes);
	if (error)
		return error;
	for (size_t i = before; i < cs_result_rows(notes); i++) {
		const struct cs_value note = cs_result_value(notes, i, 0);
		if (note.kind == CS_KIND_TEXT)
			say(call->out, "%s\n", note.text);
	}
	cs_result_free(notes);
	return NULL;
}

static struct cs_error *run_real_open(struct call *call)
{
	size_t before = 0;
	if (call->session->run.follow)
		return cs_error_new(CS_E_USAGE,
			"a run is being followed: `run close` ends it before files can be opened");
	struct cs_error *error = count_files(call, &before);
	for (size_t i = 0; !error && i < call->n_arguments; i++)
		error = cs_real_read(
			call->session->real, call_argument(call, i)->text, &call->session->job);
	if (!error)
		error = call_list(call, "run_files");
	return error || wants_rows(call) ? error : real_tell_notes(call, before);
}

const struct command command_run_open = {
	.name = "run open",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_LISTS | COMMAND_CHANGES,
	.arguments = {{"FILE", ARGUMENT_FILE, .many = true}},
	.summary = "read files that a real run of the game wrote, and make tables of them",
	.examples = "run open game.log profile.csv.gz\nrun open before.memreport",
	.help = "FILE is what a game wrote; the kind of a file is recognised by its content: a\n"
		"CSV profile (.csv or .csv.gz), a log, a memreport, a .tsv of level streaming, a\n"
		".utrace, or JSON lines that the game itself writes ({\"schema\":\n"
		"\"cellscope.run/1\"}, examples/run_log.h).\n\n"
		"One row for each file is printed, of the table run_files; -n, -s, -w and -c\n"
		"concern this list alone. The rows of each file are added to run_frames,\n"
		"run_cells, run_levels, run_sources, run_events and run_objects (memory by\n"
		"class), each row with its file and line. `sql SELECT * FROM run_cells` prints\n"
		"such a table. Values that a file does not have are null; the column `missing` of\n"
		"run_files names them. In a truncated file only the complete lines are read; what\n"
		"was left out is said below the list. Names of cells are shortened to those of a\n"
		"cook: the folder, UEDPIE_N_ and _LevelInstance_N are left out. Seconds count\n"
		"from the beginning of each file.\n"
		"\n"
		"The readers of CSV profiles (5.5), memreports (4.27 to 5.6) and log lines were\n"
		"tested with files of Unreal. The readers of .tsv and .utrace were written from\n"
		"documentation and were not tested with files of Unreal. Command lines and user\n"
		"names are not read.",
	.run = run_real_open,
};

/* ---- reading files while the game writes them ---- */

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
		return cs_error_new(CS_E_USAGE,
			"commands are read from standard input, so '-' cannot be followed");
	if (session->mode.safe && strchr(what, ':'))
		return cs_error_new(CS_E_UNSAFE,
			"listening on a port is not allowed, because the session runs with --safe");
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

/* Prints how much was read and why reading ended, except in a tick of the full screen. */
static struct cs_error *real_follow_tell(struct call *call, const struct cs_follow_news *news)
{
	struct session *session = call->session;
	struct cs_error *error = NULL;
	if (news->end == CS_FOLLOW_INTERRUPTED && session->bounds.timed_out)
		/* name_cause(), which the caller calls, adds that the time is over */
		return cs_error_new(CS_E_INTERRUPTED, "`run follow` was interrupted");
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

/* Records `run follow` with --for 0, so that a replay reads files without waiting for more. */
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
		error = cs_error_new(CS_E_USAGE,
			"--for must be a number of seconds, 0 or more, not %g",
			call_option(call, "for")->number);
	else if (call_argument(call, 0)->given)
		error = real_follow_what(call);
	else if (!session->run.follow)
		error = cs_error_new(CS_E_USAGE,
			"no file or port is being followed: write run follow FILE or run follow "
			":PORT");
	if (!error && !call_option(call, "for")->given && !session->run.is_tick)
		error = real_follow_record(call);
	if (error)
		return error;
	if (session->display.has_terminal && !call_option(call, "for")->given) {
		/* from here on, each tick of the full screen reads more */
		session->run.follows = true;
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
			    "stop reading after SECONDS (default: no limit); 0: read what is there "
			    "and stop",
		    },
		{0, "keep", "ROWS", ARGUMENT_WHOLE,
			"drop the oldest rows of a table beyond about ROWS (default 1000000)",
			NULL}},
	.summary = "read the files or the trace of a real run while they are written",
	.examples = "run follow game.log\nrun follow :1981 --for 60\n"
		    "break cell.late > 500\nrun follow game.log --for 600",
	.help = "The argument is FILE, a growing file, `-` for standard input, or ADDRESS:PORT,\n"
		"to which Unreal sends a trace (-tracehost, port 1981); :PORT means localhost,\n"
		"and ADDRESS must be numeric. Rows that were read are in the tables of `run\n"
		"open`. When a file is renamed, cut or written anew, or a connection ends, the\n"
		"next one is followed; each has a row in run_files, which is printed at the end\n"
		"(-n, -s, -w and -c concern this list alone). Without an argument the\n"
		"command continues the reading that a breakpoint or a watch halted.\n\n"
		"When a world is open, frames with positions become frames of the simulated run:\n"
		"the source Player0 moves with the game, at the game's frame times, and the map\n"
		"and the timeline follow. A cell that becomes visible in the game is an event\n"
		"`cell.late`, whose column `late` is the time in ms since the game requested it.\n"
		"A breakpoint or a watch halts only the simulated run; the game goes on, and what\n"
		"it writes meanwhile is read later.\n\n"
		"Reading ends after --for, at the end of standard input, at a breakpoint or a\n"
		"watch, by ^C, or at an error in a file; rows read before stay. An error in a\n"
		"connection ends only that connection, and the column `note` of its row in\n"
		"run_files says why. The last line of a file is read when its line end is there;\n"
		"until then its bytes are counted in the column `unread`. On the screen reading\n"
		"goes on while you use the keys; Space pauses it. `record` writes the command\n"
		"with `--for 0`, so that a replay does not wait.",
	.run = run_real_follow,
};

/* ---- comparison with the simulation ---- */

/*
 * Returns the option --offset, the seconds between the clocks of run and simulation; NULL means
 * that the clocks in the files decide.
 */
static const double *real_offset(const struct call *call)
{
	const struct argument *offset = call_option(call, "offset");
	return offset->given ? &offset->number : NULL;
}

#define OFFSET                                                                 \
	{                                                                      \
		0, "offset", "SECONDS", ARGUMENT_NUMBER,                       \
			"seconds to add to the times of files without frames " \
			"(default: from their clocks)",                        \
			NULL                                                   \
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
	if (sums.apart > 0 && !wants_rows(call))
		say(call->out,
			"no state of a cell is within %.6g s of the frames: --offset corrects clocks "
			"that differ\n",
			sums.apart);
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
	.help = "The command simulates the frames of the files, with the same camera positions\n"
		"and frame lengths, and with the console variables of this session. A visit of a\n"
		"cell ends when the cell is hidden. Visit N of a cell in the real run is compared\n"
		"with visit N in the simulation. The column `late` is the number of ms by which\n"
		"the cell became visible later in the real run. These ms are split into the\n"
		"delays of the request, of loading, of waiting to be shown and of being shown;\n"
		"the largest one is the cause. Visits that only the simulation has are listed\n"
		"first; in these the column `never` is 1.\n"
		"\n"
		"The rows stay in the table run_pairs. To let a CI job fail when cells come late,\n"
		"check that table with `assert`, or use `worse --real` with limits of never_cells\n"
		"and late_ms. On the screen `view map late` marks cells with their causes,\n"
		"`view map real` with their last real states, and the timeline has a strip of\n"
		"visible cells for the real run and one for the simulation (run_strips).\n"
		"\n"
		"The command needs frames with positions (a CSV profile, or JSON lines of the\n"
		"game: help run open) and states of cells (a log with LogLevelStreaming at\n"
		"Verbose, such JSON lines, or a trace). The command assumes that the camera is\n"
		"the only streaming source and that lines of the log belong to their frame. Files\n"
		"without common frames are matched by their clocks: a profile is assumed to begin\n"
		"at the full second that it names, and --offset corrects that. Cells of level\n"
		"instances are not compared.",
	.run = run_real_compare,
};

/* Prints the fitted parameters that the run does not determine to within a tenth of their value. */
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
	struct cs_error *error = cs_real_fit(call->session->real, call->stream,
		call_option(call, "dry-run")->given, real_offset(call), &call->session->job);
	if (!error)
		error = call_list(call, "run_fits");
	return error || wants_rows(call) ? error : real_fit_tell(call);
}

const struct command command_run_fit = {
	.name = "run fit",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.options = {{0, "dry-run", NULL, ARGUMENT_NONE, "print the values without setting them"},
		OFFSET},
	.summary = "set the load model to the times that cells of a real run took to load and show",
	.examples = "run open game.log profile.csv\nrun fit --dry-run\nrun fit",
	.help = "The load model is the cost of loading, in the variables sim.* (help sim). The\n"
		"command finds the values of sim.Latency, sim.Bandwidth, sim.ShowPerActor and\n"
		"sim.HidePerActor with which a simulation along the same path has the measured\n"
		"durations of loading, showing and hiding. First it uses the visits (periods in\n"
		"which a cell is loaded) of half of the cells: the column `goodness` says how\n"
		"well the values found there predict the visits of the other half. Then it uses\n"
		"all visits: each value is between the columns `low` and `high`. A value is not\n"
		"set when its column `fits` is no, because then the durations do not agree with\n"
		"the model.\n\n"
		"Events are timed only by the ends of frames, so all values between `low` and\n"
		"`high` fit equally well, and the middle is set. When all frames have the same\n"
		"length, a cost is known only to within one frame. Frames of different lengths\n"
		"narrow it (90 ms of latency in frames of 12 to 24 ms were found as 89.8), except\n"
		"for costs shorter than the shortest frame. `sim fit` does the same with the sums\n"
		"that a CSV profile has for each frame.",
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
	.summary = "close the files that `run open` has read, and forget their rows",
	.examples = "run close",
	.run = run_real_close,
};
