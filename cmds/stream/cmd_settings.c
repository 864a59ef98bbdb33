/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `set`, `show` and `reset`: options of the session, and variables. */
#include "cmds/stream/cmd_set.h"
#include "src/session/plain.h"

#include <ctype.h>
#include <string.h>

/* ---- command set ---- */

/* Evaluates `text`, which is "= EXPR", and stores the value in the session variable `name`. */
static struct cs_error *set_parameter(struct call *call, const char *name, const char *text)
{
	struct session *session = call->session;
	struct cs_result *result;
	if (*text != '=')
		return cs_error_new(CS_E_USAGE,
			"set %s needs = and an expression: write set %s = EXPR", name, name);
	for (const char *c = name + 1; *c || c == name + 1; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return cs_error_new(CS_E_USAGE,
				"'%s' is not the name of a variable: names are $ and then letters, "
				"digits or _",
				name);
	struct cs_error *error = cs_query_evaluate(
		session->query, text + 1, NULL, session_variables(session), &result);
	if (error)
		return error;
	const struct cs_value value = cs_result_value(result, 0, 0);
	error = session_set_variable(session, name + 1, &value);
	cs_result_free(result);
	return error;
}

static struct cs_error *settings_run_set(struct call *call)
{
	const char *name = call_argument(call, 0)->text;
	const char *text = call_argument(call, 1)->text;
	enum setting setting;
	long value;
	if (name[0] == '$')
		return set_parameter(call, name, text);
	size_t variable = cs_stream_find_variable(name);
	if (variable != SIZE_MAX)
		return set_variable(call, variable, text);
	struct cs_error *error = setting_find(name, &setting);
	if (!error)
		error = setting_parse(setting, text, &value);
	if (!error)
		session_apply(call->session, setting, value);
	return error;
}

const struct command command_set = {
	.name = "set",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"OPTION|$NAME", ARGUMENT_SETTING}, {"VALUE", ARGUMENT_EXPRESSION}},
	.summary = "set an option of the session, or a variable",
	.examples = "set output json\n"
		    "set color never\n"
		    "set $limit = (SELECT avg(actors) FROM cells) * 2",
	.help = "The command has two forms. `set OPTION VALUE` gives a new value to OPTION, which\n"
		"is an option of the session (`show` lists them) or a console variable\n"
		"(`variable` lists them); `show OPTION` prints the present value. `set $NAME =\n"
		"EXPR`, where VALUE begins with =, sets the variable $NAME to the value of EXPR,\n"
		"which is SQL (help expressions). Later lines can use $NAME in expressions; in\n"
		"other arguments $NAME is replaced by the value.",
	.run = settings_run_set,
};

/* ---- command show ---- */

PLAIN_GETTER(get_variable_value, struct cs_parameter, at->value)

static const struct cs_column variable_columns[] = {
	SHORT_AS("variable", struct cs_parameter, name, "name of the variable, without its $"),
	SHORT_VALUE("value", TEXT, get_variable_value, "present value"),
};

static const struct cs_table variable_table =
	PLAIN_TABLE("variables", "variable", variable_columns);

static struct cs_error *show_parameter(struct call *call, const char *name)
{
	const parameter_list *variables = &call->session->words.variables;
	for (size_t i = 0; i < variables->n; i++) {
		if (strcmp(variables->at[i].name, name) != 0)
			continue;
		const struct plain_rows source = {&variables->at[i], 1, 0};
		const struct rows rows = {
			.table = &variable_table, .source = &source, .n = 1, .as_record = true};
		return emit_rows(call->out, &rows);
	}
	return cs_error_new(
		CS_E_SETTING, "no variable $%s is set: `set $%s = EXPR` sets it", name, name);
}

static struct cs_error *settings_run_show(struct call *call)
{
	const struct argument *name = call_argument(call, 0);
	const parameter_list *variables = &call->session->words.variables;
	enum setting setting;
	if (!name->given)
		return call_list_own(call, &settings_table, &call->session->settings);
	if (strcmp(name->text, "variables") == 0)
		return emit_plain(call, &variable_table, variables->at, variables->n);
	if (name->text[0] == '$')
		return show_parameter(call, name->text + 1);
	size_t variable = cs_stream_find_variable(name->text);
	if (variable != SIZE_MAX)
		return show_variable(call, variable);
	struct cs_error *error = setting_find(name->text, &setting);
	if (error)
		return error;
	const uint32_t row = (uint32_t)setting;
	const struct rows rows = {.table = &settings_table,
		.source = &call->session->settings,
		.at = &row,
		.n = 1,
		.as_record = true};
	return emit_rows(call->out, &rows);
}

const struct command command_show = {
	.name = "show",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_LISTS,
	.arguments = {{"OPTION", ARGUMENT_SETTING, .optional = true}},
	.summary = "show the values of options of the session, of console variables or of $NAME",
	.examples = "show\nshow color\nshow variables\nshow $limit",
	.help = "OPTION is an option of the session, a console variable, or $NAME, which `set\n"
		"$NAME` has set. Without OPTION all options of the session are listed. `show\n"
		"variables` lists all $NAME.",
	.run = settings_run_show,
};

static struct cs_error *run_reset(struct call *call)
{
	const struct argument *name = call_argument(call, 0);
	enum setting setting;
	if (!name->given) {
		for (int i = 0; i < SETTINGS; i++)
			session_apply(call->session, (enum setting)i, setting_specs[i].value);
		return NULL;
	}
	struct cs_error *error = setting_find(name->text, &setting);
	if (!error)
		session_apply(call->session, setting, setting_specs[setting].value);
	return error;
}

const struct command command_reset = {
	.name = "reset",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_CHANGES,
	.arguments = {{"OPTION", ARGUMENT_SETTING, .optional = true}},
	.summary = "set one option of the session, or all of them, to the default (help settings)",
	.examples = "reset output",
	.help = "OPTION is an option of the session (`show` lists them with their values).\n"
		"Without OPTION all options of the session get their default values.",
	.run = run_reset,
};
