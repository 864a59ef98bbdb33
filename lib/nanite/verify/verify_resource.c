/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifies a resource: the file, then each page (continuing after a broken rule). If all pages
 * could be decoded, also verifies the rules that concern several pages. Findings are sorted by
 * page, and those that concern no single page come last.
 */
#include "nanite/verify/verify_resource.h"

#include "core/job.h"
#include "nanite/format/contents.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MATERIALS = 64 }; /* the material of a triangle is stored in 6 bits */

/* ---- checks of the tables and the atlas ---- */

/* Checks that pages `first` to `end` - 1 are stored without gaps and fill `size` bytes. */
static void check_gaps(
	const struct cs_resource_check *check, uint32_t first, uint32_t end, size_t size)
{
	uint64_t next = 0;
	for (uint32_t page = first; page < end; page++) {
		const struct cs_nanite_page_state *state = &check->resource->pages[page];
		if (state->bulk_offset < next)
			cs_breach(&check->breaches[page], CS_RULE_R3, cs_in_page(page),
				"the page begins at byte %u, but the previous one ends at byte "
				"%" PRIu64,
				state->bulk_offset, next);
		else if (state->bulk_offset > next)
			cs_breach(&check->breaches[page], CS_RULE_R10, cs_in_page(page),
				"unused bytes before the page: %" PRIu64,
				state->bulk_offset - next);
		next = (uint64_t)state->bulk_offset + state->bulk_size;
	}
	if (next < size)
		cs_breach(check->rest, CS_RULE_R10, CS_NOWHERE,
			"unused bytes after the last page: %" PRIu64, size - next);
}

static void check_info(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_nanite_info *info = check->resource->info;
	const struct {
		const char *name;
		uint64_t said, found;
	} counts[] = {
		{"uvs", info->uvs, contents->n_uvs},
		{"materials", info->materials, check->resource->n_sections},
		{"levels", info->levels, contents->n_levels},
		{"groups", info->groups, contents->n_groups},
		{"parts", info->parts, contents->n_parts},
		{"clusters", info->clusters, contents->n_clusters},
		{"triangles", info->triangles, contents->n_triangles},
		{"vertices", info->vertices, contents->n_vertices},
	};
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i].said != counts[i].found)
			cs_breach(check->rest, CS_RULE_R9, CS_NOWHERE,
				"the count `%s` is %" PRIu64 ", but there are %" PRIu64,
				counts[i].name, counts[i].said, counts[i].found);
}

static void check_bounds(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_nanite_info *info = check->resource->info;
	const float step = contents->n_clusters ? contents->clusters[0].grid_step : 0;
	for (unsigned axis = 0; axis < 3 && contents->n_vertices; axis++) {
		int32_t low = INT32_MAX, high = INT32_MIN;
		for (size_t v = 0; v < contents->n_vertices; v++) {
			const int32_t at = contents->grid[3 * v + axis];
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
		const float min = (float)low * step, max = (float)high * step;
		if (info->min[axis] != min || info->max[axis] != max)
			cs_breach(check->rest, CS_RULE_R9, CS_NOWHERE,
				"the bounds on axis %c are %g to %g, but those of the vertices "
				"are %g to %g",
				"XYZ"[axis], (double)info -> min[axis], (double)info -> max[axis],
				(double)min, (double)max);
	}
}

/* Returns whether some cluster has a colour other than white. */
static bool has_colors(const struct cs_nanite_contents *contents)
{
	for (size_t i = 0; i < contents->n_clusters; i++)
		if (contents->clusters[i].color_mode != CS_COLOR_WHITE)
			return true;
	return false;
}

static void check_color_flag(const struct cs_resource_check *check)
{
	const bool said = (check->resource->info->flags & CS_NANITE_COLORS) != 0;
	if (said != has_colors(check->contents))
		cs_breach(check->rest, CS_RULE_R9, CS_NOWHERE,
			said ? "the flag `colors` is set, but all vertices are white"
			     : "the flag `colors` is not set, but some vertices are not white");
}

/* Numbers of triangles of each material: in level 0, and in all levels. */
struct section_counts {
	uint32_t input[MATERIALS], all[MATERIALS];
};

static void count_sections(const struct cs_nanite_contents *contents, struct section_counts *ret)
{
	for (size_t i = 0; i < contents->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &contents->clusters[i];
		for (uint32_t t = 0; t < cluster->n_triangles; t++) {
			const uint8_t material = contents->materials[cluster->first_triangle + t];
			ret->all[material % MATERIALS]++;
			ret->input[material % MATERIALS] += cluster->level == 0;
		}
	}
}

static void check_section_rows(const struct cs_resource_check *check)
{
	const struct cs_nanite *nanite = check->resource;
	struct section_counts counts = {{0}, {0}};
	count_sections(check->contents, &counts);
	for (size_t i = 0; i < nanite->n_sections && i < MATERIALS; i++) {
		const struct cs_nanite_section *section = &nanite->sections[i];
		if (section->material != i)
			cs_breach(check->rest, CS_RULE_R9, CS_NOWHERE,
				"section %zu is that of material %u", i, section->material);
		if (section->input_triangles != counts.input[i] ||
			section->triangles != counts.all[i])
			cs_breach(check->rest, CS_RULE_R9, CS_NOWHERE,
				"section %zu has %u triangle%s in level 0 and %u in all levels, but "
				"there are %u and %u",
				i, section->input_triangles,
				section->input_triangles == 1 ? "" : "s", section->triangles,
				counts.input[i], counts.all[i]);
	}
}

static bool vertex_is_fine(const struct cs_nanite_coarse_vertex *vertex)
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (!isfinite(vertex->position[axis]) || !isfinite(vertex->normal[axis]))
			return false;
	return true;
}

