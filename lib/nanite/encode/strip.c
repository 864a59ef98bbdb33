/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders the triangles of a cluster into strips that can be decoded with a window of 32 vertices.
 * To issue a vertex is to give it the next number in the output; a vertex is in the window while it
 * is one of the last 32 that were issued.
 *
 * Data model: half-edge 8t + k runs from corner k to corner k + 1 of triangle t. Arrays with an
 * item for each half-edge have two more items for each triangle, which repeat the first two, so
 * that the next half-edge is e + 1 and the previous one e + 2 for each e. twin[e] is the first
 * half-edge opposite to e, and same[f] is the next half-edge in the same direction as f (which
 * exists only where the mesh is not a manifold). twin and same are NO_EDGE where there is no such
 * half-edge. The values of a vertex that contribute to scores are fields of one word, so that the
 * words of three vertices are added at once. The fields for the window are set only while the start
 * of a strip is chosen, and only for the vertices of the window. The state of the strip is the
 * half-edge by which it entered the last triangle: it continues to the left over the next
 * half-edge, and to the right over the previous one.
 *
 * The algorithm is greedy. A strip continues as long as it can. Of two continuations the better
 * score wins, and a strip starts at the best of all triangles left in the current material range. A
 * vertex that is needed after it has left the window is issued again. A score depends on the
 * triangles and vertices that were output before, never on the numbers of triangles, and the first
 * triangle of the input wins a tie. So ordering the output again does not change the order. The
 * weights were found by a random search on clusters of scanned meshes, which minimised the bits of
 * the references and of the duplicated vertices together.
 */
#include "nanite/encode/strip.h"

#include "nanite/format/bits.h"

#include <string.h>

enum {
	/* the first half-edge of triangle t is STRIDE * t */
	STRIDE = 8,
	EDGES = STRIDE * (CS_CLUSTER_TRIANGLES + 1),
	/*
	 * no half-edge: the number of a half-edge of the triangle after the last one. Its two bytes
	 * are equal, so that memset can store it
	 */
	NO_EDGE = 0x0404,
	/* `number` of a vertex that the strip has not issued so far */
	NEVER = -CS_STRIP_CORNERS - CS_STRIP_WINDOW,
};
_Static_assert(NO_EDGE / STRIDE == CS_CLUSTER_TRIANGLES && NO_EDGE + 2 < EDGES, "NO_EDGE");

/* Terms of the score of a triangle that could come next in the strip. A lower score is better. */
enum {
	FOR_REFERENCE =
		-17, /* the next vertex is one of the last few issued, so a code refers to it */
	/* no other neighbour remains, so the triangle comes next or must start a new strip */
	ON_DEAD_END = -22,
	ON_LAST_USE = 4, /* for each vertex that no other remaining triangle uses */
	/* for each remaining triangle at the vertex of the last triangle that is left behind */
	FOR_LEFT_BEHIND = -4,
	/* for every four vertices issued since the vertex around which the strip turns */
	FOR_PIVOT_AGE = -6,
	/* for a start: no neighbour of the triangle remains, so the strip could not continue */
	START_ON_ISLAND = 10,
	/* for a start: one neighbour remains, so the triangle ends a chain of triangles */
	START_ON_END = -11,
	/* for a start: for every eight vertices issued after its oldest vertex in the window */
	START_FOR_AGE = -16,
	START_ON_LAST_USE = -13,
	/* for a start: for every two triangles at its vertices that are not yet in the strip */
	START_FOR_USES = 5,
	MOST_USES = 6, /* a vertex with more remaining triangles counts as having this many */
	/*
	 * Smallest possible score of a start that has no vertex in the window. An island whose
	 * three vertices have no other remaining triangle has this score. Other starts get the term
	 * START_ON_LAST_USE less often and the term START_FOR_USES more often.
	 */
	LEAST_FROM_AFAR = 3 * START_ON_LAST_USE + START_FOR_USES + START_ON_ISLAND,
};

/*
 * Fields of the word that work.words has for a vertex. USES_MASK: number of the vertex's triangles
 * that are not yet in the strip, at most MOST_USES. ON_LAST: 1 if there is exactly one such
 * triangle. AGES: one bit for every eight vertices that were issued after the vertex. START_SCORE:
 * the part that the vertex has in the score of a triangle with which a strip could start. Scoring
 * adds the words of three vertices, and no field then overflows into the next one.
 */
