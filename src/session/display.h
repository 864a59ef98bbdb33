/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface between the session and the full screen of src/tui. */
#pragma once

#include <cellscope/core.h>

/* The full screen. It is created by the first command that needs it, also in command files. */
struct screen;

struct watcher {
	/* Adds a line from a script or the prompt, and its output, to the screen's log. */
	void (*line_ran)(struct screen *screen, const char *line, const char *output, size_t n,
		const struct cs_error *error);
	/* Shows a message that would otherwise go to standard error and damage the picture. */
	void (*note)(struct screen *screen, const char *message);
	void (*progress)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	void (*free)(struct screen *screen);
};

struct display {
	struct screen *screen;         /* NULL until the first command that needs it */
	const struct watcher *watcher; /* callbacks of the screen */
	bool has_terminal; /* the screen controls the terminal; nothing else may write to it */
	bool wants_screen; /* the screen takes over the terminal after the running line */
	/*
	 * a view runs a line to read its rows whenever it is drawn, so the line must change nothing
	 */
	bool is_reading;
	/* program was started with --tui, so closing the last view ends it */
	bool ends_with_screen;
};
