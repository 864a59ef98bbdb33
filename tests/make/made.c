/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the plan of a made-up project: partitions or grids by the engine's generation, data layers,
 * HLOD layers, Blueprints, containers. The actors are in made_actors.c.
 */
#include "tests/make/made.h"
#include "tests/make/ue_write.h"
#include <cellscope/cooked_values.h>

static uint32_t text(struct cs_ue_made *made, const char *value)
{
	return cs_ue_intern_text(&made->build, value);
}

/* Returns whether the engine has the runtime hash set by default, as 5.4 and later do. */
static bool has_hash_set(const struct cs_ue_made *made)
{
	return made->engine->minor >= 4;
}

/* ---- partitions ---- */

static bool add_grid(struct cs_ue_made *made, const char *name, double cell, double range)
{
	struct cs_source_grid grid = cs_grid_default();
	grid.name = text(made, name);
	grid.cell_size = cell;
	grid.loading_range = range;
	return cs_vec_push(&made->world->grids, grid);
}

static bool add_grids(struct cs_ue_made *made)
{
	struct cs_world *world = made->world;
	if (!add_grid(made, "MainGrid", 12800, 25600) || !add_grid(made, "Far", 51200, 153600))
		return false;
	struct cs_source_grid *far = &world->grids.at[1];
	far->origin_x = 6400;
	far->origin_y = -3200;
	far->block_on_slow = true;
	far->priority = 3;
	far->color = 0x3366cc;
	far->hlod_layer = text(made, CS_UE_MADE_HLOD0);
	return true;
}

static bool add_setup(struct cs_ue_made *made)
{
	struct cs_world *world = made->world;
	struct cs_source_partition setup = cs_partition_default();
	setup.name = text(made, "HLOD0");
	setup.partition_class = CS_PARTITION_PERSISTENT;
	setup.cell_size = 25600;
	setup.loading_range = 0;
	setup.client_only = true;
	setup.spatial = false;
	setup.hlod_layers = (struct cs_range){(uint32_t)world->texts.n, 1};
	return cs_vec_push(&world->texts, text(made, CS_UE_MADE_HLOD0)) &&
	       cs_vec_push(&world->setups, setup);
}

static bool add_partitions(struct cs_ue_made *made)
{
	struct cs_source_partition main_partition = cs_partition_default(), far = main_partition;
	main_partition.name = text(made, "MainGrid");
	main_partition.loading_range = 38400;
	main_partition.setups = (struct cs_range){0, 1};
	main_partition.color = 0xed6b00;
	far.name = text(made, "Far");
	far.cell_size = 51200;
	far.loading_range = 153600;
	far.is_2d = true;
	far.block_on_slow = true;
	far.priority = -2;
	far.origin = (struct cs_vec3){6400, -3200, 0};
	far.bounds_method = CS_BOUNDS_CELL;
	return add_setup(made) && cs_vec_push(&made->world->partitions, main_partition) &&
	       cs_vec_push(&made->world->partitions, far);
}

/* What the options of the spatial hash are when a map of that engine says nothing of them. */
static void set_options(struct cs_ue_made *made)
{
	struct cs_world_settings *settings = &made->world->settings;
	if (has_hash_set(made))
		return;
	uint16_t minor = made->engine->minor;
	uint32_t grids = minor == 0 ? CS_OPTION_ON : minor < 3 ? CS_OPTION_PROJECT : CS_OPTION_OFF;
	uint32_t places = minor == 0 ? CS_OPTION_OFF : minor < 3 ? CS_OPTION_PROJECT : CS_OPTION_ON;
	settings->aligned = minor >= 3 ? CS_OPTION_PROJECT : grids; /* 5.3 stores it */
	settings->snap = grids;
	settings->small_by_location = places;
	settings->partition_by_location = places;
}

static bool add_settings(struct cs_ue_made *made)
{
	struct cs_world_settings *settings = &made->world->settings;
	char engine[CS_UE_ENGINE_TEXT];
	struct cs_ue_engine_version version = {
		.major = 5, .minor = made->engine->minor, .patch = made->engine->patch};
	cs_ue_engine_text(&version, engine);
	settings->source = text(made, "uproject");
	settings->engine = text(made, engine);
	settings->profile = text(made, made->engine->profile);
	settings->default_hlod_layer = text(made, CS_UE_MADE_HLOD0);
	settings->layers_operator = CS_LAYERS_AND;
	settings->server_streaming = CS_SERVER_ENABLED;
	settings->hash_class = has_hash_set(made) ? CS_SOURCE_HASH_SET : CS_SOURCE_HASH_SPATIAL;
	set_options(made);
	return has_hash_set(made) ? add_partitions(made) : add_grids(made);
}

