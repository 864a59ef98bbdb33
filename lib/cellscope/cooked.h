/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked world (.cworld): the decisions of the cook and their reasons, as flat tables of
 * fixed-size records. Streaming needs no other file of a world. cellscope-format(5) documents the
 * layout; this manual page is generated from the field tables (lib/format/cworld.c), which are also
 * used to read, print and verify the file.
 *
 * "text" in the comment of a u32 member means the offset of a text in the strings table, which
 * cs_cooked_text() returns. "row of T" means the index of a row in the table T, or CS_NONE.
 * Coordinates are in cm. Enums that a comment names are in cellscope/cooked_values.h if they are
 * not in this header, so that code that uses none of them does not depend on them.
 */
#ifndef CELLSCOPE_COOKED_H
#define CELLSCOPE_COOKED_H

#include <cellscope/core.h>

#include <string.h>

CS_BEGIN_DECLS

/* A range of rows of a table: [first, first + count). */
struct cs_range {
	uint32_t first, count;
};

struct cs_cooked_world {
	struct cs_box bounds; /* bounds of the spatially loaded actors of the main container */
	uint32_t name;        /* text: short name of the map, the prefix of cell names */
	uint32_t package;     /* text: long package name of the map */
	uint32_t source;      /* text: kind of the source: "json", "uproject", "log", "cooked" */
	uint32_t engine;      /* text: engine version that saved the source, or "" */
	uint32_t profile;     /* text: engine profile whose rules the cook followed */
	uint32_t hash_class;  /* enum cs_hash_class: kind of runtime hash */
	uint32_t layers_operator;      /* enum cs_layers_operator: combines layers of a cell */
	uint32_t trigger;              /* enum cs_trigger: what started the cook */
	uint32_t server_streaming;     /* enum cs_server_mode: whether a server streams cells in */
	uint32_t server_streaming_out; /* enum cs_server_mode: whether a server also streams out */
	uint32_t default_hlod_layer;   /* row of hlod_layers, for actors without an HLOD layer */
	uint32_t flags;                /* CS_WORLD_ bits */
};

#define CS_WORLD_STREAMING 1u /* World Partition streaming is enabled */
/* the engine cooked the world, so facts that only its source contains are not known */
#define CS_WORLD_COOKED    2u
#define CS_WORLD_LOGGED    4u /* read from a log of the engine, which lacks some facts */
#define CS_WORLD_OLD_FORM  8u /* the world was read from a log that engine 5.4 wrote */

/* A runtime partition (hash set) or grid (spatial hash). HLOD setups have rows of their own. */
struct cs_cooked_partition {
	struct cs_vec3 origin;
	/* spatial grid: bounds of the world, which decide `levels` (otherwise invalid) */
	struct cs_box bounds;
	double cell_size;         /* side of a cell of level 0, cm */
	double loading_range;     /* distance at which cells are loaded, cm */
	uint32_t name;            /* text: name, such as MainGrid; "Main:Setup" for an HLOD setup */
	uint32_t parent;          /* row of partitions: main partition of an HLOD setup */
	uint32_t partition_class; /* enum cs_partition_class */
	int32_t priority;         /* lower numbers are loaded first */
	int32_t hlod_index;       /* index of the HLOD setup, -1 for a main partition */
	uint32_t debug_color;     /* 0xRRGGBB */
	uint32_t levels;          /* spatial grid: number of levels, else 0 */
	uint32_t grid_size;       /* spatial grid: number of cells along a side of level 0 */
	uint32_t flags;           /* CS_PARTITION_ bits */
	struct cs_range cells;    /* rows of cells; the table is sorted by partition */
	uint32_t reserved;
};

#define CS_PARTITION_BLOCK_ON_SLOW     1u
#define CS_PARTITION_CLIENT_ONLY       2u
#define CS_PARTITION_2D                4u
#define CS_PARTITION_SPATIAL           8u  /* the cells of the partition are spatially loaded */
#define CS_PARTITION_ALIGNED           16u /* the engine's setting UseAlignedGridLevels */
/* the engine's setting SnapNonAlignedGridLevelsToLowerLevels */
#define CS_PARTITION_SNAP              32u
#define CS_PARTITION_SMALL_BY_LOCATION 64u
#define CS_PARTITION_PARTITION_ACTORS  128u /* PlacePartitionActorsUsingLocation */
#define CS_PARTITION_Z_CULLING         256u
/* rule of 5.7: a set that barely exceeds a cell is placed one level lower */
#define CS_PARTITION_DEMOTION          512u
#define CS_PARTITION_ASSUMED           1024u /* the source lacks the partition's loading range */
#define CS_PARTITION_NO_SIZE           2048u /* the source lacks the partition's cell size */
#define CS_PARTITION_NO_PRIORITY       4096u /* the source lacks the partition's priority */
/* the source doesn't contain BLOCK_ON_SLOW and CLIENT_ONLY of the partition */
#define CS_PARTITION_NO_SWITCHES       8192u

