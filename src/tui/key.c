/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the keys that all views share, and makes the command lines that keys submit. The key
 * line, the help and the list of keys are printed from the table in this file and from those of the
 * views.
 */
#include "src/language/arguments.h"
#include "src/language/lexer.h"
#include "src/tui/screen.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the space bar plays the run in this view. In other views it moves a page down. */
static bool is_of_time(struct tui_view *view)
{
	return view->type->is_of_time;
}

/* Returns whether the view lists rows of a table or of a command. */
static bool is_list(struct tui_view *view)
{
	const struct view_type *type = view->type;
	return type->is_list || (!type->set && type->form == FORM_LIST &&
					(type->table || type->command || type->line));
}

static bool is_grouped(struct tui_view *view)
{
	return view->list.group != NULL;
}

static bool has_view_below(struct tui_view *view)
{
	return screen_can_close(view->screen);
}

bool view_has_picked_path(struct tui_view *view)
{
	return session_path(view->session, "picked") != NULL;
}

static bool has_one_pane(struct tui_view *view)
{
	return view->screen->n_panes == 1;
}

static bool is_searched(struct tui_view *view)
{
	return view->list.search != NULL;
}

/* For each kind of object, the lines that Enter (`opens`), e (`explains`) and y (`asks`) submit. */
static const struct opener {
	const char *kind, *opens, *explains, *asks;
} openers[] = {
	{"cell", "view cell %n", "view explain %o", "view why %o"},
	{"actor", "view actor %n", "view explain %o", "view why %o"},
	{"layer", "view object %o", "view why %o", "view why %o"},
	{"page", "view page %n", "view explain %o", "view why %o"},
	{"cluster", "view object %o", "view explain %o", "view why %o"},
	{"frame", "goto %n", NULL, NULL},
	{"check", "view check %n", NULL, NULL},
	{"finding", "view finding %n", NULL, NULL},
	{NULL, "view object %o", NULL, NULL},
};

static const struct opener *opener_of(const struct object *object)
{
	const struct opener *at = openers;
	while (at->kind && strcmp(at->kind, object->kind) != 0)
		at++;
	return at;
}

bool key_opens(const struct view_type *type, const struct object *object)
{
	static const char view[] = "view ";
	const struct opener *opener = opener_of(object);
	const char *const lines[] = {opener->opens, opener->explains, opener->asks};
	const size_t n = strlen(view), most = strlen(type->name);
	/* the view `object` shows all objects, also those that other views show */
	bool is_one = strcmp(type->name, "object") == 0;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		is_one = is_one || (lines[i] && strncmp(lines[i], view, n) == 0 &&
					   strncmp(lines[i] + n, type->name, most) == 0 &&
					   lines[i][n + most] == ' ');
	return is_one;
}

/*
 * Returns `template`, or for %e, %x or %y the template of the command that opens the object,
 * explains it, or answers why it is in its state.
 */
static const char *template_of(const struct object *object, const char *template)
{
	if (strcmp(template, "%e") != 0 && strcmp(template, "%x") != 0 &&
		strcmp(template, "%y") != 0)
		return template;
	if (!object->kind)
		return "%n";
	const struct opener *opener = opener_of(object);
	const char *line = template[1] == 'e'   ? opener->opens
			   : template[1] == 'x' ? opener->explains
						: opener->asks;
	/* a template that needs a cell and an actor fits no object, so the key does nothing */
	return line ? line : "%a%c";
}

static bool is_explained(struct tui_view *view)
{
	struct object object;
	view_object(view, &object);
	return !object.kind || opener_of(&object)->explains;
}

static bool is_asked(struct tui_view *view)
{
	struct object object;
	view_object(view, &object);
	return !object.kind || opener_of(&object)->asks;
}

/* Returns whether the command `toggle` (set or delete a breakpoint) accepts the object. */
static bool can_stop(struct tui_view *view)
{
	static const char *const kinds[] = {"cell", "actor", "layer", "page", "frame"};
	struct object object;
	view_object(view, &object);
	for (size_t i = 0; object.kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i], object.kind) == 0)
			return true;
	return !object.kind;
}

