/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the views that list Nanite resources, and their pages, hierarchies, levels and page pool.
 */
#include "src/tui/views/views.h"

#include <stdlib.h>

/* Replaces the placeholder %r by the page of the view, whichever field is under the cursor. */
static bool fill_page(struct tui_view *view, char letter, struct output *out)
{
	const struct list *list = &view->list;
	struct object page = {.row = CS_NONE};
	if (letter != 'r' || view->trouble[0] || !list->table)
		return false;
	const struct cs_value name = list_value(list, 0, "name");
	char *word =
		object_of_value("page", &name, &page) ? object_word(view->session, &page) : NULL;
	if (word)
		say(out, "%s", word);
	free(word);
	return word != NULL;
}

static const struct key page_keys[] = {
	{"n", "view closure %r", "Needs",
		"pages that the page needs to be drawn, in the order of installing them"},
	{"b", "view rows sections @ page %r", "Sections", "sections of the page with their bytes"},
	{0},
};

const struct view_type view_page = {
	.name = "page",
	.title = "Page",
	.help = "a page of a resource, field by field",
	.command = "page",
	.needs_argument = true,
	.form = FORM_RECORD,
	.keys = page_keys,
	.fill = fill_page,
};

const struct view_type view_closure = {
	.name = "closure",
	.title = "Needs of page",
	.help = "pages that a page needs to be drawn, in the order of installing them",
	.command = "closure",
	.needs_argument = true,
};

static const struct key pages_keys[] = {
	{"x", "view sort -evictions", "Thrash", "pages that were evicted most often first"},
	{0},
};

const struct view_type view_pages = {
	.name = "pages",
	.title = "Pages",
	.help = "pages of all resources",
	.table = "pages",
	.columns = "name,state,fill,clusters,min_level,max_level,disk_bytes,needs,users,"
		   "evictions",
	.keys = pages_keys,
	.empty = "no Nanite resource is open",
};

const struct view_type view_hierarchy = {
	.name = "hierarchy",
	.title = "Hierarchy",
	.help = "hierarchy of nodes that views walk, with errors",
	.command = "hierarchy",
};

const struct view_type view_dag = {
	.name = "dag",
	.title = "Levels of detail",
	.help = "clusters, triangles and errors by level",
	.command = "dag",
};

const struct view_type view_pool = {
	.name = "pool",
	.title = "Pool",
	.help = "pool of pages, and model of reading",
	.command = "pool",
};

const struct view_type view_resources = {
	.name = "resources",
	.title = "Resources",
	.help = "the Nanite resources that are open",
	.table = "resources",
	.empty = "no Nanite resource is open",
};
