/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the UV channel for lightmaps: chooses the channels as the engine's build settings do, makes
 * and packs the charts, and writes their positions into copies of the meshes.
 *
 * Invariant: UVs of the channel are within 0 to 1.
 */
#include "mesh/lightmap/lightmap.h"
#include "mesh/lightmap/charts.h"
#include "mesh/lightmap/pack.h"

#include "core/invariant.h"
#include "core/job.h"
#include "core/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_RESOLUTION = 64, USUAL_PADDING = 1 };

struct lightmap {
	const struct cs_mesh *const *meshes;
	size_t n_meshes;
	const struct cs_job *job;
	uint32_t source, target;
	struct cs_charts *charts; /* for each mesh, its charts */
	struct cs_outline *outlines;
	float (*edges)[2][2];
	struct cs_packing packing;
};

/* ---- choice of UV channels ---- */

static struct cs_error *choose_target(
	const struct cs_lightmap_settings *settings, uint32_t n_uvs, uint32_t *ret)
{
	if (settings->target == CS_NONE && n_uvs == CS_MESH_UVS)
		return cs_error_new(CS_E_SETTING,
			"the mesh already has %u UV channels, the limit: name the "
			"channel that the lightmap UVs replace (--lightmap-target)",
			n_uvs);
	if (settings->target != CS_NONE && settings->target >= CS_MESH_UVS)
		return cs_error_new(CS_E_SETTING,
			"lightmap UVs cannot be stored in UV channel %u: channels are 0 to %d",
			settings->target, CS_MESH_UVS - 1);
	*ret = settings->target < n_uvs ? settings->target : n_uvs;
	return NULL;
}

static struct cs_error *choose_channels(
	struct lightmap *lightmap, const struct cs_lightmap_settings *settings)
{
	uint32_t n_uvs = 0;
	for (size_t i = 0; i < lightmap->n_meshes; i++)
		n_uvs = lightmap->meshes[i]->n_uvs > n_uvs ? lightmap->meshes[i]->n_uvs : n_uvs;
	if (settings->source > 0 && n_uvs == 0)
		return cs_error_new(CS_E_SETTING,
			"there is no UV channel %u to make lightmap UVs from: the mesh has no UVs, "
			"so leave out --lightmap-source",
			settings->source);
	if (settings->source > 0 && settings->source >= n_uvs)
		return cs_error_new(CS_E_SETTING,
			"there is no UV channel %u to make lightmap UVs from (--lightmap-source): "
			"the last channel is %u",
			settings->source, n_uvs - 1);
	lightmap->source = settings->source;
	return choose_target(settings, n_uvs, &lightmap->target);
}

static struct cs_error *check_lightmap(const struct cs_lightmap_settings *settings)
{
	if (settings->resolution > CS_LIGHTMAP_TEXELS)
		return cs_error_new(CS_E_SETTING,
			"the resolution of the lightmap (--lightmap-resolution) is %u texels, more "
			"than the limit of %d",
			settings->resolution, CS_LIGHTMAP_TEXELS);
	if (settings->padding > CS_LIGHTMAP_PADDING)
		return cs_error_new(CS_E_SETTING,
			"the padding between lightmap charts (--lightmap-padding) is %u texels, "
			"more than the limit of %d",
			settings->padding, CS_LIGHTMAP_PADDING);
	return NULL;
}

/* ---- charts of all meshes ---- */

/* Returns the largest extent of all meshes, the unit in which charts have sizes of about 1. */
static double extent_of_all(const struct lightmap *lightmap)
{
	double extent = 0;
	for (size_t i = 0; i < lightmap->n_meshes; i++) {
		const struct cs_box box = cs_mesh_box(lightmap->meshes[i]);
		extent = fmax(extent, fmax(box.max.x - box.min.x,
					      fmax(box.max.y - box.min.y, box.max.z - box.min.z)));
	}
	return extent > 0 ? extent : 1;
}

static struct cs_error *make_all_charts(struct lightmap *lightmap)
{
	const double unit = extent_of_all(lightmap);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < lightmap->n_meshes; i++) {
		const struct cs_mesh *mesh = lightmap->meshes[i];
		error = cs_charts_make(mesh,
			lightmap->source < mesh->n_uvs ? lightmap->source : CS_NONE, unit,
			lightmap->job, &lightmap->charts[i]);
	}
	return error;
}

static uint64_t count_borders(const struct cs_charts *charts)
{
	uint64_t n = 0;
	for (uint32_t t = 0; t < charts->n_triangles; t++)
		for (int k = 0; k < 3; k++)
			n += charts->border[t][k];
	return n;
}

