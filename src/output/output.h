/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands print. Everything that a command prints passes an output, which escapes every text:
 * `%s` of say() is never printed raw, so a name from a file reaches a terminal only as text.
 * tests/house.sh rejects any other kind of printing.
 *
 * A command prints sentences, or emits the rows of a table, once. In machine formats the rows are
 * the answer; a command that emits none answers with its sentences as rows of one text.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/query.h>

#include "src/output/sink.h"

#include <stdarg.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_TSV };

struct style {
	enum format format;
	unsigned width;  /* columns of the screen, 0 = no limit */
	unsigned height; /* rows of the screen that a person reads, 0 = no limit */
	bool ascii;      /* escape all characters beyond ASCII in text for people */
	bool ascii_data; /* also escape them in CSV and TSV, for a terminal without UTF-8 */
	bool csv_safe;   /* prevent spreadsheets from running texts of CSV and TSV as formulas */
	bool colour;
	bool plain;   /* print no boxes and drawings: for screen readers and logs */
	bool compact; /* print JSON on one line */
};

/* The style of all output that is compared: scripts, golden files, TAP. */
extern const struct style style_of_scripts;

struct rows;

/* Takes the rows of a command instead of printing them, for views of src/tui. */
struct row_taker {
	struct cs_error *(*take)(struct row_taker *taker, const struct rows *rows);
};

struct output {
	struct style style;
	struct row_taker *taker; /* receives the rows instead of printing them; or NULL */
	struct sink *sink;
	struct filter *filter;   /* filters rows by their whole values; or NULL */
	struct sink *unfiltered; /* sink for rows that passed the filter */
	bool emitted;            /* whether rows were emitted */
	bool failed;             /* an allocation failed */
	CS_VEC(char) said;       /* sentences, stored while it is unknown whether rows follow */
};

void output_init(struct output *out, const struct style *style, struct sink *sink);
/* Ends the output and returns its first error. */
struct cs_error *output_end(struct output *out) CS_MUST_USE;

/*
 * Works as printf, but escapes every text. It knows %s %c %d %u %x %g and their lengths, flags,
 * widths and precisions. A width counts columns of the screen.
 */
void say(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
void say_arguments(struct output *out, const char *format, va_list list);
/* Prints for people only: machine formats leave it out. */
void note(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
/* Prints a text of several lines and escapes each. */
void say_lines(struct output *out, const char *text);
/* Prints a text of the program itself without escaping it. */
void say_fixed(struct output *out, const char *text, size_t n);
/* Prints a value as people read it. */
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
/* Sets the colour of what is printed next, where colours are on. */
void say_colour(struct output *out, enum colour colour);

/* Returns the columns that a text takes on the screen. */
size_t text_columns(const char *text, size_t n, bool ascii);

/* ---- rows ---- */

/* Returns the heading of a column, or the label beside its value. */
static inline const char *column_label(const struct cs_column *column)
{
	return column->label ? column->label : column->key;
}

struct rows {
	const struct cs_table *table;
	const void *source;
	const uint32_t *at; /* rows to print, in their order; NULL = rows 0..n-1 */
	size_t n;
	const char *columns; /* columns to print, "KEY,KEY"; NULL = the table's own choice */
	bool as_record;      /* as text: print a line for each column instead of one for each row */
	const char *also;    /* column that is shown besides the short form, or NULL */
	/* returns why values that were read have no meaning, NULL for none; may be NULL itself */
	struct cs_error *(*unread)(void *context);
	/*
	 * Marks loops over the rows, with CS_PASS_STEP after each row, whose values are not used
	 * any more; may be NULL.
	 */
	void (*pass)(void *context, enum cs_pass what);
	void *context;
};

/* Prints the rows. Returns E_USAGE when `columns` names a column that the table does not have. */
struct cs_error *emit_rows(struct output *out, const struct rows *rows) CS_MUST_USE;
