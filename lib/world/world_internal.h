/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the uncooked world, for its readers and for the cook (world-partition rule 1.2).
 *
 * Data model: flat arrays. Texts are offsets into one pool; lists of texts and of GUIDs are ranges
 * of two other pools. Actors are passed as struct cs_actor, the complete descriptor, and stored
 * packed (actor_rows.c): as a row with what nearly every actor has, and indices of pool entries for
 * what few actors have or many share. A reader adds objects in any order and then calls
 * cs_world_seal, which sorts actors by (container, GUID), so that nothing depends on the order of
 * the input. Invariant after sealing: actors of a container are consecutive and in ascending GUID
 * order; all text offsets and ranges are valid; every double is finite.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/world.h>

#include "core/guid.h"
#include "core/slots.h"
#include "core/strings.h"
#include "core/vec.h"

/* Which state of its actor a descriptor describes, saved or unsaved. PIE is Play In Editor. */
enum cs_saved {
	CS_SAVED,        /* saved and unchanged: used by the cook and by PIE */
	CS_SAVED_ONLY,   /* saved, but deleted or replaced by an unsaved change: used by the cook */
	CS_UNSAVED_ONLY, /* added or changed without saving: used by PIE */
};

/* Bits of cs_cooked_actor.flags that a descriptor may have. */
#define CS_DESC_FLAGS                                                                            \
	(CS_ACTOR_OWN_SPATIAL | CS_ACTOR_EDITOR_ONLY | CS_ACTOR_IN_PIE | CS_ACTOR_RUNTIME_ONLY | \
		CS_ACTOR_MAIN_WORLD_ONLY | CS_ACTOR_HLOD_RELEVANT | CS_ACTOR_PARTITION_ACTOR |   \
		CS_ACTOR_LEVEL_INSTANCE | CS_ACTOR_HLOD | CS_ACTOR_DATA_LAYERS |                 \
		CS_ACTOR_NEEDS_RESAVE | CS_ACTOR_UNLISTED)

/*
 * Members of an actor that rows store unchanged. A uint32_t without a comment is an offset into
 * cs_world.strings.
 */
#define CS_ACTOR_OWN                                                                              \
	struct cs_guid guid;                                                                      \
	struct cs_box bounds; /* may be invalid (none) */                                         \
	uint32_t name, label, native_class, package, path;                                        \
	uint32_t grid;          /* grid name; "" = default grid */                                \
	uint32_t hlod_layer;    /* path; "" = default layer */                                    \
	uint32_t container;     /* index into cs_world.containers */                              \
	uint32_t flags;         /* CS_ACTOR_... bits, only those of CS_DESC_FLAGS */              \
	uint32_t saved;         /* enum cs_saved: whether the descriptor is saved */              \
	struct cs_range layers; /* cs_world.texts: data layers, by asset path or instance name */ \
	struct cs_range references /* range of cs_world.guids */

/* Members of an actor that most actors share or leave at their defaults. */
#define CS_ACTOR_RARE                                                                            \
	struct cs_guid content_bundle; /* zero = none (base game) */                             \
	struct cs_guid folder_guid;                                                              \
	uint32_t base_class; /* "" = no Blueprint class */                                       \
	uint32_t folder, engine;                                                                 \
	uint32_t mesh;           /* file or object of the mesh; "" = none */                     \
	uint32_t external_layer; /* asset of the external data layer; "" = none */               \
	uint32_t level_instance; /* index into cs_world.level_instances, or CS_NONE */           \
	uint32_t hlod;           /* index into cs_world.hlods, or CS_NONE */                     \
	/* CS_DEFAULT_... bits: values that come from the class, and values that were assumed */ \
	uint32_t defaults, assumed;                                                              \
	struct cs_range editor_references; /* range of cs_world.guids */                         \
	struct cs_range tags;              /* range of cs_world.texts */                         \
	struct cs_range properties /* range of cs_world.texts: name, value, name, value ... */

struct cs_actor_own {
	CS_ACTOR_OWN;
};

struct cs_actor_more {
	CS_ACTOR_RARE;
};

