/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `cut` for Nanite resources. A cut is a set of clusters that covers the
 * surface of the mesh exactly once; it is selected by an error in mesh units, a number of
 * triangles, a viewpoint, or the last frame of the run.
 */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>
#include <string.h>

const char *const cut_colours[] = {"depth", "cluster", "group", "page", "level", "residency", NULL};

/* A cut of a resource, and the data to draw it. */
struct cut {
	uint32_t resource;
	const struct cs_model *model;
	struct cs_model_cut cut;
	uint8_t *state; /* for each cluster, 1 if drawn although the cut needs a finer one */
};

/* ---- selecting the clusters of a cut ---- */

/* Makes the cut of the clusters that the run drew in its last frame. */
static struct cs_error *cut_resident(struct call *call, struct cut *cut)
{
	const struct cs_pager *pager = call->session->run.pager;
	uint32_t *list = malloc((cut->model->n_clusters + 1) * sizeof(*list));
	if (!list)
		return cs_error_nomem();
	const size_t n = pager ? cs_pager_drawn(call->session->inspector, pager, cut->resource,
					 list, cut->state)
			       : 0;
	struct cs_error *error = cs_model_cut(cut->model,
		&(struct cs_model_choice){.clusters = list, .n_clusters = n}, &cut->cut);
	free(list);
	if (!error && n == 0 && !wants_rows(call))
		say(call->out, "nothing was drawn yet: camera add, step\n");
	return error;
}

struct cs_error *mesh_of_call(const struct call *call, uint32_t *ret)
{
	uint64_t mesh;
	struct cs_error *error = call_whole_within(call, "mesh", 0, CS_NONE - 2, 0, &mesh);
	if (!error)
		*ret = call_option(call, "mesh")->given ? (uint32_t)mesh + 1 : 0;
	return error;
}

static struct cs_error *nanite_cut_make_cut(struct call *call, struct cut *cut)
{
	const struct argument *triangles = call_option(call, "triangles");
	const struct argument *eye = call_option(call, "eye");
	struct cs_nanite_view view = {.uniform = true};
	cut->state = calloc(cut->model->n_clusters + 1, 1);
	if (!cut->state)
		return cs_error_nomem();
	if (call_option(call, "resident")->given)
		return cut_resident(call, cut);
	struct cs_error *error =
		call_number_within(call, "error", 0, NUMBER_END, 0, &view.threshold);
	if (!error)
		error = mesh_of_call(call, &view.mesh);
	if (!error && triangles->given)
		error = cs_model_error_for(
			cut->model, view.mesh, triangles->count, &view.threshold);
	else if (!error && eye->given)
		error = view_of_call(call, cut->model, eye->point, &view);
	return error ? error
		     : cs_model_cut(
			       cut->model, &(struct cs_model_choice){.view = &view}, &cut->cut);
}

/* ---- listing a cut ---- */

struct cut_row {
	const char *resource;
	struct cs_model_cut is;
	uint32_t pages, missing;
};

static const struct cs_column cut_columns[] = {
	PLAIN(struct cut_row, resource, "the resource"),
	PLAIN_AS("clusters", struct cut_row, is.n_clusters, "number of clusters in the cut"),
	PLAIN_AS("triangles", struct cut_row, is.triangles, "number of triangles in the cut"),
	PLAIN_AS("min_level", struct cut_row, is.min_level,
		"finest level of the clusters in the cut"),
	PLAIN_AS("max_level", struct cut_row, is.max_level,
		"coarsest level of the clusters in the cut"),
	PLAIN_AS("error", struct cut_row, is.error,
		"largest error of the clusters in the cut, in units of the mesh"),
	PLAIN(struct cut_row, pages, "number of pages that the cut needs"),
	PLAIN(struct cut_row, missing, "number of these pages that are not loaded now"),
};

static const struct cs_table cut_table = PLAIN_TABLE("mesh_cuts", "mesh_cut", cut_columns);

static struct cs_error *emit_cut(struct call *call, const struct cut *cut)
{
	struct cut_row row = {.resource = cut->model->name, .is = cut->cut};
	uint32_t *pages = malloc((cut->model->n_pages + 1) * sizeof(*pages));
	if (!pages)
		return cs_error_nomem();
	row.pages = (uint32_t)cs_model_cut_pages(cut->model, &cut->cut, pages);
	row.missing = (uint32_t)cs_pages_missing(call->session->inspector, call->session->run.pager,
		cut->resource, pages, row.pages, pages);
	struct cs_error *error = emit_plain_record(call, &cut_table, &row);
	if (!error && !asks_for_rows(call) && row.missing > 0) {
		say(call->out, "missing:");
		for (uint32_t i = 0; i < row.missing; i++)
			say(call->out, " %u", pages[i]);
		say(call->out, "\n");
	}
	free(pages);
	return error;
}

