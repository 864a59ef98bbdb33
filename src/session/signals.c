/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signal handlers, which call only async-signal-safe functions. State is global, as signals are. */
#include "src/session/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t interruption;
static volatile sig_atomic_t child_has_terminal;
static int pipe_ends[2] = {-1, -1};
static struct termios saved_terminal;
static volatile sig_atomic_t terminal_is_saved;
static volatile sig_atomic_t time_is_up;
static volatile sig_atomic_t is_interactive;

/* Time that a command has to end after a request to end; then the process is ended. */
static const struct itimerval grace = {.it_value = {.tv_sec = 1}};
/* Escape sequences that restore the terminal, set by the code that draws on it, or NULL. */
static const char *volatile restoring;

static void note_signal(int number)
{
	int saved_errno = errno;
	unsigned char byte = (unsigned char)number;
	if (pipe_ends[1] >= 0 && write(pipe_ends[1], &byte, 1) < 0) {
		/* the pipe is full, so its reader is going to wake up anyway */
	}
	errno = saved_errno;
}

/* Escape codes: reset attributes, mouse, bracketed paste and character set; show the cursor. */
static const char reset[] = "\033[0m\033[?25h\033[?2004l\033[?1000l\033[?1006l\017";

static void restore_terminal(void)
{
	const char *more = restoring;
	if (!terminal_is_saved)
		return;
	tcsetattr(STDIN_FILENO, TCSANOW, &saved_terminal);
	if (more && write(STDOUT_FILENO, more, strlen(more)) < 0) {
		/* a failure cannot be reported in a signal handler */
	}
	if (write(STDOUT_FILENO, reset, sizeof(reset) - 1) < 0) {
		/* this failure cannot be reported either */
	}
}

static void on_end(int number)
{
	if (number == SIGINT && child_has_terminal)
		return;
	/* a second request to end the process ends a command that ignored the first request */
	if (interruption && number != SIGINT) {
		restore_terminal();
		signal(number, SIG_DFL);
		raise(number);
	}
	interruption = number;
	note_signal(number);
	if (!is_interactive || number != SIGINT)
		setitimer(ITIMER_REAL, &grace, NULL);
}

static void on_fatal(int number)
{
	restore_terminal();
	/* the default action: SA_RESETHAND has removed this handler */
	raise(number);
}

/*
 * Called at the time limit, and again one second later if the command has not ended: a regular
 * expression, an SQL function or a read from an idle pipe does not check for the limit. The process
 * may end anywhere, because files are replaced atomically.
 */
static void on_alarm(int number)
{
	static const char late[] = "error: " SIGNALS_LATE_TEXT " [E_TIMEOUT]\n";
	(void)number;
	if (!interruption && !time_is_up) {
		time_is_up = 1;
		setitimer(ITIMER_REAL, &grace, NULL);
		return;
	}
	restore_terminal();
	if (interruption)
		signals_end_by(interruption);
	if (write(STDERR_FILENO, late, sizeof(late) - 1) < 0) {
		/* a failure cannot be reported in a signal handler */
	}
	_exit(SIGNALS_LATE_STATUS);
}

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

/* Returns whether the parent process set the signal to be ignored, as nohup does. */
static bool is_ignored(int number)
{
	struct sigaction action;
	return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void handle_fatal(void)
{
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGQUIT, SIGABRT, SIGFPE, SIGILL};
	static unsigned char room[64 << 10];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};
	if (sigaltstack(&stack, NULL) < 0)
		return;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		handle(fatal[i], on_fatal, SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
}

static void handle_ends(int flags)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!is_ignored(ends[i]))
			handle(ends[i], on_end, flags);
}

void signals_init(void)
{
	handle_ends(SA_RESTART);
	handle(SIGPIPE, SIG_IGN, 0);
	/* a write beyond `ulimit -f` then fails with an error, and does not end the process */
	handle(SIGXFSZ, SIG_IGN, 0);
	handle(SIGALRM, on_alarm, SA_RESTART);
}

void signals_set_deadline(double seconds)
{
	const double longest = 1e8;
	seconds = seconds < longest ? seconds : longest;
	struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
	timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
	if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
		timer.it_value.tv_usec = 1;
	setitimer(ITIMER_REAL, &timer, NULL);
}

bool signals_time_is_up(void)
{
	return time_is_up != 0;
}

void signals_end_calls(bool end)
{
	handle_ends(end ? 0 : SA_RESTART);
	handle(SIGALRM, on_alarm, end ? 0 : SA_RESTART);
}

int signals_init_interactive(void)
{
	is_interactive = 1;
	if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	if (tcgetattr(STDIN_FILENO, &saved_terminal) == 0) {
		terminal_is_saved = 1;
		handle_fatal();
	}
	handle(SIGWINCH, note_signal, SA_RESTART);
	return pipe_ends[0];
}

int signals_pipe(void)
{
	return pipe_ends[0];
}

void signals_screen_has_terminal(const char *restore)
{
	restoring = restore;
	signals_editor_has_terminal(restore != NULL);
}

int signals_next(void)
{
	unsigned char byte;
	ssize_t n;
	while ((n = read(pipe_ends[0], &byte, 1)) < 0 && errno == EINTR)
		;
	return n == 1 ? byte : 0;
}

bool signals_interrupted(void)
{
	return interruption != 0;
}

int signals_interruption(void)
{
	return interruption;
}

void signals_clear_interruption(void)
{
	interruption = 0;
}

void signals_child_has_terminal(bool has)
{
	child_has_terminal = has;
}

_Noreturn void signals_end_by(int number)
{
	sigset_t set;
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(128 + number);
}

void signals_editor_has_terminal(bool has)
{
	handle(SIGTSTP, has ? note_signal : SIG_DFL, SA_RESTART);
}

/* The calling thread may block SIGTSTP, so it is unblocked here. */
void signals_stop(void)
{
	sigset_t set, before;
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	signals_editor_has_terminal(false);
	pthread_sigmask(SIG_UNBLOCK, &set, &before);
	raise(SIGTSTP);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	signals_editor_has_terminal(true);
}