const struct key common_keys[] = {
	{"Enter", "view group pick", "Rows", "show the rows that were counted", is_grouped},
	{"Enter", "%e", "Open", "open the object under the cursor"},
	{"e", "%x", "Explain", "explain how the object came there", is_explained},
	{"y", "%y", "Why", "why the object is loaded, or not", is_asked},
	{".", "step", NULL, "run a frame"},
	{",", "reverse-step", NULL, "go a frame back"},
	{"v m", "view map", "Map", "the map"},
	{"v c", "view cells", NULL, "the cells"},
	{"v a", "view actors", NULL, "the actors"},
	{"v l", "view layers", NULL, "the data layers"},
	{"v f", "view findings", NULL, "findings of the cook"},
	{"v s", "view sources", NULL, "the streaming sources"},
	{"v r", "view grids", NULL, "the grids"},
	{"v i", "view containers", NULL, "level instances"},
	{"v o", "view log", NULL, "the log"},
	{"v h", "view hlods", NULL, "HLOD actors"},
	{"v p", "view drops", NULL, "actors that are in no cell"},
	{"v k", "view breakpoints", NULL, "breakpoints, watches and displays"},
	{"v e", "view events", NULL, "events of the run"},
	{"v u", "view queue", NULL, "the queue"},
	{"u", "view queue", NULL, "the queue"},
	{"g t", "view timeline", NULL, "the timeline"},
	{"v g", "view timeline", NULL, "the timeline"},
	{"v t", "view timeline", NULL, "the timeline"},
	{"v n", "view nanite", NULL, "pages of Nanite resources"},
	{"v d", "view diff", NULL, "what differs"},
	{"d d", "view diff", NULL, "differences from the frame before"},
	{"d w", "view pick files:.cworld,.json view diff now {}", NULL,
		"differences from another cook that you choose"},
	{"d l", "view pick files:.log view diff {}", NULL,
		"differences from a log of the engine that you choose"},
	{"d s", "view pick settings view diff whatif {}", NULL,
		"changes that another setting would make in the cook; you choose the setting"},
	{"d r", "view pick settings view runs now {} -p picked", NULL,
		"changes that a setting would make in a run along the path chosen last",
		view_has_picked_path},
	{"d r", "view pick files:.csv,.csv.gz view pick settings view runs now {} -p {}", NULL,
		"changes that a setting would make in a run; you choose path and setting"},
	{"v q", ":view rows sql SELECT ", NULL, "rows that an SQL statement selects"},
	{"v O", "view pick files:.json,.cworld,.cnanite,.log,.umap,.utoc,.pak open {}", NULL,
		"open a file, which is chosen"},
	{"v ?", "view tasks", NULL, "tasks, with their keys"},
	{"v .", "view start", NULL, "open files, problems, next steps"},
	{"X", ":%t --csv > rows.csv", NULL, "write the rows that are listed as CSV", is_list},
	{"v v", "view variables", NULL, "variables of the engine"},
	{"v b", "view stalls", NULL, "waits for streaming, and their causes"},
	{"v j", "view sets", NULL, "sets of actors that share a cell"},
	{"v w", "view hitches", NULL, "costs of the run"},
	{"v F", "view faults", NULL, "cells whose loads fail or take longer"},
	{"v P", "view partitions", NULL, "world partitions"},
	{"v R", "view resources", NULL, "Nanite resources that are open"},
	{"v N", "view pages", NULL, "pages of Nanite resources, as a list"},
	{"v T", "view lessons", NULL, "the tutorial"},
	{"v x", "view servers", NULL, "cells that the server holds for clients"},
	{"L", "view layers", NULL, "the data layers"},
	{"f", "view findings", NULL, "findings of the cook"},
	{"V y", "view split why", NULL, "explain beside why the object is loaded"},
	{"V e", "view split explain", NULL, "explain beside how the object came there"},
	{"V o", "view split object", NULL, "all fields of the object, beside"},
	{"V u", "view split queue", NULL, "queue beside the view"},
	{"V g", "view split timeline", NULL, "timeline beside the view"},
	{"V m", "view split map", NULL, "map beside the view"},
	{"V V", "view split off", NULL, "show only one view"},
	{"V t", "view split turn", NULL, "second view beside or below the first"},
	{"g g", "view cursor first", NULL, "the first row"},
	{"Down", "view cursor down", NULL, "down"},
	{"Up", "view cursor up", NULL, "up"},
	{"Left", "view cursor left", NULL, "left"},
	{"Right", "view cursor right", NULL, "right"},
	{"j", "view cursor down", NULL, "down"},
	{"k", "view cursor up", NULL, "up"},
	{"h", "view cursor left", NULL, "left"},
	{"l", "view cursor right", NULL, "right"},
	{"PgDn", "view cursor page-down", NULL, "a page down"},
	{"PgUp", "view cursor page-up", NULL, "a page up"},
	{"J", "view cursor page-down", NULL, "a page down"},
	{"K", "view cursor page-up", NULL, "a page up"},
	{"C-f", "view cursor page-down", NULL, "a page down"},
	{"C-b", "view cursor page-up", NULL, "a page up"},
	{"C-d", "view cursor half-down", NULL, "half a page down"},
	{"C-u", "view cursor half-up", NULL, "half a page up"},
	{"$", "view cursor line-end", NULL, "the last column"},
	{"G", "view cursor last", NULL, "the last row"},
	{"Home", "view cursor first", NULL, "the first row"},
	{"End", "view cursor last", NULL, "the last row"},
	{"0", "view cursor home", NULL, "back to the source, or the first column"},
	{"Tab", "forward", NULL, "undo C-o", has_one_pane},
	{"Tab", "view focus next", NULL, "the other pane"},
	{"S-Tab", "view focus next", NULL, "the other pane"},
	{"q", "view close", NULL, "close the view; the last one leaves the screen"},
	{"<", "view close", NULL, "the same"},
	{"Esc", "view search off", NULL, "no longer mark the search text", is_searched},
	{"Esc", "view close", NULL, "close the view, but not the last one", has_view_below},
	{"Backspace", "view close", NULL, "the same"},
	{"Q", "tui off", NULL, "leave the screen; the session goes on with a prompt"},
	{"C-x a", "tui off", NULL, "switch to the prompt; there C-x a returns"},
	{"/", ":view search ", NULL, "search for a text in the rows"},
	{"n", "view search", NULL, "next row with the text, or next change", is_searched},
	{"N", "view search -", NULL, "last row with the text, or last change", is_searched},
	{"n", "next --idle 60", NULL, "run to the next change within 60 frames"},
	{"N", "previous", NULL, "back to the change before"},
	{"}", "next event --idle 60", NULL, "run to the next layer, stall or failure"},
	{"{", "previous event", NULL, "back to the event before"},
	{"\\", ":view filter ", NULL, "show the rows for which an expression of SQL holds",
		is_list},
	{"o", "view sort here", NULL, "sort by this column; again: reverse", is_list},
	{"O", "view sort next", NULL, "sort by the next column", is_list},
	{"t", "view tick", NULL, "mark the row, or remove its mark", is_list},
	{"F", "view group next", NULL,
		"count the rows by a column, with bars; again: by another column", is_list},
	{"s", "step", NULL, "run a frame"},
	{"S", "reverse-step", NULL, "go a frame back"},
	{"c", "continue", NULL, "run until something stops it"},
	{"C", "reverse-continue", NULL, "run back until something stops it"},
	{"Space", "play", NULL, "play, or pause", is_of_time},
	{"Space", "view cursor page-down", NULL, "a page down"},
	{"b", "toggle %o", NULL, "stop at changes of the object, or no longer", can_stop},
	{"B", "view breakpoints", NULL, "breakpoints, watches and displays"},
	{"w", ":watch ", NULL, "stop when an expression changes"},
	{"M *", "mark %l", NULL, "store the place under a letter"},
	{"' *", "jump %l", NULL, "go to the place stored under a letter"},
	{"C-o", "back", NULL, "back to the place before"},
	{"P", ":view save ", NULL, "write the screen into a file"},
	{":", ":", NULL, "type a command"},
	{"!", ":shell ", NULL, "a command of the shell"},
	{"C-l", "view redraw", NULL, "draw the whole screen again"},
	{"?", "view keys", NULL, "all keys"},
	{"F1", "view keys", NULL, "all keys"},
	{0},
};

