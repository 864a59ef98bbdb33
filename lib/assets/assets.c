/* SPDX-License-Identifier: Apache-2.0 */
/* Builds all meshes of a world, and reports the results to the cook. */
#include "assets/assets_internal.h"

#include "cook/phases/cook_internal.h"
#include "core/options.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <cellscope/cooked_values.h>
#include <cellscope/farm.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct cs_error *list_assets(struct cs_assets *assets)
{
	for (size_t i = 0; i < assets->cooked->n_meshes; i++) {
		const struct cs_asset asset = {
			.path = cs_cooked_text(assets->cooked, assets->cooked->meshes[i].path),
			.bounds = CS_BOX_INVALID,
			.hlod = CS_NONE};
		if (!cs_vec_push(&assets->all, asset))
			return cs_error_nomem();
	}
	return NULL;
}

/* ---- reporting the results to the cook and the caller ---- */

static char *found_from_world(const struct cs_assets *assets, const struct cs_asset *asset)
{
	const char *prefix = assets->options->prefix;
	size_t n = strlen(prefix) + strlen(asset->file) + 2;
	char *text = malloc(n);
	if (text)
		snprintf(text, n, "%s%s%s", prefix, *prefix ? "/" : "", asset->file);
	return text;
}

static struct cs_error *assets_tell(const struct cs_assets *assets)
{
	struct cs_mesh_fact *facts = calloc(assets->all.n + 1, sizeof(*facts));
	struct cs_error *error = facts ? NULL : cs_error_nomem();
	for (size_t i = 0; !error && i < assets->all.n; i++) {
		const struct cs_asset *asset = &assets->all.at[i];
		bool there = asset->state == CS_MESH_BUILT || asset->state == CS_MESH_COPIED;
		char *file = there ? found_from_world(assets, asset) : NULL;
		if (there && !file)
			error = cs_error_nomem();
		facts[i] = (struct cs_mesh_fact){asset->path, file, asset->reason, asset->state,
			asset->content, asset->bounds, asset->bytes, asset->resident_bytes,
			asset->triangles, asset->pages, asset->hlod};
	}
	if (!error)
		error = cs_cook_set_meshes(assets->cook, facts, assets->all.n);
	for (size_t i = 0; facts && i < assets->all.n; i++)
		free((char *)facts[i].file);
	free(facts);
	return error;
}

static void assets_sum_up(const struct cs_assets *assets, struct cs_assets_summary *summary)
{
	summary->meshes = assets->cooked->n_meshes;
	for (size_t i = 0; i < assets->all.n; i++) {
		const struct cs_asset *asset = &assets->all.at[i];
		const bool own = asset->hlod == CS_NONE;
		summary->built += own && asset->state == CS_MESH_BUILT && !asset->cached;
		summary->cached += asset->cached;
		summary->copied += asset->state == CS_MESH_COPIED;
		summary->missing += asset->state == CS_MESH_MISSING;
		summary->refused += asset->state == CS_MESH_REFUSED;
		summary->bytes += asset->bytes;
	}
}

/* ---- building the assets of a world ---- */

static struct cs_error *make_folder(const char *path)
{
	struct stat st;
	if (mkdir(path, 0777) == 0)
		return NULL;
	int why = errno;
	if (why == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return NULL;
	return why == EEXIST
		       ? cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET,
				 "a folder is needed at this path, but a file is there: remove it "
				 "or name another folder")
		       : cs_error_errno(why, path, "make the folder");
}

static struct cs_error *assets_build(struct cs_assets *assets, struct cs_assets_summary *summary)
{
	struct cs_error *error = make_folder(assets->options->folder);
	if (!error && assets->options->cache)
		error = cs_farm_cache_open(assets->options->cache, NULL, &assets->cache);
	if (!error)
		error = list_assets(assets);
	if (!error)
		error = cs_assets_look_up(assets);
	if (!error)
		error = cs_assets_bake(assets);
	if (!error)
		error = cs_assets_proxies(assets, &summary->proxies);
	if (!error)
		error = assets_tell(assets);
	if (!error)
		assets_sum_up(assets, summary);
	return error;
}

static void assets_deinit(struct cs_assets *assets)
{
	for (size_t i = 0; i < assets->all.n; i++) {
		free(assets->all.at[i].from);
		free(assets->all.at[i].file);
		free(assets->all.at[i].reason);
		cs_error_free(assets->all.at[i].fatal);
	}
	cs_vec_free(&assets->all);
	cs_strings_deinit(&assets->names);
	cs_farm_cache_free(assets->cache);
	cs_cooked_close(assets->cooked);
}

struct cs_error *cs_assets_build(struct cs_cook *cook, const struct cs_assets_options *options,
	const struct cs_job *job, struct cs_assets_summary *ret)
{
	struct cs_assets_options own;
	struct cs_assets assets = {.options = &own, .job = job, .cook = cook};
	struct cs_assets_summary summary = {0};
	unsigned char *bytes = NULL;
	size_t size;
	struct cs_error *error = cs_options_read(options, sizeof(own), &own, sizeof(own));
	if (error)
		return error;
	if (cs_cook_names_meshes(cook)) {
		error = cs_cook_plain_bytes(cook, &bytes, &size);
		if (!error)
			error = cs_cooked_open_bytes(bytes, size, "meshes", job, &assets.cooked);
		if (!error)
			error = cs_cooked_load_details(assets.cooked);
		if (!error)
			error = assets_build(&assets, &summary);
		assets_deinit(&assets);
		free(bytes);
	}
	if (!error)
		*ret = summary;
	return error;
}

/* ---- actors that show a mesh ---- */

static int by_mesh(const void *left, const void *right, void *context)
{
	const struct cs_shown_mesh *l = left, *r = right;
	(void)context;
	if (l->mesh != r->mesh)
		return l->mesh < r->mesh ? -1 : 1;
	return l->actor < r->actor ? -1 : l->actor > r->actor;
}

struct cs_error *cs_assets_shown(struct cs_cooked *cooked, const uint32_t *actors, size_t n,
	struct cs_shown_mesh **ret, size_t *n_ret)
{
	struct cs_shown_mesh *shown = malloc((n + 1) * sizeof(*shown));
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, mesh)},
		{CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, cell)}};
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, fields, CS_COUNT_OF(fields));
	size_t kept = 0;
	for (size_t i = 0; shown && i < n; i++) {
		const struct cs_cooked_actor *actor = cs_cooked_actor(cooked, actors[i]);
		uint32_t mesh = cs_cooked_find_mesh(cooked, actor->mesh);
		if (mesh != CS_NONE && actor->cell != CS_NONE)
			shown[kept++] = (struct cs_shown_mesh){mesh, actors[i]};
		cs_cooked_loop_step(&loop, i);
	}
	struct cs_error *error = cs_cooked_loop_end(&loop);
	if (!error && (!shown || !cs_sort(shown, kept, sizeof(*shown), by_mesh, NULL)))
		error = cs_error_nomem();
	if (error) {
		free(shown);
		return error;
	}
	*ret = shown;
	*n_ret = kept;
	return NULL;
}
