/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `legend`, which explains the letters of the map. */
#include <cellscope/query.h>

#include "cmds/picture/cmd_map.h"
#include "src/session/plain.h"
#include "src/tui/terminal/looks.h"

struct legend_row {
	char letter[5];
	const char *overlay, *words;
};

static const struct cs_column legend_columns[] = {
	SHORT(struct legend_row, overlay, "overlay of the map"),
	SHORT(struct legend_row, letter, "letter on the map"),
	SHORT_AS("meaning", struct legend_row, words, "meaning of the letter or mark"),
};

static const struct cs_table legend_table = PLAIN_TABLE("legend", "sign", legend_columns);

static struct legend_row legend_row_of(const struct call *call, enum cs_map_overlay overlay,
	const struct cs_map_key *key, size_t index)
{
	struct legend_row row = {
		{key->letter, '\0'}, cs_word(CS_WORDS_MAP_OVERLAY, overlay)->name, key->words};
	if (overlay == CS_MAP_STATE && !call->out->style.ascii)
		snprintf(row.letter, sizeof(row.letter), "%s", state_looks[index].utf8);
	return row;
}

static struct cs_error *run_legend(struct call *call)
{
	static const struct legend_row marks[] = {{"@", "mark", "a source"},
		{"*", "mark", "just changed"},
		{"+", "mark", "several cells at the same coordinates"}};
	const struct argument *which = call_argument(call, 0);
	struct legend_row rows[CS_MAP_OVERLAYS * CS_MAP_KEYS + 3];
	size_t n = 0;
	for (int i = 0; i < CS_MAP_OVERLAYS; i++) {
		struct cs_map_legend legend;
		if (which->given && which->choice != (size_t)i)
			continue;
		cs_map_legend((enum cs_map_overlay)i, &legend);
		for (size_t k = 0; k < legend.n_keys; k++)
			if (legend.keys[k].words)
				rows[n++] = legend_row_of(
					call, (enum cs_map_overlay)i, &legend.keys[k], k);
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		rows[n++] = marks[i];
	return emit_plain(call, &legend_table, rows, n);
}

const struct command command_legend = {
	.name = "legend",
	.group = GROUP_MAP,
	.flags = COMMAND_LISTS,
	.arguments = {{"WHAT", ARGUMENT_CHOICE, .optional = true, .choices = map_overlays}},
	.summary = "explain the letters and marks of the map",
	.examples = "legend\nlegend why-not",
	.help = "WHAT is a value of the option -o of `map`, such as state or why-not; without\n"
		"WHAT the letters of all these values are listed. Letters of data layers differ\n"
		"from map to map: `map -o layer` prints them below the map.",
	.run = run_legend,
};
