/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the rules: for each one a resource that breaks it and nothing else before it, and the
 * finding that must come. What is fatal must end strict decoding with its name as well.
 */
#include "nanite/format/format_rules.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/nanite_spoil.h"

#include "core/random.h"
#include "nanite/format/contents.h"

/* ---- the tables as one ---- */

static size_t n_rows(const struct rule_break *rows)
{
	size_t n = 0;
	while (rows[n].rule)
		n++;
	return n;
}

static size_t n_breaks(void)
{
	return n_rows(page_breaks) + n_rows(dag_breaks);
}

static const struct rule_break *break_at(size_t i)
{
	size_t n = n_rows(page_breaks);
	return i < n ? &page_breaks[i] : &dag_breaks[i - n];
}

/* ---- breaking a rule ---- */

struct told {
	const char *want;
	size_t n, of_want;
	size_t cut; /* messages that fill their room */
};

static void count_finding(void *context, const struct cs_finding *finding)
{
	struct told *told = context;
	told->n += finding->severity != CS_INFO;
	/* the finding begins with the name of the rule, as in "H3: " */
	const size_t rule = finding->rule ? strlen(finding->rule) + 2 : 0;
	const size_t n = strlen(finding->message) + 1;
	const bool cut = n == rule + sizeof(((struct cs_breach *)NULL)->message) ||
			 n == sizeof(finding->message);
	told->cut += cut;
	if (cut)
		diag("cut: %s", finding->message);
	told->of_want += finding->rule && told->want && strcmp(finding->rule, told->want) == 0;
	if (!told->want && finding->severity != CS_INFO)
		diag("%s: %s", finding->place, finding->message);
}

static bool is_fatal(const char *id)
{
	size_t n;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(rules[i].id, id) == 0)
			return rules[i].severity == CS_RULE_FATAL;
	abort();
}

/*
 * Returns whether only the deep check tries the rule: views and loading orders. Geometry is always
 * checked.
 */
static bool is_deep(const char *id)
{
	return id[0] == 'T' || strcmp(id, "D6") == 0 || strcmp(id, "X13") == 0;
}

static void check_break(const struct bench *whole, const struct rule_break *row)
{
	struct bench spoiled = *whole;
	struct told told = {row->rule, 0, 0, 0};
	size_t n;
	spoiled.r = copy_resource(whole->r);
	row->spoil(&spoiled);
	works(cs_nanite_check(spoiled.r, true, NULL, count_finding, &told, &n), "%s is checked",
		row->rule);
	ok(told.of_want > 0, "%s is told (%zu findings in all)", row->rule, n);
	is_int(told.cut, 0, "%s: no message is cut", row->rule);
	told.of_want = 0;
	works(cs_nanite_check(spoiled.r, false, NULL, count_finding, &told, &n),
		"%s is checked, not deep", row->rule);
	ok(told.of_want > 0 || is_deep(row->rule), "%s is told all the same", row->rule);
	struct cs_nanite_contents *contents = NULL;
	struct cs_error *error = cs_nanite_decode(spoiled.r, NULL, &contents);
	char name[8];
	snprintf(name, sizeof(name), "%s:", row->rule);
	if (is_fatal(row->rule))
		ok(error && error->code == CS_E_NANITE && strstr(error->message, name),
			"%s ends strict decoding (%s)", row->rule,
			error ? error->message : "no error");
	cs_error_free(error);
	cs_nanite_contents_free(contents);
	cs_nanite_free(spoiled.r);
}

/* ---- where it is told to lie ---- */

/* A wrong word of a cluster's header is reported with its offset in the page. */
static void check_word(const struct bench *whole, uint32_t cluster, enum cs_cluster_word word)
{
	struct bench spoiled = *whole;
	struct cs_nanite_contents *contents = NULL;
	char want[64];
	spoiled.r = copy_resource(whole->r);
	unsigned char *at = cluster_word(&spoiled, 1, cluster, word);
	snprintf(want, sizeof(want), "pages[1].clusters[%u]+0x%zx:", cluster,
		(size_t)(at - page_of(&spoiled, 1)));
	add_to(at, 4);
	struct cs_error *error = cs_nanite_decode(spoiled.r, NULL, &contents);
	const char *message = error ? error->message : "no error";
	ok(strstr(message, want), "word %u is told at %s", word, want);
	if (!strstr(message, want))
		diag("%s", message);
	cs_error_free(error);
	cs_nanite_contents_free(contents);
	cs_nanite_free(spoiled.r);
}

static void check_words(const struct bench *whole)
{
	for (uint32_t cluster = 0; cluster < 3; cluster++)
		for (int word = 0; word <= CS_CLUSTER_ATTRIBUTES; word++)
			check_word(whole, cluster, (enum cs_cluster_word)word);
}

/* ---- numbers in texts ---- */

/* Counts texts that name one of several things in the plural, such as "1 entries". */
static void count_plurals(void *context, const struct cs_finding *finding)
{
	static const char *const things[] = {
		"1 vertices", "1 entries", "1 triangles", "1 materials", "1 words"};
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		const char *at = strstr(finding->message, things[i]);
		*(size_t *)context += at && (at == finding->message || strchr(" (", at[-1]));
	}
}

static void check_plurals(const struct bench *whole, const struct rule_break *row)
{
	struct bench spoiled = *whole;
	size_t n, plurals = 0;
	spoiled.r = copy_resource(whole->r);
	row->spoil(&spoiled);
	works(cs_nanite_check(spoiled.r, false, NULL, count_plurals, &plurals, &n),
		"%s is checked for its texts", row->rule);
	is_int(plurals, 0, "%s: no text has 1 with a plural", row->rule);
	cs_nanite_free(spoiled.r);
}

