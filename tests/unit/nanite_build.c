/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the builder: every DAG it makes is judged by cs_dag_verify, C1 to C6 of the rules.
 */
#include <cellscope/dag.h>

#include "mesh/mesh.h"
#include "nanite/dag.h"
#include "tests/tap.h"

#include <math.h>

static struct cs_mesh *generate(enum cs_mesh_kind kind, uint32_t triangles)
{
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_generate(&(struct cs_mesh_recipe){kind, triangles, 1}, NULL, &mesh),
		"%s of %u triangles is generated", cs_mesh_kind_name(kind), triangles);
	return mesh;
}

static void show_fault(void *context, const char *rule, const char *message)
{
	diag("%s: %s: %s", (const char *)context, rule, message);
}

/* Every rule holds, samples stay within the declared error, the root is small. */
static void judge(const char *name, const struct cs_dag *dag, const struct cs_mesh *mesh)
{
	const struct cs_dag_check check = {mesh, 8, 20000};
	struct cs_dag_verdict verdict = {0};
	works(cs_dag_verify(dag, &check, NULL, show_fault, (void *)(uintptr_t)name, &verdict),
		"%s: is checked", name);
	is_int(verdict.faults, 0, "%s: C1 to C6 hold", name);
	ok(dag->clusters[dag->n_clusters - 1].n_triangles <= CS_CLUSTER_TRIANGLES,
		"%s: one root cluster", name);
}

static void test_kind(enum cs_mesh_kind kind, uint32_t triangles, enum cs_partitioner partitioner)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_report report = {0};
	struct cs_dag *dag = NULL;
	struct cs_mesh *mesh = generate(kind, triangles);
	char name[80];
	snprintf(name, sizeof(name), "%s by %s", cs_mesh_kind_name(kind),
		partitioner == CS_PARTITIONER_METIS ? "metis" : "native");
	options.partitioner = partitioner;
	if (mesh)
		works(cs_dag_build(mesh, &options, NULL, &report, &dag), "%s: is built", name);
	if (dag)
		judge(name, dag, mesh);
	diag("%s: %u triangles, %u levels, fill %.3f, %u stuck, %u forced, %u dropped", name,
		report.input_triangles, report.levels, report.leaf_fill, report.stuck_groups,
		report.forced, report.dropped);
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

int main(void)
{
	for (enum cs_mesh_kind kind = 0; kind < CS_MESH_KINDS; kind++) {
		test_kind(kind, 6000, CS_PARTITIONER_NATIVE);
		test_kind(kind, 6000, CS_PARTITIONER_METIS);
	}
	return done();
}
