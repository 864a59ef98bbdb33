/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `sql` (queries over all tables) and `print` (a record as the file stores it). */
#include "src/language/arguments.h"
#include "src/session/plain.h"

#include <string.h>

/* ---- command sql ---- */

static struct cs_error *run_sql(struct call *call)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(call->session->query, call_argument(call, 0)->text,
		session_variables(call->session), &result);
	if (error)
		return error;
	const struct rows rows = {
		.table = cs_result_table(result), .source = result, .n = cs_result_rows(result)};
	error = emit_rows(call->out, &rows);
	cs_result_free(result);
	return error;
}

const struct command command_sql = {
	.name = "sql",
	.group = GROUP_INSPECT,
	.flags = COMMAND_PARTS,
	.arguments = {{"STATEMENT", ARGUMENT_STATEMENT}},
	.summary = "run a query in SQL",
	.examples = "sql SELECT grid, level, count(*) FROM cells GROUP BY grid, level\n"
		    "sql --json SELECT label, level FROM actors a JOIN cells c ON a.cell = c.name",
	.help = "STATEMENT is the rest of the line. Only SELECT is allowed. `info tables` lists\n"
		"the tables. When the statement is in double quotes, a filter (~), a shell\n"
		"command (|) or a file for the output (>) may follow (help grammar): `sql \"SELECT\n"
		"name FROM cells\" > cells.txt`.",
	.run = run_sql,
};

/* ---- command print ---- */

/* A record of a file as a table: one row per field. */
struct fields {
	const struct cs_file *file;
	struct cs_spot spot;
	CS_VEC(char *) values;
};

static const struct cs_field *query_field_at(const struct fields *fields, size_t index)
{
	return fields->spot.field ? fields->spot.field : &fields->spot.record->fields[index];
}

static size_t field_count(const void *source)
{
	return ((const struct fields *)source)->values.n;
}

static const void *field_row(const void *source, size_t index)
{
	return query_field_at(source, index);
}

static void query_get_value(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(((const struct fields *)row->source)->values.at[row->index]);
}

PLAIN_GETTER(query_get_offset, struct cs_field, cs_integer(at->offset))
static const struct cs_column columns[] = {
	SHORT_VALUE("offset", INTEGER, query_get_offset, "offset in the row in bytes"),
	SHORT_AS("field", struct cs_field, name, "name of the field"),
	SHORT_VALUE("value", TEXT, query_get_value, "value in the file"),
	PLAIN(struct cs_field, unit, "unit of the value"),
	PLAIN(struct cs_field, doc, "meaning of the field"),
};

static const struct cs_table fields_table =
	PLAIN_TABLE_OF("fields", "field", columns, field_count, field_row);

static struct cs_error *add_value(struct fields *fields, const struct cs_field *field)
{
	const struct cs_spot *spot = &fields->spot;
	size_t n = cs_field_format(fields->file, field, spot->row, spot->element, NULL, 0);
	char *text = malloc(n + 1);
	if (!text || !cs_vec_push(&fields->values, text)) {
		free(text);
		return cs_error_nomem();
	}
	cs_field_format(fields->file, field, spot->row, spot->element, text, n + 1);
	return NULL;
}

static struct cs_error *add_values(struct fields *fields)
{
	if (fields->spot.field)
		return add_value(fields, fields->spot.field);
	for (size_t i = 0; i < fields->spot.record->n_fields; i++) {
		struct cs_error *error = add_value(fields, &fields->spot.record->fields[i]);
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *query_print_path(struct call *call, const char *path)
{
	struct fields fields = {.file = call->session->world->file};
	struct cs_error *error = cs_file_follow(call->session->world->file, path, &fields.spot);
	if (!error)
		error = add_values(&fields);
	if (!error && fields.spot.field && call->out->style.format == FORMAT_TEXT)
		say(call->out, "%s\n", fields.values.at[0]);
	else if (!error)
		error = call_list_own(call, &fields_table, &fields);
	for (size_t i = 0; i < fields.values.n; i++)
		free(fields.values.at[i]);
	cs_vec_free(&fields.values);
	return error;
}

static struct cs_error *print_expression(struct call *call, const char *text)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_evaluate(
		call->session->query, text, session_variables(call->session), &result);
	if (error)
		return error;
	const struct cs_value value = cs_result_value(result, 0, 0);
	if (call->out->style.format == FORMAT_TEXT) {
		say_value(call->out, &value);
		say(call->out, "\n");
	} else {
		const struct rows rows = {
			.table = cs_result_table(result), .source = result, .n = 1};
		error = emit_rows(call->out, &rows);
	}
	cs_result_free(result);
	return error;
}

static struct cs_error *run_print(struct call *call)
{
	const char *text = call_argument(call, 0)->text;
	if (!is_field_path(text))
		return print_expression(call, text);
	if (!call->session->world)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	return query_print_path(call, text);
}

const struct command command_print = {
	.name = "print",
	.alias = "p",
	.group = GROUP_INSPECT,
	.flags = COMMAND_LISTS,
	.arguments = {{"FIELDPATH|EXPRESSION", ARGUMENT_FIELD_PATH}},
	.summary = "print a field or a row of the open world, or the value of an SQL expression",
	.examples = "print world.profile\n"
		    "print cells[12]\n"
		    "print cells[12].partition.loading_range\n"
		    "print cells[12].actors[0].label\n"
		    "p (SELECT max(actors) FROM cells) * 2",
	.help = "FIELDPATH consists of a table of the cooked file, the number of a row in\n"
		"brackets, and fields. A dot after a field that refers to a row continues with\n"
		"the fields of that row; when a field refers to several rows, a number in\n"
		"brackets chooses one. Numbers begin at 0. cellscope-format(5) lists the tables.\n"
		"An argument that is no FIELDPATH is an SQL expression.",
	.run = run_print,
};