struct cs_cooked_cell {
	struct cs_guid guid;
	struct cs_guid content_bundle;
	struct cs_box box; /* box of the cell in its grid; invalid for a cell without a position */
	struct cs_box content; /* union of the actors' bounds; invalid when no actor has bounds */
	int64_t x, y, z;       /* coordinates in the grid, as in the name */
	uint32_t name;         /* text: unique name, World_Grid_L0_X1_Y2 */
	/* text: L0_X1_Y2, unique among cells of the same partition with the same data layers */
	uint32_t short_name;
	uint32_t package;   /* text: short package name (enum cs_package_naming) */
	uint32_t partition; /* row of partitions: partition that contains the cell */
	int32_t level;      /* grid level; -1 for a non-spatial cell of profile 5.7 */
	/* second sort key of loading, after the priority of sources (rule 2.4), highest first */
	int32_t hierarchical_level;
	int32_t priority;        /* third sort key of loading; lower numbers first */
	uint32_t flags;          /* CS_CELL_ bits */
	uint32_t layers_id;      /* CRC of the sorted names of the data layers, 0 for none */
	uint32_t external_layer; /* row of layers: external data layer of the cell */
	struct cs_range layers;  /* rows of cell_layers: the external layer first, then by name */
	struct cs_range actors;  /* rows of cell_actors: the actors in the cell */
	struct cs_range sets;    /* rows of sets; the table is sorted by cell */
};

#define CS_CELL_SPATIAL       1u
#define CS_CELL_ALWAYS_LOADED 2u /* the cell is part of the persistent level */
#define CS_CELL_CLIENT_ONLY   4u
#define CS_CELL_BLOCK_ON_SLOW 8u
#define CS_CELL_HLOD          16u
#define CS_CELL_2D            32u
/* These flags are set when the engine's cook does not contain a fact about a cell. */
#define CS_CELL_NO_PLACE      64u  /* the cell has no name that contains coordinates and a level */
#define CS_CELL_NAMES_ALONE   128u /* only the name was read: priority and flags are not known */
/* the engine wrote no GUID for the cell, so the GUID is computed from the name */
#define CS_CELL_MADE_GUID     256u
/* the log has no bounds, so `box` is computed from the name and `content` from the actors */
#define CS_CELL_NO_BOXES      512u

/* An actor instance: a descriptor in one container instance. Sorted by container, then by GUID. */
struct cs_cooked_actor {
	struct cs_guid guid;
	struct cs_box bounds;       /* runtime bounds in world space; may be invalid */
	uint32_t name;              /* text: object name */
	uint32_t label;             /* text: label that users see */
	uint32_t base_class;        /* text: Blueprint class, "" for a native actor */
	uint32_t native_class;      /* text: native class */
	uint32_t grid;              /* text: runtime grid in the descriptor; "" for the default */
	uint32_t effective_grid;    /* text: runtime grid after parents, containers and repairs */
	uint32_t container;         /* row of containers */
	uint32_t parent;            /* row of actors: parent in the attachment hierarchy */
	uint32_t set;               /* row of sets: set that contains the actor, or CS_NONE */
	uint32_t cell;              /* row of cells: cell that contains the actor, or CS_NONE */
	uint32_t hlod_layer;        /* row of hlod_layers: HLOD layer after defaults and repairs */
	uint32_t flags;             /* CS_ACTOR_ bits */
	uint32_t defaults;          /* CS_DEFAULT_ bits: fields inherited from the actor's class */
	uint32_t assumed;           /* CS_DEFAULT_ bits: inherited fields whose value is assumed */
	uint32_t placement;         /* enum cs_placement: how the actor was placed, or why not */
	struct cs_range layers;     /* rows of actor_layers: runtime data layers of the actor */
	struct cs_range references; /* rows of references: the references from this actor */
	/* text: path of the mesh that the actor shows, as in cs_cooked_mesh.path, or "" */
	uint32_t mesh;
};

