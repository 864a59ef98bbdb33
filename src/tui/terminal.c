/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: the terminal while the screen has it. The loop sleeps until a key, a signal or, while time
 * plays, a tick; nothing wakes it otherwise. Signals come through the pipe of signals.c, so ncurses
 * handles none of them.
 */
#include "src/tui/terminal.h"

#include "src/session/environment.h"
#include "src/session/signals.h"
#include "src/tui/screen.h"
#include "src/tui/terminfo.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE_MS = 100, TICK_MS = 34, MOST_PAIRS = 256 };

struct colour_pair {
	int32_t fg, bg;
};

struct terminal {
	struct screen *screen;
	SCREEN *curses;
	struct grid shown; /* what the terminal has */
	bool all_changed;
	bool has_mouse;
	struct colour_pair pairs[MOST_PAIRS];
	int n_pairs;
	int signals; /* the reading end of the pipe */
};

/* Progress comes from the middle of a command, and knows the screen alone. */
static struct terminal *the_terminal;

/* ---- colours ---- */

static uint32_t colours_of_terminal(const struct session *session)
{
	long wanted = session->settings.at[SETTING_COLOR];
	bool has = wanted == AUTO_AUTO ? terminal_wants_colour() : wanted == AUTO_ALWAYS;
	if (!has || !has_colors() || COLORS < 8)
		return 0;
	return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
}

/* Pairs are made as they are met; where there are too many the rest has no colour. */
static short pair_of(struct terminal *terminal, const struct look *look)
{
	if (look->fg < 0 && look->bg < 0)
		return 0;
	for (int i = 1; i < terminal->n_pairs; i++)
		if (terminal->pairs[i].fg == look->fg && terminal->pairs[i].bg == look->bg)
			return (short)i;
	if (terminal->n_pairs >= MOST_PAIRS || terminal->n_pairs >= COLOR_PAIRS)
		return 0;
	int pair = terminal->n_pairs++;
	terminal->pairs[pair] = (struct colour_pair){look->fg, look->bg};
	init_pair((short)pair, (short)look->fg, (short)look->bg);
	return (short)pair;
}

static attr_t attributes_of(const struct look *look)
{
	attr_t attributes = A_NORMAL;
	if (look->attributes & ATTRIBUTE_BOLD)
		attributes |= A_BOLD;
	if (look->attributes & ATTRIBUTE_DIM)
		attributes |= A_DIM;
	if (look->attributes & ATTRIBUTE_UNDERLINE)
		attributes |= A_UNDERLINE;
	if (look->attributes & ATTRIBUTE_REVERSE)
		attributes |= A_REVERSE;
	return attributes;
}

/* ---- showing ---- */

static void show_cell(
	struct terminal *terminal, unsigned x, unsigned y, const struct grid_cell *cell)
{
	const struct look look = look_of(cell->paint, terminal->screen->colours);
	wchar_t text[CCHARW_MAX + 1] = {L' '};
	cchar_t out;
	if (cell->width == 0)
		return; /* comes with its left half */
	size_t n = mbstowcs(text, cell->text, CCHARW_MAX);
	if (n == (size_t)-1 || n == 0)
		text[0] = L'?', n = 1;
	text[n] = L'\0';
	setcchar(&out, text, attributes_of(&look), pair_of(terminal, &look), NULL);
	mvadd_wch((int)y, (int)x, &out);
}

static bool same_size(const struct grid *left, const struct grid *right)
{
	return left->columns == right->columns && left->rows == right->rows;
}

static void show_changes(struct terminal *terminal)
{
	const struct grid *now = &terminal->screen->grid;
	struct grid *shown = &terminal->shown;
	if (!same_size(now, shown)) {
		struct cs_error *error = grid_resize(shown, now->columns, now->rows);
		if (error) {
			cs_error_free(error);
			return;
		}
		terminal->all_changed = true;
	}
	for (unsigned y = 0; y < now->rows; y++) {
		for (unsigned x = 0; x < now->columns; x++) {
			size_t at = (size_t)y * now->columns + x;
			if (!terminal->all_changed && grid_same_cell(&now->at[at], &shown->at[at]))
				continue;
			show_cell(terminal, x, y, &now->at[at]);
			shown->at[at] = now->at[at];
		}
	}
	terminal->all_changed = false;
	refresh();
}

