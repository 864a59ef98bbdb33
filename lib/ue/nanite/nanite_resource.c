/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the Nanite resource of a static mesh and reads its arrays (nanite-versions rules 1.3, 2). A
 * resource is found by the signature of its root pages. In front of the signature are strip flags
 * (two bytes), flags, a bulk reference and a count. If its arrays and pages are complete in several
 * versions of the format, the newest of these versions is chosen.
 */
#include "ue/nanite/cooked_nanite.h"

#include <stdlib.h>

enum { BEFORE_ROOT = 14, STATE = 20, SIGN = 0x464e, STRIPPED = 2 };

/* ---- reading arrays ---- */

static const unsigned char *nanite_resource_read_array(
	struct cs_cursor *cursor, size_t size, uint32_t *n_ret)
{
	uint32_t n = cs_cursor_count(cursor, size);
	*n_ret = n;
	return cs_cursor_take(cursor, (size_t)n * size);
}

static uint32_t *nanite_resource_read_numbers(
	struct cs_cursor *cursor, struct cs_arena *arena, size_t size, uint32_t *n_ret)
{
	const unsigned char *at = nanite_resource_read_array(cursor, size, n_ret);
	uint32_t *to = CS_ARENA_ARRAY(arena, uint32_t, (size_t)*n_ret + 1);
	for (uint32_t i = 0; at && to && i < *n_ret; i++)
		to[i] = size == 2 ? cs_load16(at + 2 * (size_t)i) : cs_load32(at + 4 * (size_t)i);
	if (!to)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	return to;
}

static void read_states(struct cs_cursor *cursor, struct cs_arena *arena, struct cs_ue_nanite *to)
{
	const unsigned char *at = nanite_resource_read_array(cursor, STATE, &to->n_states);
	to->states = CS_ARENA_ARRAY(arena, struct cs_nanite_page_state, (size_t)to->n_states + 1);
	if (!to->states)
		cs_cursor_fail(cursor, CS_E_NOMEM, "out of memory");
	for (uint32_t i = 0; at && to->states && i < to->n_states; i++, at += STATE)
		to->states[i] = (struct cs_nanite_page_state){cs_load32(at), cs_load32(at + 4),
			cs_load32(at + 8), cs_load32(at + 12), cs_load16(at + 16)};
}

/*
 * Reads the fields after the dependencies: arrays of items of `bytes` bytes, or single such items.
 * Fields whose `kept` pointer is NULL are skipped.
 */
static void read_rest(struct cs_cursor *cursor, struct cs_ue_nanite *to)
{
	const struct {
		enum cs_ue_nanite_version since, before;
		bool array;
		uint8_t bytes;
		void *kept;
	} fields[] = {
		{CS_UE_NANITE_5_6, CS_UE_NANITE_VERSIONS, true, 48, NULL},  /* assemblies */
		{CS_UE_NANITE_5_7, CS_UE_NANITE_VERSIONS, true, 4, NULL},   /* bone attachments */
		{CS_UE_NANITE_5_8, CS_UE_NANITE_VERSIONS, true, 4, NULL},   /* bone indices */
		{CS_UE_NANITE_5_7, CS_UE_NANITE_VERSIONS, true, 4, NULL},   /* page ranges */
		{CS_UE_NANITE_5_6, CS_UE_NANITE_VERSIONS, false, 28, NULL}, /* bounds */
		{CS_UE_NANITE_5_3, CS_UE_NANITE_5_8, true, 2, NULL},        /* atlas */
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, &to->n_root_pages},
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, &to->position_precision},
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, NULL}, /* normal precision */
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, &to->input_triangles},
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, &to->input_vertices},
		/* two u16: the number of meshes, and of UV channels */
		{CS_UE_NANITE_5_3, CS_UE_NANITE_5_6, false, 4, NULL},
		{CS_UE_NANITE_5_3, CS_UE_NANITE_VERSIONS, false, 4, &to->n_clusters},
		{CS_UE_NANITE_5_7, CS_UE_NANITE_VERSIONS, false, 8, NULL}, /* voxel materials */
		{CS_UE_NANITE_5_8, CS_UE_NANITE_VERSIONS, false, 4, NULL}, /* curves */
	};
	for (size_t i = 0; i < CS_COUNT_OF(fields); i++) {
		if (to->version < fields[i].since || to->version >= fields[i].before)
			continue;
		uint32_t n = fields[i].array ? cs_cursor_count(cursor, fields[i].bytes) : 1;
		if (!fields[i].kept) {
			cs_cursor_skip(cursor, (uint64_t)n * fields[i].bytes);
			continue;
		}
		n = cs_cursor_u32(cursor);
		memcpy(fields[i].kept, &n, sizeof(n));
	}
}

