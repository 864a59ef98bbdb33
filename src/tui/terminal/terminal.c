/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Controls the terminal while the full screen is shown. The loop sleeps until a key, a signal or,
 * while the run plays, a tick. Signals arrive through the pipe of signals.c, so ncurses handles
 * none.
 *
 * While command lines run and views are drawn, a watcher thread (work.h) controls the terminal: it
 * shows the last screen at the current size of the window, with a line about the progress. Keys
 * typed meanwhile wait in the kernel; ^C discards them, as in any terminal.
 */
#include "src/tui/terminal/terminal.h"

#include "src/session/environment.h"
#include "src/session/signals.h"
#include "src/tui/screen.h"
#include "src/tui/terminal/ground.h"
#include "src/tui/terminal/terminfo.h"
#include "src/tui/terminal/work.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

enum {
	ESCAPE_MS = 100,
	TICK_MS = 34,
	ANSWER_MS = 100,
	LAST_ANSWER_MS = 400,
	LONGEST_WAY_MS = 3000
};
enum { MOST_PAIRS = 256 };
/* Key codes for the beginning and the end of pasted text. */
enum { KEY_PASTE = KEY_MAX + 1, KEY_PASTED };

struct colour_pair {
	int32_t fg, bg;
};

struct terminal {
	struct screen *screen;
	SCREEN *curses;
	struct grid shown; /* cells as the terminal shows them */
	bool all_changed;
	unsigned columns, rows; /* size of the window */
	bool was_resized;       /* the screen must be resized to the size of the window */
	uint32_t colours;
	bool has_mouse, has_pastes;
	/* progress_clock() when the background colour was queried; 0 = no reply is expected */
	double asked;
	struct colour_pair pairs[MOST_PAIRS];
	int n_pairs;
	int signals; /* descriptor of the pipe from which signals are read */
	int ended_by;
	struct work *work; /* watcher thread; NULL if it could not be started */
	/* the screen as it was when the work began, and a copy of it with the progress line */
	struct grid base, draft;
	bool stops; /* the user asked to stop the work, with ^C */
};

/* The terminal, for callbacks that have no parameter for it. */
static struct terminal *the_terminal;

/* ---- translation of paints ---- */

static uint32_t colours_of_terminal(const struct session *session)
{
	long wanted = session->settings.at[SETTING_COLOR];
	bool has = wanted == AUTO_AUTO ? terminal_wants_colour() : wanted == AUTO_ALWAYS;
	if (!has || !has_colors() || COLORS < 8)
		return 0;
	return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
}

/* Returns the ncurses pair of a look, made on first use, or one without colour if none is left. */
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

/* ---- output of cells ---- */

static void show_cell(
	struct terminal *terminal, unsigned x, unsigned y, const struct grid_cell *cell)
{
	const struct look look = look_of(cell->paint, terminal->colours);
	wchar_t text[CCHARW_MAX + 1] = {L' '};
	cchar_t out;
	if (cell->width == 0)
		return; /* right half of a wide character: drawn with the left half */
	size_t n = mbstowcs(text, cell->text, CCHARW_MAX);
	if (n == (size_t)-1 || n == 0)
		text[0] = L'?', n = 1;
	text[n] = L'\0';
	setcchar(&out, text, attributes_of(&look), pair_of(terminal, &look), NULL);
	mvadd_wch((int)y, (int)x, &out);
}

static void show_changes(struct terminal *terminal, const struct grid *now)
{
	struct grid *shown = &terminal->shown;
	if (now->columns != shown->columns || now->rows != shown->rows) {
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

static void fit_terminal(struct terminal *terminal)
{
	terminal_size(&terminal->columns, &terminal->rows);
	resizeterm((int)terminal->rows, (int)terminal->columns);
	terminal->was_resized = terminal->all_changed = true;
	clearok(curscr, TRUE);
}

static void fit_screen(struct terminal *terminal)
{
	if (terminal->was_resized)
		cs_error_free(screen_resize(terminal->screen, terminal->columns, terminal->rows));
	terminal->was_resized = false;
}

/* ---- names of keys ---- */

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

/* Handles the mouse wheel: zooms a view that has `set` and is no list; else moves the cursor. */
static void turn_wheel(struct screen *screen, bool is_up)
{
	const struct view_type *type = screen_view(screen)->type;
	if (type->set && !type->is_list)
		screen_submit(screen, is_up ? "view zoom in" : "view zoom out");
	else
		screen_submit(screen, is_up ? "view cursor up" : "view cursor down");
}

static void take_mouse(struct terminal *terminal)
{
	struct screen *screen = terminal->screen;
	char line[48];
	MEVENT event;
	work_hold(terminal->work);
	bool is_there = getmouse(&event) == OK;
	work_release(terminal->work);
	if (!is_there || screen->prompt.is_open)
		return;
	screen->is_drawn = false;
	snprintf(line, sizeof(line), "view click %d,%d", event.x, event.y);
	if (event.bstate & BUTTON1_PRESSED)
		screen_submit(screen, line);
	else if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED))
		turn_wheel(screen, event.bstate & BUTTON4_PRESSED);
}

