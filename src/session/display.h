/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the session knows about the screen. */
#pragma once

#include <cellscope/core.h>

/*
 * The screen of src/tui, as far as the session uses it. The first command that needs it creates it,
 * in command files as well.
 */
struct screen;

struct watcher {
	/* Logs a line that did not come from the screen. */
	void (*line_ran)(struct screen *screen, const char *line, const char *output, size_t n,
		const struct cs_error *error);
	/* Shows what would go to standard error, while the screen has the terminal. */
	void (*note)(struct screen *screen, const char *message);
	void (*progress)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	void (*free)(struct screen *screen);
};

struct display {
	struct screen *screen;         /* the screen; NULL = not created yet */
	const struct watcher *watcher; /* callbacks of the screen */
	bool has_terminal;             /* the screen has the terminal: nothing else writes to it */
	bool wants_screen;             /* the screen gets the terminal after this line */
	/* the program was started with the screen, so closing the last view ends it */
	bool ends_with_screen;
};
