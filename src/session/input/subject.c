/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns formatting and parsing conditions of stops of the form "KIND = 'NAME'", which name one
 * object. The screen marks this object, both for conditions that a user typed and for those of
 * keys.
 */
#include "src/session/input/subject.h"

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

char *subject_condition(const struct subject *subject)
{
	size_t kind = subject_kind_of(subject->kind, strlen(subject->kind));
	const char *quote = kind < KINDS && kinds[kind].number ? "" : "'";
	size_t room = strlen(subject->kind) + 2 * strlen(subject->name) + 8;
	char *text = malloc(room);
	if (!text)
		return NULL;
	char *to = text + snprintf(text, room, "%s = %s", subject->kind, quote);
	for (const char *c = subject->name; *c; c++) {
		*to++ = *c;
		if (*c == '\'')
			*to++ = *c;
	}
	memcpy(to, quote, strlen(quote) + 1);
	return text;
}

/* Parses a quoted name, in which '' stands for one quote; returns false when other text follows. */
static bool take_quoted(const char *text, struct subject *ret)
{
	size_t n = 0;
	for (text++; n + 1 < sizeof(ret->name); text++) {
		if (*text == '\0')
			return false;
		if (*text == '\'' && *++text != '\'')
			break;
		ret->name[n++] = *text;
	}
	ret->name[n] = '\0';
	return text[strspn(text, " \t")] == '\0';
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
	return *text == '\'' ? take_quoted(text, ret) : take_number(text, ret);
}
