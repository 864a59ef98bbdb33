/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a line comes from and where its output goes. */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

/* Origin of a line, for messages: FILE:LINE. */
struct script_place {
	const char *file;   /* name of the source: "-e", "stdin", or a path as it was given */
	const char *folder; /* relative names of golden files start from this folder */
	unsigned line;
};

struct channels {
	struct stream_sink out; /* standard output */
	struct stream_sink err;
	const struct script_place *place; /* origin of the running line, or NULL */
	unsigned depth;                   /* depth of nested `source` commands */
	struct sink *nested;              /* where nested lines print; NULL = standard output */
	FILE *transcript;
	struct row_taker *taker; /* takes the rows that the next line prints; or NULL */
	/* style of output that is printed into the screen; or NULL */
	const struct style *drawn_style;
	bool compact;   /* print JSON on one line */
	bool tells_log; /* print all log messages of the library, not only warnings */
};
