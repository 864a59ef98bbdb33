/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides which files a command may write. A command may not overwrite its input files, nor the
 * file of an open world, Nanite resource or real run, of which there may be no copy, not even with
 * --force. An existing file may only be replaced by a file of the same kind.
 */
#include "src/session/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const char *left, const char *right)
{
	struct stat l, r;
	return left && right && stat(left, &l) == 0 && stat(right, &r) == 0 &&
	       l.st_dev == r.st_dev && l.st_ino == r.st_ino;
}

static struct cs_error *outputs_refuse(const char *path, const char *what)
{
	return cs_error_new(CS_E_USAGE, "%s is %s; name another file to write to", path, what);
}

/* ---- kinds of existing files ---- */

/* Returns the kind of a container file of cellscope, stored at AT_KIND (cellscope-format(5)). */
static const char *kind_of_container(const char *head, size_t n, const char *path)
{
	enum { AT_KIND = 32 };
	if (n <= AT_KIND)
		return cs_ends_with(path, ".cnanite") ? "cnanite" : "cworld";
	return head[AT_KIND] == CS_KIND_CNANITE ? "cnanite" : "cworld";
}

/* Returns the kind of a file by its first bytes, or for some kinds by its name's extension. */
static const char *kind_of_content(const char *head, size_t n, const char *path)
{
	static const struct {
		const char *start, *kind;
	} starts[] = {{"\x89PNG", "png"}, {"SQLite format 3", "sqlite"}, {"<!DOCTYPE html", "html"},
		{"ply", "mesh"}, {"glTF", "mesh"},
		{"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", "junit"},
		{"<svg", "svg"}};
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (strncasecmp(head, starts[i].start, strlen(starts[i].start)) == 0)
			return starts[i].kind;
	if (cs_ends_with(path, ".obj") || cs_ends_with(path, ".gltf"))
		return "mesh";
	if ((unsigned char)head[0] == 0x89)
		return kind_of_container(head, n, path);
	if (strstr(head, "\"cellscope_world\"") || cs_ends_with(path, ".uproject"))
		return "world";
	return strlen(head) < n ? "binary" : "text";
}

struct cs_error *check_replaced(
	const struct session *session, const char *path, const char *const *kinds)
{
	static const char *const text[] = {"text", NULL};
	char head[512] = "";
	struct stat st;
	if (session_is_on(session, SETTING_FORCE) || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	FILE *stream = fopen(path, "re");
	size_t n = stream ? fread(head, 1, sizeof(head) - 1, stream) : 0;
	if (stream)
		fclose(stream);
	if (n == 0)
		return NULL;
	const char *kind = kind_of_content(head, n, path);
	for (kinds = kinds ? kinds : text; *kinds; kinds++)
		if (strcmp(*kinds, kind) == 0)
			return NULL;
	return cs_error_at(CS_E_EXISTS, path, CS_NO_OFFSET,
		"the file exists and is of another kind (%s) than the command writes; --force "
		"replaces it",
		kind);
}

/* ---- files that a command names ---- */

static struct cs_error *check_inputs(const struct call *call, const char *path)
{
	for (size_t i = 0; call->command->arguments[i].name; i++) {
		if (call->command->arguments[i].type != ARGUMENT_FILE)
			continue;
		if (is_same_file(path, call->arguments[i].text))
			return outputs_refuse(path, "a file that the command reads");
	}
	return NULL;
}

static bool is_file_of_world(const struct opened *worlds, size_t n, const char *path)
{
	size_t i = 0;
	while (i < n && !is_same_file(path, cs_file_info(worlds[i].world->file).name))
		i++;
	return i < n;
}

static bool is_open_world(const struct session *session, const char *path)
{
	const struct open_files *files = &session->files;
	const struct run_state *run = &session->run;
	return is_same_file(path, files->path) ||
	       is_file_of_world(files->beside.at, files->beside.n, path) ||
	       is_file_of_world(run->parts.at, run->parts.n, path);
}

static bool is_open_resource(const struct session *session, const char *path)
{
	const struct cs_models models = cs_inspector_models(session->inspector);
	size_t i = 0;
	while (i < models.n && !is_same_file(path, models.at[i]->path))
		i++;
	return i < models.n;
}

/* Sets *ret to whether `run open` or `run follow` read the file. */
static struct cs_error *is_file_of_run(const struct session *session, const char *path, bool *ret)
{
	struct cs_result *files;
	struct cs_error *error = cs_query_select(
		session->query, "SELECT file FROM run_files", (struct cs_parameters){0}, &files);
	*ret = false;
	if (error)
		return error;
	for (size_t i = 0; i < cs_result_rows(files); i++)
		*ret |= is_same_file(path, cs_result_value(files, i, 0).text);
	cs_result_free(files);
	return NULL;
}

/* Returns an error if the file exists and something that is open was read from it. */
static struct cs_error *check_open_files(const struct session *session, const char *path)
{
	bool is_run = false;
	struct stat st;
	if (!path || stat(path, &st) < 0)
		return NULL;
	if (is_open_world(session, path))
		return outputs_refuse(path, "a world that is open (`close` closes it)");
	if (is_open_resource(session, path))
		return outputs_refuse(path, "a Nanite resource that is open (`close` closes it)");
	struct cs_error *error = is_file_of_run(session, path, &is_run);
	return is_run ? outputs_refuse(path, "a file of a run that is open (`run close` closes it)")
		      : error;
}

static struct cs_error *check_output(
	const struct call *call, const char *path, const char *const *kinds)
{
	struct cs_error *error = path ? check_inputs(call, path) : NULL;
	if (!error)
		error = check_open_files(call->session, path);
	if (!error && path)
		error = check_replaced(call->session, path, kinds);
	return error;
}

struct cs_error *check_outputs(const struct call *call, const char *into)
{
	const struct command *command = call->command;
	struct cs_error *error = check_output(call, into, NULL);
	for (size_t i = 0; !error && command->arguments[i].name; i++)
		if (command->arguments[i].type == ARGUMENT_OUTPUT)
			error = check_output(
				call, call->arguments[i].text, command->arguments[i].choices);
	const struct option_spec *option;
	for (size_t i = 0; !error && (option = option_at(command, i)); i++)
		if (option->type == ARGUMENT_OUTPUT)
			error = check_output(call, call->options[i].text, option->choices);
	return error;
}

/* Returns the real path of the folder of a file, which need not exist; or NULL. Caller frees. */
static char *real_folder(const char *path)
{
	char *file = realpath(path, NULL);
	const size_t n = (size_t)(base_name(path) - path);
	char *folder = file ? NULL : n ? strndup(path, n) : strdup(".");
	char *real = folder ? realpath(folder, NULL) : NULL;
	if (file) {
		char *end = strrchr(file, '/');
		end[end == file] = '\0';
		real = file;
	}
	free(folder);
	return real;
}

struct cs_error *check_inside(const struct session *session, const char *path)
{
	if (!session->mode.safe)
		return NULL;
	char *root =
		realpath(session->channels.place ? session->channels.place->folder : ".", NULL);
	char *folder = real_folder(path);
	size_t n = root ? strlen(root) : 0;
	bool is_inside = root && folder && strncmp(folder, root, n) == 0 &&
			 (folder[n] == '\0' || folder[n] == '/' || n == 1);
	free(root);
	free(folder);
	return is_inside ? NULL
			 : cs_error_new(CS_E_UNSAFE,
				   "%s is outside of the folder of the script, and --safe allows "
				   "writing only inside",
				   path);
}
