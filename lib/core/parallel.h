/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only file that uses OpenMP. Results are written by index, so they never depend on the number
 * of threads or on the borders of chunks; a body must not collect results by chunk, allocate shared
 * memory or report errors in the order in which they occur.
 */
#pragma once

#include <cellscope/core.h>

/* Calls body(context, begin, end, thread) over chunks of at least `grain` indices of 0..n-1. */
void cs_parallel_for(int threads, size_t n, size_t grain,
	void (*body)(void *context, size_t begin, size_t end, int thread), void *context);
/* Returns the number of threads that cs_parallel_for uses for `threads`, at least 1. */
int cs_parallel_threads(int threads);

static inline int cs_job_threads(const struct cs_job *job)
{
	return job ? job->threads : 0;
}
