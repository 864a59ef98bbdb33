/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a text into lines, and prints the lines in which two texts differ. */
#include "src/output/lines.h"

#include <string.h>

enum { CONTEXT = 3, MOST_LINES = 60 };

struct cs_error *split_lines(const char *text, size_t n, struct line_list *ret)
{
	struct line_list lines = {.text = strndup(text, n)};
	if (!lines.text)
		return cs_error_nomem();
	for (char *at = lines.text; *at;) {
		size_t length = strcspn(at, "\n");
		bool last = at[length] == '\0';
		at[length] = '\0';
		if (!cs_vec_push(&lines.at, at)) {
			line_list_free(&lines);
			return cs_error_nomem();
		}
		at += length + !last;
	}
	*ret = lines;
	return NULL;
}

void line_list_free(struct line_list *lines)
{
	free(lines->text);
	cs_vec_free(&lines->at);
}

void say_printed(struct output *out, const char *line)
{
	while (*line) {
		size_t n = strcspn(line, "\\");
		say(out, "%.*s", (int)n, line);
		line += n;
		if (*line)
			say_fixed(out, line++, 1);
	}
}

char *typed_text(const char *line, bool ascii)
{
	struct text_output text;
	say_printed(text_output_begin(&text, (struct style){.ascii = ascii}), line);
	return text_output_end(&text);
}

static void say_range(struct output *out, const char *mark, const struct line_list *lines,
	size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		if (i - first >= MOST_LINES) {
			say(out, "# and %zu more lines\n", end - i);
			return;
		}
		say(out, "%s", mark);
		say_printed(out, lines->at.at[i]);
		say(out, "\n");
	}
}

void say_diff(struct output *out, const char *want_name, const struct line_list *want,
	const char *got_name, const struct line_list *got)
{
	size_t n = want->at.n, m = got->at.n, begin = 0, end = 0;
	while (begin < n && begin < m && strcmp(want->at.at[begin], got->at.at[begin]) == 0)
		begin++;
	while (end < n - begin && end < m - begin &&
		strcmp(want->at.at[n - end - 1], got->at.at[m - end - 1]) == 0)
		end++;
	size_t before = begin < CONTEXT ? begin : CONTEXT;
	size_t after = end < CONTEXT ? end : CONTEXT;
	size_t first = begin - before;
	say(out, "--- %s\n+++ %s\n", want_name, got_name);
	say(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, n - end + after - first, first + 1,
		m - end + after - first);
	say_range(out, " ", want, first, begin);
	say_range(out, "-", want, begin, n - end);
	say_range(out, "+", got, begin, m - end);
	say_range(out, " ", want, n - end, n - end + after);
}
