/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of the Nanite builder. For each mesh: triangles per second on 1 and 2 threads and where
 * the time goes; peak memory; fill and levels; leaf clustering against METIS in the same run; how
 * far cuts of N/4 to N/256 triangles are from the source, with normals weighted and without; and
 * the verdict of all checks.
 *
 *	nanite [-q] [MESH ...]     a file, or KIND:TRIANGLES of the generator; -q measures no cuts
 */
#include <cellscope/dag.h>

#include "tests/bench/bench.h"
#include "tests/tap.h"

#include <malloc.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAMPLES = 100000, CUTS = 4 };

static bool quick;

/* ---- memory ---- */

/* A line of /proc/self/status in bytes. */
static double status_bytes(const char *key)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	double kilobytes = 0;
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, key, strlen(key)) == 0)
			kilobytes = strtod(line + strlen(key), NULL);
	if (file)
		fclose(file);
	return kilobytes * 1024;
}

/* Starts to count the peak anew; returns what is resident now. */
static double reset_peak(void)
{
	FILE *file = fopen("/proc/self/clear_refs", "w");
	malloc_trim(0);
	if (file) {
		fputs("5", file);
		fclose(file);
	}
	return status_bytes("VmRSS:");
}

/* ---- one build ---- */

static struct cs_dag_report build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	int threads, struct cs_dag **ret)
{
	struct cs_job job = {.threads = threads};
	struct cs_dag_report report;
	struct cs_dag *dag;
	bench_need(cs_dag_build(mesh, options, &job, &report, &dag));
	if (ret)
		*ret = dag;
	else
		cs_dag_free(dag);
	return report;
}

/* The fastest of three, or the only one of a large mesh. */
static struct cs_dag_report build_best(const struct cs_mesh *mesh, int threads)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_report best = build(mesh, &options, threads, NULL);
	for (int i = 0; i < 2 && best.input_triangles < 500000; i++) {
		struct cs_dag_report next = build(mesh, &options, threads, NULL);
		best = next.seconds < best.seconds ? next : best;
	}
	return best;
}

static void print_speed(const struct cs_dag_report *r, int threads)
{
	printf("  %d thread%s     %7.3f s  %.3f Mtri/s  (match %.3f, leaves %.3f, group %.3f; of all"
	       " threads: merge %.3f, simplify %.3f, bound %.3f, split %.3f)\n",
		threads, threads == 1 ? " " : "s", r->seconds,
		r->input_triangles / r->seconds / 1e6, r->match_seconds, r->cluster_seconds,
		r->group_seconds, r->merge_seconds, r->simplify_seconds, r->deviation_seconds,
		r->split_seconds);
}

/* ---- what is measured ---- */

static void bench_speed(const struct cs_mesh *mesh)
{
	struct cs_dag_options options = cs_dag_options_default();
	double before = reset_peak();
	struct cs_dag_report first = build(mesh, &options, 1, NULL);
	double peak = status_bytes("VmHWM:") - before;
	struct cs_dag_report one = build_best(mesh, 1), two = build_best(mesh, 2);
	print_speed(&one, 1);
	print_speed(&two, 2);
	printf("  peak memory   %7.1f bytes a triangle beside the mesh\n",
		peak / first.input_triangles);
	printf("  leaves        %7u clusters, fill %.2f %%, %.1f cut edges a cluster\n",
		one.leaf_clusters, 100 * one.leaf_fill,
		2.0 * (double)one.leaf_cut_edges / one.leaf_clusters);
	printf("  DAG           %7u levels, %u groups, root of %u, %u stuck, %u forced, %u doubles,"
	       " %u dropped\n",
		one.levels, one.groups, one.root_triangles, one.stuck_groups, one.forced,
		one.duplicates, one.dropped);
	options.partitioner = CS_PARTITIONER_METIS;
	struct cs_dag_report metis = build(mesh, &options, 1, NULL);
	printf("  against METIS    leaves in %.2f of its time (%.3f s), %.3f of its cut edges, fill"
	       " %.2f against %.2f %%; DAG in %.2f of its time (%.3f s)\n",
		one.cluster_seconds / metis.cluster_seconds, metis.cluster_seconds,
		(double)one.leaf_cut_edges / (double)metis.leaf_cut_edges, 100 * one.leaf_fill,
		100 * metis.leaf_fill, one.seconds / metis.seconds, metis.seconds);
}

