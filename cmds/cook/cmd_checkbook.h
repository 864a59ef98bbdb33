/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of fixtures/checks that explain findings of validation (`help check TOKEN`). */
#pragma once

#include "src/session/session.h"

/* Prints the pages for the token of a finding, or the page with this name. */
struct cs_error *say_check(struct output *out, const char *token) CS_MUST_USE;
