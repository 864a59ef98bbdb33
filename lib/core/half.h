/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754 binary16. */
#pragma once

#include <stdint.h>

#define CS_HALF_INFINITY 0x7c00u
#define CS_HALF_LARGEST  0x7bffu
#define CS_HALF_MOST     65504.0f /* its value */

/* To nearest, ties to even; what is too large becomes infinite, NaN stays NaN. */
uint16_t cs_half_nearest(float value);
/* The largest half that is not above `value`; NaN stays NaN. */
uint16_t cs_half_below(float value);
/* The smallest half that is not below `value`, which may be infinite; NaN stays NaN. */
uint16_t cs_half_above(float value);
float cs_half_value(uint16_t half);
