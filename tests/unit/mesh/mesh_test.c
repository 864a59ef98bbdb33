/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of meshes: cleaning against a brute-force twin, every kind of the generator, export and
 * import there and back, strips, hostile files, real files.
 */
#include "mesh/mesh_readers.h"

#include "core/random.h"
#include "core/writer.h"
#include "format/save.h"
#include "tests/samples/folder.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];

static const char *out(const char *name)
{
	const char *folder = test_folder();
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static const char *save(const char *name, const void *bytes, size_t n)
{
	struct cs_error *error = cs_save_whole(out(name), bytes, n);
	if (error)
		abort();
	return path;
}

/* ---- cleaning ---- */

/* Checks the invariant of mesh/mesh.h slowly but simply. */
static bool is_clean(const struct cs_mesh *mesh)
{
	struct cs_mesh_view m = cs_mesh_view(mesh);
	bool *used = calloc(m.n_vertices, sizeof(*used));
	bool good = m.n_triangles > 0;
	for (size_t i = 0; good && i < m.n_triangles; i++) {
		for (size_t k = 0; good && k < 3; k++) {
			uint32_t a = m.indices[3 * i + k], b = m.indices[3 * i + (k + 1) % 3];
			good = a < m.n_vertices && b < m.n_vertices &&
			       memcmp(m.positions + 3 * (size_t)a, m.positions + 3 * (size_t)b,
				       12) != 0;
			if (good)
				used[a] = true;
		}
		good = good && m.materials[i] < m.n_materials;
	}
	for (size_t v = 0; good && v < m.n_vertices; v++) {
		const float *n = m.normals + 3 * v;
		good = used[v] && fabs(sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) < 1e-5;
	}
	free(used);
	return good;
}

static bool equal_vertices(const struct cs_mesh_view *m, size_t a, size_t b)
{
	bool same = memcmp(m->positions + 3 * a, m->positions + 3 * b, 12) == 0 &&
		    memcmp(m->normals + 3 * a, m->normals + 3 * b, 12) == 0;
	for (uint32_t i = 0; i < m->n_uvs; i++)
		same = same && memcmp(m->uvs[i] + 2 * a, m->uvs[i] + 2 * b, 8) == 0;
	return same && (!m->colors || memcmp(m->colors + 4 * a, m->colors + 4 * b, 4) == 0);
}

static void test_weld(void)
{
	enum { V = 300, T = 500 };
	float positions[3 * V], normals[3 * V], uvs[2 * V];
	uint32_t indices[3 * T];
	struct cs_random random = {3};
	for (int i = 0; i < 3 * V; i++) {
		positions[i] = (float)cs_random_below(&random, 4) - 0.0f;
		normals[i] = i % 3 == 2;
	}
	for (int i = 0; i < 2 * V; i++)
		uvs[i] = (float)cs_random_below(&random, 2);
	for (int i = 0; i < 3 * T; i++)
		indices[i] = cs_random_below(&random, V);
	struct cs_mesh_view arrays = {.positions = positions,
		.normals = normals,
		.uvs = {uvs},
		.indices = indices,
		.n_vertices = V,
		.n_triangles = T,
		.n_uvs = 1};
	struct cs_mesh_report report;
	struct cs_mesh *mesh;
	works(cs_mesh_from_arrays(&arrays, NULL, &report, &mesh), "weld: a mesh of random corners");
	struct cs_mesh_view m = cs_mesh_view(mesh);
	uint32_t kept = 0;
	bool same = true, distinct = true;
	for (size_t i = 0; i < T; i++) {
		bool degenerate = false;
		for (size_t k = 0; k < 3; k++)
			degenerate = degenerate ||
				     memcmp(positions + 3 * indices[3 * i + k],
					     positions + 3 * indices[3 * i + (k + 1) % 3], 12) == 0;
		if (degenerate)
			continue;
		for (size_t k = 0; k < 3; k++) {
			size_t from = indices[3 * i + k], to = m.indices[3 * kept + k];
			same = same &&
			       memcmp(positions + 3 * from, m.positions + 3 * to, 12) == 0 &&
			       memcmp(uvs + 2 * from, m.uvs[0] + 2 * to, 8) == 0;
		}
		kept++;
	}
	for (size_t a = 0; a < m.n_vertices; a++)
		for (size_t b = 0; b < a; b++)
			distinct = distinct && !equal_vertices(&m, a, b);
	ok(same && kept == m.n_triangles, "weld: every corner keeps its place and UV");
	ok(distinct, "weld: no two vertices agree in all");
	is_int(report.degenerate, T - kept, "weld: degenerate triangles are counted");
	ok(is_clean(mesh), "weld: the invariant holds");
	cs_mesh_free(mesh);
}

static void test_report(void)
{
	float positions[] = {
		0, 0, 0, 1, 0, 0, 0, 1, 0, NAN, 0, 0, -0.0f, 0, 0, 2e15f, 0, 0, 9, 9, 9};
	float uvs[] = {0, 0, INFINITY, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
	uint32_t indices[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 0, 1, 7, 5, 1, 2, 2, 4, 1};
	struct cs_mesh_view arrays = {.positions = positions,
		.uvs = {uvs},
		.indices = indices,
		.n_vertices = 7,
		.n_triangles = 6,
		.n_uvs = 1};
	struct cs_mesh_report report;
	struct cs_mesh *mesh;
	works(cs_mesh_from_arrays(&arrays, NULL, &report, &mesh),
		"report: bad input is no failure");
	is_int(report.non_finite, 2, "report: a NaN and a coordinate out of reach");
	is_int(report.degenerate, 1, "report: -0 and 0 are one place");
	is_int(report.bad_indices, 1, "report: a corner that is no vertex");
	is_int(report.bad_uvs, 1, "report: an infinite UV");
	is_int(report.welded, 1, "report: corners at one place are welded, their normals blend");
	is_int(cs_mesh_view(mesh).n_triangles, 2, "report: what is left");
	is_int(cs_mesh_view(mesh).n_vertices, 3, "report: unused vertices are gone");
	cs_mesh_free(mesh);
	arrays.n_triangles = 0;
	fails(cs_mesh_from_arrays(&arrays, NULL, NULL, &mesh), CS_E_MESH, "report: no triangle");
	arrays.n_triangles = 6;
	arrays.n_materials = 65;
	fails(cs_mesh_from_arrays(&arrays, NULL, NULL, &mesh), CS_E_MESH, "report: 65 materials");
	arrays.n_materials = 1;
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits};
	limits.records = 5;
	fails(cs_mesh_from_arrays(&arrays, &job, NULL, &mesh), CS_E_LIMIT, "limit: triangles");
	limits = cs_limits_default();
	limits.memory = 100;
	fails(cs_mesh_from_arrays(&arrays, &job, NULL, &mesh), CS_E_LIMIT, "limit: memory");
	limits.memory = UINT64_MAX;
	const struct cs_mesh_size most = {.vertices = CS_NONE, .triangles = 1};
	fails(cs_mesh_new(&most, &job, &mesh), CS_E_LIMIT, "limit: numbers of vertices");
}

/* ---- the generator ---- */

static void test_generator(void)
{
	static const uint32_t want[CS_MESH_KINDS] = {
		[CS_MESH_TERRAIN] = 2048,
		[CS_MESH_NOISE] = 2028,
		[CS_MESH_FOLIAGE] = 2000,
		[CS_MESH_FLAT] = 2028,
		[CS_MESH_SEAMS] = 2028,
		[CS_MESH_TRIANGLE] = 1,
		[CS_MESH_CUBE] = 12,
		[CS_MESH_ISLANDS] = 2 * 972,
		[CS_MESH_MOEBIUS] = 2000,
		[CS_MESH_COINCIDENT] = 2000,
	};
	for (int kind = 0; kind < CS_MESH_KINDS; kind++) {
		struct cs_mesh_recipe recipe = {(enum cs_mesh_kind)kind, 2000, 1};
		const char *name = mesh_kind_name(recipe.kind);
		struct cs_mesh *mesh, *again;
		works(cs_mesh_generate(&recipe, NULL, &mesh), "generate %s", name);
		works(cs_mesh_generate(&recipe, NULL, &again), "generate %s again", name);
		ok(is_clean(mesh), "%s: the invariant holds", name);
		is_int(cs_mesh_view(mesh).n_triangles, want[kind], "%s: triangles", name);
		ok(mesh->n_vertices == again->n_vertices &&
				memcmp(mesh->positions, again->positions,
					12 * (size_t)mesh->n_vertices) == 0,
			"%s: the same mesh again", name);
		cs_mesh_free(mesh);
		cs_mesh_free(again);
	}
}

/* Every edge of a closed mesh has one partner in the opposite direction, by place. */
static void test_closed(enum cs_mesh_kind kind, bool closed)
{
	struct cs_mesh_recipe recipe = {kind, 300, 5};
	struct cs_mesh *mesh;
	if (cs_mesh_generate(&recipe, NULL, &mesh))
		abort();
	uint32_t *places = calloc(mesh->n_vertices, sizeof(*places));
	works(cs_mesh_places(mesh->positions, mesh->n_vertices, 1, places), "places");
	size_t n = 3 * (size_t)mesh->n_triangles, open = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t a = places[mesh->indices[i]];
		uint32_t b = places[mesh->indices[i - i % 3 + (i + 1) % 3]];
		int partners = 0;
		for (size_t j = 0; j < n; j++)
			partners += places[mesh->indices[j]] == b &&
				    places[mesh->indices[j - j % 3 + (j + 1) % 3]] == a;
		open += partners != 1;
	}
	ok((open == 0) == closed, "%s: %s", mesh_kind_name(kind), closed ? "closed" : "open");
	free(places);
	cs_mesh_free(mesh);
}

