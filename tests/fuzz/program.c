/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole program on a script: each ends with a status that has a meaning, within the memory and
 * the time that it was given. The questions that users ask are the seeds, one each.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/samples/folder.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char fuzz_name[] = "scripts, run";

#define MEMORY_LIMIT 64 /* MiB */
#define TIME_LIMIT   2  /* seconds */
/* What the program takes before the limits count, and the moment that a command has to end. */
enum { BASE = 48, GRACE = 2 };
#define TEXT_(number) #number
#define TEXT(number)  TEXT_(number)

const char *const fuzz_words[] = {"foreach X in a b c\n", "while 1\n", "if 1 = 1\n", "else\n",
	"end\n", "define f\n", "f\n", "expect error E_NOCELL: ", "xfail \"why\": ", "assert ",
	"golden /dev/zero: ", "open /dev/zero\n", "open questions.json\n", "source add E 0,0,0 ",
	"step 1000000\n", "step -1\n", "sql SELECT ", "replace(hex(zeroblob(9e7)),'0','ab')",
	"printf('%999999999s',1)", "randomblob(9e8)",
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) FROM n",
	"actors a, actors b, actors c, actors d, actors e", "GLOB '*a*b*c*d*e*f*g*h*i*'",
	" -w \"x LIKE '%_%_%_%_%'\"", " -n 99999999999", " -s -bytes", " --json", " --csv",
	" --tsv", " ~ /((a*)*)*b/", "|~ ((a{1,20}){1,20})\n", "|* *\n", "|...\n", "| x\n",
	" @ L0:0,0", " @ 1e400,nan", "whatif MainGrid.cell_size=0\n",
	"whatif MainGrid.cell_size=1e-300\n", "map\n", "map --size 9999x9999\n",
	"set width 99999999\n", "set profile 5.0\n", "goto 1e18\n", "reverse-step\n",
	"break cell.load\n", "continue\n", "gen city --actors 99999999\n", "path load /dev/stdin\n",
	"quit 63\n", "@A@", "$x", NULL};

/* From "# 1 ..." to before "# 2 ...": one question, with the line that opens its world. */
static void add_questions(void (*add)(const void *, size_t), char *text)
{
	static const char opening[] = "open @FIXTURES@/scripts/questions.json\n";
	char seed[8192];
	for (char *from = strstr(text, "\n# 1 "); from;) {
		char *end = from + 1;
		do
			end = strstr(end + 1, "\n# ");
		while (end && (end[3] < '0' || end[3] > '9'));
		size_t n = end ? (size_t)(end - from) : strlen(from);
		int size = snprintf(seed, sizeof(seed), "%s%.*s\n", opening, (int)n, from);
		if (size > 0 && (size_t)size < sizeof(seed))
			add(seed, (size_t)size);
		from = end;
	}
}

static const char *source_folder(void)
{
	const char *folder = getenv("CELLSCOPE_SOURCE");
	return folder ? folder : ".";
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	enum { ROOM = 1 << 17 };
	char path[4096], *text = calloc(1, ROOM);
	snprintf(path, sizeof(path), "%s/fixtures/scripts/questions.cmd", source_folder());
	FILE *file = fopen(path, "rb");
	if (!file || !text)
		abort();
	text[fread(text, 1, ROOM - 1, file)] = '\0';
	fclose(file);
	add_questions(add, text);
	free(text);
}

static void write_script(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		abort();
}

static pid_t start(const char *script, const char *said)
{
	const char *build = getenv("CELLSCOPE_BUILD");
	char program[4096], fixtures[4096];
	posix_spawn_file_actions_t actions;
	pid_t pid;
	snprintf(program, sizeof(program), "%s/cellscope", build ? build : ".");
	snprintf(fixtures, sizeof(fixtures), "FIXTURES=%s/fixtures", source_folder());
	char *const argv[] = {program, (char *)"--safe", (char *)"--batch", (char *)"-k",
		(char *)"--max-mem=" TEXT(MEMORY_LIMIT), (char *)"--timeout=" TEXT(TIME_LIMIT),
		(char *)"-D", fixtures, (char *)"-x", (char *)script, NULL};
	posix_spawn_file_actions_init(&actions);
	for (int fd = 0; fd < 2; fd++)
		posix_spawn_file_actions_addopen(
			&actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
	posix_spawn_file_actions_addopen(
		&actions, 2, said, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
	if (posix_spawn(&pid, program, &actions, NULL, argv, environ) != 0)
		abort();
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static bool is_known(int status)
{
	enum { QUIT = 63, SKIPPED = 77 };
	return WIFEXITED(status) && (WEXITSTATUS(status) <= QUIT || WEXITSTATUS(status) == SKIPPED);
}

/* Shadow memory is no measure. */
static bool is_within_memory(const struct rusage *usage)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
	(void)usage;
	return true;
#else
	return usage->ru_maxrss >> 10 <= MEMORY_LIMIT + BASE;
#endif
}

/* The last error by its name, for the counts. */
static void note_ending(int status, const char *said)
{
	enum { ROOM = 1 << 16, NO = 1 };
	static char text[ROOM];
	const char *name = NULL;
	FILE *file = fopen(said, "rb");
	if (!file)
		abort();
	text[fread(text, 1, ROOM - 1, file)] = '\0';
	fclose(file);
	for (const char *at = text; WEXITSTATUS(status) > NO && (at = strstr(at, "[E_")); at++)
		name = at + 1;
	size_t n_codes;
	const struct cs_word *codes = cs_words(CS_WORDS_CODE, &n_codes);
	for (size_t code = 0; name && code < n_codes; code++) {
		const char *known = codes[code].name;
		size_t n = strlen(known);
		if (strncmp(name, known, n) == 0 && name[n] == ']') {
			fuzz_note(cs_error_new((enum cs_code)code, "of the program"));
			return;
		}
	}
	fuzz_note(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[4096], said[4096];
	struct rusage usage;
	int status;
	snprintf(path, sizeof(path), "%s/fuzz.cmd", test_folder());
	snprintf(said, sizeof(said), "%s/fuzz.said", test_folder());
	write_script(path, bytes, size);
	pid_t pid = start(path, said);
	if (wait4(pid, &status, 0, &usage) != pid)
		abort();
	double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
	if (!is_known(status) || !is_within_memory(&usage) || seconds > TIME_LIMIT + GRACE) {
		fprintf(stderr, "status %d, %ld KiB, %.0f s\n", status, usage.ru_maxrss, seconds);
		abort();
	}
	note_ending(status, said);
	unlink(said);
	unlink(path);
	return 0;
}
