/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mesh files of every format, read as a program reads them: by our own readers, or by the import
 * helper. The first byte names the format. Each ends in a mesh or in an error with a name, within
 * the limit of memory and before the patience is over.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mesh_seeds.h"
#include "tests/samples/folder.h"

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

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	mesh_seeds(add);
}

const char *const fuzz_words[] = {"element face 4294967295\n",
	"property list uchar int vertex_indices\n", "property list float double x\n",
	"format binary_big_endian 1.0\n", "comment", "end_header\n", "f -1 -2 -3\n",
	"f 1//9 2/7 3\n", "v nan inf -1e39\n", "usemtl", "mtllib m.obj\n", "g", "s off\n",
	"\"children\":[0],", "\"children\":[1,1,1,1],", "\"mesh\":9,", "\"skin\":0,",
	"\"count\":1000000000,", "\"byteStride\":0,", "\"byteOffset\":-4,",
	"\"sparse\":{\"count\":9},", "\"uri\":\"m.gltf\",", "\"uri\":\"data:;base64,\",",
	"\"mode\":6,", "\"matrix\":[1],", "5125", "\"MAT4\"", "null", "{}", "[]", "endsolid",
	"vertex 1 1", "facet", "outer loop", "Connections:  {\n", "C: \"OO\",2,2\n",
	"Vertices: *999999999 {", "a: ", "PolygonVertexIndex: *3 {", "}", "LayerElementNormal: 0 {",
	NULL};

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
	struct cs_limits limits = cs_limits_default();
	double end = seconds() + PATIENCE;
	const struct cs_job job = {
		.threads = 1, .limits = &limits, .interrupted = is_late, .context = &end};
	char path[4096];
	limits.memory = MEMORY;
	if (size == 0)
		return 0;
	snprintf(path, sizeof(path), "%s/fuzz.%s", test_folder(), extensions[bytes[0] % FORMATS]);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes + 1, 1, size - 1, file) != size - 1 || fclose(file) != 0)
		abort();
	struct cs_mesh *mesh;
	struct cs_error *error = cs_mesh_import(path, &job, NULL, &mesh);
	if (!error)
		cs_mesh_free(mesh);
	else if (!*error->message || error->code == CS_E_INTERNAL)
		abort();
	fuzz_note(error);
	unlink(path);
	return 0;
}
