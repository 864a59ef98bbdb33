/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the World Partition settings of a map (ue-project-files rules 5, world-partition rules
 * 1.6.1 and 1.7.1). A map stores only what differs from the defaults of its classes, so every
 * record begins with these defaults. Those of the spatial hash depend on the engine that saved the
 * map.
 */
#include "ue/project/project_build.h"

#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"
#include "ue/package/properties.h"
#include <cellscope/cooked_values.h>

static const char *const option_names[] = {"Disabled", "Enabled", "ProjectDefault", NULL};

struct world_record {
	int32_t hash; /* package index of the runtime hash */
	const char *default_layer;
	struct cs_world_settings settings;
};

static const char *const operator_names[] = {"Or", "And", NULL};
static const char *const server_names[] = {
	"ProjectDefault", "Disabled", "Enabled", "EnabledInPIE", NULL};

#define AT(member) offsetof(struct world_record, member)
static const struct cs_ue_rule world_rules[] = {
	{"RuntimeHash", CS_UE_RULE_INDEX, AT(hash), NULL},
	{"bEnableStreaming", CS_UE_RULE_BOOL, AT(settings.streaming), NULL},
	{"DefaultHLODLayer", CS_UE_RULE_OBJECT, AT(default_layer), NULL},
	{"DataLayersLogicOperator", CS_UE_RULE_ENUM, AT(settings.layers_operator), operator_names},
	{"ServerStreamingMode", CS_UE_RULE_ENUM, AT(settings.server_streaming), server_names},
	{"ServerStreamingOutMode", CS_UE_RULE_ENUM, AT(settings.server_streaming_out),
		server_names},
};
#undef AT

static struct cs_error *read_world(struct cs_ue_build *build, struct cs_ue_package *package,
	const struct cs_ue_export *export, struct world_record *record)
{
	*record = (struct world_record){.default_layer = "", .settings = build->world->settings};
	struct cs_error *error =
		cs_ue_apply_export(package, export, CS_UE_RULES(world_rules), record);
	if (error)
		return error;
	build->world->settings = record->settings;
	build->world->settings.default_hlod_layer = cs_ue_intern_text(build, record->default_layer);
	return NULL;
}

/* ---- spatial hash ---- */

struct spatial_record {
	struct cs_ue_value grids;
	uint32_t aligned, snap, small_by_location, partition_by_location, z_culling;
};

#define AT(member) offsetof(struct spatial_record, member)
static const struct cs_ue_rule spatial_rules[] = {
	{"Grids", CS_UE_RULE_VALUE, AT(grids), NULL},
	{"UseAlignedGridLevels", CS_UE_RULE_ENUM, AT(aligned), option_names},
	{"SnapNonAlignedGridLevelsToLowerLevels", CS_UE_RULE_ENUM, AT(snap), option_names},
	{"PlaceSmallActorsUsingLocation", CS_UE_RULE_ENUM, AT(small_by_location), option_names},
	{"PlacePartitionActorsUsingLocation", CS_UE_RULE_ENUM, AT(partition_by_location),
		option_names},
	{"bEnableZCulling", CS_UE_RULE_ENUM, AT(z_culling), option_names},
};
#undef AT

/* Defaults of a spatial hash. The last row that is not above the engine's minor version is used. */
static const struct {
	uint16_t minor;
	struct spatial_record options;
} spatial_defaults[] = {
	/* 5.0: grid levels are aligned, and all actors are placed by their bounds */
	{0, {.aligned = CS_OPTION_ON, .snap = CS_OPTION_ON}},
	/* from 5.1 on, the console variables of the project decide */
	{1, {.aligned = CS_OPTION_PROJECT,
		    .snap = CS_OPTION_PROJECT,
		    .small_by_location = CS_OPTION_PROJECT,
		    .partition_by_location = CS_OPTION_PROJECT}},
	/* hashes created in 5.3 or later have these defaults, older ones keep CS_OPTION_PROJECT */
	{3, {.small_by_location = CS_OPTION_ON, .partition_by_location = CS_OPTION_ON}},
};

struct grid_record {
	const char *name, *hlod_layer;
	struct cs_source_grid grid;
	struct cs_vec3 origin;
};

