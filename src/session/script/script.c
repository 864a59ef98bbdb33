/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, checks and runs command files. */
#include "src/session/script/script.h"

#include "core/utf8.h"
#include "src/session/script/bless.h"
#include "src/session/script/checks.h"
#include "src/session/script/collect.h"
#include "src/session/script/expected_block.h"
#include "src/session/session.h"
#include "src/session/signals.h"

#include "core/utf8.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_SCRIPT = 16 << 20 };

/* ---- reading scripts ---- */

static struct cs_error *add_expectation(struct script *script, unsigned line, const char *text)
{
	struct expectation expectation = {EXPECT_LINE, line, NULL};
	if (script->items.n == 0) {
		script->orphan = script->orphan ? script->orphan : line;
		return NULL;
	}
	if (strcmp(text, "|...") == 0)
		expectation.kind = EXPECT_ANY;
	else if (text[1] == '~')
		expectation.kind = EXPECT_RE;
	else if (text[1] == '*')
		expectation.kind = EXPECT_GLOB;
	text += expectation.kind == EXPECT_LINE ? 1 : expectation.kind == EXPECT_ANY ? 4 : 2;
	expectation.text = strdup(text + (*text == ' '));
	if (!expectation.text)
		return cs_error_nomem();
	struct script_item *item = &script->items.at[script->items.n - 1];
	if (!cs_vec_push(&item->block, expectation)) {
		free(expectation.text);
		return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *add_line(struct script *script, unsigned line, const char *text)
{
	text += strspn(text, " \t");
	if (*text == '\0' || *text == '#')
		return NULL;
	if (*text == '|')
		return add_expectation(script, line, text);
	struct script_item item = {.line = line, .text = strdup(text)};
	if (!item.text || !cs_vec_push(&script->items, item)) {
		free(item.text);
		return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *add_lines(struct script *script, size_t n)
{
	struct line_list lines;
	if (memchr(script->source, '\0', n))
		return cs_error_new(CS_E_USAGE,
			"the command file %s is not text: it has a zero byte", script->name);
	const size_t mark = cs_utf8_mark(script->source, n);
	struct cs_error *error = split_lines(script->source + mark, n - mark, &lines);
	if (error)
		return error;
	for (size_t i = 0; i < lines.at.n && !error; i++) {
		size_t length = strlen(lines.at.at[i]);
		if (length > 0 && lines.at.at[i][length - 1] == '\r')
			lines.at.at[i][length - 1] = '\0';
		error = add_line(script, (unsigned)i + 1, lines.at.at[i]);
	}
	line_list_free(&lines);
	return error;
}

static struct cs_error *finish_script(struct script *script, size_t n, struct script *ret)
{
	struct cs_error *error = NULL;
	if (!script->name || !script->folder || !script->source)
		error = cs_error_nomem();
	if (!error)
		error = add_lines(script, n);
	if (error)
		script_free(script);
	else
		*ret = *script;
	return error;
}

struct cs_error *script_of_text(const char *name, const char *text, struct script *ret)
{
	struct script script = {
		.name = strdup(name), .folder = strdup("."), .source = strdup(text)};
	return finish_script(&script, strlen(text), ret);
}

/* Returns the error of a failed read; E_INTERRUPTED if ^C or the time limit ended the wait. */
static struct cs_error *cut_short(int errnum, const char *path, const char *action)
{
	if (errnum == EINTR && (signals_interrupted() || signals_time_is_up()))
		return cs_error_new(CS_E_INTERRUPTED, "the command file was interrupted");
	return cs_error_errno(errnum, path, action);
}

static struct cs_error *read_stream(FILE *stream, const char *path, char **ret, size_t *n_ret)
{
	struct memory_sink text;
	char piece[8192];
	size_t n;
	memory_sink_init(&text);
	while (text.text.n <= LONGEST_SCRIPT && (n = fread(piece, 1, sizeof(piece), stream)) > 0)
		sink_write(&text.sink, piece, n);
	struct cs_error *error = NULL;
	if (ferror(stream))
		error = cut_short(errno, path, "read");
	else if (text.text.n > LONGEST_SCRIPT)
		error = cs_error_at(CS_E_LIMIT, path, CS_NO_OFFSET,
			"the script has more bytes than the limit of %d", LONGEST_SCRIPT);
	if (!error)
		return memory_sink_take(&text, ret, n_ret);
	memory_sink_deinit(&text);
	return error;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return strdup(".");
	return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

struct cs_error *script_read(const char *path, struct script *ret)
{
	bool is_input = strcmp(path, "-") == 0;
	size_t n = 0;
	signals_end_calls(true);
	FILE *stream = is_input ? stdin : fopen(path, "re");
	struct cs_error *error = stream ? NULL : cut_short(errno, path, "open");
	if (error) {
		signals_end_calls(false);
		return error;
	}
	struct script script = {.name = strdup(is_input ? "stdin" : path),
		.path = is_input ? NULL : strdup(path),
		.folder = folder_of(is_input ? "." : path)};
	error = read_stream(stream, path, &script.source, &n);
	signals_end_calls(false);
	if (!is_input)
		fclose(stream);
	if (!error)
		return finish_script(&script, n, ret);
	script_free(&script);
	return error;
}

void script_free(struct script *script)
{
	for (size_t i = 0; i < script->items.n; i++) {
		struct script_item *item = &script->items.at[i];
		for (size_t k = 0; k < item->block.n; k++)
			free(item->block.at[k].text);
		cs_vec_free(&item->block);
		free(item->text);
	}
	cs_vec_free(&script->items);
	free(script->name);
	free(script->path);
	free(script->folder);
	free(script->source);
	*script = (struct script){0};
}

/* ---- checking scripts ---- */

static bool script_is_of(const struct invocation *at, const char *command)
{
	return at->command && strcmp(at->command->name, command) == 0;
}

static struct cs_error *learn_alias(struct definitions *aliases, const struct invocation *at)
{
	char line[COMMAND_NAME + 8];
	/* the name of a command is refused when the line runs */
	if (at->words.n == 0 || command_begins(at->words.at[0].text))
		return NULL;
	if (script_is_of(at, "define")) {
		snprintf(line, sizeof(line), "call %s", at->words.at[0].text);
		return define(aliases, at->words.at[0].text, line);
	}
	if (!script_is_of(at, "alias") || at->words.n < 2)
		return NULL;
	const char *value = at->words.at[1].text;
	value += *value == '=';
	return define(aliases, at->words.at[0].text, value + strspn(value, " \t"));
}

static struct cs_error *check_item(
	struct parse_context *context, struct definitions *aliases, const struct script_item *item)
{
	struct invocation invocation = {0};
	struct cs_error *error = parse_line(context, item->text, &invocation);
	if (error)
		return error;
	if (invocation.command && invocation.command->check && !invocation.help)
		error = invocation.command->check(context, &invocation);
	if (!error)
		error = learn_alias(aliases, &invocation);
	for (size_t i = 0; i < item->block.n && !error; i++)
		error = expectation_check(&item->block.at[i]);
	invocation_free(&invocation);
	return error;
}

static struct cs_error *copy_definitions(const struct definitions *from, struct definitions *to)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < from->n && !error; i++)
		error = define(to, from->at[i].name, from->at[i].value);
	return error;
}

static void report_script(
	struct session *session, const struct script *script, struct cs_error *error)
{
	if (reports_points(session) && !session->channels.place)
		check_point(session, false, "script", script->name, error->message);
	report_error(session, error, NULL);
}

static void report_at(struct session *session, const struct script *script, unsigned line,
	struct cs_error *error, const char *text)
{
	struct script_place *outer = session->channels.place;
	struct script_place place = {script->name, script->folder, line};
	session->channels.place = &place;
	if (reports_points(session) && !outer)
		check_point(session, false, "script", text ? text : script->name, error->message);
	report_error(session, error, text);
	session->channels.place = outer;
}

/* A block of a script that has begun: its first line, and whether an `else` may follow. */
struct begun {
	size_t item;
	bool takes_else;
};

typedef CS_VEC(struct begun) begun_list;

/*
 * Adds a block that the line begins to `open`, or removes the block that the line ends. Returns
 * E_USAGE for an `end` or `else` outside of such a block.
 */
static struct cs_error *follow_blocks(begun_list *open, size_t item, const char *text)
{
	const int step = block_step(text);
	const bool is_else = line_is_else(text);
	struct begun *last = open->n > 0 ? &open->at[open->n - 1] : NULL;
	if (step > 0 && !cs_vec_push(open, (struct begun){item, line_begins_with(text, "if")}))
		return cs_error_nomem();
	if (step < 0 && !last)
		return cs_error_new(CS_E_USAGE,
			"`end` ends no block: blocks begin with if, foreach, define or commands");
	if (is_else && !(last && last->takes_else))
		return cs_error_new(CS_E_USAGE,
			"`else` has no `if` before it: write `if EXPRESSION` above the lines "
			"before `else`");
	if (is_else)
		last->takes_else = false;
	open->n -= step < 0;
	return NULL;
}

/* Checks that every block has its `end`, every `end` its block, and every `else` its `if`. */
static bool check_blocks(struct session *session, const struct script *script)
{
	begun_list open = {0};
	struct cs_error *error = NULL;
	size_t at = 0;
	for (size_t i = 0; i < script->items.n && !error; i++)
		error = follow_blocks(&open, at = i, script->items.at[i].text);
	if (!error && open.n > 0) {
		error = cs_error_new(CS_E_USAGE,
			"a block (if, foreach, define, commands) has no `end`: write `end` below "
			"its last line");
		at = open.at[open.n - 1].item;
	}
	const bool good = !error;
	if (error)
		report_at(session, script, script->items.at[at].line, error,
			script->items.at[at].text);
	cs_vec_free(&open);
	return good;
}

/* Sets @HERE@ to the script's folder; leave_folder() restores and frees the old one, *outer_ret. */
static struct cs_error *enter_folder(
	struct session *session, const struct script *script, char **outer_ret)
{
	struct definitions *definitions = &session->words.definitions;
	const char *outer = definition_of(definitions, DEFINITION_HERE, strlen(DEFINITION_HERE));
	*outer_ret = strdup(outer ? outer : ".");
	return *outer_ret ? define(definitions, DEFINITION_HERE, script->folder) : cs_error_nomem();
}

static void leave_folder(struct session *session, char *outer)
{
	if (outer)
		cs_error_free(define(&session->words.definitions, DEFINITION_HERE, outer));
	free(outer);
}

static bool check_items(
	struct session *session, const struct script *script, struct definitions *aliases)
{
	struct parse_context context = {&session->words.definitions, aliases};
	struct cs_error *error =
		aliases->n == 0 ? copy_definitions(&session->words.aliases, aliases) : NULL;
	bool good = true;
	if (!error && script->items.n == 0)
		error = cs_error_new(CS_E_USAGE, "%s contains no commands", script->name);
	if (error) {
		report_script(session, script, error);
		good = false;
	}
	if (script->orphan) {
		report_at(session, script, script->orphan,
			cs_error_new(CS_E_USAGE,
				"a line of expected output, which begins with '|', must come after "
				"a command"),
			NULL);
		good = false;
	}
	good = check_blocks(session, script) && good;
	for (size_t i = 0; i < script->items.n; i++) {
		const struct script_item *item = &script->items.at[i];
		error = check_item(&context, aliases, item);
		if (!error)
			continue;
		report_at(session, script, item->line, error, item->text);
		good = false;
	}
	return good;
}

bool script_check(struct session *session, const struct script *script, struct definitions *aliases)
{
	char *outer = NULL;
	struct cs_error *error = enter_folder(session, script, &outer);
	bool good = !error && check_items(session, script, aliases);
	if (error)
		report_script(session, script, error);
	leave_folder(session, outer);
	return good;
}

/* ---- running lines of a script ---- */

/* New expected output that --bless puts into a script. */
struct new_block {
	unsigned first, end; /* range of line numbers that the block replaces; `end` is excluded */
	char *text;
};

struct run {
	struct session *session;
	const struct script *script;
	CS_VEC(struct new_block) blocks;
	struct cs_error *ending; /* error to return to the command that runs the script, or NULL */
};

static struct cs_error *keep_block(
	struct run *run, const struct script_item *item, const struct line_list *lines)
{
	struct memory_sink text;
	struct new_block block = {
		.first = item->block.at[0].line, .end = item->block.at[item->block.n - 1].line + 1};
	size_t n;
	memory_sink_init(&text);
	put_blessed(&text.sink, item, lines);
	struct cs_error *error = memory_sink_take(&text, &block.text, &n);
	if (!error && !cs_vec_push(&run->blocks, block)) {
		free(block.text);
		error = cs_error_nomem();
	}
	return error;
}

/* Splits the bytes of `memory` into lines; takes ownership of `memory`. */
static struct cs_error *lines_of(struct memory_sink *memory, struct line_list *ret)
{
	char *text = NULL;
	size_t n = 0;
	struct cs_error *error = memory_sink_take(memory, &text, &n);
	if (!error)
		error = split_lines(text, n, ret);
	free(text);
	return error;
}

/*
 * Reports the difference between a block of expected output and the output. The output is written
 * as a block too: for a line that matches a pattern, the pattern is shown on both sides, so that
 * only differences remain.
 */
static struct cs_error *tell_block(
	struct session *session, const struct script_item *item, const struct line_list *got)
{
	struct memory_sink block, output;
	struct line_list want = {0}, printed = {0};
	struct text_output text;
	char *difference = NULL;
	memory_sink_init(&block);
	memory_sink_init(&output);
	put_block(&block.sink, item);
	put_blessed(&output.sink, item, got);
	struct cs_error *error = lines_of(&block, &want);
	struct cs_error *failed = lines_of(&output, &printed);
	if (!error && !failed) {
		say_diff(text_output_begin(&text, style_of_scripts), "block", &want, "output",
			&printed);
		difference = text_output_end(&text);
		error = difference ? NULL : cs_error_nomem();
	}
	if (!error && !failed)
		check_point(session, false, "block", item->text, difference);
	line_list_free(&want);
	line_list_free(&printed);
	free(difference);
	return cs_error_first(error, failed);
}

static struct cs_error *check_block(
	struct run *run, const struct script_item *item, const char *output, size_t n)
{
	struct line_list lines;
	struct cs_error *error = split_lines(output, n, &lines);
	if (error)
		return error;
	bool matches = false;
	error = block_match(item, &lines, &matches);
	if (!error && matches)
		check_point(run->session, true, "block", item->text, NULL);
	else if (!error && run->session->mode.bless)
		error = keep_block(run, item, &lines);
	else if (!error)
		error = tell_block(run->session, item, &lines);
	line_list_free(&lines);
	return error;
}

struct cs_error *capture_line(struct session *session, const char *line,
	struct cs_error *(*run)(struct session *session, const char *line, struct sink *to),
	char **ret, size_t *n_ret)
{
	struct memory_sink memory;
	char *raw = NULL;
	size_t n = 0;
	bool outer = session->expected.capturing;
	memory_sink_init(&memory);
	session->expected.capturing = true;
	struct cs_error *error = run(session, line, &memory.sink);
	session->expected.capturing = outer;
	if (error) {
		memory_sink_deinit(&memory);
		return error;
	}
	error = memory_sink_take(&memory, &raw, &n);
	if (!error)
		error = put_back_definitions(&session->words.definitions, raw, n, ret, n_ret);
	free(raw);
	return error;
}

/* Runs a line and compares its output with the expected block below it. */
static struct cs_error *run_with_block(struct run *run, const struct script_item *item)
{
	struct session *session = run->session;
	char *text = NULL;
	size_t n = 0;
	struct tally_mark mark = tally_mark(&session->expected.tally);
	struct cs_error *error = capture_line(session, item->text, run_line, &text, &n);
	if (!error)
		error = check_block(run, item, text, n);
	if (!error)
		tally_expected(&session->expected.tally, mark);
	free(text);
	return error;
}

/* Runs a script line without expected output, hiding output if a golden file or TAP is in use. */
static struct cs_error *run_without_block(struct run *run, const struct script_item *item)
{
	struct session *session = run->session;
	struct memory_sink unseen;
	if (!session->expected.tally.tap && !session->expected.golden)
		return run_line(session, item->text,
			session->channels.nested ? session->channels.nested
						 : &session->channels.out.sink);
	memory_sink_init(&unseen);
	struct cs_error *error = run_line(session, item->text, &unseen.sink);
	memory_sink_deinit(&unseen);
	return error;
}

/*
 * Reports a failed command as a failed test point, because a reader of TAP sees no exit status. If
 * the command ran another script that the error ended, that script has reported the error.
 */
static void count_failure(struct session *session, const struct cs_error *error, const char *line)
{
	enum status status = status_of_error(error);
	tally_status(&session->expected.tally, status);
	if (!session->channels.told && reports_points(session))
		check_point(session, false, "command", line, error->message);
	if (!session->channels.told)
		tell_error(session, error, line);
}

/*
 * Adds the line and the name of the script to the error that ends the script, unless a nested
 * script has reported the error.
 */
static struct cs_error *ending_of(const struct run *run, unsigned line, struct cs_error *error)
{
	if (run->session->channels.told)
		return error;
	cs_error_move(error, CS_NO_OFFSET);
	return cs_error_add(error, " (line %u of %s)", line, run->script->name);
}

static bool may_go_on(struct session *session, bool failed)
{
	if (!session->mode.interactive && signals_interrupted())
		session->expected.tally.interrupted =
			true; /* the command ended before it checked for the interruption */
	if (session->quit || session->expected.skipping || session->expected.tally.interrupted ||
		session->expected.tally.status == STATUS_BROKEN || session->bounds.timed_out)
		return false;
	return !failed || session_is_on(session, SETTING_KEEP_GOING);
}

static bool run_items(struct run *run)
{
	struct session *session = run->session;
	struct script_place *outer = session->channels.place;
	bool go_on = true;
	for (size_t i = 0; i < run->script->items.n && go_on; i++) {
		const struct script_item *item = &run->script->items.at[i];
		struct script_place place = {run->script->name, run->script->folder, item->line};
		session->channels.place = &place;
		session->channels.told = false;
		struct cs_error *error =
			item->block.n ? run_with_block(run, item) : run_without_block(run, item);
		go_on = may_go_on(session, error != NULL);
		if (error)
			count_failure(session, error, item->text);
		if (error && !go_on)
			run->ending = ending_of(run, place.line, error);
		else
			cs_error_free(error);
		session->channels.place = outer;
	}
	return go_on;
}

/* ---- rewriting expected output (--bless) ---- */

/* Gets the text of the script in which new blocks of expected output replace the old ones. */
static struct cs_error *rewrite(const struct run *run, char **ret, size_t *n_ret)
{
	struct memory_sink text;
	const char *line = run->script->source;
	size_t next = 0;
	memory_sink_init(&text);
	for (unsigned number = 1; *line; number++) {
		size_t length = strcspn(line, "\n");
		length += line[length] == '\n';
		const struct new_block *at = next < run->blocks.n ? &run->blocks.at[next] : NULL;
		if (at && number == at->first)
			sink_write(&text.sink, at->text, strlen(at->text));
		if (!at || number < at->first)
			sink_write(&text.sink, line, length);
		if (at && number + 1 == at->end)
			next++;
		line += length;
	}
	return memory_sink_take(&text, ret, n_ret);
}

static void bless(const struct run *run)
{
	struct session *session = run->session;
	struct cs_error *error = NULL;
	char *text = NULL;
	size_t n = 0;
	if (run->blocks.n == 0)
		return;
	if (!run->script->path)
		error = cs_error_new(CS_E_USAGE,
			"%s is not a file, and --bless replaces expected output only in files",
			run->script->name);
	if (!error)
		error = rewrite(run, &text, &n);
	if (!error)
		error = bless_later(session, run->script->path, text, n);
	if (error) {
		if (reports_points(session))
			check_point(session, false, "bless", run->script->name, error->message);
		tally_status(&session->expected.tally, STATUS_NO);
		report_error(session, error, NULL);
	}
}

/* ---- whole scripts ---- */

static bool run_script(struct run *run)
{
	char *outer = NULL;
	struct cs_error *error = enter_folder(run->session, run->script, &outer);
	bool go_on = !error && run_items(run);
	if (error) {
		count_failure(run->session, error, run->script->name);
		run->ending = error;
	}
	bless(run);
	for (size_t i = 0; i < run->blocks.n; i++)
		free(run->blocks.at[i].text);
	cs_vec_free(&run->blocks);
	leave_folder(run->session, outer);
	return go_on;
}

bool script_run_nested(struct session *session, const struct script *script)
{
	struct run run = {.session = session, .script = script};
	bool go_on = run_script(&run);
	cs_error_free(run.ending);
	return go_on;
}

struct cs_error *script_run_inside(struct session *session, const struct script *script)
{
	struct run run = {.session = session, .script = script};
	run_script(&run);
	session->channels.told = run.ending != NULL;
	return run.ending;
}

/*
 * Returns whether the stream is the file to which standard output is redirected. For `-x case.cmd
 * >case.out` the shell has just created that file, so it is not an old golden file.
 */
static bool is_standard_output(FILE *stream)
{
	struct stat file, output;
	return fstat(fileno(stream), &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
	       file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

/* Returns the golden file CASE.out beside CASE.cmd, or NULL. The caller frees it. */
static char *golden_beside(const struct script *script)
{
	const char *dot = script->path ? strrchr(script->path, '.') : NULL;
	char *path;
	if (!dot || strcmp(dot, ".cmd") != 0 ||
		asprintf(&path, "%.*s.out", (int)(dot - script->path), script->path) < 0)
		return NULL;
	FILE *stream = fopen(path, "re");
	bool expected = stream && !is_standard_output(stream);
	if (stream)
		fclose(stream);
	if (expected)
		return path;
	free(path);
	return NULL;
}

/*
 * Compares the transcript of a script with the golden file at `path`. A difference is reported as a
 * failed check; returns false when the two could not be compared, for example without a file.
 */
static bool compare_transcript(
	struct session *session, const char *path, struct memory_sink *transcript)
{
	char *text = NULL;
	size_t n;
	struct cs_error *error = memory_sink_take(transcript, &text, &n);
	if (!error && !session->expected.skipping)
		error = check_golden(session, path, text, n);
	bool compared = !error;
	if (error) {
		if (reports_points(session))
			check_point(session, false, "golden", path, error->message);
		tally_status(&session->expected.tally,
			error->code == CS_E_NOFILE ? STATUS_USAGE : status_of_error(error));
		report_error(session, error, NULL);
	}
	free(text);
	return compared;
}

bool script_run(struct session *session, const struct script *script, const char *golden)
{
	struct memory_sink transcript;
	struct tally_mark mark = tally_mark(&session->expected.tally);
	char *beside = golden ? NULL : golden_beside(script);
	const char *path = golden ? golden : beside;
	if (!path)
		return script_run_nested(session, script);
	/* tell the user, because without `golden` nobody requested a comparison with this file */
	if (!session->expected.tally.tap && !session->mode.quiet)
		say_to(&session->channels.err.sink, &style_of_scripts,
			"%s: the transcript is compared with %s\n", script->name, path);
	memory_sink_init(&transcript);
	session->expected.golden = &transcript;
	session->expected.capturing = true;
	bool go_on = script_run_nested(session, script);
	session->expected.capturing = false;
	session->expected.golden = NULL;
	if (compare_transcript(session, path, &transcript))
		tally_expected(&session->expected.tally, mark);
	free(beside);
	return go_on;
}
