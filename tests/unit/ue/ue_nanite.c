/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite resources of the engine: those that the tests write (engine_nanite.h), of each version and
 * in each packaging, against what was written; and cooked ones, against what an independent reader
 * decoded: every page, cluster and slot, triangles of level 0, and closed cuts.
 */
#include "tests/samples/engine_nanite.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "tests/samples/use_model.h"

#include <cellscope/ue.h>

#include "core/cursor.h"
#include "format/byte_source.h"
#include "ue/nanite/cooked_nanite.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *data;

static struct cs_model *open_mesh(const char *name)
{
	char path[4096];
	struct cs_ue_place *place = NULL;
	struct cs_model *model = NULL;
	size_t file;
	snprintf(path, sizeof(path), "%s/ue/cooked/%s", data, name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s: opens", name);
	works(cs_ue_place_find(place, name, &file), "%s: is there", name);
	works(cs_ue_place_open_mesh(place, file, NULL, &model), "%s: is decoded", name);
	cs_ue_place_close(place);
	return model;
}

static size_t wrong;

static void same(const char *what, size_t row, double got, double want)
{
	if (got == want)
		return;
	wrong++;
	if (wrong < 20)
		diag("%s %zu: %.9g, want %.9g", what, row, got, want);
}

static double at(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static double item(const json_t *object, const char *key, size_t i)
{
	return json_number_value(json_array_get(json_object_get(object, key), i));
}

static double pair(const json_t *rows, size_t i, size_t k)
{
	return json_number_value(json_array_get(json_array_get(rows, i), k));
}

/*
 * Compares the first coded vertices with those that an independent reader decoded: grid positions,
 * colours, UVs.
 */
static void check_vertices(const struct cs_model *m, size_t row, const json_t *want)
{
	const struct cs_model_cluster *c = &m->clusters[row];
	const json_t *positions = json_object_get(want, "first_positions");
	const json_t *colors = json_object_get(want, "first_colours");
	const json_t *uvs = json_object_get(want, "first_uvs");
	if (c->n_coded != c->n_vertices)
		return; /* coded ones are not the first then */
	for (size_t v = 0; v < json_array_size(positions); v++)
		for (size_t k = 0; k < 3; k++)
			same("position", row, m->positions[3 * (c->first_vertex + v) + k],
				pair(positions, v, k) * c->grid_step);
	for (size_t v = 0; v < json_array_size(colors); v++)
		for (size_t k = 0; k < 4; k++)
			same("colour", row, m->vertex_colors[4 * (c->first_vertex + v) + k],
				pair(colors, v, k));
	same("UVs", row, c->n_uvs, (double)json_array_size(uvs));
	for (size_t t = 0; t < json_array_size(uvs); t++)
		for (size_t v = 0; v < json_array_size(json_array_get(uvs, t)); v++)
			for (size_t k = 0; k < 2; k++)
				same("UV", row, m->vertex_uvs[t][2 * (c->first_vertex + v) + k],
					pair(json_array_get(uvs, t), v, k));
}

static void check_cluster(const struct cs_model *m, size_t row, const json_t *want)
{
	const struct cs_model_cluster *c = &m->clusters[row];
	same("vertices", row, c->n_vertices, at(want, "verts"));
	same("triangles", row, c->n_triangles, at(want, "tris"));
	same("coded", row, c->n_coded, at(want, "coded"));
	same("references", row, c->n_vertices - c->n_coded, at(want, "refs"));
	same("error", row, c->lod_error, at(want, "error"));
	same("edge", row, c->edge_length, at(want, "edge"));
	same("flags", row, c->flags, at(want, "flags"));
	same("group", row, m->groups[c->group].number, at(want, "group"));
	same("index bits", row, c->index_bits, at(want, "bits_per_index"));
	same("attribute bits", row, c->attribute_bits, at(want, "bits_per_attribute"));
	same("UV channels", row, c->n_uvs, at(want, "uvs"));
	same("colour mode", row, c->color_mode, at(want, "colour_mode"));
	same("level 0", row, c->maker == CS_NONE, json_is_true(json_object_get(want, "lod0")));
	for (size_t k = 0; k < 3; k++) {
		same("sphere", row, c->lod_centre[k], item(want, "sphere", k));
		same("box centre", row, c->box_centre[k], item(want, "box_centre", k));
		same("box extent", row, c->box_extent[k], item(want, "box_extent", k));
		same("start", row, c->start[k], item(want, "pos_start", k));
		same("position bits", row, c->position_bits[k], item(want, "pos_bits", k));
	}
	same("radius", row, c->lod_radius, item(want, "sphere", 3));
	for (size_t k = 0; k < 4; k++) {
		same("colour", row, c->color_min[k], item(want, "colour_min", k));
		same("colour bits", row, c->color_bits[k], item(want, "colour_bits", k));
	}
	const json_t *triangles = json_object_get(want, "first_triangles");
	for (size_t t = 0; t < json_array_size(triangles); t++)
		for (size_t k = 0; k < 3; k++)
			same("corner", row, m->corners[3 * (c->first_triangle + t) + k],
				json_number_value(json_array_get(json_array_get(triangles, t), k)));
	check_vertices(m, row, want);
	const json_t *materials = json_object_get(want, "materials");
	same("materials", row, c->n_materials, (double)json_array_size(materials));
	for (size_t k = 0; k < json_array_size(materials) && k < c->n_materials; k++) {
		const struct cs_model_material *range = &m->materials[c->first_material + k];
		const json_t *r = json_array_get(materials, k);
		same("first", row, range->first, json_number_value(json_array_get(r, 0)));
		same("count", row, range->count, json_number_value(json_array_get(r, 1)));
		same("material", row, range->material, json_number_value(json_array_get(r, 2)));
	}
}

static void check_page(
	const struct cs_model *m, size_t row, const json_t *want, const json_t *state)
{
	const struct cs_model_page *p = &m->pages[row];
	const json_t *clusters = json_object_get(want, "clusters"), *cluster;
	size_t i;
	same("blob", row, p->disk_bytes, at(want, "blob_bytes"));
	same("chunk", row, p->chunk_bytes, at(want, "fixup_bytes"));
	same("page", row, p->page_bytes, at(state, "page_size"));
	same("GPU bytes", row, p->gpu_bytes, at(want, "gpu_total"));
	same("clusters", row, p->n_clusters, at(json_object_get(want, "header"), "num_clusters"));
	same("dependencies", row, m->dependency_first[row + 1] - m->dependency_first[row],
		at(state, "dep_num"));
	json_array_foreach ((json_t *)clusters, i, cluster)
		check_cluster(m, p->first_cluster + i, cluster);
}

/* An edge between two positions; those without an opposite edge are the border of a cut. */
struct edge {
	float from[3], to[3];
};

static int by_edge(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct edge));
}

