/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanite resources that the engine cooked, against what an independent reader decoded: every page,
 * cluster and slot, triangles of level 0, and closed cuts.
 */
#include "tests/tap.h"

#include <cellscope/ue_cooked.h>

#include <jansson.h>
#include <math.h>

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

/* Edges of one direction without the other, by position: the border of a cut. */
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

/* Drawn: error <= t < error of what is made of it. */
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

int main(void)
{
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
