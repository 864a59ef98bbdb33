/* SPDX-License-Identifier: Apache-2.0 */
/* The naive twin: HLODs, level states, the model of loading. */
#include "tests/unit/twin_parts.h"

/* ---- HLODs: 2.9 ---- */

static bool in_world(const struct twin_world *w, uint32_t cell)
{
	return cell != CS_NONE && (w->cells[cell].level == CS_LEVEL_VISIBLE ||
					  w->cells[cell].level == CS_LEVEL_MAKING_INVISIBLE);
}

static bool warming_on(const struct twin *t)
{
	return twin_number(t, V_WARMUP_ENABLED) != 0 && twin_number(t, V_WARMUP_NUM_FRAMES) > 0 &&
	       twin_number(t, V_WARMUP_NANITE) + twin_number(t, V_WARMUP_VT) > 0 &&
	       t->role != CS_ROLE_DEDICATED_SERVER;
}

/* PrepareToWarmup of every HLOD actor that the cell holds (to show it) or that stands for it. */
static bool warm(struct twin *t, struct twin_world *w, uint32_t cell, bool to_show)
{
	bool ready = true;
	for (uint32_t i = 0; warming_on(t) && i < w->cooked->n_hlods; i++) {
		const struct cs_cooked_hlod *h = &w->cooked->hlods[i];
		if (to_show ? h->home != cell : h->cell != cell || !in_world(w, h->home))
			continue;
		if (w->warm[i] < 0 || w->warm_frame[i] + 1 < t->frame)
			w->warm[i] = (int)twin_number(t, V_WARMUP_NUM_FRAMES);
		else if (w->warm_frame[i] != t->frame && w->warm[i] > 0)
			w->warm[i]--;
		w->warm_frame[i] = t->frame;
		ready = ready && w->warm[i] == 0;
	}
	return ready;
}

static void forget_warm(struct twin_world *w, uint32_t cell)
{
	for (uint32_t i = 0; i < w->cooked->n_hlods; i++)
		if (w->cooked->hlods[i].cell == cell)
			w->warm[i] = -1;
}

/* ---- levels: 2.6 ---- */

struct pass {
	bool flush;
	uint64_t show, hide;
};

static void instances(struct twin *t, uint32_t world, uint32_t cell, bool on)
{
	for (int i = 0; i < t->n_worlds; i++)
		if (t->worlds[i].owner.world == world && t->worlds[i].owner.cell == cell)
			twin_register(t, i, on);
}

static bool moving(const struct twin_cell *c)
{
	switch (c->level) {
	case CS_LEVEL_REMOVED:
		return false;
	case CS_LEVEL_VISIBLE:
		return !c->always && !c->should_show;
	case CS_LEVEL_NOT_VISIBLE:
		return c->should_show || !c->should_load;
	case CS_LEVEL_FAILED:
		return !c->should_load;
	default:
		return true;
	}
}

static void to_level(struct twin_cell *c, enum cs_level_state level)
{
	c->level = level;
	c->asked = false;
}

static uint64_t bytes_of(const struct twin *t, const struct twin_row *row)
{
	return (uint64_t)twin_number(t, V_BYTES_PER_CELL) +
	       twin_cooked_of(t, row->world, row->cell)->actors.count *
		       (uint64_t)twin_number(t, V_BYTES_PER_ACTOR);
}

static void load(struct twin *t, const struct twin_row *row, struct twin_cell *c)
{
	uint64_t actors = twin_cooked_of(t, row->world, row->cell)->actors.count;
	uint64_t latency = twin_nanoseconds(t, V_LATENCY);
	uint64_t duration = latency + actors * twin_nanoseconds(t, V_LOAD_PER_ACTOR);
	c->fault = c->next_fault;
	c->bytes_left = bytes_of(t, row);
	if (c->fault == CS_FAULT_SLOW) {
		c->bytes_left = (uint64_t)((double)c->bytes_left * c->factor);
		duration = (uint64_t)((double)duration * c->factor);
	}
	if (c->fault == CS_FAULT_LOAD) {
		c->bytes_left = 0;
		duration = latency;
	}
	if (twin_number(t, V_BANDWIDTH) == 0)
		c->bytes_left = 0;
	c->ready_at = t->time + duration;
	to_level(c, CS_LEVEL_LOADING);
}