enum {
	USES_MASK = 0xff,
	ON_LAST = 8,
	AGES = 11,
	AGES_MASK = 15,
	START_SCORE = 16,
	COUNT_MASK = 3,
};

struct triangles {
	uint64_t bits[2];
};

struct work {
	const struct cs_strip_input *input;
	struct cs_strip *strip;
	uint16_t tail[EDGES]; /* for each half-edge, the vertex at its start */
	uint16_t twin[EDGES], same[EDGES];
	/* number in the output of each input vertex, the last if it was issued again, or NEVER */
	int16_t number[CS_STRIP_CORNERS];
	/* for each vertex, the number of its triangles not yet in the strip */
	uint8_t waiting[CS_STRIP_CORNERS];
	/* for each vertex, a word of the bit fields USES_MASK, ON_LAST, AGES and START_SCORE */
	uint32_t words[CS_STRIP_CORNERS];
	/* for each triangle, the number of neighbouring triangles that are not yet in the strip */
	uint8_t neighbours[CS_CLUSTER_TRIANGLES + 1];
	/* for each triangle, 1 if it is in the current material range and not yet in the strip */
	uint8_t open[CS_CLUSTER_TRIANGLES + 1];
	/* for each vertex, the triangles that have a corner at it */
	struct triangles of[CS_STRIP_CORNERS];
	/* triangles not yet in the strip, and triangles of the current material range */
	struct triangles left, range;
	int issued;
	/* for each reference so far, the number of vertices issued after its vertex */
	uint8_t codes[CS_STRIP_CORNERS + 1];
};

static bool is_left(const struct work *work, unsigned triangle)
{
	return work->left.bits[triangle / 64] >> triangle % 64 & 1;
}

/* ---- adjacency of triangles ---- */

enum { TABLE_VERTICES = 256 };

/*
 * Sets the member `twin`, using a table of all pairs of vertices. Returns false if two half-edges
 * run in the same direction between the same vertices, or if the cluster has too many vertices for
 * the table. The member is then unusable.
 */
static bool link_by_table(struct work *work)
{
	uint16_t table[TABLE_VERTICES * TABLE_VERTICES];
	const unsigned n = work->input->n_vertices, end = work->input->n_triangles * STRIDE;
	bool alike = false;
	if (n > TABLE_VERTICES)
		return false;
	memset(table, NO_EDGE & 0xff, (size_t)n * n * sizeof(table[0]));
	for (unsigned first = 0; first < end; first += STRIDE)
		for (unsigned e = first; e < first + 3; e++) {
			uint16_t *at = &table[work->tail[e] * n + work->tail[e + 1]];
			alike |= *at != NO_EDGE;
			*at = (uint16_t)e;
		}
	for (unsigned first = 0; first < end; first += STRIDE) {
		const uint16_t *v = work->tail + first;
		uint16_t *twin = work->twin + first;
		twin[0] = twin[3] = table[v[1] * n + v[0]];
		twin[1] = twin[4] = table[v[2] * n + v[1]];
		twin[2] = table[v[0] * n + v[2]];
		work->neighbours[first / STRIDE] =
			(uint8_t)((twin[0] != NO_EDGE) + (twin[1] != NO_EDGE) +
				  (twin[2] != NO_EDGE));
	}
	return !alike;
}

/* Returns the first half-edge that ends at `to` in the list from half-edge e, or NO_EDGE. */
static unsigned find_to(const struct work *work, const uint16_t *next, unsigned e, unsigned to)
{
	while (e != NO_EDGE && work->tail[e + 1] != to)
		e = next[e];
	return e;
}

