/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what goes from a patch where nothing can collapse: triangles that lie on another one,
 * and loose pieces. On soups of few places, so that much lies on each other, with an outside here
 * and there; what goes is what a twin without sorting and tables takes away, which counts anew each
 * time.
 */
#include "mesh/collapse.h"

#include "core/random.h"
#include "mesh/edges.h"
#include "tests/samples/tap.h"

#include <math.h>

enum { ROUNDS = 600, MOST = 48, PLACES = 12, MOST_OUTER = 12 };

static struct cs_random chance = {5};

static uint32_t below(uint32_t n)
{
	return cs_random_below(&chance, n);
}

struct soup {
	uint32_t n, target;
	uint32_t corners[3 * MOST], outer[2 * MOST_OUTER], valence[3 * PLACES], places[3 * PLACES];
	bool dead[MOST], gone[MOST]; /* as it was, and as the twin leaves it */
	cs_four at[3 * PLACES];
	struct cs_patch patch;
	struct cs_collapser collapser;
};

/* ---- soups ---- */

/*
 * Makes triangle i; often it coincides with an earlier one, in its direction or in the opposite
 * one. With more places there are more pieces.
 */
static void make_triangle(struct soup *s, uint32_t i)
{
	uint32_t *c = s->corners + 3 * (size_t)i, again = i ? below(2 * i) : 0, turn = below(3);
	if (i > 0 && again < i) {
		const uint32_t *other = s->corners + 3 * (size_t)again;
		bool back = below(2);
		for (uint32_t k = 0; k < 3; k++)
			c[k] = other[(turn + (back ? 3 - k : k)) % 3];
		return;
	}
	do
		for (int k = 0; k < 3; k++)
			c[k] = below(s->patch.n_places);
	while (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]);
}

static void make_soup(struct soup *s)
{
	*s = (struct soup){.n = 1 + below(MOST), .patch.n_places = 4 + below(3 * PLACES - 3)};
	struct cs_collapser *c = &s->collapser;
	for (uint32_t i = 0; i < s->n; i++) {
		make_triangle(s, i);
		s->dead[i] = below(8) == 0;
		c->n_alive += !s->dead[i];
		for (size_t k = 0; k < 3; k++)
			s->valence[s->corners[3 * i + k]] += !s->dead[i];
	}
	for (uint32_t i = 0; i < s->patch.n_places; i++) {
		s->places[i] = i;
		for (int k = 0; k < 3; k++)
			s->at[i][k] = (float)cs_random_range(&chance, -1, 1);
	}
	s->patch.n_outer = below(3) ? 0 : below(MOST_OUTER);
	for (uint32_t i = 0; i < s->patch.n_outer; i++) {
		uint32_t e = below(3 * s->n);
		s->outer[2 * i] = s->corners[e];
		s->outer[2 * i + 1] = s->corners[cs_next_edge(e)];
	}
	s->target = below(c->n_alive + 1);
	s->patch.n_triangles = s->n;
	s->patch.outer = s->outer;
	c->patch = &s->patch;
	c->corners = s->corners;
	c->places = s->places;
	c->valence = s->valence;
	c->at = s->at;
	c->dead = s->gone;
	memcpy(s->gone, s->dead, sizeof(s->dead));
}

static bool runs(const struct soup *s, uint32_t triangle, uint32_t from, uint32_t to)
{
	const uint32_t *c = s->corners + 3 * (size_t)triangle;
	return (c[0] == from && c[1] == to) || (c[1] == from && c[2] == to) ||
	       (c[2] == from && c[0] == to);
}

/* ---- triangles that are there twice ---- */

/*
 * Returns how much more often the edge leads along than back, in triangles that live and in those
 * outside.
 */
static int sum_of(const struct soup *s, const bool *dead, uint32_t from, uint32_t to)
{
	int sum = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (!dead[i])
			sum += runs(s, i, from, to) - runs(s, i, to, from);
	for (uint32_t i = 0; i < s->patch.n_outer; i++) {
		const uint32_t *e = s->outer + (size_t)2 * i;
		sum -= (e[0] == from && e[1] == to) - (e[0] == to && e[1] == from);
	}
	return sum;
}

