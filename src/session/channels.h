/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a line comes from, and where what it prints goes. */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

/* Where a line comes from, for messages: FILE:LINE. */
struct script_place {
	const char *file;   /* "-e", "stdin", a path as it was given */
	const char *folder; /* that relative names of golden files start from */
	unsigned line;
};

struct channels {
	struct stream_sink out; /* standard output */
	struct stream_sink err;
	const struct script_place *place; /* of the line that runs, or NULL */
	unsigned depth;                   /* of `source` */
	struct sink *nested;              /* where its lines write to; NULL = standard output */
	FILE *transcript;
	struct row_taker *taker;         /* of what the next line emits; or NULL */
	const struct style *drawn_style; /* of what is printed into the screen; or NULL */
	bool compact;                    /* JSON on one line */
	bool tells_log;                  /* of the library, not only warnings */
};
