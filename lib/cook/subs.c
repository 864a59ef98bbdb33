/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sub partitions (world-partition rules 1.3 step 1, 2.1): a level instance with standalone
 * behaviour has a world partition of its own. Each such level is cooked once, as a world of its own
 * with its own settings, layers and grids. Each instance of the level is a row with its transform
 * and the cell that contains the instance. Instances are visited breadth first from the main world,
 * so that outer ones precede inner ones. An instance that cannot become a partition is a row with
 * the reason; the actors that are lost with the instance are recorded as drops.
 */
#include "cook/subs.h"
#include "cook/phases/phases.h"

#include "cook/phases/text_map.h"
#include "cook/record/tables.h"
#include "core/geometry.h"
#include "core/identity.h"

#include <stdio.h>

/* ---- standalone level instances of a cook ---- */

/* Returns why the level cannot be a world partition of its own, or NULL if it can. */
static const char *refusal(const struct cs_cook *cook, uint32_t container)
{
	const struct cs_source_container *source_container = &cook->world->containers.at[container];
	if (container == 0 || container == cook->root)
		return "its level contains itself";
	if (source_container->missing)
		return "its level was not found";
	if (!source_container->external_actors)
		return "its level does not use external actors: it loads as one level";
	if (!source_container->partitioned)
		return "its level has no world partition: it loads as one level";
	return NULL;
}

static struct cs_error *drop_actors(struct cs_cook *cook, const struct cs_standalone *standalone)
{
	const struct cs_source_container *container =
		&cook->world->containers.at[standalone->container];
	if (standalone->container == 0 || standalone->container == cook->root ||
		!container->actors.count)
		return NULL;
	struct cs_drop_draft draft = {
		standalone->row, container->actors.count, standalone->reason, container->package};
	return cs_vec_push(&cook->found.drops, draft) ? NULL : cs_error_nomem();
}

static bool is_standalone(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_view *described = &cook->actors.views.at[view];
	if (described->kind != CS_VIEW_ACTOR || !described->is_level)
		return false;
	const struct cs_actor_more *more = cs_actor_more(cook->world, cs_view_actor(cook, view));
	const struct cs_level_instance *li = &cook->world->level_instances.at[more->level_instance];
	return li->behavior == CS_BEHAVIOR_STANDALONE && *cs_world_text(cook->world, li->level);
}

static struct cs_error *add_standalone(struct cs_cook *cook, uint32_t instance, uint32_t view)
{
	const struct cs_instance *around = &cook->placed.instances.at[instance];
	const struct cs_actor_row *actor = cs_view_actor(cook, view);
	const struct cs_world *world = cook->world;
	struct cs_standalone standalone = {
		.instance = instance, .row = cs_row_of(cook, around, view), .container = CS_NONE};
	uint32_t set = cook->grouped.set_of_row[standalone.row];
	standalone.container = cs_world_find_container(world,
		cs_world_text(world,
			world->level_instances.at[cs_actor_more(world, actor)->level_instance]
				.level));
	if (standalone.container == CS_NONE)
		standalone.reason = "its level was not found";
	else if (set == CS_NONE || cook->grouped.sets.at[set].cell == CS_NONE)
		standalone.reason = "its level instance is in no cell";
	else
		standalone.reason = refusal(cook, standalone.container);
	if (!cs_vec_push(&cook->result.standalones, standalone))
		return cs_error_nomem();
	return standalone.reason && standalone.container != CS_NONE ? drop_actors(cook, &standalone)
								    : NULL;
}

struct cs_error *cs_cook_standalones(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	if (cook->world->level_instances.n == 0)
		return NULL;
	for (uint32_t i = 0; !error && i < cook->placed.instances.n; i++) {
		const struct cs_collection *collection =
			&cook->actors.collections.at[cook->placed.instances.at[i].collection];
		for (uint32_t k = 0; !error && k < collection->n_views; k++)
			if (is_standalone(cook, collection->first_view + k))
				error = add_standalone(cook, i, collection->first_view + k);
	}
	return error;
}

/* ---- cooking each level once ---- */

/*
 * A standalone level instance, in the space of the level around it. It stays valid after its cook
 * is freed.
 */
struct inner {
	struct cs_transform transform;
	struct cs_guid id;
	uint32_t label; /* label of the level instance: offset in the world's pool of texts */
	uint32_t actor, cell;
	uint32_t container;
	/* string literal that says why the instance cannot become a world partition, or NULL */
	const char *reason;
	/* range of sub_maker.around: containers of the levels in which the instance is embedded */
	struct cs_range around;
};

struct level {
	/* container: row of the world's containers; row: index in cs_sub_files.levels */
	uint32_t container, row;
	struct cs_range inners;
};

/* Values of a row of sub_partitions from which rows of level instances in its level follow. */
struct sub_state {
	uint32_t container, depth;
	struct cs_transform transform;
	struct cs_guid id;
};

