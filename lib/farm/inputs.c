/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashes what steps read. A file is read in pieces, unless its hash is known (farm/digests.c). The
 * hash of a folder covers the names and contents, in sorted order, of the files that a reader of
 * projects may open.
 */
#include "farm/digests.h"
#include "farm/folder_walk.h"
#include "farm/plan.h"

#include "core/job.h"
#include "core/parallel.h"
#include "format/byte_source.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PIECE = 1 << 18 };

struct hashing {
	struct farm_digests *digests; /* known content hashes of files; NULL = none */
	const struct cs_job *job;
	uint64_t bytes; /* total size of the hashed files */
};

static struct cs_farm_key key_of_hash(XXH128_hash_t hash)
{
	return (struct cs_farm_key){hash.high64, hash.low64};
}

static struct cs_error *hash_source(const struct cs_source_file *source, struct cs_farm_key *ret)
{
	XXH3_state_t *state = XXH3_createState();
	unsigned char *piece = malloc(PIECE);
	struct cs_error *error = state && piece ? NULL : cs_error_nomem();
	if (!error)
		XXH3_128bits_reset(state);
	for (uint64_t at = 0; at < source->size && !error; at += PIECE) {
		size_t n = source->size - at < PIECE ? (size_t)(source->size - at) : PIECE;
		error = cs_source_read(source, at, piece, n);
		if (!error)
			XXH3_128bits_update(state, piece, n);
	}
	if (!error) {
		*ret = key_of_hash(XXH3_128bits_digest(state));
		error = cs_source_unchanged(source);
	}
	XXH3_freeState(state);
	free(piece);
	return error;
}

static struct cs_error *hash_file(
	struct hashing *hashing, const char *path, struct cs_farm_key *ret)
{
	struct stat st;
	struct timespec asked;
	struct cs_source_file source;
	struct cs_error *error =
		cs_source_open(path, cs_job_limits(hashing->job).file_bytes, &source);
	if (error)
		return error;
	bool told = clock_gettime(CLOCK_REALTIME, &asked) == 0 && fstat(source.fd, &st) == 0;
	hashing->bytes += source.size;
	if (!told || !farm_digests_find(hashing->digests, &st, ret)) {
		error = hash_source(&source, ret);
		if (!error && told)
			farm_digests_add(hashing->digests, &st, asked.tv_sec, *ret);
	}
	cs_source_close(&source);
	return error;
}

/* The reader of projects follows 2 links below Content or Plugins, which may be links, too. */
enum { MOST_LINKS = 3 };

/* suffixes of the files that a reader of projects opens */
static const char *const project_files[] = {
	".uproject", ".uplugin", ".umap", ".uasset", ".ini", ".json", NULL};

static struct cs_error *hash_tree(
	struct hashing *hashing, const char *root, struct cs_farm_key *ret)
{
	struct farm_files files;
	XXH3_state_t *state = XXH3_createState();
	if (!state)
		return cs_error_nomem();
	XXH3_128bits_reset(state);
	struct cs_error *error =
		farm_find_files(root, project_files, MOST_LINKS, hashing->job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		struct cs_farm_key content;
		const char *path = files.paths.at[i], *name = path + strlen(root);
		error = hash_file(hashing, path, &content);
		XXH3_128bits_update(state, name, strlen(name) + 1);
		XXH3_128bits_update(state, &content, error ? 0 : sizeof(content));
		if (!error)
			error = cs_job_check(hashing->job);
	}
	*ret = key_of_hash(XXH3_128bits_digest(state));
	farm_files_deinit(&files);
	XXH3_freeState(state);
	return error;
}

char *farm_below_root(const struct cs_farm_plan *plan, const char *path)
{
	return farm_print("%s/%s", farm_text(plan, plan->root), path);
}

struct cs_error *farm_hash_input(const struct cs_farm_plan *plan, struct farm_input *input,
	struct farm_digests *digests, const struct cs_job *job)
{
	struct hashing hashing = {digests, job, 0};
	char *path = farm_below_root(plan, farm_text(plan, input->path));
	if (!path)
		return cs_error_nomem();
	struct cs_error *error = input->is_tree ? hash_tree(&hashing, path, &input->content)
						: hash_file(&hashing, path, &input->content);
	input->bytes = hashing.bytes;
	free(path);
	return error;
}

/* ---- stamps: whether an input was written ---- */

static struct cs_error *stamp_file(XXH3_state_t *state, const char *path)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return cs_error_errno(errno, path, "open");
	const struct cs_farm_key stamp = farm_stamp_of(&st);
	XXH3_128bits_update(state, &stamp, sizeof(stamp));
	return NULL;
}

static struct cs_error *stamp_tree(XXH3_state_t *state, const char *root, const struct cs_job *job)
{
	struct farm_files files;
	struct cs_error *error = farm_find_files(root, project_files, MOST_LINKS, job, &files);
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
	*ret = key_of_hash(XXH3_128bits_digest(&state));
	free(path);
	return error;
}

/* ---- hashing all inputs in parallel ---- */

struct all_inputs {
	struct cs_farm_plan *plan;
	struct farm_digests *digests;
	const struct cs_job *job;
	struct cs_error **errors; /* for each input, its error; NULL = none */
};

static void hash_some(void *context, size_t begin, size_t end, int thread)
{
	(void)thread;
	struct all_inputs *all = context;
	/* the job has no callbacks: only the thread that called the library may call them */
	struct cs_job job = {.limits = all->job ? all->job->limits : NULL};
	for (size_t i = begin; i < end; i++)
		all->errors[i] =
			farm_hash_input(all->plan, &all->plan->inputs.at[i], all->digests, &job);
}

struct cs_error *farm_hash_inputs(
	struct cs_farm_plan *plan, struct farm_digests *digests, const struct cs_job *job)
{
	struct cs_error *first = NULL;
	struct all_inputs all = {
		plan, digests, job, calloc(plan->inputs.n + 1, sizeof(*all.errors))};
	if (!all.errors)
		return cs_error_nomem();
	cs_parallel_for(cs_job_threads(job), plan->inputs.n, 1, hash_some, &all);
	for (size_t i = 0; i < plan->inputs.n; i++)
		first = cs_error_first(first, all.errors[i]);
	free(all.errors);
	bool foreign = false;
	for (size_t i = 0; i < plan->steps.n && !foreign; i++)
		foreign = farm_reads_foreign(plan, &plan->steps.at[i]);
	if (foreign && !first)
		plan->importer = farm_importer_code();
	return first ? first : cs_job_check(job);
}
