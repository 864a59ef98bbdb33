/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a plan from a specification.
 *
 * For a project, the plan has a cook and a check for each partitioned map, and a build and a check
 * for each mesh in it. For a folder, the steps depend on the kinds of its files: meshes are built
 * and checked, worlds cooked and checked, cooked or built files checked, projects treated as above.
 * A list is a file with one command per line: words that are files below the folder of the list are
 * inputs, and `#` begins a comment.
 */
#include "core/options.h"
#include "farm/cache.h"
#include "farm/digests.h"
#include "farm/folder_walk.h"
#include "farm/plan.h"

#include "core/job.h"
#include "format/byte_source.h"

#include <cellscope/ue.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static const char *const mesh_ends[] = {".obj", ".ply", ".gltf", ".glb", ".fbx", ".stl", NULL};

struct survey {
	struct cs_farm_plan *plan;
	const struct cs_farm_options *options;
	const struct cs_job *job;
	const char *root;
};

/* ---- a step that makes a file, and its check ---- */

static struct cs_error *add_check(struct survey *survey, enum farm_verb verb, const char *name)
{
	uint32_t made = (uint32_t)survey->plan->steps.n - 1, step;
	struct cs_error *error = farm_add_step(survey->plan, verb, name, &step);
	return error ? error : farm_add_word(survey->plan, FARM_WORD_STEP, made);
}

static struct cs_error *add_input_word(struct survey *survey, const char *path)
{
	uint32_t input;
	struct cs_error *error = farm_add_input(survey->plan, path, false, &input);
	return error ? error : farm_add_word(survey->plan, FARM_WORD_INPUT, input);
}

/* Adds a step that reads one file and is named after it. */
static struct cs_error *add_file_step(struct survey *survey, enum farm_verb verb, const char *path)
{
	uint32_t step;
	struct cs_error *error = farm_add_step(survey->plan, verb, path, &step);
	return error ? error : add_input_word(survey, path);
}

static struct cs_error *add_mesh(struct survey *survey, const char *path)
{
	struct cs_error *error = add_file_step(survey, FARM_BUILD, path);
	if (!error)
		error = farm_add_companions(survey->plan, path, survey->job);
	return error ? error : add_check(survey, FARM_CHECK_MESH, path);
}

static struct cs_error *add_profile(struct survey *survey)
{
	const char *profile = survey->options ? survey->options->profile : NULL;
	if (!profile)
		return NULL;
	struct cs_error *error = farm_add_text_word(survey->plan, "--profile");
	return error ? error : farm_add_text_word(survey->plan, profile);
}

static struct cs_error *survey_add_world(struct survey *survey, const char *path)
{
	struct cs_error *error = add_file_step(survey, FARM_COOK, path);
	if (!error)
		error = add_profile(survey);
	return error ? error : add_check(survey, FARM_CHECK_WORLD, path);
}

/* ---- plans of projects ---- */

/* Adds the steps of a map. They read the whole project: only a cook finds what its map needs. */
static struct cs_error *add_map(
	struct survey *survey, const char *project, uint32_t tree, const char *map)
{
	uint32_t step;
	struct cs_error *error = farm_add_step(survey->plan, FARM_COOK, map, &step);
	if (!error)
		error = farm_add_text_word(survey->plan, project);
	if (!error && !cs_vec_push(&survey->plan->reads, tree))
		error = cs_error_nomem();
	if (!error) {
		survey->plan->steps.at[step].n_reads++;
		error = farm_add_text_word(survey->plan, "--map");
	}
	if (!error)
		error = farm_add_text_word(survey->plan, map);
	if (!error)
		error = add_profile(survey);
	return error ? error : add_check(survey, FARM_CHECK_WORLD, map);
}

static struct cs_error *add_project(struct survey *survey, const char *project)
{
	struct cs_ue_maps *maps;
	uint32_t tree;
	const char *slash = strrchr(project, '/');
	char *path = farm_print("%s/%s", survey->root, project);
	char *folder = slash ? strndup(project, (size_t)(slash - project)) : strdup(".");
	struct cs_error *error =
		path && folder ? cs_ue_list_maps(path, survey->job, &maps) : cs_error_nomem();
	free(path);
	if (!error) {
		error = farm_add_input(survey->plan, folder, true, &tree);
		for (size_t i = 0; i < maps->n && !error; i++)
			if (maps->maps[i].partitioned)
				error = add_map(survey, project, tree, maps->maps[i].package);
		cs_ue_maps_free(maps);
	}
	free(folder);
	return error;
}

/* ---- plans of folders ---- */

