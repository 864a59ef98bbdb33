/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the session on a terminal: prompt, ^C, ^D, signals, what the terminal is left like,
 * history, completion, pager, colours, and a record that replays. The program runs on a pseudo
 * terminal.
 */
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { OUTPUT = 1 << 20, PATIENCE_MS = 10000 };

struct terminal {
	int fd;
	int slave; /* kept open, so that its settings can be read when the program is gone */
	pid_t pid;
	struct termios before;
	char *output;
	size_t n, mark; /* expect() looks behind the mark */
};

static char home[2048], sample[2048], hostile[2048], program[2048];

struct setup {
	const char *term;
	const char *locale;
	const char *variable; /* one more, NAME=VALUE */
	unsigned short rows, columns;
	const char *file;
	bool shell; /* with job control around it */
};

static void be_a_shell(void);

static void set_environment(const struct setup *setup)
{
	clearenv();
	setenv("PATH", "/usr/bin:/bin", 1);
	setenv("HOME", home, 1);
	setenv("TERM", setup->term ? setup->term : "xterm", 1);
	setenv("LC_ALL", setup->locale ? setup->locale : "C", 1);
	if (setup->variable)
		putenv((char *)setup->variable);
}

/* What our own parent ignores (nohup, a runner of CI) is not ignored on a new terminal. */
static void forget_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int number = 1; number < SIGRTMIN; number++)
		if (number != SIGKILL && number != SIGSTOP)
			signal(number, SIG_DFL);
}

static struct terminal start(const struct setup *setup)
{
	struct winsize size = {.ws_row = setup->rows ? setup->rows : 24,
		.ws_col = setup->columns ? setup->columns : 80};
	struct terminal t = {.output = calloc(1, OUTPUT)};
	int master;
	if (!t.output || openpty(&master, &t.slave, NULL, NULL, &size) < 0)
		abort();
	t.fd = master;
	tcgetattr(t.slave, &t.before);
	t.pid = fork();
	if (t.pid == 0) {
		close(master);
		login_tty(t.slave);
		forget_signals();
		set_environment(setup);
		if (setup->shell)
			be_a_shell();
		execl(program, "cellscope", setup->file ? setup->file : sample, (char *)NULL);
		_exit(127);
	}
	return t;
}

static void read_some(struct terminal *t, int timeout_ms)
{
	struct pollfd wait = {t->fd, POLLIN, 0};
	if (poll(&wait, 1, timeout_ms) <= 0 || t->n + 1 >= OUTPUT)
		return;
	ssize_t n = read(t->fd, t->output + t->n, OUTPUT - 1 - t->n);
	if (n > 0)
		t->n += (size_t)n;
}

static int now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)(now.tv_sec % 100000 * 1000 + now.tv_nsec / 1000000);
}

/* Waits until the text has come; output before the text does not count any more. */
static bool expect(struct terminal *t, const char *text)
{
	int end = now_ms() + PATIENCE_MS;
	for (;;) {
		const char *found = memmem(t->output + t->mark, t->n - t->mark, text, strlen(text));
		if (found) {
			t->mark = (size_t)(found - t->output) + strlen(text);
			return true;
		}
		if (now_ms() > end)
			break;
		read_some(t, 100);
	}
	diag("waited for '%s' behind '%.300s'", text, t->output + t->mark);
	return false;
}

static void type(struct terminal *t, const char *keys)
{
	if (write(t->fd, keys, strlen(keys)) < 0)
		diag("cannot type: %s", strerror(errno));
}

/* Waits until nothing more comes, because ^C discards what is typed before and just after it. */
static void settle(struct terminal *t)
{
	enum { QUIET_MS = 300 };
	int end = now_ms() + PATIENCE_MS;
	for (size_t before = SIZE_MAX; before != t->n && now_ms() < end;) {
		before = t->n;
		read_some(t, QUIET_MS);
	}
}

/* Returns the status of waitpid; kills what does not end. */
static int finish(struct terminal *t)
{
	int status = 0, end = now_ms() + PATIENCE_MS;
	while (waitpid(t->pid, &status, WNOHANG) == 0) {
		read_some(t, 20);
		if (now_ms() > end)
			kill(t->pid, SIGKILL);
	}
	for (size_t before = SIZE_MAX; before != t->n;) {
		before = t->n;
		read_some(t, 20);
	}
	return status;
}