/* Sets twin[] and same[] (see the top) with lists of the half-edges that start at a vertex. */
static void link_by_lists(struct work *work)
{
	uint16_t first_from[CS_STRIP_CORNERS], next[EDGES];
	const unsigned end = work->input->n_triangles * STRIDE;
	memset(first_from, NO_EDGE & 0xff, sizeof(first_from));
	for (unsigned first = end; first > 0;) {
		first -= STRIDE;
		for (unsigned e = first + 3; e-- > first;) {
			uint16_t *head = &first_from[work->tail[e]];
			next[e] = *head;
			*head = (uint16_t)e;
		}
	}
	memset(work->neighbours, 0, sizeof(work->neighbours));
	for (unsigned first = 0; first < end; first += STRIDE) {
		uint16_t *twin = work->twin + first;
		for (unsigned e = first; e < first + 3; e++) {
			const unsigned from = work->tail[e], to = work->tail[e + 1];
			work->same[e] = (uint16_t)find_to(work, next, next[e], to);
			work->twin[e] = (uint16_t)find_to(work, next, first_from[to], from);
			for (unsigned f = work->twin[e]; f != NO_EDGE;
				f = find_to(work, next, next[f], from))
				work->neighbours[first / STRIDE]++;
		}
		twin[3] = twin[0];
		twin[4] = twin[1];
	}
}

static unsigned count_left_across(const struct work *work, unsigned edge)
{
	unsigned n = 0;
	for (unsigned f = work->twin[edge]; f != NO_EDGE; f = work->same[f])
		n += is_left(work, f / STRIDE);
	return n;
}

static inline uint32_t word_of(unsigned waiting)
{
	static const uint32_t words[MOST_USES + 1] = {0,
		1 | 1 << ON_LAST | (uint32_t)START_ON_LAST_USE << START_SCORE, 2, 3, 4, 5,
		MOST_USES};
	return words[waiting < MOST_USES ? waiting : MOST_USES];
}

static struct triangles triangles_below(unsigned n)
{
	const uint64_t all = UINT64_MAX;
	return (struct triangles){{n >= 64 ? all : ~(all << n), n >= 128 ? all
								: n > 64 ? ~(all << (n - 64))
									 : 0}};
}

static void begin(struct work *work, const struct cs_strip_input *input, struct cs_strip *strip)
{
	const unsigned n = input->n_triangles;
	work->input = input;
	work->strip = strip;
	work->issued = 0;
	memset(work->waiting, 0, input->n_vertices);
	memset(work->same, NO_EDGE & 0xff, sizeof(work->same));
	memset(work->open, 0, sizeof(work->open));
	memset(work->of, 0, input->n_vertices * sizeof(work->of[0]));
	work->left = triangles_below(n);
	for (unsigned t = 0; t < n; t++) {
		const uint16_t *from = input->corners[t];
		uint16_t *to = work->tail + STRIDE * (size_t)t;
		to[0] = to[3] = from[0];
		to[1] = to[4] = from[1];
		to[2] = from[2];
		for (unsigned k = 0; k < 3; k++) {
			work->waiting[from[k]]++;
			work->of[from[k]].bits[t / 64] |= (uint64_t)1 << t % 64;
		}
	}
	memset(work->tail + NO_EDGE, 0, 3 * sizeof(work->tail[0]));
	for (unsigned v = 0; v < input->n_vertices; v++) {
		work->number[v] = NEVER;
		work->words[v] = word_of(work->waiting[v]);
	}
	if (!link_by_table(work))
		link_by_lists(work);
}

static void enter_range(struct work *work, unsigned first, unsigned end)
{
	const struct triangles before = triangles_below(first), all = triangles_below(end);
	for (unsigned half = 0; half < 2; half++)
		work->range.bits[half] = all.bits[half] & ~before.bits[half];
	memset(work->open + first, 1, end - first);
}

/* ---- choosing the next triangle ---- */

/* Returns whether a vertex will be in the window after `more` more vertices were issued. */
static bool in_window(const struct work *work, unsigned vertex, int more)
{
	return work->number[vertex] >= work->issued + more - CS_STRIP_WINDOW;
}

/*
 * A continuation of the strip as one number: the score in the bits from TRIANGLE_BITS on, the
 * triangle below. The smallest number has the best score and, at equal scores, the first triangle.
 */
enum { TRIANGLE_BITS = 8, NO_WAY = INT32_MAX };

struct choice {
	int way;
	unsigned edge; /* half-edge by which the triangle is entered */
	bool left;
};

/* Returns a if `first` is set, else b. It uses a mask, because a branch would be mispredicted. */
static inline int pick(bool first, int a, int b)
{
	return b ^ ((a ^ b) & (0 - (int)first));
}

