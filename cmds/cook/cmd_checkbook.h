/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pages of fixtures/checks, which are compiled into the program: `help check TOKEN` prints
 * them.
 */
#pragma once

#include "src/session/session.h"

/* Prints the pages of a token, as findings name it, or a page by its name. */
struct cs_error *say_check(struct output *out, const char *token) CS_MUST_USE;
