/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the packages of actors of a made-up project. An actor of the world becomes a descriptor of
 * its engine, the reverse of what reading does: transforms into the space of the attach parent,
 * bounds into the space of the actor, everything in the fields that the engine has.
 */
#include "tests/make/made.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/text.h"
#include "tests/make/ue_write.h"
#include "tests/make/writes.h"
#include "ue/package/registry.h"
#include <cellscope/cooked_values.h>

#include <math.h>

struct actor_writer {
	const struct cs_ue_made *made;
	const struct cs_world *world;
	const struct cs_actor *actor;
	struct cs_ue_out *out;
};

/* ---- texts and lists ---- */

static const char *text_at(const struct actor_writer *w, uint32_t text)
{
	return cs_world_text(w->world, text);
}

static struct cs_ue_string name_of(struct cs_ue_out *out, const char *text)
{
	return cs_ue_string_of(*text ? text : "None", &out->arena);
}

/* "/Game/X.X" as package and asset, nothing as None twice; or in one name, as older fields have it.
 */
static struct cs_ue_path path_of(struct cs_ue_out *out, const char *text, bool in_one_name)
{
	struct cs_ue_path path = {.package = name_of(out, text),
		.asset = name_of(out, ""),
		.sub = cs_ue_string_of("", &out->arena)};
	const char *dot = strchr(text, '.');
	if (in_one_name || !dot)
		return path;
	const char *package = cs_arena_text(&out->arena, text, (size_t)(dot - text));
	out->failed |= !package;
	path.package = cs_ue_string_of(package ? package : "", &out->arena);
	path.asset = cs_ue_string_of(dot + 1, &out->arena);
	return path;
}

/* Bytes that were written become a list in the package's arena. */
static struct cs_ue_list list_of(struct cs_ue_out *out, struct cs_writer *bytes, uint32_t n)
{
	unsigned char *copy = cs_arena_alloc(&out->arena, bytes->size, 1);
	struct cs_ue_list list = {0};
	out->failed |= !copy || bytes->failed;
	if (!out->failed) {
		list = (struct cs_ue_list){copy, bytes->size, n};
		if (bytes->size)
			memcpy(copy, bytes->bytes, bytes->size);
	}
	cs_writer_deinit(bytes);
	return list;
}

static struct cs_ue_list texts_of(
	struct cs_ue_out *out, const struct cs_world *world, struct cs_range range, uint32_t n)
{
	struct cs_writer bytes = {0};
	for (uint32_t i = 0; i < range.count; i++)
		cs_ue_write_string(&bytes,
			name_of(out, cs_world_text(world, world->texts.at[range.first + i])));
	return list_of(out, &bytes, n);
}

static struct cs_ue_list guids_of(const struct actor_writer *w, struct cs_range range)
{
	struct cs_writer bytes = {0};
	for (uint32_t i = 0; i < range.count; i++)
		cs_writer_guid(&bytes, w->world->guids.at[range.first + i]);
	return list_of(w->out, &bytes, range.count);
}

/* ---- space ---- */

static struct cs_quat conjugate(struct cs_quat q)
{
	return (struct cs_quat){-q.x, -q.y, -q.z, q.w};
}

/* A point of the world in the space of `by`: the reverse of cs_transform_point. */
static struct cs_vec3 point_in(const struct cs_transform *by, struct cs_vec3 point)
{
	struct cs_vec3 away = {point.x - by->translation.x, point.y - by->translation.y,
		point.z - by->translation.z};
	away = cs_quat_rotate(conjugate(by->rotation), away);
	return (struct cs_vec3){away.x / by->scale.x, away.y / by->scale.y, away.z / by->scale.z};
}

static struct cs_transform transform_in(
	const struct cs_transform *parent, const struct cs_transform *world)
{
	return (struct cs_transform){
		.rotation = cs_quat_multiply(conjugate(parent->rotation), world->rotation),
		.translation = point_in(parent, world->translation),
		.scale = {world->scale.x / parent->scale.x, world->scale.y / parent->scale.y,
			world->scale.z / parent->scale.z},
	};
}

