/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `deps`, `rdeps`, `closure`, `chain`, `graph`: dependencies between Nanite pages. */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>

/* ---- pages as text ---- */

static void depend_say_list(struct output *out, const char *title, const uint32_t *pages, size_t n)
{
	say(out, "%s", title);
	for (size_t i = 0; i < n; i++)
		say(out, "%s%u", i ? ", " : " ", pages[i]);
	say(out, "%s\n", n ? "" : " none");
}

static void depend_say_page(
	struct output *out, const struct call *call, const struct cs_model *model, uint32_t page)
{
	const struct cs_model_page *row = &model->pages[page];
	say(out, "page %u  %s", page, page_state(call, model, page));
	if (row->offset != CS_NO_OFFSET)
		say(out, "  at 0x%llx", (unsigned long long)row->offset);
	say(out, "  %u bytes (on disk %u)  %u cluster%s  %u part%s of groups\n", row->page_bytes,
		row->disk_bytes, row->n_clusters, plural_end(row->n_clusters), row->n_parts,
		plural_end(row->n_parts));
}

static void depend_say_why(struct output *out, unsigned why)
{
	static const struct {
		unsigned bit;
		const char *word;
	} words[] = {{CS_NEED_LISTED, "listed"}, {CS_NEED_PARENTS, "parents"},
		{CS_NEED_PARENT_GROUP, "group of parents"}, {CS_NEED_SIBLING, "same group"}};
	bool any = false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(why & words[i].bit))
			continue;
		say(out, "%s%s", any ? ", " : "  ", words[i].word);
		any = true;
	}
}

static void say_need(struct output *out, const struct call *call, const struct cs_model *model,
	const struct cs_model_need *need, uint32_t page)
{
	say(out, "  %4u  %-9s", page, page_state(call, model, page));
	depend_say_why(out, need->why);
	if (need->fixups)
		say(out, "  %u fixup%s", need->fixups, need->fixups == 1 ? "" : "s");
	say(out, "\n");
}

/* ---- tree of listed dependencies ---- */

enum { TREE_DEPTH = 12 };

struct tree {
	struct call *call;
	const struct cs_model *model;
	bool *seen;            /* for each page, whether it has been printed */
	bool more[TREE_DEPTH]; /* for each depth, whether another sibling follows */
};

static size_t listed_of(const struct cs_model *model, uint32_t page, uint32_t *first)
{
	*first = model->dependency_first[page];
	return model->dependency_first[page + 1] - *first;
}

static void say_branch(struct tree *tree, uint32_t page, unsigned depth)
{
	struct output *out = tree->call->out;
	uint32_t first = 0;
	size_t n = listed_of(tree->model, page, &first);
	bool again = tree->seen[page];
	for (unsigned i = 0; i + 1 < depth; i++)
		say(out, "%s", tree->more[i] ? "|  " : "   ");
	say(out, "%s%u %s%s\n",
		depth == 0              ? "  "
		: tree->more[depth - 1] ? "+- "
					: "`- ",
		page, page_state(tree->call, tree->model, page), again && n ? " (above)" : "");
	if (again || depth + 1 >= TREE_DEPTH)
		return;
	tree->seen[page] = true;
	for (size_t i = 0; i < n; i++) {
		tree->more[depth] = i + 1 < n;
		say_branch(tree, tree->model->dependencies[first + i], depth + 1);
	}
}

static struct cs_error *say_tree(struct call *call, const struct cs_model *model, uint32_t page)
{
	struct tree tree = {
		.call = call, .model = model, .seen = calloc(model->n_pages + 1, sizeof(bool))};
	if (!tree.seen)
		return cs_error_nomem();
	say(call->out, "tree\n");
	say_branch(&tree, page, 0);
	free(tree.seen);
	return NULL;
}

/* ---- command deps ---- */

/*
 * All pages of the two closures of a page, over the listed dependencies and over groups. Each row
 * says which of the two closures contain its page.
 */
struct needed {
	struct cs_model_needed *at;
	size_t n;
};

/* The closures that contain a page, as a bit for say_pages_of(). */
enum { BY_LIST_ALONE = 1 << 1, BY_GROUPS_ALONE = 1 << 2, BY_BOTH = 1 << 3 };

