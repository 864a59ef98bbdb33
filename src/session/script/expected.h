/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of checking scripts against expected output: counts, files to rewrite, reports. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"
#include "src/output/tally.h"

struct test_point; /* defined in src/session/script/junit.h */

/* A file for --bless to rewrite if nothing else failed: src/session/script/bless.h. */
struct blessing {
	char *path, *text; /* owned */
	size_t n;
};

struct expected {
	struct tally tally;
	struct foretold *foretold; /* outcome of the xfail block that is running; else NULL */
	bool skipping;  /* the remaining lines are skipped, because a requirement is not met */
	bool capturing; /* the line's output is captured for comparison with expected output */
	struct memory_sink *golden; /* transcript to compare with a golden file; or NULL */
	CS_VEC(struct blessing) blessings;
	CS_VEC(struct test_point) points; /* test points for the JUnit file */
	const char *junit;                /* path of the JUnit file; or NULL */
	bool annotates; /* print failures as annotations, which a CI service shows */
};
