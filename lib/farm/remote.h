/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of results on an HTTP server (farm/remote.c). */
#pragma once

#include <cellscope/farm.h>

#include "farm/key.h"

struct farm_remote {
	void (*close)(struct farm_remote *remote);
	/* Gets an entry from the server, freed by the caller; *ret is NULL if there is none. */
	struct cs_error *(*get)(struct farm_remote *remote, struct cs_farm_key key,
		const struct cs_job *job, unsigned char **ret, size_t *size_ret);
	/* Stores an entry on the server. If it is rejected, prints a message; the run continues. */
	void (*put)(struct farm_remote *remote, struct cs_farm_key key, int status,
		const unsigned char *bytes, size_t size, const struct cs_job *job);
};

/* Opens a server; ret->close frees it. E_FEATURE without libcurl, E_USAGE for a bad address. */
struct cs_error *farm_remote_open(const char *url, struct farm_remote **ret) CS_MUST_USE;
