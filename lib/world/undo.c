/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Undoes a change of a finished (sealed) world. Before the change, the arrays that it sorts or
 * overwrites are copied; the pools only grow, so only their sizes are stored.
 */
#include "world/world_internal.h"

void cs_world_keep_pools(const struct cs_world *world, struct cs_world *ret)
{
	ret->texts.n = world->texts.n;
	ret->guids.n = world->guids.n;
	ret->pools.turns.n = world->pools.turns.n;
	ret->pools.more.n = world->pools.more.n;
	ret->pools.editor_bounds.n = world->pools.editor_bounds.n;
}

bool cs_world_keep(const struct cs_world *world, struct cs_world *ret)
{
	*ret = (struct cs_world){0};
	cs_world_keep_pools(world, ret);
	return cs_vec_append(&ret->actors, world->actors.at, world->actors.n) &&
	       cs_vec_append(&ret->containers, world->containers.at, world->containers.n) &&
	       cs_vec_append(&ret->level_instances, world->level_instances.at,
		       world->level_instances.n) &&
	       cs_vec_append(&ret->hlods, world->hlods.at, world->hlods.n);
}

void cs_world_undo(struct cs_world *world, struct cs_world *kept)
{
	CS_WORLD_SWAP(world->actors, kept->actors);
	CS_WORLD_SWAP(world->containers, kept->containers);
	CS_WORLD_SWAP(world->level_instances, kept->level_instances);
	CS_WORLD_SWAP(world->hlods, kept->hlods);
	cs_world_cut_pools(world, kept);
	world->sealed = true;
	cs_container_index_deinit(&world->by_package);
}

void cs_world_forget(struct cs_world *kept)
{
	cs_vec_free(&kept->actors);
	cs_vec_free(&kept->containers);
	cs_vec_free(&kept->level_instances);
	cs_vec_free(&kept->hlods);
}
