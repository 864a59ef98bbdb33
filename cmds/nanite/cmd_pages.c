/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands that list the contents of Nanite resources: `resources`, `pages`, `page`,
 * `sections`, `clusters`, `groups`, `parts`, `fixups` and `nodes`; and `cluster`, which shows one
 * cluster.
 */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- the resource or row that an argument names ---- */

const struct cs_model *model_of_call(const struct call *call, size_t argument)
{
	const struct argument *at = call_argument(call, argument);
	const struct cs_models models = cs_inspector_models(call->session->inspector);
	return models.at[at->given ? at->row : models.current];
}

const struct cs_model *model_of_row(
	const struct call *call, enum cs_model_row kind, size_t row, uint32_t *index_ret)
{
	const struct cs_inspector *inspector = call->session->inspector;
	return cs_inspector_models(inspector).at[cs_inspector_row(inspector, kind, row, index_ret)];
}

/* ---- listings of tables ---- */

/* Conditions that select the table rows about a page, cluster etc., with $scope for its name. */
static const char *const scopes[PLACE_LAYER + 1] = {
	[PLACE_PAGE] = "resource || ':' || page = $scope",
	[PLACE_GROUP] = "resource || ':' || \"group\" = $scope",
	[PLACE_CLUSTER] = "resource || ':' || page || ':' || cluster = $scope",
	[PLACE_NODE] = "resource || ':' || node || ':' || slot = $scope",
};

static struct cs_error *list_at_place(struct call *call, const char *table)
{
	const struct place_part *part = &place_parts[call->where.kind];
	const void *source;
	if (!part->word)
		return cs_error_new(CS_E_USAGE,
			"after `@` write a page, cluster, group or node: only these can limit this "
			"list");
	if (!cs_table_column(
		    cs_query_table_named(call->session->query, table, &source), part->word))
		return cs_error_new(CS_E_USAGE,
			"`@` selects rows by their %s, but the rows of `%s` have none: leave out "
			"`@`, or select with -w",
			part->word, table);
	return call_list_scoped(call, table, scopes[call->where.kind],
		cs_text(cs_inspector_name(call->session->inspector, part->rows, call->where.row)));
}

/* Lists rows of the object after `@`, else of the resource that the argument names, else all. */
static struct cs_error *pages_run_table(struct call *call)
{
	const char *table = call->command->name;
	if (call->where.kind != PLACE_NONE)
		return list_at_place(call, table);
	if (call_argument(call, 0)->given)
		return call_list_scoped(
			call, table, "resource = $scope", cs_text(model_of_call(call, 0)->name));
	return call_list(call, table);
}

/* Defines a command that lists a table. `...` are its examples and further members. */
#define TABLE_COMMAND(variable, table, text, ...)                                 \
	const struct command variable = {                                         \
		.name = table,                                                    \
		.group = GROUP_NANITE,                                            \
		.flags = COMMAND_NANITE | COMMAND_LISTS | COMMAND_PLACE,          \
		.arguments = {{"RESOURCE", ARGUMENT_RESOURCE, .optional = true}}, \
		.summary = text,                                                  \
		.examples = __VA_ARGS__,                                          \
		.run = pages_run_table,                                           \
	}

TABLE_COMMAND(command_pages, "pages", "list the pages of Nanite resources",
	"pages -s -fill -n 5\npages rock -w \"needs > 2\" -c name,needs,users",
	.help = "A page is the part of a resource that is read and loaded as a whole. A loaded\n"
		"page takes a fixed amount of memory (the column `gpu_limit`, in bytes), and the\n"
		"column `fill` is the share of this memory that the page uses, 0 to 1. The column\n"
		"`needs` is the number of pages in the dependency list of the page (help deps),\n"
		"and `users` is the number of pages whose list contains this page. Without\n"
		"RESOURCE the pages of all open resources are listed.");
TABLE_COMMAND(command_sections, "sections",
	"list the sections of pages: offset, bytes and unused bytes of each",
	"sections @ page 2\nsections -w \"slack > 100\" -s -slack",
	.help = "A section is the data of one kind in a page, such as the positions. The column\n"
		"`slack` is the number of unused bytes at the end of the section, which align the\n"
		"next section. Without RESOURCE the sections of all open resources are listed.");
