/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the visits of cells (periods in which a cell is loaded and shown once) from the states
 * in recorded files and from the events of a simulated run. The simulated run has one player at the
 * recorded positions, frames of the recorded lengths, and the variables, role, profile and initial
 * layer states of the open run. Frame times are taken from the record, because a recorded frame
 * includes its waits: adding simulated waits would count them twice.
 */
#include "runs/real_walk.h"

#include "core/error_inside.h"
#include "core/slots.h"
#include "core/text.h"
#include "stream/stream_inside.h"

#include <string.h>

/* ---- adding states to visits ---- */

struct cs_error *cs_real_walk_init(uint32_t n_cells, struct cs_real_walk *ret)
{
	struct cs_real_walk walk = {.n_cells = n_cells};
	walk.first = calloc((size_t)n_cells + 1, 2 * sizeof(*walk.first));
	if (!walk.first)
		return cs_error_nomem();
	walk.last = walk.first + n_cells;
	memset(walk.first, 0xff, (size_t)n_cells * 2 * sizeof(*walk.first));
	*ret = walk;
	return NULL;
}

void cs_real_walk_deinit(struct cs_real_walk *walk)
{
	cs_vec_free(&walk->visits);
	free(walk->first);
	*walk = (struct cs_real_walk){0};
}

/* Returns the cell's open visit (loaded period), or else a new one, or NULL without memory. */
static struct cs_real_visit *visit_of(struct cs_real_walk *walk, uint32_t cell)
{
	const uint32_t last = walk->last[cell], fresh = (uint32_t)walk->visits.n;
	struct cs_real_visit *before = last == CS_NONE ? NULL : &walk->visits.at[last];
	const double none = (double)NAN;
	if (before && !before->over)
		return before;
	const struct cs_real_visit visit = {.cell = cell,
		.order = before ? before->order + 1 : 1,
		.next = CS_NONE,
		.begin = none,
		.loaded = none,
		.showing = none,
		.visible = none,
		.hiding = none,
		.hidden = none};
	if (!cs_vec_push(&walk->visits, visit))
		return NULL;
	if (last == CS_NONE)
		walk->first[cell] = fresh;
	else
		walk->visits.at[last].next = fresh;
	walk->last[cell] = fresh;
	return &walk->visits.at[fresh];
}

static bool visit_is_open(const struct cs_real_walk *walk, uint32_t cell)
{
	const uint32_t last = walk->last[cell];
	return last != CS_NONE && !walk->visits.at[last].over;
}

static void visit_at(double *time, double now)
{
	if (isnan(*time))
		*time = now;
}

static bool visit_was_hidden(const struct cs_real_visit *visit)
{
	return !isnan(visit->hiding) || !isnan(visit->hidden);
}

/* Records that the level of a cell reached `state` at `now`; false if out of memory. */
static bool visit_reaches(struct cs_real_walk *walk, uint32_t cell, enum cs_real_state state,
	double now, int64_t line)
{
	if (state == CS_REAL_UNKNOWN || (state == CS_REAL_UNLOADED && !visit_is_open(walk, cell)))
		return true;
	struct cs_real_visit *visit = visit_of(walk, cell);
	const bool shown_again = visit && visit_was_hidden(visit) &&
				 (state == CS_REAL_SHOWING || state == CS_REAL_VISIBLE);
	if (shown_again) {
		visit->over = true;
		visit = visit_of(walk, cell);
	}
	if (!visit)
		return false;
	const bool was_shown = !isnan(visit->visible) || !isnan(visit->hiding);
	visit->line = line;
	if (state == CS_REAL_LOADING)
		visit_at(&visit->begin, now);
	else if (state == CS_REAL_LOADED)
		visit_at(was_shown ? &visit->hidden : &visit->loaded, now);
	else if (state == CS_REAL_SHOWING)
		visit_at(&visit->showing, now);
	else if (state == CS_REAL_VISIBLE)
		visit_at(&visit->visible, now);
	else if (state == CS_REAL_HIDING)
		visit_at(&visit->hiding, now);
	else if (state == CS_REAL_UNLOADED && was_shown && isnan(visit->hiding))
		visit_at(&visit->hidden, now);
	visit->failed |= state == CS_REAL_FAILED;
	visit->over |= state == CS_REAL_UNLOADED;
	return true;
}

/* ---- paths and visits from files ---- */

/*
 * WALK_MOST_LEFT_OUT: largest number of frames that are inserted between two recorded frames.
 * WALK_LONGEST_FRAME: longest recorded or inserted frame in ms, the limit of sim.FrameTime.
 * WALK_LONGEST_GAP: longest gap between recorded frames, in s, that inserted frames can fill.
 */
