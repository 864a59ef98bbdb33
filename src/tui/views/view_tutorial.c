/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tutorial: a lesson names the keys to press, and waits for the line that they submit. Lessons
 * are rows of data. Submitting the line in another way also completes the lesson.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <string.h>

static const struct {
	const char *title, *text;
	const char *keys;  /* keys to press, as shown in the lesson */
	const char *lines; /* beginnings of command lines that end the lesson, separated by '|' */
} lessons[] = {
	{"The map",
		"This is a world from above: cells of a grid, a place each. One cursor "
		"stands on one of them, and every view and pane is about what it stands on. "
		"Move it.",
		"an arrow, or h j k l", "view cursor "},
	{"Somebody in it",
		"Cells load around streaming sources: players, cameras. There is none yet. "
		"S puts one where the cursor is; later it takes the source along, until "
		"Enter.",
		"S", "source add|view drag|source move"},
	{"Time",
		"Nothing has happened, for no frame has run. A dot runs one. Every key "
		"submits a line; you see it in the log above the key line, and could have "
		"typed it behind a colon.",
		".", "step|next|continue|play"},
	{"The next change",
		"n runs to the next frame in which something changes, N goes back to the "
		"one before. Space lets time run, and pauses it. Going back is exact: every "
		"frame is the same again.",
		"n, a few times", "next"},
	{"Why?",
		"A cell with a w waits, one with a dot is not wanted, # is there. Put the "
		"cursor on any and ask why it is as it is. It is the question that this "
		"program is for.",
		"y", "view why|view split why"},
	{"Back to the map", "Views lie on top of each other; q closes the one on top.", "q",
		"view close"},
	{"The queue",
		"Who is wanted and not there, in which order, what decided, and who has the "
		"slots of the budget. Enter opens what the cursor stands on, e and y "
		"explain it.",
		"u", "view queue"},
	{"Actors",
		"v and a letter opens a view: v a lists the actors, v c the cells, v m is "
		"the map. ? lists all keys of a view at any time, and what each submits.",
		"v a", "view actors"},
	{"Searching",
		"A slash asks for a text and goes to it; n then goes to the next. A "
		"backslash filters with SQL, o sorts, F counts. Search for Rock.",
		"/ Rock Enter", "view search "},
	{"How it came there",
		"e shows the rules that led an actor to its cell, one after the other, with "
		"what each looked at. W puts beside it what another setting would have made "
		"of it.",
		"e", "view explain|view split explain"},
	{"Layers",
		"L lists the data layers; x gives the one under the cursor its next state, i "
		"counts the cells that it would change, m shows them on the map.",
		"L, then x", "layer cycle"},
	{"Stopping",
		"b stops the run where the thing under the cursor changes, and marks it "
		"with a b; the same key takes the stop away. c runs until something stops "
		"it, C runs back.",
		"b", "toggle|break"},
	{"What has it cost?",
		"The timeline shows the frames as strips; the cursor is a frame, and what "
		"it cost stands below. x goes to the dearest, Enter to the frame itself.",
		"g t", "view timeline"},
	{"What is wrong with it?",
		"Findings are what the cook has found, and what it did about it. Enter "
		"opens one, and there its actors.",
		"f", "view findings"},
	{"That was all",
		"Q leads to the prompt, with everything as it is, and `tui` back here. P "
		"saves the screen into a file. V closes the tutorial when V follows it; ? "
		"has the rest.",
		"V V", "view split off"},
};

enum { LESSONS = sizeof(lessons) / sizeof(lessons[0]) };

static bool begins_with_one(const char *line, const char *beginnings)
{
	while (*beginnings) {
		size_t n = strcspn(beginnings, "|");
		if (strncmp(line, beginnings, n) == 0)
			return true;
		beginnings += n + (beginnings[n] == '|');
	}
	return false;
}

void tutorial_note(struct screen *screen, const char *line)
{
	bool is_open = screen->n_panes > 1 && pane_view(&screen->panes[1])->type == &view_tutorial;
	if (is_open && screen->lesson < LESSONS &&
		begins_with_one(line, lessons[screen->lesson].lines))
		screen->lesson++;
}

static struct cs_error *open_lessons(struct tui_view *view)
{
	view->screen->lesson = 0;
	return NULL;
}

/* Draws the current lesson; its keys are in the title, so that they are always visible. */
static void draw_lesson(struct tui_view *view, struct area area)
{
	size_t at = view->screen->lesson;
	at = at < LESSONS ? at : LESSONS - 1;
	int x = 1 + put_format(area, 1, 0, inks[INK_TITLE], "Lesson %zu of %d: %s", at + 1,
			    (int)LESSONS, lessons[at].title);
	x += 2 + put_text(area, x + 2, 0, inks[INK_DIM], "press  ");
	put_cut(area, x, 0, area.columns - x, inks[INK_KEY], lessons[at].keys);
	put_wrapped(area_part(area, 0, 1, area.columns - 1, area.rows - 1), 1, 0, inks[INK_NORMAL],
		lessons[at].text);
}

const struct view_type view_tutorial = {
	.name = "tutorial",
	.title = "Tutorial",
	.help = "ten minutes with the keys of the screen, a lesson at a time",
	.is_bare = true,
	.room = ROOM_ALL,
	.rows = 5,
	.open = open_lessons,
	.draw = draw_lesson,
	.object = view_no_object,
};
