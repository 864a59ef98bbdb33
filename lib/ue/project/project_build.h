/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of converting a project into a world, shared by the files that do so: the project, the
 * growing world, and counters. Files are read in parallel, but merged one by one in the order of
 * their names. Only merging uses this state.
 */
#pragma once

#include "core/job.h"
#include "ue/package/descriptor.h"
#include "ue/package/package.h"
#include "ue/project/project.h"
#include "world/world_internal.h"

/* The union of all CS_DEFAULT_ bits. */
#define CS_UE_ALL_FIELDS (2 * CS_DEFAULT_EXTERNAL_LAYER - 1)

/* Default values of an actor class, for fields that a descriptor does not contain. */
struct cs_ue_class {
	/* default values, with bits in `assumed` for the fields that are assumed for the class */
	struct cs_actor actor;
	struct cs_level_instance instance;
};

/* A class in the user's JSON table of classes. */
struct cs_ue_class_row {
	const char *name; /* path of the class, or its name without a path */
	/* values of CS_ACTOR_ bits (flags), and the bits that the row sets (mask) */
	uint32_t flags, mask;
	uint32_t known;                /* CS_DEFAULT_ bits of the fields that the row sets */
	const char *grid, *hlod_layer; /* NULL if the row does not set them */
};

/* The position of an actor as it is stored, before attach parents are applied. */
struct cs_ue_placement {
	struct cs_ue_bounds runtime, editor;
	bool relative; /* whether the transform is relative to the attach parent */
	bool unknown;  /* whether the descriptor contains no transform */
};

struct cs_ue_layer_file {
	const char *path;
	/* whether the package has all data of the layers, as in 5.0: no descriptor lists them */
	bool own_rows;
};

struct cs_ue_build {
	struct cs_ue_project *project;
	const struct cs_job *job;
	struct cs_limits limits;
	struct cs_world *world;
	struct cs_arena arena;   /* memory needed until the project is read */
	struct cs_arena scratch; /* temporary texts, which are freed after each batch of files */
	bool no_memory;          /* whether an allocation failed. It is never reset */
	bool whole;              /* whether to look for damage in all parts of packages */
	CS_VEC(uint32_t) class_paths; /* for each of `classes`, the text offset of its path */
	CS_VEC(struct cs_ue_class) classes;
	CS_VEC(struct cs_ue_class_row) rows;
	/* placements of the actors from world->actors[first_placed] on */
	CS_VEC(struct cs_ue_placement) placements;
	size_t first_placed;
	CS_VEC(struct cs_ue_layer_file) layer_files;
	CS_VEC(uint32_t) script_packages; /* packages that the level script imports */
	size_t strays;         /* number of actors in the folder that belong to another map */
	const char *stray_map; /* map of the first of the stray actors */
	CS_VEC(const char *) damaged_assets; /* files that cs_ue_count_damage counted */
	struct cs_strings checked;           /* files in which cs_ue_check_asset looked */
	bool in_level;       /* whether an embedded level with layers of its own is being read */
	size_t lfs_pointers; /* number of packages that are pointers of Git LFS */
	size_t read;         /* number of actor packages that could be read */
	size_t warnings;
	bool warned_newer;
	/* first error of a package, which is returned if no package could be read */
	struct cs_error *first_error;
};

/* Add texts or GUIDs to the world. If out of memory, set build->no_memory (a text is CS_NONE). */
uint32_t cs_ue_intern(struct cs_ue_build *build, struct cs_ue_string string);
uint32_t cs_ue_intern_text(struct cs_ue_build *build, const char *text);
uint32_t cs_ue_intern_path(struct cs_ue_build *build, const struct cs_ue_path *path);
struct cs_range cs_ue_intern_strings(
	struct cs_ue_build *build, const struct cs_ue_list *list, uint32_t strings);
struct cs_range cs_ue_intern_guids(struct cs_ue_build *build, const struct cs_ue_list *list);

/* Largest number of times that an asset may have been renamed, to end cycles of redirectors. */
enum { CS_UE_MOST_RENAMED = 16 };
/*
 * Returns the object to which a redirector in the package leads (the first import whose class name
 * ends with `class_name`), or NULL. The editor leaves redirectors in the places of renamed assets.
 */
const char *cs_ue_redirection(struct cs_ue_build *build, const char *file, const char *class_name);
/* Returns the file of an asset such as "/Game/X.X", "" if it has none, NULL if out of memory. */
const char *cs_ue_asset_file(
	struct cs_ue_build *build, struct cs_arena *arena, const char *object_path);

