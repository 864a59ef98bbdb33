/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: containers by package, without case. A table of open addressing over the array; readers of
 * projects push to the array without telling, so its tail may not be in the table yet and is
 * searched in order. The main container is never in the table: a reader names it late.
 */
#include "world/world.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_called(const struct cs_world *world, size_t container, const char *package)
{
	return cs_name_compare(
		       cs_world_text(world, world->containers.at[container].package), package) == 0;
}

static void put(struct cs_container_index *index, const char *package, uint32_t container)
{
	uint32_t slot = (uint32_t)cs_name_hash(package, strlen(package)) & index->mask;
	while (index->slots[slot])
		slot = (slot + 1) & index->mask;
	index->slots[slot] = container + 1;
}

bool cs_world_index_containers(struct cs_world *world)
{
	struct cs_container_index *index = &world->by_package;
	size_t n = world->containers.n, room = 16;
	if (n > index->n && 2 * n > index->mask) {
		while (room < 4 * n)
			room *= 2;
		uint32_t *slots = calloc(room, sizeof(*slots));
		if (!slots)
			return false;
		free(index->slots);
		*index = (struct cs_container_index){slots, (uint32_t)room - 1, 1};
	}
	for (; index->n < n; index->n++)
		put(index, cs_world_text(world, world->containers.at[index->n].package), index->n);
	return true;
}

void cs_container_index_deinit(struct cs_container_index *index)
{
	free(index->slots);
	*index = (struct cs_container_index){0};
}

static uint32_t find_indexed(const struct cs_world *world, const char *package)
{
	const struct cs_container_index *index = &world->by_package;
	uint32_t slot = (uint32_t)cs_name_hash(package, strlen(package)) & index->mask;
	for (; index->slots[slot]; slot = (slot + 1) & index->mask)
		if (is_called(world, index->slots[slot] - 1, package))
			return index->slots[slot] - 1;
	return CS_NONE;
}

uint32_t cs_world_find_container(const struct cs_world *world, const char *package)
{
	const struct cs_container_index *index = &world->by_package;
	if (is_called(world, 0, package))
		return 0;
	uint32_t found = index->slots ? find_indexed(world, package) : CS_NONE;
	for (size_t i = index->slots ? index->n : 1; found == CS_NONE && i < world->containers.n;
		i++)
		if (is_called(world, i, package))
			found = (uint32_t)i;
	return found;
}

struct cs_error *cs_world_container(struct cs_world *world, const char *package, uint32_t *ret)
{
	if (!cs_world_index_containers(world))
		return cs_error_nomem();
	uint32_t found = cs_world_find_container(world, package);
	if (found == CS_NONE) {
		struct cs_source_container container = {
			.package = cs_strings_add_z(&world->strings, package),
			.kind = CS_CONTAINER_LEVEL,
			.external_actors = true,
			.missing = true,
			.partitioned = true,
		};
		if (container.package == CS_NONE || !cs_vec_push(&world->containers, container))
			return cs_error_nomem();
		found = (uint32_t)world->containers.n - 1;
	}
	*ret = found;
	return NULL;
}
