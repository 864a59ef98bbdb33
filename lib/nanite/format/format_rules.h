/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broken rules, collected where they are found: one list for each page that is decoded on its own,
 * joined in the order of the pages.
 */
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

/* What a list keeps; more of one page tells nothing new. */
enum { CS_MOST_BREACHES = 64 };

struct cs_breach {
	enum cs_resource_rule rule;
	uint32_t page, cluster; /* CS_NONE where it is none of one */
	uint64_t at;            /* byte of the decompressed page, or CS_NO_OFFSET */
	char message[128];
};

struct cs_breaches {
	CS_VEC(struct cs_breach) list;
	bool fatal; /* one of them is */
	bool out_of_memory;
};

/* Where in the resource something is. */
struct cs_place {
	uint32_t page, cluster;
	uint64_t at;
};

#define CS_NOWHERE ((struct cs_place){CS_NONE, CS_NONE, CS_NO_OFFSET})

/* Always false, so that a check can end with it. Without a list nothing is noted. */
bool cs_breach(struct cs_breaches *breaches, enum cs_resource_rule rule, struct cs_place place,
	const char *format, ...) CS_PRINTF(4, 5);
void cs_breaches_deinit(struct cs_breaches *breaches);
/* The first fatal one as an error of the file, or NULL. `offset` is where the page lies in it. */
struct cs_error *cs_breaches_error(
	const struct cs_breaches *breaches, const char *file, uint64_t offset) CS_MUST_USE;
void cs_breaches_report(
	const struct cs_breaches *breaches, uint64_t offset, struct cs_verify *verify);

/* Everything that cs_nanite_verify checks. */
const struct cs_nanite_rule *cs_nanite_rules(size_t *n_ret);
/* What it does to a picture when the rule is broken, and what to do about it. */
void cs_nanite_rule_explain(
	const struct cs_nanite_rule *rule, const char **effect_ret, const char **advice_ret);