#define AT(member) offsetof(struct grid_record, member)
static const struct cs_ue_rule grid_rules[] = {
	{"GridName", CS_UE_RULE_TEXT, AT(name), NULL},
	{"CellSize", CS_UE_RULE_NUMBER, AT(grid.cell_size), NULL},
	{"LoadingRange", CS_UE_RULE_NUMBER, AT(grid.loading_range), NULL},
	{"bBlockOnSlowStreaming", CS_UE_RULE_BOOL, AT(grid.block_on_slow), NULL},
	{"Origin", CS_UE_RULE_VECTOR, AT(origin), NULL},
	{"Priority", CS_UE_RULE_INT, AT(grid.priority), NULL},
	{"DebugColor", CS_UE_RULE_COLOR, AT(grid.color), NULL},
	{"bClientOnlyVisible", CS_UE_RULE_BOOL, AT(grid.client_only), NULL},
	{"HLODLayer", CS_UE_RULE_OBJECT, AT(hlod_layer), NULL},
};
#undef AT

static struct cs_error *project_settings_read_grid(
	struct cs_ue_build *build, struct cs_ue_properties *properties, bool hlod)
{
	struct grid_record record = {.name = "", .hlod_layer = "", .grid = cs_grid_default()};
	struct cs_error *error = cs_ue_apply(properties, CS_UE_RULES(grid_rules), &record);
	if (error)
		return error;
	record.grid.name = cs_ue_intern_text(build, record.name);
	record.grid.hlod_layer = cs_ue_intern_text(build, record.hlod_layer);
	record.grid.origin_x = record.origin.x;
	record.grid.origin_y = record.origin.y;
	record.grid.hlod = hlod;
	return cs_vec_push(&build->world->grids, record.grid) ? NULL : cs_error_nomem();
}

static struct spatial_record default_options(uint16_t minor)
{
	struct spatial_record record = spatial_defaults[0].options;
	for (size_t i = 1; i < sizeof(spatial_defaults) / sizeof(spatial_defaults[0]); i++)
		if (minor >= spatial_defaults[i].minor)
			record = spatial_defaults[i].options;
	return record;
}

static struct cs_error *read_spatial_hash(
	struct cs_ue_build *build, struct cs_ue_package *package, const struct cs_ue_export *export)
{
	struct spatial_record record = default_options(package->summary.engine.minor);
	struct cs_ue_properties grids;
	uint32_t count = 0;
	struct cs_error *error = NULL;
	if (export)
		error = cs_ue_apply_export(package, export, CS_UE_RULES(spatial_rules), &record);
	if (!error)
		error = cs_ue_array_structs(&record.grids, &count, &grids);
	for (uint32_t i = 0; i < count && !error; i++)
		error = project_settings_read_grid(build, &grids, false);
	if (!error && count == 0) {
		struct cs_source_grid grid = cs_grid_default();
		grid.name = cs_ue_intern_text(build, "MainGrid");
		error = cs_vec_push(&build->world->grids, grid) ? NULL : cs_error_nomem();
	}
	struct cs_world_settings *settings = &build->world->settings;
	settings->hash_class = CS_SOURCE_HASH_SPATIAL;
	settings->aligned = record.aligned;
	settings->snap = record.snap;
	settings->small_by_location = record.small_by_location;
	settings->partition_by_location = record.partition_by_location;
	settings->z_culling = record.z_culling;
	return error;
}

struct cs_error *cs_ue_add_grid_info(struct cs_ue_build *build, const char *path)
{
	static const struct cs_ue_rule rules[] = {{"GridSettings", CS_UE_RULE_VALUE, 0, NULL}};
	struct cs_ue_value grid = {.type = ""};
	struct cs_ue_package package;
	struct cs_ue_properties properties;
	struct cs_error *error = cs_ue_package_open(path, &build->limits, &package);
	if (error)
		return cs_ue_tolerate(build, error);
	const struct cs_ue_export *export =
		cs_ue_export_of_class(&package, "SpatialHashRuntimeGridInfo");
	if (export)
		error = cs_ue_apply_export(&package, export, CS_UE_RULES(rules), &grid);
	if (!error && grid.cursor.bytes)
		error = cs_ue_struct_properties(&grid, &properties);
	if (!error && grid.cursor.bytes)
		error = project_settings_read_grid(build, &properties, true);
	cs_ue_package_close(&package);
	return cs_ue_tolerate(build, error);
}

/* ---- the runtime hash set ---- */

struct layer_record {
	const char *name;
	struct cs_source_partition partition;
};

/* names of enum cs_bounds_method. If the map stores none, the cook profile decides */
static const char *const bounds_names[] = {
	"", "UseContent", "UseCellBounds", "UseMinContentCellBounds", NULL};

