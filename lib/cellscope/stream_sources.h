/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streaming sources (2.2): where players and cameras are, how far they reach, what they ask for.
 * Part of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_SOURCES_H
#define CELLSCOPE_STREAM_SOURCES_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

struct cs_path;
struct cs_stream;

/* Degrees, as UE's rotator. */
struct cs_rotator {
	double pitch, yaw, roll;
};

enum { CS_SOURCE_NAME = 64, CS_SOURCE_SHAPES = 8, CS_SOURCE_GRIDS = 8 };

enum cs_source_behavior { CS_SOURCE_INCLUDE, CS_SOURCE_EXCLUDE };

/* A sphere or a spherical sector; there are no boxes. */
struct cs_stream_shape {
	bool use_grid_range; /* radius = loading range of the partition x range_scale */
	bool sector;
	double range_scale;
	double radius;              /* used without use_grid_range */
	double angle;               /* of the sector, 0..360; 360 is a sphere */
	struct cs_vec3 location;    /* in the space of the source */
	struct cs_rotator rotation; /* the axis is its X, composed with that of the source */
};

struct cs_stream_source {
	char name[CS_SOURCE_NAME];
	struct cs_vec3 location;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s; used only with velocity_given, computed otherwise */
	bool velocity_given;
	bool enabled;
	bool block_on_slow;
	bool use_velocity;   /* velocity contributes to the order of cells */
	bool replay, remote; /* remote = not a local controller: a source on servers only */
	bool force_2d;
	uint8_t priority;           /* 0 is highest, 128 normal */
	enum cs_layer_state target; /* CS_LAYER_LOADED or CS_LAYER_ACTIVATED */
	enum cs_source_behavior behavior;
	double extra_radius, extra_angle;
	uint32_t color; /* 0xRRGGBB, 0 = from the name */
	uint32_t n_grids, n_shapes;
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME]; /* partition names, compared without case */
	struct cs_stream_shape shapes[CS_SOURCE_SHAPES]; /* none = one sphere of the grid's range */
};

enum {
	CS_PRIORITY_HIGHEST = 0,
	CS_PRIORITY_HIGH = 64,
	CS_PRIORITY_NORMAL = 128,
	CS_PRIORITY_LOW = 192,
	CS_PRIORITY_LOWEST = 255,
};

/* The defaults of the struct, of a player controller (blocks), of a streaming source component. */
CS_API struct cs_stream_source cs_stream_source_default(const char *name);
CS_API struct cs_stream_source cs_stream_source_player(const char *name);
CS_API struct cs_stream_source cs_stream_source_component(const char *name);
CS_API struct cs_stream_shape cs_stream_shape_default(void);
/* Replaces its grids by those of a list "A,B"; "" = all. E_SETTING: too many, or too long a name.
 */
CS_API struct cs_error *cs_stream_source_act_on(
	struct cs_stream_source *source, const char *names) CS_MUST_USE;

/* Inputs. Names compare without case. E_SETTING for values out of range, E_NOSOURCE. */
CS_API struct cs_error *cs_stream_source_set(
	struct cs_stream *stream, const struct cs_stream_source *source) CS_MUST_USE;
CS_API struct cs_error *cs_stream_source_move(struct cs_stream *stream, const char *name,
	struct cs_vec3 location, struct cs_rotator rotation) CS_MUST_USE;
CS_API struct cs_error *cs_stream_source_remove(
	struct cs_stream *stream, const char *name) CS_MUST_USE;
/* From now on the source follows a copy of the path; NULL lets it go. */
CS_API struct cs_error *cs_stream_source_follow(struct cs_stream *stream, const char *name,
	const struct cs_path *path, bool loop) CS_MUST_USE;

struct cs_stream_source_view {
	const struct cs_stream_source *source; /* as it was set, at its present place */
	bool active;                           /* among the sources that streaming sees */
	bool following;                        /* a path */
	struct cs_vec3 velocity;               /* as streaming uses it */
	struct cs_vec3 evaluated;              /* where streaming last evaluated it */
	double server_radius, server_angle;    /* extra margin of server streaming */
};

/* How fast that is in the unit of wp.Runtime.DebugDisplaySpeedUnit, whose name is given. */
CS_API double cs_stream_speed(const struct cs_stream *stream, struct cs_vec3 v, const char **unit);
/* In the order of their names. */
CS_API size_t cs_stream_sources(const struct cs_stream *stream);
CS_API struct cs_stream_source_view cs_stream_source_at(
	const struct cs_stream *stream, size_t index);
/* Index by name, or SIZE_MAX. */
CS_API size_t cs_stream_find_source(const struct cs_stream *stream, const char *name);

CS_END_DECLS

#endif
