/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the program's options, and parses the command line with getopt_long. */
#include "src/front/command_line.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* ---- values of options ---- */

static struct cs_error *bad_value(const char *option, const char *form, const char *value)
{
	return cs_error_new(CS_E_USAGE, "%s must be %s, not '%s'", option, form, value);
}

static struct cs_error *parse_when(const char *option, const char *text, long *ret)
{
	static const char *const names[] = {"never", "always", "auto"};
	for (long i = 0; i < 3; i++) {
		if (strcmp(names[i], text) == 0) {
			*ret = i;
			return NULL;
		}
	}
	return cs_error_new(
		CS_E_USAGE, "--%s must be auto, always or never, not '%s'", option, text);
}

static struct cs_error *parse_positive(
	const char *option, const char *text, double most, double *ret)
{
	double value;
	if (!cs_double_parse(text, strlen(text), &value) || value <= 0 || value > most)
		return cs_error_new(CS_E_USAGE,
			"%s must be a number above 0 and at most %.0f, not '%s'", option, most,
			text);
	*ret = value;
	return NULL;
}

static struct cs_error *set_definition(struct options *options, const char *text)
{
	size_t n = strcspn(text, "=");
	if (n == 0 || text[n] != '=')
		return bad_value("-D", "NAME=VALUE", text);
	char *name = strndup(text, n);
	struct cs_error *error =
		name ? define(options->definitions, name, text + n + 1) : cs_error_nomem();
	free(name);
	return error;
}

static struct cs_error *set_threads(struct options *options, const char *text)
{
	enum { MOST = 1024 };
	double value = 0;
	struct cs_error *error = parse_positive("-j", text, MOST, &value);
	if (!error && value != (double)(long)value)
		error = bad_value("-j", "a whole number", text);
	if (!error)
		options->threads = (long)value;
	return error;
}

static struct cs_error *set_max_memory(struct options *options, const char *text)
{
	double value = 0;
	struct cs_error *error = parse_positive("--max-mem", text, 1 << 24, &value);
	if (!error)
		options->max_memory = (uint64_t)(value * (1 << 20));
	return error;
}

static struct cs_error *add_script(struct options *options, bool is_text, const char *text)
{
	char *copy = strdup(text);
	if (copy && cs_vec_push(&options->scripts, (struct script_source){is_text, copy}))
		return NULL;
	free(copy);
	return cs_error_nomem();
}

/* Appends the line of an option -e. Adjacent options -e form one script and may contain a block. */
static struct cs_error *append_line(struct script_source *script, const char *line)
{
	char *longer = NULL;
	if (asprintf(&longer, "%s\n%s", script->text, line) < 0)
		return cs_error_nomem();
	free(script->text);
	script->text = longer;
	return NULL;
}

static struct cs_error *set_execute(struct options *options, const char *value)
{
	struct script_source *last =
		options->scripts.n > 0 ? &options->scripts.at[options->scripts.n - 1] : NULL;
	return last && last->is_text ? append_line(last, value) : add_script(options, true, value);
}

static struct cs_error *set_script(struct options *options, const char *value)
{
	return add_script(options, false, value);
}

static struct cs_error *set_batch(struct options *options, const char *value)
{
	(void)value;
	options->batch = options->no_rc = true;
	return NULL;
}

static struct cs_error *set_format(struct options *options, enum format format)
{
	if (options->format != -1 && options->format != (long)format)
		return cs_error_new(CS_E_USAGE, "give either --json or --csv, not both");
	options->format = format;
	return NULL;
}

static struct cs_error *set_interpreter(struct options *options, const char *value)
{
	options->jsonl = true;
	return strcmp(value, "jsonl") == 0 ? NULL : bad_value("--interpreter", "jsonl", value);
}

static struct cs_error *set_timeout(struct options *options, const char *value)
{
	return parse_positive("--timeout", value, 1e9, &options->timeout);
}

/* Sets --help; the next operand, if there is one, becomes its topic. */
static struct cs_error *set_help(struct options *options, const char *value)
{
	(void)value;
	options->help = "";
	return NULL;
}

/* ---- table of options ---- */

