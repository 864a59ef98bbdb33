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

#include <string.h>

/* ---- rings ---- */

/* Lists the living corners at a place and forgets the dead ones. */
static void gather(struct cs_collapser *c, uint32_t place, struct cs_ring *ring)
{
	uint32_t start = c->first[place], n = 0;
	if (start != CS_NONE) {
		uint32_t corner = start;
		do {
			ring->at[n] = (struct cs_ring_corner){corner,
				cs_place_of(c, cs_next_edge(corner)),
				cs_place_of(c, cs_previous_edge(corner))};
			n += !c->dead[corner / 3];
			corner = c->next[corner];
		} while (corner != start);
	}
	for (uint32_t i = 0; i + 1 < n; i++)
		c->next[ring->at[i].corner] = ring->at[i + 1].corner;
	if (n)
		c->next[ring->at[n - 1].corner] = ring->at[0].corner;
	c->first[place] = n ? ring->at[0].corner : CS_NONE;
	ring->n = n;
}

/* Whether the triangle has a corner at the place too. */
static bool reaches(const struct cs_ring_corner *r, uint32_t place)
{
	return r->next == place || r->last == place;
}

/* That corner. */
static uint32_t corner_at(const struct cs_ring_corner *r, uint32_t place)
{
	return r->next == place ? cs_next_edge(r->corner) : cs_previous_edge(r->corner);
}

/* ---- cost ---- */

static struct cs_linear *linear_of(const struct cs_collapser *c, uint32_t wedge)
{
	return c->linear + (size_t)wedge * c->n_weighted;
}

static double value_of(const struct cs_collapser *c, uint32_t wedge, uint32_t weighted)
{
	uint32_t attribute = c->weighted[weighted];
	return (double)c->attributes[(size_t)wedge * c->patch->n_attributes + attribute] *
	       (double)c->patch->weights[attribute];
}

/* The wedge of a joint that may not change, or CS_NONE. */
static uint32_t fixed_of(const struct cs_collapser *c, struct cs_joint joint)
{
	if (joint.dropped != CS_NONE && c->fixed[joint.dropped])
		return joint.dropped;
	return joint.kept != CS_NONE && c->fixed[joint.kept] ? joint.kept : CS_NONE;
}

/*
 * Adds the attribute part of a joint to the quadric. Attributes that are free to take their best
 * values at any place lower it by what they save; those of a fixed wedge have the value s whatever
 * the place: area s s - 2 s H, which is (H - area s) (H - area s) / area without the part of H.
 */
