/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of a resource that inspectors read. Held against what was decoded, row by row; closures
 * against their own meaning: what they name suffices for the groups of the page, and nothing of it
 * can be missed; groups that count as loaded against the rule of the verifier; pictures against
 * rays, one for each pixel and triangle.
 */
#include "nanite/format/resource.h"
#include "nanite/inspect/model_inside.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"

#include "core/random.h"
#include "nanite/format/contents.h"

#include <cellscope/mesh.h>
#include <cellscope/pages.h>

#include <math.h>

struct made {
	struct cs_nanite *resource;
	struct cs_nanite_contents *contents;
	struct cs_model *model;
};

static bool make(enum cs_mesh_kind kind, uint32_t triangles, struct made *ret)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 5};
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_mesh *mesh = NULL;
	*ret = (struct made){0};
	works(cs_mesh_generate(&recipe, NULL, &mesh), "%s is generated", mesh_kind_name(kind));
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &ret->resource), "it is built");
	works(cs_nanite_decode(ret->resource, NULL, &ret->contents), "it is decoded");
	works(cs_model_of_resource(ret->resource, mesh_kind_name(kind), NULL, &ret->model),
		"it becomes a model");
	cs_mesh_free(mesh);
	return ret->model && ret->contents;
}

static void unmake(struct made *made)
{
	cs_model_free(made->model);
	cs_nanite_contents_free(made->contents);
	cs_nanite_free(made->resource);
}

/* ---- rows ---- */

static bool same_cluster(const struct cs_model *m, size_t i, const struct cs_nanite_contents *c)
{
	const struct cs_model_cluster *row = &m->clusters[i];
	const struct cs_model_cluster *from = &c->clusters[i];
	bool same = row->page == from->page && row->index == from->index &&
		    row->level == from->level && row->group == from->group &&
		    row->maker == from->maker && row->part == from->part &&
		    row->n_triangles == from->n_triangles && row->n_vertices == from->n_vertices &&
		    row->n_coded == from->n_coded;
	for (uint32_t v = 0; v < row->n_vertices; v++)
		for (unsigned axis = 0; axis < 3; axis++) {
			float at = m->positions[3 * ((size_t)row->first_vertex + v) + axis];
			same = same && fabsf(at - row->box_centre[axis]) <=
					       row->box_extent[axis] + (float)row->grid_step;
		}
	return same;
}

static void check_rows(const struct made *made)
{
	const struct cs_model *m = made->model;
	const struct cs_nanite_contents *c = made->contents;
	bool clusters = m->n_clusters == c->n_clusters, needs = true, sections = true;
	uint64_t references = 0, counted = 0;
	for (size_t i = 0; clusters && i < m->n_clusters; i++)
		clusters = same_cluster(m, i, c);
	ok(clusters, "clusters are what was decoded, and lie in their boxes");
	for (size_t i = 0; i < m->n_references; i++) {
		const struct cs_model_reference *row = &m->references[i];
		references += row->vertices;
		clusters = clusters && row->source <= row->cluster;
	}
	for (size_t p = 0; p < m->n_pages; p++) {
		const struct cs_nanite_page_state *state =
			&cs_nanite_page_states(made->resource, &(size_t){0})[p];
		const struct cs_model_page *page = &m->pages[p];
		uint32_t listed = 0, bytes = 0;
		counted += page->references;
		for (uint32_t i = 0; i < page->n_needs; i++)
			listed += (m->needs[page->first_need + i].why & CS_NEED_LISTED) != 0;
		for (uint32_t i = 0; i < page->n_sections; i++)
			bytes += m->sections[page->first_section + i].bytes;
		needs = needs && listed == state->n_dependencies;
		sections = sections && bytes == page->page_bytes;
	}
	ok(references == counted && clusters, "references are counted, each to an earlier cluster");
	ok(needs, "needs that are listed are the dependencies");
	ok(sections, "sections fill the page");
	ok(m->n_levels == c->n_levels && m->depth == c->depth, "levels and depth agree");
}

/* ---- what pages are full of ---- */

