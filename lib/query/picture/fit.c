/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits the load model to a recorded run. For each kind of work, each frame gives a pair: the
 * measured time, and the units of work that were simulated. The sum of the times divided by the sum
 * of the units is the cost of a unit. The latency is fitted in another way (fit_latency).
 */
#include <cellscope/runs.h>

#include "core/vec.h"
#include "stream/stream_inside.h"

#include <math.h>

struct pair {
	double measured, units;
};

struct pairs {
	CS_VEC(struct pair) at;
	double measured, units;
};

struct fitting {
	const struct cs_stream *stream;
	uint64_t first, last; /* first and last frame to which the model is fitted */
	/* for each frame: number of actors in the cells that finished loading in it */
	double *actors;
};

static const struct {
	const char *variable;
	enum cs_recorded measured;
} kinds[CS_FITS] = {
	[CS_FIT_SHOW] = {"sim.ShowPerActor", CS_RECORDED_LEVEL_STREAMING},
	[CS_FIT_HIDE] = {"sim.HidePerActor", CS_RECORDED_LEVEL_STREAMING},
	[CS_FIT_CREATE] = {"sim.LoadPerActor", CS_RECORDED_ASYNC_LOADING},
	[CS_FIT_UPDATE] = {"sim.WorldUpdateCost", CS_RECORDED_STREAMING},
	[CS_FIT_LATENCY] = {"sim.Latency", CS_RECORDED_QUEUED},
};

static double fit_number_of(const struct cs_stream *stream, const char *variable)
{
	return cs_stream_variable(stream, cs_stream_find_variable(variable)).number;
}

/* ---- simulated frames with their recorded frames ---- */

/* Finds the range of stored frames that follow a recorded run; false if there are none. */
static bool find_frames(struct fitting *fitting)
{
	uint64_t now = cs_stream_status(fitting->stream).frame, at = now;
	for (; at > 0 && cs_stream_frame(fitting->stream, at); at--) {
		if (!cs_stream_frame(fitting->stream, at)->recorded)
			continue;
		fitting->first = at;
		fitting->last = fitting->last ? fitting->last : at;
	}
	return fitting->last > 0;
}

static struct cs_error *count_actors(struct fitting *fitting)
{
	fitting->actors =
		calloc((size_t)(fitting->last - fitting->first) + 1, sizeof(*fitting->actors));
	if (!fitting->actors)
		return cs_error_nomem();
	for (uint64_t i = 0; i < cs_stream_event_count(fitting->stream); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(fitting->stream, i);
		if (!event || event->frame < fitting->first || event->frame > fitting->last ||
			cs_moment_of(event) != CS_MOMENT_CELL_LOADED)
			continue;
		const struct cs_cooked *world =
			cs_stream_world(fitting->stream, event->world).cooked;
		fitting->actors[event->frame - fitting->first] +=
			cs_cooked_cell(world, event->cell)->actors.count;
	}
	return NULL;
}

/* Returns the simulated work of one kind in a frame, in units of that kind, such as actors. */
static double units_of(
	const struct fitting *fitting, enum cs_fit_kind kind, const struct cs_stream_frame *frame)
{
	switch (kind) {
	case CS_FIT_SHOW:
	case CS_FIT_HIDE:
		return (double)frame->work_ns / 1e6 /
		       fit_number_of(fitting->stream, "sim.ShowPerActor");
	case CS_FIT_CREATE:
		return fitting->actors[frame->frame - fitting->first];
	case CS_FIT_UPDATE:
		return frame->evaluated;
	case CS_FIT_LATENCY:
	default:
		return frame->loading;
	}
}

static struct cs_error *make_pairs(
	const struct fitting *fitting, enum cs_fit_kind kind, struct pairs *pairs)
{
	for (uint64_t i = fitting->first; i <= fitting->last; i++) {
		const struct cs_stream_frame *frame = cs_stream_frame(fitting->stream, i);
		if (!frame || !frame->recorded ||
			isnan(frame->recorded->values[kinds[kind].measured]))
			continue;
		const struct pair pair = {frame->recorded->values[kinds[kind].measured],
			units_of(fitting, kind, frame)};
		if (!cs_vec_push(&pairs->at, pair))
			return cs_error_nomem();
		pairs->measured += pair.measured;
		pairs->units += pair.units;
	}
	return NULL;
}

