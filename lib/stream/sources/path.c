/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths: keys in ascending order of time, interpolation, and files in CSV and JSON. Files are
 * written with the shortest decimals that give the same numbers when read.
 *
 * Invariant: a path has a frame for each of its keys, or no frames.
 */
#include "stream/stream_internal.h"

#include "core/error_inside.h"
#include "core/invariant.h"
#include "core/json.h"
#include "core/search.h"
#include "core/utf8.h"
#include "format/byte_source.h"
#include "format/gzip.h"
#include "format/save.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 10, LARGEST_FILE = 1 << 30 };

/* Largest coordinate in cm and velocity in cm/s; sources have the same limits. */
static const double path_reach = 1e12;

static const char schema[] = "cellscope.path/1";

struct cs_path {
	CS_VEC(struct cs_path_key) keys;
	CS_VEC(struct cs_path_frame) frames; /* frames of a recorded run; own their events */
	uint64_t end_ns;                     /* end of the last recorded frame in ns */
	bool has_velocity;
	size_t unknown_frames; /* see cs_path_view */
};

/*
 * Returns the number of frames in a run along the path: the recorded frames, or 60 per second from
 * time 0 to the last key, plus one.
 */
static uint64_t path_run_frames(const struct cs_path *path)
{
	enum { MOST_FRAMES = 4000000 }; /* as many as a CSV profile can have */
	const size_t n = path->keys.n;
	const double frames = path->frames.n || n == 0
				      ? (double)n
				      : ceil(fmax(path->keys.at[n - 1].time, 0) * 60) + 1;
	return frames <= MOST_FRAMES ? (uint64_t)frames : 0;
}

struct cs_path_view cs_path_view(const struct cs_path *path)
{
	return (struct cs_path_view){path->keys.at, path->frames.n ? path->frames.at : NULL,
		path->keys.n, path->has_velocity, path_run_frames(path), path->unknown_frames};
}

struct cs_error *cs_path_new(struct cs_path **ret)
{
	struct cs_path *path = calloc(1, sizeof(*path));
	if (!path)
		return cs_error_nomem();
	*ret = path;
	return NULL;
}

void cs_path_free(struct cs_path *path)
{
	if (!path)
		return;
	for (size_t i = 0; i < path->frames.n; i++)
		free((char *)path->frames.at[i].events);
	cs_vec_free(&path->frames);
	cs_vec_free(&path->keys);
	free(path);
}

/* Returns the ten numbers of a key in the order of the CSV columns. */
static void to_numbers(const struct cs_path_key *key, double ret[COLUMNS])
{
	const double numbers[COLUMNS] = {key->time, key->position.x, key->position.y,
		key->position.z, key->rotation.pitch, key->rotation.yaw, key->rotation.roll,
		key->velocity.x, key->velocity.y, key->velocity.z};
	memcpy(ret, numbers, sizeof(numbers));
}

static struct cs_path_key of_numbers(const double n[COLUMNS])
{
	return (struct cs_path_key){
		n[0], {n[1], n[2], n[3]}, {n[4], n[5], n[6]}, {n[7], n[8], n[9]}};
}

static struct cs_error *add_key(struct cs_path *path, const struct cs_path_key *key)
{
	double numbers[COLUMNS];
	to_numbers(key, numbers);
	for (int i = 0; i < COLUMNS; i++)
		if (!isfinite(numbers[i]))
			return cs_error_new(CS_E_SETTING,
				"key %zu of the path (counted from 0) contains %g, which is not a "
				"finite number",
				path->keys.n, numbers[i]);
	for (int i = 0; i < COLUMNS; i++) {
		const bool is_angle = i >= 4 && i <= 6;
		if (i > 0 && !is_angle && fabs(numbers[i]) > path_reach)
			return cs_error_new(CS_E_SETTING,
				"key %zu of the path (counted from 0) contains %g, but positions must "
				"be within 1e12 cm and velocities within 1e12 cm/s",
				path->keys.n, numbers[i]);
	}
	if (path->keys.n && key->time < path->keys.at[path->keys.n - 1].time)
		return cs_error_new(CS_E_SETTING,
			"key %zu of the path (counted from 0) has the time %g s, which is before "
			"the time of the key before it",
			path->keys.n, key->time);
	return cs_vec_push(&path->keys, *key) ? NULL : cs_error_nomem();
}

static bool path_holds(const struct cs_path *path)
{
	return path->frames.n == 0 || path->frames.n == path->keys.n;
}

struct cs_error *cs_path_add(struct cs_path *path, const struct cs_path_key *key)
{
	if (path->frames.n)
		return cs_error_new(CS_E_SETTING,
			"key %zu of the path (counted from 0) has no frame, but the keys before it "
			"have one",
			path->keys.n);
	return add_key(path, key);
}

