/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the columns of a listing, and prints rows for people. A table is measured before it is
 * printed: each column is as wide as its widest value, and when the row is wider than the screen,
 * the widest columns of text are narrowed.
 */
#include "src/output/emit.h"
#include "src/output/plain_rows.h"

#include "core/items.h"
#include "core/utf8.h"

#include <math.h>
#include <string.h>

enum { LEAST_WIDTH = 10, GAP = 2 };

/* ---- columns ---- */

static const struct cs_column *column_named(const struct cs_table *table, const char *key, size_t n)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (strlen(table->columns[i].key) == n &&
			memcmp(table->columns[i].key, key, n) == 0)
			return &table->columns[i];
	return NULL;
}

static bool is_chosen_already(const struct columns *columns, const struct cs_column *column)
{
	for (size_t i = 0; i < columns->at.n; i++)
		if (columns->at.at[i] == column)
			return true;
	return false;
}

/* Adds each named column once, because the keys of a JSON object must differ. */
static struct cs_error *emit_named_columns(const char *keys, struct columns *columns)
{
	struct cs_item key;
	while (cs_next_item(&keys, &key)) {
		const struct cs_column *column = column_named(columns->table, key.at, key.n);
		if (!column)
			return cs_error_new(CS_E_USAGE,
				"%s have no column '%.*s'; -c ? lists their columns",
				columns->table->name, (int)key.n, key.at);
		if (!is_chosen_already(columns, column) && !cs_vec_push(&columns->at, column))
			return cs_error_nomem();
	}
	return NULL;
}

/* Returns whether the column has a value in at least one of the rows. */
static bool is_present(const struct rows *rows, const struct cs_column *column)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct cs_value value =
			cs_table_get(rows->table, rows->source, row_at(rows, i), column);
		if (value.kind != CS_KIND_NULL)
			return true;
		pass_rows(rows, CS_PASS_STEP);
	}
	return false;
}

static bool is_default(const struct rows *rows, const struct cs_column *column)
{
	return column->flags & CS_COLUMN_SHORT ||
	       (rows->also && strcmp(column->key, rows->also) == 0) ||
	       (column->flags & CS_COLUMN_PRESENT && is_present(rows, column));
}

