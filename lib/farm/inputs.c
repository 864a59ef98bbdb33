/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the content of what steps read. A file is hashed as it is, in pieces; a tree is the hash of
 * the names and contents of the files in it that a reader of projects may open, in sorted order.
 * What a mesh names beside itself (mtllib of an OBJ, uri of a glTF) is read with it.
 */
#include "farm/folder_walk.h"
#include "farm/plan.h"

#include "base/job.h"
#include "base/parallel.h"
#include "file/byte_source.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PIECE = 1 << 18 };

static struct cs_error *hash_file(
	const char *path, uint64_t limit, XXH3_state_t *state, uint64_t *bytes)
{
	struct cs_source_file source;
	struct cs_error *error = cs_source_open(path, limit, &source);
	if (error)
		return error;
	unsigned char *piece = malloc(PIECE);
	if (!piece)
		error = cs_error_nomem();
	for (uint64_t at = 0; at < source.size && !error; at += PIECE) {
		size_t n = source.size - at < PIECE ? (size_t)(source.size - at) : PIECE;
		error = cs_source_read(&source, at, piece, n);
		if (!error)
			XXH3_128bits_update(state, piece, n);
	}
	*bytes += source.size;
	free(piece);
	if (!error)
		error = cs_source_unchanged(&source);
	cs_source_close(&source);
	return error;
}

/* What a project is made of, as its reader sees it. */
static const char *const project_files[] = {
	".uproject", ".uplugin", ".umap", ".uasset", ".ini", ".json", NULL};

static struct cs_error *hash_tree(
	const char *root, const struct cs_job *job, XXH3_state_t *state, uint64_t *bytes)
{
	struct farm_files files;
	struct cs_limits limits = cs_job_limits(job);
	struct cs_error *error = farm_find_files(root, project_files, job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		const char *path = files.paths.at[i];
		XXH3_128bits_update(state, path + strlen(root), strlen(path + strlen(root)) + 1);
		error = hash_file(path, limits.file_bytes, state, bytes);
		if (!error)
			error = cs_job_check(job);
	}
	farm_files_deinit(&files);
	return error;
}

/* The caller frees it; NULL when out of memory. */
static char *below_root(const struct cs_farm_plan *plan, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", farm_text(plan, plan->root), path) < 0 ? NULL : whole;
}

static struct cs_error *hash_path(
	struct farm_input *input, const char *path, const struct cs_job *job, XXH3_state_t *state)
{
	XXH3_128bits_reset(state);
	struct cs_error *error = input->is_tree ? hash_tree(path, job, state, &input->bytes)
						: hash_file(path, cs_job_limits(job).file_bytes,
							  state, &input->bytes);
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	input->content = (struct cs_farm_key){hash.high64, hash.low64};
	return error;
}

static struct cs_error *hash_input(
	const struct cs_farm_plan *plan, struct farm_input *input, const struct cs_job *job)
{
	XXH3_state_t *state = XXH3_createState();
	char *path = below_root(plan, farm_text(plan, input->path));
	struct cs_error *error =
		state && path ? hash_path(input, path, job, state) : cs_error_nomem();
	XXH3_freeState(state);
	free(path);
	return error;
}

struct hashing {
	struct cs_farm_plan *plan;
	const struct cs_job *job;
	struct cs_error **errors; /* by input */
};

static void hash_some(void *context, size_t begin, size_t end, int thread)
{
	(void)thread;
	struct hashing *hashing = context;
	/* callbacks of a job come from the calling thread alone */
	struct cs_job job = {.limits = hashing->job ? hashing->job->limits : NULL};
	for (size_t i = begin; i < end; i++)
		hashing->errors[i] = hash_input(hashing->plan, &hashing->plan->inputs.at[i], &job);
}

struct cs_error *farm_hash_inputs(struct cs_farm_plan *plan, const struct cs_job *job)
{
	struct cs_error *first = NULL;
	struct hashing hashing = {plan, job, calloc(plan->inputs.n + 1, sizeof(*hashing.errors))};
	if (!hashing.errors)
		return cs_error_nomem();
	cs_parallel_for(cs_job_threads(job), plan->inputs.n, 1, hash_some, &hashing);
	for (size_t i = 0; i < plan->inputs.n; i++)
		first = cs_error_first(first, hashing.errors[i]);
	free(hashing.errors);
	return first ? first : cs_job_check(job);
}

/* ---- companions of a mesh ---- */

/* A file beside `path`, inside the root: what leaves it is not read by the importer either. */
static struct cs_error *add_companion(struct cs_farm_plan *plan, const char *path, const char *name)
{
	char *beside;
	uint32_t input;
	struct stat st;
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	if (name[0] == '/' || strstr(name, ".."))
		return NULL;
	if (asprintf(&beside, "%.*s%s", folder, path, name) < 0)
		return cs_error_nomem();
	char *whole = below_root(plan, beside);
	struct cs_error *error = whole ? NULL : cs_error_nomem();
	if (!error && stat(whole, &st) == 0 && S_ISREG(st.st_mode)) {
		error = farm_add_input(plan, beside, false, &input);
		if (!error && !cs_vec_push(&plan->reads, input))
			error = cs_error_nomem();
		if (!error)
			plan->steps.at[plan->steps.n - 1].n_reads++;
	}
	free(beside);
	free(whole);
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
	json_t *document = json_loadb(text, size, 0, NULL);
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
	bool is_obj = farm_ends_with(path, ".obj"), is_gltf = farm_ends_with(path, ".gltf");
	if (!is_obj && !is_gltf)
		return NULL;
	char *whole = below_root(plan, path);
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
