/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen KIND PATH [--engine NAME] [--actors N] [--seed N]: writes what scripts of the tests open and
 * no user needs. KIND is `hard`, a world in JSON with every error of the cook, or `ue`, a project
 * of Unreal Engine in a folder of its own, in the packages of that release, of 5.7 without one.
 */
#include "tests/make/make.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cs_error *gen_hard(const char *path, const struct cs_ue_recipe *wanted)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, wanted->actors, wanted->seed};
	struct cs_world *world;
	struct cs_error *error = make_test_world(&recipe, NULL, &world);
	if (error)
		return error;
	error = cs_world_write_json(world, NULL, path);
	cs_world_free(world);
	return error;
}

static int usage(void)
{
	fputs("usage: gen hard|ue PATH [--engine NAME] [--actors N] [--seed N]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"engine", required_argument, NULL, 'e'},
		{"actors", required_argument, NULL, 'a'}, {"seed", required_argument, NULL, 's'},
		{0}};
	struct cs_ue_recipe recipe = {.engine = "5.7"};
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == '?')
			return usage();
		if (c == 'e')
			recipe.engine = optarg;
		else
			*(c == 'a' ? &recipe.actors : &recipe.seed) = strtoumax(optarg, NULL, 10);
	}
	if (argc - optind != 2)
		return usage();
	const char *kind = argv[optind], *path = recipe.folder = argv[optind + 1];
	struct cs_error *error;
	if (strcmp(kind, "hard") == 0)
		error = gen_hard(path, &recipe);
	else if (strcmp(kind, "ue") == 0)
		error = cs_ue_generate(&recipe, NULL, NULL);
	else
		return usage();
	if (error)
		fprintf(stderr, "gen: %s\n", error->message);
	cs_error_free(error);
	return error != NULL;
}
