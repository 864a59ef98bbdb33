/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans and their keys. The key of a step hashes the verb, the code that runs it, its words and the
 * content of all inputs that it reads. For a step that it needs, it hashes the key of that step,
 * not the result, so that all keys are known before anything runs.
 */
#include "farm/plan.h"

#include "core/cursor.h"
#include "core/invariant.h"
#include "core/sort.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * Estimated seconds for each MiB read and for each step, measured on a desktop machine. Durations
 * in the journal take precedence.
 */
const struct farm_verb_row farm_verbs[FARM_VERBS] = {
	[FARM_BUILD] = {"nanite build", ".cnanite", 0.15, 0.02},
	[FARM_CHECK_MESH] = {"nanite verify", "", 0.05, 0.01},
	[FARM_COOK] = {"cook", ".cworld", 0.03, 0.02},
	[FARM_CHECK_WORLD] = {"verify", "", 0.01, 0.01},
	[FARM_DIFF] = {"diff", "", 0.02, 0.02},
	[FARM_RUN] = {"run", "", 0.2, 0.05},
	[FARM_REPORT] = {"report", ".html", 0.2, 0.05},
};

const char *const farm_foreign_ends[] = {".gltf", ".glb", ".fbx", ".stl", NULL};

char *farm_print(const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	const int n = vasprintf(&text, format, args);
	va_end(args);
	return n < 0 ? NULL : text;
}

static struct cs_error *farm_add_text(struct cs_farm_plan *plan, const char *text, uint32_t *ret)
{
	*ret = cs_strings_add_z(&plan->texts, text);
	return *ret == CS_NONE ? cs_error_nomem() : NULL;
}

struct cs_error *farm_plan_new(const char *root, struct cs_farm_plan **ret)
{
	struct cs_farm_plan *plan = calloc(1, sizeof(*plan));
	if (!plan)
		return cs_error_nomem();
	struct cs_error *error = farm_add_text(plan, root, &plan->root);
	plan->code = farm_code();
	if (error) {
		cs_farm_plan_free(plan);
		return error;
	}
	*ret = plan;
	return NULL;
}

void cs_farm_plan_free(struct cs_farm_plan *plan)
{
	if (!plan)
		return;
	cs_strings_deinit(&plan->texts);
	cs_vec_free(&plan->inputs);
	cs_vec_free(&plan->words);
	cs_vec_free(&plan->reads);
	cs_vec_free(&plan->needs);
	cs_vec_free(&plan->steps);
	cs_vec_free(&plan->ids);
	free(plan);
}

/* ---- building a plan ---- */

struct cs_error *farm_add_input(
	struct cs_farm_plan *plan, const char *path, bool is_tree, uint32_t *ret)
{
	struct farm_input input = {.is_tree = is_tree};
	struct cs_error *error = farm_add_text(plan, path, &input.path);
	if (error)
		return error;
	*ret = (uint32_t)plan->inputs.n;
	return cs_vec_push(&plan->inputs, input) ? NULL : cs_error_nomem();
}

struct cs_error *farm_add_step(
	struct cs_farm_plan *plan, enum farm_verb verb, const char *name, uint32_t *ret)
{
	struct farm_step step = {
		.verb = verb,
		.first_word = (uint32_t)plan->words.n,
		.first_read = (uint32_t)plan->reads.n,
		.first_need = (uint32_t)plan->needs.n,
	};
	struct cs_error *error = farm_add_text(plan, name, &step.name);
	if (error)
		return error;
	*ret = (uint32_t)plan->steps.n;
	return cs_vec_push(&plan->steps, step) ? NULL : cs_error_nomem();
}

struct cs_error *farm_add_word(struct cs_farm_plan *plan, enum farm_word_kind kind, uint32_t value)
{
	struct farm_step *step = &plan->steps.at[plan->steps.n - 1];
	bool good = cs_vec_push(&plan->words, (struct farm_word){kind, value});
	step->n_words++;
	if (good && kind == FARM_WORD_INPUT) {
		good = cs_vec_push(&plan->reads, value);
		step->n_reads++;
	}
	if (good && kind == FARM_WORD_STEP) {
		good = cs_vec_push(&plan->needs, value);
		step->n_needs++;
	}
	return good ? NULL : cs_error_nomem();
}

struct cs_error *farm_add_text_word(struct cs_farm_plan *plan, const char *text)
{
	uint32_t at;
	struct cs_error *error = farm_add_text(plan, text, &at);
	return error ? error : farm_add_word(plan, FARM_WORD_TEXT, at);
}

/* ---- computing keys ---- */

