/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the rules of fixups and of page dependencies in the decoded contents. */
#include "nanite/format/contents.h"
#include "nanite/verify/verify_resource.h"

#include <stdlib.h>

static struct cs_breaches *of_page(const struct cs_resource_check *check, uint32_t page)
{
	return &check->breaches[page];
}

/* Computes the page range in a group's fixups: the pages of the group without root pages. */
static void verify_links_trimmed(
	const struct cs_model_group *group, uint32_t *first_ret, uint32_t *n_ret)
{
	*first_ret = group->first_page;
	*n_ret = group->n_pages;
	cs_trim_root_pages(first_ret, n_ret);
}

static bool is_page_of(const struct cs_nanite_contents *contents,
	const struct cs_model_group *group, uint32_t page)
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		if (CS_GROUP_PART(contents, group, i)->page == page)
			return true;
	return false;
}

static void verify_links_check_ranges(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	for (size_t i = 0; i < contents->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &contents->fixups[i];
		if (fixup->first_page < CS_ROOT_PAGES ||
			(uint64_t)fixup->first_page + fixup->n_pages > contents->n_pages)
			cs_breach(of_page(check, fixup->page), CS_RULE_X6, cs_in_page(fixup->page),
				"a %s fixup waits for pages from %u on (%u), but some are root "
				"pages, or not among the %zu pages",
				fixup->kind == CS_MODEL_FIXUP_HIERARCHY ? "hierarchy" : "cluster",
				fixup->first_page, fixup->n_pages, contents->n_pages);
	}
}

/* ---- hierarchy fixups ---- */

/* Returns the part to which a hierarchy fixup refers, or CS_NONE and in *says what is wrong. */
static uint32_t part_of_fixup(const struct cs_nanite_contents *contents,
	const struct cs_model_fixup *fixup, const char **says)
{
	uint32_t number = contents->clusters[fixup->cluster].part, first, n;
	const struct cs_model_part *part = number == CS_NONE ? NULL : &contents->parts[number];
	*says = "names a cluster that is not the first of a part";
	if (!part || part->first_cluster != fixup->cluster)
		return CS_NONE;
	const struct cs_model_group *group = &contents->groups[part->group];
	verify_links_trimmed(group, &first, &n);
	*says = "names a group that is not in this page";
	if (!is_page_of(contents, group, fixup->page))
		return CS_NONE;
	*says = "names another slot or page range than its group has";
	if (fixup->slot != part->slot || fixup->first_page != first || fixup->n_pages != n)
		return CS_NONE;
	return number;
}

/*
 * Checks that the page has one hierarchy fixup for each part of its groups. told[p] is the number
 * of hierarchy fixups that the page has for part p.
 */
static void check_page_parts(const struct cs_resource_check *check, uint32_t page, uint32_t *told)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_model_page *row = &contents->pages[page];
	uint32_t want = 0, missing = 0, twice = 0;
	for (uint32_t i = 0; i < row->n_parts; i++) {
		const struct cs_model_group *group =
			&contents->groups[contents->parts[row->first_part + i].group];
		for (uint32_t k = 0; k < group->n_parts; k++, want++) {
			uint32_t part = contents->group_parts[group->first_part + k];
			missing += told[part] == 0;
			twice += told[part] > 1;
		}
	}
	if (row->n_hierarchy_fixups != want)
		cs_breach(of_page(check, page), CS_RULE_X7, cs_in_page(page),
			"the page has %u hierarchy fixup%s, but its groups have %u part%s",
			row->n_hierarchy_fixups, row->n_hierarchy_fixups == 1 ? "" : "s", want,
			want == 1 ? "" : "s");
	if (missing || twice)
		cs_breach(of_page(check, page), CS_RULE_X8, cs_in_page(page),
			"parts of groups in the page without a hierarchy fixup: %u, with more than "
			"one: %u",
			missing, twice);
}

static bool check_hierarchy_fixups(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	uint32_t *told = calloc(contents->n_parts + 1, sizeof(*told));
	if (!told)
		return false;
	for (uint32_t page = 0; page < contents->n_pages; page++) {
		const struct cs_model_page *row = &contents->pages[page];
		const struct cs_model_fixup *fixups = contents->fixups + row->first_fixup;
		const char *says;
		for (uint32_t i = 0; i < row->n_hierarchy_fixups; i++) {
			uint32_t part = part_of_fixup(contents, &fixups[i], &says);
			if (part != CS_NONE)
				told[part]++;
			else
				cs_breach(of_page(check, page), CS_RULE_X8, cs_in_page(page),
					"hierarchy fixup %u %s", i, says);
		}
		check_page_parts(check, page, told);
		for (uint32_t i = 0; i < row->n_hierarchy_fixups; i++) {
			uint32_t part = part_of_fixup(contents, &fixups[i], &says);
			if (part != CS_NONE)
				told[part] = 0;
		}
	}
	free(told);
	return true;
}