/* The kinds of content add up to the size of the loaded page, and those of its clusters do, too. */
static void check_content(const struct cs_model *m)
{
	const struct cs_nanite_summary total = cs_model_summarise(m);
	uint64_t disk = 0, gpu = 0;
	size_t right = 0;
	for (uint32_t p = 0; p < m->n_pages; p++) {
		const struct cs_model_page *page = &m->pages[p];
		const struct cs_model_content s =
			cs_model_content(m, m->pages[p].first_cluster, m->pages[p].n_clusters);
		uint64_t clusters = 0;
		uint32_t full = 0, light = 0;
		for (uint32_t i = page->first_cluster; i < page->first_cluster + page->n_clusters;
			i++) {
			clusters += (uint32_t)cs_model_content(m, i, 1).bytes;
			full += m->clusters[i].n_triangles == 128;
			light += m->clusters[i].n_triangles <= 63;
		}
		right += clusters == page->gpu_bytes && s.full == full && s.light == light &&
			 s.bytes == page->gpu_bytes;
		disk += page->disk_bytes;
		gpu += page->gpu_bytes;
	}
	is_int(right, m->n_pages, "what each page is full of makes up its bytes");
	ok(total.disk_bytes == disk && total.gpu_bytes == gpu, "and all pages the total");
}

/* ---- sums of levels ---- */

static struct cs_model_level level_by_hand(const struct cs_model *m, uint32_t level)
{
	struct cs_model_level sum = {.level = level,
		.min_error = INFINITY,
		.max_error = -INFINITY,
		.first_page = UINT32_MAX};
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &m->clusters[i];
		if (cluster->level != level)
			continue;
		sum.clusters++;
		sum.triangles += cluster->n_triangles;
		sum.min_error = fminf(sum.min_error, cluster->lod_error);
		sum.max_error = fmaxf(sum.max_error, cluster->lod_error);
		if (cluster->page < sum.first_page)
			sum.first_page = cluster->page;
		if (cluster->page > sum.last_page)
			sum.last_page = cluster->page;
	}
	for (size_t i = 0; i < m->n_groups; i++) {
		const struct cs_model_group *group = &m->groups[i];
		if (group->level != level)
			continue;
		sum.groups++;
		if (group->n_parents == 0)
			continue;
		sum.reduced_triangles += group->triangles;
		sum.parent_triangles += group->parent_triangles;
		sum.stuck += group->parent_triangles > 0.8 * group->triangles;
		if (isfinite(group->max_parent_error))
			sum.parent_error = fmaxf(sum.parent_error, group->max_parent_error);
	}
	return sum;
}

/* Checks each field of each level, and that the levels contain everything. */
static void check_levels(const struct cs_model *m)
{
	struct cs_model_level *levels = NULL;
	size_t n = 0, clusters = 0, groups = 0;
	bool same = true;
	works(cs_model_levels(m, &levels, &n), "levels are summed up");
	for (size_t i = 0; i < n; i++) {
		const struct cs_model_level *level = &levels[i];
		struct cs_model_level sum = level_by_hand(m, (uint32_t)i);
		same = same && memcmp(level, &sum, sizeof(sum)) == 0;
		clusters += level->clusters;
		groups += level->groups;
	}
	free(levels);
	is_int(n, m->n_levels, "as many as the model has");
	ok(same, "each sum is that of a count by hand");
	ok(clusters == m->n_clusters && groups == m->n_groups, "of all clusters and groups");
}

/* ---- closures ---- */

static bool groups_of_page_are(
	const struct cs_model *m, uint32_t page, const bool *installed, bool *effective)
{
	bool all = true;
	cs_model_effective(m, installed, effective);
	for (uint32_t i = 0; i < m->pages[page].n_parts; i++)
		all = all && effective[m->parts[m->pages[page].first_part + i].group];
	return all;
}

static void mark(const uint32_t *pages, size_t n, bool *installed, size_t n_pages)
{
	memset(installed, 0, n_pages);
	for (size_t i = 0; i < n; i++)
		installed[pages[i]] = true;
}