/*
 * Returns the continuation of the strip into the triangle of half-edge f, encoded as in choice.way.
 * Returns NO_WAY when the triangle is not open (work.open), or when a vertex that it shares with
 * the strip has left the window. `left_behind` is one term of the score.
 */
static inline int way_into(const struct work *work, unsigned f, bool left, int left_behind)
{
	const uint16_t *v = work->tail + f;
	const unsigned t = f / STRIDE;
	const int begin = work->number[v[0]], end = work->number[v[1]];
	const bool reference = in_window(work, v[2], 0);
	/* Conditions are computed as numbers, so that there is no branch. */
	const int oldest = work->issued - CS_STRIP_WINDOW + !reference;
	const unsigned reached =
		(unsigned)(begin >= oldest) & (unsigned)(end >= oldest) & work->open[t];
	const uint32_t words = work->words[v[0]] + work->words[v[1]] + work->words[v[2]];
	/* the strip turns left around the end of f, or right around the start of f */
	const int pivot = left ? end : begin;
	int score = left_behind + ON_LAST_USE * (int)(words >> ON_LAST & COUNT_MASK) +
		    pick(reference, FOR_REFERENCE, 0) +
		    pick(work->neighbours[t] == 0, ON_DEAD_END, 0) +
		    FOR_PIVOT_AGE * (int)((unsigned)(work->issued - pivot) / 4);
	return pick(reached, score * (1 << TRIANGLE_BITS) + (int)t, NO_WAY);
}

/*
 * Replaces *best if a continuation of the strip across half-edge `edge` is better. `given_up` is
 * the vertex of the last triangle that is not on this edge, so the next triangle does not share it.
 */
static inline void consider_edge(
	const struct work *work, unsigned edge, unsigned given_up, bool left, struct choice *best)
{
	const int left_behind = FOR_LEFT_BEHIND * (int)(work->words[given_up] & USES_MASK);
	unsigned f = work->twin[edge];
	do {
		int way = way_into(work, f, left, left_behind);
		bool better = way < best->way;
		best->edge = (unsigned)pick(better, (int)f, (int)best->edge);
		best->left = (best->left & !better) | (left & better);
		best->way = pick(better, way, best->way);
		f = work->same[f];
	} while (f != NO_EDGE);
}

/*
 * Returns the score of a triangle as the start of a strip. Adds the words of its three vertices,
 * which adds all their bit fields at once. Only the fields AGES are combined with OR instead.
 */
static inline int score_start(const struct work *work, unsigned triangle)
{
	static const int8_t by_neighbours[] = {START_ON_ISLAND, START_ON_END, 0};
	/* the index is the OR of three fields AGES, which equals the field of the oldest vertex */
	static const int8_t by_ages[AGES_MASK + 1] = {[1] = START_FOR_AGE,
		[3] = 2 * START_FOR_AGE,
		[7] = 3 * START_FOR_AGE,
		[15] = 4 * START_FOR_AGE};
	const uint16_t *v = work->tail + STRIDE * (size_t)triangle;
	const uint32_t a = work->words[v[0]], b = work->words[v[1]], c = work->words[v[2]];
	const uint32_t sum = a + b + c, neighbours = work->neighbours[triangle];
	return ((int32_t)sum >> START_SCORE) + by_ages[(a | b | c) >> AGES & AGES_MASK] +
	       START_FOR_USES * (int)((sum & USES_MASK) / 2) +
	       by_neighbours[neighbours < 2 ? neighbours : 2];
}

#define NOTED(age) \
	((((UINT32_C(1) << (age)) - 1) << AGES) + ((uint32_t)FOR_REFERENCE << START_SCORE))

/*
 * Sets, or clears if `present` is false, the fields AGES and START_SCORE of the vertices in the
 * window (the last CS_STRIP_WINDOW vertices of the strip). Returns the triangles that have a corner
 * in the window.
 */
