/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handles the settings of a list as texts, and their copy, which is restored when a change fails.
 */
#include "src/tui/list/list.h"

#include "core/items.h"

#include <stdlib.h>
#include <string.h>

struct cs_error *list_keep(char **at, const char *value)
{
	char *copy = NULL;
	if (value && *value) {
		copy = strdup(value);
		if (!copy)
			return cs_error_nomem();
	}
	free(*at);
	*at = copy;
	return NULL;
}

/* The settings that make rows be read again. */
static const struct {
	const char *what;
	size_t member; /* offset of the text in struct list */
} settings[] = {{"sort", offsetof(struct list, sort)}, {"filter", offsetof(struct list, where)},
	{"group", offsetof(struct list, group)}, {"columns", offsetof(struct list, chosen)},
	{"sort groups", offsetof(struct list, group_sort)}};

enum { LIST_SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static char **setting_of(struct list *list, size_t index)
{
	return (char **)((char *)list + settings[index].member);
}

char **list_slot_of(struct list *list, const char *what)
{
	if (strcmp(what, "sort") == 0)
		return list->group ? &list->group_sort : &list->sort;
	for (size_t i = 0; i < LIST_SETTINGS; i++)
		if (strcmp(settings[i].what, what) == 0)
			return setting_of(list, i);
	return NULL;
}

struct cs_error *list_check_column(const struct cs_table *table, const char *key, size_t n)
{
	char name[64];
	if (!table || (cs_item_text((struct cs_item){key, n}, name, sizeof(name)) &&
			      cs_table_column(table, name)))
		return NULL;
	return cs_error_new(CS_E_USAGE, "%s have no column '%.*s'",
		is_row_set(table) ? "the rows of the view" : table->name, (int)n, key);
}

struct cs_error *list_check_columns(const struct tui_view *view, const char *keys)
{
	const struct cs_table *table = list_counted_table(view);
	struct cs_error *error = NULL;
	struct cs_item item;
	while (!error && cs_next_item(&keys, &item))
		error = list_check_column(table, item.at, item.n);
	return error;
}

void list_free_settings(struct list *list)
{
	for (size_t i = 0; i < LIST_SETTINGS; i++)
		free(*setting_of(list, i));
}

struct cs_error *list_copy_settings(struct list *list, struct list *ret)
{
	struct cs_error *error = NULL;
	*ret = (struct list){.cursor = list->cursor,
		.top = list->top,
		.column = list->column,
		.left = list->left};
	for (size_t i = 0; !error && i < LIST_SETTINGS; i++)
		error = list_keep(setting_of(ret, i), *setting_of(list, i));
	return error;
}

void list_restore_settings(struct list *list, struct list *copy)
{
	for (size_t i = 0; i < LIST_SETTINGS; i++) {
		char *changed = *setting_of(list, i);
		*setting_of(list, i) = *setting_of(copy, i);
		*setting_of(copy, i) = changed;
	}
	list->cursor = copy->cursor;
	list->top = copy->top;
	list->column = copy->column;
	list->left = copy->left;
}
