/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the uncooked world that a StreamingGeneration log describes. Actor descriptors become
 * actors; partitions are derived from the names of cells. A log contains clusters but no
 * references, so the first member of each cluster is made to reference the others, which gives the
 * same clusters when cooked. Layers, HLOD layers, tags and loading ranges are not in a log and are
 * marked as assumed.
 */
#include "ue/log/log.h"

#include "core/guid.h"
#include "core/items.h"
#include "core/sort.h"
#include "core/text.h"
#include "ue/project/project_build.h"

/* Fields of actors that no log contains, as CS_DEFAULT_ bits. */
#define NOT_SAID                                                                           \
	(CS_DEFAULT_LAYERS | CS_DEFAULT_HLOD_LAYER | CS_DEFAULT_TAGS | CS_DEFAULT_BUNDLE | \
		CS_DEFAULT_EXTERNAL_LAYER)

struct maker {
	const struct cs_ue_log_data *data;
	struct cs_ue_build build; /* only `world` and `job` are used */
	/* for each package of the log: row of its container in the world */
	uint32_t *containers;
	/* sorted names (text offsets) of the main container's actors */
	struct cs_sort_key *by_name;
	size_t n_by_name;
};

/* ---- containers and actors ---- */

static const char *main_package(const struct cs_ue_log_data *data)
{
	if (data->containers.n > 0 && *data->containers.at[0].package)
		return data->containers.at[0].package;
	if (data->packages.n > 0)
		return data->packages.at[0];
	return data->log.world;
}

static struct cs_error *log_world_add_containers(struct maker *maker)
{
	const struct cs_ue_log_data *data = maker->data;
	maker->containers = calloc(data->packages.n + 1, sizeof(*maker->containers));
	if (!maker->containers)
		return cs_error_nomem();
	for (size_t i = 0; i < data->packages.n; i++) {
		struct cs_error *error = cs_world_container(
			maker->build.world, data->packages.at[i], &maker->containers[i]);
		if (error)
			return error;
		maker->build.world->containers.at[maker->containers[i]].missing = false;
	}
	return NULL;
}

/* Converts a list "A,B" into texts of the world, and returns their range. */
static struct cs_range add_names(struct cs_ue_build *build, const char *names)
{
	struct cs_world *world = build->world;
	struct cs_range range = {(uint32_t)world->texts.n, 0};
	struct cs_item item;
	while (cs_next_item(&names, &item)) {
		const char *name = cs_arena_text(&build->scratch, item.at, item.n);
		uint32_t text = cs_ue_intern_text(build, name);
		build->no_memory |= !name || !cs_vec_push(&world->texts, text);
		range.count++;
	}
	return range;
}

/*
 * Sets the layers and content bundle of an actor, which only logs written by cellscope contain. If
 * an actor outside the main container has a content bundle, all actors of its container have it.
 */
static void add_added(
	struct cs_ue_build *build, const struct cs_ue_log_desc *desc, struct cs_actor *actor)
{
	actor->layers = add_names(build, desc->layers);
	if (desc->external_layer)
		actor->external_layer = cs_ue_intern_text(build, desc->external_layer);
	actor->content_bundle = desc->content_bundle;
	if (actor->container == 0 || cs_guid_is_zero(desc->content_bundle))
		return;
	struct cs_source_container *container = &build->world->containers.at[actor->container];
	container->kind = CS_CONTAINER_BUNDLE;
	container->content_bundle = desc->content_bundle;
}

