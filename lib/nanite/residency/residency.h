/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pages are installed, the effect of their fixups, and what a view draws of them.
 *
 * Literal: installing a page applies its fixups as the format says, page by page. Effective: a
 * group counts as loaded when all its pages are installed and the groups of all clusters that it
 * was simplified into count as loaded too. Then every set of pages draws a complete and single
 * surface. The two differ where a page depends on one of several pages of a group.
 */
#pragma once

#include "nanite/format/contents.h"

#include <cellscope/nanite.h>

struct cs_residency {
	const struct cs_nanite_contents *contents;
	bool *installed;     /* for each page, whether it is installed; true for root pages */
	bool *part_loaded;   /* for each part, whether its hierarchy slot is loaded */
	bool *leaf;          /* for each cluster, whether it is a leaf now */
	uint32_t *slot_part; /* for each node and slot, the part or CS_NONE */
};

/* Starts with only the root pages installed. */
struct cs_error *cs_residency_init(
	const struct cs_nanite_contents *contents, struct cs_residency *ret) CS_MUST_USE;
void cs_residency_deinit(struct cs_residency *residency);
/*
 * Installs and uninstalls a page. The caller installs the dependencies of a page before it, and
 * uninstalls them after it.
 */
void cs_residency_install(struct cs_residency *residency, uint32_t page);
void cs_residency_uninstall(struct cs_residency *residency, uint32_t page);
/* Returns whether every page that it depends on is installed. */
bool cs_residency_can_install(const struct cs_residency *residency, uint32_t page);
/* Returns whether it is no root page, and no installed page depends on it. */
bool cs_residency_can_uninstall(const struct cs_residency *residency, uint32_t page);
/* Sets slots and leaves to the effective rule for the installed pages. */
struct cs_error *cs_residency_make_effective(struct cs_residency *residency) CS_MUST_USE;

/* What a view draws of the installed pages. */
struct cs_drawn {
	bool *cluster; /* for each cluster, whether it is drawn */
	bool *wanted;  /* for each part, whether its pages are requested */
};

struct cs_error *cs_drawn_init(
	const struct cs_nanite_contents *contents, struct cs_drawn *ret) CS_MUST_USE;
void cs_drawn_deinit(struct cs_drawn *drawn);
/* Draws a view. The hierarchy must be traversable (cs_check_tree). */
void cs_residency_draw(const struct cs_residency *residency, const struct cs_nanite_view *view,
	struct cs_drawn *drawn);

/*
 * Returns whether the error looks no larger than the threshold in the view. It is the only test of
 * the whole traversal.
 */
bool cs_nanite_acceptable(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius);
