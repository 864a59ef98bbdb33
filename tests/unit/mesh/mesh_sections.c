/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections of a resource in its coarse mesh: each a range, all of them one behind the other, and a
 * place kept for those of which nothing is left there.
 */
#include "format/byte_source.h"
#include "mesh/mesh_internal.h"
#include "nanite/format/resource.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <cellscope/dag.h>
#include <cellscope/nanite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes a sphere of three materials, with a speck of a fourth deep inside; no triangle has the
 * fifth.
 */
static struct cs_mesh *made(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_SEAMS, 30000, 3};
	struct cs_mesh *mesh = NULL, *ret = NULL;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh of several materials");
	struct cs_mesh_view view = cs_mesh_view(mesh);
	const size_t v = view.n_vertices, t = view.n_triangles;
	float *positions = calloc(3 * v + 9, sizeof(float));
	uint32_t *indices = calloc(3 * t + 3, sizeof(uint32_t));
	uint8_t *materials = calloc(t + 1, 1);
	memcpy(positions, view.positions, 3 * v * sizeof(float));
	memcpy(indices, view.indices, 3 * t * sizeof(uint32_t));
	memcpy(materials, view.materials, t);
	positions[3 * v + 3] = positions[3 * v + 7] = 0.01f;
	for (uint32_t i = 0; i < 3; i++)
		indices[3 * t + i] = (uint32_t)v + i;
	materials[t] = (uint8_t)view.n_materials;
	const struct cs_mesh_view all = {.positions = positions,
		.indices = indices,
		.materials = materials,
		.n_vertices = (uint32_t)v + 3,
		.n_triangles = (uint32_t)t + 1,
		.n_materials = view.n_materials + 2};
	works(cs_mesh_from_arrays(&all, NULL, NULL, &ret), "with a speck");
	free(positions);
	free(indices);
	free(materials);
	cs_mesh_free(mesh);
	return ret;
}

static void check_range(const struct cs_nanite *resource, uint32_t section,
	const struct cs_nanite_section_range *range, uint32_t *next)
{
	uint32_t n = 0, wrong = 0, least = UINT32_MAX, most = 0;
	for (uint32_t i = 0; i < resource->n_coarse_triangles; i++) {
		const struct cs_nanite_coarse_triangle *row = &resource->coarse_triangles[i];
		const bool inside = i - range->first_triangle < range->n_triangles;
		wrong += inside != (row->material == section);
		for (int k = 0; row->material == section && k < 3; k++) {
			least = row->corners[k] < least ? row->corners[k] : least;
			most = row->corners[k] > most ? row->corners[k] : most;
		}
		n += row->material == section;
	}
	is_int(wrong, 0, "section %u: its range has its triangles, and no other's", section);
	is_int(range->n_triangles, n, "section %u: %u of them", section, n);
	if (n == 0) {
		const struct cs_nanite_section_range none = {0, 0, 0, 0};
		ok(memcmp(range, &none, sizeof(none)) == 0, "section %u: zeros", section);
		return;
	}
	ok(range->min_vertex == least && range->max_vertex == most, "section %u: vertices %u to %u",
		section, least, most);
	is_int(range->first_triangle, *next, "section %u: behind the one before", section);
	*next += n;
}

/* Returns whether the file that the mesh is exported to has all of the texts. */
static bool exports(const struct cs_mesh *mesh, const char *end, const char *const *texts)
{
	char path[4200];
	unsigned char *bytes = NULL;
	size_t n = 0;
	bool all = true;
	snprintf(path, sizeof(path), "%s/names%s", test_folder(), end);
	works(cs_mesh_export(mesh, NULL, path), "export as %s", end);
	works(cs_read_whole(path, 1 << 24, &bytes, &n), "which is read");
	for (; *texts; texts++) {
		const bool found = bytes && memmem(bytes, n, *texts, strlen(*texts));
		if (!found)
			diag("%s has no %s", path, *texts);
		all = all && found;
	}
	free(bytes);
	return all;
}

