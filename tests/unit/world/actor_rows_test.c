/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of lib/world/actor_rows.c: whatever a descriptor says, down to the bits of its numbers, is
 * given out as it was pushed or set; the twin is an array of descriptors.
 */
#include "world/world_internal.h"

#include "core/random.h"
#include "tests/samples/tap.h"

enum { ACTORS = 600 };

static struct cs_range any_list(struct cs_random *random)
{
	const uint32_t count = cs_random_below(random, 3);
	return (struct cs_range){count ? cs_random_below(random, 4) : 0, count};
}

static double any_number(struct cs_random *random)
{
	const double odd[] = {0, -0.0, 1, -1, 1e300, 5e-324, 12800.1, -123456789.123456789};
	uint64_t bits = cs_random_u64(random);
	double any;
	memcpy(&any, &bits, sizeof(any));
	return bits % 3 ? odd[cs_random_below(random, CS_COUNT_OF(odd))] : any;
}

static struct cs_vec3 any_vector(struct cs_random *random)
{
	return (struct cs_vec3){any_number(random), any_number(random), any_number(random)};
}

static struct cs_box any_box(struct cs_random *random, struct cs_box like)
{
	const uint32_t dice = cs_random_below(random, 4);
	struct cs_box box = {any_vector(random), any_vector(random)};
	if (dice == 0)
		box = CS_BOX_INVALID;
	else if (dice == 1)
		box = like;
	return box;
}

static uint32_t any_text(struct cs_random *random)
{
	return cs_random_below(random, 2) ? 0 : cs_random_below(random, 5);
}

static struct cs_guid any_guid(struct cs_random *random)
{
	const uint32_t d = cs_random_below(random, 3);
	return (struct cs_guid){0, 0, 0, d};
}

/*
 * Returns an actor whose fields are drawn from few values, so that some actors share everything
 * that can be shared.
 */
static struct cs_actor any_actor(struct cs_random *random)
{
	struct cs_actor a = cs_actor_default();
	a.guid = cs_random_guid(random);
	a.parent = any_guid(random);
	a.bounds = any_box(random, CS_BOX_INVALID);
	a.editor_bounds = any_box(random, a.bounds);
	a.transform.translation = any_vector(random);
	if (cs_random_below(random, 2)) {
		a.transform.scale = any_vector(random);
		a.transform.rotation.z = any_number(random);
	}
	uint32_t *const texts[] = {&a.name, &a.label, &a.native_class, &a.package, &a.path, &a.grid,
		&a.hlod_layer, &a.container, &a.flags, &a.saved};
	for (size_t i = 0; i < CS_COUNT_OF(texts); i++)
		*texts[i] = any_text(random);
	a.layers = any_list(random);
	a.references = any_list(random);
	if (cs_random_below(random, 2))
		return a;
	a.content_bundle = any_guid(random);
	a.folder_guid = any_guid(random);
	uint32_t *const rare[] = {&a.base_class, &a.folder, &a.engine, &a.mesh, &a.external_layer,
		&a.level_instance, &a.hlod, &a.defaults, &a.assumed};
	for (size_t i = 0; i < CS_COUNT_OF(rare); i++)
		*rare[i] = any_text(random);
	a.editor_references = any_list(random);
	a.tags = any_list(random);
	a.properties = any_list(random);
	return a;
}

/* Compares the bytes of all fields; there are no bytes between the fields. */
static bool is_same(const struct cs_actor *l, const struct cs_actor *r)
{
	return memcmp(l, r, offsetof(struct cs_actor, properties) + sizeof(l->properties)) == 0;
}

static size_t count_same(const struct cs_world *world, const struct cs_actor *actors)
{
	size_t same = 0;
	for (size_t i = 0; i < ACTORS; i++) {
		const struct cs_actor actor = cs_world_actor(world, i);
		same += is_same(&actor, &actors[i]);
	}
	return same;
}

static struct cs_world *world_of(struct cs_random *random, struct cs_actor *actors)
{
	struct cs_world *world = NULL;
	bool pushed = true;
	works(cs_world_new("/Game/Maps/M", &world), "a world");
	for (size_t i = 0; world && i < ACTORS; i++) {
		actors[i] = any_actor(random);
		pushed = pushed && cs_world_push_actor(world, &actors[i]);
	}
	ok(world && pushed, "actors are pushed");
	return world;
}

static void test_same(void)
{
	struct cs_random random = {1};
	struct cs_actor actors[ACTORS];
	struct cs_world *world = world_of(&random, actors);
	if (!world)
		return;
	is_int(count_same(world, actors), ACTORS, "all are given out as they came");
	for (size_t i = 0; i < 3 * ACTORS; i++) {
		const size_t k = cs_random_below(&random, ACTORS);
		actors[k] = any_actor(&random);
		if (!cs_world_set_actor(world, k, &actors[k]))
			ok(false, "no memory");
	}
	is_int(count_same(world, actors), ACTORS, "and as they were set");
	const size_t n_bounds = world->pools.editor_bounds.n;
	for (size_t k = 0; k < ACTORS; k++) {
		actors[k].label = actors[(k + 1) % ACTORS].label;
		if (!cs_world_set_actor(world, k, &actors[k]))
			ok(false, "no memory");
	}
	is_int(count_same(world, actors), ACTORS, "and with other labels");
	is_int(world->pools.editor_bounds.n, n_bounds, "which takes no bounds anew");
	cs_world_free(world);
}

/* Rows that are kept stay right after others were added and removed. */
static void test_cut(void)
{
	struct cs_random random = {2};
	struct cs_actor actors[ACTORS];
	struct cs_world *world = world_of(&random, actors);
	if (!world)
		return;
	for (int round = 0; round < 20; round++) {
		struct cs_world before;
		const size_t k = cs_random_below(&random, ACTORS);
		const struct cs_actor_row kept = world->actors.at[k];
		const struct cs_actor other = any_actor(&random);
		cs_world_keep_pools(world, &before);
		if (!cs_world_set_actor(world, k, &other))
			ok(false, "no memory");
		world->actors.at[k] = kept;
		cs_world_cut_pools(world, &before);
		if (round % 3)
			continue;
		actors[k] = other;
		if (!cs_world_set_actor(world, k, &other))
			ok(false, "no memory");
	}
	is_int(count_same(world, actors), ACTORS, "what was cut off is not missed");
	cs_world_free(world);
}

/* A thousand actors of one kind take one row each. */
static void test_shared(void)
{
	struct cs_world *world = NULL;
	works(cs_world_new("/Game/Maps/M", &world), "a world");
	for (uint32_t i = 0; world && i < 1000; i++) {
		struct cs_actor actor = cs_actor_default();
		actor.guid.d = i + 1;
		actor.folder = 1 + i % 2;
		actor.tags = (struct cs_range){i, 0};
		actor.transform.scale.x = 2;
		actor.bounds = actor.editor_bounds = (struct cs_box){{i, 0, 0}, {i + 1, 1, 1}};
		if (!cs_world_push_actor(world, &actor))
			ok(false, "no memory");
	}
	if (!world)
		return;
	is_int(world->pools.more.n, 2, "two folders are two entries");
	is_int(world->pools.turns.n, 1, "one scale is one entry");
	is_int(world->pools.editor_bounds.n, 0, "bounds that are the same are none");
	is_int(world->guids.n, 0, "and no parent is none");
	cs_world_free(world);
}

int main(void)
{
	test_same();
	test_cut();
	test_shared();
	return done();
}
