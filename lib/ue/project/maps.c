/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the maps of a project. The registry section of a map stores whether the map is partitioned,
 * but not in 5.0; there, maps with external actors are searched for the export of a world
 * partition.
 */
#include "ue/project/project.h"

#include "core/job.h"
#include "core/sort.h"
#include "core/text.h"
#include "ue/package/package.h"

#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

struct maps {
	struct cs_ue_maps list; /* must be first, because callers free this address */
	struct cs_ue_project project;
};

enum { SHOWN_MAPS = 20 };

/* ---- listing maps ---- */

static struct cs_error *has_external_actors(
	const struct cs_ue_project *project, const char *package, bool *ret)
{
	struct cs_arena arena = CS_ARENA_INIT;
	const char *folder = cs_ue_package_file(project, &arena, package, "__ExternalActors__", "");
	*ret = folder && *folder && cs_ue_is_folder(folder);
	cs_arena_deinit(&arena);
	return folder ? NULL : cs_error_nomem();
}

static struct cs_error *has_world_partition(
	const char *file, const struct cs_limits *limits, bool *ret)
{
	struct cs_ue_package package;
	struct cs_error *error = cs_ue_package_open(file, limits, &package);
	if (error)
		return error;
	*ret = cs_ue_export_of_class(&package, "WorldPartition") != NULL;
	cs_ue_package_close(&package);
	return NULL;
}

/* Stores in `map` whether this map of 5.0 has a world partition, which its exports show. */
static struct cs_error *search_partition(const struct cs_ue_project *project,
	const struct cs_limits *limits, struct cs_ue_map_entry *map)
{
	bool has_actors;
	struct cs_error *error = has_external_actors(project, map->package, &has_actors);
	return error || !has_actors ? error
				    : has_world_partition(map->file, limits, &map->partitioned);
}

/* Frees an error of a single map and returns NULL, but returns an error that ends the listing. */
static struct cs_error *tolerate(struct cs_error *error)
{
	if (!error || cs_error_is_final(error))
		return error;
	cs_error_free(error);
	return NULL;
}

static struct cs_error *maps_look_at(const struct cs_ue_project *project,
	const struct cs_limits *limits, struct cs_ue_reader *reader, struct cs_ue_map_entry *map)
{
	struct cs_ue_head head;
	struct cs_error *error = cs_ue_open_head(map->file, limits->file_bytes, reader, &head);
	map->readable = !error;
	if (error)
		return tolerate(error);
	struct cs_ue_string tag = head.asset.tags[CS_UE_TAG_PARTITIONED];
	if (!tag.at)
		return tolerate(search_partition(project, limits, map));
	map->partitioned = cs_ue_string_equals(tag, "1");
	return NULL;
}

static int maps_by_package(const void *left, const void *right, void *context)
{
	(void)context;
	const struct cs_ue_map_entry *l = left, *r = right;
	int by_name = cs_name_compare(l->package, r->package);
	return by_name ? by_name : strcmp(l->package, r->package);
}

/* Finds all .umap files in all mounted folders, without reading them. */
static struct cs_error *find_files(struct cs_ue_project *project, const struct cs_job *job,
	struct cs_ue_map_entry **ret, size_t *n_ret)
{
	CS_VEC(struct cs_ue_map_entry) maps = {0};
	struct cs_error *error = NULL;
	bool good = true;
	for (size_t m = 0; m < project->mounts.n && !error && good; m++) {
		struct cs_ue_files files;
		error = cs_ue_find_files(
			project->mounts.at[m].folder, ".umap", "__External*", job, &files);
		if (error)
			break;
		for (size_t i = 0; i < files.paths.n && good; i++) {
			const char *path = files.paths.at[i];
			struct cs_ue_map_entry map = {
				.package = cs_ue_file_package(project, &project->arena, path),
				.file = cs_arena_copy(&project->arena, path),
			};
			good = map.package && map.file && cs_vec_push(&maps, map);
		}
		cs_ue_files_deinit(&files);
	}
	if (!error && !good)
		error = cs_error_nomem();
	return cs_vec_give(&maps, error, ret, n_ret);
}

