/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the screen makes of a terminal's answer when it asks for the colour of its ground: at once,
 * late, in pieces, never, with keys around it. The other end of the pseudo terminal is the
 * terminal here. Palettes are told apart by the colour of keys; what is left to be read when the
 * program is gone would have been the shell's.
 */
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define WHITE "\033]11;rgb:ffff/ffff/eeee\007"
#define BLACK "\033]11;rgb:00/00/00\033\\"
#define DONE  "\033[?62;4c"

enum { PATIENCE_MS = 10000, MOST_SENT = 4 };

static const struct scene {
	const char *name, *term, *variable, *theme;
	struct {
		const char *text;
		int after_ms;
	} sent[MOST_SENT];
	bool is_light;
	const char *sees; /* and this is on the screen */
} scenes[] = {
	{"light, at once", NULL, NULL, NULL, {{WHITE DONE, 0}}, true, NULL},
	{"dark, at once", NULL, "COLORFGBG=0;15", NULL, {{BLACK DONE, 0}}, false, NULL},
	{"light, a second late", NULL, NULL, NULL, {{WHITE DONE, 1000}}, true, NULL},
	{"one that knows no colours", NULL, NULL, NULL, {{DONE, 0}}, false, NULL},
	{"nonsense", NULL, NULL, NULL, {{"\033]11;rgb:zz/0/0\007" DONE, 0}}, false, NULL},
	{"no answer", NULL, NULL, NULL, {{"vc", 300}}, false, "short_name"},
	{"no answer, but a variable", NULL, "COLORFGBG=0;15", NULL, {{"vc", 300}}, true, NULL},
	{"keys before and behind", NULL, NULL, NULL, {{"v" WHITE DONE "c", 0}}, true, "short_name"},
	{"keys while it is awaited", NULL, NULL, NULL, {{"vc", 50}, {WHITE DONE, 600}}, true,
		"short_name"},
	{"cut within the colour", NULL, NULL, NULL,
		{{"\033]11;rgb:ff", 0}, {"ff/ffff/ffff\007" DONE, 250}, {"vc", 0}}, true,
		"short_name"},
	{"cut within the beginning", NULL, NULL, NULL,
		{{"\033]1", 0}, {"1;rgb:ffff/ffff/ffff\007", 250}, {DONE "vc", 0}}, true,
		"short_name"},
	{"cut behind escape", NULL, NULL, NULL,
		{{"\033", 0}, {"]11;rgb:ffff/ffff/ffff\033\\", 250}, {"\033[?6", 0}, {"2cvc", 250}},
		true, "short_name"},
	{"the rc file says dark", NULL, NULL, "view theme dark", {{WHITE DONE, 0}}, false, NULL},
	{"the rc file says light", NULL, "COLORFGBG=15;0", "view theme light", {{BLACK DONE, 0}},
		true, NULL},
	{"inside of tmux", "tmux-256color", NULL, NULL, {{WHITE DONE, 0}}, true, NULL},
	{"inside of screen", "screen-256color", NULL, NULL, {{DONE, 0}}, false, NULL},
};

static const char *program, *world, *home;

struct terminal {
	int fd, slave;
	pid_t pid;
	char output[1 << 17];
	size_t n;
};

static int now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)(now.tv_sec % 100000 * 1000 + now.tv_nsec / 1000000);
}

static void be_the_program(const struct scene *scene)
{
	clearenv();
	setenv("PATH", "/usr/bin:/bin", 1);
	setenv("TERM", scene->term ? scene->term : "xterm-256color", 1);
	setenv("LC_ALL", "C", 1);
	if (scene->variable)
		putenv((char *)scene->variable);
	setenv("XDG_CONFIG_HOME", home, 1);
	execl(program, "cellscope", "--tui", scene->theme ? "--" : "-n", world, (char *)NULL);
	_exit(127);
}

static void start(struct terminal *t, const struct scene *scene)
{
	const struct winsize size = {.ws_row = 24, .ws_col = 80};
	int master;
	if (openpty(&master, &t->slave, NULL, NULL, &size) < 0)
		abort();
	t->fd = master;
	t->n = 0;
	t->pid = fork();
	if (t->pid == 0) {
		close(master);
		for (int fd = 0; fd < 3; fd++)
			dup2(t->slave,
				fd); /* not its own: the end of its owner empties a terminal */
		be_the_program(scene);
	}
}

static void read_some(struct terminal *t, int timeout_ms)
{
	struct pollfd wait = {t->fd, POLLIN, 0};
	if (poll(&wait, 1, timeout_ms) <= 0 || t->n + 1 >= sizeof(t->output))
		return;
	ssize_t n = read(t->fd, t->output + t->n, sizeof(t->output) - 1 - t->n);
	t->n += n > 0 ? (size_t)n : 0;
	t->output[t->n] = '\0';
}

