/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The naive twin: what is to be said of a cell and of a data layer, in the order in which the rules
 * (2.1 to 2.8) have a say. What was set since the last frame changes nothing of it but one thing:
 * why a cell is not wanted is not known any more, where that hung on what was set.
 */
#include "tests/unit/stream/twin_parts.h"
#include <cellscope/cooked_values.h>

static bool waits_for_turn(const struct twin_world *w, uint32_t cell)
{
	for (int list = 0; list < 2; list++)
		for (int i = 0; i < w->n_left[list]; i++)
			if (w->left[list][i].cell == cell)
				return true;
	return false;
}

static enum cs_reason delay_of(const struct twin_world *w, uint32_t cell)
{
	const struct twin_cell *c = &w->cells[cell];
	if (c->left_out)
		return CS_REASON_PERFORMANCE;
	if (waits_for_turn(w, cell))
		return CS_REASON_BUDGET;
	if (c->around)
		return CS_REASON_STILL_AROUND;
	if (twin_is_on_its_way(c))
		return c->waits;
	return c->level == CS_LEVEL_FAILED ? CS_REASON_FAILED : CS_REASON_ARRIVED;
}

/* Returns why the cell is not wanted, and what that depends on. */
static enum cs_reason miss_of(const struct twin_world *w, uint32_t cell, uint32_t *hangs_ret)
{
	const struct twin_cell *c = &w->cells[cell];
	const struct cs_cooked_cell *k = cs_cooked_cell(w->cooked, cell);
	bool square =
		w->cooked->partitions[k->partition].partition_class == CS_PARTITION_SPATIAL_GRID;
	*hangs_ret = 0;
	if (!w->registered)
		return CS_REASON_NOT_REGISTERED;
	if (!w->decided)
		return CS_REASON_NOT_RUN;
	*hangs_ret = CS_CHANGED_SETTINGS;
	if (c->absent == CS_REASON_CLIENT_ONLY)
		*hangs_ret = 0; /* its role is the run's */
	if (c->absent)
		return c->absent;
	*hangs_ret = CS_CHANGED_LAYERS;
	if (c->sought)
		return CS_REASON_LAYERS;
	*hangs_ret = 0;
	if (!cs_box_valid(square ? &k->box : &k->content))
		return CS_REASON_NO_BOUNDS;
	*hangs_ret = CS_CHANGED_SOURCES;
	if (w->n_sources == 0)
		return CS_REASON_NO_SOURCE;
	return c->filtered ? CS_REASON_GRID_FILTER : CS_REASON_OUT_OF_RANGE;
}

struct twin_words twin_says(const struct twin *t, uint32_t world, uint32_t cell)
{
	const struct twin_world *w = &t->worlds[world];
	const struct twin_cell *c = &w->cells[cell];
	struct twin_words words = {.asked = w->decided ? c->sought : CS_LAYER_UNLOADED,
		.allowed = c->allowed,
		.waits = delay_of(w, cell),
		.measured = w->decided && w->decided_in == t->frame};
	uint32_t hangs;
	if (c->held) {
		words.wanted = c->set;
		words.reason = CS_REASON_CLIENT_SEES;
	} else if (c->want_activate || c->want_load) {
		words.wanted = c->want_activate ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
		words.reason = c->rule;
	} else {
		words.reason = miss_of(w, cell, &hangs);
		if (t->since & hangs)
			words.reason = CS_REASON_NOT_RUN;
	}
	return words;
}

/* ---- layers ---- */

static bool has_layer(const struct twin_world *w, uint32_t cell, uint32_t layer)
{
	const struct cs_cooked_cell *k = cs_cooked_cell(w->cooked, cell);
	for (uint32_t i = 0; i < k->layers.count; i++)
		if (w->cooked->cell_layers[k->layers.first + i] == layer)
			return true;
	return k->external_layer == layer;
}

struct sums {
	unsigned cells, absent, off, unknown, asked, external, others, failed, short_of, loaded;
};

