/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of command lines: words and signs, quoting and its inverse, abbreviations, options, raw
 * arguments, and every error with its place.
 */
#include "src/language/parse.h"

#include "core/random.h"
#include "tests/samples/tap.h"

static struct definitions definitions, aliases;
static const struct parse_context context = {&definitions, &aliases};

/* ---- words ---- */

static char shown[4096];

/* Returns the words of a line as "word|word|@|...". */
static const char *words(const char *line)
{
	struct scanner scanner = {line, 0, &definitions};
	enum sign sign = SIGN_WORD;
	size_t n = 0;
	shown[0] = '\0';
	while (sign != SIGN_END) {
		static const char *const signs[] = {"", "", "<@>", "<~>", "<|>", "<to>"};
		struct word word = {0};
		struct cs_error *error = scan(&scanner, &sign, &word);
		if (error) {
			snprintf(shown, sizeof(shown), "%s at %llu", error->message,
				(unsigned long long)error->offset);
			cs_error_free(error);
			return shown;
		}
		n += (size_t)snprintf(shown + n, sizeof(shown) - n, "%s%s",
			sign == SIGN_WORD ? word.text : signs[sign], sign == SIGN_END ? "" : ";");
		word_free(&word);
	}
	return shown;
}

static void test_words(void)
{
	is_text(words("cells -w  'a b'\t\"c d\""), "cells;-w;a b;c d;", "blanks and quotes");
	is_text(words("cell @ L0:5,1 ~ x | less > out"), "cell;<@>;L0:5,1;<~>;x;<|>;less;<to>;out;",
		"signs");
	is_text(words("a@b c~d e|f g>h"), "a@b;c~d;e|f;g>h;", "signs inside of words are none");
	is_text(words("actors @."), "actors;<@>;.;", "a sign without a blank behind it");
	is_text(words("x ~/re/ y"), "x;<~>;/re/;y;", "a filter expression");
	is_text(words("open ~/worlds/valley.cworld"), "open;~/worlds/valley.cworld;",
		"a path of the home folder");
	is_text(words("'it''s' \"a\"b'c'"), "its;abc;", "pieces make a word");
	is_text(words("'\\x41' \"\\x41\" \\x41\\\\ \\\""), "\\x41;A;A\\;\";", "escapes");
	is_text(words("'' \"\""), ";;", "empty words");
	is_text(words("@DATA@/v.cworld '@DATA@' \"@DATA@\" \\@DATA@"),
		"/data dir/v.cworld;@DATA@;/data dir;@DATA@;", "definitions");
	is_text(words("open @NOPE@/x"), "no value for @NOPE@; give it with -D NOPE=VALUE at 5",
		"an unknown definition");
	is_text(words("say 'open"), "the quotation mark is not closed at 4", "open quotes");
	is_text(words("say \"open\\"), "nothing follows the backslash at the end of the line at 9",
		"open escape");
	is_text(words("a \\x00"), "a text cannot contain a zero byte, \\x00 at 2", "no NUL");
	is_text(words(""), "", "nothing");
}

/* Any text that is quoted is read back as the same text and as one word. */
static void test_quoting(void)
{
	struct cs_random random = {11};
	size_t wrong = 0, unsafe = 0;
	for (unsigned i = 0; i < 20000 / tap_every(); i++) {
		char text[12], want[16];
		size_t n = 1 + cs_random_below(&random, 10);
		for (size_t k = 0; k < n; k++)
			text[k] = (char)(1 + cs_random_below(&random, 255));
		text[n] = '\0';
		snprintf(want, sizeof(want), "%s;", text);
		char *quoted = quote_word(text);
		wrong += strcmp(words(quoted), want) != 0;
		for (const char *c = quoted; *c; c += n + (c[n] == '\\')) {
			n = strcspn(c, "\\");
			unsafe += cs_escape(c, n, false, NULL, 0) != n;
		}
		free(quoted);
	}
	is_int(wrong, 0, "20000 quoted texts are read back");
	is_int(unsafe, 0, "and hold no unsafe character");
	char *quoted = quote_word("\u65e5\u672c e\u0301\u202e@A$\"\\");
	is_text(quoted, "\"\u65e5\u672c e\u0301\\xe2\\x80\\xae\\x40A\\$\\\"\\\\\"",
		"letters of other scripts stay readable");
	free(quoted);
}

/* ---- lines ---- */

/*
 * Returns a parsed line as "command;arg;arg -option=value @where ~filter |shell >into", or its
 * error.
 */