static struct cs_error *list_cut(struct call *call, const struct cut *cut, bool pages)
{
	const enum cs_model_row kind = pages ? CS_ROWS_PAGES : CS_ROWS_CLUSTERS;
	const char *name = pages ? "pages" : "clusters";
	size_t first = cs_inspector_first(call->session->inspector, kind, cut->resource);
	size_t n = cut->cut.n_clusters;
	uint32_t *at = malloc((cut->model->n_pages + cut->cut.n_clusters + 1) * sizeof(*at));
	if (!at)
		return cs_error_nomem();
	if (pages)
		n = cs_model_cut_pages(cut->model, &cut->cut, at);
	else
		memcpy(at, cut->cut.clusters, n * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		at[i] += (uint32_t)first;
	struct cs_error *error = call_list_numbers(call, name, at, n);
	free(at);
	return error;
}

/* ---- pictures of a cut ---- */

enum { PNG_SIDE = 512, TEXT_COLUMNS = 72 };

static struct cs_error *picture_cut(struct call *call, const struct cut *cut, const char *png)
{
	const unsigned width = call->out->style.width;
	const uint64_t usual = png                             ? PNG_SIDE
			       : width && width < TEXT_COLUMNS ? width
							       : TEXT_COLUMNS;
	const struct cs_picture_view view = {.yaw = call_number(call, "yaw", 30),
		.pitch = call_number(call, "pitch", 20),
		.colour = call_option(call, "colour")->given
				  ? (enum cs_picture_colour)call_option(call, "colour")->choice
				  : CS_COLOUR_DEPTH,
		.state = cut->state};
	struct cs_picture picture = {0};
	uint64_t side;
	struct cs_error *error = call_whole_within(call, "size", 1, CS_PICTURE_MOST, usual, &side);
	if (!error)
		error = cs_picture_clusters(cut->model, cut->cut.clusters, cut->cut.n_clusters,
			&view, (uint32_t)side, (uint32_t)side, &picture);
	if (!error && png)
		error = cs_picture_save(&picture, png);
	else if (!error)
		say_picture(call->out, &picture);
	free(picture.pixels);
	return error;
}

static struct cs_error *tell_cut(struct call *call, const struct cut *cut)
{
	const char *mesh = call_option(call, "o")->text, *png = call_option(call, "png")->text;
	const struct argument *colour = call_option(call, "colour");
	struct cs_error *error = NULL;
	if (mesh)
		error = cs_model_export(cut->model, cut->cut.clusters, cut->cut.n_clusters,
			colour->given ? (enum cs_picture_colour)colour->choice : CS_COLOUR_CLUSTER,
			cut->state, mesh);
	if (!error && png)
		error = picture_cut(call, cut, png);
	if (error)
		return error;
	if (call_option(call, "picture")->given)
		return picture_cut(call, cut, NULL);
	if (call_option(call, "clusters")->given)
		return list_cut(call, cut, false);
	if (call_option(call, "pages")->given)
		return list_cut(call, cut, true);
	return emit_cut(call, cut);
}

/*
 * Returns E_USAGE for options that would be ignored: options of a view without a view, and a second
 * output.
 */
static struct cs_error *check_cut_options(const struct call *call)
{
	static const char *const of_views[] = {"threshold", "near", "fov", "height"};
	static const char *const outputs[] = {"clusters", "pages", "picture"};
	unsigned given = 0;
	for (size_t i = 0; i < sizeof(of_views) / sizeof(of_views[0]); i++)
		if (call_option(call, of_views[i])->given && !call_option(call, "eye")->given)
			return cs_error_new(CS_E_USAGE, "--%s needs --eye", of_views[i]);
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		given += call_option(call, outputs[i])->given;
	return given > 1
		       ? cs_error_new(CS_E_USAGE, "give only one of --clusters, --pages, --picture")
		       : NULL;
}

struct cs_error *cut_resource(struct call *call)
{
	static const char *const ways[] = {"error", "triangles", "eye", "resident"};
	struct cut cut = {.resource = cs_inspector_models(call->session->inspector).current};
	unsigned given = 0;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		given += call_option(call, ways[i])->given;
	if (cut.resource == CS_NONE)
		return no_resource(call->session);
	if (call_option(call, "resident")->given && call_option(call, "mesh")->given)
		return cs_error_new(CS_E_USAGE,
			"--resident shows all meshes of the resource: leave out --mesh");
	if (given > 1)
		return cs_error_new(
			CS_E_USAGE, "give only one of --error, --triangles, --eye, --resident");
	const struct argument *resource = call_option(call, "of");
	if (resource->given)
		cut.resource = resource->row;
	cut.model = cs_inspector_models(call->session->inspector).at[cut.resource];
	struct cs_error *error = check_cut_options(call);
	if (!error)
		error = nanite_cut_make_cut(call, &cut);
	if (!error)
		error = tell_cut(call, &cut);
	free(cut.cut.clusters);
	free(cut.state);
	return error;
}
