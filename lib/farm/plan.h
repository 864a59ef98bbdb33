/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in memory: flat arrays, texts in one pool.
 *
 * A step's words are what stands behind its verb: a text as it is, an input (a path below the root)
 * or the result of an earlier step. Invariant: a step needs earlier steps alone.
 */
#pragma once

#include <cellscope/farm.h>

#include "core/strings.h"
#include "core/vec.h"
#include "farm/key.h"

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
	struct cs_farm_key code;     /* of the program that planned, which is to run the steps */
	struct cs_farm_key importer; /* of what reads foreign meshes, where one is read */
	struct cs_farm_key whole;    /* of a part: the key of the plan that it is of */
	CS_VEC(uint32_t) ids;        /* of a part: numbers of its steps in that plan */
	CS_VEC(struct farm_input) inputs;
	CS_VEC(struct farm_word) words;
	CS_VEC(uint32_t) reads, needs;
	CS_VEC(struct farm_step) steps;
};

/* The number of a step in the file of the plan. */
static inline uint32_t farm_step_id(const struct cs_farm_plan *plan, size_t index)
{
	return plan->ids.n ? plan->ids.at[index] : (uint32_t)index;
}

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
struct farm_digests;
struct cs_error *farm_hash_inputs(struct cs_farm_plan *plan, struct farm_digests *digests,
	const struct cs_job *job) CS_MUST_USE;
/* The content of one input, as it is now. */
struct cs_error *farm_hash_input(const struct cs_farm_plan *plan, struct farm_input *input,
	struct farm_digests *digests, const struct cs_job *job) CS_MUST_USE;
/*
 * What the system says of an input without reading it: sizes, times and numbers of its files. As
 * long as it stays the same no byte was written.
 */
struct cs_error *farm_stamp_input(const struct cs_farm_plan *plan, const struct farm_input *input,
	const struct cs_job *job, struct cs_farm_key *ret) CS_MUST_USE;
/* ROOT/PATH, the caller's; NULL without memory. */
char *farm_below_root(const struct cs_farm_plan *plan, const char *path);
extern const char *const farm_foreign_ends[]; /* of meshes; closed by NULL */
/* The code of the program that reads them; zero where it does not say, as one that is not there. */
struct cs_farm_key farm_importer_code(void);
bool farm_reads_foreign(const struct cs_farm_plan *plan, const struct farm_step *step);
/* Keys and estimates, from the contents of the inputs. */
void farm_make_keys(struct cs_farm_plan *plan);
/* Below the root: a plan is a file like others, and must not make a run read anything else. */
bool farm_is_inside(const char *path);
/* 32 digits, as cs_farm_key_format writes them; false for any other text or NULL. */
bool farm_parse_key(const char *text, struct cs_farm_key *ret);
/* Steps by key, then by index; freed by the caller, NULL without memory. */
uint32_t *farm_order_by_key(const struct cs_farm_plan *plan);
/* Counts, work and critical path, from the outcomes. */
struct cs_error *farm_sum_up(
	const struct cs_farm_plan *plan, struct cs_farm_summary *to) CS_MUST_USE;
/* The steps that took longest, at most `most`, the longest first, then as planned. */
size_t farm_slowest(const struct cs_farm_summary *summary, size_t *steps, size_t most);
/* Times that the journal has measured, by step; the plan's estimate where it has none. */
struct cs_error *farm_measured(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	double **seconds_ret) CS_MUST_USE;
/* `seconds` by step, or NULL for the estimates of the plan. */
struct cs_error *farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_machines *machines, const double *seconds,
	struct cs_farm_forecast *ret) CS_MUST_USE;
/* The seconds of each step become those until its end, from the beginning of the plan. */
double farm_critical_path(const struct cs_farm_plan *plan, double *seconds);
/* Files beside a mesh that its reader opens too: materials of an OBJ, buffers of a glTF. */
struct cs_error *farm_add_companions(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;
/* Files that a script names, and those that these name. */
struct cs_error *farm_add_script(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;

/*
 * The key of `nanite build PATH` without options, PATH being below `root`: what a plan over it has.
 * Errors are those of reading the file.
 */
struct cs_error *cs_farm_build_key(const char *root, const char *path, const struct cs_job *job,
	struct cs_farm_key *ret) CS_MUST_USE;
/* Of the whole plan: names its journal. */
struct cs_farm_key cs_farm_plan_key(const struct cs_farm_plan *plan);