static void check_group_closures(const struct cs_model *m)
{
	bool *installed = calloc(m->n_pages + 1, 1), *effective = calloc(m->n_groups + 1, 1);
	bool suffices = true, least = true, listed_inside = true;
	size_t short_lists = 0;
	for (uint32_t page = 0; page < m->n_pages; page++) {
		uint32_t *pages, *listed;
		size_t n, n_listed;
		works(cs_model_closure(m, page, CS_CLOSURE_GROUPS, &pages, &n), "closure %u", page);
		works(cs_model_closure(m, page, CS_CLOSURE_LISTED, &listed, &n_listed),
			"listed closure %u", page);
		mark(pages, n, installed, m->n_pages);
		suffices = suffices && groups_of_page_are(m, page, installed, effective);
		for (size_t i = 0; i < n_listed; i++)
			listed_inside = listed_inside && installed[listed[i]];
		for (size_t i = 0; i < n; i++) {
			installed[pages[i]] = false;
			least = least &&
				(m->pages[pages[i]].root || pages[i] == page ||
					!groups_of_page_are(m, page, installed, effective));
			installed[pages[i]] = true;
		}
		mark(listed, n_listed, installed, m->n_pages);
		short_lists += !groups_of_page_are(m, page, installed, effective);
		free(pages);
		free(listed);
	}
	ok(suffices, "with the closure of a page all its groups are drawn");
	ok(least, "without one page of it they are not");
	ok(listed_inside, "what is listed is part of it");
	diag("%zu of %zu pages are not complete with what is listed", short_lists, m->n_pages);
	free(installed);
	free(effective);
}

static void check_dependents(const struct cs_model *m)
{
	bool agree = true;
	for (int rule = 0; rule < 2; rule++) {
		for (uint32_t page = 0; page < m->n_pages; page++) {
			uint32_t *fall, *closure;
			size_t n, n_closure, seen = 0;
			works(cs_model_closure(m, page,
				      (enum cs_closure)(rule + CS_DEPENDENTS_LISTED), &fall, &n),
				"dependents of %u", page);
			for (uint32_t other = 0; other < m->n_pages; other++) {
				bool inside = false;
				cs_error_free(cs_model_closure(
					m, other, (enum cs_closure)rule, &closure, &n_closure));
				for (size_t i = 0; i < n_closure; i++)
					inside = inside || closure[i] == page;
				free(closure);
				bool falls = seen < n && fall[seen] == other;
				seen += falls;
				agree = agree && falls == inside;
			}
			free(fall);
		}
	}
	ok(agree, "a page falls with those that its closure has, by both rules");
}

/* ---- bytes ---- */

/* Checks the bytes of one cluster by hand, then each sum against those of its rows. */
static void check_bytes(const struct cs_model *m)
{
	const struct cs_nanite_summary total = cs_model_summarise(m);
	uint64_t disk = 0, loaded = 0, sections = 0, named = 0;
	bool same = true, fits = true;
	for (uint32_t p = 0; p < m->n_pages; p++) {
		const struct cs_model_page *page = &m->pages[p];
		const struct cs_model_content all =
			cs_model_content(m, m->pages[p].first_cluster, m->pages[p].n_clusters);
		uint64_t bytes = 0;
		uint32_t full = 0, light = 0;
		for (uint32_t i = 0; i < page->n_clusters; i++) {
			const struct cs_model_cluster *c = &m->clusters[page->first_cluster + i];
			bytes += (uint32_t)cs_model_content(m, page->first_cluster + i, 1).bytes;
			full += c->n_triangles == 128;
			light += c->n_triangles <= 63;
		}
		same = same && all.full == full && all.light == light &&
		       all.headers == 128 * (uint64_t)page->n_clusters &&
		       bytes == all.headers + all.materials + all.uvs + all.triangles +
					all.positions + all.attributes;
		fits = fits && bytes <= page->gpu_bytes;
		disk += page->disk_bytes;
		loaded += page->gpu_bytes;
	}
	for (size_t i = 0; i < m->n_sections; i++)
		sections += m->sections[i].bytes;
	for (uint32_t s = 0; s < m->pages[0].n_sections; s++)
		named += cs_model_section_bytes(m, m->sections[m->pages[0].first_section + s].name);
	ok(same, "what fills a page is what its clusters take");
	ok(fits, "which is no more than the page has when it is loaded");
	ok(total.disk_bytes == disk && total.gpu_bytes == loaded, "totals are those of the pages");
	is_int(named, sections, "sections by name are all sections");
	is_int(cs_model_section_bytes(m, "no such"), 0, "a name that no section has");
}

static void check_chain(const struct cs_model *m)
{
	uint32_t *chain;
	size_t n;
	bool linked = true;
	works(cs_model_longest_chain(m, &chain, &n), "the longest chain");
	for (size_t i = 0; i + 1 < n; i++) {
		bool found = false;
		for (uint32_t k = m->dependency_first[chain[i]];
			k < m->dependency_first[chain[i] + 1]; k++)
			found = found || m->dependencies[k] == chain[i + 1];
		linked = linked && found;
	}
	ok(n > 0 && linked, "each page of it lists the next");
	free(chain);
}

