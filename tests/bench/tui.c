/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of the screen on a pseudo terminal: what a key costs in a world of a million cells, in
 * every view, in time to the last byte, in CPU time and in bytes; playing; opening; memory. Beside
 * it the same for drawing all of the screen again (C-l), which computes nothing.
 *
 *	tui [CELLS]     default 1000000
 */
#include "tests/bench/bench.h"
#include "tests/unit/stream/worlds.h"
#include <cellscope/cooked_values.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SAMPLES = 400, TERMINAL = 1 << 16 };

struct screen {
	int fd;
	pid_t pid;
	clockid_t cpu;
};

static char program[2048], file[2048];

/* ---- the world ---- */

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");
	if (!out || fwrite(bytes, 1, n, out) != n || fclose(out) != 0) {
		perror(path);
		exit(3);
	}
}

static void make_world(uint64_t cells)
{
	struct worlds w;
	int64_t half = (int64_t)(sqrt((double)cells * 64 / 84) / 2);
	half -= half % 4;
	worlds_init(&w, "5.4");
	uint32_t grid = worlds_partition(&w, "MainGrid", CS_PARTITION_LHGRID, 12800, 38400);
	for (int level = 0; level < 3; level++) {
		int64_t side = half >> level;
		worlds_square(&w, grid, level, -side, -side, side, side, 1);
	}
	printf("%zu cells\n", w.cells.n);
	worlds_open(&w);
	write_file(file, w.bytes, w.n_bytes);
	worlds_deinit(&w);
}

/* ---- the terminal ---- */

static struct screen start_command(
	unsigned short columns, unsigned short rows, const char *folder, const char *const *words)
{
	struct winsize size = {.ws_row = rows, .ws_col = columns};
	struct screen s;
	s.pid = forkpty(&s.fd, NULL, NULL, &size);
	if (s.pid == 0) {
		clearenv();
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("HOME", folder ? folder : "/nonexistent", 1);
		setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
		if (!folder || chdir(folder) == 0)
			execvp(words[0], (char *const *)words);
		_exit(127);
	}
	if (s.pid < 0 || clock_getcpuclockid(s.pid, &s.cpu) != 0) {
		perror("forkpty");
		exit(3);
	}
	fcntl(s.fd, F_SETFL, O_NONBLOCK);
	return s;
}

/* The terminal answers what it is before it is asked: nobody waits for it. */
static struct screen start(unsigned short columns, unsigned short rows, const char *world)
{
	static const char answer[] = "\033[?62c";
	const char *const words[] = {program, "-n", "--tui", world, NULL};
	struct screen s = start_command(columns, rows, NULL, words);
	if (write(s.fd, answer, sizeof(answer) - 1) < 0)
		exit(3);
	return s;
}

