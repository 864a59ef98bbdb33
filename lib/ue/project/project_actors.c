/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts the external actors of a container into actors of the world. Files are read in parallel
 * in batches, with results stored by index. Each batch is then merged in the order of its files.
 * The size of a batch limits the memory. The world does not depend on the number of threads or on
 * the order of readdir().
 */
#include "ue/project/project_build.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/parallel.h"
#include "core/text.h"
#include "ue/package/package.h"
#include "ue/project/actor_file.h"

enum { BATCH = 2048, GRAIN = 16 };

/* ---- reading files in parallel ---- */

struct worker {
	struct cs_ue_reader reader;
	struct cs_arena arena;
};

struct batch {
	const struct cs_limits *limits;
	bool whole;
	struct worker *workers;
	int n_workers;
	struct cs_ue_actor_file *files;
	size_t n;
};

static void project_actors_read_files(void *context, size_t begin, size_t end, int thread)
{
	struct batch *batch = context;
	struct worker *worker = &batch->workers[thread];
	for (size_t i = begin; i < end; i++)
		cs_ue_read_actor_file(
			&batch->files[i], &worker->reader, &worker->arena, batch->limits);
}

static void drop_batch(struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		cs_error_free(batch->files[i].error);
		cs_error_free(batch->files[i].damage);
		cs_error_free(batch->files[i].hlod_error);
	}
	batch->n = 0;
	for (int i = 0; i < batch->n_workers; i++)
		cs_arena_deinit(&batch->workers[i].arena);
}

static struct cs_error *new_batch(const struct cs_ue_build *build, size_t files, struct batch *ret)
{
	size_t room = files < BATCH ? files + 1 : BATCH;
	int threads = cs_parallel_threads(cs_job_threads(build->job));
	*ret = (struct batch){
		.limits = &build->limits,
		.whole = build->whole,
		.workers = calloc((size_t)threads, sizeof(*ret->workers)),
		.n_workers = threads,
		.files = calloc(room, sizeof(*ret->files)),
	};
	if (ret->workers && ret->files)
		return NULL;
	free(ret->workers);
	free(ret->files);
	return cs_error_nomem();
}

/* ---- merging actors into the world ---- */

static const char *problem_of(const struct cs_ue_descriptor *descriptor)
{
	if (descriptor->is_class)
		return "the descriptor describes a class, not an actor";
	if (cs_guid_is_zero(descriptor->guid))
		return "the actor's GUID is zero";
	if (!cs_transform_is_finite(&descriptor->transform))
		return "the actor's transform has a number that is not finite";
	if ((descriptor->runtime.valid && !cs_box_is_finite(&descriptor->runtime.box)) ||
		(descriptor->editor.valid && !cs_box_is_finite(&descriptor->editor.box)))
		return "the actor's bounds have a number that is not finite";
	return NULL;
}

/*
 * Returns the Blueprint class of an actor as a text of the world, or 0 for a native class. A
 * descriptor before 5.1 lacks it, but then the class in the asset registry is the Blueprint class.
 */
static uint32_t base_class_of(
	struct cs_ue_build *build, const struct cs_ue_actor_file *file, uint32_t native_class)
{
	const struct cs_ue_descriptor *descriptor = &file->descriptor;
	if (descriptor->versions.of[CS_UE_SEASON] >= 5)
		return cs_ue_intern_path(build, &descriptor->base_class);
	uint32_t class_name = cs_ue_intern(build, file->class_name);
	return class_name == native_class ? 0 : class_name;
}

static void project_actors_describe(
	struct cs_ue_build *build, const struct cs_ue_actor_file *file, struct cs_actor *actor)
{
	const struct cs_ue_descriptor *descriptor = &file->descriptor;
	char engine[CS_UE_ENGINE_TEXT];
	const char *path = cs_ue_text(file->object_path, &build->scratch);
	cs_ue_engine_text(&file->engine, engine);
	actor->guid = descriptor->guid;
	actor->parent = descriptor->parent;
	actor->folder_guid = descriptor->folder_guid;
	actor->transform =
		descriptor->tail.has_transform ? descriptor->tail.transform : descriptor->transform;
	actor->path = cs_ue_intern_text(build, path);
	actor->name = cs_ue_intern_text(build, path ? cs_last_name(path) : NULL);
	actor->package = cs_ue_intern_text(
		build, cs_ue_file_package(build->project, &build->scratch, file->path));
	actor->folder = cs_ue_intern(build, descriptor->folder);
	actor->engine = cs_ue_intern_text(build, engine);
	actor->references = cs_ue_intern_guids(build, &descriptor->references);
	actor->editor_references = cs_ue_intern_guids(build, &descriptor->editor_references);
	actor->properties =
		cs_ue_intern_strings(build, &descriptor->properties, 2 * descriptor->properties.n);
	actor->defaults = CS_UE_ALL_FIELDS & ~descriptor->stored;
	actor->assumed &= actor->defaults;
}

