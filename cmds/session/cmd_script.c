/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `source` (runs a script), `assert`, `expect error`, `xfail`, `golden` and `require`. */
#include "src/session/script/script.h"

#include "src/output/lines.h"
#include "src/session/outputs.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* ---- command source ---- */

/* Runs a script for JSON: its output becomes a list of lines, as the answer is a single object. */
static struct cs_error *answer_with_text(struct call *call, const struct script *script)
{
	struct session *session = call->session;
	struct sink *outer = session->channels.nested;
	long format = session->settings.at[SETTING_OUTPUT];
	struct memory_sink memory;
	struct line_list lines = {0};
	char *text = NULL;
	size_t n = 0;
	memory_sink_init(&memory);
	session->channels.nested = &memory.sink;
	session_apply(session, SETTING_OUTPUT, FORMAT_TEXT);
	struct cs_error *ending = script_run_inside(session, script);
	session_apply(session, SETTING_OUTPUT, format);
	session->channels.nested = outer;
	struct cs_error *error = memory_sink_take(&memory, &text, &n);
	if (!error)
		error = split_lines(text, n, &lines);
	for (size_t i = 0; !error && i < lines.at.n; i++) {
		say_printed(call->out, lines.at.at[i]);
		say(call->out, "\n");
	}
	line_list_free(&lines);
	free(text);
	return cs_error_first(error, ending);
}

static struct cs_error *run_source(struct call *call)
{
	enum { DEEPEST = 16 };
	struct session *session = call->session;
	struct script script;
	struct definitions aliases = {0};
	if (session->channels.depth >= DEEPEST)
		return cs_error_new(CS_E_DEPTH,
			"command files that run command files (source) are nested more than %d "
			"deep",
			DEEPEST);
	struct cs_error *error = check_inside(session, call_argument(call, 0)->text);
	if (!error)
		error = script_read(call_argument(call, 0)->text, &script);
	if (error)
		return error;
	if (!script_check(session, &script, &aliases)) {
		error = cs_error_new(CS_E_USAGE,
			"no line of %s was run, because the lines named above have errors",
			script.name);
	} else {
		session->channels.depth++;
		if (session->channels.compact && call->out->style.format == FORMAT_JSON)
			error = answer_with_text(call, &script);
		else
			error = script_run_inside(session, &script);
		session->channels.depth--;
	}
	definitions_free(&aliases);
	script_free(&script);
	return error;
}

const struct command command_source = {
	.name = "source",
	.group = GROUP_SCRIPT,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.summary = "run a command file",
	.examples = "source checks.cmd",
	.help = "`help scripts` explains command files. A command that fails in FILE ends FILE,\n"
		"and also the command file that contains the line `source FILE`, unless the\n"
		"option keep-going is on (`set keep-going on`).",
	.run = run_source,
};

/* ---- parsing the expression of an assert ---- */

/* Returns the first byte outside of quotes and parentheses for which `at` is true, or NULL. */
static const char *scan_top_level(const char *text, bool (*at)(const char *text, const char *where))
{
	int depth = 0;
	char quote = '\0';
	for (const char *c = text; *c; c++) {
		if (quote) {
			quote = *c == quote ? '\0' : quote;
		} else if (*c == '\'' || *c == '"') {
			if (depth == 0 && at(text, c))
				return c;
			quote = *c;
		} else if (depth == 0 && at(text, c)) {
			return c;
		} else {
			depth += (*c == '(') - (*c == ')');
		}
	}
	return NULL;
}

/* Returns whether `at` is the colon of `EXPRESSION : "TEXT"`, before the message of an assert. */
static bool is_text_start(const char *text, const char *at)
{
	return at > text && at[0] == ':' && at[-1] == ' ' && at[1] == ' ' &&
	       at[1 + strspn(at + 1, " ")] == '"';
}

/* Returns whether a comparison operator begins at `at`; << >> -> and ->> are none. */
static bool is_comparison(const char *text, const char *at)
{
	bool is_other = *at != '=' && at > text && (at[1] == *at || strchr("<>-", at[-1]));
	return at > text && strchr("=<>!", *at) && !is_other;
}

