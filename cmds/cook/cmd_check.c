/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `check`, which lists validation findings; errors make its answer "no". */
#include "src/session/plain.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

static struct cs_error *run_check(struct call *call)
{
	const struct cs_cooked *cooked = call->session->world;
	bool all = call_option(call, "a")->given;
	check_verdict(call, !cs_cooked_sums(cooked).errors, "validation found errors");
	if (cooked->n_findings == 0 && !wants_rows(call)) {
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
	.help = "The command lists the findings of the first pass of validation. Unreal reports\n"
		"these findings, too, except those of checks with names in lower case, which only\n"
		"cellscope has, such as `hlod_loading_range`. Later passes only repair what the\n"
		"repairs of the first pass caused; `why-repair ACTOR` shows the chain of causes.\n"
		"The column `reason` says which part of a check failed. `help check TOKEN` (TOKEN\n"
		"is a value of the column `check`) explains a check with a small world that fails\n"
		"it.",
	.run = run_check,
};
