/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes a cooked world into the model of a world partition. Equal sets of layers are found by
 * hashing, so that the state which layers allow is computed once for a set and not for each of its
 * cells.
 */
#include "stream/model.h"

#include "core/search.h"
#include "core/slots.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include <cellscope/cooked_values.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

static struct cs_error *model_damaged(const struct cs_cooked *cooked, const char *what, size_t row)
{
	return cs_error_at(CS_E_REFERENCE, cs_file_name(cooked->file), CS_NO_OFFSET, "%s[%zu]: %s",
		what, row, "the cells of the row do not follow those of the row before");
}

/* Checks that the grids have consecutive ranges of cells, which together contain every cell. */
static struct cs_error *check_ranges(const struct cs_run_model *model)
{
	const struct cs_cooked *cooked = model->cooked;
	uint64_t next = 0;
	for (size_t p = 0; p < cooked->n_partitions; p++) {
		struct cs_range range = cooked->partitions[p].cells;
		if (range.count && range.first != next)
			return model_damaged(cooked, "partitions", p);
		for (uint32_t i = 0; i < range.count; i++)
			if (model->cells[range.first + i].partition != p)
				return model_damaged(cooked, "cells", range.first + i);
		next += range.count;
	}
	return next == cooked->n_cells ? NULL
				       : model_damaged(cooked, "partitions", cooked->n_partitions);
}

/* ---- sets of data layers ---- */

static uint32_t external_of(const struct cs_cooked_cell *cell)
{
	return cell->external_layer;
}

/*
 * Returns the range of the cell's layers without its external data layer, which is the first of the
 * range if the range contains it.
 */
static struct cs_range plain_layers(
	const struct cs_cooked *cooked, const struct cs_cooked_cell *cell)
{
	struct cs_range layers = cell->layers;
	if (layers.count && external_of(cell) != CS_NONE &&
		cooked->cell_layers[layers.first] == external_of(cell)) {
		layers.first++;
		layers.count--;
	}
	return layers;
}

static bool same_set(const struct cs_run_model *model, const struct cs_run_layer_set *set,
	uint32_t external, struct cs_range layers)
{
	return set->external == external && set->layers.count == layers.count &&
	       (layers.count == 0 || memcmp(model->layer_lists + set->layers.first,
					     model->layer_lists + layers.first,
					     layers.count * sizeof(*model->layer_lists)) == 0);
}

static uint32_t find_set(
	struct cs_run_model *model, struct cs_slots *table, const struct cs_cooked_cell *cell)
{
	struct cs_range layers = plain_layers(model->cooked, cell);
	uint32_t external = external_of(cell);
	if (layers.count == 0 && external == CS_NONE)
		return 0;
	uint64_t hash = XXH3_64bits_withSeed(model->layer_lists + layers.first,
		layers.count * sizeof(*model->layer_lists), external);
	uint32_t *slot = cs_slots_find(
		table, hash, set, same_set(model, &model->sets[set], external, layers));
	if (!*slot) {
		model->sets[model->n_sets] = (struct cs_run_layer_set){external, layers};
		cs_slots_put(table, slot, (uint32_t)model->n_sets++);
	}
	return cs_slot_row(slot);
}

static size_t layered_cells(const struct cs_run_model *model)
{
	size_t n = 0;
	for (size_t i = 0; i < model->n_cells; i++)
		n += model->cells[i].layers.count || model->cells[i].external_layer != CS_NONE;
	return n;
}

static struct cs_error *decode_layer_sets(struct cs_run_model *model)
{
	const struct cs_cooked *cooked = model->cooked;
	size_t most = layered_cells(model) + 1;
	struct cs_slots table;
	bool good = cs_slots_init(&table, most);
	model->sets = calloc(most, sizeof(*model->sets));
	model->layer_lists = malloc((cooked->n_cell_layers + 1) * sizeof(*model->layer_lists));
	if (!good || !model->sets || !model->layer_lists) {
		cs_slots_deinit(&table);
		return cs_error_nomem();
	}
	if (cooked->n_cell_layers)
		memcpy(model->layer_lists, cooked->cell_layers,
			cooked->n_cell_layers * sizeof(*model->layer_lists));
	model->sets[0] = (struct cs_run_layer_set){CS_NONE, {0, 0}};
	model->n_sets = 1;
	for (size_t i = 0; i < cooked->n_cells; i++)
		model->layer_set[i] = find_set(model, &table, &model->cells[i]);
	cs_slots_deinit(&table);
	struct cs_run_layer_set *fit = realloc(model->sets, model->n_sets * sizeof(*fit));
	if (fit)
		model->sets = fit;
	return NULL;
}

