/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports and counts test points, and compares output with golden files (expected output). */
#include "src/session/script/checks.h"

#include "src/output/lines.h"
#include "src/session/outputs.h"
#include "src/session/script/bless.h"
#include "src/session/script/junit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_GOLDEN = 64 << 20 };

/* ---- reports ---- */

static void checks_begin(struct session *session, struct sink *to, struct output *out)
{
	struct style style = session_style(session);
	style.format = FORMAT_TEXT;
	style.width = 0;
	fflush(steady_output());
	output_init(out, &style, to);
}

static void checks_finish(struct output *out)
{
	cs_error_free(output_end(out));
	fflush(steady_output());
}

static void checks_say_place(struct output *out, const struct session *session)
{
	if (session->channels.place)
		say(out, "%s:%u: ", session->channels.place->file, session->channels.place->line);
}

static size_t points(const struct tally *tally)
{
	return tally->passed + tally->failed + tally->foretold;
}

static void say_why(struct output *out, const char *mark, const char *why)
{
	while (why && *why) {
		size_t n = strcspn(why, "\n");
		char *line = strndup(why, n);
		say(out, "%s", mark);
		say_printed(out, line ? line : "");
		say(out, "\n");
		free(line);
		why += n + (why[n] == '\n');
	}
}

static void tell_tap(struct session *session, bool holds, const char *kind, const char *what,
	const char *directive, const char *why)
{
	struct output out;
	checks_begin(session, &session->channels.out.sink, &out);
	say(&out, "%s %zu - ", holds ? "ok" : "not ok", points(&session->expected.tally));
	/* the description shows '.' instead of '#', because '#' begins a TAP directive */
	checks_say_place(&out, session);
	say(&out, "%s ", kind);
	for (; *what; what++)
		say(&out, "%c", *what == '#' ? '.' : *what);
	if (directive)
		say(&out, " # TODO %s", directive);
	say(&out, "\n");
	if (!holds)
		say_why(&out, "# ", why);
	checks_finish(&out);
}

/* Prints a failed check. `why` is on the same line if it is one line, else below. */
static void tell_failure(
	struct session *session, const char *kind, const char *what, const char *why)
{
	struct output err;
	bool several = why && strchr(why, '\n');
	checks_begin(session, &session->channels.err.sink, &err);
	checks_say_place(&err, session);
	say(&err, "%s%s failed: %s", session->channels.place ? "" : "error: ", kind, what);
	if (why && !several)
		say(&err, "  (%s)", why);
	say(&err, "\n");
	if (several)
		say_why(&err, "", why);
	checks_finish(&err);
}

/* Reports a check, and counts it if it failed. With a `directive` it failed as xfail expects. */
static void tell_point(struct session *session, bool good, const char *kind, const char *what,
	const char *directive, const char *why)
{
	if (!good) {
		session->expected.tally.failed++;
		tally_status(&session->expected.tally, STATUS_NO);
	}
	if (session->expected.tally.tap)
		tell_tap(session, good && !directive, kind, what, directive, why);
	else if (!good)
		tell_failure(session, kind, what, why);
}

void check_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why)
{
	if (session->expected.foretold) {
		if (!holds && !session->expected.foretold->failed) {
			session->expected.foretold->failed = true;
			session->expected.foretold->why = why ? strdup(why) : NULL;
		}
		return;
	}
	junit_point(session, holds, kind, what, why);
	session->expected.tally.passed += holds;
	tell_point(session, holds, kind, what, NULL, why);
}

bool reports_points(const struct session *session)
{
	const struct expected *expected = &session->expected;
	return expected->tally.tap || expected->junit || expected->annotates;
}

void check_verdict(const struct call *call, bool holds, const char *why)
{
	struct session *session = call->session;
	/* a line that runs only to capture its text or to take its rows makes no test point */
	bool decides =
		!session->expected.capturing && !session->channels.taker && reports_points(session);
	if (session->expected.foretold || decides)
		check_point(session, holds, "verdict", call->line, holds ? NULL : why);
	else if (!holds)
		tally_status(&session->expected.tally, STATUS_NO);
}

void check_status(struct session *session)
{
	struct tally *tally = &session->expected.tally;
	const enum status before = tally->status;
	char what[64];
	int status = before;
	if (status == STATUS_OK && session->quit)
		status = session->quit_status;
	if (tally->interrupted)
		snprintf(what, sizeof(what), "is interrupted");
	else
		snprintf(what, sizeof(what), "ends with exit status %d", status);
	bool succeeds = status == STATUS_OK || status == STATUS_SKIPPED;
	if (reports_points(session) && tally->failed == 0 && (!succeeds || tally->interrupted))
		check_point(session, false, "run", what, NULL);
	tally->status = before; /* restores the status, which check_point() may have changed */
}

void check_foretold(struct session *session, const struct foretold *foretold, const char *what,
	const char *reason)
{
	static const char why[] = "it passes; remove the xfail";
	junit_point(session, foretold->failed, "xfail", what, why);
	session->expected.tally.foretold += foretold->failed;
	if (foretold->failed)
		tell_point(session, true, "xfail", what, reason, foretold->why);
	else
		tell_point(session, false, "xfail", what, NULL, why);
}