#define AT(member) offsetof(struct layer_record, member)
static const struct cs_ue_rule layer_rules[] = {
	{"Name", CS_UE_RULE_TEXT, AT(name), NULL},
	{"CellSize", CS_UE_RULE_NUMBER, AT(partition.cell_size), NULL},
	{"LoadingRange", CS_UE_RULE_NUMBER, AT(partition.loading_range), NULL},
	{"Origin", CS_UE_RULE_VECTOR, AT(partition.origin), NULL},
	{"bIs2D", CS_UE_RULE_BOOL, AT(partition.is_2d), NULL},
	{"bBlockOnSlowStreaming", CS_UE_RULE_BOOL, AT(partition.block_on_slow), NULL},
	{"bClientOnlyVisible", CS_UE_RULE_BOOL, AT(partition.client_only), NULL},
	{"BoundsMethod", CS_UE_RULE_ENUM, AT(partition.bounds_method), bounds_names},
	{"Priority", CS_UE_RULE_INT, AT(partition.priority), NULL},
	{"DebugColor", CS_UE_RULE_COLOR, AT(partition.color), NULL},
};
#undef AT

struct desc_record {
	const char *name, *class_path;
	int32_t layer;
	bool spatial;
	struct cs_ue_value setups, hlod_layers;
};

#define AT(member) offsetof(struct desc_record, member)
static const struct cs_ue_rule desc_rules[] = {
	{"Name", CS_UE_RULE_TEXT, AT(name), NULL},
	{"Class", CS_UE_RULE_OBJECT, AT(class_path), NULL},
	{"MainLayer", CS_UE_RULE_INDEX, AT(layer), NULL},
	{"HLODSetups", CS_UE_RULE_VALUE, AT(setups), NULL},
};
static const struct cs_ue_rule setup_rules[] = {
	{"Name", CS_UE_RULE_TEXT, AT(name), NULL},
	{"HLODLayers", CS_UE_RULE_VALUE, AT(hlod_layers), NULL},
	{"bIsSpatiallyLoaded", CS_UE_RULE_BOOL, AT(spatial), NULL},
	{"PartitionLayer", CS_UE_RULE_INDEX, AT(layer), NULL},
};
#undef AT

static const struct desc_record default_desc = {.name = "", .class_path = "", .spatial = true};

/* Cell size in cm of a partition layer whose export stores none, because it has the default. */
enum { CLASS_CELL_SIZE = 25600 };

static uint32_t partition_class(struct cs_ue_build *build, const char *class_name)
{
	static const char *const names[] = {
		[CS_PARTITION_LHGRID] = "RuntimePartitionLHGrid",
		[CS_PARTITION_PERSISTENT] = "RuntimePartitionPersistent",
		[CS_PARTITION_LEVEL_STREAMING] = "RuntimePartitionLevelStreaming",
	};
	for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cs_name_compare(names[i], class_name) == 0)
			return i;
	cs_ue_warn(build,
		"the class of partitions '%s' is not known; its partitions are treated as grids",
		class_name);
	return CS_PARTITION_LHGRID;
}

/*
 * Reads a partition. Its name and whether it is spatial come from `desc`, everything else from the
 * export desc->layer. Without such an export, only the class is known in addition, from `desc`.
 */
static struct cs_error *project_settings_read_layer(struct cs_ue_build *build,
	struct cs_ue_package *package, const struct desc_record *desc,
	struct cs_source_partition *ret)
{
	struct layer_record record = {.name = "", .partition = cs_partition_default()};
	const struct cs_ue_export *export = cs_ue_export_at(package, desc->layer);
	const char *class_name = cs_last_name(desc->class_path);
	struct cs_error *error = NULL;
	if (export) {
		class_name = cs_ue_export_class(package, export);
		record.partition.cell_size = CLASS_CELL_SIZE;
		error = cs_ue_apply_export(package, export, CS_UE_RULES(layer_rules), &record);
	}
	if (error)
		return error;
	if (*class_name)
		record.partition.partition_class = partition_class(build, class_name);
	/* a partition without a name has the name of its layer */
	const bool named = *desc->name && cs_name_compare(desc->name, "None") != 0;
	record.partition.name = cs_ue_intern_text(build, named ? desc->name : record.name);
	record.partition.spatial = desc->spatial;
	*ret = record.partition;
	return NULL;
}

