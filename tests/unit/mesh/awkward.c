/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of mesh files that are legal but awkward, or damaged so that a reader can lose a part
 * without a word. Each row is the text of a file, and what is read: the corners of all triangles
 * with their UVs and colours, or the offset and a part of the error; before it the warnings.
 */
#include "mesh/mesh_readers.h"

#include "core/cursor.h"
#include "format/save.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
#define PLY(more)                                                                    \
	"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float " \
	"y\nproperty float z\n" more
#define STRIP(type) "element tristrips 1\nproperty list int " type " vertex_indices\n"
#define FACE        "element face 1\nproperty list uchar int vertex_indices\n"

struct row {
	const char *what, *file, *text, *want;
};

static void keep_warning(void *context, enum cs_log_level level, const char *message)
{
	char *text = context;
	const char *rest = strstr(message, ": ");
	if (level == CS_LOG_WARNING)
		snprintf(text + strlen(text), 1000 - strlen(text), "%s; ",
			rest ? rest + 2 : message);
}

/* Appends the corners of all triangles to a text. */
static void describe_mesh(const struct cs_mesh *mesh, char text[1000])
{
	size_t n = strlen(text);
	for (size_t i = 0; i < 3 * (size_t)mesh->n_triangles && n < 900; i++) {
		const size_t v = mesh->indices[i];
		const float *p = mesh->positions + 3 * v;
		n += (size_t)sprintf(text + n, "%s%g %g %g",
			i == 0  ? ""
			: i % 3 ? ", "
				: " | ",
			(double)p[0], (double)p[1], (double)p[2]);
		for (uint32_t k = 0; k < mesh->n_uvs; k++)
			n += (size_t)sprintf(text + n, "/%g %g", (double)mesh->uvs[k][2 * v],
				(double)mesh->uvs[k][2 * v + 1]);
		const uint8_t *c = mesh->colors ? mesh->colors + 4 * v : NULL;
		if (c)
			n += (size_t)sprintf(text + n, "#%02x%02x%02x%02x", c[0], c[1], c[2], c[3]);
	}
}

static void test_row(const struct row *row)
{
	char path[4200], got[1000] = "";
	const struct cs_job job = {.log = keep_warning, .context = got};
	struct cs_mesh *mesh = NULL;
	snprintf(path, sizeof(path), "%s/%s", test_folder(), row->file);
	struct cs_error *error = cs_save_whole(path, row->text, strlen(row->text));
	if (!error)
		error = cs_mesh_import(path, &job, NULL, &mesh);
	if (mesh)
		describe_mesh(mesh, got);
	else if (error)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "error at %lld: %s",
			(long long)error->offset, error->message);
	is_text(got, row->want, "%s: %s", row->file, row->what);
	if (error)
		ok(error->file && strcmp(error->file, path) == 0, "%s: %s, an error of the file",
			row->file, row->what);
	cs_error_free(error);
	cs_mesh_free(mesh);
}

