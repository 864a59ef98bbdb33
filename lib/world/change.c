/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes a sealed world temporarily ("what if") and undoes the changes. No change adds or removes
 * objects, or changes the keys (names, GUIDs) by which they are found, so the world stays sorted.
 * Settings, layers and partitions are copied before the first change, an actor before each of its
 * changes. Pools of texts and GUIDs only grow; undoing cuts them to their sizes before the first
 * change.
 */
#include "world/change.h"
#include "core/guid.h"
#include "world/world_internal.h"

#include <stdio.h>

struct kept_actor {
	uint32_t index;
	struct cs_actor_row actor;
	struct cs_level_instance level_instance;
};

struct cs_world_changes {
	struct cs_world *world;
	/* copies of the rules (settings, layers, partitions) and sizes of pools, before a change */
	struct cs_world before;
	/* copies of changed actors, restored from the last to the first */
	CS_VEC(struct kept_actor) actors;
};

/* ---- saving and restoring ---- */

static void forget(struct cs_world_changes *changes)
{
	cs_vec_free(&changes->before.partitions);
	cs_vec_free(&changes->before.setups);
	cs_vec_free(&changes->before.grids);
	cs_vec_free(&changes->before.layers);
	cs_vec_free(&changes->before.hlod_layers);
	cs_vec_free(&changes->actors);
	free(changes);
}

struct cs_error *cs_world_change_begin(struct cs_world *world, struct cs_world_changes **ret)
{
	struct cs_world_changes *changes = calloc(1, sizeof(*changes));
	if (!changes)
		return cs_error_nomem();
	struct cs_world *before = &changes->before;
	changes->world = world;
	before->settings = world->settings;
	cs_world_keep_pools(world, before);
	if (cs_vec_append(&before->partitions, world->partitions.at, world->partitions.n) &&
		cs_vec_append(&before->setups, world->setups.at, world->setups.n) &&
		cs_vec_append(&before->grids, world->grids.at, world->grids.n) &&
		cs_vec_append(&before->layers, world->layers.at, world->layers.n) &&
		cs_vec_append(&before->hlod_layers, world->hlod_layers.at, world->hlod_layers.n)) {
		*ret = changes;
		return NULL;
	}
	forget(changes);
	return cs_error_nomem();
}

/* Copies the saved elements of array `from` back into array `to`, whose size no change alters. */
#define PUT_BACK(to, from) \
	((from)->n ? (void)memcpy((to)->at, (from)->at, (from)->n * sizeof(*(to)->at)) : (void)0)

static void put_back_actors(struct cs_world_changes *changes, size_t first)
{
	while (changes->actors.n > first) {
		const struct kept_actor *kept = &changes->actors.at[--changes->actors.n];
		const uint32_t instance =
			cs_actor_more(changes->world, &kept->actor)->level_instance;
		changes->world->actors.at[kept->index] = kept->actor;
		if (instance != CS_NONE)
			changes->world->level_instances.at[instance] = kept->level_instance;
	}
}

void cs_world_change_undo(struct cs_world_changes *changes)
{
	if (!changes)
		return;
	struct cs_world *world = changes->world;
	world->settings = changes->before.settings;
	PUT_BACK(&world->partitions, &changes->before.partitions);
	PUT_BACK(&world->setups, &changes->before.setups);
	PUT_BACK(&world->grids, &changes->before.grids);
	PUT_BACK(&world->layers, &changes->before.layers);
	PUT_BACK(&world->hlod_layers, &changes->before.hlod_layers);
	put_back_actors(changes, 0);
	cs_world_cut_pools(world, &changes->before);
	forget(changes);
}

/* ---- finding objects by name ---- */

static bool change_is_called(const struct cs_world *world, uint32_t text, const char *name)
{
	return cs_name_compare(cs_world_text(world, text), name) == 0;
}

/* Returns whether `name` is the path `text`, or its end after the last dot ("/Game/A.Far": Far). */
static bool is_path_of(const struct cs_world *world, uint32_t text, const char *name)
{
	const char *path = cs_world_text(world, text);
	const char *dot = strrchr(path, '.');
	return cs_name_compare(path, name) == 0 || (dot && cs_name_compare(dot + 1, name) == 0);
}