static struct cs_error *log_world_add_layers(struct maker *maker)
{
	struct cs_ue_build *build = &maker->build;
	for (size_t i = 0; i < maker->data->layers.n; i++) {
		const struct cs_ue_log_layer *from = &maker->data->layers.at[i];
		struct cs_source_layer layer = {
			.name = cs_ue_intern_text(build, from->name),
			.label = cs_ue_intern_text(build, *from->label ? from->label : from->name),
			.asset = cs_ue_intern_text(build, from->asset),
			.parent = cs_ue_intern_text(build, from->parent),
			.type = from->type,
			.filter = from->filter,
			.initial = from->initial,
			.priority = from->priority,
			.external = from->external,
		};
		if (build->no_memory || !cs_vec_push(&build->world->layers, layer))
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *add_actors(struct maker *maker)
{
	struct cs_ue_build *build = &maker->build;
	for (size_t i = 0; i < maker->data->descs.n; i++) {
		const struct cs_ue_log_desc *desc = &maker->data->descs.at[i];
		struct cs_actor actor = cs_actor_default();
		actor.guid = desc->guid;
		actor.parent = desc->parent;
		actor.folder_guid = desc->folder_guid;
		actor.name = cs_ue_intern_text(build, desc->name);
		actor.label = cs_ue_intern_text(build, desc->label);
		actor.base_class = cs_ue_intern_text(build, desc->base_class);
		actor.native_class = cs_ue_intern_text(build, desc->native_class);
		actor.grid = cs_ue_intern_text(build, desc->grid);
		actor.folder = cs_ue_intern_text(build, desc->folder);
		actor.bounds = desc->bounds;
		actor.editor_bounds = desc->editor_bounds;
		actor.container = maker->containers[desc->container];
		actor.flags = desc->flags;
		add_added(build, desc, &actor);
		actor.defaults = actor.assumed = NOT_SAID;
		if (build->no_memory || !cs_world_push_actor(build->world, &actor))
			return cs_error_nomem();
	}
	return NULL;
}

static int log_world_by_identity(const void *left, const void *right, void *context)
{
	const struct cs_world *world = context;
	const struct cs_actor_row *l = &world->actors.at[*(const uint32_t *)left];
	const struct cs_actor_row *r = &world->actors.at[*(const uint32_t *)right];
	if (l->container != r->container)
		return l->container < r->container ? -1 : 1;
	return cs_guid_compare(l->guid, r->guid);
}

/* Removes descriptors until no two have the same container and GUID. The first one is kept. */
static struct cs_error *drop_duplicates(struct maker *maker)
{
	struct cs_world *world = maker->build.world;
	size_t n = world->actors.n, kept = 0;
	uint32_t *order = cs_sorted_rows(n, log_world_by_identity, world);
	bool *dropped = calloc(n + 1, sizeof(*dropped)), good = order && dropped;
	for (size_t i = 1; good && i < n; i++)
		dropped[order[i]] = log_world_by_identity(&order[i - 1], &order[i], world) == 0;
	for (size_t i = 0; good && i < n; i++) {
		if (dropped[i])
			cs_ue_warn(&maker->build, "the log describes the actor %s twice",
				cs_world_text(world, world->actors.at[i].name));
		else
			world->actors.at[kept++] = world->actors.at[i];
	}
	if (good)
		world->actors.n = kept;
	free(order);
	free(dropped);
	return good ? NULL : cs_error_nomem();
}

/* Seals the world, which sorts its rows by GUID, and updates the indices of containers. */
static struct cs_error *seal(struct maker *maker)
{
	struct cs_world *world = maker->build.world;
	struct cs_error *error = cs_world_seal(world, maker->build.job);
	for (size_t i = 0; i < maker->data->packages.n && !error; i++)
		maker->containers[i] = cs_world_find_container(world, maker->data->packages.at[i]);
	return error;
}

/* ---- packages of actors ---- */

static struct cs_error *index_names(struct maker *maker)
{
	const struct cs_world *world = maker->build.world;
	const struct cs_range range = world->containers.at[0].actors;
	maker->by_name = calloc((size_t)range.count + 1, sizeof(*maker->by_name));
	maker->n_by_name = range.count;
	for (uint32_t i = 0; maker->by_name && i < range.count; i++)
		maker->by_name[i] = (struct cs_sort_key){
			0, world->actors.at[range.first + i].name, range.first + i};
	bool sorted = maker->by_name && cs_sort_keys(maker->by_name, range.count);
	return sorted ? NULL : cs_error_nomem();
}

static struct cs_actor_row *log_world_find_name(const struct maker *maker, const char *name)
{
	struct cs_world *world = maker->build.world;
	uint32_t text = cs_strings_find(&world->strings, name, strlen(name));
	const struct cs_sort_key *found =
		cs_sort_keys_find(maker->by_name, maker->n_by_name, 0, text);
	return found ? &world->actors.at[found->index] : NULL;
}

/* Sets the packages of actors from a list of loaded actors in the log. Actors are found by name. */
static struct cs_error *add_packages_of(
	struct maker *maker, const struct cs_ue_log_actor *actors, size_t n)
{
	struct cs_ue_build *build = &maker->build;
	for (size_t i = 0; i < n; i++) {
		struct cs_actor_row *actor =
			log_world_find_name(maker, cs_last_name(actors[i].path));
		if (!actor)
			continue;
		actor->path = cs_ue_intern_text(build, actors[i].path);
		actor->package = cs_ue_intern_text(build, actors[i].package);
		if (build->no_memory)
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *add_packages(struct maker *maker)
{
	const struct cs_ue_log_data *data = maker->data;
	struct cs_error *error = add_packages_of(maker, data->actors.at, data->actors.n);
	return error ? error
		     : add_packages_of(maker, data->always_loaded.at, data->always_loaded.n);
}

/* ---- clusters as references ---- */

/* Makes the first of the n members of a cluster reference all others. */
static struct cs_error *join_cluster(
	struct maker *maker, const struct cs_ue_log_member *members, size_t n)
{
	struct cs_world *world = maker->build.world;
	uint32_t first = cs_world_find_actor(
		world, maker->containers[members[0].container], members[0].guid);
	if (first == CS_NONE || n < 2)
		return NULL;
	world->actors.at[first].references =
		(struct cs_range){(uint32_t)world->guids.n, (uint32_t)(n - 1)};
	for (size_t i = 1; i < n; i++)
		if (!cs_vec_push(&world->guids, members[i].guid))
			return cs_error_nomem();
	return NULL;
}

static struct cs_error *join_clusters(struct maker *maker)
{
	const struct cs_ue_log_data *data = maker->data;
	struct cs_error *error = NULL;
	for (size_t i = 0, end; i < data->members.n && !error; i = end) {
		const struct cs_ue_log_member *first = &data->members.at[i];
		for (end = i + 1; end < data->members.n; end++)
			if (data->members.at[end].cluster != first->cluster ||
				data->members.at[end].container != first->container)
				break;
		error = join_cluster(maker, first, end - i);
	}
	return error;
}

/* ---- making the world of a log ---- */

static struct cs_error *make(struct maker *maker)
{
	const struct cs_ue_log_data *data = maker->data;
	struct cs_world *world = maker->build.world;
	static struct cs_error *(*const steps[])(struct maker *) = {log_world_add_containers,
		add_actors, log_world_add_layers, drop_duplicates, seal, index_names, add_packages,
		join_clusters};
	struct cs_error *error = NULL;
	for (size_t i = 0; i < CS_COUNT_OF(steps) && !error; i++)
		error = steps[i](maker);
	if (!error)
		error = cs_ue_log_instances(data, &maker->build);
	if (!error)
		error = cs_ue_log_partitions(data, &maker->build);
	if (error)
		return error;
	if (*data->log.world)
		world->settings.name = cs_ue_intern_text(&maker->build, data->log.world);
	world->settings.source = cs_ue_intern_text(&maker->build, "log");
	return maker->build.no_memory ? cs_error_nomem() : cs_world_seal(world, maker->build.job);
}

struct cs_error *cs_ue_log_world(
	const struct cs_ue_log_data *data, const struct cs_job *job, struct cs_world **ret)
{
	struct maker maker = {.data = data, .build = {.job = job, .limits = cs_job_limits(job)}};
	struct cs_error *error = cs_world_new(main_package(data), &maker.build.world);
	if (error)
		return error;
	error = make(&maker);
	free(maker.containers);
	free(maker.by_name);
	cs_arena_deinit(&maker.build.scratch);
	cs_arena_deinit(&maker.build.arena);
	if (error)
		cs_world_free(maker.build.world);
	else
		*ret = maker.build.world;
	return error;
}

struct cs_error *cs_ue_open_log(const char *path, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_ue_log_data *data;
	struct cs_error *error = cs_ue_parse_log(path, job, &data);
	if (error)
		return error;
	error = cs_ue_log_world(data, job, ret);
	cs_ue_log_data_free(data);
	return error;
}

struct cs_error *cs_ue_read_log(const char *path, const struct cs_job *job, struct cs_ue_log **ret)
{
	struct cs_ue_log_data *data;
	struct cs_error *error = cs_ue_parse_log(path, job, &data);
	if (!error)
		*ret = &data->log;
	return error;
}

void cs_ue_log_free(struct cs_ue_log *log)
{
	cs_ue_log_data_free((struct cs_ue_log_data *)log);
}