static const char *parsed(const char *line)
{
	struct invocation invocation;
	struct cs_error *error = parse_line(&context, line, &invocation);
	size_t n = 0;
	if (error) {
		snprintf(shown, sizeof(shown), "%s at %lld: %s",
			cs_word(CS_WORDS_CODE, error->code)->name,
			error->offset == CS_NO_OFFSET ? -1 : (long long)error->offset,
			error->message);
		cs_error_free(error);
		return shown;
	}
	shown[0] = '\0';
	if (invocation.command)
		n += (size_t)snprintf(shown, sizeof(shown), "%s", invocation.command->name);
	for (size_t i = 0; i < invocation.words.n; i++)
		n += (size_t)snprintf(
			shown + n, sizeof(shown) - n, ";%s", invocation.words.at[i].text);
	for (size_t i = 0; i < invocation.options.n; i++) {
		const struct option_spec *option =
			option_at(invocation.command, invocation.options.at[i].index);
		n += (size_t)snprintf(shown + n, sizeof(shown) - n, " -%s%.1s=%s",
			option->name ? option->name : "", option->name ? "" : &option->letter,
			invocation.options.at[i].value.text);
	}
	const struct word *signs[] = {
		&invocation.where, &invocation.filter, &invocation.shell, &invocation.into};
	for (size_t i = 0; i < 4; i++)
		if (signs[i]->text)
			n += (size_t)snprintf(
				shown + n, sizeof(shown) - n, " %c%s", "@~|>"[i], signs[i] -> text);
	invocation_free(&invocation);
	return shown;
}

static void test_lines(void)
{
	is_text(parsed("cells"), "cells", "a command");
	is_text(parsed("  cells  "), "cells", "with blanks around");
	is_text(parsed(""), "", "an empty line");
	is_text(parsed("apr layer"), "apropos;layer", "an abbreviation");
	is_text(parsed("p cells[0]"), "print;cells[0]", "an alias of the table");
	is_text(parsed("info tables cells"), "info tables;cells", "a command of two words");
	is_text(parsed("info"), "info", "and its shorter relative");
	is_text(parsed("cells -n 5 -w \"x > 1\" --json"), "cells -n=5 -w=x > 1 -json=", "options");
	is_text(parsed("cells -w state='failed' -n 5"), "cells -w=state='failed' -n=5",
		"an expression keeps its quotes");
	is_text(parsed("cells -w name='a b' ~ x"), "cells -w=name='a b' ~x", "and blanks in them");
	is_text(parsed("cells -wname=\"x\""), "cells -w=name=\"x\"", "also behind its letter");
	is_text(parsed("cells -w'x = 1' -w'y'=2"), "cells -w=x = 1 -w=y=2",
		"but not those that begin it");
	is_text(parsed("cells -n5 --csv"), "cells -n=5 -csv=", "a value without a blank");
	is_text(parsed("open x --map=Valley"), "open;x -map=Valley", "a value behind =");
	is_text(parsed("open --map Valley x"), "open;x -map=Valley", "options come anywhere");
	is_text(parsed("cell L0:0,0 @ . ~ x > f"), "cell;L0:0,0 @. ~x >f", "signs");
	is_text(parsed("cells @ actor Rock_1 -n 1"), "cells -n=1 @actor Rock_1",
		"an actor's place");
	is_text(parsed("cells | sort -k2 | head > x"), "cells |sort -k2 | head > x",
		"a shell takes the rest");
	is_text(parsed("echo -- --json"), "echo;--json", "-- ends options");
	is_text(parsed("cell -5,3"), "cell;-5,3", "a negative number is no option");
	is_text(parsed("busy -c name"), "cells -s=-actors -n=3 -c=name", "a user's alias");
}

static void test_raw(void)
{
	is_text(parsed("assert a | b > c ~ 'd' @ e"), "assert;a | b > c ~ 'd' @ e",
		"an expression is the rest of the line");
	is_text(parsed("sql SELECT 1 -- x"), "sql;SELECT 1 -- x", "so is a statement");
	is_text(parsed("sql SELECT 1 --json"),
		"sql;SELECT 1 -json=", "but for options of the output at its end");
	is_text(parsed("sql --csv SELECT 1"), "sql;SELECT 1 -csv=", "and in front");
	is_text(parsed("sql \"SELECT 1 > 2\" > out"), "sql;SELECT 1 > 2 >out",
		"unless it is quoted");
	is_text(parsed("assert '@DATA@' = '@OTHER@'"), "assert;'/data dir' = '@OTHER@'",
		"known definitions are replaced");
	is_text(parsed("expect error E_NOCELL: cell 9 > x"), "expect error;E_NOCELL: cell 9 > x",
		"a command in a command");
	is_text(parsed("set $v = 1 | 2"), "set;$v;= 1 | 2", "a variable");
}

