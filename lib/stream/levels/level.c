/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The residents (cells that the policy wants, or whose level still exists), the states of their
 * streaming levels (rule 2.6), and the model of loading.
 *
 *	Unloaded -> Loading -> NotVisible -> MakingVisible -> Visible
 *	Visible -> MakingInvisible -> NotVisible -> Unloaded -> Removed;  Loading -> Failed
 *
 * The model, in virtual time: a load takes latency plus a time per actor. All loads share one
 * bandwidth; bytes arrive in the order of their priorities. Showing and hiding take work per actor.
 * One level at a time is shown and one is hidden, each for a slice of the frame; the rest of the
 * slice is used for the next level.
 *
 * Invariant: `moving` contains exactly the residents whose level is not in its requested state and
 * can still reach it. A frame examines only these. Always loaded cells are never among them,
 * because they change at once.
 */
#include "stream/stream_internal.h"

#include "core/invariant.h"
#include "core/sort.h"

/* ---- sizes of cells ---- */

uint32_t cs_run_cell_actors(const struct cs_run_world *world, uint32_t cell)
{
	return world->model.cells[cell].n_actors;
}

struct cs_stream_load_sizes cs_stream_load_sizes(const struct cs_stream *stream)
{
	return (struct cs_stream_load_sizes){(uint64_t)cs_run_number(stream, CS_VAR_CELL_BYTES),
		(uint64_t)cs_run_number(stream, CS_VAR_ACTOR_BYTES)};
}

uint64_t cs_run_cell_bytes(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	/* for a world that the engine cooked, the sizes of the packages are known */
	if (world->model.cooked->n_cell_bytes > 0 && world->model.cooked->cell_bytes[cell] > 0)
		return world->model.cooked->cell_bytes[cell];
	const struct cs_cooked *cooked = world->model.cooked;
	const struct cs_stream_load_sizes sizes = cs_stream_load_sizes(stream);
	return sizes.cell + cs_run_cell_actors(world, cell) * sizes.actor +
	       (cooked->n_cell_mesh_bytes > 0 ? cooked->cell_mesh_bytes[cell] : 0);
}

/* ---- residents (cells that are wanted or have a level) ---- */

/* Rule 2.6: the state of a cell follows from the state of its level. */
enum cs_layer_state cs_run_current_state(const struct cs_run_cell *resident)
{
	if (resident && resident->level == CS_LEVEL_VISIBLE)
		return CS_LAYER_ACTIVATED;
	return resident && cs_run_level_loaded(resident->level) ? CS_LAYER_LOADED
								: CS_LAYER_UNLOADED;
}

static bool can_move(const struct cs_run_cell *resident)
{
	switch ((enum cs_level_state)resident->level) {
	case CS_LEVEL_VISIBLE:
		return !resident->should_show;
	case CS_LEVEL_NOT_VISIBLE:
		return resident->should_show || !resident->should_load;
	case CS_LEVEL_REMOVED:
		return resident->should_load;
	case CS_LEVEL_FAILED:
		return !resident->should_load;
	default:
		return true;
	}
}

static bool counts_as_loading(const struct cs_run_cell *resident)
{
	return resident->level == CS_LEVEL_LOADING ||
	       (resident->should_load && (resident->level == CS_LEVEL_REMOVED ||
						 resident->level == CS_LEVEL_UNLOADED));
}

static bool is_always_loaded(const struct cs_run_world *world, const struct cs_run_cell *resident)
{
	return (world->model.flags[resident->cell] & CS_CELL_ALWAYS_LOADED) != 0;
}

struct cs_run_cell *cs_run_resident(
	struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	struct cs_run_cell *resident = cs_run_find(world, cell);
	if (resident)
		return resident;
	if (!cs_vec_push(&world->residents.cells,
		    (struct cs_run_cell){.cell = cell, .since = stream->clock.frame}))
		return NULL;
	world->residents.cell_slot[cell] = (uint32_t)world->residents.cells.n - 1;
	struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	if (hit)
		hit->absent = false;
	return &world->residents.cells.at[world->residents.cells.n - 1];
}