/* ---- the effective rule ---- */

static bool has(const uint32_t *pages, size_t n, uint32_t page)
{
	for (size_t i = 0; i < n; i++)
		if (pages[i] == page)
			return true;
	return false;
}

/* The answer that has both closures says of each page what each closure says alone. */
static void check_needed(const struct cs_model *m)
{
	size_t wrong = 0, apart = 0;
	for (uint32_t page = 0; page < m->n_pages; page++) {
		struct cs_model_needed *rows;
		uint32_t *listed, *groups;
		size_t n, n_listed, n_groups, at = 0;
		cs_error_free(cs_model_needed(m, page, &rows, &n));
		cs_error_free(cs_model_closure(m, page, CS_CLOSURE_LISTED, &listed, &n_listed));
		cs_error_free(cs_model_closure(m, page, CS_CLOSURE_GROUPS, &groups, &n_groups));
		for (uint32_t p = 0; p < m->n_pages; p++) {
			bool in_lists = has(listed, n_listed, p),
			     in_groups = has(groups, n_groups, p);
			if (!in_lists && !in_groups)
				continue;
			wrong += at >= n || rows[at].page != p || rows[at].listed != in_lists ||
				 rows[at].groups != in_groups;
			apart += in_lists != in_groups;
			at++;
		}
		wrong += at != n;
		free(rows);
		free(listed);
		free(groups);
	}
	is_int(wrong, 0, "needed: as both closures say, %zu pages by one rule alone", apart);
	struct cs_model_needed *rows;
	size_t n;
	char want[64];
	snprintf(want, sizeof(want), "(number of pages: %zu, counted from 0)", m->n_pages);
	struct cs_error *error = cs_model_needed(m, (uint32_t)m->n_pages, &rows, &n);
	ok(error && error->code == CS_E_MISSING && strstr(error->message, want),
		"needed: a page that is none");
	cs_error_free(error);
}

/* Compares the edges with each pair of a group and the group of a cluster that it made. */
static void check_edges(const struct cs_model *m)
{
	struct cs_model_edge *edges;
	size_t n, pairs = 0, wrong = 0;
	bool *above = calloc(m->n_groups * m->n_groups + 1, 1);
	works(cs_model_edges(m, &edges, &n), "edges of groups");
	for (uint32_t c = 0; c < m->n_clusters; c++)
		if (m->clusters[c].maker != CS_NONE && m->clusters[c].group != CS_NONE)
			above[m->clusters[c].maker * m->n_groups + m->clusters[c].group] = true;
	for (size_t i = 0; i < m->n_groups * m->n_groups; i++)
		pairs += above[i];
	for (size_t i = 0; i < n; i++) {
		bool *mark = &above[edges[i].group * m->n_groups + edges[i].above];
		wrong += !*mark || (i > 0 && edges[i].group < edges[i - 1].group);
		*mark = false; /* a second one would be wrong */
	}
	ok(wrong == 0, "edges: each pair once, by group: %zu", n);
	is_int(n, pairs, "edges: all of them");
	free(edges);
	free(above);
}

static void check_cut_pages(const struct cs_model *m)
{
	const struct cs_nanite_view view = {.uniform = true};
	struct cs_model_cut cut;
	uint32_t *pages = malloc((m->n_pages + 1) * sizeof(*pages));
	works(cs_model_cut(m, &(struct cs_model_choice){.view = &view}, &cut), "a cut at no error");
	cut.pages[0] = false;
	size_t n = cs_model_cut_pages(m, &cut, pages), wrong = 0;
	for (uint32_t p = 0; p < m->n_pages; p++)
		wrong += has(pages, n, p) != cut.pages[p];
	for (size_t i = 1; i < n; i++)
		wrong += pages[i] <= pages[i - 1];
	ok(wrong == 0, "pages of a cut: %zu, ascending", n);
	free(cut.clusters);
	free(pages);
}

