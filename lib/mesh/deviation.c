/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds the deviation of a simplified patch B from the patch A that it was simplified from. A
 * "place" is a distinct position of a patch, shared by all vertices there.
 *
 * The bound comes from a continuous, piecewise linear map F from A to B. F is the identity on the
 * locked border and maps the open border of A onto the open border of B. A linear map moves no
 * point of a triangle farther than it moves the triangle's corners. So if A is cut into triangles
 * on which F is linear, the largest distance between a corner of them and its image bounds the
 * distance of any point of A from B. F also covers all of B, because it maps the border of A onto
 * the border of B. So the same number bounds the distance of any point of B from A.
 *
 * How A is cut: each place of A has an image on a triangle of B, and each edge of A has a path
 * across B (struct cs_way, mesh/walk.c). Where the path crosses an edge of B, the crossing point of
 * the edge of A is mapped to the nearest point of the edge of B. The crossings around one triangle
 * of A form pairs, because its outline enters and leaves across the same edge of B; the triangle is
 * cut along the chord between the two crossings of a pair. If crossings remain without a partner,
 * the edges of B that they cross meet in one place of B. Then F maps the point of the triangle of A
 * nearest to that place to the place, and the triangle is cut into sectors around that point. Any
 * choice of crossing points gives a valid bound; only the size of the bound depends on it.
 *
 * Where no map is found (sheets that touch, islands that were dropped, folds), or where the bound
 * by F would raise the error of the group, the triangle of A is compared with B without F
 * (mesh/mesh_compare.c). A triangle of B is compared with A in the same way if F perhaps does not
 * cover it fully, because it is next to such a triangle of A or to an open border, or because no
 * path reaches it. The same is done for a triangle of B whose bound by F would raise the error of
 * the group, when the triangles of A that are mapped to it got smaller bounds without F.
 *
 * A triangle of A already has an error, its distance from an older surface. The triangles of B that
 * it is mapped to get the sum of that error and the new bound. Over several levels such sums grow
 * to twice the distance, and the largest sum becomes the error of the group. So the triangles with
 * the largest sums are refined, worst first: instead of the triangle of A, the finer triangles that
 * it represents are compared with B. They come from as many levels below as are needed for their
 * own errors to be small. Refining ends when no remaining sum exceeds the largest error found so
 * far, or when the effort is spent.
 */
#include "mesh/deviation.h"

#include "core/sort.h"
#include "mesh/edges.h"
#include "mesh/mesh_compare.h"
#include "mesh/vector.h"
#include "mesh/walk.h"

#include <math.h>
#include <string.h>

enum {
	SEQUENCE = 128, /* largest number of edges of B that a triangle's outline crosses */
	/*
	 * number of positions of patch A that are measured exactly, for a lower bound of the
	 * group's error
	 */
	LOOKS = 16,
	MOST_ASKED = 1024, /* largest number of queries for triangles of finer levels */
	/* largest number of times that a finer triangle is quartered before it is compared */
	PIECES = 3,
	/*
	 * if the bound of a triangle of patch B exceeds the largest error by this factor, the
	 * triangle is first compared with all of patch A: a search for triangles of finer levels
	 * within that bound would find too many
	 */
	ASTRAY = 2,
};

/* A bound of at most this many times the largest error so far is not made tighter. */
#define CLOSE   1.03f
/*
 * The first query for the finer triangles that a triangle represents asks for triangles whose
 * errors are at most this fraction of the bound of the triangle.
 */
#define SMALL   0.15
/*
 * If a triangle's own error exceeds this fraction of its bound, comparing the triangle itself
 * cannot reduce the bound much, so its finer triangles are compared at once.
 */
#define BROUGHT 0.3f

