/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reach is the volume that one shape of one source reaches in one grid: a ball, or for a sector
 * shape a sector of the ball. All coordinates are in the local space of the world partition.
 *
 * A reach is flat where Z is ignored: in the spatial hash, in 2D grids, and for 2D sources.
 */
#pragma once

#include <cellscope/stream.h>

#include "stream/rtree.h"

struct cs_run_reach {
	struct cs_ball ball;
	double radius;
	/* `axis` and `order_axis` are computed; only sectors and sort keys need them */
	bool aimed;
	/* unit vector along the forward axis; Z is 0 if the reach ignores Z */
	struct cs_vec3 axis;
	struct cs_vec3 order_axis; /* axis for the sort key: `axis` turned toward the velocity */
	bool sector;
	double half_cos, half_sin; /* cosine and sine of half the sector's angle */
	bool wide;                 /* the sector's angle exceeds 180 degrees */
	/* the content of a cell must also overlap the Z range of the ball */
	bool z_culled;
};

/* The transform of a world partition, and how the cells of one of its grids are tested. */
struct cs_run_space {
	const struct cs_transform *inverse; /* from world to local space; NULL = identity */
	double yaw;                         /* yaw of the world partition in degrees */
	bool flat, strict, z_culled;
};

/* Position and velocity of a source in an evaluation. */
struct cs_run_stand {
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
};

/* A source, and values that replace its own to compute where it wants cells (its reach). */
struct cs_run_origin {
	/* the source, in which the members below replace those of the same names */
	const struct cs_stream_source *source;
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
	double extra_radius, extra_angle;
};

/* Computes the reach of a shape, or for NULL of one sphere with the loading range as its radius. */
struct cs_run_reach cs_run_reach_of(const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, double loading_range,
	const struct cs_run_space *space);
/* Computes the members `axis` and `order_axis` of a reach, unless its member `aimed` is set. */
void cs_run_reach_aim(struct cs_run_reach *reach, const struct cs_run_origin *origin,
	const struct cs_stream_shape *shape, const struct cs_run_space *space);

/*
 * Returns whether the cell passes the sector test and Z culling. The caller has tested `box`
 * against the ball. `flat`, also in cs_run_reach_metric, is true for a 2D cell, even if the reach
 * is not flat.
 */
bool cs_run_reach_keeps(const struct cs_run_reach *reach, const struct cs_box *box,
	const struct cs_box *content, bool flat);

/* Position of a cell's content relative to a source's reach (rule 2.3.5). */
struct cs_run_metric {
	double distance2; /* squared distance from the centre of the reach to the content */
	double near;      /* (distance / radius)^2, 0..1; part of cs_run_spatial_key() */
	double aside;     /* the other part: angle from the axis, 0 = straight ahead, 1 = behind */
	double ratio;     /* distance / radius */
};

struct cs_run_metric cs_run_reach_metric(
	const struct cs_run_reach *reach, const struct cs_box *content, bool flat);
