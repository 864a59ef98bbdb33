/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: putting a made-up project on disk: descriptions of project and plugin, maps, assets,
 * Blueprints, external packages. Each file is replaced atomically; actors are written in parallel,
 * every package being a function of the made world alone.
 */
#include "tests/make/made.h"

#include "core/error_inside.h"
#include "core/parallel.h"
#include "core/text.h"
#include "format/save.h"
#include "tests/make/ue_write.h"
#include "ue/package/registry.h"
#include <cellscope/cooked_values.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

struct project_writer {
	const struct cs_ue_made *made;
	const struct cs_world *world;
	const char *folder;
};

/* ---- files ---- */

static struct cs_error *make_folder(const char *path)
{
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return cs_error_errno(errno, path, "make the folder");
	return NULL;
}

/* All folders above a file, from `from` bytes of its path on. */
static struct cs_error *make_folders(char *path, size_t from)
{
	struct cs_error *error = NULL;
	for (char *slash = strchr(path + from + 1, '/'); slash && !error;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		error = make_folder(path);
		*slash = '/';
	}
	return error;
}

static struct cs_error *save(
	const char *folder, const char *relative, const void *bytes, size_t size)
{
	char *path;
	if (asprintf(&path, "%s/%s", folder, relative) < 0)
		return cs_error_nomem();
	struct cs_error *error = cs_save_relaxed(path, bytes, size);
	if (error && error->code == CS_E_NOFILE) {
		cs_error_free(error);
		error = make_folders(path, strlen(folder));
		if (!error)
			error = cs_save_relaxed(path, bytes, size);
	}
	free(path);
	return error;
}

/* "/Game/Maps/M" -> "Content/Maps/M.umap", "/P/X" -> "Plugins/P/Content/X.uasset" */
static char *file_of(const char *package, const char *suffix)
{
	size_t mount = 1 + strcspn(package + 1, "/");
	bool is_game = mount == strlen("/Game") && memcmp(package, "/Game", mount) == 0;
	char *path;
	int n = asprintf(&path, "%s%.*s%sContent%s%s", is_game ? "" : "Plugins",
		is_game ? 0 : (int)mount, package, is_game ? "" : "/", package + mount, suffix);
	return n < 0 ? NULL : path;
}

static struct cs_error *save_package(const struct project_writer *w, const char *package,
	const char *suffix, const struct cs_writer *bytes)
{
	char *path = file_of(package, suffix);
	if (!path || bytes->failed) {
		free(path);
		return cs_error_nomem();
	}
	struct cs_error *error = save(w->folder, path, bytes->bytes, bytes->size);
	free(path);
	return error;
}

static struct cs_error *save_out(
	const struct project_writer *w, struct cs_ue_out *out, const char *suffix)
{
	struct cs_writer bytes = {0};
	cs_ue_out_finish(out, &bytes);
	struct cs_error *error = save_package(w, out->package, suffix, &bytes);
	cs_writer_deinit(&bytes);
	cs_ue_out_deinit(out);
	return error;
}

/* ---- settings of the map ---- */

static const char *text_at(const struct project_writer *w, uint32_t text)
{
	return cs_world_text(w->world, text);
}

static int32_t hlod_layer_import(
	const struct project_writer *w, struct cs_ue_out *out, uint32_t path)
{
	return path ? cs_ue_out_import(out, text_at(w, path), "/Script/Engine", "HLODLayer") : 0;
}

static void put_grid(
	const struct project_writer *w, struct cs_ue_out *out, const struct cs_source_grid *grid)
{
	int32_t layer = hlod_layer_import(w, out, grid->hlod_layer);
	cs_ue_put_name(out, "GridName", text_at(w, grid->name));
	cs_ue_put_int(out, "CellSize", (int32_t)grid->cell_size);
	cs_ue_put_float(out, "LoadingRange", grid->loading_range);
	cs_ue_put_bool(out, "bBlockOnSlowStreaming", grid->block_on_slow);
	if (grid->origin_x != 0 || grid->origin_y != 0)
		cs_ue_put_vector2(out, "Origin", grid->origin_x, grid->origin_y);
	cs_ue_put_int(out, "Priority", grid->priority);
	cs_ue_put_linear_color(out, "DebugColor", grid->color);
	if (layer != 0)
		cs_ue_put_object(out, "HLODLayer", layer);
	cs_ue_end_element(out);
}

