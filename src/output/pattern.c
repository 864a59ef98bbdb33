/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits regular expressions. One pass counts their parts: a character is one part, a group is the
 * sum of its alternatives, and a repetition multiplies the count of what it repeats. The count is
 * never below the size of the C library's automaton, whose memory grows with the square of its
 * size. Groups repeated without a limit, and anchors, have a lower limit of their own, because each
 * further group or anchor of this kind may double the time to compile, and memory grows with the
 * cube of their number. Texts are limited in length and back references are rejected, because
 * matching in the C library cannot be interrupted and may try every combination.
 */
#include "src/output/pattern.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 4096, /* longest expression, in bytes */
	DEEPEST = 64,   /* deepest nesting of groups */
	MOST_PARTS = 2000,
	MOST_COSTLY = 32,
	COUNTED = 1 << 20, /* upper bound of the numbers in struct size, against overflow */
	/* largest product of a text's bytes and an expression's parts: takes a second or two */
	MOST_WORK = 1 << 23,
};

struct size {
	/* numbers of parts (see top of file), and of anchors and groups repeated without a limit */
	uint32_t parts, costly;
};

struct counter {
	const char *at;
	/* sizes of the groups that are open at `at`, by nesting depth */
	struct size sums[DEEPEST + 1];
	uint32_t depth;
	/* size of the element before `at`, which a repetition operator would repeat */
	struct size last;
	bool last_is_group;
	bool refers_back; /* whether the expression contains a back reference */
};

static uint32_t pattern_bounded(uint64_t count)
{
	return count < COUNTED ? (uint32_t)count : COUNTED;
}

static struct size sum(struct size a, struct size b, uint64_t times)
{
	return (struct size){pattern_bounded(a.parts + times * b.parts),
		pattern_bounded(a.costly + times * b.costly)};
}

static void pattern_add(struct counter *counter, struct size size, bool is_group)
{
	counter->sums[counter->depth] = sum(counter->sums[counter->depth], size, 1);
	counter->last = size;
	counter->last_is_group = is_group;
}

static void add_character(struct counter *counter)
{
	pattern_add(counter, (struct size){1, 0}, false);
}

/* Skips a set "[...]" after its "["; a "]" at its start or in [:alpha:] does not end the set. */
static void skip_set(struct counter *counter)
{
	const char *at = counter->at;
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		char kind = at[0] == '[' ? at[1] : '\0';
		const char *end = NULL;
		if (kind == ':' || kind == '.' || kind == '=')
			for (end = at + 2; *end && !(end[0] == kind && end[1] == ']');)
				end++;
		at = end && *end ? end + 2 : at + 1;
	}
	counter->at = at + (*at == ']');
}

/*
 * Parses "m}", "m,}" or "m,n}". Returns the largest number of repetitions. If there is none, as in
 * "m,}", it returns m+1 and sets *endless_ret.
 */
static uint32_t times_of(struct counter *counter, bool *endless_ret)
{
	char *end;
	uint64_t low = strtoul(counter->at, &end, 10), high = low;
	if (*end == ',') {
		const char *from = end + 1;
		high = strtoul(from, &end, 10);
		*endless_ret = end == from;
		high = end == from ? low + 1 : high;
	}
	if (*end != '}')
		return 1; /* the brace begins no repetition, so it is an ordinary character */
	counter->at = end + 1;
	return pattern_bounded(high > low ? high : low);
}

static void repeat(struct counter *counter, uint64_t times, bool endless)
{
	struct size own = {1, endless && counter->last_is_group}, *all;
	all = &counter->sums[counter->depth];
	times = times > 1 ? times - 1 : 0;
	*all = sum(sum(*all, counter->last, times), own, 1);
	counter->last = sum(sum(counter->last, counter->last, times), own, 1);
	counter->last_is_group = true;
}

static bool open_group(struct counter *counter)
{
	if (counter->depth == DEEPEST)
		return false;
	counter->sums[++counter->depth] = (struct size){1, 0};
	counter->last = (struct size){0, 0};
	return true;
}

static void close_group(struct counter *counter)
{
	if (counter->depth == 0) {
		add_character(counter);
		return;
	}
	struct size size = counter->sums[counter->depth--];
	pattern_add(counter, size, true);
}

/*
 * Reads the next element of a regular expression and adds its parts (see the top of this file) to
 * the sum of its group; false if groups nest too deeply.
 */