static bool triangle_is_fine(
	const struct cs_nanite *nanite, const struct cs_nanite_coarse_triangle *triangle)
{
	for (unsigned corner = 0; corner < 3; corner++)
		if (triangle->corners[corner] >= nanite->n_coarse_vertices)
			return false;
	return triangle->material < nanite->n_sections;
}

static void check_coarse_mesh(const struct cs_resource_check *check)
{
	const struct cs_nanite *nanite = check->resource;
	size_t vertices = 0, triangles = 0;
	for (size_t i = 0; i < nanite->n_coarse_vertices; i++)
		vertices += !vertex_is_fine(&nanite->coarse_vertices[i]);
	for (size_t i = 0; i < nanite->n_coarse_triangles; i++)
		triangles += !triangle_is_fine(nanite, &nanite->coarse_triangles[i]);
	if (vertices + triangles)
		cs_breach(check->rest, CS_RULE_R11, CS_NOWHERE,
			"the fallback mesh has vertices that are not finite: %zu, and triangles of "
			"missing vertices or materials: %zu",
			vertices, triangles);
}

static bool check_resource_tables(const struct cs_resource_check *check)
{
	const struct cs_nanite *nanite = check->resource;
	uint32_t n = (uint32_t)nanite->n_pages, roots = n < CS_ROOT_PAGES ? n : CS_ROOT_PAGES;
	check_gaps(check, 0, roots, nanite->n_root_bytes);
	check_gaps(check, roots, n, nanite->n_stream_bytes);
	check_info(check);
	check_bounds(check);
	check_color_flag(check);
	check_section_rows(check);
	check_coarse_mesh(check);
	if (nanite->n_atlas != 0 && nanite->n_atlas != CS_ATLAS_SIZE)
		cs_breach(check->rest, CS_RULE_R6, CS_NOWHERE,
			"the imposter atlas has %zu pixels instead of 20736", nanite->n_atlas);
	return true;
}

/*
 * Lists the clusters of the root group, at most two, in the order in which pixels of the atlas
 * number them. Returns how many there are.
 */
static uint32_t list_root_clusters(const struct cs_nanite_contents *contents, uint32_t ret[2])
{
	uint32_t n = 0;
	const struct cs_model_group *root = &contents->groups[contents->n_groups - 1];
	for (uint32_t p = 0; p < root->n_parts; p++) {
		const struct cs_model_part *part = CS_GROUP_PART(contents, root, p);
		for (uint32_t i = 0; i < part->n_clusters && n < 2; i++)
			ret[n++] = part->first_cluster + i;
	}
	return n;
}

static bool pixel_is_fine(const struct cs_nanite_contents *contents, const uint32_t *clusters,
	uint32_t n, uint16_t pixel)
{
	uint32_t cluster = pixel >> CS_ATLAS_CLUSTER & 1;
	uint32_t triangle = pixel & cs_bits_mask(CS_ATLAS_CLUSTER);
	return pixel == 0 || (pixel >> CS_ATLAS_DEPTH && cluster < n &&
				     triangle < contents->clusters[clusters[cluster]].n_triangles);
}

