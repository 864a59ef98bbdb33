/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the running command line comes from, and where its output goes. */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

/* Origin of a line of a script, printed in messages as FILE:LINE. */
struct script_place {
	const char *file; /* "-e", "stdin", or the path of a script as it was given */
	/* folder to which paths of golden files (expected output) are relative */
	const char *folder;
	unsigned line;
};

struct channels {
	struct stream_sink out; /* standard output */
	struct stream_sink err;
	struct script_place *place; /* line of the running script; NULL outside of scripts */
	unsigned depth;             /* nesting depth of `source` commands */
	struct sink *nested;        /* output of nested command lines; NULL = standard output */
	FILE *transcript;
	char *transcript_path;
	struct row_taker *taker; /* receives the rows that the next line lists; or NULL */
	/* style of output that is drawn on the full screen; or NULL */
	const struct style *drawn_style;
	bool told;      /* the error being returned ended a script, which has reported the error */
	bool compact;   /* print JSON on one line */
	bool tells_log; /* print all log messages of the library, not only warnings and errors */
};
