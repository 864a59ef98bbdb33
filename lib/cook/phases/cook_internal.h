/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a cook, which its phases share.
 *
 * A collection is a set of source containers that are read together: the base container with its
 * external data layers, one content bundle, or one level that level instances use. A view is an
 * actor descriptor of a collection, with the changes that validation makes to it. An instance is a
 * collection placed in the world: the main one, a bundle, or an embedded level instance. An actor
 * row of the cooked file is a view in an instance:
 *
 *	row = instance.first_row + (view - collection.first_view)
 *
 * A cluster is a connected component of the views of a collection. An actor set is a cluster in one
 * instance; sets are placed in cells.
 * Invariants: the views of a collection are consecutive and in the order of their GUIDs; objects
 * refer to each other by index, never by pointer.
 */
#pragma once

#include "cook/phases/grid_rules.h"
#include "cook/phases/lists.h"
#include "core/arena.h"
#include "core/expect.h"
#include "core/geometry.h"
#include "core/job.h"
#include "core/slots.h"
#include "core/vec.h"
#include "world/world_internal.h"

#include <cellscope/cook.h>

/* Kinds of views (actors as validation sees them). */
enum cs_view_kind {
	CS_VIEW_ACTOR, /* an actor that is part of clusters and sets */
	/* an actor that is never cooked, but kept so that references to it are recognised */
	CS_VIEW_EDITOR_ONLY,
	CS_VIEW_CONTAINER, /* a level instance whose actors are embedded */
};

/* Values that validation forces on a view as a repair. */
enum cs_forced { CS_FORCED_NON_SPATIAL, CS_FORCED_NO_LAYERS, CS_FORCED_NO_GRID, CS_FORCED_KINDS };

struct cs_view {
	/* view of the attach parent, whose values replace the actor's; or CS_NONE */
	uint32_t parent;
	/* view of the topmost parent, or the view itself if it has no parent */
	uint32_t top;
	uint32_t grid; /* the actor's own grid: index in grids.names of the cook */
	/* index of the list of the actor's own layers, resolved and sorted by row (lists.h) */
	uint32_t layers;
	uint32_t external_layer; /* row of the external data layer, or CS_NONE */
	uint32_t hlod_layer;     /* row of the HLOD layer, or CS_NONE */
	uint16_t depth;          /* number of attach parents, including indirect ones */
	uint8_t kind;            /* enum cs_view_kind */
	uint8_t forced;          /* set of bits 1 << enum cs_forced */
	bool own_spatial;
	bool unknown_grid;    /* a finding about the actor's unknown grid exists */
	bool idle_grid;       /* a finding says that the actor's unknown grid has no effect */
	bool shows : 1;       /* HLOD actors may include the actor */
	bool attaches : 1;    /* the actor names an attach parent */
	bool refers : 1;      /* the actor has references */
	bool is_level : 1;    /* the actor is a level instance */
	bool resaves : 1;     /* the actor must be saved again in the editor */
	bool told_filter : 1; /* the names in the actor filter of the level instance were checked */
};

/* Values of a struct cs_view after attach parents and repairs were applied; computed on demand. */
struct cs_effective {
	uint32_t grid, layers, external_layer;
	bool spatial;
};

/* A grid name as descriptors contain it. Item 0 of the list is the default grid. */
struct cs_grid_name {
	uint32_t text;      /* the name: offset in the world's pool of texts */
	uint32_t partition; /* index of the partition, CS_NONE = unknown grid */
	/* index in `names` of the first name that means the same level of the same partition */
	uint32_t level_key;
};

/* Size in bytes of the buffer for a part of a grid name such as "Main.Level". */
#define CS_GRID_TOKEN 128

/*
 * Finds the views (actors) of a collection by GUID. starts[i] is the index of the first view for
 * which the first 64 bits of the GUID are >= least + (i << shift).
 */
struct cs_guid_index {
	uint64_t least, span; /* first 64 bits of the lowest GUID; those of the highest minus it */
	uint32_t *starts;     /* NULL without views */
	unsigned shift;
};

struct cs_collection {
	uint32_t container; /* row of the world's containers: base container of the collection */
	uint32_t first_view, n_views;
	struct cs_guid_index by_guid;
	uint32_t first_cluster, n_clusters;
	uint32_t first_container, n_containers; /* range of cook->actors.containers */
	/* bounds of the spatially loaded views, without nested level instances */
	struct cs_box bounds;
};

/* A reference or attachment between two actors (views) of one level or bundle (collection). */
struct cs_edge {
	uint32_t from, to; /* indices of the views at both ends */
	/* index of the reference in the world's pool of GUIDs, CS_NONE = attachment to a parent */
	uint32_t reference;
	bool removed; /* removed by validation */
};

