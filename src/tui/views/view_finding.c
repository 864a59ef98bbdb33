/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views of findings of the cook: the list; one finding, and below it the help page of the check
 * that reports it; and such a help page alone. The rows are those of the table `findings`; the
 * command `help check` prints the page.
 */
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <stdio.h>

static const struct key list_keys[] = {
	{"Enter", "view finding %n", "Finding",
		"the whole finding, its actors, and the page of its check"},
	{"x", "view findings severity = 'error'", "Errors", "only errors"},
	{0},
};

const struct view_type view_findings = {
	.name = "findings",
	.title = "Findings",
	.help = "findings of the cook, with its repairs",
	.table = "findings",
	.columns = "severity,check,about,repair,reason",
	.keys = list_keys,
	.empty = "the cook has found nothing",
};

/* ---- one finding ---- */

static const struct view_type page_of_check = {
	.name = "check page",
	.title = "Check",
	.command = "help check",
	.form = FORM_PROSE,
};

static struct cs_error *view_finding_renew(struct tui_view *view)
{
	struct cs_error *error = list_renew(view);
	struct cs_value check = list_value(&view->list, 0, "check");
	if (error || check.kind != CS_KIND_TEXT)
		return error;
	return view_set_argument(view->part, check.text);
}

/* Draws the finding's fields and, in at least half of the area below, the page of its check. */
static void view_finding_draw(struct tui_view *view, struct area area)
{
	int half = area.rows / 2, fields = (int)view->list.n;
	int above = fields < half ? fields : half;
	struct tui_view *page = view->part;
	list_draw(view, fields > 0 ? area_part(area, 0, 0, area.columns, above) : area);
	if (!*page->argument || area.rows - above < 3)
		return;
	put_line_across(area_part(area, 0, above, area.columns, 1), 0, inks[INK_LINE]);
	view_draw(page, area_part(area, 0, above + 1, area.columns, area.rows - above - 1));
}

static const struct key finding_keys[] = {
	{"p", "view check %s", "Page", "only the page of the check"},
	{"r", "view rows why-repair %a", "Chain",
		"findings that caused this finding, down to the root"},
	{"c", "view findings check = %q", NULL, "all findings of the check under the cursor"},
	{0},
};

static bool fill_check(struct tui_view *view, char letter, struct output *out)
{
	const struct tui_view *page = view->part;
	if (letter != 's' || !*page->argument)
		return false;
	say(out, "%s", page->argument);
	return true;
}

/* The argument is the finding's row. The cursor starts on the actor, so that keys act on it. */
const struct view_type view_finding = {
	.name = "finding",
	.title = "Finding",
	.help = "a finding, field by field, with the page of its check",
	.command = "sql SELECT actor, other, severity, \"check\", layer, hlod_layer, grid, "
		   "container, repair, reason, cause, pass, partition FROM findings WHERE rowid =",
	.needs_argument = true,
	.form = FORM_RECORD,
	.keys = finding_keys,
	.part = &page_of_check,
	.renew = view_finding_renew,
	.draw = view_finding_draw,
	.fill = fill_check,
	.empty = "there is no such finding; f lists those there are",
};

static void check_of_argument(struct tui_view *view, struct object *ret)
{
	ret->kind = "check";
	snprintf(ret->name, sizeof(ret->name), "%s", view->argument);
}

static const struct key page_keys[] = {
	{"Enter", "view findings check = %q", "Findings", "all findings of the check"},
	{0},
};

const struct view_type view_check = {
	.name = "check",
	.title = "Check",
	.help = "the page of a check: its meaning, and a small world that fails it",
	.command = "help check",
	.needs_argument = true,
	.form = FORM_PROSE,
	.keys = page_keys,
	.object = check_of_argument,
};
