/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two models. A cluster is identified by the hash of its triangles, whatever
 * their order and their position in the file, and a page by the hash of its clusters. A second hash
 * of each cluster covers the rest of what is drawn: normals, colours, UVs, names of materials and
 * the error. Hashes are matched as multisets.
 */
#include "nanite/inspect/model_inside.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/sort.h"

#include <stdlib.h>

static uint64_t resource_compare_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t mix_floats(uint64_t hash, const float *values, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		hash = resource_compare_mix(hash, cs_bits_of_float(values[k] + 0.0f));
	return hash;
}

/* Hashes the position of a vertex and, if `drawn`, also its normal, colour and UVs. */
static uint64_t hash_corner(const struct cs_model *model, size_t v, bool drawn)
{
	uint64_t hash = mix_floats(7, model->positions + 3 * v, 3);
	if (!drawn)
		return hash;
	if (model->normals)
		hash = mix_floats(hash, model->normals + 3 * v, 3);
	if (model->vertex_colors)
		hash = resource_compare_mix(hash, cs_load32(model->vertex_colors + 4 * v));
	for (unsigned channel = 0; channel < CS_MESH_UVS; channel++)
		if (model->vertex_uvs[channel])
			hash = mix_floats(hash, model->vertex_uvs[channel] + 2 * v, 2);
	return hash;
}

static uint64_t hash_triangle(
	const struct cs_model *model, size_t first_vertex, const uint8_t *corners, bool drawn)
{
	uint64_t points[3], hash = 0;
	for (unsigned k = 0; k < 3; k++)
		points[k] = hash_corner(model, first_vertex + corners[k], drawn);
	/* sums hashes from each corner, so that rotating the triangle has no effect */
	for (unsigned k = 0; k < 3; k++)
		hash += resource_compare_mix(
			resource_compare_mix(
				resource_compare_mix(1, points[k]), points[(k + 1) % 3]),
			points[(k + 2) % 3]);
	return hash;
}

/* Hashes the name of a material, or its index where it has no name. */
static uint64_t hash_material(const struct cs_model *model, uint32_t material)
{
	const char *name =
		material < model->n_material_names ? model->material_names[material] : NULL;
	const bool named = name && *name;
	uint64_t hash = resource_compare_mix(5, named ? 0 : material + 1);
	for (; named && *name; name++)
		hash = resource_compare_mix(hash, (unsigned char)*name);
	return hash;
}

/* Hashes the triangles first to first + n - 1 of a cluster by a sum, on which order has no effect.
 */
static uint64_t hash_triangles(const struct cs_model *model, const struct cs_model_cluster *cluster,
	uint32_t first, uint32_t n, bool drawn)
{
	uint64_t sum = 0;
	for (uint32_t t = first; t < first + n; t++)
		sum += hash_triangle(model, cluster->first_vertex,
			model->corners + 3 * ((size_t)cluster->first_triangle + t), drawn);
	return sum;
}

/* Hashes all that is drawn of a cluster, and its error. */
static uint64_t hash_drawn(const struct cs_model *model, const struct cs_model_cluster *cluster)
{
	uint64_t sum = mix_floats(9, &cluster->lod_error, 1);
	for (uint32_t i = 0; i < cluster->n_materials; i++) {
		const struct cs_model_material *range =
			&model->materials[cluster->first_material + i];
		sum += hash_triangles(model, cluster, range->first, range->count, true) *
		       (hash_material(model, range->material) | 1);
	}
	return sum;
}

/* The hashes of a model, sorted. */
struct model_hashes {
	struct cs_sort_key *clusters, *drawn, *pages;
};

static void hashes_deinit(struct model_hashes *hashes)
{
	free(hashes->clusters);
	free(hashes->drawn);
	free(hashes->pages);
}

