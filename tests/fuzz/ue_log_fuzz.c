/* SPDX-License-Identifier: Apache-2.0 */
/* StreamingGeneration logs, read and turned into worlds. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seed_files.h"
#include "tests/make/make.h"
#include "tests/samples/ue_bytes.h"

#include <cellscope/cook.h>
#include <cellscope/ue.h>

#include <stdlib.h>

const char fuzz_name[] = "StreamingGeneration log";

static void add_log(enum cs_world_kind kind, void (*add)(const void *bytes, size_t size))
{
	const struct cs_world_recipe recipe = {kind, 20, 1};
	struct seed_file file = seed_file_new("seed.log");
	struct cs_world *world;
	struct cs_cook *cook;
	struct cs_cooked *cooked;
	unsigned char *bytes;
	size_t size;
	if (make_test_world(&recipe, NULL, &world) || cs_cook(world, NULL, NULL, &cook) ||
		cs_cook_bytes(cook, &bytes, &size) ||
		cs_cooked_open_bytes(bytes, size, "seed", NULL, &cooked) ||
		cs_cooked_write_log(cooked, file.path))
		abort();
	seed_file_take(&file, add);
	cs_cooked_close(cooked);
	free(bytes);
	cs_cook_free(cook);
	cs_world_free(world);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	add_log(CS_WORLD_CITY, add);
	add_log(CS_WORLD_HARD, add);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_note(check_ue_log(bytes, size, "input"));
	return 0;
}
