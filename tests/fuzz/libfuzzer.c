/* SPDX-License-Identifier: Apache-2.0 */
/* With libFuzzer: seeds go into the corpus, the last argument, before it is read. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

void fuzz_note(struct cs_error *error)
{
	cs_error_free(error);
}

static const char *corpus;
static unsigned n_written;

static void write_seed(const void *bytes, size_t size)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/seed%u", corpus, n_written++);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	corpus = (*argv)[*argc - 1];
	if (*argc > 1 && *corpus != '-')
		fuzz_seeds(write_seed);
	return 0;
}
