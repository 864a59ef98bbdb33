/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the state of a run as bytes, for snapshots and for the state hash.
 *
 * Only what differs from the beginning is written: residents, changed layers, variables, ranges.
 * Everything is written in an order that the state alone decides, so equal states give equal
 * bytes. What follows from the rest (counters, what moves, effective layers) is recomputed when
 * it is read. Each part is described once, by a function that writes or reads field by field.
 *
 * Parts that are only told and never asked by the run (when a cell changed, report sums) belong to
 * a snapshot but not to the hash: `log`.
 */
#include "stream/stream.h"

#include "base/cursor.h"
#include "base/sort.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct codec {
	struct cs_writer *out; /* writing, or */
	struct cs_cursor *in;  /* reading */
	bool log;
	bool failed; /* no memory while reading */
};

/* ---- fields ---- */

static void code_u8(struct codec *c, uint8_t *value)
{
	if (c->out)
		cs_writer_u8(c->out, *value);
	else
		*value = cs_cursor_u8(c->in);
}

static void code_bool(struct codec *c, bool *value)
{
	uint8_t byte = c->out ? *value : 0;
	code_u8(c, &byte);
	*value = byte != 0;
}

static void code_u32(struct codec *c, uint32_t *value)
{
	if (c->out)
		cs_writer_u32(c->out, *value);
	else
		*value = cs_cursor_u32(c->in);
}

static void code_u64(struct codec *c, uint64_t *value)
{
	if (c->out)
		cs_writer_u64(c->out, *value);
	else
		*value = cs_cursor_u64(c->in);
}

static void code_f64(struct codec *c, double *value)
{
	if (c->out)
		cs_writer_f64(c->out, *value);
	else
		*value = cs_cursor_f64(c->in);
}

static void code_vec3(struct codec *c, struct cs_vec3 *v)
{
	code_f64(c, &v->x);
	code_f64(c, &v->y);
	code_f64(c, &v->z);
}

static void code_rotator(struct codec *c, struct cs_rotator *r)
{
	code_f64(c, &r->pitch);
	code_f64(c, &r->yaw);
	code_f64(c, &r->roll);
}

static void code_cell(struct codec *c, struct cs_stream_cell *cell)
{
	code_u32(c, &cell->world);
	code_u32(c, &cell->cell);
}

/* A NUL-terminated text in an array of `size` bytes, the rest of which is zero. */
static void code_text(struct codec *c, char *text, size_t size)
{
	uint32_t length = c->out ? (uint32_t)strlen(text) : 0;
	code_u32(c, &length);
	if (c->out) {
		cs_writer_bytes(c->out, text, length);
		return;
	}
	const unsigned char *bytes = cs_cursor_take(c->in, length);
	memset(text, 0, size);
	if (bytes && length < size)
		memcpy(text, bytes, length);
}

/* Length of a list; when reading, its room. */
#define code_length(c, v) \
	code_length_of(c, (void **)&(v)->at, &(v)->n, &(v)->room, sizeof(*(v)->at))

static void code_length_of(struct codec *c, void **at, size_t *n, size_t *room, size_t size)
{
	uint32_t length = (uint32_t)*n;
	code_u32(c, &length);
	if (c->out)
		return;
	*n = 0;
	if (cs_vec_reserve_bytes(at, 0, room, length, size))
		*n = length;
	else
		c->failed = true;
}

/* ---- sources ---- */

static void code_shape(struct codec *c, struct cs_stream_shape *shape)
{
	code_bool(c, &shape->use_grid_range);
	code_bool(c, &shape->sector);
	code_f64(c, &shape->range_scale);
	code_f64(c, &shape->radius);
	code_f64(c, &shape->angle);
	code_vec3(c, &shape->location);
	code_rotator(c, &shape->rotation);
}