struct mapper {
	const struct cs_deviation *deviation;
	struct cs_walker walker;
	bool *reached; /* for each triangle of patch B, whether F (see above) maps a point to it */
	/*
	 * for each triangle of patch B, the largest distance by which the map F moves a point of A
	 * onto it. 0 if `errors` already includes that distance, INFINITY if F may not cover it
	 */
	float *through;
	float *errors; /* error of each triangle of patch B */
	/*
	 * triangles of patch A for which the map F is undefined or gives a large bound: they are
	 * compared with patch B directly
	 */
	uint32_t *doubtful;
	/* how far F moves each `doubtful` triangle at most, or INFINITY if F is undefined on it */
	float *far;
	uint32_t n_doubtful;
	/* largest error so far. A bound of at most CLOSE * most is not made tighter */
	float most;
	struct cs_loose *near; /* triangles of finer levels that the last query found */
	/* number of pieces of finer triangles compared so far, and of queries for finer ones */
	uint32_t n_met, n_asked;
};

static bool deviation_allocate(struct mapper *mapper, struct cs_scratch *scratch)
{
	size_t n_a = mapper->deviation->patch->n_triangles,
	       n_b = mapper->deviation->simplified->n_triangles;
	mapper->reached = CS_SCRATCH_ARRAY(scratch, bool, n_b);
	mapper->through = CS_SCRATCH_ARRAY(scratch, float, n_b);
	mapper->doubtful = CS_SCRATCH_ARRAY(scratch, uint32_t, n_a);
	mapper->far = CS_SCRATCH_ARRAY(scratch, float, n_a);
	mapper->near = CS_SCRATCH_ARRAY(scratch, struct cs_loose, 1);
	if (scratch->failed)
		return false;
	memset(mapper->reached, 0, n_b * sizeof(*mapper->reached));
	memset(mapper->through, 0, n_b * sizeof(*mapper->through));
	memset(mapper->errors, 0, n_b * sizeof(*mapper->errors));
	return true;
}

/* ---- mapping one triangle of patch A ---- */

/* Edges of B that a triangle's outline crosses, in order. Crossing an edge back removes it. */
struct sequence {
	/* indices 1 to n are used, and one entry at either end is a sentinel */
	uint32_t edges[1 + SEQUENCE + 1];
	uint32_t n;
	float farthest;
	bool failed;
};

static void add_edge(struct sequence *sequence, uint32_t edge)
{
	/* There is no branch, because it is unpredictable which crossings find a partner. */
	bool paired = sequence->edges[sequence->n] == edge;
	sequence->edges[sequence->n + 1] = edge;
	sequence->n += paired ? UINT32_MAX : 1;
	if (sequence->n > SEQUENCE) {
		sequence->failed = true;
		sequence->n = SEQUENCE;
	}
}

/* A side of a triangle of patch A, and the path across patch B to which it is mapped. */
struct side {
	const struct cs_way *way;
	/* whether the path was stored for the opposite half-edge and is read backwards */
	bool turned;
};

static struct side deviation_side_of(const struct cs_walker *walker, uint32_t edge)
{
	uint32_t way = walker->way_of[edge];
	return (struct side){&walker->ways[way / 2], way % 2};
}

static void add_way(
	const struct cs_walker *walker, const struct side *side, struct sequence *sequence)
{
	const uint32_t *crossings = walker->crossings + side->way->first;
	uint32_t n = side->way->n;
	for (uint32_t i = 0; i < n; i++)
		add_edge(sequence, crossings[side->turned ? n - 1 - i : i]);
}

/*
 * Adds the edges of patch B around a corner of the triangle of patch A, between the end of one
 * side's path and the start of the next side's path.
 */
static void add_turn(const struct cs_walker *walker, const struct side *side,
	const struct side *next, uint32_t place, struct sequence *sequence)
{
	uint32_t from = side->turned ? side->way->start : side->way->end, turns[CS_TURN];
	uint32_t to = next->turned ? next->way->end : next->way->start;
	if (from == to)
		return;
	uint32_t n = cs_walk_turn(walker, from, to, place, turns);
	sequence->failed = sequence->failed || n == CS_NONE;
	for (uint32_t i = 0; i < n && n != CS_NONE; i++)
		add_edge(sequence, cs_lower_edge(walker->deviation->opposite, turns[i]));
}

/* Removes first and last of the cyclic sequence while they are equal. Returns the new first. */
static const uint32_t *close_sequence(struct sequence *sequence)
{
	const uint32_t *first = sequence->edges + 1;
	while (sequence->n >= 2 && first[0] == first[sequence->n - 1]) {
		first++;
		sequence->n -= 2;
	}
	return first;
}