static size_t border_of(const struct cs_model *m, const bool *drawn)
{
	size_t n = 0, open = 0;
	struct edge *edges = calloc(3 * m->n_triangles + 1, sizeof(*edges));
	for (size_t c = 0; c < m->n_clusters; c++) {
		const struct cs_model_cluster *row = &m->clusters[c];
		for (uint32_t t = 0; drawn[c] && t < row->n_triangles; t++)
			for (unsigned k = 0; k < 3; k++) {
				const uint8_t *v = m->corners + 3 * (row->first_triangle + t);
				const float *a = m->positions + 3 * (row->first_vertex + v[k]);
				const float *b =
					m->positions + 3 * (row->first_vertex + v[(k + 1) % 3]);
				for (int x = 0; x < 3; x++) {
					edges[n].from[x] = a[x] + 0.0f;
					edges[n].to[x] = b[x] + 0.0f;
				}
				n++;
			}
	}
	qsort(edges, n, sizeof(*edges), by_edge);
	for (size_t i = 0; i < n; i++) {
		struct edge back;
		memcpy(back.from, edges[i].to, sizeof(back.from));
		memcpy(back.to, edges[i].from, sizeof(back.to));
		open += !bsearch(&back, edges, n, sizeof(*edges), by_edge);
	}
	free(edges);
	return open;
}

/*
 * Checks a cut: a cluster is drawn when its error <= t < the error of the group that was made of
 * it.
 */
static void check_cut(
	const struct cs_model *m, double t, size_t clusters, size_t triangles, size_t border)
{
	bool *drawn = calloc(m->n_clusters + 1, sizeof(*drawn));
	size_t n = 0, sum = 0;
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		double parent = m->groups[c->group].max_parent_error;
		drawn[i] = (c->maker == CS_NONE || c->lod_error <= t) && t < parent;
		n += drawn[i];
		sum += drawn[i] ? c->n_triangles : 0;
	}
	is_int(n, clusters, "cut at %g: clusters", t);
	is_int(sum, triangles, "cut at %g: triangles", t);
	is_int(border_of(m, drawn), border, "cut at %g: one closed border", t);
	free(drawn);
}

