/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates the streaming sources of a run. Providers are the sources that the user set, by name.
 * Once a frame, the providers that are enabled are copied to the active sources, which keep their
 * velocity (rule 2.2.3) and quantised location (2.2.5) from frame to frame. While
 * wp.Runtime.UpdateStreamingSources is 0, the active sources stay unchanged, whatever happens to
 * the providers.
 */
#include "stream/stream_internal.h"

#include "core/items.h"
#include "core/search.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

struct cs_error *cs_stream_source_act_on(struct cs_stream_source *source, const char *names)
{
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME] = {{0}};
	uint32_t n = 0;
	struct cs_item item;
	while (cs_next_item(&names, &item)) {
		if (n == CS_SOURCE_GRIDS)
			return cs_error_new(CS_E_SETTING,
				"a streaming source can act on at most %d grids: name fewer, or "
				"none to act on all",
				CS_SOURCE_GRIDS);
		if (!cs_item_text(item, grids[n++], CS_SOURCE_NAME))
			return cs_error_new(CS_E_SETTING,
				"the name of a grid must have at most %d bytes, not %zu: %.60s...",
				CS_SOURCE_NAME - 1, item.n, item.at);
	}
	memcpy(source->grids, grids, sizeof(grids));
	source->n_grids = n;
	return NULL;
}

/* ---- checking the fields of a source ---- */

static struct cs_error *refuse(const struct cs_stream_source *source, const char *what)
{
	return cs_error_new(
		CS_E_SETTING, "streaming source '%.*s': %s", CS_SOURCE_NAME, source->name, what);
}

/* Largest coordinate in cm, up to which distances are exact enough and no sum overflows. */
#define REACH 1e12

static bool in_reach(struct cs_vec3 v)
{
	return fabs(v.x) <= REACH && fabs(v.y) <= REACH && fabs(v.z) <= REACH;
}

static bool finite_rotator(struct cs_rotator r)
{
	return isfinite(r.pitch) && isfinite(r.yaw) && isfinite(r.roll);
}

static bool is_length(double value)
{
	return value >= 0 && value <= REACH;
}

static bool ends(const char *name)
{
	return memchr(name, '\0', CS_SOURCE_NAME) != NULL;
}

static const char *shape_problem(const struct cs_stream_shape *shape)
{
	if (!in_reach(shape->location))
		return "the location of a shape must be within 1e12 cm of the origin on each axis";
	if (!finite_rotator(shape->rotation))
		return "the rotation of a shape must consist of finite numbers";
	if (!is_length(shape->radius) || !is_length(shape->range_scale))
		return is_length(shape->radius) ? "the range scale of a shape must be 0 to 1e12"
						: "the radius of a shape must be 0 to 1e12 cm";
	if (!(shape->angle >= 0 && shape->angle <= 360))
		return "the angle of a sector must be 0 to 360 degrees";
	return NULL;
}

static const char *source_problem(const struct cs_stream_source *source)
{
	if (!ends(source->name) || !*source->name)
		return *source->name ? "the name must have at most 63 bytes"
				     : "the name must not be empty";
	if (!in_reach(source->location))
		return "the location must be within 1e12 cm of the origin on each axis";
	if (!in_reach(source->velocity))
		return "the velocity must be within 1e12 cm/s on each axis";
	if (!finite_rotator(source->rotation))
		return "the rotation must consist of finite numbers";
	if (source->n_shapes > CS_SOURCE_SHAPES || source->n_grids > CS_SOURCE_GRIDS)
		return source->n_shapes > CS_SOURCE_SHAPES ? "a source can have at most 8 shapes"
							   : "a source can act on at most 8 grids";
	if (source->target != CS_LAYER_LOADED && source->target != CS_LAYER_ACTIVATED)
		return "the target state must be Loaded or Activated";
	if (source->behavior != CS_SOURCE_INCLUDE && source->behavior != CS_SOURCE_EXCLUDE)
		return "the target behaviour must be Include or Exclude";
	if (!is_length(source->extra_radius) ||
		!(source->extra_angle >= 0 && source->extra_angle <= 360))
		return is_length(source->extra_radius) ? "the extra angle must be 0 to 360 degrees"
						       : "the extra radius must be 0 to 1e12 cm";
	return NULL;
}

