/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hostile names through every command: a world whose every name holds escape sequences, controls
 * and marks of text direction is shown by each command of the table, with arguments made from
 * their types, in every form of output. No byte of such a name may come out raw.
 */
#include "src/front/open.h"

#include "format/cooked_inside.h"
#include "tests/samples/folder.h"
#include "tests/samples/sample.h"
#include "tests/samples/tap.h"

#include <jansson.h>
#include <locale.h>
#include <unistd.h>

static struct session *session;
static char folder[2048];

static const char *quoted_name(const char *name, char room[4200])
{
	char *quoted = quote_word(name);
	snprintf(room, 4200, "%s", quoted);
	free(quoted);
	return room;
}

/* Returns a value for an argument of that type; NULL when none is known. */
static const char *sample_argument(const struct argument_spec *spec, char room[4200])
{
	static const char *const plain[ARGUMENT_TYPES] = {
		[ARGUMENT_WORD] = "word",
		[ARGUMENT_WHOLE] = "1",
		[ARGUMENT_NUMBER] = "1",
		[ARGUMENT_POINT] = "100,100,0",
		[ARGUMENT_SETTING] = "color",
		[ARGUMENT_TABLE] = "cells",
		[ARGUMENT_FIELD_PATH] = "cells[0]",
		[ARGUMENT_CELL] = "L0:0,0",
		[ARGUMENT_WHERE] = "L0:0,0",
		[ARGUMENT_SOURCE] = "Eve",
		[ARGUMENT_VARIABLE] = "wp.Runtime.MaxLoadingStreamingCells",
		[ARGUMENT_COMMAND] = "cells",
		[ARGUMENT_EVENT] = "cell.fail",
		[ARGUMENT_EXPRESSION] = "= (SELECT name FROM cells)",
		[ARGUMENT_STATEMENT] = "SELECT * FROM cells, actors",
		[ARGUMENT_LINE] = "E_NOCELL: cells",
	};
	const struct cs_cooked *world = session->world;
	switch (spec->type) {
	case ARGUMENT_FILE:
		snprintf(room, 4200, "%s/hostile.cworld", folder);
		return room;
	case ARGUMENT_OUTPUT:
		snprintf(room, 4200, "%s/hostile.made", folder);
		return room;
	case ARGUMENT_CHOICE:
		return spec->choices[0];
	case ARGUMENT_ACTOR:
		return quoted_name(cs_cooked_text(world, cs_cooked_actor(world, 16)->label), room);
	case ARGUMENT_LAYER:
		return quoted_name(cs_cooked_text(world, world->layers[1].name), room);
	case ARGUMENT_GRID:
		return quoted_name(cs_cooked_text(world, world->partitions[0].name), room);
	default:
		return plain[spec->type];
	}
}

/* Composes "NAME ARGUMENTS"; with `all` also optional arguments. */
static void compose(const struct command *command, bool all, char *line, size_t size)
{
	size_t n = (size_t)snprintf(line, size, "%s", command->name);
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++) {
		char room[4200];
		const struct argument_spec *spec = &command->arguments[i];
		if (spec->optional && !all)
			break;
		const char *text = sample_argument(spec, room);
		if (text && n < size)
			n += (size_t)snprintf(line + n, size - n, " %s", text);
	}
}

enum {
	ASCII_ONLY = 1,
	TABS = 2, /* they separate the fields of TSV; check_fields() counts them */
};

/* Returns the first byte that no terminal may get, or NULL. */
static const char *unsafe_byte(const char *text, unsigned allowed)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '\n' || (*c == '\t' && allowed & TABS))
			continue;
		if (*c < ' ' || *c == 0x7f || (*c > 0x7f && allowed & ASCII_ONLY))
			return (const char *)c;
		if (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
			return (const char *)c; /* C1 */
		if (*c == 0xe2 && c[1] == 0x80 && (c[2] >= 0x8b && c[2] <= 0x8f))
			return (const char *)c; /* invisible and direction marks */
		if (*c == 0xe2 && c[1] == 0x80 && (c[2] >= 0xa8 && c[2] <= 0xae))
			return (const char *)c; /* bidirectional controls */
	}
	return NULL;
}

static size_t runs, bytes, wrong;

static void check_text(const char *line, const char *what, const char *text, unsigned allowed)
{
	const char *found = unsafe_byte(text, allowed);
	bytes += strlen(text);
	if (!found)
		return;
	wrong++;
	diag("%s, %s: byte %02x", line, what, (unsigned char)*found);
}

static size_t count_tabs(const char *text, size_t n)
{
	size_t tabs = 0;
	for (size_t i = 0; i < n; i++)
		tabs += text[i] == '\t';
	return tabs;
}

