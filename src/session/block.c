/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: the blocks below a command: whether output is what they expect, and what a block becomes
 * when it is blessed.
 */
#include "src/session/block.h"

#include <fnmatch.h>
#include <regex.h>
#include <string.h>

/* ---- one line ---- */

struct cs_error *expectation_check(const struct expectation *expectation)
{
	regex_t expression;
	char why[128];
	if (expectation->kind != EXPECT_RE)
		return NULL;
	int status = regcomp(&expression, expectation->text, REG_EXTENDED | REG_NOSUB);
	if (status == 0) {
		regfree(&expression);
		return NULL;
	}
	regerror(status, &expression, why, sizeof(why));
	return cs_error_new(CS_E_USAGE, "the expression '%s': %s", expectation->text, why);
}

static bool matches_re(const char *pattern, const char *line)
{
	regex_t expression;
	if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	bool matches = regexec(&expression, line, 0, NULL, 0) == 0;
	regfree(&expression);
	return matches;
}

static bool matches(const struct expectation *expectation, const char *line)
{
	switch (expectation->kind) {
	case EXPECT_LINE:
		return strcmp(expectation->text, line) == 0;
	case EXPECT_RE:
		return matches_re(expectation->text, line);
	case EXPECT_GLOB:
		return fnmatch(expectation->text, line, 0) == 0;
	case EXPECT_ANY:
		return true;
	}
	return false;
}

/* ---- all lines ---- */

/* As a glob is matched: a line of dots takes as little as it can, and more when the rest asks. */
bool block_matches(const struct script_item *item, const struct line_list *lines)
{
	size_t line = 0, want = 0, dots = SIZE_MAX, dots_line = 0;
	while (line < lines->at.n) {
		if (want < item->block.n && item->block.at[want].kind == EXPECT_ANY) {
			dots = want++;
			dots_line = line;
		} else if (want < item->block.n &&
			   matches(&item->block.at[want], lines->at.at[line])) {
			want++;
			line++;
		} else if (dots != SIZE_MAX) {
			want = dots + 1;
			line = ++dots_line;
		} else {
			return false;
		}
	}
	while (want < item->block.n && item->block.at[want].kind == EXPECT_ANY)
		want++;
	return want == item->block.n;
}

/* ---- as text ---- */

static void put(struct sink *to, const char *text)
{
	sink_write(to, text, strlen(text));
}

void put_block(struct sink *to, const struct script_item *item)
{
	static const char *const marks[] = {"", "~ ", "* ", "..."};
	for (size_t i = 0; i < item->block.n; i++) {
		put(to, marks[item->block.at[i].kind]);
		put(to, item->block.at[i].text);
		put(to, "\n");
	}
}

/* A pattern of the block that the line matches is kept, else the line is written out. */
static void bless_line(struct sink *to, const struct script_item *item, const char *line)
{
	for (size_t i = 0; i < item->block.n; i++) {
		const struct expectation *old = &item->block.at[i];
		if ((old->kind == EXPECT_RE || old->kind == EXPECT_GLOB) && matches(old, line)) {
			put(to, old->kind == EXPECT_RE ? "|~ " : "|* ");
			put(to, old->text);
			put(to, "\n");
			return;
		}
	}
	put(to, *line ? "| " : "|");
	put(to, line);
	put(to, "\n");
}

/* Dots keep their place: as many lines as stood before and behind them stay there. */
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
	for (size_t i = 0; i < before; i++)
		bless_line(to, item, lines->at.at[i]);
	if (has_dots)
		put(to, "|...\n");
	for (size_t i = n - behind; i < n; i++)
		bless_line(to, item, lines->at.at[i]);
}
