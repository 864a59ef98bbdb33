/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes and reads the state of a run, for snapshots and for the state hash.
 *
 * Only differences from the initial state are written: residents, changed layers, variables,
 * ranges. The order of the bytes depends on the state alone, so equal states give equal bytes.
 * Values that follow from others (counters, levels whose state is changing, effective layers) are
 * recomputed after reading. One function for each part both writes and reads it, field by field.
 *
 * Fields that only queries read, not the simulation (when a cell changed, the sums of the report),
 * are in snapshots but not in the hash: they are coded if `log` is set.
 */
#include "stream/stream_internal.h"

#include "core/codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void code_variables(struct cs_codec *codec, struct cs_stream *stream)
{
	uint32_t end = CS_NONE;
	if (codec->in)
		cs_run_variables_init(&stream->variables, stream->rules);
	for (uint32_t i = 0; codec->out && i < CS_VAR_COUNT; i++) {
		if (cs_stream_variable(stream, i).is_initial || i == CS_VAR_DISALLOW_LAYERS)
			continue;
		cs_code_u32(codec, &i);
		cs_code_f64(codec, &stream->variables.numbers[i]);
	}
	cs_code_u32(codec, &end);
	while (codec->in && end < CS_VAR_COUNT) {
		cs_code_f64(codec, &stream->variables.numbers[end]);
		cs_code_u32(codec, &end);
	}
	cs_code_text(codec, stream->variables.disallow, CS_RUN_TEXT);
}

/* ---- residents ---- */

/*
 * Residents (streaming states of cells) are written in the order of their cells, so that the bytes
 * do not depend on the order in which cells became residents. Members that are used only while a
 * level moves are written only for moving levels.
 */
static void code_flags(struct cs_codec *codec, struct cs_run_cell *resident)
{
	bool *const flags[] = {&resident->should_load, &resident->should_show,
		&resident->pending_add, &resident->moving, &resident->asked, &resident->held,
		&resident->around};
	uint8_t bits = 0;
	for (size_t i = 0; codec->out && i < sizeof(flags) / sizeof(flags[0]); i++)
		bits |= (uint8_t)(*flags[i] << i);
	cs_code_u8(codec, &bits);
	for (size_t i = 0; codec->in && i < sizeof(flags) / sizeof(flags[0]); i++)
		*flags[i] = bits >> i & 1;
}

/* Reads or writes the members of a resident used only while its level is in levels.moving. */
static void code_motion(struct cs_codec *codec, struct cs_run_cell *resident)
{
	cs_code_u8(codec, &resident->source_priority);
	cs_code_f64(codec, &resident->spatial);
	cs_code_f64(codec, &resident->distance2);
	cs_code_u32(codec, &resident->priority);
	cs_code_u64(codec, &resident->ready_at);
	cs_code_u64(codec, &resident->ack_at);
	cs_code_u64(codec, &resident->bytes_left);
	cs_code_u64(codec, &resident->work_left);
}

static void code_resident(struct cs_codec *codec, struct cs_run_cell *resident)
{
	cs_code_u32(codec, &resident->cell);
	cs_code_u8(codec, &resident->set);
	cs_code_u8(codec, &resident->level);
	code_flags(codec, resident);
	cs_code_u8(codec, &resident->fault);
	cs_code_u64(codec, &resident->bytes);
	if (resident->moving)
		code_motion(codec, resident);
	if (!codec->log)
		return;
	cs_code_u8(codec, &resident->hold);
	cs_code_u64(codec, &resident->since);
	cs_code_u64(codec, &resident->loaded_at);
}

static void write_residents(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	world->policy.found.n = 0;
	for (size_t i = 0; i < world->residents.cells.n; i++)
		codec->failed |=
			!cs_vec_push(&world->policy.found, world->residents.cells.at[i].cell);
	cs_run_sort_coded(codec, stream, &world->policy.found);
	for (size_t i = 0; i < world->policy.found.n; i++)
		code_resident(codec, cs_run_find(world, world->policy.found.at[i]));
}

static void read_residents(struct cs_codec *codec, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->residents.cells.n; i++) {
		struct cs_run_cell *resident = &world->residents.cells.at[i];
		*resident = (struct cs_run_cell){0};
		code_resident(codec, resident);
		if (resident->cell < world->model.n_cells)
			world->residents.cell_slot[resident->cell] = (uint32_t)i;
	}
}

/* ---- world partitions ---- */

/* Writes or reads the decision in a hit, without the targets that reach the cell: derive_hits(). */
static void code_wish(struct cs_codec *codec, struct cs_run_hit *hit)
{
	cs_code_u32(codec, &hit->cell);
	cs_code_u8(codec, &hit->want);
	cs_code_u8(codec, &hit->reason);
	cs_code_u8(codec, &hit->waits);
	cs_code_u8(codec, &hit->performance);
}

