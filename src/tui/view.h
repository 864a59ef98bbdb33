/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views of the screen. A view shows the rows of a table of the world or of a command's output. It
 * is a row of data in a file of its own (src/tui/views/view_NAME.c), listed in views.c:
 *
 *	static const struct key keys[] = {
 *		{"r", "view rows queue -n 20", "Twenty", "show the first twenty"},
 *		{0},
 *	};
 *	const struct view_type view_queue = {
 *		.name = "queue", .title = "Queue", .command = "queue", .keys = keys,
 *	};
 *
 * A list needs nothing else: cursor, sort, filter, search, marks, groups and the object under the
 * cursor are common to all lists (list.h). A view that draws something else has a callback `draw`,
 * and if its cursor is not on rows (map, timeline), also `move` and `object`. Views compute nothing
 * about streaming, cooking or meshes.
 *
 * A key submits a command line, in which these placeholders are replaced:
 *	%o	the object under the cursor as commands accept it: "cell NAME"
 *	%n	the name of the object, quoted if necessary
 *	%k	the kind of the object: cell, actor, layer, source, frame ...
 *	%c %a	the name if the object is a cell (%c) or an actor (%a); else the key does nothing
 *	%q	the name as an SQL text
 *	%e	the line for Enter: opens the object, or goes to the frame
 *	%x %y	the lines that explain how the object was cooked (%x), and its current state (%y)
 *	%f	the frame under the cursor of the view
 *	%t	the command that lists the rows of the view
 *	%l	the last key of the sequence: the letter of a mark
 *	%p %r %s %w	text of the view's callback `fill`: a point, record, source or condition
 * A line that begins with ':' is only put into the prompt, for the user to complete.
 */
#pragma once

#include "src/session/session.h"
#include "src/tui/list/list.h"
#include "src/tui/terminal/grid.h"

struct screen;
struct tui_view;

struct session *screen_session(const struct screen *screen);
bool view_has_focus(const struct tui_view *view);
/* Returns whether the user has chosen a camera path, which is stored under the name "picked". */
bool view_has_picked_path(struct tui_view *view);

struct key {
	const char *keys; /* sequence such as "v c", v and then c; NULL ends a table */
	const char *line;
	const char *label; /* text on the key line; NULL = only in the help */
	const char *help;
	/* whether the row applies now (NULL = always). If not, a later row of its key may */
	bool (*when)(struct tui_view *view);
	const char *sign; /* text on the key line for several keys, such as "1-9"; or NULL */
};

/* An object, usually the one under the cursor. */
struct object {
	const char *kind; /* row name of the object's table, such as "cell"; NULL = no object */
	uint32_t row;     /* row of the object's table; CS_NONE if only the name is known */
	char name[512];   /* name of the object as in the open file, not escaped */
};

enum motion {
	MOTION_ROWS,    /* n rows down, or up if n is negative */
	MOTION_COLUMNS, /* n columns to the right, or left if negative */
	MOTION_PAGES,
	MOTION_HALVES,   /* n half pages down, or up if negative */
	MOTION_LINE_END, /* to the last column */
	MOTION_FIRST,
	MOTION_LAST,
	MOTION_ROW,  /* to row n, counted from 0 */
	MOTION_HOME, /* to the streaming source, or to the current frame */
};

/* How rows of a list unfold; members may be NULL. */
struct folding {
	const char *fields; /* columns shown below an unfolded row, "KEY,KEY" */
	const char *parent; /* column with the name of the parent row: rows form a tree */
};

/* What a view shows of its table or command. */
enum view_form {
	FORM_LIST,
	FORM_RECORD, /* one row, shown field by field */
	FORM_PROSE   /* lines of text that the command prints, not its rows */
};

/* Screens on which a view takes the area of the side pane in addition to its own. */
enum view_room {
	ROOM_ALL_BUT_WIDE, /* takes the side pane's area on narrow screens */
	ROOM_SHARED,

	ROOM_ALL_BUT_WIDEST, /* takes the side pane's area on all but the widest screens */
	ROOM_ALL             /* takes the side pane's area on all screens */
};

struct view_type {
	/* name for `view NAME`, title for people, and a line of help */
	const char *name, *title, *help;
	/* source of rows: a table of the world, or a command with the view's argument appended */
	const char *table, *command;
	/*
	 * `columns`: "KEY,KEY", NULL = short form of the table. `sort`: initial order. `empty`:
	 * text if there are no rows, NULL = "nothing to list"
	 */
	const char *columns, *sort, *empty;
	enum view_form form;
	enum view_room room;
	/*
	 * needs_argument: `view NAME` needs an object. is_bare: no heading is drawn. is_of_time:
	 * Space plays the run. is_list: rows can be sorted and filtered although the view has a
	 * callback `set`. has_object: the argument names an object, so that a pane with this view
	 * can follow the cursor of the other pane.
	 */
	bool needs_argument, is_bare, is_of_time, is_list, has_object;
	struct folding folds;
	int rows; /* screen rows of the view as the lower pane; 0 = 45 % of both panes */
	const struct key *keys;
	size_t state_size; /* bytes of view->state, zeroed at first; `close` frees what it owns */

