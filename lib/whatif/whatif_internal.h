/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a what-if know of it. */
#pragma once

#include <cellscope/compare.h>

/* Places at which a world is counted; more change the third digit. */
enum { CS_PLACES = 192 };

struct cs_whatif {
	struct cs_world *source;
	struct cs_cooked *now;
	struct cs_cook_options options;
	const struct cs_job *job;
	struct cs_vec3 places[CS_PLACES];
	size_t n_places;
};

/* Counts the source with these changes (cs_whatif_visit, cs_whatif_count). */
struct cs_error *cs_whatif_try(struct cs_whatif *whatif, const char *const *changes, size_t n,
	const struct cs_path *path, struct cs_whatif_counts *ret) CS_MUST_USE;

/* Of counts, in the order that they are told in: "cells", "cost"; NULL behind the last. */
const char *cs_whatif_number_name(size_t number);
/* SIZE_MAX when there is none of that name. */
size_t cs_whatif_find_number(const char *name);
/* NAN for what is counted along a path, without one. */
double cs_whatif_number(const struct cs_whatif_counts *counts, size_t number);
