/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses JSON safely when memory is short. After a failed allocation jansson may report invalid
 * JSON, may end an object too early, or may crash. Therefore no allocation fails during a parse:
 * the first that would fail gets memory from a reserve, jansson then reads the end of the text, and
 * the result is discarded.
 *
 * Invariant: no block of the reserve is in use when cs_json_parse returns. jansson has one
 * allocator per process: ours forwards to malloc outside of a parse, and is not installed if the
 * program has set another one.
 */
#include "core/json.h"

#include "core/invariant.h"
#include "core/utf8.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* enough for all that jansson allocates for the 1024 bytes of text that it reads ahead */
	RESERVE = 128 << 10,
	UNIT = 16,
};

static _Thread_local struct {
	bool is_parsing, failed;
	/* number of bytes of `reserve` in use, and of blocks in it that were not freed yet */
	size_t used, in_use;
	_Alignas(UNIT) unsigned char reserve[RESERVE];
} parse;

static void *json_allocate(size_t size)
{
	void *block = malloc(size);
	if (block || !parse.is_parsing)
		return block;
	parse.failed = true;
	size = size < RESERVE ? (size + UNIT - 1) / UNIT * UNIT : RESERVE;
	if (size > RESERVE - parse.used)
		return NULL;
	block = parse.reserve + parse.used;
	parse.used += size;
	parse.in_use++;
	return block;
}

static void json_release(void *block)
{
	uintptr_t at = (uintptr_t)block, first = (uintptr_t)parse.reserve;
	if (at < first || at >= first + RESERVE)
		free(block);
	else
		parse.in_use--;
}

static void install(void)
{
	json_malloc_t now;
	json_free_t then;
	json_get_alloc_funcs(&now, &then);
	if (now == malloc && then == free)
		json_set_alloc_funcs(json_allocate, json_release);
}

struct input {
	const char *at;
	size_t left;
};

static size_t read_on(void *to, size_t n, void *context)
{
	struct input *input = context;
	n = parse.failed ? 0 : n < input->left ? n : input->left;
	memcpy(to, input->at, n);
	input->at += n;
	input->left -= n;
	return n;
}

json_t *cs_json_parse(
	const char *text, size_t n, size_t flags, json_error_t *problem, bool *no_memory)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const size_t mark = cs_utf8_mark(text, n);
	struct input input = {text + mark, n - mark};
	pthread_once(&once, install);
	parse.is_parsing = true;
	parse.failed = false;
	parse.used = parse.in_use = 0;
	json_t *json = json_load_callback(read_on, &input, flags, problem);
	problem->position += (int)mark;
	if (parse.failed) {
		json_decref(json);
		json = NULL;
	}
	CS_INVARIANT(parse.in_use == 0, "nothing of the reserve is in use behind a parse");
	parse.is_parsing = false;
	*no_memory = parse.failed;
	return json;
}

bool cs_json_triple(const json_t *array, double ret[3])
{
	bool good = json_array_size(array) == 3;
	for (size_t i = 0; good && i < 3; i++)
		good = json_is_number(json_array_get(array, i));
	for (size_t i = 0; good && i < 3; i++)
		ret[i] = json_number_value(json_array_get(array, i));
	return good;
}
