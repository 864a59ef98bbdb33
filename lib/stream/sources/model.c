/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes a cooked world into the model of a world partition. The rows of cells are read once, in a
 * pass that decodes only the columns of the copied fields, because all rows of a large world take
 * more memory than the rest of a run. Equal sets of layers are found by hashing, so that the state
 * which layers allow is computed once for a set and not for each of its cells.
 */
#include "stream/model.h"

#include "core/large.h"
#include "core/search.h"
#include "core/slots.h"
#include "core/sort.h"
#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include <cellscope/cooked_values.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stddef.h>

/* The layer sets that were found so far. */
struct layer_sets {
	const uint32_t *lists; /* layers of all sets, one after the other */
	CS_VEC(struct cs_run_layer_set) all;
	struct cs_slots table; /* hash table of the rows of `all` except the first */
};

/* Checks that the grids have consecutive ranges of cells, which together contain every cell. */
static struct cs_error *check_ranges(const struct cs_cooked *cooked)
{
	uint64_t next = 0;
	for (size_t p = 0; p < cooked->n_partitions; p++) {
		struct cs_range range = cooked->partitions[p].cells;
		if (range.count && range.first != next)
			return cs_error_at(CS_E_REFERENCE, cs_file_name(cooked->file), CS_NO_OFFSET,
				"the cells of partitions[%zu] begin at cells[%u], but must begin "
				"at cells[%llu], after those of earlier partitions",
				p, range.first, (unsigned long long)next);
		next += range.count;
	}
	return next == cooked->n_cells
		       ? NULL
		       : cs_error_at(CS_E_REFERENCE, cs_file_name(cooked->file), CS_NO_OFFSET,
				 "the partitions have %llu cells together, but the file has %zu",
				 (unsigned long long)next, cooked->n_cells);
}

/* ---- sets of data layers ---- */

/* Returns the cell's layers without its external layer, which is the first layer if it exists. */
static struct cs_range plain_layers(
	const struct cs_cooked *cooked, const struct cs_cooked_cell *cell)
{
	struct cs_range layers = cell->layers;
	if (layers.count && cell->external_layer != CS_NONE &&
		cooked->cell_layers[layers.first] == cell->external_layer) {
		layers.first++;
		layers.count--;
	}
	return layers;
}

static uint64_t hash_set(const void *context, uint32_t row)
{
	const struct layer_sets *sets = context;
	const struct cs_run_layer_set *set = &sets->all.at[row];
	return XXH3_64bits_withSeed(sets->lists + set->layers.first,
		set->layers.count * sizeof(*sets->lists), set->external);
}

static bool same_set(const struct layer_sets *sets, uint32_t left, uint32_t right)
{
	const struct cs_run_layer_set *l = &sets->all.at[left], *r = &sets->all.at[right];
	return l->external == r->external && l->layers.count == r->layers.count &&
	       (l->layers.count == 0 ||
		       memcmp(sets->lists + l->layers.first, sets->lists + r->layers.first,
			       l->layers.count * sizeof(*sets->lists)) == 0);
}

/* Finds the number of a cell's set of data layers, which is added if new; false = no memory. */
static bool find_set(struct layer_sets *sets, const struct cs_cooked *cooked,
	const struct cs_cooked_cell *cell, uint32_t *ret)
{
	const struct cs_run_layer_set set = {cell->external_layer, plain_layers(cooked, cell)};
	const uint32_t next = (uint32_t)sets->all.n;
	*ret = 0;
	if (set.layers.count == 0 && set.external == CS_NONE)
		return true;
	if (!cs_vec_push(&sets->all, set) || !cs_slots_grow(&sets->table, hash_set, sets))
		return false;
	uint32_t *slot =
		cs_slots_find(&sets->table, hash_set(sets, next), row, same_set(sets, row, next));
	if (*slot)
		sets->all.n--;
	else
		cs_slots_put(&sets->table, slot, next);
	*ret = cs_slot_row(slot);
	return true;
}

/* ---- cells ---- */

const struct cs_box *cs_run_tested_box(const struct cs_run_model *model, uint32_t cell)
{
	return &model->cells[cell].tested;
}

const struct cs_box *cs_run_content_box(const struct cs_run_model *model, uint32_t cell)
{
	return &model->cells[cell].content;
}