struct cs_instance {
	uint32_t collection;
	uint32_t parent;    /* index of the enclosing instance, or CS_NONE */
	uint32_t actor_row; /* actor row of the level instance in `parent`, or CS_NONE */
	uint32_t first_row;
	struct cs_guid id, content_bundle;
	struct cs_transform transform;
	bool stays; /* the transform is the identity, as it is outside of level instances */
	/* grid name (0 = none) and list of layers, combined with those of enclosing instances */
	uint32_t grid, layers;
	uint32_t external_layer, hlod_layer;
	uint32_t filter; /* list of texts: layer assets whose actors the filter excludes */
	bool spatial, hlod_relevant;
	bool unknown_grid; /* a finding about the unknown grid of the level instance exists */
};

/*
 * A cluster of actors in one level instance or the main world. Nearly every actor is in a set of
 * its own, so nothing is stored that can be computed from the members.
 */
struct cs_actor_set {
	uint32_t instance, partition, cell;
	uint32_t layers, external_layer;
	uint32_t grid;   /* index in grids.names of the cook */
	uint32_t anchor; /* lowest actor row in the set's cluster; sets are sorted by it */
	/* range of rows in `members` (`first` is the cluster number until they are filled in) */
	struct cs_range members;
	int16_t first_level;
	uint8_t placement; /* enum cs_placement */
	bool spatial;
};

/* The box around all members of a set, and the largest member. */
struct cs_set_extent {
	struct cs_box bounds;
	/* longest side in cm of any member, [0] of X, Y and Z, [1] of X and Y (0: not computed) */
	double longest[2];
	/* actor row of that member (the first of several): [0], [1] as in `longest` */
	uint32_t largest[2];
};

struct cs_cook_cell {
	struct cs_box box, content;
	struct cs_cell_coordinates at;
	struct cs_range sets;
	uint32_t layers_id;
};

struct cs_cell_maker; /* defined in cells.c */

/* A partition of the cooked file while the cook fills it in. */
struct cs_cook_partition {
	struct cs_cooked_partition row;
	const char *name, *setup; /* setup: name of the HLOD setup, NULL for a main partition */
	enum cs_bounds_method bounds_method;
	struct cs_spatial_grid spatial_grid;
	uint32_t source; /* index in the settings' list of partitions */
	/*
	 * whether a partition or HLOD setup that was added before, and is not spatial, has the same
	 * name as this setup, so that cell names must include the name of the main partition
	 */
	bool shares_name;
};

struct cs_finding_draft {
	uint32_t check; /* enum cs_check */
	enum cs_severity severity;
	uint32_t repair; /* enum cs_repair */
	uint32_t pass, collection;
	/* index in cook->placed.instances, CS_NONE = all of `collection`, reported for the first */
	uint32_t instance;
	/* Objects that the finding is about; CS_NONE = none. */
	uint32_t view, other; /* indices of views (actor descriptors) */
	uint32_t layer;       /* row of a data layer */
	uint32_t cause;       /* index of the finding that caused this one */
	uint32_t hlod_layer, partition;
	const char *reason; /* exists as long as cook->arena */
};

struct cs_drop_draft {
	uint32_t row, count;
	const char *reason;
	uint32_t detail; /* offset of a text in the world's pool of texts */
};

/* A level instance whose level is a world partition of its own. */
struct cs_standalone {
	uint32_t instance;  /* index of the instance that contains the level instance */
	uint32_t row;       /* actor row of the level instance */
	uint32_t container; /* the level: row of its container in the world, or CS_NONE */
	const char *reason; /* why the level cannot become a world partition, or NULL */
};

struct cs_sub_files; /* defined in subs.h */

/*
 * The data of a cook is divided into slices (the structs that follow). Each slice is computed by
 * one or a few phases. A phase reads and changes only the slices that its row of cs_cook_phases
 * lists (phases.h); tests/unit/cook/cook_phases.c checks this by running every phase without the
 * other slices.
 */

/* Partitions and grid names, made from the settings of the world. */
struct cs_cook_grids {
	CS_VEC(struct cs_cook_partition) partitions;
	CS_VEC(struct cs_grid_name) names;
	uint32_t persistent; /* index of the partition for sets that are not spatial, or CS_NONE */
	/* by main partition and HLOD layer: partition of HLOD actors (cs_hlod_home), or CS_NONE */
	uint32_t *hlod_homes;
};

