/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns of scripts and filters: measured, compiled, matched with a line. */
#include "tests/fuzz/fuzz.h"

#include "src/output/pattern.h"

#include <stdlib.h>
#include <string.h>

const char fuzz_name[] = "patterns";

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char *const texts[] = {"^[0-9a-f]{8}(-[0-9a-f]{4}){3}$",
		"(L[0-9]+_X-?[0-9]+_Y-?[0-9]+|MainGrid)+ .*loading",
		"a{1,255}b{3,}c{,4}(d{1,9}){1,9}", "[]a-z[:digit:][.-.]]*[^]x]\\{\\(\\.",
		"((a?b*|c+)|(d|e)*)?$", "(a{1,30}){1,30}{1,2}", "((a*)*{1,9}){1,9}",
		"(^a?$)?(^b?$)?\\<c?$"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
}

const char *const fuzz_words[] = {"(", ")", "{1,9}", "{,255}", "*", "+", "?", "|", "[[:alpha:]]",
	"[^", "\\1", "^", "$", ".*", "(a*)*", "(x+x+)+", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size + 1);
	struct pattern pattern;
	bool matches;
	memcpy(text, bytes, size);
	text[size] = '\0';
	struct cs_error *error = pattern_compile(text, &pattern);
	if (!error) {
		error = pattern_match(&pattern, "MainGrid_L0_X-1_Y2 loading aab", &matches);
		pattern_free(&pattern);
	}
	fuzz_note(error);
	free(text);
	return 0;
}