static bool is_word_at(const char *text, const char *at, const char *word)
{
	size_t n = strlen(word);
	return (at == text || !isalnum((unsigned char)at[-1])) && strncasecmp(at, word, n) == 0 &&
	       !isalnum((unsigned char)at[n]);
}

static bool is_connective(const char *text, const char *at)
{
	return is_word_at(text, at, "AND") || is_word_at(text, at, "OR") ||
	       is_word_at(text, at, "NOT") || is_word_at(text, at, "BETWEEN");
}

/*
 * Explains why a comparison failed, as in "left side is 'loading'". The caller frees the text,
 * which is NULL if the expression is not a single comparison.
 */
static char *tell_left_side(struct session *session, const char *expression)
{
	const char *end = scan_top_level(expression, is_comparison);
	struct cs_result *result;
	struct text_output text;
	char *left;
	if (!end || scan_top_level(expression, is_connective))
		return NULL;
	left = strndup(expression, (size_t)(end - expression));
	struct cs_error *error = left ? cs_query_evaluate(session->query, left, NULL,
						session_variables(session), &result)
				      : cs_error_nomem();
	free(left);
	if (error) {
		cs_error_free(error);
		return NULL;
	}
	struct output *out = text_output_begin(&text, style_of_scripts);
	const struct cs_value value = cs_result_value(result, 0, 0);
	const char *quote = value.kind == CS_KIND_TEXT ? "'" : "";
	say(out, "left side is %s", quote);
	say_value(out, &value);
	say(out, "%s", quote);
	cs_result_free(result);
	return text_output_end(&text);
}

static struct cs_error *run_assert(struct call *call)
{
	struct session *session = call->session;
	const char *text = call_argument(call, 0)->text;
	const char *end = scan_top_level(text, is_text_start);
	char *expression = end ? strndup(text, (size_t)(end - text)) : strdup(text);
	bool holds = false;
	struct cs_error *error =
		expression ? session_is_true(session, expression, &holds) : cs_error_nomem();
	if (!error) {
		char *why = holds ? NULL : tell_left_side(session, expression);
		check_point(session, holds, "assert", text, why);
		free(why);
	}
	free(expression);
	return error;
}

const struct command command_assert = {
	.name = "assert",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHECKS | COMMAND_PARTS,
	.arguments = {{"EXPR [: \"TEXT\"]", ARGUMENT_EXPRESSION}},
	.summary = "check that an expression is true",
	.examples = "assert cell('L0:0,0','grid') = 'MainGrid'\n"
		    "assert (SELECT count(*) FROM cells WHERE actors = 0) = 0 : \"no empty cells\"",
	.help = "EXPR is SQL (help expressions). TEXT is a name for the check; it is printed with\n"
		"the result of the check, but changes nothing. When EXPR is false, the check\n"
		"fails. The script then goes on, and the exit status of the program becomes 1\n"
		"(help exit).",
	.run = run_assert,
};

/* ---- commands that contain a command ---- */

/* An argument of the form "PREFIX: COMMAND", where PREFIX may be in double quotes. */
struct prefixed {
	char *prefix;     /* owned */
	const char *line; /* the command; points into the argument */
};

/* `usage` is how the line is written, such as "golden FILE: COMMAND". */
static struct cs_error *split_prefix(const char *text, const char *usage, struct prefixed *ret)
{
	bool quoted = *text == '"';
	const char *start = text + quoted;
	size_t n = quoted ? strcspn(start, "\"") : strcspn(start, ":");
	const char *colon = start + n + (quoted && start[n] == '"');
	if (n == 0 || *colon != ':' || colon[1 + strspn(colon + 1, " \t")] == '\0')
		return cs_error_new(
			CS_E_USAGE, "a colon with a command after it is missing: write %s", usage);
	ret->line = colon + 1 + strspn(colon + 1, " \t");
	ret->prefix = strndup(start, n);
	return ret->prefix ? NULL : cs_error_nomem();
}

/* Checks that the inner command in an argument parses, and likewise any command inside that one. */
static struct cs_error *script_check_line(const struct parse_context *context, const char *line)
{
	struct invocation invocation = {0};
	struct cs_error *error = parse_line(context, line, &invocation);
	if (error)
		return error;
	if (invocation.command && invocation.command->check && !invocation.help)
		error = invocation.command->check(context, &invocation);
	invocation_free(&invocation);
	return error;
}

