/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One edge collapse: cost, rules and execution.
 *
 * The cost is the value of the summed quadrics at the best position. It assumes that every
 * attribute gets its best value there: the mean of the values that the triangles have there when
 * they are extended linearly, which is a linear function of the position. When two wedges
 * (vertices at one position) become one, whose triangles have the areas a and b, a term is added to
 * the cost: a b / (a + b) times the squared difference of the means of the two wedges. This is a
 * quadric too, computed without subtracting nearly equal numbers. Attributes at locked places keep
 * their values; the cost includes the error that is caused by not using the mean.
 */
#include "mesh/collapse.h"

#include "mesh/edges.h"

/* ---- rings: the corners of triangles at one position ---- */

/* Lists the corners of remaining triangles at a position, and unlinks those of removed ones. */
static void gather(struct cs_collapser *collapser, uint32_t place, struct cs_ring *ring)
{
	uint32_t start = collapser->first[place], n = 0;
	if (start != CS_NONE) {
		uint32_t corner = start;
		do {
			ring->at[n] = (struct cs_ring_corner){corner,
				cs_place_of(collapser, cs_next_edge(corner)),
				cs_place_of(collapser, cs_previous_edge(corner))};
			n += !collapser->dead[corner / 3];
			corner = collapser->next[corner];
		} while (corner != start);
	}
	for (uint32_t i = 0; i + 1 < n; i++)
		collapser->next[ring->at[i].corner] = ring->at[i + 1].corner;
	if (n)
		collapser->next[ring->at[n - 1].corner] = ring->at[0].corner;
	collapser->first[place] = n ? ring->at[0].corner : CS_NONE;
	ring->n = n;
}

/* Returns whether another corner of the same triangle as `corner` is at the position `place`. */
static bool reaches(const struct cs_ring_corner *corner, uint32_t place)
{
	return (corner->next == place) | (corner->last == place);
}

/* Returns the corner of the same triangle as `corner` that is at the position `place`. */
static uint32_t corner_at(const struct cs_ring_corner *corner, uint32_t place)
{
	return corner->next == place ? cs_next_edge(corner->corner)
				     : cs_previous_edge(corner->corner);
}

/* ---- cost of a collapse ---- */

cs_four cs_weighted_attributes(const struct cs_collapser *collapser, uint32_t wedge, uint32_t block)
{
	uint32_t n = collapser->patch->n_attributes - 4 * block;
	const float *from = collapser->patch->attributes +
			    (size_t)wedge * collapser->patch->n_attributes + 4 * block;
	cs_four ret = {from[0], n > 1 ? from[1] : 0, n > 2 ? from[2] : 0, n > 3 ? from[3] : 0};
	return ret * collapser->weights[block];
}

/*
 * Adds to quadric q, whose origin is the kept end of the edge, the cost of merging two wedges.
 * `move` is the vector from the dropped to the kept end.
 */
static void add_joint(const struct cs_collapser *collapser, struct cs_joint joint, cs_four move,
	struct cs_quadric *q)
{
	if (joint.dropped == CS_NONE || joint.kept == CS_NONE)
		return;
	const struct cs_linear *a = cs_linear_of(collapser, joint.dropped),
			       *b = cs_linear_of(collapser, joint.kept);
	/* replacing the means over two areas by their common mean costs weight * distance^2 */
	const float dropped = collapser->areas[joint.dropped], kept = collapser->areas[joint.kept];
	const float weight = dropped + kept > 0 ? dropped * kept / (dropped + kept) : 0;
	for (uint32_t i = 0; i < collapser->n_blocks; i++) {
		struct cs_linear apart = {b[i].x - a[i].x, b[i].y - a[i].y, b[i].z - a[i].z,
			b[i].at - cs_linear_at(&a[i], move)};
		cs_quadric_add_squares(q, &apart, weight);
	}
}

/*
 * Returns the cost of merging two wedges at a locked position (add_joint() is for others). If the
 * attributes of the kept wedge are locked too, adds to *miss_ret the cost of their difference from
 * the mean of both wedges.
 */