/* A complete actor descriptor. Bounds are in the coordinate system of the container. */
struct cs_actor {
	struct cs_guid parent; /* GUID of the attach parent; zero = none */
	struct cs_transform transform;
	struct cs_box editor_bounds; /* may be invalid, which means no bounds */
	union {
		struct cs_actor_own own;
		struct {
			CS_ACTOR_OWN;
		};
	};
	union {
		struct cs_actor_more more;
		struct {
			CS_ACTOR_RARE;
		};
	};
};

/* Rotation and scale of an actor. Actors with equal rotation and scale share one item. */
struct cs_actor_turn {
	struct cs_quat rotation;
	struct cs_vec3 scale;
};

enum { CS_EDITOR_BOUNDS_SAME, CS_EDITOR_BOUNDS_NONE, CS_EDITOR_BOUNDS_OWN };

/*
 * An actor as a world stores it. Members that struct cs_actor also has may be changed in place. The
 * other members and `bounds`, which may serve as the editor bounds as well, are changed only by
 * cs_world_set_actor.
 */
struct cs_actor_row {
	union {
		struct cs_actor_own own;
		struct {
			CS_ACTOR_OWN;
		};
	};
	struct cs_vec3 location; /* translation of the transform */
	uint32_t parent;         /* index into cs_world.guids + 1; 0 = none */
	uint32_t turn; /* index into cs_world.pools.turns + 1; 0 = neither rotated nor scaled */
	/* CS_EDITOR_BOUNDS_SAME or _NONE, else _OWN + index into pools.editor_bounds */
	uint32_t editor_bounds;
	uint32_t more; /* index into cs_world.pools.more + 1; 0 = all defaults */
};

/* Kinds of level instances, by what they become at run time. */
enum cs_behavior {
	CS_BEHAVIOR_NONE, /* a plain actor; its level is not used */
	/* embedded: the actors of the level stream together with the actors of the world */
	CS_BEHAVIOR_PARTITIONED,
	CS_BEHAVIOR_STANDALONE, /* standalone: its level has its own world partition */
};

struct cs_level_instance {
	uint32_t level;         /* text offset: package of the level */
	uint32_t behavior;      /* enum cs_behavior */
	struct cs_range filter; /* range of cs_world.texts: data layer assets to exclude */
};

/* An HLOD actor in the source world, and the actors that it replaces at a distance. */
struct cs_hlod_actor {
	struct cs_guid source_cell;
	uint32_t source_cell_name; /* text offset: name of the cell */
	uint32_t layer;
	uint32_t mesh;     /* text offset: file of the proxy mesh; "" = none */
	double mesh_bytes; /* size of the proxy mesh in memory, bytes */
	double min_visible_distance;
	bool no_warmup;
	struct cs_range sources; /* range of cs_world.guids: actors that the HLOD actor replaces */
};

/* limit of data layers, because searches for them are linear */
enum { CS_MOST_LAYERS = 4096 };

enum cs_container_kind {
	CS_CONTAINER_BASE,
	CS_CONTAINER_EXTERNAL_LAYER, /* actors of an external data layer of the main world */
	CS_CONTAINER_BUNDLE,         /* actors of a content bundle of the main world */
	CS_CONTAINER_LEVEL,          /* a level that level instances use */
};

struct cs_source_container {
	uint32_t package;     /* text offset of the package name, which is unique */
	uint32_t name;        /* text offset: short name; set by cs_world_seal */
	uint32_t kind;        /* enum cs_container_kind */
	bool external_actors; /* the level has one file per actor, so it can be embedded */
	bool missing;         /* a level instance refers to the level, but it was not found */
	/* if used as a standalone instance, the level is a world partition of its own */
	bool partitioned;
	struct cs_guid content_bundle; /* CS_CONTAINER_BUNDLE: GUID of the content bundle */
	uint32_t external_layer; /* CS_CONTAINER_EXTERNAL_LAYER: text offset: asset of the layer */
	struct cs_range actors;  /* range of cs_world.actors; set by cs_world_seal */
	/*
	 * Settings, layers and grids of the level, used where it is standalone; NULL = those of the
	 * main world. Owned by the container; their texts and ranges are in the pools of the main
	 * world.
	 */
	struct cs_world *rules;
};

