/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `nanite build`, which builds a Nanite resource from triangle meshes. */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/nanite.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct build_row {
	const char *file;
	struct cs_nanite_info info;
	struct cs_nanite_build_report report;
	int64_t dropped, bytes;
	uint32_t pages;
	double bytes_per_triangle;
};

static const struct cs_column build_columns[] = {
	PLAIN(struct build_row, file, "path of the file that was written"),
	PLAIN_AS("triangles", struct build_row, info.input_triangles, "triangles of the mesh"),
	PLAIN_AS("vertices", struct build_row, info.input_vertices, "vertices of the mesh"),
	PLAIN(struct build_row, dropped, "number of triangles of the file that could not be used"),
	PLAIN_AS("levels", struct build_row, info.levels, "levels of detail"),
	PLAIN_AS("clusters", struct build_row, info.clusters, "clusters of all levels"),
	PLAIN_AS("groups", struct build_row, info.groups, "groups of clusters"),
	PLAIN(struct build_row, pages, "pages, of 128 KiB when loaded"),
	PLAIN_AS("stored_triangles", struct build_row, info.triangles, "triangles of all levels"),
	PLAIN_AS("root_triangles", struct build_row, report.dag.root_triangles,
		"triangles of the coarsest cluster"),
	PLAIN_AS("coarse_triangles", struct build_row, report.coarse_triangles,
		"triangles of the fallback mesh, which is drawn without Nanite"),
	PLAIN_AS("leaf_fill", struct build_row, report.dag.leaf_fill,
		"mean share of 128 triangles that a leaf cluster has, 0..1"),
	PLAIN_AS("stuck_groups", struct build_row, report.dag.stuck_groups,
		"number of groups that lost less than a fifth of their triangles"),
	PLAIN_AS("position_precision", struct build_row, info.position_precision,
		"positions have a step of 2^-precision"),
	PLAIN(struct build_row, bytes, "size of the file"),
	PLAIN(struct build_row, bytes_per_triangle,
		"bytes of the file divided by the number of triangles"),
	PLAIN_AS("lightmap_channel", struct build_row, report.lightmap.channel,
		"UV channel for lightmaps, counted from 0"),
	PLAIN_AS("lightmap_charts", struct build_row, report.lightmap.charts,
		"number of charts in the UV channel for lightmaps"),
	PLAIN_AS("lightmap_resolution", struct build_row, report.lightmap.resolution,
		"side of the lightmap in texels at which charts keep the padding"),
	PLAIN_AS("lightmap_used", struct build_row, report.lightmap.used,
		"share of the lightmap that triangles cover, 0..1"),
};

/* number of the last columns, which are about lightmap UVs and are left out when none were built */
enum { LIGHTMAP_COLUMNS = 4 };

static const struct cs_table lightmap_build_table = PLAIN_TABLE("builds", "build", build_columns);

static const char *const partitioners[] = {"native", "metis", NULL};
/* values of the option that selects the normals, in the order of enum cs_mesh_normals */
static const char *const normals_kinds[] = {"file", "area", "weighted", NULL};
static const char *const error_kinds[] = {"bound", "quadric", NULL};

static struct cs_error *dag_options_of(const struct call *call, struct cs_dag_options *ret)
{
	enum { MOST_WEIGHT = 1000000 };
	struct cs_dag_options options = cs_dag_options_default();
	const struct weight {
		const char *name;
		double *value;
	} weights[] = {{"normal-weight", &options.normal_weight},
		{"color-weight", &options.color_weight}, {"uv-weight", &options.uv_weight}};
	struct cs_error *error = NULL;
	options.partitioner = (enum cs_partitioner)call_option(call, "partitioner")->choice;
	options.error = (enum cs_dag_error)call_option(call, "error")->choice;
	for (size_t i = 0; !error && i < sizeof(weights) / sizeof(weights[0]); i++)
		error = call_number_within(
			call, weights[i].name, 0, MOST_WEIGHT, *weights[i].value, weights[i].value);
	*ret = options;
	return error;
}

/* An option with an integer value between `least` and `most`, and the variable that it sets. */
struct whole_option {
	const char *name;
	uint64_t least, most;
	uint32_t *value; /* receives the value of the option; contains the default beforehand */
};

