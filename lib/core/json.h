/* SPDX-License-Identifier: Apache-2.0 */
/* Parses JSON with jansson, which itself reports a lack of memory like invalid JSON. */
#pragma once

#include <cellscope/core.h>

#include <jansson.h>

/*
 * Parses a text, after its byte order mark if it has one. If the text is not JSON, returns NULL
 * with the reason in *problem. If memory runs out, returns NULL and sets *no_memory. Thread-safe.
 */
json_t *cs_json_parse(
	const char *text, size_t n, size_t flags, json_error_t *problem, bool *no_memory);
/* Reads an array of three numbers. Returns false for other values and for NULL. */
bool cs_json_triple(const json_t *array, double ret[3]);
