/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a view is. A view shows rows: of a table of the world, or of what a command prints. It is
 * described by a row of data in a file of its own (src/tui/view_NAME.c), listed in views.c:
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
 * A key submits a command line. In the line stand
 *	%o	the object under the cursor, "cell NAME" as a command takes it
 *	%n	its name alone, quoted where it must be
 *	%k	its kind: cell, actor, layer, source, frame ...
 *	%c %a	the name, if it is a cell (an actor): else the key does nothing here
 *	%q	the name as a text of SQL
 *	%e	what Enter does with the object: opens it, goes to the frame
 *	%x %y	what explains it, and what says why it is there now
 *	%f	the frame that the view stands on
 *	%t	the command that lists its rows
 *	%l	the last key of a sequence: the letter of a mark
 *	%p %r %s %w	what the view itself has under that letter: a point, the record, a source,
 *		a condition
 * and a line that begins with ':' is put into the command line instead, to be completed there.
 */
#pragma once

#include "src/session/session.h"
#include "src/tui/list/list.h"
#include "src/tui/terminal/grid.h"

struct screen;
struct tui_view;

struct session *screen_session(const struct screen *screen);
bool view_has_focus(const struct tui_view *view);
/* key.c: a path was chosen for the source, "picked". */
bool view_has_picked_path(struct tui_view *view);

struct key {
	const char *keys; /* "v c": one after the other; NULL ends a table */
	const char *line;
	const char *label; /* on the key line; NULL = only in the help */
	const char *help;
	bool (*when)(struct tui_view *view); /* does something else otherwise: the next row tells */
	const char *sign; /* on the key line, where it stands for several: "1-9" */
};

/* What the cursor stands on. */
struct object {
	const char *kind; /* row name of its table: "cell"; NULL = nothing */
	uint32_t row;     /* of that table, or CS_NONE where only its name is known */
	char name[512];   /* as the file has it, not escaped */
};

enum motion {
	MOTION_ROWS,    /* n down, or up */
	MOTION_COLUMNS, /* n to the right, or left */
	MOTION_PAGES,
	MOTION_HALVES,   /* n half pages down, or up */
	MOTION_LINE_END, /* to the last column */
	MOTION_FIRST,
	MOTION_LAST,
	MOTION_ROW,  /* to row n, 0 first */
	MOTION_HOME, /* to the source, the frame that it is */
};

/* How the rows of a list fold; both may be NULL. */
struct folding {
	const char *fields; /* columns, "KEY,KEY", that a row opens into */
	const char *parent; /* column that names the row above: the rows are a tree */
};

/* How its rows are shown. */
enum view_form {
	FORM_LIST,
	FORM_RECORD, /* the one row, field by field */
	FORM_PROSE   /* the sentences of the command, not its rows */
};

/* Whether it takes the room of the side pane. */
enum view_room {
	ROOM_SHARED,
	ROOM_ALL_BUT_WIDE,   /* where there is little of it */
	ROOM_ALL_BUT_WIDEST, /* where there is more, too */
	ROOM_ALL             /* always: the side pane would have nothing to say */
};

struct view_type {
	/* of `view NAME`; for people; a line: what it shows */
	const char *name, *title, *help;
	/* rows: of a table of the world, or of a command, with the view's argument behind it */
	const char *table, *command;
	/* columns that are chosen, "KEY,KEY", NULL = the short form; the order at first */
	const char *columns, *sort;
	const char *empty; /* what is said where there are no rows; NULL = "nothing to list" */
	enum view_form form;
	enum view_room room;
	/*
	 * It is of what is named; it has no line of its own above it; Space plays there; though it
	 * is told things itself, its rows can be sorted and filtered; the argument names an object:
	 * a pane of it can follow the cursor.
	 */
	bool needs_argument, is_bare, is_of_time, is_list, has_object;
	struct folding folds;
	int rows; /* below another view it takes so many, 0 = a share */
	const struct key *keys;
	size_t state_size; /* of view->state, zeroed; `close` frees what it owns */

