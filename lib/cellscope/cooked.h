/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked world (.cworld): what the cook decided and why, as flat tables of fixed-size records.
 * This is all that streaming knows of a world. Layout: cellscope-format(5), generated from the
 * same field tables that read, print and verify the file (lib/format/cworld.c).
 *
 * Texts are u32 offsets into the strings table: cs_cooked_text(). Indices are rows of the table
 * that the comment names, CS_NONE for none. Coordinates in cm. What the numbers of an enum stand
 * for is in cellscope/cooked_values.h, so that who looks at none of them does not depend on them.
 */
#ifndef CELLSCOPE_COOKED_H
#define CELLSCOPE_COOKED_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

/* Rows [first, first + count) of a table. */
struct cs_range {
	uint32_t first, count;
};

struct cs_cooked_world {
	struct cs_box bounds;      /* of the spatially loaded actors of the main container */
	uint32_t name;             /* short map name, prefix of cell names */
	uint32_t package;          /* long package name of the map */
	uint32_t source;           /* what it was cooked from: "json", "uproject", "log" */
	uint32_t engine;           /* version that saved the source, or "" */
	uint32_t profile;          /* text: engine profile of the rules */
	uint32_t hash_class;       /* enum cs_hash_class */
	uint32_t layers_operator;  /* enum cs_layers_operator */
	uint32_t trigger;          /* enum cs_trigger */
	uint32_t server_streaming; /* enum cs_server_mode */
	uint32_t server_streaming_out;
	uint32_t default_hlod_layer; /* hlod_layers */
	uint32_t flags;              /* CS_WORLD_ */
};

#define CS_WORLD_STREAMING 1u /* streaming enabled */
#define CS_WORLD_COOKED    2u /* the engine cooked it: what only a source says is not known */
#define CS_WORLD_LOGGED \
	4u /* a log of the engine as it was written: what it does not say is not known */
#define CS_WORLD_OLD_FORM 8u /* that log is of 5.4 */

