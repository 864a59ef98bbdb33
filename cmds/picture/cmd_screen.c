/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands of the full screen. Keys of the screen submit them, and scripts use them to draw and
 * save a screen without a terminal. The first such command creates the screen.
 */
#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/tui/screen.h"
#include "src/tui/terminal/screen_export.h"

#include <stdio.h>
#include <string.h>

#define ON_SCREEN (COMMAND_CHANGES | COMMAND_VIEW)

static struct cs_error *run_on_screen(struct call *call)
{
	struct screen *screen;
	struct display *display = &call->session->display;
	const bool is_first = !display->screen;
	struct cs_error *error = screen_of(call->session, &screen);
	if (!error)
		error = call->command->on_screen(call, screen);
	/*
	 * if the line that created the screen fails, the screen is removed again, because a record
	 * of the session does not contain that line
	 */
	if (error && is_first && display->screen) {
		display->watcher->free(display->screen);
		display->screen = NULL;
	}
	return error;
}

/* Defines the command `view WORD`. `old` is its former name, which the next release removes. */
#define VIEW_WORD(variable, word, old, function, flags_, ...)  \
	const struct command variable = {.name = "view " word, \
		.was = old,                                    \
		.group = GROUP_SCREEN,                         \
		.flags = flags_,                               \
		.run = run_on_screen,                          \
		.on_screen = function,                         \
		__VA_ARGS__}

/* ---- opening and choosing views ---- */

/* Makes an error that suggests a similar view, or a similar second word of `view`: "view shwo". */
static struct cs_error *no_such_view(const char *name)
{
	struct closest closest = closest_to(name);
	view_types_consider(&closest);
	command_consider_words(&closest, "view");
	return cs_error_new(CS_E_UNKNOWN, "no view '%s'; %s%s%s", name,
		closest.best ? "did you mean '" : "`view list` lists them",
		closest.best ? closest.best : "", closest.best ? "'?" : "");
}

static struct cs_error *view_for(
	const char *name, const char *argument, bool splits, const struct view_type **ret)
{
	const struct view_type *type = view_type_named(name);
	*ret = type;
	if (!type)
		return no_such_view(name);
	if (type->needs_argument && !*argument && !(splits && type->has_object))
		return cs_error_new(CS_E_USAGE,
			"the view '%s' needs an argument after its name: it shows %s", type->name,
			type->help);
	return NULL;
}

static struct cs_error *run_view(struct call *call, struct screen *screen)
{
	const char *name = call_argument(call, 0)->text,
		   *argument = argument_text(call_argument(call, 1), "");
	const struct view_type *type;
	if (strcmp(name, "close") == 0) {
		screen_close(screen);
		return NULL;
	}
	struct cs_error *error = view_for(name, argument, false, &type);

	return error ? error : screen_open(screen, type, argument);
}

const struct command command_view = {
	.name = "view",
	.group = GROUP_SCREEN,
	.flags = ON_SCREEN,
	.arguments = {{"VIEW|close", ARGUMENT_WORD, .complete = view_types_complete},
		{"WHAT", ARGUMENT_EXPRESSION, .optional = true}},
	.summary = "open a view on the screen, or close the topmost view",
	.examples = "view cells\nview actors class = 'PointLight'\nview explain actor Rock_1187",
	.help = "VIEW is the name of a view (`view list` lists the names), and WHAT chooses what\n"
		"the view shows. A view of a list, such as `cells`, takes an SQL condition for\n"
		"its rows. A view of one object, such as `cell`, takes the name of the object. A\n"
		"view of the output of a command takes the words after the name of the command,\n"
		"so `view explain actor Rock_1187` shows the output of `explain actor Rock_1187`.\n"
		"`close` closes the topmost view. Without a terminal `view show` prints the\n"
		"screen.",
	.run = run_on_screen,
	.on_screen = run_view,
};

static struct cs_error *run_split(struct call *call, struct screen *screen)
{
	const char *name = call_argument(call, 0)->text,
		   *argument = argument_text(call_argument(call, 1), "");
	const struct view_type *type;
	if (strcmp(name, "turn") == 0) {
		screen->split = screen->split == SPLIT_BESIDE ? SPLIT_BELOW : SPLIT_BESIDE;
		return NULL;
	}
	if (strcmp(name, "off") == 0) {
		screen_unsplit(screen);
		return NULL;
	}
	struct cs_error *error = view_for(name, argument, true, &type);

