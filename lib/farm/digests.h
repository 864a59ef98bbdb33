/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of files that were read before, stored in the folder of a cache: farm/digests.c. */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/stat.h>

struct farm_digests;

/* Reads the digests of the folder; unreadable or damaged ones count as none. */
struct cs_error *farm_digests_open(const char *folder, struct farm_digests **ret) CS_MUST_USE;
/* Writes the added digests, if the folder can be written. NULL is allowed. */
void farm_digests_close(struct farm_digests *digests);
/* Returns a hash of what the system says about a file, which changes when the file is written. */
struct cs_farm_key farm_stamp_of(const struct stat *st);
/*
 * Finds the content hash of a file with this status. Several threads may call it; `digests` NULL
 * finds nothing.
 */
bool farm_digests_find(
	struct farm_digests *digests, const struct stat *st, struct cs_farm_key *ret);
/* `asked`: time at which the status was read, before the first byte of content. */
void farm_digests_add(struct farm_digests *digests, const struct stat *st, time_t asked,
	struct cs_farm_key content);
