/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `check`, which lists validation findings; exit status 1 for errors. */
#include "src/session/plain.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

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
