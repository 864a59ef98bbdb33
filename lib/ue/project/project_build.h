/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state that the parts share that convert a project into a world: the project, the growing
 * world, and counters. Reading is parallel. Merging is serial and in the order of the files' names,
 * and only merging uses this state.
 */
#pragma once

#include "core/job.h"
#include "ue/package/descriptor.h"
#include "ue/package/package.h"
#include "ue/project/project.h"
#include "world/world_internal.h"

/* Every CS_DEFAULT_ bit. */
#define CS_UE_ALL_FIELDS (2 * CS_DEFAULT_EXTERNAL_LAYER - 1)

/* The values of an actor's fields where its descriptor contains none. */
struct cs_ue_class {
	struct cs_actor actor; /* values of the fields; `assumed` applies to the whole class */
	struct cs_level_instance instance;
};

/* A row of the user's table of classes. */
struct cs_ue_class_row {
	const char *name;              /* full path or bare name */
	uint32_t flags, mask;          /* values of CS_ACTOR_ bits, and which bits the row sets */
	uint32_t known;                /* CS_DEFAULT_ bits of the fields that the row sets */
	const char *grid, *hlod_layer; /* NULL when the row doesn't set them */
};

/* The position of an actor of the current container before its parents are known. */
struct cs_ue_placement {
	struct cs_ue_bounds runtime, editor;
	bool relative; /* the transform is relative to the attach parent */
	bool unknown;  /* the descriptor has no transform */
};

/* A package that contains data layer instances. */
struct cs_ue_layer_file {
	const char *path;
	/* no descriptor listed the layers, so all of their data is in the package (5.0) */
	bool own_rows;
};

struct cs_ue_build {
	struct cs_ue_project *project;
	const struct cs_job *job;
	struct cs_limits limits;
	struct cs_world *world;
	struct cs_arena arena;        /* owns what is needed for the whole reading */
	struct cs_arena scratch;      /* owns temporary texts; emptied after every batch of files */
	bool no_memory;               /* sticky: cs_ue_intern or a list failed */
	CS_VEC(uint32_t) class_paths; /* texts of the world; class i */
	CS_VEC(struct cs_ue_class) classes;
	CS_VEC(struct cs_ue_class_row) rows;
	/* placements of world->actors[first_placed] and the following ones */
	CS_VEC(struct cs_ue_placement) placements;
	size_t first_placed;
	CS_VEC(struct cs_ue_layer_file) layer_files;
	CS_VEC(uint32_t) script_packages; /* texts: packages that the level script imports */
	bool in_level;       /* the current level is a partition by itself, so its layers count */
	size_t lfs_pointers; /* packages whose content git did not fetch */
	size_t read;         /* packages of actors that were read */
	size_t warnings;
	bool warned_newer;
	/* first error of a package; reported when nothing could be read */
	struct cs_error *first_error;
};

/* Returns a text of the world. On failure it returns CS_NONE, and build->no_memory stays set. */
uint32_t cs_ue_intern(struct cs_ue_build *build, struct cs_ue_string string);
uint32_t cs_ue_intern_text(struct cs_ue_build *build, const char *text);
uint32_t cs_ue_intern_path(struct cs_ue_build *build, const struct cs_ue_path *path);
struct cs_range cs_ue_intern_strings(
	struct cs_ue_build *build, const struct cs_ue_list *list, uint32_t strings);
struct cs_range cs_ue_intern_guids(struct cs_ue_build *build, const struct cs_ue_list *list);

/*
 * Returns the file of an asset, "/Game/X.X", "" when the project has none, and NULL without memory.
 */
const char *cs_ue_asset_file(
	struct cs_ue_build *build, struct cs_arena *arena, const char *object_path);

/* Logs at most limits.findings warnings, then one that says so. */
void cs_ue_warn(struct cs_ue_build *build, const char *format, ...) CS_PRINTF(2, 3);
/* Counts a package as unreadable, names it in the log, and owns the error from now on. */
void cs_ue_unreadable(struct cs_ue_build *build, struct cs_error *error);
/* The same, but returns a lack of memory, which ends the reading. NULL for NULL. */
struct cs_error *cs_ue_tolerate(struct cs_ue_build *build, struct cs_error *error) CS_MUST_USE;
/* Warns once, of the first version that is newer than the known ones. */
void cs_ue_warn_newer(struct cs_ue_build *build, const char *file);

/* classes.c: returns and changes defaults of classes. */
struct cs_error *cs_ue_load_class_rows(
	struct cs_ue_build *build, const char *path, bool must_exist) CS_MUST_USE;
/* Returns the native defaults of a class by its path or name, with the user's rows applied. */
void cs_ue_native_class(
	struct cs_ue_build *build, const char *native_class, struct cs_ue_class *ret);
void cs_ue_apply_class_rows(
	struct cs_ue_build *build, const char *class_path, struct cs_ue_class *class);
/* blueprint.c: returns the defaults of an actor of that class; base_class 0 is native. */
struct cs_error *cs_ue_find_class(struct cs_ue_build *build, uint32_t base_class,
	uint32_t native_class, const struct cs_ue_class **ret) CS_MUST_USE;
/* Applies the stored fields of a descriptor. */
void cs_ue_overlay(struct cs_ue_build *build, const struct cs_ue_descriptor *descriptor,
	struct cs_actor *actor, struct cs_level_instance *instance);

/* project_actors.c: reads all external actors below a folder into a container. */
struct cs_error *cs_ue_read_actors(
	struct cs_ue_build *build, const char *folder, uint32_t container) CS_MUST_USE;
/* actor_bounds.c: computes world transforms and bounds of the actors that were read last. */
struct cs_error *cs_ue_place_actors(struct cs_ue_build *build) CS_MUST_USE;
/* project_layers.c: adds the data layers. */
struct cs_error *cs_ue_add_layer_rows(struct cs_ue_build *build,
	const struct cs_ue_descriptor *descriptor, const char *path,
	uint32_t container) CS_MUST_USE;
struct cs_error *cs_ue_finish_layers(
	struct cs_ue_build *build, const char *map, size_t first_file) CS_MUST_USE;
/* project_settings.c: reads the world partition of a map. */
struct cs_error *cs_ue_read_settings(
	struct cs_ue_build *build, struct cs_ue_package *package) CS_MUST_USE;
/* Adds the actors that the level script imports, from `first_actor` on, to the world references. */
struct cs_error *cs_ue_find_script_actors(
	struct cs_ue_build *build, size_t first_actor) CS_MUST_USE;
/* Adds the grid of a SpatialHashRuntimeGridInfo actor, whose package is the file `path`. */
struct cs_error *cs_ue_add_grid_info(struct cs_ue_build *build, const char *path) CS_MUST_USE;
/* hlod_layers.c: reads the assets of all HLOD layers that the world names. */
struct cs_error *cs_ue_read_hlod_layers(struct cs_ue_build *build, size_t first_actor) CS_MUST_USE;
