/* SPDX-License-Identifier: Apache-2.0 */
/* Converts decoded contents to a DAG with UV ranges, which encodes to the same bytes. */
#include "cluster/bounds.h"
#include "nanite/decode/decode.h"
#include "nanite/format/format.h"
#include "nanite/format/resource.h"

#include "core/sort.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>

struct rebuild {
	const struct cs_nanite_contents *contents;
	struct cs_dag *dag;
	struct cs_sort_key *order; /* clusters, sorted by level, group and index */
};

/*
 * Checks that all material indices are below the stated count, because readers of the DAG rely on
 * it.
 */
static struct cs_error *check_materials(const struct cs_nanite_contents *contents)
{
	const uint32_t materials = contents->resource->info->materials;
	if (materials > CS_MAX_MATERIALS)
		return cs_error_new(CS_E_NANITE,
			"the resource has %u materials, but a mesh can have at most %d", materials,
			CS_MAX_MATERIALS);
	for (size_t i = 0; i < contents->n_material_ranges; i++)
		if (contents->material_ranges[i].material >= materials)
			return cs_error_new(CS_E_NANITE,
				"cluster %u of page %u has material %u, but the resource has only "
				"%u materials, counted from 0",
				contents->clusters[contents->material_ranges[i].cluster].index,
				contents->clusters[contents->material_ranges[i].cluster].page,
				contents->material_ranges[i].material, materials);
	return NULL;
}

static struct cs_error *rebuild_check(const struct cs_nanite_contents *contents)
{
	for (size_t i = 0; i < contents->n_pages; i++)
		if (contents->pages[i].damaged)
			return cs_error_new(
				CS_E_NANITE, "page %zu is damaged: `verify` lists its faults", i);
	for (size_t i = 0; i < contents->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &contents->clusters[i];
		bool made = cluster->maker != CS_NONE;
		if (cluster->damaged || cluster->group == CS_NONE ||
			(!made && !signbit(cluster->edge_length)))
			return cs_error_new(CS_E_NANITE,
				"cluster %u of page %u is damaged, or is not linked to its groups: "
				"`verify` lists its faults",
				cluster->index, cluster->page);
	}
	return check_materials(contents);
}

static bool rebuild_allocate(struct rebuild *rebuild)
{
	const struct cs_nanite_contents *contents = rebuild->contents;
	struct cs_dag *dag = rebuild->dag;
	size_t vertices = contents->n_vertices + 1, triangles = contents->n_triangles + 1;
	rebuild->order = malloc((contents->n_clusters + 1) * sizeof(*rebuild->order));
	dag->positions = malloc(vertices * 3 * sizeof(*dag->positions));
	dag->normals = malloc(vertices * 3 * sizeof(*dag->normals));
	dag->colors = malloc(vertices * 4);
	dag->corners = malloc(triangles * 3);
	dag->materials = malloc(triangles);
	dag->clusters = calloc(contents->n_clusters + 1, sizeof(*dag->clusters));
	dag->groups = calloc(contents->n_groups + 1, sizeof(*dag->groups));
	dag->children = malloc((contents->n_clusters + 1) * sizeof(*dag->children));
	bool ok = rebuild->order && dag->positions && dag->normals && dag->colors && dag->corners &&
		  dag->materials && dag->clusters && dag->groups && dag->children;
	for (unsigned uv = 0; uv < contents->n_uvs; uv++) {
		dag->uvs[uv] = malloc(vertices * 2 * sizeof(*dag->uvs[uv]));
		ok = ok && dag->uvs[uv];
	}
	if (contents->n_uvs) {
		dag->uv_ranges = malloc(
			(contents->n_clusters + 1) * contents->n_uvs * sizeof(*dag->uv_ranges));
		ok = ok && dag->uv_ranges;
	}
	return ok;
}

static bool order_clusters(struct rebuild *rebuild)
{
	const struct cs_nanite_contents *contents = rebuild->contents;
	for (uint32_t i = 0; i < contents->n_clusters; i++) {
		uint32_t group = contents->clusters[i].group;
		rebuild->order[i] = (struct cs_sort_key){
			.high = (uint64_t)contents->groups[group].level << 32 | group, .index = i};
	}
	return cs_sort_keys(rebuild->order, contents->n_clusters);
}