static void check_mesh(const char *name, const char *file, const char *writer)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/ue/answers/nanite/%s", data, file);
	json_t *want = json_load_file(path, 0, NULL), *page;
	struct cs_model *m = open_mesh(name);
	size_t i;
	if (!m || !want) {
		json_decref(want);
		return;
	}
	json_t *resource = json_object_get(want, "resource");
	is_text(m->writer, writer, "%s: the version of its format", name);
	is_int(m->n_clusters, (long long)at(resource, "num_clusters"), "%s: clusters", name);
	is_int(m->input_triangles, (long long)at(resource, "input_triangles"), "%s: triangles",
		name);
	is_int(m->input_vertices, (long long)at(resource, "input_vertices"), "%s: vertices", name);
	is_int(m->position_precision, (long long)at(resource, "position_precision"),
		"%s: precision", name);
	wrong = 0;
	json_array_foreach (json_object_get(want, "pages"), i, page)
		check_page(m, i, page, json_array_get(json_object_get(want, "states"), i));
	for (size_t d = 0; d < json_array_size(json_object_get(resource, "deps")); d++)
		same("dependency", d, m->dependencies[d],
			json_number_value(json_array_get(json_object_get(resource, "deps"), d)));
	is_int(m->n_pages, (long long)i, "%s: pages", name);
	is_int(wrong, 0, "%s: every field of every page and cluster is that of the answer", name);
	size_t triangles = 0;
	for (size_t c = 0; c < m->n_clusters; c++)
		triangles += m->clusters[c].level == 0 ? m->clusters[c].n_triangles : 0;
	is_int(triangles, m->input_triangles, "%s: level 0 has all triangles", name);
	if (strstr(name, "SM_Nanite")) {
		check_cut(m, 0, 17, 2048, 128);
		check_cut(m, 4.33203125, 8, 1007, 105);
		check_cut(m, 5.55859375, 4, 504, 82);
		check_cut(m, 6.89453125, 2, 252, 66);
		check_cut(m, 9.8125, 1, 125, 51);
	}
	cs_model_free(m);
	json_decref(want);
}

/* ---- a ribbon that the tests write ---- */

/*
 * Checks colours from 10, 20, 30, 255 on in 3, 4, 0 and 2 bits, and the UVs that the codes of this
 * version mean.
 */
static void check_ribbon_attributes(
	const struct cs_model *m, const struct engine_cluster *want, size_t row, uint32_t v)
{
	static const int least[4] = {10, 20, 30, 255}, masks[4] = {7, 15, 0, 3};
	/* of the codes 1000, 1048, 2000 and 2002, worked out by hand */
	const double far[4] = {-2081882112.0, -2078736384.0, -2016346112.0, -2016215040.0};
	const struct engine_vertex *at = &want->vertices[v];
	const size_t vertex = (size_t)m->clusters[row].first_vertex + v;
	const bool shared = at->reference; /* as the one that it refers to */
	for (int k = 0; k < 4 && !shared; k++)
		same("colour", row, m->vertex_colors[4 * vertex + (size_t)k],
			(uint8_t)(least[k] + (want->coloured ? (at->x + at->y) & masks[k] : 0)));
	const float *uv = m->vertex_uvs[0] + 2 * vertex;
	if (strcmp(m->writer, "UE 5.3") == 0) {
		same("u", row, (double)uv[0], at->x / 64.0);
		same("v", row, (double)uv[1], at->y / 64.0);
		return;
	}
	if (at->x == 0 || at->x == ENGINE_COLUMNS)
		same("u", row, (double)uv[0], far[at->x > 0]);
	if (at->y != 1)
		same("v", row, (double)uv[1], far[2 + at->y / 2]);
}

static void check_ribbon_vertices(
	const struct cs_model *m, const struct engine_cluster *want, size_t row)
{
	const struct cs_model_cluster *c = &m->clusters[row];
	for (uint32_t v = 0; v < want->n_vertices && v < c->n_vertices; v++) {
		int32_t place[3];
		uint32_t code[2];
		const float *at = m->positions + 3 * (size_t)(c->first_vertex + v);
		const float *normal = m->normals + 3 * (size_t)(c->first_vertex + v);
		engine_mesh_place(want->vertices[v].x, want->vertices[v].y, place);
		engine_mesh_normal(want->vertices[v].x, want->vertices[v].y, code);
		for (int k = 0; k < 3; k++)
			same("position", row, at[k], (double)place[k] / ENGINE_UNIT);
		/* back to the octahedron, on whose upper half all of them are */
		double sum =
			fabs((double)normal[0]) + fabs((double)normal[1]) + fabs((double)normal[2]);
		for (int k = 0; k < 2; k++)
			same("normal", row, round((normal[k] / sum + 1) / 2 * 255), code[k]);
		check_ribbon_attributes(m, want, row, v);
	}
	for (uint32_t t = 0; t < want->n_triangles && t < c->n_triangles; t++)
		for (int k = 0; k < 3; k++)
			same("corner", row, m->corners[3 * (c->first_triangle + t) + (uint32_t)k],
				want->corners[t][k]);
}