static void count(const struct twin *t, uint32_t world, uint32_t cell, struct sums *sums)
{
	const struct twin_world *w = &t->worlds[world];
	const struct cs_cooked_cell *k = cs_cooked_cell(w->cooked, cell);
	const struct twin_words words = twin_says(t, world, cell);
	sums->cells++;
	if (words.reason == CS_REASON_CLIENT_ONLY) {
		sums->absent++;
	} else if (words.reason == CS_REASON_NOT_REGISTERED || words.reason == CS_REASON_HLOD_OFF ||
		   words.reason == CS_REASON_LEVEL_FILTER) {
		sums->off++;
	} else if (words.reason == CS_REASON_NOT_RUN) {
		sums->unknown++;
	} else if (words.asked) {
		bool held = words.allowed < CS_LAYER_ACTIVATED;
		sums->asked++;
		sums->unknown += held && (t->since & CS_CHANGED_LAYERS);
		held = held && !(t->since & CS_CHANGED_LAYERS);
		bool external = held && k->external_layer != CS_NONE &&
				w->effective[k->external_layer] != CS_LAYER_ACTIVATED;
		sums->external += external;
		sums->others += held && !external;
		if (words.allowed < CS_LAYER_ACTIVATED)
			return;
		sums->failed += words.waits == CS_REASON_FAILED;
		sums->short_of += words.waits != CS_REASON_ARRIVED;
		sums->loaded += words.wanted == CS_LAYER_LOADED;
	}
}

static bool is_held_above(const struct twin_world *w, uint32_t layer)
{
	const struct cs_cooked *k = w->cooked;
	for (uint32_t i = k->layers[layer].parent; i != CS_NONE; i = k->layers[i].parent)
		if (k->layers[i].type == CS_LAYER_RUNTIME && w->target[i] < w->target[layer])
			return true;
	return false;
}

enum cs_layer_verdict twin_says_of_layer(const struct twin *t, uint32_t world, uint32_t layer)
{
	const struct twin_world *w = &t->worlds[world];
	const struct cs_cooked_layer *row = &w->cooked->layers[layer];
	struct sums s = {0};
	if (row->type != CS_LAYER_RUNTIME)
		return CS_LAYER_IS_EDITOR;
	if ((row->filter == CS_FILTER_CLIENT_ONLY && twin_is_server(t)) ||
		(row->filter == CS_FILTER_SERVER_ONLY && t->role == CS_ROLE_CLIENT))
		return CS_LAYER_OTHER_ROLE;
	if (is_held_above(w, layer))
		return CS_LAYER_ANCESTOR;
	if (w->effective[layer] != CS_LAYER_ACTIVATED)
		return t->role == CS_ROLE_CLIENT && row->filter == CS_FILTER_NONE
			       ? CS_LAYER_NOT_SENT
			       : CS_LAYER_NOT_ACTIVATED;
	if (w->decided && w->decided_in != t->frame)
		return CS_LAYER_VERDICTS; /* its turn did not come */
	for (uint32_t i = 0; i < w->cooked->n_cells; i++)
		if (has_layer(w, i, layer))
			count(t, world, i, &s);
	return s.cells == 0            ? CS_LAYER_NO_CELLS
	       : s.absent == s.cells   ? CS_LAYER_ABSENT
	       : s.unknown && !s.asked ? CS_LAYER_NOT_RUN
	       : s.off && !s.asked     ? CS_LAYER_EXCLUDED
	       : !s.asked              ? CS_LAYER_OUT_OF_RANGE
	       : s.external            ? CS_LAYER_EXTERNAL_OFF
	       : s.others              ? CS_LAYER_OTHERS_OFF
	       : s.unknown             ? CS_LAYER_NOT_RUN
	       : s.failed              ? CS_LAYER_CELLS_FAILED
	       : s.short_of            ? CS_LAYER_ON_THE_WAY
	       : s.loaded              ? CS_LAYER_ONLY_LOADED
				       : CS_LAYER_IS_VISIBLE;
}
