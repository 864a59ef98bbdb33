/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/farm/farm_yard.h"

#include "tests/samples/folder.h"

void write_text(const char *folder, const char *name, const char *text)
{
	char path[2 * YARD_PATH];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
}

void append_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "ab");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
}

const char *read_text(const char *folder, const char *name)
{
	static char text[1 << 14];
	char path[2 * YARD_PATH];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[n] = '\0';
	if (file)
		fclose(file);
	return text;
}

/*
 * A program that notes its arguments and does what its input says: $out is the file that it shall
 * make, $in the files that it got.
 */
static const char script[] = "#!/bin/sh\n"
			     "echo \"$*\" >>words\n"
			     "for word; do\n"
			     "	case $last,$word in\n"
			     "	-o,*) out=$word ;;\n"
			     "	*.step) does=$word ;;\n"
			     "	*.cnanite | *.cworld) in=$word ;;\n"
			     "	esac\n"
			     "	last=$word\n"
			     "done\n"
			     ". \"./$does\"\n";

void empty_cache(struct yard *yard)
{
	char path[YARD_PATH + 16];
	snprintf(path, sizeof(path), "%s/cache", yard->root);
	remove_tree(path);
	cs_farm_cache_free(yard->cache);
	if (cs_farm_cache_open(path, NULL, &yard->cache))
		abort();
}

void open_yard(struct yard *yard, const char *name)
{
	*yard = (struct yard){.cache = NULL};
	fresh_folder(yard->root, YARD_PATH, name);
	if (mkdir(yard->root, 0777) < 0 || farm_plan_new(yard->root, &yard->plan))
		abort();
	empty_cache(yard);
	snprintf(yard->program, sizeof(yard->program), "%s/program", yard->root);
	write_text(yard->root, "program", script);
	chmod(yard->program, 0777);
}

void close_yard(struct yard *yard)
{
	cs_farm_plan_free(yard->plan);
	cs_farm_cache_free(yard->cache);
	remove_tree(yard->root);
}

void add_step(struct yard *yard, enum farm_verb verb, const char *does, int need, int other)
{
	char name[32];
	uint32_t step, input;
	snprintf(name, sizeof(name), "%zu.step", yard->plan->steps.n);
	write_text(yard->root, name, does);
	if (farm_add_step(yard->plan, verb, name, &step) ||
		(need >= 0 && farm_add_word(yard->plan, FARM_WORD_STEP, (uint32_t)need)) ||
		(other >= 0 && farm_add_word(yard->plan, FARM_WORD_STEP, (uint32_t)other)) ||
		farm_add_input(yard->plan, name, false, &input) ||
		farm_add_word(yard->plan, FARM_WORD_INPUT, input))
		abort();
}

void plan_yard(struct yard *yard)
{
	if (farm_hash_inputs(yard->plan, NULL, NULL))
		abort();
	farm_make_keys(yard->plan);
}

struct cs_farm_run_options options_of(const struct yard *yard)
{
	return (struct cs_farm_run_options){.size = sizeof(struct cs_farm_run_options),
		.program = yard->program,
		.unconfined = true};
}