static void check_ribbon_numbers(
	const struct cs_model *m, const struct engine_mesh *mesh, size_t row)
{
	const struct engine_cluster *want = &mesh->clusters[row];
	const struct cs_model_cluster *c = &m->clusters[row];
	bool streams = mesh->version >= CS_UE_NANITE_5_4;
	same("page", row, c->page, want->page);
	same("index", row, c->index, want->index);
	same("group", row, m->groups[c->group].number, want->group);
	same("maker", row, c->maker == CS_NONE ? CS_NONE : m->groups[c->maker].number, want->maker);
	same("level", row, c->level, row == 0 ? 2 : row < 3 ? 1 : 0);
	same("vertices", row, c->n_vertices, want->n_vertices);
	same("coded", row, c->n_coded, want->n_vertices - want->n_references);
	same("triangles", row, c->n_triangles, want->n_triangles);
	same("codes", row, c->n_codes, want->n_codes);
	same("starts", row, c->n_starts, want->n_starts);
	same("flags", row, c->flags, want->flags);
	same("leaf", row, c->leaf, want->flags & 1);
	same("step", row, c->grid_step, 1.0 / ENGINE_UNIT);
	same("error", row, c->lod_error, want->error);
	same("edge", row, c->edge_length, want->edge);
	same("radius", row, c->lod_radius, want->sphere[3]);
	same("colours", row, c->color_mode, streams ? want->coloured : 1 + want->coloured);
	same("UV channels", row, c->n_uvs, 1);
	same("UV bits", row, c->uv_bits, 6 | 2 << 4);
	same("index bits", row, c->index_bits, want->n_vertices > 64 ? 7 : 6);
	same("attribute bits", row, c->attribute_bits,
		16 + 8 + (want->tangents ? 8 : 0) + (want->coloured ? 3 + 4 + 2 : 0));
	for (int k = 0; k < 3; k++) {
		same("start", row, c->start[k], want->start[k]);
		same("position bits", row, c->position_bits[k], want->position_bits[k]);
		same("centre", row, c->lod_centre[k], want->sphere[k]);
		same("box", row, c->box_centre[k], want->box[k]);
		same("extent", row, c->box_extent[k], want->box[3 + k]);
	}
	same("blue", row, c->color_min[2], 30);
	same("blue bits", row, c->color_bits[1], want->coloured ? 4 : 0);
	uint32_t ranges[4], n = engine_mesh_ranges(want, ranges), first = 0;
	same("materials", row, c->n_materials, n);
	for (uint32_t i = 0; i < n && i < c->n_materials; first += ranges[i++]) {
		const struct cs_model_material *range = &m->materials[c->first_material + i];
		same("range", row, range->first, first);
		same("length", row, range->count, ranges[i]);
		same("material", row, range->material, i);
	}
}

/* Checks that the box of a slot contains exactly those of its clusters. */
static void check_slot_box(const struct cs_model_slot *slot, const struct engine_mesh *mesh,
	const struct engine_part *part)
{
	for (int k = 0; k < 3; k++) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = part->first; i < part->first + part->n; i++) {
			const float *box = mesh->clusters[i].box;
			low = fmin(low, (double)(box[k] - box[3 + k]));
			high = fmax(high, (double)(box[k] + box[3 + k]));
		}
		same("low end of slot", part->slot, slot->box_centre[k] - slot->box_extent[k], low);
		same("high end of slot", part->slot, slot->box_centre[k] + slot->box_extent[k],
			high);
	}
}

static void check_ribbon_groups(const struct cs_model *m, const struct engine_mesh *mesh)
{
	bool groups = cs_ue_nanite_layouts[mesh->version].groups;
	same("groups", 0, (double)m->n_groups, ENGINE_GROUPS);
	same("parts", 0, (double)m->n_parts, ENGINE_PARTS);
	same("nodes", 0, (double)m->n_nodes, 2);
	same("slots", 0, (double)m->n_slots, ENGINE_PARTS + 1);
	for (size_t i = 0; i < m->n_parts && i < ENGINE_PARTS; i++) {
		const struct cs_model_part *part = &m->parts[i];
		const struct cs_model_slot *slot = &m->slots[part->slot];
		const struct cs_model_group *group = &m->groups[part->group];
		const struct engine_part *want = &engine_parts[i];
		uint32_t range = engine_group_range(mesh, want->group), key;
		uint32_t bits = mesh->version >= CS_UE_NANITE_5_5 ? 5 : 3, first, n;
		engine_group_pages(want->group, &first, &n);
		key = groups ? n : range & ((1u << bits) - 1);
		same("group of part", i, group->number, want->group);
		same("page of part", i, part->page, want->page);
		same("first of part", i, part->first_cluster, want->first);
		same("size of part", i, part->n_clusters, want->n);
		same("node", i, slot->node, want->node);
		same("slot", i, slot->slot, want->slot);
		same("pages of slot", i, slot->n_pages, key);
		same("first page", i, slot->first_page, groups ? first : range >> bits);
		same("parents", i, slot->max_parent_error, engine_errors[want->group]);
		same("least error", i, slot->min_error,
			want->group == 2 ? 2
			: groups         ? mesh->clusters[want->first].error
					 : -1);
		for (int k = 0; k < 3; k++)
			same("sphere", i, slot->centre[k], engine_spheres[want->group][k]);
		same("radius of slot", i, slot->radius, engine_spheres[want->group][3]);
		check_slot_box(slot, mesh, want);
	}
}

