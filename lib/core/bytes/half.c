/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts between float (binary32) and half (binary16). The magnitude is truncated to half
 * precision by bit operations, and the lost bits decide the rounding; a carry out of the mantissa
 * correctly increments the exponent.
 */
#include "core/half.h"

#include "core/cursor.h"

enum {
	FLOAT_MANTISSA = 23,
	HALF_MANTISSA = 10,
	CUT = FLOAT_MANTISSA - HALF_MANTISSA,
	BIAS_DIFFERENCE = 127 - 15,
	HALF_MAX_EXPONENT = 31,
};

static const uint32_t float_infinity = 0x7f800000u;

/*
 * Returns the largest half-precision number that is not above a magnitude. *cut_ret describes the
 * lost bits as a fraction of the lowest kept bit: 0 for none, 1 for less than 1/2, 2 for exactly
 * 1/2, 3 for more than 1/2.
 */
static uint32_t truncate(uint32_t magnitude, unsigned *cut_ret)
{
	int exponent = (int)(magnitude >> FLOAT_MANTISSA) - BIAS_DIFFERENCE;
	uint32_t mantissa = magnitude & ((1u << FLOAT_MANTISSA) - 1);
	unsigned shift = CUT;
	if (exponent >= HALF_MAX_EXPONENT) {
		*cut_ret = 3;
		return CS_HALF_LARGEST;
	}
	if (exponent <= 0) {
		/* a subnormal half stores explicitly the leading 1 that is implicit in the float */
		mantissa |= 1u << FLOAT_MANTISSA;
		shift += (unsigned)(1 - exponent);
		exponent = 0;
		if (shift > FLOAT_MANTISSA + 1) {
			*cut_ret = magnitude != 0;
			return 0;
		}
	}
	uint32_t lost = mantissa & ((1u << shift) - 1), middle = 1u << (shift - 1);
	*cut_ret = lost == 0 ? 0 : lost < middle ? 1 : lost == middle ? 2 : 3;
	return ((uint32_t)exponent << HALF_MANTISSA) + (mantissa >> shift);
}

static uint16_t special(uint32_t magnitude, uint32_t sign)
{
	return (uint16_t)(sign | (magnitude > float_infinity ? 0x7e00u : CS_HALF_INFINITY));
}

uint16_t cs_half_nearest(float value)
{
	uint32_t bits = cs_bits_of_float(value), magnitude = bits & 0x7fffffffu;
	uint32_t sign = bits >> 16 & 0x8000u;
	unsigned cut;
	if (magnitude >= float_infinity)
		return special(magnitude, sign);
	uint32_t half = truncate(magnitude, &cut);
	if (cut == 3 || (cut == 2 && half & 1))
		half++;
	return (uint16_t)(sign | half);
}

/* Rounds to half precision: away from zero if the sign bit equals `away`, else towards zero. */
static uint16_t directed(float value, uint32_t away)
{
	uint32_t bits = cs_bits_of_float(value), magnitude = bits & 0x7fffffffu;
	uint32_t sign = bits >> 16 & 0x8000u;
	unsigned cut;
	if (magnitude >= float_infinity)
		return special(magnitude, sign);
	uint32_t half = truncate(magnitude, &cut);
	if (cut && sign == away)
		half++;
	return (uint16_t)(sign | half);
}

uint16_t cs_half_below(float value)
{
	return directed(value, 0x8000u);
}

uint16_t cs_half_above(float value)
{
	return directed(value, 0);
}

float cs_half_value(uint16_t half)
{
	uint32_t sign = (half & 0x8000u) << 16, exponent = half >> HALF_MANTISSA & 31u;
	uint32_t mantissa = half & 0x3ffu;
	if (exponent == HALF_MAX_EXPONENT)
		return cs_float_of_bits(sign | float_infinity | mantissa << CUT);
	if (exponent == 0) {
		float value = (float)mantissa * 0x1p-24f;
		return sign ? -value : value;
	}
	return cs_float_of_bits(
		sign | (exponent + BIAS_DIFFERENCE) << FLOAT_MANTISSA | mantissa << CUT);
}
