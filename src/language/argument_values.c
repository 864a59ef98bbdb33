/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses argument values that need no open world: numbers, ranges, points, choices, colours,
 * priorities. Each type has one function, whose error names the argument and the values it accepts.
 */
#include "src/language/argument_values.h"

#include <cellscope/stream.h>

#include "core/vec.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct cs_error *value_whole(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[text[0] == '-']) || *end)
		return cs_error_new(
			CS_E_USAGE, "%s must be a whole number, not '%s'", spec->name, text);
	if (text[0] == '-')
		return cs_error_new(CS_E_USAGE, "%s must be a whole number of at least 0, not %s",
			spec->name, text);
	if (errno)
		return cs_error_new(CS_E_USAGE, "%s must be at most %llu, not %s", spec->name,
			ULLONG_MAX, text);
	ret->count = value;
	return NULL;
}

struct cs_error *value_some(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	(void)ret;
	if (text[strspn(text, " \t")] == '\0')
		return cs_error_new(CS_E_USAGE, "%s must not be empty", spec->name);
	return NULL;
}

struct cs_error *value_number(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	if (!cs_double_parse(text, strlen(text), &ret->number))
		return cs_error_new(CS_E_USAGE, "%s must be a number, not '%s'", spec->name, text);
	return NULL;
}

bool parse_point(const char *text, struct cs_vec3 *ret)
{
	double axes[3] = {0, 0, 0};
	for (size_t i = 0; i < 3; i++) {
		size_t n = strcspn(text, ",");
		if (!cs_double_parse(text, n, &axes[i]))
			return false;
		text += n;
		if (*text == '\0' && i > 0)
			break;
		if (*text != ',' || i == 2)
			return false;
		text++;
	}
	*ret = (struct cs_vec3){axes[0], axes[1], axes[2]};
	return true;
}

bool is_place_name(const char *text)
{
	return strcmp(text, ".") == 0 || strncmp(text, "actor ", 6) == 0;
}

struct cs_error *value_point(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	if (parse_point(text, &ret->point) || is_place_name(text))
		return NULL;
	/*
	 * arguments named X,Y,Z or P,Y,R are angles, speeds or offsets, for which no name can be
	 * given
	 */
	if (strchr(spec->name, ','))
		return cs_error_new(CS_E_USAGE,
			"%s must be two or three numbers with commas between them, not '%s'",
			spec->name, text);
	return cs_error_new(CS_E_USAGE,
		"%s must be a point X,Y or X,Y,Z in cm, `.` for the current one, or \"actor NAME\", "
		"not '%s'",
		spec->name, text);
}

struct cs_error *value_scale(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	double one;
	if (cs_double_parse(text, strlen(text), &one))
		ret->point = (struct cs_vec3){one, one, one};
	else if (!parse_point(text, &ret->point) || strchr(text, ',') == strrchr(text, ','))
		return cs_error_new(
			CS_E_USAGE, "%s must be a number or X,Y,Z, not '%s'", spec->name, text);
	if (!(ret->point.x > 0 && ret->point.y > 0 && ret->point.z > 0))
		return cs_error_new(CS_E_USAGE,
			"%s must be a number above 0, or X,Y,Z each above 0, not '%s'", spec->name,
			text);
	return NULL;
}

/* Finds the choice that the text names in full, or by a beginning that no other choice has. */
static bool find_choice(const char *const *choices, const char *text, size_t *ret)
{
	const size_t length = strlen(text);
	size_t n = 0;
	for (size_t i = 0; choices[i]; i++) {
		if (length == 0 || strncasecmp(choices[i], text, length) != 0)
			continue;
		*ret = i;
		if (choices[i][length] == '\0')
			return true;
		n++;
	}
	return n == 1;
}

struct cs_error *value_choice(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	char list[200] = "";
	size_t length = 0, i = 0;
	if (find_choice(spec->choices, text, &ret->choice)) {
		ret->text = spec->choices[ret->choice];
		return NULL;
	}
	for (; spec->choices[i]; i++) {
		if (length < sizeof(list))
			length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
				i ? ", " : "", spec->choices[i]);
	}
	const char *close = closest_name(text, spec->choices, i);
	/* some names are the choices themselves: deps|dag */
	const char *name = strchr(spec->name, '|') ? UNNAMED_ARGUMENT : spec->name;
	return cs_error_new(CS_E_USAGE, "%s must be one of %s, not '%s'%s%s%s", name, list, text,
		DID_YOU_MEAN(close));
}

bool word_named(enum cs_words list, const char *name, unsigned *ret)
{
	size_t n;
	const struct cs_word *words = cs_words(list, &n);
	for (*ret = 0; *ret < n; ++*ret)
		if (strcmp(words[*ret].name, name) == 0)
			return true;
	return false;
}

struct cs_error *value_code(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	(void)spec;
	unsigned code;
	if (!word_named(CS_WORDS_CODE, text, &code))
		return cs_error_new(CS_E_USAGE,
			"'%s' is not the name of an error code; such names are E_NOCELL or "
			"E_USAGE",
			text);
	ret->code = (enum cs_code)code;
	return NULL;
}

/* ---- parsing a word of two numbers ---- */

/* Parses a number that begins with a digit; *end_ret points after its last digit. */
static bool take_digits(const char *text, uint64_t *ret, const char **end_ret)
{
	char *end;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	*end_ret = end;
	return isdigit((unsigned char)*text) && !errno && *ret <= RANGE_END;
}