/* The oriented box of an actor that is the given box of the world. */
static struct cs_ue_bounds bounds_in(const struct cs_transform *by, const struct cs_box *box)
{
	struct cs_vec3 half = {(box->max.x - box->min.x) / 2 / fabs(by->scale.x),
		(box->max.y - box->min.y) / 2 / fabs(by->scale.y),
		(box->max.z - box->min.z) / 2 / fabs(by->scale.z)};
	return (struct cs_ue_bounds){
		.box = {{-half.x, -half.y, -half.z}, half},
		.centre = point_in(by, cs_box_centre(box)),
		.rotation = conjugate(by->rotation),
		.valid = true,
	};
}

static struct cs_ue_bounds bounds_of(
	const struct cs_actor *actor, const struct cs_box *box, bool relative)
{
	if (!cs_box_valid(box))
		return (struct cs_ue_bounds){.rotation = {0, 0, 0, 1}};
	if (relative)
		return bounds_in(&actor->transform, box);
	return (struct cs_ue_bounds){.box = *box, .rotation = {0, 0, 0, 1}, .valid = true};
}

static struct cs_transform local_transform(const struct actor_writer *w)
{
	const struct cs_actor *actor = w->actor;
	if (cs_guid_is_zero(actor->parent))
		return actor->transform;
	uint32_t parent = cs_world_find_actor(w->world, actor->container, actor->parent);
	if (parent == CS_NONE)
		return actor->transform;
	const struct cs_transform around =
		cs_actor_transform(w->world, &w->world->actors.at[parent]);
	return transform_in(&around, &actor->transform);
}

/* ---- tails ---- */

static uint8_t behavior_number(uint32_t behavior)
{
	static const uint8_t numbers[] = {[CS_BEHAVIOR_NONE] = 0,
		[CS_BEHAVIOR_PARTITIONED] = 2,
		[CS_BEHAVIOR_STANDALONE] = 3};
	return numbers[behavior];
}

static void fill_level(const struct actor_writer *w, struct cs_ue_descriptor *descriptor)
{
	const struct cs_level_instance *row =
		&w->world->level_instances.at[w->actor->level_instance];
	const char *package = text_at(w, row->level);
	struct cs_ue_tail *tail = &descriptor->tail;
	tail->level.package = cs_ue_string_of(package, &w->out->arena);
	tail->level.asset = cs_ue_string_of(cs_last_name(package), &w->out->arena);
	tail->level.sub = cs_ue_string_of("", &w->out->arena);
	tail->behavior = behavior_number(row->behavior);
	tail->transform = w->actor->transform;
	tail->stored = CS_UE_STORED_LEVEL;
	if (row->behavior != CS_BEHAVIOR_PARTITIONED)
		tail->stored |= CS_UE_STORED_BEHAVIOR;
}

static void fill_layers(const struct actor_writer *w, struct cs_ue_descriptor *descriptor)
{
	struct cs_writer bytes = {0};
	for (size_t i = 0; i < w->world->layers.n; i++) {
		const struct cs_source_layer *layer = &w->world->layers.at[i];
		const struct cs_ue_layer_row row = {
			.name = name_of(w->out, text_at(w, layer->name)),
			.parent = name_of(w->out, text_at(w, layer->parent)),
			.asset = name_of(w->out, text_at(w, layer->asset)),
			.uses_asset = layer->asset != 0,
			.in_filter = true,
		};
		cs_ue_write_layer_row(&bytes, &descriptor->versions, &row);
	}
	descriptor->tail.layers = list_of(w->out, &bytes, (uint32_t)w->world->layers.n);
}

static void fill_tail(const struct actor_writer *w, struct cs_ue_descriptor *descriptor)
{
	struct cs_ue_tail *tail = &descriptor->tail;
	tail->kind = cs_ue_tail_kind(descriptor);
	if (tail->kind == CS_UE_TAIL_LEVEL_INSTANCE)
		fill_level(w, descriptor);
	else if (tail->kind == CS_UE_TAIL_DATA_LAYERS)
		fill_layers(w, descriptor);
	else if (tail->kind == CS_UE_TAIL_LANDSCAPE)
		tail->grid_size = 252;
}

/* ---- descriptors ---- */

