/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the residents (cells in a set of the policy, or with a level that still exists), the states
 * of their streaming levels (rule 2.6), and the model of loading.
 *
 *	Unloaded -> Loading -> NotVisible -> MakingVisible -> Visible
 *	Visible -> MakingInvisible -> NotVisible -> Unloaded -> Removed;  Loading -> Failed
 *
 * The model, in virtual time: a load takes latency plus a cost per actor, and its bytes arrive over
 * one line that all loads share in the order of their priority. Showing and hiding take work per
 * actor; one level at a time is shown and one hidden, for a slice of the frame. What is left of the
 * slice goes to the next level in order.
 *
 * Invariant: `moving` contains exactly the residents whose level is not in its target state and can
 * still reach it. A frame examines only these. Always loaded cells are not among them: they change
 * at once.
 */
#include "stream/stream_internal.h"

#include "core/invariant.h"
#include "core/sort.h"

/* ---- sizes ---- */

uint32_t cs_run_cell_actors(const struct cs_run_world *w, uint32_t cell)
{
	return w->model.cooked->cells[cell].actors.count;
}

struct cs_stream_load_sizes cs_stream_load_sizes(const struct cs_stream *stream)
{
	return (struct cs_stream_load_sizes){(uint64_t)cs_run_number(stream, CS_VAR_CELL_BYTES),
		(uint64_t)cs_run_number(stream, CS_VAR_ACTOR_BYTES)};
}

uint64_t cs_run_cell_bytes(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	/* a world that the engine cooked has the sizes of its packages */
	if (w->model.cooked->n_cell_bytes > 0 && w->model.cooked->cell_bytes[cell] > 0)
		return w->model.cooked->cell_bytes[cell];
	const struct cs_cooked *cooked = w->model.cooked;
	const struct cs_stream_load_sizes sizes = cs_stream_load_sizes(s);
	return sizes.cell + cs_run_cell_actors(w, cell) * sizes.actor +
	       (cooked->n_cell_mesh_bytes > 0 ? cooked->cell_mesh_bytes[cell] : 0);
}

/* ---- residents ---- */

/* Rule 2.6: the state of a cell follows from its level. */
enum cs_layer_state cs_run_current_state(const struct cs_run_cell *r)
{
	if (r && r->level == CS_LEVEL_VISIBLE)
		return CS_LAYER_ACTIVATED;
	return r && cs_run_level_loaded(r->level) ? CS_LAYER_LOADED : CS_LAYER_UNLOADED;
}

static bool can_move(const struct cs_run_cell *r)
{
	switch ((enum cs_level_state)r->level) {
	case CS_LEVEL_VISIBLE:
		return !r->should_show;
	case CS_LEVEL_NOT_VISIBLE:
		return r->should_show || !r->should_load;
	case CS_LEVEL_REMOVED:
		return r->should_load;
	case CS_LEVEL_FAILED:
		return !r->should_load;
	default:
		return true;
	}
}

static bool counts_as_loading(const struct cs_run_cell *r)
{
	return r->level == CS_LEVEL_LOADING ||
	       (r->should_load && (r->level == CS_LEVEL_REMOVED || r->level == CS_LEVEL_UNLOADED));
}

static bool is_always_loaded(const struct cs_run_world *w, const struct cs_run_cell *r)
{
	return (w->model.flags[r->cell] & CS_CELL_ALWAYS_LOADED) != 0;
}

struct cs_run_cell *cs_run_resident(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	struct cs_run_cell *r = cs_run_find(w, cell);
	if (r)
		return r;
	if (!cs_vec_push(&w->residents.cells,
		    (struct cs_run_cell){.cell = cell, .since = s->clock.frame}))
		return NULL;
	w->residents.cell_slot[cell] = (uint32_t)w->residents.cells.n - 1;
	struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	if (hit)
		hit->absent = false;
	return &w->residents.cells.at[w->residents.cells.n - 1];
}

/* Must not be called while a pointer to a resident of the world is in use. */
static void forget_if_gone(struct cs_run_world *w, uint32_t cell)
{
	struct cs_run_cell *r = cs_run_find(w, cell);
	if (!r || r->set != CS_LAYER_UNLOADED || r->level != CS_LEVEL_REMOVED || r->around ||
		r->moving)
		return;
	*r = w->residents.cells.at[--w->residents.cells.n];
	w->residents.cell_slot[r->cell] = (uint32_t)(r - w->residents.cells.at);
}

