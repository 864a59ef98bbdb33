/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `run open`, `run follow`, `run close`, `run compare` and `run fit`, which
 * read what a real run of a game wrote, and compare it with the simulation; and `sim fit`, which
 * fits the load model to the times of whole frames in a CSV profile.
 */
#include "cmds/stream/cmd_run.h"
#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/session/signals.h"

#include <cellscope/compare.h>

#include <inttypes.h>
#include <string.h>

/* Selects, for each file read, a text about bytes that gave no row, and its note; or nulls. */
static struct cs_error *select_notes(const struct call *call, struct cs_result **ret)
{
	return cs_query_select(call->session->query,
		"SELECT CASE WHEN unread > 0 THEN file || ': ' || unread || ' bytes gave no row: they "
		"are cut, damaged or of no level' END, file || ': ' || note FROM run_files",
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

/* Prints the notes of all files after the first `before`; the list of files has no notes. */
static struct cs_error *real_tell_notes(struct call *call, size_t before)
{
	struct cs_result *notes;
	struct cs_error *error = select_notes(call, &notes);
	if (error)
		return error;
	for (size_t i = 2 * before; i < 2 * cs_result_rows(notes); i++) {
		const struct cs_value note = cs_result_value(notes, i / 2, i % 2);
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
			"files of a run cannot be opened while `run follow` follows one: enter "
			"`run close` first");
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
	.help = "FILE is a file that a game wrote. Its content tells which kind it is: a CSV\n"
		"profile (.csv or .csv.gz), a log (also one of Docker, with each line in JSON),\n"
		"a memreport, a .tsv of Unreal's level streaming profiling, a .utrace, or lines\n"
		"of JSON with the schema cellscope.run/1, which a game can write with\n"
		"examples/run_log.h.\n"
		"\n"
		"The command lists the files, one row each, from the table run_files; -n, -s, -w\n"
		"and -c apply to this list. The contents of the files are added to the tables\n"
		"run_frames, run_cells, run_levels, run_sources, run_events and run_objects\n"
		"(memory by class); each row names its file and line. `sql SELECT * FROM\n"
		"run_cells` prints such a table. Values that a file does not contain are null;\n"
		"the column `missing` of run_files names them. Of a truncated file only the\n"
		"complete lines are read; a note below the list says what was left out. Names of\n"
		"cells are shortened to the names in a cook: the folder, UEDPIE_N_ and\n"
		"_LevelInstance_N are removed. Seconds count from the beginning of each file.\n"
		"\n"
		"The readers of CSV profiles (5.5), memreports (4.27 to 5.6) and log lines were\n"
		"tested with files of Unreal. The readers of .tsv and .utrace were written from\n"
		"documentation and were not tested with files of Unreal. Command lines and user\n"
		"names in the files are not read.",
	.run = run_real_open,
	.lists = "run_files",
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
	struct cs_follow *follow;
	if (strcmp(what, "-") == 0 && (!place || strcmp(place->file, "stdin") == 0))
		return cs_error_new(CS_E_USAGE,
			"commands are read from standard input, so '-' cannot be followed");
	if (session->mode.safe && strchr(what, ':'))
		return cs_error_new(CS_E_UNSAFE,
			"listening on a port is not allowed, because the session runs with --safe");
	struct cs_error *error = cs_follow_open(
		session->real, what, argument_count(call_option(call, "keep"), 0), &follow);
	if (error)
		return error;
	real_stop_following(session);
	session->run.follow = follow;
	return NULL;
}

static struct cs_error *real_follow_on(struct call *call, struct cs_follow_news *news)
{
	struct session *session = call->session;

	struct cs_follow_request request = {
		.seconds = call_number(call, "for", -1), .is_spell = session->run.is_tick};
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
		/* name_cause() later replaces this error by one about the time limit */
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
			"no file or port is being followed: `run follow FILE` or `run follow :PORT` "
			"begins that");
	if (!error && !call_option(call, "for")->given && !session->run.is_tick)
		error = real_follow_record(call);
	if (error)
		return error;
	if (session->display.has_terminal && !call_option(call, "for")->given) {
		/* from here on, the full screen reads more at each tick */
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
	.arguments = {{"FILE|-|[ADDRESS]:PORT", ARGUMENT_FILE, .optional = true}},
	.options = {{
			    0,
			    "for",
			    "SECONDS",
			    ARGUMENT_NUMBER,
			    "stop reading after SECONDS (default: no limit); 0: read to the present "
			    "end and stop",
		    },
		{0, "keep", "ROWS", ARGUMENT_WHOLE,
			"drop the oldest rows of a table beyond about ROWS (default 1000000)",
			NULL}},
	.summary = "read the files or the trace of a real run while they are written",
	.examples = "run follow game.log\nrun follow :1981 --for 60\n"
		    "break cell.late > 500\nrun follow game.log --for 600",
	.help = "FILE is a file that grows, and `-` is standard input. With ADDRESS:PORT, a\n"
		"numeric address of this computer (default 127.0.0.1) and a port, the command\n"
		"waits at this address for the trace of a game (option -tracehost of Unreal, port\n"
		"1981). Rows are added to the tables of `run open`. When a file is renamed, cut\n"
		"or written anew, or when a connection ends, the command goes on with the new\n"
		"file or the next connection. Each file and each connection has a row in\n"
		"run_files; these rows are printed at the end, and -n, -s, -w and -c apply to\n"
		"them. Without an argument the command resumes the reading that a breakpoint or a\n"
		"watch has halted.\n\n"
		"When a world is open, frames with positions become frames of the simulated run:\n"
		"the source Player0 moves with the game, at the game's frame times, and the map\n"
		"and the timeline follow. Each time a cell becomes visible in the game, late or\n"
		"not, the event `cell.late` happens. Its column `late` is the time in ms since\n"
		"the game requested the cell, and `break cell.late > 500` halts if this time is\n"
		"above 500 ms. (The column `late` of `run compare` is a delay against the\n"
		"simulation.) A breakpoint or a watch halts only the simulated run. The game goes\n"
		"on, and the rows that it writes meanwhile are read later.\n\n"
		"Reading ends after --for, at the end of standard input, at a breakpoint or a\n"
		"watch, by ^C, or at an error in a file; rows that were read before stay. An\n"
		"error in a connection ends only that connection, and the column `note` of its\n"
		"row in run_files says why. The last line of a file is read when its line end has\n"
		"been written; until then the column `unread` counts its bytes. On the screen you\n"
		"can use the keys while the command reads; Space pauses reading. If --for was not\n"
		"given, `record` writes the command with `--for 0`, so that a replay does not\n"
		"wait.",
	.run = run_real_follow,
	.lists = "run_files",
};

/* ---- comparison with the simulation ---- */

/*
 * Returns the option --offset, the seconds between the clocks of run and simulation. If it is NULL,
 * the clocks in the files decide.
 */
static const double *real_offset(const struct call *call)
{
	const struct argument *offset = call_option(call, "offset");
	return offset->given ? &offset->number : NULL;
}

#define OFFSET                                                                 \
	{                                                                      \
		0, "offset", "SECONDS", ARGUMENT_NUMBER,                       \
			"seconds to add to the times of cell states, if they " \
			"are in another file than the frames (default: "       \
			"difference of the start times of the two files)",     \
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
		say(call->out, "changes of levels that are no cells of this world: %" PRIu64 "\n",
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
	.help = "The command simulates the frames of the files that `run open` has read, with the\n"
		"same camera positions and frame lengths, and with the console variables of this\n"
		"session. Then it compares visits: a visit of a cell begins when the cell is\n"
		"requested and ends when it is hidden. Visit N of a cell in the real run is\n"
		"compared with visit N of the cell in the simulation. The column `late` is the\n"
		"number of ms by which the cell became visible later in the real run than in the\n"
		"simulation. These ms are the sum of four delays: of the request, of loading, of\n"
		"waiting to be shown and of being shown; the column `cause` names the largest.\n"
		"Visits in which the cell became visible only in the simulation are listed first.\n"
		"In these rows `never` is 1, and `cause` says how far the real run came.\n"
		"\n"
		"The rows stay in the table run_pairs. To let a CI job fail when cells come late,\n"
		"check that table with `assert`, or use `worse --real` and budgets of never_cells\n"
		"and late_ms (help worse). On the screen `view map late` marks cells with their\n"
		"causes, and `view map real` marks cells with their last real states. The\n"
		"timeline shows the number of visible cells in both runs.\n"
		"\n"
		"Together the files must contain frames with positions (in a CSV profile, or in\n"
		"lines of JSON as in `help run open`) and states of cells (in a log with\n"
		"LogLevelStreaming at Verbose, in such lines of JSON, or in a trace). The command\n"
		"assumes that the camera is the only streaming source. A file with frames and a\n"
		"file with states are matched by their clocks. A profile is assumed to begin at\n"
		"the full second that it names; --offset corrects this. Cells of level instances\n"
		"are not compared.",
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
	.summary = "set the load model so that loading takes the times of a real run",
	.examples = "run open game.log profile.csv\nrun fit --dry-run\nrun fit",
	.help = "The load model is the cost of loading, in the variables sim.* (help sim). The\n"
		"command chooses sim.Latency, sim.Bandwidth, sim.ShowPerActor and\n"
		"sim.HidePerActor so that a simulation along the path of the real run loads,\n"
		"shows and hides cells in the times that were measured. It prints a row for each\n"
		"variable. A file tells only in which frame a cell was loaded or shown, so all\n"
		"values between the columns `low` and `high` fit equally well; the command sets\n"
		"the middle. Frames of different lengths make this range narrower. When the\n"
		"column `fits` is no, the measured times do not follow the model, and the\n"
		"variable is not set.\n\n"
		"The column `goodness` says how well the model predicts: 1 is exact, and 0 or\n"
		"less is no better than a constant. For this test the command finds values from\n"
		"half of the cells and predicts the times of the other half. The values that it\n"
		"sets are found from all cells. When no file has the times of single cells, `sim\n"
		"fit` sets the variables from the times of whole frames in a CSV profile.",
	.run = run_real_fit,
	.lists = "run_fits",
};

/* ---- fitting to whole frames instead of cells ---- */

static const struct cs_column fit_columns[] = {
	SHORT(struct cs_fit, variable, "variable of the load model"),
	SHORT(struct cs_fit, before, "value before"),
	SHORT(struct cs_fit, after, "fitted value, in the unit of the variable"),
	SHORT(struct cs_fit, measured,
		"measured ms of all loads together (sim.Latency: of one load)"),
	SHORT(struct cs_fit, simulated, "simulated ms, counted as in `measured`"),
	SHORT(struct cs_fit, goodness,
		"1 = every frame agrees, 0 or less = no better than a constant"),
	SHORT(struct cs_fit, frames, "number of frames that were compared"),
	SHORT(struct cs_fit, fitted, "whether both sides have values to compare"),
};

static const struct cs_table fit_table = PLAIN_TABLE("fits", "fit", fit_columns);

static struct cs_error *run_sim_fit(struct call *call)
{
	struct cs_fit fits[CS_FITS];
	struct cs_error *error =
		cs_fit_model(call->stream, call_option(call, "dry-run")->given, fits);
	return error ? error : emit_plain(call, &fit_table, fits, CS_FITS);
}

const struct command command_sim_fit = {
	.name = "sim fit",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.options = {{0, "dry-run", NULL, ARGUMENT_NONE, "print the values without setting them"}},
	.summary = "set the load model to the costs that a CSV profile contains",
	.examples = "path load real.csv.gz\npath follow Player0 real\nstep 600\nsim fit",
	.help = "The load model is the cost of loading, in the variables sim.* (help sim). Run\n"
		"the simulation with a source that follows a CSV profile (path load), as in the\n"
		"example; the command then uses the frames of that run. Each cost becomes the\n"
		"time that the profile measured in these frames, in ms, divided by a number that\n"
		"the simulation counted in them:\n"
		"  sim.ShowPerActor    time of updating levels / actors shown or hidden;\n"
		"                      sim.HidePerActor changes by the same factor\n"
		"  sim.LoadPerActor    time of loading on the game thread / actors loaded\n"
		"  sim.WorldUpdateCost time of updating the streaming state / updates\n"
		"To sim.Latency the command adds the measured mean time of a load minus the\n"
		"simulated mean time, in ms. A mean time is the number of loads in the queue\n"
		"times the length of the frame, summed over all frames, divided by the number of\n"
		"loads that began in the simulation. sim.Bandwidth does not change. The new\n"
		"values apply from the next frame. To improve them, let the source follow the\n"
		"profile again and repeat `sim fit`.",
	.run = run_sim_fit,
	.rows = &fit_table,
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
	.summary =
		"close the files that `run open` or `run follow` has read, and forget their rows",
	.examples = "run close",
	.run = run_real_close,
};
