/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a cook: the arrays that its phases share.
 *
 * Data model: a *collection* is a set of source containers that share one view map: the base
 * container with its external data layers, one content bundle, or one level that level instances
 * use. A *view* is one descriptor of a collection with what validation does to it. An *instance* is
 * a collection placed in the world (the main one, a bundle, an embedded level instance). An actor
 * *row* of the cooked file is a view in an instance:
 *
 *	row = instance.first_row + (view - collection.first_view)
 *
 * A *cluster* is a connected component of a collection's views, an *actor set* a cluster in an
 * instance; sets are placed in cells.
 * Invariants: views of a collection are consecutive and in GUID order; everything is an index.
 */
#pragma once

#include "cook/phases/grid_rules.h"
#include "cook/phases/lists.h"
#include "core/arena.h"
#include "core/expect.h"
#include "core/job.h"
#include "core/slots.h"
#include "core/vec.h"
#include "world/world_internal.h"

#include <cellscope/cook.h>

/* The kinds of views. */
enum cs_view_kind {
	CS_VIEW_ACTOR,       /* is part of clusters and sets */
	CS_VIEW_EDITOR_ONLY, /* never cooked, but kept so that references to it are recognised */
	CS_VIEW_CONTAINER,   /* a level instance whose actors are embedded */
};

/* Repairs by validation; causes[i] is the finding that caused bit i. */
enum cs_forced { CS_FORCED_NON_SPATIAL, CS_FORCED_NO_LAYERS, CS_FORCED_NO_GRID, CS_FORCED_KINDS };

struct cs_view {
	uint32_t actor; /* row of world actors */
	/* view of the attach parent, whose values replace the actor's, or CS_NONE */
	uint32_t parent;
	uint32_t top;            /* view of the topmost parent; the view itself without parents */
	uint32_t grid;           /* the actor's own grid: index in grids.names of the cook */
	uint32_t layers;         /* layer list of the actor's own layers, resolved, sorted by row */
	uint32_t external_layer; /* layer row, or CS_NONE */
	uint32_t hlod_layer;     /* HLOD layer row, or CS_NONE */
	uint32_t causes[CS_FORCED_KINDS]; /* indices of findings */
	uint16_t depth;                   /* number of parents above it */
	uint8_t kind;                     /* enum cs_view_kind */
	uint8_t forced;                   /* bits 1 << enum cs_forced */
	bool own_spatial;
	bool unknown_grid;    /* the actor's unknown grid was reported */
	bool idle_grid;       /* the actor's unknown grid, which has no effect, was reported */
	bool shows : 1;       /* HLOD actors may include the actor */
	bool attaches : 1;    /* the actor names a parent */
	bool refers : 1;      /* the actor has references */
	bool is_level : 1;    /* the actor is a level instance */
	bool resaves : 1;     /* the actor needs to be saved again */
	bool told_filter : 1; /* the names in its actor filter were checked */
};

/* A view's values after parents and repairs; computed on demand. */
struct cs_effective {
	uint32_t grid, layers, external_layer;
	bool spatial;
};

/* A runtime grid name as descriptors contain it; 0 is the default. */
struct cs_grid_name {
	uint32_t text;      /* text of the world */
	uint32_t partition; /* row of partitions, or CS_NONE when unknown */
	uint32_t level_key; /* index of the first name with the same partition and level name */
};

/* Most bytes of a token of a grid name. */
#define CS_GRID_TOKEN 128

struct cs_collection {
	uint32_t container; /* row of world containers: the base one */
	uint32_t first_view, n_views;
	struct cs_slots by_guid; /* views by GUID */
	uint32_t first_cluster, n_clusters;
	uint32_t first_container, n_containers; /* range of actors.containers of the cook */
	struct cs_box bounds; /* bounds of spatially loaded views, without nested containers */
};

