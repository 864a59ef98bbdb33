/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/stream/worlds.h"

#include "core/random.h"
#include <cellscope/cooked_values.h>

#define CELL 12800.0

struct town {
	struct worlds *w;
	struct cs_random random;
	enum cs_hash_class class;
	int side;
	uint32_t city, park, night, quest, event, dlc; /* layers */
	uint32_t hlod0_first, main_first, main_end;    /* cells */
};

static bool chance(struct town *t, double share)
{
	return cs_random_unit(&t->random) < share;
}

static void add_layers(struct town *t)
{
	struct worlds *w = t->w;
	t->city = worlds_layer(w, "City", CS_NONE, CS_LAYER_ACTIVATED);
	t->park = worlds_layer(w, "Park", t->city, CS_LAYER_LOADED);
	t->night = worlds_layer(w, "Night", t->park, CS_LAYER_ACTIVATED);
	t->quest = worlds_layer(w, "Quest", CS_NONE, CS_LAYER_UNLOADED);
	t->event = worlds_layer(w, "Event", CS_NONE, CS_LAYER_ACTIVATED);
	w->layers.at[t->event].filter = CS_FILTER_CLIENT_ONLY;
	uint32_t guard = worlds_layer(w, "Guard", CS_NONE, CS_LAYER_ACTIVATED);
	w->layers.at[guard].filter = CS_FILTER_SERVER_ONLY;
	t->dlc = worlds_layer(w, "Dlc", CS_NONE, CS_LAYER_ACTIVATED);
	w->layers.at[t->dlc].flags = CS_LAYER_EXTERNAL;
	uint32_t sketch = worlds_layer(w, "Sketch", CS_NONE, CS_LAYER_UNLOADED);
	w->layers.at[sketch].type = CS_LAYER_EDITOR;
}

/* Gives a cell, now and then, a set of layers, or one under the external layer. */
static void dress(struct town *t)
{
	const uint32_t all[] = {t->city, t->park, t->night, t->quest, t->event};
	uint32_t chosen[2];
	size_t n = 0;
	if (!chance(t, 0.3))
		return;
	uint32_t first = cs_random_below(&t->random, 5);
	chosen[n++] = all[first];
	if (chance(t, 0.4))
		chosen[n++] = all[(first + 1 + cs_random_below(&t->random, 4)) % 5];
	worlds_set_layers(t->w, chance(t, 0.2) ? t->dlc : CS_NONE, chosen, n);
}

/* Gives cells contents of unequal size and height, some beyond their cell, as actors have them. */
static void shape_content(struct town *t, uint32_t id)
{
	struct cs_cooked_cell *cell = &t->w->cells.at[id];
	double size = cell->box.max.x - cell->box.min.x;
	struct cs_box *box = &cell->content;
	box->min.x += cs_random_range(&t->random, -0.1, 0.3) * size;
	box->min.y += cs_random_range(&t->random, -0.1, 0.3) * size;
	box->max.x -= cs_random_range(&t->random, -0.1, 0.3) * size;
	box->max.y -= cs_random_range(&t->random, -0.1, 0.3) * size;
	box->min.z = cs_random_range(&t->random, -2000, 0);
	box->max.z = cs_random_range(&t->random, 100, 20000);
}

static void fill(struct town *t, uint32_t partition, int level, int half, double share)
{
	for (int y = -half; y < half; y++) {
		for (int x = -half; x < half; x++) {
			int variants = chance(t, share) + chance(t, 0.1);
			for (int i = 0; i < variants; i++) {
				uint32_t actors = 1 + cs_random_below(&t->random, 40);
				uint32_t id = worlds_cell(t->w, partition, level, x, y, actors);
				shape_content(t, id);
				dress(t);
			}
		}
	}
}

static uint32_t add_grid(struct town *t, const char *name, double cell, double range)
{
	if (t->class == CS_HASH_SET)
		return worlds_partition(t->w, name, CS_PARTITION_LHGRID, cell, range);
	return worlds_spatial_grid(t->w, name, cell, range, t->side * CELL / 2);
}

static void add_main_grids(struct town *t)
{
	uint32_t main = add_grid(t, "MainGrid", CELL, 2 * CELL);
	t->w->partitions.at[main].flags |= CS_PARTITION_BLOCK_ON_SLOW | CS_PARTITION_SNAP;
	t->main_first = (uint32_t)t->w->cells.n;
	fill(t, main, 0, t->side / 2, 0.8);
	t->main_end = (uint32_t)t->w->cells.n;
	fill(t, main, 1, t->side / 4, 0.5);
	fill(t, main, 2, t->side / 8, 0.5);
	uint32_t fine = add_grid(t, "Foliage", CELL / 2, CELL);
	t->w->partitions.at[fine].flags |=
		CS_PARTITION_2D | CS_PARTITION_ALIGNED | CS_PARTITION_Z_CULLING;
	t->w->partitions.at[fine].priority = 5;
	fill(t, fine, 0, t->side / 4, 0.6);
}

/* Adds one HLOD cell for each block of source cells, and one HLOD actor for each source cell. */
static void add_hlod_tier(struct town *t, const char *name, int tier, uint32_t first, uint32_t end)
{
	struct worlds *w = t->w;
	double cell = CELL * (2 << tier);
	uint32_t grid = add_grid(t, name, cell, 4 * CELL * (1 << tier));
	int half = t->side / (4 << tier);
	w->partitions.at[grid].flags |= CS_PARTITION_CLIENT_ONLY;
	w->partitions.at[grid].hlod_index = tier;
	w->partitions.at[grid].priority = 100 + tier;
	uint32_t home = (uint32_t)w->cells.n;
	worlds_square(w, grid, 0, -half, -half, half, half, 4);
	for (uint32_t i = first; i < end; i++) {
		int x = (int)((w->cells.at[i].x + 2 * half) / 2);
		int y = (int)((w->cells.at[i].y + 2 * half) / 2);
		if (x < 0 || y < 0 || x >= 2 * half || y >= 2 * half || !chance(t, 0.9))
			continue;
		uint32_t hlod = worlds_hlod(w, i, home + (uint32_t)(y * 2 * half + x));
		w->hlods.at[hlod].flags = hlod % 4 == 3 ? CS_HLOD_NO_WARMUP : 0;
	}
	worlds_hlod(w, CS_NONE, home);
	t->hlod0_first = home;
}

static void add_persistent(struct town *t)
{
	struct worlds *w = t->w;
	uint32_t p = worlds_partition(w, "PersistentLevel", CS_PARTITION_PERSISTENT, 0, 0);
	w->partitions.at[p].flags = 0;
	worlds_non_spatial(w, p, "Persistent", 100);
	worlds_non_spatial(w, p, "Persistent_Quest", 20);
	worlds_set_layers(w, CS_NONE, &t->quest, 1);
	worlds_non_spatial(w, p, "Persistent_Park", 30);
	worlds_set_layers(w, CS_NONE, &t->park, 1);
	worlds_non_spatial(w, p, "Persistent_Dlc", 5);
	worlds_set_layers(w, t->dlc, NULL, 0);
}

void worlds_town(
	struct worlds *w, const char *profile, enum cs_hash_class class, int side, uint64_t seed)
{
	struct town t = {.w = w, .random = {seed}, .class = class, .side = side};
	worlds_init(w, profile);
	add_layers(&t);
	add_main_grids(&t);
	add_hlod_tier(&t, "MainGrid:HLOD0", 0, t.main_first, t.main_end);
	add_hlod_tier(&t, "MainGrid:HLOD1", 1, t.hlod0_first, (uint32_t)w->cells.n);
	add_persistent(&t);
}
