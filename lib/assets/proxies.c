/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the proxy meshes of HLOD actors (rule 1.6.9). The meshes of the source actors of an HLOD
 * actor are transformed, merged in its space and simplified to the number of triangles that its
 * layer allows. If the sources have many triangles, each contributes a cut (a coarser set of its
 * clusters). All cuts together have PLENTY times as many triangles as the proxy, because more would
 * make no visible difference. Proxies of HLOD actors whose sources are HLOD actors merge other
 * proxies, so proxies are built in rounds.
 */
#include "assets/assets_internal.h"

#include "cluster/build.h"
#include "cook/phases/cook_internal.h"
#include "core/geometry.h"
#include "core/job.h"
#include "core/sort.h"
#include "farm/key.h"

#include <cellscope/cooked_values.h>
#include <cellscope/pages.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

enum {
	/* largest number of levels of HLOD layers, which also ends cycles of layers */
	ROUNDS = 16,
	OPEN = 64, /* largest number of decoded resources in memory */
	/* a proxy may always have this many triangles if its layer sets no limit */
	FEWEST = 64,
	/* number of triangles of all simplified sources together, for each triangle of the proxy */
	PLENTY = 4,
	/* sources that together have at most this many triangles are merged unsimplified */
	AS_IS = 1 << 16,
};

/* A source of a proxy: its mesh and transform. */
struct part {
	size_t asset;
	struct cs_transform at; /* from the space of the source to that of the HLOD actor */
};

struct opened_model {
	size_t asset;
	struct cs_model *model; /* NULL if the entry is free */
	uint64_t used;
};

struct proxies {
	struct cs_assets *assets;
	/* GUIDs of actors in the main container, sorted, each with its row */
	struct cs_sort_key *by_guid;
	/* index in assets->all of the mesh of each actor, or SIZE_MAX if it has none */
	size_t *asset_of_row;
	/* index in cooked->hlods of each actor, or CS_NONE if it is not an HLOD actor */
	uint32_t *hlod_of_row;
	/* for each row of cooked->hlods, whether its proxy mesh was built or is not needed */
	bool *done;
	CS_VEC(struct part) parts; /* sources of the current proxy */
	CS_VEC(float) positions, normals;
	CS_VEC(uint32_t) indices;
	struct opened_model open[OPEN];
	uint64_t clock;
	size_t n;
	bool failed; /* whether an allocation failed */
};

/* ---- which actors show which mesh ---- */

static struct cs_error *index_actors(struct proxies *proxies)
{
	const struct cs_cooked *cooked = proxies->assets->cooked;
	proxies->by_guid = malloc((cooked->n_actors + 1) * sizeof(*proxies->by_guid));
	proxies->asset_of_row = malloc((cooked->n_actors + 1) * sizeof(*proxies->asset_of_row));
	proxies->done = calloc(cooked->n_hlods + 1, sizeof(*proxies->done));
	proxies->hlod_of_row = malloc((cooked->n_actors + 1) * sizeof(*proxies->hlod_of_row));
	if (!proxies->by_guid || !proxies->asset_of_row || !proxies->hlod_of_row || !proxies->done)
		return cs_error_nomem();
	for (uint32_t row = 0; row < cooked->n_actors; row++) {
		uint32_t mesh = cs_cooked_find_mesh(cooked, cs_cooked_actor(cooked, row)->mesh);
		proxies->by_guid[row] =
			cs_sort_key_of_guid(cs_cooked_detail(cooked, row)->instance_guid, row);
		proxies->asset_of_row[row] = mesh == CS_NONE ? SIZE_MAX : mesh;
		proxies->hlod_of_row[row] = CS_NONE;
	}
	for (uint32_t i = 0; i < cooked->n_hlods; i++)
		proxies->hlod_of_row[cooked->hlods[i].actor] = i;
	return cs_sort_keys(proxies->by_guid, cooked->n_actors) ? NULL : cs_error_nomem();
}

static const struct cs_hlod_actor *source_of(const struct proxies *proxies, uint32_t hlod)
{
	const struct cs_cook *cook = proxies->assets->cook;
	uint32_t row = proxies->assets->cooked->hlods[hlod].actor;
	const struct cs_instance *instance = cs_instance_of_row(cook, row);
	return &cook->world->hlods.at[cs_actor_more(
		cook->world, cs_view_actor(cook, cs_view_of_row(cook, instance, row)))
					      ->hlod];
}

