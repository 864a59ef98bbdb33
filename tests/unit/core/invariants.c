/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Invariants: where a build checks them a broken one says so and aborts; elsewhere it costs
 * nothing and is not even looked at. What is broken here is broken by hand, in a child.
 */
#include "core/arena.h"
#include "core/cursor.h"
#include "core/invariant.h"
#include "farm/plan.h"
#include "tests/unit/stream/stream_test.h"
#include <cellscope/cooked_values.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static bool was_asked;

static bool is_asked(bool answer)
{
	was_asked = true;
	return answer;
}

/* The text that the child wrote to standard error, and the signal that ended it. */
struct ending {
	char said[512];
	int signal;
};

static struct ending ending_of(void (*break_it)(void))
{
	struct ending ending = {.signal = 0};
	int pipes[2], status = 0;
	size_t n = 0;
	ssize_t got;
	if (pipe(pipes) != 0)
		return ending;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		dup2(pipes[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL); /* a sanitizer may have taken it */
		break_it();
		_exit(0);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], ending.said + n, sizeof(ending.said) - 1 - n)) > 0)
		n += (size_t)got;
	close(pipes[0]);
	waitpid(child, &status, 0);
	ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return ending;
}

/* ---- the check itself ---- */

static void break_nothing(void)
{
	CS_INVARIANT(is_asked(true), "this holds");
	CS_INVARIANT_SOMETIMES(UINT64_C(17), is_asked(false), "nobody looks in frame 17");
}

static void break_one(void)
{
	CS_INVARIANT(is_asked(false), "the sentence");
}

static void break_sometimes(void)
{
	CS_INVARIANT_SOMETIMES(UINT64_C(32), is_asked(false), "one of sixteen");
}

static void end_here(void)
{
	cs_invariant_broken("file.c", 12, "the sentence");
}

/* ---- what the library promises ---- */

static void overrun_arena(void)
{
	struct cs_arena arena = CS_ARENA_INIT;
	cs_arena_alloc(&arena, 1, 1);
	arena.used = arena.size + 16;
	cs_arena_alloc(&arena, 1, 1);
}

static void overrun_cursor(void)
{
	struct cs_cursor cursor = {.bytes = (const unsigned char *)"ab", .size = 2, .position = 3};
	cursor.bad = !CS_INVARIANTS_ON; /* without the check nothing may be read there */
	cs_cursor_take(&cursor, 1);
}

static void need_a_later_step(void)
{
	struct cs_farm_plan *plan;
	uint32_t step;
	if (farm_plan_new(".", &plan) || farm_add_step(plan, FARM_COOK, "first", &step) ||
		farm_add_step(plan, FARM_COOK, "second", &step) || !cs_vec_push(&plan->needs, 1))
		_exit(1);
	plan->steps.at[0].n_needs = 1;
	plan->steps.at[0].first_need = 0;
	farm_make_keys(plan);
	cs_farm_plan_free(plan);
}

/* Breaks an invariant: a level loses its place in the list of moving levels. */
static void lose_a_mover(void)
{
	struct bench b;
	worlds_init(&b.w, "5.4");
	boxed_cell(&b.w, worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE), 0,
		(struct cs_box){{0, 0, 0}, {100, 100, 100}});
	start(&b, NULL);
	set_load_frames(b.s, 100);
	add_source(b.s, "P", 0, 0);
	step(&b, 1);
	b.s->levels.moving.n = 0;
	for (uint64_t i = 0; i < CS_INVARIANT_EVERY; i++)
		step(&b, 1);
	finish(&b);
}

static void promises(void (*break_it)(void), const char *file, const char *sentence)
{
	struct ending got = ending_of(break_it);
	bool aborted =
		got.signal == SIGABRT && strstr(got.said, file) && strstr(got.said, sentence);
	ok(CS_INVARIANTS_ON ? aborted : got.signal == 0 && !*got.said, "%s: %s", file,
		CS_INVARIANTS_ON ? sentence : "a build without checks goes on");
}

int main(void)
{
	break_nothing();
	is_int(was_asked, CS_INVARIANTS_ON, "an invariant is looked at where the build says so");
	struct ending end = ending_of(end_here);
	is_int(end.signal, SIGABRT, "a broken one aborts");
	ok(strstr(end.said, "file.c:12: invariant broken: the sentence\n"),
		"with file, line and sentence");
	promises(break_one, "tests/unit/core/invariants.c", "the sentence");
	promises(break_sometimes, "tests/unit/core/invariants.c", "one of sixteen");
	promises(overrun_arena, "core/memory/arena.c", "no more of the newest block is used");
	promises(overrun_cursor, "core/bytes/cursor.c", "a cursor is never behind its bytes");
	promises(need_a_later_step, "farm/plan.c", "a step needs earlier steps alone");
	promises(lose_a_mover, "stream/levels/level.c", "exactly the residents");
	return done();
}