static bool acknowledged(struct twin *t, struct twin_cell *c, enum variable variable, bool flush)
{
	if (t->role != CS_ROLE_CLIENT || twin_number(t, variable) == 0)
		return true;
	if (!c->asked)
		c->ack_at = t->time + twin_nanoseconds(t, V_SERVER_ACK);
	c->asked = true;
	if (flush && c->ack_at > t->time)
		t->time = c->ack_at;
	return c->ack_at <= t->time;
}

static bool is_row(const struct twin_row *a, const struct twin_row *b)
{
	return a->world == b->world && a->cell == b->cell;
}

/* True when the visibility work is done. */
static bool do_work(struct twin *t, const struct twin_row *row, struct twin_cell *c,
	struct twin_row *current, uint64_t *slice, bool flush)
{
	static const struct twin_row none = {CS_NONE, CS_NONE, false};
	if (flush) {
		t->time += c->work_left;
		c->work_left = 0;
		if (is_row(current, row))
			*current = none;
		return true;
	}
	if (current->cell != CS_NONE && !is_row(current, row))
		return false;
	if (current->cell == CS_NONE && *slice == 0 && c->work_left)
		return false;
	if (c->work_left > *slice) {
		c->work_left -= *slice;
		*slice = 0;
		*current = *row;
		return false;
	}
	*slice -= c->work_left;
	c->work_left = 0;
	*current = none;
	return true;
}

/* One step on the way of a level; false when there is none. */
static bool go(struct twin *t, const struct twin_row *row, struct pass *pass)
{
	struct twin_world *w = &t->worlds[row->world];
	struct twin_cell *c = &w->cells[row->cell];
	uint64_t actors = w->cooked->cells[row->cell].actors.count;
	static const struct twin_row none = {CS_NONE, CS_NONE, false};
	switch (c->level) {
	case CS_LEVEL_UNLOADED:
		load(t, row, c);
		return true;
	case CS_LEVEL_FAILED:
		if (c->should_load)
			return false;
		to_level(c, CS_LEVEL_REMOVED);
		return false;
	case CS_LEVEL_LOADING:
		if (c->bytes_left || t->time < c->ready_at)
			return false;
		to_level(c, c->fault == CS_FAULT_LOAD || c->fault == CS_FAULT_CORRUPT
				    ? CS_LEVEL_FAILED
				    : CS_LEVEL_NOT_VISIBLE);
		return true;
	case CS_LEVEL_NOT_VISIBLE:
		if (!c->should_show && c->should_load)
			return false;
		if (!c->should_show) {
			to_level(c, CS_LEVEL_REMOVED);
			c->around = true;
			return false;
		}
		if (twin_skipped(t, w, row->cell) || (!pass->flush && !warm(t, w, row->cell, true)))
			return false;
		to_level(c, CS_LEVEL_MAKING_VISIBLE);
		c->work_left = actors * twin_nanoseconds(t, V_SHOW_PER_ACTOR);
		instances(t, row->world, row->cell, true);
		return true;
	case CS_LEVEL_MAKING_VISIBLE:
		if (!c->should_show) {
			if (is_row(&t->showing, row))
				t->showing = none;
			to_level(c, CS_LEVEL_NOT_VISIBLE);
			instances(t, row->world, row->cell, false);
			return true;
		}
		if (twin_skipped(t, w, row->cell) ||
			!acknowledged(t, c, V_SHOW_REQUESTS, pass->flush) ||
			!do_work(t, row, c, &t->showing, &pass->show, pass->flush))
			return false;
		to_level(c, CS_LEVEL_VISIBLE);
		c->pending = false;
		return true;
	case CS_LEVEL_VISIBLE:
		if (c->should_show || (!pass->flush && !warm(t, w, row->cell, false)))
			return false;
		to_level(c, CS_LEVEL_MAKING_INVISIBLE);
		c->work_left = actors * twin_nanoseconds(t, V_HIDE_PER_ACTOR);
		instances(t, row->world, row->cell, false);
		return true;
	case CS_LEVEL_MAKING_INVISIBLE:
		if (c->should_show && !is_row(&t->hiding, row)) {
			to_level(c, CS_LEVEL_VISIBLE);
			c->pending = false;
			instances(t, row->world, row->cell, true);
			return true;
		}
		if (!acknowledged(t, c, V_HIDE_REQUESTS, pass->flush) ||
			!do_work(t, row, c, &t->hiding, &pass->hide, pass->flush))
			return false;
		to_level(c, CS_LEVEL_NOT_VISIBLE);
		c->pending = c->set == CS_LAYER_ACTIVATED;
		forget_warm(w, row->cell);
		return true;
	default:
		return false;
	}
}

