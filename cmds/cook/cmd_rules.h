/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `help rule NUMBER` prints. */
#ifndef CMDS_COOK_CMD_RULES_H
#define CMDS_COOK_CMD_RULES_H

#include "src/session/session.h"

struct cs_error *say_rule(struct output *out, const char *number) CS_MUST_USE;

#endif
