/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edits the command line of the screen, with history and the completion of the terminal prompt. */
#include "src/output/lines.h"
#include "src/session/input/complete.h"
#include "src/tui/screen.h"

#include "core/utf8.h"

#include <string.h>

void prompt_open(struct screen *screen, const char *text)
{
	struct prompt *prompt = &screen->prompt;
	prompt->text.n = 0;
	prompt->recalls = 0;
	prompt->seeks = false;
	char *typed = typed_text(text, screen->grid.ascii);
	prompt->is_open = typed && cs_vec_append(&prompt->text, typed, strlen(typed));
	prompt->at = prompt->text.n;
	screen->is_drawn = false;
	free(typed);
}

void prompt_free(struct prompt *prompt)
{
	cs_vec_free(&prompt->text);
	free(prompt->pasted);
	free(prompt->typed);
	*prompt = (struct prompt){0};
}

/* ---- editing the text ---- */

enum { LONGEST_LINE = 4096 };

/* Returns a copy of the first n typed bytes. The caller frees it; NULL when memory runs out. */
static char *prompt_text(const struct prompt *prompt, size_t n)
{
	return strndup(prompt->text.at ? prompt->text.at : "", n); /* NULL before the first key */
}

static size_t before(const struct prompt *prompt, size_t at)
{
	while (at > 0 && cs_utf8_inside(prompt->text.at[--at]))
		;
	return at;
}

static size_t prompt_behind(const struct prompt *prompt, size_t at)
{
	if (at < prompt->text.n)
		at++;
	while (at < prompt->text.n && cs_utf8_inside(prompt->text.at[at]))
		at++;
	return at;
}

static void erase(struct prompt *prompt, size_t first, size_t end)
{
	if (first == end)
		return;
	memmove(prompt->text.at + first, prompt->text.at + end, prompt->text.n - end);
	prompt->text.n -= end - first;
	prompt->at = first;
}

static void insert(struct prompt *prompt, const char *text, size_t n)
{
	if (prompt->text.n + n > LONGEST_LINE || !cs_vec_reserve(&prompt->text, n))
		return;
	memmove(prompt->text.at + prompt->at + n, prompt->text.at + prompt->at,
		prompt->text.n - prompt->at);
	memcpy(prompt->text.at + prompt->at, text, n);
	prompt->text.n += n;
	prompt->at += n;
}

/* Inserts typed text, with \xHH in place of each byte that a terminal would not show. */
static void insert_safely(struct screen *screen, const char *text)
{
	char *safe = typed_text(text, screen->grid.ascii);
	if (safe)
		insert(&screen->prompt, safe, strlen(safe));
	free(safe);
}

static size_t word_before(const struct prompt *prompt)
{
	size_t at = prompt->at;
	while (at > 0 && prompt->text.at[at - 1] == ' ')
		at--;
	while (at > 0 && prompt->text.at[at - 1] != ' ')
		at--;
	return at;
}

/* ---- pasted text ---- */

static size_t count_lines(const char *text)
{
	size_t n = 0;
	for (const char *end; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		n += end > text;
	}
	return n;
}

/* Inserts a pasted line. If the line is too long, inserts nothing of it. */
static void paste_line(struct screen *screen, const char *text)
{
	struct prompt *prompt = &screen->prompt;
	char *line = strdup(text);
	size_t n = 0;
	for (const char *c = text; line && *c; c++)
		if (*c == '\t' || (unsigned char)*c >= ' ')
			line[n++] = *c == '\t' ? ' ' : *c;
	if (line)
		line[n] = '\0';
	char *safe = line ? typed_text(line, screen->grid.ascii) : NULL;
	if (safe && strlen(safe) > LONGEST_LINE - prompt->text.n)
		screen_say(screen, INK_WARN,
			"a line can have at most %d bytes, so none of the %zu pasted bytes was "
			"taken",
			LONGEST_LINE, strlen(safe));
	else if (safe)
		insert(prompt, safe, strlen(safe));
	free(safe);
	free(line);
}

