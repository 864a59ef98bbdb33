/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `explain page`, `explain cluster` and `diff resources` (compares Nanite resources). */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

/* ---- command explain page ---- */

static void say_fill(struct output *out, const struct cs_model *model, uint32_t page)
{
	const struct cs_model_page *row = &model->pages[page];
	const double fill = cs_model_fill(row);
	if (!(fill == fill)) {
		say(out, "how full it is is unknown for this version\n");
		return;
	}
	uint32_t free_bytes = row->gpu_limit > row->gpu_bytes ? row->gpu_limit - row->gpu_bytes : 0;
	say(out, "page %u is %.1f %% full: %u of %u bytes when loaded, %u are free\n", page,
		100 * fill, row->gpu_bytes, row->gpu_limit, free_bytes);
	if (page + 1 == model->n_pages) {
		say(out, "because it is the last, with the %u cluster%s that remained\n",
			row->n_clusters, plural_end(row->n_clusters));
		return;
	}
	const struct cs_model_page *next = &model->pages[page + 1];
	if (next->n_clusters == 0)
		return;
	uint32_t bytes = (uint32_t)cs_model_content(model, next->first_cluster, 1).bytes;
	if (bytes > free_bytes)
		say(out,
			"because the next cluster, %u:0, needs %u: pages are filled in order, "
			"cluster by cluster\n",
			page + 1, bytes);
	else
		say(out,
			"the next cluster, %u:0, needs %u and would fit: who wrote it began a "
			"page here for another reason\n",
			page + 1, bytes);
}

static void say_part(struct output *out, const char *what, uint64_t bytes, uint64_t all)
{
	if (bytes)
		say(out, "  %-11s %7llu  %4.1f %%\n", what, (unsigned long long)bytes,
			all ? 100.0 * (double)bytes / (double)all : 0);
}

static void say_content(struct output *out, const struct cs_model *model, uint32_t number)
{
	const struct cs_model_page *page = &model->pages[number];
	const struct cs_model_content content = cs_model_content(
		model, model->pages[number].first_cluster, model->pages[number].n_clusters);
	say(out,
		"it contains %u cluster%s in %u part%s of groups, levels %u to %u: %u of 128 "
		"triangles, %u with less than 64\n",
		page->n_clusters, plural_end(page->n_clusters), page->n_parts,
		plural_end(page->n_parts), page->min_level, page->max_level, content.full,
		content.light);
	say(out, "loaded, its bytes are\n");
	say_part(out, "headers", content.headers, page->gpu_bytes);
	say_part(out, "materials", content.materials, page->gpu_bytes);
	say_part(out, "UV ranges", content.uvs, page->gpu_bytes);
	say_part(out, "triangles", content.triangles, page->gpu_bytes);
	say_part(out, "positions", content.positions, page->gpu_bytes);
	say_part(out, "attributes", content.attributes, page->gpu_bytes);
	if (page->gpu_bytes != CS_NONE && page->gpu_bytes > content.bytes)
		say_part(out, "the rest", page->gpu_bytes - content.bytes, page->gpu_bytes);
}

static void say_split(struct output *out, const struct cs_model *model, uint32_t page)
{
	const struct cs_model_page *row = &model->pages[page];
	for (uint32_t i = 0; i < row->n_parts; i++) {
		uint32_t g = model->parts[row->first_part + i].group;
		if (g == CS_NONE || model->groups[g].n_parts < 2)
			continue;
		say(out, "group %u is cut: pages", g);
		for (uint32_t k = 0; k < model->groups[g].n_parts; k++)
			say(out, " %u",
				model->parts[model->group_parts[model->groups[g].first_part + k]]
					.page);
		say(out, "; it is drawn only when all are there\n");
	}
}

static struct cs_error *run_explain_page(struct call *call)
{
	uint32_t page, row = call_argument(call, 0)->row;
	const struct cs_model *model = model_of_row(call, CS_ROWS_PAGES, row, &page);
	if (wants_rows(call))
		return call_record(call, "pages", row);
	say_fill(call->out, model, page);
	say_content(call->out, model, page);
	say_split(call->out, model, page);
	return NULL;
}