/* ---- pasted text and sequences ---- */

static void tell_of_pastes(const struct terminal *terminal, bool tells)
{
	if (!terminal->has_pastes)
		return;
	dprintf(STDOUT_FILENO, "%s", tells ? "\033[?2004h" : "\033[?2004l");
}

/* Reads the next character or key of a sequence; ERR if none arrives for half a second. */
static int next_of_piece(struct terminal *terminal, wint_t *ret)
{
	enum { PATIENCE_MS = 500 };
	for (int attempt = 0; attempt < 2; attempt++) {
		work_hold(terminal->work);
		int kind = get_wch(ret);
		work_release(terminal->work);
		struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
		if (kind != ERR || poll(&wait, 1, PATIENCE_MS) <= 0)
			return kind;
	}
	return ERR;
}

/* Reads one pasted character, and skips keys. Returns false at the end of the paste. */
static bool next_pasted(struct terminal *terminal, wint_t *ret)
{
	int kind;
	do
		kind = next_of_piece(terminal, ret);
	while (kind == KEY_CODE_YES && *ret != KEY_PASTED);
	return kind == OK;
}

/* Reads pasted text and passes it to the prompt. */
static void take_paste(struct terminal *terminal)
{
	enum { MOST = 1 << 16 };
	CS_VEC(char) text = {0};
	bool is_whole = true, fits = true;
	wint_t c;
	while (next_pasted(terminal, &c)) {
		mbstate_t state = {0};
		char bytes[16];
		size_t n = wcrtomb(bytes, (wchar_t)(c == L'\r' ? L'\n' : c), &state);
		fits = fits && text.n < MOST;
		if (n != (size_t)-1 && fits)
			is_whole = cs_vec_append(&text, bytes, n) && is_whole;
	}
	is_whole = cs_vec_push(&text, '\0') && is_whole;
	terminal->screen->is_drawn = false;
	if (is_whole && fits)
		prompt_paste(terminal->screen, text.at);
	else if (is_whole)
		screen_message(terminal->screen,
			"more than %d bytes were pasted, the limit, so none was taken", MOST);
	cs_vec_free(&text);
}

/* ---- replies of the terminal ---- */

static void ask_for_ground(struct terminal *terminal)
{
	if (!terminal->has_pastes || terminal->screen->colours & COLOURS_CHOSEN ||
		!colours_of_terminal(terminal->screen->session))
		return; /* the terminal may not understand the query, or the reply is not needed */
	dprintf(STDOUT_FILENO, "%s", GROUND_QUESTION);
	terminal->asked = progress_clock();
}

static bool is_awaited(const struct terminal *terminal)
{
	return terminal->asked > 0 && progress_clock() < terminal->asked + LONGEST_WAY_MS / 1000.;
}

/*
 * Reads a reply of the terminal: after ESC ] up to BEL or a backslash, after ESC [ up to a letter.
 */
static void read_answer(struct terminal *terminal, bool is_string, char *answer, size_t size)
{
	size_t n = 0;
	wint_t c;
	while (next_of_piece(terminal, &c) == OK) {
		bool is_end = is_string ? c == 7 || c == L'\\' : c >= L'@' && c <= L'~';
		if (is_end)
			break;
		if (c >= L' ' && c <= L'~' && n + 1 < size)
			answer[n++] = (char)c;
	}
	answer[n] = '\0';
}

/* Sets dark or light colours as detected, unless the user (rc file) has chosen meanwhile. */
static void set_ground(struct terminal *terminal, uint32_t ground)
{
	struct screen *screen = terminal->screen;
	if (screen->colours & COLOURS_CHOSEN || ground == (screen->colours & COLOURS_LIGHT))
		return;
	work_hold(terminal->work);
	screen->colours ^= COLOURS_LIGHT;
	terminal->all_changed = true;
	work_release(terminal->work);
}

