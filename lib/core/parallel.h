/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops on several threads; parallel.c alone uses OpenMP. Bodies write results by index, so that
 * these don't depend on the number of threads. A body must not allocate shared memory or report
 * errors in the order in which they occur.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Calls body(context, begin, end, thread) for chunks of the indices 0..n-1: chunks of `grain`, of
 * which the last may be smaller, or all indices at once where there is one thread. Each chunk
 * begins at a multiple of `grain`. A grain of 0 is 1.
 */
void cs_parallel_for(int threads, size_t n, size_t grain,
	void (*body)(void *context, size_t begin, size_t end, int thread), void *context);
/* Returns the number of threads that cs_parallel_for uses for `threads`, at least 1. */
int cs_parallel_threads(int threads);

static inline int cs_job_threads(const struct cs_job *job)
{
	return job ? job->threads : 0;
}