static bool deviation_ends_at(const struct cs_walker *walker, uint32_t edge, uint32_t place)
{
	return walker->deviation->corners[edge] == place ||
	       walker->deviation->corners[cs_next_edge(edge)] == place;
}

/* Returns the position of patch B at which all n edges of B end, or CS_NONE when there is none. */
static uint32_t deviation_centre_of(
	const struct cs_walker *walker, const uint32_t *edges, uint32_t n)
{
	for (int end = 0; end < 2; end++) {
		uint32_t place = walker->deviation
					 ->corners[end ? cs_next_edge(edges[0]) : edges[0]],
			 i = 1;
		while (i < n && deviation_ends_at(walker, edges[i], place))
			i++;
		if (i == n)
			return place;
	}
	return CS_NONE;
}

/* Returns whether F (from A to B) is defined on a triangle. *far_ret bounds how far F moves it. */
static bool map_triangle(const struct cs_walker *walker, uint32_t triangle, float *far_ret)
{
	const uint32_t *corners = walker->corners_a + 3 * (size_t)triangle;
	struct side sides[3];
	struct sequence sequence;
	sequence.edges[0] = CS_NONE;
	sequence.n = 0;
	sequence.farthest = 0;
	sequence.failed = false;
	for (uint32_t k = 0; k < 3; k++) {
		sides[k] = deviation_side_of(walker, 3 * triangle + k);
		sequence.farthest = cs_larger(sequence.farthest, sides[k].way->farthest);
		sequence.farthest = cs_larger(sequence.farthest, walker->apart[corners[k]]);
		sequence.failed = sequence.failed || walker->home[corners[k]] == CS_NONE;
	}
	if (sequence.failed || !(sequence.farthest < INFINITY))
		return false;
	for (int k = 0; k < 3; k++) {
		int next = k < 2 ? k + 1 : 0;
		add_way(walker, &sides[k], &sequence);
		add_turn(walker, &sides[k], &sides[next], corners[next], &sequence);
	}
	if (sequence.failed)
		return false;
	const uint32_t *left = close_sequence(&sequence);
	if (sequence.n > 0) {
		uint32_t centre = deviation_centre_of(walker, left, sequence.n);
		if (centre == CS_NONE)
			return false;
		double far2 = cs_triangle_distance2(walker->b[centre], walker->a[corners[0]],
			walker->a[corners[1]], walker->a[corners[2]]);
		sequence.farthest = cs_larger(sequence.farthest, (float)sqrt(far2));
	}
	*far_ret = sequence.farthest;
	return true;
}

static void touch(struct mapper *mapper, uint32_t triangle, float error, float through)
{
	mapper->errors[triangle] = cs_larger(mapper->errors[triangle], error);
	mapper->through[triangle] = cs_larger(mapper->through[triangle], through);
}

/*
 * Raises the members `error` and `through` of the paths of the triangle's edges to the arguments.
 * Together the paths cross all triangles of patch B that the map F (see the head of this file) maps
 * the triangle to. `through` bounds how far F moves points of the triangle; it is 0 when `error`
 * already includes that bound.
 */
static void deviation_spread(struct mapper *mapper, uint32_t triangle, float error, float through)
{
	const uint32_t *opposite = mapper->deviation->patch->opposite;
	for (uint32_t edge = 3 * triangle; edge < 3 * triangle + 3; edge++) {
		struct cs_way *way = &mapper->walker.ways[mapper->walker.way_of[edge] / 2];
		bool open = opposite[edge] == CS_NONE && !way->along_border;
		way->error = cs_larger(way->error, error);
		way->through = cs_larger(way->through, open ? INFINITY : through);
	}
}

/* Raises the error of each triangle of patch B to those of the paths (cs_way) that cross it. */
static void deviation_unload(struct mapper *mapper)
{
	for (uint32_t w = 0; w < mapper->walker.n_ways; w++) {
		const struct cs_way *way = &mapper->walker.ways[w];
		if (way->start == CS_NONE)
			continue;
		touch(mapper, way->start, way->error, way->through);
		mapper->reached[way->start] = true;
		for (uint32_t i = 0; i < way->n; i++) {
			uint32_t crossing = mapper->walker.crossings[way->first + i];
			uint32_t sides[2] = {
				crossing / 3, mapper->deviation->opposite[crossing] / 3};
			for (int side = 0; side < 2; side++) {
				touch(mapper, sides[side], way->error, way->through);
				mapper->reached[sides[side]] = true;
			}
		}
	}
}

