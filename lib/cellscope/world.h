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

/* A document of settings and layers, then one actor a line; see cellscope-format(5). */
CS_API struct cs_error *cs_world_read_json(
	const char *path, const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/* Actors by container and GUID; reading it back gives the same world. */
CS_API struct cs_error *cs_world_write_json(
	const struct cs_world *world, const struct cs_job *job, const char *path) CS_MUST_USE;
/* A world without actors, for a run of nothing but what accompanies it. */
CS_API struct cs_error *cs_world_empty(const char *name, struct cs_world **ret) CS_MUST_USE;
CS_API void cs_world_free(struct cs_world *world);

/* The keys of the JSON form, from the tables that read and write it. */
struct cs_json_object {
	const char *name;
	const char *doc;
	size_t n; /* keys */
};

struct cs_json_key {
	const char *key;
	const char *kind; /* of its value: "text", "vector", "one of" ... */
	const char *doc;
	const char *const *names; /* values of "one of" and "some of", aliases behind '|' */
};

/* Its name is NULL behind the last. */
CS_API struct cs_json_object cs_world_json_object(size_t index);
CS_API struct cs_json_key cs_world_json_key(size_t object, size_t index);

/* ---- editing an open world ---- */

/*
 * Applies one line of the JSON form: an actor whose GUID (and container) the world does not know
 * is added, of a known one the keys that are given replace what it has. A line that is refused
 * leaves the world as it was.
 */
CS_API struct cs_error *cs_world_apply(struct cs_world *world, const char *line,
	const struct cs_job *job, bool *added_ret) CS_MUST_USE;
/* E_NOACTOR when there is none. `container` NULL = the main one. */
CS_API struct cs_error *cs_world_remove(struct cs_world *world, const char *container,
	struct cs_guid guid, const struct cs_job *job) CS_MUST_USE;

/* ---- changing a world for a while ---- */

/* What was changed, so that all of it can be taken back. */
struct cs_world_changes;

struct cs_world_counts {
	size_t actors, containers, layers, hlod_layers, partitions, references;
	size_t unreadable; /* packages of a UE project that were counted and named, not read */
	uint64_t memory;   /* bytes held */
};

CS_API struct cs_world_counts cs_world_count(const struct cs_world *world);

enum cs_world_kind {
	CS_WORLD_CITY, /* dense, 4x4 km at 101,959 actors, 35 runtime and 32 editor layers */
	CS_WORLD_OPEN, /* landscape proxies, foliage, few layers */
};

struct cs_world_recipe {
	enum cs_world_kind kind;
	uint64_t actors; /* at most 10 million and some; 0 = the kind's own size */
	uint64_t seed;
};

/* The same recipe gives the same world on every machine. */
CS_API struct cs_error *cs_world_generate(const struct cs_world_recipe *recipe,
	const struct cs_job *job, struct cs_world **ret) CS_MUST_USE;
/*
 * Makes `n` meshes in a folder, shape_0.ply and so on, and lets the actors of a made-up world name
 * them by their GUIDs: the folder as `name`. It is made when it is not there. E_LIMIT.
 */
CS_API struct cs_error *cs_world_furnish(struct cs_world *world, const char *folder,
	const char *name, uint32_t n, uint64_t seed, const struct cs_job *job) CS_MUST_USE;

CS_END_DECLS

#endif
