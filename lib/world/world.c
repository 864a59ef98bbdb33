/* SPDX-License-Identifier: Apache-2.0 */
/* Makes, checks and seals (sorts for lookups) an uncooked world, and finds objects in it. */
#include "world/world_internal.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/invariant.h"
#include "core/job.h"
#include "core/large.h"
#include "core/random.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/utf8.h"
#include <cellscope/cooked_values.h>

struct cs_world_settings cs_settings_default(void)
{
	return (struct cs_world_settings){.streaming = true,
		.hash_class = CS_SOURCE_HASH_PROFILE,
		.aligned = CS_OPTION_PROFILE,
		.snap = CS_OPTION_PROFILE,
		.partition_by_location = CS_OPTION_PROFILE,
		.small_by_location = CS_OPTION_PROFILE};
}

struct cs_world *cs_world_new_rules(void)
{
	struct cs_world *rules = calloc(1, sizeof(*rules));
	if (rules)
		rules->settings = cs_settings_default();
	return rules;
}

void cs_world_swap_rules(struct cs_world *world, struct cs_world *rules)
{
	CS_WORLD_SWAP(world->settings, rules->settings);
	CS_WORLD_SWAP(world->layers, rules->layers);
	CS_WORLD_SWAP(world->hlod_layers, rules->hlod_layers);
	CS_WORLD_SWAP(world->partitions, rules->partitions);
	CS_WORLD_SWAP(world->setups, rules->setups);
	CS_WORLD_SWAP(world->grids, rules->grids);
}

struct cs_error *cs_world_new(const char *package, struct cs_world **ret)
{
	struct cs_world *world = calloc(1, sizeof(*world));
	if (!world)
		return cs_error_nomem();
	struct cs_world_settings *settings = &world->settings;
	*settings = cs_settings_default();
	settings->package = cs_strings_add_z(&world->strings, package);
	settings->name = cs_strings_add_z(&world->strings, cs_base_name(package));
	struct cs_source_container main_container = {
		.package = settings->package, .kind = CS_CONTAINER_BASE, .external_actors = true};
	if (settings->package == CS_NONE || settings->name == CS_NONE ||
		!cs_vec_push(&world->containers, main_container)) {
		cs_world_free(world);
		return cs_error_nomem();
	}
	*ret = world;
	return NULL;
}

struct cs_error *cs_world_empty(const char *name, struct cs_world **ret)
{
	struct cs_world *world;
	struct cs_error *error = cs_world_new(name, &world);
	if (error)
		return error;
	error = cs_world_seal(world, NULL);
	if (error)
		cs_world_free(world);
	else
		*ret = world;
	return error;
}

void cs_world_free(struct cs_world *world)
{
	if (!world)
		return;
	cs_strings_deinit(&world->strings);
	cs_vec_free(&world->actors);
	cs_actor_pools_deinit(&world->pools);
	cs_vec_free(&world->level_instances);
	cs_vec_free(&world->hlods);
	for (size_t i = 0; i < world->containers.n; i++)
		cs_world_free(world->containers.at[i].rules);
	cs_vec_free(&world->containers);
	cs_container_index_deinit(&world->by_package);
	cs_vec_free(&world->layers);
	cs_vec_free(&world->hlod_layers);
	cs_vec_free(&world->partitions);
	cs_vec_free(&world->setups);
	cs_vec_free(&world->grids);
	cs_vec_free(&world->texts);
	cs_vec_free(&world->guids);
	free(world);
}

struct cs_actor cs_actor_default(void)
{
	return (struct cs_actor){
		.transform = CS_TRANSFORM_IDENTITY,
		.bounds = CS_BOX_INVALID,
		.editor_bounds = CS_BOX_INVALID,
		.level_instance = CS_NONE,
		.hlod = CS_NONE,
		.flags = CS_ACTOR_OWN_SPATIAL | CS_ACTOR_HLOD_RELEVANT,
	};
}

struct cs_source_partition cs_partition_default(void)
{
	return (struct cs_source_partition){
		.partition_class = CS_PARTITION_LHGRID,
		.cell_size = 12800,
		.loading_range = 25600,
		.spatial = true,
	};
}