/*
 * Returns the position of patch A that follows `last` when positions are sorted by falling distance
 * from the points of B that they are mapped to: the first one when `last` is CS_NONE, and CS_NONE
 * after the final one.
 */
static uint32_t next_farthest(const struct cs_walker *walker, uint32_t last)
{
	const float *apart = walker->apart;
	uint32_t found = CS_NONE;
	for (uint32_t i = 0; i < walker->deviation->patch->n_places; i++) {
		bool behind = last == CS_NONE || apart[i] < apart[last] ||
			      (apart[i] == apart[last] && i > last);
		if (behind && (found == CS_NONE || apart[i] > apart[found]))
			found = i;
	}
	return found;
}

/*
 * Returns a lower bound for the error of the group, at least the caller's floor: the largest
 * distance from patch B among the few positions of patch A that F moves farthest. Searches all of B
 * for the nearest triangle, because F may map a position to another triangle.
 */
static float deviation_least_of(const struct mapper *mapper, struct cs_sheet *sheet)
{
	const struct cs_walker *walker = &mapper->walker;
	float least = mapper->deviation->floor;
	uint32_t place = CS_NONE;
	for (int i = 0; i < LOOKS; i++) {
		bool exact;
		place = next_farthest(walker, place);
		if (place == CS_NONE || walker->apart[place] <= CLOSE * least)
			break;
		uint32_t nearest = cs_sheet_nearest(sheet, walker->a[place], &exact);
		float far = (float)sqrt(cs_sheet_distance2(sheet, walker->a[place], nearest));
		least = cs_larger(least, cs_smaller(far, walker->apart[place]));
	}
	return least;
}

/*
 * Marks triangles of patch B with a border edge that the map F (see the head of this file) may not
 * cover. F counts as covering a border edge of B when paths of border edges of patch A pass both
 * ends of the edge.
 */
static void suspect_border(struct mapper *mapper)
{
	const uint32_t *corners = mapper->deviation->corners;
	for (uint32_t edge = 0; edge < 3 * mapper->deviation->simplified->n_triangles; edge++)
		if (mapper->deviation->opposite[edge] == CS_NONE &&
			!(mapper->walker.passed[corners[edge]] &&
				mapper->walker.passed[corners[cs_next_edge(edge)]]))
			mapper->through[edge / 3] = INFINITY;
}

static void map_all(struct mapper *mapper, struct cs_sheet *sheet)
{
	mapper->most = deviation_least_of(mapper, sheet);
	suspect_border(mapper);
	for (uint32_t i = 0; i < mapper->deviation->patch->n_triangles; i++) {
		float far = INFINITY;
		if (map_triangle(&mapper->walker, i, &far) &&
			mapper->deviation->patch_errors[i] + far <= mapper->most) {
			deviation_spread(mapper, i, mapper->deviation->patch_errors[i] + far, 0);
			continue;
		}
		mapper->doubtful[mapper->n_doubtful] = i;
		mapper->far[mapper->n_doubtful++] = far;
	}
}

/* ---- comparison of triangles without the map ---- */

static void deviation_corners_of(
	double (*places)[3], const uint32_t *corners, uint32_t triangle, double ret[3][3])
{
	for (size_t k = 0; k < 3; k++)
		memcpy(ret[k], places[corners[3 * (size_t)triangle + k]], sizeof(ret[k]));
}

/*
 * Returns a triangle of B to which a corner of the given triangle of A is mapped, or CS_NONE when
 * no corner is mapped.
 */
static uint32_t hint_of(const struct cs_walker *walker, uint32_t triangle)
{
	for (size_t k = 0; k < 3; k++)
		if (walker->home[walker->corners_a[3 * (size_t)triangle + k]] != CS_NONE)
			return walker->home[walker->corners_a[3 * (size_t)triangle + k]];
	return CS_NONE;
}