static struct cs_error *copy_cell(struct cs_run_model *model, struct layer_sets *sets, uint32_t id,
	const struct cs_cooked_cell *cell)
{
	struct cs_run_partition *partition = &model->partitions[cell->partition];
	model->flags[id] = (uint16_t)cell->flags;
	model->cells[id] = (struct cs_run_model_cell){
		.tested = partition->spatial_hash ? cell->box : cell->content,
		.content = cs_box_valid(&cell->content) ? cell->content : cell->box,
		.partition = cell->partition,
		.level = cell->level,
		.hierarchical_level = cell->hierarchical_level,
		.priority = cell->priority,
		.n_actors = cell->actors.count,
		.layered = cell->layers.count > 0,
	};
	if (partition->places && (cell->flags & CS_CELL_SPATIAL))
		partition->places[partition->n_places++] =
			(struct cs_run_place){cell->x, cell->y, cell->level, id};
	return find_set(sets, model->cooked, cell, &model->layer_set[id]) ? NULL : cs_error_nomem();
}

/* Copies the cells, and checks that each is in the partition that owns it. */
static struct cs_error *copy_cells(struct cs_run_model *model, struct layer_sets *sets,
	const struct cs_cooked_loop *loop, const struct cs_cooked_cell *all)
{
	const struct cs_cooked *cooked = model->cooked;
	struct cs_error *error = NULL;
	for (uint32_t p = 0; !error && p < cooked->n_partitions; p++) {
		const struct cs_range range = cooked->partitions[p].cells;
		for (uint32_t i = 0; !error && i < range.count; i++) {
			const uint32_t id = range.first + i;
			const struct cs_cooked_cell *cell =
				all ? &all[id] : cs_cooked_cell(cooked, id);
			if (cell->partition != p)
				return cs_error_at(CS_E_REFERENCE, cs_file_name(cooked->file),
					CS_NO_OFFSET,
					"cells[%u].partition is %u, but the cell is one of "
					"partitions[%u]",
					id, cell->partition, p);
			error = copy_cell(model, sets, id, cell);
			cs_cooked_loop_step(loop, id);
		}
	}
	return error;
}

/*
 * Reads all cells in a pass over the columns that copy_cell reads. If a caller already runs a pass,
 * which may lack these columns, loads the whole rows instead.
 */
static struct cs_error *copy_all_cells(struct cs_run_model *model, struct layer_sets *sets)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, box)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, content)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, x)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, y)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, partition)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, level)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, hierarchical_level)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, priority)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, flags)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, external_layer)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, layers)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, actors)},
	};
	/* the cast is safe: cs_cooked_loop frees what it loads, so the world stays unchanged */
	struct cs_cooked *cooked = (struct cs_cooked *)model->cooked;
	const struct cs_cooked_loop loop = cs_cooked_loop(cooked, fields, CS_COUNT_OF(fields));
	const struct cs_cooked_cell *all = NULL;
	struct cs_error *error = loop.passes ? NULL : cs_cooked_load_cells(cooked, &all);
	if (!error)
		error = copy_cells(model, sets, &loop, all);
	return cs_error_first(cs_cooked_loop_end(&loop), error);
}

static struct cs_error *begin_cells(struct cs_run_model *model)
{
	const struct cs_cooked *cooked = model->cooked;
	const size_t n = model->n_cells + 1;
	model->cells = cs_large_malloc(n * sizeof(*model->cells));
	model->flags = malloc(n * sizeof(*model->flags));
	model->layer_set = malloc(n * sizeof(*model->layer_set));
	model->layer_lists = malloc((cooked->n_cell_layers + 1) * sizeof(*model->layer_lists));
	if (!model->cells || !model->flags || !model->layer_set || !model->layer_lists)
		return cs_error_nomem();
	if (cooked->n_cell_layers)
		memcpy(model->layer_lists, cooked->cell_layers,
			cooked->n_cell_layers * sizeof(*model->layer_lists));
	return NULL;
}

