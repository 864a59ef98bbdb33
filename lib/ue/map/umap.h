/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked World Partition map as the engine wrote it (ue-cooked rules 7): partitions, cells, data
 * layers, actors. Facts from names and export tables are known for every engine and game, facts
 * from properties only if these could be read. Unknown facts are -1 in a `signed char`, CS_NONE in
 * an index, an invalid box, a NULL text, and for numbers a 0 bit of `known`.
 */
#pragma once

#include "ue/object/values.h"
#include "ue/package/cell_name.h"

#define CS_UE_KNOWN_LEVEL    1u
#define CS_UE_KNOWN_PRIORITY 2u
#define CS_UE_KNOWN_COLOUR   4u
#define CS_UE_KNOWN_POSITION 8u
#define CS_UE_KNOWN_RANGE    16u

struct cs_ue_map_cell {
	const char *name;       /* name of the cell's export */
	const char *debug_name; /* unique name of the cell, or NULL if it is unknown */
	/* whether `place`, which is parsed from the unique name, is set */
	bool has_place;
	struct cs_ue_cell_name place;
	const char *grid;                         /* name of the cell's partition */
	struct cs_guid guid, source_guid, bundle; /* each is zero if the cell has none */
	struct cs_box cell_bounds, content;
	struct cs_vec3 position;
	double extent;
	int32_t hierarchical_level, priority;
	double colour[4];
	/* CS_UE_KNOWN_ bits: which of position, hierarchical_level, priority, colour are known */
	unsigned known;
	signed char always_loaded, spatial, client_only, is_hlod, block_on_slow, is_2d;
	bool level_always_loaded, first_layer_external;
	const char **layers;
	uint32_t n_layers;
	const char *package; /* generated package, or NULL for a cell of the persistent level */
	const char *world_asset;
	uint32_t partition; /* index in `partitions`, or CS_NONE */
	/* key of the cell in the mapping of the spatial hash, or -1 if it is not in the mapping */
	int64_t key;
	int64_t key_x, key_y;
	int32_t grid_level; /* grid level in that mapping */
};

struct cs_ue_map_partition {
	const char *name, *class_name;
	const char *parent; /* main partition of an HLOD setup, NULL for other partitions */
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
	bool aligned; /* whether each level has a power of two of cells on each side (recipes.h) */
};

struct cs_ue_map_layer {
	const char *name, *class_name, *asset, *parent, *initial;
	uint32_t id; /* layer id with which the names of cells end that have this layer alone */
};

struct cs_ue_map_actor {
	const char *name, *class_path, *label, *root, *mesh, *parent;
	struct cs_guid guid, instance_guid;
	bool has_guid;
	bool has_transform;
	struct cs_transform transform;
	double location[3], rotation[3], scale[3]; /* relative transform of the root component */
	/* GUID of the cell that an HLOD actor represents */
	struct cs_guid source_cell;
	bool is_hlod, no_warmup;
	/* name of the cell that contains the actor, NULL for an actor stored in the map itself */
	const char *cell;
};

struct cs_ue_pair {
	const char *actor, *cell;
};

struct cs_ue_map {
	struct cs_arena arena;
	struct cs_ue_cooked_package *package;
	const char *short_name;
	uint32_t fits; /* bits of enum cs_ue_release: releases whose schema fits the whole map */
	enum cs_ue_release release;
	bool is_world_partition, has_properties;
	bool spatial_hash;
	const char *hash_class, *policy;
	signed char cooked, streaming, partitioned;
	const char *runtime_cell; /* name of the cell for which the package was generated */
	CS_VEC(struct cs_ue_map_partition) partitions;
	CS_VEC(struct cs_ue_map_cell) cells;
	uint32_t *by_name; /* indices of cells, sorted by export name */
	CS_VEC(struct cs_ue_map_layer) layers;
	CS_VEC(struct cs_ue_map_actor) actors;
	CS_VEC(struct cs_ue_pair) remapping;
	struct cs_ue_decoder decoder; /* owns the texts and values of properties */
	bool decodes;
	struct cs_error *problem; /* why properties were not read, or NULL */
};

struct cs_ue_map_options {
	const struct cs_ue_schema *mapping; /* schema of a .usmap, or NULL */
	enum cs_ue_release release;         /* release to assume, or CS_UE_RELEASES to find it */
	bool names_alone;                   /* whether to read only names and export tables */
};

/* Reads a map, or a package without cells. Takes over the package, also on failure. */
struct cs_error *cs_ue_map_read(struct cs_ue_cooked_package *package,
	const struct cs_ue_map_options *options, struct cs_ue_map **ret) CS_MUST_USE;
void cs_ue_map_free(struct cs_ue_map *map);
/* Reads the facts about a map in the names and export tables of its package (umap_names.c). */
struct cs_error *cs_ue_map_names(struct cs_ue_map *map) CS_MUST_USE;
/* Finds the unique names of cells whose export names are hashes, by hashing possible names. */
struct cs_error *cs_ue_map_search(struct cs_ue_map *map) CS_MUST_USE;
/* Reads properties of partitions, cells and layers (umap_cells.c). */
struct cs_error *cs_ue_map_properties(struct cs_ue_map *map) CS_MUST_USE;
/*
 * Converts the map into the bytes of a cooked world (cellscope/cooked.h), which the caller frees.
 * It includes the actors of all generated packages in `place`, which may be NULL.
 */
struct cs_error *cs_ue_map_to_world(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* Checks a map that was already read, as cs_ue_place_check_map does (check_cooked.c). */
struct cs_error *cs_ue_map_check(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
/*
 * Finds the file of a generated package. This is the file in the folder _Generated_ of the map or,
 * if that does not exist, the file with this long package name.
 */
bool cs_ue_map_package(const struct cs_ue_map *map, const struct cs_ue_place *place,
	const char *package, size_t *ret);
/* Sorts the cells for cs_ue_map_cell_named(), which finds a cell by the name of its export. */
struct cs_error *cs_ue_map_index_cells(struct cs_ue_map *map) CS_MUST_USE;
struct cs_ue_map_cell *cs_ue_map_cell_named(const struct cs_ue_map *map, const char *name);
/* Returns the index of the partition with this name, or CS_NONE. */
static inline uint32_t cs_ue_map_partition_named(const struct cs_ue_map *map, const char *name)
{
	for (uint32_t i = 0; i < map->partitions.n; i++)
		if (cs_name_compare(map->partitions.at[i].name, name) == 0)
			return i;
	return CS_NONE;
}
