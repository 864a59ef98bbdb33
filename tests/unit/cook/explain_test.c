/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what is asked of a cook: placement trails, repairs, clusters and cuts, differences,
 * editing a world.
 */
#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>

#include "cook/record/trail_inside.h"
#include "core/random.h"
#include "format/check_numbers.h"
#include "tests/make/make.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"
#include "world/world_internal.h"

#include <unistd.h>

#define G(digits) "\"000000000000000000000000000000" digits "\""
#define AT(digits, actor_name, x0, y0, x1, y1, rest)                                       \
	"{\"guid\":" G(digits) ",\"name\":\"" actor_name "\",\"bounds_min\":[" #x0 "," #y0 \
			       ",0],\"bounds_max\":[" #x1 "," #y1 ",10]" rest "}\n"
#define TO(digits) ",\"references\":[" G(digits) "]"
#define SPATIAL_HASH                                                                              \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{\"hash\":\"spatial_hash\"," \
	"\"use_aligned_grid_levels\":\"on\",\"place_small_actors_using_location\":\"off\"}}\n"

static uint32_t row_of(const struct cooked_world *w, const char *name)
{
	return (uint32_t)(actor_named(w, name) - cs_cooked_actor(w->c, 0));
}

static const struct cs_trail_step *find_step(
	const struct cs_trail *trail, enum cs_rule rule, size_t skip_first)
{
	for (size_t i = 0; i < trail->n; i++)
		if (trail->steps[i].rule == rule && skip_first-- == 0)
			return &trail->steps[i];
	return NULL;
}

static void test_promotion(void)
{
	/* the classic complaint: small, but across the origin, so always loaded */
	struct cooked_world w =
		cook_lines(SPATIAL_HASH AT("01", "Small", -100, -100, 100, 100, "")
				   AT("02", "Far", 90000, 90000, 100800, 100800, ""),
			"5.4");
	struct cs_trail trail;
	works(cs_explain_actor(w.c, row_of(&w, "Small"), &trail), "explain the small actor");
	size_t crossed = 0;
	for (size_t i = 0; i < trail.n; i++)
		crossed += trail.steps[i].rule == CS_RULE_LEVEL && trail.steps[i].count == 4;
	is_int(crossed, 4, "it touches 4 cells on each of four levels");
	ok(find_step(&trail, CS_RULE_CELL, 0)->holds, "so it is always loaded");
	const struct cs_trail_step *hint = find_step(&trail, CS_RULE_TRY_NON_ALIGNED, 0);
	ok(hint && hint->level == 0, "non-aligned levels would place it on level 0");
	hint = find_step(&trail, CS_RULE_TRY_SMALL, 0);
	ok(hint && hint->level == 0, "and so would small actors by location");
	free(trail.steps);
	cooked_free(&w);
}

static void test_largest(void)
{
	struct cooked_world w = cook_lines(DOCUMENT AT("01", "Lamp", 100, 100, 200, 200, TO("02"))
						   AT("02", "Wall", 0, 300, 60000, 400, "")
							   AT("03", "Other", 0, 0, 1, 1, ""),
		"5.4");
	struct cs_trail trail;
	works(cs_explain_actor(w.c, row_of(&w, "Lamp"), &trail), "explain the lamp");
	const struct cs_trail_step *cluster = find_step(&trail, CS_RULE_CLUSTER, 0);
	ok(cluster && cluster->count == 2 && cluster->actor == row_of(&w, "Wall"),
		"it shares a set with the wall, which is the largest");
	is_int(find_step(&trail, CS_RULE_LEVEL, 3)->holds, true, "level 3 is the first that fits");
	ok(!find_step(&trail, CS_RULE_LEVEL, 2)->holds, "level 2 is too small");
	const struct cs_trail_step *hint = find_step(&trail, CS_RULE_TRY_WITHOUT, 0);
	ok(hint && hint->level == 0 && hint->actor == row_of(&w, "Wall"),
		"without the wall it would be on level 0");
	free(trail.steps);
	works(cs_explain_actor(w.c, row_of(&w, "Wall"), &trail), "explain the wall");
	ok(!find_step(&trail, CS_RULE_TRY_WITHOUT, 0), "alone it would be on the same level");
	free(trail.steps);
	cooked_free(&w);
}

/* A reference to a parent holds the cluster as well when the attachment is gone. */
static void test_cut_family(void)
{
	struct cooked_world w =
		cook_lines(DOCUMENT AT("01", "Box", 0, 0, 1, 1, "") AT("02", "Lid", 0, 0, 1, 1,
				   ",\"parent\":" G("01") ",\"references\":[" G("01") "]"),
			"5.4");
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts;
	size_t n;
	works(cs_cluster_of_actor(w.c, row_of(&w, "Lid"), &cluster), "cluster of the lid");
	works(cs_cluster_cuts(w.c, &cluster, &cuts, &n), "its cuts");
	ok(cluster.n_edges == 2 && n == 0, "neither the attachment nor the reference is a bridge");
	free(cuts);
	free(cluster.members);
	free(cluster.edges);
	cooked_free(&w);
}

