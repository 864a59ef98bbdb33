/* SPDX-License-Identifier: Apache-2.0 */
/* The hash map from u32 to u32: arrays of keys and of values, with Fibonacci hashing. */
#include "cook/phases/text_map.h"

#include "core/slots.h"

static uint32_t text_map_slot_of(const struct cs_text_map *map, uint32_t key)
{
	uint64_t hash = (uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	return (uint32_t)(cs_probe(map->keys, map->mask, hash, other, other == key) - map->keys);
}

static bool text_map_grow(struct cs_text_map *map)
{
	struct cs_text_map larger = {.mask = map->mask ? map->mask * 2 + 1 : 255, .n = map->n};
	larger.keys = calloc((size_t)larger.mask + 1, sizeof(*larger.keys));
	larger.values = calloc((size_t)larger.mask + 1, sizeof(*larger.values));
	if (!larger.keys || !larger.values) {
		cs_text_map_deinit(&larger);
		return false;
	}
	for (uint32_t i = 0; map->mask && i <= map->mask; i++) {
		if (!map->keys[i])
			continue;
		uint32_t at = text_map_slot_of(&larger, map->keys[i] - 1);
		larger.keys[at] = map->keys[i];
		larger.values[at] = map->values[i];
	}
	cs_text_map_deinit(map);
	*map = larger;
	return true;
}

uint32_t *cs_text_map_at(struct cs_text_map *map, uint32_t key)
{
	if ((!map->mask || map->n > map->mask / 2) && !text_map_grow(map))
		return NULL;
	uint32_t at = text_map_slot_of(map, key);
	if (!map->keys[at]) {
		map->keys[at] = key + 1;
		map->values[at] = CS_NONE;
		map->n++;
	}
	return &map->values[at];
}

void cs_text_map_deinit(struct cs_text_map *map)
{
	free(map->keys);
	free(map->values);
	*map = (struct cs_text_map){0};
}
