/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the .tsv file of the engine's level streaming profiling. No such file is public; only the
 * members of the engine's struct are documented. A column title therefore matches a member when its
 * letters are equal, ignoring other characters and what follows in brackets. Other columns are
 * ignored. Times are in seconds.
 */
#include "runs/real.h"

#include "core/text.h"

#include <stddef.h>

enum { TSV_COLUMNS = 256, TSV_TITLE = 64 };

enum tsv_kind { TSV_OTHER, TSV_NUMBER, TSV_LEVEL, TSV_STATE };

static const struct tsv_title {
	const char *letters;
	enum tsv_kind kind;
	size_t offset;
} tsv_titles[] = {
	{"packagenameondisk", TSV_LEVEL, 0},
	{"packagename", TSV_LEVEL, 0},
	{"level", TSV_LEVEL, 0},
	{"state", TSV_STATE, 0},
	{"timequeuedforloading", TSV_NUMBER, offsetof(struct cs_real_level, queue)},
	{"timeloading", TSV_NUMBER, offsetof(struct cs_real_level, load)},
	{"timequeuedforaddtoworld", TSV_NUMBER, offsetof(struct cs_real_level, show_queue)},
	{"timeaddingtoworld", TSV_NUMBER, offsetof(struct cs_real_level, show)},
	{"timeinworld", TSV_NUMBER, offsetof(struct cs_real_level, shown)},
	{"timequeuedforremovefromworld", TSV_NUMBER, offsetof(struct cs_real_level, hide_queue)},
	{"timeremovingfromworld", TSV_NUMBER, offsetof(struct cs_real_level, hide)},
	{"finalstreamindistancecell", TSV_NUMBER, offsetof(struct cs_real_level, distance)},
};

/* Removes the next tab-separated field from *line, and returns it trimmed; false after the last. */
static bool tsv_field(struct cs_ue_piece *line, struct cs_ue_piece *ret)
{
	if (!line->at)
		return false;
	const char *tab = line->n ? memchr(line->at, '\t', line->n) : NULL;
	const size_t n = tab ? (size_t)(tab - line->at) : line->n;
	*ret = cs_ue_piece_trim((struct cs_ue_piece){line->at, n});
	*line = tab ? cs_ue_piece_from(*line, n + 1) : (struct cs_ue_piece){NULL, 0};
	return true;
}

static const struct tsv_title *tsv_title_of(struct cs_ue_piece title)
{
	char letters[TSV_TITLE];
	size_t n = 0;
	for (size_t i = 0; i < title.n && title.at[i] != '(' && n < sizeof(letters) - 1; i++) {
		char letter = title.at[i] >= 'A' && title.at[i] <= 'Z' ? (char)(title.at[i] | 0x20)
								       : title.at[i];
		if (letter >= 'a' && letter <= 'z')
			letters[n++] = letter;
	}
	letters[n] = '\0';
	for (size_t i = 0; i < CS_COUNT_OF(tsv_titles); i++)
		if (strcmp(tsv_titles[i].letters, letters) == 0)
			return &tsv_titles[i];
	return NULL;
}

static size_t tsv_read_titles(struct cs_ue_piece line, const struct tsv_title **titles)
{
	struct cs_ue_piece title;
	size_t n = 0;
	while (n < TSV_COLUMNS && tsv_field(&line, &title))
		titles[n++] = tsv_title_of(title);
	return n;
}

/* Returns whether the line has a title of a level column and of at least one time column. */
bool cs_real_is_tsv(struct cs_ue_piece first_line)
{
	const struct tsv_title *titles[TSV_COLUMNS];
	size_t n = tsv_read_titles(first_line, titles), levels = 0, numbers = 0;
	for (size_t i = 0; i < n; i++) {
		levels += titles[i] && titles[i]->kind == TSV_LEVEL;
		numbers += titles[i] && titles[i]->kind == TSV_NUMBER;
	}
	return levels && numbers;
}

struct tsv_state {
	const struct tsv_title *titles[TSV_COLUMNS];
	size_t n;
	unsigned reports;   /* number of title lines that were read: each begins a report */
	uint32_t word_line; /* first line with a value that is not a number, 0 = none */
};

static void tsv_row(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct tsv_state *state = reader->state;
	struct cs_real_level row = cs_real_level_row(reader);
	struct cs_ue_piece field;
	for (size_t i = 0; i < state->n && tsv_field(&line, &field); i++) {
		const struct tsv_title *title = state->titles[i];
		if (!title || field.n == 0)
			continue;
		if (title->kind == TSV_NUMBER) {
			if (!cs_double_parse(
				    field.at, field.n, (double *)((char *)&row + title->offset)) &&
				!state->word_line)
				state->word_line = reader->origin.line;
		} else if (title->kind == TSV_STATE)
			row.state = cs_real_keep(reader, field);
		else if (!row.level) {
			row.level = cs_real_keep(reader, field);
			row.cell = cs_real_keep(reader, cs_real_cell_name(field));
		}
	}
	if (row.level)
		CS_REAL_ADD(reader, levels, row);
	else
		reader->unread += (int64_t)reader->length;
}

static struct cs_error *tsv_line(struct cs_real_reader *reader, struct cs_ue_piece line)
{
	struct tsv_state *state = reader->state;
	if (state->reports > 0 && !cs_real_is_tsv(line)) {
		tsv_row(reader, line);
		return NULL;
	}
	state->n = tsv_read_titles(line, state->titles);
	state->reports++;
	reader->known = true;
	return NULL;
}

static struct cs_error *tsv_end(struct cs_real_reader *reader)
{
	const struct tsv_state *state = reader->state;
	char note[96] = "";
	if (state->word_line)
		cs_format_c(note, sizeof(note),
			"line %u has a value that is not a number; such values are left out",
			state->word_line);
	else if (state->reports > 1)
		cs_format_c(note, sizeof(note), "%u reports", state->reports);
	cs_real_file_row(reader)->note = cs_real_keep_z(reader, note);
	return NULL;
}

const struct cs_real_form cs_real_tsv_form = {.kind = "level streaming profile",
	.state_size = sizeof(struct tsv_state),
	.line = tsv_line,
	.end = tsv_end};
