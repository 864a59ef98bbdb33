/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: one edge collapse. The cost is the value of the summed quadrics at the best position, with
 * every attribute at its own best value for that position (that is a quadric again: the linear
 * part H of an attribute over an area a lowers it by H H / a). Attributes of locked places keep
 * their values, and the cost counts what that misses.
 */
#include "mesh/collapse.h"

#include "mesh/edges.h"
#include "mesh/vector.h"

#include <math.h>
#include <string.h>

/* ---- rings ---- */

/* Lists the living corners at a place and forgets the dead ones. */
static void gather(struct cs_collapser *c, uint32_t place, struct cs_ring *ring)
{
	uint32_t start = c->first[place], n = 0;
	if (start != CS_NONE) {
		uint32_t corner = start;
		do {
			if (!c->dead[corner / 3])
				ring->corners[n++] = corner;
			corner = c->next[corner];
		} while (corner != start);
	}
	for (uint32_t i = 0; i < n; i++)
		c->next[ring->corners[i]] = ring->corners[i + 1 < n ? i + 1 : 0];
	c->first[place] = n ? ring->corners[0] : CS_NONE;
	ring->n = n;
}

/* The corner of the triangle that lies at the place, or CS_NONE. */
static uint32_t corner_at(const struct cs_collapser *c, uint32_t corner, uint32_t place)
{
	if (cs_place_of(c, cs_next_edge(corner)) == place)
		return cs_next_edge(corner);
	return cs_place_of(c, cs_previous_edge(corner)) == place ? cs_previous_edge(corner) : CS_NONE;
}

/* ---- cost ---- */

static const double *linear_of(const struct cs_collapser *c, uint32_t wedge)
{
	return c->linear + (size_t)wedge * c->stride;
}

/* Lowers the quadric by what attributes save that are free to take their best values. */
static void lower(struct cs_quadric *q, double area, const double h[4])
{
	cs_quadric_add_plane(q, h[0], h[1], h[2], h[3], -1 / area);
}

/* The attribute has the value s whatever the position. */
static void fix_value(struct cs_quadric *q, double area, const double h[4], double s)
{
	q->m[3] -= s * h[0];
	q->m[6] -= s * h[1];
	q->m[8] -= s * h[2];
	q->m[9] += area * s * s - 2 * s * h[3];
}

static double value_of(const struct cs_collapser *c, uint32_t wedge, uint32_t weighted)
{
	uint32_t attribute = c->weighted[weighted];
	return (double)c->attributes[(size_t)wedge * c->patch->n_attributes + attribute] *
	       (double)c->patch->weights[attribute];
}

/* Adds the attribute part of two joined wedges to the quadric; either may be CS_NONE. */
static void add_joint(const struct cs_collapser *c, struct cs_quadric *q, uint32_t a, uint32_t b)
{
	static const double nothing[1 + 4 * CS_PATCH_ATTRIBUTES];
	const double *la = a == CS_NONE ? nothing : linear_of(c, a);
	const double *lb = b == CS_NONE ? nothing : linear_of(c, b);
	uint32_t fixed = a != CS_NONE && c->fixed[a] ? a : b != CS_NONE && c->fixed[b] ? b : CS_NONE;
	double area = la[0] + lb[0];
	if (!(area > 0))
		return;
	for (uint32_t j = 0; j < c->n_weighted; j++) {
		const double *ha = la + 1 + 4 * j, *hb = lb + 1 + 4 * j;
		double h[4] = {ha[0] + hb[0], ha[1] + hb[1], ha[2] + hb[2], ha[3] + hb[3]};
		if (fixed == CS_NONE)
			lower(q, area, h);
		else
			fix_value(q, area, h, value_of(c, fixed, j));
	}
}

