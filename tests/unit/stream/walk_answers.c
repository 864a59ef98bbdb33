/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every answer about a cell is compared with the twin's words, which follow from the rules alone,
 * and with every other answer about the same cell: why, the view behind `cells`, the place in the
 * order, the counts of frame and status, the queue, the verdict on its layers, its HLOD actors.
 */
#include "tests/unit/stream/walk_answers.h"
#include "stream/stream_inside.h"
#include "tests/samples/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct answers {
	struct cs_stream *s;
	const struct twin *t;
	char *wrong;
};

static void differs(const struct answers *a, bool different, const char *what,
	struct cs_stream_cell at, int said, int is)
{
	if (different && !*a->wrong)
		snprintf(a->wrong, 256, "frame %llu: %s is told as %d and is %d, world %u row %u",
			(unsigned long long)a->t->frame, what, said, is, at.world, at.cell);
}

#define SAME(what, said, is) differs(a, (int)(said) != (int)(is), what, at, (int)(said), (int)(is))

static struct cs_stream_why why_of(struct cs_stream *s, struct cs_stream_cell at)
{
	struct cs_stream_why why;
	cs_error_free(cs_stream_why(s, at, &why));
	return why;
}

/* Derives from the rest of the answer why a cell is not activated, as a reader could. */
static enum cs_reason obstacle_of(
	const struct cs_stream_why *why, const struct cs_stream_cell_view *view)
{
	if (view->current == CS_LAYER_ACTIVATED)
		return CS_REASON_NONE;
	if (why->wanted == CS_LAYER_ACTIVATED)
		return why->progress;
	if (why->wanted == CS_LAYER_UNLOADED || why->by_sources == CS_LAYER_UNLOADED)
		return why->reason;
	if (why->by_layers == CS_LAYER_LOADED || why->by_layers == CS_LAYER_UNLOADED)
		return CS_REASON_LAYERS_LOADED;
	return why->by_sources == CS_LAYER_LOADED ? CS_REASON_TARGET_LOADED : why->reason;
}

static void compare_place(
	const struct answers *a, struct cs_stream_cell at, const struct cs_stream_why *why)
{
	uint32_t rank = 0, of = 0;
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		size_t n;
		const struct cs_stream_order_row *rows =
			cs_stream_order_open(a->s, (enum cs_order_list)list, &n);
		for (size_t i = 0; i < n; i++) {
			if (rows[i].cell.world != at.world || rows[i].cell.cell != at.cell)
				continue;
			rank = (uint32_t)i + 1;
			of = (uint32_t)n;
			if (list < CS_ORDER_PENDING_ACTIVATE && rows[i].started)
				continue; /* the row of what is under way counts */
			SAME("source priority in the order", why->keys.source_priority,
				rows[i].keys.source_priority);
			SAME("spatial key in the order", why->keys.spatial != rows[i].keys.spatial,
				false);
		}
	}
	SAME("place in the order", why->rank, rank);
	SAME("length of the order", why->of, of);
	if (why->progress == CS_REASON_BUDGET)
		SAME("a cell that waits for its turn has a place", rank > 0, true);
}

static void compare_cell(const struct answers *a, struct cs_stream_cell at)
{
	const struct cs_stream_why why = why_of(a->s, at);
	const struct cs_stream_cell_view view = cs_stream_cell(a->s, at);
	const struct twin_words words = twin_says(a->t, at.world, at.cell);
	const struct twin_world *w = &a->t->worlds[at.world];
	const struct twin_cell *c = &w->cells[at.cell];
	bool is_told = words.wanted != CS_LAYER_UNLOADED || words.measured || !w->decided;
	SAME("wanted", why.wanted, words.wanted);
	SAME("wanted of the view", view.wanted, words.wanted);
	if (is_told)
		SAME("reason", why.reason, words.reason);
	SAME("progress", why.progress, words.waits);
	SAME("waiting", view.waiting, words.waits == CS_REASON_BUDGET);
	if (words.measured) {
		SAME("by sources", why.by_sources, words.asked);
		SAME("by layers", why.by_layers, words.allowed);
	}
	SAME("obstacle", why.obstacle, obstacle_of(&why, &view));
	SAME("decided", why.decided, w->registered && w->decided);
	if (why.decided)
		SAME("frame that decided", why.decided_in, w->decided_in);
	SAME("what was set since", why.changed & ~(uint32_t)CS_CHANGED_FRAMES, a->t->since);
	/* among each other */
	if (why.wanted > CS_LAYER_UNLOADED && why.progress == CS_REASON_ARRIVED)
		SAME("arrived", view.current, why.wanted);
	if (why.wanted > CS_LAYER_UNLOADED && why.reason == CS_REASON_IN_RANGE && words.measured)
		SAME("a source that reaches it", why.n_hits > 0, true);
	if (words.measured &&
		(why.reason == CS_REASON_OUT_OF_RANGE || why.reason == CS_REASON_NO_SOURCE))
		SAME("sources that reach it", why.n_hits, 0);
	if (why.progress == CS_REASON_TURN && why.blocker.cell != CS_NONE) {
		const struct twin_row *row =
			c->level == CS_LEVEL_MAKING_VISIBLE ? &a->t->showing : &a->t->hiding;
		SAME("who is at work", why.blocker.cell, row->cell);
		SAME("its partition", why.blocker.world, row->world);
	}
	compare_place(a, at, &why);
}

