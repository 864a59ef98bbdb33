/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the state of a run as bytes, for snapshots and for the state hash.
 *
 * Only what differs from the beginning is written: residents, changed layers, variables, ranges.
 * Everything is written in an order that the state alone decides, so equal states give equal
 * bytes. What follows from the rest (counters, what moves, effective layers) is recomputed when
 * it is read. Each part is described once, by a function that writes or reads field by field.
 *
 * Parts that are only told and never asked by the run (when a cell changed, report sums) belong to
 * a snapshot but not to the hash: `log`.
 */
#include "stream/stream_internal.h"

#include "core/codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- settings: those that are not the initial ones ---- */

static void code_variables(struct cs_codec *c, struct cs_stream *s)
{
	uint32_t end = CS_NONE;
	if (c->in)
		cs_run_variables_init(&s->variables, s->rules);
	for (uint32_t i = 0; c->out && i < CS_VAR_COUNT; i++) {
		if (cs_stream_variable(s, i).is_initial || i == CS_VAR_DISALLOW_LAYERS)
			continue;
		cs_code_u32(c, &i);
		cs_code_f64(c, &s->variables.numbers[i]);
	}
	cs_code_u32(c, &end);
	while (c->in && end < CS_VAR_COUNT) {
		cs_code_f64(c, &s->variables.numbers[end]);
		cs_code_u32(c, &end);
	}
	cs_code_text(c, s->variables.disallow, CS_RUN_TEXT);
}

/* ---- worlds ---- */

/* Codes what was decided about cells; which targets reached them is recomputed. */
static void code_wish(struct cs_codec *c, struct cs_run_hit *hit)
{
	cs_code_u32(c, &hit->cell);
	cs_code_u8(c, &hit->want);
	cs_code_u8(c, &hit->reason);
	cs_code_u8(c, &hit->waits);
	cs_code_u8(c, &hit->performance);
}

static void write_wishes(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	w->policy.found.n = 0;
	for (size_t i = 0; i < w->reached.hits.n; i++)
		c->failed |= !cs_vec_push(&w->policy.found, w->reached.hits.at[i].cell);
	cs_run_sort_coded(c, s, &w->policy.found);
	for (size_t i = 0; i < w->policy.found.n; i++)
		code_wish(c, cs_run_find_hit(w, w->policy.found.at[i]));
}

/* derive_hits turns them into hits again. */
static void read_wishes(struct cs_codec *c, struct cs_run_world *w, uint32_t n)
{
	cs_run_hits_drop(&w->reached);
	if (!cs_vec_reserve(&w->reached.hits, n)) {
		c->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct cs_run_hit hit = {.touch = CS_NONE, .target = CS_NONE};
		code_wish(c, &hit);
		if (hit.cell < w->model.n_cells)
			w->reached.hits.at[w->reached.hits.n++] = hit;
	}
}

static void code_record(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	cs_code_bool(c, &w->policy.decided);
	cs_code_u64(c, &w->policy.decided_in);
	cs_code_u64(c, &w->policy.terms.layers);
	cs_code_f64(c, &w->policy.terms.level);
	cs_code_f64(c, &w->policy.terms.z_culling);
	cs_code_bool(c, &w->policy.terms.hlods);
	cs_code_bool(c, &w->performance.judged);
	if (c->out && w->reached.stands_version != s->sources.version)
		w->reached.stands.n = 0; /* they belong to other sources */
	cs_code_length(c, &w->reached.stands);
	for (size_t i = 0; i < w->reached.stands.n; i++)
		cs_run_stand_code(c, &w->reached.stands.at[i]);
	uint32_t n = (uint32_t)w->reached.hits.n;
	cs_code_u32(c, &n);
	if (c->out)
		write_wishes(c, s, w);
	else
		read_wishes(c, w, n);
}

static void code_world(struct cs_codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	const struct cs_cooked *cooked = w->model.cooked;
	cs_code_bool(c, &w->registered);
	cs_code_u8(c, &w->serving.mode);
	cs_run_ranges_code(c, &w->reached, cooked->n_partitions);
	cs_run_layers_code(c, &w->layers, (uint32_t)cooked->n_layers);
	cs_run_residents_code(c, s, w);
	cs_run_warm_code(c, s, w);
	cs_run_waiting_code(c, w);
	cs_code_u64(c, &w->policy.last_hash);
	cs_code_bool(c, &w->policy.evaluated);
	cs_code_bool(c, &w->policy.completed);
	if (c->log)
		code_record(c, s, w);
	cs_code_u8(c, &w->performance.state);
	cs_code_u8(c, &w->performance.display);
	cs_code_bool(c, &w->serving.wants_changed);
	cs_code_bool(c, &w->serving.epoch_held);
}

/* Resets a world that was added after the snapshot. */
static void reset_world(struct cs_run_world *w)
{
	w->registered = false;
	w->serving.mode = CS_MODE_UNKNOWN;
	for (size_t i = 0; i < w->model.cooked->n_partitions; i++)
		w->reached.ranges[i] = -1;
	memcpy(w->layers.target, w->layers.initial, w->model.cooked->n_layers);
	cs_run_layers_effective(w, w->layers.target, w->layers.decided);
	w->layers.epoch = 0;
	w->residents.cells.n = w->hlods.warm.n = 0;
	cs_run_waiting_drop(&w->queue);
	cs_run_hits_drop(&w->reached);
	w->reached.stands.n = 0;
	w->policy.evaluated = w->policy.completed = w->policy.decided = w->performance.judged =
		w->serving.wants_changed = w->serving.epoch_held = false;
	w->performance.state = w->performance.display = CS_PERFORMANCE_GOOD;
	w->policy.last_hash = 0;
	w->layers.decided_epoch = 0;
}