/*
 * Reads a reply of the terminal if `first` begins one. ESC ] and ESC [ begin replies, because
 * curses has already turned the sequences of known keys into key codes. Reads single characters,
 * because a slow connection may split a reply anywhere.
 */
static bool take_answer(struct terminal *terminal, wint_t first)
{
	char answer[64];
	uint32_t ground;
	wint_t next;
	if (first != 27 || !is_awaited(terminal))
		return false;
	int kind = next_of_piece(terminal, &next);
	if (kind != OK || (next != L']' && next != L'[')) {
		if (kind == OK)
			unget_wch((wchar_t)next);
		return false;
	}
	read_answer(terminal, next == L']', answer, sizeof(answer));
	if (next == L'[')
		terminal->asked = 0;
	else if (ground_of_answer(answer, &ground))
		set_ground(terminal, ground);
	return true;
}

/* Handles all keys that have arrived, at most AT_ONCE, before the screen is drawn. */
static void take_keys(struct terminal *terminal)
{
	enum { AT_ONCE = 64 };
	struct session *session = terminal->screen->session;
	for (int i = 0; i < AT_ONCE && session->display.wants_screen && !session->quit; i++) {
		char name[KEY_NAME];
		wint_t c;
		work_hold(terminal->work);
		int kind = get_wch(&c);
		work_release(terminal->work);
		if (kind == ERR)
			return;
		if (kind == KEY_CODE_YES && c == KEY_MOUSE)
			take_mouse(terminal);
		else if (kind == KEY_CODE_YES && c == KEY_PASTE)
			take_paste(terminal);
		else if (kind == OK && take_answer(terminal, c))
			continue;
		else if (kind == KEY_CODE_YES ? name_of_code(c, name) : name_of_character(c, name))
			screen_key(terminal->screen, name);
	}
}

/* Waits for the terminal's replies to queries, which the next program must not receive. */
static void await_answers(struct terminal *terminal)
{
	const double end = progress_clock() + LAST_ANSWER_MS / 1000.;
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	while (is_awaited(terminal) && progress_clock() < end &&
		poll(&wait, 1, LAST_ANSWER_MS) > 0 && wait.revents == POLLIN) {
		wint_t c;
		while (terminal->asked > 0 && get_wch(&c) != ERR)
			take_answer(terminal, c);
	}
	terminal->asked = 0;
}

/* ---- leaving and signals ---- */

static void leave_terminal(struct terminal *terminal)
{
	await_answers(terminal);
	tell_of_pastes(terminal, false);
	endwin();
}

/*
 * Handles the signals for a new window size, for ^Z, and to end the process (sets `ended_by`).
 * Returns true for ^C, which the caller handles.
 */
static bool meet_signal(struct terminal *terminal, int number)
{
	if (number == SIGWINCH)
		fit_terminal(terminal);
	else if (number == SIGTSTP) {
		leave_terminal(terminal);
		signals_stop();
		refresh();
		tell_of_pastes(terminal, true);
		fit_terminal(terminal);
	} else if (number != SIGINT)
		terminal->ended_by = number;
	return number == SIGINT;
}

static void meet_signals(struct terminal *terminal)
{
	int number;
	while (!terminal->ended_by && (number = signals_next()) != 0) {
		if (!meet_signal(terminal, number))
			continue;
		if (signals_interrupted()) /* false if a command has handled ^C */
			screen_key(terminal->screen, "C-c");
		signals_clear_interruption();
	}
}

/* ---- painting progress, on the watcher's thread ---- */

static struct cs_error *copy_grid(
	struct grid *to, const struct grid *from, unsigned columns, unsigned rows)
{
	struct cs_error *error = grid_resize(to, columns, rows);
	if (error)
		return error;
	to->ascii = from->ascii;
	const unsigned n = to->columns < from->columns ? to->columns : from->columns;
	for (unsigned y = 0; y < to->rows && y < from->rows; y++) {
		struct grid_cell *row = &to->at[(size_t)y * to->columns];
		memcpy(row, &from->at[(size_t)y * from->columns], n * sizeof(*row));
		/* a wide character that would be cut in half becomes a blank */
		if (n > 0 && row[n - 1].width == 2)
			put_blank(grid_area(to), (int)n - 1, (int)y, 1, inks[INK_NORMAL]);
	}
	return NULL;
}

