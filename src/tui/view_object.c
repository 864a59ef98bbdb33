/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of one object, field by field, and of whatever a command prints. */
#include "src/tui/views.h"

static const struct key cell_keys[] = {
	{"a", "view actors cell = %q", "Actors", "its actors"},
	{"m", "view map", "Map", "the map"},
	{0},
};

const struct view_type view_cell = {
	.name = "cell",
	.title = "Cell",
	.help = "a cell, field by field",
	.command = "cell",
	.needs_argument = true,
	.is_record = true,
	.keys = cell_keys,
};

const struct view_type view_actor = {
	.name = "actor",
	.title = "Actor",
	.help = "an actor, field by field",
	.command = "actor",
	.needs_argument = true,
	.is_record = true,
};

/* "cell NAME": the command of the kind shows one. */
const struct view_type view_object_fields = {
	.name = "object",
	.title = "Object",
	.help = "whatever the cursor stands on, field by field",
	.command = "",
	.needs_argument = true,
	.is_record = true,
	.has_object = true,
};

const struct view_type view_rows = {
	.name = "rows",
	.title = "Rows",
	.help = "what any command prints",
	.command = "",
	.needs_argument = true,
};
