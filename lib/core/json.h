/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing JSON with jansson, which by itself does not distinguish wrong text from a lack of memory.
 */
#pragma once

#include <cellscope/core.h>

#include <jansson.h>

/*
 * Returns NULL when the text is not JSON, with the reason in *problem, or when memory runs out,
 * with *no_memory true. Threads may parse at the same time.
 */
json_t *cs_json_parse(
	const char *text, size_t n, size_t flags, json_error_t *problem, bool *no_memory);
/* Reads an array of three numbers. Returns false for anything else, and for NULL. */
bool cs_json_triple(const json_t *array, double ret[3]);