	return error ? error : screen_split(screen, type, argument);
}

VIEW_WORD(command_split, "split", "split", run_split, ON_SCREEN,
	.arguments = {{"VIEW|off|turn", ARGUMENT_WORD, .complete = view_types_complete},
		{"WHAT", ARGUMENT_EXPRESSION, .optional = true}},
	.summary = "open a second view on the screen, beside the first",
	.examples = "view split why\nview split cells\nview split turn\nview split off",
	.help = "VIEW and WHAT are as in `help view`; a view of one object without WHAT shows the\n"
		"object under the cursor of the first view. `turn` moves the second view from\n"
		"beside the first to below it, or back; `off` closes the second view.");

static struct cs_error *run_focus(struct call *call, struct screen *screen)
{
	(void)call;
	screen_focus(screen, (screen->focus + 1) % screen->n_panes);
	return NULL;
}

static const char *const focuses[] = {"next", NULL};

VIEW_WORD(command_focus, "focus", "focus", run_focus, ON_SCREEN,
	.arguments = {{"next", ARGUMENT_CHOICE, .optional = true, .choices = focuses}},
	.summary = "move the focus to the other of two views", .examples = "view focus next",
	.help = "The keys, and commands such as `view cursor` and `view sort`, act on the view\n"
		"with the focus. `view split` opens a second view. The word `next` may be left\n"
		"out.");

static const struct cs_column view_columns[] = {
	SHORT(struct view_type, name, "name of the view, as the command `view` takes it"),
	SHORT(struct view_type, help, "contents of the view"),
	SHORT(struct view_type, table, "table that contains the rows, if any"),
	SHORT(struct view_type, command, "command that prints the rows, if any"),
};

static const struct cs_table views_table =
	PLAIN_TABLE_OF("views", "view", view_columns, plain_count, plain_pointed);

static struct cs_error *run_views(struct call *call)
{
	size_t n = 0;
	while (view_types[n])
		n++;
	return emit_plain(call, &views_table, view_types, n);
}

const struct command command_views = {
	.name = "view list",
	.was = "views",
	.group = GROUP_SCREEN,
	.flags = COMMAND_LISTS,
	.summary = "list the names of all views that `view` can open",
	.examples = "view list",
	.help = "The column `name` has the names for `view NAME`. The column `table` is the table\n"
		"whose rows the view lists, and `command` is the command whose output the view\n"
		"shows. A view with neither draws a picture or has contents of its own.",
	.run = run_views,
};

/* ---- moving the cursor ---- */

static const struct {
	const char *word;
	enum motion motion;
	long n;
} motions[] = {
	{"up", MOTION_ROWS, -1},
	{"down", MOTION_ROWS, 1},
	{"previous", MOTION_ROWS, -1},
	{"next", MOTION_ROWS, 1},
	{"left", MOTION_COLUMNS, -1},
	{"right", MOTION_COLUMNS, 1},
	{"page-up", MOTION_PAGES, -1},
	{"page-down", MOTION_PAGES, 1},
	{"first", MOTION_FIRST, 0},
	{"last", MOTION_LAST, 0},
	{"home", MOTION_HOME, 0},
	{"half-up", MOTION_HALVES, -1},
	{"half-down", MOTION_HALVES, 1},
	{"line-end", MOTION_LINE_END, 0},
};

static bool is_count(const char *word, double *ret)
{
	return !word[strspn(word, "0123456789")] && cs_double_parse(word, strlen(word), ret) &&
	       *ret >= 1 && *ret <= 1e9;
}

/* Repeats a cursor motion `times` times: "cursor down 5". */
static struct cs_error *move_often(struct screen *screen, size_t motion, const char *times)
{
	double n;
	if (!is_count(times, &n))
		return cs_error_new(CS_E_USAGE,
			"TIMES must be a whole number from 1 to 1000000000, not '%s'", times);
	return view_move(screen_view(screen), motions[motion].motion, motions[motion].n * (long)n);
}

