/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: telling the kinds of files apart, and opening each. */
#include "src/front/open.h"

#include <cellscope/ue.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum source_kind { SOURCE_COOKED, SOURCE_JSON, SOURCE_PROJECT, SOURCE_LOG, SOURCE_NANITE };

enum { CONTAINER_SIGN = 0x89, AT_KIND = 32 }; /* cellscope-format(5) */

static bool ends_in(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n >= m && strcmp(path + n - m, ending) == 0;
}

/*
 * By name where the name tells, else by the first bytes. Whoever reads it will say what is wrong.
 */
static struct cs_error *look_at(const char *path, enum source_kind *ret)
{
	struct stat st;
	char start[64] = "";
	if (stat(path, &st) < 0)
		return cs_error_errno(errno, path, "open");
	if (S_ISDIR(st.st_mode) || ends_in(path, ".uproject")) {
		*ret = SOURCE_PROJECT;
		return NULL;
	}
	if (!S_ISREG(st.st_mode))
		return cs_error_at(CS_E_NOTFILE, path, CS_NO_OFFSET, "not a regular file");
	if (ends_in(path, ".umap") || ends_in(path, ".uasset"))
		return cs_error_at(CS_E_PROJECT, path, CS_NO_OFFSET,
			"a package is read with its project, a map of which --map names");
	FILE *stream = fopen(path, "re");
	if (!stream)
		return cs_error_errno(errno, path, "open");
	size_t n = fread(start, 1, sizeof(start) - 1, stream);
	fclose(stream);
	bool container = n > 0 && (unsigned char)start[0] == CONTAINER_SIGN;
	if (ends_in(path, ".cnanite") || (container && start[AT_KIND] == CS_KIND_CNANITE))
		*ret = SOURCE_NANITE;
	else if (ends_in(path, ".cworld") || container)
		*ret = SOURCE_COOKED;
	else if (ends_in(path, ".json") || ends_in(path, ".jsonl") ||
		 start[strspn(start, " \t\r\n")] == '{')
		*ret = SOURCE_JSON;
	else
		*ret = SOURCE_LOG;
	return NULL;
}

static struct cs_error *kind_of(const char *path, const char *map, enum source_kind *ret)
{
	struct cs_error *error = look_at(path, ret);
	if (!error && map && *ret != SOURCE_PROJECT)
		return cs_error_at(CS_E_USAGE, path, CS_NO_OFFSET, "--map is for projects");
	return error;
}

static struct cs_error *read_kind(struct session *session, enum source_kind kind, const char *path,
	const char *map, struct cs_world **ret)
{
	const struct cs_job *job = &session->job;
	switch (kind) {
	case SOURCE_PROJECT:
		return cs_ue_open_project(path, map, NULL, job, ret);
	case SOURCE_JSON:
		return cs_world_read_json(path, job, ret);
	case SOURCE_LOG:
		return cs_ue_open_log(path, job, ret);
	case SOURCE_NANITE:
		return cs_error_at(
			CS_E_WORLD, path, CS_NO_OFFSET, "a Nanite resource, not a world");
	default:
		return cs_error_at(CS_E_WORLD, path, CS_NO_OFFSET, "the world is cooked already");
	}
}

struct cs_error *source_read(
	struct session *session, const char *path, const char *map, struct cs_world **ret)
{
	enum source_kind kind;
	struct cs_error *error = kind_of(path, map, &kind);
	return error ? error : read_kind(session, kind, path, map, ret);
}

bool source_is_named(const char *path)
{
	static const char *const endings[] = {".uproject", ".json", ".jsonl", ".log"};
	struct stat st;
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
		if (ends_in(path, endings[i]))
			return true;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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
	return (struct cs_cook_options){
		.profile = profile ? setting_specs[SETTING_PROFILE].choices[profile] : NULL};
}

/* The cooked bytes, as they would stand in a file. */
static struct cs_error *cook_in_memory(struct session *session, const struct cs_world *world,
	const struct cs_cook_options *options, unsigned char **bytes_ret, size_t *size_ret)
{
	struct cs_cook *cook;
	struct cs_error *error = cs_cook(world, options, &session->job, &cook);
	if (error)
		return error;
	error = cs_cook_bytes(cook, bytes_ret, size_ret);
	cs_cook_free(cook);
	return error;
}

