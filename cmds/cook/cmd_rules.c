/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `rules` and `help rule NUMBER`: the numbered rules that the program implements. */
#include "cmds/cook/cmd_rules.h"

#include <cellscope/core.h>

#include "src/session/help.h"
#include "src/session/plain.h"

static const struct cs_column rule_columns[] = {
	SHORT(struct cs_rulebook_entry, number, "number of the rule, as `help rule` takes it"),
	SHORT(struct cs_rulebook_entry, title, "title of the rule"),
	SHORT(struct cs_rulebook_entry, engines, "engine profiles that the rule applies to"),
	SHORT_WORD("certainty", struct cs_rulebook_entry, certainty, CERTAINTY,
		"evidence for the rule: engine files, published texts, or assumed"),
	PLAIN(struct cs_rulebook_entry, test, "test that fails when the rule is broken"),
	PLAIN(struct cs_rulebook_entry, text, "text of the rule"),
};

static const struct cs_table rule_table = PLAIN_TABLE("rules", "rule", rule_columns);

struct cs_error *say_rule(struct output *out, const char *number)
{
	const struct cs_rulebook_entry *rule = cs_rulebook_find(number);
	if (!rule)
		return cs_error_new(CS_E_UNKNOWN, "no rule '%s'; `rules` lists them", number);
	say(out, "rule %s: %s\n\n", rule->number, rule->title);
	say_paragraph(out, rule->text);
	say(out, "\nprofiles    %s\nheld by     %s\ncertainty   %s\n", rule->engines, rule->test,
		cs_word(CS_WORDS_CERTAINTY, rule->certainty)->name);
	return NULL;
}

static struct cs_error *run_rules(struct call *call)
{
	size_t n;
	const struct cs_rulebook_entry *rules = cs_rulebook(&n);
	return emit_plain(call, &rule_table, rules, n);
}

const struct command command_rules = {
	.name = "rules",
	.group = GROUP_HELP,
	.flags = COMMAND_LISTS,
	.summary = "list the rules of cooking and streaming that `why` and `explain` cite",
	.examples = "rules\nrules -w \"number LIKE '2.%'\"\nhelp rule 2.3.5",
	.help = "The column `engines` contains the versions of Unreal in which the rule applies.\n"
		"The column `certainty` says whether the rule is known from files that the engine\n"
		"wrote, is known from published texts, or is only assumed. `help rule NUMBER`\n"
		"prints the text of a rule.",
	.run = run_rules,
};
