/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a command line, writes the line to the transcript and to the recorded script, and reports
 * its error.
 */
#include "src/session/session.h"

#include "src/language/definitions.h"
#include "src/output/lines.h"
#include "src/session/input/try_line.h"
#include "src/session/signals.h"

#include <errno.h>
#include <string.h>

/* ---- reports of errors ---- */

void say_error(struct output *out, const struct cs_error *error)
{
	const char *file = error->file;
	say_colour(out, COLOUR_BAD);
	say(out, "error:");
	say_colour(out, COLOUR_NONE);
	say(out, " ");
	if (file && error->offset != CS_NO_OFFSET)
		say(out, "%s:%llu: ", file, (unsigned long long)error->offset);
	else if (file)
		say(out, "%s: ", file);
	say(out, "%s [%s]\n", error->message, cs_word(CS_WORDS_CODE, error->code)->name);
}

/* Prints the line, and below it a caret and tildes under the word at offset `at`. */
static void say_caret(struct output *err, const char *line, size_t at)
{
	size_t length = strlen(line), n = at < length ? strcspn(line + at, " \t") : 1;
	if (at > length || length > 200)
		return;
	say(err, "  ");
	say_printed(err, line);
	say(err, "\n  %*s^", (int)at, "");
	for (size_t i = 1; i < n; i++)
		say(err, "~");
	say(err, "\n");
}

void tell_error(struct session *session, const struct cs_error *error, const char *line)
{
	struct style style = session_style(session);
	const struct script_place *place = session->channels.place;
	struct output err;
	if (error->code == CS_E_NOMEM)
		tally_status(&session->expected.tally, STATUS_BROKEN);
	progress_end(session);
	fflush(steady_output());
	style.format = FORMAT_TEXT;
	output_init(&err, &style, &session->channels.err.sink);
	if (place)
		say(&err, "%s:%u: ", place->file, place->line);
	say_error(&err, error);
	/* a screen that controls the terminal has room for one line of an error */
	bool has_room = !session->display.has_terminal;
	if (has_room && line && !error->file && error->offset != CS_NO_OFFSET)
		say_caret(&err, line, (size_t)error->offset);
	if (has_room)
		say_try_line(&err, session, error, line);
	cs_error_free(output_end(&err));
}

void report_error(struct session *session, struct cs_error *error, const char *line)
{
	tell_error(session, error, line);
	cs_error_free(error);
}

/* ---- transcripts ---- */

/* Returns the text for a transcript: "(cellscope) LINE", its output and its error. */
static struct cs_error *compose_transcript(const struct session *session, const char *line,
	struct memory_sink *output, const struct cs_error *error, char **ret, size_t *n_ret)
{
	struct memory_sink whole;
	struct output out;
	char *text = NULL;
	size_t n;
	memory_sink_init(&whole);
	output_init(&out, &style_of_scripts, &whole.sink);
	say(&out, "(cellscope) ");
	say_printed(&out, line);
	say(&out, "\n");
	sink_write(&whole.sink, output->text.at ? output->text.at : "", output->text.n);
	if (error)
		say_error(&out, error);
	cs_error_free(output_end(&out));
	struct cs_error *failed = memory_sink_take(&whole, &text, &n);
	if (!failed)
		failed = put_back_definitions(&session->words.definitions, text, n, ret, n_ret);
	free(text);
	return failed;
}

static struct cs_error *write_transcript(struct session *session, const char *line,
	struct memory_sink *output, const struct cs_error *error)
{
	char *text = NULL;
	size_t n = 0;
	struct cs_error *failed = compose_transcript(session, line, output, error, &text, &n);
	if (failed)
		return failed;
	if (session->expected.golden)
		sink_write(&session->expected.golden->sink, text, n);
	if (session->channels.transcript) {
		struct stream_sink to;
		stream_sink_init(&to, session->channels.transcript, -1);
		errno = 0;
		sink_write(&to.sink, text, n);
		if (!stream_sink_flush(&to))
			failed = cs_error_errno(errno ? errno : EIO,
				session->channels.transcript_path, "write the transcript");
	}
	free(text);
	return failed;
}

/* ---- running lines ---- */

/*
 * Returns whether to record a command line. The lines of a block and the commands of a breakpoint
 * are not recorded, because the line that runs them is recorded.
 */
static bool is_for_the_record(const struct session *session, const struct command *command)
{
	return command && (command->flags & COMMAND_CHANGES || session->run.in_record) &&
	       !session->block.collect && !session->run.at_stop && !session->run.is_tick &&
	       session->block.running == 0;
}

