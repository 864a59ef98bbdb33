/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the resources that are open, and the rows of all of them one behind the other. A row of a
 * table is found by the first row of its resource; names of rows are made when they are first asked
 * for and live with the resource.
 */
#include "nanite/inspect/inspect.h"

#include "base/arena.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct open_model {
	struct cs_model *model;
	struct cs_arena names;
	const char **name[CS_MODEL_ROWS]; /* by row, NULL until it is asked for */
};

struct cs_inspector {
	CS_VEC(struct open_model) models;
	size_t *first[CS_MODEL_ROWS]; /* by resource, and one more: all rows */
	uint32_t current;
};

struct cs_error *cs_inspector_new(struct cs_inspector **ret)
{
	struct cs_inspector *inspector = calloc(1, sizeof(*inspector));
	if (!inspector)
		return cs_error_nomem();
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++) {
		inspector->first[kind] = calloc(1, sizeof(size_t));
		if (!inspector->first[kind]) {
			cs_inspector_free(inspector);
			return cs_error_nomem();
		}
	}
	inspector->current = CS_NONE;
	*ret = inspector;
	return NULL;
}

static void drop(struct open_model *open)
{
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		free(open->name[kind]);
	cs_arena_deinit(&open->names);
	cs_model_free(open->model);
}

void cs_inspector_free(struct cs_inspector *inspector)
{
	if (!inspector)
		return;
	for (size_t i = 0; i < inspector->models.n; i++)
		drop(&inspector->models.at[i]);
	cs_vec_free(&inspector->models);
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		free(inspector->first[kind]);
	free(inspector);
}

/* ---- rows ---- */

static size_t rows_of(const struct cs_model *m, enum cs_model_row kind)
{
	const size_t counts[CS_MODEL_ROWS] = {
		[CS_ROWS_PAGES] = m->n_pages,
		[CS_ROWS_SECTIONS] = m->n_sections,
		[CS_ROWS_CLUSTERS] = m->n_clusters,
		[CS_ROWS_PARTS] = m->n_parts,
		[CS_ROWS_GROUPS] = m->n_groups,
		[CS_ROWS_SLOTS] = m->n_slots,
		[CS_ROWS_NEEDS] = m->n_needs,
		[CS_ROWS_FIXUPS] = m->n_fixups,
		[CS_ROWS_REFERENCES] = m->n_references,
		[CS_ROWS_MATERIALS] = m->n_materials,
	};
	return counts[kind];
}

static void count_rows(struct cs_inspector *inspector)
{
	for (int kind = 0; kind < CS_MODEL_ROWS; kind++)
		for (size_t i = 0; i < inspector->models.n; i++)
			inspector->first[kind][i + 1] =
				inspector->first[kind][i] +
				rows_of(inspector->models.at[i].model, (enum cs_model_row)kind);
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
	size_t low = 0, high = inspector->models.n;
	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;
		if (first[middle] <= row)
			low = middle;
		else
			high = middle;
	}
	*index_ret = (uint32_t)(row - first[low]);
	return (uint32_t)low;
}

/* ---- opening and closing ---- */

/* "Rock", "Rock-2", "Rock-3" ... */
static char *unique_name(const struct cs_inspector *inspector, const char *name)
{
	char *unique = strdup(name);
	for (unsigned n = 2;
		unique && cs_inspector_find(inspector, unique, strlen(unique)) != CS_NONE; n++) {
		free(unique);
		if (asprintf(&unique, "%s-%u", name, n) < 0)
			unique = NULL;
	}
	return unique;
}

struct cs_error *cs_inspector_add(struct cs_inspector *inspector, struct cs_model *model)
{
	struct open_model open = {.model = model};
	size_t n = inspector->models.n;
	char *name = unique_name(inspector, model->name);
	bool ok = name && cs_vec_reserve(&inspector->models, 1);
	for (int kind = 0; ok && kind < CS_MODEL_ROWS; kind++) {
		size_t *grown = realloc(inspector->first[kind], (n + 2) * sizeof(*grown));
		if (grown)
			inspector->first[kind] = grown;
		open.name[kind] = calloc(
			rows_of(model, (enum cs_model_row)kind) + 1, sizeof(*open.name[kind]));
		ok = grown && open.name[kind];
	}
	if (!ok) {
		free(name);
		drop(&open);
		return cs_error_nomem();
	}
	free(model->name);
	model->name = name;
	inspector->models.at[inspector->models.n++] = open;
	inspector->current = (uint32_t)n;
	count_rows(inspector);
	return NULL;
}