static uint32_t outline_chart(const struct cs_charts *charts, uint32_t chart, float (*edges)[2][2])
{
	uint32_t n = 0;
	for (uint32_t i = charts->first[chart]; i < charts->first[chart + 1]; i++) {
		const uint32_t t = charts->list[i];
		for (int k = 0; k < 3; k++) {
			if (!charts->border[t][k])
				continue;
			memcpy(edges[n][0], charts->at[t][k], sizeof(edges[n][0]));
			memcpy(edges[n][1], charts->at[t][(k + 1) % 3], sizeof(edges[n][1]));
			n++;
		}
	}
	return n;
}

static struct cs_error *outline_all(struct lightmap *lightmap)
{
	struct cs_packing *packing = &lightmap->packing;
	uint64_t n_charts = 0, n_edges = 0;
	uint32_t first = 0;
	for (size_t i = 0; i < lightmap->n_meshes; i++) {
		n_charts += lightmap->charts[i].n;
		n_edges += count_borders(&lightmap->charts[i]);
		packing->area += lightmap->charts[i].area;
	}
	if (n_edges >= CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the meshes have more than 2^32 edges, the limit: build fewer meshes "
			"together");
	lightmap->outlines = calloc(n_charts + 1, sizeof(*lightmap->outlines));
	lightmap->edges = malloc((n_edges + 1) * sizeof(*lightmap->edges));
	if (!lightmap->outlines || !lightmap->edges)
		return cs_error_nomem();
	for (size_t i = 0; i < lightmap->n_meshes; i++)
		for (uint32_t k = 0; k < lightmap->charts[i].n; k++) {
			const struct cs_charts *charts = &lightmap->charts[i];
			const uint32_t n = outline_chart(charts, k, lightmap->edges + first);
			lightmap->outlines[packing->n++] = (struct cs_outline){
				first, n, charts->size[k][0], charts->size[k][1]};
			first += n;
		}
	packing->outlines = lightmap->outlines;
	packing->edges = (const float(*)[2][2])lightmap->edges;
	return NULL;
}

/* ---- copies of the meshes with the new channel ---- */

/* Vertices of a mesh's copy (wedges), one for each pair of a vertex and a chart that uses it. */
struct wedges {
	const struct cs_mesh *mesh;
	const struct cs_charts *charts;
	uint32_t *of;   /* for each corner, the index of its wedge (vertex of the copy) */
	uint32_t *from; /* for each wedge, the first corner that uses it */
	uint32_t n;
};

static uint64_t hash_wedge(uint32_t vertex, uint32_t chart)
{
	uint64_t hash = ((uint64_t)vertex << 32 | chart) ^ (uint64_t)vertex >> 7;
	hash ^= hash >> 32;
	hash = (hash & UINT32_MAX) * UINT64_C(0x9e3779b1);
	return hash ^ hash >> 29;
}

static struct cs_error *make_wedges(struct wedges *wedges)
{
	const size_t n = 3 * (size_t)wedges->mesh->n_triangles;
	struct cs_slots slots;
	wedges->of = malloc((n + 1) * sizeof(*wedges->of));
	wedges->from = malloc((n + 1) * sizeof(*wedges->from));
	if (!wedges->of || !wedges->from || !cs_slots_init(&slots, n))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		const uint32_t *vertices = wedges->mesh->indices, vertex = vertices[i];
		const uint32_t chart = wedges->charts->of[i / 3];
		uint32_t *slot = cs_slots_find(&slots, hash_wedge(vertex, chart), other,
			vertices[wedges->from[other]] == vertex &&
				wedges->charts->of[wedges->from[other] / 3] == chart);
		if (!*slot) {
			wedges->from[wedges->n] = (uint32_t)i;
			cs_slots_put(&slots, slot, wedges->n++);
		}
		wedges->of[i] = cs_slot_row(slot);
	}
	cs_slots_deinit(&slots);
	return NULL;
}

static void fill_with_wedges(const struct lightmap *lightmap, const struct wedges *wedges,
	uint32_t first_chart, struct cs_mesh *to)
{
	const struct cs_packing *packing = &lightmap->packing;
	for (size_t wedge = 0; wedge < wedges->n; wedge++) {
		const uint32_t corner = wedges->from[wedge], t = corner / 3;
		const double *at = packing->at[first_chart + wedges->charts->of[t]];
		cs_mesh_copy_vertex(wedges->mesh, wedges->mesh->indices[corner], to, wedge);
		for (size_t k = 0; k < 2; k++) {
			const float place = wedges->charts->at[t][corner % 3][k];
			to->uvs[lightmap->target][2 * wedge + k] =
				(float)((double)place * packing->scale + at[k]);
		}
	}
	memcpy(to->indices, wedges->of, 3 * (size_t)to->n_triangles * sizeof(*to->indices));
	memcpy(to->materials, wedges->mesh->materials, to->n_triangles);
}

