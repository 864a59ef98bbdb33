/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements `nanite info`, `nanite sections` and `nanite export`, which read Nanite files. */
#include "cmds/nanite/cmd_nanite.h"
#include "src/front/open.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/nanite.h>
#include <cellscope/pages.h>

#include <stdlib.h>

/* ---- command nanite info ---- */

static struct cs_error *run_nanite_info(struct call *call)
{
	const char *path = call_argument(call, 0)->text;
	struct cs_model *model;
	struct cs_error *error = source_is_cooked(path)
					 ? mesh_open(call->session, path, &model)
					 : cs_model_open(path, &call->session->job, &model);
	if (error)
		return error;
	struct cs_table table = *cs_resources_table();
	table.count = plain_count;
	table.row = plain_row;
	table.n_columns--; /* without the last one, `current`, which is about open resources */
	error = emit_plain_record(call, &table, model);
	cs_model_free(model);
	return error;
}

const struct command command_nanite_info = {
	.name = "nanite info",
	.group = GROUP_NANITE,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.options = {COLUMNS_OPTION},
	.summary = "show what a Nanite resource contains",
	.examples = "nanite info bunny.cnanite",
	.help = "FILE is a .cnanite file, which `nanite build` writes, or a static mesh that\n"
		"Unreal cooked (.uasset). The command prints where the resource comes from, its\n"
		"bounds, and its numbers of triangles, vertices, clusters and pages. `-c ?`\n"
		"explains all columns.",
	.run = run_nanite_info,
};

/* ---- command nanite sections ---- */

struct section_row {
	const char *name;
	struct cs_nanite_section is;
	struct cs_nanite_section_range coarse;
};

static const struct cs_column section_columns[] = {
	SHORT_AS("section", struct section_row, is.material, "number of the material"),
	SHORT(struct section_row, name, "name of the material"),
	SHORT_AS("input_triangles", struct section_row, is.input_triangles, "triangles of level 0"),
	SHORT_AS("triangles", struct section_row, is.triangles, "triangles of all levels"),
	SHORT_AS("coarse_first", struct section_row, coarse.first_triangle,
		"first triangle of the section in the coarse mesh"),
	SHORT_AS("coarse_triangles", struct section_row, coarse.n_triangles,
		"triangles of the section in the coarse mesh"),
	SHORT_AS("coarse_min", struct section_row, coarse.min_vertex,
		"lowest vertex of the section in the coarse mesh"),
	SHORT_AS("coarse_max", struct section_row, coarse.max_vertex,
		"highest vertex of the section in the coarse mesh"),
};

static const struct cs_table section_table =
	PLAIN_TABLE("mesh_sections", "mesh_section", section_columns);

static struct cs_error *emit_sections(struct call *call, const struct cs_nanite *resource)
{
	struct cs_nanite_section_range *ranges;
	size_t n;
	const struct cs_nanite_section *sections = cs_nanite_sections(resource, &n);
	struct section_row *rows = calloc(n + 1, sizeof(*rows));
	struct cs_error *error =
		rows ? cs_nanite_section_ranges(resource, &ranges) : cs_error_nomem();
	if (error) {
		free(rows);
		return error;
	}
	for (size_t i = 0; i < n; i++)
		rows[i] = (struct section_row){
			cs_nanite_text(resource, sections[i].name), sections[i], ranges[i]};
	error = emit_plain_taken(call, &section_table, rows, n);
	free(ranges);
	return error;
}

static struct cs_error *run_nanite_sections(struct call *call)
{
	struct cs_nanite *resource;
	struct cs_error *error = cs_nanite_open(
		call_argument(call, 0)->text, CS_FILE_STRICT, &call->session->job, &resource);
	if (error)
		return error;
	error = emit_sections(call, resource);
	cs_nanite_free(resource);
	return error;
}

