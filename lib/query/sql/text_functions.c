/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SQL functions over texts that need more than one pass over the text: LIKE, GLOB, instr, replace
 * and trim. SQLite's own versions may take time proportional to the product of two lengths, which
 * is minutes for texts that it allows, and SQLite checks for interruption only between functions.
 * These versions give the same results and check while they run.
 */
#include "core/utf8.h"
#include "query/sql/query_internal.h"

#include <string.h>

struct text {
	const unsigned char *at, *end;
};

/* Returns the text of a value; the member `at` of the result is NULL when memory runs out. */
static struct text text_functions_text_of(sqlite3_value *value)
{
	static const unsigned char empty[] = "";
	if (sqlite3_value_type(value) == SQLITE_BLOB && sqlite3_value_bytes(value) == 0)
		return (struct text){empty, empty};
	/* the text is read before its size, because reading may change its encoding */
	const unsigned char *at = sqlite3_value_text(value);
	return (struct text){at, at ? at + sqlite3_value_bytes(value) : NULL};
}

static size_t text_functions_size_of(struct text text)
{
	return (size_t)(text.end - text.at);
}

static const unsigned char *text_functions_find(struct text in, struct text what)
{
	return memmem(in.at, text_functions_size_of(in), what.at, text_functions_size_of(what));
}

/* Decodes the next character and advances the text, which must not be empty. */
static uint32_t text_functions_next(struct text *text)
{
	uint32_t c = *text->at++;
	if (c < 0xc0)
		return c;
	c &= c < 0xe0 ? 0x1f : c < 0xf0 ? 0xf : 0x7;
	while (text->at < text->end && cs_utf8_inside(*text->at))
		c = c << 6 | (*text->at++ & 0x3f);
	return c;
}

static bool any_null(int argc, sqlite3_value **argv)
{
	for (int i = 0; i < argc; i++)
		if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
			return true;
	return false;
}

/* ---- LIKE and GLOB ---- */

struct wildcards {
	/* wildcard for any text, wildcard for one character, and escape character (0 = none) */
	uint32_t many, one, escape;
	bool has_sets, folds;
};

static const struct wildcards glob_wildcards = {'*', '?', 0, true, false};
static const struct wildcards like_wildcards = {'%', '_', 0, false, true};