struct sub_maker {
	struct cs_cook *cook; /* cook of the main world */
	struct cs_sub_files *files;
	CS_VEC(struct level) levels;
	CS_VEC(struct inner) inners;
	CS_VEC(uint32_t) around;
	CS_VEC(struct sub_state) states; /* one item for each row of sub_partitions */
	struct cs_strings names;         /* names of sub partitions so far */
	/* for each name, the last number that was appended to make it unique */
	struct cs_text_map numbers;
};

static bool list_around(
	struct sub_maker *maker, const struct cs_cook *cook, uint32_t instance, struct inner *inner)
{
	inner->around.first = (uint32_t)maker->around.n;
	for (uint32_t at = instance; at != CS_NONE; at = cook->placed.instances.at[at].parent) {
		uint32_t collection = cook->placed.instances.at[at].collection;
		if (!cs_vec_push(&maker->around, cook->actors.collections.at[collection].container))
			return false;
	}
	inner->around.count = (uint32_t)maker->around.n - inner->around.first;
	return true;
}

/* Copies the standalone level instances of a cook, so that the cook can be freed. */
static struct cs_error *take_inners(
	struct sub_maker *maker, const struct cs_cook *cook, struct cs_range *ret)
{
	ret->first = (uint32_t)maker->inners.n;
	for (size_t i = 0; i < cook->result.standalones.n; i++) {
		const struct cs_standalone *standalone = &cook->result.standalones.at[i];
		const struct cs_instance *around = &cook->placed.instances.at[standalone->instance];
		uint32_t view = cs_view_of_row(cook, around, standalone->row);
		const struct cs_actor_row *actor = cs_view_actor(cook, view);
		const struct cs_transform own = cs_actor_transform(cook->world, actor);
		uint32_t set = cook->grouped.set_of_row[standalone->row];
		struct inner inner = {
			.transform = cs_transform_compose(&own, &around->transform),
			.id = cs_combine_guids(around->id, actor->guid),
			.label = *cs_world_text(cook->world, actor->label) ? actor->label
									   : actor->name,
			.actor = standalone->row,
			.cell = set == CS_NONE ? CS_NONE : cook->grouped.sets.at[set].cell,
			.container = standalone->container,
			.reason = standalone->reason,
		};
		if (!list_around(maker, cook, standalone->instance, &inner) ||
			!cs_vec_push(&maker->inners, inner))
			return cs_error_nomem();
	}
	ret->count = (uint32_t)maker->inners.n - ret->first;
	return NULL;
}

static struct cs_error *store_level(
	struct sub_maker *maker, struct cs_cook *cook, struct level *level)
{
	struct cs_sub_files *files = maker->files;
	struct cs_cooked_sub_level row = {.bytes.first = (uint32_t)files->bytes.size};
	unsigned char *bytes;
	size_t size;
	struct cs_error *error = cs_cook_plain_bytes(cook, &bytes, &size);
	if (error)
		return error;
	if (size > CS_NONE - files->bytes.size)
		error = cs_error_new(CS_E_LIMIT,
			"the cooked worlds of standalone level instances take more than 4 GiB in "
			"all, the limit");
	if (!error) {
		cs_writer_bytes(&files->bytes, bytes, size);
		row.bytes.count = (uint32_t)size;
		row.package = cs_tables_text(
			maker->cook, maker->cook->world->containers.at[level->container].package);
		level->row = (uint32_t)files->levels.n;
		if (files->bytes.failed || !cs_vec_push(&files->levels, row))
			error = cs_error_nomem();
	}
	free(bytes);
	return error;
}

static struct cs_error *make_level(struct sub_maker *maker, uint32_t container, struct level *ret)
{
	struct cs_world view;
	struct cs_cook *cook;
	struct level level = {.container = container};
	struct cs_error *error = cs_cook_level(maker->cook, container, &view, &cook);
	if (error)
		return error;
	error = store_level(maker, cook, &level);
	if (!error)
		error = take_inners(maker, cook, &level.inners);
	cs_cook_free(cook);
	if (!error && !cs_vec_push(&maker->levels, level))
		error = cs_error_nomem();
	*ret = level;
	return error;
}

static struct cs_error *find_level(struct sub_maker *maker, uint32_t container, struct level *ret)
{
	for (size_t i = 0; i < maker->levels.n; i++) {
		if (maker->levels.at[i].container == container) {
			*ret = maker->levels.at[i];
			return NULL;
		}
	}
	return make_level(maker, container, ret);
}

/* ---- adding instances of the levels ---- */

/* Returns whether the instance's level contains the instance itself, at any depth. */
static bool is_circular(const struct sub_maker *maker, const struct inner *inner, uint32_t parent)
{
	for (uint32_t i = 0; i < inner->around.count; i++)
		if (maker->around.at[inner->around.first + i] == inner->container)
			return true;
	for (uint32_t at = parent; at != CS_NONE; at = maker->files->subs.at[at].parent)
		if (maker->states.at[at].container == inner->container)
			return true;
	return false;
}

/*
 * Stores the name of an instance: the labels of the enclosing instances and its own label, with a
 * number appended if the name is in use. Returns the name's offset in the file's texts, or 0 when
 * memory runs out.
 */
