/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs the cells of our cook with the engine's, and finds actors by GUID. Cells are paired in
 * passes, each over the cells that earlier passes left unpaired: by GUID, by name without the map,
 * by package, by actors, and by the coordinates in their names. A pass sorts 128-bit keys of both
 * sides and merges them, so cells with equal keys are paired in table order.
 */
#include "compare/compare_internal.h"

#include "core/guid.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "ue/package/cell_name.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- names of cells ---- */

const char *cs_name_without_map(
	const struct cs_comparer *comparer, const char *name, const char *world)
{
	size_t n = strlen(world);
	if (n && strncmp(name, world, n) == 0 && name[n] == '_')
		return name + n + 1;
	for (size_t i = 0; i < comparer->ours->n_partitions; i++) {
		const char *partition =
			cs_cooked_text(comparer->ours, comparer->ours->partitions[i].name);
		n = strlen(partition);
		for (const char *at = strchr(name, '_'); n && at; at = strchr(at + 1, '_'))
			if (strncmp(at + 1, partition, n) == 0 && at[n + 1] == '_')
				return at + 1;
	}
	return name;
}

struct cs_cell_place cs_place_of_name(
	const struct cs_comparer *comparer, const char *name, const char *world)
{
	static const char map[] = "M";
	char text[600];
	struct cs_ue_cell_name parts;
	struct cs_cell_place place = {0};
	const char *rest = cs_name_without_map(comparer, name, world);
	snprintf(text, sizeof(text), "%s_%s", map, rest);
	place.layers_id = cs_ue_layers_of_name(rest);
	if (!cs_ue_parse_cell_name(text, map, &parts))
		return place;
	place.known = true;
	place.partition = rest;
	place.length = parts.partition_length;
	place.level_first = !parts.level_last;
	place.at = (struct cs_cell_coordinates){parts.x, parts.y, parts.z, parts.level};
	return place;
}

bool cs_same_place(const struct cs_cell_place *left, const struct cs_cell_place *right)
{
	return left->known && right->known && left->length == right->length &&
	       strncmp(left->partition, right->partition, left->length) == 0 &&
	       left->at.x == right->at.x && left->at.y == right->at.y &&
	       left->at.z == right->at.z && left->at.level == right->at.level;
}

/* ---- functions that compute a cell's key; false excludes the cell from a pass ---- */

/* A cell of either side: `row` is its row in our cook or CS_NONE, `theirs` the engine's or NULL. */
struct side_cell {
	uint32_t row;
	const struct cs_answer_cell *theirs;
	struct cs_guid guid;
	const char *name, *map, *package; /* package: "" = unknown */
};

typedef bool key_of_cell(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret);

static struct side_cell our_cell(const struct cs_comparer *comparer, uint32_t row)
{
	const struct cs_cooked_cell *cell = cs_cooked_cell(comparer->ours, row);
	return (struct side_cell){row, NULL, cell->guid, cs_cooked_cell_name(comparer->ours, row),
		cs_cooked_text(comparer->ours, comparer->ours->world->name),
		cs_cooked_text(comparer->ours, cell->package)};
}

static struct side_cell their_cell(const struct cs_comparer *comparer, size_t row)
{
	const struct cs_answer_cell *cell = &comparer->theirs.cells.at[row];
	return (struct side_cell){CS_NONE, cell, cell->guid, cell->name, comparer->theirs.world,
		cell->package ? cell->package : ""};
}

static bool match_guid(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret)
{
	(void)comparer;
	*ret = XXH3_128bits(&cell->guid, sizeof(cell->guid));
	return !cs_guid_is_zero(cell->guid);
}

static bool match_name(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret)
{
	const char *rest = cs_name_without_map(comparer, cell->name, cell->map);
	*ret = XXH3_128bits(rest, strlen(rest));
	return *rest != '\0';
}

/* Hashes the package of a cell, which may be known without the cell's name. */
static bool match_package(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret)
{
	(void)comparer;
	*ret = XXH3_128bits(cell->package, strlen(cell->package));
	return *cell->package != '\0';
}

static struct cs_guid guid_in_cell(
	const struct cs_comparer *comparer, const struct side_cell *cell, size_t index)
{
	if (cell->theirs)
		return comparer->theirs.actors.at[cell->theirs->first + index].guid;
	const size_t first = cs_cooked_cell(comparer->ours, cell->row)->actors.first;
	const uint32_t actor = cs_cooked_id(comparer->ours, CS_IDS_CELL_ACTORS, first + index);
	return cs_cooked_detail(comparer->ours, actor)->instance_guid;
}

