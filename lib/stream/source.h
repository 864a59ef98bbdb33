/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming sources: providers (set by the user), active ones (in use), paths, path recording. */
#pragma once

#include "core/codec.h"
#include <cellscope/runs.h>

#include "stream/reach.h"

struct cs_run_world;
struct cs_stream;

struct cs_run_provider {
	struct cs_stream_source source;
	uint64_t hash; /* hash of all fields except position and velocity */
	uint32_t path; /* index in stream.sources.paths, or CS_NONE */
	bool loop;
	/* start of the path in ns; for a path recorded frame by frame, a frame number */
	uint64_t path_start;
};

struct cs_run_source {
	struct cs_stream_source source;
	/* hash of the provider from which this source was copied */
	uint64_t hash;
	/* velocity in cm/s, computed from the movement or given by the user */
	struct cs_vec3 velocity;
	struct cs_vec3 step;              /* location in cm, rounded (rule 2.2.5) */
	struct cs_rotator turn;           /* rotation of the source, rounded */
	double extra_radius, extra_angle; /* margins that a server adds, in cm and degrees */
	/* position of the source when any world partition was last evaluated */
	struct cs_run_stand evaluated;
};

struct cs_run_recorder {
	struct cs_path *path;
	char source[CS_SOURCE_NAME];
	uint64_t start; /* virtual time in ns at which the recording began */
};

struct cs_run_sources {
	CS_VEC(struct cs_run_provider) providers; /* sorted by name */
	CS_VEC(struct cs_run_source) active;      /* sorted by name */
	uint64_t version; /* incremented when an index in `active` refers to another source */
	CS_VEC(struct cs_path *) paths;
	struct cs_run_recorder recorder;
};

void cs_run_stand_code(struct cs_codec *codec, struct cs_run_stand *stand);
/* Writes or reads the providers and the active sources, depending on the mode of `codec`. */
void cs_run_sources_code(struct cs_codec *codec, struct cs_run_sources *sources);
void cs_run_sources_deinit(struct cs_run_sources *sources);

/* Returns the frame that the first source with a recorded path repeats now, or NULL. */
const struct cs_path_frame *cs_run_recorded_frame(const struct cs_stream *stream);
/* Step 1 (policy.c): copies the user's enabled sources to the active ones, computes velocities. */
bool cs_run_sources_update(struct cs_stream *stream);
/* Returns a hash of the fields and quantised positions of all sources, to detect changes. */
uint64_t cs_run_sources_hash(const struct cs_stream *stream);
/* Stores the positions of the sources when a world partition is evaluated. */
void cs_run_sources_stand(struct cs_stream *stream);
bool cs_run_source_accepts(const struct cs_stream_source *source, const char *partition);
struct cs_run_source *cs_run_find_source(const struct cs_stream *stream, const char *name);
struct cs_error *cs_run_source_check(const struct cs_stream_source *source) CS_MUST_USE;

void cs_run_rotator_code(struct cs_codec *codec, struct cs_rotator *r);
void cs_run_source_code(struct cs_codec *codec, struct cs_stream_source *source);

/* ---- path.c, csv_profile.c, frame.c: paths and their recording ---- */

bool cs_run_profile_is(const char *text, size_t size);
/* Adds the frames of a CSV profile to the path; adds frames with unknown values to *unknown_ret. */
struct cs_error *cs_run_profile_read(const char *file, const char *text, size_t size,
	struct cs_path *path, size_t *unknown_ret) CS_MUST_USE;

/* A reader of a CSV profile row by row, also while the engine still writes the file. */
struct cs_run_profile;
enum cs_profile_row {
	CS_PROFILE_NOTHING,
	CS_PROFILE_OTHER_NAMES, /* a row of column names that differ from the names in use */
	CS_PROFILE_FRAME,
	CS_PROFILE_LONG_FRAME, /* a frame with more values than columns; the excess is ignored */
	CS_PROFILE_PAIRS,      /* the last row, of key and value pairs */
};
struct cs_error *cs_run_profile_new(const char *file, struct cs_run_profile **ret) CS_MUST_USE;
void cs_run_profile_free(struct cs_run_profile *profile);
/* Returns the number of frames so far with a value "nan" or "inf", which is unknown. */
size_t cs_run_profile_unknown(const struct cs_run_profile *profile);
/*
 * Parses a row; frame->line must be the line of the previous row. Sets *key_ret and the rest of
 * *frame only for a row that is a frame.
 */
struct cs_error *cs_run_profile_row(struct cs_run_profile *profile, const char *text, size_t n,
	struct cs_path_key *key_ret, struct cs_path_frame *frame,
	enum cs_profile_row *ret) CS_MUST_USE;

/* Removes the keys of the path that are later than `time` (in seconds). */
void cs_run_path_cut(struct cs_path *path, double time);
/* Returns the seconds since the recording began; negative if the run went back to before that. */
double cs_run_recorder_time(const struct cs_stream *stream);
