/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of one object, field by field, and of whatever a command prints. */
#include "src/language/lexer.h"
#include "src/tui/views.h"

#include <stdio.h>

static const struct key cell_keys[] = {
	{"a", "view actors cell = %q", "Actors", "its actors"},
	{"H", "view events cell = %q", "History", "what has happened to it"},
	{"m", "view map", "Map", "the map"},
	{0},
};

const struct view_type view_cell = {
	.name = "cell",
	.is_wide = true,
	.title = "Cell",
	.help = "a cell, field by field",
	.command = "cell",
	.needs_argument = true,
	.is_record = true,
	.keys = cell_keys,
};

const struct view_type view_actor = {
	.name = "actor",
	.is_wide = true,
	.title = "Actor",
	.help = "an actor, field by field",
	.command = "actor",
	.needs_argument = true,
	.is_record = true,
};

/* "grid Valley": the row of its table, where the table is one of the world. */
static char *line_of_object(struct tui_view *view)
{
	struct scanner scanner = {view->argument, 0, NULL};
	struct object object = {NULL, CS_NONE, ""};
	struct word words[2] = {{0}};
	enum sign sign;
	const void *source;
	char *line = NULL;
	for (size_t i = 0; i < 2; i++)
		cs_error_free(scan(&scanner, &sign, &words[i]));
	if (words[0].text && words[1].text) {
		object.kind = words[0].text;
		snprintf(object.name, sizeof(object.name), "%s", words[1].text);
		const struct cs_table *table = object_table(view->session, &object, &source);
		if (table && object_row(view->session, &object) != CS_NONE &&
			asprintf(&line, "sql SELECT * FROM %s LIMIT 1 OFFSET %u", table->name,
				(unsigned)object.row) < 0)
			line = NULL;
	}
	word_free(&words[0]);
	word_free(&words[1]);
	return line;
}

/* "cell NAME": the command of the kind shows one. */
const struct view_type view_object_fields = {
	.name = "object",
	.is_wide = true,
	.title = "Object",
	.help = "whatever the cursor stands on, field by field",
	.command = "",
	.line = line_of_object,
	.needs_argument = true,
	.is_record = true,
	.has_object = true,
};

const struct view_type view_rows = {
	.name = "rows",
	.is_wide = true,
	.title = "Rows",
	.help = "what any command prints",
	.command = "",
	.needs_argument = true,
};

static const struct key hitch_keys[] = {
	{"Enter", "goto %f", "Goto", "the frame"},
	{0},
};

/* The frame of the row, to go to. */
static uint64_t frame_of_row(struct tui_view *view)
{
	struct cs_value frame = list_value(&view->list, view->list.cursor, "frame");
	return frame.kind == CS_KIND_INTEGER && frame.integer > 0 ? (uint64_t)frame.integer : 0;
}

const struct view_type view_hitches = {
	.name = "hitches",
	.is_wide = true,
	.title = "Hitches",
	.help = "what the run has cost, the worst first",
	.command = "hitches",
	.keys = hitch_keys,
	.frame = frame_of_row,
};