/* ---- names of keys ---- */

static const char *const key_names[] = {"Up", "Down", "Left", "Right", "PgUp", "PgDn", "Home",
	"End", "Enter", "Esc", "Tab", "S-Tab", "Backspace", "Delete", "Insert", "Space", NULL};

void key_complete(const char *prefix, struct candidates *candidates)
{
	for (size_t i = 0; key_names[i]; i++)
		candidates_add_matching(candidates, prefix, key_names[i]);
}

bool key_is_name(const char *key)
{
	size_t n = strlen(key);
	for (size_t i = 0; key_names[i]; i++)
		if (strcmp(key_names[i], key) == 0)
			return true;
	if (n >= 2 && key[0] == 'F' && strspn(key + 1, "0123456789") == n - 1)
		return n < 4;
	if (n == 3 && memcmp(key, "C-", 2) == 0)
		return key[2] >= 'a' && key[2] <= 'z';
	/* all other keys are named by their character */
	return n >= 1 && n <= 4 && (n == 1 || (unsigned char)key[0] >= 0xc0) &&
	       (unsigned char)key[0] > ' ' && key[0] != 0x7f;
}

/* ---- filling placeholders in lines ---- */

struct filling {
	struct screen *screen;
	struct object object;
	CS_VEC(char) line;
	bool failed; /* an allocation failed */
};