	/*
	 * Callbacks, each of which may be NULL. `line` returns the command line to run instead of
	 * `command` with the view's argument; freed by the caller.
	 */
	char *(*line)(struct tui_view *view);
	struct cs_error *(*open)(struct tui_view *view);
	/* copies settings from `former`, the view of the same world before it was recooked */
	void (*replace)(struct tui_view *view, struct tui_view *former);
	const struct view_type *part; /* type of view->part, created with the argument "" */
	/* reads the rows of the view again after a change */
	struct cs_error *(*renew)(struct tui_view *view);
	void (*draw)(struct tui_view *view, struct area area);
	/* stores the object under the cursor; ret->kind is NULL before the call */
	void (*object)(struct tui_view *view, struct object *ret);
	struct cs_error *(*move)(struct tui_view *view, enum motion motion, long n);
	bool (*go)(struct tui_view *view,
		const struct object *object); /* moves the cursor to the object if it is shown */
	/* handles settings such as `pan`, `zoom`, `level`; E_USAGE for others */
	struct cs_error *(*set)(struct tui_view *view, const char *what, const char *value);
	/* for the command `search`: whether a row of a view without table contains the text */
	bool (*says)(const struct tui_view *view, size_t row, const char *text);
	/* prints the text about this view in the title line, such as "frames 240..420" */
	void (*status)(struct tui_view *view, struct output *out);
	uint64_t (*frame)(struct tui_view *view); /* returns the frame under the cursor */
	/* prints what replaces %letter in the command line of a key, or returns false */
	bool (*fill)(struct tui_view *view, char letter, struct output *out);
	void (*close)(struct tui_view *view);
};

struct tui_view {
	const struct view_type *type;
	struct screen *screen;
	struct session *session;
	char *argument; /* text after NAME in the command `view NAME`; owned, "" = none */
	struct list list;
	void *state;
	bool is_stale;             /* rows must be read again, because something has changed */
	char trouble[400];         /* error of reading the rows, shown instead of them; or "" */
	enum cs_code trouble_code; /* code of this error */
	int rows;                  /* rows of the area in which the view was last drawn */
	struct tui_view *part;     /* view that is drawn in the area of this one; owned, or NULL */
	struct tui_view *part_of;  /* view in whose area this one is drawn; or NULL */
	bool is_active;            /* if part_of is set: this view has the cursor */
};

/* All views, in the order in which the command `view list` prints them; NULL-terminated. */
extern const struct view_type *const view_types[];
const struct view_type *view_type_named(const char *name);
/* Passes the names of all views to closest_consider(), to find one close to a mistyped name. */
void view_types_consider(struct closest *closest);
void view_types_complete(const char *prefix, struct candidates *candidates);

struct cs_error *view_new(struct screen *screen, const struct view_type *type, const char *argument,
	struct tui_view **ret) CS_MUST_USE;
/* Creates a view inside `owner`, which draws and frees it, and passes it motions and settings. */
struct cs_error *view_new_part(
	struct tui_view *owner, const struct view_type *type, const char *argument) CS_MUST_USE;
void view_free(struct tui_view *view);
/* Parses n whole numbers between commas; returns false for any other text. */
bool view_read_numbers(const char *text, size_t n, long *ret);
/* Changes the argument of a view, for a pane that follows the cursor of the other pane. */
struct cs_error *view_set_argument(struct tui_view *view, const char *argument) CS_MUST_USE;
/* Reads the rows again if they are stale; stores an error in `trouble`. */
void view_renew(struct tui_view *view);
void view_draw(struct tui_view *view, struct area area);
void view_object(struct tui_view *view, struct object *ret);
/* Callback `object` of views whose rows are not objects. It leaves *ret empty. */
void view_no_object(struct tui_view *view, struct object *ret);
struct cs_error *view_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;

/* ---- objects that values, rows and words refer to ---- */

/* Gets the object that a value in the column with this key names. Returns false if none. */
bool object_of_value(const char *key, const struct cs_value *value, struct object *ret);
/*
 * Returns in *ret the object that a field of a row names; other fields of the row complete the name
 * of a page, cluster or group. Returns false if it names none.
 */
bool object_of_field(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, const struct cs_column *column, struct object *ret);
bool object_of_row(struct session *session, const struct cs_table *table, const void *source,
	uint32_t row, struct object *ret);
/* Returns whether a row that a command printed is a copy of the row of the object. */
bool object_is_copy(struct session *session, const struct object *object,
	const struct cs_table *table, const void *source, uint32_t row);
/* Parses "cell NAME" as commands do; returns false when the first word is no kind of object. */
bool object_of_words(struct session *session, const char *words, struct object *ret);
/* Gets the one object that an enabled breakpoint names. Returns false if there is none. */
bool object_of_stop(struct session *session, const struct cs_stop *stop, struct object *ret);
bool object_has_stop(struct session *session, struct object *object);
/* Returns the row of an object, searched by its name if necessary, or CS_NONE if there is none. */
uint32_t object_row(struct session *session, struct object *object);
/* As object_row(), but gets a world partition and a row in it. Returns false if there is none. */
bool object_place(
	struct session *session, struct object *object, uint32_t *row, uint32_t *partition);
/* Stores the name of the object's partition. Returns false if it has none or only one exists. */
bool object_partition(struct session *session, struct object *object, struct cs_value *ret);
/* Sets object->row to the row with its name in the world partition, if there is one. */
void object_find_in(struct session *session, const char *partition, struct object *object);
/* Returns the table whose rows are objects of this kind; NULL when there is none. */
const struct cs_table *object_table(
	struct session *session, const struct object *object, const void **source_ret);
/* Returns an object's name as commands accept it. The caller frees it; NULL = no memory. */
char *object_word(struct session *session, const struct object *object);
