/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the interactive session. readline is used through its callback interface, so that signals
 * are handled between two keys and never inside readline: the loop waits for a key or for a byte in
 * the pipe of signals.c. While a command runs, readline is detached from the terminal.
 */
#include "src/front/repl.h"

#include "src/session/input/complete.h"
#include "src/session/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include <readline/history.h>
#include <readline/readline.h>
#include <string.h>
#include <unistd.h>

/* The session, for callbacks of readline, which have no context parameter. */
static struct session *the_session;
static bool is_over;

/* ---- completion ---- */

struct generator {
	struct candidates candidates;
	size_t next;
};

static struct generator generator;

static char *next_candidate(const char *text, int state)
{
	(void)text;
	(void)state;
	if (generator.next >= generator.candidates.at.n)
		return NULL;
	return strdup(generator.candidates.at.at[generator.next++]);
}

/* Lists the candidates for readline, and how many are left out. */
static void list_candidates(char **matches, int n, int longest)
{
	struct style style = session_style(the_session);
	rl_display_match_list(matches, n, longest);
	fflush(rl_outstream);
	if (generator.candidates.more > 0)
		say_to(&the_session->channels.out.sink, &style, "... %zu more\n",
			generator.candidates.more);
	fflush(steady_output());
	rl_forced_update_display();
}

static char **complete(const char *text, int start, int end)
{
	char *line = strndup(rl_line_buffer, (size_t)end);
	char **matches = NULL;
	(void)start;
	generator = (struct generator){0};
	rl_attempted_completion_over = 1;
	if (!line)
		return NULL;
	complete_line(the_session, line, &generator.candidates);
	if (session_style(the_session).ascii)
		candidates_to_ascii(&generator.candidates);
	rl_attempted_completion_over = !generator.candidates.files;
	if (generator.candidates.at.n > 0)
		matches = rl_completion_matches(text, next_candidate);
	if (generator.candidates.goes_on)
		rl_completion_suppress_append = 1;
	candidates_free(&generator.candidates);
	free(line);
	return matches;
}

/* ---- the prompt ---- */

/* Writes a short escaped description of the current cell, actor or point; "" for none. */
static void describe_place(char *text, size_t size)
{
	enum { SHOWN = 28 };
	const struct session *session = the_session;
	const struct place *here = &session->places.here;
	const struct cs_cooked *world =
		session->world ? cs_query_partition(session->query, here->partition, NULL) : NULL;
	char name[160] = "", safe[4 * sizeof(name)];
	if (world && here->kind == PLACE_CELL) {
		snprintf(name, sizeof(name), "%s",
			cs_cooked_short_name(world, cs_cooked_cell_name(world, here->row)));
	} else if (world && here->kind == PLACE_ACTOR) {
		snprintf(name, sizeof(name), "%s", cs_cooked_actor_title(world, here->row));
	} else if (here->kind == PLACE_POINT) {
		snprintf(name, sizeof(name), "%.0f,%.0f", here->point.x, here->point.y);
	}
	cs_escape(name, strlen(name), true, safe, sizeof(safe));
	snprintf(text, size, "%s%.*s%s", *safe ? " " : "", SHOWN, safe,
		strlen(safe) > SHOWN ? ".." : "");
}

/* Returns the prompt. \001 and \002 enclose bytes that readline must not count as columns. */
static const char *prompt(void)
{
	static char text[80];
	char place[48];
	const struct style style = session_style(the_session);
	if (the_session->block.collect)
		return "> "; /* prompt for lines of a block, until the line `end` */
	describe_place(place, sizeof(place));
	snprintf(text, sizeof(text), "%s(cellscope%s)%s ", style.colour ? "\001\033[1m\002" : "",
		place, style.colour ? "\001\033[0m\002" : "");
	return text;
}

static void on_line(char *line);

static void show_prompt(void)
{
	/* called first, so that ^Z does not stop the process while the terminal is in raw mode */
	signals_editor_has_terminal(true);
	rl_callback_handler_install(prompt(), on_line);
}

static void hide_prompt(void)
{
	rl_callback_handler_remove();
	signals_editor_has_terminal(false);
}

/* ---- running typed lines ---- */

static const char *remembered(struct session *session, const char *line)
{
	if (line[strspn(line, " \t")] != '\0')
		return line;
	return session->words.repeats && !session->block.collect ? session->words.repeat_line
								 : NULL;
}

static void remember(struct session *session, const char *line)
{
	struct invocation invocation = {0};
	struct parse_context context = session_parse_context(session);
	struct cs_error *error = parse_line(&context, line, &invocation);
	if (error) {
		cs_error_free(error);
		return;
	}
	session->words.repeats = invocation.command && invocation.command->flags & COMMAND_REPEATS
					 ? invocation.command
					 : NULL;
	if (session->words.repeats && line != session->words.repeat_line) {
		free(session->words.repeat_line);
		session->words.repeat_line = strdup(line);
		session->words.repeats = session->words.repeat_line ? session->words.repeats : NULL;
	}
	invocation_free(&invocation);
}