struct cs_source_partition cs_setup_default(const struct cs_source_partition *partition)
{
	struct cs_source_partition setup = cs_partition_default();
	setup.client_only = true;
	setup.cell_size = partition->cell_size * 2;
	setup.loading_range = partition->loading_range * 2;
	return setup;
}

struct cs_source_grid cs_grid_default(void)
{
	return (struct cs_source_grid){.cell_size = 12800, .loading_range = 25600};
}

uint32_t cs_world_find_layer(const struct cs_world *world, const char *name_or_asset)
{
	for (size_t i = 0; i < world->layers.n; i++) {
		const struct cs_source_layer *layer = &world->layers.at[i];
		if (cs_name_compare(cs_world_text(world, layer->name), name_or_asset) == 0)
			return (uint32_t)i;
	}
	for (size_t i = 0; i < world->layers.n; i++) {
		const struct cs_source_layer *layer = &world->layers.at[i];
		if (*cs_world_text(world, layer->asset) &&
			cs_name_compare(cs_world_text(world, layer->asset), name_or_asset) == 0)
			return (uint32_t)i;
	}
	return CS_NONE;
}

/* ---- sealing: checking and sorting ---- */

/* Native classes that the cook treats specially, and the actor flags they imply. */
static const struct {
	const char *name;
	uint32_t flag;
} classes[] = {
	{"Landscape", CS_ACTOR_PARTITION_ACTOR},
	{"LandscapeStreamingProxy", CS_ACTOR_PARTITION_ACTOR},
	{"InstancedFoliageActor", CS_ACTOR_PARTITION_ACTOR},
	{"WorldPartitionHLOD", CS_ACTOR_HLOD},
	{"WorldDataLayers", CS_ACTOR_DATA_LAYERS},
};

/*
 * Returns the flags that a native class implies. The class may be given with or without its
 * package: "/Script/Landscape.LandscapeStreamingProxy" or "LandscapeStreamingProxy".
 */
static uint32_t class_flags(const char *native_class)
{
	const char *name = cs_object_name(native_class);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (cs_name_compare(name, classes[i].name) == 0)
			return classes[i].flag;
	return 0;
}

struct cs_error *cs_world_check_actor(struct cs_world *world, size_t index)
{
	struct cs_actor_row *actor = &world->actors.at[index];
	const struct cs_box editor = cs_actor_editor_bounds(world, actor);
	const struct cs_transform transform = cs_actor_transform(world, actor);
	const char *problem = NULL;
	if (cs_guid_is_zero(actor->guid))
		problem = "its GUID must not be zero";
	else if (actor->container >= world->containers.n)
		problem = "its container does not exist";
	else if (!cs_box_is_finite(&actor->bounds) || !cs_box_is_finite(&editor) ||
		 !cs_transform_is_finite(&transform))
		problem = "its coordinates must be finite numbers";
	if (problem)
		return cs_error_new(
			CS_E_WORLD, "actor '%s': %s", cs_world_text(world, actor->name), problem);
	if (!cs_box_valid(&editor) && actor->editor_bounds != CS_EDITOR_BOUNDS_SAME)
		actor->editor_bounds = CS_EDITOR_BOUNDS_NONE;
	if (!cs_box_valid(&actor->bounds))
		actor->bounds = CS_BOX_INVALID;
	actor->flags |= class_flags(cs_world_text(world, actor->native_class));
	return NULL;
}

void cs_world_expect(struct cs_world *world, uint64_t actors, uint64_t bytes)
{
	enum { FEWEST = 40 }; /* bytes of an actor in a file: a GUID and its key */
	const uint64_t most = bytes / FEWEST;
	(void)!cs_vec_reserve(&world->actors, (size_t)(actors < most ? actors : most));
}

static int compare_actors(const struct cs_actor_row *l, const struct cs_actor_row *r)
{
	if (l->container != r->container)
		return l->container < r->container ? -1 : 1;
	int by_guid = cs_guid_compare(l->guid, r->guid);
	if (by_guid)
		return by_guid;
	return l->saved < r->saved ? -1 : l->saved > r->saved;
}