static void start_moving(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	if (r->moving || !can_move(r))
		return;
	if (!cs_vec_push(&s->levels.moving, (struct cs_stream_cell){w->id, r->cell})) {
		s->failed = true;
		return;
	}
	r->moving = true;
	s->levels.sorted = false;
}

static void set_pending(struct cs_run_world *w, struct cs_run_cell *r, bool pending)
{
	w->residents.n_pending_add += pending - r->pending_add;
	r->pending_add = pending;
}

static void count_resident(
	struct cs_stream *s, const struct cs_run_world *w, const struct cs_run_cell *r, int sign)
{
	uint64_t n = (uint64_t)(int64_t)sign;
	if (!cs_run_level_loaded(r->level))
		return;
	s->levels.cells_loaded += n;
	s->levels.cells_visible += r->level == CS_LEVEL_VISIBLE ? n : 0;
	s->levels.actors += n * cs_run_cell_actors(w, r->cell);
	s->levels.bytes += n * r->bytes;
}

/* ---- changes of state ---- */

static void register_instances(struct cs_stream *s, struct cs_stream_cell owner, bool on)
{
	for (size_t i = 0; s->worlds.n > 1 && i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		if (cs_run_same_cell(w->owner, owner) && w->registered != on)
			cs_run_world_register(s, w, on);
	}
}

static void count_change(struct cs_stream *s, const struct cs_run_cell *r, uint8_t from, uint8_t to)
{
	s->log.now.loads += to == CS_LEVEL_LOADING;
	s->log.now.loaded += from == CS_LEVEL_LOADING && to == CS_LEVEL_NOT_VISIBLE;
	s->log.now.failed += to == CS_LEVEL_FAILED;
	s->log.now.shows += to == CS_LEVEL_VISIBLE && from == CS_LEVEL_MAKING_VISIBLE;
	s->log.now.hides += from == CS_LEVEL_MAKING_INVISIBLE && to == CS_LEVEL_NOT_VISIBLE;
	s->log.now.unloads += to == CS_LEVEL_UNLOADED;
	s->log.now.thrash += to == CS_LEVEL_UNLOADED &&
			     s->clock.time - r->loaded_at <
				     (uint64_t)(cs_run_number(s, CS_VAR_THRASH_TIME) * 1e9);
}

static void change_level(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	enum cs_level_state to, enum cs_reason reason)
{
	uint8_t from = r->level;
	s->levels.n_loading -= counts_as_loading(r);
	count_resident(s, w, r, -1);
	r->level = (uint8_t)to;
	r->since = s->clock.frame;
	r->hold = CS_REASON_NONE;
	r->asked = false;
	s->levels.n_loading += counts_as_loading(r);
	count_resident(s, w, r, 1);
	count_change(s, r, from, (uint8_t)to);
	cs_run_event(s, CS_EVENT_LEVEL, (struct cs_stream_cell){w->id, r->cell}, r->fault, from, to,
		reason);
}

static void become_visible(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	set_pending(w, r, false);
	change_level(s, w, r, CS_LEVEL_VISIBLE, CS_REASON_NONE);
	cs_run_hlods_shown(s, w, r->cell);
}

