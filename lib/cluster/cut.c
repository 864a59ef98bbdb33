/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts a DAG: selects clusters of different levels that together cover the mesh.
 *
 * From the leaves to the root, errors never fall and group indices rise. So groups are sorted by
 * falling errors, and by falling indices where errors are equal. A group then comes before the
 * finer groups from which its clusters were made. If the first groups of this order, however many,
 * are replaced by their children, the resulting clusters cover the whole mesh.
 */
#include "cluster/dag_internal.h"

#include <cellscope/dag.h>

#include "cluster/build.h"
#include "cluster/patch.h"
#include "core/cursor.h"
#include "core/options.h"
#include "core/scratch.h"
#include "core/sort.h"
#include "mesh/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- choosing the clusters of a cut ---- */

/* Checks the number of a mesh: 1 is the first mesh, 0 means all meshes. */
static struct cs_error *check_mesh(const struct cs_dag *dag, uint32_t mesh)
{
	if (mesh <= dag->n_meshes)
		return NULL;
	return cs_error_new(CS_E_MISSING, "the resource has no mesh %u: its meshes are 0 to %u",
		mesh - 1, dag->n_meshes - 1);
}

static bool is_of_mesh(const struct cs_dag *dag, uint32_t group, uint32_t mesh)
{
	return mesh == 0 || dag->groups[group].mesh == mesh - 1;
}

/* Sorts the groups by falling error. Root groups come first. */
static struct cs_error *sort_groups(const struct cs_dag *dag, struct cs_sort_key **ret)
{
	uint32_t n = dag->n_groups;
	struct cs_sort_key *keys = malloc(((size_t)n + 1) * sizeof(*keys));
	if (!keys)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++)
		keys[i] = (struct cs_sort_key){
			.high = ~cs_bits_of_float(dag->groups[i].max_parent_error),
			.low = n - i,
			.index = i,
		};
	if (!cs_sort_keys(keys, n)) {
		free(keys);
		return cs_error_nomem();
	}
	*ret = keys;
	return NULL;
}

/*
 * Marks groups until the cut is as fine as requested. In the cut, the clusters of a marked group
 * replace the parents of the group (the coarser clusters made from it). Root groups are always
 * marked.
 */
static void replace_groups(const struct cs_dag *dag, const struct cs_dag_fineness *fineness,
	const struct cs_sort_key *keys, uint64_t *parents, uint64_t *children, bool *replaced)
{
	uint64_t n = 0;
	/* sum each group's triangles: children[g] before simplification, parents[g] after it */
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		const struct cs_cluster *cluster = &dag->clusters[i];
		children[cluster->group] += cluster->n_triangles;
		if (cluster->generating_group != CS_NONE)
			parents[cluster->generating_group] += cluster->n_triangles;
	}
	for (uint32_t i = 0; i < dag->n_groups; i++) {
		uint32_t group = keys[i].index;
		if (!is_of_mesh(dag, group, fineness->mesh))
			continue;
		if (!cs_is_root_group(&dag->groups[group]) &&
			((double)dag->groups[group].max_parent_error <= fineness->error ||
				(fineness->triangles && n >= fineness->triangles)))
			break;
		replaced[group] = true;
		n = n - parents[group] + children[group];
	}
}

static struct cs_error *list_clusters(
	const struct cs_dag *dag, const bool *shown, struct cs_dag_cut *ret)
{
	struct cs_dag_cut cut = {.clusters = malloc(((size_t)dag->n_clusters + 1) * 4)};
	if (!cut.clusters)
		return cs_error_nomem();
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		const struct cs_cluster *cluster = &dag->clusters[i];
		if (!shown[i])
			continue;
		cut.clusters[cut.n_clusters++] = i;
		cut.n_triangles += cluster->n_triangles;
		if ((double)cluster->lod_error > cut.error)
			cut.error = (double)cluster->lod_error;
	}
	*ret = cut;
	return NULL;
}

static struct cs_error *cut_at_level(
	const struct cs_dag *dag, const struct cs_dag_fineness *fineness, struct cs_dag_cut *ret)
{
	struct cs_error *error = check_mesh(dag, fineness->mesh);
	if (error)
		return error;
	if (fineness->level >= dag->n_levels)
		return cs_error_new(CS_E_MISSING,
			"the resource has no level %u: its levels are 0 (the finest) to %u",
			fineness->level, dag->n_levels - 1);
	bool *shown = calloc((size_t)dag->n_clusters + 1, sizeof(*shown));
	if (!shown)
		return cs_error_nomem();
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		shown[i] = dag->clusters[i].level == fineness->level &&
			   is_of_mesh(dag, dag->clusters[i].group, fineness->mesh);
	error = list_clusters(dag, shown, ret);
	free(shown);
	return error;
}

struct cs_error *cs_dag_cut(
	const struct cs_dag *dag, const struct cs_dag_fineness *fineness, struct cs_dag_cut *ret)
{
	if (fineness->by_level)
		return cut_at_level(dag, fineness, ret);
	struct cs_sort_key *keys = NULL;
	uint64_t *counts = calloc(2 * (size_t)dag->n_groups + 1, sizeof(*counts));
	bool *replaced = calloc((size_t)dag->n_groups + 1, sizeof(*replaced));
	bool *shown = calloc((size_t)dag->n_clusters + 1, sizeof(*shown));
	struct cs_error *error =
		counts && replaced && shown ? check_mesh(dag, fineness->mesh) : cs_error_nomem();
	if (!error)
		error = sort_groups(dag, &keys);
	if (!error) {
		replace_groups(dag, fineness, keys, counts, counts + dag->n_groups, replaced);
		for (uint32_t i = 0; i < dag->n_clusters; i++) {
			uint32_t maker = dag->clusters[i].generating_group;
			shown[i] = replaced[dag->clusters[i].group] &&
				   (maker == CS_NONE || !replaced[maker]);
		}
		error = list_clusters(dag, shown, ret);
	}
	free(keys);
	free(counts);
	free(replaced);
	free(shown);
	return error;
}

