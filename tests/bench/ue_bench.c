/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of opening Unreal projects against reading, from the same files and in the same run,
 * only the bytes that must be read: of each actor's package the summary and the registry section.
 * The peer knows beforehand where those bytes are; it finds the files and decodes nothing. Both are
 * warm, the best of three.
 *
 *	ue [ACTORS]     size of the generated project, default 20000
 */
#include <cellscope/ue.h>

#include "core/parallel.h"
#include "tests/bench/bench.h"
#include "tests/make/make.h"
#include "tests/samples/folder.h"
#include "ue/package/registry.h"
#include "ue/project/files.h"
#include "world/world_internal.h"

#include <fcntl.h>
#include <ftw.h>
#include <unistd.h>

/* What must be read of one file. */
struct need {
	uint64_t section;
	size_t summary_size, section_size;
};

struct peer {
	struct cs_ue_files files;
	struct need *needs;
	uint64_t bytes;
};

static struct need need_of(const char *path, struct cs_ue_reader *reader)
{
	struct cs_source_file source;
	struct cs_ue_summary summary;
	bench_need(cs_source_open(path, UINT64_MAX, &source));
	unsigned char bytes[65536];
	size_t size = source.size < sizeof(bytes) ? (size_t)source.size : sizeof(bytes);
	bench_need(cs_source_read(&source, 0, bytes, size));
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, path);
	bench_need(cs_ue_read_summary(&cursor, &summary));
	struct cs_ue_asset asset;
	bench_need(cs_ue_read_section(&source, reader, &summary, &asset));
	uint64_t end = cs_load64(reader->section.bytes);
	cs_source_close(&source);
	return (struct need){(uint64_t)summary.registry, cursor.position,
		(size_t)(end - (uint64_t)summary.registry)};
}

static struct peer new_peer(const char *folder)
{
	struct peer peer;
	struct cs_ue_reader reader = {0};
	bench_need(cs_ue_find_files(folder, ".uasset", NULL, NULL, &peer.files));
	peer.needs = calloc(peer.files.paths.n + 1, sizeof(*peer.needs));
	peer.bytes = 0;
	for (size_t i = 0; i < peer.files.paths.n; i++) {
		peer.needs[i] = need_of(peer.files.paths.at[i], &reader);
		peer.bytes += peer.needs[i].summary_size + peer.needs[i].section_size;
	}
	cs_ue_reader_deinit(&reader);
	return peer;
}

static void read_needs(void *context, size_t begin, size_t end, int thread)
{
	(void)thread;
	const struct peer *peer = context;
	static _Thread_local unsigned char bytes[1 << 16];
	for (size_t i = begin; i < end; i++) {
		const struct need *need = &peer->needs[i];
		int fd = open(peer->files.paths.at[i], O_RDONLY | O_CLOEXEC);
		if (pread(fd, bytes, need->summary_size, 0) < 0 ||
			pread(fd, bytes, need->section_size, (off_t)need->section) < 0)
			exit(3);
		close(fd);
	}
}

static size_t found;

static int count_file(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
	(void)path;
	(void)st;
	(void)walk;
	found += kind == FTW_F;
	return 0;
}

/* Seconds to find the files and to read the bytes. */
static double peer_seconds(
	const struct peer *peer, const char *folder, int threads, double *walk_ret)
{
	double best = 1e9, best_walk = 1e9;
	for (int run = 0; run < 3; run++) {
		double start = bench_now();
		nftw(folder, count_file, 16, FTW_PHYS);
		double walked = bench_now() - start;
		cs_parallel_for(threads, peer->files.paths.n, 16, read_needs, (struct peer *)peer);
		double seconds = bench_now() - start;
		best = seconds < best ? seconds : best;
		best_walk = walked < best_walk ? walked : best_walk;
	}
	*walk_ret = best_walk;
	return best;
}

static double open_seconds(const char *project, int threads, size_t *actors_ret)
{
	double best = 1e9;
	for (int run = 0; run < 3; run++) {
		struct cs_world *world;
		struct cs_job job = {.threads = threads};
		double start = bench_now();
		bench_need(cs_ue_open_project(project, NULL, NULL, &job, &world));
		double seconds = bench_now() - start;
		best = seconds < best ? seconds : best;
		*actors_ret = cs_world_count(world).actors;
		cs_world_free(world);
	}
	return best;
}

static void bench_project(const char *project, const char *folder)
{
	struct peer peer = new_peer(folder);
	size_t n = peer.files.paths.n, actors = n;
	printf("%s: %zu packages, %.1f MB that must be read\n", project, n,
		(double)peer.bytes / 1e6);
	for (int threads = 1; threads <= cs_parallel_threads(0); threads *= 2) {
		double walk, bytes = peer_seconds(&peer, folder, threads, &walk);
		double opened = open_seconds(project, threads, &actors);
		printf("  %d thread%s  open %8.1f ms, %5.2f us an actor; bytes alone %8.1f ms "
		       "(of it finding files %.1f ms): %.2f x\n",
			threads, threads > 1 ? "s" : " ", opened * 1e3,
			opened * 1e6 / (double)actors, bytes * 1e3, walk * 1e3, opened / bytes);
	}
	printf("  peak memory %.0f bytes an actor\n", bench_peak() / (double)actors);
	free(peer.needs);
	cs_ue_files_deinit(&peer.files);
}

int main(int argc, char **argv)
{
	char folder[4096], actors[8192];
	const char *data = getenv("CELLSCOPE_DATA"), *tmp = getenv("TMPDIR");
	if (data) {
		char project[4096];
		snprintf(project, sizeof(project), "%s/ue/wpexample56", data);
		snprintf(actors, sizeof(actors), "%s/Content/__ExternalActors__", project);
		if (access(actors, R_OK) == 0)
			bench_project(project, actors);
	}
	snprintf(folder, sizeof(folder), "%s/cellscope-bench-ue.%ld", tmp ? tmp : "/tmp",
		(long)getpid());
	const struct cs_ue_recipe recipe = {.engine = "5.6",
		.actors = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000,
		.seed = 1,
		.folder = folder};
	double start = bench_now();
	bench_need(cs_ue_generate(&recipe, NULL, NULL));
	printf("generated in %.1f s\n", bench_now() - start);
	snprintf(actors, sizeof(actors), "%s/Content/__ExternalActors__", folder);
	bench_project(folder, actors);
	remove_tree(folder);
	return 0;
}
