/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printing: escaped texts, values, colours, and sentences collected for programs. */
#include "src/output/output.h"

#include "src/output/emit.h"
#include "src/output/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

const struct style style_of_scripts = {.width = 80, .ascii = true};

const char *const format_options[] = {[FORMAT_TEXT] = "",
	[FORMAT_JSON] = " --json",
	[FORMAT_CSV] = " --csv",
	[FORMAT_TSV] = " --tsv"};

void output_init(struct output *out, const struct style *style, struct sink *sink)
{
	*out = (struct output){.style = *style, .sink = sink, .unfiltered = sink};
}

/* Value of `alike` behind the part of a line that could begin as a list does. */
#define UNLIKE (sizeof(JSON_LIST_BEGIN))

void put_unlike_list(struct output *out, const char *bytes, size_t n)
{
	const char *const begin = JSON_LIST_BEGIN, *const end = bytes + n;
	while (bytes < end) {
		if (out->alike < UNLIKE && *bytes == begin[out->alike]) {
			bytes++;
			if (++out->alike < UNLIKE - 1)
				continue;
			sink_text(out->sink, "\\x7b");
			sink_text(out->sink, begin + 1);
			out->alike = UNLIKE;
			continue;
		}
		const char *line = memchr(bytes, '\n', (size_t)(end - bytes));
		const char *next = line ? line + 1 : end;
		sink_write(out->sink, begin, out->alike % UNLIKE);
		sink_write(out->sink, bytes, (size_t)(next - bytes));
		out->alike = line ? 0 : UNLIKE;
		bytes = next;
	}
}

/* Writes already escaped bytes: to the sink, or in a format for programs to the buffer `said`. */
static void output_put(void *context, const char *bytes, size_t n)
{
	struct output *out = context;
	if (out->style.format == FORMAT_TEXT && out->style.compact)
		put_unlike_list(out, bytes, n);
	else if (out->style.format == FORMAT_TEXT)
		sink_write(out->sink, bytes, n);
	else if (!cs_vec_append(&out->said, bytes, n))
		out->failed = true;
}

struct cs_error *output_end(struct output *out)
{
	if (out->alike % UNLIKE > 0)
		sink_write(out->sink, JSON_LIST_BEGIN, out->alike % UNLIKE);
	if (out->taker && !out->emitted)
		sink_write(out->sink, out->said.at, out->said.n);
	else if (!out->emitted && out->said.n > 0)
		emit_said(out);
	cs_vec_free(&out->said);
	return out->failed ? cs_error_nomem() : NULL;
}

struct output *text_output_begin(struct text_output *text, struct style style)
{
	memory_sink_init(&text->sink);
	output_init(&text->out, &style, &text->sink.sink);
	return &text->out;
}

char *text_output_end(struct text_output *text)
{
	char *ret = NULL;
	size_t n;
	cs_error_free(output_end(&text->out));
	cs_error_free(memory_sink_take(&text->sink, &ret, &n));
	return ret;
}

/* ---- formats as of printf ---- */

int digits_of(int64_t number)
{
	return snprintf(NULL, 0, "%" PRId64, number);
}

size_t text_columns(const char *text, size_t n, bool ascii)
{
	mbstate_t state = {0};
	size_t columns = 0;
	if (ascii)
		return n;
	while (n > 0) {
		wchar_t c;
		size_t length = mbrtowc(&c, text, n, &state);
		if (length == 0 || length > n)
			/* invalid text in this locale: each remaining byte counts as one column */
			return columns + n;
		int width = wcwidth(c);
		columns += width > 0 ? (size_t)width : 0;
		text += length;
		n -= length;
	}
	return columns;
}

/* One conversion specification of a format, such as %-8.3f. */
struct conversion {
	char spec[24]; /* "%", flags and "*.*"; length and type are added later */
	bool left;
	int width, precision; /* -1 as precision means none */
	char length;          /* length modifier: 'h', 'l', 'z', 'j', 'L' for ll, 0 for none */
	char type;
};

