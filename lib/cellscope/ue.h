/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real Unreal Engine 5 project as input: maps, their external actors, data layers and HLOD
 * layers. They are read from the uncooked packages without the engine, and become the uncooked
 * world (cellscope/world.h). It also reads StreamingGeneration logs, and generates small projects
 * in the packages of every engine release from 5.0 Early Access to 5.7.
 *
 * Coordinates are in centimetres. Packages that cannot be read are counted (cs_world_count) and
 * named in the job's log with file and offset. They are an error only when nothing else can be
 * read.
 */
#ifndef CELLSCOPE_UE_H
#define CELLSCOPE_UE_H

#include <cellscope/pages.h>
#include <cellscope/world.h>

CS_BEGIN_DECLS

/* ---- projects ---- */

struct cs_ue_options {
	size_t size; /* sizeof(struct cs_ue_options); core.h */
	/*
	 * A JSON file with defaults of the project's own classes. NULL means
	 * cellscope-classes.json beside the .uproject, where it exists. {"classes":
	 * {"/Script/Game.Gate": {"spatially_loaded": false, "runtime_grid": "Far"}}}. A class is
	 * named by its path or its bare name. Keys: spatially_loaded, editor_only, runtime_only,
	 * hlod_relevant, main_world_only, partition_actor, runtime_grid, hlod_layer.
	 */
	const char *classes;
};

/*
 * Opens a map of a project as a world. `path` is a .uproject or its folder. `map` is a long package
 * name ("/Game/Maps/Valley"), an object path, the path of its file, a short name ("Valley"; of
 * several maps of that name the only partitioned one), or NULL when the project has one partitioned
 * map. `options` may be NULL. The world's profile is that of the engine that saved the map. Returns
 * E_PROJECT; E_NOMAP, which lists the maps; E_LFS, E_COOKED, E_PACKAGE or E_TRUNCATED for the map
 * itself or when no actor at all can be read; E_JSON for the table of classes.
 */
