/* SPDX-License-Identifier: Apache-2.0 */
/* The state of what-ifs, shared by the files of lib/whatif. */
#pragma once

#include <cellscope/compare.h>

/* Number of positions at which a cook is measured; more would change only the third digit. */
enum { CS_PLACES = 192 };

struct cs_whatif {
	struct cs_world *source;
	struct cs_cooked *now;
	struct cs_cook_options options;
	const struct cs_job *job;
	struct cs_vec3 places[CS_PLACES];
	size_t n_places;
};

/* Changes the source, measures its cook (along `path` unless NULL), and undoes the changes. */
struct cs_error *cs_whatif_try(struct cs_whatif *whatif, const char *const *changes, size_t n,
	const struct cs_path *path, struct cs_whatif_counts *ret) CS_MUST_USE;

/* Returns the name of a measure, such as "cells", by its index, or NULL after the last. */
const char *cs_whatif_number_name(size_t number);
/* Returns the index of the measure with this name; SIZE_MAX if there is none. */
size_t cs_whatif_find_number(const char *name);
/* Returns the value of a measure; NAN if the measure needs a path and there was none. */
double cs_whatif_number(const struct cs_whatif_counts *counts, size_t number);
