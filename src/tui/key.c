/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: the keys of every view, and what their lines become. The key line, the help and the
 * commands that keys submit follow from this table and those of the views.
 */
#include "src/tui/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_searched(struct tui_view *view)
{
	return view->list.search != NULL;
}

/* What Enter, e and y do, by kind; NULL = nothing tells of it. */
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

/* Another template where the template is what the object decides. */
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
	return line ? line : "%a%c"; /* no object is both: nothing is done */
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

const struct key common_keys[] = {
	{"Enter", "%e", "Open", "open what the cursor stands on"},
	{"e", "%x", "Explain", "why it is where it is", is_explained},
	{"y", "%y", "Why", "why it is, or is not, there now", is_asked},
	{".", "step", NULL, "run a frame"},
	{",", "reverse-step", NULL, "go a frame back"},
	{"v m", "view map", "Map", "the map"},
	{"v c", "view cells", NULL, "the cells"},
	{"v a", "view actors", NULL, "the actors"},
	{"v l", "view layers", NULL, "the data layers"},
	{"v f", "view findings", NULL, "what the cook has found"},
	{"v s", "view sources", NULL, "the streaming sources"},
	{"v r", "view grids", NULL, "the grids"},
	{"v i", "view containers", NULL, "level instances"},
	{"v o", "view log", NULL, "the log"},
	{"v h", "view hlods", NULL, "HLOD actors"},
	{"v p", "view drops", NULL, "actors that are in no cell"},
	{"v w", "view hitches", NULL, "what the run has cost"},
	{"v k", "view breakpoints", NULL, "breakpoints, watches and displays"},
	{"v e", "view events", NULL, "what has happened"},
	{"v u", "view queue", NULL, "the queue"},
	{"u", "view queue", NULL, "the queue"},
	{"g", "view timeline", NULL, "the timeline"},
	{"v g", "view timeline", NULL, "the timeline"},
	{"v t", "view timeline", NULL, "the timeline"},
	{"v n", "view nanite", NULL, "pages of Nanite resources"},
	{"v d", "view diff", NULL, "what differs"},
	{"d", "view diff", NULL, "what differs"},
	{"v v", "view variables", NULL, "variables of the engine"},
	{"v x", "view servers", NULL, "what the server holds for its clients"},
	{"L", "view layers", NULL, "the data layers"},
	{"f", "view findings", NULL, "what the cook has found"},
	{"V y", "split why", NULL, "why, beside, for whatever the cursor stands on"},
	{"V e", "split explain", NULL, "the same for explain"},
	{"V o", "split object", NULL, "the same for all its fields"},
	{"V u", "split queue", NULL, "the queue beside"},
	{"V g", "split timeline", NULL, "the timeline beside"},
	{"V m", "split map", NULL, "the map beside"},
	{"V V", "split off", NULL, "one view alone"},
	{"V t", "split turn", NULL, "beside or below"},
	{"Down", "cursor down", NULL, "down"},
	{"Up", "cursor up", NULL, "up"},
	{"Left", "cursor left", NULL, "left"},
	{"Right", "cursor right", NULL, "right"},
	{"j", "cursor down", NULL, "down"},
	{"k", "cursor up", NULL, "up"},
	{"h", "cursor left", NULL, "left"},
	{"l", "cursor right", NULL, "right"},
	{"PgDn", "cursor page-down", NULL, "a page down"},
	{"PgUp", "cursor page-up", NULL, "a page up"},
	{"J", "cursor page-down", NULL, "a page down"},
	{"K", "cursor page-up", NULL, "a page up"},
	{"G", "cursor last", NULL, "the last row"},
	{"Home", "cursor first", NULL, "the first row"},
	{"End", "cursor last", NULL, "the last row"},
	{"0", "cursor home", NULL, "back to the source, or the first column"},
	{"Tab", "focus next", NULL, "the other pane"},
	{"S-Tab", "focus next", NULL, "the other pane"},
	{"q", "view close", NULL, "close the view; the last one leaves the screen"},
	{"<", "view close", NULL, "the same"},
	{"Backspace", "view close", NULL, "the same"},
	{"Q", "tui off", NULL, "leave the screen; the session goes on with a prompt"},
	{"C-x a", "tui off", NULL, "the same; there C-x a comes back"},
	{"/", ":search ", NULL, "search in the rows"},
	{"n", "search", NULL, "the next hit; the next change where nothing was searched",
		is_searched},
	{"N", "search -", NULL, "the hit before; the change before", is_searched},
	{"n", "next", NULL, "the next change"},
	{"N", "previous", NULL, "the change before"},
	{"}", "next event", NULL, "the next event: a layer, a stall, a failure"},
	{"{", "previous event", NULL, "the event before"},
	{"\\", ":filter ", NULL, "show the rows for which an expression of SQL holds"},
	{"o", "sort next", NULL, "sort by the next column"},
	{"O", "sort reverse", NULL, "sort the other way round"},
	{"t", "tick", NULL, "mark the row, or take its mark away"},
	{"F", "group next", NULL, "count the rows by a column, with bars"},
	{"s", "step", NULL, "run a frame"},
	{"S", "reverse-step", NULL, "go a frame back"},
	{"c", "continue", NULL, "run until something stops it"},
	{"C", "reverse-continue", NULL, "run back until something stops it"},
	{"Space", "play", NULL, "play, or pause"},
	{"b", "toggle %o", NULL, "stop when this changes, or no longer"},
	{"B", "view breakpoints", NULL, "breakpoints, watches and displays"},
	{"w", ":watch ", NULL, "stop when an expression changes"},
	{"M", ":mark ", NULL, "remember the place under a letter"},
	{"'", ":jump ", NULL, "go to a place that was remembered"},
	{"C-o", "back", NULL, "the place before"},
	{"P", ":screen save ", NULL, "write the screen into a file"},
	{":", ":", NULL, "type a command"},
	{"!", ":shell ", NULL, "a command of the shell"},
	{"C-l", "screen redraw", NULL, "draw the whole screen again"},
	{"?", "view keys", NULL, "all keys"},
	{"F1", "view keys", NULL, "all keys"},
	{0},
};

