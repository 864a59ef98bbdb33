/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in fixtures/valley.json, written to an unnamed file for the JSON reader. */
#include "cmds/session/cmd_valley.h"
#include "src/front/open.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static const unsigned char valley[] = {
#include "cmds/valley.inc"
};

static struct cs_error *put_valley(int fd)
{
	for (size_t done = 0; done < sizeof(valley);) {
		ssize_t n = write(fd, valley + done, sizeof(valley) - done);
		if (n <= 0)
			return cs_error_errno(
				errno, NULL, "write the built-in example world to memory");
		done += (size_t)n;
	}
	return NULL;
}

struct cs_error *open_valley(struct session *session)
{
	char path[64];
	struct cs_world *source = NULL;
	struct opened opened = {0};
	const struct cs_cook_options options = cook_options(session);
	int fd = memfd_create("valley", MFD_CLOEXEC);
	if (fd < 0)
		return cs_error_errno(
			errno, NULL, "create a file in memory for the built-in example world");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct cs_error *error = put_valley(fd);
	if (!error)
		error = cs_world_read_json(path, &session->job, &source);
	if (!error)
		error = world_cook(session, source, &options, "valley", &opened);
	close(fd);
	if (!error)
		return session_show(session, opened, "valley");
	cs_world_free(source);
	return error;
}
