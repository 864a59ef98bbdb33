/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens a project as a world, in phases: settings of the map, actors of the map, actors that
 * plugins add to it, levels of its level instances, data layers, HLOD layers.
 */
#include <cellscope/ue.h>

#include "core/error_inside.h"
#include "core/guid.h"
#include "core/options.h"
#include "ue/package/properties.h"
#include "ue/project/actor_file.h"
#include "ue/project/project_build.h"

/* ---- settings of the map ---- */

/* If build->whole is set, searches the whole package of a map for damage, and warns of it. */
static struct cs_error *report_damage(struct cs_ue_build *build, struct cs_ue_package *package)
{
	struct cs_error *error = build->whole ? cs_ue_check_package(package) : NULL;
	if (error && error->code != CS_E_NOMEM) {
		cs_ue_warn_damage(build, error);
		cs_error_free(error);
		return NULL;
	}
	return error;
}

static struct cs_error *project_open_read_settings(struct cs_ue_build *build, const char *map)
{
	struct cs_ue_package package;
	const char *file = cs_ue_package_file(build->project, &build->arena, map, "", ".umap");
	if (!file)
		return cs_error_nomem();
	struct cs_error *error = cs_ue_package_open(file, &build->limits, &package);
	if (error)
		return error;
	error = cs_ue_read_settings(build, &package);
	if (!error)
		error = report_damage(build, &package);
	cs_ue_package_close(&package);
	return error;
}

/* ---- the map and the levels of level instances, as containers ---- */

static struct cs_error *external_folder(
	struct cs_ue_build *build, const char *package, const char **ret)
{
	*ret = cs_ue_package_file(build->project, &build->arena, package, "__ExternalActors__", "");
	return *ret ? NULL : cs_error_nomem();
}

static struct cs_error *read_main(struct cs_ue_build *build, const char *map)
{
	const char *folder;
	struct cs_error *error = external_folder(build, map, &folder);
	if (!error && !cs_ue_is_folder(folder))
		cs_ue_warn(build,
			"%s: the map is partitioned, but the folder of its external actors, %s, "
			"does not exist",
			map, folder);
	if (!error)
		error = cs_ue_read_actors(build, folder, 0);
	return error ? error : cs_ue_find_script_actors(build, 0);
}

/* Reads a level that has a world partition with its own settings, layers and grids. */
static struct cs_error *read_as_partition(struct cs_ue_build *build, struct cs_ue_package *map,
	const char *package, const char *folder, uint32_t index)
{
	struct cs_world *world = build->world;
	struct cs_world *rules = cs_world_new_rules();
	size_t first_actor = world->actors.n, layer_files = build->layer_files.n;
	if (!rules)
		return cs_error_nomem();
	cs_world_swap_rules(world, rules);
	build->in_level = true;
	struct cs_error *error = cs_ue_tolerate(build, cs_ue_read_settings(build, map));
	if (!error)
		error = cs_ue_read_actors(build, folder, index);
	if (!error)
		error = cs_ue_find_script_actors(build, first_actor);
	if (!error)
		error = cs_ue_finish_layers(build, package, layer_files);
	if (!error)
		error = cs_ue_read_hlod_layers(build, first_actor);
	build->layer_files.n = layer_files;
	build->in_level = false;
	cs_world_swap_rules(world, rules);
	world->containers.at[index].rules = rules;
	return error;
}

/* Reads a level with external actors, which may have a world partition. */
static struct cs_error *read_level_actors(struct cs_ue_build *build, const char *file,
	const char *package, const char *folder, uint32_t index)
{
	struct cs_ue_package map;
	struct cs_error *error = cs_ue_package_open(file, &build->limits, &map);
	if (error && error->code == CS_E_NOMEM)
		return error;
	const bool partitioned = !error && cs_ue_export_of_class(&map, "WorldPartition");
	build->world->containers.at[index].partitioned = partitioned;
	if (error) {
		cs_ue_warn(build,
			"%s: the map is treated as not partitioned, because it cannot be read: %s: "
			"%s",
			file, cs_word(CS_WORDS_CODE, error->code)->name, error->message);
		cs_ue_count_damage(build, error, file);
		cs_error_free(error);
		return cs_ue_read_actors(build, folder, index);
	}
	error = report_damage(build, &map);
	if (!error)
		error = partitioned ? read_as_partition(build, &map, package, folder, index)
				    : cs_ue_read_actors(build, folder, index);
	cs_ue_package_close(&map);
	return error;
}

/*
 * Reads the level with the actors of container `index`, which level instances made. If the project
 * has no .umap file of that level, warns and leaves container->missing set.
 */
