/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a cache, from the inside of the farm. */
#ifndef FARM_CACHE_H
#define FARM_CACHE_H

#include <cellscope/farm.h>

struct cs_farm_cache {
	char *folder;
};

/* As cs_farm_cache_has, and what is there was used now: it is trimmed later. */
bool farm_cache_use(const struct cs_farm_cache *cache, struct cs_farm_key key);
/* With all folders above it. */
struct cs_error *farm_make_folder(const char *path) CS_MUST_USE;

#endif
