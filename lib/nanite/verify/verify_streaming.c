/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the rules that only running can check: views draw every piece of the surface once, with all
 * pages installed, with only the root pages, and while pages come and go.
 *
 * A piece of the surface is a path through the DAG, from the root group down to level 0: exactly
 * one cluster on it must be drawn. Groups are checked coarse first: all clusters that a group was
 * simplified into must agree on how many are drawn above it.
 */
#include "nanite/verify/verify_resource.h"

#include "nanite/residency/residency.h"

#include "core/job.h"
#include "core/random.h"
#include "core/sort.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_VIEWS = 1000,
	FEWEST_VIEWS = 32,
	ORDERS = 3,             /* in which all pages are installed */
	STEPS = 200,            /* of loading and unloading */
	STEPS_BETWEEN = 20,     /* steps between two views */
	TEST_BUDGET = 50000000, /* the most clusters checked, in all views */
};

struct streaming {
	const struct cs_resource_check *check;
	const struct cs_nanite_contents *c;
	uint32_t *order; /* groups, coarse first */
	uint8_t *above;  /* for each group, how many clusters above it are drawn */
	struct cs_residency residency;
	struct cs_drawn drawn;
	struct cs_random random;
	struct cs_error *error;
};

/* ---- one cluster on every way ---- */

enum { DISAGREE = 255 };

static uint8_t drawn_above(const struct streaming *s, const struct cs_model_group *group)
{
	uint8_t above = 0;
	for (uint32_t i = 0; i < group->n_parents; i++) {
		uint32_t parent = s->c->parents[group->first_parent + i];
		uint8_t one = s->above[s->c->clusters[parent].group];
		if (one == DISAGREE)
			return DISAGREE;
		one = (uint8_t)(one + s->drawn.cluster[parent]);
		if (i && one != above)
			return DISAGREE;
		above = one;
	}
	return above;
}

/* Returns a cluster of the group that is drawn wrongly, or CS_NONE. *says_ret explains it. */
static uint32_t find_wrong(
	const struct streaming *s, const struct cs_model_group *group, const char **says_ret)
{
	uint8_t above = s->above[group - s->c->groups];
	for (uint32_t p = 0; p < group->n_parts; p++) {
		const struct cs_nanite_part *part =
			&s->c->parts[s->c->group_parts[group->first_part + p]];
		for (uint32_t i = 0; i < part->n_clusters; i++) {
			uint32_t cluster = part->first_cluster + i;
			unsigned n = (unsigned)above + s->drawn.cluster[cluster];
			*says_ret = above == DISAGREE ? "is half covered by coarser ones"
				    : n > 1           ? "is drawn together with a coarser one"
						      : "is drawn neither by itself nor coarser";
			if (above == DISAGREE || n > 1 ||
				(n == 0 && s->c->clusters[cluster].maker == CS_NONE))
				return cluster;
		}
	}
	return CS_NONE;
}

/* Draws the view and checks it. Returns false when it is wrong, and notes a breach of `rule`. */
static bool check_view(struct streaming *s, const struct cs_nanite_view *view,
	enum cs_resource_rule rule, const char *when)
{
	cs_residency_draw(&s->residency, view, &s->drawn);
	for (size_t i = 0; i < s->c->n_groups; i++) {
		const struct cs_model_group *group = &s->c->groups[s->order[i]];
		const char *says;
		s->above[s->order[i]] = drawn_above(s, group);
		uint32_t wrong = find_wrong(s, group, &says);
		if (wrong == CS_NONE)
			continue;
		return cs_breach(s->check->rest, rule, cs_in_cluster(&s->c->clusters[wrong]),
			"%s it %s, seen from (%g, %g, %g)", when, says, view->eye[0], view->eye[1],
			view->eye[2]);
	}
	return true;
}

/* ---- views ---- */

