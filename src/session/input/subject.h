/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a stop is about: the one cell, layer, page or frame that its condition names. */
#pragma once

#include <cellscope/query.h>

struct subject {
	const char *kind; /* "cell", "layer", "page", "frame" */
	char name[512];   /* in the spelling of the open file */
};

/* False for a stop without a condition, or with another than "KIND = 'NAME'". */
bool subject_of_stop(const struct cs_stop *stop, struct subject *ret);
/* The event at which a kind stops and the condition; CS_MOMENTS for what cannot be stopped at. */
enum cs_moment subject_moment(const struct subject *subject);
/* Freed by the caller; NULL: no memory. */
char *subject_condition(const struct subject *subject);
