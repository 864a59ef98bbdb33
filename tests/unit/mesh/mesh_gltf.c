/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of glTF and FBX files: what is read, what is left out and told, and what is refused. */
#include "mesh/mesh_readers.h"

#include "core/cursor.h"
#include "core/writer.h"
#include "format/save.h"
#include "tests/make/writes.h"
#include "tests/samples/folder.h"
#include "tests/samples/tap.h"

static char path[4096];

static const char *save(const char *name, const void *bytes, size_t n)
{
	snprintf(path, sizeof(path), "%s/%s", test_folder(), name);
	struct cs_error *error = cs_save_whole(path, bytes, n);
	if (error)
		abort();
	return path;
}

#define SPARSE(count, type)                                                                     \
	"\"sparse\":{\"count\":" count ",\"indices\":{\"bufferView\":0,\"componentType\":" type \
	"},\"values\":{\"bufferView\":0}},"

/* Files that assimp reads without an error, but not what is in them. */
static void test_misread_gltf(void)
{
	static const struct {
		const char *what, *required, *attribute, *accessor;
		enum cs_code code;
		const char *message; /* part of the text of the error; NULL: any */
	} rows[] = {
		{"as it is", "", "NORMAL", "\"componentType\":5126", 0},
		{"materials", "KHR_materials_unlit", "NORMAL", "\"componentType\":5126", 0},
		{"an extension", "EXT_meshopt_compression", "NORMAL", "\"componentType\":5126",
			CS_E_FEATURE},
		{"an extension behind a name in Latin-1",
			"KHR_materials_caf\xe9\",\"EXT_meshopt_compression", "NORMAL",
			"\"componentType\":5126", CS_E_FEATURE, "EXT_meshopt_compression"},
		{"positions of 32-bit integers", "KHR_mesh_quantization", "POSITION",
			"\"componentType\":5125", CS_E_FEATURE,
			"has components of a type that cannot be read"},
		{"positions of doubles", "", "POSITION", "\"componentType\":5130", CS_E_FEATURE,
			"has components of a type that cannot be read"},
		{"sparse normals in bytes", "KHR_mesh_quantization", "NORMAL",
			"\"sparse\":{\"count\":0},\"componentType\":5120", CS_E_FEATURE},
		{"sparse, interleaved", "", "NORMAL",
			"\"sparse\":{\"count\":0},\"componentType\":5126", CS_E_FEATURE},
		{"values behind their view", "", "NORMAL",
			"\"byteOffset\":12,\"componentType\":5126", CS_E_MESH},
		{"sparse values behind their view", "", "COLOR_0",
			SPARSE("4", "5121") "\"componentType\":5126", CS_E_MESH,
			"accessor 1 (counted from 0) has sparse values that end after the end of "
			"their buffer view"},
		{"sparse indices behind their view", "", "COLOR_0",
			SPARSE("10", "5125") "\"componentType\":5121", CS_E_MESH,
			"accessor 1 (counted from 0) has sparse values that end after the end of "
			"their buffer view"},
		{"values before their view", "", "COLOR_0",
			"\"byteOffset\":-12,\"componentType\":5126", CS_E_MESH},
		{"normals of fewer vertices", "", "NORMAL", "\"componentType\":5126,\"count\":2",
			CS_E_MESH},
		{"normals of two components", "", "NORMAL",
			"\"componentType\":5126,\"type\":\"VEC2\"", CS_E_MESH,
			"has the type VEC2 instead of VEC3"},
		{"UVs of three components", "", "TEXCOORD_0", "\"componentType\":5126", CS_E_MESH,
			"has the type VEC3 instead of VEC2"},
		{"values that overlap", "", "COLOR_0", "\"componentType\":5126,\"type\":\"VEC4\"",
			CS_E_MESH,
			"needs a larger byteStride: its items overlap in the buffer view"},
		{"instances",
			"KHR_materials_unlit\"],\"extensionsUsed\":[\"EXT_mesh_gpu_instancing",
			"NORMAL", "\"componentType\":5126", CS_E_FEATURE},
		{"a skin without matrices",
			"KHR_materials_unlit\"],\"skins\":[{\"joints\":[0]}],\"x\":[\"", "NORMAL",
			"\"componentType\":5126", CS_E_FEATURE},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1000];
		struct cs_mesh *mesh = NULL;
		const char *quote = rows[i].required[0] ? "\"" : "";
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[%s%s%s],"
			"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"%s\":1}}]}],"
			"\"buffers\":[{\"byteLength\":36,\"uri\":"
			"\"data:application/octet-stream;base64,"
			"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
			"{\"buffer\":0,\"byteLength\":36,\"byteStride\":12}],\"accessors\":"
			"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
			"{\"bufferView\":1,\"count\":3,\"type\":\"VEC3\",%s}]}",
			quote, rows[i].required, quote, rows[i].attribute, rows[i].accessor);
		save("q.gltf", text, (size_t)n);
		struct cs_error *refused = cs_mesh_import(path, NULL, NULL, &mesh);
		if (rows[i].message)
			ok(refused && strstr(refused->message, rows[i].message),
				"glTF: what is told of %s: %s", rows[i].what,
				refused ? refused->message : "nothing");
		if (!rows[i].code)
			works(refused, "glTF: %s", rows[i].what);
		else
			fails(refused, rows[i].code, "glTF: %s", rows[i].what);
		cs_mesh_free(mesh);
	}
	struct cs_mesh *mesh = NULL;
	struct cs_error *error = cs_mesh_import(save("q.gltf", "{\n//", 4), NULL, NULL, &mesh);
	ok(error && error->offset == 3 &&
			strncmp(error->message, "line 2 is not valid JSON", 24) == 0,
		"glTF: a comment: %s", error ? error->message : "");
	fails(error, CS_E_MESH, "is refused where it is");
	error = cs_mesh_import(save("q.gltf", "{\"\xe9\":\n//", 8), NULL, NULL, &mesh);
	ok(error && error->offset == 7, "glTF: behind a name in Latin-1: %lld",
		error ? (long long)error->offset : -2);
	fails(error, CS_E_MESH, "is refused where it is");
}