/* Collects an HLOD actor's sources with meshes. Returns false if a source's proxy is not built. */
static bool collect_parts(struct proxies *proxies, uint32_t hlod)
{
	const struct cs_assets *assets = proxies->assets;
	const struct cs_cooked *cooked = assets->cooked;
	const struct cs_range sources = source_of(proxies, hlod)->sources;
	const struct cs_transform *own =
		&cs_cooked_detail(cooked, cooked->hlods[hlod].actor)->transform;
	proxies->parts.n = 0;
	for (uint32_t i = 0; i < sources.count; i++) {
		uint32_t row = cs_sort_keys_find_guid(proxies->by_guid, cooked->n_actors,
			assets->cook->world->guids.at[sources.first + i]);
		if (row == CS_NONE || row == cooked->hlods[hlod].actor)
			continue;
		if (proxies->hlod_of_row[row] != CS_NONE &&
			!proxies->done[proxies->hlod_of_row[row]])
			return false;
		size_t asset = proxies->asset_of_row[row];
		if (asset == SIZE_MAX || !assets->all.at[asset].file ||
			assets->all.at[asset].reason)
			continue;
		const struct part part = {asset,
			cs_transform_relative(&cs_cooked_detail(cooked, row)->transform, own)};
		cs_vec_push_in(proxies, parts, part);
	}
	return true;
}

/* ---- merging clusters of the sources ---- */

/* Returns the decoded resource of an asset. Loading it evicts the least recently used one. */
static struct cs_error *open_model(
	struct proxies *proxies, size_t asset, const struct cs_model **ret)
{
	struct opened_model *place = &proxies->open[0];
	for (size_t i = 0; i < OPEN; i++) {
		if (proxies->open[i].model && proxies->open[i].asset == asset) {
			proxies->open[i].used = ++proxies->clock;
			*ret = proxies->open[i].model;
			return NULL;
		}
		place = proxies->open[i].used < place->used ? &proxies->open[i] : place;
	}
	char *path = cs_assets_out(proxies->assets, proxies->assets->all.at[asset].file);
	cs_model_free(place->model);
	place->model = NULL;
	struct cs_error *error =
		path ? cs_model_open(path, proxies->assets->job, &place->model) : cs_error_nomem();
	free(path);
	if (error)
		return error;
	place->asset = asset;
	place->used = ++proxies->clock;
	*ret = place->model;
	return NULL;
}

static double inverse(double scale)
{
	return scale != 0 ? 1 / scale : 0;
}

static bool put_vertex(struct proxies *proxies, const struct cs_model *model, size_t v,
	const struct cs_transform *at)
{
	const float *from = model->positions + 3 * v, *normal = model->normals + 3 * v;
	const struct cs_vec3 place = cs_transform_point(
		at, (struct cs_vec3){(double)from[0], (double)from[1], (double)from[2]});
	const struct cs_vec3 n = cs_quat_rotate(
		at->rotation, (struct cs_vec3){(double)normal[0] * inverse(at->scale.x),
				      (double)normal[1] * inverse(at->scale.y),
				      (double)normal[2] * inverse(at->scale.z)});
	const float positions[] = {(float)place.x, (float)place.y, (float)place.z};
	const float normals[] = {(float)n.x, (float)n.y, (float)n.z};
	return cs_vec_append(&proxies->positions, positions, 3) &&
	       cs_vec_append(&proxies->normals, normals, 3);
}

static bool proxies_put_cluster(struct proxies *proxies, const struct cs_model *model,
	const struct cs_model_cluster *cluster, const struct cs_transform *at)
{
	const uint32_t first = (uint32_t)(proxies->positions.n / 3);
	/* a transform that mirrors a mesh reverses the winding of its triangles */
	const bool turn = at->scale.x * at->scale.y * at->scale.z < 0;
	bool ok = true;
	for (uint32_t v = 0; ok && v < cluster->n_vertices; v++)
		ok = put_vertex(proxies, model, cluster->first_vertex + v, at);
	for (uint32_t t = 0; ok && t < cluster->n_triangles; t++) {
		const uint8_t *corners = model->corners + 3 * (size_t)(cluster->first_triangle + t);
		const uint32_t triangle[] = {first + corners[0], first + corners[turn ? 2 : 1],
			first + corners[turn ? 1 : 2]};
		ok = cs_vec_append(&proxies->indices, triangle, 3);
	}
	return ok;
}

