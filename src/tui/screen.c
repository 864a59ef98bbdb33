/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manages the full screen: panes and their views, log of commands and output, running of commands.
 */
#include "src/tui/screen.h"

#include "src/output/lines.h"
#include "src/session/input/try_line.h"
#include "src/session/signals.h"

#include "core/utf8.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LOG = 1000, COLUMNS = 80, ROWS = 24, LONGEST_STACK = 12 };

struct session *screen_session(const struct screen *screen)
{
	return screen->session;
}

/* ---- panes and their views ---- */

struct tui_view *pane_view(const struct pane *pane)
{
	return pane->stack.at[pane->stack.n - 1];
}

struct tui_view *screen_view(const struct screen *screen)
{
	return pane_view(&screen->panes[screen->focus]);
}

bool view_has_focus(const struct tui_view *view)
{
	if (view->part_of)
		return view->is_active && view_has_focus(view->part_of);
	return screen_view(view->screen) == view;
}

static void pane_clear(struct pane *pane)
{
	while (pane->stack.n > 0)
		view_free(pane->stack.at[--pane->stack.n]);
}

static struct cs_error *push(struct screen *screen, struct pane *pane, const struct view_type *type,
	const char *argument)
{
	struct tui_view *view;
	struct cs_error *error = view_new(screen, type, argument, &view);
	if (error)
		return error;
	if (pane->stack.n == LONGEST_STACK) {
		view_free(pane->stack.at[1]);
		memmove(pane->stack.at + 1, pane->stack.at + 2,
			(--pane->stack.n - 1) * sizeof(*pane->stack.at));
	}
	if (cs_vec_push(&pane->stack, view))
		return NULL;
	view_free(view);
	return cs_error_nomem();
}

struct cs_error *screen_open(
	struct screen *screen, const struct view_type *type, const char *argument)
{
	struct pane *pane = &screen->panes[screen->focus];
	struct tui_view *view = pane_view(pane);
	struct cs_error *error = NULL;
	if (view->type != type || strcmp(view->argument, argument) != 0)
		error = push(screen, pane, type, argument);
	pane->follows = pane->follows && error;
	return error;
}

struct cs_error *screen_split(
	struct screen *screen, const struct view_type *type, const char *argument)
{
	struct pane *pane = &screen->panes[1], fresh = {0};
	struct cs_error *error = push(screen, &fresh, type, argument);
	if (error) {
		cs_vec_free(&fresh.stack);
		return error;
	}
	pane_clear(pane);
	cs_vec_free(&pane->stack);
	*pane = fresh;
	screen->n_panes = MOST_PANES;
	pane->follows = type->has_object && !*argument;
	screen->focus = pane->follows || type->rows ? 0 : 1;
	return NULL;
}

void screen_close(struct screen *screen)
{
	struct pane *pane = &screen->panes[screen->focus];
	if (pane->stack.n > 1) {
		view_free(pane->stack.at[--pane->stack.n]);
	} else if (screen->n_panes == MOST_PANES) {
		screen_unsplit(screen);
	} else {
		screen->session->display.wants_screen = false;
		screen->session->quit =
			screen->session->quit || screen->session->display.ends_with_screen;
	}
}

bool screen_can_close(const struct screen *screen)
{
	return screen->n_panes > 1 || screen->panes[0].stack.n > 1;
}

void screen_unsplit(struct screen *screen)
{
	pane_clear(&screen->panes[1]);
	screen->n_panes = 1;
	screen->focus = 0;
}

void screen_focus(struct screen *screen, unsigned pane)
{
	if (pane < screen->n_panes)
		screen->focus = pane;
}

void screen_changed(struct screen *screen)
{
	screen->changes++;
	for (size_t p = 0; p < screen->n_panes; p++)
		for (size_t i = 0; i < screen->panes[p].stack.n; i++)
			screen->panes[p].stack.at[i]->is_stale = true;
}

void screen_redraw(struct screen *screen)
{
	screen->wants_redraw = true;
	for (size_t p = 0; p < screen->n_panes; p++)
		if (pane_view(&screen->panes[p])->trouble[0])
			screen_changed(screen);
}