static void rebuild_copy_vertices(struct rebuild *rebuild, const struct cs_model_cluster *from)
{
	struct cs_dag *dag = rebuild->dag;
	for (size_t i = 0; i < from->n_vertices; i++) {
		size_t source = from->first_vertex + i, to = dag->n_vertices++;
		for (unsigned axis = 0; axis < 3; axis++)
			dag->positions[to * 3 + axis] =
				(float)rebuild->contents->grid[source * 3 + axis] * from->grid_step;
		cs_nanite_normal(rebuild->contents->normals[source], dag->normals + to * 3);
		memcpy(dag->colors + to * 4, rebuild->contents->colors + source * 4, 4);
		for (unsigned uv = 0; uv < dag->n_uvs; uv++)
			memcpy(dag->uvs[uv] + to * 2, rebuild->contents->uvs[uv] + source * 2,
				2 * sizeof(float));
	}
}

static void copy_ranges(struct rebuild *rebuild, uint32_t source, uint32_t to)
{
	uint32_t bits = rebuild->contents->clusters[source].uv_bits;
	for (unsigned uv = 0; uv < rebuild->dag->n_uvs; uv++) {
		const struct cs_nanite_uv_range *range =
			&rebuild->contents->uv_ranges[(size_t)source * rebuild->dag->n_uvs + uv];
		for (unsigned a = 0; a < 2; a++)
			rebuild->dag->uv_ranges[(size_t)to * rebuild->dag->n_uvs + uv].axes[a] =
				(struct cs_uv_axis){range->min[a], range->scale[a],
					range->gap_start[a], range->gap_length[a],
					bits >> (8 * uv + 4 * a) & 15};
	}
}

static float finite_error(float error)
{
	return isinf(error) ? CS_ROOT_PARENT_ERROR : error;
}

static void rebuild_copy_cluster(struct rebuild *rebuild, uint32_t source)
{
	struct cs_dag *dag = rebuild->dag;
	const struct cs_model_cluster *from = &rebuild->contents->clusters[source];
	struct cs_cluster *to = &dag->clusters[dag->n_clusters];
	*to = (struct cs_cluster){
		.first_vertex = dag->n_vertices,
		.n_vertices = from->n_vertices,
		.first_triangle = dag->n_triangles,
		.n_triangles = from->n_triangles,
		.group = from->group,
		.generating_group = from->maker,
		.level = rebuild->contents->groups[from->group].level,
		.lod_error = finite_error(from->lod_error),
		.lod_bounds = {from->lod_centre[0], from->lod_centre[1], from->lod_centre[2],
			from->lod_radius},
	};
	rebuild_copy_vertices(rebuild, from);
	memcpy(dag->corners + (size_t)dag->n_triangles * 3,
		rebuild->contents->corners + (size_t)from->first_triangle * 3,
		(size_t)from->n_triangles * 3);
	memcpy(dag->materials + dag->n_triangles,
		rebuild->contents->materials + from->first_triangle, from->n_triangles);
	dag->n_triangles += from->n_triangles;
	copy_ranges(rebuild, source, dag->n_clusters);
	cs_cluster_bound(to, dag->positions + (size_t)to->first_vertex * 3);
	dag->children[dag->n_children++] = dag->n_clusters++;
}

static void rebuild_copy_groups(struct rebuild *rebuild)
{
	uint32_t *next = &rebuild->dag->n_groups;
	for (size_t i = 0; i < rebuild->contents->n_groups; i++) {
		const struct cs_model_group *from = &rebuild->contents->groups[i];
		rebuild->dag->groups[(*next)++] = (struct cs_cluster_group){
			.level = from->level,
			.mesh = from->mesh,
			.min_lod_error = from->min_error,
			.max_parent_error = finite_error(from->max_parent_error),
			.lod_bounds = {from->centre[0], from->centre[1], from->centre[2],
				from->radius},
		};
	}
}

