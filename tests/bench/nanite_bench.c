/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of the Nanite builder. For each mesh: triangles per second on 1 and 2 threads and where
 * the time goes; peak memory; fill and levels; leaf clustering against METIS in the same run; time
 * and distance of cuts against a peer, where there is one; what lightmap UVs cost; how far cuts of
 * N/4 to N/256 triangles are from the source, with normals weighted and without; and the verdict of
 * the checks C1 to C6, which fails it. C7 and bytes are tests/bench/encode's.
 *
 *	nanite [-q] [MESH ...]     a file, or KIND:TRIANGLES of the generator; -q measures no cuts
 */
#include <cellscope/dag.h>
#include <cellscope/nanite.h>

#include "cluster/build.h"
#include "src/front/memory.h"
#include "tests/bench/cdag.h"
#include "tests/bench/meshes.h"
#include "tests/bench/peer.h"
#include "tests/samples/tap.h"

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
	memory_shape_heap(); /* as the program does */
	if (file) {
		fputs("5", file);
		fclose(file);
	}
	return status_bytes("VmRSS:");
}

/* ---- one build ---- */

struct run {
	struct cs_dag_report report;
	double cpu;
};

static struct run build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	int threads, struct cs_dag **ret)
{
	struct cs_job job = {.threads = threads};
	struct run run = {.cpu = bench_cpu()};
	struct cs_dag *dag;
	bench_need(cs_dag_build(mesh, options, &job, &run.report, &dag));
	run.cpu = bench_cpu() - run.cpu;
	if (ret)
		*ret = dag;
	else
		cs_dag_free(dag);
	return run;
}

/* The fastest of a few, or the only one of a large mesh. */
static struct run build_best(const struct cs_mesh *mesh, int threads)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct run best = build(mesh, &options, threads, NULL);
	for (int i = 0; i < 4 && best.report.input_triangles < 500000; i++) {
		struct run next = build(mesh, &options, threads, NULL);
		double cpu = next.cpu < best.cpu ? next.cpu : best.cpu;
		best = next.report.seconds < best.report.seconds ? next : best;
		best.cpu = cpu;
	}
	return best;
}

static void print_speed(const struct run *run, int threads)
{
	const struct cs_dag_report *r = &run->report;
	printf("  %d thread%s     %7.3f s  %.3f Mtri/s, %.3f s of CPU  (match %.3f, leaves %.3f, group"
	       " %.3f; of all threads: merge %.3f, simplify %.3f, bound %.3f, split %.3f)\n",
		threads, threads == 1 ? " " : "s", r->seconds,
		r->input_triangles / r->seconds / 1e6, run->cpu, r->match_seconds,
		r->cluster_seconds, r->group_seconds, r->merge_seconds, r->simplify_seconds,
		r->deviation_seconds, r->split_seconds);
}

/* ---- against a peer ---- */

enum { ROUNDS = 5, PEER_CUTS = 3, PEER_SAMPLES = 40000 };

static double build_user(const struct cs_mesh *mesh, enum cs_dag_error error)
{
	struct cs_dag_options options = cs_dag_options_default();
	double start = bench_user();
	options.error = error;
	build(mesh, &options, 1, NULL);
	return bench_user() - start;
}

/* Turn by turn, so that a loaded machine slows both; the least of each counts. */
static void compare_peer(const struct cs_mesh *mesh)
{
	static const char *const modes[] = {"shipped", "matched"};
	double peer[2] = {INFINITY, INFINITY}, ours[2] = {INFINITY, INFINITY};
	char raw[] = "/tmp/cellscope-bench-XXXXXX";
	const char *program = peer_program();
	int fd = program ? mkstemp(raw) : -1;
	if (fd < 0)
		return;
	close(fd);
	for (int i = 0; i < ROUNDS && peer_write(mesh, raw); i++)
		for (int k = 0; k < 2; k++) {
			peer[k] = fmin(peer[k], peer_seconds(program, modes[k], raw));
			ours[k] = fmin(ours[k], build_user(mesh, (enum cs_dag_error)k));
		}
	unlink(raw);
	printf("  against clusterlod  one thread's user time, %d rounds turn by turn: %.3f s; %.2f of it as"
	       " shipped (%.3f s), %.2f with our limits (%.3f s); errors by quadrics %.3f s, %.2f"
	       " and %.2f\n",
		ROUNDS, ours[0], ours[0] / peer[0], peer[0], ours[0] / peer[1], peer[1], ours[1],
		ours[1] / peer[0], ours[1] / peer[1]);
}