static void code_source_fields(struct codec *c, struct cs_stream_source *source)
{
	uint32_t target = source->target, behavior = source->behavior;
	bool *const flags[] = {&source->velocity_given, &source->enabled, &source->block_on_slow,
		&source->use_velocity, &source->replay, &source->remote, &source->force_2d};
	code_text(c, source->name, CS_SOURCE_NAME);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		code_bool(c, flags[i]);
	code_u8(c, &source->priority);
	code_u32(c, &target);
	code_u32(c, &behavior);
	source->target = (enum cs_layer_state)target;
	source->behavior = (enum cs_source_behavior)behavior;
	code_f64(c, &source->extra_radius);
	code_f64(c, &source->extra_angle);
	code_u32(c, &source->color);
	code_u32(c, &source->n_grids);
	code_u32(c, &source->n_shapes);
	for (uint32_t i = 0; i < source->n_grids && i < CS_SOURCE_GRIDS; i++)
		code_text(c, source->grids[i], CS_SOURCE_NAME);
	for (uint32_t i = 0; i < source->n_shapes && i < CS_SOURCE_SHAPES; i++)
		code_shape(c, &source->shapes[i]);
}

static void code_source_place(struct codec *c, struct cs_stream_source *source)
{
	code_vec3(c, &source->location);
	code_rotator(c, &source->rotation);
	code_vec3(c, &source->velocity);
}

static void code_source(struct codec *c, struct cs_stream_source *source)
{
	if (c->in)
		*source = (struct cs_stream_source){.name = ""};
	code_source_fields(c, source);
	code_source_place(c, source);
}

void cs_run_source_write(
	const struct cs_stream_source *source, bool place, struct cs_writer *writer)
{
	struct cs_stream_source copy = *source;
	struct codec c = {.out = writer};
	code_source_fields(&c, &copy);
	if (place)
		code_source_place(&c, &copy);
}

void cs_run_source_read(struct cs_cursor *cursor, struct cs_stream_source *ret)
{
	struct codec c = {.in = cursor};
	code_source(&c, ret);
}

static void code_provider(struct codec *c, struct cs_run_provider *provider)
{
	code_source(c, &provider->source);
	code_u64(c, &provider->hash);
	code_u32(c, &provider->path);
	code_bool(c, &provider->loop);
	code_u64(c, &provider->path_start);
}

static void code_active(struct codec *c, struct cs_run_source *source)
{
	code_source(c, &source->source);
	code_u64(c, &source->hash);
	code_vec3(c, &source->velocity);
	code_vec3(c, &source->step);
	code_rotator(c, &source->turn);
	code_f64(c, &source->extra_radius);
	code_f64(c, &source->extra_angle);
	if (!c->log)
		return;
	code_vec3(c, &source->evaluated.location);
	code_vec3(c, &source->evaluated.velocity);
	code_rotator(c, &source->evaluated.rotation);
}

static void code_sources(struct codec *c, struct cs_stream *s)
{
	code_length(c, &s->providers);
	for (size_t i = 0; i < s->providers.n; i++)
		code_provider(c, &s->providers.at[i]);
	code_length(c, &s->sources);
	for (size_t i = 0; i < s->sources.n; i++)
		code_active(c, &s->sources.at[i]);
}

/* ---- settings: pairs of a place and a value that is not the initial one ---- */

static void code_variables(struct codec *c, struct cs_stream *s)
{
	uint32_t end = CS_NONE;
	if (c->in)
		cs_run_variables_init(&s->variables, s->rules);
	for (uint32_t i = 0; c->out && i < CS_VAR_COUNT; i++) {
		if (cs_stream_variable_is_default(s, i) || i == CS_VAR_DISALLOW_LAYERS)
			continue;
		code_u32(c, &i);
		code_f64(c, &s->variables.numbers[i]);
	}
	code_u32(c, &end);
	while (c->in && end < CS_VAR_COUNT) {
		code_f64(c, &s->variables.numbers[end]);
		code_u32(c, &end);
	}
	code_text(c, s->variables.disallow, CS_RUN_TEXT);
}

static void code_layers(struct codec *c, struct cs_run_world *w)
{
	uint32_t n = (uint32_t)w->model.cooked->n_layers, end = CS_NONE;
	if (c->in)
		memcpy(w->target, w->initial, n);
	for (uint32_t i = 0; c->out && i < n; i++) {
		if (w->target[i] == w->initial[i])
			continue;
		code_u32(c, &i);
		code_u8(c, &w->target[i]);
	}
	code_u32(c, &end);
	while (c->in && end < n) {
		code_u8(c, &w->target[end]);
		code_u32(c, &end);
	}
	code_u64(c, &w->layer_epoch);
}

