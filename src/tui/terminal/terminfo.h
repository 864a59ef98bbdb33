/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capabilities of the terminal. */
#pragma once

#include <cellscope/core.h>

/* Returns E_USAGE, with the reason, when the terminal lacks a capability that the screen needs. */
struct cs_error *terminfo_check(void) CS_MUST_USE;
/* Returns whether the terminal reports the mouse; such terminals also mark pasted text. */
bool terminfo_has_mouse(void);
/* Returns escape sequences that restore the terminal after a crash; static storage. */
const char *terminfo_restoring(void);
