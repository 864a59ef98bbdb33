/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked world (.cworld): the decisions of the cook and their reasons, as flat tables of
 * fixed-size records. Streaming reads nothing else of a world. The layout is in
 * cellscope-format(5), which is generated from the same field tables that read, print and verify
 * the file (lib/format/cworld.c).
 *
 * Texts are u32 offsets into the strings table: cs_cooked_text(). Indices are rows of the table
 * that the comment names, and CS_NONE means none. Coordinates are in cm. The values of enums
 * are in cellscope/cooked_values.h, so that code that uses none of them does not depend on them.
 */
#ifndef CELLSCOPE_COOKED_H
#define CELLSCOPE_COOKED_H

#include <cellscope/core.h>

#include <string.h>

CS_BEGIN_DECLS

/* The rows [first, first + count) of a table. */
struct cs_range {
	uint32_t first, count;
};

struct cs_cooked_world {
	struct cs_box bounds;      /* bounds of the spatially loaded actors of the main container */
	uint32_t name;             /* short map name, with which cell names begin */
	uint32_t package;          /* long package name of the map */
	uint32_t source;           /* the kind of source: "json", "uproject", "log" */
	uint32_t engine;           /* engine version that saved the source, or "" */
	uint32_t profile;          /* text: engine profile of the rules */
	uint32_t hash_class;       /* enum cs_hash_class */
	uint32_t layers_operator;  /* enum cs_layers_operator */
	uint32_t trigger;          /* enum cs_trigger */
	uint32_t server_streaming; /* enum cs_server_mode */
	uint32_t server_streaming_out;
	uint32_t default_hlod_layer; /* row of hlod_layers */
	uint32_t flags;              /* CS_WORLD_ bits */
};

#define CS_WORLD_STREAMING 1u /* streaming is enabled */
/* the engine cooked the world: facts that only a source contains are unknown */
#define CS_WORLD_COOKED    2u
#define CS_WORLD_LOGGED \
	4u /* the world was read from a log of the engine: facts that a log lacks are unknown */
#define CS_WORLD_OLD_FORM 8u /* the world is a log that 5.4 wrote */

/* A runtime partition (hash set) or grid (spatial hash), with those of HLOD setups. */
struct cs_cooked_partition {
	struct cs_vec3 origin;
	struct cs_box bounds;     /* spatial grid: bounds of the world, which give its levels */
	double cell_size;         /* cm, of level 0 */
	double loading_range;     /* cm */
	uint32_t name;            /* MainGrid; of an HLOD setup "Main:Setup" */
	uint32_t parent;          /* row of partitions: the main partition of an HLOD setup */
	uint32_t partition_class; /* enum cs_partition_class */
	int32_t priority;         /* a lower number is loaded first */
	int32_t hlod_index;       /* index of the HLOD setup, -1 for a main partition */
	uint32_t debug_color;     /* 0xRRGGBB */
	uint32_t levels;          /* spatial grid: number of levels, else 0 */
	uint32_t grid_size;       /* spatial grid: cells on each side of level 0, else 0 */
	uint32_t flags;           /* CS_PARTITION_ bits */
	struct cs_range cells;    /* rows of cells, which are sorted by partition */
	uint32_t reserved;
};

#define CS_PARTITION_BLOCK_ON_SLOW     1u
#define CS_PARTITION_CLIENT_ONLY       2u
#define CS_PARTITION_2D                4u
#define CS_PARTITION_SPATIAL           8u
#define CS_PARTITION_ALIGNED           16u /* UseAlignedGridLevels */
#define CS_PARTITION_SNAP              32u /* SnapNonAlignedGridLevelsToLowerLevels */
#define CS_PARTITION_SMALL_BY_LOCATION 64u
#define CS_PARTITION_PARTITION_ACTORS  128u /* PlacePartitionActorsUsingLocation */
#define CS_PARTITION_Z_CULLING         256u
/* rule of 5.7: a set that barely exceeds a cell moves one level down */
#define CS_PARTITION_DEMOTION          512u
#define CS_PARTITION_ASSUMED           1024u /* the source doesn't contain its loading range */
#define CS_PARTITION_NO_SIZE           2048u /* the source doesn't contain its cell size */
#define CS_PARTITION_NO_PRIORITY       4096u /* the source doesn't contain its priority */
/* the source doesn't say whether the partition blocks, or is for clients alone */
#define CS_PARTITION_NO_SWITCHES       8192u