/* A runtime reference between two views of a collection; a row of `edges`. */
struct cs_edge {
	uint32_t from, to;  /* indices of views */
	uint32_t reference; /* index in the world's pool of GUIDs, or CS_NONE for an attachment */
	bool removed;       /* removed by validation */
};

struct cs_instance {
	uint32_t collection;
	uint32_t parent;    /* index of the instance around it, or CS_NONE */
	uint32_t actor_row; /* row of the level instance in the parent, or CS_NONE */
	uint32_t first_row;
	struct cs_guid id, content_bundle;
	struct cs_transform transform;
	/* grid and layers, combined with those of its parents; grid 0 = none */
	uint32_t grid, layers;
	uint32_t external_layer, hlod_layer;
	uint32_t filter; /* text list: layer assets that the filter leaves out */
	bool spatial, hlod_relevant;
	bool unknown_grid; /* the unknown grid of its level instance was reported */
};

/* There is a set for nearly every actor: what can be computed from its members is not stored. */
struct cs_actor_set {
	uint32_t instance, partition, cell;
	uint32_t layers, external_layer;
	uint32_t grid;   /* index in grids.names of the cook */
	uint32_t anchor; /* row of the first view of its cluster, by which sets are sorted */
	/* range of rows in `members`; until these exist, `first` is its cluster */
	struct cs_range members;
	int16_t first_level;
	uint8_t placement; /* enum cs_placement */
	bool spatial;
};

/* The extent of the members of a set together. */
struct cs_set_extent {
	struct cs_box bounds;
	uint32_t largest; /* row of the largest member, the first of equal ones */
};

struct cs_cook_cell {
	struct cs_box box, content;
	struct cs_cell_coordinates at;
	struct cs_range sets;
	uint32_t layers_id;
};

struct cs_cell_maker; /* defined in cells.c */

/* A partition of the cooked file while it is being filled. */
struct cs_cook_partition {
	struct cs_cooked_partition row;
	const char *name, *setup; /* setup is NULL for a main partition */
	enum cs_bounds_method bounds_method;
	struct cs_spatial_grid spatial_grid;
	uint32_t source; /* index in the list of the settings that it came from */
	/* an earlier persistent partition has the same setup, so names of cells tell the main one
	 */
	bool shares_name;
};

struct cs_finding_draft {
	uint32_t check; /* enum cs_check */
	enum cs_severity severity;
	uint32_t repair; /* enum cs_repair */
	uint32_t pass, collection;
	/* instance of the collection, CS_NONE = all of them: reported for the first */
	uint32_t instance;
	/* Rows of the objects that it is about, or CS_NONE. */
	uint32_t view, other; /* indices of views */
	uint32_t layer;       /* layer row */
	uint32_t cause;       /* index of another finding */
	uint32_t hlod_layer, partition;
	const char *reason; /* valid as long as the cook's arena */
};

struct cs_drop_draft {
	uint32_t row, count;
	const char *reason;
	uint32_t detail; /* text of the world */
};

/* A level instance whose level is a world partition by itself. */
struct cs_standalone {
	uint32_t instance;  /* the instance that contains it */
	uint32_t row;       /* row of the level instance */
	uint32_t container; /* row of world containers: its level, or CS_NONE */
	const char *reason; /* why it becomes no partition, or NULL */
};

struct cs_sub_files; /* defined in subs.h */

enum cs_phase_number {
	CS_PHASE_PARTITIONS,
	CS_PHASE_LAYERS,
	CS_PHASE_VIEWS,
	CS_PHASE_EDGES,
	CS_PHASE_VALIDATE,
	CS_PHASE_CLUSTERS,
	CS_PHASE_INSTANCES,
	CS_PHASE_SETS,
	CS_PHASE_PLACE,
	CS_PHASE_HLOD,
	CS_PHASE_CELLS,
	CS_PHASE_STANDALONES,
	CS_PHASE_TABLES,
	CS_PHASE_MESHES,
	CS_PHASE_SUBS,
	CS_COOK_PHASES
};