static void add_joint(const struct cs_collapser *c, struct cs_quadric *q, struct cs_joint joint)
{
	static const struct cs_linear nothing[CS_PATCH_ATTRIBUTES];
	uint32_t a = joint.dropped, b = joint.kept;
	const struct cs_linear *la = a == CS_NONE ? nothing : linear_of(c, a);
	const struct cs_linear *lb = b == CS_NONE ? nothing : linear_of(c, b);
	double area = (a == CS_NONE ? 0 : c->areas[a]) + (b == CS_NONE ? 0 : c->areas[b]);
	uint32_t fixed = fixed_of(c, joint);
	if (!(area > 0))
		return;
	double inverse = 1 / area;
	for (uint32_t j = 0; j < c->n_weighted; j++) {
		struct cs_linear h = {la[j].xy + lb[j].xy, la[j].zw + lb[j].zw};
		cs_quadric_add_square(q, h, -inverse);
		if (fixed == CS_NONE)
			continue;
		h.zw[1] -= area * value_of(c, fixed, j);
		cs_quadric_add_square(q, h, inverse);
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
		add_joint(
			c, &q, (struct cs_joint){c->corners[c->first[a]], c->corners[c->first[b]]});
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
		if (!reaches(&dropped->at[i], plan->kept))
			continue;
		uint32_t from = c->corners[dropped->at[i].corner];
		uint32_t to = c->corners[corner_at(&dropped->at[i], plan->kept)];
		if (!joint_of_dropped(plan, from) && !joint_of_kept(plan, to) &&
			!add_joint_of(plan, from, to))
			return false;
	}
	for (uint32_t i = 0; i < dropped->n; i++) {
		uint32_t wedge = c->corners[dropped->at[i].corner];
		if (!joint_of_dropped(plan, wedge) && !add_joint_of(plan, wedge, CS_NONE))
			return false;
	}
	/* those of a hub that nothing is joined to stay as they are */
	for (uint32_t i = 0; i < kept->n; i++) {
		uint32_t wedge = c->corners[kept->at[i].corner];
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
	c->rings[0].at = c->ring_corners;
	gather(c, ret->dropped, &c->rings[0]);
	c->rings[1].at = c->ring_corners + c->rings[0].n;
	c->rings[1].n = 0;
	if (!cs_is_hub(c, ret->kept))
		gather(c, ret->kept, &c->rings[1]);
	if (!c->rings[0].n || !c->valence[ret->kept])
		return false;
	struct cs_quadric q = c->quadrics[a];
	cs_quadric_add(&q, &c->quadrics[b]);
	if ((c->flags[a] | c->flags[b]) & CS_PLACE_MANY) {
		if (!find_joints(c, ret))
			return false;
	} else {
		ret->n_joints = 1;
		ret->joints[0] = (struct cs_joint){
			c->corners[c->rings[0].at[0].corner], c->corners[c->first[ret->kept]]};
	}
	for (uint32_t i = 0; c->n_weighted && i < ret->n_joints; i++)
		add_joint(c, &q, ret->joints[i]);
	ret->cost = place_best(c, &q, ret->dropped, ret->kept, ret->at);
	return true;
}

/* ---- rules ---- */

static double longest2(const double a[3], const double b[3], const double c[3])
{
	double x = cs_dot(a, a), y = cs_dot(b, b), z = cs_dot(c, c);
	double longest = x > y ? x : y;
	return longest > z ? longest : z;
}

/* A triangle whose corner `p` moves to `at` keeps its side and does not become a needle. */
static bool keeps_side(const struct cs_collapser *c, const struct cs_ring_corner *corner,
	const double p[3], const double at[3])
{
	const double *q = c->at[corner->next], *r = c->at[corner->last];
	double across[3], before[3], after[3], away[3], old[3], new[3];
	cs_subtract(r, q, across);
	cs_subtract(p, q, before);
	cs_subtract(at, q, after);
	cs_subtract(at, r, away);
	cs_cross(across, before, old);
	cs_cross(across, after, new);
	double same = cs_dot(old, new), old2 = cs_dot(old, old), new2 = cs_dot(new, new);
	/* within 75 degrees */
	if (!(same > 0 && same * same >= 0.067 * old2 * new2))
		return false;
	double longest = longest2(across, after, away);
	/* not flatter than 1 : 1000, unless it was so before */
	if (new2 > 1e-6 * longest * longest)
		return true;
	cs_subtract(p, r, away);
	double longest_old = longest2(across, before, away);
	return new2 * longest_old * longest_old >= old2 * longest * longest;
}

static bool keeps_sides(const struct cs_collapser *c, const struct cs_collapse *plan)
{
	for (int end = 0; end < 2; end++) {
		const struct cs_ring *ring = &c->rings[end];
		uint32_t mine = end ? plan->kept : plan->dropped;
		uint32_t other = end ? plan->dropped : plan->kept;
		if (end && c->flags[plan->kept] & CS_PLACE_LOCKED)
			break;
		for (uint32_t i = 0; i < ring->n; i++)
			if (!reaches(&ring->at[i], other) &&
				!keeps_side(c, &ring->at[i], c->at[mine], plan->at))
				return false;
	}
	return true;
}

static uint32_t n_shared(const struct cs_collapser *c, const struct cs_collapse *plan)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->rings[0].n; i++)
		n += reaches(&c->rings[0].at[i], plan->kept);
	return n;
}

