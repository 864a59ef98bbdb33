/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen of a session: panes with their views, the log, the command line, and the grid that
 * all of it is drawn into. It exists without a terminal; terminal.h shows it on one.
 *
 *	struct screen *screen;
 *	screen_of(session, &screen);                 80x24, ASCII, no colours, until told otherwise
 *	screen_key(screen, "v"), screen_key(screen, "c");
 *	screen_draw(screen);
 *	grid_export(&screen->grid, EXPORT_TEXT, 0, sink);
 *
 * A key never acts by itself: it submits a command line, and what happens is the command's doing.
 */
#pragma once

#include "src/tui/view.h"

enum { MOST_PANES = 2, KEY_NAME = 16 };

enum split { SPLIT_AUTO, SPLIT_BESIDE, SPLIT_BELOW };

struct pane {
	CS_VEC(struct tui_view *) stack; /* views of the pane; the last one is visible */
	bool follows; /* its view shows the object under the cursor of the other pane */
};

struct log_line {
	char *text; /* text of the line, escaped; owned */
	uint8_t ink;
	/* the command only moved the view, so the next such command replaces this line */
	bool only_moves;
};

/* The command line while the user edits it. */
struct prompt {
	bool is_open;
	CS_VEC(char) text; /* UTF-8, without a final NUL */
	size_t at;         /* offset of the cursor in bytes */
	/* how many lines back in the history the prompt is; 0 = the line being typed */
	size_t recalls;
	bool seeks; /* after C-r: the text is searched in the history */
	char pattern[64];
	char *pasted; /* pasted lines that wait for an answer; owned, or NULL */
};

struct told_error {
	char text[160];
	enum cs_code code;
};

/* Keys that do not form a command yet. */
struct typed {
	char pending[64];       /* keys pressed so far that begin a sequence */
	char pressed[KEY_NAME]; /* last key of the sequence that was completed last */
	unsigned count;         /* count before a key that moves the cursor; 0 = none */
	bool was_unknown;       /* the last key does nothing in this view, and a message says so */
};

struct playing {
	double rate; /* virtual seconds that pass in each second of real time; 0 = paused */
	double owed; /* frames due but not run yet */
};

/* Callbacks of the terminal, where there is one; lines may call them while they run. */
struct terminal_hooks {
	void (*tell_line)(struct screen *screen, const char *line);
	void (*tell_phase)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	int (*run_shell)(struct screen *screen, const char *line);
};

/* What is known of the running line, for logging its output before it has ended. */
struct told {
	CS_VEC(char) said; /* the part of a line of output that has come so far */
	const char *line;  /* the running line while it is not in the log yet */
	bool is_logged;    /* the running line is in the log, and must not be logged again */
};

struct screen {
	struct session *session;
	struct grid grid;
	uint32_t colours;
	struct pane panes[MOST_PANES];
	unsigned n_panes, focus;
	enum split split;
	bool hides_side, has_mouse; /* the terminal reports the mouse */
	CS_VEC(struct key) bound; /* keys that the user bound, searched first; strings are owned */
	int log_rows;             /* rows of the log, -1 = by the height of the screen */
	CS_VEC(struct log_line) log;
	struct told told;
	struct prompt prompt;
	CS_VEC(char *) history; /* lines of the prompt, oldest first */
	struct typed typed;
	char message[256]; /* shown on the key line until the next key; escaped */
	bool is_trouble;   /* the message reports an error */
	struct playing playing;
	size_t lesson; /* current lesson of the tutorial */
	bool is_drawn; /* the grid shows the current state */
	bool is_submitting;
	bool is_playing; /* the running line was submitted by `play` */
	bool was_stop;   /* the last line ended at a stop */
	bool was_error;  /* the last line of a key failed */
	struct told_error last_error;
	uint64_t changes;        /* number of changes so far that rows may depend on */
	bool wants_redraw;       /* all cells are sent again: the terminal was garbled */
	struct cs_cooked *world; /* the world that the views show */
	struct place here;       /* place of the session when it was last compared */
	struct place cursor;     /* place of the cursor when it was last compared */
	struct terminal_hooks terminal;
};