/* Data layers in the order of the cooked file. A layer row is an index in that order. */
struct cs_cook_layer_rows {
	uint32_t *of_source; /* for each layer of the world: its layer row */
	uint32_t *sources;   /* for each layer row: row of the same layer in the world */
	/* for each layer row: row of its parent (an earlier row), or CS_NONE */
	uint32_t *parents;
	bool *dropped; /* for each layer row: whether validation removed it */
	uint32_t n;
};

/* Actor descriptors of the world, as views grouped by the container that they were read from. */
struct cs_cook_actors {
	CS_VEC(struct cs_collection) collections;
	CS_VEC(struct cs_view) views;
	/* for each view: row of the world's actors. Many loops need nothing else of a view. */
	CS_VEC(uint32_t) rows;
	/*
	 * for each view, the GUID of its actor. NULL if memory is not limited. With this array,
	 * finding a view by GUID reads only GUIDs, which are closer together in memory than rows of
	 * actors.
	 */
	struct cs_guid *guids;
	/* indices of views of kind CS_VIEW_CONTAINER, sorted by collection */
	CS_VEC(uint32_t) containers;
	/* causes[view][enum cs_forced]: first finding that forced the value (NULL before any) */
	uint32_t (*causes)[CS_FORCED_KINDS];
};

/* References between views. `out` and `in` index the edges that start and that end at each view. */
struct cs_cook_links {
	CS_VEC(struct cs_edge) edges;
	/* for each view: index of its first edge in `edges`, which is sorted by `from` */
	uint32_t *out;
	/* in[v]: index in list_in of the first edge to view v; list_in has indices in `edges` */
	uint32_t *in, *list_in;
	/* for each GUID in the world's pool that is a reference: enum cs_reference_state */
	uint8_t *states;
	/* for each such GUID, the view in the same collection to which it refers, or CS_NONE */
	uint32_t *targets;
};

/* Findings of validation, and dropped actors. Phases append to both lists. */
struct cs_cook_found {
	CS_VEC(struct cs_finding_draft) findings;
	CS_VEC(struct cs_drop_draft) drops;
};

/* Clusters: the members of cluster c are views[starts[c]] to views[starts[c + 1] - 1]. */
struct cs_cook_clusters {
	uint32_t *of; /* for each view: index of its cluster, or CS_NONE */
	uint32_t *starts, *views;
	uint32_t n;
};

/* Instances: collections (the actors of one container) placed in the world. */
struct cs_cook_placed {
	CS_VEC(struct cs_instance) instances;
	uint32_t n_rows;
	struct cs_box bounds; /* bounds of the whole world */
};

/* An actor that a level instance's filter leaves out, and the data layer that excludes it. */
struct cs_filtering {
	uint32_t row;
	uint32_t instance; /* index in `instances` of the level instance that has the filter */
	uint32_t text;     /* the data layer's name: offset in the world's pool of texts */
};

/* Actor sets, and what was decided for each actor row while the sets were made. */
struct cs_cook_grouped {
	/* filtered actors by row, even if they are cooked because a cooked actor references them */
	CS_VEC(struct cs_filtering) filterings;
	bool *filtered; /* for each actor row: whether an actor filter removed the actor */
	/* for each actor row: whether validation removed the actor's HLOD layer */
	bool *no_hlod_layer;
	CS_VEC(struct cs_actor_set) sets;
	CS_VEC(uint32_t) members;
	uint32_t *set_of_row;
	/* for each actor row in a set, a copy of the set (tables_actors.c), NULL = not copied */
	struct cs_actor_set *sets_by_row;
	/* for each set, its extent, or NULL if computed when needed (set_extents.c) */
	struct cs_set_extent *extents;
};

struct cs_cook_celled {
	struct cs_cell_maker *maker; /* exists from the first set until the cells are sorted */
	CS_VEC(struct cs_cook_cell) cells;
};

struct cs_cook_result {
	CS_VEC(struct cs_standalone) standalones;
	struct cs_sub_files *subs;
	struct cs_tables *tables;
	struct cs_cook_summary summary;
};

struct cs_cook {
	/* Input of the cook, which no phase changes. */
	const struct cs_world *world;
	/* row of the container to cook: 0 for the main world, or a level cooked as its own world */
	uint32_t root;
	const struct cs_profile *profile;
	const struct cs_job *job;
	int threads;
	uint32_t trigger;    /* enum cs_trigger: what started the cook */
	uint32_t hash_class; /* enum cs_hash_class: kind of runtime hash */

	/* owns small arrays that are needed until the end of the cook */
	struct cs_arena arena;

