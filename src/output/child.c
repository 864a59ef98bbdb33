/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs child processes that read what a command prints. */
#include "src/output/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void child_write(struct sink *sink, const char *bytes, size_t n)
{
	struct child_sink *child = (struct child_sink *)sink;
	while (n > 0 && !child->failed) {
		ssize_t written = write(child->fd, bytes, n);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			child->failed = errno;
			return;
		}
		bytes += written;
		n -= (size_t)written;
	}
}

static struct cs_error *child_failed(int number, const char *verb, const char *command)
{
	char action[300];
	snprintf(action, sizeof(action), "%s the command '%.250s'", verb, command);
	return cs_error_errno(number, NULL, action);
}

static struct cs_error *child_close(struct sink *sink)
{
	struct child_sink *child = (struct child_sink *)sink;
	int status = 0;
	close(child->fd);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (child->failed && child->failed != EPIPE)
		return child_failed(child->failed, "write to", child->command);
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		return cs_error_new(CS_E_PROCESS, "the command '%s' ended with exit status %d",
			child->command, WEXITSTATUS(status));
	const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (number && number != SIGINT && number != SIGPIPE)
		return cs_error_new(CS_E_PROCESS, "the command '%s' was ended by signal %d (%s)",
			child->command, number, strsignal(number));
	return NULL;
}

/* Returns the environment with `entry` (NAME=VALUE) in front; the caller frees the array only. */
static char **extended_environment(const char *entry)
{
	size_t n = 0;
	while (environ[n])
		n++;
	char **extended = calloc(n + 2, sizeof(*extended));
	if (extended) {
		extended[0] = (char *)entry;
		memcpy(extended + 1, environ, n * sizeof(*environ));
	}
	return extended;
}

/* Starts a shell. SIGPIPE and SIGINT have their default effect in it, unlike in this process. */
static int spawn_shell(const char *command, char **environment, int input, int output, int *pid)
{
	char *const argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	if (posix_spawn_file_actions_init(&actions) != 0)
		return ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		posix_spawn_file_actions_destroy(&actions);
		return ENOMEM;
	}
	int status = posix_spawn_file_actions_adddup2(&actions, input, 0);
	if (status == 0 && output >= 0)
		status = posix_spawn_file_actions_adddup2(&actions, output, 1);
	if (status == 0 && output >= 0)
		status = posix_spawn_file_actions_adddup2(&actions, output, 2);
	if (status == 0)
		status = posix_spawnattr_setsigdefault(&attributes, &defaults);
	if (status == 0)
		status = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (status == 0)
		status = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return status;
}

struct cs_error *child_sink_open(
	struct child_sink *child, const char *command, const char *environment, int output)
{
	int ends[2], pid;
	char **extended = environment ? extended_environment(environment) : environ;
	if (!extended)
		return cs_error_nomem();
	if (pipe2(ends, O_CLOEXEC) < 0) {
		if (extended != environ)
			free(extended);
		return cs_error_errno(errno, NULL, "make a pipe");
	}
	int status = spawn_shell(command, extended, ends[0], output, &pid);
	if (extended != environ)
		free(extended);
	close(ends[0]);
	if (status != 0) {
		close(ends[1]);
		return child_failed(status, "start", command);
	}
	*child = (struct child_sink){{child_write, child_close}, ends[1], pid, 0, ""};
	snprintf(child->command, sizeof(child->command), "%s", command);
	return NULL;
}
