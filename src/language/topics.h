/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topics of `help TOPIC` that are not commands. */
#pragma once

#include <stddef.h>

struct topic {
	const char *name;
	const char *summary;
	const char *text; /* paragraphs in lines of at most 76 columns */
};

extern const struct topic topics[];
extern const size_t n_topics;