uint32_t cs_change_find_layer(const struct cs_world *world, const char *name)
{
	uint32_t layer = cs_world_find_layer(world, name);
	for (size_t i = 0; layer == CS_NONE && i < world->layers.n; i++)
		if (change_is_called(world, world->layers.at[i].label, name))
			layer = (uint32_t)i;
	return layer;
}

static struct cs_error *find_by_guid(
	const struct cs_world *world, const char *name, struct cs_guid guid, uint32_t *ret)
{
	for (uint32_t i = 0; i < world->containers.n; i++) {
		*ret = cs_world_find_actor(world, i, guid);
		if (*ret != CS_NONE)
			return NULL;
	}
	return cs_error_new(CS_E_NOACTOR, "the world has no actor '%s'", name);
}

/* Finds an actor by label, name or GUID, preferably in the main container. */
static struct cs_error *change_find_actor(
	const struct cs_world *world, const char *name, uint32_t *ret)
{
	struct cs_guid guid;
	if (cs_guid_parse(name, strlen(name), &guid))
		return find_by_guid(world, name, guid, ret);
	uint32_t found = CS_NONE, n = 0;
	for (uint32_t i = 0; i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		if (!change_is_called(world, actor->label, name) &&
			!change_is_called(world, actor->name, name))
			continue;
		if (found != CS_NONE && actor->container == world->actors.at[found].container &&
			cs_guid_compare(actor->guid, world->actors.at[found].guid) == 0)
			continue; /* another state (saved or unsaved) of the actor `found` */
		if (found == CS_NONE)
			found = i;
		else if (world->actors.at[found].container == 0 && actor->container != 0)
			continue;
		n++;
	}
	if (n > 1)
		return cs_error_new(
			CS_E_AMBIGUOUS, "%u actors are called '%s': name one by its GUID", n, name);
	if (n == 0)
		return cs_error_new(CS_E_NOACTOR, "the world has no actor '%s'", name);
	*ret = found;
	return NULL;
}

struct cs_error *cs_change_find_guid(
	const struct cs_world *world, const char *name, struct cs_guid *ret)
{
	uint32_t actor = CS_NONE;
	if (cs_guid_parse(name, strlen(name), ret))
		return NULL;
	struct cs_error *error = change_find_actor(world, name, &actor);
	if (!error)
		*ret = world->actors.at[actor].guid;
	return error;
}

/* ---- a parsed change ---- */

struct change {
	/* NAME and KEY of a change; the name is "" for a setting of the world */
	char name[CS_CHANGE_NAME], key[64];
	struct cs_typed_value value;
};

static struct cs_error *set_field(struct cs_world *world, const struct cs_json_table *table,
	const struct change *change, void *object)
{
	for (size_t i = 0; i < table->n; i++)
		if (strcmp(table->fields[i].key, change->key) == 0)
			return cs_change_field(world, &table->fields[i], &change->value, object);
	char list[600] = "";
	for (size_t i = 0, n = 0; i < table->n && n < sizeof(list); i++)
		n += (size_t)snprintf(
			list + n, sizeof(list) - n, "%s%s", i ? ", " : "", table->fields[i].key);
	const char *owner = table->what, *article = strchr("ah", *owner) ? "an" : "a";
	if (table == &cs_json_settings)
		owner = "world", article = "the";
	return cs_error_new(CS_E_SETTING, "%s %s has no setting '%s'; it has %s", article, owner,
		change->key, list);
}

/* ---- changes of actors ---- */

/*
 * Returns whether a key cannot be changed: actors are found or sorted by it, or it lists defaults.
 */
