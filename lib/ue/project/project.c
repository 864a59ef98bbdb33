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

/* Reads the JSON of a file of a `kind`, ".uproject" or ".uplugin". */
static struct cs_error *read_project_json(
	const char *path, const char *kind, const struct cs_job *job, json_t **ret)
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
			"the file is not a %s: %s", kind, root ? "not a JSON object" : at.text);
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

/* A plugin that was found in the project, and what the project file and its own file say of it. */
struct plugin {
	const char *name, *folder;
	const json_t *needs; /* list "Plugins" of its file: the plugins that it enables; or NULL */
	const char *problem; /* why its file cannot be read, or NULL */
	bool is_default_off; /* its file says that it is off where nothing enables it */
	bool is_disabled;    /* the project disables it, so that no game has its content */
	bool is_on;
};

struct plugins {
	CS_VEC(struct plugin) list; /* sorted by name */
	CS_VEC(json_t *) files;     /* own the lists of `needs` */
	CS_VEC(size_t) pending;     /* plugins that are on and whose `needs` are not yet on */
};

static void plugins_deinit(struct plugins *plugins)
{
	for (size_t i = 0; i < plugins->files.n; i++)
		json_decref(plugins->files.at[i]);
	cs_vec_free(&plugins->list);
	cs_vec_free(&plugins->files);
	cs_vec_free(&plugins->pending);
}

static int by_plugin(const void *left, const void *right, void *context)
{
	(void)context;
	const struct plugin *l = left, *r = right;
	const int by_name = cs_name_compare(l->name, r->name);
	return by_name ? by_name : strcmp(l->folder, r->folder);
}

/* Reads the file of a plugin. One that cannot be read is a problem of the plugin, not an error. */
static struct cs_error *read_plugin(struct cs_arena *arena, const char *path,
	const struct cs_job *job, struct plugins *plugins, struct plugin *plugin)
{
	json_t *root;
	struct cs_error *error = read_project_json(path, ".uplugin", job, &root);
	if (error && error->code == CS_E_NOMEM)
		return error;
	if (error) {
		plugin->problem = cs_ue_join(arena, path,
			": the plugin counts as enabled, because ", error->message, (char *)NULL);
		cs_error_free(error);
		return plugin->problem ? NULL : cs_error_nomem();
	}
	if (!cs_vec_push(&plugins->files, root)) {
		json_decref(root);
		return cs_error_nomem();
	}
	plugin->needs = json_object_get(root, "Plugins");
	plugin->is_default_off = json_is_false(json_object_get(root, "EnabledByDefault"));
	return NULL;
}

/* Finds the plugins in a folder of the project. */
static struct cs_error *find_plugins(struct cs_ue_project *project, const char *below,
	const struct cs_job *job, struct plugins *plugins)
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
	for (size_t i = 0; !error && i < files.paths.n; i++) {
		const char *path = files.paths.at[i];
		struct plugin plugin = {
			.name = stem_of(arena, path), .folder = project_folder_of(arena, path)};
		error = read_plugin(arena, path, job, plugins, &plugin);
		if (!error &&
			(!plugin.name || !plugin.folder || !cs_vec_push(&plugins->list, plugin)))
			error = cs_error_nomem();
	}
	cs_ue_files_deinit(&files);
	return error;
}

/* Finds the plugins in the folders that the engine searches or that the .uproject file lists. */
static struct cs_error *find_all_plugins(struct cs_ue_project *project, const json_t *root,
	const struct cs_job *job, struct plugins *plugins)
{
	size_t i;
	const json_t *item;
	struct cs_error *error = find_plugins(project, "Plugins", job, plugins);
	if (!error)
		error = find_plugins(project, "Mods", job, plugins);
	json_array_foreach (json_object_get(root, "AdditionalPluginDirectories"), i, item) {
		const char *below = json_string_value(item);
		if (!error && below && cs_leaves_folder(below))
			cs_job_log(job, CS_LOG_WARNING,
				"%s: the plugins in %s are not read, because this folder is "
				"outside of the project's: link it below Plugins",
				project->file, below);
		else if (!error && below)
			error = find_plugins(project, below, job, plugins);
	}
	if (!error && !cs_sort(plugins->list.at, plugins->list.n, sizeof(*plugins->list.at),
			      by_plugin, NULL))
		error = cs_error_nomem();
	return error;
}