static void become_invisible(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	change_level(s, w, r, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
	if (r->set == CS_LAYER_ACTIVATED)
		set_pending(w, r, true);
	cs_run_hlods_hidden(s, w, r->cell);
}

/* Changes a cell of the persistent level: it is loaded as soon as it is wanted, without a level. */
static void change_always_loaded(
	struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r, enum cs_reason reason)
{
	bool visible = r->set != CS_LAYER_UNLOADED;
	if (visible == (r->level == CS_LEVEL_VISIBLE))
		return;
	r->bytes = cs_run_cell_bytes(s, w, r->cell);
	change_level(s, w, r, visible ? CS_LEVEL_VISIBLE : CS_LEVEL_REMOVED, reason);
	(visible ? cs_run_hlods_shown : cs_run_hlods_hidden)(s, w, r->cell);
}

void cs_run_set_change(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	enum cs_layer_state set, enum cs_reason reason)
{
	uint32_t cell = r->cell;
	cs_run_event(s, CS_EVENT_SET, (struct cs_stream_cell){w->id, cell}, 0, r->set, set, reason);
	w->residents.n_in_sets += (set != CS_LAYER_UNLOADED) - (r->set != CS_LAYER_UNLOADED);
	w->serving.wants_changed = true;
	r->set = (uint8_t)set;
	if (is_always_loaded(w, r)) {
		change_always_loaded(s, w, r, reason);
		forget_if_gone(w, cell);
		return;
	}
	s->levels.n_loading -= counts_as_loading(r);
	r->should_load = set != CS_LAYER_UNLOADED;
	r->should_show = set == CS_LAYER_ACTIVATED;
	if (r->should_load && r->level == CS_LEVEL_REMOVED) {
		s->levels.n_around -= r->around;
		r->around = false;
		r->level = CS_LEVEL_UNLOADED;
		r->since = s->clock.frame;
		r->loaded_at = 0;
	}
	s->levels.n_loading += counts_as_loading(r);
	set_pending(w, r, r->should_show && r->level != CS_LEVEL_VISIBLE);
	start_moving(s, w, r);
	r->hold = r->moving ? CS_REASON_NOT_RUN : CS_REASON_NONE; /* until its level is updated */
	forget_if_gone(w, cell);
}

/* ---- loading ---- */

struct slices {
	bool flush;
	uint64_t show, hide, load; /* ns of work that remain in this frame */
};

/* Returns value x factor, for times and sizes far below the maximum of u64. */
static uint64_t scaled(uint64_t value, double factor)
{
	double product = (double)value * factor;
	return product < 9e18 ? (uint64_t)product : UINT64_C(9000000000000000000);
}

static void begin_load(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	const struct cs_run_fault *fault =
		cs_run_fault_of(s, (struct cs_stream_cell){w->id, r->cell});
	uint64_t latency = cs_run_ns(s, CS_VAR_LATENCY);
	uint64_t work = cs_run_cell_actors(w, r->cell) * cs_run_ns(s, CS_VAR_LOAD_PER_ACTOR);
	double factor = fault && fault->fault == CS_FAULT_SLOW ? fault->factor : 1;
	r->fault = fault ? (uint8_t)fault->fault : CS_FAULT_NONE;
	r->bytes = cs_run_cell_bytes(s, w, r->cell);
	r->bytes_left = scaled(r->bytes, factor);
	r->work_left = cs_run_costs(s) ? scaled(work, factor) : 0;
	r->ready_at = s->clock.time + scaled(latency + work, factor) - r->work_left;
	if (r->fault == CS_FAULT_LOAD) {
		r->bytes_left = r->work_left = 0;
		r->ready_at = s->clock.time + latency;
	}
	if (cs_run_number(s, CS_VAR_BANDWIDTH) == 0)
		r->bytes_left = 0;
	change_level(s, w, r, CS_LEVEL_LOADING, CS_REASON_NONE);
}

/* Does the game thread's work for a level whose bytes have arrived; true when it is complete. */
static bool create_actors(struct cs_stream *s, const struct cs_run_world *w, struct cs_run_cell *r,
	struct slices *slices)
{
	if (slices->flush) {
		s->clock.time += r->work_left;
		r->work_left = 0;
		return true;
	}
	cs_run_cost_spend(s, CS_WORK_LOAD, (struct cs_stream_cell){w->id, r->cell}, &r->work_left,
		&slices->load);
	return r->work_left == 0;
}

static bool finish_load(
	struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r, struct slices *slices)
{
	if (r->bytes_left > 0 || s->clock.time < r->ready_at ||
		(r->work_left > 0 && !create_actors(s, w, r, slices))) {
		r->hold = r->should_load ? CS_REASON_LOADING : CS_REASON_CANCELLED;
		return false;
	}
	r->loaded_at = s->clock.time;
	if (r->fault == CS_FAULT_LOAD || r->fault == CS_FAULT_CORRUPT)
		change_level(s, w, r, CS_LEVEL_FAILED, CS_REASON_FAILED);
	else
		change_level(s, w, r, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
	return true;
}

static struct cs_run_cell *moving_cell(const struct cs_stream *s, size_t i)
{
	return cs_run_find(s->worlds.at[s->levels.moving.at[i].world], s->levels.moving.at[i].cell);
}

static void deliver(struct cs_stream *s)
{
	bool wanted = false;
	if (s->levels.moving.n == 0) {
		s->levels.io_time = s->clock.time;
		s->levels.io_carry = 0;
		return;
	}
	for (size_t i = 0; i < s->levels.moving.n && !wanted; i++)
		wanted = moving_cell(s, i)->bytes_left > 0;
	uint64_t bytes = cs_run_bytes_arrived(s, wanted);
	for (size_t i = 0; wanted && bytes && i < s->levels.moving.n; i++) {
		struct cs_run_cell *r = moving_cell(s, i);
		uint64_t part = r->bytes_left < bytes ? r->bytes_left : bytes;
		r->bytes_left -= part;
		bytes -= part;
	}
}

/* ---- showing and hiding ---- */

static bool answered(
	struct cs_stream *s, struct cs_run_cell *r, enum cs_run_variable variable, bool flush)
{
	if (s->role != CS_ROLE_CLIENT || cs_run_number(s, variable) == 0)
		return true;
	if (!r->asked) {
		r->asked = true;
		r->ack_at = s->clock.time + cs_run_ns(s, CS_VAR_SERVER_ACK);
	}
	if (flush && s->clock.time < r->ack_at)
		s->clock.time = r->ack_at;
	return s->clock.time >= r->ack_at;
}

/* Works on the level with the rest of the slice; true when the work is complete. */
static bool work(struct cs_stream *s, const struct cs_run_world *w, struct cs_run_cell *r,
	struct cs_stream_cell *slot, struct slices *slices, uint64_t *slice)
{
	struct cs_stream_cell cell = {w->id, r->cell};
	bool mine = cs_run_same_cell(*slot, cell);
	if (slices->flush) {
		s->clock.time += r->work_left;
		r->work_left = 0;
	} else if (!mine && (slot->cell != CS_NONE || (*slice == 0 && r->work_left > 0))) {
		r->hold = CS_REASON_TURN;
		return false;
	} else {
		const bool shows = r->level == CS_LEVEL_MAKING_VISIBLE;
		s->log.now.work_ns += cs_run_cost_spend(
			s, shows ? CS_WORK_SHOW : CS_WORK_HIDE, cell, &r->work_left, slice);
		r->hold = r->level == CS_LEVEL_MAKING_VISIBLE ? CS_REASON_MAKING_VISIBLE
							      : CS_REASON_MAKING_INVISIBLE;
		*slot = cell;
		mine = true;
	}
	if (mine && r->work_left == 0)
		*slot = CS_STREAM_NO_CELL;
	return r->work_left == 0;
}

static void leave_slot(struct cs_stream_cell *slot, const struct cs_run_world *w, uint32_t cell)
{
	if (cs_run_same_cell(*slot, (struct cs_stream_cell){w->id, cell}))
		*slot = CS_STREAM_NO_CELL;
}

static bool begin_show(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	const struct slices *slices)
{
	if (!r->should_show) {
		if (r->should_load)
			return false;
		change_level(s, w, r, CS_LEVEL_UNLOADED, CS_REASON_NONE);
		return true;
	}
	if (cs_run_skips(s, w, r->cell)) {
		r->hold = CS_REASON_PERFORMANCE;
		return false;
	}
	if (!slices->flush && !cs_run_can_show(s, w, r->cell)) {
		r->hold = CS_REASON_WARMUP;
		return false;
	}
	r->work_left = cs_run_cell_actors(w, r->cell) * cs_run_ns(s, CS_VAR_SHOW_PER_ACTOR);
	change_level(s, w, r, CS_LEVEL_MAKING_VISIBLE, CS_REASON_NONE);
	register_instances(s, (struct cs_stream_cell){w->id, r->cell}, true);
	return true;
}

static bool go_on_showing(
	struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r, struct slices *slices)
{
	if (!r->should_show) {
		leave_slot(&s->levels.showing, w, r->cell);
		register_instances(s, (struct cs_stream_cell){w->id, r->cell}, false);
		change_level(s, w, r, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
		return true;
	}
	if (cs_run_skips(s, w, r->cell)) {
		r->hold = CS_REASON_PERFORMANCE;
		return false;
	}
	if (!answered(s, r, CS_VAR_SHOW_TRANSACTIONS, slices->flush)) {
		r->hold = CS_REASON_SERVER_ACK;
		return false;
	}
	if (!work(s, w, r, &s->levels.showing, slices, &slices->show))
		return false;
	become_visible(s, w, r);
	return true;
}

static bool begin_hide(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	const struct slices *slices)
{
	if (r->should_show)
		return false;
	if (!slices->flush && !cs_run_can_hide(s, w, r->cell)) {
		r->hold = CS_REASON_WARMUP;
		return false;
	}
	r->work_left = cs_run_cell_actors(w, r->cell) * cs_run_ns(s, CS_VAR_HIDE_PER_ACTOR);
	change_level(s, w, r, CS_LEVEL_MAKING_INVISIBLE, CS_REASON_NONE);
	register_instances(s, (struct cs_stream_cell){w->id, r->cell}, false);
	return true;
}

/* Hiding that has begun is finished; before that it can be cancelled. */
static bool go_on_hiding(
	struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r, struct slices *slices)
{
	struct cs_stream_cell cell = {w->id, r->cell};
	if (r->should_show && !cs_run_same_cell(s->levels.hiding, cell)) {
		register_instances(s, cell, true);
		set_pending(w, r, false);
		change_level(s, w, r, CS_LEVEL_VISIBLE, CS_REASON_NONE);
		return true;
	}
	if (!answered(s, r, CS_VAR_HIDE_TRANSACTIONS, slices->flush)) {
		r->hold = CS_REASON_SERVER_ACK;
		return false;
	}
	if (!work(s, w, r, &s->levels.hiding, slices, &slices->hide))
		return false;
	become_invisible(s, w, r);
	return true;
}

/* ---- the update ---- */

static void remove_level(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	bool was_loaded = r->level == CS_LEVEL_UNLOADED && r->loaded_at > 0;
	change_level(s, w, r, CS_LEVEL_REMOVED, CS_REASON_NONE);
	r->around = was_loaded;
	s->levels.n_around += was_loaded;
}

/* Advances the level by one state; false when it waits or has arrived. */
static bool advance(
	struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r, struct slices *slices)
{
	switch ((enum cs_level_state)r->level) {
	case CS_LEVEL_UNLOADED:
		if (r->should_load)
			begin_load(s, w, r);
		else
			remove_level(s, w, r);
		return true;
	case CS_LEVEL_FAILED:
		if (r->should_load)
			return false;
		change_level(s, w, r, CS_LEVEL_REMOVED, CS_REASON_NONE);
		return true;
	case CS_LEVEL_LOADING:
		return finish_load(s, w, r, slices);
	case CS_LEVEL_NOT_VISIBLE:
		return begin_show(s, w, r, slices);
	case CS_LEVEL_MAKING_VISIBLE:
		return go_on_showing(s, w, r, slices);
	case CS_LEVEL_VISIBLE:
		return begin_hide(s, w, r, slices);
	case CS_LEVEL_MAKING_INVISIBLE:
		return go_on_hiding(s, w, r, slices);
	default:
		return false;
	}
}

struct ranked {
	struct cs_stream_cell cell;
	uint32_t priority;
};

static int by_rank(const void *left, const void *right, void *context)
{
	const struct ranked *l = left, *r = right;
	(void)context;
	if (l->priority != r->priority)
		return l->priority > r->priority ? -1 : 1;
	return cs_run_cell_order(l->cell, r->cell);
}

static bool sort_moving(struct cs_stream *s)
{
	size_t n = s->levels.moving.n;
	struct ranked *ranked = cs_run_scratch(s, n * 2, sizeof(*ranked));
	if (!ranked)
		return false;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){s->levels.moving.at[i], moving_cell(s, i)->priority};
	cs_sort_in(ranked, n, sizeof(*ranked), by_rank, NULL, ranked + n);
	for (size_t i = 0; i < n; i++)
		s->levels.moving.at[i] = ranked[i].cell;
	s->levels.sorted = true;
	return true;
}

/* Resets the members about the change, so that the resident does not depend on how it got there. */
static void come_to_rest(struct cs_run_cell *r)
{
	r->moving = false;
	r->hold = CS_REASON_NONE;
	r->source_priority = 0;
	r->spatial = r->distance2 = 0;
	r->priority = 0;
	r->ready_at = r->ack_at = 0;
	r->bytes_left = r->work_left = 0;
}

static void settle_moving(struct cs_stream *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->levels.moving.n; i++) {
		struct cs_stream_cell cell = s->levels.moving.at[i];
		struct cs_run_cell *r = moving_cell(s, i);
		if (can_move(r)) {
			s->levels.moving.at[kept++] = cell;
			continue;
		}
		come_to_rest(r);
		forget_if_gone(s->worlds.at[cell.world], cell.cell);
	}
	s->levels.moving.n = kept;
}

/* Advances the clock to the time when every current load is complete. */
static void flush_loads(struct cs_stream *s)
{
	uint64_t bytes = 0, ready = s->clock.time;
	for (size_t i = 0; i < s->levels.moving.n; i++) {
		struct cs_run_cell *r = moving_cell(s, i);
		if (r->level != CS_LEVEL_LOADING)
			continue;
		bytes += r->bytes_left;
		r->bytes_left = 0;
		ready = r->ready_at > ready ? r->ready_at : ready;
	}
	s->clock.time += cs_run_bytes_time(s, bytes);
	s->clock.time = ready > s->clock.time ? ready : s->clock.time;
	s->levels.io_time = s->clock.time;
	s->levels.io_carry = 0;
}

static void advance_all(struct cs_stream *s, struct slices *slices)
{
	for (size_t i = 0, n = s->levels.moving.n; i < n; i++) {
		struct cs_run_world *w = s->worlds.at[s->levels.moving.at[i].world];
		struct cs_run_cell *r = moving_cell(s, i);
		while (advance(s, w, r, slices))
			;
	}
}

/* Collects garbage when enough levels or enough time have accumulated: all of it at once. */
static void purge(struct cs_stream *s)
{
	double most = cs_run_number(s, CS_VAR_PURGE_LEVELS);
	uint64_t interval = (uint64_t)(cs_run_number(s, CS_VAR_PURGE_INTERVAL) * 1e9);
	bool due = s->clock.time - s->levels.purge_time >= interval ||
		   (most > 0 && s->levels.n_around > most);
	if (!due)
		return;
	s->levels.purge_time = s->clock.time;
	if (s->levels.n_around == 0)
		return;
	cs_run_event(
		s, CS_EVENT_PURGE, CS_STREAM_NO_CELL, s->levels.n_around, 0, 0, CS_REASON_NONE);
	if (cs_run_costs(s))
		cs_run_cost_note(s, CS_WORK_PURGE, CS_STREAM_NO_CELL,
			s->levels.n_around * cs_run_ns(s, CS_VAR_PURGE_PER_LEVEL));
	s->levels.n_around = 0;
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		for (size_t k = w->residents.cells.n; k-- > 0;) {
			w->residents.cells.at[k].around = false;
			forget_if_gone(w, w->residents.cells.at[k].cell);
		}
	}
}

