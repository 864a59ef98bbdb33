/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the findings of a resource that are printed. Each error is printed. Of the warnings of a
 * rule only the first is printed, with the number of the others. The explanation of a rule follows
 * its first finding. A first pass counts the findings of each rule, and a second pass selects.
 *
 * Rules with the same effect and advice are in one list. A rule in no list gets the text of its
 * severity.
 */
#include <cellscope/nanite.h>

#include "nanite/format/format_rules.h"

#include <string.h>

struct advice {
	const char *rules; /* ids of the rules, with a blank before and after each */
	const char *effect, *advice;
};

static const struct advice advices[] = {
	{" D5 D6 T3 T4 ", "cracks, holes or surfaces drawn twice from some views",
		"build the mesh again; `nanite export --cdag` gives the DAG to look at"},
	{" D1 D2 D3 D4 ", "coarser and finer clusters may be drawn together, or neither",
		"build the mesh again with this version; it cannot be mended in place"},
	{" D8 ", "part of the source is not drawn at any distance",
		"compare with the source: nanite export --level 0"},
	{" D7 ", "nothing; levels that save little still cost memory and reads",
		"`groups -w stuck` names what simplification could not reduce: many charts, "
		"disjoint pieces or locked borders"},
	{" C8 C9 V4 ", "shapes are displaced or culled too early",
		"build the mesh again; raise --precision when positions leave their range"},
	{" C6 V5 V6 ", "colours, texture coordinates or shading are wrong",
		"build the mesh again; `cluster` shows the bits of the attributes"},
	{" H4 H5 ", "parts vanish too early or stay coarse: the bounds do not fit the clusters",
		"build the mesh again; `hierarchy` shows the slot"},
	{" H2 H3 H7 X5 X6 X7 X8 X9 ", "pages load but are not drawn, or are drawn before they load",
		"build the mesh again; `fixups` and `deps` show the page"},
	{" X10 X11 X12 T1 T2 ", "pages may wait for each other, or for none",
		"`deps` and `graph deps --dot` show which page needs which"},
	{" X13 ", "an engine that uses only the list draws parts of the surface twice for a while",
		"nothing; `closure` names the pages that are missing in the list"},
	{" T5 ", "nothing; memory is used that no view asks for",
		"nothing; the page only refines clusters that have no error"},
	{" P7 H6 M4 V7 R8 R10 C11 C12 ", "nothing; the file is larger than necessary",
		"`explain page` shows what fills a page and what does not"},
	{" P8 S7 C13 X2 ", "nothing; bytes that should be zero have other values",
		"a tool has touched the file: compare it with a fresh build"},
	{" A1 ", "the imposter shows wrong pixels far away", "build the mesh again"},
	{" A2 ", "nothing; the mesh is thin or flat, so some directions do not show it",
		"nothing is wrong; `atlas` shows the tiles"},
	{" M1 M3 ", "triangles with the wrong material, or none",
		"look at the materials of the source mesh"},
};

static const struct advice by_severity[] = {
	[CS_RULE_FATAL] = {NULL, "the resource cannot be shown",
		"copy it again; if that does not help, build it again from its source"},
	[CS_RULE_ERROR] = {NULL, "parts of the mesh are drawn wrong", "build the mesh again"},
	[CS_RULE_WASTE] = {NULL, "nothing; the file costs more than necessary",
		"build the mesh again"},
	[CS_RULE_NOTE] = {NULL, "nothing", "nothing is wrong"},
};

/* Returns a text on how breaking the rule affects a picture, and a text on what to do. */
static void explain_rule(
	const struct cs_nanite_rule *rule, const char **effect_ret, const char **advice_ret)
{
	char id[16] = " ";
	const struct advice *advice = &by_severity[rule->severity];
	strncat(id, rule->id, sizeof(id) - 3);
	strncat(id, " ", 2);
	for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++)
		if (strstr(advices[i].rules, id))
			advice = &advices[i];
	*effect_ret = advice->effect;
	*advice_ret = advice->advice;
}

/* Returns the index of the rule of a finding, or CS_RULE_COUNT if the rule is unknown. */
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
		explain_rule(&rules[rule], &ret[i].effect, &ret[i].advice);
		met[rule] = true;
	}
}
