/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The uncooked world: actor descriptors, containers, data layers, HLOD layers, settings. It comes
 * from JSON (cs_world_read_json), from a UE project or log (cellscope/ue.h), or from the generator,
 * and goes into the cook (cellscope/cook.h). Its source form in JSON: cellscope-format(5).
 */
#ifndef CELLSCOPE_WORLD_H
#define CELLSCOPE_WORLD_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

struct cs_world;

/*
 * Reads a document of settings and layers, followed by one actor on each line
 * (cellscope-format(5)).
 */
CS_API struct cs_error *cs_world_read_json(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/* Writes a world, with actors by container and GUID. Reading it back gives the same world. */
CS_API struct cs_error *cs_world_write_json(
	const struct cs_world *world, const struct cs_job *job, const char *path) CS_MUST_USE;
CS_API void cs_world_free(struct cs_world *world);

/* A key of the JSON form, from the tables that read and write it. */
struct cs_json_key {
	const char *object, *object_doc; /* the kind of object that has it */
	const char *key;
	const char *kind; /* kind of the value: "text", "vector", "one of" ... */
	const char *doc;
	const char *const *names; /* values of "one of" and "some of", with aliases after '|' */
};

/*
 * Returns key `index` of object number `object`. After the last key of an object `key` is NULL, and
 * after the last object `object` is NULL.
 */
CS_API struct cs_json_key cs_world_json_key(size_t object, size_t index);

/* ---- editing an open world ---- */

/*
 * Applies one line of the JSON form. An actor whose GUID (and container) is new to the world is
 * added. For a known one the given keys replace its values. A line that is refused leaves the world
 * unchanged.
 */
CS_API struct cs_error *cs_world_apply(struct cs_world *world, const char *line,
	const struct cs_job *job, bool *added_ret) CS_MUST_USE;
/*
 * Removes an actor. Returns E_NOACTOR when there is none. `container` NULL means the main one.
 */
CS_API struct cs_error *cs_world_remove(struct cs_world *world, const char *container,
	struct cs_guid guid, const struct cs_job *job) CS_MUST_USE;

/* ---- changing a world for a while ---- */

/* A record of changes, so that all of them can be undone. */
struct cs_world_changes;

struct cs_world_counts {
	size_t actors, containers, layers, hlod_layers, partitions, references;
	size_t unreadable; /* packages of a UE project that were counted and named, not read */
	uint64_t memory;   /* bytes in use */
};

CS_API struct cs_world_counts cs_world_count(const struct cs_world *world);

enum cs_world_kind {
	CS_WORLD_CITY,  /* dense, 4x4 km at 101,959 actors, 35 runtime and 32 editor layers */
	CS_WORLD_OPEN,  /* landscape proxies, foliage, few layers */
	CS_WORLD_EMPTY, /* no actors, for a run of only its companion */
};

struct cs_world_recipe {
	enum cs_world_kind kind;
	uint64_t actors; /* 2^24 at most; 0 for the kind's own size */
	uint64_t seed;
};

/* Generates a world. The same recipe gives the same world on every machine. */
CS_API struct cs_error *cs_world_generate(const struct cs_world_recipe *recipe,
	const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * Makes `n` meshes in a folder, shape_0.ply and so on, and sets meshes of the actors of a generated
 * world by their GUIDs, with the folder as `name`. The folder is made when it doesn't exist.
 * Returns E_LIMIT for too many.
 */
CS_API struct cs_error *cs_world_furnish(struct cs_world *world, const char *folder,
	const char *name, uint32_t n, uint64_t seed, const struct cs_job *job) CS_MUST_USE;

CS_END_DECLS

#endif