static void put_work(struct terminal *terminal, const struct work_state *state)
{
	char text[256];
	struct area all = grid_area(&terminal->draft);
	int typed = 0, y = all.rows - 1;
	work_say(state, progress_clock(), terminal->stops, text, sizeof(text));
	put_blank(all, 0, y, all.columns, inks[INK_NORMAL]);
	int x = 1 + put_text(all, 1, y, inks[INK_WARN], text);
	if (!terminal->stops && ioctl(STDIN_FILENO, FIONREAD, &typed) == 0 && typed > 0)
		put_text(all, x + 2, y, inks[INK_KEY], "typed keys wait");
}

static void paint_work(void *context, const struct work_state *state)
{
	struct terminal *terminal = context;
	const struct grid *shown = &terminal->shown;
	struct cs_error *error = NULL;
	int number;
	if (state->ticks == 1)
		error = copy_grid(&terminal->base, shown, shown->columns, shown->rows);
	while (!terminal->ended_by && (number = signals_next()) != 0)
		terminal->stops = meet_signal(terminal, number) || terminal->stops;
	if (!error && terminal->base.at)
		error = copy_grid(
			&terminal->draft, &terminal->base, terminal->columns, terminal->rows);
	if (!error && terminal->draft.at) {
		put_work(terminal, state);
		show_changes(terminal, &terminal->draft);
	}
	cs_error_free(error);
}

/* ---- callbacks during a command ---- */

static void tell_line(struct screen *screen, const char *line)
{
	(void)screen;
	work_line(the_terminal->work, line);
}

static void tell_phase(struct screen *screen, const char *phase, uint64_t done, uint64_t total)
{
	(void)screen;
	work_phase(the_terminal->work, phase, done, total);
}

/* Waits for a key, so that the user can read the output of a shell command. */
static void wait_for_key(int status)
{
	struct termios before, now;
	char key;
	if (tcgetattr(STDIN_FILENO, &before) != 0)
		return;
	now = before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &now);
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		dprintf(STDOUT_FILENO, "\nstatus %d", WEXITSTATUS(status));
	dprintf(STDOUT_FILENO, "\nany key goes back to the screen ");
	struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {the_terminal->signals, POLLIN, 0}};
	while (poll(wait, the_terminal->signals < 0 ? 1 : 2, -1) < 0 && errno == EINTR)
		;
	if (wait[0].revents & POLLIN && read(STDIN_FILENO, &key, 1) < 0)
		errno = 0; /* the main loop will detect that the terminal is gone */
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static int run_shell(struct screen *screen, const char *line)
{
	const char *shell = getenv("SHELL");
	(void)screen;
	work_hold(the_terminal->work);
	leave_terminal(the_terminal);
	signals_child_has_terminal(true);
	int status = system(*line ? line : shell && *shell ? shell : "/bin/sh");
	signals_child_has_terminal(false);
	if (*line)
		wait_for_key(status);
	refresh();
	tell_of_pastes(the_terminal, true);
	fit_terminal(the_terminal);
	work_release(the_terminal->work);
	return status < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- loop of the screen ---- */

static void begin_work(struct terminal *terminal)
{
	terminal->stops = false;
	terminal->colours = terminal->screen->colours;
	work_begin(terminal->work, "the screen");
}

/* Ends work, and clears a ^C that was meant for this work. */
static void end_work(struct terminal *terminal)
{
	work_end(terminal->work);
	if (signals_interruption() == SIGINT)
		signals_clear_interruption();
}

/* Draws and shows the screen; draws it again if the window was resized meanwhile. */
static void show(struct terminal *terminal)
{
	struct screen *screen = terminal->screen;
	fit_screen(terminal);
	while (!screen->is_drawn && !terminal->ended_by) {
		begin_work(terminal);
		screen_draw(screen);
		end_work(terminal);
		fit_screen(terminal);
	}
	if (screen->wants_redraw) {
		screen->wants_redraw = false;
		clearok(curscr, TRUE);
		terminal->all_changed = true;
	}
	terminal->colours = screen->colours;
	ask_for_mouse(terminal);
	show_changes(terminal, &screen->grid);
}

static bool goes_on(const struct terminal *terminal)
{
	const struct session *session = terminal->screen->session;
	return session->display.wants_screen && !session->quit && !terminal->ended_by;
}

/* Handles keys that have arrived, and plays the run for `seconds` that have passed. */
static void work_on(struct terminal *terminal, bool has_keys, double seconds)
{
	const struct session *session = terminal->screen->session;
	begin_work(terminal);
	if (has_keys)
		take_keys(terminal);
	if (seconds > 0 && session->display.wants_screen && !session->quit)
		screen_play(terminal->screen, seconds);
	end_work(terminal);
}

/* Waits up to ANSWER_MS for the terminal's background colour, to draw the screen only once. */
static void meet_ground(struct terminal *terminal)
{
	struct pollfd wait = {STDIN_FILENO, POLLIN, 0};
	if (is_awaited(terminal) && poll(&wait, 1, ANSWER_MS) > 0 && wait.revents == POLLIN)
		work_on(terminal, true, 0);
}

static void loop(struct terminal *terminal)
{
	struct screen *screen = terminal->screen;
	double then = progress_clock();
	meet_ground(terminal);
	show(terminal);
	while (goes_on(terminal)) {
		bool plays = screen_plays(screen);
		if (!plays)
			then = progress_clock();
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {terminal->signals, POLLIN, 0}};
		if (poll(wait, terminal->signals < 0 ? 1 : 2, plays ? TICK_MS : -1) < 0) {
			/* after a signal, poll again, which reports the pipe of signals */
			if (errno != EINTR)
				break;
			continue;
		}
		const bool is_gone = wait[0].revents & (POLLHUP | POLLERR | POLLNVAL);
		const bool has_keys = !is_gone && wait[0].revents & POLLIN;
		if (wait[1].revents & POLLIN)
			meet_signals(terminal);
		if (is_gone)
			terminal->ended_by = SIGHUP;
		double now = progress_clock();
		if (goes_on(terminal))
			work_on(terminal, has_keys, plays ? now - then : 0);
		then = now;
		if (!terminal->ended_by)
			show(terminal);
	}
}

