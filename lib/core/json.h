/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing JSON with jansson, which itself does not distinguish invalid JSON from lack of memory. */
#pragma once

#include <cellscope/core.h>

#include <jansson.h>

/*
 * Parses a text, after its byte order mark if it has one. Returns NULL with the reason in *problem
 * when the text is not JSON, and NULL with *no_memory set to true when memory runs out.
 * Thread-safe.
 */
json_t *cs_json_parse(
	const char *text, size_t n, size_t flags, json_error_t *problem, bool *no_memory);
/* Reads an array of three numbers. Returns false for other values and for NULL. */
bool cs_json_triple(const json_t *array, double ret[3]);
