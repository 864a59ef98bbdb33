/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the maps of a place (an opened folder), and opens one of them as a cooked world. */
#include "ue/map/umap.h"

#include "core/error_inside.h"
#include "core/job.h"
#include "core/options.h"
#include "format/byte_source.h"
#include "ue/map/check_cooked.h"
#include "ue/project/files.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_map(const struct cs_ue_place_file *file)
{
	return cs_ends_with(file->path, ".umap") && file->path[5] && !file->hidden &&
	       !strcasestr(file->path, "_Generated_");
}

/* Returns the file's long package name, or its path if it has none or another file has the same. */
static const char *map_name(const struct cs_ue_place *place, const struct cs_ue_place_file *file)
{
	return *file->package && !cs_ue_place_has_copies(place, file->package) ? file->package
									       : file->path;
}

struct cs_error *cs_ue_place_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_ue_place_map **ret, size_t *n_ret)
{
	CS_VEC(struct cs_ue_place_map) maps = {0};
	struct cs_error *error = NULL;
	for (size_t i = 0; i < place->n_files && !error; i++) {
		struct cs_ue_cooked_package *package;
		if (!is_map(&place->files[i]))
			continue;
		struct cs_ue_place_map map = {
			.package = map_name(place, &place->files[i]), .file = i};
		struct cs_error *bad = cs_ue_cooked_header_open(place, i, job, &package);
		map.readable = !bad;
		if (!bad) {
			map.partitioned =
				cs_ue_cooked_export_of_class(package, "WorldPartition") != NULL &&
				!(package->flags & CS_UE_PACKAGE_GENERATED);
			cs_ue_cooked_package_close(package);
		}
		if (bad && bad->code == CS_E_NOMEM)
			error = bad;
		else
			cs_error_free(bad);
		if (!error && !cs_vec_push(&maps, map))
			error = cs_error_nomem();
	}
	return cs_vec_give(&maps, error, ret, n_ret);
}

/* Returns why the first unreadable map cannot be read, and the number of unreadable maps. */
static struct cs_error *no_readable_map(const struct cs_ue_place *place,
	const struct cs_ue_place_map *maps, size_t n, size_t unreadable, const struct cs_job *job)
{
	struct cs_ue_cooked_package *package;
	size_t first = 0;
	while (maps[first].readable)
		first++;
	struct cs_error *error = cs_ue_cooked_header_open(place, maps[first].file, job, &package);
	if (!error) { /* the file was replaced after it was read for the first time */
		cs_ue_cooked_package_close(package);
		error = cs_error_new(CS_E_CHANGED, "the map has changed while it was read");
	}
	return cs_error_wrap(error,
		"%s: %zu of %zu maps cannot be read, and none of the others is partitioned; %s",
		place->path, unreadable, n, maps[first].package);
}

/* Returns whether the place is a .pak, and a .utoc beside it contains the packages of the game. */
static bool has_other_container(const struct cs_ue_place *place)
{
	char path[4096];
	const size_t n = strlen(place->path);
	if (n + 2 > sizeof(path) || !cs_ends_with(place->path, ".pak"))
		return false;
	snprintf(path, sizeof(path), "%.*s.utoc", (int)n - 4, place->path);
	return cs_ue_is_file(path);
}

