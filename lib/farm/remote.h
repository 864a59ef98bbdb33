/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of results on an HTTP server: farm/remote.c. */
#pragma once

#include <cellscope/farm.h>

#include "farm/key.h"

struct farm_remote {
	void (*close)(struct farm_remote *remote);
	/*
	 * Returns the entry with the key from the server, freed by the caller; *ret is NULL when
	 * there is none.
	 */
	struct cs_error *(*get)(struct farm_remote *remote, struct cs_farm_key key,
		const struct cs_job *job, unsigned char **ret, size_t *size_ret);
	/*
	 * Stores an entry on the server. When the server refuses it, a message says so and the run
	 * continues.
	 */
	void (*put)(struct farm_remote *remote, struct cs_farm_key key, int status,
		const unsigned char *bytes, size_t size, const struct cs_job *job);
};

/* Returns E_FEATURE when there is no libcurl, and E_USAGE for an invalid address. */
struct cs_error *farm_remote_open(const char *url, struct farm_remote **ret) CS_MUST_USE;