/* ---- sums ---- */

static void compare_counts(const struct answers *a)
{
	const struct cs_stream_status status = cs_stream_status(a->s);
	const struct cs_stream_frame *frame = cs_stream_frame(a->s, status.frame);
	const struct cs_stream_cell at = CS_STREAM_NO_CELL;
	uint32_t waiting = 0;
	for (uint32_t k = 0; k < (uint32_t)a->t->n_worlds; k++)
		for (uint32_t i = 0; i < a->t->worlds[k].cooked->n_cells; i++)
			waiting += cs_stream_cell(a->s, (struct cs_stream_cell){k, i}).waiting;
	SAME("cells that wait", waiting, status.waiting_activate + status.waiting_load);
	if (frame && !a->t->since)
		SAME("frames.waiting", frame->waiting >= waiting, true);
	SAME("cells that the server keeps", a->t->n_clients > 0,
		cs_stream_client_at(a->s, 0).name != NULL);
}

static void compare_holds(const struct answers *a)
{
	size_t n, held = 0;
	const struct cs_stream_hold *holds = cs_stream_server_hold(a->s, &n);
	struct cs_stream_cell at = CS_STREAM_NO_CELL;
	for (uint32_t k = 0; k < (uint32_t)a->t->n_worlds; k++)
		for (uint32_t i = 0; i < a->t->worlds[k].cooked->n_cells; i++)
			held += a->t->worlds[k].cells[i].held;
	SAME("server-hold", n, held);
	for (size_t i = 0; i < n; i++) {
		at = holds[i].cell;
		SAME("a cell of server-hold", why_of(a->s, at).reason, CS_REASON_CLIENT_SEES);
	}
}

/* The queue has all cells that are wanted and not there, and nothing else. */
static void compare_queue(const struct answers *a)
{
	struct cs_stream_forecast *rows = NULL;
	struct cs_stream_cell at = CS_STREAM_NO_CELL;
	size_t n = 0, missing = 0;
	cs_error_free(cs_stream_queue(a->s, 0, &rows, &n));
	for (uint32_t k = 0; k < (uint32_t)a->t->n_worlds; k++) {
		for (uint32_t i = 0; i < a->t->worlds[k].cooked->n_cells; i++) {
			const struct twin_words words = twin_says(a->t, k, i);
			const struct twin_cell *c = &a->t->worlds[k].cells[i];
			bool there =
				c->level >= CS_LEVEL_NOT_VISIBLE && words.wanted == CS_LAYER_LOADED;
			missing += words.wanted && words.waits != CS_REASON_ARRIVED &&
				   words.waits != CS_REASON_FAILED &&
				   (!there || words.waits == CS_REASON_PERFORMANCE);
		}
	}
	for (size_t i = 0; i < n; i++) {
		const struct cs_stream_why why = why_of(a->s, rows[i].cell);
		at = rows[i].cell;
		SAME("a queued cell is wanted", why.wanted > CS_LAYER_UNLOADED, true);
		SAME("and not there", why.progress == CS_REASON_ARRIVED, false);
		SAME("and may still come", why.progress == CS_REASON_FAILED, false);
	}
	at = CS_STREAM_NO_CELL;
	SAME("length of the queue", n, missing);
	free(rows);
}

/* ---- layers and HLOD actors ---- */