/* RMS of our cuts of N/4, N/16 and N/64 triangles by those of one of the peer's modes; -: no such
 * cut. */
static void print_rms(const struct cs_mesh *mesh, const struct cdag *ours, const struct cdag *peer)
{
	const struct cs_mesh_view v = cs_mesh_view(mesh);
	struct cs_surface source;
	bench_need(cs_surface_init(v.positions, v.indices, v.n_triangles, &source));
	for (uint32_t i = 0, n = v.n_triangles / 4; i < PEER_CUTS; i++, n /= 4) {
		const double ratio = cdag_rms(ours, &source, n, PEER_SAMPLES) /
				     cdag_rms(peer, &source, n, PEER_SAMPLES);
		if (isnan(ratio))
			printf(" -");
		else
			printf(" %.2f", ratio);
	}
	cs_surface_deinit(&source);
}

static void compare_rms(const struct cs_mesh *mesh)
{
	static const char *const modes[] = {"shipped", "matched"};
	static const char *const labels[] = {"as shipped", "with our limits"};
	char raw[] = "/tmp/cellscope-bench-XXXXXX", dump[] = "/tmp/cellscope-bench-XXXXXX";
	const char *program = peer_program();
	int fds[2] = {program ? mkstemp(raw) : -1, program ? mkstemp(dump) : -1};
	struct cdag ours, peer;
	struct cs_dag *dag;
	if (fds[0] < 0 || fds[1] < 0)
		return;
	close(fds[0]);
	close(fds[1]);
	build(mesh, NULL, 2, &dag);
	bench_need(cs_dag_dump(dag, mesh, NULL, dump));
	cs_dag_free(dag);
	bool good = cdag_read(dump, &ours) && peer_write(mesh, raw);
	printf("  against clusterlod  RMS at N/4 N/16 N/64 triangles by its:");
	for (int k = 0; good && k < 2; k++) {
		good = peer_dump(program, modes[k], raw, dump) && cdag_read(dump, &peer);
		if (good)
			print_rms(mesh, &ours, &peer);
		printf(" %s%s", labels[k], k ? "\n" : ",");
		cdag_free(&peer);
	}
	cdag_free(&ours);
	unlink(raw);
	unlink(dump);
}

/* ---- lightmap UVs ---- */

enum { LIGHTMAP_ROUNDS = 3, LIGHTMAP_RESOLUTION = 512 };

/* Returns the user time of a whole build on one thread, INFINITY when it is refused. */
static double resource_user(const struct cs_mesh *mesh, bool lightmap)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	const struct cs_job job = {.threads = 1};
	struct cs_nanite *resource = NULL;
	double start = bench_user();
	settings.lightmap.wanted = lightmap;
	settings.lightmap.resolution = LIGHTMAP_RESOLUTION;
	struct cs_error *error = cs_nanite_build(mesh, &settings, &job, NULL, &resource);
	const double seconds = error ? (double)INFINITY : bench_user() - start;
	cs_error_free(error);
	cs_nanite_free(resource);
	return seconds;
}

static void compare_lightmap(const struct cs_mesh *mesh)
{
	double without = INFINITY, with = INFINITY;
	for (int i = 0; i < LIGHTMAP_ROUNDS; i++) {
		without = fmin(without, resource_user(mesh, false));
		with = fmin(with, resource_user(mesh, true));
	}
	printf("  lightmap UVs  a resource takes %.2f of the user time without them (%.3f s)\n",
		with / without, without);
}

/* ---- what is measured ---- */