static float joint_at_locked(
	const struct cs_collapser *collapser, struct cs_joint joint, cs_four move, float *miss_ret)
{
	float area_a = joint.dropped == CS_NONE ? 0 : collapser->areas[joint.dropped];
	float area_b = joint.kept == CS_NONE ? 0 : collapser->areas[joint.kept],
	      area = area_a + area_b;
	bool fixed = joint.kept != CS_NONE && collapser->fixed[joint.kept];
	cs_four apart2 = {0}, miss2 = {0};
	if (!(area > 0) || (!fixed && !(area_a * area_b > 0)))
		return 0;
	float share = area_a / area;
	for (uint32_t i = 0; i < collapser->n_blocks; i++) {
		cs_four apart = {0}, mean = {0};
		if (joint.kept != CS_NONE)
			mean = cs_linear_of(collapser, joint.kept)[i].at;
		if (joint.dropped != CS_NONE && joint.kept != CS_NONE)
			apart = cs_linear_at(&cs_linear_of(collapser, joint.dropped)[i], move) -
				mean;
		apart2 += apart * apart;
		if (!fixed)
			continue;
		mean += apart * share - cs_weighted_attributes(collapser, joint.kept, i);
		miss2 += mean * mean;
	}
	*miss_ret += cs_sum(miss2) * area;
	return cs_sum(apart2) * share * area_b;
}

/*
 * Finds the best position, relative to the kept end of the edge, and returns its cost. The best
 * position is the minimum of the quadric or, if that is too far away, the best point of the edge.
 * `other` is the dropped end.
 */
static float place_best(const struct cs_quadric *q, cs_four other, cs_four *ret)
{
	float value;
	if (cs_quadric_least(q, ret, &value)) {
		cs_four away = *ret - other * 0.5F;
		/* A minimum far from the edge means nearly parallel planes, and is rejected. */
		if (cs_sum(away * away - 2.25F * other * other) <= 0)
			return value > 0 ? value : 0;
	}
	*ret = cs_quadric_least_towards(q, other);
	value = cs_quadric_at(q, *ret);
	return value > 0 ? value : 0;
}

/* Computes the sum of the quadrics of both ends of the edge, the best position and the cost. */
static void price(const struct cs_collapser *collapser, struct cs_collapse *plan)
{
	cs_four move = collapser->at[plan->kept] - collapser->at[plan->dropped];
	const struct cs_quadric *kept = &collapser->quadrics[plan->kept];
	if (collapser->flags[plan->kept] & CS_PLACE_LOCKED) {
		float miss = 0;
		float value =
			cs_quadric_at(&collapser->quadrics[plan->dropped], move) + kept->linear[3];
		for (uint32_t i = 0; i < plan->n_joints && collapser->n_blocks; i++)
			value += joint_at_locked(collapser, plan->joints[i], move, &miss);
		/* A locked position never moves, so only the constant of its quadric is needed. */
		plan->sum = (struct cs_quadric){.linear = {0, 0, 0, value}};
		plan->to = (cs_four){0};
		plan->cost = value + miss > 0 ? value + miss : 0;
		return;
	}
	plan->sum = collapser->quadrics[plan->dropped];
	cs_quadric_move(&plan->sum, move);
	cs_quadric_add(&plan->sum, kept);
	for (uint32_t i = 0; i < plan->n_joints && collapser->n_blocks; i++)
		add_joint(collapser, plan->joints[i], move, &plan->sum);
	plan->cost = place_best(&plan->sum, -move, &plan->to);
}

/* Chooses which end of the edge is kept: a locked end if there is one. */
static void choose_ends(
	const struct cs_collapser *collapser, uint32_t a, uint32_t b, struct cs_collapse *plan)
{
	plan->dropped = collapser->flags[a] & CS_PLACE_LOCKED ? b : a;
	plan->kept = plan->dropped == a ? b : a;
}

static void join_all(const struct cs_collapser *collapser, struct cs_collapse *plan)
{
	plan->n_joints = 1;
	plan->joints[0] = (struct cs_joint){collapser->corners[collapser->first[plan->dropped]],
		collapser->corners[collapser->first[plan->kept]]};
}

float cs_collapse_cost(const struct cs_collapser *collapser, uint32_t a, uint32_t b)
{
	struct cs_collapse plan;
	choose_ends(collapser, a, b, &plan);
	join_all(collapser, &plan);
	price(collapser, &plan);
	return plan.cost;
}

/* ---- joints: wedges of both ends that become one ---- */