static struct cs_error *read_setup(struct cs_ue_build *build, struct cs_ue_package *package,
	struct cs_ue_properties *properties)
{
	struct cs_world *world = build->world;
	struct desc_record desc = default_desc;
	struct cs_source_partition setup;
	int32_t *layers = NULL;
	uint32_t count = 0;
	struct cs_error *error = cs_ue_apply(properties, CS_UE_RULES(setup_rules), &desc);
	if (!error)
		error = project_settings_read_layer(build, package, &desc, &setup);
	if (!error)
		error = cs_ue_array_objects(&desc.hlod_layers, &layers, &count);
	if (error)
		return error;
	setup.hlod_layers = (struct cs_range){(uint32_t)world->texts.n, count};
	for (uint32_t i = 0; i < count; i++) {
		uint32_t text = cs_ue_intern_text(build, cs_ue_object_path(package, layers[i]));
		if (!cs_vec_push(&world->texts, text))
			return cs_error_nomem();
	}
	return cs_vec_push(&world->setups, setup) ? NULL : cs_error_nomem();
}

static struct cs_error *project_settings_read_partition(struct cs_ue_build *build,
	struct cs_ue_package *package, struct cs_ue_properties *properties)
{
	struct cs_world *world = build->world;
	struct desc_record desc = default_desc;
	struct cs_source_partition partition;
	struct cs_ue_properties setups;
	uint32_t count = 0;
	struct cs_error *error = cs_ue_apply(properties, CS_UE_RULES(desc_rules), &desc);
	if (!error)
		error = project_settings_read_layer(build, package, &desc, &partition);
	if (!error)
		error = cs_ue_array_structs(&desc.setups, &count, &setups);
	if (error)
		return error;
	partition.setups = (struct cs_range){(uint32_t)world->setups.n, count};
	for (uint32_t i = 0; i < count && !error; i++)
		error = read_setup(build, package, &setups);
	if (!error && !cs_vec_push(&world->partitions, partition))
		error = cs_error_nomem();
	return error;
}

static struct cs_error *read_hash_set(
	struct cs_ue_build *build, struct cs_ue_package *package, const struct cs_ue_export *export)
{
	static const struct cs_ue_rule rules[] = {{"RuntimePartitions", CS_UE_RULE_VALUE, 0, NULL}};
	struct cs_ue_value value = {.type = ""};
	struct cs_ue_properties partitions;
	uint32_t count = 0;
	struct cs_error *error = NULL;
	build->world->settings.hash_class = CS_SOURCE_HASH_SET;
	if (export)
		error = cs_ue_apply_export(package, export, CS_UE_RULES(rules), &value);
	if (!error)
		error = cs_ue_array_structs(&value, &count, &partitions);
	for (uint32_t i = 0; i < count && !error; i++)
		error = project_settings_read_partition(build, package, &partitions);
	if (!error && count == 0) {
		struct cs_source_partition partition = cs_partition_default();
		partition.name = cs_ue_intern_text(build, "MainPartition");
		error = cs_vec_push(&build->world->partitions, partition) ? NULL : cs_error_nomem();
	}
	return error;
}

/* ---- settings of the map ---- */

/*
 * Reads the runtime hash to which the world partition refers, else the first hash set or spatial
 * hash in the map, else the defaults of the class that the engine's version uses.
 */
static struct cs_error *read_hash(
	struct cs_ue_build *build, struct cs_ue_package *package, int32_t hash)
{
	static const char spatial_class[] = "WorldPartitionRuntimeSpatialHash";
	static const char set_class[] = "WorldPartitionRuntimeHashSet";
	const struct cs_ue_export *export = cs_ue_export_at(package, hash);
	if (!export)
		export = cs_ue_export_of_class(package, set_class);
	if (!export)
		export = cs_ue_export_of_class(package, spatial_class);
	const char *class_name = export ? cs_ue_export_class(package, export) : "";
	if (strcmp(class_name, spatial_class) == 0)
		return read_spatial_hash(build, package, export);
	if (strcmp(class_name, set_class) == 0)
		return read_hash_set(build, package, export);
	if (*class_name)
		cs_ue_warn(build,
			"%s: the runtime hash has the unknown class '%s'; it is read as one of the "
			"default class",
			package->source.name, class_name);
	return package->summary.engine.minor < 4 ? read_spatial_hash(build, package, NULL)
						 : read_hash_set(build, package, NULL);
}