/* ---- names of keys ---- */

bool key_is_name(const char *key)
{
	static const char *const names[] = {"Up", "Down", "Left", "Right", "PgUp", "PgDn", "Home",
		"End", "Enter", "Esc", "Tab", "S-Tab", "Backspace", "Delete", "Insert", "Space",
		NULL};
	size_t n = strlen(key);
	for (size_t i = 0; names[i]; i++)
		if (strcmp(names[i], key) == 0)
			return true;
	if (n >= 2 && key[0] == 'F' && strspn(key + 1, "0123456789") == n - 1)
		return n < 4;
	if (n == 3 && memcmp(key, "C-", 2) == 0)
		return key[2] >= 'a' && key[2] <= 'z';
	/* else one character */
	return n >= 1 && n <= 4 && (n == 1 || (unsigned char)key[0] >= 0xc0) &&
	       (unsigned char)key[0] > ' ' && key[0] != 0x7f;
}

/* ---- lines ---- */

struct filling {
	struct screen *screen;
	struct object object;
	CS_VEC(char) line;
	bool failed; /* no memory */
};

static void add(struct filling *to, const char *text)
{
	if (!text || !cs_vec_append(&to->line, text, strlen(text)))
		to->failed = true;
}

static void add_word(struct filling *to)
{
	char *word = object_word(to->screen->session, &to->object);
	add(to, word);
	free(word);
}

static void add_sql(struct filling *to)
{
	add(to, "'");
	for (const char *c = to->object.name; *c; c++) {
		const char text[] = {*c, *c == '\'' ? '\'' : '\0', '\0'};
		add(to, text);
	}
	add(to, "'");
}

/* What only the view knows. */
static bool add_of_view(struct filling *to, char letter)
{
	struct tui_view *view = screen_view(to->screen);
	struct memory_sink text;
	struct output out;
	memory_sink_init(&text);
	output_init(&out, &(struct style){.plain = true}, &text.sink);
	bool is_there = view->type->fill(view, letter, &out);
	cs_error_free(output_end(&out));
	if (!cs_vec_push(&text.text, '\0'))
		to->failed = true;
	else
		add(to, text.text.at);
	memory_sink_deinit(&text);
	return is_there;
}

