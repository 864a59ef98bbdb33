/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rules, and the conversion of broken rules into an error or findings. */
#include "nanite/format/format_rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const struct cs_nanite_rule rules[CS_RULE_COUNT] = {
#define CS_RULE(id, severity, text) {#id, CS_RULE_##severity, text},
#include "nanite/format/rules.def"
#undef CS_RULE
};

const struct cs_nanite_rule *cs_nanite_rules(size_t *n_ret)
{
	*n_ret = CS_RULE_COUNT;
	return rules;
}

bool cs_breach(struct cs_breaches *breaches, enum cs_resource_rule rule, struct cs_place place,
	const char *format, ...)
{
	struct cs_breach breach = {
		.rule = rule, .page = place.page, .cluster = place.cluster, .at = place.at};
	if (!breaches)
		return false;
	breaches->fatal |= rules[rule].severity == CS_RULE_FATAL;
	if (breaches->list.n >= CS_MOST_BREACHES && rules[rule].severity != CS_RULE_FATAL)
		return false;
	va_list args;
	va_start(args, format);
	vsnprintf(breach.message, sizeof(breach.message), format, args);
	va_end(args);
	if (!cs_vec_push(&breaches->list, breach))
		breaches->out_of_memory = true;
	return false;
}

void cs_breaches_deinit(struct cs_breaches *breaches)
{
	cs_vec_free(&breaches->list);
}

/* Formats a position such as "pages[3].clusters[5]+0x1a2". */
static void format_place(const struct cs_breach *breach, char *text, size_t size)
{
	int n = 0;
	text[0] = '\0';
	if (breach->page != CS_NONE)
		n = snprintf(text, size, "pages[%u]", breach->page);
	if (breach->cluster != CS_NONE)
		n += snprintf(text + n, size - (size_t)n, "%sclusters[%u]", n ? "." : "",
			breach->cluster);
	if (breach->at != CS_NO_OFFSET)
		snprintf(text + n, size - (size_t)n, "+0x%" PRIx64, breach->at);
}

struct cs_error *cs_breaches_error(
	const struct cs_breaches *breaches, const char *file, uint64_t offset)
{
	if (breaches->out_of_memory)
		return cs_error_nomem();
	for (size_t i = 0; breaches->fatal && i < breaches->list.n; i++) {
		const struct cs_breach *breach = &breaches->list.at[i];
		char place[96];
		if (rules[breach->rule].severity != CS_RULE_FATAL)
			continue;
		format_place(breach, place, sizeof(place));
		return cs_error_at(CS_E_NANITE, file, offset, "%s%s%s: %s", place,
			*place ? ": " : "", rules[breach->rule].id, breach->message);
	}
	return NULL;
}

void cs_breaches_report(
	const struct cs_breaches *breaches, uint64_t offset, struct cs_verify *verify)
{
	static const enum cs_severity severities[] = {[CS_RULE_FATAL] = CS_ERROR,
		[CS_RULE_ERROR] = CS_ERROR,
		[CS_RULE_WASTE] = CS_WARNING,
		[CS_RULE_NOTE] = CS_INFO};
	for (size_t i = 0; i < breaches->list.n; i++) {
		const struct cs_breach *breach = &breaches->list.at[i];
		const struct cs_nanite_rule *rule = &rules[breach->rule];
		char place[96];
		format_place(breach, place, sizeof(place));
		cs_verify_add(verify, rule->id, severities[rule->severity], CS_E_NANITE, offset,
			place, "%s: %s", rule->id, breach->message);
	}
}