/* ^D, at the prompt: while a command runs it would be lost. The prompt may name a place. */
static int leave(struct terminal *t)
{
	expect(t, "(cellscope");
	usleep(20000);
	type(t, "\004");
	return finish(t);
}

/* Where too few columns are left for the text of a prompt. */
static int leave_at_rest(struct terminal *t)
{
	settle(t);
	type(t, "\004");
	return finish(t);
}

static bool same_settings(const struct terminal *t)
{
	struct termios after;
	if (tcgetattr(t->slave, &after) < 0)
		return false;
	return after.c_iflag == t->before.c_iflag && after.c_oflag == t->before.c_oflag &&
	       after.c_cflag == t->before.c_cflag && after.c_lflag == t->before.c_lflag &&
	       memcmp(after.c_cc, t->before.c_cc, sizeof(after.c_cc)) == 0;
}

static void drop(struct terminal *t)
{
	close(t->fd);
	close(t->slave);
	free(t->output);
}

/* ---- lines ---- */

static void test_lines(void)
{
	struct terminal t = start(&(struct setup){0});
	ok(expect(&t, "cellscope "), "a banner");
	ok(expect(&t, "(cellscope)"), "a prompt");
	type(&t, "cell L0:0,0 -c name\r");
	ok(expect(&t, "name  Valley_MainGrid_L0_X0_Y0"), "a command answers");
	ok(expect(&t, "(cellscope)"), "the prompt comes back");
	type(&t, "explian\r");
	ok(expect(&t, "unknown command 'explian'"), "a mistake is told");
	ok(expect(&t, "^~~~~~~"), "with a mark under the word");
	type(&t, "rubbish\003");
	ok(expect(&t, "(cellscope)"), "^C takes the line back");
	settle(&t);
	type(&t, "\003\r"); /* both are there when the program wakes */
	settle(&t);
	type(&t, "echo fr''esh\r");
	ok(expect(&t, "fresh"), "and the next line is a new one");
	type(&t, "cd L0:0,0\rpwd\r");
	ok(expect(&t, "Valley_MainGrid_L0_X0_Y0") && expect(&t, "Valley_MainGrid_L0_X0_Y0"),
		"a session remembers where it is");
	type(&t, "assert 1 = 2\r");
	ok(expect(&t, "assert failed: 1 = 2"), "a check that fails is told");
	int status = leave(&t);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "^D leaves with 0, whatever failed");
	ok(same_settings(&t), "the terminal is as it was");
	drop(&t);
	t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "quit 7\r");
	status = finish(&t);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 7, "quit 7 leaves with 7");
	drop(&t);
}

static void test_interruption(void)
{
	static const char endless[] = "sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 "
				      "FROM c) SELECT count(*) FROM c\r";
	static const char function[] = "sql SELECT hex(zeroblob(9000000)) GLOB '*' || "
				       "substr(hex(zeroblob(499)), 2) || '1' AS one\r";
	struct terminal t = start(&(struct setup){.columns = 200});
	expect(&t, "(cellscope)");
	type(&t, endless);
	expect(&t, "FROM c\r\n");
	usleep(200000);
	type(&t, "\003");
	ok(expect(&t, "^C\r\n") && expect(&t, "interrupted"), "^C stops a long command");
	ok(expect(&t, "(cellscope)"), "and the prompt comes back");
	usleep(200000);
	read_some(&t, 0);
	type(&t, function);
	expect(&t, "one\r\n");
	usleep(200000);
	type(&t, "\003");
	ok(expect(&t, "interrupted") && expect(&t, "(cellscope)"), "and one long function");
	usleep(200000);
	read_some(&t, 0);
	ok(!memmem(t.output + t.mark, t.n - t.mark, "(cellscope)", 11), "once");
	type(&t, "\003\003");
	settle(&t);
	type(&t, "echo al''ive\r");
	ok(expect(&t, "alive"), "more of it at the prompt does nothing");
	int status = leave(&t);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the session ends with 0");
	drop(&t);
}