/* Levels that move, best priority first, then by world and cell. */
static int list_moving(struct twin *t, struct twin_row **rows)
{
	int n = 0;
	*rows = NULL;
	for (uint32_t w = 0; w < (uint32_t)t->n_worlds; w++)
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++)
			if (moving(twin_cell_of(t, w, i)))
				twin_push(rows, &n, w, i);
	for (int i = 1; i < n; i++) {
		struct twin_row row = (*rows)[i];
		uint32_t priority = twin_cell_of(t, row.world, row.cell)->priority;
		int k = i;
		for (; k > 0 &&
			twin_cell_of(t, (*rows)[k - 1].world, (*rows)[k - 1].cell)->priority <
				priority;
			k--)
			(*rows)[k] = (*rows)[k - 1];
		(*rows)[k] = row;
	}
	return n;
}

static void read_bytes(struct twin *t, struct twin_row *rows, int n)
{
	uint64_t rate = (uint64_t)llround(twin_number(t, V_BANDWIDTH) * 1e6), wanted = 0;
	for (int i = 0; i < n; i++)
		wanted += twin_cell_of(t, rows[i].world, rows[i].cell)->bytes_left;
	unsigned __int128 all = (unsigned __int128)rate * (t->time - t->io_time) + t->io_carry;
	uint64_t bytes = (uint64_t)(all / 1000000000u);
	t->io_carry = wanted ? (uint64_t)(all % 1000000000u) : 0;
	t->io_time = t->time;
	for (int i = 0; i < n; i++) {
		struct twin_cell *c = twin_cell_of(t, rows[i].world, rows[i].cell);
		uint64_t part = c->bytes_left < bytes || rate == 0 ? c->bytes_left : bytes;
		c->bytes_left -= part;
		bytes -= rate ? part : 0;
	}
}

static void finish_loads(struct twin *t, struct twin_row *rows, int n)
{
	uint64_t rate = (uint64_t)llround(twin_number(t, V_BANDWIDTH) * 1e6);
	uint64_t bytes = 0, end = t->time;
	for (int i = 0; i < n; i++) {
		struct twin_cell *c = twin_cell_of(t, rows[i].world, rows[i].cell);
		if (c->level != CS_LEVEL_LOADING)
			continue;
		bytes += c->bytes_left;
		c->bytes_left = 0;
		end = c->ready_at > end ? c->ready_at : end;
	}
	if (rate)
		t->time += (uint64_t)(((unsigned __int128)bytes * 1000000000u + rate - 1) / rate);
	t->time = end > t->time ? end : t->time;
	t->io_time = t->time;
	t->io_carry = 0;
}

static void collect_garbage(struct twin *t)
{
	double most = twin_number(t, V_PURGE_LEVELS);
	uint64_t every = (uint64_t)(twin_number(t, V_PURGE_INTERVAL) * 1e9);
	int n = 0;
	for (int w = 0; w < t->n_worlds; w++)
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++)
			n += t->worlds[w].cells[i].around;
	if (t->time - t->purge_time < every && !(most > 0 && n > most))
		return;
	t->purge_time = t->time;
	for (int w = 0; w < t->n_worlds; w++)
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++)
			t->worlds[w].cells[i].around = false;
}

void twin_update_levels(struct twin *t, bool flush)
{
	uint64_t limit = twin_nanoseconds(t, V_SHOW_TIME_LIMIT);
	struct pass pass = {flush, limit ? limit : UINT64_MAX, limit ? limit : UINT64_MAX};
	struct twin_row *rows;
	int n = list_moving(t, &rows);
	read_bytes(t, rows, n);
	for (int i = 0; i < n; i++)
		while (go(t, &rows[i], &pass))
			;
	if (flush) {
		finish_loads(t, rows, n);
		free(rows);
		n = list_moving(t, &rows); /* an instance may have been torn down */
		for (int i = 0; i < n; i++)
			while (go(t, &rows[i], &pass))
				;
	}
	free(rows);
	if (!flush)
		collect_garbage(t);
}

bool twin_all_quiet(struct twin *t)
{
	for (uint32_t w = 0; w < (uint32_t)t->n_worlds; w++) {
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++) {
			const struct twin_cell *c = twin_cell_of(t, w, i);
			bool left_out = twin_skipped(t, &t->worlds[w], i) &&
					(c->level == CS_LEVEL_NOT_VISIBLE ||
						c->level == CS_LEVEL_MAKING_VISIBLE);
			if (moving(c) && !left_out)
				return false;
		}
	}
	return true;
}