/*
 * Runs a typed line. While a block is open, the prompt opens again for the block's next line:
 * without a prompt, the command of a key would become a line of the block.
 */
static void prompt_submit(struct screen *screen, const char *line)
{
	screen->prompt.is_open = false;
	cs_error_free(screen_remember(screen, line));
	if (*line)
		screen_submit(screen, line);
	if (screen->session->block.collect)
		prompt_open(screen, "");
}

/* Closes the prompt without running the line, and discards the lines of an open block. */
static void prompt_leave(struct screen *screen)
{
	screen->prompt.is_open = false;
	if (screen->session->block.collect)
		screen_message(screen, "the block was given up: none of its lines runs");
	screen->session->block.collect = NULL;
}

/* Inserts one pasted line into the prompt; asks before several pasted lines are run. */
void prompt_paste(struct screen *screen, const char *text)
{
	struct prompt *prompt = &screen->prompt;
	size_t lines = count_lines(text);
	free(prompt->pasted);
	prompt->pasted = NULL;
	if (lines == 0)
		return;
	if (lines > 1) {
		prompt->pasted = strdup(text);
		screen_message(screen,
			"%zu lines were pasted: y runs them, any other key drops them", lines);
		return;
	}
	if (!prompt->is_open)
		prompt_open(screen, "");
	paste_line(screen, text);
}

/*
 * Returns a pasted line or, if `typed`, the text of the prompt after pasting the line into it. The
 * caller frees the result.
 */
static char *pasted_line(struct screen *screen, const char *line, bool typed)
{
	if (!typed)
		return strdup(line);
	paste_line(screen, line);
	return prompt_text(&screen->prompt, screen->prompt.text.n);
}

/* Handles the key that answers whether to run pasted lines. Returns false if that was not asked. */
bool prompt_answer_paste(struct screen *screen, const char *key)
{
	char *lines = screen->prompt.pasted, *rest = NULL;
	const bool runs = strcmp(key, "y") == 0;
	bool typed = screen->prompt.is_open && !screen->prompt.seeks;
	if (!lines)
		return false;
	screen->prompt.pasted = NULL;
	screen->prompt.is_open = screen->prompt.is_open && !runs;
	screen->was_error = false;
	for (char *next = strtok_r(lines, "\n", &rest); next && runs; typed = false) {
		char *line = pasted_line(screen, next, typed);
		prompt_submit(screen, line ? line : next);
		free(line);
		next = screen->was_error ? NULL : strtok_r(NULL, "\n", &rest);
	}
	free(lines);
	return true;
}

/* ---- history of lines ---- */

struct cs_error *screen_remember(struct screen *screen, const char *line)
{
	size_t n = screen->history.n;
	if (!*line || (n > 0 && strcmp(screen->history.at[n - 1], line) == 0))
		return NULL;
	char *copy = strdup(line);
	if (copy && cs_vec_push(&screen->history, copy))
		return NULL;
	free(copy);
	return cs_error_nomem();
}

/* Stores the line that was typed, before the prompt shows an older line in its place. */
static void keep_typed(struct prompt *prompt)
{
	if (prompt->recalls > 0)
		return;
	free(prompt->typed);
	prompt->typed = prompt_text(prompt, prompt->text.n);
}

static void recall(struct screen *screen, int step)
{
	struct prompt *prompt = &screen->prompt;
	size_t n = screen->history.n;
	if ((step > 0 && prompt->recalls >= n) || (step < 0 && prompt->recalls == 0))
		return;
	prompt->recalls += (size_t)step;
	prompt->text.n = prompt->at = 0;
	const char *line =
		prompt->recalls > 0 ? screen->history.at[n - prompt->recalls] : prompt->typed;
	if (line)
		insert(prompt, line, strlen(line));
}

/* ---- completion of words ---- */

