/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one cell, layer, page or frame that the condition of a stop names. */
#pragma once

#include <cellscope/query.h>

struct subject {
	const char *kind; /* kind of the object: "cell", "layer", "page", "frame" */
	char name[512];   /* spelled as in the open file */
};

/* Returns false for a stop without a condition, or with a condition other than "KIND = 'NAME'". */
bool subject_of_stop(const struct cs_stop *stop, struct subject *ret);
/* Returns the event at which a stop for this kind is set; CS_MOMENTS when the kind has none. */
enum cs_moment subject_moment(const struct subject *subject);
/* Returns the condition, freed by the caller; NULL: no memory. */
char *subject_condition(const struct subject *subject);
