/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting the load model to what was measured: frames of a run that follow a record
 * (cs_path_frames) have both what the simulation did and what the profiler of the engine measured.
 *
 * A cost is fitted by sums, measured ms over simulated units of work, so that it does not matter in
 * which of two frames a piece of work was done; how well it fits is judged frame by frame.
 */
#ifndef CELLSCOPE_FIT_H
#define CELLSCOPE_FIT_H

#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

enum cs_fit_kind {
	CS_FIT_SHOW,   /* sim.ShowPerActor; updating levels over visibility work, in actors shown */
	CS_FIT_HIDE,   /* sim.HidePerActor, in its ratio to that */
	CS_FIT_CREATE, /* sim.LoadPerActor; loading on the game thread over actors loaded */
	CS_FIT_UPDATE, /* sim.WorldUpdateCost; updating the streaming state over worlds evaluated */
	CS_FIT_LATENCY, /* sim.Latency; the mean time of a load, by the queue of reads */
	CS_FITS
};

struct cs_fit {
	const char *variable;
	bool fitted;                /* else nothing was measured, or nothing was simulated */
	double before, after;       /* of the variable; the same where it is not fitted */
	double measured, simulated; /* ms: sums, of LATENCY means; simulated with `before` */
	double goodness; /* 1 - residual / variance, with `after`: 1 = exact, 0 = no better than a
			    constant, below: worse; NAN = what was measured never changes */
	uint64_t frames; /* that were compared */
};

/*
 * Of the frames that are kept. Mean time of a load = packages in the queue summed over time, over
 * loads begun (Little's law), where a level counts as one package. E_NOFRAME when none follows a
 * record.
 */
CS_API struct cs_error *cs_fit_model(
	const struct cs_stream *stream, struct cs_fit ret[CS_FITS]) CS_MUST_USE;
/* Input: sets the variables that were fitted, within their limits, from the next frame on. */
CS_API struct cs_error *cs_fit_apply(
	struct cs_stream *stream, const struct cs_fit fits[CS_FITS]) CS_MUST_USE;

CS_END_DECLS

#endif