/* After a window grew or shrank, the next output fits it. */
static void test_resize(void)
{
	struct terminal t = start(&(struct setup){.columns = 200});
	struct winsize size = {.ws_row = 24, .ws_col = 40};
	expect(&t, "(cellscope)");
	type(&t, "cells -n 1\r");
	ok(expect(&t, "Valley_MainGrid_L0_X-2_Y-2"), "a wide window shows names whole");
	expect(&t, "(cellscope)");
	ioctl(t.fd, TIOCSWINSZ, &size);
	kill(t.pid, SIGWINCH);
	usleep(100000);
	type(&t, "cells -n 1 -c name,guid\r");
	ok(expect(&t, ".."), "a narrow one cuts them");
	ok(expect(&t, "(cellscope)"), "and the prompt comes back");
	leave_at_rest(&t);
	drop(&t);
}

/* Where readline scrolls a line sideways, by a third of so few columns. */
static void test_narrow(void)
{
	for (unsigned short columns = 1; columns < 5; columns++) {
		struct terminal t = start(&(struct setup){.columns = columns, .term = "dumb"});
		struct winsize size = {.ws_row = 24, .ws_col = columns % 3 + 1};
		usleep(200000);
		type(&t, "echo a longer line than that");
		ioctl(t.fd, TIOCSWINSZ, &size);
		kill(t.pid, SIGWINCH);
		usleep(100000);
		type(&t, " and al''ive\r");
		ok(expect(&t, "alive"), "a window of %u columns, then of %u", columns, size.ws_col);
		int status = leave_at_rest(&t);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the session ends with 0");
		drop(&t);
	}
}

/* A long command that shows how far it is leaves no trace of that in what it prints. */
static void test_progress(void)
{
	struct terminal t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "run 100000000\r");
	ok(expect(&t, "% ("), "a long command tells how far it is");
	usleep(300000);
	type(&t, "\003");
	ok(expect(&t, " \rframe "), "and clears the line before it answers");
	leave(&t);
	drop(&t);
}

/* ---- signals ---- */

static void test_signal(int number, const char *name, bool running)
{
	struct terminal t = start(&(struct setup){.columns = 200});
	expect(&t, "(cellscope)");
	if (running) {
		type(&t, "sql WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) "
			 "SELECT count(*) FROM c\r");
		expect(&t, "FROM c\r\n");
		usleep(100000);
	}
	kill(t.pid, number);
	int status = finish(&t);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == number, "%s ends it as %s%s", name, name,
		running ? " while a command runs" : "");
	ok(same_settings(&t), "and the terminal is as it was");
	drop(&t);
}

/* What a shell does for ^Z: a process that is stopped is brought back at once. */
static void be_a_shell(void)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		execl(program, "cellscope", sample, (char *)NULL);
		_exit(127);
	}
	signal(SIGTTOU, SIG_IGN);
	setpgid(pid, pid);
	while (waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status)) {
		struct termios now;
		tcsetpgrp(0, getpgrp());
		tcgetattr(0, &now);
		dprintf(1, "JOB-STOPPED %s\n", now.c_lflag & ICANON ? "cooked" : "raw");
		tcsetpgrp(0, pid);
		kill(pid, SIGCONT);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

static void test_stop(void)
{
	const struct setup setup = {.shell = true};
	struct terminal t = start(&setup);
	expect(&t, "(cellscope)");
	type(&t, "\032");
	ok(expect(&t, "JOB-STOPPED cooked"), "^Z stops it, with the terminal as it was");
	ok(expect(&t, "(cellscope)"), "it goes on with a prompt");
	type(&t, "echo ag''ain\r");
	ok(expect(&t, "again"), "that works");
	int status = leave(&t);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and ends with 0");
	drop(&t);
}

/* A terminal puts what is pasted between two marks: the lines run one by one. */
static void test_pasted(void)
{
	struct terminal t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "\033[200~define twice\recho tw''ice $1 $1\rend\r\rtwice hel''lo\r\033[201~\r");
	ok(expect(&t, "twice hello hello"), "a block that is pasted is run line by line");
	expect(&t, "(cellscope)");
	type(&t, "\033[200~echo st''art | cat; sleep 5\recho mo''re\r\033[201~\r");
	expect(&t, "start");
	size_t mark = t.mark;
	type(&t, "\003");
	expect(&t, "(cellscope)");
	type(&t, "echo e''nd\r");
	ok(expect(&t, "end") && !memmem(t.output + mark, t.n - mark, "more", 4),
		"^C stops it, also if the command that runs does not fail");
	leave(&t);
	drop(&t);
}

/* ---- history and completion ---- */

