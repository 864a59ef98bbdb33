/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of results that is reached by HTTP: farm/remote.c. */
#pragma once

#include <cellscope/farm.h>

#include "farm/key.h"

struct farm_remote {
	void (*close)(struct farm_remote *remote);
	/* What the server keeps under the key, the caller's; *ret is NULL when it keeps nothing. */
	struct cs_error *(*get)(struct farm_remote *remote, struct cs_farm_key key,
		const struct cs_job *job, unsigned char **ret, size_t *size_ret);
	/* What the server does not take stays where it is: a line says so, no run ends by it. */
	void (*put)(struct farm_remote *remote, struct cs_farm_key key, int status,
		const unsigned char *bytes, size_t size, const struct cs_job *job);
};

/* E_FEATURE where there is no libcurl; E_USAGE for what is no address. */
struct cs_error *farm_remote_open(const char *url, struct farm_remote **ret) CS_MUST_USE;
