/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates the resource file of a mesh: takes it from the cache, copies it, or builds it. When there
 * are at least as many meshes as threads, meshes are built in parallel, each on one thread,
 * otherwise one after the other, each on all threads. Results are stored by index, so they do not
 * depend on timing.
 *
 * The cache is that of a farm, and its keys are those of `nanite build FILE`, so that farms and
 * asset builds share results.
 */
#include "assets/assets_internal.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/text.h"
#include "farm/cache.h"
#include "farm/key.h"
#include "farm/plan.h"
#include "format/byte_source.h"
#include "format/save.h"
#include "nanite/format/resource.h"

#include <cellscope/cooked_values.h>
#include <cellscope/farm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the facts that an asset records about its resource ---- */

/* Stores a mesh's fault as asset->reason. Returns only an error that ends the whole build. */
static struct cs_error *baking_refuse(struct cs_asset *asset, struct cs_error *error)
{
	if (!error || cs_error_is_final(error))
		return error;
	asset->state = error->code == CS_E_NOFILE ? CS_MESH_MISSING : CS_MESH_REFUSED;
	asset->reason = strdup(error->message);
	cs_error_free(error);
	return asset->reason ? NULL : cs_error_nomem();
}

/* Returns the size of a resource file in bytes without the pages that are streamed. */
static uint64_t resident_bytes(const struct cs_nanite *resource, uint64_t bytes)
{
	uint64_t streamed = 0;
	size_t n;
	const struct cs_nanite_page_state *pages = cs_nanite_page_states(resource, &n);
	for (size_t i = cs_nanite_info(resource)->root_pages; i < n; i++)
		streamed += pages[i].bulk_size;
	return streamed < bytes ? bytes - streamed : 0;
}

static void baking_describe(
	struct cs_asset *asset, const struct cs_nanite *resource, uint64_t bytes)
{
	const struct cs_nanite_info *info = cs_nanite_info(resource);
	char content[CS_GUID_TEXT];
	size_t n;
	memcpy(content, cs_file_info(resource->file).content_id, 33);
	cs_guid_parse(content, strlen(content), &asset->content);
	cs_nanite_page_states(resource, &n);
	asset->bytes = bytes;
	asset->resident_bytes = resident_bytes(resource, bytes);
	asset->pages = (uint32_t)n;
	asset->triangles = info->input_triangles;
	asset->bounds =
		(struct cs_box){{(double)info->min[0], (double)info->min[1], (double)info->min[2]},
			{(double)info->max[0], (double)info->max[1], (double)info->max[2]}};
}

/* Checks that the bytes are a valid resource, and writes them to asset->file in the folder. */
static struct cs_error *baking_keep(struct cs_asset *asset, const struct cs_assets *assets,
	const unsigned char *bytes, size_t size, enum cs_mesh_state state)
{
	struct cs_nanite *resource;
	struct cs_job quiet = {.limits = assets->job ? assets->job->limits : NULL, .threads = 1};
	struct cs_error *error =
		cs_nanite_open_bytes(bytes, size, asset->path, CS_FILE_STRICT, &quiet, &resource);
	if (error)
		return baking_refuse(asset, error);
	char *path = cs_assets_out(assets, asset->file);
	error = path ? cs_save_relaxed(path, bytes, size) : cs_error_nomem();
	if (!error) {
		baking_describe(asset, resource, size);
		asset->state = state;
	}
	cs_nanite_free(resource);
	free(path);
	return error;
}

/* ---- building a resource from a mesh ---- */

struct cs_error *cs_asset_of_mesh(struct cs_asset *asset, const struct cs_assets *assets,
	const struct cs_mesh *mesh, const char *source, const struct cs_job *job)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource;
	unsigned char *bytes;
	size_t size;
	settings.source = source;
	struct cs_error *error = cs_nanite_build(mesh, &settings, job, NULL, &resource);
	if (error)
		return baking_refuse(asset, error);
	error = cs_nanite_bytes(resource, job, &bytes, &size);
	cs_nanite_free(resource);
	if (error)
		return error;
	error = baking_keep(asset, assets, bytes, size, CS_MESH_BUILT);
	free(bytes);
	return error;
}

static struct cs_error *build_file(struct cs_asset *asset, const struct cs_assets *assets,
	const char *whole, const struct cs_job *job)
{
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_import(whole, job, NULL, &mesh);
	if (error)
		return baking_refuse(asset, error);
	error = cs_asset_of_mesh(asset, assets, mesh, cs_base_name(asset->from), job);
	cs_mesh_free(mesh);
	return error;
}

/* ---- the cache of built resources ---- */