/* ---- clusters in no group ---- */

/* Returns whether the fixup is of a cluster in the first of several parts of its page. */
static bool is_in_first_part(const struct cs_nanite_contents *c, const struct cs_model_fixup *fixup)
{
	const struct cs_model_page *page = &c->pages[fixup->target_page];
	return fixup->kind == CS_MODEL_FIXUP_CLUSTER && page->n_parts > 1 &&
	       fixup->cluster - page->first_cluster < c->parts[page->first_part].n_clusters;
}

/* Without a fixup that begins the first part of a page, clusters there are in no group. */
static void check_lost_part(const struct bench *whole)
{
	const struct cs_nanite_contents *c = whole->c;
	struct bench spoiled = *whole;
	struct told told = {"H3", 0, 0, 0};
	size_t n, lost = 0;
	while (lost < c->n_fixups && !is_in_first_part(c, &c->fixups[lost]))
		lost++;
	if (!ok(lost < c->n_fixups, "a fixup of a cluster in a first part"))
		return;
	const uint32_t page = c->fixups[lost].target_page;
	const uint32_t second = c->parts[c->pages[page].first_part].n_clusters;
	spoiled.r = copy_resource(whole->r);
	for (uint32_t i = 0; i < c->pages[page].n_hierarchy_fixups; i++) {
		unsigned char *at = hierarchy_fixup(&spoiled, page, i);
		if (cs_load32(at) == page && cs_load32(at + 8) == 0)
			cs_store32(at + 8, second);
	}
	works(cs_nanite_check(spoiled.r, true, NULL, count_finding, &told, &n),
		"a resource with clusters in no group is checked");
	ok(told.of_want > 0, "and they are told");
	cs_nanite_free(spoiled.r);
}

static void check_base(enum base base)
{
	struct bench bench;
	struct told told = {0};
	size_t n;
	if (!ok(make_bench(base, &bench), "a resource to break is made and decodes"))
		return;
	works(cs_nanite_check(bench.r, true, NULL, count_finding, &told, &n), "is checked");
	if (base == TORUS)
		is_int(told.n, 0, "the whole resource breaks no rule");
	for (size_t i = 0; i < n_breaks(); i++)
		if (break_at(i)->base == base)
			check_break(&bench, break_at(i));
	for (size_t i = 0; i < n_breaks(); i++)
		if (break_at(i)->base == base)
			check_plurals(&bench, break_at(i));
	if (base == TORUS) {
		check_words(&bench);
		check_lost_part(&bench);
	}
	unmake_bench(&bench);
}

static void test_all_rules_covered(void)
{
	size_t n, all_tests = 0;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n);
	for (size_t i = 0; i < n; i++) {
		size_t tests = 0;
		for (size_t k = 0; k < n_breaks(); k++)
			tests += strcmp(break_at(k)->rule, rules[i].id) == 0;
		ok(tests > 0 && *rules[i].text, "%s has a test", rules[i].id);
		all_tests += tests;
	}
	is_int(all_tests, n_breaks(), "each test is of one of %zu rules", n);
}

/* ---- how findings are told ---- */

static bool same_rule(const struct cs_finding *left, const struct cs_finding *right)
{
	return left->rule && right->rule && strcmp(left->rule, right->rule) == 0;
}

/*
 * Summarises findings by comparing each with each: which is shown, how many it stands for, and the
 * sentence of its rule.
 */
static struct cs_nanite_told told_by_hand(const struct cs_finding *findings, size_t n, size_t at)
{
	size_t n_rules, before = 0, of_rule = 0;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n_rules);
	struct cs_nanite_told told = {.shown = true};
	for (size_t i = 0; i < n; i++) {
		of_rule += same_rule(&findings[i], &findings[at]);
		before += i < at && same_rule(&findings[i], &findings[at]);
	}
	for (size_t i = 0; findings[at].rule && i < n_rules; i++)
		if (strcmp(rules[i].id, findings[at].rule) == 0)
			told.rule = &rules[i];
	if (!told.rule)
		return told;
	if (findings[at].severity != CS_ERROR) {
		told.shown = before == 0;
		told.others = before == 0 ? of_rule - 1 : 0;
	}
	if (before > 0)
		told.rule = NULL;
	return told;
}

static void test_told(void)
{
	enum { MOST = 60 };
	size_t n_rules, wrong = 0, hidden = 0;
	const struct cs_nanite_rule *rules = cs_nanite_rules(&n_rules);
	struct cs_random random = {3};
	for (size_t round = 0; round < 300; round++) {
		struct cs_finding findings[MOST] = {0};
		struct cs_nanite_told told[MOST];
		const size_t n = cs_random_below(&random, MOST);
		for (size_t i = 0; i < n; i++) {
			size_t rule = cs_random_below(&random, 8) * 5;
			findings[i].severity = rule % 2 ? CS_ERROR : CS_WARNING;
			findings[i].rule = rule == 35   ? "source"
					   : rule == 30 ? NULL
							: rules[rule].id;
		}
		cs_nanite_tell(findings, n, told);
		for (size_t i = 0; i < n; i++) {
			struct cs_nanite_told want = told_by_hand(findings, n, i);
			wrong += told[i].shown != want.shown || told[i].rule != want.rule ||
				 told[i].others != want.others;
			hidden += !told[i].shown;
		}
	}
	ok(hidden > 0 && wrong == 0, "told: as each compared with each, %zu stood for", hidden);
}

int main(void)
{
	test_all_rules_covered();
	for (unsigned base = 0; base < N_BASES; base++)
		check_base(base);
	test_told();
	return done();
}
