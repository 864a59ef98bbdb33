/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks share: a clock, peak memory, and dying on errors. */
#pragma once

#include <cellscope/core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static inline double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Returns the processor seconds of all threads of this process, which other programs don't change.
 */
static inline double bench_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Returns the seconds of this process outside the kernel, which other programs print of themselves,
 * too.
 */
static inline double bench_user(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}

/* Returns the peak of resident bytes of this process so far. */
static inline double bench_peak(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss * 1024;
}

static inline void bench_need(struct cs_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "bench: %s: %s\n", cs_word(CS_WORDS_CODE, error->code)->name,
		error->message);
	exit(3);
}