struct cs_error *cs_run_source_check(const struct cs_stream_source *source)
{
	const char *problem = source_problem(source);
	for (uint32_t i = 0; !problem && i < source->n_grids; i++)
		if (!ends(source->grids[i]))
			problem = "the name of a grid must have at most 63 bytes";
	for (uint32_t i = 0; !problem && i < source->n_shapes; i++)
		problem = shape_problem(&source->shapes[i]);
	return problem ? refuse(source, problem) : NULL;
}

/* ---- providers ---- */

/* Returns the index of the provider with this name, or the index where it would be inserted. */
static size_t provider_place(const struct cs_stream *stream, const char *name, bool *found)
{
	const struct cs_run_provider *providers = stream->sources.providers.at;
	size_t at = cs_lower_bound(0, stream->sources.providers.n, i,
		cs_name_compare(providers[i].source.name, name) < 0);
	*found = at < stream->sources.providers.n &&
		 cs_name_compare(providers[at].source.name, name) == 0;
	return at;
}

size_t cs_stream_find_source(const struct cs_stream *stream, const char *name)
{
	bool found;
	size_t place = provider_place(stream, name, &found);
	return found ? place : SIZE_MAX;
}

static struct cs_error *find_provider(
	struct cs_stream *stream, const char *name, struct cs_run_provider **ret)
{
	bool found;
	size_t place = provider_place(stream, name, &found);
	if (!found)
		return cs_error_new(
			CS_E_NOSOURCE, "the run has no streaming source '%.100s'", name);
	*ret = &stream->sources.providers.at[place];
	return NULL;
}

/* ---- the fields of a source, without its position and velocity ---- */

void cs_run_rotator_code(struct cs_codec *codec, struct cs_rotator *r)
{
	cs_code_f64(codec, &r->pitch);
	cs_code_f64(codec, &r->yaw);
	cs_code_f64(codec, &r->roll);
}

static void code_shape(struct cs_codec *codec, struct cs_stream_shape *shape)
{
	cs_code_bool(codec, &shape->use_grid_range);
	cs_code_bool(codec, &shape->sector);
	cs_code_f64(codec, &shape->range_scale);
	cs_code_f64(codec, &shape->radius);
	cs_code_f64(codec, &shape->angle);
	cs_code_vec3(codec, &shape->location);
	cs_run_rotator_code(codec, &shape->rotation);
}

static void code_source_fields(struct cs_codec *codec, struct cs_stream_source *source)
{
	uint32_t target = source->target, behavior = source->behavior;
	bool *const flags[] = {&source->velocity_given, &source->enabled, &source->block_on_slow,
		&source->use_velocity, &source->replay, &source->remote, &source->force_2d};
	cs_code_text(codec, source->name, CS_SOURCE_NAME);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		cs_code_bool(codec, flags[i]);
	cs_code_u8(codec, &source->priority);
	cs_code_u32(codec, &target);
	cs_code_u32(codec, &behavior);
	source->target = (enum cs_layer_state)target;
	source->behavior = (enum cs_source_behavior)behavior;
	cs_code_f64(codec, &source->extra_radius);
	cs_code_f64(codec, &source->extra_angle);
	cs_code_u32(codec, &source->color);
	cs_code_u32(codec, &source->n_grids);
	cs_code_u32(codec, &source->n_shapes);
	for (uint32_t i = 0; i < source->n_grids && i < CS_SOURCE_GRIDS; i++)
		cs_code_text(codec, source->grids[i], CS_SOURCE_NAME);
	for (uint32_t i = 0; i < source->n_shapes && i < CS_SOURCE_SHAPES; i++)
		code_shape(codec, &source->shapes[i]);
}

static bool hash_fields(struct cs_stream *stream, struct cs_stream_source *source, uint64_t *ret)
{
	struct cs_writer *writer = &stream->timeline.state;
	struct cs_codec codec = {.out = writer};
	writer->size = 0;
	code_source_fields(&codec, source);
	*ret = XXH3_64bits(writer->bytes, writer->size);
	return !writer->failed;
}

