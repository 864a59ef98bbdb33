/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen of a session: panes with their views, the log, the command line, and the grid into
 * which all of these are drawn. It needs no terminal; terminal.h shows it on one.
 *
 *	struct screen *screen;
 *	screen_of(session, &screen);                 80x24, ASCII, no colours by default
 *	screen_key(screen, "v"), screen_key(screen, "c");
 *	screen_draw(screen);
 *	grid_export(&screen->grid, EXPORT_TEXT, 0, sink);
 *
 * Keys have no effects of their own: a key submits a command line, and the command has the effect.
 */
#pragma once

#include "src/tui/view.h"

enum { MOST_PANES = 2, KEY_NAME = 16 };

enum split { SPLIT_AUTO, SPLIT_BESIDE, SPLIT_BELOW };

struct pane {
	CS_VEC(struct tui_view *) stack; /* stack of views; the last one is visible */
	bool follows; /* the visible view shows the object under the other pane's cursor */
};

struct log_line {
	char *text; /* escaped; owned */
	uint8_t ink;
	/* the command only moved the view, and the next line of such a command replaces it */
	bool only_moves;
};

/* The command line of the screen while the user edits it. */
struct prompt {
	bool is_open;
	CS_VEC(char) text; /* UTF-8, without a final NUL */
	size_t at;         /* byte offset of the cursor in `text` */
	/* number of lines by which the prompt has gone back in the history; 0 = a new line */
	size_t recalls;
	/* the line that was typed, while the prompt shows a line of the history; owned, or NULL */
	char *typed;
	bool seeks; /* C-r was pressed: keys edit `pattern`, which is searched in the history */
	char pattern[64];
	char *pasted; /* pasted lines that run if the user confirms with y; owned, or NULL */
};

struct told_error {
	char text[160];
	enum cs_code code;
};

/* Keys that were pressed and do not form a command yet. */
struct typed {
	char pending[64];       /* beginning of a sequence of keys, separated by blanks */
	char pressed[KEY_NAME]; /* last key that was pressed */
	unsigned count;         /* count typed before a cursor key; 0 = none */
	bool was_unknown;       /* the last key is unknown in this view, and a message reports it */
};

struct playing {
	double rate; /* simulated seconds per second of real time; 0 = paused */
	double owed; /* frames that are due but have not run; may be a fraction */
};

/* Callbacks of the terminal, if the screen is shown on one; also called while lines run. */
struct terminal_hooks {
	void (*tell_line)(struct screen *screen, const char *line);
	void (*tell_phase)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	int (*run_shell)(struct screen *screen, const char *line);
};

/* State for messages of a running line: the line is logged before the first of them. */
struct told {
	CS_VEC(char) said; /* end of the messages so far, if it is not a complete line */
	const char *line;  /* the running line until it is logged, then NULL */
	bool is_logged;    /* the running line was logged before its end */
};

struct screen {
	struct session *session;
	struct grid grid;
	uint32_t colours;
	struct pane panes[MOST_PANES];
	unsigned n_panes, focus;
	enum split split;
	bool hides_side, has_mouse; /* the user closed the side pane; the terminal reports clicks */
	CS_VEC(struct key) bound;   /* keys bound by the user, which precede others (owned) */
	int log_rows;               /* rows of the log; -1 = depends on the height of the screen */
	CS_VEC(struct log_line) log;
	struct told told;
	struct prompt prompt;
	CS_VEC(char *) history; /* lines typed at the prompt, oldest first; owned */
	struct typed typed;
	char message[256]; /* shown on the key line until the next key is pressed; escaped */
	bool is_trouble;   /* `message` reports an error */
	struct playing playing;
	size_t lesson; /* index of the current lesson of the tutorial */
	bool is_drawn; /* the character grid shows the current state of the views */
	bool is_submitting;
	bool is_playing; /* screen_play() submitted the running line */
	bool was_stop;   /* the last command line ended at a breakpoint */
	bool was_error;  /* a line that a key submitted has failed */
	struct told_error last_error;
	uint64_t changes;        /* number of calls of screen_changed(): views then reread rows */
	bool wants_redraw;       /* all cells must be sent to the terminal again */
	struct cs_cooked *world; /* world that the views show; opening another closes them */
	struct place here;       /* the session's current place when the views last followed it */
	struct place cursor;     /* cell, actor or page last seen under the cursor, or PLACE_NONE */
	struct terminal_hooks terminal;
};