/* ---- layers ---- */

static bool add_hlod_layers(struct cs_ue_made *made)
{
	struct cs_source_hlod_layer first = {.path = text(made, CS_UE_MADE_HLOD0),
		.parent = text(made, CS_UE_MADE_HLOD1),
		.spatial = false,
		.cell_size = 51200,
		.loading_range = 102400};
	struct cs_source_hlod_layer second = {.path = text(made, CS_UE_MADE_HLOD1),
		.spatial = true,
		.cell_size = 25600,
		.loading_range = 204800};
	return cs_vec_push(&made->world->hlod_layers, first) &&
	       cs_vec_push(&made->world->hlod_layers, second);
}

static bool add_layer(struct cs_ue_made *made, const char *label, const char *asset,
	const struct cs_source_layer *values)
{
	char name[sizeof("DataLayer_") + CS_GUID_TEXT] = "DataLayer_";
	cs_guid_format(cs_random_guid(&made->random), name + strlen(name));
	struct cs_source_layer layer = *values;
	layer.name = text(made, name);
	layer.label = text(made, label);
	layer.asset = cs_ue_made_assets(made) ? text(made, asset) : 0;
	layer.filter = cs_ue_made_assets(made) ? layer.filter : CS_FILTER_NONE;
	return cs_vec_push(&made->world->layers, layer);
}

static bool add_layers(struct cs_ue_made *made)
{
	const struct cs_source_layer city = {
		.type = CS_LAYER_RUNTIME, .initial = CS_LAYER_ACTIVATED, .color = 0x40ff80};
	struct cs_source_layer night = {.type = CS_LAYER_RUNTIME,
		.filter = CS_FILTER_CLIENT_ONLY,
		.initial = CS_LAYER_LOADED,
		.priority = -4};
	const struct cs_source_layer notes = {.type = CS_LAYER_EDITOR};
	const struct cs_source_layer winter = {.type = CS_LAYER_RUNTIME, .external = true};
	if (!add_layer(made, "DL_City", "/Game/DataLayers/DL_City.DL_City", &city))
		return false;
	night.parent = made->world->layers.at[0].name;
	if (!add_layer(made, "DL_Night", "/Game/DataLayers/DL_Night.DL_Night", &night) ||
		!add_layer(made, "DL_Notes", "/Game/DataLayers/DL_Notes.DL_Notes", &notes))
		return false;
	return !(made->fields & CS_DEFAULT_EXTERNAL_LAYER) ||
	       add_layer(made, "EDL_Winter", CS_UE_MADE_WINTER_ASSET, &winter);
}

/* ---- Blueprints ---- */

/* A lamp stores more than half of what a class can; a beacon is a lamp that is always loaded. */
static bool add_classes(struct cs_ue_made *made)
{
	static const char native[] = "/Script/Engine.StaticMeshActor";
	struct cs_world *world = made->world;
	struct cs_ue_made_class lamp = {
		.path = "/Game/Blueprints/BP_Lamp.BP_Lamp_C",
		.parent = native,
		.native = native,
		.stored = CS_DEFAULT_GRID | CS_DEFAULT_HLOD_RELEVANT | CS_DEFAULT_TAGS |
			  CS_DEFAULT_HLOD_LAYER,
	};
	lamp.actor.grid = text(made, "Far");
	lamp.actor.hlod_layer = text(made, CS_UE_MADE_HLOD1);
	lamp.actor.flags = CS_ACTOR_HLOD_RELEVANT;
	lamp.actor.tags = (struct cs_range){(uint32_t)world->texts.n, 1};
	struct cs_ue_made_class beacon = {
		.path = "/Game/Blueprints/Tall/BP_Beacon.BP_Beacon_C",
		.parent = lamp.path,
		.native = native,
		.stored = CS_DEFAULT_SPATIAL | CS_DEFAULT_MAIN_WORLD,
	};
	beacon.actor.flags = CS_ACTOR_MAIN_WORLD_ONLY;
	return cs_vec_push(&world->texts, text(made, "Lamp")) &&
	       cs_vec_push(&made->classes, lamp) && cs_vec_push(&made->classes, beacon);
}