static const struct row obj_rows[] = {
	{"a comment that ends in a backslash", "a.obj",
		"# saved as C:\\temp\\\n" SQUARE "f 1 2 3\n", "0 0 0, 1 0 0, 1 1 0"},
	{"a comment behind words that ends in a backslash", "a.obj",
		"v 0 0 0\nv 1 0 0 # a#b C:\\\nv 1 1 0\n\t# \\\nf 1 2 3 # \\\r\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"carriage returns, and a newline at the end", "a.obj",
		"v 0 0 0\rv 1 0 0\rv 1 1 0\rf 1 2 3\r\n", "0 0 0, 1 0 0, 1 1 0"},
	{"a face in old words", "a.obj", SQUARE "fo 1 2 3\n", "0 0 0, 1 0 0, 1 1 0"},
	{"a statement that lost its name", "a.obj", SQUARE "w 2 2 2\nmtllib a.mtl\nf 1 2 3\n",
		"1 line with curves or no statement of OBJ ignored; 0 0 0, 1 0 0, 1 1 0"},
	{"a curve", "a.obj", SQUARE "cstype bezier\ndeg 3\ncurv 0 1 1 2\nend\nf 1 2 3\n",
		"1 line with curves or no statement of OBJ ignored; 0 0 0, 1 0 0, 1 1 0"},
	{"a face that crosses itself", "a.obj", "v 0 0 0\nv 4 0 0\nv 0 2 0\nv 3 4 0\nf 1 2 3 4\n",
		"1 polygon cut into triangles that overlap, because of edges that cross or more than "
		"4096 corners: export the mesh as triangles; "
		"0 2 0, 3 4 0, 0 0 0 | 0 2 0, 0 0 0, 4 0 0"},
	{"a face that crosses itself, before its positions", "a.obj",
		"f 1 2 3 4\nv 0 0 0\nv 4 0 0\nv 0 2 0\nv 3 4 0\n",
		"1 polygon cut into triangles that overlap, because of edges that cross or more than "
		"4096 corners: export the mesh as triangles; "
		"0 2 0, 3 4 0, 0 0 0 | 0 2 0, 0 0 0, 4 0 0"},
	{"colours up to 255 with fractions", "a.obj",
		"v 0 0 0 127.5 255 0\nv 1 0 0 0 0 0\nv 0 1 0 0 0 0\nf 1 2 3\n",
		"colours go up to 255: read as colours from 0 to 255; "
		"0 0 0#80ff00ff, 1 0 0#000000ff, 0 1 0#000000ff"},
	{"a position that is missing", "a.obj", SQUARE "f 1 2 3\nf 1 2 7\n",
		"error at 40: a face names position 7 (counted from 1), but the file has only 4 of them"},
};

#define WORDS_1 "it was the best of times, "
#define WORDS   WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1 WORDS_1
#define FIVE(n)                                                                           \
	"property int a" n "\nproperty int b" n "\nproperty int c" n "\nproperty int d" n \
	"\nproperty int e" n "\n"

