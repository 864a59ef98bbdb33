/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume that one shape of one source reaches in one partition: a ball, restricted to a sector
 * when the shape is one. All coordinates are in the local space of the world partition.
 *
 * A reach is flat where Z is ignored: in the spatial hash, in 2D partitions, for 2D sources.
 */
#pragma once

#include <cellscope/stream.h>

#include "stream/rtree.h"

struct cs_run_reach {
	struct cs_ball ball;
	double radius;
	bool aimed;                /* the axes are computed; only sectors and sort keys need them */
	struct cs_vec3 axis;       /* unit vector; in a flat reach Z is 0 */
	struct cs_vec3 order_axis; /* axis of the sort key, turned by the velocity */
	bool sector;
	double half_cos, half_sin; /* cosine and sine of half the sector's angle */
	bool wide;                 /* the sector's angle exceeds 180 degrees */
	bool z_culled;             /* the content must also overlap the ball's Z range */
};

/* The transform of a partition and how its cells are tested. */
struct cs_run_space {
	const struct cs_transform *inverse; /* from world to local space; NULL = identity */
	double yaw;                         /* yaw of the world partition, degrees */
	bool flat, strict, z_culled;
};

/* Place and velocity of a source when worlds were evaluated. */
struct cs_run_stand {
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
};

/* A source with the place, radius and angle for which its reach is computed. */
struct cs_run_origin {
	const struct cs_stream_source *source; /* all fields except the place, which is below */
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
	double extra_radius, extra_angle;
};

/* `shape` NULL: one sphere of the loading range along the source's forward axis. */
struct cs_run_reach cs_run_reach_of(const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, double loading_range,
	const struct cs_run_space *space);
/* Computes `axis` and `order_axis` unless `aimed` is set. */
void cs_run_reach_aim(struct cs_run_reach *reach, const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, const struct cs_run_space *space);

/*
 * Returns whether the cell passes the sector test and Z culling. The caller has tested `box`
 * against the reach as a ball. `flat`, here and in cs_run_reach_metric, says that the cell is 2D,
 * whether or not the reach is.
 */
bool cs_run_reach_keeps(const struct cs_run_reach *reach, const struct cs_box *box,
	const struct cs_box *content, bool flat);

/* Distance and angle of a cell's content from the reach (rule 2.3.5). */
struct cs_run_metric {
	double distance2; /* squared distance to the content */
	double near;      /* D of rule 2.3.5: (distance / radius)^2, 0..1 */
	double aside;     /* A of rule 2.3.5: angle from the axis, 0 straight ahead, 1 behind */
	double ratio;     /* distance / radius */
};

struct cs_run_metric cs_run_reach_metric(
	const struct cs_run_reach *reach, const struct cs_box *content, bool flat);