/* Triangles of glTF that are not whole, or of vertices that do not exist, are refused. */
static void test_lost_gltf(void)
{
	static const struct {
		const char *what, *bytes;
		int mode, corners;
		bool good;
	} rows[] = {
		{"a triangle", "AAABAAIA", 4, 3, true},
		{"a strip", "AAABAAIA", 5, 3, true},
		{"a line", "AAABAAIA", 3, 3, false},
		{"a corner out of range", "AAABAAMA", 4, 3, false},
		{"in a strip", "AAABAAIAAwA=", 5, 4, false},
		{"four corners", "AAABAAIAAAA=", 4, 4, false},
		{"a strip of two corners", "AAABAAIA", 5, 2, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1200];
		struct cs_mesh *mesh = NULL;
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			"\"nodes\":[{\"children\":[1]},{\"mesh\":0}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
			"{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":%d}]}],"
			"\"buffers\":[{\"byteLength\":36,\"uri\":"
			"\"data:application/octet-stream;base64,"
			"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"},"
			"{\"byteLength\":%d,\"uri\":"
			"\"data:application/octet-stream;base64,%s\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
			"{\"buffer\":1,\"byteLength\":%d}],\"accessors\":"
			"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
			"{\"bufferView\":1,\"componentType\":5123,\"count\":%d,"
			"\"type\":\"SCALAR\"}]}",
			rows[i].mode, 2 * rows[i].corners, rows[i].bytes, 2 * rows[i].corners,
			rows[i].corners);
		save("l.gltf", text, (size_t)n);
		if (rows[i].good || rows[i].mode == 3)
			works(cs_mesh_import(path, NULL, NULL, &mesh), "glTF: %s", rows[i].what);
		else
			fails(cs_mesh_import(path, NULL, NULL, &mesh), CS_E_MESH, "glTF: %s",
				rows[i].what);
		if (mesh)
			is_int(mesh->n_triangles, 1 + rows[i].good, "glTF: its triangles");
		cs_mesh_free(mesh);
	}
}

