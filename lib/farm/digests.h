/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of files that were read before, kept in the folder of a cache: farm/digests.c. */
#pragma once

#include "farm/key.h"
#include "farm/plan.h"

#include <sys/stat.h>

struct farm_digests;

/* Those of the folder; what cannot be read, or is damaged, is none. */
struct cs_error *farm_digests_open(const char *folder, struct farm_digests **ret) CS_MUST_USE;
/* Keeps what was added; a folder that cannot be written keeps nothing. NULL is closed too. */
void farm_digests_close(struct farm_digests *digests);
/* The content of a file of which the system says this. Threads may ask and add; NULL knows none. */
bool farm_digests_find(
	struct farm_digests *digests, const struct stat *st, struct cs_farm_key *ret);
/* `asked`: the second in which the system said so, before a byte was read. */
void farm_digests_add(struct farm_digests *digests, const struct stat *st, time_t asked,
	struct cs_farm_key content);
