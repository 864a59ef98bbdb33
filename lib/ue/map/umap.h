/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cooked World Partition map as the engine left it (ue-cooked rules 7): partitions, cells, data
 * layers, actors. What names and export tables say is there for every engine and game; what
 * properties say is there where they could be read. Unknown is -1 in a `signed char`, CS_NONE in an
 * index, an invalid box, NULL in a text, and `known` bits for numbers.
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
	const char *name;       /* of the export */
	const char *debug_name; /* unique name, NULL when it is not known */
	bool has_place;         /* `place` is what the unique name says */
	struct cs_ue_cell_name place;
	const char *grid;                         /* name of its partition */
	struct cs_guid guid, source_guid, bundle; /* zero = none */
	struct cs_box cell_bounds, content;
	struct cs_vec3 position;
	double extent;
	int32_t hierarchical_level, priority;
	double colour[4];
	unsigned known; /* CS_UE_KNOWN_ */
	signed char always_loaded, spatial, client_only, is_hlod, block_on_slow, is_2d;
	bool level_always_loaded, first_layer_external;
	const char **layers;
	uint32_t n_layers;
	const char *package; /* generated package, NULL for a cell of the persistent level */
	const char *world_asset;
	uint32_t partition; /* partitions, or CS_NONE */
	int64_t key;        /* of the spatial hash's mapping, -1 = none */
	int64_t key_x, key_y;
	int32_t grid_level; /* of the mapping */
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
	bool is_grid; /* of the spatial hash */
	bool aligned; /* its levels */
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
	double location[3], rotation[3], scale[3]; /* of its root component, relative */
	struct cs_guid source_cell;                /* of an HLOD actor */
	bool is_hlod, no_warmup;
	const char *cell; /* its name, NULL = of the map itself */
};

struct cs_ue_pair {
	const char *actor, *cell;
};

struct cs_ue_map {
	struct cs_arena arena;
	struct cs_ue_cooked_package *package;
	const char *short_name;
	uint32_t fits; /* releases whose tables read it, 0 when none did */
	enum cs_ue_release release;
	bool is_world_partition, has_properties;
	bool spatial_hash;
	const char *hash_class, *policy, *source_world;
	signed char cooked, streaming, partitioned;
	const char *runtime_cell; /* of a generated package: the way back */
	CS_VEC(struct cs_ue_map_partition) partitions;
	CS_VEC(struct cs_ue_map_cell) cells;
	uint32_t *by_name; /* rows of cells */
	CS_VEC(struct cs_ue_map_layer) layers;
	CS_VEC(struct cs_ue_map_actor) actors;
	CS_VEC(struct cs_ue_pair) remapping;
	struct cs_ue_decoder decoder; /* texts and values live in it */
	bool decodes;
	struct cs_error *problem; /* why properties were not read, or NULL */
};

struct cs_ue_map_options {
	const struct cs_ue_schema *mapping; /* of a .usmap, or NULL */
	enum cs_ue_release release;         /* CS_UE_RELEASES = found by the bytes */
	bool names_alone;                   /* no properties */
};

/* Takes over the package, whatever happens. Any package will do; cells are those of a map. */
struct cs_error *cs_ue_map_read(struct cs_ue_cooked_package *package,
	const struct cs_ue_map_options *options, struct cs_ue_map **ret) CS_MUST_USE;
void cs_ue_map_free(struct cs_ue_map *map);
/* Names and export tables (map_names.c). */
struct cs_error *cs_ue_map_names(struct cs_ue_map *map) CS_MUST_USE;
/* Searches unique names of cells that are hashes; those that are found get them. */
struct cs_error *cs_ue_map_search(struct cs_ue_map *map) CS_MUST_USE;
/* Properties of partitions, cells and layers (map_cells.c), and of actors (map_actors.c). */
struct cs_error *cs_ue_map_properties(struct cs_ue_map *map) CS_MUST_USE;
struct cs_error *cs_ue_map_actors(struct cs_ue_map *map) CS_MUST_USE;
/*
 * The map as the bytes of a cooked world (cellscope/cooked.h), with the actors of those generated
 * packages that the place has; `place` may be NULL. Freed by the caller.
 */
struct cs_error *cs_ue_map_to_world(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* As cs_ue_place_check_map; check.c. */
struct cs_error *cs_ue_map_check(const struct cs_ue_place *place, struct cs_ue_map *map,
	const struct cs_ue_map_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;
/* Once all cells are listed; then they are found by the names of their exports. */
struct cs_error *cs_ue_map_index_cells(struct cs_ue_map *map) CS_MUST_USE;
struct cs_ue_map_cell *cs_ue_map_cell_named(const struct cs_ue_map *map, const char *name);