/* A buffer whose URI has an escaped space, and colours without alpha. */
static void test_gltf_buffer(void)
{
	static const float places[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const char gltf[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
		"{\"POSITION\":0,\"COLOR_0\":1}}]}],\"buffers\":[{\"byteLength\":72,"
		"\"uri\":\"my%20mesh.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
		"{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36}],\"accessors\":"
		"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
		"{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
	struct cs_mesh *mesh = NULL;
	save("my mesh.bin", places, sizeof(places));
	works(cs_mesh_import(save("u.gltf", gltf, sizeof(gltf) - 1), NULL, NULL, &mesh),
		"glTF: a buffer whose URI has an escaped space");
	ok(mesh && mesh->colors && memcmp(mesh->colors, "\0\0\xff\xff", 4) == 0,
		"glTF: colours without alpha are opaque");
	cs_mesh_free(mesh);
}

/* Colours have the alpha of the file, also if it is 0, or 1; other attributes may share them. */
static void test_alpha(void)
{
	static const struct {
		const char *attributes, *view, *accessor, *want;
	} rows[] = {
		{"", "\"byteLength\":48", "\"componentType\":5126,\"type\":\"VEC4\"", "\0\0\xff\0"},
		{",\"NORMAL\":1", "\"byteLength\":48,\"byteStride\":16",
			"\"componentType\":5126,\"type\":\"VEC3\"", "\0\0\xff\xff"},
		{"", "\"byteOffset\":48,\"byteLength\":11,\"byteStride\":4",
			"\"componentType\":5121,\"normalized\":true,\"type\":\"VEC3\"",
			"\0\0\xff\xff"},
		{"", "\"byteLength\":36",
			"\"componentType\":5126,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
			"\"indices\":{\"bufferView\":0,\"componentType\":5121},"
			"\"values\":{\"bufferView\":0}}",
			"\0\0\0\xff"},
		/* a view that ends with its last item, as glTF allows */
		{"", "\"byteLength\":56,\"byteStride\":20",
			"\"componentType\":5126,\"type\":\"VEC4\"", "\0\0\xff\0"},
		/* a name in Latin-1 */
		{",\"_CAF\xe9\":1", "\"byteLength\":36", "\"componentType\":5126,\"type\":\"VEC3\"",
			"\0\0\xff\xff"},
	};
	static const float values[21] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, /* three colours */
		0, 0, 0, 1, 0, 0, 0, 1, 0 /* three positions */};
	unsigned char bytes[sizeof(values) + 12];
	memcpy(bytes, values, 48);
	memcpy(bytes + 48, "\0\0\xff\7\0\0\xff\7\0\0\xff\7", 12);
	memcpy(bytes + 60, values + 12, 36);
	save("c.bin", bytes, sizeof(bytes));
	save("caf\xe9.bin", bytes, sizeof(bytes)); /* beside a file in Latin-1 */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[900];
		struct cs_mesh *mesh = NULL;
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
			"{\"POSITION\":0,\"COLOR_0\":1%s}}]}],\"buffers\":[{\"byteLength\":96,"
			"\"uri\":\"%s.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":60,"
			"\"byteLength\":36},{\"buffer\":0,%s}],\"accessors\":[{\"bufferView\":0,"
			"\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
			"{\"bufferView\":1,\"count\":3,%s}]}",
			rows[i].attributes, strchr(rows[i].attributes, '\xe9') ? "caf\xe9" : "c",
			rows[i].view, rows[i].accessor);
		struct cs_error *error =
			cs_mesh_import(save("c.gltf", text, (size_t)n), NULL, NULL, &mesh);
		ok(mesh && mesh->colors && memcmp(mesh->colors, rows[i].want, 4) == 0 &&
				(double)mesh->normals[2] == 1,
			"glTF: colours of %s: %s", rows[i].accessor,
			error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

/* A triangle with colours without alpha, which Draco stores as they are. */
static void test_draco(void)
{
	static const unsigned char head[] = "DRACO\2\2\1\0\0\0"     /* a mesh, in sequence */
					    "\1\3\1\0\1\2"          /* 1 triangle of 3 corners */
					    "\1\2"                  /* 2 attributes: */
					    "\0\11\3\0\0"           /* position, 3 floats, id 0 */
					    "\2\11\3\0\1"           /* color, 3 floats, id 1 */
					    "\0\0";                 /* both as they are */
	static const float values[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, /* then the colours */
		0, 0, 1, 0, 0, 1, 0, 0, 1};
	unsigned char bytes[sizeof(head) - 1 + sizeof(values)];
	memcpy(bytes, head, sizeof(head) - 1);
	memcpy(bytes + sizeof(head) - 1, values, sizeof(values));
	save("draco.bin", bytes, sizeof(bytes));
	char text[1000];
	struct cs_mesh *mesh = NULL;
	int n = snprintf(text, sizeof(text),
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":"
		"0}],\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
		"\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],\"meshes\":[{\"primitives\":["
		"{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":2,\"extensions\":{"
		"\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":0,"
		"\"COLOR_0\":1}}}}]}],\"buffers\":[{\"byteLength\":%zu,\"uri\":\"draco.bin\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"accessors\":["
		"{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
		"{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
		"{\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}]}",
		sizeof(bytes), sizeof(bytes));
	struct cs_error *error =
		cs_mesh_import(save("draco.gltf", text, (size_t)n), NULL, NULL, &mesh);
	ok(mesh && mesh->n_triangles == 1 && mesh->colors &&
			memcmp(mesh->colors, "\0\0\xff\xff", 4) == 0,
		"glTF: Draco with colours without alpha: %s", error ? error->message : "read");
	cs_error_free(error);
	cs_mesh_free(mesh);
}

/*
 * Integers that are positions and colours of two primitives, beside a buffer that nothing reads
 * and that is missing.
 */
static void test_shared_colors(void)
{
	static const unsigned char bytes[24] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	static const char form[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":"
		"0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":0}},"
		"{\"attributes\":{\"POSITION\":0,\"COLOR_0\":0}}]}],\"buffers\":[{\"byteLength\":24,"
		"\"uri\":\"shared.bin\"},{\"byteLength\":9,\"uri\":\"gone.bin\"}],\"bufferViews\":[{"
		"\"buffer\":0,\"byteLength\":24,\"byteStride\":8}],\"accessors\":[{\"bufferView\":0,"
		"\"componentType\":5123,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"}],"
		"\"extensionsUsed\":[\"KHR_mesh_quantization\"]}";
	struct cs_mesh *mesh = NULL;
	save("shared.bin", bytes, sizeof(bytes));
	struct cs_error *error =
		cs_mesh_import(save("shared.gltf", form, sizeof(form) - 1), NULL, NULL, &mesh);
	ok(mesh && mesh->colors && mesh->n_triangles == 2 &&
			memcmp(mesh->colors + 4, "\xff\0\0\xff", 4) == 0,
		"glTF: colours that are positions, too, and a buffer that nothing reads: %s",
		error ? error->message : "read");
	cs_error_free(error);
	cs_mesh_free(mesh);
}

