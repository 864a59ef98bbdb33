/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens, draws and closes a view. Calls that its type has no callback for go to the view's list. */
#include "src/tui/view.h"

#include "src/language/arguments.h"
#include "src/tui/terminal/paint.h"

#include <stdio.h>
#include <string.h>

const struct view_type *view_type_named(const char *name)
{
	for (size_t i = 0; view_types[i]; i++)
		if (strcmp(view_types[i]->name, name) == 0)
			return view_types[i];
	return NULL;
}

void view_types_consider(struct closest *closest)
{
	for (size_t i = 0; view_types[i]; i++)
		closest_consider(closest, view_types[i]->name, strlen(view_types[i]->name));
}

void view_types_complete(const char *prefix, struct candidates *candidates)
{
	for (size_t i = 0; view_types[i]; i++)
		candidates_add_matching(candidates, prefix, view_types[i]->name);
}

struct cs_error *view_new(struct screen *screen, const struct view_type *type, const char *argument,
	struct tui_view **ret)
{
	struct tui_view *view = calloc(1, sizeof(*view));
	struct cs_error *error = NULL;
	if (!view)
		return cs_error_nomem();
	*view = (struct tui_view){.type = type,
		.screen = screen,
		.session = screen_session(screen),
		.is_stale = true};
	view->argument = strdup(argument);
	view->list.sort = type->sort ? strdup(type->sort) : NULL;
	view->list.chosen = type->columns ? strdup(type->columns) : NULL;
	if (type->table && *argument)
		view->list.where = strdup(argument);
	view->state = calloc(1, type->state_size + 1);
	if (!view->argument || !view->state)
		error = cs_error_nomem();
	if (!error && type->part)
		error = view_new_part(view, type->part, "");
	if (!error && type->open)
		error = type->open(view);
	if (error)
		view_free(view);
	else
		*ret = view;
	return error;
}

struct cs_error *view_new_part(
	struct tui_view *owner, const struct view_type *type, const char *argument)
{
	struct cs_error *error = view_new(owner->screen, type, argument, &owner->part);
	if (!error)
		owner->part->part_of = owner;
	return error;
}

void view_free(struct tui_view *view)
{
	if (!view)
		return;
	if (view->type->close && view->state)
		view->type->close(view);
	view_free(view->part);
	list_free(&view->list);
	free(view->state);
	free(view->argument);
	free(view);
}

bool view_read_numbers(const char *text, size_t n, long *ret)
{
	for (size_t i = 0; i < n; i++) {
		char *end;
		ret[i] = strtol(text, &end, 10);
		if (end == text || *end != (i + 1 < n ? ',' : '\0'))
			return false;
		text = end + 1;
	}
	return true;
}

struct cs_error *view_set_argument(struct tui_view *view, const char *argument)
{
	char *copy;
	if (strcmp(view->argument, argument) == 0)
		return NULL;
	copy = strdup(argument);
	if (!copy)
		return cs_error_nomem();
	free(view->argument);
	view->argument = copy;
	view->is_stale = true;
	view->list.cursor = view->list.top = 0;
	return NULL;
}

void view_renew(struct tui_view *view)
{
	struct cs_error *error = NULL;
	if (!view->is_stale)
		return;
	view->is_stale = false;
	view->trouble[0] = '\0';
	if (view->type->renew)
		error = view->type->renew(view);
	else if (view->type->table || view->type->command || view->type->has_object)
		error = list_renew(view);
	if (!error)
		return;
	view->trouble_code = error->code;
	snprintf(view->trouble, sizeof(view->trouble), "%s%s%s%s", error->file ? error->file : "",
		error->file ? ": " : "", error->message,
		error->code == CS_E_INTERRUPTED ? "; C-l asks again" : "");
	cs_error_free(error);
}

void view_draw(struct tui_view *view, struct area area)
{
	view_renew(view);
	view->rows = area.rows;
	if (view->trouble[0])
		put_wrapped(area, 1, 1, inks[INK_WARN], view->trouble);
	else if (view->type->draw)
		view->type->draw(view, area);
	else
		list_draw(view, area);
}

void view_object(struct tui_view *view, struct object *ret)
{
	ret->kind = NULL;
	ret->row = CS_NONE;
	ret->name[0] = '\0';
	view_renew(view);
	if (view->trouble[0])
		return;
	if (view->type->object)
		view->type->object(view, ret);
	else
		list_object(view, ret);
}

void view_no_object(struct tui_view *view, struct object *ret)
{
	(void)view;
	(void)ret;
}

struct cs_error *view_move(struct tui_view *view, enum motion motion, long n)
{
	view_renew(view);
	return view->type->move ? view->type->move(view, motion, n) : list_move(view, motion, n);
}