static struct cs_error *check_nested(
	const struct parse_context *context, const struct invocation *invocation)
{
	struct prefixed at = {0};
	const char *text = invocation->words.at[0].text;
	char usage[80];
	snprintf(usage, sizeof(usage), "%s %s", invocation->command->name,
		invocation->command->arguments[0].name);
	struct cs_error *error = split_prefix(text, usage, &at);
	if (!error) {
		error = script_check_line(context, at.line);
		/* converts the offset in the inner line to an offset in the whole line */
		if (error && !error->file && error->offset != CS_NO_OFFSET)
			cs_error_move(error,
				error->offset + invocation->raw_at + (size_t)(at.line - text));
	}
	free(at.prefix);
	return error;
}

/* ---- command expect error ---- */

static struct cs_error *split_expected(
	const char *text, struct prefixed *at, enum cs_code *code_ret)
{
	struct cs_error *error = split_prefix(text, "expect error CODE: COMMAND", at);
	unsigned code = CS_E_INTERNAL;
	if (!error && !word_named(CS_WORDS_CODE, at->prefix, &code))
		error = cs_error_new(CS_E_USAGE,
			"'%s' is not an error code; codes stand in brackets after messages, such "
			"as E_NOCELL",
			at->prefix);
	*code_ret = (enum cs_code)code;
	return error;
}

/* Checks a line that names an expected error. A parse error is accepted if it is that error. */
static struct cs_error *check_expect(
	const struct parse_context *context, const struct invocation *invocation)
{
	struct prefixed at = {0};
	enum cs_code code = CS_E_INTERNAL;
	struct cs_error *error = split_expected(invocation->words.at[0].text, &at, &code);
	if (!error)
		error = script_check_line(context, at.line);
	if (error && error->code == code) {
		cs_error_free(error);
		error = NULL;
	}
	free(at.prefix);
	return error;
}

/*
 * Returns whether a check may expect this error. It may not if memory ran out, the program is at
 * fault, or ^C or the time limit ended the run, because the checks below would then never run. An
 * error that may be expected loses the exit status that a missing golden file has set, because its
 * code was named.
 */
static bool may_expect(struct session *session, const struct cs_error *error, enum status before)
{
	struct tally *tally = &session->expected.tally;
	if (status_of_error(error) == STATUS_BROKEN || error->code == CS_E_INTERRUPTED ||
		session->bounds.timed_out)
		return false;
	if (tally->status == STATUS_USAGE)
		tally->status = before;
	return true;
}

static struct cs_error *run_expect(struct call *call)
{
	struct prefixed at = {0};
	enum cs_code code = CS_E_INTERNAL;
	char why[400] = "it did not fail";
	struct cs_error *error = split_expected(call_argument(call, 0)->text, &at, &code);
	free(at.prefix);
	if (error)
		return error;
	const enum status before = call->session->expected.tally.status;
	struct cs_error *got = run_nested(call->session, at.line, call->out->sink);
	bool holds = got && got->code == code;
	if (got && !may_expect(call->session, got, before))
		return got;
	if (got)
		snprintf(why, sizeof(why), "%s: %s", cs_word(CS_WORDS_CODE, got->code)->name,
			got->message);
	check_point(call->session, holds, "expect error", call_argument(call, 0)->text,
		holds ? NULL : why);
	cs_error_free(got);
	return NULL;
}

const struct command command_expect = {
	.name = "expect error",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHECKS,
	.arguments = {{"CODE: COMMAND", ARGUMENT_LINE}},
	.summary = "check that a command fails with a certain error code",
	.examples = "expect error E_NOCELL: cell L0:99,99",
	.help = "CODE is the name in brackets after an error message, such as E_NOCELL. The check\n"
		"fails when COMMAND succeeds, or fails with another code.",
	.run = run_expect,
	.check = check_expect,
};