static struct cs_error *default_columns(bool all, const struct rows *rows, struct columns *columns)
{
	const struct cs_table *table = columns->table;
	bool good = true;
	begin_pass(rows, NULL);
	for (size_t i = 0; good && i < table->n_columns; i++)
		if (all || is_default(rows, &table->columns[i]))
			good = cs_vec_push(&columns->at, &table->columns[i]);
	pass_rows(rows, CS_PASS_END);
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *load_columns(const struct columns *columns)
{
	unsigned part = 0;
	for (size_t i = 0; i < columns->at.n; i++)
		if (columns->at.at[i]->part > part)
			part = columns->at.at[i]->part;
	for (unsigned i = 0; columns->table->load && i <= part; i++) {
		struct cs_error *error = columns->table->load(columns->source, i);
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *emit_in_format(
	struct output *out, const struct rows *rows, const struct columns *columns)
{
	out->emitted = true;
	if (out->taker)
		return out->taker->take(out->taker, rows);
	if (out->style.format != FORMAT_TEXT)
		return emit_machine(out, rows, columns);
	return rows->as_record ? emit_record(out, rows, columns) : emit_table(out, rows, columns);
}

/* ---- explanation of columns ---- */

PLAIN_GETTER(emit_column_heading, struct cs_column,
	at->label && * at->label != ' ' ? cs_text(at->label) : cs_null())

/* Prints the name, heading, unit and meaning of each column of the table, as `-c ?` requests. */
static struct cs_error *explain_columns(struct output *out, const struct cs_table *table)
{
	static const struct cs_column columns[] = {
		SHORT_AS("column", struct cs_column, key, NULL),
		PLAIN_VALUE("heading", TEXT, emit_column_heading, NULL, .flags = CS_COLUMN_PRESENT),
		PLAIN(struct cs_column, unit, NULL, .flags = CS_COLUMN_PRESENT),
		SHORT(struct cs_column, doc, NULL),
	};
	static const struct cs_table explained = PLAIN_TABLE("columns", "column", columns);
	const struct plain_rows source = {table->columns, table->n_columns, sizeof(*columns)};
	const struct rows rows = {.table = &explained, .source = &source, .n = table->n_columns};
	const struct output before = *out;
	/* no limit, because cut texts would not explain, and the terminal wraps long lines */
	out->style.width = 0;
	if (out->explains)
		out->sink = out->unfiltered = out->explains;
	struct cs_error *error = emit_rows(out, &rows);
	out->style.width = before.style.width;
	out->sink = before.sink;
	out->unfiltered = before.unfiltered;
	return error;
}

struct cs_error *emit_rows(struct output *out, const struct rows *rows)
{
	if (rows->columns && strcmp(rows->columns, "?") == 0)
		return explain_columns(out, rows->table);
	struct columns columns = {.table = rows->table, .source = rows->source};
	bool for_people = out->style.format == FORMAT_TEXT;
	struct cs_error *error =
		rows->columns ? emit_named_columns(rows->columns, &columns)
			      : default_columns(!for_people || rows->as_record, rows, &columns);
	/* a table without default columns is printed as a record of all columns */
	struct rows emitted = *rows;
	emitted.as_record = rows->as_record || columns.at.n == 0;
	if (!error && columns.at.n == 0)
		error = default_columns(true, rows, &columns);
	if (!error)
		error = load_columns(&columns);
	if (!error)
		error = emit_in_format(out, &emitted, &columns);
	cs_vec_free(&columns.at);
	return error;
}

struct cs_error *emit_result(struct output *out, const struct cs_result *result, size_t n)
{
	const struct rows rows = {.table = cs_result_table(result), .source = result, .n = n};
	return emit_rows(out, &rows);
}

/* ---- tables: one line for each row ---- */

void into_line(void *context, const char *bytes, size_t n)
{
	struct line *line = context;
	if (!cs_vec_append(&line->text, bytes, n))
		line->failed = true;
}

bool passes(const struct output *out, struct line *line)
{
	if (!out->filter)
		return true;
	if (!cs_vec_push(&line->text, '\0')) {
		line->failed = true;
		return false;
	}
	line->text.n--; /* removes the final NUL */
	return filter_matches(out->filter, line->text.at);
}

/*
 * Rounds numbers for tables: to four decimals, between -1 and 1 to four digits. Other formats print
 * all digits.
 */
static struct cs_value shorter(struct cs_value value)
{
	char digits[CS_DOUBLE_TEXT];
	if (value.kind != CS_KIND_NUMBER || !(fabs(value.number) < 1e15))
		return value;
	snprintf(digits, sizeof(digits), fabs(value.number) < 1 ? "%.4g" : "%.4f", value.number);
	return cs_number(strtod(digits, NULL));
}

/* Formats the value of a table cell as escaped text; returns how many columns the text occupies. */
static size_t fill_cell(const struct output *out, const struct columns *columns, size_t row,
	size_t column, struct line *cell)
{
	struct cs_value value =
		shorter(cs_table_get(columns->table, columns->source, row, columns->at.at[column]));
	cell->text.n = 0;
	cs_value_put(&value, out->style.ascii ? CS_FORM_ASCII : CS_FORM_TEXT, into_line, cell);
	return text_columns(cell->text.at ? cell->text.at : "", cell->text.n, out->style.ascii);
}

static bool emit_is_number(enum cs_kind kind)
{
	return kind == CS_KIND_INTEGER || kind == CS_KIND_NUMBER;
}

static bool may_shrink(const struct cs_column *column)
{
	return column->kind == CS_KIND_TEXT || column->kind == CS_KIND_LIST;
}

/* Narrows the widest column of text until the row fits the screen or no column can be narrowed. */
static void emit_fit(const struct output *out, const struct columns *columns, size_t *widths)
{
	size_t total = 0;
	for (size_t i = 0; i < columns->at.n; i++)
		total += widths[i] + GAP;
	total -= total ? GAP : 0;
	while (out->style.width && total > out->style.width) {
		size_t widest = columns->at.n;
		for (size_t i = 0; i < columns->at.n; i++)
			if (may_shrink(columns->at.at[i]) && widths[i] > LEAST_WIDTH &&
				(widest == columns->at.n || widths[i] > widths[widest]))
				widest = i;
		if (widest == columns->at.n)
			return;
		widths[widest]--;
		total--;
	}
}

static void emit_measure(struct output *out, const struct rows *rows, const struct columns *columns,
	size_t *widths, struct line *cell)
{
	for (size_t c = 0; c < columns->at.n; c++)
		widths[c] = strlen(column_label(columns->at.at[c]));
	for (size_t i = 0; pass_goes(rows, columns, i, true); i++) {
		for (size_t c = 0; c < columns->at.n; c++) {
			size_t width = fill_cell(out, columns, row_at(rows, i), c, cell);
			if (width > widths[c])
				widths[c] = width;
		}
	}
	emit_fit(out, columns, widths);
}

static void put_blanks(struct output *out, size_t n)
{
	while (n-- > 0)
		say_fixed(out, " ", 1);
}

/* Returns how many bytes of an escaped text fit in `columns`, without cutting a character. */
static size_t fitting(const char *text, size_t n, size_t columns, bool ascii)
{
	size_t fits = 0;
	for (size_t end = 1; end <= n; end++) {
		if (end < n && cs_utf8_inside(text[end]))
			continue;
		if (text_columns(text, end, ascii) > columns)
			break;
		fits = end;
	}
	return fits;
}

/* Returns the offset of the longest end of an escaped text that fits in `columns`. */
static size_t fitting_end(const char *text, size_t n, size_t columns, bool ascii)
{
	size_t start = 0;
	while (start < n && (cs_utf8_inside(text[start]) ||
				    text_columns(text + start, n - start, ascii) > columns))
		start++;
	return start;
}

/* Cuts a text to `width` with "..". Keeps the end of a text without blanks (a name or path). */
static void emit_put_cut(struct output *out, const char *text, size_t n, size_t width, bool last)
{
	bool ascii = out->style.ascii;
	bool is_name = !memchr(text, ' ', n);
	size_t start = is_name ? fitting_end(text, n, width - 2, ascii) : 0;
	size_t end = is_name ? n : fitting(text, n, width - 2, ascii);
	size_t columns = text_columns(text + start, end - start, ascii) + 2;
	say_fixed(out, "..", is_name ? 2 : 0);
	say_fixed(out, text + start, end - start);
	say_fixed(out, "..", is_name ? 0 : 2);
	put_blanks(out, last ? 0 : width - columns);
}

static void emit_put_cell(
	struct output *out, const char *text, size_t n, size_t width, bool right, bool last)
{
	size_t columns = text_columns(text, n, out->style.ascii);
	if (columns > width && width > 2) {
		emit_put_cut(out, text, n, width, last);
		return;
	}
	size_t blanks = columns < width ? width - columns : 0;
	put_blanks(out, right ? blanks : 0);
	say_fixed(out, text, n);
	put_blanks(out, right || last ? 0 : blanks);
}

static void put_heading(struct output *out, const struct columns *columns, const size_t *widths)
{
	say_colour(out, COLOUR_TITLE);
	for (size_t c = 0; c < columns->at.n; c++) {
		const char *label = column_label(columns->at.at[c]);
		put_blanks(out, c ? GAP : 0);
		emit_put_cell(out, label, strlen(label), widths[c],
			emit_is_number(columns->at.at[c]->kind), c + 1 == columns->at.n);
	}
	say_colour(out, COLOUR_NONE);
	say_fixed(out, "\n", 1);
}

static bool row_passes(
	struct output *out, const struct columns *columns, size_t row, struct line *cell)
{
	cell->text.n = 0;
	for (size_t c = 0; out->filter && c < columns->at.n; c++) {
		struct cs_value value =
			cs_table_get(columns->table, columns->source, row, columns->at.at[c]);
		into_line(cell, "  ", c ? GAP : 0);
		cs_value_put(
			&value, out->style.ascii ? CS_FORM_ASCII : CS_FORM_TEXT, into_line, cell);
	}
	return passes(out, cell);
}

static void put_row(struct output *out, const struct columns *columns, size_t row,
	const size_t *widths, struct line *cell)
{
	for (size_t c = 0; c < columns->at.n; c++) {
		fill_cell(out, columns, row, c, cell);
		put_blanks(out, c ? GAP : 0);
		emit_put_cell(out, cell->text.at ? cell->text.at : "", cell->text.n, widths[c],
			emit_is_number(columns->at.at[c]->kind), c + 1 == columns->at.n);
	}
	say_fixed(out, "\n", 1);
}

static void emit_rows_of_table(struct output *out, const struct rows *rows,
	const struct columns *columns, const size_t *widths, struct line *cell)
{
	struct sink *filtered = out->sink;
	put_heading(out, columns, widths);
	if (rows->n == 0 && out->style.height > 0)
		say(out, "none: %s\n", rows->table->doc ? rows->table->doc : rows->table->name);
	out->sink = out->unfiltered;
	for (size_t i = 0; pass_goes(rows, columns, i, !cell->failed); i++) {
		if (row_passes(out, columns, row_at(rows, i), cell))
			put_row(out, columns, row_at(rows, i), widths, cell);
	}
	out->sink = filtered;
	out->failed = out->failed || cell->failed;
}

struct cs_error *emit_table(
	struct output *out, const struct rows *rows, const struct columns *columns)
{
	struct line cell = {0};
	size_t *widths = calloc(columns->at.n + 1, sizeof(*widths));
	if (!widths)
		return cs_error_nomem();
	emit_measure(out, rows, columns, widths, &cell);
	struct cs_error *error = why_unread(rows);
	if (!error)
		emit_rows_of_table(out, rows, columns, widths, &cell);
	cs_vec_free(&cell.text);
	free(widths);
	return error;
}

/* ---- records: one line for each column ---- */

static void emit_put_field(struct output *out, const char *label, size_t width,
	const struct cs_value *value, struct line *cell)
{
	size_t indent = width + GAP;
	cell->text.n = 0;
	cs_value_put(value, out->style.ascii ? CS_FORM_ASCII : CS_FORM_TEXT, into_line, cell);
	const char *text = cell->text.at ? cell->text.at : "";
	size_t left = cell->text.n;
	say(out, "%-*s", (int)indent, label);
	/* breaks a list after a comma; other values are not broken */
	while (out->style.width > indent && value->kind == CS_KIND_LIST &&
		text_columns(text, left, out->style.ascii) > out->style.width - indent) {
		size_t fits = fitting(text, left, out->style.width - indent, out->style.ascii);
		size_t cut = fits;
		while (cut > 1 && !(text[cut - 2] == ',' && text[cut - 1] == ' '))
			cut--;
		if (cut <= 1)
			break;
		say_fixed(out, text, cut - 1);
		say_fixed(out, "\n", 1);
		put_blanks(out, indent);
		text += cut;
		left -= cut;
	}
	say_fixed(out, text, left);
	say_fixed(out, "\n", 1);
}

/* Returns whether the filter accepts the label and value, even if printed on several lines. */
static bool field_passes(
	struct output *out, const char *label, const struct cs_value *value, struct line *cell)
{
	if (!out->filter)
		return true;
	cell->text.n = 0;
	into_line(cell, label, strlen(label));
	into_line(cell, "  ", GAP);
	cs_value_put(value, out->style.ascii ? CS_FORM_ASCII : CS_FORM_TEXT, into_line, cell);
	return passes(out, cell);
}

struct cs_error *emit_record(
	struct output *out, const struct rows *rows, const struct columns *columns)
{
	struct line cell = {0};
	struct cs_error *error = NULL;
	struct sink *filtered = out->sink;
	size_t width = 0;
	for (size_t c = 0; c < columns->at.n; c++) {
		size_t n = strlen(record_label(columns->table, columns->at.at[c]));
		width = n > width ? n : width;
	}
	for (size_t i = 0; pass_goes(rows, columns, i, !error); i++) {
		if (i)
			say_fixed(out, "\n", 1);
		out->sink = out->unfiltered;
		for (size_t c = 0; c < columns->at.n && !error; c++) {
			const char *label = record_label(columns->table, columns->at.at[c]);
			struct cs_value value = cs_table_get(columns->table, columns->source,
				row_at(rows, i), columns->at.at[c]);
			error = why_unread(rows);
			if (!error && value.kind != CS_KIND_NULL &&
				!(value.kind == CS_KIND_LIST && value.list.n == 0) &&
				field_passes(out, label, &value, &cell))
				emit_put_field(out, label, width, &value, &cell);
		}
		out->sink = filtered;
	}
	out->failed = out->failed || cell.failed;
	cs_vec_free(&cell.text);
	return error;
}
