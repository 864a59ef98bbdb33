/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of what the heads of files promise behind "Invariant:". They run in builds that ask for
 * them (--enable-invariants, and every sanitizer); elsewhere the expression is compiled and never
 * run. No input can break one: a broken one is a fault of ours, is named and ends the process.
 *
 * Most stand at the end of a phase. What would have to look at a whole state in every frame looks
 * at it in one of CS_INVARIANT_EVERY.
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

/* In the frames of a run that are looked at, by their number: the same in every run. */
#define CS_INVARIANT_SOMETIMES(frame, expression, sentence) \
	CS_INVARIANT((frame) % CS_INVARIANT_EVERY != 0 || (expression), sentence)

/* Writes file, line and sentence to standard error, and aborts. */
_Noreturn void cs_invariant_broken(const char *file, int line, const char *sentence);
