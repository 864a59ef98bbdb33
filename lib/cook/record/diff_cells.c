/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the cells of two cooks. Cells are matched by GUID, then by name, then by their
 * coordinates in a grid. Hashes of the coordinates of all cells are stored before the actors are
 * compared, which reads those of cells in random order. Matched cells are compared in the row order
 * of the left cook, so that each loop reads both tables in order and decodes only the fields it
 * needs.
 */
#include "cook/record/diff_internal.h"
#include "core/geometry.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#define CELL(field)                                                    \
	{                                                              \
		CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, field) \
	}

/* Fields of a cell from which its coordinates and the keys for matching cells are computed. */
static const struct cs_record_byte place_fields[] = {CELL(partition), CELL(x), CELL(y), CELL(z),
	CELL(level), CELL(layers_id), CELL(content_bundle)};

/* ---- hashes of coordinates ---- */

static uint64_t diff_hash_place(const struct side *side, const struct cs_cooked_cell *cell)
{
	const char *grid = side->grid_names[cell->partition];
	const struct {
		uint64_t grid;
		int64_t x, y, z;
		int32_t level;
		uint32_t layers_id;
	} place = {XXH3_64bits(grid, strlen(grid)), cell->x, cell->y, cell->z, cell->level,
		cell->layers_id};
	return XXH3_64bits(&place, sizeof(place));
}

static void read_places(struct side *side)
{
	for (uint32_t i = 0; i < side->cooked->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(side->cooked, i);
		side->cells[i].place = diff_hash_place(side, cell);
		side->cells[i].partition = cell->partition;
		cs_cooked_loop_step(&side->loop, i);
	}
}

void cs_diff_read_places(struct differ *differ)
{
	cs_diff_begin_pass(differ, place_fields, CS_COUNT_OF(place_fields));
	read_places(&differ->left);
	read_places(&differ->right);
	cs_diff_end_pass(differ);
}

/* ---- keys for matching ---- */

static XXH128_hash_t key_of_cell(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	return XXH3_128bits(&cs_cooked_cell(cooked, row)->guid, sizeof(struct cs_guid));
}

static XXH128_hash_t key_of_cell_name(const struct side *side, uint32_t row)
{
	const struct cs_cooked *cooked = side->cooked;
	return cs_diff_hash_text(cooked, cs_cooked_cell(cooked, row)->name);
}

/* Returns a key of the cell's size, coordinates and grid name (in the left cook, if renamed). */
static XXH128_hash_t key_of_cell_place(const struct side *side, uint32_t row)
{
	const struct cs_cooked_cell *cell = cs_cooked_cell(side->cooked, row);
	const char *grid = side->grid_names[cell->partition];
	const struct {
		uint64_t grid;
		double cell_size;
		int64_t x, y, z;
		int32_t level;
		uint32_t layers_id;
		struct cs_guid bundle;
	} key = {XXH3_64bits(grid, strlen(grid)),
		side->cooked->partitions[cell->partition].cell_size, cell->x, cell->y, cell->z,
		cell->level, cell->layers_id, cell->content_bundle};
	return XXH3_128bits(&key, sizeof(key));
}

/* ---- renamed grids ---- */

enum { SAMPLE = 64 };

/* Stores the sorted keys of a sample of a partition's cells; returns the number of these cells. */
static size_t sample_cells(
	const struct side *side, struct cs_range cells, struct cs_sort_key keys[SAMPLE])
{
	const uint32_t n = cells.count < SAMPLE ? cells.count : SAMPLE;
	for (uint32_t i = 0; i < n; i++) {
		const XXH128_hash_t key = key_of_cell_place(
			side, cells.first + (uint32_t)((uint64_t)i * cells.count / n));
		keys[i] = (struct cs_sort_key){key.high64, key.low64, i};
	}
	return cs_sort_keys(keys, n) ? n : 0;
}

/* Returns how many of the sorted keys (key_of_cell_place) belong to cells in the range. */
static size_t count_found(const struct side *side, struct cs_range cells,
	const struct cs_sort_key *keys, size_t n_keys)
{
	bool found[SAMPLE] = {false};
	size_t n = 0;
	for (uint32_t i = cells.first; i < cells.first + cells.count; i++) {
		const XXH128_hash_t key = key_of_cell_place(side, i);
		const struct cs_sort_key *at =
			cs_sort_keys_find(keys, n_keys, key.high64, key.low64);
		for (; at && at < keys + n_keys && at->high == key.high64 && at->low == key.low64;
			at++)
			found[at - keys] = true;
		cs_cooked_loop_step(&side->loop, i);
	}
	for (size_t i = 0; i < n_keys; i++)
		n += found[i];
	return n;
}

bool cs_diff_is_renamed(struct differ *differ, uint32_t left, uint32_t right)
{
	struct cs_sort_key keys[SAMPLE];
	const struct cs_cooked_partition *l = &differ->left.cooked->partitions[left];
	const struct cs_cooked_partition *r = &differ->right.cooked->partitions[right];
	if (l->cell_size != r->cell_size || l->partition_class != r->partition_class ||
		l->cells.count == 0 || r->cells.count == 0)
		return false;
	const char *held = differ->right.grid_names[right];
	differ->right.grid_names[right] = differ->left.grid_names[left];
	cs_diff_begin_pass(differ, place_fields, CS_COUNT_OF(place_fields));
	const size_t n = sample_cells(&differ->left, l->cells, keys);
	const size_t same = count_found(&differ->right, r->cells, keys, n);
	cs_diff_end_pass(differ);
	if (2 * same > n)
		return true;
	differ->right.grid_names[right] = held;
	return false;
}