static bool check_atlas(const struct cs_resource_check *check)
{
	enum { TILE = CS_ATLAS_PIXELS * CS_ATLAS_PIXELS };
	const struct cs_nanite *nanite = check->resource;
	uint32_t clusters[2] = {0, 0}, wrong = 0, empty = 0, first = 0;
	uint32_t n = check->contents->n_groups ? list_root_clusters(check->contents, clusters) : 0;
	for (size_t tile = 0; nanite->n_atlas == CS_ATLAS_SIZE && tile < CS_ATLAS_SIZE / TILE;
		tile++) {
		bool drawn = false;
		for (size_t i = tile * TILE; i < (tile + 1) * TILE; i++) {
			drawn = drawn || nanite->atlas[i];
			if (pixel_is_fine(check->contents, clusters, n, nanite->atlas[i]))
				continue;
			first = wrong++ ? first : (uint32_t)i;
		}
		empty += !drawn;
	}
	if (wrong)
		cs_breach(check->rest, CS_RULE_A1, CS_NOWHERE,
			"%u pixels name no triangle of the root clusters; the first is "
			"pixel %u with value %04x",
			wrong, first, nanite->atlas[first]);
	if (empty)
		cs_breach(check->rest, CS_RULE_A2, CS_NOWHERE,
			"%u of %d tiles of the imposter atlas are empty", empty,
			CS_ATLAS_SIZE / TILE);
	return true;
}

/* ---- running all checks ---- */

static bool is_whole(const struct cs_breaches *breaches, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (breaches[i].fatal)
			return false;
	return true;
}

static bool check_contents(const struct cs_resource_check *check, bool deep)
{
	bool ok = check_resource_tables(check) && cs_check_fixups(check) &&
		  cs_check_dependencies(check) && cs_check_hierarchy(check) &&
		  cs_check_dag(check) && check_atlas(check);
	ok = ok && cs_check_seams(check);
	if (!ok || !deep)
		return ok;
	ok = cs_check_groups_closed(check);
	return ok && check->contents->depth ? cs_check_streaming(check) : ok;
}

static struct cs_error *verify_resource(const struct cs_nanite *resource, bool deep,
	const struct cs_job *job, struct cs_breaches *breaches)
{
	struct cs_nanite_contents *contents = NULL;
	size_t n = resource->n_pages;
	struct cs_error *error = cs_decode_contents(resource, job, breaches, &contents);
	if (error || !contents || !is_whole(breaches, n)) {
		cs_nanite_contents_free(contents);
		return error;
	}
	const struct cs_resource_check check = {resource, contents, breaches, &breaches[n], job};
	if (!check_contents(&check, deep))
		error = cs_error_nomem();
	cs_nanite_contents_free(contents);
	return error;
}

static struct cs_error *verify(const struct cs_nanite *resource, bool deep,
	const struct cs_job *job, struct cs_verify *verify)
{
	size_t n = resource->n_pages;
	struct cs_breaches *breaches = calloc(n + 1, sizeof(*breaches));
	if (!breaches)
		return cs_error_nomem();
	struct cs_error *error = verify_resource(resource, deep, job, breaches);
	if (error)
		error = cs_verify_error(verify, error);
	for (size_t i = 0; i <= n; i++) {
		if (!error && breaches[i].out_of_memory)
			error = cs_error_nomem();
		if (!error)
			cs_breaches_report(&breaches[i],
				i < n ? cs_page_offset(resource, (uint32_t)i) : CS_NO_OFFSET,
				verify);
		cs_breaches_deinit(&breaches[i]);
	}
	free(breaches);
	return error;
}

struct cs_error *cs_nanite_check(const struct cs_nanite *resource, bool deep,
	const struct cs_job *job, void (*report)(void *context, const struct cs_finding *finding),
	void *context, size_t *n_ret)
{
	struct cs_verify sink = {report, context, 0, cs_job_limits(job).findings};
	struct cs_error *error = verify(resource, deep, job, &sink);
	if (!error)
		*n_ret = sink.n;
	return error;
}

struct cs_error *cs_nanite_verify(const char *path, bool deep, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret)
{
	struct cs_verify sink = {report, context, 0, cs_job_limits(job).findings};
	struct cs_file *file = NULL;
	struct cs_nanite *resource = NULL;
	struct cs_error *error = cs_verify_file(path, job, &sink, &file);
	if (!error && file)
		error = cs_verify_error(&sink, cs_nanite_adopt(file, &resource));
	if (!error && resource)
		error = verify(resource, deep, job, &sink);
	cs_nanite_free(resource);
	if (!error)
		*n_ret = sink.n;
	return error;
}