#define CS_ACTOR_OWN_SPATIAL       0x1u /* the descriptor says that the actor is spatially loaded */
/* spatially loaded, when parents, containers and repairs are considered */
#define CS_ACTOR_SPATIAL           0x2u
#define CS_ACTOR_EDITOR_ONLY       0x4u
#define CS_ACTOR_RUNTIME_ONLY      0x8u
#define CS_ACTOR_MAIN_WORLD_ONLY   0x10u
#define CS_ACTOR_HLOD_RELEVANT     0x20u
#define CS_ACTOR_PARTITION_ACTOR   0x40u /* a landscape proxy or similar actor */
#define CS_ACTOR_LEVEL_INSTANCE    0x80u
#define CS_ACTOR_CONTAINER         0x100u /* a level instance whose actors are embedded in the world */
#define CS_ACTOR_HLOD              0x200u
#define CS_ACTOR_DATA_LAYERS       0x400u /* the actor is of the class WorldDataLayers */
/* The next three flags: validation changed the actor. Not set if nothing was to be changed. */
#define CS_ACTOR_FORCED_NONSPATIAL 0x800u   /* made non-spatial, but was spatially loaded before */
#define CS_ACTOR_FORCED_NO_GRID    0x1000u  /* lost its runtime grid */
#define CS_ACTOR_FORCED_NO_LAYERS  0x2000u  /* lost its data layers */
#define CS_ACTOR_FILTERED          0x4000u  /* excluded by an actor filter of a level instance */
#define CS_ACTOR_UNSAVED           0x8000u  /* an unsaved change, which only PIE includes */
#define CS_ACTOR_NO_HLOD_LAYER     0x10000u /* validation removed the actor's HLOD layer */
#define CS_ACTOR_NEEDS_RESAVE      0x20000u /* the actor's descriptor has an old version */
#define CS_ACTOR_UNLISTED          0x40000u /* the actor is hidden in the editor's outliner */
/* the transform is not known, because the cooked actor cannot be read */
#define CS_ACTOR_NO_TRANSFORM      0x80000u
/* the engine wrote no GUID for the actor, so the GUID is computed from the name */
#define CS_ACTOR_MADE_GUID         0x100000u
/* not spatially loaded, because the level script references the actor */
#define CS_ACTOR_BY_SCRIPT         0x200000u
#define CS_ACTOR_IN_PIE            0x400000u /* editor-only, but included in play in editor */

/* Fields of a descriptor that can be inherited from the class of the actor. */
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

/* Fields of an actor that are seldom read. Row i describes row i of actors. */
struct cs_cooked_actor_detail {
	struct cs_transform transform; /* from the actor's space to world space */
	struct cs_box editor_bounds;
	struct cs_guid instance_guid; /* world-wide GUID; equals `guid` in the main container */
	struct cs_guid content_bundle;
	struct cs_guid folder_guid;
	uint32_t package;        /* text: package of the actor */
	uint32_t path;           /* text: object path */
	uint32_t folder;         /* text: folder in the editor */
	uint32_t engine;         /* text: engine version that saved the actor */
	uint32_t external_layer; /* row of layers: external data layer of the actor */
	uint32_t own_hlod_layer; /* text: HLOD layer in the descriptor; "" for the default layer */
	struct cs_range tags;    /* rows of actor_tags: tags of the actor */
};

/* An actor set: actors of a container instance that must share a cell. Rows are sorted by cell. */
struct cs_cooked_set {
	struct cs_box bounds; /* union of the runtime bounds of the members; may be invalid */
	int64_t x, y, z;      /* coordinates of the cell in the grid, on `level` */
	int32_t level;        /* grid level of the set, -1 in a non-spatial cell */
	int32_t first_level;  /* grid level that the size of the set requires, before demotion */
	uint32_t container, partition, cell; /* rows of containers, partitions and cells */
	uint32_t placement;                  /* enum cs_placement */
	uint32_t largest;                    /* row of actors: the member with the longest extent */
	struct cs_range members;             /* rows of set_members */
	uint32_t reserved;
};

/*
 * A container instance: the actors of the world or of one embedded level instance. Row 0 is the
 * main container. Parents come before children.
 */