static int32_t put_spatial_hash(const struct project_writer *w, struct cs_ue_out *out)
{
	uint32_t grids = 0;
	for (size_t i = 0; i < w->world->grids.n; i++)
		grids += !w->world->grids.at[i].hlod;
	int32_t hash = cs_ue_out_export(out, "/Script/Engine.WorldPartitionRuntimeSpatialHash", 0,
		"WorldPartitionRuntimeSpatialHash_0");
	struct cs_ue_open_value array =
		cs_ue_begin_array(out, "Grids", "SpatialHashRuntimeGrid", grids);
	for (size_t i = 0; i < w->world->grids.n; i++)
		if (!w->world->grids.at[i].hlod)
			put_grid(w, out, &w->world->grids.at[i]);
	cs_ue_end_array(out, array);
	if (w->made->engine->minor == 3)
		cs_ue_put_enum(out, "UseAlignedGridLevels", "ERuntimeSpatialHashOption",
			"ERuntimeSpatialHashOption::ProjectDefault");
	return hash;
}

/* A partition layer as an object; what the class has by default stays out. */
static int32_t put_layer(const struct project_writer *w, struct cs_ue_out *out, int32_t outer,
	const struct cs_source_partition *partition, int index)
{
	static const struct {
		const char *path, *name;
	} classes[] = {
		[CS_PARTITION_LHGRID] = {"/Script/Engine.RuntimePartitionLHGrid",
			"RuntimePartitionLHGrid"},
		[CS_PARTITION_PERSISTENT] = {"/Script/Engine.RuntimePartitionPersistent",
			"RuntimePartitionPersistent"},
	};
	char name[64];
	snprintf(name, sizeof(name), "%s_%d", classes[partition->partition_class].name, index);
	int32_t object =
		cs_ue_out_export(out, classes[partition->partition_class].path, outer, name);
	if (partition->partition_class == CS_PARTITION_LHGRID) {
		cs_ue_put_u32(out, "CellSize", (uint32_t)partition->cell_size);
		cs_ue_put_bool(out, "bIs2D", partition->is_2d);
		cs_ue_put_vector(out, "Origin", partition->origin);
	}
	cs_ue_put_name(out, "Name", text_at(w, partition->name));
	cs_ue_put_int(out, "LoadingRange", (int32_t)partition->loading_range);
	cs_ue_put_bool(out, "bBlockOnSlowStreaming", partition->block_on_slow);
	cs_ue_put_bool(out, "bClientOnlyVisible", partition->client_only);
	cs_ue_put_int(out, "Priority", partition->priority);
	if (partition->bounds_method == CS_BOUNDS_CELL)
		cs_ue_put_enum(out, "BoundsMethod", "ERuntimePartitionCellBoundsMethod",
			"ERuntimePartitionCellBoundsMethod::UseCellBounds");
	cs_ue_put_linear_color(out, "DebugColor", partition->color);
	return object;
}

static void put_setup(const struct project_writer *w, struct cs_ue_out *out,
	const struct cs_source_partition *setup, int32_t layer)
{
	int32_t served = hlod_layer_import(w, out, w->world->texts.at[setup->hlod_layers.first]);
	cs_ue_put_name(out, "Name", text_at(w, setup->name));
	cs_ue_put_objects(out, "HLODLayers", &served, 1);
	cs_ue_put_bool(out, "bIsSpatiallyLoaded", setup->spatial);
	cs_ue_put_object(out, "PartitionLayer", layer);
	cs_ue_end_element(out);
}

static void put_partition(const struct project_writer *w, struct cs_ue_out *out,
	const struct cs_source_partition *partition, int32_t layer, int32_t setup_layer)
{
	cs_ue_put_name(out, "Name", text_at(w, partition->name));
	cs_ue_put_object(
		out, "Class", cs_ue_out_class(out, "/Script/Engine.RuntimePartitionLHGrid"));
	cs_ue_put_object(out, "MainLayer", layer);
	struct cs_ue_open_value setups = cs_ue_begin_array(
		out, "HLODSetups", "RuntimePartitionHLODSetup", partition->setups.count);
	for (uint32_t i = 0; i < partition->setups.count; i++)
		put_setup(w, out, &w->world->setups.at[partition->setups.first + i], setup_layer);
	cs_ue_end_array(out, setups);
	cs_ue_end_element(out);
}

/*
 * Writes the runtime hash with its HLOD layers, and returns its export. The hash is the outer of
 * the layers; its own outer, the world partition, is written last and set by the caller.
 */