/* Stores a key of a cell's content: number of actors, and sum of the hashes of their GUIDs. */
static bool match_content(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret)
{
	const size_t n = cell->theirs ? cell->theirs->count
				      : cs_cooked_cell(comparer->ours, cell->row)->actors.count;
	*ret = (XXH128_hash_t){.high64 = n};
	for (size_t i = 0; i < n; i++) {
		const struct cs_guid guid = guid_in_cell(comparer, cell, i);
		ret->low64 += XXH3_64bits(&guid, sizeof(guid));
	}
	return n > 0;
}

static bool match_place(
	const struct cs_comparer *comparer, const struct side_cell *cell, XXH128_hash_t *ret)
{
	const struct cs_cell_place place = cs_place_of_name(comparer, cell->name, cell->map);
	const int64_t at[] = {place.at.x, place.at.y, place.at.z, place.at.level};
	if (!place.known)
		return false;
	*ret = XXH3_128bits_withSeed(at, sizeof(at), XXH3_64bits(place.partition, place.length));
	return true;
}

/* ---- matching all cells of both sides by one kind of key ---- */

/* Stores the keys of the cells of one side that are not paired yet. Returns their number. */
static size_t side_keys(
	struct cs_comparer *comparer, bool ours, key_of_cell *key, struct cs_sort_key *keys)
{
	const size_t n = ours ? comparer->ours->n_cells : comparer->theirs.cells.n;
	struct cs_sort_key *end = keys;
	for (uint32_t i = 0; i < n; i++) {
		XXH128_hash_t k;
		if ((ours ? comparer->cell_theirs[i] : comparer->theirs.cells.at[i].ours) !=
			CS_NONE)
			continue;
		const struct side_cell cell =
			ours ? our_cell(comparer, i) : their_cell(comparer, i);
		if (key(comparer, &cell, &k))
			*end++ = (struct cs_sort_key){k.high64, k.low64, i};
	}
	return (size_t)(end - keys);
}

static void pair_equal(struct cs_comparer *comparer, const struct cs_sort_key *l, size_t n_l,
	const struct cs_sort_key *r, size_t n_r)
{
	for (size_t i = 0, j = 0; i < n_l && j < n_r;) {
		int order = cs_sort_key_compare(&l[i], &r[j]);
		if (order == 0) {
			comparer->cell_theirs[l[i].index] = r[j].index;
			comparer->theirs.cells.at[r[j].index].ours = l[i].index;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static bool pair_by(struct cs_comparer *comparer, key_of_cell *key)
{
	struct cs_sort_key *l = malloc((comparer->ours->n_cells + 1) * sizeof(*l));
	struct cs_sort_key *r = malloc((comparer->theirs.cells.n + 1) * sizeof(*r));
	bool works = l && r;
	if (works) {
		const size_t n_l = side_keys(comparer, true, key, l);
		const size_t n_r = side_keys(comparer, false, key, r);
		works = cs_sort_keys(l, n_l) && cs_sort_keys(r, n_r);
		if (works)
			pair_equal(comparer, l, n_l, r, n_r);
	}
	free(l);
	free(r);
	return works;
}

bool cs_match_cells(struct cs_comparer *comparer)
{
	for (size_t i = 0; i < comparer->ours->n_cells; i++)
		comparer->cell_theirs[i] = CS_NONE;
	return pair_by(comparer, match_guid) && pair_by(comparer, match_name) &&
	       pair_by(comparer, match_package) && pair_by(comparer, match_content) &&
	       pair_by(comparer, match_place);
}

/* ---- finding actors by GUID ---- */

bool cs_match_index_actors(struct cs_comparer *comparer)
{
	comparer->index = malloc((comparer->ours->n_actors + 1) * sizeof(*comparer->index));
	for (uint32_t i = 0; comparer->index && i < comparer->ours->n_actors; i++)
		comparer->index[i] =
			cs_sort_key_of_guid(cs_cooked_detail(comparer->ours, i)->instance_guid, i);
	return comparer->index && cs_sort_keys(comparer->index, comparer->ours->n_actors);
}

uint32_t cs_match_actor(const struct cs_comparer *comparer, struct cs_guid guid)
{
	return cs_sort_keys_find_guid(comparer->index, comparer->ours->n_actors, guid);
}
