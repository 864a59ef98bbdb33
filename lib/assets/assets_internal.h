/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of building the meshes of a world. Who owns what:
 *
 *	assets.c   the driver: from the names of a cook to what it is told
 *	lookup.c   names: the file that each means, the file that it becomes
 *	baking.c   one resource: from cache, copy or mesh to a file; all of them on all threads
 *	proxies.c  what HLOD actors show: their sources, merged and simplified
 */
#pragma once

#include <cellscope/farm.h>
#include <cellscope/mesh.h>

#include "core/strings.h"
#include "core/vec.h"

/* A mesh on its way to a resource. Texts are owned. */
struct cs_asset {
	const char *path; /* as actors name it */
	char *from;       /* the file, from `root`; NULL when there is none */
	char *file;       /* of the resource, in the folder; unique */
	char *reason;     /* why there is none */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes;
	uint32_t triangles, pages, hlod;
	uint32_t state; /* enum cs_mesh_state */
	bool cached;
	struct cs_error *fatal; /* what ends the whole */
};

struct cs_farm_cache;

struct cs_assets {
	struct cs_farm_cache *cache; /* NULL without */
	const struct cs_assets_options *options;
	const struct cs_job *job;
	struct cs_cook *cook;
	struct cs_cooked *cooked;    /* the cook, as it would be saved now */
	struct cs_strings names;     /* of files in the folder */
	CS_VEC(struct cs_asset) all; /* by row of meshes; proxies behind them */
};

/* lookup.c */
/* Finds the file of each, refuses what leaves the root, names what each becomes. */
struct cs_error *cs_assets_look_up(struct cs_assets *assets) CS_MUST_USE;
/* A name for the file of a resource that none has yet; NULL without memory. */
char *cs_assets_file_name(struct cs_assets *assets, const char *path);
/* The folder and a name in it; freed by the caller, NULL without memory. */
char *cs_assets_out(const struct cs_assets *assets, const char *file);

/* baking.c */
/* All that were found. */
struct cs_error *cs_assets_bake(struct cs_assets *assets) CS_MUST_USE;
/* A mesh into the file of an asset. What is wrong with the mesh itself is its `reason`. */
struct cs_error *cs_asset_of_mesh(struct cs_asset *asset, const struct cs_assets *assets,
	const struct cs_mesh *mesh, const char *source, const struct cs_job *job) CS_MUST_USE;

struct cs_farm_key;
/* Out of the cache, if there is one and it has that key: *found_ret. */
struct cs_error *cs_asset_cached(struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job, bool *found_ret) CS_MUST_USE;
/* Into the cache, if there is one and it was built. */
struct cs_error *cs_asset_cache(const struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job) CS_MUST_USE;

/* proxies.c */
struct cs_error *cs_assets_proxies(struct cs_assets *assets, size_t *n_ret) CS_MUST_USE;
