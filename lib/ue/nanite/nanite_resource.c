/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns finding a Nanite resource in a static mesh and reading its arrays (nanite-versions rules
 * 1.3, 2). The root pages begin with a signature. Before it are a count, a bulk reference, flags
 * and strip flags. The newest version whose arrays and pages are complete is the right one.
 */
#include "core/error_inside.h"
#include "ue/nanite/cooked_nanite.h"

#include <stdlib.h>

const char *const cs_ue_nanite_version_names[CS_UE_NANITE_VERSIONS] = {
	"5.3", "5.4", "5.5", "5.6", "5.7", "5.8"};

const struct cs_ue_nanite_layout cs_ue_nanite_layouts[CS_UE_NANITE_VERSIONS] = {
	/* node, float4s, words of page and cluster headers, fixups by group, byte planes */
	[CS_UE_NANITE_5_3] = {208, 7, 8, 8, false, false},
	[CS_UE_NANITE_5_4] = {208, 7, 6, 9, false, true},
	[CS_UE_NANITE_5_5] = {208, 8, 6, 9, false, true},
	[CS_UE_NANITE_5_6] = {208, 8, 6, 9, false, true},
	[CS_UE_NANITE_5_7] = {224, 8, 5, 10, true, true},
	[CS_UE_NANITE_5_8] = {240, 8, 5, 10, true, true},
};

enum { BEFORE_ROOT = 14, STATE = 20, SIGN = 0x464e, STRIPPED = 2 };

/* ---- arrays ---- */

static const unsigned char *nanite_resource_read_array(
	struct cs_cursor *c, size_t size, uint32_t *n_ret)
{
	uint32_t n = cs_cursor_count(c, size);
	*n_ret = n;
	return cs_cursor_take(c, (size_t)n * size);
}

static uint32_t *nanite_resource_read_numbers(
	struct cs_cursor *c, struct cs_arena *arena, size_t size, uint32_t *n_ret)
{
	const unsigned char *at = nanite_resource_read_array(c, size, n_ret);
	uint32_t *to = CS_ARENA_ARRAY(arena, uint32_t, (size_t)*n_ret + 1);
	for (uint32_t i = 0; at && to && i < *n_ret; i++)
		to[i] = size == 2 ? cs_load16(at + 2 * (size_t)i) : cs_load32(at + 4 * (size_t)i);
	if (!to)
		cs_cursor_fail(c, CS_E_NOMEM, "no memory");
	return to;
}

static void read_states(struct cs_cursor *c, struct cs_arena *arena, struct cs_ue_nanite *to)
{
	const unsigned char *at = nanite_resource_read_array(c, STATE, &to->n_states);
	to->states = CS_ARENA_ARRAY(arena, struct cs_ue_page_state, (size_t)to->n_states + 1);
	if (!to->states)
		cs_cursor_fail(c, CS_E_NOMEM, "no memory");
	for (uint32_t i = 0; at && to->states && i < to->n_states; i++, at += STATE)
		to->states[i] = (struct cs_ue_page_state){cs_load32(at), cs_load32(at + 4),
			cs_load32(at + 8), cs_load32(at + 12), cs_load16(at + 16)};
}

static void skip_array(struct cs_cursor *c, size_t size)
{
	uint32_t n;
	nanite_resource_read_array(c, size, &n);
}

/* Reads the fields between dependencies and the counts at the end, and the counts. */
static void read_rest(struct cs_cursor *c, struct cs_ue_nanite *to)
{
	enum cs_ue_nanite_version v = to->version;
	if (v >= CS_UE_NANITE_5_6)
		skip_array(c, 48); /* assembly transforms */
	if (v >= CS_UE_NANITE_5_7)
		skip_array(c, 4); /* bone attachments */
	if (v >= CS_UE_NANITE_5_8)
		skip_array(c, 4); /* bone indices */
	if (v >= CS_UE_NANITE_5_7)
		skip_array(c, 4); /* page ranges */
	if (v >= CS_UE_NANITE_5_6)
		cs_cursor_skip(c, 28); /* bounds */
	if (v < CS_UE_NANITE_5_8)
		skip_array(c, 2); /* atlas */
	to->n_root_pages = cs_cursor_u32(c);
	to->position_precision = cs_cursor_i32(c);
	cs_cursor_skip(c, 4); /* normal precision */
	to->input_triangles = cs_cursor_u32(c);
	to->input_vertices = cs_cursor_u32(c);
	if (v < CS_UE_NANITE_5_6)
		cs_cursor_skip(c, 4); /* input meshes, UV channels */
	to->n_clusters = cs_cursor_u32(c);
	if (v >= CS_UE_NANITE_5_7)
		cs_cursor_skip(c, 8); /* voxel materials */
	if (v >= CS_UE_NANITE_5_8)
		cs_cursor_skip(c, 4); /* curves */
}

/*
 * Checks that blobs follow each other without gaps. Offsets of root pages and of the others both
 * begin at 0.
 */