/* ---- grids ---- */

static bool is_spatial_hash(const struct cs_cooked_partition *partition)
{
	return partition->partition_class == CS_PARTITION_SPATIAL_GRID;
}

const struct cs_box *cs_run_tested_box(const struct cs_run_model *model, uint32_t cell)
{
	const struct cs_cooked_cell *row = &model->cells[cell];
	return model->partitions[row->partition].spatial_hash ? &row->box : &row->content;
}

const struct cs_box *cs_run_content_box(const struct cs_run_model *model, uint32_t cell)
{
	const struct cs_cooked_cell *row = &model->cells[cell];
	return cs_box_valid(&row->content) ? &row->content : &row->box;
}

static int model_by_place(const void *left, const void *right, void *context)
{
	const struct cs_run_place *l = left, *r = right;
	(void)context;
	if (l->level != r->level)
		return l->level < r->level ? -1 : 1;
	if (l->y != r->y)
		return l->y < r->y ? -1 : 1;
	return l->x < r->x ? -1 : l->x > r->x;
}

static struct cs_error *decode_places(struct cs_run_model *model, uint32_t p)
{
	const struct cs_cooked_partition *row = &model->cooked->partitions[p];
	struct cs_run_partition *partition = &model->partitions[p];
	if (!partition->spatial_hash || !(row->flags & CS_PARTITION_SNAP) ||
		(row->flags & CS_PARTITION_ALIGNED))
		return NULL;
	partition->places = malloc((row->cells.count + 1) * sizeof(*partition->places));
	if (!partition->places)
		return cs_error_nomem();
	for (uint32_t i = 0; i < row->cells.count; i++) {
		uint32_t id = row->cells.first + i;
		const struct cs_cooked_cell *cell = &model->cells[id];
		if (cell->flags & CS_CELL_SPATIAL)
			partition->places[partition->n_places++] =
				(struct cs_run_place){cell->x, cell->y, cell->level, id};
	}
	model->memory += partition->n_places * sizeof(*partition->places);
	return cs_sort(partition->places, partition->n_places, sizeof(*partition->places),
		       model_by_place, NULL)
		       ? NULL
		       : cs_error_nomem();
}

static bool index_entry(const struct cs_run_model *model, uint32_t id, struct cs_rtree_entry *ret)
{
	const struct cs_cooked_cell *cell = &model->cells[id];
	const struct cs_box *box = cs_run_tested_box(model, id);
	if (!(cell->flags & CS_CELL_SPATIAL) || !cs_box_valid(box))
		return false;
	*ret = (struct cs_rtree_entry){
		.box = *box, .id = id, .group = cell->level < 0 ? 0 : (uint32_t)cell->level};
	if (model->partitions[cell->partition].flat || (cell->flags & CS_CELL_2D)) {
		ret->box.min.z = -INFINITY;
		ret->box.max.z = INFINITY;
	}
	return true;
}

static struct cs_error *decode_partition(struct cs_run_model *model, uint32_t p, int threads)
{
	const struct cs_cooked_partition *row = &model->cooked->partitions[p];
	struct cs_run_partition *partition = &model->partitions[p];
	partition->spatial_hash = is_spatial_hash(row);
	partition->flat = partition->spatial_hash || (row->flags & CS_PARTITION_2D);
	struct cs_rtree_entry *entries = malloc((row->cells.count + 1) * sizeof(*entries));
	size_t n = 0;
	if (!entries)
		return cs_error_nomem();
	for (uint32_t i = 0; i < row->cells.count; i++)
		n += index_entry(model, row->cells.first + i, &entries[n]);
	struct cs_error *error = cs_rtree_build(entries, n, threads, &partition->index);
	free(entries);
	model->memory += cs_rtree_memory(&partition->index);
	return error ? error : decode_places(model, p);
}

static struct cs_error *decode_cells(struct cs_run_model *model)
{
	size_t n = model->n_cells + 1;
	model->flags = malloc(n * sizeof(*model->flags));
	model->layer_set = malloc(n * sizeof(*model->layer_set));
	size_t n_non_spatial = 0;
	if (!model->flags || !model->layer_set)
		return cs_error_nomem();
	for (size_t i = 0; i < model->n_cells; i++) {
		model->flags[i] = (uint16_t)model->cells[i].flags;
		n_non_spatial += !(model->flags[i] & CS_CELL_SPATIAL);
	}
	model->non_spatial = malloc((n_non_spatial + 1) * sizeof(*model->non_spatial));
	if (!model->non_spatial)
		return cs_error_nomem();
	for (size_t i = 0; i < model->n_cells; i++)
		if (!(model->flags[i] & CS_CELL_SPATIAL))
			model->non_spatial[model->n_non_spatial++] = (uint32_t)i;
	model->memory += model->n_cells * (sizeof(*model->flags) + sizeof(*model->layer_set));
	return NULL;
}