struct cs_cooked_cell {
	struct cs_guid guid;
	struct cs_guid content_bundle;
	/* box of the cell in its grid; invalid for a cell without a place in a grid */
	struct cs_box box;
	struct cs_box content;      /* union of the actors, invalid when none has bounds */
	int64_t x, y, z;            /* coordinates as in the name */
	uint32_t name;              /* unique: World_Grid_L0_X1_Y2 */
	uint32_t short_name;        /* L0_X1_Y2, unique within its partition and layers */
	uint32_t package;           /* 25-character package name */
	uint32_t partition;         /* row of partitions */
	int32_t level;              /* grid level; -1 for a non-spatial cell of profile 5.7 */
	int32_t hierarchical_level; /* second sort key of loading */
	int32_t priority;           /* third sort key of loading */
	uint32_t flags;             /* CS_CELL_ bits */
	uint32_t layers_id;         /* CRC of the sorted layer names, 0 for none */
	uint32_t external_layer;    /* row of layers: its external data layer */
	struct cs_range
		layers; /* rows of cell_layers: the external data layer first, then by name */
	struct cs_range actors; /* rows of cell_actors */
	struct cs_range sets;   /* rows of actor_sets, which are sorted by cell */
};

#define CS_CELL_SPATIAL       1u
#define CS_CELL_ALWAYS_LOADED 2u /* the cell is part of the persistent level */
#define CS_CELL_CLIENT_ONLY   4u
#define CS_CELL_BLOCK_ON_SLOW 8u
#define CS_CELL_HLOD          16u
#define CS_CELL_2D            32u
/* Facts that the engine's cooker doesn't write. */
#define CS_CELL_NO_PLACE      64u  /* no name from which coordinates and level could be read */
#define CS_CELL_NAMES_ALONE   128u /* no property was read: priority and switches are unknown */
/* the engine wrote no GUID for the cell: its GUID is made from its name */
#define CS_CELL_MADE_GUID     256u
/* the log has no bounds: box and content follow from name and actors */
#define CS_CELL_NO_BOXES      512u

/*
 * One actor instance: a descriptor in one container instance. The table is sorted by container,
 * then GUID.
 */
struct cs_cooked_actor {
	struct cs_guid guid;
	struct cs_box bounds;    /* runtime bounds in the world; may be invalid */
	uint32_t name, label;    /* texts */
	uint32_t base_class;     /* text: Blueprint class, "" if native */
	uint32_t native_class;   /* text */
	uint32_t grid;           /* text: the actor's own runtime grid, "" for the default */
	uint32_t effective_grid; /* text: after parents, containers and repairs */
	uint32_t container;      /* row of containers */
	uint32_t parent;         /* row of actors: attach parent */
	uint32_t set;            /* row of actor_sets */
	uint32_t cell;           /* row of cells */
	uint32_t hlod_layer;     /* row of hlod_layers: effective */
	uint32_t flags;          /* CS_ACTOR_ bits */
	uint32_t defaults;  /* CS_DEFAULT_: fields that come from the class and are not stored */
	uint32_t assumed;   /* CS_DEFAULT_: fields of `defaults` whose values are only assumed */
	uint32_t placement; /* enum cs_placement: how it was placed, or why it is in no cell */
	struct cs_range layers;     /* rows of actor_layers: the actor's own layers, resolved */
	struct cs_range references; /* rows of references */
	/* text: mesh that the actor shows, "" for none; the same as `path` in meshes */
	uint32_t mesh;
};

