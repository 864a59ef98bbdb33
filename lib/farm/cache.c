/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: results by key, in a folder that many hosts may share.
 *
 *	objects/ab/KEY   a result: head, then its bytes
 *	runs/PLAN.jsonl  the journal of a plan (farm/journal.c)
 *	work/HOST-PID/   what a run is making
 *
 * An entry is written beside and renamed; two writers of one key write the same bytes, so nothing
 * is locked. The head, little-endian: magic 8, status u32, zero u32, size u64, XXH3-128 of magic,
 * status, size and bytes. Every read checks it: a damaged entry is a miss, said once and removed.
 */
#include "farm/cache.h"

#include "base/cursor.h"
#include "base/job.h"
#include "base/sort.h"
#include "farm/folder_walk.h"
#include "file/byte_source.h"
#include "file/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEAD = 40, SUMMED = 24 };

static const unsigned char magic[8] = {0x89, 'c', 's', 'r', 'e', 's', '1', '\n'};

/* ---- folders ---- */

struct cs_error *farm_make_folder(const char *path)
{
	char *copy = strdup(path);
	if (!copy)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	for (char *at = copy + 1; at && !error; at = strchr(at, '/')) {
		at += *at == '/';
		char *slash = strchr(at, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			error = cs_error_errno(errno, copy, "make the folder");
		if (slash)
			*slash = '/';
	}
	struct stat st;
	if (!error && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		error = cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET, "it is no folder");
	free(copy);
	return error;
}

static char *default_folder(void)
{
	char *folder;
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = base && *base == '/' ? asprintf(&folder, "%s/cellscope", base)
		: home && *home      ? asprintf(&folder, "%s/.cache/cellscope", home)
				     : asprintf(&folder, "/tmp/cellscope-%ld", (long)getuid());
	return n < 0 ? NULL : folder;
}

struct cs_error *cs_farm_cache_open(const char *folder, struct cs_farm_cache **ret)
{
	struct cs_farm_cache *cache = calloc(1, sizeof(*cache));
	if (!cache)
		return cs_error_nomem();
	cache->folder = folder ? strdup(folder) : default_folder();
	struct cs_error *error = cache->folder ? farm_make_folder(cache->folder) : cs_error_nomem();
	if (error) {
		cs_farm_cache_free(cache);
		return error;
	}
	*ret = cache;
	return NULL;
}

void cs_farm_cache_free(struct cs_farm_cache *cache)
{
	if (!cache)
		return;
	free(cache->folder);
	free(cache);
}

const char *cs_farm_cache_folder(const struct cs_farm_cache *cache)
{
	return cache->folder;
}

static char *path_of(const struct cs_farm_cache *cache, struct cs_farm_key key)
{
	char text[CS_FARM_KEY_TEXT], *path;
	cs_farm_key_format(key, text);
	return asprintf(&path, "%s/objects/%.2s/%s", cache->folder, text, text) < 0 ? NULL : path;
}

/* ---- entries ---- */

static void put_u64(unsigned char *to, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_u64(const unsigned char *from)
{
	uint64_t value = 0;
	for (int i = 0; i < 8; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

static void sum_of(
	const unsigned char *head, const unsigned char *bytes, size_t size, unsigned char ret[16])
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, head, SUMMED);
	XXH3_128bits_update(&state, bytes, size);
	XXH128_hash_t sum = XXH3_128bits_digest(&state);
	put_u64(ret, sum.high64);
	put_u64(ret + 8, sum.low64);
}

struct cs_error *cs_farm_cache_put(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_farm_result *result)
{
	unsigned char head[HEAD] = {0};
	struct cs_save save;
	char *path = path_of(cache, key);
	if (!path)
		return cs_error_nomem();
	memcpy(head, magic, sizeof(magic));
	head[8] = (unsigned char)result->status;
	put_u64(head + 16, result->size);
	sum_of(head, result->bytes, result->size, head + SUMMED);
	char *slash = strrchr(path, '/');
	*slash = '\0';
	struct cs_error *error = farm_make_folder(path);
	*slash = '/';
	if (!error)
		error = cs_save_begin(path, &save);
	if (!error) {
		save.relaxed = true; /* what a power cut takes is made again */
		error = cs_save_write(&save, head, sizeof(head));
		if (!error && result->size > 0)
			error = cs_save_write(&save, result->bytes, result->size);
		if (!error)
			error = cs_save_commit(&save);
		else
			cs_save_abandon(&save);
	}
	free(path);
	return error;
}

/* Whether the file is an entry, whole; its bytes are then the caller's. */
static bool is_whole(const unsigned char *file, size_t size)
{
	unsigned char sum[16];
	if (size < HEAD || memcmp(file, magic, sizeof(magic)) != 0 || file[8] > 1)
		return false;
	if (get_u64(file + 16) != size - HEAD)
		return false;
	sum_of(file, file + HEAD, size - HEAD, sum);
	return memcmp(sum, file + SUMMED, sizeof(sum)) == 0;
}

struct cs_error *cs_farm_cache_get(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_job *job, struct cs_farm_result *ret, bool *found_ret)
{
	unsigned char *file;
	size_t size;
	char *path = path_of(cache, key);
	if (!path)
		return cs_error_nomem();
	*found_ret = false;
	struct cs_error *error = cs_read_whole(path, cs_job_limits(job).file_bytes, &file, &size);
	bool missing = error && cs_error_code(error) == CS_E_NOFILE;
	if (missing) {
		cs_error_free(error);
		error = NULL;
	} else if (!error && !is_whole(file, size)) {
		cs_job_log(job, CS_LOG_WARNING, "%s is damaged, and is made again", path);
		unlink(path);
		free(file);
	} else if (!error) {
		*ret = (struct cs_farm_result){.status = file[8], .size = size - HEAD};
		memmove(file, file + HEAD, ret->size);
		ret->bytes = file;
		*found_ret = true;
		utimensat(AT_FDCWD, path, NULL, 0); /* read now: trimmed later */
	}
	free(path);
	return error;
}

bool cs_farm_cache_has(const struct cs_farm_cache *cache, struct cs_farm_key key)
{
	struct stat st;
	char *path = path_of(cache, key);
	bool has = path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= HEAD;
	free(path);
	return has;
}

void cs_farm_result_deinit(struct cs_farm_result *result)
{
	free(result->bytes);
	result->bytes = NULL;
}

/* ---- the whole cache ---- */

/* Every file below objects/, whatever its name; no folder yet is no file. */
static struct cs_error *find_entries(
	const struct cs_farm_cache *cache, const struct cs_job *job, struct farm_files *ret)
{
	static const char *const all[] = {"", NULL};
	struct stat st;
	char *root;
	*ret = (struct farm_files){{0}};
	if (asprintf(&root, "%s/objects", cache->folder) < 0)
		return cs_error_nomem();
	struct cs_error *error = stat(root, &st) == 0 ? farm_find_files(root, all, job, ret) : NULL;
	free(root);
	return error;
}

static void remove_entry(const char *path, uint64_t bytes, struct cs_farm_cache_stat *to)
{
	if (unlink(path) < 0)
		return;
	to->removed++;
	to->removed_bytes += bytes;
	to->entries--;
	to->bytes -= bytes;
}

static struct cs_error *check_entry(const char *path, uint64_t size_on_disk,
	const struct cs_job *job, struct cs_farm_cache_stat *to)
{
	unsigned char *file;
	size_t size;
	struct cs_error *error = cs_read_whole(path, cs_job_limits(job).file_bytes, &file, &size);
	if (error)
		return error;
	bool good = is_whole(file, size);
	free(file);
	if (good)
		return NULL;
	to->damaged++;
	cs_job_log(job, CS_LOG_WARNING, "%s is damaged, and is removed", path);
	remove_entry(path, size_on_disk, to);
	return NULL;
}

struct cs_error *cs_farm_cache_stat(const struct cs_farm_cache *cache, bool verify,
	const struct cs_job *job, struct cs_farm_cache_stat *ret)
{
	struct farm_files files;
	struct cs_farm_cache_stat to = {0};
	struct cs_error *error = find_entries(cache, job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		struct stat st;
		if (stat(files.paths.at[i], &st) < 0)
			continue; /* another run took it away */
		to.entries++;
		to.bytes += (uint64_t)st.st_size;
		if (verify)
			error = check_entry(files.paths.at[i], (uint64_t)st.st_size, job, &to);
		if (!error)
			error = cs_job_check(job);
	}
	farm_files_deinit(&files);
	*ret = to;
	return error;
}

struct aged {
	struct timespec read;
	uint64_t bytes;
	const char *path;
};

static int by_age(const void *left, const void *right, void *context)
{
	(void)context;
	const struct aged *a = left, *b = right;
	if (a->read.tv_sec != b->read.tv_sec)
		return a->read.tv_sec < b->read.tv_sec ? -1 : 1;
	return a->read.tv_nsec < b->read.tv_nsec ? -1 : a->read.tv_nsec > b->read.tv_nsec;
}

struct cs_error *cs_farm_cache_trim(const struct cs_farm_cache *cache, uint64_t bytes,
	const struct cs_job *job, struct cs_farm_cache_stat *ret)
{
	struct farm_files files;
	CS_VEC(struct aged) entries = {0};
	struct cs_farm_cache_stat to = {0};
	struct cs_error *error = find_entries(cache, job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		struct stat st;
		if (stat(files.paths.at[i], &st) < 0)
			continue;
		struct aged entry = {st.st_mtim, (uint64_t)st.st_size, files.paths.at[i]};
		to.entries++;
		to.bytes += entry.bytes;
		error = cs_vec_push(&entries, entry) ? cs_job_check(job) : cs_error_nomem();
	}
	if (!error && !cs_sort(entries.at, entries.n, sizeof(*entries.at), by_age, NULL))
		error = cs_error_nomem();
	for (size_t i = 0; i < entries.n && to.bytes > bytes && !error; i++)
		remove_entry(entries.at[i].path, entries.at[i].bytes, &to);
	cs_vec_free(&entries);
	farm_files_deinit(&files);
	*ret = to;
	return error;
}
