/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Says what is found in resources that are broken: rule by rule, and in words that chance chooses,
 * each part below a line `== NAME`. For front/inspected.sh, which keeps the sums.
 */
#include "core/random.h"
#include "nanite/format/contents.h"
#include "nanite/verify/verify_resource.h"
#include "tests/unit/nanite/nanite_spoil.h"

#include <inttypes.h>
#include <stdio.h>

enum { ROUNDS = 220 };

static void print_finding(void *context, const struct cs_finding *finding)
{
	(void)context;
	printf("%s %s %" PRIu64 " %s: %s\n", cs_word(CS_WORDS_SEVERITY, finding->severity)->name,
		finding->rule ? finding->rule : "-", finding->offset, finding->place,
		finding->message);
}

static void print_error(struct cs_error *error)
{
	printf("%s\n", error ? error->message : "decodes");
	cs_error_free(error);
}

static void tell(const struct cs_nanite *r)
{
	struct cs_nanite_contents *contents = NULL;
	size_t n = 0;
	struct cs_error *error = cs_nanite_check(r, true, NULL, print_finding, NULL, &n);
	printf("%zu findings: ", n);
	print_error(error);
	print_error(cs_nanite_decode(r, NULL, &contents));
	cs_nanite_contents_free(contents);
}

static void break_rules(const struct bench *bench, enum base base, const struct rule_break *row)
{
	for (; row->rule; row++) {
		struct bench spoiled = *bench;
		if (row->base != base)
			continue;
		printf("== rules-%s\n", row->rule);
		spoiled.r = copy_resource(bench->r);
		row->spoil(&spoiled);
		tell(spoiled.r);
		cs_nanite_free(spoiled.r);
	}
}

/* ---- by chance ---- */

struct words {
	unsigned char *at;
	size_t n;
};

/* Chooses a table of the resource: most often pages, their heads and packed clusters. */
static struct words any_words(const struct bench *b, struct cs_random *random)
{
	const struct cs_nanite *r = b->r;
	const uint32_t page = cs_random_below(random, (uint32_t)r->n_pages);
	const size_t of_page = r->pages[page].bulk_size / 4;
	const struct words tables[] = {
		{EDIT(unsigned char, r->info), sizeof(*r->info) / 4},
		{EDIT(unsigned char, r->pages), r->n_pages * sizeof(*r->pages) / 4},
		{EDIT(unsigned char, r->dependencies), r->n_dependencies},
		{EDIT(unsigned char, r->nodes), r->n_nodes * sizeof(*r->nodes) / 4},
		{EDIT(unsigned char, r->atlas), r->n_atlas / 2},
		{EDIT(unsigned char, r->coarse_triangles),
			r->n_coarse_triangles * sizeof(*r->coarse_triangles) / 4},
		{copy_blob(r, page), of_page},
		{copy_blob(r, page), of_page < 32 ? of_page : 32},
		{page_of(b, page), of_page < 300 ? of_page / 2 : 300},
		{page_of(b, page), of_page / 2},
	};
	enum { TABLES = sizeof(tables) / sizeof(*tables) };
	struct words words = tables[cs_random_below(random, TABLES)];
	return words.n ? words : tables[TABLES - 1];
}

static void spoil_word(const struct words *words, struct cs_random *random)
{
	unsigned char *at = words->at + (size_t)4 * cs_random_below(random, (uint32_t)words->n);
	uint32_t value = cs_load32(at), bit = UINT32_C(1) << cs_random_below(random, 32);
	const uint32_t values[] = {value + 1, value - 1, value ^ bit, value ^ bit, 0, UINT32_MAX,
		value << 1, value + 4};
	cs_store32(at, values[cs_random_below(random, sizeof(values) / sizeof(*values))]);
}

static void break_by_chance(const struct bench *bench, const char *name)
{
	struct cs_random random = {7};
	for (int round = 0; round < ROUNDS; round++) {
		struct bench spoiled = *bench;
		if (round % 10 == 0)
			printf("== %s-%02d\n", name, round / 10);
		spoiled.r = copy_resource(bench->r);
		struct words words = any_words(&spoiled, &random);
		spoil_word(&words, &random);
		tell(spoiled.r);
		cs_nanite_free(spoiled.r);
	}
}

int main(void)
{
	static const char *const names[N_BASES] = {[PLAIN] = "plain", [SOUP] = "soup"};
	for (unsigned base = 0; base < N_BASES; base++) {
		struct bench bench;
		if (!make_bench((enum base)base, &bench))
			return 1;
		break_rules(&bench, (enum base)base, page_breaks);
		break_rules(&bench, (enum base)base, dag_breaks);
		if (names[base])
			break_by_chance(&bench, names[base]);
		unmake_bench(&bench);
	}
	return 0;
}
