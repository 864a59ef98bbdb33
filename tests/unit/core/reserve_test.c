/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reserved address space: its bytes read as 0 until they are written and after they are dropped,
 * neighbours of dropped bytes stay, and only bytes in use count towards the limit of the process.
 */
#include "core/reserve.h"

#include "tests/samples/tap.h"

#include <sys/resource.h>

enum { LARGE = 256 << 20, PART = 1000003, SMALL = 5 * PART };

static bool all_equal(const unsigned char *bytes, size_t n, unsigned char want)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != want)
			return false;
	return true;
}

static void test_parts(size_t bytes, const char *name)
{
	struct cs_reserved space = cs_reserve(bytes, 1);
	unsigned char *at = space.at;
	ok(at && all_equal(at, 5 * PART, 0), "%s: bytes read as 0 before they are written", name);
	bool good = cs_reserved_use(&space, PART, 3 * PART);
	memset(at + PART, 7, 3 * PART);
	ok(good && all_equal(at + PART, 3 * PART, 7), "%s: a part is written", name);
	cs_reserved_drop(&space, 2 * PART, PART);
	ok(all_equal(at + PART, PART, 7) && all_equal(at + 3 * PART, PART, 7),
		"%s: the neighbours of a dropped part stay", name);
	ok(all_equal(at + 2 * PART + 65536, PART - 2 * 65536, 0), "%s: its pages read as 0", name);
	good = cs_reserved_use(&space, 2 * PART, PART);
	memset(at + 2 * PART, 9, PART);
	ok(good && all_equal(at + PART, PART, 7) && all_equal(at + 2 * PART, PART, 9) &&
			all_equal(at + 3 * PART, PART, 7),
		"%s: a dropped part is written again", name);
	cs_reserved_free(&space);
	ok(space.at == NULL, "%s: freed", name);
}

static void test_limit(void)
{
	struct rlimit before, limit;
	getrlimit(RLIMIT_DATA, &before);
	limit = before;
	limit.rlim_cur = LARGE / 2;
	setrlimit(RLIMIT_DATA, &limit);
	struct cs_reserved space = cs_reserve(LARGE, 1);
	ok(space.at != NULL, "more bytes than the limit are reserved");
	bool good = true;
	for (size_t first = 0; first + PART <= LARGE; first += PART) {
		good = good && cs_reserved_use(&space, first, PART);
		if (good)
			((unsigned char *)space.at)[first] = 1;
		cs_reserved_drop(&space, first, PART);
	}
	ok(good, "each part is used within the limit when the parts before it are dropped");
	ok(!cs_reserved_use(&space, 0, LARGE), "more than the limit is refused");
	cs_reserved_free(&space);
	setrlimit(RLIMIT_DATA, &before);
}

/* Freeing a failed reservation must not unmap the bytes from address 0 on. */
static void test_failure(void)
{
	struct cs_reserved space = cs_reserve(SIZE_MAX / 2, 1);
	ok(!space.at && !space.mapped,
		"more than the address space is refused, and nothing is mapped");
	space = cs_reserve(SIZE_MAX / 2, 4);
	ok(!space.at && !space.mapped, "so is a number of bytes that exceeds size_t");
	cs_reserved_free(&space);
}

int main(void)
{
	test_failure();
	test_parts(SMALL, "small table");
	test_parts(LARGE, "large table");
#ifdef IS_SANITIZED
	skip("shadow memory counts towards the limit");
#else
	test_limit();
#endif
	return done();
}