static bool add_joint_of(struct cs_collapse *plan, uint32_t dropped, uint32_t kept)
{
	if (plan->n_joints == CS_MOST_JOINTS)
		return false;
	plan->joints[plan->n_joints++] = (struct cs_joint){dropped, kept};
	return true;
}

/* Returns whether a joint has the dropped or the kept wedge. CS_NONE stands for no wedge. */
static bool is_joined(const struct cs_collapse *plan, uint32_t dropped, uint32_t kept)
{
	for (uint32_t i = 0; i < plan->n_joints; i++)
		if ((dropped != CS_NONE && plan->joints[i].dropped == dropped) ||
			(kept != CS_NONE && plan->joints[i].kept == kept))
			return true;
	return false;
}

/*
 * Pairs the wedges of the two ends that become one: those that one triangle at the edge uses. A
 * wedge is paired at most once: where a seam stops at one end of the edge, one of the two wedges at
 * the other end stays separate, and the seam continues. Other wedges stay separate, too.
 */
static bool find_joints(struct cs_collapser *collapser, struct cs_collapse *plan)
{
	const struct cs_ring *dropped = &collapser->rings[0], *kept = &collapser->rings[1];
	plan->n_joints = 0;
	for (uint32_t i = 0; i < dropped->n; i++) {
		if (!reaches(&dropped->at[i], plan->kept))
			continue;
		uint32_t from = collapser->corners[dropped->at[i].corner];
		uint32_t to = collapser->corners[corner_at(&dropped->at[i], plan->kept)];
		if (!is_joined(plan, from, to) && !add_joint_of(plan, from, to))
			return false;
	}
	for (uint32_t i = 0; i < dropped->n; i++) {
		uint32_t wedge = collapser->corners[dropped->at[i].corner];
		if (!is_joined(plan, wedge, CS_NONE) && !add_joint_of(plan, wedge, CS_NONE))
			return false;
	}
	/* `kept` is empty if the kept position is a hub (a locked position with many triangles) */
	for (uint32_t i = 0; i < kept->n; i++) {
		uint32_t wedge = collapser->corners[kept->at[i].corner];
		if (!is_joined(plan, CS_NONE, wedge) && !add_joint_of(plan, CS_NONE, wedge))
			return false;
	}
	return true;
}

bool cs_collapse_plan(
	struct cs_collapser *collapser, uint32_t a, uint32_t b, struct cs_collapse *ret)
{
	choose_ends(collapser, a, b, ret);
	if (collapser->flags[ret->dropped] & CS_PLACE_LOCKED)
		return false;
	collapser->rings[0].at = collapser->ring_corners;
	gather(collapser, ret->dropped, &collapser->rings[0]);
	collapser->rings[1].at = collapser->ring_corners + collapser->rings[0].n;
	collapser->rings[1].n = 0;
	if (!cs_is_hub(collapser, ret->kept))
		gather(collapser, ret->kept, &collapser->rings[1]);
	if (!collapser->rings[0].n || !collapser->valence[ret->kept])
		return false;
	if (!((collapser->flags[a] | collapser->flags[b]) & CS_PLACE_MANY))
		join_all(collapser, ret);
	else if (!find_joints(collapser, ret))
		return false;
	price(collapser, ret);
	return true;
}

/* ---- rules that a collapse must respect ---- */

static double longest2(cs_four a, cs_four b, cs_four c)
{
	cs_four lengths = cs_sums(a * a, b * b, c * c, c * c);
	float longest = lengths[0] > lengths[1] ? lengths[0] : lengths[1];
	return (double)(longest > lengths[2] ? longest : lengths[2]);
}

/* Returns whether moving a corner from `p` to `at` neither flips its triangle nor thins it. */
static bool keeps_side(const struct cs_collapser *collapser, const struct cs_ring_corner *corner,
	cs_four p, cs_four at)
{
	cs_four q = collapser->at[corner->next], r = collapser->at[corner->last];
	cs_four across = r - q, before = p - q, after = at - q;
	cs_four old = cs_cross_four(across, before), new = cs_cross_four(across, after);
	cs_four products = cs_sums(old * new, old * old, new *new, new *new);
	double same = (double)products[0], old2 = (double)products[1], new2 = (double)products[2];
	/*
	 * The normals of the triangle before and after the move must differ by at most 75 degrees.
	 */
	if (!(same > 0 && same * same >= 0.067 * old2 * new2))
		return false;
	double longest = longest2(across, after, at - r);
	/* A triangle lower than 1/1000 of its longest edge must not become flatter. */
	if (new2 > 1e-6 * longest * longest)
		return true;
	double longest_old = longest2(across, before, p - r);
	return new2 * longest_old * longest_old >= old2 * longest * longest;
}

