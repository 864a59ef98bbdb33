/* SPDX-License-Identifier: Apache-2.0 */
/* Where a character of UTF-8 goes on, for whoever cuts or counts. Decoding is core/text.h. */
#pragma once

#include <stdbool.h>

/* A byte that begins no character, whatever the sign of char. */
static inline bool cs_utf8_inside(int byte)
{
	return (byte & 0xc0) == 0x80;
}
