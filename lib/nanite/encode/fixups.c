/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the fixups, which are applied when a page is installed, and the dependencies between pages.
 * The fixups of a page are about the groups that have a part in it: a hierarchy fixup for every
 * part of such a group, and a cluster fixup for every coarser cluster into which the group was
 * simplified, because this cluster is a leaf until all pages of the group are loaded. A page
 * depends on the pages of the clusters that its fixups change. These clusters are coarser, so their
 * pages come earlier.
 */
#include "nanite/encode/encode.h"

#include "core/cursor.h"

#include <stdlib.h>

static const struct cs_coded_group *generating_group(
	const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster)
{
	uint32_t group = cs_encode_source(encoder, cluster)->generating_group;
	return group == CS_NONE ? NULL : &encoder->groups[group];
}

bool cs_made_within(
	const struct cs_encoder *encoder, const struct cs_coded_cluster *cluster, uint32_t page)
{
	const struct cs_coded_group *group = generating_group(encoder, cluster);
	return group && group->first_page == page && group->n_pages == 1;
}

/* ---- collecting the fixups ---- */

/* Calls `each` for every cluster fixup, once for each page that contains it. */
static void for_leaves(const struct cs_encoder *encoder,
	void (*each)(struct cs_fixups *fixups, uint32_t page, const struct cs_leaf_fixup *fixup),
	struct cs_fixups *fixups)
{
	for (uint32_t p = 0; p < encoder->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const struct cs_coded_cluster *cluster =
				encoder->clusters[encoder->children[part->first_child + i]];
			const struct cs_coded_group *group = generating_group(encoder, cluster);
			if (!group || cs_made_within(encoder, cluster, part->page))
				continue;
			struct cs_leaf_fixup fixup = {part->page, part->page_offset + i,
				group->first_page, group->n_pages};
			cs_trim_root_pages(&fixup.first_page, &fixup.n_pages);
			for (uint32_t k = 0; k < group->n_pages; k++)
				each(fixups, group->first_page + k, &fixup);
		}
	}
}

static void count_leaf(struct cs_fixups *fixups, uint32_t page, const struct cs_leaf_fixup *fixup)
{
	(void)fixup;
	fixups->first[page + 1]++;
}

static void add_leaf(struct cs_fixups *fixups, uint32_t page, const struct cs_leaf_fixup *fixup)
{
	fixups->leaves[fixups->first[page]++] = *fixup;
}

static bool fixups_collect(const struct cs_encoder *encoder, struct cs_fixups *fixups)
{
	uint32_t n_pages = encoder->n_pages;
	fixups->first = calloc((size_t)n_pages + 1, sizeof(*fixups->first));
	fixups->n_hierarchy = calloc(n_pages, sizeof(*fixups->n_hierarchy));
	if (!fixups->first || !fixups->n_hierarchy)
		return false;
	for (uint32_t p = 0; p < encoder->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[p];
		fixups->n_hierarchy[part->page] += encoder->groups[part->group].n_pages;
	}
	for_leaves(encoder, count_leaf, fixups);
	for (uint32_t page = 0; page < n_pages; page++)
		fixups->first[page + 1] += fixups->first[page];
	uint32_t total = fixups->first[n_pages];
	fixups->leaves = malloc((total ? total : 1) * sizeof(*fixups->leaves));
	if (!fixups->leaves)
		return false;
	for_leaves(encoder, add_leaf, fixups);
	/* adding the fixups has moved first[p] to the index of the first fixup of page p + 1 */
	memmove(fixups->first + 1, fixups->first, n_pages * sizeof(*fixups->first));
	fixups->first[0] = 0;
	return true;
}

static struct cs_error *check_counts(
	const struct cs_encoder *encoder, const struct cs_fixups *fixups)
{
	for (uint32_t page = 0; page < encoder->n_pages; page++) {
		uint32_t leaves = fixups->first[page + 1] - fixups->first[page];
		uint32_t hierarchy = fixups->n_hierarchy[page];
		uint32_t most = leaves > hierarchy ? leaves : hierarchy;
		if (most >= CS_PAGE_FIXUPS)
			return cs_error_new(CS_E_NANITE,
				"page %u of the resource (counted from 0) needs %u fixups, but "
				"must have fewer than %d",
				page, most, CS_PAGE_FIXUPS);
	}
	return NULL;
}