/* A runtime partition (hash set) or grid (spatial hash), those of HLOD setups included. */
struct cs_cooked_partition {
	struct cs_vec3 origin;
	struct cs_box bounds;     /* of the world as this grid saw it */
	double cell_size;         /* cm, of level 0 */
	double loading_range;     /* cm */
	uint32_t name;            /* MainGrid; of an HLOD setup "Main:Setup" */
	uint32_t parent;          /* partitions: the main partition of an HLOD setup */
	uint32_t partition_class; /* enum cs_partition_class */
	int32_t priority;         /* lower is first */
	int32_t hlod_index;       /* of the setup, -1 for a main partition */
	uint32_t debug_color;     /* 0xRRGGBB */
	uint32_t levels;          /* spatial grid: number of levels, else 0 */
	uint32_t grid_size;       /* spatial grid: cells a side on level 0, else 0 */
	uint32_t flags;           /* CS_PARTITION_ */
	struct cs_range cells;    /* cells are sorted by partition */
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
#define CS_PARTITION_DEMOTION          512u  /* 5.7: quarter demotion */
#define CS_PARTITION_ASSUMED           1024u /* the source does not say its loading range */
#define CS_PARTITION_NO_SIZE           2048u /* nor its cell size */
#define CS_PARTITION_NO_PRIORITY       4096u /* nor its priority */
#define CS_PARTITION_NO_SWITCHES       8192u /* nor whether it blocks, or is for clients alone */

struct cs_cooked_cell {
	struct cs_guid guid;
	struct cs_guid content_bundle;
	struct cs_box box;          /* of the grid cell; invalid when it has none */
	struct cs_box content;      /* union of the actors, invalid when none has bounds */
	int64_t x, y, z;            /* coordinates as in the name */
	uint32_t name;              /* unique: World_Grid_L0_X1_Y2 */
	uint32_t short_name;        /* L0_X1_Y2, unique within its partition and layers */
	uint32_t package;           /* 25-character package name */
	uint32_t partition;         /* partitions */
	int32_t level;              /* grid level; -1 for a non-spatial cell of profile 5.7 */
	int32_t hierarchical_level; /* sort key 2 */
	int32_t priority;           /* sort key 3 */
	uint32_t flags;             /* CS_CELL_ */
	uint32_t layers_id;         /* CRC of the sorted layer names, 0 = none */
	uint32_t external_layer;    /* layers: the EDL */
	struct cs_range layers;     /* cell_layers: EDL first, then by name */
	struct cs_range actors;     /* cell_actors */
	struct cs_range sets;       /* actor_sets are sorted by cell */
};

#define CS_CELL_SPATIAL       1u
#define CS_CELL_ALWAYS_LOADED 2u /* part of the persistent level */
#define CS_CELL_CLIENT_ONLY   4u
#define CS_CELL_BLOCK_ON_SLOW 8u
#define CS_CELL_HLOD          16u
#define CS_CELL_2D            32u
/* What the engine's cooker left unsaid. */
#define CS_CELL_NO_PLACE      64u  /* its name could not be found: coordinates are not known */
#define CS_CELL_NAMES_ALONE   128u /* no property was read: priority and switches are not known */
#define CS_CELL_MADE_GUID     256u /* it has no GUID: this one is made of its name */
#define CS_CELL_NO_BOXES      512u /* a log told no bounds: those here follow from names and actors */

/* One actor instance: a descriptor in one container instance. Sorted by container, then GUID. */
struct cs_cooked_actor {
	struct cs_guid guid;
	struct cs_box bounds;       /* runtime bounds in the world; may be invalid */
	uint32_t name, label;       /* texts */
	uint32_t base_class;        /* text: Blueprint class, "" if native */
	uint32_t native_class;      /* text */
	uint32_t grid;              /* text: its own runtime grid, "" = default */
	uint32_t effective_grid;    /* text: after parents, containers and repairs */
	uint32_t container;         /* containers */
	uint32_t parent;            /* actors: attach parent */
	uint32_t set;               /* actor_sets */
	uint32_t cell;              /* cells */
	uint32_t hlod_layer;        /* hlod_layers: effective */
	uint32_t flags;             /* CS_ACTOR_ */
	uint32_t defaults;          /* CS_DEFAULT_: fields taken from the class, not stored */
	uint32_t assumed;           /* CS_DEFAULT_: of those, values that are only assumed */
	uint32_t placement;         /* enum cs_placement: how it came to its cell, or why to none */
	struct cs_range layers;     /* actor_layers: its own, resolved */
	struct cs_range references; /* references */
	uint32_t mesh;              /* text: what it shows, "" = nothing; meshes has it by `path` */
};

#define CS_ACTOR_OWN_SPATIAL       0x1u /* as the descriptor says */
#define CS_ACTOR_SPATIAL           0x2u /* effective */
#define CS_ACTOR_EDITOR_ONLY       0x4u
#define CS_ACTOR_RUNTIME_ONLY      0x8u
#define CS_ACTOR_MAIN_WORLD_ONLY   0x10u
#define CS_ACTOR_HLOD_RELEVANT     0x20u
#define CS_ACTOR_PARTITION_ACTOR   0x40u /* landscape proxies and the like */
#define CS_ACTOR_LEVEL_INSTANCE    0x80u
#define CS_ACTOR_CONTAINER         0x100u /* a level instance whose actors were embedded */
#define CS_ACTOR_HLOD              0x200u
#define CS_ACTOR_DATA_LAYERS       0x400u /* the WorldDataLayers actor */
/* What validation changed: not what it merely found to be so already. */
#define CS_ACTOR_FORCED_NONSPATIAL 0x800u
#define CS_ACTOR_FORCED_NO_GRID    0x1000u
#define CS_ACTOR_FORCED_NO_LAYERS  0x2000u
#define CS_ACTOR_FILTERED          0x4000u   /* by an actor filter of a level instance */
#define CS_ACTOR_UNSAVED           0x8000u   /* an unsaved change; takes part in PIE only */
#define CS_ACTOR_NO_HLOD_LAYER     0x10000u  /* layer removed by validation */
#define CS_ACTOR_NEEDS_RESAVE      0x20000u  /* descriptor of an old version */
#define CS_ACTOR_UNLISTED          0x40000u  /* the editor's outliner does not list it */
#define CS_ACTOR_NO_TRANSFORM      0x80000u  /* where it is was not cooked in a form that is read */
#define CS_ACTOR_MADE_GUID         0x100000u /* it has no GUID: this one is made of its name */
#define CS_ACTOR_BY_SCRIPT         0x200000u /* forced non-spatial by the level script */
#define CS_ACTOR_IN_PIE            0x400000u /* editor-only, and takes part in play in editor */

/* Descriptor fields that can be "as in the class". */
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

/* What is asked for rarely; row i belongs to actor i. */
struct cs_cooked_actor_detail {
	struct cs_transform transform; /* in the world */
	struct cs_box editor_bounds;
	struct cs_guid instance_guid; /* the GUID itself in the main container */
	struct cs_guid content_bundle;
	struct cs_guid folder_guid;
	uint32_t package, path, folder, engine; /* texts */
	uint32_t external_layer;                /* layers */
	uint32_t own_hlod_layer; /* text: path as the descriptor says, "" = default */
	struct cs_range tags;    /* actor_tags */
};

/* An actor set in a container instance: a cluster of actors that share a cell. Sorted by cell. */
struct cs_cooked_set {
	struct cs_box bounds; /* union of its members' runtime bounds, in the world */
	int64_t x, y, z;
	int32_t level;       /* where it was placed */
	int32_t first_level; /* the level its size asks for */
	uint32_t container, partition, cell;
	uint32_t placement;      /* enum cs_placement */
	uint32_t largest;        /* actors: member with the longest extent */
	struct cs_range members; /* set_members */
	uint32_t reserved;
};

/* A container instance; row 0 is the main container, parents come before children. */
struct cs_cooked_container {
	struct cs_transform transform;
	struct cs_guid id; /* zero = main */
	struct cs_guid content_bundle;
	uint32_t parent;         /* containers */
	uint32_t package;        /* text */
	uint32_t actor;          /* actors: the level instance in the parent */
	uint32_t external_layer; /* layers: EDL that its level instance belongs to */
	struct cs_range actors;  /* its rows of the actors table */
};

/* Runtime states in their order. */
enum cs_layer_state { CS_LAYER_UNLOADED, CS_LAYER_LOADED, CS_LAYER_ACTIVATED };

/* A data layer instance; parents come before children. */
struct cs_cooked_layer {
	uint32_t name;    /* instance name, unique */
	uint32_t label;   /* short name, what users type */
	uint32_t asset;   /* text: path */
	uint32_t parent;  /* layers */
	uint32_t type;    /* enum cs_layer_type */
	uint32_t filter;  /* enum cs_layer_filter */
	uint32_t initial; /* enum cs_layer_state */
	int32_t priority; /* added to the cells' priority from 5.7 */
	uint32_t color;   /* 0xRRGGBB */
	uint32_t flags;   /* CS_LAYER_ */
};

#define CS_LAYER_EXTERNAL 1u

struct cs_cooked_hlod_layer {
	uint32_t path;   /* text */
	uint32_t parent; /* hlod_layers */
	double cell_size, loading_range;
	uint32_t flags;           /* CS_HLOD_SPATIAL */
	uint32_t proxy_triangles; /* of a proxy mesh, at most; 0 = a tenth of its sources */
};

#define CS_HLOD_SPATIAL 1u

/* An HLOD actor of the source. */
#define CS_HLOD_NO_WARMUP 1u

struct cs_cooked_hlod {
	struct cs_guid source_cell; /* GUID it was built from */
	uint32_t actor;             /* actors */
	uint32_t cell;              /* cells: of this cook that source_cell names, or CS_NONE */
	uint32_t layer;             /* hlod_layers */
	uint32_t home;              /* cells: that holds the HLOD actor */
	double min_visible_distance;
	double mesh_bytes; /* what the proxy mesh costs in memory, as the source says */
	uint32_t mesh;     /* text: file of the proxy mesh, "" = none */
	uint32_t flags;    /* CS_HLOD_NO_WARMUP */
};

/* A mesh that actors show, each once. Sorted by path, as an offset. */
struct cs_cooked_mesh {
	struct cs_box bounds;    /* in its own space, cm; invalid when nothing was built */
	struct cs_guid content;  /* hash of the resource's content, zero when nothing was built */
	uint64_t bytes;          /* of the resource on disk */
	uint64_t resident_bytes; /* of them all that no page streams: what a cell brings */
	uint32_t path;           /* text: as actors name it */
	uint32_t file;           /* text: of the resource, from the folder of the cooked world */
	uint32_t reason;         /* text: why there is none */
	uint32_t state;          /* enum cs_mesh_state */
	uint32_t triangles;      /* of the mesh itself */
	uint32_t pages;          /* of the resource; the first is a root page */
	uint32_t actors;         /* that show it */
	uint32_t hlod;           /* hlods: of a proxy */
};

/* A hard reference of an actor. */
struct cs_cooked_reference {
	struct cs_guid guid; /* as the descriptor names it */
	uint32_t actor;      /* actors, CS_NONE when it resolves to none */
	uint32_t state;      /* enum cs_reference_state */
};

struct cs_cooked_finding {
	uint32_t check;      /* CS_WORDS_CHECK */
	uint32_t severity;   /* enum cs_severity */
	uint32_t repair;     /* enum cs_repair */
	uint32_t pass;       /* of validation, 0 = the reported one */
	uint32_t actor;      /* actors: the referer */
	uint32_t other;      /* actors: the referenced */
	uint32_t layer;      /* layers */
	uint32_t container;  /* containers */
	uint32_t cause;      /* findings: the one that forced the value this one met */
	uint32_t reason;     /* text: the part of the rule, "external data layer" */
	uint32_t hlod_layer; /* hlod_layers */
	uint32_t partition;  /* partitions: whose setting it is about */
};

/* Something that UE would drop without a word. */
struct cs_cooked_drop {
	uint32_t actor;  /* actors: first of the set */
	uint32_t actors; /* how many went with it; 0: nothing was lost, an actor filter says so */
	uint32_t reason; /* text: "unknown partition" */
	uint32_t
		detail; /* text: the grid name; the level instance with the filter, and its layer */
};

/*
 * A standalone level instance of the world or of such a level: a world partition by itself, which
 * streams when the cell around it is shown (world-partition rules 2.1). Everything in it is in the
 * space of its level; its cooked world is opened by cs_cooked_open_level.
 */
struct cs_cooked_sub {
	struct cs_transform transform; /* from its space into that of the main world */
	struct cs_guid id;             /* of the level instance, in the main world */
	uint32_t name;                 /* text, unique: label, or "Outer/Label" inside another */
	uint32_t package;              /* text: its level */
	uint32_t parent;               /* sub_partitions, an earlier row; CS_NONE = the world */
	uint32_t actor;                /* row of the level instance among the parent's actors */
	uint32_t cell;                 /* row of the cell that holds it among the parent's */
	uint32_t level;                /* sub_levels; CS_NONE: it is no partition, see reason */
	uint32_t reason;               /* text: why it is none */
	uint32_t reserved;
};

/* A level that is a world partition by itself, cooked once for all its instances. */
struct cs_cooked_sub_level {
	uint32_t package;      /* text */
	struct cs_range bytes; /* sub_bytes: a whole .cworld, not compressed */
	uint32_t reserved;
};

/* What files, JSON and SQL call layer states; the list is ended by NULL. */
CS_API extern const char *const cs_layer_state_names[];
/* Layer states as the engine writes them. */
CS_API extern const char *const cs_layer_state_ue_names[];
/* The state that follows in the round unloaded, loaded, activated. */
static inline enum cs_layer_state cs_layer_state_next(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_LAYER_UNLOADED : (enum cs_layer_state)(state + 1);
}

/* As wp.Runtime.ToggleDataLayerActivation: unloaded where it is activated, else activated. */
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
	CS_TABLE_CELL_LAYERS, /* u32: layers */
	CS_TABLE_CELL_ACTORS, /* u32: actors */
	CS_TABLE_SETS,
	CS_TABLE_SET_MEMBERS, /* u32: actors */
	CS_TABLE_ACTORS,
	CS_TABLE_ACTOR_LAYERS, /* u32: layers */
	CS_TABLE_ACTOR_TAGS,   /* u32: text */
	CS_TABLE_ACTOR_DETAILS,
	CS_TABLE_REFERENCES,
	CS_TABLE_HLODS,
	CS_TABLE_FINDINGS,
	CS_TABLE_DROPS,
	CS_TABLE_SUB_PARTITIONS,
	CS_TABLE_SUB_LEVELS,
	CS_TABLE_SUB_BYTES,  /* u8 */
	CS_TABLE_CELL_BYTES, /* u64, by cell; of what the engine cooked alone */
	CS_TABLE_MESHES,
	CS_TABLE_CELL_MESH_BYTES, /* u64, by cell */
	CS_TABLE_CWORLD_END
};

