/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of error objects, and the frozen list of their names: scripts depend on them. */
#include <cellscope/core.h>

#include "core/error_inside.h"
#include "tests/samples/tap.h"

#include <errno.h>

static const char *const frozen[] = {"NOMEM", "IO", "NOFILE", "NOTFILE", "EXISTS", "CHANGED",
	"LIMIT", "INTERRUPTED", "MAGIC", "VERSION", "TRUNCATED", "TRAILING", "CHECKSUM", "LAYOUT",
	"COMPRESSION", "MISSING", "FIELD", "REFERENCE", "FEATURE", "JSON", "WORLD", "GUID",
	"DUPLICATE", "PROJECT", "NOMAP", "PACKAGE", "LFS", "COOKED", "DESCRIPTOR", "LOG", "KEY",
	"PROFILE", "SETTING", "NOCELL", "NOACTOR", "NOLAYER", "NOGRID", "NOSOURCE", "NOFRAME",
	"MESH", "NANITE", "FARM", "SQL", "USAGE", "UNKNOWN", "AMBIGUOUS", "NOTOPEN", "UNSAFE",
	"CHECK", "DEPTH", "TIMEOUT", "INTERNAL", "PROCESS"};

int main(void)
{
	const int n = sizeof(frozen) / sizeof(frozen[0]);
	is_text(cs_word(CS_WORDS_CODE, CS_E_INTERNAL)->name, "E_INTERNAL",
		"the last constant has its name");
	size_t n_codes;
	cs_words(CS_WORDS_CODE, &n_codes);
	is_int(n_codes, n, "no code came or went");
	for (int i = 0; i < n; i++) {
		is_text(cs_word(CS_WORDS_CODE, i)->name + 2, frozen[i], "E_%s", frozen[i]);
		ok(*cs_word(CS_WORDS_CODE, i)->help, "E_%s has advice", frozen[i]);
	}
	struct cs_error *inner = cs_error_at(CS_E_TRUNCATED, "f.cworld", 17, "ends %d", 3);
	struct cs_error *outer = cs_error_wrap(inner, "cells");
	is_int(outer->code, CS_E_TRUNCATED, "a wrapped error keeps its code");
	is_int(outer->offset, 17, "and its offset");
	is_text(outer->file, "f.cworld", "and its file");
	is_text((outer->cause)->message, "ends 3", "and its cause");
	is_text(outer->message, "cells: ends 3",
		"whose message it repeats, for who prints one message");
	cs_error_free(outer);
	cs_error_free(cs_error_nomem());
	cs_error_free(NULL);
	fails(cs_error_errno(ENOENT, "x", "open"), CS_E_NOFILE, "ENOENT is E_NOFILE");
	fails(cs_error_errno(EACCES, "x", "open"), CS_E_IO, "EACCES is E_IO");
	fails(cs_error_wrap(cs_error_nomem(), "x"), CS_E_NOMEM, "out of memory can be wrapped");
	return done();
}
