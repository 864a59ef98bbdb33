/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Unreal Engine's own cooker wrote, opened as it is: loose cooked packages, .pak files and
 * IoStore containers (.utoc, .ucas) of UE 5.0 to 6.0, the World Partition maps and the Nanite
 * meshes in them. Nothing is unpacked to disk, nothing is copied: files are read in place.
 *
 * A field that a file does not hold is unknown and is never given as zero. Packages that are
 * packed with Oodle, or encrypted without a key, are listed and refused by name.
 */
#ifndef CELLSCOPE_UE_COOKED_H
#define CELLSCOPE_UE_COOKED_H

#include <cellscope/nanite_model.h>

CS_BEGIN_DECLS

/* ---- keys ---- */

enum { CS_UE_KEY_BYTES = 32 };

/* The AES key of a game, from its owner. */
struct cs_ue_key {
	unsigned char bytes[CS_UE_KEY_BYTES];
	bool given;
};

/* "0x" and 64 hexadecimal digits, or base64. E_USAGE. */
CS_API struct cs_error *cs_ue_key_parse(const char *text, struct cs_ue_key *ret) CS_MUST_USE;

/* ---- places: folders, containers, packages ---- */

/* What was opened: every file of it by path, those of containers among them. */
struct cs_ue_place;

struct cs_ue_place_file {
	const char *path;      /* "Project/Content/Maps/M.umap"; of a chunk without a name its id */
	const char *package;   /* "/Game/Maps/M" as its path says, "" where it is none */
	const char *container; /* file name of the container, "" for a loose file */
	const char *type;      /* "package", "bulk", "file", "container_header", ... */
	const char *method;    /* how it is packed: "none", "Zlib", "Oodle", ... */
	uint64_t size, stored; /* bytes, plain and packed */
	uint64_t id;           /* of a chunk; of a loose file 0 */
	uint32_t chunk;        /* its number in the container, CS_NONE for a loose file */
	bool encrypted;
	bool readable; /* neither packed by what cannot be unpacked, nor encrypted without key */
	bool hidden;   /* a patch has the same file: that one is found */
};

/* A container of a place. */
struct cs_ue_place_container {
	const char *path, *mount; /* the mount point as the file has it */
	uint32_t version, files;
	uint64_t id;
	int32_t order;       /* of patches: higher wins */
	uint32_t unreadable; /* files that cannot be read */
	bool pak, encrypted, locked, indexed;
};

/*
 * Opens a folder of cooked packages, a folder of containers (patches in their order), a .utoc,
 * a .pak, or one package with what lies beside it. global.utoc is found beside a container or in
 * the folder above. A container that cannot be opened is named in the job's log, unless it is the
 * only one. E_MISSING when there is nothing, or when packages lie in a Zen store alone.
 */
CS_API struct cs_error *cs_ue_place_open(const char *path, const struct cs_ue_key *key,
	const struct cs_job *job, struct cs_ue_place **ret) CS_MUST_USE;
CS_API void cs_ue_place_close(struct cs_ue_place *place);
CS_API const char *cs_ue_place_path(const struct cs_ue_place *place);
/* Whether a folder holds containers, or packages of which the first is cooked. */
CS_API bool cs_ue_is_cooked_folder(const char *path);
/* Sorted by path, then by the order of patches, newest first. */
CS_API const struct cs_ue_place_file *cs_ue_place_files(
	const struct cs_ue_place *place, size_t *n_ret);
CS_API const struct cs_ue_place_container *cs_ue_place_containers(
	const struct cs_ue_place *place, size_t *n_ret);
/* Whether no file can be read because Oodle packed them, which has no codec here; how many. */
CS_API bool cs_ue_place_is_packed(const struct cs_ue_place *place, size_t *n_ret);
/*
 * The file that a text means: a whole path, the end of one that no other file shares, or the long
 * name of a package. E_NOFILE; E_AMBIGUOUS names two of them.
 */
CS_API struct cs_error *cs_ue_place_find(
	const struct cs_ue_place *place, const char *text, size_t *ret) CS_MUST_USE;
