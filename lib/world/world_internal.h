/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the uncooked world, for its readers and for the cook (world-partition rule 1.2).
 *
 * Data model: flat arrays. Texts are offsets into one pool; lists of texts and GUIDs are ranges of
 * two pools. Actors are passed as struct cs_actor, the complete descriptor, and stored packed
 * (actor_rows.c): a row with what nearly every actor has, and numbers of entries for what few have
 * or many share. A reader adds objects in any order and calls cs_world_seal, which sorts actors by
 * (container, GUID), so that nothing later depends on the order of the input. Invariant after
 * sealing: actors of a container are consecutive and in ascending GUID order; all text offsets and
 * ranges are valid; every double is finite.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/world.h>

#include "core/slots.h"
#include "core/strings.h"
#include "core/vec.h"

/* Whether a descriptor is saved to disk: the cook uses the saved state, PIE the unsaved one. */
enum cs_saved {
	CS_SAVED,        /* used by the cook and by PIE */
	CS_SAVED_ONLY,   /* deleted or replaced by an unsaved change: used by the cook only */
	CS_UNSAVED_ONLY, /* added or changed: used by PIE only */
};

/* The bits of cs_cooked_actor.flags that a descriptor contains. */
#define CS_DESC_FLAGS                                                                            \
	(CS_ACTOR_OWN_SPATIAL | CS_ACTOR_EDITOR_ONLY | CS_ACTOR_IN_PIE | CS_ACTOR_RUNTIME_ONLY | \
		CS_ACTOR_MAIN_WORLD_ONLY | CS_ACTOR_HLOD_RELEVANT | CS_ACTOR_PARTITION_ACTOR |   \
		CS_ACTOR_LEVEL_INSTANCE | CS_ACTOR_HLOD | CS_ACTOR_DATA_LAYERS |                 \
		CS_ACTOR_NEEDS_RESAVE | CS_ACTOR_UNLISTED)

/* One complete actor descriptor. Bounds are in the space of its container. */
struct cs_actor {
	struct cs_guid guid;
	struct cs_guid parent;         /* attach parent, zero = none */
	struct cs_guid content_bundle; /* zero = base game */
	struct cs_guid folder_guid;
	struct cs_transform transform;
	struct cs_box bounds, editor_bounds;    /* runtime and editor bounds; may be invalid */
	uint32_t name, label;                   /* offsets of texts */
	uint32_t base_class, native_class;      /* offsets of texts; base_class "" = native actor */
	uint32_t package, path, folder, engine; /* offsets of texts */
	uint32_t grid;                          /* text, "" = default grid */
	uint32_t hlod_layer;                    /* text: path, "" = default */
	uint32_t mesh;                          /* text: file or object of its mesh, "" = none */
	uint32_t external_layer; /* text: asset of its external data layer, "" = none */
	uint32_t container;      /* row of containers */
	uint32_t level_instance; /* row of level_instances, or CS_NONE */
	uint32_t hlod;           /* row of hlods, or CS_NONE */
	uint32_t flags;          /* CS_ACTOR_ bits, only bits of CS_DESC_FLAGS */
	/* bits CS_DEFAULT_: values from the class default, and values that were assumed */
	uint32_t defaults, assumed;
	uint32_t saved;         /* enum cs_saved */
	struct cs_range layers; /* range of texts: asset paths or instance names */
	struct cs_range references, editor_references; /* ranges of guids */
	struct cs_range tags;                          /* range of texts */
	struct cs_range properties; /* range of texts: name, value, name, value, ... */
};

/* Rotation and scale of an actor. */
struct cs_actor_turn {
	struct cs_quat rotation;
	struct cs_vec3 scale;
};

/* Members that many actors lack or share; fields as in struct cs_actor. */
struct cs_actor_more {
	struct cs_guid content_bundle, folder_guid;
	uint32_t base_class, folder, engine, mesh, external_layer;
	uint32_t level_instance, hlod;
	uint32_t defaults, assumed;
	struct cs_range editor_references, tags, properties;
};

enum { CS_EDITOR_BOUNDS_SAME, CS_EDITOR_BOUNDS_NONE, CS_EDITOR_BOUNDS_OWN };

/*
 * An actor as a world stores it. Members that struct cs_actor also has may be changed in place,
 * except bounds, which may represent the editor bounds, too; all others by cs_world_set_actor.
 */
struct cs_actor_row {
	struct cs_guid guid;
	struct cs_vec3 location; /* translation of the actor's transform */
	struct cs_box bounds;
	uint32_t name, label, native_class, package, path, grid, hlod_layer;
	uint32_t container, flags, saved;
	struct cs_range layers, references;
	uint32_t parent;        /* index in guids + 1, 0 = none */
	uint32_t turn;          /* index in turns + 1, 0 = neither rotated nor scaled */
	uint32_t editor_bounds; /* CS_EDITOR_BOUNDS_SAME or _NONE, or its index + _OWN */
	uint32_t more;          /* index in more + 1, 0 = all defaults */
};