/* ---- HLOD actors by cell ---- */

static uint32_t hlod_cell(const struct cs_cooked_hlod *hlod, bool home)
{
	return home ? hlod->home : hlod->cell;
}

static struct cs_error *sort_hlods(
	struct cs_run_model *model, bool home, uint32_t **ret, size_t *n_ret)
{
	const struct cs_cooked *cooked = model->cooked;
	struct cs_sort_key *keys = malloc((cooked->n_hlods + 1) * sizeof(*keys));
	uint32_t *rows = malloc((cooked->n_hlods + 1) * sizeof(*rows));
	size_t n = 0;
	for (size_t i = 0; keys && i < cooked->n_hlods; i++)
		if (hlod_cell(&cooked->hlods[i], home) != CS_NONE)
			keys[n++] = (struct cs_sort_key){
				0, hlod_cell(&cooked->hlods[i], home), (uint32_t)i};
	*ret = rows;
	*n_ret = n;
	bool sorted = keys && rows && cs_sort_keys(keys, n);
	for (size_t i = 0; sorted && i < n; i++)
		rows[i] = keys[i].index;
	free(keys);
	model->memory += n * sizeof(*rows);
	return sorted ? NULL : cs_error_nomem();
}

static struct cs_range equal_range(
	const struct cs_run_model *model, const uint32_t *rows, size_t n, uint32_t cell, bool home)
{
	const struct cs_cooked_hlod *hlods = model->cooked->hlods;
	size_t first = cs_lower_bound(0, n, i, hlod_cell(&hlods[rows[i]], home) < cell);
	struct cs_range range = {(uint32_t)first, 0};
	while (first + range.count < n &&
		hlod_cell(&hlods[rows[first + range.count]], home) == cell)
		range.count++;
	return range;
}

struct cs_range cs_run_hlods_at(const struct cs_run_model *model, uint32_t home)
{
	return equal_range(model, model->hlods_by_home, model->n_hlods_by_home, home, true);
}

struct cs_range cs_run_hlods_for(const struct cs_run_model *model, uint32_t source)
{
	return equal_range(model, model->hlods_by_source, model->n_hlods_by_source, source, false);
}

/* ---- the whole model ---- */

static struct cs_error *model_decode(struct cs_run_model *model, int threads)
{
	const struct cs_cooked *cooked = model->cooked;
	struct cs_error *error = cs_cooked_load_cells(cooked, &model->cells);
	if (!error)
		error = check_ranges(model);
	if (!error)
		error = decode_cells(model);
	if (!error)
		error = decode_layer_sets(model);
	if (error)
		return error;
	model->partitions = calloc(cooked->n_partitions + 1, sizeof(*model->partitions));
	if (!model->partitions)
		return cs_error_nomem();
	for (size_t p = 0; !error && p < cooked->n_partitions; p++)
		error = decode_partition(model, (uint32_t)p, threads);
	if (!error)
		error = sort_hlods(model, true, &model->hlods_by_home, &model->n_hlods_by_home);
	if (!error)
		error = sort_hlods(
			model, false, &model->hlods_by_source, &model->n_hlods_by_source);
	return error;
}

struct cs_error *cs_run_model_init(
	const struct cs_cooked *cooked, int threads, struct cs_run_model *ret)
{
	struct cs_run_model model = {.cooked = cooked, .n_cells = cooked->n_cells};
	struct cs_error *error = model_decode(&model, threads);
	if (error)
		cs_run_model_deinit(&model);
	else
		*ret = model;
	return error;
}

void cs_run_model_deinit(struct cs_run_model *model)
{
	for (size_t p = 0; model->partitions && p < model->cooked->n_partitions; p++) {
		cs_rtree_deinit(&model->partitions[p].index);
		free(model->partitions[p].places);
	}
	free(model->partitions);
	free(model->flags);
	free(model->layer_set);
	free(model->sets);
	free(model->layer_lists);
	free(model->non_spatial);
	free(model->hlods_by_home);
	free(model->hlods_by_source);
}
