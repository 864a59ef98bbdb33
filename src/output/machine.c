/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints rows for programs. JSON is one object, {"schema":"cellscope.KIND/1","rows":[...]}, with
 * one row per line. CSV follows RFC 4180 with a heading; a vector has one column for each
 * coordinate, items of lists are separated by semicolons, null is an empty field and an empty text
 * is "". TSV escapes special characters instead of quoting.
 */
#include "src/output/emit.h"
#include "src/output/lines.h"

#include <string.h>

static void line_add(struct line *line, const char *text)
{
	into_line(line, text, strlen(text));
}

/* ---- JSON ---- */

static void json_row(
	const struct rows *rows, const struct columns *columns, size_t row, struct line *line)
{
	line->text.n = 0;
	line_add(line, "{");
	for (size_t c = 0; c < columns->at.n; c++) {
		const struct cs_column *column = columns->at.at[c];
		struct cs_value value = cs_table_get(rows->table, rows->source, row, column);
		if (c)
			line_add(line, ",");
		cs_text_put(column->key, strlen(column->key), CS_FORM_JSON, into_line, line);
		line_add(line, ":");
		cs_value_put(&value, CS_FORM_JSON, into_line, line);
	}
	line_add(line, "}");
}

static void json_begin(struct output *out, const char *kind)
{
	sink_text(out->sink, JSON_LIST_BEGIN);
	sink_text(out->sink, kind);
	sink_text(out->sink, "/1\",\"rows\":[");
}

static void json_put_row(struct output *out, struct line *line, bool *any)
{
	if (!passes(out, line))
		return;
	sink_text(out->sink, *any ? "," : "");
	sink_text(out->sink, out->style.compact ? "" : "\n");
	sink_write(out->sink, line->text.at ? line->text.at : "", line->text.n);
	*any = true;
}

/* ---- CSV and TSV ---- */

struct separated {
	struct line *line;
	bool csv;
	bool first;
};

static void next_field(struct separated *to)
{
	if (!to->first)
		line_add(to->line, to->csv ? "," : "\t");
	to->first = false;
}

/* If the part of the line that begins at `start` needs CSV quotes, adds them. */
static void quote(struct separated *to, size_t start, bool is_text)
{
	struct line *line = to->line;
	size_t n = line->text.n - start;
	const char *text = n ? line->text.at + start : "";
	if (!to->csv || line->failed ||
		!((n == 0 && is_text) || memchr(text, ',', n) || memchr(text, '"', n)))
		return;
	struct line quoted = {0};
	line_add(&quoted, "\"");
	for (size_t i = 0; i < n; i++) {
		into_line(&quoted, &text[i], 1);
		if (text[i] == '"')
			line_add(&quoted, "\"");
	}
	line_add(&quoted, "\"");
	line->text.n = start;
	into_line(line, quoted.text.at ? quoted.text.at : "", quoted.text.n);
	line->failed = line->failed || quoted.failed;
	cs_vec_free(&quoted.text);
}

static void add_plain(struct separated *to, const struct cs_value *value, bool ascii)
{
	if (value->kind == CS_KIND_NULL)
		return;
	if (value->kind == CS_KIND_TEXT || value->kind == CS_KIND_GUID ||
		value->kind == CS_KIND_HEX)
		cs_value_put(value, ascii ? CS_FORM_ASCII : CS_FORM_TEXT, into_line, to->line);
	else
		cs_value_put(value, CS_FORM_JSON, into_line, to->line);
}

static void add_list(struct separated *to, const struct cs_value *list, bool ascii)
{
	for (uint32_t i = 0; i < list->list.n; i++) {
		struct cs_value item;
		list->list.item(list, i, &item);
		line_add(to->line, i ? ";" : "");
		add_plain(to, &item, ascii);
	}
}

static unsigned axes_of(const struct cs_column *column)
{
	return column->kind == CS_KIND_VEC3 ? 3 : column->kind == CS_KIND_QUAT ? 4 : 0;
}

static void add_vector(struct separated *to, const struct cs_value *value, unsigned axes)
{
	const double vec3[] = {value->vec3.x, value->vec3.y, value->vec3.z};
	const double quat[] = {value->quat.x, value->quat.y, value->quat.z, value->quat.w};
	for (unsigned axis = 0; axis < axes; axis++) {
		struct cs_value number = value->kind == CS_KIND_NULL
						 ? cs_null()
						 : cs_number(axes == 3 ? vec3[axis] : quat[axis]);
		next_field(to);
		add_plain(to, &number, true);
	}
}

/* Inserts an apostrophe at `start` if a spreadsheet would take the text there for a formula. */
static void defuse(struct separated *to, size_t start)
{
	struct line *line = to->line;
	size_t n = line->text.n - start;
	if (line->failed || n == 0 || !strchr("=+-@\t\r", line->text.at[start]))
		return;
	line_add(line, "'");
	if (line->failed)
		return;
	memmove(line->text.at + start + 1, line->text.at + start, n);
	line->text.at[start] = '\'';
}

