/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from u32 to u32, for example from offsets of texts to rows of layers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_text_map {
	uint32_t *keys, *values; /* keys are stored as key + 1; 0 = empty slot */
	uint32_t mask, n;
};

/* Returns the address of the key's value, CS_NONE for a new key. NULL = out of memory. */
uint32_t *cs_text_map_at(struct cs_text_map *map, uint32_t key);
void cs_text_map_deinit(struct cs_text_map *map);