/*
 * Returns 1 where both triangles have the same places in the same direction, -1 in opposite
 * directions, else 0.
 */
static int alike(const struct soup *s, uint32_t i, uint32_t k)
{
	const uint32_t *c = s->corners + 3 * (size_t)i;
	int along = runs(s, k, c[0], c[1]) + runs(s, k, c[1], c[2]) + runs(s, k, c[2], c[0]);
	int back = runs(s, k, c[1], c[0]) + runs(s, k, c[2], c[1]) + runs(s, k, c[0], c[2]);
	return (along == 3) - (back == 3);
}

/*
 * Counts the triangles before `end` that are not dead and coincide with triangle i, in its
 * direction (`way` is 1) or in the opposite one (-1).
 */
static int count(const struct soup *s, const bool *dead, uint32_t i, int way, uint32_t end)
{
	int n = 0;
	for (uint32_t k = 0; k < end; k++)
		n += !dead[k] && alike(s, i, k) == way;
	return n;
}

/*
 * Removes coincident triangles in pairs of opposite direction, low numbers first. When all of them
 * would go, the last pair stays.
 */
static void cancel(const struct soup *s, bool *dead)
{
	bool before[MOST];
	memcpy(before, dead, sizeof(before));
	for (uint32_t i = 0; i < s->n; i++) {
		int same = count(s, before, i, 1, s->n), back = count(s, before, i, -1, s->n);
		int pairs = same == back ? same - 1 : same < back ? same : back;
		dead[i] = before[i] || count(s, before, i, 1, i) < pairs;
	}
}

static void places_of(const struct soup *s, uint32_t i, uint32_t ret[3])
{
	const uint32_t *c = s->corners + 3 * (size_t)i;
	uint32_t least = c[0], most = c[0];
	for (int k = 1; k < 3; k++) {
		least = c[k] < least ? c[k] : least;
		most = c[k] > most ? c[k] : most;
	}
	ret[0] = least;
	ret[1] = c[0] + c[1] + c[2] - least - most;
	ret[2] = most;
}

/* Returns whether triangle i has its turn before k: by places, then by number. */
static bool is_before(const struct soup *s, uint32_t i, uint32_t k)
{
	uint32_t a[3], b[3];
	places_of(s, i, a);
	places_of(s, k, b);
	for (int axis = 0; axis < 3; axis++)
		if (a[axis] != b[axis])
			return a[axis] < b[axis];
	return i < k;
}

/* Returns how much more often the edge leads along than back, in the triangles of a component. */
static int border_of(
	const struct soup *s, const uint32_t *component, uint32_t which, uint32_t from, uint32_t to)
{
	int border = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (component[i] == which)
			border += runs(s, i, from, to) - runs(s, i, to, from);
	return border;
}

/* Removes a component when each edge of its border leads to where more triangles have the edge. */
static void take(const struct soup *s, const uint32_t *component, uint32_t which, bool *dead)
{
	for (uint32_t e = 0; e < 3 * s->n; e++) {
		const uint32_t from = s->corners[e], to = s->corners[cs_next_edge(e)];
		const int border = border_of(s, component, which, from, to);
		if (component[e / 3] == which &&
			border * sum_of(s, dead, from, to) < border * border)
			return;
	}
	for (uint32_t i = 0; i < s->n; i++)
		dead[i] = dead[i] || component[i] == which;
}

/* Numbers the components of a layer: its triangles, joined across edges that are closed. */
static void number_components(
	const struct soup *s, const bool *dead, const int *layers, int layer, uint32_t *component)
{
	for (uint32_t i = 0; i < s->n; i++)
		component[i] = layers[i] == layer ? i : CS_NONE;
	for (bool again = true; again;) {
		again = false;
		for (uint32_t e = 0; e < 3 * s->n; e++)
			for (uint32_t i = 0; i < s->n; i++) {
				const uint32_t from = s->corners[e],
					       to = s->corners[cs_next_edge(e)];
				uint32_t *one = &component[e / 3], *other = &component[i];
				if (*one == CS_NONE || *other == CS_NONE || *one == *other ||
					(!runs(s, i, from, to) && !runs(s, i, to, from)) ||
					sum_of(s, dead, from, to) != 0)
					continue;
				*one = *other = is_before(s, *one, *other) ? *one : *other;
				again = true;
			}
	}
}