/* Prints `title` and the pages that these closures contain. Returns false if there are none. */
static bool say_pages_of(
	struct output *out, const char *title, const struct needed *needed, unsigned closures)
{
	bool any = false;
	for (size_t i = 0; i < needed->n; i++) {
		if (!(closures >> (needed->at[i].listed + 2 * needed->at[i].groups) & 1))
			continue;
		say(out, "%s%u", any ? ", " : title, needed->at[i].page);
		any = true;
	}
	return any;
}

static void say_sets(struct output *out, const struct needed *needed)
{
	bool any = say_pages_of(out, "by its list:   ", needed, BY_LIST_ALONE | BY_BOTH);
	say(out, any ? "\n" : "by its list:   none\n");
	any = say_pages_of(out, "by its groups: ", needed, BY_GROUPS_ALONE | BY_BOTH);
	say(out, any ? "\n" : "by its groups: none\n");
	any = say_pages_of(out, "its list alone would leave out: ", needed, BY_GROUPS_ALONE);
	if (any)
		say(out, "\n  without them the literal rule draws parts of the surface twice\n");
}

static struct cs_error *depend_say_order(
	struct call *call, const struct cs_model *model, uint32_t page)
{
	struct cs_page_order order;
	struct cs_error *error = cs_page_order(call->session->inspector, call->session->run.pager,
		model_index(call, model), page, &order);
	if (error)
		return error;
	say(call->out, "order to make %u usable:", page);
	for (size_t i = 0; i < order.n; i++)
		say(call->out, " %u", order.pages[i]);
	if (order.blocker != CS_NONE)
		say(call->out, "\nblocked now: by %u, which is %s\n", order.blocker,
			page_state(call, model, order.blocker));
	else
		say(call->out, "\nblocked now: no\n");
	free(order.pages);
	return NULL;
}

static struct cs_error *say_deps(struct call *call, const struct cs_model *model, uint32_t page)
{
	struct output *out = call->out;
	const struct cs_model_page *row = &model->pages[page];
	struct needed needed = {0};
	struct cs_error *error = cs_model_needed(model, page, &needed.at, &needed.n);
	if (!error) {
		say(out,
			"%s  %zu cluster%s  %zu group%s  %zu page%s (%u root)  %llu bytes, on disk %llu\n",
			model->name, model->n_clusters, plural_end(model->n_clusters),
			model->n_groups, plural_end(model->n_groups), model->n_pages,
			plural_end(model->n_pages), model->n_root_pages,
			(unsigned long long)model->sums.gpu_bytes,
			(unsigned long long)model->sums.disk_bytes);
		depend_say_page(out, call, model, page);
		say(out, "needs%s\n", row->n_needs ? "" : " nothing");
		for (uint32_t i = 0; i < row->n_needs; i++) {
			const struct cs_model_need *need = &model->needs[row->first_need + i];
			say_need(out, call, model, need, need->needs);
		}
		error = say_tree(call, model, page);
	}
	if (!error) {
		const uint32_t leaves = row->n_fixups - row->n_hierarchy_fixups;
		say(out,
			"fixups on install: %u hierarchy slot%s, %u cluster%s that cease%s to be leaves\n",
			row->n_hierarchy_fixups, plural_end(row->n_hierarchy_fixups), leaves,
			plural_end(leaves), leaves == 1 ? "s" : "");
		say_sets(out, &needed);
		error = depend_say_order(call, model, page);
	}
	free(needed.at);
	return error;
}

static struct cs_error *say_rdeps(struct call *call, const struct cs_model *model, uint32_t page)
{
	uint32_t *listed = NULL, *groups = NULL;
	size_t n_listed, n_groups;
	struct output *out = call->out;
	struct cs_error *error =
		cs_model_closure(model, page, CS_DEPENDENTS_LISTED, &listed, &n_listed);
	if (!error)
		error = cs_model_closure(model, page, CS_DEPENDENTS_GROUPS, &groups, &n_groups);
	if (!error) {
		depend_say_page(out, call, model, page);
		say(out, "needed by\n");
		for (size_t i = 0; i < model->n_needs; i++)
			if (model->needs[i].needs == page)
				say_need(out, call, model, &model->needs[i], model->needs[i].page);
		depend_say_list(
			out, "when it is evicted, these fall by their lists: ", listed, n_listed);
		depend_say_list(
			out, "by their groups:                               ", groups, n_groups);
	}
	free(listed);
	free(groups);
	return error;
}

