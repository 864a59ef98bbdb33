/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `echo`, `transcript`, `record`, `alias`, `quit` and `exit`. */
#include "src/session/plain.h"

#include <errno.h>
#include <string.h>

static struct cs_error *run_echo(struct call *call)
{
	for (size_t i = 0; i < call->n_arguments; i++)
		say(call->out, "%s%s", i ? " " : "", call_argument(call, i)->text);
	say(call->out, "\n");
	return NULL;
}

const struct command command_echo = {
	.name = "echo",
	.group = GROUP_OUTPUT,
	.arguments = {{"TEXT", ARGUMENT_WORD, .optional = true, .many = true}},
	.summary = "print a text",
	.examples = "set $limit = 3\n"
		    "echo cells with more than $limit actors:",
	.help = "The words of TEXT are printed with one blank between them; $NAME is replaced by\n"
		"the value of the variable NAME (help set).",
	.run = run_echo,
};

/* ---- commands transcript and record ---- */

/* Ends the current transcript, and begins one in the named file unless that is "off". */
static struct cs_error *run_transcript(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	struct channels *channels = &call->session->channels;
	FILE *before = channels->transcript;
	channels->transcript = NULL;
	struct cs_error *error = NULL;
	if (before && fclose(before) != 0)
		error = cs_error_errno(errno, channels->transcript_path, "write the transcript");
	free(channels->transcript_path);
	channels->transcript_path = NULL;
	if (error || strcmp(path, "off") == 0)
		return error;
	channels->transcript_path = strdup(path);
	if (!channels->transcript_path)
		return cs_error_nomem();
	channels->transcript = steady_create(path);
	return channels->transcript ? NULL : cs_error_errno(errno, path, "create");
}

const struct command command_transcript = {
	.name = "transcript",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"FILE|off", ARGUMENT_OUTPUT}},
	.summary = "write commands and their output to a file",
	.examples = "transcript session.out\ntranscript off",
	.help = "A FILE that exists is overwritten, but a file of another kind only with the\n"
		"option --force of the program. `transcript off` ends the transcript. While a\n"
		"transcript is written, all output is as in scripts: 80 columns, ASCII, no\n"
		"colours. FILE can serve as the expected transcript CASE.out of a script CASE.cmd\n"
		"(help scripts).",
	.run = run_transcript,
};

static struct cs_error *run_record(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	return strcmp(path, "off") == 0 ? session_record_end(call->session)
					: session_record_begin(call->session, path);
}

const struct command command_record = {
	.name = "record",
	.group = GROUP_OUTPUT,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"FILE|off", ARGUMENT_OUTPUT}},
	.summary = "write to a script the commands that change the session",
	.examples = "record session.cmd\nrecord off",
	.help = "A FILE that exists is overwritten, but a file of another kind only with the\n"
		"option --force of the program. `record off` ends the record. The script begins\n"
		"with the commands that were run before, from the first `open`. A run of the\n"
		"script leads to the present state again, with the same `hash` (help hash). A\n"
		"command that failed after it had changed something is written with `expect\n"
		"error`. Of an interrupted command the script repeats only the part that was\n"
		"done. A block that was interrupted, such as the lines from `foreach` to `end`,\n"
		"is left out.",
	.run = run_record,
};

static const struct cs_column alias_columns[] = {
	SHORT_AS("alias", struct definition, name, "short name that was defined"),
	SHORT_AS("command", struct definition, value,
		"command line that is run when the name is "
		"typed"),
};

static const struct cs_table alias_table = PLAIN_TABLE("aliases", "alias", alias_columns);

static struct cs_error *run_alias(struct call *call)
{
	struct definitions *aliases = &call->session->words.aliases;
	if (call->n_arguments == 0)
		return emit_plain(call, &alias_table, aliases->at, aliases->n);
	const char *name = call_argument(call, 0)->text;
	const char *text = call->n_arguments > 1 ? call_argument(call, 1)->text : "";
	if (command_begins(name))
		return cs_error_new(CS_E_USAGE,
			"the alias '%s' would hide a command: choose a name that is not a command "
			"yet",
			name);
	if (*text == '=')
		text += 1 + strspn(text + 1, " \t");
	if (*text == '\0')
		return cs_error_new(CS_E_USAGE,
			"the alias '%s' needs a command: write alias NAME = COMMAND", name);
	return define(aliases, name, text);
}

const struct command command_alias = {
	.name = "alias",
	.group = GROUP_SCRIPT,
	.flags = COMMAND_CHANGES | COMMAND_LISTS,
	.arguments = {{"NAME", ARGUMENT_WORD, .optional = true},
		{"= COMMAND", ARGUMENT_LINE, .optional = true}},
	.summary = "define a short name for a command line, or list such names",
	.examples = "alias busy = cells -s -actors -n 10",
	.help = "COMMAND, the rest of the line after =, is run when NAME is typed as a command.\n"
		"NAME must not be the name, or the first word of the name, of a command.\n"
		"Without arguments `alias` lists all names that it has defined, with their lines.\n"
		"Its own options -n, -s, -w and -c apply only to this list.",
	.run = run_alias,
	.rows = &alias_table,
};

static struct cs_error *run_quit(struct call *call)
{
	enum { MOST_STATUS = 63 };
	const struct argument *status = call_argument(call, 0);
	if (status->given && status->count > MOST_STATUS)
		return cs_error_new(CS_E_USAGE, "STATUS must be 0 to %d, not %llu", MOST_STATUS,
			(unsigned long long)status->count);
	call->session->quit = true;
	call->session->quit_status = (int)argument_count(status, 0);
	return NULL;
}

const struct command command_quit = {
	.name = "quit",
	.alias = "q",
	.group = GROUP_HELP,
	.arguments = {{"STATUS", ARGUMENT_WHOLE, .optional = true}},
	.summary = "end the program",
	.examples = "quit\nquit 3",
	.help = "STATUS, 0 to 63, becomes the exit status of the program if no check and no\n"
		"command has failed (help exit). In a session on a terminal it becomes the exit\n"
		"status in any case.",
	.run = run_quit,
};

const struct command command_exit = {
	.name = "exit",
	.group = GROUP_HELP,
	.arguments = {{"STATUS", ARGUMENT_WHOLE, .optional = true}},
	.summary = "end the program, as `quit`",
	.examples = "exit",
	.run = run_quit,
};