/* Compares two containers by kind, then by package. */
static int world_by_package(const void *left, const void *right, void *context)
{
	const struct cs_world *world = context;
	const struct cs_source_container *l = &world->containers.at[*(const uint32_t *)left];
	const struct cs_source_container *r = &world->containers.at[*(const uint32_t *)right];
	if (l->kind != r->kind)
		return l->kind < r->kind ? -1 : 1;
	return cs_name_compare(cs_world_text(world, l->package), cs_world_text(world, r->package));
}

/* Sorts the containers after the main one by kind and package, and updates indices in actors. */
static bool sort_containers(struct cs_world *world)
{
	size_t n = world->containers.n;
	uint32_t *order = cs_large_malloc(2 * n * sizeof(*order));
	struct cs_source_container *sorted = cs_large_malloc(n * sizeof(*sorted));
	bool good = order && sorted;
	for (size_t i = 0; good && i < n; i++)
		order[i] = (uint32_t)i;
	good = good && cs_sort(order + 1, n - 1, sizeof(*order), world_by_package, world);
	bool moved = false;
	for (size_t i = 0; good && i < n; i++) {
		sorted[i] = world->containers.at[order[i]];
		order[n + order[i]] = (uint32_t)i;
		moved |= order[i] != i;
	}
	for (size_t i = 0; good && moved && i < world->actors.n; i++)
		if (world->actors.at[i].container < n)
			world->actors.at[i].container = order[n + world->actors.at[i].container];
	if (good)
		memcpy(world->containers.at, sorted, n * sizeof(*sorted));
	free(order);
	free(sorted);
	cs_container_index_deinit(&world->by_package);
	return good && cs_world_index_containers(world);
}

/* Moves the actors into the order of the keys, in place, cycle by cycle. */
static void permute_actors(struct cs_world *world, struct cs_sort_key *keys)
{
	for (uint32_t start = 0; start < world->actors.n; start++) {
		if (keys[start].index == start)
			continue;
		struct cs_actor_row first = world->actors.at[start];
		uint32_t to = start;
		for (uint32_t from = keys[to].index; from != start; from = keys[to].index) {
			world->actors.at[to] = world->actors.at[from];
			keys[to].index = to;
			to = from;
		}
		world->actors.at[to] = first;
		keys[to].index = to;
	}
}

/* Copies the actors in the order of the keys to a new array; used when memory is limited. */
static bool move_actors(struct cs_world *world, const struct cs_sort_key *keys)
{
	const size_t n = world->actors.n, size = sizeof(*world->actors.at);
	uint32_t *order = cs_large_malloc(n * sizeof(*order));
	struct cs_actor_row *moved = cs_large_malloc(n * size);
	for (size_t i = 0; order && i < n; i++)
		order[i] = keys[i].index;
	const bool good = order && moved && cs_gather(moved, world->actors.at, size, order, n);
	free(order);
	free(good ? world->actors.at : moved);
	if (good) {
		world->actors.at = moved;
		world->actors.room = n;
	}
	return good;
}

/*
 * Sorts actors by container, GUID and `saved`, with stable radix sorts, least significant key
 * first.
 */
static bool sort_actors(struct cs_world *world)
{
	size_t n = world->actors.n;
	bool sorted = true;
	for (size_t i = 1; i < n && sorted; i++)
		sorted = compare_actors(&world->actors.at[i - 1], &world->actors.at[i]) <= 0;
	if (sorted)
		return true;
	struct cs_sort_key *keys = cs_large_malloc(n * sizeof(*keys));
	bool good = keys != NULL;
	for (size_t i = 0; good && i < n; i++)
		keys[i] = (struct cs_sort_key){0, world->actors.at[i].saved, (uint32_t)i};
	good = good && cs_sort_keys(keys, n);
	for (size_t i = 0; good && i < n; i++)
		keys[i] = cs_sort_key_of_guid(world->actors.at[keys[i].index].guid, keys[i].index);
	good = good && cs_sort_keys(keys, n);
	for (size_t i = 0; good && i < n; i++) {
		keys[i].high = 0;
		keys[i].low = world->actors.at[keys[i].index].container;
	}
	good = good && cs_sort_keys(keys, n);
	if (good && cs_large_most())
		good = move_actors(world, keys);
	else if (good)
		permute_actors(world, keys);
	free(keys);
	return good;
}