/* Runs a line; returns whether a signal came meanwhile, also if the line ended without an error. */
static bool run_typed(struct session *session, const char *line)
{
	signals_clear_interruption();
	if (line[strspn(line, " \t")] == '#')
		return false;
	if (!session->block.collect)
		remember(session, line);
	struct cs_error *error = run_line(session, line, &session->channels.out.sink);
	const bool interrupted = error && error->code == CS_E_INTERRUPTED;
	if (interrupted)
		/* the terminal has printed ^C, so the cursor is moved to a new line */
		sink_write(&session->channels.err.sink, "\n", 1);
	if (error)
		report_error(session, error, line);
	fflush(steady_output());
	const int signal = signals_interruption();
	if (signal == SIGINT)
		signals_clear_interruption();
	return interrupted || signal != 0;
}

/*
 * Runs what was typed. Text that was pasted may have several lines, which readline gives as one:
 * they run one by one, as in a script, so that blank lines repeat nothing.
 */
static void run_entered(struct session *session, char *text)
{
	const bool several = strchr(text, '\n') != NULL;
	char *line;
	while ((line = strsep(&text, "\n")) && !session->quit && !session->display.wants_screen) {
		const char *run = several && line[strspn(line, " \t")] == '\0'
					  ? NULL
					  : remembered(session, line);
		if (!run)
			continue;
		history_add(line);
		if (run_typed(session, run))
			return;
	}
}

static void on_line(char *line)
{
	struct session *session = the_session;
	hide_prompt();
	if (!line) {
		struct style style = session_style(session);
		say_to(&session->channels.out.sink, &style, "\n");
		is_over = session->quit = true;
		return;
	}
	run_entered(session, line);
	free(line);
	/* ^C drops a line, and never ends the program */
	int signal = signals_interruption();
	is_over = is_over || session->quit || session->display.wants_screen ||
		  (signal && signal != SIGINT);
	if (!is_over)
		show_prompt();
}

/* ---- signals at the prompt ---- */

/* After ^C, discards the typed line and the unfinished block of lines, and shows a new prompt. */
static void drop_line(void)
{
	the_session->block.collect = NULL;
	rl_free_line_state();
	rl_callback_sigcleanup();
	rl_replace_line("", 0);
	rl_crlf();
	hide_prompt();
	show_prompt();
}

static void prompt_stop_and_continue(void)
{
	hide_prompt();
	signals_stop();
	show_prompt();
}

/*
 * Works around a fault of readline, which divides by a third of the columns when the terminal
 * cannot move the cursor up: in a window of two columns it ends with SIGFPE, of three columns in an
 * endless loop. readline is given a larger width instead, and the terminal breaks the lines.
 */
static void fit_window(void)
{
	enum { LEAST = 12 };
	int rows, columns;
	rl_resize_terminal();
	rl_get_screen_size(&rows, &columns);
	if (columns < LEAST)
		rl_set_screen_size(rows, LEAST);
}

/* Handles signals received since the last call. Returns the signal that ends the program, or 0. */
static int prompt_meet_signals(void)
{
	int number;
	while ((number = signals_next()) != 0) {
		switch (number) {
		case SIGINT:
			/* if a command has handled ^C, it has cleared the interruption */
			if (signals_interrupted())
				drop_line();
			signals_clear_interruption();
			break;
		case SIGWINCH:
			fit_window();
			break;
		case SIGTSTP:
			prompt_stop_and_continue();
			break;
		default:
			return number;
		}
	}
	if (signals_interruption() == SIGINT)
		signals_clear_interruption();
	return signals_interruption();
}

/* ---- loop of the prompt ---- */

/* Switches from the prompt to the full screen; bound to C-x a, as in gdb. */
static int go_to_screen(int count, int key)
{
	(void)count;
	(void)key;
	rl_replace_line("tui", 0);
	rl_redisplay();
	rl_done = 1;
	return rl_newline(1, '\n');
}

void repl_begin(void)
{
	signals_init_interactive();
	rl_readline_name = "cellscope";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_attempted_completion_function = complete;
	rl_completion_display_matches_hook = list_candidates;
	rl_completer_quote_characters = "\"'";
	rl_completer_word_break_characters = (char *)" \t\"'";
	rl_filename_quote_characters = " \t\"'\\@$~|>#";
	rl_bind_keyseq("\\C-xa", go_to_screen);
	rl_initialize();
	fit_window();
	history_start();
}

void repl_end(void)
{
	history_save();
}

int repl_run(struct session *session)
{
	int pipe = signals_pipe(), ended_by = 0;
	the_session = session;
	is_over = false;
	show_prompt();
	while (!is_over && ended_by == 0) {
		struct pollfd wait[2] = {{STDIN_FILENO, POLLIN, 0}, {pipe, POLLIN, 0}};
		if (poll(wait, pipe < 0 ? 1 : 2, -1) < 0 && errno != EINTR)
			break;
		/* a signal that arrived while poll() returned is handled before the keys */
		if (wait[1].revents & POLLIN || signals_interrupted())
			ended_by = prompt_meet_signals();
		else if (wait[0].revents & (POLLHUP | POLLERR) && !(wait[0].revents & POLLIN))
			ended_by = SIGHUP;
		else if (wait[0].revents & POLLIN)
			rl_callback_read_char();
	}
	hide_prompt();
	return ended_by ? ended_by : signals_interruption();
}
