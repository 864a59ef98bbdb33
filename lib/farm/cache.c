/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of results by key, in a folder that many hosts may share.
 *
 * 	objects/ab/KEY   a result: a head, then its bytes
 * 	runs/PLAN.jsonl  the journal of a plan (farm/journal.c)
 * 	work/OWNER/      files that a run is making, with OWNER.lock (format/owner.h)
 *
 * An entry is written under a temporary name and renamed; two writers of one key write the same
 * bytes, so nothing is locked. The head, little-endian: magic 8, status u32, zero u32, size u64,
 * key 16, XXH3-128 of all preceding fields and the bytes. Every read checks it, so a file that was
 * renamed to another key is invalid too. An entry that is damaged, empty, a link or unreadable is
 * reported once, counts as missing, and is computed again.
 *
 * A server may be used besides the folder, with the same entries (farm/remote.c): what is stored in
 * the folder is also stored there, and what only the server has is copied to the folder after the
 * same checks.
 */
#include "farm/cache.h"

#include "core/cursor.h"
#include "core/fully.h"
#include "core/job.h"
#include "core/sort.h"
#include "farm/folder_walk.h"
#include "farm/plan.h"
#include "format/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEAD = 56, SUMMED = 40, AT_STATUS = 8, AT_SIZE = 16, AT_KEY = 24 };

static const unsigned char magic[8] = {0x89, 'c', 's', 'r', 'e', 's', '2', '\n'};

/* ---- creating folders ---- */

/* Returns an error if no folder can be at the path: it is empty, or a file is there. */
static struct cs_error *check_folder(const char *path)
{
	struct stat st;
	if (!*path)
		return cs_error_errno(ENOENT, path, "make the folder");
	if (stat(path, &st) < 0)
		return errno == ENOENT ? NULL : cs_error_errno(errno, path, "use the folder");
	return !S_ISDIR(st.st_mode)
		       ? cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET,
				 "a folder is needed at this path, but a file is there: remove it "
				 "or name another folder")
		       : NULL;
}

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
	free(copy);
	return error ? error : check_folder(path);
}

struct cs_error *farm_make_folder_of(char *path)
{
	char *slash = strrchr(path, '/');
	*slash = '\0';
	struct cs_error *error = farm_make_folder(path);
	*slash = '/';
	return error;
}

static char *default_folder(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	return base && *base == '/' ? farm_print("%s/cellscope", base)
	       : home && *home      ? farm_print("%s/.cache/cellscope", home)
				    : farm_print("/tmp/cellscope-%ld", (long)getuid());
}

struct cs_error *cs_farm_cache_open(const char *folder, const char *url, struct cs_farm_cache **ret)
{
	struct cs_farm_cache *cache = calloc(1, sizeof(*cache));
	if (!cache)
		return cs_error_nomem();
	cache->folder = folder ? strdup(folder) : default_folder();
	struct cs_error *error = cache->folder ? check_folder(cache->folder) : cs_error_nomem();
	if (!error && url)
		error = farm_remote_open(url, &cache->remote);
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
	if (cache->remote)
		cache->remote->close(cache->remote);
	free(cache->folder);
	free(cache);
}

static char *cache_path_of(const struct cs_farm_cache *cache, struct cs_farm_key key)
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_key_format(key, text);
	return farm_print("%s/objects/%.2s/%s", cache->folder, text, text);
}

/* ---- reading and writing entries ---- */

static void cache_sum_of(
	const unsigned char *head, const unsigned char *bytes, size_t size, unsigned char ret[16])
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, head, SUMMED);
	XXH3_128bits_update(&state, bytes, size);
	XXH128_hash_t sum = XXH3_128bits_digest(&state);
	cs_store64(ret, sum.high64);
	cs_store64(ret + 8, sum.low64);
}

static void make_head(struct cs_farm_key key, uint64_t size, unsigned char ret[HEAD])
{
	memset(ret, 0, HEAD);
	memcpy(ret, magic, sizeof(magic));
	cs_store64(ret + AT_SIZE, size);
	cs_store64(ret + AT_KEY, key.high);
	cs_store64(ret + AT_KEY + 8, key.low);
}