void check_skip(struct session *session, const char *why)
{
	struct output out;
	session->expected.skipping = true;
	session->expected.tally.skipped++;
	junit_skip(session, why);
	tally_status(&session->expected.tally, STATUS_SKIPPED);
	snprintf(session->expected.tally.skipped_for, sizeof(session->expected.tally.skipped_for),
		"%s", why);
	if (session->expected.tally.tap)
		return;
	checks_begin(session, &session->channels.err.sink, &out);
	checks_say_place(&out, session);
	say(&out, "skipped: %s\n", why);
	checks_finish(&out);
}

/* Prints TAP's plan line ("1..N"), and a line "ok N - script # SKIP" for each skipped script. */
static void say_plan(struct output *out, const struct tally *tally)
{
	for (size_t i = 0; i < tally->skipped; i++)
		say(out, "ok %zu - script # SKIP %s\n", points(tally) + i + 1, tally->skipped_for);
	say(out, "1..%zu\n", points(tally) + tally->skipped);
}

void say_tally(struct session *session)
{
	const struct tally *tally = &session->expected.tally;
	const bool is_apart = !tally->tap && session_style(session).format != FORMAT_TEXT;
	struct output out;
	/* a program that reads JSON or CSV expects only rows, so the summary is not among them */
	checks_begin(session, is_apart ? &session->channels.err.sink : &session->channels.out.sink,
		&out);
	if (tally->tap && tally->status == STATUS_BROKEN)
		say(&out, "Bail out! No memory, no room, or a fault of cellscope\n");
	else if (tally->tap && points(tally) == 0 && tally->skipped > 0)
		say(&out, "1..0 # SKIP %s\n", tally->skipped_for);
	else if (tally->tap)
		say_plan(&out, tally);
	else if (points(tally) + tally->skipped > 0 && !session->mode.quiet)
		say(&out, "%zu passed, %zu failed, %zu skipped\n", tally->passed + tally->foretold,
			tally->failed, tally->skipped);
	checks_finish(&out);
}

/* ---- golden files ---- */

static struct cs_error *read_text(const char *path, char **ret, size_t *n_ret)
{
	struct memory_sink text;
	struct stat st;
	char piece[8192];
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENOENT)
		return cs_error_at(CS_E_NOFILE, path, CS_NO_OFFSET,
			"the golden file does not exist: --bless writes it");
	if (fd < 0)
		return cs_error_errno(errno, path, "open");
	memory_sink_init(&text);
	bool is_regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	while (is_regular && text.text.n <= LONGEST_GOLDEN &&
		((n = read(fd, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR)))
		sink_write(&text.sink, piece, n > 0 ? (size_t)n : 0);
	struct cs_error *error = NULL;
	if (!is_regular)
		error = cs_error_at(
			CS_E_NOTFILE, path, CS_NO_OFFSET, "the path is not a regular file");
	else if (n < 0)
		error = cs_error_errno(errno, path, "read");
	else if (text.text.n > LONGEST_GOLDEN)
		error = cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
			"the golden file has more bytes than the limit of %d", LONGEST_GOLDEN);
	close(fd);
	if (!error)
		return memory_sink_take(&text, ret, n_ret);
	memory_sink_deinit(&text);
	return error;
}

static struct cs_error *tell_difference(struct session *session, const char *path, const char *want,
	size_t want_n, const char *got, size_t got_n)
{
	struct line_list left = {0}, right = {0};
	struct text_output text;
	char *difference = NULL;
	struct cs_error *error = split_lines(want, want_n, &left);
	if (!error)
		error = split_lines(got, got_n, &right);
	if (!error) {
		say_diff(text_output_begin(&text, style_of_scripts), path, &left, "output", &right);
		difference = text_output_end(&text);
		error = difference ? NULL : cs_error_nomem();
	}
	line_list_free(&left);
	line_list_free(&right);
	if (!error)
		check_point(session, false, "golden", path, difference);
	free(difference);
	return error;
}

static struct cs_error *bless_golden(
	struct session *session, const char *path, const char *output, size_t n)
{
	static const char *const kinds[] = {"text", "svg", "html", "junit", NULL};
	struct cs_error *error = check_replaced(session, path, kinds);
	char *copy = error ? NULL : malloc(n ? n : 1);
	if (error)
		return error;
	if (!copy)
		return cs_error_nomem();
	memcpy(copy, output, n);
	error = bless_later(session, path, copy, n);
	if (!error)
		check_point(session, true, "golden", path, NULL);
	return error;
}

struct cs_error *check_golden(
	struct session *session, const char *path, const char *output, size_t n)
{
	char *want = NULL;
	size_t want_n = 0;
	struct cs_error *error = read_text(path, &want, &want_n);
	bool same = !error && n == want_n && memcmp(output, want, n) == 0;
	if (same) {
		check_point(session, true, "golden", path, NULL);
	} else if (session->mode.bless && (!error || error->code == CS_E_NOFILE)) {
		cs_error_free(error);
		error = bless_golden(session, path, output, n);
	} else if (!error) {
		error = tell_difference(session, path, want, want_n, output, n);
	}
	free(want);
	return error;
}
