/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the search as a whole: making candidates, trying them, choosing what is told. */
#include "whatif/suggest.h"

#include "base/job.h"
#include "base/options.h"
#include "base/sort.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const kind_names[CS_SUGGEST_KINDS] = {
	[CS_SUGGEST_CUT] = "cut",
	[CS_SUGGEST_OVERSIZED] = "oversized",
	[CS_SUGGEST_SPATIAL] = "spatial",
	[CS_SUGGEST_REFERENCE] = "reference",
	[CS_SUGGEST_BOUNDS] = "bounds",
	[CS_SUGGEST_LAYERS] = "layers",
	[CS_SUGGEST_MISMATCH] = "mismatch",
	[CS_SUGGEST_GRID] = "grid",
	[CS_SUGGEST_CELL_SIZE] = "cell size",
	[CS_SUGGEST_RANGE] = "range",
	[CS_SUGGEST_HLOD] = "hlod",
	[CS_SUGGEST_EDITOR_ONLY] = "editor only",
	[CS_SUGGEST_OPTION] = "option",
};

const char *cs_suggest_kind_name(enum cs_suggest_kind kind)
{
	return kind_names[kind];
}

/* ---- candidates ---- */

static const char *keep_text(struct cs_hunt *hunt, const char *text)
{
	const char *kept = cs_arena_text(&hunt->arena, text, strlen(text));
	hunt->failed = hunt->failed || !kept;
	return kept ? kept : "";
}

void cs_hunt_begin(struct cs_hunt *hunt, enum cs_suggest_kind kind, enum cs_group group,
	uint32_t row, double promise)
{
	hunt->draft = (struct cs_candidate){.told = {.kind = kind, .subject = "", .why = ""},
		.promise = promise,
		.group = (uint64_t)group << 32 | row,
		.number = (uint32_t)hunt->candidates.n};
	hunt->too_many = false;
}

void cs_hunt_subject(struct cs_hunt *hunt, const char *subject)
{
	hunt->draft.told.subject = keep_text(hunt, subject);
}

void cs_hunt_why(struct cs_hunt *hunt, const char *rule, const char *format, ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	hunt->draft.told.why = keep_text(hunt, text);
	hunt->draft.told.rule = rule;
}

void cs_hunt_change(struct cs_hunt *hunt, const char *format, ...)
{
	char text[700];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n >= (int)sizeof(text) || hunt->draft.told.n_changes == CS_MOST_CHANGES)
		hunt->too_many = true;
	else
		hunt->changes[hunt->draft.told.n_changes++] = keep_text(hunt, text);
}

void cs_hunt_end(struct cs_hunt *hunt)
{
	struct cs_suggestion *told = &hunt->draft.told;
	if (hunt->too_many || told->n_changes == 0 || hunt->failed)
		return;
	const char **changes = CS_ARENA_ARRAY(&hunt->arena, const char *, told->n_changes);
	if (!changes) {
		hunt->failed = true;
		return;
	}
	memcpy(changes, hunt->changes, told->n_changes * sizeof(*changes));
	told->changes = changes;
	hunt->failed = !cs_vec_push(&hunt->candidates, hunt->draft);
}

/* ---- what finders ask ---- */

const char *cs_hunt_title(const struct cs_hunt *hunt, uint32_t row)
{
	return cs_cooked_actor_title(hunt->c, row);
}

/* Whether the text is the label or name of this actor alone. Equal texts are one text. */
static bool is_unique(const struct cs_cooked *c, uint32_t row, uint32_t text)
{
	for (size_t i = 0; i < c->n_actors; i++) {
		const struct cs_cooked_actor *other = &c->actors[i];
		if ((other->label == text || other->name == text) &&
			cs_guid_compare(other->guid, c->actors[row].guid) != 0)
			return false;
	}
	return true;
}

enum { LONGEST_NAME = 150 }; /* a change has room for twice that */

/* A name that stands in a change and is found by it: not one that is taken for a GUID, or cut. */
static bool is_readable(const char *text)
{
	struct cs_guid guid;
	size_t n = strlen(text);
	return n > 0 && n <= LONGEST_NAME && !strpbrk(text, "=,") && !cs_guid_parse(text, n, &guid);
}