/* Lists the maps of a project. The caller frees the list. The project's arena owns its texts. */
static struct cs_error *ue_find_maps(
	struct cs_ue_project *project, const struct cs_job *job, struct cs_ue_maps *ret)
{
	struct cs_ue_map_entry *maps = NULL;
	struct cs_ue_reader reader = {0};
	size_t n = 0;
	struct cs_error *error = find_files(project, job, &maps, &n);
	if (!error && !cs_sort(maps, n, sizeof(*maps), maps_by_package, NULL))
		error = cs_error_nomem();
	const struct cs_limits limits = cs_job_limits(job);
	for (size_t i = 0; i < n && !error; i++) {
		error = cs_job_check(job);
		if (!error)
			error = maps_look_at(project, &limits, &reader, &maps[i]);
	}
	cs_ue_reader_deinit(&reader);
	*ret = (struct cs_ue_maps){maps, n};
	return error;
}

struct cs_error *cs_ue_list_maps(
	const char *path, const struct cs_job *job, struct cs_ue_maps **ret)
{
	struct maps *maps = calloc(1, sizeof(*maps));
	if (!maps)
		return cs_error_nomem();
	struct cs_error *error = cs_ue_project_open(path, job, &maps->project);
	if (!error)
		error = ue_find_maps(&maps->project, job, &maps->list);
	if (error)
		cs_ue_maps_free(&maps->list);
	else
		*ret = &maps->list;
	return error;
}

void cs_ue_maps_free(struct cs_ue_maps *list)
{
	if (!list)
		return;
	struct maps *maps = (struct maps *)list;
	free((void *)list->maps);
	cs_ue_project_close(&maps->project);
	free(maps);
}

/* ---- choosing a map ---- */

/* Returns the error that no map is partitioned, which names the first unreadable map, if any. */
static struct cs_error *no_partitioned_map(const struct cs_ue_project *project,
	const struct cs_ue_maps *maps, const char *what, const char *name)
{
	if (maps->n == 0)
		return cs_error_at(CS_E_NOMAP, project->file, CS_NO_OFFSET,
			"%s%s; the project has no map (.umap), neither in Content nor in its "
			"plugins",
			what, name);
	for (size_t i = 0; i < maps->n; i++)
		if (!maps->maps[i].readable)
			return cs_error_at(CS_E_NOMAP, project->file, CS_NO_OFFSET,
				"%s%s; of the project's %zu maps none that can be read has a world "
				"partition, and %s cannot be read",
				what, name, maps->n, maps->maps[i].package);
	return cs_error_at(CS_E_NOMAP, project->file, CS_NO_OFFSET,
		"%s%s; none of the project's %zu maps has a world partition", what, name, maps->n);
}

/* Returns the error "WHAT NAME; the partitioned maps are /Game/A, /Game/B and others". */
static struct cs_error *no_map(const struct cs_ue_project *project, const struct cs_ue_maps *maps,
	const char *what, const char *name)
{
	char list[2048] = "";
	size_t length = 0, shown = 0, partitioned = 0;
	for (size_t i = 0; i < maps->n; i++) {
		const char *package = maps->maps[i].package;
		if (!maps->maps[i].partitioned)
			continue;
		partitioned++;
		if (shown == SHOWN_MAPS || strlen(package) + 3 > sizeof(list) - length)
			continue;
		length += (size_t)snprintf(
			list + length, sizeof(list) - length, "%s%s", shown ? ", " : "", package);
		shown++;
	}
	if (partitioned == 0)
		return no_partitioned_map(project, maps, what, name);
	return cs_error_at(CS_E_NOMAP, project->file, CS_NO_OFFSET,
		"%s%s: --map must name one of the partitioned maps %s%s", what, name, list,
		shown < partitioned ? " and others" : "");
}

static bool same_file(const char *left, const char *right)
{
	struct stat l, r;
	return stat(left, &l) == 0 && stat(right, &r) == 0 && l.st_dev == r.st_dev &&
	       l.st_ino == r.st_ino;
}