/* What is advised is what another cook would do: parts that fall apart, settings that return. */
static void test_without(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT AT("01", "Lamp", 100, 100, 200, 200, TO("02")) AT("02", "Wall", 0, 300,
			60000, 400, TO("03")) AT("03", "Post", 59000, 500, 59100, 600, "") AT("04",
			"Child", 0, 0, 1, 1, ",\"spatially_loaded\":false,\"parent\":" G("06"))
			AT("05", "Dense", 0, 0, 1, 1, ",\"grid\":\"Dense\",\"parent\":" G("06"))
				AT("06", "Fence", 0, 900, 60000, 950, ""),
		"5.4");
	struct cs_trail trail;
	static const char *const names[] = {"Lamp", "Post", "Child", "Dense"};
	for (unsigned i = 0; i < 4; i++) {
		works(cs_explain_actor(w.c, row_of(&w, names[i]), &trail), "%s", names[i]);
		const struct cs_trail_step *hint = find_step(&trail, CS_RULE_TRY_WITHOUT, 0);
		if (i < 2)
			ok(hint && hint->level == 0, "without the wall %s is alone", names[i]);
		else
			ok(!hint, "%s would lose the settings of the fence", names[i]);
		free(trail.steps);
	}
	cooked_free(&w);
}

static void test_repairs(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT AT("03", "C", 0, 0, 1, 1, TO("01")) AT("01", "A", 0, 0, 1, 1, TO("02"))
			AT("02", "B", 0, 0, 1, 1, ",\"spatially_loaded\":false")
				AT("04", "Child", 0, 0, 1, 1, ",\"parent\":" G("03")),
		"5.4");
	uint32_t chain[8];
	size_t n = cs_explain_repair(w.c, row_of(&w, "C"), CS_REPAIR_NON_SPATIAL, chain, 8);
	is_int(n, 2, "C: a chain of two findings");
	ok(w.c->findings[chain[0]].actor == row_of(&w, "C") &&
			w.c->findings[chain[1]].actor == row_of(&w, "A") &&
			w.c->findings[chain[1]].other == row_of(&w, "B"),
		"the edge C -> A, caused by A -> B");
	ok(cs_explain_repair(w.c, row_of(&w, "Child"), CS_REPAIR_NON_SPATIAL, chain, 8) >= 2,
		"a child is told of its parent's repair");
	is_int(cs_explain_repair(w.c, row_of(&w, "C"), CS_REPAIR_NO_GRID, chain, 8), 0,
		"nothing was done to its grid");
	cooked_free(&w);
}

#define SHIPPED                                                       \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"layers\":[" \
	"{\"name\":\"E\",\"asset\":\"/E\",\"external\":true}]}\n"
/*
 * References between external layers are dropped. Each edge is told once, though a reference can be
 * listed twice or in both directions.
 */
static void test_dropped(void)
{
	struct cooked_world w = cook_lines(
		SHIPPED AT("01", "A", 0, 0, 1, 1,
			",\"external_data_layer\":\"/E\",\"references\":[" G("02") "," G(
				"02") "," G("04") "]") AT("02", "B", 0, 0, 1, 1, TO("01"))
			AT("03", "Child", 0, 0, 1, 1, ",\"parent\":" G("01") TO("01"))
				AT("04", "C", 0, 0, 1, 1, ""),
		"5.4");
	static const struct {
		const char *actor;
		size_t dropped;
	} rows[] = {{"A", 3}, {"B", 2}, {"C", 1}, {"Child", 0}};
	uint32_t found[8];
	is_int(w.c->n_findings, 3, "A -> B, A -> C and B -> A are told, each once");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		is_int(cs_explain_repair(
			       w.c, row_of(&w, rows[i].actor), CS_REPAIR_DROP_REFERENCE, found, 8),
			(int64_t)rows[i].dropped, "%s: each end is told of all of its own",
			rows[i].actor);
	is_text(cs_finding_rule(&w.c->findings[0]), "1.4.V3e", "by the rule of external layers");
	cooked_free(&w);
}

static void test_unplaced(void)
{
	struct cooked_world w =
		cook_lines(DOCUMENT AT("01", "Note", 0, 0, 1, 1, ",\"editor_only\":true"), "5.4");
	struct cs_trail trail;
	works(cs_explain_actor(w.c, 0, &trail), "explain an editor-only actor");
	ok(trail.n == 1 && trail.steps[0].rule == CS_RULE_UNPLACED &&
			trail.steps[0].value == CS_UNPLACED_EDITOR_ONLY,
		"it is in no cell, because it is editor-only");
	free(trail.steps);
	cooked_free(&w);
}

/* ---- clusters ---- */