static double cpu_of(const struct screen *s)
{
	struct timespec t = {0};
	clock_gettime(s->cpu, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Whether it sleeps, all of its threads; one that only waits for its turn does not. */
static bool sleeps(const struct screen *s)
{
	char path[64], text[256] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", (int)s->pid);
	FILE *in = fopen(path, "r");
	if (!in)
		return true;
	size_t n = fread(text, 1, sizeof(text) - 1, in);
	fclose(in);
	text[n] = '\0';
	const char *state = strrchr(text, ')');
	return !state || state[2] == 'S' || state[2] == 'Z';
}

struct cost {
	double seconds, cpu; /* to the last byte; of the program */
	size_t bytes;
};

/* Reads until the program writes nothing and computes nothing any more. */
static struct cost settle(struct screen *s, double since, double cpu)
{
	enum { QUIET = 3 };
	struct cost cost = {0};
	double last = cpu;
	for (int quiet = 0; quiet < QUIET;) {
		static char bytes[TERMINAL];
		struct pollfd wait = {s->fd, POLLIN, 0};
		if (poll(&wait, 1, 3) > 0) {
			ssize_t n = read(s->fd, bytes, sizeof(bytes));
			if (n <= 0 && errno != EAGAIN)
				break;
			cost.bytes += n > 0 ? (size_t)n : 0;
			cost.seconds = bench_now() - since;
			quiet = 0;
			continue;
		}
		double now = cpu_of(s);
		quiet = now > last || !sleeps(s) ? 0 : quiet + 1;
		last = now;
	}
	cost.cpu = last - cpu;
	return cost;
}

static struct cost press(struct screen *s, const char *key)
{
	double cpu = cpu_of(s), start = bench_now();
	if (write(s->fd, key, strlen(key)) < 0)
		exit(3);
	return settle(s, start, cpu);
}

static void type(struct screen *s, const char *line)
{
	press(s, ":");
	press(s, line);
	press(s, "\r");
}

static void stop(struct screen *s)
{
	kill(s->pid, SIGTERM);
	settle(s, bench_now(), cpu_of(s));
	waitpid(s->pid, NULL, 0);
	close(s->fd);
}

/* ---- keys ---- */

static int by_number(const void *left, const void *right)
{
	double l = *(const double *)left, r = *(const double *)right;
	return (l > r) - (l < r);
}

static double part(double *values, int n, double share)
{
	qsort(values, (size_t)n, sizeof(*values), by_number);
	int at = (int)(share * n);
	return values[at < n ? at : n - 1];
}

/* 16 ms and three times an empty redraw, of CPU time; a redraw itself is what it is. */
static void print_goals(double p99, double redraw)
{
	bool fast = p99 <= 16, cheap = p99 <= 3 * redraw;
	if (redraw > 0)
		printf("%-26s %.1f of 16 ms%s, %.1f of 3 redraws%s\n", "", p99,
			fast ? "" : " MISSED", p99 / redraw, cheap ? "" : " MISSED");
}

/* `keys` again and again; the results, of which it returns the CPU time of 99 in 100. */
static double measure(
	struct screen *s, const char *name, const char *const *keys, int n, double redraw)
{
	static double seconds[MOST_SAMPLES], cpu[MOST_SAMPLES], bytes[MOST_SAMPLES];
	for (int i = 0; i < n; i++) {
		const char *const *key = keys;
		for (int k = i; k > 0; k--)
			key = key[1] ? key + 1 : keys;
		struct cost cost = press(s, *key);
		seconds[i] = cost.seconds * 1e3;
		cpu[i] = cost.cpu * 1e3;
		bytes[i] = (double)cost.bytes;
	}
	double p99 = part(cpu, n, .99);
	printf("%-26s key to last byte %6.2f ms, p99 %7.2f; CPU %6.2f, p99 %7.2f; %5.0f bytes\n",
		name, part(seconds, n, .5), part(seconds, n, .99), part(cpu, n, .5), p99,
		part(bytes, n, .5));
	print_goals(p99, redraw);
	return p99;
}

static const struct {
	const char *name, *open; /* keys that lead there */
	const char *keys[8];
} views[] = {
	{"map, cursor", "vm", {"j", "l", "k", "h"}},
	{"map, pan", "", {"J", "K"}},
	{"map, zoom", "", {"+", "-"}},
	{"map, step", "", {"."}},
	{"cells, cursor", "vc", {"j", "k"}},
	{"cells, page", "", {"J", "J", "K"}},
	{"cells, step", "", {"."}},
	{"actors, cursor", "va", {"j", "k"}},
	{"timeline, cursor", "vg", {"h", "l"}},
	{"timeline, step", "", {"."}},
	{"queue, step", "u", {"."}},
	{"layers", "L", {"j", "k"}},
	{"findings", "f", {"j", "k"}},
	{"events, step", "ve", {"."}},
	{"variables", "vv", {"j", "k"}},
	{"cell, step", "vm\r", {"."}},
	{"why beside, step", "vmVy", {"."}},
};

static double peak_of(const struct screen *s)
{
	char path[64], line[256];
	double kib = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)s->pid);
	FILE *in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "VmHWM: %lf", &kib) == 1)
			break;
	if (in)
		fclose(in);
	return kib / 1024;
}

static void measure_views(void)
{
	enum { PRESSES = 60 };
	struct screen s = start(200, 50, file);
	settle(&s, bench_now(), cpu_of(&s));
	type(&s, "source add Player0 0,0,0 --velocity 3000,1000,0");
	type(&s, "step 60");
	static const char *const redraw[] = {"\f", NULL};
	double least = measure(&s, "nothing but a redraw", redraw, PRESSES, 0);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		for (const char *key = views[i].open; *key; key++)
			press(&s, (const char[]){*key, '\0'});
		measure(&s, views[i].name, views[i].keys, PRESSES, least);
	}
	printf("%-26s %.0f MiB, with the world and its run\n", "memory", peak_of(&s));
	stop(&s);
}