void cs_inspector_remove(struct cs_inspector *inspector, size_t index)
{
	size_t behind = inspector->models.n - index - 1;
	drop(&inspector->models.at[index]);
	memmove(&inspector->models.at[index], &inspector->models.at[index + 1],
		behind * sizeof(*inspector->models.at));
	inspector->models.n--;
	count_rows(inspector);
	inspector->current = inspector->models.n ? (uint32_t)inspector->models.n - 1 : CS_NONE;
}

size_t cs_inspector_count(const struct cs_inspector *inspector)
{
	return inspector->models.n;
}

const struct cs_model *cs_inspector_at(const struct cs_inspector *inspector, size_t index)
{
	return inspector->models.at[index].model;
}

uint32_t cs_inspector_current(const struct cs_inspector *inspector)
{
	return inspector->current;
}

void cs_inspector_set_current(struct cs_inspector *inspector, uint32_t index)
{
	inspector->current = index;
}

uint32_t cs_inspector_find(const struct cs_inspector *inspector, const char *name, size_t length)
{
	for (size_t i = 0; i < inspector->models.n; i++) {
		const char *at = inspector->models.at[i].model->name;
		if (strlen(at) == length && memcmp(at, name, length) == 0)
			return (uint32_t)i;
	}
	return CS_NONE;
}

/* ---- names ---- */

/* One number, or two with a colon between. */
static bool parse_numbers(const char *text, unsigned n, uint32_t ret[2])
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

/* Where the numbers begin: behind the last colon, or the last but one. */
static const char *numbers_of(const char *text, unsigned n)
{
	const char *at = text + strlen(text);
	for (unsigned colons = 0; at > text; at--)
		if (at[-1] == ':' && ++colons == n)
			break;
	return at;
}

static uint32_t row_of_numbers(
	const struct cs_model *m, enum cs_model_row kind, const uint32_t numbers[2])
{
	switch (kind) {
	case CS_ROWS_PAGES:
		return numbers[0] < m->n_pages ? numbers[0] : CS_NONE;
	case CS_ROWS_GROUPS:
		return numbers[0] < m->n_groups ? numbers[0] : CS_NONE;
	case CS_ROWS_CLUSTERS:
		if (numbers[0] >= m->n_pages || numbers[1] >= m->pages[numbers[0]].n_clusters)
			return CS_NONE;
		return m->pages[numbers[0]].first_cluster + numbers[1];
	case CS_ROWS_SLOTS:
		return cs_model_slot_at(m, numbers[0], numbers[1]);
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
	if (!parse_numbers(at, n, numbers))
		return CS_NONE;
	if (at > text)
		resource = cs_inspector_find(inspector, text, (size_t)(at - text) - 1);
	if (resource == CS_NONE)
		return CS_NONE;
	uint32_t row = row_of_numbers(inspector->models.at[resource].model, kind, numbers);
	return row == CS_NONE ? CS_NONE : (uint32_t)(inspector->first[kind][resource] + row);
}

static void print_name(
	const struct cs_model *m, enum cs_model_row kind, uint32_t index, char *text, size_t size)
{
	switch (kind) {
	case CS_ROWS_CLUSTERS:
		snprintf(text, size, "%s:%u:%u", m->name, m->clusters[index].page,
			m->clusters[index].index);
		break;
	case CS_ROWS_SLOTS:
		snprintf(text, size, "%s:%u:%u", m->name, m->slots[index].node,
			m->slots[index].slot);
		break;
	default:
		snprintf(text, size, "%s:%u", m->name, index);
		break;
	}
}

const char *cs_inspector_name(
	const struct cs_inspector *inspector, enum cs_model_row kind, size_t row)
{
	enum { LONGEST = 24 };
	uint32_t index, resource = cs_inspector_row(inspector, kind, row, &index);
	struct open_model *open = &inspector->models.at[resource];
	const char **name = &open->name[kind][index];
	if (*name)
		return *name;
	size_t size = strlen(open->model->name) + LONGEST;
	char *text = cs_arena_alloc(&open->names, 1, size);
	if (!text)
		return "";
	print_name(open->model, kind, index, text, size);
	*name = text;
	return text;
}
