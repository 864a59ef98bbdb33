/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the Nanite builder share: meshes, builds, verdicts. */
#pragma once

#include <cellscope/dag.h>

#include "cluster/build.h"
#include "cluster/dag_internal.h"
#include "mesh/mesh_internal.h"
#include "tests/samples/dag_check.h"
#include "tests/samples/tap.h"

static const char *const partitioners[] = {
	[CS_PARTITIONER_NATIVE] = "native", [CS_PARTITIONER_METIS] = "metis"};

__attribute__((unused)) static struct cs_mesh *made_mesh(
	enum cs_mesh_kind kind, uint32_t triangles, uint64_t seed)
{
	struct cs_mesh *mesh;
	struct cs_mesh_recipe recipe = {kind, triangles, seed};
	struct cs_error *error = cs_mesh_generate(&recipe, NULL, &mesh);
	if (error) {
		diag("%s", error->message);
		exit(1);
	}
	return mesh;
}

__attribute__((unused)) static struct cs_mesh *mesh_of_arrays(struct cs_mesh_view arrays)
{
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_from_arrays(&arrays, NULL, NULL, &mesh);
	if (error) {
		diag("%s", error->message);
		exit(1);
	}
	return mesh;
}

static void show_fault(void *context, const char *rule, const char *message)
{
	diag("%s: %s: %s", (const char *)context, rule, message);
}

/*
 * Checks that every rule holds, that samples are within the declared error, and that there is one
 * small root.
 */
__attribute__((unused)) static void judge(
	const char *name, const struct cs_dag *dag, const struct cs_mesh *mesh, uint32_t samples)
{
	struct cs_dag_check check = {mesh, 6, tap_long(samples / 8, samples)};
	struct cs_dag_verdict verdict = {.faults = 1};
	struct cs_error *error =
		cs_dag_verify(dag, &check, NULL, show_fault, (void *)(uintptr_t)name, &verdict);
	const struct cs_cluster *root = &dag->clusters[dag->n_clusters - 1];
	uint32_t tops = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		tops += dag->clusters[i].level + 1 == dag->n_levels;
	ok(!error && verdict.faults == 0, "%s: C1 to C6 hold", name);
	ok(tops == 1 && root->n_triangles <= CS_CLUSTER_TRIANGLES, "%s: one root cluster", name);
	cs_error_free(error);
}

/* Builds with that partitioner and judges the DAG; returns NULL when it could not be built. */
__attribute__((unused)) static struct cs_dag *build_and_judge(const char *name,
	const struct cs_mesh *mesh, enum cs_partitioner partitioner, uint32_t samples,
	struct cs_dag_report *report)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag *dag = NULL;
	char text[120];
	snprintf(text, sizeof(text), "%s by %s", name, partitioners[partitioner]);
	options.partitioner = partitioner;
	works(cs_dag_build(mesh, &options, NULL, report, &dag), "%s: is built", text);
	if (dag)
		judge(text, dag, mesh, samples);
	return dag;
}
