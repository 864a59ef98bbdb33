/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises kinds of files, and opens each kind. */
#include "src/front/open.h"

#include <cellscope/compare.h>
#include <cellscope/ue.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum source_kind {
	SOURCE_COOKED,
	SOURCE_JSON,
	SOURCE_PROJECT,
	SOURCE_LOG,
	SOURCE_NANITE,
	SOURCE_PLACE
};

/* First byte of our container files, and offset of the byte with the kind: cellscope-format(5). */
enum { CONTAINER_SIGN = 0x89, AT_KIND = 32 };

static const char *const cooked_endings[] = {".umap", ".uasset", ".utoc", ".ucas", ".pak",
	".uzenasset", ".uexp", ".ubulk", ".uptnl", NULL};

/* Returns whether a file is a project, and not what macOS knows of one in a file of its own. */
static bool is_project(const struct dirent *entry)
{
	return cs_ends_with(entry->d_name, ".uproject") && strncmp(entry->d_name, "._", 2) != 0;
}

/* Returns true for a folder that contains a cooked map or a container but no project. */
static bool is_cooked_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool project = false;
	while (folder && (entry = readdir(folder)))
		project |= is_project(entry);
	if (folder)
		closedir(folder);
	return folder && !project && cs_ue_is_cooked_folder(path);
}

static const char *const mesh_endings[] = {".obj", ".ply", ".gltf", ".glb", ".fbx", ".stl", NULL};

/* Determines a file's kind by its name, or else its first bytes. Reading checks its contents. */
static struct cs_error *look_at_file(const char *path, enum source_kind *ret)
{
	struct stat st;
	char start[64] = "";
	if (stat(path, &st) < 0)
		return cs_error_errno(errno, path, "open");
	if (S_ISDIR(st.st_mode) || cs_ends_with(path, ".uproject")) {
		bool cooked = S_ISDIR(st.st_mode) && is_cooked_folder(path);
		*ret = cooked ? SOURCE_PLACE : SOURCE_PROJECT;
		return NULL;
	}
	if (!S_ISREG(st.st_mode))
		return cs_error_at(
			CS_E_NOTFILE, path, CS_NO_OFFSET, "the path is not a regular file");
	if (cs_ends_with_any(path, cooked_endings)) {
		*ret = SOURCE_PLACE;
		return NULL;
	}
	FILE *stream = fopen(path, "re");
	if (!stream)
		return cs_error_errno(errno, path, "open");
	size_t n = fread(start, 1, sizeof(start) - 1, stream);
	fclose(stream);
	bool container = n > 0 && (unsigned char)start[0] == CONTAINER_SIGN;
	if (cs_ends_with(path, ".cnanite") || (container && start[AT_KIND] == CS_KIND_CNANITE))
		*ret = SOURCE_NANITE;
	else if (cs_ends_with(path, ".cworld") || container)
		*ret = SOURCE_COOKED;
	else if (cs_ends_with_any(path, mesh_endings)) /* glTF is JSON, too */
		return cs_error_at(CS_E_WORLD, path, CS_NO_OFFSET,
			"the file is a triangle mesh, not a world: `nanite build` makes a Nanite "
			"resource from it");
	else if (cs_ends_with(path, ".json") || cs_ends_with(path, ".jsonl") ||
		 start[strspn(start, " \t\r\n")] == '{')
		*ret = SOURCE_JSON;
	else
		*ret = SOURCE_LOG;
	return NULL;
}

static struct cs_error *kind_of(const char *path, const char *map, enum source_kind *ret)
{
	struct cs_error *error = look_at_file(path, ret);
	if (!error && map && *ret != SOURCE_PROJECT && *ret != SOURCE_PLACE)
		return cs_error_at(CS_E_USAGE, path, CS_NO_OFFSET,
			"--map is for projects and cooked content, but this file "
			"contains one world");
	return error;
}

