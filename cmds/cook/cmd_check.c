/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the findings of validation and answers "no" when one is an error: check. */
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
	.options = {{'a', "all", NULL, ARGUMENT_NONE, "also what later passes repaired"}},
	.summary = "what validation found; the exit status is 1 when there is an error",
	.examples =
		"check\ncheck --all\nhelp check hlod_loading_range\ncheck -c about,reason,repair\ncheck -w \"severity = 'error'\" --json",
	.help = "Lists what the engine reports: the findings of the first pass. Later passes\n"
		"only repair what the first one's repairs brought about; why-repair lists the\n"
		"chain. Tokens in lower case are checks that the engine lacks: an HLOD that\n"
		"loads too late to show anything, and one of a cell that is gone. -c reason\n"
		"says which part of a rule it was. `help check TOKEN` explains a check, with a\n"
		"small world that fails it.",
	.run = run_check,
};