struct cs_error *cs_path_add_frame(
	struct cs_path *path, const struct cs_path_key *key, const struct cs_path_frame *frame)
{
	struct cs_path_frame copy = *frame;
	struct cs_path_key at_end = *key;
	if (path->frames.n != path->keys.n)
		return cs_error_new(CS_E_SETTING,
			"key %zu of the path (counted from 0) has a frame, but the keys before it "
			"have none",
			path->keys.n);
	if (__builtin_add_overflow(path->end_ns, frame->length_ns, &path->end_ns))
		return cs_error_new(CS_E_LIMIT,
			"the frame times of the path up to key %zu (counted from 0) add up to "
			"more than 2^64 ns",
			path->keys.n);
	at_end.time = (double)path->end_ns / 1e9;
	copy.events = frame->events ? strdup(frame->events) : NULL;
	if ((frame->events && !copy.events) || !cs_vec_reserve(&path->frames, 1)) {
		free((char *)copy.events);
		return cs_error_nomem();
	}
	struct cs_error *error = add_key(path, &at_end);
	if (error)
		free((char *)copy.events);
	else
		path->frames.at[path->frames.n++] = copy;
	CS_INVARIANT(path_holds(path), "either all keys of a path have a frame, or none has");
	return error;
}

void cs_run_path_cut(struct cs_path *path, double time)
{
	while (path->keys.n && path->keys.at[path->keys.n - 1].time > time)
		path->keys.n--;
	CS_INVARIANT(path_holds(path), "either all keys of a path have a frame, or none has");
}

void cs_path_set_velocity(struct cs_path *path, bool has)
{
	path->has_velocity = has;
}

/* ---- interpolation ---- */

static double path_mix(double from, double to, double t)
{
	return from + (to - from) * t;
}

static double mix_angle(double from, double to, double t)
{
	return from + remainder(to - from, 360) * t;
}

static struct cs_vec3 mix_vec(struct cs_vec3 from, struct cs_vec3 to, double t)
{
	return (struct cs_vec3){
		path_mix(from.x, to.x, t), path_mix(from.y, to.y, t), path_mix(from.z, to.z, t)};
}

static struct cs_path_key between(
	const struct cs_path_key *from, const struct cs_path_key *to, double time)
{
	double span = to->time - from->time;
	double t = span > 0 ? (time - from->time) / span : 1;
	return (struct cs_path_key){time, mix_vec(from->position, to->position, t),
		{mix_angle(from->rotation.pitch, to->rotation.pitch, t),
			mix_angle(from->rotation.yaw, to->rotation.yaw, t),
			mix_angle(from->rotation.roll, to->rotation.roll, t)},
		mix_vec(from->velocity, to->velocity, t)};
}

/* Returns the time within the path: after the last key the path starts again at the first. */
static double wrap(const struct cs_path *path, double time)
{
	double first = path->keys.at[0].time, last = path->keys.at[path->keys.n - 1].time;
	double span = last - first;
	if (!(span > 0) || time < last)
		return time;
	return first + fmod(time - first, span);
}

struct cs_path_key cs_path_at(const struct cs_path *path, double time, bool loop)
{
	const struct cs_path_key *keys = path->keys.at;
	if (path->keys.n == 0)
		return (struct cs_path_key){.time = time};
	if (loop)
		time = wrap(path, time);
	size_t next = cs_lower_bound(0, path->keys.n, i, keys[i].time <= time);
	if (next == 0 || next == path->keys.n)
		return keys[next ? next - 1 : 0];
	return between(&keys[next - 1], &keys[next], time);
}

/* ---- reading CSV ---- */

struct csv {
	const char *file;
	size_t line;
};

static struct cs_error *csv_error(const struct csv *csv, const char *problem)
{
	return cs_error_at(
		CS_E_SETTING, csv->file, CS_NO_OFFSET, "line %zu: %s", csv->line, problem);
}

/* Parses the numbers in a line; returns their count, or -1 if a column is not a number. */
static int split_line(const char *line, size_t length, double ret[COLUMNS])
{
	int n = 0;
	for (size_t begin = 0; begin <= length; n++) {
		const char *comma = memchr(line + begin, ',', length - begin);
		size_t end = comma ? (size_t)(comma - line) : length, from = begin, to = end;
		while (from < to && line[from] == ' ')
			from++;
		while (to > from && (line[to - 1] == ' ' || line[to - 1] == '\r'))
			to--;
		if (n == COLUMNS || !cs_double_parse(line + from, to - from, &ret[n]))
			return -1;
		begin = end + 1;
	}
	return n;
}

