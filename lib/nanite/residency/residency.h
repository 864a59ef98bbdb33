/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pages are there, what their fixups did, and what a view draws of it.
 *
 * Literal: installing a page applies its fixups as the format says, page by page. Effective: a
 * group counts as loaded when all its pages are there and the groups of all clusters that it was
 * simplified into count as loaded too; then every set of pages draws a complete and single surface.
 * The two differ where a page depends on one of several pages of a group.
 */
#pragma once

#include "nanite/format/contents.h"

#include <cellscope/nanite.h>

struct cs_residency {
	const struct cs_nanite_contents *c;
	bool *installed;     /* by page; root pages from the beginning */
	bool *part_loaded;   /* by part: its hierarchy slot */
	bool *leaf;          /* by cluster */
	uint32_t *slot_part; /* by node and slot: the part, or CS_NONE */
};

/* Only the root pages are there. */
struct cs_error *cs_residency_init(
	const struct cs_nanite_contents *contents, struct cs_residency *ret) CS_MUST_USE;
void cs_residency_deinit(struct cs_residency *residency);
/* Dependencies come first and leave last: the caller keeps the order. */
void cs_residency_install(struct cs_residency *residency, uint32_t page);
void cs_residency_uninstall(struct cs_residency *residency, uint32_t page);
/* Every page that it depends on is there. */
bool cs_residency_can_install(const struct cs_residency *residency, uint32_t page);
/* No page that is there depends on it. */
bool cs_residency_can_uninstall(const struct cs_residency *residency, uint32_t page);
/* Sets slots and leaves to the effective rule for the pages that are there. */
struct cs_error *cs_residency_make_effective(struct cs_residency *residency) CS_MUST_USE;

/* What a view draws of what is there. */
struct cs_drawn {
	bool *cluster; /* by cluster: it is drawn */
	bool *wanted;  /* by part: its pages are asked for */
};

struct cs_error *cs_drawn_init(
	const struct cs_nanite_contents *contents, struct cs_drawn *ret) CS_MUST_USE;
void cs_drawn_deinit(struct cs_drawn *drawn);
/* The hierarchy must be one that can be walked. */
void cs_residency_draw(const struct cs_residency *residency, const struct cs_nanite_view *view,
	struct cs_drawn *drawn);

/* The one test of the whole traversal: the error is at most the threshold. */
bool cs_nanite_acceptable(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius);