static struct triangles note_window(struct work *work, bool present)
{
	static const uint32_t by_age[CS_STRIP_WINDOW + 1] = {[1 ... 7] = NOTED(0),
		[8 ... 15] = NOTED(1),
		[16 ... 23] = NOTED(2),
		[24 ... 31] = NOTED(3),
		[32] = NOTED(4)};
	const int first = work->issued > CS_STRIP_WINDOW ? work->issued - CS_STRIP_WINDOW : 0;
	struct triangles around = {{0, 0}};
	for (int i = first; i < work->issued; i++) {
		const unsigned vertex = work->strip->vertices[i];
		const uint32_t noted = by_age[work->issued - i];
		work->words[vertex] += present ? noted : 0 - noted;
		around.bits[0] |= work->of[vertex].bits[0];
		around.bits[1] |= work->of[vertex].bits[1];
	}
	return around;
}

/* Returns the triangle with the lowest start score as in choice.way, NO_WAY for an empty set. */
static int best_start(const struct work *work, const struct triangles *set)
{
	int best = NO_WAY;
	for (unsigned half = 0; half < 2; half++)
		for (uint64_t left = set->bits[half]; left; left &= left - 1) {
			unsigned t = half * 64 + (unsigned)__builtin_ctzll(left);
			int way = score_start(work, t) * (1 << TRIANGLE_BITS) + (int)t;
			best = way < best ? way : best;
		}
	return best;
}

static unsigned choose_start(struct work *work)
{
	struct triangles near = note_window(work, true), far;
	for (unsigned half = 0; half < 2; half++) {
		const uint64_t open = work->left.bits[half] & work->range.bits[half];
		far.bits[half] = open & ~near.bits[half];
		near.bits[half] &= open;
	}
	int best = best_start(work, &near);
	if (best >= LEAST_FROM_AFAR * (1 << TRIANGLE_BITS)) {
		int other = best_start(work, &far);
		best = other < best ? other : best;
	}
	note_window(work, false);
	return (unsigned)best & ((1u << TRIANGLE_BITS) - 1);
}

/* ---- writing the strip ---- */

static inline void set_mask(
	struct work *work, unsigned place, enum cs_strip_mask kind, uint32_t bit)
{
	work->strip->masks[place / CS_STRIP_GROUP][kind] |= bit << place % CS_STRIP_GROUP;
}

/*
 * Returns the number of a vertex in the output. With `reference` this is the number that it got
 * when it was last issued, otherwise the next new number. Also stores the code that the vertex has
 * if it is a reference (work.codes), relative to `issued`. There is no branch, because both cases
 * are equally likely.
 */
static inline uint16_t number_of(struct work *work, unsigned vertex, bool reference, int issued)
{
	const int before = work->number[vertex], number = pick(reference, before, work->issued);
	work->codes[work->strip->n_references] = (uint8_t)(issued - 1 - before);
	work->strip->n_references += reference;
	work->strip->n_duplicates += !reference & (before != NEVER);
	work->strip->vertices[work->issued] = (uint16_t)vertex;
	work->issued += !reference;
	work->number[vertex] = (int16_t)number;
	return (uint16_t)number;
}

static inline void finish_edge(struct work *work, unsigned e)
{
	const unsigned vertex = work->tail[e];
	unsigned f = work->twin[e];
	work->words[vertex] = word_of(--work->waiting[vertex]);
	do {
		work->neighbours[f / STRIDE]--;
		f = work->same[f];
	} while (f != NO_EDGE);
}

static void finish_triangle(struct work *work, unsigned triangle, unsigned place)
{
	const unsigned first = triangle * STRIDE;
	work->strip->order[place] = (uint8_t)triangle;
	work->left.bits[triangle / 64] &= ~((uint64_t)1 << triangle % 64);
	work->open[triangle] = 0;
	finish_edge(work, first);
	finish_edge(work, first + 1);
	finish_edge(work, first + 2);
}

static void write_step(struct work *work, const struct choice *choice, unsigned place)
{
	uint16_t *corners = work->strip->corners[place];
	const uint16_t *v = work->tail + choice->edge;
	const unsigned third = v[2];
	const bool reference = in_window(work, third, 0), left = choice->left;
	uint16_t a = (uint16_t)work->number[v[0]];
	uint16_t b = (uint16_t)work->number[v[1]];
	uint16_t n = number_of(work, third, reference, work->issued);
	set_mask(work, place, CS_STRIP_REFERENCE, reference);
	set_mask(work, place, CS_STRIP_LEFT, left);
	corners[0] = left ? b : a;
	corners[1] = left ? n : b;
	corners[2] = left ? a : n;
}