static struct cs_error *read_kind(struct session *session, enum source_kind kind, const char *path,
	const char *map, bool whole, struct cs_world **ret)
{
	const struct cs_job *job = &session->job;
	const struct cs_ue_options options = {.size = sizeof(options), .whole = whole};
	switch (kind) {
	case SOURCE_PROJECT:
		return cs_ue_open_project(path, map, &options, job, ret);
	case SOURCE_JSON:
		return cs_world_read_json(path, job, ret);
	case SOURCE_LOG:
		return cs_ue_open_log(path, job, ret);
	case SOURCE_NANITE:
		return cs_error_at(CS_E_WORLD, path, CS_NO_OFFSET,
			"the file is a Nanite resource, but a world is needed: to compare two "
			"resources, `open` both and give `diff` their names");
	case SOURCE_PLACE:
		return cs_error_at(CS_E_COOKED, path, CS_NO_OFFSET,
			"a package or cooked output of Unreal cannot be cooked again");
	default:
		return cs_error_at(CS_E_COOKED, path, CS_NO_OFFSET,
			"the world is already cooked: name its source (a .uproject, JSON or a "
			"log)");
	}
}

struct cs_error *source_read(struct session *session, const char *path, const char *map, bool whole,
	struct cs_world **ret)
{
	enum source_kind kind;
	struct cs_error *error = kind_of(path, map, &kind);
	return error ? error : read_kind(session, kind, path, map, whole, ret);
}

/* Returns the kind of a file; SOURCE_COOKED if it cannot be read. */
static enum source_kind kind_or_cooked(const char *path)
{
	enum source_kind kind = SOURCE_COOKED;
	cs_error_free(look_at_file(path, &kind));
	return kind;
}

/* Returns whether a file has the content of a log, or is too long to find out within the limits. */
static bool is_log(const char *path, const struct cs_job *job)
{
	struct cs_job silent = *job;
	struct cs_ue_log *log = NULL;
	silent.log = NULL;
	struct cs_error *error = cs_ue_read_log(path, &silent, &log);
	const bool ended = error && (error->code == CS_E_INTERRUPTED || error->code == CS_E_LIMIT);
	cs_error_free(error);
	cs_ue_log_free(log);
	return log || ended;
}