/* Of actors and what belongs to them: cs_cooked_actor and its like load them when first asked. */
struct cs_cooked_rest;

/* An open cooked world: plain arrays, valid until it is closed; how many rows its tables have. */
struct cs_cooked {
	struct cs_file *file;
	const struct cs_cooked_world *world;
	const struct cs_cooked_partition *partitions;
	const struct cs_cooked_layer *layers;
	const struct cs_cooked_hlod_layer *hlod_layers;
	const struct cs_cooked_container *containers;
	const struct cs_cooked_cell *cells;
	const uint32_t *cell_layers;
	/* bytes of each cell's packages, of n_cells or of none: 0 where they are not known */
	const uint64_t *cell_bytes;
	const struct cs_cooked_mesh *meshes;
	/* what the meshes of a cell bring with it, each once; of n_cells or of none */
	const uint64_t *cell_mesh_bytes;
	const struct cs_cooked_hlod *hlods;
	const struct cs_cooked_finding *findings;
	const struct cs_cooked_drop *drops;
	const struct cs_cooked_sub *subs;
	const struct cs_cooked_sub_level *sub_levels;
	struct cs_cooked **levels; /* of sub_levels: those that cs_cooked_level has opened */
	size_t n_partitions, n_layers, n_hlod_layers, n_containers, n_cells, n_cell_layers,
		n_cell_bytes, n_meshes, n_cell_mesh_bytes, n_hlods, n_findings, n_drops, n_subs,
		n_sub_levels;