/* Buffers that cannot be had, and what is told of them. */
static void test_bad_buffers(void)
{
	static const struct {
		const char *uri, *message;
	} rows[] = {
		{"data:application/octet-stream;base64,"
		 "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA",
			NULL},
		{"data:application/octet-stream;base64,"
		 "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAA!AAgD8AAAAA",
			"buffer 0 (counted from 0) is not valid base64"},
		{"../b.bin", "the buffer ../b.bin is outside of the folder of the file"},
		{"nothing.bin", "cannot open"},
		{"sub/whole.bin", "cannot open"},
		{"http://here/whole.bin", "cannot open"},
		{"whole.bin", NULL},
		{"short.bin", "buffer 0 (counted from 0) contains only 35 of its 36 bytes"},
	};
	static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	save("whole.bin", corners, sizeof(corners));
	save("short.bin", corners, sizeof(corners) - 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[700];
		struct cs_mesh *mesh = NULL;
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
			"\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":36,"
			"\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
			"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
			"\"type\":\"VEC3\"}]}",
			rows[i].uri);
		struct cs_error *error =
			cs_mesh_import(save("b.gltf", text, (size_t)n), NULL, NULL, &mesh);
		ok(rows[i].message ? error && strstr(error->message, rows[i].message) : !!mesh,
			"glTF: buffer %s: %s", rows[i].uri, error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

/* Writes the three corners 0,0,0; most,0,0; 0,half,least as integers, each in `stride` bytes. */
static void put_corners(struct cs_writer *to, int component, size_t stride)
{
	static const int ends[][3] = {
		{127, 64, -128}, {255, 128, 0}, {32767, 16384, -32768}, {65535, 32768, 0}};
	const int *end = ends[component - 5120];
	const int corners[3][3] = {{0, 0, 0}, {end[0], 0, 0}, {0, end[1], end[2]}};
	for (size_t v = 0; v < 3; v++) {
		const size_t from = to->size;
		for (size_t k = 0; k < 3; k++)
			if (component < 5122)
				cs_writer_u8(to, (uint8_t)corners[v][k]);
			else
				cs_writer_u16(to, (uint16_t)corners[v][k]);
		while (to->size < from + stride)
			cs_writer_u8(to, 0x55);
	}
}

/* Wraps the JSON and the buffer into a GLB. */
static void put_glb(struct cs_writer *to, const char *json, const struct cs_writer *buffer)
{
	const size_t n = (strlen(json) + 3) / 4 * 4, size = (buffer->size + 3) / 4 * 4;
	cs_writer_print(to, "glTF");
	cs_writer_u32(to, 2);
	cs_writer_u32(to, (uint32_t)(28 + n + size));
	cs_writer_u32(to, (uint32_t)n);
	cs_writer_print(to, "JSON%s%*s", json, (int)(n - strlen(json)), "");
	cs_writer_u32(to, (uint32_t)size);
	cs_writer_print(to, "BIN%c", 0);
	cs_writer_bytes(to, buffer->bytes, buffer->size);
	cs_writer_align(to, 4);
}

/* Positions and UVs of integers are what they would be as floats, in each kind of file. */
static void test_integers(int component, bool normalized, const char *uri, const char *name)
{
	static const double ends[][3] = {
		{127, 64, -128}, {255, 128, 0}, {32767, 16384, -32768}, {65535, 32768, 0}};
	const double *end = ends[component - 5120], most = normalized ? end[0] : 1;
	const size_t stride = component < 5122 ? 4 : 8;
	char json[1200];
	struct cs_writer buffer = {0}, glb = {0};
	struct cs_mesh *mesh = NULL;
	cs_writer_u32(&buffer, 0x55555555);
	put_corners(&buffer, component, stride);
	save("integers.bin", buffer.bytes, buffer.size);
	snprintf(json, sizeof(json),
		"{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_mesh_quantization\"],"
		"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}},"
		"{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1}}]}],"
		"\"buffers\":[{%s\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,"
		"\"byteOffset\":4,\"byteLength\":%zu,\"byteStride\":%zu}],\"accessors\":"
		"[{\"bufferView\":0,\"componentType\":%d,\"normalized\":%s,\"count\":3,"
		"\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":%d,\"normalized\":true,"
		"\"count\":3,\"type\":\"VEC2\"}]}",
		uri, buffer.size, 3 * stride, stride, component, normalized ? "true" : "false",
		component);
	if (*uri)
		cs_writer_print(&glb, "%s", json);
	else
		put_glb(&glb, json, &buffer);
	works(cs_mesh_import(save(name, glb.bytes, glb.size), NULL, NULL, &mesh),
		"%s: integers of type %d", name, component);
	const float want[3][3] = {{0, 0, 0}, {(float)end[0] / (float)most, 0, 0},
		{0, (float)end[1] / (float)most,
			normalized && end[2] < 0 ? -1 : (float)end[2] / (float)most}};
	const float uv = 1 - (float)end[1] / (float)end[0];
	ok(mesh && mesh->n_triangles == 2 && mesh->n_vertices == 3 &&
			memcmp(mesh->positions, want, sizeof(want)) == 0 &&
			mesh->uvs[0][2] == 1.0f && mesh->uvs[0][5] == uv,
		"their values");
	cs_mesh_free(mesh);
	cs_writer_deinit(&buffer);
	cs_writer_deinit(&glb);
}

/*
 * A GLB of normalised integers whose head states a wrong length, or whose name is not that of a
 * GLB. Its integers are read and the file is written anew only when its length was checked.
 */
static void test_glb_heads(void)
{
	static const char json[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
		"{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":24}],\"bufferViews\":"
		"[{\"buffer\":0,\"byteLength\":24,\"byteStride\":8}],\"accessors\":"
		"[{\"bufferView\":0,\"componentType\":5122,\"count\":3,\"type\":\"VEC3\"}]}";
	static const struct {
		const char *name;
		uint32_t size, length; /* of the file, and in its head; 0: as it is */
		enum cs_code code;
		const char *message;
		uint32_t version; /* 0: 2 */
	} rows[] = {
		{"h.glb", 0, 0, 0, "", 0},
		{"h.glb", 0, 1U << 28, CS_E_FEATURE, "version 1 of GLB", 1},
		{"h.glb", 0, 1U << 28, CS_E_TRUNCATED, "the content that the header declares", 0},
		{"h.glb", 0, 19, CS_E_MESH, "the header declares a GLB of 19 bytes", 0},
		{"h.glb", 0, 20, CS_E_TRUNCATED, "the chunk ends at byte", 0},
		{"h.glb", 19, 19, CS_E_TRUNCATED, "the head of a GLB needs a file of 20 bytes", 0},
		{"h.gltf", 0, 0, CS_E_MESH, "the file is a GLB, so its name must end in .glb", 0},
		{"h.gltf", 0, 1U << 28, CS_E_MESH, "the file is a GLB", 0},
		{"h.gltf", 0, 5, CS_E_MESH, "the file is a GLB", 0},
		{"h.gltf", 4, 0, CS_E_MESH, "the file is a GLB", 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_writer buffer = {0}, glb = {0};
		struct cs_mesh *mesh = NULL;
		put_corners(&buffer, 5122, 8);
		put_glb(&glb, json, &buffer);
		if (rows[i].length)
			cs_store32(glb.bytes + 8, rows[i].length);
		if (rows[i].version)
			cs_store32(glb.bytes + 4, rows[i].version);
		struct cs_error *error = cs_mesh_import(
			save(rows[i].name, glb.bytes, rows[i].size ? rows[i].size : glb.size), NULL,
			NULL, &mesh);
		ok(rows[i].code ? error && error->code == rows[i].code &&
					  strstr(error->message, rows[i].message)
				: !error && mesh,
			"%s, length %u: %s", rows[i].name, rows[i].length,
			error ? error->message : "is read");
		cs_error_free(error);
		cs_mesh_free(mesh);
		cs_writer_deinit(&buffer);
		cs_writer_deinit(&glb);
	}
}

/* Names of two nodes with the same triangle, and how many triangles are left out, and why. */
static void test_parts(void)
{
	static const struct {
		const char *names[2];
		uint64_t collision, coarse_lods;
	} rows[] = {
		{{"Rock", "Rock_2"}, 0, 0},
		{{"Rock", "UCX_Rock_01"}, 1, 0},
		{{"ubx_Rock", "Rock"}, 1, 0},
		{{"Rock", "UCXRock"}, 0, 0},
		{{"Rock_LOD0", "Rock_LOD1"}, 0, 1},
		{{"Rock_lod2", "Rock_LOD0"}, 0, 1},
		{{"Rock_LOD0", "Tree_LOD1"}, 0, 0},
		{{"Rock_LOD1", "Rock_LOD2"}, 0, 0},
		{{"Rock_LOD0", "Rock_LOD0"}, 0, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1000];
		struct cs_mesh *mesh = NULL;
		struct cs_mesh_report report = {0};
		const char *const *names = rows[i].names;
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			"\"nodes\":[{\"children\":[1,2]},{\"mesh\":0,\"name\":\"%s\"},"
			"{\"mesh\":0,\"name\":\"%s\",\"translation\":[5,0,0]}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
			"\"TEXCOORD_0\":1,\"TEXCOORD_1\":1,\"TEXCOORD_2\":1,\"TEXCOORD_3\":1,"
			"\"TEXCOORD_4\":1}}]}],\"buffers\":[{\"byteLength\":36,\"uri\":"
			"\"data:application/octet-stream;base64,"
			"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":"
			"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
			"{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}]}",
			names[0], names[1]);
		works(cs_mesh_import(save("p.gltf", text, (size_t)n), NULL, &report, &mesh),
			"glTF: nodes %s and %s", names[0], names[1]);
		const uint64_t left = rows[i].collision + rows[i].coarse_lods;
		ok(mesh && mesh->n_triangles == 2 - left && mesh->n_uvs == CS_MESH_UVS &&
				report.collision == rows[i].collision &&
				report.coarse_lods == rows[i].coarse_lods &&
				report.more_uvs == 2 - left,
			"glTF: what is left out is counted");
		cs_mesh_free(mesh);
	}
}

/* The error of a mesh of which everything is left out says why nothing is left. */
static void test_nothing_left(void)
{
	static const struct {
		const char *names[3];
		int modes[2];      /* of the mesh of the first node and of that of the others */
		const char *scale; /* "0" makes all triangles degenerate */
		const char *message;
	} rows[] = {
		{{"UCX_Rock", "ubx_Rock", "Ucp_Rock"}, {4, 4}, "1",
			"the mesh has no triangle, apart from those of collision shapes"},
		{{"Rock_LOD0", "Rock_LOD1", "Rock_LOD2"}, {0, 4}, "1",
			"the mesh has no triangle, apart from those of coarser levels "
			"(_LOD1 and so on)"},
		{{"Rock_LOD0", "Rock_LOD1", "UCX_Rock"}, {0, 4}, "1",
			"the mesh has no triangle, apart from those of collision shapes and "
			"coarser levels (_LOD1 and so on)"},
		{{"Rock_LOD0", "UCX_Rock", "USP_Rock"}, {0, 4}, "1",
			"the mesh has no triangle, apart from those of collision shapes"},
		{{"Rock", "Tree", "Wall"}, {0, 0}, "1", "the mesh has no triangle"},
		{{"Rock", "Tree", "Wall"}, {4, 4}, "0",
			"the mesh has no triangle with three different corners at finite "
			"positions"},
		{{"Rock", "Tree", "UCX_Rock"}, {4, 4}, "0",
			"the mesh has no triangle with three different corners at finite "
			"positions, apart from those of collision shapes"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1200];
		struct cs_mesh *mesh = NULL;
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1,2]}],"
			"\"nodes\":[{\"mesh\":0,\"name\":\"%s\",\"scale\":[%s,1,1]},"
			"{\"mesh\":1,\"name\":\"%s\",\"scale\":[%s,1,1]},"
			"{\"mesh\":1,\"name\":\"%s\",\"scale\":[%s,1,1]}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
			"\"mode\":%d}]},{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
			"\"mode\":%d}]}],\"buffers\":[{\"byteLength\":36,\"uri\":"
			"\"data:application/octet-stream;base64,"
			"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":"
			"[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
			"\"type\":\"VEC3\"}]}",
			rows[i].names[0], rows[i].scale, rows[i].names[1], rows[i].scale,
			rows[i].names[2], rows[i].scale, rows[i].modes[0], rows[i].modes[1]);
		struct cs_error *error =
			cs_mesh_import(save("n.gltf", text, (size_t)n), NULL, NULL, &mesh);
		const char *end = error ? strstr(error->message, "the mesh") : NULL;
		is_text(end ? end : "", rows[i].message, "glTF: nodes %s, %s and %s",
			rows[i].names[0], rows[i].names[1], rows[i].names[2]);
		fails(error, CS_E_MESH, "glTF: are refused");
	}
}

