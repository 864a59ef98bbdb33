/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes strips. The state of a strip is its last three vertices: the right pivot, the left pivot
 * and the head. Each step to the left or right replaces two of them.
 *
 * The bits of a strip cannot be predicted, so they select values without a branch. Whether the
 * strip is valid is tested once, at the end. Only if it is not, a second reader reads it step by
 * step and reports the first fault.
 */
#include "nanite/decode/decode.h"

#include "nanite/format/bits.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"

/*
 * Counts of references and of issued vertices before triangles 32, 64 and 96. A GPU can start
 * decoding from each of these triangles.
 */
struct prefixes {
	uint32_t references, issued;
};

/* ---- the careful reader, which finds the fault of a strip ---- */

struct strip_reader {
	struct cs_page_view *view;
	uint32_t cluster, n_vertices;
	const unsigned char *masks, *codes;
	size_t code_bytes;
	uint32_t n_codes, n_new; /* number of codes and of new vertices read so far */
};

static bool decode_strip_mask_bit(
	const struct strip_reader *reader, unsigned triangle, enum cs_strip_mask kind)
{
	const unsigned char *word =
		reader->masks + triangle / CS_STRIP_GROUP * 4 * CS_STRIP_MASK_KINDS;
	return cs_load32(word + 4 * kind) >> triangle % CS_STRIP_GROUP & 1;
}

/* Checks that the next code refers to one of the `issued` vertices before the triangle. */
static bool check_reference(struct strip_reader *reader, uint32_t issued)
{
	uint32_t code = cs_bits_at(reader->codes, reader->code_bytes,
		(uint64_t)reader->n_codes * CS_STRIP_CODE_BITS, CS_STRIP_CODE_BITS);
	if (code >= issued)
		return cs_breach(&reader->view->breaches, CS_RULE_S3,
			cs_at_cluster(reader->view, reader->cluster,
				reader->view->plans[reader->cluster].codes +
					reader->n_codes * CS_STRIP_CODE_BITS / 8),
			"strip code %u reaches back beyond the %u vertices issued so far", code,
			issued);
	reader->n_codes++;
	return true;
}

static bool check_new(struct strip_reader *reader)
{
	if (reader->n_new >= reader->n_vertices)
		return cs_breach(&reader->view->breaches, CS_RULE_S4,
			cs_at_cluster(reader->view, reader->cluster, CS_NO_OFFSET),
			"the strip issues more than %u vertices", reader->n_vertices);
	reader->n_new++;
	return true;
}

static bool check_triangle(struct strip_reader *reader, unsigned triangle)
{
	bool start = decode_strip_mask_bit(reader, triangle, CS_STRIP_START);
	unsigned references = decode_strip_mask_bit(reader, triangle, CS_STRIP_REFERENCE);
	uint32_t issued = reader->n_new;
	if (start)
		references += 2u * decode_strip_mask_bit(reader, triangle, CS_STRIP_LEFT);
	for (unsigned k = 0; k < (start ? 3 : 1); k++)
		if (!(k < references ? check_reference(reader, issued) : check_new(reader)))
			return false;
	return true;
}

static bool check_prefixes(const struct strip_reader *reader, const struct prefixes *want)
{
	uint32_t references =
		cs_page_cluster_word(reader->view, reader->cluster, CS_CLUSTER_PREVIOUS_REFERENCES);
	uint32_t issued =
		cs_page_cluster_word(reader->view, reader->cluster, CS_CLUSTER_PREVIOUS_NEW);
	if (references == want->references && issued == want->issued)
		return true;
	return cs_breach(&reader->view->breaches, CS_RULE_S4,
		cs_at_cluster(reader->view, reader->cluster, CS_NO_OFFSET),
		"prefix counts of the triangle groups are %08x, %08x instead of %08x, %08x",
		references, issued, want->references, want->issued);
}

