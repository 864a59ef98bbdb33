/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program: parses options, runs commands from one source (the command line, scripts, lines of
 * JSON, MCP, or an interactive session), and returns the exit status.
 */
#include "src/front/command_line.h"
#include "src/front/jsonl.h"
#include "src/front/memory.h"
#include "src/front/open.h"
#include "src/front/paths.h"
#include "src/front/repl.h"
#include "src/language/lexer.h"
#include "src/session/environment.h"
#include "src/session/outputs.h"
#include "src/session/script/bless.h"
#include "src/session/script/checks.h"
#include "src/session/script/junit.h"
#include "src/session/script/script.h"
#include "src/session/signals.h"

#include <cellscope/farm.h>

#include "src/tui/screen.h"
#include "src/tui/terminal/terminal.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void begin_output(struct session *session, struct output *out)
{
	const struct style style = session_style(session);
	output_init(out, &style, &session->channels.out.sink);
}

/* ---- applying options ---- */

static bool is_interactive(const struct options *options)
{
	return !options->verb && options->scripts.n == 0 && !options->batch && !options->jsonl &&
	       !options->mcp && !options->tap && terminal_is_input() && terminal_is_output();
}

static void apply_options(struct session *session, const struct options *options)
{
	const struct {
		enum setting setting;
		long value; /* value given on the command line; -1 = not given */
	} settings[] = {
		{SETTING_OUTPUT, options->format},
		{SETTING_COLOR, options->color},
		{SETTING_PROGRESS, options->progress},
		{SETTING_THREADS, options->threads},
		{SETTING_UTF8, options->utf8 ? AUTO_ALWAYS : -1},
		{SETTING_PLAIN, options->plain || !terminal_can_draw() ? 1 : -1},
		{SETTING_KEEP_GOING, options->keep_going ? 1 : -1},
		{SETTING_FORCE, options->force ? 1 : -1},
	};
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i].value >= 0)
			session_apply(session, settings[i].setting, settings[i].value);
	session->mode.safe = options->safe || (options->mcp && !options->allow_write);
	session->mode.csv_safe = options->csv_safe;
	if (options->no_sandbox)
		/* read by the child process that imports meshes */
		setenv("CELLSCOPE_NO_SANDBOX", "1", 1);
	/*
	 * CELLSCOPE_OODLE is read by the child process that unpacks containers. The path is made
	 * absolute, because the dynamic linker would search a bare file name in library folders.
	 */
	if (options->oodle) {
		char *path = realpath(options->oodle, NULL);
		setenv("CELLSCOPE_OODLE", path ? path : options->oodle, 1);
		free(path);
	}
	session->mode.allow_shell = options->allow_shell;
	session->mode.quiet = options->quiet;
	session->mode.bless = options->bless;
	session->expected.tally.tap = options->tap;
	session->expected.annotates = options->annotate;
	session->expected.junit = options->junit;
	if (options->timeout > 0 && session->bounds.deadline == 0) {
		session->bounds.deadline = progress_clock() + options->timeout;
		if (!is_interactive(options))
			signals_set_deadline(options->timeout);
	}
	if (options->max_memory && !session->bounds.memory_bound) {
		session->bounds.limits.memory = options->max_memory;
		session->bounds.memory_bound = memory_bound(options->max_memory);
	}
}

static void refuse_options(struct session *session, struct cs_error *error)
{
	const struct style style = {.ascii = true};
	const bool has_remedy =
		strstr(error->message, "did you mean") || strchr(error->message, '`');
	report_error(session, error, NULL);
	if (!has_remedy)
		say_to(&session->channels.err.sink, &style, "  try: cellscope --help\n");
	tally_status(&session->expected.tally, STATUS_USAGE);
}

