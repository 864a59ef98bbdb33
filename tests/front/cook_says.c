/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program says of cooks of random worlds, against a twin that knows the rules alone
 * (world-partition rules 1.3 to 1.5), and answers about one thing against each other: explain,
 * why-always, cell-of, actor, cluster, drops, sets, cells, whatif. A listing of a world partition
 * stands before each question. CELLSCOPE_WORLDS sets how many worlds, CELLSCOPE_SEED the first.
 */
#include <jansson.h>

#include "tests/front/cook_twin.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <unistd.h>

static unsigned long long seed;
static size_t wrong, asked;

static void fault(const char *actor, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fault(const char *actor, const char *format, ...)
{
	va_list args;
	if (wrong++ > 20)
		return;
	printf("# seed %llu %s %s: ", seed, profile, actor);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* ---- asking ---- */

static FILE *lines, *answers;

static void ask(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void ask(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vfprintf(lines, format, args);
	va_end(args);
	fputc('\n', lines);
	asked++;
}

/* Returns the rows of the next answer. */
static json_t *answer(const char *about)
{
	json_error_t error;
	json_t *document = json_loadf(answers, JSON_DISABLE_EOF_CHECK, &error);
	json_t *list = json_incref(json_object_get(document, "rows"));
	json_decref(document);
	if (!list)
		fault(about, "no answer: %s", error.text);
	return list ? list : json_array();
}

static const char *text(const json_t *row, const char *key)
{
	const char *value = json_string_value(json_object_get(row, key));
	return value ? value : "";
}

static bool truth(const json_t *row, const char *key)
{
	return json_is_true(json_object_get(row, key));
}

static const json_t *find(const json_t *list, const char *key, const char *value)
{
	size_t i;
	json_t *row;
	json_array_foreach (list, i, row)
		if (strcmp(text(row, key), value) == 0)
			return row;
	return NULL;
}

static size_t count(const json_t *list, const char *key, const char *value)
{
	size_t i, n = 0;
	json_t *row;
	json_array_foreach (list, i, row)
		n += strcmp(text(row, key), value) == 0;
	return n;
}

static const char *const wholes[] = {
	"actors", "cells", "drops", "sets", "references", "containers"};
enum { ACTORS, CELLS, DROPS, SETS, REFERENCES, CONTAINERS, WHOLES };

static void ask_all(void)
{
	static const char *const listings[] = {"cells -P Ship", "actors -P Ship -n 2",
		"layers -P 0", "grids -P Ship", "actors -w \"label = 'S0'\"", "cell-of S1",
		"actors -P 0 -n 3"};
	for (int i = 0; i < WHOLES; i++)
		ask("%s -P 0 --json", wholes[i]);
	ask("whatif Main.priority=7 --json");
	ask("actors -P Ship > /dev/null");
	ask("explain 2 --json");
	ask("cells > /dev/null");
	ask("explain S1 --json");
	for (int i = 0; i < n_rows; i++) {
		const char *title = rows[i].title;
		static const char *const questions[] = {"actor %s --json", "explain %s --json",
			"explain actor %s --json", "why-always %s --json", "cell-of %s --json",
			"cluster %s --json", "cut %s --json", "why-repair %s --json"};
		for (size_t k = 0; k < sizeof(questions) / sizeof(questions[0]); k++) {
			ask("%s > /dev/null", listings[below(7)]);
			char line[200];
			snprintf(line, sizeof(line), "%s", questions[k]);
			char *at = strstr(line, "%s");
			fprintf(lines, "%.*s%s%s\n", (int)(at - line), line, title, at + 2);
			asked++;
		}
		ask("actors -P 0 -w \"title = '%s'\" > /dev/null", title);
		ask("explain 1 --json");
	}
}

/* ---- comparing ---- */

static void check_actor(const struct row *r, const json_t *actor)
{
	const struct view *v = &views[r->view];
	const struct view *top = &views[v->top];
	const char *why = unplaced(r), *cell = text(actor, "cell");
	const struct {
		const char *key;
		bool want;
	} flags[] = {{"effective_spatial", is_view(r->view) && is_spatial(r)},
		{"forced_non_spatial", v->spatial_forced && top->spatial},
		{"forced_no_layers", v->layers_forced && top->layers != 0},
		{"forced_no_grid", v->grid_forced && top->grid != 0}};
	for (size_t i = 0; is_view(r->view) && i < sizeof(flags) / sizeof(flags[0]); i++)
		if (truth(actor, flags[i].key) != flags[i].want)
			fault(r->title, "%s is not %d", flags[i].key, flags[i].want);
	if ((why == NULL) != (*cell != '\0'))
		fault(r->title, "in cell '%s', the twin says %s", cell, why ? why : "a cell");
	if (why && strcmp(text(actor, "placement"), why) != 0)
		fault(r->title, "placement %s, not %s", text(actor, "placement"), why);
}

static void check_always(const struct row *r, const json_t *actor, const json_t *cells)
{
	const json_t *cell = find(cells, "name", text(actor, "cell"));
	const bool is_always = cell && truth(cell, "always_loaded");
	const char *want = is_always ? always(r) : "";
	if (strcmp(text(actor, "always"), want) != 0)
		fault(r->title, "always '%s', not '%s'", text(actor, "always"), want);
	/* 5.4: what is not spatial and has no layers is always loaded, and nothing else */
	int layers = views[r->view].now_layers | (views[r->view].now_external ? 4 : 0);
	for (int i = 0; i < r->n_around; i++)
		layers |= views[r->around[i]].layers | (views[r->around[i]].external ? 4 : 0);
	if (cell && is_set && is_always != (layers == 0 && !(is_spatial(r) && set_is_bounded(r))))
		fault(r->title, "its cell is%s always loaded", is_always ? "" : " not");
}

static void check_trail(
	const struct row *r, const json_t *actor, const json_t *steps, const json_t *always_steps)
{
	const struct view *v = &views[r->view];
	const json_t *cell = find(steps, "rule", "cell"), *out = find(steps, "rule", "unplaced");
	char verdict[100] = "";
	size_t i;
	json_t *step;
	if (*text(actor, "always"))
		snprintf(verdict, sizeof(verdict), "always loaded: %s", text(actor, "always"));
	if (strcmp(text(cell, "cell"), text(actor, "cell")) != 0)
		fault(r->title, "explained to be in '%s', is in '%s'", text(cell, "cell"),
			text(actor, "cell"));
	if (strcmp(text(cell, "verdict"), verdict) != 0)
		fault(r->title, "verdict '%s', not '%s'", text(cell, "verdict"), verdict);
	if ((out != NULL) != (unplaced(r) != NULL))
		fault(r->title, "the trail says %s", out ? text(out, "input") : "nothing of why");
	json_array_foreach (always_steps, i, step) {
		size_t k, same = 0;
		json_t *other;
		json_array_foreach (steps, k, other)
			same += strcmp(text(other, "rule"), text(step, "rule")) == 0 &&
				strcmp(text(other, "input"), text(step, "input")) == 0 &&
				strcmp(text(other, "verdict"), text(step, "verdict")) == 0;
		if (same != 1)
			fault(r->title, "why-always adds %s", text(step, "rule"));
	}
	if (!streams(r) || unplaced(r))
		return;
	bool spatial = false;
	for (int at = r->view;; at = views[at].parent) {
		spatial |= views[at].spatial_forced && views[v->top].spatial;
		if (at == v->top)
			break;
	}
	if ((find(steps, "verdict", "not spatial") &&
		    strcmp(text(find(steps, "verdict", "not spatial"), "rule"), "forced") == 0) !=
		spatial)
		fault(r->title, "validation is%s told as what made it not spatial",
			spatial ? " not" : "");
}

/* Counts the references from a view to its parents and children, which hold its cluster, too. */
static size_t count_family(int view)
{
	const struct view *v = &views[view];
	size_t n = 0;
	for (int k = 0; k < v->n_references; k++) {
		const int to = v->references[k];
		bool told = !is_view(to) || !(is_above(to, view) || is_above(view, to));
		for (int i = 0; i < k; i++)
			told = told || v->references[i] == to;
		n += !told;
	}
	return n;
}

static void check_cluster(
	const struct row *r, const json_t *actor, const json_t *steps, const json_t *list)
{
	const json_t *cluster = find(steps, "rule", "cluster"),
		     *bounds = find(steps, "rule", "bounds");
	const struct row *largest = NULL;
	size_t members = 0, n = 0;
	if (!streams(r))
		return;
	const bool flat = strstr(text(bounds, "input"), "in X, Y") != NULL;
	if (!is_set && flat != set_is_bounded(r))
		fault(r->title, "measured with Z");
	for (int i = 0; i < n_rows; i++) {
		if (!same_set(r, &rows[i]))
			continue;
		members++;
		if (strcmp(text(rows[i].actor, "cell"), text(actor, "cell")) != 0)
			fault(r->title, "not in one cell with %s", rows[i].title);
		const struct view *v = &views[rows[i].view];
		if (v->has_bounds &&
			(!largest || extent(v, flat) > extent(&views[largest->view], flat)))
			largest = &rows[i];
	}
	for (int e = 0; e < n_edges; e++) /* attachments as the program tells them: by parent */
		n += !edges[e].removed && root_of(edges[e].from) == root_of(r->view) &&
		     !(r->n_around &&
			     (views[edges[e].from].main_only || views[edges[e].to].main_only));
	for (int i = first_of(views[r->view].level); i < end_of(views[r->view].level); i++)
		n += is_view(i) && root_of(i) == root_of(r->view) ? count_family(i) : 0;
	bool broken = false; /* a member that stays out breaks the tree of parents */
	for (int i = first_of(views[r->view].level); i < end_of(views[r->view].level); i++)
		broken |= r->n_around && views[i].main_only;
	if ((size_t)json_integer_value(json_object_get(cluster, "cells")) != members)
		fault(r->title, "the trail has another set than %zu actors", members);
	if (largest && strcmp(text(cluster, "actor"), largest->title) != 0)
		fault(r->title, "largest %s, not %s", text(cluster, "actor"), largest->title);
	if (!broken && json_array_size(list) != n)
		fault(r->title, "%zu edges, not %zu", json_array_size(list), n);
}

static void check_cell(
	const struct row *r, const json_t *actor, const json_t *list, const json_t *all)
{
	if (!*text(actor, "cell"))
		return; /* the answer is its trail */
	if (!find(list, "title", r->title) ||
		count(list, "cell", text(actor, "cell")) != json_array_size(list))
		fault(r->title, "cell-of lists other cells, or not it");
	if (json_array_size(list) != count(all, "cell", text(actor, "cell")))
		fault(r->title, "cell-of lists %zu actors, not %zu", json_array_size(list),
			count(all, "cell", text(actor, "cell")));
}

/*
 * Checks the bridges of a cluster: an edge between two members without which the cluster falls
 * apart.
 */
static void check_cuts(const struct row *r, const json_t *cuts, const json_t *list)
{
	size_t i, k;
	json_t *cut, *edge;
	json_array_foreach (cuts, i, cut) {
		size_t same = 0;
		json_array_foreach (list, k, edge)
			same += (strcmp(text(edge, "from"), text(cut, "from")) == 0 &&
					strcmp(text(edge, "to"), text(cut, "to")) == 0) ||
				(strcmp(text(edge, "to"), text(cut, "from")) == 0 &&
					strcmp(text(edge, "from"), text(cut, "to")) == 0);
		if (same != 1)
			fault(r->title, "cut %s -> %s is %zu edges", text(cut, "from"),
				text(cut, "to"), same);
	}
}

static void check_repairs(const struct row *r, const json_t *actor, const json_t *repairs)
{
	static const struct {
		const char *flag, *repair;
	} kinds[] = {{"forced_non_spatial", "not spatial"}, {"forced_no_layers", "no data layers"}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (truth(actor, kinds[i].flag) && !find(repairs, "repair", kinds[i].repair))
			fault(r->title, "%s, and no repair says so", kinds[i].flag);
	if (views[r->view].top == r->view && !truth(actor, "forced_non_spatial") &&
		find(repairs, "repair", "not spatial"))
		fault(r->title, "a repair that changed nothing");
}

static void check_wholes(json_t *const *all)
{
	size_t i, in_none = 0;
	json_t *row;
	json_array_foreach (all[ACTORS], i, row) {
		const bool none = !*text(row, "cell");
		in_none += none;
		if (none != (find(all[DROPS], "actor", text(row, "title")) != NULL))
			fault(text(row, "title"), "drops and actors disagree");
	}
	if (in_none != json_array_size(all[DROPS]))
		fault("drops", "%zu, not %zu", json_array_size(all[DROPS]), in_none);
	json_array_foreach (all[CELLS], i, row)
		if ((size_t)json_integer_value(json_object_get(row, "actors")) !=
			count(all[ACTORS], "cell", text(row, "name")))
			fault(text(row, "name"), "counts other actors than there are");
}

static void check_counts(const json_t *counts, const json_t *actors)
{
	static const char *const reasons[] = {"own setting", "parent or level instance",
		"reference", "level script", "no bounds", "its grid"};
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		char name[60];
		snprintf(name, sizeof(name), "always: %s", reasons[i]);
		const json_t *row = find(counts, "count", name);
		if ((size_t)json_integer_value(json_object_get(row, "before")) !=
			count(actors, "always", reasons[i]))
			fault(name, "whatif and actors disagree");
	}
}

static void check_answers(void)
{
	json_t *all[WHOLES];
	for (int i = 0; i < WHOLES; i++)
		all[i] = answer(wholes[i]);
	check_wholes(all);
	json_t *counts = answer("whatif");
	check_counts(counts, all[ACTORS]);
	json_decref(counts);
	json_t *numbered = answer("S1"), *named = answer("S1");
	if (!json_equal(numbered, named))
		fault("S1", "two answers about it differ");
	json_decref(numbered);
	json_decref(named);
	for (int i = 0; i < n_rows; i++) {
		rows[i].actor = find(all[ACTORS], "title", rows[i].title);
		if (!rows[i].actor)
			fault(rows[i].title, "is not listed");
	}
	for (int i = 0; i < n_rows; i++) {
		const struct row *r = &rows[i];
		enum {
			ACTOR,
			EXPLAIN,
			EXPLAIN_ACTOR,
			ALWAYS,
			CELL_OF,
			CLUSTER,
			CUT,
			REPAIR,
			NUMBERED,
			N
		};
		json_t *got[N];
		for (int k = 0; k < N; k++)
			got[k] = answer(r->title);
		const json_t *actor = json_array_get(got[ACTOR], 0);
		if (!json_equal(actor, r->actor) || !json_equal(got[EXPLAIN], got[EXPLAIN_ACTOR]) ||
			!json_equal(got[EXPLAIN], got[NUMBERED]))
			fault(r->title, "two answers about it differ");
		check_actor(r, r->actor);
		check_always(r, r->actor, all[CELLS]);
		check_trail(r, r->actor, got[EXPLAIN], got[ALWAYS]);
		check_cluster(r, r->actor, got[EXPLAIN], got[CLUSTER]);
		check_cell(r, r->actor, got[CELL_OF], all[ACTORS]);
		check_cuts(r, got[CUT], got[CLUSTER]);
		check_repairs(r, r->actor, got[REPAIR]);
		for (int k = 0; k < N; k++)
			json_decref(got[k]);
	}
	for (int i = 0; i < WHOLES; i++)
		json_decref(all[i]);
}

static void run_world(unsigned long long number)
{
	const char *build = getenv("CELLSCOPE_BUILD"), *folder = test_folder();
	char world[4200], script[4200], command[20000];
	seed = number;
	make_world(number);
	snprintf(world, sizeof(world), "%s/says.json", folder);
	snprintf(script, sizeof(script), "%s/says.cmd", folder);
	write_world(world);
	lines = fopen(script, "w");
	if (!lines)
		abort();
	ask_all();
	if (fclose(lines) != 0)
		abort();
	snprintf(command, sizeof(command), "'%s/cellscope' -n -q '%s' -x '%s' 2>&1",
		build ? build : ".", world, script);
	answers = popen(command, "r");
	if (!answers)
		abort();
	check_answers();
	const int status = pclose(answers);
	if (status != 0)
		fault("all", "the program ended with %d", status);
}

int main(void)
{
	const char *wanted = getenv("CELLSCOPE_WORLDS"), *first = getenv("CELLSCOPE_SEED");
	const unsigned long long n = wanted ? strtoull(wanted, NULL, 10) : 12;
	const unsigned long long from = first ? strtoull(first, NULL, 10) : 1;
	for (unsigned long long i = from; i < from + n; i++)
		run_world(i);
	is_int(wrong, 0, "%llu worlds, %zu questions", n, asked);
	return done();
}