static struct cs_nanite_view random_view(struct streaming *s)
{
	const struct cs_nanite_info *info = s->check->resource->info;
	struct cs_nanite_view view = {.near = 1e-3, .pixels = 1000};
	double size = 0, direction[3], length = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		size += fabs((double)info->max[axis] - (double)info->min[axis]);
		direction[axis] = cs_random_range(&s->random, -1, 1);
		length += direction[axis] * direction[axis];
	}
	/* Views range from inside to far away, and thresholds from tiny to large. */
	double distance = size * exp2(cs_random_range(&s->random, -6, 6));
	for (unsigned axis = 0; axis < 3; axis++)
		view.eye[axis] = ((double)info->min[axis] + (double)info->max[axis]) / 2 +
				 direction[axis] / sqrt(length + 1e-9) * distance;
	view.threshold = exp2(cs_random_range(&s->random, -4, 8));
	return view;
}

static uint32_t verify_streaming_count_views(const struct streaming *s)
{
	size_t n = TEST_BUDGET / (s->c->n_clusters + s->c->n_groups + 1);
	return n > MOST_VIEWS ? MOST_VIEWS : n < FEWEST_VIEWS ? FEWEST_VIEWS : (uint32_t)n;
}

static void check_views(
	struct streaming *s, enum cs_resource_rule rule, const char *when, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct cs_nanite_view view = random_view(s);
		if (!check_view(s, &view, rule, when))
			return;
	}
}

/* ---- orders ---- */

static void install_in_order(struct streaming *s)
{
	for (uint32_t page = CS_ROOT_PAGES; page < s->c->n_pages; page++)
		cs_residency_install(&s->residency, page);
}

/* Installs all pages in a random order: each time a page whose dependencies are installed. */
static bool install_at_random(struct streaming *s)
{
	size_t n = s->c->n_pages, missing = n > CS_ROOT_PAGES ? n - CS_ROOT_PAGES : 0;
	while (missing > 0) {
		uint32_t first = cs_random_below(&s->random, (uint32_t)n), tried = 0;
		for (; tried < n; tried++) {
			uint32_t page = (uint32_t)((first + tried) % n);
			if (s->residency.installed[page] ||
				!cs_residency_can_install(&s->residency, page))
				continue;
			cs_residency_install(&s->residency, page);
			missing--;
			break;
		}
		if (tried == n)
			return cs_breach(s->check->rest, CS_RULE_T1, CS_NOWHERE,
				"%zu pages wait for each other", missing);
	}
	return true;
}

static void uninstall_all(struct streaming *s)
{
	for (size_t page = s->c->n_pages; page-- > CS_ROOT_PAGES;)
		cs_residency_uninstall(&s->residency, (uint32_t)page);
}

struct state {
	bool *part_loaded, *leaf;
};

static bool copy_state(const struct streaming *s, struct state *ret)
{
	ret->part_loaded = malloc(s->c->n_parts + 1);
	ret->leaf = malloc(s->c->n_clusters + 1);
	if (!ret->part_loaded || !ret->leaf)
		return false;
	memcpy(ret->part_loaded, s->residency.part_loaded, s->c->n_parts);
	memcpy(ret->leaf, s->residency.leaf, s->c->n_clusters);
	return true;
}

static bool same_state(const struct streaming *s, const struct state *state)
{
	return memcmp(state->part_loaded, s->residency.part_loaded, s->c->n_parts) == 0 &&
	       memcmp(state->leaf, s->residency.leaf, s->c->n_clusters) == 0;
}

static void free_state(struct state *state)
{
	free(state->part_loaded);
	free(state->leaf);
}

