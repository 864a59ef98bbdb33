/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of sources: those that the user set (providers), what streaming uses of them (active),
 * the paths that they follow, and the recording of a path.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/runs.h>

#include "stream/reach.h"

struct cs_run_world;
struct cs_stream;

struct cs_run_provider {
	struct cs_stream_source source;
	uint64_t hash; /* hash of all fields except place and velocity */
	uint32_t path; /* index in stream.sources.paths, or CS_NONE */
	bool loop;
	/* time in ns; for a path that was recorded frame by frame: a frame number */
	uint64_t path_start;
};

struct cs_run_source {
	struct cs_stream_source source;
	uint64_t hash;                    /* hash of the provider that it was merged from */
	struct cs_vec3 velocity;          /* velocity, computed or given by the user */
	struct cs_vec3 step;              /* quantised location with hysteresis */
	struct cs_rotator turn;           /* quantised rotation */
	double extra_radius, extra_angle; /* margin that a server adds */
	struct cs_run_stand evaluated;    /* place in the last evaluation of any world */
};

struct cs_run_recorder {
	struct cs_path *path;
	char source[CS_SOURCE_NAME];
	uint64_t start; /* time of the run at which the recording began, in ns */
};

/* State of a stream. */
struct cs_run_sources {
	CS_VEC(struct cs_run_provider) providers; /* sorted by name */
	CS_VEC(struct cs_run_source) active;      /* sorted by name */
	uint64_t version; /* changes when an index of `active` means another source */
	CS_VEC(struct cs_path *) paths;
	struct cs_run_recorder recorder;
};

void cs_run_stand_code(struct cs_codec *codec, struct cs_run_stand *stand);
/* Reads or writes, as the codec says, providers and active sources. */
void cs_run_sources_code(struct cs_codec *codec, struct cs_run_sources *sources);
void cs_run_sources_deinit(struct cs_run_sources *sources);

/*
 * Returns the recorded frame that the current one repeats, of the first source that follows a
 * recorded run, or NULL.
 */
const struct cs_path_frame *cs_run_recorded_frame(const struct cs_stream *stream);
/* Step 1 of the frame: reads the current providers and computes velocities from dt. */
bool cs_run_sources_update(struct cs_stream *stream);
/* Returns a hash of what an evaluation depends on: fields and quantised places of all sources. */
uint64_t cs_run_sources_hash(const struct cs_stream *stream);
/* Stores the places of the sources when a world is evaluated. */
void cs_run_sources_stand(struct cs_stream *stream);
bool cs_run_source_accepts(const struct cs_stream_source *source, const char *partition);
struct cs_run_source *cs_run_find_source(const struct cs_stream *stream, const char *name);
struct cs_error *cs_run_source_check(const struct cs_stream_source *source) CS_MUST_USE;

/* Writes a source, with its location, rotation and velocity if `place`; its hash omits these. */
void cs_run_source_write(
	const struct cs_stream_source *source, bool place, struct cs_writer *writer);
void cs_run_source_read(struct cs_cursor *cursor, struct cs_stream_source *ret);

/* ---- path.c, csv_profile.c, and recording ---- */

/* Returns whether the text is a CSV profile of the engine. */
bool cs_run_profile_is(const char *text, size_t size);
/* Adds the frames of the profile to the path. */
struct cs_error *cs_run_profile_read(
	const char *file, const char *text, size_t size, struct cs_path *path) CS_MUST_USE;

/* Reads a profile row by row while it is being written. */
struct cs_run_profile;
enum cs_profile_row {
	CS_PROFILE_NOTHING,
	CS_PROFILE_OTHER_NAMES, /* a row of column names that lacks earlier columns */
	CS_PROFILE_FRAME,
	CS_PROFILE_PAIRS, /* the last row, of pairs of key and value */
};
struct cs_error *cs_run_profile_new(const char *file, struct cs_run_profile **ret) CS_MUST_USE;
void cs_run_profile_free(struct cs_run_profile *profile);
/* frame->line is the number of the previous row; key and frame are set only for a frame. */
struct cs_error *cs_run_profile_row(struct cs_run_profile *profile, const char *text, size_t n,
	struct cs_path_key *key_ret, struct cs_path_frame *frame,
	enum cs_profile_row *ret) CS_MUST_USE;

/* Removes the keys after a time. */
void cs_run_path_cut(struct cs_path *path, double time);
/* Returns the seconds since the recording began; negative before. */
double cs_run_recorder_time(const struct cs_stream *stream);
struct cs_error *cs_run_record_frame(struct cs_stream *stream) CS_MUST_USE;