static struct cs_error *list_maps(const struct cs_ue_place *place,
	const struct cs_ue_place_map *maps, size_t n, const struct cs_job *job)
{
	char text[700] = "";
	size_t at = 0, listed = 0, unreadable = 0;
	for (size_t i = 0; i < n; i++) {
		unreadable += !maps[i].readable;
		if (!maps[i].partitioned || at + 2 >= sizeof(text) || listed == 10)
			continue;
		int wrote = snprintf(text + at, sizeof(text) - at, "%s%s", listed++ ? ", " : "",
			maps[i].package);
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	if (listed == 0 && unreadable > 0)
		return no_readable_map(place, maps, n, unreadable, job);
	const char *other = has_other_container(place)
				    ? "; the packages of the game are in the .utoc beside it"
				    : "";
	if (n == 0)
		return cs_error_new(CS_E_NOMAP, "%s: the content has no map%s", place->path, other);
	if (listed == 0)
		return cs_error_new(CS_E_NOMAP, "%s: none of its %zu maps has a world partition%s",
			place->path, n, other);
	return cs_error_new(CS_E_NOMAP,
		"%s: several maps have a world partition, so --map must name one: %s", place->path,
		text);
}

/* Finds the file of the map with this name or, if `name` is NULL, of the only partitioned map. */
static struct cs_error *cooked_open_choose(
	const struct cs_ue_place *place, const char *name, const struct cs_job *job, size_t *ret)
{
	struct cs_ue_place_map *maps;
	size_t n, found = 0;
	struct cs_error *error = NULL;
	if (name)
		return cs_ue_place_find(place, name, ret);
	error = cs_ue_place_maps(place, job, &maps, &n);
	if (error)
		return error;
	if (n == 1) { /* use the only map even if it is faulty: opening it reports the fault */
		*ret = maps[0].file;
		free(maps);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		if (maps[i].partitioned) {
			*ret = maps[i].file;
			found++;
		}
	if (found != 1)
		error = list_maps(place, maps, n, job);
	free(maps);
	return error;
}

static struct cs_error *read_options(const struct cs_ue_cooked_options *given,
	const struct cs_job *job, struct cs_ue_schema *mapping, struct cs_ue_map_options *ret)
{
	struct cs_ue_cooked_options own, *const options = &own;
	unsigned char *bytes;
	size_t size;
	*ret = (struct cs_ue_map_options){.release = CS_UE_RELEASES};
	if (!given)
		return NULL;
	struct cs_error *error = cs_options_read(given, sizeof(own), &own, sizeof(own));
	if (error)
		return error;
	ret->names_alone = options->names_alone;
	if (options->engine) {
		ret->release = cs_ue_release_named(options->engine);
		if (ret->release == CS_UE_RELEASES)
			return cs_error_new(CS_E_USAGE,
				"unknown engine version '%s'; versions are 5.0 to 5.8 and 6.0",
				options->engine);
	}
	if (!options->usmap)
		return NULL;
	error = cs_read_whole(options->usmap, cs_job_limits(job).memory, &bytes, &size);
	if (error)
		return error->code == CS_E_LIMIT ? cs_error_add(error, " (raise it with --max-mem)")
						 : error;
	error = cs_ue_read_usmap(bytes, size, options->usmap, mapping);
	free(bytes);
	if (!error)
		ret->mapping = mapping;
	return error;
}

/* Reads the map in a file. Returns E_NOMAP if it has no world partition. */
static struct cs_error *read_map(const struct cs_ue_place *place, size_t file,
	const struct cs_ue_map_options *options, const struct cs_job *job, struct cs_ue_map **ret)
{
	struct cs_ue_cooked_package *package;
	struct cs_ue_map *map = NULL;
	struct cs_error *error = options->names_alone
					 ? cs_ue_cooked_header_open(place, file, job, &package)
					 : cs_ue_cooked_package_open(place, file, job, &package);
	if (!error)
		error = cs_ue_map_read(package, options, &map);
	if (error)
		return error;
	if (map->is_world_partition) {
		*ret = map;
		return NULL;
	}
	cs_ue_map_free(map);
	return cs_error_new(CS_E_NOMAP, "%s: the package is not a map with a world partition",
		place->files[file].path);
}

/* A map that was chosen and read, and the options and class tables that were used to read it. */
struct opened {
	struct cs_ue_schema mapping;
	struct cs_ue_map_options options;
	struct cs_ue_map *map;
};

static void close_chosen(struct opened *opened)
{
	cs_ue_map_free(opened->map);
	cs_ue_schema_deinit(&opened->mapping);
}

/* Opens the map with this name. The caller closes it, also after an error. */
static struct cs_error *open_chosen(const struct cs_ue_place *place, const char *name,
	const struct cs_ue_cooked_options *options, const struct cs_job *job, struct opened *ret)
{
	size_t file;
	*ret = (struct opened){.mapping = {.release = CS_UE_RELEASES}};
	struct cs_error *error = read_options(options, job, &ret->mapping, &ret->options);
	if (!error)
		error = cooked_open_choose(place, name, job, &file);
	return error ? error : read_map(place, file, &ret->options, job, &ret->map);
}

struct cs_error *cs_ue_place_open_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret)
{
	struct opened opened;
	struct cs_error *error = open_chosen(place, map, options, job, &opened);
	if (!error && opened.map->problem)
		cs_job_log(job, CS_LOG_WARNING, "%s: only names and export tables are read: %s",
			opened.map->package->file, opened.map->problem->message);
	if (!error)
		error = cs_ue_map_to_world(
			place, opened.map, &opened.options, job, bytes_ret, size_ret);
	close_chosen(&opened);
	return error;
}

struct cs_error *cs_ue_place_check_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret)
{
	struct opened opened;
	struct cs_error *error = open_chosen(place, map, options, job, &opened);
	if (!error)
		error = cs_ue_map_check(
			place, opened.map, &opened.options, job, report, context, ret);
	close_chosen(&opened);
	return error;
}

/* ---- recognising folders of cooked packages ---- */

static bool is_cooked_package(const char *path)
{
	struct cs_source_file source;
	unsigned char head[24];
	bool cooked = false;
	struct cs_error *error = cs_source_open(path, UINT64_MAX, &source);
	if (!error) {
		error = cs_source_read(&source, 0, head, sizeof(head));
		/* a cooked Zen package has a flag, a legacy one normally has no versions */
		cooked = !error &&
			 (cs_load32(head) <= 1 ? cs_load32(head + 16) & CS_UE_PACKAGE_COOKED
					       : cs_load32(head) == 0x9e2a83c1 &&
							 cs_load32(head + 12) == 0);
		cs_source_close(&source);
	}
	cs_error_free(error);
	return cooked;
}

bool cs_ue_is_cooked_folder(const char *path)
{
	static const char *const endings[] = {".utoc", ".ucas", ".pak", ".projectstore", ".uexp",
		".umap", ".uzenasset", ".uasset"};
	bool found = false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]) && !found; i++) {
		struct cs_ue_files files;
		struct cs_error *error = cs_ue_find_files(path, endings[i], NULL, NULL, &files);
		if (!error) {
			found = files.paths.n > 0 &&
				(i < 5 || is_cooked_package(files.paths.at[0]));
			cs_ue_files_deinit(&files);
		}
		cs_error_free(error);
	}
	return found;
}
