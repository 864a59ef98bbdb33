/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in memory: flat arrays, texts in one pool.
 *
 * A step's words are what stands behind its verb: a text as it is, an input (a path below the root)
 * or the result of an earlier step. Invariant: a step needs earlier steps alone.
 */
#ifndef FARM_PLAN_H
#define FARM_PLAN_H

#include <cellscope/farm.h>

#include "base/strings.h"
#include "base/vec.h"

enum farm_verb {
	FARM_BUILD,
	FARM_CHECK_MESH,
	FARM_COOK,
	FARM_CHECK_WORLD,
	FARM_DIFF,
	FARM_RUN,
	FARM_REPORT,
	FARM_VERBS
};

struct farm_verb_row {
	const char *name;   /* as it is typed; "run" is the program itself with a command file */
	const char *suffix; /* of the file that it makes; "" for a check */
	uint32_t version;   /* of its code: another one gives another key */
	double seconds_per_mib, seconds; /* the estimate: a line through what was measured */
};

extern const struct farm_verb_row farm_verbs[FARM_VERBS];

enum farm_word_kind { FARM_WORD_TEXT, FARM_WORD_INPUT, FARM_WORD_STEP, FARM_WORD_KINDS };

struct farm_word {
	uint32_t kind, value; /* a text, an input of the plan, a step */
};

/* A file that a step reads, or a folder of which it may read everything. */
struct farm_input {
	uint32_t path; /* relative to the root */
	bool is_tree;
	struct cs_farm_key content;
	uint64_t bytes;
};

struct farm_step {
	uint32_t verb, name;
	uint32_t first_word, n_words;
	uint32_t first_read, n_reads; /* inputs, those of the words among them */
	uint32_t first_need, n_needs;
	struct cs_farm_key key;
	double seconds;
	uint64_t bytes;
};

struct cs_farm_plan {
	struct cs_strings texts;
	uint32_t root;
	CS_VEC(struct farm_input) inputs;
	CS_VEC(struct farm_word) words;
	CS_VEC(uint32_t) reads, needs;
	CS_VEC(struct farm_step) steps;
};

static inline const char *farm_text(const struct cs_farm_plan *plan, uint32_t text)
{
	return cs_strings_get(&plan->texts, text);
}

struct cs_error *farm_plan_new(const char *root, struct cs_farm_plan **ret) CS_MUST_USE;
struct cs_error *farm_add_text(
	struct cs_farm_plan *plan, const char *text, uint32_t *ret) CS_MUST_USE;
struct cs_error *farm_add_input(
	struct cs_farm_plan *plan, const char *path, bool is_tree, uint32_t *ret) CS_MUST_USE;
/* Begins a step; words, reads and needs are then added to the last one. */
struct cs_error *farm_add_step(struct cs_farm_plan *plan, enum farm_verb verb, const char *name,
	uint32_t *ret) CS_MUST_USE;
struct cs_error *farm_add_word(
	struct cs_farm_plan *plan, enum farm_word_kind kind, uint32_t value) CS_MUST_USE;
struct cs_error *farm_add_text_word(struct cs_farm_plan *plan, const char *text) CS_MUST_USE;
/* Reads the content of all inputs, below the root. */
struct cs_error *farm_hash_inputs(struct cs_farm_plan *plan, const struct cs_job *job) CS_MUST_USE;
/* Keys and estimates, from the contents of the inputs. */
void farm_make_keys(struct cs_farm_plan *plan);
/* Steps by key, then by index; freed by the caller, NULL without memory. */
uint32_t *farm_order_by_key(const struct cs_farm_plan *plan);
/* Counts, work and critical path, from the outcomes. */
void farm_sum_up(const struct cs_farm_plan *plan, struct cs_farm_summary *to);
double farm_critical_path(const struct cs_farm_plan *plan, const double *seconds);
/* Files beside a mesh that its reader opens too: materials of an OBJ, buffers of a glTF. */
struct cs_error *farm_add_companions(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;

#endif