#define FLAG(member) .flag = offsetof(struct options, member)
#define TEXT(member) .text = offsetof(struct options, member)
#define WHEN(member) .when = offsetof(struct options, member)

const struct program_option program_options[] = {
	{SECTION_INPUT, 'e', NULL, "CMD", "run a command",
		"Run the command CMD. Repeatable; -e and -x run in the order in which they are given.",
		.set = set_execute},
	{SECTION_INPUT, 'x', NULL, "FILE", "run a command file",
		"Run the commands in FILE; - is standard input. Repeatable.", .set = set_script},
	{SECTION_INPUT, 'D', NULL, "NAME=VALUE", "value of @NAME@",
		"Replace @NAME@ in commands with VALUE. Repeatable.", .set = set_definition},
	{SECTION_INPUT, 'n', "no-rc", NULL, "read no cellscoperc",
		"Do not run the start commands in cellscoperc.", FLAG(no_rc)},
	{SECTION_INPUT, 0, "batch", NULL, "no session; sets -n",
		"Never start a session, even on a terminal. Implies -n.", .set = set_batch},
	{SECTION_CHECKS, 'k', "keep-going", NULL, "go on after errors",
		"Go on with a script after a command that failed.", FLAG(keep_going)},
	{SECTION_CHECKS, 0, "tap", NULL, "print test points",
		"Print a test point of TAP for each check, and nothing else.", FLAG(tap)},
	{SECTION_CHECKS, 0, "junit", "FILE", "write JUnit XML",
		"Write the results of all checks to FILE as JUnit XML, for continuous integration.",
		TEXT(junit)},
	{SECTION_CHECKS, 0, "annotate", NULL, "marks for GitHub",
		"For each check that fails print a line ::error file=F,line=N::, which GitHub Actions shows beside the source.",
		FLAG(annotate)},
	{SECTION_CHECKS, 0, "golden", "FILE", "expected transcript",
		"Check that the transcript of the script equals FILE.", TEXT(golden)},
	{SECTION_CHECKS, 0, "bless", NULL, "accept new output",
		"Replace the expected output in scripts, golden files and transcripts with the present output. Refused when the environment variable CI is true.",
		FLAG(bless)},
	{SECTION_OUTPUT, 0, "json", NULL, "print JSON", "Print JSON.", .format = FORMAT_JSON},
	{SECTION_OUTPUT, 0, "csv", NULL, "print CSV", "Print CSV.", .format = FORMAT_CSV},
	{SECTION_OUTPUT, 0, "csv-safe", NULL, "escape formulas",
		"In CSV and TSV put an apostrophe in front of texts that a spreadsheet would run as formulas: "
		"those that begin with =, +, -, @, a tab or a carriage return.",
		FLAG(csv_safe)},
	{SECTION_OUTPUT, 0, "interpreter", "jsonl", "talk in JSON lines",
		"Read requests from standard input and write answers to standard output, each a line of JSON.",
		.set = set_interpreter},
	{SECTION_OUTPUT, 0, "mcp", NULL, "serve MCP on stdio",
		"Serve the Model Context Protocol on standard input and output. Commands that write files are refused unless --allow-write is given.",
		FLAG(mcp)},
	{SECTION_OUTPUT, 0, "color", "WHEN", "auto, always, never",
		"Use colours: auto (on a terminal), always or never.", WHEN(color)},
	{SECTION_OUTPUT, 0, "progress", "WHEN", "auto, always, never",
		"Report on standard error how far a long command is: auto (on a terminal), always or never.",
		WHEN(progress)},
	{SECTION_OUTPUT, 0, "utf8", NULL, "print beyond ASCII",
		"Print characters beyond ASCII, into a pipe too.", FLAG(utf8)},
	{SECTION_OUTPUT, 0, "plain", NULL, "no decoration",
		"Print no colours, drawings or progress: for screen readers and logs.",
		FLAG(plain)},
	{SECTION_OUTPUT, 0, "tui", NULL, "start full screen",
		"Start on the full screen instead of at a prompt; `tui` goes there later.",
		FLAG(tui)},
	{SECTION_OUTPUT, 0, "force", NULL, "replace any file",
		"Replace an existing output file even if it contains another kind of data than the output.",
		FLAG(force)},
	{SECTION_OUTPUT, 'q', "quiet", NULL, "no banner, summary",
		"Print neither the banner of a session nor the summary of a script.", FLAG(quiet)},
	{SECTION_LIMITS, 'j', NULL, "N", "number of threads",
		"Use N threads. The default is OMP_NUM_THREADS, or one for each processor.",
		.set = set_threads},
	{SECTION_LIMITS, 0, "timeout", "S", "time limit, seconds",
		"Stop the whole run after S seconds.", .set = set_timeout},
	{SECTION_LIMITS, 0, "max-mem", "MIB", "memory limit, MiB",
		"Limit the memory of each open file, of each query and of the whole "
		"process to MIB MiB. Large arrays for which it has no room, such as those of a "
		"cook, lie in scratch files in TMPDIR, /var/tmp or /tmp.",
		.set = set_max_memory},
	{SECTION_LIMITS, 0, "safe", NULL, "write no file",
		"Refuse shells and every command that writes a file.", FLAG(safe)},
	{SECTION_LIMITS, 0, "allow-write", NULL, "let --mcp write",
		"Let clients of --mcp also run commands that write files.", FLAG(allow_write)},
	{SECTION_LIMITS, 0, "no-sandbox", NULL, "import unconfined",
		"Run the foreign code that reads meshes and decompresses containers "
		"without a sandbox, for kernels that have none.",
		FLAG(no_sandbox)},
	{SECTION_LIMITS, 0, "oodle", "LIBRARY", "Oodle codec to load",
		"Decompress the Oodle blocks of containers with LIBRARY, a shared library that exports "
		"OodleLZ_Decompress. None is shipped. A separate program in a sandbox loads it.",
		TEXT(oodle)},
	{SECTION_LIMITS, 0, "allow-shell", NULL, "allow | in scripts",
		"Let command files pipe output to a shell command (| SHELL).", FLAG(allow_shell)},
	{SECTION_OTHER, 'h', "help", NULL, "help; --help TOPIC",
		"Print a summary of the options, or the help of a command or topic.",
		.set = set_help},
	{SECTION_OTHER, 'V', "version", NULL, "print the version", "Print the version.",
		FLAG(version)},
	{SECTION_HIDDEN, 0, "dump-completion", "SHELL", "",
		"Print the completion for bash, zsh or fish.", TEXT(dump_completion)},
	{SECTION_HIDDEN, 0, "dump-man", "PART", "", "Print a generated part of the manual.",
		TEXT(dump_man)},
};