enum {
	WALK_MOST_LEFT_OUT = 64,
	WALK_LONGEST_FRAME = 1000000,
	WALK_LONGEST_GAP = WALK_MOST_LEFT_OUT * (WALK_LONGEST_FRAME / 1000),
};

/* Adds a frame that ends `seconds` after the path's start, with the player at position `key`. */
static struct cs_error *walk_add_frame(
	struct cs_path *path, const struct cs_path_key *key, double seconds, const double *values)
{
	const struct cs_path_key *keys;
	const size_t n = cs_path_keys(path, &keys);
	const double length = seconds - (n ? keys[n - 1].time : 0);
	struct cs_path_frame frame = {
		.length_ns = length > 0 ? (uint64_t)llround(length * 1e9) : 0};
	memcpy(frame.values, values, sizeof(frame.values));
	return cs_path_add_frame(path, key, &frame);
}

/*
 * Fills the gap from the path's end to `row`, which begins `begin` seconds into the path, with
 * frames about as long as the frame of `row`.
 */
static struct cs_error *walk_fill_gap(
	struct cs_path *path, const struct cs_real_frame *row, double begin)
{
	const struct cs_path_key *keys;
	const size_t n = cs_path_keys(path, &keys);
	const double end = n ? keys[n - 1].time : 0, gap = begin - end;
	struct cs_error *error = NULL;
	if (!(fabs(gap) <= WALK_LONGEST_GAP && row->ms <= WALK_LONGEST_FRAME))
		return cs_error_new(CS_E_LIMIT,
			"line %u: the frame takes %g ms and begins %g s after the frame before it, "
			"but the limits are %d ms and %d s",
			row->origin.line, row->ms, gap, WALK_LONGEST_FRAME, WALK_LONGEST_GAP);
	if (n == 0 || gap * 2e3 < row->ms || gap <= 0)
		return NULL;
	const struct cs_path_key last = keys[n - 1];
	const double many = fmin(fmax(round(gap * 1e3 / row->ms), 1), WALK_MOST_LEFT_OUT);
	double none[CS_RECORDED_COUNT];
	for (size_t i = 0; i < CS_RECORDED_COUNT; i++)
		none[i] = (double)NAN;
	for (int i = 1; !error && i <= (int)many; i++)
		error = walk_add_frame(path, &last, end + gap * i / many, none);
	return error;
}

/* Adds a recorded frame. A frame without a position gets the last position, or is skipped. */
static struct cs_error *walk_take_frame(
	struct cs_real_path *path, const struct cs_real_frame *row, struct cs_path_key *key)
{
	if (!isnan(row->position.x))
		*key = (struct cs_path_key){.position = row->position, .rotation = row->rotation};
	else if (path->file == CS_NONE)
		return NULL;
	if (path->file == CS_NONE)
		path->start = row->time - row->ms * 1e-3;
	path->file = row->origin.file;
	const double seconds = row->time - path->start;
	struct cs_error *error = walk_fill_gap(path->path, row, seconds - row->ms * 1e-3);
	return error ? error : walk_add_frame(path->path, key, seconds, row->values);
}

struct cs_error *cs_real_path_new(const struct cs_real *real, struct cs_real_path *ret)
{
	struct cs_real_path path = {.file = CS_NONE};
	struct cs_path_key key = {.time = 0};
	struct cs_error *error = cs_path_new(&path.path);
	if (error)
		return error;
	for (size_t i = 0; !error && i < real->frames.n; i++) {
		const struct cs_real_frame *row = &real->frames.at[i];
		if (row->ms >= 0 && !isnan(row->time) &&
			(path.file == CS_NONE || row->origin.file == path.file))
			error = walk_take_frame(&path, row, &key);
	}
	if (error && error->code == CS_E_LIMIT)
		error = cs_error_wrap(
			error, "%s", cs_strings_get(&real->texts, real->files.at[path.file].name));
	if (!error && path.file == CS_NONE)
		error = cs_error_new(CS_E_NOFRAME,
			"no file of the run has the position of the camera in each frame: `run "
			"open` its CSV profile too");
	if (error)
		cs_path_free(path.path);
	else
		*ret = path;
	return error;
}

/* Returns the seconds to add to times of `file` to get times of the file `frames`. */
static double walk_offset(
	const struct cs_real *real, uint32_t file, uint32_t frames, const double *offset)
{
	const double own = real->files.at[file].epoch, other = real->files.at[frames].epoch;
	if (offset)
		return file == frames ? 0 : *offset;
	return file == frames || isnan(own) || isnan(other) ? 0 : own - other;
}