/* Checks that pages follow each other without gaps, root and streaming pages from offset 0 on. */
static bool states_are_whole(const struct cs_ue_nanite *nanite)
{
	uint64_t root = 0, bulk = 0;
	if (nanite->n_root_pages == 0 || nanite->n_root_pages > nanite->n_states)
		return false;
	for (uint32_t i = 0; i < nanite->n_states; i++) {
		const struct cs_nanite_page_state *state = &nanite->states[i];
		uint64_t *next = i < nanite->n_root_pages ? &root : &bulk;
		if (state->bulk_offset != *next || state->bulk_size < state->page_size)
			return false;
		if ((uint64_t)state->first_dependency + state->n_dependencies >
			nanite->n_dependencies)
			return false;
		*next += state->bulk_size;
	}
	for (uint32_t i = 0; i < nanite->n_dependencies; i++)
		if (nanite->dependencies[i] >= nanite->n_states)
			return false;
	return root == nanite->root_size;
}

/*
 * Reads a resource, beginning with its strip flags, in the format of one version. *fits_ret is
 * whether the bytes are a complete resource in that format. Returns an error only when memory runs
 * out.
 */
static struct cs_error *read_as(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, uint64_t at, enum cs_ue_nanite_version version,
	struct cs_arena *arena, struct cs_ue_nanite *ret, bool *fits_ret)
{
	struct cs_cursor cursor =
		cs_cursor_over(package->bytes, export->offset + export->size, 0, package->file);
	struct cs_ue_nanite nanite = {.version = version, .at = at};
	*fits_ret = false;
	cs_ue_nanite_fields(version, nanite.fields);
	cs_cursor_seek(&cursor, at);
	if (cs_cursor_u8(&cursor) & STRIPPED)
		return NULL;
	cs_cursor_skip(&cursor, 1);
	cs_cursor_skip(&cursor, 4); /* skip the flags */
	nanite.bulk_index = cs_cursor_u32(&cursor);
	nanite.root_size = cs_cursor_count(&cursor, 1);
	nanite.root_at = cursor.position;
	nanite.roots_bytes = cs_cursor_take(&cursor, nanite.root_size);
	read_states(&cursor, arena, &nanite);
	nanite.nodes = nanite_resource_read_array(
		&cursor, cs_ue_nanite_layouts[version].node_bytes, &nanite.n_nodes);
	nanite.root_offsets = nanite_resource_read_numbers(&cursor, arena, 4, &nanite.n_roots);
	nanite.dependencies = nanite_resource_read_numbers(
		&cursor, arena, version >= CS_UE_NANITE_5_7 ? 2 : 4, &nanite.n_dependencies);
	read_rest(&cursor, &nanite);
	*ret = nanite;
	*fits_ret = !cursor.bad && nanite.n_states > 0 && nanite.n_nodes > 0 &&
		    nanite.n_clusters > 0 && states_are_whole(&nanite);
	return cursor.bad && cursor.code == CS_E_NOMEM ? cs_error_nomem() : NULL;
}

/* ---- finding the version whose pages are complete ---- */

static struct cs_error *check_pages(const struct cs_ue_nanite *nanite)
{
	uint64_t clusters = 0;
	for (uint32_t i = 0; i < nanite->n_states; i++) {
		struct cs_ue_page page;
		struct cs_error *error = cs_ue_page_open(nanite, i, &page);
		if (error)
			return error;
		clusters += page.n_clusters;
		cs_ue_page_close(&page);
	}
	return clusters == nanite->n_clusters
		       ? NULL
		       : cs_error_new(CS_E_NANITE,
				 "the pages have %llu clusters, but the resource declares %u",
				 (unsigned long long)clusters, nanite->n_clusters);
}

static struct cs_error *nanite_resource_read_streaming(const struct cs_ue_cooked_package *package,
	cs_ue_read_bulk *read, void *context, struct cs_ue_nanite *nanite)
{
	enum { FIRST = 1 << 20 };
	uint64_t size = 0;
	for (uint32_t i = nanite->n_root_pages; i < nanite->n_states; i++)
		size += nanite->states[i].bulk_size;
	if (size == 0)
		return NULL;
	const bool has = nanite->bulk_index < package->n_bulk;
	const uint64_t there = has ? package->bulk[nanite->bulk_index].size : 0;
	if (!has || there != size)
		return cs_error_at(CS_E_REFERENCE, package->file, nanite->at,
			"the streamed pages of the Nanite resource have %llu bytes, but its bulk "
			"data has %llu",
			(unsigned long long)size, (unsigned long long)there);
	/* in steps of doubling size: of a forged size the file ends before much is allocated */
	const uint64_t offset = package->bulk[nanite->bulk_index].offset;
	struct cs_error *error = NULL;
	for (uint64_t at = 0, end = size < FIRST ? size : FIRST; at < size && !error;) {
		unsigned char *bytes = realloc(nanite->bulk, (size_t)end + 8);
		if (!bytes)
			return cs_error_nomem();
		nanite->bulk = bytes;
		error = read(context, offset + at, bytes + at, (size_t)(end - at));
		at = end;
		end = size - end < end ? size : 2 * end;
	}
	nanite->bulk_size = (size_t)size;
	return error;
}

/* The search for the resource of a mesh. */
struct search {
	const struct cs_ue_cooked_package *package;
	const struct cs_ue_cooked_export *export;
	cs_ue_read_bulk *read;
	void *context; /* argument of `read` */
	struct cs_arena *arena;
	struct cs_ue_nanite *ret;
	bool found;               /* *ret is the resource */
	struct cs_error *failure; /* fatal error if there was one, else the first error */
};