const char *cs_hunt_key(struct cs_hunt *hunt, uint32_t row)
{
	const struct cs_cooked_actor *actor = &hunt->c->actors[row];
	const uint32_t texts[] = {actor->label, actor->name};
	char guid[CS_GUID_TEXT];
	for (size_t i = 0; i < 2; i++) {
		const char *text = cs_cooked_text(hunt->c, texts[i]);
		if (is_readable(text) && is_unique(hunt->c, row, texts[i]))
			return text;
	}
	cs_guid_format(actor->guid, guid);
	return keep_text(hunt, guid);
}

double cs_hunt_near(const struct cs_hunt *hunt, const struct cs_box *box, uint32_t partition)
{
	const struct cs_whatif *w = hunt->whatif;
	const double range = hunt->c->partitions[partition].loading_range;
	size_t near = 0;
	if (!cs_box_valid(box) || w->n_places == 0)
		return 0;
	for (size_t i = 0; i < w->n_places; i++)
		near += cs_box_distance2(box, w->places[i], true) < range * range;
	return (double)near / (double)w->n_places;
}

double cs_hunt_length(const struct cs_box *box)
{
	return cs_box_valid(box) ? fmax(box->max.x - box->min.x, box->max.y - box->min.y) : 0;
}

bool cs_hunt_same_class(const struct cs_hunt *hunt, uint32_t left, uint32_t right)
{
	const struct cs_cooked_actor *l = &hunt->c->actors[left], *r = &hunt->c->actors[right];
	return l->base_class == r->base_class && l->native_class == r->native_class;
}

static int by_number(const void *left, const void *right, void *context)
{
	double l = *(const double *)left, r = *(const double *)right;
	(void)context;
	return l < r ? -1 : l > r;
}

double cs_hunt_class_length(const struct cs_hunt *hunt, uint32_t actor)
{
	enum { ENOUGH = 255 };
	double lengths[ENOUGH], buffer[ENOUGH + 1];
	size_t n = 0;
	for (uint32_t i = 0; i < hunt->c->n_actors && n < ENOUGH; i++) {
		double length = cs_hunt_length(&hunt->c->actors[i].bounds);
		if (i != actor && length > 0 && cs_hunt_same_class(hunt, i, actor))
			lengths[n++] = length;
	}
	if (n == 0)
		return 0;
	cs_sort_in(lengths, n, sizeof(*lengths), by_number, NULL, buffer);
	return lengths[n / 2];
}

/* ---- trying ---- */

static int by_promise(const void *left, const void *right, void *context)
{
	const struct cs_candidate *l = left, *r = right;
	(void)context;
	if (l->promise != r->promise)
		return l->promise > r->promise ? -1 : 1;
	return l->number < r->number ? -1 : l->number > r->number;
}

static int by_gain(const void *left, const void *right, void *context)
{
	const struct cs_candidate *l = left, *r = right;
	(void)context;
	if (l->told.gain != r->told.gain)
		return l->told.gain > r->told.gain ? -1 : 1;
	if (l->told.n_changes != r->told.n_changes)
		return l->told.n_changes < r->told.n_changes ? -1 : 1;
	return l->number < r->number ? -1 : l->number > r->number;
}

/* A change that the source refuses gains nothing: what is in a level instance alone, say. */
static bool is_refusal(const struct cs_error *error)
{
	enum cs_code code = cs_error_code(error);
	return code == CS_E_SETTING || code == CS_E_NOGRID || code == CS_E_NOACTOR ||
	       code == CS_E_NOLAYER || code == CS_E_AMBIGUOUS || code == CS_E_WORLD;
}

static struct cs_error *try_candidate(
	struct cs_hunt *hunt, const struct cs_path *path, struct cs_candidate *candidate)
{
	struct cs_suggestion *told = &candidate->told;
	struct cs_error *error =
		cs_whatif_try(hunt->whatif, told->changes, told->n_changes, path, &told->after);
	if (error && is_refusal(error)) {
		cs_error_free(error);
		return NULL;
	}
	if (error)
		return error;
	told->gain = hunt->before.cost - told->after.cost;
	told->share = hunt->before.cost > 0 ? 100 * told->gain / hunt->before.cost : 0;
	return error;
}