/* Records the first fault of a broken strip. Returns false. */
static bool explain_strip(struct cs_page_view *view, uint32_t cluster)
{
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	unsigned n = plan->row.n_triangles;
	struct strip_reader reader = {.view = view,
		.cluster = cluster,
		.n_vertices = plan->row.n_vertices,
		.masks = view->bytes + view->masks + CS_STRIP_MASKS * (size_t)cluster,
		.codes = view->bytes + plan->codes,
		.code_bytes = plan->code_bytes};
	struct prefixes prefixes = {0, 0};
	for (unsigned t = 0; t < n; t++) {
		if (t && t % CS_STRIP_GROUP == 0) {
			unsigned shift = (t / CS_STRIP_GROUP - 1) * CS_PREVIOUS_BITS;
			prefixes.references |= reader.n_codes << shift;
			prefixes.issued |= reader.n_new << shift;
		}
		if (!check_triangle(&reader, t))
			return false;
	}
	if (reader.n_new != reader.n_vertices)
		return cs_breach(&view->breaches, CS_RULE_S4,
			cs_at_cluster(view, cluster, CS_NO_OFFSET),
			"the strip issues only %u of the %u vertices of the cluster", reader.n_new,
			reader.n_vertices);
	return check_prefixes(&reader, &prefixes);
}

/* ---- the fast reader ---- */

enum { CODES_AT_ONCE = 8, CODE_BYTES_AT_ONCE = CODES_AT_ONCE * CS_STRIP_CODE_BITS / 8 };

struct steps {
	/* the next step, which is a code plus 1: the number of vertices to go back */
	const uint8_t *step;
	uint32_t issued, right, left, head;
	/* bitwise OR of all vertex indices. A reference before the first one sets its high bits */
	uint32_t all;
};

/* Unpacks n 5-bit codes and adds 1 to each. May read up to 8 bytes of the masks after them. */
static void spread_codes(const unsigned char *codes, uint32_t n, uint8_t *steps)
{
	const uint64_t one = UINT64_C(0x0101010101010101);
	for (uint32_t i = 0; i < n; i += CODES_AT_ONCE, codes += CODE_BYTES_AT_ONCE) {
		uint64_t v = cs_load64(codes);
		v = (v & 0xfffff) | (v & UINT64_C(0xfffff00000)) << 12;
		v = (v & UINT64_C(0x000003ff000003ff)) | (v & UINT64_C(0x000ffc00000ffc00)) << 6;
		v = (v & UINT64_C(0x001f001f001f001f)) | (v & UINT64_C(0x03e003e003e003e0)) << 3;
		cs_store64(steps + i, v + one);
	}
}

/* Returns `with` if all bits of the mask are set, else `without`, without the cost of a branch. */
static inline uint32_t pick(uint32_t mask, uint32_t with, uint32_t without)
{
	return without ^ ((with ^ without) & mask);
}

/* Returns the next corner: a new vertex or, if `known`, the one to which the next code refers. */
static inline uint32_t next_vertex(struct steps *steps, uint32_t known)
{
	uint32_t vertex = steps->issued - (*steps->step & (0 - known));
	steps->all |= vertex;
	steps->step += known;
	steps->issued += known ^ 1;
	return vertex;
}

/*
 * Decodes the first triangle of a strip. Its references come before its new vertices, so each of
 * their codes counts back from the last vertex issued before the triangle.
 */
static inline void begin_strip(struct steps *steps, uint32_t references)
{
	steps->right = next_vertex(steps, references > 0);
	steps->left = next_vertex(steps, references > 1);
	steps->head = next_vertex(steps, references > 2);
}

/* Decodes the next n triangles, whose bits are in one word of each mask. */
static void read_group(struct steps *strip, const unsigned char *masks, unsigned n,
	uint8_t (*corners)[CS_CLUSTER_TRIANGLES])
{
	struct steps steps = *strip;
	uint32_t starts = cs_load32(masks + 4 * CS_STRIP_START);
	uint32_t lefts = cs_load32(masks + 4 * CS_STRIP_LEFT);
	uint32_t references = cs_load32(masks + 4 * CS_STRIP_REFERENCE);
	for (unsigned t = 0; t < n; t++, starts >>= 1, lefts >>= 1, references >>= 1) {
		const uint32_t left = 0 - (lefts & 1), head = steps.head;
		if (starts & 1) {
			begin_strip(&steps, (references & 1) - 2 * left);
			corners[0][t] = (uint8_t)steps.right;
			corners[1][t] = (uint8_t)steps.left;
			corners[2][t] = (uint8_t)steps.head;
			continue;
		}
		steps.head = next_vertex(&steps, references & 1);
		const uint32_t pivots = (steps.left ^ steps.right) & left,
			       heads = (steps.head ^ head) & left;
		corners[0][t] = (uint8_t)(steps.right ^ pivots);
		corners[1][t] = (uint8_t)(head ^ heads);
		corners[2][t] = (uint8_t)(steps.head ^ heads);
		steps.right = pick(left, head, steps.right);
		steps.left = pick(left, steps.left, head);
	}
	*strip = steps;
}