static bool is_identity(const char *key)
{
	static const char *const keys[] = {
		"guid", "content_bundle", "saved", "from_class_default", "assumed"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static struct cs_error *set_bounds(struct cs_actor *actor, const char *value)
{
	if (strcmp(value, "none") == 0)
		actor->bounds = CS_BOX_INVALID;
	else if (strcmp(value, "editor") == 0)
		actor->bounds = actor->editor_bounds;
	else if (!cs_change_parse_box(value, &actor->bounds))
		return cs_error_new(CS_E_SETTING,
			"bounds must be none, editor, or a box "
			"X,Y,Z..X,Y,Z in cm, not '%s'",
			value);
	return NULL;
}

static struct cs_error *set_actor_field(
	struct cs_world *world, struct cs_actor *actor, const struct change *change)
{
	if (strcmp(change->key, "bounds") == 0)
		return set_bounds(actor, change->value.text);
	if (is_identity(change->key))
		return cs_error_new(CS_E_SETTING,
			"the %s of an actor cannot be changed: it identifies the actor, or records "
			"where its values come from",
			change->key);
	bool of_level = strcmp(change->key, "behavior") == 0 || strcmp(change->key, "filter") == 0;
	if (of_level && actor->level_instance == CS_NONE)
		return cs_error_new(CS_E_SETTING,
			"the actor is not a level instance, so it has no %s", change->key);
	return of_level ? set_field(world, &cs_json_level_instance, change,
				  &world->level_instances.at[actor->level_instance])
			: set_field(world, &cs_json_actor, change, actor);
}

static struct cs_error *change_actor(
	struct cs_world_changes *changes, uint32_t index, const struct change *change)
{
	struct cs_world *world = changes->world;
	struct cs_actor actor = cs_world_actor(world, index);
	struct kept_actor kept = {.index = index, .actor = world->actors.at[index]};
	if (actor.level_instance != CS_NONE)
		kept.level_instance = world->level_instances.at[actor.level_instance];
	if (!cs_vec_push(&changes->actors, kept))
		return cs_error_nomem();
	struct cs_error *error = set_actor_field(world, &actor, change);
	if (!error && !cs_world_set_actor(world, index, &actor))
		error = cs_error_nomem();
	return error ? error : cs_world_check_actor(world, index);
}

/* Changes all rows of the named actor: its saved state and its unsaved state. */
static struct cs_error *change_named_actor(
	struct cs_world_changes *changes, const char *name, const struct change *change)
{
	uint32_t first = 0;
	struct cs_error *error = change_find_actor(changes->world, name, &first);
	if (error)
		return error;
	const struct cs_guid guid = changes->world->actors.at[first].guid;
	const uint32_t container = changes->world->actors.at[first].container;
	for (uint32_t i = first; !error && i < changes->world->actors.n; i++) {
		const struct cs_actor_row *actor = &changes->world->actors.at[i];
		if (actor->container != container || cs_guid_compare(actor->guid, guid) != 0)
			break;
		error = change_actor(changes, i, change);
	}
	return error;
}

static struct cs_error *change_class(
	struct cs_world_changes *changes, const char *name, const struct change *change)
{
	struct cs_world *world = changes->world;
	struct cs_error *error = NULL;
	size_t n = 0;
	for (uint32_t i = 0; !error && i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		const uint32_t base_class = cs_actor_more(world, actor)->base_class;
		uint32_t class = base_class ? base_class : actor->native_class;
		if (!is_path_of(world, class, name))
			continue;
		error = change_actor(changes, i, change);
		n++;
	}
	return error || n
		       ? error
		       : cs_error_new(CS_E_NOACTOR, "the world has no actor of class '%s'", name);
}

/* ---- changes of data layers ---- */

static struct cs_error *change_layer(
	struct cs_world_changes *changes, const char *name, const struct change *change)
{
	uint32_t layer = cs_change_find_layer(changes->world, name);
	if (layer == CS_NONE)
		return cs_error_new(CS_E_NOLAYER, "the world has no data layer '%s'", name);
	if (strcmp(change->key, "name") == 0 || strcmp(change->key, "asset") == 0)
		return cs_error_new(CS_E_SETTING,
			"the %s of a data layer cannot be changed, because actors name the layer "
			"by it",
			change->key);
	return set_field(changes->world, &cs_json_layer, change, &changes->world->layers.at[layer]);
}

static struct cs_error *change_hlod_layer(
	struct cs_world_changes *changes, const char *name, const struct change *change)
{
	for (size_t i = 0; i < changes->world->hlod_layers.n; i++)
		if (is_path_of(changes->world, changes->world->hlod_layers.at[i].path, name))
			return set_field(changes->world, &cs_json_hlod_layer, change,
				&changes->world->hlod_layers.at[i]);
	return cs_error_new(CS_E_SETTING,
		"the world has no HLOD layer '%s'; `actors -c name,hlod_layer` shows their names",
		name);
}

/* Returns whether the actor has exactly the data layers in `wanted`. */
static bool has_layers(
	const struct cs_world *world, const struct cs_actor_row *actor, struct cs_range wanted)
{
	size_t found = 0;
	if (actor->layers.count != wanted.count)
		return false;
	for (uint32_t i = 0; i < wanted.count; i++) {
		uint32_t layer = cs_change_find_layer(
			world, cs_world_text(world, world->texts.at[wanted.first + i]));
		for (uint32_t k = 0; k < actor->layers.count; k++)
			found +=
				cs_change_find_layer(world,
					cs_world_text(world,
						world->texts.at[actor->layers.first + k])) == layer;
	}
	return found == wanted.count;
}

/* Applies layers.A,B=C: each actor that has exactly the data layers A and B gets C instead. */
static struct cs_error *change_combination(
	struct cs_world_changes *changes, const char *names, const struct cs_typed_value *value)
{
	struct cs_world *world = changes->world;
	struct change change = {.key = "data_layers", .value = *value};
	struct cs_actor wanted = cs_actor_default();
	const struct change listed = {.key = "data_layers", .value = {names, 0}};
	struct cs_error *error = set_field(world, &cs_json_actor, &listed, &wanted);
	size_t n = 0;
	for (uint32_t i = 0; !error && i < world->actors.n; i++) {
		if (!has_layers(world, &world->actors.at[i], wanted.layers))
			continue;
		error = change_actor(changes, i, &change);
		n++;
	}
	return error || n ? error
			  : cs_error_new(CS_E_NOLAYER, "no actor has exactly the data layers '%s'",
				    names);
}

/* ---- changes of settings and grids ---- */

static bool name_is(const struct cs_world *world, uint32_t text, const char *name, size_t n)
{
	const char *own = cs_world_text(world, text);
	char copy[CS_CHANGE_NAME];
	snprintf(copy, sizeof(copy), "%.*s", (int)n, name);
	return cs_name_compare(own, copy) == 0;
}

static struct cs_source_partition *find_setup(
	struct cs_world *world, const struct cs_source_partition *main_part, const char *name)
{
	for (uint32_t i = 0; i < main_part->setups.count; i++) {
		struct cs_source_partition *setup = &world->setups.at[main_part->setups.first + i];
		if (change_is_called(world, setup->name, name))
			return setup;
	}
	return NULL;
}

/* Changes an HLOD setup, whose changed size or range then no longer follows its main partition. */
static struct cs_error *change_setup(
	struct cs_world *world, const struct change *change, struct cs_source_partition *setup)
{
	setup->size_follows = setup->size_follows && strcmp(change->key, "cell_size") != 0;
	setup->range_follows = setup->range_follows && strcmp(change->key, "loading_range") != 0;
	return set_field(world, &cs_json_partition, change, setup);
}

/* Changes a main partition, and the sizes and ranges of the HLOD setups that follow it. */
static struct cs_error *change_main_partition(
	struct cs_world *world, const struct change *change, struct cs_source_partition *main_part)
{
	struct cs_error *error = set_field(world, &cs_json_partition, change, main_part);
	const struct cs_source_partition usual = cs_setup_default(main_part);
	for (uint32_t i = 0; i < main_part->setups.count; i++) {
		struct cs_source_partition *setup = &world->setups.at[main_part->setups.first + i];
		if (setup->size_follows)
			setup->cell_size = usual.cell_size;
		if (setup->range_follows)
			setup->loading_range = usual.loading_range;
	}
	return error;
}

static struct cs_error *change_grid(struct cs_world_changes *changes, const struct change *change)
{
	struct cs_world *world = changes->world;
	const char *name = change->name;
	size_t colon = strcspn(name, ":");
	for (size_t i = 0; i < world->partitions.n; i++) {
		struct cs_source_partition *found = &world->partitions.at[i];
		if (!name_is(world, found->name, name, colon))
			continue;
		if (!name[colon])
			return change_main_partition(world, change, found);
		found = find_setup(world, found, name + colon + 1);
		if (found)
			return change_setup(world, change, found);
	}
	for (size_t i = 0; i < world->grids.n; i++)
		if (change_is_called(world, world->grids.at[i].name, name))
			return set_field(world, &cs_json_grid, change, &world->grids.at[i]);
	return cs_error_new(CS_E_NOGRID,
		"the world states no partition '%s'%s; `help whatif` shows how to name actors, "
		"classes and layers",
		name,
		world->partitions.n + world->grids.n > 0
			? " (`grids` lists those stated, and what the cook adds)"
			: " nor any other: the cook makes its grid with the settings of the profile");
}

/* ---- applying one change ---- */

static const struct {
	const char *prefix;
	struct cs_error *(*apply)(
		struct cs_world_changes *c, const char *name, const struct change *change);
} kinds[] = {
	{"actor.", change_named_actor},
	{"class.", change_class},
	{"layer.", change_layer},
	{"hlod_layer.", change_hlod_layer},
};

static struct cs_error *apply(struct cs_world_changes *changes, const struct change *change)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = strlen(kinds[i].prefix);
		if (strncmp(change->name, kinds[i].prefix, n) == 0)
			return kinds[i].apply(changes, change->name + n, change);
	}
	struct cs_error *error = *change->name ? change_grid(changes, change)
					       : set_field(changes->world, &cs_json_settings,
							 change, &changes->world->settings);
	return error ? error : cs_world_check_settings(changes->world);
}