/*
 * Checks that every line of TSV has as many fields as its heading, so that no name adds a tab or a
 * line.
 */
static void check_fields(const char *line, const char *text)
{
	size_t heading = count_tabs(text, strcspn(text, "\n"));
	while (*text) {
		size_t n = strcspn(text, "\n");
		if (count_tabs(text, n) != heading) {
			wrong++;
			diag("%s: %zu tabs, its heading has %zu: %.*s", line, count_tabs(text, n),
				heading, (int)n, text);
			return;
		}
		text += n + (text[n] == '\n');
	}
}

static void check_error(const char *line, const struct cs_error *error)
{
	struct memory_sink memory;
	struct output out;
	char *text = NULL;
	size_t n;
	memory_sink_init(&memory);
	output_init(&out, &style_of_scripts, &memory.sink);
	say_error(&out, error);
	cs_error_free(output_end(&out));
	cs_error_free(memory_sink_take(&memory, &text, &n));
	check_text(line, "its error", text, ASCII_ONLY);
	free(text);
}

static void run_in(const char *line, enum format format, bool ascii)
{
	static const char *const names[] = {"text", "JSON", "CSV", "TSV"};
	struct memory_sink memory;
	char *text = NULL;
	size_t n = 0;
	memory_sink_init(&memory);
	session_apply(session, SETTING_OUTPUT, format);
	session_apply(session, SETTING_UTF8, ascii ? AUTO_NEVER : AUTO_ALWAYS);
	struct cs_error *error = run_line(session, line, &memory.sink);
	if (error)
		check_error(line, error);
	cs_error_free(error);
	cs_error_free(memory_sink_take(&memory, &text, &n));
	unsigned allowed = (ascii || format == FORMAT_JSON ? ASCII_ONLY : 0) |
			   (format == FORMAT_TSV ? TABS : 0);
	check_text(line, names[format], text ? text : "", allowed);
	if (format == FORMAT_TSV && text)
		check_fields(line, text);
	if (!error && format == FORMAT_JSON && n > 0) {
		json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		if (!json) {
			wrong++;
			diag("%s: not JSON: %.60s", line, text);
		}
		json_decref(json);
	}
	free(text);
	runs++;
}

static void prepare(void)
{
	char line[4200];
	session->quit = false;
	session->expected.skipping = false;
	if (!session->world) {
		snprintf(line, sizeof(line), "%s/hostile.cworld", folder);
		cs_error_free(session_open(session, line, NULL));
		cs_error_free(cs_cooked_load_details(session->world));
	}
	if (!session->run.stream) {
		struct memory_sink memory;
		memory_sink_init(&memory);
		cs_error_free(run_line(session, "source add Eve 100,100,0", &memory.sink));
		cs_error_free(run_line(session, "step 3", &memory.sink));
		memory_sink_deinit(&memory);
	}
}

static void test_command(const struct command *command)
{
	char line[8192];
	for (int all = 0; all < 2; all++) {
		for (int format = FORMAT_TEXT; format <= FORMAT_TSV; format++) {
			for (int ascii = 0; ascii < 2; ascii++) {
				prepare();
				compose(command, all, line, sizeof(line));
				run_in(line, (enum format)format, ascii);
			}
		}
	}
}

/* Checks the text of a log, because other programs that show it trust it. */
static void test_log(void)
{
	char line[4300], path[4200], *text = calloc(1, 1 << 20);
	struct memory_sink memory;
	prepare();
	snprintf(path, sizeof(path), "%s/hostile.log", folder);
	snprintf(line, sizeof(line), "cook log %s", path);
	memory_sink_init(&memory);
	works(run_line(session, line, &memory.sink), "cook log");
	memory_sink_deinit(&memory);
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(text, 1, (1 << 20) - 1, file) : 0;
	if (file)
		fclose(file);
	ok(n > 0, "a log is written");
	size_t before = wrong;
	check_text("cook log", "the log", text, 0);
	ok(wrong == before, "nothing in it is raw");
	unlink(path);
	free(text);
}

int main(void)
{
	char path[4200];
	setlocale(LC_ALL, "C.UTF-8");
	setlocale(LC_NUMERIC, "C");
	snprintf(folder, sizeof(folder), "%s", test_folder());
	snprintf(path, sizeof(path), "%s/hostile.cworld", folder);
	works(sample_save(path, &(struct sample_options){.hostile = sample_hostile_text}),
		"a hostile world");
	works(session_new(&session), "a session");
	test_log();
	for (size_t i = 0; i < n_commands; i++) {
		size_t before = wrong;
		test_command(commands[i]);
		ok(wrong == before, "%s: nothing raw", commands[i]->name);
	}
	ok(bytes > 100000, "%zu runs printed %zu bytes", runs, bytes);
	session_free(session);
	return done();
}
