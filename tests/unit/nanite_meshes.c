/* SPDX-License-Identifier: Apache-2.0 */
/* The builder on research models: every rule holds, and cuts are as good as they were promised. */
#include "tests/unit/dag_test.h"

#include <math.h>

/* RMS at N/4 triangles in 1e-4 of the diagonal, at most; that of igea is promised. */
struct model {
	const char *file;
	double with_normals, position_only;
};

static double diagonal_of(const struct cs_mesh *mesh)
{
	struct cs_box box = cs_mesh_box(mesh);
	double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
	return sqrt(x * x + y * y + z * z);
}

static void test_model(const struct model *model, const struct cs_mesh *mesh, double normal_weight)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_check check = {mesh, 3, 10000};
	struct cs_dag_report report = {0};
	struct cs_dag_verdict verdict = {0};
	struct cs_dag *dag = NULL;
	double most = normal_weight > 0 ? model->with_normals : model->position_only;
	options.normal_weight = normal_weight;
	works(cs_dag_build(mesh, &options, NULL, &report, &dag), "%s: is built", model->file);
	if (!dag)
		return;
	works(cs_dag_verify(
		      dag, &check, NULL, show_fault, (void *)(uintptr_t)model->file, &verdict),
		"%s: is judged", model->file);
	is_int(verdict.faults, 0, "%s: C1 to C6 hold", model->file);
	is_int(report.stuck_groups, 0, "%s: nothing is stuck", model->file);
	ok(report.root_triangles <= CS_CLUSTER_TRIANGLES, "%s: one root", model->file);
	/* the bound holds (C6) and is no wild guess: an outlier must not make a group coarse */
	for (int i = 0; i < 3 && normal_weight > 0; i++) {
		const struct cs_dag_measure *m = &verdict.measures[i];
		ok(m->declared == 0 || m->farthest >= 0.25 * m->declared,
			"%s: %.2f of the declared error is there at %llu triangles", model->file,
			m->farthest / m->declared, (unsigned long long)m->triangles);
	}
	double rms = verdict.measures[0].rms / diagonal_of(mesh) * 1e4;
	ok(rms <= most, "%s: RMS at N/4 is %.3f, at most %.3f", model->file, rms, most);
	ok(report.leaf_fill >= 0.97 || mesh->n_triangles < 2000, "%s: fill %.4f", model->file,
		report.leaf_fill);
	cs_dag_free(dag);
}

int main(void)
{
	static const struct model models[] = {
		{"stanford-bunny.obj", 2.2, 1.5},
		{"nefertiti.obj", 1.4, 0.9},
		{"igea.ply", 0.84, 0.63},
		{"beast.obj", 3.2, 2.0},
		{"spot.obj", 22, 15},
		{"beetle-alt.obj", 0.8, 0.6},
		{"fandisk.obj", 2.6, 1.2},
		{"suzanne.obj", 130, 80},
	};
	for (size_t i = 0; shared_data() && i < sizeof(models) / sizeof(*models); i++) {
		struct cs_mesh *mesh = NULL;
		char path[4300];
		snprintf(path, sizeof(path), "%s/meshes/%s", shared_data(), models[i].file);
		works(cs_mesh_import(path, NULL, NULL, &mesh), "%s is read", models[i].file);
		if (!mesh)
			continue;
		test_model(&models[i], mesh, cs_dag_options_default().normal_weight);
		test_model(&models[i], mesh, 0);
		cs_mesh_free(mesh);
	}
	if (!shared_data())
		skip("no shared data");
	return done();
}