static struct cs_error *lightmap_settings_of(
	const struct call *call, struct cs_lightmap_settings *ret)
{
	const struct whole_option wholes[] = {
		{"lightmap-resolution", 1, CS_LIGHTMAP_TEXELS, &ret->resolution},
		{"lightmap-padding", 1, CS_LIGHTMAP_PADDING, &ret->padding},
		{"lightmap-source", 0, CS_MESH_UVS - 1, &ret->source},
		{"lightmap-target", 0, CS_MESH_UVS - 1, &ret->target}};
	struct cs_error *error = NULL;
	ret->wanted = call_option(call, "lightmap-uvs")->given;
	for (size_t i = 0; !error && i < sizeof(wholes) / sizeof(wholes[0]); i++) {
		const struct whole_option *whole = &wholes[i];
		uint64_t value = *whole->value;
		if (!ret->wanted && call_option(call, whole->name)->given)
			return cs_error_new(CS_E_USAGE, "--%s needs --lightmap-uvs", whole->name);
		error = call_whole_within(
			call, whole->name, whole->least, whole->most, value, &value);
		*whole->value = (uint32_t)value;
	}
	return error;
}

static struct cs_error *precision_of(const struct call *call, int32_t *ret)
{
	enum { FINEST = 120 };
	double precision;
	if (!call_option(call, "precision")->given)
		return NULL;
	struct cs_error *error =
		call_number_within(call, "precision", -FINEST, FINEST, 0, &precision);
	if (!error && precision != (double)(int32_t)precision)
		error = cs_error_new(
			CS_E_USAGE, "--precision must be a whole number, not %g", precision);
	if (!error)
		*ret = (int32_t)precision;
	return error;
}

static struct cs_error *settings_of(const struct call *call, struct cs_nanite_settings *ret)
{
	double percent;
	*ret = cs_nanite_settings_default();
	struct cs_error *error = precision_of(call, &ret->position_precision);
	if (!error)
		error = call_number_within(call, "percent-triangles", 0, 100, 0, &percent);
	if (error)
		return error;
	ret->coarse_part = percent / 100;
	ret->raw_pages = call_option(call, "raw")->given;
	ret->thorough = call_option(call, "thorough")->given;
	ret->no_atlas = call_option(call, "no-imposter")->given;
	ret->normals = (enum cs_mesh_normals)call_option(call, "normals")->choice;
	const struct argument *scale = call_option(call, "scale");
	if (scale->given) {
		ret->scale[0] = scale->point.x;
		ret->scale[1] = scale->point.y;
		ret->scale[2] = scale->point.z;
	}
	return lightmap_settings_of(call, &ret->lightmap);
}

struct built {
	const char *file;
	uint64_t imported; /* triangles of the imported meshes, before the build scale */
	uint64_t dropped;  /* number of source triangles left out of the resource */
	struct cs_nanite_build_report report;
};

static int64_t size_of_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

static struct cs_error *emit_built(
	struct call *call, const struct cs_nanite *resource, const struct built *built)
{
	const int64_t bytes = size_of_file(built->file);
	const struct cs_nanite_info *info = cs_nanite_info(resource);
	const struct build_row row = {
		.file = built->file,
		.info = *info,
		.report = built->report,
		.dropped = (int64_t)built->dropped,
		.bytes = bytes,
		.pages = cs_nanite_report(resource)->pages,
		.bytes_per_triangle = (double)bytes / info->input_triangles,
	};
	struct cs_table table = lightmap_build_table;
	if (row.report.lightmap.charts == 0)
		table.n_columns -= LIGHTMAP_COLUMNS;
	return emit_plain_record(call, &table, &row);
}

static struct cs_error *import_meshes(const struct call *call, const struct cs_job *job,
	struct built *built, struct cs_mesh **ret)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < call->n_arguments; i++) {
		struct cs_mesh_report input = {0};
		error = cs_mesh_import(call_argument(call, i)->text, job, &input, &ret[i]);
		built->dropped += input.degenerate + input.non_finite + input.bad_indices;
		built->imported += error ? 0 : cs_mesh_view(ret[i]).n_triangles;
	}
	return error;
}

