/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded pseudo-random numbers, the same on all machines: SplitMix64 (Steele, Lea, Flood 2014). */
#pragma once

#include <cellscope/core.h>

struct cs_random {
	uint64_t state;
};

#if defined(__clang__)
__attribute__((no_sanitize("unsigned-integer-overflow")))
#endif
static inline uint64_t
cs_random_u64(struct cs_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns a number from 0 to bound - 1; bound must not be 0. */
static inline uint32_t cs_random_below(struct cs_random *random, uint32_t bound)
{
	return (uint32_t)((cs_random_u64(random) >> 32) * bound >> 32);
}

/* Returns a number of at least 0 and below 1 with 53 random bits. */
static inline double cs_random_unit(struct cs_random *random)
{
	return (double)(cs_random_u64(random) >> 11) * 0x1p-53;
}

static inline double cs_random_range(struct cs_random *random, double low, double high)
{
	return low + (high - low) * cs_random_unit(random);
}

static inline struct cs_guid cs_random_guid(struct cs_random *random)
{
	uint64_t high = cs_random_u64(random), low = cs_random_u64(random);
	return (struct cs_guid){
		(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32), (uint32_t)low};
}
