/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The naive twin: HLODs, level states, the model of loading.
 *
 * Rule 2.6 stands here as a table: from a state, with what is wanted and what else holds, to the
 * next state. In each frame every level looks for its row from scratch, again and again until there
 * is none. Between frames a level keeps its state, what is left to read and to work, and when it
 * asked the server; the world keeps which level is at work. Two rows that serve at once are a fault
 * of the table.
 */
#include "tests/unit/stream/twin_parts.h"

#include <stdio.h>

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

/*
 * Does PrepareToWarmup for every HLOD actor that the cell holds (to show it) or that stands for the
 * cell.
 */
static bool warm(struct twin *t, struct twin_world *w, uint32_t cell, bool to_show)
{
	bool ready = true;
	for (uint32_t i = 0; warming_on(t) && i < w->cooked->n_hlods; i++) {
		const struct cs_cooked_hlod *h = &w->cooked->hlods[i];
		if (h->flags & CS_HLOD_NO_WARMUP)
			continue;
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

/* ---- the words of the table ---- */

enum wish { NOTHING = 1, HIDDEN = 2, SHOWN = 4, NOT_SHOWN = NOTHING | HIDDEN, ANYTHING = 7 };

enum fact {
	ARRIVED = 1,  /* all bytes are read and all actors made */
	BROKEN = 2,   /* the package is missing or corrupt */
	LEFT_OUT = 4, /* 2.5: of no matter to a blocking wait for others */
	AT_WORK = 8,  /* the one level that is being made visible, or invisible */
};

/* An update of all levels, with the slices that are left of the time limit. */
struct pass {
	bool wait; /* inside of a blocking wait: no time slice, the clock goes along */
	uint64_t slice_to_show, slice_to_hide;
};

struct visit {
	struct twin *t;
	struct pass *pass;
	struct twin_row row;
	struct twin_world *world;
	struct twin_cell *c;
};

static enum wish wish_of(const struct twin_cell *c)
{
	return !c->should_load ? NOTHING : c->should_show ? SHOWN : HIDDEN;
}

static struct twin_row *at_work(const struct visit *v)
{
	return v->c->level == CS_LEVEL_MAKING_VISIBLE ? &v->t->showing : &v->t->hiding;
}

static bool is_at_work(const struct visit *v)
{
	const struct twin_row *at = at_work(v);
	return at->cell == v->row.cell && at->world == v->row.world;
}

static void leave_work(struct visit *v)
{
	if (is_at_work(v))
		*at_work(v) = (struct twin_row){CS_NONE, CS_NONE, false};
}

static unsigned facts_of(const struct visit *v)
{
	bool arrived = v->c->bytes_left == 0 && v->c->ready_at <= v->t->time;
	bool broken = v->c->fault == CS_FAULT_LOAD || v->c->fault == CS_FAULT_CORRUPT;
	bool left_out = twin_skipped(v->t, v->world, v->row.cell);
	return arrived * ARRIVED + broken * BROKEN + left_out * LEFT_OUT + is_at_work(v) * AT_WORK;
}

/* ---- what may hold a step back ---- */

/* Rule 2.9: the level warms up before it is shown, but not in a blocking wait. */
static bool warm_to_show(struct visit *v)
{
	return v->pass->wait || warm(v->t, v->world, v->row.cell, true);
}

static bool warm_to_hide(struct visit *v)
{
	return v->pass->wait || warm(v->t, v->world, v->row.cell, false);
}

/* Rule 2.7: a client asks the server before it finishes; a blocking wait waits for the answer. */
static bool answered(struct visit *v)
{
	bool shows = v->c->level == CS_LEVEL_MAKING_VISIBLE;
	if (v->t->role != CS_ROLE_CLIENT ||
		twin_number(v->t, shows ? V_SHOW_REQUESTS : V_HIDE_REQUESTS) == 0)
		return true;
	if (!v->c->asked)
		v->c->ack_at = v->t->time + twin_nanoseconds(v->t, V_SERVER_ACK);
	v->c->asked = true;
	if (v->pass->wait && v->t->time < v->c->ack_at)
		v->t->time = v->c->ack_at;
	return v->t->time >= v->c->ack_at;
}

/*
 * Gives the level its share of the time limit when no other level is at work. A level without work
 * takes none.
 */
static bool worked(struct visit *v)
{
	bool shows = v->c->level == CS_LEVEL_MAKING_VISIBLE;
	uint64_t *slice = shows ? &v->pass->slice_to_show : &v->pass->slice_to_hide;
	uint64_t share = v->c->work_left < *slice ? v->c->work_left : *slice;
	if (v->pass->wait)
		v->t->time += share = v->c->work_left;
	else if (at_work(v)->cell != CS_NONE && !is_at_work(v))
		return false;
	else
		*slice -= share;
	v->c->work_left -= share;
	if (v->c->work_left == 0)
		leave_work(v);
	else if (share)
		*at_work(v) = v->row;
	return v->c->work_left == 0;
}

/* ---- what a step does; the level is still in the old state ---- */

static uint64_t actors_of(const struct visit *v)
{
	return cs_cooked_cell(v->world->cooked, v->row.cell)->actors.count;
}

/* Rule 2.1: level instances are registered when the level that holds them begins to show. */
static void register_instances(struct visit *v, bool on)
{
	for (int i = 0; i < v->t->n_worlds; i++) {
		struct cs_stream_cell owner = v->t->worlds[i].owner;
		if (owner.cell == v->row.cell && owner.world == v->row.world)
			twin_register(v->t, i, on);
	}
}

/*
 * By the model a load takes a time of its own, while its bytes wait for the bandwidth that all
 * loads share.
 */
static void begin_load(struct visit *v)
{
	const struct twin *t = v->t;
	double factor = v->c->next_fault == CS_FAULT_SLOW ? v->c->factor : 1;
	uint64_t n = actors_of(v), latency = twin_nanoseconds(t, V_LATENCY);
	uint64_t bytes = (uint64_t)twin_number(t, V_BYTES_PER_CELL) +
			 n * (uint64_t)twin_number(t, V_BYTES_PER_ACTOR);
	uint64_t time = latency + n * twin_nanoseconds(t, V_LOAD_PER_ACTOR);
	bool missing = v->c->next_fault == CS_FAULT_LOAD; /* seen where the first byte lacks */
	bool counts = !missing && twin_number(t, V_BANDWIDTH) != 0;
	v->c->fault = v->c->next_fault;
	v->c->bytes_left = counts ? (uint64_t)((double)bytes * factor) : 0;
	v->c->ready_at = t->time + (missing ? latency : (uint64_t)((double)time * factor));
}

static void begin_work(struct visit *v, enum variable per_actor)
{
	v->c->work_left = actors_of(v) * twin_nanoseconds(v->t, per_actor);
	v->c->asked = false;
}

static void begin_to_show(struct visit *v)
{
	begin_work(v, V_SHOW_PER_ACTOR);
	register_instances(v, true);
}

static void begin_to_hide(struct visit *v)
{
	begin_work(v, V_HIDE_PER_ACTOR);
	register_instances(v, false);
}

static void give_up_showing(struct visit *v)
{
	leave_work(v);
	register_instances(v, false);
}

/* Rule 2.3.3: an activated level waits to be added to the world until it is shown. */
static void be_shown(struct visit *v)
{
	v->c->pending = false;
}

static void be_shown_again(struct visit *v)
{
	v->c->pending = false;
	register_instances(v, true);
}

/*
 * Rule 2.3.3: a level that is hidden while it is still activated waits once more. Rule 2.9: its
 * warm-up is forgotten.
 */
static void be_hidden(struct visit *v)
{
	v->c->pending = v->c->set == CS_LAYER_ACTIVATED;
	forget_warm(v->world, v->row.cell);
}

/* Leaves the world object of the level as garbage that nobody has collected yet. */
static void leave_garbage(struct visit *v)
{
	v->c->around = true;
}

/* ---- levels: 2.6 ---- */

struct transition {
	enum cs_level_state from;
	unsigned wanted, holds, fails;  /* one of these wishes; all of these facts; none of these */
	bool (*may[2])(struct visit *); /* false: held back; asked in this order */
	enum cs_level_state to;
	void (*event)(struct visit *);
};

/*
 * Not in the words of the rule, and ours: what is no longer wanted while it is being shown goes
 * back at once, whatever was done; what is wanted again while it waits to be hidden is visible
 * again at once, but hiding that has begun ends first.
 */
/* clang-format off */
static const struct transition transitions[] = {
	/* Unloaded --ShouldBeLoaded--> Loading */
	{CS_LEVEL_UNLOADED, HIDDEN | SHOWN, 0, 0, {NULL}, CS_LEVEL_LOADING, begin_load},
	/* Loading --package ready--> LoadedNotVisible; a cancelled load still finishes */
	{CS_LEVEL_LOADING, ANYTHING, ARRIVED, BROKEN, {NULL}, CS_LEVEL_NOT_VISIBLE, NULL},
	/* Loading --error--> FailedToLoad */
	{CS_LEVEL_LOADING, ANYTHING, ARRIVED | BROKEN, 0, {NULL}, CS_LEVEL_FAILED, NULL},
	/* not retried unless re-requested; there is nothing to unload */
	{CS_LEVEL_FAILED, NOTHING, 0, 0, {NULL}, CS_LEVEL_REMOVED, NULL},
	/* LoadedNotVisible --ShouldBeVisible--> MakingVisible; CanMakeVisible: 2.5, 2.9 */
	{CS_LEVEL_NOT_VISIBLE, SHOWN, 0, LEFT_OUT, {warm_to_show},
		CS_LEVEL_MAKING_VISIBLE, begin_to_show},
	/* MakingVisible --done--> LoadedVisible; CanMakeVisible: 2.5, 2.7 */
	{CS_LEVEL_MAKING_VISIBLE, SHOWN, 0, LEFT_OUT, {answered, worked},
		CS_LEVEL_VISIBLE, be_shown},
	{CS_LEVEL_MAKING_VISIBLE, NOT_SHOWN, 0, 0, {NULL}, CS_LEVEL_NOT_VISIBLE, give_up_showing},
	/* LoadedVisible --!ShouldBeVisible--> MakingInvisible; CanMakeInvisible: 2.9 */
	{CS_LEVEL_VISIBLE, NOT_SHOWN, 0, 0, {warm_to_hide},
		CS_LEVEL_MAKING_INVISIBLE, begin_to_hide},
	/* MakingInvisible --> LoadedNotVisible; 2.7 */
	{CS_LEVEL_MAKING_INVISIBLE, NOT_SHOWN, 0, 0, {answered, worked},
		CS_LEVEL_NOT_VISIBLE, be_hidden},
	{CS_LEVEL_MAKING_INVISIBLE, SHOWN, AT_WORK, 0, {answered, worked},
		CS_LEVEL_NOT_VISIBLE, be_hidden},
	{CS_LEVEL_MAKING_INVISIBLE, SHOWN, 0, AT_WORK, {NULL}, CS_LEVEL_VISIBLE, be_shown_again},
	/* LoadedNotVisible --!ShouldBeLoaded--> Unloaded --> Removed */
	{CS_LEVEL_NOT_VISIBLE, NOTHING, 0, 0, {NULL}, CS_LEVEL_UNLOADED, leave_garbage},
	{CS_LEVEL_UNLOADED, NOTHING, 0, 0, {NULL}, CS_LEVEL_REMOVED, NULL},
};
/* clang-format on */

enum { TRANSITIONS = sizeof(transitions) / sizeof(transitions[0]) };

static bool leads_on(const struct transition *step, const struct twin_cell *c)
{
	return step->from == c->level && (step->wanted & wish_of(c));
}

/*
 * Returns whether a level is in a state in which it should not stay. Always loaded cells are no
 * streaming levels.
 */
static bool on_its_way(const struct twin_cell *c)
{
	bool leads = false;
	for (int i = 0; i < TRANSITIONS; i++)
		leads = leads || leads_on(&transitions[i], c);
	return leads && !c->always;
}

bool twin_is_on_its_way(const struct twin_cell *c)
{
	return on_its_way(c);
}

static const struct transition *find_transition(const struct visit *v)
{
	const struct transition *found = NULL;
	unsigned facts = facts_of(v);
	for (int i = 0; i < TRANSITIONS; i++) {
		const struct transition *step = &transitions[i];
		if (!leads_on(step, v->c) || (facts & step->holds) != step->holds ||
			(facts & step->fails))
			continue;
		if (found) {
			fprintf(stderr, "twin: two ways lead on from level state %d\n", step->from);
			abort();
		}
		found = step;
	}
	return found;
}

/* Returns what keeps a level on its way: a step that is held back, or a missing fact. */
static enum cs_reason delay(const struct visit *v, bool (*may)(struct visit *))
{
	const struct twin_cell *c = v->c;
	bool shows = c->level == CS_LEVEL_MAKING_VISIBLE;
	if (may == warm_to_show || may == warm_to_hide)
		return CS_REASON_WARMUP;
	if (may == answered)
		return CS_REASON_SERVER_ACK;
	if (may == worked && !is_at_work(v))
		return CS_REASON_TURN;
	if (may == worked)
		return shows ? CS_REASON_MAKING_VISIBLE : CS_REASON_MAKING_INVISIBLE;
	if (c->level == CS_LEVEL_LOADING)
		return c->should_load ? CS_REASON_LOADING : CS_REASON_CANCELLED;
	return CS_REASON_PERFORMANCE;
}

static void tell(struct visit *v, enum cs_level_state to)
{
	struct twin *t = v->t;
	t->changes = realloc(t->changes, (size_t)(t->n_changes + 1) * sizeof(*t->changes));
	t->changes[t->n_changes++] =
		(struct twin_change){v->row.world, v->row.cell, v->c->level, to};
}

static bool go(struct visit *v)
{
	const struct transition *step = find_transition(v);
	for (int i = 0; step && i < 2; i++)
		if (step->may[i] && !step->may[i](v)) {
			v->c->waits = delay(v, step->may[i]);
			return false;
		}
	if (!step) {
		v->c->waits = delay(v, NULL);
		return false;
	}
	tell(v, step->to);
	if (step->event)
		step->event(v);
	v->c->level = step->to;
	return true;
}

/* ---- all levels ---- */

/*
 * Lists the levels on their way by priority, then by world and cell, taking the best that is left
 * again and again.
 */
static int list_levels(struct twin *t, struct twin_row **rows)
{
	int n = 0;
	*rows = NULL;
	for (uint32_t w = 0; w < (uint32_t)t->n_worlds; w++)
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++)
			if (on_its_way(twin_cell_of(t, w, i)))
				twin_push(rows, &n, w, i);
	for (int done = 0; done < n; done++) {
		int best = done;
		for (int i = done + 1; i < n; i++)
			if (twin_cell_of(t, (*rows)[i].world, (*rows)[i].cell)->priority >
				twin_cell_of(t, (*rows)[best].world, (*rows)[best].cell)->priority)
				best = i;
		struct twin_row row = (*rows)[best];
		memmove(&(*rows)[done + 1], &(*rows)[done], (size_t)(best - done) * sizeof(row));
		(*rows)[done] = row;
	}
	return n;
}

static void update_all(struct twin *t, struct pass *pass, const struct twin_row *rows, int n)
{
	for (int i = 0; i < n; i++) {
		struct visit v = {t, pass, rows[i], &t->worlds[rows[i].world],
			twin_cell_of(t, rows[i].world, rows[i].cell)};
		while (go(&v))
			;
	}
}

/* ---- the model of loading ---- */

enum { NANOSECONDS = 1000000000 };

static uint64_t bytes_per_second(const struct twin *t)
{
	return (uint64_t)llround(twin_number(t, V_BANDWIDTH) * 1e6);
}

/* Adds the bandwidth of the frame, in parts of a byte; each level takes the bytes that it lacks. */
static void read_bytes(struct twin *t, const struct twin_row *rows, int n)
{
	uint64_t rate = bytes_per_second(t);
	unsigned __int128 saved = t->io_carry + (unsigned __int128)rate * (t->time - t->io_time);
	bool wanted = false;
	for (int i = 0; i < n; i++) {
		struct twin_cell *c = twin_cell_of(t, rows[i].world, rows[i].cell);
		wanted = wanted || c->bytes_left;
		if (rate == 0)
			c->bytes_left = 0;
		uint64_t part = saved / NANOSECONDS < c->bytes_left
					? (uint64_t)(saved / NANOSECONDS)
					: c->bytes_left;
		c->bytes_left -= part;
		saved -= (unsigned __int128)part * NANOSECONDS;
	}
	t->io_carry = wanted ? (uint64_t)(saved % NANOSECONDS) : 0;
	t->io_time = t->time;
}

/* In a blocking wait, reads the last byte and makes the last actor of each level. */
static void finish_loads(struct twin *t)
{
	uint64_t rate = bytes_per_second(t), bytes = 0, ready = 0;
	for (int w = 0; w < t->n_worlds; w++) {
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++) {
			struct twin_cell *c = &t->worlds[w].cells[i];
			if (c->level != CS_LEVEL_LOADING)
				continue;
			bytes += c->bytes_left;
			c->bytes_left = 0;
			ready = c->ready_at > ready ? c->ready_at : ready;
		}
	}
	unsigned __int128 work = (unsigned __int128)bytes * NANOSECONDS;
	if (rate)
		t->time += (uint64_t)(work / rate) + (work % rate != 0);
	t->time = ready > t->time ? ready : t->time;
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

/* ---- the update ---- */

/*
 * By rule 2.5 a wait updates levels and flushes loads. We read it as one action, so what has come
 * goes on in the same update; in other frames it goes on in the next one.
 */
void twin_update_levels(struct twin *t, bool flush)
{
	uint64_t limit = twin_nanoseconds(t, V_SHOW_TIME_LIMIT);
	struct pass pass = {flush, limit ? limit : UINT64_MAX, limit ? limit : UINT64_MAX};
	struct twin_row *rows;
	int n = list_levels(t, &rows);
	read_bytes(t, rows, n);
	update_all(t, &pass, rows, n);
	free(rows);
	if (!flush) {
		collect_garbage(t);
		return;
	}
	finish_loads(t);
	n = list_levels(t, &rows);
	update_all(t, &pass, rows, n);
	free(rows);
}

/*
 * Rule 2.5: returns whether nothing loads and nothing waits to be shown or hidden, except levels
 * that performance leaves out.
 */
bool twin_all_quiet(struct twin *t)
{
	for (uint32_t w = 0; w < (uint32_t)t->n_worlds; w++) {
		for (uint32_t i = 0; i < t->worlds[w].cooked->n_cells; i++) {
			const struct twin_cell *c = twin_cell_of(t, w, i);
			bool left_out = twin_skipped(t, &t->worlds[w], i);
			for (int k = 0; k < TRANSITIONS && !c->always; k++)
				if (leads_on(&transitions[k], c) &&
					!(left_out && (transitions[k].fails & LEFT_OUT)))
					return false;
		}
	}
	return true;
}