/* ---- making a mesh of the cut ---- */

static void cut_copy_cluster(const struct cs_dag *dag, const struct cs_cluster *cluster,
	struct cs_mesh *mesh, uint32_t vertex, uint32_t triangle)
{
	cs_vertices_copy(CS_VERTEX_OF(dag, cluster->first_vertex), cluster->n_vertices,
		CS_VERTEX_OF(mesh, vertex));
	const uint8_t *corners = dag->corners + 3 * (size_t)cluster->first_triangle;
	for (size_t i = 0; i < 3 * (size_t)cluster->n_triangles; i++)
		mesh->indices[3 * (size_t)triangle + i] = vertex + corners[i];
	memcpy(mesh->materials + triangle, dag->materials + cluster->first_triangle,
		cluster->n_triangles);
}

static struct cs_error *name_materials_of_cut(const struct cs_dag *dag, struct cs_mesh *mesh)
{
	const char *name = dag->material_names;
	struct cs_error *error = NULL;
	mesh->n_materials = dag->n_materials;
	for (uint32_t i = 0; name && !error && i < dag->n_materials; i++) {
		error = cs_mesh_name_material(mesh, i, name);
		name += strlen(name) + 1;
	}
	return error;
}

struct cs_error *cs_dag_cut_mesh(const struct cs_dag *dag, const struct cs_dag_cut *cut,
	const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh_size size = {0, cut->n_triangles, dag->n_uvs, dag->colors != NULL};
	struct cs_mesh *mesh;
	uint32_t vertex = 0, triangle = 0;
	for (uint32_t i = 0; i < cut->n_clusters; i++)
		size.vertices += dag->clusters[cut->clusters[i]].n_vertices;
	struct cs_error *error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	for (uint32_t i = 0; i < cut->n_clusters; i++) {
		const struct cs_cluster *cluster = &dag->clusters[cut->clusters[i]];
		cut_copy_cluster(dag, cluster, mesh, vertex, triangle);
		vertex += cluster->n_vertices;
		triangle += cluster->n_triangles;
	}
	return cs_mesh_finish(mesh, name_materials_of_cut(dag, mesh), job, NULL, ret);
}

/* ---- the coarse mesh for renderers without Nanite ---- */

/*
 * Number of triangles by which the cut exceeds the target. The final simplification then removes
 * them where they matter least (nanite rules 2.3).
 */
enum { SPARE_TRIANGLES = 4096 };

static struct cs_error *cut_mesh_of(const struct cs_mesh *from, const struct cs_patch *patch,
	const struct cs_simplified *simplified, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh_size size = {
		patch->n_wedges, simplified->n_triangles, from->n_uvs, from->colors != NULL};
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	for (uint32_t i = 0; i < patch->n_wedges; i++) {
		const struct cs_vertex vertex = CS_VERTEX_OF(mesh, i);
		memcpy(mesh->positions + 3 * (size_t)i,
			simplified->positions + 3 * (size_t)simplified->places[i],
			3 * sizeof(float));
		cs_attributes_write(
			simplified->attributes + (size_t)i * patch->n_attributes, &vertex);
	}
	memcpy(mesh->indices, simplified->corners,
		3 * (size_t)simplified->n_triangles * sizeof(uint32_t));
	for (uint32_t i = 0; i < simplified->n_triangles; i++)
		mesh->materials[i] = patch->materials[simplified->triangles[i]];
	mesh->n_materials = from->n_materials;
	return cs_mesh_finish(mesh, NULL, job, NULL, ret);
}

static struct cs_error *simplify_mesh(const struct cs_mesh *mesh, uint64_t triangles,
	const struct cs_dag_options *options, const struct cs_job *job, struct cs_scratch *scratch,
	struct cs_mesh **ret)
{
	struct cs_patch patch;
	struct cs_simplified simplified;
	struct cs_error *error = cs_patch_of_mesh(mesh, options, scratch, &patch);
	if (error)
		return error;
	if (!cs_simplify(&patch, (uint32_t)triangles, scratch, &simplified))
		return cs_error_nomem();
	return cut_mesh_of(mesh, &patch, &simplified, job, ret);
}

struct cs_error *cs_dag_coarse_mesh(const struct cs_dag *dag, uint64_t triangles,
	const struct cs_dag_options *options, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_dag_options defaults = cs_dag_options_default(), own;
	struct cs_dag_fineness fineness = {.triangles = triangles + SPARE_TRIANGLES};
	struct cs_scratch scratch = CS_SCRATCH_INIT;
	struct cs_dag_cut cut = {0};
	struct cs_mesh *fine = NULL;
	if (triangles == 0)
		return cs_error_new(
			CS_E_SETTING, "a coarse mesh must have at least 1 triangle, not 0");
	struct cs_error *error =
		cs_options_read(options ? options : &defaults, sizeof(own), &own, sizeof(own));
	if (!error)
		error = cs_dag_cut(dag, &fineness, &cut);
	if (!error)
		error = cs_dag_cut_mesh(dag, &cut, job, &fine);
	free(cut.clusters);
	if (!error && fine->n_triangles <= triangles) {
		*ret = fine;
		return NULL;
	}
	if (!error)
		error = simplify_mesh(fine, triangles, &own, job, &scratch, ret);
	cs_scratch_deinit(&scratch);
	cs_mesh_free(fine);
	return error;
}