/* Turns on what a list "Plugins" enables; in the list of the project, disables what it disables. */
static bool switch_plugins(struct plugins *plugins, const json_t *list, bool is_project)
{
	size_t i;
	const json_t *item;
	bool good = true;
	json_array_foreach (list, i, item) {
		const char *name = json_string_value(json_object_get(item, "Name"));
		const bool on = !json_is_false(json_object_get(item, "Enabled"));
		size_t k = !name ? plugins->list.n
				 : cs_lower_bound(0, plugins->list.n, m,
					   cs_name_compare(plugins->list.at[m].name, name) < 0);
		for (; k < plugins->list.n; k++) {
			struct plugin *plugin = &plugins->list.at[k];
			if (cs_name_compare(plugin->name, name) != 0)
				break;
			plugin->is_disabled |= is_project && !on;
			if (!on || plugin->is_on || plugin->is_disabled)
				continue;
			plugin->is_on = true;
			good = good && cs_vec_push(&plugins->pending, k);
		}
	}
	return good;
}

/* Turns on the plugins of the project, those that are on by default, and what these need. */
static bool decide_plugins(struct plugins *plugins, const json_t *root)
{
	bool good = switch_plugins(plugins, json_object_get(root, "Plugins"), true);
	for (size_t i = 0; good && i < plugins->list.n; i++) {
		struct plugin *plugin = &plugins->list.at[i];
		if (plugin->is_on || plugin->is_disabled || plugin->is_default_off)
			continue;
		plugin->is_on = true;
		good = cs_vec_push(&plugins->pending, i);
	}
	while (good && plugins->pending.n > 0) {
		const size_t next = plugins->pending.at[--plugins->pending.n];
		good = switch_plugins(plugins, plugins->list.at[next].needs, false);
	}
	return good;
}

/* Adds the mount points of the plugins that are on, and tells of the others. */
static bool mount_plugins(
	struct cs_ue_project *project, const struct plugins *plugins, const struct cs_job *job)
{
	const char *first = NULL;
	size_t n_off = 0;
	bool good = true;
	for (size_t i = 0; good && i < plugins->list.n; i++) {
		const struct plugin *plugin = &plugins->list.at[i];
		if (i > 0 && strcmp(plugin->folder, plugin[-1].folder) == 0)
			continue; /* another searched folder has it, too */
		if (plugin->is_on && plugin->problem)
			cs_job_log(job, CS_LOG_WARNING, "%s", plugin->problem);
		if (plugin->is_on) {
			good = add_mount(project, plugin->name, plugin->folder);
		} else if (plugin->is_disabled) {
			cs_job_log(job, CS_LOG_INFO,
				"%s: the plugin %s is not read, because the project disables it",
				project->file, plugin->name);
		} else {
			first = first ? first : plugin->name;
			n_off++;
		}
	}
	if (n_off > 0)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: %zu plugin%s not read, the first is %s: EnabledByDefault is false, "
			"and neither the project nor a plugin enables %s",
			project->file, n_off, n_off == 1 ? " is" : "s are", first,
			n_off == 1 ? "it" : "them");
	return good && cs_sort(project->mounts.at + 1, project->mounts.n - 1,
			       sizeof(*project->mounts.at), by_mount, NULL);
}

static struct cs_error *add_all_plugins(
	struct cs_ue_project *project, const json_t *root, const struct cs_job *job)
{
	struct plugins plugins = {.list = {.n = 0}};
	struct cs_error *error = find_all_plugins(project, root, job, &plugins);
	if (!error && (!decide_plugins(&plugins, root) || !mount_plugins(project, &plugins, job)))
		error = cs_error_nomem();
	plugins_deinit(&plugins);
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
		error = read_project_json(project->file, ".uproject", job, &root);
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
