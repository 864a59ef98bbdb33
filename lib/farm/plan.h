/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan in memory: flat arrays, texts in one pool.
 *
 * A step's words are what follows its verb: a literal text, an input (a path below the root) or the
 * result of an earlier step. Invariant: a step needs only earlier steps.
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
	const char *name;   /* as typed; "run" executes a command file */
	const char *suffix; /* suffix of the file that a step of this verb writes; "" for a check */
	/* coefficients of the estimate, a line fitted to measurements */
	double seconds_per_mib, seconds;
};

extern const struct farm_verb_row farm_verbs[FARM_VERBS];

enum farm_word_kind { FARM_WORD_TEXT, FARM_WORD_INPUT, FARM_WORD_STEP, FARM_WORD_KINDS };

struct farm_word {
	/* `kind`: `value` is a text, an input of the plan, or a step */
	uint32_t kind, value;
};

/* A file that a step reads, or a folder whose whole content it may read. */
struct farm_input {
	uint32_t path; /* path relative to the root */
	bool is_tree;
	struct cs_farm_key content;
	uint64_t bytes;
};

struct farm_step {
	uint32_t verb, name;
	uint32_t first_word, n_words;
	uint32_t first_read, n_reads; /* range of inputs, which includes those of the words */
	uint32_t first_need, n_needs;
	struct cs_farm_key key;
	double seconds;
	uint64_t bytes;
};

struct cs_farm_plan {
	struct cs_strings texts;
	uint32_t root;
	struct cs_farm_key code; /* key of the planning program, which must also run the steps */
	struct cs_farm_key importer; /* key of the import program, when a foreign mesh is read */
	struct cs_farm_key whole;    /* for a part of a plan: key of the whole plan */
	CS_VEC(uint32_t) ids; /* for a part of a plan: numbers of its steps in the whole plan */
	CS_VEC(struct farm_input) inputs;
	CS_VEC(struct farm_word) words;
	CS_VEC(uint32_t) reads, needs;
	CS_VEC(struct farm_step) steps;
};

/* Returns the number of a step in the file of the plan. */
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
/* Begins a step; words, reads and needs are added to the last step. */
struct cs_error *farm_add_step(struct cs_farm_plan *plan, enum farm_verb verb, const char *name,
	uint32_t *ret) CS_MUST_USE;
struct cs_error *farm_add_word(
	struct cs_farm_plan *plan, enum farm_word_kind kind, uint32_t value) CS_MUST_USE;
struct cs_error *farm_add_text_word(struct cs_farm_plan *plan, const char *text) CS_MUST_USE;
struct farm_digests;
/* Hashes the content of all inputs, and the import program when a step needs it. */
struct cs_error *farm_hash_inputs(struct cs_farm_plan *plan, struct farm_digests *digests,
	const struct cs_job *job) CS_MUST_USE;
/* Hashes the current content of one input. */
struct cs_error *farm_hash_input(const struct cs_farm_plan *plan, struct farm_input *input,
	struct farm_digests *digests, const struct cs_job *job) CS_MUST_USE;
/*
 * Hashes the status of an input without reading it: sizes, times and inodes of its files. While it
 * is unchanged, no byte was written.
 */
struct cs_error *farm_stamp_input(const struct cs_farm_plan *plan, const struct farm_input *input,
	const struct cs_job *job, struct cs_farm_key *ret) CS_MUST_USE;
/* Returns ROOT/PATH, freed by the caller; NULL without memory. */
char *farm_below_root(const struct cs_farm_plan *plan, const char *path);
/* suffixes of meshes that foreign code reads; ends with NULL */
extern const char *const farm_foreign_ends[];
/*
 * Returns the key of the import program; zero when the program does not exist or does not answer.
 */
struct cs_farm_key farm_importer_code(void);
bool farm_reads_foreign(const struct cs_farm_plan *plan, const struct farm_step *step);
/* Computes keys and estimates from the contents of the inputs. */
void farm_make_keys(struct cs_farm_plan *plan);
/*
 * Returns true for a path below the root: a plan comes from a file, which must not make a run read
 * anything else.
 */
bool farm_is_inside(const char *path);
/* Parses 32 digits as cs_farm_key_format writes them; false for any other text or NULL. */
bool farm_parse_key(const char *text, struct cs_farm_key *ret);
/* Returns the steps sorted by key, then by index; freed by the caller, NULL without memory. */
uint32_t *farm_order_by_key(const struct cs_farm_plan *plan);
/* Computes counts, work and critical path from the outcomes. */
struct cs_error *farm_sum_up(
	const struct cs_farm_plan *plan, struct cs_farm_summary *to) CS_MUST_USE;
/*
 * Returns at most `most` steps that took longest, in descending order, equal ones in the plan's
 * order.
 */
size_t farm_slowest(const struct cs_farm_summary *summary, size_t *steps, size_t most);
/*
 * Stores the seconds of each step: those in the journal, or the plan's estimates. The caller frees
 * them.
 */
struct cs_error *farm_measured(const struct cs_farm_plan *plan, const struct cs_farm_cache *cache,
	double **seconds_ret) CS_MUST_USE;
/* `seconds` has the seconds of each step, or is NULL for the estimates of the plan. */
struct cs_error *farm_simulate(const struct cs_farm_plan *plan,
	const struct cs_farm_machines *machines, const double *seconds,
	struct cs_farm_forecast *ret) CS_MUST_USE;
/*
 * Replaces the seconds of each step by the time from the beginning of the plan to the end of the
 * step.
 */
double farm_critical_path(const struct cs_farm_plan *plan, double *seconds);
/* Adds files that the reader of a mesh also opens: materials of an OBJ, buffers of a glTF. */
struct cs_error *farm_add_companions(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;
/* Adds the files that a script names, and the files named in those, as they may be scripts. */
struct cs_error *farm_add_script(
	struct cs_farm_plan *plan, const char *path, const struct cs_job *job) CS_MUST_USE;

/*
 * Returns the key of `nanite build PATH` without options, as a plan over `root` has it; PATH is
 * below `root`. Errors are those of reading the file.
 */
struct cs_error *cs_farm_build_key(const char *root, const char *path, const struct cs_job *job,
	struct cs_farm_key *ret) CS_MUST_USE;
/* Returns the key of the whole plan, which names its journal. */
struct cs_farm_key cs_farm_plan_key(const struct cs_farm_plan *plan);