static void show_fault(void *context, const char *rule, const char *message)
{
	(void)context;
	printf("    %s: %s\n", rule, message);
}

/* RMS, largest and declared distance in 1e-4 of the diagonal, at each measured cut. */
static void bench_cuts(const struct cs_mesh *mesh, const char *label, double normal_weight)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_check check = {mesh, CUTS, SAMPLES};
	struct cs_dag_verdict verdict;
	struct cs_box box = cs_mesh_box(mesh);
	double x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
	double unit = 1e-4 * sqrt(x * x + y * y + z * z);
	struct cs_dag *dag;
	options.normal_weight = normal_weight;
	build(mesh, &options, 2, &dag);
	bench_need(cs_dag_verify(dag, &check, NULL, show_fault, NULL, &verdict));
	printf("  %s", label);
	for (int i = 0; i < CS_DAG_MEASURES; i++) {
		const struct cs_dag_measure *m = &verdict.measures[i];
		printf("  %.2f/%.1f (<%.1f)", m->rms / unit, m->farthest / unit,
			m->declared / unit);
	}
	printf("  %llu faults\n", (unsigned long long)verdict.faults);
	cs_dag_free(dag);
}

static void bench_mesh(const char *name)
{
	struct cs_mesh_recipe recipe = {.seed = 1};
	struct cs_mesh *mesh;
	const char *colon = strchr(name, ':');
	char kind[32] = "";
	snprintf(kind, sizeof(kind), "%.*s", colon ? (int)(colon - name) : 0, name);
	if (colon && cs_mesh_kind_parse(kind, &recipe.kind)) {
		recipe.triangles = (uint32_t)strtoul(colon + 1, NULL, 10);
		bench_need(cs_mesh_generate(&recipe, NULL, &mesh));
	} else {
		bench_need(cs_mesh_import(name, NULL, NULL, &mesh));
	}
	printf("%s: %u triangles\n", name, cs_mesh_view(mesh).n_triangles);
	bench_speed(mesh);
	if (!quick) {
		printf("  RMS/Hausdorff (<declared), 1e-4 of the diagonal, at N/4 N/16 N/64 N/256\n");
		bench_cuts(mesh, "with normals ", cs_dag_options_default().normal_weight);
		bench_cuts(mesh, "position only", 0);
	}
	cs_mesh_free(mesh);
}

/* ---- all ---- */

/* Each mesh in a process of its own, so that its peak memory is its own. */
static bool bench_apart(const char *name)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		bench_mesh(name);
		exit(0);
	}
	return waitpid(child, &status, 0) >= 0 && status == 0;
}

int main(int argc, char **argv)
{
	static const char *const files[] = {"stanford-bunny.obj", "nefertiti.obj", "igea.ply",
		"beast.obj", "spot.obj", "beetle-alt.obj", "fandisk.obj", "suzanne.obj"};
	static const char *const made[] = {"terrain:300000", "noise:300000", "foliage:300000",
		"flat:300000", "seams:300000", "islands:300000", "moebius:300000",
		"coincident:1000000"};
	bool good = true;
	quick = argc > 1 && strcmp(argv[1], "-q") == 0;
	for (int i = 1 + quick; i < argc; i++)
		good = bench_apart(argv[i]) && good;
	if (argc > 1 + quick)
		return good ? 0 : 3;
	for (size_t i = 0; shared_data() && i < sizeof(files) / sizeof(*files); i++) {
		char path[4200];
		snprintf(path, sizeof(path), "%s/meshes/%s", shared_data(), files[i]);
		good = bench_apart(path) && good;
	}
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		good = bench_apart(made[i]) && good;
	return good ? 0 : 3;
}
