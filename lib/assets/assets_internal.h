/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building the meshes of a world, by file:
 *
 *	assets.c   builds all meshes that a cook names, reports a struct cs_mesh_fact of each, and
 *	           lists which actors show which mesh
 *	lookup.c   finds the file of each mesh, chooses the name of its resource file
 *	baking.c   builds one resource, or copies it from the cache; builds many in parallel
 *	proxies.c  builds the meshes of HLOD actors: merges and simplifies their sources
 */
#pragma once

#include <cellscope/farm.h>
#include <cellscope/mesh.h>

#include "core/strings.h"
#include "core/vec.h"

/* A mesh of the world that is to become a Nanite resource. */
struct cs_asset {
	const char *path; /* path by which actors name the mesh, not owned */
	char *from;       /* mesh file, relative to options->root, or NULL if not found */
	char *file;       /* unique name of the resource file in options->folder */
	char *reason;     /* why the mesh has no resource, or NULL if it has one */
	struct cs_guid content;
	struct cs_box bounds;
	uint64_t bytes, resident_bytes;
	uint32_t triangles, pages, hlod;
	uint32_t state; /* a value of enum cs_mesh_state */
	bool cached;
	struct cs_error *fatal; /* an error that ends the whole build, or NULL */
};

struct cs_farm_cache;

struct cs_assets {
	struct cs_farm_cache *cache; /* built resources, or NULL without a cache */
	const struct cs_assets_options *options;
	const struct cs_job *job;
	struct cs_cook *cook;
	struct cs_cooked *cooked; /* the result of `cook` so far, opened for reading */
	struct cs_strings names;  /* names of resource files that are in use */
	/* in the order of cooked->meshes, followed by the proxies of HLOD actors */
	CS_VEC(struct cs_asset) all;
};

/* ---- functions of lookup.c ---- */
/* Sets `from` and `file` of each asset. Refuses paths that leave options->root. */
struct cs_error *cs_assets_look_up(struct cs_assets *assets) CS_MUST_USE;
/* Returns an unused resource file name for `path`, to be freed, or NULL when memory runs out. */
char *cs_assets_file_name(struct cs_assets *assets, const char *path);
/* Returns the path of `file` in options->folder, to be freed, or NULL when memory runs out. */
char *cs_assets_out(const struct cs_assets *assets, const char *file);

/* ---- functions of baking.c ---- */
/* Builds or copies the resources of all meshes whose file was found. */
struct cs_error *cs_assets_bake(struct cs_assets *assets) CS_MUST_USE;
/* Builds the resource file of `mesh`. A fault of the mesh sets asset->reason and is no error. */
struct cs_error *cs_asset_of_mesh(struct cs_asset *asset, const struct cs_assets *assets,
	const struct cs_mesh *mesh, const char *source, const struct cs_job *job) CS_MUST_USE;

struct cs_farm_key;
/* Copies the resource with this key from the cache to asset->file, if the cache has it. */
struct cs_error *cs_asset_cached(struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job, bool *found_ret) CS_MUST_USE;
/* Copies the resource file into the cache, if there is a cache and the resource was built. */
struct cs_error *cs_asset_cache(const struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job) CS_MUST_USE;

/* ---- functions of proxies.c ---- */
/* Appends the proxy meshes of HLOD actors to assets->all. *n_ret is the number that was built. */
struct cs_error *cs_assets_proxies(struct cs_assets *assets, size_t *n_ret) CS_MUST_USE;