struct cs_error *cs_run_apply_source(struct cs_stream *stream, const struct cs_stream_input *input)
{
	bool found;
	size_t place = provider_place(stream, input->source->name, &found);
	struct cs_run_provider provider = {.source = *input->source, .path = CS_NONE};
	struct cs_error *error = cs_run_source_check(input->source);
	if (error)
		return error;
	if (!hash_fields(stream, &provider.source, &provider.hash) ||
		(!found && !cs_vec_reserve(&stream->sources.providers, 1)))
		return cs_error_nomem();
	struct cs_run_provider *at = stream->sources.providers.at + place;
	if (found) {
		provider.path = at->path;
		provider.loop = at->loop;
		provider.path_start = at->path_start;
	} else {
		memmove(at + 1, at, (stream->sources.providers.n - place) * sizeof(*at));
		stream->sources.providers.n++;
	}
	*at = provider;
	return NULL;
}

struct cs_error *cs_run_apply_move(struct cs_stream *stream, const struct cs_stream_input *input)
{
	struct cs_run_provider *provider = NULL;
	struct cs_error *error = find_provider(stream, input->name, &provider);
	if (error)
		return error;
	if (!in_reach(input->location) || !finite_rotator(input->rotation))
		return refuse(&provider->source, in_reach(input->location)
							 ? "the rotation must consist of "
							   "finite numbers"
							 : "the location must be within 1e12 "
							   "cm of the origin on each axis");
	provider->source.location = input->location;
	provider->source.rotation = input->rotation;
	return NULL;
}

struct cs_error *cs_run_apply_remove(struct cs_stream *stream, const struct cs_stream_input *input)
{
	struct cs_run_provider *provider = NULL;
	struct cs_error *error = find_provider(stream, input->name, &provider);
	if (error)
		return error;
	size_t behind = (size_t)(stream->sources.providers.at + stream->sources.providers.n -
				 (provider + 1));
	memmove(provider, provider + 1, behind * sizeof(*provider));
	stream->sources.providers.n--;
	return NULL;
}

struct cs_error *cs_run_apply_follow(struct cs_stream *stream, const struct cs_stream_input *input)
{
	struct cs_run_provider *provider = NULL;
	struct cs_error *error = find_provider(stream, input->name, &provider);
	if (error)
		return error;
	provider->path = CS_NONE;
	for (size_t i = 0; input->path && i < stream->sources.paths.n; i++)
		if (stream->sources.paths.at[i] == input->path)
			provider->path = (uint32_t)i;
	provider->loop = input->on;
	bool by_frame = input->path && cs_path_frames(input->path);
	provider->path_start = by_frame ? stream->clock.frame : stream->clock.time;
	return NULL;
}

/* ---- recorded runs ---- */

/*
 * Returns the number of the row of a recorded run that the current frame uses, beyond the last row
 * after the end of the run. Each frame uses one row, even if the simulation adds waits, so that
 * each simulated frame can be compared with its recorded frame.
 */
static uint64_t record_row(const struct cs_stream *stream, const struct cs_run_provider *provider)
{
	const struct cs_path_key *keys;
	size_t n = cs_path_keys(stream->sources.paths.at[provider->path], &keys);
	uint64_t row = stream->clock.frame - provider->path_start - 1;
	return provider->loop ? row % n : row;
}

static bool follows_record(const struct cs_stream *stream, const struct cs_run_provider *provider)
{
	return provider->path != CS_NONE &&
	       cs_path_frames(stream->sources.paths.at[provider->path]);
}

const struct cs_path_frame *cs_run_recorded_frame(const struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->sources.providers.n; i++) {
		const struct cs_run_provider *provider = &stream->sources.providers.at[i];
		if (!follows_record(stream, provider))
			continue;
		const struct cs_path *path = stream->sources.paths.at[provider->path];
		uint64_t row = record_row(stream, provider);
		if (row < cs_path_keys(path, &(const struct cs_path_key *){NULL}))
			return &cs_path_frames(path)[row];
	}
	return NULL;
}

/* ---- active sources ---- */

/* Returns the key of the path for this frame; after the end of a recorded run, its last key. */
static struct cs_path_key path_key(
	const struct cs_stream *stream, const struct cs_run_provider *provider)
{
	const struct cs_path *path = stream->sources.paths.at[provider->path];
	const struct cs_path_key *keys;
	size_t n = cs_path_keys(path, &keys);
	if (!follows_record(stream, provider))
		return cs_path_at(path, (double)(stream->clock.time - provider->path_start) * 1e-9,
			provider->loop);
	uint64_t row = record_row(stream, provider);
	return keys[row < n ? row : n - 1];
}