/*
 * Sorts mapper->doubtful by falling bound, with the triangles without a bound last. The error found
 * for the first triangle is a lower limit for the error of the group, and bounds below that limit
 * need not be made tighter. Returns false when memory runs out.
 */
static bool order_doubtful(struct mapper *mapper, struct cs_scratch *scratch)
{
	struct cs_sort_key *keys =
		CS_SCRATCH_ARRAY(scratch, struct cs_sort_key, mapper->n_doubtful);
	float *far = CS_SCRATCH_ARRAY(scratch, float, mapper->n_doubtful);
	if (scratch->failed)
		return false;
	for (uint32_t i = 0; i < mapper->n_doubtful; i++) {
		float error = mapper->deviation->patch_errors[mapper->doubtful[i]] + mapper->far[i];
		uint32_t bits = 0;
		if (error < INFINITY)
			memcpy(&bits, &error, sizeof(bits));
		keys[i] =
			(struct cs_sort_key){.high = ~bits, .low = mapper->doubtful[i], .index = i};
		far[i] = mapper->far[i];
	}
	if (!cs_sort_keys(keys, mapper->n_doubtful))
		return false;
	for (uint32_t i = 0; i < mapper->n_doubtful; i++) {
		mapper->doubtful[i] = (uint32_t)keys[i].low;
		mapper->far[i] = far[keys[i].index];
	}
	return true;
}

/*
 * Queries finer triangles near the triangle p, whose corners are relative to the walker's origin,
 * and stores them in mapper->near. Accepts only small errors first, then larger ones (coarser
 * triangles) until the list has room for all. Returns whether a query succeeded.
 */
static bool ask_finer(
	struct mapper *mapper, double p[3][3], uint32_t triangle, float reach, float bound)
{
	struct cs_finer_query query = {
		.triangle = triangle, .reach = (double)reach * (1 + 0x1p-18)};
	bool found = false;
	if (!mapper->deviation->find_finer || mapper->n_asked >= MOST_ASKED)
		return false;
	mapper->n_asked++;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			query.corners[i][k] = p[i][k] + mapper->walker.origin[k];
	for (double part = SMALL; !found && part < 0.75; part *= 2) {
		query.wanted = part * (double)bound;
		found = mapper->deviation->find_finer(
			mapper->deviation->context, &query, mapper->near);
	}
	for (uint32_t i = 0; found && i < mapper->near->n; i++)
		for (int corner = 0; corner < 3; corner++)
			for (int k = 0; k < 3; k++)
				mapper->near->corners[i][corner][k] -= mapper->walker.origin[k];
	return found;
}

/* State of comparing with patch B one finer triangle, which triangle p of patch A represents. */
struct finer {
	struct mapper *mapper;
	struct cs_sheet *sheet;
	struct cs_facet facet; /* triangle p, prepared for measuring distances */
	double reach;          /* distance from p within which finer triangles are compared */
	float error;           /* the finer triangle's distance from an older surface */
	/* set to true when the whole finer triangle was compared and needs no further comparison */
	bool *done;
	float bound; /* the comparison fails unless its result is below this bound */
	/*
	 * value for mapper.through (see there) of the triangles of patch B near p: 0 if map F is
	 * defined on all of p, because mapper.errors then includes the bound by F, else INFINITY
	 */
	float through;
	uint32_t hint; /* triangle of patch B where the search for the nearest triangle starts */
};

/* Returns whether every point of the piece is farther than finer->reach from the triangle p. */
static bool is_beyond(const struct finer *finer, double piece[3][3])
{
	double middle[3], radius2 = 0;
	for (int k = 0; k < 3; k++)
		middle[k] = (piece[0][k] + piece[1][k] + piece[2][k]) / 3;
	for (int i = 0; i < 3; i++) {
		double off[3];
		cs_subtract(piece[i], middle, off);
		double far2 = cs_dot(off, off);
		radius2 = far2 > radius2 ? far2 : radius2;
	}
	double far = sqrt(radius2) + finer->reach;
	return cs_facet_distance2(&finer->facet, middle) > far * far;
}

