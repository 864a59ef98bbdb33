/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the default values of actor classes, Blueprint or native. The package of a Blueprint
 * contains a class descriptor with the differences from the parent class, which its ParentClass tag
 * names. (The base class in this descriptor is the class itself.) The chain of parents is followed
 * to a native class, or to a Blueprint that cannot be found. Then the descriptors are applied to
 * the native defaults, topmost class first. A Blueprint that was renamed leaves a redirector in its
 * old place, whose class changes no values.
 */
#include "ue/project/project_build.h"

#include "ue/project/actor_file.h"

/* Largest depth of Blueprint classes. A longer chain of parent classes is a cycle. */
enum { DEEPEST_CLASS = 64 };

struct chain {
	const char *paths[DEEPEST_CLASS];
	struct cs_ue_descriptor descriptors[DEEPEST_CLASS];
	bool found[DEEPEST_CLASS];
	int n;
	const char *native;
};

/* ---- applying the fields of a descriptor ---- */

/* Converts the engine's number: 0 none, 1 deprecated (read as 2), 2 partitioned, 3 standalone. */
static enum cs_behavior behavior_of(uint8_t number)
{
	static const enum cs_behavior behaviors[] = {CS_BEHAVIOR_NONE, CS_BEHAVIOR_PARTITIONED,
		CS_BEHAVIOR_PARTITIONED, CS_BEHAVIOR_STANDALONE};
	return number < sizeof(behaviors) / sizeof(behaviors[0]) ? behaviors[number]
								 : CS_BEHAVIOR_NONE;
}

void cs_ue_overlay(struct cs_ue_build *build, const struct cs_ue_descriptor *descriptor,
	struct cs_actor *actor, struct cs_level_instance *instance)
{
	uint32_t stored = descriptor->stored;
	cs_ue_overlay_flags(descriptor, actor);
	if (stored & CS_DEFAULT_GRID)
		actor->grid = cs_ue_intern(build, descriptor->grid);
	if (stored & CS_DEFAULT_LABEL)
		actor->label = cs_ue_intern(build, descriptor->label);
	if (stored & CS_DEFAULT_HLOD_LAYER)
		actor->hlod_layer = cs_ue_intern_path(build, &descriptor->hlod_layer);
	if (stored & CS_DEFAULT_EXTERNAL_LAYER)
		actor->external_layer = cs_ue_intern_path(build, &descriptor->external_layer);
	if (stored & CS_DEFAULT_BUNDLE)
		actor->content_bundle = descriptor->content_bundle;
	if (stored & CS_DEFAULT_TAGS)
		actor->tags = cs_ue_intern_strings(build, &descriptor->tags, descriptor->tags.n);
	if (stored & CS_DEFAULT_LAYERS)
		actor->layers =
			cs_ue_intern_strings(build, &descriptor->layers, descriptor->layers.n);
	actor->assumed &= ~stored;
	if (descriptor->tail.stored & CS_UE_STORED_LEVEL) {
		struct cs_ue_path package = {.package = descriptor->tail.level.package};
		instance->level = cs_ue_intern_path(build, &package);
	}
	if (descriptor->tail.stored & CS_UE_STORED_BEHAVIOR)
		instance->behavior = behavior_of(descriptor->tail.behavior);
}

/* ---- the chain of parent classes ---- */

/* Returns "/Game/BP_A.BP_A_C" for "/Script/Engine.BlueprintGeneratedClass'/Game/BP_A.BP_A_C'". */
static const char *class_path_of(struct cs_ue_build *build, struct cs_ue_string tag)
{
	const char *text = cs_ue_text(tag, &build->arena);
	const char *quote = text ? strchr(text, '\'') : NULL;
	if (quote)
		text = cs_arena_text(&build->arena, quote + 1, strcspn(quote + 1, "'"));
	build->no_memory |= !text;
	return text;
}