static bool keeps_sides(const struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	cs_four at = collapser->at[plan->kept] + plan->to;
	for (int end = 0; end < 2; end++) {
		const struct cs_ring *ring = &collapser->rings[end];
		uint32_t mine = end ? plan->kept : plan->dropped;
		uint32_t other = end ? plan->dropped : plan->kept;
		if (end && collapser->flags[plan->kept] & CS_PLACE_LOCKED)
			break;
		for (uint32_t i = 0; i < ring->n; i++)
			if (!reaches(&ring->at[i], other) &&
				!keeps_side(collapser, &ring->at[i], collapser->at[mine], at))
				return false;
	}
	return true;
}

/*
 * Returns whether a triangle has corners at both positions. Also returns true when `place` is a hub
 * (a locked position with many triangles), whose triangles are too many to search.
 */
static bool is_beside(const struct cs_collapser *collapser, uint32_t place, uint32_t other)
{
	uint32_t start = collapser->first[place], corner = start;
	if (cs_is_hub(collapser, place))
		return true;
	do {
		if (!collapser->dead[corner / 3] &&
			(cs_place_of(collapser, cs_next_edge(corner)) == other ||
				cs_place_of(collapser, cs_previous_edge(corner)) == other))
			return true;
		corner = collapser->next[corner];
	} while (corner != start);
	return false;
}

/*
 * Counts the common neighbours of both ends when the kept position is a hub (a locked position with
 * many triangles). Reads only the ring (list of corners) of the dropped position, because the ring
 * of a hub is long.
 */
static uint32_t n_common_with_hub(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	const struct cs_ring *ring = &collapser->rings[0];
	uint32_t common = 0, stamp = collapser->stamp += 2;
	collapser->mark[plan->kept] = stamp;
	for (uint32_t i = 0; i < ring->n; i++) {
		const struct cs_ring_corner *corner = &ring->at[i];
		uint32_t third = corner->next == plan->kept ? corner->last : corner->next;
		if (!reaches(corner, plan->kept) || collapser->mark[third] == stamp)
			continue;
		collapser->mark[third] = stamp;
		common++;
	}
	for (uint32_t i = 0; i < ring->n; i++)
		for (int side = 0; side < 2; side++) {
			uint32_t place = side ? ring->at[i].next : ring->at[i].last;
			if (collapser->mark[place] == stamp)
				continue;
			collapser->mark[place] = stamp;
			common += is_beside(collapser, place, plan->kept);
		}
	return common;
}

/* Counts the positions that are neighbours of both ends, using their rings (lists of corners). */
static uint32_t n_common(struct cs_collapser *collapser)
{
	uint32_t common = 0, stamp = collapser->stamp += 2;
	for (uint32_t i = 0; i < collapser->rings[0].n; i++) {
		collapser->mark[collapser->rings[0].at[i].next] = stamp;
		collapser->mark[collapser->rings[0].at[i].last] = stamp;
	}
	for (uint32_t i = 0; i < collapser->rings[1].n; i++)
		for (int side = 0; side < 2; side++) {
			const struct cs_ring_corner *corner = &collapser->rings[1].at[i];
			uint32_t place = side ? corner->next : corner->last;
			common += collapser->mark[place] == stamp;
			collapser->mark[place] = collapser->mark[place] == stamp
							 ? stamp + 1
							 : collapser->mark[place];
		}
	/* neither end was counted: the ring of a position does not contain the position itself */
	return common;
}

/*
 * Checks the link condition: the only common neighbours of the two ends are the corners opposite
 * the edge, so that the topology stays the same. `shared` is the number of triangles at the edge.
 */
static bool keeps_surface(
	struct cs_collapser *collapser, const struct cs_collapse *plan, uint32_t shared)
{
	if (shared > 2)
		return false;
	if (shared == 2 &&
		collapser->flags[plan->dropped] & collapser->flags[plan->kept] & CS_PLACE_BORDER)
		return false;
	return shared == (cs_is_hub(collapser, plan->kept) ? n_common_with_hub(collapser, plan)
							   : n_common(collapser));
}

