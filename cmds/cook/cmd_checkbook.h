/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints pages of fixtures/checks, which explain findings (command `help check TOKEN`). */
#pragma once

#include "src/session/session.h"

/* Prints the pages about the check with this token. `token` may also be the name of a page. */
struct cs_error *say_check(struct output *out, const char *token) CS_MUST_USE;