static void test_errors(void)
{
	is_text(parsed("celss"), "E_UNKNOWN at 0: unknown command 'celss'; did you mean 'cells'?",
		"a typing mistake");
	is_text(parsed("zzzzzzzz"), "E_UNKNOWN at 0: unknown command 'zzzzzzzz'", "nothing near");
	is_text(parsed("ce"),
		"E_AMBIGUOUS at 0: 'ce' is the beginning of several commands: cells, cell, cell-of",
		"an ambiguous beginning");
	is_text(parsed("expect"), "E_USAGE at 0: 'expect' must be followed by one of: error",
		"half a command");
	is_text(parsed("cells --jsno"),
		"E_USAGE at 6: cells has no option --jsno; did you mean '--json'?",
		"a wrong option");
	is_text(parsed("cells -n"), "E_USAGE at 6: -n needs N", "an option without its value");
	is_text(parsed("cells -n x"), "E_USAGE at 9: N must be a whole number, not 'x'",
		"a wrong value");
	is_text(parsed("cells -n -1"),
		"E_USAGE at 9: N must be a whole number of at least 0, not -1",
		"a number below the range");
	is_text(parsed("cells -n 18446744073709551616"),
		"E_USAGE at 9: N must be at most 18446744073709551615, not 18446744073709551616",
		"and above");
	is_text(parsed("cells -n -"), "E_USAGE at 9: N must be a whole number, not '-'",
		"a sign alone");
	is_text(parsed("cells -c \"\""), "E_USAGE at 9: COLS must not be empty", "no columns");
	is_text(parsed("cells -s ' '"), "E_USAGE at 9: KEY must not be empty", "no key");
	is_text(parsed("cells --json --csv"),
		"E_USAGE at 13: give either --json or --csv, not both", "two formats");
	is_text(parsed("cells --json --json"), "cells -json= -json=", "the same one twice");
	is_text(parsed("cells --json=1"), "E_USAGE at 6: --json=1 takes no value",
		"a value too many");
	is_text(parsed("cells x"), "E_USAGE at 6: cells takes no further argument 'x'",
		"a word too many");
	is_text(parsed("open"), "E_USAGE at 4: open needs FILE", "a word too few");
	is_text(parsed("assert"), "E_USAGE at 6: assert needs EXPR [: \"TEXT\"]", "no expression");
	is_text(parsed("gen village -o x"),
		"E_USAGE at 4: KIND must be one of city, open, not 'village'", "a wrong choice");
	is_text(parsed("> x"), "E_USAGE at 0: a command must come before '>'", "a sign first");
	is_text(parsed("cells >"), "E_USAGE at 6: the name of a file must follow '>'",
		"nothing behind >");
	is_text(parsed("cells > a > b"), "E_USAGE at 10: '>' may be in the line only once",
		"> twice");
	is_text(parsed("cells -h nonsense"),
		"E_USAGE at 9: cells takes no further argument 'nonsense'",
		"help takes no arguments either");
}

/* Random lines of meaningful pieces give an answer or an error, but never a crash. */
static void test_rubbish(void)
{
	static const char *const pieces[] = {"cells", "open", "sql", "assert", " ", "  ", "-", "--",
		"-w", "--json", "=", "'", "\"", "\\", "\\x", "\\x41", "@", "@DATA@", "@X@", "~",
		"~/", "/", "|", ">", ":", "(", ")", "L0:5,1", "expect error", "E_NOCELL:", "busy",
		"\t", "\xc3\xa9", "\xff", "\x1b", "#", "$v", "99999999999999999999"};
	struct cs_random random = {5};
	size_t good = 0;
	const unsigned lines = 50000 / tap_every();
	for (unsigned i = 0; i < lines; i++) {
		char line[400] = "";
		size_t n = cs_random_below(&random, 12);
		for (size_t k = 0; k < n; k++)
			strcat(line, pieces[cs_random_below(
					     &random, sizeof(pieces) / sizeof(pieces[0]))]);
		good += strncmp(parsed(line), "E_", 2) != 0;
	}
	ok(good > 100, "%zu of %u random lines are commands, the rest are errors", good, lines);
}

static void test_names(void)
{
	size_t wrong = 0;
	for (size_t i = 0; i < n_commands; i++) {
		const char *name = parsed(commands[i]->name);
		bool needs_more = strncmp(name, "E_USAGE", 7) == 0 && strstr(name, " needs ");
		if (strcmp(name, commands[i]->name) != 0 && !needs_more) {
			diag("%s: %s", commands[i]->name, name);
			wrong++;
		}
		for (size_t k = 0; k < i; k++)
			wrong += strcmp(commands[i]->name, commands[k]->name) == 0 ||
				 (commands[i]->alias && commands[k]->alias &&
					 strcmp(commands[i]->alias, commands[k]->alias) == 0);
	}
	is_int(wrong, 0, "%zu commands are found by their names, which are distinct", n_commands);
	is_text(closest_name("celsl", (const char *const[]){"grids", "cells"}, 2), "cells",
		"letters that were swapped");
	ok(!closest_name("nope", (const char *const[]){"open"}, 1),
		"two of four letters are too many");
	ok(!closest_name("x", (const char *const[]){"grids", "cells"}, 2), "nothing is close");
}

int main(void)
{
	if (define(&definitions, "DATA", "/data dir") ||
		define(&aliases, "busy", "cells -s -actors -n 3"))
		abort();
	test_words();
	test_quoting();
	test_lines();
	test_raw();
	test_errors();
	test_rubbish();
	test_names();
	definitions_free(&definitions);
	definitions_free(&aliases);
	return done();
}
