/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules that cooking, streaming and reading follow: rules, and help rule NUMBER. */
#include "cmds/cook/cmd_rules.h"

#include <cellscope/core.h>

#include "src/session/help.h"
#include "src/session/session.h"

#include <stddef.h>

static size_t rule_count(const void *source)
{
	(void)source;
	size_t n;
	cs_rulebook(&n);
	return n;
}

static const void *rule_row(const void *source, size_t index)
{
	(void)source;
	size_t n;
	return &cs_rulebook(&n)[index];
}

static void rules_get_text(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = cs_text(*(const char *const *)((const char *)row->record + column->offset));
}

static void get_certainty(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = cs_text(
		cs_certainty_name(((const struct cs_rulebook_entry *)row->record)->certainty));
}

#define RULE_TEXT(name, short_form)                                                               \
	{                                                                                         \
		.key = #name, .kind = CS_KIND_TEXT, .get = rules_get_text, .flags = (short_form), \
		.offset = offsetof(struct cs_rulebook_entry, name)                                \
	}

static const struct cs_column rule_columns[] = {
	RULE_TEXT(number, CS_COLUMN_SHORT),
	RULE_TEXT(title, CS_COLUMN_SHORT),
	RULE_TEXT(engines, CS_COLUMN_SHORT),
	{.key = "certainty",
		.kind = CS_KIND_TEXT,
		.get = get_certainty,
		.flags = CS_COLUMN_SHORT,
		.doc = "what it was checked with"},
	RULE_TEXT(test, 0),
	RULE_TEXT(text, 0),
};

static const struct cs_table rule_table = {
	.name = "rules",
	.row_name = "rule",
	.columns = rule_columns,
	.n_columns = sizeof(rule_columns) / sizeof(rule_columns[0]),
	.count = rule_count,
	.row = rule_row,
};

struct cs_error *say_rule(struct output *out, const char *number)
{
	const struct cs_rulebook_entry *rule = cs_rulebook_find(number);
	if (!rule)
		return cs_error_new(CS_E_UNKNOWN, "no rule '%s'; `rules` lists them", number);
	say(out, "rule %s: %s\n\n", rule->number, rule->title);
	say_paragraph(out, rule->text);
	say(out, "\nprofiles    %s\nheld by     %s\ncertainty   %s\n", rule->engines, rule->test,
		cs_certainty_name(rule->certainty));
	return NULL;
}

static struct cs_error *run_rules(struct call *call)
{
	return call_list_own(call, &rule_table, NULL);
}

const struct command command_rules = {
	.name = "rules",
	.group = GROUP_HELP,
	.flags = COMMAND_LISTS,
	.summary = "list the rules that answers cite; help rule NUMBER explains one",
	.examples = "rules\nrules -w \"number LIKE '2.%'\"\nhelp rule 2.3.5",
	.run = run_rules,
};