static void compare_layer(const struct answers *a, uint32_t world, uint32_t layer)
{
	const struct twin_world *w = &a->t->worlds[world];
	const struct cs_stream_cell at = {world, layer};
	const enum cs_layer_verdict verdict = twin_says_of_layer(a->t, world, layer);
	struct cs_stream_why_layer why;
	struct cs_stream_layer_view view;
	cs_error_free(cs_stream_why_layer(a->s, world, layer, &why));
	cs_error_free(cs_stream_layer(a->s, world, layer, &view));
	if (verdict != CS_LAYER_VERDICTS)
		SAME("verdict on a layer", why.verdict, verdict);
	SAME("effective state of a layer", why.view.effective, view.effective);
	SAME("initial state of a layer", why.view.initial, view.initial);
	SAME("target of a layer", why.view.target, w->target[layer]);
	SAME("arrived cells", why.arrived <= why.in_range, true);
	SAME("another layer that is the obstacle", why.holder != CS_NONE && why.holder != layer,
		why.verdict == CS_LAYER_ANCESTOR || why.verdict == CS_LAYER_EXTERNAL_OFF ||
			why.verdict == CS_LAYER_OTHERS_OFF);
	if (why.verdict == CS_LAYER_IS_VISIBLE)
		SAME("visible cells", why.view.visible >= why.in_range, true);
}

static void compare_hlod(const struct answers *a, uint32_t world, uint32_t hlod)
{
	const struct twin_world *w = &a->t->worlds[world];
	const struct cs_cooked_hlod *row = &w->cooked->hlods[hlod];
	struct cs_stream_hlod_view view;
	cs_error_free(cs_stream_hlod(a->s, world, hlod, &view));
	if (row->home == CS_NONE)
		return;
	const struct cs_stream_cell at = {world, row->home};
	const struct twin_words words = twin_says(a->t, world, row->home);
	const enum cs_level_state home = w->cells[row->home].level;
	bool loaded = home == CS_LEVEL_VISIBLE || home == CS_LEVEL_MAKING_INVISIBLE;
	SAME("an HLOD actor that is loaded",
		view.state == CS_HLOD_HIDDEN || view.state == CS_HLOD_SHOWN ||
			view.state == CS_HLOD_OUTDATED,
		loaded);
	if (words.measured)
		SAME("whether an HLOD actor is in range", view.in_range,
			words.asked > CS_LAYER_UNLOADED && !w->cells[row->home].absent);
}

void walk_answers(struct cs_stream *s, const struct twin *t, bool forecast, char wrong[256])
{
	const struct answers all = {s, t, wrong}, *a = &all;
	for (uint32_t k = 0; k < (uint32_t)t->n_worlds; k++) {
		const struct cs_cooked *cooked = t->worlds[k].cooked;
		for (uint32_t i = 0; i < cooked->n_cells; i++)
			compare_cell(a, (struct cs_stream_cell){k, i});
		for (uint32_t i = 0; i < cooked->n_layers; i++)
			compare_layer(a, k, i);
		for (uint32_t i = 0; i < cooked->n_hlods; i++)
			compare_hlod(a, k, i);
	}
	compare_counts(a);
	compare_holds(a);
	if (forecast)
		compare_queue(a);
}

/* ---- going back ---- */

uint64_t walk_answers_sum(struct cs_stream *s)
{
	uint64_t sum = 0;
	for (uint32_t k = 0; k < cs_stream_worlds(s); k++) {
		for (uint32_t i = 0; i < cs_stream_world(s, k).cooked->n_cells; i++) {
			const struct cs_stream_why why = why_of(s, (struct cs_stream_cell){k, i});
			const uint64_t parts[] = {sum, why.wanted, why.reason, why.progress,
				why.obstacle, why.by_sources, why.by_layers, why.layer, why.decided,
				why.decided_in, why.changed, why.blocker.cell, why.n_hits,
				why.judged, why.performance, why.rank, why.of, why.client,
				why.warm_frames};
			sum = XXH3_64bits(parts, sizeof(parts));
		}
	}
	for (int list = 0; list < CS_ORDER_LISTS; list++) {
		size_t n;
		const struct cs_stream_order_row *rows =
			cs_stream_order_open(s, (enum cs_order_list)list, &n);
		for (size_t i = 0; i < n; i++) {
			const uint64_t parts[] = {sum, rows[i].cell.world, rows[i].cell.cell,
				rows[i].decided_by, rows[i].started};
			sum = XXH3_64bits(parts, sizeof(parts));
		}
	}
	return sum;
}