struct cs_source_layer {
	uint32_t name;    /* text offset: instance name */
	uint32_t label;   /* text offset: short name for people */
	uint32_t asset;   /* text offset: path of the asset; "" = none */
	uint32_t parent;  /* text offset: instance name of the parent; "" = none */
	uint32_t type;    /* enum cs_layer_type */
	uint32_t filter;  /* enum cs_layer_filter */
	uint32_t initial; /* enum cs_layer_state */
	int32_t priority;
	uint32_t color;
	bool external;
	bool assumed; /* no instance of the layer was found: its initial state is a default */
};

struct cs_source_hlod_layer {
	uint32_t path, parent; /* text offsets: path of the layer and of its parent layer */
	bool spatial;
	double cell_size, loading_range;
	/* triangle limit of proxy meshes; 0 = a tenth of the replaced triangles */
	double proxy_triangles;
	bool assumed; /* the layer's asset could not be read: the values are defaults */
};

/* Methods to compute the bounds of a cell for streaming. DEFAULT: that of the engine profile. */
enum cs_bounds_method {
	CS_BOUNDS_DEFAULT,
	CS_BOUNDS_CONTENT,
	CS_BOUNDS_CELL,
	CS_BOUNDS_MIN_CONTENT_CELL, /* bounds of the content, clipped to the cell */
};

/* A runtime partition: a main partition, or an HLOD setup of one. */
struct cs_source_partition {
	uint32_t name;            /* text offset: name */
	uint32_t partition_class; /* enum cs_partition_class */
	double cell_size, loading_range;
	struct cs_vec3 origin;
	bool is_2d, block_on_slow, client_only;
	uint32_t bounds_method; /* enum cs_bounds_method */
	int32_t priority;
	uint32_t color;
	/* main partition: its HLOD setups, a range of cs_world.setups */
	struct cs_range setups;
	/* HLOD setup: its HLOD layers (in cs_world.texts), and whether it is spatially loaded */
	struct cs_range hlod_layers;
	bool spatial;
	/* HLOD setup: the source leaves the value out, so it is twice that of the main partition */
	bool size_follows, range_follows;
	bool assumed; /* the source does not contain the loading range */
};

/* A grid of the runtime spatial hash. */
struct cs_source_grid {
	uint32_t name; /* text offset: name of the grid */
	uint32_t hlod_layer;
	double cell_size, loading_range;
	double origin_x, origin_y;
	bool block_on_slow, client_only, hlod;
	int32_t priority;
	uint32_t color;
	bool assumed; /* the source does not contain the loading range */
};

/*
 * An option of a map. PROJECT = not set, so that the project's console variable applies. PROFILE =
 * as a map has it that was made with the engine of the profile.
 */
enum cs_option { CS_OPTION_OFF, CS_OPTION_ON, CS_OPTION_PROJECT, CS_OPTION_PROFILE };

/* Class of the runtime hash: hash set or spatial hash. PROFILE: as the engine profile defines. */
enum cs_source_hash { CS_SOURCE_HASH_SET, CS_SOURCE_HASH_SPATIAL, CS_SOURCE_HASH_PROFILE };

struct cs_world_settings {
	uint32_t name, package, source, engine; /* offsets into cs_world.strings */
	uint32_t profile;                       /* text offset: engine profile; "" = not given */
	uint32_t default_hlod_layer;            /* text offset: path of the HLOD layer */
	uint32_t hash_class;                    /* enum cs_source_hash */
	uint32_t layers_operator;               /* enum cs_layers_operator */
	uint32_t server_streaming, server_streaming_out; /* enum cs_server_mode */
	bool streaming;
	/* enum cs_option; for the spatial hash, world-partition rule 1.7.1 */
	uint32_t aligned, snap, small_by_location, partition_by_location, z_culling;
	/* range of cs_world.guids: actors that the level script refers to */
	struct cs_range world_references;
};

/* Hash table of containers by package (world/containers.c). */
struct cs_container_index {
	struct cs_slots slots;
	uint32_t n; /* number of containers in the table, with the main one */
};

/*
 * Values that actor rows refer to by index. They never change; no two items of `turns`, or of
 * `more`, are equal.
 */
struct cs_actor_pools {
	CS_VEC(struct cs_actor_turn) turns;
	CS_VEC(struct cs_actor_more) more;
	CS_VEC(struct cs_box) editor_bounds;
	struct cs_slots turn_slots, more_slots; /* hash tables of `turns` and `more`, or empty */
};

