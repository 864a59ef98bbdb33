/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of steps, inputs and code as two 64-bit numbers. */
#pragma once

#include <cellscope/farm.h>

struct cs_farm_key {
	uint64_t high, low;
};

void cs_farm_key_format(struct cs_farm_key key, char ret[CS_FARM_KEY_TEXT]);
/* Returns the key of this process's code, which cs_farm_code returns as text. */
struct cs_farm_key farm_code(void);