static bool is_kind(const struct filling *to, const char *kind)
{
	return to->object.kind && strcmp(to->object.kind, kind) == 0;
}

/* False when there is nothing that the letter stands for. */
static bool fill(struct filling *to, char letter)
{
	struct tui_view *view = screen_view(to->screen);
	char number[24];
	if (letter == 'f') {
		snprintf(number, sizeof(number), "%" PRIu64,
			view->type->frame ? view->type->frame(view) : 0);
		add(to, number);
		return true;
	}
	if (strchr("prsw", letter))
		return view->type->fill && add_of_view(to, letter);
	if (!to->object.kind || (letter == 'c' && !is_kind(to, "cell")) ||
		(letter == 'a' && !is_kind(to, "actor")))
		return false;
	if (letter == 'o' || letter == 'k')
		add(to, to->object.kind);
	if (letter == 'o')
		add(to, " ");
	if (letter == 'q')
		add_sql(to);
	else if (letter != 'k')
		add_word(to);
	return true;
}

char *key_line(struct screen *screen, const char *template)
{
	struct filling to = {.screen = screen};
	bool here = true;
	view_object(screen_view(screen), &to.object);
	template = template_of(&to.object, template);
	for (const char *c = template; *c && here; c++) {
		const char text[] = {*c, '\0'};
		if (*c == '%' && c[1])
			here = fill(&to, *++c);
		else
			add(&to, text);
	}
	if (!cs_vec_push(&to.line, '\0'))
		to.failed = true;
	if (here && !to.failed)
		return to.line.at;
	screen_message(screen, "%s",
		to.failed ? "out of memory" : "there is nothing of the kind under the cursor");
	cs_vec_free(&to.line);
	return NULL;
}

bool key_applies(const struct key *key, struct tui_view *view)
{
	return !key->when || key->when(view);
}

/* ---- pressing ---- */

static bool begins(const char *sequence, const char *keys)
{
	size_t n = strlen(keys);
	return strncmp(sequence, keys, n) == 0 && sequence[n] == ' ';
}

/* The row of the keys; *begun_ret when only a beginning is there. */
static const struct key *find(
	const struct key *table, struct tui_view *view, const char *keys, bool *begun_ret)
{
	for (; table && table->keys; table++) {
		if (strcmp(table->keys, keys) == 0 && key_applies(table, view))
			return table;
		*begun_ret = *begun_ret || begins(table->keys, keys);
	}
	return NULL;
}

static void press(struct screen *screen, const struct key *key)
{
	char *line = key_line(screen, key->line[0] == ':' ? key->line + 1 : key->line);
	if (!line)
		return;
	if (key->line[0] == ':')
		prompt_open(screen, line);
	else
		screen_submit(screen, line);
	free(line);
}

void screen_key(struct screen *screen, const char *key)
{
	struct tui_view *view = screen_view(screen);
	char keys[sizeof(screen->pending) + KEY_NAME];
	bool begun = false;
	screen->is_drawn = false;
	screen->message[0] = '\0';
	if (screen->prompt.is_open) {
		prompt_key(screen, key);
		return;
	}
	snprintf(keys, sizeof(keys), "%.60s%s%.15s", screen->pending, *screen->pending ? " " : "",
		key);
	screen->pending[0] = '\0';
	const struct key *found = find(view->type->keys, view, keys, &begun);
	if (!found)
		found = find(common_keys, view, keys, &begun);
	if (found)
		press(screen, found);
	else if (begun)
		snprintf(screen->pending, sizeof(screen->pending), "%.60s", keys);
	else if (strcmp(key, "Esc") != 0 && strcmp(key, "C-c") != 0)
		screen_message(screen, "no key '%s' here; ? lists them", keys);
	screen->is_drawn = screen->is_drawn && !screen->message[0] && !screen->prompt.is_open;
}
