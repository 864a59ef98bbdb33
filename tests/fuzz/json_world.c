/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON form of a world, read and cooked. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/seed_files.h"
#include "tests/make/make.h"

#include <cellscope/cook.h>

#include <stdlib.h>

const char fuzz_name[] = "JSON world";

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	for (int kind = CS_WORLD_CITY; kind <= (int)CS_WORLD_HARD; kind++) {
		const struct cs_world_recipe recipe = {(enum cs_world_kind)kind, 20, 1};
		struct seed_file file = seed_file_new("seed.json");
		struct cs_world *world;
		if (make_test_world(&recipe, NULL, &world) ||
			cs_world_write_json(world, NULL, file.path))
			abort();
		cs_world_free(world);
		seed_file_take(&file, add);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const struct cs_job job = {.threads = 1};
	struct memory_file file = memory_file_new(bytes, size);
	struct cs_world *world;
	struct cs_error *error = cs_world_read_json(file.path, &job, &world);
	if (!error) {
		struct cs_cook *cook;
		error = cs_cook(world, NULL, &job, &cook);
		if (!error)
			cs_cook_free(cook);
		cs_world_free(world);
	}
	fuzz_note(error);
	memory_file_free(&file);
	return 0;
}
