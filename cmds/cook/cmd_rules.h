/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the rules for `help rule NUMBER`. */
#pragma once

#include "src/session/session.h"

struct cs_error *say_rule(struct output *out, const char *number) CS_MUST_USE;
