/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of a list whose rows cannot be read again, as behind ^C: the list is what it was, its
 * rows, its settings and its cursor, in views of tables and of commands. And the frame at which an
 * interrupted run says that it is.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/screen_export.h"
#include "tests/samples/tap.h"

#include <string.h>

static bool is_interrupted;

static bool interrupted(void *context)
{
	(void)context;
	return is_interrupted;
}

/* Runs a line; returns whether it ended without an error, or with this one if `fails`. */
static bool run(struct session *session, const char *line, bool fails)
{
	struct memory_sink into;
	memory_sink_init(&into);
	is_interrupted = fails;
	struct cs_error *error = run_line(session, line, &into.sink);
	is_interrupted = false;
	const bool good = fails ? error && error->code == CS_E_INTERRUPTED : !error;
	cs_error_free(error);
	memory_sink_deinit(&into);
	return good;
}

static char *print_screen(struct session *session)
{
	struct screen *screen = session->display.screen;
	struct memory_sink text;
	char *ret = NULL;
	size_t n;
	screen->message[0] = '\0';
	screen_draw(screen);
	memory_sink_init(&text);
	grid_export(&screen->grid, EXPORT_TEXT, 0, &text.sink);
	cs_error_free(memory_sink_take(&text, &ret, &n));
	return ret;
}

/* Rows that take thousands of steps of SQL, so that each reading of them notices the interruption.
 */
#define SLOW                                                                       \
	"rows sql WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t " \
	"WHERE i < 20000) SELECT i % 7 AS g, i AS n, -i AS m FROM t WHERE i > 19900"

static const struct {
	const char *view;
	const char *lines[4]; /* what makes the list what it is */
	const char *fails;
} cases[] = {
	{"actors", {"view group class", "view cursor down"}, "view group pick"},
	{"actors", {"view group class", "view cursor down"}, "view group next"},
	{SLOW, {"view group g", "view cursor 5"}, "view group pick"},
	{SLOW, {"view filter n > 19950", "view group g"}, "view group pick"},
	{SLOW, {"view group g", "view cursor 5"}, "view group next"},
	{SLOW, {"view group g", "view cursor 5"}, "view group off"},
	{SLOW, {"view cursor 40", "view cursor right"}, "view group g"},
	{SLOW, {"view cursor 40", "view cursor right"}, "view filter n > 19980"},
	{SLOW, {"view cursor 40", "view cursor right"}, "view sort m"},
	{SLOW, {"view filter n < 19980", "view sort m", "view cursor 40"}, "view filter"},
	{SLOW, {"view filter n < 19980", "view sort m", "view cursor 40"}, "view sort g"},
	{SLOW, {"view filter n < 19980", "view sort m", "view cursor 40"}, "view columns m"},
};

static void try_case(struct session *session, size_t i)
{
	char line[400];
	snprintf(line, sizeof(line), "view %s", cases[i].view);
	bool begins = run(session, line, false);
	for (size_t k = 0; cases[i].lines[k]; k++)
		begins = begins && run(session, cases[i].lines[k], false);
	ok(begins, "%.20s: %s", cases[i].view, cases[i].lines[0]);
	char *before = print_screen(session);
	ok(run(session, cases[i].fails, true), "%s is interrupted", cases[i].fails);
	char *after = print_screen(session);
	is_text(after, before, "and the screen is what it was");
	free(after);
	run(session, "pwd", false);
	after = print_screen(session);
	is_text(after, before, "and when the rows are read again");
	free(before);
	free(after);
	run(session, "view close", false);
}

/* A run that begins at frame 5 and is interrupted says in which frame it is. */
static void test_step(struct session *session)
{
	struct cs_stream *stream = NULL;
	struct memory_sink into;
	char expected[100];
	memory_sink_init(&into);
	ok(run(session, "step 5", false), "five frames");
	works(session_stream(session, &stream), "a run");
	is_interrupted = true;
	struct cs_error *error = run_line(session, "step 100000", &into.sink);
	is_interrupted = false;
	const uint64_t frame = stream ? cs_stream_status(stream).frame : 0;
	snprintf(expected, sizeof(expected),
		"the run was interrupted at frame %" PRIu64 ", after %" PRIu64, frame, frame - 5);
	ok(error && strncmp(error->message, expected, strlen(expected)) == 0, "%s", expected);
	cs_error_free(error);
	memory_sink_deinit(&into);
}

int main(void)
{
	const char *source = getenv("CELLSCOPE_SOURCE");
	struct session *session = NULL;
	char line[2200];
	works(session_new(&session), "a session");
	if (!session)
		return done();
	session->job.interrupted = interrupted;
	snprintf(line, sizeof(line), "open '%s/fixtures/valley.json'", source ? source : ".");
	ok(run(session, line, false) && run(session, "view show", false), "a world, and a screen");
	if (session->display.screen) /* the log would show the line that failed */
		session->display.screen->log_rows = 0;
	for (size_t i = 0; session->display.screen && i < sizeof(cases) / sizeof(cases[0]); i++)
		try_case(session, i);
	test_step(session);
	session_free(session);
	return done();
}