/*
 * Checks fixups and dependencies of pages: before 5.7 page 0 names page 1, from then on the last
 * page does.
 */
static void check_ribbon_pages(const struct cs_model *m, const struct engine_mesh *mesh)
{
	static const uint32_t old[ENGINE_PAGES][2] = {{4, 1}, {2, 1}, {1, 1}},
			      new[ENGINE_PAGES][2] = {{2, 0}, {2, 1}, {1, 1}},
			      clusters[ENGINE_PAGES] = {4, 1, 2};
	bool groups = cs_ue_nanite_layouts[mesh->version].groups;
	for (size_t p = 0; p < ENGINE_PAGES && p < m->n_pages; p++) {
		const uint32_t *want = groups ? new[p] : old[p];
		same("clusters of page", p, m->pages[p].n_clusters, clusters[p]);
		same("hierarchy fixups", p, m->pages[p].n_hierarchy_fixups, want[0]);
		same("fixups", p, m->pages[p].n_fixups, want[0] + want[1]);
		same("root", p, m->pages[p].root, p == 0);
		same("needs", p, m->dependency_first[p + 1] - m->dependency_first[p], p > 0);
	}
	for (size_t i = 0; i < m->n_fixups; i++) {
		const struct cs_model_fixup *f = &m->fixups[i];
		if (f->kind == CS_MODEL_FIXUP_CLUSTER) {
			same("fixed cluster", i, f->cluster, f->page == 2 ? 2 : 1);
			continue;
		}
		uint32_t first, n, group = m->groups[m->clusters[f->cluster].group].number;
		engine_group_pages(group, &first, &n);
		same("pages of fixup", i, f->n_pages, groups || first > 0 ? n : n - 1);
		same("first page of fixup", i, f->first_page, groups || first > 0 ? first : n > 1);
		same("target", i, f->target_page, m->clusters[f->cluster].page);
	}
}

static void check_ribbon_closures(const struct cs_model *m)
{
	uint32_t *pages = NULL;
	size_t n = 0;
	works(cs_model_closure(m, 1, CS_CLOSURE_GROUPS, &pages, &n), "what page 1 needs");
	is_int(n, 2, "page 1 needs the root page");
	free(pages);
	works(cs_model_closure(m, 0, CS_DEPENDENTS_LISTED, &pages, &n), "who needs page 0");
	is_int(n, ENGINE_PAGES, "all need it");
	free(pages);
}

static struct cs_model *open_ribbon(const char *folder, const char *name)
{
	char path[4300];
	struct cs_ue_place *place = NULL;
	struct cs_ue_meshes *list = NULL;
	struct cs_model *model = NULL;
	size_t file;
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	works(cs_ue_place_open(path, NULL, NULL, &place), "%s opens", name);
	works(cs_ue_place_find(place, "SM_Ribbon.uasset", &file), "%s: is there", name);
	works(cs_ue_place_open_mesh(place, file, NULL, &model), "%s: is decoded", name);
	works(cs_ue_place_meshes(place, NULL, &list), "%s: is listed", name);
	ok(list->n == 1 && list->meshes[0].triangles == 4 * ENGINE_COLUMNS &&
			list->meshes[0].clusters == ENGINE_CLUSTERS &&
			list->meshes[0].position_precision == 4 && list->unreadable == 0,
		"%s: with its numbers", name);
	cs_ue_meshes_free(list);
	cs_ue_place_close(place);
	return model;
}

