/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the default values of actors of native classes (ue-project-files rules 4b). They apply to
 * fields that a descriptor does not contain.
 *
 * The engine's own classes are in a table, taken from files and from the engine's own logs. Classes
 * of a game whose C++ code changes defaults cannot be known from files: their values are those of a
 * plain actor and count as assumed, unless the user states them in a JSON file:
 *
 *	{"classes": {
 *		"/Script/MyGame.Gate": {"spatially_loaded": false, "runtime_grid": "Far"},
 *		"BP_Marker_C": {"hlod_relevant": false}}}
 *
 * A class is named by its path or its bare name. Keys: spatially_loaded, editor_only, runtime_only,
 * hlod_relevant, main_world_only, partition_actor (booleans), runtime_grid, hlod_layer (texts).
 */
#include "ue/project/project_build.h"

#include "core/json.h"
#include "core/text.h"
#include "format/byte_source.h"

/*
 * The native classes whose actors differ from a plain actor, which is spatially loaded and not HLOD
 * relevant. A descriptor stores only values that differ from those of its class. Most classes are
 * not HLOD relevant (7d of ue-project-files): all 363 descriptors of 5.3 to 5.6 that store HLOD
 * relevance store true. Where descriptors do not store it, the engine's logs show 27 actors of 5.5
 * and 225 of 5.4 as not relevant, and only HLOD actors as relevant.
 */
static const struct native {
	const char *name;
	uint32_t cleared, set;
	bool hlod_known; /* whether a log of the engine confirms the HLOD relevance */
} natives[] = {
	{"StaticMeshActor", 0, 0, true},
	{"LandscapeStreamingProxy", 0, 0, true},
	{"Landscape", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"WorldPartitionHLOD", 0, CS_ACTOR_RUNTIME_ONLY | CS_ACTOR_HLOD_RELEVANT, true},
	{"WorldDataLayers", CS_ACTOR_OWN_SPATIAL, CS_ACTOR_MAIN_WORLD_ONLY, true},
	{"SkyAtmosphere", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"SkyLight", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"VolumetricCloud", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"ExponentialHeightFog", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"DirectionalLight", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"PlayerStart", CS_ACTOR_OWN_SPATIAL, 0, true},
	{"SpotLight", 0, 0, true},
	{"PostProcessVolume", 0, 0, true},
	{"Character", 0, 0, true},
	{"WorldPartitionMiniMap", CS_ACTOR_OWN_SPATIAL, CS_ACTOR_EDITOR_ONLY, false},
	{"WorldSettings", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"RecastNavMesh", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"NavMeshBoundsVolume", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"LevelSequenceActor", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"RuntimeVirtualTextureVolume", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"SpatialHashRuntimeGridInfo", CS_ACTOR_OWN_SPATIAL, 0, false},
	{"SmartObjectPersistentCollection", CS_ACTOR_OWN_SPATIAL, 0, false},
	/* assumed HLOD relevant, as no log has them: else no HLOD could contain actors of levels */
	{"LevelInstance", 0, CS_ACTOR_HLOD_RELEVANT, false},
	{"PackedLevelActor", 0, CS_ACTOR_HLOD_RELEVANT, false},
};

void cs_ue_native_class(
	struct cs_ue_build *build, const char *native_class, struct cs_ue_class *ret)
{
	const char *name = cs_last_name(native_class);
	*ret = (struct cs_ue_class){
		.actor = cs_actor_default(), .instance = {.behavior = CS_BEHAVIOR_NONE}};
	ret->actor.assumed = CS_UE_ALL_FIELDS;
	ret->actor.flags &= ~CS_ACTOR_HLOD_RELEVANT;
	for (size_t i = 0; i < sizeof(natives) / sizeof(natives[0]); i++) {
		const struct native *native = &natives[i];
		if (cs_name_compare(native->name, name) != 0)
			continue;
		ret->actor.flags = (ret->actor.flags & ~native->cleared) | native->set;
		ret->actor.assumed = native->hlod_known ? 0 : CS_DEFAULT_HLOD_RELEVANT;
	}
	if (cs_name_compare(name, "LevelInstance") == 0)
		ret->instance.behavior = CS_BEHAVIOR_PARTITIONED;
	cs_ue_apply_class_rows(build, native_class, ret);
}

/* ---- the user's table ---- */

/* Flags of actors: key in the user's table, and the field of the descriptor, if it has the flag. */
#define FIELD(member) offsetof(struct cs_ue_descriptor, member)
static const struct {
	const char *name;
	uint32_t flag, bit;
	size_t from;
} flag_keys[] = {
	{"spatially_loaded", CS_ACTOR_OWN_SPATIAL, CS_DEFAULT_SPATIAL, FIELD(spatial)},
	{"editor_only", CS_ACTOR_EDITOR_ONLY, CS_DEFAULT_EDITOR_ONLY, FIELD(editor_only)},
	{"runtime_only", CS_ACTOR_RUNTIME_ONLY, CS_DEFAULT_RUNTIME_ONLY, FIELD(runtime_only)},
	{"hlod_relevant", CS_ACTOR_HLOD_RELEVANT, CS_DEFAULT_HLOD_RELEVANT, FIELD(hlod_relevant)},
	{"main_world_only", CS_ACTOR_MAIN_WORLD_ONLY, CS_DEFAULT_MAIN_WORLD,
		FIELD(main_world_only)},
	{"partition_actor", CS_ACTOR_PARTITION_ACTOR, 0, 0},
};