static struct cs_ue_descriptor blank(
	const struct cs_ue_made *made, struct cs_ue_out *out, uint32_t stored)
{
	const struct cs_ue_path none = path_of(out, "", false);
	struct cs_ue_descriptor descriptor = {
		.versions = made->engine->versions,
		.stored = stored | (stored & CS_DEFAULT_LAYERS ? CS_UE_STORED_LAYER_KIND : 0),
		.layers_are_assets = cs_ue_made_assets(made),
		.listed = true,
		.base_class = none,
		.native_class = none,
		.hlod_layer = none,
		.external_layer = none,
		.actor_path = none,
	};
	descriptor.relative = descriptor.versions.of[CS_UE_FN_MAIN] >= 177;
	return descriptor;
}

/* The fields that classes have too. */
static void fill_defaults(const struct cs_ue_made *made, struct cs_ue_out *out,
	const struct cs_actor *actor, struct cs_ue_descriptor *descriptor)
{
	const struct cs_world *world = made->world;
	descriptor->spatial = (actor->flags & CS_ACTOR_OWN_SPATIAL) != 0;
	descriptor->editor_only = (actor->flags & CS_ACTOR_EDITOR_ONLY) != 0;
	descriptor->runtime_only = (actor->flags & CS_ACTOR_RUNTIME_ONLY) != 0;
	descriptor->hlod_relevant = (actor->flags & CS_ACTOR_HLOD_RELEVANT) != 0;
	descriptor->main_world_only = (actor->flags & CS_ACTOR_MAIN_WORLD_ONLY) != 0;
	descriptor->grid = name_of(out, cs_world_text(world, actor->grid));
	descriptor->label = name_of(out, cs_world_text(world, actor->label));
	descriptor->hlod_layer = path_of(out, cs_world_text(world, actor->hlod_layer),
		made->engine->versions.of[CS_UE_FN_MAIN] < 99);
	descriptor->external_layer =
		path_of(out, cs_world_text(world, actor->external_layer), false);
	descriptor->content_bundle = actor->content_bundle;
	descriptor->tags = texts_of(out, world, actor->tags, actor->tags.count);
	descriptor->layers = texts_of(out, world, actor->layers, actor->layers.count);
}

static struct cs_ue_descriptor descriptor_of(const struct actor_writer *w)
{
	const struct cs_actor *actor = w->actor;
	struct cs_ue_out *out = w->out;
	struct cs_ue_descriptor descriptor =
		blank(w->made, out, CS_UE_ALL_FIELDS & ~actor->defaults);
	bool bare = w->made->engine->versions.of[CS_UE_SEASON] < 5;
	fill_defaults(w->made, out, actor, &descriptor);
	descriptor.base_class = path_of(out, text_at(w, actor->base_class), false);
	descriptor.native_class = path_of(out, text_at(w, actor->native_class), bare);
	descriptor.guid = actor->guid;
	descriptor.parent = actor->parent;
	descriptor.folder_guid = actor->folder_guid;
	descriptor.folder = name_of(out, text_at(w, actor->folder));
	descriptor.actor_package = name_of(out, text_at(w, actor->package));
	descriptor.transform = descriptor.relative ? local_transform(w) : actor->transform;
	descriptor.runtime = bounds_of(actor, &actor->bounds, descriptor.relative);
	descriptor.editor = bounds_of(actor, &actor->editor_bounds, descriptor.relative);
	descriptor.references = guids_of(w, actor->references);
	descriptor.editor_references = guids_of(w, actor->editor_references);
	descriptor.properties =
		texts_of(out, w->world, actor->properties, actor->properties.count / 2);
	fill_tail(w, &descriptor);
	return descriptor;
}

static const char *base64_of(struct cs_arena *arena, const struct cs_ue_descriptor *descriptor)
{
	struct cs_writer blob = {0}, text = {0};
	cs_ue_encode_descriptor(&blob, descriptor);
	if (!blob.failed)
		cs_ue_base64_encode(&text, blob.bytes, blob.size);
	const char *copy = NULL;
	if (!blob.failed && !text.failed)
		copy = cs_arena_text(arena, (const char *)text.bytes, text.size);
	cs_writer_deinit(&blob);
	cs_writer_deinit(&text);
	return copy;
}