/* ---- files ---- */

/* Compares the first n_channels bytes of colours. */
static bool same_triangles(const struct cs_mesh *a, const struct cs_mesh *b, size_t n_channels)
{
	if (a->n_triangles != b->n_triangles)
		return false;
	for (size_t i = 0; i < 3 * (size_t)a->n_triangles; i++) {
		size_t va = a->indices[i], vb = b->indices[i];
		if (memcmp(a->positions + 3 * va, b->positions + 3 * vb, 12) != 0)
			return false;
		for (size_t k = 0; k < 3; k++)
			if (fabs(a->normals[3 * va + k] - b->normals[3 * vb + k]) > 1e-6)
				return false;
		if (a->n_uvs && memcmp(a->uvs[0] + 2 * va, b->uvs[0] + 2 * vb, 8) != 0)
			return false;
		if (a->colors && (!b->colors || memcmp(a->colors + 4 * va, b->colors + 4 * vb,
							n_channels) != 0))
			return false;
	}
	return true;
}

static void test_round_trip(enum cs_mesh_kind kind)
{
	struct cs_mesh_recipe recipe = {kind, 400, 9};
	struct cs_mesh *mesh, *back = NULL;
	if (cs_mesh_generate(&recipe, NULL, &mesh))
		abort();
	const char *name = mesh_kind_name(kind);
	works(cs_mesh_export(mesh, NULL, out("mesh.ply")), "%s: write PLY", name);
	works(cs_mesh_import(path, NULL, NULL, &back), "%s: read PLY", name);
	ok(back && same_triangles(mesh, back, 4), "%s: PLY and back", name);
	cs_mesh_free(back);
	back = NULL;
	/* OBJ sorts by material, so only meshes of one come back in their order */
	mesh->n_materials = 1;
	memset(mesh->materials, 0, mesh->n_triangles);
	works(cs_mesh_export(mesh, NULL, out("mesh.obj")), "%s: write OBJ", name);
	works(cs_mesh_import(path, NULL, NULL, &back), "%s: read OBJ", name);
	ok(back && same_triangles(mesh, back, 3), "%s: OBJ and back", name);
	cs_mesh_free(back);
	cs_mesh_free(mesh);
}

