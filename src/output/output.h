/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output of commands. Everything that a command prints passes through a `struct output`, which
 * escapes all texts: `%s` of say() is never printed raw, so a name from a file cannot send control
 * sequences to a terminal. tests/house.sh rejects all other functions that print.
 *
 * A command prints either sentences or, once, the rows of a table. In machine formats only the rows
 * are printed; for a command without rows, each line of its sentences becomes a row.
 */
#pragma once

#include <cellscope/cooked.h>
#include <cellscope/query.h>

#include "src/output/sink.h"

#include <stdarg.h>
#include <string.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_TSV };

struct style {
	enum format format;
	unsigned width;  /* columns of the screen; 0 = no limit */
	unsigned height; /* rows of an interactive screen; 0 = no limit */
	bool ascii;      /* escape all non-ASCII characters in text for people */
	bool ascii_data; /* escape non-ASCII characters in CSV and TSV, too */
	bool csv_safe;   /* prefix texts in CSV and TSV that a spreadsheet would run as formulas */
	bool colour;
	bool plain;   /* whether to print neither boxes nor drawings, for screen readers and logs */
	bool compact; /* print JSON on one line */
};

/* For each enum format, the option that selects it, with a blank before it; "" for text. */
extern const char *const format_options[];

/* The style of all output that is compared with expected output: scripts, golden files, TAP. */
extern const struct style style_of_scripts;

struct rows;

/* Receives the rows of a command instead of printing them; used by views of src/tui. */
struct row_taker {
	struct cs_error *(*take)(struct row_taker *taker, const struct rows *rows);
};

struct output {
	struct style style;
	struct row_taker *taker; /* receives the rows instead of printing them; NULL = print */
	struct sink *sink;
	struct filter *filter;   /* selects rows by their whole texts; NULL = all rows */
	struct sink *unfiltered; /* sink for rows that passed `filter` */
	/* for a line with -c ?, which prints only explanations: the sink for them, or NULL */
	struct sink *explains;
	size_t alike; /* bytes of a line like a JSON list that are held back (put_unlike_list) */
	bool emitted; /* whether rows were emitted */
	bool failed;  /* an allocation failed */
	/* in JSON format, sentences to print at the end if there were no rows */
	CS_VEC(char) said;
};

/* Returns "" for a count of 1, else "s", the end of the counted noun. */
static inline const char *plural_end(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Returns the part of a path after its last slash; all before it names the folder. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void output_init(struct output *out, const struct style *style, struct sink *sink);
/*
 * Prints the sentences collected in `said` and frees them. Returns the first error of the output.
 */
struct cs_error *output_end(struct output *out) CS_MUST_USE;

struct text_output {
	struct memory_sink sink;
	struct output out;
};

struct output *text_output_begin(struct text_output *text, struct style style);
/* Returns what was printed, or NULL if memory ran out. The caller frees it. */
char *text_output_end(struct text_output *text);

/*
 * Prints like printf, but escapes every text. Supported are %s %c %d %u %x %g with their length
 * modifiers, flags, widths and precisions; widths are in columns of the screen.
 */
void say(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
void say_arguments(struct output *out, const char *format, va_list list);
/* Prints like say(), to a sink. */
void say_to(struct sink *sink, const struct style *style, const char *format, ...) CS_PRINTF(3, 4);
/* Prints like say(), but only for people: nothing in machine formats. */
void note(struct output *out, const char *format, ...) CS_PRINTF(2, 3);
/* Prints a text of several lines; each line is escaped. */
void say_lines(struct output *out, const char *text);
/* Prints a text without escaping it; only for texts of the program itself. */
void say_fixed(struct output *out, const char *text, size_t n);
/* Prints a value in the form that is meant for people, not for programs. */
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
/* Sets the colour of the following text, if the style has colours. */
void say_colour(struct output *out, enum colour colour);

/* Returns how many columns a text of `n` bytes occupies on the screen. */
size_t text_columns(const char *text, size_t n, bool ascii);
/* Returns how many characters a number has when it is printed in decimal, with its minus sign. */
int digits_of(int64_t number);

/* ---- rows of tables ---- */

/* Returns the heading of a column, which is also the label beside a single value. */
static inline const char *column_label(const struct cs_column *column)
{
	return column->label ? column->label : column->key;
}

/* Returns the label of a column in a record, which no other column of the table has as its key. */
static inline const char *record_label(const struct cs_table *table, const struct cs_column *column)
{
	const char *label = column_label(column);
	return cs_table_column(table, label) ? column->key : label;
}

struct rows {
	const struct cs_table *table;
	const void *source;
	const uint32_t *at; /* indices of the rows to print, in this order (NULL = rows 0 to n-1) */
	size_t n;
	const char *columns; /* keys "KEY,KEY", "?" = explain all; NULL = default columns */
	bool as_record;      /* in text format, print one line for each column of a row */
	const char *also;    /* key of a column to add to the default columns (NULL = none) */
	/* called after the rows: returns an error of loading them, or NULL; may be NULL itself */
	struct cs_error *(*unread)(void *context);
	void *context;
	/* passed to cs_table.pass while rows are read, to limit memory (NULL = no such calls) */
	struct cs_reading *reading;
};

/* Prints the rows. Returns E_USAGE when `columns` names a column that the table does not have. */
struct cs_error *emit_rows(struct output *out, const struct rows *rows) CS_MUST_USE;
/* Prints the first `n` rows of a result. */
struct cs_error *emit_result(
	struct output *out, const struct cs_result *result, size_t n) CS_MUST_USE;
