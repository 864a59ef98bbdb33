/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JUnit files and annotations. The syntax of JUnit files is that of XML 1.0, whose text has
 * no control characters; that of annotations is GitHub's, "::error file=F,line=N::TEXT", whose text
 * has %, CR and LF as %XX.
 */
#include "src/session/script/junit.h"

#include "src/output/output.h"

#include <cellscope/core.h>
#include <cellscope/query.h>

#include <string.h>

static char *copy_of(const char *text)
{
	return strdup(text ? text : "");
}

static bool junit_keep(struct session *session, bool holds, const char *name, const char *why)
{
	const struct script_place *place = session->channels.place;
	struct test_point point = {copy_of(place ? place->file : ""), copy_of(name),
		holds ? NULL : copy_of(why), place ? place->line : 0};
	if (point.file && point.name && (holds || point.why) &&
		cs_vec_push(&session->expected.points, point))
		return true;
	free(point.file);
	free(point.name);
	free(point.why);
	return false;
}

/* Prints text with the characters in `coded` as %XX. In a property (file=) they include , and :. */
static void say_coded(struct output *out, const char *text, const char *coded)
{
	for (; *text; text++) {
		if (strchr(coded, *text))
			say(out, "%%%02X", (unsigned)(unsigned char)*text);
		else
			say(out, "%c", *text);
	}
}

static void annotate(struct session *session, const char *name, const char *why)
{
	const struct style style = {.format = FORMAT_TEXT};
	struct output out;
	bool guarded = session->channels.err.guarded;
	session->channels.err.guarded = false;
	output_init(&out, &style, &session->channels.err.sink);
	say(&out, "::error ");
	if (session->channels.place) {
		say(&out, "file=");
		say_coded(&out, session->channels.place->file, "%\r\n,:");
		say(&out, ",line=%u", session->channels.place->line);
	}
	say(&out, "::");
	say_coded(&out, name, "%\r\n");
	if (why && *why) {
		say(&out, ": ");
		say_coded(&out, why, "%\r\n");
	}
	say(&out, "\n");
	cs_error_free(output_end(&out));
	session->channels.err.guarded = guarded;
}

void junit_skip(struct session *session, const char *why)
{
	if (session->expected.junit && junit_keep(session, false, "script", why))
		session->expected.points.at[session->expected.points.n - 1].skipped = true;
}

void junit_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why)
{
	char name[512];
	if (!session->expected.junit && !session->expected.annotates)
		return;
	snprintf(name, sizeof(name), "%s %s", kind, what);
	if (session->expected.annotates && !holds)
		annotate(session, name, why);
	if (session->expected.junit && !junit_keep(session, holds, name, why))
		tally_status(&session->expected.tally, STATUS_BROKEN);
}

/* ---- the JUnit file ---- */

/* Writes text in which control characters, and then XML characters, are escaped. */
static void put_escaped_line(struct memory_sink *to, const char *text, size_t length)
{
	size_t n = cs_escape(text, length, true, NULL, 0);
	char *safe = malloc(n + 1);
	to->failed |= !safe;
	if (!safe)
		return;
	cs_escape(text, length, true, safe, n + 1);
	cs_text_put(safe, n, CS_FORM_XML, sink_put, &to->sink);
	free(safe);
}

/* Writes the value of an attribute, with line breaks coded so that readers of XML keep them. */
static void put_escaped(struct memory_sink *to, const char *text)
{
	size_t n = strcspn(text, "\n");
	put_escaped_line(to, text, n);
	while (text[n]) {
		sink_text(&to->sink, "&#10;");
		text += n + 1;
		n = strcspn(text, "\n");
		put_escaped_line(to, text, n);
	}
}

static void put_point(struct memory_sink *to, const struct test_point *point)
{
	char line[64];
	sink_text(&to->sink, "    <testcase classname=\"");
	put_escaped(to, point->file);
	sink_text(&to->sink, "\" name=\"");
	put_escaped(to, point->name);
	snprintf(line, sizeof(line), "\" line=\"%u\"%s", point->line, point->why ? ">\n" : "/>\n");
	sink_text(&to->sink, line);
	if (!point->why)
		return;
	sink_text(&to->sink,
		point->skipped ? "      <skipped message=\"" : "      <failure message=\"");
	put_escaped(to, point->why);
	sink_text(&to->sink, "\"/>\n    </testcase>\n");
}

struct cs_error *junit_write(const struct session *session)
{
	char head[192];
	size_t failures = 0;
	struct memory_sink text;
	if (!session->expected.junit)
		return NULL;
	memory_sink_init(&text);
	for (size_t i = 0; i < session->expected.points.n; i++)
		failures += session->expected.points.at[i].why != NULL &&
			    !session->expected.points.at[i].skipped;
	snprintf(head, sizeof(head),
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
		"name=\"cellscope\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
		session->expected.points.n, failures, session->expected.tally.skipped);
	sink_text(&text.sink, head);
	for (size_t i = 0; i < session->expected.points.n; i++)
		put_point(&text, &session->expected.points.at[i]);
	sink_text(&text.sink, "  </testsuite>\n</testsuites>\n");
	struct cs_error *error =
		text.failed ? cs_error_nomem()
			    : cs_save_whole(session->expected.junit, text.text.at, text.text.n);
	memory_sink_deinit(&text);
	return error;
}

void junit_free(struct session *session)
{
	for (size_t i = 0; i < session->expected.points.n; i++) {
		free(session->expected.points.at[i].file);
		free(session->expected.points.at[i].name);
		free(session->expected.points.at[i].why);
	}
	cs_vec_free(&session->expected.points);
}
