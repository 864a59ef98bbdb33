/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `hierarchy`, `dag`, `hist` and `atlas`: structure and pictures of Nanite resources. */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/query.h>

#include <stdlib.h>
#include <string.h>

/* ---- command hierarchy ---- */

enum { TREE_TEXT = 96 };

struct tree_row {
	struct cs_model_slot is;
	char tree[TREE_TEXT];
	const char *resource, *kind;
	uint32_t depth, group, page;
};

/* The clusters of the source mesh have no error, for which the format stores -1. */
PLAIN_GETTER(get_min_error, struct tree_row,
	at->is.min_error < 0 ? cs_null() : cs_number((double)at->is.min_error))

static const struct cs_column tree_columns[] = {
	SHORT_AS("node", struct tree_row, tree, "node and slot, indented by depth"),
	PLAIN(struct tree_row, resource, "the resource"),
	PLAIN(struct tree_row, depth, "number of nodes above the node"),
	SHORT(struct tree_row, kind, "kind of the slot: inner or leaf"),
	SHORT(struct tree_row, group, "group of a leaf slot"),
	SHORT(struct tree_row, page, "page of a leaf slot"),
	PLAIN_AS("pages", struct tree_row, is.n_pages,
		"number of pages of the group of a leaf slot"),
	SHORT_AS("clusters", struct tree_row, is.n_clusters, "number of clusters of a leaf slot"),
	SHORT_VALUE("min_error", NUMBER, get_min_error, "smallest error below the slot"),
	SHORT_AS("max_parent_error", struct tree_row, is.max_parent_error, "error of the parents"),
	SHORT_AS("radius", struct tree_row, is.radius, "radius of the LOD sphere"),
};

static const struct cs_table tree_table = PLAIN_TABLE("hierarchy", "slot", tree_columns);

static struct tree_row make_tree_row(const struct cs_model *model, uint32_t slot)
{
	const struct cs_model_slot *at = &model->slots[slot];
	const struct cs_model_part *part = at->part == CS_NONE ? NULL : &model->parts[at->part];
	uint32_t depth = model->nodes[at->node].depth;
	struct tree_row row = {
		.is = *at,
		.resource = model->name,
		.kind = at->child != CS_NONE ? "inner" : "leaf",
		.depth = depth,
		.group = part ? part->group : CS_NONE,
		.page = part ? part->page : CS_NONE,
	};
	snprintf(row.tree, sizeof(row.tree), "%*s%u:%u", depth < 32 ? 2 * (int)depth : 64, "",
		at->node, at->slot);
	return row;
}

static struct cs_error *run_hierarchy(struct call *call)
{
	const struct cs_model *model = model_of_call(call, 0);
	struct cs_model_tree tree;
	struct cs_error *error = cs_model_tree(model, &tree);
	if (error)
		return error;
	struct tree_row *rows = calloc(tree.n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < tree.n; i++)
		rows[i] = make_tree_row(model, tree.slots[i]);
	if (rows && !wants_rows(call))
		say(call->out,
			"%s: %u node%s, depth %u, %.1f of %u slots used, surface cost %.2f\n",
			model->name, tree.nodes, plural_end(tree.nodes), tree.depth,
			tree.fill * model->node_slots, model->node_slots, tree.surface);
	error = emit_plain_taken(call, &tree_table, rows, tree.n);
	free(tree.slots);
	return error;
}

const struct command command_hierarchy = {
	.name = "hierarchy",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.summary = "list the tree of bounds that cameras visit to find the clusters to draw",
	.examples = "hierarchy -n 12\nhierarchy rock -w \"kind = 'leaf' AND page = 3\"",
	.help = "Each row is a slot of a node, and a node has up to 8 slots. The slots of a child\n"
		"node are printed under the slot that leads to this node. `nodes` lists the same\n"
		"slots with all columns. The first line has the number of nodes, the depth of the\n"
		"tree, the average number of used slots of a node, and the surface cost: the sum\n"
		"of the surface areas of all boxes divided by the area of the largest. With a\n"
		"higher surface cost a camera visits more nodes. Without RESOURCE the command\n"
		"takes the resource that was opened last.",
	.run = run_hierarchy,
};

/* ---- command dag ---- */

PLAIN_GETTER(get_reduction, struct cs_model_level, cs_number(cs_model_reduction(at)))

static const struct cs_column level_columns[] = {
	SHORT(struct cs_model_level, level, "level of detail, 0 is the finest"),
	SHORT(struct cs_model_level, groups, "groups of clusters"),
	SHORT(struct cs_model_level, clusters, "clusters of the level"),
	SHORT(struct cs_model_level, triangles, "triangles of the level"),
	SHORT_VALUE("reduction", NUMBER, get_reduction,
		"share of the triangles that simplifying the groups keeps, 0..1"),
	SHORT(struct cs_model_level, stuck,
		"number of groups that lost less than a fifth of their triangles"),
	SHORT(struct cs_model_level, min_error, "smallest error of the clusters of the level"),
	SHORT(struct cs_model_level, max_error, "largest error of the clusters of the level"),
	PLAIN(struct cs_model_level, parent_error,
		"largest error of the clusters of the next coarser level"),
	SHORT(struct cs_model_level, first_page, "first page that contains clusters of the level"),
	SHORT(struct cs_model_level, last_page, "last page that contains clusters of the level"),
};