static uint32_t subs_name_of(struct sub_maker *maker, const struct inner *inner, uint32_t parent)
{
	char name[512];
	const char *label = cs_world_text(maker->cook->world, inner->label);
	const char *outer = parent == CS_NONE ? ""
					      : cs_file_texts_at(&maker->cook->result.tables->texts,
							maker->files->subs.at[parent].name);
	size_t n = (size_t)snprintf(
		name, sizeof(name) - 12, "%.240s%s%.240s", outer, *outer ? "/" : "", label);
	uint32_t first = cs_strings_find(&maker->names, name, strlen(name));
	uint32_t *number = first == CS_NONE ? NULL : cs_text_map_at(&maker->numbers, first);
	while (number && cs_strings_find(&maker->names, name, strlen(name)) != CS_NONE) {
		*number = *number == CS_NONE ? 2 : *number + 1;
		snprintf(name + n, sizeof(name) - n, "#%u", *number);
	}
	if ((first != CS_NONE && !number) || cs_strings_add_z(&maker->names, name) == CS_NONE)
		maker->cook->result.tables->failed = true;
	return cs_tables_own_text(maker->cook, name);
}

static struct cs_error *subs_add_sub(
	struct sub_maker *maker, const struct inner *inner, uint32_t parent)
{
	const struct cs_world *world = maker->cook->world;
	const struct cs_limits limits = cs_job_limits(maker->cook->job);
	const struct sub_state *outer = parent == CS_NONE ? NULL : &maker->states.at[parent];
	struct sub_state state = {.container = inner->container,
		.depth = outer ? outer->depth + 1 : 1,
		.transform = outer ? cs_transform_compose(&inner->transform, &outer->transform)
				   : inner->transform,
		.id = outer ? cs_combine_guids(outer->id, inner->id) : inner->id};
	const char *reason = inner->reason;
	struct level level = {.row = CS_NONE};
	struct cs_error *error = NULL;
	if (!reason && is_circular(maker, inner, parent))
		reason = "its level contains itself";
	if (!reason && state.depth > limits.depth)
		reason = "it is nested deeper than the limit of levels";
	if (maker->files->subs.n >= limits.records || maker->files->subs.n >= CS_NONE - 1)
		return cs_error_new(CS_E_LIMIT,
			"standalone level instances expand to more worlds than the limit of %llu",
			(unsigned long long)limits.records);
	if (!reason)
		error = find_level(maker, inner->container, &level);
	if (error)
		return error;
	struct cs_cooked_sub row = {.transform = state.transform,
		.id = state.id,
		.name = subs_name_of(maker, inner, parent),
		.package = inner->container == CS_NONE
				   ? 0
				   : cs_tables_text(maker->cook,
					     world->containers.at[inner->container].package),
		.parent = parent,
		.actor = inner->actor,
		.cell = inner->cell,
		.level = level.row,
		.reason = cs_tables_own_text(maker->cook, reason ? reason : "")};
	return cs_vec_push(&maker->files->subs, row) && cs_vec_push(&maker->states, state)
		       ? NULL
		       : cs_error_nomem();
}

static struct cs_error *cook_add_subs(
	struct sub_maker *maker, struct cs_range inners, uint32_t parent)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < inners.count; i++) {
		/* copied, because subs_add_sub may reallocate the list */
		const struct inner inner = maker->inners.at[inners.first + i];
		error = subs_add_sub(maker, &inner, parent);
	}
	return error;
}

static struct cs_error *make_subs(struct sub_maker *maker)
{
	struct cs_range inners;
	struct cs_error *error = take_inners(maker, maker->cook, &inners);
	if (!error)
		error = cook_add_subs(maker, inners, CS_NONE);
	for (uint32_t row = 0; !error && row < maker->files->subs.n; row++) {
		struct level level;
		if (maker->files->subs.at[row].level == CS_NONE)
			continue;
		error = find_level(maker, maker->states.at[row].container, &level);
		if (!error)
			error = cook_add_subs(maker, level.inners, row);
		if (!error)
			error = cs_job_check(maker->cook->job);
	}
	return !error && cs_tables_failed(maker->cook) ? cs_error_nomem() : error;
}

/*
 * Only the outermost cook (root 0) makes sub partitions, including those inside standalone levels.
 */
struct cs_error *cs_cook_subs(struct cs_cook *cook)
{
	if (cook->root != 0 || cook->result.standalones.n == 0)
		return NULL;
	cook->result.subs = calloc(1, sizeof(*cook->result.subs));
	if (!cook->result.subs)
		return cs_error_nomem();
	struct sub_maker maker = {.cook = cook, .files = cook->result.subs};
	struct cs_error *error = make_subs(&maker);
	cs_vec_free(&maker.levels);
	cs_vec_free(&maker.inners);
	cs_vec_free(&maker.around);
	cs_vec_free(&maker.states);
	cs_strings_deinit(&maker.names);
	cs_text_map_deinit(&maker.numbers);
	return error;
}

void cs_sub_files_free(struct cs_sub_files *files)
{
	if (!files)
		return;
	cs_vec_free(&files->subs);
	cs_vec_free(&files->levels);
	cs_writer_deinit(&files->bytes);
	free(files);
}