/* Returns whether `name` is the map's file, relative to the current or the project's folder. */
static bool is_file_of(
	const struct cs_ue_project *project, const struct cs_ue_map_entry *map, const char *name)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/%s", project->root, name);
	return same_file(map->file, name) || (n < (int)sizeof(path) && same_file(map->file, path));
}

/*
 * Returns whether `name` is the text that the editor copies for a map, such as
 * "/Script/Engine.World'/Game/M.M'". A shell may have removed the quotes.
 */
static bool is_copied_path(const struct cs_ue_map_entry *map, const char *name)
{
	const char *short_name = cs_last_name(map->package);
	const size_t n = strlen(map->package), m = strlen(short_name);
	const size_t all = strlen(name), length = all - (all > 0 && name[all - 1] == '\'');
	const char *path = length > n + m ? name + length - n - m - 1 : "";
	return strncasecmp(path, map->package, n) == 0 && path[n] == '.' &&
	       strncasecmp(path + n + 1, short_name, m) == 0;
}

/*
 * Returns whether `name` stands for the map. It can be a package name, a short name, an object path
 * or a file. NULL stands for any partitioned map.
 */
static bool is_meant(
	const struct cs_ue_project *project, const struct cs_ue_map_entry *map, const char *name)
{
	if (!name)
		return map->partitioned;
	if (cs_name_compare(map->package, name) == 0 ||
		cs_name_compare(cs_last_name(map->package), name) == 0)
		return true;
	size_t n = strlen(map->package);
	return (strncasecmp(map->package, name, n) == 0 && (name[n] == '.' || name[n] == ':')) ||
	       is_copied_path(map, name) || is_file_of(project, map, name);
}

/* Finds a map by package name or object path, reading no other map, or sets *ret to NULL. */
static struct cs_error *find_by_path(
	struct cs_ue_project *project, const char *name, const char **ret)
{
	const char *package = cs_ue_package_of(&project->arena, name);
	const char *file =
		package ? cs_ue_package_file(project, &project->arena, package, "", ".umap") : NULL;
	if (!file)
		return cs_error_nomem();
	*ret = *file && cs_ue_is_file(file) ? package : NULL;
	return NULL;
}

static struct cs_error *choose(const struct cs_ue_project *project, const struct cs_ue_maps *maps,
	const char *name, const char **ret)
{
	const struct cs_ue_map_entry *chosen = NULL, *partitioned = NULL;
	size_t meant = 0, n_partitioned = 0;
	for (size_t i = 0; i < maps->n; i++) {
		if (!is_meant(project, &maps->maps[i], name))
			continue;
		chosen = &maps->maps[i];
		meant++;
		if (!chosen->partitioned)
			continue;
		partitioned = chosen;
		n_partitioned++;
	}
	/* if several maps have the name, choose the only partitioned one of them */
	if (meant > 1 && n_partitioned == 1) {
		chosen = partitioned;
		meant = 1;
	}
	if (meant == 0 && !name && maps->n == 1) {
		/* choose the only map even if it is faulty: opening it reports the fault */
		chosen = &maps->maps[0];
		meant = 1;
	}
	if (meant == 1) {
		*ret = chosen->package;
		return NULL;
	}
	if (name)
		return no_map(project, maps, meant ? "several maps are named " : "no map is named ",
			name);
	return no_map(project, maps, meant ? "the project has several maps" : "no map to open", "");
}

struct cs_error *cs_ue_choose_map(
	struct cs_ue_project *project, const char *name, const struct cs_job *job, const char **ret)
{
	struct cs_ue_maps maps;
	const char *found = NULL;
	struct cs_error *error = name && *name == '/' ? find_by_path(project, name, &found) : NULL;
	if (error || found) {
		*ret = found;
		return error;
	}
	error = ue_find_maps(project, job, &maps);
	if (!error)
		error = choose(project, &maps, name, ret);
	free((void *)maps.maps);
	return error;
}