static void test_cut(void)
{
	/* two triangles joined by one edge; a tail on the right one */
	struct cooked_world w = cook_lines(
		DOCUMENT AT("01", "A", 0, 0, 1, 1, TO("02")) AT("02", "B", 0, 0, 1, 1, TO("03"))
			AT("03", "C", 0, 0, 1, 1, TO("01")) AT("04", "D", 0, 0, 1, 1, TO("05"))
				AT("05", "E", 0, 0, 1, 1, TO("06")) AT("06", "F", 0, 0, 1, 1,
					",\"references\":[" G("04") "," G("03") "]")
					AT("07", "Tail", 0, 0, 1, 1, ",\"parent\":" G("05")),
		"5.4");
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts;
	size_t n;
	works(cs_cluster_of_actor(w.c, row_of(&w, "A"), &cluster), "cluster of A");
	is_int(cluster.n_members, 7, "seven members");
	is_int(cluster.n_edges, 8, "seven references and one attachment");
	works(cs_cluster_cuts(w.c, &cluster, &cuts, &n), "cuts");
	is_int(n, 2, "two bridges");
	const struct cs_cluster_edge *best = &cluster.edges[cuts[0].edge];
	ok(best->from == row_of(&w, "F") && best->to == row_of(&w, "C") && cuts[0].left == 4 &&
			cuts[0].right == 3,
		"the best is F -> C: 4 and 3");
	ok(cluster.edges[cuts[1].edge].attachment && cuts[1].right == 1, "the other is the tail");
	free(cuts);
	free(cluster.members);
	free(cluster.edges);
	cooked_free(&w);
}

/* A reference that is listed twice is one edge, which still is a bridge. */
static void test_twice(void)
{
	struct cooked_world w = cook_lines(
		DOCUMENT AT("01", "A", 0, 0, 1, 1, ",\"references\":[" G("02") "," G("02") "]")
			AT("02", "B", 0, 0, 1, 1, ""),
		"5.4");
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts;
	size_t n;
	works(cs_cluster_of_actor(w.c, row_of(&w, "A"), &cluster), "cluster of A");
	is_int(cluster.n_edges, 1, "listed twice: one edge");
	works(cs_cluster_cuts(w.c, &cluster, &cuts, &n), "cuts");
	is_int(n, 1, "listed twice: one bridge");
	free(cuts);
	free(cluster.members);
	free(cluster.edges);
	cooked_free(&w);
}

/* The height of a mast does not count where the grid is flat. */
static void test_largest_flat(void)
{
	static const char tower[] =
		"{\"guid\":" G("01") ",\"name\":\"Mast\",\"bounds_min\":[0,0,0],"
				     "\"bounds_max\":[100,100,9000]" TO("02") "}\n" AT(
					     "02", "Wall", 0, 0, 3000, 100, "");
	char lines[2000];
	for (int flat = 0; flat < 2; flat++) {
		snprintf(lines, sizeof(lines), "%s%s", flat ? SPATIAL_HASH : DOCUMENT, tower);
		struct cooked_world w = cook_lines(lines, "5.4");
		const struct cs_cooked_set *set = cs_cooked_set(w.c, actor_named(&w, "Mast")->set);
		struct cs_set_size *sizes;
		size_t n;
		is_text(cs_cooked_actor_title(w.c, set->largest), flat ? "Wall" : "Mast",
			"the largest, %s", flat ? "flat" : "with Z");
		works(cs_cell_sets(w.c, set->cell, &sizes, &n), "sets of the cell");
		ok(n == 1 && sizes[0].extent == (flat ? 3000 : 9000), "its extent, %s",
			flat ? "flat" : "with Z");
		free(sizes);
		cooked_free(&w);
	}
}

/*
 * Of several reasons why an actor is always loaded, one that suffices alone is told before one that
 * another actor brought about.
 */
static void test_always(void)
{
	static const struct {
		const char *actor;
		enum cs_always reason;
	} cases[] = {{"Manager", CS_ALWAYS_OWN}, {"Pulled", CS_ALWAYS_REFERENCE},
		{"Child", CS_ALWAYS_INHERITED}, {"Orphan", CS_ALWAYS_INHERITED},
		{"Scripted", CS_ALWAYS_SCRIPT}, {"Bodiless", CS_ALWAYS_BOUNDS},
		{"Free", CS_ALWAYS_REASONS}, {"House/Bed", CS_ALWAYS_INHERITED},
		{"House/Lamp", CS_ALWAYS_INHERITED}};
	struct cooked_world w = cook_lines(
		"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{"
		"\"world_references\":[" G(
			"05") "]},\"containers\":[{\"package\":\"/Game/L\"}]}\n" AT("01", "Manager",
			0, 0, 1, 1, ",\"spatially_loaded\":false") AT("02", "Pulled", 0, 0, 1, 1,
			TO("01")) AT("03", "Child", 0, 0, 1, 1, ",\"parent\":" G("02")) AT("04",
			"Orphan", 0, 0, 1, 1, ",\"parent\":" G("01")) AT("05", "Scripted", 0, 0, 1,
			1, "") "{\"guid\":" G("06") ",\"name\":\"Bodiless\"}\n" AT("07", "Free", 0,
			0, 1, 1, "") AT("08", "House", 0, 0, 1, 1,
			",\"spatially_loaded\":false,\"level_instance\":{\"level\":\"/Game/L\"}")
			AT("09", "Bed", 0, 0, 1, 1, ",\"container\":\"/Game/L\"") AT(
				"0A", "Lamp", 0, 0, 1, 1, ",\"container\":\"/Game/L\"" TO("0B"))
				AT("0B", "Mains", 0, 0, 1, 1,
					",\"container\":\"/Game/L\",\"spatially_loaded\":false"),
		"5.4");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t row = 0;
		while (row + 1 < w.c->n_actors &&
			strcmp(cs_cooked_actor_title(w.c, row), cases[i].actor) != 0)
			row++;
		is_int(cs_actor_always(w.c, row), cases[i].reason, "%s is always loaded",
			cases[i].actor);
	}
	uint32_t chain[4];
	is_int(cs_explain_repair(w.c, row_of(&w, "Manager"), CS_REPAIR_NON_SPATIAL, chain, 4), 0,
		"what was not spatial already was not changed");
	ok(!(actor_named(&w, "Manager")->flags & CS_ACTOR_FORCED_NONSPATIAL) &&
			actor_named(&w, "Pulled")->flags & CS_ACTOR_FORCED_NONSPATIAL,
		"and is not told as forced");
	cooked_free(&w);
}