/* ---- cluster fixups ---- */

/*
 * Returns whether the cluster needs no fixup, because its page contains its whole generating group.
 */
static bool made_within(
	const struct cs_nanite_contents *contents, const struct cs_model_cluster *cluster)
{
	if (cluster->maker == CS_NONE)
		return false;
	const struct cs_model_group *group = &contents->groups[cluster->maker];
	return group->n_parts == 1 && is_page_of(contents, group, cluster->page);
}

static void check_cluster_fixup(const struct cs_resource_check *check,
	const struct cs_model_fixup *fixup, uint32_t *n_fixups, uint32_t *last_page)
{
	const struct cs_nanite_contents *contents = check->contents;
	uint32_t index = fixup->cluster, first, n;
	const struct cs_model_cluster *cluster = &contents->clusters[index];
	const char *says = NULL;
	if (cluster->maker == CS_NONE) {
		says = "names the cluster, which was made from no group";
	} else {
		const struct cs_model_group *group = &contents->groups[cluster->maker];
		verify_links_trimmed(group, &first, &n);
		if (!is_page_of(contents, group, fixup->page))
			says = "names the cluster, but the group it was made from is not in that "
			       "page";
		else if (fixup->first_page != first || fixup->n_pages != n)
			says = "waits for other pages than those of the group that the cluster was "
			       "made from";
		else if (last_page[index] == fixup->page + 1)
			says = "names the cluster a second time";
	}
	last_page[index] = fixup->page + 1;
	n_fixups[index]++;
	if (says)
		cs_breach(of_page(check, fixup->page), CS_RULE_X9, cs_in_cluster(cluster),
			"a fixup of page %u %s", fixup->page, says);
}

static void check_leaf(const struct cs_resource_check *check,
	const struct cs_model_cluster *cluster, uint32_t n_fixups)
{
	const struct cs_nanite_contents *contents = check->contents;
	bool leaf = cluster->flags & CS_CLUSTER_LEAF, within = made_within(contents, cluster);
	if (leaf == within)
		cs_breach(of_page(check, cluster->page), CS_RULE_C10, cs_in_cluster(cluster),
			leaf ? "the cluster is marked as a leaf, though the finer group it "
			       "was made from is in the same page"
			     : "the cluster is not marked as a leaf, though the finer "
			       "group it was made from may not be loaded");
	if (cluster->maker == CS_NONE)
		return;
	uint32_t want = within ? 0 : contents->groups[cluster->maker].n_parts;
	if (n_fixups != want)
		cs_breach(of_page(check, cluster->page), CS_RULE_X9, cs_in_cluster(cluster),
			"the cluster has %u fixups instead of %u", n_fixups, want);
}

static bool check_cluster_fixups(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	uint32_t *n_fixups = calloc(contents->n_clusters + 1, sizeof(*n_fixups));
	/* for each cluster, 1 + the last page with a fixup for it */
	uint32_t *last_page = calloc(contents->n_clusters + 1, sizeof(*last_page));
	bool ok = n_fixups && last_page;
	for (size_t i = 0; ok && i < contents->n_fixups; i++)
		if (contents->fixups[i].kind == CS_MODEL_FIXUP_CLUSTER)
			check_cluster_fixup(check, &contents->fixups[i], n_fixups, last_page);
	for (uint32_t i = 0; ok && i < contents->n_clusters; i++)
		check_leaf(check, &contents->clusters[i], n_fixups[i]);
	free(n_fixups);
	free(last_page);
	return ok;
}

bool cs_check_fixups(const struct cs_resource_check *check)
{
	verify_links_check_ranges(check);
	return check_hierarchy_fixups(check) && check_cluster_fixups(check);
}

/* ---- dependencies of pages ---- */

static const uint32_t *dependencies_of(
	const struct cs_resource_check *check, uint32_t page, uint32_t *n_ret)
{
	const struct cs_nanite_page_state *state = &check->resource->pages[page];
	*n_ret = state->n_dependencies;
	return check->resource->dependencies + state->first_dependency;
}

/*
 * Checks the list of dependencies of the page. It must have exactly the other pages in which
 * cluster fixups of the page change clusters. stamp[i] describes the last page p in which page i
 * was found: 2p + 1 as the target of a fixup, 2p + 2 also in the list of dependencies.
 */
