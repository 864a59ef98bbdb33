/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules that the library follows, as data: what cellscope-rules(7) prints and what comments,
 * findings and answers cite by number. All texts are static.
 */
#ifndef CELLSCOPE_RULEBOOK_H
#define CELLSCOPE_RULEBOOK_H

#include <cellscope/api.h>

#include <stddef.h>

CS_BEGIN_DECLS

/* How sure a rule is. */
enum cs_certainty {
	CS_CERTAINTY_FILE,    /* held against what the engine itself wrote */
	CS_CERTAINTY_TEXT,    /* as published texts say */
	CS_CERTAINTY_ASSUMED, /* the best reading, isolated in one place */
	CS_CERTAINTIES
};

struct cs_rulebook_entry {
	const char *number;  /* "1.6.4", "nanite 2.1", "ue 4"; never reused */
	const char *engines; /* the profiles it holds for, or "all" */
	enum cs_certainty certainty;
	const char *test; /* the one that fails when it is broken */
	const char *title;
	const char *text; /* one paragraph */
};

/* In the order of their numbers. */
CS_API const struct cs_rulebook_entry *cs_rulebook(size_t *n_ret);
/* By number, without case; NULL when there is none. */
CS_API const struct cs_rulebook_entry *cs_rulebook_find(const char *number);
/* "engine files", "published texts", "assumed" */
CS_API const char *cs_certainty_name(enum cs_certainty certainty);

CS_END_DECLS

#endif