static void test_inventory(void)
{
	static const struct {
		const char *actor, *detail;
		uint32_t actors;
		bool lost;
		enum cs_placement placement;
	} rows[] = {{"Lost", "Nowhere", 2, true, CS_UNPLACED_DROPPED},
		{"With", "Nowhere", 2, true, CS_UNPLACED_DROPPED},
		{"Note", "", 1, false, CS_UNPLACED_EDITOR_ONLY},
		{"House", "/Game/L", 1, false, CS_UNPLACED_CONTAINER},
		{"House/Sign", "House", 1, false, CS_UNPLACED_NOT_MAIN}};
	struct cooked_world w = cook_lines(
		"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{},"
		"\"containers\":[{\"package\":\"/Game/L\"}]}\n" AT("01", "Lost", 0, 0, 1, 1,
			",\"spatially_loaded\":false,\"grid\":\"Nowhere\"" TO("02")) AT("02",
			"With", 0, 0, 1, 1, ",\"spatially_loaded\":false,\"grid\":\"Nowhere\"")
			AT("03", "Note", 0, 0, 1, 1, ",\"editor_only\":true") AT("04", "House", 0,
				0, 1, 1, ",\"level_instance\":{\"level\":\"/Game/L\"}")
				AT("05", "Sign", 0, 0, 1, 1,
					",\"container\":\"/Game/L\",\"main_world_only\":true")
					AT("06", "There", 0, 0, 1, 1, ""),
		"5.7");
	struct cs_unplaced *out;
	size_t n;
	works(cs_cooked_unplaced(w.c, &out, &n), "actors in no cell");
	is_int(n, sizeof(rows) / sizeof(rows[0]), "all of them");
	for (size_t i = 0; i < n && i < sizeof(rows) / sizeof(rows[0]); i++) {
		is_text(cs_cooked_actor_title(w.c, out[i].actor), rows[i].actor, "in no cell");
		ok(out[i].actors == rows[i].actors && out[i].lost == rows[i].lost &&
				strcmp(cs_unplaced_detail(w.c, &out[i]), rows[i].detail) == 0 &&
				cs_cooked_actor(w.c, out[i].actor)->placement == rows[i].placement,
			"%s: why", rows[i].actor);
	}
	free(out);
	cooked_free(&w);
}

/* Nothing streams in the place of a level instance inside of its own level; each is told of. */
static void test_circles(void)
{
	static const char *const rows[][2] = {
		{"One", "a level instance: the actors of its level stream in its place"},
		{"Two", "a level instance: the actors of its level stream in its place"},
		{"One/Self",
			"a level instance inside of its own level: nothing streams in its place"},
		{"Two/Self",
			"a level instance inside of its own level: nothing streams in its place"}};
	struct cooked_world w = cook_lines(
		"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"settings\":{},"
		"\"containers\":[{\"package\":\"/Game/L\"}]}\n" AT("01", "One", 0, 0, 1, 1,
			",\"level_instance\":{\"level\":\"/Game/L\"}") AT("02", "Two", 0, 0, 1, 1,
			",\"level_instance\":{\"level\":\"/Game/L\"}") AT("03", "Self", 0, 0, 1, 1,
			",\"container\":\"/Game/L\",\"level_instance\":{"
			"\"level\":\"/Game/L\"}"),
		"5.7");
	struct cs_unplaced *out;
	size_t n;
	works(cs_cooked_unplaced(w.c, &out, &n), "actors in no cell");
	is_int(n, CS_COUNT_OF(rows), "all of them");
	for (size_t i = 0; i < n && i < CS_COUNT_OF(rows); i++) {
		const char *title = cs_cooked_actor_title(w.c, out[i].actor);
		is_text(title, rows[i][0], "in no cell");
		is_text(out[i].reason, rows[i][1], "%s: why", title);
	}
	is_int(w.c->n_findings, 2, "each circle is found once");
	for (size_t i = 0; i < w.c->n_findings; i++)
		is_text(cs_cooked_actor_title(w.c, w.c->findings[i].actor), rows[2 + i][0],
			"the finding names its level instance");
	free(out);
	cooked_free(&w);
}