	struct cs_cooked_rest *rest;
	size_t n_cell_actors, n_sets, n_set_members, n_actors, n_actor_layers, n_references,
		n_details, n_actor_tags;
	struct cs_cooked_titles *titles; /* of cs_cooked_actor_title */
};

CS_API struct cs_error *cs_cooked_open(
	const char *path, const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;
CS_API struct cs_error *cs_cooked_open_bytes(const void *bytes, size_t size, const char *name,
	const struct cs_job *job, struct cs_cooked **ret) CS_MUST_USE;

/*
 * Rows of actors and what belongs to them. The part of a table that holds the row is loaded here,
 * where nobody has loaded it, and with it no other row: what is next to it in memory may not be
 * there. Where it cannot be loaded, or has no such row, the row is one that says nothing and leads
 * nowhere, and cs_cooked_failed tells why. Until all that it will ask for is loaded, of one world
 * no two threads may ask at a time: cs_cooked_load_actors and cs_cooked_load_details load it
 * before, and say at once what is wrong.
 */
CS_API const struct cs_cooked_actor *cs_cooked_actor(const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_set *cs_cooked_set(const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_reference *cs_cooked_reference(
	const struct cs_cooked *cooked, size_t row);
CS_API const struct cs_cooked_actor_detail *cs_cooked_detail(
	const struct cs_cooked *cooked, size_t row);

/* The tables of row numbers. */
enum cs_cooked_ids {
	CS_IDS_CELL_ACTORS,
	CS_IDS_SET_MEMBERS,
	CS_IDS_ACTOR_LAYERS,
	CS_IDS_ACTOR_TAGS,
};

/* A range of one, NULL where there are no such rows. */
CS_API const uint32_t *cs_cooked_id_rows(
	const struct cs_cooked *cooked, enum cs_cooked_ids table, struct cs_range range);
/* Whether the actors are loaded already, which may take a while in a large world. */
CS_API bool cs_cooked_has_actors(const struct cs_cooked *cooked);

/*
 * For who goes through many rows in their order: parts of tables that come while a pass lasts go
 * again in a step when they take much memory, and at its end. Pointers to rows and texts of actors
 * from before a step are not valid after it.
 */
enum cs_pass { CS_PASS_BEGIN, CS_PASS_STEP, CS_PASS_END };
CS_API void cs_cooked_pass(struct cs_cooked *cooked, enum cs_pass what);
CS_API struct cs_error *cs_cooked_load_actors(struct cs_cooked *cooked) CS_MUST_USE;
CS_API struct cs_error *cs_cooked_load_details(struct cs_cooked *cooked) CS_MUST_USE;
/* What could not be loaded since it was asked last, and then no more: NULL = nothing. */
CS_API struct cs_error *cs_cooked_failed(struct cs_cooked *cooked) CS_MUST_USE;
CS_API void cs_cooked_close(struct cs_cooked *cooked);

/* The row of meshes that a text names, CS_NONE when it is empty or there is none. */
CS_API uint32_t cs_cooked_find_mesh(const struct cs_cooked *cooked, uint32_t path);
CS_API const char *cs_cooked_text(const struct cs_cooked *cooked, uint32_t text);
/*
 * What people call an actor: its label, else its name; in a level instance behind the title of that
 * one, "House_2/Bed". Of one world no two threads may ask at a time.
 */
CS_API const char *cs_cooked_actor_title(const struct cs_cooked *cooked, uint32_t actor);
/* The name of a cell as maps show it, without that of the world, which all begin with. */
CS_API const char *cs_cooked_short_name(const struct cs_cooked *cooked, const char *name);

struct cs_cooked_sums {
	size_t errors;  /* that validation reports: those of its first pass */
	size_t lost;    /* actors that were dropped, which nobody asked for */
	size_t fullest; /* the most actors in a cell that is not always loaded */
};

CS_API struct cs_cooked_sums cs_cooked_sums(const struct cs_cooked *cooked);

struct cs_layer_branch {
	uint32_t layer, depth; /* roots have depth 0 */
};

/*
 * The data layers as a tree: each behind its parent, those of one parent in the order of their
 * rows; freed by the caller. E_LIMIT where they nest deeper than any people would.
 */
CS_API struct cs_error *cs_cooked_layer_tree(
	const struct cs_cooked *cooked, struct cs_layer_branch **ret, size_t *n_ret) CS_MUST_USE;

/*
 * What a cooked world promises beyond its records: parents first, ranges that tile their tables,
 * actors and cells that name each other, unique names and GUIDs, bounds that contain. Reports as
 * cs_file_verify does.
 */
CS_API struct cs_error *cs_cooked_verify(const char *path, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