TABLE_COMMAND(command_mesh_clusters, "clusters", "list the clusters of Nanite resources",
	"clusters @ page 2\nclusters rock -w \"level = 0 AND triangles < 100\"\n"
	"clusters @ group 12 --json",
	.help = "A cluster is a piece of a mesh, with at most 128 triangles. The column `error`\n"
		"is an upper bound of the distance between the cluster and the original mesh, in\n"
		"units of the mesh; after `nanite build --error quadric` it is only an estimate.\n"
		"Coarser clusters replace a whole group at a time; the column `group` is the\n"
		"group of the cluster, and `maker` is the finer group from which the cluster was\n"
		"simplified. Without RESOURCE the clusters of all open resources are listed.");
TABLE_COMMAND(command_groups, "groups", "list the groups of clusters that are replaced together",
	"groups -w stuck\ngroups -s -level -n 3",
	.help = "A group is a set of clusters that are drawn together, or replaced together by\n"
		"coarser clusters, the parents of the group. Without RESOURCE the groups of all\n"
		"open resources are listed. The column `max_parent_error` is the error of the\n"
		"parents, in units of the mesh. The column `stuck` marks groups from which\n"
		"simplification removed less than a fifth of the triangles. WHERE must be a\n"
		"group, as in `groups @ group 3`.");
TABLE_COMMAND(command_parts, "parts",
	"list the parts of groups: a group in several pages has a part in each of them",
	"parts @ page 2",
	.help = "A part consists of the clusters of a group that are in the same page. The\n"
		"columns `node` and `slot` name the slot of the hierarchy that leads to the part\n"
		"(help nodes). Without RESOURCE the parts of all open resources are listed.");
TABLE_COMMAND(command_fixups, "fixups",
	"list the fixups: what installing a page changes in the hierarchy "
	"and in pages",
	"fixups @ page 2 -w \"kind = 'cluster'\" -n 5",
	.help = "A fixup is a change that is made when the page in the column `page` is installed\n"
		"in memory. The column `kind` is `hierarchy` or `cluster`. By `hierarchy` a slot\n"
		"of the hierarchy (help nodes) receives clusters of the page `target_page`. By\n"
		"`cluster` a coarser cluster in the page `target_page` loses its flag `leaf`, so\n"
		"it is no longer drawn where a camera needs finer clusters. `@ page 2` selects\n"
		"the fixups of page 2. Without RESOURCE the fixups of all open resources are\n"
		"listed.");
TABLE_COMMAND(command_nodes, "nodes",
	"list the slots of hierarchy nodes, with their bounds and errors",
	"nodes -w \"kind = 'leaf'\" -s -max_parent_error -n 5",
	.help = "A camera finds the clusters to draw by visiting the hierarchy from its root. The\n"
		"column `kind` is `inner` (the slot leads to a node) or `leaf` (the slot leads to\n"
		"a part of a group). Below a slot the camera visits nothing if the column\n"
		"`max_parent_error`, in units of the mesh, is so small that coarser clusters are\n"
		"good enough. Without RESOURCE the slots of all open resources are listed.");

const struct command command_resources = {
	.name = "resources",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the open Nanite resources",
	.examples = "resources\nresources --json -c name,pages,utilisation",
	.help = "The column `disk_bytes` is the size of the pages in the file, and `gpu_bytes` is\n"
		"their size when loaded. The column `utilisation` is `gpu_bytes` divided by the\n"
		"memory that is reserved for these pages (the column `gpu_limit` of `pages`), 0\n"
		"to 1.",
	.lists = "resources",
};

/* ---- hex dump of a page ---- */

enum { HEX_LINE = 16 };

struct hex_row {
	int64_t offset;
	char bytes[3 * HEX_LINE + 1], text[HEX_LINE + 1];
};

static const struct cs_column hex_columns[] = {
	SHORT(struct hex_row, offset, "offset in the decompressed page"),
	SHORT(struct hex_row, bytes, "the bytes as hexadecimal digits"),
	SHORT(struct hex_row, text,
		"the bytes as characters; a dot for a byte that is no character"),
};

static const struct cs_table hex_table = PLAIN_TABLE("bytes", "bytes", hex_columns);

static struct hex_row make_hex(const unsigned char *bytes, size_t offset, size_t end)
{
	static const char digits[] = "0123456789abcdef";
	struct hex_row row = {.offset = (int64_t)offset};
	for (size_t i = 0; i < HEX_LINE && offset + i < end; i++) {
		unsigned char byte = bytes[offset + i];
		row.bytes[3 * i] = digits[byte >> 4];
		row.bytes[3 * i + 1] = digits[byte & 15];
		row.bytes[3 * i + 2] = ' ';
		row.text[i] = byte > ' ' && byte < 0x7f && byte != '\\' ? (char)byte : '.';
	}
	return row;
}