static struct cs_error *list_non_spatial(struct cs_run_model *model)
{
	size_t n = 0;
	for (size_t i = 0; i < model->n_cells; i++)
		n += !(model->flags[i] & CS_CELL_SPATIAL);
	model->non_spatial = malloc((n + 1) * sizeof(*model->non_spatial));
	if (!model->non_spatial)
		return cs_error_nomem();
	for (size_t i = 0; i < model->n_cells; i++)
		if (!(model->flags[i] & CS_CELL_SPATIAL))
			model->non_spatial[model->n_non_spatial++] = (uint32_t)i;
	return NULL;
}

static struct cs_error *decode_cells(struct cs_run_model *model)
{
	struct cs_error *error = begin_cells(model);
	struct layer_sets sets = {.lists = model->layer_lists};
	if (!error && !cs_vec_push(&sets.all, (struct cs_run_layer_set){CS_NONE, {0, 0}}))
		error = cs_error_nomem();
	if (!error)
		error = copy_all_cells(model, &sets);
	cs_slots_deinit(&sets.table);
	model->sets = sets.all.at;
	model->n_sets = sets.all.n;
	return error ? error : list_non_spatial(model);
}

/* ---- grids ---- */

static struct cs_error *begin_partitions(struct cs_run_model *model)
{
	const struct cs_cooked *cooked = model->cooked;
	model->partitions = calloc(cooked->n_partitions + 1, sizeof(*model->partitions));
	if (!model->partitions)
		return cs_error_nomem();
	for (size_t p = 0; p < cooked->n_partitions; p++) {
		const struct cs_cooked_partition *row = &cooked->partitions[p];
		struct cs_run_partition *partition = &model->partitions[p];
		partition->spatial_hash = row->partition_class == CS_PARTITION_SPATIAL_GRID;
		partition->flat = partition->spatial_hash || (row->flags & CS_PARTITION_2D);
		if (row->partition_class != CS_PARTITION_SPATIAL_GRID ||
			!(row->flags & CS_PARTITION_SNAP) || row->flags & CS_PARTITION_ALIGNED)
			continue;
		partition->places = malloc((row->cells.count + 1) * sizeof(*partition->places));
		if (!partition->places)
			return cs_error_nomem();
	}
	return NULL;
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

static struct cs_error *sort_places(struct cs_run_model *model, uint32_t p)
{
	struct cs_run_partition *partition = &model->partitions[p];
	return cs_sort(partition->places, partition->n_places, sizeof(*partition->places),
		       model_by_place, NULL)
		       ? NULL
		       : cs_error_nomem();
}

static bool index_entry(const struct cs_run_model *model, uint32_t id, struct cs_rtree_entry *ret)
{
	const struct cs_run_model_cell *cell = &model->cells[id];
	const struct cs_box *box = cs_run_tested_box(model, id);
	if (!(model->flags[id] & CS_CELL_SPATIAL) || !cs_box_valid(box))
		return false;
	*ret = (struct cs_rtree_entry){
		.box = *box, .id = id, .group = cell->level < 0 ? 0 : (uint32_t)cell->level};
	if (model->partitions[cell->partition].flat || (model->flags[id] & CS_CELL_2D)) {
		ret->box.min.z = -INFINITY;
		ret->box.max.z = INFINITY;
	}
	return true;
}

static struct cs_error *decode_partition(struct cs_run_model *model, uint32_t p, int threads)
{
	const struct cs_cooked_partition *row = &model->cooked->partitions[p];
	struct cs_run_partition *partition = &model->partitions[p];
	struct cs_rtree_entry *entries = malloc((row->cells.count + 1) * sizeof(*entries));
	size_t n = 0;
	if (!entries)
		return cs_error_nomem();
	for (uint32_t i = 0; i < row->cells.count; i++)
		n += index_entry(model, row->cells.first + i, &entries[n]);
	struct cs_error *error = cs_rtree_build(entries, n, threads, &partition->index);
	free(entries);
	return error ? error : sort_places(model, p);
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

/* ---- making the model of a cooked world ---- */

static struct cs_error *model_decode(struct cs_run_model *model, int threads)
{
	const struct cs_cooked *cooked = model->cooked;
	struct cs_error *error = check_ranges(cooked);
	if (!error)
		error = begin_partitions(model);
	if (!error)
		error = decode_cells(model);
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
	free(model->cells);
	free(model->flags);
	free(model->layer_set);
	free(model->sets);
	free(model->layer_lists);
	free(model->non_spatial);
	free(model->hlods_by_home);
	free(model->hlods_by_source);
}
