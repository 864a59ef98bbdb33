/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large arrays in scratch files, where memory is limited: they keep their content while they grow,
 * they are no memory of the process, and a limit of the system does not count them.
 */
#include "core/large.h"
#include "core/vec.h"

#include "tests/samples/tap.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

/* Returns whether the address lies in a mapping of a file without a name. */
static bool lies_on_disk(const void *address)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;
	uintptr_t first, end;
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2 &&
			(uintptr_t)address >= first && (uintptr_t)address < end)
			found = strstr(line, "(deleted)") != NULL;
	if (file)
		fclose(file);
	return found;
}

/* A sanitizer has an allocator of its own, and not every file system has files without names. */
static bool system_spills(void)
{
	cs_large_limit(1);
	char *array = cs_large_malloc(CS_LARGE);
	const bool spills = array && lies_on_disk(array + CS_LARGE / 2);
	free(array);
	return spills;
}

static void test_spilled_growth(void)
{
	CS_VEC(uint64_t) numbers = {0};
	const size_t n = 3 * (size_t)CS_LARGE / sizeof(uint64_t);
	const uint64_t before = cs_memory_in_use();
	bool good = true;
	for (uint64_t i = 0; good && i < n; i++)
		good = cs_vec_push(&numbers, i * i);
	for (uint64_t i = 0; good && i < n; i++)
		good = numbers.at[i] == i * i;
	ok(good && lies_on_disk(&numbers.at[n - 1]) && lies_on_disk(&numbers.at[n / 2]),
		"an array that grew in scratch files contains what was pushed");
	ok(cs_memory_in_use() < before + 2 * (uint64_t)CS_LARGE,
		"its bytes are no memory of the process");
	ok(cs_grow(numbers.at, 10) && numbers.at[9] == 81, "shrinking keeps what remains");
	cs_vec_free(&numbers);
	ok(cs_memory_in_use() < before + 2 * (uint64_t)CS_LARGE,
		"it is freed like any other array");
}

/* The system refuses memory beyond the limit, but not an array on the disk that is larger. */
static void test_spilled_beyond_limit(void)
{
	struct rlimit before, limit;
	getrlimit(RLIMIT_DATA, &before);
	limit = before;
	limit.rlim_cur = cs_memory_in_use() + 2 * (rlim_t)CS_LARGE;
	setrlimit(RLIMIT_DATA, &limit);
	cs_large_limit(limit.rlim_cur);
	char *large = cs_large_calloc(4, CS_LARGE), *refused = malloc(4 * (size_t)CS_LARGE);
	bool zero = large != NULL;
	for (size_t i = 0; zero && i < 4 * (size_t)CS_LARGE; i += 511)
		zero = large[i] == 0;
	ok(zero && lies_on_disk(large + 3 * (size_t)CS_LARGE),
		"an array beyond the limit is zeros on disk");
	ok(!refused, "other memory beyond the limit is refused as before");
	char *small = cs_large_malloc(CS_LARGE / 2);
	ok(small && !lies_on_disk(small + CS_LARGE / 4), "a small array stays in memory");
	free(large);
	free(refused);
	free(small);
	setrlimit(RLIMIT_DATA, &before);
	cs_large_limit(0);
}

/* Without a folder that takes the file, the array lies in memory. */
static void test_no_folder(void)
{
	cs_large_limit(1);
	const struct rlimit none = {0, RLIM_INFINITY};
	struct rlimit before;
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &none);
	char *array = cs_large_calloc(CS_LARGE, 1);
	ok(array && !lies_on_disk(array + CS_LARGE / 2) && array[CS_LARGE - 1] == 0,
		"an array lies in memory when no file can have its size");
	free(array);
	setrlimit(RLIMIT_FSIZE, &before);
	cs_large_limit(0);
}

/* Mounts a file system over TMPDIR that has no room for a large array, for this process alone. */
static bool mount_small(const char *folder)
{
	setenv("TMPDIR", folder, 1);
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", folder, "tmpfs", 0, "size=1m") == 0;
}

/* A folder that is full is passed over, like one that does not exist. */
static void test_full_folder(void)
{
	char folder[] = "/tmp/large_scratch.XXXXXX";
	if (!mkdtemp(folder) || !mount_small(folder)) {
		skip("a file system can only be mounted by root");
	} else {
		cs_large_limit(1);
		char *array = cs_large_calloc(CS_LARGE, 1);
		ok(array && lies_on_disk(array + CS_LARGE / 2),
			"an array lies in the next folder when the first has no room for it");
		free(array);
		cs_large_limit(0);
		umount(folder);
	}
	rmdir(folder);
}

int main(void)
{
	if (system_spills()) {
		test_spilled_growth();
		test_spilled_beyond_limit();
		test_no_folder();
		test_full_folder();
	} else {
		skip("no arrays in scratch files");
	}
	return done();
}