/* Runs options that only print something, such as --version. Returns whether there was one. */
static bool run_printing_options(struct session *session, const struct options *options)
{
	struct output out;
	begin_output(session, &out);
	bool done = true;
	if (options->version)
		say(&out, "cellscope %s\n", cs_version());
	else if (options->dump_man)
		done = say_manual(&out, options->dump_man);
	else if (options->dump_completion)
		done = say_completion(&out, options->dump_completion);
	else if (options->help && !*options->help)
		say_program_help(&out);
	else
		done = false;
	if (!done && (options->dump_man || options->dump_completion)) {
		refuse_options(session,
			options->dump_man
				? cs_error_new(CS_E_USAGE,
					  "--dump-man must be commands, settings, variables, "
					  "options, topics, rules, format or json, not '%s'",
					  options->dump_man)
				: cs_error_new(CS_E_USAGE,
					  "--dump-completion must be bash, zsh or fish, not '%s'",
					  options->dump_completion));
		done = true;
	}
	struct cs_error *error = output_end(&out);
	if (error)
		report_error(session, error, NULL);
	return done;
}

/* ---- sources of commands ---- */

/*
 * Reports an error of a command-line argument; on the full screen, it is also shown there. `line`
 * is the equivalent line at the prompt, or NULL.
 */
static void fail_line(
	struct session *session, struct cs_error *error, enum status status, const char *line)
{
	struct screen *screen;
	if (reports_points(session))
		check_point(session, false, "run", error->message, NULL);
	tally_status(&session->expected.tally, status);
	if (session->display.wants_screen) {
		struct cs_error *none = screen_of(session, &screen);
		if (!none)
			screen_log_error(screen, error);
		cs_error_free(none);
	}
	report_error(session, error, line);
}

static void fail(struct session *session, struct cs_error *error, enum status status)
{
	fail_line(session, error, status, NULL);
}

/* Joins words to a line as typed at the prompt; freed by the caller, NULL if memory runs out. */
static char *line_of_words(char *const *words, size_t n)
{
	char *line = strdup("");
	for (size_t i = 0; line && i < n; i++) {
		bool is_option = *words[i] == '-' && !strpbrk(words[i], " \t'\"\\|>@~#");
		char *word = is_option ? strdup(words[i]) : quote_word(words[i]), *longer = NULL;
		if (!word || asprintf(&longer, "%s%s%s", line, i ? " " : "", word) < 0)
			longer = NULL;
		free(word);
		free(line);
		line = longer;
	}
	return line;
}

/* Runs a command given as words on the program's command line. With --tap its output is hidden. */
static void run_verb(struct session *session, char *const *words, size_t n)
{
	struct parse_context context = session_parse_context(session);
	struct invocation invocation = {0};
	struct memory_sink unseen;
	struct sink *to = &session->channels.out.sink;
	char *line = line_of_words(words, n);
	memory_sink_init(&unseen);
	if (session->expected.tally.tap)
		to = &unseen.sink;
	struct cs_error *error =
		line ? parse_words(&context, words, n, &invocation) : cs_error_nomem();
	enum status status = error ? STATUS_USAGE : STATUS_OK;
	if (!error) {
		progress_begin(session);
		error = run_invocation(session, &invocation, line, to);
		progress_end(session);
		error = name_cause(session, error);
		status = error ? status_of_error(error) : STATUS_OK;
	}
	if (error) {
		if (reports_points(session))
			check_point(
				session, false, "command", line ? line : words[0], error->message);
		tally_status(&session->expected.tally, status);
		/* removes the offset, because the words are arguments and not parts of a line */
		if (!error->file)
			cs_error_move(error, CS_NO_OFFSET);
		report_error(session, error, line);
	}
	invocation_free(&invocation);
	memory_sink_deinit(&unseen);
	free(line);
}

/* Reads a script, or reports an error and returns false. *stopped: the error ends all reading. */
static bool read_script(struct session *session, const struct script_source *source,
	struct script *script, bool *stopped)
{
	struct cs_error *error =
		name_cause(session, source->is_text ? script_of_text("-e", source->text, script)
						    : script_read(source->text, script));
	*stopped = error && cs_error_is_final(error);
	if (!error)
		return true;
	if (*stopped) {
		fail(session, error, status_of_error(error));
		return false;
	}
	/* a script that cannot be read is a failed test point in TAP or JUnit output */
	if (reports_points(session))
		check_point(session, false, "script", source->is_text ? "-e" : source->text,
			error->message);
	report_error(session, error, NULL);
	return false;
}