static struct cs_error *run_parsed(struct session *session, const char *line, struct sink *to,
	const struct command **command_ret)
{
	struct invocation invocation = {0};
	struct parse_context context = session_parse_context(session);
	struct cs_error *error = parse_line(&context, line, &invocation);
	if (error)
		return error;
	*command_ret = invocation.command;
	progress_begin(session);
	if (invocation.command)
		error = run_invocation(session, &invocation, line, to);
	progress_end(session);
	if (!error && is_for_the_record(session, invocation.command))
		error = session_record(
			session, session->run.in_record ? session->run.in_record : line);
	free(session->run.in_record);
	session->run.in_record = NULL;
	invocation_free(&invocation);
	return error;
}

struct cs_error *run_nested(struct session *session, const char *line, struct sink *to)
{
	const struct command *command;
	return run_parsed(session, line, to, &command);
}

struct cs_error *name_cause(struct session *session, struct cs_error *error)
{
	if (error && error->code == CS_E_NOMEM && session->bounds.memory_bound)
		return cs_error_new(CS_E_LIMIT,
			"the process needs more memory than --max-mem permits, or its scratch "
			"files more room than the disk has: raise --max-mem, or set TMPDIR to a "
			"folder with more room");
	if (!error || error->code != CS_E_INTERRUPTED)
		return error;
	session->bounds.timed_out = session->bounds.timed_out || signals_time_is_up();
	if (session->bounds.timed_out) {
		cs_error_free(error);
		return cs_error_new(CS_E_TIMEOUT, SIGNALS_LATE_TEXT);
	}
	session->expected.tally.interrupted = !session->mode.interactive;
	return error;
}

/* Prints the new name of a command when a person types the old one, once per session. */
static void tell_newer_name(
	struct session *session, const struct command *command, const char *line)
{
	struct style style = session_style(session);
	bool was = command && command_was(command, line + strspn(line, " \t"));
	if (!command || !(was || command->instead) || !session->mode.interactive ||
		session->mode.told)
		return;
	session->mode.told = true;
	style.format = FORMAT_TEXT;
	say_to(&session->channels.err.sink, &style,
		"%s will be removed in the next release: use `%s`%s\n",
		was ? command->was : command->name, was ? command->name : command->instead,
		was ? "" : ", which recognises the kind");
}

/*
 * Adds a line of a block to the text of the block, unless the block refused the line; `error` is
 * the outcome of the line. After the last line of the block, records the text.
 */
static struct cs_error *record_in_block(
	struct session *session, const char *line, bool is_first, const struct cs_error *error)
{
	struct line_block *block = &session->block;
	if (is_first)
		block->whole.n = 0;
	if (error && block->collect)
		return NULL;
	if ((!is_first && !cs_vec_push(&block->whole, '\n')) ||
		!cs_vec_append(&block->whole, line, strlen(line)))
		return cs_error_nomem();
	if (block->collect)
		return NULL;
	if (!cs_vec_push(&block->whole, '\0'))
		return cs_error_nomem();
	return error ? session_record_failed(session, block->whole.at, error)
		     : session_record(session, block->whole.at);
}

struct cs_error *run_line(struct session *session, const char *line, struct sink *to)
{
	const struct command *command = NULL;
	struct memory_sink copy;
	struct tee_sink tee;
	bool transcribed = session->channels.transcript || session->expected.golden;
	bool watched = session->display.screen && !session->display.is_reading;
	memory_sink_init(&copy);
	tee_sink_init(&tee, to, &copy.sink);
	bool collected = session->block.collect != NULL;
	struct cs_error *error =
		collected ? session->block.collect(
				    session, line, transcribed || watched ? &tee.sink : to)
			  : run_parsed(session, line, transcribed || watched ? &tee.sink : to,
				    &command);
	error = name_cause(session, error);
	tell_newer_name(session, command, line);
	struct cs_error *unwritten = NULL;
	if (transcribed && (command || collected))
		unwritten = write_transcript(session, line, &copy, error);
	/* `copy` is empty if this line created the screen; such a line prints nothing */
	if (session->display.screen && !session->display.is_reading)
		session->display.watcher->line_ran(
			session->display.screen, line, copy.text.at, copy.text.n, error);
	if (!unwritten && (collected || session->block.collect))
		unwritten = record_in_block(session, line, !collected, error);
	memory_sink_deinit(&copy);
	return cs_error_first(error, unwritten);
}
