/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DAG of clusters of a triangle mesh: options and statistics of its build, which
 * cs_nanite_build() does, and cuts of a DAG, which cs_nanite_dag() returns.
 */
#ifndef CELLSCOPE_DAG_H
#define CELLSCOPE_DAG_H

#include <cellscope/mesh.h>

CS_BEGIN_DECLS

/* ---- build: mesh -> DAG of clusters ---- */

/*
 * A DAG of clusters. A cluster has at most 128 triangles and 256 vertices, and clusters are
 * grouped. A group is simplified as a whole to its parent clusters, which keep the border to the
 * neighbouring groups.
 *
 * Unless quadrics are requested, every error is a bound in units of the mesh: no point of a cluster
 * is farther from the source mesh than the error of the cluster, and no point of the source is
 * farther from a cut than the largest error of a cluster in the cut. From the source to the root
 * errors never fall, and the sphere of a parent contains the spheres of the clusters that it was
 * simplified from, so a cut by error has no cracks.
 *
 * All positions are rounded to one grid, whose step is a power of two that depends on the sizes of
 * the leaf clusters. The source is rounded before clusters are built: a triangle with two corners
 * in one position is dropped, and the errors account for dropped triangles. The same mesh and
 * options give the same DAG on any number of threads.
 */
struct cs_dag;

/*
 * Value of position_precision (cellscope/nanite.h), by which the grid has steps of 2^-precision:
 * the builder chooses the precision from the sizes of the leaf clusters.
 */
#define CS_PRECISION_AUTO INT32_MIN

enum cs_partitioner {
	CS_PARTITIONER_NATIVE, /* bisection by our own code */
	CS_PARTITIONER_METIS, /* bisection by METIS, for comparison: slower, one thread at a time */
};

/* Meanings of the error of a group. */
enum cs_dag_error {
	/*
	 * A proved upper bound of the distance of the simplified surface from the source, and of
	 * the source from the simplified surface.
	 */
	CS_DAG_ERROR_BOUND,
	/*
	 * An estimate, as other builders of cluster hierarchies store it: the square root of the
	 * largest quadric error of a collapse, and at least the error of the level below. It halves
	 * the time of a build, but the true distances may be much larger.
	 */
	CS_DAG_ERROR_QUADRIC,
};

struct cs_dag_options {
	size_t size; /* sizeof(struct cs_dag_options); see cellscope/core.h */
	enum cs_partitioner partitioner;
	enum cs_dag_error error;
	/* number of clusters in a group, 2 <= group_min <= group_max <= 128; by default 8 and 32 */
	uint32_t group_min, group_max;
	/*
	 * Weights of attributes in the cost of a collapse: a difference of 1 in an attribute costs
	 * as much as a distance of weight x 4 x square root of the mean triangle area. Attributes
	 * are components of normals, colour channels of 0..1, and UVs after a division by the
	 * square root of the mean UV area of a triangle. 0 ignores the attribute. The defaults are
	 * 2/5, 1/16 and 1/128.
	 */
	double normal_weight, color_weight, uv_weight;
};

/*
 * Returns the default options. The weights are those of the engine (about 5.8), but normals have
 * 2/5 of the weight there. So cuts are nearer to the source, in positions and normals, than cuts of
 * as many triangles that clusterlod of meshoptimizer makes (HACKING.md). The function is in the
 * header, so that a program gets the size and the defaults that it was compiled with.
 */
static inline struct cs_dag_options cs_dag_options_default(void)
{
	struct cs_dag_options options = {sizeof(options), CS_PARTITIONER_NATIVE, CS_DAG_ERROR_BOUND,
		8, 32, 0.4, 1.0 / 16, 1.0 / 128};
	return options;
}

/* Build statistics. */
struct cs_dag_report {
	uint32_t input_triangles, input_vertices;
	uint32_t triangles, vertices; /* numbers in all clusters of all levels */
	uint32_t clusters, groups, levels;
	uint32_t leaf_clusters, root_triangles;
	/* number of groups that kept over 4/5 of their triangles; the next level regroups them */
	uint32_t stuck_groups;
	/* number of levels with over 9/10 of the clusters of the level below; groups then grow */
	uint32_t enlarged;
	uint32_t forced;     /* number of collapses that closed a hole or made surfaces touch */
	uint32_t duplicates; /* triangles dropped because another triangle has the same corners */
	uint32_t flattened;  /* source triangles dropped: rounding made two corners equal */
	double flattened_error;  /* largest distance of a flattened triangle from the kept ones */
	uint32_t dropped;        /* triangles of small separate pieces that simplifying removed */
	double leaf_fill;        /* mean number of triangles of leaf clusters divided by 128 */
	uint64_t leaf_cut_edges; /* edges shared by two leaf clusters */
	double seconds;          /* elapsed time of the build */
	/* elapsed time: finding neighbours of triangles, forming leaf clusters, forming groups */
	double match_seconds, cluster_seconds, group_seconds;
	/* summed over threads: merging groups, simplifying, computing errors, forming parents */
	double merge_seconds, simplify_seconds, deviation_seconds, split_seconds;
};

CS_API void cs_dag_free(struct cs_dag *dag);

/* ---- cuts of a DAG ---- */

/*
 * How fine a cut is. The cut begins with the coarsest clusters. It replaces the parents of a group
 * by the clusters of the group, beginning with the parents of the largest error, until every error
 * is at most `error` or the cut has at least `triangles` triangles.
 */
struct cs_dag_fineness {
	double error;       /* largest error, in units of the mesh; 0 selects source clusters */
	uint64_t triangles; /* number of triangles at which to stop; 0 sets no limit */
	uint32_t mesh;      /* number of the mesh to cut, from 1, if there are several; 0: all */
	/* select all clusters of `level` instead, 0 = source. E_MISSING: no such level or mesh */
	bool by_level;
	uint32_t level;
};

/* A cut: indices of clusters that show the whole mesh, ascending. The caller frees `clusters`. */
struct cs_dag_cut {
	uint32_t *clusters;
	uint32_t n_clusters;
	uint64_t n_triangles;
	/*
	 * largest error of a cluster in the cut: no point of the cut is farther from the source,
	 * and no point of the source farther from the cut
	 */
	double error;
};

CS_API struct cs_error *cs_dag_cut(const struct cs_dag *dag, const struct cs_dag_fineness *fineness,
	struct cs_dag_cut *ret) CS_MUST_USE;
/*
 * Merges the clusters of a cut into one mesh and welds equal vertices. The caller frees the mesh.
 */
CS_API struct cs_error *cs_dag_cut_mesh(const struct cs_dag *dag, const struct cs_dag_cut *cut,
	const struct cs_job *job, struct cs_mesh **ret) CS_MUST_USE;
/* Writes the DAG and source mesh as text, one record a line: "cdag 1" of cellscope-format(5). */
CS_API struct cs_error *cs_dag_dump(const struct cs_dag *dag, const struct cs_mesh *source,
	const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
