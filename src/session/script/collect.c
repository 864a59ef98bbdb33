/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the lines of blocks (bodies of `if`, `foreach` and others), and runs them. */
#include "src/session/script/collect.h"

#include <string.h>

bool line_begins_with(const char *line, const char *word)
{
	size_t n = strlen(word);
	line += strspn(line, " \t");
	return strncmp(line, word, n) == 0 && strchr(" \t\r\n", line[n]);
}

/* Returns whether the first word of a line is followed by an option that only prints its help. */
static bool asks_for_help(const char *line)
{
	line += strspn(line, " \t");
	line += strcspn(line, " \t\r\n");
	return line_begins_with(line, "-h") || line_begins_with(line, "--help");
}

bool line_is_else(const char *line)
{
	return line_begins_with(line, "else") && !asks_for_help(line);
}

int block_step(const char *line)
{
	static const char *const begins[] = {"if", "foreach", "define", "commands"};
	if (asks_for_help(line))
		return 0;
	if (line_begins_with(line, "end"))
		return -1;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (line_begins_with(line, begins[i]))
			return 1;
	return 0;
}

/* Returns whether a collected line begins with `word` and the first word of `line`. */
static bool is_named_in_block(const struct session *session, const char *word, const char *line)
{
	const char *name = line + strspn(line, " \t");
	const size_t length = strcspn(name, " \t\r\n");
	const char *at = session->block.lines.at, *newline;
	size_t left = session->block.lines.n;
	for (; left > 0; left -= (size_t)(newline + 1 - at), at = newline + 1) {
		newline = memchr(at, '\n', left);
		if (!line_begins_with(at, word))
			continue;
		const char *named = at + strspn(at, " \t") + strlen(word);
		named += strspn(named, " \t");
		if (strncmp(named, name, length) == 0 && strchr(" \t\r\n", named[length]))
			return true;
	}
	return false;
}

/*
 * Returns an error if the line cannot be parsed; the block then continues without the line. A line
 * that uses a command defined in the block is not checked.
 */
static struct cs_error *check_line(const struct session *session, const char *line)
{
	if (is_named_in_block(session, "define", line) || is_named_in_block(session, "alias", line))
		return NULL;
	struct parse_context context = session_parse_context(session);
	struct invocation invocation = {0};
	struct cs_error *error = parse_line(&context, line, &invocation);
	if (!error)
		invocation_free(&invocation);
	return error;
}

/* Adds an empty line for each unstored script line, such as a comment, to keep line numbers. */
static bool keep_numbers(struct session *session)
{
	const struct line_block *block = &session->block;
	unsigned next = block->first + 1;
	for (size_t i = 0; i < block->lines.n; i++)
		next += block->lines.at[i] == '\n';
	bool room = true;
	for (; room && block->first && next < session->channels.place->line; next++)
		room = cs_vec_push(&session->block.lines, '\n');
	return room;
}

/* Ends collecting, and gives the block to its `finish`, whose lines may begin another block. */
static struct cs_error *finish_block(struct session *session, struct sink *to)
{
	struct line_block *block = &session->block;
	const struct block_text text = {block->head, block->name,
		cs_vec_push(&block->lines, '\0') ? strdup(block->lines.at) : NULL, block->first};
	block->collect = NULL;
	block->head = block->name = NULL;
	block->lines.n = 0;
	struct cs_error *error = text.lines ? block->finish(session, &text, to) : cs_error_nomem();
	free(text.lines);
	free(text.name);
	free(text.head);
	return error;
}

static struct cs_error *session_collect(struct session *session, const char *line, struct sink *to)
{
	int step = block_step(line);
	if (step < 0 && session->block.depth == 0)
		return finish_block(session, to);
	struct cs_error *error = check_line(session, line);
	if (error)
		return error;
	session->block.depth += step;
	if (!keep_numbers(session))
		return cs_error_nomem();
	if (!cs_vec_append(&session->block.lines, line, strlen(line)) ||
		!cs_vec_push(&session->block.lines, '\n'))
		return cs_error_nomem();
	return NULL;
}

struct cs_error *begin_block(struct session *session, const char *head, const char *name,
	struct cs_error *(*finish)(
		struct session *session, const struct block_text *text, struct sink *to))
{
	char *head_copy = strdup(head), *name_copy = strdup(name);
	if (!head_copy || !name_copy) {
		free(head_copy);
		free(name_copy);
		return cs_error_nomem();
	}
	free(session->block.head);
	free(session->block.name);
	session->block.head = head_copy;
	session->block.name = name_copy;
	session->block.lines.n = 0;
	session->block.depth = 0;
	session->block.first = session->channels.place && !session->block.foreign
				       ? session->channels.place->line
				       : 0;
	session->block.finish = finish;
	session->block.collect = session_collect;
	return NULL;
}

static struct cs_error *in_line(struct cs_error *error, const char *line)
{
	if (error->file || error->code == CS_E_INTERRUPTED)
		return error;
	/* removes the offset, because the user sees the line that runs the block */
	cs_error_move(error, CS_NO_OFFSET);
	/* in a recursion, the message names only the innermost line */
	if (error->code == CS_E_DEPTH && strstr(error->message, "(in the line: "))
		return error;
	return cs_error_add(error, " (in the line: %s)", line + strspn(line, " \t"));
}

static struct cs_error *run_one(struct session *session, const char *line, struct sink *to)
{
	bool collected = session->block.collect != NULL;
	struct cs_error *error = collected ? session->block.collect(session, line, to)
					   : run_nested(session, line, to);
	return error && !(collected && session->block.collect == NULL) ? in_line(error, line)
								       : error;
}

struct cs_error *run_lines(
	struct session *session, const char *lines, unsigned before, struct sink *to)
{
	enum { DEEPEST = 32 };
	struct script_place nowhere = {0}, *place = before ? session->channels.place : &nowhere;
	const unsigned outer_line = place->line;
	const bool outer_foreign = session->block.foreign;
	struct cs_error *error = NULL;
	if (session->block.running >= DEEPEST)
		return cs_error_new(CS_E_DEPTH,
			"blocks of `define`, `if` and `foreach` are nested more than %d deep",
			DEEPEST);
	session->block.running++;
	session->block.foreign = before == 0;
	while (!error && *lines && !session->quit) {
		size_t n = strcspn(lines, "\n");
		char *line = strndup(lines, n);
		place->line = ++before;
		error = line ? run_one(session, line, to) : cs_error_nomem();
		free(line);
		lines += n + (lines[n] == '\n');
	}
	session->block.running--;
	session->block.foreign = outer_foreign;
	if (!error)
		place->line = outer_line;
	return error;
}