static bool states_are_whole(const struct cs_ue_nanite *n)
{
	uint64_t root = 0, bulk = 0;
	if (n->n_root_pages == 0 || n->n_root_pages > n->n_states)
		return false;
	for (uint32_t i = 0; i < n->n_states; i++) {
		const struct cs_ue_page_state *s = &n->states[i];
		uint64_t *next = i < n->n_root_pages ? &root : &bulk;
		if (s->bulk_offset != *next || s->bulk_size < s->page_size)
			return false;
		if ((uint64_t)s->first_dependency + s->n_dependencies > n->n_dependencies)
			return false;
		*next += s->bulk_size;
	}
	for (uint32_t i = 0; i < n->n_dependencies; i++)
		if (n->dependencies[i] >= n->n_states)
			return false;
	return root == n->root_size;
}

/*
 * Reads everything from the strip flags on by the rules of one version, and says whether it fits.
 * Returns E_NOMEM without memory.
 */
static struct cs_error *read_as(const struct cs_ue_cooked_package *p,
	const struct cs_ue_cooked_export *export, uint64_t at, enum cs_ue_nanite_version version,
	struct cs_arena *arena, struct cs_ue_nanite *ret, bool *fits_ret)
{
	struct cs_cursor c = cs_cursor_over(p->bytes, export->offset + export->size, 0, p->file);
	struct cs_ue_nanite n = {.version = version, .at = at};
	*fits_ret = false;
	cs_cursor_seek(&c, at);
	if (cs_cursor_u8(&c) & STRIPPED)
		return NULL;
	cs_cursor_skip(&c, 1);
	cs_cursor_skip(&c, 4); /* flags */
	n.bulk_index = cs_cursor_u32(&c);
	n.root_size = cs_cursor_count(&c, 1);
	n.root_at = c.position;
	n.roots_bytes = cs_cursor_take(&c, n.root_size);
	read_states(&c, arena, &n);
	n.nodes = nanite_resource_read_array(
		&c, cs_ue_nanite_layouts[version].node_bytes, &n.n_nodes);
	n.root_offsets = nanite_resource_read_numbers(&c, arena, 4, &n.n_roots);
	n.dependencies = nanite_resource_read_numbers(
		&c, arena, version >= CS_UE_NANITE_5_7 ? 2 : 4, &n.n_dependencies);
	read_rest(&c, &n);
	*ret = n;
	*fits_ret = !c.bad && n.n_states > 0 && n.n_nodes > 0 && n.n_clusters > 0 &&
		    states_are_whole(&n);
	return c.bad && c.code == CS_E_NOMEM ? cs_error_nomem() : NULL;
}

/* ---- pages decide ---- */

static struct cs_error *check_pages(const struct cs_ue_nanite *n)
{
	uint64_t clusters = 0;
	for (uint32_t i = 0; i < n->n_states; i++) {
		struct cs_ue_page page;
		struct cs_error *error = cs_ue_page_open(n, i, &page);
		if (error)
			return error;
		clusters += page.n_clusters;
		cs_ue_page_close(&page);
	}
	return clusters == n->n_clusters
		       ? NULL
		       : cs_error_new(CS_E_NANITE, "its pages have %llu clusters, it says %u",
				 (unsigned long long)clusters, n->n_clusters);
}

/*
 * Reads pieces that double in size, so that a forged size reaches the end of the file before much
 * memory is allocated.
 */
static struct cs_error *read_growing(cs_ue_read_bulk *read, void *context, uint64_t offset,
	uint64_t size, struct cs_ue_nanite *n)
{
	enum { FIRST = 1 << 20 };
	struct cs_error *error = NULL;
	for (uint64_t at = 0, end = size < FIRST ? size : FIRST; at < size && !error;) {
		unsigned char *bytes = realloc(n->bulk, (size_t)end + 8);
		if (!bytes)
			return cs_error_nomem();
		n->bulk = bytes;
		error = read(context, offset + at, bytes + at, (size_t)(end - at));
		at = end;
		end = size - end < end ? size : 2 * end;
	}
	n->bulk_size = (size_t)size;
	return error;
}

static struct cs_error *nanite_resource_read_streaming(const struct cs_ue_cooked_package *p,
	cs_ue_read_bulk *read, void *context, struct cs_ue_nanite *n)
{
	uint64_t size = 0, offset = 0;
	for (uint32_t i = n->n_root_pages; i < n->n_states; i++)
		size += n->states[i].bulk_size;
	if (size == 0)
		return NULL;
	if (n->bulk_index >= p->n_bulk || p->bulk[n->bulk_index].size != size)
		return cs_error_at(CS_E_REFERENCE, p->file, n->at,
			"the pages of the resource have %llu bytes, its bulk data another size",
			(unsigned long long)size);
	offset = p->bulk[n->bulk_index].offset;
	return read_growing(read, context, offset, size, n);
}

