/* SPDX-License-Identifier: Apache-2.0 */
/* The container and the cooked world in it: as the bytes are, and with their sums made right. */
#include "tests/fuzz/fuzz.h"

#include "format/file_inside.h"
#include "tests/make/make.h"
#include "tests/samples/damaged_file.h"
#include "tests/samples/use_world.h"

#include <cellscope/cook.h>
#include <cellscope/cooked.h>

#include <stdlib.h>
#include <string.h>

const char fuzz_name[] = "cooked world";

static void add_cooked(enum cs_world_kind kind, void (*add)(const void *bytes, size_t size))
{
	const struct cs_world_recipe recipe = {kind, 40, 1};
	struct cs_world *world;
	struct cs_cook *cook;
	unsigned char *bytes, *unpacked;
	size_t size, unpacked_size;
	if (make_test_world(&recipe, NULL, &world) || cs_cook(world, NULL, NULL, &cook) ||
		cs_cook_bytes(cook, &bytes, &size) ||
		container_unpack(bytes, size, &unpacked, &unpacked_size))
		abort();
	add(bytes, size);
	add(unpacked, unpacked_size);
	free(bytes);
	free(unpacked);
	cs_cook_free(cook);
	cs_world_free(world);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	add_cooked(CS_WORLD_CITY, add);
	add_cooked(CS_WORLD_HARD, add);
}

static void salvage(const uint8_t *bytes, size_t size)
{
	struct cs_file *file;
	struct cs_error *error =
		cs_file_open_bytes(bytes, size, "input", CS_FILE_SALVAGE, NULL, &file);
	if (!error) {
		for (uint16_t table = 1; table < CS_TABLE_CWORLD_END; table++) {
			const void *rows;
			size_t n;
			fuzz_note(cs_file_load(file, table, &rows, &n));
		}
		cs_file_close(file);
	}
	fuzz_note(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	salvage(bytes, size);
	unsigned char *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	container_reseal(copy, size);
	fuzz_note(use_world(copy, size));
	free(copy);
	return 0;
}