struct cs_world {
	struct cs_strings strings;
	struct cs_world_settings settings;
	CS_VEC(struct cs_actor_row) actors;
	struct cs_actor_pools pools;
	CS_VEC(struct cs_level_instance) level_instances;
	CS_VEC(struct cs_hlod_actor) hlods;
	CS_VEC(struct cs_source_container) containers; /* row 0 is the main container */
	struct cs_container_index by_package;
	CS_VEC(struct cs_source_layer) layers;
	CS_VEC(struct cs_source_hlod_layer) hlod_layers;
	CS_VEC(struct cs_source_partition) partitions;
	CS_VEC(struct cs_source_partition) setups;
	CS_VEC(struct cs_source_grid) grids;
	CS_VEC(uint32_t) texts; /* offsets into cs_world.strings: pool of all lists of texts */
	CS_VEC(struct cs_guid) guids; /* pool of all lists of GUIDs */
	size_t unreadable, damaged;
	bool sealed;
};

/* Exchanges two values of the same type. */
#define CS_WORLD_SWAP(left, right)                 \
	do {                                       \
		__typeof__(left) kept_left = left; \
		left = right;                      \
		right = kept_left;                 \
	} while (0)

/* Creates an empty world with the main container and the default settings of rule 1.2.3. */
struct cs_error *cs_world_new(const char *package, struct cs_world **ret) CS_MUST_USE;
/* Creates an empty world as cs_world_new does, and seals it. */
struct cs_error *cs_world_empty(const char *package, struct cs_world **ret) CS_MUST_USE;
/* Returns the descriptor of an actor with default values, for the caller to fill in and push. */
struct cs_actor cs_actor_default(void);
/* Adds an actor. When memory runs out, returns false and leaves the world unchanged. */
bool cs_world_push_actor(struct cs_world *world, const struct cs_actor *actor);
/*
 * Reserves memory for as many actors as a file declares, unless a file of `bytes` bytes cannot
 * contain so many. If memory is short, the array grows later as usual.
 */
void cs_world_expect(struct cs_world *world, uint64_t actors, uint64_t bytes);
bool cs_world_set_actor(struct cs_world *world, size_t index, const struct cs_actor *actor);
/* Returns the descriptor of an actor, bit for bit as stored, except `first` of empty lists. */
struct cs_actor cs_world_actor(const struct cs_world *world, size_t index);
struct cs_transform cs_actor_transform(
	const struct cs_world *world, const struct cs_actor_row *row);
struct cs_box cs_actor_editor_bounds(const struct cs_world *world, const struct cs_actor_row *row);
void cs_actor_pools_deinit(struct cs_actor_pools *pools);
/* Return default settings, partitions and so on, for values that no file sets (rule 1.2.3). */
struct cs_world_settings cs_settings_default(void);
struct cs_source_partition cs_partition_default(void);
/* Returns the defaults of an HLOD setup of a partition. */
struct cs_source_partition cs_setup_default(const struct cs_source_partition *partition);
struct cs_source_container cs_container_default(void); /* defaults of a CS_CONTAINER_LEVEL */
struct cs_source_grid cs_grid_default(void);
/* Returns the container of a package. If there is none, adds one that is marked as missing. */
struct cs_error *cs_world_container(
	struct cs_world *world, const char *package, uint32_t *ret) CS_MUST_USE;
/*
 * Creates a world that contains only the rules of a level: settings, layers and partitions (rule
 * 1.2.3). Returns NULL when memory runs out.
 */
