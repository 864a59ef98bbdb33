/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whatever holds a world. */
#ifndef SRC_OPEN_H
#define SRC_OPEN_H

#include "src/session.h"

#include <cellscope/cook.h>

/* A world that is not cooked yet; `map` chooses one of a project, or is NULL. */
struct cs_error *source_read(struct session *session, const char *path, const char *map,
	struct cs_world **ret) CS_MUST_USE;
/* The options of a cook that the session's settings ask for. */
struct cs_cook_options cook_options(const struct session *session);
/*
 * Opens the file as the session's world, cooking it in memory if need be; the one before stays
 * open when this fails.
 */
struct cs_error *session_open(
	struct session *session, const char *path, const char *map) CS_MUST_USE;

#endif