const char *cs_ue_class_meta_data(
	const struct cs_ue_made *made, const struct cs_ue_made_class *class, struct cs_ue_out *out)
{
	struct cs_ue_descriptor descriptor = blank(made, out, class->stored);
	fill_defaults(made, out, &class->actor, &descriptor);
	descriptor.is_class = true;
	descriptor.base_class = path_of(out, class->path, false);
	descriptor.native_class = path_of(out, class->native, false);
	const char *text = base64_of(&out->arena, &descriptor);
	out->failed |= !text;
	return text ? text : "";
}

/* ---- objects ---- */

const char *cs_ue_layer_class(const struct cs_ue_made *made, const struct cs_source_layer *layer)
{
	if (!cs_ue_made_assets(made))
		return "/Script/Engine.DataLayer";
	return layer->external ? "/Script/Engine.ExternalDataLayerInstance"
			       : "/Script/Engine.DataLayerInstanceWithAsset";
}

void cs_ue_put_layer_instance(const struct cs_ue_made *made, struct cs_ue_out *out,
	const struct cs_source_layer *layer, int32_t parent)
{
	static const char *const states[] = {"EDataLayerRuntimeState::Unloaded",
		"EDataLayerRuntimeState::Loaded", "EDataLayerRuntimeState::Activated"};
	const char *asset = cs_world_text(made->world, layer->asset);
	bool early = made->engine->v5 == 0;
	if (layer->initial != CS_LAYER_UNLOADED)
		cs_ue_put_enum(out, early ? "InitialState" : "InitialRuntimeState",
			"EDataLayerRuntimeState", states[layer->initial]);
	if (layer->priority != 0)
		cs_ue_put_int(out, "Priority", layer->priority);
	if (parent != 0)
		cs_ue_put_object(out, "Parent", parent);
	if (*asset) {
		cs_ue_put_object(out, "DataLayerAsset",
			cs_ue_out_import(out, asset, "/Script/Engine",
				layer->external ? "ExternalDataLayerAsset" : "DataLayerAsset"));
		return;
	}
	cs_ue_put_name(out, "DataLayerLabel", cs_world_text(made->world, layer->label));
	cs_ue_put_color(out, "DebugColor", layer->color);
	if (layer->type == CS_LAYER_RUNTIME)
		cs_ue_put_bool(out, early ? "bIsDynamicallyLoaded" : "bIsRuntime", true);
}

/* Instances that lie in the package of the WorldDataLayers actor, before 5.4. */
static void put_layers(const struct actor_writer *w, int32_t actor)
{
	const struct cs_world *world = w->world;
	for (size_t i = 0; i < world->layers.n && w->made->engine->minor < 4; i++) {
		const struct cs_source_layer *layer = &world->layers.at[i];
		uint32_t parent = layer->parent
					  ? cs_world_find_layer(world, text_at(w, layer->parent))
					  : CS_NONE;
		cs_ue_out_export(
			w->out, cs_ue_layer_class(w->made, layer), actor, text_at(w, layer->name));
		/* exports are numbered from 1, and the layers follow the actor in order */
		cs_ue_put_layer_instance(w->made, w->out, layer,
			parent == CS_NONE ? 0 : actor + 1 + (int32_t)parent);
	}
}

static void put_sources(const struct actor_writer *w, const struct cs_hlod_actor *hlod,
	const char *array, const char *type, const char *member)
{
	struct cs_ue_open_value sources =
		cs_ue_begin_array(w->out, array, type, hlod->sources.count);
	for (uint32_t i = 0; i < hlod->sources.count; i++) {
		cs_ue_put_guid(w->out, member, w->world->guids.at[hlod->sources.first + i]);
		cs_ue_end_element(w->out);
	}
	cs_ue_end_array(w->out, sources);
}