/* What the level of a level instance becomes at run time. */
enum cs_behavior {
	CS_BEHAVIOR_NONE,        /* the level instance is a plain actor */
	CS_BEHAVIOR_PARTITIONED, /* embedded: its actors stream with those of the world */
	CS_BEHAVIOR_STANDALONE,  /* the level has a world partition of its own */
};

struct cs_level_instance {
	uint32_t level;         /* text: package of its level */
	uint32_t behavior;      /* enum cs_behavior */
	struct cs_range filter; /* range of texts: layer assets whose actors are left out */
};

/* An HLOD actor of the source, with the actors that it was built from. */
struct cs_hlod_actor {
	struct cs_guid source_cell;
	uint32_t source_cell_name; /* text */
	uint32_t layer;
	uint32_t mesh;     /* text: file of its proxy mesh, "" = none */
	double mesh_bytes; /* bytes of that mesh in memory */
	double min_visible_distance;
	bool no_warmup;
	struct cs_range sources; /* range of guids: actors that it represents */
};

/* More data layers than any world has; searches are linear. */
enum { CS_MOST_LAYERS = 4096 };

enum cs_container_kind {
	CS_CONTAINER_BASE,
	CS_CONTAINER_EXTERNAL_LAYER, /* actors of an external data layer, in the main collection */
	CS_CONTAINER_BUNDLE,         /* actors of a content bundle, in the main collection */
	CS_CONTAINER_LEVEL,          /* a level that level instances use */
};

struct cs_source_container {
	uint32_t package;     /* text, unique */
	uint32_t name;        /* text: its short name; set by sealing */
	uint32_t kind;        /* enum cs_container_kind */
	bool external_actors; /* the level has one file per actor, so that it can be embedded */
	bool missing;         /* a level instance names the level, but it was not found */
	/* the container is a level that has a partition of its own when it runs standalone */
	bool partitioned;
	struct cs_guid content_bundle; /* GUID of the bundle of a CS_CONTAINER_BUNDLE */
	uint32_t external_layer;       /* text: asset, for CS_CONTAINER_EXTERNAL_LAYER */
	struct cs_range actors;        /* its actors; set by sealing */
	/*
	 * The level's own settings, layers and grids, used where the level is standalone; NULL =
	 * those of the main world. Owned; its texts and ranges are in the world's pools.
	 */
	struct cs_world *rules;
};

struct cs_source_layer {
	uint32_t name;    /* text: instance name */
	uint32_t label;   /* text: short name */
	uint32_t asset;   /* text: path, "" = none */
	uint32_t parent;  /* text: instance name, "" = none */
	uint32_t type;    /* enum cs_layer_type */
	uint32_t filter;  /* enum cs_layer_filter */
	uint32_t initial; /* enum cs_layer_state */
	int32_t priority;
	uint32_t color;
	bool external;
};

struct cs_source_hlod_layer {
	uint32_t path, parent; /* offsets of texts: its own path and that of its parent layer */
	bool spatial;
	double cell_size, loading_range;
	/*
	 * largest number of triangles of a proxy mesh; 0 = a tenth of the triangles that it
	 * represents
	 */
	double proxy_triangles;
	bool assumed; /* the layer's asset could not be read: the values are those of a new layer */
};

/* Which bounds of a cell streaming uses; DEFAULT leaves it to the engine profile. */
enum cs_bounds_method {
	CS_BOUNDS_DEFAULT,
	CS_BOUNDS_CONTENT,
	CS_BOUNDS_CELL,
	CS_BOUNDS_MIN_CONTENT_CELL, /* the bounds of the content, clipped to the cell */
};

/* A partition layer: of a main partition or of an HLOD setup. */
struct cs_source_partition {
	uint32_t name;            /* text */
	uint32_t partition_class; /* enum cs_partition_class */
	double cell_size, loading_range;
	struct cs_vec3 origin;
	bool is_2d, block_on_slow, client_only;
	uint32_t bounds_method; /* enum cs_bounds_method */
	int32_t priority;
	uint32_t color;
	/* For main partitions: its HLOD setups, a range of `setups`. */
	struct cs_range setups;
	/* For HLOD setups: its layers (texts) and whether it is spatially loaded. */
	struct cs_range hlod_layers;
	bool spatial;
	bool assumed; /* whether the source lacks the loading range */
};

/* A grid of the spatial hash. */
struct cs_source_grid {
	uint32_t name; /* text */
	uint32_t hlod_layer;
	double cell_size, loading_range;
	double origin_x, origin_y;
	bool block_on_slow, client_only, hlod;
	int32_t priority;
	uint32_t color;
	bool assumed; /* whether the source lacks the loading range */
};