/*
 * Rotates the smallest corner of each triangle to the front. Masks instead of branches let
 * compilers rotate 16 triangles at a time.
 */
static void decode_strip_turn(uint8_t corners[3][CS_CLUSTER_TRIANGLES])
{
	for (unsigned t = 0; t < CS_CLUSTER_TRIANGLES; t++) {
		const uint8_t a = corners[0][t], b = corners[1][t], c = corners[2][t];
		const uint8_t least = b < a ? b : a;
		const uint8_t third = (uint8_t)(c < least ? 255 : 0);
		const uint8_t second = (uint8_t)((b < a ? 255 : 0) & ~third);
		const uint8_t first = (uint8_t) ~(second | third);
		corners[0][t] = (uint8_t)((a & first) | (b & second) | (c & third));
		corners[1][t] = (uint8_t)((b & first) | (c & second) | (a & third));
		corners[2][t] = (uint8_t)((c & first) | (a & second) | (b & third));
	}
}

uint32_t cs_count_strip(struct cs_stored_strip *strip)
{
	uint32_t wrong = CS_NONE;
	for (unsigned from = 0; from < strip->n_triangles; from += CS_STRIP_GROUP) {
		const unsigned char *at =
			strip->masks + from / CS_STRIP_GROUP * 4 * CS_STRIP_MASK_KINDS;
		const uint32_t in = cs_bits_mask(strip->n_triangles - from);
		const uint32_t start = cs_load32(at + 4 * CS_STRIP_START) & in;
		const uint32_t left = cs_load32(at + 4 * CS_STRIP_LEFT) & start;
		const uint32_t known = cs_load32(at + 4 * CS_STRIP_REFERENCE) & in;
		strip->n_codes +=
			(uint32_t)(__builtin_popcount(known) + 2 * __builtin_popcount(left));
		strip->n_starts += (uint32_t)__builtin_popcount(start);
		wrong = wrong == CS_NONE && !(start & 1) ? from : wrong;
	}
	return wrong;
}

bool cs_read_strip(struct cs_stored_strip *strip, uint8_t *corners_ret)
{
	const unsigned char *masks = strip->masks;
	const unsigned n = strip->n_triangles;
	uint8_t steps[3 * CS_CLUSTER_TRIANGLES + CODES_AT_ONCE];
	uint8_t corners[3][CS_CLUSTER_TRIANGLES] = {{0}};
	struct steps s = {.step = steps};
	spread_codes(strip->codes, strip->n_codes, steps);
	strip->references_before = strip->issued_before = 0;
	for (unsigned from = 0; from < n; from += CS_STRIP_GROUP) {
		unsigned shift = from ? (from / CS_STRIP_GROUP - 1) * CS_PREVIOUS_BITS : 0;
		strip->references_before |= from ? (uint32_t)(s.step - steps) << shift : 0;
		strip->issued_before |= from ? s.issued << shift : 0;
		read_group(&s, masks, n - from < CS_STRIP_GROUP ? n - from : CS_STRIP_GROUP,
			(uint8_t(*)[CS_CLUSTER_TRIANGLES])(corners[0] + from));
		masks += 4 * CS_STRIP_MASK_KINDS;
	}
	decode_strip_turn(corners);
	for (unsigned t = 0; t < n; t++) {
		corners_ret[3 * t] = corners[0][t];
		corners_ret[3 * t + 1] = corners[1][t];
		corners_ret[3 * t + 2] = corners[2][t];
	}
	strip->issued = s.issued;
	return s.all < CS_CLUSTER_VERTICES;
}

bool cs_decode_strip(struct cs_page_view *view, uint32_t cluster, uint8_t *corners_ret)
{
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	struct cs_stored_strip strip = {
		.masks = view->bytes + view->masks + CS_STRIP_MASKS * (size_t)cluster,
		.codes = view->bytes + plan->codes,
		.n_triangles = plan->row.n_triangles,
		.n_codes = plan->row.n_codes,
	};
	bool good =
		cs_read_strip(&strip, corners_ret) && strip.issued == plan->row.n_vertices &&
		strip.references_before ==
			cs_page_cluster_word(view, cluster, CS_CLUSTER_PREVIOUS_REFERENCES) &&
		strip.issued_before == cs_page_cluster_word(view, cluster, CS_CLUSTER_PREVIOUS_NEW);
	return good || explain_strip(view, cluster);
}