/* Returns the session's screen; the first call creates it. */
struct cs_error *screen_of(struct session *session, struct screen **ret) CS_MUST_USE;
struct cs_error *screen_resize(struct screen *screen, unsigned columns, unsigned rows) CS_MUST_USE;
/* Draws the whole screen into the grid. */
void screen_draw(struct screen *screen);

/* ---- views ---- */

/* Returns the view in the pane that has the focus. */
struct tui_view *screen_view(const struct screen *screen);
struct tui_view *pane_view(const struct pane *pane);
/* Opens a view on top of the pane that has the focus. */
struct cs_error *screen_open(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Opens a view in the other pane; without an argument a view of an object follows the cursor. */
struct cs_error *screen_split(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Closes the view on top; closing the last view leaves the screen. */
void screen_close(struct screen *screen);
/* Returns whether there is a view below the one on top, or another pane. */
bool screen_can_close(const struct screen *screen);
void screen_unsplit(struct screen *screen);
void screen_focus(struct screen *screen, unsigned pane);
/* pane_layout.c: returns the number of lines of the log that are visible. */
int screen_log_rows(const struct screen *screen);
/* pane_layout.c: gives the focus to the pane at that column and row and moves its cursor there. */
struct cs_error *screen_click(struct screen *screen, int x, int y) CS_MUST_USE;
/* Replaces the views by a new map after another world was opened. */
void screen_follow_world(struct screen *screen);
/* Reports a line that has run to the tutorial, which may be waiting for it. */
void tutorial_note(struct screen *screen, const char *line);
/* Marks all rows as stale after anything has changed. */
void screen_changed(struct screen *screen);
/* Sends the whole screen to the terminal again, and reads rows again that could not be shown. */
void screen_redraw(struct screen *screen);

/* ---- keys and lines ---- */

/* Presses a key by its name: "a", "C-x", "Up", "Enter", "Space", "F1"; key.c lists them. */
void screen_key(struct screen *screen, const char *key);
/* Runs the line as if it had been typed, and logs it with its output. */
void screen_submit(struct screen *screen, const char *line);
/* Runs the frames that are due after `seconds` of playing; a stop pauses. */
void screen_play(struct screen *screen, double seconds);
/* Returns true while time advances by itself: the run plays, or a real run is followed. */
bool screen_plays(const struct screen *screen);
/* Runs a shell command on the terminal, then restores the screen. */
struct cs_error *screen_shell(struct screen *screen, const char *line) CS_MUST_USE;
void screen_say(struct screen *screen, enum ink ink, const char *format, ...) CS_PRINTF(3, 4);
/* Returns a stream whose lines go into the log as they were printed; the caller closes it. */
struct cs_error *screen_log_stream(struct screen *screen, FILE **ret) CS_MUST_USE;
void screen_log_error(struct screen *screen, const struct cs_error *error);
/* Shows a message on the key line until the next key. */
void screen_message(struct screen *screen, const char *format, ...) CS_PRINTF(2, 3);

void prompt_open(struct screen *screen, const char *text);
/* Takes text that the terminal marks as pasted: its characters are not keys. */
void prompt_paste(struct screen *screen, const char *text);
bool prompt_answer_paste(struct screen *screen, const char *key);
void prompt_key(struct screen *screen, const char *key);
void prompt_free(struct prompt *prompt);
struct cs_error *screen_remember(struct screen *screen, const char *line) CS_MUST_USE;

/* Binds the keys to the line in every view; NULL removes the binding. */
struct cs_error *key_bind(struct screen *screen, const char *keys, const char *line) CS_MUST_USE;

/* The keys of every view. */
extern const struct key common_keys[];
/* Returns whether the row of a key applies to the view now; a key may have several rows. */
bool key_applies(const struct key *key, struct tui_view *view);
/*
 * Returns whether a common key is available in the view: the view has no key of that name itself,
 * and keys for sorting need rows.
 */
bool key_is_of(const struct key *key, struct tui_view *view);
/*
 * Returns the line of a key with its placeholders filled, freed by the caller; NULL = the key does
 * nothing here, and a message says so.
 */
char *key_line(struct screen *screen, const char *template);
bool key_is_name(const char *key);