static const struct row ply_rows[] = {
	/* assimp would refuse the faces before the vertices */
	{"a long comment", "a.ply",
		"ply\nformat ascii 1.0\ncomment " WORDS "\nobj_info " WORDS
		"\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 3\n"
		"property float x\nproperty float y\nproperty float z\nend_header\n3 0 1 2\n"
		"0 0 0\n1 0 0\n1 1 0\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"many properties", "a.ply",
		"ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\n" FIVE(
			"1") FIVE("2") FIVE("3") FIVE("4") FIVE("5") FIVE("6")
			FIVE("7") "element vertex 3\nproperty float x\nproperty float y\n"
				  "property float z\nend_header\n3 0 1 2 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 "
				  "1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5\n0 0 0\n1 0 0\n1 1 0\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"a list of indices of vertices", "a.ply",
		PLY("property list uchar int vertex_indices\n"
		    "property list uchar float texcoord\n") FACE
		"end_header\n0 0 0 0 0\n1 0 0 0 0\n1 1 0 0 0\n3 0 1 2\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"a count of faces that is too small", "a.ply",
		PLY(FACE) "end_header\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n3 2 1 0\n",
		"error at 180: PLY: the file goes on after the elements that its header declares"},
	{"blanks at the end", "a.ply", PLY(FACE) "end_header\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n\n ",
		"0 0 0, 1 0 0, 1 1 0"},
	{"a face that crosses itself", "a.ply",
		"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
		"property float z\n" FACE "end_header\n0 0 0\n4 0 0\n0 2 0\n3 4 0\n4 0 1 2 3\n",
		"1 polygon cut into triangles that overlap, because of edges that cross or more than "
		"4096 corners: export the mesh as triangles; "
		"0 2 0, 3 4 0, 0 0 0 | 0 2 0, 0 0 0, 4 0 0"},
	{"half a corner", "a.ply", PLY(FACE) "end_header\n0 0 0\n1 0 0\n1 1 0\n3 0 .5 2\n",
		"error at 178: PLY: a face or strip names a vertex that the file does not contain"},
	{"half a count", "a.ply", PLY(FACE) "end_header\n0 0 0\n1 0 0\n1 1 0\n3.5 0 1 2\n",
		"error at 175: PLY: the list of a face or vertex has no length, or is longer than "
		"the rest of the file"},
	{"two channels of UVs", "a.ply",
		PLY("property float u\nproperty float v\nproperty float u1\nproperty float v1\n")
			FACE "end_header\n0 0 0 .5 0 1 2\n1 0 0 0 .5 3 4\n1 1 0 0 0 5 6\n3 0 1 2\n",
		"0 0 0/0.5 0/1 2, 1 0 0/0 0.5/3 4, 1 1 0/0 0/5 6"},
	{"a channel without the one before it", "a.ply",
		PLY("property float u2\nproperty float v2\n") FACE
		"end_header\n0 0 0 1 2\n1 0 0 3 4\n1 1 0 5 6\n3 0 1 2\n",
		"0 0 0/1 2, 1 0 0/3 4, 1 1 0/5 6"},
	{"two channels, and half of the one between them", "a.ply",
		PLY("property float u3\nproperty float v3\nproperty float u1\nproperty float s0\n"
		    "property float t0\n") FACE
		"end_header\n0 0 0 1 2 9 3 4\n1 0 0 0 0 9 0 0\n1 1 0 0 0 9 0 0\n3 0 1 2\n",
		"0 0 0/3 4/1 2, 1 0 0/0 0/0 0, 1 1 0/0 0/0 0"},
	{"colours of floats up to 255", "a.ply",
		PLY("property float red\nproperty float green\n") FACE
		"end_header\n0 0 0 127.5 255\n1 0 0 1 0\n1 1 0 0 0\n3 0 1 2\n",
		"colours go up to 255: read as colours from 0 to 255; "
		"0 0 0#80ffffff, 1 0 0#0100ffff, 1 1 0#0000ffff"},
	{"overbright colours", "a.ply",
		PLY("property float red\nproperty float green\n") FACE
		"end_header\n0 0 0 1.25 .5\n1 0 0 1 0\n1 1 0 0 0\n3 0 1 2\n",
		"colours go up to 1.25: read as colours from 0 to 1, and cut off there; "
		"0 0 0#ff80ffff, 1 0 0#ff00ffff, 1 1 0#0000ffff"},
	{"one bright colour, and an alpha of its own scale", "a.ply",
		PLY("property float red\nproperty float green\nproperty float alpha\n") FACE
		"end_header\n0 0 0 20.5 .5 255\n1 0 0 1 0 255\n1 1 0 0 0 127.5\n3 0 1 2\n",
		"colours go up to 20.5: read as colours from 0 to 1, and cut off there; "
		"0 0 0#ff80ffff, 1 0 0#ff00ffff, 1 1 0#0000ff80"},
	{"UVs of channel 0 by number, and of 1 in other words", "a.ply",
		PLY("property float s0\nproperty float t0\nproperty float texcoord_u1\n"
		    "property float texcoord_v1\n") FACE
		"end_header\n0 0 0 .5 0 1 2\n1 0 0 0 .5 3 4\n1 1 0 0 0 5 6\n3 0 1 2\n",
		"0 0 0/0.5 0/1 2, 1 0 0/0 0.5/3 4, 1 1 0/0 0/5 6"},
	{"UVs in long words", "a.ply",
		PLY("property float texcoord_u\nproperty float texcoord_v\n") FACE
		"end_header\n0 0 0 1 2\n1 0 0 3 4\n1 1 0 5 6\n3 0 1 2\n",
		"0 0 0/1 2, 1 0 0/3 4, 1 1 0/5 6"},
	{"two strips of unsigned numbers", "a.ply",
		PLY(STRIP("uint")) "end_header\n0 0 0\n1 0 0\n1 1 0\n7 0 1 2 4294967295 0 1 2\n",
		"0 0 0, 1 0 0, 1 1 0 | 0 0 0, 1 0 0, 1 1 0"},
	{"two strips of small unsigned numbers", "a.ply",
		PLY(STRIP("uchar")) "end_header\n0 0 0\n1 0 0\n1 1 0\n7 0 1 2 255 0 1 2\n",
		"0 0 0, 1 0 0, 1 1 0 | 0 0 0, 1 0 0, 1 1 0"},
	{"a strip with half a corner", "a.ply",
		PLY(STRIP("float")) "end_header\n0 0 0\n1 0 0\n1 1 0\n3 0 1.5 2\n",
		"error at 184: PLY: a face or strip names a vertex that the file does not contain"},
	{"a strip with a corner that is missing", "a.ply",
		PLY(STRIP("int")) "end_header\n0 0 0\n1 0 0\n1 1 0\n4 0 1 2 3\n",
		"error at 184: PLY: a face or strip names a vertex that the file does not contain"},
	{"a strip with another list", "a.ply",
		PLY(STRIP("int")) "property list int float texcoord\nend_header\n"
				  "0 0 0\n1 0 0\n1 1 0\n3 0 1 2 3 0 1 2\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"a strip whose only list has another name", "a.ply",
		PLY("element tristrips 1\nproperty list int int indices\n") "end_header\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"UVs of channel 0 twice", "a.ply",
		PLY("property float u\nproperty float v\nproperty float u0\nproperty float v0\n")
			FACE "end_header\n0 0 0 1 2 9 9\n1 0 0 3 4 9 9\n1 1 0 5 6 9 9\n3 0 1 2\n",
		"0 0 0/1 2, 1 0 0/3 4, 1 1 0/5 6"},
	{"alpha under an old name", "a.ply",
		PLY("property uchar diffuse_red\nproperty uchar diffuse_alpha\n") FACE
		"end_header\n0 0 0 1 2\n1 0 0 3 4\n1 1 0 5 6\n3 0 1 2\n",
		"0 0 0#01ffff02, 1 0 0#03ffff04, 1 1 0#05ffff06"},
	{"colours of faces", "a.ply",
		PLY(FACE) "property uchar red\nend_header\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2 255\n",
		"the colours of faces are not read, only those of vertices: export colours per "
		"vertex; 0 0 0, 1 0 0, 1 1 0"},
};

