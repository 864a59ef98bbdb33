/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of sources: what the user set (providers), what streaming sees of them (active), the
 * paths that they follow, and the recording of one.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/runs.h>

#include "stream/reach.h"

struct cs_run_world;
struct cs_stream;

struct cs_run_provider {
	struct cs_stream_source source;
	uint64_t hash; /* of all fields but place and velocity */
	uint32_t path; /* stream.sources.paths, or CS_NONE */
	bool loop;
	uint64_t path_start; /* ns; of a path that was recorded frame by frame: the frame */
};

struct cs_run_source {
	struct cs_stream_source source;
	uint64_t hash;                    /* as of its provider */
	struct cs_vec3 velocity;          /* computed or given */
	struct cs_vec3 step;              /* quantised location, with hysteresis */
	struct cs_rotator turn;           /* quantised rotation */
	double extra_radius, extra_angle; /* with the server's margin */
	struct cs_run_stand evaluated;    /* of any world, last */
};

struct cs_run_recorder {
	struct cs_path *path;
	char source[CS_SOURCE_NAME];
	uint64_t start; /* ns */
};

/* Of a stream. */
struct cs_run_sources {
	CS_VEC(struct cs_run_provider) providers; /* by name */
	CS_VEC(struct cs_run_source) active;      /* by name */
	uint64_t version; /* changes when a place in `active` changes its owner */
	CS_VEC(struct cs_path *) paths;
	struct cs_run_recorder recorder;
};

void cs_run_stand_code(struct cs_codec *codec, struct cs_run_stand *stand);
/* Their state as bytes. */
void cs_run_sources_code(struct cs_codec *codec, struct cs_run_sources *sources);
void cs_run_sources_deinit(struct cs_run_sources *sources);

/* What was recorded of the frame under way by the first source that follows a record, or NULL. */
const struct cs_path_frame *cs_run_recorded_frame(const struct cs_stream *s);
/* (1) of the frame: what the providers give now; with dt, velocities follow. */
bool cs_run_sources_update(struct cs_stream *s);
/* Quantised places and all fields: what an evaluation depends on. */
uint64_t cs_run_sources_hash(const struct cs_stream *s);
/* Remembers where the sources stand, when a world is evaluated. */
void cs_run_sources_stand(struct cs_stream *s);
bool cs_run_source_accepts(const struct cs_stream_source *source, const char *partition);
struct cs_run_source *cs_run_find_source(const struct cs_stream *s, const char *name);
struct cs_error *cs_run_source_check(const struct cs_stream_source *source) CS_MUST_USE;

/* A source without (for its hash) or with the place where it stands. */
void cs_run_source_write(
	const struct cs_stream_source *source, bool place, struct cs_writer *writer);
void cs_run_source_read(struct cs_cursor *cursor, struct cs_stream_source *ret);

/* ---- path.c, csv_profile.c, and recording ---- */

/* Whether the text is a CSV profile of the engine. */
bool cs_run_profile_is(const char *text, size_t size);
/* Adds its frames to the path. */
struct cs_error *cs_run_profile_read(
	const char *file, const char *text, size_t size, struct cs_path *path) CS_MUST_USE;

/* One that is still being written, row by row. */
struct cs_run_profile;
enum cs_profile_row {
	CS_PROFILE_NOTHING,
	CS_PROFILE_OTHER_NAMES, /* of columns that rows before had, too */
	CS_PROFILE_FRAME,
	CS_PROFILE_PAIRS, /* the last row */
};
struct cs_error *cs_run_profile_new(const char *file, struct cs_run_profile **ret) CS_MUST_USE;
void cs_run_profile_free(struct cs_run_profile *profile);
/* frame->line is the number of the row before; key and frame are set for a frame alone. */
struct cs_error *cs_run_profile_row(struct cs_run_profile *profile, const char *text, size_t n,
	struct cs_path_key *key_ret, struct cs_path_frame *frame,
	enum cs_profile_row *ret) CS_MUST_USE;

/* Drops the keys behind a time. */
void cs_run_path_cut(struct cs_path *path, double time);
/* Seconds since the recording began; negative before. */
double cs_run_recorder_time(const struct cs_stream *s);
struct cs_error *cs_run_record_frame(struct cs_stream *s) CS_MUST_USE;