static void write_wishes(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	world->policy.found.n = 0;
	for (size_t i = 0; i < world->reached.hits.n; i++)
		codec->failed |= !cs_vec_push(&world->policy.found, world->reached.hits.at[i].cell);
	cs_run_sort_coded(codec, stream, &world->policy.found);
	for (size_t i = 0; i < world->policy.found.n; i++)
		code_wish(codec, cs_run_find_hit(world, world->policy.found.at[i]));
}

/*
 * Reads the decisions about n wanted cells. derive_hits() later finds the targets that reach them.
 */
static void read_wishes(struct cs_codec *codec, struct cs_run_world *world, uint32_t n)
{
	cs_run_hits_drop(&world->reached);
	if (!cs_vec_reserve(&world->reached.hits, n)) {
		codec->failed = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct cs_run_hit hit = {.touch = CS_NONE, .target = CS_NONE};
		code_wish(codec, &hit);
		if (hit.cell < world->model.n_cells)
			world->reached.hits.at[world->reached.hits.n++] = hit;
	}
}

static void code_record(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	cs_code_bool(codec, &world->policy.decided);
	cs_code_u64(codec, &world->policy.decided_in);
	cs_code_u64(codec, &world->policy.terms.layers);
	cs_code_f64(codec, &world->policy.terms.level);
	cs_code_f64(codec, &world->policy.terms.z_culling);
	cs_code_bool(codec, &world->policy.terms.hlods);
	cs_run_ranges_code(codec, world->reached.decided_ranges, world->model.cooked->n_partitions);
	cs_code_bool(codec, &world->performance.judged);
	if (codec->out && world->reached.stands_version != stream->sources.version)
		/* these positions are of an earlier state of the sources: do not store them */
		world->reached.stands.n = 0;
	cs_code_length(codec, &world->reached.stands);
	for (size_t i = 0; i < world->reached.stands.n; i++)
		cs_run_stand_code(codec, &world->reached.stands.at[i]);
	uint32_t n = (uint32_t)world->reached.hits.n;
	cs_code_u32(codec, &n);
	if (codec->out)
		write_wishes(codec, stream, world);
	else
		read_wishes(codec, world, n);
}

static void code_world(struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world)
{
	const struct cs_cooked *cooked = world->model.cooked;
	cs_code_bool(codec, &world->registered);
	cs_code_u8(codec, &world->serving.mode);
	cs_run_ranges_code(codec, world->reached.ranges, cooked->n_partitions);
	cs_run_layers_code(codec, &world->layers, (uint32_t)cooked->n_layers);
	cs_code_length(codec, &world->residents.cells);
	if (codec->out)
		write_residents(codec, stream, world);
	else
		read_residents(codec, world);
	cs_run_warm_code(codec, stream, world);
	cs_run_waiting_code(codec, world);
	cs_code_u64(codec, &world->policy.last_hash);
	cs_code_bool(codec, &world->policy.evaluated);
	cs_code_bool(codec, &world->policy.completed);
	if (codec->log)
		code_record(codec, stream, world);
	cs_code_u8(codec, &world->performance.state);
	cs_code_u8(codec, &world->performance.display);
	cs_code_bool(codec, &world->serving.wants_changed);
	cs_code_bool(codec, &world->serving.epoch_held);
}

/* Resets a world partition that was added to the run after the restored snapshot was taken. */
static void reset_world(struct cs_run_world *world)
{
	world->registered = false;
	world->serving.mode = CS_MODE_UNKNOWN;
	for (size_t i = 0; i < world->model.cooked->n_partitions; i++)
		world->reached.ranges[i] = world->reached.decided_ranges[i] = -1;
	memcpy(world->layers.target, world->layers.initial, world->model.cooked->n_layers);
	cs_run_layers_effective(world, world->layers.target, world->layers.decided);
	world->layers.epoch = 0;
	world->residents.cells.n = world->hlods.warm.n = 0;
	cs_run_waiting_drop(&world->queue);
	cs_run_hits_drop(&world->reached);
	world->reached.stands.n = 0;
	world->policy.evaluated = world->policy.completed = world->policy.decided =
		world->performance.judged = world->serving.wants_changed =
			world->serving.epoch_held = false;
	world->performance.state = world->performance.display = CS_PERFORMANCE_GOOD;
	world->policy.last_hash = 0;
	world->layers.decided_epoch = 0;
}

/* ---- clock and state of all world partitions ---- */

static void code_clock(struct cs_codec *codec, struct cs_stream *stream)
{
	cs_code_u64(codec, &stream->clock.frame);
	cs_code_u64(codec, &stream->clock.time);
	cs_code_u64(codec, &stream->clock.stall);
	cs_code_u64(codec, &stream->levels.io_time);
	cs_code_u64(codec, &stream->levels.io_carry);
	cs_code_u64(codec, &stream->levels.purge_time);
	cs_code_u64(codec, &stream->server.epoch);
	cs_code_u32(codec, &stream->next_world);
	cs_run_cell_code(codec, &stream->levels.showing);
	cs_run_cell_code(codec, &stream->levels.hiding);
	cs_code_bool(codec, &stream->hlod_enabled);
	cs_code_u8(codec, &stream->performance.state);
	cs_code_u8(codec, &stream->performance.display);
	cs_code_bool(codec, &stream->performance.block_requested);
}