#define CS_ACTOR_OWN_SPATIAL       0x1u /* spatially loaded, as in the descriptor */
#define CS_ACTOR_SPATIAL           0x2u /* spatially loaded after parents, containers and repairs */
#define CS_ACTOR_EDITOR_ONLY       0x4u
#define CS_ACTOR_RUNTIME_ONLY      0x8u
#define CS_ACTOR_MAIN_WORLD_ONLY   0x10u
#define CS_ACTOR_HLOD_RELEVANT     0x20u
#define CS_ACTOR_PARTITION_ACTOR   0x40u /* landscape proxies and similar actors */
#define CS_ACTOR_LEVEL_INSTANCE    0x80u
#define CS_ACTOR_CONTAINER         0x100u /* a level instance whose actors were embedded */
#define CS_ACTOR_HLOD              0x200u
#define CS_ACTOR_DATA_LAYERS       0x400u /* the WorldDataLayers actor */
/* Changes by validation. An actor that already had the value doesn't have the flag. */
#define CS_ACTOR_FORCED_NONSPATIAL 0x800u
#define CS_ACTOR_FORCED_NO_GRID    0x1000u
#define CS_ACTOR_FORCED_NO_LAYERS  0x2000u
/* an actor filter of a level instance removed the actor */
#define CS_ACTOR_FILTERED          0x4000u
#define CS_ACTOR_UNSAVED           0x8000u  /* an unsaved change, which takes part in PIE only */
#define CS_ACTOR_NO_HLOD_LAYER     0x10000u /* validation removed the actor's HLOD layer */
#define CS_ACTOR_NEEDS_RESAVE      0x20000u /* the actor's descriptor has an old version */
#define CS_ACTOR_UNLISTED          0x40000u /* the editor's outliner does not list it */
/* the actor's transform is unknown: its cooked form cannot be read */
#define CS_ACTOR_NO_TRANSFORM      0x80000u
/* the engine wrote no GUID for the actor: its GUID is made from its name */
#define CS_ACTOR_MADE_GUID         0x100000u
/* the level script forced the actor to be non-spatial */
#define CS_ACTOR_BY_SCRIPT         0x200000u
#define CS_ACTOR_IN_PIE            0x400000u /* editor-only, and takes part in play in editor */

/* Descriptor fields that may come from the class. */
#define CS_DEFAULT_SPATIAL        0x1u
#define CS_DEFAULT_GRID           0x2u
#define CS_DEFAULT_EDITOR_ONLY    0x4u
#define CS_DEFAULT_RUNTIME_ONLY   0x8u
#define CS_DEFAULT_LAYERS         0x10u
#define CS_DEFAULT_HLOD_RELEVANT  0x20u
#define CS_DEFAULT_HLOD_LAYER     0x40u
#define CS_DEFAULT_MAIN_WORLD     0x80u
#define CS_DEFAULT_TAGS           0x100u
#define CS_DEFAULT_LABEL          0x200u
#define CS_DEFAULT_BUNDLE         0x400u
#define CS_DEFAULT_LISTED         0x800u
#define CS_DEFAULT_EXTERNAL_LAYER 0x1000u

/* The fields of an actor that are seldom read. Row i belongs to actor i. */
struct cs_cooked_actor_detail {
	struct cs_transform transform; /* transform in the world */
	struct cs_box editor_bounds;
	struct cs_guid instance_guid; /* equal to the GUID in the main container */
	struct cs_guid content_bundle;
	struct cs_guid folder_guid;
	uint32_t package, path, folder, engine; /* texts */
	uint32_t external_layer;                /* row of layers */
	uint32_t own_hlod_layer; /* text: path as in the descriptor, "" for the default */
	struct cs_range tags;    /* rows of actor_tags */
};

/*
 * An actor set in a container instance: a cluster of actors that share a cell. The table is sorted
 * by cell.
 */
struct cs_cooked_set {
	struct cs_box bounds; /* union of the members' runtime bounds, in the world */
	int64_t x, y, z;
	int32_t level;       /* grid level on which the set was placed */
	int32_t first_level; /* grid level that its size requires, without demotion */
	uint32_t container, partition, cell;
	uint32_t placement;      /* enum cs_placement */
	uint32_t largest;        /* row of actors: the member with the longest extent */
	struct cs_range members; /* rows of set_members */
	uint32_t reserved;
};

/* A container instance. Row 0 is the main container, and parents come before children. */
struct cs_cooked_container {
	struct cs_transform transform;
	struct cs_guid id; /* id of the container instance; zero for the main container */
	struct cs_guid content_bundle;
	uint32_t parent;         /* row of containers */
	uint32_t package;        /* text */
	uint32_t actor;          /* row of actors: the level instance in the parent */
	uint32_t external_layer; /* row of layers: the external data layer of its level instance */
	struct cs_range actors;  /* rows of the container's actors in the actors table */
};

/* Runtime states in their order. */
enum cs_layer_state { CS_LAYER_UNLOADED, CS_LAYER_LOADED, CS_LAYER_ACTIVATED };

/* A data layer instance. Parents come before children. */
struct cs_cooked_layer {
	uint32_t name;    /* instance name, unique */
	uint32_t label;   /* short name, which users type */
	uint32_t asset;   /* text: path */
	uint32_t parent;  /* row of layers */
	uint32_t type;    /* enum cs_layer_type */
	uint32_t filter;  /* enum cs_layer_filter */
	uint32_t initial; /* enum cs_layer_state */
	int32_t priority; /* added to the cells' priority from 5.7 on */
	uint32_t color;   /* 0xRRGGBB */
	uint32_t flags;   /* CS_LAYER_ bits */
};

