/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of steps, inputs and program code: 128-bit hashes. */
#pragma once

#include <cellscope/farm.h>

struct cs_farm_key {
	uint64_t high, low;
};

void cs_farm_key_format(struct cs_farm_key key, char ret[CS_FARM_KEY_TEXT]);
/* Returns the key of this process's code; cs_farm_code returns it as text. */
struct cs_farm_key farm_code(void);