/* Appends a source mesh's coarsest cut of at least `triangles` triangles, or else its finest. */
static struct cs_error *put_part(
	struct proxies *proxies, const struct part *part, uint64_t triangles)
{
	const struct cs_model *model;
	struct cs_model_cut cut;
	struct cs_nanite_view view = {.uniform = true};
	struct cs_error *error = open_model(proxies, part->asset, &model);
	if (!error)
		error = cs_model_error_for(model, 0, triangles, &view.threshold);
	if (!error)
		error = cs_model_cut(model, &(struct cs_model_choice){.view = &view}, &cut);
	if (error)
		return error;
	bool ok = true;
	for (size_t i = 0; ok && i < cut.n_clusters; i++)
		ok = proxies_put_cluster(
			proxies, model, &model->clusters[cut.clusters[i]], &part->at);
	free(cut.clusters);
	return ok ? NULL : cs_error_nomem();
}

/* ---- building one proxy ---- */

static uint64_t proxies_wanted_of(const struct proxies *proxies, uint32_t hlod, uint64_t total)
{
	uint32_t layer = proxies->assets->cooked->hlods[hlod].layer;
	uint32_t most =
		layer == CS_NONE ? 0 : proxies->assets->cooked->hlod_layers[layer].proxy_triangles;
	return most > 0 ? most : total / 10 > FEWEST ? total / 10 : FEWEST;
}

static struct cs_error *proxies_merge(
	struct proxies *proxies, uint64_t total, uint64_t wanted, struct cs_mesh **ret)
{
	struct cs_error *error = NULL;
	proxies->positions.n = proxies->normals.n = proxies->indices.n = 0;
	for (size_t i = 0; !error && i < proxies->parts.n; i++) {
		const struct part *part = &proxies->parts.at[i];
		uint64_t own = proxies->assets->all.at[part->asset].triangles;
		uint64_t some = total > AS_IS ? PLENTY * wanted * own / total + 1 : own;
		error = put_part(proxies, part, some < own ? some : own);
		if (!error)
			error = cs_job_check(proxies->assets->job);
	}
	if (error)
		return error;
	if (proxies->indices.n / 3 >= CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the meshes of an HLOD proxy have more than 2^32 triangles, the limit: use "
			"smaller HLOD cells");
	const struct cs_mesh_view arrays = {.positions = proxies->positions.at,
		.normals = proxies->normals.at,
		.indices = proxies->indices.at,
		.n_vertices = (uint32_t)(proxies->positions.n / 3),
		.n_triangles = (uint32_t)(proxies->indices.n / 3),
		.n_materials = 1};
	return cs_mesh_from_arrays(&arrays, proxies->assets->job, NULL, ret);
}

/* Replaces *mesh by a simplified mesh with at most `wanted` triangles. */
static struct cs_error *simplify(struct cs_mesh **mesh, uint64_t wanted, const struct cs_job *job)
{
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_mesh *coarse;
	struct cs_dag *dag;
	if (cs_mesh_view(*mesh).n_triangles <= wanted)
		return NULL;
	/* Any error metric will do, because the errors of this DAG are never read. */
	options.error = CS_DAG_ERROR_QUADRIC;
	struct cs_error *error = cs_dag_build(*mesh, &options, job, NULL, &dag);
	if (error)
		return error;
	error = cs_dag_coarse_mesh(dag, wanted, &options, job, &coarse);
	cs_dag_free(dag);
	if (error)
		return error;
	cs_mesh_free(*mesh);
	*mesh = coarse;
	return NULL;
}

/* Returns the cache key of a proxy. Sources with equal content and equal transforms share one. */
static struct cs_farm_key proxies_key_of(const struct proxies *proxies, uint64_t wanted)
{
	static const char version[] = "proxy 1";
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, version, sizeof(version));
	XXH3_128bits_update(&state, &wanted, sizeof(wanted));
	for (size_t i = 0; i < proxies->parts.n; i++) {
		const struct part *part = &proxies->parts.at[i];
		const struct cs_guid content = proxies->assets->all.at[part->asset].content;
		XXH3_128bits_update(&state, &content, sizeof(content));
		XXH3_128bits_update(&state, &part->at, sizeof(part->at));
	}
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct cs_farm_key){hash.high64, hash.low64};
}

