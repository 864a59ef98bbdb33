/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats and parses conditions of breakpoints of the form "KIND = 'NAME'", which name one object,
 * and also its world partition when there are several. The screen marks this object, whether a user
 * typed the condition or a key made it.
 */
#include "src/session/input/subject.h"

#include "src/language/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *kind;
	enum cs_moment moment;
	bool number;
} kinds[] = {
	{"cell", CS_MOMENT_CELL_LOAD, false},
	{"layer", CS_MOMENT_LAYER, false},
	{"page", CS_MOMENT_PAGE_REQUEST, false},
	{"frame", CS_MOMENT_FRAME, true},
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static size_t subject_kind_of(const char *name, size_t n)
{
	size_t i = 0;
	while (i < KINDS && (strlen(kinds[i].kind) != n || memcmp(kinds[i].kind, name, n) != 0))
		i++;
	return i;
}

enum cs_moment subject_moment(const struct subject *subject)
{
	size_t kind = subject_kind_of(subject->kind, strlen(subject->kind));
	return kind < KINDS ? kinds[kind].moment : CS_MOMENTS;
}

static const char within[] = " AND partition = ";

char *subject_condition(const struct subject *subject)
{
	size_t kind = subject_kind_of(subject->kind, strlen(subject->kind));
	const bool is_number = kind < KINDS && kinds[kind].number;
	const bool is_within = !is_number && *subject->partition;
	char *name = is_number ? strdup(subject->name) : quote_sql(subject->name);
	char *partition = is_within ? quote_sql(subject->partition) : strdup("");
	char *text = NULL;
	if (name && partition &&
		asprintf(&text, "%s = %s%s%s", subject->kind, name, is_within ? within : "",
			partition) < 0)
		text = NULL;
	free(name);
	free(partition);
	return text;
}

/* Parses a text in quotes ('' is one quote). Returns what follows it; NULL without an end quote. */
static const char *take_quoted(const char *text, char *ret, size_t room)
{
	size_t n = 0;
	for (text++; n + 1 < room; text++) {
		if (*text == '\0')
			return NULL;
		if (*text == '\'' && *++text != '\'')
			break;
		ret[n++] = *text;
	}
	ret[n] = '\0';
	return text;
}

static bool take_names(const char *text, struct subject *ret)
{
	text = take_quoted(text, ret->name, sizeof(ret->name));
	if (text && strncmp(text, within, sizeof(within) - 1) == 0 &&
		text[sizeof(within) - 1] == '\'')
		text = take_quoted(
			text + sizeof(within) - 1, ret->partition, sizeof(ret->partition));
	return text && text[strspn(text, " \t")] == '\0';
}

static bool take_number(const char *text, struct subject *ret)
{
	size_t n = strspn(text, "0123456789");
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)(n < 20 ? n : 0), text);
	return n > 0 && n < 20 && text[n + strspn(text + n, " \t")] == '\0';
}

bool subject_of_stop(const struct cs_stop *stop, struct subject *ret)
{
	const char *text = stop->expression;
	if (stop->kind != CS_STOP_BREAK || !text)
		return false;
	text += strspn(text, " \t");
	size_t n = strcspn(text, " \t="), kind = subject_kind_of(text, n);
	text += n + strspn(text + n, " \t");
	if (kind == KINDS || *text != '=')
		return false;
	text += 1 + strspn(text + 1, " \t=");
	ret->kind = kinds[kind].kind;
	ret->partition[0] = '\0';
	return *text == '\'' ? take_names(text, ret) : take_number(text, ret);
}
