/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `cost`: prints and plots the drawing cost of a Nanite mesh at several distances. */
#include "cmds/picture/cmd_draw.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>

enum { STEPS = 10 };

static const char *const unit_names[] = {"cm", "m", "mm", "km", NULL};
static const double unit_cm[] = {1, 100, 0.1, 100000};

struct cost_row {
	struct cs_model_cost is;
	double distance, pool_mib, read_mib;
};

static const struct cs_column cost_columns[] = {
	SHORT(struct cost_row, distance, "distance from the camera to the box of the mesh",
		.unit = "m"),
	SHORT_AS("triangles", struct cost_row, is.triangles, "triangles that are drawn"),
	SHORT_AS("clusters", struct cost_row, is.clusters, "clusters that are drawn"),
	SHORT_AS("pages", struct cost_row, is.pages,
		"pages that the mesh needs in the pool, without root pages"),
	SHORT(struct cost_row, pool_mib, "size of these pages in the pool", .unit = "MiB"),
	SHORT(struct cost_row, read_mib, "data read for these pages from the file", .unit = "MiB"),
	PLAIN_AS("min_level", struct cost_row, is.min_level, "finest level that is drawn"),
	SHORT_AS("max_level", struct cost_row, is.max_level, "coarsest level that is drawn"),
	PLAIN_AS("error", struct cost_row, is.error,
		"largest error that is drawn, in units of the mesh"),
};

static const struct cs_table cost_table = PLAIN_TABLE("mesh_costs", "mesh_cost", cost_columns);

/* Columns that the plot can show; drawn_value indexes them in this order. */
static const char *const drawn_names[] = {"triangles", "clusters", "pages", "pool_mib", NULL};

static double drawn_value(const struct cost_row *row, size_t what)
{
	const double values[] = {
		(double)row->is.triangles, row->is.clusters, row->is.pages, row->pool_mib};
	return values[what];
}

struct costing {
	const struct cs_model *model;
	struct cs_nanite_view view;
	double first, last, unit; /* distances in cm; unit: cm per mesh unit */
};

static struct cs_error *costing_of(const struct call *call, struct costing *ret)
{
	const struct cs_inspector *inspector = call->session->inspector;
	const struct argument *of = call_option(call, "of");
	const struct argument *distances = call_option(call, "distances");
	const struct argument *unit = call_option(call, "unit");
	const uint32_t resource = of->given ? of->row : cs_inspector_models(inspector).current;
	if (resource == CS_NONE)
		return no_resource(call->session);
	ret->model = cs_inspector_models(inspector).at[resource];
	ret->unit = unit_cm[unit->given ? unit->choice : 0];
	const double diagonal = cs_model_near(ret->model) * 1000 * ret->unit;
	ret->first = distances->given ? distances->lengths.first : diagonal / 10;
	ret->last = distances->given ? distances->lengths.last : diagonal * 100;
	return view_of_call(call, ret->model, (struct cs_vec3){0, 0, 0}, &ret->view);
}

/* Computes the costs of drawing at n distances from `first` to `last`. The caller frees *ret. */
static struct cs_error *cost_rows(const struct costing *costing, size_t n, struct cost_row **ret)
{
	const double mib = 1024 * 1024;
	struct cs_model_cost *costs = calloc(n + 1, sizeof(*costs));
	struct cost_row *rows = calloc(n + 1, sizeof(*rows));
	struct cs_error *error = costs && rows ? cs_model_costs(costing->model, &costing->view,
							 costing->first / costing->unit,
							 costing->last / costing->unit, n, costs)
					       : cs_error_nomem();
	for (size_t i = 0; !error && i < n; i++)
		rows[i] = (struct cost_row){costs[i], costs[i].distance * costing->unit / 100,
			(double)costs[i].pool_bytes / mib, (double)costs[i].read_bytes / mib};
	free(costs);
	if (error)
		free(rows);
	else
		*ret = rows;
	return error;
}