static struct cs_error *try_all(
	struct cs_hunt *hunt, const struct cs_suggest_options *options, struct cs_suggestions *ret)
{
	const size_t tries = options->tries ? options->tries : 96;
	const struct cs_job *job = hunt->whatif->job;
	struct cs_error *error = NULL;
	if (!cs_sort(hunt->candidates.at, hunt->candidates.n, sizeof(*hunt->candidates.at),
		    by_promise, NULL))
		return cs_error_nomem();
	ret->tried = hunt->candidates.n < tries ? hunt->candidates.n : tries;
	ret->untried = hunt->candidates.n - ret->tried;
	for (size_t i = 0; !error && i < ret->tried; i++) {
		error = try_candidate(hunt, options->path, &hunt->candidates.at[i]);
		if (!error)
			error = cs_job_check(job);
	}
	hunt->candidates.n = ret->tried;
	return error;
}

/* ---- choosing ---- */

static bool is_worth(const struct cs_candidate *candidate, double least)
{
	return candidate->told.gain > 0 && candidate->told.gain >= least &&
	       candidate->told.gain >= candidate->least;
}

static struct cs_error *choose(struct cs_hunt *hunt, double least, struct cs_suggestions *ret)
{
	struct cs_candidate *at = hunt->candidates.at;
	const size_t n = hunt->candidates.n;
	struct cs_suggestion *rows = calloc(n + 1, sizeof(*rows));
	if (!rows || !cs_sort(at, n, sizeof(*at), by_gain, NULL)) {
		free(rows);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < n; i++) {
		bool known = false;
		for (size_t k = 0; k < i; k++)
			known = known || at[k].group == at[i].group;
		if (!known && is_worth(&at[i], least))
			rows[ret->n++] = at[i].told;
	}
	ret->rows = rows;
	return NULL;
}

/* ---- the whole ---- */

struct answer {
	struct cs_suggestions told;
	struct cs_arena arena;
};

static void find_all(struct cs_hunt *hunt)
{
	static void (*const finders[])(struct cs_hunt * hunt) = {cs_hunt_clusters, cs_hunt_always,
		cs_hunt_bounds, cs_hunt_orphans, cs_hunt_mismatches, cs_hunt_grids, cs_hunt_layers,
		cs_hunt_partitions, cs_hunt_hlods, cs_hunt_options};
	for (size_t i = 0; !hunt->failed && i < sizeof(finders) / sizeof(finders[0]); i++)
		finders[i](hunt);
}

static struct cs_error *search(
	struct cs_hunt *hunt, const struct cs_suggest_options *options, struct cs_suggestions *ret)
{
	struct cs_whatif *w = hunt->whatif;
	const double share = options->least > 0 ? options->least : 0.0002;
	struct cs_error *error = cs_cooked_load_details(w->now);
	if (!error)
		error = cs_whatif_count(w, w->now, options->path, &hunt->before);
	if (error)
		return error;
	find_all(hunt);
	if (hunt->failed)
		return cs_error_nomem();
	ret->before = hunt->before;
	error = try_all(hunt, options, ret);
	return error ? error : choose(hunt, share * hunt->before.cost, ret);
}

struct cs_error *cs_suggest(struct cs_whatif *whatif, const struct cs_suggest_options *options,
	const struct cs_suggestions **ret)
{
	struct cs_suggest_options own = {0};
	struct cs_hunt hunt = {.whatif = whatif, .c = whatif->now, .arena = CS_ARENA_INIT};
	struct cs_error *error =
		options ? cs_options_read(options, sizeof(own), &own, sizeof(own)) : NULL;
	if (error)
		return error;
	struct answer *answer = calloc(1, sizeof(*answer));
	error = answer ? search(&hunt, &own, &answer->told) : cs_error_nomem();
	cs_vec_free(&hunt.candidates);
	if (error) {
		cs_arena_deinit(&hunt.arena);
		free(answer);
		return error;
	}
	answer->arena = hunt.arena;
	*ret = &answer->told;
	return NULL;
}

void cs_suggestions_free(const struct cs_suggestions *suggestions)
{
	struct answer *answer = (struct answer *)suggestions;
	if (!answer)
		return;
	cs_arena_deinit(&answer->arena);
	free((void *)answer->told.rows);
	free(answer);
}
