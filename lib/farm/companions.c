/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds files that a step of a farm reads in addition to those in its words (arguments): materials
 * and buffers of a mesh (mtllib of an OBJ, uri of a glTF), and files that a script names, such as
 * scripts that it sources. A superfluous file only changes the key of the step's cached result more
 * often; a missing file makes the step fail when it reads it.
 */
#include "farm/plan.h"

#include "core/job.h"
#include "core/json.h"
#include "core/text.h"
#include "format/byte_source.h"

#include <sys/stat.h>

enum { LONGEST_NAME = 1024 };

/* ---- files named in a mesh ---- */

/* Returns whether the plan's last added step already lists `path` among the files that it reads. */
static bool is_read(const struct cs_farm_plan *plan, const char *path)
{
	const struct farm_step *step = &plan->steps.at[plan->steps.n - 1];
	for (uint32_t i = 0; i < step->n_reads; i++) {
		uint32_t input = plan->reads.at[step->first_read + i];
		if (strcmp(farm_text(plan, plan->inputs.at[input].path), path) == 0)
			return true;
	}
	return false;
}

/* Adds `path` to the reads of the plan's last step, if it is a new file below the root. */
static struct cs_error *add_read(struct cs_farm_plan *plan, const char *path)
{
	uint32_t input;
	struct stat st;
	if (!farm_is_inside(path) || is_read(plan, path))
		return NULL;
	char *whole = farm_below_root(plan, path);
	if (!whole)
		return cs_error_nomem();
	bool is_file = stat(whole, &st) == 0 && S_ISREG(st.st_mode);
	free(whole);
	if (!is_file)
		return NULL;
	struct cs_error *error = farm_add_input(plan, path, false, &input);
	if (!error && !cs_vec_push(&plan->reads, input))
		error = cs_error_nomem();
	if (!error)
		plan->steps.at[plan->steps.n - 1].n_reads++;
	return error;
}

/*
 * Adds the file `name` in the folder of `path` to the files that the last step of the plan reads.
 */
static struct cs_error *add_companion(struct cs_farm_plan *plan, const char *path, const char *name)
{
	char *beside = farm_print("%.*s%s", (int)(cs_base_name(path) - path), path, name);
	if (!beside)
		return cs_error_nomem();
	struct cs_error *error = *name == '/' ? NULL : add_read(plan, beside);
	free(beside);
	return error;
}

static struct cs_error *add_material_libraries(
	struct cs_farm_plan *plan, const char *path, char *text)
{
	struct cs_error *error = NULL;
	char *rest, *line = strtok_r(text, "\r\n", &rest);
	for (; line && !error; line = strtok_r(NULL, "\r\n", &rest)) {
		line += strspn(line, " \t");
		if (strncmp(line, "mtllib", 6) != 0 || !strchr(" \t", line[6]) || !line[6])
			continue;
		line += 6 + strspn(line + 6, " \t");
		error = add_companion(plan, path, line);
	}
	return error;
}

static struct cs_error *add_buffers(
	struct cs_farm_plan *plan, const char *path, const char *text, size_t size)
{
	struct cs_error *error = NULL;
	json_error_t why;
	bool no_memory;
	json_t *document = cs_json_parse(text, size, 0, &why, &no_memory);
	if (no_memory)
		return cs_error_nomem();
	json_t *buffers = json_object_get(document, "buffers");
	for (size_t i = 0; i < json_array_size(buffers) && !error; i++) {
		const char *uri =
			json_string_value(json_object_get(json_array_get(buffers, i), "uri"));
		if (uri && strncmp(uri, "data:", 5) != 0)
			error = add_companion(plan, path, uri);
	}
	json_decref(document);
	return error;
}

struct cs_error *farm_add_companions(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job)
{
	unsigned char *bytes;
	size_t size;
	bool is_obj = cs_ends_with(path, ".obj"), is_gltf = cs_ends_with(path, ".gltf");
	if (!is_obj && !is_gltf)
		return NULL;
	char *whole = farm_below_root(plan, path);
	if (!whole)
		return cs_error_nomem();
	struct cs_error *error = cs_read_whole(whole, cs_job_limits(job).file_bytes, &bytes, &size);
	free(whole);
	if (error)
		return error;
	error = is_obj ? add_material_libraries(plan, path, (char *)bytes)
		       : add_buffers(plan, path, (const char *)bytes, size);
	free(bytes);
	return error;
}

/* ---- files named in a script ---- */

/* Adds each word of a script that is the path of a file to the files that the step reads. */
static struct cs_error *add_words(
	struct cs_farm_plan *plan, const char *path, char *text, const struct cs_job *job)
{
	struct cs_error *error = NULL;
	char *rest;
	size_t n = 0;
	for (char *word = strtok_r(text, " \t\r\n\"'", &rest); word && !error;
		word = strtok_r(NULL, " \t\r\n\"'", &rest)) {
		size_t length = strlen(word);
		if (length > 0 && word[length - 1] == ':')
			word[length - 1] = '\0'; /* remove the colon of `golden FILE: LINE` */
		word += strncmp(word, "./", 2) == 0 ? 2 : 0;
		if (!*word || strlen(word) > LONGEST_NAME)
			continue;
		error = add_read(plan, word);
		if (!error)
			error = add_companion(plan, path, word);
		if (!error && ++n % 1024 == 0)
			error = cs_job_check(job);
	}
	return error;
}

static struct cs_error *scan_script(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job)
{
	unsigned char *bytes;
	size_t size;
	char *whole = farm_below_root(plan, path), *own = strdup(path);
	struct cs_error *error =
		whole && own ? cs_read_whole(whole, cs_job_limits(job).file_bytes, &bytes, &size)
			     : cs_error_nomem();
	free(whole);
	if (!error) {
		error = add_words(plan, own, (char *)bytes, job);
		free(bytes);
	}
	free(own);
	return error;
}

/*
 * Adds the files that a script names to the inputs of the last step. A named file of at most
 * LARGEST bytes may be a script, too, and is searched in turn.
 */
struct cs_error *farm_add_script(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job)
{
	enum { LARGEST = 1 << 20 };
	struct farm_step *step = &plan->steps.at[plan->steps.n - 1];
	uint32_t next = step->n_reads;
	struct cs_error *error = scan_script(plan, path, job);
	for (; !error && next < plan->steps.at[plan->steps.n - 1].n_reads; next++) {
		struct stat st;
		step = &plan->steps.at[plan->steps.n - 1];
		uint32_t input = plan->reads.at[step->first_read + next];
		const char *found = farm_text(plan, plan->inputs.at[input].path);
		char *whole = farm_below_root(plan, found);
		if (!whole)
			return cs_error_nomem();
		bool looks = stat(whole, &st) == 0 && st.st_size <= LARGEST;
		free(whole);
		if (looks)
			error = scan_script(plan, found, job);
	}
	return error;
}