	struct cs_lists lists; /* lists of layers and of texts, each stored once */
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
 * Cooks a level as a world of its own, with the rules of the cook `from` and the settings of the
 * level. *view becomes the world that the new cook reads; it must stay valid until that cook is
 * freed.
 */
struct cs_error *cs_cook_level(const struct cs_cook *from, uint32_t container,
	struct cs_world *view, struct cs_cook **ret) CS_MUST_USE;
/* Returns the bytes of the cooked file, uncompressed. The caller frees them. */
struct cs_error *cs_cook_plain_bytes(
	struct cs_cook *cook, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* Frees edges and clusters, which are not needed once the sets are made. */
void cs_cook_drop_links(struct cs_cook *cook);

/* Returns the index of a grid name in grids.names; adds a new name. 0 is the default grid. */
struct cs_error *cs_cook_grid_name(struct cs_cook *cook, uint32_t text, uint32_t *ret) CS_MUST_USE;
/*
 * Returns the names of the HLOD setups of partition "Main", for a grid name "Main:Setup", as "A,
 * B", or "" if there are none. A list of more than 200 bytes may be cut off.
 */
const char *cs_cook_setups(struct cs_cook *cook, const char *grid);
/* Stores "Level" of a grid name "Main.Level", or "Default" if the name has no level. */
void cs_grid_level(const struct cs_cook *cook, uint32_t grid, char level[CS_GRID_TOKEN]);
/* Returns the row of the data layer whose instance, asset or label has this name, or CS_NONE. */
uint32_t cs_cook_layer(const struct cs_cook *cook, uint32_t text);
/* Returns the row of the HLOD layer with this path, or CS_NONE. */
uint32_t cs_cook_hlod_layer(const struct cs_cook *cook, uint32_t text);

/*
 * Returns the partition for HLOD actors that represent actors of partition `main` and have this
 * HLOD layer: in a hash set the HLOD setup that lists the layer, in a spatial hash the layer's
 * grid. Returns CS_NONE if there is none.
 */
uint32_t cs_hlod_home(const struct cs_cook *cook, uint32_t main, uint32_t layer);

/* Returns a finding that is about no objects (view, layer etc.). The caller sets these members. */
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

/* Stores a finding, and its index in *ret unless `ret` is NULL. */
struct cs_error *cs_cook_find(
	struct cs_cook *cook, struct cs_finding_draft draft, uint32_t *ret) CS_MUST_USE;
/* Adds a finding about the first actor of a set (place.c). */
struct cs_error *cs_cook_find_set(struct cs_cook *cook, struct cs_finding_draft draft,
	const struct cs_actor_set *set) CS_MUST_USE;

/* Does the work of cs_view_effective() for a view that has a parent or forced values. */
struct cs_effective cs_view_inherited(const struct cs_cook *cook, uint32_t view);

/* Returns the values of a struct cs_view after attach parents and repairs so far were applied. */
static inline struct cs_effective cs_view_effective(const struct cs_cook *cook, uint32_t view)
{
	const struct cs_view *own = &cook->actors.views.at[view];
	if (own->parent != CS_NONE || own->forced)
		return cs_view_inherited(cook, view);
	return (struct cs_effective){own->grid, own->layers, own->external_layer, own->own_spatial};
}

static inline const struct cs_actor_row *cs_view_actor(const struct cs_cook *cook, uint32_t view)
{
	return &cook->world->actors.at[cook->actors.rows.at[view]];
}

static inline struct cs_guid cs_view_guid(const struct cs_cook *cook, uint32_t view)
{
	return cook->actors.guids ? cook->actors.guids[view] : cs_view_actor(cook, view)->guid;
}

/* Prefetches the members of an actor row that follow its bounds. */
CS_EXPECTING void cs_expect_actor(const struct cs_actor_row *row)
{
	__builtin_prefetch(&row->name);
	__builtin_prefetch(&row->more);
}

/* Prefetches the bounds of an actor (view), to be read soon. `view` may be out of range. */
CS_EXPECTING void cs_expect_bounds(const struct cs_cook *cook, size_t view)
{
	if (view >= cook->actors.views.n)
		return;
	const struct cs_box *bounds = &cs_view_actor(cook, (uint32_t)view)->bounds;
	__builtin_prefetch(&bounds->min);
	__builtin_prefetch(&bounds->max.z);
}

/* Prefetches the topmost parent of a view, for a later call of cs_view_effective(). */
CS_EXPECTING void cs_expect_top(const struct cs_cook *cook, size_t view)
{
	if (view < cook->actors.views.n)
		__builtin_prefetch(&cook->actors.views.at[cook->actors.views.at[view].top]);
}

/* Returns the actor row (row of the cooked actors) of a view in an instance. */
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

/* Returns the HLOD layer of a view in an instance after validation, or CS_NONE. */
static inline uint32_t cs_row_hlod_layer(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t view)
{
	if (cook->grouped.no_hlod_layer[cs_row_of(cook, instance, view)])
		return CS_NONE;
	return instance->hlod_layer != CS_NONE ? instance->hlod_layer
					       : cook->actors.views.at[view].hlod_layer;
}

/* Transforms a box from the space of the instance's level to world space. */
static inline struct cs_box cs_placed_box(
	const struct cs_instance *instance, const struct cs_box *box)
{
	return instance->stays ? *box : cs_box_transform(box, &instance->transform);
}

/* If memory is limited, computes the extents of all sets before placing the sets. */
struct cs_error *cs_measure_sets(struct cs_cook *cook) CS_MUST_USE;
/* Returns the extent of a set. If it is not stored, it is computed from the members of the set. */
struct cs_set_extent cs_set_extent_of(const struct cs_cook *cook, size_t set);

/* Bounds and grid coordinates of a set, kept until the set has a cell. */
struct cs_set_spot {
	struct cs_box bounds;
	struct cs_cell_coordinates at;
};

/*
 * Adds n sets from `first` on to cells. Sets with equal coordinates, layers and partition share a
 * cell.
 */
struct cs_error *cs_cells_group(struct cs_cook *cook, uint32_t first, size_t n,
	const struct cs_set_spot *spots) CS_MUST_USE;
void cs_cell_maker_free(struct cs_cell_maker *maker);

/* Returns the instance that contains an actor row: the last one with first_row at or before it. */
const struct cs_instance *cs_instance_of_row(const struct cs_cook *cook, size_t row);

/* Stores a set's data layers, except the external one, sorted by name; false = no memory. */
bool cs_cell_layers(
	struct cs_cook *cook, const struct cs_actor_set *set, struct cs_layer_rows *ret);

static inline uint64_t cs_guid_head(struct cs_guid guid)
{
	return (uint64_t)guid.a << 32 | guid.b;
}

/*
 * Returns a pointer to two indices: of the first view that may have this GUID, and of the view
 * after the last one. Returns NULL when the GUID is outside the range of the collection's GUIDs.
 */
static inline const uint32_t *cs_collection_bucket(
	const struct cs_collection *collection, struct cs_guid guid)
{
	const struct cs_guid_index *index = &collection->by_guid;
	const uint64_t at = cs_guid_head(guid) - index->least;
	return index->starts && at <= index->span ? &index->starts[at >> index->shift] : NULL;
}

/*
 * Steps of cs_collection_find: bucket of the index, row of the actor, actor. The memory that a step
 * reads contains the address for the next step, so each step is prefetched on its own.
 */
enum { CS_FIND_BUCKET, CS_FIND_ROW, CS_FIND_ACTOR, CS_FIND_STEPS };

/* Prefetches what one step (CS_FIND_...) will read for a GUID that is searched later. */
CS_EXPECTING void cs_expect_find(const struct cs_cook *cook, const struct cs_collection *collection,
	struct cs_guid guid, size_t step)
{
	const uint32_t *start = cs_collection_bucket(collection, guid);
	if (!start)
		return;
	if (step == CS_FIND_BUCKET)
		__builtin_prefetch(start);
	else if (step == CS_FIND_ROW)
		__builtin_prefetch(&cook->actors.rows.at[*start]);
	else
		__builtin_prefetch(&cs_view_actor(cook, *start)->guid);
}

/* Returns the view of a collection with this GUID (the first of several), or CS_NONE. */
uint32_t cs_collection_find(
	const struct cs_cook *cook, const struct cs_collection *collection, struct cs_guid guid);

/* Returns whether any actor that is in a cell has a mesh. */
bool cs_cook_names_meshes(const struct cs_cook *cook);

/*
 * Stores the results of building meshes, before the cook is saved: bytes of meshes in cells,
 * proxies of HLOD actors, and a finding (actor_mesh) for each mesh that could not be built.
 */
struct cs_error *cs_cook_set_meshes(
	struct cs_cook *cook, const struct cs_mesh_fact *facts, size_t n) CS_MUST_USE;
/*
 * Opens the cook as a cooked world without writing a file: rows are computed on demand. The cook
 * and its world must stay unchanged until the result is closed. Its file has no sections and no
 * content id, so it is for counting and inspection only.
 */
struct cs_error *cs_cook_open(struct cs_cook *cook, struct cs_cooked **ret) CS_MUST_USE;
/* Finds an engine profile by its name or an engine version such as "5.3.2"; NULL if none exists. */
const struct cs_profile *cs_profile_find(const char *name);
