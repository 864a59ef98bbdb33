/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the content of what steps read. A file is hashed as it is, in pieces; a tree is the hash of
 * the names and contents of the files in it that a reader of projects may open, in sorted order.
 */
#include "farm/folder_walk.h"
#include "farm/plan.h"

#include "core/job.h"
#include "core/parallel.h"
#include "format/byte_source.h"

#include <errno.h>
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

char *farm_below_root(const struct cs_farm_plan *plan, const char *path)
{
	char *whole;
	return asprintf(&whole, "%s/%s", farm_text(plan, plan->root), path) < 0 ? NULL : whole;
}

static struct cs_error *hash_path(
	struct farm_input *input, const char *path, const struct cs_job *job, XXH3_state_t *state)
{
	XXH3_128bits_reset(state);
	input->bytes = 0;
	struct cs_error *error = input->is_tree ? hash_tree(path, job, state, &input->bytes)
						: hash_file(path, cs_job_limits(job).file_bytes,
							  state, &input->bytes);
	XXH128_hash_t hash = XXH3_128bits_digest(state);
	input->content = (struct cs_farm_key){hash.high64, hash.low64};
	return error;
}

struct cs_error *farm_hash_input(
	const struct cs_farm_plan *plan, struct farm_input *input, const struct cs_job *job)
{
	XXH3_state_t *state = XXH3_createState();
	char *path = farm_below_root(plan, farm_text(plan, input->path));
	struct cs_error *error =
		state && path ? hash_path(input, path, job, state) : cs_error_nomem();
	XXH3_freeState(state);
	free(path);
	return error;
}

/* ---- whether it was written ---- */

static struct cs_error *stamp_file(XXH3_state_t *state, const char *path)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return cs_error_errno(errno, path, "open");
	const uint64_t told[] = {(uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		(uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec,
		(uint64_t)st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec};
	XXH3_128bits_update(state, told, sizeof(told));
	return NULL;
}

static struct cs_error *stamp_tree(XXH3_state_t *state, const char *root, const struct cs_job *job)
{
	struct farm_files files;
	struct cs_error *error = farm_find_files(root, project_files, job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		const char *path = files.paths.at[i];
		XXH3_128bits_update(state, path, strlen(path) + 1);
		error = stamp_file(state, path);
	}
	farm_files_deinit(&files);
	return error;
}

struct cs_error *farm_stamp_input(const struct cs_farm_plan *plan, const struct farm_input *input,
	const struct cs_job *job, struct cs_farm_key *ret)
{
	XXH3_state_t state;
	char *path = farm_below_root(plan, farm_text(plan, input->path));
	if (!path)
		return cs_error_nomem();
	XXH3_128bits_reset(&state);
	struct cs_error *error =
		input->is_tree ? stamp_tree(&state, path, job) : stamp_file(&state, path);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	*ret = (struct cs_farm_key){hash.high64, hash.low64};
	free(path);
	return error;
}

/* ---- all inputs ---- */

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
		hashing->errors[i] =
			farm_hash_input(hashing->plan, &hashing->plan->inputs.at[i], &job);
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
	bool foreign = false;
	for (size_t i = 0; i < plan->steps.n && !foreign; i++)
		foreign = farm_reads_foreign(plan, &plan->steps.at[i]);
	if (foreign && !first)
		plan->importer = farm_importer_code();
	return first ? first : cs_job_check(job);
}
