/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a cache of results; used inside lib/farm. */
#pragma once

#include <cellscope/farm.h>

#include "farm/key.h"

/* A cache of results on an HTTP server (farm/remote.c). */
struct farm_remote {
	void (*close)(struct farm_remote *remote);
	/* Gets an entry from the server. The caller frees *ret, which is NULL if there is none. */
	struct cs_error *(*get)(struct farm_remote *remote, struct cs_farm_key key,
		const struct cs_job *job, unsigned char **ret, size_t *size_ret);
	/* Stores an entry on the server. Prints a message if the server rejects it. */
	void (*put)(struct farm_remote *remote, struct cs_farm_key key, int status,
		const unsigned char *bytes, size_t size, const struct cs_job *job);
};

/* Opens a server; ret->close frees it. E_FEATURE without libcurl, E_USAGE for a bad address. */
struct cs_error *farm_remote_open(const char *url, struct farm_remote **ret) CS_MUST_USE;

struct cs_farm_cache {
	char *folder;
	struct farm_remote *remote; /* server used besides the folder; NULL = none */
};

/*
 * Returns whether the cache has an entry with a valid head, and marks it as used, so that it is
 * trimmed later than others. An entry that only the server has is copied to the folder.
 */
bool farm_cache_use(
	const struct cs_farm_cache *cache, struct cs_farm_key key, const struct cs_job *job);
/* Creates a folder and its missing parents. */
struct cs_error *farm_make_folder(const char *path) CS_MUST_USE;
/* Creates the folder of a file, whose path has a slash; `path` is the same afterwards. */
struct cs_error *farm_make_folder_of(char *path) CS_MUST_USE;

struct cs_error *cs_farm_cache_put(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_farm_result *result, const struct cs_job *job) CS_MUST_USE;
/* Returns the exit status of the step that the entry stores, -1 if the folder has no valid one. */
int cs_farm_cache_status(const struct cs_farm_cache *cache, struct cs_farm_key key);

/* Reads an entry; free it by cs_farm_result_deinit. *found_ret is false if missing or damaged. */
struct cs_error *cs_farm_cache_get(const struct cs_farm_cache *cache, struct cs_farm_key key,
	const struct cs_job *job, struct cs_farm_result *ret, bool *found_ret) CS_MUST_USE;
void cs_farm_result_deinit(struct cs_farm_result *result);