struct cs_error *cs_asset_cached(struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job, bool *found_ret)
{
	struct cs_farm_result result;
	*found_ret = false;
	if (!assets->cache)
		return NULL;
	struct cs_error *error = cs_farm_cache_get(assets->cache, key, job, &result, found_ret);
	if (error || !*found_ret)
		return error;
	error = baking_keep(asset, assets, result.bytes, result.size, CS_MESH_BUILT);
	asset->cached = asset->state == CS_MESH_BUILT;
	cs_farm_result_deinit(&result);
	return error;
}

struct cs_error *cs_asset_cache(const struct cs_asset *asset, const struct cs_assets *assets,
	struct cs_farm_key key, const struct cs_job *job)
{
	struct cs_farm_result result = {.status = 0};
	if (!assets->cache || asset->state != CS_MESH_BUILT)
		return NULL;
	char *path = cs_assets_out(assets, asset->file);
	struct cs_error *error = path ? cs_read_whole(path, cs_job_limits(job).file_bytes,
						&result.bytes, &result.size)
				      : cs_error_nomem();
	if (!error)
		error = cs_farm_cache_put(assets->cache, key, &result, job);
	cs_farm_result_deinit(&result);
	free(path);
	return error;
}

static struct cs_error *bake_mesh(struct cs_asset *asset, const struct cs_assets *assets,
	const char *whole, const struct cs_job *job)
{
	struct cs_farm_key key;
	bool found;
	if (!assets->cache)
		return build_file(asset, assets, whole, job);
	struct cs_error *error = cs_farm_build_key(assets->options->root, asset->from, job, &key);
	if (error)
		return baking_refuse(asset, error);
	error = cs_asset_cached(asset, assets, key, job, &found);
	if (error || found)
		return error;
	error = build_file(asset, assets, whole, job);
	return error ? error : cs_asset_cache(asset, assets, key, job);
}

/* ---- creating the resource of one mesh, and of all meshes in parallel ---- */

static struct cs_error *copy_resource(struct cs_asset *asset, const struct cs_assets *assets,
	const char *whole, const struct cs_job *job)
{
	unsigned char *bytes;
	size_t size;
	struct cs_error *error = cs_read_whole(whole, cs_job_limits(job).file_bytes, &bytes, &size);
	if (error)
		return baking_refuse(asset, error);
	error = baking_keep(asset, assets, bytes, size, CS_MESH_COPIED);
	free(bytes);
	return error;
}

static struct cs_error *bake(
	struct cs_asset *asset, const struct cs_assets *assets, const struct cs_job *job)
{
	char *whole;
	if (asprintf(&whole, "%s/%s", assets->options->root, asset->from) < 0)
		return cs_error_nomem();
	struct cs_error *error = cs_ends_with(asset->from, ".cnanite")
					 ? copy_resource(asset, assets, whole, job)
					 : bake_mesh(asset, assets, whole, job);
	free(whole);
	return error;
}

struct batch {
	struct cs_assets *assets;
	size_t first;
	int threads; /* number of threads of each build */
};

static void bake_some(void *context, size_t begin, size_t end, int thread)
{
	const struct batch *batch = context;
	const struct cs_job *job = batch->assets->job;
	/* the job has no callbacks, because only the calling thread may run callbacks */
	const struct cs_job quiet = {.limits = job ? job->limits : NULL, .threads = batch->threads};
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_asset *asset = &batch->assets->all.at[batch->first + i];
		if (asset->from)
			asset->fatal = bake(asset, batch->assets, &quiet);
	}
}

/* Returns the fatal error with the lowest index, which is the same on any number of threads. */
static struct cs_error *take_error(struct cs_assets *assets, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++) {
		struct cs_error *error = assets->all.at[i].fatal;
		assets->all.at[i].fatal = NULL;
		if (error)
			return error;
	}
	return NULL;
}

struct cs_error *cs_assets_bake(struct cs_assets *assets)
{
	const int given = cs_job_threads(assets->job);
	const size_t n = assets->all.n, threads = (size_t)cs_parallel_threads(given);
	const bool apart = n >= threads;
	const size_t at_once = apart ? 4 * threads : 1;
	struct batch batch = {.assets = assets, .threads = apart ? 1 : given};
	struct cs_error *error = NULL;
	for (; !error && batch.first < n; batch.first += at_once) {
		size_t some = n - batch.first < at_once ? n - batch.first : at_once;
		cs_job_progress(assets->job, "meshes", batch.first, n);
		cs_parallel_for(apart ? given : 1, some, 1, bake_some, &batch);
		error = take_error(assets, batch.first, some);
		if (!error)
			error = cs_job_check(assets->job);
	}
	return error;
}