static void ask_for_mouse(struct terminal *terminal)
{
	if (terminal->has_mouse == terminal->screen->has_mouse)
		return;
	terminal->has_mouse = terminal->screen->has_mouse;
	mouseinterval(0);
	mousemask(terminal->has_mouse ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0,
		NULL);
}

static void show(struct terminal *terminal)
{
	struct screen *screen = terminal->screen;
	if (screen->wants_redraw) {
		screen->wants_redraw = false;
		clearok(curscr, TRUE);
		terminal->all_changed = true;
	}
	if (!screen->is_drawn || screen->progress[0])
		screen_draw(screen);
	ask_for_mouse(terminal);
	show_changes(terminal);
}

static void fit_window(struct terminal *terminal)
{
	unsigned columns, rows;
	terminal_size(&columns, &rows);
	resizeterm((int)rows, (int)columns);
	cs_error_free(screen_resize(terminal->screen, columns, rows));
	terminal->all_changed = true;
	clearok(curscr, TRUE);
}

/* ---- keys ---- */

static const struct {
	int code;
	const char *name;
} code_names[] = {
	{KEY_UP, "Up"},
	{KEY_DOWN, "Down"},
	{KEY_LEFT, "Left"},
	{KEY_RIGHT, "Right"},
	{KEY_PPAGE, "PgUp"},
	{KEY_NPAGE, "PgDn"},
	{KEY_HOME, "Home"},
	{KEY_END, "End"},
	{KEY_ENTER, "Enter"},
	{KEY_BTAB, "S-Tab"},
	{KEY_BACKSPACE, "Backspace"},
	{KEY_DC, "Delete"},
	{KEY_IC, "Insert"},
};

static bool name_of_code(wint_t code, char name[KEY_NAME])
{
	for (size_t i = 0; i < sizeof(code_names) / sizeof(code_names[0]); i++)
		if ((int)code == code_names[i].code) {
			snprintf(name, KEY_NAME, "%s", code_names[i].name);
			return true;
		}
	if (code > KEY_F0 && code <= KEY_F(12)) {
		snprintf(name, KEY_NAME, "F%d", (int)(code - KEY_F0));
		return true;
	}
	return false;
}

static bool name_of_character(wint_t c, char name[KEY_NAME])
{
	static const struct {
		wint_t c;
		const char *name;
	} named[] = {{'\r', "Enter"}, {'\n', "Enter"}, {'\t', "Tab"}, {27, "Esc"}, {' ', "Space"},
		{127, "Backspace"}, {8, "Backspace"}};
	mbstate_t state = {0};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].c == c) {
			snprintf(name, KEY_NAME, "%s", named[i].name);
			return true;
		}
	if (c >= 1 && c <= 26) {
		snprintf(name, KEY_NAME, "C-%c", (char)('a' + c - 1));
		return true;
	}
	char bytes[16];
	size_t n = wcrtomb(bytes, (wchar_t)c, &state);
	if (c < ' ' || n == (size_t)-1 || n >= KEY_NAME)
		return false;
	memcpy(name, bytes, n);
	name[n] = '\0';
	return true;
}

/* ---- the mouse ---- */

/* The wheel zooms what has a scale, and scrolls what has rows. */
static void turn_wheel(struct screen *screen, bool is_up)
{
	if (screen_view(screen)->type->set)
		screen_submit(screen, is_up ? "zoom in" : "zoom out");
	else
		screen_submit(screen, is_up ? "cursor up" : "cursor down");
}

static void take_mouse(struct terminal *terminal)
{
	struct screen *screen = terminal->screen;
	char line[48];
	MEVENT event;
	if (getmouse(&event) != OK || screen->prompt.is_open)
		return;
	screen->is_drawn = false;
	snprintf(line, sizeof(line), "click %d,%d", event.x, event.y);
	if (event.bstate & BUTTON1_PRESSED)
		screen_submit(screen, line);
	else if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
		turn_wheel(screen, event.bstate & BUTTON4_PRESSED);
}

