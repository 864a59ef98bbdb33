/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: decoding strips. A strip is decoded by its state: the right pivot, the left pivot and the
 * head, of which a step to either side replaces two.
 *
 * What a bit decides is chosen without a jump, since nobody can guess the bits of a strip; whether
 * all of it was right is asked once, at the end. Only when it was not, a second reader goes over
 * the strip with care and tells what is wrong where.
 */
#include "nanite/decode/decode.h"

#include "nanite/format/bits.h"

#include "base/cursor.h"

#include <inttypes.h>

/* The counts in front of triangles 32, 64 and 96, which a random access starts from. */
struct prefixes {
	uint32_t references, issued;
};

/* ---- the careful reader: what is wrong with a strip ---- */

struct strip_reader {
	struct cs_page_view *view;
	uint32_t cluster, n_vertices;
	const unsigned char *masks, *codes;
	size_t code_bytes;
	uint32_t n_codes, n_new; /* read so far */
};

static bool mask_bit(const struct strip_reader *r, unsigned triangle, enum cs_strip_mask kind)
{
	const unsigned char *word = r->masks + triangle / CS_STRIP_GROUP * 4 * CS_STRIP_MASK_KINDS;
	return cs_load32(word + 4 * kind) >> triangle % CS_STRIP_GROUP & 1;
}

/* A code counts back from the vertices that were issued before the triangle. */
static bool check_reference(struct strip_reader *r, uint32_t issued)
{
	uint32_t code = cs_bits_at(r->codes, r->code_bytes,
		(uint64_t)r->n_codes * CS_STRIP_CODE_BITS, CS_STRIP_CODE_BITS);
	if (code >= issued)
		return cs_breach(&r->view->breaches, CS_RULE_S3,
			cs_at_cluster(r->view, r->cluster,
				r->view->plans[r->cluster].codes +
					r->n_codes * CS_STRIP_CODE_BITS / 8),
			"code %" PRIu32 " after %" PRIu32 " vertices", code, issued);
	r->n_codes++;
	return true;
}

static bool check_new(struct strip_reader *r)
{
	if (r->n_new >= r->n_vertices)
		return cs_breach(&r->view->breaches, CS_RULE_S4,
			cs_at_cluster(r->view, r->cluster, CS_NO_OFFSET),
			"the strip issues more than %" PRIu32 " vertices", r->n_vertices);
	r->n_new++;
	return true;
}

static bool check_triangle(struct strip_reader *r, unsigned triangle)
{
	bool start = mask_bit(r, triangle, CS_STRIP_START);
	unsigned references = mask_bit(r, triangle, CS_STRIP_REFERENCE);
	uint32_t issued = r->n_new;
	if (start)
		references += 2u * mask_bit(r, triangle, CS_STRIP_LEFT);
	for (unsigned k = 0; k < (start ? 3 : 1); k++)
		if (!(k < references ? check_reference(r, issued) : check_new(r)))
			return false;
	return true;
}

static bool check_prefixes(const struct strip_reader *r, const struct prefixes *want)
{
	uint32_t references =
		cs_page_cluster_word(r->view, r->cluster, CS_CLUSTER_PREVIOUS_REFERENCES);
	uint32_t issued = cs_page_cluster_word(r->view, r->cluster, CS_CLUSTER_PREVIOUS_NEW);
	if (references == want->references && issued == want->issued)
		return true;
	return cs_breach(&r->view->breaches, CS_RULE_S4,
		cs_at_cluster(r->view, r->cluster, CS_NO_OFFSET),
		"counts before the triangle groups are %08" PRIx32 " and %08" PRIx32
		" instead of %08" PRIx32 " and %08" PRIx32,
		references, issued, want->references, want->issued);
}

/* Notes the first thing that is wrong with a strip, of which something is; false. */
static bool explain_strip(struct cs_page_view *view, uint32_t cluster)
{
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	unsigned n = cs_packed_get(&plan->packed, CS_PACKED_TRIANGLES);
	struct strip_reader r = {.view = view,
		.cluster = cluster,
		.n_vertices = cs_packed_get(&plan->packed, CS_PACKED_VERTICES),
		.masks = view->bytes + view->masks + CS_STRIP_MASKS * (size_t)cluster,
		.codes = view->bytes + plan->codes,
		.code_bytes = plan->code_bytes};
	struct prefixes prefixes = {0, 0};
	for (unsigned t = 0; t < n; t++) {
		if (t && t % CS_STRIP_GROUP == 0) {
			unsigned shift = (t / CS_STRIP_GROUP - 1) * CS_PREVIOUS_BITS;
			prefixes.references |= r.n_codes << shift;
			prefixes.issued |= r.n_new << shift;
		}
		if (!check_triangle(&r, t))
			return false;
	}
	if (r.n_new != r.n_vertices)
		return cs_breach(&view->breaches, CS_RULE_S4,
			cs_at_cluster(view, cluster, CS_NO_OFFSET),
			"the strip issues %" PRIu32 " of %" PRIu32 " vertices", r.n_new,
			r.n_vertices);
	return check_prefixes(&r, &prefixes);
}