/*
 * Removes triangles that coincide with an earlier one of the same direction: the first copies of
 * all triangles, then the second ones, and so on, each component as a whole or not at all.
 */
static void thin_out(const struct soup *s, bool *dead)
{
	int layers[MOST];
	uint32_t component[MOST];
	for (uint32_t i = 0; i < s->n; i++)
		layers[i] = dead[i] ? 0 : count(s, dead, i, 1, i);
	for (int layer = 1; layer < MOST; layer++) {
		number_components(s, dead, layers, layer, component);
		for (;;) {
			uint32_t next = CS_NONE;
			for (uint32_t i = 0; i < s->n; i++)
				if (component[i] == i && (next == CS_NONE || is_before(s, i, next)))
					next = i;
			if (next == CS_NONE)
				break;
			take(s, component, next, dead);
			for (uint32_t i = 0; i < s->n; i++)
				component[i] = component[i] == next ? CS_NONE : component[i];
		}
	}
}

/* Returns whether every edge that was closed still is. */
static bool stays_closed(const struct soup *s)
{
	for (uint32_t e = 0; e < 3 * s->n; e++) {
		uint32_t from = s->corners[e], to = s->corners[cs_next_edge(e)];
		if (sum_of(s, s->dead, from, to) == 0 && sum_of(s, s->gone, from, to) != 0)
			return false;
	}
	return true;
}

/*
 * Returns whether the collapser knows which triangles live, and how many of them are around each
 * place.
 */
static bool is_counted(const struct soup *s, uint32_t n_gone)
{
	uint32_t valence[3 * PLACES] = {0}, alive = 0, were = 0;
	for (uint32_t e = 0; e < 3 * s->n; e++)
		valence[s->corners[e]] += !s->gone[e / 3];
	for (uint32_t i = 0; i < s->n; i++) {
		alive += !s->gone[i];
		were += !s->dead[i];
	}
	return alive == s->collapser.n_alive && were - alive == n_gone &&
	       memcmp(valence, s->valence, s->patch.n_places * sizeof(*valence)) == 0;
}

static void test_duplicates(void)
{
	static struct soup s;
	uint32_t n_same = 0, n_closed = 0, n_counted = 0, n_gone = 0, n_opened = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		bool want[MOST];
		make_soup(&s);
		memcpy(want, s.dead, sizeof(want));
		cancel(&s, want);
		uint32_t before = 0, after = 0;
		for (uint32_t i = 0; i < s.n; i++)
			before += want[i];
		thin_out(&s, want);
		for (uint32_t i = 0; i < s.n; i++)
			after += want[i];
		if (!cs_drop_duplicates(&s.collapser, &scratch))
			abort();
		n_same += memcmp(want, s.gone, s.n * sizeof(*want)) == 0;
		n_closed += stays_closed(&s);
		n_counted += is_counted(&s, s.collapser.n_duplicates);
		n_gone += s.collapser.n_duplicates;
		n_opened += after - before;
		cs_scratch_deinit(&scratch);
	}
	is_int(n_same, ROUNDS, "on each other: what goes is what counting anew takes away");
	is_int(n_closed, ROUNDS, "nothing that was closed is open then");
	is_int(n_counted, ROUNDS, "and the living are counted");
	ok(n_opened > 1000 && n_gone > 2 * n_opened, "%u go, %u of open edges", n_gone, n_opened);
}

/* ---- pieces ---- */

/*
 * Returns whether two triangles are joined by an edge: k is the first one that has an edge of i in
 * the opposite direction.
 */
static bool is_joined(const struct soup *s, uint32_t i, uint32_t k)
{
	for (uint32_t e = 0; e < 3; e++) {
		uint32_t first = 0, from = s->corners[3 * i + e];
		uint32_t to = s->corners[3 * i + (e + 1) % 3];
		while (first < s->n && (s->dead[first] || !runs(s, first, to, from)))
			first++;
		if (first == k)
			return true;
	}
	return false;
}