/* Parses =, += or -= and a value. Returns the length of the name before it, or 0 without one. */
static size_t parse_operator(const char *text, struct cs_typed_value *ret)
{
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return 0;
	*ret = (struct cs_typed_value){.text = equals + 1};
	if (equals[-1] == '+' || equals[-1] == '-')
		ret->sign = *--equals;
	return (size_t)(equals - text);
}

/* Splits the n bytes of NAME.KEY at the last dot. */
static struct cs_error *split_name(const char *text, size_t n, struct change *ret)
{
	const char *end = text + n, *key = end;
	while (key > text && key[-1] != '.')
		key--;
	size_t name = key > text ? (size_t)(key - text) - 1 : 0;
	if (name >= sizeof(ret->name) || (size_t)(end - key) >= sizeof(ret->key))
		return cs_error_new(CS_E_SETTING,
			"a name in the change must have at most %zu bytes before its last dot and "
			"%zu bytes after it: %.60s...",
			sizeof(ret->name) - 1, sizeof(ret->key) - 1, text);
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)name, text);
	snprintf(ret->key, sizeof(ret->key), "%.*s", (int)(end - key), key);
	/* the JSON form has its own name for this key of the engine */
	if (strcmp(ret->key, "is_spatially_loaded") == 0)
		snprintf(ret->key, sizeof(ret->key), "spatially_loaded");
	return NULL;
}

