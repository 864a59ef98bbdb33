/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the invariants that the heads of files state. They run in builds that enable them
 * (--enable-invariants, and every sanitizer); in other builds the expression is compiled and never
 * evaluated. No input can break one: a broken invariant is a fault of this program, is named and
 * ends the process.
 *
 * Most are checked at the end of a phase. A check that reads a whole state in every frame runs in
 * one of CS_INVARIANT_EVERY frames.
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

/* Checks in some frames of a run, chosen by their number: the same ones in every run. */
#define CS_INVARIANT_SOMETIMES(frame, expression, sentence) \
	CS_INVARIANT((frame) % CS_INVARIANT_EVERY != 0 || (expression), sentence)

/* Writes file, line and sentence to standard error, and aborts. */
_Noreturn void cs_invariant_broken(const char *file, int line, const char *sentence);