const struct command command_nanite_sections = {
	.name = "nanite sections",
	.group = GROUP_NANITE,
	.flags = COMMAND_LISTS,
	.arguments = {{"FILE", ARGUMENT_FILE}},
	.summary = "list the material sections of a Nanite resource and of its fallback mesh",
	.examples = "nanite sections bunny.cnanite\n"
		    "nanite sections bunny.cnanite -w \"coarse_triangles = 0\"",
	.help = "FILE is a .cnanite file, which `nanite build` writes. The columns coarse_* are\n"
		"about the fallback mesh, which is drawn where Nanite cannot run. They are 0 for\n"
		"a section that has no triangle in the fallback mesh.",
	.run = run_nanite_sections,
};

/* ---- command nanite export ---- */

struct export_row {
	const char *file;
	uint32_t clusters, triangles, vertices;
	double error;
};

static const struct cs_column export_columns[] = {
	PLAIN(struct export_row, file, "path of the file that was written"),
	PLAIN(struct export_row, clusters,
		"number of clusters that were exported; none for the fallback mesh"),
	PLAIN(struct export_row, triangles, "number of triangles"),
	PLAIN(struct export_row, vertices, "number of vertices that differ in some attribute"),
	PLAIN(struct export_row, error,
		"largest distance of a point from the source mesh, and of the source mesh from the cut"),
};

static const struct cs_table export_table = PLAIN_TABLE("exports", "export", export_columns);

/* Writes a mesh to its file, and frees the mesh. */
static struct cs_error *write_mesh(struct call *call, struct cs_mesh *mesh, struct export_row *row)
{
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	row->triangles = view.n_triangles;
	row->vertices = view.n_vertices;
	struct cs_error *error = cs_mesh_export(mesh, &call->session->job, row->file);
	cs_mesh_free(mesh);
	return error ? error : emit_plain_record(call, &export_table, row);
}

/* Values of the options that select what is exported; 0 = option absent. */
struct export_choice {
	double error;
	uint32_t mesh, level;
};

static struct cs_error *export_choice_of(const struct call *call, struct export_choice *ret)
{
	uint64_t level = 0;
	*ret = (struct export_choice){0};
	struct cs_error *error = call_number_within(call, "error", 0, NUMBER_END, 0, &ret->error);
	if (!error)
		error = mesh_of_call(call, &ret->mesh);
	if (!error)
		error = call_whole_within(call, "level", 0, CS_NONE - 1, 0, &level);
	ret->level = (uint32_t)level;
	return error;
}

static struct cs_error *cut_of(struct call *call, const struct cs_dag *dag, struct cs_dag_cut *ret)
{
	struct export_choice choice;
	struct cs_error *error = export_choice_of(call, &choice);
	const struct argument *triangles = call_option(call, "triangles");
	const struct cs_dag_fineness fineness = {
		.error = choice.error,
		/* `triangles` 0 means no limit; 1 selects the coarsest cut, as 0 does for users */
		.triangles = triangles->given && triangles->count == 0 ? 1 : triangles->count,
		.mesh = choice.mesh,
		.by_level = call_option(call, "level")->given,
		.level = choice.level,
	};
	return error ? error : cs_dag_cut(dag, &fineness, ret);
}

static struct cs_error *export_cut(struct call *call, const struct cs_dag *dag, const char *path)
{
	struct export_row row = {.file = path};
	struct cs_dag_cut cut;
	struct cs_mesh *mesh;
	struct cs_error *error = cut_of(call, dag, &cut);
	if (error)
		return error;
	row.clusters = cut.n_clusters;
	row.error = cut.error;
	error = cs_dag_cut_mesh(dag, &cut, &call->session->job, &mesh);
	free(cut.clusters);
	return error ? error : write_mesh(call, mesh, &row);
}

/* Exports the DAG. Its level 0 clusters serve as the source mesh, which the resource lacks. */
static struct cs_error *export_dag(struct call *call, const struct cs_dag *dag, const char *path)
{
	struct cs_dag_cut cut;
	struct cs_mesh *source;
	struct cs_error *error =
		cs_dag_cut(dag, &(struct cs_dag_fineness){.by_level = true, .level = 0}, &cut);
	if (error)
		return error;
	error = cs_dag_cut_mesh(dag, &cut, &call->session->job, &source);
	free(cut.clusters);
	if (error)
		return error;
	error = cs_dag_dump(dag, source, &call->session->job, path);
	cs_mesh_free(source);
	return error;
}