static void copy_clusters(struct rebuild *rebuild)
{
	bool white = true;
	for (size_t i = 0; i < rebuild->contents->n_clusters; i++) {
		uint32_t source = rebuild->order[i].index;
		struct cs_cluster_group *group =
			&rebuild->dag->groups[rebuild->contents->clusters[source].group];
		if (group->n_children++ == 0)
			group->first_child = rebuild->dag->n_children;
		white = white && rebuild->contents->clusters[source].color_mode == CS_COLOR_WHITE;
		rebuild_copy_cluster(rebuild, source);
	}
	if (white) {
		free(rebuild->dag->colors);
		rebuild->dag->colors = NULL;
	}
}

/*
 * Computes the sphere of each group around the spheres of its clusters. `spheres` is working
 * memory.
 */
static void bound_groups(struct cs_dag *dag, const struct cs_sphere_f **spheres)
{
	for (uint32_t i = 0; i < dag->n_groups; i++) {
		struct cs_cluster_group *group = &dag->groups[i];
		for (uint32_t k = 0; k < group->n_children; k++)
			spheres[k] = &dag->clusters[dag->children[group->first_child + k]].bounds;
		group->bounds = cs_sphere_of_spheres(spheres, group->n_children);
	}
}

/* Copies the names of the materials. Returns false when memory runs out. */
static bool rebuild_copy_names(const struct cs_nanite *resource, struct cs_dag *dag)
{
	const size_t named = resource->material_names ? resource->n_sections : 0;
	size_t size = dag->n_materials, at = 0;
	for (size_t i = 0; i < named; i++)
		size += strlen(resource->material_names[i]);
	dag->material_names = calloc(size + 1, 1);
	for (size_t i = 0; dag->material_names && i < dag->n_materials; i++) {
		const char *name = i < named ? resource->material_names[i] : "";
		memcpy(dag->material_names + at, name, strlen(name));
		at += strlen(name) + 1;
	}
	return dag->material_names;
}

/*
 * Makes the DAG, in which clusters are sorted by level, group and place in the file. Returns
 * E_NANITE when a cluster was not decoded or is in no group.
 */
static struct cs_error *nanite_rebuild(
	const struct cs_nanite_contents *contents, struct cs_dag *ret)
{
	const struct cs_nanite_info *info = contents->resource->info;
	struct cs_error *error = rebuild_check(contents);
	if (error)
		return error;
	struct cs_dag dag = {.n_uvs = contents->n_uvs,
		.n_levels = contents->n_levels,
		.n_input_triangles = info->input_triangles,
		.n_input_vertices = info->input_vertices,
		.n_materials = info->materials,
		.n_meshes = (uint32_t)contents->resource->n_roots};
	struct rebuild rebuild = {.contents = contents, .dag = &dag};
	const struct cs_sphere_f **spheres = malloc((contents->n_clusters + 1) * sizeof(*spheres));
	bool ok = spheres && rebuild_allocate(&rebuild) && order_clusters(&rebuild) &&
		  rebuild_copy_names(contents->resource, &dag);
	if (ok) {
		rebuild_copy_groups(&rebuild);
		copy_clusters(&rebuild);
		bound_groups(&dag, spheres);
		memcpy(dag.box.min, info->min, sizeof(dag.box.min));
		memcpy(dag.box.max, info->max, sizeof(dag.box.max));
		*ret = dag;
	} else {
		cs_dag_deinit(&dag);
	}
	free(rebuild.order);
	free(spheres);
	return ok ? NULL : cs_error_nomem();
}

struct cs_error *cs_nanite_dag(
	const struct cs_nanite *resource, const struct cs_job *job, struct cs_dag **ret)
{
	struct cs_nanite_contents *contents;
	struct cs_dag *dag = calloc(1, sizeof(*dag));
	if (!dag)
		return cs_error_nomem();
	struct cs_error *error = cs_nanite_decode(resource, job, &contents);
	if (!error) {
		error = nanite_rebuild(contents, dag);
		cs_nanite_contents_free(contents);
	}
	if (error)
		free(dag);
	else
		*ret = dag;
	return error;
}