static void separated_row(struct output *out, const struct rows *rows,
	const struct columns *columns, size_t row, struct separated *to)
{
	to->line->text.n = 0;
	to->first = true;
	for (size_t c = 0; c < columns->at.n; c++) {
		const struct cs_column *column = columns->at.at[c];
		struct cs_value value = cs_table_get(rows->table, rows->source, row, column);
		if (axes_of(column)) {
			add_vector(to, &value, axes_of(column));
			continue;
		}
		next_field(to);
		size_t start = to->line->text.n;
		if (value.kind == CS_KIND_LIST)
			add_list(to, &value, out->style.ascii_data);
		else
			add_plain(to, &value, out->style.ascii_data);
		if (out->style.csv_safe &&
			(value.kind == CS_KIND_TEXT || value.kind == CS_KIND_LIST))
			defuse(to, start);
		quote(to, start, value.kind == CS_KIND_TEXT);
	}
}

static void separated_heading(const struct columns *columns, struct separated *to)
{
	static const char *const suffixes[] = {"_x", "_y", "_z", "_w"};
	to->first = true;
	for (size_t c = 0; c < columns->at.n; c++) {
		const struct cs_column *column = columns->at.at[c];
		for (unsigned axis = 0; axis == 0 || axis < axes_of(column); axis++) {
			struct cs_value key = cs_text(column->key);
			next_field(to);
			size_t start = to->line->text.n;
			cs_value_put(&key, CS_FORM_ASCII, into_line, to->line);
			line_add(to->line, axes_of(column) ? suffixes[axis] : "");
			quote(to, start, true);
		}
	}
}

static void put_line(struct output *out, struct line *line)
{
	line_add(line, "\n");
	if (out->style.compact)
		put_unlike_list(out, line->text.at ? line->text.at : "", line->text.n);
	else
		sink_write(out->sink, line->text.at ? line->text.at : "", line->text.n);
}

/* ---- rows in either form ---- */

static void put_machine_row(struct output *out, struct line *line, bool *any)
{
	if (out->style.format == FORMAT_JSON)
		json_put_row(out, line, any);
	else if (passes(out, line))
		put_line(out, line);
}

static void machine_end(struct output *out, struct line *line, bool any)
{
	if (out->style.format == FORMAT_JSON) {
		sink_text(out->sink, any && !out->style.compact ? "\n]}" : "]}");
		sink_text(out->sink, "\n");
	}
	out->failed = out->failed || line->failed;
	cs_vec_free(&line->text);
}

struct cs_error *emit_machine(
	struct output *out, const struct rows *rows, const struct columns *columns)
{
	const bool json = out->style.format == FORMAT_JSON;
	struct line line = {0};
	struct separated to = {&line, out->style.format == FORMAT_CSV, true};
	struct cs_error *error = NULL;
	bool any = false;
	if (json) {
		json_begin(out, rows->table->row_name);
	} else {
		separated_heading(columns, &to);
		put_line(out, &line);
	}
	for (size_t i = 0; pass_goes(rows, columns, i, !error && !line.failed); i++) {
		if (json)
			json_row(rows, columns, row_at(rows, i), &line);
		else
			separated_row(out, rows, columns, row_at(rows, i), &to);
		error = why_unread(rows);
		if (!error)
			put_machine_row(out, &line, &any);
	}
	machine_end(out, &line, any);
	return error;
}

/* ---- sentences ---- */

/* Writes a row whose only field is a text, which say() has escaped already. */
static void said_row(const struct output *out, const char *text, size_t n, struct line *line)
{
	struct separated to = {line, out->style.format == FORMAT_CSV, true};
	line->text.n = 0;
	if (out->style.format == FORMAT_JSON) {
		line_add(line, "{\"text\":");
		cs_text_put(text, n, CS_FORM_JSON, into_line, line);
		line_add(line, "}");
		return;
	}
	into_line(line, text, n);
	if (out->style.csv_safe)
		defuse(&to, 0);
	quote(&to, 0, true);
}

void emit_said(struct output *out)
{
	struct line line = {0};
	bool any = false;
	if (out->style.format == FORMAT_JSON)
		json_begin(out, "text");
	else
		sink_text(out->sink, "text\n");
	for (size_t at = 0; at < out->said.n;) {
		const char *text = out->said.at + at;
		const char *end = memchr(text, '\n', out->said.n - at);
		size_t n = end ? (size_t)(end - text) : out->said.n - at;
		said_row(out, text, n, &line);
		put_machine_row(out, &line, &any);
		at += n + (end != NULL);
	}
	machine_end(out, &line, any);
}
