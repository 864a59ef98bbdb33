/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what tests open: make_samples FOLDER. Cooked worlds, and two cooks as the engine leaves
 * them: Cooked/, a hash set of 5.6 in loose packages, and Packed/, grids of 5.3 in a container.
 * Changed/ is Cooked/ with three changes: one actor in another cell, one with another name, a cell
 * gone. Ribbon/ has a Nanite mesh of 5.4, loose, and of 5.8 in a container.
 */
#include "tests/samples/engine_cook.h"
#include "tests/samples/engine_nanite.h"
#include "tests/samples/sample.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int save(const char *folder, const char *name, const struct sample_options *options)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	struct cs_error *error = sample_save(path, options);
	if (!error)
		return 0;
	fprintf(stderr, "%s: %s\n", path, error->message);
	cs_error_free(error);
	return 1;
}

static json_t *actors_of_cell(const json_t *facts, const char *name)
{
	json_t *cell;
	size_t i;
	json_array_foreach (json_object_get(facts, "cells"), i, cell)
		if (strcmp(json_string_value(json_object_get(cell, "name")), name) == 0)
			return json_object_get(cell, "actors");
	return NULL;
}

static void change_town(json_t *facts)
{
	json_t *from = actors_of_cell(facts, "Town_MainGrid_L0_X1_Y0"), *cell;
	size_t i;
	json_array_append(
		actors_of_cell(facts, "Town_MainGrid_L0_X1_Y-1"), json_array_get(from, 0));
	json_array_remove(from, 0);
	json_array_set_new(
		actors_of_cell(facts, "Town_MainGrid_L0_X-1_Y0"), 0, json_string("Barn"));
	json_array_foreach (json_object_get(facts, "cells"), i, cell)
		if (json_object_get(cell, "actors") ==
			actors_of_cell(facts, "Town_MainGrid_L0_X1_Y1"))
			break;
	json_array_remove(json_object_get(facts, "cells"), i);
}

/* Returns 0 when the cook was written. */
static int cook(const char *folder, const char *name, enum cs_ue_release release, bool packed,
	void (*change)(json_t *facts))
{
	char path[4096];
	const struct engine_form form = {.release = release, .zen = packed};
	const struct engine_town town = {
		.release = release, .hash_set = release >= CS_UE_5_4, .cells = 3, .layers = true};
	json_t *facts = engine_cook_town(&town);
	if (change)
		change(facts);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	mkdir(path, 0777);
	bool good = packed ? engine_cook_pack(facts, &form, false, path)
			   : engine_cook_save(facts, &form, path);
	json_decref(facts);
	return !good;
}

static int make_mesh(const char *folder)
{
	char path[4096];
	const struct engine_form loose = {.release = CS_UE_5_4},
				 packed = {.release = CS_UE_5_8, .zen = true};
	snprintf(path, sizeof(path), "%s/Ribbon", folder);
	mkdir(path, 0777);
	return !engine_nanite_save(&loose, path) || !engine_nanite_pack(&packed, false, path);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	return make_mesh(argv[1]) | cook(argv[1], "Cooked", CS_UE_5_6, false, NULL) |
	       cook(argv[1], "Changed", CS_UE_5_6, false, change_town) |
	       cook(argv[1], "Packed", CS_UE_5_3, true, NULL) |
	       save(argv[1], "sample.cworld", &(struct sample_options){0}) |
	       save(argv[1], "hostile.cworld",
		       &(struct sample_options){.hostile = sample_hostile_text});
}
