/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process when an invariant is broken. */
#include "core/invariant.h"

#include <stdio.h>
#include <stdlib.h>

void cs_invariant_broken(const char *file, int line, const char *sentence)
{
	fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, sentence);
	abort();
}