#define CS_LAYER_EXTERNAL 1u

struct cs_cooked_hlod_layer {
	uint32_t path;   /* text */
	uint32_t parent; /* row of hlod_layers */
	double cell_size, loading_range;
	uint32_t flags;           /* CS_HLOD_SPATIAL */
	uint32_t proxy_triangles; /* the most triangles of a proxy mesh; 0 = a tenth of its sources
				   */
};

#define CS_HLOD_SPATIAL 1u

/* An HLOD actor of the source. */
#define CS_HLOD_NO_WARMUP 1u

struct cs_cooked_hlod {
	struct cs_guid source_cell; /* GUID of the cell that the HLOD actor was built from */
	uint32_t actor;             /* row of actors */
	uint32_t cell;  /* row of cells: the cell of this cook with that GUID, or CS_NONE */
	uint32_t layer; /* row of hlod_layers */
	uint32_t home;  /* row of cells: the cell that contains the HLOD actor */
	double min_visible_distance;
	double mesh_bytes; /* memory of the proxy mesh, as in the source */
	uint32_t mesh;     /* text: file of the proxy mesh, "" for none */
	uint32_t flags;    /* CS_HLOD_NO_WARMUP */
};

/* A mesh that actors show, listed once. The table is sorted by the offset of the path. */
struct cs_cooked_mesh {
	/* bounds in the space of the mesh, in cm; invalid when the mesh was not built */
	struct cs_box bounds;
	/* hash of the resource's content, zero when the mesh was not built */
	struct cs_guid content;
	uint64_t bytes; /* size of the resource's file */
	/* memory that is always loaded with a cell, without streamed pages */
	uint64_t resident_bytes;
	uint32_t path;      /* text: path by which actors refer to the mesh */
	uint32_t file;      /* text: file of the resource, relative to the cooked world's folder */
	uint32_t reason;    /* text: why there is no resource */
	uint32_t state;     /* enum cs_mesh_state */
	uint32_t triangles; /* number of triangles of the mesh itself */
	uint32_t pages;     /* number of pages of the resource; the first is a root page */
	uint32_t actors;    /* number of actors that show the mesh */
	uint32_t hlod;      /* row of hlods: the HLOD actor of a proxy */
};

/* A hard reference of an actor. */
struct cs_cooked_reference {
	struct cs_guid guid; /* GUID as in the descriptor */
	uint32_t actor;      /* row of actors, CS_NONE when no actor has the GUID */
	uint32_t state;      /* enum cs_reference_state */
};

struct cs_cooked_finding {
	uint32_t check;      /* CS_WORDS_CHECK */
	uint32_t severity;   /* enum cs_severity */
	uint32_t repair;     /* enum cs_repair */
	uint32_t pass;       /* pass of validation; 0 is the reported one */
	uint32_t actor;      /* row of actors: the actor with the reference */
	uint32_t other;      /* row of actors: the referenced actor */
	uint32_t layer;      /* row of layers */
	uint32_t container;  /* row of containers */
	uint32_t cause;      /* row of findings: the finding that forced the value in question */
	uint32_t reason;     /* text: the part of the rule, "external data layer" */
	uint32_t hlod_layer; /* row of hlod_layers */
	uint32_t partition;  /* row of partitions: the partition whose setting is wrong */
};

/* Something that UE drops without a message. */
struct cs_cooked_drop {
	uint32_t actor;  /* row of actors: the first actor of the set */
	uint32_t actors; /* number of actors dropped; 0 for an actor left out by a filter */
	uint32_t reason; /* text: "unknown partition" */
	/* text: the name of the grid; or the level instance with the filter, and its layer */
	uint32_t detail;
};

/*
 * A standalone level instance, in the world or in the level of another one. It is a world partition
 * by itself, which streams while the cell that contains it is shown (world-partition rules 2.1).
 * Everything in it is in the space of its level. cs_cooked_open_level opens its cooked world.
 */
struct cs_cooked_sub {
	/* transform from the instance's space into that of the main world */
	struct cs_transform transform;
	struct cs_guid id; /* GUID of the level instance in the main world */
	uint32_t name;     /* text, unique: label, or "Outer/Label" inside another */
	uint32_t package;  /* text: package of the level */
	uint32_t parent;   /* row of sub_partitions, before this one; CS_NONE: the world itself */
	uint32_t actor;    /* row of the level instance among the parent's actors */
	uint32_t cell;     /* row of the cell that contains the instance among the parent's cells */
	/* row of sub_levels; CS_NONE when the instance is no partition (see reason) */
	uint32_t level;
	uint32_t reason; /* text: why the instance is no partition */
	uint32_t reserved;
};