enum { DEPENDENTS = 1 }; /* value of `variant` for the command that lists dependents */

static struct cs_error *run_deps(struct call *call)
{
	const bool dependents = call->command->variant == DEPENDENTS;
	uint32_t page, row = call_argument(call, 0)->row;
	const struct cs_model *model = model_of_row(call, CS_ROWS_PAGES, row, &page);
	if (asks_for_rows(call))
		return call_list_scoped(call, "page_needs",
			dependents ? "resource || ':' || needs = $scope"
				   : "resource || ':' || page = $scope",
			cs_text(cs_inspector_name(call->session->inspector, CS_ROWS_PAGES, row)));
	return dependents ? say_rdeps(call, model, page) : say_deps(call, model, page);
}

const struct command command_deps = {
	.name = "deps",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.summary = "show which pages a page needs, and in which order they are loaded",
	.examples = "deps 4\ndeps rock:4 --json",
	.help = "A page needs other pages for two reasons. The dependency list of the page (`by\n"
		"its list`) names the pages that the fixups of the page change (help fixups). The\n"
		"groups of the page (`by its groups`) are drawn correctly only when all pages of\n"
		"these groups and of their parent groups are in memory. The line `its list alone\n"
		"would leave out` has the pages that only the groups need, and the line `order to\n"
		"make N usable` has all needed pages in loading order.\n"
		"\n"
		"With an option for rows, such as -w or --json, the command prints rows of the\n"
		"table page_needs instead (info tables page_needs).",
	.run = run_deps,
};

const struct command command_rdeps = {
	.name = "rdeps",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.summary = "show which pages need a page, and which are unusable when that page is "
		   "evicted",
	.examples = "rdeps 1\nrdeps rock:1 --json",
	.help = "`help deps` explains the two reasons for which a page needs another page. For\n"
		"each reason a line lists the pages that become unusable when PAGE is evicted.\n"
		"With an option for rows, such as -w or --json, the command prints rows of the\n"
		"table page_needs instead (info tables page_needs).",
	.run = run_deps,
	.variant = DEPENDENTS,
};

/* ---- commands closure and chain ---- */

struct closure_row {
	const char *resource;
	uint32_t rank, page;
	const char *state;
	bool listed, groups;
	uint32_t disk_bytes, gpu_bytes;
};

static const struct cs_column closure_columns[] = {
	PLAIN(struct closure_row, resource, "the resource"),
	SHORT(struct closure_row, rank, "position in the order of installing"),
	SHORT(struct closure_row, page, "number of the page"),
	SHORT(struct closure_row, state, "root, resident, loading ..."),
	SHORT(struct closure_row, listed, "whether dependency lists of pages name the page"),
	SHORT(struct closure_row, groups, "whether groups of clusters need the page"),
	SHORT(struct closure_row, disk_bytes, "bytes that loading the page reads from the file"),
	SHORT(struct closure_row, gpu_bytes, "bytes in memory when loaded"),
};

static const struct cs_table closure_table = PLAIN_TABLE("closure", "closure", closure_columns);

static struct closure_row closure_row(const struct call *call, const struct cs_model *model,
	size_t rank, struct cs_model_needed at)
{
	return (struct closure_row){model->name, (uint32_t)rank, at.page,
		page_state(call, model, at.page), at.listed, at.groups,
		model->pages[at.page].disk_bytes, model->pages[at.page].gpu_bytes};
}

static struct cs_error *run_closure(struct call *call)
{
	struct cs_model_needed *needed;
	size_t n;
	uint32_t page;
	const struct cs_model *model =
		model_of_row(call, CS_ROWS_PAGES, call_argument(call, 0)->row, &page);
	struct cs_error *error = cs_model_needed(model, page, &needed, &n);
	if (error)
		return error;
	struct closure_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = closure_row(call, model, i, needed[i]);
	error = emit_plain_taken(call, &closure_table, rows, n);
	free(needed);
	return error;
}

const struct command command_closure = {
	.name = "closure",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.summary = "list a page and the pages that it needs, directly or not, in loading order",
	.examples = "closure 4\nclosure rock:4 -w \"groups AND NOT listed\"",
	.help = "The column `listed` marks pages that dependency lists of pages name, and\n"
		"`groups` marks pages that the groups of clusters need (help deps). The second\n"
		"example lists the pages that only the groups need.",
	.run = run_closure,
};