static void check_ribbon(const char *folder, const char *name, enum cs_ue_nanite_version version)
{
	static const char *const writers[CS_UE_NANITE_VERSIONS] = {
		"UE 5.3", "UE 5.4", "UE 5.5", "UE 5.6", "UE 5.7 (unproven)", "UE 5.8"};
	struct cs_model *m = open_ribbon(folder, name);
	struct engine_mesh mesh;
	if (!m)
		return;
	engine_mesh_make(version, &mesh);
	/* of what looks alike in two versions the newer is said */
	is_text(m->writer, writers[version], "%s: its version", name);
	is_int(m->n_pages, ENGINE_PAGES, "%s: pages", name);
	is_int(m->n_clusters, ENGINE_CLUSTERS, "%s: clusters", name);
	is_int(m->input_vertices, 3 * (ENGINE_COLUMNS + 1), "%s: vertices", name);
	wrong = 0;
	for (size_t i = 0; i < m->n_clusters && i < ENGINE_CLUSTERS; i++) {
		check_ribbon_numbers(m, &mesh, i);
		check_ribbon_vertices(m, &mesh.clusters[i], i);
	}
	check_ribbon_groups(m, &mesh);
	check_ribbon_pages(m, &mesh);
	is_int(wrong, 0, "%s: every field as it was written", name);
	check_ribbon_closures(m);
	is_int(m->depth, 2, "%s: nodes above each other", name);
	check_cut(m, 0, 4, 192, 100);
	check_cut(m, 2, 3, 146, 100);
	check_cut(m, 3, 2, 100, 100);
	check_cut(m, 8, 1, 98, 100);
	engine_mesh_deinit(&mesh);
	cs_model_free(m);
}

/* Checks each version, in loose files and in containers, legacy and Zen. */
static void check_ribbons(void)
{
	static const enum cs_ue_release releases[] = {
		CS_UE_5_3, CS_UE_5_4, CS_UE_5_5, CS_UE_5_6, CS_UE_5_7, CS_UE_5_8, CS_UE_6_0};
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		for (int zen = 0; zen < 2; zen++) {
			char folder[4096];
			const struct engine_form form = {.release = releases[i],
				.zen = zen,
				.tagged = i % 2,
				.versioned = i % 2};
			enum cs_ue_nanite_version version = engine_nanite_version(releases[i]);
			snprintf(folder, sizeof(folder), "%s/ribbon-%s%s", test_folder(),
				cs_ue_releases[releases[i]].name, zen ? "-zen" : "");
			mkdir(folder, 0777);
			diag("%s", strrchr(folder, '/') + 1);
			ok(engine_nanite_save(&form, folder) &&
					engine_nanite_pack(&form, !zen, folder),
				"a ribbon is written");
			check_ribbon(folder, "SM_Ribbon.uasset", version);
			check_ribbon(folder, zen ? "Ribbon.utoc" : "Ribbon.pak", version);
		}
}

/* ---- damage ---- */

static struct cs_error *open_ribbon_in(const char *folder, struct cs_model **ret)
{
	char path[4300];
	struct cs_ue_place *place;
	size_t file;
	snprintf(path, sizeof(path), "%s/SM_Ribbon.uasset", folder);
	struct cs_error *error = cs_ue_place_open(path, NULL, NULL, &place);
	if (error)
		return error;
	error = cs_ue_place_find(place, "SM_Ribbon.uasset", &file);
	if (!error)
		error = cs_ue_place_open_mesh(place, file, NULL, ret);
	cs_ue_place_close(place);
	return error;
}

static struct cs_error *try_mesh(const char *folder)
{
	struct cs_model *model = NULL;
	struct cs_error *error = open_ribbon_in(folder, &model);
	cs_model_free(model);
	return error;
}

static void flip_byte(const char *path, long at)
{
	FILE *file = fopen(path, "r+b");
	if (!file || fseek(file, at, SEEK_SET) != 0)
		abort();
	int byte = fgetc(file);
	fseek(file, at, SEEK_SET);
	fputc(byte ^ 0x11, file);
	fclose(file);
}

/* Flips each byte of the pages after the root page: nothing crashes, and most flips are noticed. */
static void flip_bytes(const char *folder, const char *path, long size)
{
	int codes[CS_E_INTERNAL + 1] = {0}, results = 0;
	for (long at = 16; at < size; at += 5) {
		flip_byte(path, at);
		struct cs_error *error = try_mesh(folder);
		if (error)
			codes[error->code]++;
		else
			results++;
		cs_error_free(error);
		flip_byte(path, at);
	}
	is_int(codes[CS_E_NANITE] + results, (size - 16 + 4) / 5,
		"flipped bytes are E_NANITE, or "
		"of a value");
	ok(codes[CS_E_NANITE] > 30, "%d of them are noticed", codes[CS_E_NANITE]);
}