OLD_NAME(command_explain_page, "explain page", "explain", run_explain_page, COMMAND_NANITE,
	"explain 2", {"PAGE", ARGUMENT_PAGE});

/* ---- command explain cluster ---- */

static void say_successor(struct output *out, const struct cs_model *model, uint32_t number)
{
	const struct cs_model_group *group = number == CS_NONE ? NULL : &model->groups[number];
	if (group && group->n_parents == 0)
		say(out, "nothing coarser exists, so nothing replaces it\n");
	else if (group)
		say(out,
			"it is replaced with group %u, %u cluster%s, where an error of %.4g is "
			"fine enough\n",
			number, group->n_clusters, plural_end(group->n_clusters),
			(double)group->max_parent_error);
}

static void say_leaf(
	struct output *out, const struct cs_model *model, const struct cs_model_cluster *cluster)
{
	if (cluster->maker == CS_NONE) {
		say(out, "level 0: nothing finer exists, so it is always a leaf\n");
		return;
	}
	const struct cs_model_group *maker = &model->groups[cluster->maker];
	say(out, "it stands for group %u: %u cluster%s of level %u, %u triangles, in page%s",
		cluster->maker, maker->n_clusters, plural_end(maker->n_clusters), maker->level,
		maker->triangles, plural_end(maker->n_parts));
	for (uint32_t k = 0; k < maker->n_parts; k++)
		say(out, " %u", model->parts[model->group_parts[maker->first_part + k]].page);
	say(out, "\n%s\n",
		cluster->leaf
			? "in the file it is a leaf: a fixup of those pages says when it is not"
			: "in the file it is no leaf: that group lies in its own page");
}

static void say_bits(struct output *out, const struct cs_model *model, uint32_t cluster)
{
	const struct cs_model_cluster *model_cluster = &model->clusters[cluster];
	say(out, "%u triangle%s, %u vertices (references among them: %u): %u bytes when loaded\n",
		model_cluster->n_triangles, plural_end(model_cluster->n_triangles),
		model_cluster->n_vertices,
		model_cluster->n_coded == CS_NONE
			? 0
			: model_cluster->n_vertices - model_cluster->n_coded,
		(uint32_t)cs_model_content(model, cluster, 1).bytes);
	for (unsigned axis = 0; axis < 3; axis++)
		say(out, "  %c: %.6g wide in steps of %.6g: %u bits\n", "XYZ"[axis],
			2 * (double)model_cluster -> box_extent[axis], model_cluster -> grid_step,
			model_cluster -> position_bits[axis]);
	say(out, "  attributes: %u bits a vertex\n", model_cluster->attribute_bits);
}

static struct cs_error *run_explain_cluster(struct call *call)
{
	const struct place place = call_argument(call, 0)->place;
	uint32_t cluster;
	if (place.kind != PLACE_CLUSTER)
		return cs_error_new(CS_E_USAGE,
			"'%s' is not a cluster: write PAGE:NUMBER, such as 3:17",
			call_argument(call, 0)->text);
	const struct cs_model *model = model_of_row(call, CS_ROWS_CLUSTERS, place.row, &cluster);
	const struct cs_model_cluster *model_cluster = &model->clusters[cluster];
	if (wants_rows(call))
		return call_record(call, "clusters", place.row);
	say(call->out, "cluster %s, level %u, error %.4g\n",
		cs_inspector_name(call->session->inspector, CS_ROWS_CLUSTERS, place.row),
		model_cluster->level, (double)model_cluster->lod_error);
	say_successor(call->out, model, model_cluster->group);
	say_leaf(call->out, model, model_cluster);
	say_bits(call->out, model, cluster);
	return NULL;
}

OLD_NAME(command_explain_cluster, "explain cluster", "explain", run_explain_cluster, COMMAND_NANITE,
	"explain 1:0", {"CLUSTER", ARGUMENT_CLUSTER});

