/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target without a fuzzer.
 *
 *	TARGET                    seeds and mutations of them; TAP
 *	TARGET FILE ...           replays files
 *	TARGET --seeds FOLDER     writes the seeds, for a fuzzer to begin with
 *
 * FUZZ_RUNS is the number of mutants, FUZZ_SEED another beginning of chance; FUZZ_KEEP names a file
 * that holds the input of the present run, for the one that ends it all. That nothing crashes,
 * leaks or reads outside is for the sanitizers to find; a run that takes too long is found here,
 * longer than FUZZ_SLOWEST seconds.
 *
 * FUZZ_DISTINCT=1 prints the numbers of the mutants that end as none before them did, by what their
 * errors say without numbers and names; FUZZ_ONLY runs the mutants whose numbers it holds, each
 * behind a blank, in ascending order. So a corpus is a line of numbers (corpora.list), and needs no
 *bytes in git.
 */
#include "tests/fuzz/fuzz.h"

#include "tests/fuzz/mutate.h"
#include "tests/samples/tap.h"

#include <sys/resource.h>

#ifndef RUNS
#define RUNS 3000
#endif
/* How many runs of another target one of this takes. */
#ifndef COST
#define COST 1
#endif

enum { SEEDS = 64 };

static unsigned long n_results, endings[CS_E_INTERNAL + 1];

static uint64_t ending; /* of the present run: what its errors say */

/* Without what stands between quotes, and without numbers. */
static void add_to_ending(const char *message)
{
	bool quoted = false;
	for (const char *at = message; *at; at++) {
		quoted ^= *at == '"';
		if (!quoted && ((*at >= 'a' && *at <= 'z') || *at == ' '))
			ending = (ending ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	}
}

void fuzz_note(struct cs_error *error)
{
	ending = ending * 31 + 1;
	if (error) {
		endings[error->code]++;
		ending += error->code;
		add_to_ending(error->message);
	} else {
		n_results++;
	}
	cs_error_free(error);
}

static struct {
	unsigned char *bytes;
	size_t size;
} seeds[SEEDS];
static size_t n_seeds;

static void keep(const void *bytes, size_t size)
{
	if (n_seeds == SEEDS || size > MUTANT_LIMIT)
		abort();
	seeds[n_seeds].bytes = malloc(size ? size : 1);
	memcpy(seeds[n_seeds].bytes, bytes, size);
	seeds[n_seeds++].size = size;
}

/* ---- mutants ---- */

static void keep_input(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		perror(path);
}

/*
 * Runs the target on memory of exactly that size, so that a sanitizer sees the first byte outside.
 */
static void run_exact(const unsigned char *bytes, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	if (getenv("FUZZ_KEEP"))
		keep_input(getenv("FUZZ_KEEP"), bytes, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

/* Returns the processor time of this process and of processes that have ended. */
static double cpu_seconds(void)
{
	struct rusage own = {0}, started = {0};
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &started);
	return seconds_of(&own.ru_utime) + seconds_of(&own.ru_stime) +
	       seconds_of(&started.ru_utime) + seconds_of(&started.ru_stime);
}

/* The seconds of a mutant; one that is not to be run is made all the same, for what follows it. */
static double run_mutant(struct cs_random *random, unsigned char *room, bool is_run)
{
	enum { ROUNDS = 4 };
	size_t seed = cs_random_below(random, (uint32_t)n_seeds),
	       other = cs_random_below(random, (uint32_t)n_seeds);
	struct mutant mutant = {room, seeds[seed].size, seeds[other].bytes, seeds[other].size};
	memcpy(room, seeds[seed].bytes, mutant.size);
	uint32_t rounds = 1 + cs_random_below(random, ROUNDS);
	for (uint32_t i = 0; i < rounds; i++)
		mutate(&mutant, random);
	if (!is_run)
		return 0;
	double start = cpu_seconds();
	run_exact(room, mutant.size);
	return cpu_seconds() - start;
}

/* Whether the numbers begin with this one, which is taken away; without numbers all are wanted. */
static bool is_wanted(const char **numbers, unsigned long number)
{
	char *end;
	if (!*numbers)
		return true;
	if (strtoul(*numbers, &end, 10) != number || end == *numbers)
		return false;
	*numbers = end;
	return true;
}

static bool is_new_ending(void)
{
	enum { ENDINGS = 4096 };
	static uint64_t met[ENDINGS];
	static size_t n;
	for (size_t i = 0; i < n; i++)
		if (met[i] == ending)
			return false;
	if (n < ENDINGS)
		met[n++] = ending;
	return true;
}

/*
 * Prints how the runs ended, and the most memory that this process, or one that it started, has
 * had.
 */
static void tell(double slowest)
{
	struct rusage own, started;
	printf("# the slowest %.2f s; %lu results", slowest, n_results);
	for (size_t i = 0; i <= CS_E_INTERNAL; i++)
		if (endings[i])
			printf(", %lu %s", endings[i], cs_word(CS_WORDS_CODE, i)->name);
	printf("\n");
	if (getrusage(RUSAGE_SELF, &own) == 0 && getrusage(RUSAGE_CHILDREN, &started) == 0)
		printf("# at most %ld MiB here, %ld MiB in a process of it\n", own.ru_maxrss >> 10,
			started.ru_maxrss >> 10);
}

static int run_mutants(void)
{
	const char *wanted = getenv("FUZZ_RUNS"), *begin = getenv("FUZZ_SEED"),
		   *only = getenv("FUZZ_ONLY"), *seconds = getenv("FUZZ_SLOWEST");
	const double most = seconds ? strtod(seconds, NULL) : 5;
	const char *last = only ? strrchr(only, ' ') : NULL;
	const unsigned long runs = last     ? strtoul(last, NULL, 10) + 1
				   : wanted ? strtoul(wanted, NULL, 10) / COST
					    : RUNS / COST;
	unsigned char *room = malloc(MUTANT_ROOM);
	struct cs_random random = {begin ? strtoul(begin, NULL, 10) : 1};
	double slowest = 0;
	ok(n_seeds > 0, "%s: %zu seeds", fuzz_name, n_seeds);
	for (size_t i = 0; i < n_seeds; i++)
		run_exact(seeds[i].bytes, seeds[i].size);
	n_results = 0;
	memset(endings, 0, sizeof(endings));
	for (unsigned long i = 0; i < runs; i++) {
		ending = 0;
		double time = run_mutant(&random, room, is_wanted(&only, i));
		slowest = time > slowest ? time : slowest;
		if (getenv("FUZZ_DISTINCT") && is_new_ending())
			printf("# distinct: %lu\n", i);
	}
	ok(slowest < most, "%lu mutants, none of which takes %.0f s of CPU", runs, most);
	ok(!only || !*only, "and all that FUZZ_ONLY names are among them");
	tell(slowest);
	free(room);
	return done();
}

/* ---- files ---- */

static int replay(const char *path)
{
	unsigned char *bytes = malloc(MUTANT_LIMIT);
	FILE *file = fopen(path, "rb");
	if (!file || !bytes) {
		perror(path);
		free(bytes);
		return 1;
	}
	run_exact(bytes, fread(bytes, 1, MUTANT_LIMIT, file));
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