/* Returns n, or the largest smaller length that divides neither a character nor a \xHH. */
static size_t whole_part(const char *text, size_t n)
{
	while (n > 0 && text[n] && cs_utf8_inside(text[n]))
		n--;
	for (size_t back = 1; back <= 3 && back <= n && text[n]; back++)
		if (text[n - back] == '\\' && (back == 1 || text[n - back + 1] == 'x'))
			return n - back;
	return n;
}

/* Returns the number of leading bytes that all candidates share. */
static size_t common(const struct candidates *candidates)
{
	const char *first = candidates->at.at[0];
	size_t n = strlen(first);
	for (size_t i = 1; i < candidates->at.n; i++) {
		size_t same = 0;
		while (same < n && candidates->at.at[i][same] == first[same])
			same++;
		n = same;
	}
	return whole_part(first, n);
}

static void show_candidates(struct screen *screen, const struct candidates *candidates)
{
	struct text_output text;
	struct output *out = text_output_begin(&text, (struct style){.ascii = screen->grid.ascii});
	for (size_t i = 0; i < candidates->at.n && text.sink.text.n < screen->grid.columns; i++) {
		say_printed(out, candidates->at.at[i]);
		say(out, "  ");
	}
	char *said = text_output_end(&text);
	if (said)
		screen_say(screen, INK_DIM, "%s%s", said, candidates->more ? "..." : "");
	free(said);
}

/* Inserts the only candidate, with a blank after it unless it may go on, as a folder does. */
static void insert_whole(struct prompt *prompt, const char *word, bool goes_on)
{
	size_t n = strlen(word);
	const bool is_quoted = n > 1 && word[n - 1] == '"' && word[n - 2] == '/';
	const bool is_folder = is_quoted || (n > 0 && word[n - 1] == '/');
	insert(prompt, word, n - is_quoted);
	if (!is_folder && !goes_on)
		insert(prompt, " ", 1);
}

/* Replaces the last word by the longest common beginning of its candidates. */
static void prompt_complete(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	struct candidates candidates = {.lists_files = true};
	char *line = prompt_text(prompt, prompt->at);
	if (!line)
		return;
	complete_line(screen->session, line, &candidates);
	if (screen->grid.ascii)
		candidates_to_ascii(&candidates);
	const size_t typed = prompt->at - candidates.first;
	if (candidates.at.n == 1) {
		erase(prompt, candidates.first, prompt->at);
		insert_whole(prompt, candidates.at.at[0], candidates.goes_on);
	} else if (candidates.at.n > 1) {
		const size_t n = common(&candidates);
		if (n >= typed) {
			erase(prompt, candidates.first, prompt->at);
			insert(prompt, candidates.at.at[0], n);
		}
		show_candidates(screen, &candidates);
	}
	candidates_free(&candidates);
	free(line);
}

/* ---- keys of the prompt ---- */

static void prompt_enter(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	char *line = prompt_text(prompt, prompt->text.n);
	prompt->is_open = false;
	if (!line)
		return;
	size_t n = strlen(line);
	while (n > 0 && line[n - 1] == ' ')
		line[--n] = '\0';
	prompt_submit(screen, line);
	free(line);
}

/* A key of the prompt. It calls `edit`, or moves the cursor to a place, or erases up to there. */
struct editor {
	const char *key;
	void (*edit)(struct screen *screen);
	enum place_in_line { PLACE_LEFT, PLACE_RIGHT, PLACE_FIRST, PLACE_LAST, PLACE_WORD } to;
	bool erases;
};

static void apply_editor(struct screen *screen, const struct editor *editor)
{
	struct prompt *prompt = &screen->prompt;
	const size_t places[] = {[PLACE_LEFT] = before(prompt, prompt->at),
		[PLACE_RIGHT] = prompt_behind(prompt, prompt->at),
		[PLACE_FIRST] = 0,
		[PLACE_LAST] = prompt->text.n,
		[PLACE_WORD] = word_before(prompt)};
	const size_t at = prompt->at, to = places[editor->to];
	if (editor->edit)
		editor->edit(screen);
	else if (editor->erases)
		erase(prompt, to < at ? to : at, to < at ? at : to);
	else
		prompt->at = to;
}