const size_t n_program_options = sizeof(program_options) / sizeof(program_options[0]);
#undef FLAG
#undef TEXT
#undef WHEN

bool is_program_option(const char *option)
{
	for (size_t i = 0; i < n_program_options; i++)
		if (program_options[i].name && program_options[i].section != SECTION_HIDDEN &&
			strncmp(option, "--", 2) == 0 &&
			strcmp(option + 2, program_options[i].name) == 0)
			return true;
	return false;
}

static struct cs_error *take_option(
	struct options *options, const struct program_option *option, const char *value)
{
	if (option->set)
		return option->set(options, value);
	if (option->format)
		return set_format(options, option->format);
	if (option->when)
		return parse_when(option->name, value, (long *)((char *)options + option->when));
	if (option->flag)
		*(bool *)((char *)options + option->flag) = true;
	else
		*(const char **)((char *)options + option->text) = value;
	return NULL;
}

/* ---- parsing with getopt_long ---- */

enum { LONG_BASE = 256, MOST_PROGRAM_OPTIONS = 40 };

struct getopt_tables {
	char letters[2 * MOST_PROGRAM_OPTIONS + 3];
	struct option longs[MOST_PROGRAM_OPTIONS + 1];
};

/* Makes getopt_long's tables. '+' stops it at the first operand: a command may have own options. */
static void make_tables(struct getopt_tables *to)
{
	size_t n = 0, n_long = 0;
	*to = (struct getopt_tables){{0}, {{0}}};
	to->letters[n++] = '+';
	to->letters[n++] = ':';
	for (size_t i = 0; i < n_program_options; i++) {
		const struct program_option *option = &program_options[i];
		if (option->letter) {
			to->letters[n++] = option->letter;
			if (option->value)
				to->letters[n++] = ':';
		}
		if (option->name)
			to->longs[n_long++] = (struct option){option->name,
				option->value ? required_argument : no_argument, NULL,
				LONG_BASE + (int)i};
	}
}

