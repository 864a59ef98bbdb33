/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building the meshes of a world. Files and what they own:
 *
 *	assets.c   the driver: from the mesh names in a cook to its struct cs_mesh_fact of each
 *	lookup.c   names: the file that each means, the file of its resource
 *	baking.c   one resource: from cache, copy or mesh to a file; all of them on all threads
 *	proxies.c  the meshes of HLOD actors: their sources, merged and simplified
 *	shown.c    which actors show which mesh
 */
#pragma once

#include <cellscope/farm.h>
#include <cellscope/mesh.h>

#include "core/strings.h"
#include "core/vec.h"

/* A mesh that is to become a resource. Texts are owned. */
struct cs_asset {
	const char *path; /* path that actors use */
	char *from;       /* file of the mesh, relative to `root`; NULL when there is none */
	char *file;       /* name of the resource's file in the folder; unique */
	char *reason;     /* why there is no resource */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes;
	uint32_t triangles, pages, hlod;
	uint32_t state; /* enum cs_mesh_state */
	bool cached;
	struct cs_error *fatal; /* an error that ends the whole build */
};

struct cs_farm_cache;

struct cs_assets {
	struct cs_farm_cache *cache; /* NULL = no cache */
	const struct cs_assets_options *options;
	const struct cs_job *job;
	struct cs_cook *cook;
	struct cs_cooked *cooked;    /* the cook in its current state */
	struct cs_strings names;     /* names of files in the folder */
	CS_VEC(struct cs_asset) all; /* in the order of the table of meshes; proxies follow */
};

/* lookup.c */
/* Finds the file of each mesh, refuses what is outside of the root, and names its resource. */
struct cs_error *cs_assets_look_up(struct cs_assets *assets) CS_MUST_USE;
/* Returns a new unique name for the file of a resource; NULL without memory. */
char *cs_assets_file_name(struct cs_assets *assets, const char *path);
/* Returns the path of a name in the folder; freed by the caller, NULL without memory. */
char *cs_assets_out(const struct cs_assets *assets, const char *file);

/* baking.c */
/* Builds all meshes that were found. */
struct cs_error *cs_assets_bake(struct cs_assets *assets) CS_MUST_USE;
/* Builds a mesh into the file of an asset. A fault of the mesh itself becomes its `reason`. */
struct cs_error *cs_asset_of_mesh(struct cs_asset *asset, const struct cs_assets *assets,
	const struct cs_mesh *mesh, const char *source, const struct cs_job *job) CS_MUST_USE;

struct cs_farm_key;
/* Copies the asset from the cache, when there is one that has the key: *found_ret. */
struct cs_error *cs_asset_cached(struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job, bool *found_ret) CS_MUST_USE;
/* Stores the asset in the cache, when there is one and it was built. */
struct cs_error *cs_asset_cache(const struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job) CS_MUST_USE;

/* proxies.c */
/* Builds the proxies of HLOD actors, appends them to `all`, and counts those that were built. */
struct cs_error *cs_assets_proxies(struct cs_assets *assets, size_t *n_ret) CS_MUST_USE;