static struct cs_error *add_level_instance(
	struct cs_ue_build *build, const struct cs_level_instance *instance, struct cs_actor *actor)
{
	uint32_t container;
	actor->flags |= CS_ACTOR_LEVEL_INSTANCE;
	actor->level_instance = (uint32_t)build->world->level_instances.n;
	if (!cs_vec_push(&build->world->level_instances, *instance))
		return cs_error_nomem();
	if (instance->behavior == CS_BEHAVIOR_NONE || instance->level == 0)
		return NULL;
	const char *level = cs_world_text(build->world, instance->level);
	level = cs_arena_copy(&build->scratch, level);
	return level ? cs_world_container(build->world, level, &container) : cs_error_nomem();
}

/* Returns the name of an HLOD actor's source cell, in newer engines from its label "Layer/Cell". */
static const char *source_cell_name(
	const struct cs_world *world, const struct cs_ue_hlod *from, const struct cs_actor *actor)
{
	const char *label = strchr(cs_world_text(world, actor->label), '/');
	return *from->source_cell_name || !label ? from->source_cell_name : label + 1;
}

static struct cs_error *add_hlod(
	struct cs_ue_build *build, const struct cs_ue_hlod *from, struct cs_actor *actor)
{
	struct cs_world *world = build->world;
	const char *name = source_cell_name(world, from, actor);
	name = cs_arena_copy(&build->scratch, name); /* adding texts may move this one */
	if (!name)
		return cs_error_nomem();
	struct cs_hlod_actor hlod = {
		.source_cell = from->source_cell,
		.source_cell_name = cs_ue_intern_text(build, name),
		.layer = cs_ue_intern_text(build, from->layer),
		.min_visible_distance = from->min_visible_distance,
		.no_warmup = from->no_warmup,
		.sources = {(uint32_t)world->guids.n, from->n_sources},
	};
	actor->hlod = (uint32_t)world->hlods.n;
	if (!cs_vec_append(&world->guids, from->sources, from->n_sources) ||
		!cs_vec_push(&world->hlods, hlod))
		return cs_error_nomem();
	return NULL;
}

static bool is_grid_info(const struct cs_world *world, const struct cs_actor *actor)
{
	const char *name = cs_last_name(cs_world_text(world, actor->native_class));
	return cs_name_compare(name, "SpatialHashRuntimeGridInfo") == 0;
}

/* Adds the rows of an actor: its level instance, data layers, HLOD sources or HLOD grid. */
static struct cs_error *add_parts(struct cs_ue_build *build, const struct cs_ue_actor_file *file,
	const struct cs_level_instance *instance, struct cs_actor *actor)
{
	switch (file->descriptor.tail.kind) {
	case CS_UE_TAIL_LEVEL_INSTANCE:
	case CS_UE_TAIL_PACKED_LEVEL:
		return add_level_instance(build, instance, actor);
	case CS_UE_TAIL_DATA_LAYERS:
		return cs_ue_add_layer_rows(build, &file->descriptor, file->path, actor->container);
	case CS_UE_TAIL_HLOD:
		return file->hlod ? add_hlod(build, file->hlod, actor) : NULL;
	default:
		return is_grid_info(build->world, actor) ? cs_ue_add_grid_info(build, file->path)
							 : NULL;
	}
}

static struct cs_error *add_actor(
	struct cs_ue_build *build, const struct cs_ue_actor_file *file, uint32_t container)
{
	const struct cs_ue_descriptor *descriptor = &file->descriptor;
	const struct cs_ue_class *class;
	uint32_t native_class = cs_ue_intern_path(build, &descriptor->native_class);
	uint32_t base_class = base_class_of(build, file, native_class);
	bool delta = descriptor->versions.of[CS_UE_FN_MAIN] >= CS_UE_DELTA_FROM;
	struct cs_error *error =
		cs_ue_find_class(build, delta ? base_class : 0, native_class, &class);
	if (error)
		return error;
	struct cs_actor actor = class->actor;
	struct cs_level_instance instance = class->instance;
	cs_ue_overlay(build, descriptor, &actor, &instance);
	project_actors_describe(build, file, &actor);
	actor.base_class = base_class;
	actor.native_class = native_class;
	actor.container = container;
	error = add_parts(build, file, &instance, &actor);
	struct cs_ue_placement placement = {
		.runtime = descriptor->runtime,
		.editor = descriptor->editor,
		.relative = descriptor->relative,
		.unknown = !descriptor->has_transform && !descriptor->tail.has_transform,
	};
	if (!error && (build->no_memory || !cs_world_push_actor(build->world, &actor) ||
			      !cs_vec_push(&build->placements, placement)))
		error = cs_error_nomem();
	build->read++;
	return error;
}