/* The best position for the merged place: a locked end, the least value, or between the ends. */
static double place_best(const struct cs_collapser *c, const struct cs_quadric *q, uint32_t a,
	uint32_t b, double ret[3])
{
	const double *pa = c->at[a], *pb = c->at[b];
	double length2 = 0, away2 = 0;
	if ((c->flags[a] | c->flags[b]) & CS_PLACE_LOCKED) {
		memcpy(ret, c->flags[a] & CS_PLACE_LOCKED ? pa : pb, 3 * sizeof(*ret));
	} else {
		bool good = cs_quadric_least(q, ret);
		for (int k = 0; k < 3; k++) {
			double away = ret[k] - 0.5 * (pa[k] + pb[k]);
			away2 += away * away;
			length2 += (pa[k] - pb[k]) * (pa[k] - pb[k]);
		}
		/* a point far from the edge is an artefact of nearly parallel planes */
		if (!good || !(away2 <= 2.25 * length2))
			cs_quadric_least_between(q, pa, pb, ret);
	}
	double value = cs_quadric_at(q, ret);
	return value > 0 ? value : 0;
}

double cs_collapse_cost(const struct cs_collapser *c, uint32_t a, uint32_t b)
{
	struct cs_quadric q = c->quadrics[a];
	double at[3];
	cs_quadric_add(&q, &c->quadrics[b]);
	if (c->n_weighted)
		add_joint(c, &q, c->corners[c->first[a]], c->corners[c->first[b]]);
	return place_best(c, &q, a, b, at);
}

/* ---- joints ---- */

static bool add_joint_of(struct cs_collapse *plan, uint32_t dropped, uint32_t kept)
{
	if (plan->n_joints == CS_MOST_JOINTS)
		return false;
	plan->joints[plan->n_joints++] = (struct cs_joint){dropped, kept};
	return true;
}

static struct cs_joint *joint_of_dropped(struct cs_collapse *plan, uint32_t wedge)
{
	for (uint32_t i = 0; i < plan->n_joints; i++)
		if (plan->joints[i].dropped == wedge)
			return &plan->joints[i];
	return NULL;
}

static struct cs_joint *joint_of_kept(struct cs_collapse *plan, uint32_t wedge)
{
	for (uint32_t i = 0; i < plan->n_joints; i++)
		if (plan->joints[i].kept == wedge)
			return &plan->joints[i];
	return NULL;
}

/*
 * Wedges that meet in a triangle at both ends of the edge become one, each at most once: a seam
 * that ends at one end goes on from the other. The rest stay as they are, at the new place.
 */
static bool find_joints(struct cs_collapser *c, struct cs_collapse *plan)
{
	const struct cs_ring *dropped = &c->rings[0], *kept = &c->rings[1];
	plan->n_joints = 0;
	for (uint32_t i = 0; i < dropped->n; i++) {
		uint32_t other = corner_at(c, dropped->corners[i], plan->kept);
		if (other == CS_NONE)
			continue;
		uint32_t from = c->corners[dropped->corners[i]], to = c->corners[other];
		if (!joint_of_dropped(plan, from) && !joint_of_kept(plan, to) &&
			!add_joint_of(plan, from, to))
			return false;
	}
	for (uint32_t i = 0; i < dropped->n; i++) {
		uint32_t wedge = c->corners[dropped->corners[i]];
		if (!joint_of_dropped(plan, wedge) && !add_joint_of(plan, wedge, CS_NONE))
			return false;
	}
	for (uint32_t i = 0; i < kept->n; i++) {
		uint32_t wedge = c->corners[kept->corners[i]];
		if (!joint_of_kept(plan, wedge) && !add_joint_of(plan, CS_NONE, wedge))
			return false;
	}
	return true;
}

bool cs_collapse_plan(struct cs_collapser *c, uint32_t a, uint32_t b, struct cs_collapse *ret)
{
	ret->dropped = c->flags[a] & CS_PLACE_LOCKED ? b : a;
	ret->kept = ret->dropped == a ? b : a;
	if (c->flags[ret->dropped] & CS_PLACE_LOCKED)
		return false;
	gather(c, ret->dropped, &c->rings[0]);
	gather(c, ret->kept, &c->rings[1]);
	if (!c->rings[0].n || !c->rings[1].n)
		return false;
	struct cs_quadric q = c->quadrics[a];
	cs_quadric_add(&q, &c->quadrics[b]);
	if ((c->flags[a] | c->flags[b]) & CS_PLACE_MANY) {
		if (!find_joints(c, ret))
			return false;
	} else {
		ret->n_joints = 1;
		ret->joints[0] = (struct cs_joint){c->corners[c->rings[0].corners[0]],
			c->corners[c->rings[1].corners[0]]};
	}
	for (uint32_t i = 0; c->n_weighted && i < ret->n_joints; i++)
		add_joint(c, &q, ret->joints[i].dropped, ret->joints[i].kept);
	ret->cost = place_best(c, &q, ret->dropped, ret->kept, ret->at);
	return true;
}