/* ---- bytes, playing, opening ---- */

static void measure_bytes(void)
{
	enum { STEPS = 60 };
	static double bytes[STEPS];
	struct screen s = start(80, 24, file);
	settle(&s, bench_now(), cpu_of(&s));
	type(&s, "source add Player0 0,0,0 --velocity 3000,1000,0");
	for (int i = 0; i < STEPS; i++)
		bytes[i] = (double)press(&s, ".").bytes;
	printf("%-26s a step writes %.0f bytes, p99 %.0f; goal: 600\n", "80x24, map",
		part(bytes, STEPS, .5), part(bytes, STEPS, .99));
	stop(&s);
}

/* The frame that the title tells. */
static double frame_of(struct screen *s)
{
	char line[2100], text[512] = "";
	snprintf(line, sizeof(line), "view save %s.txt", file);
	type(s, line);
	snprintf(line, sizeof(line), "%s.txt", file);
	FILE *in = fopen(line, "r");
	if (in) {
		size_t n = fread(text, 1, sizeof(text) - 1, in);
		text[n] = '\0';
		fclose(in);
		unlink(line);
	}
	const char *frame = strstr(text, "frame ");
	return frame ? strtod(frame + 6, NULL) : 0;
}

/* Of the time that playing takes, how much the engine has, which runs the same frames alone. */
static void measure_play(void)
{
	enum { FRAMES = 30000, SECONDS = 3 };
	struct screen s = start(120, 40, file);
	settle(&s, bench_now(), cpu_of(&s));
	type(&s, "source add Player0 0,0,0 --velocity 3000,1000,0");
	type(&s, "view layers"); /* so that the line is all that is computed */
	double begin = cpu_of(&s);
	type(&s, "step 30000 ~ nothing");
	double engine = (cpu_of(&s) - begin) / FRAMES, first = frame_of(&s);
	type(&s, "view map");
	begin = cpu_of(&s);
	if (write(s.fd, ":play 1000\r", 11) < 0)
		exit(3);
	for (double until = bench_now() + SECONDS; bench_now() < until;) {
		static char bytes[TERMINAL];
		struct pollfd wait = {s.fd, POLLIN, 0};
		if (poll(&wait, 1, 10) > 0 && read(s.fd, bytes, sizeof(bytes)) < 0 &&
			errno != EAGAIN)
			break;
	}
	double cpu = cpu_of(&s) - begin;
	press(&s, " ");
	double frames = frame_of(&s) - first;
	printf("%-26s %.0f frames in %d s; of %.2f s CPU the engine takes %.0f %%; goal: 50\n",
		"play 1000, map", frames, SECONDS, cpu, 100 * frames * engine / cpu);
	stop(&s);
}

