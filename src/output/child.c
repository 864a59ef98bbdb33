/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs child processes that read what a command prints, and holds what they print themselves. */
#include "src/output/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_HELD = 16 << 20 };

/* Ends the holding of output. A child that prints more gets SIGPIPE. */
static void stop_holding(struct child_sink *child)
{
	if (child->from >= 0)
		close(child->from);
	child->from = -1;
}

/* Reads output that is there. */
static void hold_some(struct child_sink *child)
{
	char bytes[64 << 10];
	const ssize_t n = read(child->from, bytes, sizeof(bytes));
	if (n < 0 && errno == EINTR)
		return;
	child->exceeds = n > 0 && child->held.n + (size_t)n > MOST_HELD;
	if (n > 0 && !child->exceeds && cs_vec_append(&child->held, bytes, (size_t)n))
		return;
	if (n > 0 && !child->exceeds)
		child->failed = ENOMEM;
	stop_holding(child);
}

/*
 * Holds output of the child until it can be written to. Returns how much to write of n bytes: as
 * long as output is held, no more than fits, since a child that waits for us reads nothing.
 */
static size_t wait_for_room(struct child_sink *child, size_t n)
{
	while (child->from >= 0) {
		struct pollfd ends[] = {{child->fd, POLLOUT, 0}, {child->from, POLLIN, 0}};
		if (poll(ends, 2, -1) < 0)
			continue;
		if (ends[1].revents)
			hold_some(child);
		if (ends[0].revents)
			return n < PIPE_BUF ? n : PIPE_BUF;
	}
	return n;
}

static void child_write(struct sink *sink, const char *bytes, size_t n)
{
	struct child_sink *child = (struct child_sink *)sink;
	while (n > 0 && !child->failed) {
		ssize_t written = write(child->fd, bytes, wait_for_room(child, n));
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

/*
 * Holds the rest of the output and waits for the end of the child; returns its status. Processes
 * that the child leaves behind may have its output open, and are not waited for.
 */
static int wait_for_end(struct child_sink *child)
{
	enum { MILLISECONDS = 20 };
	int status = 0;
	bool ended = false;
	while (child->from >= 0) {
		struct pollfd end = {child->from, POLLIN, 0};
		if (poll(&end, 1, ended ? 0 : MILLISECONDS) > 0)
			hold_some(child);
		else if (ended)
			stop_holding(child);
		else
			ended = waitpid(child->pid, &status, WNOHANG) != 0;
	}
	while (!ended && waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static struct cs_error *child_close(struct sink *sink)
{
	struct child_sink *child = (struct child_sink *)sink;
	close(child->fd);
	const int status = wait_for_end(child);
	if (child->exceeds) {
		cs_vec_free(&child->held);
		return cs_error_new(CS_E_LIMIT,
			"the command '%s' prints more than the limit of %d bytes: write "
			"`| COMMAND > FILE`, or let it print less",
			child->command, MOST_HELD);
	}
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

/*
 * Starts a shell whose descriptors 0 to 2 are `ends`, or ours where these are negative. SIGPIPE and
 * SIGINT have their default effect in it, unlike in this process.
 */
static int spawn_shell(const char *command, char **environment, const int ends[3], int *pid)
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
	int status = 0;
	for (int i = 0; i < 3 && status == 0; i++)
		if (ends[i] >= 0)
			status = posix_spawn_file_actions_adddup2(&actions, ends[i], i);
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

static void close_both(const int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

struct cs_error *child_sink_open(struct child_sink *child, const char *command,
	const char *environment, enum child_prints prints)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, pid;
	char **extended = environment ? extended_environment(environment) : environ;
	if (!extended)
		return cs_error_nomem();
	int status = 0;
	if (pipe2(in, O_CLOEXEC) < 0 || (prints != CHILD_PRINTS && pipe2(out, O_CLOEXEC) < 0))
		status = errno;
	const int ends[] = {in[0], out[1], prints == CHILD_PRINTS_NOTHING ? out[1] : -1};
	if (status == 0)
		status = spawn_shell(command, extended, ends, &pid);
	if (extended != environ)
		free(extended);
	if (status != 0) {
		close_both(in);
		close_both(out);
		return child_failed(status, "start", command);
	}
	close(in[0]);
	if (out[1] >= 0)
		close(out[1]);
	*child = (struct child_sink){
		.sink = {child_write, child_close}, .fd = in[1], .pid = pid, .from = out[0]};
	snprintf(child->command, sizeof(child->command), "%s", command);
	return NULL;
}