/* Returns whether no cook takes both actors: one is a saved state, the other an unsaved one. */
static bool never_meet(const struct cs_actor_row *left, const struct cs_actor_row *right)
{
	return (left->saved == CS_SAVED_ONLY && right->saved == CS_UNSAVED_ONLY) ||
	       (left->saved == CS_UNSAVED_ONLY && right->saved == CS_SAVED_ONLY);
}

/* Returns the package of an actor or, if it has none of its own, that of its container. */
static const char *world_package_of(const struct cs_world *world, const struct cs_actor_row *actor)
{
	const char *own = cs_world_text(world, actor->package);
	return *own ? own : cs_world_text(world, world->containers.at[actor->container].package);
}

static struct cs_error *shared_guid(
	const struct cs_world *world, const struct cs_actor_row *l, const struct cs_actor_row *r)
{
	char guid[CS_GUID_TEXT];
	cs_guid_format(l->guid, guid);
	return cs_error_new(CS_E_DUPLICATE,
		"actors '%s' (in %s) and '%s' (in %s) share the GUID %s",
		cs_world_text(world, l->name), world_package_of(world, l),
		cs_world_text(world, r->name), world_package_of(world, r), guid);
}

/* Returns E_DUPLICATE if a cook can take the actor together with one of the n of the keys. */
static struct cs_error *check_meetings(const struct cs_world *world, const struct cs_sort_key *keys,
	size_t n, const struct cs_actor_row *actor)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < n; i++) {
		const struct cs_actor_row *other = &world->actors.at[keys[i].index];
		if (!never_meet(other, actor))
			error = shared_guid(world, other, actor);
	}
	return error;
}

/* Adds the keys of the container's actors behind the first n. Returns how many there are then. */
static size_t add_keys(const struct cs_world *world, const struct cs_source_container *container,
	struct cs_sort_key *keys, size_t n)
{
	for (uint32_t i = 0; i < container->actors.count; i++) {
		const uint32_t row = container->actors.first + i;
		keys[n++] = cs_sort_key_of_guid(world->actors.at[row].guid, row);
	}
	return n;
}

/* Returns how many actors the containers of external layers have. */
static size_t count_external(const struct cs_world *world)
{
	size_t n = 0;
	for (size_t i = 1; i < world->containers.n; i++)
		if (world->containers.at[i].kind == CS_CONTAINER_EXTERNAL_LAYER)
			n += world->containers.at[i].actors.count;
	return n;
}

/*
 * The level and the containers of external layers are cooked together, so they share no GUID. Their
 * actors are sorted by GUID, for there may be as many containers as actors. Of three actors with a
 * GUID two meet, so no run of equal keys is longer than that without an error.
 */
static struct cs_error *check_external_layers(const struct cs_world *world)
{
	const size_t external = count_external(world);
	if (external == 0)
		return NULL;
	struct cs_sort_key *keys =
		cs_large_malloc((world->containers.at[0].actors.count + external) * sizeof(*keys));
	if (!keys)
		return cs_error_nomem();
	size_t n = add_keys(world, &world->containers.at[0], keys, 0), run = 0;
	for (size_t i = 1; i < world->containers.n; i++)
		if (world->containers.at[i].kind == CS_CONTAINER_EXTERNAL_LAYER)
			n = add_keys(world, &world->containers.at[i], keys, n);
	struct cs_error *error = cs_sort_keys(keys, n) ? NULL : cs_error_nomem();
	for (size_t i = 1; !error && i < n; i++) {
		run = cs_sort_key_compare(&keys[i - 1], &keys[i]) == 0 ? run : i;
		error = check_meetings(
			world, keys + run, i - run, &world->actors.at[keys[i].index]);
	}
	free(keys);
	return error;
}

static struct cs_error *find_ranges(struct cs_world *world)
{
	for (size_t i = 0; i < world->containers.n; i++)
		world->containers.at[i].actors = (struct cs_range){0, 0};
	for (size_t i = 0; i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		struct cs_range *range = &world->containers.at[actor->container].actors;
		if (range->count++ == 0)
			range->first = (uint32_t)i;
		if (i == 0 || actor[-1].container != actor->container ||
			cs_guid_compare(actor[-1].guid, actor->guid) != 0)
			continue;
		if (never_meet(&actor[-1], actor))
			continue;
		return shared_guid(world, &actor[-1], actor);
	}
	return check_external_layers(world);
}

