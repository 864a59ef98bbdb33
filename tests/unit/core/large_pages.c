/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays in large pages: the system is asked for such pages for all of an array and nothing else,
 * a small array asks for none, and an array keeps its content while it grows.
 */
#include "core/large.h"
#include "core/vec.h"

#include "tests/samples/tap.h"

#include <unistd.h>

/*
 * Returns whether the mapping that contains the address is marked for large pages: the flag "hg" of
 * /proc/self/smaps. *size_ret is its size in bytes.
 */
static bool asks(const void *address)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	char line[512];
	bool here = false, marked = false;
	uintptr_t first, end;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2) {
			here = (uintptr_t)address >= first && (uintptr_t)address < end;
		} else if (here && strncmp(line, "VmFlags:", 8) == 0) {
			marked = strstr(line, " hg") != NULL;
		}
	}
	if (file)
		fclose(file);
	return marked;
}

/* A kernel without large pages refuses the mark. */
static bool system_has_them(void)
{
	return access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0;
}

static void test_marks(void)
{
	char *large = cs_large_calloc(CS_LARGE + 5000, 1), *small = cs_large_malloc(CS_LARGE / 2);
	ok(large && small && large[CS_LARGE + 4999] == 0, "arrays are allocated");
	ok(asks(large) && asks(large + CS_LARGE + 4999),
		"a large array asks for large pages, to its end");
	ok(!asks(small), "a small array asks for none");
	free(large);
	free(small);
}

static void test_growth(void)
{
	CS_VEC(uint64_t) numbers = {0};
	const size_t n = 3 * (size_t)CS_LARGE / sizeof(uint64_t);
	bool good = true;
	for (uint64_t i = 0; good && i < n; i++)
		good = cs_vec_push(&numbers, i * i);
	for (uint64_t i = 0; good && i < n; i++)
		good = numbers.at[i] == i * i;
	ok(good, "an array that grew contains what was pushed");
	ok(good && asks(numbers.at) && asks(&numbers.at[n - 1]),
		"it asks for large pages, to its end");
	cs_vec_free(&numbers);
}

int main(void)
{
	if (system_has_them()) {
		test_marks();
		test_growth();
	} else {
		skip("the system has no large pages");
	}
	return done();
}
