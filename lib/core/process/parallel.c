/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the parallel loop. Threads get chunks of `grain` indices; a single thread gets all. */
#include "core/parallel.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int cs_parallel_threads(int threads)
{
#ifdef _OPENMP
	return threads > 0 ? threads : omp_get_max_threads();
#else
	(void)threads;
	return 1;
#endif
}

static int this_thread(void)
{
#ifdef _OPENMP
	return omp_get_thread_num();
#else
	return 0;
#endif
}

void cs_parallel_for(int threads, size_t n, size_t grain,
	void (*body)(void *context, size_t begin, size_t end, int thread), void *context)
{
	if (grain == 0)
		grain = 1;
	size_t chunks = n / grain + (n % grain != 0);
	threads = cs_parallel_threads(threads);
	if (chunks <= 1 || threads == 1) {
		if (n)
			body(context, 0, n, 0);
		return;
	}
	if ((size_t)threads > chunks)
		threads = (int)chunks;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
	for (size_t chunk = 0; chunk < chunks; chunk++) {
		size_t begin = chunk * grain;
		size_t end = n - begin < grain ? n : begin + grain;
		body(context, begin, end, this_thread());
	}
}