/* A vertex is in one cluster at least, which has 256 at most: no cut can fill clusters better. */
static double most_fill(const struct cs_mesh *mesh)
{
	const struct cs_mesh_view v = cs_mesh_view(mesh);
	double by_vertices = (double)v.n_triangles / 128 / ((double)v.n_vertices / 256);
	return by_vertices < 1 ? by_vertices : 1;
}

static void print_dag(const struct cs_dag_report *r, double most)
{
	printf("  leaves        %7u clusters, fill %.2f %%, %.1f %% of what vertices allow, %.1f cut"
	       " edges a cluster\n",
		r->leaf_clusters, 100 * r->leaf_fill, 100 * r->leaf_fill / most,
		2.0 * (double)r->leaf_cut_edges / r->leaf_clusters);
	printf("  DAG           %7u levels, %u groups, root of %u, %u stuck, %u forced, %u doubles,"
	       " %u dropped\n",
		r->levels, r->groups, r->root_triangles, r->stuck_groups, r->forced, r->duplicates,
		r->dropped);
}

static void compare_metis(const struct cs_mesh *mesh, const struct cs_dag_report *ours)
{
	struct cs_dag_options options = cs_dag_options_default();
	options.partitioner = CS_PARTITIONER_METIS;
	const struct cs_dag_report metis = build(mesh, &options, 1, NULL).report;
	printf("  against METIS    leaves in %.2f of its time (%.3f s), %.3f of its cut edges, fill"
	       " %.2f against %.2f %%; DAG in %.2f of its time (%.3f s)\n",
		ours->cluster_seconds / metis.cluster_seconds, metis.cluster_seconds,
		(double)ours->leaf_cut_edges / (double)metis.leaf_cut_edges, 100 * ours->leaf_fill,
		100 * metis.leaf_fill, ours->seconds / metis.seconds, metis.seconds);
}

static void bench_speed(const struct cs_mesh *mesh)
{
	struct cs_dag_options options = cs_dag_options_default();
	double before = reset_peak();
	struct run first = build(mesh, &options, 1, NULL);
	double peak = status_bytes("VmHWM:") - before;
	struct run one = build_best(mesh, 1), two = build_best(mesh, 2);
	print_speed(&one, 1);
	print_speed(&two, 2);
	printf("  peak memory   %7.1f bytes a triangle beside the mesh\n",
		peak / first.report.input_triangles);
	print_dag(&one.report, most_fill(mesh));
	compare_peer(mesh);
	compare_lightmap(mesh);
	compare_metis(mesh, &one.report);
}

static void show_fault(void *context, const char *rule, const char *message)
{
	(void)context;
	printf("    %s: %s\n", rule, message);
}

/* RMS, largest and declared distance in 1e-4 of the diagonal, and how tight it is, at each cut. */
static bool bench_cuts(const struct cs_mesh *mesh, const char *label, double normal_weight)
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
		printf("  %.2f/%.1f (<%.1f: %.2f)", m->rms / unit, m->farthest / unit,
			m->declared / unit, m->declared > 0 ? m->farthest / m->declared : 1);
	}
	printf("  C1 to C6: %llu faults\n", (unsigned long long)verdict.faults);
	cs_dag_free(dag);
	return verdict.faults == 0;
}

/* Whether all checks hold. */
static bool bench_mesh(const char *name)
{
	bool good = true;
	struct cs_mesh *mesh = bench_load_mesh(name);
	printf("%s: %u triangles\n", name, cs_mesh_view(mesh).n_triangles);
	bench_speed(mesh);
	if (!quick) {
		compare_rms(mesh);
		printf("  RMS/Hausdorff (<declared: measured part), 1e-4 of the diagonal, at N/4 N/16 N/64 N/256\n");
		good = bench_cuts(mesh, "with normals ", cs_dag_options_default().normal_weight);
		good = bench_cuts(mesh, "position only", 0) && good;
	}
	cs_mesh_free(mesh);
	return good;
}

/* ---- all ---- */

/* Each mesh in a process of its own, so that its peak memory is its own. */
static bool bench_apart(const char *name)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		exit(bench_mesh(name) ? 0 : 3);
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