static void follow_path(struct cs_stream *stream, struct cs_run_provider *provider)
{
	if (provider->path == CS_NONE)
		return;
	const struct cs_path *path = stream->sources.paths.at[provider->path];
	struct cs_path_key key = path_key(stream, provider);
	provider->source.location = key.position;
	provider->source.rotation = key.rotation;
	if (cs_path_has_velocity(path))
		provider->source.velocity = key.velocity;
}

static bool gives_velocity(const struct cs_stream *stream, const struct cs_run_provider *provider)
{
	return provider->source.velocity_given ||
	       (provider->path != CS_NONE &&
		       cs_path_has_velocity(stream->sources.paths.at[provider->path]));
}

/* Returns whether a provider becomes a source: enabled and, if remote, on a server (rule 2.2.1). */
static bool gives_source(const struct cs_stream *stream, const struct cs_stream_source *source)
{
	return source->enabled && (!source->remote || cs_run_is_server(stream));
}

/* Returns whether the network role of the run uses sources at all (rule 2.2.2). */
static bool collects(const struct cs_stream *stream)
{
	return !cs_run_is_server(stream) || cs_run_server_streams_any(stream) ||
	       cs_run_number(stream, CS_VAR_REPLAY) != 0;
}

/* Returns the smoothed velocity (rule 2.2.3): zero at first, and after a jump or pause. */
static struct cs_vec3 next_velocity(
	struct cs_vec3 velocity, struct cs_vec3 from, struct cs_vec3 to, double dt)
{
	struct cs_vec3 move = {to.x - from.x, to.y - from.y, to.z - from.z};
	double jump2 = move.x * move.x + move.y * move.y + move.z * move.z;
	if (jump2 > 1e8 || dt > 5 || dt <= 0)
		return (struct cs_vec3){0, 0, 0};
	double w = fmin(dt * 100, 1);
	return (struct cs_vec3){velocity.x + (move.x / dt - velocity.x) * w,
		velocity.y + (move.y / dt - velocity.y) * w,
		velocity.z + (move.z / dt - velocity.z) * w};
}

static double rounded(double value, double step)
{
	return step > 0 ? round(value / step) * step + 0.0 : value; /* + 0.0 turns -0 into 0 */
}

/* Rule 2.2.5: the quantised location changes only if more than a step away on some axis. */
static void quantise_location(struct cs_run_source *source, double step, bool fresh)
{
	struct cs_vec3 at = source->source.location, *old = &source->step;
	if (!fresh && fabs(at.x - old->x) <= step && fabs(at.y - old->y) <= step &&
		fabs(at.z - old->z) <= step)
		return;
	*old = (struct cs_vec3){rounded(at.x, step), rounded(at.y, step), rounded(at.z, step)};
}

static double turn_between(double from, double to)
{
	return fabs(remainder(to - from, 360));
}

static void quantise_rotation(struct cs_run_source *source, double step, bool fresh)
{
	struct cs_rotator at = source->source.rotation, *old = &source->turn;
	if (!fresh && turn_between(old->pitch, at.pitch) <= step &&
		turn_between(old->yaw, at.yaw) <= step && turn_between(old->roll, at.roll) <= step)
		return;
	*old = (struct cs_rotator){
		rounded(at.pitch, step), rounded(at.yaw, step), rounded(at.roll, step)};
}

/* Rule 2.2.2: adds the margin by which sources reach farther on a server than on its clients. */
static void add_server_margin(const struct cs_stream *stream, struct cs_run_source *source)
{
	source->extra_radius = source->source.extra_radius;
	source->extra_angle = source->source.extra_angle;
	if (!cs_run_is_server(stream) || !cs_run_server_streams_any(stream))
		return;
	double radius = fmax(cs_run_number(stream, CS_VAR_SERVER_RADIUS),
		2 * cs_run_number(stream, CS_VAR_LOCATION_STEP));
	double angle = fmax(cs_run_number(stream, CS_VAR_SERVER_ANGLE),
		2 * cs_run_number(stream, CS_VAR_ROTATION_STEP));
	source->extra_radius = fmax(source->extra_radius, radius);
	source->extra_angle = fmax(source->extra_angle, angle);
}