/* Reads and checks all scripts, and reports all errors. Returns whether all scripts can be run. */
static bool prepare_scripts(struct session *session, const struct script_source *sources,
	struct script *scripts, size_t n, bool *stopped)
{
	struct definitions aliases = {0};
	bool good = true;
	for (size_t i = 0; i < n && !*stopped; i++)
		good = read_script(session, &sources[i], &scripts[i], stopped) && good;
	for (size_t i = 0; i < n && !*stopped; i++)
		if (scripts[i].name)
			good = script_check(session, &scripts[i], &aliases) && good;
	definitions_free(&aliases);
	return good;
}

/* Runs scripts one after another. All are read and checked before the first one runs. */
static void run_scripts(
	struct session *session, const struct script_source *sources, size_t n, const char *golden)
{
	struct script *scripts = calloc(n, sizeof(*scripts));
	bool go_on = true, stopped = false;
	bool good = scripts && prepare_scripts(session, sources, scripts, n, &stopped);
	if (!scripts)
		fail(session, cs_error_nomem(), STATUS_BROKEN);
	else if (!good && !stopped)
		tally_status(&session->expected.tally, STATUS_USAGE);
	for (size_t i = 0; i < n && good && go_on; i++) {
		go_on = script_run(session, &scripts[i], golden);
		if (session->expected.skipping) {
			session->expected.skipping = false;
			go_on = true; /* only this script is skipped, and the next ones are run */
		}
	}
	for (size_t i = 0; i < n && scripts; i++)
		script_free(&scripts[i]);
	free(scripts);
}

static bool has_points(const struct tally *tally)
{
	return tally->passed + tally->failed + tally->skipped + tally->foretold > 0;
}

static void run_batch(struct session *session, const struct options *options)
{
	static char standard_input[] = "-";
	const struct script_source input = {false, standard_input};
	if (options->scripts.n > 0)
		run_scripts(session, options->scripts.at, options->scripts.n, options->golden);
	else
		run_scripts(session, &input, 1, options->golden);
	struct cs_error *error = bless_all(session);
	if (error)
		fail(session, error, status_of_error(error));
}

/*
 * Checks the exit status as a test point, if test points are reported. Prints the counts of checks
 * if `counts` is set, and always for TAP.
 */
static void end_checks(struct session *session, bool counts)
{
	if (session->expected.tally.tap && !has_points(&session->expected.tally) &&
		session->expected.tally.status == STATUS_OK)
		fail(session,
			cs_error_new(CS_E_USAGE,
				"--tap needs at least one check, but the commands contain none"),
			STATUS_USAGE);
	check_status(session);
	if (!session->expected.tally.interrupted && (counts || session->expected.tally.tap))
		say_tally(session);
}

static void run_rc(struct session *session)
{
	char *path = user_path("XDG_CONFIG_HOME", ".config", "cellscoperc");
	struct script script;
	struct definitions aliases = {0};
	if (!path || access(path, R_OK) != 0) {
		free(path);
		return;
	}
	struct cs_error *error = script_read(path, &script);
	if (error) {
		report_error(session, error, NULL);
	} else {
		if (script.items.n > 0 && script_check(session, &script, &aliases))
			script_run_nested(session, &script);
		definitions_free(&aliases);
		script_free(&script);
	}
	free(path);
}

/* Runs the full screen, with the prompt's line history. Returns the signal that ended it, or 0. */
static int run_screen(struct session *session)
{
	struct screen *screen;
	int ended_by = 0;
	struct cs_error *error = screen_of(session, &screen);
	for (size_t i = 0; !error && i < history_lines(); i++)
		error = screen_remember(screen, history_line(i));
	size_t known = error ? 0 : screen->history.n;
	if (!error && session->display.ends_with_screen && screen->changes == 0)
		screen_submit(screen, "view start");
	if (!error)
		error = tui_run(session, &ended_by);
	for (size_t i = known; !error && i < screen->history.n; i++)
		history_add(screen->history.at[i]);
	session->display.wants_screen = false;
	if (error)
		report_error(session, error, NULL);
	return ended_by;
}

