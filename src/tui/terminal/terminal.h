/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows the screen on a terminal through ncursesw. It sends the cells of the grid that changed and
 * translates input into names of keys.
 */
#pragma once

#include "src/session/session.h"

/*
 * Runs until the user leaves the screen or the session ends; returns the signal that ends the
 * process, or 0. E_USAGE, with the reason, when the terminal cannot show a screen; it is left
 * unchanged then.
 */
struct cs_error *tui_run(struct session *session, int *signal_ret) CS_MUST_USE;