static void warn_of(struct cs_ue_build *build, const struct cs_ue_actor_file *file)
{
	if (file->newer)
		cs_ue_warn_newer(build, file->path);
	if (file->damage)
		cs_ue_warn_damage(build, file->damage);
	if (file->hlod_error)
		cs_ue_warn(build,
			"%s: %s; the cell that the HLOD actor was built from is not known",
			file->path, file->hlod_error->message);
	build->world->damaged += !file->damage && file->hlod_error;
	if (file->descriptor.tail.opaque)
		cs_ue_warn(build,
			"%s: the last fields of the actor descriptor have an unknown form and are "
			"not used",
			file->path);
}

/*
 * Counts an actor whose package says that it belongs to another map. In folders of plugins such
 * actors are normal and not counted.
 */
static void count_stray(
	struct cs_ue_build *build, const struct cs_ue_actor_file *file, uint32_t container)
{
	const struct cs_source_container *home = &build->world->containers.at[container];
	const char *map = cs_world_text(build->world, home->package);
	const char *path = cs_ue_text(file->object_path, &build->scratch);
	const size_t n = strlen(map);
	if (home->kind == CS_CONTAINER_BUNDLE || home->kind == CS_CONTAINER_EXTERNAL_LAYER ||
		!path || !*path || (strncasecmp(path, map, n) == 0 && path[n] == '.'))
		return;
	if (build->strays++ == 0)
		build->stray_map = cs_ue_package_of(&build->arena, path);
	build->no_memory |= !build->stray_map;
}

static void warn_of_strays(struct cs_ue_build *build, uint32_t container)
{
	if (build->strays > 0)
		cs_ue_warn(build,
			"%s: %zu actor%s to %s: the files of a map were renamed or copied outside "
			"of the editor",
			cs_world_text(build->world, build->world->containers.at[container].package),
			build->strays,
			build->strays == 1 ? " says in its package that it belongs"
					   : "s say in their packages that they belong",
			build->stray_map ? build->stray_map : "");
	build->strays = 0;
}

static struct cs_error *merge_file(
	struct cs_ue_build *build, struct cs_ue_actor_file *file, uint32_t container)
{
	if (file->husk) {
		/* the empty file of a deleted actor counts as unreadable, but is no error */
		build->world->unreadable++;
		cs_ue_warn(build,
			"%s: the package contains no object, because its actor was deleted",
			file->path);
		return NULL;
	}
	const char *problem = file->error ? NULL : problem_of(&file->descriptor);
	struct cs_error *error = file->error;
	file->error = NULL;
	if (problem)
		error = cs_error_at(CS_E_DESCRIPTOR, file->path, CS_NO_OFFSET, "%s", problem);
	if (error)
		return cs_ue_tolerate(build, error);
	if (file->damage && file->damage->code == CS_E_NOMEM)
		return cs_error_nomem();
	warn_of(build, file);
	count_stray(build, file, container);
	return add_actor(build, file, container);
}

static struct cs_error *read_batches(struct cs_ue_build *build, const struct cs_ue_files *files,
	uint32_t container, struct batch *batch)
{
	struct cs_error *error = NULL;
	for (size_t done = 0; done < files->paths.n && !error; done += BATCH) {
		error = cs_job_check(build->job);
		if (error)
			break;
		cs_job_progress(build->job, "read actors", done, files->paths.n);
		size_t left = files->paths.n - done;
		batch->n = left < BATCH ? left : BATCH;
		for (size_t i = 0; i < batch->n; i++)
			batch->files[i] = (struct cs_ue_actor_file){
				.path = files->paths.at[done + i], .whole = batch->whole};
		cs_parallel_for(cs_job_threads(build->job), batch->n, GRAIN,
			project_actors_read_files, batch);
		for (size_t i = 0; i < batch->n && !error; i++)
			error = merge_file(build, &batch->files[i], container);
		drop_batch(batch);
		cs_arena_deinit(&build->scratch);
	}
	return error;
}

struct cs_error *cs_ue_read_actors(
	struct cs_ue_build *build, const char *folder, uint32_t container)
{
	struct cs_ue_files files;
	struct batch batch;
	build->first_placed = build->world->actors.n;
	build->placements.n = 0;
	struct cs_error *error = cs_ue_find_files(folder, ".uasset", NULL, build->job, &files);
	if (error)
		return error;
	error = new_batch(build, files.paths.n, &batch);
	if (!error) {
		for (size_t i = 0; i < files.errors.n; i++)
			cs_ue_unreadable(build, files.errors.at[i]);
		files.errors.n = 0;
		error = read_batches(build, &files, container, &batch);
		warn_of_strays(build, container);
		drop_batch(&batch);
		for (int i = 0; i < batch.n_workers; i++)
			cs_ue_reader_deinit(&batch.workers[i].reader);
		free(batch.workers);
		free(batch.files);
	}
	cs_ue_files_deinit(&files);
	return error ? error : cs_ue_place_actors(build);
}
