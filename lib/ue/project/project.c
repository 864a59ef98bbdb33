/* SPDX-License-Identifier: Apache-2.0 */
/* Finds mount points and files of packages. A name that leads out of its mount has no file. */
#include "ue/project/project.h"

#include "core/job.h"
#include "core/json.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/utf8.h"
#include "format/byte_source.h"
#include "ue/package/summary.h"
#include "ue/package/wire.h"

/* Returns a file's folder, without slash: "A/B" for "A/B/X.uplugin", "." for "X", "" for "/X". */
static char *project_folder_of(struct cs_arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return cs_arena_text(arena, ".", 1);
	return cs_arena_text(arena, path, (size_t)(slash - path));
}

/* Returns the file name without its extension. */
static char *stem_of(struct cs_arena *arena, const char *path)
{
	const char *name = cs_base_name(path);
	const char *dot = strrchr(name, '.');
	return cs_arena_text(arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

/* ---- opening a project ---- */

/* Converts a text that is not UTF-8, as other programs save it; returns false for no memory. */
static bool read_as_latin1(struct cs_arena *arena, const char **text, size_t *size)
{
	const struct cs_ue_string string = {(const unsigned char *)*text, (int32_t)*size};
	if (*size > INT32_MAX || memchr(*text, 0, *size) || cs_utf8_valid(*text, *size))
		return true;
	*text = cs_ue_text(string, arena);
	*size = *text ? strlen(*text) : 0;
	return *text != NULL;
}

/* Returns the offset in the file of byte n of its text, which may be converted from Latin-1. */
static uint64_t offset_in_file(const char *text, size_t n, bool converted)
{
	uint64_t offset = 0;
	for (size_t i = 0; i < n; i++)
		offset += !converted || !cs_utf8_inside(text[i]);
	return offset;
}

static struct cs_error *read_project_json(const char *path, const struct cs_job *job, json_t **ret)
{
	unsigned char *bytes;
	size_t size;
	struct cs_limits limits = cs_job_limits(job);
	struct cs_error *error = cs_read_whole(path, limits.section_bytes, &bytes, &size);
	if (error)
		return error;
	struct cs_arena arena = CS_ARENA_INIT;
	json_error_t at;
	error = cs_ue_refuse_pointer(bytes, size, path);
	if (!error) /* the editor writes UTF-16 when a text has characters outside ASCII */
		error = cs_utf16_narrow_bytes(path, limits.section_bytes, &bytes, &size);
	if (error) {
		free(bytes);
		return error;
	}
	const char *text = (const char *)bytes;
	bool no_memory = !read_as_latin1(&arena, &text, &size);
	json_t *root = no_memory ? NULL : cs_json_parse(text, size, 0, &at, &no_memory);
	if (no_memory)
		error = cs_error_nomem();
	else if (!json_is_object(root))
		error = cs_error_at(CS_E_PROJECT, path,
			root ? 0 : offset_in_file(text, (size_t)at.position, text != (char *)bytes),
			"the file is not a .uproject: %s", root ? "not a JSON object" : at.text);
	if (error)
		json_decref(root);
	else
		*ret = root;
	cs_arena_deinit(&arena);
	free(bytes);
	return error;
}

static struct cs_error *find_project_file(
	const char *folder, struct cs_ue_project *project, const char **ret)
{
	struct cs_limits shallow = cs_limits_default();
	shallow.depth = 0;
	struct cs_job job = {.threads = 1, .limits = &shallow};
	struct cs_ue_files files;
	struct cs_error *error = cs_ue_find_files(folder, ".uproject", NULL, &job, &files);
	if (error)
		return error;
	if (files.paths.n == 1)
		*ret = cs_arena_copy(&project->arena, files.paths.at[0]);
	else
		error = cs_error_at(CS_E_PROJECT, folder, CS_NO_OFFSET,
			"the folder contains %zu .uproject files, but must contain one",
			files.paths.n);
	if (!error && !*ret)
		error = cs_error_nomem();
	cs_ue_files_deinit(&files);
	return error;
}

static int by_mount(const void *left, const void *right, void *context)
{
	(void)context;
	const struct cs_ue_mount *l = left, *r = right;
	int by_name = cs_name_compare(l->name, r->name);
	return by_name ? by_name : strcmp(l->folder, r->folder);
}

static bool add_mount(struct cs_ue_project *project, const char *name, const char *root)
{
	char *folder = cs_ue_join(&project->arena, root, "/Content", (char *)NULL);
	struct cs_ue_mount mount = {
		.name = cs_ue_join(&project->arena, "/", name, (char *)NULL), .folder = folder};
	if (folder)
		cs_ue_settle_case(project->cases, folder, strlen(root));
	for (size_t i = 0; folder && i < project->mounts.n; i++)
		if (strcmp(project->mounts.at[i].folder, folder) == 0)
			return true; /* mounted already, because another searched folder has it */
	return mount.name && mount.folder && cs_vec_push(&project->mounts, mount);
}

/* An entry for a plugin in the project file. `off` is whether it disables the plugin. */
struct plugin_switch {
	const char *name;
	bool off;
};

/* Entries of plugins in the project file, sorted by name, those with equal names as in the file. */
struct plugin_switches {
	struct plugin_switch *at;
	size_t n;
};

static int by_plugin(const void *left, const void *right, void *context)
{
	(void)context;
	return cs_name_compare(((const struct plugin_switch *)left)->name,
		((const struct plugin_switch *)right)->name);
}

static bool read_switches(const json_t *root, struct cs_arena *arena, struct plugin_switches *ret)
{
	const json_t *list = json_object_get(root, "Plugins"), *item;
	size_t i, n = 0;
	struct plugin_switch *at =
		CS_ARENA_ARRAY(arena, struct plugin_switch, json_array_size(list) + 1);
	if (!at)
		return false;
	json_array_foreach (list, i, item) {
		const char *name = json_string_value(json_object_get(item, "Name"));
		if (name)
			at[n++] = (struct plugin_switch){
				name, json_is_false(json_object_get(item, "Enabled"))};
	}
	*ret = (struct plugin_switches){at, n};
	return cs_sort(at, n, sizeof(*at), by_plugin, NULL);
}

/* Returns whether the project file disables a plugin, so that no game has its content. */
static bool is_disabled(const struct plugin_switches *switches, const char *plugin)
{
	const size_t i = cs_lower_bound(
		0, switches->n, k, cs_name_compare(switches->at[k].name, plugin) < 0);
	return i < switches->n && cs_name_compare(switches->at[i].name, plugin) == 0 &&
	       switches->at[i].off;
}

/* Adds the mount points of the plugins in a folder of the project. */
static struct cs_error *add_plugins(struct cs_ue_project *project,
	const struct plugin_switches *switches, const char *below, const struct cs_job *job)
{
	struct cs_arena *arena = &project->arena;
	struct cs_ue_files files;
	char *folder = cs_ue_join(arena, project->root, "/", below, (char *)NULL);
	if (!folder)
		return cs_error_nomem();
	cs_ue_settle_case(project->cases, folder, strlen(project->root));
	struct cs_error *error = cs_ue_find_files(folder, ".uplugin", "Content", job, &files);
	if (error)
		return error;
	bool good = true;
	for (size_t i = 0; good && i < files.paths.n; i++) {
		const char *name = stem_of(arena, files.paths.at[i]);
		const char *plugin = project_folder_of(arena, files.paths.at[i]);
		if (name && is_disabled(switches, name))
			cs_job_log(job, CS_LOG_INFO,
				"%s: the plugin %s is not read, because the project disables it",
				project->file, name);
		else
			good = name && plugin && add_mount(project, name, plugin);
	}
	cs_ue_files_deinit(&files);
	if (!good || !cs_sort(project->mounts.at + 1, project->mounts.n - 1,
			     sizeof(*project->mounts.at), by_mount, NULL))
		return cs_error_nomem();
	return NULL;
}

/* Adds the plugins in the folders that the engine searches or that the .uproject file lists. */
static struct cs_error *add_all_plugins(
	struct cs_ue_project *project, const json_t *root, const struct cs_job *job)
{
	size_t i;
	const json_t *item;
	struct plugin_switches switches;
	if (!read_switches(root, &project->arena, &switches))
		return cs_error_nomem();
	struct cs_error *error = add_plugins(project, &switches, "Plugins", job);
	if (!error)
		error = add_plugins(project, &switches, "Mods", job);
	json_array_foreach (json_object_get(root, "AdditionalPluginDirectories"), i, item) {
		const char *below = json_string_value(item);
		if (!error && below && cs_leaves_folder(below))
			cs_job_log(job, CS_LOG_WARNING,
				"%s: the plugins in %s are not read, because this folder is "
				"outside of the project's: link it below Plugins",
				project->file, below);
		else if (!error && below)
			error = add_plugins(project, &switches, below, job);
	}
	return error;
}

static struct cs_error *open_project(
	const char *path, const struct cs_job *job, struct cs_ue_project *project)
{
	struct cs_error *error = NULL;
	json_t *root = NULL;
	project->file = path;
	if (cs_ue_is_folder(path))
		error = find_project_file(path, project, &project->file);
	if (!error)
		error = read_project_json(project->file, job, &root);
	if (error)
		return error;
	project->root = project_folder_of(&project->arena, project->file);
	project->name = stem_of(&project->arena, project->file);
	project->file = cs_arena_copy(&project->arena, project->file);
	const bool good = project->root && project->name && project->file &&
			  add_mount(project, "Game", project->root);
	error = good ? add_all_plugins(project, root, job) : cs_error_nomem();
	json_decref(root);
	return error;
}

struct cs_error *cs_ue_project_open(
	const char *path, const struct cs_job *job, struct cs_ue_project *ret)
{
	struct cs_ue_project project = {.arena = CS_ARENA_INIT};
	project.cases = CS_ARENA_ARRAY(&project.arena, struct cs_ue_cases, 1);
	struct cs_error *error =
		project.cases ? open_project(path, job, &project) : cs_error_nomem();
	if (error)
		cs_ue_project_close(&project);
	else
		*ret = project;
	return error;
}

void cs_ue_project_close(struct cs_ue_project *project)
{
	cs_vec_free(&project->mounts);
	if (project->cases)
		cs_ue_cases_deinit(project->cases);
	cs_arena_deinit(&project->arena);
}

/* ---- package names and files ---- */

/* Returns whether every component of "/A/B" is a plain file name. */
static bool is_safe(const char *rest)
{
	while (*rest == '/') {
		size_t n = strcspn(++rest, "/");
		if (n == 0 || (n == 1 && rest[0] == '.') || (n == 2 && memcmp(rest, "..", 2) == 0))
			return false;
		if (strcspn(rest, "\\:*?\"<>|") < n)
			return false;
		rest += n;
	}
	return *rest == '\0';
}

/*
 * Returns the mount point of a package name, such as "/Game" for "/Game/X", and stores the part of
 * the name after it, "/X", in *rest_ret. Returns NULL if the project has no such mount point.
 */
static const struct cs_ue_mount *find_mount(
	const struct cs_ue_project *project, const char *package, const char **rest_ret)
{
	if (*package != '/')
		return NULL;
	size_t n = 1 + strcspn(package + 1, "/");
	for (size_t i = 0; i < project->mounts.n; i++) {
		const char *name = project->mounts.at[i].name;
		if (strlen(name) == n && cs_name_hash(name, n) == cs_name_hash(package, n)) {
			*rest_ret = package + n;
			return &project->mounts.at[i];
		}
	}
	return NULL;
}

const char *cs_ue_package_file(const struct cs_ue_project *project, struct cs_arena *arena,
	const char *package, const char *folder, const char *suffix)
{
	const char *rest;
	const struct cs_ue_mount *mount = find_mount(project, package, &rest);
	if (!mount || !*rest || !is_safe(rest))
		return "";
	char *file = cs_ue_join(
		arena, mount->folder, *folder ? "/" : "", folder, rest, suffix, (char *)NULL);
	if (file)
		cs_ue_settle_case(project->cases, file, strlen(mount->folder));
	return file;
}

const char *cs_ue_file_package(
	const struct cs_ue_project *project, struct cs_arena *arena, const char *file)
{
	for (size_t i = 0; i < project->mounts.n; i++) {
		const struct cs_ue_mount *mount = &project->mounts.at[i];
		size_t n = strlen(mount->folder);
		if (strncmp(file, mount->folder, n) != 0 || file[n] != '/')
			continue;
		const char *dot = strrchr(file + n, '.');
		size_t length = dot ? (size_t)(dot - file) - n : strlen(file + n);
		char *rest = cs_arena_text(arena, file + n, length);
		return rest ? cs_ue_join(arena, mount->name, rest, (char *)NULL) : NULL;
	}
	return "";
}

const char *cs_ue_package_of(struct cs_arena *arena, const char *object_path)
{
	return cs_arena_text(arena, object_path, strcspn(object_path, ".:"));
}