/* Moves the cursor to an object, as in the command `cursor cell NAME`. */
static struct cs_error *go_to(struct screen *screen, const char *kind, const char *name)
{
	struct object object = {kind, CS_NONE, ""};
	struct tui_view *view = screen_view(screen);
	snprintf(object.name, sizeof(object.name), "%s", name);
	if (object_row(screen->session, &object) == CS_NONE)
		return cs_error_new(CS_E_MISSING, "there is no %s named '%s'", kind, name);
	view_renew(view);
	bool gone = view->type->go ? view->type->go(view, &object) : list_go(view, &object);
	return gone ? NULL
		    : cs_error_new(CS_E_MISSING,
			      "the %s '%s' is not among the rows of the view '%s': `view filter` "
			      "shows all rows",
			      kind, name, view->type->name);
}

static struct cs_error *run_cursor(struct call *call, struct screen *screen)
{
	const char *word = call_argument(call, 0)->text;
	double row;
	const struct argument *second = call_argument(call, 1);
	for (size_t i = 0; i < sizeof(motions) / sizeof(motions[0]); i++)
		if (strcmp(motions[i].word, word) == 0)
			return move_often(screen, i, argument_text(second, "1"));
	if (second->given)
		return go_to(screen, word, second->text);
	if (!is_count(word, &row))
		return cs_error_new(CS_E_USAGE,
			"the cursor cannot move '%s': write up, down, left, right, page-up, "
			"page-down, half-up, half-down, first, last, home, line-end or the number "
			"of a row",
			word);
	return view_move(screen_view(screen), MOTION_ROW, (long)row - 1);
}

VIEW_WORD(command_cursor, "cursor", "cursor", run_cursor, ON_SCREEN,
	.arguments = {{"WAY|KIND", ARGUMENT_WORD}, {"TIMES|NAME", ARGUMENT_WORD, .optional = true}},
	.summary = "move the cursor of the focused view",
	.examples =
		"view cursor next\nview cursor down 5\nview cursor page-down\nview cursor 12\nview cursor cell L0:0,0",
	.help = "WAY is `up` (or `previous`), `down` (or `next`), `left`, `right`, `page-up`,\n"
		"`page-down`, `half-up` or `half-down` (half a page); the cursor moves that way\n"
		"TIMES times (default 1). WAY can also be `first` or `last` (row), the number of\n"
		"a row from 1, `line-end` (the last column) or `home`, which is the first row of\n"
		"a list, the streaming source on a map, or the present frame on a timeline. With\n"
		"KIND (cell, actor, layer, page or another kind of row) and NAME the cursor moves\n"
		"to that object.");

/* Sets the property of the focused view that the second word of the command names ("view zoom"). */
static struct cs_error *run_set_view(struct call *call, struct screen *screen)
{
	struct tui_view *view = screen_view(screen);
	const char *value = argument_text(call_argument(call, 0), "");
	const char *second = strchr(call->command->name, ' ');
	const char *what = second ? second + 1 : call->command->name;
	view_renew(view);
	return view->type->set ? view->type->set(view, what, value) : list_set(view, what, value);
}

#define TELLS(variable, word, argument_, type_, needed, summary_, examples_, help_)            \
	VIEW_WORD(variable, word, word, run_set_view, ON_SCREEN,                               \
		.arguments = {{argument_, type_, .optional = !(needed)}}, .summary = summary_, \
		.examples = examples_, .help = help_)

TELLS(command_pan, "pan", "X,Y", ARGUMENT_WORD, true, "move the visible part of the focused map",
	"view pan 4,0\nview pan 0,-6",
	"X and Y are numbers of characters. The visible part moves to the right by X and\n"
	"down by Y, or to the left and up if they are negative.");