/* Returns whether a line lists the names of the first columns, in their order. */
static bool is_header(const char *line, size_t length)
{
	static const char names[] = "time,x,y,z,pitch,yaw,roll,vx,vy,vz";
	size_t at = 0;
	for (size_t i = 0; i < length; i++) {
		if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r')
			continue;
		if ((line[i] | 0x20) != (names[at] | 0x20) || !names[at++])
			return false;
	}
	return names[at] == '\0' || names[at] == ',';
}

static struct cs_error *path_read_line(
	struct csv *csv, const char *line, size_t length, struct cs_path *path)
{
	double numbers[COLUMNS] = {0};
	size_t blank = strspn(line, " \t\r");
	csv->line++;
	if (blank >= length || line[blank] == '#')
		return NULL;
	int n = split_line(line, length, numbers);
	if (n < 0 && csv->line == 1)
		return is_header(line, length)
			       ? NULL
			       : csv_error(csv,
					 "the line is neither the header of a path "
					 "(time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]]) nor that of a "
					 "CSV profile (EVENTS)");
	if (n != 4 && n != 7 && n != COLUMNS)
		return csv_error(csv, "the line must have 4, 7 or 10 numbers: "
				      "time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]]");
	path->has_velocity = path->has_velocity || n == COLUMNS;
	struct cs_path_key key = of_numbers(numbers);
	struct cs_error *error = cs_path_add(path, &key);
	return error ? cs_error_wrap(error, "%s: line %zu", csv->file, csv->line) : NULL;
}

static struct cs_error *read_csv(
	const char *file, const char *text, size_t size, struct cs_path *path)
{
	struct csv csv = {.file = file};
	struct cs_error *error = NULL;
	for (size_t begin = cs_utf8_mark(text, size); !error && begin < size;) {
		const char *newline = memchr(text + begin, '\n', size - begin);
		size_t end = newline ? (size_t)(newline - text) : size;
		error = path_read_line(&csv, text + begin, end - begin, path);
		begin = end + 1;
	}
	return error;
}

/* ---- reading JSON ---- */

static struct cs_error *read_key(
	const char *file, size_t index, const json_t *object, struct cs_path *path)
{
	double numbers[COLUMNS] = {0};
	const json_t *time = json_object_get(object, "time");
	const json_t *velocity = json_object_get(object, "velocity");
	const json_t *rotation = json_object_get(object, "rotation");
	bool good = json_is_number(time) &&
		    cs_json_triple(json_object_get(object, "position"), numbers + 1) &&
		    (!rotation || cs_json_triple(rotation, numbers + 4)) &&
		    (!velocity || cs_json_triple(velocity, numbers + 7));
	if (!good)
		return cs_error_at(CS_E_JSON, file, CS_NO_OFFSET,
			"keys[%zu] must have a number `time` and a `position` [x, y, z]; "
			"`rotation` and `velocity`, of the same form, are optional",
			index);
	numbers[0] = json_number_value(time);
	path->has_velocity = path->has_velocity || velocity;
	struct cs_path_key key = of_numbers(numbers);
	struct cs_error *error = cs_path_add(path, &key);
	return error ? cs_error_wrap(error, "%.200s", file) : NULL;
}

static struct cs_error *read_json(
	const char *file, const char *text, size_t size, struct cs_path *path)
{
	json_error_t problem;
	bool no_memory;
	json_t *root = cs_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &no_memory);
	struct cs_error *error = NULL;
	if (no_memory)
		return cs_error_nomem();
	if (!root)
		return cs_error_at(CS_E_JSON, file, (uint64_t)problem.position,
			"line %d is not valid JSON: %s", problem.line, problem.text);
	const json_t *keys = json_object_get(root, "keys");
	const char *kind = json_string_value(json_object_get(root, "schema"));
	if (!json_is_array(keys) || !kind || strcmp(kind, schema) != 0)
		error = cs_error_at(CS_E_JSON, file, CS_NO_OFFSET,
			"the JSON must be an object with \"schema\": \"%s\" and an array \"keys\"",
			schema);
	for (size_t i = 0; !error && i < json_array_size(keys); i++)
		error = read_key(file, i, json_array_get(keys, i), path);
	json_decref(root);
	return error;
}