/* Removes the state of a cell neither wanted nor in memory, which may move other states. */
static void forget_if_gone(struct cs_run_world *world, uint32_t cell)
{
	struct cs_run_cell *resident = cs_run_find(world, cell);
	if (!resident || resident->set != CS_LAYER_UNLOADED ||
		resident->level != CS_LEVEL_REMOVED || resident->around || resident->moving)
		return;
	*resident = world->residents.cells.at[--world->residents.cells.n];
	world->residents.cell_slot[resident->cell] =
		(uint32_t)(resident - world->residents.cells.at);
}

static void start_moving(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	if (resident->moving || !can_move(resident))
		return;
	if (!cs_vec_push(
		    &stream->levels.moving, (struct cs_stream_cell){world->id, resident->cell})) {
		stream->failed = true;
		return;
	}
	resident->moving = true;
	stream->levels.sorted = false;
}

static void set_pending(struct cs_run_world *world, struct cs_run_cell *resident, bool pending)
{
	world->residents.n_pending_add += pending - resident->pending_add;
	resident->pending_add = pending;
}

static void count_resident(struct cs_stream *stream, const struct cs_run_world *world,
	const struct cs_run_cell *resident, int sign)
{
	uint64_t n = (uint64_t)(int64_t)sign;
	if (!cs_run_level_loaded(resident->level))
		return;
	stream->levels.cells_loaded += n;
	stream->levels.cells_visible += resident->level == CS_LEVEL_VISIBLE ? n : 0;
	stream->levels.actors += n * cs_run_cell_actors(world, resident->cell);
	stream->levels.bytes += n * resident->bytes;
}

/* ---- changing the state of a level ---- */

static void register_instances(struct cs_stream *stream, struct cs_stream_cell owner, bool on)
{
	for (size_t i = 0; stream->worlds.n > 1 && i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		if (cs_run_same_cell(world->owner, owner) && world->registered != on)
			cs_run_world_register(stream, world, on);
	}
}

static void count_change(
	struct cs_stream *stream, const struct cs_run_cell *resident, uint8_t from, uint8_t to)
{
	stream->log.now.loads += to == CS_LEVEL_LOADING;
	stream->log.now.loaded += from == CS_LEVEL_LOADING && to == CS_LEVEL_NOT_VISIBLE;
	stream->log.now.failed += to == CS_LEVEL_FAILED;
	stream->log.now.shows += to == CS_LEVEL_VISIBLE && from == CS_LEVEL_MAKING_VISIBLE;
	stream->log.now.hides += from == CS_LEVEL_MAKING_INVISIBLE && to == CS_LEVEL_NOT_VISIBLE;
	stream->log.now.unloads += to == CS_LEVEL_UNLOADED;
	stream->log.now.thrash +=
		to == CS_LEVEL_UNLOADED &&
		stream->clock.time - resident->loaded_at <
			(uint64_t)(cs_run_number(stream, CS_VAR_THRASH_TIME) * 1e9);
}

static void change_level(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, enum cs_level_state to, enum cs_reason reason)
{
	uint8_t from = resident->level;
	stream->levels.n_loading -= counts_as_loading(resident);
	count_resident(stream, world, resident, -1);
	resident->level = (uint8_t)to;
	resident->since = stream->clock.frame;
	resident->hold = CS_REASON_NONE;
	resident->asked = false;
	stream->levels.n_loading += counts_as_loading(resident);
	count_resident(stream, world, resident, 1);
	count_change(stream, resident, from, (uint8_t)to);
	cs_run_event(stream, CS_EVENT_LEVEL, (struct cs_stream_cell){world->id, resident->cell},
		resident->fault, from, to, reason);
}

/* Shows or removes an always loaded cell at once, because it has no streaming level. */
static void change_always_loaded(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, enum cs_reason reason)
{
	bool visible = resident->set != CS_LAYER_UNLOADED;
	if (visible == (resident->level == CS_LEVEL_VISIBLE))
		return;
	resident->bytes = cs_run_cell_bytes(stream, world, resident->cell);
	change_level(
		stream, world, resident, visible ? CS_LEVEL_VISIBLE : CS_LEVEL_REMOVED, reason);
	register_instances(stream, (struct cs_stream_cell){world->id, resident->cell}, visible);
	(visible ? cs_run_hlods_shown : cs_run_hlods_hidden)(stream, world, resident->cell);
}

