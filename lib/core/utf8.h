/* SPDX-License-Identifier: Apache-2.0 */
/* Finding boundaries of UTF-8 characters, for cutting and counting. core/text.h decodes them. */
#pragma once

#include <stdbool.h>

/* Returns whether a byte is a continuation byte. `byte` may come from a signed char. */
static inline bool cs_utf8_inside(int byte)
{
	return (byte & 0xc0) == 0x80;
}