static struct cs_error *emit_hex(
	struct call *call, const unsigned char *bytes, size_t first, size_t end)
{
	size_t n = (end - first + HEX_LINE - 1) / HEX_LINE;
	struct hex_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = make_hex(bytes, first + i * HEX_LINE, end);
	return emit_plain_taken(call, &hex_table, rows, n);
}

static struct cs_error *show_bytes(
	struct call *call, const struct cs_model *model, uint32_t page, const char *section)
{
	const struct cs_model_page *row = &model->pages[page];
	unsigned char *bytes;
	size_t n, first = 0, end;
	struct cs_error *error = cs_model_page_bytes(model, page, &bytes, &n);
	if (error)
		return error;
	end = n;
	bool found = !section;
	for (uint32_t i = 0; section && i < row->n_sections; i++) {
		const struct cs_model_section *at = &model->sections[row->first_section + i];
		if (strcmp(at->name, section) != 0)
			continue;
		found = true;
		first = at->offset;
		end = at->offset + at->bytes;
	}
	error = found ? emit_hex(call, bytes, first, end)
		      : cs_error_new(CS_E_MISSING,
				"page %u has no section '%s'; `sections @ page %u` lists them",
				page, section, page);
	free(bytes);
	return error;
}

/* ---- command page ---- */

static void say_section(struct output *out, const struct cs_model_section *at)
{
	say(out, "  %6u  %7u  %s", at->offset, at->bytes, at->name);
	if (at->packed_bytes != CS_NONE && at->bytes)
		say(out, "%*s  LZ4 alone %6u", 16 - (int)strlen(at->name), "", at->packed_bytes);
	if (at->slack != CS_NONE && at->slack)
		say(out, "  slack %u", at->slack);
	say(out, "\n");
}

static void say_page(struct output *out, const struct cs_model *model, uint32_t number)
{
	const struct cs_model_page *page = &model->pages[number];
	say(out, page->n_sections > 0 ? "\noffset    bytes  section\n" : "\n");
	for (uint32_t i = 0; i < page->n_sections; i++)
		say_section(out, &model->sections[page->first_section + i]);
	double fill = cs_model_fill(page);
	if (fill == fill) {
		say(out, "loaded it takes %u of %u bytes, %d.%d %%", page->gpu_bytes,
			page->gpu_limit, (int)(fill * 1000 + 0.5) / 10,
			(int)(fill * 1000 + 0.5) % 10);
		/* padding bytes (slack) are known only for resources of our own format */
		if (model->resource)
			say(out, "; %u bytes of the page only align", page->slack);
		say(out, "\n");
	}
}

static struct cs_error *run_page(struct call *call)
{
	uint32_t page, row = call_argument(call, 0)->row;
	const struct cs_model *model = model_of_row(call, CS_ROWS_PAGES, row, &page);
	const struct argument *hex = call_option(call, "hex");
	const struct argument *bytes = call_option(call, "section");
	if (hex->given || bytes->given)
		return show_bytes(call, model, page, bytes->text);
	struct cs_error *error = call_record(call, "pages", row);
	if (!error && !wants_rows(call))
		say_page(call->out, model, page);
	return error;
}

const struct command command_page = {
	.name = "page",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"PAGE", ARGUMENT_PAGE}},
	.options = {{0, "hex", NULL, ARGUMENT_NONE, "print the bytes of the page, decompressed"},
		{0, "section", "NAME", ARGUMENT_WORD, "print the bytes of one section"}},
	.summary = "show a page of a Nanite resource, and the offsets of its sections",
	.examples = "page 2\npage rock:2 --json\npage 2 --section strip_codes -n 4",
	.help = "The command prints the columns of the page, then its sections; a section is the\n"
		"data of one kind in the page. `sections @ page 2` lists the sections of page 2\n"
		"as rows, with the names for --section. Bytes are printed 16 to a line.",
	.run = run_page,
};

/* ---- command cluster ---- */

struct triangle_row {
	size_t triangle;
	uint8_t a, b, c;
	uint32_t material;
};

static const struct cs_column triangle_columns[] = {
	SHORT(struct triangle_row, triangle, "number in the cluster"),
	SHORT(struct triangle_row, a, "vertex"),
	SHORT(struct triangle_row, b, "vertex"),
	SHORT(struct triangle_row, c, "vertex"),
	SHORT(struct triangle_row, material, "number of the material"),
};

