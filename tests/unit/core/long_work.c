/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The watcher of long work: what it says, that it paints while there is work and never else, that
 * it has the terminal alone when it paints. Under ThreadSanitizer this is the test for races of the
 * screen.
 */
#include "src/tui/terminal/work.h"
#include "tests/samples/tap.h"

#include <string.h>
#include <time.h>

enum { PATIENCE_S = 20, UPDATES = 200000 };

/* The data that both threads use without a lock other than that of the work. */
struct terminal {
	struct work *work;
	unsigned painted;
	bool in_use, was_shared;
	struct work_state last;
};

static void use(struct terminal *terminal)
{
	terminal->was_shared = terminal->was_shared || terminal->in_use;
	terminal->in_use = true;
	terminal->painted++;
	terminal->in_use = false;
}

static void paint(void *context, const struct work_state *state)
{
	struct terminal *terminal = context;
	use(terminal);
	terminal->last = *state;
}

static unsigned painted(struct terminal *terminal)
{
	work_hold(terminal->work);
	unsigned n = terminal->painted;
	work_release(terminal->work);
	return n;
}

static struct work_state last(struct terminal *terminal)
{
	work_hold(terminal->work);
	struct work_state state = terminal->last;
	work_release(terminal->work);
	return state;
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* Waits until the terminal was painted n times more, for at most PATIENCE_S seconds. */
static bool wait_for_paint(struct terminal *terminal, unsigned n)
{
	const unsigned first = painted(terminal);
	const double end = seconds() + PATIENCE_S;
	while (painted(terminal) < first + n && seconds() < end)
		rest();
	return painted(terminal) >= first + n;
}

/* ---- what is said ---- */

static void test_text(void)
{
	static const struct {
		struct work_state state;
		double now;
		bool stops;
		const char *text;
	} cases[] = {
		{{.line = "sql SELECT 1", .begun = 10}, 12.4, false,
			". sql SELECT 1  2 s  ^C stops it"},
		{{.line = "sql SELECT 1", .begun = 10, .ticks = 6}, 12.4, true,
			"O sql SELECT 1  2 s  stopping"},
		{{.line = "cook",
			 .phase = "cells",
			 .done = 3,
			 .total = 12,
			 .begun = 0,
			 .phase_begun = 10},
			20, false, ". cells 25%  20 s, 30 s left  ^C stops it  3 of 12"},
		{{.phase = "read", .done = 3, .total = 12, .phase_begun = 10}, 10.5, false,
			". read 25%  10 s  ^C stops it  3 of 12"},
		{{.phase = "cells", .done = 9, .phase_begun = 10}, 20, false,
			". cells  20 s  ^C stops it  9"},
		{{.phase = "write", .done = UINT64_MAX, .total = 1}, 20, false, NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		work_say(&cases[i].state, cases[i].now, cases[i].stops, text, sizeof(text));
		if (cases[i].text)
			is_text(text, cases[i].text, "what is said, %zu", i);
		else
			ok(strlen(text) < 120, "what makes no sense is said as well");
	}
}

/* ---- while there is work ---- */

static void test_work(struct terminal *terminal)
{
	work_begin(terminal->work, "the screen");
	work_line(terminal->work, "cook city.json");
	ok(wait_for_paint(terminal, 2), "long work is painted, again and again");
	is_text(last(terminal).line, "cook city.json", "with the line that runs");
	is_text(last(terminal).phase, "", "which has told of no phase");
	for (unsigned i = 0; i < UPDATES; i++)
		work_phase(terminal->work, i % 2 ? "sets" : "cells", i, UPDATES);
	ok(wait_for_paint(terminal, 1), "what it is told is painted");
	ok(last(terminal).done == UPDATES - 1 && last(terminal).total == UPDATES,
		"as it was told last");
	for (unsigned i = 0; i < UPDATES; i++) {
		work_hold(terminal->work);
		use(terminal);
		work_release(terminal->work);
	}
	work_end(terminal->work);
	const unsigned n = terminal->painted;
	for (int i = 0; i < 100; i++)
		rest();
	ok(terminal->painted == n, "and never when there is none");
	ok(!terminal->was_shared, "nobody had the terminal at the same time");
}

static void test_again(struct terminal *terminal)
{
	for (int i = 0; i < 2000; i++) {
		work_begin(terminal->work, "step");
		work_phase(terminal->work, "run", 1, 2);
		work_end(terminal->work);
		use(terminal); /* it is ours */
	}
	ok(!terminal->was_shared, "nor with short work after short work");
	work_begin(terminal->work, "next");
	ok(wait_for_paint(terminal, 1), "what comes after is painted");
	is_text(last(terminal).line, "next", "as what it is");
	is_text(last(terminal).phase, "", "without phases of before");
	ok(last(terminal).ticks < 200, "from its beginning on");
	work_end(terminal->work);
}

/* A line that is too long is cut between two characters. */
static void test_cut(struct terminal *terminal)
{
	char line[200] = "";
	for (int i = 0; i < 40; i++)
		strcat(line, i % 2 ? "\xe4\xb8\xad" : "a");
	for (int shift = 0; shift < 3; shift++) {
		work_begin(terminal->work, line + shift);
		wait_for_paint(terminal, 1);
		const struct work_state state = last(terminal);
		work_end(terminal->work);
		size_t n = strlen(state.line);
		ok(n < WORK_TEXT && n > WORK_TEXT - 10 && strcmp(state.line + n - 2, "..") == 0 &&
				strncmp(state.line, line + shift, n - 2) == 0 &&
				((unsigned char)line[shift + (int)n - 2] & 0xc0) != 0x80,
			"a long line is cut between characters, %d", shift);
	}
}

int main(void)
{
	struct terminal terminal = {0};
	test_text();
	struct cs_error *error = work_new(paint, &terminal, &terminal.work);
	ok(!error, "a watcher");
	cs_error_free(error);
	if (terminal.work) {
		test_work(&terminal);
		test_again(&terminal);
		test_cut(&terminal);
		work_begin(terminal.work, "the end");
	}
	work_free(terminal.work); /* whatever it does */
	work_begin(NULL, "nothing");
	work_phase(NULL, "nothing", 0, 0);
	work_end(NULL);
	work_free(NULL);
	ok(true, "without a watcher nothing is told");
	return done();
}
