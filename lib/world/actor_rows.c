/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs descriptors of actors into rows, and unpacks exactly the same descriptors.
 *
 * Data model: a row of 160 bytes has what nearly every actor has. The attach parent is an index
 * into the pool of GUIDs; editor bounds that differ from the runtime bounds are in a pool. Rotation
 * and scale, and the rarer members, are pool entries that actors share, found by a hash of their
 * bytes. Invariant: entries never change, so a copy of a row stays valid until its entries are
 * removed, which happens only when changes of the world are undone.
 */
#include "core/guid.h"
#include "world/world_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct cs_actor_more cs_actor_more_none = {.level_instance = CS_NONE, .hlod = CS_NONE};

static const struct cs_actor_turn no_turn = {{0, 0, 0, 1}, {1, 1, 1}};

_Static_assert(sizeof(struct cs_actor_row) == 160, "a row has no holes");
_Static_assert(sizeof(struct cs_actor_more) == 92 && sizeof(struct cs_actor_turn) == 56,
	"entries have no holes: they are compared by their bytes");

/* ---- pool entries that actors share ---- */

/* One of the pools `turns` and `more`, whose entries have equal size. */
struct shared {
	void **at;
	size_t *n, *room;
	size_t size; /* size of an entry in bytes */
	struct cs_slots *slots;
};

#define SHARED(pool, table) \
	((struct shared){   \
		(void **)&(pool)->at, &(pool)->n, &(pool)->room, sizeof(*(pool)->at), table})

static const void *entry_at(const struct shared *shared, uint32_t entry)
{
	return (const char *)*shared->at + entry * shared->size;
}

static uint64_t actor_rows_hash_of(const void *context, uint32_t entry)
{
	const struct shared *shared = context;
	return XXH3_64bits(entry_at(shared, entry), shared->size);
}

static uint32_t *actor_rows_slot_of(const struct shared *shared, const void *wanted)
{
	return cs_slots_find(shared->slots, XXH3_64bits(wanted, shared->size), entry,
		memcmp(entry_at(shared, entry), wanted, shared->size) == 0);
}

/*
 * Adds to the hash table the pool entries that it lacks (all, if the pool was shortened), and makes
 * room for one more.
 */
static bool fill_slots(const struct shared *shared)
{
	bool good = cs_slots_grow(shared->slots, actor_rows_hash_of, shared);
	for (uint32_t i = (uint32_t)shared->slots->n; good && i < *shared->n; i++) {
		cs_slots_put(shared->slots, actor_rows_slot_of(shared, entry_at(shared, i)), i);
		good = cs_slots_grow(shared->slots, actor_rows_hash_of, shared);
	}
	return good;
}

/* Returns 1 + the index of the pool entry equal to `wanted`, added if new, or 0 without memory. */
static uint32_t share(struct shared shared, const void *wanted)
{
	if (!fill_slots(&shared) ||
		!cs_vec_reserve_bytes(shared.at, *shared.n, shared.room, 1, shared.size))
		return 0;
	uint32_t *slot = actor_rows_slot_of(&shared, wanted);
	if (!*slot) {
		memcpy((char *)*shared.at + *shared.n * shared.size, wanted, shared.size);
		cs_slots_put(shared.slots, slot, (uint32_t)(*shared.n)++);
	}
	return *slot;
}

/* ---- packing an actor ---- */

/* Returns the range; an empty range gets the start 0, so that all empty ranges compare equal. */
static struct cs_range begin_of(struct cs_range range)
{
	return range.count ? range : (struct cs_range){0, 0};
}

static bool pack_more(
	struct cs_world *world, const struct cs_actor *actor, struct cs_actor_row *row)
{
	struct cs_actor_more more = actor->more;
	more.editor_references = begin_of(more.editor_references);
	more.tags = begin_of(more.tags);
	more.properties = begin_of(more.properties);
	struct cs_actor_pools *pools = &world->pools;
	if (memcmp(&more, &cs_actor_more_none, sizeof(more)) == 0)
		return true;
	row->more = share(SHARED(&pools->more, &pools->more_slots), &more);
	return row->more != 0;
}

static bool pack_turn(
	struct cs_world *world, const struct cs_actor *actor, struct cs_actor_row *row)
{
	const struct cs_actor_turn turn = {actor->transform.rotation, actor->transform.scale};
	struct cs_actor_pools *pools = &world->pools;
	if (memcmp(&turn, &no_turn, sizeof(turn)) == 0)
		return true;
	row->turn = share(SHARED(&pools->turns, &pools->turn_slots), &turn);
	return row->turn != 0;
}

/* Returns whether the replaced row `before` has its own editor bounds, equal to `box`. */
static bool has_editor_bounds(
	const struct cs_world *world, const struct cs_actor_row *before, const struct cs_box *box)
{
	return before && before->editor_bounds >= CS_EDITOR_BOUNDS_OWN &&
	       memcmp(box,
		       &world->pools.editor_bounds.at[before->editor_bounds - CS_EDITOR_BOUNDS_OWN],
		       sizeof(*box)) == 0;
}

