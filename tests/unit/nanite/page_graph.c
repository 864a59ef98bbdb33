/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of a resource's pages: each in the row of its finest level, root pages above all,
 * evenly spread in their order; ties lead from box to box. Of many pages those that most others
 * need are told, by a twin that sorts them.
 */
#include "report/html_page.h"

#include "core/random.h"
#include "tests/samples/tap.h"

#include <cellscope/pages.h>

#include <math.h>

enum { FEW = 9, MANY = 120, TOLD = 20, WIDE = 720, BOX = 14 };

/* Returns the text of the picture; the caller frees it. */
static char *graph_of(const struct cs_model *model)
{
	struct page page = {.bytes = {.n = 0}};
	page_graph(&page, model);
	page_put(&page, "");
	bool ended = cs_vec_push(&page.bytes, '\0');
	if (page.failed || !ended)
		exit(99);
	return page.bytes.at;
}

/* ---- a picture ---- */

static const struct {
	bool root;
	uint32_t level;
	int row, place, of; /* what is to be seen */
} few[FEW] = {{true, 2, 0, 0, 2}, {false, 0, 3, 0, 3}, {true, 0, 0, 1, 2}, {false, 2, 1, 0, 2},
	{false, 1, 2, 0, 2}, {false, 0, 3, 1, 3}, {false, 0, 3, 2, 3}, {false, 1, 2, 1, 2},
	{false, 3, 1, 1, 2}};

static struct cs_model_need ties[] = {{.page = 1, .needs = 4}, {.page = 6, .needs = 3}};

/* Reads two numbers after the n-th `word`, whatever is between them. */
static bool numbers_of(const char *text, const char *word, int n, double ret[2])
{
	for (; n >= 0 && text; n--) {
		text = strstr(text, word);
		text = text ? text + strlen(word) : NULL;
	}
	if (!text)
		return false;
	char *end;
	ret[0] = strtod(text, &end);
	ret[1] = strtod(end + strcspn(end, "-0123456789<"), &end);
	return true;
}

static double middle_of(int i)
{
	return (few[i].place + 0.5) * WIDE / few[i].of;
}

static void test_few(void)
{
	struct cs_model_page pages[FEW] = {{0}};
	struct cs_model model = {.name = (char *)"A<B",
		.pages = pages,
		.n_pages = FEW,
		.n_levels = 3,
		.n_root_pages = 2,
		.n_clusters = 77,
		.needs = ties,
		.n_needs = 2};
	for (int i = 0; i < FEW; i++)
		pages[i] = (struct cs_model_page){.root = few[i].root, .min_level = few[i].level};
	char *text = graph_of(&model);
	double at[2] = {0}, first[2] = {0}, step = 0;
	ok(strstr(text, "Pages of A&lt;B") &&
			strstr(text, ">9 pages (2 root), 77 clusters, 2 ties"),
		"a picture of nine pages says what they are");
	numbers_of(text, "<rect x=\"", 0, first);
	for (int i = 0; i < FEW; i++) {
		ok(numbers_of(text, "<rect x=\"", i, at), "page %d is drawn", i);
		ok(fabs(at[0] + BOX - middle_of(i)) < .01, "page %d in its place", i);
		step = few[i].row == 1 ? at[1] - first[1] : step;
	}
	ok(first[1] >= 0 && strstr(text, "viewBox=\"0 0 720 216\" width=\"720\" height=\"216\""),
		"four rows of 54 are within the picture");
	ok(strstr(text, "width=\"28\" height=\"14\""), "boxes are twice as wide as high");
	ok(step > 2 * BOX, "the second row is below the first");
	for (int i = 0; i < FEW; i++)
		ok(numbers_of(text, "<rect x=\"", i, at) &&
				fabs(at[1] - first[1] - few[i].row * step) < .01,
			"page %d in its row", i);
	for (int i = 0; i < 2; i++) {
		ok(numbers_of(text, "<path d=\"M", i, at) &&
				fabs(at[0] - middle_of((int)ties[i].page)) < .01 &&
				fabs(at[1] - first[1] - BOX / 2.0 - few[ties[i].page].row * step) <
					.01,
			"tie %d begins at its page", i);
		ok(numbers_of(text, " L", i, at) &&
				fabs(at[0] - middle_of((int)ties[i].needs)) < .01 &&
				fabs(at[1] - first[1] - BOX / 2.0 - few[ties[i].needs].row * step) <
					.01,
			"and ends at what it needs");
	}
	free(text);
}

