/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening whatever holds a world. */
#ifndef SRC_OPEN_H
#define SRC_OPEN_H

#include "src/session.h"

/* Opens the file as the session's world; the one before stays open when this fails. */
struct cs_error *session_open(
	struct session *session, const char *path, const char *map) CS_MUST_USE;

#endif