static void code_stream(struct cs_codec *codec, struct cs_stream *stream)
{
	code_clock(codec, stream);
	code_variables(codec, stream);
	cs_run_sources_code(codec, &stream->sources);
	uint32_t n = (uint32_t)stream->worlds.n;
	cs_code_u32(codec, &n);
	for (uint32_t i = 0; i < n && i < stream->worlds.n; i++)
		code_world(codec, stream, stream->worlds.at[i]);
	for (size_t i = n; i < stream->worlds.n; i++)
		reset_world(stream->worlds.at[i]);
	cs_run_clients_code(codec, &stream->server);
	cs_run_faults_code(codec, &stream->levels);
	if (codec->out ? !cs_run_companion_write(stream, codec->out)
		       : !cs_run_companion_read(stream, codec->in))
		codec->failed = true;
	if (!codec->log)
		return;
	cs_code_u32(codec, &stream->clock.since);
	cs_run_open_code(codec, &stream->queue);
	cs_run_log_code(codec, &stream->log);
}

bool cs_run_state_write(struct cs_stream *stream, struct cs_writer *writer, bool log)
{
	struct cs_codec codec = {.out = writer, .log = log};
	cs_run_queue_order(stream);
	code_stream(&codec, stream);
	return !codec.failed && !writer->failed;
}

/*
 * Replaces the found hits by the decisions in the snapshot: only the next frame applies new inputs.
 */
static bool take_wishes(struct cs_run_world *world, const struct cs_run_hit *wishes, size_t n)
{
	bool same = n == world->reached.hits.n;
	for (size_t i = 0; i < world->reached.hits.n; i++)
		world->reached.hits.at[i].reason = CS_REASON_NONE;
	for (size_t i = 0; i < n; i++) {
		const struct cs_run_hit *wish = &wishes[i];
		struct cs_run_hit *hit =
			cs_run_hit_add(world, wish->cell, wish->want, (enum cs_reason)wish->reason);
		if (!hit)
			return false;
		same = same && hit->want == wish->want;
		hit->want = wish->want;
		hit->reason = wish->reason;
		hit->waits = wish->waits;
		hit->performance = wish->performance;
	}
	for (size_t i = world->reached.hits.n; i-- > 0;)
		if (world->reached.hits.at[i].reason == CS_REASON_NONE)
			cs_run_hit_remove(world, &world->reached.hits.at[i]);
	world->reached.keeping = world->reached.keeping && same;
	return true;
}

/* Finds the hits (wanted cells) again, and restores the decisions that the snapshot contains. */
static bool derive_hits(struct cs_stream *stream, struct cs_run_world *world)
{
	size_t n = world->reached.hits.n;
	struct cs_run_hit *wishes = malloc((n + 1) * sizeof(*wishes));
	if (!wishes)
		return false;
	for (size_t i = 0; i < n; i++)
		wishes[i] = world->reached.hits.at[i];
	cs_run_hits_drop(&world->reached);
	bool good = !world->policy.decided ||
		    (cs_run_find_hits(stream, world) && take_wishes(world, wishes, n));
	free(wishes);
	return good;
}

/* Recomputes all values that a snapshot does not store, because they follow from what was read. */
static bool derive(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		cs_run_layers_effective(world, world->layers.target, world->layers.effective);
		memset(world->layers.set_epoch, 0,
			world->model.n_sets * sizeof(*world->layers.set_epoch));
		cs_run_disallow_update(stream, world);
	}
	for (int i = 0; i < CS_ORDER_LISTS; i++)
		stream->queue.lists[i].n = 0;
	stream->queue.ordered = true;
	stream->performance.critical.n = 0;
	stream->sources.version++;
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->reached.stands_version = stream->sources.version;
	stream->failed = stream->performance.in_block = stream->performance.block_by_performance =
		false;
	bool good = cs_run_levels_restore(stream) && cs_run_holds_restore(stream) &&
		    cs_run_targets_refresh(stream);
	for (size_t i = 0; good && i < stream->worlds.n; i++)
		good = derive_hits(stream, stream->worlds.at[i]);
	return good;
}

struct cs_error *cs_run_state_read(
	struct cs_stream *stream, const unsigned char *bytes, size_t size)
{
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, NULL);
	struct cs_codec codec = {.in = &cursor, .log = true};
	code_stream(&codec, stream);
	if (cursor.bad && !codec.failed)
		return cs_error_new(CS_E_INTERNAL, "a snapshot of the run cannot be read back");
	return codec.failed || !derive(stream) ? cs_error_nomem() : NULL;
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
