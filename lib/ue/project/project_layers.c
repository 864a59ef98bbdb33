/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads data layers (ue-project-files rules 6). From 5.1 on the descriptor of the WorldDataLayers
 * actor lists the instances. Type and load filter are in the asset of each instance. The initial
 * state is in the instance object, which is in the actor's package or, from 5.4 on, in its own
 * package below __ExternalObjects__. In 5.0 everything is in objects of the actor's package.
 */
#include "ue/project/project_build.h"

#include "core/text.h"

#include "ue/package/properties.h"
#include <cellscope/cooked_values.h>

static const char *const type_names[] = {"Runtime", "Editor", NULL};
static const char *const filter_names[] = {"None", "ClientOnly", "ServerOnly", NULL};

struct layer_record {
	const char *label, *asset, *parent;
	struct cs_source_layer layer;
	bool runtime; /* whether it is a runtime layer, which 5.0 stores instead of the type */
};

/* Properties of data layer assets and instances. One that both have means the same in both. */
#define AT(member) offsetof(struct layer_record, member)
static const struct cs_ue_rule rules[] = {
	{"DataLayerType", CS_UE_RULE_ENUM, AT(layer.type), type_names},
	{"LoadFilter", CS_UE_RULE_ENUM, AT(layer.filter), filter_names},
	{"InitialRuntimeState", CS_UE_RULE_ENUM, AT(layer.initial), cs_layer_state_ue_names},
	{"InitialState", CS_UE_RULE_ENUM, AT(layer.initial), cs_layer_state_ue_names},
	{"DebugColor", CS_UE_RULE_COLOR, AT(layer.color), NULL},
	{"Priority", CS_UE_RULE_INT, AT(layer.priority), NULL},
	{"DataLayerAsset", CS_UE_RULE_OBJECT, AT(asset), NULL},
	{"Parent", CS_UE_RULE_OBJECT, AT(parent), NULL},
	{"DataLayerLabel", CS_UE_RULE_TEXT, AT(label), NULL},
	{"Label", CS_UE_RULE_TEXT, AT(label), NULL},
	{"bIsRuntime", CS_UE_RULE_BOOL, AT(runtime), NULL},
	{"bIsDynamicallyLoaded", CS_UE_RULE_BOOL, AT(runtime), NULL},
};
#undef AT

/* Returns whether a class is a class of data layer instances. */
static bool is_instance_class(const char *name)
{
	static const char *const names[] = {"DataLayer", "DataLayerInstanceWithAsset",
		"DataLayerInstancePrivate", "DeprecatedDataLayerInstance",
		"ExternalDataLayerInstance"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (cs_name_compare(names[i], name) == 0)
			return true;
	return false;
}

/* ---- layers in the actor's descriptor ---- */

static struct cs_error *add_row(struct cs_ue_build *build, const struct cs_ue_layer_row *row)
{
	struct cs_source_layer layer = {
		.name = cs_ue_intern(build, row->name),
		.parent = cs_ue_intern(build, row->parent),
		.asset = row->uses_asset ? cs_ue_intern(build, row->asset) : 0,
		.type = CS_LAYER_EDITOR,
		.assumed = true,
	};
	return cs_vec_push(&build->world->layers, layer) ? NULL : cs_error_nomem();
}

struct cs_error *cs_ue_add_layer_rows(struct cs_ue_build *build,
	const struct cs_ue_descriptor *descriptor, const char *path, uint32_t container)
{
	const struct cs_ue_list *list = &descriptor->tail.layers;
	struct cs_error *error = NULL;
	/* an embedded level without a world partition has no layers of its own */
	if (build->world->containers.at[container].kind == CS_CONTAINER_LEVEL && !build->in_level)
		return NULL;
	struct cs_ue_layer_file file = {
		.path = cs_arena_copy(&build->arena, path),
		.own_rows = descriptor->versions.of[CS_UE_SEASON] < 1,
	};
	if (!file.path || !cs_vec_push(&build->layer_files, file))
		return cs_error_nomem();
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < list->n && !error; i++) {
		struct cs_ue_layer_row row = cs_ue_read_layer_row(&cursor, &descriptor->versions);
		error = add_row(build, &row);
	}
	return error;
}

/* ---- instance objects ---- */

/* Returns the index of the layer whose instance has this name, or CS_NONE. */
static uint32_t find_row(const struct cs_ue_build *build, const char *name)
{
	const struct cs_world *world = build->world;
	for (size_t i = 0; i < world->layers.n; i++)
		if (cs_name_compare(cs_world_text(world, world->layers.at[i].name), name) == 0)
			return (uint32_t)i;
	return CS_NONE;
}

