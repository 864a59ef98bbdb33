/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a triangle mesh to its DAG of clusters, cuts of it, and checks.
 */
#ifndef CELLSCOPE_DAG_H
#define CELLSCOPE_DAG_H

#include <cellscope/mesh.h>

CS_BEGIN_DECLS

/* ---- build: mesh -> DAG of clusters ---- */

/*
 * Clusters of at most 128 triangles and 256 vertices, grouped; the parents of a group are a coarser
 * form of it with the same seam to its neighbours. Every error is a bound (unless quadrics are
 * asked for): no point of a cluster is farther from the source mesh than its error, and no point of
 * the source farther from any cut than the largest error in it. Errors never fall and spheres nest
 * on the way up, so a cut by error has no crack. All positions lie on one grid (a step of a power
 * of two that the sizes of the leaf clusters choose), the source is put on it first: triangles of
 * which two corners fall together are left out, and the errors cover them. The same mesh and
 * options give the same DAG on any number of threads.
 */
struct cs_dag;

/* Of positions: as fine as the leaf clusters want it. */
#define CS_PRECISION_AUTO INT32_MIN

enum cs_partitioner {
	CS_PARTITIONER_NATIVE, /* our own bisection */
	CS_PARTITIONER_METIS,  /* the reference: slower, one call at a time in the process */
};

/* What the error of a group says. */
enum cs_dag_error {
	/* nothing is farther away than that: proven, and for that more than what it is */
	CS_DAG_ERROR_BOUND,
	/*
	 * The root of the largest quadric of a collapse, and at least that of the level below: what
	 * other builders declare. Twice as fast; distances may well be larger than that.
	 */
	CS_DAG_ERROR_QUADRIC,
};

struct cs_dag_options {
	size_t size; /* sizeof(struct cs_dag_options); api.h */
	enum cs_partitioner partitioner;
	enum cs_dag_error error;
	uint32_t group_min, group_max; /* clusters of a group, 8 and 32 */
	/*
	 * What a difference in an attribute weighs against distance, in edges' lengths: normals per
	 * component, colours per channel of 0..1, UVs against the size of their triangles.
	 * 0 = not at all; 1/2, 1/16 and 1/128 by default. (nanite rules 2.2)
	 */
	double normal_weight, color_weight, uv_weight;
};

/*
 * Weights after nanite rules 2.2, but normals by half: that takes a quarter off the distance of
 * coarse cuts from the source (tests/bench/nanite), and more where surfaces are flat. In the
 * header, so that a program gets the size and the defaults that it was compiled with.
 */
static inline struct cs_dag_options cs_dag_options_default(void)
{
	struct cs_dag_options options = {sizeof(options), CS_PARTITIONER_NATIVE, CS_DAG_ERROR_BOUND,
		8, 32, 0.5, 1.0 / 16, 1.0 / 128};
	return options;
}

/* What the builder did; seconds are wall time, the parallel phases' of all threads together. */
struct cs_dag_report {
	uint32_t input_triangles, input_vertices;
	uint32_t triangles, vertices; /* of all clusters */
	uint32_t clusters, groups, levels;
	uint32_t leaf_clusters, root_triangles;
	uint32_t stuck_groups;   /* lost less than a fifth of their triangles; grouped anew above */
	uint32_t enlarged;       /* levels that hardly shrank, with larger groups from then on */
	uint32_t forced;         /* collapses that closed a hole or let sheets touch */
	uint32_t duplicates;     /* triangles dropped: coincident with another */
	uint32_t flattened;      /* of the source, left out: the grid made two corners one */
	double flattened_error;  /* how far any point of those is from what is left, at most */
	uint32_t dropped;        /* triangles of pieces dropped whole */
	double leaf_fill;        /* triangles of leaf clusters, of 128 each */
	uint64_t leaf_cut_edges; /* edges with different leaf clusters on either side */
	double seconds;
	double match_seconds, cluster_seconds, group_seconds, merge_seconds;
	double simplify_seconds, deviation_seconds, split_seconds;
};

CS_API void cs_dag_free(struct cs_dag *dag);

/* ---- cuts of a DAG ---- */

/*
 * How fine a cut is: groups are replaced by what they were made of, those with the largest error
 * first, until every error is at most `error` or `triangles` are reached.
 */
struct cs_dag_fineness {
	double error;       /* 0 = down to the source */
	uint64_t triangles; /* 0 = no matter how many */
	uint32_t mesh;      /* of a DAG of several: that one alone, counted from 1; 0 = all */
	/* instead: all clusters of a level, 0 being the source; E_MISSING: no such level or mesh */
	bool by_level;
	uint32_t level;
};

/* Clusters that stand for the whole mesh, ascending; freed by the caller. */
struct cs_dag_cut {
	uint32_t *clusters;
	uint32_t n_clusters;
	uint64_t n_triangles;
	double error; /* largest of them: no point of either surface is farther from the other */
};

CS_API struct cs_error *cs_dag_cut(const struct cs_dag *dag, const struct cs_dag_fineness *fineness,
	struct cs_dag_cut *ret) CS_MUST_USE;
/* The clusters of a cut as one mesh, its vertices welded. */
CS_API struct cs_error *cs_dag_cut_mesh(const struct cs_dag *dag, const struct cs_dag_cut *cut,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/* Writes the DAG and its source as text, one record a line: "cdag 1" (cellscope-format(5)). */
CS_API struct cs_error *cs_dag_dump(const struct cs_dag *dag, const struct cs_mesh *source,
	const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