/* All keys that are there; what is drawn afterwards is drawn once. */
static void take_keys(struct terminal *terminal)
{
	enum { AT_ONCE = 64 };
	struct session *session = terminal->screen->session;
	for (int i = 0; i < AT_ONCE && session->display.wants_screen && !session->quit; i++) {
		char name[KEY_NAME];
		wint_t c;
		int kind = get_wch(&c);
		if (kind == ERR)
			return;
		if (kind == KEY_CODE_YES && c == KEY_MOUSE) {
			take_mouse(terminal);
			continue;
		}
		bool known =
			kind == KEY_CODE_YES ? name_of_code(c, name) : name_of_character(c, name);
		if (known)
			screen_key(terminal->screen, name);
	}
}

/* ---- signals ---- */

static void leave_terminal(void)
{
	endwin();
}

static void stop_and_continue(struct terminal *terminal)
{
	leave_terminal();
	signals_stop();
	refresh();
	fit_window(terminal);
}

/* Returns the signal that ends the program, or 0. */
static int meet_signals(struct terminal *terminal)
{
	int number;
	while ((number = signals_next()) != 0) {
		switch (number) {
		case SIGINT:
			if (signals_interrupted()) /* else a command has met it */
				screen_key(terminal->screen, "C-c");
			signals_clear_interruption();
			break;
		case SIGWINCH:
			fit_window(terminal);
			break;
		case SIGTSTP:
			stop_and_continue(terminal);
			break;
		default:
			return number;
		}
	}
	return 0;
}

/* ---- from the middle of a command ---- */

static void show_progress(struct screen *screen)
{
	(void)screen;
	show(the_terminal);
}

static int run_shell(struct screen *screen, const char *line)
{
	const char *shell = getenv("SHELL");
	(void)screen;
	leave_terminal();
	signals_child_has_terminal(true);
	int status = system(*line ? line : shell && *shell ? shell : "/bin/sh");
	signals_child_has_terminal(false);
	refresh();
	fit_window(the_terminal);
	return status < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the loop ---- */

static int loop(struct terminal *terminal)
{
	struct session *session = terminal->screen->session;
	int ended_by = 0;
	double then = progress_clock();
	show(terminal);
	while (session->display.wants_screen && !session->quit && ended_by == 0) {
		bool plays = terminal->screen->playing.rate > 0;
		if (!plays)
			then = progress_clock();
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {terminal->signals, POLLIN, 0}};
		if (poll(wait, terminal->signals < 0 ? 1 : 2, plays ? TICK_MS : -1) < 0 &&
			errno != EINTR)
			break;
		if (wait[1].revents & POLLIN)
			ended_by = meet_signals(terminal);
		if (wait[0].revents & POLLIN)
			take_keys(terminal);
		else if (wait[0].revents & (POLLHUP | POLLERR))
			ended_by = SIGHUP;
		if (plays && ended_by == 0) {
			double now = progress_clock();
			screen_play(terminal->screen, now - then);
			then = now;
		}
		if (ended_by == 0)
			show(terminal);
	}
	return ended_by;
}

/* ---- in and out ---- */

static struct cs_error *enter(struct terminal *terminal)
{
	struct cs_error *error = terminfo_check();
	if (error)
		return error;
	terminal->curses = newterm(NULL, stdout, stdin);
	if (!terminal->curses)
		return cs_error_new(CS_E_USAGE, "cannot show the screen on this terminal");
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	terminal->n_pairs = 1;
	return NULL;
}

static void leave(struct terminal *terminal)
{
	curs_set(1);
	leave_terminal();
	delscreen(terminal->curses);
	grid_free(&terminal->shown);
}

struct cs_error *tui_run(struct session *session, int *signal_ret)
{
	struct terminal terminal = {.signals = signals_pipe()};
	struct cs_error *error = screen_of(session, &terminal.screen);
	if (!error)
		error = enter(&terminal);
	if (error)
		return error;
	terminal.screen->colours = colours_of_terminal(session);
	terminal.screen->grid.ascii = session_style(session).ascii;
	the_terminal = &terminal;
	terminal.screen->show_progress = show_progress;
	terminal.screen->run_shell = run_shell;
	session->display.has_terminal = true;
	signals_screen_has_terminal(terminfo_restoring());
	fit_window(&terminal);
	*signal_ret = loop(&terminal);
	signals_screen_has_terminal(NULL);
	session->display.has_terminal = false;
	terminal.screen->show_progress = NULL;
	terminal.screen->run_shell = NULL;
	leave(&terminal);
	return NULL;
}
