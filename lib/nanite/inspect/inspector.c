/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manages the open resources, and numbers the rows of all of them in one sequence for each table.
 * The resource of a row is found by a search among the first rows of all resources. Names of rows
 * are made when they are first requested, and live as long as the resource. Opening a resource
 * takes time in proportion to its own rows, however many are open: resources are found by a hash
 * table of names, and first rows are appended. Closing one takes time in proportion to all open
 * rows.
 */
#include "nanite/inspect/model_inside.h"

#include "core/arena.h"
#include "core/geometry.h"
#include "core/search.h"
#include "core/slots.h"
#include "core/vec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row_names {
	struct cs_arena texts;
	/* for each table, the names of its rows, or NULL until a name is requested */
	const char **name[CS_MODEL_ROWS];
};

struct cs_inspector {
	CS_VEC(struct cs_model *) models;
	CS_VEC(struct row_names) names;
	/* for each table, the first row of each resource, then the number of rows */
	size_t *first[CS_MODEL_ROWS];
	size_t room; /* number of resources for which each array of `first` has room */
	struct cs_slots by_name;
	uint32_t current;
	struct cs_box box; /* bounding box of all models, which is invalid when none is open */
};

enum { FEWEST = 16 };

struct cs_error *cs_inspector_new(struct cs_inspector **ret)
{
	struct cs_inspector *inspector = calloc(1, sizeof(*inspector));
	if (!inspector)
		return cs_error_nomem();
	bool ok = cs_slots_init(&inspector->by_name, FEWEST);
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++) {
		inspector->first[kind] = calloc(1, sizeof(size_t));
		ok = ok && inspector->first[kind];
	}
	if (!ok) {
		cs_inspector_free(inspector);
		return cs_error_nomem();
	}
	inspector->current = CS_NONE;
	inspector->box = CS_BOX_INVALID;
	*ret = inspector;
	return NULL;
}

static void inspector_drop(struct cs_inspector *inspector, size_t i)
{
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		free(inspector->names.at[i].name[kind]);
	cs_arena_deinit(&inspector->names.at[i].texts);
	cs_model_free(inspector->models.at[i]);
}

void cs_inspector_free(struct cs_inspector *inspector)
{
	if (!inspector)
		return;
	for (size_t i = 0; i < inspector->models.n; i++)
		inspector_drop(inspector, i);
	cs_vec_free(&inspector->models);
	cs_vec_free(&inspector->names);
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		free(inspector->first[kind]);
	cs_slots_deinit(&inspector->by_name);
	free(inspector);
}

/* ---- numbers of rows ---- */

static size_t inspector_rows_of(const struct cs_model *model, enum cs_model_row kind)
{
	const size_t counts[CS_MODEL_ROWS] = {
		[CS_ROWS_PAGES] = model->n_pages,
		[CS_ROWS_SECTIONS] = model->n_sections,
		[CS_ROWS_CLUSTERS] = model->n_clusters,
		[CS_ROWS_PARTS] = model->n_parts,
		[CS_ROWS_GROUPS] = model->n_groups,
		[CS_ROWS_SLOTS] = model->n_slots,
		[CS_ROWS_NEEDS] = model->n_needs,
		[CS_ROWS_FIXUPS] = model->n_fixups,
		[CS_ROWS_REFERENCES] = model->n_references,
		[CS_ROWS_MATERIALS] = model->n_materials,
	};
	return counts[kind];
}

/* Computes for each table the first row of each resource with an index above `from`. */
static void inspector_count_rows(struct cs_inspector *inspector, size_t from)
{
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		for (size_t i = from; i < inspector->models.n; i++)
			inspector->first[kind][i + 1] =
				inspector->first[kind][i] +
				inspector_rows_of(inspector->models.at[i], (enum cs_model_row)kind);
}

size_t cs_inspector_rows(const struct cs_inspector *inspector, enum cs_model_row kind)
{
	return inspector->first[kind][inspector->models.n];
}

size_t cs_inspector_first(
	const struct cs_inspector *inspector, enum cs_model_row kind, uint32_t resource)
{
	return inspector->first[kind][resource];
}

uint32_t cs_inspector_row(const struct cs_inspector *inspector, enum cs_model_row kind, size_t row,
	uint32_t *index_ret)
{
	const size_t *first = inspector->first[kind];
	size_t resource = cs_lower_bound(1, inspector->models.n, i, first[i] <= row) - 1;
	*index_ret = (uint32_t)(row - first[resource]);
	return (uint32_t)resource;
}

/* ---- finding resources by name ---- */

static const char *inspector_name_at(const struct cs_inspector *inspector, uint32_t resource)
{
	return inspector->models.at[resource]->name;
}

static bool inspector_is_named(
	const struct cs_inspector *inspector, uint32_t resource, const char *name, size_t length)
{
	const char *other = inspector_name_at(inspector, resource);
	return strlen(other) == length && memcmp(other, name, length) == 0;
}