TELLS(command_zoom, "zoom", "in|out|fit|dots|N|1/N", ARGUMENT_WORD, true,
	"zoom the focused map or timeline", "view zoom out\nview zoom fit\nview zoom 1/4",
	"With N, a letter of a map covers N by N cells, and a column of a timeline covers\n"
	"N frames. With 1/N (1/2, 1/4, 1/8 or 1/16) a cell of a map is N times as wide\n"
	"and as high as with 1, and dots show where its actors are. In worlds of more\n"
	"than 100,000 actors the dots appear only after `view zoom dots`, which reads the\n"
	"actors. `in` shows fewer cells or frames, `out` shows more, and `fit` shows the\n"
	"whole map or timeline.");
TELLS(command_overlay, "overlay", "NAME|next|rows LINE", ARGUMENT_LINE, true,
	"choose what the focused map shows by its colours and letters",
	"view overlay actors\nview overlay next\nview overlay loads\nview overlay rows layer-impact DL_Night activated",
	"NAME is a value of the option -o of `map` (help map), `loads` (how often each\n"
	"cell was loaded), `thrash` (how often each cell was loaded again), or `late` or\n"
	"`real` (help run compare). `next` chooses the next NAME. `rows LINE` runs the\n"
	"command line LINE and marks each cell that one of the printed rows names; LINE\n"
	"can be `layer-impact`, `diff`, or `sql` with a SELECT.");
TELLS(command_level, "level", "up|down|all|N", ARGUMENT_WORD, true,
	"choose the grid level of the focused map", "view level 0\nview level all",
	"N is the number of a level. `up` chooses the next higher level, and `down`\n"
	"chooses the next lower level. `all` shows the cells of all levels, each in its\n"
	"size. A second `all` shows only the lowest level that has cells.");
TELLS(command_drag, "drag", "SOURCE|off", ARGUMENT_WORD, false,
	"move a streaming source with the cursor of the focused map",
	"view drag\nview drag Player0\nview drag off",
	"The command chooses SOURCE. Then move the cursor of the map to the new position\n"
	"and press Enter, which runs `source move` to this position. Without SOURCE the\n"
	"command chooses the first streaming source, as the key S does. `off`, or the\n"
	"command without SOURCE while a source is chosen, leaves the source where it was.");
TELLS(command_grid, "grid", "NAME|next", ARGUMENT_WORD, true, "choose the grid of the focused map",
	"view grid MainGrid\nview grid next",
	"NAME is the name of a grid (`grids` lists them); `next` is the grid after the\n"
	"present grid.");
TELLS(command_sort, "sort", "KEY|next|reverse", ARGUMENT_KEYS, true,
	"sort the rows of the focused view", "view cells\nview sort -actors\nview sort reverse",
	"KEY is a column; -KEY sorts in descending order. `next` sorts by the column\n"
	"after the present sort column; after the last column the rows are not sorted.\n"
	"`reverse` reverses the order.");
TELLS(command_filter, "filter", "EXPR", ARGUMENT_FILTER, false,
	"filter the rows of the focused view by an SQL condition",
	"view cells\nview filter level > 0 AND actors < 3\nview filter",
	"EXPR is a condition in SQL over the columns of the rows (help expressions). The\n"
	"view then shows only rows for which EXPR is true. Without EXPR all rows are\n"
	"shown again.");
TELLS(command_search, "search", "TEXT", ARGUMENT_LINE, false,
	"move the cursor of the focused view to the next row with a text",
	"view actors\nview search Rock\nview search\nview search -",
	"The command goes to the next row in which a text contains TEXT, in upper or\n"
	"lower case, or a whole number equals TEXT; after the last row comes the first\n"
	"row. Without TEXT the command searches again for the last TEXT, and with `-` it\n"
	"searches backwards.");
TELLS(command_group, "group", "KEY|next|off", ARGUMENT_KEYS, true,
	"count the rows of the focused view by a column, with bars",
	"view cells\nview group state\nview group off",
	"KEY is a column. For each value of this column the view shows the number of rows\n"
	"and a bar. `next` counts by the column after the present column, and `off` shows\n"
	"the rows themselves again.");
TELLS(command_choose_columns, "columns", "KEYS", ARGUMENT_KEYS, false,
	"choose the columns of the focused view",
	"view cells\nview columns name,state,bytes\nview columns",
	"KEYS are the names of columns, separated by commas. Without KEYS the default\n"
	"columns are shown.");
static const char *const ticked[] = {"row", NULL};