#ifdef CS_INSIDE
/* The package of that long name; false when the place has none. */
bool cs_ue_place_package(const struct cs_ue_place *place, const char *package, size_t *ret);
#endif
/* n bytes from `offset` on. */
CS_API struct cs_error *cs_ue_place_read(const struct cs_ue_place *place, size_t file,
	uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* A whole file, freed by the caller; at most limits.memory bytes. */
CS_API struct cs_error *cs_ue_place_read_whole(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/* Writes a file of the place to disk, in pieces. */
CS_API struct cs_error *cs_ue_place_extract(const struct cs_ue_place *place, size_t file,
	const char *to, const struct cs_job *job) CS_MUST_USE;

/* ---- maps ---- */

struct cs_ue_cooked_options {
	size_t size;        /* sizeof(struct cs_ue_cooked_options); api.h */
	const char *engine; /* "5.6": instead of finding it by the bytes; NULL */
	const char *usmap;  /* mapping file of the game, for its own classes; NULL */
	bool names_alone;   /* read no properties: names and export tables, of any engine */
};

/* A map of a place. */
struct cs_ue_place_map {
	const char *package;
	size_t file;
	bool partitioned; /* it has a world partition */
	bool readable;
};

/* Maps of a place, generated cells left out; freed by the caller. `readable` says if it opens. */
CS_API struct cs_error *cs_ue_place_maps(const struct cs_ue_place *place, const struct cs_job *job,
	struct cs_ue_place_map **ret, size_t *n_ret) CS_MUST_USE;
/*
 * A map as the bytes of a cooked world (cellscope/cooked.h), freed by the caller: cells, grids,
 * layers and actors as the engine cooked them. `map` is a long or short name, or NULL when one map
 * is partitioned. What the files do not hold is unknown: an invalid box, an empty text; grids whose
 * sizes only properties would say are marked as assumed. E_NOMAP lists what there is; E_VERSION
 * says which engines fit; E_FEATURE and E_KEY for Oodle and for what is encrypted.
 */
CS_API struct cs_error *cs_ue_place_open_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;

/* What a check of a map looked at; findings counts also those that were not reported. */
struct cs_ue_checked {
	size_t cells, packages, actors;
	size_t names, guids, keys, places, bounds; /* of cells, those that were recomputed */
	size_t back, table, hlods; /* packages that name a cell, rows of the table, HLOD actors */
	size_t findings;
};

/* What is checked: rule and its text, ended by NULL. The rule of a finding is one of these. */
CS_API extern const char *const cs_ue_checks[][2];
/*
 * Holds a cooked map against what follows from it: each streamed cell has its generated package and
 * each package its cell; names hash to the names of exports, GUIDs, ids of layers, keys and places
 * follow from names and sizes; contents touch their cells; actors lie where the map's table says,
 * and once. Packages that are not there are told once when none is. `map` as in
 * cs_ue_place_open_map, whose errors it has; `report` is called for at most limits.findings.
 */
CS_API struct cs_error *cs_ue_place_check_map(const struct cs_ue_place *place, const char *map,
	const struct cs_ue_cooked_options *options, const struct cs_job *job,
	void (*report)(void *context, const struct cs_finding *finding), void *context,
	struct cs_ue_checked *ret) CS_MUST_USE;

/* Chunks of IoStore containers: whose bytes are those of the hash in the table, and the others. */
struct cs_ue_hashed {
	size_t held, unchecked; /* unchecked: not readable, or without a hash */
};

/* What does not fit its hash, or cannot be read, is a finding. */
CS_API struct cs_error *cs_ue_place_check_chunks(const struct cs_ue_place *place,
	const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_hashed *ret) CS_MUST_USE;

/* What a check of a place looked at. */
struct cs_ue_place_checked {
	struct cs_ue_checked all; /* sums over its maps */
	size_t maps, meshes;      /* partitioned maps, Nanite meshes */
	struct cs_ue_hashed chunks;
};

/*
 * Checks what the engine cooked: every partitioned map, whose findings begin with its name where
 * there are several, and every Nanite mesh; or one map. What cannot be read is a finding.
 * E_MISSING where there is nothing to check.
 */
CS_API struct cs_error *cs_ue_place_check(const struct cs_ue_place *place, const char *map,
	const struct cs_job *job, struct cs_findings *findings,
	struct cs_ue_place_checked *ret) CS_MUST_USE;

/*
 * One fact of a package: which part of it ("header", "export 3"), its name, its value as text.
 * Returns false to stop.
 */
typedef bool cs_ue_tell(void *context, const char *part, const char *name, const char *value);

/* What a cooked package says: its header, then every property of every export. */
CS_API struct cs_error *cs_ue_place_tell(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, cs_ue_tell *tell, void *context) CS_MUST_USE;

/* ---- meshes ---- */

/* A static mesh of a place, and what its Nanite resource costs. */
struct cs_ue_mesh {
	const char *path, *package, *name;
	const char *version; /* "5.6": of the resource's format; NULL without one */
	const char *problem; /* why there is no resource, or why it cannot be read; NULL */
	uint32_t triangles, vertices, clusters, pages, root_pages; /* CS_NONE without one */
	uint64_t bytes;            /* of all pages as they are on disk */
	double bytes_per_triangle; /* NAN without one */
	double position_precision; /* step 2^-precision; NAN without one */
	size_t file;               /* of the place */
	bool nanite;
};

struct cs_ue_meshes {
	const struct cs_ue_mesh *meshes; /* by path */
	size_t n;
	size_t unreadable; /* packages that could not be opened */
};

CS_API struct cs_error *cs_ue_place_meshes(const struct cs_ue_place *place,
	const struct cs_job *job, struct cs_ue_meshes **ret) CS_MUST_USE;
CS_API void cs_ue_meshes_free(struct cs_ue_meshes *meshes);
/*
 * The Nanite resource of the static mesh in a package, of 5.3 to 5.8, as a model: every byte of its
 * pages is accounted for, and places in GPU memory are recomputed. Freed with cs_model_free.
 * E_NANITE names page and cluster of what is broken; E_MISSING where there is no resource, or no
 * .ubulk.
 */
CS_API struct cs_error *cs_ue_place_open_mesh(const struct cs_ue_place *place, size_t file,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

CS_END_DECLS

#endif