/* Alternates between prompt and full screen; returns the signal that ended the session, or 0. */
static int take_turns(struct session *session)
{
	int ended_by = 0;
	repl_begin();
	while (!session->quit && ended_by == 0)
		ended_by = session->display.wants_screen ? run_screen(session) : repl_run(session);
	repl_end();
	return ended_by;
}

static int run_session(struct session *session)
{
	struct output out;
	begin_output(session, &out);
	if (!session->mode.quiet)
		note(&out, "cellscope %s; help lists the commands, quit leaves\n", cs_version());
	if (!session->mode.quiet)
		say_opened(session, &out);
	cs_error_free(output_end(&out));
	int ended_by = take_turns(session);
	session->expected.tally = (struct tally){0};
	return ended_by;
}

/* ---- the program from start to end ---- */

/* Opens a file of the command line, and records it as the line `open FILE`. */
static struct cs_error *open_file(void *context, const char *path)
{
	struct session *session = context;
	const struct cs_query *before = session->query;
	const bool beside = session->files.cooked.beside;
	struct cs_error *error = session_open(session, path, NULL);
	char *word = error ? NULL : quote_word(path);
	char *line = NULL;
	if (error)
		return error;
	session->files.cooked.beside |= session->query != before;
	if (!word || asprintf(&line, "open %s%s", beside ? "--beside " : "", word) < 0)
		error = cs_error_nomem();
	else
		error = session_record(session, line);
	free(line);
	free(word);
	return error;
}

/*
 * Checks whether the JUnit file may be overwritten, before the run instead of at its end, when the
 * file is written. Returns true, after reporting the error, if it may not.
 */
static bool refuse_junit(struct session *session)
{
	static const char *const kinds[] = {"junit", NULL};
	const char *path = session->expected.junit;
	struct cs_error *error = path ? check_replaced(session, path, kinds) : NULL;
	if (!error)
		return false;
	session->expected.junit = NULL;
	fail(session, error, STATUS_USAGE);
	end_checks(session, false);
	return true;
}

/*
 * Opens the files of the command line. Returns false if one of them fails. In an interactive
 * session the files after it are opened nevertheless.
 */
static bool open_files(struct session *session, const struct options *options)
{
	bool good = true;
	for (size_t i = 0; i < options->files.n && (good || session->mode.interactive); i++) {
		progress_begin(session);
		struct cs_error *error = open_each(options->files.at[i], open_file, session);
		error = name_cause(session, error);
		progress_end(session);
		good = good && !error;
		if (error) {
			char *words[] = {(char *)"open", (char *)options->files.at[i]};
			char *line = line_of_words(words, 2);
			fail_line(session, error, status_of_error(error), line);
			free(line);
		}
	}
	session->files.cooked = (struct place_options){0};
	return good;
}

/* Opens files and runs commands. Returns the signal that ends the process, or 0. */
static int run_program(struct session *session, const struct options *options)
{
	session->mode.interactive = is_interactive(options);
	session->display.wants_screen = session->mode.interactive && options->tui;
	session->display.ends_with_screen = session->display.wants_screen;
	if (session->mode.interactive && !options->no_rc)
		run_rc(session);
	/* apply the options a second time, because they take precedence over the rc file */
	apply_options(session, options);
	if (refuse_junit(session))
		return 0;
	if (options->help && *options->help) {
		char *words[] = {(char *)"help", (char *)options->help};
		run_verb(session, words, 2);
		return 0;
	}
	if (!open_files(session, options) && !session->mode.interactive) {
		end_checks(session, false);
		return 0;
	}
	if (options->tui && !session->mode.interactive)
		fail(session,
			cs_error_new(CS_E_USAGE,
				"--tui needs a terminal, and cannot be given with -x or -e"),
			STATUS_USAGE);
	else if (options->verb)
		run_verb(session, options->verb, options->n_verb);
	else if (options->jsonl)
		jsonl_run(session);
	else if (options->mcp)
		mcp_run(session);
	else if (session->mode.interactive)
		return run_session(session);
	else
		run_batch(session, options);
	end_checks(session, !options->verb && !options->jsonl && !options->mcp);
	return session->expected.tally.interrupted ? signals_interruption() : 0;
}

