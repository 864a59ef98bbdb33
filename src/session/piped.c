/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command after | in a line, and passes on what it prints. */
#include "src/session/piped.h"

#include "src/output/lines.h"
#include "src/session/session_pager.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct cs_error *piped_open(const struct session *session, const char *command, struct sink *to,
	struct child_sink *child)
{
	const bool on_screen = session->display.has_terminal;
	const bool is_direct = !on_screen && pager_steps_aside(session, to);
	/* the lines above this one are printed before the child prints */
	fflush(steady_output());
	return child_sink_open(child, command, NULL,
		is_direct   ? CHILD_PRINTS
		: on_screen ? CHILD_PRINTS_NOTHING
			    : CHILD_PRINTS_ERRORS);
}

/*
 * Returns whether a line begins like a list of rows in JSON, but is printed as something else,
 * because the command cut or changed it.
 */
static bool is_broken_list(const char *line, size_t n, bool ascii)
{
	static const char begin[] = JSON_LIST_BEGIN;
	if (n < sizeof(begin) || memcmp(line, begin, sizeof(begin) - 1) != 0)
		return false;
	char *text = line[n - 1] == '}' && strlen(line) == n ? typed_text(line, ascii) : NULL;
	json_t *list = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
	const bool is_list =
		json_object_size(list) == 2 && json_is_array(json_object_get(list, "rows"));
	json_decref(list);
	free(text);
	return !is_list;
}

/* Prints a line that ends with a NUL and may contain others. */
static void say_line(struct output *out, const char *line, size_t n)
{
	for (size_t at = 0; at <= n; at += strlen(line + at) + 1) {
		say_fixed(out, "\\x00", at > 0 ? 4 : 0);
		say_printed(out, line + at);
	}
	say(out, "\n");
}

struct cs_error *piped_pass_on(
	const struct session *session, struct child_sink *child, struct sink *to)
{
	struct style style = session_style(session);
	struct cs_error *error = NULL;
	struct output out;
	style.format = FORMAT_TEXT;
	style.compact = false; /* a list that the command passes on remains one */
	output_init(&out, &style, to);
	if (child->held.n > 0 && child->held.at[child->held.n - 1] != '\n' &&
		!cs_vec_push(&child->held, '\n'))
		error = cs_error_nomem();
	for (size_t at = 0; !error && at < child->held.n;) {
		char *line = child->held.at + at;
		const size_t n = (size_t)((char *)memchr(line, '\n', child->held.n - at) - line);
		line[n] = '\0';
		/* a blank makes it a row of text in an answer, which must be valid JSON */
		if (session->channels.compact && is_broken_list(line, n, style.ascii))
			say(&out, " ");
		say_line(&out, line, n);
		at += n + 1;
	}
	cs_vec_free(&child->held);
	return cs_error_first(error, output_end(&out));
}