bool cs_real_name_cells(const struct cs_cooked *world, struct cs_slots *ret)
{
	if (!cs_slots_init(ret, world->n_cells))
		return false;
	for (uint32_t i = 0; i < world->n_cells; i++) {
		const char *name = cs_cooked_cell_name(world, i);
		uint32_t *slot = cs_slots_find(ret, cs_name_hash(name, strlen(name)), cell,
			cs_name_compare(cs_cooked_cell_name(world, cell), name) == 0);
		if (cs_slot_row(slot) == CS_NONE)
			cs_slots_put(ret, slot, i);
	}
	return true;
}

uint32_t cs_real_find_cell(
	const struct cs_cooked *world, const struct cs_slots *names, const char *name)
{
	return cs_slot_row(cs_slots_find(names, cs_name_hash(name, strlen(name)), cell,
		cs_name_compare(cs_cooked_cell_name(world, cell), name) == 0));
}

/*
 * Returns the file whose cell states are used: the file of the frames if it has cell states, else
 * the first file that has; CS_NONE = none. Only one is used, because all files of a run record the
 * same changes of state.
 */
static uint32_t walk_states_file(const struct cs_real *real, const struct cs_cooked *world,
	const struct cs_slots *names, uint32_t frames_file)
{
	uint32_t first = CS_NONE;
	for (size_t i = 0; i < real->cells.n; i++) {
		const struct cs_real_cell *row = &real->cells.at[i];
		const char *name = cs_strings_get(&real->texts, row->cell);
		const bool useful = first == CS_NONE || row->origin.file == frames_file;
		if (!useful || isnan(row->time) || cs_real_find_cell(world, names, name) == CS_NONE)
			continue;
		first = row->origin.file;
		if (first == frames_file)
			break;
	}
	return first;
}

struct cs_error *cs_real_walk_real(const struct cs_real *real, const struct cs_cooked *world,
	uint32_t frames_file, const double *offset, struct cs_real_walk *walk)
{
	struct cs_slots names;
	bool good = cs_real_name_cells(world, &names);
	if (!good)
		return cs_error_nomem();
	walk->file = walk_states_file(real, world, &names, frames_file);
	for (size_t i = 0; good && i < real->cells.n; i++) {
		const struct cs_real_cell *row = &real->cells.at[i];
		if (walk->file != CS_NONE && row->origin.file != walk->file)
			continue;
		const uint32_t cell =
			cs_real_find_cell(world, &names, cs_strings_get(&real->texts, row->cell));
		walk->unknown += cell == CS_NONE;
		if (cell == CS_NONE || isnan(row->time))
			continue;
		good = visit_reaches(walk, cell, (enum cs_real_state)row->state,
			row->time + walk_offset(real, row->origin.file, frames_file, offset),
			row->origin.line ? (int64_t)row->origin.line : -1);
	}
	cs_slots_deinit(&names);
	if (!good)
		return cs_error_nomem();
	return walk->visits.n > 0
		       ? NULL
		       : cs_error_new(CS_E_MISSING, "no file of the run contains states of cells "
						    "of this world: open the log of the game "
						    "with `run open`, too");
}

/* ---- visits from a simulation ---- */

static enum cs_real_state walk_state_of(uint8_t level)
{
	static const uint8_t states[CS_LEVEL_STATES] = {[CS_LEVEL_REMOVED] = CS_REAL_UNLOADED,
		[CS_LEVEL_UNLOADED] = CS_REAL_UNLOADED,
		[CS_LEVEL_FAILED] = CS_REAL_FAILED,
		[CS_LEVEL_LOADING] = CS_REAL_LOADING,
		[CS_LEVEL_NOT_VISIBLE] = CS_REAL_LOADED,
		[CS_LEVEL_MAKING_VISIBLE] = CS_REAL_SHOWING,
		[CS_LEVEL_VISIBLE] = CS_REAL_VISIBLE,
		[CS_LEVEL_MAKING_INVISIBLE] = CS_REAL_HIDING};
	return level < CS_LEVEL_STATES ? (enum cs_real_state)states[level] : CS_REAL_UNKNOWN;
}

static bool walk_event(
	struct cs_real_walk *walk, const struct cs_stream_event *event, double now, uint8_t *wish)
{
	if (event->world != 0 || event->cell >= walk->n_cells)
		return true;
	if (event->event == CS_EVENT_SET && event->to != CS_LAYER_UNLOADED)
		*wish = event->reason;
	if (event->event != CS_EVENT_LEVEL)
		return true;
	if (!visit_reaches(walk, event->cell, walk_state_of(event->to), now, -1))
		return false;
	if (event->to == CS_LEVEL_LOADING)
		walk->visits.at[walk->last[event->cell]].reason = *wish;
	return true;
}