VIEW_WORD(command_tick, "tick", "tick", run_set_view, ON_SCREEN,
	.arguments = {{"row", ARGUMENT_CHOICE, .optional = true, .choices = ticked}},
	.summary = "mark the row under the cursor, or remove the mark",
	.examples = "view cells\nview tick",
	.help = "A marked row has a * and another colour, and the title of the view counts the\n"
		"marked rows. A mark has no other effect. The command also moves the cursor one\n"
		"row down. The word `row` may be left out.");

/* ---- settings and output of the screen ---- */

static struct cs_error *run_size(struct call *call, struct screen *screen)
{
	const struct argument_pair size = call_argument(call, 0)->pair;
	if (size.first < GRID_LEAST || size.second < GRID_LEAST || size.first > GRID_MOST ||
		size.second > GRID_MOST)
		return cs_error_new(CS_E_USAGE,
			"the size must be COLUMNSxROWS, each 1 to %d, not %s", GRID_MOST,
			call_argument(call, 0)->text);
	if (call->session->display.has_terminal)
		return cs_error_new(CS_E_USAGE,
			"the screen has the size of its terminal, which view size cannot "
			"change");
	return screen_resize(screen, (unsigned)size.first, (unsigned)size.second);
}

VIEW_WORD(command_screen_size, "size", "screen size", run_size, ON_SCREEN,
	.arguments = {{"COLUMNSxROWS", ARGUMENT_EXTENT}},
	.summary = "set the size of a screen that has no terminal", .examples = "view size 120x40",
	.help = "COLUMNS and ROWS are numbers of characters, each 1 to 1000 (default 80x24). The\n"
		"command sets the size of the screen that `view show` prints, as in a command\n"
		"file. On a terminal the full screen has the size of the terminal, and the\n"
		"command fails.");

static const char *const colour_counts[] = {"0", "8", "16", "256", "true", NULL};
static const uint32_t colour_values[] = {0, 8, 16, 256, 1u << 24};

static struct cs_error *run_colours(struct call *call, struct screen *screen)
{
	screen->colours =
		(screen->colours & COLOURS_GROUND) | colour_values[call_argument(call, 0)->choice];
	return NULL;
}

VIEW_WORD(command_screen_colours, "colours", "screen colours", run_colours, ON_SCREEN,
	.arguments = {{"N", ARGUMENT_CHOICE, .choices = colour_counts}},
	.summary = "set the number of colours of the screen",
	.examples = "view colours 256\nview colours true",
	.help = "N is the number of colours: 0 (no colours), 8, 16 or 256; `true` means 24 bits\n"
		"for each colour. By default the screen has as many colours as the terminal, at\n"
		"most 256, and no colours without a terminal.");

static const char *const themes[] = {"dark", "light", NULL};
static const uint32_t theme_grounds[] = {COLOURS_CHOSEN, COLOURS_CHOSEN | COLOURS_LIGHT};

static struct cs_error *run_theme(struct call *call, struct screen *screen)
{
	screen->colours &= ~COLOURS_GROUND;
	screen->colours |= theme_grounds[call_argument(call, 0)->choice];
	screen_redraw(screen);
	return NULL;
}

VIEW_WORD(command_screen_theme, "theme", "screen theme", run_theme, ON_SCREEN,
	.arguments = {{"THEME", ARGUMENT_CHOICE, .choices = themes}},
	.summary = "choose colours of the screen for a dark or a light background",
	.examples = "view theme light",
	.help = "THEME is `dark` or `light`. The default follows the background that the terminal\n"
		"reports (OSC 11) or, if it reports none, the environment variable COLORFGBG;\n"
		"without both it is `dark`. The background and plain text keep the colours of the\n"
		"terminal. To keep the choice, put this command into\n"
		"~/.config/cellscope/cellscoperc.");

static struct cs_error *key_check(const char *name)
{
	return key_is_name(name) ? NULL
				 : cs_error_new(CS_E_USAGE,
					   "'%s' is not the name of a key; `help press` shows how "
					   "keys are written",
					   name);
}

