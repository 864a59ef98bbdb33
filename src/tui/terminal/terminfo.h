/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal can do. */
#pragma once

#include <cellscope/core.h>

/* E_USAGE with the reason when it cannot show a screen. */
struct cs_error *terminfo_check(void) CS_MUST_USE;
/* What brings it back where the program can no longer do it; never freed. */
/* Whether it tells of the mouse, and then also of what is pasted. */
bool terminfo_has_mouse(void);
const char *terminfo_restoring(void);
