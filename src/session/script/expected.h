/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scripts expect and what became of it: counts, transcripts that are rewritten, reports. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"
#include "src/output/tally.h"

struct test_point; /* src/session/script/junit.h */

/* A file that --bless rewrites when all else has worked; src/session/script/bless.h. */
struct blessing {
	char *path, *text; /* owned */
	size_t n;
};

struct expected {
	struct tally tally;
	struct foretold *foretold;  /* inside of xfail: where failures go */
	bool skipping;              /* a requirement is not met */
	bool capturing;             /* what is printed now will be compared */
	struct memory_sink *golden; /* the transcript of a whole script, or NULL */
	CS_VEC(struct blessing) blessings;
	CS_VEC(struct test_point) points; /* for JUnit */
	const char *junit;                /* the file of it, or NULL */
	bool annotates;                   /* failures are marked for a service */
};