bool cs_run_levels_idle(const struct cs_stream *s)
{
	for (size_t i = 0; i < s->levels.moving.n; i++) {
		const struct cs_run_world *w = s->worlds.at[s->levels.moving.at[i].world];
		const struct cs_run_cell *r = moving_cell(s, i);
		bool skipped =
			cs_run_skips(s, w, r->cell) &&
			(r->level == CS_LEVEL_NOT_VISIBLE || r->level == CS_LEVEL_MAKING_VISIBLE);
		if (!skipped)
			return false;
	}
	return true;
}

/* Checks that every listed resident should move, and that as many should move as are listed. */
static bool cs_moving_holds(const struct cs_stream *s)
{
	size_t movers = 0;
	for (size_t i = 0; i < s->levels.moving.n; i++)
		if (!moving_cell(s, i)->moving)
			return false;
	for (size_t i = 0; i < s->worlds.n; i++) {
		const struct cs_run_world *w = s->worlds.at[i];
		for (size_t k = 0; k < w->residents.cells.n; k++) {
			const struct cs_run_cell *r = &w->residents.cells.at[k];
			if (r->moving != (can_move(r) && !is_always_loaded(w, r)))
				return false;
			movers += r->moving;
		}
	}
	return movers == s->levels.moving.n;
}