/* Goes from the root pages alone to all pages and back, in several orders. */
static bool check_orders(struct streaming *s)
{
	struct state none, all = {NULL, NULL};
	bool ok = copy_state(s, &none);
	if (ok) {
		install_in_order(s);
		ok = copy_state(s, &all);
	}
	for (unsigned i = 0; ok && i < ORDERS; i++) {
		uninstall_all(s);
		if (!same_state(s, &none)) {
			cs_breach(s->check->rest, CS_RULE_T2, CS_NOWHERE,
				"uninstalling all pages does not restore slots and leaves");
			break;
		}
		if (!install_at_random(s))
			break;
		if (!same_state(s, &all)) {
			cs_breach(s->check->rest, CS_RULE_T1, CS_NOWHERE,
				"another order of installing gives other slots or leaves");
			break;
		}
	}
	free_state(&none);
	free_state(&all);
	return ok;
}

/* ---- coming and going ---- */

static void step_at_random(struct streaming *s)
{
	uint32_t page = cs_random_below(&s->random, (uint32_t)s->c->n_pages);
	bool there = s->residency.installed[page];
	if (there && cs_residency_can_uninstall(&s->residency, page))
		cs_residency_uninstall(&s->residency, page);
	else if (!there && cs_residency_can_install(&s->residency, page))
		cs_residency_install(&s->residency, page);
}

static bool check_coming_and_going(struct streaming *s)
{
	for (unsigned step = 0; step < STEPS; step++) {
		step_at_random(s);
		if (step % STEPS_BETWEEN)
			continue;
		s->error = cs_residency_make_effective(&s->residency);
		if (s->error)
			return false;
		struct cs_nanite_view view = random_view(s);
		if (!check_view(s, &view, CS_RULE_T4, "with some pages missing"))
			return true;
	}
	return true;
}

/* A view for which no error is small enough requests everything that can be requested. */
static void check_wanted(struct streaming *s)
{
	const struct cs_nanite_view view = {.uniform = true, .threshold = 0};
	cs_residency_draw(&s->residency, &view, &s->drawn);
	for (uint32_t page = CS_ROOT_PAGES; page < s->c->n_pages; page++) {
		const struct cs_nanite_page *row = &s->c->pages[page];
		bool wanted = false;
		for (uint32_t i = 0; i < row->n_parts; i++)
			wanted = wanted || s->drawn.wanted[row->first_part + i];
		if (!wanted)
			cs_breach(&s->check->breaches[page], CS_RULE_T5, cs_in_page(page),
				"no view asks for it: what it refines has no error");
	}
}

/* ---- the driver ---- */

static bool order_groups(struct streaming *s)
{
	struct cs_sort_key *keys = malloc((s->c->n_groups + 1) * sizeof(*keys));
	s->order = malloc((s->c->n_groups + 1) * sizeof(*s->order));
	s->above = calloc(s->c->n_groups + 1, 1);
	bool ok = keys && s->order && s->above;
	for (uint32_t g = 0; ok && g < s->c->n_groups; g++)
		keys[g] =
			(struct cs_sort_key){.low = UINT32_MAX - s->c->groups[g].level, .index = g};
	ok = ok && cs_sort_keys(keys, s->c->n_groups);
	for (size_t i = 0; ok && i < s->c->n_groups; i++)
		s->order[i] = keys[i].index;
	free(keys);
	return ok;
}

static bool verify_streaming_run(struct streaming *s)
{
	uint32_t n = verify_streaming_count_views(s);
	check_views(s, CS_RULE_T3, "with the root pages alone", n / 10);
	if (!check_orders(s))
		return false;
	check_views(s, CS_RULE_D6, "with all pages there", n);
	check_wanted(s);
	return check_coming_and_going(s);
}

bool cs_check_streaming(const struct cs_resource_check *check)
{
	struct streaming s = {.check = check, .c = check->c, .random = {1}};
	s.error = cs_residency_init(check->c, &s.residency);
	if (!s.error)
		s.error = cs_drawn_init(check->c, &s.drawn);
	bool ok = !s.error && order_groups(&s) && verify_streaming_run(&s);
	ok = ok && !s.error;
	cs_error_free(s.error);
	cs_residency_deinit(&s.residency);
	cs_drawn_deinit(&s.drawn);
	free(s.order);
	free(s.above);
	return ok;
}
