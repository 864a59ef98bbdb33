/* SPDX-License-Identifier: Apache-2.0 */
/* Content hashes of files, stored in the folder of a cache (farm/digests.c). */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/stat.h>

struct farm_digests;

/* Reads the stored content hashes of a folder; a missing or damaged file counts as empty. */
struct cs_error *farm_digests_open(const char *folder, struct farm_digests **ret) CS_MUST_USE;
/* Stores the added hashes if the folder can be written, and frees `digests` (may be NULL). */
void farm_digests_close(struct farm_digests *digests);
/* Returns a hash of a file's status (inode, size, times), which changes with every write. */
struct cs_farm_key farm_stamp_of(const struct stat *st);
/* Finds a file's content hash by status. Returns false if unknown or no `digests`. Thread-safe. */
bool farm_digests_find(
	struct farm_digests *digests, const struct stat *st, struct cs_farm_key *ret);
/* Adds a file's content hash. `st` is its status at time `asked`, before the content was read. */
void farm_digests_add(struct farm_digests *digests, const struct stat *st, time_t asked,
	struct cs_farm_key content);