static struct cs_error *run_chain(struct call *call)
{
	const struct cs_model *model = model_of_call(call, 0);
	uint32_t *pages;
	size_t n;
	struct cs_error *error = cs_model_longest_chain(model, &pages, &n);
	if (error)
		return error;
	struct closure_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = closure_row(
			call, model, i, (struct cs_model_needed){pages[n - 1 - i], true, true});
	error = emit_plain_taken(call, &closure_table, rows, n);
	free(pages);
	return error;
}

const struct command command_chain = {
	.name = "chain",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.summary = "list the longest chain of pages that can only be loaded one after the other",
	.examples = "chain",
	.help = "In the chain each page is in the dependency list of the next page. Root pages,\n"
		"which are always loaded, are left out. Without RESOURCE the command takes the\n"
		"resource that was opened last.",
	.run = run_chain,
};

/* ---- command graph ---- */

static void say_page_graph(struct call *call, const struct cs_model *model)
{
	struct output *out = call->out;
	say(out, "digraph pages {\n  rankdir=BT;\n  node [shape=box];\n");
	for (size_t i = 0; i < model->n_pages; i++)
		say(out, "  p%zu [label=\"%zu\\n%s\"];\n", i, i,
			page_state(call, model, (uint32_t)i));
	for (size_t i = 0; i < model->n_needs; i++) {
		const struct cs_model_need *need = &model->needs[i];
		if (need->why & CS_NEED_LISTED)
			say(out, "  p%u -> p%u [label=\"%u\"];\n", need->page, need->needs,
				need->fixups);
		else
			say(out, "  p%u -> p%u [style=dashed];\n", need->page, need->needs);
	}
	say(out, "}\n");
}

static struct cs_error *say_dag_graph(struct call *call, const struct cs_model *model)
{
	struct output *out = call->out;
	struct cs_model_edge *edges;
	size_t n;
	struct cs_error *error = cs_model_edges(model, &edges, &n);
	if (error)
		return error;
	say(out, "digraph groups {\n  rankdir=BT;\n  node [shape=box];\n");
	for (size_t i = 0; i < model->n_groups; i++)
		say(out, "  g%zu [label=\"%zu\\nlevel %u, %u cluster%s\"];\n", i, i,
			model->groups[i].level, model->groups[i].n_clusters,
			plural_end(model->groups[i].n_clusters));
	for (size_t i = 0; i < n; i++)
		say(out, "  g%u -> g%u;\n", edges[i].group, edges[i].above);
	say(out, "}\n");
	free(edges);
	return NULL;
}

static const char *const graphs[] = {"deps", "dag", NULL};

static struct cs_error *run_graph(struct call *call)
{
	const struct cs_model *model = model_of_call(call, 1);
	bool deps = call_argument(call, 0)->choice == 0;
	if (asks_for_rows(call) && deps)
		return call_list_scoped(
			call, "page_needs", "resource = $scope", cs_text(model->name));
	if (!deps)
		return say_dag_graph(call, model);
	say_page_graph(call, model);
	return NULL;
}

const struct command command_graph = {
	.name = "graph",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"deps|dag", ARGUMENT_CHOICE, .choices = graphs},
		{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.options = {{0, "dot", NULL, ARGUMENT_NONE,
		"print the graph in the DOT language of Graphviz (default)"}},
	.summary = "print a graph of pages and the pages they need, or of groups and their parents",
	.examples = "graph deps --dot > deps.dot\ngraph dag rock > dag.dot",
	.help = "`graph deps` prints the pages as a graph. An arrow leads from a page to a page\n"
		"that it needs. A solid arrow is an entry of a dependency list, with its number\n"
		"of fixups; a dashed arrow is a need that only the groups have (help deps).\n"
		"`graph dag` prints the groups of clusters, with arrows to the groups of their\n"
		"coarser parents. Without RESOURCE the command takes the resource that was opened\n"
		"last. `graph deps --dot | dot -Tsvg` draws the graph.\n"
		"\n"
		"With an option for rows, such as -w or --json, `graph deps` prints rows of the\n"
		"table page_needs instead (info tables page_needs). `graph dag` has no rows, so\n"
		"it ignores -n, -s, -w and -c.",
	.run = run_graph,
};
