/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a project of Unreal Engine 5: maps, their external actors, data layers and HLOD layers.
 * They are read from the uncooked packages without the engine, and become an uncooked world
 * (cellscope/world.h). StreamingGeneration logs and the output of the engine's cooker are read as
 * well.
 *
 * Coordinates are in centimetres. Packages that cannot be read are counted (cs_world_count) and
 * reported in the job's log with file and offset. They cause an error only when nothing else can be
 * read.
 */
#ifndef CELLSCOPE_UE_H
#define CELLSCOPE_UE_H

#include <cellscope/pages.h>
#include <cellscope/world.h>

CS_BEGIN_DECLS

/* ---- uncooked projects ---- */

struct cs_ue_options {
	size_t size; /* sizeof(struct cs_ue_options); see cellscope/core.h */
	/*
	 * Path of a JSON file with defaults of the project's own classes. NULL means
	 * cellscope-classes.json in the folder of the .uproject, if it exists. {"classes":
	 * {"/Script/Game.Gate": {"spatially_loaded": false, "runtime_grid": "Far"}}}. A class is
	 * named by its path or the last part of the path. Keys: spatially_loaded, editor_only,
	 * runtime_only, hlod_relevant, main_world_only, partition_actor, runtime_grid, hlod_layer.
	 */
	const char *classes;
	/* whether maps and packages of actors are read to their ends, to report damage anywhere */
	bool whole;
};

/*
 * Opens a map of a project as a world. `path` is a .uproject or its folder. `map` is a long package
 * name ("/Game/Maps/Valley"), an object path, the path of its file, a short name ("Valley"; if
 * several maps have it, the only partitioned one), or NULL if the project has one partitioned map.
 * `options` may be NULL. The profile of the world is that of the engine that saved the map. Returns
 * E_PROJECT when the project cannot be read; E_NOMAP, with partitioned maps in its message, when
 * `map` names none or several; E_LFS, E_COOKED, E_PACKAGE or E_TRUNCATED when the map, or every one
 * of its actors, cannot be read; E_JSON when options->classes is malformed.
 */
CS_API struct cs_error *cs_ue_open_project(const char *path, const char *map,
	const struct cs_ue_options *options, const struct cs_job *job,
	struct cs_world **ret) CS_MUST_USE;

struct cs_ue_map_entry {
	const char *package; /* long package name, "/Game/Maps/Valley" */
	const char *file;
	bool partitioned; /* whether the map has a world partition */
	bool readable;    /* whether the package of the map can be read */
};

struct cs_ue_maps {
	const struct cs_ue_map_entry *maps; /* sorted by package name */
	size_t n;
};

/* Lists all maps of a project and its plugins. The caller frees the list with cs_ue_maps_free. */
CS_API struct cs_error *cs_ue_list_maps(
	const char *path, const struct cs_job *job, struct cs_ue_maps **ret) CS_MUST_USE;
CS_API void cs_ue_maps_free(struct cs_ue_maps *maps);

/* ---- contents of a package ---- */

/*
 * A callback that receives one field of a descriptor. `row` is the rule in cs_rulebook() that
 * describes the field, without "ue": "6" for rule "ue 6". `value` is the value as text, or NULL if
 * the package has none, so that the default of the class holds. Returns false to stop.
 */
typedef bool cs_ue_emit(void *context, const char *row, const char *name, const char *value);

/* Lists the fields of an uncooked package: its summary, registry section and descriptor. */
CS_API struct cs_error *cs_ue_describe_package(
	const char *path, const struct cs_job *job, cs_ue_emit *emit, void *context) CS_MUST_USE;

/* ---- StreamingGeneration logs ---- */

struct cs_ue_log_actor {
	const char *path, *package;
	struct cs_guid instance; /* instance GUID, zero for always loaded actors */
	/* id of the actor's container instance, zero for the main container */
	struct cs_guid container;
	struct cs_transform transform; /* transform of the actor's container instance */
	bool editor_only;
};

/* A cell in the engine's log. */
struct cs_ue_log_cell {
	const char *name;              /* name, "World_MainGrid_L0_X1_Y2_Z0" */
	const char *package;           /* short package name: 25 digits */
	struct cs_box content, bounds; /* valid if has_boxes; logs of 5.4 lack boxes and is_2d */
	bool is_2d, has_boxes;
	size_t first, count; /* range of cs_ue_log.actors */
};

