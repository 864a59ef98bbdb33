/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Capabilities of the terminal. */
#pragma once

#include <cellscope/core.h>

/* Returns E_USAGE, with the reason, when the terminal cannot show a screen. */
struct cs_error *terminfo_check(void) CS_MUST_USE;
/* Returns whether the terminal reports the mouse; it then also marks pasted text. */
bool terminfo_has_mouse(void);
/* Returns the bytes that restore the terminal when the program crashes; never freed. */
const char *terminfo_restoring(void);
