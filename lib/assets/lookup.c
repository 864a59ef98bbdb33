/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the file below the root folder that a mesh name means, and chooses the name of its resource
 * file. A path that leaves the root folder is refused, so that a world from an untrusted source
 * cannot make the program read other files.
 */
#include "assets/assets_internal.h"

#include "core/text.h"
#include <cellscope/cooked_values.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Extensions of mesh files in search order. Resources come first, because they need no building. */
static const char *const endings[] = {
	".cnanite", ".ply", ".obj", ".glb", ".gltf", ".fbx", ".stl", NULL};

/* ---- finding the file of a mesh ---- */

/* Returns "Rocks/SM_A" for "/Game/Rocks/SM_A.SM_A", to be freed, or NULL when memory runs out. */
static char *path_of_object(const char *object)
{
	const char *below = strchr(object + 1, '/');
	below = below ? below + 1 : object + 1;
	const char *slash = strrchr(below, '/');
	const char *dot = strchr(slash ? slash : below, '.');
	return strndup(below, dot ? (size_t)(dot - below) : strlen(below));
}

/* Sets *ret to `path` + `ending` if that file exists. Returns false when memory runs out. */
static bool lookup_find_file(
	const struct cs_assets *assets, const char *path, const char *ending, char **ret)
{
	struct stat st;
	char *whole;
	if (asprintf(&whole, "%s/%s%s", assets->options->root, path, ending) < 0)
		return false;
	bool there = stat(whole, &st) == 0 && S_ISREG(st.st_mode), ok = true;
	if (there && asprintf(ret, "%s%s", path, ending) < 0) {
		*ret = NULL;
		ok = false;
	}
	free(whole);
	return ok;
}

/*
 * Sets *ret to the first of the files `path` + ending (in `endings`) that exists. Returns false
 * when memory runs out.
 */
static bool find_any(const struct cs_assets *assets, const char *path, char **ret)
{
	bool ok = true;
	for (size_t i = 0; ok && !*ret && endings[i]; i++)
		ok = lookup_find_file(assets, path, endings[i], ret);
	return ok;
}

static bool lookup_say(struct cs_asset *asset, enum cs_mesh_state state, const char *reason)
{
	asset->state = state;
	asset->reason = strdup(reason);
	return asset->reason;
}

/* Sets asset->from or, without a file, ->state and ->reason. Returns false when memory runs out. */
static bool lookup_look_up(const struct cs_assets *assets, struct cs_asset *asset)
{
	bool object = asset->path[0] == '/';
	char *path = object ? path_of_object(asset->path) : strdup(asset->path);
	bool ok = path;
	if (ok && cs_leaves_folder(path)) {
		ok = lookup_say(
			asset, CS_MESH_REFUSED, "the name leads out of the folder of meshes");
	} else if (ok) {
		ok = object ? find_any(assets, path, &asset->from)
			    : lookup_find_file(assets, path, "", &asset->from);
		if (ok && !asset->from)
			ok = lookup_say(asset, CS_MESH_MISSING,
				object ? "no file of that name: export the mesh below the "
					 "folder of meshes"
				       : "the file does not exist");
	}
	free(path);
	return ok;
}

/* ---- naming the resource file ---- */

/* Makes a file name from a path without extension. '/' becomes '_', which keeps folders apart. */
static void plain_name(const char *path, char *to, size_t size)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-.";
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	const char *end =
		dot && dot != path && (!slash || dot > slash + 1) ? dot : path + strlen(path);
	size_t n = 0;
	path += strspn(path, "/");
	for (; path < end && n + 1 < size; path++)
		to[n++] = *path && strchr(safe, *path) ? *path : '_';
	to[n] = '\0';
	if (to[0] == '.' || n == 0)
		snprintf(to, size, "mesh");
}

enum { NAME = 160 };

char *cs_assets_file_name(struct cs_assets *assets, const char *path)
{
	char plain[NAME], *name = NULL;
	plain_name(path, plain, sizeof(plain));
	for (unsigned i = 1;; i++) {
		int n = i == 1 ? asprintf(&name, "%s.cnanite", plain)
			       : asprintf(&name, "%s-%u.cnanite", plain, i);
		if (n < 0)
			return NULL;
		if (cs_strings_find(&assets->names, name, (size_t)n) == CS_NONE)
			break;
		free(name);
	}
	if (cs_strings_add_z(&assets->names, name) != CS_NONE)
		return name;
	free(name);
	return NULL;
}

char *cs_assets_out(const struct cs_assets *assets, const char *file)
{
	char *path;
	return asprintf(&path, "%s/%s", assets->options->folder, file) < 0 ? NULL : path;
}

struct cs_error *cs_assets_look_up(struct cs_assets *assets)
{
	for (size_t i = 0; i < assets->all.n; i++) {
		struct cs_asset *asset = &assets->all.at[i];
		if (!lookup_look_up(assets, asset))
			return cs_error_nomem();
		if (asset->from && !(asset->file = cs_assets_file_name(assets, asset->path)))
			return cs_error_nomem();
	}
	return NULL;
}