/*
 * Weights of two morph targets in the mesh and in its node, and how far x = 1 moves. The first
 * target moves it by 2; the second by the bytes of 1, which as an integer is 16256.
 */
static void test_targets(void)
{
	static const struct {
		const char *mesh, *node, *second;
		float x;
	} rows[] = {
		{"", "", "", 1},
		{"\"weights\":[0,0],", "", "", 1},
		{"\"weights\":[0.5,0],", "", "", 2},
		{"\"weights\":[0.5,0],", "\"weights\":[1,0],", "", 3},
		{"\"weights\":[0.5,0],", "\"weights\":[0,0],", "", 1},
		{"", "\"weights\":[0.5,0.25],", "", 2.25f},
		{"", "\"weights\":[0.5,0.25],", "\"byteOffset\":52,\"componentType\":5122,", 4},
		{"\"weights\":[0,0.25],", "", "\"componentType\":5125,", 0},
		{"\"weights\":[0,0],", "", "\"componentType\":5125,", 1},
		{"\"weights\":[0,0.25],", "", "\"count\":2,", 0},
		{"\"weights\":[0,0.25],", "", "\"type\":\"VEC2\",", 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1500];
		const char *second = rows[i].second;
		/* of two members of one name the later is read, so the row's come last */
		int n = snprintf(text, sizeof(text),
			"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			"\"nodes\":[{%s\"mesh\":0}],\"meshes\":[{%s\"primitives\":[{"
			"\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1},"
			"{\"POSITION\":2}]}]}],\"buffers\":[{\"byteLength\":72,\"uri\":"
			"\"data:application/octet-stream;base64,"
			"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
			"AQAAAAAAAEAAAAAAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAAAA\"}],"
			"\"bufferViews\":[{\"buffer\":0,\"byteLength\":72}],\"accessors\":["
			"{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
			"{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{"
			"\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":36,"
			"\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":40}}},"
			"{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",%s"
			"\"name\":\"\"}]}",
			rows[i].node, rows[i].mesh, second);
		struct cs_mesh *mesh = NULL;
		struct cs_error *error =
			cs_mesh_import(save("m.gltf", text, (size_t)n), NULL, NULL, &mesh);
		float most = 0;
		for (uint32_t v = 0; mesh && v < mesh->n_vertices; v++)
			most = fmaxf(most, mesh->positions[3 * v]);
		ok(most == rows[i].x, "glTF: targets with weights %s%s%s: x %g: %s", rows[i].mesh,
			rows[i].node, second, (double)most, error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

/* Of two models the second has a geometry that cannot be read, so the first is not read alone. */
static void test_lost_fbx(void)
{
	static const struct {
		const char *places, *corners, *message;
	} rows[] = {
		{"0,0,1,1,0,1,0,2,1", "0,1,-3", NULL},
		{"0,0,1,1,0,1,0,2,1", "0,1,-4", "polygon vertex index out of range"},
		{"0,0,1,1,0,1,0,2", "0,1,-3", "number of floats is not a multiple of three"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1500];
		struct cs_mesh *mesh = NULL;
		int n = snprintf(text, sizeof(text),
			"; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
			"Objects: {\nGeometry: 100, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\n"
			"a: 0,0,0,1,0,0,0,2,0\n}\nPolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n"
			"Geometry: 101, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\n"
			"a: %s\n}\nPolygonVertexIndex: *3 {\na: %s\n}\n}\n"
			"Model: 200, \"Model::A\", \"Mesh\" {\nVersion: 232\n}\n"
			"Model: 201, \"Model::B\", \"Mesh\" {\nVersion: 232\n}\n}\n"
			"Connections: {\nC: \"OO\",200,0\nC: \"OO\",201,0\n"
			"C: \"OO\",100,200\nC: \"OO\",101,201\nC: \"OO\",102,201\n}\n",
			rows[i].places, rows[i].corners);
		struct cs_error *error =
			cs_mesh_import(save("l.fbx", text, (size_t)n), NULL, NULL, &mesh);
		ok(rows[i].message ? error && strstr(error->message, rows[i].message)
				   : mesh && mesh->n_triangles == 2,
			"FBX: a second geometry: %s", error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

/*
 * A file of one triangle, whose corners are the origin, 1 along x and 2 along y. The axes are up,
 * to the viewer and to the right, with a sign each; the last row leaves all settings out.
 */
static void test_fbx_space(void)
{
	static const struct {
		const char *what;
		int axes[6];
		const char *unit;
		float second[3], third[3]; /* corners; the surface faces what it did in the file */
		const char *error;
	} rows[] = {
		{"z up, cm", {2, 1, 1, -1, 0, 1}, "1", {1, 0, 0}, {0, 2, 0}, NULL},
		{"z up, metres", {2, 1, 1, -1, 0, 1}, "100", {100, 0, 0}, {0, 200, 0}, NULL},
		{"y up, inches", {1, 1, 2, 1, 0, 1}, "2.54", {2.54f, 0, 0}, {0, 0, 5.08f}, NULL},
		{"x to the viewer", {2, 1, 0, 1, 1, 1}, "1", {0, -1, 0}, {2, 0, 0}, NULL},
		{"y down", {1, -1, 2, -1, 0, 1}, "1", {1, 0, 0}, {0, 0, -2}, NULL},
		{"left-handed", {1, 1, 2, 1, 0, -1}, "1", {0, 0, 2}, {-1, 0, 0}, NULL},
		{"no settings", {-1, 0, 0, 0, 0, 0}, "", {1, 0, 0}, {0, 0, 2}, NULL},
		{"an axis twice", {1, 1, 1, 1, 0, 1}, "1", {0, 0, 0}, {0, 0, 0},
			"three different axes"},
		{"no axis", {3, 1, 2, 1, 0, 1}, "1", {0, 0, 0}, {0, 0, 0}, "three different axes"},
		{"no unit", {1, 1, 2, 1, 0, 1}, "-1", {0, 0, 0}, {0, 0, 0}, "a unit of -1 cm"},
	};
	static const char *const names[] = {
		"UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign", "CoordAxis", "CoordAxisSign"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char settings[700] = "", text[1500];
		int n = 0;
		for (int k = 0; k < 6 && rows[i].axes[0] >= 0; k++)
			n += snprintf(settings + n, sizeof(settings) - (size_t)n,
				"P: \"%s\", \"int\", \"Integer\", \"\",%d\n", names[k],
				rows[i].axes[k]);
		if (*rows[i].unit)
			snprintf(settings + n, sizeof(settings) - (size_t)n,
				"P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",%s\n",
				rows[i].unit);
		n = snprintf(text, sizeof(text),
			"; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
			"GlobalSettings: {\nProperties70: {\n%s}\n}\nObjects: {\n"
			"Geometry: 100, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\n"
			"a: 0,0,0,1,0,0,0,2,0\n}\nPolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n"
			"Model: 200, \"Model::Rock\", \"Mesh\" {\nVersion: 232\n}\n}\n"
			"Connections: {\nC: \"OO\",200,0\nC: \"OO\",100,200\n}\n",
			settings);
		struct cs_mesh *mesh = NULL;
		struct cs_error *error =
			cs_mesh_import(save("u.fbx", text, (size_t)n), NULL, NULL, &mesh);
		const float *corner[3] = {NULL};
		for (int k = 0; mesh && k < 3; k++)
			corner[k] = mesh->positions + 3 * (size_t)mesh->indices[k];
		/* the origin may be any corner: a mirrored triangle is listed backwards */
		int first = 0;
		while (mesh && first < 2 &&
			(corner[first][0] || corner[first][1] || corner[first][2]))
			first++;
		ok(mesh ? !rows[i].error &&
					memcmp(corner[(first + 1) % 3], rows[i].second, 12) == 0 &&
					memcmp(corner[(first + 2) % 3], rows[i].third, 12) == 0
			: rows[i].error && error && strstr(error->message, rows[i].error),
			"FBX: %s: %s", rows[i].what, error ? error->message : "read");
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
}

/* The error of a binary FBX file that ends early has the offset that assimp tells. */
static void test_cut_fbx(void)
{
	static const char bytes[] = "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\0\0\0\0";
	struct cs_mesh *mesh = NULL;
	struct cs_error *error =
		cs_mesh_import(save("cut.fbx", bytes, sizeof(bytes) - 1), NULL, NULL, &mesh);
	ok(error && error->offset == 31, "FBX: a cut file: %lld: %s",
		error ? (long long)error->offset : -2, error ? error->message : "read");
	fails(error, CS_E_MESH, "FBX: is refused");
}

int main(void)
{
	test_misread_gltf();
	test_cut_fbx();
	test_fbx_space();
	test_lost_fbx();
	test_targets();
	test_lost_gltf();
	test_gltf_buffer();
	test_alpha();
	test_draco();
	test_shared_colors();
	test_bad_buffers();
	test_parts();
	test_nothing_left();
	test_glb_heads();
	for (int component = 5120; component < 5124; component++) {
		test_integers(component, false, "\"uri\":\"integers.bin\",", "b.gltf");
		test_integers(component, true, "", "b.glb");
	}
	test_integers(5121, true,
		"\"uri\":\"data:application/octet-stream;base64,VVVVVQAAAFX/AABVAIAAVQ==\",",
		"d.gltf");
	return done();
}
