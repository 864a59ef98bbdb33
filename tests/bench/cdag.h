/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dump "cdag 1" of a DAG (lib/cluster/dump.c) as cuts need it: one reader for what we and a
 * peer built, so that both are cut and measured alike.
 */
#pragma once

#include "mesh/distance.h"
#include "tests/bench/bench.h"
#include "tests/samples/dag_check.h"

#include <inttypes.h>
#include <math.h>

struct cdag_cluster {
	unsigned group;
	int made; /* the group that it was simplified from, -1: a leaf */
	unsigned first, n;
};

struct cdag {
	unsigned n_vertices, n_groups, n_clusters;
	float *positions;
	double *errors; /* of each group's parents, in units of the mesh */
	struct cdag_cluster *clusters;
	uint32_t *corners; /* 3 vertices a triangle, cluster by cluster */
	double *steps;     /* the errors, ascending */
};

static inline int cdag_compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static inline bool cdag_read_cluster(
	FILE *file, struct cdag *dag, unsigned i, size_t *n, size_t *room)
{
	struct cdag_cluster *c = &dag->clusters[i];
	if (fscanf(file, " c %u %d %*g %*g %*g %*g %*g %u", &c->group, &c->made, &c->n) != 3)
		return false;
	c->first = (unsigned)*n;
	*n += c->n;
	if (*n > *room) {
		*room = 2 * *n;
		dag->corners = realloc(dag->corners, *room * 3 * sizeof(*dag->corners));
	}
	bool good = dag->corners && c->group < dag->n_groups && c->made < (int)dag->n_groups;
	for (size_t k = 3 * (size_t)c->first; good && k < 3 * *n; k++)
		good = fscanf(file, "%" SCNu32, &dag->corners[k]) == 1 &&
		       dag->corners[k] < dag->n_vertices;
	return good;
}

static inline bool cdag_read_all(FILE *file, struct cdag *dag)
{
	unsigned n_source;
	size_t n = 0, room = 0;
	if (fscanf(file, "cdag 1 counts %u %u %u %u", &dag->n_vertices, &n_source, &dag->n_groups,
		    &dag->n_clusters) != 4)
		return false;
	dag->positions = calloc((size_t)dag->n_vertices + 1, 3 * sizeof(*dag->positions));
	dag->errors = calloc((size_t)dag->n_groups + 1, sizeof(*dag->errors));
	dag->steps = calloc((size_t)dag->n_groups + 1, sizeof(*dag->steps));
	dag->clusters = calloc((size_t)dag->n_clusters + 1, sizeof(*dag->clusters));
	bool good = dag->positions && dag->errors && dag->steps && dag->clusters;
	for (size_t i = 0; good && i < dag->n_vertices; i++) {
		float *p = dag->positions + 3 * i;
		good = fscanf(file, " v %f %f %f", p, p + 1, p + 2) == 3;
	}
	for (unsigned i = 0; good && i < n_source; i++)
		good = fscanf(file, " s %*u %*u %*u") == 0;
	for (unsigned i = 0; good && i < dag->n_groups; i++) {
		good = fscanf(file, " g %*u %*g %*g %*g %*g %lf", &dag->errors[i]) == 1;
		dag->steps[i] = dag->errors[i];
	}
	for (unsigned i = 0; good && i < dag->n_clusters; i++)
		good = cdag_read_cluster(file, dag, i, &n, &room);
	if (good)
		qsort(dag->steps, dag->n_groups, sizeof(*dag->steps), cdag_compare);
	return good;
}

static inline void cdag_free(struct cdag *dag)
{
	free(dag->positions);
	free(dag->errors);
	free(dag->steps);
	free(dag->clusters);
	free(dag->corners);
}

static inline bool cdag_read(const char *path, struct cdag *ret)
{
	FILE *file = fopen(path, "r");
	*ret = (struct cdag){0};
	bool good = file && cdag_read_all(file, ret);
	if (file)
		fclose(file);
	return good;
}

/* Writes the corners of the cut at an error, unless `ret` is NULL; returns its triangles. */
static inline uint32_t cdag_cut(const struct cdag *dag, double error, uint32_t *ret)
{
	uint32_t n = 0;
	for (unsigned i = 0; i < dag->n_clusters; i++) {
		const struct cdag_cluster *c = &dag->clusters[i];
		if (dag->errors[c->group] <= error ||
			(c->made >= 0 && dag->errors[c->made] > error))
			continue;
		if (ret)
			memcpy(ret + 3 * (size_t)n, dag->corners + 3 * (size_t)c->first,
				c->n * 3 * sizeof(*ret));
		n += c->n;
	}
	return n;
}

static inline double cdag_rms_at(
	const struct cdag *dag, const struct cs_surface *source, double error, uint32_t samples)
{
	const uint32_t n = cdag_cut(dag, error, NULL);
	uint32_t *corners = calloc((size_t)n + 1, 3 * sizeof(*corners));
	struct cs_surface cut;
	if (!corners)
		return NAN;
	cdag_cut(dag, error, corners);
	bench_need(cs_surface_init(dag->positions, corners, n, &cut));
	const double rms = cs_dag_check_rms(source, &cut, samples);
	cs_surface_deinit(&cut);
	free(corners);
	return rms;
}

/*
 * Returns how far a cut of that many triangles is from the source: between the cuts just above and
 * below it, by logarithms. NAN when the root has more triangles.
 */
static inline double cdag_rms(const struct cdag *dag, const struct cs_surface *source,
	uint32_t triangles, uint32_t samples)
{
	size_t low = 0, high = dag->n_groups;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (cdag_cut(dag, dag->steps[middle], NULL) <= triangles)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0 || low >= dag->n_groups || dag->steps[low] >= 1e30)
		return NAN;
	const double above = dag->steps[low - 1], below = dag->steps[low];
	const double finer = cdag_cut(dag, above, NULL), coarser = cdag_cut(dag, below, NULL);
	const double part = log(finer / triangles) / log(finer / coarser);
	return exp((1 - part) * log(cdag_rms_at(dag, source, above, samples)) +
		   part * log(cdag_rms_at(dag, source, below, samples)));
}
