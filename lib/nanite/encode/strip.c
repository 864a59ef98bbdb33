/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: ordering the triangles of a cluster into strips that a window of 32 vertices can decode.
 *
 * Data model: half-edge 4t + k runs from corner k to corner k + 1 of triangle t. twin[e] is the
 * first half-edge against e, same[f] the next one that runs as f does (more than one only where the
 * mesh is not a manifold). What scores ask of a vertex is kept by vertex, packed so that three of
 * them are added at once: uses[v] changes with the triangles that wait for it, window[v] is there
 * only while a start is chosen, for the vertices of the window alone. The state of the strip is the
 * half-edge it entered the last triangle by: it goes on to the left over the edge after it, to the
 * right over the edge before it.
 *
 * Algorithm: greedy. A strip goes on as long as it can; among two ways the better score wins,
 * among starts the best of all triangles left in the range. A vertex that fell out of the window is
 * issued again. Scores look at the history alone, never at the numbers of triangles, and ties go to
 * the first triangle of the input: so the output, given as input, comes out the same. The weights
 * were found by a random search on clusters of scanned meshes, for the bits of the references and
 * of the duplicated vertices together.
 */
#include "nanite/encode/strip.h"

#include "base/slots.h"
#include "nanite/format/bits.h"

enum {
	EDGES = 4 * CS_CLUSTER_TRIANGLES,
	NO_EDGE = 0xffff,
	SLOT_BITS = 11, /* of the table of edges */
	SLOTS = 1 << SLOT_BITS,
	NEVER = -CS_STRIP_CORNERS - CS_STRIP_WINDOW, /* number of a vertex not yet issued */
};

/* Lower is better. */
enum {
	FOR_REFERENCE = -17,  /* each vertex that is in the window */
	ON_DEAD_END = -22,    /* nothing could follow: left over it would be a start of its own */
	ON_LAST_USE = 4,      /* a vertex that no other triangle waits for */
	FOR_LEFT_BEHIND = -4, /* each triangle that waits for the pivot that is given up */
	FOR_PIVOT_AGE = -6,   /* each four vertices that were issued since the pivot */
	START_ON_ISLAND = 10, /* nothing would follow it */
	START_ON_END = -11,   /* one way to go alone: the end of a strip */
	START_FOR_AGE = -16,  /* each eight vertices since its oldest one in the window */
	START_ON_LAST_USE = -13,
	START_FOR_USES = 5, /* each two triangles that wait for its vertices */
	MOST_USES = 6,      /* that count */
};

/* Above the uses of a vertex, and above its age: one for each that is counted. */
enum { COUNT_BITS = 8, COUNT_ONE = 1 << COUNT_BITS, COUNT_REST = COUNT_ONE - 1 };

struct work {
	const struct cs_strip_input *input;
	struct cs_strip *strip;
	uint16_t tail[EDGES]; /* the vertex that a half-edge leaves */
	uint16_t twin[EDGES], same[EDGES];
	int16_t number[CS_STRIP_CORNERS];         /* by vertex: as it was issued last */
	uint8_t waiting[CS_STRIP_CORNERS];        /* by vertex: triangles left */
	uint16_t uses[CS_STRIP_CORNERS];          /* by vertex: those that count, last ones above */
	uint16_t window[CS_STRIP_CORNERS];        /* by vertex: age, those in the window above */
	uint8_t neighbours[CS_CLUSTER_TRIANGLES]; /* triangles left across its edges */
	uint64_t left[2];                         /* bit t: triangle t is left */
	unsigned first, end;                      /* the range */
	int issued;
	uint8_t codes[CS_STRIP_CORNERS + 1]; /* of the references */
};

/* Corners 0, 1, 2 become 1, 2, 0. */
static inline unsigned next_edge(unsigned edge)
{
	return (edge & ~3u) | (0x09u >> 2 * (edge & 3) & 3);
}

/* Corners 0, 1, 2 become 2, 0, 1. */
static inline unsigned previous_edge(unsigned edge)
{
	return (edge & ~3u) | (0x12u >> 2 * (edge & 3) & 3);
}

static bool is_left(const struct work *work, unsigned triangle)
{
	return work->left[triangle / 64] >> triangle % 64 & 1;
}

/* ---- adjacency ---- */

