/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the paths of script objects (classes and other objects that native code defines). A
 * global container lists each object's name, index and outer (the object that contains it); the
 * path is the outer's path, a dot and the name (ue-cooked rules 3.4).
 */
#include "ue/container/scripts.h"

#include "core/search.h"
#include "core/sort.h"
#include "ue/container/hash.h"
#include "ue/container/name_batch.h"
#include "ue/package/wire.h"
#include "ue/schema/class_schema.h"

enum { OBJECT = 32, DEEPEST = 8 };
/* a stored name reference has the name's index in its low bits, its kind in the two highest */
#define INDEX_BITS 0x3fffffffu
#define NULL_INDEX UINT64_MAX

const char *cs_ue_script_path(const struct cs_ue_scripts *scripts, uint64_t hash)
{
	size_t at = cs_lower_bound(0, scripts->n, i, scripts->at[i].hash < hash);
	return at < scripts->n && scripts->at[at].hash == hash ? scripts->at[at].path : NULL;
}

/* A script object of the global container. `name` does not include the path of its outer object. */
struct object {
	uint64_t index, outer;
	const char *name;
};

static const struct object *scripts_find_object(const struct object *at, size_t n, uint64_t index)
{
	size_t found = cs_lower_bound(0, n, i, at[i].index < index);
	return found < n && at[found].index == index ? &at[found] : NULL;
}

/* Compares objects by index, or scripts by hash. Either is the first member of its struct. */
static int by_hash(const void *left, const void *right, void *context)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	(void)context;
	return (a > b) - (a < b);
}

static const char *path_of(
	struct cs_arena *arena, const struct object *objects, size_t n, const struct object *object)
{
	const char *path = object->name;
	for (int depth = 0; object->outer != NULL_INDEX && path; depth++) {
		const struct object *outer = scripts_find_object(objects, n, object->outer);
		if (!outer || depth == DEEPEST)
			return path;
		path = cs_ue_join(arena, outer->name, ".", path, (char *)NULL);
		object = outer;
	}
	return path;
}

static struct cs_error *read_objects(struct cs_cursor *cursor, const struct cs_ue_names *names,
	struct cs_arena *arena, struct object **ret, size_t *n_ret)
{
	uint32_t n = cs_cursor_count(cursor, OBJECT);
	struct object *objects = CS_ARENA_ARRAY(arena, struct object, (size_t)n + 1);
	if (!objects)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++) {
		uint32_t name = cs_cursor_u32(cursor) & INDEX_BITS, number = cs_cursor_u32(cursor);
		objects[i].name = cs_ue_names_text(names, name, number, arena);
		if (!objects[i].name)
			cs_ue_names_fail(names, name, cursor);
		objects[i].index = cs_cursor_u64(cursor);
		objects[i].outer = cs_cursor_u64(cursor);
		cs_cursor_skip(cursor, 8); /* skip the class of a default object */
	}
	if (!cursor->bad && !cs_sort(objects, n, sizeof(*objects), by_hash, NULL))
		return cs_error_nomem();
	*ret = objects;
	*n_ret = n;
	return cs_cursor_error(cursor, "script objects");
}

struct cs_error *cs_ue_read_scripts(const void *bytes, size_t size, const char *name,
	struct cs_arena *arena, struct cs_ue_scripts *ret)
{
	enum { PATHS_PER_BYTE = 64, PATHS_AT_LEAST = 64 << 20 };
	const uint64_t most = arena->total + PATHS_AT_LEAST + (uint64_t)size * PATHS_PER_BYTE;
	struct cs_cursor cursor = cs_cursor_over(bytes, size, 0, name);
	struct cs_ue_names names;
	struct object *objects = NULL;
	size_t n = 0;
	struct cs_error *error = cs_ue_read_names(&cursor, arena, &names);
	if (!error)
		error = read_objects(&cursor, &names, arena, &objects, &n);
	if (error)
		return error;
	struct cs_ue_script *scripts = CS_ARENA_ARRAY(arena, struct cs_ue_script, n + 1);
	if (!scripts)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		scripts[i].hash = objects[i].index;
		scripts[i].path = path_of(arena, objects, n, &objects[i]);
		if (!scripts[i].path)
			return cs_error_nomem();
		if (arena->total > most)
			return cs_error_at(CS_E_LIMIT, name, CS_NO_OFFSET,
				"script objects: the unpacked paths take far more memory than a "
				"table of this size can need: the file is damaged; copy it again");
	}
	*ret = (struct cs_ue_scripts){scripts, n};
	return NULL;
}

