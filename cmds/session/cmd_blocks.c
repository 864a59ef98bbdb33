/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the blocks `if ... else ... end`, `foreach ... end` and `define ... end`, and the
 * command `call`. The lines of a block are collected up to its own `end` and then run; an inner
 * block runs when its lines are reached.
 */
#include "src/session/script/collect.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- if and else ---- */

/* Ends `lines` at the block's `else` and returns the lines after the `else`, or "" without one. */
static char *cut_at_else(char *lines)
{
	int depth = 0;
	for (char *line = lines; *line;) {
		char *end = line + strcspn(line, "\n");
		char kept = *end;
		*end = '\0';
		int step = block_step(line);
		*end = kept;
		if (depth == 0 && line_is_else(line)) {
			*line = '\0';
			return end + (kept == '\n');
		}
		depth += step;
		line = end + (kept == '\n');
	}
	return lines + strlen(lines);
}

/* Attributes an error to the first line of its block. */
static struct cs_error *of_head(struct session *session, unsigned first, struct cs_error *error)
{
	if (!error)
		return NULL;
	if (first)
		session->channels.place->line = first;
	/* the current line is `end`, so an offset would be shown in the wrong line */
	cs_error_move(error, CS_NO_OFFSET);
	return error;
}

static struct cs_error *finish_if(
	struct session *session, const struct block_text *text, struct sink *to)
{
	bool yes = false;
	struct cs_error *error =
		of_head(session, text->first, session_is_true(session, text->head, &yes));
	if (error)
		return error;
	char *otherwise = cut_at_else(text->lines);
	unsigned before = text->first;
	for (const char *c = text->lines; text->first && !yes && c < otherwise; c++)
		before += *c == '\n';
	return run_lines(session, yes ? text->lines : otherwise, before, to);
}

static struct cs_error *run_if(struct call *call)
{
	return begin_block(call->session, call_argument(call, 0)->text, "", finish_if);
}

const struct command command_if = {
	.name = "if",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"EXPRESSION", ARGUMENT_EXPRESSION}},
	.summary = "run lines up to `else` or `end` when an expression is true",
	.examples =
		"if (SELECT count(*) FROM findings) > 0\n  findings -n 3\nelse\n  echo clean\nend",
	.help = "EXPRESSION is SQL (help expressions). An expression is false when its value is 0\n"
		"or NULL.",
	.run = run_if,
};

static struct cs_error *run_else(struct call *call)
{
	(void)call;
	return cs_error_new(CS_E_USAGE,
		"`else` has no `if` before it: write `if EXPRESSION` above the lines before "
		"`else`");
}

const struct command command_else = {
	.name = "else",
	.group = GROUP_SCRIPT,
	.summary = "begin the lines of an `if` that run when its expression is false",
	.examples = "if 1 = 2\n  echo no\nelse\n  echo yes\nend",
	.run = run_else,
};

/* ---- foreach ---- */

/* Sets $NAME to the first value of a row, and $NAME_COLUMN to the value of each column COLUMN. */
static struct cs_error *set_row(
	struct session *session, const char *name, const struct cs_result *result, size_t row)
{
	const struct cs_table *table = cs_result_table(result);
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < table->n_columns; i++) {
		const struct cs_value value = cs_result_value(result, row, i);
		char key[128];
		snprintf(key, sizeof(key), "%s_%s", name, table->columns[i].key);
		if (i == 0)
			error = session_set_variable(session, name, &value);
		if (!error)
			error = session_set_variable(session, key, &value);
	}
	return error;
}

static struct cs_error *run_rows(struct session *session, const struct block_text *text,
	const struct cs_result *result, struct sink *to)
{
	enum { MOST_ROWS = 100000 };
	struct cs_error *error = NULL;
	if (cs_result_rows(result) > MOST_ROWS)
		return of_head(session, text->first,
			cs_error_new(CS_E_LIMIT,
				"foreach takes at most %d rows, but its query returned %zu: add "
				"LIMIT to the query",
				MOST_ROWS, cs_result_rows(result)));
	for (size_t i = 0; !error && !session->quit && i < cs_result_rows(result); i++) {
		if (cs_job_interrupted(&session->job))
			return cs_error_new(CS_E_INTERRUPTED,
				"foreach was interrupted at row %zu of %zu", i,
				cs_result_rows(result));
		error = set_row(session, text->name, result, i);
		if (!error)
			error = run_lines(session, text->lines, text->first, to);
	}
	return error;
}

static struct cs_error *finish_foreach(
	struct session *session, const struct block_text *text, struct sink *to)
{
	struct cs_result *result = NULL;
	struct cs_error *error = of_head(session, text->first,
		cs_query_select(session->query, text->head, session_variables(session), &result));
	if (!error)
		error = run_rows(session, text, result, to);
	cs_result_free(result);
	return error;
}