static struct cs_error *run_xfail(struct call *call)
{
	struct session *session = call->session;
	struct prefixed at = {0};
	struct foretold foretold = {0}, *outer = session->expected.foretold;
	struct cs_error *error =
		split_prefix(call_argument(call, 0)->text, "xfail \"WHY\": COMMAND", &at);
	if (error)
		return error;
	const enum status before = session->expected.tally.status;
	session->expected.foretold = &foretold;
	error = run_nested(session, at.line, call->out->sink);
	session->expected.foretold = outer;
	/* a missing golden file is a mistake in the script, which nobody can foretell */
	const bool is_mistake =
		before != STATUS_USAGE && session->expected.tally.status == STATUS_USAGE;
	if (error && !is_mistake && may_expect(session, error, before)) {
		foretold.failed = true;
		cs_error_free(error);
		error = NULL;
	}
	if (!error)
		check_foretold(session, &foretold, at.line, at.prefix);
	free(foretold.why);
	free(at.prefix);
	return error;
}

const struct command command_xfail = {
	.name = "xfail",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHECKS,
	.arguments = {{"\"WHY\": COMMAND", ARGUMENT_LINE}},
	.summary = "run a check that is known to fail",
	.examples = "xfail \"issue 12\": assert 1 = 2",
	.help = "WHY is the reason why COMMAND fails. If COMMAND fails, the script goes on, and\n"
		"no failure is counted. If COMMAND succeeds, a failure is counted.",
	.run = run_xfail,
	.check = check_nested,
};

static struct cs_error *run_golden(struct call *call)
{
	struct session *session = call->session;
	const char *folder = session->channels.place ? session->channels.place->folder : ".";
	struct prefixed at = {0};
	char *path = NULL, *text = NULL;
	size_t n = 0;
	struct tally_mark mark = tally_mark(&session->expected.tally);
	struct cs_error *error =
		split_prefix(call_argument(call, 0)->text, "golden FILE: COMMAND", &at);
	if (!error && asprintf(&path, "%s%s%s", *at.prefix == '/' ? "" : folder,
			      *at.prefix == '/' ? "" : "/", at.prefix) < 0) {
		path = NULL;
		error = cs_error_nomem();
	}
	if (!error)
		error = check_inside(session, path);
	if (!error)
		error = capture_line(session, at.line, run_nested, &text, &n);
	if (!error) {
		error = check_golden(session, path, text, n);
		if (!error)
			tally_expected(&session->expected.tally, mark);
		else if (error->code == CS_E_NOFILE)
			/* a missing golden file is a mistake in the script, not a failed check */
			tally_status(&session->expected.tally, STATUS_USAGE);
	}
	free(path);
	free(text);
	free(at.prefix);
	return error;
}

const struct command command_golden = {
	.name = "golden",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHECKS,
	.arguments = {{"FILE: COMMAND", ARGUMENT_LINE}},
	.summary = "check that the output of a command equals a file",
	.examples = "golden map42.txt: map",
	.help = "FILE is looked for beside the script, and COMMAND is any command. When the\n"
		"program runs with --bless, it writes the output to FILE instead.",
	.run = run_golden,
	.check = check_nested,
};

/* ---- command require ---- */

static const char *const requirement_kinds[] = {"feature", "file", NULL};

static bool has_feature(const char *name)
{
	static const char *const features[] = {"lz4", "sql", "script"};
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (strcmp(features[i], name) == 0)
			return true;
	return false;
}

static struct cs_error *run_require(struct call *call)
{
	const char *name = call_argument(call, 1)->text;
	bool is_file = strcmp(call_argument(call, 0)->text, "file") == 0;
	if (is_file ? access(name, R_OK) == 0 : has_feature(name))
		return NULL;
	check_skip(call->session, name);
	return NULL;
}

const struct command command_require = {
	.name = "require",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHECKS,
	.arguments = {{"feature|file", ARGUMENT_CHOICE, .choices = requirement_kinds},
		{"NAME", ARGUMENT_FILE}},
	.summary = "skip the rest of the script unless a feature or a file exists",
	.examples = "require feature lz4\nrequire file @DATA@/valley.json",
	.help = "NAME is the path of a file that must be readable, or a feature: lz4, sql or\n"
		"script. Every version until now has all three. @DATA@ in the example is the\n"
		"VALUE of the program's option -D DATA=VALUE (help grammar). A skipped script\n"
		"ends with status 77.",
	.run = run_require,
};