CS_API struct cs_error *cs_ue_open_project(const char *path, const char *map,
	const struct cs_ue_options *options, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

struct cs_ue_map_entry {
	const char *package; /* "/Game/Maps/Valley" */
	const char *file;
	bool partitioned; /* whether it has a world partition */
	bool readable;    /* whether its package could be read */
};

struct cs_ue_maps {
	const struct cs_ue_map_entry *maps; /* sorted by package name */
	size_t n;
};

/* Lists all maps of a project and of its plugins. */
CS_API struct cs_error *cs_ue_list_maps(
	const char *path, const struct cs_job *job, struct cs_ue_maps **ret) CS_MUST_USE;
CS_API void cs_ue_maps_free(struct cs_ue_maps *maps);

/* ---- packages, for inspection ---- */

/*
 * Receives one field of a descriptor: the row of the rules it comes from ("6", "5d"), its name, and
 * its value as text, NULL when it comes from the class. Returns false to stop.
 */
typedef bool cs_ue_emit(void *context, const char *row, const char *name, const char *value);

/* Lists the summary, registry section and descriptor of a package on disk, as fields. */
CS_API struct cs_error *cs_ue_describe_package(
	const char *path, const struct cs_job *job, cs_ue_emit *emit, void *context) CS_MUST_USE;

/* ---- StreamingGeneration logs ---- */

struct cs_ue_log_actor {
	const char *path, *package;
	struct cs_guid instance;       /* zero in the list of always loaded actors */
	struct cs_guid container;      /* id of its container instance, zero for the main one */
	struct cs_transform transform; /* transform of the container instance */
	bool editor_only;
};

/* A cell that the engine made. */
struct cs_ue_log_cell {
	const char *name;              /* "World_MainGrid_L0_X1_Y2_Z0" */
	const char *package;           /* short name: 25 digits */
	struct cs_box content, bounds; /* not in a log of 5.4, nor is is_2d */
	bool is_2d, has_boxes;
	size_t first, count; /* range of the log's actors */
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
	const struct cs_ue_log_actor *actors;         /* actors of the cells */
	const struct cs_ue_log_actor *always_loaded;  /* actors of the persistent level */
	const struct cs_ue_log_container *containers; /* the main one first */
	size_t n_cells, n_actors, n_always_loaded, n_containers;
	size_t bad_lines; /* reported in the job's log with their line numbers */
};

/* Reads the engine's own result for a world, with which a cook is compared. */
CS_API struct cs_error *cs_ue_read_log(
	const char *path, const struct cs_job *job, struct cs_ue_log **ret) CS_MUST_USE;
CS_API void cs_ue_log_free(struct cs_ue_log *log);
/*
 * Opens the same log as a world: its actors and containers, and the partitions deduced from its
 * cells. References are those of the clusters: from the first member to each other one. Facts that
 * a log doesn't contain (layers, HLOD layers, tags, loading ranges) are marked as assumed. Returns
 * E_LOG when it is no such log.
 */
CS_API struct cs_error *cs_ue_open_log(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * Converts a log of the engine into the bytes of a cooked world (cellscope/cooked.h), which the
 * caller frees: its cells and the actors that it lists in them. Facts that it doesn't contain are
 * unknown.
 */
CS_API struct cs_error *cs_ue_open_log_written(const char *path, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* ---- what the engine wrote ---- */

enum cs_ue_written_kind { CS_UE_WRITTEN_LOG, CS_UE_WRITTEN_COOK, CS_UE_WRITTEN_PROFILE };

struct cs_ue_written {
	enum cs_ue_written_kind kind;
	const char *path; /* a file, or the folder of a cook */
	int64_t time;     /* time of the map's last change, in seconds since 1970 */
};

struct cs_ue_written_list {
	const struct cs_ue_written *at; /* newest first */
	size_t n;
};

/*
 * Lists logs of streaming generation, cooks and CSV profiles below a folder, such as a project's
 * Saved.
 */
CS_API struct cs_error *cs_ue_list_written(
	const char *folder, const struct cs_job *job, struct cs_ue_written_list **ret) CS_MUST_USE;
CS_API void cs_ue_written_list_free(struct cs_ue_written_list *list);

/* ==== what the cooker wrote ==== */

/*
 * Opens the output of Unreal Engine's own cooker: loose cooked packages, .pak files and IoStore
 * containers (.utoc, .ucas) of UE 5.0 to 6.0, and the World Partition maps and the Nanite meshes in
 * them. Nothing is unpacked to disk or copied, because files are read in place.
 *
 * A field that a file does not contain is unknown and is never returned as zero. Packages that are
 * packed with Oodle, or encrypted without a key, are listed, and opening them is a named error.
 */

/* ---- keys ---- */

enum { CS_UE_KEY_BYTES = 32 };

/* The AES key of a game, from its owner. */
struct cs_ue_key {
	unsigned char bytes[CS_UE_KEY_BYTES];
	bool given;
};

/* Parses "0x" and 64 hexadecimal digits, or base64. Returns E_USAGE for other text. */
CS_API struct cs_error *cs_ue_key_parse(const char *text, struct cs_ue_key *ret) CS_MUST_USE;

/* ---- places: folders, containers, packages ---- */

/* A place that was opened: all its files by path, with those in containers. */
struct cs_ue_place;

struct cs_ue_place_file {
	const char *path;    /* "Project/Content/Maps/M.umap"; for a chunk without a name its id */
	const char *package; /* "/Game/Maps/M", made from its path; "" when it is no package */
	const char *container; /* file name of the container, "" for a loose file */
	const char *type;      /* "package", "bulk", "file", "container_header", ... */
	const char *method;    /* how it is packed: "none", "Zlib", "Oodle", ... */
	uint64_t size, stored; /* bytes, plain and packed */
	uint64_t id;           /* id of the chunk; 0 for a loose file */
	uint32_t chunk;        /* number of the chunk in the container, CS_NONE for a loose file */
	bool encrypted;
	bool readable; /* false when its packing is not supported, or its key is missing */
	bool hidden;   /* whether a patch has the same file, which is used instead */
};

/* A container of a place. */
struct cs_ue_place_container {
	const char *path, *mount; /* mount: the mount point that the container stores */
	uint32_t version, files;
	uint64_t id;
	int32_t order;       /* order of patches: the higher one wins */
	uint32_t unreadable; /* files that cannot be read */
	bool pak, encrypted, locked, indexed;
};

/*
 * Opens a folder of cooked packages, a folder of containers (patches in their order), a .utoc, a
 * .pak, or one package with the files beside it. global.utoc is found beside a container or in the
 * folder above. A container that cannot be opened is named in the job's log, unless it is the only
 * one. Returns E_MISSING when there is nothing, or when packages are only in a Zen store.
 */
CS_API struct cs_error *cs_ue_place_open(const char *path, const struct cs_ue_key *key,
	const struct cs_job *job, struct cs_ue_place **ret) CS_MUST_USE;
CS_API void cs_ue_place_close(struct cs_ue_place *place);
/* Returns whether a folder contains containers, or packages of which the first is cooked. */
CS_API bool cs_ue_is_cooked_folder(const char *path);
struct cs_ue_place_view {
	/* sorted by path, then by order of patches, newest first */
	const struct cs_ue_place_file *files;
	const struct cs_ue_place_container *containers;
	size_t n_files, n_containers;
};

CS_API struct cs_ue_place_view cs_ue_place_view(const struct cs_ue_place *place);

static inline const struct cs_ue_place_file *cs_ue_place_files(
	const struct cs_ue_place *place, size_t *n_ret)
{
	const struct cs_ue_place_view view = cs_ue_place_view(place);
	*n_ret = view.n_files;
	return view.files;
}

static inline const struct cs_ue_place_container *cs_ue_place_containers(
	const struct cs_ue_place *place, size_t *n_ret)
{
	const struct cs_ue_place_view view = cs_ue_place_view(place);
	*n_ret = view.n_containers;
	return view.containers;
}

/*
 * Returns whether no file can be read because Oodle packed them, for which there is no codec here,
 * and how many.
 */
static inline bool cs_ue_place_is_packed(const struct cs_ue_place *place, size_t *n_ret)
{
	const struct cs_ue_place_view view = cs_ue_place_view(place);
	size_t packed = 0;
	for (size_t i = 0; i < view.n_files; i++) {
		if (view.files[i].readable)
			return false;
		packed += strcmp(view.files[i].method, "Oodle") == 0;
	}
	*n_ret = view.n_files;
	return packed > 0;
}
/*
 * Finds the file that a text names: a whole path, the end of one that no other file shares, or the
 * long name of a package. Returns E_NOFILE, or E_AMBIGUOUS, which names two of them.
 */
CS_API struct cs_error *cs_ue_place_find(
	const struct cs_ue_place *place, const char *text, size_t *ret) CS_MUST_USE;
/* Writes a file of the place to disk, piece by piece. */
CS_API struct cs_error *cs_ue_place_extract(const struct cs_ue_place *place, size_t file,
	const char *to, const struct cs_job *job) CS_MUST_USE;

/* ---- maps ---- */

struct cs_ue_cooked_options {
	size_t size;        /* sizeof(struct cs_ue_cooked_options); core.h */
	const char *engine; /* "5.6", instead of finding it by the bytes; or NULL */
	const char *usmap;  /* mapping file of the game, for its own classes; or NULL */
	bool names_alone;   /* reads no properties, only names and export tables, of any engine */
};

/* A map of a place. */
struct cs_ue_place_map {
	const char *package;
	size_t file;
	bool partitioned; /* whether it has a world partition */
	bool readable;
};

/*
 * Converts a map into the bytes of a cooked world (cellscope/cooked.h), which the caller frees:
 * cells, grids, layers and actors as the engine cooked them. `map` is a long or short name, or NULL
 * when one map is partitioned. Facts that the files don't contain are unknown: an invalid box, an
 * empty text. Grids whose sizes only properties contain are marked as assumed. Returns E_NOMAP,
 * which lists the maps; E_VERSION, which names the engines that fit; E_FEATURE for Oodle and E_KEY
 * for encrypted files.
 */
CS_API struct cs_error *cs_ue_place_open_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* The counts of a check of a map. `findings` also counts those that were not reported. */
struct cs_ue_checked {
	size_t cells, packages, actors;
	/* numbers of values of cells that were computed again */
	size_t names, guids, keys, places, bounds;
	size_t back, table, hlods; /* packages that name a cell, rows of the table, HLOD actors */
	size_t findings;
};

/* Chunks of IoStore containers whose bytes match the hash in the table, and the others. */
struct cs_ue_hashed {
	size_t held, unchecked; /* unchecked: not readable, or without a hash */
};

/* The counts of a check of a place. */
struct cs_ue_place_checked {
	struct cs_ue_checked all; /* sums over its maps */
	size_t maps, meshes;      /* partitioned maps, Nanite meshes */
	struct cs_ue_hashed chunks;
};

/*
 * Checks the engine's cook: every partitioned map, whose findings begin with its name when there
 * are several, and every Nanite mesh; or one map. A file that cannot be read is a finding. Returns
 * E_MISSING where there is nothing to check.
 */
CS_API struct cs_error *cs_ue_place_check(const struct cs_ue_place *place, const char *map,
	const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_place_checked *ret) CS_MUST_USE;

/*
 * Receives one fact of a package: the part of it ("header", "export 3"), its name, and its value as
 * text. Returns false to stop.
 */
typedef bool cs_ue_tell(void *context, const char *part, const char *name, const char *value);

/* Lists the facts of a cooked package: its header, then every property of every export. */
CS_API struct cs_error *cs_ue_place_tell(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, cs_ue_tell *tell, void *context) CS_MUST_USE;

/* ---- meshes ---- */

/* A static mesh of a place, and the cost of its Nanite resource. */
struct cs_ue_mesh {
	const char *path, *package, *name;
	const char *version; /* "5.6", of the resource's format; NULL without one */
	const char *problem; /* why there is no resource, or why it cannot be read; or NULL */
	uint32_t triangles, vertices, clusters, pages, root_pages; /* CS_NONE without one */
	uint64_t bytes;            /* bytes of all pages as they are stored */
	double bytes_per_triangle; /* NAN without one */
	double position_precision; /* step 2^-precision; NAN without one */
	size_t file;               /* index of the file in the place */
	bool nanite;
};

struct cs_ue_meshes {
	const struct cs_ue_mesh *meshes; /* sorted by path */
	size_t n;
	size_t unreadable; /* packages that could not be opened */
};

CS_API struct cs_error *cs_ue_place_meshes(const struct cs_ue_place *place,
	const struct cs_job *job, struct cs_ue_meshes **ret) CS_MUST_USE;
CS_API void cs_ue_meshes_free(struct cs_ue_meshes *meshes);
/*
 * Opens the Nanite resource of the static mesh in a package, of 5.3 to 5.8, as a model. Every byte
 * of its pages is checked, and addresses in GPU memory are computed again. cs_model_free frees it.
 * E_NANITE names page and cluster of a fault. Returns E_MISSING where there is no resource, or no
 * .ubulk.
 */
CS_API struct cs_error *cs_ue_place_open_mesh(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

CS_END_DECLS

#endif