static bool pack_editor_bounds(struct cs_world *world, const struct cs_actor *actor,
	const struct cs_actor_row *before, struct cs_actor_row *row)
{
	const struct cs_box none = CS_BOX_INVALID, *box = &actor->editor_bounds;
	if (memcmp(box, &actor->bounds, sizeof(*box)) == 0)
		row->editor_bounds = CS_EDITOR_BOUNDS_SAME;
	else if (memcmp(box, &none, sizeof(*box)) == 0)
		row->editor_bounds = CS_EDITOR_BOUNDS_NONE;
	else if (has_editor_bounds(world, before, box))
		row->editor_bounds = before->editor_bounds;
	else if (cs_vec_push(&world->pools.editor_bounds, *box))
		row->editor_bounds =
			(uint32_t)world->pools.editor_bounds.n - 1 + CS_EDITOR_BOUNDS_OWN;
	else
		return false;
	return true;
}

static bool pack_parent(struct cs_world *world, const struct cs_actor *actor,
	const struct cs_actor_row *before, struct cs_actor_row *row)
{
	if (cs_guid_is_zero(actor->parent))
		return true;
	if (before && cs_guid_compare(cs_actor_parent(world, before), actor->parent) == 0) {
		row->parent = before->parent;
		return true;
	}
	row->parent = (uint32_t)world->guids.n + 1;
	return cs_vec_push(&world->guids, actor->parent);
}

/*
 * Packs an actor into a row. Parts that rows store in pools are shared by actors with equal parts.
 * `before` is the row that is replaced, or NULL. Returns false when memory runs out.
 */
static bool pack(struct cs_world *world, const struct cs_actor *actor,
	const struct cs_actor_row *before, struct cs_actor_row *ret)
{
	struct cs_actor_row row = {.own = actor->own, .location = actor->transform.translation};
	if (!pack_more(world, actor, &row) || !pack_turn(world, actor, &row) ||
		!pack_editor_bounds(world, actor, before, &row) ||
		!pack_parent(world, actor, before, &row))
		return false;
	*ret = row;
	return true;
}

bool cs_world_push_actor(struct cs_world *world, const struct cs_actor *actor)
{
	if (!cs_vec_reserve(&world->actors, 1) ||
		!pack(world, actor, NULL, &world->actors.at[world->actors.n]))
		return false;
	world->actors.n++;
	return true;
}

bool cs_world_set_actor(struct cs_world *world, size_t index, const struct cs_actor *actor)
{
	return pack(world, actor, &world->actors.at[index], &world->actors.at[index]);
}

/* ---- unpacking an actor ---- */

struct cs_transform cs_actor_transform(const struct cs_world *world, const struct cs_actor_row *row)
{
	const struct cs_actor_turn *turn =
		row->turn ? &world->pools.turns.at[row->turn - 1] : &no_turn;
	return (struct cs_transform){turn->rotation, row->location, turn->scale};
}

struct cs_box cs_actor_editor_bounds(const struct cs_world *world, const struct cs_actor_row *row)
{
	if (row->editor_bounds == CS_EDITOR_BOUNDS_SAME)
		return row->bounds;
	return row->editor_bounds == CS_EDITOR_BOUNDS_NONE
		       ? CS_BOX_INVALID
		       : world->pools.editor_bounds.at[row->editor_bounds - CS_EDITOR_BOUNDS_OWN];
}

struct cs_actor cs_world_actor(const struct cs_world *world, size_t index)
{
	const struct cs_actor_row *row = &world->actors.at[index];
	return (struct cs_actor){
		.own = row->own,
		.more = *cs_actor_more(world, row),
		.parent = cs_actor_parent(world, row),
		.transform = cs_actor_transform(world, row),
		.editor_bounds = cs_actor_editor_bounds(world, row),
	};
}

/* ---- shrinking and freeing the pools ---- */

void cs_world_cut_pools(struct cs_world *world, const struct cs_world *kept)
{
	struct cs_actor_pools *pools = &world->pools;
	const struct cs_actor_pools *to = &kept->pools;
	if (pools->turns.n != to->turns.n)
		cs_slots_deinit(&pools->turn_slots);
	if (pools->more.n != to->more.n)
		cs_slots_deinit(&pools->more_slots);
	pools->turns.n = to->turns.n;
	pools->more.n = to->more.n;
	pools->editor_bounds.n = to->editor_bounds.n;
	world->texts.n = kept->texts.n;
	world->guids.n = kept->guids.n;
}

void cs_actor_pools_deinit(struct cs_actor_pools *pools)
{
	cs_vec_free(&pools->turns);
	cs_vec_free(&pools->more);
	cs_vec_free(&pools->editor_bounds);
	cs_slots_deinit(&pools->turn_slots);
	cs_slots_deinit(&pools->more_slots);
}