static bool count_next(struct counter *counter)
{
	char c = *counter->at++;
	bool endless = false;
	uint32_t times;
	switch (c) {
	case '(':
		return open_group(counter);
	case ')':
		close_group(counter);
		break;
	case '[':
		skip_set(counter);
		add_character(counter);
		break;
	case '{':
		times = times_of(counter, &endless);
		repeat(counter, times, endless);
		break;
	case '*':
	case '+':
	case '?':
		repeat(counter, c == '+' ? 2 : 1, c != '?');
		break;
	case '^':
	case '$':
		pattern_add(counter, (struct size){1, 1}, false);
		break;
	case '\\':
		counter->refers_back |= *counter->at >= '1' && *counter->at <= '9';
		pattern_add(counter,
			(struct size){1, *counter->at && strchr("<>bB`'", *counter->at)}, false);
		counter->at += *counter->at != '\0';
		break;
	default:
		add_character(counter);
	}
	return true;
}

static struct cs_error *check_size(const char *text, uint32_t *parts_ret)
{
	struct counter counter = {.at = text};
	if (strlen(text) > LONGEST)
		return cs_error_new(CS_E_LIMIT,
			"the regular expression is longer than the limit of %d bytes", LONGEST);
	while (*counter.at)
		if (!count_next(&counter))
			return cs_error_new(CS_E_LIMIT,
				"the regular expression '%s' nests groups more than %d deep", text,
				DEEPEST);
	if (counter.refers_back)
		return cs_error_new(CS_E_USAGE,
			"the regular expression '%s' has a back reference such as \\1, which is "
			"not allowed",
			text);
	while (counter.depth > 0)
		close_group(&counter);
	if (counter.sums[0].costly > MOST_COSTLY)
		return cs_error_new(CS_E_LIMIT,
			"the regular expression '%s' has more than %d anchors (such as ^ and $) "
			"and groups repeated without a limit (such as (A)*) together",
			text, MOST_COSTLY);
	if (counter.sums[0].parts > MOST_PARTS)
		return cs_error_new(CS_E_LIMIT,
			"the regular expression '%s' has more than the limit of %d parts when its "
			"repetitions such as {2,9} are written out",
			text, MOST_PARTS);
	*parts_ret = counter.sums[0].parts;
	return NULL;
}

/* What is wrong, by regcomp's status; regerror's texts name brackets of basic expressions, too. */
static const char *const faults[] = {
	[REG_BADPAT] = "a [ is not closed",
	[REG_ECTYPE] = "a class such as [:alpha:] has an unknown name",
	[REG_EESCAPE] = "a backslash is its last character",
	[REG_EBRACK] = "a [ is not closed",
	[REG_EPAREN] = "a ( is not closed",
	[REG_EBRACE] = "a { is not closed",
	[REG_BADBR] = "braces must be {N}, {N,} or {N,M} with whole numbers, N at most M",
	[REG_ERANGE] = "a range such as a-z ends before it begins",
	[REG_BADRPT] = "a *, +, ? or { has nothing before it to repeat",
	[REG_ERPAREN] = "a ) closes no (",
};

struct cs_error *pattern_compile(const char *text, struct pattern *ret)
{
	char other[128];
	struct cs_error *error = check_size(text, &ret->parts);
	if (error)
		return error;
	int status = regcomp(&ret->expression, text, REG_EXTENDED | REG_NOSUB);
	if (status == 0)
		return NULL;
	if (status == REG_ESPACE)
		return cs_error_nomem();
	const char *why =
		(size_t)status < sizeof(faults) / sizeof(faults[0]) ? faults[status] : NULL;
	regerror(status, &ret->expression, other, sizeof(other));
	return cs_error_new(CS_E_USAGE, "the regular expression '%s' cannot be read: %s", text,
		why ? why : other);
}

void pattern_free(struct pattern *pattern)
{
	regfree(&pattern->expression);
}

struct cs_error *pattern_match(const struct pattern *pattern, const char *text, bool *ret)
{
	size_t most = MOST_WORK / (pattern->parts + 1);
	*ret = false;
	if (strnlen(text, most + 1) > most)
		return cs_error_new(CS_E_LIMIT,
			"a line has more than %zu bytes, the most that this regular expression "
			"can search: a shorter expression can search longer lines",
			most);
	/* regexec reports a lack of memory as "no match", so errno is checked */
	errno = 0;
	*ret = regexec(&pattern->expression, text, 0, NULL, 0) == 0;
	return !*ret && errno == ENOMEM ? cs_error_nomem() : NULL;
}
