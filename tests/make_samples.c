/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the sample worlds that the transcript tests open: make_samples FOLDER. */
#include "tests/sample.h"

#include <stdio.h>

static int save(const char *folder, const char *name, const struct sample_options *options)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	struct cs_error *error = sample_save(path, options);
	if (!error)
		return 0;
	fprintf(stderr, "%s: %s\n", path, cs_error_message(error));
	cs_error_free(error);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	return save(argv[1], "sample.cworld", &(struct sample_options){0}) |
	       save(argv[1], "hostile.cworld",
		       &(struct sample_options){.hostile = sample_hostile_text});
}