static void key_list_add(struct filling *to, const char *text)
{
	if (!text || !cs_vec_append(&to->line, text, strlen(text)))
		to->failed = true;
}

static void add_word(struct filling *to)
{
	char *word = object_word(to->screen->session, &to->object);
	key_list_add(to, word);
	free(word);
}

static void add_literal(struct filling *to, const char *literal)
{
	char *quoted = quote_sql(literal);
	key_list_add(to, quoted);
	free(quoted);
}

/* Appends the object's name as an SQL literal, and its partition if there are several. */
static void add_sql(struct filling *to)
{
	struct cs_value partition;
	add_literal(to, to->object.name);
	if (!object_partition(to->screen->session, &to->object, &partition))
		return;
	key_list_add(to, " AND partition = ");
	add_literal(to, partition.text);
}

/* Appends what the view's `fill` prints for this placeholder. Returns false if it has nothing. */
static bool add_of_view(struct filling *to, char letter)
{
	struct tui_view *view = screen_view(to->screen);
	struct text_output text;
	bool is_there = view->type->fill(
		view, letter, text_output_begin(&text, (struct style){.plain = true}));
	char *said = text_output_end(&text);
	key_list_add(to, said);
	free(said);
	return is_there;
}

/* Appends an option, with the text as its value. Without a text, appends nothing. */
static void add_option(struct filling *to, const char *option, const char *text)
{
	char *word = text ? quote_word(text) : NULL;
	if (!text)
		return;
	key_list_add(to, option);
	key_list_add(to, word);
	free(word);
}

/* Returns the SELECT statement of a line, which may begin with `sql`, or NULL for other lines. */
static const char *selection_of(const char *line)
{
	line += strncmp(line, "sql ", 4) == 0 ? 4 : 0;
	return strncasecmp(line, "SELECT ", 7) == 0 ? line : NULL;
}

/*
 * Appends `sql` with a SELECT in quotes, because otherwise the options that follow would become
 * part of the statement. `sql` has no options for a filter and an order, so the statement contains
 * those of the list.
 */
static void add_selection(struct filling *to, const char *select, const struct list *list)
{
	const bool is_whole = !list->where && !list->sort;
	const bool descends = list->sort && *list->sort == '-';
	char *text = NULL;
	int n = is_whole ? asprintf(&text, "%s", select)
			 : asprintf(&text, "SELECT * FROM (%s)%s%s%s%s%s%s", select,
				   list->where ? " WHERE " : "", list->where ? list->where : "",
				   list->sort ? " ORDER BY \"" : "",
				   list->sort ? list->sort + descends : "", list->sort ? "\"" : "",
				   descends ? " DESC" : "");
	add_option(to, "sql ", n < 0 ? "" : text);
	to->failed = to->failed || n < 0;
	free(text);
}

/* Appends the command that lists the rows of the view: table or command, filter and order. */
static bool add_listing(struct filling *to, const struct tui_view *view)
{
	const struct view_type *type = view->type;
	const struct list *list = &view->list;
	const char *select = type->table ? NULL : selection_of(view->argument);
	if (!type->table && !type->command)
		return false;
	if (select) {
		add_selection(to, select, list);
		return true;
	}
	key_list_add(to, type->table ? type->table : type->command);
	if (!type->table && *view->argument) {
		key_list_add(to, *type->command ? " " : "");
		key_list_add(to, view->argument);
	}
	add_option(to, " -w ", list->where);
	add_option(to, " -s ", list->sort);
	return true;
}

static bool is_kind(const struct filling *to, const char *kind)
{
	return to->object.kind && strcmp(to->object.kind, kind) == 0;
}

