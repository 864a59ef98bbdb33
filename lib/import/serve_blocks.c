/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves requests to unpack blocks: reads packed blocks from standard input, calls
 * OodleLZ_Decompress of the user's library, and writes the unpacked bytes to standard output.
 */
#include "import/import_parts.h"

#include "core/fully.h"
#include "core/import_program.h"
#include "import/memory_limit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Type of OodleLZ_Decompress. This file passes NULL for window, callback and memory. */
typedef intptr_t decompress(const void *packed, intptr_t packed_size, void *plain,
	intptr_t plain_size, int safe, int check_sums, int verbosity, void *window,
	intptr_t window_size, void *callback, void *context, void *memory, intptr_t memory_size,
	int phase);

enum { SAFE = 1, ONE_THREAD = 3, SLACK = 64 };

static bool put_status(enum cs_block_status status)
{
	const uint32_t number = status;
	return cs_write_fully(STDOUT_FILENO, &number, sizeof(number));
}

static int blocks_refuse(const char *what, const char *why)
{
	char text[CS_BLOCK_TEXT] = "";
	snprintf(text, sizeof(text), "%s%s", what, why ? why : "");
	return put_status(CS_BLOCK_REFUSED) && cs_write_fully(STDOUT_FILENO, text, sizeof(text))
		       ? 0
		       : 1;
}

/*
 * Restricts the process to reading the library's folder and the files that loading a library needs.
 * Unlike steps of a farm (lib/farm), foreign code reads only /proc/self of /proc, and no terminal.
 */
static bool enter_cage(const char *library)
{
	static const char *const loaded[] = {"/usr/lib", "/lib", "/lib32", "/lib64",
		"/etc/ld.so.cache", "/proc/self", "/nix/store", "/gnu/store", NULL};
	return memory_cage(library, loaded);
}

/*
 * Reads one packed block and writes it unpacked. Returns false at the end of the requests, and on
 * any failure.
 */
static bool serve_block(decompress *unpack)
{
	uint32_t sizes[2];
	if (!cs_read_fully(STDIN_FILENO, sizes, sizeof(sizes)) || sizes[0] > CS_BLOCK_MOST ||
		sizes[1] > CS_BLOCK_MOST)
		return false;
	unsigned char *packed = calloc(1, (size_t)sizes[0] + SLACK);
	unsigned char *plain = calloc(1, (size_t)sizes[1] + SLACK);
	bool ok = packed && plain && cs_read_fully(STDIN_FILENO, packed, sizes[0]);
	const bool whole = ok && unpack(packed, sizes[0], plain, sizes[1], SAFE, 0, 0, NULL, 0,
					 NULL, NULL, NULL, 0, ONE_THREAD) == (intptr_t)sizes[1];
	ok = ok && put_status(whole ? CS_BLOCK_PLAIN : CS_BLOCK_DAMAGED) &&
	     (!whole || cs_write_fully(STDOUT_FILENO, plain, sizes[1]));
	free(packed);
	free(plain);
	return ok;
}

int unpack_serve(const char *library, bool caged)
{
	decompress *unpack = NULL;
	if (caged && !enter_cage(library))
		return blocks_refuse(
			"the kernel has no Landlock or seccomp to confine the codec: --no-sandbox "
			"loads it without",
			NULL);
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return blocks_refuse("", dlerror());
	void *symbol = dlsym(handle, "OodleLZ_Decompress");
	if (!symbol)
		return blocks_refuse("the library has no function OodleLZ_Decompress", NULL);
	memcpy(&unpack, &symbol, sizeof(symbol));
	if (!put_status(CS_BLOCK_PLAIN))
		return 1;
	while (serve_block(unpack))
		;
	return 0;
}