static struct cs_error *nanite_build_files(const struct call *call,
	struct cs_nanite_settings *settings, const struct cs_job *job, struct built *built,
	struct cs_nanite **ret)
{
	const size_t n = call->n_arguments;
	struct cs_mesh **meshes = calloc(n, sizeof(struct cs_mesh *));
	struct cs_error *error =
		meshes ? import_meshes(call, job, built, meshes) : cs_error_nomem();
	if (!error) {
		settings->others = (const struct cs_mesh *const *)meshes + 1;
		settings->n_others = n - 1;
		error = cs_nanite_build(meshes[0], settings, job, &built->report, ret);
	}
	for (size_t i = 0; meshes && i < n; i++)
		cs_mesh_free(meshes[i]);
	free(meshes);
	if (error)
		return error;
	/* scaling can move corners out of range or to one place, which removes triangles */
	built->dropped += built->imported - cs_nanite_info(*ret)->input_triangles;
	error = cs_nanite_save(*ret, built->file, job);
	if (error)
		cs_nanite_free(*ret);
	return error;
}

/* Returns the names of the source files without folders, "a.obj, b.obj"; freed by the caller. */
static char *nanite_source_names(const struct call *call)
{
	size_t size = 1, at = 0;
	for (size_t i = 0; i < call->n_arguments; i++)
		size += strlen(call_argument(call, i)->text) + 2;
	char *names = calloc(size, 1);
	for (size_t i = 0; names && i < call->n_arguments; i++) {
		const char *name = base_name(call_argument(call, i)->text);
		at += (size_t)snprintf(names + at, size - at, "%s%s", i ? ", " : "", name);
	}
	return names;
}

static struct cs_error *run_nanite_build(struct call *call)
{
	struct cs_job job;
	struct cs_dag_options dag;
	struct cs_nanite_settings settings;
	struct built built = {.file = call_option(call, "o")->text};
	struct cs_nanite *resource;
	if (!built.file)
		return cs_error_new(
			CS_E_USAGE, "nanite build needs -o FILE, the resource (.cnanite) to write");
	struct cs_error *error = settings_of(call, &settings);
	if (!error)
		error = dag_options_of(call, &dag);
	if (!error)
		error = job_of_call(call, &job);
	if (error)
		return error;
	settings.dag = &dag;
	char *source = nanite_source_names(call);
	if (!source)
		return cs_error_nomem();
	settings.source = source;
	call->session->channels.tells_log =
		call_option(call, "log")->given || progress_is_wanted(call->session);
	error = nanite_build_files(call, &settings, &job, &built, &resource);
	call->session->channels.tells_log = false;
	free(source);
	if (error)
		return error;
	error = emit_built(call, resource, &built);
	cs_nanite_free(resource);
	return error;
}

