/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the rules that can only be tested by simulating: views draw every point of the surface
 * once, with all pages installed, with only the root pages, and while pages are installed and
 * removed.
 *
 * A point of the surface corresponds to a path through the DAG, from the root group to level 0:
 * exactly one cluster on the path must be drawn. Groups are checked from the coarsest to the
 * finest: all paths from the root to a group must have equal numbers of drawn clusters.
 */
#include "nanite/verify/verify_resource.h"

#include "nanite/residency/residency.h"

#include "core/random.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_VIEWS = 1000,
	FEWEST_VIEWS = 32,
	ORDERS = 3,         /* number of random orders in which all pages are installed */
	STEPS = 200,        /* number of random steps that install or remove a page */
	STEPS_BETWEEN = 20, /* number of random steps between two views that are checked */
	/* largest number of clusters that are checked, in all views together */
	TEST_BUDGET = 50000000,
};

struct streaming {
	const struct cs_resource_check *check;
	const struct cs_nanite_contents *contents;
	uint32_t *order; /* indices of the groups, the coarsest first */
	/*
	 * for each group, the number of clusters that are drawn on each path from the root down to
	 * the group, not counting the clusters of the group. DISAGREE if the paths differ
	 */
	uint8_t *above;
	struct cs_residency residency;
	struct cs_drawn drawn;
	struct cs_random random;
	struct cs_error *error;
};

/* ---- one drawn cluster on each path ---- */

enum { DISAGREE = 255 };

static uint8_t drawn_above(const struct streaming *streaming, const struct cs_model_group *group)
{
	uint8_t above = 0;
	for (uint32_t i = 0; i < group->n_parents; i++) {
		uint32_t parent = streaming->contents->parents[group->first_parent + i];
		uint8_t one = streaming->above[streaming->contents->clusters[parent].group];
		if (one == DISAGREE)
			return DISAGREE;
		one = (uint8_t)(one + streaming->drawn.cluster[parent]);
		if (i && one != above)
			return DISAGREE;
		above = one;
	}
	return above;
}

/* Returns a cluster wrongly drawn or not drawn, with the reason in *says_ret, or CS_NONE. */
static uint32_t find_wrong(const struct streaming *streaming, const struct cs_model_group *group,
	const char **says_ret)
{
	uint8_t above = streaming->above[group - streaming->contents->groups];
	for (uint32_t p = 0; p < group->n_parts; p++) {
		const struct cs_model_part *part = CS_GROUP_PART(streaming->contents, group, p);
		for (uint32_t i = 0; i < part->n_clusters; i++) {
			uint32_t cluster = part->first_cluster + i;
			unsigned n = (unsigned)above + streaming->drawn.cluster[cluster];
			*says_ret =
				above == DISAGREE ? "is covered by coarser clusters in part only"
				: n > 1 ? "is drawn together with a coarser cluster that replaces "
					  "it"
					: "is not drawn, and no coarser cluster replaces it";
			if (above == DISAGREE || n > 1 ||
				(n == 0 && streaming->contents->clusters[cluster].maker == CS_NONE))
				return cluster;
		}
	}
	return CS_NONE;
}

/* Draws a view and checks it. If it is wrong, records a breach of `rule` and returns false. */
static bool check_view(struct streaming *streaming, const struct cs_nanite_view *view,
	enum cs_resource_rule rule, const char *when)
{
	cs_residency_draw(&streaming->residency, view, &streaming->drawn);
	for (size_t i = 0; i < streaming->contents->n_groups; i++) {
		const struct cs_model_group *group =
			&streaming->contents->groups[streaming->order[i]];
		const char *says;
		streaming->above[streaming->order[i]] = drawn_above(streaming, group);
		uint32_t wrong = find_wrong(streaming, group, &says);
		if (wrong == CS_NONE)
			continue;
		return cs_breach(streaming->check->rest, rule,
			cs_in_cluster(&streaming->contents->clusters[wrong]),
			"%s the cluster %s, seen from (%g, %g, %g)", when, says, view->eye[0],
			view->eye[1], view->eye[2]);
	}
	return true;
}

