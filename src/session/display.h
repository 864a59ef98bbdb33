/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the session knows of its screen. */
#pragma once

#include <cellscope/core.h>

/*
 * The screen of src/tui, as far as the session has to know it: it exists from the first command
 * that asks for it, in command files as well.
 */
struct screen;

struct watcher {
	/* A line has run from elsewhere than the screen: it belongs into its log. */
	void (*line_ran)(struct screen *screen, const char *line, const char *output, size_t n,
		const struct cs_error *error);
	/* What would have gone to standard error while the screen has the terminal. */
	void (*note)(struct screen *screen, const char *message);
	void (*progress)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	void (*free)(struct screen *screen);
};

struct display {
	struct screen *screen;         /* or NULL */
	const struct watcher *watcher; /* of the screen */
	bool has_terminal;             /* the screen does: nothing else writes to it */
	bool wants_screen;             /* the terminal goes to the screen behind this line */
	bool ends_with_screen; /* it was begun with the screen: its last view ends it, too */
};