static struct cs_error *read_level(struct cs_ue_build *build, uint32_t index)
{
	struct cs_source_container *container = &build->world->containers.at[index];
	const char *text = cs_world_text(build->world, container->package);
	const char *package = cs_arena_copy(&build->arena, text);
	const char *file =
		package ? cs_ue_package_file(build->project, &build->arena, package, "", ".umap")
			: NULL;
	const char *folder;
	if (!file)
		return cs_error_nomem();
	struct cs_error *error = external_folder(build, package, &folder);
	if (error)
		return error;
	container->missing = !*file || !cs_ue_is_file(file);
	container->external_actors = *folder && cs_ue_is_folder(folder);
	if (container->missing) {
		cs_ue_warn(build, "the project has no level %s, which a level instance places",
			package);
		return NULL;
	}
	return container->external_actors ? read_level_actors(build, file, package, folder, index)
					  : NULL;
}

/* Reads the levels of level instances, and of those nested in them up to limits.depth. */
static struct cs_error *read_levels(struct cs_ue_build *build)
{
	struct cs_world *world = build->world;
	struct cs_error *error = NULL;
	size_t done = 0;
	for (uint32_t depth = 0; done < world->containers.n && !error; depth++) {
		size_t end = world->containers.n;
		if (depth > build->limits.depth) {
			cs_ue_warn(build,
				"level instances are nested deeper than %u levels; the deeper "
				"ones are left out",
				build->limits.depth);
			return NULL;
		}
		for (; done < end && !error; done++)
			if (world->containers.at[done].kind == CS_CONTAINER_LEVEL)
				error = read_level(build, (uint32_t)done);
	}
	return error;
}

/* ---- actors that plugins add to the map ---- */

/*
 * Finds out whether a folder of external actors belongs to a content bundle or to an external data
 * layer, from the first readable actor that states one. *found_ret is false if no actor does.
 */
static struct cs_error *probe(struct cs_ue_build *build, const char *folder,
	struct cs_source_container *container, bool *found_ret)
{
	struct cs_ue_files files;
	struct cs_ue_reader reader = {0};
	struct cs_arena arena = CS_ARENA_INIT;
	struct cs_error *error = cs_ue_find_files(folder, ".uasset", NULL, build->job, &files);
	if (error)
		return error;
	for (size_t i = 0; i < files.paths.n && !*found_ret; i++) {
		struct cs_ue_actor_file file = {.path = files.paths.at[i]};
		cs_ue_read_actor_file(&file, &reader, &arena, &build->limits);
		if (!file.error && !file.husk) {
			const struct cs_ue_descriptor *descriptor = &file.descriptor;
			container->content_bundle = descriptor->content_bundle;
			container->external_layer =
				cs_ue_intern_path(build, &descriptor->external_layer);
			*found_ret = container->external_layer != 0 ||
				     !cs_guid_is_zero(descriptor->content_bundle);
		}
		cs_error_free(file.error);
		cs_error_free(file.damage);
		cs_error_free(file.hlod_error);
	}
	container->kind =
		container->external_layer ? CS_CONTAINER_EXTERNAL_LAYER : CS_CONTAINER_BUNDLE;
	cs_arena_deinit(&arena);
	cs_ue_reader_deinit(&reader);
	cs_ue_files_deinit(&files);
	return NULL;
}

/*
 * Reads the actors of a folder. The container is named by the mount point and by the path of the
 * folder below __ExternalActors__, which is `root`.
 */
static struct cs_error *read_added_folder(struct cs_ue_build *build,
	const struct cs_ue_mount *mount, const char *root, const char *folder)
{
	struct cs_source_container container = {.external_actors = true};
	bool found = false;
	const char *package =
		cs_ue_join(&build->arena, mount->name, folder + strlen(root), (char *)NULL);
	struct cs_error *error = probe(build, folder, &container, &found);
	if (error || !found)
		return error;
	container.package = cs_ue_intern_text(build, package);
	uint32_t index = (uint32_t)build->world->containers.n;
	if (build->no_memory || !cs_vec_push(&build->world->containers, container))
		return cs_error_nomem();
	return cs_ue_read_actors(build, folder, index);
}

/*
 * Reads the actors that content bundles and external data layers add to a map. They are in folders
 * of a plugin whose paths end with the map's path, and their descriptors name bundle or layer.
 */
