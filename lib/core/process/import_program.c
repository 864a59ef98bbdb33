/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and starts the program cellscope-import. */
#include "core/import_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#define PROGRAM "cellscope-import"

/* Stores the program's folder, ending in a slash. Returns false if /proc does not report it. */
static bool own_folder(char folder[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	if (n <= 0)
		return false;
	folder[n] = '\0';
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[1] = '\0';
	return slash != NULL;
}

void cs_import_program(char *path)
{
	static const char *const beside[] = {PROGRAM, "../libexec/cellscope/" PROGRAM};
	const char *named = secure_getenv("CELLSCOPE_IMPORT");
	char folder[PATH_MAX];
	if (named && *named) {
		snprintf(path, PATH_MAX, "%s", named);
		return;
	}
	bool has_folder = own_folder(folder);
	for (size_t i = 0; has_folder && i < sizeof(beside) / sizeof(beside[0]); i++) {
		int n = snprintf(path, PATH_MAX, "%s%s", folder, beside[i]);
		if (n < PATH_MAX && access(path, X_OK) == 0)
			return;
	}
	snprintf(path, PATH_MAX, "%s", CS_LIBEXECDIR "/" PROGRAM);
}

/*
 * Adds the actions that set up the file descriptors of the started program: `in` and `out` become
 * its standard input and output, and its standard error is /dev/null.
 */
static int arrange(posix_spawn_file_actions_t *actions, int in, int out)
{
	int status = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
	if (status == 0 && in >= 0)
		status = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);
	else if (status == 0)
		status = posix_spawn_file_actions_addopen(
			actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (status == 0)
		status = posix_spawn_file_actions_addopen(
			actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	return status;
}

int cs_import_start(char *const *argv, int in, int out, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXCPU);
	if (posix_spawn_file_actions_init(&actions) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return ENOMEM;
	}
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int status = arrange(&actions, in, out);
	if (status == 0)
		status = posix_spawn(ret, argv[0], &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return status;
}

int cs_import_is_uncaged(void)
{
	const char *no_cage = secure_getenv("CELLSCOPE_NO_SANDBOX");
	return no_cage && *no_cage;
}