/*
 * Counts the corners of the first triangle of a strip whose vertices must be issued, and marks them
 * in is_new. Issuing a vertex may push another corner out of the window, so the test is repeated
 * until nothing changes.
 */
static int count_new(const struct work *work, const uint16_t corners[3], bool is_new[3])
{
	int n = 0, before;
	do {
		before = n;
		n = 0;
		for (unsigned k = 0; k < 3; k++)
			n += is_new[k] = !in_window(work, corners[k], before);
	} while (n != before);
	return n;
}

/*
 * Returns the half-edge that comes first in a triangle with which a strip starts: corners that are
 * references come before new ones. If all three corners are of one kind, chooses the half-edge
 * across which the fewest triangles remain, because the strip cannot continue across it.
 */
static unsigned choose_rotation(
	const struct work *work, unsigned triangle, const bool is_new[3], int n_new)
{
	const unsigned begin = triangle * STRIDE;
	unsigned best = begin, fewest = UINT32_MAX;
	int smallest = 0;
	for (unsigned k = 0; k < 3; k++) {
		const unsigned e = begin + k;
		if (n_new == 1 || n_new == 2) {
			if (is_new[(k + 2) % 3] && !is_new[k])
				return e;
			continue;
		}
		unsigned across = count_left_across(work, e);
		int number = n_new ? 0 : work->number[work->tail[e]];
		if (across < fewest || (across == fewest && number < smallest)) {
			best = e;
			fewest = across;
			smallest = number;
		}
	}
	return best;
}

static unsigned write_start(struct work *work, unsigned triangle, unsigned place)
{
	bool is_new[3];
	int n_new = count_new(work, work->input->corners[triangle], is_new);
	unsigned n_references = 3 - (unsigned)n_new;
	const unsigned first = choose_rotation(work, triangle, is_new, n_new);
	const int issued = work->issued;
	for (unsigned k = 0; k < 3; k++)
		work->strip->corners[place][k] = number_of(
			work, work->tail[first + k], !is_new[(first + k) % STRIDE % 3], issued);
	set_mask(work, place, CS_STRIP_START, 1);
	set_mask(work, place, CS_STRIP_LEFT, n_references >> 1);
	set_mask(work, place, CS_STRIP_REFERENCE, n_references & 1);
	work->strip->n_starts++;
	return first;
}

/* If `place` is 32, 64 or 96, stores counts of references and new vertices before that triangle. */
static void note_group(struct work *work, unsigned place)
{
	unsigned group = place / CS_STRIP_GROUP;
	if (group == 0)
		return;
	unsigned shift = (group - 1) * CS_PREVIOUS_BITS;
	work->strip->previous_references |= work->strip->n_references << shift;
	work->strip->previous_new |= (uint32_t)work->issued << shift;
}

void cs_strip_build(const struct cs_strip_input *input, struct cs_strip *strip)
{
	struct work work;
	memset(strip, 0, sizeof(*strip));
	begin(&work, input, strip);
	unsigned range = 0, entered = NO_EDGE;
	enter_range(&work, 0, input->range_ends[0]);
	for (unsigned place = 0; place < input->n_triangles; place++) {
		if (place && place == input->range_ends[range]) {
			enter_range(&work, place, input->range_ends[range + 1]);
			range++;
		}
		struct choice best = {NO_WAY, NO_EDGE, false};
		if (place % CS_STRIP_GROUP == 0) {
			note_group(&work, place);
		} else {
			const uint16_t *v = work.tail + entered;
			consider_edge(&work, entered + 2, v[1], false, &best);
			consider_edge(&work, entered + 1, v[0], true, &best);
		}
		if (best.way != NO_WAY) {
			write_step(&work, &best, place);
			entered = best.edge;
		} else {
			entered = write_start(&work, choose_start(&work), place);
		}
		finish_triangle(&work, entered / STRIDE, place);
	}
	struct cs_bit_writer codes = {.bytes = strip->codes};
	for (unsigned i = 0; i < strip->n_references; i++)
		cs_bits_put(&codes, work.codes[i], CS_STRIP_CODE_BITS);
	cs_bits_flush(&codes);
	strip->n_code_bytes = (unsigned)codes.size;
	strip->n_vertices = (unsigned)work.issued;
}
