/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the HLOD layer assets that a world refers to: the default layer, layers of partitions and
 * of actors, and their parents. Layers of the engine itself, and layers whose asset cannot be read,
 * are kept with the values of a new layer, marked as assumed.
 */
#include "ue/project/project_build.h"

#include "ue/package/properties.h"

struct layer_record {
	const char *parent;
	struct cs_source_hlod_layer layer;
};

#define AT(member) offsetof(struct layer_record, member)
static const struct cs_ue_rule rules[] = {
	{"ParentLayer", CS_UE_RULE_OBJECT, AT(parent), NULL},
	{"bIsSpatiallyLoaded", CS_UE_RULE_BOOL, AT(layer.spatial), NULL},
	{"CellSize", CS_UE_RULE_NUMBER, AT(layer.cell_size), NULL},
	{"LoadingRange", CS_UE_RULE_NUMBER, AT(layer.loading_range), NULL},
};
#undef AT

/* A new HLOD layer has twice the cell size and loading range of the default grid, in cm. */
static const struct cs_source_hlod_layer default_layer = {
	.spatial = true, .cell_size = 25600, .loading_range = 51200, .assumed = true};

static struct cs_error *hlod_layers_add(struct cs_ue_build *build, uint32_t path)
{
	struct cs_world *world = build->world;
	if (path == 0)
		return NULL;
	for (size_t i = 0; i < world->hlod_layers.n; i++)
		if (world->hlod_layers.at[i].path == path)
			return NULL;
	struct cs_source_hlod_layer layer = default_layer;
	layer.path = path;
	return cs_vec_push(&world->hlod_layers, layer) ? NULL : cs_error_nomem();
}

/*
 * Adds all HLOD layers that the world refers to. Several actors in sequence often have the same
 * layer, so it is looked up only for the first of them.
 */
static struct cs_error *add_named(struct cs_ue_build *build, size_t first_actor)
{
	struct cs_world *world = build->world;
	struct cs_error *error = hlod_layers_add(build, world->settings.default_hlod_layer);
	for (size_t i = 0; i < world->grids.n && !error; i++)
		error = hlod_layers_add(build, world->grids.at[i].hlod_layer);
	for (size_t i = 0; i < world->setups.n && !error; i++) {
		struct cs_range layers = world->setups.at[i].hlod_layers;
		for (uint32_t k = 0; k < layers.count && !error; k++)
			error = hlod_layers_add(build, world->texts.at[layers.first + k]);
	}
	uint32_t last = 0;
	for (size_t i = first_actor; i < world->actors.n && !error; i++) {
		uint32_t path = world->actors.at[i].hlod_layer;
		if (path != last)
			error = hlod_layers_add(build, path);
		last = path;
	}
	for (size_t i = 0; i < world->hlods.n && !error; i++)
		error = hlod_layers_add(build, world->hlods.at[i].layer);
	return error;
}

static struct cs_error *hlod_layers_read_asset(
	struct cs_ue_build *build, const char *file, struct cs_source_hlod_layer *layer)
{
	struct cs_ue_package package;
	struct layer_record record = {.parent = "", .layer = *layer};
	struct cs_error *error = cs_ue_package_open(file, &build->limits, &package);
	if (error)
		return error;
	const struct cs_ue_export *export = cs_ue_export_of_class(&package, "HLODLayer");
	if (!export)
		error = cs_error_at(
			CS_E_MISSING, file, CS_NO_OFFSET, "the package contains no HLOD layer");
	else
		error = cs_ue_apply_export(&package, export, CS_UE_RULES(rules), &record);
	if (!error) {
		record.layer.parent = cs_ue_intern_text(build, record.parent);
		record.layer.assumed = false;
		*layer = record.layer;
	}
	cs_ue_package_close(&package);
	return error ? error : cs_ue_check_asset(build, file);
}

/* Reads an asset. It may have been renamed several times, so redirectors are followed. */
static struct cs_error *hlod_layers_read_renamed(
	struct cs_ue_build *build, const char *file, struct cs_source_hlod_layer *layer)
{
	struct cs_error *error = hlod_layers_read_asset(build, file, layer);
	for (int renamed = 0; error && error->code == CS_E_MISSING && renamed < CS_UE_MOST_RENAMED;
		renamed++) {
		const char *path = cs_ue_redirection(build, file, "HLODLayer");
		file = path ? cs_ue_asset_file(build, &build->arena, path) : NULL;
		if (!file || !*file)
			break;
		cs_error_free(error);
		error = hlod_layers_read_asset(build, file, layer);
	}
	return error;
}

static struct cs_error *hlod_layers_read_layer(
	struct cs_ue_build *build, struct cs_source_hlod_layer *layer)
{
	const char *path = cs_world_text(build->world, layer->path);
	const char *file = cs_ue_asset_file(build, &build->scratch, path);
	if (!file)
		return cs_error_nomem();
	if (!*file) {
		cs_job_log(build->job, CS_LOG_INFO,
			"the HLOD layer %s is not part of the project; default values "
			"are used for it",
			path);
		return NULL;
	}
	struct cs_error *error = hlod_layers_read_renamed(build, file, layer);
	if (!error || error->code == CS_E_NOMEM)
		return error;
	cs_ue_warn(build,
		"%s: default values are used for the HLOD layer, because it cannot be "
		"read: %s",
		file, error->message);
	cs_ue_count_damage(build, error, file);
	cs_error_free(error);
	return NULL;
}

struct cs_error *cs_ue_read_hlod_layers(struct cs_ue_build *build, size_t first_actor)
{
	struct cs_world *world = build->world;
	struct cs_error *error = add_named(build, first_actor);
	for (size_t i = 0; i < world->hlod_layers.n && !error; i++) {
		error = hlod_layers_read_layer(build, &world->hlod_layers.at[i]);
		if (!error)
			error = hlod_layers_add(build, world->hlod_layers.at[i].parent);
	}
	return error;
}