/* Returns whether a corner of the piece is farther than finer->reach from the triangle p. */
static bool sticks_out(const struct finer *finer, double piece[3][3])
{
	double most = 0;
	for (int i = 0; i < 3; i++)
		most = fmax(most, cs_facet_distance2(&finer->facet, piece[i]));
	return most > finer->reach * finer->reach;
}

/*
 * Bounds the distance from patch B of a piece of a finer triangle, and quarters it up to `depth`
 * times. A piece that is farther than finer->reach from the triangle p is skipped: p does not
 * represent it, but another triangle or group does. Returns false when the bound is not below
 * finer->bound or the effort is spent.
 */
static bool compare_piece(struct finer *finer, double piece[3][3], int depth)
{
	struct cs_picks picks;
	double quarters[4][3][3];
	/* The whole finer triangle (depth == PIECES) is not tested: ask_finer() found it near p. */
	if (depth < PIECES && is_beyond(finer, piece))
		return true;
	if (finer->mapper->n_met++ >= finer->mapper->deviation->effort)
		return false;
	double enough = (double)(finer->mapper->most - finer->error);
	double near = cs_compare(finer->sheet, piece, finer->hint, enough, &picks);
	bool close = finer->error + (float)near <= CLOSE * finer->mapper->most;
	bool whole = close || depth == 0 || !sticks_out(finer, piece);
	if (whole && !close)
		near = cs_compare_elsewhere(finer->sheet, piece, finer->hint, enough, near, &picks);
	float error = finer->error + (float)near;
	if (whole && error < finer->bound) {
		for (uint32_t k = 0; k < picks.n; k++)
			touch(finer->mapper, picks.triangles[k], error, finer->through);
		/*
		 * A bound that ends the comparison early (at most CLOSE times the largest error)
		 * does not become the largest error: if it did, many such bounds in a row could
		 * raise that without end.
		 */
		finer->mapper->most =
			close ? finer->mapper->most : cs_larger(finer->mapper->most, error);
	}
	if (whole) {
		finer->hint = picks.n ? picks.triangles[0] : finer->hint;
		*finer->done = depth == PIECES && error < finer->bound;
		return error < finer->bound;
	}
	cs_quarter(piece, quarters);
	for (int i = 0; i < 4; i++)
		if (!compare_piece(finer, quarters[i], depth - 1))
			return false;
	return true;
}

/*
 * Compares patch B with the finer triangles that triangle p of patch A represents (from which p was
 * simplified). Their own errors, which are added to the distances, are smaller than that of p.
 * Returns false when that gives no bound below `bound`.
 */
static bool compare_finer(struct mapper *mapper, struct cs_sheet *sheet, double p[3][3],
	uint32_t triangle, float bound, float through)
{
	float own = mapper->deviation->patch_errors[triangle];
	struct finer finer = {.mapper = mapper,
		.sheet = sheet,
		.facet = cs_facet_of(p[0], p[1], p[2]),
		.bound = bound,
		.through = through,
		.hint = hint_of(&mapper->walker, triangle)};
	if (!ask_finer(mapper, p, triangle, own, bound))
		return false;
	for (uint32_t i = 0; i < mapper->near->n; i++) {
		finer.error = mapper->near->errors[i];
		finer.done = mapper->near->done[i];
		finer.reach = (double)(own + finer.error) * (1 + 0x1p-18);
		if (!compare_piece(&finer, mapper->near->corners[i], PIECES))
			return false;
	}
	return true;
}

/*
 * Compares a triangle of patch A with patch B, because the map F (from A to B) gives no bound of
 * its error, or a bound `mapped` that would raise the error of the group. If the error of the
 * triangle itself makes the bound large, compares its finer triangles instead.
 */
