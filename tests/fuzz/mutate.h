/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chance does to an input: bits and bytes, and what people and programs get wrong about a
 * format: counts that lie, numbers that are none, lines twice, parts of another file, brackets that
 * nest.
 */
#pragma once

#include "core/random.h"

#include <stddef.h>

enum { MUTANT_LIMIT = 1 << 20 /* bytes of an input */, MUTANT_ROOM = MUTANT_LIMIT + (1 << 18) };

struct mutant {
	unsigned char *bytes; /* room for MUTANT_ROOM */
	size_t size;
	const unsigned char *other; /* another seed, for parts of it */
	size_t other_size;
};

/* Makes one change; the size stays within MUTANT_LIMIT. */
void mutate(struct mutant *mutant, struct cs_random *random);