#define FACET(corner)                                                                  \
	"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n" corner \
	"endloop\nendfacet\nendsolid a\n"

static const struct row stl_rows[] = {
	{"a facet", "a.stl", FACET("vertex 1 1 0\n"), "0 0 0, 1 0 0, 1 1 0"},
	{"a text in capitals, behind a mark", "a.stl",
		"\xef\xbb\xbf SOLID A\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\n"
		"VERTEX 1 1 0E0\nENDLOOP\nENDFACET\nENDSOLID A\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"a facet on one line", "a.stl",
		"solid a\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0\n"
		"vertex 1 1 0 endloop endfacet\nendsolid a endfacet\n",
		"0 0 0, 1 0 0, 1 1 0"},
	{"four corners on one line", "a.stl", FACET("vertex 1 1 0 vertex 0 1 0\n"),
		"error at 8: a facet must have 3 vertices, not 4: export the mesh as triangles"},
	{"a facet of four corners", "a.stl", FACET("vertex 1 1 0\nvertex 0 1 0\n"),
		"error at 8: a facet must have 3 vertices, not 4: export the mesh as triangles"},
	{"a facet of two corners", "a.stl", FACET(""),
		"error at 8: a facet must have 3 vertices, not 2: export the mesh as triangles"},
};

#define FBX_OF(vertices, settings, corners, more)                                         \
	"; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"          \
	"GlobalSettings: {\nProperties70: {\n" settings "}\n}\nObjects: {\n"              \
	"Geometry: 100, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: " vertices "\n}\n" \
	"PolygonVertexIndex: *3 {\na: " corners "\n}\n" more "}\n"                        \
	"Model: 200, \"Model::Rock\", \"Mesh\" {\nVersion: 232\n}\n}\n"                   \
	"Connections: {\nC: \"OO\",200,0\nC: \"OO\",100,200\n}\n"
#define FBX(settings, corners, more) FBX_OF("0,0,0,1,0,0,0,1,0", settings, corners, more)
#define NUMBER(name, value)          "P: \"" name "\", \"int\", \"Integer\", \"\"," value "\n"
#define NORMALS(mapping)                                                            \
	"LayerElementNormal: 0 {\nMappingInformationType: \"" mapping               \
	"\"\nReferenceInformationType: \"Direct\"\nNormals: *3 {\na: 0,0,1\n}\n}\n" \
	"Layer: 0 {\nLayerElement: {\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}\n}\n"

