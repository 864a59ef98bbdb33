/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `sql` (queries over all tables) and `print` (a record as the file stores it). */
#include "src/language/arguments.h"
#include "src/session/plain.h"

static struct cs_error *run_sql(struct call *call)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(call->session->query, call_argument(call, 0)->text,
		session_variables(call->session), &result);
	if (error)
		return error;
	error = emit_result(call->out, result, cs_result_rows(result));
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
		"the tables. To filter the output (~), to send it to a shell command (|) or to\n"
		"write it to a file (>), put STATEMENT in double quotes, as in `sql \"SELECT name\n"
		"FROM cells\" > cells.txt` (help grammar).",
	.run = run_sql,
};

/* ---- command print ---- */

/* A field of a row of a file, as a row of the table that `print` prints. */
struct field_row {
	int64_t offset;
	const char *field;
	char *value;
	const char *unit, *doc;
};

typedef CS_VEC(struct field_row) field_rows;

static const struct cs_column columns[] = {
	SHORT(struct field_row, offset, "offset in the row in bytes"),
	SHORT(struct field_row, field, "name of the field"),
	SHORT(struct field_row, value, "value in the file"),
	PLAIN(struct field_row, unit, "unit of the value"),
	PLAIN(struct field_row, doc, "meaning of the field"),
};

static const struct cs_table fields_table = PLAIN_TABLE("fields", "field", columns);

static struct cs_error *add_value(const struct cs_file *file, const struct cs_spot *spot,
	const struct cs_field *field, field_rows *to)
{
	size_t n = cs_field_format(file, field, spot->row, spot->element, NULL, 0);
	struct field_row row = {field->offset, field->name, malloc(n + 1), field->unit, field->doc};
	if (!row.value || !cs_vec_push(to, row)) {
		free(row.value);
		return cs_error_nomem();
	}
	cs_field_format(file, field, spot->row, spot->element, row.value, n + 1);
	return NULL;
}

static struct cs_error *query_print_path(struct call *call, const char *path)
{
	struct cs_file *file = call->session->world->file;
	struct cs_spot spot;
	field_rows rows = {0};
	struct cs_error *error = cs_file_follow(file, path, &spot);
	if (!error) {
		const struct cs_field *fields = spot.field ? spot.field : spot.record->fields;
		const size_t n = spot.field ? 1 : spot.record->n_fields;
		for (size_t i = 0; !error && i < n; i++)
			error = add_value(file, &spot, &fields[i], &rows);
	}
	if (!error && spot.field && call->out->style.format == FORMAT_TEXT)
		say(call->out, "%s\n", rows.at[0].value);
	else if (!error)
		error = emit_plain(call, &fields_table, rows.at, rows.n);
	for (size_t i = 0; i < rows.n; i++)
		free(rows.at[i].value);
	cs_vec_free(&rows);
	return error;
}

static struct cs_error *print_expression(struct call *call, const char *text)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_evaluate(
		call->session->query, text, NULL, session_variables(call->session), &result);
	if (error)
		return error;
	const struct cs_value value = cs_result_value(result, 0, 0);
	if (call->out->style.format == FORMAT_TEXT) {
		say_value(call->out, &value);
		say(call->out, "\n");
	} else {
		error = emit_result(call->out, result, 1);
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
	.help = "FIELDPATH names a value of the cooked file by a table, the number of a row in\n"
		"brackets, counted from 0, and names of fields after dots. cells[12] is a whole\n"
		"row. world.profile has no number, because the table `world` has only one row. A\n"
		"field that refers to another row leads on to the fields of that row:\n"
		"cells[12].partition.loading_range is the loading range of the grid of that cell.\n"
		"When a field refers to several rows, a number in brackets chooses one of these\n"
		"rows, as in cells[12].actors[0]. cellscope-format(5) lists the tables and\n"
		"fields. Any other argument is an EXPRESSION in SQL (help expressions).",
	.run = run_print,
};
