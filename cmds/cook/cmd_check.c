/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `check`, which lists validation findings (exit status 1 for errors), and
 * prints pages of fixtures/checks, compiled into the program, which explain findings. A finding's
 * token may have several pages, and a page may explain several tokens. Also the numbered rules that
 * the program implements: the commands `rules` and `help rule NUMBER`.
 */
#include "cmds/cook/cmd_check.h"

#include "src/session/help.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <string.h>

/* Counts findings, and errors of the first pass, in all world partitions or that of option -P. */
static void count_findings(const struct cs_query *query, size_t *n_ret, size_t *errors_ret)
{
	const uint32_t only = cs_query_focused(query);
	*n_ret = *errors_ret = 0;
	for (uint32_t i = 0; i < cs_query_partitions(query); i++) {
		const struct cs_cooked *cooked = cs_query_partition(query, i, NULL);
		if (only != CS_NONE && only != i)
			continue;
		*n_ret += cooked->n_findings;
		*errors_ret += cs_cooked_sums(cooked).found[CS_ERROR];
	}
}

static struct cs_error *run_check(struct call *call)
{
	size_t n, errors;
	bool all = call_option(call, "a")->given;
	count_findings(call->session->query, &n, &errors);
	check_verdict(call, errors == 0, "validation found errors");
	if (n == 0 && !wants_rows(call)) {
		say(call->out, "no findings\n");
		return NULL;
	}
	return call_list_scoped(call, "findings", all ? NULL : "pass = $scope", cs_integer(0));
}

const struct command command_check = {
	.name = "check",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.options = {{'a', "all", NULL, ARGUMENT_NONE, "list also the findings of later passes"}},
	.summary = "list what validation found; exit status 1 when there is an error",
	.examples =
		"check\ncheck --all\nhelp check hlod_loading_range\ncheck -c about,reason,repair\ncheck -w \"severity = 'error'\" --json",
	.help = "Validation is the part of a cook that checks actors, their references, data\n"
		"layers and grids, and repairs actors where it must. The command lists what the\n"
		"first pass of validation found. A repair can make another actor invalid, which a\n"
		"later pass then finds and repairs; --all and `findings` list the findings of all\n"
		"passes. `why-repair ACTOR` shows which finding led to the repair of ACTOR. The\n"
		"column `reason` says which part of a check failed, and `repair` says how the\n"
		"cook corrected the actor.\n\n"
		"Unreal reports the same findings, except for checks with names in lower case,\n"
		"such as `hlod_loading_range`, because only cellscope has these checks. `help\n"
		"check TOKEN` explains a check, with a small world that fails it; TOKEN is a\n"
		"value of the column `check`. Findings of standalone level instances are listed,\n"
		"too, and count for the exit status.",
	.run = run_check,
	.lists = "findings",
};

/* ---- pages about checks ---- */

static const struct {
	const char *name, *title;
	/* tokens (names of checks) that the page explains, with a blank before and after each */
	const char *tokens;
	const char *text;
} pages[] = {
#include "cmds/checkbook.inc"
};

static bool shows_token(const char *tokens, const char *token)
{
	size_t n = strlen(token);
	for (const char *at = tokens; n > 0 && (at = strstr(at, token)) != NULL; at += n)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

static void say_tokens(struct output *out, const char *tokens)
{
	for (tokens += strspn(tokens, " "); *tokens; tokens += strspn(tokens, " ")) {
		int n = (int)strcspn(tokens, " ");
		say(out, "token   %.*s\n", n, tokens);
		tokens += n;
	}
}

static void checkbook_say_page(struct output *out, size_t page, size_t before)
{
	if (before)
		say(out, "\n");
	say(out, "%s\n\n", pages[page].title);
	say_paragraph(out, pages[page].text);
	say(out, "\npage    fixtures/checks/%s.cmd\n", pages[page].name);
	say_tokens(out, pages[page].tokens);
}

/* Prints the pages that explain the token, first the pages that explain no other token. */
struct cs_error *say_check(struct output *out, const char *token)
{
	const size_t n_pages = sizeof(pages) / sizeof(pages[0]);
	size_t n = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n_pages; i++) {
			bool is_alone = strlen(pages[i].tokens) == strlen(token) + 2;
			if (is_alone == (pass == 0) && (shows_token(pages[i].tokens, token) ||
							       strcmp(pages[i].name, token) == 0))
				checkbook_say_page(out, i, n++);
		}
	if (n > 0)
		return NULL;
	return cs_error_new(CS_E_UNKNOWN,
		"no check '%s': write its name as the column `check` of a finding shows it, such "
		"as hlod_loading_range",
		token);
}

/* ---- rules ---- */

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