static uint32_t folded(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* Returns whether a set such as "[^a-z]", after its "[", contains `c`; false if "]" is missing. */
static bool takes_set(struct text *pattern, uint32_t c)
{
	bool inverted = pattern->at < pattern->end && *pattern->at == '^', found = false;
	uint32_t before = 0;
	pattern->at += inverted;
	for (bool first = true; pattern->at < pattern->end; first = false) {
		uint32_t p = text_functions_next(pattern);
		if (p == ']' && !first)
			return found != inverted;
		if (p == '-' && before && pattern->at < pattern->end && *pattern->at != ']') {
			p = text_functions_next(pattern);
			found = found || (c >= before && c <= p);
			before = 0;
		} else {
			found = found || c == p;
			before = p;
		}
	}
	return false;
}

/* Returns whether the next element of the pattern, no `many` wildcard, matches `c`; skips it. */
static bool takes(const struct wildcards *wildcards, struct text *pattern, uint32_t c)
{
	uint32_t p = text_functions_next(pattern);
	if (p == wildcards->escape && p)
		return pattern->at < pattern->end && text_functions_next(pattern) == c;
	if (p == wildcards->one)
		return true;
	if (p == '[' && wildcards->has_sets)
		return takes_set(pattern, c);
	return wildcards->folds ? folded(p) == folded(c) : p == c;
}

static bool skip_many(const struct wildcards *wildcards, struct text *pattern)
{
	bool found = false;
	while (pattern->at < pattern->end && *pattern->at == wildcards->many &&
		wildcards->many != wildcards->escape) {
		pattern->at++;
		found = true;
	}
	return found;
}

/*
 * Returns whether the whole text matches the pattern. After a mismatch only the last wildcard for
 * any text (wildcards->many) takes one more character: everything before it has been matched as
 * early as possible.
 */
static bool matches(struct cs_query *query, const struct wildcards *wildcards, struct text pattern,
	struct text text, bool *stopped_ret)
{
	enum { STEPS = 1 << 14 };
	struct text again = {NULL, NULL}, from = text;
	for (size_t step = 1;; step++) {
		if (step % STEPS == 0 && cs_sql_stop(query)) {
			*stopped_ret = true;
			return false;
		}
		if (skip_many(wildcards, &pattern)) {
			again = pattern;
			from = text;
		}
		if (text.at == text.end)
			return pattern.at == pattern.end;
		uint32_t c = text_functions_next(&text);
		if (pattern.at < pattern.end && takes(wildcards, &pattern, c))
			continue;
		if (!again.at)
			return false;
		text_functions_next(&from);
		text = from;
		pattern = again;
	}
}

static void text_functions_match(sqlite3_context *context, const struct wildcards *wildcards,
	struct text pattern, struct text text)
{
	enum { LONGEST = 1000 };
	bool stopped = false;
	if (!pattern.at || !text.at) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (text_functions_size_of(pattern) > LONGEST) {
		sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
		return;
	}
	bool found = matches(sqlite3_user_data(context), wildcards, pattern, text, &stopped);
	if (stopped)
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	else
		sqlite3_result_int(context, found);
}

static void glob(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (!any_null(argc, argv))
		text_functions_match(context, &glob_wildcards, text_functions_text_of(argv[0]),
			text_functions_text_of(argv[1]));
}

static void like(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct wildcards wildcards = like_wildcards;
	if (any_null(argc, argv))
		return;
	if (argc == 3) {
		struct text escape = text_functions_text_of(argv[2]);
		wildcards.escape = escape.at < escape.end ? text_functions_next(&escape) : 0;
		if (!wildcards.escape || escape.at < escape.end) {
			sqlite3_result_error(
				context, "ESCAPE expression must be a single character", -1);
			return;
		}
		wildcards.one = wildcards.one == wildcards.escape ? 0 : wildcards.one;
	}
	text_functions_match(context, &wildcards, text_functions_text_of(argv[0]),
		text_functions_text_of(argv[1]));
}

/* ---- instr and replace ---- */

static sqlite3_int64 characters(const unsigned char *at, const unsigned char *end)
{
	sqlite3_int64 n = 0;
	for (; at < end; at++)
		n += !cs_utf8_inside(*at);
	return n;
}

static void instr(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (any_null(argc, argv))
		return;
	bool bytes = sqlite3_value_type(argv[0]) == SQLITE_BLOB &&
		     sqlite3_value_type(argv[1]) == SQLITE_BLOB;
	struct text in = text_functions_text_of(argv[0]), what = text_functions_text_of(argv[1]);
	if (!in.at || !what.at) {
		sqlite3_result_error_nomem(context);
		return;
	}
	const unsigned char *found = text_functions_find(in, what);
	if (!found)
		sqlite3_result_int(context, 0);
	else if (bytes)
		sqlite3_result_int64(context, found - in.at + 1);
	else
		sqlite3_result_int64(context, characters(in.at, found) + 1);
}

static void text_functions_append(unsigned char **to, const unsigned char *from, size_t n)
{
	memcpy(*to, from, n);
	*to += n;
}

/* Counts the occurrences of `what` that do not overlap. */
static size_t text_functions_count(struct text in, struct text what)
{
	size_t n = 0;
	const unsigned char *at;
	while ((at = text_functions_find(in, what))) {
		in.at = at + text_functions_size_of(what);
		n++;
	}
	return n;
}

static void replace(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (any_null(argc, argv))
		return;
	struct text in = text_functions_text_of(argv[0]), old = text_functions_text_of(argv[1]),
		    new = text_functions_text_of(argv[2]);
	if (!in.at || !old.at || !new.at) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (text_functions_size_of(old) == 0) {
		sqlite3_result_value(context, argv[0]);
		return;
	}
	/* no overflow: both lengths and the count are below 2^31 */
	size_t n = text_functions_count(in, old), size = text_functions_size_of(in) +
							 n * text_functions_size_of(new) -
							 n * text_functions_size_of(old);
	sqlite3 *db = sqlite3_context_db_handle(context);
	if (size > (size_t)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1)) {
		sqlite3_result_error_toobig(context);
		return;
	}
	unsigned char *text = sqlite3_malloc64(size + 1), *to = text;
	if (!text) {
		sqlite3_result_error_nomem(context);
		return;
	}
	for (const unsigned char *at; (at = text_functions_find(in, old));
		in.at = at + text_functions_size_of(old)) {
		text_functions_append(&to, in.at, (size_t)(at - in.at));
		text_functions_append(&to, new.at, text_functions_size_of(new));
	}
	text_functions_append(&to, in.at, text_functions_size_of(in));
	*to = '\0';
	sqlite3_result_text64(context, (char *)text, size, sqlite3_free, SQLITE_UTF8);
}