static bool parse_range(const char *text, struct argument_range *ret)
{
	const char *dots = strstr(text, ".."), *end = text;
	*ret = (struct argument_range){0, RANGE_END, dots && dots > text && dots[2]};
	if (dots != text && (!take_digits(text, &ret->first, &end) || (*end && end != dots)))
		return false;
	if (!dots)
		ret->last = ret->first;
	if (dots && dots[2] && (!take_digits(dots + 2, &ret->last, &end) || *end))
		return false;
	return ret->first <= ret->last;
}

struct cs_error *value_range(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	if (!parse_range(text, &ret->range))
		return cs_error_new(CS_E_USAGE,
			"%s must be a range A..B of whole numbers, A at most B, not '%s'",
			spec->name, text);
	return NULL;
}

/*
 * Parses NAME=FIRST..LAST. FIRST is cut off before it is parsed, because strtod would read the
 * first dot of ".." as a decimal point.
 */
static bool parse_sweep(const char *text, struct argument_sweep *ret)
{
	const char *equals = strchr(text, '='), *dots = equals ? strstr(equals, "..") : NULL;
	size_t n = equals ? (size_t)(equals - text) : 0;
	*ret = (struct argument_sweep){.name_length = n};
	return dots && n > 0 && n < MOST_SWEEP_NAME &&
	       cs_double_parse(equals + 1, (size_t)(dots - equals) - 1, &ret->first) &&
	       cs_double_parse(dots + 2, strlen(dots + 2), &ret->last) && ret->first < ret->last;
}

struct cs_error *value_sweep(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	if (!parse_sweep(text, &ret->sweep))
		return cs_error_new(CS_E_USAGE,
			"%s must be a setting and two values in ascending order, NAME=A..B, not "
			"'%s'",
			spec->name, text);
	return NULL;
}

static const struct {
	const char *name;
	double cm;
} length_units[] = {{"mm", 0.1}, {"cm", 1}, {"km", 100000}, {"m", 100}};

static bool parse_one_length(const char *text, size_t n, double *ret)
{
	double cm = 1;
	for (size_t i = 0; i < sizeof(length_units) / sizeof(length_units[0]); i++) {
		const size_t unit = strlen(length_units[i].name);
		if (n <= unit || memcmp(text + n - unit, length_units[i].name, unit) != 0)
			continue;
		cm = length_units[i].cm;
		n -= unit;
		break;
	}
	if (!cs_double_parse(text, n, ret))
		return false;
	*ret *= cm;
	return *ret > 0 && *ret <= 1e15;
}

struct cs_error *value_lengths(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	const char *dots = strstr(text, "..");
	struct argument_lengths *lengths = &ret->lengths;
	if (!dots || !parse_one_length(text, (size_t)(dots - text), &lengths->first) ||
		!parse_one_length(dots + 2, strlen(dots + 2), &lengths->last) ||
		lengths->first >= lengths->last)
		return cs_error_new(CS_E_USAGE,
			"%s must be two lengths in ascending order, such as 50cm..2km, not '%s'",
			spec->name, text);
	return NULL;
}

/* Parses two whole numbers with the character `sign` between them: "COLUMNSxROWS" or "X,Y". */
static struct cs_error *two_numbers(
	const struct argument_spec *spec, char sign, const char *text, struct argument *ret)
{
	const char *at = text;
	bool good = take_digits(at, &ret->pair.first, &at) && *at == sign &&
		    take_digits(at + 1, &ret->pair.second, &at) && *at == '\0' &&
		    ret->pair.first <= INT_MAX && ret->pair.second <= INT_MAX;
	return good ? NULL
		    : cs_error_new(CS_E_USAGE,
			      "%s must be two whole numbers with %c between them, not '%s'",
			      spec->name, sign, text);
}

struct cs_error *value_extent(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	return two_numbers(spec, 'x', text, ret);
}

struct cs_error *value_spot(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	return two_numbers(spec, ',', text, ret);
}

/* ---- properties of streaming sources ---- */

struct cs_error *value_colour(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");
	if (n < 1 || n > 6 || text[n])
		return cs_error_new(CS_E_USAGE,
			"%s must be a colour RRGGBB of at most six hexadecimal digits, not '%s'",
			spec->name, text);
	ret->colour = (uint32_t)strtoul(text, NULL, 16);
	return NULL;
}

/* Names that the engine uses for streaming priorities. */
static const struct {
	const char *name;
	uint8_t priority;
} priorities[] = {{"highest", CS_PRIORITY_HIGHEST}, {"high", CS_PRIORITY_HIGH},
	{"normal", CS_PRIORITY_NORMAL}, {"low", CS_PRIORITY_LOW}, {"lowest", CS_PRIORITY_LOWEST}};

const char *priority_name(size_t index)
{
	return index < CS_COUNT_OF(priorities) ? priorities[index].name : NULL;
}

/* Parses a streaming priority: a name, or a number, where lower numbers load first. */
struct cs_error *value_priority(
	const struct argument_spec *spec, const char *text, struct argument *ret)
{
	const char *end;
	for (size_t i = 0; i < CS_COUNT_OF(priorities); i++) {
		if (strcasecmp(priorities[i].name, text) != 0)
			continue;
		ret->count = priorities[i].priority;
		return NULL;
	}
	if (!take_digits(text, &ret->count, &end) || *end || ret->count > CS_PRIORITY_LOWEST)
		return cs_error_new(CS_E_USAGE,
			"%s must be 0 to %d, or highest, high, normal, low, lowest, not '%s'",
			spec->name, CS_PRIORITY_LOWEST, text);
	return NULL;
}
