/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares a command's output with the expected block below it; for --bless writes new blocks. */
#include "src/session/script/expected_block.h"

#include "src/output/pattern.h"

#include <fnmatch.h>
#include <string.h>

/* ---- matching lines and blocks ---- */

struct cs_error *expectation_check(const struct expectation *expectation)
{
	struct pattern expression;
	if (expectation->kind != EXPECT_RE)
		return NULL;
	struct cs_error *error = pattern_compile(expectation->text, &expression);
	if (!error)
		pattern_free(&expression);
	return error;
}

static struct cs_error *match_re(const char *pattern, const char *line, bool *ret)
{
	struct pattern expression;
	struct cs_error *error = pattern_compile(pattern, &expression);
	if (error)
		return error;
	error = pattern_match(&expression, line, ret);
	pattern_free(&expression);
	return error;
}

static struct cs_error *expected_block_match(
	const struct expectation *expectation, const char *line, bool *ret)
{
	switch (expectation->kind) {
	case EXPECT_RE:
		return match_re(expectation->text, line, ret);
	case EXPECT_GLOB:
		*ret = fnmatch(expectation->text, line, 0) == 0;
		break;
	case EXPECT_LINE:
		*ret = strcmp(expectation->text, line) == 0;
		break;
	case EXPECT_ANY:
		*ret = true;
		break;
	}
	return NULL;
}

/*
 * Matches printed lines with an expected block, like a glob: a line of dots ("|...") first matches
 * as few lines as possible, and more lines when the rest of the block does not match.
 */
struct cs_error *block_match(
	const struct script_item *item, const struct line_list *lines, bool *ret)
{
	size_t line = 0, want = 0, dots = SIZE_MAX, dots_line = 0;
	*ret = false;
	while (line < lines->at.n) {
		bool is_dots = want < item->block.n && item->block.at[want].kind == EXPECT_ANY;
		bool matches = false;
		if (want < item->block.n && !is_dots) {
			struct cs_error *error = expected_block_match(
				&item->block.at[want], lines->at.at[line], &matches);
			if (error)
				return error;
		}
		if (is_dots) {
			dots = want++;
			dots_line = line;
		} else if (matches) {
			want++;
			line++;
		} else if (dots != SIZE_MAX) {
			want = dots + 1;
			line = ++dots_line;
		} else {
			return NULL;
		}
	}
	while (want < item->block.n && item->block.at[want].kind == EXPECT_ANY)
		want++;
	*ret = want == item->block.n;
	return NULL;
}

/* ---- writing blocks ---- */

static void put_expectation(struct sink *to, const char *mark, const char *text)
{
	sink_text(to, mark);
	sink_text(to, text);
	sink_text(to, "\n");
}

void put_block(struct sink *to, const struct script_item *item)
{
	static const char *const marks[] = {"| ", "|~ ", "|* ", "|..."};
	for (size_t i = 0; i < item->block.n; i++) {
		const struct expectation *at = &item->block.at[i];
		put_expectation(to, at->kind == EXPECT_LINE && !*at->text ? "|" : marks[at->kind],
			at->text);
	}
}

/* Writes the first pattern of the block that matches the line, or if none does, the line itself. */
static void bless_line(struct sink *to, const struct script_item *item, const char *line)
{
	for (size_t i = 0; i < item->block.n; i++) {
		const struct expectation *old = &item->block.at[i];
		bool matches = false;
		if (old->kind == EXPECT_RE || old->kind == EXPECT_GLOB)
			cs_error_free(expected_block_match(
				/* an invalid pattern matches nothing */
				old, line, &matches));
		if (matches) {
			put_expectation(to, old->kind == EXPECT_RE ? "|~ " : "|* ", old->text);
			return;
		}
	}
	put_expectation(to, *line ? "| " : "|", line);
}

static void bless_lines(struct sink *to, const struct script_item *item,
	const struct line_list *lines, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		bless_line(to, item, lines->at.at[i]);
}

/* Range of expected lines without "..." between them, which must match consecutive output lines. */
struct stretch {
	size_t from, end;
};

static bool stretch_matches(const struct script_item *item, struct stretch stretch,
	const struct line_list *lines, size_t line)
{
	bool matches = true;
	for (size_t i = stretch.from; i < stretch.end && matches; i++) {
		struct cs_error *error = expected_block_match(
			&item->block.at[i], lines->at.at[line + i - stretch.from], &matches);
		matches = matches && !error;
		cs_error_free(error);
	}
	return matches;
}

/* Returns the lines from `from` up to the next line "...". The range is empty if there are none. */
static struct stretch next_stretch(const struct script_item *item, size_t from, size_t end)
{
	while (from < end && item->block.at[from].kind == EXPECT_ANY)
		from++;
	struct stretch ret = {from, from};
	while (ret.end < end && item->block.at[ret.end].kind != EXPECT_ANY)
		ret.end++;
	return ret;
}

/*
 * Writes the new text of a block from its first to its last "..." for the output lines from `line`
 * to `end`. A run of expected lines (between two "...") that some output still matches is written
 * after "...". If runs before it match no output, all output lines in between are written in place
 * of "...", because any of them may replace the lost runs. The new block thus never checks less
 * than the old one.
 */
static void bless_middle(struct sink *to, const struct script_item *item,
	const struct line_list *lines, struct stretch middle, size_t line, size_t end)
{
	bool lost = false;
	for (struct stretch stretch = next_stretch(item, middle.from, middle.end);
		stretch.from < stretch.end; stretch = next_stretch(item, stretch.end, middle.end)) {
		size_t n = stretch.end - stretch.from, at = line;
		while (at + n <= end && !stretch_matches(item, stretch, lines, at))
			at++;
		if (at + n > end) {
			lost = true;
			continue;
		}
		if (lost)
			bless_lines(to, item, lines, line, at);
		else
			sink_text(to, "|...\n");
		bless_lines(to, item, lines, at, at + n);
		line = at + n;
		lost = false;
	}
	if (lost)
		bless_lines(to, item, lines, line, end);
	else
		sink_text(to, "|...\n");
}

/*
 * Writes the new expected output of a command. If the old block has lines "...", each of which
 * matches any number of lines, the new block keeps them where possible: it has as many lines before
 * the first "..." and after the last "..." as the old block.
 */
void put_blessed(struct sink *to, const struct script_item *item, const struct line_list *lines)
{
	size_t first = 0, last = item->block.n, n = lines->at.n;
	while (first < item->block.n && item->block.at[first].kind != EXPECT_ANY)
		first++;
	while (last > first && item->block.at[last - 1].kind != EXPECT_ANY)
		last--;
	bool has_dots = first < item->block.n;
	size_t before = has_dots && first < n ? first : n;
	size_t behind = has_dots ? item->block.n - last : 0;
	behind = behind < n - before ? behind : n - before;
	bless_lines(to, item, lines, 0, before);
	if (has_dots)
		bless_middle(to, item, lines, (struct stretch){first, last}, before, n - behind);
	bless_lines(to, item, lines, n - behind, n);
}
