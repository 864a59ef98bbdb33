/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of our own readers of OBJ and PLY: every form of a statement, all encodings; the
 * same mesh as the foreign reader makes; damage of every kind ends in a sound mesh or an error.
 */
#include "core/cursor.h"
#include "core/random.h"
#include "core/writer.h"
#include "mesh/mesh_internal.h"
#include "mesh/mesh_readers.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <time.h>

static char path[4200];

static const char *save(const char *name, const void *bytes, size_t n)
{
	const char *folder = test_folder();
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
		exit(1);
	return path;
}

static struct cs_mesh *read_text(const char *name, const char *text, struct cs_mesh_report *report)
{
	struct cs_mesh *mesh = NULL;
	struct cs_error *error =
		cs_mesh_import(save(name, text, strlen(text)), NULL, report, &mesh);
	if (error)
		diag("%s", error->message);
	cs_error_free(error);
	return mesh;
}

static bool has_corner(const struct cs_mesh *mesh, size_t corner, double x, double y, double z)
{
	const float *p = mesh->positions + 3 * (size_t)mesh->indices[corner];
	return (double)p[0] == x && (double)p[1] == y && (double)p[2] == z;
}

/* ---- OBJ ---- */

static void test_statements(void)
{
	struct cs_mesh_report report = {0};
	struct cs_mesh *mesh = read_text("s.obj",
		"# a comment\r\nmtllib none.mtl\r\no thing\r\n"
		"v 0 0 0\r\nv\t+2.5 .5e0 -0.25\r\nv 0 3 0 1.5\r\nvt 0.25 .75\r\nvt 1\r\n"
		"vn 0 0 1\r\nf 1/1/1 2/2/1 \\\r\n 3//1\r\n"
		"usemtl a name with spaces \r\nf -3 -2 -1\r\nv 9 9 9\r\nf 1 2 5\r\nl 1 2 3\r\np 1 2\r\n"
		"f 1 2\r\nv 4 4 5",
		&report);
	if (!ok(mesh != NULL, "OBJ: every statement"))
		return;
	is_int(mesh->n_triangles, 3, "OBJ: three triangles");
	ok(has_corner(mesh, 1, 2.5, 0.5, -0.25), "OBJ: signs and exponents");
	ok(has_corner(mesh, 2, 0, 2, 0), "OBJ: a fourth number is a weight");
	ok(has_corner(mesh, 8, 4, 4, 5), "OBJ: a position that comes later");
	is_int(mesh->n_materials, 2, "OBJ: two materials");
	is_text(cs_mesh_material(mesh, 1), "a name with spaces", "OBJ: the name of one");
	ok(mesh->n_uvs == 1 && mesh->uvs[0][0] == 0.25f && mesh->uvs[0][1] == 0.75f,
		"OBJ: UVs as they are");
	ok(!mesh->colors, "OBJ: no colours where there are none");
	is_int(report.lines, 5, "OBJ: points, lines and faces of two corners are counted");
	cs_mesh_free(mesh);
	mesh = read_text(
		"s.obj", "v 0 0 0 1 0 0\nv 1 0 0 0 .5 0\nv 0 1 0\nf 1 2 3\nv 5 5 5 0 0 0\n", NULL);
	ok(mesh && mesh->colors && mesh->colors[0] == 255 && mesh->colors[1] == 0 &&
			mesh->colors[5] == 128 && mesh->colors[8] == 255,
		"OBJ: colours of vertices, white where there is none");
	cs_mesh_free(mesh);
	mesh = read_text(
		"s.obj", "v 0 0 0 1 0 0 1\nv 4 0 0 0 .5 0 .5\nv 0 1 0 0 0 1 0\nf 1 2 3\n", NULL);
	ok(mesh && mesh->colors && mesh->colors[0] == 255 && mesh->colors[5] == 128 &&
			mesh->colors[10] == 255 && has_corner(mesh, 1, 4, 0, 0),
		"OBJ: of a colour with alpha the colour is read");
	cs_mesh_free(mesh);
	mesh = read_text("s.obj", "v 0 0 0\nv 4 0 0 255 128 0\nv 0 1 0 1 0 1\nf 1 2 3\n", NULL);
	ok(mesh && mesh->colors &&
			memcmp(mesh->colors, "\xff\xff\xff\xff\xff\x80\0\xff\1\0\1\xff", 12) == 0,
		"OBJ: colours of 0 to 255");
	cs_mesh_free(mesh);
	mesh = read_text("s.obj", "v 0 0 0 3 .5 0\nv 4 0 0 1 0 0\nv 0 1 0 0 0 2\nf 1 2 3\n", NULL);
	ok(mesh && mesh->colors &&
			memcmp(mesh->colors, "\xff\x80\0\xff\xff\0\0\xff\0\0\xff\xff", 12) == 0,
		"OBJ: colours brighter than 1");
	cs_mesh_free(mesh);
	mesh = read_text("s.obj",
		"v 0 0 -1.#IND\nv 1 1.#QNAN 0\nv 0 1 0\nv 0 0 0\nv 1 0 0\nf 1 2 3\nf 3 4 5\n",
		NULL);
	ok(mesh && mesh->n_triangles == 1, "OBJ: what is not a number, in words of Windows");
	cs_mesh_free(mesh);
	mesh = read_text(
		"s.obj", "\xef\xbb\xbfv 0 0 0 # first\nv 1 0 0\t#\nv 0 1 0\nf 1 2 3 # all\n", NULL);
	ok(mesh && mesh->n_triangles == 1 && has_corner(mesh, 1, 1, 0, 0),
		"OBJ: comments behind statements, a mark before them");
	cs_mesh_free(mesh);
	mesh = read_text(
		"s.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 \\\n\nf 2 4 3\n", NULL);
	ok(mesh && mesh->n_triangles == 2, "OBJ: an empty line ends one that is continued");
	cs_mesh_free(mesh);
	mesh = read_text("s.obj",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl caf\xe9\nf 1 2 3\nusemtl \xe7\x9f\xb3\nf 3 2 1\n",
		NULL);
	is_text(mesh ? cs_mesh_material(mesh, 0) : "", "caf\xc3\xa9", "OBJ: a name in Latin-1");
	is_text(mesh ? cs_mesh_material(mesh, 1) : "", "\xe7\x9f\xb3", "OBJ: one in UTF-8");
	cs_mesh_free(mesh);
	char text[1200] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl ";
	const size_t start = strlen(text);
	for (size_t n = 1024; n <= 1025; n++) {
		memset(text + start, 'x', n);
		memcpy(text + start + n, "\nf 1 2 3\n", 10);
		mesh = NULL;
		struct cs_error *error =
			cs_mesh_import(save("n.obj", text, strlen(text)), NULL, NULL, &mesh);
		ok(!error == (n == 1024) && !error == (mesh != NULL),
			"OBJ: a name of %zu bytes: %s", n, error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
	mesh = read_text("s.obj", "# Mac\rv 0 0 0\rv 1 0 0\rv 0 1 0\r\rf 1 2 3\r", NULL);
	ok(mesh && mesh->n_triangles == 1 && has_corner(mesh, 1, 1, 0, 0),
		"OBJ: lines that end with a carriage return");
	cs_mesh_free(mesh);
}

/*
 * Two squares that meet at a right angle in the edge between (0, 0, 0) and (0, 1, 0). The rows say
 * how many vertices remain, and the normal of a corner of the first square on that edge.
 */
static void test_smoothing(void)
{
	static const char roof[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 0 1 1\n"
				   "vt 0 0\nvt 1 1\n";
	static const struct {
		const char *faces, *what;
		uint32_t vertices;
		double x, z;
	} rows[] = {
		{"f 1 2 3 4\nf 1 4 6 5\n", "none", 6, 0.5, 0.5},
		{"s off\nf 1 2 3 4\nf 1 4 6 5\n", "off", 8, 0, 1},
		{"s 0\nf 1 2 3 4\ns off\nf 1 4 6 5\n", "off twice", 8, 0, 1},
		{"s 1\nf 1 2 3 4\nf 1 4 6 5\n", "one group", 6, 0.5, 0.5},
		{"s 1\nf 1 2 3 4\ns 2\nf 1 4 6 5\n", "two groups", 8, 0, 1},
		{"s 1\nf 1 2 3 4\ns 10\nf 5 1 4\ns 1\nf 5 4 6\n", "groups 1 and 10", 8, 0, 1},
		{"s 1\nf 1/1 2/1 3/1 4/1\nf 1/2 4/2 6/2 5/2\n", "a group over a seam", 8, 0.5, 0.5},
		{"vn 0 0 1\ns off\nf 1//1 2//1 3//1 4//1\ns 1\nf 1//1 4//1 6//1 5//1\n",
			"normals in the file", 6, 0, 1},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[400];
		snprintf(text, sizeof(text), "%s%s", roof, rows[i].faces);
		struct cs_mesh *mesh = read_text("s.obj", text, NULL);
		const float *normal = mesh ? mesh->normals + 3 * (size_t)mesh->indices[0] : NULL;
		ok(mesh && mesh->n_vertices == rows[i].vertices &&
				fabs((double)(normal[0] * normal[0]) - rows[i].x) < 1e-6 &&
				fabs((double)(normal[2] * normal[2]) - rows[i].z) < 1e-6,
			"OBJ: smoothing: %s: %u vertices, normal %g %g", rows[i].what,
			mesh ? mesh->n_vertices : 0, normal ? (double)normal[0] : 0,
			normal ? (double)normal[2] : 0);
		cs_mesh_free(mesh);
	}
}

/* Objects and groups whose names are those of collision shapes are no part of the mesh. */
static void test_collision(void)
{
	static const struct {
		const char *what, *before;
		uint64_t shapes; /* of the two triangles of the file */
	} rows[] = {
		{"an object", "o UCX_Wall_01\n", 1},
		{"a group", "g  usp_Wall extra \r\n", 1},
		{"a group in an object", "o UBX_Wall\ng Material\n", 1},
		{"another object", "o UCP_Wall\no Wall\n", 0},
		{"another group", "g UCX_Wall\ng Wall\n", 0},
		{"a name that is alike", "o UCXWall\n", 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[200];
		struct cs_mesh_report report = {0};
		snprintf(text, sizeof(text),
			"o Wall\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nf 1 2 3\n%sf 2 3 4\n",
			rows[i].before);
		struct cs_mesh *mesh = read_text("k.obj", text, &report);
		ok(mesh && mesh->n_triangles == 2 - rows[i].shapes &&
				report.collision == rows[i].shapes,
			"OBJ: collision shapes: %s", rows[i].what);
		cs_mesh_free(mesh);
	}
}

/* The error of a file that has no triangle says what was left out of it, as for other formats. */
static void test_nothing_kept(void)
{
	static const struct {
		const char *faces, *message;
	} rows[] = {
		{"", "the mesh has no triangle"},
		{"o UCX_Wall\nf 1 2 3\n",
			"the mesh has no triangle, apart from those of collision shapes"},
		{"f 1 2 1\n", "the mesh has no triangle with three different corners at finite "
			      "positions"},
		{"f 1 2 1\ng UCX_Wall\nf 1 2 3\n",
			"the mesh has no triangle with three different corners at finite positions"
			", apart from those of collision shapes"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[200];
		struct cs_mesh *mesh = NULL;
		const int n = snprintf(
			text, sizeof(text), "v 0 0 0\nv 1 0 0\nv 0 1 0\n%s", rows[i].faces);
		struct cs_error *error =
			cs_mesh_import(save("n.obj", text, (size_t)n), NULL, NULL, &mesh);
		const char *end = error ? strstr(error->message, "the mesh") : NULL;
		is_text(end     ? end
			: error ? error->message
				: "",
			rows[i].message, "OBJ: nothing left, row %zu", i);
		fails(error, CS_E_MESH, "OBJ: nothing left is refused");
	}
}

/*
 * Compares lines that are continued, with every mixture of line ends, with the same statements on
 * one line each.
 */
static void test_continued_lines(void)
{
	static const char *const ends[] = {
		" \\\n", " \\\r\n", "\\\n ", " \\\n\\\n", " \\\n\\\r\n \\\n"};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		for (int empty = 0; empty < 2; empty++) {
			char text[300];
			snprintf(text, sizeof(text),
				"v 0 0 0\nv 1%s0 %s0\nv 0 %s2 0%s\nv 0 0 3\nf 1%s2 3%s\nf 1 %s2 4\n",
				ends[i], ends[i], ends[i], empty ? ends[i] : "", ends[i],
				empty ? " \\\n" : "", ends[i]);
			struct cs_mesh *mesh = read_text("c.obj", text, NULL);
			ok(mesh && mesh->n_triangles == 2 && has_corner(mesh, 0, 0, 0, 0) &&
					has_corner(mesh, 1, 1, 0, 0) &&
					has_corner(mesh, 2, 0, 2, 0) &&
					has_corner(mesh, 4, 1, 0, 0) &&
					has_corner(mesh, 5, 0, 0, 3),
				"OBJ: lines that go on, end %zu%s", i,
				empty ? ", and an empty one that ends them" : "");
			cs_mesh_free(mesh);
		}
}

/* Continues a line more often than a reader can look at all of it again each time. */
static void test_long_line(void)
{
	enum { TIMES = 500000, LINES = 4 };
	static const char face[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
	char *text = malloc(sizeof(face) + LINES * (2 * (size_t)TIMES + 8)), *at = text;
	if (!text)
		exit(1);
	at += sprintf(at, "%s", face);
	for (int line = 0; line < LINES; line++) {
		at += sprintf(at, "f 1 2 ");
		for (int i = 0; i < TIMES; i++)
			at += sprintf(at, "\\\n");
		at += sprintf(at, "3\n");
	}
	const clock_t begin = clock();
	struct cs_mesh *mesh = read_text("l.obj", text, NULL);
	const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	ok(mesh && mesh->n_triangles == LINES && seconds < 4,
		"OBJ: lines that go on 500000 times, in %.1f of 4 s", seconds);
	cs_mesh_free(mesh);
	free(text);
}

static void test_refusals(void)
{
	static const struct {
		const char *what, *text;
	} rows[] = {
		{"a position beyond the last", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"},
		{"a position far beyond", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4000000000\n"},
		{"a UV beyond the last", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2/1 3\n"},
		{"a normal beyond the last", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2 3\n"},
		{"a position before the first", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n"},
		{"number 0", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"},
		{"a corner that is no number", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n"},
		{"two numbers of a position", "v 0 0\nf 1 1 1\n"},
		{"a word for a number", "v 0 0 zero\n"},
		{"no faces", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"},
	};
	struct cs_mesh *mesh;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		fails(cs_mesh_import(
			      save("r.obj", rows[i].text, strlen(rows[i].text)), NULL, NULL, &mesh),
			CS_E_MESH, "OBJ refused: %s", rows[i].what);
	static const char hole[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n\0\0 1 2 3\nf 1 2 3\n";
	fails(cs_mesh_import(save("r.obj", hole, sizeof(hole) - 1), NULL, NULL, &mesh), CS_E_MESH,
		"OBJ refused: a hole in place of a statement");
	size_t n = 3 << 20;
	char *line = malloc(n);
	memset(line, ' ', n);
	memcpy(line, "v 0 0", 5);
	fails(cs_mesh_import(save("r.obj", line, n), NULL, NULL, &mesh), CS_E_MESH,
		"OBJ refused: a line of 3 MiB");
	free(line);
}

/* Lines continue in the next piece of the file, and the limits of a file hold. */
static void test_long_file(void)
{
	enum { N = 60000 };
	char *text = malloc(40 * 2 * N);
	size_t n = 0;
	for (int i = 0; i < N; i++)
		n += (size_t)sprintf(text + n, "v %d.%03d %d %d\n", i, i % 1000, i % 7, i % 11);
	for (int i = 1; i + 2 <= N; i++)
		n += (size_t)sprintf(text + n, "f %d %d %d\n", i, i + 1, i + 2);
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("long.obj", text, n), NULL, NULL, &mesh),
		"OBJ: %zu bytes in pieces", n);
	ok(mesh && mesh->n_triangles == N - 2 && mesh->n_vertices == N &&
			has_corner(mesh, 3 * (N - 3), N - 3 + 0.001 * ((N - 3) % 1000), (N - 3) % 7,
				(N - 3) % 11) == ((float)(N - 3 + 0.001 * ((N - 3) % 1000)) ==
							 N - 3 + 0.001 * ((N - 3) % 1000)),
		"OBJ: all of it");
	cs_mesh_free(mesh);
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.limits = &limits};
	limits.memory = 500000;
	fails(cs_mesh_import(path, &job, NULL, &mesh), CS_E_LIMIT, "OBJ: limit of memory");
	limits = cs_limits_default();
	limits.records = 1000;
	fails(cs_mesh_import(path, &job, NULL, &mesh), CS_E_LIMIT, "OBJ: limit of records");
	free(text);
}

/* Reads n faces whose first corners have UVs of their own; returns the seconds that it took. */
static double read_cone(unsigned n, bool one_tip)
{
	struct cs_writer to = {0};
	struct cs_mesh *mesh = NULL;
	for (unsigned i = 0; i < n; i++)
		cs_writer_print(&to, "v 0 0 %u\nv %u 1 0\nvt 0 %u\n", one_tip ? 0 : i, i, i);
	for (unsigned i = 1; i < n; i++)
		cs_writer_print(
			&to, "f %u/%u %u/1 %u/1\n", one_tip ? 1 : 2 * i - 1, i, 2 * i, 2 * i + 2);
	cs_writer_print(&to, "f %u/%u 2/1 4/1\n", one_tip ? 1 : 2 * n - 3, n - 1);
	const char *file = save("cone.obj", to.bytes, to.size);
	cs_writer_deinit(&to);
	const clock_t start = clock();
	works(cs_mesh_import(file, NULL, NULL, &mesh), "OBJ: a cone of %u faces", n);
	const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	ok(mesh && mesh->n_triangles == n && mesh->n_vertices == 2 * n - 1,
		"OBJ: a cone has a vertex for each corner and UV of its tip");
	cs_mesh_free(mesh);
	return seconds;
}

/* A position that has very many vertices costs no more than as many positions. */
static void test_cone(void)
{
	const double many = read_cone(100000, false), one = read_cone(100000, true);
	ok(one < 8 * many + 0.1, "OBJ: the tip of a cone: %.2f s, and many tips: %.2f s", one,
		many);
}

/* ---- polygons ---- */

static double signed_area(const float (*p)[3], const uint32_t *c)
{
	return 0.5 * (((double)p[c[1]][0] - (double)p[c[0]][0]) *
				     ((double)p[c[2]][1] - (double)p[c[0]][1]) -
			     ((double)p[c[1]][1] - (double)p[c[0]][1]) *
				     ((double)p[c[2]][0] - (double)p[c[0]][0]));
}

/* A face before its vertices, which is not convex, has no triangle outside of it. */
static void test_early_face(const char *name, const char *text)
{
	double sum = 0;
	struct cs_mesh *mesh = read_text(name, text, NULL);
	for (uint32_t t = 0; mesh && t < mesh->n_triangles; t++)
		sum += fabs(signed_area((const float(*)[3])mesh->positions, mesh->indices + 3 * t));
	is_double(sum, 4, "%s: a dented face before its vertices", name);
	cs_mesh_free(mesh);
}

static void test_early_faces(void)
{
	test_early_face("e.obj", "v 4 0 0\nf 1 2 3 4\nv 1 1 0\nv 0 4 0\nv 0 0 0\n");
	test_early_face("e.ply", "ply\nformat ascii 1.0\nelement face 1\n"
				 "property list uchar int vertex_indices\nelement vertex 4\n"
				 "property float x\nproperty float y\nproperty float z\n"
				 "element edge 1\nproperty int vertex1\nend_header\n"
				 "4 0 1 2 3\n4 0 0\n1 1 0\n0 4 0\n0 0 0\n0\n");
}

/* ---- PLY ---- */

/* Writes the n lowest bytes of a number, the lowest first, or last with `swap`. */
static void put(unsigned char **at, uint32_t number, size_t n, bool swap)
{
	for (size_t i = 0; i < n; i++)
		*(*at)++ = (unsigned char)(number >> 8 * (swap ? n - 1 - i : i));
}

/* Writes a square, a triangle and a line above it, with normals, in one of the three encodings. */
static size_t write_ply(int encoding, unsigned char *to)
{
	static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
	static const float vertices[5][6] = {{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1},
		{1, 1, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}, {0.5f, 0.5f, 1, 0, 0, 1}};
	static const int32_t faces[3][5] = {{4, 0, 1, 2, 3}, {3, 0, 1, 4}, {2, 3, 4}};
	unsigned char *at = to;
	at += sprintf((char *)at,
		"ply\nformat %s 1.0\ncomment x\nelement vertex 5\nproperty float x\n"
		"property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
		"property float nz\nelement face 3\nproperty list uchar int vertex_indices\n"
		"property uchar quality\nend_header\n",
		formats[encoding]);
	for (int i = 0; i < 30; i++)
		if (encoding == 0)
			at += sprintf((char *)at, "%g ", (double)vertices[i / 6][i % 6]);
		else
			put(&at, cs_bits_of_float(vertices[i / 6][i % 6]), 4, encoding == 2);
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k <= faces[i][0]; k++)
			if (encoding == 0)
				at += sprintf((char *)at, "%d ", (int)faces[i][k]);
			else
				put(&at, (uint32_t)faces[i][k], k ? 4 : 1, k && encoding == 2);
		if (encoding == 0)
			at += sprintf((char *)at, "7\n");
		else
			*at++ = 7;
	}
	return (size_t)(at - to);
}

static void test_ply(void)
{
	for (int encoding = 0; encoding < 3; encoding++) {
		unsigned char bytes[2000];
		size_t n = write_ply(encoding, bytes);
		struct cs_mesh_report report = {0};
		struct cs_mesh *mesh = NULL;
		works(cs_mesh_import(save("f.ply", bytes, n), NULL, &report, &mesh),
			"PLY: faces, encoding %d", encoding);
		ok(mesh && mesh->n_triangles == 3 && mesh->n_vertices == 5 && report.lines == 1 &&
				report.made_normals == 0 && has_corner(mesh, 8, 0.5, 0.5, 1),
			"PLY: a square and a triangle, encoding %d", encoding);
		cs_mesh_free(mesh);
		size_t header = (size_t)((unsigned char *)strstr((char *)bytes, "end_header\n") +
					 11 - bytes);
		int failed = 0;
		for (size_t cut = header; cut < n - (encoding == 0); cut++) {
			struct cs_error *error =
				cs_mesh_import(save("f.ply", bytes, cut), NULL, NULL, &mesh);
			failed += error != NULL;
			if (!error)
				cs_mesh_free(mesh);
			cs_error_free(error);
		}
		/* text that is cut within its last number may still be whole */
		ok(failed >= (int)(n - header) - 2, "PLY: encoding %d cut short is refused",
			encoding);
	}
	static const char zero[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
				   "property float y\nproperty float z\nelement face 1\n"
				   "property list uchar int vertex_index\nend_header\n"
				   "0 0 0\n1 0 0\n0 1 0\n";
	char text[400];
	struct cs_mesh *mesh;
	int n = snprintf(text, sizeof(text), "%s0\n", zero);
	fails(cs_mesh_import(save("z.ply", text, (size_t)n), NULL, NULL, &mesh), CS_E_MESH,
		"PLY: a face of no corners is refused");
	n = snprintf(text, sizeof(text), "%s4 0 1 2 3\n", zero);
	fails(cs_mesh_import(save("z.ply", text, (size_t)n), NULL, NULL, &mesh), CS_E_MESH,
		"PLY: a quad that names no vertex is refused");
	static const char points[] = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
				     "property float y\nproperty float z\nend_header\n1 2 3\n";
	struct cs_error *error =
		cs_mesh_import(save("z.ply", points, sizeof(points) - 1), NULL, NULL, &mesh);
	ok(error && strstr(error->message, "but no faces"), "PLY: a point cloud is called so");
	fails(error, CS_E_MESH, "PLY: and refused");
	mesh = read_text("n.ply",
		"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
		"property float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
		"property float scalar_heat\nelement face 1\nproperty list uchar int vertex_index\n"
		"end_header\n0 0 0 0 0 1 nan\n1 0 0 nan NaN -nan(ind) 2\n0 1 0 0 0 1 -inf\n3 0 1 2\n",
		NULL);
	ok(mesh && mesh->n_triangles == 1 && isfinite(mesh->normals[3]),
		"PLY: values that are no numbers, as CloudCompare writes them");
	cs_mesh_free(mesh);
}

/* The lines of a header may end with a carriage return; what follows may begin with a newline. */
static void test_ply_returns(void)
{
	static const char text[] =
		"ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty char x\r"
		"property char y\rproperty char z\relement face 1\r"
		"property list uchar uchar vertex_indices\rend_header\r"
		"\n\0\0\1\0\0\0\1\0\3\0\1\2";
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("cr.ply", text, sizeof(text) - 1), NULL, NULL, &mesh),
		"PLY: a header with carriage returns");
	ok(mesh && mesh->n_triangles == 1 && has_corner(mesh, 0, 10, 0, 0), "PLY: is read");
	cs_mesh_free(mesh);
}

static void hear_texcoord(void *context, enum cs_log_level level, const char *message)
{
	*(int *)context += level == CS_LOG_WARNING && strstr(message, "(texcoord) are not read");
}

/* MeshLab writes the UVs of corners with the faces: they are left out, and not without a word. */
static void test_ply_wedges(void)
{
	static const char text[] =
		"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
		"property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
		"property list uchar float texcoord\nend_header\n"
		"0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 1 0 0 1\n";
	int heard = 0;
	const struct cs_job job = {.log = hear_texcoord, .context = &heard};
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_import(save("w.ply", text, sizeof(text) - 1), &job, NULL, &mesh),
		"PLY: UVs of faces");
	ok(mesh && mesh->n_triangles == 1 && mesh->n_uvs == 0 && heard == 1, "PLY: are told");
	cs_mesh_free(mesh);
}

enum { TOLD = 4000 };

static void keep_log(void *context, enum cs_log_level level, const char *message)
{
	char *log = context;
	if (level == CS_LOG_WARNING)
		snprintf(log + strlen(log), TOLD - strlen(log), "%s\n", message);
}

/* Every warning names the file, and one of a thing is one. */
static void test_told_counts(void)
{
	static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nf 1 2 3\np 1\n";
	char log[TOLD] = "", twice[300] = "", want[TOLD];
	struct cs_job job = {.log = keep_log, .context = log};
	struct cs_mesh *mesh = NULL;
	snprintf(twice, sizeof(twice), "%sf 1 1 2\nf 1 2 4\no UCX_A\nf 1 2 3\n", text);
	const char *file = save("t.obj", twice, strlen(twice));
	works(cs_mesh_import(file, &job, NULL, &mesh), "counts");
	snprintf(want, sizeof(want),
		"%s: 1 degenerate triangle dropped\n"
		"%s: 1 triangle with coordinates beyond 1e15 or not finite dropped\n"
		"%s: 1 element of points or lines ignored\n"
		"%s: 1 triangle of collision shapes (UCX_ and the like) left out\n",
		file, file, file, file);
	is_text(log, want, "counts of one");
	cs_mesh_free(mesh);
	log[0] = '\0';
	snprintf(twice, sizeof(twice), "%sf 1 1 2\nf 1 1 2\n", text);
	file = save("t.obj", twice, strlen(twice));
	works(cs_mesh_import(file, &job, NULL, &mesh), "counts");
	snprintf(want, sizeof(want),
		"%s: 2 degenerate triangles dropped\n"
		"%s: 1 element of points or lines ignored\n",
		file, file);
	is_text(log, want, "counts of two");
	cs_mesh_free(mesh);
}

/* All names of colours, and each type, give the same bytes. */
static void test_ply_colors(void)
{
	static const struct {
		const char *type, *names[3], *values;
	} rows[] = {{"uchar", {"red", "green", "blue"}, "51 102 255"},
		{"ushort", {"red", "green", "blue"}, "13107 26214 65535"},
		{"float", {"r", "g", "b"}, ".2 .4 1"}, {"float", {"r", "g", "b"}, "51 102 255"},
		{"double", {"red", "green", "blue"}, "51.25 101.75 255"},
		{"float", {"red", "green", "blue"}, ".2 .4 1.5"},
		{"uchar", {"diffuse_red", "diffuse_green", "diffuse_blue"}, "51 102 255"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *type = rows[i].type, *color = rows[i].values;
		char text[600];
		snprintf(text, sizeof(text),
			"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
			"property float y\nproperty float z\nproperty %s %s\nproperty %s %s\n"
			"property %s %s\nelement face 1\nproperty list uchar int vertex_index\n"
			"end_header\n0 0 0 %s\n1 0 0 %s\n0 1 0 %s\n3 0 1 2\n",
			type, rows[i].names[0], type, rows[i].names[1], type, rows[i].names[2],
			color, color, color);
		struct cs_mesh *mesh = read_text("colors.ply", text, NULL);
		ok(mesh && mesh->colors && memcmp(mesh->colors, "\x33\x66\xff\xff", 4) == 0,
			"PLY: colours of %s %s", type, rows[i].names[0]);
		cs_mesh_free(mesh);
	}
}

/* ---- damage ---- */

static bool is_sound(const struct cs_mesh *mesh)
{
	for (size_t i = 0; i < 3 * (size_t)mesh->n_triangles; i++)
		if (mesh->indices[i] >= mesh->n_vertices)
			return false;
	for (size_t i = 0; i < 3 * (size_t)mesh->n_vertices; i++)
		if (!isfinite(mesh->positions[i]) || !isfinite(mesh->normals[i]))
			return false;
	return true;
}

static void test_mutants(const char *name, unsigned char *bytes, size_t n)
{
	struct cs_random random = {n};
	int unsound = 0, unnamed = 0, good = 0;
	for (int i = 0; i < 1500; i++) {
		struct cs_mesh *mesh = NULL;
		size_t at = cs_random_below(&random, (uint32_t)n);
		unsigned char before = bytes[at];
		bytes[at] = i % 3 ? (unsigned char)cs_random_u64(&random)
				  : (unsigned char)"0-9/.e \n\\\r"[i / 3 % 10];
		struct cs_error *error = cs_mesh_import(save(name, bytes, n), NULL, NULL, &mesh);
		good += !error;
		unsound += !error && !is_sound(mesh);
		unnamed += error && !*error->message;
		cs_mesh_free(mesh);
		cs_error_free(error);
		bytes[at] = before;
	}
	ok(unsound + unnamed == 0 && good > 0, "%s: of 1,500 mutants each is sound or refused",
		name);
}

static void test_damage(void)
{
	unsigned char ply[2000];
	char obj[] =
		"v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nv 2e0 -1.5 3\nvt 0 1\nvt 1 1\n"
		"vn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/1/1 4//1\nusemtl b\nf -1 -2 \\\n -3\nl 1 2\n";
	test_mutants("m.obj", (unsigned char *)obj, strlen(obj));
	size_t n = write_ply(1, ply);
	/* behind the header, so that none goes to the foreign reader */
	size_t header = (size_t)((unsigned char *)strstr((char *)ply, "end_header\n") + 11 - ply);
	struct cs_random random = {5};
	int unsound = 0;
	for (int i = 0; i < 1500; i++) {
		struct cs_mesh *mesh = NULL;
		size_t at = header + cs_random_below(&random, (uint32_t)(n - header));
		unsigned char before = ply[at];
		ply[at] = (unsigned char)cs_random_u64(&random);
		struct cs_error *error = cs_mesh_import(save("m.ply", ply, n), NULL, NULL, &mesh);
		unsound += error ? !*error->message : !is_sound(mesh);
		cs_mesh_free(mesh);
		cs_error_free(error);
		ply[at] = before;
	}
	is_int(unsound, 0, "m.ply: of 1,500 mutants each is sound or refused");
}

/* ---- against the foreign reader ---- */

static size_t count_far(const float *a, const float *b, size_t n, float most)
{
	size_t far = 0;
	for (size_t i = 0; i < n; i++)
		far += !(fabsf(a[i] - b[i]) <= most * (1 + fabsf(a[i])));
	return far;
}

/*
 * Compares with assimp, which rounds less exactly: the last bits of positions differ, and the
 * normals that are computed from them.
 */
static void test_foreign(const char *file)
{
	char name[4200];
	struct cs_mesh *ours = NULL, *theirs = NULL;
	struct cs_mesh_report report = {0}, read[2] = {{0}, {0}};
	snprintf(name, sizeof(name), "%s/meshes/%s", shared_data(), file);
	works(cs_mesh_read_obj(name, NULL, &read[0], &ours), "%s: read by ourselves", file);
	works(cs_mesh_read_foreign(name, NULL, &read[1], &theirs), "%s: read by assimp", file);
	if (!ours || !theirs)
		return;
	cs_error_free(cs_mesh_clean(ours, NULL, &report));
	cs_error_free(cs_mesh_clean(theirs, NULL, &report));
	size_t n = 3 * (size_t)ours->n_vertices;
	ok(ours->n_vertices == theirs->n_vertices && ours->n_triangles == theirs->n_triangles &&
			ours->n_uvs == theirs->n_uvs && read[0].lines == read[1].lines &&
			count_far(ours->positions, theirs->positions, n, 1e-6f) == 0,
		"%s: the same mesh", file);
	cs_mesh_free(ours);
	cs_mesh_free(theirs);
}

int main(void)
{
	static const char *const files[] = {"beast.obj", "beetle-alt.obj", "fandisk.obj",
		"nefertiti.obj", "spot.obj", "stanford-bunny.obj", "suzanne.obj"};
	test_statements();
	test_smoothing();
	test_collision();
	test_nothing_kept();
	test_continued_lines();
	test_long_line();
	test_refusals();
	test_long_file();
	test_cone();
	test_early_faces();
	test_ply();
	test_ply_returns();
	test_ply_wedges();
	test_told_counts();
	test_ply_colors();
	test_damage();
	for (size_t i = 0; shared_data() && i < sizeof(files) / sizeof(*files); i++)
		test_foreign(files[i]);
	if (!shared_data())
		skip("no shared data");
	return done();
}
