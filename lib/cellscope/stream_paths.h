/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths that sources follow: keys in time, or a run that the engine recorded frame by frame. Part
 * of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_PATHS_H
#define CELLSCOPE_STREAM_PATHS_H

#include <cellscope/stream_sources.h>

CS_BEGIN_DECLS

struct cs_path;
struct cs_stream;

struct cs_path_key {
	double time; /* seconds from the start of the path */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s */
};

CS_API struct cs_error *cs_path_new(struct cs_path **ret) CS_MUST_USE;
CS_API void cs_path_free(struct cs_path *path);
/* Keys come in ascending time. */
CS_API struct cs_error *cs_path_add(
	struct cs_path *path, const struct cs_path_key *key) CS_MUST_USE;
CS_API size_t cs_path_keys(const struct cs_path *path, const struct cs_path_key **ret);
/* The keys carry velocities, which then replace the computed one. */
CS_API bool cs_path_has_velocity(const struct cs_path *path);
CS_API void cs_path_set_velocity(struct cs_path *path, bool has);
/* Linear between keys, angles along the shorter arc, clamped at the ends or looping. */
CS_API struct cs_path_key cs_path_at(const struct cs_path *path, double time, bool loop);

/* What the engine's CSV profiler measures of a frame that has to do with streaming. */
enum cs_recorded {
	CS_RECORDED_FRAME_TIME,      /* ms, all of the frame */
	CS_RECORDED_GAME_THREAD,     /* ms */
	CS_RECORDED_CONSIDERED,      /* streaming levels to consider */
	CS_RECORDED_PENDING_PURGE,   /* levels that are unloaded, but still in memory */
	CS_RECORDED_STREAMING,       /* ms of updating the streaming state */
	CS_RECORDED_LEVEL_STREAMING, /* ms of updating levels: showing and hiding */
	CS_RECORDED_ASYNC_LOADING,   /* ms of loading on the game thread */
	CS_RECORDED_QUEUED,          /* packages in the queue of file reads */
	CS_RECORDED_COUNT
};

/* A frame of a recorded run, as it was. */
struct cs_path_frame {
	uint64_t length_ns;
	double values[CS_RECORDED_COUNT]; /* NAN = the record has no such column */
	const char *events;               /* told in it, ';' between them; NULL = none */
	size_t line;                      /* of the file that it was read from, 0 = of none */
};

/*
 * A path that was recorded frame by frame has one of these for each of its keys, whose times are
 * then the ends of the frames: a stream that follows it takes a row in each frame and gives the
 * frame that length, instead of sim.FrameTime. NULL for other paths.
 */
CS_API const struct cs_path_frame *cs_path_frames(const struct cs_path *path);
/* Adds a key at the end of a frame of this length; its time is ignored. The events are copied. */
CS_API struct cs_error *cs_path_add_frame(struct cs_path *path, const struct cs_path_key *key,
	const struct cs_path_frame *frame) CS_MUST_USE;
/*
 * A CSV profile of the engine (first cell EVENTS) is known by its content, packed as .csv.gz or
 * not. It gives a path that was recorded frame by frame: View/PosX.. as places, View/ForwardX..
 * and View/UpX.. as directions. Its header may stand at its end; what short rows lack is 0. The
 * command line in it is skipped. E_TRUNCATED for one that is cut, E_MISSING without the columns
 * of time and place, E_FEATURE for .csv.bin.
 *
 * Otherwise by extension: .json holds {"schema": "cellscope.path/1", "keys": [{"time", "position",
 * "rotation", "velocity"}]}; anything else is CSV with the columns time,x,y,z[,pitch,yaw,roll
 * [,vx,vy,vz]] and an optional header line.
 */
CS_API struct cs_error *cs_path_read(const char *file, struct cs_path **ret) CS_MUST_USE;
CS_API struct cs_error *cs_path_write(const struct cs_path *path, const char *file) CS_MUST_USE;
/*
 * From now on every frame adds a key with the place of the source, which starts at time 0; the path
 * belongs to the caller and outlives the recording. NULL ends it. Going back drops later keys.
 */
CS_API struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path) CS_MUST_USE;

CS_END_DECLS

#endif