static void test_materials(void)
{
	static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
				  "usemtl red\nf 1 2 3\nusemtl blue\nf 1 2 4\nl 1 2\n"
				  "usemtl red\nf 2 3 4 1\n";
	struct cs_mesh_report report;
	struct cs_mesh *mesh;
	works(cs_mesh_import(save("m.obj", obj, sizeof(obj) - 1), NULL, &report, &mesh),
		"OBJ with materials");
	is_int(mesh->n_materials, 2, "materials: two in use");
	is_int(report.input_triangles, 4, "materials: the quad is two triangles");
	cs_mesh_free(mesh);
}

static void test_gltf(void)
{
	/* one triangle, moved by (10, 0, 0) and mirrored in y by its node; buffer inside the file
	 */
	static const char gltf[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0],\"scale\":[1,-1,1]}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
		"\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
		"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
		"\"min\":[0,0,0],\"max\":[1,1,0]}]}";
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("t.gltf", gltf, sizeof(gltf) - 1), NULL, NULL, &mesh), "glTF");
	if (!mesh)
		return;
	struct cs_box box = cs_mesh_box(mesh);
	is_double(box.min.x, 10, "glTF: the node's translation");
	is_double(box.min.y, -1, "glTF: the node's scale");
	ok(mesh->normals[2] > 0.99, "glTF: a mirrored triangle is turned around");
	cs_mesh_free(mesh);
}