static const struct row fbx_rows[] = {
	{"Z up and no other axis", "a.fbx", FBX(NUMBER("UpAxis", "2"), "0,1,-3", ""),
		"0 0 0, 1 0 0, 0 1 0"},
	{"Z down and no other axis", "a.fbx",
		FBX(NUMBER("UpAxis", "2") NUMBER("UpAxisSign", "-1"), "0,1,-3", ""),
		"0 0 0, 1 0 0, 0 -1 0"},
	{"X up and no other axis", "a.fbx", FBX(NUMBER("UpAxis", "0"), "0,1,-3", ""),
		"0 0 0, 0 0 1, -1 0 0"},
	{"Y up and no other axis", "a.fbx", FBX(NUMBER("UpAxis", "1"), "0,1,-3", ""),
		"0 0 0, 1 0 0, 0 0 1"},
	{"a polygon without an end", "a.fbx", FBX("", "0,1,-3,0,1,2", ""),
		"error at -1: the last polygon of the mesh Rock is not complete: export or copy the "
		"file again"},
	{"a last polygon that crosses itself", "a.fbx",
		FBX_OF("0,0,0,1,0,0,0,1,0,1,2,0,1,0,0,2,1,0,1,1,0,0,2,0", "", "0,1,-3,3,4,5,6,-8",
			""),
		"1 polygon or more that cross themselves lost a part: export the mesh as "
		"triangles; 0 0 0, 1 0 0, 0 0 1 | 1 0 2, 1 0 0, 2 0 1"},
	{"a normal for each polygon", "a.fbx", FBX("", "0,1,-3", NORMALS("ByPolygon")),
		"1 list of normals, UVs or colours with a wrong length or an unusual mapping left "
		"out; 0 0 0, 1 0 0, 0 0 1"},
	{"too few normals", "a.fbx", FBX("", "0,1,-3", NORMALS("ByPolygonVertex")),
		"1 list of normals, UVs or colours with a wrong length or an unusual mapping left "
		"out; 0 0 0, 1 0 0, 0 0 1"},
};

#define GLTF(asset, node, uri)                                                   \
	"{\"asset\":{\"version\":\"2.0\"" asset                                  \
	"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0" node             \
	"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"  \
	"\"buffers\":[{\"byteLength\":36,\"uri\":\"" uri                         \
	"\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":" \
	"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}"
#define TRIANGLE "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
#define NIL      "%00%00%00%00"
#define ONE      "%00%00%80?"