/*
 * Returns how many members of the cluster are reached from the first one without the edge `skip`:
 * an edge is a bridge when these are not all.
 */
static size_t reach_without(const struct cs_actor_cluster *c, size_t skip)
{
	bool *seen = calloc(c->n_members, sizeof(*seen));
	size_t n = 1;
	seen[0] = true;
	for (bool more = true; more;) {
		more = false;
		for (size_t e = 0; e < c->n_edges; e++) {
			size_t from = 0, to = 0;
			while (c->members[from] != c->edges[e].from)
				from++;
			while (c->members[to] != c->edges[e].to)
				to++;
			if (e == skip || seen[from] == seen[to])
				continue;
			seen[from] = seen[to] = true;
			n++;
			more = true;
		}
	}
	free(seen);
	return n;
}

static void test_cut_twin(void)
{
	size_t wrong = 0, bridges = 0;
	for (uint64_t seed = 0; seed < 300; seed++) {
		struct cs_random random = {seed};
		uint32_t n = 3 + cs_random_below(&random, 12), edges = 0;
		char lines[8192] = DOCUMENT;
		for (uint32_t i = 1; i <= n; i++) {
			char *at = lines + strlen(lines);
			size_t room = sizeof(lines) - strlen(lines);
			at += snprintf(at, room,
				"{\"guid\":\"%032x\",\"name\":\"a%u\",\"references\":[", i, i);
			uint32_t out = i == 1 ? 0 : 1 + cs_random_below(&random, 2);
			for (uint32_t k = 0; k < out; k++, edges++)
				at += sprintf(at, "%s\"%032x\"", k ? "," : "",
					1 + cs_random_below(&random, i - 1));
			sprintf(at, "]}\n");
		}
		struct cooked_world w = cook_lines(lines, "5.4");
		struct cs_actor_cluster cluster;
		struct cs_cluster_cut *cuts = NULL;
		size_t n_cuts = 0, naive = 0;
		cs_error_free(cs_cluster_of_actor(w.c, 0, &cluster));
		cs_error_free(cs_cluster_cuts(w.c, &cluster, &cuts, &n_cuts));
		for (size_t e = 0; e < cluster.n_edges; e++)
			naive += reach_without(&cluster, e) < cluster.n_members;
		for (size_t i = 0; i < n_cuts; i++)
			wrong += reach_without(&cluster, cuts[i].edge) == cluster.n_members ||
				 cuts[i].left + cuts[i].right != cluster.n_members;
		wrong += naive != n_cuts;
		bridges += naive;
		free(cuts);
		free(cluster.members);
		free(cluster.edges);
		cooked_free(&w);
	}
	is_int(wrong, 0, "brute force finds the same %zu bridges in 300 clusters", bridges);
}

/* ---- differences ---- */

static uint32_t reasons_of(const struct cs_diff *diff, enum cs_diff_kind kind, uint32_t left)
{
	for (size_t i = 0; i < diff->n; i++)
		if (diff->rows[i].kind == kind && diff->rows[i].left == left)
			return diff->rows[i].reasons;
	return 0;
}

/* Returns the rule of the step in which the trails of an actor in two cooks part. */
static const char *parting_rule(
	const struct cooked_world *a, const struct cooked_world *b, const char *actor)
{
	struct cs_parting parting;
	uint32_t left = row_of(a, actor), right = row_of(b, actor);
	works(cs_parting_of_actor(a->c, left, a->c, left, &parting), "%s beside itself", actor);
	is_int(parting.step, parting.left.n, "a trail does not part from itself");
	ok(parting.rule == NULL, "so no rule decides");
	free(parting.left.steps);
	free(parting.right.steps);
	works(cs_parting_of_actor(a->c, left, b->c, right, &parting), "%s then", actor);
	ok(parting.step < parting.right.n, "the trails part");
	const char *rule = parting.rule;
	is_text(cs_parting_rule(a->c, left, b->c, right), rule, "its rule alone");
	free(parting.left.steps);
	free(parting.right.steps);
	return rule;
}

static double amount_of(const struct cooked_world *a, const struct cs_diff *diff, const char *actor)
{
	for (size_t i = 0; i < diff->n; i++)
		if (diff->rows[i].kind == CS_DIFF_ACTOR && diff->rows[i].left == row_of(a, actor))
			return diff->rows[i].amount;
	return 0;
}

