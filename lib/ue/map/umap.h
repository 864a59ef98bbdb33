/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked World Partition map as the engine wrote it (ue-cooked rules 7): partitions, cells, data
 * layers, actors. The facts of names and export tables are set for every engine and game, and those
 * of properties where they could be read. Unknown is -1 in a `signed char`, CS_NONE in an index, an
 * invalid box, NULL in a text, and a clear bit of `known` for numbers.
 */
#pragma once

#include "ue/map/recipes.h"
#include "ue/object/values.h"

#define CS_UE_KNOWN_LEVEL    1u
#define CS_UE_KNOWN_PRIORITY 2u
#define CS_UE_KNOWN_COLOUR   4u
#define CS_UE_KNOWN_POSITION 8u
#define CS_UE_KNOWN_RANGE    16u

struct cs_ue_map_cell {
	const char *name;       /* name of the export */
	const char *debug_name; /* the unique name, NULL when it is not known */
	bool has_place;         /* whether `place` was parsed from the unique name */
	struct cs_ue_cell_name place;
	const char *grid;                         /* name of its partition */
	struct cs_guid guid, source_guid, bundle; /* a zero GUID: none */
	struct cs_box cell_bounds, content;
	struct cs_vec3 position;
	double extent;
	int32_t hierarchical_level, priority;
	double colour[4];
	unsigned known; /* CS_UE_KNOWN_ bits of the members that were read */
	signed char always_loaded, spatial, client_only, is_hlod, block_on_slow, is_2d;
	bool level_always_loaded, first_layer_external;
	const char **layers;
	uint32_t n_layers;
	const char *package; /* generated package, NULL for a cell of the persistent level */
	const char *world_asset;
	uint32_t partition; /* row of partitions, or CS_NONE */
	int64_t key;        /* key of the spatial hash's mapping, -1 for none */
	int64_t key_x, key_y;
	int32_t grid_level; /* grid level in the mapping */
};

struct cs_ue_map_partition {
	const char *name, *class_name;
	const char *parent; /* main partition of an HLOD setup, or NULL */
	double loading_range, cell_size;
	struct cs_vec3 origin;
	struct cs_box bounds;
	int32_t priority, hlod_index;
	double colour[4];
	unsigned known;
	signed char block_on_slow, client_only, spatial;
	const char *bounds_method;
	uint32_t levels, grid_size;
	bool is_grid; /* whether the partition is a grid of the spatial hash */
	bool aligned; /* whether the grid's levels are aligned */
};

struct cs_ue_map_layer {
	const char *name, *class_name, *asset, *parent, *initial;
};

struct cs_ue_map_actor {
	const char *name, *class_path, *label, *root, *mesh, *parent;
	struct cs_guid guid, instance_guid;
	bool has_guid;
	bool has_transform;
	struct cs_transform transform;
	double location[3], rotation[3], scale[3]; /* relative transform of its root component */
	struct cs_guid source_cell;                /* source cell of an HLOD actor */
	bool is_hlod, no_warmup;
	const char *cell; /* the name of its cell, NULL for the map itself */
};

struct cs_ue_pair {
	const char *actor, *cell;
};

struct cs_ue_map {
	struct cs_arena arena;
	struct cs_ue_cooked_package *package;
	const char *short_name;
	uint32_t fits; /* a bit for each release whose tables read the map */
	enum cs_ue_release release;
	bool is_world_partition, has_properties;
	bool spatial_hash;
	const char *hash_class, *policy, *source_world;
	signed char cooked, streaming, partitioned;
	const char *runtime_cell; /* the cell that a generated package belongs to */
	CS_VEC(struct cs_ue_map_partition) partitions;
	CS_VEC(struct cs_ue_map_cell) cells;
	uint32_t *by_name; /* rows of cells, sorted by name */
	CS_VEC(struct cs_ue_map_layer) layers;
	CS_VEC(struct cs_ue_map_actor) actors;
	CS_VEC(struct cs_ue_pair) remapping;
	struct cs_ue_decoder decoder; /* decoder, which owns texts and values */
	bool decodes;
	struct cs_error *problem; /* why properties were not read, or NULL */
};

struct cs_ue_map_options {
	const struct cs_ue_schema *mapping; /* schema of a .usmap, or NULL */
	enum cs_ue_release release; /* release to assume; CS_UE_RELEASES: find it from the bytes */
	bool names_alone;           /* read no properties */
};

/*
 * Reads a map and owns the package from now on, also on failure. Any package is accepted; only a
 * map has cells.
 */
struct cs_error *cs_ue_map_read(struct cs_ue_cooked_package *package,
	const struct cs_ue_map_options *options, struct cs_ue_map **ret) CS_MUST_USE;
void cs_ue_map_free(struct cs_ue_map *map);
/* Reads names and export tables (umap_names.c). */
struct cs_error *cs_ue_map_names(struct cs_ue_map *map) CS_MUST_USE;
/* For cells whose names are hashes, searches the unique names and stores those found. */
struct cs_error *cs_ue_map_search(struct cs_ue_map *map) CS_MUST_USE;
/*
 * Reads properties of partitions, cells and layers (umap_cells.c), and of actors (umap_actors.c).
 */
struct cs_error *cs_ue_map_properties(struct cs_ue_map *map) CS_MUST_USE;
struct cs_error *cs_ue_map_actors(struct cs_ue_map *map) CS_MUST_USE;
/*
 * Converts the map into the bytes of a cooked world (cellscope/cooked.h), with the actors of those
 * generated packages that the place has. `place` may be NULL. The caller frees the bytes.
 */
struct cs_error *cs_ue_map_to_world(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* Works as cs_ue_place_check_map does (check_cooked.c). */
struct cs_error *cs_ue_map_check(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
/* Called once all cells are listed. Afterwards cells are found by the names of their exports. */
struct cs_error *cs_ue_map_index_cells(struct cs_ue_map *map) CS_MUST_USE;
struct cs_ue_map_cell *cs_ue_map_cell_named(const struct cs_ue_map *map, const char *name);
