/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one cell, layer, page or frame that the condition of a stop (breakpoint) names. */
#pragma once

#include <cellscope/query.h>

struct subject {
	const char *kind;    /* "cell", "layer", "page" or "frame" */
	char name[512];      /* name of the object, spelled as in the open file */
	char partition[256]; /* name of its world partition; "" if the condition names none */
};

/*
 * Parses the condition of a stop. Returns false if it does not have the form "KIND = 'NAME'", which
 * " AND partition = 'NAME'" may follow.
 */
bool subject_of_stop(const struct cs_stop *stop, struct subject *ret);
/* Returns the event at which stops on such objects are tested; CS_MOMENTS if there is none. */
enum cs_moment subject_moment(const struct subject *subject);
/* Returns an SQL condition that is true for the subject. The caller frees it; NULL = no memory. */
char *subject_condition(const struct subject *subject);
