/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of broken rules, one per page, because pages are decoded in parallel. */
#pragma once

#include "core/vec.h"
#include "format/verify.h"

#include <cellscope/nanite.h>

enum cs_resource_rule {
#define CS_RULE(id, severity, text) CS_RULE_##id,
#include "nanite/format/rules.def"
#undef CS_RULE
	CS_RULE_COUNT
};

/* Number of breaches from which on a list accepts only fatal ones. */
enum { CS_MOST_BREACHES = 64 };

struct cs_breach {
	enum cs_resource_rule rule;
	/* where the rule is broken. CS_NONE when the breach concerns no single page or cluster */
	uint32_t page, cluster;
	uint64_t at; /* offset in the decompressed page in bytes, or CS_NO_OFFSET */
	char message[160];
};

struct cs_breaches {
	CS_VEC(struct cs_breach) list;
	bool fatal; /* whether one of the breaches is fatal */
	bool out_of_memory;
};

/* A position in the resource: page, cluster, and offset in the decompressed page. */
struct cs_place {
	uint32_t page, cluster;
	uint64_t at;
};

#define CS_NOWHERE ((struct cs_place){CS_NONE, CS_NONE, CS_NO_OFFSET})

/* Adds a broken rule to `breaches`, if not NULL. Returns false, for the caller to return. */
bool cs_breach(struct cs_breaches *breaches, enum cs_resource_rule rule, struct cs_place place,
	const char *format, ...) CS_PRINTF(4, 5);
void cs_breaches_deinit(struct cs_breaches *breaches);
/* Returns the first fatal breach as an error at `offset` in the file, or NULL if none is fatal. */
struct cs_error *cs_breaches_error(
	const struct cs_breaches *breaches, const char *file, uint64_t offset) CS_MUST_USE;
void cs_breaches_report(
	const struct cs_breaches *breaches, uint64_t offset, struct cs_verify *verify);

/* Returns all rules that cs_nanite_verify checks. */
const struct cs_nanite_rule *cs_nanite_rules(size_t *n_ret);
