/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `gen mesh`, which generates triangle meshes for tests. */
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/mesh.h>

struct mesh_row {
	const char *file;
	uint32_t triangles, vertices, materials, uvs;
	bool colors;
	struct cs_vec3 min, max;
};

static const struct cs_column mesh_columns[] = {
	PLAIN(struct mesh_row, file, "path of the file that was written"),
	PLAIN(struct mesh_row, triangles, "number of triangles"),
	PLAIN(struct mesh_row, vertices, "number of vertices that differ in some attribute"),
	PLAIN(struct mesh_row, materials, "material sections"),
	PLAIN(struct mesh_row, uvs, "UV channels"),
	PLAIN(struct mesh_row, colors, "whether vertices have colours"),
	PLAIN(struct mesh_row, min, "corner of the box with the least coordinates"),
	PLAIN(struct mesh_row, max, "corner of the box with the greatest coordinates"),
};

static const struct cs_table mesh_table = PLAIN_TABLE("meshes", "mesh", mesh_columns);

/* arguments of the command `gen mesh`, in the order of enum cs_mesh_kind */
static const char *const mesh_kinds[] = {"terrain", "sphere", "foliage", "flat", "seams",
	"triangle", "cube", "islands", "moebius", "coincident", NULL};

static struct cs_error *run_gen_mesh(struct call *call)
{
	const struct argument *triangles = call_option(call, "triangles");
	const struct cs_mesh_recipe recipe = {
		.kind = (enum cs_mesh_kind)call_argument(call, 0)->choice,
		.triangles = triangles->given ? argument_u32(triangles) : 10000,
		.seed = call_option(call, "seed")->count,
	};
	const char *path = call_option(call, "o")->text;
	struct cs_mesh *mesh;
	if (!path)
		return cs_error_new(
			CS_E_USAGE, "gen mesh needs -o FILE, the mesh (.obj or .ply) to write");
	struct cs_error *error = cs_mesh_generate(&recipe, &call->session->job, &mesh);
	if (error)
		return error;
	error = cs_mesh_export(mesh, &call->session->job, path);
	if (!error) {
		const struct cs_mesh_view view = cs_mesh_view(mesh);
		const struct cs_box box = cs_mesh_box(mesh);
		const struct mesh_row row = {path, view.n_triangles, view.n_vertices,
			view.n_materials, view.n_uvs, view.colors, box.min, box.max};
		error = emit_plain_record(call, &mesh_table, &row);
	}
	cs_mesh_free(mesh);
	return error;
}

const struct command command_gen_mesh = {
	.name = "gen mesh",
	.group = GROUP_FILES,
	.flags = COMMAND_UNSAFE,
	.arguments = {{"KIND", ARGUMENT_CHOICE, .choices = mesh_kinds}},
	.options = {{'o', NULL, "FILE", ARGUMENT_OUTPUT,
			    "write the mesh to FILE, .obj or .ply (required)", REPLACES("mesh"),
			    true},
		{0, "triangles", "N", ARGUMENT_WHOLE, "make about N triangles (default 10000)"},
		{0, "seed", "S", ARGUMENT_WHOLE,
			"seed of the random numbers (default 0); the same seed gives the same mesh"}},
	.summary = "generate a triangle mesh for tests",
	.examples = "gen mesh terrain --triangles 100000 --seed 1 -o terrain.ply\n"
		    "gen mesh seams -o seams.obj",
	.help = "KIND is `terrain` (a height field with colours and two materials), `sphere`\n"
		"(with noise and smooth normals), `flat` (a sphere with one normal for each\n"
		"face), `foliage` (separate quads), `seams` (a sphere in many small UV charts),\n"
		"`triangle` (always one triangle) or `cube` (always 12 triangles). Three more\n"
		"kinds are hard to simplify: `islands` (two closed surfaces), `moebius` (a band\n"
		"with one side) and `coincident` (N copies of one triangle). Only .ply files\n"
		"contain colours.",
	.run = run_gen_mesh,
};