static void code_ranges(struct codec *c, struct cs_run_world *w)
{
	uint32_t n = (uint32_t)w->model.cooked->n_partitions, end = CS_NONE;
	for (uint32_t i = 0; c->in && i < n; i++)
		w->ranges[i] = -1;
	for (uint32_t i = 0; c->out && i < n; i++) {
		if (w->ranges[i] < 0)
			continue;
		code_u32(c, &i);
		code_f64(c, &w->ranges[i]);
	}
	code_u32(c, &end);
	while (c->in && end < n) {
		code_f64(c, &w->ranges[end]);
		code_u32(c, &end);
	}
}

/* ---- residents ---- */

static void code_flags(struct codec *c, struct cs_run_cell *r)
{
	bool *const flags[] = {&r->should_load, &r->should_show, &r->pending_add, &r->moving,
		&r->asked, &r->held, &r->around};
	uint8_t bits = 0;
	for (size_t i = 0; c->out && i < sizeof(flags) / sizeof(flags[0]); i++)
		bits |= (uint8_t)(*flags[i] << i);
	code_u8(c, &bits);
	for (size_t i = 0; c->in && i < sizeof(flags) / sizeof(flags[0]); i++)
		*flags[i] = bits >> i & 1;
}

/* A level that moves has a way behind and before it; one that rests has not. */
static void code_motion(struct codec *c, struct cs_run_cell *r)
{
	code_u8(c, &r->source_priority);
	code_f64(c, &r->spatial);
	code_f64(c, &r->distance2);
	code_u32(c, &r->priority);
	code_u64(c, &r->ready_at);
	code_u64(c, &r->ack_at);
	code_u64(c, &r->bytes_left);
	code_u64(c, &r->work_left);
}

static void code_resident(struct codec *c, struct cs_run_cell *r)
{
	code_u32(c, &r->cell);
	code_u8(c, &r->set);
	code_u8(c, &r->level);
	code_flags(c, r);
	code_u8(c, &r->fault);
	code_u64(c, &r->bytes);
	if (r->moving)
		code_motion(c, r);
	if (!c->log)
		return;
	code_u8(c, &r->hold);
	code_u64(c, &r->since);
	code_u64(c, &r->loaded_at);
}

static int by_id(const void *left, const void *right, void *context)
{
	uint32_t l = *(const uint32_t *)left, r = *(const uint32_t *)right;
	(void)context;
	return l < r ? -1 : l > r;
}

/* world.found becomes the ids in ascending order. */
static bool sort_found(struct cs_stream *s, struct cs_run_world *w)
{
	void *buffer = cs_run_scratch(s, w->found.n, sizeof(uint32_t));
	if (buffer)
		cs_sort_in(w->found.at, w->found.n, sizeof(uint32_t), by_id, NULL, buffer);
	return buffer != NULL;
}

static void write_residents(struct codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	w->found.n = 0;
	for (size_t i = 0; i < w->cells.n; i++)
		if (!cs_vec_push(&w->found, w->cells.at[i].cell))
			c->failed = true;
	if (c->failed || !sort_found(s, w)) {
		c->failed = true;
		return;
	}
	for (size_t i = 0; i < w->found.n; i++)
		code_resident(c, cs_run_find(w, w->found.at[i]));
}

static void read_residents(struct codec *c, struct cs_run_world *w)
{
	for (size_t i = 0; i < w->cells.n; i++) {
		struct cs_run_cell *r = &w->cells.at[i];
		*r = (struct cs_run_cell){0};
		code_resident(c, r);
		if (r->cell < w->model.n_cells)
			w->cell_slot[r->cell] = (uint32_t)i;
	}
}