/* A value that is unknown for a page is left out of the sum. */
static void check_total(struct cs_model *m)
{
	const uint32_t bytes = m->pages[0].gpu_bytes;
	const struct cs_nanite_summary all = cs_model_summarise(m);
	m->pages[0].gpu_bytes = CS_NONE;
	is_int(cs_model_summarise(m).gpu_bytes, all.gpu_bytes - bytes,
		"total: without what is unknown");
	m->pages[0].gpu_bytes = bytes;
	const uint32_t triangles = m->input_triangles;
	m->input_triangles = CS_NONE;
	ok(isnan(cs_model_summarise(m).bytes_per_triangle) && all.fill > 0 &&
			m->sums.fill == all.fill,
		"total: no bytes for each of an unknown number of triangles");
	m->input_triangles = triangles;
	const struct cs_model_page *page = &m->pages[0];
	uint32_t slack = 0;
	for (uint32_t i = 0; i < page->n_sections; i++) {
		struct cs_model_section *section = &m->sections[page->first_section + i];
		if (section->slack != CS_NONE)
			slack += section->slack;
	}
	is_int(cs_model_slack(m, 0), slack, "slack: of all sections of a page");
	if (page->n_sections == 0)
		return;
	const uint32_t first = m->sections[page->first_section].slack;
	m->sections[page->first_section].slack = CS_NONE;
	is_int(cs_model_slack(m, 0), slack - (first == CS_NONE ? 0 : first),
		"slack: without what is unknown");
	m->sections[page->first_section].slack = first;
}

/* Returns whether the pages that can be uninstalled are those that no page needs, but no roots. */
static bool leaves_by_needs(const struct cs_residency *r)
{
	const struct cs_nanite *resource = r->contents->resource;
	bool *needed = calloc(r->contents->n_pages, 1), right = true;
	for (uint32_t p = 0; p < r->contents->n_pages; p++)
		for (uint32_t i = 0; r->installed[p] && i < resource->pages[p].n_dependencies; i++)
			needed[resource->dependencies[resource->pages[p].first_dependency + i]] = 1;
	for (uint32_t p = 0; p < r->contents->n_pages; p++)
		right = right && cs_residency_can_uninstall(r, p) == (p > 0 && !needed[p]);
	free(needed);
	return right;
}

static void check_effective(const struct made *made)
{
	const struct cs_model *m = made->model;
	struct cs_random random = {3};
	struct cs_residency residency;
	bool *effective = calloc(m->n_groups + 1, 1), agree = true, leaves = true;
	works(cs_residency_init(made->contents, &residency), "residency");
	for (int round = 0; round < 50; round++) {
		for (size_t p = 1; p < m->n_pages; p++)
			residency.installed[p] = cs_random_below(&random, 3) > 0;
		cs_error_free(cs_residency_make_effective(&residency));
		cs_model_effective(m, residency.installed, effective);
		for (size_t i = 0; i < m->n_parts; i++)
			agree = agree && residency.part_loaded[i] == effective[m->parts[i].group];
		leaves = leaves && leaves_by_needs(&residency);
	}
	ok(leaves, "pages leave when no page that is there needs them");
	ok(agree, "groups count as loaded as the verifier has them, in 50 random sets of pages");
	cs_residency_deinit(&residency);
	free(effective);
}

/* ---- cuts ---- */

/* Compares the flat rule of the model with the walk through the hierarchy. */
static void check_cuts(const struct made *made)
{
	const struct cs_model *m = made->model;
	struct cs_random random = {9};
	bool same = true, pages = true, enough = true;
	for (int round = 0; round < 40; round++) {
		struct cs_nanite_view view = {.near = 0.1,
			.pixels = 900,
			.threshold = exp2(cs_random_range(&random, -3, 6)),
			.uniform = round % 4 == 0};
		for (unsigned i = 0; i < 3; i++)
			view.eye[i] = cs_random_range(&random, -400, 400);
		struct cs_model_cut cut;
		uint32_t *clusters = NULL;
		size_t n = 0;
		works(cs_model_cut(m, &(struct cs_model_choice){.view = &view}, &cut), "a cut");
		works(cut_of_view(made->contents, &view, &clusters, &n), "and another");
		same = same && n == cut.n_clusters && memcmp(clusters, cut.clusters, 4 * n) == 0;
		for (size_t i = 0; i < cut.n_clusters; i++)
			pages = pages && cut.pages[m->clusters[cut.clusters[i]].page];
		free(clusters);
		free(cut.clusters);
	}
	ok(same, "40 views cut the same clusters by the flat rule as through the hierarchy");
	ok(pages, "and need the pages that these lie in");
	for (uint64_t triangles = 100; triangles < m->n_triangles; triangles *= 3) {
		struct cs_model_cut cut;
		double error;
		works(cs_model_error_for(m, 0, triangles, &error), "an error for %" PRIu64,
			triangles);
		const struct cs_nanite_view view = {.uniform = true, .threshold = error};
		works(cs_model_cut(m, &(struct cs_model_choice){.view = &view}, &cut), "its cut");
		enough = enough && (cut.triangles >= triangles || error == 0);
		free(cut.clusters);
	}
	ok(enough, "a cut for so many triangles has them, unless there are not so many");
}