/* A level that is a world partition by itself, cooked once for all its instances. */
struct cs_cooked_sub_level {
	uint32_t package;      /* text */
	struct cs_range bytes; /* rows of sub_bytes: a whole .cworld, not compressed */
	uint32_t reserved;
};

/* The names of layer states in files, JSON and SQL. NULL ends the list. */
CS_API extern const char *const cs_layer_state_names[];
/* The names of layer states that the engine writes. */
CS_API extern const char *const cs_layer_state_ue_names[];
/* Returns the state that follows in the cycle unloaded, loaded, activated. */
static inline enum cs_layer_state cs_layer_state_next(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_LAYER_UNLOADED : (enum cs_layer_state)(state + 1);
}

/*
 * Returns the state that wp.Runtime.ToggleDataLayerActivation sets: unloaded when it is activated,
 * else activated.
 */
static inline enum cs_layer_state cs_layer_state_toggled(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_LAYER_UNLOADED : CS_LAYER_ACTIVATED;
}

/* Table ids, in file order. */
enum cs_cworld_table {
	CS_TABLE_WORLD = CS_TABLE_STRINGS + 1,
	CS_TABLE_PARTITIONS,
	CS_TABLE_LAYERS,
	CS_TABLE_HLOD_LAYERS,
	CS_TABLE_CONTAINERS,
	CS_TABLE_CELLS,
	CS_TABLE_CELL_LAYERS, /* u32: row of layers */
	CS_TABLE_CELL_ACTORS, /* u32: row of actors */
	CS_TABLE_SETS,
	CS_TABLE_SET_MEMBERS, /* u32: row of actors */
	CS_TABLE_ACTORS,
	CS_TABLE_ACTOR_LAYERS, /* u32: row of layers */
	CS_TABLE_ACTOR_TAGS,   /* u32: text */
	CS_TABLE_ACTOR_DETAILS,
	CS_TABLE_REFERENCES,
	CS_TABLE_HLODS,
	CS_TABLE_FINDINGS,
	CS_TABLE_DROPS,
	CS_TABLE_SUB_PARTITIONS,
	CS_TABLE_SUB_LEVELS,
	CS_TABLE_SUB_BYTES,  /* u8: bytes of .cworld files */
	CS_TABLE_CELL_BYTES, /* u64, by cell; only in worlds that the engine cooked */
	CS_TABLE_MESHES,
	CS_TABLE_CELL_MESH_BYTES, /* u64, by cell */
	CS_TABLE_CWORLD_END
};

/*
 * Actors and the rows that belong to them. cs_cooked_actor and similar functions load them at the
 * first use.
 */
struct cs_cooked_rest;

/*
 * An open cooked world: plain arrays, which are valid until it is closed, and the counts of their
 * rows.
 */
struct cs_cooked {
	struct cs_file *file;
	const struct cs_cooked_world *world;
	const struct cs_cooked_partition *partitions;
	const struct cs_cooked_layer *layers;
	const struct cs_cooked_hlod_layer *hlod_layers;
	const struct cs_cooked_container *containers;
	const uint32_t *cell_layers;
	/* The bytes of each cell's packages: n_cells items, or NULL. 0 where they are not known. */
	const uint64_t *cell_bytes;
	const struct cs_cooked_mesh *meshes;
	/*
	 * The bytes of the meshes that load with a cell, each counted once: n_cells items, or NULL.
	 */
	const uint64_t *cell_mesh_bytes;
	const struct cs_cooked_hlod *hlods;
	const struct cs_cooked_finding *findings;
	const struct cs_cooked_drop *drops;
	const struct cs_cooked_sub *subs;
	const struct cs_cooked_sub_level *sub_levels;
	/* for each row of sub_levels: the level, if cs_cooked_level has opened it */
	struct cs_cooked **levels;
	size_t n_partitions, n_layers, n_hlod_layers, n_containers, n_cells, n_cell_layers,
		n_cell_bytes, n_meshes, n_cell_mesh_bytes, n_hlods, n_findings, n_drops, n_subs,
		n_sub_levels;

