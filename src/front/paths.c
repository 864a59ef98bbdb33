/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the paths of the user's configuration and state files. */
#include "src/front/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *user_path(const char *variable, const char *fallback, const char *name)
{
	const char *base = getenv(variable), *home = getenv("HOME");
	char *path = NULL;
	int n = -1;
	if (base && *base == '/') /* relative paths are ignored, as XDG requires */
		n = asprintf(&path, "%s/cellscope/%s", base, name);
	else if (home && *home)
		n = asprintf(&path, "%s/%s/cellscope/%s", home, fallback, name);
	return n < 0 ? NULL : path;
}

void make_folders_of(const char *path)
{
	char *folder = strdup(path);
	for (char *slash = folder; slash && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		/* ignores a failure, because opening the file then fails, too, and is reported */
		mkdir(folder, 0700);
		*slash = '/';
	}
	free(folder);
}

/* Returns a folder's path without symbolic links and with a final slash; freed by the caller. */
static char *real_folder_of(const char *folder)
{
	char *real = realpath(folder, NULL), *path = NULL;
	if (real && asprintf(&path, "%s%s", real, strcmp(real, "/") == 0 ? "" : "/") < 0)
		path = NULL;
	free(real);
	return path;
}

char *path_between(const char *folder, const char *file)
{
	char *from = real_folder_of(folder), *to = realpath(file, NULL), *path = NULL;
	size_t same = 0, up = 0;
	for (size_t i = 0; from && to && from[i] == to[i] && to[i]; i++)
		same = to[i] == '/' ? i + 1 : same;
	for (size_t i = same; from && from[i]; i++)
		up += from[i] == '/';
	if (from && to && (path = malloc(3 * up + strlen(to) + 1))) {
		for (size_t i = 0; i < up; i++)
			memcpy(path + 3 * i, "../", 3);
		memcpy(path + 3 * up, to + same, strlen(to + same) + 1);
	} else if (from && !to) {
		path = strdup(file);
	}
	free(from);
	free(to);
	return path;
}
