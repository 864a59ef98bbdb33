/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one way to cut a list of words between commas: "A,B". A comma ends an item, so that two in a
 * row have an empty one between them, and behind the last nothing comes; blanks belong to items.
 *
 *	struct cs_item item;
 *	while (cs_next_item(&list, &item))
 *		...
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A part of the list, without a NUL of its own. */
struct cs_item {
	const char *at;
	size_t n;
};

/* The next item, behind which *list goes on; false at the end. NULL is an empty list. */
static inline bool cs_next_item(const char **list, struct cs_item *ret)
{
	if (!*list || !**list)
		return false;
	*ret = (struct cs_item){*list, strcspn(*list, ",")};
	*list += ret->n;
	*list += **list == ',';
	return true;
}

/* As a text of its own; false, and nothing is written, where there is no room for it. */
static inline bool cs_item_text(struct cs_item item, char *ret, size_t size)
{
	if (item.n >= size)
		return false;
	memcpy(ret, item.at, item.n);
	ret[item.n] = '\0';
	return true;
}
