/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the boundaries of UTF-8 characters, for cutting and counting. core/text.h decodes. */
#pragma once

#include <stdbool.h>

/* Returns true for a byte that continues a character, whether char is signed or not. */
static inline bool cs_utf8_inside(int byte)
{
	return (byte & 0xc0) == 0x80;
}