static const struct program_option *option_of_code(int code)
{
	if (code >= LONG_BASE)
		return &program_options[code - LONG_BASE];
	for (size_t i = 0; i < n_program_options; i++)
		if (program_options[i].letter == code)
			return &program_options[i];
	return NULL;
}

/* Returns whether the word is an option that only the command `open` has. */
static bool is_of_open(const char *word)
{
	const struct command *command = NULL;
	const char *name = word + strspn(word, "-");
	const size_t n = strcspn(name, "=");
	size_t words;
	if (command_find("open", "", &command, &words) != MATCH_ONE)
		return false;
	for (size_t i = 0; i + shared_option_count(command) < option_count(command); i++) {
		const char *own = option_at(command, i)->name;
		if (own && strlen(own) == n && strncmp(own, name, n) == 0)
			return true;
	}
	return false;
}

static struct cs_error *refused(int code, const char *word)
{
	if (code == ':')
		return cs_error_new(CS_E_USAGE, "option %s needs a value", word);
	if (optopt && optopt < LONG_BASE && strncmp(word, "--", 2) != 0)
		return cs_error_new(CS_E_USAGE, "unknown option -%c", optopt);
	if (is_of_open(word))
		return cs_error_new(CS_E_USAGE,
			"%.*s is an option of the command `open`, not of the program: write "
			"-e 'open FILE %.*s ...'",
			(int)strcspn(word, "="), word, (int)strcspn(word, "="), word);
	const char *names[MOST_PROGRAM_OPTIONS];
	size_t n = 0;
	for (size_t i = 0; i < n_program_options && n < MOST_PROGRAM_OPTIONS; i++)
		if (program_options[i].name && program_options[i].section != SECTION_HIDDEN)
			names[n++] = program_options[i].name;
	const char *close = closest_name(word + strspn(word, "-"), names, n);
	return cs_error_new(CS_E_USAGE, "unknown option %s%s%s%s", word,
		close ? "; did you mean '--" : "", close ? close : "", close ? "'?" : "");
}