struct cs_cooked_container {
	struct cs_transform transform; /* transform from the container's space to world space */
	struct cs_guid id; /* id of the container instance; zero for the main container */
	struct cs_guid content_bundle;
	uint32_t parent;         /* row of containers: container with the level instance */
	uint32_t package;        /* text: package of the level */
	uint32_t actor;          /* row of actors: the level instance, in the parent container */
	uint32_t external_layer; /* row of layers: external data layer of the level instance */
	struct cs_range actors;  /* rows of actors in this container */
};

/* Runtime states of a data layer, in ascending order. */
enum cs_layer_state { CS_LAYER_UNLOADED, CS_LAYER_LOADED, CS_LAYER_ACTIVATED };

/* A data layer instance. In the table parents come before children. */
struct cs_cooked_layer {
	uint32_t name;    /* text: unique name of the instance */
	uint32_t label;   /* text: short name, which users type */
	uint32_t asset;   /* text: path of the data layer asset */
	uint32_t parent;  /* row of layers: parent layer */
	uint32_t type;    /* enum cs_layer_type */
	uint32_t filter;  /* enum cs_layer_filter */
	uint32_t initial; /* enum cs_layer_state */
	int32_t priority; /* from 5.7 on, added to the priority of the layer's cells */
	uint32_t color;   /* 0xRRGGBB */
	uint32_t flags;   /* CS_LAYER_ bits */
};

#define CS_LAYER_EXTERNAL    1u
#define CS_LAYER_NAMES_ALONE 2u /* only the name was read: the initial state is assumed */

struct cs_cooked_hlod_layer {
	uint32_t path;   /* text: path of the HLOD layer asset */
	uint32_t parent; /* row of hlod_layers: layer of the next coarser HLOD actors */
	double cell_size, loading_range; /* of the grid of the layer's HLOD actors, cm */
	uint32_t flags;                  /* CS_HLOD_SPATIAL or 0 */
	/* largest number of triangles of a proxy mesh (0: a tenth of those of its sources) */
	uint32_t proxy_triangles;
};

#define CS_HLOD_SPATIAL 1u /* the HLOD actors of the layer are spatially loaded */

/* Flag of an HLOD actor: it is shown without a warm-up. */
#define CS_HLOD_NO_WARMUP 1u

struct cs_cooked_hlod {
	struct cs_guid source_cell; /* GUID of the cell that the HLOD actor was built from */
	uint32_t actor;             /* row of actors: the HLOD actor */
	uint32_t cell;  /* row of cells: cell in this cook that has the GUID source_cell */
	uint32_t layer; /* row of hlod_layers: layer of the HLOD actor */
	uint32_t home;  /* row of cells: cell that contains the HLOD actor */
	double min_visible_distance; /* loading range of the partition of the source cell, cm */
	double mesh_bytes; /* bytes of the built proxy mesh, else from the source (0: not known) */
	uint32_t mesh;     /* text: path of the file of the proxy mesh; "" for none */
	uint32_t flags;    /* CS_HLOD_NO_WARMUP or 0 */
};

/* A mesh that actors show. Each mesh has one row. The table is sorted by the text offset `path`. */
struct cs_cooked_mesh {
	struct cs_box bounds;   /* bounds in mesh space, in cm; invalid if the mesh was not built */
	struct cs_guid content; /* hash of the resource's content, zero if the mesh was not built */
	uint64_t bytes;         /* size of the file of the resource, in bytes */
	uint64_t resident_bytes; /* bytes that are loaded with a cell: all except streamed pages */
	uint32_t path;           /* text: path by which actors name the mesh */
	/* text: path of the file of the resource, relative to the folder of the cooked world */
	uint32_t file;
	uint32_t reason;    /* text: why the mesh has no resource */
	uint32_t state;     /* enum cs_mesh_state */
	uint32_t triangles; /* number of triangles of the source mesh */
	uint32_t pages;     /* number of pages of the resource; the first page is a root page */
	uint32_t actors;    /* number of actors that show the mesh */
	uint32_t hlod;      /* row of hlods: HLOD actor that the mesh is the proxy of */
};

/* A hard reference from an actor to another. */
struct cs_cooked_reference {
	struct cs_guid guid; /* GUID of the referenced actor in the descriptor */
	uint32_t actor;      /* row of actors: the referenced actor, CS_NONE if there is none */
	uint32_t state;      /* enum cs_reference_state */
};