static struct cs_error *read_added(struct cs_ue_build *build, const char *map)
{
	const char *tail = strchr(map + 1, '/');
	struct cs_error *error = NULL;
	for (size_t m = 0; tail && m < build->project->mounts.n && !error; m++) {
		const struct cs_ue_mount *mount = &build->project->mounts.at[m];
		const char *root = cs_ue_join(
			&build->arena, mount->folder, "/__ExternalActors__", (char *)NULL);
		struct cs_ue_files folders;
		if (!root)
			return cs_error_nomem();
		error = cs_ue_find_folders(root, tail, build->job, &folders);
		if (error)
			return error;
		for (size_t i = 0; i < folders.paths.n && !error; i++) {
			const char *folder = folders.paths.at[i];
			/* skip the map itself, and the plugin's own map with this name */
			if (strcmp(folder + strlen(root), tail) != 0)
				error = read_added_folder(build, mount, root, folder);
		}
		cs_ue_files_deinit(&folders);
	}
	return error;
}

/* ---- opening a project ---- */

static struct cs_error *load_classes(struct cs_ue_build *build, const struct cs_ue_options *options)
{
	if (options->classes)
		return cs_ue_load_class_rows(build, options->classes, true);
	const char *path = cs_ue_join(
		&build->arena, build->project->root, "/cellscope-classes.json", (char *)NULL);
	return path ? cs_ue_load_class_rows(build, path, false) : cs_error_nomem();
}

/* Returns the first error if not a single actor could be read. */
static struct cs_error *check_result(struct cs_ue_build *build)
{
	if (build->read > 0 || !build->first_error)
		return NULL;
	struct cs_error *error = build->first_error;
	build->first_error = NULL;
	return cs_error_wrap(
		error, "none of the map's %zu actors can be read", build->world->unreadable);
}

static struct cs_error *project_open_read_all(
	struct cs_ue_build *build, const char *map, const struct cs_ue_options *options)
{
	struct cs_world *world = build->world;
	struct cs_error *error = load_classes(build, options);
	if (!error)
		error = project_open_read_settings(build, map);
	if (!error)
		error = read_main(build, map);
	if (!error)
		error = check_result(build);
	if (!error)
		error = read_added(build, map);
	if (!error)
		error = cs_ue_drop_shared(build);
	if (!error)
		error = read_levels(build);
	if (!error)
		error = cs_ue_finish_layers(build, map, 0);
	if (!error)
		error = cs_ue_read_hlod_layers(build, 0);
	world->settings.source = cs_ue_intern_text(build, "uproject");
	if (!error && build->no_memory)
		error = cs_error_nomem();
	return error ? error : cs_world_seal(world, build->job);
}

static void report(const struct cs_ue_build *build)
{
	const struct cs_world *world = build->world;
	if (build->lfs_pointers)
		cs_job_log(build->job, CS_LOG_WARNING,
			"E_LFS: packages that are only pointers of Git LFS: %zu (`git lfs "
			"ls-files` marks them with -); `git lfs pull` fetches their content",
			build->lfs_pointers);
	cs_job_log(build->job, CS_LOG_INFO,
		"%s: engine %s, actors %zu, containers %zu, unreadable packages %zu",
		cs_world_text(world, world->settings.package),
		cs_world_text(world, world->settings.engine), world->actors.n, world->containers.n,
		world->unreadable);
}

static void deinit(struct cs_ue_build *build)
{
	cs_vec_free(&build->class_paths);
	cs_vec_free(&build->classes);
	cs_vec_free(&build->rows);
	cs_vec_free(&build->placements);
	cs_vec_free(&build->layer_files);
	cs_vec_free(&build->script_packages);
	cs_vec_free(&build->damaged_assets);
	cs_strings_deinit(&build->checked);
	cs_error_free(build->first_error);
	cs_arena_deinit(&build->arena);
	cs_arena_deinit(&build->scratch);
}

static struct cs_error *open_project_map(struct cs_ue_project *project, const char *map,
	const struct cs_ue_options *options, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_ue_build build = {.project = project,
		.job = job,
		.limits = cs_job_limits(job),
		.whole = options->whole};
	struct cs_error *error = cs_world_new(map, &build.world);
	if (error)
		return error;
	error = project_open_read_all(&build, map, options);
	if (!error)
		report(&build);
	deinit(&build);
	if (error)
		cs_world_free(build.world);
	else
		*ret = build.world;
	return error;
}

struct cs_error *cs_ue_open_project(const char *path, const char *map,
	const struct cs_ue_options *options, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_ue_project project;
	struct cs_ue_options own = {0};
	const char *package;
	struct cs_error *error =
		options ? cs_options_read(options, sizeof(own), &own, sizeof(own)) : NULL;
	if (!error)
		error = cs_ue_project_open(path, job, &project);
	if (error)
		return error;
	error = cs_ue_choose_map(&project, map, job, &package);
	if (!error)
		error = open_project_map(&project, package, &own, job, ret);
	cs_ue_project_close(&project);
	return error;
}