/* Appends the value of the placeholder with this letter. Returns false for an unknown letter. */
static bool key_fill(struct filling *to, char letter)
{
	struct tui_view *view = screen_view(to->screen);
	char number[24];
	if (letter == 'f') {
		snprintf(number, sizeof(number), "%" PRIu64,
			view->type->frame ? view->type->frame(view) : 0);
		key_list_add(to, number);
		return true;
	}
	if (strchr("prsw", letter))
		return view->type->fill && add_of_view(to, letter);
	if (letter == 't')
		return add_listing(to, view);
	if (letter == 'l') {
		key_list_add(to, to->screen->typed.pressed);
		return true;
	}
	if (!to->object.kind || (letter == 'c' && !is_kind(to, "cell")) ||
		(letter == 'a' && !is_kind(to, "actor")))
		return false;
	if (letter == 'o' || letter == 'k')
		key_list_add(to, to->object.kind);
	if (letter == 'o')
		key_list_add(to, " ");
	if (letter == 'q')
		add_sql(to);
	else if (letter != 'k')
		add_word(to);
	return true;
}

/*
 * Returns the command line of a key, with its placeholders replaced. The caller frees it. If the
 * key does nothing here, shows a message and returns NULL.
 */
static char *key_line(struct screen *screen, const char *template)
{
	struct filling to = {.screen = screen};
	bool here = true;
	view_object(screen_view(screen), &to.object);
	template = template_of(&to.object, template);
	for (const char *c = template; *c && here; c++) {
		const char text[] = {*c, '\0'};
		if (*c == '%' && c[1])
			here = key_fill(&to, *++c);
		else
			key_list_add(&to, text);
	}
	if (!cs_vec_push(&to.line, '\0'))
		to.failed = true;
	if (here && !to.failed)
		return to.line.at;
	screen_message(screen, "%s",
		to.failed ? "out of memory"
			  : "no object that this key can act on is under the cursor");
	cs_vec_free(&to.line);
	return NULL;
}

bool key_is_of(const struct key *key, struct tui_view *view)
{
	for (const struct key *own = view->type->keys; own && own->keys; own++)
		if (strcmp(own->keys, key->keys) == 0 && !own->when)
			return false;
	return (key->when != is_list && key->when != is_of_time) || key->when(view);
}

bool key_applies(const struct key *key, struct tui_view *view)
{
	return !key->when || key->when(view);
}

/* ---- pressing keys ---- */

static bool begins(const char *sequence, const char *keys)
{
	size_t n = strlen(keys);
	return strncmp(sequence, keys, n) == 0 && sequence[n] == ' ';
}

/* Returns whether pressed keys match a row's sequence; "M *" is M and any letter or digit. */
static bool is_row_of(const char *sequence, const char *keys)
{
	size_t n = strlen(sequence);
	if (n < 2 || strcmp(sequence + n - 2, " *") != 0)
		return strcmp(sequence, keys) == 0;
	return strlen(keys) == n && strncmp(sequence, keys, n - 1) == 0 &&
	       isalnum((unsigned char)keys[n - 1]);
}

/* Returns the row of the pressed keys, or NULL. Sets *begun_ret if a row's keys begin with them. */
static const struct key *key_found(
	const struct key *table, struct tui_view *view, const char *keys, bool *begun_ret)
{
	for (; table && table->keys; table++) {
		if (is_row_of(table->keys, keys) && key_applies(table, view))
			return table;
		*begun_ret = *begun_ret || begins(table->keys, keys);
	}
	return NULL;
}

static const struct key *find_bound(const struct screen *screen, const char *keys, bool *begun_ret)
{
	for (size_t i = 0; i < screen->bound.n; i++) {
		if (strcmp(screen->bound.at[i].keys, keys) == 0)
			return &screen->bound.at[i];
		*begun_ret = *begun_ret || begins(screen->bound.at[i].keys, keys);
	}
	return NULL;
}

struct cs_error *key_bind(struct screen *screen, const char *keys, const char *line)
{
	size_t i = 0;
	while (i < screen->bound.n && strcmp(screen->bound.at[i].keys, keys) != 0)
		i++;
	if (i < screen->bound.n) {
		free((char *)screen->bound.at[i].keys);
		free((char *)screen->bound.at[i].line);
		screen->bound.at[i] = screen->bound.at[--screen->bound.n];
	}
	if (!line)
		return NULL;
	struct key key = {
		.keys = strdup(keys), .line = strdup(line), .help = "key that the user bound"};
	if (key.keys && key.line && cs_vec_push(&screen->bound, key))
		return NULL;
	free((char *)key.keys);
	free((char *)key.line);
	return cs_error_nomem();
}

