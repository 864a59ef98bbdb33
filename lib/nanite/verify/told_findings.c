/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the findings of a resource that are printed. Each error is printed. Of the warnings of a
 * rule only the first is printed, with the number of the others. The explanation of a rule follows
 * its first finding. A first pass counts the findings of each rule, and a second pass selects.
 */
#include <cellscope/nanite.h>

#include "nanite/format/format_rules.h"

#include <string.h>

/* Returns the index of the finding's rule, or CS_RULE_COUNT for an unknown rule. */
static size_t rule_at(const struct cs_finding *finding)
{
	size_t n, i = 0;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n);
	while (i < n && (!finding->rule || strcmp(rules[i].id, finding->rule) != 0))
		i++;
	return i;
}

void cs_nanite_tell(const struct cs_finding *findings, size_t n, struct cs_nanite_told *ret)
{
	size_t n_rules, count[CS_RULE_COUNT + 1] = {0};
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n_rules);
	bool met[CS_RULE_COUNT] = {false};
	for (size_t i = 0; i < n; i++)
		count[rule_at(&findings[i])]++;
	for (size_t i = 0; i < n; i++) {
		const size_t rule = rule_at(&findings[i]);
		const bool warns = findings[i].severity != CS_ERROR;
		ret[i] = (struct cs_nanite_told){.shown = true};
		if (rule == n_rules)
			continue;
		ret[i].shown = !warns || !met[rule];
		ret[i].others = warns && !met[rule] ? count[rule] - 1 : 0;
		ret[i].rule = met[rule] ? NULL : &rules[rule];
		cs_nanite_rule_explain(&rules[rule], &ret[i].effect, &ret[i].advice);
		met[rule] = true;
	}
}