/* Returns the map, or the view of a Nanite resource when no world is open. */
static const struct view_type *first_view(const struct session *session)
{
	const struct view_type *pages = view_type_named("nanite");
	bool only_pages = !session->world && cs_inspector_models(session->inspector).n > 0;
	return only_pages && pages ? pages : view_types[0];
}

/* Recreates all views for the world that is open now; returns false if one cannot be created. */
static bool views_again(struct screen *screen)
{
	for (size_t p = 0; p < screen->n_panes; p++)
		for (size_t i = 0; i < screen->panes[p].stack.n; i++) {
			struct tui_view **at = &screen->panes[p].stack.at[i], *view;
			struct cs_error *error =
				view_new(screen, (*at)->type, (*at)->argument, &view);
			if (error) {
				cs_error_free(error);
				return false;
			}
			list_restore_settings(&view->list, &(*at)->list);
			if (view->type->replace)
				view->type->replace(view, *at);
			view_free(*at);
			*at = view;
		}
	return true;
}

void screen_follow_world(struct screen *screen)
{
	const struct view_type *first = first_view(screen->session);
	struct tui_view *view;
	/* the lowest view of the first pane is always the one that the screen began with */
	const bool begins_alike = screen->panes[0].stack.at[0]->type == first;
	if (screen->world == screen->session->world && (screen->world || begins_alike))
		return;
	screen->world = screen->session->world;
	screen->cursor = (struct place){.kind = PLACE_NONE};
	if (screen->world && screen->session->files.is_recooked && views_again(screen))
		return;
	if (view_new(screen, first, "", &view)) {
		screen_changed(screen);
		return;
	}
	screen_unsplit(screen);
	pane_clear(&screen->panes[0]);
	if (!cs_vec_push(&screen->panes[0].stack, view))
		view_free(view);
}

static bool is_same_place(const struct place *left, const struct place *right)
{
	return left->kind == right->kind && left->row == right->row &&
	       left->partition == right->partition;
}

/* Returns the cell, actor or page under the cursor as a place; PLACE_NONE for other objects. */
static struct place place_of_cursor(struct screen *screen)
{
	static const struct {
		const char *kind;
		enum place_kind place;
	} kinds[] = {{"cell", PLACE_CELL}, {"actor", PLACE_ACTOR}, {"page", PLACE_PAGE}};
	struct object object;
	view_object(screen_view(screen), &object);
	for (size_t i = 0; object.kind && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct place place = {.kind = kinds[i].place};
		if (strcmp(kinds[i].kind, object.kind) == 0 &&
			object_place(screen->session, &object, &place.row, &place.partition))
			return place;
	}
	return (struct place){.kind = PLACE_NONE};
}

/* Makes the object under the cursor the session's current place, to which `.` and `mark` refer. */
static void take_place(struct screen *screen)
{
	struct place at = place_of_cursor(screen);
	if (is_same_place(&at, &screen->cursor))
		return;
	screen->cursor = at;
	if (at.kind != PLACE_NONE)
		screen->session->places.here = screen->here = at;
}

static void open_object(struct screen *screen, struct object *object)
{
	const struct view_type *type = view_type_named(object->kind);
	const void *source;
	const struct cs_table *table = object_table(screen->session, object, &source);
	char *word = NULL;
	if (table && object_of_row(screen->session, table, source, object->row, object))
		word = object_word(screen->session, object);
	if (word && type)
		cs_error_free(screen_open(screen, type, word));
	free(word);
}

/*
 * Moves the cursors of the visible views to the session's current place (the object that `.` means)
 * after a command such as `cd`, or a breakpoint, changed it. `travels`: opens a view of the object
 * if no visible view shows it.
 */
static void follow_place(struct screen *screen, bool travels)
{
	const struct place *here = &screen->session->places.here;
	struct object object = {NULL, here->row, ""};
	if (is_same_place(here, &screen->here))
		return;
	screen->here = *here;
	/* no view shows rows of a partition that is not selected */
	if (here->partition != screen->session->files.partition)
		return;
	if (here->kind == PLACE_CELL)
		object.kind = "cell";
	else if (here->kind == PLACE_ACTOR)
		object.kind = "actor";
	bool is_shown = !object.kind;
	for (size_t p = 0; object.kind && p < screen->n_panes; p++) {
		struct tui_view *view = pane_view(&screen->panes[p]);
		is_shown =
			(view->type->go ? view->type->go(view, &object) : list_go(view, &object)) ||
			is_shown;
	}
	if (!is_shown && travels)
		open_object(screen, &object);
}