/* A container instance in the engine's log. */
struct cs_ue_log_container {
	const char *package;
	struct cs_guid id, parent;
	struct cs_transform transform;
	struct cs_box bounds;
};

struct cs_ue_log {
	const char *world; /* short name of the world, the prefix of cell names */
	const struct cs_ue_log_cell *cells;
	const struct cs_ue_log_actor *actors;         /* actors of all cells */
	const struct cs_ue_log_actor *always_loaded;  /* actors of the persistent level */
	const struct cs_ue_log_container *containers; /* main container first */
	size_t n_cells, n_actors, n_always_loaded, n_containers;
	size_t bad_lines; /* number of lines not understood, which the job's log lists */
};

/* Reads a log of the engine, with which a cook can be compared. cs_ue_log_free frees it. */
CS_API struct cs_error *cs_ue_read_log(
	const char *path, const struct cs_job *job, struct cs_ue_log **ret) CS_MUST_USE;
CS_API void cs_ue_log_free(struct cs_ue_log *log);
/*
 * Opens a log as an uncooked world: its actors and containers, and partitions deduced from its
 * cells. A log has the clusters of actors, but not the references that made them, so the first
 * actor of each cluster references the other ones. Facts that a log doesn't contain (layers, HLOD
 * layers, tags, loading ranges) are marked as assumed. Returns E_LOG for a file that is not such a
 * log.
 */
