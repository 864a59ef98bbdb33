/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the screen with ncursesw: sends changed cells, and translates input to names of keys. */
#pragma once

#include "src/session/session.h"

/*
 * Shows the screen until the user leaves it or the session ends. *signal_ret is the signal that
 * ends the process, or 0. Returns E_USAGE, with the reason, when the terminal cannot show a screen;
 * the terminal is then left unchanged.
 */
struct cs_error *tui_run(struct session *session, int *signal_ret) CS_MUST_USE;
