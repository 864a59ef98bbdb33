/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a view is. A view shows rows: of a table of the world, or of what a command prints. It is
 * described by a row of data in a file of its own (src/tui/views/view_NAME.c), listed in views.c:
 *
 *	static const struct key keys[] = {
 *		{"r", "view rows queue -n 20", "Twenty", "show the first twenty"},
 *		{0},
 *	};
 *	const struct view_type view_queue = {
 *		.name = "queue", .title = "Queue", .command = "queue", .keys = keys,
 *	};
 *
 * That is all that a list needs: cursor, sort, filter, search, marks, groups and the object under
 * the cursor are those of every list (list.h). A view that draws otherwise gives `draw` over the
 * same rows, and where its places are no rows (map, timeline) `move` and `object`, too. A view
 * computes nothing about streaming, cooking or meshes.
 *
 * A key submits a command line. These placeholders are replaced in it:
 *	%o	the object under the cursor, "cell NAME" as a command takes it
 *	%n	its name alone, quoted where it must be
 *	%k	its kind: cell, actor, layer, source, frame ...
 *	%c %a	the name, if it is a cell (an actor): else the key does nothing here
 *	%q	the name as a text of SQL
 *	%e	what Enter does with the object: opens it, goes to the frame
 *	%x %y	the command that explains it, and the one that says why it is there now
 *	%f	the frame under the cursor of the view
 *	%t	the command that lists its rows
 *	%l	the last key of a sequence: the letter of a mark
 *	%p %r %s %w	what the view itself fills in: a point, the record, a source, a condition
 * A line that begins with ':' is put into the command line instead, to be completed there.
 */
#pragma once

#include "src/session/session.h"
#include "src/tui/list/list.h"
#include "src/tui/terminal/grid.h"

struct screen;
struct tui_view;

struct session *screen_session(const struct screen *screen);
bool view_has_focus(const struct tui_view *view);
/* key.c: returns true when the user chose a path for the source "picked". */
bool view_has_picked_path(struct tui_view *view);

struct key {
	const char *keys; /* keys of the sequence: "v c" is v, then c; NULL ends a table */
	const char *line;
	const char *label; /* shown on the key line; NULL = only in the help */
	const char *help;
	/* the row applies only while this returns true; otherwise a later row may */
	bool (*when)(struct tui_view *view);
	const char *sign; /* name on the key line where the row is one of several: "1-9" */
};

/* The object under the cursor. */
struct object {
	const char *kind; /* row name of its table: "cell"; NULL = nothing */
	uint32_t row;     /* row of that table, or CS_NONE where only the name is known */
	char name[512];   /* as in the file, not escaped */
};

enum motion {
	MOTION_ROWS,    /* n rows down; negative is up */
	MOTION_COLUMNS, /* n columns to the right; negative is left */
	MOTION_PAGES,
	MOTION_HALVES,   /* n half pages down; negative is up */
	MOTION_LINE_END, /* to the last column */
	MOTION_FIRST,
	MOTION_LAST,
	MOTION_ROW,  /* to row n, counted from 0 */
	MOTION_HOME, /* to the source, or to the current frame */
};

/* How the rows of a list unfold; both members may be NULL. */
struct folding {
	const char *fields; /* columns that are shown below an unfolded row, as "KEY,KEY" */
	const char *parent; /* column that names the parent row: the rows form a tree */
};

/* How the rows of a view are shown. */
enum view_form {
	FORM_LIST,
	FORM_RECORD, /* one row, shown field by field */
	FORM_PROSE   /* the sentences that the command prints, not its rows */
};

/* When a view takes the room of the side pane. */
enum view_room {
	ROOM_SHARED,
	ROOM_ALL_BUT_WIDE,   /* on narrow screens */
	ROOM_ALL_BUT_WIDEST, /* on all but the widest screens */
	ROOM_ALL             /* always: the side pane would be empty */
};

struct view_type {
	/* name for `view NAME`; title for people; one line of help that says what the view shows */
	const char *name, *title, *help;
	/*
	 * where the rows come from: a table of the world, or a command, to which the view's
	 * argument is appended
	 */
	const char *table, *command;
	/* chosen columns, "KEY,KEY", NULL = the short form; the initial order */
	const char *columns, *sort;
	const char *empty; /* text shown when there are no rows; NULL = "nothing to list" */
	enum view_form form;
	enum view_room room;
	/*
	 * needs_argument: `view NAME` needs an object. is_bare: no heading is drawn. is_of_time:
	 * Space plays. is_list: rows can be sorted and filtered although the view handles `set`
	 * itself. has_object: the argument names an object, so that a pane of the view can follow
	 * the cursor.
	 */
	bool needs_argument, is_bare, is_of_time, is_list, has_object;
	struct folding folds;
	int rows; /* rows that the view takes below another one, 0 = a share of them */
	const struct key *keys;
	size_t state_size; /* size of view->state, which is zeroed; `close` frees what it owns */

