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
	CS_VEC(struct tui_view *) stack; /* the last is seen */
	bool follows; /* its view is about what the cursor of the other stands on */
};

struct log_line {
	char *text; /* escaped; owned */
	uint8_t ink;
	bool only_moves; /* a command that moved the view: the next such takes its place */
};

/* The command line while it is typed. */
struct prompt {
	bool is_open;
	CS_VEC(char) text; /* UTF-8, not ended */
	size_t at;         /* of the cursor, bytes */
	size_t recalls;    /* lines back in the history; 0 = a new one */
	bool seeks;        /* C-r: what is typed is looked for in the history */
	char pattern[64];
	char *pasted; /* lines that wait for an answer; owned, or NULL */
};

struct told_error {
	char text[160];
	enum cs_code code;
};

/* Keys that are no line yet. */
struct typed {
	char pending[64];       /* of a sequence that has begun */
	char pressed[KEY_NAME]; /* the last of a sequence that was found */
	unsigned count;         /* before a key that moves the cursor; 0 = none */
	bool was_unknown;       /* the last does nothing here */
};

struct playing {
	double rate; /* times virtual time; 0 = paused */
	double owed; /* frames not run yet */
};

/* Where there is a terminal; they may be called from the middle of a line. */
struct terminal_hooks {
	void (*tell_line)(struct screen *screen, const char *line);
	void (*tell_phase)(struct screen *screen, const char *phase, uint64_t done, uint64_t total);
	int (*run_shell)(struct screen *screen, const char *line);
};

/* What is told of a line that a key submitted before it has ended. */
struct told {
	CS_VEC(char) said; /* of a line that has not come whole */
	const char *line;  /* that runs, until it is in the log */
	bool is_logged;    /* so that it is not logged again */
};

struct screen {
	struct session *session;
	struct grid grid;
	uint32_t colours;
	struct pane panes[MOST_PANES];
	unsigned n_panes, focus;
	enum split split;
	bool hides_side, has_mouse; /* the terminal is asked to tell of the mouse */
	CS_VEC(struct key) bound;   /* keys of the user, before all others; strings are owned */
	int log_rows;               /* -1 = by the height */
	CS_VEC(struct log_line) log;
	struct told told;
	struct prompt prompt;
	CS_VEC(char *) history; /* of the command line */
	struct typed typed;
	char message[256]; /* on the key line until the next key; escaped */
	bool is_trouble;   /* the message tells of an error */
	struct playing playing;
	size_t lesson; /* of the tutorial */
	bool is_drawn; /* the grid shows what there is */
	bool is_submitting;
	bool is_playing; /* the line that runs is of `play` */
	bool was_stop;   /* it ran into a stop */
	bool was_error;  /* of a line that a key submitted */
	struct told_error last_error;
	uint64_t changes;        /* how often something has happened that rows may tell of */
	bool wants_redraw;       /* all of it, for a terminal that was garbled */
	struct cs_cooked *world; /* that the views are of */
	struct place here;       /* of the session, when it was last looked at */
	struct place cursor;     /* of the cursor, when it was last looked at */
	struct terminal_hooks terminal;
};

/* The session's screen, made when it is first asked for. */
struct cs_error *screen_of(struct session *session, struct screen **ret) CS_MUST_USE;
struct cs_error *screen_resize(struct screen *screen, unsigned columns, unsigned rows) CS_MUST_USE;
/* Draws all of it into the grid. */
void screen_draw(struct screen *screen);

/* ---- views ---- */

struct tui_view *screen_view(const struct screen *screen); /* that has the focus */
struct tui_view *pane_view(const struct pane *pane);
/* Opens it in the pane that has the focus, on top. */
struct cs_error *screen_open(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Opens it beside; without an argument it follows the cursor, if it is about an object. */
struct cs_error *screen_split(
	struct screen *screen, const struct view_type *type, const char *argument) CS_MUST_USE;
/* Closes the view on top; with the last one the screen is left. */
void screen_close(struct screen *screen);
/* Whether there is a view below the one on top, or another pane. */
bool screen_can_close(const struct screen *screen);
void screen_unsplit(struct screen *screen);
void screen_focus(struct screen *screen, unsigned pane);
/* pane_layout.c: how many lines of the log are seen. */
int screen_log_rows(const struct screen *screen);
/* pane_layout.c: the pane at that column and row of the screen has the focus, its cursor goes
 * there. */
struct cs_error *screen_click(struct screen *screen, int x, int y) CS_MUST_USE;
/* What another world leaves: a fresh map. */
void screen_follow_world(struct screen *screen);
/* A line has run: the lesson may have waited for it. */
void tutorial_note(struct screen *screen, const char *line);
/* Something has happened: all rows are of before. */
void screen_changed(struct screen *screen);
/* All of it goes to the terminal again; what could not be shown is asked for again. */
void screen_redraw(struct screen *screen);

/* ---- keys and lines ---- */

/* A key by its name: "a", "C-x", "Up", "Enter", "Space", "F1"; key.c has the list. */
void screen_key(struct screen *screen, const char *key);
/* Runs the line, as if it had been typed, and puts it and what it prints into the log. */
void screen_submit(struct screen *screen, const char *line);
/* Runs the frames that the time played since has brought; a stop pauses. */
void screen_play(struct screen *screen, double seconds);
/* Time passes: it plays, or a real run is followed. */
bool screen_plays(const struct screen *screen);
/* Gives the terminal to a shell, and takes it back. */
struct cs_error *screen_shell(struct screen *screen, const char *line) CS_MUST_USE;
void screen_say(struct screen *screen, enum ink ink, const char *format, ...) CS_PRINTF(3, 4);
/* What is written to it goes into the log, line by line, as it was printed; closed by the caller.
 */
struct cs_error *screen_log_stream(struct screen *screen, FILE **ret) CS_MUST_USE;
void screen_log_error(struct screen *screen, const struct cs_error *error);
/* On the key line, until the next key. */
void screen_message(struct screen *screen, const char *format, ...) CS_PRINTF(2, 3);

void prompt_open(struct screen *screen, const char *text);
/* What a terminal says was pasted: text, not keys. */
void prompt_paste(struct screen *screen, const char *text);
bool prompt_answer_paste(struct screen *screen, const char *key);
void prompt_key(struct screen *screen, const char *key);
void prompt_free(struct prompt *prompt);
struct cs_error *screen_remember(struct screen *screen, const char *line) CS_MUST_USE;

/* Binds the keys to the line, in every view; NULL takes that away again. */
struct cs_error *key_bind(struct screen *screen, const char *keys, const char *line) CS_MUST_USE;

/* The keys of every view. */
extern const struct key common_keys[];
/* "next/previous search hit" where something was searched, else the next change. */
bool key_applies(const struct key *key, struct tui_view *view);
/* Whether a common key is one of the view: not where the view has that key itself, nor where rows
 * are sorted and there are none.
 */
bool key_is_of(const struct key *key, struct tui_view *view);
/* The line of a key with its placeholders filled, freed by the caller; NULL = it does nothing here,
 * which the screen has been told.
 */
char *key_line(struct screen *screen, const char *template);
bool key_is_name(const char *key);
