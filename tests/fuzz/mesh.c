/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesh files of every format, read as a program reads them: by our own readers, or by the import
 * helper. The first byte names the format. Each ends in a mesh or in an error with a name, within
 * the limit of memory and before the patience is over.
 */
#include "tests/fuzz/fuzz.h"

#include <cellscope/mesh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char fuzz_name[] = "mesh files";

enum { MEMORY = 64 << 20, PATIENCE = 4 };

static const char *const extensions[] = {"obj", "ply", "gltf", "glb", "fbx", "stl"};
enum { FORMATS = sizeof(extensions) / sizeof(extensions[0]) };

#define GLTF                                                                                 \
	"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"         \
	"\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0]}],\"meshes\":[{\"primitives\":"     \
	"[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":36,\"uri\":"     \
	"\"data:application/octet-stream;base64,"                                            \
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\"bufferViews\":[{\"buffer\":" \
	"0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"     \
	"\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}]}"

static const char fbx[] =
	"; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n"
	"\tFBXVersion: 7300\n}\nObjects:  {\n\tGeometry: 1, \"Geometry::g\", \"Mesh\" {\n"
	"\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n"
	"\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n"
	"\tModel: 2, \"Model::m\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n}\n"
	"Connections:  {\n\tC: \"OO\",2,0\n\tC: \"OO\",1,2\n}\n";

static void add_as(
	void (*add)(const void *, size_t), unsigned char format, const void *bytes, size_t n)
{
	unsigned char seed[4096] = {format};
	memcpy(seed + 1, bytes, n);
	add(seed, n + 1);
}

static void add_text(void (*add)(const void *, size_t), unsigned char format, const char *text)
{
	add_as(add, format, text, strlen(text));
}

static void add_glb(void (*add)(const void *, size_t))
{
	static const char json[] = GLTF "  "; /* chunks are whole words */
	unsigned char glb[2048] = "glTF\2\0\0";
	uint32_t n = (uint32_t)((sizeof(json) - 1) / 4 * 4), whole = n + 20;
	memcpy(glb + 8, &whole, 4);
	memcpy(glb + 12, &n, 4);
	memcpy(glb + 16, "JSON", 4);
	memcpy(glb + 20, json, n);
	add_as(add, 3, glb, whole);
}

static void add_stl(void (*add)(const void *, size_t))
{
	static const float facet[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
	unsigned char stl[134] = {0};
	stl[80] = 1;
	memcpy(stl + 84, facet, sizeof(facet));
	add_as(add, 5, stl, sizeof(stl));
	add_text(add, 5,
		"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
		"vertex 0 1 0\nendloop\nendfacet\nendsolid a\n");
}

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char head[] = "ply\nformat %s 1.0\nelement vertex 4\nproperty float x\n"
				   "property float y\nproperty float z\nelement face 2\n"
				   "property list uchar int vertex_indices\nend_header\n";
	static const float at[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
	static const unsigned char faces[26] = {
		3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0};
	char ply[1024];
	add_text(add, 0,
		"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvn 0 0 1\nusemtl red\n"
		"f 1/1/1 2/1/1 3/1/1\nf 2//1 4//1 3//1\nl 1 2\n");
	int n = snprintf(ply, sizeof(ply), head, "ascii");
	snprintf(
		ply + n, sizeof(ply) - (size_t)n, "0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n3 2 1 3\n");
	add_text(add, 1, ply);
	n = snprintf(ply, sizeof(ply), head, "binary_little_endian");
	memcpy(ply + n, at, sizeof(at));
	memcpy(ply + n + sizeof(at), faces, sizeof(faces));
	add_as(add, 1, ply, (size_t)n + sizeof(at) + sizeof(faces));
	add_text(add, 2, GLTF);
	add_glb(add);
	add_text(add, 4, fbx);
	add_stl(add);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_late(void *context)
{
	return seconds() > *(const double *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static char folder[] = "/tmp/cellscope-fuzz-XXXXXX";
	static bool has_folder;
	struct cs_limits limits = cs_limits_default();
	double end = seconds() + PATIENCE;
	const struct cs_job job = {
		.threads = 1, .limits = &limits, .interrupted = is_late, .context = &end};
	char path[64];
	limits.memory = MEMORY;
	if (size == 0)
		return 0;
	if (!has_folder && !mkdtemp(folder))
		abort();
	has_folder = true;
	snprintf(path, sizeof(path), "%s/m.%s", folder, extensions[bytes[0] % FORMATS]);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes + 1, 1, size - 1, file) != size - 1 || fclose(file) != 0)
		abort();
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_import(path, &job, NULL, &mesh);
	if (!error)
		cs_mesh_free(mesh);
	else if (!*cs_error_message(error) || cs_error_code(error) == CS_E_INTERNAL)
		abort();
	cs_error_free(error);
	unlink(path);
	if (rmdir(folder) == 0) {
		memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
		has_folder = false;
	}
	return 0;
}