/*
 * Runs a cursor key before which a number was typed. The number is the count of steps, or for a key
 * that goes to the first or last row, the row to go to.
 */
static void press_counted(struct screen *screen, const struct key *key, unsigned count)
{
	char line[64];
	const char *way = strncmp(key->line, "view cursor ", 12) == 0 ? key->line + 12 : NULL;
	if (!way || strchr(way, '%') || strcmp(way, "home") == 0 || strcmp(way, "line-end") == 0) {
		screen_message(screen, "the key %s takes no number before it, so nothing was done",
			key->keys);
		return;
	}
	if (strcmp(way, "first") == 0 || strcmp(way, "last") == 0)
		snprintf(line, sizeof(line), "view cursor %u", count);
	else
		snprintf(line, sizeof(line), "%s %u", key->line, count);
	screen_submit(screen, line);
}

/* Submits a line, and shows a message if nothing on the screen has changed afterwards. */
static void submit_seen(struct screen *screen, const char *line)
{
	const struct grid *grid = &screen->grid;
	size_t n = (size_t)grid->columns * grid->rows * sizeof(*grid->at);
	struct grid_cell *before = malloc(n);
	if (before)
		memcpy(before, grid->at, n);
	screen->was_error = false;
	screen_submit(screen, line);
	bool is_same = before && !screen->prompt.is_open &&
		       n == (size_t)grid->columns * grid->rows * sizeof(*grid->at) &&
		       memcmp(before, grid->at, n) == 0;
	free(before);
	if (is_same && !screen->message[0] && !screen->was_error)
		screen_message(screen, "%s: nothing changed on the screen", line);
}

static void press(struct screen *screen, const struct key *key)
{
	char *line = key_line(screen, key->line[0] == ':' ? key->line + 1 : key->line);
	if (!line)
		return;
	if (key->line[0] == ':' || line[0] == ':')
		prompt_open(screen, line + (line[0] == ':'));
	else if (key->line[0] == '%' || strncmp(line, "view cursor ", 12) == 0)
		screen_submit(screen, line);
	else
		submit_seen(screen, line);
	free(line);
}

/* Returns whether the key is a digit of a count. 0 cannot be the first digit. */
static bool is_digit_of_count(const struct screen *screen, const char *key)
{
	return !*screen->typed.pending && key[1] == '\0' &&
	       key[0] >= (screen->typed.count ? '0' : '1') && key[0] <= '9';
}

void screen_key(struct screen *screen, const char *key)
{
	enum { MOST_COUNT = 99999 };
	struct tui_view *view = screen_view(screen);
	char keys[sizeof(screen->typed.pending) + KEY_NAME];
	bool begun = false;
	screen->is_drawn = false;
	screen->message[0] = '\0';
	if (prompt_answer_paste(screen, key))
		return;
	if (screen->prompt.is_open) {
		prompt_key(screen, key);
		return;
	}
	if (is_digit_of_count(screen, key)) {
		unsigned count = screen->typed.count * 10 + (unsigned)(key[0] - '0');
		screen->typed.count = count < MOST_COUNT ? count : MOST_COUNT;
		return;
	}
	unsigned count = screen->typed.count;
	screen->typed.count = 0;
	snprintf(keys, sizeof(keys), "%.60s%s%.15s", screen->typed.pending,
		*screen->typed.pending ? " " : "", key);
	screen->typed.pending[0] = '\0';
	const struct key *found = find_bound(screen, keys, &begun);
	if (!found)
		found = key_found(view->type->keys, view, keys, &begun);
	if (!found)
		found = key_found(common_keys, view, keys, &begun);
	snprintf(screen->typed.pressed, sizeof(screen->typed.pressed), "%s", key);
	if (found && count)
		press_counted(screen, found, count);
	else if (found)
		press(screen, found);
	else if (begun) {
		snprintf(screen->typed.pending, sizeof(screen->typed.pending), "%.60s", keys);
		screen->typed.count = count;
	} else if (strcmp(key, "Esc") != 0 && strcmp(key, "C-c") != 0) {
		screen_message(screen, "the key '%s' does nothing here; ? lists the keys", keys);
		screen->typed.was_unknown = true;
	}
	screen->is_drawn = screen->is_drawn && !screen->message[0] && !screen->prompt.is_open;
}
