/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What scripts expect and what was found: counts, transcripts to rewrite, reports. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"
#include "src/output/tally.h"

struct test_point; /* defined in src/session/script/junit.h */

/* A file that --bless rewrites when nothing else failed; src/session/script/bless.h. */
struct blessing {
	char *path, *text; /* owned */
	size_t n;
};

struct expected {
	struct tally tally;
	struct foretold *foretold;  /* receives failures inside of xfail, else NULL */
	bool skipping;              /* a requirement of the script is not met */
	bool capturing;             /* the current output will be compared */
	struct memory_sink *golden; /* transcript of a whole script, or NULL */
	CS_VEC(struct blessing) blessings;
	CS_VEC(struct test_point) points; /* points for JUnit */
	const char *junit;                /* file for JUnit, or NULL */
	bool annotates;                   /* print failures as annotations of a CI service */
};