bool cs_run_levels_update(struct cs_stream *s, bool flush)
{
	struct slices slices = {flush, cs_run_cost_limit(s, CS_WORK_SHOW),
		cs_run_cost_limit(s, CS_WORK_HIDE), cs_run_cost_limit(s, CS_WORK_LOAD)};
	if (!s->levels.sorted && !sort_moving(s))
		return false;
	deliver(s);
	if (s->levels.moving.n)
		advance_all(s, &slices);
	if (flush) {
		flush_loads(s);
		/* levels of a partition that was torn down meanwhile were added */
		if (!s->levels.sorted && !sort_moving(s))
			return false;
		advance_all(s, &slices);
	}
	settle_moving(s);
	CS_INVARIANT_SOMETIMES(s->clock.frame, s->failed || cs_moving_holds(s),
		"`moving` holds exactly the residents whose level can still go on");
	if (!flush)
		purge(s);
	return !s->failed;
}

/* ---- after a snapshot was read ---- */

bool cs_run_levels_restore(struct cs_stream *s)
{
	s->levels.moving.n = 0;
	s->levels.sorted = false;
	s->levels.n_loading = s->levels.n_around = 0;
	s->levels.cells_visible = s->levels.cells_loaded = s->levels.actors = s->levels.bytes = 0;
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		w->residents.n_in_sets = w->residents.n_pending_add = 0;
		for (size_t k = 0; k < w->residents.cells.n; k++) {
			struct cs_run_cell *r = &w->residents.cells.at[k];
			w->residents.n_in_sets += r->set != CS_LAYER_UNLOADED;
			w->residents.n_pending_add += r->pending_add;
			s->levels.n_around += r->around;
			s->levels.n_loading += counts_as_loading(r);
			count_resident(s, w, r, 1);
			if (r->moving && !cs_vec_push(&s->levels.moving,
						 (struct cs_stream_cell){w->id, r->cell}))
				return false;
		}
	}
	return true;
}