static int32_t put_hash_set(const struct project_writer *w, struct cs_ue_out *out)
{
	const struct cs_world *world = w->world;
	int32_t first = (int32_t)out->exports.n + 1;
	for (size_t i = 0; i < world->partitions.n; i++)
		put_layer(w, out, 0, &world->partitions.at[i], (int)i);
	int32_t setup = put_layer(w, out, 0, &world->setups.at[0], 0);
	int32_t hash = cs_ue_out_export(out, "/Script/Engine.WorldPartitionRuntimeHashSet", 0,
		"WorldPartitionRuntimeHashSet_0");
	struct cs_ue_open_value array = cs_ue_begin_array(
		out, "RuntimePartitions", "RuntimePartitionDesc", (uint32_t)world->partitions.n);
	for (size_t i = 0; i < world->partitions.n; i++)
		put_partition(w, out, &world->partitions.at[i], first + (int32_t)i, setup);
	cs_ue_end_array(out, array);
	for (int32_t layer = first; layer < hash; layer++)
		cs_ue_out_set_outer(out, layer, hash);
	return hash;
}

/* ---- maps ---- */

static void put_world_partition(
	const struct project_writer *w, struct cs_ue_out *out, int32_t level)
{
	const struct cs_world_settings *settings = &w->world->settings;
	int32_t hash = settings->hash_class == CS_SOURCE_HASH_SET ? put_hash_set(w, out)
								  : put_spatial_hash(w, out);
	int32_t partition =
		cs_ue_out_export(out, "/Script/Engine.WorldPartition", level, "WorldPartition_0");
	cs_ue_out_set_outer(out, hash, partition);
	cs_ue_put_object(out, "RuntimeHash", hash);
	cs_ue_put_object(
		out, "DefaultHLODLayer", hlod_layer_import(w, out, settings->default_hlod_layer));
	cs_ue_put_enum(out, "DataLayersLogicOperator", "EWorldPartitionDataLayersLogicOperator",
		"EWorldPartitionDataLayersLogicOperator::And");
	cs_ue_put_enum(out, "ServerStreamingMode", "EWorldPartitionServerStreamingMode",
		"EWorldPartitionServerStreamingMode::Enabled");
}

/* The GUIDs of the world's references as the registry writes them. */
static const char *world_references(const struct project_writer *w, struct cs_ue_out *out)
{
	struct cs_range range = w->world->settings.world_references;
	struct cs_writer text = {0};
	for (uint32_t i = 0; i < range.count; i++) {
		const struct cs_guid guid = w->world->guids.at[range.first + i];
		const uint32_t words[4] = {__builtin_bswap32(guid.a), __builtin_bswap32(guid.b),
			__builtin_bswap32(guid.c), __builtin_bswap32(guid.d)};
		struct cs_writer bytes = {0};
		for (int k = 0; k < 4; k++)
			cs_writer_u32(&bytes, words[k]);
		if (i > 0)
			cs_writer_u8(&text, ',');
		if (!bytes.failed)
			cs_ue_base64_encode(&text, bytes.bytes, bytes.size);
		text.failed |= bytes.failed;
		cs_writer_deinit(&bytes);
		text.size -= text.size >= 2 ? 2 : 0; /* no padding */
	}
	const char *copy =
		text.failed ? NULL : cs_arena_text(&out->arena, (char *)text.bytes, text.size);
	out->failed |= !copy;
	cs_writer_deinit(&text);
	return copy ? copy : "";
}

static struct cs_error *write_map(
	const struct project_writer *w, const char *package, bool partitioned)
{
	const struct cs_ue_engine *engine = w->made->engine;
	struct cs_ue_out out = cs_ue_out_begin(engine, package);
	const char *name = cs_last_name(package);
	int32_t world = cs_ue_out_export(&out, "/Script/Engine.World", 0, name);
	int32_t level = cs_ue_out_export(&out, "/Script/Engine.Level", world, "PersistentLevel");
	cs_ue_put_bool(&out, "bUseExternalActors", true);
	cs_ue_put_bool(&out, "bIsPartitioned", partitioned);
	if (partitioned)
		put_world_partition(w, &out, level);
	cs_ue_out_asset(&out, name, engine->minor >= 1 ? "/Script/Engine.World" : "World");
	if (engine->minor >= 1) {
		cs_ue_out_tag(&out, "LevelIsPartitioned", partitioned ? "1" : "0");
		cs_ue_out_tag(&out, "LevelIsUsingExternalActors", "1");
		if (partitioned)
			cs_ue_out_tag(
				&out, "WorldExternalActorsReferences", world_references(w, &out));
	}
	return save_out(w, &out, ".umap");
}

