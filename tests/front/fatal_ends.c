/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a crash leaves of the terminal: a process that has it as the screen does, and dies of a
 * stack that overflows, of bad memory, of abort. The handler has a stack of its own, so that it
 * runs where there is none left. The screen itself and the ends that one asks for are tui.sh's.
 */
#include "src/session/signals.h"
#include "tests/samples/tap.h"

#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static const char restoring[] = "<the screen is left>";

/*
 * Calls itself deeper than any stack; the result depends on every call, so that none is optimized
 * away.
 */
static int overflow(long depth)
{
	volatile char room[4096];
	room[depth % 4096] = (char)depth;
	return depth == 0 ? 0 : overflow(depth - 1) + room[depth % 4096];
}

static void die_by(int number)
{
	if (number == 0)
		_exit(overflow(LONG_MAX));
	raise(number);
	_exit(0);
}

/*
 * Sets the terminal as the screen does: no echo, no lines, and a sequence that is written when the
 * process dies.
 */
static void be_the_screen(int number)
{
	struct termios raw;
	const struct rlimit small = {1 << 20, 1 << 20}, none = {0, 0};
	setrlimit(RLIMIT_STACK, &small);
	setrlimit(RLIMIT_CORE, &none);
	signals_init();
	if (signals_init_interactive() < 0 || tcgetattr(STDIN_FILENO, &raw) < 0)
		_exit(1);
	cfmakeraw(&raw);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	signals_screen_has_terminal(restoring);
	die_by(number);
}

static bool same_terminal(const struct termios *left, const struct termios *right)
{
	return left->c_iflag == right->c_iflag && left->c_oflag == right->c_oflag &&
	       left->c_cflag == right->c_cflag && left->c_lflag == right->c_lflag &&
	       memcmp(left->c_cc, right->c_cc, sizeof(left->c_cc)) == 0;
}

static void test_end(const char *name, int number, int expected)
{
	int master, slave, status = 0;
	struct termios before, after;
	char text[4096];
	size_t n = 0;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0 || tcgetattr(slave, &before) < 0) {
		ok(false, "%s: a terminal", name);
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		for (int fd = 0; fd < 3; fd++)
			dup2(slave, fd);
		be_the_screen(number);
	}
	waitpid(pid, &status, 0);
	tcgetattr(slave, &after);
	close(slave);
	for (ssize_t got;
		n + 1 < sizeof(text) && (got = read(master, text + n, sizeof(text) - n - 1)) > 0;)
		n += (size_t)got;
	text[n] = '\0';
	close(master);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == expected, "%s: it dies of that", name);
	ok(same_terminal(&before, &after), "%s: the terminal is as it was", name);
	ok(strstr(text, restoring) && strstr(text, "\033[?25h"),
		"%s: the screen is left, and the cursor seen", name);
}

int main(void)
{
	static const struct {
		const char *name;
		int number, expected;
	} ends[] = {{"a stack that overflows", 0, SIGSEGV},
		{"a segmentation fault", SIGSEGV, SIGSEGV}, {"abort", SIGABRT, SIGABRT},
		{"a bus error", SIGBUS, SIGBUS}, {"quit", SIGQUIT, SIGQUIT},
		{"a division by zero", SIGFPE, SIGFPE}, {"a bad instruction", SIGILL, SIGILL}};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		test_end(ends[i].name, ends[i].number, ends[i].expected);
	return done();
}