/*
 * Whether the program ends by itself. If it is false at exit, a library has called exit(), for
 * example because memory or threads ran out.
 */
static bool is_finished;

static void on_exit_of_others(void)
{
	static const char text[] = "error: out of memory [E_NOMEM]\n";
	if (is_finished)
		return;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0) {
		/* an exit handler cannot report this failure */
	}
	_exit(STATUS_BROKEN);
}

/*
 * Flushes standard output, writes the JUnit file, and returns the exit status. A full device is an
 * error; a closed pipe ends the process by SIGPIPE.
 */
static int finish_program(struct session *session, int ended_by)
{
	struct tally *tally = &session->expected.tally;
	bool closed = false;
	if (!stream_sink_flush(&session->channels.out)) {
		closed = session->channels.out.broken_pipe;
		tally_status(tally, STATUS_BROKEN);
		if (!closed)
			report_error(session,
				cs_error_new(CS_E_IO, "cannot write to standard output"), NULL);
	}
	struct cs_error *error = junit_write(session);
	if (error) {
		tally_status(tally, status_of_error(error));
		report_error(session, error, NULL);
	}
	const int status = tally->status == STATUS_OK && session->quit ? session->quit_status
								       : (int)tally->status;
	session_free(session);
	is_finished = true;
	if (closed)
		signals_end_by(SIGPIPE);
	if (ended_by)
		signals_end_by(ended_by);
	return status;
}

/*
 * Makes OpenMP threads sleep instead of spin while they wait for the next loop: on a busy machine,
 * spinning makes small steps take several times as long. OpenMP reads the environment before main,
 * so the program executes itself once more with the variable set. If the user has set one of the
 * variables, or if that execution fails, the program continues unchanged.
 */
static void let_threads_sleep(char **argv)
{
	static const char *const said[] = {
		"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"};
	char program[PATH_MAX];
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (getenv(said[i]))
			return;
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (n <= 0 || setenv(said[0], "passive", 0) < 0)
		return;
	program[n] = '\0';
	execv(program, argv);
}

/*
 * Checks that a step of a farm (distributed build) runs in the same build of the program that
 * planned it. The plan passes that build's fingerprint in an environment variable.
 */
static struct cs_error *check_code(void)
{
	char own[CS_FARM_KEY_TEXT];
	const char *asked = getenv(CS_FARM_CODE_VARIABLE);
	cs_farm_code(own);
	if (!asked || strcmp(asked, own) == 0)
		return NULL;
	return cs_error_new(CS_E_FARM,
		"another build of cellscope made the plan: make it again with `farm plan`");
}

/* Buffer of standard output; static, so that output also works when memory runs out. */
static char output_room[1 << 16];

/*
 * Occupies the standard streams that are closed, so that no file that is opened becomes one: its
 * bytes would be read as commands, or it would get what is printed. Their use remains an error.
 */
static void keep_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	struct session *session;
	struct options options;
	int ended_by = 0;
	keep_standard_streams();
	let_threads_sleep(argv);
	memory_shape_heap();
	atexit(on_exit_of_others);
	setvbuf(steady_output(), output_room, terminal_is_output() ? _IOLBF : _IOFBF,
		sizeof(output_room));
	terminal_set_locale();
	signals_init();
	struct cs_error *error = session_new(&session);
	if (error)
		return STATUS_BROKEN; /* out of memory: on_exit_of_others() prints the error */
	session->words.is_of_program = is_program_option;
	error = check_code();
	if (error) {
		fail(session, error, STATUS_FAILED);
		return finish_program(session, 0);
	}
	error = options_parse(argc, argv, session, &options);
	if (error) {
		refuse_options(session, error);
		return finish_program(session, 0);
	}
	apply_options(session, &options);
	if (!run_printing_options(session, &options))
		ended_by = run_program(session, &options);
	options_free(&options);
	return finish_program(session, ended_by);
}
