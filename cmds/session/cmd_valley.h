/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world of the lessons, which is part of the program. */
#ifndef CMDS_SESSION_CMD_VALLEY_H
#define CMDS_SESSION_CMD_VALLEY_H

#include "src/session/session.h"

/* Opens it as the session's world. */
struct cs_error *open_valley(struct session *session) CS_MUST_USE;

#endif