/*
 * The data of a cook is divided into *slices*, each computed by one or a few phases. A phase reads
 * the slices that its row of cs_cook_phases names (phases.h) and changes only those that it names
 * as written; tests/unit/cook/cook_phases.c runs every phase without the other slices.
 */

/* Runtime partitions and grids of the settings. */
struct cs_cook_grids {
	CS_VEC(struct cs_cook_partition) partitions;
	CS_VEC(struct cs_grid_name) names;
	uint32_t persistent;  /* row of partitions for non-spatial sets, or CS_NONE */
	uint32_t *hlod_homes; /* see cs_hlod_home() */
};

/* Data layers, in the order of the cooked file. */
struct cs_cook_layer_rows {
	uint32_t *of_source; /* for each row of world layers: its layer row */
	uint32_t *sources;   /* for each layer row: its row of world layers */
	uint32_t *parents;   /* for each layer row: its parent, an earlier row, or CS_NONE */
	bool *dropped;       /* for each layer row: whether validation removed it */
	uint32_t n;
};

/* Descriptors as the cook reads them. */
struct cs_cook_actors {
	CS_VEC(struct cs_collection) collections;
	CS_VEC(struct cs_view) views;
	CS_VEC(uint32_t) containers; /* views of kind CS_VIEW_CONTAINER, by collection */
};

/* References between views, with indices from both ends. */
struct cs_cook_links {
	CS_VEC(struct cs_edge) edges;
	/* for each view: index of its first edge; edges are sorted by `from` */
	uint32_t *out;
	/* for each view: first entry in list_in, which lists the edges to the view */
	uint32_t *in, *list_in;
	uint8_t *states; /* for each GUID in the world's pool: enum cs_reference_state */
	size_t n_states;
};

/* Findings about the world; phases append to them. */
struct cs_cook_found {
	CS_VEC(struct cs_finding_draft) findings;
	CS_VEC(struct cs_drop_draft) drops;
};

/* Members of cluster c are views[starts[c]] up to views[starts[c + 1] - 1]. */
struct cs_cook_clusters {
	uint32_t *of; /* for each view: its cluster, or CS_NONE */
	uint32_t *starts, *views;
	uint32_t n;
};

/* Collections placed in the world. */
struct cs_cook_placed {
	CS_VEC(struct cs_instance) instances;
	uint32_t n_rows;
	struct cs_box bounds; /* bounds of the world */
};

/* An actor that a filter leaves out, with the name in the filter that does so. */
struct cs_filtering {
	uint32_t row;
	uint32_t instance; /* instance whose level instance has the filter */
	uint32_t text;     /* text of the world */
};

/* Actor sets, and what was decided about rows when the sets were made. */
struct cs_cook_grouped {
	/*
	 * sorted by row; includes rows that are kept after all because a kept actor references them
	 */
	CS_VEC(struct cs_filtering) filterings;
	bool *filtered;      /* for each row: whether an actor filter removed it */
	bool *no_hlod_layer; /* for each row: whether validation removed its HLOD layer */
	CS_VEC(struct cs_actor_set) sets;
	CS_VEC(uint32_t) members;
	uint32_t *set_of_row;
};

struct cs_cook_celled {
	struct cs_cell_maker *maker; /* exists from the first set until cells are sorted */
	CS_VEC(struct cs_cook_cell) cells;
};

/* The results of a cook: tables of the cooked file. */
struct cs_cook_result {
	CS_VEC(struct cs_standalone) standalones;
	struct cs_sub_files *subs;
	struct cs_tables *tables;
	struct cs_cook_summary summary;
};

struct cs_cook {
	/* The request; no phase changes it. */
	const struct cs_world *world;
	uint32_t root; /* row of world containers to cook: 0, or a level by itself */
	const struct cs_profile *profile;
	const struct cs_job *job;
	int threads;
	uint32_t trigger;    /* enum cs_trigger */
	uint32_t hash_class; /* enum cs_hash_class */