/* Reads bytes as strips; mesh is NULL when they are no longer strips. */
static struct cs_error *read_strips(const unsigned char *bytes, size_t n, struct cs_mesh **mesh)
{
	struct cs_mesh_file file = {"strips", bytes, n};
	bool is_strips;
	*mesh = NULL;
	struct cs_mesh_report report;
	return cs_mesh_read_ply(&file, NULL, &is_strips, &report, mesh);
}

static void test_strips(bool big)
{
	static const char head[] = "ply\nformat binary_%s_endian 1.0\ncomment strips\n"
				   "element vertex 5\nproperty float x\nproperty float y\n"
				   "property double z\nproperty uchar red\n"
				   "element extra 2\nproperty list uchar short junk\n"
				   "element tristrips 1\nproperty list int int vertex_indices\n"
				   "end_header\n";
	static const float xy[5][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}};
	static const int32_t strip[] = {0, 1, 2, 3, -1, 2, 3, 4};
	struct cs_writer w = {0};
	char line[512];
	cs_writer_bytes(
		&w, line, (size_t)snprintf(line, sizeof(line), head, big ? "big" : "little"));
	size_t header = w.size;
	for (int v = 0; v < 5; v++) {
		cs_writer_f32(&w, xy[v][0]);
		cs_writer_f32(&w, xy[v][1]);
		cs_writer_f64(&w, 0);
		cs_writer_u8(&w, 7);
	}
	static const unsigned char extra[] = {0, 2, 1, 2, 3, 4};
	cs_writer_bytes(&w, extra, sizeof(extra));
	cs_writer_u32(&w, 8);
	for (int i = 0; i < 8; i++)
		cs_writer_u32(&w, (uint32_t)strip[i]);
	if (big) {
		for (size_t at = header, v = 0; v < 5; v++, at += 17)
			for (size_t k = 0; k < 4; k++) {
				for (int half = 0; half < 2; half++) {
					unsigned char *f = w.bytes + at + 4 * half;
					if (k < 2) {
						unsigned char swap = f[k];
						f[k] = f[3 - k];
						f[3 - k] = swap;
					}
				}
			}
		for (size_t at = header + 85 + 6; at < w.size; at += 4)
			for (size_t k = 0; k < 2; k++) {
				unsigned char swap = w.bytes[at + k];
				w.bytes[at + k] = w.bytes[at + 3 - k];
				w.bytes[at + 3 - k] = swap;
			}
	}
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("s.ply", w.bytes, w.size), NULL, NULL, &mesh), "strips: read");
	if (mesh) {
		is_int(mesh->n_triangles, 3, "strips: a restart ends a strip");
		bool up = true;
		for (size_t i = 0; i < mesh->n_triangles; i++) {
			const float *p[3];
			for (size_t k = 0; k < 3; k++)
				p[k] = mesh->positions + 3 * (size_t)mesh->indices[3 * i + k];
			up = up && (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) >
					   (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
		}
		ok(up, "strips: every other triangle is turned around");
		ok(mesh->colors && mesh->colors[0] == 7 && mesh->colors[1] == 255,
			"strips: colours");
	}
	cs_mesh_free(mesh);
	size_t failed = 0;
	for (size_t n = header; n < w.size; n++) {
		struct cs_error *error = read_strips(w.bytes, n, &mesh);
		if (error)
			failed++;
		else
			cs_mesh_free(mesh);
		cs_error_free(error);
	}
	is_int(failed, w.size - header, "strips: every truncation is an error");
	struct cs_random random = {11};
	int unsound = 0, unnamed = 0;
	for (int i = 0; i < 2000; i++) {
		size_t at = cs_random_below(&random, (uint32_t)w.size);
		unsigned char before = w.bytes[at];
		w.bytes[at] = (unsigned char)cs_random_u64(&random);
		struct cs_mesh_report report = {0};
		struct cs_error *error = read_strips(w.bytes, w.size, &mesh);
		if (!error && mesh)
			error = cs_mesh_clean(mesh, NULL, &report);
		unsound += !error && mesh && !is_clean(mesh);
		unnamed += error && !*error->message;
		cs_mesh_free(mesh);
		cs_error_free(error);
		w.bytes[at] = before;
	}
	is_int(unsound + unnamed, 0,
		"strips: of 2,000 damaged files, each is sound or has an error");
	cs_writer_deinit(&w);
}