static struct cs_error *hash_model(
	const struct cs_model *model, const struct cs_job *job, struct model_hashes *ret)
{
	struct cs_error *error = NULL;
	struct cs_sort_key *clusters = calloc(model->n_clusters + 1, sizeof(*clusters));
	struct cs_sort_key *drawn = calloc(model->n_clusters + 1, sizeof(*drawn));
	struct cs_sort_key *pages = calloc(model->n_pages + 1, sizeof(*pages));
	*ret = (struct model_hashes){clusters, drawn, pages};
	if (!clusters || !drawn || !pages)
		return cs_error_nomem();
	for (size_t i = 0; i < model->n_clusters && !error; i++) {
		const struct cs_model_cluster *cluster = &model->clusters[i];
		clusters[i].low = hash_triangles(model, cluster, 0, cluster->n_triangles, false);
		drawn[i].low = hash_drawn(model, cluster);
		if (cluster->page < model->n_pages)
			pages[cluster->page].low += resource_compare_mix(3, clusters[i].low);
		error = cs_job_check(job);
	}
	if (!error && !(cs_sort_keys(clusters, model->n_clusters) &&
			      cs_sort_keys(drawn, model->n_clusters) &&
			      cs_sort_keys(pages, model->n_pages)))
		error = cs_error_nomem();
	return error;
}

static void resource_compare_match(const struct cs_sort_key *left, size_t n_left,
	const struct cs_sort_key *right, size_t n_right, uint32_t *same, uint32_t *only_left,
	uint32_t *only_right)
{
	size_t i = 0, k = 0;
	while (i < n_left && k < n_right) {
		if (left[i].low == right[k].low) {
			++*same;
			i++;
			k++;
		} else if (left[i].low < right[k].low) {
			++*only_left;
			i++;
		} else {
			++*only_right;
			k++;
		}
	}
	*only_left += (uint32_t)(n_left - i);
	*only_right += (uint32_t)(n_right - k);
}

/* A model with the attributes of its vertices, which models of our own format do not keep. */
struct drawn_model {
	struct cs_model model; /* shares all arrays with the original or with the contents */
	struct cs_nanite_contents *contents;
};

static struct cs_error *see_attributes(
	const struct cs_model *model, const struct cs_job *job, struct drawn_model *ret)
{
	*ret = (struct drawn_model){*model, NULL};
	if (!model->resource || model->vertex_colors)
		return NULL;
	struct cs_error *error = cs_nanite_decode(model->resource, job, &ret->contents);
	if (error)
		return error;
	ret->model.vertex_colors = ret->contents->colors;
	for (uint32_t channel = 0; channel < ret->contents->n_uvs; channel++)
		ret->model.vertex_uvs[channel] = ret->contents->uvs[channel];
	return NULL;
}

static struct cs_error *hash_all(
	const struct cs_model *model, const struct cs_job *job, struct model_hashes *ret)
{
	struct drawn_model drawn;
	struct cs_error *error = see_attributes(model, job, &drawn);
	if (!error)
		error = hash_model(&drawn.model, job, ret);
	cs_nanite_contents_free(drawn.contents);
	return error;
}

struct cs_error *cs_model_compare(const struct cs_model *left, const struct cs_model *right,
	const struct cs_job *job, struct cs_model_difference *ret)
{
	struct model_hashes a = {NULL, NULL, NULL}, b = {NULL, NULL, NULL};
	struct cs_model_difference difference = {0};
	struct cs_error *error = hash_all(left, job, &a);
	if (!error)
		error = hash_all(right, job, &b);
	if (!error) {
		resource_compare_match(a.clusters, left->n_clusters, b.clusters, right->n_clusters,
			&difference.clusters_same, &difference.clusters_left,
			&difference.clusters_right);
		resource_compare_match(a.drawn, left->n_clusters, b.drawn, right->n_clusters,
			&difference.drawn_same, &difference.drawn_left, &difference.drawn_right);
		resource_compare_match(a.pages, left->n_pages, b.pages, right->n_pages,
			&difference.pages_same, &difference.pages_left, &difference.pages_right);
		*ret = difference;
	}
	hashes_deinit(&a);
	hashes_deinit(&b);
	return error;
}
