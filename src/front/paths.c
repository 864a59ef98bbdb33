/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the places of the user's own files. */
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
	if (base && *base == '/') /* relative ones are to be ignored */
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
		mkdir(folder, 0700); /* the next open tells if there is still none */
		*slash = '/';
	}
	free(folder);
}