static void update_source(struct cs_stream *stream, struct cs_run_source *source,
	const struct cs_run_provider *provider, bool fresh)
{
	struct cs_vec3 from = source->source.location;
	if (fresh || source->hash != provider->hash) {
		source->source = provider->source;
		source->hash = provider->hash;
	}
	source->source.location = provider->source.location;
	source->source.rotation = provider->source.rotation;
	source->source.velocity = provider->source.velocity;
	if (gives_velocity(stream, provider))
		source->velocity = provider->source.velocity;
	else if (!fresh)
		source->velocity = next_velocity(source->velocity, from, source->source.location,
			(double)stream->clock.delta * 1e-9);
	add_server_margin(stream, source);
	quantise_location(source, cs_run_number(stream, CS_VAR_LOCATION_STEP), fresh);
	quantise_rotation(source, cs_run_number(stream, CS_VAR_ROTATION_STEP), fresh);
}

/* Moves the active source of this name to index `at`, or inserts it there and sets *fresh. */
static bool seat_source(struct cs_stream *stream, size_t at, const char *name, bool *fresh)
{
	struct cs_run_source *sources = stream->sources.active.at;
	size_t found = at;
	while (found < stream->sources.active.n &&
		cs_name_compare(sources[found].source.name, name) != 0)
		found++;
	*fresh = found == stream->sources.active.n;
	stream->sources.version += found != at;
	if (*fresh) {
		if (!cs_vec_reserve(&stream->sources.active, 1))
			return false;
		sources = stream->sources.active.at;
		memmove(sources + at + 1, sources + at,
			(stream->sources.active.n - at) * sizeof(*sources));
		sources[at] = (struct cs_run_source){.extra_radius = 0};
		stream->sources.active.n++;
	} else if (found > at) {
		memmove(sources + at, sources + found,
			(stream->sources.active.n - found) * sizeof(*sources));
		stream->sources.active.n -= found - at;
	}
	return true;
}

bool cs_run_sources_update(struct cs_stream *stream)
{
	size_t n = 0;
	for (size_t i = 0; i < stream->sources.providers.n; i++)
		follow_path(stream, &stream->sources.providers.at[i]);
	if (cs_run_number(stream, CS_VAR_UPDATE_SOURCES) == 0)
		return true;
	bool collecting = collects(stream);
	for (size_t i = 0; collecting && i < stream->sources.providers.n; i++) {
		const struct cs_run_provider *provider = &stream->sources.providers.at[i];
		bool fresh;
		if (!gives_source(stream, &provider->source))
			continue;
		if (!seat_source(stream, n, provider->source.name, &fresh))
			return false;
		update_source(stream, &stream->sources.active.at[n++], provider, fresh);
	}
	stream->sources.version += stream->sources.active.n != n;
	stream->sources.active.n = n;
	return true;
}

/*
 * Returns whether turning the source makes a new evaluation necessary: if it has a sector. (The
 * rules leave this open.) The order of loading also depends on the direction, but while cells wait
 * for the budget, each frame evaluates the partition anyway.
 */
static bool turning_counts(const struct cs_stream_source *source)
{
	for (uint32_t i = 0; i < source->n_shapes; i++)
		if (source->shapes[i].sector)
			return true;
	return false;
}

uint64_t cs_run_sources_hash(const struct cs_stream *stream)
{
	uint64_t hash = stream->sources.active.n;
	for (size_t i = 0; i < stream->sources.active.n; i++) {
		const struct cs_run_source *source = &stream->sources.active.at[i];
		struct {
			uint64_t fields;
			struct cs_vec3 step;
			struct cs_rotator turn;
			double extra_radius, extra_angle;
		} key = {source->hash, source->step, {0, 0, 0}, source->extra_radius,
			source->extra_angle};
		if (turning_counts(&source->source))
			key.turn = source->turn;
		hash = XXH3_64bits_withSeed(&key, sizeof(key), hash);
	}
	return hash;
}