static const struct cs_table triangle_table =
	PLAIN_TABLE("triangles", "triangle", triangle_columns);

static uint32_t pages_material_of(
	const struct cs_model *model, const struct cs_model_cluster *cluster, uint32_t triangle)
{
	for (uint32_t i = 0; i < cluster->n_materials; i++) {
		const struct cs_model_material *at = &model->materials[cluster->first_material + i];
		if (triangle >= at->first && triangle < at->first + at->count)
			return at->material;
	}
	return CS_NONE;
}

static struct cs_error *list_triangles(
	struct call *call, const struct cs_model *model, const struct cs_model_cluster *cluster)
{
	struct triangle_row *rows = calloc(cluster->n_triangles + 1, sizeof(*rows));
	for (uint32_t i = 0; rows && i < cluster->n_triangles; i++) {
		const uint8_t *at = model->corners + 3 * ((size_t)cluster->first_triangle + i);
		rows[i] = (struct triangle_row){
			i, at[0], at[1], at[2], pages_material_of(model, cluster, i)};
	}
	return emit_plain_taken(call, &triangle_table, rows, cluster->n_triangles);
}

struct vertex_row {
	size_t vertex;
	struct cs_vec3 position, normal;
};

static const struct cs_column vertex_columns[] = {
	SHORT(struct vertex_row, vertex, "number in the cluster"),
	SHORT(struct vertex_row, position, "unit of the mesh"),
	SHORT(struct vertex_row, normal, "unit vector"),
};

static const struct cs_table vertex_table = PLAIN_TABLE("vertices", "vertex", vertex_columns);

static struct cs_error *list_vertices(
	struct call *call, const struct cs_model *model, const struct cs_model_cluster *cluster)
{
	struct vertex_row *rows = calloc(cluster->n_vertices + 1, sizeof(*rows));
	for (uint32_t i = 0; rows && i < cluster->n_vertices; i++) {
		size_t at = 3 * ((size_t)cluster->first_vertex + i);
		rows[i] = (struct vertex_row){i, nanite_vec3_of(model->positions + at),
			nanite_vec3_of(model->normals + at)};
	}
	return emit_plain_taken(call, &vertex_table, rows, cluster->n_vertices);
}

static struct cs_error *show_words(
	struct call *call, const struct cs_model *model, uint32_t cluster)
{
	enum { MOST_WORDS = 64 };
	uint32_t words[MOST_WORDS];
	unsigned char bytes[4 * MOST_WORDS];
	uint32_t n = cs_model_cluster_words(model, cluster, words, MOST_WORDS);
	if (n == 0)
		return cs_error_new(CS_E_MISSING,
			"--hex shows only clusters of resources that cellscope built: leave it "
			"out");
	for (uint32_t i = 0; i < 4 * n; i++)
		bytes[i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
	return emit_hex(call, bytes, 0, 4 * (size_t)n);
}

/* Prints how many bits the triangles and the vertices of a cluster take in memory. */
static void say_budget(struct output *out, const struct cs_model_cluster *at)
{
	uint32_t position =
		(uint32_t)at->position_bits[0] + at->position_bits[1] + at->position_bits[2];
	uint32_t triangles = at->n_triangles * (at->index_bits + 10u);
	say(out, "\nloaded: %u triangles of %u + 10 bits, ", at->n_triangles, at->index_bits);
	say(out, "%u vertices of %u + %u bits: %u bytes\n", at->n_vertices, position,
		at->attribute_bits,
		(triangles + 31) / 32 * 4 + (at->n_vertices * position + 31) / 32 * 4 +
			(at->n_vertices * at->attribute_bits + 31) / 32 * 4);
	if (at->n_codes != CS_NONE && at->n_triangles)
		say(out, "strips: %u starts, %u vertices named again, %u issued\n", at->n_starts,
			at->n_codes, at->n_vertices);
}

struct cs_error *show_cluster(struct call *call, uint32_t row)
{
	uint32_t cluster;
	const struct cs_model *model = model_of_row(call, CS_ROWS_CLUSTERS, row, &cluster);
	const struct cs_model_cluster *at = &model->clusters[cluster];
	if (call_option(call, "hex")->given)
		return show_words(call, model, cluster);
	if (call_option(call, "triangles")->given)
		return list_triangles(call, model, at);
	if (call_option(call, "vertices")->given)
		return list_vertices(call, model, at);
	struct cs_error *error = call_record(call, "clusters", row);
	if (!error && !wants_rows(call))
		say_budget(call->out, at);
	return error;
}