CS_API struct cs_error *cs_ue_open_log(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * Converts a log to the bytes of a cooked world (cellscope/cooked.h) with its cells and actors. The
 * caller frees the bytes. Facts that a log doesn't contain are marked as not known.
 */
CS_API struct cs_error *cs_ue_open_log_written(const char *path, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* ---- finding files that the engine wrote ---- */

enum cs_ue_written_kind { CS_UE_WRITTEN_LOG, CS_UE_WRITTEN_COOK, CS_UE_WRITTEN_PROFILE };

struct cs_ue_written {
	enum cs_ue_written_kind kind;
	const char *path; /* path of the file, or of the folder of a cook */
	int64_t time;     /* when the file or folder was last changed, in seconds since 1970 */
};

struct cs_ue_written_list {
	const struct cs_ue_written *at; /* the files, newest first */
	size_t n;
};

/*
 * Finds StreamingGeneration logs, cooks and CSV profiles in a folder, such as a project's Saved,
 * and in all folders below it. cs_ue_written_list_free frees the list.
 */
CS_API struct cs_error *cs_ue_list_written(
	const char *folder, const struct cs_job *job, struct cs_ue_written_list **ret) CS_MUST_USE;
CS_API void cs_ue_written_list_free(struct cs_ue_written_list *list);

/* ==== output of the engine's cooker ==== */

/*
 * Reads the output of Unreal Engine's own cooker: loose cooked packages, .pak files and IoStore
 * containers (.utoc, .ucas) of UE 5.0 to 6.0, and the World Partition maps and Nanite meshes in
 * them. Files are read where they are, without unpacking them to disk.
 *
 * A field that a file does not contain is not known, and is never returned as zero. Packages that
 * are packed with Oodle, or encrypted without a key, are listed, but opening them returns an error.
 */

/* ---- AES keys ---- */

enum { CS_UE_KEY_BYTES = 32 };

/* The AES key of a game, which its owner provides. */
struct cs_ue_key {
	unsigned char bytes[CS_UE_KEY_BYTES];
	bool given;
};

/* Parses "0x" and 64 hexadecimal digits, or base64. Returns E_USAGE for other text. */
CS_API struct cs_error *cs_ue_key_parse(const char *text, struct cs_ue_key *ret) CS_MUST_USE;

/* ---- places: opened folders, containers or packages ---- */

/* A place: an opened folder, container or package, with all its files, also those in containers. */
struct cs_ue_place;

struct cs_ue_place_file {
	const char *path;      /* "Project/Content/M.umap", or the id of a nameless chunk */
	const char *package;   /* "/Game/Maps/M", derived from `path`; "" if not a package's file */
	const char *container; /* file name of the container, "" for a loose file */
	const char *type;      /* kind: "package", "bulk", "file", "container_header", ... */
	const char *method;    /* compression method: "none", "Zlib", "Oodle", ... */
	uint64_t size, stored; /* bytes when unpacked, and as stored */
	uint64_t id;           /* first 8 bytes of the id of the IoStore chunk; 0 for other files */
	uint32_t chunk; /* index of the chunk or file in its container; CS_NONE for a loose file */
	bool encrypted;
	bool readable; /* false if the method is not supported, or a needed key is missing */
	bool hidden;   /* whether a patch replaces this file */
};

/* A .pak file or IoStore container of a place. */
struct cs_ue_place_container {
	const char *path, *mount; /* mount: mount point that the container stores */
	uint32_t version, files;  /* version of the container's format; number of files */
	uint64_t id;              /* id of an IoStore container; 0 for a .pak */
	int32_t order;            /* order of patches: files of a higher order replace others */
	uint32_t unreadable;      /* number of files that cannot be read */
	/*
	 * `pak`: a .pak, not an IoStore container. `encrypted`: an encrypted IoStore container.
	 * `locked`: its index is encrypted and no key was given. `indexed`: its index was read
	 */
	bool pak, encrypted, locked, indexed;
};

/*
 * Opens a folder of cooked packages, a folder of containers (with patches in their order), a .utoc,
 * a .pak, or one package with its neighbouring files. global.utoc is searched in the folder of a
 * container and in its parent folder. `key` may be NULL; without a key encrypted files are listed,
 * but not readable. A container that cannot be opened is reported in the job's log, unless it is
 * the only one. Returns E_MISSING when there is nothing to open, or when packages are only in a Zen
 * store.
 */
CS_API struct cs_error *cs_ue_place_open(const char *path, const struct cs_ue_key *key,
	const struct cs_job *job, struct cs_ue_place **ret) CS_MUST_USE;
CS_API void cs_ue_place_close(struct cs_ue_place *place);
/* Returns whether a folder has cooked files, or containers (tests one package per extension). */
CS_API bool cs_ue_is_cooked_folder(const char *path);
struct cs_ue_place_view {
	const struct cs_ue_place_file *files; /* sorted by path, then newest patch first */
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
 * Returns whether no file can be read: each is encrypted without a key, or packed with Oodle, for
 * which this library has no codec. The index of a container can be encrypted too.
 */
static inline bool cs_ue_place_is_unreadable(const struct cs_ue_place *place)
{
	const struct cs_ue_place_view view = cs_ue_place_view(place);
	bool locked = false, holds = false; /* records of deleted files hold no byte */
	for (size_t i = 0; i < view.n_files; i++) {
		if (view.files[i].readable)
			return false;
		holds |= view.files[i].stored > 0;
	}
	for (size_t i = 0; i < view.n_containers; i++)
		locked |= view.containers[i].locked;
	return locked || holds;
}
/*
 * Finds the file that `text` names: a complete path, the end of a path that no other file has, or
 * the long name of a package. *ret is its index. Returns E_NOFILE, or E_AMBIGUOUS, which names two
 * matching files.
 */
CS_API struct cs_error *cs_ue_place_find(
	const struct cs_ue_place *place, const char *text, size_t *ret) CS_MUST_USE;
/* Copies a file of the place, unpacked, to the file `to`. */
CS_API struct cs_error *cs_ue_place_extract(const struct cs_ue_place *place, size_t file,
	const char *to, const struct cs_job *job) CS_MUST_USE;

/* ---- maps of a place ---- */

struct cs_ue_cooked_options {
	size_t size;        /* sizeof(struct cs_ue_cooked_options); see cellscope/core.h */
	const char *engine; /* engine version, such as "5.6"; NULL = detected from the bytes */
	const char *usmap;  /* path of a mapping file for the game's own classes, or NULL */
	bool names_alone;   /* reads names and export tables only, which works for any engine */
};

/* A map of a place. */
struct cs_ue_place_map {
	const char *package;
	size_t file;      /* index in the files of the place */
	bool partitioned; /* whether the map has a world partition */
	bool readable;
};

/*
 * Converts a map to the bytes of a cooked world (cellscope/cooked.h), which the caller frees:
 * cells, grids, layers and actors as the engine cooked them. `map` is a long or short name, or NULL
 * if one map is partitioned. A fact that the files don't contain is stored as not known: a box as
 * invalid, a text as empty. Grids whose sizes are only in properties that were not read are marked
 * as assumed. `options` may be NULL. Returns E_NOMAP, with the partitioned maps in its message, if
 * `map` is NULL and not exactly one is partitioned, and for a package without a world partition;
 * errors of cs_ue_place_find; E_VERSION, which names the engines that fit; E_FEATURE for Oodle and
 * E_KEY for encrypted files.
 */
CS_API struct cs_error *cs_ue_place_open_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* How many objects the checks of a map compared. */
struct cs_ue_checked {
	size_t cells;    /* cells of the map */
	size_t packages; /* generated packages of cells that were read */
	size_t actors;   /* actors in these packages */
	size_t names;    /* cells whose name was compared with the hash of their readable name */
	size_t guids;    /* cells whose GUID equals the one computed from their identity */
	size_t keys;   /* cells whose key in the spatial hash was compared with their coordinates */
	size_t places; /* cells whose bounds were compared with the coordinates in their name */
	size_t bounds; /* cells whose content bounds were compared with the bounds of the cell */
	size_t back;   /* packages of cells that were checked to name their cell */
	size_t table;  /* actors that were compared with the map's table of actors */
};

/* Counts of IoStore chunks and files of .pak files, by whether their bytes match their hash. */
struct cs_ue_hashed {
	/* number that match their hash, and that cannot be read or have no hash */
	size_t held, unchecked;
};

/* Counts of what was checked in a place (an opened folder, container or package). */
struct cs_ue_place_checked {
	struct cs_ue_checked all; /* sums over the maps of the place */
	size_t maps, meshes;      /* number of partitioned maps, and of Nanite meshes */
	struct cs_ue_hashed chunks;
};

/*
 * Checks the engine's cook of one map, or, if `map` is NULL, of every partitioned map and every
 * Nanite mesh. If there are several maps, findings begin with the name of the map. A file that
 * cannot be read is a finding. Returns E_MISSING when there is nothing to check.
 */
CS_API struct cs_error *cs_ue_place_check(const struct cs_ue_place *place, const char *map,
	const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_place_checked *ret) CS_MUST_USE;

/*
 * A callback that receives one fact of a package: the part of the package ("header", "export 3"),
 * the name of the fact, and its value as text. Returns false to stop.
 */
typedef bool cs_ue_tell(void *context, const char *part, const char *name, const char *value);

/*
 * Calls `tell` for each field of a cooked package: its header, then every property of every export.
 */
CS_API struct cs_error *cs_ue_place_tell(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, cs_ue_tell *tell, void *context) CS_MUST_USE;

/* ---- meshes of a place: a folder of packages, or containers ---- */

/* A static mesh in a place, and the size of its Nanite resource. */
struct cs_ue_mesh {
	const char *path, *package, *name;
	const char *version; /* engine version of the resource's format ("5.6") or NULL */
	const char *problem; /* why there is no readable resource, or NULL */
	uint32_t triangles, vertices, clusters, pages, root_pages; /* CS_NONE without a resource */
	uint64_t bytes;            /* bytes of all pages as stored */
	double bytes_per_triangle; /* NAN without a resource */
	double position_precision; /* positions are multiples of 2^-precision; NAN if not known */
	size_t file;               /* index in the files of the place */
	bool nanite;               /* whether there is a Nanite resource that can be read */
	bool damaged; /* whether there is one that cannot be read because of `problem` */
};

struct cs_ue_meshes {
	const struct cs_ue_mesh *meshes; /* sorted by path */
	size_t n;
	size_t unreadable; /* number of packages that could not be opened */
	size_t opened;     /* number of packages that were opened to look for meshes */
};

CS_API struct cs_error *cs_ue_place_meshes(const struct cs_ue_place *place,
	const struct cs_job *job, struct cs_ue_meshes **ret) CS_MUST_USE;
CS_API void cs_ue_meshes_free(struct cs_ue_meshes *meshes);
/*
 * Opens the Nanite resource of the static mesh in a package (5.3 to 5.8) as a model, which the
 * caller frees with cs_model_free. Every byte of its pages is checked, and addresses in GPU memory
 * are computed again. E_NANITE names the page and cluster of a fault. Returns E_MISSING when the
 * mesh has no resource, or no .ubulk file.
 */
CS_API struct cs_error *cs_ue_place_open_mesh(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

CS_END_DECLS

#endif
