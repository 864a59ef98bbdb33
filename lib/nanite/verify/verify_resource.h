/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of decoded contents. They are made only if every page could be decoded. */
#pragma once

#include "nanite/decode/decode.h"
#include "nanite/format/contents.h"

struct cs_resource_check {
	const struct cs_nanite *resource;
	const struct cs_nanite_contents *contents;
	struct cs_breaches *breaches; /* one list of breaches for each page */
	struct cs_breaches *rest;     /* breaches that concern no single page */
	const struct cs_job *job;
};

static inline struct cs_place cs_in_page(uint32_t page)
{
	return (struct cs_place){page, CS_NONE, CS_NO_OFFSET};
}

static inline struct cs_place cs_in_cluster(const struct cs_model_cluster *cluster)
{
	return (struct cs_place){cluster->page, cluster->index, CS_NO_OFFSET};
}

/* These functions record the broken rules that they find. Return false when memory runs out. */
bool cs_check_fixups(const struct cs_resource_check *check);
bool cs_check_dependencies(const struct cs_resource_check *check);
bool cs_check_hierarchy(const struct cs_resource_check *check);
bool cs_check_dag(const struct cs_resource_check *check);
bool cs_check_seams(const struct cs_resource_check *check);
/* Tests of a deep verification only: which clusters views select, and page streaming. */
bool cs_check_groups_closed(const struct cs_resource_check *check);
bool cs_check_streaming(const struct cs_resource_check *check);

/* Reports the *n_ret findings of a resource in memory. `deep` also tests views and streaming. */
struct cs_error *cs_nanite_check(const struct cs_nanite *resource, bool deep,
	const struct cs_job *job, void (*report)(void *context, const struct cs_finding *finding),
	void *context, size_t *n_ret) CS_MUST_USE;