struct cs_cooked_finding {
	uint32_t check;      /* the check, an index into the words of CS_WORDS_CHECK */
	uint32_t severity;   /* enum cs_severity */
	uint32_t repair;     /* enum cs_repair */
	uint32_t pass;       /* pass of validation; the engine reports only pass 0 */
	uint32_t actor;      /* row of actors: the faulty actor, or the actor with the reference */
	uint32_t other;      /* row of actors: the referenced actor */
	uint32_t layer;      /* row of layers: the faulty layer */
	uint32_t container;  /* row of containers: the container of the actor */
	uint32_t cause;      /* row of findings: earlier finding whose repair caused this one */
	uint32_t reason;     /* text: broken part of the rule, such as "external data layer" */
	uint32_t hlod_layer; /* row of hlod_layers: the faulty HLOD layer */
	uint32_t partition;  /* row of partitions: partition with a wrong setting */
};

/* Actors that the engine drops without a message. */
struct cs_cooked_drop {
	uint32_t actor;  /* row of the filtered actor, level instance, or set's first actor */
	uint32_t actors; /* number of dropped actors; 0 for an actor that a filter excludes */
	uint32_t reason; /* text: the reason, such as "unknown partition" */
	/*
	 * text: name of the unknown grid, or package of the level instance's level. For a filtered
	 * actor "INSTANCE: LAYER", the level instance that has the filter and the data layer in it
	 */
	uint32_t detail;
};

/*
 * A standalone level instance, in the world or in the level of another standalone instance. It is a
 * world partition of its own, which streams while the cell that contains the instance is visible
 * (rule 2.1). Positions in the cooked world of the level are in the space of the level.
 */
struct cs_cooked_sub {
	struct cs_transform transform; /* transform from the level's space to the main world's */
	struct cs_guid id;             /* GUID of the level instance in the main world */
	uint32_t name;    /* text: unique label, "Outer/Label" for an instance inside another */
	uint32_t package; /* text: package of the level */
	/* row of sub_partitions: instance around this one, or CS_NONE if it is in the world */
	uint32_t parent;
	uint32_t actor;  /* row of the level instance among the actors of the parent */
	uint32_t cell;   /* row of the cell with the instance, among the cells of the parent */
	uint32_t level;  /* row of sub_levels; CS_NONE if not a partition (see reason) */
	uint32_t reason; /* text: why the instance is not a partition */
	uint32_t reserved;
};

/* A level that is a world partition of its own. It is cooked once for all its instances. */
struct cs_cooked_sub_level {
	uint32_t package;      /* text: package of the level */
	struct cs_range bytes; /* rows of sub_bytes with a complete, uncompressed .cworld file */
	uint32_t reserved;
};

/*
 * Names of layer states in files, JSON and SQL, indexed by enum cs_layer_state. NULL ends the list.
 */
CS_API extern const char *const cs_layer_state_names[];
/* Names of layer states as the engine writes them, indexed by enum cs_layer_state. */
CS_API extern const char *const cs_layer_state_ue_names[];
/* Returns the next state in the cycle unloaded, loaded, activated, unloaded. */
static inline enum cs_layer_state cs_layer_state_next(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_LAYER_UNLOADED : (enum cs_layer_state)(state + 1);
}

/* The state after wp.Runtime.ToggleDataLayerActivation: unloaded if activated, else activated. */
static inline enum cs_layer_state cs_layer_state_toggled(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_LAYER_UNLOADED : CS_LAYER_ACTIVATED;
}

/* Numbers of the tables, in the order of the file. */
enum cs_cworld_table {
	CS_TABLE_WORLD = CS_TABLE_STRINGS + 1,
	CS_TABLE_PARTITIONS,
	CS_TABLE_LAYERS,
	CS_TABLE_HLOD_LAYERS,
	CS_TABLE_CONTAINERS,
	CS_TABLE_CELLS,
	CS_TABLE_CELL_LAYERS, /* each row is a u32: a row number of the table of layers */
	CS_TABLE_CELL_ACTORS, /* each row is a u32: a row number of the table of actors */
	CS_TABLE_SETS,
	CS_TABLE_SET_MEMBERS, /* each row is a u32: row of actors */
	CS_TABLE_ACTORS,
	CS_TABLE_ACTOR_LAYERS, /* each row is a u32: row of layers */
	CS_TABLE_ACTOR_TAGS,   /* each row is a u32: text offset */
	CS_TABLE_ACTOR_DETAILS,
	CS_TABLE_REFERENCES,
	CS_TABLE_HLODS,
	CS_TABLE_FINDINGS,
	CS_TABLE_DROPS,
	CS_TABLE_SUB_PARTITIONS,
	CS_TABLE_SUB_LEVELS,
	CS_TABLE_SUB_BYTES, /* each row is one byte of a .cworld file */
	/* u64 for each cell: total size of its packages in bytes; only in engine cooks */
	CS_TABLE_CELL_BYTES,
	CS_TABLE_MESHES,
	CS_TABLE_CELL_MESH_BYTES, /* bytes of the meshes of each cell, u64 */
	CS_TABLE_CWORLD_END
};

