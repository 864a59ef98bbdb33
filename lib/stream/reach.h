/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one shape of one source reaches in one partition: a ball, cut to a sector where it is one.
 * All in the local space of the world partition.
 *
 * A reach is flat where Z is ignored: in the spatial hash, in 2D partitions, for 2D sources.
 */
#pragma once

#include <cellscope/stream.h>

#include "stream/rtree.h"

struct cs_run_reach {
	struct cs_ball ball;
	double radius;
	bool aimed;                /* the axes are known; only sectors and sort keys need them */
	struct cs_vec3 axis;       /* unit; of a flat reach Z is 0 */
	struct cs_vec3 order_axis; /* the axis of the sort key: turned by the velocity */
	bool sector;
	double half_cos, half_sin; /* of half the sector's angle */
	bool wide;                 /* half the angle is above 90 degrees */
	bool z_culled;             /* the content must also overlap the ball's Z range */
};

/* Where a partition stands and how it is tested. */
struct cs_run_space {
	const struct cs_transform *inverse; /* from the world; NULL = identity */
	double yaw;                         /* of the world partition in the world, degrees */
	bool flat, strict, z_culled;
};

/* Where a source stood when worlds were evaluated. */
struct cs_run_stand {
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
};

/* A source as it stands. */
struct cs_run_origin {
	const struct cs_stream_source *source; /* all but its place */
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
	double extra_radius, extra_angle;
};

/* `shape` NULL: one sphere of the loading range along the source's forward axis. */
struct cs_run_reach cs_run_reach_of(const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, double loading_range,
	const struct cs_run_space *space);
/* Computes the axes where they are not known yet. */
void cs_run_reach_aim(struct cs_run_reach *reach, const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, const struct cs_run_space *space);

/*
 * The sector part and Z culling; the ball has been tested against the same `box`. `flat` of this
 * and of the metric: the cell is 2D, whatever the reach is.
 */
bool cs_run_reach_keeps(const struct cs_run_reach *reach, const struct cs_box *box,
	const struct cs_box *content, bool flat);

/* 2.3.5: what the reach says of a cell with this content. */
struct cs_run_metric {
	double distance2; /* to the content */
	double near;      /* D: squared distance ratio, 0..1 */
	double aside;     /* A: 0 straight ahead, 1 behind */
	double ratio;     /* distance / radius */
};

struct cs_run_metric cs_run_reach_metric(
	const struct cs_run_reach *reach, const struct cs_box *content, bool flat);
