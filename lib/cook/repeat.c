/* SPDX-License-Identifier: Apache-2.0 */
/* Cooks the same source several times and checks that the bytes of the results are equal. */
#include <cellscope/cook.h>

#include "world/world_internal.h"

#include <stdlib.h>
#include <string.h>

struct cs_error *cs_cook_repeat(struct cs_world *source, const struct cs_cook_options *options,
	uint64_t n, const struct cs_job *job, uint64_t *different_ret)
{
	struct cs_job mine = job ? *job : (struct cs_job){0};
	unsigned char *first = NULL;
	size_t first_size = 0;
	uint64_t different = 0;
	mine.threads = 1;
	struct cs_error *error = cs_cook_in_memory(source, options, &mine, &first, &first_size);
	for (uint64_t i = 0; !error && i < n; i++) {
		unsigned char *bytes = NULL;
		size_t size = 0;
		error = cs_world_shuffle(source, i + 1, job);
		mine.threads = (int)(i % 4) + 1;
		if (!error)
			error = cs_cook_in_memory(source, options, &mine, &bytes, &size);
		different += !error && (size != first_size || memcmp(bytes, first, size) != 0);
		free(bytes);
	}
	free(first);
	if (!error)
		*different_ret = different;
	return error;
}