/* An option that a project may leave to the console variables. */
enum cs_option { CS_OPTION_OFF, CS_OPTION_ON, CS_OPTION_PROJECT };

/* The runtime hash; CS_SOURCE_HASH_PROFILE leaves it to the engine profile. */
enum cs_source_hash { CS_SOURCE_HASH_SET, CS_SOURCE_HASH_SPATIAL, CS_SOURCE_HASH_PROFILE };

struct cs_world_settings {
	uint32_t name, package, source, engine;          /* offsets of texts */
	uint32_t profile;                                /* text, "" = not given */
	uint32_t default_hlod_layer;                     /* text */
	uint32_t hash_class;                             /* enum cs_source_hash */
	uint32_t layers_operator;                        /* enum cs_layers_operator */
	uint32_t server_streaming, server_streaming_out; /* enum cs_server_mode */
	bool streaming;
	/* For the spatial hash, world-partition rule 1.7.1; enum cs_option. */
	uint32_t aligned, snap, small_by_location, partition_by_location, z_culling;
	/* range of guids: actors that the level script references */
	struct cs_range world_references;
};

/* Containers by package (world/containers.c). */
struct cs_container_index {
	struct cs_slots slots;
	uint32_t n; /* number of containers that the table covers, except the main one */
};

/*
 * Entries that rows of actors refer to. No entry ever changes; turns and more contain none twice.
 */
struct cs_actor_pools {
	CS_VEC(struct cs_actor_turn) turns;
	CS_VEC(struct cs_actor_more) more;
	CS_VEC(struct cs_box) editor_bounds;
	struct cs_slots turn_slots, more_slots; /* hash tables that contain all entries, or none */
};

struct cs_world {
	struct cs_strings strings;
	struct cs_world_settings settings;
	CS_VEC(struct cs_actor_row) actors;
	struct cs_actor_pools pools;
	CS_VEC(struct cs_level_instance) level_instances;
	CS_VEC(struct cs_hlod_actor) hlods;
	CS_VEC(struct cs_source_container) containers; /* all containers; row 0 is the main one */
	struct cs_container_index by_package;
	CS_VEC(struct cs_source_layer) layers;
	CS_VEC(struct cs_source_hlod_layer) hlod_layers;
	CS_VEC(struct cs_source_partition) partitions;
	CS_VEC(struct cs_source_partition) setups;
	CS_VEC(struct cs_source_grid) grids;
	CS_VEC(uint32_t) texts;       /* pool of lists of texts */
	CS_VEC(struct cs_guid) guids; /* pool of lists of GUIDs */
	size_t unreadable;
	bool sealed;
};

/* Creates an empty world with the main container and the default settings of rule 1.2.3. */
struct cs_error *cs_world_new(const char *package, struct cs_world **ret) CS_MUST_USE;
/* Creates the same world, sealed. */
struct cs_error *cs_world_empty(const char *package, struct cs_world **ret) CS_MUST_USE;
/* Returns an actor with the defaults of a placed actor; the caller fills it in and pushes it. */
struct cs_actor cs_actor_default(void);
/* Adds an actor. Returns false without memory; the world is then unchanged. */
bool cs_world_push_actor(struct cs_world *world, const struct cs_actor *actor);
bool cs_world_set_actor(struct cs_world *world, size_t index, const struct cs_actor *actor);
/*
 * Returns an actor with exactly the bits that were pushed or set last, except where its empty lists
 * begin.
 */
struct cs_actor cs_world_actor(const struct cs_world *world, size_t index);
struct cs_transform cs_actor_transform(
	const struct cs_world *world, const struct cs_actor_row *row);
struct cs_box cs_actor_editor_bounds(const struct cs_world *world, const struct cs_actor_row *row);
/*
 * Removes the entries beyond the sizes in `to`, which no row refers to any more. The next packing
 * fills the hash tables again.
 */
void cs_actor_pools_cut(struct cs_actor_pools *pools, const struct cs_actor_pools *to);
uint64_t cs_actor_pools_bytes(const struct cs_actor_pools *pools);
void cs_actor_pools_deinit(struct cs_actor_pools *pools);
/* Return the default settings, layers and so on, for values that no file sets (rule 1.2.3). */
struct cs_world_settings cs_settings_default(void);
struct cs_source_partition cs_partition_default(void);
/* Returns the defaults of an HLOD setup of that partition. */
struct cs_source_partition cs_setup_default(const struct cs_source_partition *partition);
struct cs_source_container cs_container_default(void); /* defaults of a level */
struct cs_source_grid cs_grid_default(void);
/*
 * Returns the container of a package; adds it as a missing CS_CONTAINER_LEVEL when the world has
 * none.
 */