/*
 * Reads a resource by the rules of one version. If it cannot be read, returns the fault that was
 * found. Returns NULL if, by these rules, not even the arrays of the resource are complete.
 */
static struct cs_error *try_version(
	struct search *search, uint64_t at, enum cs_ue_nanite_version version)
{
	struct cs_ue_nanite nanite;
	bool fits;
	struct cs_error *error = read_as(
		search->package, search->export, at, version, search->arena, &nanite, &fits);
	if (error || !fits)
		return error;
	error = nanite_resource_read_streaming(
		search->package, search->read, search->context, &nanite);
	if (!error)
		error = check_pages(&nanite);
	if (error) {
		cs_ue_nanite_deinit(&nanite);
		return error;
	}
	search->found = true;
	*search->ret = nanite;
	return NULL;
}

/*
 * Returns whether bytes could not be read or memory ran out. It is then useless to try other
 * versions or positions.
 */
static bool is_fatal(const struct cs_error *error)
{
	return error && error->code != CS_E_NANITE && error->code != CS_E_REFERENCE;
}

static void note_failure(struct search *search, struct cs_error *error)
{
	search->failure = is_fatal(error) ? cs_error_first(error, search->failure)
					  : cs_error_first(search->failure, error);
}

static bool search_is_over(const struct search *search)
{
	return search->found || is_fatal(search->failure);
}

/* Reads a resource at the offset `at`, trying all versions of the format, newest first. */
static void nanite_resource_try_place(struct search *search, uint64_t at)
{
	for (int v = CS_UE_NANITE_VERSIONS - 1; v >= 0 && !search_is_over(search); v--)
		if (search->package->releases & cs_ue_nanite_layouts[v].releases)
			note_failure(search, try_version(search, at, (enum cs_ue_nanite_version)v));
}

/* Returns the error for a mesh without resource. Before 5.3 resources have no signature to find. */
static struct cs_error *nothing_found(
	const struct cs_ue_cooked_package *package, const struct cs_ue_cooked_export *export)
{
	const uint32_t unsigned_ones = 1u << CS_UE_5_0 | 1u << CS_UE_5_1 | 1u << CS_UE_5_2;
	if (!(package->releases & ~unsigned_ones))
		return cs_error_at(CS_E_FEATURE, package->file, export->offset,
			"engine 5.0, 5.1 or 5.2 cooked the mesh, whose Nanite data cannot be "
			"read: cook it with 5.3 or later");
	return cs_error_at(CS_E_MISSING, package->file, export->offset,
		package->releases & unsigned_ones
			? "the mesh contains no Nanite resource of engine 5.3 to 5.8; if it has "
			  "one of 5.0 to 5.2, this program cannot recognise it"
			: "the mesh contains no Nanite resource of engine 5.3 to 5.8");
}

/*
 * Rejects a forged mesh in which resources with large tables seem to start at many byte offsets. A
 * resource is tried at each of them, and its tables stay in memory until the mesh is closed.
 */
static struct cs_error *check_tries(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, const struct cs_arena *arena)
{
	enum { TABLES_PER_BYTE = 32, TABLES_AT_LEAST = 16 << 20 };
	if (arena->total <= TABLES_AT_LEAST + export->size * TABLES_PER_BYTE)
		return NULL;
	return cs_error_at(CS_E_LIMIT, package->file, export->offset,
		"the mesh has too many places that look like the start of a Nanite resource: the "
		"file is damaged; copy it again");
}

struct cs_error *cs_ue_nanite_find(const struct cs_ue_cooked_package *package,
	const struct cs_ue_cooked_export *export, cs_ue_read_bulk *read, void *context,
	struct cs_arena *arena, struct cs_ue_nanite *ret)
{
	struct search search = {.package = package,
		.export = export,
		.read = read,
		.context = context,
		.arena = arena,
		.ret = ret};
	if (!cs_ue_cooked_has_bytes(package, export))
		return cs_error_at(CS_E_MISSING, package->file, CS_NO_OFFSET,
			"the bytes of the mesh are in a .uexp file that does not exist: copy it "
			"beside the package");
	for (uint64_t i = BEFORE_ROOT; i + 4 <= export->size && !search_is_over(&search); i++) {
		uint64_t at = export->offset + i;
		if (cs_load16(package->bytes + at) != SIGN)
			continue;
		uint32_t size = cs_load32(package->bytes + at - 4);
		if (size < 32 || size > export->size - i)
			continue;
		note_failure(&search, check_tries(package, export, arena));
		nanite_resource_try_place(&search, at - BEFORE_ROOT);
	}
	if (search.found) {
		cs_error_free(search.failure);
		return NULL;
	}
	return search.failure ? search.failure : nothing_found(package, export);
}

void cs_ue_nanite_deinit(struct cs_ue_nanite *nanite)
{
	free(nanite->bulk);
	nanite->bulk = NULL;
}