/* Copies the properties of an object to a layer, but keeps texts that the object does not have. */
static void take_record(
	struct cs_ue_build *build, const struct layer_record *record, struct cs_source_layer *layer)
{
	*layer = record->layer;
	if (*record->label)
		layer->label = cs_ue_intern_text(build, record->label);
	if (*record->asset)
		layer->asset = cs_ue_intern_text(build, record->asset);
	if (*record->parent)
		layer->parent = cs_ue_intern_text(build, cs_last_name(record->parent));
	if (record->runtime)
		layer->type = CS_LAYER_RUNTIME;
}

/* Reads the properties of an instance or an asset into a layer, where they replace known values. */
static struct cs_error *project_layers_read_object(struct cs_ue_build *build,
	struct cs_ue_package *package, const struct cs_ue_export *export,
	struct cs_source_layer *layer)
{
	struct layer_record record = {.label = "", .asset = "", .parent = "", .layer = *layer};
	struct cs_error *error = cs_ue_apply_export(package, export, CS_UE_RULES(rules), &record);
	if (!error)
		take_record(build, &record, layer);
	layer->external |= strncmp(cs_ue_export_class(package, export), "External", 8) == 0;
	return error;
}

static struct cs_error *read_instance(struct cs_ue_build *build, struct cs_ue_package *package,
	const struct cs_ue_export *export, bool own_rows)
{
	struct cs_world *world = build->world;
	const char *name = cs_ue_name_text(export->name, &package->arena);
	uint32_t row = name ? find_row(build, name) : CS_NONE;
	if (name && row == CS_NONE && own_rows) {
		struct cs_source_layer layer = {
			.name = cs_ue_intern_text(build, name), .type = CS_LAYER_EDITOR};
		row = (uint32_t)world->layers.n;
		if (!cs_vec_push(&world->layers, layer))
			return cs_error_nomem();
	}
	if (!name)
		return cs_error_nomem();
	if (row == CS_NONE)
		return NULL;
	struct cs_error *error =
		project_layers_read_object(build, package, export, &world->layers.at[row]);
	if (!error)
		world->layers.at[row].assumed = false;
	return error;
}

/* Reads every data layer instance in a package, and adds their number to *count. */
static struct cs_error *read_instances(
	struct cs_ue_build *build, const char *path, bool own_rows, size_t *count)
{
	struct cs_ue_package package;
	struct cs_error *error = cs_ue_package_open(path, &build->limits, &package);
	if (error)
		return error;
	for (uint32_t i = 0; i < package.n_exports && !error; i++) {
		const struct cs_ue_export *export = &package.exports[i];
		if (export->is_default || !is_instance_class(cs_ue_export_class(&package, export)))
			continue;
		error = read_instance(build, &package, export, own_rows);
		(*count)++;
	}
	cs_ue_package_close(&package);
	return error;
}

/* Stores whether a package below __ExternalObjects__ has a data layer instance. Most do not. */
static struct cs_error *holds_instance(
	struct cs_ue_build *build, const char *path, struct cs_ue_reader *reader, bool *ret)
{
	struct cs_ue_head head;
	struct cs_error *error = cs_ue_open_head(path, build->limits.file_bytes, reader, &head);
	if (!error && head.asset.objects > 0) {
		const char *name = cs_ue_text(head.asset.class_name, &build->scratch);
		*ret = name && is_instance_class(cs_last_name(name));
	}
	return error;
}

static struct cs_error *read_external_objects(
	struct cs_ue_build *build, const char *map, size_t *count)
{
	struct cs_ue_files files;
	struct cs_ue_reader reader = {0};
	/* if every layer already has an instance, instances found here are outdated and not read */
	const bool wants_instances = *count < build->world->layers.n;
	const char *folder =
		cs_ue_package_file(build->project, &build->scratch, map, "__ExternalObjects__", "");
	if (!folder)
		return cs_error_nomem();
	struct cs_error *error = cs_ue_find_files(folder, ".uasset", NULL, build->job, &files);
	if (error)
		return error;
	for (size_t i = 0; i < files.paths.n && !error; i++) {
		bool wanted = false;
		error = holds_instance(build, files.paths.at[i], &reader, &wanted);
		if (!error && wanted && wants_instances)
			error = read_instances(build, files.paths.at[i], false, count);
		if (!error)
			error = cs_ue_check_asset(build, files.paths.at[i]);
		error = cs_ue_tolerate(build, error);
	}
	cs_ue_reader_deinit(&reader);
	cs_ue_files_deinit(&files);
	return error;
}

/* ---- data layer assets ---- */