bool source_is_named(const char *path, const struct cs_job *job)
{
	static const char *const endings[] = {".uproject", ".json", ".jsonl", ".log", NULL};
	struct stat st;
	if (cs_ends_with_any(path, endings) || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return true;
	const enum source_kind kind = kind_or_cooked(path);
	return kind == SOURCE_JSON || (kind == SOURCE_LOG && is_log(path, job));
}

bool source_is_cooked(const char *path)
{
	return kind_or_cooked(path) == SOURCE_PLACE;
}

bool source_has_maps(const char *path)
{
	return source_is_cooked(path) || kind_or_cooked(path) == SOURCE_PROJECT;
}

struct cs_error *place_open(
	struct session *session, const char *path, const char *key, struct cs_ue_place **ret)
{
	struct cs_ue_key parsed = {.given = false};
	struct cs_error *error = key ? cs_ue_key_parse(key, &parsed) : NULL;
	return error ? error : cs_ue_place_open(path, &parsed, &session->job, ret);
}

struct cs_cook_options cook_options(const struct session *session)
{
	long profile = session->settings.at[SETTING_PROFILE];
	return (struct cs_cook_options){.size = sizeof(struct cs_cook_options),
		.profile =
			profile ? setting_choice(&setting_specs[SETTING_PROFILE], (size_t)profile)
				: NULL};
}

struct cs_error *world_cook(struct session *session, struct cs_world *world,
	const struct cs_cook_options *options, const char *name, struct opened *ret)
{
	struct opened opened = {.source = world};
	size_t size = 0;
	struct cs_error *error =
		cs_cook_in_memory(world, options, &session->job, &opened.bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(
			opened.bytes, size, name, &session->job, &opened.world);
	if (error)
		free(opened.bytes);
	else
		*ret = opened;
	return error;
}

/* Opens a cooked map and its place (folder or container). Without a map, ret->world is NULL. */
static struct cs_error *open_place_map(
	struct session *session, const char *path, const char *map, struct opened *ret)
{
	const struct place_options *typed = &session->files.cooked;
	const struct cs_ue_cooked_options options = {.size = sizeof(options),
		.engine = typed->engine,
		.usmap = typed->usmap,
		.names_alone = typed->names_alone};
	struct opened opened = {0};
	size_t size = 0;
	struct cs_error *error = place_open(session, path, typed->key, &opened.place);
	if (!error)
		error = cs_ue_place_open_map(
			opened.place, map, &options, &session->job, &opened.bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(
			opened.bytes, size, path, &session->job, &opened.world);
	if (error && error->code == CS_E_NOMAP && !map && opened.place) {
		/* no map to open, but the other files of the place can be inspected */
		if (session->job.log)
			session->job.log(session->job.context, CS_LOG_WARNING, error->message);
		cs_error_free(error);
		error = NULL;
		/* exit status 1 when none of the files can be read (Oodle or no key) */
		if (cs_ue_place_is_unreadable(opened.place))
			tally_status(&session->expected.tally, STATUS_NO);
	}
	if (error)
		opened_close(&opened);
	else
		*ret = opened;
	return error;
}

/* Opens a StreamingGeneration log of the engine as a world with the cells that the log lists. */
static struct cs_error *open_log(struct session *session, const char *path, struct opened *ret)
{
	struct opened opened = {0};
	size_t size = 0;
	struct cs_error *error = cs_ue_open_log_written(path, &session->job, &opened.bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(
			opened.bytes, size, path, &session->job, &opened.world);
	if (error)
		opened_close(&opened);
	else
		*ret = opened;
	return error;
}

struct cs_error *world_open(
	struct session *session, const char *path, const char *map, struct opened *ret)
{
	const struct cs_cook_options options = cook_options(session);
	struct cs_world *source;
	enum source_kind kind;
	struct cs_error *error = kind_of(path, map, &kind);
	if (!error && kind == SOURCE_COOKED) {
		*ret = (struct opened){0};
		return cs_cooked_open(path, &session->job, &ret->world);
	}
	if (!error && kind == SOURCE_LOG && !session->files.cooked.recook)
		return open_log(session, path, ret);
	if (!error && kind == SOURCE_PLACE) {
		error = open_place_map(session, path, map, ret);
		if (error || ret->world)
			return error;
		opened_close(ret);
		return cs_error_at(CS_E_NOMAP, path, CS_NO_OFFSET,
			"no map was opened: the warning above says why. If it lists several maps, "
			"choose one with --map");
	}
	if (!error)
		error = read_kind(session, kind, path, map, false, &source);
	if (error)
		return error;
	error = world_cook(session, source, &options, path, ret);
	if (error)
		cs_world_free(source);
	return error;
}

struct cs_error *mesh_open(struct session *session, const char *path, struct cs_model **ret)
{
	struct cs_ue_place *place;
	struct stat st;
	size_t file = 0;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return cs_error_at(CS_E_NOTFILE, path, CS_NO_OFFSET,
			"the path is a folder: name one of its meshes (.uasset), which `files` lists");
	struct cs_error *error = place_open(session, path, session->files.cooked.key, &place);
	if (error)
		return error;
	error = cs_ue_place_find(place, base_name(path), &file);
	if (!error)
		error = cs_ue_place_open_mesh(place, file, &session->job, ret);
	cs_ue_place_close(place);
	if (error)
		return error;
	/* the place knows the file by its name alone */
	free((*ret)->path);
	(*ret)->path = strdup(path);
	if (!(*ret)->path) {
		cs_model_free(*ret);
		error = cs_error_nomem();
	}
	return error;
}

/* Reads the Nanite resource of a mesh that the engine cooked, and adds it to the open ones. */
static struct cs_error *open_mesh(struct session *session, const char *path)
{
	struct cs_model *model;
	struct cs_error *error = mesh_open(session, path, &model);
	return error ? error : session_add_resource(session, model);
}

/*
 * Opens a mesh inside the open container, named by its path or package: "open SM_Rock.uasset".
 * Returns false when the container has no such mesh; otherwise *error_ret is the result of opening.
 */
static bool open_inside(struct session *session, const char *path, struct cs_error **error_ret)
{
	struct cs_model *model;
	struct stat st;
	size_t file, n;
	if (!session->files.opened.place || stat(path, &st) == 0)
		return false;
	struct cs_error *error = cs_ue_place_find(session->files.opened.place, path, &file);
	if (error) {
		cs_error_free(error);
		return false;
	}
	if (cs_ends_with(cs_ue_place_files(session->files.opened.place, &n)[file].path, ".umap"))
		return false;
	error = cs_ue_place_open_mesh(session->files.opened.place, file, &session->job, &model);
	*error_ret = error ? error : session_add_resource(session, model);
	return true;
}

struct cs_error *session_open(struct session *session, const char *path, const char *map)
{
	struct opened opened;
	enum source_kind kind;
	struct cs_error *error = NULL;
	if (open_inside(session, path, &error))
		return error;
	error = kind_of(path, map, &kind);
	if (!error && kind == SOURCE_NANITE) {
		struct cs_model *model;
		error = cs_model_open(path, &session->job, &model);
		return error ? error : session_add_resource(session, model);
	}
	if (!error && kind == SOURCE_PLACE &&
		(cs_ends_with(path, ".uasset") || cs_ends_with(path, ".uzenasset")))
		return open_mesh(session, path);
	char *copy = map ? strdup(map) : NULL;
	const bool beside = session->files.cooked.beside && session->world;
	if (!error && map && !copy)
		error = cs_error_nomem();
	if (!error)
		error = kind == SOURCE_PLACE ? open_place_map(session, path, map, &opened)
					     : world_open(session, path, map, &opened);
	if (!error)
		error = beside && opened.world ? session_show_beside(session, opened)
					       : session_show(session, opened, path);
	if (error || beside)
		free(copy);
	else
		session->files.map = copy;
	return error;
}

static int is_world_or_project(const struct dirent *entry)
{
	return is_project(entry) ||
	       (cs_ends_with(entry->d_name, ".cworld") && strncmp(entry->d_name, "._", 2) != 0);
}

struct cs_error *open_each(
	const char *path, struct cs_error *each(void *context, const char *file), void *context)
{
	struct dirent **entries = NULL;
	struct cs_error *error = NULL;
	bool project = false;
	int n = scandir(path, &entries, is_world_or_project, alphasort);
	for (int i = 0; i < n; i++)
		project |= is_project(entries[i]);
	if (n <= 0 || project)
		error = each(context, path);
	for (int i = 0; i < n; i++) {
		char *file = NULL;
		if (!error && !project && asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
			error = cs_error_nomem();
		else if (!error && !project)
			error = each(context, file);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return error;
}

/* ---- descriptions of what is open ---- */

static void note_count(struct output *out, const char *before, uint64_t n, const char *what)
{
	note(out, "%s%llu %s%s", before, (unsigned long long)n, what, plural_end(n));
}

static void say_resource(const struct session *session, struct output *out, uint32_t resource)
{
	const struct cs_model *model = cs_inspector_models(session->inspector).at[resource];
	note(out, "%s: ", model->name);
	note_count(out, "", model->n_pages, "page");
	note_count(out, ", ", model->n_clusters, "cluster");
	note_count(out, ", ", model->n_groups, "group");
	note_count(out, ", ", model->n_levels, "level");
	note_count(out, ", ", model->n_triangles, "triangle");
	note(out, "\n");
}

static bool has_assumed_range(const struct cs_cooked *world)
{
	for (size_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].flags & CS_PARTITION_ASSUMED)
			return true;
	return false;
}

void say_unreadable(const struct cs_ue_place *place, struct output *out, bool is_answer)
{
	void (*const tell)(struct output *, const char *, ...) = is_answer ? say : note;
	size_t n;
	const struct cs_ue_place_container *all = cs_ue_place_containers(place, &n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].locked)
			tell(out,
				"%s: the index is encrypted: give the AES key of the game with "
				"--key\n",
				all[i].path);
		else if (all[i].unreadable > 0)
			tell(out,
				"%s: %u of %u files cannot be read (packed with Oodle, or "
				"encrypted): give --oodle LIBRARY or --key KEY, or stage with "
				"-compressionformat=Zlib or none\n",
				all[i].path, all[i].unreadable, all[i].files);
	}
}

/* Prints the numbers of files and containers in a cooked folder or container that has no map. */
static void say_place(const struct session *session, struct output *out)
{
	size_t files, containers;
	cs_ue_place_files(session->files.opened.place, &files);
	cs_ue_place_containers(session->files.opened.place, &containers);
	note(out, "%s: ", session->files.path);
	note_count(out, "", files, "file");
	note_count(out, ", ", containers, "container");
	note(out, "; no map is open (`files` lists the files)\n");
	say_unreadable(session->files.opened.place, out, true);
}

/* Prints whether cells cooked from the descriptors of a log equal the cells in that log. */
static void say_recooked(const struct session *session, struct output *out)
{
	const struct cs_comparison *comparison = NULL;
	struct cs_ue_log *log = NULL;
	const struct cs_job silent = {.limits = session->job.limits,
		.interrupted = session->job.interrupted,
		.context = session->job.context};
	struct cs_error *error = cs_ue_read_log(session->files.path, &silent, &log);
	if (!error)
		error = cs_compare_engine(
			session->world, &(struct cs_engine_side){.log = log}, &comparison);
	note(out, "cooked with our rules from the descriptors of the log: %s\n",
		error ? "the log could not be read again"
		      : cs_word(CS_WORDS_VERDICT, comparison->verdict)->name);
	cs_error_free(error);
	cs_comparison_free(comparison);
	cs_ue_log_free(log);
}

static void say_world(
	const struct session *session, const struct opened *opened, struct output *out)
{
	const struct cs_cooked *world = opened->world;
	const struct cs_world *source = opened->source;
	const size_t unreadable = source ? cs_world_count(source).unreadable : 0;
	const char *profile = cs_cooked_text(world, world->world->profile);
	note(out, "%s: ", cs_cooked_text(world, world->world->name));
	note_count(out, "", world->n_cells, "cell");
	note_count(out, ", ", world->n_actors, "actor");
	const uint32_t levels = cs_cooked_level_instances(world);
	if (levels > 0)
		note_count(out, ", ", levels, "standalone level instance");
	note(out, ", profile %s%s\n", *profile ? profile : "unknown",
		world->world->flags & CS_WORLD_LOGGED ? ", as the log has it" : "");
	if (unreadable > 0) {
		note_count(out, "", unreadable, "package");
		note(out, " %s left out: see the warnings\n", unreadable == 1 ? "is" : "are");
	}
	if (world->world->flags & CS_WORLD_LOGGED)
		note(out, "open --recook cooks its descriptors with our rules\n");
	else if (world == session->world && source &&
		 strcmp(cs_cooked_text(world, world->world->source), "log") == 0)
		say_recooked(session, out);
	if (has_assumed_range(world))
		note(out, "loading ranges are assumed, because the source does not contain them: "
			  "see `grids`\n");
	if (cs_cooked_sums(world).lost > 0)
		note(out, "%zu actor%s dropped, in no cell: see `drops`\n",
			cs_cooked_sums(world).lost, plural_end(cs_cooked_sums(world).lost));
}

void say_opened(const struct session *session, struct output *out)
{
	for (uint32_t i = 0; i < cs_inspector_models(session->inspector).n; i++)
		say_resource(session, out, i);
	if (session->world)
		say_world(session, &session->files.opened, out);
	for (size_t i = 0; i < session->files.beside.n; i++)
		say_world(session, &session->files.beside.at[i], out);
}

struct cs_error *open_and_say(
	struct session *session, const char *path, const char *map, struct output *out)
{
	size_t before = cs_inspector_models(session->inspector).n, worlds = session->files.beside.n;
	struct cs_error *error = session_open(session, path, map);
	if (error)
		return error;
	if (cs_inspector_models(session->inspector).n > before)
		say_resource(session, out, (uint32_t)before);
	else if (session->files.beside.n > worlds)
		say_world(session, &session->files.beside.at[worlds], out);
	else if (session->world)
		say_world(session, &session->files.opened, out);
	else
		say_place(session, out);
	return NULL;
}
