/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a what-if, shared by its files. */
#pragma once

#include <cellscope/compare.h>

/* Number of places at which a world is measured; with more, results differ in the third digit. */
enum { CS_PLACES = 192 };

struct cs_whatif {
	struct cs_world *source;
	struct cs_cooked *now;
	struct cs_cook_options options;
	const struct cs_job *job;
	struct cs_vec3 places[CS_PLACES];
	size_t n_places;
};

/* Measures the source with these changes (cs_whatif_visit, cs_whatif_count). */
struct cs_error *cs_whatif_try(struct cs_whatif *whatif, const char *const *changes, size_t n,
	const struct cs_path *path, struct cs_whatif_counts *ret) CS_MUST_USE;

/*
 * Returns the name of a measure by its number, in the order of reports: "cells", "cost"; NULL after
 * the last.
 */
const char *cs_whatif_number_name(size_t number);
/* Returns SIZE_MAX when there is no measure of that name. */
size_t cs_whatif_find_number(const char *name);
/* Returns NAN for a measure along a path when there is no path. */
double cs_whatif_number(const struct cs_whatif_counts *counts, size_t number);