/* ---- the log of lines and messages ---- */

static void log_push(struct screen *screen, char *text, enum ink ink, bool only_moves)
{
	if (screen->log.n > 0 && only_moves && screen->log.at[screen->log.n - 1].only_moves)
		free(screen->log.at[--screen->log.n].text);
	if (screen->log.n == MOST_LOG) {
		free(screen->log.at[0].text);
		memmove(screen->log.at, screen->log.at + 1,
			--screen->log.n * sizeof(*screen->log.at));
	}
	if (!text || !cs_vec_push(&screen->log, (struct log_line){text, (uint8_t)ink, only_moves}))
		free(text);
}

static char *format_text(const struct screen *screen, const char *format, va_list list)
{
	struct text_output text;
	say_arguments(text_output_begin(&text, (struct style){.ascii = screen->grid.ascii}), format,
		list);
	return text_output_end(&text);
}

/* Logs a command line as it can be typed: the backslashes of typed_text() are not escaped. */
static void log_command(struct screen *screen, bool only_moves, const char *line)
{
	char *text = NULL, *typed = typed_text(line, screen->grid.ascii);
	if (typed && asprintf(&text, "(cellscope) %s", typed) < 0)
		text = NULL;
	log_push(screen, text, INK_KEY, only_moves);
	free(typed);
}

/* Appends the lines of `text`, in which special characters are escaped already, to the log. */
static void log_printed(struct screen *screen, enum ink ink, const char *text, size_t n)
{
	while (n > 0) {
		const char *end = memchr(text, '\n', n);
		size_t length = end ? (size_t)(end - text) : n;
		log_push(screen, strndup(text, length), ink, false);
		text += length + (end != NULL);
		n -= length + (end != NULL);
	}
}

/* Logs the line that is running before messages that it causes. */
static void log_running(struct screen *screen)
{
	if (screen->told.line)
		log_command(screen, false, screen->told.line);
	screen->told.line = NULL;
}

/* Write function of a stream to the log: collects bytes until a line is complete. */
static ssize_t write_to_log(void *cookie, const char *text, size_t n)
{
	struct screen *screen = cookie;
	if (!cs_vec_append(&screen->told.said, text, n))
		return -1;
	const char *end = memrchr(screen->told.said.at, '\n', screen->told.said.n);
	if (!end)
		return (ssize_t)n;
	size_t whole = (size_t)(end - screen->told.said.at) + 1;
	log_running(screen);
	log_printed(screen, INK_BAD, screen->told.said.at, whole);
	memmove(screen->told.said.at, screen->told.said.at + whole, screen->told.said.n - whole);
	screen->told.said.n -= whole;
	return (ssize_t)n;
}

struct cs_error *screen_log_stream(struct screen *screen, FILE **ret)
{
	const cookie_io_functions_t functions = {.write = write_to_log};
	*ret = fopencookie(screen, "w", functions);
	if (!*ret)
		return cs_error_nomem();
	setvbuf(*ret, NULL, _IOLBF, BUFSIZ);
	return NULL;
}

/* Stores a message for the key line, cut between characters if it is too long. */
static void keep_message(struct screen *screen, const char *text, bool is_trouble)
{
	size_t n = strlen(text);
	if (n >= sizeof(screen->message))
		n = sizeof(screen->message) - 1;
	while (n > 0 && text[n] && cs_utf8_inside(text[n]))
		n--;
	memcpy(screen->message, text, n);
	screen->message[n] = '\0';
	screen->is_trouble = is_trouble;
}

void screen_say(struct screen *screen, enum ink ink, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	log_push(screen, format_text(screen, format, list), ink, false);
	va_end(list);
}

void screen_message(struct screen *screen, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	char *text = format_text(screen, format, list);
	va_end(list);
	keep_message(screen, text ? text : "", false);
	free(text);
}

void screen_log_error(struct screen *screen, const struct cs_error *error)
{
	struct text_output text;
	say_error(text_output_begin(&text, (struct style){.ascii = screen->grid.ascii}), error);
	char *said = text_output_end(&text);
	if (said)
		log_printed(screen, INK_BAD, said, strlen(said));
	free(said);
}

