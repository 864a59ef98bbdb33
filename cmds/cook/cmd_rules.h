/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `help rule NUMBER` prints. */
#pragma once

#include "src/session/session.h"

struct cs_error *say_rule(struct output *out, const char *number) CS_MUST_USE;