struct cs_world *cs_world_new_rules(void);
/* Exchanges the rules of two worlds, so that code for a world also works for a level. */
void cs_world_swap_rules(struct cs_world *world, struct cs_world *rules);
/* Adds all containers to the hash table by package. Returns false when memory runs out. */
bool cs_world_index_containers(struct cs_world *world);
void cs_container_index_deinit(struct cs_container_index *index);
/* Return an index, or CS_NONE when nothing has this name. Names are compared ignoring case. */
uint32_t cs_world_find_container(const struct cs_world *world, const char *package);
uint32_t cs_world_find_layer(const struct cs_world *world, const char *name_or_asset);
/* Checks and sorts a world; returns E_SETTING, E_WORLD, E_LIMIT or E_DUPLICATE if it is invalid. */
struct cs_error *cs_world_seal(struct cs_world *world, const struct cs_job *job) CS_MUST_USE;
/* Checks an actor in the same way as cs_world_seal. Invalid bounds become CS_BOX_INVALID. */
struct cs_error *cs_world_check_actor(struct cs_world *world, size_t index) CS_MUST_USE;
/* Checks cell sizes and loading ranges. Returns E_SETTING if one is invalid. */
struct cs_error *cs_world_check_settings(const struct cs_world *world) CS_MUST_USE;
/* Returns the actor's row in a sealed world, with the least `saved` of several, or CS_NONE. */
uint32_t cs_world_find_actor(const struct cs_world *world, uint32_t container, struct cs_guid guid);

/*
 * Saves in *ret the members of a sealed (finished) world that a change may modify, so that
 * cs_world_undo can restore them. Returns false when memory runs out. *ret is freed by
 * cs_world_forget, whether it was used or not.
 */
bool cs_world_keep(const struct cs_world *world, struct cs_world *ret);
void cs_world_undo(struct cs_world *world, struct cs_world *kept);
void cs_world_forget(struct cs_world *kept);
/* Stores the sizes of the pools of texts, GUIDs and actors, which only grow, in *ret. */
void cs_world_keep_pools(const struct cs_world *world, struct cs_world *ret);
/*
 * Removes the entries of the pools beyond the sizes in `kept`; no row may refer to them. The hash
 * tables of shortened pools are emptied; the next change of an actor row fills them again.
 */
void cs_world_cut_pools(struct cs_world *world, const struct cs_world *kept);

static inline const char *cs_world_text(const struct cs_world *world, uint32_t text)
{
	return cs_strings_get(&world->strings, text);
}

/* Returns whether a range of the world's GUIDs contains this one. */
static inline bool cs_world_lists(
	const struct cs_world *world, struct cs_range range, struct cs_guid guid)
{
	for (uint32_t i = 0; i < range.count; i++)
		if (cs_guid_compare(world->guids.at[range.first + i], guid) == 0)
			return true;
	return false;
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

/* Shuffles the actors and seals the world again, to test that the input order does not matter. */
struct cs_error *cs_world_shuffle(
	struct cs_world *world, uint64_t seed, const struct cs_job *job) CS_MUST_USE;
/* A record of changes, so that all of them can be undone. */
struct cs_world_changes;
/* Begins to change a sealed world, which may change only through *ret until *ret is undone. */
struct cs_error *cs_world_change_begin(
	struct cs_world *world, struct cs_world_changes **ret) CS_MUST_USE;
/*
 * Applies one change. KEY is a key of the JSON form:
 *
 *	KEY=VALUE                   of the settings of the world
 *	GRID.KEY=VALUE              of a partition or grid; of an HLOD setup as GRID:SETUP.KEY
 *	actor.NAME.KEY=VALUE        of an actor, by its label, name or GUID
 *	class.NAME.KEY=VALUE        of every actor of a class, by the last part of its path
 *	layer.NAME.KEY=VALUE        of a data layer, by its name, label or asset
 *	hlod_layer.NAME.KEY=VALUE   of an HLOD layer, by its path or the last part of it
 *	layers.A,B=C                actors that have exactly the data layers A and B get C instead
 *
 * A list is written A,B; += adds items and -= removes them: actor.A.references-=B removes the
 * reference from A to B. Actors in lists are named by label, name or GUID. A vector is X,Y,Z; a box
 * is X,Y,Z..X,Y,Z, `none`, or `editor` for the editor bounds. A change that is rejected leaves the
 * world unchanged: E_SETTING, E_NOGRID, E_NOACTOR, E_NOLAYER, E_AMBIGUOUS.
 */
struct cs_error *cs_world_change(struct cs_world_changes *changes, const char *text) CS_MUST_USE;
void cs_world_change_undo(struct cs_world_changes *changes);
const char *cs_world_name(const struct cs_world *world);
/* Returns the engine profile that the source names; "5.4" when it names none. */
const char *cs_world_profile(const struct cs_world *world);