/* ---- rules ---- */

/* A triangle with one corner moved to `at` keeps its side and does not become a needle. */
static bool keeps_side(const struct cs_collapser *c, uint32_t corner, const double at[3])
{
	const double *p = c->at[cs_place_of(c, corner)];
	const double *q = c->at[cs_place_of(c, cs_next_edge(corner))];
	const double *r = c->at[cs_place_of(c, cs_previous_edge(corner))];
	double old[3], new[3];
	cs_face_normal(p, q, r, old);
	cs_face_normal(at, q, r, new);
	double same = cs_dot(old, new), new2 = cs_dot(new, new), longest = 0;
	double sides[3][3];
	for (int k = 0; k < 3; k++) {
		sides[0][k] = q[k] - at[k];
		sides[1][k] = r[k] - at[k];
		sides[2][k] = r[k] - q[k];
	}
	for (int i = 0; i < 3; i++) {
		double length2 = cs_dot(sides[i], sides[i]);
		longest = length2 > longest ? length2 : longest;
	}
	/* within 75 degrees, and not flatter than 1 : 1000 */
	return same > 0 && same * same >= 0.067 * cs_dot(old, old) * new2 &&
	       new2 > 1e-6 * longest * longest;
}

static bool keeps_sides(const struct cs_collapser *c, const struct cs_collapse *plan)
{
	for (int end = 0; end < 2; end++) {
		const struct cs_ring *ring = &c->rings[end];
		uint32_t other = end ? plan->dropped : plan->kept;
		if (end && c->flags[plan->kept] & CS_PLACE_LOCKED)
			break;
		for (uint32_t i = 0; i < ring->n; i++)
			if (corner_at(c, ring->corners[i], other) == CS_NONE &&
				!keeps_side(c, ring->corners[i], plan->at))
				return false;
	}
	return true;
}

static uint32_t n_shared(const struct cs_collapser *c, const struct cs_collapse *plan)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->rings[0].n; i++)
		n += corner_at(c, c->rings[0].corners[i], plan->kept) != CS_NONE;
	return n;
}

/*
 * The link condition: the ends have no neighbours in common but those opposite the edge, so that
 * the surface stays what it is.
 */
static bool keeps_surface(struct cs_collapser *c, const struct cs_collapse *plan, uint32_t shared)
{
	uint32_t common = 0, stamp = c->stamp += 2;
	if (shared > 2)
		return false;
	if (shared == 2 && c->flags[plan->dropped] & c->flags[plan->kept] & CS_PLACE_BORDER)
		return false;
	for (uint32_t i = 0; i < c->rings[0].n; i++) {
		c->mark[cs_place_of(c, cs_next_edge(c->rings[0].corners[i]))] = stamp;
		c->mark[cs_place_of(c, cs_previous_edge(c->rings[0].corners[i]))] = stamp;
	}
	for (uint32_t i = 0; i < c->rings[1].n; i++)
		for (int side = 0; side < 2; side++) {
			uint32_t corner = c->rings[1].corners[i];
			uint32_t place = cs_place_of(c, side ? cs_next_edge(corner) : cs_previous_edge(corner));
			common += c->mark[place] == stamp;
			c->mark[place] = c->mark[place] == stamp ? stamp + 1 : c->mark[place];
		}
	/* each end is a neighbour of the other: not marked, since a place is not on its own ring */
	return common == shared;
}

bool cs_collapse_allowed(
	struct cs_collapser *c, const struct cs_collapse *collapse, enum cs_rigour rigour)
{
	uint32_t shared = n_shared(c, collapse);
	bool vanishes = c->rings[0].n + c->rings[1].n == 2 * shared;
	if (shared == 0 || shared >= c->n_alive || (vanishes && rigour < CS_LOOSE_NORMALS))
		return false;
	if (rigour < CS_LOOSE_NORMALS && !keeps_sides(c, collapse))
		return false;
	return rigour > CS_STRICT || keeps_surface(c, collapse, shared);
}