static double goodness_of(const struct pairs *pairs, double cost)
{
	double mean = pairs->measured / (double)pairs->at.n, residual = 0, variance = 0;
	for (size_t i = 0; i < pairs->at.n; i++) {
		const struct pair *pair = &pairs->at.at[i];
		double off = pair->measured - cost * pair->units, spread = pair->measured - mean;
		residual += off * off;
		variance += spread * spread;
	}
	return variance > 0 ? 1 - residual / variance : (double)NAN;
}

/* ---- fitting each kind of work ---- */

static void fit_cost(const struct fitting *fitting, enum cs_fit_kind kind,
	const struct pairs *pairs, struct cs_fit *fit)
{
	double show = fit_number_of(fitting->stream, "sim.ShowPerActor");
	double cost = pairs->measured / pairs->units;
	fit->measured = pairs->measured;
	fit->simulated = pairs->units * (kind == CS_FIT_HIDE ? show : fit->before);
	fit->fitted = pairs->units > 0 && isfinite(cost);
	if (!fit->fitted)
		return;
	fit->after = kind == CS_FIT_HIDE ? cost * (fit->before / show) : cost;
	fit->goodness = goodness_of(pairs, cost);
}

/*
 * Compares how long a load is in the queue in ms, as recorded and as simulated: the sum over all
 * frames of the frame's length (without waits) times the number of loads in the queue, divided by
 * the total number of loads.
 */
static void fit_latency(
	const struct fitting *fitting, const struct pairs *pairs, struct cs_fit *fit)
{
	double loads = 0;
	for (uint64_t i = fitting->first; i <= fitting->last; i++) {
		const struct cs_stream_frame *frame = cs_stream_frame(fitting->stream, i);
		if (!frame || !frame->recorded ||
			isnan(frame->recorded->values[CS_RECORDED_QUEUED]))
			continue;
		double length = (double)frame->length_ns / 1e6;
		fit->measured += length * frame->recorded->values[CS_RECORDED_QUEUED];
		fit->simulated += length * frame->loading;
		loads += frame->loads;
	}
	fit->fitted = loads > 0 && fit->measured > 0;
	if (loads > 0) {
		fit->measured /= loads;
		fit->simulated /= loads;
	}
	if (!fit->fitted)
		return;
	fit->after = fmax(0, fit->before + fit->measured - fit->simulated);
	fit->goodness = goodness_of(pairs, 1);
}

static struct cs_error *fit_kind(
	const struct fitting *fitting, enum cs_fit_kind kind, struct cs_fit *ret)
{
	struct pairs pairs = {0};
	const char *variable = kinds[kind].variable;
	struct cs_fit fit = {.variable = variable,
		.before = fit_number_of(fitting->stream, variable),
		.after = fit_number_of(fitting->stream, variable),
		.goodness = (double)NAN};
	struct cs_error *error = make_pairs(fitting, kind, &pairs);
	fit.frames = pairs.at.n;
	if (kind == CS_FIT_LATENCY)
		fit_latency(fitting, &pairs, &fit);
	else
		fit_cost(fitting, kind, &pairs, &fit);
	cs_vec_free(&pairs.at);
	*ret = fit;
	return error;
}

static struct cs_error *fit_apply(struct cs_stream *stream, const struct cs_fit fits[CS_FITS])
{
	struct cs_error *error = NULL;
	for (int i = 0; !error && i < CS_FITS; i++) {
		size_t n, at = cs_stream_find_variable(fits[i].variable);
		const struct cs_variable *variable = &cs_stream_variables(&n)[at];
		char text[CS_DOUBLE_TEXT];
		if (!fits[i].fitted)
			continue;
		cs_double_format(fmin(fmax(fits[i].after, variable->low), variable->high), text);
		error = cs_stream_variable_set(stream, at, text);
	}
	return error;
}

struct cs_error *cs_fit_model(struct cs_stream *stream, bool dry, struct cs_fit ret[CS_FITS])
{
	struct fitting fitting = {.stream = stream};
	if (!find_frames(&fitting))
		return cs_error_new(CS_E_NOFRAME,
			"no frame of the run followed a CSV profile: load a profile with `path "
			"load`, let a source follow it with `path follow`, and run");
	struct cs_error *error = count_actors(&fitting);
	for (int i = 0; !error && i < CS_FITS; i++)
		error = fit_kind(&fitting, (enum cs_fit_kind)i, &ret[i]);
	free(fitting.actors);
	return error || dry ? error : fit_apply(stream, ret);
}