static void settle_down(
	struct mapper *mapper, struct cs_sheet *sheet, uint32_t triangle, float mapped)
{
	struct cs_picks picks;
	double p[3][3];
	deviation_corners_of(mapper->walker.a, mapper->walker.corners_a, triangle, p);
	const float own = mapper->deviation->patch_errors[triangle],
		    through = mapped < INFINITY ? 0 : INFINITY;
	if (own > BROUGHT * mapped && compare_finer(mapper, sheet, p, triangle, mapped, through)) {
		deviation_spread(mapper, triangle, 0, mapped);
		return;
	}
	uint32_t hint = hint_of(&mapper->walker, triangle);
	double enough = (double)(mapper->most - own),
	       near = cs_compare(sheet, p, hint, enough, &picks);
	if (cs_smaller(mapped, own + (float)near) > CLOSE * mapper->most)
		near = cs_compare_elsewhere(sheet, p, hint, enough, near, &picks);
	float alone = own + (float)near, bound = cs_smaller(mapped, alone);
	if (bound > CLOSE * mapper->most &&
		compare_finer(mapper, sheet, p, triangle, bound, through)) {
		deviation_spread(mapper, triangle, 0, mapped);
		return;
	}
	deviation_spread(mapper, triangle, bound, mapped > alone ? mapped : 0);
	for (uint32_t k = 0; k < picks.n && mapped > alone; k++)
		touch(mapper, picks.triangles[k], alone, through);
	mapper->most = bound > CLOSE * mapper->most ? bound : mapper->most;
}

static bool init_sheet_of_simplified(
	const struct mapper *mapper, struct cs_scratch *scratch, struct cs_sheet *sheet)
{
	if (!cs_sheet_init(mapper->deviation->simplified->n_triangles,
		    mapper->deviation->patch->n_places, scratch, sheet))
		return false;
	sheet->places = mapper->walker.b;
	sheet->sides = mapper->walker.sides;
	sheet->corners = mapper->deviation->corners;
	sheet->opposite = mapper->deviation->opposite;
	return true;
}

static float mapped_of(const struct mapper *mapper, uint32_t i)
{
	return mapper->deviation->patch_errors[mapper->doubtful[i]] + mapper->far[i];
}

/*
 * Compares the doubtful triangle of patch A (mapper->doubtful) that has the largest bound by the
 * map F with patch B before all other triangles: the result often raises the largest error so far
 * so much that no other triangle needs comparing.
 */
static void settle_worst(struct mapper *mapper, struct cs_sheet *sheet)
{
	uint32_t worst = CS_NONE;
	float most = CLOSE * mapper->most;
	for (uint32_t i = 0; i < mapper->n_doubtful; i++) {
		float mapped = mapped_of(mapper, i);
		if (mapped > most && mapped < INFINITY) {
			most = mapped;
			worst = i;
		}
	}
	if (worst == CS_NONE)
		return;
	uint32_t triangle = mapper->doubtful[worst];
	mapper->doubtful[worst] = mapper->doubtful[--mapper->n_doubtful];
	mapper->far[worst] = mapper->far[mapper->n_doubtful];
	settle_down(mapper, sheet, triangle, most);
}

/*
 * Removes from mapper->doubtful those triangles whose bound by the map F (see the head of this
 * file) no longer raises the error of the group, and uses that bound for them.
 */
static void spread_close(struct mapper *mapper)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < mapper->n_doubtful; i++) {
		float mapped = mapped_of(mapper, i);
		if (mapped <= CLOSE * mapper->most) {
			deviation_spread(mapper, mapper->doubtful[i], mapped, 0);
			continue;
		}
		mapper->doubtful[n] = mapper->doubtful[i];
		mapper->far[n++] = mapper->far[i];
	}
	mapper->n_doubtful = n;
}

/* Maps patch A to B, then compares triangles of A without a good bound with B. */
static bool compare_down(struct mapper *mapper, struct cs_scratch *scratch)
{
	struct cs_sheet sheet;
	if (!init_sheet_of_simplified(mapper, scratch, &sheet))
		return false;
	map_all(mapper, &sheet);
	settle_worst(mapper, &sheet);
	spread_close(mapper);
	bool ordered = order_doubtful(mapper, scratch);
	for (uint32_t i = 0; ordered && i < mapper->n_doubtful; i++) {
		uint32_t triangle = mapper->doubtful[i];
		float mapped = mapped_of(mapper, i);
		if (mapped <= CLOSE * mapper->most)
			deviation_spread(mapper, triangle, mapped, 0);
		else
			settle_down(mapper, &sheet, triangle, mapped);
	}
	cs_sheet_deinit(&sheet);
	return ordered && !sheet.no_memory;
}