static struct cs_error *run_key(struct call *call, struct screen *screen)
{
	const char *keys = call_argument(call, 0)->text;
	struct cs_error *error = key_check(keys);
	return error ? error : key_bind(screen, keys, call_argument(call, 1)->text);
}

VIEW_WORD(command_screen_key, "bind", "screen key", run_key, ON_SCREEN,
	.arguments = {{"KEY", ARGUMENT_WORD}, {"LINE", ARGUMENT_LINE, .optional = true}},
	.summary = "bind a key to a command line, or remove the binding",
	.examples = "view bind F5 step 60\nview bind F6 view cell %n\nview bind F5",
	.help = "KEY is the name of a key (help press), and LINE is a command line. The binding\n"
		"applies in every view. Without LINE the binding is removed. When the key is\n"
		"pressed, %o in LINE becomes the kind and the name of the object under the\n"
		"cursor, such as `cell MainGrid_5_1_0_0`, and %n becomes its name alone. If LINE\n"
		"begins with a colon, the key puts the rest of LINE into the command line and\n"
		"does not run it. To keep a binding, put the command into\n"
		"~/.config/cellscope/cellscoperc.");

static const char *const mouse_switches[] = {"on", "off", NULL};

static struct cs_error *run_mouse(struct call *call, struct screen *screen)
{
	screen->has_mouse = call_argument(call, 0)->choice == 0;
	return NULL;
}

VIEW_WORD(command_screen_mouse, "mouse", "screen mouse", run_mouse, ON_SCREEN,
	.arguments = {{"on|off", ARGUMENT_CHOICE, .choices = mouse_switches}},
	.summary = "let the mouse control the screen, or leave it to the terminal",
	.examples = "view mouse on",
	.help = "With `on` (the default if the terminal reports a mouse), a click of the first\n"
		"button moves the cursor, as `view click` does; the wheel zooms maps and\n"
		"timelines and scrolls lists. To select text in the terminal, hold Shift.\n"
		"Everything can also be done with keys.");

static struct cs_error *run_click(struct call *call, struct screen *screen)
{
	const struct argument_pair spot = call_argument(call, 0)->pair;
	return screen_click(screen, (int)spot.first, (int)spot.second);
}

VIEW_WORD(command_click, "click", "click", run_click, ON_SCREEN,
	.arguments = {{"X,Y", ARGUMENT_SPOT}},
	.summary = "move the cursor to a position of the screen, as a click does",
	.examples = "view cells\nview click 10,5",
	.help = "X is the column and Y is the row of a character on the screen; 0,0 is the upper\n"
		"left corner.");

static const char *const glyph_sets[] = {"ascii", "utf8", NULL};

static struct cs_error *run_glyphs(struct call *call, struct screen *screen)
{
	screen->grid.ascii = call_argument(call, 0)->choice == 0;
	return NULL;
}

VIEW_WORD(command_screen_glyphs, "glyphs", "screen glyphs", run_glyphs, ON_SCREEN,
	.arguments = {{"SET", ARGUMENT_CHOICE, .choices = glyph_sets}},
	.summary = "draw the screen in ASCII, or with lines and blocks of UTF-8",
	.examples = "view glyphs utf8",
	.help = "SET is `ascii` or `utf8`. By default the screen is drawn in UTF-8 on a terminal\n"
		"that has UTF-8 (`show utf8`), and else in ASCII.");

static struct cs_error *run_log_rows(struct call *call, struct screen *screen)
{
	enum { MOST_ROWS = 8 };
	const struct argument *rows = call_argument(call, 0);
	if (rows->given && rows->count > MOST_ROWS)
		return cs_error_new(CS_E_USAGE, "ROWS must be 0 to %d, not %llu", MOST_ROWS,
			(unsigned long long)rows->count);
	screen->log_rows = rows->given ? (int)rows->count : -1;
	return NULL;
}

VIEW_WORD(command_screen_log, "log-rows", "screen log", run_log_rows, ON_SCREEN,
	.arguments = {{"ROWS", ARGUMENT_WHOLE, .optional = true}},
	.summary = "set the number of visible lines of the log",
	.examples = "view log-rows 0\nview log-rows",
	.help = "The log is the output of the last commands, below the views. ROWS is 0 to 8.\n"
		"Without ROWS the log has 2 to 8 lines, depending on the height of the screen,\n"
		"and is hidden while it is empty. A screen of less than 18 lines has no log.");