/* Erases the character before the cursor. If the line is empty, closes the prompt, as pagers do. */
static void erase_before(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	if (prompt->text.n == 0)
		prompt_leave(screen);
	else
		erase(prompt, before(prompt, prompt->at), prompt->at);
}

/* ---- searching the history (C-r) ---- */

/* Recalls the next older line that contains the pattern; changes nothing if there is none. */
static void seek(struct screen *screen)
{
	struct prompt *prompt = &screen->prompt;
	const size_t n = screen->history.n;
	for (size_t back = prompt->recalls + 1; back <= n; back++)
		if (strcasestr(screen->history.at[n - back], prompt->pattern)) {
			prompt->recalls = back - 1;
			recall(screen, 1);
			return;
		}
}

static void begin_seek(struct screen *screen)
{
	keep_typed(&screen->prompt);
	screen->prompt.seeks = true;
	screen->prompt.pattern[0] = '\0';
	screen->prompt.recalls = 0;
}

/* Handles a key of a history search, or ends the search and returns false to handle it as usual. */
static bool seek_key(struct screen *screen, const char *key)
{
	struct prompt *prompt = &screen->prompt;
	size_t n = strlen(prompt->pattern);
	const char *text = strcmp(key, "Space") == 0 ? " " : key;
	if (strcmp(key, "C-r") == 0) {
		seek(screen);
		return true;
	}
	bool erases = strcmp(key, "Backspace") == 0 && n > 0;
	bool is_text = strlen(text) == 1 || (unsigned char)text[0] >= 0xc0;
	if ((!erases && !is_text) || n + strlen(text) >= sizeof(prompt->pattern)) {
		prompt->seeks = false;
		return false;
	}
	if (erases) {
		while (n > 0 && cs_utf8_inside(prompt->pattern[--n]))
			;
		prompt->pattern[n] = '\0';
	} else {
		memcpy(prompt->pattern + n, text, strlen(text) + 1);
	}
	prompt->recalls = 0;
	seek(screen);
	return true;
}

static void recall_older(struct screen *screen)
{
	keep_typed(&screen->prompt);
	recall(screen, 1);
}

static void recall_newer(struct screen *screen)
{
	recall(screen, -1);
}

static const struct editor editors[] = {
	{"Enter", prompt_enter},
	{"Esc", prompt_leave},
	{"C-c", prompt_leave},
	{"C-g", prompt_leave},
	{"Left", .to = PLACE_LEFT},
	{"C-b", .to = PLACE_LEFT},
	{"Right", .to = PLACE_RIGHT},
	{"C-f", .to = PLACE_RIGHT},
	{"Home", .to = PLACE_FIRST},
	{"C-a", .to = PLACE_FIRST},
	{"End", .to = PLACE_LAST},
	{"C-e", .to = PLACE_LAST},
	{"Backspace", erase_before},
	{"C-h", erase_before},
	{"Delete", .to = PLACE_RIGHT, .erases = true},
	{"C-d", .to = PLACE_RIGHT, .erases = true},
	{"C-w", .to = PLACE_WORD, .erases = true},
	{"C-u", .to = PLACE_FIRST, .erases = true},
	{"C-k", .to = PLACE_LAST, .erases = true},
	{"Up", recall_older},
	{"C-p", recall_older},
	{"Down", recall_newer},
	{"C-n", recall_newer},
	{"C-r", begin_seek},
	{"Tab", prompt_complete},
};

void prompt_key(struct screen *screen, const char *key)
{
	if (screen->prompt.seeks && seek_key(screen, key))
		return;
	for (size_t i = 0; i < sizeof(editors) / sizeof(editors[0]); i++)
		if (strcmp(editors[i].key, key) == 0) {
			apply_editor(screen, &editors[i]);
			return;
		}
	if (strcmp(key, "Space") == 0)
		insert(&screen->prompt, " ", 1);
	else if (strlen(key) == 1 || (unsigned char)key[0] >= 0xc0)
		insert_safely(screen, key);
}