/* ---- trim ---- */

enum { TRIM_LEFT = 1, TRIM_RIGHT = 2, TRIM_SET = 1000 };

/*
 * If the text starts with a character of `set` (with at_end: ends with one), returns the number of
 * bytes of that character, otherwise 0.
 */
static size_t text_functions_trimmed(struct text text, struct text set, bool at_end)
{
	while (set.at < set.end) {
		const unsigned char *from = set.at;
		text_functions_next(&set);
		size_t n = (size_t)(set.at - from);
		if (n <= text_functions_size_of(text) &&
			memcmp(at_end ? text.end - n : text.at, from, n) == 0)
			return n;
	}
	return 0;
}

/* Trims one side of the text; returns false if the statement must stop. */
static bool cut_side(struct cs_query *query, struct text *text, struct text set, bool at_end)
{
	enum { STEPS = 1 << 12 };
	size_t n, steps = 0;
	while ((n = text_functions_trimmed(*text, set, at_end))) {
		text->at += at_end ? 0 : n;
		text->end -= at_end ? n : 0;
		if (++steps % STEPS == 0 && cs_sql_stop(query))
			return false;
	}
	return true;
}

static void trim(sqlite3_context *context, int sides, sqlite3_value **argv, int argc)
{
	static const unsigned char blank[] = " ";
	struct text set = {blank, blank + 1};
	struct cs_query *query = sqlite3_user_data(context);
	if (any_null(argc, argv))
		return;
	struct text text = text_functions_text_of(argv[0]);
	if (argc == 2)
		set = text_functions_text_of(argv[1]);
	if (!text.at || !set.at) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (text_functions_size_of(set) > TRIM_SET) {
		sqlite3_result_error(
			context, "the set of characters to trim has more than 1000 bytes", -1);
		return;
	}
	if ((sides & TRIM_LEFT && !cut_side(query, &text, set, false)) ||
		(sides & TRIM_RIGHT && !cut_side(query, &text, set, true)))
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	else
		sqlite3_result_text64(context, (const char *)text.at, text_functions_size_of(text),
			SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void trim_both(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	trim(context, TRIM_LEFT | TRIM_RIGHT, argv, argc);
}

static void trim_left(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	trim(context, TRIM_LEFT, argv, argc);
}

static void trim_right(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	trim(context, TRIM_RIGHT, argv, argc);
}

int cs_text_functions_register(struct cs_query *query)
{
	static const struct {
		const char *name;
		int n_arguments;
		void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv);
	} functions[] = {{"like", 2, like}, {"like", 3, like}, {"glob", 2, glob},
		{"instr", 2, instr}, {"replace", 3, replace}, {"trim", 1, trim_both},
		{"trim", 2, trim_both}, {"ltrim", 1, trim_left}, {"ltrim", 2, trim_left},
		{"rtrim", 1, trim_right}, {"rtrim", 2, trim_right}};
	int status = SQLITE_OK;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]) && status == SQLITE_OK; i++)
		status = sqlite3_create_function(query->db, functions[i].name,
			functions[i].n_arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, query,
			functions[i].call, NULL, NULL);
	return status;
}