/* Logs a warning. After limits.findings warnings, logs once that no more will follow. */
void cs_ue_warn(struct cs_ue_build *build, const char *format, ...) CS_PRINTF(2, 3);
/*
 * Counts the package of an asset (not of an actor) as damaged, because reading it failed with
 * `error`, but not if it is missing or lacks the wanted data, as Blueprints saved long ago do.
 * Counts each package once, even if several classes inherit from its class.
 */
void cs_ue_count_damage(struct cs_ue_build *build, const struct cs_error *error, const char *file);
/*
 * If the user requested it, looks for damage in the whole package of an asset (not of an actor),
 * and warns of it. Looks at each package once. Returns an error only when memory runs out.
 */
struct cs_error *cs_ue_check_asset(struct cs_ue_build *build, const char *file) CS_MUST_USE;
/* Counts a package as damaged and logs why. */
void cs_ue_warn_damage(struct cs_ue_build *build, const struct cs_error *error);
/* Counts a package as unreadable and logs why. Takes ownership of the error. */
void cs_ue_unreadable(struct cs_ue_build *build, struct cs_error *error);
/* Calls cs_ue_unreadable, but returns E_NOMEM, which ends reading. `error` may be NULL. */
struct cs_error *cs_ue_tolerate(struct cs_ue_build *build, struct cs_error *error) CS_MUST_USE;
/* Warns of the first `file` that an engine newer than all known ones wrote. */
void cs_ue_warn_newer(struct cs_ue_build *build, const char *file);

/* classes.c: loads the user's table of classes. */
struct cs_error *cs_ue_load_class_rows(
	struct cs_ue_build *build, const char *path, bool must_exist) CS_MUST_USE;
/* Stores a native class's defaults (by path or name), changed by the user's table of classes. */
void cs_ue_native_class(
	struct cs_ue_build *build, const char *native_class, struct cs_ue_class *ret);
void cs_ue_apply_class_rows(
	struct cs_ue_build *build, const char *class_path, struct cs_ue_class *class);
/* Replaces the flags of an actor by those that the descriptor contains. */
void cs_ue_overlay_flags(const struct cs_ue_descriptor *descriptor, struct cs_actor *actor);
/* blueprint.c: finds the default values of a class. base_class is 0 for a native class. */
struct cs_error *cs_ue_find_class(struct cs_ue_build *build, uint32_t base_class,
	uint32_t native_class, const struct cs_ue_class **ret) CS_MUST_USE;
/* Replaces those values in `actor` and `instance` for which the descriptor contains a field. */
void cs_ue_overlay(struct cs_ue_build *build, const struct cs_ue_descriptor *descriptor,
	struct cs_actor *actor, struct cs_level_instance *instance);

/* project_actors.c: adds all external actors in a folder to a container. */
struct cs_error *cs_ue_read_actors(
	struct cs_ue_build *build, const char *folder, uint32_t container) CS_MUST_USE;
/* actor_bounds.c: computes world transforms and bounds of the actors from first_placed on. */
struct cs_error *cs_ue_place_actors(struct cs_ue_build *build) CS_MUST_USE;
/*
 * actor_bounds.c: leaves out each actor that the level or an earlier external layer has too, with a
 * warning, because all of them are cooked together.
 */
struct cs_error *cs_ue_drop_shared(struct cs_ue_build *build) CS_MUST_USE;
/* project_layers.c: add a descriptor's layers, and read instances and assets of a map's layers. */
struct cs_error *cs_ue_add_layer_rows(struct cs_ue_build *build,
	const struct cs_ue_descriptor *descriptor, const char *path,
	uint32_t container) CS_MUST_USE;
struct cs_error *cs_ue_finish_layers(
	struct cs_ue_build *build, const char *map, size_t first_file) CS_MUST_USE;
/* project_settings.c: reads the World Partition settings of a map. */
struct cs_error *cs_ue_read_settings(
	struct cs_ue_build *build, struct cs_ue_package *package) CS_MUST_USE;
/* Adds the actors to which the level script refers by imports to settings.world_references. */
struct cs_error *cs_ue_find_script_actors(
	struct cs_ue_build *build, size_t first_actor) CS_MUST_USE;
/* Adds the HLOD grid that the SpatialHashRuntimeGridInfo actor in the file `path` contains. */
struct cs_error *cs_ue_add_grid_info(struct cs_ue_build *build, const char *path) CS_MUST_USE;
/* hlod_layers.c: reads the assets of all HLOD layers that the world refers to. */
struct cs_error *cs_ue_read_hlod_layers(struct cs_ue_build *build, size_t first_actor) CS_MUST_USE;