static struct cs_error *walk_frames(struct cs_stream *stream, const struct cs_real_path *path,
	const struct cs_job *job, struct cs_real_walk *walk)
{
	const struct cs_path_key *keys;
	const size_t n = cs_path_keys(path->path, &keys);
	uint8_t *wishes = calloc((size_t)walk->n_cells + 1, 1);
	struct cs_error *error = wishes ? NULL : cs_error_nomem();
	for (size_t i = 0; !error && i < n; i++) {
		uint64_t event = cs_stream_event_count(stream);
		error = cs_stream_run(stream, i + 1, job);
		for (; !error && event < cs_stream_event_count(stream); event++) {
			const struct cs_stream_event *at = cs_stream_event_at(stream, event);
			uint8_t none = 0;
			uint8_t *wish = at && at->cell < walk->n_cells ? &wishes[at->cell] : &none;
			if (!at)
				error = cs_error_new(CS_E_LIMIT,
					"frame %zu of the simulation has more events than a run "
					"stores, so they cannot all be compared with the real run",
					i + 1);
			else if (!walk_event(walk, at, path->start + keys[i].time, wish))
				error = cs_error_nomem();
		}
	}
	free(wishes);
	return error;
}

/* Copies all variables that differ from their initial values from `model` to `stream`. */
static struct cs_error *walk_variables(const struct cs_stream *model, struct cs_stream *stream)
{
	struct cs_error *error = NULL;
	size_t n;
	cs_stream_variables(&n);
	for (size_t i = 0; !error && i < n; i++) {
		char text[1024];
		if (cs_stream_variable(model, i).is_initial)
			continue;
		cs_stream_variable_format(model, i, text, sizeof(text));
		error = cs_stream_variable_set(stream, i, text);
	}
	return error;
}

struct cs_error *cs_real_set_variable(struct cs_stream *stream, const char *variable, double value)
{
	char text[CS_DOUBLE_TEXT];
	cs_double_format(value, text);
	return cs_stream_variable_set(stream, cs_stream_find_variable(variable), text);
}

/* Returns how many events the event log needs if all cells load in one frame; at most 4 Mi. */
static uint32_t walk_most_events(const struct cs_real_walk *walk)
{
	const uint32_t least = 1 << 16, most = 1 << 22;
	const uint32_t events = walk->n_cells < most / 8 ? walk->n_cells * 8 : most;
	return events > least ? events : least;
}

/* Creates a run that starts like `model`: role, profile, initial states of data layers. */
static struct cs_error *walk_stream(const struct cs_stream *model, uint32_t events,
	const struct cs_job *job, struct cs_stream **ret)
{
	const struct cs_cooked *world = cs_stream_world(model, 0).cooked;
	const struct cs_stream_status status = cs_stream_status(model);
	struct cs_stream_initial *initial = calloc(world->n_layers + 1, sizeof(*initial));
	struct cs_error *error = initial ? NULL : cs_error_nomem();
	size_t n = 0;
	for (uint32_t i = 0; !error && i < world->n_layers; i++) {
		struct cs_stream_layer_view view;
		error = cs_stream_layer(model, 0, i, &view);
		if (!error && (uint32_t)view.initial != world->layers[i].initial)
			initial[n++] = (struct cs_stream_initial){
				cs_cooked_text(world, world->layers[i].name), view.initial};
	}
	const struct cs_stream_options options = {.size = sizeof(options),
		.role = status.role,
		.profile = status.profile,
		.initial = initial,
		.n_initial = n,
		.history_bytes = 1 << 20,
		.events = events};
	if (!error)
		error = cs_stream_new(world, &options, job, ret);
	free(initial);
	return error;
}

struct cs_error *cs_real_walk_simulated(const struct cs_stream *model,
	const struct cs_real_path *path, const struct cs_real_value *values, size_t n_values,
	const struct cs_job *job, struct cs_real_walk *walk)
{
	const struct cs_stream_source source = cs_stream_source_player("Player0");
	struct cs_stream *stream = NULL;
	struct cs_error *error = walk_stream(model, walk_most_events(walk), job, &stream);
	if (!error)
		error = walk_variables(model, stream);
	if (!error)
		for (size_t i = 0; !error && i < n_values; i++)
			error = cs_real_set_variable(stream, values[i].variable, values[i].value);
	if (!error)
		error = cs_stream_source_set(stream, &source);
	if (!error)
		error = cs_stream_source_follow(stream, source.name, path->path, false);
	if (!error)
		error = walk_frames(stream, path, job, walk);
	cs_stream_free(stream);
	return error;
}
