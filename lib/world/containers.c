/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds containers by package, ignoring case, with a hash table over the array. Readers of projects
 * append to the array directly, so its last containers may be missing in the table; they are
 * searched one by one. The main container, index 0, is compared first and is never in the table,
 * because its package may be set after others.
 */
#include "world/world_internal.h"

#include "core/text.h"

#include <string.h>

static bool is_called(const struct cs_world *world, size_t container, const char *package)
{
	return cs_name_compare(
		       cs_world_text(world, world->containers.at[container].package), package) == 0;
}

static uint32_t *containers_slot_of(const struct cs_world *world, const char *package)
{
	return cs_slots_find(&world->by_package.slots, cs_name_hash(package, strlen(package)), row,
		is_called(world, row, package));
}

static uint64_t hash_of(const void *context, uint32_t container)
{
	const struct cs_world *world = context;
	const char *package = cs_world_text(world, world->containers.at[container].package);
	return cs_name_hash(package, strlen(package));
}

bool cs_world_index_containers(struct cs_world *world)
{
	struct cs_container_index *index = &world->by_package;
	if (!cs_slots_grow(&index->slots, hash_of, world))
		return false;
	for (index->n = index->n ? index->n : 1; index->n < world->containers.n; index->n++) {
		if (!cs_slots_grow(&index->slots, hash_of, world))
			return false;
		uint32_t *slot = containers_slot_of(
			world, cs_world_text(world, world->containers.at[index->n].package));
		if (!*slot)
			cs_slots_put(&index->slots, slot, index->n);
	}
	return true;
}

void cs_container_index_deinit(struct cs_container_index *index)
{
	cs_slots_deinit(&index->slots);
	index->n = 0;
}

uint32_t cs_world_find_container(const struct cs_world *world, const char *package)
{
	const struct cs_container_index *index = &world->by_package;
	if (is_called(world, 0, package))
		return 0;
	uint32_t found = index->n ? cs_slot_row(containers_slot_of(world, package)) : CS_NONE;
	for (size_t i = index->n ? index->n : 1; found == CS_NONE && i < world->containers.n; i++)
		if (is_called(world, i, package))
			found = (uint32_t)i;
	return found;
}

struct cs_source_container cs_container_default(void)
{
	return (struct cs_source_container){
		.kind = CS_CONTAINER_LEVEL, .external_actors = true, .partitioned = true};
}

struct cs_error *cs_world_container(struct cs_world *world, const char *package, uint32_t *ret)
{
	if (!cs_world_index_containers(world))
		return cs_error_nomem();
	uint32_t found = cs_world_find_container(world, package);
	if (found == CS_NONE) {
		struct cs_source_container container = cs_container_default();
		container.package = cs_strings_add_z(&world->strings, package);
		container.missing = true;
		if (container.package == CS_NONE || !cs_vec_push(&world->containers, container))
			return cs_error_nomem();
		found = (uint32_t)world->containers.n - 1;
	}
	*ret = found;
	return NULL;
}
