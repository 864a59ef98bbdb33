/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim fit: a load model from measured values. */
#include <cellscope/runs.h>

#include "src/session/plain.h"
#include "src/session/session.h"

static const struct cs_column fit_columns[] = {
	SHORT(struct cs_fit, variable, "of the load model"),
	SHORT(struct cs_fit, before, "what it was"),
	SHORT(struct cs_fit, after, "what fits, in the unit of the variable"),
	SHORT(struct cs_fit, measured, "ms in all; of sim.Latency: of a load"),
	SHORT(struct cs_fit, simulated, "the same, as the run had it"),
	SHORT(struct cs_fit, goodness,
		"1 = every frame agrees, 0 or less = no better than a constant"),
	SHORT(struct cs_fit, frames, "frames that were compared"),
	SHORT(struct cs_fit, fitted, "there was something measured and something simulated"),
};

static const struct cs_table fit_table = PLAIN_TABLE("fits", "fit", fit_columns);

static struct cs_error *run_fit(struct call *call)
{
	struct cs_fit fits[CS_FITS];
	struct cs_error *error = cs_fit_model(call->stream, fits);
	if (!error && !call_option(call, "dry-run")->given)
		error = cs_fit_apply(call->stream, fits);
	return error ? error : emit_plain(call, &fit_table, fits, CS_FITS, sizeof(*fits));
}

const struct command command_sim_fit = {
	.name = "sim fit",
	.group = GROUP_SIMULATE,
	.flags = COMMAND_RUN | COMMAND_WORLD | COMMAND_LISTS | COMMAND_CHANGES,
	.options = {{0, "dry-run", NULL, ARGUMENT_NONE, "set nothing"}},
	.summary =
		"set the load model to what a CSV profile has measured, and say how well it fits",
	.examples = "path load real.csv.gz\npath follow Player0 real\nstep 600\nsim fit",
	.help = "Takes the frames of the run that follow a record (`path load`). Costs are what\n"
		"was measured in all over what was simulated in all: updating levels for\n"
		"sim.ShowPerActor and, in its present ratio to it, sim.HidePerActor; loading on\n"
		"the game thread for sim.LoadPerActor; updating the streaming state for\n"
		"sim.WorldUpdateCost. sim.Latency moves by the difference in the mean time of a\n"
		"load, the queue of reads summed over time by the number of loads; a level is\n"
		"taken for one package. sim.Bandwidth stays. The values apply from the next frame\n"
		"on: go through the record again, and fit again.",
	.run = run_fit,
};