static void check_page_dependencies(
	const struct cs_resource_check *check, uint32_t page, uint64_t *stamp)
{
	const struct cs_nanite_contents *contents = check->contents;
	const struct cs_model_page *row = &contents->pages[page];
	struct cs_breaches *breaches = of_page(check, page);
	uint64_t target = 2 * (uint64_t)page + 1, seen = target + 1;
	uint32_t n, n_targets = 0, n_known = 0;
	const uint32_t *list = dependencies_of(check, page, &n);
	for (uint32_t i = row->n_hierarchy_fixups; i < row->n_fixups; i++) {
		uint32_t on = contents->fixups[row->first_fixup + i].target_page;
		if (on < CS_ROOT_PAGES || on == page || stamp[on] == target)
			continue;
		stamp[on] = target;
		n_targets++;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t on = list[i];
		if (on >= contents->n_pages || on >= page)
			cs_breach(breaches, CS_RULE_X11, cs_in_page(page),
				"the page depends on page %u, which is not an earlier page", on);
		if (on >= contents->n_pages)
			continue;
		if (stamp[on] == seen)
			cs_breach(breaches, CS_RULE_X12, cs_in_page(page),
				"the page names page %u twice as a dependency", on);
		n_known += stamp[on] == target;
		if (stamp[on] != target && stamp[on] != seen)
			cs_breach(breaches, CS_RULE_X10, cs_in_page(page),
				"the page depends on page %u, but none of its fixups changes that "
				"page",
				on);
		stamp[on] = seen;
	}
	if (n_known < n_targets)
		cs_breach(breaches, CS_RULE_X10, cs_in_page(page),
			"the page does not depend on %u of the pages that its fixups change",
			n_targets - n_known);
}

static void check_used(const struct cs_resource_check *check, uint8_t *used)
{
	size_t unused = 0;
	for (uint32_t page = 0; page < check->contents->n_pages; page++) {
		const struct cs_nanite_page_state *state = &check->resource->pages[page];
		memset(used + state->first_dependency, 1, state->n_dependencies);
	}
	for (size_t i = 0; i < check->resource->n_dependencies; i++)
		unused += !used[i];
	if (unused)
		cs_breach(check->rest, CS_RULE_R8, CS_NOWHERE,
			"entries of the dependency table that belong to no page: %zu of %zu",
			unused, check->resource->n_dependencies);
}

bool cs_check_dependencies(const struct cs_resource_check *check)
{
	uint64_t *stamp = calloc(check->contents->n_pages, sizeof(*stamp));
	uint8_t *used = calloc(check->resource->n_dependencies + 1, 1);
	bool ok = stamp && used;
	for (uint32_t page = 0; ok && page < check->contents->n_pages; page++)
		check_page_dependencies(check, page, stamp);
	if (ok)
		check_used(check, used);
	free(stamp);
	free(used);
	return ok;
}

/* ---- groups completed by loading a page and its dependencies ---- */

/* Sets stamp[i] to page + 1 for `page` and for all pages that it depends on, recursively. */
static void close_pages(
	const struct cs_resource_check *check, uint32_t page, uint32_t *stamp, uint32_t *stack)
{
	uint32_t n_stack = 0;
	stack[n_stack++] = page;
	stamp[page] = page + 1;
	while (n_stack > 0) {
		uint32_t n;
		const uint32_t *list = dependencies_of(check, stack[--n_stack], &n);
		for (uint32_t i = 0; i < n; i++) {
			if (list[i] >= check->contents->n_pages || stamp[list[i]] == page + 1)
				continue;
			stamp[list[i]] = page + 1;
			stack[n_stack++] = list[i];
		}
	}
}

/*
 * Returns whether the cluster fixups of the page change a group that is incomplete even when the
 * page and all pages on which it depends (see close_pages) are loaded.
 */
static bool is_open(const struct cs_nanite_contents *contents, uint32_t page, const uint32_t *stamp)
{
	const struct cs_model_page *row = &contents->pages[page];
	for (uint32_t i = row->n_hierarchy_fixups; i < row->n_fixups; i++) {
		const uint32_t cluster = contents->fixups[row->first_fixup + i].cluster;
		if (contents->clusters[cluster].part == CS_NONE)
			/* a cluster without a part is in no group, which rule H3 reports */
			continue;
		const struct cs_model_group *group =
			&contents->groups[contents->clusters[cluster].group];
		for (uint32_t k = 0; k < group->n_parts; k++) {
			uint32_t needed = CS_GROUP_PART(contents, group, k)->page;
			if (needed >= CS_ROOT_PAGES && stamp[needed] != page + 1)
				return true;
		}
	}
	return false;
}

bool cs_check_groups_closed(const struct cs_resource_check *check)
{
	const struct cs_nanite_contents *contents = check->contents;
	uint32_t *stamp = calloc(contents->n_pages, sizeof(*stamp)), open = 0, first = CS_NONE;
	uint32_t *stack = malloc(contents->n_pages * sizeof(*stack));
	bool ok = stamp && stack;
	for (uint32_t page = 0; ok && page < contents->n_pages; page++) {
		close_pages(check, page, stamp, stack);
		if (!is_open(contents, page, stamp))
			continue;
		first = first == CS_NONE ? page : first;
		open++;
	}
	if (open)
		cs_breach(check->rest, CS_RULE_X13, CS_NOWHERE,
			"after loading the dependencies of %u of %zu pages (the first is page "
			"%u), some group is still incomplete",
			open, contents->n_pages, first);
	free(stamp);
	free(stack);
	return ok;
}
