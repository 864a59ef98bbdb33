/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: ordering the triangles of a cluster into strips that a window of 32 vertices can decode.
 *
 * Data model: half-edge 3t + k runs from corner k to corner k + 1 of triangle t. twin[e] is the
 * first half-edge against e, same[f] the next one that runs as f does (more than one only where the
 * mesh is not a manifold). The state of the strip is the half-edge it entered the last triangle
 * by: it goes on to the left over the edge after it, to the right over the edge before it.
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
	EDGES = CS_STRIP_CORNERS,
	NO_EDGE = 0xffff,
	SLOTS = 1024,                                /* of the table of directed edges */
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

struct work {
	const struct cs_strip_input *input;
	struct cs_strip *strip;
	uint16_t twin[EDGES], same[EDGES];
	int16_t number[EDGES];                    /* by vertex: as it was issued last */
	uint8_t waiting[EDGES];                   /* by vertex: triangles left */
	uint8_t neighbours[CS_CLUSTER_TRIANGLES]; /* triangles left across its edges */
	uint64_t left[2];                         /* bit t: triangle t is left */
	unsigned first, end;                      /* the range */
	int issued;
	struct cs_bit_writer codes;
};

static unsigned next_edge(unsigned edge)
{
	return edge % 3 == 2 ? edge - 2 : edge + 1;
}

static unsigned previous_edge(unsigned edge)
{
	return edge % 3 == 0 ? edge + 2 : edge - 1;
}

/* The vertex that a half-edge leaves. */
static unsigned tail(const struct work *work, unsigned edge)
{
	return work->input->corners[edge / 3][edge % 3];
}

static bool is_left(const struct work *work, unsigned triangle)
{
	return work->left[triangle / 64] >> triangle % 64 & 1;
}

/* ---- adjacency ---- */

/* The slot of the last edge that runs so; its number is kept plus one, as slots are. */
static uint16_t *find_head(
	const struct work *work, uint16_t heads[SLOTS], unsigned from, unsigned to)
{
	return cs_probe(heads, SLOTS - 1, from * 37 + to * 101, edge,
		tail(work, edge) == from && tail(work, next_edge(edge)) == to);
}

static void link_edges(struct work *work)
{
	uint16_t heads[SLOTS];
	memset(heads, 0, sizeof(heads));
	unsigned n = work->input->n_triangles * 3;
	for (unsigned e = n; e-- > 0;) {
		uint16_t *head = find_head(work, heads, tail(work, e), tail(work, next_edge(e)));
		work->same[e] = *head ? *head - 1 : NO_EDGE;
		*head = (uint16_t)(e + 1);
	}
	for (unsigned e = 0; e < n; e++) {
		uint16_t head = *find_head(work, heads, tail(work, next_edge(e)), tail(work, e));
		work->twin[e] = head ? head - 1 : NO_EDGE;
	}
}

static unsigned count_left_across(const struct work *work, unsigned edge)
{
	unsigned n = 0;
	for (unsigned f = work->twin[edge]; f != NO_EDGE; f = work->same[f])
		n += is_left(work, f / 3);
	return n;
}

static void begin(struct work *work, const struct cs_strip_input *input, struct cs_strip *strip)
{
	work->input = input;
	work->strip = strip;
	work->issued = 0;
	work->codes = (struct cs_bit_writer){.bytes = strip->codes};
	for (unsigned v = 0; v < input->n_vertices; v++)
		work->number[v] = NEVER;
	memset(work->waiting, 0, input->n_vertices);
	work->left[0] = work->left[1] = 0;
	for (unsigned t = 0; t < input->n_triangles; t++)
		work->left[t / 64] |= (uint64_t)1 << t % 64;
	link_edges(work);
	for (unsigned e = 0; e < input->n_triangles * 3; e++)
		work->waiting[tail(work, e)]++;
	for (unsigned t = 0; t < input->n_triangles; t++)
		work->neighbours[t] = (uint8_t)(count_left_across(work, t * 3) +
						count_left_across(work, t * 3 + 1) +
						count_left_across(work, t * 3 + 2));
}

/* ---- choosing ---- */

/* Still in the window when `more` vertices are issued with it. */
static bool in_window(const struct work *work, unsigned vertex, int more)
{
	return work->number[vertex] >= work->issued + more - CS_STRIP_WINDOW;
}

static int last_uses(const struct work *work, unsigned triangle)
{
	int n = 0;
	for (unsigned k = 0; k < 3; k++)
		n += work->waiting[work->input->corners[triangle][k]] == 1;
	return n;
}

static int uses_left(const struct work *work, unsigned vertex)
{
	return work->waiting[vertex] < MOST_USES ? work->waiting[vertex] : MOST_USES;
}

/* Going on into half-edge f around `pivot`; false when the window does not reach. */
static bool score_step(const struct work *work, unsigned f, unsigned pivot, int *score_ret)
{
	bool reference = in_window(work, tail(work, previous_edge(f)), 0);
	if (!in_window(work, tail(work, f), !reference) ||
		!in_window(work, tail(work, next_edge(f)), !reference))
		return false;
	int score = ON_LAST_USE * last_uses(work, f / 3);
	if (reference)
		score += FOR_REFERENCE;
	if (work->neighbours[f / 3] == 0)
		score += ON_DEAD_END;
	score += FOR_PIVOT_AGE * ((work->issued - work->number[pivot]) / 4);
	*score_ret = score;
	return true;
}

struct choice {
	unsigned edge; /* that the triangle is entered by */
	int score;
	bool left;
};