/* ---- views to check ---- */

static struct cs_nanite_view random_view(struct streaming *streaming)
{
	const struct cs_nanite_info *info = streaming->check->resource->info;
	struct cs_nanite_view view = {.near = 1e-3, .pixels = 1000};
	double size = 0, direction[3], length = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		size += fabs((double)info->max[axis] - (double)info->min[axis]);
		direction[axis] = cs_random_range(&streaming->random, -1, 1);
		length += direction[axis] * direction[axis];
	}
	/* distances range from inside the mesh to far away, and thresholds from tiny to large */
	double distance = size * exp2(cs_random_range(&streaming->random, -6, 6));
	for (unsigned axis = 0; axis < 3; axis++)
		view.eye[axis] = ((double)info->min[axis] + (double)info->max[axis]) / 2 +
				 direction[axis] / sqrt(length + 1e-9) * distance;
	view.threshold = exp2(cs_random_range(&streaming->random, -4, 8));
	return view;
}

static uint32_t verify_streaming_count_views(const struct streaming *streaming)
{
	size_t n =
		TEST_BUDGET / (streaming->contents->n_clusters + streaming->contents->n_groups + 1);
	return n > MOST_VIEWS ? MOST_VIEWS : n < FEWEST_VIEWS ? FEWEST_VIEWS : (uint32_t)n;
}

static void check_views(
	struct streaming *streaming, enum cs_resource_rule rule, const char *when, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct cs_nanite_view view = random_view(streaming);
		if (!check_view(streaming, &view, rule, when))
			return;
	}
}

/* ---- orders of installing pages ---- */

/* Installs all pages in a random order that dependencies allow. Returns false if there is none. */
static bool install_at_random(struct streaming *streaming)
{
	size_t n = streaming->contents->n_pages,
	       missing = n > CS_ROOT_PAGES ? n - CS_ROOT_PAGES : 0;
	while (missing > 0) {
		uint32_t first = cs_random_below(&streaming->random, (uint32_t)n), tried = 0;
		for (; tried < n; tried++) {
			uint32_t page = (uint32_t)((first + tried) % n);
			if (streaming->residency.installed[page] ||
				!cs_residency_can_install(&streaming->residency, page))
				continue;
			cs_residency_install(&streaming->residency, page);
			missing--;
			break;
		}
		if (tried == n)
			return cs_breach(streaming->check->rest, CS_RULE_T1, CS_NOWHERE,
				"%zu pages depend on each other in a cycle", missing);
	}
	return true;
}

struct state {
	bool *part_loaded, *leaf;
};

static bool copy_state(const struct streaming *streaming, struct state *ret)
{
	ret->part_loaded = malloc(streaming->contents->n_parts + 1);
	ret->leaf = malloc(streaming->contents->n_clusters + 1);
	if (!ret->part_loaded || !ret->leaf)
		return false;
	memcpy(ret->part_loaded, streaming->residency.part_loaded, streaming->contents->n_parts);
	memcpy(ret->leaf, streaming->residency.leaf, streaming->contents->n_clusters);
	return true;
}

static bool same_state(const struct streaming *streaming, const struct state *state)
{
	return memcmp(state->part_loaded, streaming->residency.part_loaded,
		       streaming->contents->n_parts) == 0 &&
	       memcmp(state->leaf, streaming->residency.leaf, streaming->contents->n_clusters) == 0;
}

static void free_state(struct state *state)
{
	free(state->part_loaded);
	free(state->leaf);
}

/*
 * Checks that the state after installing all pages does not depend on their order, and that
 * uninstalling them restores the initial state.
 */
