/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real Unreal Engine 5 project as input: maps, their external actors, data layers and HLOD
 * layers, read from the uncooked packages without the engine, and turned into the uncooked world
 * (cellscope/world.h). Also StreamingGeneration logs, and a generator of small projects in the
 * packages of every engine release from 5.0 Early Access to 5.7.
 *
 * Coordinates in centimetres. Packages that cannot be read are counted (cs_world_count) and named
 * in the job's log with file and offset; they end the reading only when nothing is left to read.
 */
#ifndef CELLSCOPE_UE_H
#define CELLSCOPE_UE_H

#include <cellscope/world.h>

CS_BEGIN_DECLS

/* ---- projects ---- */

struct cs_ue_options {
	size_t size; /* sizeof(struct cs_ue_options); api.h */
	/*
	 * JSON file with defaults of the project's own classes; NULL = cellscope-classes.json
	 * beside the .uproject, where it exists. {"classes": {"/Script/Game.Gate":
	 * {"spatially_loaded": false, "runtime_grid": "Far"}}}; a class is named by its path or its
	 * bare name. Keys: spatially_loaded, editor_only, runtime_only, hlod_relevant,
	 * main_world_only, partition_actor, runtime_grid, hlod_layer.
	 */
	const char *classes;
};

/*
 * Opens a map of a project as a world. `path` is a .uproject or its folder; `map` is a long package
 * name ("/Game/Maps/Valley"), an object path, the path of its file, a short name ("Valley"; of
 * several maps of that name the only partitioned one), or NULL when the project has one partitioned
 * map; `options` may be NULL. The world's profile is that of the engine that saved the map.
 * E_PROJECT, E_NOMAP (its message lists the maps), E_LFS, E_COOKED, E_PACKAGE or E_TRUNCATED for
 * the map itself or when no actor at all can be read; E_JSON for the table of classes.
 */
CS_API struct cs_error *cs_ue_open_project(const char *path, const char *map,
	const struct cs_ue_options *options, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

struct cs_ue_map {
	const char *package; /* "/Game/Maps/Valley" */
	const char *file;
	bool partitioned; /* it has a world partition */
	bool readable;    /* its package could be read */
};

struct cs_ue_maps {
	const struct cs_ue_map *maps; /* by package name */
	size_t n;
};

/* All maps of a project and of its plugins. */
CS_API struct cs_error *cs_ue_list_maps(
	const char *path, const struct cs_job *job, struct cs_ue_maps **ret) CS_MUST_USE;
CS_API void cs_ue_maps_free(struct cs_ue_maps *maps);

/* ---- packages, for inspection ---- */

/*
 * One field of a descriptor: the row of the rules it comes from ("6", "5d"), its name, its value as
 * text, NULL when it is "as in the class". Returns false to stop.
 */
typedef bool cs_ue_emit(void *context, const char *row, const char *name, const char *value);

/* Decodes a descriptor (an ActorMetaData blob after base64); `name` stands in messages. */
CS_API struct cs_error *cs_ue_read_descriptor(const void *bytes, size_t size, const char *name,
	cs_ue_emit *emit, void *context) CS_MUST_USE;
/* Summary, registry section and descriptor of a package on disk, as fields. */
CS_API struct cs_error *cs_ue_describe_package(
	const char *path, const struct cs_job *job, cs_ue_emit *emit, void *context) CS_MUST_USE;
/* Reads every part of a package in memory: tables and the tagged properties of all exports. */
CS_API struct cs_error *cs_ue_check_package(
	const void *bytes, size_t size, const char *name, const struct cs_job *job) CS_MUST_USE;
/* A registry section and the descriptor in it. */
CS_API struct cs_error *cs_ue_check_registry(
	const void *bytes, size_t size, const char *name) CS_MUST_USE;
/* Tagged properties of UE5 package version `v5`, whose names are those of a fixed table. */
CS_API struct cs_error *cs_ue_check_properties(
	const void *bytes, size_t size, int32_t v5, const char *name) CS_MUST_USE;

/* ---- StreamingGeneration logs ---- */

struct cs_ue_log_actor {
	const char *path, *package;
	struct cs_guid instance;       /* zero in the list of always loaded actors */
	struct cs_guid container;      /* id of its container instance, zero = main */
	struct cs_transform transform; /* of the container instance */
	bool editor_only;
};

/* A cell as the engine made it. */
struct cs_ue_log_cell {
	const char *name;              /* "World_MainGrid_L0_X1_Y2_Z0" */
	const char *package;           /* short name: 25 digits */
	struct cs_box content, bounds; /* not in a log of 5.4, nor is is_2d */
	bool is_2d, has_boxes;
	size_t first, count; /* actors */
};

/* An instance of a container. */
struct cs_ue_log_container {
	const char *package;
	struct cs_guid id, parent;
	struct cs_transform transform;
	struct cs_box bounds;
};

struct cs_ue_log {
	const char *world; /* short name, as in the cells' names */
	const struct cs_ue_log_cell *cells;
	const struct cs_ue_log_actor *actors;         /* of the cells */
	const struct cs_ue_log_actor *always_loaded;  /* of the persistent level */
	const struct cs_ue_log_container *containers; /* the main one first */
	size_t n_cells, n_actors, n_always_loaded, n_containers;
	size_t bad_lines; /* named in the job's log with their line numbers */
};

/* What the engine itself made of a world: the answer that a cook is compared with. */
CS_API struct cs_error *cs_ue_read_log(
	const char *path, const struct cs_job *job, struct cs_ue_log **ret) CS_MUST_USE;
CS_API void cs_ue_log_free(struct cs_ue_log *log);
/*
 * The same log as a world: its actors and containers, and the partitions deduced from its cells.
 * References are those of the clusters: the first member to each other. What a log does not say
 * (layers, HLOD layers, tags, loading ranges) is marked as assumed. E_LOG when it is none.
 */
CS_API struct cs_error *cs_ue_open_log(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * The log as the engine wrote it, as the bytes of a cooked world (cellscope/cooked.h) that the
 * caller frees: its cells and the actors that it lists in them. What it does not say is unknown.
 */
CS_API struct cs_error *cs_ue_open_log_written(const char *path, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* All of them over bytes in memory. */
CS_API struct cs_error *cs_ue_check_log(
	const void *bytes, size_t size, const char *name) CS_MUST_USE;

/* ---- what the engine wrote ---- */

enum cs_ue_written_kind { CS_UE_WRITTEN_LOG, CS_UE_WRITTEN_COOK, CS_UE_WRITTEN_PROFILE };

struct cs_ue_written {
	enum cs_ue_written_kind kind;
	const char *path; /* a file, or the folder of a cook */
	int64_t time;     /* of its last change, seconds of the epoch */
};

struct cs_ue_written_list {
	const struct cs_ue_written *at; /* newest first */
	size_t n;
};

/* Logs of streaming generation, cooks and CSV profiles below a folder, as a project's Saved is. */
CS_API struct cs_error *cs_ue_list_written(
	const char *folder, const struct cs_job *job, struct cs_ue_written_list **ret) CS_MUST_USE;
CS_API void cs_ue_written_list_free(struct cs_ue_written_list *list);
/* "log", "cook", "profile" */
CS_API const char *cs_ue_written_kind_name(enum cs_ue_written_kind kind);

CS_END_DECLS

#endif
