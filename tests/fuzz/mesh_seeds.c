/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/mesh_seeds.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 4096 };

#define GLTF                                                                                 \
	"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"         \
	"\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0]}],\"meshes\":[{\"primitives\":"     \
	"[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":36,\"uri\":"     \
	"\"data:application/octet-stream;base64,"                                            \
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\"bufferViews\":[{\"buffer\":" \
	"0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"     \
	"\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}]}"

/* Nodes in nodes, indices, a sparse accessor, a skin, a mesh of two parts. */
static const char scene[] =
	"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,3]}],\"nodes\":["
	"{\"children\":[1,2],\"rotation\":[0,0,0,1]},{\"mesh\":0,\"scale\":[1,2,3]},"
	"{\"children\":[4],\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,5,5,5,1]},{\"mesh\":1},"
	"{\"mesh\":1,\"camera\":0}],\"skins\":[{\"joints\":[1,2]}],\"cameras\":[{\"type\":"
	"\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}],\"meshes\":[{\"primitives\":[{"
	"\"attributes\":{\"POSITION\":0,\"NORMAL\":0},\"indices\":1,\"material\":0},{\"attributes\":"
	"{\"POSITION\":2},\"mode\":5}]},{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
	"\"TEXCOORD_0\":3},\"targets\":[{\"POSITION\":0}]}],\"weights\":[0.5]}],\"materials\":[{"
	"\"name\":\"red\"}],\"buffers\":[{\"byteLength\":42,\"uri\":"
	"\"data:application/octet-stream;base64,"
	"AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA\"}],\"bufferViews\":[{\"buffer\":0,"
	"\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}],\"accessors\":[{"
	"\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},{\"bufferView\":1,"
	"\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},{\"bufferView\":0,"
	"\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{"
	"\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":0}}},{\"bufferView\":0,"
	"\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}]}";

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
	unsigned char seed[ROOM] = {format};
	memcpy(seed + 1, bytes, n);
	add(seed, n + 1);
}

static void add_text(void (*add)(const void *, size_t), unsigned char format, const char *text)
{
	add_as(add, format, text, strlen(text));
}

struct output {
	unsigned char bytes[ROOM];
	size_t n;
};

static void put(struct output *to, const void *bytes, size_t n)
{
	memcpy(to->bytes + to->n, bytes, n);
	to->n += n;
}

static void put_u32(struct output *to, uint32_t value)
{
	put(to, &value, 4);
}

static void put_glb_chunk(struct output *to, const char *kind, const void *bytes, size_t n)
{
	put_u32(to, (uint32_t)n);
	put(to, kind, 4);
	put(to, bytes, n);
}

static void add_glb(void (*add)(const void *, size_t))
{
	static const float at[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const char data[] = ",\"uri\":\"data:application/octet-stream;base64,"
				   "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"";
	char json[2048] = GLTF;
	char *uri = strstr(json, data);
	memmove(uri, uri + sizeof(data) - 1, strlen(uri + sizeof(data) - 1) + 1);
	size_t n = strlen(json);
	while (n % 4)
		json[n++] = ' '; /* chunks are whole words */
	struct output glb = {.n = 0};
	put(&glb, "glTF\2\0\0", 8);
	put_u32(&glb, 0); /* the size of the whole, set below */
	put_glb_chunk(&glb, "JSON", json, n);
	put_glb_chunk(&glb, "BIN", at, sizeof(at));
	uint32_t whole = (uint32_t)glb.n;
	memcpy(glb.bytes + 8, &whole, 4);
	add_as(add, 3, glb.bytes, glb.n);
}

/* ---- binary FBX: nodes of an end, properties, and nodes in them ---- */

static size_t open_node(struct output *to, const char *name, uint32_t n_properties)
{
	size_t at = to->n;
	unsigned char n = (unsigned char)strlen(name);
	put_u32(to, 0);
	put_u32(to, n_properties);
	put_u32(to, 0);
	put(to, &n, 1);
	put(to, name, n);
	return at;
}

static void end_properties(struct output *to, size_t node)
{
	uint32_t n = (uint32_t)(to->n - node - 13 - to->bytes[node + 12]);
	memcpy(to->bytes + node + 8, &n, 4);
}

static void close_node(struct output *to, size_t node, bool has_nodes)
{
	static const unsigned char none[13];
	if (has_nodes)
		put(to, none, sizeof(none));
	uint32_t end = (uint32_t)to->n;
	memcpy(to->bytes + node, &end, 4);
}

static void put_text(struct output *to, const char *text, size_t n)
{
	put(to, "S", 1);
	put_u32(to, (uint32_t)n);
	put(to, text, n);
}

static void put_long(struct output *to, int64_t value)
{
	put(to, "L", 1);
	put(to, &value, 8);
}

static void put_array(
	struct output *to, const char *name, char kind, uint32_t n, const void *bytes, size_t size)
{
	size_t node = open_node(to, name, 1);
	put(to, &kind, 1);
	put_u32(to, n);
	put_u32(to, 0); /* as it is */
	put_u32(to, (uint32_t)size);
	put(to, bytes, size);
	end_properties(to, node);
	close_node(to, node, false);
}

static size_t open_object(
	struct output *to, const char *kind, int64_t id, const char *name, size_t n_name)
{
	size_t node = open_node(to, kind, 3);
	put_long(to, id);
	put_text(to, name, n_name);
	put_text(to, "Mesh", 4);
	end_properties(to, node);
	return node;
}

static void put_connection(struct output *to, int64_t from, int64_t into)
{
	size_t node = open_node(to, "C", 3);
	put_text(to, "OO", 2);
	put_long(to, from);
	put_long(to, into);
	end_properties(to, node);
	close_node(to, node, false);
}

static void put_fbx_objects(struct output *to)
{
	static const double at[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const int32_t corners[3] = {0, 1, -3};
	size_t objects = open_node(to, "Objects", 0);
	size_t node = open_object(to, "Geometry", 1, "g\0\1Geometry", 11);
	put_array(to, "Vertices", 'd', 9, at, sizeof(at));
	put_array(to, "PolygonVertexIndex", 'i', 3, corners, sizeof(corners));
	close_node(to, node, true);
	node = open_object(to, "Model", 2, "m\0\1Model", 8);
	close_node(to, node, true);
	close_node(to, objects, true);
}

static void add_binary_fbx(void (*add)(const void *, size_t))
{
	static const unsigned char none[13];
	struct output fbx_bytes = {.n = 0}, *to = &fbx_bytes;
	put(to, "Kaydara FBX Binary  \0\x1a", 23);
	put_u32(to, 7300);
	size_t node = open_node(to, "FBXHeaderExtension", 0);
	size_t version = open_node(to, "FBXVersion", 1);
	put(to, "I\x84\x1c\0", 5);
	end_properties(to, version);
	close_node(to, version, false);
	close_node(to, node, true);
	put_fbx_objects(to);
	node = open_node(to, "Connections", 0);
	put_connection(to, 2, 0);
	put_connection(to, 1, 2);
	close_node(to, node, true);
	put(to, none, sizeof(none));
	add_as(add, 4, to->bytes, to->n);
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

void mesh_seeds(void (*add)(const void *bytes, size_t size))
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
	add_text(add, 2, scene);
	add_glb(add);
	add_binary_fbx(add);
	add_text(add, 4, fbx);
	add_stl(add);
}