	/*
	 * The callbacks follow; each may be NULL. `line` returns the command to run instead of
	 * `command`, freed by the caller.
	 */
	char *(*line)(struct tui_view *view);
	struct cs_error *(*open)(struct tui_view *view);
	/* reads the view's rows again after a change */
	struct cs_error *(*renew)(struct tui_view *view);
	void (*draw)(struct tui_view *view, struct area area);
	/* stores the object under the cursor, ret->kind is NULL before the call */
	void (*object)(struct tui_view *view, struct object *ret);
	struct cs_error *(*move)(struct tui_view *view, enum motion motion, long n);
	bool (*go)(struct tui_view *view,
		const struct object *object); /* moves the cursor to the object when it is shown */
	/*
	 * handles `pan`, `zoom`, `level`, `overlay`, `fold`; E_USAGE for settings it does not have
	 */
	struct cs_error *(*set)(struct tui_view *view, const char *what, const char *value);
	/* for `search`: true when a row that belongs to no table contains the text */
	bool (*says)(const struct tui_view *view, size_t row, const char *text);
	/* prints the text after the title, such as "frames 240..420" */
	void (*status)(struct tui_view *view, struct output *out);
	uint64_t (*frame)(struct tui_view *view); /* returns the frame under the cursor */
	/* prints what replaces the letter in a key's line; false = there is nothing */
	bool (*fill)(struct tui_view *view, char letter, struct output *out);
	void (*close)(struct tui_view *view);
};

struct tui_view {
	const struct view_type *type;
	struct screen *screen;
	struct session *session;
	char *argument; /* argument of `view NAME`, owned; "" = none */
	struct list list;
	void *state;
	bool is_stale;            /* something has changed since the view's rows were read */
	char trouble[400];        /* error that prevented reading the view's rows, or "" */
	int columns, rows;        /* size of the view's area when it was last drawn */
	struct tui_view *part_of; /* view in whose area this one is drawn; NULL: its own */
	bool is_active;           /* this part of a view has the cursor */
};

/* All views, in the order of `view list`; ended by NULL. */
extern const struct view_type *const view_types[];
const struct view_type *view_type_named(const char *name);
/* Adds the names of all views as candidates for a mistyped name. */
void view_types_consider(struct closest *closest);

struct cs_error *view_new(struct screen *screen, const struct view_type *type, const char *argument,
	struct tui_view **ret) CS_MUST_USE;
/*
 * Creates a view that is part of another one. The owner frees it, draws it, and forwards motions
 * and questions to it.
 */
struct cs_error *view_new_part(struct tui_view *owner, const struct view_type *type,
	const char *argument, struct tui_view **ret) CS_MUST_USE;
void view_free(struct tui_view *view);
/* Sets another argument, as a pane that follows the cursor needs. */
struct cs_error *view_set_argument(struct tui_view *view, const char *argument) CS_MUST_USE;
/* Reads stale rows again; an error is shown in place of the rows. */
void view_renew(struct tui_view *view);
void view_draw(struct tui_view *view, struct area area);
void view_object(struct tui_view *view, struct object *ret);
/* Leaves the object empty: the callback `object` of views whose rows are not objects. */
void view_no_object(struct tui_view *view, struct object *ret);
struct cs_error *view_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;

/* ---- objects ---- */

/* Returns the object that a value of the column named `key` refers to. */
bool object_of_value(const char *key, const struct cs_value *value, struct object *ret);
/*
 * Returns the object that a field of a row refers to; another field of the row may name the
 * resource of a page.
 */
bool object_of_field(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, const struct cs_column *column, struct object *ret);
bool object_of_row(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *ret);
/* Parses "cell NAME" as commands do; false when the words name nothing. */
bool object_of_words(struct session *session, const char *words, struct object *ret);
/* Returns the object that a stop refers to, with its row; false when it refers to several. */
bool object_of_stop(struct session *session, const struct cs_stop *stop, struct object *ret);
/* Returns whether a stop refers to the object. */
bool object_has_stop(struct session *session, struct object *object);
/* Finds the row of an object of which only the name is known; CS_NONE when there is none. */
uint32_t object_row(struct session *session, struct object *object);
/* Returns the table whose rows are objects of that kind; NULL when there is none. */
const struct cs_table *object_table(
	struct session *session, const struct object *object, const void **source_ret);
/* Returns the name of the object as a command takes it, freed by the caller; NULL = no memory. */
char *object_word(struct session *session, const struct object *object);