static void code_worlds(struct cs_codec *c, struct cs_stream *s)
{
	uint32_t n = (uint32_t)s->worlds.n;
	cs_code_u32(c, &n);
	for (uint32_t i = 0; i < n && i < s->worlds.n; i++)
		code_world(c, s, s->worlds.at[i]);
	for (size_t i = n; i < s->worlds.n; i++)
		reset_world(s->worlds.at[i]);
}

/* ---- the rest ---- */

static void code_clock(struct cs_codec *c, struct cs_stream *s)
{
	cs_code_u64(c, &s->clock.frame);
	cs_code_u64(c, &s->clock.time);
	cs_code_u64(c, &s->clock.stall);
	cs_run_io_code(c, &s->levels);
	cs_code_u64(c, &s->server.epoch);
	cs_code_u32(c, &s->next_world);
	cs_run_turns_code(c, &s->levels);
	cs_code_bool(c, &s->hlod_enabled);
	cs_code_u8(c, &s->performance.state);
	cs_code_u8(c, &s->performance.display);
	cs_code_bool(c, &s->performance.block_requested);
}

static void code_stream(struct cs_codec *c, struct cs_stream *s)
{
	code_clock(c, s);
	code_variables(c, s);
	cs_run_sources_code(c, &s->sources);
	code_worlds(c, s);
	cs_run_clients_code(c, &s->server);
	cs_run_faults_code(c, &s->levels);
	if (c->out ? !cs_run_companion_write(s, c->out) : !cs_run_companion_read(s, c->in))
		c->failed = true;
	if (!c->log)
		return;
	cs_code_u32(c, &s->clock.since);
	cs_run_open_code(c, &s->queue);
	cs_run_log_code(c, &s->log);
}

bool cs_run_state_write(struct cs_stream *s, struct cs_writer *writer, bool log)
{
	struct cs_codec c = {.out = writer, .log = log};
	cs_run_queue_order(s);
	code_stream(&c, s);
	return !c.failed && !writer->failed;
}

/* Uses the decisions that were read, whatever was set since. */
static bool take_wishes(struct cs_run_world *w, const struct cs_run_hit *wishes, size_t n)
{
	bool same = n == w->reached.hits.n;
	for (size_t i = 0; i < w->reached.hits.n; i++)
		w->reached.hits.at[i].reason = CS_REASON_NONE;
	for (size_t i = 0; i < n; i++) {
		const struct cs_run_hit *wish = &wishes[i];
		struct cs_run_hit *hit =
			cs_run_hit_add(w, wish->cell, wish->want, (enum cs_reason)wish->reason);
		if (!hit)
			return false;
		same = same && hit->want == wish->want;
		hit->want = wish->want;
		hit->reason = wish->reason;
		hit->waits = wish->waits;
		hit->performance = wish->performance;
	}
	for (size_t i = w->reached.hits.n; i-- > 0;)
		if (w->reached.hits.at[i].reason == CS_REASON_NONE)
			cs_run_hit_remove(w, &w->reached.hits.at[i]);
	w->reached.keeping = w->reached.keeping && same;
	return true;
}

/* Recomputes the frame sets: finds which targets reach their cells, and keeps what was decided. */
static bool derive_hits(struct cs_stream *s, struct cs_run_world *w)
{
	size_t n = w->reached.hits.n;
	struct cs_run_hit *wishes = malloc((n + 1) * sizeof(*wishes));
	if (!wishes)
		return false;
	for (size_t i = 0; i < n; i++)
		wishes[i] = w->reached.hits.at[i];
	cs_run_hits_drop(&w->reached);
	bool good = !w->policy.decided || (cs_run_find_hits(s, w) && take_wishes(w, wishes, n));
	free(wishes);
	return good;
}

/* Recomputes everything that follows from the state that was read. */
static bool derive(struct cs_stream *s)
{
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		cs_run_layers_effective(w, w->layers.target, w->layers.effective);
		memset(w->layers.set_epoch, 0, w->model.n_sets * sizeof(*w->layers.set_epoch));
		cs_run_disallow_update(s, w);
	}
	for (int i = 0; i < CS_ORDER_LISTS; i++)
		s->queue.lists[i].n = 0;
	s->queue.ordered = true;
	s->performance.critical.n = 0;
	s->sources.version++;
	for (size_t i = 0; i < s->worlds.n; i++)
		s->worlds.at[i]->reached.stands_version = s->sources.version;
	s->failed = s->performance.in_block = s->performance.block_by_performance = false;
	bool good =
		cs_run_levels_restore(s) && cs_run_holds_restore(s) && cs_run_targets_refresh(s);
	for (size_t i = 0; good && i < s->worlds.n; i++)
		good = derive_hits(s, s->worlds.at[i]);
	return good;
}

struct cs_error *cs_run_state_read(struct cs_stream *s, const unsigned char *bytes, size_t size)
{
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, NULL);
	struct cs_codec c = {.in = &cursor, .log = true};
	code_stream(&c, s);
	if (cursor.bad)
		return cs_error_new(CS_E_INTERNAL, "a snapshot cannot be read back");
	return c.failed || !derive(s) ? cs_error_nomem() : NULL;
}

struct cs_error *cs_stream_hash(struct cs_stream *stream, uint64_t *ret)
{
	struct cs_writer *writer = &stream->timeline.state;
	writer->size = 0;
	if (!cs_run_state_write(stream, writer, false)) {
		writer->failed = false;
		return cs_error_nomem();
	}
	*ret = XXH3_64bits(writer->bytes, writer->size);
	return NULL;
}
