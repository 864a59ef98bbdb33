/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the invariants that the comments at the top of files state. They run in builds with
 * --enable-invariants or a sanitizer. In other builds the expression is compiled but never
 * evaluated. No input can break an invariant: a broken one is a bug of this program. Its sentence
 * is printed, and the process aborts.
 *
 * Most invariants are checked at the end of a phase. A check that would read a whole state in every
 * frame runs in one of CS_INVARIANT_EVERY frames.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef CS_INVARIANTS
#define CS_INVARIANTS_ON 1
#else
#define CS_INVARIANTS_ON 0
#endif

enum { CS_INVARIANT_EVERY = 16 };

#define CS_INVARIANT(expression, sentence)                                 \
	do {                                                               \
		if (CS_INVARIANTS_ON && !(expression))                     \
			cs_invariant_broken(__FILE__, __LINE__, sentence); \
	} while (0)

/* Checks in every CS_INVARIANT_EVERY-th frame, so that every run checks the same frames. */
#define CS_INVARIANT_SOMETIMES(frame, expression, sentence) \
	CS_INVARIANT((frame) % CS_INVARIANT_EVERY != 0 || (expression), sentence)

/* Writes file, line and sentence to standard error, and aborts. */
_Noreturn void cs_invariant_broken(const char *file, int line, const char *sentence);