static void write_warm(struct codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	w->found.n = 0;
	for (size_t i = 0; i < w->warm.n; i++)
		if (!cs_vec_push(&w->found, w->warm.at[i].hlod))
			c->failed = true;
	if (c->failed || !sort_found(s, w)) {
		c->failed = true;
		return;
	}
	for (size_t i = 0; i < w->found.n; i++) {
		struct cs_run_warm *warm = &w->warm.at[w->warm_slot[w->found.at[i]]];
		code_u32(c, &warm->hlod);
		code_u32(c, &warm->left);
		code_u64(c, &warm->frame);
	}
}

static void read_warm(struct codec *c, struct cs_run_world *w)
{
	for (size_t i = 0; i < w->warm.n; i++) {
		struct cs_run_warm *warm = &w->warm.at[i];
		code_u32(c, &warm->hlod);
		code_u32(c, &warm->left);
		code_u64(c, &warm->frame);
		if (warm->hlod < w->model.cooked->n_hlods)
			w->warm_slot[warm->hlod] = (uint32_t)i;
	}
}

/* ---- worlds ---- */

static void code_waiting(struct codec *c, struct cs_run_world *w, enum cs_order_list list)
{
	code_length(c, &w->waiting[list]);
	for (size_t i = 0; i < w->waiting[list].n; i++) {
		struct cs_stream_order_row *row = &w->waiting[list].at[i];
		const struct cs_cooked_cell *cell;
		if (c->in)
			*row = (struct cs_stream_order_row){.cell.world = w->id};
		code_u32(c, &row->cell.cell);
		code_u8(c, &row->keys.source_priority);
		code_f64(c, &row->keys.spatial);
		code_f64(c, &row->keys.distance2);
		if (row->cell.cell >= w->model.n_cells)
			continue;
		w->wait_slot[row->cell.cell] = (uint32_t)i;
		cell = &w->model.cooked->cells[row->cell.cell];
		row->keys.hierarchical_level = cell->hierarchical_level;
		row->keys.cell_priority = cell->priority;
	}
}

static void code_world(struct codec *c, struct cs_stream *s, struct cs_run_world *w)
{
	code_bool(c, &w->registered);
	code_u8(c, &w->server_mode);
	code_ranges(c, w);
	code_layers(c, w);
	code_length(c, &w->cells);
	if (c->out)
		write_residents(c, s, w);
	else
		read_residents(c, w);
	code_length(c, &w->warm);
	if (c->out)
		write_warm(c, s, w);
	else
		read_warm(c, w);
	code_waiting(c, w, CS_ORDER_ACTIVATE);
	code_waiting(c, w, CS_ORDER_LOAD);
	code_u64(c, &w->last_hash);
	code_bool(c, &w->evaluated);
	code_bool(c, &w->completed);
	code_u8(c, &w->performance);
	code_u8(c, &w->display_performance);
	code_bool(c, &w->wants_changed);
	code_bool(c, &w->epoch_held);
}

/* A world that was added after the snapshot is as new. */
static void reset_world(struct cs_run_world *w)
{
	w->registered = false;
	w->server_mode = CS_MODE_UNKNOWN;
	for (size_t i = 0; i < w->model.cooked->n_partitions; i++)
		w->ranges[i] = -1;
	memcpy(w->target, w->initial, w->model.cooked->n_layers);
	w->layer_epoch = 0;
	w->cells.n = w->warm.n = 0;
	w->waiting[CS_ORDER_ACTIVATE].n = w->waiting[CS_ORDER_LOAD].n = 0;
	w->evaluated = w->completed = w->wants_changed = w->epoch_held = false;
	w->performance = w->display_performance = CS_PERFORMANCE_GOOD;
	w->last_hash = 0;
}

static void code_worlds(struct codec *c, struct cs_stream *s)
{
	uint32_t n = (uint32_t)s->worlds.n;
	code_u32(c, &n);
	for (uint32_t i = 0; i < n && i < s->worlds.n; i++)
		code_world(c, s, s->worlds.at[i]);
	for (size_t i = n; i < s->worlds.n; i++)
		reset_world(s->worlds.at[i]);
}

/* ---- the rest ---- */