/* ---- as bytes ---- */

static void code_flags(struct cs_codec *c, struct cs_run_cell *r)
{
	bool *const flags[] = {&r->should_load, &r->should_show, &r->pending_add, &r->moving,
		&r->asked, &r->held, &r->around};
	uint8_t bits = 0;
	for (size_t i = 0; c->out && i < sizeof(flags) / sizeof(flags[0]); i++)
		bits |= (uint8_t)(*flags[i] << i);
	cs_code_u8(c, &bits);
	for (size_t i = 0; c->in && i < sizeof(flags) / sizeof(flags[0]); i++)
		*flags[i] = bits >> i & 1;
}

/* Codes the members about a change, which only moving levels have. */
static void code_motion(struct cs_codec *c, struct cs_run_cell *r)
{
	cs_code_u8(c, &r->source_priority);
	cs_code_f64(c, &r->spatial);
	cs_code_f64(c, &r->distance2);
	cs_code_u32(c, &r->priority);
	cs_code_u64(c, &r->ready_at);
	cs_code_u64(c, &r->ack_at);
	cs_code_u64(c, &r->bytes_left);
	cs_code_u64(c, &r->work_left);
}

static void code_resident(struct cs_codec *c, struct cs_run_cell *r)
{
	cs_code_u32(c, &r->cell);
	cs_code_u8(c, &r->set);
	cs_code_u8(c, &r->level);
	code_flags(c, r);
	cs_code_u8(c, &r->fault);
	cs_code_u64(c, &r->bytes);
	if (r->moving)
		code_motion(c, r);
	if (!c->log)
		return;
	cs_code_u8(c, &r->hold);
	cs_code_u64(c, &r->since);
	cs_code_u64(c, &r->loaded_at);
}