static bool is_name(const char *name)
{
	return *name && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-")] == '\0';
}

static struct cs_error *run_foreach(struct call *call)
{
	const char *name = call_argument(call, 0)->text, *in = call_argument(call, 1)->text;
	name += *name == '$';
	if (!is_name(name) || strchr(name, '-'))
		return cs_error_new(CS_E_USAGE,
			"'%s' is not the name of a variable: names consist of letters, digits and "
			"_",
			name);
	if (strncmp(in, "in ", 3) != 0)
		return cs_error_new(CS_E_USAGE,
			"foreach needs `in` and a query: write foreach NAME in SELECT ...");
	return begin_block(call->session, in + 3 + strspn(in + 3, " \t"), name, finish_foreach);
}

const struct command command_foreach = {
	.name = "foreach",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_NAME}, {"in SELECT", ARGUMENT_STATEMENT}},
	.summary = "run lines up to `end` for each row of a query",
	.examples = "foreach c in SELECT name, actors FROM cells ORDER BY actors DESC LIMIT 3\n"
		    "  echo $c has $c_actors actors\n  why $c ~ wanted\nend",
	.help = "SELECT is a query in SQL (help expressions). The lines run once for each row. In\n"
		"these lines $NAME is the value of the first column, and $NAME_COLUMN is the\n"
		"value of the column COLUMN. A query of more than 100,000 rows is refused. In the\n"
		"example `~ wanted` prints only the lines that contain `wanted` (help grammar).",
	.run = run_foreach,
};

/* ---- define and call ---- */

static struct cs_error *finish_define(
	struct session *session, const struct block_text *text, struct sink *to)
{
	(void)to;
	return define(&session->words.procedures, text->name, text->lines);
}

static struct cs_error *run_define(struct call *call)
{
	const char *name = call_argument(call, 0)->text;
	char line[COMMAND_NAME + 8];
	if (!is_name(name) || command_begins(name))
		return cs_error_new(CS_E_USAGE, "a command '%s' cannot be defined: %s", name,
			command_begins(name) ? "choose a name that is not a command yet"
					     : "names consist of letters, digits, _ and -");
	/* makes NAME an alias of `call NAME`, so that the procedure's lines can contain it */
	snprintf(line, sizeof(line), "call %s", name);
	struct cs_error *error =
		strlen(name) < COMMAND_NAME
			? define(&call->session->words.aliases, name, line)
			: cs_error_new(CS_E_LIMIT,
				  "the name of a command must have at most %d bytes, not %zu",
				  COMMAND_NAME - 1, strlen(name));
	return error ? error : begin_block(call->session, "", name, finish_define);
}

const struct command command_define = {
	.name = "define",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_NAME}},
	.summary = "define a command that consists of the lines up to `end`",
	.examples = "define look\n  why $1\n  actors @ $1 -n 3\nend\nlook L0:5,1",
	.help = "NAME is the name of the new command. In its lines $1, $2 ... are replaced by the\n"
		"arguments of the command, and $argc is replaced by their number. In the example\n"
		"`actors @ $1` lists the actors of the cell that the argument names.",
	.run = run_define,
};

static struct cs_error *run_call(struct call *call)
{
	struct session *session = call->session;
	const char *name = call_argument(call, 0)->text;
	const char *lines = definition_of(&session->words.procedures, name, strlen(name));
	if (!lines)
		return cs_error_new(CS_E_UNKNOWN,
			"no command '%s' was made by `define`: `define NAME` and lines up to `end` "
			"make one",
			name);
	parameter_list outer = {0};
	char *copy = strdup(lines); /* copied because the lines may redefine the procedure */
	struct cs_error *error = copy ? session_take_arguments(session, &outer) : cs_error_nomem();
	if (!error) {
		const struct cs_value count = cs_integer((int64_t)call->n_arguments - 1);
		error = session_set_variable(call->session, "argc", &count);
		for (size_t i = 1; !error && i < call->n_arguments; i++)
			error = session_set_argument(
				call->session, i, call_argument(call, i)->text);
	}
	if (!error)
		error = run_lines(session, copy, 0, call->out->sink);
	error = cs_error_first(error, session_give_arguments(session, &outer));

	free(copy);
	return error ? record_failed_call(call, error) : NULL;
}

const struct command command_call = {
	.name = "call",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"NAME", ARGUMENT_NAME},
		{"ARGUMENT", ARGUMENT_WORD, .optional = true, .many = true}},
	.summary = "run a command made by `define`; typing its name alone does the same",
	.examples = "define hello\n  echo hello $1\nend\ncall hello world\nhello world",
	.help = "NAME is a command made by `define`. In the lines of NAME the first ARGUMENT\n"
		"replaces $1, the second ARGUMENT replaces $2, and so on.",
	.run = run_call,
};