/* Reads actor GUIDs of the level script: four big-endian words in base64, separated by commas. */
static void read_world_references(struct cs_ue_build *build, struct cs_ue_string tag)
{
	struct cs_world *world = build->world;
	struct cs_range *range = &world->settings.world_references;
	*range = (struct cs_range){(uint32_t)world->guids.n, 0};
	size_t length = tag.at && tag.n > 0 ? (size_t)tag.n - 1 : 0;
	for (size_t at = 0; at < length;) {
		unsigned char bytes[24];
		const unsigned char *end = memchr(tag.at + at, ',', length - at);
		size_t n = end ? (size_t)(end - tag.at) - at : length - at;
		if (n == 22 && cs_base64_decode(tag.at + at, n, bytes) == 16) {
			struct cs_guid guid = {__builtin_bswap32(cs_load32(bytes)),
				__builtin_bswap32(cs_load32(bytes + 4)),
				__builtin_bswap32(cs_load32(bytes + 8)),
				__builtin_bswap32(cs_load32(bytes + 12))};
			build->no_memory |= !cs_vec_push(&world->guids, guid);
			range->count++;
		}
		at += n + 1;
	}
}

static bool is_persistent_level(const struct cs_ue_package *package, int32_t index)
{
	struct cs_ue_name name;
	int32_t outer;
	return cs_ue_find_object(package, index, &name, &outer) &&
	       cs_ue_name_equals(name, "PersistentLevel");
}

/*
 * Lists the packages of actors to which the level script refers, which are its imports of objects
 * of the persistent level. The GUIDs of these actors are known only after the actors were read.
 */
static struct cs_error *read_script_imports(
	struct cs_ue_build *build, struct cs_ue_package *package)
{
	build->script_packages.n = 0;
	for (uint32_t i = 0; i < package->n_imports; i++) {
		const struct cs_ue_import *import = &package->imports[i];
		if (!strstr(import->package.text, "/__ExternalActors__/") ||
			cs_ue_name_equals(import->class_name, "WorldDataLayers") ||
			!is_persistent_level(package, import->outer))
			continue;
		uint32_t text =
			cs_ue_intern_text(build, cs_ue_name_text(import->package, &package->arena));
		if (!cs_vec_push(&build->script_packages, text))
			return cs_error_nomem();
	}
	return NULL;
}

static bool has_u32(const uint32_t *sorted, size_t n, uint32_t value)
{
	size_t at = cs_lower_bound(0, n, i, sorted[i] < value);
	return at < n && sorted[at] == value;
}

struct cs_error *cs_ue_find_script_actors(struct cs_ue_build *build, size_t first_actor)
{
	struct cs_world *world = build->world;
	const struct cs_range before = world->settings.world_references;
	struct cs_range range = {(uint32_t)world->guids.n, before.count};
	if (build->script_packages.n == 0)
		return NULL;
	if (!cs_sort_u32(build->script_packages.at, build->script_packages.n) ||
		!cs_vec_reserve(&world->guids, before.count))
		return cs_error_nomem();
	for (uint32_t i = 0; i < before.count; i++)
		world->guids.at[world->guids.n++] = world->guids.at[before.first + i];
	for (size_t i = first_actor; i < world->actors.n; i++) {
		const struct cs_actor_row *actor = &world->actors.at[i];
		if (!has_u32(build->script_packages.at, build->script_packages.n, actor->package) ||
			cs_world_lists(world, before, actor->guid))
			continue;
		if (!cs_vec_push(&world->guids, actor->guid))
			return cs_error_nomem();
		range.count++;
	}
	world->settings.world_references = range;
	return NULL;
}

struct cs_error *cs_ue_read_settings(struct cs_ue_build *build, struct cs_ue_package *package)
{
	struct cs_ue_reader reader = {0};
	struct cs_ue_asset asset;
	struct world_record record;
	char engine[CS_UE_ENGINE_TEXT];
	const struct cs_ue_engine_version *version = &package->summary.engine;
	const struct cs_ue_export *world = cs_ue_export_of_class(package, "WorldPartition");
	if (!world)
		return cs_error_at(CS_E_NOMAP, package->source.name, CS_NO_OFFSET,
			"the map has no world partition");
	if (cs_ue_package_version_unknown(package->summary.v5))
		cs_ue_warn_newer(build, package->source.name);
	struct cs_error *error =
		cs_ue_read_section(&package->source, &reader, &package->summary, &asset);
	if (!error)
		read_world_references(build, asset.tags[CS_UE_TAG_WORLD_REFERENCES]);
	if (!error)
		error = read_script_imports(build, package);
	cs_ue_reader_deinit(&reader);
	cs_ue_engine_text(version, engine);
	build->world->settings.engine = cs_ue_intern_text(build, engine);
	build->world->settings.profile =
		cs_ue_intern_text(build, cs_ue_profile(version->major, version->minor));
	if (!error)
		error = read_world(build, package, world, &record);
	return error ? error : read_hash(build, package, record.hash);
}
