/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test points in TAP, for the unit tests. A program calls ok() and its kin and ends with
 * `return done();`, which prints the plan and fails when nothing was tested.
 */
#pragma once

#include <cellscope/core.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

/*
 * Returns one in how many similar attempts is made: CELLSCOPE_EVERY, which is for slow builds, else
 * 1. An odd step is best, so that all bits and verbs have their turn.
 */
__attribute__((unused)) static unsigned tap_every(void)
{
	const char *asked = getenv("CELLSCOPE_EVERY");
	int every = asked ? atoi(asked) : 1;
	return every > 0 ? (unsigned)every : 1;
}

/*
 * Returns the shorter count, which suits each change, or with CELLSCOPE_LONG (`make check-long`)
 * the longer one, which suits a night.
 */
__attribute__((unused)) static unsigned tap_long(unsigned shorter, unsigned longer)
{
	return getenv("CELLSCOPE_LONG") ? longer : shorter;
}

__attribute__((format(printf, 4, 5), unused)) static bool tap_ok(
	bool holds, const char *file, int line, const char *format, ...)
{
	char name[400];
	va_list args;
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	for (char *c = name; *c; c++)
		if (*c == '#' || *c == '\n')
			*c = ' ';
	printf("%s %d - %s\n", holds ? "ok" : "not ok", ++tap_count, name);
	if (!holds) {
		tap_failed++;
		printf("# at %s:%d\n", file, line);
	}
	return holds;
}

#define ok(condition, ...) tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)

/* Checks that two numbers are equal, and prints both otherwise. */
#define is_int(got, want, ...)                                                      \
	do {                                                                        \
		long long tap_got = (long long)(got), tap_want = (long long)(want); \
		if (!ok(tap_got == tap_want, __VA_ARGS__))                          \
			printf("# got %lld, want %lld\n", tap_got, tap_want);       \
	} while (0)

#define is_text(got, want, ...)                                                            \
	do {                                                                               \
		const char *tap_got = (got), *tap_want = (want);                           \
		if (!ok(tap_got && strcmp(tap_got, tap_want) == 0, __VA_ARGS__))           \
			printf("# got  '%s'\n# want '%s'\n", tap_got ? tap_got : "(null)", \
				tap_want);                                                 \
	} while (0)

#define is_double(got, want, ...)                                               \
	do {                                                                    \
		double tap_got = (got), tap_want = (want);                      \
		if (!ok(tap_got == tap_want, __VA_ARGS__))                      \
			printf("# got %.17g, want %.17g\n", tap_got, tap_want); \
	} while (0)

/* Checks that the call succeeds; its error is printed and freed otherwise. */
#define works(call, ...)                                                                    \
	do {                                                                                \
		struct cs_error *tap_error = (call);                                        \
		if (!ok(!tap_error, __VA_ARGS__))                                           \
			printf("# %s: %s\n", cs_word(CS_WORDS_CODE, tap_error->code)->name, \
				tap_error->message);                                        \
		cs_error_free(tap_error);                                                   \
	} while (0)

/* Checks that the call fails with that code. */
#define fails(call, expected, ...)                                                     \
	do {                                                                           \
		struct cs_error *tap_error = (call);                                   \
		if (!ok(tap_error && tap_error->code == (expected), __VA_ARGS__))      \
			printf("# %s\n", tap_error ? tap_error->message : "no error"); \
		cs_error_free(tap_error);                                              \
	} while (0)

__attribute__((format(printf, 1, 2), unused)) static void diag(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("# ", stdout);
	vprintf(format, args);
	putchar('\n');
	va_end(args);
}

/* Skips the rest of a test that cannot run here; `why` is printed. */
__attribute__((unused)) static void skip(const char *why)
{
	printf("ok %d # SKIP %s\n", ++tap_count, why);
}

__attribute__((unused)) static int done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed > 0 || tap_count == 0;
}

/*
 * Returns the folder of real data that is not part of the repository, or NULL where it is absent.
 */
__attribute__((unused)) static const char *shared_data(void)
{
	const char *folder = getenv("CELLSCOPE_DATA");
	static char probe[4096];
	if (!folder)
		return NULL;
	snprintf(probe, sizeof(probe), "%s/README.md", folder);
	FILE *file = fopen(probe, "r");
	if (!file)
		return NULL;
	fclose(file);
	return folder;
}