/* Gets the screen of the session; the first call creates it. */
struct cs_error *screen_of(struct session *session, struct screen **ret) CS_MUST_USE;
struct cs_error *screen_resize(struct screen *screen, unsigned columns, unsigned rows) CS_MUST_USE;
/* Draws the whole screen into the grid. */
void screen_draw(struct screen *screen);

/* ---- panes and their views ---- */

/* Returns the visible view of the pane that has the focus. */
struct tui_view *screen_view(const struct screen *screen);
struct tui_view *pane_view(const struct pane *pane);
/* Opens a view in the pane that has the focus, on top of its stack. */
struct cs_error *screen_open(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Opens a view in the second pane. Without an argument, a view of one object follows the cursor. */
struct cs_error *screen_split(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Closes the visible view; the last one of a pane closes the second pane, or else the screen. */
void screen_close(struct screen *screen);
/* Returns whether another view would be visible after screen_close(). */
bool screen_can_close(const struct screen *screen);
void screen_unsplit(struct screen *screen);
void screen_focus(struct screen *screen, unsigned pane);
/* Returns the number of visible log lines (pane_layout.c). */
int screen_log_rows(const struct screen *screen);
/* Moves the focus to the pane at column x and row y, and its cursor to this position. */
struct cs_error *screen_click(struct screen *screen, int x, int y) CS_MUST_USE;
/*
 * Replaces all views by the first one (the map, or the view of a Nanite resource) if another world
 * was opened, or if no world is open and the first resource was opened or the last one closed.
 */
void screen_follow_world(struct screen *screen);
/* Reports to the tutorial that a command line has run. This may complete the current lesson. */
void tutorial_note(struct screen *screen, const char *line);
/* Marks the rows of all views as stale after a change. */
void screen_changed(struct screen *screen);
/* Requests that the whole screen is sent again. Unreadable rows are also read again. */
void screen_redraw(struct screen *screen);

/* ---- keys and lines ---- */

/* Handles a key, given by its name: "a", "C-x", "Up", "Enter", "Space", "F1" (see key.c). */
void screen_key(struct screen *screen, const char *key);
/* Runs a line as if it had been typed, and logs it with its output. */
void screen_submit(struct screen *screen, const char *line);
/*
 * Runs the frames that are due after `seconds` of real time, or reads more of a real run that is
 * followed. A breakpoint pauses playing.
 */
void screen_play(struct screen *screen, double seconds);
/* Returns whether time advances by itself: the simulation plays, or a running game is followed. */
bool screen_plays(const struct screen *screen);
/* Runs a shell command on the terminal, then shows the screen again. */
struct cs_error *screen_shell(struct screen *screen, const char *line) CS_MUST_USE;
void screen_say(struct screen *screen, enum ink ink, const char *format, ...) CS_PRINTF(3, 4);
/* Gets a stream that writes its lines unchanged to the log. The caller closes the stream. */
struct cs_error *screen_log_stream(struct screen *screen, FILE **ret) CS_MUST_USE;
void screen_log_error(struct screen *screen, const struct cs_error *error);
/* Shows a message on the key line until the next key is pressed. */
void screen_message(struct screen *screen, const char *format, ...) CS_PRINTF(2, 3);

void prompt_open(struct screen *screen, const char *text);
/* Handles text that the terminal marks as pasted; its characters are not keys. */
void prompt_paste(struct screen *screen, const char *text);
bool prompt_answer_paste(struct screen *screen, const char *key);
void prompt_key(struct screen *screen, const char *key);
void prompt_free(struct prompt *prompt);
struct cs_error *screen_remember(struct screen *screen, const char *line) CS_MUST_USE;

/* Binds a sequence of keys to a command line in all views; a `line` of NULL removes the binding. */
struct cs_error *key_bind(struct screen *screen, const char *keys, const char *line) CS_MUST_USE;

/* Keys that all views share. */
extern const struct key common_keys[];
/* Returns whether a key's condition holds in the view. The first row that applies is used. */
bool key_applies(const struct key *key, struct tui_view *view);
/*
 * Returns whether a common key is available in the view. A key is not available if the view's own
 * table of keys redefines it without a condition, nor if the key is only for lists, or only for
 * views that play the run, and the view is of another kind.
 */
bool key_is_of(const struct key *key, struct tui_view *view);
/* Returns whether a key can open a view of this type for the object. */
bool key_opens(const struct view_type *type, const struct object *object);
bool key_is_name(const char *key);
void key_complete(const char *prefix, struct candidates *candidates);

/* Draws the name of the open world or resource, and the state of the run (title.c). */
void title_draw(struct screen *screen, struct area area);
/* Draws the fields of the object under the cursor (side_pane.c). */
void side_pane_draw(struct screen *screen, struct area area);
