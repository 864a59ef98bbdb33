/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands say. Everything that a command prints goes through an output, and every text in it
 * is escaped here: `%s` of say() is never printed raw, so no name from a file can reach a terminal
 * as more than text. tests/house.sh refuses any other way to print.
 *
 * A command says sentences, or emits rows of a table, once. In the formats for machines rows are
 * the answer and sentences only stand in for them: a command that emitted none answers with the
 * lines that it said.
 */
#pragma once

#include <cellscope/query.h>

#include "src/output/sink.h"

#include <stdarg.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_TSV };

struct style {
	enum format format;
	unsigned width;  /* columns of the screen, 0 = no limit */
	unsigned height; /* rows of the screen that a person looks at, 0 = no limit */
	bool ascii;      /* escape everything beyond ASCII in text for people */
	bool ascii_data; /* in CSV and TSV too: a terminal shows them that has no UTF-8 */
	bool csv_safe;   /* no text of CSV and TSV is a formula to a spreadsheet */
	bool colour;
	bool plain;   /* no boxes, no drawings: for screen readers and logs */
	bool compact; /* JSON on one line */
};

/* What everything that is compared looks like: scripts, golden files, TAP. */
extern const struct style style_of_scripts;

struct rows;

/* Takes the rows of a command instead of printing them; src/tui has views of them. */
struct row_taker {
	struct cs_error *(*take)(struct row_taker *taker, const struct rows *rows);
};

struct output {
	struct style style;
	struct row_taker *taker; /* gets the rows; or NULL */
	struct sink *sink;
	struct filter *filter;   /* of rows, by their whole values; or NULL */
	struct sink *unfiltered; /* where rows go that have passed it */
	bool emitted;            /* rows were */
	bool failed;             /* there was no memory */
	CS_VEC(char) said;       /* kept until it is known whether rows come */
};

void output_init(struct output *out, const struct style *style, struct sink *sink);
/* Nothing more is to be said. */
struct cs_error *output_end(struct output *out) CS_MUST_USE;

/*
 * printf, with every text escaped. Knows %s %c %d %u %x %g and their lengths, flags, widths and
 * precisions. A width counts columns of the screen.
 */
void say(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
void say_arguments(struct output *out, const char *format, va_list list);
/* Something only for people: machines do not get it. */
void note(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
/* Text of several lines, each of them escaped. */
void say_lines(struct output *out, const char *text);
/* Text of the program itself, which is printed as it stands: its backslashes are its own. */
void say_fixed(struct output *out, const char *text, size_t n);
/* The value for people. */
void say_value(struct output *out, const struct cs_value *value);

enum colour {
	COLOUR_NONE,
	COLOUR_TITLE,
	COLOUR_GOOD,
	COLOUR_BAD,
	COLOUR_WARN,
	COLOUR_DIM,
	COLOUR_BLUE
};
/* What follows is in that colour, where there are colours. */
void say_colour(struct output *out, enum colour colour);

/* Columns that a text takes on the screen. */
size_t text_columns(const char *text, size_t n, bool ascii);

/* ---- rows ---- */

/* What stands above it, or beside its value. */
static inline const char *column_label(const struct cs_column *column)
{
	return column->label ? column->label : column->key;
}

struct rows {
	const struct cs_table *table;
	const void *source;
	const uint32_t *at; /* NULL = rows 0..n-1 */
	size_t n;
	const char *columns; /* "KEY,KEY", or NULL for the table's own choice */
	bool as_record;      /* text: a line a column instead of a line a row */
	const char *also;    /* a column that the short form has too, or NULL */
};

/* E_USAGE when `columns` names one that the table lacks. */
struct cs_error *emit_rows(struct output *out, const struct rows *rows) CS_MUST_USE;