/* ---- the quick reader ---- */

struct strip {
	const unsigned char *codes;
	uint32_t n_codes, issued, right, left, head, n_starts;
	uint32_t bad; /* a code led to no vertex */
};

/*
 * The next vertex: known by the next code, which counts back from `before`, or a new one. Strip
 * masks follow the codes in a page, so reading two bytes stays inside.
 */
static inline uint32_t next_vertex(struct strip *s, uint32_t known, uint32_t before)
{
	uint32_t at = s->n_codes * CS_STRIP_CODE_BITS;
	uint32_t code =
		(uint32_t)cs_load16(s->codes + at / 8) >> at % 8 & cs_bits_mask(CS_STRIP_CODE_BITS);
	uint32_t vertex = known ? before - 1 - code : s->issued;
	s->bad |= known & (code >= before);
	s->n_codes += known;
	s->issued += 1 - known;
	return vertex;
}

static inline void begin_strip(struct strip *s, uint32_t references, uint32_t corners[3])
{
	uint32_t before = s->issued;
	for (uint32_t k = 0; k < 3; k++)
		corners[k] = next_vertex(s, k < references, before);
	s->right = corners[0];
	s->left = corners[1];
	s->head = corners[2];
	s->n_starts++;
}

static inline void continue_strip(struct strip *s, bool left, uint32_t known, uint32_t corners[3])
{
	uint32_t third = next_vertex(s, known, s->issued), head = s->head;
	corners[0] = left ? s->left : s->right;
	corners[1] = left ? third : head;
	corners[2] = left ? head : third;
	s->right = left ? head : s->right;
	s->left = left ? s->left : head;
	s->head = third;
}

/* The smallest corner first, in the lower 24 bits; the winding stays. */
static inline uint32_t turned(const uint32_t corners[3])
{
	uint32_t a = corners[0], b = corners[1], c = corners[2];
	uint32_t second = b < a, least = a ^ ((a ^ b) & (0 - second));
	uint32_t third = c < least, shift = third << 4 | (second << 3 & (third - 1));
	uint64_t all = a | b << 8 | (uint64_t)c << 16;
	return (uint32_t)((all | all << 24) >> shift);
}

/* Triangles of one group of the masks; each store leaves a byte for the next one to overwrite. */
static void read_group(struct strip *s, const unsigned char *masks, unsigned n, uint8_t *to)
{
	uint32_t starts = cs_load32(masks + 4 * CS_STRIP_START);
	uint32_t lefts = cs_load32(masks + 4 * CS_STRIP_LEFT);
	uint32_t known = cs_load32(masks + 4 * CS_STRIP_REFERENCE);
	for (unsigned t = 0; t < n; t++, to += 3) {
		uint32_t corners[3], left = lefts >> t & 1, reference = known >> t & 1;
		if (starts >> t & 1)
			begin_strip(s, 2 * left + reference, corners);
		else
			continue_strip(s, left, reference, corners);
		cs_store32(to, turned(corners));
	}
}

/* Whether all was right but the number of vertices. */
static bool read_strip(const struct cs_page_view *view, uint32_t cluster, unsigned n,
	struct strip *s, uint8_t *corners_ret)
{
	const unsigned char *masks = view->bytes + view->masks + CS_STRIP_MASKS * (size_t)cluster;
	uint8_t corners[3 * CS_CLUSTER_TRIANGLES + 1];
	struct prefixes p = {0, 0};
	for (unsigned from = 0; from < n; from += CS_STRIP_GROUP) {
		unsigned shift = from ? (from / CS_STRIP_GROUP - 1) * CS_PREVIOUS_BITS : 0;
		p.references |= from ? s->n_codes << shift : 0;
		p.issued |= from ? s->issued << shift : 0;
		read_group(s, masks, n - from < CS_STRIP_GROUP ? n - from : CS_STRIP_GROUP,
			corners + (size_t)3 * from);
		masks += 4 * CS_STRIP_MASK_KINDS;
	}
	memcpy(corners_ret, corners, (size_t)3 * n);
	bool same = p.references ==
			    cs_page_cluster_word(view, cluster, CS_CLUSTER_PREVIOUS_REFERENCES) &&
		    p.issued == cs_page_cluster_word(view, cluster, CS_CLUSTER_PREVIOUS_NEW);
	return same && !s->bad;
}

bool cs_decode_strip(
	struct cs_page_view *view, uint32_t cluster, uint8_t *corners_ret, uint32_t *n_starts_ret)
{
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	struct strip s = {.codes = view->bytes + plan->codes};
	unsigned n = cs_packed_get(&plan->packed, CS_PACKED_TRIANGLES);
	uint32_t vertices = cs_packed_get(&plan->packed, CS_PACKED_VERTICES);
	bool good = read_strip(view, cluster, n, &s, corners_ret) && s.issued == vertices;
	*n_starts_ret = s.n_starts;
	return good || explain_strip(view, cluster);
}