/* ---- assets ---- */

/* "/Game/X.X": a package with one object, and its name in the registry. */
static struct cs_ue_out begin_asset(
	const struct project_writer *w, const char *path, const char *class_path)
{
	size_t n = strcspn(path, ".");
	char *package = strndup(path, n);
	struct cs_ue_out out = cs_ue_out_begin(w->made->engine, package ? package : "");
	out.failed |= !package;
	free(package);
	cs_ue_out_export(&out, class_path, 0, cs_last_name(path));
	cs_ue_out_asset(&out, cs_last_name(path), class_path);
	return out;
}

static struct cs_error *write_layer_asset(
	const struct project_writer *w, const struct cs_source_layer *layer)
{
	static const char *const filters[] = {"EDataLayerLoadFilter::None",
		"EDataLayerLoadFilter::ClientOnly", "EDataLayerLoadFilter::ServerOnly"};
	struct cs_ue_out out = begin_asset(w, text_at(w, layer->asset),
		layer->external ? "/Script/Engine.ExternalDataLayerAsset"
				: "/Script/Engine.DataLayerAsset");
	if (layer->type == CS_LAYER_RUNTIME)
		cs_ue_put_enum(&out, "DataLayerType", "EDataLayerType", "EDataLayerType::Runtime");
	if (layer->filter != CS_FILTER_NONE)
		cs_ue_put_enum(&out, "LoadFilter", "EDataLayerLoadFilter", filters[layer->filter]);
	if (layer->color != 0)
		cs_ue_put_color(&out, "DebugColor", layer->color);
	return save_out(w, &out, ".uasset");
}

static struct cs_error *write_hlod_layer(
	const struct project_writer *w, const struct cs_source_hlod_layer *layer)
{
	struct cs_ue_out out = begin_asset(w, text_at(w, layer->path), "/Script/Engine.HLODLayer");
	if (layer->parent)
		cs_ue_put_object(&out, "ParentLayer", hlod_layer_import(w, &out, layer->parent));
	cs_ue_put_bool(&out, "bIsSpatiallyLoaded", layer->spatial);
	cs_ue_put_int(&out, "CellSize", (int32_t)layer->cell_size);
	cs_ue_put_double(&out, "LoadingRange", layer->loading_range);
	return save_out(w, &out, ".uasset");
}

static struct cs_error *write_class(
	const struct project_writer *w, const struct cs_ue_made_class *class)
{
	struct cs_ue_out out = begin_asset(w, class->path, "/Script/Engine.Blueprint");
	bool is_native = strncmp(class->parent, "/Script/", 8) == 0;
	const char *parent = cs_ue_join(&out.arena,
		is_native ? "/Script/CoreUObject.Class" : "/Script/Engine.BlueprintGeneratedClass",
		"'", class->parent, "'", (char *)NULL);
	if (cs_ue_made_deltas(w->made))
		cs_ue_out_tag(&out, "ActorMetaData", cs_ue_class_meta_data(w->made, class, &out));
	cs_ue_out_tag(&out, "ActorMetaDataClass", class->native);
	cs_ue_out_tag(&out, "ParentClass", parent ? parent : "");
	out.failed |= !parent;
	return save_out(w, &out, ".uasset");
}

/* From 5.4 on each data layer instance has a package of its own. */
static struct cs_error *write_layer_instance(
	const struct project_writer *w, const struct cs_source_layer *layer, const char *owner)
{
	const char *name = text_at(w, layer->name);
	char package[256], parent[512];
	snprintf(package, sizeof(package), "/Game/__ExternalObjects__/Maps/Valley/%c/%.2s/%s",
		name[10], name + 11, name + 13);
	struct cs_ue_out out = cs_ue_out_begin(w->made->engine, package);
	int32_t outer = cs_ue_out_import(&out, owner, "/Script/Engine", "WorldDataLayers");
	int32_t parent_index = 0;
	if (layer->parent) {
		snprintf(parent, sizeof(parent), "%s.%s", owner, text_at(w, layer->parent));
		parent_index = cs_ue_out_import(
			&out, parent, "/Script/Engine", "DataLayerInstanceWithAsset");
	}
	const char *class_name = cs_ue_layer_class(w->made, layer);
	cs_ue_out_export(&out, class_name, outer, name);
	cs_ue_put_layer_instance(w->made, &out, layer, parent_index);
	snprintf(parent, sizeof(parent), "%s.%s", owner, name);
	cs_ue_out_asset(&out, parent, class_name);
	return save_out(w, &out, ".uasset");
}