static void code_client(struct codec *c, struct cs_run_client *client)
{
	code_text(c, client->name, CS_SOURCE_NAME);
	code_text(c, client->source, CS_SOURCE_NAME);
	code_length(c, &client->seen);
	for (size_t i = 0; i < client->seen.n; i++) {
		struct cs_run_seen *seen = &client->seen.at[i];
		code_cell(c, &seen->cell);
		code_u64(c, &seen->until);
		code_bool(c, &seen->held);
		seen->frame = 0;
	}
}

static void code_clients(struct codec *c, struct cs_stream *s)
{
	for (size_t i = 0; c->in && i < s->clients.n; i++)
		cs_vec_free(&s->clients.at[i].seen);
	code_length(c, &s->clients);
	for (size_t i = 0; c->in && i < s->clients.n; i++)
		s->clients.at[i] = (struct cs_run_client){.name = ""};
	for (size_t i = 0; i < s->clients.n; i++)
		code_client(c, &s->clients.at[i]);
}

static void code_faults(struct codec *c, struct cs_stream *s)
{
	code_length(c, &s->faults);
	for (size_t i = 0; i < s->faults.n; i++) {
		code_cell(c, &s->faults.at[i].cell);
		code_u32(c, &s->faults.at[i].fault);
		code_f64(c, &s->faults.at[i].factor);
	}
}

static void code_clock(struct codec *c, struct cs_stream *s)
{
	uint64_t *const times[] = {&s->frame, &s->time, &s->stall, &s->io_time, &s->io_carry,
		&s->purge_time, &s->server_epoch};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		code_u64(c, times[i]);
	code_u32(c, &s->next_world);
	code_cell(c, &s->showing);
	code_cell(c, &s->hiding);
	code_bool(c, &s->hlod_enabled);
	code_u8(c, &s->performance);
	code_u8(c, &s->display_performance);
	code_bool(c, &s->block_requested);
}

static void code_report(struct codec *c, struct cs_stream_report *report)
{
	unsigned char *bytes = (unsigned char *)report;
	for (size_t i = 0; i < sizeof(*report); i++)
		code_u8(c, &bytes[i]);
}

static void code_stream(struct codec *c, struct cs_stream *s)
{
	code_clock(c, s);
	code_variables(c, s);
	code_sources(c, s);
	code_worlds(c, s);
	code_clients(c, s);
	code_faults(c, s);
	if (c->out ? !cs_run_companion_write(s, c->out) : !cs_run_companion_read(s, c->in))
		c->failed = true;
	if (!c->log)
		return;
	code_u64(c, &s->log.event_count);
	code_u64(c, &s->log.stall_count);
	code_report(c, &s->log.report);
}

bool cs_run_state_write(struct cs_stream *s, struct cs_writer *writer, bool log)
{
	struct codec c = {.out = writer, .log = log};
	code_stream(&c, s);
	return !c.failed && !writer->failed;
}

/* The frame sets, which answers to why look at. */
static bool derive_hits(struct cs_stream *s)
{
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		if (w->evaluated && !cs_run_find_hits(s, w))
			return false;
	}
	return true;
}

/* What follows from what was read. */
static bool derive(struct cs_stream *s)
{
	for (size_t i = 0; i < s->worlds.n; i++) {
		struct cs_run_world *w = s->worlds.at[i];
		cs_run_layers_effective(w, w->target, w->effective);
		memset(w->set_epoch, 0, w->model.n_sets * sizeof(*w->set_epoch));
		cs_run_disallow_update(s, w);
		w->hits.n = w->touches.n = 0;
	}
	for (int i = 0; i < CS_ORDER_LISTS; i++)
		s->lists[i].n = s->open[i].n = 0;
	s->holds.n = s->critical.n = 0;
	s->source_version++;
	s->failed = s->in_block = s->block_by_performance = false;
	return cs_run_levels_restore(s) && cs_run_targets_refresh(s) && derive_hits(s);
}

struct cs_error *cs_run_state_read(struct cs_stream *s, const unsigned char *bytes, size_t size)
{
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, NULL);
	struct codec c = {.in = &cursor, .log = true};
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