/* ---- dependencies between pages ---- */

/* Lists for each page the other pages that its fixups change, in fixup order, except root pages. */
static struct cs_error *list_dependencies(struct cs_encoder *encoder,
	const struct cs_fixups *fixups, struct cs_nanite_page_state *states)
{
	uint32_t total = fixups->first[encoder->n_pages], n = 0;
	uint32_t *list = malloc((total ? total : 1) * sizeof(*list));
	/* for each page, 1 + the last page that was found to depend on it */
	uint32_t *seen_by = calloc(encoder->n_pages, sizeof(*seen_by));
	encoder->resource->dependencies = list;
	if (!list || !seen_by) {
		free(seen_by);
		return cs_error_nomem();
	}
	for (uint32_t page = 0; page < encoder->n_pages; page++) {
		states[page].first_dependency = n;
		for (uint32_t i = fixups->first[page]; i < fixups->first[page + 1]; i++) {
			uint32_t on = fixups->leaves[i].page;
			if (on < CS_ROOT_PAGES || on == page || seen_by[on] == page + 1)
				continue;
			seen_by[on] = page + 1;
			list[n++] = on;
		}
		states[page].n_dependencies = n - states[page].first_dependency;
	}
	free(seen_by);
	encoder->resource->n_dependencies = n;
	return NULL;
}

struct cs_error *cs_encode_fixups(
	struct cs_encoder *encoder, struct cs_nanite_page_state *states, struct cs_fixups *fixups)
{
	if (!fixups_collect(encoder, fixups))
		return cs_error_nomem();
	struct cs_error *error = check_counts(encoder, fixups);
	return error ? error : list_dependencies(encoder, fixups, states);
}

void cs_fixups_deinit(struct cs_fixups *fixups)
{
	free(fixups->first);
	free(fixups->leaves);
	free(fixups->n_hierarchy);
}

/* ---- the fixup chunk of a page ---- */

uint32_t cs_fixup_chunk_size(const struct cs_fixups *fixups, uint32_t page)
{
	return CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * fixups->n_hierarchy[page] +
	       CS_CLUSTER_FIXUP * (fixups->first[page + 1] - fixups->first[page]);
}

/* Writes a hierarchy fixup for each part of a group, in page order. Returns the end address. */
static unsigned char *write_group(
	const struct cs_encoder *encoder, const struct cs_coded_group *group, unsigned char *at)
{
	uint32_t first = group->first_page, n = group->n_pages;
	cs_trim_root_pages(&first, &n);
	for (uint32_t i = 0; i < group->n_pages; i++, at += CS_HIERARCHY_FIXUP) {
		const struct cs_part *part = &encoder->parts[group->first_part + i];
		cs_store32(at, part->page);
		cs_store32(at + 4, part->node << CS_FIXUP_NODE | part->slot);
		cs_store32(at + 8, part->page_offset);
		cs_store32(at + 12, first << CS_FIXUP_PAGES_BITS | n);
	}
	return at;
}

void cs_write_fixup_chunk(const struct cs_encoder *encoder, const struct cs_fixups *fixups,
	uint32_t page, unsigned char *chunk)
{
	const struct cs_coded_page *from = &encoder->pages[page];
	uint32_t first = fixups->first[page], end = fixups->first[page + 1];
	unsigned char *at = chunk + CS_FIXUP_HEADER;
	cs_store16(chunk, (uint16_t)from->n_clusters);
	cs_store16(chunk + 2, (uint16_t)fixups->n_hierarchy[page]);
	cs_store16(chunk + 4, (uint16_t)(end - first));
	cs_store16(chunk + 6, 0);
	for (uint32_t p = 0; p < from->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[from->first_part + p];
		at = write_group(encoder, &encoder->groups[part->group], at);
	}
	for (uint32_t i = first; i < end; i++, at += CS_CLUSTER_FIXUP) {
		const struct cs_leaf_fixup *fixup = &fixups->leaves[i];
		cs_store32(at, fixup->page << CS_FIXUP_CLUSTER_BITS | fixup->cluster);
		cs_store32(at + 4, fixup->first_page << CS_FIXUP_PAGES_BITS | fixup->n_pages);
	}
}