/* Tables that are loaded on demand: actors and cells, and the tables that refer to them. */
struct cs_cooked_rest;

/* An open cooked world: arrays of rows, which are valid until it is closed, and their lengths. */
struct cs_cooked {
	struct cs_file *file;
	const struct cs_cooked_world *world;
	const struct cs_cooked_partition *partitions;
	const struct cs_cooked_layer *layers;
	const struct cs_cooked_hlod_layer *hlod_layers;
	const struct cs_cooked_container *containers;
	const uint32_t *cell_layers;
	const uint64_t *cell_bytes; /* bytes of each cell's packages, 0: not known; or NULL */
	const struct cs_cooked_mesh *meshes;
	/* for each cell, bytes of the meshes that load with it, each mesh counted once; or NULL */
	const uint64_t *cell_mesh_bytes;
	const struct cs_cooked_hlod *hlods;
	const struct cs_cooked_finding *findings;
	const struct cs_cooked_drop *drops;
	const struct cs_cooked_sub *subs;
	const struct cs_cooked_sub_level *sub_levels;
	/*
	 * NULL, or for each row of sub_levels its world, NULL until a run needs the world.
	 * cs_cooked_close closes them
	 */
	struct cs_cooked **levels;
	size_t n_partitions, n_layers, n_hlod_layers, n_containers, n_cells, n_cell_layers,
		n_cell_bytes, n_meshes, n_cell_mesh_bytes, n_hlods, n_findings, n_drops, n_subs,
		n_sub_levels;

	struct cs_cooked_rest *rest;
	bool has_actors; /* whether cs_cooked_load_actors has loaded the actors */
	size_t n_cell_actors, n_sets, n_set_members, n_actors, n_actor_layers, n_references,
		n_details, n_actor_tags;
	struct cs_cooked_titles *titles; /* texts that cs_cooked_actor_title has composed */
	struct cs_cooked_names
		*names; /* names of cells and actors that a loop over rows has read, or NULL */
};

/*
 * Open a cooked world, either a file or `bytes`, which must stay valid until the world is closed.
 * `name` is the file name in errors. The cells and the smaller tables are read and checked at once,
 * others when they are needed. The job is not used after the call.
 */
