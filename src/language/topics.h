/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `help TOPIC` explains besides commands. One row a topic. */
#pragma once

#include <stddef.h>

struct topic {
	const char *name;
	const char *summary;
	const char *text; /* paragraphs in lines of at most 76 columns */
};

extern const struct topic topics[];
extern const size_t n_topics;