/* Levels from 15 up share the row of the coarsest; without root pages that is the first. */
static void test_deep(void)
{
	enum { DEEP = 20, ROWS = 16 };
	struct cs_model_page pages[DEEP] = {{0}};
	struct cs_model model = {
		.name = (char *)"Deep", .pages = pages, .n_pages = DEEP, .n_levels = DEEP};
	double first[2] = {0}, next[2] = {0}, at[2] = {0};
	int right = 0;
	for (uint32_t i = 0; i < DEEP; i++)
		pages[i].min_level = DEEP - 1 - i;
	char *text = graph_of(&model);
	numbers_of(text, "<rect x=\"", 0, first);
	numbers_of(text, "<rect x=\"", DEEP - ROWS + 1, next);
	for (int i = 0; i < DEEP; i++) {
		int row = i > DEEP - ROWS ? i - (DEEP - ROWS) : 0;
		right += numbers_of(text, "<rect x=\"", i, at) &&
			 fabs(at[1] - first[1] - row * (next[1] - first[1])) < .01;
	}
	is_int(right, DEEP, "a deep resource has sixteen rows");
	ok(next[1] > first[1] + 2 * BOX, "one below the other");
	free(text);
}

/* ---- a table ---- */

struct told {
	uint32_t page, users, needs, clusters, bytes;
};

static int by_need(const void *left, const void *right)
{
	const struct told *l = left, *r = right;
	return l->users != r->users ? (l->users < r->users ? 1 : -1)
				    : (l->page > r->page) - (l->page < r->page);
}

/* A picture has room for 96 pages. */
static void test_most(void)
{
	struct cs_model_page pages[97] = {{0}};
	struct cs_model model = {.name = (char *)"Most", .pages = pages, .n_levels = 1};
	for (model.n_pages = 96; model.n_pages < 98; model.n_pages++) {
		char *text = graph_of(&model);
		is_int(strstr(text, "<rect") != NULL, model.n_pages == 96, "%zu pages: a picture",
			model.n_pages);
		free(text);
	}
}

static void test_many(uint32_t most_users)
{
	static struct cs_model_page pages[MANY];
	static struct told want[MANY];
	struct cs_model model = {.name = (char *)"Many", .pages = pages, .n_pages = MANY};
	struct cs_random random = {most_users};
	for (uint32_t i = 0; i < MANY; i++) {
		pages[i] = (struct cs_model_page){.n_users = cs_random_below(&random, most_users),
			.n_needs = i + 1,
			.n_clusters = 1000 + i,
			.page_bytes = 100000 + i};
		pages[0].n_users = most_users;
		want[i] = (struct told){i, pages[i].n_users, i + 1, 1000 + i, 100000 + i};
	}
	qsort(want, MANY, sizeof(want[0]), by_need);
	char *text = graph_of(&model);
	int rows = 0, right = 0;
	for (const char *at = text; (at = strstr(at, "<tr><td")); at++, rows++) {
		struct told got;
		int n = sscanf(at,
			"<tr><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%u</td>"
			"<td class=\"n\">%u</td><td class=\"n\">%u</td></tr>",
			&got.page, &got.users, &got.needs, &got.clusters, &got.bytes);
		right += rows < TOLD && n == 5 && memcmp(&got, &want[rows], sizeof(got)) == 0;
	}
	ok(!strstr(text, "<rect"), "many pages are no picture");
	is_int(rows, TOLD, "but a table of %d", TOLD);
	is_int(right, TOLD, "by how many others need them, then by number (below %u)", most_users);
	free(text);
}

int main(void)
{
	test_few();
	test_deep();
	test_most();
	test_many(3);
	test_many(10000);
	return done();
}