/* Whether a triangle has both places; a hub is not searched, it may well be. */
static bool is_beside(const struct cs_collapser *c, uint32_t place, uint32_t other)
{
	uint32_t start = c->first[place], corner = start;
	if (cs_is_hub(c, place))
		return true;
	do {
		if (!c->dead[corner / 3] &&
			(cs_place_of(c, cs_next_edge(corner)) == other ||
				cs_place_of(c, cs_previous_edge(corner)) == other))
			return true;
		corner = c->next[corner];
	} while (corner != start);
	return false;
}

/* Neighbours that the ends have in common, seen from the ring of the dropped one: for hubs. */
static uint32_t n_common_with_hub(struct cs_collapser *c, const struct cs_collapse *plan)
{
	const struct cs_ring *ring = &c->rings[0];
	uint32_t common = 0, stamp = c->stamp += 2;
	c->mark[plan->kept] = stamp;
	for (uint32_t i = 0; i < ring->n; i++) {
		const struct cs_ring_corner *corner = &ring->at[i];
		uint32_t third = corner->next == plan->kept ? corner->last : corner->next;
		if (!reaches(corner, plan->kept) || c->mark[third] == stamp)
			continue;
		c->mark[third] = stamp;
		common++;
	}
	for (uint32_t i = 0; i < ring->n; i++)
		for (int side = 0; side < 2; side++) {
			uint32_t place = side ? ring->at[i].next : ring->at[i].last;
			if (c->mark[place] == stamp)
				continue;
			c->mark[place] = stamp;
			common += is_beside(c, place, plan->kept);
		}
	return common;
}

/* The same from the rings of both. */
static uint32_t n_common(struct cs_collapser *c)
{
	uint32_t common = 0, stamp = c->stamp += 2;
	for (uint32_t i = 0; i < c->rings[0].n; i++) {
		c->mark[c->rings[0].at[i].next] = stamp;
		c->mark[c->rings[0].at[i].last] = stamp;
	}
	for (uint32_t i = 0; i < c->rings[1].n; i++)
		for (int side = 0; side < 2; side++) {
			const struct cs_ring_corner *corner = &c->rings[1].at[i];
			uint32_t place = side ? corner->next : corner->last;
			common += c->mark[place] == stamp;
			c->mark[place] = c->mark[place] == stamp ? stamp + 1 : c->mark[place];
		}
	/* each end is a neighbour of the other: not marked, since a place is not on its own ring */
	return common;
}

/*
 * The link condition: the ends have no neighbours in common but those opposite the edge, so that
 * the surface stays what it is.
 */
static bool keeps_surface(struct cs_collapser *c, const struct cs_collapse *plan, uint32_t shared)
{
	if (shared > 2)
		return false;
	if (shared == 2 && c->flags[plan->dropped] & c->flags[plan->kept] & CS_PLACE_BORDER)
		return false;
	return shared == (cs_is_hub(c, plan->kept) ? n_common_with_hub(c, plan) : n_common(c));
}

/*
 * A border edge between two locked places would lie on the seam or beside it, where the neighbours
 * know of no border: a place of the border that touches one locked place of the border may not
 * move to another.
 */
static bool keeps_seam(const struct cs_collapser *c, const struct cs_collapse *plan)
{
	enum { HELD = CS_PLACE_LOCKED | CS_PLACE_BORDER };
	const struct cs_ring *ring = &c->rings[0];
	if (!(c->flags[plan->kept] & CS_PLACE_LOCKED) ||
		!(c->flags[plan->dropped] & CS_PLACE_BORDER))
		return true;
	for (uint32_t i = 0; i < ring->n; i++)
		for (int side = 0; side < 2; side++) {
			uint32_t place = side ? ring->at[i].next : ring->at[i].last;
			if (place != plan->kept && (c->flags[place] & HELD) == HELD)
				return false;
		}
	return true;
}