/* The half-edges between two vertices: the last one that runs up, the last one that runs down. */
struct edges {
	uint32_t keys[SLOTS]; /* 0 = free */
	uint16_t heads[SLOTS][2];
};

#if defined(__clang__)
__attribute__((no_sanitize("unsigned-integer-overflow")))
#endif
static inline unsigned
find_edge(struct edges *edges, unsigned low, unsigned high)
{
	/* never 0, as slots are that are taken */
	const uint32_t key = ((uint32_t)high << 16 | low) + 1;
	const uint32_t hash = key * UINT32_C(0x9e3779b1) >> (32 - SLOT_BITS);
	uint32_t *slot = cs_probe(edges->keys, SLOTS - 1, hash, row, row == key - 1);
	const unsigned at = (unsigned)(slot - edges->keys);
	if (!edges->keys[at]) {
		edges->keys[at] = key;
		edges->heads[at][0] = edges->heads[at][1] = NO_EDGE;
	}
	return at;
}

static void link_edges(struct work *work)
{
	struct edges edges;
	uint16_t slots[EDGES];
	memset(edges.keys, 0, sizeof(edges.keys));
	for (unsigned t = work->input->n_triangles; t-- > 0;)
		for (unsigned e = 4 * t + 3; e-- > 4 * t;) {
			unsigned from = work->tail[e], to = work->tail[next_edge(e)];
			unsigned down = to < from, low = down ? to : from;
			unsigned at = find_edge(&edges, low, from + to - low);
			work->same[e] = edges.heads[at][down];
			edges.heads[at][down] = (uint16_t)e;
			slots[e] = (uint16_t)(2 * at + 1 - down);
		}
	for (unsigned t = 0; t < work->input->n_triangles; t++)
		for (unsigned e = 4 * t; e < 4 * t + 3; e++)
			work->twin[e] = edges.heads[slots[e] / 2][slots[e] % 2];
}

static unsigned count_left_across(const struct work *work, unsigned edge)
{
	unsigned n = 0;
	for (unsigned f = work->twin[edge]; f != NO_EDGE; f = work->same[f])
		n += is_left(work, f / 4);
	return n;
}

static inline uint16_t uses_of(unsigned waiting)
{
	return (uint16_t)(waiting == 1 ? COUNT_ONE + 1 : waiting < MOST_USES ? waiting : MOST_USES);
}

static void begin(struct work *work, const struct cs_strip_input *input, struct cs_strip *strip)
{
	const unsigned n = input->n_triangles;
	work->input = input;
	work->strip = strip;
	work->issued = 0;
	memset(work->waiting, 0, input->n_vertices);
	memset(work->window, 0, input->n_vertices * sizeof(work->window[0]));
	for (unsigned half = 0; half < 2; half++)
		work->left[half] = n >= 64 * (half + 1) ? UINT64_MAX
				   : n > 64 * half      ? ((uint64_t)1 << n % 64) - 1
							: 0;
	for (unsigned t = 0; t < n; t++)
		for (unsigned k = 0; k < 3; k++) {
			work->tail[4 * t + k] = input->corners[t][k];
			work->waiting[input->corners[t][k]]++;
		}
	link_edges(work);
	for (unsigned v = 0; v < input->n_vertices; v++) {
		work->number[v] = NEVER;
		work->uses[v] = uses_of(work->waiting[v]);
	}
	for (unsigned t = 0; t < n; t++)
		work->neighbours[t] = (uint8_t)(count_left_across(work, t * 4) +
						count_left_across(work, t * 4 + 1) +
						count_left_across(work, t * 4 + 2));
}

/* ---- choosing ---- */

/* Still in the window when `more` vertices are issued with it. */
static bool in_window(const struct work *work, unsigned vertex, int more)
{
	return work->number[vertex] >= work->issued + more - CS_STRIP_WINDOW;
}

/* Of three vertices at once. */
static inline unsigned all_uses(const struct work *work, unsigned triangle)
{
	const uint16_t *v = work->tail + 4 * (size_t)triangle;
	return (unsigned)work->uses[v[0]] + work->uses[v[1]] + work->uses[v[2]];
}

/*
 * A way that the strip can go, as one number: the score above the triangle, so that the lower one
 * is the better one, and ties go to the first triangle.
 */
enum { TRIANGLE_BITS = 8, NO_WAY = INT32_MAX };

