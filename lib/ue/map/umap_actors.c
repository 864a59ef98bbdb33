/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the actors that a level lists (ue-cooked rules 7.4): those of the persistent level in a
 * map, those of one cell in a generated package. World transforms are computed from the root
 * component through its attach parents.
 */
#include "core/geometry.h"

#include "core/text.h"
#include "ue/map/umap.h"

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
 * Computes an actor's world transform from its own and its attach parents'. It stays unknown if a
 * parent is in another package, cannot be read or is attached to itself.
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

static struct cs_error *umap_actors_read_actor(struct cs_ue_map *map, struct cs_ue_map_actor *actor,
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

struct cs_error *cs_ue_map_actors(struct cs_ue_map *map)
{
	const struct cs_ue_cooked_package *package = map->package;
	struct cs_error *error = NULL;
	for (uint32_t i = 0, row = 0; i < package->n_exports && row < map->actors.n && !error; i++)
		if (package->exports[i].name == map->actors.at[row].name)
			error = umap_actors_read_actor(
				map, &map->actors.at[row++], &package->exports[i]);
	return error;
}