static void test_history(void)
{
	char path[4096], text[4096] = "";
	struct stat st;
	struct terminal t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "echo first one\recho second one\recho second one\recho l''ast\r");
	expect(&t, "last");
	leave(&t);
	drop(&t);
	snprintf(path, sizeof(path), "%s/.local/state/cellscope/history", home);
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600, "the history is the user's alone");
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[n] = '\0';
	if (file)
		fclose(file);
	ok(strstr(text, "echo first one\necho second one\n"), "lines are kept");
	ok(!strstr(text, "second one\necho second one"), "a repeated line once");
	t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "\020\020\020 more\r");
	ok(expect(&t, "\rfirst one more"), "the next session can bring them back");
	leave(&t);
	drop(&t);
}

static void test_completion(void)
{
	char line[8192];
	struct terminal t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "vers\t\r");
	ok(expect(&t, "version") && expect(&t, "cellscope 0"), "a command");
	type(&t, "actor Tow\t-c label\r");
	ok(expect(&t, "label  Tower"), "an actor");
	type(&t, "cells @ Valley_MainGrid_L1\t-c level,actors\r");
	ok(expect(&t, "1       1"), "a place");
	type(&t, "set col\tnev\tnever\r");
	type(&t, "cell Valley_MainGrid_L0_X-\t\t");
	ok(expect(&t, "X-1_Y-1") && expect(&t, "X-2_Y1"), "several are listed");
	type(&t, "\003");
	type(&t, "cells -c na\t,lev\t -n 1 -s name\r");
	ok(expect(&t, "name ") && expect(&t, "level"), "a list of columns goes on");
	snprintf(line, sizeof(line), "gen city --actors 4000 --seed 1 -o '%s/many.json'\r", home);
	type(&t, line);
	expect(&t, "references");
	snprintf(line, sizeof(line), "open '%s/many.json'\r", home);
	type(&t, line);
	ok(expect(&t, "City: "), "a world with many cells");
	type(&t, "cell City_M\t0_0_0_0 -c short_name\r");
	ok(expect(&t, "short_name  0_0_0_0"),
		"what is completed is shared by those not listed, too");
	type(&t, "cell City_M\t\t\t");
	ok(expect(&t, " more\r\n") && expect(&t, "cell City_MainGrid_"),
		"their number ends the list");
	type(&t, "\003");
	leave(&t);
	drop(&t);
}

/* ---- what the terminal may get ---- */

static bool has_escape(const struct terminal *t)
{
	return memchr(t->output, '\033', t->n) != NULL;
}

static void test_dumb(void)
{
	struct terminal t = start(&(struct setup){.term = "dumb"});
	expect(&t, "(cellscope)");
	type(&t, "cells -n 2\rnonsense\r");
	expect(&t, "unknown command");
	leave(&t);
	ok(!has_escape(&t), "a dumb terminal gets no escape sequence");
	drop(&t);
}

static bool has_colour(const struct terminal *t)
{
	return memmem(t->output, t->n, "\033[31m", 5) != NULL;
}

