/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without a fuzzer.
 *
 *	TARGET                    seeds and mutations of them; TAP
 *	TARGET FILE ...           replays files
 *	TARGET --seeds FOLDER     writes the seeds, for a fuzzer to begin with
 *
 * FUZZ_RUNS is the number of mutations. That nothing crashes, leaks or reads outside is for the
 * sanitizers to find; a run that takes too long is found here.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/tap.h"

#include "base/random.h"

#include <time.h>

#ifndef RUNS
#define RUNS 3000
#endif
/* How many runs of another target one of this takes. */
#ifndef COST
#define COST 1
#endif

enum { SEEDS = 64, SIZE_LIMIT = 1 << 20 };

static struct {
	unsigned char *bytes;
	size_t size;
} seeds[SEEDS];
static size_t n_seeds;

static void keep(const void *bytes, size_t size)
{
	if (n_seeds == SEEDS || size > SIZE_LIMIT)
		abort();
	seeds[n_seeds].bytes = malloc(size ? size : 1);
	memcpy(seeds[n_seeds].bytes, bytes, size);
	seeds[n_seeds++].size = size;
}

/* ---- mutations ---- */

static void flip(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	if (*size)
		bytes[cs_random_below(random, (uint32_t)*size)] ^=
			(unsigned char)(1u << cs_random_below(random, 8));
}

static void overwrite(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	static const uint32_t values[] = {0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x20202020, 0x0a0a0a0a, 0x22222222};
	uint32_t value = values[cs_random_below(random, sizeof(values) / sizeof(values[0]))];
	if (*size >= 4)
		memcpy(bytes + cs_random_below(random, (uint32_t)*size - 3), &value, 4);
}

static void cut(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	(void)bytes;
	*size = cs_random_below(random, (uint32_t)*size + 1);
}

static void take_out(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	size_t at = cs_random_below(random, (uint32_t)*size + 1);
	size_t n = cs_random_below(random, 64);
	n = n < *size - at ? n : *size - at;
	memmove(bytes + at, bytes + at + n, *size - at - n);
	*size -= n;
}

static void repeat(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	size_t at = cs_random_below(random, (uint32_t)*size + 1);
	size_t n = 1 + cs_random_below(random, 64);
	n = n < *size - at ? n : *size - at;
	memmove(bytes + at + n, bytes + at, *size - at);
	*size += n;
}

static void copy_inside(struct cs_random *random, unsigned char *bytes, size_t *size)
{
	if (*size < 16)
		return;
	size_t n = 1 + cs_random_below(random, 15);
	memmove(bytes + cs_random_below(random, (uint32_t)(*size - n)),
		bytes + cs_random_below(random, (uint32_t)(*size - n)), n);
}

static void (*const mutations[])(struct cs_random *random, unsigned char *bytes, size_t *size) = {
	flip, overwrite, cut, take_out, repeat, copy_inside};

/* Memory of exactly its size, so that a sanitizer sees the first byte outside. */
static void run_exact(const unsigned char *bytes, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double run_mutant(struct cs_random *random, unsigned char *room)
{
	enum { ROUNDS = 4 };
	size_t seed = cs_random_below(random, (uint32_t)n_seeds), size = seeds[seed].size;
	memcpy(room, seeds[seed].bytes, size);
	uint32_t rounds = 1 + cs_random_below(random, ROUNDS);
	for (uint32_t i = 0; i < rounds; i++)
		mutations[cs_random_below(random, sizeof(mutations) / sizeof(mutations[0]))](
			random, room, &size);
	double start = cpu_seconds();
	run_exact(room, size);
	return cpu_seconds() - start;
}

static int run_mutants(void)
{
	const char *wanted = getenv("FUZZ_RUNS");
	unsigned long runs = (wanted ? strtoul(wanted, NULL, 10) : RUNS) / COST;
	unsigned char *room = malloc(SIZE_LIMIT + 1024);
	struct cs_random random = {1};
	double slowest = 0;
	ok(n_seeds > 0, "%s: %zu seeds", fuzz_name, n_seeds);
	for (size_t i = 0; i < n_seeds; i++)
		run_exact(seeds[i].bytes, seeds[i].size);
	for (unsigned long i = 0; i < runs; i++) {
		double time = run_mutant(&random, room);
		slowest = time > slowest ? time : slowest;
	}
	ok(slowest < 5, "%lu mutants, none of which takes 5 s of CPU", runs);
	free(room);
	return done();
}

/* ---- files ---- */

static int replay(const char *path)
{
	unsigned char *bytes = malloc(SIZE_LIMIT);
	FILE *file = fopen(path, "rb");
	if (!file || !bytes) {
		perror(path);
		free(bytes);
		return 1;
	}
	run_exact(bytes, fread(bytes, 1, SIZE_LIMIT, file));
	fclose(file);
	free(bytes);
	return 0;
}

static int write_seeds(const char *folder)
{
	for (size_t i = 0; i < n_seeds; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/seed%zu", folder, i);
		FILE *file = fopen(path, "wb");
		if (!file || fwrite(seeds[i].bytes, 1, seeds[i].size, file) != seeds[i].size ||
			fclose(file) != 0) {
			perror(path);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;
	fuzz_seeds(keep);
	if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
		status = write_seeds(argv[2]);
	else if (argc > 1)
		for (int i = 1; i < argc; i++)
			status |= replay(argv[i]);
	else
		status = run_mutants();
	for (size_t i = 0; i < n_seeds; i++)
		free(seeds[i].bytes);
	return status;
}
