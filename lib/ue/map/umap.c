/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a map in phases: names and export tables, then the engine release, properties, and names of
 * cells that are stored as hashes. If a later phase fails, the facts from names and export tables
 * are kept. World transforms of actors are computed from the root component through its attach
 * parents.
 */
#include "ue/map/umap.h"

#include "core/geometry.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"

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
	/* a search by package name could find a file of another cook of this map in the place */
	return !cs_ue_place_has_copies(place, map->package->name) &&
	       cs_ue_place_package(place, package, ret);
}

/* ---- the actors that a level lists (ue-cooked rules 7.4) ---- */

enum { DEEPEST_PARENT = 32 };

static void read_three(const struct cs_ue_node *node, double ret[3])
{
	if (node && node->kind == CS_UE_NODE_NUMBERS && node->n >= 3)
		memcpy(ret, node->numbers, 3 * sizeof(*ret));
}

static struct cs_error *component_at(
	struct cs_ue_map *map, int64_t reference, struct cs_ue_object *ret, bool *found_ret)
{
	const struct cs_ue_cooked_export *export =
		cs_ue_cooked_export_at(map->package, (int32_t)reference);
	*found_ret = export != NULL;
	return export ? cs_ue_decode(&map->decoder, export, ret) : NULL;
}

static struct cs_transform relative_of(const struct cs_ue_object *component)
{
	double location[3] = {0}, rotation[3] = {0}, scale[3] = {1, 1, 1};
	const struct cs_ue_node *node = component->properties;
	read_three(cs_ue_child(node, "RelativeLocation"), location);
	read_three(cs_ue_child(node, "RelativeRotation"), rotation);
	read_three(cs_ue_child(node, "RelativeScale3D"), scale);
	return (struct cs_transform){cs_quat_from_euler(rotation[0], rotation[1], rotation[2]),
		{location[0], location[1], location[2]}, {scale[0], scale[1], scale[2]}};
}

/*
 * Computes the world transform of an actor from its own transform and those of its attach parents.
 * It stays unknown if a parent is in another package, cannot be read or is attached to itself.
 */
static struct cs_error *compose(
	struct cs_ue_map *map, struct cs_ue_object component, struct cs_ue_map_actor *actor)
{
	struct cs_transform whole = relative_of(&component);
	for (int depth = 0; depth < DEEPEST_PARENT; depth++) {
		bool found;
		int64_t parent = cs_ue_child_integer(component.properties, "AttachParent", 0);
		if (parent == 0) {
			actor->transform = whole;
			actor->has_transform = true;
			return NULL;
		}
		struct cs_error *error = component_at(map, parent, &component, &found);
		if (error || !found || component.problem)
			return error;
		struct cs_transform outer = relative_of(&component);
		whole = cs_transform_compose(&whole, &outer);
	}
	return NULL;
}

static struct cs_error *read_root(
	struct cs_ue_map *map, const struct cs_ue_node *properties, struct cs_ue_map_actor *actor)
{
	struct cs_ue_object root;
	bool found;
	const struct cs_ue_node *reference = cs_ue_child(properties, "RootComponent");
	struct cs_error *error =
		component_at(map, reference ? reference->integer : 0, &root, &found);
	if (error || !found)
		return error;
	actor->root = cs_object_name(reference->text);
	actor->scale[0] = actor->scale[1] = actor->scale[2] = 1;
	read_three(cs_ue_child(root.properties, "RelativeLocation"), actor->location);
	read_three(cs_ue_child(root.properties, "RelativeRotation"), actor->rotation);
	read_three(cs_ue_child(root.properties, "RelativeScale3D"), actor->scale);
	const char *mesh = cs_ue_child_text(root.properties, "StaticMesh");
	actor->mesh = *mesh ? mesh : NULL;
	return root.problem ? NULL : compose(map, root, actor);
}

static struct cs_error *umap_read_actor(struct cs_ue_map *map, struct cs_ue_map_actor *actor,
	const struct cs_ue_cooked_export *export)
{
	struct cs_ue_object object;
	struct cs_error *error = cs_ue_decode(&map->decoder, export, &object);
	if (error)
		return error;
	const char *label = cs_ue_child_text(object.tail, "ActorLabel");
	actor->label = *label ? label : NULL;
	actor->has_guid = cs_ue_child(object.tail, "ActorGuid") != NULL;
	actor->guid = cs_ue_child_guid(object.tail, "ActorGuid");
	actor->instance_guid = cs_ue_child_guid(object.tail, "ActorInstanceGuid");
	actor->source_cell = cs_ue_child_guid(object.properties, "SourceCellGuid");
	actor->no_warmup = cs_ue_child_integer(object.properties, "bRequireWarmup", 1) == 0;
	return read_root(map, object.properties, actor);
}

/* ---- the phases ---- */

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
	/* the requested release does not fit, and the error names the release that does */
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
	if (!error) {
		const struct cs_ue_cooked_package *package = map->package;
		for (uint32_t i = 0, row = 0;
			i < package->n_exports && row < map->actors.n && !error; i++)
			if (package->exports[i].name == map->actors.at[row].name)
				error = umap_read_actor(
					map, &map->actors.at[row++], &package->exports[i]);
	}
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