static struct cs_error *run_redraw(struct call *call, struct screen *screen)
{
	(void)call;
	screen_redraw(screen);
	return NULL;
}

VIEW_WORD(command_screen_redraw, "redraw", "screen redraw", run_redraw, COMMAND_VIEW,
	.summary = "draw the whole screen again", .examples = "view redraw",
	.help = "Use this command when another program has written to the terminal. The key C-l\n"
		"(Ctrl-l) does the same.");

static struct cs_error *run_save(struct call *call, struct screen *screen)
{
	const char *path = call_argument(call, 0)->text;
	struct file_sink file;
	struct cs_error *error = file_sink_open(&file, path);
	if (error)
		return error;
	screen_draw(screen);
	grid_export(&screen->grid, export_form_of(path), screen->colours, &file.sink);
	error = sink_close(&file.sink);
	if (!error)
		note(call->out, "wrote %s\n", path);
	return error;
}

VIEW_WORD(command_screen_save, "save", "screen save", run_save, COMMAND_VIEW | COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_OUTPUT, .choices = REPLACES("text", "svg", "html")}},
	.summary = "write the screen to a file", .examples = "view save map.txt\nview save map.svg",
	.help = "The extension of FILE chooses the format: .ans is text with the escape sequences\n"
		"of a terminal, .html and .svg are pictures in colour, and any other extension\n"
		"means plain text, as `view show` prints it.");

static const char *const forms[] = {"text", "ansi", "html", "svg", NULL};

static struct cs_error *run_show(struct call *call, struct screen *screen)
{
	const struct argument *form = call_argument(call, 0);

	struct memory_sink text;
	screen_draw(screen);
	memory_sink_init(&text);
	grid_export(&screen->grid, form->given ? (enum export_form)form->choice : EXPORT_TEXT,
		screen->colours, &text.sink);
	/* printed without escaping, because the drawn screen contains only printable characters */
	say_fixed(call->out, text.text.at, text.text.n);
	memory_sink_deinit(&text);
	return NULL;
}

VIEW_WORD(command_screen_show, "show", "screen show", run_show, COMMAND_VIEW,
	.arguments = {{"FORM", ARGUMENT_CHOICE, .optional = true, .choices = forms}},
	.summary = "print the full screen as it is now (help screen)",
	.examples = "view show\nview show svg",
	.help = "FORM is `text` (default), `ansi` (text with the escape sequences of a terminal),\n"
		"`html` or `svg`. `view save` writes the screen to a file.");

static struct cs_error *run_press(struct call *call, struct screen *screen)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < call->n_arguments; i++)
		error = key_check(call_argument(call, i)->text);
	if (error)
		return error;
	screen->was_error = screen->typed.was_unknown = false;
	for (size_t i = 0; i < call->n_arguments; i++) {
		screen_key(screen, call_argument(call, i)->text);
		if (screen->typed.was_unknown)
			return cs_error_new(CS_E_UNKNOWN,
				"the key '%s' does nothing in the view '%s'; `press ?` lists the "
				"keys of the view",
				call_argument(call, i)->text, screen_view(screen)->type->name);
	}
	if (screen->was_error)
		return cs_error_new(screen->last_error.code,
			"a command that the keys ran failed: %s", screen->last_error.text);
	return NULL;
}

const struct command command_press = {
	.name = "press",
	.group = GROUP_SCREEN,
	.flags = COMMAND_VIEW,
	.arguments = {{"KEY", ARGUMENT_WORD, .many = true, .complete = key_complete}},
	.summary = "press keys on the screen, as a user does",
	.examples = "press v c\npress Down Enter\npress : s t e p Enter",
	.help = "KEY is a character or the name of a key: Up Down Left Right PgUp PgDn Home End\n"
		"Enter Esc Tab S-Tab (Shift-Tab) Backspace Delete Insert Space, F1 to F12, C-a to\n"
		"C-z (Ctrl-a to Ctrl-z). `help screen` says what the keys do: v, then c, shows\n"
		"the view `cells`. `record` writes the command that a key runs, not the key.",
	.run = run_on_screen,
	.on_screen = run_press,
};