/* ---- built-in names of script objects ---- */

/* Modules that may contain the classes of the built-in tables. */
static const char *const modules[] = {
	"Engine", "NavigationSystem", "Landscape", "Foliage", "CoreUObject"};
enum { N_MODULES = sizeof(modules) / sizeof(modules[0]) };

static const char *const more[] = {"Model", "StaticMesh", "BodySetup", "Texture2D", "Material",
	"MaterialInstanceConstant", "SkeletalMesh", "BlueprintGeneratedClass", "NavCollision",
	"FoliageType_InstancedStaticMesh", "FoliageInstancedStaticMeshComponent",
	"InstancedFoliageActor", "AssetImportData", "LandscapeComponent",
	"LandscapeHeightfieldCollisionComponent", "LandscapeMaterialInstanceConstant",
	"LandscapeMeshProxyComponent", "LandscapeInfo", "LandscapeLayerInfoObject",
	"NavigationSystemV1", "NavMeshBoundsVolume", "RecastNavMesh", "PostProcessVolume",
	"SoundWave", "CurveFloat", "DataTable", "ObjectRedirector", "MetaData", "Package",
	"LevelSequence", "PhysicsAsset", "Skeleton", "AnimSequence", "Font", "TextureCube"};

/* Default subobjects, from which exports of common actors are made. */
static const char *const parts[] = {"Default__StaticMeshActor:StaticMeshComponent0",
	"Default__PointLight:LightComponent0", "Default__SpotLight:LightComponent0",
	"Default__RectLight:LightComponent0", "Default__DirectionalLight:LightComponent0",
	"Default__SkyLight:SkyLightComponent0", "Default__PlayerStart:CollisionCapsule",
	"Default__SkeletalMeshActor:SkeletalMeshComponent0",
	"Default__DecalActor:NewDecalComponent",
	"Default__ExponentialHeightFog:HeightFogComponent0",
	"Default__SkyAtmosphere:SkyAtmosphereComponent", "Default__TriggerBox:CollisionComp",
	"Default__VolumetricCloud:VolumetricCloudComponent", "Default__TargetPoint:SceneComp"};

struct known {
	struct cs_arena *arena;
	struct cs_ue_scripts to;
	size_t room;
	bool failed;
};

static void add_known(struct known *known, const char *path)
{
	if (!path || known->to.n == known->room) {
		known->failed = true;
		return;
	}
	known->to.at[known->to.n++] = (struct cs_ue_script){cs_ue_script_hash(path), path};
}

static void add_class(void *context, const char *name, size_t n)
{
	struct known *known = context;
	const char *text = cs_arena_text(known->arena, name, n);
	for (size_t m = 0; m < N_MODULES && text; m++) {
		const char *module =
			cs_ue_join(known->arena, "/Script/", modules[m], ".", (char *)NULL);
		add_known(known,
			module ? cs_ue_join(known->arena, module, text, (char *)NULL) : NULL);
		add_known(known,
			module ? cs_ue_join(known->arena, module, "Default__", text, (char *)NULL)
			       : NULL);
	}
	known->failed |= !text;
}

static void count_class(void *context, const char *name, size_t n)
{
	(void)name;
	(void)n;
	*(size_t *)context += 2 * N_MODULES;
}

struct cs_error *cs_ue_known_scripts(struct cs_arena *arena, struct cs_ue_scripts *ret)
{
	enum { N_MORE = sizeof(more) / sizeof(more[0]) };
	enum { N_PARTS = sizeof(parts) / sizeof(parts[0]) };
	struct known known = {.arena = arena, .room = N_PARTS + N_MODULES + N_MORE * 2 * N_MODULES};
	cs_ue_schema_names(count_class, &known.room);
	known.to.at = CS_ARENA_ARRAY(arena, struct cs_ue_script, known.room);
	if (!known.to.at)
		return cs_error_nomem();
	for (size_t m = 0; m < N_MODULES; m++)
		add_known(&known, cs_ue_join(arena, "/Script/", modules[m], (char *)NULL));
	for (size_t i = 0; i < N_PARTS; i++)
		add_known(&known, cs_ue_join(arena, "/Script/Engine.", parts[i], (char *)NULL));
	cs_ue_schema_names(add_class, &known);
	for (size_t i = 0; i < N_MORE; i++)
		add_class(&known, more[i], strlen(more[i]));
	if (known.failed || !cs_sort(known.to.at, known.to.n, sizeof(*known.to.at), by_hash, NULL))
		return cs_error_nomem();
	*ret = known.to;
	return NULL;
}