static void test_colours(void)
{
	static const struct {
		const char *variable, *command;
		bool wanted;
	} cases[] = {
		{NULL, "nonsense\r", true},
		{"NO_COLOR=1", "nonsense\r", false},
		{"NO_COLOR=", "nonsense\r", true},
		{NULL, "set color never\rnonsense\r", false},
		{"NO_COLOR=1", "set color always\rnonsense\r", true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct terminal t = start(&(struct setup){.variable = cases[i].variable});
		expect(&t, "(cellscope)");
		type(&t, cases[i].command);
		expect(&t, "unknown command");
		leave(&t);
		ok(has_colour(&t) == cases[i].wanted, "%s, %.16s: %s",
			cases[i].variable ? cases[i].variable : "no variable", cases[i].command,
			cases[i].wanted ? "colours" : "no colours");
		drop(&t);
	}
}

static void test_pager(void)
{
	const struct setup setup = {.variable = "CELLSCOPE_PAGER=sed s/^/PAGED:/"};
	struct terminal t = start(&setup);
	expect(&t, "(cellscope)");
	type(&t, "cells -n 3\r");
	expect(&t, "X0_Y-2");
	ok(!memmem(t.output, t.n, "PAGED:", 6), "what fits the screen is printed");
	type(&t, "help\r");
	ok(expect(&t, "PAGED:"), "what does not goes through the pager");
	expect(&t, "(cellscope)");
	size_t mark = t.n;
	type(&t, "set pager off\rhelp\r");
	expect(&t, "apropos TEXT");
	ok(!memmem(t.output + mark, t.n - mark, "PAGED:", 6), "unless it is off");
	leave(&t);
	drop(&t);
}

/* A command after | in a user's command has the terminal, and the lines above it come first. */
static void test_nested_pipe(void)
{
	struct terminal t = start(&(struct setup){0});
	expect(&t, "(cellscope)");
	type(&t, "define shown\recho fi''rst\recho | (test -t 1 && echo ter''minal)\r"
		 "echo la''st\rend\rshown\r");
	ok(expect(&t, "first") && expect(&t, "terminal") && expect(&t, "last"),
		"a command after | in a user's command prints to the terminal, in turn");
	leave(&t);
	drop(&t);
}

/* Bytes that no terminal may get from a file: what the program itself sends is taken out first. */
static bool is_clean(const struct terminal *t)
{
	static const char *const own[] = {"\033[?2004h", "\033[?2004l", "\033[1m", "\033[0m",
		"\033[31m", "\033[K", "\033[C", "\033[A"};
	for (size_t i = 0; i < t->n; i++) {
		unsigned char c = (unsigned char)t->output[i];
		bool known = c >= ' ' || strchr("\r\n\t\b\a", c);
		for (size_t k = 0; k < sizeof(own) / sizeof(own[0]) && c == '\033'; k++)
			known = known ||
				(t->n - i >= strlen(own[k]) &&
					memcmp(t->output + i, own[k], strlen(own[k])) == 0);
		if (!known || c == 0x7f || c == 0x9b) {
			diag("byte %02x at %zu: %.40s", c, i, t->output + (i > 20 ? i - 20 : 0));
			return false;
		}
	}
	return true;
}

static void test_hostile(void)
{
	static const char *const locales[] = {"C", "C.UTF-8"};
	static const char *const lines[] = {"info\r", "cells\r", "actors -n 3\r", "layers\r",
		"cell L0:0,0\r", "actor Tow\t\r", "cell Va\t\t"};
	for (size_t i = 0; i < 2; i++) {
		struct terminal t =
			start(&(struct setup){.locale = locales[i], .file = hostile, .rows = 200});
		for (size_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++) {
			expect(&t, "(cellscope)");
			type(&t, lines[k]);
		}
		settle(&t);
		type(&t, "\003");
		settle(&t);
		type(&t, "echo e''nd\r");
		ok(expect(&t, "end"), "hostile names: the session lives (%s)", locales[i]);
		leave(&t);
		ok(is_clean(&t), "and no byte of them reaches the terminal raw");
		drop(&t);
	}
}

static void test_locale(void)
{
	struct terminal t = start(&(struct setup){.locale = "xx_XX.UTF-8", .file = hostile});
	expect(&t, "(cellscope)");
	type(&t, "info\recho e''nd\r");
	expect(&t, "end");
	leave(&t);
	ok(memmem(t.output, t.n, "\xc3\xa9", 2), "UTF-8 works where its locale is not installed");
	drop(&t);
}

/* ---- a record ---- */

/* What the program prints as `hash=`, 16 digits, behind the mark. */
static void take_hash(const char *text, char hash[static 17])
{
	const char *found = text ? strstr(text, "hash=") : NULL;
	hash[0] = '\0';
	if (found)
		sscanf(found + strlen("hash="), "%16[0-9a-f]", hash);
}

static void replay(const char *record, char hash[static 17])
{
	char command[8192], text[65536];
	snprintf(command, sizeof(command),
		"'%s' --batch -x '%s' -e \"sql SELECT 'hash' || '=' || state_hash()\" 2>&1",
		program, record);
	FILE *pipe = popen(command, "r");
	size_t n = pipe ? fread(text, 1, sizeof(text) - 1, pipe) : 0;
	text[n] = '\0';
	if (!pipe || pclose(pipe) != 0)
		diag("the replay failed: %s", text);
	take_hash(text, hash);
}

/* ^C until it tells: on a busy machine the first may come before the command runs. */
static bool interrupt(struct terminal *t, const char *text)
{
	bool found = false;
	for (int i = 0; i < 20 && !found; i++) {
		usleep(300000);
		type(t, "\003");
		for (int k = 0; k < 5 && !found; k++) {
			read_some(t, 100);
			found = memmem(t->output + t->mark, t->n - t->mark, text, strlen(text));
		}
	}
	if (!found)
		diag("no '%s' in '%.*s'", text, (int)(t->n - t->mark), t->output + t->mark);
	return found && expect(t, text);
}

/* What a person does, mistakes and interruptions included, and the record of it run as a script. */
static void test_record(void)
{
	static const char *const before[] = {"source add Anna -50000,4000,200", "step 7",
		"sorce add Bert 0,0,0", "sim.Latency 200", "checkpoint",
		"source add Bert 6400,4000,200 --priority 64", "layer set Festival activated"};
	static const char *const after[] = {"step", "", "", "rs 4", "tbreak layer.change",
		"layer set Festival loaded", "continue", "break cell.load if level = 0", "commands",
		"layer set Lanterns unloaded", "continue", "end", "source move Anna 60000,4000,200",
		"next", "continue", "reverse-continue", "restart 1", "source move Anna 0,4000,200",
		"fault cell L0:1,0,0 slow 3", "block", "step 20", "goto 12", "goto 5000",
		"display json(frame() < 5050)", "display json(iif(frame() < 5050, 1, 'x'))",
		"continue 100", "delete",
		"break frame if json(iif(frame < 5110, 1, 'x')) = 1 AND frame > 6000", "continue",
		"delete", "wp.Runtime.HLOD 0", "step 3"};
	char file[4096], record[4096], line[8192], typed[17], replayed[17];
	snprintf(file, sizeof(file), "%s/fixtures/streaming/street.json",
		getenv("CELLSCOPE_SOURCE"));
	snprintf(record, sizeof(record), "%s/session.cmd", home);
	struct terminal t = start(&(struct setup){.file = file, .columns = 200});
	expect(&t, "(cellscope)");
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		snprintf(line, sizeof(line), "%s\r", before[i]);
		type(&t, line);
	}
	snprintf(line, sizeof(line), "record '%s'\recho rea''dy\r", record);
	type(&t, line);
	expect(&t, "ready");
	expect(&t, "(cellscope");
	type(&t, "until 1 = 0\r");
	expect(&t, "1 = 0\r\n");
	ok(interrupt(&t, "interrupted at frame"), "a run without end is interrupted");
	settle(&t);
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++) {
		snprintf(line, sizeof(line), "%s\r", after[i]);
		type(&t, line);
	}
	type(&t, "sql SELECT 'hash' || '=' || state_hash()\r");
	ok(expect(&t, "hash="), "the session has a state");
	size_t at = t.mark - strlen("hash=");
	leave(&t);
	take_hash(t.output + at, typed);
	replay(record, replayed);
	ok(*typed && strcmp(typed, replayed) == 0, "its record leads to the same: %s, %s", typed,
		replayed);
	drop(&t);
}