/* Names of materials of a cut and of the coarse mesh are those of the sections, in files, too. */
static void test_names(void)
{
	static const char *const names[] = {"Bark", "", "Leaf \"x\" \\", "a\nb", "Bark",
		"material1", "materials", "a\tb", " Bark"};
	enum { N = sizeof(names) / sizeof(names[0]) };
	static const char *const in_obj[] = {"usemtl Bark\n", "usemtl material1\n",
		"usemtl Leaf \"x\" _\n", "usemtl a_b\n", "usemtl material4\n", "usemtl material5\n",
		"usemtl materials\n", "usemtl material7\n", "usemtl _Bark\n", NULL};
	static const char *const in_gltf[] = {"{\"name\":\"Bark\"}", "{\"name\":\"material1\"}",
		"{\"name\":\"Leaf \\\"x\\\" \\\\\"}", "{\"name\":\"a\\u000ab\"}",
		"{\"name\":\"material4\"},{\"name\":\"material5\"},{\"name\":\"materials\"}", NULL};
	struct cs_mesh *mesh = made(), *exported[2] = {NULL};
	struct cs_nanite *resource = NULL;
	struct cs_dag *dag = NULL;
	struct cs_dag_cut cut;
	for (uint32_t i = 0; i < N; i++)
		works(cs_mesh_name_material(mesh, i, names[i]), "a name");
	works(cs_nanite_build(mesh, NULL, NULL, NULL, &resource), "names: built");
	works(cs_nanite_dag(resource, NULL, &dag), "names: decoded");
	works(cs_dag_cut(dag, &(struct cs_dag_fineness){.by_level = true, .level = 1}, &cut),
		"names: a cut");
	works(cs_dag_cut_mesh(dag, &cut, NULL, &exported[0]), "names: its mesh");
	works(cs_nanite_coarse_mesh(resource, NULL, &exported[1]), "names: the coarse mesh");
	for (size_t k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < N; i++)
			is_text(cs_mesh_material(exported[k], i), names[i], "names: %u", i);
		ok(exports(exported[k], ".obj", in_obj), "names: in an OBJ file");
		ok(exports(exported[k], ".gltf", in_gltf), "names: in a glTF file");
		cs_mesh_free(exported[k]);
	}
	free(cut.clusters);
	cs_dag_free(dag);
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
}

int main(void)
{
	test_names();
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_mesh *mesh = made();
	struct cs_nanite *resource = NULL;
	struct cs_nanite_section_range *ranges = NULL;
	uint32_t next = 0, gone = 0;
	size_t n;
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), "built");
	const struct cs_nanite_section *sections = cs_nanite_sections(resource, &n);
	works(cs_nanite_section_ranges(resource, &ranges), "ranges");
	ok(n >= 4, "%zu sections", n);
	for (uint32_t i = 0; i < n; i++) {
		check_range(resource, i, &ranges[i], &next);
		gone += ranges[i].n_triangles == 0;
	}
	is_int(next, (long long)resource->n_coarse_triangles, "together they are the coarse mesh");
	ok(gone > 0 && sections[n - 1].input_triangles == 0, "%u sections kept a place for none",
		gone);
	free(ranges);

	/* as they were written before: not in order, and damaged */
	struct cs_nanite_coarse_triangle *rows =
		calloc(resource->n_coarse_triangles, sizeof(*rows));
	memcpy(rows, resource->coarse_triangles, resource->n_coarse_triangles * sizeof(*rows));
	const struct cs_nanite_coarse_triangle *kept = resource->coarse_triangles;
	rows[0] = kept[resource->n_coarse_triangles - 1];
	rows[resource->n_coarse_triangles - 1] = kept[0];
	resource->coarse_triangles = rows;
	works(cs_nanite_section_ranges(resource, &ranges), "of another order");
	is_int(ranges[rows[0].material].first_triangle, CS_NONE, "what is no range has no first");
	free(ranges);
	rows[5].material = (uint32_t)n;
	fails(cs_nanite_section_ranges(resource, &ranges), CS_E_NANITE, "a triangle of no section");
	resource->coarse_triangles = kept;
	free(rows);
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
	return done();
}