static struct cs_error *export_coarse(
	struct call *call, const struct cs_nanite *resource, const char *path)
{
	struct export_row row = {.file = path, .clusters = CS_NONE, .error = CS_NO_NUMBER};
	struct cs_mesh *mesh;
	struct cs_error *error = cs_nanite_coarse_mesh(resource, &call->session->job, &mesh);
	if (!error && !mesh)
		error = cs_error_new(CS_E_MISSING,
			"the open resource contains no fallback mesh: leave out --coarse");
	return error ? error : write_mesh(call, mesh, &row);
}

static struct cs_error *export_resource(struct call *call, const struct cs_nanite *resource)
{
	const char *mesh = call_option(call, "o")->text, *dump = call_option(call, "cdag")->text;
	const bool coarse = call_option(call, "coarse")->given;
	struct cs_dag *dag;
	struct cs_error *error = coarse ? export_coarse(call, resource, mesh) : NULL;
	if (error || (coarse && !dump))
		return error;
	error = cs_nanite_dag(resource, &call->session->job, &dag);
	if (error)
		return error;
	if (!coarse && mesh)
		error = export_cut(call, dag, mesh);
	if (!error && dump)
		error = export_dag(call, dag, dump);
	cs_dag_free(dag);
	return error;
}

/* Exports a cut of a resource that the engine cooked. The options are those for .cnanite files. */
static struct cs_error *export_model(
	struct call *call, const struct cs_model *model, const char *path)
{
	const struct argument *triangles = call_option(call, "triangles");
	const struct argument *level = call_option(call, "level");
	struct export_choice choice;
	struct export_row row = {.file = path};
	struct cs_model_cut cut;
	struct cs_mesh *mesh;
	if (call_option(call, "cdag")->given || call_option(call, "coarse")->given)
		return cs_error_new(CS_E_FEATURE,
			"--coarse and --cdag work only on resources that cellscope built, but %s "
			"wrote this one",
			model->writer);
	if (level->given && call_option(call, "mesh")->given)
		return cs_error_new(CS_E_FEATURE,
			"--level exports all meshes together when a resource was written by %s: "
			"leave out --mesh, or give --error or --triangles instead of --level",
			model->writer);
	struct cs_error *error = export_choice_of(call, &choice);
	struct cs_nanite_view view = {
		.uniform = true, .threshold = choice.error, .mesh = choice.mesh};
	if (!error && triangles->given)
		error = cs_model_error_for(model, view.mesh, triangles->count, &view.threshold);
	if (!error && level->given)
		error = cs_model_cut(model, &(struct cs_model_choice){.level = choice.level}, &cut);
	else if (!error)
		error = cs_model_cut(model, &(struct cs_model_choice){.view = &view}, &cut);
	if (error)
		return error;
	row.clusters = (uint32_t)cut.n_clusters;
	row.error = cut.error;
	error = cs_model_cut_mesh(model, &cut, &call->session->job, &mesh);
	free(cut.clusters);
	return error ? error : write_mesh(call, mesh, &row);
}

static struct cs_error *check_export(const struct call *call)
{
	static const char *const of_mesh[] = {"level", "error", "triangles", "coarse", "mesh"};
	const bool has_mesh = call_option(call, "o")->given;
	/* --mesh can be combined with any other option */
	int ways = -call_option(call, "mesh")->given;
	if (!has_mesh && !call_option(call, "cdag")->given)
		return cs_error_new(
			CS_E_USAGE, "%s needs -o FILE or --cdag FILE", call->command->name);
	for (size_t i = 0; i < sizeof(of_mesh) / sizeof(of_mesh[0]); i++) {
		if (!has_mesh && call_option(call, of_mesh[i])->given)
			return cs_error_new(CS_E_USAGE,
				"--%s selects what -o FILE writes, and has no effect on --cdag: "
				"add -o FILE, or leave out the option",
				of_mesh[i]);
		ways += call_option(call, of_mesh[i])->given;
	}
	if (ways > 1)
		return cs_error_new(
			CS_E_USAGE, "give only one of --level, --error, --triangles, --coarse");
	if (call_option(call, "coarse")->given && call_option(call, "mesh")->given)
		return cs_error_new(CS_E_USAGE,
			"give only one of --coarse and --mesh: --coarse exports the one fallback "
			"mesh, which stands for all meshes");
	if (has_mesh && call_option(call, "cdag")->given &&
		strcmp(call_option(call, "o")->text, call_option(call, "cdag")->text) == 0)
		return cs_error_new(CS_E_USAGE, "-o and --cdag name the same file");
	return NULL;
}

