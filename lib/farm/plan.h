/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in memory: flat arrays, and texts in one pool.
 *
 * The words of a step are its arguments after the verb: a literal text, an input (a path below the
 * root), or the result of an earlier step. Invariant: a step needs only earlier steps.
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
	const char *name; /* command that runs the step; "run" runs a command file */
	/* suffix of the file that a step writes; "" for a check, which writes none */
	const char *suffix;
	/* estimated duration: seconds + MiB read * seconds_per_mib */
	double seconds_per_mib, seconds;
};

extern const struct farm_verb_row farm_verbs[FARM_VERBS];

enum farm_word_kind { FARM_WORD_TEXT, FARM_WORD_INPUT, FARM_WORD_STEP, FARM_WORD_KINDS };

struct farm_word {
	/* meaning of `value` by `kind`: text offset, index into inputs, index into steps */
	uint32_t kind, value;
};

/* A file that a step reads, or a folder (is_tree) of which it may read everything. */
struct farm_input {
	uint32_t path; /* text offset: path relative to the root */
	bool is_tree;
	struct cs_farm_key content;
	uint64_t bytes;
};

struct farm_step {
	uint32_t verb, name;
	uint32_t first_word, n_words;
	uint32_t first_read, n_reads; /* range of `reads`: all inputs, also those in the words */
	uint32_t first_need, n_needs;
	struct cs_farm_key key;
	double seconds;
	uint64_t bytes;
};

struct cs_farm_plan {
	struct cs_strings texts;
	uint32_t root;
	/* hash of the program that made the plan; only that program may run it */
	struct cs_farm_key code;
	/* hash of the code of the import program; zero if no foreign mesh is read */
	struct cs_farm_key importer;
	struct cs_farm_key whole; /* if this is a part of a plan: key of the whole plan */
	CS_VEC(uint32_t) ids;     /* part of a plan: number of each step in the whole plan */
	CS_VEC(struct farm_input) inputs;
	CS_VEC(struct farm_word) words;
	CS_VEC(uint32_t) reads, needs;
	CS_VEC(struct farm_step) steps;
};

/* Returns the step's number in the plan file, which differs from its index in a part of a plan. */
static inline uint32_t farm_step_id(const struct cs_farm_plan *plan, size_t index)
{
	return plan->ids.n ? plan->ids.at[index] : (uint32_t)index;
}

static inline const char *farm_text(const struct cs_farm_plan *plan, uint32_t text)
{
	return cs_strings_get(&plan->texts, text);
}

/* Formats a text, which the caller frees; NULL when memory runs out. */
char *farm_print(const char *format, ...) CS_PRINTF(1, 2);
struct cs_error *farm_plan_new(const char *root, struct cs_farm_plan **ret) CS_MUST_USE;
struct cs_error *farm_add_input(
	struct cs_farm_plan *plan, const char *path, bool is_tree, uint32_t *ret) CS_MUST_USE;
/* Adds a step. The words, reads and needs that are added next belong to it. */
struct cs_error *farm_add_step(struct cs_farm_plan *plan, enum farm_verb verb, const char *name,
	uint32_t *ret) CS_MUST_USE;
struct cs_error *farm_add_word(
	struct cs_farm_plan *plan, enum farm_word_kind kind, uint32_t value) CS_MUST_USE;
struct cs_error *farm_add_text_word(struct cs_farm_plan *plan, const char *text) CS_MUST_USE;
struct farm_digests;
/* Hashes the content of all inputs, and the code of the import program if a step needs it. */
struct cs_error *farm_hash_inputs(struct cs_farm_plan *plan, struct farm_digests *digests,
	const struct cs_job *job) CS_MUST_USE;
/* Hashes the present content of one input and stores hash and size in it. */
struct cs_error *farm_hash_input(const struct cs_farm_plan *plan, struct farm_input *input,
	struct farm_digests *digests, const struct cs_job *job) CS_MUST_USE;
/* Gets a hash of the sizes, times and inodes of an input's files: any write changes it. */
struct cs_error *farm_stamp_input(const struct cs_farm_plan *plan, const struct farm_input *input,
	const struct cs_job *job, struct cs_farm_key *ret) CS_MUST_USE;
/* Returns the plan's root, "/" and `path`. The caller frees it. NULL when memory runs out. */
char *farm_below_root(const struct cs_farm_plan *plan, const char *path);
/* suffixes of meshes that the import program reads; ends with NULL */
extern const char *const farm_foreign_ends[];
/* Returns the key of the code of the import program; zero if that program cannot be run. */
struct cs_farm_key farm_importer_code(void);
bool farm_reads_foreign(const struct cs_farm_plan *plan, const struct farm_step *step);
/* Computes the keys and the estimated durations of all steps from the contents of the inputs. */
void farm_make_keys(struct cs_farm_plan *plan);
/* Returns whether a path stays below the plan's root folder. A run must not read outside it. */
bool farm_is_inside(const char *path);
/* Parses a key as cs_farm_key_format writes it. Returns false for any other text and for NULL. */
bool farm_parse_key(const char *text, struct cs_farm_key *ret);
/* Returns step indices sorted by key, then index; freed by the caller; NULL if out of memory. */
uint32_t *farm_order_by_key(const struct cs_farm_plan *plan);
/* Computes the counts, the total work and the critical path of the plan from to->outcomes. */
struct cs_error *farm_sum_up(
	const struct cs_farm_plan *plan, struct cs_farm_summary *to) CS_MUST_USE;
/*
 * Stores the indices of up to `most` slowest steps, slowest first; among equals the first in the
 * plan first. Steps that took no time are left out. Returns the number of indices.
 */
size_t farm_slowest(const struct cs_farm_summary *summary, size_t *steps, size_t most);
/* Gets the duration of each step in seconds, measured or estimated; freed by the caller. */
struct cs_error *farm_measured(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	double **seconds_ret) CS_MUST_USE;
/* Simulates the plan. `seconds`: duration of each step; NULL = the estimates of the plan. */
struct cs_error *farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_machines *machines, const double *seconds,
	struct cs_farm_forecast *ret) CS_MUST_USE;
/* Replaces each step's duration by the earliest time at which it can end. Returns the latest. */
double farm_critical_path(const struct cs_farm_plan *plan, double *seconds);
/* Adds to the last added step the other files opened with its mesh: OBJ materials, glTF buffers. */
struct cs_error *farm_add_companions(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;
/* Adds the files that a script names, and the files that these name, to the last step's reads. */
struct cs_error *farm_add_script(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;

/* Gets the key of the step `nanite build PATH` without options, PATH relative to `root`. */
struct cs_error *cs_farm_build_key(const char *root, const char *path, const struct cs_job *job,
	struct cs_farm_key *ret) CS_MUST_USE;
/* Returns the key of the whole plan, from which its journal is named. */
struct cs_farm_key cs_farm_plan_key(const struct cs_farm_plan *plan);
