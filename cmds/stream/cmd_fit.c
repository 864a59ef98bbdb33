/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `sim fit`, which fits the load model to the times in a CSV profile. */
#include <cellscope/runs.h>

#include "src/session/plain.h"

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

static struct cs_error *run_fit(struct call *call)
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
	.run = run_fit,
	.rows = &fit_table,
};