/* Stores for each triangle the first triangle of its piece. */
static void find_pieces(const struct soup *s, uint32_t *piece)
{
	for (uint32_t i = 0; i < s->n; i++)
		piece[i] = i;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < s->n; i++)
			for (uint32_t k = 0; k < s->n; k++)
				if (!s->dead[i] && !s->dead[k] && piece[i] != piece[k] &&
					(is_joined(s, i, k) || is_joined(s, k, i))) {
					piece[piece[i] > piece[k] ? i : k] =
						piece[i] > piece[k] ? piece[k] : piece[i];
					changed = true;
				}
	}
}

struct piece {
	double area;
	uint32_t size;
	bool stays; /* joined to the outside, or looked at already */
};

static double area_of(const struct soup *s, uint32_t i)
{
	double u[3], v[3];
	for (int k = 0; k < 3; k++) {
		u[k] = (double)s->at[s->corners[3 * i + 1]][k] -
		       (double)s->at[s->corners[3 * i]][k];
		v[k] = (double)s->at[s->corners[3 * i + 2]][k] -
		       (double)s->at[s->corners[3 * i]][k];
	}
	double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
	return hypot(hypot(x, y), u[0] * v[1] - u[1] * v[0]) / 2;
}

static void measure(const struct soup *s, const uint32_t *piece, struct piece *ret)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct piece *p = &ret[piece[i]];
		if (s->dead[i])
			continue;
		p->area += area_of(s, i);
		p->size++;
		for (uint32_t k = 0; k < s->patch.n_outer; k++)
			p->stays = p->stays || runs(s, i, s->outer[2 * k], s->outer[2 * k + 1]);
	}
}

/*
 * Drops the smallest piece that may go, again and again, until few enough triangles are left, but
 * never all.
 */
static void drop_pieces(const struct soup *s, bool *dead)
{
	uint32_t piece[MOST], left = s->collapser.n_alive;
	struct piece pieces[MOST] = {0};
	find_pieces(s, piece);
	measure(s, piece, pieces);
	for (;;) {
		uint32_t least = CS_NONE;
		for (uint32_t i = 0; i < s->n; i++)
			if (pieces[i].size && !pieces[i].stays &&
				(least == CS_NONE || pieces[i].area < pieces[least].area))
				least = i;
		if (least == CS_NONE || left <= s->target)
			return;
		pieces[least].stays = true;
		if (pieces[least].size == left)
			continue;
		left -= pieces[least].size;
		for (uint32_t i = 0; i < s->n; i++)
			dead[i] = dead[i] || piece[i] == least;
	}
}

/*
 * Returns whether the wanted number of triangles went, with the wanted area. Which of several
 * coincident pieces goes is left to chance.
 */
static bool is_as_much(const struct soup *s, const bool *want)
{
	double more = 0;
	int n_more = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		more += (s->gone[i] - want[i]) * area_of(s, i);
		n_more += s->gone[i] - want[i];
	}
	return n_more == 0 && fabs(more) < 1e-5;
}

/* Returns whether each piece is there as a whole or not at all. */
static bool is_whole(const struct soup *s)
{
	uint32_t piece[MOST];
	bool good = true;
	find_pieces(s, piece);
	for (uint32_t i = 0; i < s->n; i++)
		good = good && (s->dead[i] || s->gone[i] == s->gone[piece[i]]);
	return good;
}

static void test_pieces(void)
{
	static struct soup s;
	uint32_t n_same = 0, n_whole = 0, n_counted = 0, n_gone = 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct cs_scratch scratch = CS_SCRATCH_INIT;
		bool want[MOST];
		make_soup(&s);
		memcpy(want, s.dead, sizeof(want));
		drop_pieces(&s, want);
		if (!cs_drop_pieces(&s.collapser, s.target, &scratch))
			abort();
		n_same += is_as_much(&s, want);
		n_whole += is_whole(&s);
		n_counted += is_counted(&s, s.collapser.n_dropped);
		n_gone += s.collapser.n_dropped;
		cs_scratch_deinit(&scratch);
	}
	is_int(n_same, ROUNDS, "pieces: those that go are the smallest, as a search finds them");
	is_int(n_whole, ROUNDS, "all of each");
	is_int(n_counted, ROUNDS, "and the living are counted");
	ok(n_gone > 3 * ROUNDS, "%u triangles go with them", n_gone);
}

int main(void)
{
	test_duplicates();
	test_pieces();
	return done();
}