/* largest cell size and loading range, cm; beyond it, coordinates of cells are too inexact */
#define LARGEST_SIZE 1e12

/* Checks both sizes, in cm. The error message names them, as in "the cell_size of WHAT 'NAME'". */
static struct cs_error *world_check_sizes(const struct cs_world *world, const char *what,
	uint32_t name, double cell_size, double loading_range)
{
	const char *field = NULL;
	double value = cell_size;
	if (!(cell_size >= 0.01 && cell_size <= LARGEST_SIZE)) {
		field = "cell_size";
	} else if (!(loading_range >= 0 && loading_range <= LARGEST_SIZE)) {
		field = "loading_range";
		value = loading_range;
	}
	char number[CS_DOUBLE_TEXT];
	cs_double_format(value, number);
	return field ? cs_error_new(CS_E_SETTING,
			       "the %s of %s '%s' is %s, but must be %s to 1e12 cm", field, what,
			       cs_world_text(world, name), number, field[0] == 'c' ? "0.01" : "0")
		     : NULL;
}

#define CHECK_SIZES(world, what, row) \
	world_check_sizes(world, what, (row)->name, (row)->cell_size, (row)->loading_range)

struct cs_error *cs_world_check_settings(const struct cs_world *world)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < world->partitions.n; i++)
		error = CHECK_SIZES(world, "partition", &world->partitions.at[i]);
	for (size_t i = 0; !error && i < world->setups.n; i++)
		error = CHECK_SIZES(world, "HLOD setup", &world->setups.at[i]);
	for (size_t i = 0; !error && i < world->grids.n; i++)
		error = CHECK_SIZES(world, "grid", &world->grids.at[i]);
	for (size_t i = 0; !error && i < world->hlod_layers.n; i++) {
		const struct cs_source_hlod_layer *layer = &world->hlod_layers.at[i];
		double size =
			/* 0 means the cell size of a grid, checked above: any valid size will do */
			layer->cell_size == 0 ? 1 : layer->cell_size;
		error = world_check_sizes(
			world, "HLOD layer", layer->path, size, layer->loading_range);
	}
	return error;
}

static bool name_containers(struct cs_world *world)
{
	for (size_t i = 0; i < world->containers.n; i++) {
		struct cs_source_container *container = &world->containers.at[i];
		char *name = strdup(cs_base_name(cs_world_text(world, container->package)));
		container->name = name ? cs_strings_add_z(&world->strings, name) : CS_NONE;
		free(name);
		if (container->name == CS_NONE)
			return false;
	}
	return true;
}

static struct cs_error *check_level_rules(struct cs_world *world)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < world->containers.n; i++) {
		struct cs_world *rules = world->containers.at[i].rules;
		if (!rules)
			continue;
		cs_world_swap_rules(world, rules);
		error = cs_world_check_settings(world);
		cs_world_swap_rules(world, rules);
	}
	return error;
}

static bool sealed_holds(const struct cs_world *world)
{
	size_t n = 0;
	for (size_t c = 0; c < world->containers.n; c++) {
		const struct cs_range range = world->containers.at[c].actors;
		const struct cs_actor_row *actors =
			range.count ? world->actors.at + range.first : NULL;
		for (uint32_t i = 0; i < range.count; i++)
			if (actors[i].container != c || actors[i].name >= world->strings.size ||
				(i > 0 && cs_guid_compare(actors[i - 1].guid, actors[i].guid) > 0))
				return false;
		n += range.count;
	}
	return n == world->actors.n;
}

static struct cs_error *text_too_long(const char *text, size_t n, uint32_t most)
{
	size_t shown = n < 60 ? n : 60;
	while (shown > 0 && cs_utf8_inside(text[shown]))
		shown--;
	return cs_error_new(CS_E_LIMIT,
		"the world has a text of %zu bytes, more than the limit of %u: '%.*s...'", n, most,
		(int)shown, text);
}