/* Returns whether the first bytes of a JSON file are those of a world. Other files are ignored. */
static bool is_world(const char *path)
{
	char head[512];
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	size_t n = fread(head, 1, sizeof(head) - 1, file);
	fclose(file);
	head[n] = '\0';
	return strstr(head, "\"cellscope_world\"") != NULL;
}

static struct cs_error *survey_add_file(struct survey *survey, const char *whole)
{
	const char *path = whole + strlen(survey->root) + 1;
	if (cs_ends_with(path, ".uproject"))
		return add_project(survey, path);
	if (cs_ends_with_any(path, mesh_ends))
		return add_mesh(survey, path);
	if (cs_ends_with(path, ".cworld"))
		return add_file_step(survey, FARM_CHECK_WORLD, path);
	if (cs_ends_with(path, ".cnanite"))
		return add_file_step(survey, FARM_CHECK_MESH, path);
	return is_world(whole) ? survey_add_world(survey, path) : NULL;
}

/* Adds the steps of all files below the root that have one of the extensions. */
static struct cs_error *add_files(struct survey *survey, const char *const *ends)
{
	struct farm_files files;
	struct cs_error *error = farm_find_files(survey->root, ends, 0, survey->job, &files);
	if (error)
		return error;
	for (size_t i = 0; i < files.paths.n && !error; i++)
		error = survey_add_file(survey, files.paths.at[i]);
	farm_files_deinit(&files);
	return error;
}

/* ---- plans from lists of commands ---- */

/* Returns the next word (quotes keep blanks), ended in place, or NULL at the end or a comment. */
static char *survey_next_word(char **rest)
{
	char *at = *rest + strspn(*rest, " \t\r");
	if (!*at || *at == '#')
		return NULL;
	bool quoted = *at == '"';
	char *word = at + quoted;
	at = word + strcspn(word, quoted ? "\"" : " \t\r");
	*rest = *at ? at + 1 : at;
	*at = '\0';
	return word;
}

/* Finds the verb "FIRST SECOND", or else FIRST. *two_ret is whether its name is both words. */
static bool find_verb(const char *first, const char *second, enum farm_verb *ret, bool *two_ret)
{
	char both[64];
	snprintf(both, sizeof(both), "%s %s", first, second ? second : "");
	for (int verb = 0; verb < FARM_VERBS; verb++) {
		*two_ret = strcmp(both, farm_verbs[verb].name) == 0;
		*ret = (enum farm_verb)verb;
		if (*two_ret || strcmp(first, farm_verbs[verb].name) == 0)
			return true;
	}
	return false;
}

/* Returns by suffix whether a file in a `run` step is a world or mesh; other files are scripts. */
static bool is_world_file(const char *path)
{
	return cs_ends_with(path, ".cworld") || cs_ends_with(path, ".cnanite") ||
	       cs_ends_with(path, ".json");
}