static void put_hlod(const struct actor_writer *w, int32_t actor)
{
	const struct cs_hlod_actor *hlod = &w->world->hlods.at[w->actor->hlod];
	struct cs_ue_out *out = w->out;
	const char *name = text_at(w, hlod->source_cell_name);
	int32_t layer =
		cs_ue_out_import(out, text_at(w, hlod->layer), "/Script/Engine", "HLODLayer");
	cs_ue_put_guid(out, "SourceCellGuid", hlod->source_cell);
	/* other engines leave it to the label */
	if (w->made->engine->minor >= 1 && w->made->engine->minor < 3)
		cs_ue_put_name(out, "SourceCellName", name);
	if (w->made->engine->v5 == 0)
		cs_ue_put_float(out, "MinVisibleDistance", hlod->min_visible_distance);
	else
		cs_ue_put_double(out, "MinVisibleDistance", hlod->min_visible_distance);
	if (hlod->no_warmup)
		cs_ue_put_bool(out, "bRequireWarmup", false);
	if (w->made->engine->minor < 3) {
		put_sources(w, hlod, "HLODSubActors", "HLODSubActor", "ActorGuid");
		cs_ue_put_object(out, "SubActorsHLODLayer", layer);
		return;
	}
	cs_ue_out_export(out, "/Script/Engine.WorldPartitionHLODSourceActorsFromCell", actor,
		"WorldPartitionHLODSourceActorsFromCell_0");
	put_sources(
		w, hlod, "Actors", "WorldPartitionRuntimeCellObjectMapping", "ActorInstanceGuid");
	cs_ue_put_object(out, "HLODLayer", layer);
}

static void put_grid_info(const struct actor_writer *w)
{
	for (size_t i = 0; i < w->world->grids.n; i++) {
		const struct cs_source_grid *grid = &w->world->grids.at[i];
		if (!grid->hlod)
			continue;
		struct cs_ue_open_value value =
			cs_ue_begin_struct(w->out, "GridSettings", "SpatialHashRuntimeGrid");
		cs_ue_put_name(w->out, "GridName", text_at(w, grid->name));
		cs_ue_put_int(w->out, "CellSize", (int32_t)grid->cell_size);
		cs_ue_put_float(w->out, "LoadingRange", grid->loading_range);
		cs_ue_put_bool(w->out, "bClientOnlyVisible", grid->client_only);
		cs_ue_put_int(w->out, "Priority", grid->priority);
		cs_ue_end_struct(w->out, value);
	}
}

/* ---- packages ---- */

static const char *full_class(struct cs_ue_out *out, const char *class_name)
{
	if (*class_name == '/')
		return class_name;
	const char *path = cs_ue_join(&out->arena, "/Script/Engine.", class_name, (char *)NULL);
	out->failed |= !path;
	return path ? path : "/Script/Engine.Actor";
}

static void put_actor(const struct actor_writer *w)
{
	struct cs_ue_out *out = w->out;
	const struct cs_actor *actor = w->actor;
	const char *path = text_at(w, actor->path), *dot = strrchr(path, '.');
	const char *class_name =
		text_at(w, actor->base_class ? actor->base_class : actor->native_class);
	const char *level = cs_arena_text(&out->arena, path, (size_t)(dot - path));
	if (!level) {
		out->failed = true;
		return;
	}
	int32_t outer = cs_ue_out_import(out, level, "/Script/Engine", "Level");
	int32_t object =
		cs_ue_out_export(out, full_class(out, class_name), outer, text_at(w, actor->name));
	cs_ue_put_guid(out, "ActorGuid", actor->guid);
	cs_ue_put_text(out, "ActorLabel", text_at(w, actor->label));
	if (actor->hlod != CS_NONE)
		put_hlod(w, object);
	else if (actor->flags & CS_ACTOR_DATA_LAYERS)
		put_layers(w, object);
	else if (strcmp(cs_last_name(class_name), "SpatialHashRuntimeGridInfo") == 0)
		put_grid_info(w);
	cs_ue_out_asset(out, path, class_name);
}

void cs_ue_write_actor(
	const struct cs_ue_made *made, const struct cs_actor *actor, struct cs_writer *writer)
{
	const struct cs_world *world = made->world;
	struct cs_ue_out out = cs_ue_out_begin(made->engine, cs_world_text(world, actor->package));
	const struct actor_writer w = {made, world, actor, &out};
	put_actor(&w);
	struct cs_ue_descriptor descriptor = descriptor_of(&w);
	const char *meta_data = base64_of(&out.arena, &descriptor);
	out.failed |= !meta_data;
	if (actor->label)
		cs_ue_out_tag(&out, "ActorLabel", text_at(&w, actor->label));
	cs_ue_out_tag(&out, "ActorMetaData", meta_data ? meta_data : "");
	cs_ue_out_tag(&out, "ActorMetaDataClass", text_at(&w, actor->native_class));
	cs_ue_out_finish(&out, writer);
	cs_ue_out_deinit(&out);
}