static void test_text_strips(void)
{
	static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
				  "property float y\nproperty float z\nelement tristrips 1\n"
				  "property list int int vertex_indices\nend_header\n"
				  "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("t.ply", ply, sizeof(ply) - 1), NULL, NULL, &mesh),
		"text strips");
	is_int(mesh ? mesh->n_triangles : 0, 1, "text strips: one triangle");
	cs_mesh_free(mesh);
	static const char bad[] = "ply\nformat ascii 1.0\nelement vertex 4000000000\n"
				  "property float x\nproperty float y\nproperty float z\n"
				  "element tristrips 1\nproperty list int int vertex_indices\n"
				  "end_header\n0 0 0\n";
	fails(cs_mesh_import(save("t.ply", bad, sizeof(bad) - 1), NULL, NULL, &mesh),
		CS_E_TRUNCATED, "text strips: more vertices than bytes");
}

/*
 * The count of an element must be possible; another reader may read a file with an impossible one.
 */
static void test_counts(void)
{
	static const char *const counts[] = {"1", "many", "-1", "nan", "4294967296", ""};
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct cs_mesh *mesh;
		char ply[512];
		int n = snprintf(ply, sizeof(ply),
			"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
			"property float y\nproperty float z\nelement face 1\n"
			"property list uchar int vertex_indices\nelement junk %s\n"
			"property float heat\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n7\n",
			counts[i]);
		struct cs_error *error = read_strips((const unsigned char *)ply, (size_t)n, &mesh);
		ok(i == 0 ? !error && mesh : !mesh, "PLY: '%s' of another kind", counts[i]);
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

static void test_hostile(void)
{
	struct cs_mesh *mesh;
	fails(cs_mesh_import("nothing.obj", NULL, NULL, &mesh), CS_E_NOFILE, "no file");
	fails(cs_mesh_import("mesh.txt", NULL, NULL, &mesh), CS_E_FEATURE, "an unknown extension");
	fails(cs_mesh_import(save("e.obj", "", 0), NULL, NULL, &mesh), CS_E_MESH, "an empty file");
	fails(cs_mesh_import(save("e.ply", "ply\n", 4), NULL, NULL, &mesh), CS_E_MESH,
		"half a header");
	fails(cs_mesh_import(save("e.fbx", "Kaydara", 7), NULL, NULL, &mesh), CS_E_MESH, "no FBX");
	static const char nan[] = "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	fails(cs_mesh_import(save("e.obj", nan, sizeof(nan) - 1), NULL, NULL, &mesh), CS_E_MESH,
		"no triangle with three different corners");
	static const char index[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\nf 1 2 3\n";
	struct cs_error *error =
		cs_mesh_import(save("e.obj", index, sizeof(index) - 1), NULL, NULL, &mesh);
	ok(error || mesh->n_triangles == 1, "a face with a corner that is no vertex");
	if (!error)
		cs_mesh_free(mesh);
	cs_error_free(error);
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits};
	limits.file_bytes = 10;
	fails(cs_mesh_import(path, &job, NULL, &mesh), CS_E_LIMIT, "limit: bytes of the file");
	/* a folder that must not be left, and a device that must not be opened */
	static const char outside[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
		"\"buffers\":[{\"byteLength\":36,\"uri\":\"../b.bin\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
	static const float zero[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	save("b.bin", zero, sizeof(zero));
	char folder[4096 + 8];
	snprintf(folder, sizeof(folder), "%s", out("inner"));
	mkdir(folder, 0777);
	fails(cs_mesh_import(save("inner/o.gltf", outside, sizeof(outside) - 1), NULL, NULL, &mesh),
		CS_E_MESH, "a buffer outside the folder is not read");
}

/* A file that is named without a folder must not open a buffer by an absolute path. */
static void test_absolute_buffer(void)
{
	char here[4096], away[8300], gltf[9000];
	struct cs_mesh *mesh;
	ok(getcwd(here, sizeof(here)) && realpath(out("b.bin"), away), "a buffer with a full path");
	snprintf(gltf, sizeof(gltf),
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
		"{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":"
		"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}",
		away);
	save("inner/a.gltf", gltf, strlen(gltf));
	ok(chdir(out("inner")) == 0, "into the folder of the file");
	fails(cs_mesh_import("a.gltf", NULL, NULL, &mesh), CS_E_MESH,
		"a buffer named from the root is not read");
	ok(chdir(here) == 0, "and back");
}

static void test_stl(void)
{
	static const char facet[] = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
				    "vertex 0 1 0\nendloop\nendfacet\n";
	char text[400];
	struct cs_mesh *mesh = NULL;
	int n = snprintf(text, sizeof(text), "solid a\n%s%sendsolid a\n \n", facet, facet);
	works(cs_mesh_import(save("t.stl", text, (size_t)n), NULL, NULL, &mesh), "STL: text");
	cs_mesh_free(mesh);
	char edge[800];
	int length = snprintf(edge, sizeof(edge),
		"solid a\n%sfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n"
		"vertex 1 0 0\nendloop\nendfacet\nendsolid a\n",
		facet);
	works(cs_mesh_import(save("t.stl", edge, (size_t)length), NULL, NULL, &mesh),
		"STL: a facet without a normal");
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	ok(view.n_vertices == 6 && view.normals[3 * view.indices[3] + 1] == 1,
		"STL: has that of its corners");
	cs_mesh_free(mesh);
	fails(cs_mesh_import(save("t.stl", text, 150), NULL, NULL, &mesh), CS_E_TRUNCATED,
		"STL: text that is cut between facets and their end");
	text[0] = 'b';
	fails(cs_mesh_import(save("t.stl", text, (size_t)n), NULL, NULL, &mesh), CS_E_MESH,
		"STL: text that begins with another word");
	memset(text, 0, sizeof(text));
	memcpy(text, "SOLID", 5);
	text[80] = 1;
	text[84 + 24] = text[84 + 40] = '\x3f';
	works(cs_mesh_import(save("t.stl", text, 134), NULL, NULL, &mesh),
		"STL: bytes that begin with SOLID");
	cs_mesh_free(mesh);
	memcpy(text, "solid", 5);
	works(cs_mesh_import(save("t.stl", text, 134), NULL, NULL, &mesh),
		"STL: bytes that begin with solid");
	cs_mesh_free(mesh);
	fails(cs_mesh_import(save("t.stl", text, 133), NULL, NULL, &mesh), CS_E_TRUNCATED,
		"STL: and are cut");
	fails(cs_mesh_import(save("t.stl", text, 140), NULL, NULL, &mesh), CS_E_MESH,
		"STL: and go on");
}

static void test_real(void)
{
	static const struct {
		const char *name;
		uint32_t triangles, places;
	} files[] = {
		{"stanford-bunny.obj", 69451, 34834},
		{"igea.ply", 0, 134345},
		{"spot.obj", 5856, 2930},
		{"suzanne.obj", 968, 505},
	};
	const char *data = shared_data();
	if (!data) {
		skip("no shared data");
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct cs_mesh *mesh = NULL;
		struct cs_mesh_report report;
		snprintf(path, sizeof(path), "%s/meshes/%s", data, files[i].name);
		works(cs_mesh_import(path, NULL, &report, &mesh), "%s", files[i].name);
		if (!mesh)
			continue;
		ok(is_clean(mesh), "%s: the invariant holds", files[i].name);
		uint32_t *places = calloc(mesh->n_vertices, sizeof(*places)), n = 0;
		cs_error_free(cs_mesh_places(mesh->positions, mesh->n_vertices, 1, places));
		for (uint32_t v = 0; v < mesh->n_vertices; v++)
			n += places[v] == v;
		is_int(n, files[i].places, "%s: places", files[i].name);
		if (files[i].triangles)
			is_int(mesh->n_triangles + report.degenerate, files[i].triangles,
				"%s: triangles", files[i].name);
		diag("%s: %u triangles, %u vertices, %u places, %llu degenerate, %llu normals made",
			files[i].name, mesh->n_triangles, mesh->n_vertices, n,
			(unsigned long long)report.degenerate,
			(unsigned long long)report.made_normals);
		free(places);
		cs_mesh_free(mesh);
	}
}

int main(void)
{
	test_weld();
	test_report();
	test_generator();
	test_closed(CS_MESH_NOISE, true);
	test_closed(CS_MESH_CUBE, true);
	test_closed(CS_MESH_ISLANDS, true);
	test_closed(CS_MESH_SEAMS, true);
	test_closed(CS_MESH_MOEBIUS, false);
	test_round_trip(CS_MESH_TERRAIN);
	test_round_trip(CS_MESH_SEAMS);
	test_round_trip(CS_MESH_FLAT);
	test_materials();
	test_gltf();
	test_stl();
	test_strips(false);
	test_strips(true);
	test_text_strips();
	test_hostile();
	test_counts();
	test_absolute_buffer();
	test_real();
	return done();
}