struct choice {
	int way;
	unsigned edge; /* that the triangle is entered by */
	bool left;
};

static inline bool can_enter(const struct work *work, unsigned triangle)
{
	return is_left(work, triangle) & (triangle >= work->first) & (triangle < work->end);
}

/* Going on into half-edge f around `pivot`; no way when the window does not reach. */
static inline int way_into(const struct work *work, unsigned f, unsigned pivot, int left_behind)
{
	const unsigned t = f / 4;
	const bool reference = in_window(work, work->tail[previous_edge(f)], 0);
	/* numbers, not truths: nothing to guess */
	const unsigned reached = (unsigned)in_window(work, work->tail[f], !reference) &
				 (unsigned)in_window(work, work->tail[next_edge(f)], !reference) &
				 (unsigned)can_enter(work, t);
	int score = left_behind + ON_LAST_USE * (int)(all_uses(work, t) >> COUNT_BITS) +
		    FOR_REFERENCE * reference + ON_DEAD_END * (work->neighbours[t] == 0) +
		    FOR_PIVOT_AGE * ((work->issued - work->number[pivot]) / 4);
	return reached ? score * (1 << TRIANGLE_BITS) + (int)t : NO_WAY;
}

static inline void consider_edge(
	const struct work *work, unsigned edge, bool left, struct choice *best)
{
	const int left_behind =
		FOR_LEFT_BEHIND * (work->uses[work->tail[previous_edge(edge)]] & COUNT_REST);
	for (unsigned f = work->twin[edge]; f != NO_EDGE; f = work->same[f]) {
		/* to the right the pivot is where f begins, to the left where it ends */
		unsigned pivot = work->tail[left ? next_edge(f) : f];
		int way = way_into(work, f, pivot, left_behind);
		bool better = way < best->way;
		best->edge = better ? f : best->edge;
		best->left = better ? left : best->left;
		best->way = better ? way : best->way;
	}
}

static inline int score_start(const struct work *work, unsigned triangle)
{
	static const int by_neighbours[] = {START_ON_ISLAND, START_ON_END, 0};
	const uint16_t *v = work->tail + 4 * (size_t)triangle;
	unsigned a = work->window[v[0]], b = work->window[v[1]], c = work->window[v[2]];
	unsigned most = a > b ? a : b, oldest = (most > c ? most : c) & COUNT_REST;
	unsigned uses = all_uses(work, triangle), neighbours = work->neighbours[triangle];
	return START_ON_LAST_USE * (int)(uses >> COUNT_BITS) +
	       FOR_REFERENCE * (int)((a + b + c) >> COUNT_BITS) +
	       START_FOR_AGE * (int)(oldest / 8) + START_FOR_USES * (int)((uses & COUNT_REST) / 2) +
	       by_neighbours[neighbours < 2 ? neighbours : 2];
}

/* Of the vertices of the window, or nothing again. */
static void note_ages(struct work *work, bool present)
{
	int first = work->issued > CS_STRIP_WINDOW ? work->issued - CS_STRIP_WINDOW : 0;
	for (int i = first; i < work->issued; i++) {
		unsigned vertex = work->strip->vertices[i];
		int age = work->issued - work->number[vertex];
		work->window[vertex] = (uint16_t)(present ? COUNT_ONE + age : 0);
	}
}

static unsigned choose_start(struct work *work)
{
	int best = NO_WAY;
	note_ages(work, true);
	for (unsigned half = work->first / 64; half <= (work->end - 1) / 64; half++) {
		for (uint64_t left = work->left[half]; left; left &= left - 1) {
			unsigned t = half * 64 + (unsigned)__builtin_ctzll(left);
			if (t < work->first || t >= work->end)
				continue;
			int way = score_start(work, t) * (1 << TRIANGLE_BITS) + (int)t;
			best = way < best ? way : best;
		}
	}
	note_ages(work, false);
	return (unsigned)best & ((1u << TRIANGLE_BITS) - 1);
}

/* ---- writing ---- */

static inline void set_mask(
	struct work *work, unsigned place, enum cs_strip_mask kind, uint32_t bit)
{
	work->strip->masks[place / CS_STRIP_GROUP][kind] |= bit << place % CS_STRIP_GROUP;
}

