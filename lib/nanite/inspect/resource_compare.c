/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two models by geometry. A cluster is identified by the hash of its triangles, which does
 * not depend on their order or their position in the file. A page is identified by the hash of its
 * clusters. Hashes are matched as multisets.
 */
#include "nanite/inspect/model_inside.h"

#include "core/cursor.h"
#include "core/sort.h"

#include <stdlib.h>

static uint64_t resource_compare_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_triangle(const float *positions, const uint8_t *corners)
{
	uint64_t points[3], hash = 0;
	for (unsigned k = 0; k < 3; k++) {
		points[k] = 7;
		for (unsigned axis = 0; axis < 3; axis++)
			points[k] = resource_compare_mix(points[k],
				cs_bits_of_float(positions[3 * (size_t)corners[k] + axis] + 0.0f));
	}
	/* a hash for each first corner is added, so rotating a triangle does not change the sum */
	for (unsigned k = 0; k < 3; k++)
		hash += resource_compare_mix(
			resource_compare_mix(
				resource_compare_mix(1, points[k]), points[(k + 1) % 3]),
			points[(k + 2) % 3]);
	return hash;
}

/* Hashes clusters and pages by sums, whatever the order. Returns false when memory runs out. */
static bool hash_model(const struct cs_model *model, struct cs_sort_key **clusters_ret,
	struct cs_sort_key **pages_ret)
{
	struct cs_sort_key *clusters = calloc(model->n_clusters + 1, sizeof(*clusters));
	struct cs_sort_key *pages = calloc(model->n_pages + 1, sizeof(*pages));
	for (size_t i = 0; clusters && pages && i < model->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &model->clusters[i];
		for (uint32_t t = 0; t < cluster->n_triangles; t++)
			clusters[i].low +=
				hash_triangle(model->positions + 3 * (size_t)cluster->first_vertex,
					model->corners + 3 * ((size_t)cluster->first_triangle + t));
		if (cluster->page < model->n_pages)
			pages[cluster->page].low += resource_compare_mix(3, clusters[i].low);
	}
	*clusters_ret = clusters;
	*pages_ret = pages;
	return clusters && pages && cs_sort_keys(clusters, model->n_clusters) &&
	       cs_sort_keys(pages, model->n_pages);
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

struct cs_error *cs_model_compare(
	const struct cs_model *left, const struct cs_model *right, struct cs_model_difference *ret)
{
	struct cs_sort_key *keys[4] = {NULL, NULL, NULL, NULL};
	struct cs_model_difference difference = {0};
	bool ok = hash_model(left, &keys[0], &keys[1]) && hash_model(right, &keys[2], &keys[3]);
	if (ok) {
		resource_compare_match(keys[0], left->n_clusters, keys[2], right->n_clusters,
			&difference.clusters_same, &difference.clusters_left,
			&difference.clusters_right);
		resource_compare_match(keys[1], left->n_pages, keys[3], right->n_pages,
			&difference.pages_same, &difference.pages_left, &difference.pages_right);
		*ret = difference;
	}
	for (unsigned i = 0; i < 4; i++)
		free(keys[i]);
	return ok ? NULL : cs_error_nomem();
}
