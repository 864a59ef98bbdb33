/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What really happened: run open, run close. */
#include "src/session/session.h"

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