static void hash_text(XXH3_state_t *state, char mark, const char *text)
{
	XXH3_128bits_update(state, &mark, 1);
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

static void hash_key(XXH3_state_t *state, char mark, struct cs_farm_key key)
{
	unsigned char bytes[17] = {(unsigned char)mark};
	cs_store64(bytes + 1, key.high);
	cs_store64(bytes + 9, key.low);
	XXH3_128bits_update(state, bytes, sizeof(bytes));
}

/* Hashes an input with its name, because Nanite resources contain the names of their sources. */
static void hash_input(
	XXH3_state_t *state, const struct cs_farm_plan *plan, const struct farm_input *input)
{
	hash_text(state, 'N', cs_base_name(farm_text(plan, input->path)));
	hash_key(state, 'I', input->content);
}

/* Returns whether a step reads a mesh that only the separate import program can open. */
bool farm_reads_foreign(const struct cs_farm_plan *plan, const struct farm_step *step)
{
	for (uint32_t i = 0; i < step->n_reads; i++) {
		const char *path =
			farm_text(plan, plan->inputs.at[plan->reads.at[step->first_read + i]].path);
		if (cs_ends_with_any(path, farm_foreign_ends))
			return true;
	}
	return false;
}

static struct cs_farm_key plan_key_of(const struct cs_farm_plan *plan, const struct farm_step *step)
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	hash_text(&state, 'V', farm_verbs[step->verb].name);
	hash_key(&state, 'C', plan->code);
	if (farm_reads_foreign(plan, step))
		hash_key(&state, 'F', plan->importer);
	for (uint32_t i = 0; i < step->n_words; i++) {
		struct farm_word word = plan->words.at[step->first_word + i];
		if (word.kind == FARM_WORD_TEXT)
			hash_text(&state, 'T', farm_text(plan, word.value));
		else if (word.kind == FARM_WORD_INPUT)
			hash_input(&state, plan, &plan->inputs.at[word.value]);
		else
			hash_key(&state, 'S', plan->steps.at[word.value].key);
	}
	for (uint32_t i = 0; i < step->n_reads; i++)
		hash_input(&state, plan, &plan->inputs.at[plan->reads.at[step->first_read + i]]);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct cs_farm_key){hash.high64, hash.low64};
}

/* Estimates a step's result in bytes as the total size of its inputs and needed results. */
static uint64_t plan_bytes_of(const struct cs_farm_plan *plan, const struct farm_step *step)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < step->n_reads; i++)
		bytes += plan->inputs.at[plan->reads.at[step->first_read + i]].bytes;
	for (uint32_t i = 0; i < step->n_needs; i++)
		bytes += plan->steps.at[plan->needs.at[step->first_need + i]].bytes;
	return bytes;
}

static bool plan_holds(const struct cs_farm_plan *plan)
{
	for (size_t i = 0; i < plan->steps.n; i++) {
		const struct farm_step *step = &plan->steps.at[i];
		for (uint32_t k = 0; k < step->n_needs; k++)
			if (plan->needs.at[step->first_need + k] >= i)
				return false;
	}
	return true;
}

void farm_make_keys(struct cs_farm_plan *plan)
{
	CS_INVARIANT(plan_holds(plan), "a step needs earlier steps alone");
	for (size_t i = 0; i < plan->steps.n; i++) {
		struct farm_step *step = &plan->steps.at[i];
		const struct farm_verb_row *verb = &farm_verbs[step->verb];
		step->key = plan_key_of(plan, step);
		step->bytes = plan_bytes_of(plan, step);
		step->seconds =
			verb->seconds + verb->seconds_per_mib * (double)step->bytes / 0x1p20;
	}
}

/* ---- reading a plan ---- */

size_t cs_farm_steps(const struct cs_farm_plan *plan, double *seconds_ret)
{
	double seconds = 0;
	for (size_t i = 0; i < plan->steps.n; i++)
		seconds += plan->steps.at[i].seconds;
	if (seconds_ret)
		*seconds_ret = seconds;
	return plan->steps.n;
}

struct cs_farm_step cs_farm_step(const struct cs_farm_plan *plan, size_t index)
{
	const struct farm_step *step = &plan->steps.at[index];
	struct cs_farm_step ret = {
		.verb = farm_verbs[step->verb].name,
		.name = farm_text(plan, step->name),
		.seconds = step->seconds,
	};
	cs_farm_key_format(step->key, ret.key);
	return ret;
}

struct cs_farm_key cs_farm_plan_key(const struct cs_farm_plan *plan)
{
	XXH3_state_t state;
	if (plan->ids.n)
		return plan->whole;
	XXH3_128bits_reset(&state);
	for (size_t i = 0; i < plan->steps.n; i++)
		hash_key(&state, 'P', plan->steps.at[i].key);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct cs_farm_key){hash.high64, hash.low64};
}

void cs_farm_key_format(struct cs_farm_key key, char ret[CS_FARM_KEY_TEXT])
{
	snprintf(ret, CS_FARM_KEY_TEXT, "%016llx%016llx", (unsigned long long)key.high,
		(unsigned long long)key.low);
}

bool farm_is_inside(const char *path)
{
	return path && *path && !cs_leaves_folder(path);
}

bool farm_parse_key(const char *text, struct cs_farm_key *ret)
{
	char half[17] = "";
	if (!text || strlen(text) != 32 || strspn(text, "0123456789abcdef") != 32)
		return false;
	memcpy(half, text, 16);
	ret->high = strtoull(half, NULL, 16);
	ret->low = strtoull(text + 16, NULL, 16);
	return true;
}

uint32_t *farm_order_by_key(const struct cs_farm_plan *plan)
{
	size_t n = plan->steps.n;
	uint32_t *order = calloc(n + 1, sizeof(*order));
	struct cs_sort_key *keys = calloc(n + 1, sizeof(*keys));
	for (size_t i = 0; i < n && keys; i++)
		keys[i] = (struct cs_sort_key){
			plan->steps.at[i].key.high, plan->steps.at[i].key.low, (uint32_t)i};
	bool good = order && keys && cs_sort_keys(keys, n);
	for (size_t i = 0; i < n && good; i++)
		order[i] = keys[i].index;
	free(keys);
	if (good)
		return order;
	free(order);
	return NULL;
}