const struct command command_nanite_build = {
	.name = "nanite build",
	.group = GROUP_NANITE,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"MESH", ARGUMENT_FILE, .many = true}},
	.options = {{'o', NULL, "FILE", ARGUMENT_OUTPUT, "write the resource to FILE (required)",
			    REPLACES("cnanite"), true},
		{'j', NULL, "N", ARGUMENT_WHOLE, "use N threads (default: one for each processor)"},
		{0, "precision", "P", ARGUMENT_NUMBER,
			"round positions to steps of 2^-P units (default: by the size of clusters)"},
		{0, "percent-triangles", "N", ARGUMENT_NUMBER,
			"size of the fallback mesh in % of the triangles (default 0), but at "
			"least 2000 triangles; it is left out if N is 100 or the whole mesh has "
			"at most 2000 triangles"},
		{0, "partitioner", "NAME", ARGUMENT_CHOICE,
			"divide the mesh into clusters with native (default) or metis",
			partitioners},
		{0, "error", "KIND", ARGUMENT_CHOICE,
			"how errors of clusters are measured: bound (default) or quadric, "
			"explained below",
			error_kinds},
		{0, "scale", "S", ARGUMENT_SCALE,
			"multiply the mesh by a number, or by X,Y,Z (default 1)"},
		{0, "normals", "KIND", ARGUMENT_CHOICE,
			"use the normals of the file (file, the default), or compute them weighted by "
			"area (area), or by area and angle (weighted)",
			normals_kinds},
		{0, "normal-weight", "W", ARGUMENT_NUMBER,
			"weight of normals in simplification (default 0.4)"},
		{0, "color-weight", "W", ARGUMENT_NUMBER,
			"weight of colours in simplification (default 0.0625)"},
		{0, "uv-weight", "W", ARGUMENT_NUMBER,
			"weight of UVs in simplification (default 0.0078125)"},
		{0, "lightmap-uvs", NULL, ARGUMENT_NONE,
			"add a UV channel for lightmaps, in which no two triangles overlap"},
		{0, "lightmap-resolution", "N", ARGUMENT_WHOLE,
			"pack the charts for a lightmap of N by N texels (default 64, at most 4096)"},
		{0, "lightmap-padding", "N", ARGUMENT_WHOLE,
			"leave N texels between charts (default 1, at most 16)"},
		{0, "lightmap-source", "CHANNEL", ARGUMENT_WHOLE,
			"make the charts from those of UV channel CHANNEL, counted from 0 (default "
			"0)"},
		{0, "lightmap-target", "CHANNEL", ARGUMENT_WHOLE,
			"write the lightmap UVs to UV channel CHANNEL (default: add a channel)"},
		{0, "raw", NULL, ARGUMENT_NONE, "do not compress pages"},
		{0, "thorough", NULL, ARGUMENT_NONE,
			"encode pages in twice the time, for 2 % fewer bytes"},
		{0, "no-imposter", NULL, ARGUMENT_NONE, "leave out the imposter atlas"},
		{0, "log", NULL, ARGUMENT_NONE, "print each phase of the build to standard error"}},
	.summary = "build a Nanite resource from one or several triangle meshes",
	.examples =
		"nanite build bunny.obj -o bunny.cnanite\n"
		"nanite build igea.ply -o igea.cnanite -j 2 --normal-weight 0 --log\n"
		"nanite build bunny.obj -o big.cnanite --scale 100 --normals weighted\n"
		"nanite build bunny.obj igea.ply -o both.cnanite\n"
		"nanite build bunny.obj -o lit.cnanite --lightmap-uvs --lightmap-resolution 256",
	.help = "MESH is an OBJ, PLY, glTF, GLB, FBX or STL file. Coordinates are not changed,\n"
		"except that coordinates of an FBX file become centimetres with Z up. Faces of an\n"
		"OBJ file without normals share normals if they are in one smoothing group (after\n"
		"`s off` they share none). A glTF file is refused if it has version 1, or if its\n"
		"geometry requires an extension other than Draco and quantization. The same\n"
		"meshes and options give the same bytes with any number of threads.\n\n"
		"Objects named UCX_, UBX_, UCP_ or USP_ are shapes for collision and are left\n"
		"out. In glTF, GLB and FBX files objects named X_LOD1 to X_LOD9 are left out,\n"
		"too, if there is an X_LOD0. Of more than four UV channels the first four are\n"
		"kept. A warning tells how much was left out.\n\n"
		"Several meshes become one resource. Each mesh has its own levels and its own\n"
		"root; all share the grid of positions, the pages and the material sections\n"
		"(materials of one name are one section). Such a resource has no imposter and no\n"
		"fallback mesh. --mesh of `cut` and `nanite export`, and the column `mesh` of\n"
		"`groups`, select one of the meshes.\n\n"
		"With --error bound the error of a cluster is never less than the distance of the\n"
		"cluster from the original mesh. With --error quadric the error is the root of a\n"
		"quadric error. The build is then faster and reaches the same error with fewer\n"
		"triangles, but the distance of a cluster may exceed its error.\n\n"
		"--lightmap-uvs keeps the charts of the source channel (the pieces between UV\n"
		"seams), and cuts charts that overlap themselves. Triangles without area in that\n"
		"channel, and meshes without UVs, are projected along their normals. A chart gets\n"
		"texels in proportion to its area on the mesh, and the charts of all meshes are\n"
		"packed into one square. If the mesh has no UV channel with the number of\n"
		"--lightmap-target, the next free channel is used; a resource has at most four.\n"
		"When the charts do not fit, the error names a resolution that has room for them.\n\n"
		"The command prints, among other values:\n"
		"  dropped             unusable triangles in the files\n"
		"  stored_triangles    triangles of all levels\n"
		"  root_triangles      triangles of the coarsest cluster\n"
		"  coarse_triangles    triangles of the fallback mesh, drawn where Nanite\n"
		"                      cannot run\n"
		"  leaf_fill           how full the clusters of level 0 are on average, 0 to 1\n"
		"                      (1: all have 128 triangles)\n"
		"  stuck_groups        groups from which simplification removed less than a\n"
		"                      fifth of the triangles\n"
		"  position_precision  P if positions are multiples of 2^-P units",
	.run = run_nanite_build,
};