/* One actor shows another mesh than before, and one shows a mesh that showed none. */
static void test_mesh_diff(void)
{
	const char *before = DOCUMENT AT("01", "Rock", 0, 0, 1, 1, ",\"mesh\":\"a.obj\"") AT(
		"02", "Same", 0, 0, 1, 1, ",\"mesh\":\"a.obj\"") AT("03", "None", 0, 0, 1, 1, "");
	const char *after = DOCUMENT AT("01", "Rock", 0, 0, 1, 1, ",\"mesh\":\"b.obj\"")
		AT("02", "Same", 0, 0, 1, 1, ",\"mesh\":\"a.obj\"")
			AT("03", "None", 0, 0, 1, 1, ",\"mesh\":\"a.obj\"");
	struct cooked_world a = cook_lines(before, "5.4"), b = cook_lines(after, "5.4");
	struct cs_diff diff;
	works(cs_cooked_diff(a.c, b.c, &diff), "diff of meshes");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "Rock")), CS_DIFF_MESH, "another mesh");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "None")), CS_DIFF_MESH, "a mesh now");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "Same")), 0, "the same mesh");
	is_text(cs_word(CS_WORDS_DIFFERENCE, 16)->name, "mesh", "its name");
	free(diff.rows);
	cooked_free(&a);
	cooked_free(&b);
}

#define GRIDS(of_rocks)                                                                 \
	"{\"cellscope_world\":1,\"package\":\"/Game/Maps/M\",\"partitions\":["          \
	"{\"name\":\"Main\",\"cell_size\":12800,\"loading_range\":38400},"              \
	"{\"name\":\"" of_rocks "\",\"cell_size\":3200,\"loading_range\":6400}]}\n" AT( \
		"01", "Rock", 100, 100, 110, 110, ",\"grid\":\"" of_rocks "\"")         \
		AT("02", "Tree", 9000, 100, 9010, 110, ",\"grid\":\"" of_rocks "\"")

/* A grid that was renamed is one finding with both names, and there is none for its cells. */
static void test_renamed_grid(void)
{
	struct cooked_world a = cook_lines(GRIDS("Small"), "5.4"),
			    b = cook_lines(GRIDS("Tiny"), "5.4");
	struct cs_diff diff;
	works(cs_cooked_diff(a.c, b.c, &diff), "diff of a grid that was renamed");
	is_int(diff.n, 1, "it is the only difference");
	const struct cs_diff_row row = diff.n ? diff.rows[0] : (struct cs_diff_row){0};
	is_int(row.kind, CS_DIFF_PARTITION_ROW, "a grid");
	is_int(row.reasons, CS_DIFF_NAME, "by name");
	is_text(cs_cooked_text(a.c, a.c->partitions[row.left].name), "Small", "from");
	is_text(cs_cooked_text(b.c, b.c->partitions[row.right].name), "Tiny", "to");
	free(diff.rows);
	cooked_free(&a);
	cooked_free(&b);
}

#define HLOD_LAYERS(near, other)                                           \
	"{\"cellscope_world\":1,\"package\":\"/Game/M\",\"hlod_layers\":[" \
	"{\"path\":\"/Game/Near.Near\"" near "},{\"path\":\"/Game/" other  \
	".X\"}]}\n" AT("01", "Rock", 0, 0, 1, 1, "")

/* A setting of an HLOD layer is told where no cell depends on it, too. */
static void test_hlod_layer_diff(void)
{
	struct cooked_world a = cook_lines(HLOD_LAYERS("", "Old"), "5.4"),
			    b = cook_lines(HLOD_LAYERS(",\"cell_size\":777", "New"), "5.4");
	struct cs_diff diff;
	works(cs_cooked_diff(a.c, b.c, &diff), "diff of HLOD layers");
	is_int(diff.n, 3, "one differs, one is gone, one is new");
	for (size_t i = 0; i < diff.n; i++)
		is_int(diff.rows[i].kind, CS_DIFF_HLOD_ROW, "an HLOD layer");
	is_int(reasons_of(&diff, CS_DIFF_HLOD_ROW, CS_NONE), CS_DIFF_NEW, "new");
	is_int(reasons_of(&diff, CS_DIFF_HLOD_ROW, 1), CS_DIFF_GONE, "gone");
	is_int(reasons_of(&diff, CS_DIFF_HLOD_ROW, 0), CS_DIFF_VALUE, "another value");
	free(diff.rows);
	cooked_free(&a);
	cooked_free(&b);
}