/* ---- comparing a pair of cells ---- */

static bool diff_same_layer(const struct differ *differ, uint32_t left, uint32_t right)
{
	return cs_diff_same_text(differ, differ->left.cooked->layers[left].name,
		differ->right.cooked->layers[right].name);
}

static bool same_cell_layers(
	const struct differ *differ, const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	bool same = l->layers_id == r->layers_id && l->layers.count == r->layers.count;
	for (uint32_t i = 0; same && i < l->layers.count; i++)
		same = diff_same_layer(differ,
			differ->left.cooked->cell_layers[l->layers.first + i],
			differ->right.cooked->cell_layers[r->layers.first + i]);
	return same;
}

/* Returns whether both cells have boxes or neither has; a log may lack them. */
static bool told_bounds(const struct cs_cooked_cell *l, const struct cs_cooked_cell *r)
{
	return !((l->flags ^ r->flags) & CS_CELL_NO_BOXES);
}

/* Compares two cells. Ignores different GUIDs if cellscope made one, or if the grid was renamed. */
static void compare_cells(struct differ *differ, uint32_t left, uint32_t right, bool guids_differ)
{
	uint32_t reasons = 0;
	const struct cs_cooked_cell *l = cs_cooked_cell(differ->left.cooked, left),
				    *r = cs_cooked_cell(differ->right.cooked, right);
	const bool renamed = cs_diff_of_renamed_grid(differ, left, right);
	if (guids_differ && !renamed && !((l->flags | r->flags) & CS_CELL_MADE_GUID))
		reasons |= CS_DIFF_GUID;
	if (!cs_diff_same_text(differ, l->name, r->name) && !renamed)
		reasons |= CS_DIFF_NAME;
	if (told_bounds(l, r) && !cs_box_equals(&l->content, &r->content))
		reasons |= CS_DIFF_BOUNDS;
	if (differ->logged ? !same_cell_layers(differ, l, r) : l->layers_id != r->layers_id)
		reasons |= CS_DIFF_LAYERS;
	if (l->actors.count != r->actors.count ||
		differ->left.cells[left].contents != differ->right.cells[right].contents)
		reasons |= CS_DIFF_CONTENT;
	if (reasons)
		cs_diff_report(differ, CS_DIFF_CELL, left, right, reasons, NULL);
	if (differ->logged && told_bounds(l, r))
		cs_diff_compare_logged(differ, CS_DIFF_CELL, CS_TABLE_CELLS, left, right, l, r);
}

/* Compares all pairs in cell_pairs, and empties the list. */
static void compare_cell_pairs(struct differ *differ, bool guids_differ)
{
	static const struct cs_record_byte fields[] = {CELL(name), CELL(content), CELL(flags),
		CELL(layers_id), CELL(layers), CELL(actors)};
	if (!cs_sort(differ->cell_pairs.at, differ->cell_pairs.n, sizeof(*differ->cell_pairs.at),
		    cs_compare_u32, NULL))
		differ->failed = true;
	cs_diff_begin_pass(differ, differ->logged ? NULL : fields, CS_COUNT_OF(fields));
	for (size_t i = 0; !differ->failed && i < differ->cell_pairs.n; i++) {
		const struct cell_pair *pair = &differ->cell_pairs.at[i];
		compare_cells(differ, pair->left, pair->right, guids_differ);
		cs_diff_step_apart(&differ->left);
		cs_diff_step_apart(&differ->right);
	}
	cs_diff_end_pass(differ);
	differ->cell_pairs.n = 0;
}

/* ---- matching cells ---- */

static void diff_pair_cells(struct differ *differ, uint32_t left, uint32_t right)
{
	if (left == CS_NONE || right == CS_NONE)
		cs_diff_set_aside(differ, left, right);
	else
		cs_vec_push_in(differ, cell_pairs, (struct cell_pair){left, right});
}

static void pair_lone_cells(struct differ *differ, uint32_t left, uint32_t right)
{
	if (!cs_diff_one_sided(differ, CS_DIFF_CELL, left, right))
		diff_pair_cells(differ, left, right);
}

void cs_diff_cells(struct differ *differ)
{
	static const struct cs_record_byte guid[] = {CELL(guid)}, name[] = {CELL(name)};
	cs_diff_begin_pass(differ, guid, CS_COUNT_OF(guid));
	cs_diff_match(differ, differ->left.cooked->n_cells, differ->right.cooked->n_cells,
		key_of_cell, diff_pair_cells);
	cs_diff_end_pass(differ);
	compare_cell_pairs(differ, false);
	cs_diff_begin_pass(differ, name, CS_COUNT_OF(name));
	cs_diff_match_lone(differ, key_of_cell_name, diff_pair_cells);
	cs_diff_end_pass(differ);
	compare_cell_pairs(differ, true);
	cs_diff_begin_pass(differ, place_fields, CS_COUNT_OF(place_fields));
	cs_diff_match_lone(differ, key_of_cell_place, pair_lone_cells);
	cs_diff_end_pass(differ);
	compare_cell_pairs(differ, true);
}