static void read_for(struct terminal *t, int ms)
{
	for (int end = now_ms() + ms; now_ms() < end;)
		read_some(t, end - now_ms());
}

static bool expect(struct terminal *t, const char *text)
{
	for (int end = now_ms() + PATIENCE_MS; now_ms() < end; read_some(t, 50))
		if (strstr(t->output, text))
			return true;
	return false;
}

static const char *last(const char *text, const char *part)
{
	const char *at = NULL;
	while ((text = strstr(text, part)) != NULL)
		at = text++;
	return at;
}

/* Returns whether a key was painted last with the palette for light terminals. */
static bool is_light(const struct terminal *t)
{
	const char *dark = last(t->output, "[38;5;214m"), *light = last(t->output, "[38;5;94m");
	return light && (!dark || dark < light);
}

static void send(struct terminal *t, const char *text)
{
	if (write(t->fd, text, strlen(text)) < 0)
		abort();
}

static bool waits_for(struct terminal *t, const struct scene *scene)
{
	for (int end = now_ms() + PATIENCE_MS; now_ms() < end; read_some(t, 50))
		if ((is_light(t) == scene->is_light || scene->theme) &&
			(last(t->output, "[38;5;")) &&
			(!scene->sees || strstr(t->output, scene->sees)))
			return true;
	return false;
}

/* Leaves, and returns how many bytes nobody has read. */
static int end(struct terminal *t)
{
	int left = 0, status;
	for (int stop = now_ms() + PATIENCE_MS; now_ms() < stop; read_some(t, 20))
		if (waitpid(t->pid, &status, WNOHANG) == t->pid) {
			t->pid = 0;
			break;
		}
	if (t->pid)
		kill(t->pid, SIGKILL), waitpid(t->pid, NULL, 0);
	struct termios raw;
	tcgetattr(t->slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(t->slave, TCSANOW, &raw); /* also what ends in no line */
	ioctl(t->slave, FIONREAD, &left);
	close(t->fd);
	close(t->slave);
	return left;
}

static void write_rc(const char *line)
{
	char path[4400];
	snprintf(path, sizeof(path), "%s/cellscope/cellscoperc", home);
	FILE *to = fopen(path, "w");
	if (!to)
		abort();
	fprintf(to, "%s\n", line);
	fclose(to);
}

static void test_scene(const struct scene *scene)
{
	static struct terminal t;
	t.output[0] = '\0';
	if (scene->theme)
		write_rc(scene->theme);
	start(&t, scene);
	bool asks = scene->theme ? expect(&t, "\033[?1049h") : expect(&t, "\033]11;?\007\033[c");
	for (size_t i = 0; i < MOST_SENT && scene->sent[i].text; i++) {
		read_for(&t, scene->sent[i].after_ms);
		send(&t, scene->sent[i].text);
	}
	bool is_seen = waits_for(&t, scene);
	read_for(&t, 150);
	ok(asks && is_seen && is_light(&t) == scene->is_light, "%s: it is %s", scene->name,
		scene->is_light ? "light" : "dark");
	ok(!strstr(t.output, "no key") && !strstr(t.output, "fff"),
		"%s: nothing of it was taken for a key", scene->name);
	send(&t, ":quit\r");
	ok(end(&t) == 0, "%s: nothing is left for the shell", scene->name);
}

/* It leaves before the answer has come: a shell would read it. */
static void test_left_at_once(void)
{
	static const struct scene scene = {.name = "left at once"};
	static struct terminal t;
	t.output[0] = '\0';
	start(&t, &scene);
	bool asks = expect(&t, "\033]11;?\007\033[c");
	send(&t, ":quit\r");
	read_for(&t, 250);
	send(&t, WHITE DONE);
	bool has_none_left = end(&t) == 0;
	ok(asks && has_none_left, "left at once: the answer is read before the shell comes");
}

int main(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE"), *build = getenv("CELLSCOPE_BUILD");
	static char paths[4][4200];
	snprintf(paths[0], sizeof(paths[0]), "%s/cellscope", build ? build : ".");
	snprintf(paths[1], sizeof(paths[1]), "%s/fixtures/valley.json", source ? source : ".");
	program = paths[0], world = paths[1],
	home = fresh_folder(paths[2], sizeof(paths[2]), "ground");
	fresh_folder(paths[3], sizeof(paths[3]), "ground/cellscope");
	if (mkdir(home, 0700) != 0 || mkdir(paths[3], 0700) != 0)
		return 99;

	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		test_scene(&scenes[i]);
	test_left_at_once();
	return done();
}