	/* memory for small arrays that are needed until the end of the cook */
	struct cs_arena arena;

	struct cs_lists lists; /* layer lists and text lists, each stored once */
	struct cs_cook_grids grids;
	struct cs_cook_layer_rows layers;
	struct cs_cook_actors actors;
	struct cs_cook_links links;
	struct cs_cook_found found;
	struct cs_cook_clusters clusters;
	struct cs_cook_placed placed;
	struct cs_cook_grouped grouped;
	struct cs_cook_celled celled;
	struct cs_cook_result result;
};

struct cs_layer_rows {
	uint32_t *at;
	size_t n, room;
};

void cs_tables_free(struct cs_tables *tables);

/*
 * Cooks a level as a world by itself, with the rules of the cook `from` and the settings of the
 * level. `view` is what the cook reads; it must stay valid until that is freed.
 */
struct cs_error *cs_cook_level(const struct cs_cook *from, uint32_t container,
	struct cs_world *view, struct cs_cook **ret) CS_MUST_USE;
/* Makes the bytes of the cooked world without compression. The caller frees them. */
struct cs_error *cs_cook_plain_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* Frees edges and clusters, which are not needed after the sets are made. */
void cs_cook_drop_links(struct cs_cook *cook);

/* Returns the grid of that name and adds it when it is new; grid 0 is the default. */
struct cs_error *cs_cook_grid_name(struct cs_cook *cook, uint32_t text, uint32_t *ret) CS_MUST_USE;
/*
 * Lists the names of the HLOD setups of the partition that a grid name "Main:Setup" begins with,
 * "A, B"; "" for none. Two hundred bytes of names are listed at least.
 */
const char *cs_cook_setups(struct cs_cook *cook, const char *grid);
/* Stores the level in a grid name "Main.Level", "Default" when there is none. */
void cs_grid_level(const struct cs_cook *cook, uint32_t grid, char level[CS_GRID_TOKEN]);
/* Returns the layer row that a descriptor names by instance or asset, or CS_NONE. */
uint32_t cs_cook_layer(const struct cs_cook *cook, uint32_t text);
/* Returns the row of an HLOD layer by its path, or CS_NONE. */
uint32_t cs_cook_hlod_layer(const struct cs_cook *cook, uint32_t text);

/*
 * Returns the partition for the HLODs of a layer that actors of a main partition use: that of the
 * setup that lists the layer, or its grid in the spatial hash; CS_NONE for none.
 */
uint32_t cs_hlod_home(const struct cs_cook *cook, uint32_t main, uint32_t layer);

/* Returns a finding without objects; the caller fills them in. */
static inline struct cs_finding_draft cs_finding_draft(
	uint32_t check, enum cs_severity severity, uint32_t repair, const char *reason)
{
	return (struct cs_finding_draft){.check = check,
		.severity = severity,
		.repair = repair,
		.instance = CS_NONE,
		.view = CS_NONE,
		.other = CS_NONE,
		.layer = CS_NONE,
		.cause = CS_NONE,
		.hlod_layer = CS_NONE,
		.partition = CS_NONE,
		.reason = reason};
}

/* Stores a finding; returns its index through `ret` unless that is NULL. */
struct cs_error *cs_cook_find(
	struct cs_cook *cook, struct cs_finding_draft draft, uint32_t *ret) CS_MUST_USE;

/* cs_view_effective for a view that has parents or was forced to a value. */
struct cs_effective cs_view_inherited(const struct cs_cook *cook, uint32_t view);

/*
 * Returns the current runtime values of a view: its own, its parents', and those it was forced to.
 */
static inline struct cs_effective cs_view_effective(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_view *own = &cook->actors.views.at[view];
	if (own->parent != CS_NONE || own->forced)
		return cs_view_inherited(cook, view);
	return (struct cs_effective){own->grid, own->layers, own->external_layer, own->own_spatial};
}

