/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The uncooked world: actor descriptors, containers, data layers, HLOD layers, settings. It is read
 * from JSON (cs_world_read_json; format in cellscope-format(5)), read from a UE project or log
 * (cellscope/ue.h), or generated. It is the input of the cook (cellscope/cook.h).
 */
#ifndef CELLSCOPE_WORLD_H
#define CELLSCOPE_WORLD_H

#include <cellscope/core.h>

CS_BEGIN_DECLS

struct cs_world;

/*
 * Reads a world in its JSON form: a document of settings and layers, followed by one actor on each
 * line (cellscope-format(5)).
 */
CS_API struct cs_error *cs_world_read_json(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/* Writes a world as JSON with actors sorted by container and GUID. Reading gives the same world. */
CS_API struct cs_error *cs_world_write_json(
	const struct cs_world *world, const struct cs_job *job, const char *path) CS_MUST_USE;
CS_API void cs_world_free(struct cs_world *world);

/* Description of one key of the JSON form of a world, used by both its reader and its writer. */
struct cs_json_key {
	const char *object;     /* name of the type of object that has the key, such as "actor" */
	const char *object_doc; /* what an object of this type is */
	const char *key;
	const char *kind; /* type of the value: "text", "vector", "one of" ... */
	const char *doc;
	/* allowed words of "one of" and "some of", with aliases after '|' (NULL for other types) */
	const char *const *names;
};

/*
 * Returns key number `index` of object type number `object`. In the result, `key` is NULL after the
 * last key of the object type, and `object` is NULL after the last object type.
 */
CS_API struct cs_json_key cs_world_json_key(size_t object, size_t index);

/* ---- editing a world in memory ---- */

/*
 * Applies the line of an actor in the JSON form to a world. An actor whose GUID (and container) the
 * world does not contain is added, and *added_ret is true. For a known actor the values in the line
 * replace the old ones. After an error the world is unchanged.
 */
CS_API struct cs_error *cs_world_apply(struct cs_world *world, const char *line,
	const struct cs_job *job, bool *added_ret) CS_MUST_USE;
/*
 * Removes an actor. `container` is the package name of the level that contains the actor, or NULL
 * for the main container. Returns E_NOACTOR if the container has no actor with this GUID.
 */
CS_API struct cs_error *cs_world_remove(struct cs_world *world, const char *container,
	struct cs_guid guid, const struct cs_job *job) CS_MUST_USE;

struct cs_world_counts {
	size_t actors, containers, layers, hlod_layers, partitions, references;
	size_t unreadable; /* packages of a UE project that were skipped: they cannot be read */
	size_t damaged;    /* packages of a UE project in which damage was found */
};

CS_API struct cs_world_counts cs_world_count(const struct cs_world *world);

enum cs_world_kind {
	CS_WORLD_CITY,  /* dense: 101,959 actors on 4x4 km, 35 runtime and 32 editor layers */
	CS_WORLD_OPEN,  /* landscape proxies and foliage, few layers */
	CS_WORLD_EMPTY, /* no actors, for a run of only a companion (cs_companion) */
};

struct cs_world_recipe {
	enum cs_world_kind kind;
	uint64_t actors; /* number of actors, at most 2^24; 0 for the default of the kind */
	uint64_t seed;
};

/* Generates a world. A recipe gives the same world on every machine. The caller frees the world. */
CS_API struct cs_error *cs_world_generate(const struct cs_world_recipe *recipe,
	const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * Generates `n` meshes (1 to 100,000, else E_LIMIT) into a folder (shape_0.ply and so on), which is
 * created if it doesn't exist. Each actor of a generated world that can show something (it has
 * bounds, and is no level instance, HLOD actor or editor-only actor) gets one of the meshes, chosen
 * by the GUID of the actor. `name` is the path of the folder as stored in the actors. After an
 * error in writing the files, the actors have their meshes already.
 */
CS_API struct cs_error *cs_world_furnish(struct cs_world *world, const char *folder,
	const char *name, uint32_t n, uint64_t seed, const struct cs_job *job) CS_MUST_USE;

CS_END_DECLS

#endif