static const struct cs_ue_export *find_asset(const struct cs_ue_package *package, const char *name)
{
	static const char *const classes[] = {"DataLayerAsset", "ExternalDataLayerAsset"};
	for (uint32_t i = 0; i < package->n_exports; i++) {
		const struct cs_ue_export *export = &package->exports[i];
		const char *class_name = cs_ue_export_class(package, export);
		if (cs_ue_name_equals(export->name, name) &&
			(strcmp(class_name, classes[0]) == 0 ||
				strcmp(class_name, classes[1]) == 0))
			return export;
	}
	return NULL;
}

static struct cs_error *read_asset_file(struct cs_ue_build *build, const char *file,
	const char *asset, struct cs_source_layer *layer)
{
	struct cs_ue_package package;
	struct cs_error *error = cs_ue_package_open(file, &build->limits, &package);
	if (error)
		return error;
	const struct cs_ue_export *export = find_asset(&package, cs_last_name(asset));
	if (export)
		error = project_layers_read_object(build, &package, export, layer);
	else
		error = cs_error_at(CS_E_MISSING, file, CS_NO_OFFSET,
			"the package does not contain the data layer %s", asset);
	cs_ue_package_close(&package);
	return error ? error : cs_ue_check_asset(build, file);
}

/* Reads a data layer asset. It may have been renamed several times, so redirectors are followed. */
static struct cs_error *read_asset(
	struct cs_ue_build *build, const char *asset, struct cs_source_layer *layer)
{
	struct cs_error *error = NULL;
	for (int renamed = 0; asset && renamed <= CS_UE_MOST_RENAMED; renamed++) {
		const char *file = cs_ue_asset_file(build, &build->arena, asset);
		cs_error_free(error);
		if (!file)
			return cs_error_nomem();
		if (!*file)
			return cs_error_new(CS_E_NOFILE,
				"the project has no package for the data layer asset %s", asset);
		error = read_asset_file(build, file, asset, layer);
		asset = error && error->code == CS_E_MISSING
				? cs_ue_redirection(build, file, "DataLayerAsset")
				: NULL;
	}
	return error;
}

/* Reads type and filter of a layer from its asset, or assumes a runtime layer if that fails. */
static struct cs_error *finish_layer(struct cs_ue_build *build, struct cs_source_layer *layer)
{
	const char *asset = cs_world_text(build->world, layer->asset);
	if (!*asset) {
		layer->label = layer->label ? layer->label : layer->name;
		return NULL;
	}
	const char *label = cs_ue_package_of(&build->scratch, cs_last_name(asset));
	const char *file = cs_ue_asset_file(build, &build->scratch, asset);
	if (!file || !label)
		return cs_error_nomem();
	struct cs_error *error = read_asset(build, asset, layer);
	if (error && error->code != CS_E_NOMEM) {
		cs_ue_warn(build,
			"the data layer %s is treated as a runtime layer, because its asset cannot "
			"be read: %s",
			cs_world_text(build->world, layer->asset), error->message);
		layer->type = CS_LAYER_RUNTIME;
		cs_ue_count_damage(build, error, file);
		cs_error_free(error);
		error = NULL;
	}
	if (!layer->label)
		layer->label = cs_ue_intern_text(build, label);
	return error;
}

/* External layers are left out: their instances belong to the plugin of the layer. */
static void warn_of_assumed(struct cs_ue_build *build, const struct cs_source_layer *layer)
{
	const struct cs_world *world = build->world;
	if (layer->assumed && !layer->external)
		cs_ue_warn(build,
			"data layer %s is assumed to be unloaded at first: no package has its "
			"instance %s (look below __ExternalObjects__)",
			cs_world_text(world, layer->label), cs_world_text(world, layer->name));
}

struct cs_error *cs_ue_finish_layers(struct cs_ue_build *build, const char *map, size_t first_file)
{
	struct cs_world *world = build->world;
	struct cs_error *error = NULL;
	size_t instances = 0;
	for (size_t i = first_file; i < build->layer_files.n && !error; i++) {
		const struct cs_ue_layer_file *file = &build->layer_files.at[i];
		if (file->own_rows || world->layers.n > 0)
			error = cs_ue_tolerate(build,
				read_instances(build, file->path, file->own_rows, &instances));
	}
	if (!error && (build->whole || instances < world->layers.n))
		error = read_external_objects(build, map, &instances);
	for (size_t i = 0; i < world->layers.n && !error; i++) {
		error = finish_layer(build, &world->layers.at[i]);
		if (!error)
			warn_of_assumed(build, &world->layers.at[i]);
	}
	return error;
}