static uint32_t *inspector_slot_of(
	const struct cs_inspector *inspector, const char *name, size_t length)
{
	return cs_slots_find(&inspector->by_name, XXH3_64bits(name, length), resource,
		inspector_is_named(inspector, resource, name, length));
}

static uint64_t hash_at(const void *inspector, uint32_t resource)
{
	const char *name = inspector_name_at(inspector, resource);
	return XXH3_64bits(name, strlen(name));
}

uint32_t cs_inspector_find(const struct cs_inspector *inspector, const char *name, size_t length)
{
	return cs_slot_row(inspector_slot_of(inspector, name, length));
}

static void put_name(struct cs_inspector *inspector, uint32_t resource)
{
	const char *name = inspector_name_at(inspector, resource);
	cs_slots_put(
		&inspector->by_name, inspector_slot_of(inspector, name, strlen(name)), resource);
}

static char *numbered(const char *name, uint32_t n)
{
	char *text;
	if (n == 1)
		return strdup(name);
	return asprintf(&text, "%s-%u", name, n) < 0 ? NULL : text;
}

/*
 * Returns whether a resource has the n-th name of the series "Rock", "Rock-2" and so on. Also
 * returns false when memory runs out, so that the search ends. For this reason
 * inspector_unique_name() tests its result once more.
 */
static bool is_taken(const struct cs_inspector *inspector, const char *name, uint32_t n)
{
	char *text = numbered(name, n);
	bool taken = text && cs_inspector_find(inspector, text, strlen(text)) != CS_NONE;
	free(text);
	return taken;
}

/*
 * Returns a name that no resource has: "Rock", "Rock-2", "Rock-3" and so on. The name before it in
 * this series is always taken. About 2 log n names are tested for the n-th resource of one name.
 * The caller frees the result.
 */
static char *inspector_unique_name(const struct cs_inspector *inspector, const char *name)
{
	uint32_t taken = 0, open = 1;
	while (is_taken(inspector, name, open)) {
		taken = open;
		open *= 2;
	}
	const uint32_t n = cs_lower_bound(taken + 1, open, i, is_taken(inspector, name, i));
	char *unique = numbered(name, n);
	if (!unique || cs_inspector_find(inspector, unique, strlen(unique)) == CS_NONE)
		return unique;
	free(unique);
	return NULL;
}

/* ---- opening and closing resources ---- */

static bool reserve_first(struct cs_inspector *inspector)
{
	if (inspector->models.n < inspector->room)
		return true;
	size_t room = inspector->room ? 2 * inspector->room : FEWEST;
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++) {
		size_t *grown = realloc(inspector->first[kind], (room + 1) * sizeof(*grown));
		if (!grown)
			return false;
		inspector->first[kind] = grown;
	}
	inspector->room = room;
	return true;
}

/* Extends the bounding box of all models by that of a model. */
static void take_box(struct cs_inspector *inspector, const struct cs_model *model)
{
	const struct cs_box box = {
		{(double)model->min[0], (double)model->min[1], (double)model->min[2]},
		{(double)model->max[0], (double)model->max[1], (double)model->max[2]}};
	inspector->box = cs_box_union(&inspector->box, &box);
}

struct cs_error *cs_inspector_add(struct cs_inspector *inspector, struct cs_model *model)
{
	size_t n = inspector->models.n;
	char *name = inspector_unique_name(inspector, model->name);
	if (!name || !cs_vec_reserve(&inspector->models, 1) ||
		!cs_vec_reserve(&inspector->names, 1) || !reserve_first(inspector) ||
		!cs_slots_grow(&inspector->by_name, hash_at, inspector)) {
		free(name);
		cs_model_free(model);
		return cs_error_nomem();
	}
	free(model->name);
	model->name = name;
	inspector->models.at[inspector->models.n++] = model;
	inspector->names.at[inspector->names.n++] = (struct row_names){0};
	put_name(inspector, (uint32_t)n);
	inspector->current = (uint32_t)n;
	take_box(inspector, model);
	inspector_count_rows(inspector, n);
	return NULL;
}

void cs_inspector_remove(struct cs_inspector *inspector, size_t index)
{
	size_t behind = inspector->models.n - index - 1;
	inspector_drop(inspector, index);
	memmove(&inspector->models.at[index], &inspector->models.at[index + 1],
		behind * sizeof(*inspector->models.at));
	memmove(&inspector->names.at[index], &inspector->names.at[index + 1],
		behind * sizeof(*inspector->names.at));
	inspector->models.n--;
	inspector->names.n--;
	/* the hash table of names cannot remove an entry, so it is refilled with the new indices */
	struct cs_slots *slots = &inspector->by_name;
	memset(slots->at, 0, (slots->mask + 1) * sizeof(*slots->at));
	slots->n = 0;
	for (uint32_t i = 0; i < inspector->models.n; i++)
		put_name(inspector, i);
	inspector_count_rows(inspector, index);
	inspector->box = CS_BOX_INVALID;
	for (size_t i = 0; i < inspector->models.n; i++)
		take_box(inspector, inspector->models.at[i]);
	inspector->current = inspector->models.n ? (uint32_t)inspector->models.n - 1 : CS_NONE;
}