/* ---- pictures ---- */

static double dot(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *ret)
{
	for (unsigned i = 0; i < 3; i++)
		ret[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

struct ray {
	double from[3], along[3];
};

struct hit {
	double distance, slope, edge; /* `edge`: how far from the border, in parts of a side */
};

/* Returns where a ray meets a triangle, by the volumes of corners (Moeller and Trumbore). */
static bool meets(const struct ray *ray, const struct cs_model *m, const struct cs_model_cluster *c,
	const uint8_t *corners, struct hit *ret)
{
	double u[3], v[3], w[3], p[3], q[3], n[3];
	for (unsigned i = 0; i < 3; i++) {
		const float *at = m->positions + 3 * (size_t)c->first_vertex + i;
		u[i] = (double)at[3 * corners[1]] - (double)at[3 * corners[0]];
		v[i] = (double)at[3 * corners[2]] - (double)at[3 * corners[0]];
		w[i] = ray->from[i] - (double)at[3 * corners[0]];
	}
	cross(ray->along, v, p);
	cross(w, u, q);
	cross(u, v, n);
	double volume = dot(u, p), a = dot(w, p) / volume, b = dot(ray->along, q) / volume;
	ret->edge = fmin(fmin(a, b), 1 - a - b);
	ret->distance = dot(v, q) / volume;
	ret->slope = fabs(dot(n, ray->along)) / sqrt(dot(n, n));
	return ret->edge >= 0;
}

/* Returns the ray of a pixel in a picture of `side` pixels that shows a ball of that radius. */
static struct ray ray_of(const struct cs_model *m, const struct cs_picture_view *view, double x,
	double y, double radius)
{
	const double degree = acos(-1.0) / 180, yaw = view->yaw * degree;
	const double rise = sin(view->pitch * degree), reach = cos(view->pitch * degree);
	const double right[] = {-sin(yaw), cos(yaw), 0};
	const double toward[] = {reach * cos(yaw), reach * sin(yaw), rise};
	double up[3];
	struct ray ray;
	cross(toward, right, up);
	for (unsigned i = 0; i < 3; i++) {
		double centre = ((double)m->min[i] + (double)m->max[i]) / 2;
		ray.from[i] = centre + radius * (toward[i] + x * right[i] + y * up[i]);
		ray.along[i] = -toward[i];
	}
	return ray;
}

/* Returns the light that comes back along a ray; *sure is true away from borders of triangles. */
static double light_along(const struct ray *ray, const struct cs_model *m,
	const struct cs_model_cut *cut, double radius, bool *sure)
{
	double light = 0, nearest = INFINITY;
	*sure = true;
	for (size_t i = 0; i < cut->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[cut->clusters[i]];
		for (uint32_t t = 0; t < c->n_triangles; t++) {
			struct hit hit;
			if (!meets(ray, m, c, m->corners + 3 * ((size_t)c->first_triangle + t),
				    &hit)) {
				*sure = *sure && !(hit.edge > -1e-9);
				continue;
			}
			*sure = *sure && hit.edge > 1e-9 &&
				fabs(hit.distance - nearest) > 1e-6 * radius;
			if (hit.distance >= nearest)
				continue;
			nearest = hit.distance;
			light = (0.35 + 0.65 * hit.slope) *
				(0.3 + 0.7 * (1 - nearest / radius / 2));
		}
	}
	return light;
}

static void check_picture(const struct cs_model *m, const struct cs_picture_view *view)
{
	enum { WIDTH = 30, HEIGHT = 24 };
	const struct cs_nanite_view coarse = {.uniform = true, .threshold = 60};
	struct cs_picture picture = {0};
	struct cs_model_cut cut = {0};
	double radius = 0;
	unsigned wrong = 0, lit = 0, unsure = 0;
	works(cs_model_cut(m, &(struct cs_model_choice){.view = &coarse}, &cut), "a coarse cut");
	works(cs_picture_clusters(m, cut.clusters, cut.n_clusters, view, WIDTH, HEIGHT, &picture),
		"a picture of it");
	for (unsigned i = 0; i < 3; i++)
		radius += pow(((double)m->max[i] - (double)m->min[i]) / 2, 2);
	radius = sqrt(radius);
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++) {
		double x = (i % WIDTH + 0.5 - WIDTH / 2.0) / (HEIGHT / 2.0);
		double y = -(i / WIDTH + 0.5 - HEIGHT / 2.0) / (HEIGHT / 2.0);
		const struct ray ray = ray_of(m, view, x, y, radius);
		bool sure;
		double light = 255 * light_along(&ray, m, &cut, radius, &sure);
		lit += light > 0;
		unsure += !sure;
		wrong += sure && fabs(picture.pixels[3 * i] + 0.5 - light) > 1;
	}
	diag("%u triangles, %u pixels lit, %u at borders", (unsigned)cut.triangles, lit, unsure);
	ok(wrong == 0 && lit > 10 && unsure < 10,
		"from %g, %g each pixel is what its ray meets, but %u", view->yaw, view->pitch,
		wrong);
	free(picture.pixels);
	free(cut.clusters);
}

static void check_pictures(const struct cs_model *m)
{
	static const struct cs_picture_view views[] = {{5, 25, CS_COLOUR_DEPTH, NULL},
		{35, 20, CS_COLOUR_DEPTH, NULL}, {200, -70, CS_COLOUR_DEPTH, NULL}};
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		check_picture(m, &views[i]);
}

/* ---- names ---- */

static void check_names(void)
{
	static const enum cs_model_row kinds[] = {
		CS_ROWS_PAGES, CS_ROWS_CLUSTERS, CS_ROWS_GROUPS, CS_ROWS_SLOTS};
	struct cs_inspector *inspector;
	struct made first, second;
	bool round = true;
	if (!make(CS_MESH_CUBE, 12, &first) || !make(CS_MESH_CUBE, 12, &second))
		return;
	works(cs_inspector_new(&inspector), "an inspector");
	works(cs_inspector_add(inspector, first.model), "takes a resource");
	works(cs_inspector_add(inspector, second.model), "and another of the same name");
	is_text(cs_inspector_models(inspector).at[1]->name, "cube-2",
		"which gets a name of its own");
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (size_t row = 0; row < cs_inspector_rows(inspector, kinds[k]); row++)
			round = round &&
				cs_inspector_parse(inspector, kinds[k],
					cs_inspector_name(inspector, kinds[k], row)) == row;
	ok(round, "every row is found by its name");
	is_int(cs_inspector_parse(inspector, CS_ROWS_PAGES, "0"), 1, "alone it means the current");
	is_int(cs_inspector_parse(inspector, CS_ROWS_PAGES, "1"), CS_NONE, "no such page");
	is_int(cs_inspector_parse(inspector, CS_ROWS_PAGES, "cone:0"), CS_NONE, "no such resource");
	is_int(cs_inspector_parse(inspector, CS_ROWS_CLUSTERS, "99999999999:0"), CS_NONE,
		"a number that is too long");
	cs_inspector_remove(inspector, 0);
	is_text(cs_inspector_name(inspector, CS_ROWS_PAGES, 0), "cube-2:0", "rows move up");
	cs_inspector_free(inspector);
	first.model = second.model = NULL;
	unmake(&first);
	unmake(&second);
}

int main(void)
{
	static const struct {
		enum cs_mesh_kind kind;
		uint32_t triangles;
	} meshes[] = {{CS_MESH_NOISE, 40000}, {CS_MESH_SEAMS, 12000}, {CS_MESH_TRIANGLE, 1}};
	for (size_t i = 0; i < sizeof(meshes) / sizeof(meshes[0]); i++) {
		struct made made;
		if (make(meshes[i].kind, meshes[i].triangles, &made)) {
			check_rows(&made);
			check_content(made.model);
			check_levels(made.model);
			check_group_closures(made.model);
			check_dependents(made.model);
			check_needed(made.model);
			check_edges(made.model);
			check_cut_pages(made.model);
			check_total(made.model);
			check_chain(made.model);
			check_bytes(made.model);
			check_effective(&made);
			check_cuts(&made);
			check_pictures(made.model);
		}
		unmake(&made);
	}
	check_names();
	return done();
}