/* Runs the command `nanite export` on the named file, or without a name on the current resource. */
static struct cs_error *run_nanite_export(struct call *call)
{
	const struct cs_inspector *inspector = call->session->inspector;
	const uint32_t current = cs_inspector_models(inspector).current;
	const char *path = call_argument(call, 0)->text, *to = call_option(call, "o")->text;
	struct cs_nanite *resource;
	struct cs_model *model;
	struct cs_error *error = check_export(call);
	if (!error && !path && current == CS_NONE)
		error = no_resource(call->session);
	if (error)
		return error;
	if (!path) {
		const struct cs_model *open = cs_inspector_models(inspector).at[current];
		return open->resource ? export_resource(call, open->resource)
				      : export_model(call, open, to);
	}
	if (source_is_cooked(path)) {
		error = mesh_open(call->session, path, &model);
		if (error)
			return error;
		error = export_model(call, model, to);
		cs_model_free(model);
		return error;
	}
	error = cs_nanite_open(path, CS_FILE_STRICT, &call->session->job, &resource);
	if (error)
		return error;
	error = export_resource(call, resource);
	cs_nanite_free(resource);
	return error;
}

const struct command command_nanite_export = {
	.name = "nanite export",
	.group = GROUP_NANITE,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"FILE", ARGUMENT_FILE, .optional = true}},
	.options = {{'o', NULL, "OUT", ARGUMENT_OUTPUT,
			    "write the mesh to OUT: .obj, .ply, .glb or .gltf", REPLACES("mesh")},
		{0, "level", "N", ARGUMENT_WHOLE,
			"export all clusters of level N; 0 is the finest"},
		{0, "error", "E", ARGUMENT_NUMBER,
			"export the coarsest cut whose error is at most E, in units of the mesh"},
		{0, "triangles", "N", ARGUMENT_WHOLE,
			"export the coarsest cut that has at least N triangles"},
		{0, "coarse", NULL, ARGUMENT_NONE, "export the fallback mesh"},
		{0, "mesh", "N", ARGUMENT_WHOLE,
			"export only mesh N, counted from 0, of a resource of several meshes"},
		{0, "cdag", "OUT", ARGUMENT_OUTPUT,
			"write the clusters and groups of all levels to OUT, as text for "
			"other programs"}},
	.summary = "write a level or a cut of a Nanite resource as a mesh file",
	.examples = "nanite export bunny.cnanite --level 3 -o bunny3.obj\n"
		    "nanite export bunny.cnanite --error 0.5 -o bunny.ply\n"
		    "nanite export SM_Rock.uasset --triangles 2000 -o rock.glb\n"
		    "nanite export bunny.cnanite --cdag bunny.cdag",
	.help = "FILE is a .cnanite file or a static mesh that Unreal cooked (.uasset); without\n"
		"FILE the command takes the resource that was opened last. At least one of -o and\n"
		"--cdag is required.\n"
		"\n"
		"Without --level, --error, --triangles and --coarse the finest level is written,\n"
		"which is the mesh that the resource was built from, with rounded positions and\n"
		"without degenerate triangles. Vertices that are equal in all attributes become\n"
		"one vertex. A cut is a set of clusters that draws the whole mesh once (help\n"
		"cut).\n"
		"\n"
		"Positions of a .uasset stay in centimetres with Z up. Files in .glb and .gltf\n"
		"declare this scale and axis, so viewers show metres with Y up; they also have\n"
		"tangents, if cellscope built the resource and the mesh has UVs. Materials have\n"
		"the names that `nanite sections` lists. .ply files have no materials; .obj files\n"
		"have one UV channel, and colours without alpha. A file of --cdag begins with the\n"
		"line `cdag 1` and has one record on each line.",
	.run = run_nanite_export,
};