/* Applies a change given as text. In "layers.A,B=C", A,B is a list, and its names may have dots. */
static struct cs_error *apply_text(struct cs_world_changes *changes, const char *text)
{
	struct change change = {0};
	const size_t n = parse_operator(text, &change.value);
	if (n == 0)
		return cs_error_new(
			CS_E_SETTING, "the change '%s' must have the form NAME=VALUE", text);
	if (strncmp(text, "layers.", 7) != 0) {
		struct cs_error *error = split_name(text, n, &change);
		return error ? error : apply(changes, &change);
	}
	char names[CS_CHANGE_NAME];
	if (n - 7 >= sizeof(names))
		return cs_error_new(CS_E_SETTING,
			"the list of data layers after `layers.` has more than %zu bytes: "
			"%.60s...",
			sizeof(names) - 1, text);
	snprintf(names, sizeof(names), "%.*s", (int)(n - 7), text + 7);
	return change_combination(changes, names, &change.value);
}

struct cs_error *cs_world_change(struct cs_world_changes *changes, const char *text)
{
	struct cs_world_changes *before;
	const size_t n = changes->actors.n;
	struct cs_error *error = cs_world_change_begin(changes->world, &before);
	if (error)
		return error;
	error = apply_text(changes, text);
	if (error) {
		put_back_actors(changes, n);
		cs_world_change_undo(before);
	} else {
		forget(before);
	}
	return error;
}

/* ---- undoing changes that sort or overwrite whole arrays, which are copied before ---- */

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