	/* all may be NULL */
	char *(*line)(struct tui_view *view); /* the command instead; freed by the caller */
	struct cs_error *(*open)(struct tui_view *view);
	struct cs_error *(*renew)(
		struct tui_view *view); /* its rows, after anything has happened */
	void (*draw)(struct tui_view *view, struct area area);
	void (*object)(struct tui_view *view, struct object *ret); /* ret->kind is NULL before */
	struct cs_error *(*move)(struct tui_view *view, enum motion motion, long n);
	bool (*go)(struct tui_view *view,
		const struct object *object); /* the cursor to it, if shown */
	/* what `pan`, `zoom`, `level`, `overlay`, `fold` ask for; E_USAGE for what it has not */
	struct cs_error *(*set)(struct tui_view *view, const char *what, const char *value);
	/* whether a row that is of no table has the text, for `search` */
	bool (*says)(const struct tui_view *view, size_t row, const char *text);
	/* behind the title: "frames 240..420" */
	void (*status)(struct tui_view *view, struct output *out);
	uint64_t (*frame)(struct tui_view *view); /* that it stands on */
	/* says what stands for the letter in a key's line; false = there is nothing */
	bool (*fill)(struct tui_view *view, char letter, struct output *out);
	void (*close)(struct tui_view *view);
};

struct tui_view {
	const struct view_type *type;
	struct screen *screen;
	struct session *session;
	char *argument; /* owned; "" = none */
	struct list list;
	void *state;
	bool is_stale;            /* its rows are older than what has happened */
	char trouble[400];        /* why it has no rows, or "" */
	int columns, rows;        /* of its area when it was drawn last */
	struct tui_view *part_of; /* of whose area it is drawn into a part; NULL = of none */
	bool is_active;           /* of the parts, the one that has the cursor */
};

/* All views, in the order of the help; ended by NULL. */
extern const struct view_type *const view_types[];
const struct view_type *view_type_named(const char *name);
/* Their names as candidates for a mistyped one. */
void view_types_consider(struct closest *closest);

struct cs_error *view_new(struct screen *screen, const struct view_type *type, const char *argument,
	struct tui_view **ret) CS_MUST_USE;
/* A view within another, which frees it, draws it, and hands on what moves and asks. */
struct cs_error *view_new_part(struct tui_view *owner, const struct view_type *type,
	const char *argument, struct tui_view **ret) CS_MUST_USE;
void view_free(struct tui_view *view);
/* Another argument, as a pane that follows the cursor gets. */
struct cs_error *view_set_argument(struct tui_view *view, const char *argument) CS_MUST_USE;
/* Brings stale rows up to date; a failure is shown in its place. */
void view_renew(struct tui_view *view);
void view_draw(struct tui_view *view, struct area area);
void view_object(struct tui_view *view, struct object *ret);
/* For views whose rows are no objects. */
void view_no_object(struct tui_view *view, struct object *ret);
struct cs_error *view_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;

/* ---- objects ---- */

/* The object that a value of a column stands for, by the key of the column. */
bool object_of_value(const char *key, const struct cs_value *value, struct object *ret);
/* The same of a field of a row, which may say of which resource its page is. */
bool object_of_field(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, const struct cs_column *column, struct object *ret);
bool object_of_row(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *ret);
/* "cell NAME", as a command takes it; false where it names nothing. */
bool object_of_words(struct session *session, const char *words, struct object *ret);
/* What a stop is about, with its row; false where that is no one thing. */
bool object_of_stop(struct session *session, const struct cs_stop *stop, struct object *ret);
/* Whether a stop is about it. */
bool object_has_stop(struct session *session, struct object *object);
/* Finds its row where only the name is known; CS_NONE when there is none. */
uint32_t object_row(struct session *session, struct object *object);
/* The table that its rows are of; NULL when it has none. */
const struct cs_table *object_table(
	struct session *session, const struct object *object, const void **source_ret);
/* Its name as a command takes it, freed by the caller; NULL = no memory. */
char *object_word(struct session *session, const struct object *object);