static void test_diff(void)
{
	const char *before = DOCUMENT AT("01", "Moves", 0, 0, 1, 1, "") AT("02", "Joins", 0, 0, 1,
		1, "") AT("03", "Goes", 0, 0, 1, 1, "") AT("04", "Wall", 50000, 0, 90000, 1, "");
	const char *after = DOCUMENT AT("01", "Moves", 20000, 0, 20001, 1, "")
		AT("02", "Joins", 0, 0, 1, 1, TO("04")) AT("05", "Comes", 0, 0, 1, 1, "")
			AT("04", "Wall", 50000, 0, 90000, 1, "");
	struct cooked_world a = cook_lines(before, "5.4"), b = cook_lines(after, "5.4");
	struct cs_diff diff;
	works(cs_cooked_diff(a.c, b.c, &diff), "diff");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "Moves")),
		CS_DIFF_MOVED | CS_DIFF_BOUNDS, "one moved, because of its bounds");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "Joins")),
		CS_DIFF_MOVED | CS_DIFF_CLUSTER | CS_DIFF_REFERENCE,
		"one moved, because a reference changed its cluster");
	is_int((long long)amount_of(&a, &diff, "Moves"), 20000, "by how far");
	is_int((long long)amount_of(&a, &diff, "Goes"), -1, "one that is gone by nothing");
	is_text(parting_rule(&a, &b, "Joins"), "1.5", "the rule that decided: clusters");
	is_text(parting_rule(&a, &b, "Moves"), "1.6.5", "the rule that decided: its cell");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, row_of(&a, "Goes")), CS_DIFF_GONE, "one is gone");
	is_int(reasons_of(&diff, CS_DIFF_ACTOR, CS_NONE), CS_DIFF_NEW, "one is new");
	free(diff.rows);
	test_mesh_diff();
	test_renamed_grid();
	test_hlod_layer_diff();
	works(cs_cooked_diff(a.c, a.c, &diff), "diff with itself");
	is_int(diff.n, 0, "a cook does not differ from itself");
	free(diff.rows);
	cooked_free(&b);
	b = cook_lines(before, "5.7");
	works(cs_cooked_diff(a.c, b.c, &diff), "diff of two profiles");
	ok(diff.n > 0 && diff.rows[0].kind == CS_DIFF_WORLD &&
			strcmp(diff.rows[0].field->name, "profile") == 0,
		"the profile is the first difference");
	free(diff.rows);
	cooked_free(&a);
	cooked_free(&b);
}

/* ---- editing ---- */

static void test_edit(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_OPEN, 200, 3};
	struct cs_world *world = NULL;
	bool added = false;
	works(make_test_world(&recipe, NULL, &world), "open world");
	works(cs_world_apply(world, "{\"guid\":" G("77") ",\"name\":\"New\"}", NULL, &added),
		"add an actor");
	ok(added && world->actors.n == 201, "it is new");
	works(cs_world_apply(world, "{\"guid\":" G("77") ",\"grid\":\"G\"}", NULL, &added),
		"change it");
	uint32_t row = cs_world_find_actor(world, 0, (struct cs_guid){0, 0, 0, 0x77});
	ok(!added && world->actors.n == 201, "it is known");
	is_text(cs_world_text(world, world->actors.at[row].name), "New", "it keeps its name");
	is_text(cs_world_text(world, world->actors.at[row].grid), "G", "and has a grid");
	works(cs_world_remove(world, NULL, (struct cs_guid){0, 0, 0, 0x77}, NULL), "remove it");
	is_int(world->actors.n, 200, "it is gone");
	fails(cs_world_remove(world, NULL, (struct cs_guid){0, 0, 0, 0x77}, NULL), CS_E_NOACTOR,
		"there is nothing to remove any more");
	fails(cs_world_apply(world, "{\"name\":\"x\"}", NULL, &added), CS_E_GUID, "no GUID");
	fails(cs_world_apply(world, "{", NULL, &added), CS_E_JSON, "no JSON");
	is_int(world->actors.n, 200, "failed edits change nothing");
	cs_world_free(world);
}

/* Changes an actor at random, adds one, or removes one. */
static struct cs_error *random_edit(struct cs_world *world, struct cs_random *random)
{
	static const char *const changes[] = {"\"grid\":\"Second\"", "\"grid\":\"\"",
		"\"spatially_loaded\":false", "\"spatially_loaded\":true",
		"\"data_layers\":[\"DataLayer_X\"]", "\"data_layers\":[]",
		"\"bounds_min\":[100,-90000,0],\"bounds_max\":[200,90000,10]",
		"\"bounds_min\":[-5,-5,0],\"bounds_max\":[5,5,10]", "\"editor_only\":true",
		"\"editor_only\":false"};
	const struct cs_actor_row *actor =
		&world->actors.at[cs_random_below(random, (uint32_t)world->actors.n)];
	const struct cs_actor_row *other =
		&world->actors.at[cs_random_below(random, (uint32_t)world->actors.n)];
	const char *container =
		cs_world_text(world, world->containers.at[actor->container].package);
	char guid[CS_GUID_TEXT], to[CS_GUID_TEXT], line[1024];
	uint32_t dice = cs_random_below(random, 10);
	bool added;
	if (dice == 0)
		return cs_world_remove(
			world, actor->container ? container : NULL, actor->guid, NULL);
	cs_guid_format(dice == 1 ? cs_random_guid(random) : actor->guid, guid);
	cs_guid_format(other->guid, to);
	int n = snprintf(line, sizeof(line), "{\"guid\":\"%s\",", guid);
	if (actor->container)
		n += snprintf(
			line + n, sizeof(line) - (size_t)n, "\"container\":\"%s\",", container);
	if (dice < 5)
		snprintf(line + n, sizeof(line) - (size_t)n, "\"references\":[\"%s\"]}", to);
	else
		snprintf(line + n, sizeof(line) - (size_t)n, "%s}",
			changes[cs_random_below(random, sizeof(changes) / sizeof(changes[0]))]);
	return cs_world_apply(world, line, NULL, &added);
}