struct cs_error *world_cook(struct session *session, struct cs_world *world,
	const struct cs_cook_options *options, const char *name, struct opened *ret)
{
	struct opened opened = {.source = world};
	size_t size = 0;
	struct cs_error *error = cook_in_memory(session, world, options, &opened.bytes, &size);
	if (!error)
		error = cs_cooked_open_bytes(
			opened.bytes, size, name, &session->job, &opened.world);
	if (error)
		free(opened.bytes);
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
	if (!error)
		error = read_kind(session, kind, path, map, &source);
	if (error)
		return error;
	error = world_cook(session, source, &options, path, ret);
	if (error)
		cs_world_free(source);
	return error;
}

static struct cs_error *open_resource(struct session *session, const char *path)
{
	struct cs_model *model;
	struct cs_error *error = cs_model_open(path, &session->job, &model);
	return error ? error : session_add_resource(session, model);
}

struct cs_error *session_open(struct session *session, const char *path, const char *map)
{
	struct opened opened;
	enum source_kind kind;
	struct cs_error *error = kind_of(path, map, &kind);
	if (!error && kind == SOURCE_NANITE)
		return open_resource(session, path);
	char *copy = map ? strdup(map) : NULL;
	if (!error && map && !copy)
		error = cs_error_nomem();
	if (!error)
		error = world_open(session, path, map, &opened);
	if (!error)
		error = session_show(session, opened, path);
	if (error)
		free(copy);
	else
		session->map = copy;
	return error;
}

/* ---- what is open ---- */

static void note_count(struct output *out, const char *before, uint64_t n, const char *what)
{
	note(out, "%s%llu %s%s", before, (unsigned long long)n, what, n == 1 ? "" : "s");
}

static void say_resource(const struct session *session, struct output *out, uint32_t resource)
{
	const struct cs_model *m = cs_inspector_at(session->inspector, resource);
	note(out, "%s: ", m->name);
	note_count(out, "", m->n_pages, "page");
	note_count(out, ", ", m->n_clusters, "cluster");
	note_count(out, ", ", m->n_groups, "group");
	note_count(out, ", ", m->n_levels, "level");
	note_count(out, ", ", m->n_triangles, "triangle");
	note(out, "\n");
}

static bool has_assumed_range(const struct cs_cooked *world)
{
	for (size_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].flags & CS_PARTITION_ASSUMED)
			return true;
	return false;
}

static void say_world(const struct session *session, struct output *out)
{
	const struct cs_cooked *world = session->world;
	const struct cs_world *source = session->opened.source;
	const size_t unreadable = source ? cs_world_count(source).unreadable : 0;
	note(out, "%s: ", cs_cooked_text(world, world->world->name));
	note_count(out, "", world->n_cells, "cell");
	note_count(out, ", ", cs_file_rows(world->file, CS_TABLE_ACTORS), "actor");
	note(out, ", profile %s\n", cs_cooked_text(world, world->world->profile));
	if (unreadable > 0) {
		note_count(out, "", unreadable, "package");
		note(out, " could not be read: see the warnings\n");
	}
	if (has_assumed_range(world))
		note(out, "loading ranges are assumed, the source does not say them: see grids\n");
	if (world->n_drops > 0)
		note(out, "%zu dropped, in no cell: see drops\n", world->n_drops);
}

void say_opened(const struct session *session, struct output *out)
{
	for (uint32_t i = 0; i < cs_inspector_count(session->inspector); i++)
		say_resource(session, out, i);
	if (session->world)
		say_world(session, out);
}

struct cs_error *open_and_say(
	struct session *session, const char *path, const char *map, struct output *out)
{
	size_t before = cs_inspector_count(session->inspector);
	struct cs_error *error = session_open(session, path, map);
	if (error)
		return error;
	if (cs_inspector_count(session->inspector) > before)
		say_resource(session, out, (uint32_t)before);
	else
		say_world(session, out);
	return NULL;
}