/* The number of a vertex that is in the window, or that is issued now; codes count from `issued`.
 * Without a jump, since one is as likely as the other. */
static inline uint16_t number_of(struct work *work, unsigned vertex, bool reference, int issued)
{
	const int before = work->number[vertex], number = reference ? before : work->issued;
	work->codes[work->strip->n_references] = (uint8_t)(issued - 1 - before);
	work->strip->n_references += reference;
	work->strip->n_duplicates += !reference & (before != NEVER);
	work->strip->vertices[work->issued] = (uint16_t)vertex;
	work->issued += !reference;
	work->number[vertex] = (int16_t)number;
	return (uint16_t)number;
}

static void finish_triangle(struct work *work, unsigned triangle, unsigned place)
{
	work->strip->order[place] = (uint8_t)triangle;
	work->left[triangle / 64] &= ~((uint64_t)1 << triangle % 64);
	for (unsigned e = triangle * 4; e < triangle * 4 + 3; e++) {
		unsigned vertex = work->tail[e];
		work->uses[vertex] = uses_of(--work->waiting[vertex]);
		for (unsigned f = work->twin[e]; f != NO_EDGE; f = work->same[f])
			work->neighbours[f / 4]--;
	}
}

static void write_step(struct work *work, const struct choice *choice, unsigned place)
{
	uint16_t *corners = work->strip->corners[place];
	unsigned f = choice->edge, third = work->tail[previous_edge(f)];
	const bool reference = in_window(work, third, 0), left = choice->left;
	uint16_t a = (uint16_t)work->number[work->tail[f]];
	uint16_t b = (uint16_t)work->number[work->tail[next_edge(f)]];
	uint16_t n = number_of(work, third, reference, work->issued);
	set_mask(work, place, CS_STRIP_REFERENCE, reference);
	set_mask(work, place, CS_STRIP_LEFT, left);
	corners[0] = left ? b : a;
	corners[1] = left ? n : b;
	corners[2] = left ? a : n;
}

/* How many corners a start must issue, and which: issuing pushes others out of the window. */
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
 * The half-edge to begin with: references come first, and where that leaves a choice the strip
 * must not want to leave over it.
 */
static unsigned choose_rotation(
	const struct work *work, unsigned triangle, const bool is_new[3], int n_new)
{
	unsigned best = triangle * 4, fewest = UINT32_MAX;
	int smallest = 0;
	for (unsigned e = triangle * 4; e < triangle * 4 + 3; e++) {
		if (n_new == 1 || n_new == 2) {
			if (is_new[previous_edge(e) & 3] && !is_new[e & 3])
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
	unsigned first = choose_rotation(work, triangle, is_new, n_new), e = first;
	const int issued = work->issued;
	for (unsigned k = 0; k < 3; k++, e = next_edge(e))
		work->strip->corners[place][k] =
			number_of(work, work->tail[e], !is_new[e & 3], issued);
	set_mask(work, place, CS_STRIP_START, 1);
	set_mask(work, place, CS_STRIP_LEFT, n_references >> 1);
	set_mask(work, place, CS_STRIP_REFERENCE, n_references & 1);
	work->strip->n_starts++;
	return first;
}

/* What lies in front of the triangles 32, 64 and 96. */
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
	work.first = 0;
	for (unsigned place = 0; place < input->n_triangles; place++) {
		if (place && place == input->range_ends[range])
			work.first = input->range_ends[range++];
		work.end = input->range_ends[range];
		struct choice best = {NO_WAY, NO_EDGE, false};
		if (place % CS_STRIP_GROUP == 0) {
			note_group(&work, place);
		} else {
			consider_edge(&work, previous_edge(entered), false, &best);
			consider_edge(&work, next_edge(entered), true, &best);
		}
		if (best.way != NO_WAY) {
			write_step(&work, &best, place);
			entered = best.edge;
		} else {
			entered = write_start(&work, choose_start(&work), place);
		}
		finish_triangle(&work, entered / 4, place);
	}
	struct cs_bit_writer codes = {.bytes = strip->codes};
	for (unsigned i = 0; i < strip->n_references; i++)
		cs_bits_put(&codes, work.codes[i], CS_STRIP_CODE_BITS);
	cs_bits_flush(&codes);
	strip->n_code_bytes = (unsigned)codes.size;
	strip->n_vertices = (unsigned)work.issued;
}
