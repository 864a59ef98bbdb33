/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops on several threads. Only parallel.c uses OpenMP. Loop bodies write results by index, so
 * that results do not depend on the number of threads. So a body must neither append to an array or
 * arena that threads share, nor report the error that occurs first in time.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Calls body(context, begin, end, thread) for chunks of the indices 0 to n - 1. On several threads,
 * chunks begin at multiples of `grain` (0 means 1) and have `grain` indices, except the last, which
 * may have fewer. On one thread, a single chunk has all indices.
 */
void cs_parallel_for(int threads, size_t n, size_t grain,
	void (*body)(void *context, size_t begin, size_t end, int thread), void *context);
/* Returns the number of threads, at least 1, that cs_parallel_for uses when given `threads`. */
int cs_parallel_threads(int threads);

static inline int cs_job_threads(const struct cs_job *job)
{
	return job ? job->threads : 0;
}