void cs_ue_overlay_flags(const struct cs_ue_descriptor *descriptor, struct cs_actor *actor)
{
	for (size_t i = 0; i < sizeof(flag_keys) / sizeof(flag_keys[0]); i++) {
		if (!(descriptor->stored & flag_keys[i].bit))
			continue;
		bool value = *(const bool *)((const char *)descriptor + flag_keys[i].from);
		actor->flags =
			(actor->flags & ~flag_keys[i].flag) | (value ? flag_keys[i].flag : 0);
	}
	if (descriptor->stored & CS_DEFAULT_LISTED)
		actor->flags = (actor->flags & ~CS_ACTOR_UNLISTED) |
			       (descriptor->listed ? 0 : CS_ACTOR_UNLISTED);
}

static const struct text_key {
	const char *name;
	size_t offset;
	uint32_t bit;
} text_keys[] = {
	{"runtime_grid", offsetof(struct cs_ue_class_row, grid), CS_DEFAULT_GRID},
	{"hlod_layer", offsetof(struct cs_ue_class_row, hlod_layer), CS_DEFAULT_HLOD_LAYER},
};

static bool read_flag_key(const char *key, json_t *value, struct cs_ue_class_row *row)
{
	for (size_t i = 0; i < sizeof(flag_keys) / sizeof(flag_keys[0]); i++) {
		if (strcmp(key, flag_keys[i].name) != 0 || !json_is_boolean(value))
			continue;
		row->mask |= flag_keys[i].flag;
		row->flags |= json_is_true(value) ? flag_keys[i].flag : 0;
		row->known |= flag_keys[i].bit;
		return true;
	}
	return false;
}

static bool read_text_key(
	struct cs_ue_build *build, const char *key, json_t *value, struct cs_ue_class_row *row)
{
	for (size_t i = 0; i < sizeof(text_keys) / sizeof(text_keys[0]); i++) {
		if (strcmp(key, text_keys[i].name) != 0 || !json_is_string(value))
			continue;
		const char *text = cs_arena_text(
			&build->arena, json_string_value(value), json_string_length(value));
		build->no_memory |= !text;
		void *to = (char *)row + text_keys[i].offset;
		*(const char **)to = text;
		row->known |= text_keys[i].bit;
		return true;
	}
	return false;
}

static struct cs_error *read_row(
	struct cs_ue_build *build, const char *path, const char *name, json_t *object)
{
	struct cs_ue_class_row row = {.name = cs_arena_copy(&build->arena, name)};
	const char *key;
	json_t *value;
	if (!json_is_object(object))
		return cs_error_at(CS_E_JSON, path, CS_NO_OFFSET,
			"classes.%s: the value must be a JSON object with defaults, such as "
			"{\"spatially_loaded\": false}",
			name);
	json_object_foreach (object, key, value) {
		if (!read_flag_key(key, value, &row) && !read_text_key(build, key, value, &row))
			return cs_error_at(CS_E_JSON, path, CS_NO_OFFSET,
				"classes.%s.%s: a default must be spatially_loaded, editor_only, "
				"runtime_only, hlod_relevant, main_world_only or partition_actor "
				"with true or false, or runtime_grid or hlod_layer with a text",
				name, key);
	}
	if (!row.name || build->no_memory || !cs_vec_push(&build->rows, row))
		return cs_error_nomem();
	return NULL;
}

static struct cs_error *classes_read_rows(struct cs_ue_build *build, const char *path, json_t *root)
{
	json_t *classes = json_object_get(root, "classes"), *object;
	const char *name;
	if (!json_is_object(classes))
		return cs_error_at(CS_E_JSON, path, CS_NO_OFFSET,
			"the file must be a JSON object with the member \"classes\"");
	json_object_foreach (classes, name, object) {
		struct cs_error *error = read_row(build, path, name, object);
		if (error)
			return error;
	}
	return NULL;
}

struct cs_error *cs_ue_load_class_rows(struct cs_ue_build *build, const char *path, bool must_exist)
{
	unsigned char *bytes;
	size_t size;
	json_error_t at;
	struct cs_error *error = cs_read_whole(path, build->limits.section_bytes, &bytes, &size);
	if (error) {
		if (must_exist || error->code != CS_E_NOFILE)
			return error;
		cs_error_free(error);
		return NULL;
	}
	bool no_memory;
	json_t *root =
		cs_json_parse((const char *)bytes, size, JSON_REJECT_DUPLICATES, &at, &no_memory);
	if (root)
		error = classes_read_rows(build, path, root);
	else if (no_memory)
		error = cs_error_nomem();
	else
		error = cs_error_at(CS_E_JSON, path, (uint64_t)at.position,
			"line %d is not valid JSON: %s", at.line, at.text);
	json_decref(root);
	free(bytes);
	return error;
}

void cs_ue_apply_class_rows(
	struct cs_ue_build *build, const char *class_path, struct cs_ue_class *class)
{
	const char *short_name = cs_last_name(class_path);
	for (size_t i = 0; i < build->rows.n; i++) {
		const struct cs_ue_class_row *row = &build->rows.at[i];
		if (cs_name_compare(row->name, class_path) != 0 &&
			cs_name_compare(row->name, short_name) != 0)
			continue;
		class->actor.flags = (class->actor.flags & ~row->mask) | row->flags;
		class->actor.assumed &= ~row->known;
		if (row->grid)
			class->actor.grid = cs_ue_intern_text(build, row->grid);
		if (row->hlod_layer)
			class->actor.hlod_layer = cs_ue_intern_text(build, row->hlod_layer);
	}
}