/* Reads the class descriptor of a Blueprint and the path of its parent class (NULL if none). */
static struct cs_error *read_blueprint(struct cs_ue_build *build, const char *file,
	struct cs_ue_descriptor *descriptor_ret, const char **parent_ret)
{
	struct cs_ue_reader reader = {0};
	struct cs_ue_head head;
	struct cs_error *error = cs_ue_open_head(file, build->limits.file_bytes, &reader, &head);
	if (!error)
		error = cs_ue_decode_asset(&head.asset, file, &build->arena, descriptor_ret);
	if (!error && head.asset.tags[CS_UE_TAG_PARENT_CLASS].at)
		*parent_ret = class_path_of(build, head.asset.tags[CS_UE_TAG_PARENT_CLASS]);
	cs_ue_reader_deinit(&reader);
	return error ? error : cs_ue_check_asset(build, file);
}

static bool seen_before(const struct chain *chain, const char *path)
{
	for (int i = 0; i < chain->n; i++)
		if (cs_name_compare(chain->paths[i], path) == 0)
			return true;
	return false;
}

/* Appends a class to `chain` (a class, then its ancestors). Returns its parent's path, or NULL. */
static const char *climb(struct cs_ue_build *build, struct chain *chain, const char *path)
{
	const char *parent = NULL;
	const char *file = cs_ue_asset_file(build, &build->arena, path);
	if (!file) {
		build->no_memory = true;
		return NULL;
	}
	int at = chain->n++;
	chain->paths[at] = path;
	if (!*file) {
		cs_ue_warn(build,
			"default values are assumed for the class %s, because it is not part of "
			"the project",
			path);
		return NULL;
	}
	struct cs_error *error = read_blueprint(build, file, &chain->descriptors[at], &parent);
	if (error && error->code == CS_E_DESCRIPTOR)
		parent = cs_ue_redirection(build, file, "BlueprintGeneratedClass");
	chain->found[at] = !error || parent;
	if (error && !parent) {
		cs_ue_warn(build,
			"default values are assumed for the class %s, because %s cannot be read: "
			"%s: %s",
			path, file, cs_word(CS_WORDS_CODE, error->code)->name, error->message);
		cs_ue_count_damage(build, error, file);
	}
	cs_error_free(error);
	return parent;
}

static void blueprint_follow(struct cs_ue_build *build, struct chain *chain, const char *path)
{
	while (path && *path && !build->no_memory) {
		if (strncmp(path, "/Script/", 8) == 0) {
			chain->native = path;
			return;
		}
		if (chain->n == DEEPEST_CLASS || seen_before(chain, path)) {
			cs_ue_warn(build, "the class %s inherits from itself through its parents",
				path);
			return;
		}
		path = climb(build, chain, path);
	}
}

static void build_class(struct cs_ue_build *build, const char *base_class, const char *native_class,
	struct chain *chain, struct cs_ue_class *ret)
{
	chain->native = native_class;
	blueprint_follow(build, chain, base_class);
	cs_ue_native_class(build, chain->native, ret);
	for (int i = chain->n - 1; i >= 0; i--) {
		if (!chain->found[i])
			ret->actor.assumed = CS_UE_ALL_FIELDS;
		cs_ue_apply_class_rows(build, chain->paths[i], ret);
		if (chain->found[i])
			cs_ue_overlay(build, &chain->descriptors[i], &ret->actor, &ret->instance);
	}
}

static const char *copy_text(struct cs_ue_build *build, uint32_t text)
{
	const char *from = cs_world_text(build->world, text);
	const char *copy = cs_arena_copy(&build->arena, from);
	build->no_memory |= !copy;
	return copy ? copy : "";
}

struct cs_error *cs_ue_find_class(struct cs_ue_build *build, uint32_t base_class,
	uint32_t native_class, const struct cs_ue_class **ret)
{
	uint32_t path = base_class ? base_class : native_class;
	for (size_t i = 0; i < build->class_paths.n; i++) {
		if (build->class_paths.at[i] == path) {
			*ret = &build->classes.at[i];
			return NULL;
		}
	}
	struct chain *chain = calloc(1, sizeof(*chain));
	struct cs_ue_class class;
	if (!chain)
		return cs_error_nomem();
	build_class(
		build, copy_text(build, base_class), copy_text(build, native_class), chain, &class);
	free(chain);
	if (build->no_memory || !cs_vec_push(&build->classes, class) ||
		!cs_vec_push(&build->class_paths, path))
		return cs_error_nomem();
	*ret = &build->classes.at[build->classes.n - 1];
	return NULL;
}
