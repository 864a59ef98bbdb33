/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callbacks of long operations for logs, progress and interruption; draws the progress line. */
#include "src/session/progress.h"

#include "src/session/environment.h"
#include "src/session/session.h"
#include "src/session/signals.h"

#include <unistd.h>

static const double first_after = 0.5, at_least_every = 0.1;

bool progress_is_wanted(const struct session *session)
{
	long when = session->settings.at[SETTING_PROGRESS];
	if (session_is_on(session, SETTING_PLAIN))
		return false;
	return when == AUTO_AUTO ? isatty(STDERR_FILENO) && terminal_can_draw()
				 : when == AUTO_ALWAYS;
}

static void log_line(void *context, enum cs_log_level level, const char *message)
{
	struct session *session = context;
	struct style style = session_style(session);
	static const char *const heads[] = {[CS_LOG_DEBUG] = "",
		[CS_LOG_INFO] = "",
		[CS_LOG_WARNING] = "warning: ",
		[CS_LOG_ERROR] = "error: "};
	if (level < (session->channels.tells_log ? CS_LOG_INFO : CS_LOG_WARNING))
		return;
	if (session->display.has_terminal) {
		session->display.watcher->note(session->display.screen, message);
		return;
	}
	progress_end(session);
	style.format = FORMAT_TEXT;
	say_to(&session->channels.err.sink, &style, "%s%s\n", heads[level], message);
}

/* Prints the progress line: "cook 34% (340000 of 1000000, 3 s left)". */
static void say_progress(struct output *err, const struct progress_state *state, const char *phase,
	uint64_t done, uint64_t total, double now)
{
	double spent = now - state->phase_start;
	say(err, "\r%s", phase);
	if (total > 0)
		say(err, " %3u%% (%llu of %llu", (unsigned)(done * 100.0 / total),
			(unsigned long long)done, (unsigned long long)total);
	else
		say(err, " (%llu", (unsigned long long)done);
	if (total > done && done > 0 && spent > 1)
		say(err, ", %.0f s left", spent * (double)(total - done) / (double)done);
	say(err, ")   ");
}

static void progress_show(void *context, const char *phase, uint64_t done, uint64_t total)
{
	struct session *session = context;
	struct progress_state *state = &session->bounds.progress;
	double now = progress_clock();
	if (phase != state->phase) {
		state->phase = phase;
		state->phase_start = now;
	}
	if (session->display.has_terminal) {
		session->display.watcher->progress(session->display.screen, phase, done, total);
		return;
	}
	if (now - state->start < first_after || now - state->last < at_least_every ||
		!progress_is_wanted(session))
		return;
	struct style style = {.ascii = true};
	struct output err;
	output_init(&err, &style, &session->channels.err.sink);
	say_progress(&err, state, phase, done, total, now);
	cs_error_free(output_end(&err));
	state->last = now;
	state->shown = true;
}

static bool interrupted(void *context)
{
	struct session *session = context;
	if (signals_time_is_up() ||
		(session->bounds.deadline > 0 && progress_clock() > session->bounds.deadline)) {
		session->bounds.timed_out = true;
		return true;
	}
	return signals_interrupted();
}

struct cs_job progress_job(struct session *session)
{
	return (struct cs_job){.limits = &session->bounds.limits,
		.log = log_line,
		.progress = progress_show,
		.interrupted = interrupted,
		.context = session};
}

void progress_begin(struct session *session)
{
	session->bounds.progress = (struct progress_state){.start = progress_clock()};
}

void progress_end(struct session *session)
{
	const struct style style = {.ascii = true};
	if (!session->bounds.progress.shown)
		return;
	say_to(&session->channels.err.sink, &style, "\r%60s\r", "");
	session->bounds.progress.shown = false;
}