struct arguments {
	va_list list;
};

static int number_or_star(const char **format, struct arguments *arguments)
{
	int number = 0;
	if (**format == '*') {
		++*format;
		return va_arg(arguments->list, int);
	}
	while (**format >= '0' && **format <= '9')
		number = number * 10 + (*(*format)++ - '0');
	return number;
}

static void parse_length(const char **format, struct conversion *conversion)
{
	while (**format && strchr("hlzj", **format)) {
		conversion->length = conversion->length == 'l' && **format == 'l' ? 'L' : **format;
		++*format;
	}
}

/* Parses a conversion after its percent sign; returns the rest of the format. */
static const char *parse_conversion(
	const char *format, struct arguments *arguments, struct conversion *ret)
{
	char flags[8] = "";
	size_t n = 0;
	*ret = (struct conversion){.precision = -1};
	while (*format && strchr("-+ #0", *format)) {
		ret->left = ret->left || *format == '-';
		if (n + 1 < sizeof(flags))
			flags[n++] = *format;
		format++;
	}
	ret->width = number_or_star(&format, arguments);
	if (*format == '.') {
		format++;
		ret->precision = number_or_star(&format, arguments);
	}
	parse_length(&format, ret);
	ret->type = *format;
	snprintf(ret->spec, sizeof(ret->spec), "%%%s*.*", flags);
	return format + 1;
}

static void pad(struct output *out, size_t columns)
{
	static const char blanks[] = "                                ";
	while (columns > 0) {
		size_t n = columns < sizeof(blanks) - 1 ? columns : sizeof(blanks) - 1;
		output_put(out, blanks, n);
		columns -= n;
	}
}

static void put_safe_text(struct output *out, const char *text, const struct conversion *conversion)
{
	size_t n = conversion->precision >= 0 ? strnlen(text, (size_t)conversion->precision)
					      : strlen(text);
	char room[256], *safe = room;
	size_t length = cs_escape(text, n, out->style.ascii, room, sizeof(room));
	if (length >= sizeof(room)) {
		safe = malloc(length + 1);
		if (!safe) {
			out->failed = true;
			return;
		}
		cs_escape(text, n, out->style.ascii, safe, length + 1);
	}
	size_t columns = text_columns(safe, length, out->style.ascii);
	size_t blanks = conversion->width > 0 && columns < (size_t)conversion->width
				? (size_t)conversion->width - columns
				: 0;
	pad(out, conversion->left ? 0 : blanks);
	output_put(out, safe, length);
	pad(out, conversion->left ? blanks : 0);
	if (safe != room)
		free(safe);
}

static long long signed_argument(struct arguments *arguments, char length)
{
	switch (length) {
	case 'l':
		return va_arg(arguments->list, long);
	case 'L':
	case 'j':
		return va_arg(arguments->list, long long);
	case 'z':
		return va_arg(arguments->list, ssize_t);
	default:
		return va_arg(arguments->list, int);
	}
}

static unsigned long long unsigned_argument(struct arguments *arguments, char length)
{
	switch (length) {
	case 'l':
		return va_arg(arguments->list, unsigned long);
	case 'L':
	case 'j':
		return va_arg(arguments->list, unsigned long long);
	case 'z':
		return va_arg(arguments->list, size_t);
	default:
		return va_arg(arguments->list, unsigned);
	}
}

/*
 * Returns the precision of a number in form %g: what was asked for, or so many digits that a number
 * below 1e15 has no exponent.
 */