static struct cs_error *path_read_text(
	const char *file, const char *text, size_t size, struct cs_path *path)
{
	struct cs_error *error;
	if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
		return cs_error_at(
			CS_E_FEATURE, file, 0, "the file is text in UTF-16: save it as UTF-8");
	/* a binary profile has this ending, or a byte 0, which no text has */
	if (cs_ends_with(file, ".csv.bin") || cs_ends_with(file, ".csv.bin.gz") ||
		memchr(text, '\0', size))
		return cs_error_at(CS_E_FEATURE, file, CS_NO_OFFSET,
			"the file is binary (.csv.bin): convert it to .csv, because only CSV "
			"profiles in .csv and .csv.gz files can be read");
	if (cs_ends_with(file, ".json"))
		error = read_json(file, text, size, path);
	else if (cs_run_profile_is(text, size))
		error = cs_run_profile_read(file, text, size, path, &path->unknown_frames);
	else
		error = read_csv(file, text, size, path);
	if (!error && path->keys.n == 0)
		error = cs_error_at(CS_E_MISSING, file, CS_NO_OFFSET,
			"the file has no row or key with a time and a position, so it is no path");
	return error;
}

/* Reads the text of a file, unpacking gzip. The caller frees the text. */
static struct cs_error *load_text(const char *file, unsigned char **ret, size_t *size_ret)
{
	unsigned char *bytes;
	size_t size;
	struct cs_error *error = cs_read_whole(file, LARGEST_FILE, &bytes, &size);
	if (error || !cs_gzip_is(bytes, size)) {
		*ret = error ? NULL : bytes;
		*size_ret = error ? 0 : size;
		return error;
	}
	error = cs_gzip_unpack(file, bytes, size, LARGEST_FILE, NULL, ret, size_ret);
	free(bytes);
	return error;
}

struct cs_error *cs_path_read(const char *file, struct cs_path **ret)
{
	unsigned char *text;
	size_t size;
	struct cs_path *path = NULL;
	struct cs_error *error = load_text(file, &text, &size);
	if (error)
		return error;
	error = cs_path_new(&path);
	if (!error)
		error = path_read_text(file, (const char *)text, size, path);
	free(text);
	if (error)
		cs_path_free(path);
	else
		*ret = path;
	return error;
}

/* ---- writing CSV and JSON ---- */

static struct cs_error *path_put(struct cs_save *save, const char *text)
{
	return cs_save_write(save, text, strlen(text));
}

static struct cs_error *path_put_numbers(struct cs_save *save, const double *numbers, int n)
{
	char text[COLUMNS * (CS_DOUBLE_TEXT + 1)] = "";
	for (int i = 0; i < n; i++) {
		char number[CS_DOUBLE_TEXT];
		cs_double_format(numbers[i], number);
		if (i)
			strncat(text, ",", sizeof(text) - strlen(text) - 1);
		strncat(text, number, sizeof(text) - strlen(text) - 1);
	}
	return path_put(save, text);
}

static struct cs_error *put_csv_key(
	struct cs_save *save, const struct cs_path *path, const struct cs_path_key *key)
{
	double numbers[COLUMNS];
	to_numbers(key, numbers);
	struct cs_error *error = path_put_numbers(save, numbers, path->has_velocity ? COLUMNS : 7);
	return error ? error : path_put(save, "\n");
}

static struct cs_error *put_json_key(
	struct cs_save *save, const struct cs_path *path, const struct cs_path_key *key)
{
	static const struct {
		const char *before;
		int first, count;
	} parts[] = {{"\n{\"time\":", 0, 1}, {",\"position\":[", 1, 3}, {"],\"rotation\":[", 4, 3},
		{"],\"velocity\":[", 7, 3}};
	double numbers[COLUMNS];
	struct cs_error *error = NULL;
	to_numbers(key, numbers);
	if (key != path->keys.at)
		error = path_put(save, ",");
	for (int i = 0; !error && i < 3 + path->has_velocity; i++) {
		error = path_put(save, parts[i].before);
		if (!error)
			error = path_put_numbers(save, numbers + parts[i].first, parts[i].count);
	}
	return error ? error : path_put(save, "]}");
}

struct cs_error *cs_path_write(const struct cs_path *path, const char *file)
{
	struct cs_save save;
	bool json = cs_ends_with(file, ".json");
	struct cs_error *error = cs_save_begin(file, &save);
	if (error)
		return error;
	if (json)
		error = path_put(&save, "{\"schema\":\"cellscope.path/1\",\"keys\":[");
	else
		error = path_put(&save, path->has_velocity ? "time,x,y,z,pitch,yaw,roll,vx,vy,vz\n"
							   : "time,x,y,z,pitch,yaw,roll\n");
	for (size_t i = 0; !error && i < path->keys.n; i++)
		error = (json ? put_json_key : put_csv_key)(&save, path, &path->keys.at[i]);
	if (!error && json)
		error = path_put(&save, "\n]}\n");
	return cs_save_end(&save, error);
}