static const struct cs_table level_table = PLAIN_TABLE("levels", "level", level_columns);

static struct cs_error *run_dag(struct call *call)
{
	struct cs_model_level *levels;
	size_t n;
	struct cs_error *error = cs_model_levels(model_of_call(call, 0), &levels, &n);
	return error ? error : emit_plain_taken(call, &level_table, levels, n);
}

const struct command command_dag = {
	.name = "dag",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.summary = "list the levels of detail of a Nanite resource: clusters, triangles, errors",
	.examples = "dag\ndag rock -w \"stuck > 0\"",
	.help = "Each row is a level; 0 is the finest. The column `reduction` is the number of\n"
		"triangles of the next coarser level divided by the number of triangles of this\n"
		"level. The column `stuck` is the number of groups from which simplification\n"
		"removed less than a fifth of the triangles; `groups -w stuck` lists these\n"
		"groups. Errors are in units of the mesh. Without RESOURCE the command takes the\n"
		"resource that was opened last.",
	.run = run_dag,
};

/* ---- command hist ---- */

enum { BAR = 40, BINS = 16 };

struct bin_row {
	struct cs_bin is;
	char bar[BAR + 1];
};

static const struct cs_column bin_columns[] = {
	SHORT_AS("from", struct bin_row, is.from, "lower end of the bin"),
	SHORT_AS("to", struct bin_row, is.to, "lower end of the next bin"),
	SHORT_AS("count", struct bin_row, is.count, "number of rows in the bin"),
	SHORT_AS("share", struct bin_row, is.share, "share of all rows with a value, 0..1"),
	SHORT(struct bin_row, bar, "count divided by the count of the fullest bin, 0..1"),
};

static const struct cs_table bin_table = PLAIN_TABLE("bins", "bin", bin_columns);

static struct cs_error *collect_numbers(
	struct call *call, const char *table_name, const char *key, struct cs_numbers *ret)
{
	const void *source;
	const struct cs_table *table = session_table(call->session, table_name, &source);
	const struct cs_column *column = table ? cs_table_column(table, key) : NULL;
	uint32_t *rows;
	size_t n;
	if (!table)
		return cs_error_new(
			CS_E_SQL, "no table '%s'; `info tables` lists them", table_name);
	if (!column)
		return cs_error_new(CS_E_USAGE,
			"%s have no column '%s'; `info tables` lists the columns", table_name, key);
	struct cs_error *error = call_rows(call, table_name, NULL, cs_null(), &rows, &n);
	if (error)
		return error;
	error = cs_query_numbers(call->session->query, table, source, column, rows, n, ret);
	free(rows);
	return error;
}

static struct cs_error *emit_bins(struct call *call, const struct cs_numbers *numbers)
{
	struct cs_bin *bins;
	size_t n;
	struct cs_error *error =
		cs_bins(numbers, argument_count(call_option(call, "bins"), BINS), &bins, &n);
	if (error)
		return error;
	const size_t fullest = cs_bins_fullest(bins, n);
	struct bin_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++) {
		rows[i].is = bins[i];
		cs_bar((double)bins[i].count, (double)fullest, BAR, rows[i].bar);
	}
	free(bins);
	if (!rows)
		return cs_error_nomem();
	const struct plain_rows source = {rows, n, sizeof(*rows)};
	const struct rows all = {.table = &bin_table, .source = &source, .n = n};
	error = emit_rows(call->out, &all);
	free(rows);
	return error;
}

static struct cs_error *run_hist(struct call *call)
{
	struct cs_numbers numbers = {0};
	const char *table = call_argument(call, 0)->text, *column = call_argument(call, 1)->text;
	const void *source;
	const struct cs_table *clusters = session_table(call->session, "clusters", &source);
	bool is_column = column || (clusters && cs_table_column(clusters, table));
	if (!is_column && session_table(call->session, table, &source))
		return cs_error_new(CS_E_USAGE,
			"hist %s needs COLUMN, a column of this table that contains numbers",
			table);
	struct cs_error *error = collect_numbers(
		call, column ? table : "clusters", column ? column : table, &numbers);
	if (!error && numbers.n == 0 && !wants_rows(call))
		say(call->out, "no row has a number there\n");
	else if (!error)
		error = emit_bins(call, &numbers);
	free(numbers.at);
	return error;
}