	struct cs_cooked_rest *rest;
	bool has_actors; /* actors are loaded, which may take a while in a large world */
	size_t n_cell_actors, n_sets, n_set_members, n_actors, n_actor_layers, n_references,
		n_details, n_actor_tags;
	struct cs_cooked_titles *titles; /* memory of cs_cooked_actor_title */
};

CS_API struct cs_error *cs_cooked_open(
	const char *path, const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
CS_API struct cs_error *cs_cooked_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;

/*
 * Rows of actors, of the tables that belong to them, and of cells. The part of a table that
 * contains the row is loaded here, unless it is loaded already, and no other row is: memory next to
 * the row may be unset. When it cannot be loaded, or has no such row, an empty row without links is
 * returned, and cs_cooked_failed returns the reason. Until everything that a caller reads is
 * loaded, no two threads may use one world at the same time. cs_cooked_load_actors loads all but
 * the details beforehand, and returns errors at once.
 */
CS_API const struct cs_cooked_actor *cs_cooked_actor(const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_actor_detail *cs_cooked_detail(
	const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_cell *cs_cooked_cell(const struct cs_cooked *cooked, size_t row);

/* The tables of row numbers. */
enum cs_cooked_ids {
	CS_IDS_CELL_ACTORS,
	CS_IDS_SET_MEMBERS,
	CS_IDS_ACTOR_LAYERS,
	CS_IDS_ACTOR_TAGS,
};

/* Returns a range of rows of a table of ids, or NULL when the table lacks them. */
CS_API const uint32_t *cs_cooked_id_rows(
	const struct cs_cooked *cooked, enum cs_cooked_ids table, struct cs_range range);

/*
 * Marks a pass, for code that reads many rows in their order. During a pass, parts of tables are
 * freed in a step when they use much memory, and all of them at its end. Pointers to rows and texts
 * of actors from before a step are not valid after it.
 */
enum cs_pass { CS_PASS_BEGIN, CS_PASS_STEP, CS_PASS_END };
CS_API void cs_cooked_pass(struct cs_cooked *cooked, enum cs_pass what);
CS_API struct cs_error *cs_cooked_load_actors(struct cs_cooked *cooked) CS_MUST_USE;
/*
 * Returns, and clears, the error of the first rows that could not be loaded since the last call;
 * NULL for none.
 */
CS_API struct cs_error *cs_cooked_failed(struct cs_cooked *cooked) CS_MUST_USE;
CS_API void cs_cooked_close(struct cs_cooked *cooked);

/* Returns the row of meshes with this path, CS_NONE for an empty text or without such a mesh. */
CS_API uint32_t cs_cooked_find_mesh(const struct cs_cooked *cooked, uint32_t path);
CS_API const char *cs_cooked_text(const struct cs_cooked *cooked, uint32_t text);
/*
 * Returns the name of an actor for people: its label, or else its name; inside a level instance the
 * title of the instance precedes it, "House_2/Bed". No two threads may call it for one world at the
 * same time.
 */
CS_API const char *cs_cooked_actor_title(const struct cs_cooked *cooked, uint32_t actor);
/*
 * Returns the name of a cell as maps show it, without the name of the world, with which all begin.
 */
static inline const char *cs_cooked_short_name(const struct cs_cooked *cooked, const char *name)
{
	const char *world = cs_cooked_text(cooked, cooked->world->name);
	const size_t n = strlen(world);
	return n > 0 && strncmp(name, world, n) == 0 && name[n] == '_' ? name + n + 1 : name;
}

struct cs_cooked_sums {
	size_t errors;  /* errors reported by validation, which are those of its first pass */
	size_t lost;    /* actors dropped although no setting asks for it */
	size_t fullest; /* largest number of actors in a cell that is not always loaded */
};

CS_API struct cs_cooked_sums cs_cooked_sums(const struct cs_cooked *cooked);

struct cs_layer_branch {
	uint32_t layer, depth; /* row of the layer, and its depth; roots have depth 0 */
};

/*
 * Lists the data layers as a tree: each behind its parent, and those of one parent in the order of
 * their rows. The caller frees the result. Returns E_LIMIT where they nest too deeply.
 */
CS_API struct cs_error *cs_cooked_layer_tree(
	const struct cs_cooked *cooked, struct cs_layer_branch **ret, size_t *n_ret) CS_MUST_USE;

/*
 * Checks the rules of a cooked world beyond its records: parents come first, ranges tile their
 * tables, actors and cells name each other, names and GUIDs are unique, bounds contain their items.
 * Reports as cs_file_verify does.
 */
CS_API struct cs_error *cs_cooked_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