/*
 * Returns whether the collapse keeps the seams to other groups, which share the locked positions.
 * If a border position beside a locked border position were merged into another locked position, a
 * border edge between two locked positions would arise. The group on the other side of the seam has
 * no such edge, so there would be a crack. Hubs are on a seam only if patch->locked includes them.
 */
static bool keeps_seam(const struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	const uint8_t *locked = collapser->patch->locked;
	const struct cs_ring *ring = &collapser->rings[0];
	if (!locked[plan->kept] || !(collapser->flags[plan->dropped] & CS_PLACE_BORDER))
		return true;
	for (uint32_t i = 0; i < ring->n; i++)
		for (int side = 0; side < 2; side++) {
			uint32_t place = side ? ring->at[i].next : ring->at[i].last;
			if (place != plan->kept && locked[place] &&
				collapser->flags[place] & CS_PLACE_BORDER)
				return false;
		}
	return true;
}

bool cs_collapse_allowed(
	struct cs_collapser *collapser, const struct cs_collapse *collapse, enum cs_rigour rigour)
{
	uint32_t shared = 0;
	for (uint32_t i = 0; i < collapser->rings[0].n; i++)
		shared += reaches(&collapser->rings[0].at[i], collapse->kept);
	bool vanishes = collapser->rings[0].n + collapser->valence[collapse->kept] == 2 * shared;
	if (shared == 0 || shared >= collapser->n_alive || (vanishes && rigour < CS_LOOSE_NORMALS))
		return false;
	if (!keeps_seam(collapser, collapse))
		return false;
	if (rigour < CS_LOOSE_NORMALS && !keeps_sides(collapser, collapse))
		return false;
	return rigour > CS_STRICT || keeps_surface(collapser, collapse, shared);
}

/* ---- execution of a collapse ---- */

/* Returns the linear functions f with the point `move` as their origin. */
static struct cs_linear moved(const struct cs_linear *f, cs_four move)
{
	return (struct cs_linear){f->x, f->y, f->z, cs_linear_at(f, move)};
}

/* Sets those attributes of the kept wedge that have no weight, by interpolation along the edge. */
static void mix_attributes(
	struct cs_collapser *collapser, const struct cs_collapse *plan, struct cs_joint joint)
{
	uint32_t n = collapser->patch->n_attributes;
	cs_four edge = collapser->at[plan->kept] - collapser->at[plan->dropped];
	float along = cs_sum((edge + plan->to) * edge), length2 = cs_sum(edge * edge);
	float t = length2 > 0 ? along / length2 : 1;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	float *mine = collapser->attributes + (size_t)joint.kept * n;
	const float *theirs = collapser->attributes + (size_t)joint.dropped * n;
	for (uint32_t i = 0; i < n; i++)
		mine[i] = (1 - t) * theirs[i] + t * mine[i];
}

static void join_wedges(
	struct cs_collapser *collapser, const struct cs_collapse *plan, struct cs_joint joint)
{
	struct cs_linear *to = cs_linear_of(collapser, joint.kept);
	const struct cs_linear *from = cs_linear_of(collapser, joint.dropped);
	cs_four move = collapser->at[plan->kept] - collapser->at[plan->dropped] + plan->to;
	float area = collapser->areas[joint.kept] + collapser->areas[joint.dropped];
	float share = area > 0 ? collapser->areas[joint.dropped] / area : 0;
	collapser->areas[joint.kept] = area;
	for (uint32_t i = 0; i < collapser->n_blocks; i++) {
		struct cs_linear a = moved(&from[i], move), b = moved(&to[i], plan->to);
		to[i] = (struct cs_linear){b.x + (a.x - b.x) * share, b.y + (a.y - b.y) * share,
			b.z + (a.z - b.z) * share, b.at + (a.at - b.at) * share};
	}
	if (collapser->fixed[joint.kept])
		return;
	collapser->changed[joint.kept] = true;
	mix_attributes(collapser, plan, joint);
}

/*
 * Moves a wedge that merges with no other wedge to the merged position, which becomes the origin of
 * the linear functions of its attributes (collapser->linear).
 */