static struct cs_error *draw_costs(struct call *call, const struct costing *costing)
{
	const struct argument *what = call_option(call, "plot");
	const size_t drawn = what->given ? what->choice : 0;
	size_t n = room_for_plot(call->out);
	n = n > CS_MODEL_COSTS ? CS_MODEL_COSTS : n;
	struct cost_row *rows;
	struct cs_plot plot;
	struct cs_error *error = cost_rows(costing, n, &rows);
	if (error)
		return error;
	double *values = calloc(n + 1, sizeof(*values));
	for (size_t i = 0; values && i < n; i++)
		values[i] = drawn_value(&rows[i], drawn);
	error = values ? cs_plot_init(values, n, n, &plot) : cs_error_nomem();
	if (!error) {
		say_plot(call->out, &plot);
		say(call->out,
			"%*s %s at %.4g m to %.4g m, by equal factors; highest "
			"%g\n",
			PLOT_LABEL, "", drawn_names[drawn], costing->first / 100,
			costing->last / 100, plot.most);
		free(plot.at);
	}
	free(values);
	free(rows);
	return error;
}

static struct cs_error *run_cost(struct call *call)
{
	uint64_t n;
	struct costing costing;
	struct cost_row *rows;
	struct cs_error *error = costing_of(call, &costing);
	if (!error)
		error = call_whole_within(call, "steps", 2, CS_MODEL_COSTS, STEPS, &n);
	if (!error)
		error = cost_rows(&costing, (size_t)n, &rows);
	if (error)
		return error;
	error = emit_plain_taken(call, &cost_table, rows, (size_t)n);
	return error || wants_rows(call) ? error : draw_costs(call, &costing);
}

const struct command command_cost = {
	.name = "cost",
	.group = GROUP_NANITE,
	.flags = COMMAND_NANITE | COMMAND_LISTS,
	.options = {{0, "distances", "A..B", ARGUMENT_LENGTHS,
			    "distances from A to B, each with a unit: mm, cm, m, km (default: "
			    "from a tenth of the mesh's diagonal to 100 diagonals)"},
		{0, "steps", "N", ARGUMENT_WHOLE,
			"print N distances, 2 to 1000 (default 10); each is the previous distance "
			"multiplied by the same factor"},
		{0, "unit", "U", ARGUMENT_CHOICE,
			"unit in which the mesh was made: cm (default), m, mm, km", unit_names},
		{0, "plot", "COLUMN", ARGUMENT_CHOICE,
			"plot COLUMN: triangles (default), clusters, pages, pool_mib", drawn_names},
		{0, "of", "RESOURCE", ARGUMENT_RESOURCE,
			"use this Nanite resource (default: the resource opened last)"},
		{0, "threshold", "PX", ARGUMENT_NUMBER, "allow errors of PX pixels (default 1)"},
		{0, "fov", "DEGREES", ARGUMENT_NUMBER,
			"vertical field of view in degrees (default 60)"},
		{0, "height", "PX", ARGUMENT_NUMBER,
			"height of the picture in pixels (default 1080)"},
		{0, "near", "D", ARGUMENT_NUMBER,
			"least distance used in the calculation, in units of the mesh: nearer "
			"points count as D away (default: 1/1000 of the mesh's diagonal)"}},
	.summary = "list what a mesh costs by camera distance: triangles, clusters, pages, MiB",
	.examples = "cost --distances 1m..500m\n"
		    "cost --distances 10cm..50m --unit m --plot pages",
	.help = "Each row is a distance of a camera from the mesh, with the clusters and\n"
		"triangles that the camera draws. The column `pages` is the number of pages that\n"
		"must be loaded, without root pages, and `pool_mib` is their size in the pool in\n"
		"MiB. Each row is for the whole cut, so clusters that are out of view are\n"
		"counted, too (help cut). The camera is on the +X side of the mesh and looks in\n"
		"direction -X at its bounding box; `distance` is measured from that side of the\n"
		"box, in m.",
	.run = run_cost,
};