/*
 * Returns a bound, smaller than `error` where possible, of the distance of triangle p of patch B
 * from patch A. Compares p with triangles of finer levels within the distance `error`. If `error`
 * is so large that there would be too many, p is first compared with all of patch A, which usually
 * reduces it.
 */
static float compare_up_finer(struct mapper *mapper, struct cs_sheet *sheet, uint32_t triangle,
	double p[3][3], float error)
{
	double enough = (double)mapper->most;
	bool asked = error <= ASTRAY * mapper->most && ask_finer(mapper, p, CS_NONE, error, error);
	if (!asked) {
		struct cs_picks picks;
		uint32_t hint = mapper->deviation->simplified->triangles[triangle];
		double near = cs_compare(sheet, p, hint, enough, &picks);
		if ((float)near > CLOSE * mapper->most)
			near = cs_compare_elsewhere(sheet, p, hint, enough, near, &picks);
		error = (float)near;
		asked = error > CLOSE * mapper->most && ask_finer(mapper, p, CS_NONE, error, error);
	}
	return asked ? cs_smaller(error, (float)cs_compare_loose(mapper->near, p, enough)) : error;
}

/* Compares with patch A a triangle of B whose error map F bounds badly or not at all. */
static void settle_up(struct mapper *mapper, struct cs_sheet *sheet, uint32_t triangle)
{
	struct cs_picks picks;
	bool tight;
	double p[3][3];
	picks.n = 0;
	deviation_corners_of(mapper->walker.b, mapper->deviation->corners, triangle, p);
	float error = (float)cs_drape(sheet, p, mapper->deviation->simplified->triangles[triangle],
		(double)mapper->most, &tight, &picks);
	if (error > CLOSE * mapper->most) {
		error = compare_up_finer(mapper, sheet, triangle, p, error);
		mapper->most = error > CLOSE * mapper->most ? error : mapper->most;
	}
	mapper->errors[triangle] = cs_larger(mapper->errors[triangle], error);
}

/* Makes a sheet of patch A, whose edge planes are computed when they are first needed. */
static bool init_sheet_of_patch(
	struct mapper *mapper, struct cs_scratch *scratch, struct cs_sheet *sheet)
{
	const struct cs_patch *patch = mapper->deviation->patch;
	size_t n_edges = 3 * (size_t)patch->n_triangles;
	if (!cs_sheet_init(patch->n_triangles, patch->n_places, scratch, sheet))
		return false;
	sheet->places = mapper->walker.a;
	sheet->corners = mapper->walker.corners_a;
	sheet->opposite = patch->opposite;
	sheet->errors = mapper->deviation->patch_errors;
	sheet->made = CS_SCRATCH_ARRAY(scratch, struct cs_plane, n_edges);
	sheet->is_made = CS_SCRATCH_ARRAY(scratch, bool, n_edges);
	if (scratch->failed)
		return false;
	memset(sheet->is_made, 0, n_edges * sizeof(*sheet->is_made));
	return true;
}

/* Compares with patch A the triangles of B that F bounds badly or not at all. */
static bool compare_up(struct mapper *mapper, struct cs_scratch *scratch)
{
	struct cs_sheet sheet;
	if (!init_sheet_of_patch(mapper, scratch, &sheet))
		return false;
	for (uint32_t i = 0; i < mapper->deviation->simplified->n_triangles; i++)
		if (!mapper->reached[i] || mapper->through[i] > mapper->most)
			settle_up(mapper, &sheet, i);
		else
			mapper->errors[i] = cs_larger(mapper->errors[i], mapper->through[i]);
	cs_sheet_deinit(&sheet);
	return !sheet.no_memory;
}

bool cs_deviation_bound(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, float *errors_ret)
{
	struct mapper mapper = {.deviation = deviation, .errors = errors_ret};
	if (!deviation_allocate(&mapper, scratch) ||
		!cs_walk_all(deviation, scratch, &mapper.walker))
		return false;
	if (!compare_down(&mapper, scratch))
		return false;
	deviation_unload(&mapper);
	if (!compare_up(&mapper, scratch))
		return false;
	/* The factor covers rounding to single precision and errors of the computation. */
	for (uint32_t i = 0; i < deviation->simplified->n_triangles; i++)
		errors_ret[i] *= 1 + 0x1p-18f;
	return true;
}