void cs_run_sources_stand(struct cs_stream *stream)
{
	for (size_t i = 0; i < stream->sources.active.n; i++) {
		struct cs_run_source *source = &stream->sources.active.at[i];
		source->evaluated = (struct cs_run_stand){
			source->source.location, source->velocity, source->source.rotation};
	}
}

bool cs_run_source_accepts(const struct cs_stream_source *source, const char *partition)
{
	bool listed = false;
	for (uint32_t i = 0; i < source->n_grids; i++)
		listed = listed || cs_name_compare(source->grids[i], partition) == 0;
	if (source->n_grids == 0)
		return true;
	return listed == (source->behavior == CS_SOURCE_INCLUDE);
}

struct cs_run_source *cs_run_find_source(const struct cs_stream *stream, const char *name)
{
	for (size_t i = 0; i < stream->sources.active.n; i++)
		if (cs_name_compare(stream->sources.active.at[i].source.name, name) == 0)
			return &stream->sources.active.at[i];
	return NULL;
}

/* ---- functions for callers of the library ---- */

struct cs_stream_source_view cs_stream_source_at(const struct cs_stream *stream, size_t index)
{
	const struct cs_run_provider *provider = &stream->sources.providers.at[index];
	const struct cs_run_source *source = cs_run_find_source(stream, provider->source.name);
	static const struct {
		const char *name;
		double factor;
	} units[] = {{"cm/s", 1}, {"m/s", 0.01}, {"km/h", 0.036}, {"mph", 0.036 / 1.609344}};
	const size_t unit = (size_t)cs_run_number(stream, CS_VAR_SPEED_UNIT) & 3;
	struct cs_stream_source_view view = {.source = &provider->source,
		.following = provider->path != CS_NONE,
		.speed_unit = units[unit].name};
	if (source) {
		const struct cs_vec3 v = source->velocity;
		view.active = true;
		view.velocity = v;
		view.speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z) * units[unit].factor;
		view.server_radius = source->extra_radius;
		view.server_angle = source->extra_angle;
	}
	return view;
}

/* ---- the state of the sources ---- */

void cs_run_source_code(struct cs_codec *codec, struct cs_stream_source *source)
{
	if (codec->in)
		*source = (struct cs_stream_source){.name = ""};
	code_source_fields(codec, source);
	cs_code_vec3(codec, &source->location);
	cs_run_rotator_code(codec, &source->rotation);
	cs_code_vec3(codec, &source->velocity);
}

static void code_provider(struct cs_codec *codec, struct cs_run_provider *provider)
{
	cs_run_source_code(codec, &provider->source);
	cs_code_u64(codec, &provider->hash);
	cs_code_u32(codec, &provider->path);
	cs_code_bool(codec, &provider->loop);
	cs_code_u64(codec, &provider->path_start);
}

void cs_run_stand_code(struct cs_codec *codec, struct cs_run_stand *stand)
{
	cs_code_vec3(codec, &stand->location);
	cs_code_vec3(codec, &stand->velocity);
	cs_run_rotator_code(codec, &stand->rotation);
}

static void code_active(struct cs_codec *codec, struct cs_run_source *source)
{
	cs_run_source_code(codec, &source->source);
	cs_code_u64(codec, &source->hash);
	cs_code_vec3(codec, &source->velocity);
	cs_code_vec3(codec, &source->step);
	cs_run_rotator_code(codec, &source->turn);
	cs_code_f64(codec, &source->extra_radius);
	cs_code_f64(codec, &source->extra_angle);
	if (!codec->log)
		return;
	cs_run_stand_code(codec, &source->evaluated);
}

void cs_run_sources_code(struct cs_codec *codec, struct cs_run_sources *sources)
{
	cs_code_length(codec, &sources->providers);
	for (size_t i = 0; i < sources->providers.n; i++)
		code_provider(codec, &sources->providers.at[i]);
	cs_code_length(codec, &sources->active);
	for (size_t i = 0; i < sources->active.n; i++)
		code_active(codec, &sources->active.at[i]);
}

void cs_run_sources_deinit(struct cs_run_sources *sources)
{
	for (size_t i = 0; i < sources->paths.n; i++)
		cs_path_free(sources->paths.at[i]);
	cs_vec_free(&sources->paths);
	cs_vec_free(&sources->providers);
	cs_vec_free(&sources->active);
}