static int general_precision(const struct conversion *conversion, double number)
{
	const int asked = conversion->precision < 0 ? 6 : conversion->precision;
	const int digits = fabs(number) < 1e15 ? snprintf(NULL, 0, "%.0f", fabs(number)) : 0;
	return digits > asked ? digits : asked;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Formats a number. The format was checked at the call of say(), hence the ignored warning. */
static void put_number(
	struct output *out, struct arguments *arguments, struct conversion *conversion)
{
	char digits[512], spec[32];
	int n;
	if (strchr("eEfFgG", conversion->type)) {
		const double number = va_arg(arguments->list, double);
		snprintf(spec, sizeof(spec), "%s%c", conversion->spec, conversion->type);
		n = snprintf(digits, sizeof(digits), spec, conversion->width,
			conversion->type == 'g' ? general_precision(conversion, number)
						: conversion->precision,
			number);
	} else if (conversion->type == 'd' || conversion->type == 'i') {
		snprintf(spec, sizeof(spec), "%slld", conversion->spec);
		n = snprintf(digits, sizeof(digits), spec, conversion->width, conversion->precision,
			signed_argument(arguments, conversion->length));
	} else {
		snprintf(spec, sizeof(spec), "%sll%c", conversion->spec, conversion->type);
		n = snprintf(digits, sizeof(digits), spec, conversion->width, conversion->precision,
			unsigned_argument(arguments, conversion->length));
	}
	output_put(out, digits,
		n < 0                     ? 0
		: n < (int)sizeof(digits) ? (size_t)n
					  : sizeof(digits) - 1);
}
#pragma GCC diagnostic pop

static void say_list(struct output *out, const char *format, struct arguments *arguments)
{
	while (*format) {
		size_t plain = strcspn(format, "%");
		output_put(out, format, plain);
		format += plain;
		if (*format == '\0')
			break;
		struct conversion conversion;
		format = parse_conversion(format + 1, arguments, &conversion);
		if (conversion.type == '%') {
			output_put(out, "%", 1);
		} else if (conversion.type == 's') {
			const char *text = va_arg(arguments->list, const char *);
			put_safe_text(out, text ? text : "(none)", &conversion);
		} else if (conversion.type == 'c') {
			const char text[] = {(char)va_arg(arguments->list, int), '\0'};
			put_safe_text(out, text, &conversion);
		} else {
			put_number(out, arguments, &conversion);
		}
	}
}

void say(struct output *out, const char *format, ...)
{
	struct arguments arguments;
	va_start(arguments.list, format);
	say_list(out, format, &arguments);
	va_end(arguments.list);
}

void say_arguments(struct output *out, const char *format, va_list list)
{
	struct arguments arguments;
	va_copy(arguments.list, list);
	say_list(out, format, &arguments);
	va_end(arguments.list);
}

void say_to(struct sink *sink, const struct style *style, const char *format, ...)
{
	struct output out;
	va_list list;
	output_init(&out, style, sink);
	va_start(list, format);
	say_arguments(&out, format, list);
	va_end(list);
	cs_error_free(output_end(&out));
}

void note(struct output *out, const char *format, ...)
{
	struct arguments arguments;
	if (out->style.format != FORMAT_TEXT)
		return;
	va_start(arguments.list, format);
	say_list(out, format, &arguments);
	va_end(arguments.list);
}

void say_lines(struct output *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		say(out, "%.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

void say_fixed(struct output *out, const char *text, size_t n)
{
	output_put(out, text, n);
}

void say_value(struct output *out, const struct cs_value *value)
{
	cs_value_put(value, out->style.ascii ? CS_FORM_ASCII : CS_FORM_TEXT, output_put, out);
}

void say_colour(struct output *out, enum colour colour)
{
	static const char *const sequences[] = {
		[COLOUR_NONE] = "\033[0m",
		[COLOUR_TITLE] = "\033[1m",
		[COLOUR_GOOD] = "\033[32m",
		[COLOUR_BAD] = "\033[31m",
		[COLOUR_WARN] = "\033[33m",
		[COLOUR_DIM] = "\033[2m",
		[COLOUR_BLUE] = "\033[34m",
	};
	if (out->style.colour && out->style.format == FORMAT_TEXT)
		output_put(out, sequences[colour], strlen(sequences[colour]));
}