const struct command command_hist = {
	.name = "hist",
	.group = GROUP_INSPECT,
	.flags = COMMAND_WORLD | COMMAND_NANITE,
	.arguments = {{"TABLE|COLUMN", ARGUMENT_WORD}, {"COLUMN", ARGUMENT_WORD, .optional = true}},
	.options = {{0, "bins", "N", ARGUMENT_WHOLE, "use at most N bins (default 16)"},
		{'w', NULL, "EXPR", ARGUMENT_FILTER,
			"count only rows for which EXPR holds (help expressions)"}},
	.summary = "print a histogram: how often the values of a column occur",
	.examples = "hist pages fill\nhist groups reduction --bins 8\nhist cells level --json",
	.help = "`hist TABLE COLUMN` counts the values of a column of numbers in a table that\n"
		"`info tables` lists. `hist COLUMN` counts the values of a column of the table\n"
		"`clusters`, which has the clusters of the open Nanite resources, as in `hist\n"
		"triangles`. Rows without a value are not counted.\n\n"
		"Each row is a bin, which has the values that are at least `from` and less than\n"
		"`to`; the last bin also has the values that are equal to `to`. The column\n"
		"`count` is the number of values in the bin, and `share` is this number divided\n"
		"by the number of all values.",
	.run = run_hist,
};

/* ---- pictures as text ---- */

/* Returns the brightness of an RGB pixel, 1 to 255. Only the background, which is black, gets 0. */
static unsigned light_of(const uint8_t *pixel)
{
	unsigned light = (2u * pixel[0] + 5u * pixel[1] + pixel[2]) / 8;
	return light || pixel[0] || pixel[1] || pixel[2] ? light + !light : 0;
}

/* Returns a monochrome glyph for two pixels, one above the other, by their brightness. */
static const char *glyph_of(unsigned top, unsigned bottom, bool ascii)
{
	static const char *const ramp[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
	static const char *const shades[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
	unsigned both = (top + bottom) / 2;
	if (!top && !bottom)
		return " ";
	if (ascii)
		return ramp[both * 9 / 256];
	if (!bottom)
		return "\u2580";
	return top ? shades[both / 64] : "\u2584";
}

static void say_pixels(struct output *out, const uint8_t *top, const uint8_t *bottom)
{
	char text[64];
	if (out->style.colour && !out->style.ascii && (light_of(top) || light_of(bottom))) {
		int n = snprintf(text, sizeof(text),
			"\033[38;2;%d;%d;%dm\033[48;2;%d;%d;%dm\u2580\033[0m", top[0], top[1],
			top[2], bottom[0], bottom[1], bottom[2]);
		say_fixed(out, text, (size_t)n);
		return;
	}
	const char *glyph = glyph_of(light_of(top), light_of(bottom), out->style.ascii);
	say_fixed(out, glyph, strlen(glyph));
}

void say_picture(struct output *out, const struct cs_picture *picture)
{
	static const uint8_t black[3];
	for (uint32_t y = 0; y < picture->height; y += 2) {
		const uint8_t *top = picture->pixels + (size_t)3 * y * picture->width;
		bool last = y + 1 == picture->height;
		uint32_t end = picture->width;
		const uint8_t *bottom = last ? NULL : top + (size_t)3 * picture->width;
		while (end > 0 && !light_of(top + 3 * (end - 1)) &&
			(last || !light_of(bottom + 3 * (end - 1))))
			end--;
		for (uint32_t x = 0; x < end; x++)
			say_pixels(out, top + 3 * x, last ? black : bottom + 3 * x);
		say_fixed(out, "\n", 1);
	}
}

static struct cs_error *run_atlas(struct call *call)
{
	const struct cs_model *model = model_of_call(call, 0);
	const struct argument *tile = call_option(call, "tile");
	const char *path = call_option(call, "o")->text;
	struct cs_picture picture = {0};
	const uint32_t shown = !tile->given            ? CS_PICTURE_TILES
			       : tile->count < CS_NONE ? (uint32_t)tile->count
						       : CS_NONE - 1;
	struct cs_error *error =
		cs_picture_atlas(model, shown, path ? 0 : call->out->style.width, &picture);
	if (!error && path)
		error = cs_picture_save(&picture, path);
	if (!error && !path)
		say_picture(call->out, &picture);
	free(picture.pixels);
	return error;
}

const struct command command_atlas = {
	.name = "atlas",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE,
	.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}},
	.options = {{0, "tile", "N", ARGUMENT_WHOLE, "draw only tile N, 0 to 143"},
		{'o', NULL, "FILE", ARGUMENT_OUTPUT, "write a PNG picture to FILE, print nothing",
			REPLACES("png")}},
	.summary = "draw the imposter atlas of a Nanite resource: the mesh seen from "
		   "144 directions",
	.examples = "atlas\natlas rock --tile 77\natlas -o atlas.png",
	.help = "The imposter atlas holds pictures of the mesh, which are drawn when the mesh is\n"
		"far away. Its tiles form an octahedral map of directions, with views from above\n"
		"in the middle. In the picture near surfaces are bright. Each character shows two\n"
		"pixels, one above the other. Without RESOURCE the command takes the resource\n"
		"that was opened last.",
	.run = run_atlas,
};