static void write_residents(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	w->policy.found.n = 0;
	for (size_t i = 0; i < w->residents.cells.n; i++)
		c->failed |= !cs_vec_push(&w->policy.found, w->residents.cells.at[i].cell);
	cs_run_sort_coded(c, s, &w->policy.found);
	for (size_t i = 0; i < w->policy.found.n; i++)
		code_resident(c, cs_run_find(w, w->policy.found.at[i]));
}

static void read_residents(struct cs_codec *c, struct cs_run_world *w)
{
	for (size_t i = 0; i < w->residents.cells.n; i++) {
		struct cs_run_cell *r = &w->residents.cells.at[i];
		*r = (struct cs_run_cell){0};
		code_resident(c, r);
		if (r->cell < w->model.n_cells)
			w->residents.cell_slot[r->cell] = (uint32_t)i;
	}
}

void cs_run_residents_code(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	cs_code_length(c, &w->residents.cells);
	if (c->out)
		write_residents(c, s, w);
	else
		read_residents(c, w);
}

void cs_run_io_code(struct cs_codec *c, struct cs_run_levels *levels)
{
	cs_code_u64(c, &levels->io_time);
	cs_code_u64(c, &levels->io_carry);
	cs_code_u64(c, &levels->purge_time);
}

void cs_run_turns_code(struct cs_codec *c, struct cs_run_levels *levels)
{
	cs_run_cell_code(c, &levels->showing);
	cs_run_cell_code(c, &levels->hiding);
}
