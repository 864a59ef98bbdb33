/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzz target is a file with these three. It is linked with driver.c, which replays files and
 * mutates the seeds by chance that is always the same, or with libFuzzer (--enable-fuzzing).
 */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>
#include <stdint.h>

extern const char fuzz_name[];
/*
 * Words of the format, which chance puts into inputs; NULL ends the list. A target may have none.
 */
extern const char *const fuzz_words[] __attribute__((weak));
/* Counts how a run ended, by code; NULL is a result. Frees the error. */
void fuzz_note(struct cs_error *error);
/* Calls add() for each valid input to start from. */
void fuzz_seeds(void (*add)(const void *bytes, size_t size));
/* The name is that which libFuzzer looks for. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
