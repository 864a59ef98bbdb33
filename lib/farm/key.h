/* SPDX-License-Identifier: Apache-2.0 */
/* Keys by content, in numbers. */
#pragma once

#include <cellscope/farm.h>

struct cs_farm_key {
	uint64_t high, low;
};

void cs_farm_key_format(struct cs_farm_key key, char ret[CS_FARM_KEY_TEXT]);
/* Of the code of this process, as cs_farm_code. */
struct cs_farm_key farm_code(void);