static struct cs_error *write_entry(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const unsigned char *head, const unsigned char *bytes, size_t size)
{
	struct cs_save save;
	char *path = cache_path_of(cache, key);
	if (!path)
		return cs_error_nomem();
	struct stat st;
	struct cs_error *error = farm_make_folder_of(path);
	if (!error && lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
		remove(path); /* a link would redirect the bytes, a folder would block the rename */
	if (!error)
		error = cs_save_begin(path, &save);
	if (!error) {
		/* no fsync: a result that is lost in a power failure is computed again */
		save.relaxed = true;
		error = cs_save_write(&save, head, HEAD);
		if (!error && size > 0)
			error = cs_save_write(&save, bytes, size);
		error = cs_save_end(&save, error);
	}
	free(path);
	return error;
}

static void send_entry(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const unsigned char *head, const struct cs_farm_result *result, const struct cs_job *job)
{
	unsigned char *file = malloc(HEAD + result->size);
	if (!file)
		return; /* the folder already has the entry, and only the server does not get it */
	memcpy(file, head, HEAD);
	if (result->size > 0)
		memcpy(file + HEAD, result->bytes, result->size);
	cache->remote->put(cache->remote, key, result->status, file, HEAD + result->size, job);
	free(file);
}

struct cs_error *cs_farm_cache_put(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_farm_result *result, const struct cs_job *job)
{
	unsigned char head[HEAD];
	make_head(key, result->size, head);
	head[AT_STATUS] = (unsigned char)result->status;
	cache_sum_of(head, result->bytes, result->size, head + SUMMED);
	struct cs_error *error = write_entry(cache, key, head, result->bytes, result->size);
	if (!error && cache->remote)
		send_entry(cache, key, head, result, job);
	return error;
}

/* Returns whether `head` is a valid head for the key in a file of `size` bytes. */
static bool is_head(const unsigned char *head, struct cs_farm_key key, uint64_t size)
{
	unsigned char want[HEAD];
	if (size < HEAD || head[AT_STATUS] > 1)
		return false;
	make_head(key, size - HEAD, want);
	want[AT_STATUS] = head[AT_STATUS];
	return memcmp(head, want, SUMMED) == 0;
}

/* Returns whether the bytes of a file are the complete, undamaged entry of the key. */
static bool cache_is_whole(const unsigned char *file, struct cs_farm_key key, uint64_t size)
{
	unsigned char sum[16];
	if (!is_head(file, key, size))
		return false;
	cache_sum_of(file, file + HEAD, (size_t)size - HEAD, sum);
	return memcmp(sum, file + SUMMED, sizeof(sum)) == 0;
}

/* Opens the file of an entry without blocking. Returns -1 if there is no such regular file. */
static int open_entry(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && (fstat(fd, st) < 0 || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/* Logs and removes a damaged entry. If it cannot be removed, the next result replaces it. */
static void tell_bad(const struct cs_job *job, const char *path)
{
	cs_job_log(
		job, CS_LOG_WARNING, "the cached result %s is damaged: its step runs again", path);
	remove(path);
}

/* Reads and checks an entry with its head. *ret is NULL if invalid. `is_used` marks it as used. */
static struct cs_error *read_entry(const char *path, struct cs_farm_key key,
	const struct cs_job *job, bool is_used, unsigned char **ret, size_t *size_ret)
{
	struct stat st;
	int fd = open_entry(path, &st);
	*ret = NULL;
	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		return cs_error_errno(errno, path, "open");
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return NULL;
	uint64_t size = fd < 0 ? 0 : (uint64_t)st.st_size;
	unsigned char *file = NULL;
	bool fits = size >= HEAD && size <= cs_job_limits(job).file_bytes;
	if (fits && !(file = malloc((size_t)size))) {
		close(fd);
		return cs_error_nomem();
	}
	if (fits && cs_read_fully(fd, file, (size_t)size) && cache_is_whole(file, key, size)) {
		if (is_used)
			/* marks the entry as used now: trimming removes older ones first */
			futimens(fd, NULL);
		*ret = file;
		*size_ret = (size_t)size;
	} else {
		free(file);
		tell_bad(job, path);
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

/*
 * Gets an entry from the server, checks it, and stores it in the folder if possible. *ret is the
 * whole entry including its head, or NULL when the server has no valid entry.
 */
static struct cs_error *fetch_entry(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_job *job, unsigned char **ret, size_t *size_ret)
{
	*ret = NULL;
	if (!cache->remote)
		return NULL;
	struct cs_error *error = cache->remote->get(cache->remote, key, job, ret, size_ret);
	if (error || !*ret)
		return error;
	if (!cache_is_whole(*ret, key, *size_ret)) {
		cs_job_log(job, CS_LOG_WARNING,
			"the cache server returned a damaged or different result, which is "
			"ignored");
		free(*ret);
		*ret = NULL;
		return NULL;
	}
	error = write_entry(cache, key, *ret, *ret + HEAD, *size_ret - HEAD);
	if (error)
		cs_job_log(job, CS_LOG_WARNING,
			"a result of the cache server was used, but cannot be copied to the local "
			"cache: %s",
			error->message);
	cs_error_free(error);
	return NULL;
}

struct cs_error *cs_farm_cache_get(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_job *job, struct cs_farm_result *ret, bool *found_ret)
{
	unsigned char *file;
	size_t size;
	char *path = cache_path_of(cache, key);
	if (!path)
		return cs_error_nomem();
	struct cs_error *error = read_entry(path, key, job, true, &file, &size);
	if (!error && !file)
		error = fetch_entry(cache, key, job, &file, &size);
	*found_ret = !error && file;
	if (*found_ret) {
		*ret = (struct cs_farm_result){.status = file[AT_STATUS], .size = size - HEAD};
		memmove(file, file + HEAD, ret->size);
		ret->bytes = file;
	}
	free(path);
	return error;
}

/* Returns the exit status of the step that the entry stores in its head, -1 if that is invalid. */
static int find_head(const struct cs_farm_cache *cache, struct cs_farm_key key, bool is_used)
{
	struct stat st;
	unsigned char head[HEAD];
	char *path = cache_path_of(cache, key);
	int fd = path ? open_entry(path, &st) : -1;
	bool has = fd >= 0 && cs_read_fully(fd, head, HEAD) &&
		   is_head(head, key, (uint64_t)st.st_size);
	if (has && is_used)
		futimens(fd, NULL);
	if (fd >= 0)
		close(fd);
	free(path);
	return has ? head[AT_STATUS] : -1;
}

int cs_farm_cache_status(const struct cs_farm_cache *cache, struct cs_farm_key key)
{
	return find_head(cache, key, false);
}

bool farm_cache_use(
	const struct cs_farm_cache *cache, struct cs_farm_key key, const struct cs_job *job)
{
	unsigned char *file;
	size_t size;
	if (find_head(cache, key, true) >= 0)
		return true;
	struct cs_error *error = fetch_entry(cache, key, job, &file, &size);
	bool has = !error && file;
	if (error) /* lack of memory or an interruption: the step itself will report it */
		cs_error_free(error);
	else
		free(file);
	return has;
}

void cs_farm_result_deinit(struct cs_farm_result *result)
{
	free(result->bytes);
	result->bytes = NULL;
}

/* ---- measuring, checking and trimming the cache ---- */

/* Lists all files below objects/, whatever their names; none if the folder does not exist. */
static struct cs_error *find_entries(
	const struct cs_farm_cache *cache, const struct cs_job *job, struct farm_files *ret)
{
	static const char *const all[] = {"", NULL};
	struct stat st;
	char *root = farm_print("%s/objects", cache->folder);
	*ret = (struct farm_files){{0}};
	if (!root)
		return cs_error_nomem();
	struct cs_error *error =
		stat(root, &st) == 0 ? farm_find_files(root, all, 0, job, ret) : NULL;
	free(root);
	return error;
}

static void remove_entry(const char *path, uint64_t bytes, struct cs_farm_cache_stat *to)
{
	if (unlink(path) < 0 && errno != ENOENT)
		return;
	to->removed++;
	to->removed_bytes += bytes;
	to->entries--;
	to->bytes -= bytes;
}

static struct cs_error *cache_check_entry(const char *path, uint64_t size_on_disk,
	const struct cs_job *job, struct cs_farm_cache_stat *to)
{
	unsigned char *file = NULL;
	size_t size;
	struct cs_farm_key key;
	const char *name = strrchr(path, '/') + 1;
	if (strstr(name, ".tmp."))
		/* another run is writing this file, or will make the result again */
		return NULL;
	struct cs_error *error =
		farm_parse_key(name, &key) ? read_entry(path, key, job, false, &file, &size) : NULL;
	free(file);
	if (error || file)
		return error;
	to->damaged++;
	remove_entry(path, size_on_disk, to);
	return NULL;
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

struct cs_error *cs_farm_cache_stat(const struct cs_farm_cache *cache, bool verify, uint64_t most,
	const struct cs_job *job, struct cs_farm_cache_stat *ret)
{
	struct farm_files files;
	CS_VEC(struct aged) entries = {0};
	struct cs_farm_cache_stat to = {0};
	struct cs_error *error = find_entries(cache, job, &files);
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		struct stat st;
		if (lstat(files.paths.at[i], &st) < 0)
			continue; /* another run has removed the file */
		struct aged entry = {st.st_mtim, (uint64_t)st.st_size, files.paths.at[i]};
		to.entries++;
		to.bytes += entry.bytes;
		if (verify)
			error = cache_check_entry(entry.path, entry.bytes, job, &to);
		else if (most < UINT64_MAX && !cs_vec_push(&entries, entry))
			error = cs_error_nomem();
		if (!error)
			error = cs_job_check(job);
	}
	if (!error && !cs_sort(entries.at, entries.n, sizeof(*entries.at), by_age, NULL))
		error = cs_error_nomem();
	for (size_t i = 0; i < entries.n && to.bytes > most && !error; i++)
		remove_entry(entries.at[i].path, entries.at[i].bytes, &to);
	cs_vec_free(&entries);
	farm_files_deinit(&files);
	*ret = to;
	return error;
}
