/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: opening a cooked world. */
#include "src/open.h"

struct cs_error *session_open(struct session *session, const char *path, const char *map)
{
	struct cs_cooked *world;
	(void)map;
	struct cs_error *error = cs_cooked_open(path, &session->job, &world);
	return error ? error : session_show(session, world, NULL, path);
}