/* CPU time of all that has ended so far. */
static double cpu_of_ended(void)
{
	struct rusage usage;
	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double cpu_of_command(const char *command)
{
	double before = cpu_of_ended();
	if (system(command) != 0)
		exit(3);
	return cpu_of_ended() - before;
}

/* By CPU time: what else the machine does is not asked. */
static void measure_open(const char *world, const char *of)
{
	enum { RUNS = 5 };
	double screen[RUNS], info[RUNS];
	char command[5000];
	snprintf(command, sizeof(command), "%s -n -q %s -e info >/dev/null", program, world);
	for (int i = 0; i < RUNS; i++) {
		struct screen s = start(200, 50, world);
		screen[i] = settle(&s, bench_now(), 0).cpu;
		stop(&s);
		info[i] = cpu_of_command(command);
	}
	double first = part(screen, RUNS, .5), second = part(info, RUNS, .5);
	printf("open, %-20s CPU %.0f ms to the first screen, %.0f ms of `-e info`: %.2f; goal: "
	       "1.2\n",
		of, first * 1e3, second * 1e3, first / second);
}

/* A city that was made up and cooked, whose actors are what is opened. */
static void measure_open_actors(uint64_t actors)
{
	char source[2100], world[2100], command[12000], of[40];
	snprintf(source, sizeof(source), "%s.json", file);
	snprintf(world, sizeof(world), "%s.city", file);
	snprintf(command, sizeof(command),
		"%s gen city --actors %llu -o %s >/dev/null && %s cook %s -o %s >/dev/null",
		program, (unsigned long long)actors, source, program, source, world);
	if (system(command) == 0) {
		snprintf(of, sizeof(of), "%llu actors", (unsigned long long)actors);
		measure_open(world, of);
	}
	unlink(source);
	unlink(world);
}

/* ---- beside other programs ---- */

struct peer {
	const char *name, *words[5];
};

/* What they show: a repository, the processes, a table; where they lie is the same folder. */
static bool prepare_peers(const char *folder, const char *world)
{
	char command[9000];
	snprintf(command, sizeof(command),
		"mkdir -p '%s' && cd '%s' && git init -q . && "
		"for i in $(seq 200); do git -c user.name=a -c user.email=a@b commit -q "
		"--allow-empty -m \"change $i of many\"; done && "
		"'%s' -n -q '%s' -e 'cells -n 5000 --csv' >cells.csv",
		folder, folder, program, world);
	return system(command) == 0;
}

static bool is_installed(const char *name)
{
	char command[200];
	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", name);
	return system(command) == 0;
}

/* First screen, down 40 times, page down 10 times; medians. */
static void measure_peer(const struct peer *peer, const char *folder, const char *open,
	unsigned short columns, unsigned short rows)
{
	enum { DOWNS = 40, PAGES = 10 };
	static const struct {
		const char *key;
		int n;
	} keys[] = {{"\033OB", DOWNS}, {"\033[6~", PAGES}};
	double ms[2][DOWNS], bytes[2][DOWNS];
	if (!is_installed(peer->words[0])) {
		printf("%-22s skipped: it is not here\n", peer->name);
		return;
	}
	double begin = bench_now();
	struct screen s = folder ? start_command(columns, rows, folder, peer->words)
				 : start(columns, rows, peer->words[1]);
	struct cost first = {0}, more;
	do { /* interpreters sleep between */
		more = settle(&s, begin, 0);
		first.bytes += more.bytes;
		first.seconds = more.bytes ? more.seconds : first.seconds;
	} while (bench_now() - begin < 1.5);
	for (const char *key = open; *key; key++)
		press(&s, (const char[]){*key, '\0'});
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < keys[k].n; i++) {
			struct cost cost = press(&s, keys[k].key);
			ms[k][i] = cost.seconds * 1e3;
			bytes[k][i] = (double)cost.bytes;
		}
	stop(&s);
	printf("%-22s %3ux%-3u first %6zu bytes %6.0f ms; down %5.0f bytes %6.2f ms; page %6.0f "
	       "bytes %6.2f ms\n",
		peer->name, columns, rows, first.bytes, first.seconds * 1e3,
		part(bytes[0], DOWNS, .5), part(ms[0], DOWNS, .5), part(bytes[1], PAGES, .5),
		part(ms[1], PAGES, .5));
}

static void measure_peers(const char *world)
{
	static const unsigned short sizes[][2] = {{80, 24}, {200, 50}};
	const struct peer ours = {"cellscope, cells", {program, world}};
	static const struct peer peers[] = {{"tig, log", {"tig"}}, {"htop", {"htop"}},
		{"visidata, cells.csv", {"vd", "cells.csv"}}};
	char folder[2100], command[2200];
	snprintf(folder, sizeof(folder), "%s.peers", file);
	if (!prepare_peers(folder, world)) {
		printf("%-22s skipped: git is not here\n", "other programs");
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		measure_peer(&ours, NULL, "vc", sizes[i][0], sizes[i][1]);
		for (size_t p = 0; p < sizeof(peers) / sizeof(peers[0]); p++)
			measure_peer(&peers[p], folder, "", sizes[i][0], sizes[i][1]);
	}
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (system(command) != 0)
		perror(folder);
}

int main(int argc, char **argv)
{
	const char *build = getenv("CELLSCOPE_BUILD"), *folder = getenv("TMPDIR");
	uint64_t cells = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	snprintf(program, sizeof(program), "%s/cellscope", build ? build : ".");
	snprintf(file, sizeof(file), "%s/tui-%d.cworld", folder ? folder : "/tmp", (int)getpid());
	make_world(cells);
	measure_open_actors(cells);
	measure_open(file, "the cells");
	measure_views();
	measure_bytes();
	measure_play();
	measure_peers(file);
	unlink(file);
	return 0;
}