static struct cs_error *build_proxy(struct proxies *proxies, uint32_t hlod, struct cs_asset *asset)
{
	uint64_t total = 0;
	for (size_t i = 0; i < proxies->parts.n; i++)
		total += proxies->assets->all.at[proxies->parts.at[i].asset].triangles;
	const uint64_t wanted = proxies_wanted_of(proxies, hlod, total);
	const struct cs_farm_key key = proxies_key_of(proxies, wanted);
	struct cs_mesh *mesh;
	bool found;
	struct cs_error *error =
		cs_asset_cached(asset, proxies->assets, key, proxies->assets->job, &found);
	if (error || found)
		return error;
	error = proxies_merge(proxies, total, wanted, &mesh);
	if (error)
		return error;
	error = simplify(&mesh, wanted, proxies->assets->job);
	if (!error)
		error = cs_asset_of_mesh(
			asset, proxies->assets, mesh, "proxy", proxies->assets->job);
	cs_mesh_free(mesh);
	return error ? error : cs_asset_cache(asset, proxies->assets, key, proxies->assets->job);
}

static struct cs_error *add_proxy(struct proxies *proxies, uint32_t hlod)
{
	const struct cs_cooked *cooked = proxies->assets->cooked;
	uint32_t row = cooked->hlods[hlod].actor;
	struct cs_asset asset = {.bounds = CS_BOX_INVALID, .hlod = hlod};
	asset.file = cs_assets_file_name(
		proxies->assets, cs_cooked_text(cooked, cs_cooked_actor(cooked, row)->name));
	asset.path = asset.file;
	/* from here on assets->all owns asset.file, even if building fails */
	if (!asset.file || !cs_vec_push(&proxies->assets->all, asset)) {
		free(asset.file);
		return cs_error_nomem();
	}
	size_t at = proxies->assets->all.n - 1;
	struct cs_error *error = build_proxy(proxies, hlod, &proxies->assets->all.at[at]);
	if (!error && proxies->assets->all.at[at].state == CS_MESH_BUILT) {
		proxies->asset_of_row[row] = at;
		proxies->n++;
	}
	return error;
}

/* ---- building all proxies ---- */

static bool needs_proxy(const struct proxies *proxies, uint32_t hlod)
{
	const struct cs_cooked_hlod *row = &proxies->assets->cooked->hlods[hlod];
	return row->home != CS_NONE && proxies->asset_of_row[row->actor] == SIZE_MAX;
}

/* Builds all proxies whose sources are available. *progress_ret is whether there were any. */
static struct cs_error *proxies_run_round(struct proxies *proxies, bool *progress_ret)
{
	const size_t n = proxies->assets->cooked->n_hlods;
	struct cs_error *error = NULL;
	bool *ready = calloc(n + 1, sizeof(*ready));
	*progress_ret = false;
	if (!ready)
		return cs_error_nomem();
	for (uint32_t i = 0; i < n; i++)
		ready[i] = !proxies->done[i] && collect_parts(proxies, i);
	for (uint32_t i = 0; !error && i < n; i++) {
		if (!ready[i])
			continue;
		cs_job_progress(proxies->assets->job, "proxies", i, n);
		proxies->done[i] = *progress_ret = true;
		if (collect_parts(proxies, i) && proxies->parts.n > 0 && needs_proxy(proxies, i))
			error = add_proxy(proxies, i);
	}
	free(ready);
	return !error && proxies->failed ? cs_error_nomem() : error;
}

struct cs_error *cs_assets_proxies(struct cs_assets *assets, size_t *n_ret)
{
	struct proxies proxies = {.assets = assets};
	struct cs_error *error = assets->cooked->n_hlods > 0 ? index_actors(&proxies) : NULL;
	bool progress = assets->cooked->n_hlods > 0;
	for (unsigned i = 0; !error && progress && i < ROUNDS; i++)
		error = proxies_run_round(&proxies, &progress);
	for (size_t i = 0; i < OPEN; i++)
		cs_model_free(proxies.open[i].model);
	cs_vec_free(&proxies.parts);
	cs_vec_free(&proxies.positions);
	cs_vec_free(&proxies.normals);
	cs_vec_free(&proxies.indices);
	free(proxies.by_guid);
	free(proxies.asset_of_row);
	free(proxies.hlod_of_row);
	free(proxies.done);
	*n_ret = proxies.n;
	return error;
}
