/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a map in phases: names and export tables, then the engine release, properties, and names of
 * cells that are stored as hashes. If a later phase fails, the facts from names and export tables
 * are kept.
 */
#include "ue/map/umap.h"

#include "core/search.h"
#include "core/sort.h"

#include <stdio.h>
#include <stdlib.h>

void cs_ue_map_free(struct cs_ue_map *map)
{
	if (!map)
		return;
	cs_vec_free(&map->partitions);
	cs_vec_free(&map->cells);
	free(map->by_name);
	cs_vec_free(&map->layers);
	cs_vec_free(&map->actors);
	cs_vec_free(&map->remapping);
	if (map->decodes)
		cs_ue_decoder_deinit(&map->decoder);
	cs_arena_deinit(&map->arena);
	cs_ue_cooked_package_close(map->package);
	cs_error_free(map->problem);
	free(map);
}

static int umap_by_name(const void *left, const void *right, void *context)
{
	const struct cs_ue_map *map = context;
	return cs_name_compare(map->cells.at[*(const uint32_t *)left].name,
		map->cells.at[*(const uint32_t *)right].name);
}

struct cs_error *cs_ue_map_index_cells(struct cs_ue_map *map)
{
	map->by_name = cs_sorted_rows(map->cells.n, umap_by_name, map);
	return map->by_name ? NULL : cs_error_nomem();
}

struct cs_ue_map_cell *cs_ue_map_cell_named(const struct cs_ue_map *map, const char *name)
{
	const struct cs_ue_map_cell *cells = map->cells.at;
	size_t row = cs_lower_bound(
		0, map->cells.n, i, cs_name_compare(cells[map->by_name[i]].name, name) < 0);
	struct cs_ue_map_cell *cell = row < map->cells.n ? &map->cells.at[map->by_name[row]] : NULL;
	return cell && cs_name_compare(cell->name, name) == 0 ? cell : NULL;
}

bool cs_ue_map_package(const struct cs_ue_map *map, const struct cs_ue_place *place,
	const char *package, size_t *ret)
{
	const char *file = map->package->file, *dot = strrchr(file, '.');
	const char *rest = strstr(package, "/_Generated_/");
	char path[4096];
	if (dot && rest &&
		snprintf(path, sizeof(path), "%.*s%s%s", (int)(dot - file), file, rest, dot) <
			(int)sizeof(path) &&
		cs_ue_place_at(place, path, ret))
		return true;
	/* if the place contains two cooks of the map, this could find a file of the other cook */
	return !cs_ue_place_has_copies(place, map->package->name) &&
	       cs_ue_place_package(place, package, ret);
}

/* Finds the releases whose class tables fit the map; a requested release must be one of them. */
static struct cs_error *find_release(struct cs_ue_map *map, const struct cs_ue_map_options *options)
{
	if (options->release == CS_UE_RELEASES)
		return cs_ue_find_release(map->package, options->mapping, &map->fits);
	uint32_t asked = 1u << options->release, candidates = map->package->releases;
	uint32_t could = 0;
	char text[128];
	map->package->releases = asked;
	struct cs_error *error = cs_ue_find_release(map->package, options->mapping, &map->fits);
	map->package->releases = candidates;
	if (!error || error->code != CS_E_VERSION)
		return error;
	/* the requested release does not fit: name one that would */
	struct cs_error *other = cs_ue_find_release(map->package, options->mapping, &could);
	if (other) {
		cs_error_free(other);
		return error;
	}
	cs_error_free(error);
	cs_ue_cooked_releases_text(could, text, sizeof(text));
	return cs_error_at(CS_E_VERSION, map->package->file, CS_NO_OFFSET,
		"the package was not written by engine %s, but by %s: name that version with "
		"--engine",
		cs_ue_releases[options->release].name, text);
}

static struct cs_error *read_properties(
	struct cs_ue_map *map, const struct cs_ue_map_options *options)
{
	struct cs_error *error = find_release(map, options);
	if (error)
		return error;
	map->release = map->package->release;
	cs_ue_decoder_init(&map->decoder, map->package, map->release, options->mapping);
	map->decodes = true;
	error = cs_ue_map_properties(map);
	if (!error)
		error = cs_ue_map_actors(map);
	map->has_properties = !error;
	return error;
}

static bool has_bytes(const struct cs_ue_cooked_package *package)
{
	for (uint32_t i = 0; i < package->n_exports; i++)
		if (!cs_ue_cooked_has_bytes(package, &package->exports[i]))
			return false;
	return true;
}

struct cs_error *cs_ue_map_read(struct cs_ue_cooked_package *package,
	const struct cs_ue_map_options *options, struct cs_ue_map **ret)
{
	struct cs_ue_map *map = calloc(1, sizeof(*map));
	if (!map) {
		cs_ue_cooked_package_close(package);
		return cs_error_nomem();
	}
	map->package = package;
	map->release = CS_UE_RELEASES;
	map->cooked = map->streaming = map->partitioned = -1;
	struct cs_error *error = cs_ue_map_names(map);
	if (!error && !options->names_alone && has_bytes(package)) {
		error = read_properties(map, options);
		if (error && options->release == CS_UE_RELEASES && error->code == CS_E_VERSION) {
			map->problem = error;
			error = NULL;
		}
	}
	if (!error)
		error = cs_ue_map_search(map);
	if (error)
		cs_ue_map_free(map);
	else
		*ret = map;
	return error;
}