static uint32_t versions_of(const struct cs_ue_cooked_package *p)
{
	static const uint32_t of[CS_UE_NANITE_VERSIONS] = {1u << CS_UE_5_3, 1u << CS_UE_5_4,
		1u << CS_UE_5_5, 1u << CS_UE_5_6, 1u << CS_UE_5_7,
		1u << CS_UE_5_8 | 1u << CS_UE_6_0};
	uint32_t versions = 0;
	for (int v = 0; v < CS_UE_NANITE_VERSIONS; v++)
		if (p->releases & of[v])
			versions |= 1u << v;
	return versions;
}

/*
 * Returns the fault of one version. Returns NULL and not found when not even its arrays are
 * complete.
 */
static struct cs_error *try_version(const struct cs_ue_cooked_package *p,
	const struct cs_ue_cooked_export *export, uint64_t at, enum cs_ue_nanite_version version,
	cs_ue_read_bulk *read, void *context, struct cs_arena *arena, struct cs_ue_nanite *ret,
	bool *found_ret)
{
	struct cs_ue_nanite n;
	bool fits;
	*found_ret = false;
	struct cs_error *error = read_as(p, export, at, version, arena, &n, &fits);
	if (error || !fits)
		return error;
	error = nanite_resource_read_streaming(p, read, context, &n);
	if (!error)
		error = check_pages(&n);
	if (error) {
		cs_ue_nanite_deinit(&n);
		return error;
	}
	*found_ret = true;
	*ret = n;
	return NULL;
}

/* Returns whether no other version or place can help: bytes that cannot be read, or no memory. */
static bool is_fatal(const struct cs_error *error)
{
	return error && error->code != CS_E_NANITE && error->code != CS_E_REFERENCE;
}

/* Returns the first fault of any version, or a fatal one. */
static struct cs_error *nanite_resource_try_place(const struct cs_ue_cooked_package *p,
	const struct cs_ue_cooked_export *export, uint64_t at, cs_ue_read_bulk *read, void *context,
	struct cs_arena *arena, struct cs_ue_nanite *ret, bool *found_ret)
{
	uint32_t versions = versions_of(p);
	struct cs_error *failure = NULL;
	*found_ret = false;
	for (int v = CS_UE_NANITE_VERSIONS - 1; v >= 0 && !*found_ret && !is_fatal(failure); v--) {
		if (!(versions & 1u << v))
			continue;
		struct cs_error *error = try_version(p, export, at, (enum cs_ue_nanite_version)v,
			read, context, arena, ret, found_ret);
		failure = is_fatal(error) ? cs_error_first(error, failure)
					  : cs_error_first(failure, error);
	}
	if (*found_ret) {
		cs_error_free(failure);
		return NULL;
	}
	return failure;
}

/*
 * Resources of 5.0 to 5.2 have no signature to be found by, and their bulk data is stored
 * elsewhere.
 */
static struct cs_error *nothing_found(
	const struct cs_ue_cooked_package *p, const struct cs_ue_cooked_export *export)
{
	const uint32_t unsigned_ones = 1u << CS_UE_5_0 | 1u << CS_UE_5_1 | 1u << CS_UE_5_2;
	if (!(p->releases & ~unsigned_ones))
		return cs_error_at(CS_E_FEATURE, p->file, export->offset,
			"Nanite of 5.0 to 5.2 is not read: whether the mesh has any is not known");
	return cs_error_at(CS_E_MISSING, p->file, export->offset,
		p->releases & unsigned_ones ? "no Nanite resource of 5.3 to 5.8 is in the mesh; "
					      "one of 5.0 to 5.2 would not be seen"
					    : "no Nanite resource of 5.3 to 5.8 is in the mesh");
}

struct cs_error *cs_ue_nanite_find(const struct cs_ue_cooked_package *p,
	const struct cs_ue_cooked_export *export, cs_ue_read_bulk *read, void *context,
	struct cs_arena *arena, struct cs_ue_nanite *ret)
{
	struct cs_error *failure = NULL;
	bool found = false;
	if (!cs_ue_cooked_has_bytes(p, export))
		return cs_error_at(CS_E_MISSING, p->file, CS_NO_OFFSET,
			"the bytes of the mesh are in a .uexp that is not there");
	for (uint64_t i = BEFORE_ROOT; i + 4 <= export->size && !found && !is_fatal(failure); i++) {
		uint64_t at = export->offset + i;
		if (cs_load16(p->bytes + at) != SIGN)
			continue;
		uint32_t size = cs_load32(p->bytes + at - 4);
		if (size < 32 || size > export->size - i)
			continue;
		struct cs_error *error = nanite_resource_try_place(
			p, export, at - BEFORE_ROOT, read, context, arena, ret, &found);
		failure = is_fatal(error) ? cs_error_first(error, failure)
					  : cs_error_first(failure, error);
	}
	if (found) {
		cs_error_free(failure);
		return NULL;
	}
	return failure ? failure : nothing_found(p, export);
}

void cs_ue_nanite_deinit(struct cs_ue_nanite *nanite)
{
	free(nanite->bulk);
	nanite->bulk = NULL;
}