/* ---- containers ---- */

static bool add_containers(struct cs_ue_made *made)
{
	struct cs_world *world = made->world;
	struct cs_source_container bundle = {.package = text(made, CS_UE_MADE_BUNDLE),
		.kind = CS_CONTAINER_BUNDLE,
		.external_actors = true,
		.content_bundle = cs_random_guid(&made->random)};
	struct cs_source_container winter = {.package = text(made, CS_UE_MADE_WINTER),
		.kind = CS_CONTAINER_EXTERNAL_LAYER,
		.external_actors = true,
		.external_layer = text(made, CS_UE_MADE_WINTER_ASSET)};
	struct cs_source_container house = {.package = text(made, CS_UE_MADE_HOUSE),
		.kind = CS_CONTAINER_LEVEL,
		.external_actors = true};
	struct cs_source_container room = house;
	room.package = text(made, CS_UE_MADE_ROOM);
	bool good = cs_vec_push(&world->containers, house) && cs_vec_push(&world->containers, room);
	if (made->fields & CS_DEFAULT_BUNDLE)
		good = good && cs_vec_push(&world->containers, bundle);
	if (made->fields & CS_DEFAULT_EXTERNAL_LAYER)
		good = good && cs_vec_push(&world->containers, winter);
	return good;
}

/* ---- all ---- */

static struct cs_error *plan(struct cs_ue_made *made)
{
	bool good = add_settings(made) && add_hlod_layers(made) && add_layers(made) &&
		    add_classes(made) && add_containers(made) && cs_ue_make_actors(made);
	if (!good || made->build.no_memory)
		return cs_error_nomem();
	return cs_world_seal(made->world, made->build.job);
}

struct cs_error *cs_ue_make(
	const struct cs_ue_recipe *recipe, const struct cs_job *job, struct cs_ue_made *ret)
{
	struct cs_ue_made made = {
		.engine = cs_ue_engine_named(recipe->engine ? recipe->engine : ""),
		.random = {recipe->seed},
		.actors = recipe->actors,
		.build = {.job = job, .limits = cs_job_limits(job)},
	};
	if (!made.engine)
		return cs_error_new(CS_E_SETTING, "no engine '%s'; there are 5.0EA, 5.0 to 5.7",
			recipe->engine ? recipe->engine : "");
	made.fields = cs_ue_fields_of(&made.engine->versions);
	struct cs_error *error = cs_world_new(CS_UE_MADE_MAP, &made.world);
	if (error)
		return error;
	made.build.world = made.world;
	error = plan(&made);
	if (error)
		cs_ue_made_deinit(&made);
	else
		*ret = made;
	return error;
}

void cs_ue_made_deinit(struct cs_ue_made *made)
{
	cs_world_free(made->world);
	cs_vec_free(&made->classes);
	cs_arena_deinit(&made->build.arena);
	cs_arena_deinit(&made->build.scratch);
}

struct cs_error *cs_ue_generate_world(
	const struct cs_ue_recipe *recipe, const struct cs_job *job, struct cs_world **ret)
{
	struct cs_ue_made made;
	struct cs_error *error = cs_ue_make(recipe, job, &made);
	if (error)
		return error;
	*ret = made.world;
	made.world = NULL;
	cs_ue_made_deinit(&made);
	return NULL;
}

struct cs_error *cs_ue_generate(
	const struct cs_ue_recipe *recipe, const struct cs_job *job, struct cs_world_counts *ret)
{
	struct cs_ue_made made;
	if (!recipe->folder || !*recipe->folder)
		return cs_error_new(CS_E_SETTING, "a project needs a folder");
	struct cs_error *error = cs_ue_make(recipe, job, &made);
	if (error)
		return error;
	error = cs_ue_write_made(&made, recipe->folder, job);
	if (!error && ret)
		*ret = cs_world_count(made.world);
	cs_ue_made_deinit(&made);
	return error;
}

const char *cs_ue_engine_name(size_t index)
{
	size_t n;
	const struct cs_ue_engine *engines = cs_ue_engines(&n);
	return index < n ? engines[index].name : NULL;
}