/* ---- running lines ---- */

/*
 * If the log is hidden, shows on the key line (the bottom row) the error of a command line, or else
 * its last line of output. `before` is the log's length before the command line.
 */
static void show_answer(struct screen *screen, size_t before, bool failed)
{
	size_t n = screen->log.n, first = before < n ? before : n;
	if (screen_log_rows(screen) > 0 || first == n)
		return;
	while (failed && first + 1 < n && screen->log.at[first].ink != INK_BAD)
		first++; /* skips log lines before the error */
	keep_message(screen, screen->log.at[failed ? first : n - 1].text, failed);
}

/*
 * Output of a line that has run. by_key: a key submitted the line, so show_answer() may show the
 * line itself if it printed nothing.
 */
struct ran {
	const char *output;
	size_t n;
	bool by_key;
};

static void log_ran(
	struct screen *screen, const char *line, struct ran ran, const struct cs_error *error)
{
	const struct command *command = command_of_line(line);
	unsigned flags = command ? command->flags : 0;
	bool travels = command && command->group == GROUP_MOVE;
	bool moves = flags & COMMAND_VIEW, was_told = screen->told.is_logged;
	screen->told.is_logged = false;
	if (!error)
		tutorial_note(screen, line);
	if (moves && !(flags & COMMAND_CHANGES) && !error)
		return; /* lines that show the screen or press its keys are not logged */
	bool stopped = ran.n >= 8 && memmem(ran.output, ran.n, "stopped:", 8);
	bool is_news = !moves && !(screen->is_playing && !stopped && !error);
	screen->was_stop = stopped;
	if (!was_told && !screen->session->run.is_tick)
		log_command(screen, !is_news && !error, line);
	const size_t before = screen->log.n - (is_news && ran.by_key && screen->log.n > 0);
	if (is_news)
		log_printed(screen, INK_NORMAL, ran.output, ran.n);
	if (error)
		screen_log_error(screen, error);
	if (!moves) {
		screen_follow_world(screen);
		screen_changed(screen);
		follow_place(screen, travels);
	}
	show_answer(screen, before, error != NULL);
	/* drawing also scrolls the views, so a replay of recorded lines must draw, too */
	screen_draw(screen);
	if (moves && !error)
		take_place(screen);
}

/* Logs a line of a script or the prompt; screen_submit() logs the lines that it submits itself. */
static void line_ran(struct screen *screen, const char *line, const char *output, size_t n,
	const struct cs_error *error)
{
	if (!screen->is_submitting)
		log_ran(screen, line, (struct ran){output, n, false}, error);
}

/* Runs a line and logs it. Its output is wrapped to the width of the screen, without colours. */
void screen_submit(struct screen *screen, const char *line)
{
	struct session *session = screen->session;
	const struct style *before = session->channels.drawn_style;
	const struct style style = {
		.width = screen->grid.columns - 1, .ascii = screen->grid.ascii, .plain = false};
	struct memory_sink said;
	bool nested = screen->is_submitting || !session->display.has_terminal;
	memory_sink_init(&said);
	bool was_submitting = screen->is_submitting;
	screen->is_submitting = true;
	session->channels.drawn_style = &style;
	if (!was_submitting)
		screen->told.line = line;
	if (screen->terminal.tell_line && !was_submitting)
		screen->terminal.tell_line(screen, line);
	struct cs_error *error = nested ? run_nested(session, line, &said.sink)
					: run_line(session, line, &said.sink);
	session->channels.drawn_style = before;
	screen->is_submitting = was_submitting;
	if (!was_submitting) {
		screen->told.is_logged = !screen->told.line;
		screen->told.line = NULL;
		/* ^C that ended the line must not interrupt drawing */
		if (session->display.has_terminal && signals_interruption() == SIGINT)
			signals_clear_interruption();
	}
	log_ran(screen, line, (struct ran){said.text.at, said.text.n, true}, error);
	if (error) {
		screen->last_error.code = error->code;
		snprintf(screen->last_error.text, sizeof(screen->last_error.text), "%s",
			error->message);
	}
	screen->was_error = screen->was_error || error;
	memory_sink_deinit(&said);
	cs_error_free(error);
}

