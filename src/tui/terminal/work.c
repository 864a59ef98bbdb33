/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the watcher thread for long work, with its timer and the reported progress. Invariant: while
 * `is_busy`, the terminal is used only under the lock, otherwise only by the session's thread. The
 * watcher blocks signals from outside, so that their handlers run on the session's thread; a crash
 * of the watcher itself restores the terminal as a crash of any other thread does.
 */
#include "src/tui/terminal/work.h"

#include "src/session/progress.h"

#include "core/utf8.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Times between reports: 0.3 s before the first, then 0.2 s. */
static const struct itimerspec rhythm = {
	.it_value = {.tv_nsec = 300000000}, .it_interval = {.tv_nsec = 200000000}};
static const struct itimerspec at_once = {.it_value = {.tv_nsec = 1}};
static const struct itimerspec never;

struct work {
	pthread_mutex_t lock;
	pthread_t thread;
	int timer;
	work_painter *paint;
	void *context;
	bool is_busy, ends;
	struct work_state state;
};

/* ---- the watcher thread ---- */

static void *watch(void *context)
{
	struct work *work = context;
	for (bool ends = false; !ends;) {
		struct pollfd wait = {work->timer, POLLIN, 0};
		uint64_t times;
		if (poll(&wait, 1, -1) < 0 && errno != EINTR)
			break;
		pthread_mutex_lock(&work->lock);
		/* not busy: the work ended at the moment when the timer expired */
		if (read(work->timer, &times, sizeof(times)) == (ssize_t)sizeof(times) &&
			work->is_busy) {
			work->state.ticks++;
			work->paint(work->context, &work->state);
		}
		ends = work->ends;
		pthread_mutex_unlock(&work->lock);
	}
	return NULL;
}

/* Starts the watcher thread with all signals blocked except those of its own faults. */
static int work_start(struct work *work)
{
	enum { STACK = 256 << 10 };
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t others, before;
	pthread_attr_t attributes;
	int status = pthread_attr_init(&attributes);
	if (status != 0)
		return status;
	pthread_attr_setstacksize(&attributes, STACK);
	sigfillset(&others);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&others, faults[i]);
	pthread_sigmask(SIG_BLOCK, &others, &before);
	status = pthread_create(&work->thread, &attributes, watch, work);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return status;
}

struct cs_error *work_new(work_painter *paint, void *context, struct work **ret)
{
	struct work *work = calloc(1, sizeof(*work));
	if (!work)
		return cs_error_nomem();
	work->paint = paint;
	work->context = context;
	pthread_mutex_init(&work->lock, NULL);
	work->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	int status = work->timer < 0 ? errno : work_start(work);
	if (status == 0) {
		*ret = work;
		return NULL;
	}
	if (work->timer >= 0)
		close(work->timer);
	pthread_mutex_destroy(&work->lock);
	free(work);
	return cs_error_errno(status, NULL, "start the thread that shows the progress of commands");
}

void work_free(struct work *work)
{
	if (!work)
		return;
	pthread_mutex_lock(&work->lock);
	work->ends = true;
	work->is_busy = false;
	pthread_mutex_unlock(&work->lock);
	timerfd_settime(work->timer, 0, &at_once, NULL);
	pthread_join(work->thread, NULL);
	close(work->timer);
	pthread_mutex_destroy(&work->lock);
	free(work);
}

/* ---- reports from the session's thread ---- */

void work_hold(struct work *work)
{
	if (work)
		pthread_mutex_lock(&work->lock);
}

void work_release(struct work *work)
{
	if (work)
		pthread_mutex_unlock(&work->lock);
}

/* Stores the text; if it is too long, cuts it between two characters and appends "..". */
static void keep(char at[WORK_TEXT], const char *text)
{
	size_t n = strlen(text), room = WORK_TEXT - sizeof("..");
	bool is_cut = n > room;
	n = is_cut ? room : n;
	while (is_cut && n > 0 && cs_utf8_inside(text[n]))
		n--;
	snprintf(at, WORK_TEXT, "%.*s%s", (int)n, text, is_cut ? ".." : "");
}

void work_begin(struct work *work, const char *line)
{
	if (!work)
		return;
	work_hold(work);
	work->state = (struct work_state){.begun = progress_clock()};
	keep(work->state.line, line);
	work->is_busy = true;
	timerfd_settime(work->timer, 0, &rhythm, NULL);
	work_release(work);
}

void work_end(struct work *work)
{
	if (!work)
		return;
	work_hold(work);
	work->is_busy = false;
	timerfd_settime(work->timer, 0, &never, NULL);
	work_release(work);
}

void work_line(struct work *work, const char *line)
{
	if (!work)
		return;
	work_hold(work);
	keep(work->state.line, line);
	work->state.phase[0] = '\0';
	work_release(work);
}

void work_phase(struct work *work, const char *phase, uint64_t done, uint64_t total)
{
	char text[WORK_TEXT];
	if (!work)
		return;
	keep(text, phase);
	work_hold(work);
	if (strcmp(work->state.phase, text) != 0) {
		memcpy(work->state.phase, text, sizeof(text));
		work->state.phase_begun = progress_clock();
	}
	work->state.done = done;
	work->state.total = total;
	work_release(work);
}

/* ---- the text about the progress ---- */

static double seconds_left(const struct work_state *state, double now)
{
	double spent = now - state->phase_begun;
	if (!state->phase[0] || state->total <= state->done || state->done == 0 || spent < 1)
		return 0;
	return spent * (double)(state->total - state->done) / (double)state->done;
}

void work_say(const struct work_state *state, double now, bool stops, char *text, size_t size)
{
	/* characters of the progress animation, shown one after the other */
	static const char wheel[] = ".oOo";
	const char *what = state->phase[0] ? state->phase : state->line;
	const char *stop = stops ? "stopping" : "^C stops it";
	char share[8] = "", left[32] = "", counts[64] = "";
	double rest = seconds_left(state, now);
	if (state->phase[0] && state->total > 0)
		snprintf(share, sizeof(share), " %.0f%%",
			floor(fmin((double)state->done / (double)state->total, 1) * 100));
	if (rest >= 1)
		snprintf(left, sizeof(left), ", %.0f s left", rest);
	if (state->phase[0] && state->total > 0)
		snprintf(counts, sizeof(counts), "  %llu of %llu", (unsigned long long)state->done,
			(unsigned long long)state->total);
	else if (state->phase[0] && state->done > 0)
		snprintf(counts, sizeof(counts), "  %llu", (unsigned long long)state->done);
	snprintf(text, size, "%c %s%s  %.0f s%s  %s%s", wheel[state->ticks % 4], what, share,
		now - state->begun, left, stop, counts);
}