/* Returns E_LIMIT if a text of the world has more than `most` bytes. */
static struct cs_error *world_check_texts(const struct cs_world *world, uint32_t most)
{
	size_t n;
	for (size_t at = 0; at < world->strings.size; at += n + 1) {
		n = strlen(world->strings.blob + at);
		if (n > most)
			return text_too_long(world->strings.blob + at, n, most);
	}
	return NULL;
}

struct cs_error *cs_world_seal(struct cs_world *world, const struct cs_job *job)
{
	struct cs_error *wrong = cs_world_check_settings(world);
	if (!wrong)
		wrong = check_level_rules(world);
	if (!wrong)
		wrong = world_check_texts(world, cs_job_limits(job).name_bytes);
	if (wrong)
		return wrong;
	cs_job_progress(job, "sort actors", 0, world->actors.n);
	if (world->actors.n >= CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the world has %zu actors, more than the limit of %u", world->actors.n,
			CS_NONE - 1);
	for (size_t i = 0; i < world->actors.n; i++) {
		struct cs_error *error = cs_world_check_actor(world, i);
		if (error)
			return error;
	}
	if (!name_containers(world) || !sort_containers(world) || !sort_actors(world))
		return cs_error_nomem();
	struct cs_error *error = find_ranges(world);
	if (!world->sealed)
		/* only the first time, because after an edit more texts may be added soon */
		cs_strings_rest(&world->strings);
	world->sealed = !error;
	CS_INVARIANT(error || sealed_holds(world),
		"actors of a container are consecutive and in ascending GUID order");
	return error;
}

/* ---- finding, removing, shuffling and counting actors ---- */

uint32_t cs_world_find_actor(const struct cs_world *world, uint32_t container, struct cs_guid guid)
{
	struct cs_range range = world->containers.at[container].actors;
	const struct cs_actor_row *actors = world->actors.at;
	uint32_t end = range.first + range.count;
	uint32_t at =
		cs_lower_bound(range.first, end, i, cs_guid_compare(actors[i].guid, guid) < 0);
	return at < end && cs_guid_compare(actors[at].guid, guid) == 0 ? at : CS_NONE;
}

struct cs_error *cs_world_remove(struct cs_world *world, const char *container, struct cs_guid guid,
	const struct cs_job *job)
{
	uint32_t in = container ? cs_world_find_container(world, container) : 0;
	uint32_t actor = in == CS_NONE ? CS_NONE : cs_world_find_actor(world, in, guid);
	char text[CS_GUID_TEXT];
	if (actor == CS_NONE) {
		cs_guid_format(guid, text);
		return cs_error_new(CS_E_NOACTOR, "the world has no actor with the GUID %s", text);
	}
	world->actors.n--;
	memmove(world->actors.at + actor, world->actors.at + actor + 1,
		(world->actors.n - actor) * sizeof(*world->actors.at));
	return cs_world_seal(world, job);
}

struct cs_error *cs_world_shuffle(struct cs_world *world, uint64_t seed, const struct cs_job *job)
{
	struct cs_random random = {seed};
	for (size_t i = world->actors.n; i > 1; i--) {
		size_t other = cs_random_below(&random, (uint32_t)i);
		CS_WORLD_SWAP(world->actors.at[i - 1], world->actors.at[other]);
	}
	return cs_world_seal(world, job);
}

struct cs_world_counts cs_world_count(const struct cs_world *world)
{
	struct cs_world_counts counts = {
		.actors = world->actors.n,
		.containers = world->containers.n,
		.layers = world->layers.n,
		.hlod_layers = world->hlod_layers.n,
		.partitions = world->partitions.n + world->grids.n,
		.unreadable = world->unreadable,
		.damaged = world->damaged,
	};
	for (size_t i = 0; i < world->actors.n; i++)
		counts.references += world->actors.at[i].references.count;
	return counts;
}

const char *cs_world_name(const struct cs_world *world)
{
	return cs_world_text(world, world->settings.name);
}

const char *cs_world_profile(const struct cs_world *world)
{
	const char *profile = cs_world_text(world, world->settings.profile);
	return *profile ? profile : "5.4";
}