static inline const struct cs_actor_row *cs_view_actor(const struct cs_cook *cook, uint32_t view)
{
	return &cook->world->actors.at[cook->actors.views.at[view].actor];
}

/* Prefetches the members of a row after its bounds. */
CS_EXPECTING void cs_expect_actor(const struct cs_actor_row *row)
{
	__builtin_prefetch(&row->name);
	__builtin_prefetch(&row->more);
}

/* Prefetches the bounds of a view that is read soon; there may be no such view. */
CS_EXPECTING void cs_expect_bounds(const struct cs_cook *cook, size_t view)
{
	if (view >= cook->actors.views.n)
		return;
	const struct cs_box *bounds = &cs_view_actor(cook, (uint32_t)view)->bounds;
	__builtin_prefetch(&bounds->min);
	__builtin_prefetch(&bounds->max.z);
}

/* Returns the row of a view in an instance. */
static inline uint32_t cs_row_of(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	return instance->first_row + view -
	       cook->actors.collections.at[instance->collection].first_view;
}

static inline uint32_t cs_view_of_row(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t row)
{
	return row - instance->first_row +
	       cook->actors.collections.at[instance->collection].first_view;
}

/* Returns the HLOD layer of a view in an instance after validation; CS_NONE for none. */
static inline uint32_t cs_row_hlod_layer(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	if (cook->grouped.no_hlod_layer[cs_row_of(cook, instance, view)])
		return CS_NONE;
	return instance->hlod_layer != CS_NONE ? instance->hlod_layer
					       : cook->actors.views.at[view].hlod_layer;
}

/* `flat`: the largest member is chosen by X and Y only, as a grid does. */
struct cs_set_extent cs_set_measure(
	const struct cs_cook *cook, const struct cs_actor_set *set, bool flat);

/* Bounds and grid coordinates of a set, stored until its cell is found. */
struct cs_set_spot {
	struct cs_box bounds;
	struct cs_cell_coordinates at;
};

/* Adds the next `n` sets, from `first` on, to the cells that they share with other sets. */
struct cs_error *cs_cells_group(struct cs_cook *cook, uint32_t first, size_t n,
	const struct cs_set_spot *spots) CS_MUST_USE;
void cs_cell_maker_free(struct cs_cell_maker *maker);

/* Returns the instance that contains a row: the last non-empty one that begins at or before it. */
const struct cs_instance *cs_instance_of_row(const struct cs_cook *cook, size_t row);

/*
 * Returns the runtime layers of a set without its external one, sorted by name. False without
 * memory.
 */
bool cs_cell_layers(
	struct cs_cook *cook, const struct cs_actor_set *set, struct cs_layer_rows *ret);

/* Returns the identity of an object inside of a container. */
struct cs_guid cs_combine_guids(struct cs_guid container, struct cs_guid guid);

/* Finds a view of a collection by GUID, or returns CS_NONE. */
uint32_t cs_collection_find(
	const struct cs_cook *cook, const struct cs_collection *collection, struct cs_guid guid);

/* Returns whether an actor in a cell names a mesh. */
bool cs_cook_names_meshes(const struct cs_cook *cook);

/*
 * Stores, before the cook is saved, the results of building meshes: bytes of meshes in cells,
 * proxies of HLOD actors, and a finding (actor_mesh) for each mesh that could not be built.
 */
struct cs_error *cs_cook_set_meshes(
	struct cs_cook *cook, const struct cs_mesh_fact *facts, size_t n) CS_MUST_USE;
/*
 * Opens the cooked world without writing its bytes: rows are made on demand. The cook and its world
 * must stay unchanged until it is closed. The file that it names has no sections and no content id:
 * it is for counting and inspection only.
 */
struct cs_error *cs_cook_open(struct cs_cook *cook, struct cs_cooked **ret) CS_MUST_USE;
/* Finds a profile by name or by engine version "5.3.2"; NULL when there is none. */
const struct cs_profile *cs_profile_find(const char *name);