struct cs_error *cs_world_container(
	struct cs_world *world, const char *package, uint32_t *ret) CS_MUST_USE;
/*
 * Creates a world that holds the rules of a world partition alone, with the default settings of
 * rule 1.2.3; NULL without memory.
 */
struct cs_world *cs_world_new_rules(void);
/*
 * Exchanges the rules of a world partition (settings, layers, HLOD layers, partitions and grids)
 * between two worlds: code that reads or cooks a world can then be used for a level.
 */
void cs_world_swap_rules(struct cs_world *world, struct cs_world *rules);
/* Adds all containers to the table that finds them by package; false without memory. */
bool cs_world_index_containers(struct cs_world *world);
void cs_container_index_deinit(struct cs_container_index *index);
/*
 * Both functions return a row, or CS_NONE when no row has that name. Names are compared without
 * case.
 */
uint32_t cs_world_find_container(const struct cs_world *world, const char *package);
uint32_t cs_world_find_layer(const struct cs_world *world, const char *name_or_asset);
/* Checks, sorts, and computes the ranges of containers. E_SETTING, E_WORLD, E_LIMIT, E_DUPLICATE.
 */
struct cs_error *cs_world_seal(struct cs_world *world, const struct cs_job *job) CS_MUST_USE;
/* Checks what sealing requires of an actor, and makes bounds that are no box CS_BOX_INVALID. */
struct cs_error *cs_world_check_actor(struct cs_world *world, size_t index) CS_MUST_USE;
/* Checks sizes and loading ranges. E_SETTING. */
struct cs_error *cs_world_check_settings(const struct cs_world *world) CS_MUST_USE;
/*
 * Finds an actor of a sealed container by GUID, or returns CS_NONE; of two states, the saved one.
 */
uint32_t cs_world_find_actor(const struct cs_world *world, uint32_t container, struct cs_guid guid);

/*
 * Stores what a change of a sealed world may modify; false without memory. Free it with
 * cs_world_forget, whether it was needed or not.
 */
bool cs_world_keep(const struct cs_world *world, struct cs_world *ret);
void cs_world_undo(struct cs_world *world, struct cs_world *kept);
void cs_world_forget(struct cs_world *kept);

static inline const char *cs_world_text(const struct cs_world *world, uint32_t text)
{
	return cs_strings_get(&world->strings, text);
}

extern const struct cs_actor_more cs_actor_more_none;

static inline const struct cs_actor_more *cs_actor_more(
	const struct cs_world *world, const struct cs_actor_row *row)
{
	return row->more ? &world->pools.more.at[row->more - 1] : &cs_actor_more_none;
}

static inline struct cs_guid cs_actor_parent(
	const struct cs_world *world, const struct cs_actor_row *row)
{
	return row->parent ? world->guids.at[row->parent - 1] : (struct cs_guid){0};
}

/*
 * Puts actors in a random order and seals again, to test that the order of the input does not
 * matter.
 */
struct cs_error *cs_world_shuffle(
	struct cs_world *world, uint64_t seed, const struct cs_job *job) CS_MUST_USE;
/*
 * Begins changing a sealed world. The world must stay open, and may be changed only through `ret`,
 * until the changes are undone.
 */
struct cs_error *cs_world_change_begin(
	struct cs_world *world, struct cs_world_changes **ret) CS_MUST_USE;
/*
 * Applies one change, by the keys of the JSON form:
 *
 *	KEY=VALUE                   a setting of the world
 *	GRID.KEY=VALUE              of a partition or grid, of an HLOD setup as GRID:SETUP.KEY
 *	actor.NAME.KEY=VALUE        of an actor, by its label, name or GUID
 *	class.NAME.KEY=VALUE        of every actor of that class, by the last part of its path
 *	layer.NAME.KEY=VALUE        of a data layer, by its name, label or asset
 *	hlod_layer.NAME.KEY=VALUE   of an HLOD layer, by its path or the last part of it
 *	layers.A,B=C                every actor that has exactly the layers A and B gets C
 *
 * Lists are written A,B; += and -= add to them and remove from them, so that actor.A.references-=B
 * removes the reference from A to B. Actors in lists are named by label, name or GUID, a vector is
 * X,Y,Z, and bounds are X,Y,Z..X,Y,Z, `none`, or `editor` for those of the editor. A change that is
 * refused leaves the world unchanged: E_SETTING, E_NOGRID, E_NOACTOR, E_NOLAYER, E_AMBIGUOUS.
 */
struct cs_error *cs_world_change(struct cs_world_changes *changes, const char *text) CS_MUST_USE;
/* Undoes and frees the changes. */
void cs_world_change_undo(struct cs_world_changes *changes);
const char *cs_world_name(const struct cs_world *world);
/* Returns the name of the engine profile that the source names, "5.4" when it names none. */
const char *cs_world_profile(const struct cs_world *world);
