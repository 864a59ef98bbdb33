/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why something is where it is: the trail of rules, a row a step, alone or beside that of another
 * cook; and why it is there now, in the sentences of the command.
 */
#include "src/tui/views.h"

#include <stdio.h>
#include <string.h>

/* The argument as it was typed, to be gone on with: "actor NAME". */
static bool fill_argument(struct tui_view *view, char letter, struct output *out)
{
	if (letter == 's')
		say(out, "%s", view->argument);
	return letter == 's';
}

static const struct key explain_keys[] = {
	{"Right", "cursor right", "Unfold", "all that the step looked at and said, with links"},
	{"Left", "cursor left", "Fold", "the step alone"},
	{"W", ":view explain %s ", "What if",
		"beside the trail that other settings would give: NAME=VALUE"},
	{0},
};

const struct view_type view_explain = {
	.name = "explain",
	.room = ROOM_ALL_BUT_WIDEST,
	.title = "Explain",
	.help = "the trail of rules that led to it; two, side by side",
	.command = "explain",
	.columns = "step,title,input,now,verdict,then,then_verdict,differs",
	.folds.fields =
		"rule,input,now,verdict,then,then_verdict,level,cells,length,actor,partition,"
		"cell,finding",
	.keys = explain_keys,
	.needs_argument = true,
	.has_object = true,
	.fill = fill_argument,
	.empty = "nothing was recorded of how it came there",
};

/* ---- why ---- */

struct why {
	struct tui_view *record; /* the answer for machines: what its sentences name */
};

static struct why *why_of(const struct tui_view *view)
{
	return view->state;
}

/* Of layers a command of their own tells. */
static char *line_of_why(struct tui_view *view)
{
	static const char layer[] = "layer ";
	char *line = NULL;
	bool is_layer = strncmp(view->argument, layer, sizeof(layer) - 1) == 0;
	if (asprintf(&line, "why%s%s", is_layer ? "-" : " ", view->argument) < 0)
		return NULL;
	return line;
}

static const struct view_type record_of_why = {
	.name = "answer",
	.title = "Answer",
	.command = "why",
	.line = line_of_why,
	.form = FORM_RECORD,
};

static struct cs_error *open_why(struct tui_view *view)
{
	return view_new_part(view, &record_of_why, "", &why_of(view)->record);
}

static struct cs_error *renew_why(struct tui_view *view)
{
	struct tui_view *record = why_of(view)->record;
	struct cs_error *error = list_renew(view);
	if (error)
		return error;
	record->is_stale = true;
	return view_set_argument(record, view->argument);
}

/* The first thing that the sentence names and the answer has; "" when there is none. */
static bool object_of_sentence(struct tui_view *view, struct object *ret)
{
	struct cs_value line = list_value(&view->list, view->list.cursor, "text");
	const struct list *answer = &why_of(view)->record->list;
	view_renew(why_of(view)->record);
	for (size_t i = 0; line.kind == CS_KIND_TEXT && answer->is_record && i < answer->columns.n;
		i++) {
		struct cs_value value = list_value(answer, i, answer->columns.at[i]->key);
		if (value.kind == CS_KIND_TEXT && *value.text && strstr(line.text, value.text) &&
			object_of_value(answer->columns.at[i]->key, &value, ret))
			return true;
	}
	return false;
}

/* A line is about what it names, else about what was asked. */
static void object_of_why(struct tui_view *view, struct object *ret)
{
	if (!object_of_sentence(view, ret))
		object_of_words(view->session, view->argument, ret);
}

static void close_why(struct tui_view *view)
{
	view_free(why_of(view)->record);
}

static const struct key why_keys[] = {
	{"u", "view queue", "Queue", "the queue"},
	{"L", "view layers", "Layers", "the data layers"},
	{"s", "view sources", "Sources", "the sources"},
	{0},
};

const struct view_type view_why = {
	.name = "why",
	.title = "Why",
	.help = "why it is, or is not, there now",
	.command = "why",
	.line = line_of_why,
	.keys = why_keys,
	.needs_argument = true,
	.form = FORM_PROSE,
	.room = ROOM_ALL_BUT_WIDE,
	.has_object = true,
	.state_size = sizeof(struct why),
	.open = open_why,
	.renew = renew_why,
	.object = object_of_why,
	.close = close_why,
};