/* Parses options until the next operand; optind is then the index of this operand. */
static struct cs_error *parse_options(int argc, char **argv, struct options *to)
{
	struct getopt_tables tables;
	int code;
	make_tables(&tables);
	while ((code = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		const struct program_option *option = option_of_code(code);
		if (!option)
			return refused(code, argv[optind - 1]);
		struct cs_error *error = take_option(to, option, optarg);
		if (error)
			return error;
	}
	return NULL;
}

static bool is_verb(const char *word)
{
	bool is_one = command_begins(word);
	for (size_t i = 0; !is_one && i < n_commands; i++)
		is_one = commands[i]->alias && strcmp(commands[i]->alias, word) == 0;
	return is_one;
}

static bool looks_like_file(const char *word)
{
	return strpbrk(word, "/.") || access(word, F_OK) == 0;
}

static struct cs_error *set_operand(struct options *options, const char *word)
{
	char room[COMMAND_NAME];
	if (!looks_like_file(word)) {
		/* behind `--` not even a command is one */
		const char *close = is_verb(word) ? NULL : command_closest(word, room);
		return cs_error_new(CS_E_USAGE, "there is no command or file '%s'%s%s%s", word,
			DID_YOU_MEAN(close));
	}
	return cs_vec_push(&options->files, word) ? NULL : cs_error_nomem();
}

/* Stores an operand: a command with its words, "-" (script on stdin), topic of --help, or file. */
static struct cs_error *take_operand(
	int argc, char **argv, struct options *options, bool options_over)
{
	const char *word = argv[optind];
	if (options->help) {
		options->help = word;
		optind = argc;
		return NULL;
	}
	if (strcmp(word, "-") == 0) {
		optind++;
		return add_script(options, false, word);
	}
	/* after a file, a word that does not look like a file is taken for a mistyped command */
	bool is_typo = options->files.n && !looks_like_file(word);
	if (!options_over && (is_verb(word) || is_typo)) {
		options->verb = argv + optind;
		options->n_verb = (size_t)(argc - optind);
		optind = argc;
		return NULL;
	}
	optind++;
	return set_operand(options, word);
}

static struct cs_error *check_bless(const struct options *options)
{
	const char *ci = getenv("CI");
	if (ci && strcmp(ci, "true") == 0)
		return cs_error_new(CS_E_USAGE,
			"--bless replaces expected output, and cannot be used in CI (the "
			"environment variable CI is true)");
	if (options->safe)
		return cs_error_new(
			CS_E_USAGE, "--bless replaces files, which --safe does not allow");
	if (options->scripts.n == 0)
		return cs_error_new(CS_E_USAGE, "--bless needs commands: give -x FILE or -e CMD");
	return NULL;
}

struct cs_error *options_parse(int argc, char **argv, struct session *session, struct options *ret)
{
	struct options options = {.definitions = &session->words.definitions,
		.format = -1,
		.color = -1,
		.progress = -1,
		.threads = -1};
	bool options_over = false;
	struct cs_error *error = NULL;
	opterr = 0;
	optind = 1;
	while (!error && optind < argc) {
		int before = optind;
		if (!options_over)
			error = parse_options(argc, argv, &options);
		if (optind > before && strcmp(argv[optind - 1], "--") == 0)
			options_over = true;
		if (!error && optind < argc)
			error = take_operand(argc, argv, &options, options_over);
	}
	if (!error && options.bless)
		error = check_bless(&options);
	if (!error && options.golden && (options.verb || options.jsonl || options.mcp))
		error = cs_error_new(CS_E_USAGE, "--golden needs commands: give -x FILE or -e CMD");
	if (!error && options.safe && options.junit)
		error = cs_error_new(
			CS_E_USAGE, "--junit writes a file, which --safe does not allow");
	if (!error && options.allow_write && !options.mcp)
		error = cs_error_new(CS_E_USAGE, "--allow-write needs --mcp");
	if (!error && options.oodle && access(options.oodle, R_OK) != 0)
		error = cs_error_new(
			CS_E_NOFILE, "--oodle: the library '%s' cannot be read", options.oodle);
	if (error)
		options_free(&options);
	else
		*ret = options;
	return error;
}

void options_free(struct options *options)
{
	for (size_t i = 0; i < options->scripts.n; i++)
		free(options->scripts.at[i].text);
	cs_vec_free(&options->scripts);
	cs_vec_free(&options->files);
}

/* ---- output of --help ---- */

static void say_option(struct output *out, const struct program_option *option, bool last)
{
	const char letter[2] = {option->letter, '\0'};
	char form[40];
	snprintf(form, sizeof(form), "%s%s%s%s%s%s%s", option->letter ? "-" : "", letter,
		option->letter && option->name ? "," : "", option->name ? "--" : "",
		option->name ? option->name : "", option->value ? (option->name ? "=" : " ") : "",
		option->value ? option->value : "");
	say(out, " %-19s %-*s", form, last ? 0 : 19, option->help);
}

/*
 * Prints the usage and all options that are not hidden, two per line so that the list fits on a
 * screen.
 */
void say_program_help(struct output *out)
{
	size_t shown = 0;
	say(out, "usage: cellscope [OPTIONS] [FILE...]     a session; or scripts with -x, -e\n"
		 "       cellscope [OPTIONS] [FILE...] COMMAND ARGS... one command\n"
		 "  cellscope valley.cworld why Rock_1187\n"
		 "  cellscope valley.cworld -e 'cells -w \"actors > 100\" --json'\n"
		 "  cellscope -D DATA=fixtures --tap -x checks.cmd\n\n");
	for (size_t i = 0; i < n_program_options; i++) {
		if (program_options[i].section == SECTION_HIDDEN)
			continue;
		say_option(out, &program_options[i], shown % 2 == 1);
		if (++shown % 2 == 0)
			say(out, "\n");
	}
	say(out,
		"\n`help` in a session lists the commands, --help exit explains the exit statuses.\n");
}
