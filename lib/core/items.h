/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides a list of words, "A,B", at its commas. A comma ends an item, so two commas in a row have
 * an empty item between them, and a comma at the end adds none. Blanks belong to items.
 *
 *	struct cs_item item;
 *	while (cs_next_item(&list, &item))
 *		...
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* An item of a comma-separated list: n bytes, not NUL-terminated. */
struct cs_item {
	const char *at;
	size_t n;
};

/* Gets the next item of a list and advances *list. Returns false at the end or if *list is NULL. */
static inline bool cs_next_item(const char **list, struct cs_item *ret)
{
	if (!*list || !**list)
		return false;
	*ret = (struct cs_item){*list, strcspn(*list, ",")};
	*list += ret->n;
	*list += **list == ',';
	return true;
}

/* Copies the item and a NUL to `ret`. Returns false, without writing, if they do not fit. */
static inline bool cs_item_text(struct cs_item item, char *ret, size_t size)
{
	if (item.n >= size)
		return false;
	memcpy(ret, item.at, item.n);
	ret[item.n] = '\0';
	return true;
}