/* A world that was edited cooks like the same world that is written and read anew. */
static void test_edits_twin(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 150, 5};
	struct cs_random random = {99};
	struct cs_world *world = NULL, *fresh = NULL;
	char path[4096];
	size_t differ = 0, cooks = 0;
	snprintf(path, sizeof(path), "%s/edited.%ld.json", test_folder(), (long)getpid());
	works(make_test_world(&recipe, NULL, &world), "hard world");
	for (int i = 0; i < 2000; i++) {
		/* an edit that makes no sense is refused, and changes nothing */
		cs_error_free(random_edit(world, &random));
		if (i % 20)
			continue;
		struct cs_error *error = cs_world_write_json(world, NULL, path);
		if (!error)
			error = cs_world_read_json(path, NULL, &fresh);
		if (error) {
			works(error, "write and read the edited world");
			break;
		}
		struct cooked_world edited = cook_world(world, NULL, 1);
		struct cooked_world read = cook_world(fresh, NULL, 1);
		differ += edited.size != read.size ||
			  memcmp(edited.bytes, read.bytes, read.size) != 0;
		cooks++;
		cooked_free(&edited);
		cooked_free(&read);
		cs_world_free(fresh);
	}
	unlink(path);
	is_int(differ, 0, "after 2000 random edits: %zu cooks as of a world read anew", cooks);
	cs_world_free(world);
}

/*
 * Every check fires in the world of hard cases, but two: meshes need files of meshes
 * (tests/unit/cook/assets_test.c), ids need names of one CRC (fixtures/checks/cell-identity.cmd).
 */
static void test_hard_world(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, 0, 1};
	const struct cs_cook_options options = {.profile = "5.7"};
	struct cs_world *world = NULL;
	works(make_test_world(&recipe, NULL, &world), "hard world");
	struct cooked_world newer = cook_world(world, &options, 0),
			    standard = cook_world(world, NULL, 0);
	for (int check = 0; check < CS_CHECK_COUNT; check++) {
		if (check == CS_CHECK_ACTOR_MESH || check == CS_CHECK_CELL_IDENTITY)
			continue;
		const struct cooked_world *w = check == CS_CHECK_LOAD_FILTERS ? &newer : &standard;
		ok(findings_of(w, (enum cs_check)check, -1) > 0, "the hard world has %s",
			cs_word(CS_WORDS_CHECK, check)->name);
	}
	ok(standard.c->n_drops > 0, "and a set that UE would drop silently");
	cooked_free(&newer);
	cooked_free(&standard);
	cs_world_free(world);
}

/* ---- what makes a cell large ---- */

static void test_cell_sets(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 400, 3};
	struct cs_world *world = NULL;
	works(make_test_world(&recipe, NULL, &world), "a city");
	struct cooked_world w = cook_world(world, NULL, 0);
	size_t all = 0, wrong = 0;
	for (uint32_t cell = 0; cell < w.c->n_cells; cell++) {
		const struct cs_cooked_cell *at = cs_cooked_cell(w.c, cell);
		struct cs_set_size *sizes;
		size_t n;
		if (cs_cell_sets(w.c, cell, &sizes, &n))
			break;
		wrong += n != at->sets.count;
		for (size_t i = 0; i < n; i++) {
			const struct cs_box *b = &cs_cooked_set(w.c, sizes[i].set)->bounds;
			double x = b->max.x - b->min.x, y = b->max.y - b->min.y;
			double z = b->max.z - b->min.z, out = sizes[i].reaches_out;
			struct cs_box wide = at->box;
			bool first = i == 0 || sizes[i - 1].extent > sizes[i].extent ||
				     (sizes[i - 1].extent == sizes[i].extent &&
					     sizes[i - 1].set < sizes[i].set);
			wrong += !first || sizes[i].set - at->sets.first >= at->sets.count;
			if (!cs_box_valid(b) || !cs_box_valid(&at->box))
				continue;
			wrong += sizes[i].extent < x || sizes[i].extent < y ||
				 sizes[i].extent < z ||
				 (sizes[i].extent != x && sizes[i].extent != y &&
					 sizes[i].extent != z);
			wide.min.x -= out, wide.min.y -= out, wide.max.x += out, wide.max.y += out;
			wrong += b->min.x < wide.min.x || b->min.y < wide.min.y ||
				 b->max.x > wide.max.x || b->max.y > wide.max.y;
		}
		all += n;
		free(sizes);
	}
	is_int(wrong, 0, "sets of a cell: the largest first, and what they stand out is enough");
	is_int(all, w.c->n_sets, "every set is of one cell");
	cooked_free(&w);
	cs_world_free(world);
}

int main(void)
{
	test_promotion();
	test_largest();
	test_without();
	test_repairs();
	test_dropped();
	test_unplaced();
	test_cut();
	test_cut_family();
	test_twice();
	test_largest_flat();
	test_always();
	test_inventory();
	test_circles();
	test_cut_twin();
	test_diff();
	test_edit();
	test_edits_twin();
	test_hard_world();
	test_cell_sets();
	return done();
}
