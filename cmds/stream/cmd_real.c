/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What really happened: run open, run close, run compare, run fit. */
#include "src/session/plain.h"
#include "src/session/session.h"

#include <inttypes.h>

static struct cs_error *run_real_open(struct call *call)
{
	struct cs_error *error = NULL;
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
	.help = "A file is known by its content: a CSV profile (packed or not), a log, a memreport,\n"
		"a .tsv of level streaming, a .utrace, or lines of JSON that the game writes itself\n"
		"({\"schema\": \"cellscope.run/1\"}, examples/run_log.h). Its rows join those of the\n"
		"files before in run_frames, run_cells, run_levels, run_sources and run_events, each\n"
		"with its file and line: `sql SELECT * FROM run_cells`. What a file does not hold is\n"
		"null there and named under `missing`. Cells have the names of a cook: without the\n"
		"folder, UEDPIE_N_ and _LevelInstance_N. Seconds count from the zero of each file\n"
		"(`info table run_files`).\n\n"
		"Known from files of the engine: CSV profiles of 5.5, memreports of 4.27 to 5.6, the\n"
		"forms of log lines. Known from documentation alone: the .tsv, whose columns are\n"
		"found by their names, and the .utrace. Command lines and names of users are not\n"
		"read.",
	.run = run_real_open,
};

/* NULL: what the clocks of the files say. */
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
	struct cs_error *error = cs_real_compare(
		call->session->real, call->stream, real_offset(call), &call->session->job);
	if (error)
		return error;
	const uint64_t unknown = cs_real_unknown_cells(call->session->real);
	if (unknown && !wants_rows(call))
		say(call->out, "%" PRIu64 " changes of levels that are no cells of this world\n",
			unknown);
	return call_list(call, "run_pairs");
}

const struct command command_run_compare = {
	.name = "run compare",
	.group = GROUP_DIFF,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS,
	.options = {OFFSET},
	.summary = "hold each cell of a real run against its simulation, the worst first",
	.examples = "run open game.log profile.csv\nrun compare -n 10\n"
		    "assert (SELECT count(*) FROM run_pairs WHERE late > 500 OR never) = 0",
	.help = "The frames of the files, with their places and lengths, go through a simulation of\n"
		"its own with the variables of this run. The n-th visit of a cell is held against\n"
		"its n-th simulated one: `late` is how much later it was visible, in ms, and splits\n"
		"into the time until it was asked for, loading, waiting to be shown and being shown,\n"
		"each as far as it took longer than simulated. The largest is the cause. What was\n"
		"simulated and never came stands first. The rows stay in run_pairs: an `assert` over\n"
		"them is a budget of a CI.\n\n"
		"It needs frames with places (a CSV profile, cellscope.run) and states of cells (a\n"
		"log with LogLevelStreaming at Verbose, cellscope.run, a trace). We assume that the\n"
		"view is the one source, that the log changes lines within the frame, and, where\n"
		"clocks alone join the files, that a profile begins at the full second that it\n"
		"names: --offset says better. Cells of level instances are not compared.",
	.run = run_real_compare,
};

static struct cs_error *run_real_fit(struct call *call)
{
	struct cs_error *error = cs_real_fit(
		call->session->real, call->stream, real_offset(call), &call->session->job);
	if (!error && !call_option(call, "dry-run")->given)
		error = cs_real_fit_apply(call->session->real, call->stream);
	return error ? error : call_list(call, "run_fits");
}

const struct command command_run_fit = {
	.name = "run fit",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.options = {{0, "dry-run", NULL, ARGUMENT_NONE, "set nothing"}, OFFSET},
	.summary = "set the load model to how long cells of a real run loaded and showed",
	.examples = "run open game.log profile.csv\nrun fit --dry-run\nrun fit",
	.help = "Finds sim.Latency, sim.Bandwidth, sim.ShowPerActor and sim.HidePerActor with which\n"
		"a simulation of the same walk meets the durations of loading, showing and hiding\n"
		"best. Visits of every other cell are held out; `goodness` is how well these are\n"
		"met. A number whose durations are not met (`fits` is no) is not set: the model\n"
		"does not hold for this run. `sim fit` does the same by what a CSV profile sums up\n"
		"for frames.",
	.run = run_real_fit,
};

static struct cs_error *run_real_close(struct call *call)
{
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