struct cs_models cs_inspector_models(const struct cs_inspector *inspector)
{
	struct cs_models models = {.at = (const struct cs_model *const *)inspector->models.at,
		.n = inspector->models.n,
		.current = inspector->current};
	if (cs_box_valid(&inspector->box))
		models.middle = cs_box_centre(&inspector->box);
	return models;
}

/* ---- parsing names of rows ---- */

/* Parses n numbers, 1 or 2, with colons between them. */
static bool inspector_parse_numbers(const char *text, unsigned n, uint32_t ret[2])
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t value = 0;
		size_t digits = strspn(text, "0123456789");
		if (digits == 0 || digits > 9)
			return false;
		for (size_t k = 0; k < digits; k++)
			value = 10 * value + (uint64_t)(text[k] - '0');
		ret[i] = (uint32_t)value;
		text += digits;
		if (*text++ != (i + 1 < n ? ':' : '\0'))
			return false;
	}
	return true;
}

/*
 * Returns where the last n numbers of a name begin: after the n-th colon from the end. If the name
 * has fewer colons, returns its start.
 */
static const char *numbers_of(const char *text, unsigned n)
{
	const char *at = text + strlen(text);
	for (unsigned colons = 0; at > text; at--)
		if (at[-1] == ':' && ++colons == n)
			break;
	return at;
}

static uint32_t row_of_numbers(
	const struct cs_model *model, enum cs_model_row kind, const uint32_t numbers[2])
{
	switch (kind) {
	case CS_ROWS_PAGES:
		return numbers[0] < model->n_pages ? numbers[0] : CS_NONE;
	case CS_ROWS_GROUPS:
		return numbers[0] < model->n_groups ? numbers[0] : CS_NONE;
	case CS_ROWS_CLUSTERS:
		if (numbers[0] >= model->n_pages ||
			numbers[1] >= model->pages[numbers[0]].n_clusters)
			return CS_NONE;
		return model->pages[numbers[0]].first_cluster + numbers[1];
	case CS_ROWS_SLOTS:
		return cs_model_slot_at(model, numbers[0], numbers[1]);
	default:
		return CS_NONE;
	}
}

uint32_t cs_inspector_parse(
	const struct cs_inspector *inspector, enum cs_model_row kind, const char *text)
{
	unsigned n = kind == CS_ROWS_CLUSTERS || kind == CS_ROWS_SLOTS ? 2 : 1;
	const char *at = numbers_of(text, n);
	uint32_t numbers[2], resource = inspector->current;
	if (!inspector_parse_numbers(at, n, numbers))
		return CS_NONE;
	if (at > text)
		resource = cs_inspector_find(inspector, text, (size_t)(at - text) - 1);
	if (resource == CS_NONE)
		return CS_NONE;
	uint32_t row = row_of_numbers(inspector->models.at[resource], kind, numbers);
	return row == CS_NONE ? CS_NONE : (uint32_t)(inspector->first[kind][resource] + row);
}

static void inspector_print_name(const struct cs_model *model, enum cs_model_row kind,
	uint32_t index, char *text, size_t size)
{
	switch (kind) {
	case CS_ROWS_CLUSTERS:
		snprintf(text, size, "%s:%u:%u", model->name, model->clusters[index].page,
			model->clusters[index].index);
		break;
	case CS_ROWS_SLOTS:
		snprintf(text, size, "%s:%u:%u", model->name, model->slots[index].node,
			model->slots[index].slot);
		break;
	default:
		snprintf(text, size, "%s:%u", model->name, index);
		break;
	}
}

const char *cs_inspector_name(
	const struct cs_inspector *inspector, enum cs_model_row kind, size_t row)
{
	enum { LONGEST = 24 };
	uint32_t index, resource = cs_inspector_row(inspector, kind, row, &index);
	const struct cs_model *model = inspector->models.at[resource];
	struct row_names *names = &inspector->names.at[resource];
	if (!names->name[kind])
		names->name[kind] =
			calloc(inspector_rows_of(model, kind) + 1, sizeof(const char *));
	const char **name = names->name[kind] ? &names->name[kind][index] : NULL;
	if (!name)
		return "";
	if (*name)
		return *name;
	size_t size = strlen(model->name) + LONGEST;
	char *text = cs_arena_alloc(&names->texts, 1, size);
	if (!text)
		return "";
	inspector_print_name(model, kind, index, text, size);
	*name = text;
	return text;
}