static void move_wedge(
	struct cs_collapser *collapser, const struct cs_collapse *plan, uint32_t wedge)
{
	struct cs_linear *linear = cs_linear_of(collapser, wedge);
	cs_four move =
		collapser->at[plan->kept] - collapser->at[collapser->places[wedge]] + plan->to;
	for (uint32_t i = 0; i < collapser->n_blocks; i++)
		linear[i] = moved(&linear[i], move);
	collapser->places[wedge] = plan->kept;
	collapser->changed[wedge] = !collapser->fixed[wedge];
}

static void move_wedges(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	for (uint32_t i = 0; i < plan->n_joints; i++) {
		struct cs_joint joint = plan->joints[i];
		if (joint.dropped != CS_NONE && joint.kept != CS_NONE) {
			join_wedges(collapser, plan, joint);
			continue;
		}
		move_wedge(collapser, plan, joint.kept == CS_NONE ? joint.dropped : joint.kept);
	}
}

/* Removes the triangles at the edge, and updates the wedges of other corners at the dropped end. */
static void move_corners(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	struct cs_ring *ring = &collapser->rings[0];
	uint32_t n = 0;
	for (uint32_t i = 0; i < ring->n; i++) {
		const struct cs_ring_corner *corner = &ring->at[i];
		if (reaches(corner, plan->kept)) {
			/*
			 * The position of the third corner loses a triangle that may have connected
			 * two of its wedges, so the costs of its edges may change.
			 */
			uint32_t third = corner->next == plan->kept ? corner->last : corner->next;
			if (collapser->flags[third] & CS_PLACE_MANY)
				collapser->touched[third] = collapser->n_collapses;
			cs_kill(collapser, corner->corner / 3);
		} else {
			ring->at[n++] = *corner;
		}
	}
	ring->n = n;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < plan->n_joints; j++)
			if (plan->joints[j].dropped == collapser->corners[ring->at[i].corner] &&
				plan->joints[j].kept != CS_NONE) {
				collapser->corners[ring->at[i].corner] = plan->joints[j].kept;
				break;
			}
}

/* Appends the dropped position's corners to the kept position's ring (circular list of corners). */
static void splice(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	const struct cs_ring *ring = &collapser->rings[0];
	uint32_t kept = collapser->first[plan->kept];
	collapser->first[plan->dropped] = CS_NONE;
	if (ring->n == 0)
		return;
	for (uint32_t i = 0; i + 1 < ring->n; i++)
		collapser->next[ring->at[i].corner] = ring->at[i + 1].corner;
	uint32_t last = ring->at[ring->n - 1].corner;
	collapser->next[last] = collapser->next[kept];
	collapser->next[kept] = ring->at[0].corner;
}

/* Adds the planes of the dropped position to the planes of the kept position. */
static void join_planes(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	struct cs_planes *to = &collapser->planes[plan->kept],
			 from = collapser->planes[plan->dropped];
	cs_quadric_move(&from.sum, collapser->at[plan->kept] - collapser->at[plan->dropped]);
	cs_quadric_add(&to->sum, &from.sum);
	cs_quadric_move(&to->sum, plan->to);
	to->area += from.area;
	float error2 = to->area > 0 ? to->sum.linear[3] / to->area : 0;
	collapser->error2 = error2 > collapser->error2 ? error2 : collapser->error2;
}

void cs_collapse_apply(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	if (collapser->planes)
		join_planes(collapser, plan);
	collapser->n_collapses++;
	move_corners(collapser, plan);
	splice(collapser, plan);
	move_wedges(collapser, plan);
	collapser->valence[plan->kept] += collapser->valence[plan->dropped];
	collapser->valence[plan->dropped] = 0;
	collapser->became[plan->dropped] = plan->kept;
	collapser->flags[plan->kept] |= collapser->flags[plan->dropped];
	if (plan->n_joints > 1)
		collapser->flags[plan->kept] |= CS_PLACE_MANY;
	/* A hub (locked, many triangles) has too many edges to compute their costs again. */
	if (cs_is_hub(collapser, plan->kept))
		return;
	collapser->touched[plan->kept] = collapser->n_collapses;
	collapser->quadrics[plan->kept] = plan->sum;
	cs_quadric_move(&collapser->quadrics[plan->kept], plan->to);
	collapser->at[plan->kept] += plan->to;
	if (collapser->grid && !(collapser->flags[plan->kept] & CS_PLACE_LOCKED))
		cs_settle_kept(collapser, plan);
}
