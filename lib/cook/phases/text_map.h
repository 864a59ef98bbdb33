/* SPDX-License-Identifier: Apache-2.0 */
/* A map from u32 to u32 (texts of one pool to those of another, to layers, to grids). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_text_map {
	uint32_t *keys, *values; /* key + 1, 0 = free */
	uint32_t mask, n;
};

/* Returns the address of the key's value, CS_NONE when it is new; NULL without memory. */
uint32_t *cs_text_map_at(struct cs_text_map *map, uint32_t key);
void cs_text_map_deinit(struct cs_text_map *map);