/* ---- commands play and shell ---- */

static struct cs_error *run_play(struct call *call, struct screen *screen)
{
	const double slowest = 0.1, fastest = 1000;
	const struct argument *rate = call_argument(call, 0);
	if (rate->given && rate->number != 0 &&
		!(rate->number >= slowest && rate->number <= fastest))
		return cs_error_new(CS_E_USAGE,
			"RATE must be %g to %g times real time, or 0 to pause, not %g", slowest,
			fastest, rate->number);
	if (call->session->run.follow && !rate->given) {
		call->session->run.follows = !call->session->run.follows;
		return NULL;
	}
	bool plays = screen->playing.rate > 0;
	screen->playing.rate = rate->given ? rate->number : plays ? 0 : 1;
	screen->playing.owed = 0;
	return NULL;
}

const struct command command_play = {
	.name = "play",
	.group = GROUP_SCREEN,
	.flags = COMMAND_WORLD | COMMAND_NANITE | ON_SCREEN,
	.arguments = {{"RATE", ARGUMENT_NUMBER, .optional = true}},
	.summary = "run the simulation on the screen, or pause it",
	.examples = "play\nplay 10\nplay 0",
	.help = "RATE is the speed, 0.1 to 1000 times real time; 0 pauses. Without RATE the\n"
		"command pauses a simulation that is running on the screen, and else runs the\n"
		"simulation at speed 1. The screen runs frames, as `step` does, until it is\n"
		"paused or until a breakpoint or a watch halts the run. Without a terminal\n"
		"`play` runs no frames.",
	.run = run_on_screen,
	.on_screen = run_play,
};

static struct cs_error *screen_run_shell(struct call *call)
{
	const char *line = argument_text(call_argument(call, 0), "");
	struct session *session = call->session;
	struct child_sink child;
	if (session->mode.safe)
		return cs_error_new(CS_E_UNSAFE,
			"`shell` is not allowed, because the session runs with --safe");
	if (session->channels.place && !session->mode.allow_shell)
		return cs_error_new(CS_E_UNSAFE,
			"`shell` is not allowed in a command file without the option "
			"--allow-shell");
	if (session->display.has_terminal)
		return screen_shell(session->display.screen, line);
	struct cs_error *error = child_sink_open(&child, line, NULL, CHILD_PRINTS);
	return error ? error : sink_close(&child.sink);
}

const struct command command_shell = {
	.name = "shell",
	.group = GROUP_SCREEN,
	.arguments = {{"LINE", ARGUMENT_LINE, .optional = true}},
	.summary = "run a command of the shell, or an interactive shell",
	.examples = "shell ls",
	.help = "LINE is a command line of the shell; without LINE an interactive shell is\n"
		"started. The full screen is hidden until the command or the shell ends. A\n"
		"command file may use `shell` only if the program was started with --allow-shell;\n"
		"--safe forbids it everywhere.",
	.run = screen_run_shell,
};

static const char *const switches[] = {"on", "off", NULL};

static struct cs_error *run_tui(struct call *call)
{
	struct session *session = call->session;
	const struct argument *on = call_argument(call, 0);
	bool off = on->given && on->choice == 1;
	if (!off && !session->mode.interactive)
		return cs_error_new(CS_E_USAGE,
			"the screen needs a terminal; without a terminal `view show` prints a view");
	session->display.wants_screen = !off;
	return NULL;
}

const struct command command_tui = {
	.name = "tui",
	.group = GROUP_SCREEN,
	.flags = COMMAND_VIEW,
	.arguments = {{"on|off", ARGUMENT_CHOICE, .optional = true, .choices = switches}},
	.summary = "switch between the full screen and the prompt",
	.examples = "tui off",
	.help = "`on` shows the full screen (help screen), and `off` shows the prompt. Without an\n"
		"argument the command switches between the two, as the keys C-x a (Ctrl-x, then\n"
		"a) do. The current place (help cd), the frame and the breakpoints stay as they\n"
		"are.",
	.run = run_tui,
};
