/* SPDX-License-Identifier: Apache-2.0 */
/* Adds texts and GUIDs of files to the world, and reports unreadable files. */
#include "ue/project/project_build.h"

#include "ue/project/actor_file.h"

#include <stdarg.h>
#include <stdio.h>

static uint32_t intern(struct cs_ue_build *build, const char *text)
{
	uint32_t offset = text ? cs_strings_add_z(&build->world->strings, text) : CS_NONE;
	build->no_memory |= offset == CS_NONE;
	return offset;
}

uint32_t cs_ue_intern(struct cs_ue_build *build, struct cs_ue_string string)
{
	return intern(
		build, cs_ue_string_is_none(string) ? "" : cs_ue_text(string, &build->scratch));
}

/* Adds a text to the world. Bytes that are not UTF-8, as in logs and file names, are converted. */
uint32_t cs_ue_intern_text(struct cs_ue_build *build, const char *text)
{
	size_t length = text ? strlen(text) : 0;
	if (!text || length >= INT32_MAX)
		return intern(build, text);
	struct cs_ue_string string = {(const unsigned char *)text, (int32_t)length + 1};
	return intern(build, cs_ue_text(string, &build->scratch));
}

uint32_t cs_ue_intern_path(struct cs_ue_build *build, const struct cs_ue_path *path)
{
	return intern(build, cs_ue_path_text(path, &build->scratch));
}

struct cs_range cs_ue_intern_strings(
	struct cs_ue_build *build, const struct cs_ue_list *list, uint32_t strings)
{
	struct cs_range range = {(uint32_t)build->world->texts.n, 0};
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < strings; i++) {
		uint32_t text = cs_ue_intern(build, cs_ue_read_string(&cursor));
		build->no_memory |= !cs_vec_push(&build->world->texts, text);
	}
	range.count = (uint32_t)build->world->texts.n - range.first;
	return range;
}

struct cs_range cs_ue_intern_guids(struct cs_ue_build *build, const struct cs_ue_list *list)
{
	struct cs_range range = {(uint32_t)build->world->guids.n, 0};
	struct cs_cursor cursor = cs_cursor_over(list->at, list->bytes, 0, NULL);
	for (uint32_t i = 0; i < list->n; i++) {
		struct cs_guid guid = cs_cursor_guid(&cursor);
		build->no_memory |= !cs_vec_push(&build->world->guids, guid);
	}
	range.count = (uint32_t)build->world->guids.n - range.first;
	return range;
}

const char *cs_ue_asset_file(
	struct cs_ue_build *build, struct cs_arena *arena, const char *object_path)
{
	const char *package = cs_ue_package_of(arena, object_path);
	if (!package)
		return NULL;
	return cs_ue_package_file(build->project, arena, package, "", ".uasset");
}

const char *cs_ue_redirection(struct cs_ue_build *build, const char *file, const char *class_name)
{
	struct cs_ue_package package;
	struct cs_error *error = cs_ue_package_open(file, &build->limits, &package);
	if (error) {
		cs_error_free(error);
		return NULL;
	}
	const bool redirects = cs_ue_export_of_class(&package, "ObjectRedirector") != NULL;
	const char *path = NULL;
	for (uint32_t i = 0; redirects && i < package.n_imports && !path; i++) {
		if (!cs_ends_with(package.imports[i].class_name.text, class_name))
			continue;
		path = cs_ue_object_path(&package, -(int32_t)i - 1);
		path = path ? cs_arena_copy(&build->arena, path) : NULL;
		build->no_memory |= !path;
	}
	cs_ue_package_close(&package);
	return path;
}

/* ---- warnings and unreadable files ---- */

void cs_ue_warn(struct cs_ue_build *build, const char *format, ...)
{
	char message[1024];
	va_list args;
	if (build->warnings > build->limits.findings)
		return;
	if (build->warnings++ == build->limits.findings) {
		cs_job_log(build->job, CS_LOG_WARNING,
			"there were more than %u warnings; the others are not shown",
			build->limits.findings);
		return;
	}
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	cs_job_log(build->job, CS_LOG_WARNING, "%s", message);
}

void cs_ue_count_damage(struct cs_ue_build *build, const struct cs_error *error, const char *file)
{
	size_t i = 0;
	while (i < build->damaged_assets.n && strcmp(build->damaged_assets.at[i], file) != 0)
		i++;
	if (i < build->damaged_assets.n || error->code == CS_E_NOFILE ||
		error->code == CS_E_DESCRIPTOR || error->code == CS_E_MISSING)
		return;
	const char *copy = cs_arena_copy(&build->arena, file);
	build->no_memory |= !copy || !cs_vec_push(&build->damaged_assets, copy);
	build->world->damaged++;
}

void cs_ue_warn_damage(struct cs_ue_build *build, const struct cs_error *error)
{
	char place[32] = "";
	if (error->offset != CS_NO_OFFSET)
		snprintf(place, sizeof(place), " at byte %llu", (unsigned long long)error->offset);
	build->world->damaged++;
	cs_ue_warn(build, "%s%s: %s: %s", error->file ? error->file : "", place,
		cs_word(CS_WORDS_CODE, error->code)->name, error->message);
}

struct cs_error *cs_ue_check_asset(struct cs_ue_build *build, const char *file)
{
	if (!build->whole || cs_strings_find(&build->checked, file, strlen(file)) != CS_NONE)
		return NULL;
	if (cs_strings_add_z(&build->checked, file) == CS_NONE)
		return cs_error_nomem();
	struct cs_error *error = cs_ue_find_damage(file, &build->limits);
	if (error && error->code != CS_E_NOMEM) {
		cs_ue_warn_damage(build, error);
		cs_error_free(error);
		return NULL;
	}
	return error;
}

void cs_ue_unreadable(struct cs_ue_build *build, struct cs_error *error)
{
	build->world->unreadable++;
	if (error->code == CS_E_LFS) {
		build->world->damaged++;
		/* only count them to report one line at the end: a project has none or thousands */
		build->lfs_pointers++;
		cs_job_log(build->job, CS_LOG_DEBUG,
			"%s: the file is only a pointer of Git LFS: `git lfs pull` fetches its "
			"content",
			error->file ? error->file : "");
	} else {
		cs_ue_warn_damage(build, error);
	}
	if (build->first_error)
		cs_error_free(error);
	else
		build->first_error = error;
}

struct cs_error *cs_ue_tolerate(struct cs_ue_build *build, struct cs_error *error)
{
	if (!error || error->code == CS_E_NOMEM)
		return error;
	cs_ue_unreadable(build, error);
	return NULL;
}

void cs_ue_warn_newer(struct cs_ue_build *build, const char *file)
{
	if (build->warned_newer)
		return;
	build->warned_newer = true;
	cs_ue_warn(build,
		"%s: an engine newer than 5.7 wrote the file, and the rules of 5.7 are used to "
		"read it: check the result",
		file);
}