/* Copies mesh i with lightmap UVs. Chart c of the mesh is chart first_chart + c of the packing. */
static struct cs_error *write_lightmap(
	const struct lightmap *lightmap, size_t i, uint32_t first_chart, struct cs_mesh **ret)
{
	const struct cs_mesh *mesh = lightmap->meshes[i];
	struct wedges wedges = {.mesh = mesh, .charts = &lightmap->charts[i]};
	struct cs_mesh *made = NULL;
	struct cs_error *error = make_wedges(&wedges);
	const struct cs_mesh_size size = {wedges.n, mesh->n_triangles,
		mesh->n_uvs > lightmap->target ? mesh->n_uvs : lightmap->target + 1,
		mesh->colors != NULL};
	if (!error)
		error = cs_mesh_new(&size, lightmap->job, &made);
	if (!error) {
		fill_with_wedges(lightmap, &wedges, first_chart, made);
		made->engine_space = mesh->engine_space;
		error = cs_mesh_copy_materials(mesh, made);
	}
	free(wedges.of);
	free(wedges.from);
	return cs_mesh_finish(made, error, NULL, NULL, ret);
}

static bool is_within_square(const struct cs_mesh *mesh, uint32_t channel)
{
	for (size_t i = 0; i < 2 * (size_t)mesh->n_vertices; i++)
		if (!(mesh->uvs[channel][i] >= 0 && mesh->uvs[channel][i] <= 1))
			return false;
	return true;
}

static struct cs_error *write_all(const struct lightmap *lightmap, struct cs_mesh **ret)
{
	struct cs_error *error = NULL;
	uint32_t first_chart = 0;
	for (size_t i = 0; !error && i < lightmap->n_meshes; i++) {
		error = write_lightmap(lightmap, i, first_chart, &ret[i]);
		first_chart += lightmap->charts[i].n;
		CS_INVARIANT(error || is_within_square(ret[i], lightmap->target),
			"UVs of the channel are within 0 to 1");
	}
	for (size_t i = 0; error && i < lightmap->n_meshes; i++) {
		cs_mesh_free(ret[i]);
		ret[i] = NULL;
	}
	return error;
}

/* ---- making the lightmap channel ---- */

static struct cs_error *make_lightmap(struct lightmap *lightmap, struct cs_mesh **ret)
{
	lightmap->charts = calloc(lightmap->n_meshes, sizeof(*lightmap->charts));
	if (!lightmap->charts)
		return cs_error_nomem();
	struct cs_error *error = make_all_charts(lightmap);
	if (!error)
		error = outline_all(lightmap);
	if (!error)
		error = cs_packing_make(&lightmap->packing, lightmap->job);
	return error ? error : write_all(lightmap, ret);
}

struct cs_error *cs_mesh_lightmap(const struct cs_mesh *const *meshes, size_t n,
	const struct cs_lightmap_settings *settings, const struct cs_job *job,
	struct cs_lightmap_report *report_ret, struct cs_mesh **ret)
{
	const double start = cs_seconds();
	struct lightmap lightmap = {.meshes = meshes, .n_meshes = n, .job = job};
	struct cs_packing *packing = &lightmap.packing;
	packing->texels = settings->resolution ? settings->resolution : USUAL_RESOLUTION;
	packing->padding = settings->padding ? settings->padding : USUAL_PADDING;
	memset(ret, 0, n * sizeof(struct cs_mesh *));
	struct cs_error *error = check_lightmap(settings);
	if (!error)
		error = choose_channels(&lightmap, settings);
	if (!error)
		error = make_lightmap(&lightmap, ret);
	if (!error)
		*report_ret = (struct cs_lightmap_report){.charts = packing->n,
			.channel = lightmap.target,
			.resolution = packing->texels,
			.padding = packing->padding,
			.used = packing->area * packing->scale * packing->scale,
			.seconds = cs_seconds() - start};
	for (size_t i = 0; lightmap.charts && i < n; i++)
		cs_charts_deinit(&lightmap.charts[i]);
	free(lightmap.charts);
	free(lightmap.outlines);
	free(lightmap.edges);
	free(packing->at);
	return error;
}
