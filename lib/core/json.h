/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsing JSON by jansson, which does not tell text that is wrong from memory that is missing.
 */
#pragma once

#include <cellscope/core.h>

#include <jansson.h>

/*
 * NULL when the text is no JSON, then *problem says why, or without memory, then *no_memory is
 * true. Threads may parse at the same time.
 */
json_t *cs_json_parse(
	const char *text, size_t n, size_t flags, json_error_t *problem, bool *no_memory);