static void check_damage(void)
{
	char folder[4096], pages[4200];
	struct stat st;
	const struct engine_form form = {.release = CS_UE_5_8};
	snprintf(folder, sizeof(folder), "%s/ribbon-damaged", test_folder());
	snprintf(pages, sizeof(pages), "%s/SM_Ribbon.ubulk", folder);
	mkdir(folder, 0777);
	ok(engine_nanite_save(&form, folder) && stat(pages, &st) == 0, "a ribbon to damage");
	works(try_mesh(folder), "it opens");
	for (long at = 16; at < 18; at++) {
		flip_byte(pages, at);
		fails(try_mesh(folder), CS_E_NANITE, "its fixups begin with another mark");
		flip_byte(pages, at);
	}
	flip_bytes(folder, pages, st.st_size);
	ok(truncate(pages, st.st_size - 1) == 0, "its last page loses a byte");
	fails(try_mesh(folder), CS_E_TRUNCATED, "which is said");
	ok(remove(pages) == 0, "it loses all pages but the root");
	fails(try_mesh(folder), CS_E_MISSING, "which is said");
}

static void write_word(const char *path, long at, const unsigned char bytes[4])
{
	FILE *file = fopen(path, "r+b");
	if (!file || fseek(file, at, SEEK_SET) != 0 || fwrite(bytes, 1, 4, file) != 4)
		abort();
	fclose(file);
}

/*
 * Returns how many extreme words in a file lead to no answer, to an error that is not of the file,
 * or to more than two seconds of work.
 */
static size_t try_extremes(const char *folder, const char *path, long first)
{
	static const uint32_t extremes[] = {
		0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000, 0xff7fffff};
	enum { EVERY = 7 };
	unsigned char *bytes;
	size_t size, bad = 0;
	works(cs_read_whole(path, 1 << 20, &bytes, &size), "%s", path);
	for (long at = 4 * first; at + 4 <= (long)size; at += 4L * EVERY * tap_every()) {
		for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]); i++) {
			unsigned char word[4];
			struct cs_model *model = NULL;
			const clock_t began = clock();
			cs_store32(word, extremes[i]);
			write_word(path, at, word);
			struct cs_error *error = open_ribbon_in(folder, &model);
			if (!error)
				error = use_model(model);
			const bool fault = error && (error->code == CS_E_INTERNAL ||
							    error->code == CS_E_NOMEM);
			if (fault || clock() - began > 2 * CLOCKS_PER_SEC) {
				diag("%s: word at %ld is %#x: %s", path, at, extremes[i],
					error ? error->message : "slow");
				bad++;
			}
			cs_error_free(error);
		}
		write_word(path, at, bytes + at);
	}
	free(bytes);
	return bad;
}

/*
 * Tries each form of pages that the engine has had: its root and tables, and the pages after them.
 */
static void check_extremes(void)
{
	static const enum cs_ue_release releases[] = {
		CS_UE_5_3, CS_UE_5_4, CS_UE_5_5, CS_UE_5_6, CS_UE_5_7, CS_UE_5_8};
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		const struct engine_form form = {.release = releases[i]};
		const char *const name = cs_ue_releases[releases[i]].name;
		char folder[4096], path[4200];
		snprintf(folder, sizeof(folder), "%s/ribbon-extreme-%s", test_folder(), name);
		mkdir(folder, 0777);
		ok(engine_nanite_save(&form, folder), "a ribbon of %s", name);
		snprintf(path, sizeof(path), "%s/SM_Ribbon.uexp", folder);
		is_int((long long)try_extremes(folder, path, (long)i), 0, "%s: tables", name);
		snprintf(path, sizeof(path), "%s/SM_Ribbon.ubulk", folder);
		is_int((long long)try_extremes(folder, path, (long)i), 0, "%s: pages", name);
		works(try_mesh(folder), "%s: as it was", name);
	}
}

/*
 * Nothing says whether a mesh of 5.1 has Nanite data: the error says that, and not that there is
 * none.
 */
static void check_unread_version(void)
{
	char folder[4096];
	const struct engine_form form = {.release = CS_UE_5_1};
	snprintf(folder, sizeof(folder), "%s/ribbon-5.1", test_folder());
	mkdir(folder, 0777);
	ok(engine_nanite_save(&form, folder), "a ribbon of 5.1");
	struct cs_error *error = try_mesh(folder);
	const struct cs_error *cause = error && error->cause ? error->cause : error;
	ok(cause && cause->code == CS_E_FEATURE && strstr(cause->message, "5.0, 5.1 or 5.2 cooked"),
		"what cannot be told of it is said: %s", cause ? cause->message : "read");
	cs_error_free(error);
}

