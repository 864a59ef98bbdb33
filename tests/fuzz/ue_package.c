/* SPDX-License-Identifier: Apache-2.0 */
/* Packages of a UE project: of an actor and of the map, of an old, a middle and a new engine. */
#include "tests/fuzz/fuzz.h"

#include "tests/make/made.h"
#include "tests/samples/ue_bytes.h"

#include <cellscope/ue.h>

#include <stdlib.h>

const char fuzz_name[] = "UE package";

static void add_actors(const char *engine, void (*add)(const void *bytes, size_t size))
{
	const struct cs_ue_recipe recipe = {.engine = engine, .seed = 3};
	struct cs_ue_made made;
	if (cs_ue_make(&recipe, NULL, &made))
		abort();
	for (size_t i = 0; i < made.world->actors.n && i < 8; i++) {
		const struct cs_actor actor = cs_world_actor(made.world, i);
		struct cs_writer writer = {0};
		cs_ue_write_actor(&made, &actor, &writer);
		add(writer.bytes, writer.size);
		cs_writer_deinit(&writer);
	}
	cs_ue_made_deinit(&made);
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char *const engines[] = {"5.0EA", "5.2", "5.4", "5.7"};
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		add_actors(engines[i], add);
}

static bool ignore(void *context, const char *row, const char *name, const char *value)
{
	(void)context;
	(void)row;
	(void)name;
	(void)value;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_note(check_ue_package(bytes, size, "input", NULL));
	fuzz_note(check_ue_registry(bytes, size, "input"));
	fuzz_note(check_ue_descriptor(bytes, size, "input", ignore, NULL));
	fuzz_note(check_ue_properties(bytes, size, 1012, "input"));
	return 0;
}