static bool check_orders(struct streaming *streaming)
{
	struct state none, all = {NULL, NULL};
	bool ok = copy_state(streaming, &none);
	if (ok) {
		for (uint32_t page = CS_ROOT_PAGES; page < streaming->contents->n_pages; page++)
			cs_residency_install(&streaming->residency, page);
		ok = copy_state(streaming, &all);
	}
	for (unsigned i = 0; ok && i < ORDERS; i++) {
		for (size_t page = streaming->contents->n_pages; page-- > CS_ROOT_PAGES;)
			cs_residency_uninstall(&streaming->residency, (uint32_t)page);
		if (!same_state(streaming, &none)) {
			cs_breach(streaming->check->rest, CS_RULE_T2, CS_NOWHERE,
				"unloading all pages does not restore the slots and leaf flags");
			break;
		}
		if (!install_at_random(streaming))
			break;
		if (!same_state(streaming, &all)) {
			cs_breach(streaming->check->rest, CS_RULE_T1, CS_NOWHERE,
				"loading the pages in another order gives other slots "
				"or leaf flags");
			break;
		}
	}
	free_state(&none);
	free_state(&all);
	return ok;
}

/* ---- installing and removing pages at random ---- */

static void step_at_random(struct streaming *streaming)
{
	uint32_t page = cs_random_below(&streaming->random, (uint32_t)streaming->contents->n_pages);
	bool there = streaming->residency.installed[page];
	if (there && cs_residency_can_uninstall(&streaming->residency, page))
		cs_residency_uninstall(&streaming->residency, page);
	else if (!there && cs_residency_can_install(&streaming->residency, page))
		cs_residency_install(&streaming->residency, page);
}

static bool check_coming_and_going(struct streaming *streaming)
{
	for (unsigned step = 0; step < STEPS; step++) {
		step_at_random(streaming);
		if (step % STEPS_BETWEEN)
			continue;
		streaming->error = cs_residency_make_effective(&streaming->residency);
		if (streaming->error)
			return false;
		struct cs_nanite_view view = random_view(streaming);
		if (!check_view(streaming, &view, CS_RULE_T4, "with some pages missing"))
			return true;
	}
	return true;
}

/* Checks that a view whose threshold is an error of 0 requests every page. */
static void check_wanted(struct streaming *streaming)
{
	const struct cs_nanite_view view = {.uniform = true, .threshold = 0};
	cs_residency_draw(&streaming->residency, &view, &streaming->drawn);
	for (uint32_t page = CS_ROOT_PAGES; page < streaming->contents->n_pages; page++) {
		const struct cs_model_page *row = &streaming->contents->pages[page];
		bool wanted = false;
		for (uint32_t i = 0; i < row->n_parts; i++)
			wanted = wanted || streaming->drawn.wanted[row->first_part + i];
		if (!wanted)
			cs_breach(&streaming->check->breaches[page], CS_RULE_T5, cs_in_page(page),
				"no view requests the page: the clusters that it refines have "
				"error 0");
	}
}

/* ---- running all checks ---- */

static bool order_groups(struct streaming *streaming)
{
	const struct cs_nanite_contents *contents = streaming->contents;
	streaming->order = cs_coarse_first(contents->groups, contents->n_groups);
	streaming->above = calloc(contents->n_groups + 1, 1);
	return streaming->order && streaming->above;
}

static bool verify_streaming_run(struct streaming *streaming)
{
	uint32_t n = verify_streaming_count_views(streaming);
	check_views(streaming, CS_RULE_T3, "with the root pages alone", n / 10);
	if (!check_orders(streaming))
		return false;
	check_views(streaming, CS_RULE_D6, "with all pages loaded", n);
	check_wanted(streaming);
	return check_coming_and_going(streaming);
}

bool cs_check_streaming(const struct cs_resource_check *check)
{
	struct streaming streaming = {.check = check, .contents = check->contents, .random = {1}};
	streaming.error = cs_residency_init(check->contents, &streaming.residency);
	if (!streaming.error)
		streaming.error = cs_drawn_init(check->contents, &streaming.drawn);
	bool ok = !streaming.error && order_groups(&streaming) && verify_streaming_run(&streaming);
	ok = ok && !streaming.error;
	cs_error_free(streaming.error);
	cs_residency_deinit(&streaming.residency);
	cs_drawn_deinit(&streaming.drawn);
	free(streaming.order);
	free(streaming.above);
	return ok;
}
