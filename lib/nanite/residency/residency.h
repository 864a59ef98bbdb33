/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pages are installed, what their fixups changed, and what a view draws.
 *
 * Two rules define what is loaded. Literal rule: installing a page applies its fixups as the
 * format defines, page by page. Effective rule: a group counts as loaded when all its pages are
 * installed and the groups that contain its parents count as loaded too. Under the effective rule
 * any set of pages draws a complete surface without overlaps. The rules differ where a page depends
 * on one of several pages of a group.
 */
#pragma once

#include "nanite/format/contents.h"

#include <cellscope/nanite.h>

struct cs_residency {
	const struct cs_nanite_contents *contents;
	/* for each page, whether it is installed. Always true for root pages */
	bool *installed;
	/* for each part, whether its slot in the hierarchy is marked as loaded */
	bool *part_loaded;
	/* for each cluster, whether its leaf flag is set, because nothing finer is loaded */
	bool *leaf;
	/* for each node and slot, the part to which the slot refers, or CS_NONE */
	uint32_t *slot_part;
};

/* Allocates the state in which only the root pages are installed. */
struct cs_error *cs_residency_init(
	const struct cs_nanite_contents *contents, struct cs_residency *ret) CS_MUST_USE;
void cs_residency_deinit(struct cs_residency *residency);
/* A page's dependencies must be installed before it, and uninstalled after it. */
void cs_residency_install(struct cs_residency *residency, uint32_t page);
void cs_residency_uninstall(struct cs_residency *residency, uint32_t page);
/* Returns whether all pages that the page depends on are installed. */
bool cs_residency_can_install(const struct cs_residency *residency, uint32_t page);
/* Returns whether the page is not a root page and no installed page depends on it. */
bool cs_residency_can_uninstall(const struct cs_residency *residency, uint32_t page);
/* Sets part_loaded and leaf by the effective rule (see the top of this file). */
struct cs_error *cs_residency_make_effective(struct cs_residency *residency) CS_MUST_USE;

/* What a view draws and requests. */
struct cs_drawn {
	bool *cluster; /* for each cluster, whether it is drawn */
	bool *wanted;  /* for each part, whether its pages are requested */
};

struct cs_error *cs_drawn_init(
	const struct cs_nanite_contents *contents, struct cs_drawn *ret) CS_MUST_USE;
void cs_drawn_deinit(struct cs_drawn *drawn);
/* Fills `drawn`. The hierarchy must be traversable (`depth` of the contents is not 0). */
void cs_residency_draw(const struct cs_residency *residency, const struct cs_nanite_view *view,
	struct cs_drawn *drawn);

/*
 * Returns whether an error is at most the threshold of the view (in pixels, or for a uniform view
 * in units of the mesh), so that it may be drawn. The traversal has no other test.
 */
bool cs_nanite_acceptable(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius);