void cs_run_set_change(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, enum cs_layer_state set, enum cs_reason reason)
{
	uint32_t cell = resident->cell;
	cs_run_event(stream, CS_EVENT_SET, (struct cs_stream_cell){world->id, cell}, 0,
		resident->set, set, reason);
	world->residents.n_in_sets +=
		(set != CS_LAYER_UNLOADED) - (resident->set != CS_LAYER_UNLOADED);
	world->serving.wants_changed = true;
	resident->set = (uint8_t)set;
	if (is_always_loaded(world, resident)) {
		change_always_loaded(stream, world, resident, reason);
		forget_if_gone(world, cell);
		return;
	}
	stream->levels.n_loading -= counts_as_loading(resident);
	resident->should_load = set != CS_LAYER_UNLOADED;
	resident->should_show = set == CS_LAYER_ACTIVATED;
	if (resident->should_load && resident->level == CS_LEVEL_REMOVED) {
		stream->levels.n_around -= resident->around;
		resident->around = false;
		resident->level = CS_LEVEL_UNLOADED;
		resident->since = stream->clock.frame;
		resident->loaded_at = 0;
	}
	stream->levels.n_loading += counts_as_loading(resident);
	set_pending(world, resident, resident->should_show && resident->level != CS_LEVEL_VISIBLE);
	start_moving(stream, world, resident);
	resident->hold = resident->moving ? CS_REASON_NOT_RUN : CS_REASON_NONE;
	forget_if_gone(world, cell);
}

/* ---- loading a level ---- */

struct slices {
	bool flush;
	uint64_t show, hide, load; /* ns left in this frame for each kind of work */
};

/* Returns value x factor, at most 9e18. */
static uint64_t scaled(uint64_t value, double factor)
{
	double product = (double)value * factor;
	return product < 9e18 ? (uint64_t)product : UINT64_C(9000000000000000000);
}

static void begin_load(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	const struct cs_run_fault *fault =
		cs_run_fault_of(stream, (struct cs_stream_cell){world->id, resident->cell});
	uint64_t latency = cs_run_ns(stream, CS_VAR_LATENCY);
	uint64_t work = cs_run_cell_actors(world, resident->cell) *
			cs_run_ns(stream, CS_VAR_LOAD_PER_ACTOR);
	double factor = fault && fault->fault == CS_FAULT_SLOW ? fault->factor : 1;
	resident->fault = fault ? (uint8_t)fault->fault : CS_FAULT_NONE;
	resident->bytes = cs_run_cell_bytes(stream, world, resident->cell);
	resident->bytes_left = scaled(resident->bytes, factor);
	resident->work_left = cs_run_costs(stream) ? scaled(work, factor) : 0;
	resident->ready_at =
		stream->clock.time + scaled(latency + work, factor) - resident->work_left;
	if (resident->fault == CS_FAULT_LOAD) {
		resident->bytes_left = resident->work_left = 0;
		resident->ready_at = stream->clock.time + latency;
	}
	if (cs_run_number(stream, CS_VAR_BANDWIDTH) == 0)
		resident->bytes_left = 0;
	change_level(stream, world, resident, CS_LEVEL_LOADING, CS_REASON_NONE);
}

/* Does game-thread work (creating actors) for a level whose bytes have arrived; true = done. */
static bool create_actors(struct cs_stream *stream, const struct cs_run_world *world,
	struct cs_run_cell *resident, struct slices *slices)
{
	if (slices->flush) {
		stream->clock.time += resident->work_left;
		resident->work_left = 0;
		return true;
	}
	cs_run_cost_spend(stream, CS_WORK_LOAD, (struct cs_stream_cell){world->id, resident->cell},
		&resident->work_left, &slices->load);
	return resident->work_left == 0;
}

