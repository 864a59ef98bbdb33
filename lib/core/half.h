/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of floats to and from IEEE 754 binary16 (half precision). */
#pragma once

#include <stdint.h>

#define CS_HALF_INFINITY 0x7c00u
#define CS_HALF_LARGEST  0x7bffu
#define CS_HALF_MOST     65504.0f /* largest finite half-precision number */

/* Returns the nearest half, ties to even. Too large values become infinite, NaN stays NaN. */
uint16_t cs_half_nearest(float value);
/* Returns the largest half that is not above `value`. NaN stays NaN. */
uint16_t cs_half_below(float value);
/* Returns the smallest half that is not below `value`, which may be infinity. NaN stays NaN. */
uint16_t cs_half_above(float value);
float cs_half_value(uint16_t half);