static void find_paths(void)
{
	const char *out = test_folder(), *build = getenv("CELLSCOPE_BUILD");
	char command[8192];
	snprintf(home, sizeof(home), "%s/home", out);
	snprintf(sample, sizeof(sample), "%s/sample.cworld", out);
	snprintf(hostile, sizeof(hostile), "%s/hostile.cworld", out);
	snprintf(program, sizeof(program), "%s/cellscope", build);
	snprintf(command, sizeof(command), "rm -rf '%s'; mkdir -p '%s'", home, home);
	if (system(command) != 0)
		abort();
}

int main(void)
{
	find_paths();
	signal(SIGPIPE, SIG_IGN);
	test_lines();
	test_interruption();
	test_resize();
	test_narrow();
	test_progress();
	test_signal(SIGTERM, "SIGTERM", false);
	test_signal(SIGTERM, "SIGTERM", true);
	test_signal(SIGHUP, "SIGHUP", false);
	test_signal(SIGSEGV, "SIGSEGV", false);
	test_signal(SIGABRT, "SIGABRT", false);
	test_signal(SIGBUS, "SIGBUS", true);
	test_stop();
	test_pasted();
	test_history();
	test_completion();
	test_dumb();
	test_colours();
	test_pager();
	test_nested_pipe();
	test_hostile();
	test_locale();
	test_record();
	return done();
}