static const char *layers_actor(const struct project_writer *w)
{
	for (size_t i = 0; i < w->world->actors.n; i++)
		if (w->world->actors.at[i].flags & CS_ACTOR_DATA_LAYERS)
			return text_at(w, w->world->actors.at[i].path);
	return "";
}

static struct cs_error *write_assets(const struct project_writer *w)
{
	const struct cs_world *world = w->world;
	const char *owner = layers_actor(w);
	struct cs_error *error = NULL;
	for (size_t i = 0; i < world->hlod_layers.n && !error; i++)
		error = write_hlod_layer(w, &world->hlod_layers.at[i]);
	for (size_t i = 0; i < w->made->classes.n && !error; i++)
		error = write_class(w, &w->made->classes.at[i]);
	for (size_t i = 0; i < world->layers.n && !error; i++) {
		const struct cs_source_layer *layer = &world->layers.at[i];
		if (layer->asset)
			error = write_layer_asset(w, layer);
		if (!error && w->made->engine->minor >= 4)
			error = write_layer_instance(w, layer, owner);
	}
	return error;
}

/* ---- actors ---- */

struct actor_batch {
	const struct project_writer *writer;
	struct cs_error **errors; /* by actor */
};

static void write_actors(void *context, size_t begin, size_t end, int thread)
{
	(void)thread;
	struct actor_batch *batch = context;
	const struct project_writer *w = batch->writer;
	for (size_t i = begin; i < end; i++) {
		const struct cs_actor actor = cs_world_actor(w->world, i);
		struct cs_writer bytes = {0};
		cs_ue_write_actor(w->made, &actor, &bytes);
		batch->errors[i] = save_package(w, text_at(w, actor.package), ".uasset", &bytes);
		cs_writer_deinit(&bytes);
	}
}

static struct cs_error *write_all_actors(const struct project_writer *w, const struct cs_job *job)
{
	size_t n = w->world->actors.n;
	struct actor_batch batch = {w, calloc(n + 1, sizeof(*batch.errors))};
	struct cs_error *error = NULL;
	if (!batch.errors)
		return cs_error_nomem();
	cs_job_progress(job, "write actors", 0, n);
	cs_parallel_for(cs_job_threads(job), n, 16, write_actors, &batch);
	for (size_t i = 0; i < n; i++)
		error = cs_error_first(error, batch.errors[i]);
	free(batch.errors);
	return error;
}

/* ---- all ---- */

static struct cs_error *write_descriptions(const struct project_writer *w)
{
	char *project;
	int n = asprintf(&project,
		"{\n\t\"FileVersion\": 3,\n\t\"EngineAssociation\": \"5.%u\",\n\t\"Plugins\": "
		"[{\"Name\": \"" CS_UE_MADE_PLUGIN "\", \"Enabled\": true}]\n}\n",
		w->made->engine->minor);
	if (n < 0)
		return cs_error_nomem();
	static const char plugin[] = "{\n\t\"FileVersion\": 3,\n\t\"CanContainContent\": true\n}\n";
	struct cs_error *error =
		save(w->folder, "Plugins/" CS_UE_MADE_PLUGIN "/" CS_UE_MADE_PLUGIN ".uplugin",
			plugin, sizeof(plugin) - 1);
	if (!error)
		error = save(w->folder, CS_UE_MADE_PROJECT ".uproject", project, (size_t)n);
	free(project);
	return error;
}

static struct cs_error *check_folder(const char *folder)
{
	char *content;
	if (asprintf(&content, "%s/Content", folder) < 0)
		return cs_error_nomem();
	struct cs_error *error = NULL;
	if (cs_ue_is_folder(content))
		error = cs_error_at(
			CS_E_EXISTS, folder, CS_NO_OFFSET, "the folder already holds a project");
	free(content);
	return error ? error : make_folder(folder);
}

struct cs_error *cs_ue_write_made(
	const struct cs_ue_made *made, const char *folder, const struct cs_job *job)
{
	const struct project_writer w = {made, made->world, folder};
	struct cs_error *error = check_folder(folder);
	if (!error)
		error = write_map(&w, CS_UE_MADE_MAP, true);
	if (!error)
		error = write_map(&w, CS_UE_MADE_HOUSE, false);
	if (!error)
		error = write_map(&w, CS_UE_MADE_ROOM, false);
	if (!error)
		error = write_assets(&w);
	if (!error)
		error = write_all_actors(&w, job);
	return error ? error : write_descriptions(&w);
}
