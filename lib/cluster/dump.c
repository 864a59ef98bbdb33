/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the dump "cdag 1", a text from which an independent checker can verify a DAG (nanite rules
 * 7). V S G C are the counts of the lines v, s, g and c:
 *
 *	cdag 1
 *	counts V S G C
 *	v x y z                               vertices
 *	s a b c                               triangles of the source
 *	g level cx cy cz r err                groups: sphere and error of their parents
 *	c group made cx cy cz r err n i...    clusters: the group that contains it, the group
 *	                                      that it was simplified from (-1: a leaf), sphere,
 *	                                      error, n triangles and the vertices of their corners
 *
 * Vertices of the source come after those of the DAG. The error of a root group is written as 1e30,
 * because it has no parents, and its sphere is that of its cluster.
 */
#include "cluster/dag_internal.h"

#include <cellscope/dag.h>

#include "core/job.h"
#include "core/text.h"
#include "core/writer.h"
#include "mesh/mesh_internal.h"

static void put_vertices(struct cs_writer *writer, const float *positions, uint32_t n)
{
	for (size_t i = 0; i < n; i++)
		cs_writer_print(writer, "v %.9g %.9g %.9g\n", (double)positions[3 * i],
			(double)positions[3 * i + 1], (double)positions[3 * i + 2]);
}

static void dump_put_group(struct cs_writer *writer, const struct cs_dag *dag, uint32_t i)
{
	const struct cs_cluster_group *group = &dag->groups[i];
	/* The sphere of a root group is all zeros, so the sphere of its cluster is written. */
	bool root = cs_is_root_group(group);
	const struct cs_sphere_f *s =
		root ? &dag->clusters[dag->children[group->first_child]].lod_bounds
		     : &group->lod_bounds;
	cs_writer_print(writer, "g %u %.9g %.9g %.9g %.9g %.9g\n", group->level, (double)s->x,
		(double)s->y, (double)s->z, (double)s->radius,
		root ? 1e30 : (double)group->max_parent_error);
}

static void dump_put_cluster(struct cs_writer *writer, const struct cs_dag *dag, uint32_t i)
{
	const struct cs_cluster *cluster = &dag->clusters[i];
	const struct cs_sphere_f *s = &cluster->lod_bounds;
	int64_t made =
		cluster->generating_group == CS_NONE ? -1 : (int64_t)cluster->generating_group;
	cs_writer_print(writer, "c %u %lld %.9g %.9g %.9g %.9g %.9g %u", cluster->group,
		(long long)made, (double)s->x, (double)s->y, (double)s->z, (double)s->radius,
		(double)cluster->lod_error, cluster->n_triangles);
	const uint8_t *corners = dag->corners + 3 * (size_t)cluster->first_triangle;
	for (size_t k = 0; k < 3 * (size_t)cluster->n_triangles; k++)
		cs_writer_print(writer, " %u", cluster->first_vertex + corners[k]);
	cs_writer_print(writer, "\n");
}

static void write_dump(
	struct cs_writer *writer, const struct cs_dag *dag, const struct cs_mesh *source)
{
	cs_writer_print(writer, "cdag 1\ncounts %u %u %u %u\n",
		dag->n_vertices + source->n_vertices, source->n_triangles, dag->n_groups,
		dag->n_clusters);
	put_vertices(writer, dag->positions, dag->n_vertices);
	put_vertices(writer, source->positions, source->n_vertices);
	for (size_t i = 0; i < source->n_triangles; i++)
		cs_writer_print(writer, "s %u %u %u\n", dag->n_vertices + source->indices[3 * i],
			dag->n_vertices + source->indices[3 * i + 1],
			dag->n_vertices + source->indices[3 * i + 2]);
	for (uint32_t i = 0; i < dag->n_groups; i++)
		dump_put_group(writer, dag, i);
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		dump_put_cluster(writer, dag, i);
}

struct cs_error *cs_dag_dump(const struct cs_dag *dag, const struct cs_mesh *source,
	const struct cs_job *job, const char *path)
{
	struct cs_writer writer = {0};
	struct cs_error *error = cs_job_check(job);
	if (error)
		return error;
	struct cs_c_locale locale = cs_c_locale_enter();
	write_dump(&writer, dag, source);
	cs_c_locale_leave(locale);
	error = writer.failed ? cs_error_nomem() : cs_save_whole(path, writer.bytes, writer.size);
	cs_writer_deinit(&writer);
	return error;
}