static void consider_edge(const struct work *work, unsigned edge, bool left, struct choice *best)
{
	int left_behind = FOR_LEFT_BEHIND * uses_left(work, tail(work, previous_edge(edge)));
	for (unsigned f = work->twin[edge]; f != NO_EDGE; f = work->same[f]) {
		unsigned t = f / 3;
		int score;
		/* to the right the pivot is where f begins, to the left where it ends */
		unsigned pivot = tail(work, left ? next_edge(f) : f);
		if (t < work->first || t >= work->end || !is_left(work, t) ||
			!score_step(work, f, pivot, &score))
			continue;
		score += left_behind;
		if (best->edge == NO_EDGE || score < best->score ||
			(score == best->score && t < best->edge / 3))
			*best = (struct choice){f, score, left};
	}
}

static int score_start(const struct work *work, unsigned triangle)
{
	int score = START_ON_LAST_USE * last_uses(work, triangle), oldest = 0, uses = 0;
	for (unsigned k = 0; k < 3; k++) {
		unsigned vertex = work->input->corners[triangle][k];
		uses += uses_left(work, vertex);
		if (!in_window(work, vertex, 0))
			continue;
		int age = work->issued - work->number[vertex];
		score += FOR_REFERENCE;
		oldest = age > oldest ? age : oldest;
	}
	score += START_FOR_AGE * (oldest / 8) + START_FOR_USES * (uses / 2);
	if (work->neighbours[triangle] < 2)
		score += work->neighbours[triangle] ? START_ON_END : START_ON_ISLAND;
	return score;
}

static unsigned choose_start(const struct work *work)
{
	unsigned best = 0;
	int best_score = INT32_MAX;
	for (unsigned half = work->first / 64; half <= (work->end - 1) / 64; half++) {
		for (uint64_t left = work->left[half]; left; left &= left - 1) {
			unsigned t = half * 64 + (unsigned)__builtin_ctzll(left);
			if (t < work->first || t >= work->end)
				continue;
			int score = score_start(work, t);
			if (score < best_score) {
				best = t;
				best_score = score;
			}
		}
	}
	return best;
}

/* ---- writing ---- */

static void set_mask(struct work *work, unsigned place, enum cs_strip_mask kind)
{
	work->strip->masks[place / CS_STRIP_GROUP][kind] |= 1u << place % CS_STRIP_GROUP;
}

static uint16_t refer(struct work *work, unsigned vertex, int issued)
{
	cs_bits_put(
		&work->codes, (uint32_t)(issued - 1 - work->number[vertex]), CS_STRIP_CODE_BITS);
	work->strip->n_references++;
	return (uint16_t)work->number[vertex];
}

static uint16_t issue(struct work *work, unsigned vertex)
{
	work->strip->n_duplicates += work->number[vertex] != NEVER;
	work->strip->vertices[work->issued] = (uint16_t)vertex;
	work->number[vertex] = (int16_t)work->issued;
	return (uint16_t)work->issued++;
}

static void finish_triangle(struct work *work, unsigned triangle, unsigned place)
{
	work->strip->order[place] = (uint8_t)triangle;
	work->left[triangle / 64] &= ~((uint64_t)1 << triangle % 64);
	for (unsigned e = triangle * 3; e < triangle * 3 + 3; e++) {
		work->waiting[tail(work, e)]--;
		for (unsigned f = work->twin[e]; f != NO_EDGE; f = work->same[f])
			work->neighbours[f / 3]--;
	}
}

static void write_step(struct work *work, const struct choice *choice, unsigned place)
{
	uint16_t *corners = work->strip->corners[place];
	unsigned f = choice->edge, third = tail(work, previous_edge(f));
	uint16_t a = (uint16_t)work->number[tail(work, f)];
	uint16_t b = (uint16_t)work->number[tail(work, next_edge(f))], n;
	if (in_window(work, third, 0)) {
		n = refer(work, third, work->issued);
		set_mask(work, place, CS_STRIP_REFERENCE);
	} else {
		n = issue(work, third);
	}
	if (choice->left)
		set_mask(work, place, CS_STRIP_LEFT);
	corners[0] = choice->left ? b : a;
	corners[1] = choice->left ? n : b;
	corners[2] = choice->left ? a : n;
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
	unsigned best = triangle * 3, fewest = UINT32_MAX;
	int smallest = 0;
	for (unsigned e = triangle * 3; e < triangle * 3 + 3; e++) {
		if (n_new == 1 || n_new == 2) {
			if (is_new[previous_edge(e) % 3] && !is_new[e % 3])
				return e;
			continue;
		}
		unsigned across = count_left_across(work, e);
		int number = n_new ? 0 : work->number[tail(work, e)];
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
	unsigned n_references = 3 - (unsigned)n_new, issued = (unsigned)work->issued;
	unsigned first = choose_rotation(work, triangle, is_new, n_new), e = first;
	for (unsigned k = 0; k < 3; k++, e = next_edge(e))
		work->strip->corners[place][k] = is_new[e % 3]
							 ? issue(work, tail(work, e))
							 : refer(work, tail(work, e), (int)issued);
	set_mask(work, place, CS_STRIP_START);
	if (n_references & 2)
		set_mask(work, place, CS_STRIP_LEFT);
	if (n_references & 1)
		set_mask(work, place, CS_STRIP_REFERENCE);
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
		struct choice best = {.edge = NO_EDGE};
		if (place % CS_STRIP_GROUP == 0) {
			note_group(&work, place);
		} else {
			consider_edge(&work, previous_edge(entered), false, &best);
			consider_edge(&work, next_edge(entered), true, &best);
		}
		if (best.edge != NO_EDGE) {
			write_step(&work, &best, place);
			entered = best.edge;
		} else {
			entered = write_start(&work, choose_start(&work), place);
		}
		finish_triangle(&work, entered / 3, place);
	}
	cs_bits_flush(&work.codes);
	strip->n_code_bytes = (unsigned)work.codes.size;
	strip->n_vertices = (unsigned)work.issued;
}
