/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cook keeps in memory beside its world, counted by the allocator: the linker puts these
 * functions before those of the C library in the calls of our own code.
 */
#include "tests/samples/tap.h"

#include <cellscope/cook.h>

#include <malloc.h>
#include <stdlib.h>

static struct {
	size_t now, most;
} held;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

static void *took(void *block)
{
	held.now += block ? malloc_usable_size(block) : 0;
	held.most = held.now > held.most ? held.now : held.most;
	return block;
}

void *__wrap_malloc(size_t size)
{
	return took(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return took(__real_calloc(n, size));
}

/*
 * Counts a block that grows once: two blocks exist for a moment only where the C library copies it.
 */
void *__wrap_realloc(void *old, size_t size)
{
	size_t before = old ? malloc_usable_size(old) : 0;
	void *block = __real_realloc(old, size);
	if (block)
		held.now -= before;
	return took(block);
}

void __wrap_free(void *old)
{
	held.now -= old ? malloc_usable_size(old) : 0;
	__real_free(old);
}

static void must(struct cs_error *error)
{
	if (error)
		printf("Bail out! %s\n", error->message);
	cs_error_free(error);
}

/* A cook must take at most MOST bytes for an actor, including lists that grew by half. */
enum { ACTORS = 30000, MOST = 190 };

static void test_kind(enum cs_world_kind kind, const char *name)
{
	const struct cs_world_recipe recipe = {kind, ACTORS, 1};
	const struct cs_job job = {.threads = 1};
	struct cs_world *world;
	struct cs_cook *cook;
	must(cs_world_generate(&recipe, NULL, &world));
	size_t before = held.most = held.now;
	must(cs_cook(world, NULL, &job, &cook));
	size_t rows = cs_cook_summary(cook).actors;
	ok((held.most - before) / rows <= MOST, "%s: %zu bytes an actor at most, %zu then", name,
		(held.most - before) / rows, (held.now - before) / rows);
	cs_cook_free(cook);
	is_int((long long)held.now, (long long)before, "%s: all of it is given back", name);
	cs_world_free(world);
}

int main(void)
{
	test_kind(CS_WORLD_CITY, "city");
	test_kind(CS_WORLD_OPEN, "open");
	return done();
}