/* Returns whether a word is an option that the farm run, not the spec, sets, such as -o or -j. */
static bool names_output(const char *word)
{
	static const char *const begins[] = {"-o", "-j", "--junit", "--bless", "--cdag", "--ninja"};
	for (size_t i = 0; i < CS_COUNT_OF(begins); i++)
		if (strncmp(word, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

static struct cs_error *add_list_word(struct survey *survey, enum farm_verb verb, const char *word)
{
	struct stat st;
	char *path = farm_print("%s/%s", survey->root, word);
	if (!path)
		return cs_error_nomem();
	bool is_file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	free(path);
	if (!is_file)
		return farm_add_text_word(survey->plan, word);
	if (!farm_is_inside(word))
		return cs_error_at(CS_E_FARM, word, CS_NO_OFFSET,
			"a list names files from its own folder, without '..'");
	struct cs_error *error = add_input_word(survey, word);
	if (error || (verb == FARM_RUN && is_world_file(word)))
		return error;
	return verb == FARM_RUN ? farm_add_script(survey->plan, word, survey->job)
				: farm_add_companions(survey->plan, word, survey->job);
}

static struct cs_error *survey_add_line(
	struct survey *survey, const char *list, size_t number, char *line)
{
	enum farm_verb verb;
	bool two;
	uint32_t step;
	char *first = survey_next_word(&line);
	if (!first)
		return NULL;
	char *word = survey_next_word(&line);
	if (!find_verb(first, word, &verb, &two))
		return cs_error_at(CS_E_FARM, list, CS_NO_OFFSET,
			"line %zu: '%.40s' is not a command that a step of a plan can run (`help "
			"farm plan`)",
			number, first);
	if (two || (verb == FARM_DIFF && word && strcmp(word, "world") == 0)) /* the old name */
		word = survey_next_word(&line);
	struct cs_error *error = farm_add_step(survey->plan, verb, word ? word : first, &step);
	for (; word && !error; word = survey_next_word(&line)) {
		if (names_output(word))
			error = cs_error_at(CS_E_FARM, list, CS_NO_OFFSET,
				"line %zu: leave out %s, which `farm run` sets", number, word);
		else
			error = add_list_word(survey, verb, word);
	}
	if (!error && survey->plan->steps.at[step].n_reads == 0)
		error = cs_error_at(CS_E_FARM, list, CS_NO_OFFSET,
			"line %zu: the command names no file in the folder of this list or below "
			"it, so it has nothing to read",
			number);
	return error;
}

static struct cs_error *survey_add_list(struct survey *survey, const char *list)
{
	unsigned char *bytes;
	size_t size, number = 0;
	struct cs_error *error =
		cs_read_whole(list, cs_job_limits(survey->job).section_bytes, &bytes, &size);
	if (error)
		return error;
	char *line = (char *)bytes, *end = line + size;
	while (line < end && !error) {
		char *next = memchr(line, '\n', (size_t)(end - line));
		if (next)
			*next = '\0';
		error = survey_add_line(survey, list, ++number, line);
		line = next ? next + 1 : end;
	}
	free(bytes);
	return error;
}

/* ---- surveying a specification ---- */

static struct cs_error *add_spec(struct survey *survey, const char *spec, bool is_folder)
{
	const char *slash = strrchr(spec, '/');
	if (is_folder) {
		static const char *const ends[] = {".obj", ".ply", ".gltf", ".glb", ".fbx", ".stl",
			".uproject", ".cworld", ".cnanite", ".json", NULL};
		return add_files(survey, ends);
	}
	if (!cs_ends_with(spec, ".uproject"))
		return survey_add_list(survey, spec);
	struct cs_error *error = add_project(survey, slash ? slash + 1 : spec);
	return error ? error : add_files(survey, mesh_ends);
}

/* Hashes all inputs of the plan. Files whose hashes the cache knows are not read again. */
static struct cs_error *hash_known(struct survey *survey)
{
	const struct cs_farm_cache *cache = survey->options ? survey->options->cache : NULL;
	struct farm_digests *digests = NULL;
	struct cs_error *error = cache ? farm_digests_open(cache->folder, &digests) : NULL;
	if (!error)
		error = farm_hash_inputs(survey->plan, digests, survey->job);
	farm_digests_close(digests);
	return error;
}

struct cs_error *cs_farm_survey(const char *spec, const struct cs_farm_options *options,
	const struct cs_job *job, struct cs_farm_plan **ret)
{
	struct stat st;
	struct cs_farm_options own;
	struct survey survey = {.options = options ? &own : NULL, .job = job};
	struct cs_error *bad =
		options ? cs_options_read(options, sizeof(own), &own, sizeof(own)) : NULL;
	if (bad)
		return bad;
	if (stat(spec, &st) < 0)
		return cs_error_errno(errno, spec, "open");
	bool is_folder = S_ISDIR(st.st_mode);
	const char *slash = strrchr(spec, '/');
	char *root = is_folder ? strdup(spec)
		     : slash   ? strndup(spec, (size_t)(slash - spec))
			       : strdup(".");
	if (!root)
		return cs_error_nomem();
	for (size_t n = strlen(root); n > 1 && root[n - 1] == '/'; n--)
		root[n - 1] = '\0';
	struct cs_error *error = farm_plan_new(root, &survey.plan);
	survey.root = root;
	if (!error) {
		error = add_spec(&survey, spec, is_folder);
		if (!error && survey.plan->steps.n == 0)
			error = cs_error_at(CS_E_FARM, spec, CS_NO_OFFSET,
				"the project, folder or list contains nothing that can be built, "
				"cooked or verified");
		if (!error)
			error = hash_known(&survey);
		if (!error) {
			farm_make_keys(survey.plan);
			*ret = survey.plan;
		} else {
			cs_farm_plan_free(survey.plan);
		}
	}
	free(root);
	return error;
}

struct cs_error *cs_farm_build_key(
	const char *root, const char *path, const struct cs_job *job, struct cs_farm_key *ret)
{
	struct survey survey = {.job = job};
	struct cs_error *error = farm_plan_new(root, &survey.plan);
	if (error)
		return error;
	error = add_mesh(&survey, path);
	if (!error)
		error = farm_hash_inputs(survey.plan, NULL, job);
	if (!error) {
		farm_make_keys(survey.plan);
		*ret = survey.plan->steps.at[0].key;
	}
	cs_farm_plan_free(survey.plan);
	return error;
}