static bool finish_load(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, struct slices *slices)
{
	if (resident->bytes_left > 0 || stream->clock.time < resident->ready_at ||
		(resident->work_left > 0 && !create_actors(stream, world, resident, slices))) {
		resident->hold = resident->should_load ? CS_REASON_LOADING : CS_REASON_CANCELLED;
		return false;
	}
	resident->loaded_at = stream->clock.time;
	if (resident->fault == CS_FAULT_LOAD || resident->fault == CS_FAULT_CORRUPT)
		change_level(stream, world, resident, CS_LEVEL_FAILED, CS_REASON_FAILED);
	else
		change_level(stream, world, resident, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
	return true;
}

static struct cs_run_cell *moving_cell(const struct cs_stream *stream, size_t i)
{
	return cs_run_find(stream->worlds.at[stream->levels.moving.at[i].world],
		stream->levels.moving.at[i].cell);
}

static void deliver(struct cs_stream *stream)
{
	bool wanted = false;
	if (stream->levels.moving.n == 0) {
		stream->levels.io_time = stream->clock.time;
		stream->levels.io_carry = 0;
		return;
	}
	for (size_t i = 0; i < stream->levels.moving.n && !wanted; i++)
		wanted = moving_cell(stream, i)->bytes_left > 0;
	uint64_t bytes = cs_run_bytes_arrived(stream, wanted);
	for (size_t i = 0; wanted && bytes && i < stream->levels.moving.n; i++) {
		struct cs_run_cell *resident = moving_cell(stream, i);
		uint64_t part = resident->bytes_left < bytes ? resident->bytes_left : bytes;
		resident->bytes_left -= part;
		bytes -= part;
	}
}

/* ---- showing and hiding a level ---- */

static bool answered(struct cs_stream *stream, struct cs_run_cell *resident,
	enum cs_run_variable variable, bool flush)
{
	if (stream->role != CS_ROLE_CLIENT || cs_run_number(stream, variable) == 0)
		return true;
	if (!resident->asked) {
		resident->asked = true;
		resident->ack_at = stream->clock.time + cs_run_ns(stream, CS_VAR_SERVER_ACK);
	}
	if (flush && stream->clock.time < resident->ack_at)
		stream->clock.time = resident->ack_at;
	return stream->clock.time >= resident->ack_at;
}

/* Works on showing or hiding the level until the time slice ends; returns whether that is done. */
static bool work(struct cs_stream *stream, const struct cs_run_world *world,
	struct cs_run_cell *resident, struct cs_stream_cell *slot, struct slices *slices,
	uint64_t *slice)
{
	struct cs_stream_cell cell = {world->id, resident->cell};
	bool mine = cs_run_same_cell(*slot, cell);
	if (slices->flush) {
		stream->clock.time += resident->work_left;
		resident->work_left = 0;
	} else if (!mine && (slot->cell != CS_NONE || (*slice == 0 && resident->work_left > 0))) {
		resident->hold = CS_REASON_TURN;
		return false;
	} else {
		const bool shows = resident->level == CS_LEVEL_MAKING_VISIBLE;
		stream->log.now.work_ns += cs_run_cost_spend(stream,
			shows ? CS_WORK_SHOW : CS_WORK_HIDE, cell, &resident->work_left, slice);
		resident->hold = resident->level == CS_LEVEL_MAKING_VISIBLE
					 ? CS_REASON_MAKING_VISIBLE
					 : CS_REASON_MAKING_INVISIBLE;
		*slot = cell;
		mine = true;
	}
	if (mine && resident->work_left == 0)
		*slot = CS_STREAM_NO_CELL;
	return resident->work_left == 0;
}

static void leave_slot(struct cs_stream_cell *slot, const struct cs_run_world *world, uint32_t cell)
{
	if (cs_run_same_cell(*slot, (struct cs_stream_cell){world->id, cell}))
		*slot = CS_STREAM_NO_CELL;
}

static bool begin_show(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, const struct slices *slices)
{
	if (!resident->should_show) {
		if (resident->should_load)
			return false;
		change_level(stream, world, resident, CS_LEVEL_UNLOADED, CS_REASON_NONE);
		return true;
	}
	if (cs_run_skips(stream, world, resident->cell)) {
		resident->hold = CS_REASON_PERFORMANCE;
		return false;
	}
	if (!slices->flush && !cs_run_can_show(stream, world, resident->cell)) {
		resident->hold = CS_REASON_WARMUP;
		return false;
	}
	resident->work_left = cs_run_cell_actors(world, resident->cell) *
			      cs_run_ns(stream, CS_VAR_SHOW_PER_ACTOR);
	change_level(stream, world, resident, CS_LEVEL_MAKING_VISIBLE, CS_REASON_NONE);
	register_instances(stream, (struct cs_stream_cell){world->id, resident->cell}, true);
	return true;
}

static bool go_on_showing(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, struct slices *slices)
{
	if (!resident->should_show) {
		leave_slot(&stream->levels.showing, world, resident->cell);
		register_instances(
			stream, (struct cs_stream_cell){world->id, resident->cell}, false);
		change_level(stream, world, resident, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
		return true;
	}
	if (cs_run_skips(stream, world, resident->cell)) {
		resident->hold = CS_REASON_PERFORMANCE;
		return false;
	}
	if (!answered(stream, resident, CS_VAR_SHOW_TRANSACTIONS, slices->flush)) {
		resident->hold = CS_REASON_SERVER_ACK;
		return false;
	}
	if (!work(stream, world, resident, &stream->levels.showing, slices, &slices->show))
		return false;
	set_pending(world, resident, false);
	change_level(stream, world, resident, CS_LEVEL_VISIBLE, CS_REASON_NONE);
	cs_run_hlods_shown(stream, world, resident->cell);
	return true;
}

static bool begin_hide(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, const struct slices *slices)
{
	if (resident->should_show)
		return false;
	if (!slices->flush && !cs_run_can_hide(stream, world, resident->cell)) {
		resident->hold = CS_REASON_WARMUP;
		return false;
	}
	resident->work_left = cs_run_cell_actors(world, resident->cell) *
			      cs_run_ns(stream, CS_VAR_HIDE_PER_ACTOR);
	change_level(stream, world, resident, CS_LEVEL_MAKING_INVISIBLE, CS_REASON_NONE);
	register_instances(stream, (struct cs_stream_cell){world->id, resident->cell}, false);
	return true;
}

/* Goes on hiding a level, or stops if the cell is wanted visible again and no work was done yet. */
static bool go_on_hiding(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, struct slices *slices)
{
	struct cs_stream_cell cell = {world->id, resident->cell};
	if (resident->should_show && !cs_run_same_cell(stream->levels.hiding, cell)) {
		register_instances(stream, cell, true);
		set_pending(world, resident, false);
		change_level(stream, world, resident, CS_LEVEL_VISIBLE, CS_REASON_NONE);
		return true;
	}
	if (!answered(stream, resident, CS_VAR_HIDE_TRANSACTIONS, slices->flush)) {
		resident->hold = CS_REASON_SERVER_ACK;
		return false;
	}
	if (!work(stream, world, resident, &stream->levels.hiding, slices, &slices->hide))
		return false;
	change_level(stream, world, resident, CS_LEVEL_NOT_VISIBLE, CS_REASON_NONE);
	if (resident->set == CS_LAYER_ACTIVATED)
		set_pending(world, resident, true);
	cs_run_hlods_hidden(stream, world, resident->cell);
	return true;
}

/* ---- updating all levels in a frame ---- */

static void remove_level(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	bool was_loaded = resident->level == CS_LEVEL_UNLOADED && resident->loaded_at > 0;
	change_level(stream, world, resident, CS_LEVEL_REMOVED, CS_REASON_NONE);
	resident->around = was_loaded;
	stream->levels.n_around += was_loaded;
}

/* Advances the level by one state; returns false if it waits or has its requested state. */
static bool advance(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, struct slices *slices)
{
	switch ((enum cs_level_state)resident->level) {
	case CS_LEVEL_UNLOADED:
		if (resident->should_load)
			begin_load(stream, world, resident);
		else
			remove_level(stream, world, resident);
		return true;
	case CS_LEVEL_FAILED:
		if (resident->should_load)
			return false;
		change_level(stream, world, resident, CS_LEVEL_REMOVED, CS_REASON_NONE);
		return true;
	case CS_LEVEL_LOADING:
		return finish_load(stream, world, resident, slices);
	case CS_LEVEL_NOT_VISIBLE:
		return begin_show(stream, world, resident, slices);
	case CS_LEVEL_MAKING_VISIBLE:
		return go_on_showing(stream, world, resident, slices);
	case CS_LEVEL_VISIBLE:
		return begin_hide(stream, world, resident, slices);
	case CS_LEVEL_MAKING_INVISIBLE:
		return go_on_hiding(stream, world, resident, slices);
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

static bool sort_moving(struct cs_stream *stream)
{
	size_t n = stream->levels.moving.n;
	struct ranked *ranked = cs_run_scratch(stream, n * 2, sizeof(*ranked));
	if (!ranked)
		return false;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){
			stream->levels.moving.at[i], moving_cell(stream, i)->priority};
	cs_sort_in(ranked, n, sizeof(*ranked), by_rank, NULL, ranked + n);
	for (size_t i = 0; i < n; i++)
		stream->levels.moving.at[i] = ranked[i].cell;
	stream->levels.sorted = true;
	return true;
}

/* Resets the members that only changing levels use, so that equal states give equal snapshots. */
static void come_to_rest(struct cs_run_cell *resident)
{
	resident->moving = false;
	resident->hold = CS_REASON_NONE;
	resident->source_priority = 0;
	resident->spatial = resident->distance2 = 0;
	resident->priority = 0;
	resident->ready_at = resident->ack_at = 0;
	resident->bytes_left = resident->work_left = 0;
}

static void settle_moving(struct cs_stream *stream)
{
	size_t kept = 0;
	for (size_t i = 0; i < stream->levels.moving.n; i++) {
		struct cs_stream_cell cell = stream->levels.moving.at[i];
		struct cs_run_cell *resident = moving_cell(stream, i);
		if (can_move(resident)) {
			stream->levels.moving.at[kept++] = cell;
			continue;
		}
		come_to_rest(resident);
		forget_if_gone(stream->worlds.at[cell.world], cell.cell);
	}
	stream->levels.moving.n = kept;
}

/* Advances the clock to the time at which every current load is complete. */
static void flush_loads(struct cs_stream *stream)
{
	uint64_t bytes = 0, ready = stream->clock.time;
	for (size_t i = 0; i < stream->levels.moving.n; i++) {
		struct cs_run_cell *resident = moving_cell(stream, i);
		if (resident->level != CS_LEVEL_LOADING)
			continue;
		bytes += resident->bytes_left;
		resident->bytes_left = 0;
		ready = resident->ready_at > ready ? resident->ready_at : ready;
	}
	stream->clock.time += cs_run_bytes_time(stream, bytes);
	stream->clock.time = ready > stream->clock.time ? ready : stream->clock.time;
	stream->levels.io_time = stream->clock.time;
	stream->levels.io_carry = 0;
}

static void advance_all(struct cs_stream *stream, struct slices *slices)
{
	for (size_t i = 0, n = stream->levels.moving.n; i < n; i++) {
		struct cs_run_world *world = stream->worlds.at[stream->levels.moving.at[i].world];
		struct cs_run_cell *resident = moving_cell(stream, i);
		while (advance(stream, world, resident, slices))
			;
	}
}

/* Frees the memory of all unloaded levels if they are many or the purge interval has passed. */
static void purge(struct cs_stream *stream)
{
	double most = cs_run_number(stream, CS_VAR_PURGE_LEVELS);
	uint64_t interval = (uint64_t)(cs_run_number(stream, CS_VAR_PURGE_INTERVAL) * 1e9);
	bool due = stream->clock.time - stream->levels.purge_time >= interval ||
		   (most > 0 && stream->levels.n_around > most);
	if (!due)
		return;
	stream->levels.purge_time = stream->clock.time;
	if (stream->levels.n_around == 0)
		return;
	cs_run_event(stream, CS_EVENT_PURGE, CS_STREAM_NO_CELL, stream->levels.n_around, 0, 0,
		CS_REASON_NONE);
	if (cs_run_costs(stream))
		cs_run_cost_note(stream, CS_WORK_PURGE, CS_STREAM_NO_CELL,
			stream->levels.n_around * cs_run_ns(stream, CS_VAR_PURGE_PER_LEVEL));
	stream->levels.n_around = 0;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = world->residents.cells.n; k-- > 0;) {
			world->residents.cells.at[k].around = false;
			forget_if_gone(world, world->residents.cells.at[k].cell);
		}
	}
}

bool cs_run_levels_idle(const struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->levels.moving.n; i++) {
		const struct cs_run_world *world =
			stream->worlds.at[stream->levels.moving.at[i].world];
		const struct cs_run_cell *resident = moving_cell(stream, i);
		bool skipped = cs_run_skips(stream, world, resident->cell) &&
			       (resident->level == CS_LEVEL_NOT_VISIBLE ||
				       resident->level == CS_LEVEL_MAKING_VISIBLE);
		if (!skipped)
			return false;
	}
	return true;
}

