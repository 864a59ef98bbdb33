/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the DAG of clusters of a triangle mesh, cuts it, and checks it. */
#ifndef CELLSCOPE_DAG_H
#define CELLSCOPE_DAG_H

#include <cellscope/mesh.h>

CS_BEGIN_DECLS

/* ---- build: mesh -> DAG of clusters ---- */

/*
 * Clusters have at most 128 triangles and 256 vertices and are grouped. The parents of a group are
 * a coarser form of it with the same seam to its neighbours. Every error is a bound in units of the
 * mesh (unless quadrics are asked for): no point of a cluster is farther from the source mesh than
 * its error, and no point of the source is farther from any cut than the largest error in it.
 * Errors never fall and spheres nest on the way up, so a cut by error has no crack. All positions
 * are on one grid, whose step is a power of two that the sizes of the leaf clusters choose. The
 * source is put on it first: triangles of which two corners get the same position are left out, and
 * the errors include them. The same mesh and options give the same DAG on any number of threads.
 */
struct cs_dag;

/* The precision of positions that the leaf clusters need. */
#define CS_PRECISION_AUTO INT32_MIN

enum cs_partitioner {
	CS_PARTITIONER_NATIVE, /* our own bisection */
	CS_PARTITIONER_METIS,  /* the reference: slower, one call at a time in the process */
};

/* The meaning of a group's error. */
enum cs_dag_error {
	/* A proved bound: no point is farther from the other surface. True distances are smaller.
	 */
	CS_DAG_ERROR_BOUND,
	/*
	 * The square root of the largest quadric of a collapse, and at least the error of the level
	 * below, as other builders declare it. It is twice as fast, and distances may well be
	 * larger than it.
	 */
	CS_DAG_ERROR_QUADRIC,
};

struct cs_dag_options {
	size_t size; /* sizeof(struct cs_dag_options); core.h */
	enum cs_partitioner partitioner;
	enum cs_dag_error error;
	uint32_t group_min, group_max; /* clusters of a group, 8 and 32 by default */
	/*
	 * The weights of a difference in an attribute against distance, in lengths of edges:
	 * normals for each component, colours for each channel of 0..1, UVs relative to the size of
	 * their triangles. 0 means none. The defaults are 2/5, 1/16 and 1/128.
	 */
	double normal_weight, color_weight, uv_weight;
};

/*
 * Returns the defaults. The weights follow nanite rules 2.2, but normals weigh two fifths of
 * what these say: so both positions and normals of cuts are nearer to the source than those of
 * clusterlod are at equal triangles (HACKING.md). It is in the header, so that a program gets the
 * size and the defaults that it was compiled with.
 */
static inline struct cs_dag_options cs_dag_options_default(void)
{
	struct cs_dag_options options = {sizeof(options), CS_PARTITIONER_NATIVE, CS_DAG_ERROR_BOUND,
		8, 32, 0.4, 1.0 / 16, 1.0 / 128};
	return options;
}

/*
 * What the builder did. Seconds are wall time, and those of parallel phases are the sum of all
 * threads.
 */
struct cs_dag_report {
	uint32_t input_triangles, input_vertices;
	uint32_t triangles, vertices; /* sums over all clusters */
	uint32_t clusters, groups, levels;
	uint32_t leaf_clusters, root_triangles;
	/* groups that lost less than a fifth of their triangles, and are grouped again above */
	uint32_t stuck_groups;
	uint32_t enlarged;   /* levels that hardly shrank, after which groups are larger */
	uint32_t forced;     /* collapses that closed a hole or made sheets touch */
	uint32_t duplicates; /* triangles dropped because they coincide with another */
	/* triangles of the source left out because the grid made two corners equal */
	uint32_t flattened;
	/* the largest distance of any of their points from the remaining mesh */
	double flattened_error;
	uint32_t dropped;        /* triangles of pieces that were dropped as a whole */
	double leaf_fill;        /* mean number of triangles of leaf clusters divided by 128 */
	uint64_t leaf_cut_edges; /* edges between two different leaf clusters */
	double seconds;
	double match_seconds, cluster_seconds, group_seconds, merge_seconds;
	double simplify_seconds, deviation_seconds, split_seconds;
};

CS_API void cs_dag_free(struct cs_dag *dag);

/* ---- cuts of a DAG ---- */

/*
 * How fine a cut is. Groups are replaced by the clusters that they were simplified from, those with
 * the largest error first, until every error is at most `error` or there are `triangles` triangles.
 */
struct cs_dag_fineness {
	double error;       /* largest error of a cut; 0 uses the clusters of the source */
	uint64_t triangles; /* number of triangles to reach; 0 sets no limit */
	uint32_t mesh;      /* the only mesh of a DAG of several, counted from 1; 0 for all */
	/*
	 * Chooses all clusters of a level instead, 0 being the source. E_MISSING for a level or
	 * mesh that doesn't exist.
	 */
	bool by_level;
	uint32_t level;
};

/* Clusters that together show the whole mesh, in ascending order. The caller frees them. */
struct cs_dag_cut {
	uint32_t *clusters;
	uint32_t n_clusters;
	uint64_t n_triangles;
	/* largest error of its clusters: no point of cut or source is farther from the other */
	double error;
};

CS_API struct cs_error *cs_dag_cut(const struct cs_dag *dag, const struct cs_dag_fineness *fineness,
	struct cs_dag_cut *ret) CS_MUST_USE;
/* Makes one mesh of the clusters of a cut, with welded vertices. */
CS_API struct cs_error *cs_dag_cut_mesh(const struct cs_dag *dag, const struct cs_dag_cut *cut,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/*
 * Writes the DAG and its source as text, one record on each line: "cdag 1" (cellscope-format(5)).
 */
CS_API struct cs_error *cs_dag_dump(const struct cs_dag *dag, const struct cs_mesh *source,
	const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
