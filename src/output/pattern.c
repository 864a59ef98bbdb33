/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: the bound on regular expressions. One pass counts the parts: a character is one, a group
 * the sum of its alternatives, a repetition multiplies what it repeats. The count is never below
 * that of the C library's automaton, whose memory grows with its square.
 */
#include "src/output/pattern.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 4096, /* bytes of an expression */
	DEEPEST = 64,   /* groups inside each other */
	MOST_PARTS = 2000,
	COUNTED = 1 << 20, /* no count goes beyond */
};

struct counter {
	const char *at;
	uint32_t sums[DEEPEST + 1]; /* of each open group */
	uint32_t depth;
	uint32_t last; /* parts of what a repetition would repeat */
};

static uint32_t bounded(uint64_t count)
{
	return count < COUNTED ? (uint32_t)count : COUNTED;
}

static void add(struct counter *counter, uint32_t parts)
{
	counter->sums[counter->depth] = bounded((uint64_t)counter->sums[counter->depth] + parts);
	counter->last = parts;
}

/* "[...]" is one part; a bracket at its beginning, or of a class, does not end it. */
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

/* "m}", "m,}" or "m,n}" behind the brace: how often at most, an open end counting as one more. */
static uint32_t times_of(struct counter *counter)
{
	char *end;
	uint64_t low = strtoul(counter->at, &end, 10), high = low;
	if (*end == ',') {
		const char *from = end + 1;
		high = strtoul(from, &end, 10);
		high = end == from ? low + 1 : high;
	}
	if (*end != '}')
		return 1; /* a brace that is itself */
	counter->at = end + 1;
	return bounded(high > low ? high : low);
}

static void repeat(struct counter *counter, uint64_t times)
{
	uint64_t more = counter->last * (times > 1 ? times - 1 : 0);
	uint32_t *sum = &counter->sums[counter->depth];
	*sum = bounded(*sum + more + 1);
	counter->last = bounded(counter->last + more + 1);
}

static bool open_group(struct counter *counter)
{
	if (counter->depth == DEEPEST)
		return false;
	counter->sums[++counter->depth] = 1;
	counter->last = 0;
	return true;
}

static void close_group(struct counter *counter)
{
	if (counter->depth == 0)
		add(counter, 1);
	else
		add(counter, counter->sums[counter->depth--]);
}

/* The next character; false when groups are nested too deep. */
static bool count_next(struct counter *counter)
{
	char c = *counter->at++;
	switch (c) {
	case '(':
		return open_group(counter);
	case ')':
		close_group(counter);
		break;
	case '[':
		skip_set(counter);
		add(counter, 1);
		break;
	case '{':
		repeat(counter, times_of(counter));
		break;
	case '*':
	case '+':
	case '?':
		repeat(counter, c == '+' ? 2 : 1);
		break;
	case '\\':
		counter->at += *counter->at != '\0';
		add(counter, 1);
		break;
	default:
		add(counter, 1);
	}
	return true;
}

static struct cs_error *check_size(const char *text)
{
	struct counter counter = {.at = text};
	if (strlen(text) > LONGEST)
		return cs_error_new(
			CS_E_LIMIT, "an expression of more than %d characters", LONGEST);
	while (*counter.at)
		if (!count_next(&counter))
			return cs_error_new(CS_E_LIMIT,
				"the expression '%s' nests more than %d groups", text, DEEPEST);
	while (counter.depth > 0)
		close_group(&counter);
	if (counter.sums[0] > MOST_PARTS)
		return cs_error_new(CS_E_LIMIT,
			"the expression '%s' has more than %d parts when its repetitions are "
			"written out",
			text, MOST_PARTS);
	return NULL;
}

struct cs_error *pattern_compile(const char *text, regex_t *ret)
{
	char why[128];
	struct cs_error *error = check_size(text);
	if (error)
		return error;
	int status = regcomp(ret, text, REG_EXTENDED | REG_NOSUB);
	if (status == 0)
		return NULL;
	if (status == REG_ESPACE)
		return cs_error_nomem();
	regerror(status, ret, why, sizeof(why));
	return cs_error_new(CS_E_USAGE, "the expression '%s': %s", text, why);
}

struct cs_error *pattern_match(const regex_t *pattern, const char *text, bool *ret)
{
	/* the C library takes want of memory for a text that does not match */
	errno = 0;
	*ret = regexec(pattern, text, 0, NULL, 0) == 0;
	return !*ret && errno == ENOMEM ? cs_error_nomem() : NULL;
}