/* UVs that are wider than planes of three bytes, or finer than a float, are refused. */
static void check_uv_sizes(void)
{
	static const struct {
		enum cs_ue_release release;
		uint32_t bits, precision;
		bool sound;
	} cases[] = {{CS_UE_5_8, 24, 0, true}, {CS_UE_5_8, 25, 0, false}, {CS_UE_5_4, 31, 0, false},
		{CS_UE_5_3, 0, 30, true}, {CS_UE_5_3, 0, 0x80000000u, false},
		{CS_UE_5_3, 0, 31, false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char folder[4096];
		const struct engine_form form = {.release = cases[i].release,
			.uv_bits = cases[i].bits,
			.uv_precision = cases[i].precision};
		snprintf(folder, sizeof(folder), "%s/ribbon-uvs-%zu", test_folder(), i);
		mkdir(folder, 0777);
		ok(engine_nanite_save(&form, folder), "a ribbon with UVs of %u bits, precision %u",
			cases[i].bits, cases[i].precision);
		if (cases[i].sound)
			works(try_mesh(folder), "it opens");
		else
			fails(try_mesh(folder), CS_E_NANITE, "which is refused");
	}
}

/*
 * Before 5.7 a slot is unused when its word of pages is 0, from then on when it has no part either.
 */
static void check_unused(void)
{
	static const struct {
		enum cs_ue_nanite_version version;
		uint32_t pages, part, n;
	} cases[] = {{CS_UE_NANITE_5_3, 0, 1u << 16, 0}, {CS_UE_NANITE_5_3, 1, 0, 1},
		{CS_UE_NANITE_5_8, 0, 0, 0}, {CS_UE_NANITE_5_8, 1, 0, 1},
		{CS_UE_NANITE_5_8, 0, 1u << 16, 1}, {CS_UE_NANITE_5_8, 0, 1u << 24, 1},
		{CS_UE_NANITE_5_8, 0, 1u << 25 | 0xffff, 0}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char node[240] = {0};
		struct cs_ue_nanite nanite = {cases[i].version, .nodes = node, .n_nodes = 1};
		struct cs_model *model = calloc(1, sizeof(*model));
		cs_ue_nanite_fields(cases[i].version, nanite.fields);
		memset(node + 44, 0xff, 4);
		cs_store32(node + 48, cases[i].pages);
		cs_store32(node + 52, cases[i].part);
		if (model)
			works(cs_ue_nanite_link(&nanite, model), "a node of one slot, %zu", i);
		is_int(model ? model->n_slots : 9, cases[i].n, "its slot is %sused",
			cases[i].n ? "" : "un");
		cs_model_free(model);
	}
}

/*
 * In this mesh every sixth byte begins something like a resource whose tables are the same and most
 * of the mesh: it is refused before it fills the memory.
 */
static void check_decoys(void)
{
	enum { SIZE = 1 << 20, TABLES = 120000 };
	unsigned char *bytes = calloc(SIZE, 1);
	struct cs_ue_cooked_package package = {
		.file = (char *)"decoys", .bytes = bytes, .size = SIZE, .releases = ~0u};
	const struct cs_ue_cooked_export export = {.size = SIZE};
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_ue_nanite nanite;
	for (uint32_t sign = 28; sign + 2 <= TABLES; sign += 6) {
		cs_store32(bytes + sign - 4, TABLES - sign);
		memcpy(bytes + sign, "NF", 2);
	}
	cs_store32(bytes + TABLES, (SIZE - TABLES) / 20 - 1);
	fails(cs_ue_nanite_find(&package, &export, NULL, NULL, &arena, &nanite), CS_E_LIMIT,
		"a mesh of decoys");
	ok(arena.total < 100 << 20, "which took %llu bytes", (unsigned long long)arena.total);
	cs_arena_deinit(&arena);
	free(bytes);
}

int main(void)
{
	check_decoys();
	check_ribbons();
	check_unused();
	check_damage();
	check_extremes();
	check_unread_version();
	check_uv_sizes();
	data = shared_data();
	if (!data) {
		skip("no shared data: CELLSCOPE_DATA does not lead to it");
		return done();
	}
	check_mesh("UE5_8-Tagged-SM_Nanite.uasset", "UE5_8-Tagged-SM_Nanite.json", "UE 5.8");
	check_mesh("UE5_8-Unversioned-SM_Nanite.uasset", "UE5_8-Tagged-SM_Nanite.json", "UE 5.8");
	check_mesh("UE6_0-Tagged-SM_Nanite.uasset", "UE5_8-Tagged-SM_Nanite.json", "UE 5.8");
	check_mesh("UE6_0-Unversioned-SM_Nanite.uasset", "UE5_8-Tagged-SM_Nanite.json", "UE 5.8");
	check_mesh("UE5_3-mat_index_testing_cube.uasset", "mat_index_testing_cube.json", "UE 5.3");
	return done();
}