/* ---- carrying it out ---- */

static void join_wedges(struct cs_collapser *c, const struct cs_collapse *plan, struct cs_joint joint)
{
	uint32_t n = c->patch->n_attributes;
	double *to = c->linear + (size_t)joint.kept * c->stride;
	const double *from = linear_of(c, joint.dropped);
	for (uint32_t i = 0; i < c->stride; i++)
		to[i] += from[i];
	if (c->fixed[joint.kept])
		return;
	c->changed[joint.kept] = true;
	const double *p = c->at[plan->dropped], *q = c->at[plan->kept];
	double along = 0, length2 = 0;
	for (int k = 0; k < 3; k++) {
		along += (plan->at[k] - p[k]) * (q[k] - p[k]);
		length2 += (q[k] - p[k]) * (q[k] - p[k]);
	}
	double t = length2 > 0 ? along / length2 : 1;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	float *mine = c->attributes + (size_t)joint.kept * n;
	const float *theirs = c->attributes + (size_t)joint.dropped * n;
	for (uint32_t i = 0; i < n; i++)
		mine[i] = (float)((1 - t) * (double)theirs[i] + t * (double)mine[i]);
}

static void move_wedges(struct cs_collapser *c, const struct cs_collapse *plan)
{
	for (uint32_t i = 0; i < plan->n_joints; i++) {
		struct cs_joint joint = plan->joints[i];
		if (joint.dropped != CS_NONE && joint.kept != CS_NONE) {
			join_wedges(c, plan, joint);
			continue;
		}
		uint32_t alone = joint.kept == CS_NONE ? joint.dropped : joint.kept;
		c->places[alone] = plan->kept;
		c->changed[alone] = !c->fixed[alone];
	}
}

/* Triangles with both ends die; the other corners of the dropped place get their new wedges. */
static void move_corners(struct cs_collapser *c, const struct cs_collapse *plan)
{
	struct cs_ring *ring = &c->rings[0];
	uint32_t n = 0;
	for (uint32_t i = 0; i < ring->n; i++) {
		uint32_t corner = ring->corners[i];
		uint32_t other = corner_at(c, corner, plan->kept);
		if (other != CS_NONE) {
			/* the third corner's place loses a triangle, and maybe a joint */
			c->touched[cs_place_of(c, 9 * (corner / 3) + 3 - corner - other)] =
				c->n_collapses;
			c->dead[corner / 3] = true;
			c->n_alive--;
		} else {
			ring->corners[n++] = corner;
		}
	}
	ring->n = n;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < plan->n_joints; j++)
			if (plan->joints[j].dropped == c->corners[ring->corners[i]] &&
				plan->joints[j].kept != CS_NONE) {
				c->corners[ring->corners[i]] = plan->joints[j].kept;
				break;
			}
}

/* Puts the corners of the dropped place behind those of the kept one. */
static void splice(struct cs_collapser *c, const struct cs_collapse *plan)
{
	const struct cs_ring *ring = &c->rings[0];
	uint32_t kept = c->first[plan->kept];
	c->first[plan->dropped] = CS_NONE;
	if (ring->n == 0)
		return;
	for (uint32_t i = 0; i + 1 < ring->n; i++)
		c->next[ring->corners[i]] = ring->corners[i + 1];
	uint32_t last = ring->corners[ring->n - 1];
	c->next[last] = c->next[kept];
	c->next[kept] = ring->corners[0];
}

void cs_collapse_apply(struct cs_collapser *c, const struct cs_collapse *plan)
{
	c->touched[plan->kept] = ++c->n_collapses;
	move_corners(c, plan);
	splice(c, plan);
	move_wedges(c, plan);
	cs_quadric_add(&c->quadrics[plan->kept], &c->quadrics[plan->dropped]);
	memcpy(c->at[plan->kept], plan->at, sizeof(plan->at));
	c->became[plan->dropped] = plan->kept;
	c->flags[plan->kept] |= c->flags[plan->dropped];
	if (plan->n_joints > 1)
		c->flags[plan->kept] |= CS_PLACE_MANY;
}