/* ---- command diff resources ---- */

struct diff_row {
	const char *what;
	double left, right, change;
};

static const struct cs_column diff_columns[] = {
	SHORT(struct diff_row, what, "quantity that is compared"),
	SHORT(struct diff_row, left, "value of the left resource"),
	SHORT(struct diff_row, right, "value of the right resource"),
	SHORT(struct diff_row, change, "value of the right resource minus value of the left"),
};

static const struct cs_table diff_table = PLAIN_TABLE("differences", "difference", diff_columns);

enum { MOST_DIFFERENCES = 40 };

struct differences {
	struct diff_row rows[MOST_DIFFERENCES];
	size_t n;
};

static void explain_page_add(
	struct differences *differences, const char *what, double left, double right)
{
	if (differences->n < MOST_DIFFERENCES)
		differences->rows[differences->n++] =
			(struct diff_row){what, left, right, right - left};
}

static void explain_page_add_counts(
	struct differences *differences, const struct cs_model *left, const struct cs_model *right)
{
	explain_page_add(
		differences, "triangles", (double)left->n_triangles, (double)right->n_triangles);
	explain_page_add(
		differences, "vertices", (double)left->n_vertices, (double)right->n_vertices);
	explain_page_add(
		differences, "clusters", (double)left->n_clusters, (double)right->n_clusters);
	explain_page_add(differences, "groups", (double)left->n_groups, (double)right->n_groups);
	explain_page_add(differences, "levels", left->n_levels, right->n_levels);
	explain_page_add(differences, "pages", (double)left->n_pages, (double)right->n_pages);
	explain_page_add(differences, "position precision", left->position_precision,
		right->position_precision);
}

static void add_bytes(
	struct differences *differences, const struct cs_model *left, const struct cs_model *right)
{
	explain_page_add(differences, "bytes on disk", (double)left->sums.disk_bytes,
		(double)right->sums.disk_bytes);
	explain_page_add(differences, "bytes loaded", (double)left->sums.gpu_bytes,
		(double)right->sums.gpu_bytes);
	for (uint32_t s = 0; left->n_pages && s < left->pages[0].n_sections; s++) {
		const char *name = left->sections[left->pages[0].first_section + s].name;
		explain_page_add(differences, name, (double)cs_model_section_bytes(left, name),
			(double)cs_model_section_bytes(right, name));
	}
}

static struct cs_error *run_diff_resources(struct call *call)
{
	const struct cs_inspector *inspector = call->session->inspector;
	const struct cs_model *left =
		cs_inspector_models(inspector).at[call_argument(call, 0)->row];
	const struct cs_model *right =
		cs_inspector_models(inspector).at[call_argument(call, 1)->row];
	struct differences differences = {.n = 0};
	struct cs_model_difference same;
	struct cs_error *error = cs_model_compare(left, right, &call->session->job, &same);
	if (error)
		return error;
	explain_page_add(
		&differences, "clusters only there", same.clusters_left, same.clusters_right);
	explain_page_add(&differences, "clusters or attributes only there", same.drawn_left,
		same.drawn_right);
	explain_page_add(&differences, "pages only there", same.pages_left, same.pages_right);
	explain_page_add_counts(&differences, left, right);
	add_bytes(&differences, left, right);
	if (!wants_rows(call))
		say(call->out, "%u cluster%s and %u page%s have the same geometry\n",
			same.clusters_same, plural_end(same.clusters_same), same.pages_same,
			plural_end(same.pages_same));
	error = emit_plain(call, &diff_table, differences.rows, differences.n);
	if (!error)
		check_verdict(call, !same.drawn_left && !same.drawn_right,
			"the resources have clusters with different geometry or attributes");
	return error;
}

OLD_NAME(command_diff_resources, "diff resources", "diff", run_diff_resources,
	COMMAND_NANITE | COMMAND_LISTS, "diff rock tree", {"LEFT", ARGUMENT_RESOURCE},
	{"RIGHT", ARGUMENT_RESOURCE});