CS_API struct cs_error *cs_cooked_open(
	const char *path, const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
CS_API struct cs_error *cs_cooked_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;

/*
 * Each function returns a row of a table that is loaded on demand. Only the section of the table
 * that contains the row is loaded, if it is not loaded already, so do not use the pointer as an
 * array: neighbouring rows may not be loaded. If the row cannot be loaded or does not exist, the
 * functions return an empty row without links; after a failed load cs_cooked_failed returns the
 * error. Two threads may use one world at the same time only when all rows that they read are
 * loaded. cs_cooked_load_actors loads everything but the details beforehand, and returns errors at
 * once.
 */
CS_API const struct cs_cooked_actor *cs_cooked_actor(const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_actor_detail *cs_cooked_detail(
	const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_cell *cs_cooked_cell(const struct cs_cooked *cooked, size_t row);

/* Tables whose rows are one u32 each: the number of a row of another table, or a text offset. */
enum cs_cooked_ids {
	CS_IDS_CELL_ACTORS,
	CS_IDS_SET_MEMBERS,
	CS_IDS_ACTOR_LAYERS,
	CS_IDS_ACTOR_TAGS,
};

/* Returns the items of a range, NULL for an empty range or if the items cannot be loaded. */
CS_API const uint32_t *cs_cooked_id_rows(
	const struct cs_cooked *cooked, enum cs_cooked_ids table, struct cs_range range);

/*
 * Code that reads many rows in ascending order calls this at the beginning, after each row
 * (CS_PASS_STEP) and at the end, to limit memory. During a pass a step may free sections of tables
 * when they use much memory, and the end frees all sections that the pass loaded. Pointers to rows
 * and to texts of actors that were returned before a step are invalid after it.
 */
enum cs_pass { CS_PASS_BEGIN, CS_PASS_STEP, CS_PASS_END };
CS_API void cs_cooked_pass(struct cs_cooked *cooked, enum cs_pass what);

/*
 * Describes a loop over rows of a table to cs_table.pass (cellscope/query.h), so that it can load
 * in time what the loop reads, and free what it has read. The caller sets all but the last two.
 */
struct cs_reading {
	const struct cs_table *table;
	const void *source; /* the object whose rows the table lists */
	const struct cs_column *const *columns;
	size_t n_columns;     /* number of columns, 0: the loop may read any column */
	const uint32_t *rows; /* indices of the rows that the loop reads, ascending */
	size_t n_rows;
	size_t at;    /* set by cs_table.pass: number of rows that were read */
	size_t named; /* set by cs_table.pass: number of rows whose displayed names are preloaded */
};

CS_API struct cs_error *cs_cooked_load_actors(struct cs_cooked *cooked) CS_MUST_USE;
/* Returns the first error in loading a row since the previous call of this function, or NULL. */
CS_API struct cs_error *cs_cooked_failed(struct cs_cooked *cooked) CS_MUST_USE;
CS_API void cs_cooked_close(struct cs_cooked *cooked);

/* Returns the row of the mesh whose path has this text offset, or CS_NONE if there is none. */
CS_API uint32_t cs_cooked_find_mesh(const struct cs_cooked *cooked, uint32_t path);
/*
 * Returns the text at an offset, "" for an offset outside of the file. It is valid until the world
 * is closed; a text of an actor only until the next step or the end of a pass (cs_cooked_pass).
 */
CS_API const char *cs_cooked_text(const struct cs_cooked *cooked, uint32_t text);
/*
 * Returns the display name of an actor: the label, or else the name. Inside a level instance it
 * begins with the title of the instance: "House_2/Bed". It is valid as long as texts of actors are
 * (cs_cooked_pass). Two threads must not call the function for one world at the same time.
 */
CS_API const char *cs_cooked_actor_title(const struct cs_cooked *cooked, uint32_t actor);
/* Returns the name of a cell; NULL for CS_NONE. */
static inline const char *cs_cooked_cell_name(const struct cs_cooked *cooked, uint32_t cell)
{
	return cell == CS_NONE ? NULL : cs_cooked_text(cooked, cs_cooked_cell(cooked, cell)->name);
}

/* Returns the name of a cell without its prefix, the name of the world. */
static inline const char *cs_cooked_short_name(const struct cs_cooked *cooked, const char *name)
{
	const char *world = cs_cooked_text(cooked, cooked->world->name);
	const size_t n = strlen(world);
	return n > 0 && strncmp(name, world, n) == 0 && name[n] == '_' ? name + n + 1 : name;
}

/* Returns the number of standalone level instances that are world partitions of their own. */
static inline uint32_t cs_cooked_level_instances(const struct cs_cooked *cooked)
{
	uint32_t n = 0;
	for (size_t i = 0; i < cooked->n_subs; i++)
		n += cooked->subs[i].level != CS_NONE;
	return n;
}

struct cs_cooked_sums {
	/* findings by enum cs_severity in pass 0 of validation, the pass that the engine reports */
	size_t found[3];
	size_t lost;    /* actors that the engine drops although no setting excludes them */
	size_t fullest; /* largest number of actors in a cell, except always loaded cells */
};

CS_API struct cs_cooked_sums cs_cooked_sums(const struct cs_cooked *cooked);

struct cs_layer_branch {
	uint32_t layer; /* row of layers */
	uint32_t depth; /* depth of the layer in the tree, 0 for a root */
};

/*
 * Lists the data layers as a tree: each layer after its parent, and the children of a layer in the
 * order of their rows. The caller frees the list. Returns E_LIMIT when layers are nested too
 * deeply.
 */
CS_API struct cs_error *cs_cooked_layer_tree(
	const struct cs_cooked *cooked, struct cs_layer_branch **ret, size_t *n_ret) CS_MUST_USE;

/*
 * Checks the rules of a cooked world that concern more than one record: parents come before
 * children, ranges cover their tables without gaps, actors and cells refer to each other, names and
 * GUIDs are unique, bounds contain their items. Calls `report` as cs_file_verify does.
 */
CS_API struct cs_error *cs_cooked_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