/* Checks that `moving` lists exactly the residents whose level is not in its requested state. */
static bool moving_holds(const struct cs_stream *stream)
{
	size_t movers = 0;
	for (size_t i = 0; i < stream->levels.moving.n; i++)
		if (!moving_cell(stream, i)->moving)
			return false;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		const struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = 0; k < world->residents.cells.n; k++) {
			const struct cs_run_cell *resident = &world->residents.cells.at[k];
			if (resident->moving !=
				(can_move(resident) && !is_always_loaded(world, resident)))
				return false;
			movers += resident->moving;
		}
	}
	return movers == stream->levels.moving.n;
}

bool cs_run_levels_update(struct cs_stream *stream, bool flush)
{
	struct slices slices = {flush, cs_run_cost_limit(stream, CS_WORK_SHOW),
		cs_run_cost_limit(stream, CS_WORK_HIDE), cs_run_cost_limit(stream, CS_WORK_LOAD)};
	if (!stream->levels.sorted && !sort_moving(stream))
		return false;
	deliver(stream);
	if (stream->levels.moving.n)
		advance_all(stream, &slices);
	if (flush) {
		flush_loads(stream);
		/* hiding a level unregisters its partition, whose levels join `moving` */
		if (!stream->levels.sorted && !sort_moving(stream))
			return false;
		advance_all(stream, &slices);
	}
	settle_moving(stream);
	CS_INVARIANT_SOMETIMES(stream->clock.frame, stream->failed || moving_holds(stream),
		"`moving` holds exactly the residents whose level can still go on");
	if (!flush)
		purge(stream);
	return !stream->failed;
}

/* ---- recomputing values after a snapshot was read ---- */

bool cs_run_levels_restore(struct cs_stream *stream)
{
	stream->levels.moving.n = 0;
	stream->levels.sorted = false;
	stream->levels.n_loading = stream->levels.n_around = 0;
	stream->levels.cells_visible = stream->levels.cells_loaded = stream->levels.actors =
		stream->levels.bytes = 0;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		world->residents.n_in_sets = world->residents.n_pending_add = 0;
		for (size_t k = 0; k < world->residents.cells.n; k++) {
			struct cs_run_cell *resident = &world->residents.cells.at[k];
			world->residents.n_in_sets += resident->set != CS_LAYER_UNLOADED;
			world->residents.n_pending_add += resident->pending_add;
			stream->levels.n_around += resident->around;
			stream->levels.n_loading += counts_as_loading(resident);
			count_resident(stream, world, resident, 1);
			if (resident->moving &&
				!cs_vec_push(&stream->levels.moving,
					(struct cs_stream_cell){world->id, resident->cell}))
				return false;
		}
	}
	return true;
}
