/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identifies the code of the program. A result is valid only for the code that made it, so the
 * program and each library loaded at its start are part of every key: by the build id that the
 * linker stored, or by the whole file if there is none. Libraries that are loaded later by name,
 * and the kernel, are not included.
 */
#include "farm/plan.h"

#include "core/cursor.h"
#include "core/fully.h"
#include "core/import_program.h"
#include "format/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* computed before main, when only the libraries that the program needs are loaded */
static struct cs_farm_key code_of_this_process;

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* Hashes the build id from the notes of an ELF object. Returns false when there is none. */
static bool add_build_id(XXH3_state_t *state, const unsigned char *note, size_t left)
{
	enum { HEAD = 12 };
	while (left >= HEAD) {
		size_t name = padded(cs_load32(note)), id = padded(cs_load32(note + 4));
		if (name > left - HEAD || id > left - HEAD - name)
			return false;
		if (cs_load32(note + 8) == NT_GNU_BUILD_ID && name == 4 &&
			memcmp(note + HEAD, "GNU", 4) == 0) {
			XXH3_128bits_update(state, note + HEAD + name, id);
			return true;
		}
		note += HEAD + name + id;
		left -= HEAD + name + id;
	}
	return false;
}

static void fingerprint_add_file(XXH3_state_t *state, const char *path)
{
	unsigned char *bytes;
	size_t size;
	struct cs_error *error = cs_read_whole(path, UINT32_MAX, &bytes, &size);
	if (!error) {
		XXH3_128bits_update(state, bytes, size);
		free(bytes);
	}
	cs_error_free(error);
}

static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
	bool is_program = !*info->dlpi_name, found = false;
	(void)size;
	if (!is_program && !strchr(info->dlpi_name, '/'))
		return 0; /* the object has no file: the kernel provides it (vDSO) */
	for (unsigned i = 0; i < info->dlpi_phnum && !found; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_NOTE)
			found = add_build_id(context,
				(const unsigned char *)(info->dlpi_addr + part->p_vaddr),
				part->p_memsz);
	}
	if (!found)
		fingerprint_add_file(context, is_program ? "/proc/self/exe" : info->dlpi_name);
	return 0;
}

__attribute__((constructor)) static void find_code(void)
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	dl_iterate_phdr(add_object, &state);
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	code_of_this_process = (struct cs_farm_key){hash.high64, hash.low64};
}

struct cs_farm_key farm_code(void)
{
	return code_of_this_process;
}

void cs_farm_code(char ret[CS_FARM_KEY_TEXT])
{
	cs_farm_key_format(code_of_this_process, ret);
}

/* Runs the import program with --code, and returns the key that it prints, or zero on failure. */
struct cs_farm_key farm_importer_code(void)
{
	static char word[] = "--code";
	char program[PATH_MAX], text[CS_FARM_KEY_TEXT] = "";
	char *const argv[] = {program, word, NULL};
	struct cs_farm_key code = {0, 0};
	int ends[2];
	pid_t pid;
	cs_import_program(program);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return code;
	const bool asked = cs_import_start(argv, -1, ends[1], &pid) == 0;
	close(ends[1]);
	const bool told = asked && cs_read_fully(ends[0], text, sizeof(text) - 1);
	close(ends[0]);
	while (asked && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return told && farm_parse_key(text, &code) ? code : (struct cs_farm_key){0, 0};
}
