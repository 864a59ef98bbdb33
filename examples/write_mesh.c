/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a Nanite resource of a mesh and writes a coarse cut of it: write_mesh IN.ply OUT.obj N */
#include "tell.h"

#include <cellscope/mesh.h>
#include <cellscope/nanite.h>

#include <stdlib.h>

/* The finest cut of at most about `triangles`. */
static struct cs_error *write_cut(const struct cs_dag *dag, uint64_t triangles, const char *path)
{
	struct cs_dag_fineness fineness = {.error = 0, .triangles = triangles};
	struct cs_dag_cut cut;
	struct cs_mesh *mesh;
	struct cs_error *error = cs_dag_cut(dag, &fineness, &cut);
	if (error)
		return error;
	printf("%u clusters, %llu triangles, at most %.4g from the source\n", cut.n_clusters,
		(unsigned long long)cut.n_triangles, cut.error);
	error = cs_dag_cut_mesh(dag, &cut, NULL, &mesh);
	free(cut.clusters);
	if (error)
		return error;
	error = cs_mesh_export(mesh, NULL, path);
	cs_mesh_free(mesh);
	return error;
}

static struct cs_error *build_and_write(
	const struct cs_mesh *mesh, uint64_t triangles, const char *path)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource;
	struct cs_dag *dag;
	struct cs_error *error = cs_nanite_build(mesh, &settings, NULL, NULL, &resource);
	if (error)
		return error;
	error = cs_nanite_dag(resource, NULL, &dag);
	if (!error) {
		error = write_cut(dag, triangles, path);
		cs_dag_free(dag);
	}
	cs_nanite_free(resource);
	return error;
}

int main(int argc, char **argv)
{
	struct cs_mesh *mesh;
	if (argc != 4) {
		fprintf(stderr, "usage: write_mesh IN.ply OUT.obj TRIANGLES\n");
		return 2;
	}
	struct cs_error *error = cs_mesh_import(argv[1], NULL, NULL, &mesh);
	if (!error) {
		error = build_and_write(mesh, strtoull(argv[3], NULL, 10), argv[2]);
		cs_mesh_free(mesh);
	}
	return tell(error);
}
