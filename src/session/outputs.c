/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: what a command may write to. Its own input it may not: one slip of the fingers would cost
 * the only copy. The file of the open world only a command that makes a file of another may
 * replace.
 */
#include "src/session/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const char *left, const char *right)
{
	struct stat l, r;
	return left && right && stat(left, &l) == 0 && stat(right, &r) == 0 &&
	       l.st_dev == r.st_dev && l.st_ino == r.st_ino;
}

static struct cs_error *refuse(const char *path, const char *what)
{
	return cs_error_new(CS_E_USAGE, "%s is %s; name another file to write to", path, what);
}

static struct cs_error *check_inputs(const struct call *call, const char *path, bool *any)
{
	for (size_t i = 0; call->command->arguments[i].name; i++) {
		if (call->command->arguments[i].type != ARGUMENT_FILE)
			continue;
		*any = true;
		if (is_same_file(path, call->arguments[i].text))
			return refuse(path, "what the command reads");
	}
	return NULL;
}

static struct cs_error *check_output(const struct call *call, const char *path)
{
	bool any = false;
	struct cs_error *error = path ? check_inputs(call, path, &any) : NULL;
	if (!error && !any && is_same_file(path, call->session->files.path))
		error = refuse(path, "the world that is open");
	return error;
}

struct cs_error *check_outputs(const struct call *call, const char *into)
{
	const struct command *command = call->command;
	struct cs_error *error = check_output(call, into);
	for (size_t i = 0; !error && command->arguments[i].name; i++)
		if (command->arguments[i].type == ARGUMENT_OUTPUT)
			error = check_output(call, call->arguments[i].text);
	const struct option_spec *option;
	for (size_t i = 0; !error && (option = option_at(command, i)); i++)
		if (option->type == ARGUMENT_OUTPUT)
			error = check_output(call, call->options[i].text);
	return error;
}

/* The folder that holds the file, without links; NULL when it is not there. Freed by the caller. */
static char *real_folder(const char *path)
{
	char *file = realpath(path, NULL);
	const char *slash = strrchr(path, '/');
	char *folder = file    ? NULL
		       : slash ? strndup(path, (size_t)(slash - path) + 1)
			       : strdup(".");
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
				   "%s lies outside of the script's folder, and --safe is given",
				   path);
}