bool cs_collapse_allowed(
	struct cs_collapser *c, const struct cs_collapse *collapse, enum cs_rigour rigour)
{
	uint32_t shared = n_shared(c, collapse);
	bool vanishes = c->rings[0].n + c->valence[collapse->kept] == 2 * shared;
	if (shared == 0 || shared >= c->n_alive || (vanishes && rigour < CS_LOOSE_NORMALS))
		return false;
	if (!keeps_seam(c, collapse))
		return false;
	if (rigour < CS_LOOSE_NORMALS && !keeps_sides(c, collapse))
		return false;
	return rigour > CS_STRICT || keeps_surface(c, collapse, shared);
}

/* ---- carrying it out ---- */

static void join_wedges(
	struct cs_collapser *c, const struct cs_collapse *plan, struct cs_joint joint)
{
	uint32_t n = c->patch->n_attributes;
	struct cs_linear *to = linear_of(c, joint.kept);
	const struct cs_linear *from = linear_of(c, joint.dropped);
	c->areas[joint.kept] += c->areas[joint.dropped];
	for (uint32_t j = 0; j < c->n_weighted; j++) {
		to[j].xy += from[j].xy;
		to[j].zw += from[j].zw;
	}
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
		const struct cs_ring_corner *corner = &ring->at[i];
		if (reaches(corner, plan->kept)) {
			/* the third corner's place loses a triangle, and maybe a joint */
			uint32_t third = corner->next == plan->kept ? corner->last : corner->next;
			if (c->flags[third] & CS_PLACE_MANY)
				c->touched[third] = c->n_collapses;
			cs_kill(c, corner->corner / 3);
		} else {
			ring->at[n++] = *corner;
		}
	}
	ring->n = n;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < plan->n_joints; j++)
			if (plan->joints[j].dropped == c->corners[ring->at[i].corner] &&
				plan->joints[j].kept != CS_NONE) {
				c->corners[ring->at[i].corner] = plan->joints[j].kept;
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
		c->next[ring->at[i].corner] = ring->at[i + 1].corner;
	uint32_t last = ring->at[ring->n - 1].corner;
	c->next[last] = c->next[kept];
	c->next[kept] = ring->at[0].corner;
}

/* The kept place takes over the planes of the dropped one. */
static void join_planes(struct cs_collapser *c, const struct cs_collapse *plan)
{
	struct cs_planes *to = &c->planes[plan->kept];
	const struct cs_planes *from = &c->planes[plan->dropped];
	cs_quadric_add(&to->sum, &from->sum);
	to->area += from->area;
	double error2 = to->area > 0 ? cs_quadric_at(&to->sum, plan->at) / to->area : 0;
	c->error2 = error2 > c->error2 ? error2 : c->error2;
}

void cs_collapse_apply(struct cs_collapser *c, const struct cs_collapse *plan)
{
	if (c->planes)
		join_planes(c, plan);
	c->n_collapses++;
	move_corners(c, plan);
	splice(c, plan);
	move_wedges(c, plan);
	c->valence[plan->kept] += c->valence[plan->dropped];
	c->valence[plan->dropped] = 0;
	c->became[plan->dropped] = plan->kept;
	c->flags[plan->kept] |= c->flags[plan->dropped];
	if (plan->n_joints > 1)
		c->flags[plan->kept] |= CS_PLACE_MANY;
	/* what went into a hub before does not make its other edges dearer: they stay priced */
	if (cs_is_hub(c, plan->kept))
		return;
	c->touched[plan->kept] = c->n_collapses;
	cs_quadric_add(&c->quadrics[plan->kept], &c->quadrics[plan->dropped]);
	memcpy(c->at[plan->kept], plan->at, sizeof(plan->at));
}
