/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen on a terminal, through ncursesw: the last, thin layer. It shows what changed of the
 * grid and turns what is typed into the names of keys.
 */
#pragma once

#include "src/session/session.h"

/*
 * Runs until the screen is left or the session ends; returns the signal that ends the process, or
 * 0. E_USAGE, with the reason, when the terminal cannot show it: nothing was done to it then.
 */
struct cs_error *tui_run(struct session *session, int *signal_ret) CS_MUST_USE;
