/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command files: lexer, parser, abbreviations, expectations. Nothing is run. */
#include "tests/fuzz/fuzz.h"

#include "src/language/parse.h"
#include "src/session/script/script.h"

#include <stdlib.h>
#include <string.h>

const char fuzz_name[] = "command file";

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char *const texts[] = {
		"open @OUT@/a.cworld\ncells -w \"level > 2 AND actors < 3\" -n 5 --json > list\n"
		"| text\n|~ ^[0-9]+ rows$\n|* L0_*\n|...\n",
		"source add Player0 33280,15360,180 --velocity 600,0,0\nstep 3 ~ /load/\n"
		"assert (SELECT count(*) FROM cells) <= 4 : \"budget\"\nexpect error E_NOCELL: cell 9,9\n"
		"xfail \"issue 12\": assert 1 = 2\ngolden map.txt: map @ L0:5,1\nrequire feature x\n",
		"echo 'a b' \"c\\x41\\\"d\" | cat\nalias x = cells -n 1\nset width 80\nc\n\n# note\nquit 3\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
}

static void parse(const char *line)
{
	static const struct definitions none;
	const struct parse_context context = {&none, &none};
	struct invocation invocation = {0};
	struct cs_error *error = parse_line(&context, line, &invocation);
	if (!error)
		invocation_free(&invocation);
	cs_error_free(error);
}

const char *const fuzz_words[] = {"foreach", "if", "else", "end", "define",
	"expect error E_NOCELL:", "xfail", "golden", "|~", "|*", "|...", "@OUT@", "--json", "-w",
	"-s", "> f", "| cat", "source", "assert", "require", "~ /", "@ ", ";", "$", "'", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size + 1);
	struct script script;
	memcpy(text, bytes, size);
	text[size] = '\0';
	struct cs_error *error = script_of_text("input", text, &script);
	if (!error) {
		for (size_t i = 0; i < script.items.n; i++)
			parse(script.items.at[i].text);
		script_free(&script);
	}
	fuzz_note(error);
	free(text);
	return 0;
}