/* Runs a line that advances the run; returns false after an error or a stop. */
static bool screen_play_line(struct screen *screen, const char *line)
{
	screen->was_error = screen->was_stop = false;
	screen->is_playing = true;
	screen_submit(screen, line);
	screen->is_playing = false;
	return !screen->was_error && !screen->was_stop;
}

bool screen_plays(const struct screen *screen)
{
	return screen->playing.rate > 0 || screen->session->run.follows;
}

void screen_play(struct screen *screen, double seconds)
{
	enum { PER_SECOND = 60, MOST = 100000 };
	char line[32];
	struct playing *playing = &screen->playing;
	if (screen->session->block.collect)
		return; /* a line run now would be added to the block that is being typed */
	if (screen->session->run.follows) {
		screen->session->run.is_tick = true;
		if (!screen_play_line(screen, "run follow --for 0"))
			screen->session->run.follows = false;
		screen->session->run.is_tick = false;
		return;
	}
	playing->owed += seconds * playing->rate * PER_SECOND;
	if (playing->owed < 1)
		return;
	double frames = playing->owed > MOST ? MOST : playing->owed;
	snprintf(line, sizeof(line), "step %u", (unsigned)frames);
	playing->owed -= (unsigned)frames;
	if (!screen_play_line(screen, line))
		playing->rate = 0;
}

struct cs_error *screen_shell(struct screen *screen, const char *line)
{
	int status = screen->terminal.run_shell ? screen->terminal.run_shell(screen, line) : -1;
	if (status < 0)
		return cs_error_new(CS_E_PROCESS,
			"the command '%s' did not run, because no shell could be started", line);
	return status == 0 ? NULL
			   : cs_error_new(CS_E_PROCESS, "the command '%s' ended with status %d",
				     line, status);
}

static void note_line(struct screen *screen, const char *message)
{
	log_running(screen);
	screen_say(screen, INK_WARN, "%s", message);
}

static void tell_progress(struct screen *screen, const char *phase, uint64_t done, uint64_t total)
{
	if (screen->terminal.tell_phase)
		screen->terminal.tell_phase(screen, phase, done, total);
}

/* ---- creating and freeing the screen ---- */

static void screen_free(struct screen *screen)
{
	for (size_t p = 0; p < MOST_PANES; p++) {
		pane_clear(&screen->panes[p]);
		cs_vec_free(&screen->panes[p].stack);
	}
	for (size_t i = 0; i < screen->log.n; i++)
		free(screen->log.at[i].text);
	for (size_t i = 0; i < screen->history.n; i++)
		free(screen->history.at[i]);
	for (size_t i = 0; i < screen->bound.n; i++) {
		free((char *)screen->bound.at[i].keys);
		free((char *)screen->bound.at[i].line);
	}
	cs_vec_free(&screen->bound);
	cs_vec_free(&screen->log);
	cs_vec_free(&screen->told.said);
	cs_vec_free(&screen->history);
	prompt_free(&screen->prompt);
	grid_free(&screen->grid);
	free(screen);
}

static const struct watcher watcher = {
	.line_ran = line_ran, .note = note_line, .progress = tell_progress, .free = screen_free};

struct cs_error *screen_resize(struct screen *screen, unsigned columns, unsigned rows)
{
	screen->is_drawn = false;
	return grid_resize(&screen->grid, columns, rows);
}

struct cs_error *screen_of(struct session *session, struct screen **ret)
{
	if (session->display.screen) {
		*ret = session->display.screen;
		return NULL;
	}
	struct screen *screen = calloc(1, sizeof(*screen));
	if (!screen)
		return cs_error_nomem();
	screen->session = session;
	screen->log_rows = -1;
	screen->has_mouse = true;
	screen->n_panes = 1;
	screen->world = session->world;
	struct cs_error *error = screen_resize(screen, COLUMNS, ROWS);
	screen->grid.ascii = true;
	if (!error)
		error = push(screen, &screen->panes[0], first_view(session), "");
	if (error) {
		screen_free(screen);
		return error;
	}
	session->display.screen = screen;
	session->display.watcher = &watcher;
	screen_draw(screen);
	follow_place(screen, false);
	*ret = screen;
	return NULL;
}