/* A joint of twice the size, and a mesh that is shown with a skin and, elsewhere, without one. */
#define SKIN                                                                               \
	"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,3]}],\"nodes\":["      \
	"{\"children\":[1,2],\"scale\":[2,2,2],\"name\":\"J\"},"                           \
	"{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},{\"name\":\"J\"},"                \
	"{\"mesh\":0,\"translation\":[5,0,0]}],"                                           \
	"\"skins\":[{\"joints\":[2],\"inverseBindMatrices\":3}],"                          \
	"\"meshes\":[{\"primitives\":[{\"attributes\":"                                    \
	"{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],"                             \
	"\"buffers\":[{\"byteLength\":160,\"uri\":\"data:;base64,"                         \
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAA" \
	"AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAAAAPwAAAAAAAAAAAAAAAAAAAAAAAAA/" \
	"AAAAAAAAAAAAAAAAAAAAAAAAAD8AAAAAAAAAAAAAAAAAAAAAAACAPw=="                         \
	"\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"                          \
	"{\"buffer\":0,\"byteOffset\":36,\"byteLength\":12},"                              \
	"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"                              \
	"{\"buffer\":0,\"byteOffset\":96,\"byteLength\":64}],\"accessors\":["              \
	"{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"         \
	"{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"         \
	"{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"         \
	"{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}"

static const struct row gltf_rows[] = {
	{"a skin, whose node has no say", "a.gltf", SKIN,
		"0 0 0, 1 0 0, 0 1 0 | 5 0 0, 6 0 0, 5 1 0"},
	{"a rotation of length 2", "a.gltf",
		GLTF("", ",\"rotation\":[2,0,0,0]", "data:;base64," TRIANGLE),
		"0 0 0, 1 0 0, 0 -1 0"},
	{"a rotation of length 0", "a.gltf",
		GLTF("", ",\"rotation\":[0,0,0,0]", "data:;base64," TRIANGLE),
		"0 0 0, 1 0 0, 0 1 0"},
	{"data with escapes", "a.gltf",
		GLTF("", "", "data:application/octet-stream," NIL NIL NIL ONE NIL NIL NIL ONE NIL),
		"0 0 0, 1 0 0, 0 1 0"},
	{"escapes in base64", "a.gltf",
		GLTF("", "",
			"DATA:application/octet-stream;BASE64,%41"
			"AAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"),
		"0 0 0, 1 0 0, 0 1 0"},
	{"base64 without padding, of more bytes than the buffer", "a.gltf",
		GLTF("", "", "data:;base64," TRIANGLE "AAAAAA"), "0 0 0, 1 0 0, 0 1 0"},
	{"data without a comma", "a.gltf", GLTF("", "", "data:;base64;" TRIANGLE),
		"error at -1: the data URI of buffer 0 (counted from 0) is not valid base64"},
	{"data that is too short", "a.gltf", GLTF("", "", "data:,0123"),
		"error at -1: buffer 0 (counted from 0) contains only 4 of its 36 bytes"},
	{"version 1 as a number", "a.gltf",
		"{\"asset\":{\"version\":1},\"scene\":\"a\",\"scenes\":{\"a\":{}}}",
		"error at -1: the file has version 1 of glTF, but only version 2 can be read"},
	{"a later version that is needed", "a.gltf",
		GLTF(",\"minVersion\":\"2.1\"", "", "data:;base64," TRIANGLE),
		"error at -1: the file needs a reader of glTF 2.1, but only 2.0 can be read"},
};

/* Colours of the facets of a binary STL: blue is lowest, but red in files of Magics. */
static void test_facet_colors(void)
{
	static const struct {
		const char *head;
		uint16_t colors[2];
		const char *want[2];
	} rows[] = {
		{"VisCAM", {0x801f, 0x7c00}, {"#0000ffff", "#ffffffff"}},
		{"VisCAM", {0x7c00, 0}, {"", ""}},
		{"COLOR=\1\2\3\xff", {0x001f, 0x8000}, {"#ff0000ff", "#010203ff"}},
		{"COLOR=\1\2\3\xff", {0, 0x7c00}, {"#010203ff", "#0000ffff"}},
		{"COLOR=\1\2\3\xff", {0xffff, 0}, {"", ""}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned char bytes[184] = {0};
		char path[4200], got[1000] = "", want[200];
		const char *first = rows[i].want[0], *second = rows[i].want[1];
		struct cs_mesh *mesh = NULL;
		memcpy(bytes, rows[i].head, strlen(rows[i].head));
		bytes[80] = 2;
		for (size_t f = 0; f < 2; f++) {
			unsigned char *facet = bytes + 84 + 50 * f;
			cs_store32(facet + 24, cs_bits_of_float(1)); /* x of the second corner */
			cs_store32(facet + 40, cs_bits_of_float((float)f + 1)); /* y of the third */
			cs_store16(facet + 48, rows[i].colors[f]);
		}
		snprintf(path, sizeof(path), "%s/c.stl", test_folder());
		struct cs_error *error = cs_save_whole(path, bytes, sizeof(bytes));
		if (!error)
			error = cs_mesh_import(path, NULL, NULL, &mesh);
		if (mesh)
			describe_mesh(mesh, got);
		snprintf(want, sizeof(want),
			"0 0 0%s, 1 0 0%s, 0 1 0%s | 0 0 0%s, 1 0 0%s, 0 2 0%s", first, first,
			first, second, second, second);
		is_text(got, want, "c.stl: colours %zu: %s", i, error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

int main(void)
{
	test_facet_colors();
	for (size_t i = 0; i < sizeof(obj_rows) / sizeof(obj_rows[0]); i++)
		test_row(&obj_rows[i]);
	for (size_t i = 0; i < sizeof(ply_rows) / sizeof(ply_rows[0]); i++)
		test_row(&ply_rows[i]);
	for (size_t i = 0; i < sizeof(stl_rows) / sizeof(stl_rows[0]); i++)
		test_row(&stl_rows[i]);
	for (size_t i = 0; i < sizeof(fbx_rows) / sizeof(fbx_rows[0]); i++)
		test_row(&fbx_rows[i]);
	for (size_t i = 0; i < sizeof(gltf_rows) / sizeof(gltf_rows[0]); i++)
		test_row(&gltf_rows[i]);
	return done();
}
