/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses LZ4 blocks. */
#include "format/unpack.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#endif

bool cs_unpack_some(const void *packed, size_t stored, void *ret, size_t room, size_t *n_ret)
{
	if (stored > INT_MAX || room > INT_MAX)
		return false;
#ifdef HAVE_ASAN
	/* liblz4 is not instrumented, so its buffers are checked here */
	if (__asan_region_is_poisoned((void *)packed, stored) ||
		__asan_region_is_poisoned(ret, room))
		abort();
#endif
	int got = LZ4_decompress_safe(packed, ret, (int)stored, (int)room);
	if (got < 0)
		return false;
	*n_ret = (size_t)got;
	return true;
}

bool cs_unpack(const void *packed, size_t stored, void *ret, size_t raw)
{
	size_t n;
	return cs_unpack_some(packed, stored, ret, raw, &n) && n == raw;
}