/* ---- entering and leaving the terminal ---- */

static struct cs_error *enter(struct terminal *terminal)
{
	struct cs_error *error = terminfo_check();
	if (error)
		return error;
	terminal->curses = newterm(NULL, stdout, stdin);
	if (!terminal->curses)
		return cs_error_new(CS_E_USAGE,
			"cannot show the screen: curses cannot use the terminal that TERM names; "
			"set TERM to another name, such as xterm-256color");
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	terminal->has_pastes = terminfo_has_mouse();
	if (terminal->has_pastes) {
		define_key("\033[200~", KEY_PASTE);
		define_key("\033[201~", KEY_PASTED);
	}
	tell_of_pastes(terminal, true);
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	terminal->n_pairs = 1;
	ask_for_ground(terminal);
	return NULL;
}

static void leave(struct terminal *terminal)
{
	curs_set(1);
	leave_terminal(terminal);
	delscreen(terminal->curses);
	grid_free(&terminal->shown);
	grid_free(&terminal->base);
	grid_free(&terminal->draft);
}

static void run_terminal(struct terminal *terminal, FILE *said)
{
	struct screen *screen = terminal->screen;
	struct session *session = screen->session;
	struct channels *channels = &session->channels;
	FILE *const out = channels->out.stream, *const err = channels->err.stream;
	channels->out.stream = channels->err.stream = said;
	screen->terminal = (struct terminal_hooks){tell_line, tell_phase, run_shell};
	session->display.has_terminal = true;
	signals_screen_has_terminal(terminfo_restoring());
	fit_terminal(terminal);
	/* on failure, progress of long work is not shown */
	cs_error_free(work_new(paint_work, terminal, &terminal->work));
	loop(terminal);
	work_free(terminal->work);
	signals_screen_has_terminal(NULL);
	session->display.has_terminal = false;
	screen->terminal = (struct terminal_hooks){NULL, NULL, NULL};
	fclose(said);
	channels->out.stream = out;
	channels->err.stream = err;
}

struct cs_error *tui_run(struct session *session, int *signal_ret)
{
	struct terminal terminal = {.signals = signals_pipe()};
	FILE *said = NULL;
	struct cs_error *error = screen_of(session, &terminal.screen);
	if (!error)
		error = screen_log_stream(terminal.screen, &said);
	if (!error)
		error = enter(&terminal);
	if (error) {
		if (said)
			fclose(said);
		return error;
	}
	uint32_t ground = terminal.screen->colours & COLOURS_GROUND;
	ground = ground & COLOURS_CHOSEN ? ground : ground_of_environment();
	terminal.screen->colours = ground | colours_of_terminal(session);
	terminal.screen->grid.ascii = session_style(session).ascii;
	the_terminal = &terminal;
	run_terminal(&terminal, said);
	leave(&terminal);
	*signal_ret = terminal.ended_by;
	return NULL;
}
